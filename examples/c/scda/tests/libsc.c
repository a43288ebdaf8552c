/* libsc's interface in a serial program: the bytes of libsc, every section, errors and misuse. */
#include "libsc.h"

static char *path, *other;

/* The call fails, the error is this one, and the last error has this text. */
#define FAILS(call, code, text) \
    do { \
        errcode.scdaret = SC_SCDA_FERR_LASTCODE, errcode.mpiret = 77; \
        CHECK((call) == NULL); \
        CHECK(errcode.scdaret == (code) && errcode.mpiret == sc_MPI_SUCCESS); \
        CHECK(has_message(text)); \
    } while (0)

static sc_scda_fcontext_t *writing(void)
{
    sc_scda_ferror_t errcode;
    sc_scda_fcontext_t *fc = sc_scda_fopen_write(sc_MPI_COMM_WORLD, other, "misuse", NULL, NULL, &errcode);
    GOOD(fc);
    return fc;
}

/* The file of libsc's test, after the header of its i-th section. */
static sc_scda_fcontext_t *reading(int section)
{
    static const char types[] = "BIIBAAA";
    sc_scda_ferror_t errcode;
    sc_scda_ulong twelve[] = {12}, none[] = {0};
    sc_array_t counts;
    int i;
    sc_scda_fcontext_t *fc = sc_scda_fopen_read(sc_MPI_COMM_WORLD, path, NULL, NULL, NULL, &errcode);
    for (i = 0; i < section; i++) {
        char type;
        size_t N, E;
        int decode = 0;
        if (i > 0 && types[i - 1] == 'B') fc = sc_scda_fread_block_data(fc, NULL, i == 1 ? 15 : 32, 0, &errcode);
        if (i > 0 && types[i - 1] == 'I') fc = sc_scda_fread_inline_data(fc, NULL, 0, &errcode);
        sc_array_init_data(&counts, i == 6 ? none : twelve, sizeof(sc_scda_ulong), 1);
        if (i > 0 && types[i - 1] == 'A') fc = sc_scda_fread_array_data(fc, NULL, &counts, 3, 0, &errcode);
        fc = sc_scda_fread_section_header(fc, NULL, NULL, &type, &N, &E, &decode, &errcode);
        GOOD(fc);
        CHECK(type == types[i]);
    }
    GOOD(fc);
    return fc;
}

static void opening(void)
{
    sc_scda_ferror_t errcode;
    char text[70], *missing = joined(path, "below");
    size_t length = 59;
    sc_scda_fcontext_t *fc;
    memset(text, 't', sizeof text);
    text[69] = 0;
    FAILS(sc_scda_fopen_write(sc_MPI_COMM_WORLD, NULL, "", NULL, NULL, &errcode), SC_SCDA_FERR_ARG, "filename");
    FAILS(sc_scda_fopen_write(sc_MPI_COMM_WORLD, other, NULL, NULL, NULL, &errcode), SC_SCDA_FERR_ARG, "userstr");
    FAILS(sc_scda_fopen_write(sc_MPI_COMM_WORLD, other, text, NULL, NULL, &errcode), SC_SCDA_FERR_ARG, "58");
    FAILS(sc_scda_fopen_write(sc_MPI_COMM_WORLD, other, text, &length, NULL, &errcode), SC_SCDA_FERR_ARG, "58");
    FAILS(sc_scda_fopen_write(sc_MPI_COMM_NULL, other, "", NULL, NULL, &errcode), SC_SCDA_FERR_ARG, "COMM_NULL");
    CHECK(sc_scda_fopen_write(sc_MPI_COMM_WORLD, other, "", NULL, NULL, NULL) == NULL && has_message("err"));
    CHECK(sc_scda_fopen_read(sc_MPI_COMM_WORLD, missing, NULL, NULL, NULL, &errcode) == NULL);
    CHECK(errcode.scdaret == SC_SCDA_FERR_MPI && errcode.mpiret == sc_MPI_ERR_NO_SUCH_FILE && has_message("below"));
    CHECK(sc_scda_fopen_write(sc_MPI_COMM_WORLD, "/", "", NULL, NULL, &errcode) == NULL);
    CHECK(errcode.scdaret == SC_SCDA_FERR_MPI && errcode.mpiret == sc_MPI_ERR_BAD_FILE);
    CHECK(sc_scda_fopen_write(sc_MPI_COMM_WORLD, "/dev/full", "", NULL, NULL, &errcode) == NULL);
    CHECK(errcode.scdaret == SC_SCDA_FERR_MPI && errcode.mpiret == sc_MPI_ERR_NO_SPACE);
    /* 58 bytes with a zero byte among them. */
    length = 58;
    text[3] = 0;
    fc = sc_scda_fopen_write(sc_MPI_COMM_SELF, other, text, &length, NULL, &errcode);
    CHECK(fc != NULL && sc_scda_fclose(fc, &errcode) == 0);
    memset(text, '?', sizeof text);
    fc = sc_scda_fopen_read(sc_MPI_COMM_SELF, other, text, &length, NULL, &errcode);
    CHECK(fc != NULL && length == 58 && text[2] == 't' && text[3] == 0 && text[57] == 't' && text[58] == 0);
    CHECK(text[59] == '?');
    FAILS(sc_scda_fread_section_header(fc, NULL, NULL, NULL, NULL, NULL, NULL, &errcode), SC_SCDA_FERR_ARG, "null");
    free(missing);
}

