/* libsc's interface to scda files, over libscda: programs that were written for sc_scda.h of libsc compile unchanged.
 *
 * This is a header of static functions, not a library: MPI_Comm, MPI_Info and error codes of MPI are part of the
 * interface, so each MPI library would need a build of its own, and a program that also links libsc would have two
 * functions of each name. A program includes this header, which its own compiler compiles, and links libscda:
 *
 *     mpicc program.c $(pkg-config --cflags --libs sc_scda)
 *
 * The header is in a directory of its own, because libsc can be installed under the same prefix. If libsc's headers are
 * found, sc_array_t and everything else is libsc's own; otherwise sc_scda_base.h has what is necessary.
 *
 * Here also V sections and compression (`encode`, `decode`) work, which libsc declares but does not have, files with
 * line breaks or padding of others are read, and sections have any number of bytes. What differs otherwise:
 *
 *   - `info` of the parameters has no effect: MPI-IO is not used. Nothing is printed, so `log_level` has none either:
 *     linkstream_last_error describes the last error (rule, clause, offset, message).
 *   - A file that is being written begins with zeros until sc_scda_fclose has succeeded. As in libsc, a call that is
 *     refused because of its arguments leaves a file of the sections before it; an error of the system leaves none.
 *     With LINKSTREAM_REPLACE=complete in the environment, each error leaves the old file as it was (see scda.h).
 *   - Arguments that libsc checks by assertions, or not at all, are errors with a code on all ranks: handles whose
 *     sizes do not fit, NULL, arguments that differ between ranks. Only a rank without an open file gets its error
 *     alone (see scda.h).
 *   - A user string of 58 bytes is allowed as a C string, too.
 *   - `decode` of rank 0 counts: libsc ignores it, and programs leave it undefined.
 *
 * At the end of the file, sc_scda_fread_section_header closes it and returns NULL with SC_SCDA_FERR_COUNT, as libsc
 * does. A file that ends inside a section has the same code; only its last error has a rule. */
#ifndef SC_SCDA_H
#define SC_SCDA_H

#include "sc_scda_base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SC_SCDA_HEADER_BYTES 128
#define SC_SCDA_USER_STRING_BYTES 58 /* Most bytes; room for a user string has one more */
#define SC_SCDA_INLINE_FIELD 32

/* An open file. */
typedef struct sc_scda_fcontext {
    scda_fcontext *file;
    linkstream_comm comm; /* Without functions in a serial program */
    int rank;
    int size;
    unsigned fuzzy_everyn;
    uint64_t fuzzy_state;
} sc_scda_fcontext_t;

typedef uint64_t sc_scda_ulong;

typedef enum sc_scda_ret {
    SC_SCDA_FERR_SUCCESS = 0,
    SC_SCDA_FERR_FORMAT = 15000, /* No scda file, or damaged metadata */
    SC_SCDA_FERR_USAGE,          /* A call that is not possible now */
    SC_SCDA_FERR_DECODE,         /* A compressed section is damaged */
    SC_SCDA_FERR_ARG,            /* An argument is invalid, contradicts the file, or differs between ranks */
    SC_SCDA_FERR_COUNT,          /* The file ends */
    SC_SCDA_FERR_MPI,            /* The file system or MPI: mpiret has the error class */
    SC_SCDA_FERR_LASTCODE        /* Free for other errors of programs */
} sc_scda_ret_t;

/* mpiret is 0 unless scdaret is SC_SCDA_FERR_MPI. */
typedef struct sc_scda_ferror {
    int mpiret;
    sc_scda_ret_t scdaret;
} sc_scda_ferror_t;

/* Parameters of opening a file. NULL: no errors on purpose. With fuzzy_everyn, each call fails with a probability of
 * 1 / fuzzy_everyn, on all ranks in the same way, so that programs can test their handling of errors. */
typedef struct sc_scda_params {
    sc_MPI_Info info;
    unsigned fuzzy_everyn;
    sc_rand_state_t fuzzy_seed;
    int log_level;
} sc_scda_params_t;

/* The name in earlier versions of libsc. */
typedef sc_scda_params_t sc_scda_fopen_options_t;

/* --- Errors --- */

