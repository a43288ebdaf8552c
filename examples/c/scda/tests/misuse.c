/* The misuse table in a serial program, and with communication that fails: each case ends in a code and a last error.
 * */
#include <pthread.h>
#include <scda.h>
#include <unistd.h>

#include "check.h"

static char *path, *other;
static const uint64_t ONE = 1, TWO = 2, THREE = 3, FOUR = 4;

/* The call fails with this code, the file is closed, and the last error has this text. */
#define FAILS(call, code, text) \
    do { \
        int wanted = code; \
        err = 0; \
        CHECK((call) == NULL); \
        CHECK(err == wanted); \
        CHECK(has_message(text)); \
    } while (0)

static scda_fcontext *writing(void)
{
    int err;
    char userstr[] = "misuse";
    scda_fcontext *f = scda_fopen(SCDA_COMM_WORLD, path, 'w', userstr, &err);
    NEED(f != NULL);
    return f;
}

/* A file with sections of all types. */
static void create(void)
{
    int err;
    const uint64_t sizes[] = {1, 2};
    scda_fcontext *f = scda_fopen_comm(NULL, other, 'w', (char *)"file", &err);
    NEED(f != NULL);
    f = scda_fwrite_inline(f, "0123456789abcdef0123456789abcdef", "i", 0, &err);
    f = scda_fwrite_block(f, "block", 5, "b", 0, 0, &err);
    f = scda_fwrite_array(f, "abcdef", &TWO, 3, 0, "a", 0, &err);
    f = scda_fwrite_varray(f, "122", &TWO, sizes, &THREE, 0, "v", 0, &err);
    f = scda_fwrite_varray(f, "122", &TWO, sizes, &THREE, 0, "v", 1, &err);
    NEED(f != NULL && scda_fclose(f, &err) == 0);
}

/* The file after the header of its i-th section. */
static scda_fcontext *reading(int section)
{
    int err, decode, i;
    char type;
    uint64_t N, E;
    scda_fcontext *f = scda_fopen(SCDA_COMM_WORLD, path, 'r', NULL, &err);
    for (i = 0; i < section; i++) {
        decode = 1;
        if (i > 0) f = scda_fskip(f, &err);
        f = scda_fread_section_header(f, &type, &N, &E, NULL, &decode, &err);
    }
    NEED(f != NULL);
    return f;
}