static void misuse(void)
{
    sc_scda_ferror_t errcode;
    sc_array_t line, block, counts, two_counts, three, handles, sizes, sums;
    char bytes[64] = "", type;
    sc_scda_ulong numbers[] = {2, 1}, each[] = {2, 1}, sum[] = {3, 0};
    size_t N, E;
    int decode = 0;
    sc_scda_fcontext_t *fc;
    sc_array_init_data(&line, bytes, 32, 1);
    sc_array_init_data(&block, bytes, 5, 1);
    sc_array_init_data(&counts, numbers, 8, 1);
    sc_array_init_data(&two_counts, numbers, 8, 2);
    sc_array_init_data(&three, bytes, 3, 2);
    sc_array_init_data(&sizes, each, 8, 2);
    sc_array_init_data(&sums, sum, 8, 1);
    fill(&handles, 2, "ab", 2, 1);

    FAILS(sc_scda_fwrite_inline(NULL, "", NULL, &line, 0, &errcode), SC_SCDA_FERR_ARG, "fc");
    CHECK(sc_scda_fwrite_inline(writing(), "", NULL, &line, 0, NULL) == NULL && has_message("errcode"));
    CHECK(sc_scda_fclose(NULL, &errcode) == -1 && errcode.scdaret == SC_SCDA_FERR_ARG);
    FAILS(sc_scda_fwrite_inline(writing(), NULL, NULL, &line, 0, &errcode), SC_SCDA_FERR_ARG, "user_string");
    FAILS(sc_scda_fwrite_inline(writing(), "", NULL, NULL, 0, &errcode), SC_SCDA_FERR_ARG, "32");
    FAILS(sc_scda_fwrite_inline(writing(), "", NULL, &block, 0, &errcode), SC_SCDA_FERR_ARG, "32");
    FAILS(sc_scda_fwrite_inline(writing(), "", NULL, &line, 1, &errcode), SC_SCDA_FERR_ARG, "root");
    FAILS(sc_scda_fwrite_block(writing(), "", NULL, &block, 6, 0, 0, &errcode), SC_SCDA_FERR_ARG, "block_size");
    FAILS(sc_scda_fwrite_block(writing(), "", NULL, NULL, 6, 0, 0, &errcode), SC_SCDA_FERR_ARG, "block_size");
    FAILS(sc_scda_fwrite_block(writing(), NULL, NULL, &block, 5, 0, 0, &errcode), SC_SCDA_FERR_ARG, "user_string");
    FAILS(sc_scda_fwrite_array(writing(), "", NULL, &three, NULL, 3, 0, 0, &errcode), SC_SCDA_FERR_ARG, "elem_counts");
    FAILS(sc_scda_fwrite_array(writing(), "", NULL, &three, &two_counts, 3, 0, 0, &errcode), SC_SCDA_FERR_ARG,
          "elem_counts");
    FAILS(sc_scda_fwrite_array(writing(), "", NULL, &three, &counts, 4, 0, 0, &errcode), SC_SCDA_FERR_ARG,
          "array_data");
    FAILS(sc_scda_fwrite_array(writing(), "", NULL, NULL, &counts, 3, 0, 0, &errcode), SC_SCDA_FERR_ARG, "array_data");
    FAILS(sc_scda_fwrite_array(writing(), "", NULL, &three, &counts, SIZE_MAX, 0, 0, &errcode), SC_SCDA_FERR_ARG,
          "memory");
    FAILS(sc_scda_fwrite_array(writing(), "", NULL, &three, &counts, 3, 1, 0, &errcode), SC_SCDA_FERR_ARG,
          "sc_array_t");
    FAILS(sc_scda_fwrite_array(writing(), "", NULL, &handles, &counts, 3, 1, 0, &errcode), SC_SCDA_FERR_ARG, "element");
    FAILS(sc_scda_fwrite_array(writing(), NULL, NULL, &three, &counts, 3, 0, 0, &errcode), SC_SCDA_FERR_ARG, "user");
    FAILS(sc_scda_fwrite_varray(writing(), "", NULL, &three, &counts, NULL, &sums, 0, 0, &errcode), SC_SCDA_FERR_ARG,
          "elem_sizes");
    FAILS(sc_scda_fwrite_varray(writing(), "", NULL, &three, &counts, &sizes, NULL, 0, 0, &errcode), SC_SCDA_FERR_ARG,
          "proc_sizes");
    FAILS(sc_scda_fwrite_varray(writing(), "", NULL, &three, &counts, &sizes, &sums, 0, 0, &errcode), SC_SCDA_FERR_ARG,
          "array_data");
    FAILS(sc_scda_fwrite_varray(writing(), "", NULL, &handles, &counts, &sizes, &sums, 1, 0, &errcode),
          SC_SCDA_FERR_ARG, "element");
    FAILS(sc_scda_fwrite_varray(writing(), NULL, NULL, &three, &counts, &sizes, &sums, 0, 0, &errcode),
          SC_SCDA_FERR_ARG, "user_string");
    FAILS(sc_scda_fread_inline_data(writing(), &line, 0, &errcode), SC_SCDA_FERR_USAGE, "writing");

    FAILS(sc_scda_fread_inline_data(reading(0), &line, 0, &errcode), SC_SCDA_FERR_USAGE, "header");
    FAILS(sc_scda_fread_inline_data(reading(1), &line, 0, &errcode), SC_SCDA_FERR_USAGE, "B");
    FAILS(sc_scda_fread_inline_data(reading(2), &block, 0, &errcode), SC_SCDA_FERR_ARG, "32");
    FAILS(sc_scda_fread_block_data(reading(1), &line, 15, 0, &errcode), SC_SCDA_FERR_ARG, "block_size");
    FAILS(sc_scda_fread_block_data(reading(1), NULL, 14, 0, &errcode), SC_SCDA_FERR_ARG, "");
    FAILS(sc_scda_fread_section_header(reading(1), NULL, NULL, &type, &N, &E, &decode, &errcode), SC_SCDA_FERR_USAGE,
          "data");
    FAILS(sc_scda_fread_array_data(reading(5), &three, &counts, 3, 0, &errcode), SC_SCDA_FERR_ARG, "");
    FAILS(sc_scda_fread_array_data(reading(5), &three, &two_counts, 3, 0, &errcode), SC_SCDA_FERR_ARG, "elem_counts");
    FAILS(sc_scda_fread_array_data(reading(5), &handles, &counts, 3, 1, &errcode), SC_SCDA_FERR_ARG, "element");
    FAILS(sc_scda_fread_array_data(reading(5), NULL, &counts, SIZE_MAX, 0, &errcode), SC_SCDA_FERR_ARG, "memory");
    FAILS(sc_scda_fread_varray_sizes(reading(5), NULL, &counts, &errcode), SC_SCDA_FERR_USAGE, "A");
    FAILS(sc_scda_fread_varray_sizes(reading(5), &block, &counts, &errcode), SC_SCDA_FERR_ARG, "elem_sizes");
    FAILS(sc_scda_fread_varray_sizes(reading(5), NULL, NULL, &errcode), SC_SCDA_FERR_ARG, "elem_counts");
    FAILS(sc_scda_fread_varray_data(reading(5), NULL, &counts, NULL, NULL, 0, &errcode), SC_SCDA_FERR_ARG,
          "proc_sizes");
    FAILS(sc_scda_fread_varray_data(reading(5), &three, &counts, NULL, &sums, 0, &errcode), SC_SCDA_FERR_ARG,
          "elem_sizes");
    FAILS(sc_scda_fread_varray_data(reading(5), &three, &counts, &sizes, &sums, 0, &errcode), SC_SCDA_FERR_ARG,
          "array_data");
    fc = reading(1);
    CHECK(sc_scda_fclose(fc, &errcode) == -1 && errcode.scdaret == SC_SCDA_FERR_USAGE);

    sc_array_init(&sums, sizeof(sc_scda_ulong));
    CHECK(sc_scda_proc_sizes(NULL, &counts, &sums, &errcode) == -1 && errcode.scdaret == SC_SCDA_FERR_ARG);
    CHECK(sc_scda_proc_sizes(&sizes, &two_counts, &sums, &errcode) == -1 && has_message("elem_counts"));
    CHECK(sc_scda_proc_sizes(&sizes, NULL, &sums, &errcode) == -1 && has_message("elem_counts"));
    CHECK(sc_scda_proc_sizes(&sizes, &counts, &block, &errcode) == -1 && has_message("proc_sizes"));
    each[0] = UINT64_MAX;
    CHECK(sc_scda_proc_sizes(&sizes, &counts, &sums, &errcode) == -1 && has_message("64 bits"));
    empty(&handles, 1);
    sc_array_reset(&sums);
}

