/* Files written and read through libsc's interface, by any number of ranks. */
#ifndef SCDA_TEST_LIBSC_H
#define SCDA_TEST_LIBSC_H

#include <libsc/sc_scda.h>

#include "check.h"

static int rank, size;
static const char INLINE_DATA[] = "Test inline data               \n";

#define GOOD(fc) NEED((fc) != NULL && sc_scda_ferror_is_success(errcode))

/* N elements divided among the ranks: all of them to the last one with `style` 1, otherwise evenly. */
static inline void divide(sc_array_t *counts, sc_scda_ulong N, int style)
{
    int q;
    sc_array_init_count(counts, sizeof(sc_scda_ulong), (size_t)size);
    for (q = 0; q < size; q++) {
        sc_scda_ulong first = N * (sc_scda_ulong)q / (sc_scda_ulong)size;
        sc_scda_ulong behind = N * (sc_scda_ulong)(q + 1) / (sc_scda_ulong)size;
        *(sc_scda_ulong *)sc_array_index_int(counts, q) = style == 1 ? (q == size - 1 ? N : 0) : behind - first;
    }
}

static inline sc_scda_ulong entry(sc_array_t *table, int q)
{
    return *(sc_scda_ulong *)sc_array_index_int(table, q);
}

static inline size_t own_count(sc_array_t *counts)
{
    return (size_t)entry(counts, rank);
}

static inline size_t first_of(sc_array_t *counts)
{
    size_t first = 0;
    int q;
    for (q = 0; q < rank; q++) first += (size_t)entry(counts, q);
    return first;
}

/* An array in one piece, or with an sc_array_t for each element: every element has these bytes. */
static inline void fill(sc_array_t *data, size_t count, const char *bytes, size_t elem_size, int indirect)
{
    size_t i;
    sc_array_init_count(data, indirect ? sizeof(sc_array_t) : elem_size, count);
    for (i = 0; i < count; i++) {
        sc_array_t *element = (sc_array_t *)sc_array_index(data, i);
        if (indirect) sc_array_init_count(element, elem_size, 1);
        memcpy(indirect ? sc_array_index(element, 0) : (void *)element, bytes, elem_size);
    }
}

static inline int is_filled(sc_array_t *data, const char *bytes, size_t elem_size, int indirect)
{
    size_t i;
    for (i = 0; i < data->elem_count; i++) {
        sc_array_t *element = (sc_array_t *)sc_array_index(data, i);
        if (memcmp(indirect ? sc_array_index(element, 0) : (void *)element, bytes, elem_size) != 0) return 0;
    }
    return 1;
}

static inline void empty(sc_array_t *data, int indirect)
{
    size_t i;
    for (i = 0; indirect && i < data->elem_count; i++) sc_array_reset((sc_array_t *)sc_array_index(data, i));
    sc_array_reset(data);
}

/* The contents of the file that libsc's own test writes. */
static inline void write_as_libsc(sc_MPI_Comm comm, const char *path, int style)
{
    sc_scda_ferror_t errcode;
    sc_array_t data, counts;
    char block[] = "Test block data", line[33];
    size_t length = 18;
    sc_scda_fcontext_t *fc = sc_scda_fopen_write(comm, path, "This is a test file", NULL, NULL, &errcode);
    GOOD(fc);
    sc_array_init_data(&data, block, 15, 1);
    fc = sc_scda_fwrite_block(fc, "Block section test, and more", &length, rank == size - 1 ? &data : NULL, 15,
                              size - 1, 0, &errcode);
    GOOD(fc);
    strcpy(line, INLINE_DATA);
    sc_array_init_data(&data, line, 32, 1);
    fc = sc_scda_fwrite_inline(fc, "Inline section test without user-defined padding", NULL, &data, size - 1, &errcode);
    GOOD(fc);
    fc = sc_scda_fwrite_inline(fc, "", NULL, rank == 0 ? &data : NULL, 0, &errcode);
    GOOD(fc);
    fc = sc_scda_fwrite_block(fc, "A block section with the inline data", NULL, &data, 32, size - 1, 0, &errcode);
    GOOD(fc);
    divide(&counts, 12, style);
    fill(&data, own_count(&counts), "abc", 3, 0);
    fc = sc_scda_fwrite_array(fc, "A fixed-length array section", NULL, &data, &counts, 3, 0, 0, &errcode);
    GOOD(fc);
    empty(&data, 0);
    sc_array_reset(&counts);
    divide(&counts, 0, style);
    fc = sc_scda_fwrite_array(fc, "An empty array", NULL, &data, &counts, 3, 0, 0, &errcode);
    GOOD(fc);
    sc_array_reset(&counts);
    divide(&counts, 12, style);
    fill(&data, own_count(&counts), "cba", 3, 1);
    fc = sc_scda_fwrite_array(fc, "Another fixed-length array section", NULL, &data, &counts, 3, 1, 0, &errcode);
    GOOD(fc);
    empty(&data, 1);
    sc_array_reset(&counts);
    CHECK(sc_scda_fclose(fc, &errcode) == 0 && sc_scda_ferror_is_success(errcode));
}

