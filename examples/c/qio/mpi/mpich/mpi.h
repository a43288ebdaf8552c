/* What world.c uses of MPI, as MPICH and its relatives define it: MVAPICH, Intel MPI, Cray MPICH. They have agreed on these
 * types and numbers since MPICH 3.1 (www.mpich.org/abi). tests/program.sh compares them with the mpi.h of MPICH. */
#ifndef LINKSTREAM_MPI_OF_PROGRAM
#define LINKSTREAM_MPI_OF_PROGRAM

typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Errhandler;
typedef int MPI_Info;
typedef int MPI_Op;
typedef int MPI_Request;
typedef struct MPI_Status {
    int count_lo;
    int count_hi_and_cancelled;
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
} MPI_Status;

#define MPI_COMM_NULL ((MPI_Comm)0x04000000)
#define MPI_COMM_WORLD ((MPI_Comm)0x44000000)
#define MPI_COMM_SELF ((MPI_Comm)0x44000001)
#define MPI_BYTE ((MPI_Datatype)0x4c00010d)
#define MPI_INT ((MPI_Datatype)0x4c000405)
#define MPI_UINT64_T ((MPI_Datatype)0x4c00083e)
#define MPI_MAX ((MPI_Op)0x58000001)
#define MPI_SUM ((MPI_Op)0x58000003)
#define MPI_BXOR ((MPI_Op)0x5800000a)
#define MPI_ERRORS_RETURN ((MPI_Errhandler)0x54000001)
#define MPI_INFO_NULL ((MPI_Info)0x1c000000)
#define MPI_STATUS_IGNORE ((MPI_Status *)1)
#define MPI_IN_PLACE ((void *)-1)
#define MPI_COMM_NULL_COPY_FN ((MPI_Comm_copy_attr_function *)0)
#define MPI_COMM_NULL_DELETE_FN ((MPI_Comm_delete_attr_function *)0)
#define MPI_KEYVAL_INVALID 0x24000000
#define MPI_ANY_SOURCE (-2)
#define MPI_COMM_TYPE_SHARED 1
#define MPI_ERR_COUNT 2
#define MPI_ERR_COMM 5
#define MPI_ERR_NO_MEM 34

#include "calls.h"

#endif