/* The end of the file is no truncation, though libsc has one code for both. A refused call leaves a file of the
 * sections before it, unless an old file is kept until the new one is complete. */
static void ends(void)
{
    sc_scda_ferror_t errcode;
    sc_array_t data;
    char line[33], type;
    size_t length, N, E, closed;
    int decode = 0;
    char *bytes;
    sc_scda_fcontext_t *fc;
    strcpy(line, INLINE_DATA);
    sc_array_init_data(&data, line, 32, 1);
    fc = sc_scda_fwrite_inline(writing(), "kept", NULL, &data, 0, &errcode);
    FAILS(sc_scda_fwrite_inline(fc, "refused", NULL, NULL, 0, &errcode), SC_SCDA_FERR_ARG, "32");
    bytes = contents(other, &length);
    CHECK(length == 224 && memcmp(bytes, "scdata0 libsc ", 14) == 0);
    fc = sc_scda_fopen_read(sc_MPI_COMM_WORLD, other, NULL, NULL, NULL, &errcode);
    GOOD(fc);
    fc = header(fc, 'I', 0, 0, "kept", 0);
    fc = sc_scda_fread_inline_data(fc, NULL, 0, &errcode);
    FAILS(sc_scda_fread_section_header(fc, NULL, NULL, &type, &N, &E, &decode, &errcode), SC_SCDA_FERR_COUNT,
          "no further section");
    CHECK(linkstream_last_error()->rule[0] == 0);
    put(other, bytes, 200);
    fc = sc_scda_fopen_read(sc_MPI_COMM_WORLD, other, NULL, NULL, NULL, &errcode);
    GOOD(fc);
    fc = sc_scda_fread_section_header(fc, NULL, NULL, &type, &N, &E, &decode, &errcode);
    if (fc != NULL) fc = sc_scda_fread_inline_data(fc, &data, 0, &errcode);
    CHECK(fc == NULL && errcode.scdaret == SC_SCDA_FERR_COUNT && linkstream_last_error()->rule[0] != 0);
    /* Every damage of the first 128 bytes, but of the vendor string, is noticed. */
    for (closed = 0; closed < 128; closed++) {
        char kept = bytes[closed];
        bytes[closed] = '\x01';
        put(other, bytes, length);
        bytes[closed] = kept;
        fc = sc_scda_fopen_read(sc_MPI_COMM_WORLD, other, NULL, NULL, NULL, &errcode);
        if (fc != NULL) {
            /* Texts, and padding, which readers ignore (section 2.1). */
            CHECK((closed >= 8 && closed < 32) || (closed >= 34 && closed < 128));
            sc_scda_fclose(fc, &errcode);
        } else {
            CHECK(errcode.scdaret == SC_SCDA_FERR_FORMAT && errcode.mpiret == 0);
        }
    }
    put(other, bytes, length);
    setenv("LINKSTREAM_REPLACE", "complete", 1);
    FAILS(sc_scda_fwrite_inline(writing(), "refused", NULL, NULL, 0, &errcode), SC_SCDA_FERR_ARG, "32");
    unsetenv("LINKSTREAM_REPLACE");
    free(bytes);
    bytes = contents(other, &length);
    CHECK(length == 224 && strstr(bytes, "misuse") != NULL);
    free(bytes);
}