static void opening(void)
{
    char userstr[SCDA_USERSTR_SIZE + 1] = "x", text[70], *missing = joined(path, "below"), *name;
    int err = 0, closed = 0;
    size_t length = 59, found = 7;
    scda_options options;
    scda_fcontext *f;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    memset(text, 't', sizeof text);
    text[69] = 0;
    FAILS(scda_fopen(SCDA_COMM_WORLD, NULL, 'w', userstr, &err), SCDA_ERR_ARGUMENT, "filename");
    FAILS(scda_fopen(SCDA_COMM_WORLD, path, 'a', userstr, &err), SCDA_ERR_ARGUMENT, "mode");
    FAILS(scda_fopen(SCDA_COMM_WORLD, path, 0, userstr, &err), SCDA_ERR_ARGUMENT, "mode");
    FAILS(scda_fopen(SCDA_COMM_WORLD, path, 'w', NULL, &err), SCDA_ERR_ARGUMENT, "userstr");
    FAILS(scda_fopen(SCDA_COMM_WORLD, path, 'w', text, &err), SCDA_ERR_ARGUMENT, "58");
    FAILS(scda_fopen_with(NULL, NULL, path, 'w', text, &length, &err), SCDA_ERR_ARGUMENT, "58");
    length = 3;
    FAILS(scda_fopen_with(NULL, NULL, path, 'w', NULL, &length, &err), SCDA_ERR_ARGUMENT, "userstr");
    FAILS(scda_fopen(0, path, 'r', userstr, &err), SCDA_ERR_ARGUMENT, "mpi.h");
    FAILS(scda_fopen(0x44000000, path, 'r', userstr, &err), SCDA_ERR_ARGUMENT, "mpi.h");
    FAILS(scda_fopen(SCDA_COMM_WORLD, missing, 'w', userstr, &err), SCDA_ERR_NO_FILE, "below");
    FAILS(scda_fopen(SCDA_COMM_WORLD, missing, 'r', userstr, &err), SCDA_ERR_NO_FILE, "below");
    FAILS(scda_fopen(SCDA_COMM_WORLD, "", 'r', userstr, &err), SCDA_ERR_NO_FILE, "");
    FAILS(scda_fopen(SCDA_COMM_WORLD, "/", 'w', userstr, &err), SCDA_ERR_BAD_FILE, "/");
    FAILS(scda_fopen(SCDA_COMM_WORLD, "/", 'r', userstr, &err), SCDA_ERR_BAD_FILE, "");
    FAILS(scda_fopen(SCDA_COMM_WORLD, "/dev/full", 'w', userstr, &err), SCDA_ERR_NO_SPACE, "");
    FAILS(scda_fopen(SCDA_COMM_WORLD, "/dev/null", 'r', userstr, &err), SCDA_ERR_TRUNCATED, "0 of");
    CHECK(scda_fopen(SCDA_COMM_WORLD, path, 'w', userstr, NULL) == NULL && has_message("err"));
    name = malloc(5000);
    memset(name, 'n', 4999);
    name[4999] = 0;
    FAILS(scda_fopen(SCDA_COMM_WORLD, name, 'w', userstr, &err), SCDA_ERR_BAD_FILE, "");
    free(name);
    if (geteuid() != 0) FAILS(scda_fopen(SCDA_COMM_WORLD, "/etc/shadow", 'r', userstr, &err), SCDA_ERR_ACCESS, "");
    FAILS(scda_fopen(SCDA_COMM_WORLD, "/proc/version", 'w', userstr, &err), err, "");
    CHECK(err == SCDA_ERR_ACCESS || err == SCDA_ERR_IO || err == SCDA_ERR_BAD_FILE);

    options.struct_size--;
    FAILS(scda_fopen_with(NULL, &options, path, 'w', userstr, NULL, &err), SCDA_ERR_ARGUMENT, "struct_size");
    options.struct_size++;
    options.io_engine = 3;
    FAILS(scda_fopen_with(NULL, &options, path, 'w', userstr, NULL, &err), SCDA_ERR_ARGUMENT, "engine 3");
    options.io_engine = 0;
    options.io_stripe = ((uint64_t)1 << 30) + 1;
    FAILS(scda_fopen_with(NULL, &options, path, 'w', userstr, NULL, &err), SCDA_ERR_ARGUMENT, "at most 1 GiB");
    options.io_stripe = 0;
    setenv("LINKSTREAM_IO_ENGINE", "posix", 1);
    FAILS(scda_fopen_with(NULL, &options, path, 'w', userstr, NULL, &err), SCDA_ERR_ARGUMENT, "LINKSTREAM_IO_ENGINE");
    setenv("LINKSTREAM_IO_ENGINE", "direct", 1);
    setenv("LINKSTREAM_IO_STRIPE", "1T", 1);
    FAILS(scda_fopen_with(NULL, &options, path, 'r', userstr, NULL, &err), SCDA_ERR_ARGUMENT, "LINKSTREAM_IO_STRIPE is 1T");
    unsetenv("LINKSTREAM_IO_ENGINE");
    unsetenv("LINKSTREAM_IO_STRIPE");
    options.vendor = "more than twenty bytes";
    FAILS(scda_fopen_with(NULL, &options, path, 'w', userstr, NULL, &err), SCDA_ERR_ARGUMENT, "20");
    options.vendor = NULL, options.style = 2;
    FAILS(scda_fopen_with(NULL, &options, path, 'w', userstr, NULL, &err), SCDA_ERR_ARGUMENT, "style");
    options.style = 0, options.level = 11;
    FAILS(scda_fopen_with(NULL, &options, path, 'w', userstr, NULL, &err), SCDA_ERR_ARGUMENT, "level");
    options.level = -2;
    FAILS(scda_fopen_with(NULL, &options, path, 'w', userstr, NULL, &err), SCDA_ERR_ARGUMENT, "level");
    /* The room is not touched by an error. */
    strcpy(userstr, "kept");
    FAILS(scda_fopen_with(NULL, NULL, missing, 'r', userstr, &found, &err), SCDA_ERR_NO_FILE, "");
    CHECK(strcmp(userstr, "kept") == 0 && found == 7);

    closed = scda_fclose(NULL, &err);
    CHECK(closed != 0 && err == SCDA_ERR_ARGUMENT && has_message("null"));
    CHECK(scda_fclose((scda_fcontext *)userstr, &err) != 0 && err == SCDA_ERR_ARGUMENT);
    f = writing();
    CHECK(scda_fclose(f, &err) == 0 && err == 0);
    CHECK(scda_fclose(f, &err) != 0 && err == SCDA_ERR_ARGUMENT && has_message("closed"));
    f = writing();
    CHECK(scda_fclose(f, NULL) != 0 && has_message("err"));
    CHECK(scda_fclose(f, &err) != 0);
    free(missing);
}

