/* DML_route_bytes between all pairs of ranks, as QDP++ calls it. Arguments: a directory, and the root of the repository. */
#include "lattice.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, from, to;
    size_t length = 100000, i;
    char *bytes = (char *)malloc(length);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (from = 0; from < size; from++) {
        for (to = 0; to < size; to++) {
            for (i = 0; i < length; i++) bytes[i] = (char)(rank * 31 + (int)i);
            CHECK(DML_route_bytes(bytes, length, from, to) == QIO_SUCCESS);
            for (i = 0; i < length; i++) CHECK(bytes[i] == (char)((rank == to ? from : rank) * 31 + (int)i));
        }
    }
    free(bytes);
    MPI_Finalize();
    return 0;
}