/* Sets an error. The code of libscda becomes a code of libsc. */
SC_SCDA_CALL void sc_scda_set_error(sc_scda_ferror_t *errcode, int code)
{
    int mpiret = sc_MPI_SUCCESS;
    sc_scda_ret_t scdaret = SC_SCDA_FERR_MPI;
    switch (code) {
    case SCDA_SUCCESS: scdaret = SC_SCDA_FERR_SUCCESS; break;
    case SCDA_ERR_FORMAT:
    case SCDA_ERR_VERSION:
    case SCDA_ERR_LIMIT: scdaret = SC_SCDA_FERR_FORMAT; break;
    case SCDA_ERR_TRUNCATED: scdaret = SC_SCDA_FERR_COUNT; break;
    case SCDA_ERR_DECODE: scdaret = SC_SCDA_FERR_DECODE; break;
    case SCDA_ERR_ARGUMENT:
    case SCDA_ERR_DIFFERENT: scdaret = SC_SCDA_FERR_ARG; break;
    case SCDA_ERR_SEQUENCE: scdaret = SC_SCDA_FERR_USAGE; break;
    case SCDA_ERR_NO_FILE: mpiret = sc_MPI_ERR_NO_SUCH_FILE; break;
    case SCDA_ERR_ACCESS: mpiret = sc_MPI_ERR_ACCESS; break;
    case SCDA_ERR_NO_SPACE: mpiret = sc_MPI_ERR_NO_SPACE; break;
    case SCDA_ERR_BAD_FILE: mpiret = sc_MPI_ERR_BAD_FILE; break;
    case SCDA_ERR_MEMORY: mpiret = sc_MPI_ERR_NO_MEM; break;
    case SCDA_ERR_SYSTEM:
    case SCDA_ERR_IO: mpiret = sc_MPI_ERR_IO; break;
    default: mpiret = sc_MPI_ERR_OTHER;
    }
    if (errcode == NULL) return;
    errcode->mpiret = mpiret;
    errcode->scdaret = scdaret;
}

/* True if the two members of an error do not contradict each other. */
SC_SCDA_CALL int sc_scda_is_error(sc_scda_ferror_t errcode)
{
    int scdaret = (int)errcode.scdaret;
    if (scdaret == SC_SCDA_FERR_MPI) return errcode.mpiret != sc_MPI_SUCCESS;
    if (errcode.mpiret != sc_MPI_SUCCESS) return 0;
    return scdaret == SC_SCDA_FERR_SUCCESS || (scdaret >= SC_SCDA_FERR_FORMAT && scdaret < SC_SCDA_FERR_MPI);
}

/* True if the call has succeeded. */
SC_SCDA_CALL int sc_scda_ferror_is_success(sc_scda_ferror_t errorcode)
{
    return errorcode.scdaret == SC_SCDA_FERR_SUCCESS && errorcode.mpiret == sc_MPI_SUCCESS;
}

/* Sets the class of an error. Returns 0, or SC_SCDA_FERR_ARG. */
SC_SCDA_CALL int sc_scda_ferror_class(sc_scda_ferror_t errcode, sc_scda_ferror_t *errclass)
{
    if (errclass == NULL || !sc_scda_is_error(errcode)) return SC_SCDA_FERR_ARG;
    *errclass = errcode;
    return errcode.scdaret == SC_SCDA_FERR_MPI ? sc_MPI_Error_class(errcode.mpiret, &errclass->mpiret) : 0;
}

/* A text for an error. str is room for sc_MPI_MAX_ERROR_STRING bytes. Returns 0, or SC_SCDA_FERR_ARG. */
SC_SCDA_CALL int sc_scda_ferror_string(sc_scda_ferror_t errcode, char *str, int *len)
{
    int code;
    if (str == NULL || len == NULL || !sc_scda_is_error(errcode)) return SC_SCDA_FERR_ARG;
    if (errcode.scdaret == SC_SCDA_FERR_MPI) return sc_MPI_Error_string(errcode.mpiret, str, len);
    code = errcode.scdaret == SC_SCDA_FERR_FORMAT  ? SCDA_ERR_FORMAT
           : errcode.scdaret == SC_SCDA_FERR_USAGE  ? SCDA_ERR_SEQUENCE
           : errcode.scdaret == SC_SCDA_FERR_DECODE ? SCDA_ERR_DECODE
           : errcode.scdaret == SC_SCDA_FERR_ARG    ? SCDA_ERR_ARGUMENT
           : errcode.scdaret == SC_SCDA_FERR_COUNT  ? SCDA_ERR_TRUNCATED
                                                    : SCDA_SUCCESS;
    *len = sc_MPI_MAX_ERROR_STRING;
    return scda_ferror_string(code, str, len) == 0 ? 0 : SC_SCDA_FERR_ARG;
}

/* Ends a call: the context, which is freed after an error. */
SC_SCDA_CALL sc_scda_fcontext_t *sc_scda_end(sc_scda_fcontext_t *fc, int code, sc_scda_ferror_t *errcode)
{
    sc_scda_set_error(errcode, code);
    if (code == SCDA_SUCCESS) return fc;
    free(fc);
    return NULL;
}

