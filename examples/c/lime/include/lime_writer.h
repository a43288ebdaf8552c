/* Writing records. */
#ifndef LINKSTREAM_LIME_WRITER_H
#define LINKSTREAM_LIME_WRITER_H

#include <stdio.h>
#include <sys/types.h>

#include "lime_defs.h"
#include "lime_fixed_types.h"
#include "lime_header.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A writer. The members may be read, not written: they show where the writer was after the last call. One process can
 * send the bytes of the structure to another one, which passes them to limeWriterSetState. */
typedef struct LimeWriter {
    int first_record;                 /* MB flag of the last record; 1 before the first one */
    int last_written;                 /* 1 if the last record ended its message and has been closed */
    FILE *fp;                         /* The stream */
    int header_nextP;                 /* 1 if a header can be written, 0 if data are missing */
    n_uint64_t bytes_total;           /* Length of the data */
    n_uint64_t bytes_left;            /* Bytes from the current position to the end of the data */
    n_uint64_t rec_ptr;               /* Position in the data */
    n_uint64_t rec_start;             /* Offset of the data in the file */
    size_t bytes_pad;                 /* Length of the padding */
    int isLastP;                      /* ME flag of the last record */
    unsigned char state[LIME_STATE];  /* State, with a checksum */
} LimeWriter;

/* A writer. Its first header is written where the stream is then, or to the end of a file that was opened for
 * appending. NULL if the stream is NULL. */
LimeWriter *limeCreateWriter(FILE *fp);

/* Frees a writer. The stream is neither closed nor, in general, used: complete records have been flushed before. Like
 * the reference implementation, and unlike the document, the call writes no empty record after a message that is open.
 * LIME_SUCCESS; LIME_ERR_PARAM; LIME_ERR_CLOSE if data of a record are missing, or if the system refused to write. */
int limeDestroyWriter(LimeWriter *w);

/* Begins a record. The data of the last one must be complete, or it must have been closed. A record has the MB flag if
 * and only if it is the first one of the file or the last one had the ME flag; for the first record of a writer that
 * continues a file this is unknown.
 * LIME_SUCCESS, LIME_ERR_PARAM, LIME_ERR_HEADER_NEXT, LIME_ERR_MBME, LIME_ERR_WRITE, LIME_ERR_SEEK. */
int limeWriteRecordHeader(LimeRecordHeader *h, LimeWriter *w);

/* Writes the next *nbytes bytes of the data, and sets *nbytes to the number of bytes that were written. If the record
 * has no room for all, those that fit are written, and the code is LIME_ERR_PARAM. The padding follows the last byte of
 * the data at once. A record is complete when each of its bytes has been written, in any order: then the stream is
 * flushed, and is at the end of the record.
 * LIME_SUCCESS, LIME_ERR_PARAM, LIME_ERR_WRITE, LIME_ERR_SEEK. */
int limeWriteRecordData(void *source, n_uint64_t *nbytes, LimeWriter *w);

/* Ends the record; a complete record ends without this call. Bytes that this writer has not written must be in the
 * file: others can have written them, like other processes. If limeWriterSeek or limeWriterSetState was used in this
 * record, they can come later: the end of the writer that began the record looks for them. Nobody can know which bytes
 * of a file are meant: a gap before the end of the file is not noticed then. Can be repeated.
 * LIME_SUCCESS; LIME_ERR_LAST_NOT_WRITTEN if bytes are missing (the record stays open); LIME_ERR_PARAM before the first
 * record; LIME_ERR_WRITE; LIME_ERR_SEEK. */
int limeWriterCloseRecord(LimeWriter *w);

/* Moves in the data of the record, as limeReaderSeek does. LIME_ERR_SEEK also if the stream was opened for appending:
 * it writes to its end only. */
int limeWriterSeek(LimeWriter *w, off_t offset, int whence);

/* Moves `wdest`, on its own stream of the same file, to where `wsrc` is. `wsrc` is a writer or a copy of the bytes of
 * one. Then both can write parts of the same record.
 * LIME_SUCCESS; LIME_ERR_PARAM, also if the bytes are damaged; LIME_ERR_LAST_NOT_WRITTEN if `wdest` has another record
 * whose data are missing; LIME_ERR_SEEK. */
int limeWriterSetState(LimeWriter *wdest, LimeWriter *wsrc);

#ifdef __cplusplus
}
#endif
#endif
