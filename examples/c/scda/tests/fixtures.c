/* Every scda file of the fixtures, against their manifests: sections, sizes and data, both decoded and not; a copy is
 * the same file; damaged files end with the code of their class. */
#include <scda.h>
#include <unistd.h>

#include "check.h"

/* --- Manifests: lines "key = value" in tables --- */

/* The value of a key, between the start of a table and the next one. NULL if it has none. The caller frees it. */
static char *value(const char *table, const char *end, const char *key)
{
    size_t length = strlen(key);
    const char *line = table, *stop;
    char *found;
    while (line != NULL && line < end) {
        if (strncmp(line, key, length) == 0 && strncmp(line + length, " = ", 3) == 0) {
            line += length + 3;
            stop = strchr(line, '\n');
            if (*line == '"') line++, stop--;
            found = calloc((size_t)(stop - line) + 1, 1);
            if (found == NULL) exit(1);
            memcpy(found, line, (size_t)(stop - line));
            return found;
        }
        line = strchr(line, '\n');
        if (line != NULL) line++;
    }
    return NULL;
}

static uint64_t number(const char *table, const char *end, const char *key, uint64_t otherwise)
{
    char *text = value(table, end, key);
    uint64_t found = text == NULL ? otherwise : strtoull(text, NULL, 10);
    free(text);
    return found;
}

/* The start of the next table, or the end of the manifest. */
static const char *next(const char *from, const char *name)
{
    const char *found = strstr(from, name);
    return found == NULL ? from + strlen(from) : found + strlen(name);
}

/* The end of this table. */
static const char *end_of(const char *table)
{
    const char *found = strstr(table, "\n[[");
    return found == NULL ? table + strlen(table) : found;
}

static size_t from_hex(const char *hex, char *bytes)
{
    size_t length = strlen(hex) / 2, i;
    for (i = 0; i < length; i++) {
        unsigned byte;
        sscanf(hex + 2 * i, "%2x", &byte);
        bytes[i] = (char)byte;
    }
    return length;
}

/* The data that a formula of the manifest describes. */
static void formula(const char *text, char *bytes, size_t length)
{
    unsigned long long a = 0, b = 0;
    size_t i, k;
    if (sscanf(text, "lin:%llu,%llu", &a, &b) == 2) {
        for (i = 0; i < length; i++) bytes[i] = (char)(a * i + b);
    } else if (sscanf(text, "sm64:%llu", &b) == 1 || sscanf(text, "per:%llu,%llu", &a, &b) == 2) {
        uint64_t state = b;
        size_t period = a == 0 || a > length ? length : (size_t)a;
        for (i = 0; i < period; i += 8) {
            uint64_t z = state += 0x9E3779B97F4A7C15u;
            z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
            z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
            z ^= z >> 31;
            for (k = 0; k < 8 && i + k < period; k++) bytes[i + k] = (char)(z >> (8 * k));
        }
        for (i = period; i < length; i++) bytes[i] = bytes[i - period];
    } else if (sscanf(text, "quad:%llu,%llu", &a, &b) == 2) {
        for (i = 0; i < length; i += 8) {
            int64_t index = (int64_t)(i / 8);
            double x = (double)(index * (index - (int64_t)a)) / (double)((uint64_t)1 << b);
            uint64_t z;
            memcpy(&z, &x, 8);
            for (k = 0; k < 8 && i + k < length; k++) bytes[i + k] = (char)(z >> (8 * k));
        }
    } else if (strncmp(text, "rep:", 4) == 0 || strncmp(text, "lit:", 4) == 0) {
        char pattern[4096];
        size_t period = from_hex(text + 4, pattern);
        for (i = 0; i < length && period > 0; i++) bytes[i] = pattern[i % period];
        CHECK(period > 0 || length == 0);
    } else {
        CHECK(!"a formula that is known");
    }
    if (length > 0 && strstr(text, "+nl") != NULL) bytes[length - 1] = '\n';
    if (length > 0 && strstr(text, "-nl") != NULL && bytes[length - 1] == '\n') bytes[length - 1] = '.';
}