/* Ends a call with an error of this rank, which ends it on all ranks. */
SC_SCDA_CALL sc_scda_fcontext_t *sc_scda_refuse(sc_scda_fcontext_t *fc, const char *message, sc_scda_ferror_t *errcode)
{
    int code = SCDA_SUCCESS;
    scda_frefuse(fc == NULL ? NULL : fc->file, message, &code);
    return sc_scda_end(fc, code, errcode);
}

/* The next random number (splitmix64). */
SC_SCDA_CALL uint64_t sc_scda_random(uint64_t *state)
{
    uint64_t number = *state += UINT64_C(0x9e3779b97f4a7c15);
    number = (number ^ (number >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ (number >> 27)) * UINT64_C(0x94d049bb133111eb);
    return number ^ (number >> 31);
}

/* True if this call is to fail on purpose: then the error is set, and the file is closed. */
SC_SCDA_CALL int sc_scda_is_fuzzy(sc_scda_fcontext_t *fc, sc_scda_ferror_t *errcode)
{
    static const int codes[] = {SCDA_ERR_FORMAT,   SCDA_ERR_SEQUENCE,  SCDA_ERR_DECODE, SCDA_ERR_ARGUMENT,
                                SCDA_ERR_TRUNCATED, SCDA_ERR_NO_SPACE, SCDA_ERR_IO};
    int code;
    if (fc->fuzzy_everyn == 0 || sc_scda_random(&fc->fuzzy_state) % fc->fuzzy_everyn != 0) return 0;
    code = codes[sc_scda_random(&fc->fuzzy_state) % (sizeof codes / sizeof codes[0])];
    sc_scda_refuse(fc, "an error on purpose: fuzzy_everyn is set", NULL);
    sc_scda_set_error(errcode, code);
    return 1;
}

/* Begins a call on a file. True if it is to go on; otherwise the error is set. */
SC_SCDA_CALL int sc_scda_begin(sc_scda_fcontext_t *fc, sc_scda_ferror_t *errcode)
{
    if (fc == NULL || errcode == NULL) {
        sc_scda_refuse(fc, fc == NULL ? "fc is a null pointer" : "errcode is a null pointer", errcode);
        return 0;
    }
    return !sc_scda_is_fuzzy(fc, errcode);
}

/* --- Arguments --- */

/* The length of a user string that is written. */
SC_SCDA_CALL size_t sc_scda_length(const char *user_string, const size_t *len)
{
    return len != NULL ? *len : user_string != NULL ? strlen(user_string) : 0;
}

/* A number for each rank, or NULL if the handle does not fit. */
SC_SCDA_CALL const uint64_t *sc_scda_table(const sc_scda_fcontext_t *fc, const sc_array_t *table)
{
    int fits = table != NULL && table->elem_size == sizeof(sc_scda_ulong) && table->elem_count == (size_t)fc->size;
    return fits ? (const uint64_t *)(const void *)table->array : NULL;
}

/* Elements of a rank for libscda, from the handles of libsc. */
typedef struct sc_scda_elements {
    void *dbytes;        /* The elements, or pointers to them; NULL if there are none */
    void **pointers;     /* To be freed */
    const char *problem; /* NULL if the handles fit */
    int code;
} sc_scda_elements;

/* `count` elements of `size` bytes each, or of sizes[0], sizes[1], ... bytes if `sizes` is not NULL; `bytes` is their
 * sum. Elements of 0 bytes need no memory, and libsc's handles cannot describe them. */
SC_SCDA_CALL sc_scda_elements sc_scda_elements_of(const sc_array_t *data, uint64_t count, uint64_t size,
                                                  const uint64_t *sizes, uint64_t bytes, int indirect)
{
    sc_scda_elements found = {NULL, NULL, NULL, SCDA_SUCCESS};
    uint64_t i;
    if (data == NULL) {
        if (bytes > 0) found.problem = "array_data is a null pointer";
        return found;
    }
    if (!indirect) {
        int fits = sizes == NULL ? data->elem_count == count && (data->elem_size == size || bytes == 0)
                                 : (uint64_t)data->elem_size * data->elem_count == bytes || bytes == 0;
        if (!fits) found.problem = "array_data has another number or size of elements";
        found.dbytes = bytes == 0 ? NULL : data->array;
        return found;
    }
    if (data->elem_count != count || (count > 0 && data->elem_size != sizeof(sc_array_t))) {
        found.problem = "array_data must have an sc_array_t for each element";
        return found;
    }
    if (count == 0) return found;
    found.pointers = (void **)calloc((size_t)count, sizeof *found.pointers);
    if (found.pointers == NULL) {
        found.problem = "there is not enough memory for the pointers to the elements";
        found.code = SCDA_ERR_MEMORY;
        return found;
    }
    for (i = 0; i < count; i++) {
        const sc_array_t *element = (const sc_array_t *)(const void *)data->array + i;
        uint64_t its_size = sizes == NULL ? size : sizes[i];
        if (its_size > 0 && (element->elem_count != 1 || element->elem_size != its_size))
            found.problem = "an element of array_data has another size";
        /* Any address for an element without bytes. */
        found.pointers[i] = its_size > 0 ? element->array : (char *)data->array;
    }
    found.dbytes = found.pointers;
    return found;
}

/* `count` numbers, or NULL if the handle does not fit. */
SC_SCDA_CALL uint64_t *sc_scda_sizes(const sc_array_t *sizes, uint64_t count)
{
    int fits = sizes != NULL && sizes->elem_size == sizeof(sc_scda_ulong) && sizes->elem_count == count;
    return fits ? (uint64_t *)(void *)sizes->array : NULL;
}

/* --- Opening and closing --- */

#ifdef SC_ENABLE_MPI
/* Collective: true if the ranks have different fuzzy parameters, or cannot communicate. */
SC_SCDA_CALL int sc_scda_differ(const linkstream_comm *comm, unsigned everyn, uint64_t seed)
{
    const uint64_t most = UINT64_C(0xffffffff);
    uint64_t each[3], largest[6];
    int i, differ = 0;
    each[0] = everyn & most, each[1] = seed & most, each[2] = seed >> 32;
    for (i = 0; i < 3; i++) largest[2 * i] = each[i], largest[2 * i + 1] = most - each[i];
    if (comm->combine(comm->context, LINKSTREAM_MAX, largest, 6) != 0) return 1;
    for (i = 0; i < 3; i++) differ |= largest[2 * i] != most - largest[2 * i + 1];
    return differ;
}

SC_SCDA_CALL void sc_scda_release(void *context, int usable)
{
    linkstream_mpi_release(context, usable);
}
#endif

SC_SCDA_CALL sc_scda_fcontext_t *sc_scda_open(sc_MPI_Comm mpicomm, const char *filename, char mode, char *user_string,
                                              size_t *len, const sc_scda_params_t *params, sc_scda_ferror_t *errcode)
{
    sc_scda_fcontext_t *fc = (sc_scda_fcontext_t *)calloc(1, sizeof *fc);
    scda_options options;
    const linkstream_comm *comm = NULL;
    size_t length = mode == 'w' ? sc_scda_length(user_string, len) : 0;
    int code = SCDA_SUCCESS;
    if (fc == NULL) {
        sc_scda_refuse(NULL, "there is not enough memory for a file", errcode);
        sc_scda_set_error(errcode, SCDA_ERR_MEMORY);
        return NULL;
    }
    fc->size = 1;
    fc->fuzzy_everyn = params == NULL ? 0 : params->fuzzy_everyn;
    fc->fuzzy_state = params == NULL || params->fuzzy_everyn == 0 ? 0 : (uint64_t)params->fuzzy_seed;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    /* The bytes of the file are libsc's, so its vendor string is, too. */
    options.vendor = "libsc";
    options.replace = SCDA_REPLACE_AS_SET;
    options.keep = 1;
#ifdef SC_ENABLE_MPI
    if (linkstream_mpi_create(mpicomm, &fc->comm) != MPI_SUCCESS) {
        scda_fopen_failed(&code);
        return sc_scda_end(fc, code, errcode);
    }
    if (sc_scda_differ(&fc->comm, fc->fuzzy_everyn, fc->fuzzy_state)) {
        linkstream_mpi_free(&fc->comm);
        free(fc);
        return sc_scda_refuse(NULL, "ranks passed different fuzzy_everyn or fuzzy_seed", errcode);
    }
    fc->rank = fc->comm.rank;
    fc->size = fc->comm.size;
    options.release = sc_scda_release;
    comm = &fc->comm;
#else
    if (mpicomm == sc_MPI_COMM_NULL) {
        free(fc);
        return sc_scda_refuse(NULL, "mpicomm is sc_MPI_COMM_NULL", errcode);
    }
#endif
    /* Only the rank without errcode would not notice its error, so libscda refuses this on all ranks. */
    fc->file = scda_fopen_with(comm, &options, filename, mode, user_string, mode == 'w' && user_string == NULL ? NULL
                               : &length, errcode == NULL ? NULL : &code);
    if (fc->file == NULL) {
        sc_scda_set_error(errcode, code);
        free(fc);
        return NULL;
    }
    if (mode == 'r' && len != NULL) *len = length;
    return sc_scda_is_fuzzy(fc, errcode) ? NULL : sc_scda_end(fc, code, errcode);
}

/* Creates a file, or replaces an existing one. With len, user_string has *len bytes; without, it is a C string. */
SC_SCDA_CALL sc_scda_fcontext_t *sc_scda_fopen_write(sc_MPI_Comm mpicomm, const char *filename,
                                                     const char *user_string, size_t *len, sc_scda_params_t *params,
                                                     sc_scda_ferror_t *errcode)
{
    return sc_scda_open(mpicomm, filename, 'w', (char *)user_string, len, params, errcode);
}

/* Opens a file for reading. user_string is room for SC_SCDA_USER_STRING_BYTES + 1 bytes. */
SC_SCDA_CALL sc_scda_fcontext_t *sc_scda_fopen_read(sc_MPI_Comm mpicomm, const char *filename, char *user_string,
                                                    size_t *len, sc_scda_params_t *params, sc_scda_ferror_t *errcode)
{
    return sc_scda_open(mpicomm, filename, 'r', user_string, len, params, errcode);
}

/* Closes a file, and frees its context, also after an error. Returns 0 or -1. */
SC_SCDA_CALL int sc_scda_fclose(sc_scda_fcontext_t *fc, sc_scda_ferror_t *errcode)
{
    int code = SCDA_SUCCESS;
    if (!sc_scda_begin(fc, errcode)) return -1;
    scda_fclose(fc->file, &code);
    free(fc);
    sc_scda_set_error(errcode, code);
    return code == SCDA_SUCCESS ? 0 : -1;
}

/* --- Writing --- */

/* Writes an inline section: 32 bytes of rank root, an array of one element. */
SC_SCDA_CALL sc_scda_fcontext_t *sc_scda_fwrite_inline(sc_scda_fcontext_t *fc, const char *user_string, size_t *len,
                                                       sc_array_t *inline_data, int root, sc_scda_ferror_t *errcode)
{
    int code = SCDA_SUCCESS;
    if (!sc_scda_begin(fc, errcode)) return NULL;
    if (fc->rank == root
        && (inline_data == NULL || inline_data->elem_count != 1 || inline_data->elem_size != SC_SCDA_INLINE_FIELD))
        return sc_scda_refuse(fc, "inline_data must be one element of 32 bytes", errcode);
    if (user_string == NULL) return sc_scda_refuse(fc, "user_string is a null pointer", errcode);
    scda_fwrite_inline_n(fc->file, fc->rank == root ? inline_data->array : NULL, user_string,
                         sc_scda_length(user_string, len), root, &code);
    return sc_scda_end(fc, code, errcode);
}

/* Writes a block: block_size bytes of rank root, an array of one element. */
SC_SCDA_CALL sc_scda_fcontext_t *sc_scda_fwrite_block(sc_scda_fcontext_t *fc, const char *user_string, size_t *len,
                                                      sc_array_t *block_data, size_t block_size, int root, int encode,
                                                      sc_scda_ferror_t *errcode)
{
    int code = SCDA_SUCCESS;
    if (!sc_scda_begin(fc, errcode)) return NULL;
    if (fc->rank == root && block_size > 0
        && (block_data == NULL || block_data->elem_count != 1 || block_data->elem_size != block_size))
        return sc_scda_refuse(fc, "block_data must be one element of block_size bytes", errcode);
    if (user_string == NULL) return sc_scda_refuse(fc, "user_string is a null pointer", errcode);
    scda_fwrite_block_n(fc->file, fc->rank == root && block_size > 0 ? block_data->array : NULL, block_size,
                        user_string, sc_scda_length(user_string, len), root, encode, &code);
    return sc_scda_end(fc, code, errcode);
}

/* Writes an array: this rank has elem_counts[rank] elements of elem_size bytes. With `indirect`, array_data has an
 * sc_array_t of one element for each of them. */
SC_SCDA_CALL sc_scda_fcontext_t *sc_scda_fwrite_array(sc_scda_fcontext_t *fc, const char *user_string, size_t *len,
                                                      sc_array_t *array_data, sc_array_t *elem_counts,
                                                      size_t elem_size, int indirect, int encode,
                                                      sc_scda_ferror_t *errcode)
{
    int code = SCDA_SUCCESS;
    const uint64_t *counts;
    sc_scda_elements elements;
    if (!sc_scda_begin(fc, errcode)) return NULL;
    if (user_string == NULL) return sc_scda_refuse(fc, "user_string is a null pointer", errcode);
    counts = sc_scda_table(fc, elem_counts);
    if (counts == NULL) return sc_scda_refuse(fc, "elem_counts must have an sc_scda_ulong for each rank", errcode);
    if (elem_size > 0 && counts[fc->rank] > SIZE_MAX / elem_size)
        return sc_scda_refuse(fc, "no memory has so many bytes: elem_counts and elem_size", errcode);
    elements = sc_scda_elements_of(array_data, counts[fc->rank], elem_size, NULL, counts[fc->rank] * elem_size,
                                   indirect);
    if (elements.problem != NULL) {
        free(elements.pointers);
        fc = sc_scda_refuse(fc, elements.problem, errcode);
        if (elements.code != SCDA_SUCCESS) sc_scda_set_error(errcode, elements.code);
        return fc;
    }
    scda_fwrite_array_n(fc->file, elements.dbytes, counts, elem_size, indirect, user_string,
                        sc_scda_length(user_string, len), encode, &code);
    free(elements.pointers);
    return sc_scda_end(fc, code, errcode);
}

/* Writes an array of elements of different sizes: elem_sizes of this rank, proc_sizes[rank] bytes together. Without
 * `indirect`, array_data has the elements one after the other, as elements of any size. */
SC_SCDA_CALL sc_scda_fcontext_t *sc_scda_fwrite_varray(sc_scda_fcontext_t *fc, const char *user_string, size_t *len,
                                                       sc_array_t *array_data, sc_array_t *elem_counts,
                                                       sc_array_t *elem_sizes, sc_array_t *proc_sizes, int indirect,
                                                       int encode, sc_scda_ferror_t *errcode)
{
    int code = SCDA_SUCCESS;
    const uint64_t *counts, *sums, *sizes;
    sc_scda_elements elements;
    if (!sc_scda_begin(fc, errcode)) return NULL;
    if (user_string == NULL) return sc_scda_refuse(fc, "user_string is a null pointer", errcode);
    counts = sc_scda_table(fc, elem_counts);
    sums = sc_scda_table(fc, proc_sizes);
    if (counts == NULL || sums == NULL)
        return sc_scda_refuse(fc, "elem_counts and proc_sizes must have an sc_scda_ulong for each rank", errcode);
    sizes = sc_scda_sizes(elem_sizes, counts[fc->rank]);
    if (sizes == NULL && counts[fc->rank] > 0)
        return sc_scda_refuse(fc, "elem_sizes must have an sc_scda_ulong for each element of the rank", errcode);
    elements = sc_scda_elements_of(array_data, counts[fc->rank], 0, sizes, sums[fc->rank], indirect);
    if (elements.problem != NULL) {
        free(elements.pointers);
        fc = sc_scda_refuse(fc, elements.problem, errcode);
        if (elements.code != SCDA_SUCCESS) sc_scda_set_error(errcode, elements.code);
        return fc;
    }
    scda_fwrite_varray_n(fc->file, elements.dbytes, counts, sizes, sums, indirect, user_string,
                         sc_scda_length(user_string, len), encode, &code);
    free(elements.pointers);
    return sc_scda_end(fc, code, errcode);
}

/* Computes proc_sizes, the number of bytes of each rank, from elem_sizes of this rank and elem_counts. Collective over
 * all ranks of the program, since libsc's interface has no communicator here; with elem_counts of one rank, the call is
 * local. Returns 0 or -1. */
SC_SCDA_CALL int sc_scda_proc_sizes(sc_array_t *elem_sizes, sc_array_t *elem_counts, sc_array_t *proc_sizes,
                                    sc_scda_ferror_t *errcode)
{
    const char *problem = NULL;
    uint64_t sum = 0, i;
    const uint64_t *sizes = NULL;
    int rank = 0, size = 1;
    if (elem_counts == NULL || elem_counts->elem_size != sizeof(sc_scda_ulong))
        problem = "elem_counts must have an sc_scda_ulong for each rank";
#ifdef SC_ENABLE_MPI
    if (problem != NULL || elem_counts->elem_count != 1) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
    }
#endif
    if (problem == NULL && elem_counts->elem_count != (size_t)size)
        problem = "elem_counts must have an sc_scda_ulong for each rank";
    if (problem == NULL) {
        uint64_t count = ((const uint64_t *)(const void *)elem_counts->array)[rank];
        sizes = sc_scda_sizes(elem_sizes, count);
        if (sizes == NULL && count > 0) problem = "elem_sizes must have an sc_scda_ulong for each element of the rank";
        for (i = 0; problem == NULL && i < count; i++) {
            if (sum + sizes[i] < sum) problem = "elem_sizes have a sum of more than 64 bits";
            sum += sizes[i];
        }
    }
    if (problem == NULL && (proc_sizes == NULL || proc_sizes->elem_size != sizeof(sc_scda_ulong)))
        problem = "proc_sizes must have elements of the size of sc_scda_ulong";
    if (problem == NULL && errcode == NULL) problem = "errcode is a null pointer";
#ifdef SC_ENABLE_MPI
    if (size > 1) {
        int fails = problem != NULL, any = 1;
        if (MPI_Allreduce(&fails, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD) != MPI_SUCCESS) any = 1;
        if (any && problem == NULL) problem = "another rank passed an invalid argument";
    }
#endif
    if (problem != NULL) {
        sc_scda_refuse(NULL, problem, errcode);
        return -1;
    }
    sc_array_resize(proc_sizes, (size_t)size);
#ifdef SC_ENABLE_MPI
    if (size > 1 && MPI_Allgather(&sum, 1, MPI_UINT64_T, proc_sizes->array, 1, MPI_UINT64_T, MPI_COMM_WORLD)
                        != MPI_SUCCESS) {
        sc_scda_set_error(errcode, SCDA_ERR_COMM);
        return -1;
    }
#endif
    if (size == 1) memcpy(proc_sizes->array, &sum, sizeof sum);
    sc_scda_set_error(errcode, SCDA_SUCCESS);
    return 0;
}

