/* Speed of libscda on MPI, beside MPI-IO and parallel HDF5: an array of 8-byte elements in equal parts, written and read
 * collectively. Arguments: a file name, MiB in all, and a ratio to MPI-IO that must not be exceeded (or nothing). Each time
 * is the smallest of several rounds, from opening the file until it is closed, of the slowest rank. */
#include <mpi.h>
#ifdef WITH_HDF5
#include <hdf5.h>
#endif
#include <scda.h>

#include <stdio.h>
#include <stdlib.h>

enum { OURS, AT_ALL, HDF5, WAYS };
static const char *const names[WAYS] = {"libscda", "MPI-IO", "HDF5"};
static const char *name;
static int rank, size;
static uint64_t own;
static double *data;

static void require(int good, const char *what)
{
    if (good) return;
    fprintf(stderr, "rank %d: %s: %s\n", rank, what, linkstream_last_error()->message);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void with_scda(int is_written)
{
    char userstr[SCDA_USERSTR_SIZE] = "speed", type;
    uint64_t *counts = (uint64_t *)malloc((size_t)size * sizeof *counts), N, E;
    int err, r, decode = 0;
    scda_fcontext *f;
    for (r = 0; r < size; r++) counts[r] = own;
    f = scda_fopen(MPI_COMM_WORLD, name, is_written ? 'w' : 'r', userstr, &err);
    require(f != NULL, "scda_fopen");
    if (is_written) {
        f = scda_fwrite_array(f, data, counts, 8, 0, "array", 0, &err);
    } else {
        f = scda_fread_section_header(f, &type, &N, &E, userstr, &decode, &err);
        require(f != NULL && type == 'A' && E == 8, "scda_fread_section_header");
        f = scda_fread_array_data(f, data, counts, 8, 0, &err);
    }
    require(f != NULL, "the array");
    require(scda_fclose(f, &err) == 0 && err == 0, "scda_fclose");
    free(counts);
}

static void with_mpi_io(int is_written)
{
    MPI_File file;
    MPI_Offset offset = (MPI_Offset)(own * 8 * (uint64_t)rank);
    int mode = is_written ? MPI_MODE_CREATE | MPI_MODE_WRONLY : MPI_MODE_RDONLY, code;
    require(MPI_File_open(MPI_COMM_WORLD, name, mode, MPI_INFO_NULL, &file) == 0, "MPI_File_open");
    code = is_written ? MPI_File_write_at_all(file, offset, data, (int)own, MPI_DOUBLE, MPI_STATUS_IGNORE)
                      : MPI_File_read_at_all(file, offset, data, (int)own, MPI_DOUBLE, MPI_STATUS_IGNORE);
    require(code == 0 && MPI_File_close(&file) == 0, "MPI-IO");
}

#ifdef WITH_HDF5
static void with_hdf5(int is_written)
{
    hsize_t all = own * (hsize_t)size, part = own, start = own * (hsize_t)rank;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), transfer = H5Pcreate(H5P_DATASET_XFER), file, set, of_file, of_memory;
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
    file = is_written ? H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access) : H5Fopen(name, H5F_ACC_RDONLY, access);
    of_file = H5Screate_simple(1, &all, NULL);
    of_memory = H5Screate_simple(1, &part, NULL);
    set = is_written ? H5Dcreate2(file, "array", H5T_NATIVE_DOUBLE, of_file, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)
                     : H5Dopen2(file, "array", H5P_DEFAULT);
    H5Sselect_hyperslab(of_file, H5S_SELECT_SET, &start, NULL, &part, NULL);
    require((is_written ? H5Dwrite(set, H5T_NATIVE_DOUBLE, of_memory, of_file, transfer, data)
                        : H5Dread(set, H5T_NATIVE_DOUBLE, of_memory, of_file, transfer, data)) >= 0, "HDF5");
    H5Dclose(set), H5Sclose(of_memory), H5Sclose(of_file), H5Pclose(transfer), H5Pclose(access);
    require(H5Fclose(file) >= 0, "H5Fclose");
}
#endif

/* Seconds of the slowest rank. The data are checked. */
static double timed(int way, int is_written)
{
    double begin, seconds;
    uint64_t i;
    for (i = 0; i < own; i++) data[i] = is_written ? (double)(own * (uint64_t)rank + i) : -1;
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    if (way == OURS) with_scda(is_written);
    else if (way == AT_ALL) with_mpi_io(is_written);
#ifdef WITH_HDF5
    else with_hdf5(is_written);
#endif
    seconds = MPI_Wtime() - begin;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    for (i = 0; i < own; i++) require(data[i] == (double)(own * (uint64_t)rank + i), "the data that were read");
    return seconds;
}

int main(int argc, char **argv)
{
    double best[WAYS][2], limit = argc > 3 ? atof(argv[3]) : 0, ratio;
    int way, is_written, round, ways = HDF5, status = 0;
#ifdef WITH_HDF5
    ways = WAYS;
#endif
    if (argc < 3) return 2;
    name = argv[1];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    own = ((uint64_t)atoi(argv[2]) << 17) / (uint64_t)size;
    data = (double *)malloc(own * sizeof *data);
    require(data != NULL, "malloc");
    for (round = 0; round < 7; round++)
        for (way = 0; way < ways; way++) {
            if (rank == 0) remove(name);
            for (is_written = 1; is_written >= 0; is_written--) {
                double seconds = timed(way, is_written);
                if (round == 0 || seconds < best[way][is_written]) best[way][is_written] = seconds;
            }
        }
    for (way = 0; way < ways && rank == 0; way++)
        for (is_written = 1; is_written >= 0; is_written--) {
            ratio = best[way][is_written] / best[AT_ALL][is_written];
            printf("%d ranks  %-8s %-8s %8.3f s %8.2f\n", size, is_written ? "written" : "read", names[way],
                   best[way][is_written], ratio);
            if (way == OURS && limit > 0 && ratio > limit) status = 1;
        }
    if (rank == 0) remove(name);
    free(data);
    MPI_Finalize();
    return status;
}