/* Size of an element after a description of sizes. */
static uint64_t size_at(const char *text, uint64_t element)
{
    unsigned long long a, b, m;
    if (sscanf(text, "const:%llu", &a) == 1) return a;
    if (sscanf(text, "mod:%llu,%llu,%llu", &a, &b, &m) == 3) return (a * element + b) % m;
    for (text = strchr(text, ':') + 1; element > 0; element--) text = strchr(text, ',') + 1;
    return strtoull(text, NULL, 10);
}

/* --- A section as the manifest has it --- */

typedef struct {
    char type, user[SCDA_USERSTR_SIZE], *sizes, *payload, *convention;
    size_t user_length;
    uint64_t N, E, offset, length, plain_length, U;
} listed;

static listed section_of(const char *table)
{
    const char *end = end_of(table);
    char *type = value(table, end, "type"), *user = value(table, end, "user_hex");
    listed own;
    memset(&own, 0, sizeof own);
    NEED(type != NULL && user != NULL && strlen(user) <= 2 * SCDA_USERSTR_MAX);
    own.type = type[0];
    own.user_length = from_hex(user, own.user);
    free(type), free(user);
    own.N = number(table, end, "N", 0), own.E = number(table, end, "E", 0), own.U = number(table, end, "U", 0);
    own.offset = number(table, end, "data_offset", 0), own.length = number(table, end, "data_len", 0);
    own.plain_length = number(table, end, "plain_len", 0);
    own.payload = value(table, end, "payload"), own.convention = value(table, end, "convention");
    own.sizes = value(table, end, "sizes");
    return own;
}

static void drop_section(listed *own)
{
    free(own->payload), free(own->convention), free(own->sizes);
}

static int sections, large_counts;

/* Reads the data of a section into memory, and the sizes of a varray. */
static scda_fcontext *read_data(scda_fcontext *f, char type, uint64_t N, uint64_t E, char **data, uint64_t *length,
                                uint64_t **sizes, int *err)
{
    uint64_t i;
    *sizes = NULL;
    *length = type == 'I' ? 32 : type == 'B' ? E : N * E;
    if (type == 'V') {
        *sizes = calloc((size_t)N + 1, 8);
        if (*sizes == NULL) exit(1);
        f = scda_fread_varray_sizes(f, *sizes, &N, err);
        for (i = 0, *length = 0; f != NULL && i < N; i++) *length += (*sizes)[i];
    }
    *data = *length > 100 << 20 ? NULL : calloc((size_t)*length + 1, 1);
    if (*data == NULL && *length <= 100 << 20) exit(1);
    if (f == NULL) return f;
    if (*data == NULL) return scda_fskip(f, err);
    if (type == 'I') return scda_fread_inline_data(f, *data, 0, err);
    if (type == 'B') return scda_fread_block_data(f, *data, E, 0, err);
    if (type == 'A') return scda_fread_array_data(f, *data, &N, E, 0, err);
    return scda_fread_varray_data(f, *data, &N, *sizes, length, 0, err);
}