/* --- Reading --- */

/* Reads the header of the next section: *type is 'I', 'B', 'A' or 'V'; *elem_count is the number of elements (A, V),
 * *elem_size the size of each element (A) or of the block (B). With *decode, a compressed section is one section;
 * *decode becomes 0 if it is not compressed. */
SC_SCDA_CALL sc_scda_fcontext_t *sc_scda_fread_section_header(sc_scda_fcontext_t *fc, char *user_string, size_t *len,
                                                              char *type, size_t *elem_count, size_t *elem_size,
                                                              int *decode, sc_scda_ferror_t *errcode)
{
    int code = SCDA_SUCCESS, decodes;
    uint64_t N = 0, E = 0;
    size_t length = 0;
    if (!sc_scda_begin(fc, errcode)) return NULL;
    if (type == NULL || elem_count == NULL || elem_size == NULL)
        return sc_scda_refuse(fc, "type, elem_count or elem_size is a null pointer", errcode);
    decodes = decode != NULL && *decode != 0;
    if (fc->comm.broadcast != NULL) {
        char first = (char)decodes;
        /* The broadcast meets broadcasts only after the ranks have agreed that all of them are here. */
        if (scda_frefuse(fc->file, NULL, &code) == NULL) return sc_scda_end(fc, code, errcode);
        /* If it fails, the next call does, too. */
        if (fc->comm.broadcast(fc->comm.context, 0, &first, 1) != 0) first = 0;
        decodes = first != 0;
    }
    scda_fread_section_header_n(fc->file, type, &N, &E, user_string, &length, &decodes, &code);
    if (code == SCDA_SUCCESS && *type == 0) {
        /* libsc has no way to tell the end of the file from a file that is too short. */
        scda_fclose(fc->file, &code);
        free(fc);
        if (code == SCDA_SUCCESS) {
            sc_scda_refuse(NULL, "the file has no further section", NULL);
            code = SCDA_ERR_TRUNCATED;
        }
        sc_scda_set_error(errcode, code);
        return NULL;
    }
    if (code == SCDA_SUCCESS && (N > SIZE_MAX || E > SIZE_MAX)) {
        sc_scda_refuse(fc, "a count of the section is too large for this computer", NULL);
        sc_scda_set_error(errcode, SCDA_ERR_LIMIT);
        return NULL;
    }
    if (code == SCDA_SUCCESS) {
        if (len != NULL) *len = length;
        if (decode != NULL) *decode = decodes;
        *elem_count = (size_t)N;
        *elem_size = (size_t)E;
    }
    return sc_scda_end(fc, code, errcode);
}

