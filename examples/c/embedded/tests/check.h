/* What the tests share: a check that prints its place, and memory of exactly the size that is asked for, so that
 * valgrind finds every access outside. */
#ifndef CHECK_H
#define CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

/* Counts a failure; many of them have one reason. */
static void failed(void) {
    failures++;
    if (failures == 20) { exit(1); }
}

#define CHECK(condition)                                                                                              \
    do {                                                                                                              \
        if (!(condition)) {                                                                                           \
            (void)fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                     \
            failed();                                                                                                 \
        }                                                                                                             \
    } while (0)

/* A status, with both numbers if it is another one. */
#define EXPECT(expected, call)                                                                                        \
    do {                                                                                                              \
        lse_status found_ = (call);                                                                                   \
        if (found_ != (expected)) {                                                                                   \
            (void)fprintf(stderr, "%s:%d: %s returns %u instead of %u\n", __FILE__, __LINE__, #call, (unsigned)found_, \
                          (unsigned)(expected));                                                                      \
            failed();                                                                                                 \
        }                                                                                                             \
    } while (0)

/* Memory that is not initialised as an object: a pattern, as left over from other uses. */
static void *memory(size_t size) {
    unsigned char *bytes = malloc(size > 0 ? size : 1);
    if (bytes == NULL) {
        (void)fprintf(stderr, "no memory\n");
        exit(2);
    }
    (void)memset(bytes, 0xa5, size);
    return bytes;
}

static uint8_t *file_bytes(const char *root, const char *name, size_t *length) {
    char path[1024];
    FILE *file;
    long end;
    uint8_t *bytes;
    (void)snprintf(path, sizeof path, "%s/%s", root, name);
    file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (end = ftell(file)) < 0 || fseek(file, 0, SEEK_SET) != 0) {
        (void)fprintf(stderr, "%s cannot be read\n", path);
        exit(2);
    }
    bytes = memory((size_t)end);
    *length = fread(bytes, 1, (size_t)end, file);
    if (*length != (size_t)end) {
        (void)fprintf(stderr, "%s cannot be read to its end\n", path);
        exit(2);
    }
    (void)fclose(file);
    return bytes;
}

#endif
