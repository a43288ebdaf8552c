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

/* Tags of the messages of transfer. */
enum { LINKSTREAM_MPI_EVEN = 1, LINKSTREAM_MPI_ODD = 2, LINKSTREAM_MPI_BYTES = 3 };

/* What the functions need, and the watchdog. */
typedef struct linkstream_mpi_context {
    MPI_Comm comm;
    int rank;
    int size;
    int announcement;    /* Tag of the announcements of the last transfer */
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

/* Requests, and room for more. */
typedef struct linkstream_mpi_requests {
    MPI_Request *all;
    size_t count;
    size_t room;
} linkstream_mpi_requests;

/* Room for one more request. */
static MPI_Request *linkstream_mpi_next(linkstream_mpi_requests *requests)
{
    if (requests->count == requests->room) {
        size_t room = 2 * requests->room + 8;
        MPI_Request *all = room > INT_MAX ? NULL : (MPI_Request *)realloc(requests->all, room * sizeof *all);
        if (all == NULL) return NULL;
        requests->all = all;
        requests->room = room;
    }
    return &requests->all[requests->count++];
}

/* Begins to send bytes, or to receive them, in parts. */
static int linkstream_mpi_parts(linkstream_mpi_context *own, linkstream_mpi_requests *requests, int is_sent, char *bytes,
                                uint64_t length, int rank)
{
    int code = MPI_SUCCESS;
    while (length > 0 && code == MPI_SUCCESS) {
        uint64_t part = length < LINKSTREAM_MPI_PART ? length : LINKSTREAM_MPI_PART;
        MPI_Request *request = linkstream_mpi_next(requests);
        if (request == NULL) return MPI_ERR_NO_MEM;
        code = is_sent ? MPI_Isend(bytes, (int)part, MPI_BYTE, rank, LINKSTREAM_MPI_BYTES, own->comm, request)
                       : MPI_Irecv(bytes, (int)part, MPI_BYTE, rank, LINKSTREAM_MPI_BYTES, own->comm, request);
        if (code != MPI_SUCCESS) requests->count--;
        bytes += part;
        length -= part;
    }
    return code;
}

/* Takes the announcements that have arrived, and begins to receive their messages. */
static int linkstream_mpi_take(linkstream_mpi_context *own, linkstream_mpi_requests *requests,
                               void *(*room)(void *receiver, int rank, uint64_t length), void *receiver)
{
    for (;;) {
        MPI_Status status;
        uint64_t length;
        int is_there = 0, code = MPI_Iprobe(MPI_ANY_SOURCE, own->announcement, own->comm, &is_there, &status);
        char *bytes;
        if (code != MPI_SUCCESS || !is_there) return code;
        code = MPI_Recv(&length, 1, MPI_UINT64_T, status.MPI_SOURCE, own->announcement, own->comm, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS) return code;
        bytes = (char *)room(receiver, status.MPI_SOURCE, length);
        if (bytes == NULL) return MPI_ERR_NO_MEM;
        code = linkstream_mpi_parts(own, requests, 0, bytes, length, status.MPI_SOURCE);
        if (code != MPI_SUCCESS) return code;
    }
}

/* A rank does not know which ranks have messages for it, and a table of all ranks would cost memory and time. So each
 * message is announced by its length, with a request that ends only when the receiver has taken it. A rank whose
 * announcements have all been taken enters a barrier, and goes on taking announcements until all ranks have entered it:
 * there can be no others then (Hoefler, Siebert and Lumsdaine, PPoPP 2010). A rank that has left may announce messages of
 * the next transfer while others are still in this one, so the tags alternate. */
static int linkstream_mpi_transfer(void *context, const linkstream_message *messages, size_t count,
                                   void *(*room)(void *receiver, int rank, uint64_t length), void *receiver)
{
    linkstream_mpi_context *own = (linkstream_mpi_context *)context;
    linkstream_mpi_requests announcements = {NULL, 0, 0}, parts = {NULL, 0, 0};
    MPI_Request barrier;
    int code = MPI_SUCCESS, is_in_barrier = 0, done = 0, looks = 0;
    double since = 0;
    size_t m, taken = 0;
    own->announcement = LINKSTREAM_MPI_EVEN + LINKSTREAM_MPI_ODD - own->announcement;
    for (m = 0; m < count && code == MPI_SUCCESS; m++) {
        MPI_Request *request = linkstream_mpi_next(&announcements);
        if (request == NULL) code = MPI_ERR_NO_MEM;
        else code = MPI_Issend((void *)&messages[m].length, 1, MPI_UINT64_T, messages[m].rank, own->announcement, own->comm,
                               request);
        if (code == MPI_SUCCESS)
            code = linkstream_mpi_parts(own, &parts, 1, (char *)messages[m].bytes, messages[m].length, messages[m].rank);
    }
    while (code == MPI_SUCCESS) {
        code = linkstream_mpi_take(own, &parts, room, receiver);
        for (done = 1; code == MPI_SUCCESS && done && taken < announcements.count; taken += (size_t)done)
            code = MPI_Test(&announcements.all[taken], &done, MPI_STATUS_IGNORE);
        if (code == MPI_SUCCESS && is_in_barrier) code = MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS || (done && is_in_barrier)) break;
        if (done) {
            code = MPI_Ibarrier(own->comm, &barrier);
            is_in_barrier = 1;
        } else if (++looks > 100) {
            linkstream_mpi_watch(own, &since);
            sched_yield();
        }
    }
    if (code == MPI_SUCCESS) code = linkstream_mpi_wait(own, (int)parts.count, parts.all);
    free(announcements.all);
    free(parts.all);
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
    own->announcement = LINKSTREAM_MPI_EVEN;
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
    created->transfer = linkstream_mpi_transfer;
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
