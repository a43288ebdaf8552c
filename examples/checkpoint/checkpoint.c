/* Checkpoints of a simulation in scda files: checkpoint DIRECTORY STEPS [ABORT]. Copy it, and replace the simulation.
 *
 * The simulation continues from the newest checkpoint in the directory, on any number of ranks, and writes one every
 * EVERY steps. Two files take turns, so the two newest checkpoints are kept. Each appears under its name when it is
 * complete: a job that is killed at any time leaves the older ones. ABORT is a step: the job ends while it writes that
 * checkpoint, for tests. checkpoint.f90 and checkpoint.rs write the same bytes. */
#include <inttypes.h>
#include <mpi.h>
#include <scda.h>
#include <stdio.h>
#include <stdlib.h>

#define CELLS 1000 /* Of all ranks */
#define VALUES 3   /* Of each cell */
#define EVERY 10   /* Steps between checkpoints */

/* A known number, written as this computer has it in memory: a reader finds other bytes if its own order differs. */
static const uint64_t KNOWN = UINT64_C(0x0102030405060708);

enum { NONE = -1, DAMAGED = -2 };

static int rank, ranks;
static uint64_t *n_q; /* Number of cells of each rank */

/* Prints the last error, on one rank: it is the same on all of them. */
static void report(const char *path)
{
    if (rank == 0) fprintf(stderr, "%s: %s\n", path, linkstream_last_error()->message);
}

static uint64_t swapped(uint64_t number)
{
    uint64_t other = 0;
    int i;
    for (i = 0; i < 8; i++) other = other << 8 | (number >> 8 * i & 0xff);
    return other;
}

/* Writes a checkpoint. Returns 0, or -1 on all ranks. */
static int save(const char *path, int64_t step, const double *cells, int64_t abort_at)
{
    int err;
    char known[SCDA_INLINE_SIZE], userstr[] = "checkpoint";
    scda_fcontext *f = NULL;
    scda_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.replace = SCDA_REPLACE_COMPLETE; /* The file gets its name in scda_fclose. */
    memset(known, ' ', sizeof known);
    memcpy(known, &KNOWN, sizeof KNOWN);
    known[sizeof known - 1] = '\n';
    f = scda_fopen_mpi(MPI_COMM_WORLD, &options, path, 'w', userstr, NULL, &err);
    if (f != NULL) f = scda_fwrite_inline(f, known, "known number", 0, &err);
    if (f != NULL) f = scda_fwrite_block(f, &step, sizeof step, "step", 0, 0, &err);
    /* With 1 instead of the last 0, each cell is compressed, with a checksum: worth it for cells of 1 kB or more. */
    if (f != NULL) f = scda_fwrite_array(f, cells, n_q, VALUES * sizeof *cells, 0, "cells", 0, &err);
    if (f != NULL && step == abort_at && rank == ranks - 1) MPI_Abort(MPI_COMM_WORLD, 9);
    if (f != NULL && scda_fclose(f, &err) == 0) return 0;
    report(path);
    return -1;
}

/* Reads the next header, which must be this one. */
static scda_fcontext *header(scda_fcontext *f, char type, uint64_t N, uint64_t E, const char *name)
{
    int err, decode = 1;
    char found, userstr[SCDA_USERSTR_SIZE];
    uint64_t n, e;
    f = scda_fread_section_header(f, &found, &n, &e, userstr, &decode, &err);
    if (f != NULL && found == type && n == N && e == E && strcmp(userstr, name) == 0) return f;
    /* The same on all ranks, so all of them refuse. */
    if (f != NULL) scda_frefuse(f, "this is no checkpoint of this program", &err);
    return NULL;
}