static void arguments_of_writing(void)
{
    char text[70];
    int err;
    const uint64_t huge = (uint64_t)1 << 62, most = UINT64_MAX, sizes[] = {1, 2}, huge_sizes[] = {UINT64_MAX, 2};
    const void *null_elements[] = {"abc", NULL};
    scda_fcontext *f;
    memset(text, 't', sizeof text);
    text[69] = 0;
    FAILS(scda_fwrite_inline(writing(), NULL, "", 0, &err), SCDA_ERR_ARGUMENT, "dbytes");
    FAILS(scda_fwrite_inline(writing(), text, NULL, 0, &err), SCDA_ERR_ARGUMENT, "userstr");
    FAILS(scda_fwrite_inline(writing(), text, text, 0, &err), SCDA_ERR_ARGUMENT, "58");
    FAILS(scda_fwrite_inline_n(writing(), text, text, 59, 0, &err), SCDA_ERR_ARGUMENT, "58");
    FAILS(scda_fwrite_inline_n(writing(), text, text, (size_t)-1, 0, &err), SCDA_ERR_ARGUMENT, "58");
    FAILS(scda_fwrite_inline_n(writing(), text, NULL, 1, 0, &err), SCDA_ERR_ARGUMENT, "userstr");
    FAILS(scda_fwrite_inline(writing(), text, "", 1, &err), SCDA_ERR_ARGUMENT, "root");
    FAILS(scda_fwrite_inline(writing(), text, "", -1, &err), SCDA_ERR_ARGUMENT, "root");
    f = writing();
    CHECK(scda_fwrite_inline(f, text, "", 0, NULL) == NULL && has_message("err"));
    CHECK(scda_fclose(f, &err) != 0);
    FAILS(scda_fwrite_block(writing(), NULL, 1, "", 0, 0, &err), SCDA_ERR_ARGUMENT, "dbytes");
    FAILS(scda_fwrite_block(writing(), text, most, "", 0, 0, &err), SCDA_ERR_ARGUMENT, "memory");
    FAILS(scda_fwrite_block(writing(), text, most, "", 0, 1, &err), SCDA_ERR_ARGUMENT, "memory");
    FAILS(scda_fwrite_block(writing(), text, 1, "", 7, 0, &err), SCDA_ERR_ARGUMENT, "root");
    FAILS(scda_fwrite_array(writing(), text, NULL, 1, 0, "", 0, &err), SCDA_ERR_ARGUMENT, "N_q");
    FAILS(scda_fwrite_array(writing(), text, (const uint64_t *)(const void *)(text + 1), 1, 0, "", 0, &err),
          SCDA_ERR_ARGUMENT, "aligned");
    FAILS(scda_fwrite_array(writing(), NULL, &TWO, 1, 0, "", 0, &err), SCDA_ERR_ARGUMENT, "dbytes");
    FAILS(scda_fwrite_array(writing(), NULL, &TWO, 1, 1, "", 0, &err), SCDA_ERR_ARGUMENT, "dbytes");
    FAILS(scda_fwrite_array(writing(), text, &huge, 4, 0, "", 0, &err), SCDA_ERR_ARGUMENT, "18446744073709551616");
    FAILS(scda_fwrite_array(writing(), text, &huge, 3, 0, "", 0, &err), SCDA_ERR_ARGUMENT, "memory");
    FAILS(scda_fwrite_array(writing(), text, &huge, 1, 1, "", 0, &err), SCDA_ERR_ARGUMENT, "memory");
    FAILS(scda_fwrite_array(writing(), null_elements, &TWO, 3, 1, "", 0, &err), SCDA_ERR_ARGUMENT, "element");
    FAILS(scda_fwrite_array(writing(), text, &TWO, 1, 0, NULL, 1, &err), SCDA_ERR_ARGUMENT, "userstr");
    /* More elements than any memory has texts for. */
    FAILS(scda_fwrite_array(writing(), NULL, &huge, 0, 0, "", 1, &err), SCDA_ERR_MEMORY, "memory");
    FAILS(scda_fwrite_varray(writing(), text, NULL, sizes, &THREE, 0, "", 0, &err), SCDA_ERR_ARGUMENT, "N_q");
    FAILS(scda_fwrite_varray(writing(), text, &TWO, NULL, &THREE, 0, "", 0, &err), SCDA_ERR_ARGUMENT, "E_i");
    FAILS(scda_fwrite_varray(writing(), text, &TWO, sizes, NULL, 0, "", 0, &err), SCDA_ERR_ARGUMENT, "S_q");
    FAILS(scda_fwrite_varray(writing(), text, &TWO, sizes, &FOUR, 0, "", 0, &err), SCDA_ERR_ARGUMENT, "S_q");
    FAILS(scda_fwrite_varray(writing(), NULL, &TWO, sizes, &THREE, 0, "", 1, &err), SCDA_ERR_ARGUMENT, "dbytes");
    FAILS(scda_fwrite_varray(writing(), text, &huge, sizes, &THREE, 0, "", 0, &err), SCDA_ERR_ARGUMENT, "E_i");
    FAILS(scda_fwrite_varray(writing(), text, &TWO, huge_sizes, &ONE, 0, "", 0, &err), SCDA_ERR_ARGUMENT, "bytes");
    FAILS(scda_fwrite_varray(writing(), null_elements, &TWO, sizes, &THREE, 1, "", 0, &err), SCDA_ERR_ARGUMENT,
          "element");
}

