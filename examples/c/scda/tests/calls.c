/* Every call of scda.h in a serial program: what it returns, and the bytes that it writes. */
#include <scda.h>

#include "check.h"

static const char *directory;

/* The file of `raw`, byte for byte after the paper. */
static const char EXPECTED[] =
    "scdata0 linkstream ------------\n"
    "F a file -----------------------"
    "-------------------------------\n"
    "\n=============================\n\n"
    "I 32 bytes ---------------------"
    "-------------------------------\n"
    "0123456789abcdef0123456789abcde\n"
    "B text -------------------------"
    "-------------------------------\n"
    "E 6 ---------------------------\n"
    "hello\n========================\n\n"
    "A ids --------------------------"
    "-------------------------------\n"
    "N 2 ---------------------------\n"
    "E 3 ---------------------------\n"
    "abcdef\n=======================\n\n"
    "V words ------------------------"
    "-------------------------------\n"
    "N 3 ---------------------------\n"
    "E 3 ---------------------------\n"
    "E 0 ---------------------------\n"
    "E 5 ---------------------------\n"
    "onethree\n=====================\n\n"
    "A indirect ---------------------"
    "-------------------------------\n"
    "N 2 ---------------------------\n"
    "E 3 ---------------------------\n"
    "xyzuvw\n=======================\n\n"
    "V  -----------------------------"
    "-------------------------------\n"
    "N 2 ---------------------------\n"
    "E 1 ---------------------------\n"
    "E 2 ---------------------------\n"
    "122\n==========================\n\n";

static void raw(const char *path)
{
    static const char inline_data[] = "0123456789abcdef0123456789abcde\n";
    const uint64_t two = 2, three = 3, eight = 8, sizes[] = {3, 0, 5}, others[] = {1, 2};
    const char *elements[] = {"xyz", "uvw"}, *different[] = {"1", "22"};
    char userstr[] = "a file", *bytes;
    size_t length;
    int err = 7;
    scda_fcontext *f = scda_fopen(SCDA_COMM_WORLD, path, 'w', userstr, &err);
    NEED(f != NULL && err == 0);
#define OK(call) \
    do { \
        scda_fcontext *before = f; \
        err = 7; \
        f = call; \
        NEED(f == before && err == SCDA_SUCCESS); \
    } while (0)
    OK(scda_fwrite_inline(f, inline_data, "32 bytes", 0, &err));
    OK(scda_fwrite_block(f, "hello\n", 6, "text", 0, 0, &err));
    OK(scda_fwrite_array(f, "abcdef", &two, 3, 0, "ids", 0, &err));
    OK(scda_fwrite_varray(f, "onethree", &three, sizes, &eight, 0, "words", 0, &err));
    OK(scda_fwrite_array(f, elements, &two, 3, 1, "indirect", 0, &err));
    OK(scda_fwrite_varray(f, different, &two, others, &three, 1, "", 0, &err));
    CHECK(scda_fclose(f, &err) == 0 && err == 0);
    bytes = contents(path, &length);
    NEED(bytes != NULL && length == sizeof EXPECTED - 1);
    CHECK(memcmp(bytes, EXPECTED, length) == 0);
    free(bytes);
}

