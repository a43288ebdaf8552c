/* scda: files of sections that many processes write and read together (Griesbach and Burstedde, scda: A Minimal,
 * Serial-Equivalent Format for Parallel I/O, 2023, appendix A). The file does not depend on the number of processes,
 * nor on the partition: it is the one that a serial program writes.
 *
 * Communication. The library contains no MPI. A program with MPI includes <mpi.h> before this file (or defines
 * SCDA_MPI): then scda_fopen takes an MPI_Comm, and the program's mpicc compiles the communication into the program.
 * Other programs are serial, with SCDA_COMM_WORLD as communicator; or they pass functions of their own to
 * scda_fopen_comm (linkstream_comm.h).
 *
 * Collective calls. All calls except scda_ferror_string are collective: all ranks of the communicator make them in the
 * same order, with the same arguments, except dbytes and E_i. Each call begins by comparing the ranks: if an argument
 * is wrong on one rank, or if ranks pass different arguments or make different calls, no rank does anything, and all
 * get the same error, which names the argument and both values. There is one limit: a rank that passes no open file
 * (NULL, or one that has been closed) cannot communicate. It gets an error, but the others wait for it. With MPI, this
 * ends when the rank comes to MPI_Finalize: then the job is aborted within seconds, and the waiting ranks say why.
 *
 * Errors. Each call sets *err to 0 or to a code below, the same one on all ranks (except SCDA_ERR_COMM). On an error,
 * the file is closed (see "Files"), the context f is freed, and NULL is returned; linkstream_last_error describes the error
 * on each rank: rule, clause of the paper, offset in the file, message. Check each call: the next one, with f = NULL,
 * is SCDA_ERR_ARGUMENT. Output arguments are changed by successful calls only; but room for data (dbytes, E_i) may be
 * partly filled after an error.
 *
 * Files. What is written becomes an scda file in scda_fclose, when all ranks have brought all bytes to the storage
 * device: until then, the file begins with zeros. So a job that fails or is killed at any time leaves no file that can
 * be read with wrong data. With the option `replace`, the old file of this name is there until then, too.
 *
 * User strings have 0 to 58 bytes, which may be any bytes. The calls of the paper take them as C strings: writing ends
 * at the first zero byte; reading needs room for SCDA_USERSTR_SIZE bytes, and fills the rest of it with zeros. The
 * calls whose names end with _n take any bytes, and their number.
 *
 * Numbers. N, E, N_q, E_i, S_q are uint64_t: N_q and S_q are arrays with a number for each rank, E_i one for each
 * element of the calling rank. All sizes are in bytes. Booleans are int: not 0 is true. `indirect`: dbytes is an array
 * of pointers, one to each element of the rank, instead of the elements one after the other.
 *
 * Threads. A file belongs to one thread at a time; different files can be used by different threads, if the
 * communication allows it. Nothing else is printed, and nothing else ends the program. After fork, both processes can use files
 * that are read; a file that is written belongs to one of them. */
#ifndef LINKSTREAM_SCDA_H
#define LINKSTREAM_SCDA_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "linkstream_comm.h"
#include "linkstream_error.h"

#if defined(MPI_VERSION) || defined(SCDA_MPI)
#include "linkstream_mpi.h"
#define SCDA_HAS_MPI 1
#else
#define SCDA_HAS_MPI 0
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A file that is open: created by scda_fopen, freed by scda_fclose and by every call that fails. */
typedef struct scda_fcontext scda_fcontext;

#define SCDA_USERSTR_MAX 58  /* Most bytes of a user string */
#define SCDA_USERSTR_SIZE 59 /* Room for a user string and a zero byte */
#define SCDA_INLINE_SIZE 32  /* Bytes of data of an inline section */

/* Error codes (A.6). The first digit is the group of the paper. */
enum {
    SCDA_SUCCESS = 0,

