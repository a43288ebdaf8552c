/* linkstream_comm for MPI, compiled by the mpicc of the program. */
#ifndef LINKSTREAM_MPI_H
#define LINKSTREAM_MPI_H

#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* C++ programs include headers of C inside of extern "C"; mpi.h can have templates. */
#ifdef __cplusplus
extern "C++" {
#include <mpi.h>
}
#else
#include <mpi.h>
#endif

#include "linkstream_comm.h"

#ifdef __GNUC__
#define LINKSTREAM_MAY_BE_UNUSED __attribute__((unused))
#else
#define LINKSTREAM_MAY_BE_UNUSED
#endif

/* Largest part of a message: the counts of MPI are ints. */
#ifndef LINKSTREAM_MPI_PART
#define LINKSTREAM_MPI_PART ((uint64_t)1 << 30)
#endif

/* What the functions need. */
typedef struct linkstream_mpi_context {
    MPI_Comm comm;
    int rank;
    int size;
} linkstream_mpi_context;

/* Waits for requests. Some MPI libraries never give the processor away while they wait, which costs a factor of 30 if
 * there are more ranks than cores. */
static int linkstream_mpi_wait(int count, MPI_Request *requests)
{
    int r, tests = 0;
    for (r = 0; r < count; r++) {
        int done = 0;
        while (!done) {
            int code = MPI_Test(&requests[r], &done, MPI_STATUS_IGNORE);
            if (code != MPI_SUCCESS) return code;
            if (!done && ++tests > 100) sched_yield();
        }
    }
    return MPI_SUCCESS;
}

static int linkstream_mpi_combine(void *context, int op, uint64_t *numbers, size_t count)
{
    linkstream_mpi_context *own = (linkstream_mpi_context *)context;
    MPI_Request request;
    int code;
    MPI_Op with = op == LINKSTREAM_MAX ? MPI_MAX : op == LINKSTREAM_XOR ? MPI_BXOR : MPI_SUM;
    if (count > INT_MAX) return MPI_ERR_COUNT;
    if (op == LINKSTREAM_SCAN) {
        uint64_t *lower = (uint64_t *)calloc(count + 1, sizeof *lower);
        if (lower == NULL) return MPI_ERR_NO_MEM;
        code = MPI_Iexscan(numbers, lower, (int)count, MPI_UINT64_T, MPI_SUM, own->comm, &request);
        if (code == MPI_SUCCESS) code = linkstream_mpi_wait(1, &request);
        /* On rank 0, MPI leaves the result undefined. */
        if (own->rank == 0) memset(numbers, 0, count * sizeof *numbers);
        else memcpy(numbers, lower, count * sizeof *numbers);
        free(lower);
        return code;
    }
    code = MPI_Iallreduce(MPI_IN_PLACE, numbers, (int)count, MPI_UINT64_T, with, own->comm, &request);
    return code != MPI_SUCCESS ? code : linkstream_mpi_wait(1, &request);
}

static int linkstream_mpi_broadcast(void *context, int root, void *bytes, size_t length)
{
    linkstream_mpi_context *own = (linkstream_mpi_context *)context;
    char *from = (char *)bytes;
    while (length > 0) {
        size_t part = length < LINKSTREAM_MPI_PART ? length : (size_t)LINKSTREAM_MPI_PART;
        MPI_Request request;
        int code = MPI_Ibcast(from, (int)part, MPI_BYTE, root, own->comm, &request);
        if (code == MPI_SUCCESS) code = linkstream_mpi_wait(1, &request);
        if (code != MPI_SUCCESS) return code;
        from += part;
        length -= part;
    }
    return MPI_SUCCESS;
}

static int linkstream_mpi_counts(void *context, const uint64_t *to, uint64_t *from)
{
    linkstream_mpi_context *own = (linkstream_mpi_context *)context;
    MPI_Request request;
    int code = MPI_Ialltoall((void *)to, 1, MPI_UINT64_T, from, 1, MPI_UINT64_T, own->comm, &request);
    return code != MPI_SUCCESS ? code : linkstream_mpi_wait(1, &request);
}

/* Ends requests after an error: the memory of the messages is freed afterwards. Receives are given up; sends of which
 * the receiver has begun its part complete. */
static void linkstream_mpi_give_up(int receives, int count, MPI_Request *requests)
{
    int r;
    for (r = 0; r < receives; r++)
        if (requests[r] != MPI_REQUEST_NULL) MPI_Cancel(&requests[r]);
    (void)linkstream_mpi_wait(count, requests);
}

/* Number of parts of all messages. */
static size_t linkstream_mpi_parts(const uint64_t *lengths, int size)
{
    size_t parts = 0;
    int r;
    for (r = 0; r < size; r++) parts += (size_t)((lengths[r] + LINKSTREAM_MPI_PART - 1) / LINKSTREAM_MPI_PART);
    return parts;
}

