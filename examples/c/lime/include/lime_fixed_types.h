/* Unsigned integers of fixed width, under the names of LIME. */
#ifndef LINKSTREAM_LIME_FIXED_TYPES_H
#define LINKSTREAM_LIME_FIXED_TYPES_H

#include <stdint.h>

typedef uint16_t n_uint16_t;
typedef uint32_t n_uint32_t;
typedef uint64_t n_uint64_t;

#endif
