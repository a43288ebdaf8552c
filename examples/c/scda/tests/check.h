/* Checks of the tests, and bytes of files. */
#ifndef SCDA_TEST_CHECK_H
#define SCDA_TEST_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Allocations that are too large fail as they do without the sanitizer, which would end the program. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

static int failures;

/* Notes a condition that is false, with the last error. */
#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s (last error: %s)\n", __FILE__, __LINE__, #condition, \
                    linkstream_last_error()->message); \
            failures++; \
        } \
    } while (0)

/* Ends the test if a condition is false that all later ones need. */
#define NEED(condition) \
    do { \
        CHECK(condition); \
        if (failures) exit(1); \
    } while (0)

static inline int has_message(const char *part)
{
    return strstr(linkstream_last_error()->message, part) != NULL;
}

/* A name in a directory. */
static inline char *joined(const char *directory, const char *name)
{
    char *path;
    if (directory == NULL || name == NULL) exit(1);
    path = malloc(strlen(directory) + strlen(name) + 2);
    if (path == NULL) exit(1);
    sprintf(path, "%s/%s", directory, name);
    return path;
}

/* All bytes of a file, and one zero byte. NULL if it cannot be read. */
static inline char *contents(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *bytes;
    long size;
    *length = 0;
    if (file == NULL) return NULL;
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    bytes = calloc((size_t)size + 1, 1);
    if (bytes != NULL) *length = fread(bytes, 1, (size_t)size, file);
    fclose(file);
    return bytes;
}

static inline void put(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, length, file) != length || fclose(file) != 0) exit(1);
}

static inline int same_files(const char *one, const char *other)
{
    size_t first, second;
    char *a = contents(one, &first), *b = contents(other, &second);
    int same = a != NULL && b != NULL && first == second && memcmp(a, b, first) == 0;
    free(a);
    free(b);
    return same;
}

#endif
