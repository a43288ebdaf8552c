/* The last error of a thread. All libraries of linkstream have it. */
#ifndef LINKSTREAM_ERROR_H
#define LINKSTREAM_ERROR_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Description of an error. All texts end with a zero byte and are UTF-8. */
typedef struct linkstream_error {
    char rule[64];     /* Name of the broken rule, as in the rule table of linkstream; empty if it is no error of a file */
    char clause[128];  /* Clause of the specification that has the rule, or empty */
    char message[824]; /* A sentence; empty if there has been no error */
    uint64_t offset;   /* Absolute offset in the file, in bytes, if has_offset is 1 */
    int has_offset;    /* 1 if the error has an offset, otherwise 0 */
} linkstream_error;

/* The last error of the calling thread, from whichever library of linkstream. Never NULL. Calls that succeed leave it as
 * it is; it is valid until the next call of this thread fails. */
const linkstream_error *linkstream_last_error(void);

#ifdef __cplusplus
}
#endif
#endif
