/* The header of a record in a file: 144 bytes, numbers big endian (LIME 1.2, appendix A). */
#ifndef LINKSTREAM_LIME_BINARY_HEADER_H
#define LINKSTREAM_LIME_BINARY_HEADER_H

#include "lime_fixed_types.h"

typedef struct LimeBinaryHeader {
    n_uint32_t magic;       /* LIME_MAGIC_NO */
    n_uint16_t version;     /* LIME_VERSION */
    unsigned char flags[2]; /* 0x80 in the first byte: MB; 0x40: ME */
    n_uint64_t length;      /* Length of the data in bytes */
    char type[128];         /* With zero bytes at its end */
} LimeBinaryHeader;

#endif
