/* Common to the tests of liblime. Each takes a scratch directory as argument 1, and the root of the repository as
 * argument 2. A failed check is printed with its place; the exit status is 1 then. */
#ifndef CHECK_H
#define CHECK_H

#include <lime.h>
#include <stdlib.h>
#include <string.h>

static int failures;
static const char *scratch = ".", *root = ".";

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            ++failures; \
        } \
    } while (0)

static inline int start(int argc, char **argv) {
    if (argc > 1) scratch = argv[1];
    if (argc > 2) root = argv[2];
    CHECK(linkstream_last_error()->message[0] == 0 && linkstream_last_error()->has_offset == 0);
    return argc;
}

static inline int has_message(const char *part) {
    return strstr(linkstream_last_error()->message, part) != NULL;
}

static inline int has_rule(const char *rule, n_uint64_t offset) {
    const linkstream_error *e = linkstream_last_error();
    int is_there = e->has_offset == 1 && e->offset == offset;
    return strcmp(e->rule, rule) == 0 && is_there && strstr(e->clause, "LIME 1.2") != NULL;
}

static inline const char *path(const char *name) {
    static char text[4096];
    snprintf(text, sizeof text, "%s/%s", scratch, name);
    return text;
}

static inline FILE *opened(const char *name, const char *mode) {
    FILE *fp = fopen(path(name), mode);
    if (fp == NULL) {
        perror(path(name));
        exit(1);
    }
    return fp;
}

static inline void put_header(LimeWriter *w, int begin, int end, const char *type, n_uint64_t length, int expected) {
    LimeRecordHeader *h = limeCreateHeader(begin, end, (char *)type, length);
    CHECK(h != NULL);
    CHECK(limeWriteRecordHeader(h, w) == expected);
    limeDestroyHeader(h);
}

static inline void put_data(LimeWriter *w, const char *text) {
    n_uint64_t n = strlen(text);
    CHECK(limeWriteRecordData((void *)text, &n, w) == LIME_SUCCESS && n == strlen(text));
}

/* A file of three records in two messages: "first" with 5 bytes, "second" with none, "third" with 8. */
#define SAMPLE_BYTES 448
static inline void make_sample(const char *name) {
    FILE *fp = opened(name, "w");
    LimeWriter *w = limeCreateWriter(fp);
    put_header(w, 1, 0, "first", 5, LIME_SUCCESS);
    put_data(w, "hello");
    put_header(w, 0, 1, "second", 0, LIME_SUCCESS);
    put_header(w, 1, 1, "third", 8, LIME_SUCCESS);
    put_data(w, "12345678");
    CHECK(limeDestroyWriter(w) == LIME_SUCCESS);
    CHECK(fclose(fp) == 0);
}

/* The bytes of a file. */
static inline size_t contents(const char *name, char *room, size_t size) {
    FILE *fp = opened(name, "r");
    size_t n = fread(room, 1, size, fp);
    fclose(fp);
    return n;
}

static inline void make_file(const char *name, const char *bytes, size_t size) {
    FILE *fp = opened(name, "w");
    CHECK(fwrite(bytes, 1, size, fp) == size);
    CHECK(fclose(fp) == 0);
}

#endif