/* Reads the 32 bytes of an inline section on rank root. NULL on root skips them. */
SC_SCDA_CALL sc_scda_fcontext_t *sc_scda_fread_inline_data(sc_scda_fcontext_t *fc, sc_array_t *data, int root,
                                                           sc_scda_ferror_t *errcode)
{
    int code = SCDA_SUCCESS;
    if (!sc_scda_begin(fc, errcode)) return NULL;
    if (fc->rank == root && data != NULL && (data->elem_count != 1 || data->elem_size != SC_SCDA_INLINE_FIELD))
        return sc_scda_refuse(fc, "data must be one element of 32 bytes", errcode);
    scda_fread_inline_data(fc->file, fc->rank == root && data != NULL ? data->array : NULL, root, &code);
    return sc_scda_end(fc, code, errcode);
}

/* Reads the block_size bytes of a block on rank root. NULL on root skips them. */
SC_SCDA_CALL sc_scda_fcontext_t *sc_scda_fread_block_data(sc_scda_fcontext_t *fc, sc_array_t *block_data,
                                                          size_t block_size, int root, sc_scda_ferror_t *errcode)
{
    int code = SCDA_SUCCESS;
    if (!sc_scda_begin(fc, errcode)) return NULL;
    if (fc->rank == root && block_data != NULL && block_size > 0
        && (block_data->elem_count != 1 || block_data->elem_size != block_size))
        return sc_scda_refuse(fc, "block_data must be one element of block_size bytes", errcode);
    scda_fread_block_data(fc->file, fc->rank == root && block_data != NULL ? block_data->array : NULL, block_size, root,
                          &code);
    return sc_scda_end(fc, code, errcode);
}