/* Reads a file, compares it with its part of the manifest, and copies it to `copy`. */
static void valid(const char *path, const char *copy, const char *table, int decode)
{
    const char *file_end = next(table, "\n[[file]]"), *section = next(table, "[[file.section]]");
    char user[SCDA_USERSTR_SIZE], type, *bytes, *hex, vendor[21] = "", *eol = value(table, end_of(table), "eol");
    size_t file_length, user_length;
    int err = 0, decoded, i, encode = 0;
    listed own = section_of(section);
    scda_options options;
    scda_fcontext *f, *to = NULL;
    bytes = contents(path, &file_length);
    NEED(bytes != NULL && eol != NULL);
    NEED(file_length == number(table, end_of(table), "bytes", 0));
    hex = value(section, end_of(section), "vendor_hex");
    NEED(hex != NULL && strlen(hex) <= 40);
    from_hex(hex, vendor);
    free(hex);
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.vendor = vendor;
    options.style = strcmp(eol, "mime") == 0 ? SCDA_MIME : SCDA_UNIX;
    f = scda_fopen_with(NULL, NULL, path, 'r', user, &user_length, &err);
    NEED(f != NULL && own.type == 'F');
    CHECK(user_length == own.user_length && memcmp(user, own.user, sizeof user) == 0);
    to = scda_fopen_with(NULL, &options, copy, 'w', user, &user_length, &err);
    NEED(to != NULL);
    drop_section(&own);
    for (section = next(section, "[[file.section]]"); section < file_end; section = next(section, "[[file.section]]")) {
        uint64_t N, E, length, *sizes = NULL, k;
        char *data, *expected;
        int is_half;
        own = section_of(section);
        is_half = own.convention != NULL && strstr(own.convention, "-header") != NULL;
        if (decode && is_half) {
            /* The second half has all of it. */
            drop_section(&own);
            continue;
        }
        decoded = decode;
        f = scda_fread_section_header_n(f, &type, &N, &E, user, &user_length, &decoded, &err);
        if (f == NULL && err == SCDA_ERR_LIMIT) {
            /* Counts of more than 64 bits, which are valid. */
            char *N_text = value(section, end_of(section), "N"), *E_text = value(section, end_of(section), "E");
            CHECK(strlen(N_text) > 19 || strlen(E_text) > 19);
            free(N_text), free(E_text), drop_section(&own);
            large_counts++;
            break;
        }
        NEED(f != NULL);
        CHECK(decoded == (decode && own.convention != NULL));
        CHECK(user_length == own.user_length && memcmp(user, own.user, sizeof user) == 0);
        if (decoded) {
            CHECK(type == own.convention[0]);
            CHECK(N == own.N && E == (type == 'V' ? 0 : own.U));
        } else {
            CHECK(type == own.type && N == own.N && E == own.E);
        }
        f = read_data(f, type, N, E, &data, &length, &sizes, &err);
        NEED(f != NULL && data != NULL);
        expected = calloc((size_t)length + 1, 1);
        if (expected == NULL) exit(1);
        if (decoded) {
            NEED(length == own.plain_length);
            formula(own.payload, expected, (size_t)length);
        } else {
            NEED(length == own.length && own.offset + length <= file_length);
            memcpy(expected, bytes + own.offset, (size_t)length);
        }
        CHECK(memcmp(data, expected, (size_t)length) == 0);
        if (!decoded && own.payload != NULL && own.convention == NULL) {
            formula(own.payload, expected, (size_t)length);
            CHECK(memcmp(data, expected, (size_t)length) == 0);
        }
        if (type == 'V' && !decoded && own.sizes != NULL)
            for (k = 0; k < N; k++) CHECK(sizes[k] == size_at(own.sizes, k));
        encode = decoded;
        if (type == 'I') to = scda_fwrite_inline_n(to, data, user, user_length, 0, &err);
        else if (type == 'B') to = scda_fwrite_block_n(to, data, E, user, user_length, 0, encode, &err);
        else if (type == 'A') to = scda_fwrite_array_n(to, data, &N, E, 0, user, user_length, encode, &err);
        else to = scda_fwrite_varray_n(to, data, &N, sizes, &length, 0, user, user_length, encode, &err);
        NEED(to != NULL);
        sections++;
        free(data), free(expected), free(sizes);
        drop_section(&own);
    }
    if (f != NULL) {
        decoded = decode;
        for (i = 0; i < 2; i++) {
            uint64_t N, E;
            f = scda_fread_section_header(f, &type, &N, &E, NULL, &decoded, &err);
            NEED(f != NULL);
            CHECK(type == 0);
        }
        CHECK(scda_fclose(f, &err) == 0);
    }
    CHECK(scda_fclose(to, &err) == 0);
    /* Without decoding, all bytes are the same, but for padding that no program writes. */
    if (f != NULL && !decode && strcmp(eol, "arbitrary") != 0) CHECK(same_files(path, copy));
    if (failures) {
        fprintf(stderr, "%s, decode %d\n", path, decode);
        exit(1);
    }
    free(eol);
    free(bytes);
}

/* Reads all of a file. Returns its error. */
static int outcome(const char *path, int decode)
{
    int err = 0;
    char type = 1;
    scda_fcontext *f = scda_fopen(SCDA_COMM_WORLD, path, 'r', NULL, &err);
    while (f != NULL && type != 0) {
        uint64_t N, E, length, *sizes;
        char *data;
        int decoded = decode;
        f = scda_fread_section_header(f, &type, &N, &E, NULL, &decoded, &err);
        if (f == NULL || type == 0) break;
        if (N > 100 << 20 || E > 100 << 20) {
            f = scda_fskip(f, &err);
            continue;
        }
        f = read_data(f, type, N, E, &data, &length, &sizes, &err);
        free(data), free(sizes);
    }
    if (f != NULL) CHECK(scda_fclose(f, &err) == 0 && err == 0);
    else CHECK(err / 100 == 1 && linkstream_last_error()->message[0] != 0);
    return err;
}

