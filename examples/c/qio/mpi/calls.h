/* The calls of MPI that world.c makes, for both mpi.h. They are weak: a program without MPI has none of them. */
#ifndef LINKSTREAM_MPI_CALLS
#define LINKSTREAM_MPI_CALLS

typedef int MPI_Comm_copy_attr_function(MPI_Comm, int, void *, void *, void *, int *);
typedef int MPI_Comm_delete_attr_function(MPI_Comm, int, void *, void *);

#define MPI_SUCCESS 0
#define MPI_MAX_ERROR_STRING 1024 /* At least that of each library */

/* X(name, arguments), for each call that returns an error code. */
#define LINKSTREAM_MPI_CALLS_ALL(X) \
    X(MPI_Abort, (MPI_Comm, int)) \
    X(MPI_Bcast, (void *, int, MPI_Datatype, int, MPI_Comm)) \
    X(MPI_Comm_create_keyval, (MPI_Comm_copy_attr_function *, MPI_Comm_delete_attr_function *, int *, void *)) \
    X(MPI_Comm_dup, (MPI_Comm, MPI_Comm *)) \
    X(MPI_Comm_free, (MPI_Comm *)) \
    X(MPI_Comm_get_attr, (MPI_Comm, int, void *, int *)) \
    X(MPI_Comm_rank, (MPI_Comm, int *)) \
    X(MPI_Comm_set_attr, (MPI_Comm, int, void *)) \
    X(MPI_Comm_set_errhandler, (MPI_Comm, MPI_Errhandler)) \
    X(MPI_Comm_size, (MPI_Comm, int *)) \
    X(MPI_Comm_split_type, (MPI_Comm, int, int, MPI_Info, MPI_Comm *)) \
    X(MPI_Error_string, (int, char *, int *)) \
    X(MPI_Iallreduce, (const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *)) \
    X(MPI_Ibarrier, (MPI_Comm, MPI_Request *)) \
    X(MPI_Ibcast, (void *, int, MPI_Datatype, int, MPI_Comm, MPI_Request *)) \
    X(MPI_Iexscan, (const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *)) \
    X(MPI_Iprobe, (int, int, MPI_Comm, int *, MPI_Status *)) \
    X(MPI_Irecv, (void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *)) \
    X(MPI_Isend, (const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *)) \
    X(MPI_Issend, (const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *)) \
    X(MPI_Recv, (void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *)) \
    X(MPI_Send, (const void *, int, MPI_Datatype, int, int, MPI_Comm)) \
    X(MPI_Test, (MPI_Request *, int *, MPI_Status *))

#define LINKSTREAM_DECLARE(name, arguments) __attribute__((weak)) int name arguments;
LINKSTREAM_MPI_CALLS_ALL(LINKSTREAM_DECLARE)
__attribute__((weak)) double MPI_Wtime(void);

#endif
