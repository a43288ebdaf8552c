/* What world.c uses of MPI, as Open MPI defines it, and what is built on it: Spectrum MPI, HPC-X. Handles are addresses of
 * objects of the library. tests/program.sh compares this with the mpi.h of Open MPI. */
#ifndef LINKSTREAM_MPI_OF_PROGRAM
#define LINKSTREAM_MPI_OF_PROGRAM

#include <stddef.h>

typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_datatype_t *MPI_Datatype;
typedef struct ompi_errhandler_t *MPI_Errhandler;
typedef struct ompi_info_t *MPI_Info;
typedef struct ompi_op_t *MPI_Op;
typedef struct ompi_request_t *MPI_Request;
typedef struct MPI_Status {
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
    int cancelled;
    size_t length;
} MPI_Status;

#define LINKSTREAM_OBJECT(name) extern __attribute__((weak)) char name[]
LINKSTREAM_OBJECT(ompi_mpi_comm_null);
LINKSTREAM_OBJECT(ompi_mpi_comm_world);
LINKSTREAM_OBJECT(ompi_mpi_comm_self);
LINKSTREAM_OBJECT(ompi_mpi_byte);
LINKSTREAM_OBJECT(ompi_mpi_int);
LINKSTREAM_OBJECT(ompi_mpi_uint64_t);
LINKSTREAM_OBJECT(ompi_mpi_op_max);
LINKSTREAM_OBJECT(ompi_mpi_op_sum);
LINKSTREAM_OBJECT(ompi_mpi_op_bxor);
LINKSTREAM_OBJECT(ompi_mpi_errors_return);
LINKSTREAM_OBJECT(ompi_mpi_info_null);

#define MPI_COMM_NULL ((MPI_Comm)(void *)ompi_mpi_comm_null)
#define MPI_COMM_WORLD ((MPI_Comm)(void *)ompi_mpi_comm_world)
#define MPI_COMM_SELF ((MPI_Comm)(void *)ompi_mpi_comm_self)
#define MPI_BYTE ((MPI_Datatype)(void *)ompi_mpi_byte)
#define MPI_INT ((MPI_Datatype)(void *)ompi_mpi_int)
#define MPI_UINT64_T ((MPI_Datatype)(void *)ompi_mpi_uint64_t)
#define MPI_MAX ((MPI_Op)(void *)ompi_mpi_op_max)
#define MPI_SUM ((MPI_Op)(void *)ompi_mpi_op_sum)
#define MPI_BXOR ((MPI_Op)(void *)ompi_mpi_op_bxor)
#define MPI_ERRORS_RETURN ((MPI_Errhandler)(void *)ompi_mpi_errors_return)
#define MPI_INFO_NULL ((MPI_Info)(void *)ompi_mpi_info_null)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_IN_PLACE ((void *)1)
#define MPI_COMM_NULL_COPY_FN OMPI_C_MPI_COMM_NULL_COPY_FN
#define MPI_COMM_NULL_DELETE_FN OMPI_C_MPI_COMM_NULL_DELETE_FN
#define MPI_KEYVAL_INVALID (-1)
#define MPI_ANY_SOURCE (-1)
#define MPI_COMM_TYPE_SHARED 0
#define MPI_ERR_COUNT 2
#define MPI_ERR_COMM 5
#define MPI_ERR_NO_MEM 39

#include "calls.h"

__attribute__((weak)) int OMPI_C_MPI_COMM_NULL_COPY_FN(MPI_Comm comm, int key, void *extra, void *from, void *to,
                                                        int *flag);
__attribute__((weak)) int OMPI_C_MPI_COMM_NULL_DELETE_FN(MPI_Comm comm, int key, void *value, void *extra);

#endif