static void order_of_calls(void)
{
    char type, room[64];
    uint64_t N, E, sizes[4] = {1, 2, 0, 0}, wrong[] = {2, 1};
    int err, decode = 0, section;
    void *same[2], *null_rooms[] = {NULL, NULL};
    scda_fcontext *f;
    same[0] = same[1] = room;
    create();
    rename(other, path);
    /* Reading a file that is being written, and the other way round. */
    remove(other);
    {
        char *copy = joined(path, ""), userstr[] = "";
        copy[strlen(copy) - 1] = '2';
        f = scda_fopen(SCDA_COMM_WORLD, copy, 'w', userstr, &err);
        NEED(f != NULL);
        FAILS(scda_fread_section_header(f, &type, &N, &E, NULL, &decode, &err), SCDA_ERR_SEQUENCE, "writing");
        f = scda_fopen(SCDA_COMM_WORLD, copy, 'w', userstr, &err);
        FAILS(scda_fread_inline_data(f, room, 0, &err), SCDA_ERR_SEQUENCE, "writing");
        f = scda_fopen(SCDA_COMM_WORLD, copy, 'w', userstr, &err);
        FAILS(scda_fskip(f, &err), SCDA_ERR_SEQUENCE, "writing");
        remove(copy);
        free(copy);
    }
    FAILS(scda_fwrite_inline(reading(0), room, "", 0, &err), SCDA_ERR_SEQUENCE, "reading");
    FAILS(scda_fwrite_block(reading(1), room, 1, "", 0, 0, &err), SCDA_ERR_SEQUENCE, "reading");
    FAILS(scda_fwrite_array(reading(1), room, &ONE, 1, 0, "", 0, &err), SCDA_ERR_SEQUENCE, "reading");
    FAILS(scda_fwrite_varray(reading(1), room, &ONE, sizes, &ONE, 0, "", 0, &err), SCDA_ERR_SEQUENCE, "reading");
    /* Wrong data calls after each header, and data without a header. */
    for (section = 0; section <= 5; section++) {
        const char *expected = section == 0 ? "header" : "type";
        if (section != 1) FAILS(scda_fread_inline_data(reading(section), room, 0, &err), SCDA_ERR_SEQUENCE, expected);
        if (section != 2) FAILS(scda_fread_block_data(reading(section), room, 5, 0, &err), SCDA_ERR_SEQUENCE, expected);
        if (section != 3)
            FAILS(scda_fread_array_data(reading(section), room, &TWO, 3, 0, &err), SCDA_ERR_SEQUENCE, expected);
        if (section < 4) {
            FAILS(scda_fread_varray_sizes(reading(section), sizes, &TWO, &err), SCDA_ERR_SEQUENCE, expected);
            FAILS(scda_fread_varray_data(reading(section), room, &TWO, sizes, &THREE, 0, &err), SCDA_ERR_SEQUENCE,
                  expected);
        } else {
            FAILS(scda_fread_varray_data(reading(section), room, &TWO, sizes, &THREE, 0, &err), SCDA_ERR_SEQUENCE,
                  "sizes");
            FAILS(scda_fread_varray_data(reading(section), NULL, &TWO, NULL, NULL, 0, &err), SCDA_ERR_SEQUENCE,
                  "sizes");
        }
        if (section == 0) FAILS(scda_fskip(reading(section), &err), SCDA_ERR_SEQUENCE, "header");
        if (section > 0) {
            FAILS(scda_fread_section_header(reading(section), &type, &N, &E, NULL, &decode, &err), SCDA_ERR_SEQUENCE,
                  "skipped");
            err = 0;
            CHECK(scda_fclose(reading(section), &err) != 0 && err == SCDA_ERR_SEQUENCE && has_message("closed"));
        }
    }
    /* Arguments that contradict the header. */
    FAILS(scda_fread_inline_data(reading(1), room, 1, &err), SCDA_ERR_ARGUMENT, "root");
    FAILS(scda_fread_inline_data(reading(1), room, -1, &err), SCDA_ERR_ARGUMENT, "root");
    FAILS(scda_fread_block_data(reading(2), room, 4, 0, &err), SCDA_ERR_ARGUMENT, "N is 4");
    FAILS(scda_fread_block_data(reading(2), NULL, 6, 0, &err), SCDA_ERR_ARGUMENT, "N is 6");
    FAILS(scda_fread_block_data(reading(2), room, 5, 3, &err), SCDA_ERR_ARGUMENT, "root");
    FAILS(scda_fread_array_data(reading(3), room, &TWO, 4, 0, &err), SCDA_ERR_ARGUMENT, "E is 4");
    FAILS(scda_fread_array_data(reading(3), room, &ONE, 3, 0, &err), SCDA_ERR_ARGUMENT, "N_q has 1");
    FAILS(scda_fread_array_data(reading(3), room, NULL, 3, 0, &err), SCDA_ERR_ARGUMENT, "N_q");
    FAILS(scda_fread_array_data(reading(3), same, &TWO, 3, 1, &err), SCDA_ERR_ARGUMENT, "overlap");
    FAILS(scda_fread_array_data(reading(3), null_rooms, &TWO, 3, 1, &err), SCDA_ERR_ARGUMENT, "null");
    FAILS(scda_fread_varray_sizes(reading(4), sizes, &THREE, &err), SCDA_ERR_ARGUMENT, "N_q has 3");
    FAILS(scda_fread_varray_sizes(reading(4), sizes, NULL, &err), SCDA_ERR_ARGUMENT, "N_q");
    for (section = 4; section <= 5; section++) {
        f = scda_fread_varray_sizes(reading(section), NULL, &TWO, &err);
        FAILS(scda_fread_varray_data(f, room, &TWO, wrong, &THREE, 0, &err), SCDA_ERR_ARGUMENT, "E_i");
        f = scda_fread_varray_sizes(reading(section), NULL, &TWO, &err);
        FAILS(scda_fread_varray_data(f, room, &TWO, NULL, &THREE, 0, &err), SCDA_ERR_ARGUMENT, "E_i");
        f = scda_fread_varray_sizes(reading(section), NULL, &TWO, &err);
        FAILS(scda_fread_varray_data(f, room, &THREE, sizes, &THREE, 0, &err), SCDA_ERR_ARGUMENT, "N_q has 3");
        f = scda_fread_varray_sizes(reading(section), NULL, &TWO, &err);
        FAILS(scda_fread_varray_data(f, room, &TWO, sizes, &FOUR, 0, &err), SCDA_ERR_ARGUMENT, "S_q");
        f = scda_fread_varray_sizes(reading(section), NULL, &TWO, &err);
        FAILS(scda_fread_varray_data(f, same, &TWO, sizes, &THREE, 1, &err), SCDA_ERR_ARGUMENT, "overlap");
    }
    /* Missing places for results. */
    FAILS(scda_fread_section_header(reading(0), NULL, &N, &E, NULL, &decode, &err), SCDA_ERR_ARGUMENT, "type");
    FAILS(scda_fread_section_header(reading(0), &type, NULL, &E, NULL, &decode, &err), SCDA_ERR_ARGUMENT, "N");
    FAILS(scda_fread_section_header(reading(0), &type, &N, NULL, NULL, &decode, &err), SCDA_ERR_ARGUMENT, "E");
    FAILS(scda_fread_section_header(reading(0), &type, &N, &E, NULL, NULL, &err), SCDA_ERR_ARGUMENT, "decode");
    FAILS(scda_fread_section_header_n(reading(0), &type, &N, &E, NULL, NULL, &decode, &err), SCDA_ERR_ARGUMENT,
          "length");
    CHECK(scda_fread_section_header(reading(0), &type, &N, &E, NULL, &decode, NULL) == NULL && has_message("err"));
    /* Calls after an error. */
    f = reading(1);
    FAILS(scda_fread_block_data(f, room, 5, 0, &err), SCDA_ERR_SEQUENCE, "type");
    FAILS(scda_fread_inline_data(f, room, 0, &err), SCDA_ERR_ARGUMENT, "closed");
    CHECK(scda_fclose(f, &err) != 0 && err == SCDA_ERR_ARGUMENT);
    FAILS(scda_fread_inline_data(NULL, room, 0, &err), SCDA_ERR_ARGUMENT, "null");
    FAILS(scda_fread_block_data(NULL, room, 0, 0, &err), SCDA_ERR_ARGUMENT, "null");
    FAILS(scda_fread_array_data(NULL, room, &ONE, 0, 0, &err), SCDA_ERR_ARGUMENT, "null");
    FAILS(scda_fread_varray_sizes(NULL, sizes, &ONE, &err), SCDA_ERR_ARGUMENT, "null");
    FAILS(scda_fread_varray_data(NULL, room, &ONE, sizes, &ONE, 0, &err), SCDA_ERR_ARGUMENT, "null");
    FAILS(scda_fread_section_header(NULL, &type, &N, &E, NULL, &decode, &err), SCDA_ERR_ARGUMENT, "null");
    FAILS(scda_fread_section_header_n(NULL, &type, &N, &E, NULL, NULL, &decode, &err), SCDA_ERR_ARGUMENT, "null");
    FAILS(scda_fskip(NULL, &err), SCDA_ERR_ARGUMENT, "null");
    FAILS(scda_fwrite_inline(NULL, room, "", 0, &err), SCDA_ERR_ARGUMENT, "null");
    FAILS(scda_fwrite_block(NULL, room, 1, "", 0, 0, &err), SCDA_ERR_ARGUMENT, "null");
    FAILS(scda_fwrite_array(NULL, room, &ONE, 1, 0, "", 0, &err), SCDA_ERR_ARGUMENT, "null");
    FAILS(scda_fwrite_varray(NULL, room, &ONE, sizes, &ONE, 0, "", 0, &err), SCDA_ERR_ARGUMENT, "null");
    FAILS(scda_fwrite_inline_n(NULL, room, "", 0, 0, &err), SCDA_ERR_ARGUMENT, "null");
    FAILS(scda_fwrite_block_n(NULL, room, 1, "", 0, 0, 0, &err), SCDA_ERR_ARGUMENT, "null");
    FAILS(scda_fwrite_array_n(NULL, room, &ONE, 1, 0, "", 0, 0, &err), SCDA_ERR_ARGUMENT, "null");
    FAILS(scda_fwrite_varray_n(NULL, room, &ONE, sizes, &ONE, 0, "", 0, 0, &err), SCDA_ERR_ARGUMENT, "null");
    CHECK(scda_fskip(NULL, NULL) == NULL);
}

