/* Damaged files: each is an error with rule, clause and offset, however it is read. No truncated file is taken for a
 * whole one. The files are those in host-tests/fixtures/broken/lime, and each beginning of a small file. */
#include "check.h"

/* Reads or skips all records. Returns the status at the end, and counts the records. */
static int all(LimeReader *r, int reads, int *records) {
    int status;
    for (*records = 0; (status = limeReaderNextRecord(r)) == LIME_SUCCESS; ++*records) {
        char text[512];
        n_uint64_t n = sizeof text;
        while (reads == 1 && (status = limeReaderReadData(text, &n, r)) == LIME_SUCCESS) n = sizeof text;
        if (reads == 2) status = limeReaderCloseRecord(r);
        if (status != LIME_SUCCESS && status != LIME_EOR) break;
    }
    return status;
}

static void truncated(void) {
    char whole[SAMPLE_BYTES];
    size_t size;
    make_sample("whole");
    CHECK(contents("whole", whole, sizeof whole) == sizeof whole);
    for (size = 0; size <= sizeof whole; ++size) {
        int reads, records;
        const char *rule = size < 296 && size >= 152 ? "lime-header-truncated" : "lime-payload-truncated";
        if (size < 144 || (size > 296 && size < 440)) rule = "lime-header-truncated";
        if (size > 148 && size < 152) rule = "lime-padding-truncated";
        make_file("truncated", whole, size);
        for (reads = 0; reads < 3; ++reads) {
            FILE *fp = opened("truncated", "r");
            LimeReader *r = limeCreateReader(fp);
            int is_whole = size == 0 || size == 152 || size == 296 || size == 448;
            int status = all(r, reads, &records);
            CHECK(status == (is_whole ? LIME_EOF : LIME_ERR_READ));
            if (!is_whole) CHECK(has_rule(rule, size));
            /* The same again. */
            CHECK(limeReaderNextRecord(r) == status);
            if (!is_whole) CHECK(has_rule(rule, size));
            limeDestroyReader(r);
            fclose(fp);
        }
    }
}

/* A reader that meets damaged padding can go on elsewhere. */
static void padding(void) {
    char whole[SAMPLE_BYTES];
    FILE *fp;
    LimeReader *r;
    n_uint64_t n = 5;
    char text[8];
    CHECK(contents("whole", whole, sizeof whole) == sizeof whole);
    whole[150] = 7;
    make_file("padding", whole, sizeof whole);
    fp = opened("padding", "r");
    r = limeCreateReader(fp);
    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && limeReaderReadData(text, &n, r) == LIME_SUCCESS && n == 5);
    CHECK(limeReaderCloseRecord(r) == LIME_ERR_READ && has_rule("lime-padding-nonzero", 150));
    CHECK(limeReaderNextRecord(r) == LIME_ERR_READ && has_rule("lime-padding-nonzero", 150));
    CHECK(strcmp(limeReaderType(r), "first") == 0);
    CHECK(limeSetReaderPointer(r, limeGetReaderPointer(r)) == LIME_SUCCESS);
    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && strcmp(limeReaderType(r), "second") == 0);
    limeDestroyReader(r);
    fclose(fp);
}

static const struct {
    const char *name;
    int records;      /* records whose header can be read */
    const char *rule; /* NULL: the file is accepted */
    n_uint64_t offset;
} broken[] = {
    {"all-zero-144", 0, "lime-magic", 0},
    {"header-truncated-10", 0, "lime-header-truncated", 10},
    {"header-truncated-143", 0, "lime-header-truncated", 143},
    {"length-2e32", 1, "lime-payload-truncated", 152},
    {"length-2e40", 1, "lime-payload-truncated", 152},
    {"length-2e63", 1, "lime-payload-truncated", 152},
    {"length-2e63m1", 1, "lime-payload-truncated", 152},
    {"length-2e64m1", 0, "lime-length-overflow", 8},
    {"length-2e64m144", 0, "lime-length-overflow", 8},
    {"length-2e64m152", 1, "lime-payload-truncated", 152},
    {"length-2e64m8", 0, "lime-length-overflow", 8},
    {"length-too-long-by-8", 1, "lime-payload-truncated", 152},
    {"length-too-short", 1, "lime-padding-nonzero", 173},
    {"magic-bad-first", 0, "lime-magic", 0},
    {"magic-bad-second", 1, "lime-magic", 184},
    {"magic-little-endian", 0, "lime-magic", 0},
    {"mb-missing-after-me", 2, NULL, 0},
    {"mb-missing-first", 2, NULL, 0},
    {"mb-twice", 2, NULL, 0},
    {"me-missing-last", 2, NULL, 0},
    {"not-lime", 0, "lime-magic", 0},
    {"padding-missing-between", 1, "lime-padding-nonzero", 181},
    {"padding-nonzero", 1, "lime-padding-nonzero", 181},
    {"padding-truncated-1", 3, "lime-padding-truncated", 543},
    {"padding-truncated-all", 3, "lime-padding-truncated", 541},
    {"payload-truncated-1", 1, "lime-payload-truncated", 148},
    {"payload-truncated-half", 2, "lime-payload-truncated", 358},
    {"payload-truncated-long", 1, "lime-payload-truncated", 70143},
    {"reserved-bits", 1, NULL, 0},
    {"second-header-truncated", 1, "lime-header-truncated", 284},
    {"short-write-nopad", 1, "lime-payload-truncated", 149},
    {"trailing-200-bytes", 3, "lime-magic", 544},
    {"trailing-7-bytes", 3, "lime-trailing-bytes", 544},
    {"type-empty", 1, NULL, 0},
    {"type-garbage-after-nul", 1, NULL, 0},
    {"type-no-nul", 1, NULL, 0},
    {"type-not-utf8", 1, NULL, 0},
    {"version-0", 0, "lime-version", 4},
    {"version-2", 0, "lime-version", 4},
};

static void fixtures(void) {
    size_t i;
    for (i = 0; i < sizeof broken / sizeof broken[0]; ++i) {
        int reads;
        for (reads = 0; reads < 3; ++reads) {
            char name[4096];
            int records, status;
            FILE *fp;
            LimeReader *r;
            snprintf(name, sizeof name, "%s/host-tests/fixtures/broken/lime/%s.lime", root, broken[i].name);
            fp = fopen(name, "r");
            CHECK(fp != NULL);
            if (fp == NULL) continue;
            r = limeCreateReader(fp);
            status = all(r, reads, &records);
            /* A record that fails while it is read has been counted by the others. */
            if (reads > 0 && broken[i].rule != NULL && records < broken[i].records) ++records;
            if (records != broken[i].records || status != (broken[i].rule == NULL ? LIME_EOF : LIME_ERR_READ) ||
                (broken[i].rule != NULL && !has_rule(broken[i].rule, broken[i].offset))) {
                const linkstream_error *e = linkstream_last_error();
                fprintf(stderr, "%s: %d records, status %d", broken[i].name, records, status);
                fprintf(stderr, ", rule %s at %llu\n", e->rule, (unsigned long long)e->offset);
                ++failures;
            }
            limeDestroyReader(r);
            fclose(fp);
        }
    }
}

int main(int argc, char **argv) {
    start(argc, argv);
    truncated();
    padding();
    fixtures();
    return failures != 0;
}