/* Reads all that `raw` has written. `skips`: bit i is set if the data of section i are skipped. */
static void raw_again(const char *path, int skips)
{
    const uint64_t two = 2, three = 3, eight = 8;
    uint64_t N = 7, E = 7, sizes[3] = {7, 7, 7};
    char userstr[SCDA_USERSTR_SIZE], type, data[40], first[4] = "...", second[4] = "...";
    void *rooms[2];
    int err = 7, decode = 1, i;
    scda_fcontext *f = scda_fopen(SCDA_COMM_SELF, path, 'r', userstr, &err);
    NEED(f != NULL && err == 0);
    CHECK(strcmp(userstr, "a file") == 0);
    for (i = 6; i < SCDA_USERSTR_SIZE; i++) CHECK(userstr[i] == 0);
    memset(data, '.', sizeof data);
    OK(scda_fread_section_header(f, &type, &N, &E, userstr, &decode, &err));
    CHECK(type == 'I' && N == 0 && E == 0 && decode == 0 && strcmp(userstr, "32 bytes") == 0);
    OK(scda_fread_inline_data(f, skips & 1 ? NULL : data, 0, &err));
    CHECK(skips & 1 ? data[0] == '.' : memcmp(data, "0123456789abcdef0123456789abcde\n", 32) == 0);
    CHECK(data[32] == '.');

    memset(data, '.', sizeof data);
    OK(scda_fread_section_header(f, &type, &N, &E, userstr, &decode, &err));
    CHECK(type == 'B' && N == 0 && E == 6 && decode == 0 && strcmp(userstr, "text") == 0);
    OK(scda_fread_block_data(f, skips & 2 ? NULL : data, 6, 0, &err));
    CHECK(memcmp(data, skips & 2 ? "......." : "hello\n.", 7) == 0);

    memset(data, '.', sizeof data);
    OK(scda_fread_section_header(f, &type, &N, &E, NULL, &decode, &err));
    CHECK(type == 'A' && N == 2 && E == 3 && decode == 0);
    OK(scda_fread_array_data(f, skips & 4 ? NULL : data, &two, 3, 0, &err));
    CHECK(memcmp(data, skips & 4 ? "......." : "abcdef.", 7) == 0);

    memset(data, '.', sizeof data);
    OK(scda_fread_section_header(f, &type, &N, &E, userstr, &decode, &err));
    CHECK(type == 'V' && N == 3 && E == 0 && decode == 0 && strcmp(userstr, "words") == 0);
    OK(scda_fread_varray_sizes(f, skips & 8 ? NULL : sizes, &three, &err));
    if (skips & 8) {
        CHECK(sizes[0] == 7);
        /* The sizes are known by context. */
        sizes[0] = 3, sizes[1] = 0, sizes[2] = 5;
    }
    CHECK(sizes[0] == 3 && sizes[1] == 0 && sizes[2] == 5);
    OK(scda_fread_varray_data(f, skips & 16 ? NULL : data, &three, skips & 16 ? NULL : sizes, &eight, 0, &err));
    CHECK(memcmp(data, skips & 16 ? "........." : "onethree.", 9) == 0);

    OK(scda_fread_section_header(f, &type, &N, &E, userstr, &decode, &err));
    CHECK(type == 'A' && N == 2 && E == 3 && strcmp(userstr, "indirect") == 0);
    rooms[0] = second, rooms[1] = first;
    if (skips & 32) OK(scda_fskip(f, &err));
    else OK(scda_fread_array_data(f, rooms, &two, 3, 1, &err));
    CHECK(strcmp(second, skips & 32 ? "..." : "xyz") == 0 && strcmp(first, skips & 32 ? "..." : "uvw") == 0);

    OK(scda_fread_section_header(f, &type, &N, &E, userstr, &decode, &err));
    CHECK(type == 'V' && N == 2 && E == 0 && userstr[0] == 0);
    OK(scda_fread_varray_sizes(f, sizes, &two, &err));
    CHECK(sizes[0] == 1 && sizes[1] == 2);
    rooms[0] = first, rooms[1] = second, first[0] = second[0] = '?';
    if (skips & 64) OK(scda_fskip(f, &err));
    else OK(scda_fread_varray_data(f, rooms, &two, sizes, NULL, 1, &err));
    CHECK(first[0] == (skips & 64 ? '?' : '1') && second[0] == (skips & 64 ? '?' : '2'));

    for (i = 0; i < 2; i++) {
        type = 'x', decode = 1, N = E = 7;
        OK(scda_fread_section_header(f, &type, &N, &E, userstr, &decode, &err));
        CHECK(type == 0 && N == 0 && E == 0 && decode == 0 && userstr[0] == 0);
    }
    CHECK(scda_fclose(f, &err) == 0 && err == 0);
}