/* Reads a header, which must be this one. `decode` is undefined on all ranks but the first, as in programs for libsc.
 */
static inline sc_scda_fcontext_t *header(sc_scda_fcontext_t *fc, char type, size_t N, size_t E, const char *name,
                                         int decode)
{
    sc_scda_ferror_t errcode;
    char found = 0, user_string[SC_SCDA_USER_STRING_BYTES + 1];
    size_t elem_count = 7, elem_size = 7, len = 7;
    int decodes = rank == 0 ? decode : rank % 2;
    fc = sc_scda_fread_section_header(fc, user_string, &len, &found, &elem_count, &elem_size, &decodes, &errcode);
    GOOD(fc);
    CHECK(found == type && elem_count == N && elem_size == E && strcmp(user_string, name) == 0 && len == strlen(name));
    return fc;
}

static inline void read_as_libsc(sc_MPI_Comm comm, const char *path, int style)
{
    sc_scda_ferror_t errcode;
    char user_string[SC_SCDA_USER_STRING_BYTES + 1], bytes[32];
    size_t len = 0;
    int indirect;
    sc_array_t data, counts;
    sc_scda_fcontext_t *fc = sc_scda_fopen_read(comm, path, user_string, &len, NULL, &errcode);
    GOOD(fc);
    CHECK(strcmp(user_string, "This is a test file") == 0 && len == 19);
    fc = header(fc, 'B', 0, 15, "Block section test", 0);
    sc_array_init_data(&data, bytes, 15, 1);
    fc = sc_scda_fread_block_data(fc, &data, 15, 0, &errcode);
    GOOD(fc);
    CHECK(rank != 0 || memcmp(bytes, "Test block data", 15) == 0);
    fc = header(fc, 'I', 0, 0, "Inline section test without user-defined padding", 0);
    sc_array_init_data(&data, bytes, 32, 1);
    fc = sc_scda_fread_inline_data(fc, rank == size - 1 ? &data : NULL, size - 1, &errcode);
    GOOD(fc);
    CHECK(rank != size - 1 || memcmp(bytes, INLINE_DATA, 32) == 0);
    fc = header(fc, 'I', 0, 0, "", 0);
    fc = sc_scda_fread_inline_data(fc, NULL, 0, &errcode);
    GOOD(fc);
    fc = header(fc, 'B', 0, 32, "A block section with the inline data", 1);
    fc = sc_scda_fread_block_data(fc, NULL, 32, size - 1, &errcode);
    GOOD(fc);
    for (indirect = 0; indirect < 2; indirect++) {
        const char *name = indirect ? "Another fixed-length array section" : "A fixed-length array section";
        fc = header(fc, 'A', 12, 3, name, 0);
        divide(&counts, 12, style);
        fill(&data, own_count(&counts), "...", 3, indirect);
        /* One rank skips its part. */
        fc = sc_scda_fread_array_data(fc, rank == 1 ? NULL : &data, &counts, 3, indirect, &errcode);
        GOOD(fc);
        CHECK(is_filled(&data, rank == 1 ? "..." : indirect ? "cba" : "abc", 3, indirect));
        empty(&data, indirect);
        sc_array_reset(&counts);
        if (indirect) break;
        fc = header(fc, 'A', 0, 3, "An empty array", 0);
        divide(&counts, 0, style);
        fc = sc_scda_fread_array_data(fc, NULL, &counts, 3, 0, &errcode);
        GOOD(fc);
        sc_array_reset(&counts);
    }
    CHECK(sc_scda_fclose(fc, &errcode) == 0 && sc_scda_ferror_is_success(errcode));
}