static void decoding(const char *root)
{
    static const struct {
        const char *name;
        sc_scda_ret_t code;
    } files[] = {{"comp-adler", SC_SCDA_FERR_DECODE},        {"comp-B-then-A", SC_SCDA_FERR_DECODE},
                 {"array-truncated-0328", SC_SCDA_FERR_COUNT}, {"array-huge-N", SC_SCDA_FERR_FORMAT}};
    size_t i;
    for (i = 0; i < sizeof files / sizeof files[0]; i++) {
        char name[80], *file, type, room[4096];
        size_t N, E;
        int decode = 1;
        sc_scda_ferror_t errcode;
        sc_array_t data, counts;
        sc_scda_ulong count;
        sc_scda_fcontext_t *fc;
        sprintf(name, "host-tests/fixtures/broken-scda/%s.scda", files[i].name);
        file = joined(root, name);
        fc = sc_scda_fopen_read(sc_MPI_COMM_WORLD, file, NULL, NULL, NULL, &errcode);
        GOOD(fc);
        while (fc != NULL) {
            decode = 1;
            fc = sc_scda_fread_section_header(fc, NULL, NULL, &type, &N, &E, &decode, &errcode);
            if (fc == NULL) break;
            if (type == 'B') {
                sc_array_init_data(&data, room, E, 1);
                NEED(E <= sizeof room);
                fc = sc_scda_fread_block_data(fc, &data, E, 0, &errcode);
            } else if (type == 'A') {
                count = N;
                sc_array_init_data(&data, room, E, N);
                sc_array_init_data(&counts, &count, sizeof count, 1);
                NEED(N * E <= sizeof room);
                fc = sc_scda_fread_array_data(fc, &data, &counts, E, 0, &errcode);
            } else {
                fc = sc_scda_fread_inline_data(fc, NULL, 0, &errcode);
            }
        }
        CHECK(errcode.scdaret == files[i].code && errcode.mpiret == 0 && linkstream_last_error()->rule[0] != 0);
        if (errcode.scdaret != files[i].code) fprintf(stderr, "%s: %d\n", files[i].name, (int)errcode.scdaret);
        free(file);
    }
}