/* Compressed sections: what is written, read decompressed and raw. */
static void compressed(const char *path)
{
    static char large[100000], read[100000];
    const uint64_t four = 4, zero = 0, three = 3, total = 100000, sizes[] = {0, 99999, 1};
    uint64_t N, E, found[4];
    const char *elements[3];
    char userstr[SCDA_USERSTR_SIZE] = "compressed", type, data[64];
    void *rooms[3];
    size_t i, length;
    int err, decode = 1;
    scda_fcontext *f = scda_fopen(SCDA_COMM_WORLD, path, 'w', userstr, &err);
    NEED(f != NULL);
    for (i = 0; i < sizeof large; i++) large[i] = (char)(i * i / 1000);
    OK(scda_fwrite_block(f, "hello hello hello hello hello", 29, "greeting", 0, 1, &err));
    OK(scda_fwrite_block(f, NULL, 0, "nothing", 0, 1, &err));
    OK(scda_fwrite_array(f, large, &four, 25000, 0, "array", 1, &err));
    OK(scda_fwrite_array(f, NULL, &zero, 5, 0, "no elements", 1, &err));
    elements[0] = NULL, elements[1] = large, elements[2] = large + 99999;
    OK(scda_fwrite_varray(f, elements, &three, sizes, &total, 1, "varray", 1, &err));
    OK(scda_fwrite_varray(f, NULL, &zero, NULL, &zero, 0, "no elements", 1, &err));
    OK(scda_fwrite_array(f, NULL, &four, 0, 0, "empty elements", 1, &err));
    CHECK(scda_fclose(f, &err) == 0 && err == 0);
    {
        /* The example of the paper's convention. */
        static const char block[] =
            "I B compressed scda 00 ---------"
            "-------------------------------\n"
            "U 29 --------------------------\n"
            "B greeting ---------------------"
            "-------------------------------\n"
            "E 38 --------------------------\n";
        char *bytes = contents(path, &length);
        NEED(bytes != NULL && length > 400);
        CHECK(memcmp(bytes + 128, block, sizeof block - 1) == 0);
        free(bytes);
    }

    f = scda_fopen(SCDA_COMM_WORLD, path, 'r', userstr, &err);
    NEED(f != NULL && strcmp(userstr, "compressed") == 0);
    OK(scda_fread_section_header(f, &type, &N, &E, userstr, &decode, &err));
    CHECK(type == 'B' && N == 0 && E == 29 && decode == 1 && strcmp(userstr, "greeting") == 0);
    OK(scda_fread_block_data(f, data, 29, 0, &err));
    CHECK(memcmp(data, "hello hello hello hello hello", 29) == 0);
    OK(scda_fread_section_header(f, &type, &N, &E, userstr, &decode, &err));
    CHECK(type == 'B' && E == 0 && decode == 1);
    OK(scda_fread_block_data(f, data, 0, 0, &err));
    OK(scda_fread_section_header(f, &type, &N, &E, userstr, &decode, &err));
    CHECK(type == 'A' && N == 4 && E == 25000 && decode == 1 && strcmp(userstr, "array") == 0);
    OK(scda_fread_array_data(f, read, &four, 25000, 0, &err));
    CHECK(memcmp(read, large, sizeof large) == 0);
    OK(scda_fread_section_header(f, &type, &N, &E, userstr, &decode, &err));
    CHECK(type == 'A' && N == 0 && E == 5 && decode == 1);
    OK(scda_fread_array_data(f, read, &zero, 5, 0, &err));
    OK(scda_fread_section_header(f, &type, &N, &E, userstr, &decode, &err));
    CHECK(type == 'V' && N == 3 && E == 0 && decode == 1 && strcmp(userstr, "varray") == 0);
    OK(scda_fread_varray_sizes(f, found, &three, &err));
    CHECK(memcmp(found, sizes, sizeof sizes) == 0);
    memset(read, 0, sizeof read);
    rooms[0] = NULL, rooms[1] = read, rooms[2] = read + 99999;
    OK(scda_fread_varray_data(f, rooms, &three, found, &total, 1, &err));
    CHECK(memcmp(read, large, sizeof large) == 0);
    OK(scda_fread_section_header(f, &type, &N, &E, userstr, &decode, &err));
    CHECK(type == 'V' && N == 0 && decode == 1);
    OK(scda_fread_varray_sizes(f, found, &zero, &err));
    OK(scda_fread_varray_data(f, NULL, &zero, NULL, NULL, 0, &err));
    OK(scda_fread_section_header(f, &type, &N, &E, userstr, &decode, &err));
    CHECK(type == 'A' && N == 4 && E == 0 && decode == 1);
    OK(scda_fread_array_data(f, data, &four, 0, 1, &err));
    OK(scda_fread_section_header(f, &type, &N, &E, userstr, &decode, &err));
    CHECK(type == 0);
    CHECK(scda_fclose(f, &err) == 0);

    /* Not decoded: both halves are sections by themselves. */
    f = scda_fopen(SCDA_COMM_WORLD, path, 'r', NULL, &err);
    NEED(f != NULL);
    for (i = 0; ; i++) {
        static const char types[] = "IBIBIVIVAVAVIV";
        decode = 0;
        OK(scda_fread_section_header(f, &type, &N, &E, userstr, &decode, &err));
        if (type == 0) break;
        CHECK(i < 14 && type == types[i] && decode == 0);
        if (i == 0) {
            CHECK(strcmp(userstr, "B compressed scda 00") == 0);
            OK(scda_fread_inline_data(f, data, 0, &err));
            CHECK(memcmp(data, "U 29 --------------------------\n", 32) == 0);
        } else {
            OK(scda_fskip(f, &err));
        }
    }
    CHECK(i == 14);
    CHECK(scda_fclose(f, &err) == 0);
}

