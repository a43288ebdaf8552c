// The headers in C++, with and without MPI: compiled as C++11, and linked with the library.
#ifdef SCDA_TEST_MPI
#include <mpi.h>
#endif
#include <scda.h>

#include <libsc/sc_scda.h>

#include <cstdio>
#include <string>

int main(int argc, char **argv)
{
    if (argc < 2) return 1;
#ifdef SCDA_TEST_MPI
    MPI_Init(&argc, &argv);
#endif
    const std::string path = std::string(argv[1]) + "/cxx.scda";
    char userstr[SCDA_USERSTR_SIZE] = "C++", type = 0;
    int err = 0, rank = 0, size = 1, decode = 1, status = 1;
#ifdef SCDA_TEST_MPI
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#endif
    uint64_t counts[64] = {0}, N_found = 0, E = 0;
    for (int q = 0; q < size && q < 64; q++) counts[q] = 1;
    char room[2] = {0, 0};
    const scda_comm comm = SCDA_COMM_WORLD;
    scda_fcontext *f = scda_fopen(comm, path.c_str(), 'w', userstr, &err);
    if (f != nullptr) f = scda_fwrite_array(f, "ab", counts, 2, 0, "array", 1, &err);
    if (f != nullptr && scda_fclose(f, &err) == 0) {
        f = scda_fopen(comm, path.c_str(), 'r', userstr, &err);
        if (f != nullptr) f = scda_fread_section_header(f, &type, &N_found, &E, userstr, &decode, &err);
        if (f != nullptr) f = scda_fread_array_data(f, room, counts, E, 0, &err);
        if (f != nullptr && scda_fclose(f, &err) == 0 && type == 'A' && room[0] == 'a' && room[1] == 'b') status = 0;
    }
    if (status != 0) std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, linkstream_last_error()->message);
#ifdef SCDA_TEST_MPI
    MPI_Barrier(MPI_COMM_WORLD);
#endif
    if (rank == 0) std::remove(path.c_str());
#ifdef SCDA_TEST_MPI
    MPI_Finalize();
#endif
    return status;
}