static void texts(void)
{
    int code, length;
    char text[sc_MPI_MAX_ERROR_STRING], seen[8][sc_MPI_MAX_ERROR_STRING];
    sc_scda_ferror_t error = {sc_MPI_SUCCESS, SC_SCDA_FERR_SUCCESS}, class_of;
    CHECK(sc_scda_ferror_is_success(error));
    CHECK(sc_scda_ferror_string(error, text, &length) == 0 && strlen(text) == (size_t)length && length > 0);
    for (code = SC_SCDA_FERR_FORMAT; code < SC_SCDA_FERR_LASTCODE; code++) {
        int other_code;
        error.scdaret = (sc_scda_ret_t)code;
        error.mpiret = code == SC_SCDA_FERR_MPI ? sc_MPI_ERR_NO_SUCH_FILE : 0;
        CHECK(!sc_scda_ferror_is_success(error));
        CHECK(sc_scda_ferror_string(error, text, &length) == 0 && strlen(text) == (size_t)length && length > 0);
        strcpy(seen[code - SC_SCDA_FERR_FORMAT], text);
        for (other_code = SC_SCDA_FERR_FORMAT; other_code < code; other_code++)
            CHECK(strcmp(text, seen[other_code - SC_SCDA_FERR_FORMAT]) != 0);
        CHECK(sc_scda_ferror_class(error, &class_of) == 0 && class_of.scdaret == error.scdaret
              && class_of.mpiret == error.mpiret);
    }
    CHECK(sc_scda_ferror_class(error, NULL) == SC_SCDA_FERR_ARG);
    CHECK(sc_scda_ferror_string(error, NULL, &length) == SC_SCDA_FERR_ARG);
    CHECK(sc_scda_ferror_string(error, text, NULL) == SC_SCDA_FERR_ARG);
    /* Contradictions, and codes of the program's own. */
    error.mpiret = 0;
    CHECK(sc_scda_ferror_string(error, text, &length) == SC_SCDA_FERR_ARG);
    error.scdaret = SC_SCDA_FERR_SUCCESS, error.mpiret = sc_MPI_ERR_IO;
    CHECK(sc_scda_ferror_string(error, text, &length) == SC_SCDA_FERR_ARG && !sc_scda_ferror_is_success(error));
    error.scdaret = SC_SCDA_FERR_LASTCODE, error.mpiret = 0;
    CHECK(sc_scda_ferror_class(error, &class_of) == SC_SCDA_FERR_ARG);
}

