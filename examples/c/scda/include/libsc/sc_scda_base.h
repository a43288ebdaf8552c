/* What sc_scda.h needs of libsc: libsc's own headers if the compiler finds them, otherwise the few names here. They are
 * the ones that a program for scda cannot do without: sc_array_t, ranks, checks. A program that uses more of libsc is
 * compiled with libsc's headers, and linked with libsc.
 *
 * As in libsc, the macro SC_ENABLE_MPI chooses MPI. Without libsc's headers, it is defined here if <mpi.h> was included
 * before, or with SCDA_MPI. */
#ifndef LINKSTREAM_SC_SCDA_BASE_H
#define LINKSTREAM_SC_SCDA_BASE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __GNUC__
#define SC_SCDA_CALL static __attribute__((unused))
#else
#define SC_SCDA_CALL static
#endif

#ifdef __has_include
#if __has_include(<sc_containers.h>)
#define SC_SCDA_HAS_LIBSC 1
#endif
#endif

#ifdef SC_SCDA_HAS_LIBSC
#include <sc_containers.h>
#include <sc_random.h>
#ifdef SC_ENABLE_MPI
#define SCDA_MPI 1
#include "linkstream_mpi.h"
#endif
#include "scda.h"

#else

#if defined(MPI_VERSION) && !defined(SCDA_MPI)
#define SCDA_MPI 1
#endif
#if defined(SCDA_MPI) && !defined(SC_ENABLE_MPI)
#define SC_ENABLE_MPI 1
#endif
#if defined(SC_ENABLE_MPI) && !defined(SCDA_MPI)
#define SCDA_MPI 1
#endif
/* scda.h may have been included before, without MPI. */
#ifdef SC_ENABLE_MPI
#include "linkstream_mpi.h"
#endif
#include "scda.h"

#include <sys/types.h>

#ifdef __cplusplus
#define SC_EXTERN_C_BEGIN extern "C" {
#define SC_EXTERN_C_END }
#else
/* Followed by a semicolon in programs. */
#define SC_EXTERN_C_BEGIN struct sc_scda_nothing
#define SC_EXTERN_C_END struct sc_scda_nothing
#endif

/* --- MPI, or one process --- */

#ifdef SC_ENABLE_MPI

#define sc_MPI_Comm MPI_Comm
#define sc_MPI_Info MPI_Info
#define sc_MPI_Datatype MPI_Datatype
#define sc_MPI_SUCCESS MPI_SUCCESS
#define sc_MPI_COMM_NULL MPI_COMM_NULL
#define sc_MPI_COMM_WORLD MPI_COMM_WORLD
#define sc_MPI_COMM_SELF MPI_COMM_SELF
#define sc_MPI_INFO_NULL MPI_INFO_NULL
#define sc_MPI_BYTE MPI_BYTE
#define sc_MPI_CHAR MPI_CHAR
#define sc_MPI_INT MPI_INT
#define sc_MPI_UNSIGNED MPI_UNSIGNED
#define sc_MPI_DOUBLE MPI_DOUBLE
#define sc_MPI_MAX_ERROR_STRING MPI_MAX_ERROR_STRING
#define sc_MPI_ERR_OTHER MPI_ERR_OTHER
#define sc_MPI_ERR_NO_MEM MPI_ERR_NO_MEM
#define sc_MPI_ERR_NO_SUCH_FILE MPI_ERR_NO_SUCH_FILE
#define sc_MPI_ERR_BAD_FILE MPI_ERR_BAD_FILE
#define sc_MPI_ERR_ACCESS MPI_ERR_ACCESS
#define sc_MPI_ERR_NO_SPACE MPI_ERR_NO_SPACE
#define sc_MPI_ERR_IO MPI_ERR_IO
#define sc_MPI_Init MPI_Init
#define sc_MPI_Finalize MPI_Finalize
#define sc_MPI_Abort MPI_Abort
#define sc_MPI_Comm_rank MPI_Comm_rank
#define sc_MPI_Comm_size MPI_Comm_size
#define sc_MPI_Comm_split MPI_Comm_split
#define sc_MPI_Comm_free MPI_Comm_free
#define sc_MPI_Barrier MPI_Barrier
#define sc_MPI_Bcast MPI_Bcast
#define sc_MPI_Allreduce MPI_Allreduce
#define sc_MPI_Allgather MPI_Allgather
#define sc_MPI_Wtime MPI_Wtime
#define sc_MPI_Error_class MPI_Error_class
#define sc_MPI_Error_string MPI_Error_string

#else

typedef int sc_MPI_Comm;
typedef int sc_MPI_Info;
typedef int sc_MPI_Datatype;