/* User strings of any bytes, and options. */
static void strings_and_options(const char *path)
{
    char odd[SCDA_USERSTR_MAX], read[SCDA_USERSTR_SIZE], type, *bytes;
    const uint64_t one = 1, two = 2, none = 0;
    uint64_t N, E, size;
    size_t length = sizeof odd, found = 0, i;
    int err, decode = 0;
    scda_options options;
    scda_fcontext *f;
    for (i = 0; i < sizeof odd; i++) odd[i] = (char)(i * 5 - 20);
    odd[7] = odd[57] = 0;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.vendor = "libsc";
    options.style = SCDA_MIME;
    options.level = SCDA_LEVEL_STORE;
    f = scda_fopen_with(NULL, &options, path, 'w', odd, &length, &err);
    NEED(f != NULL && err == 0);
    OK(scda_fwrite_inline_n(f, "0123456789abcdef0123456789abcdef", odd, 57, 0, &err));
    OK(scda_fwrite_block_n(f, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 32, odd, 8, 0, 1, &err));
    OK(scda_fwrite_array_n(f, "ab", &one, 2, 0, odd, 0, 0, &err));
    OK(scda_fwrite_varray_n(f, "ab", &one, &two, &two, 0, odd + 7, 1, 0, &err));
    OK(scda_fwrite_varray_n(f, NULL, &none, NULL, &none, 0, NULL, 0, 0, &err));
    CHECK(scda_fclose(f, &err) == 0);
    bytes = contents(path, &length);
    NEED(bytes != NULL);
    CHECK(memcmp(bytes, "scdata0 libsc ----------------\r\nF ", 34) == 0);
    CHECK(memcmp(bytes + 34, odd, 58) == 0 && memcmp(bytes + 92, " -\r\n", 4) == 0);
    /* A stored block of deflate. */
    CHECK(memcmp(bytes + 224 + 96 + 96, "AAAAAAAAACB6eAEBIADf", 20) == 0);
    free(bytes);

    f = scda_fopen_with(NULL, NULL, path, 'r', read, &found, &err);
    NEED(f != NULL && found == 58 && memcmp(read, odd, 58) == 0 && read[58] == 0);
    OK(scda_fread_section_header_n(f, &type, &N, &E, read, &found, &decode, &err));
    CHECK(type == 'I' && found == 57 && memcmp(read, odd, 57) == 0 && read[57] == 0);
    OK(scda_fskip(f, &err));
    decode = 1;
    OK(scda_fread_section_header_n(f, &type, &N, &E, read, &found, &decode, &err));
    CHECK(type == 'B' && E == 32 && decode == 1 && found == 8 && memcmp(read, odd, 8) == 0);
    OK(scda_fskip(f, &err));
    OK(scda_fread_section_header_n(f, &type, &N, &E, NULL, &found, &decode, &err));
    CHECK(type == 'A' && found == 0);
    OK(scda_fskip(f, &err));
    OK(scda_fread_section_header_n(f, &type, &N, &E, read, &found, &decode, &err));
    CHECK(type == 'V' && N == 1 && found == 1);
    /* Sizes again. */
    OK(scda_fread_varray_sizes(f, NULL, &one, &err));
    OK(scda_fread_varray_sizes(f, &size, &one, &err));
    CHECK(size == 2);
    OK(scda_fskip(f, &err));
    OK(scda_fread_section_header(f, &type, &N, &E, NULL, &decode, &err));
    CHECK(type == 'V' && N == 0);
    OK(scda_fread_varray_sizes(f, NULL, &none, &err));
    OK(scda_fread_varray_data(f, NULL, &none, NULL, NULL, 0, &err));
    CHECK(scda_fclose(f, &err) == 0);

    /* The communicator of a serial program, by the structure. */
    f = scda_fopen_comm(NULL, path, 'r', NULL, &err);
    NEED(f != NULL && err == 0);
    CHECK(scda_fclose(f, &err) == 0);

    /* Padding that the paper allows, but no program writes. */
    bytes = contents(path, &length);
    NEED(bytes != NULL);
    bytes[length - 20] = '+';
    put(path, bytes, length);
    free(bytes);
    for (options.strict = 0; options.strict < 2; options.strict++) {
        f = scda_fopen_with(NULL, &options, path, 'r', NULL, NULL, &err);
        NEED(f != NULL);
        for (type = 1, decode = 0; f != NULL && type != 0;) {
            f = scda_fread_section_header(f, &type, &N, &E, NULL, &decode, &err);
            if (f != NULL && type != 0) f = scda_fskip(f, &err);
        }
        CHECK((f == NULL) == options.strict && err == (options.strict ? SCDA_ERR_FORMAT : 0));
        if (f == NULL) {
            CHECK(strcmp(linkstream_last_error()->rule, "scda-padding") == 0);
            CHECK(strcmp(linkstream_last_error()->clause, "scda, section 2.1") == 0);
            CHECK(linkstream_last_error()->has_offset && linkstream_last_error()->offset == length - 20);
        } else {
            CHECK(scda_fclose(f, &err) == 0);
        }
    }
}

