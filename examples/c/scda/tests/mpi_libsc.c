/* libsc's interface on several ranks: the bytes of one rank, other partitions, and errors that all ranks get. */
#define SC_ENABLE_MPI 1
#include "libsc.h"

static char *path, *other;

/* The outcome of a call is the same on all ranks. */
static void agreed(int line, int failed, sc_scda_ferror_t errcode, sc_scda_ret_t code, const char *text)
{
    int own[4], all[4];
    own[0] = (int)errcode.scdaret, own[1] = -(int)errcode.scdaret, own[2] = failed, own[3] = has_message(text);
    MPI_Allreduce(own, all, 4, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (all[0] != (int)code || all[1] != -(int)code || !all[2] || !all[3]) {
        fprintf(stderr, "%s:%d: rank %d: code %d, expected %d with \"%s\" (last error: %s)\n", __FILE__, line, rank,
                (int)errcode.scdaret, (int)code, text, linkstream_last_error()->message);
        failures++;
    }
}

#define FAILS(call, code, text) \
    do { \
        sc_scda_ferror_t errcode; \
        int failed = (call) == NULL; \
        agreed(__LINE__, failed, errcode, code, text); \
    } while (0)

#define LAST(usual, different) (rank == size - 1 ? (different) : (usual))

static sc_scda_fcontext_t *writing(void)
{
    sc_scda_ferror_t errcode;
    sc_scda_fcontext_t *fc = sc_scda_fopen_write(sc_MPI_COMM_WORLD, other, "misuse", NULL, NULL, &errcode);
    GOOD(fc);
    return fc;
}

static sc_scda_fcontext_t *reading(void)
{
    sc_scda_ferror_t errcode;
    sc_scda_fcontext_t *fc = sc_scda_fopen_read(sc_MPI_COMM_WORLD, path, NULL, NULL, NULL, &errcode);
    GOOD(fc);
    return fc;
}

/* What is wrong, or different, on the last rank only. */
static void misuse(void)
{
    sc_array_t line, block, counts, others, three, sizes, sums;
    char bytes[64] = "", type;
    size_t N, E;
    int decode = 0;
    sc_scda_params_t params;
    sc_array_init_data(&line, bytes, 32, 1);
    sc_array_init_data(&block, bytes, 5, 1);
    divide(&counts, 2 * (sc_scda_ulong)size, 0);
    divide(&others, 2 * (sc_scda_ulong)size, 1);
    sc_array_init_data(&three, bytes, 3, 2);
    memset(&params, 0, sizeof params);
    params.info = sc_MPI_INFO_NULL;
    if (size > 1) {
        params.fuzzy_everyn = rank == 0 ? 0 : 1000;
        FAILS(sc_scda_fopen_write(sc_MPI_COMM_WORLD, other, "", NULL, &params, &errcode), SC_SCDA_FERR_ARG, "fuzzy");
        FAILS(sc_scda_fopen_read(sc_MPI_COMM_WORLD, path, NULL, NULL, LAST(NULL, &params), &errcode), SC_SCDA_FERR_ARG,
              "fuzzy");
        params.fuzzy_everyn = 1000, params.fuzzy_seed = rank == 0 ? 1 : UINT64_C(1) << 40;
        FAILS(sc_scda_fopen_read(sc_MPI_COMM_WORLD, path, NULL, NULL, &params, &errcode), SC_SCDA_FERR_ARG, "fuzzy");
        FAILS(sc_scda_fwrite_block(writing(), "", NULL, &line, rank == 0 ? 32 : 33, 0, 0, &errcode), SC_SCDA_FERR_ARG,
              "33");
        FAILS(sc_scda_fwrite_array(writing(), "", NULL, NULL, LAST(&counts, &others), 0, 0, 0, &errcode),
              SC_SCDA_FERR_ARG, "N_q");
        FAILS(rank == 0 ? sc_scda_fread_inline_data(reading(), NULL, 0, &errcode)
                        : sc_scda_fread_section_header(reading(), NULL, NULL, &type, &N, &E, &decode, &errcode),
              SC_SCDA_FERR_USAGE, "header");
        FAILS(sc_scda_fopen_write(sc_MPI_COMM_WORLD, LAST(other, path), "", NULL, NULL, &errcode), SC_SCDA_FERR_ARG,
              "filename");
    }
    FAILS(sc_scda_fwrite_inline(writing(), "", NULL, LAST(&line, &block), size - 1, &errcode), SC_SCDA_FERR_ARG, "32");
    FAILS(sc_scda_fwrite_array(writing(), "", NULL, LAST(&three, &block), &counts, 3, 0, 0, &errcode), SC_SCDA_FERR_ARG,
          "array_data");
    FAILS(sc_scda_fwrite_array(writing(), "", NULL, &three, LAST(&counts, &block), 3, 0, 0, &errcode), SC_SCDA_FERR_ARG,
          "elem_counts");
    FAILS(sc_scda_fread_section_header(reading(), NULL, NULL, LAST(&type, NULL), &N, &E, &decode, &errcode),
          SC_SCDA_FERR_ARG, "null");
    {
        sc_scda_ferror_t errcode;
        int failed;
        memset(&errcode, 0, sizeof errcode);
        errcode.scdaret = SC_SCDA_FERR_ARG;
        /* A rank without room for the error, too. */
        failed = NULL == sc_scda_fread_section_header(reading(), NULL, NULL, &type, &N, &E, &decode,
                                                      LAST(&errcode, NULL));
        agreed(__LINE__, failed, errcode, SC_SCDA_FERR_ARG, "errcode");
        sc_array_init_data(&sizes, bytes, 8, 2);
        sc_array_init(&sums, LAST(8, 4));
        CHECK(sc_scda_proc_sizes(&sizes, &counts, &sums, &errcode) == -1 && errcode.scdaret == SC_SCDA_FERR_ARG);
    }
    sc_array_reset(&counts), sc_array_reset(&others);
}

/* As in libsc's test: a call that the ranks refuse leaves a file of the sections before it. */
static void kept(void)
{
    sc_array_t data;
    sc_scda_ferror_t errcode;
    char line[33];
    sc_scda_fcontext_t *fc;
    strcpy(line, INLINE_DATA);
    sc_array_init_data(&data, line, 32, 1);
    fc = sc_scda_fwrite_inline(writing(), "kept", NULL, &data, 0, &errcode);
    GOOD(fc);
    FAILS(sc_scda_fwrite_block(fc, "", NULL, NULL, 5, 0, 0, &errcode), SC_SCDA_FERR_ARG, "block_size");
    fc = sc_scda_fopen_read(sc_MPI_COMM_WORLD, other, NULL, NULL, NULL, &errcode);
    GOOD(fc);
    fc = header(fc, 'I', 0, 0, "kept", 0);
    fc = sc_scda_fread_inline_data(fc, &data, 0, &errcode);
    GOOD(fc);
    CHECK(sc_scda_fclose(fc, &errcode) == 0);
}

int main(int argc, char **argv)
{
    int style, wrong;
    char *serial;
    sc_scda_ferror_t errcode;
    CHECK(sc_MPI_Init(&argc, &argv) == sc_MPI_SUCCESS);
    if (argc < 3) return 1;
    sc_MPI_Comm_rank(sc_MPI_COMM_WORLD, &rank);
    sc_MPI_Comm_size(sc_MPI_COMM_WORLD, &size);
    path = joined(argv[1], "libsc.scda");
    other = joined(argv[1], "other.scda");
    serial = joined(argv[1], "serial.scda");
    {
        int all = size, number = rank;
        rank = 0, size = 1;
        if (number == 0) write_more(sc_MPI_COMM_SELF, serial, 0);
        rank = number, size = all;
    }
    sc_MPI_Barrier(sc_MPI_COMM_WORLD);
    for (style = 0; style < 2; style++) {
        write_more(sc_MPI_COMM_WORLD, path, style);
        if (rank == 0) CHECK(same_files(path, serial));
        read_more(sc_MPI_COMM_WORLD, path, 1 - style);
        write_as_libsc(sc_MPI_COMM_WORLD, path, style);
        read_as_libsc(sc_MPI_COMM_WORLD, path, 1 - style);
        if (rank == 0) CHECK(is_like_libsc(path, argv[2]));
        sc_MPI_Barrier(sc_MPI_COMM_WORLD);
    }
    misuse();
    kept();
    CHECK(sc_scda_fopen_read(sc_MPI_COMM_NULL, path, NULL, NULL, NULL, &errcode) == NULL);
    CHECK(errcode.scdaret == SC_SCDA_FERR_MPI && errcode.mpiret != MPI_SUCCESS);
    MPI_Allreduce(&failures, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0) remove(path), remove(other), remove(serial);
    free(path), free(other), free(serial);
    sc_MPI_Finalize();
    return wrong != 0;
}