/* The values of libsc without MPI. */
#define sc_MPI_SUCCESS 0
#define sc_MPI_COMM_NULL ((sc_MPI_Comm)0x04000000)
#define sc_MPI_COMM_WORLD ((sc_MPI_Comm)0x44000000)
#define sc_MPI_COMM_SELF ((sc_MPI_Comm)0x44000001)
#define sc_MPI_INFO_NULL ((sc_MPI_Info)0)
#define sc_MPI_CHAR ((sc_MPI_Datatype)0x4c000101)
#define sc_MPI_BYTE ((sc_MPI_Datatype)0x4c00010d)
#define sc_MPI_INT ((sc_MPI_Datatype)0x4c000405)
#define sc_MPI_UNSIGNED ((sc_MPI_Datatype)0x4c000406)
#define sc_MPI_DOUBLE ((sc_MPI_Datatype)0x4c00080b)
#define sc_MPI_MAX_ERROR_STRING 256

enum {
    sc_MPI_ERR_OTHER = 14003,
    sc_MPI_ERR_NO_MEM = 14004,
    sc_MPI_ERR_NO_SUCH_FILE = 14010,
    sc_MPI_ERR_BAD_FILE = 14012,
    sc_MPI_ERR_ACCESS = 14013,
    sc_MPI_ERR_NO_SPACE = 14014,
    sc_MPI_ERR_IO = 14020
};

SC_SCDA_CALL int sc_MPI_Init(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    return sc_MPI_SUCCESS;
}

SC_SCDA_CALL int sc_MPI_Finalize(void)
{
    return sc_MPI_SUCCESS;
}

SC_SCDA_CALL int sc_MPI_Abort(sc_MPI_Comm comm, int code)
{
    (void)comm, (void)code;
    abort();
}

SC_SCDA_CALL int sc_MPI_Comm_rank(sc_MPI_Comm comm, int *rank)
{
    (void)comm;
    *rank = 0;
    return sc_MPI_SUCCESS;
}

SC_SCDA_CALL int sc_MPI_Comm_size(sc_MPI_Comm comm, int *size)
{
    (void)comm;
    *size = 1;
    return sc_MPI_SUCCESS;
}

SC_SCDA_CALL int sc_MPI_Barrier(sc_MPI_Comm comm)
{
    (void)comm;
    return sc_MPI_SUCCESS;
}

SC_SCDA_CALL int sc_MPI_Bcast(void *data, int count, sc_MPI_Datatype type, int root, sc_MPI_Comm comm)
{
    (void)data, (void)count, (void)type, (void)root, (void)comm;
    return sc_MPI_SUCCESS;
}

SC_SCDA_CALL int sc_MPI_Error_class(int code, int *error_class)
{
    *error_class = code;
    return sc_MPI_SUCCESS;
}

SC_SCDA_CALL int sc_MPI_Error_string(int code, char *text, int *length)
{
    const char *found = code == sc_MPI_SUCCESS            ? "no error"
                        : code == sc_MPI_ERR_NO_SUCH_FILE ? "there is no such file or directory"
                        : code == sc_MPI_ERR_BAD_FILE     ? "the name is not a regular file, or cannot be the name of one"
                        : code == sc_MPI_ERR_ACCESS       ? "permission to access the file is missing"
                        : code == sc_MPI_ERR_NO_SPACE     ? "there is no space left for the file"
                        : code == sc_MPI_ERR_NO_MEM       ? "there is not enough memory"
                        : code == sc_MPI_ERR_IO           ? "the device failed"
                                                          : "another error of the system";
    strcpy(text, found);
    *length = (int)strlen(found);
    return sc_MPI_SUCCESS;
}

#endif

/* --- Checks, which end the program, as libsc's do --- */

SC_SCDA_CALL void sc_abort_verbose(const char *file, int line, const char *text)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, text);
    fflush(stderr);
#ifdef SC_ENABLE_MPI
    MPI_Abort(MPI_COMM_WORLD, 1);
#endif
    abort();
}

#define SC_ABORT(text) sc_abort_verbose(__FILE__, __LINE__, (text))
#define SC_CHECK_ABORT(condition, text) ((condition) ? (void)0 : SC_ABORT(text))
#define SC_CHECK_MPI(code) SC_CHECK_ABORT((code) == sc_MPI_SUCCESS, "MPI error")
#ifdef SC_ENABLE_DEBUG
#define SC_ASSERT(condition) SC_CHECK_ABORT((condition), "Assertion '" #condition "'")
#else
#define SC_ASSERT(condition) ((void)0)
#endif

/* Nothing here prints, so there is nothing to prepare. */
enum {
    SC_LP_DEFAULT = -1, SC_LP_ALWAYS, SC_LP_TRACE, SC_LP_DEBUG, SC_LP_VERBOSE, SC_LP_INFO, SC_LP_STATISTICS,
    SC_LP_PRODUCTION, SC_LP_ESSENTIAL, SC_LP_ERROR, SC_LP_SILENT
};