/* Errors on purpose: of 400 calls, about every fifth fails, the same ones with the same seed. */
static int fuzzy(sc_rand_state_t seed)
{
    sc_scda_params_t params;
    sc_array_t data;
    char line[33];
    int calls, failed = 0, pattern = 0, codes = 0;
    sc_scda_fcontext_t *fc = NULL;
    strcpy(line, INLINE_DATA);
    sc_array_init_data(&data, line, 32, 1);
    memset(&params, 0, sizeof params);
    params.info = sc_MPI_INFO_NULL;
    params.fuzzy_everyn = 5;
    for (calls = 0; calls < 400; calls++) {
        sc_scda_ferror_t errcode;
        params.fuzzy_seed = seed + (sc_rand_state_t)calls;
        if (fc == NULL) fc = sc_scda_fopen_write(sc_MPI_COMM_WORLD, other, "", NULL, &params, &errcode);
        else fc = sc_scda_fwrite_inline(fc, "", NULL, &data, 0, &errcode);
        CHECK((fc == NULL) == !sc_scda_ferror_is_success(errcode) && sc_scda_is_error(errcode));
        if (fc == NULL) {
            CHECK(has_message("fuzzy"));
            failed++;
            codes |= 1 << (errcode.scdaret - SC_SCDA_FERR_FORMAT);
        }
        pattern = pattern * 3 + (fc == NULL) + 7 * (int)errcode.scdaret;
        pattern &= 0xffffff;
    }
    CHECK(failed > 40 && failed < 120 && codes == 63);
    if (fc != NULL) {
        sc_scda_ferror_t errcode;
        sc_scda_fclose(fc, &errcode);
    }
    return pattern;
}

int main(int argc, char **argv)
{
    int style;
    if (argc < 3) return 1;
    rank = 0, size = 1;
    path = joined(argv[1], "libsc.scda");
    other = joined(argv[1], "other.scda");
    sc_init(sc_MPI_COMM_WORLD, 1, 1, NULL, SC_LP_INFO);
    for (style = 0; style < 2; style++) {
        write_more(sc_MPI_COMM_WORLD, path, style);
        read_more(sc_MPI_COMM_WORLD, path, 1 - style);
        write_as_libsc(sc_MPI_COMM_WORLD, path, style);
        read_as_libsc(sc_MPI_COMM_WORLD, path, 1 - style);
    }
    CHECK(is_like_libsc(path, argv[2]));
    opening();
    misuse();
    ends();
    decoding(argv[2]);
    texts();
    CHECK(fuzzy(1) == fuzzy(1) && fuzzy(1) != fuzzy(1000));
    sc_finalize();
    remove(path), remove(other);
    free(path), free(other);
    return failures != 0;
}