/* Reads a checkpoint; without cells, only its step. Returns the step, NONE without a file, or DAMAGED, on all ranks. */
static int64_t load(const char *path, double *cells)
{
    int err, is_other;
    char known[SCDA_INLINE_SIZE];
    uint64_t number = 0, step = 0, i;
    scda_fcontext *f = scda_fopen(MPI_COMM_WORLD, path, 'r', NULL, &err);
    if (f == NULL && err == SCDA_ERR_NO_FILE) return NONE;
    if (f != NULL) f = header(f, 'I', 0, 0, "known number");
    if (f != NULL) f = scda_fread_inline_data(f, known, 0, &err);
    if (f != NULL) f = header(f, 'B', 0, sizeof step, "step");
    if (f != NULL) f = scda_fread_block_data(f, &step, sizeof step, 0, &err);
    if (f != NULL) f = header(f, 'A', CELLS, VALUES * sizeof *cells, "cells");
    /* Without cells, this skips them, and finds whether the file is as long as it claims. */
    if (f != NULL) f = scda_fread_array_data(f, cells, n_q, VALUES * sizeof *cells, 0, &err);
    if (f == NULL || scda_fclose(f, &err) != 0) {
        report(path);
        return DAMAGED;
    }
    if (rank == 0) memcpy(&number, known, sizeof number);
    MPI_Bcast(&number, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    MPI_Bcast(&step, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    is_other = number == swapped(KNOWN);
    if (number != KNOWN && !is_other) {
        if (rank == 0) fprintf(stderr, "%s: the known number is in no order of bytes\n", path);
        return DAMAGED;
    }
    if (!is_other) return (int64_t)step;
    if (rank == 0 && cells != NULL) printf("%s: from a computer with another order of bytes\n", path);
    for (i = 0; cells != NULL && i < n_q[rank] * VALUES; i++) {
        uint64_t bytes;
        memcpy(&bytes, cells + i, sizeof bytes);
        bytes = swapped(bytes);
        memcpy(cells + i, &bytes, sizeof bytes);
    }
    return (int64_t)swapped(step);
}

/* One step of the simulation: each cell by itself, so the result does not depend on the number of ranks. */
static void simulate(int64_t step, uint64_t first, double *cells)
{
    uint64_t i;
    for (i = 0; i < n_q[rank]; i++) {
        cells[VALUES * i] += (double)step;
        cells[VALUES * i + 1] += 0.5 * (double)((first + i) % 16);
        cells[VALUES * i + 2] -= 0.25 * (double)step;
    }
}

int main(int argc, char **argv)
{
    int64_t steps, abort_at, step = NONE, found[2];
    uint64_t first = 0, i;
    double *cells, sum = 0, all = 0;
    char paths[2][1000];
    int q, slot, status = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc < 3) return MPI_Finalize(), 2;
    steps = strtoll(argv[2], NULL, 10);
    abort_at = argc > 3 ? strtoll(argv[3], NULL, 10) : -1;
    n_q = calloc((size_t)ranks, sizeof *n_q);
    if (n_q == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    for (q = 0; q < ranks; q++) {
        n_q[q] = (uint64_t)(CELLS * (q + 1) / ranks - CELLS * q / ranks);
        if (q < rank) first += n_q[q];
    }
    cells = calloc(n_q[rank] * VALUES + 1, sizeof *cells);
    if (cells == NULL) MPI_Abort(MPI_COMM_WORLD, 1);

    /* The newest checkpoint, or the other one if that cannot be read. */
    for (slot = 0; slot < 2; slot++) {
        snprintf(paths[slot], sizeof paths[slot], "%s/state.%d.scda", argv[1], slot);
        found[slot] = load(paths[slot], NULL);
    }
    slot = found[1] > found[0];
    if (found[slot] >= 0) step = load(paths[slot], cells);
    if (step < 0 && found[!slot] >= 0) step = load(paths[slot = !slot], cells);
    if (step >= 0) {
        if (rank == 0) printf("continued from %s, step %" PRId64 "\n", paths[slot], step);
    } else if (found[0] == NONE && found[1] == NONE) {
        step = 0;
    } else {
        /* A simulation that began again would overwrite what may still be saved. */
        if (rank == 0) fprintf(stderr, "no checkpoint can be read\n");
        return MPI_Finalize(), 1;
    }

    status = 0;
    while (step < steps && status == 0) {
        step++;
        simulate(step, first, cells);
        if (step % EVERY == 0) status = save(paths[step / EVERY % 2], step, cells, abort_at);
    }
    for (i = 0; i < n_q[rank] * VALUES; i++) sum += cells[i];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0 && status == 0) printf("step %" PRId64 ", sum %.2f\n", step, all);
    free(cells);
    free(n_q);
    MPI_Finalize();
    return status != 0;
}