SC_SCDA_CALL void sc_init(sc_MPI_Comm comm, int catch_signals, int print_backtrace, void *log_handler, int threshold)
{
    (void)comm, (void)catch_signals, (void)print_backtrace, (void)log_handler, (void)threshold;
}

SC_SCDA_CALL void sc_finalize(void)
{
}

typedef uint64_t sc_rand_state_t;

/* --- sc_array_t --- */

/* Elements one after the other. A view has the elements of somebody else: byte_alloc is -(bytes + 1). */
typedef struct sc_array {
    size_t elem_size;
    size_t elem_count;
    ssize_t byte_alloc;
    char *array;
} sc_array_t;

#define SC_ARRAY_IS_OWNER(a) ((a)->byte_alloc >= 0)
#define SC_ARRAY_BYTE_ALLOC(a) ((size_t)(SC_ARRAY_IS_OWNER(a) ? (a)->byte_alloc : -((a)->byte_alloc + 1)))

SC_SCDA_CALL void sc_array_init(sc_array_t *array, size_t elem_size)
{
    array->elem_size = elem_size;
    array->elem_count = 0;
    array->byte_alloc = 0;
    array->array = NULL;
}

SC_SCDA_CALL void sc_array_init_data(sc_array_t *view, void *base, size_t elem_size, size_t elem_count)
{
    view->elem_size = elem_size;
    view->elem_count = elem_count;
    view->byte_alloc = -((ssize_t)(elem_size * elem_count) + 1);
    view->array = (char *)base;
}

SC_SCDA_CALL void sc_array_reset(sc_array_t *array)
{
    if (SC_ARRAY_IS_OWNER(array)) free(array->array);
    sc_array_init(array, array->elem_size);
}

/* Sets the number of elements; new ones have any value. The memory grows by half, so that adding one element at a time
 * takes linear time. */
SC_SCDA_CALL void sc_array_resize(sc_array_t *array, size_t new_count)
{
    size_t bytes = array->elem_size * new_count, least;
    SC_CHECK_ABORT(array->elem_size == 0 || new_count <= SIZE_MAX / 2 / array->elem_size, "array: too large");
    if (bytes > SC_ARRAY_BYTE_ALLOC(array)) {
        char *grown;
        SC_CHECK_ABORT(SC_ARRAY_IS_OWNER(array), "array: a view cannot grow");
        least = SC_ARRAY_BYTE_ALLOC(array) + SC_ARRAY_BYTE_ALLOC(array) / 2;
        if (least < bytes) least = bytes;
        grown = (char *)realloc(array->array, least);
        SC_CHECK_ABORT(grown != NULL, "array: not enough memory");
        array->array = grown;
        array->byte_alloc = (ssize_t)least;
    }
    array->elem_count = new_count;
    if (new_count == 0 && SC_ARRAY_IS_OWNER(array)) sc_array_reset(array);
}

SC_SCDA_CALL void sc_array_init_count(sc_array_t *array, size_t elem_size, size_t elem_count)
{
    sc_array_init(array, elem_size);
    sc_array_resize(array, elem_count);
}

SC_SCDA_CALL void sc_array_init_size(sc_array_t *array, size_t elem_size, size_t elem_count)
{
    sc_array_init_count(array, elem_size, elem_count);
}

SC_SCDA_CALL void sc_array_init_view(sc_array_t *view, sc_array_t *array, size_t offset, size_t length)
{
    sc_array_init_data(view, array->array + offset * array->elem_size, array->elem_size, length);
}

SC_SCDA_CALL sc_array_t *sc_array_new_count(size_t elem_size, size_t elem_count)
{
    sc_array_t *array = (sc_array_t *)malloc(sizeof *array);
    SC_CHECK_ABORT(array != NULL, "array: not enough memory");
    sc_array_init_count(array, elem_size, elem_count);
    return array;
}

SC_SCDA_CALL sc_array_t *sc_array_new(size_t elem_size)
{
    return sc_array_new_count(elem_size, 0);
}

#define sc_array_new_size(elem_size, elem_count) sc_array_new_count((elem_size), (elem_count))

SC_SCDA_CALL void sc_array_destroy(sc_array_t *array)
{
    sc_array_reset(array);
    free(array);
}

SC_SCDA_CALL void *sc_array_index(sc_array_t *array, size_t index)
{
    SC_ASSERT(index < array->elem_count);
    return array->array + index * array->elem_size;
}

SC_SCDA_CALL void *sc_array_index_int(sc_array_t *array, int index)
{
    return sc_array_index(array, (size_t)index);
}

/* Adds an element at the end, and returns it. */
SC_SCDA_CALL void *sc_array_push(sc_array_t *array)
{
    sc_array_resize(array, array->elem_count + 1);
    return sc_array_index(array, array->elem_count - 1);
}

#endif
#endif