    /* 1: corrupt file contents */
    SCDA_ERR_FORMAT = 100,    /* No scda file, or damaged metadata: magic, section type, strings, counts, padding */
    SCDA_ERR_VERSION = 101,   /* A version of the format other than a0 */
    SCDA_ERR_TRUNCATED = 102, /* The file ends inside a section */
    SCDA_ERR_DECODE = 103,    /* A compressed section is damaged, or it breaks the convention of section 3 */
    SCDA_ERR_LIMIT = 104,     /* A count that 64 bits cannot hold, or a section beyond the largest offset */

    /* 2: file system and communication */
    SCDA_ERR_SYSTEM = 200,   /* The system reports another error: linkstream_last_error has its text */
    SCDA_ERR_NO_FILE = 201,  /* No such file or directory (ENOENT, ENOTDIR) */
    SCDA_ERR_ACCESS = 202,   /* No permission (EACCES, EPERM, EROFS) */
    SCDA_ERR_NO_SPACE = 203, /* No space left, quota or largest file size reached (ENOSPC, EDQUOT, EFBIG) */
    SCDA_ERR_BAD_FILE = 204, /* The name is not a regular file, or cannot be a name (EISDIR, ENAMETOOLONG, ELOOP, ...) */
    SCDA_ERR_IO = 205,       /* The device failed (EIO) */
    SCDA_ERR_MEMORY = 206,   /* Not enough memory */
    SCDA_ERR_COMM = 290,     /* The ranks cannot communicate; the only code that ranks may get alone */

    /* 3: semantically invalid arguments or order of calls */
    SCDA_ERR_ARGUMENT = 300,  /* An argument without meaning, or that contradicts the file */
    SCDA_ERR_SEQUENCE = 301,  /* A call that is not possible now: reading functions improperly composed, wrong mode */
    SCDA_ERR_DIFFERENT = 302, /* Ranks passed different arguments, or made different calls */
    SCDA_ERR_DEFECT = 390     /* A defect of this library: please report it */
};

/* --- A.3 Open and close --- */

/* Options of scda_fopen_with. All members 0 are the defaults. */
typedef struct scda_options {
    size_t struct_size; /* sizeof(scda_options) */
    /* NULL, or a function that frees the context of the linkstream_comm. It is called once: when the file is closed, or
     * at the end of a call that fails, scda_fopen_with included (unless the structures comm or options are invalid). If
     * usable is 0, the ranks cannot communicate any more,
     * and the function must not try to. */
    void (*release)(void *context, int usable);
    const char *vendor; /* Writing: the vendor string, at most 20 bytes; NULL: "linkstream" */
    int style;          /* Writing: line breaks, SCDA_UNIX or SCDA_MIME */
    int level;          /* Writing: level of compression, 1 to 9, SCDA_LEVEL_DEFAULT (6) or SCDA_LEVEL_STORE */
    int strict;         /* Reading: if not 0, padding of data other than the Unix or MIME form is an error */
    int replace;        /* Writing: what happens to an old file of this name, SCDA_REPLACE_COMPLETE and so on */
    int keep;           /* Writing: if not 0, what a refused call leaves (see below) is a file */
    int io_engine;      /* SCDA_IO_RANKS and so on */
    uint64_t io_ranks;  /* I/O ranks of each node */
    uint64_t io_buffer; /* Bytes that an I/O rank holds at a time: from 1 MiB to 1 GiB, or the nearest of these */
    uint64_t io_stripe; /* Bytes of a stripe of the file system, at most 1 GiB */
} scda_options;

/* How ranks access the file. Members that are 0 are as an environment variable of rank 0 says, or else have a default. None
 * of them changes a byte of the file.
 *
 * member      variable               default  values of the variable
 * io_engine   LINKSTREAM_IO_ENGINE   ranks    ranks, direct
 * io_ranks    LINKSTREAM_IO_RANKS    4        a number; all ranks of a node that has fewer
 * io_buffer   LINKSTREAM_IO_BUFFER   16M      a number of bytes, perhaps with K, M or G
 * io_stripe   LINKSTREAM_IO_STRIPE   none     the same
 *
 * SCDA_IO_RANKS: the ranks send their bytes to the I/O ranks, which access the file in large requests, each one contiguous
 * part of it. On file systems with several storage targets (Lustre: `lfs getstripe`), pass the size of a stripe: the I/O
 * ranks then take turns, so that they are on all targets at any time, and write whole stripes. SCDA_IO_DIRECT: each rank
 * accesses its own bytes, for a few ranks with long pieces. */