/* The code of a class of the manifest. */
static int is_class(const char *class, size_t length, int err)
{
    static const struct { const char *name; int code; } classes[] = {
        {"magic", SCDA_ERR_FORMAT}, {"version", SCDA_ERR_VERSION}, {"format", SCDA_ERR_FORMAT},
        {"truncated", SCDA_ERR_TRUNCATED}, {"decode", SCDA_ERR_DECODE}, {"limit", SCDA_ERR_LIMIT},
        {"accept", SCDA_SUCCESS}};
    size_t i;
    for (i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (strlen(classes[i].name) == length && memcmp(classes[i].name, class, length) == 0)
            return classes[i].code == err;
    return 0;
}

int main(int argc, char **argv)
{
    char *folder, *copy, *manifest, *path, *name;
    const char *table;
    size_t length;
    int files = 0, refused = 0, accepted = 0, decode;
    if (argc < 3) return 1;
    copy = joined(argv[1], "fixtures-copy.scda");
    folder = joined(argv[2], "host-tests/fixtures/scda");
    path = joined(folder, "MANIFEST.toml");
    manifest = contents(path, &length);
    free(path);
    NEED(manifest != NULL);
    for (table = next(manifest, "\n[[file]]"); *table != 0; table = next(table, "\n[[file]]")) {
        name = value(table, end_of(table), "path");
        NEED(name != NULL);
        path = joined(folder, name);
        /* A file of another project, which is not in the repository. */
        if (strcmp(name, "libsc-sc_test_scda.scd") == 0 && access(path, R_OK) != 0) {
            free(path), free(name);
            continue;
        }
        for (decode = 0; decode < 2; decode++) {
            valid(path, copy, table, decode);
            /* What was compressed again is the same before compression. */
            if (decode) {
                FILE *again = fopen(copy, "rb");
                CHECK(again != NULL);
                if (again != NULL) fclose(again);
                CHECK(outcome(copy, 1) == 0 && outcome(copy, 0) == 0);
            }
        }
        files++;
        free(path), free(name);
    }
    free(manifest), free(folder);
    CHECK(files >= 35 && sections > 600 && large_counts == 2);

    folder = joined(argv[2], "host-tests/fixtures/broken-scda");
    path = joined(folder, "MANIFEST.toml");
    manifest = contents(path, &length);
    free(path);
    NEED(manifest != NULL);
    for (table = next(manifest, "\n[[file]]"); *table != 0; table = next(table, "\n[[file]]")) {
        char *expect = value(table, end_of(table), "expect"), *from;
        int err, as_expected = 0;
        name = value(table, end_of(table), "path");
        NEED(name != NULL && expect != NULL);
        path = joined(folder, name);
        err = outcome(path, 1);
        from = strncmp(expect, "reject:", 7) == 0 ? expect + 7 : expect;
        for (;;) {
            size_t word = strcspn(from, "|");
            as_expected |= is_class(from, word, err);
            if (from[word] == 0) break;
            from += word + 1;
        }
        /* These claim elements for which there is no memory: this test skips them, and skipped data are not verified.
         * */
        if (strcmp(name, "comp-U-2e63.scda") == 0 || strcmp(name, "comp-size-huge.scda") == 0 ||
            strcmp(name, "comp-size-2e64-1.scda") == 0)
            as_expected = err == 0;
        /* The count is refused before the data are reached. */
        if (strcmp(name, "comp-U-26-digits.scda") == 0) as_expected = err == SCDA_ERR_LIMIT;
        if (!as_expected) {
            fprintf(stderr, "%s: code %d, expected %s (%s)\n", name, err, expect, linkstream_last_error()->message);
            failures++;
        }
        if (err == 0) accepted++;
        else refused++;
        outcome(path, 0);
        free(path), free(name), free(expect);
    }
    free(manifest), free(folder);
    remove(copy);
    free(copy);
    CHECK(refused == 179 && accepted == 14);
    return failures != 0;
}
