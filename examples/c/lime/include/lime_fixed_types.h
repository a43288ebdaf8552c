/* Unsigned integers of fixed width, under the names of LIME. */
#ifndef LINKSTREAM_LIME_FIXED_TYPES_H
#define LINKSTREAM_LIME_FIXED_TYPES_H

#include <stdint.h>
#include <sys/types.h>

typedef uint16_t n_uint16_t;
typedef uint32_t n_uint32_t;
typedef uint64_t n_uint64_t;

/* Offsets have 64 bits. On a computer with 32 bits, compile with -D_FILE_OFFSET_BITS=64. */
#ifndef LINKSTREAM_OFFSETS
#define LINKSTREAM_OFFSETS
typedef char linkstream_offsets_have_64_bits[sizeof(off_t) == 8 ? 1 : -1];
#endif

#endif