/* A file that ends at each byte is an error, unless it ends between two sections. */
static void truncated(void)
{
    size_t length, end, data;
    char *bytes, type, room[64];
    int err;
    create();
    bytes = contents(other, &length);
    NEED(bytes != NULL && length > 600);
    for (end = 0; end <= length; end += end % 32 == 31 || end % 32 == 0 ? 1 : 15) {
        for (data = 0; data < 2; data++) {
            uint64_t N, E, sizes[2];
            scda_fcontext *f;
            int decode = 0, sections = 0;
            put(path, bytes, end);
            f = scda_fopen(SCDA_COMM_WORLD, path, 'r', NULL, &err);
            for (type = 1; f != NULL && type != 0;) {
                f = scda_fread_section_header(f, &type, &N, &E, NULL, &decode, &err);
                if (f == NULL || type == 0) break;
                sections++;
                if (!data) f = scda_fskip(f, &err);
                else if (type == 'I') f = scda_fread_inline_data(f, room, 0, &err);
                else if (type == 'B') f = scda_fread_block_data(f, room, E, 0, &err);
                else if (type == 'A') f = scda_fread_array_data(f, room, &N, E, 0, &err);
                else {
                    f = scda_fread_varray_sizes(f, sizes, &N, &err);
                    if (f != NULL) f = scda_fread_varray_data(f, N == 2 ? room : NULL, &N, sizes, NULL, 0, &err);
                }
            }
            if (f == NULL) CHECK(err == SCDA_ERR_TRUNCATED && linkstream_last_error()->rule[0] != 0);
            else CHECK(scda_fclose(f, &err) == 0);
            /* Boundaries of the sections of `create`. */
            CHECK((f != NULL) == (end == 128 || end == 224 || end == 352 || end == 512 || end == 704 || end == 928 ||
                                  end == length));
            CHECK(f == NULL || end < length || sections == 6);
        }
    }
    free(bytes);
}

