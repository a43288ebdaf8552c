/* Reading records. */
#ifndef LINKSTREAM_LIME_READER_H
#define LINKSTREAM_LIME_READER_H

#include <stdio.h>
#include <sys/types.h>

#include "lime_defs.h"
#include "lime_fixed_types.h"
#include "lime_header.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A reader. The members may be read, not written: they show where the reader was after the last call. One process can
 * send the bytes of the structure to another one, which passes them to limeReaderSetState. */
typedef struct LimeReader {
    int first_read;                   /* 1 if there is a current record */
    int is_last;                      /* ME flag of the current record */
    int header_nextP;                 /* 1 if a header comes next */
    FILE *fp;                         /* The stream */
    LimeRecordHeader *curr_header;    /* Header of the current record, or NULL; only for looking at it */
    n_uint64_t bytes_left;            /* Bytes from the current position to the end of the data */
    n_uint64_t bytes_total;           /* Length of the data */
    n_uint64_t rec_ptr;               /* Position in the data */
    n_uint64_t rec_start;             /* Offset of the data in the file */
    size_t bytes_pad;                 /* Length of the padding */
    unsigned char state[LIME_STATE];  /* State, with a checksum */
} LimeReader;

/* A reader from the current position of the stream on. NULL if the stream is NULL. */
LimeReader *limeCreateReader(FILE *fp);

/* Frees a reader. The stream is neither used nor closed. NULL is allowed. */
void limeDestroyReader(LimeReader *r);

/* Goes to the end of the current record, if there is one, then to the next one, and reads its header. The flags need
 * not fit: programs write wrong ones.
 * LIME_SUCCESS; LIME_EOF at the end of the file; LIME_ERR_PARAM; LIME_ERR_READ if the current record or the next
 * header is damaged (the call can be repeated, with the same result; limeSetReaderPointer goes on elsewhere);
 * LIME_ERR_SEEK. */
int limeReaderNextRecord(LimeReader *r);

/* MB and ME flag of the current record: 0 or 1; -1 without a record. */
int limeReaderMBFlag(LimeReader *r);
int limeReaderMEFlag(LimeReader *r);

/* Type of the current record, with a zero byte at its end; NULL without a record. The text is valid until the next
 * record is read or the reader is destroyed. */
char *limeReaderType(LimeReader *r);

/* Length of the data and of the padding of the current record, in bytes; 0 without a record. */
n_uint64_t limeReaderBytes(LimeReader *r);
size_t limeReaderPadBytes(LimeReader *r);

/* Reads the next *nbytes bytes of data, or the rest of the record, if that is less, and sets *nbytes to their number.
 * LIME_SUCCESS; LIME_EOR if the position was at the end of the data before; LIME_ERR_PARAM; LIME_ERR_READ if the stream
 * ends inside the data (*nbytes counts the bytes that were there); LIME_ERR_SEEK. */
int limeReaderReadData(void *dest, n_uint64_t *nbytes, LimeReader *r);

/* Goes to the end of the record, and checks its padding. Can be repeated.
 * LIME_SUCCESS, LIME_ERR_PARAM without a record, LIME_ERR_READ, LIME_ERR_SEEK. */
int limeReaderCloseRecord(LimeReader *r);

/* Moves in the data of the current record: whence is SEEK_SET or SEEK_CUR. A position outside of the data becomes the
 * first one or the one after the last byte, and is LIME_ERR_SEEK. LIME_ERR_SEEK also if the stream cannot go back; then
 * nothing moves. LIME_ERR_PARAM without a record. */
int limeReaderSeek(LimeReader *r, off_t offset, int whence);

/* Continues at an offset of the file, where a record must begin: otherwise limeReaderNextRecord returns LIME_ERR_READ.
 * LIME_SUCCESS; LIME_ERR_PARAM; LIME_ERR_SEEK if the offset is negative or after the end of the file. */
int limeSetReaderPointer(LimeReader *r, off_t offset);

/* Offset of the next record; before the first one, the current position of the stream; -1 after an error. */
off_t limeGetReaderPointer(LimeReader *r);

/* Moves `rdest`, on its own stream, to where `rsrc` is. `rsrc` is a reader or a copy of the bytes of one.
 * LIME_SUCCESS; LIME_ERR_PARAM, also if the bytes are damaged; LIME_ERR_SEEK. */
int limeReaderSetState(LimeReader *rdest, LimeReader *rsrc);

/* 1 if the current record ends its message and its data have been read to their end, otherwise 0; LIME_ERR_PARAM
 * without a record. */
int limeEOM(LimeReader *r);

#ifdef __cplusplus
}
#endif
#endif
