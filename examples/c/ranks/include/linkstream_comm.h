/* Communication between the ranks of a parallel program, by functions of the program.
 *
 * The libraries of linkstream contain no MPI: one build serves every MPI library, and programs without any. A program
 * that uses MPI includes linkstream_mpi.h, which its own mpicc compiles; others fill in this structure. */
#ifndef LINKSTREAM_COMM_H
#define LINKSTREAM_COMM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Operations of combine. */
enum {
    LINKSTREAM_SUM = 0,  /* Sum modulo 2^64 */
    LINKSTREAM_MAX = 1,  /* Largest number; all are below 2^63 */
    LINKSTREAM_XOR = 2,  /* Exclusive or */
    LINKSTREAM_SCAN = 3  /* Sum modulo 2^64 of the numbers of all lower ranks; 0 on rank 0 */
};

/* A message to another rank. */
typedef struct linkstream_message {
    int rank;
    const void *bytes;
    uint64_t length; /* At least 1 */
} linkstream_message;

/* The ranks of a program, seen by one of them. All functions are collective: all ranks call them in the same order, with
 * the same op, root, count of numbers and length. They return 0, or another number if the ranks cannot communicate; then
 * the call of the library fails on this rank, and no communication through this structure is possible any more.
 * They must return: neither longjmp nor a C++ exception may leave them. A single rank needs no functions. */
typedef struct linkstream_comm {
    size_t struct_size; /* sizeof(linkstream_comm) */
    void *context;      /* First argument of each function */
    int rank;           /* Number of this rank, from 0 */
    int size;           /* Number of ranks, at least 1 */
    int node_leader;    /* Lowest rank on the same computer; it accesses files for the others */
    /* Replaces each number by the combination of the numbers of all ranks at the same place. */
    int (*combine)(void *context, int op, uint64_t *numbers, size_t count);
    /* Copies the bytes of rank root to all other ranks. */
    int (*broadcast)(void *context, int root, void *bytes, size_t length);
    /* Messages between ranks: either `transfer`, or `counts` and `exchange`; the others are NULL.
     *
     * transfer sends messages, at most one to each other rank, and receives the messages for this rank, in any order. For
     * each of them it calls room(receiver, rank, length), which returns where the bytes of this rank go, or NULL if there
     * is no memory: then transfer fails. After an error, the bytes of messages are never freed, because they may still be
     * on their way. Cost and memory need not grow with the number of ranks, unlike those of counts. */
    int (*transfer)(void *context, const linkstream_message *messages, size_t count,
                    void *(*room)(void *receiver, int rank, uint64_t length), void *receiver);
    /* Sends the number to[r] to each rank r, and receives from[r]. Both arrays have `size` numbers. */
    int (*counts)(void *context, const uint64_t *to, uint64_t *from);
    /* Sends to[r] bytes to each rank r, and receives from[r] bytes from it. The bytes for and from the ranks are in the
     * order of the ranks, without gaps. */
    int (*exchange)(void *context, const void *send, const uint64_t *to, void *receive, const uint64_t *from);
} linkstream_comm;

#ifdef __cplusplus
}
#endif
#endif
