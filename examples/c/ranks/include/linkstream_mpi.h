/* linkstream_comm for MPI, compiled by the mpicc of the program. */
#ifndef LINKSTREAM_MPI_H
#define LINKSTREAM_MPI_H

#include <limits.h>
#include <sched.h>
#include <stdio.h>
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

/* Seconds after which a rank that waits asks whether the others wait, too, or have left to MPI_Finalize. */
#ifndef LINKSTREAM_MPI_PATIENCE
#define LINKSTREAM_MPI_PATIENCE 2.0
#endif

/* What the functions need, and the watchdog. */
typedef struct linkstream_mpi_context {
    MPI_Comm comm;
    int rank;
    int size;
    MPI_Comm watch;      /* For the votes of the watchdog */
    MPI_Request vote;    /* A vote that not all ranks have taken part in so far, if `is_voting` */
    uint64_t votes[2];   /* Largest over all ranks: 1 if it waits; its number + 1 if it has left */
    uint64_t rounds;     /* Votes so far */
    int is_voting;
    int stuck;           /* Consecutive votes in which a rank waited and another one had left */
    int has_left;        /* 1 in MPI_Finalize, 2 if all ranks are there */
    int is_unwatched;    /* The ranks cannot communicate, or this context is being freed */
    struct linkstream_mpi_context *next;
} linkstream_mpi_context;

/* All contexts of the process. */
#ifdef __GNUC__
__attribute__((weak)) linkstream_mpi_context *linkstream_mpi_contexts;
#else
static linkstream_mpi_context *linkstream_mpi_contexts;
#endif

/* The watchdog. A rank that skips a call, or passes no open file, and leaves to MPI_Finalize would leave the others
 * waiting for ever. Ranks that wait for some time, and those in MPI_Finalize, vote. A vote ends when all ranks have
 * taken part: none is still working then. If a rank has left, a call that begins afterwards cannot end. Votes can be
 * old, so the second one in a row decides. Returns 1 if a vote has ended. */
static int linkstream_mpi_vote(linkstream_mpi_context *own)
{
    int done = 0, code = MPI_SUCCESS;
    if (own->is_unwatched) return 0;
    if (!own->is_voting) {
        own->votes[0] = own->has_left ? 0 : 1;
        own->votes[1] = own->has_left ? (uint64_t)own->rank + 1 : 0;
        code = MPI_Iallreduce(MPI_IN_PLACE, own->votes, 2, MPI_UINT64_T, MPI_MAX, own->watch, &own->vote);
        own->is_voting = code == MPI_SUCCESS;
        own->rounds++;
    }
    if (code == MPI_SUCCESS) code = MPI_Test(&own->vote, &done, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS) own->is_unwatched = 1;
    if (code != MPI_SUCCESS || !done) return 0;
    own->is_voting = 0;
    own->stuck = own->votes[0] != 0 && own->votes[1] != 0 ? own->stuck + 1 : 0;
    return 1;
}

/* Votes if this rank has waited for long. If it waits for a rank that has left, it ends the job. */
static void linkstream_mpi_watch(linkstream_mpi_context *own, double *since)
{
    double now = MPI_Wtime();
    if (*since == 0) *since = now;
    if (now - *since < LINKSTREAM_MPI_PATIENCE || !linkstream_mpi_vote(own)) return;
    *since = now;
    if (own->stuck < 2) return;
    fprintf(stderr, "rank %d waits in a collective call of linkstream, but rank %d is in MPI_Finalize: it has skipped "
            "the call, or passed no open file to it. The job is aborted.\n", own->rank, (int)(own->votes[1] - 1));
    fflush(stderr);
    MPI_Abort(own->comm, 1);
}

/* Called at the beginning of MPI_Finalize, where MPI can still be used. Waits for all ranks, as MPI_Finalize does. */
static int linkstream_mpi_leave(MPI_Comm self, int key, void *value, void *extra)
{
    linkstream_mpi_context *own;
    int left;
    (void)self, (void)key, (void)value, (void)extra;
    do {
        left = 0;
        for (own = linkstream_mpi_contexts; own != NULL; own = own->next) {
            if (own->is_unwatched || own->has_left == 2) continue;
            left = 1;
            own->has_left = 1;
            if (linkstream_mpi_vote(own) && own->votes[0] == 0) own->has_left = 2;
        }
        if (left) sched_yield();
    } while (left);
    return MPI_SUCCESS;
}

/* Watches a context from now on. */
static int linkstream_mpi_begin_watch(linkstream_mpi_context *own)
{
    static int key = MPI_KEYVAL_INVALID;
    int code = MPI_Comm_dup(own->comm, &own->watch);
    if (code == MPI_SUCCESS) code = MPI_Comm_set_errhandler(own->watch, MPI_ERRORS_RETURN);
    if (code == MPI_SUCCESS && key == MPI_KEYVAL_INVALID) {
        code = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, linkstream_mpi_leave, &key, NULL);
        if (code == MPI_SUCCESS) code = MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    }
    if (code != MPI_SUCCESS) return code;
    own->next = linkstream_mpi_contexts;
    linkstream_mpi_contexts = own;
    return MPI_SUCCESS;
}

