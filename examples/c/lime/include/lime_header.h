/* Headers of records that are written. */
#ifndef LINKSTREAM_LIME_HEADER_H
#define LINKSTREAM_LIME_HEADER_H

#include "lime_defs.h"
#include "lime_fixed_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A header. A program may change MB_flag, ME_flag, data_length and the characters of the type (up to 127 and a zero
 * byte) before it writes the header. */
typedef struct LimeRecordHeader {
    unsigned int lime_version; /* LIME_VERSION */
    int MB_flag;               /* 1 if the record begins a message, otherwise 0 */
    int ME_flag;               /* 1 if the record ends a message, otherwise 0 */
    char *type;                /* The type, in memory of the library */
    n_uint64_t data_length;    /* Length of the data in bytes, without padding */
} LimeRecordHeader;

/* A header with message-begin flag, message-end flag (0 or 1), type, and length of the data in bytes. The type is
 * copied; it has at most 127 bytes and a zero byte. NULL after an error: another flag, or a type that is NULL or
 * longer (the reference implementation would cut it off silently). */
LimeRecordHeader *limeCreateHeader(int MB_flag, int ME_flag, char *type, n_uint64_t reclen);

/* Frees a header. NULL is allowed. */
void limeDestroyHeader(LimeRecordHeader *h);

#ifdef __cplusplus
}
#endif
#endif
