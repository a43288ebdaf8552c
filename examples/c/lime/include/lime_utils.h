/* Padding, and numbers in the byte order of files. */
#ifndef LINKSTREAM_LIME_UTILS_H
#define LINKSTREAM_LIME_UTILS_H

#include <stddef.h>
#include <string.h>

#include "lime_fixed_types.h"

/* Number of zero bytes after nbytes bytes of data, up to a multiple of 8. */
static inline int lime_padding(size_t nbytes) {
    return (int)((8 - nbytes % 8) % 8);
}

/* The number whose bytes in memory are those of x, most significant byte first; or the other way round. */
static inline n_uint16_t big_endian_short(n_uint16_t x) {
    unsigned char b[2];
    memcpy(b, &x, sizeof b);
    return (n_uint16_t)(b[0] << 8 | b[1]);
}

static inline n_uint32_t big_endian_long(n_uint32_t x) {
    unsigned char b[4];
    memcpy(b, &x, sizeof b);
    return (n_uint32_t)b[0] << 24 | (n_uint32_t)b[1] << 16 | (n_uint32_t)b[2] << 8 | (n_uint32_t)b[3];
}

static inline n_uint64_t big_endian_long_long(n_uint64_t x) {
    unsigned char b[8];
    n_uint64_t y = 0;
    int i;
    memcpy(b, &x, sizeof b);
    for (i = 0; i < 8; ++i) y = y << 8 | b[i];
    return y;
}

#endif