static int linkstream_mpi_exchange(void *context, const void *send, const uint64_t *to, void *receive,
                                   const uint64_t *from)
{
    linkstream_mpi_context *own = (linkstream_mpi_context *)context;
    size_t parts = linkstream_mpi_parts(to, own->size) + linkstream_mpi_parts(from, own->size);
    char *in = (char *)receive, *out = (char *)send;
    MPI_Request *requests;
    int count = 0, receives, code = MPI_SUCCESS, r;
    if (parts > INT_MAX) return MPI_ERR_COUNT;
    requests = (MPI_Request *)malloc((parts + 1) * sizeof *requests);
    if (requests == NULL) return MPI_ERR_NO_MEM;
    for (r = 0; r < own->size && code == MPI_SUCCESS; r++) {
        uint64_t left;
        for (left = from[r]; left > 0 && code == MPI_SUCCESS;) {
            uint64_t part = left < LINKSTREAM_MPI_PART ? left : LINKSTREAM_MPI_PART;
            code = MPI_Irecv(in, (int)part, MPI_BYTE, r, 0, own->comm, &requests[count]);
            if (code == MPI_SUCCESS) count++;
            in += part;
            left -= part;
        }
    }
    receives = count;
    for (r = 0; r < own->size && code == MPI_SUCCESS; r++) {
        uint64_t left;
        for (left = to[r]; left > 0 && code == MPI_SUCCESS;) {
            uint64_t part = left < LINKSTREAM_MPI_PART ? left : LINKSTREAM_MPI_PART;
            code = MPI_Isend(out, (int)part, MPI_BYTE, r, 0, own->comm, &requests[count]);
            if (code == MPI_SUCCESS) count++;
            out += part;
            left -= part;
        }
    }
    if (code == MPI_SUCCESS) code = linkstream_mpi_wait(count, requests);
    if (code != MPI_SUCCESS) linkstream_mpi_give_up(receives, count, requests);
    free(requests);
    return code;
}

/* Frees a context, and its duplicate communicator if the ranks can communicate. */
LINKSTREAM_MAY_BE_UNUSED static int linkstream_mpi_release(void *context, int usable)
{
    linkstream_mpi_context *own = (linkstream_mpi_context *)context;
    int code = MPI_SUCCESS;
    if (own != NULL && usable) code = MPI_Comm_free(&own->comm);
    free(own);
    return code;
}

/* The lowest rank on the same computer. */
static int linkstream_mpi_leader(const linkstream_mpi_context *own, int *leader)
{
    MPI_Comm node;
    int code = MPI_Comm_split_type(own->comm, MPI_COMM_TYPE_SHARED, own->rank, MPI_INFO_NULL, &node);
    *leader = own->rank;
    if (code != MPI_SUCCESS) return code;
    code = MPI_Bcast(leader, 1, MPI_INT, 0, node);
    if (code != MPI_SUCCESS) return code;
    return MPI_Comm_free(&node);
}

/* Collective: the ranks of an MPI communicator, which is duplicated. Returns an MPI error code. Errors in the duplicate
 * are returned, too, whatever the error handler of the communicator does. */
LINKSTREAM_MAY_BE_UNUSED static int linkstream_mpi_create(MPI_Comm comm, linkstream_comm *created)
{
    linkstream_mpi_context *own;
    int code;
    memset(created, 0, sizeof *created);
    if (comm == MPI_COMM_NULL) return MPI_ERR_COMM;
    own = (linkstream_mpi_context *)malloc(sizeof *own);
    if (own == NULL) return MPI_ERR_NO_MEM;
    if ((code = MPI_Comm_dup(comm, &own->comm)) != MPI_SUCCESS) {
        free(own);
        return code;
    }
    code = MPI_Comm_set_errhandler(own->comm, MPI_ERRORS_RETURN);
    if (code == MPI_SUCCESS) code = MPI_Comm_rank(own->comm, &own->rank);
    if (code == MPI_SUCCESS) code = MPI_Comm_size(own->comm, &own->size);
    if (code == MPI_SUCCESS) code = linkstream_mpi_leader(own, &created->node_leader);
    if (code != MPI_SUCCESS) {
        linkstream_mpi_release(own, 0);
        return code;
    }
    created->struct_size = sizeof *created;
    created->context = own;
    created->rank = own->rank;
    created->size = own->size;
    created->combine = linkstream_mpi_combine;
    created->broadcast = linkstream_mpi_broadcast;
    created->counts = linkstream_mpi_counts;
    created->exchange = linkstream_mpi_exchange;
    return MPI_SUCCESS;
}

/* Collective: frees the duplicate communicator. */
LINKSTREAM_MAY_BE_UNUSED static int linkstream_mpi_free(linkstream_comm *created)
{
    int code = linkstream_mpi_release(created->context, 1);
    memset(created, 0, sizeof *created);
    return code;
}

#endif
