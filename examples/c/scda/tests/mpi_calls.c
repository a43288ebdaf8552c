/* All section types and encodings on several ranks: the bytes of a serial program, whatever the partition, and reading
 * with other partitions. */
#include <mpi.h>
#include <scda.h>

#include "sections.h"

static int all_good(int is_good)
{
    int all;
    MPI_Allreduce(&is_good, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

/* A communicator with the ranks in reverse order: the file belongs to its ranks, not to those of the world. */
static void reversed(const char *path, const char *serial)
{
    MPI_Comm comm;
    int rank, size, err;
    char userstr[SCDA_USERSTR_SIZE] = "all sections";
    scda_fcontext *f;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
    f = scda_fopen(comm, path, 'w', userstr, &err);
    CHECK(f != NULL && err == 0);
    /* The file has its own communicator. */
    MPI_Comm_free(&comm);
    f = write_sections(f, size - 1 - rank, size, 5, 0, &err);
    CHECK(f != NULL && scda_fclose(f, &err) == 0);
    CHECK(same_files(path, serial));
}

/* Each rank has its own file, and two files at the same time. */
static void alone(const char *directory, const char *serial)
{
    int rank, err, i;
    char name[40], userstr[SCDA_USERSTR_SIZE] = "all sections", *paths[2];
    scda_fcontext *f[2];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (i = 0; i < 2; i++) {
        sprintf(name, "own-%d-%d.scda", rank, i);
        paths[i] = joined(directory, name);
        f[i] = scda_fopen(SCDA_COMM_SELF, paths[i], 'w', userstr, &err);
        CHECK(f[i] != NULL);
    }
    for (i = 0; i < 2; i++) f[i] = write_sections(f[i], 0, 1, i, i, &err);
    for (i = 0; i < 2; i++) {
        CHECK(f[i] != NULL && scda_fclose(f[i], &err) == 0);
        CHECK(same_files(paths[i], serial));
        remove(paths[i]);
        free(paths[i]);
    }
}

/* Each way to access files: the variables of rank 0 count. A negative number: no variables. */
static void accessing(int way)
{
    static const char *const ways[][4] = {
        {"", "", "", ""}, {"ranks", "1", "1M", ""}, {"", "2", "", "1000"}, {"direct", "", "", ""}, {"", "", "512K", "1M"}};
    static const char *const names[] = {"ENGINE", "RANKS", "BUFFER", "STRIPE"};
    char name[40];
    int rank, v;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (v = 0; v < 4; v++) {
        sprintf(name, "LINKSTREAM_IO_%s", names[v]);
        if (way < 0) unsetenv(name);
        else setenv(name, rank == 0 ? ways[way % 5][v] : "wrong", 1);
    }
}

int main(int argc, char **argv)
{
    int rank, size, err, style, indirect;
    char userstr[SCDA_USERSTR_SIZE] = "all sections", *serial, *path;
    scda_fcontext *f;
    MPI_Init(&argc, &argv);
    if (argc < 2) return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    serial = joined(argv[1], "serial.scda");
    path = joined(argv[1], "parallel.scda");
    if (rank == 0) {
        f = scda_fopen_comm(NULL, serial, 'w', userstr, &err);
        CHECK(f != NULL);
        f = write_sections(f, 0, 1, 0, 0, &err);
        CHECK(f != NULL && scda_fclose(f, &err) == 0);
    }
    if (!all_good(!failures)) return MPI_Finalize(), 1;
    for (style = 0; style < STYLES; style++) {
        for (indirect = 0; indirect < 2; indirect++) {
            strcpy(userstr, "all sections");
            accessing(style + indirect);
            f = scda_fopen(MPI_COMM_WORLD, path, 'w', userstr, &err);
            CHECK(f != NULL && err == 0);
            f = write_sections(f, rank, size, style, indirect, &err);
            CHECK(f != NULL && err == 0);
            CHECK(scda_fclose(f, &err) == 0 && err == 0);
            if (rank == 0) CHECK(same_files(path, serial));
            /* Another partition. */
            memset(userstr, '?', sizeof userstr);
            f = scda_fopen(MPI_COMM_WORLD, path, 'r', userstr, &err);
            CHECK(f != NULL && strcmp(userstr, "all sections") == 0);
            f = read_sections(f, rank, size, (style + 1 + indirect) % STYLES, !indirect, style % 2, &err);
            CHECK(f != NULL && err == 0);
            CHECK(scda_fclose(f, &err) == 0);
            if (!all_good(!failures)) return MPI_Finalize(), 1;
        }
    }
    accessing(-1);
    reversed(path, serial);
    alone(argv[1], serial);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) remove(serial), remove(path);
    free(serial);
    free(path);
    failures = !all_good(!failures);
    MPI_Finalize();
    return failures != 0;
}
