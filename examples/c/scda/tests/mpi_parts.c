/* The functions of linkstream_mpi.h, with messages above the largest part, which are small here. */
#define LINKSTREAM_MPI_PART ((uint64_t)7)
#include <mpi.h>
#include <scda.h>

#include "check.h"

/* Bytes from a rank to another one: none, fewer than a part, exactly parts, and more. */
static uint64_t length_of(int from, int to)
{
    static const uint64_t lengths[] = {0, 1, 6, 7, 8, 14, 1000};
    return from == to ? 0 : lengths[(from * 3 + to) % 7];
}

static char byte_of(int from, int to, uint64_t at)
{
    return (char)(from * 31 + to * 7 + (int)at);
}

/* What transfer receives. */
typedef struct inbox {
    char **all;
    uint64_t *lengths;
} inbox;

static void *room(void *receiver, int rank, uint64_t length)
{
    inbox *in = receiver;
    CHECK(in->all[rank] == NULL);
    NEED((in->all[rank] = malloc((size_t)length + 1)) != NULL);
    memset(in->all[rank], 'x', (size_t)length + 1);
    in->lengths[rank] = length;
    return in->all[rank];
}

int main(int argc, char **argv)
{
    linkstream_comm comm;
    linkstream_message *messages;
    inbox in;
    uint64_t numbers[3], i;
    size_t count;
    char bytes[1000], *at;
    int rank, size, q, all, root, again;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    NEED(linkstream_mpi_create(MPI_COMM_WORLD, &comm) == MPI_SUCCESS);
    CHECK(comm.struct_size == sizeof comm && comm.rank == rank && comm.size == size && comm.node_leader == 0);
#define COMBINE(op, number) \
    (numbers[0] = (number), numbers[1] = 1, numbers[2] = UINT64_MAX >> 1, \
     comm.combine(comm.context, op, numbers, 2) == 0)
    CHECK(COMBINE(LINKSTREAM_SUM, UINT64_MAX) && numbers[0] == (uint64_t)0 - (uint64_t)size);
    CHECK(numbers[1] == (uint64_t)size && numbers[2] == UINT64_MAX >> 1);
    CHECK(COMBINE(LINKSTREAM_MAX, (UINT64_MAX >> 1) - (uint64_t)rank) && numbers[0] == UINT64_MAX >> 1);
    CHECK(numbers[1] == 1);
    CHECK(COMBINE(LINKSTREAM_XOR, (uint64_t)1 << (rank + 60 - size)) && numbers[1] == (uint64_t)(size % 2));
    CHECK(numbers[0] == (((uint64_t)1 << size) - 1) << (60 - size));
    CHECK(COMBINE(LINKSTREAM_SCAN, (uint64_t)rank + 1));
    CHECK(numbers[0] == (uint64_t)(rank * (rank + 1) / 2) && numbers[1] == (uint64_t)rank);
    CHECK(comm.combine(comm.context, LINKSTREAM_SUM, numbers, 0) == 0);

    for (root = 0; root < size; root++) {
        for (i = 0; i < sizeof bytes; i++) bytes[i] = rank == root ? byte_of(root, 0, i) : 'x';
        CHECK(comm.broadcast(comm.context, root, bytes, 990) == 0);
        for (i = 0; i < 990; i++) CHECK(bytes[i] == byte_of(root, 0, i));
        CHECK(rank == root || bytes[990] == 'x');
    }
    CHECK(comm.broadcast(comm.context, 0, bytes, 0) == 0);

    messages = calloc((size_t)size, sizeof *messages);
    in.all = calloc((size_t)size, sizeof *in.all);
    in.lengths = calloc((size_t)size, sizeof *in.lengths);
    NEED(messages != NULL && in.all != NULL && in.lengths != NULL);
    for (again = 0; again < 3; again++) {
        for (q = 0, count = 0; q < size; q++) {
            uint64_t length = q == rank ? 0 : length_of(rank, q);
            in.all[q] = NULL, in.lengths[q] = 0;
            if (length == 0) continue;
            NEED((at = malloc((size_t)length)) != NULL);
            for (i = 0; i < length; i++) at[i] = byte_of(rank, q, i);
            messages[count].rank = q, messages[count].bytes = at, messages[count++].length = length;
        }
        CHECK(comm.transfer(comm.context, messages, count, room, &in) == 0);
        for (q = 0; q < size; q++) {
            CHECK(in.lengths[q] == (q == rank ? 0 : length_of(q, rank)));
            for (i = 0; i < in.lengths[q]; i++) CHECK(in.all[q][i] == byte_of(q, rank, i));
            CHECK(in.all[q] == NULL || in.all[q][in.lengths[q]] == 'x');
            free(in.all[q]);
        }
        for (i = 0; i < count; i++) free((void *)messages[i].bytes);
    }
    CHECK(comm.transfer(comm.context, NULL, 0, room, &in) == 0);
    free(messages), free(in.all), free(in.lengths);
    CHECK(linkstream_mpi_free(&comm) == MPI_SUCCESS && comm.context == NULL);
    CHECK(linkstream_mpi_create(MPI_COMM_NULL, &comm) != MPI_SUCCESS);
    /* Nothing is left to free. */
    CHECK(linkstream_mpi_free(&comm) == MPI_SUCCESS);

    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return all != 0;
}