static void error_strings(void)
{
    static const int codes[] = {
        SCDA_SUCCESS, SCDA_ERR_FORMAT, SCDA_ERR_VERSION, SCDA_ERR_TRUNCATED, SCDA_ERR_DECODE, SCDA_ERR_LIMIT,
        SCDA_ERR_SYSTEM, SCDA_ERR_NO_FILE, SCDA_ERR_ACCESS, SCDA_ERR_NO_SPACE, SCDA_ERR_BAD_FILE, SCDA_ERR_IO,
        SCDA_ERR_MEMORY, SCDA_ERR_COMM, SCDA_ERR_ARGUMENT, SCDA_ERR_SEQUENCE, SCDA_ERR_DIFFERENT, SCDA_ERR_DEFECT};
    char text[128], cut[8];
    size_t i;
    int length, err = 0;
    for (i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        memset(text, '?', sizeof text);
        length = sizeof text;
        CHECK(scda_ferror_string(codes[i], text, &length) == 0);
        CHECK(length > 0 && length < (int)sizeof text && strlen(text) == (size_t)length);
    }
    length = sizeof cut;
    CHECK(scda_ferror_string(SCDA_SUCCESS, cut, &length) == 0 && length == 7 && strcmp(cut, "success") == 0);
    length = 5;
    CHECK(scda_ferror_string(SCDA_SUCCESS, cut, &length) == 0 && length == 4 && strcmp(cut, "succ") == 0);
    length = 1;
    CHECK(scda_ferror_string(SCDA_SUCCESS, cut, &length) == 0 && length == 0 && cut[0] == 0);
    CHECK(scda_fopen_failed(&err) == NULL && err == SCDA_ERR_COMM && has_message("communicat"));
}

/* True if a file has these bytes. */
static int has(const char *path, const char *expected, size_t length)
{
    size_t found;
    char *bytes = contents(path, &found);
    int is_same = bytes != NULL && found == length && memcmp(bytes, expected, length) == 0;
    free(bytes);
    return is_same;
}

