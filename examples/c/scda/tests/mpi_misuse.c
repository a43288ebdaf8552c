/* Misuse and failures on several ranks: what fails on one rank is the same code on all ranks, and none waits for ever.
 * */
#include <mpi.h>
#include <scda.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"

static int rank, size, last;
static char *path, *other;
static uint64_t *N_q, *S_q, *wrong_q;
static const uint64_t E_i[] = {1, 2};
static char room[64];

/* The outcome of a call is the same on all ranks: this code, no file, and an error with this text. */
static void agreed(int line, int failed, int err, int code, const char *text)
{
    int own[4], all[4];
    own[0] = err, own[1] = -err, own[2] = failed, own[3] = has_message(text);
    MPI_Allreduce(own, all, 4, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (all[0] != code || all[1] != -code || !all[2] || !all[3]) {
        fprintf(stderr, "%s:%d: rank %d: code %d, expected %d on all ranks with \"%s\" (last error: %s)\n", __FILE__,
                line, rank, err, code, text, linkstream_last_error()->message);
        failures++;
    }
}

#define FAILS(call, code, text) \
    do { \
        int err = 0, failed = (call) == NULL; \
        agreed(__LINE__, failed, err, code, text); \
    } while (0)

/* A value that differs on the last rank. */
#define LAST(usual, different) (last ? (different) : (usual))

static scda_fcontext *writing(void)
{
    int err;
    char userstr[] = "misuse";
    scda_fcontext *f = scda_fopen(MPI_COMM_WORLD, other, 'w', userstr, &err);
    NEED(f != NULL);
    return f;
}

/* Sections I, B, A (3 bytes), V, compressed V, compressed A: two elements on each rank. */
static void create(const char *name)
{
    int err;
    char userstr[] = "file";
    scda_fcontext *f = scda_fopen(MPI_COMM_WORLD, name, 'w', userstr, &err);
    f = scda_fwrite_inline(f, "0123456789abcdef0123456789abcdef", "i", 0, &err);
    f = scda_fwrite_block(f, "block", 5, "b", size - 1, 0, &err);
    f = scda_fwrite_array(f, "abcdef", N_q, 3, 0, "a", 0, &err);
    f = scda_fwrite_varray(f, "122", N_q, E_i, S_q, 0, "v", 0, &err);
    f = scda_fwrite_varray(f, "122", N_q, E_i, S_q, 0, "v", 1, &err);
    f = scda_fwrite_array(f, "abcdef", N_q, 3, 0, "a", 1, &err);
    NEED(f != NULL && scda_fclose(f, &err) == 0);
}

/* The file after the header of its i-th section. */
static scda_fcontext *reading(int section)
{
    int err, decode, i;
    char type;
    uint64_t N, E;
    scda_fcontext *f = scda_fopen(MPI_COMM_WORLD, path, 'r', NULL, &err);
    for (i = 0; i < section; i++) {
        if (i > 0) f = scda_fskip(f, &err);
        decode = 1;
        f = scda_fread_section_header(f, &type, &N, &E, NULL, &decode, &err);
    }
    NEED(f != NULL);
    return f;
}

static void opening(void)
{
    char userstr[SCDA_USERSTR_SIZE] = "x", *missing = joined(path, "below"), long_name[70];
    scda_options options;
    memset(long_name, 'n', sizeof long_name);
    long_name[69] = 0;
    FAILS(scda_fopen(MPI_COMM_WORLD, LAST(path, other), 'w', userstr, &err), SCDA_ERR_DIFFERENT, "scda_fopen: filename is");
    FAILS(scda_fopen(MPI_COMM_WORLD, path, LAST('w', 'r'), userstr, &err), SCDA_ERR_DIFFERENT, "scda_fopen: mode is");
    FAILS(scda_fopen(MPI_COMM_WORLD, path, LAST('w', 'a'), userstr, &err), SCDA_ERR_ARGUMENT, "mode");
    userstr[0] = LAST('x', 'y');
    FAILS(scda_fopen(MPI_COMM_WORLD, path, 'w', userstr, &err), SCDA_ERR_DIFFERENT, "scda_fopen: userstr is");
    FAILS(scda_fopen(MPI_COMM_WORLD, path, 'w', LAST(userstr, NULL), &err), SCDA_ERR_ARGUMENT, "userstr");
    FAILS(scda_fopen(MPI_COMM_WORLD, path, 'w', LAST(userstr, long_name), &err), SCDA_ERR_ARGUMENT, "58");
    FAILS(scda_fopen(MPI_COMM_WORLD, LAST(path, NULL), 'r', userstr, &err), SCDA_ERR_ARGUMENT, "filename");
    FAILS(scda_fopen(MPI_COMM_WORLD, missing, 'w', userstr + 1, &err), SCDA_ERR_NO_FILE, "below");
    FAILS(scda_fopen(MPI_COMM_WORLD, missing, 'r', userstr, &err), SCDA_ERR_NO_FILE, "below");
    FAILS(scda_fopen(MPI_COMM_WORLD, "/dev/full", 'w', userstr + 1, &err), SCDA_ERR_NO_SPACE, "");
    FAILS(scda_fopen(MPI_COMM_WORLD, "/dev/null", 'r', userstr, &err), SCDA_ERR_TRUNCATED, "ends");
    {
        int err = SCDA_ERR_ARGUMENT, failed = scda_fopen(MPI_COMM_WORLD, path, 'r', NULL, LAST(&err, NULL)) == NULL;
        agreed(__LINE__, failed, err, SCDA_ERR_ARGUMENT, "err");
    }
    /* MPI_COMM_NULL is no communicator, on any rank. */
    {
        int err = 0, failed = scda_fopen(MPI_COMM_NULL, path, 'r', NULL, &err) == NULL;
        agreed(__LINE__, failed, err, SCDA_ERR_COMM, "communicat");
    }
    {
        linkstream_comm comm;
        NEED(linkstream_mpi_create(MPI_COMM_WORLD, &comm) == MPI_SUCCESS);
        memset(&options, 0, sizeof options);
        options.struct_size = sizeof options;
        options.level = LAST(0, 5);
        FAILS(scda_fopen_with(&comm, &options, path, 'w', userstr + 1, NULL, &err), SCDA_ERR_DIFFERENT, "scda_fopen");
        options.level = LAST(0, 50);
        FAILS(scda_fopen_with(&comm, &options, path, 'w', userstr + 1, NULL, &err), SCDA_ERR_ARGUMENT, "level");
        options.level = 0;
        if (size > 1) {
            options.keep = LAST(0, 1);
            FAILS(scda_fopen_with(&comm, &options, path, 'w', userstr + 1, NULL, &err), SCDA_ERR_DIFFERENT, "keep");
            options.keep = 0;
        }
        options.strict = LAST(0, 1);
        FAILS(scda_fopen_with(&comm, &options, path, 'r', NULL, NULL, &err), SCDA_ERR_DIFFERENT, "scda_fopen");
        options.strict = 0;
        options.io_stripe = LAST(0, 1);
        FAILS(scda_fopen_with(&comm, &options, path, 'r', NULL, NULL, &err), SCDA_ERR_DIFFERENT, "io_stripe is");
        options.io_stripe = 0;
        setenv("LINKSTREAM_IO_RANKS", rank == 0 ? "-1" : "1", 1);
        FAILS(scda_fopen_with(&comm, &options, path, 'r', NULL, NULL, &err), SCDA_ERR_ARGUMENT, "LINKSTREAM_IO_RANKS is -1");
        unsetenv("LINKSTREAM_IO_RANKS");
        options.struct_size = LAST(sizeof options, 1);
        FAILS(scda_fopen_with(&comm, &options, path, 'r', NULL, NULL, &err), SCDA_ERR_ARGUMENT, "struct_size");
        NEED(linkstream_mpi_free(&comm) == MPI_SUCCESS);
        options.struct_size = LAST(sizeof options, 40);
        FAILS(scda_fopen_mpi(MPI_COMM_WORLD, &options, path, 'r', NULL, NULL, &err), SCDA_ERR_ARGUMENT, "struct_size");
        options.struct_size = sizeof options;
        options.strict = 0;
        options.vendor = "twenty-one characters";
        FAILS(scda_fopen_mpi(MPI_COMM_WORLD, &options, path, 'w', userstr + 1, NULL, &err), SCDA_ERR_ARGUMENT, "20");
    }
    free(missing);
}

/* One rank refuses the call of the others, for a reason of its own. */
static void refused(void)
{
    int agrees;
    scda_fcontext *f = writing();
    CHECK(scda_frefuse(f, NULL, &agrees) == f && agrees == 0);
    FAILS(last ? scda_frefuse(f, "the layer's own reason", &err) : scda_fwrite_inline(f, room, "", 0, &err),
          SCDA_ERR_ARGUMENT, "the layer's own reason");
    FAILS(last ? scda_frefuse(reading(1), "the layer's own reason", &err) : scda_frefuse(reading(1), NULL, &err),
          SCDA_ERR_ARGUMENT, "the layer's own reason");
    if (size > 1)
        FAILS(last ? scda_frefuse(reading(0), NULL, &err) : scda_fskip(reading(0), &err), SCDA_ERR_SEQUENCE, "header");
    if (size > 1)
        FAILS(last ? scda_frefuse(writing(), NULL, &err) : scda_fwrite_inline(writing(), room, "", 0, &err),
              SCDA_ERR_DIFFERENT, "scda_frefuse");
}

static void arguments_of_writing(void)
{
    const void *elements[] = {"abc", NULL};
    const uint64_t overflow[] = {UINT64_MAX, 2}, sizes[] = {2, 2};
    const void *broken = LAST((const void *)"abcdef", NULL);
    elements[1] = LAST("def", NULL);
    FAILS(scda_fwrite_inline(writing(), broken, "", size - 1, &err), SCDA_ERR_ARGUMENT, "dbytes");
    FAILS(scda_fwrite_inline(writing(), room, LAST("", "x"), 0, &err), SCDA_ERR_DIFFERENT, "userstr is");
    FAILS(scda_fwrite_inline(writing(), room, LAST("", NULL), 0, &err), SCDA_ERR_ARGUMENT, "userstr");
    FAILS(scda_fwrite_inline_n(writing(), room, "abc", LAST(2, 3), 0, &err), SCDA_ERR_DIFFERENT, "userstr is");
    FAILS(scda_fwrite_inline_n(writing(), room, room, LAST(2, 59), 0, &err), SCDA_ERR_ARGUMENT, "58");
    FAILS(scda_fwrite_inline(writing(), room, "", size, &err), SCDA_ERR_ARGUMENT, "root");
    FAILS(scda_fwrite_inline(writing(), room, "", LAST(0, -1), &err), SCDA_ERR_ARGUMENT, "root");
    if (size > 1) FAILS(scda_fwrite_inline(writing(), room, "", LAST(0, 1), &err), SCDA_ERR_DIFFERENT, "root is");
    FAILS(scda_fwrite_block(writing(), room, LAST(1, 2), "", 0, 0, &err), SCDA_ERR_DIFFERENT, "E is");
    FAILS(scda_fwrite_block(writing(), room, 1, "", 0, LAST(0, 1), &err), SCDA_ERR_DIFFERENT, "encode is");
    FAILS(scda_fwrite_block(writing(), broken, 5, "", size - 1, 1, &err), SCDA_ERR_ARGUMENT, "dbytes");
    FAILS(scda_fwrite_array(writing(), room, LAST(N_q, wrong_q), 1, 0, "", 0, &err), SCDA_ERR_DIFFERENT, "N_q is");
    FAILS(scda_fwrite_array(writing(), room, LAST(N_q, NULL), 1, 0, "", 0, &err), SCDA_ERR_ARGUMENT, "N_q");
    FAILS(scda_fwrite_array(writing(), room, N_q, LAST(1, 2), 0, "", 0, &err), SCDA_ERR_DIFFERENT, "E is");
    FAILS(scda_fwrite_array(writing(), room, N_q, 1, 0, "", LAST(0, 1), &err), SCDA_ERR_DIFFERENT, "encode is");
    FAILS(scda_fwrite_array(writing(), elements, N_q, 3, 1, "", 0, &err), SCDA_ERR_ARGUMENT, "element");
    FAILS(scda_fwrite_array(writing(), elements, N_q, 3, 1, "", 1, &err), SCDA_ERR_ARGUMENT, "element");
    FAILS(scda_fwrite_array(writing(), LAST((void *)elements, (void *)room), N_q, 0, LAST(1, 0), "", 1, &err),
          SCDA_ERR_DIFFERENT, "indirect is");
    FAILS(scda_fwrite_array(writing(), broken, N_q, 3, 0, "", 1, &err), SCDA_ERR_ARGUMENT, "dbytes");
    FAILS(scda_fwrite_varray(writing(), "122", N_q, LAST(E_i, sizes), S_q, 0, "", 0, &err), SCDA_ERR_ARGUMENT, "S_q");
    FAILS(scda_fwrite_varray(writing(), "122", N_q, LAST(E_i, NULL), S_q, 0, "", 0, &err), SCDA_ERR_ARGUMENT, "E_i");
    FAILS(scda_fwrite_varray(writing(), "122", N_q, LAST(E_i, overflow), S_q, 0, "", 1, &err), SCDA_ERR_ARGUMENT, "");
    FAILS(scda_fwrite_varray(writing(), "122", N_q, E_i, LAST(S_q, NULL), 0, "", 0, &err), SCDA_ERR_ARGUMENT, "S_q");
    FAILS(scda_fwrite_varray(writing(), broken, N_q, E_i, S_q, 0, "", 1, &err), SCDA_ERR_ARGUMENT, "dbytes");
    FAILS(scda_fwrite_varray(writing(), elements, N_q, E_i, S_q, 1, "", 0, &err), SCDA_ERR_ARGUMENT, "element");
}

/* Ranks that make different calls, which without a comparison would wait for each other for ever. */
static void different_calls(void)
{
    int call, err;
    for (call = 0; call < 9; call++) {
        scda_fcontext *f = call < 5 ? writing() : reading(call == 8 ? 4 : 3);
        uint64_t N, E;
        char type;
        int decode = 1, failed;
        err = 0;
        if (!last) {
            failed = call < 5 ? scda_fwrite_array(f, "abcdef", N_q, 3, 0, "", 1, &err) == NULL
                              : scda_fread_array_data(f, room, N_q, 3, 0, &err) == NULL;
            if (call == 8) failed = 1;
        } else {
            switch (call) {
            case 0: failed = scda_fclose(f, &err) != 0; break;
            case 1: failed = scda_fwrite_inline(f, room, "", 0, &err) == NULL; break;
            case 2: failed = scda_fwrite_block(f, "b", 1, "", 0, 1, &err) == NULL; break;
            case 3: failed = scda_fwrite_varray(f, "122", N_q, E_i, S_q, 0, "", 1, &err) == NULL; break;
            case 4: failed = scda_fwrite_array(f, "abcdef", N_q, 3, 0, "", 0, &err) == NULL; break;
            case 5: failed = scda_fskip(f, &err) == NULL; break;
            /* These are errors by themselves. */
            case 6: failed = scda_fclose(f, &err) != 0; break;
            case 7: failed = scda_fread_section_header(f, &type, &N, &E, NULL, &decode, &err) == NULL; break;
            default: failed = scda_fread_varray_sizes(f, NULL, N_q, &err) == NULL; break;
            }
        }
        agreed(__LINE__, failed, err, call < 6 ? SCDA_ERR_DIFFERENT : SCDA_ERR_SEQUENCE, "");
    }
    {
        scda_fcontext *f = reading(0);
        uint64_t N, E;
        char type;
        int decode = LAST(0, 1), failed;
        err = 0;
        failed = scda_fread_section_header(f, &type, &N, &E, NULL, &decode, &err) == NULL;
        agreed(__LINE__, failed, err, SCDA_ERR_DIFFERENT, "scda_fread_section_header: decode is");
    }
}

static void arguments_of_reading(void)
{
    void *same[2], *null_rooms[2];
    uint64_t N, E, wrong[] = {2, 1};
    char type;
    int decode = 1, section;
    scda_fcontext *f;
    same[0] = room, same[1] = LAST(room + 3, room + 2);
    null_rooms[0] = room, null_rooms[1] = LAST(room + 3, NULL);
    FAILS(scda_fread_inline_data(reading(1), room, LAST(0, size), &err), SCDA_ERR_ARGUMENT, "root");
    FAILS(scda_fread_block_data(reading(2), room, LAST(5, 6), 0, &err), SCDA_ERR_ARGUMENT, "N is 6");
    if (size > 1) FAILS(scda_fread_block_data(reading(2), room, 5, LAST(0, 1), &err), SCDA_ERR_DIFFERENT, "root is");
    for (section = 3; section <= 6; section += 3) {
        FAILS(scda_fread_array_data(reading(section), room, LAST(N_q, wrong_q), 3, 0, &err), SCDA_ERR_ARGUMENT,
              "N_q has");
        FAILS(scda_fread_array_data(reading(section), room, LAST(N_q, NULL), 3, 0, &err), SCDA_ERR_ARGUMENT, "N_q");
        FAILS(scda_fread_array_data(reading(section), room, N_q, LAST(3, 4), 0, &err), SCDA_ERR_ARGUMENT, "E is 4");
        FAILS(scda_fread_array_data(reading(section), same, N_q, 3, 1, &err), SCDA_ERR_ARGUMENT, "overlap");
        FAILS(scda_fread_array_data(reading(section), null_rooms, N_q, 3, 1, &err), SCDA_ERR_ARGUMENT, "null");
    }
    for (section = 4; section <= 5; section++) {
        FAILS(scda_fread_varray_sizes(reading(section), NULL, LAST(N_q, wrong_q), &err), SCDA_ERR_ARGUMENT, "N_q has");
        FAILS(scda_fread_varray_data(reading(section), room, N_q, E_i, S_q, 0, &err), SCDA_ERR_SEQUENCE, "sizes");
        f = scda_fread_varray_sizes(reading(section), NULL, N_q, &decode);
        FAILS(scda_fread_varray_data(f, room, N_q, LAST(E_i, wrong), S_q, 0, &err), SCDA_ERR_ARGUMENT, "E_i");
        f = scda_fread_varray_sizes(reading(section), NULL, N_q, &decode);
        FAILS(scda_fread_varray_data(f, room, N_q, LAST(E_i, NULL), S_q, 0, &err), SCDA_ERR_ARGUMENT, "E_i");
        f = scda_fread_varray_sizes(reading(section), NULL, N_q, &decode);
        FAILS(scda_fread_varray_data(f, room, N_q, E_i, LAST(S_q, wrong_q), 0, &err), SCDA_ERR_ARGUMENT, "S_q");
        if (size > 1) {
            /* The right number of elements, but not the partition of the sizes. */
            uint64_t *moved = calloc((size_t)size, 8);
            if (moved == NULL) exit(1);
            memcpy(moved, N_q, (size_t)size * 8);
            moved[0]++, moved[1]--;
            f = scda_fread_varray_sizes(reading(section), NULL, N_q, &decode);
            FAILS(scda_fread_varray_data(f, NULL, moved, NULL, NULL, 0, &err), SCDA_ERR_ARGUMENT, "partition");
            f = scda_fread_varray_sizes(reading(section), NULL, N_q, &decode);
            FAILS(scda_fread_varray_data(f, NULL, LAST(N_q, moved), NULL, NULL, 0, &err), SCDA_ERR_DIFFERENT, "data");
            free(moved);
        }
    }
    decode = 1;
    FAILS(scda_fread_section_header(reading(0), LAST(&type, NULL), &N, &E, NULL, &decode, &err), SCDA_ERR_ARGUMENT,
          "type");
    FAILS(scda_fwrite_inline(reading(0), room, "", 0, &err), SCDA_ERR_SEQUENCE, "reading");
    {
        int err = 0, failed = scda_fclose(reading(2), &err) != 0;
        agreed(__LINE__, failed, err, SCDA_ERR_SEQUENCE, "closed");
    }
}

/* Damage in the elements of one rank. */
static void damage(void)
{
    size_t length, at;
    char *bytes;
    int i;
    uint64_t N, E, sizes[2];
    char type;
    MPI_Barrier(MPI_COMM_WORLD);
    bytes = contents(path, &length);
    NEED(bytes != NULL);
    /* The last text is the compressed element of the last rank. */
    for (at = length; at > 0 && bytes[at - 1] != '='; at--) {}
    for (; at > 0 && memcmp(bytes + at - 4, "==\n=", 4) != 0 && memcmp(bytes + at - 2, "=\n", 2) != 0; at--) {}
    for (i = 0; i < 3; i++) {
        size_t end = i == 0 ? length : i == 1 ? length - 70 : length - 1;
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) {
            char *changed = malloc(length);
            if (changed == NULL) exit(1);
            memcpy(changed, bytes, length);
            /* In the Adler-32 of the last element. */
            if (i == 0) changed[at - 8] ^= 1;
            put(path, changed, end);
            free(changed);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        if (i == 0) {
            FAILS(scda_fread_array_data(reading(6), room, N_q, 3, 0, &err), SCDA_ERR_DECODE, "");
            CHECK(linkstream_last_error()->has_offset && linkstream_last_error()->rule[0] != 0);
            CHECK(strcmp(linkstream_last_error()->clause, "scda, section 3.1") == 0);
        } else {
            int err = 0, decode = 1;
            scda_fcontext *f = scda_fskip(reading(5), &err);
            f = scda_fread_section_header(f, &type, &N, &E, NULL, &decode, &err);
            if (f != NULL) f = scda_fskip(f, &err);
            if (f != NULL) f = scda_fread_section_header(f, &type, &N, &E, NULL, &decode, &err);
            agreed(__LINE__, f == NULL, err, SCDA_ERR_TRUNCATED, "ends");
        }
    }
    /* A size of one rank. */
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        char *line = NULL;
        for (at = 0; at + 32 < length && line == NULL; at++)
            if (memcmp(bytes + at, "V v -", 5) == 0) line = bytes + at + 96 + 32 * (2 * (size_t)size - 1);
        if (line == NULL) exit(1);
        line[3] = '5';
        put(path, bytes, length);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    FAILS(scda_fread_varray_sizes(reading(4), sizes, N_q, &err), SCDA_ERR_FORMAT, "count");
    FAILS(scda_fskip(reading(4), &err), SCDA_ERR_FORMAT, "count");
    free(bytes);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A rank that may not write, while the others may. */
static void full(void)
{
    struct rlimit usual, small;
    int root, who, err;
    signal(SIGXFSZ, SIG_IGN);
    NEED(getrlimit(RLIMIT_FSIZE, &usual) == 0);
    for (who = 0; who < size; who++) {
        for (root = 0; root < size; root++) {
            scda_fcontext *f = writing();
            int failed;
            small = usual;
            small.rlim_cur = 150;
            if (rank == who) NEED(setrlimit(RLIMIT_FSIZE, &small) == 0);
            err = 0;
            f = scda_fwrite_block(f, "block", 5, "", root, root % 2, &err);
            failed = f == NULL;
            if (!failed) failed = scda_fwrite_array(f, "abcdef", N_q, 3, 0, "", 0, &err) == NULL;
            /* The ranks of one computer write through one of them, here rank 0. */
            if (who == 0 || who == root) agreed(__LINE__, failed, err, SCDA_ERR_NO_SPACE, "");
            else CHECK(!failed && err == 0 && scda_fclose(f, &err) == 0);
            if (rank == who) NEED(setrlimit(RLIMIT_FSIZE, &usual) == 0);
        }
    }
}

int main(int argc, char **argv)
{
    int q;
    MPI_Init(&argc, &argv);
    if (argc < 2) return 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    /* A rank that waits for ever ends the test. */
    alarm(100);
    last = rank == size - 1;
    path = joined(argv[1], "mpi-misuse.scda");
    other = joined(argv[1], "mpi-misuse-other.scda");
    N_q = calloc((size_t)size, 8), S_q = calloc((size_t)size, 8), wrong_q = calloc((size_t)size, 8);
    if (N_q == NULL || S_q == NULL || wrong_q == NULL) return 1;
    for (q = 0; q < size; q++) N_q[q] = 2, S_q[q] = 3, wrong_q[q] = 2 + (q == 0);
    if (size > 1) {
        create(path);
        opening();
        refused();
    arguments_of_writing();
        create(path);
        different_calls();
        create(path);
        arguments_of_reading();
    }
    create(path);
    damage();
    full();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) remove(path), remove(other);
    free(path), free(other), free(N_q), free(S_q), free(wrong_q);
    {
        int all;
        MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        failures = all;
    }
    MPI_Finalize();
    return failures != 0;
}
