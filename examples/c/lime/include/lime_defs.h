/* Constants of LIME. */
#ifndef LINKSTREAM_LIME_DEFS_H
#define LINKSTREAM_LIME_DEFS_H

/* Return codes (section 3 of the document). */
#define LIME_SUCCESS 0
#define LIME_ERR_LAST_NOT_WRITTEN (-1) /* data of the last record have not been written */
#define LIME_ERR_PARAM (-2)            /* a wrong argument, or a call at a wrong time */
#define LIME_ERR_HEADER_NEXT (-3)      /* data of the last record are missing: a header cannot be written here */
#define LIME_LAST_REC_WRITTEN (-4)     /* not returned by this library */
#define LIME_ERR_WRITE (-5)            /* the system refuses to write */
#define LIME_EOR (-6)                  /* the end of the data of the record */
#define LIME_EOF (-7)                  /* the end of the file, after a complete record */
#define LIME_ERR_READ (-8)             /* the file is damaged or no LIME file, or the system refuses to read */
#define LIME_ERR_SEEK (-9)             /* a position is outside, or the stream cannot move there */
#define LIME_ERR_MBME (-10)            /* the flags of the header do not fit the message */
#define LIME_ERR_CLOSE (-11)           /* the file has not been completed */

#define LIME_MAGIC_NO 1164413355 /* first four bytes of a header: 45 67 89 ab */
#define LIME_VERSION 1
#define LIME_MAX_BUFSIZE 2147483647

/* Length of the saved state in a handle, in bytes. */
#define LIME_STATE 192

#endif
