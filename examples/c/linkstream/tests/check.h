/* What all tests of this directory need. */
#ifndef CHECK_H
#define CHECK_H

#include <linkstream.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s\n    last error: %s\n", __FILE__, __LINE__, #condition, \
                    linkstream_last_error()->message); \
            ++failures; \
        } \
    } while (0)

/* The test cannot go on. */
#define NEED(condition) \
    do { \
        const int before = failures; \
        CHECK(condition); \
        if (failures > before) exit(1); \
    } while (0)

/* The last error has this part of a sentence. */
static inline int says(const char *part) {
    return strstr(linkstream_last_error()->message, part) != NULL;
}

/* A path below a directory; valid until the function has been called eight times more. */
static inline const char *below(const char *directory, const char *name) {
    static char paths[8][4096];
    static int next;
    char *path = paths[next = (next + 1) % 8];
    snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    return path;
}

static inline void *need_memory(size_t size) {
    void *memory = malloc(size ? size : 1);
    if (!memory) {
        fprintf(stderr, "no memory for %zu bytes\n", size);
        exit(1);
    }
    return memory;
}

/* The bytes of a file, to be freed. */
static inline unsigned char *bytes_of(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    unsigned char *bytes;
    long end;
    if (!file || fseek(file, 0, SEEK_END) || (end = ftell(file)) < 0) {
        perror(path);
        exit(1);
    }
    rewind(file);
    *length = (size_t)end;
    bytes = need_memory(*length);
    if (fread(bytes, 1, *length, file) != *length) {
        perror(path);
        exit(1);
    }
    fclose(file);
    return bytes;
}

static inline int exists(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

#endif