/* Elements of different sizes and compressed sections, which libsc declares: element i has i % 4 bytes. */
static inline void sizes_of(sc_array_t *counts, sc_array_t *sizes, sc_array_t *sums, sc_array_t *data, int indirect)
{
    sc_scda_ferror_t errcode;
    size_t i, first = first_of(counts), count = own_count(counts), bytes = 0;
    sc_array_init_count(sizes, sizeof(sc_scda_ulong), count);
    sc_array_init(sums, sizeof(sc_scda_ulong));
    for (i = 0; i < count; i++) {
        *(sc_scda_ulong *)sc_array_index(sizes, i) = (first + i) % 4;
        bytes += (first + i) % 4;
    }
    CHECK(sc_scda_proc_sizes(sizes, counts, sums, &errcode) == 0 && sc_scda_ferror_is_success(errcode));
    CHECK(sums->elem_count == (size_t)size && own_count(sums) == bytes);
    if (indirect) {
        sc_array_init_count(data, sizeof(sc_array_t), count);
        for (i = 0; i < count; i++) {
            sc_array_t *element = (sc_array_t *)sc_array_index(data, i);
            size_t elem_size = (first + i) % 4;
            sc_array_init_count(element, elem_size > 0 ? elem_size : 1, elem_size > 0);
            memset(element->elem_count > 0 ? element->array : (char *)element, 'e', element->elem_count * elem_size);
        }
    } else if (bytes > 0) {
        sc_array_init_count(data, bytes, 1);
        memset(data->array, 'e', bytes);
    } else {
        sc_array_init(data, 1);
    }
}

static inline void write_more(sc_MPI_Comm comm, const char *path, int style)
{
    sc_scda_ferror_t errcode;
    sc_array_t counts, sizes, sums, data;
    int encode, indirect;
    char text[5000];
    sc_scda_fcontext_t *fc = sc_scda_fopen_write(comm, path, "more", NULL, NULL, &errcode);
    GOOD(fc);
    for (encode = 0; encode < 2; encode++) {
        for (indirect = 0; indirect < 2; indirect++) {
            divide(&counts, 30, style);
            sizes_of(&counts, &sizes, &sums, &data, indirect);
            fc = sc_scda_fwrite_varray(fc, "sizes", NULL, &data, &counts, &sizes, &sums, indirect, encode, &errcode);
            GOOD(fc);
            empty(&data, indirect);
            sc_array_reset(&sizes), sc_array_reset(&sums), sc_array_reset(&counts);
        }
    }
    memset(text, 't', sizeof text);
    sc_array_init_data(&data, text, sizeof text, 1);
    fc = sc_scda_fwrite_block(fc, "text", NULL, &data, sizeof text, 0, 1, &errcode);
    GOOD(fc);
    divide(&counts, 6, style);
    fill(&data, own_count(&counts), text, 600, 0);
    fc = sc_scda_fwrite_array(fc, "texts", NULL, &data, &counts, 600, 0, 1, &errcode);
    GOOD(fc);
    sc_array_reset(&data), sc_array_reset(&counts);
    CHECK(sc_scda_fclose(fc, &errcode) == 0);
}