/* Reads elem_counts[rank] elements of elem_size bytes on this rank. NULL skips them on this rank. */
SC_SCDA_CALL sc_scda_fcontext_t *sc_scda_fread_array_data(sc_scda_fcontext_t *fc, sc_array_t *array_data,
                                                          sc_array_t *elem_counts, size_t elem_size, int indirect,
                                                          sc_scda_ferror_t *errcode)
{
    int code = SCDA_SUCCESS;
    const uint64_t *counts;
    sc_scda_elements elements = {NULL, NULL, NULL, SCDA_SUCCESS};
    if (!sc_scda_begin(fc, errcode)) return NULL;
    counts = sc_scda_table(fc, elem_counts);
    if (counts == NULL) return sc_scda_refuse(fc, "elem_counts must have an sc_scda_ulong for each rank", errcode);
    if (elem_size > 0 && counts[fc->rank] > SIZE_MAX / elem_size)
        return sc_scda_refuse(fc, "no memory has so many bytes: elem_counts and elem_size", errcode);
    if (array_data != NULL)
        elements = sc_scda_elements_of(array_data, counts[fc->rank], elem_size, NULL, counts[fc->rank] * elem_size,
                                       indirect);
    if (elements.problem != NULL) {
        free(elements.pointers);
        fc = sc_scda_refuse(fc, elements.problem, errcode);
        if (elements.code != SCDA_SUCCESS) sc_scda_set_error(errcode, elements.code);
        return fc;
    }
    scda_fread_array_data(fc->file, elements.dbytes, counts, elem_size, indirect, &code);
    free(elements.pointers);
    return sc_scda_end(fc, code, errcode);
}