/* Waits for requests. Some MPI libraries never give the processor away while they wait, which costs a factor of 30 if
 * there are more ranks than cores. */
static int linkstream_mpi_wait(linkstream_mpi_context *own, int count, MPI_Request *requests)
{
    int r, tests = 0;
    double since = 0;
    for (r = 0; r < count; r++) {
        int done = 0;
        while (!done) {
            int code = MPI_Test(&requests[r], &done, MPI_STATUS_IGNORE);
            if (code != MPI_SUCCESS) return code;
            if (!done && ++tests > 100) {
                linkstream_mpi_watch(own, &since);
                sched_yield();
            }
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
        if (code == MPI_SUCCESS) code = linkstream_mpi_wait(own, 1, &request);
        /* On rank 0, MPI leaves the result undefined. */
        if (own->rank == 0) memset(numbers, 0, count * sizeof *numbers);
        else memcpy(numbers, lower, count * sizeof *numbers);
        free(lower);
        return code;
    }
    code = MPI_Iallreduce(MPI_IN_PLACE, numbers, (int)count, MPI_UINT64_T, with, own->comm, &request);
    return code != MPI_SUCCESS ? code : linkstream_mpi_wait(own, 1, &request);
}

static int linkstream_mpi_broadcast(void *context, int root, void *bytes, size_t length)
{
    linkstream_mpi_context *own = (linkstream_mpi_context *)context;
    char *from = (char *)bytes;
    while (length > 0) {
        size_t part = length < LINKSTREAM_MPI_PART ? length : (size_t)LINKSTREAM_MPI_PART;
        MPI_Request request;
        int code = MPI_Ibcast(from, (int)part, MPI_BYTE, root, own->comm, &request);
        if (code == MPI_SUCCESS) code = linkstream_mpi_wait(own, 1, &request);
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
    return code != MPI_SUCCESS ? code : linkstream_mpi_wait(own, 1, &request);
}

/* Ends requests after an error: the memory of the messages is freed afterwards. Receives are given up; sends of which
 * the receiver has begun its part complete. */
static void linkstream_mpi_give_up(linkstream_mpi_context *own, int receives, int count, MPI_Request *requests)
{
    int r;
    for (r = 0; r < receives; r++)
        if (requests[r] != MPI_REQUEST_NULL) MPI_Cancel(&requests[r]);
    (void)linkstream_mpi_wait(own, count, requests);
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
    if (code == MPI_SUCCESS) code = linkstream_mpi_wait(own, count, requests);
    if (code != MPI_SUCCESS) linkstream_mpi_give_up(own, receives, count, requests);
    free(requests);
    return code;
}

/* Collective: ends the watch of a context. All ranks take part in the same votes. */
static int linkstream_mpi_end_watch(linkstream_mpi_context *own)
{
    uint64_t rounds = own->rounds;
    int was_unwatched = own->is_unwatched, code;
    /* No vote begins while the ranks agree on the last one. */
    own->is_unwatched = 1;
    code = linkstream_mpi_combine(own, LINKSTREAM_MAX, &rounds, 1);
    own->is_unwatched = was_unwatched;
    while (code == MPI_SUCCESS && !own->is_unwatched && (own->is_voting || own->rounds < rounds))
        if (!linkstream_mpi_vote(own)) sched_yield();
    return code == MPI_SUCCESS && !own->is_voting ? MPI_Comm_free(&own->watch) : code;
}

/* Frees a context, and its duplicate communicators if the ranks can communicate. */
LINKSTREAM_MAY_BE_UNUSED static int linkstream_mpi_release(void *context, int usable)
{
    linkstream_mpi_context *own = (linkstream_mpi_context *)context, **place = &linkstream_mpi_contexts;
    int code = MPI_SUCCESS;
    if (own == NULL) return MPI_SUCCESS;
    while (*place != NULL && *place != own) place = &(*place)->next;
    if (*place == own) {
        *place = own->next;
        if (usable) code = linkstream_mpi_end_watch(own);
    }
    if (usable && code == MPI_SUCCESS) code = MPI_Comm_free(&own->comm);
    /* MPI may still write the result of a vote that has not ended. */
    if (!own->is_voting) free(own);
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
    own = (linkstream_mpi_context *)calloc(1, sizeof *own);
    if (own == NULL) return MPI_ERR_NO_MEM;
    if ((code = MPI_Comm_dup(comm, &own->comm)) != MPI_SUCCESS) {
        free(own);
        return code;
    }
    code = MPI_Comm_set_errhandler(own->comm, MPI_ERRORS_RETURN);
    if (code == MPI_SUCCESS) code = MPI_Comm_rank(own->comm, &own->rank);
    if (code == MPI_SUCCESS) code = MPI_Comm_size(own->comm, &own->size);
    if (code == MPI_SUCCESS) code = linkstream_mpi_leader(own, &created->node_leader);
    if (code == MPI_SUCCESS) code = linkstream_mpi_begin_watch(own);
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