enum { SCDA_IO_AS_SET = 0, SCDA_IO_RANKS = 1, SCDA_IO_DIRECT = 2 };

/* An old file of this name.
 *
 * SCDA_REPLACE_COMPLETE: the new file is called .NAME.part until scda_fclose has succeeded on all ranks, which
 * renames it. An error removes it, and the old file stays as it is. .NAME.part of a job that was killed is taken over
 * by the next one; that of a job that is running is an error (it is locked, by flock). What is not a regular file, and a link
 * to another file system, is written in place.
 *
 * SCDA_REPLACE_AT_ONCE: scda_fopen truncates the old file.
 *
 * SCDA_REPLACE_AS_SET: as the environment variable LINKSTREAM_REPLACE says: `complete`, or `at-once`, which it is also
 * without the variable. So do scda_fopen and scda_fopen_comm, and programs that were compiled before this option existed. */
enum { SCDA_REPLACE_COMPLETE = 0, SCDA_REPLACE_AT_ONCE = 1, SCDA_REPLACE_AS_SET = 2 };

/* With `keep`, a call that is refused before it writes anything (codes from 300 on) closes the file as scda_fclose does:
 * it has the sections that were written before. Without it, or with SCDA_REPLACE_COMPLETE, the file is not one. */

enum { SCDA_UNIX = 0, SCDA_MIME = 1 };
enum { SCDA_LEVEL_STORE = -1, SCDA_LEVEL_DEFAULT = 0, SCDA_LEVEL_9 = 9 };

/* Opens a file for the ranks of a communicator (section A.3.1). `mode` is 'w' (creates a file, or replaces an existing
 * one) or 'r'. `userstr` is the user string of the file: with 'w' it is written; with 'r' it is room for
 * SCDA_USERSTR_SIZE bytes, or NULL. Returns NULL on error. All members of *comm are copied; its context and functions
 * must stay valid until the file is closed. NULL instead of comm: a serial program. */
scda_fcontext *scda_fopen_comm(const linkstream_comm *comm, const char *filename, char mode, char *userstr, int *err);

/* The same for any bytes, and with options (NULL: defaults). `*length` is the number of bytes of the user string: an
 * input with 'w', an output with 'r'. If length is NULL, it is a C string. */
scda_fcontext *scda_fopen_with(const linkstream_comm *comm, const scda_options *options, const char *filename,
                               char mode, void *userstr, size_t *length, int *err);

/* Sets the error of a program that could not create its linkstream_comm, and returns NULL. */
scda_fcontext *scda_fopen_failed(int *err);

/* For layers above this library that find an argument wrong: this rank refuses the call that the other ranks make at the
 * same time. It ends on all ranks with SCDA_ERR_ARGUMENT and this message, as if an argument of this call were wrong.
 * Returns NULL. If f is NULL, the error is set on this rank only. If message is NULL, this rank does not refuse: the
 * ranks agree that none of them does, and f is returned. */
scda_fcontext *scda_frefuse(scda_fcontext *f, const char *message, int *err);

#if SCDA_HAS_MPI

typedef MPI_Comm scda_comm;
#define SCDA_COMM_WORLD MPI_COMM_WORLD
#define SCDA_COMM_SELF MPI_COMM_SELF

/* Frees the duplicate communicator of a file. */
static void scda_mpi_release(void *context, int usable)
{
    linkstream_mpi_release(context, usable);
}

/* Opens a file for the ranks of an MPI communicator, of which the file has a duplicate until it is closed, with options
 * (NULL: defaults) as in scda_fopen_with; their member `release` is not used. */