/* --- Communication that fails, or lies. The program is rank 0 or 1 of 2. --- */

enum { NOTHING, FAIL, GARBAGE };

typedef struct {
    int combine, broadcast, counts, exchange; /* What the functions do */
    int calls_left;                           /* Number of calls that do nothing before the others fail */
    int released, usable;
    scda_fcontext *own;                       /* A file that a function uses while it is in use */
    int nested;
} lying;

static int act(void *context, int what)
{
    lying *own = context;
    int err = 0;
    if (own->own != NULL && own->nested == 0) {
        scda_fskip(own->own, &err);
        own->nested = err == SCDA_ERR_ARGUMENT && has_message("using") ? 1 : -1;
    }
    return own->calls_left-- > 0 ? 0 : what == FAIL ? 5 : 0;
}

static int combine(void *context, int op, uint64_t *numbers, size_t count)
{
    lying *own = context;
    size_t i;
    (void)op;
    for (i = 0; own->combine == GARBAGE && own->calls_left <= 0 && i < count; i++) numbers[i] = ~(uint64_t)0 / (i + 1);
    return act(context, own->combine);
}

static int broadcast(void *context, int root, void *bytes, size_t length)
{
    lying *own = context;
    (void)root;
    if (own->broadcast == GARBAGE && own->calls_left <= 0) memset(bytes, 0xa5, length);
    return act(context, own->broadcast);
}

static int counts(void *context, const uint64_t *to, uint64_t *from)
{
    lying *own = context;
    (void)to;
    if (own->counts == GARBAGE && own->calls_left <= 0) from[0] = from[1] = ~(uint64_t)0;
    if (own->counts == NOTHING) from[0] = from[1] = 48;
    return act(context, own->counts);
}