/* Reads the sizes of the elem_counts[rank] elements of this rank. NULL skips them on this rank. */
SC_SCDA_CALL sc_scda_fcontext_t *sc_scda_fread_varray_sizes(sc_scda_fcontext_t *fc, sc_array_t *elem_sizes,
                                                            sc_array_t *elem_counts, sc_scda_ferror_t *errcode)
{
    int code = SCDA_SUCCESS;
    const uint64_t *counts;
    uint64_t *sizes;
    if (!sc_scda_begin(fc, errcode)) return NULL;
    counts = sc_scda_table(fc, elem_counts);
    if (counts == NULL) return sc_scda_refuse(fc, "elem_counts must have an sc_scda_ulong for each rank", errcode);
    sizes = sc_scda_sizes(elem_sizes, counts[fc->rank]);
    if (sizes == NULL && elem_sizes != NULL && counts[fc->rank] > 0)
        return sc_scda_refuse(fc, "elem_sizes must have an sc_scda_ulong for each element of the rank", errcode);
    scda_fread_varray_sizes(fc->file, sizes, counts, &code);
    return sc_scda_end(fc, code, errcode);
}

/* Reads the elements of this rank, after their sizes. NULL as array_data skips them on this rank. */
SC_SCDA_CALL sc_scda_fcontext_t *sc_scda_fread_varray_data(sc_scda_fcontext_t *fc, sc_array_t *array_data,
                                                           sc_array_t *elem_counts, sc_array_t *elem_sizes,
                                                           sc_array_t *proc_sizes, int indirect,
                                                           sc_scda_ferror_t *errcode)
{
    int code = SCDA_SUCCESS;
    const uint64_t *counts, *sums, *sizes = NULL;
    sc_scda_elements elements = {NULL, NULL, NULL, SCDA_SUCCESS};
    if (!sc_scda_begin(fc, errcode)) return NULL;
    counts = sc_scda_table(fc, elem_counts);
    sums = sc_scda_table(fc, proc_sizes);
    if (counts == NULL || sums == NULL)
        return sc_scda_refuse(fc, "elem_counts and proc_sizes must have an sc_scda_ulong for each rank", errcode);
    if (array_data != NULL) {
        sizes = sc_scda_sizes(elem_sizes, counts[fc->rank]);
        if (sizes == NULL && counts[fc->rank] > 0)
            return sc_scda_refuse(fc, "elem_sizes must have an sc_scda_ulong for each element of the rank", errcode);
        elements = sc_scda_elements_of(array_data, counts[fc->rank], 0, sizes, sums[fc->rank], indirect);
    }
    if (elements.problem != NULL) {
        free(elements.pointers);
        fc = sc_scda_refuse(fc, elements.problem, errcode);
        if (elements.code != SCDA_SUCCESS) sc_scda_set_error(errcode, elements.code);
        return fc;
    }
    scda_fread_varray_data(fc->file, elements.dbytes, counts, sizes, sums, indirect, &code);
    free(elements.pointers);
    return sc_scda_end(fc, code, errcode);
}

#ifdef __cplusplus
}
#endif
#endif
