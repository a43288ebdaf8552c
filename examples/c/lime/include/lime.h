/* LIME 1.2: records and messages in streams of the C library.
 *
 * A program that was written for the reference implementation compiles and links with this library unchanged. What it
 * can rely on beyond that:
 *
 * - Every record is checked while it is read. A file that ends inside a record is LIME_ERR_READ, never the end of the
 *   file; so is a header without the magic number, or of an unknown version.
 * - Each code other than LIME_SUCCESS, LIME_EOF and LIME_EOR has a description: linkstream_last_error.
 * - Null pointers, destroyed handles of which the memory still exists, and calls at a wrong time are LIME_ERR_PARAM.
 * - Nothing is printed, and nothing ends the program.
 *
 * A handle belongs to one thread at a time; different handles can be used by different threads at the same time. The
 * stream must not be used by others during a call. Between two calls it may be moved: the library goes back to where
 * it was.
 */
#ifndef LINKSTREAM_LIME_H
#define LINKSTREAM_LIME_H

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint16_t n_uint16_t;
typedef uint32_t n_uint32_t;
typedef uint64_t n_uint64_t;

/* Return codes. */
#define LIME_SUCCESS 0
#define LIME_ERR_LAST_NOT_WRITTEN (-1) /* bytes of the last record have not been written */
#define LIME_ERR_PARAM (-2)            /* a wrong argument, or a call at a wrong time */
#define LIME_ERR_HEADER_NEXT (-3)      /* the record has begun: a header cannot be written here */
#define LIME_LAST_REC_WRITTEN (-4)     /* not returned by this library */
#define LIME_ERR_WRITE (-5)            /* the system refuses to write */
#define LIME_EOR (-6)                  /* the end of the record */
#define LIME_EOF (-7)                  /* the end of the file, after a complete record */
#define LIME_ERR_READ (-8)             /* the file is truncated or no LIME file, or the system refuses to read */
#define LIME_ERR_SEEK (-9)             /* the stream cannot move to a position */
#define LIME_ERR_MBME (-10)            /* the flags of the header do not fit the message */
#define LIME_ERR_CLOSE (-11)           /* the file cannot be completed */

#define LIME_MAGIC_NO 1164413355
#define LIME_VERSION 1
#define LIME_MAX_BUFSIZE 2147483647

/* Size of the saved states below, in bytes. */
#define LIME_READER_STATE 288
#define LIME_WRITER_STATE 704

/* The members belong to the library. The structures are complete, so that one process can send the bytes of its handle
 * to another one, which passes them to limeReaderSetState or limeWriterSetState. */
typedef struct LimeReader {
    uint32_t mark;
    int32_t has_record;
    FILE *stream;
    char type[136];
    unsigned char state[LIME_READER_STATE];
} LimeReader;

typedef struct LimeWriter {
    uint32_t mark;
    int32_t is_shared;
    FILE *stream;
    unsigned char state[LIME_WRITER_STATE];
} LimeWriter;

typedef struct LimeRecordHeader {
    uint32_t mark;
    int32_t unused;
    unsigned char bytes[144];
} LimeRecordHeader;

/* Description of the last error of this thread. Empty texts if there has been none. Valid until the next call of this
 * thread fails. */
typedef struct linkstream_error {
    const char *rule;    /* name of the broken rule, or "" */
    const char *clause;  /* clause of the specification, or "" */
    const char *message; /* a sentence */
    uint64_t offset;     /* absolute offset in the file, if has_offset is 1 */
    int has_offset;
} linkstream_error;
const linkstream_error *linkstream_last_error(void);

/* --- Reading --- */

/* A reader from the current position of the stream on. Null if the stream is null. */
LimeReader *limeCreateReader(FILE *fp);
void limeDestroyReader(LimeReader *r);

/* Goes to the next record and reads its header. LIME_SUCCESS, LIME_EOF, LIME_ERR_PARAM, LIME_ERR_READ, LIME_ERR_SEEK. */
int limeReaderNextRecord(LimeReader *r);

/* Flags (0 or 1), type, size of the data, and size of the padding of the current record. The type is valid until the
 * next record is read. -1, a null pointer, and the largest numbers without a record. */
int limeReaderMBFlag(LimeReader *r);
int limeReaderMEFlag(LimeReader *r);
char *limeReaderType(LimeReader *r);
n_uint64_t limeReaderBytes(LimeReader *r);
size_t limeReaderPadBytes(LimeReader *r);

/* Reads the next *nbytes of data, or fewer at the end of the record, and sets *nbytes to their number. LIME_SUCCESS;
 * LIME_EOR if there are no more; LIME_ERR_PARAM, LIME_ERR_READ, LIME_ERR_SEEK. */
int limeReaderReadData(void *dest, n_uint64_t *nbytes, LimeReader *r);

/* Goes to the end of the record, and checks that it is there. */
int limeReaderCloseRecord(LimeReader *r);

/* Moves in the data of the record: SEEK_SET, SEEK_CUR or SEEK_END. Positions outside become the first or the last. */
int limeReaderSeek(LimeReader *r, off_t offset, int whence);

/* Continues at an offset of the file, where a record must begin; the offset of the next record. */
int limeSetReaderPointer(LimeReader *r, off_t offset);
off_t limeGetReaderPointer(LimeReader *r);

/* Takes over the state of another reader, for the stream of `rdest`. */
int limeReaderSetState(LimeReader *rdest, LimeReader *rsrc);

/* 1 if the data of the last record of a message have been read to their end, otherwise 0. */
int limeEOM(LimeReader *r);

/* --- Writing --- */

/* A writer from the current position of the stream on, or from the end of a file that was opened for appending. */
LimeWriter *limeCreateWriter(FILE *fp);

/* Completes the file and frees the writer. If the last record does not end its message, an empty record without type
 * and flags is written (section 3 of the document). The stream is flushed, not closed. LIME_SUCCESS, LIME_ERR_CLOSE. */
int limeDestroyWriter(LimeWriter *w);

/* A header. The type has at most 128 bytes. Null if it has more or is null, or if the data would end beyond 2^64. */
LimeRecordHeader *limeCreateHeader(int MB_flag, int ME_flag, char *type, n_uint64_t reclen);
void limeDestroyHeader(LimeRecordHeader *h);

/* Begins a record; the last one must be complete. LIME_SUCCESS, LIME_ERR_PARAM, LIME_ERR_HEADER_NEXT, LIME_ERR_MBME,
 * LIME_ERR_WRITE. */
int limeWriteRecordHeader(LimeRecordHeader *h, LimeWriter *w);

/* Writes data, and sets *nbytes to the number of bytes that were written. More than the record has room for is
 * LIME_ERR_PARAM: the bytes that fit are written. */
int limeWriteRecordData(void *source, n_uint64_t *nbytes, LimeWriter *w);

/* Ends the record with its padding. LIME_ERR_LAST_NOT_WRITTEN if bytes are missing. After limeWriterSetState, other
 * processes may have written them, and it is not checked. */
int limeWriterCloseRecord(LimeWriter *w);

/* Moves in the data of the record, as limeReaderSeek does. */
int limeWriterSeek(LimeWriter *w, off_t offset, int whence);

/* Takes over the state of another writer, for the stream of `wdest`. */
int limeWriterSetState(LimeWriter *wdest, LimeWriter *wsrc);

#ifdef __cplusplus
}
#endif
#endif