static int exchange(void *context, const void *send, const uint64_t *to, void *receive, const uint64_t *from)
{
    lying *own = context;
    (void)send, (void)to;
    if (own->exchange == GARBAGE) memset(receive, 0xff, (size_t)(from[0] + from[1]));
    return act(context, own->exchange);
}

static void release(void *context, int usable)
{
    lying *own = context;
    own->released++;
    own->usable = usable;
}

/* Writes and reads with functions that do this. Returns the first error. */
static int session(lying *own, int rank, char mode)
{
    static const uint64_t N_q[] = {1, 1}, sizes[] = {2, 2};
    linkstream_comm comm;
    scda_options options;
    char userstr[SCDA_USERSTR_SIZE] = "lies", type, room[8];
    uint64_t N, E;
    int err = 0, decode = 1, i;
    scda_fcontext *f;
    memset(&comm, 0, sizeof comm);
    comm.struct_size = sizeof comm;
    comm.context = own;
    comm.rank = rank;
    comm.size = 2;
    comm.combine = combine, comm.broadcast = broadcast, comm.counts = counts, comm.exchange = exchange;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.release = release;
    f = scda_fopen_with(&comm, &options, path, mode, userstr, NULL, &err);
    for (i = 0; f != NULL && i < 3; i++) {
        if (mode == 'w') {
            f = scda_fwrite_block(f, "ab", 2, "", i % 2, 0, &err);
            if (f != NULL) f = scda_fwrite_array(f, "ab", N_q, 2, 0, "", 0, &err);
            if (f != NULL) f = scda_fwrite_varray(f, "ab", N_q, &sizes[rank], sizes, 0, "", 1, &err);
        } else {
            f = scda_fread_section_header(f, &type, &N, &E, NULL, &decode, &err);
            if (f != NULL && type == 'A') f = scda_fread_array_data(f, room, N_q, 3, 0, &err);
            else if (f != NULL && type != 0) f = scda_fskip(f, &err);
        }
    }
    if (f != NULL) scda_fclose(f, &err);
    CHECK(own->released == 1);
    CHECK(own->usable == (err != SCDA_ERR_COMM));
    return err;
}

static void communication(void)
{
    linkstream_comm comm, good;
    lying own;
    int err = 0, rank, what, left, errors = 0, mode;
    char userstr[] = "x";
    memset(&good, 0, sizeof good);
    good.struct_size = sizeof good;
    good.size = 1;
    good.combine = combine, good.broadcast = broadcast, good.counts = counts, good.exchange = exchange;
#define BAD(change, text) \
    do { \
        comm = good; \
        change; \
        FAILS(scda_fopen_comm(&comm, path, 'w', userstr, &err), SCDA_ERR_COMM, text); \
    } while (0)
    BAD(comm.struct_size--, "struct_size");
    BAD(comm.struct_size = 0, "struct_size");
    BAD(comm.size = 0, "rank 0 of 0");
    BAD(comm.size = -1, "rank");
    BAD(comm.rank = 1, "rank 1 of 1");
    BAD(comm.rank = -1, "rank -1");
    BAD(comm.node_leader = 1, "lowest");
    BAD(comm.node_leader = -1, "lowest");
    good.size = 2;
    BAD(comm.combine = NULL, "missing");
    BAD(comm.broadcast = NULL, "missing");
    BAD(comm.counts = NULL, "missing");
    BAD(comm.exchange = NULL, "missing");
    good.size = 1;
    comm = good;
    FAILS(scda_fopen_comm((const linkstream_comm *)(const void *)((const char *)&comm + 1), path, 'w', userstr, &err),
          SCDA_ERR_COMM, "aligned");

    for (mode = 0; mode < 2; mode++) {
        for (rank = 0; rank < 2; rank++) {
            /* Function `what / 3` does `what % 3`, the others nothing, after some calls that do nothing. */
            for (what = 0; what < 12; what++) {
                for (left = 0; left < 40; left++) {
                    int *functions[4];
                    memset(&own, 0, sizeof own);
                    functions[0] = &own.combine, functions[1] = &own.broadcast;
                    functions[2] = &own.counts, functions[3] = &own.exchange;
                    *functions[what / 3] = what % 3;
                    own.calls_left = left;
                    create();
                    rename(other, path);
                    err = session(&own, rank, mode ? 'r' : 'w');
                    CHECK(err == 0 || linkstream_last_error()->message[0] != 0);
                    if (what % 3 == FAIL && own.calls_left < 0 && err == SCDA_ERR_COMM) errors++;
                }
            }
        }
    }
    CHECK(errors > 50);
}

/* A file in use by a call cannot be used by another thread, or by a function of the communication. */
static void *other_thread(void *f)
{
    int err = 0;
    scda_fskip(f, &err);
    return err == SCDA_ERR_ARGUMENT && has_message("using") ? f : NULL;
}

static scda_fcontext *shared;
static void *seen;