/* An old file, while a new one is written, after an error, and when the new one is complete. */
static void replacing(const char *path)
{
    static const char old[] = "an old checkpoint", data[] = "0123456789abcdef0123456789abcdef";
    enum { BY_OPTION, AT_ONCE, BY_VARIABLE, OLD_STRUCTURE, SECOND_STRUCTURE, PAPER, CASES };
    char *part = joined(directory, ".calls.scda.part"), userstr[] = "a file", first[129], *bytes;
    struct {
        size_t struct_size;
        void (*release)(void *context, int usable);
        const char *vendor;
        int style, level, strict;
    } before;
    struct {
        size_t struct_size;
        void (*release)(void *context, int usable);
        const char *vendor;
        int style, level, strict, replace, reserved;
    } second;
    size_t length;
    int err, way, is_complete, with_variable;
    NEED(part != NULL);
    for (way = 0; way < CASES * 4; way++) {
        scda_options options;
        scda_fcontext *f, *other;
        int is_kept;
        is_complete = way & 1;
        with_variable = way >> 1 & 1;
        memset(&options, 0, sizeof options);
        options.struct_size = sizeof options;
        memset(&before, 0, sizeof before);
        before.struct_size = sizeof before;
        memset(&second, 0, sizeof second);
        second.struct_size = sizeof second;
        if (way / 4 == AT_ONCE) options.replace = SCDA_REPLACE_AT_ONCE;
        if (way / 4 == BY_VARIABLE) options.replace = SCDA_REPLACE_AS_SET;
        if (with_variable) setenv("LINKSTREAM_REPLACE", "complete", 1);
        else unsetenv("LINKSTREAM_REPLACE");
        is_kept = way / 4 == BY_OPTION || way / 4 == SECOND_STRUCTURE || (way / 4 != AT_ONCE && with_variable);
        put(path, old, sizeof old);
        /* Of a job that was killed. */
        if (is_kept) put(part, data, sizeof data);
        switch (way / 4) {
        case OLD_STRUCTURE:
            f = scda_fopen_with(NULL, (const scda_options *)(const void *)&before, path, 'w', userstr, NULL, &err);
            break;
        case SECOND_STRUCTURE:
            f = scda_fopen_with(NULL, (const scda_options *)(const void *)&second, path, 'w', userstr, NULL, &err);
            break;
        case PAPER: f = scda_fopen(SCDA_COMM_WORLD, path, 'w', userstr, &err); break;
        default: f = scda_fopen_with(NULL, &options, path, 'w', userstr, NULL, &err);
        }
        NEED(f != NULL && err == 0);
        f = scda_fwrite_block(f, data, 32, "block", 0, 0, &err);
        NEED(f != NULL && err == 0);
        CHECK(has(path, old, sizeof old) == is_kept);
        bytes = contents(is_kept ? part : path, &length);
        memset(first, 0, sizeof first);
        CHECK(bytes != NULL && length > 128 && memcmp(bytes, first, 128) == 0);
        free(bytes);
        if (is_kept) {
            options.replace = SCDA_REPLACE_COMPLETE;
            other = scda_fopen_with(NULL, &options, path, 'w', userstr, NULL, &err);
            CHECK(other == NULL && err == SCDA_ERR_ARGUMENT && has_message("another job is writing it"));
        }
        if (is_complete) {
            CHECK(scda_fclose(f, &err) == 0 && err == 0);
            bytes = contents(path, &length);
            CHECK(bytes != NULL && memcmp(bytes, "scdata0 ", 8) == 0);
            free(bytes);
        } else {
            CHECK(scda_fwrite_block(f, NULL, 32, "block", 0, 0, &err) == NULL && err == SCDA_ERR_ARGUMENT);
            bytes = contents(path, &length);
            CHECK(bytes != NULL && (is_kept ? has(path, old, sizeof old) : memcmp(bytes, first, 128) == 0));
            free(bytes);
        }
        bytes = contents(part, &length);
        CHECK(bytes == NULL);
        free(bytes);
    }
    setenv("LINKSTREAM_REPLACE", "perhaps", 1);
    CHECK(scda_fopen(SCDA_COMM_WORLD, path, 'w', userstr, &err) == NULL);
    CHECK(err == SCDA_ERR_ARGUMENT && has_message("LINKSTREAM_REPLACE"));
    unsetenv("LINKSTREAM_REPLACE");
    free(part);
}

int main(int argc, char **argv)
{
    char *path;
    int skips;
    if (argc < 2) return 1;
    directory = argv[1];
    path = joined(directory, "calls.scda");
    CHECK(linkstream_last_error()->message[0] == 0);
    raw(path);
    for (skips = 0; skips < 128; skips++) raw_again(path, skips);
    compressed(path);
    strings_and_options(path);
    replacing(path);
    error_strings();
    remove(path);
    free(path);
    return failures != 0;
}