static inline void read_more(sc_MPI_Comm comm, const char *path, int style)
{
    sc_scda_ferror_t errcode;
    sc_array_t counts, expected, sizes, sums, data, room;
    int encode, indirect;
    size_t i;
    char text[5000], found[5000];
    sc_scda_fcontext_t *fc = sc_scda_fopen_read(comm, path, NULL, NULL, NULL, &errcode);
    GOOD(fc);
    for (encode = 0; encode < 2; encode++) {
        for (indirect = 0; indirect < 2; indirect++) {
            divide(&counts, 30, style);
            sizes_of(&counts, &expected, &sums, &data, indirect);
            sc_array_reset(&sums);
            sizes_of(&counts, &sizes, &sums, &room, indirect);
            memset(sizes.array == NULL ? (char *)&sizes.array : sizes.array, 0, sizes.elem_count * sizes.elem_size);
            fc = header(fc, 'V', 30, 0, "sizes", 1);
            fc = sc_scda_fread_varray_sizes(fc, &sizes, &counts, &errcode);
            GOOD(fc);
            for (i = 0; i < sizes.elem_count; i++)
                CHECK(*(sc_scda_ulong *)sc_array_index(&sizes, i) == *(sc_scda_ulong *)sc_array_index(&expected, i));
            for (i = 0; i < room.elem_count; i++) {
                sc_array_t *element = indirect ? (sc_array_t *)sc_array_index(&room, i) : &room;
                if (element->elem_count > 0) memset(element->array, '?', element->elem_size);
            }
            fc = sc_scda_fread_varray_data(fc, &room, &counts, &sizes, &sums, indirect, &errcode);
            GOOD(fc);
            for (i = 0; i < room.elem_count; i++) {
                sc_array_t *got = indirect ? (sc_array_t *)sc_array_index(&room, i) : &room;
                sc_array_t *wanted = indirect ? (sc_array_t *)sc_array_index(&data, i) : &data;
                CHECK(got->elem_count == 0 || memcmp(got->array, wanted->array, got->elem_size) == 0);
            }
            empty(&data, indirect), empty(&room, indirect);
            sc_array_reset(&sizes), sc_array_reset(&expected), sc_array_reset(&sums), sc_array_reset(&counts);
        }
    }
    memset(text, 't', sizeof text);
    fc = header(fc, 'B', 0, sizeof text, "text", 1);
    sc_array_init_data(&data, found, sizeof found, 1);
    fc = sc_scda_fread_block_data(fc, &data, sizeof found, size - 1, &errcode);
    GOOD(fc);
    CHECK(rank != size - 1 || memcmp(found, text, sizeof text) == 0);
    /* Without decode, a compressed section is two sections. */
    fc = header(fc, 'I', 0, 0, "A compressed scda 00", 0);
    fc = sc_scda_fread_inline_data(fc, NULL, 0, &errcode);
    GOOD(fc);
    fc = header(fc, 'V', 6, 0, "texts", 0);
    divide(&counts, 6, style);
    fc = sc_scda_fread_varray_sizes(fc, NULL, &counts, &errcode);
    GOOD(fc);
    sc_array_init_count(&sums, sizeof(sc_scda_ulong), (size_t)size);
    fc = sc_scda_fread_varray_data(fc, NULL, &counts, NULL, &sums, 0, &errcode);
    GOOD(fc);
    sc_array_reset(&sums), sc_array_reset(&counts);
    CHECK(sc_scda_fclose(fc, &errcode) == 0);
}

/* True if the file has the bytes of libsc's own test, which is a file of another project, or if that is not there. */
static inline int is_like_libsc(const char *path, const char *root)
{
    const char *fixtures = getenv("LINKSTREAM_FIXTURES");
    char *beside = joined(root, "../shared/fixtures"), *own;
    size_t length;
    char *bytes;
    int same;
    own = joined(fixtures != NULL ? fixtures : beside, "scda/libsc-sc_test_scda.scd");
    bytes = contents(own, &length);
    same = bytes == NULL || same_files(path, own);
    if (bytes == NULL) printf("SKIPPED: the file of libsc's test is not in the fixtures of other projects\n");
    free(bytes), free(own), free(beside);
    return same;
}

#endif
