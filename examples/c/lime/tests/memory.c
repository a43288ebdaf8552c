/* Calls with less and less memory: each ends with success, or says that there is not enough. Arguments: a directory. */
#include "../../tests/shrink.h"
#include "check.h"

/* More headers than the library has memory for when the system has no more. */
enum { HEADERS = 100000, RECORDS = 1000 };

static LimeRecordHeader *headers[HEADERS];

/* The result of a call without a handle. */
static int without_handle(void) {
    if (has_message("not enough memory")) return SHRINK_NO_MEMORY;
    fprintf(stderr, "%s\n", linkstream_last_error()->message);
    return SHRINK_WRONG;
}

/* The result of a part whose last call has returned this. No code of LIME means that there is no memory, and no call with
 * a handle needs any. */
static int result(int code) {
    if (code == LIME_SUCCESS) return SHRINK_DONE;
    fprintf(stderr, "code %d: %s\n", code, linkstream_last_error()->message);
    return SHRINK_WRONG;
}

static int writing(const char *path) {
    FILE *fp = fopen(path, "w");
    LimeWriter *w;
    int i, code = LIME_SUCCESS;
    if (fp == NULL) return SHRINK_NO_MEMORY; /* of the C library */
    w = limeCreateWriter(fp);
    if (w == NULL) return without_handle();
    for (i = 0; i < RECORDS && code == LIME_SUCCESS; ++i) {
        n_uint64_t n = 5;
        LimeRecordHeader *h = limeCreateHeader(1, 1, (char *)"record", n);
        if (h == NULL) return without_handle();
        code = limeWriteRecordHeader(h, w);
        if (code == LIME_SUCCESS) code = limeWriteRecordData((void *)"hello", &n, w);
        limeDestroyHeader(h);
    }
    if (code == LIME_SUCCESS) code = limeDestroyWriter(w);
    fclose(fp);
    return result(code);
}

static int reading(const char *path) {
    FILE *fp = fopen(path, "r");
    LimeReader *r, *other;
    char data[5];
    int records = 0, code;
    if (fp == NULL) return SHRINK_NO_MEMORY; /* of the C library */
    r = limeCreateReader(fp);
    if (r == NULL) return without_handle();
    /* Another reader goes on from the start. */
    other = limeCreateReader(fp);
    if (other == NULL) return without_handle();
    if (limeReaderSetState(other, r) != LIME_SUCCESS) return SHRINK_WRONG;
    limeDestroyReader(r);
    r = other;
    while ((code = limeReaderNextRecord(r)) == LIME_SUCCESS) {
        n_uint64_t n = sizeof data;
        code = limeReaderReadData(data, &n, r);
        if (code != LIME_SUCCESS || memcmp(data, "hello", sizeof data) != 0) return SHRINK_WRONG;
        ++records;
    }
    limeDestroyReader(r);
    fclose(fp);
    return code == LIME_EOF && records == RECORDS ? SHRINK_DONE : result(code);
}

/* A program that destroys nothing. */
static int many_headers(const char *unused) {
    int i, is_done;
    (void)unused;
    for (i = 0; i < HEADERS; ++i) {
        headers[i] = limeCreateHeader(1, 1, (char *)"record", 5);
        if (headers[i] == NULL) break;
    }
    is_done = i == HEADERS;
    if (!is_done && without_handle() == SHRINK_WRONG) return SHRINK_WRONG;
    while (i-- > 0) limeDestroyHeader(headers[i]);
    return is_done ? SHRINK_DONE : SHRINK_NO_MEMORY;
}

int main(int argc, char **argv) {
    if (start(argc, argv) < 2) return 1;
    if (shrink_is_useless()) return 0;
    CHECK(shrink("writing", writing, path("memory.lime")));
    CHECK(in_child(writing, path("memory.lime")));
    CHECK(shrink("reading", reading, path("memory.lime")));
    CHECK(shrink("many headers", many_headers, ""));
    return failures > 0;
}