LINKSTREAM_MAY_BE_UNUSED static scda_fcontext *scda_fopen_mpi(MPI_Comm mpicomm, const scda_options *options,
                                                              const char *filename, char mode, void *userstr,
                                                              size_t *length, int *err)
{
    linkstream_comm comm;
    scda_options own;
    scda_fcontext *f;
    if (linkstream_mpi_create(mpicomm, &comm) != MPI_SUCCESS) return scda_fopen_failed(err);
    memset(&own, 0, sizeof own);
    own.struct_size = sizeof own;
    /* Options of another size are refused by the library on all ranks. It does not free the communicator then. */
    if (options != NULL && options->struct_size != sizeof own) {
        own.struct_size = 0;
        f = scda_fopen_with(&comm, &own, filename, mode, userstr, length, err);
        linkstream_mpi_free(&comm);
        return f;
    }
    if (options != NULL) own = *options;
    own.release = scda_mpi_release;
    return scda_fopen_with(&comm, &own, filename, mode, userstr, length, err);
}

/* Opens a file for the ranks of an MPI communicator (section A.3.1). With mode 'w', the variable LINKSTREAM_REPLACE
 * decides about an old file (SCDA_REPLACE_AS_SET). */
LINKSTREAM_MAY_BE_UNUSED static scda_fcontext *scda_fopen(MPI_Comm mpicomm, const char *filename, char mode,
                                                          char *userstr, int *err)
{
    scda_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.replace = SCDA_REPLACE_AS_SET;
    return scda_fopen_mpi(mpicomm, &options, filename, mode, userstr, NULL, err);
}

#else

/* The communicators of a serial program. They have unusual values, so that an MPI communicator is noticed that a
 * program passes although it has not included <mpi.h> before this file. */
typedef int scda_comm;
#define SCDA_COMM_WORLD ((scda_comm)0x5cda0001)
#define SCDA_COMM_SELF ((scda_comm)0x5cda0002)

/* Opens a file in a serial program (section A.3.1). The communicator is SCDA_COMM_WORLD or SCDA_COMM_SELF. With mode 'w',
 * the variable LINKSTREAM_REPLACE decides about an old file (SCDA_REPLACE_AS_SET). */
scda_fcontext *scda_fopen(scda_comm mpicomm, const char *filename, char mode, char *userstr, int *err);

#endif

/* Closes a file and frees its context, whatever happens (section A.3.2). Returns 0 if and only if all is well: the
 * bytes that were written are on the storage device. SCDA_ERR_SEQUENCE if the data of the last section header have
 * been neither read nor skipped. */
int scda_fclose(scda_fcontext *f, int *err);

/* --- A.4 Writing ---
 * All return f, or NULL on error. dbytes may be NULL if it has no bytes. */

/* Writes an inline section (A.4.1): 32 bytes of rank root. dbytes is ignored on other ranks. */
scda_fcontext *scda_fwrite_inline(scda_fcontext *f, const void *dbytes, const char *userstr, int root, int *err);

/* Writes a block (A.4.2): E bytes of rank root. With encode, they are compressed (section 3). */
scda_fcontext *scda_fwrite_block(scda_fcontext *f, const void *dbytes, uint64_t E, const char *userstr, int root,
                                 int encode, int *err);

/* Writes an array (A.4.3): this rank p has N_q[p] elements of E bytes each. With encode, each is compressed by itself,
 * which makes elements of less than about 1,000 bytes hardly shorter: group small ones. */
scda_fcontext *scda_fwrite_array(scda_fcontext *f, const void *dbytes, const uint64_t *N_q, uint64_t E, int indirect,
                                 const char *userstr, int encode, int *err);

/* Writes an array of elements of different sizes (A.4.4): this rank p has N_q[p] elements of E_i[0], E_i[1], ... bytes,
 * S_q[p] bytes together. E_i may be NULL on a rank without elements. */
scda_fcontext *scda_fwrite_varray(scda_fcontext *f, const void *dbytes, const uint64_t *N_q, const uint64_t *E_i,
                                  const uint64_t *S_q, int indirect, const char *userstr, int encode, int *err);

/* The same calls for user strings of any bytes. */
scda_fcontext *scda_fwrite_inline_n(scda_fcontext *f, const void *dbytes, const void *userstr, size_t length, int root,
                                    int *err);