static int slow(void *context, int op, uint64_t *numbers, size_t count)
{
    pthread_t thread;
    (void)context, (void)op, (void)numbers, (void)count;
    if (shared != NULL && seen == NULL && pthread_create(&thread, NULL, other_thread, shared) == 0)
        pthread_join(thread, &seen);
    return 0;
}

static void two_users(void)
{
    linkstream_comm comm;
    lying own;
    int err;
    char userstr[] = "x";
    memset(&own, 0, sizeof own);
    memset(&comm, 0, sizeof comm);
    comm.struct_size = sizeof comm;
    comm.size = 2;
    comm.context = &own;
    own.calls_left = 1000000;
    comm.combine = combine, comm.broadcast = broadcast, comm.counts = counts, comm.exchange = exchange;
    shared = scda_fopen_comm(&comm, path, 'w', userstr, &err);
    NEED(shared != NULL);
    own.own = shared;
    shared = scda_fwrite_block(shared, "a", 1, "", 0, 0, &err);
    CHECK(shared != NULL && own.nested == 1);
    own.own = NULL;
    CHECK(scda_fclose(shared, &err) == 0);
    shared = NULL;
    comm.combine = slow;
    shared = scda_fopen_comm(&comm, path, 'w', userstr, &err);
    NEED(shared != NULL);
    CHECK(scda_fwrite_block(shared, "a", 1, "", 0, 0, &err) == shared && seen == shared);
    CHECK(scda_fclose(shared, &err) == 0);
}

static void error_strings(void)
{
    char text[16] = "?";
    int length = 16;
    CHECK(scda_ferror_string(7, text, &length) < 0 && length == 0);
    length = 16;
    CHECK(scda_ferror_string(-1, text, &length) < 0 && length == 0);
    length = 16;
    CHECK(scda_ferror_string(0, NULL, &length) < 0 && length == 0);
    CHECK(scda_ferror_string(0, text, NULL) < 0);
    length = 0;
    CHECK(scda_ferror_string(0, text, &length) < 0);
    length = -5;
    CHECK(scda_ferror_string(0, text, &length) < 0 && length == 0 && text[0] == '?');
    CHECK(scda_fopen_failed(NULL) == NULL);
}

/* A layer above the library refuses a call. With `keep`, that leaves a file of the sections before it, but not where
 * the old file is kept until the new one is complete. */
static void refused(void)
{
    int err, keep, decode;
    char userstr[SCDA_USERSTR_SIZE], type = 0;
    uint64_t N, E;
    scda_options options;
    scda_fcontext *f;
    FAILS(scda_frefuse(NULL, "no file here", &err), SCDA_ERR_ARGUMENT, "no file here");
    CHECK(scda_frefuse(NULL, NULL, &err) == NULL && err == 0);
    FAILS(scda_frefuse(writing(), "the layer's own reason", &err), SCDA_ERR_ARGUMENT, "the layer's own reason");
    CHECK(scda_frefuse(writing(), NULL, NULL) == NULL && has_message("err"));
    f = writing();
    CHECK(scda_frefuse(f, NULL, &err) == f && err == 0);
    CHECK(scda_fclose(f, &err) == 0);
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    for (keep = 0; keep < 3; keep++) {
        /* The third file is the second one, which is kept. */
        strcpy(userstr, keep == 2 ? "newer" : "new");
        options.keep = keep != 0;
        options.replace = keep == 2 ? SCDA_REPLACE_COMPLETE : SCDA_REPLACE_AT_ONCE;
        f = scda_fopen_with(NULL, &options, path, 'w', userstr, NULL, &err);
        f = scda_fwrite_block(f, "abc", 3, "kept", 0, 0, &err);
        FAILS(scda_fwrite_block(f, NULL, 3, "refused", 0, 0, &err), SCDA_ERR_ARGUMENT, "dbytes");
        f = scda_fopen(SCDA_COMM_WORLD, path, 'r', userstr, &err);
        CHECK((f == NULL) == (keep == 0));
        if (f == NULL) continue;
        CHECK(strcmp(userstr, "new") == 0);
        decode = 0;
        f = scda_fread_section_header(f, &type, &N, &E, userstr, &decode, &err);
        CHECK(f != NULL && type == 'B' && strcmp(userstr, "kept") == 0);
        f = scda_fskip(f, &err);
        CHECK(scda_fread_section_header(f, &type, &N, &E, NULL, &decode, &err) == f && type == 0);
        CHECK(scda_fclose(f, &err) == 0);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) return 1;
    path = joined(argv[1], "misuse.scda");
    other = joined(argv[1], "misuse-other.scda");
    opening();
    arguments_of_writing();
    order_of_calls();
    truncated();
    communication();
    two_users();
    refused();
    error_strings();
    remove(path);
    remove(other);
    free(path);
    free(other);
    return failures != 0;
}
