/* The files of the reference implementation in host-tests/fixtures/lime: their records as their manifest has them, with
 * each byte of the data; and the same calls write the same files. */
#include "check.h"

typedef struct record {
    long long offset, length;
    int begin, end;
    char type[256];
} record;

/* Takes bytes that the manifest has as UTF-8 of Latin-1, with escapes. */
static void unescape(const char *from, char *to) {
    while (*from != '"' && *from != 0) {
        unsigned char c = (unsigned char)*from++;
        if (c == '\\') {
            c = (unsigned char)*from++;
            if (c == 't') c = '\t';
            else if (c == 'n') c = '\n';
        } else if (c >= 0xc0) {
            c = (unsigned char)((c & 3) << 6 | (*from++ & 0x3f));
        }
        *to++ = (char)c;
    }
    *to = 0;
}

static n_uint64_t mix64(n_uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* Byte i of record number n, by the formula of the manifest. */
static char formula(n_uint64_t n, n_uint64_t i) {
    return (char)(mix64(0x11ed + ((n << 32) + i + 1) * 0x9E3779B97F4A7C15u) >> 56);
}

static int has_formula(const char *name) {
    static const char *const others[] = {"single",  "binary-256", "packed", "short-write-pad", "mbme-unchecked",
                                         "concat",  "appended",   NULL};
    int i;
    for (i = 0; others[i] != NULL; ++i)
        if (strncmp(name, others[i], strlen(others[i])) == 0) return 0;
    return 1;
}

static char file_name[4096];

/* Reads the records with one call or in pieces of 7 bytes. */
static void reads(const char *name, const record *list, int count, int complete, n_uint64_t piece) {
    FILE *fp = fopen(file_name, "r");
    LimeReader *r = limeCreateReader(fp);
    int i, status = LIME_SUCCESS;
    CHECK(r != NULL);
    for (i = 0; i < count; ++i) {
        n_uint64_t done = 0, length = (n_uint64_t)list[i].length, k;
        char *room = malloc(length + 1);
        CHECK(limeGetReaderPointer(r) == list[i].offset);
        CHECK((status = limeReaderNextRecord(r)) == LIME_SUCCESS);
        CHECK(limeReaderBytes(r) == length && limeReaderPadBytes(r) == (8 - length % 8) % 8);
        CHECK(limeReaderMBFlag(r) == list[i].begin && limeReaderMEFlag(r) == list[i].end);
        CHECK(limeReaderType(r) != NULL && strcmp(limeReaderType(r), list[i].type) == 0);
        for (;;) {
            n_uint64_t n = piece;
            status = limeReaderReadData(room + done, &n, r);
            done += n;
            if (status != LIME_SUCCESS) break;
        }
        CHECK(status == LIME_EOR && done == length);
        for (k = 0; has_formula(name) && k < length; ++k) CHECK(room[k] == formula((n_uint64_t)i, k));
        free(room);
        if (failures != 0) break;
    }
    status = limeReaderNextRecord(r);
    CHECK(status == (complete ? LIME_EOF : LIME_SUCCESS));
    if (!complete) {
        while (status == LIME_SUCCESS) status = limeReaderNextRecord(r);
        CHECK(status == LIME_EOF);
    }
    limeDestroyReader(r);
    fclose(fp);
}

/* Writes the records again. Files with flags that the document forbids are refused. */
static void writes(const char *name) {
    FILE *fp = fopen(file_name, "r"), *copy = opened("copy", "w+");
    LimeReader *r = limeCreateReader(fp);
    LimeWriter *w = limeCreateWriter(copy);
    int status = LIME_SUCCESS;
    while (limeReaderNextRecord(r) == LIME_SUCCESS) {
        n_uint64_t length = limeReaderBytes(r), n = length, half = length / 2, rest = length - half;
        LimeRecordHeader *h = limeCreateHeader(limeReaderMBFlag(r), limeReaderMEFlag(r), limeReaderType(r), length);
        char *room = malloc(length + 1);
        CHECK(limeReaderReadData(room, &n, r) == (length == 0 ? LIME_EOR : LIME_SUCCESS) && n == length);
        CHECK(h != NULL);
        status = limeWriteRecordHeader(h, w);
        limeDestroyHeader(h);
        if (status == LIME_SUCCESS) {
            CHECK(limeWriteRecordData(room, &half, w) == LIME_SUCCESS);
            CHECK(limeWriteRecordData(room + half, &rest, w) == LIME_SUCCESS);
        }
        free(room);
        if (status != LIME_SUCCESS) break;
    }
    CHECK(status == (strcmp(name, "mbme-unchecked.lime") == 0 ? LIME_ERR_MBME : LIME_SUCCESS));
    CHECK(limeDestroyWriter(w) == LIME_SUCCESS);
    limeDestroyReader(r);
    rewind(fp);
    rewind(copy);
    while (status == LIME_SUCCESS) {
        int a = getc(fp), b = getc(copy);
        CHECK(a == b);
        if (a == EOF || a != b) break;
    }
    fclose(fp);
    fclose(copy);
}

int main(int argc, char **argv) {
    static record list[2000];
    char line[4096], name[256] = "";
    int count = -1, files = 0, complete = 1, records = 0;
    FILE *manifest;
    start(argc, argv);
    snprintf(line, sizeof line, "%s/host-tests/fixtures/lime/MANIFEST.toml", root);
    manifest = fopen(line, "r");
    if (manifest == NULL) {
        perror(line);
        return 1;
    }
    for (;;) {
        int at_end = fgets(line, sizeof line, manifest) == NULL;
        if (at_end || strncmp(line, "[[file]]", 8) == 0) {
            if (name[0] != 0) {
                int before = failures;
                CHECK(complete ? records == count : records < count);
                snprintf(file_name, sizeof file_name, "%s/host-tests/fixtures/lime/%s", root, name);
                reads(name, list, records, complete, (n_uint64_t)1 << 40);
                reads(name, list, records, complete, 7);
                writes(name);
                if (failures != before) fprintf(stderr, "in %s\n", name);
                ++files;
            }
            name[0] = 0;
            count = -1;
            complete = 1;
            records = 0;
            if (at_end) break;
        } else if (sscanf(line, "path = \"%255[^\"]", name) == 1 || sscanf(line, "lime_count = %d", &count) == 1) {
        } else if (strncmp(line, "lime_truncated = true", 21) == 0) {
            complete = 0;
        } else if (strncmp(line, "  { off", 7) == 0 && records < 2000) {
            record *to = &list[records++];
            const char *type = strstr(line, "type = \"");
            CHECK(sscanf(line, "  { off = %lld, mb = %d, me = %d, len = %lld", &to->offset, &to->begin, &to->end,
                         &to->length) == 4);
            CHECK(type != NULL);
            unescape(type + 8, to->type);
        }
    }
    fclose(manifest);
    CHECK(files == 33);
    return failures != 0;
}