scda_fcontext *scda_fwrite_block_n(scda_fcontext *f, const void *dbytes, uint64_t E, const void *userstr, size_t length,
                                   int root, int encode, int *err);
scda_fcontext *scda_fwrite_array_n(scda_fcontext *f, const void *dbytes, const uint64_t *N_q, uint64_t E, int indirect,
                                   const void *userstr, size_t length, int encode, int *err);
scda_fcontext *scda_fwrite_varray_n(scda_fcontext *f, const void *dbytes, const uint64_t *N_q, const uint64_t *E_i,
                                    const uint64_t *S_q, int indirect, const void *userstr, size_t length, int encode,
                                    int *err);

/* --- A.5 Reading ---
 * All return f, or NULL on error. After each section header, its data are read, or skipped, before the next header. */

/* Reads the header of the next section (A.5.1). *type is 'I', 'B', 'A' or 'V'; *N is the number of elements of an array
 * (A, V), otherwise 0; *E is the size of each element (A) or of the block (B), otherwise 0. userstr is room for
 * SCDA_USERSTR_SIZE bytes, or NULL. With *decode, a compressed section is one section with its sizes before
 * compression, and its data are decompressed; *decode becomes 0 if the section is not compressed (Table 2).
 *
 * At the end of the file, after a complete section, *type becomes 0; N, E and *decode become 0, the user string empty.
 * This is no error, and f is still open. Read until then to check all of the file: the padding of a section is checked
 * by the next header. */
scda_fcontext *scda_fread_section_header(scda_fcontext *f, char *type, uint64_t *N, uint64_t *E, char *userstr,
                                         int *decode, int *err);

/* The same; *length becomes the number of bytes of the user string. */
scda_fcontext *scda_fread_section_header_n(scda_fcontext *f, char *type, uint64_t *N, uint64_t *E, void *userstr,
                                           size_t *length, int *decode, int *err);

/* Reads the 32 bytes of an inline section on rank root (A.5.2). NULL on root skips them. */
scda_fcontext *scda_fread_inline_data(scda_fcontext *f, void *dbytes, int root, int *err);

/* Reads the N bytes of a block on rank root (A.5.3); N is the E of the section header. NULL on root skips them. */
scda_fcontext *scda_fread_block_data(scda_fcontext *f, void *dbytes, uint64_t N, int root, int *err);

/* Reads N_q[p] elements of E bytes each on this rank p (A.5.4). NULL skips the data on this rank. Indirect room of
 * different elements must not overlap. */
scda_fcontext *scda_fread_array_data(scda_fcontext *f, void *dbytes, const uint64_t *N_q, uint64_t E, int indirect,
                                     int *err);

/* Reads the sizes of N_q[p] elements on this rank p (A.5.5). NULL skips them on this rank. May be repeated, with
 * another partition. */
scda_fcontext *scda_fread_varray_sizes(scda_fcontext *f, uint64_t *E_i, const uint64_t *N_q, int *err);

/* Reads the N_q[p] elements of this rank p (A.5.6), after their sizes, with the same partition. NULL skips the data on
 * this rank, and E_i and S_q are ignored then. S_q may be NULL: the library does not need it. (The paper lists this
 * argument, but its line with the call lacks it.) */
scda_fcontext *scda_fread_varray_data(scda_fcontext *f, void *dbytes, const uint64_t *N_q, const uint64_t *E_i,
                                      const uint64_t *S_q, int indirect, int *err);

/* Skips the data of the section, of any type, on all ranks: no call of the paper, but shorter than it. */
scda_fcontext *scda_fskip(scda_fcontext *f, int *err);

/* --- A.6 Errors --- */

/* A text for an error code (A.6.1); not collective. *length is the size of errorstr in bytes, and becomes the length of
 * the text without its zero byte. A text that is too long for errorstr is cut. Returns 0, or a negative number if there
 * is no such code, or no room for a text; then *length becomes 0 if it is not NULL. */
int scda_ferror_string(int err, char *errorstr, int *length);

#ifdef __cplusplus
}
#endif
#endif
