/* Sections of all types and encodings, as all ranks know them, and their writing and reading by any partition. */
#ifndef SCDA_TEST_SECTIONS_H
#define SCDA_TEST_SECTIONS_H

#include <scda.h>

#include "check.h"

typedef struct {
    char type;
    int encode;
    uint64_t N; /* 1 for blocks and inline sections */
    uint64_t E; /* 0 for varrays */
} section;

static const section SECTIONS[] = {
    {'I', 0, 1, 32},   {'B', 0, 1, 0},   {'B', 0, 1, 26},    {'B', 1, 1, 0},      {'B', 1, 1, 5000},   {'A', 0, 0, 3},
    {'A', 0, 1, 40},   {'A', 0, 7, 0},   {'A', 0, 1000, 17}, {'A', 1, 0, 8},      {'A', 1, 30, 100},   {'A', 1, 3, 0},
    {'V', 0, 0, 0},    {'V', 0, 1, 0},   {'V', 0, 50, 0},    {'V', 1, 0, 0},      {'V', 1, 1, 0},      {'V', 1, 40, 0},
    {'A', 0, 3, 400000}, {'A', 1, 2, 300000}, {'I', 0, 1, 32}, {'B', 0, 1, 700000},
};
enum { SECTION_COUNT = sizeof SECTIONS / sizeof SECTIONS[0], STYLES = 6 };

/* Size of an element. */
static inline uint64_t size_of(int index, uint64_t element)
{
    const section *own = &SECTIONS[index];
    if (own->type != 'V') return own->E;
    return element % 3 == 1 ? 0 : (element * 37 + (uint64_t)index) % 301;
}

/* A byte of an element. Data compress somewhat, and often end in a line feed. */
static inline char byte_of(int index, uint64_t element, uint64_t byte)
{
    uint64_t mixed = (byte + 31 * element + 977 * (uint64_t)index) * 0x9e3779b97f4a7c15u;
    return "\nabcdefg"[mixed >> 61];
}

static inline void userstr_of(int index, char *userstr)
{
    const char *more = index % 4 == 3 ? " whose name has fifty-eight bytes: neither more." : "";
    strcpy(userstr, "section 00");
    userstr[8] = (char)(userstr[8] + index / 10), userstr[9] = (char)(userstr[9] + index % 10);
    strcat(userstr, more);
}

/* The number of elements of a rank: partitions with empty, full and uneven ranks. */
static inline uint64_t count_of(uint64_t N, int rank, int size, int style)
{
    uint64_t p = (uint64_t)rank, P = (uint64_t)size;
    switch (style) {
    case 0: return N * (p + 1) / P - N * p / P;
    case 1: return rank == 0 ? N : 0;
    case 2: return rank == size - 1 ? N : 0;
    /* Rank 0 and every other one are empty, if there are others. */
    case 3: return size == 1 ? N : rank % 2 == 0 ? 0 : rank < 3 && size > 3 ? N / 3 : N - (size > 3 ? N / 3 : 0);
    case 4: return rank == 0 ? N - (P > 1 ? N / 4 : 0) : rank == size - 1 ? N / 4 : 0;
    default: return N * (p + 1) * (p + 1) / (P * P) - N * p * p / (P * P);
    }
}

typedef struct {
    uint64_t *N_q, *E_i, *S_q;
    uint64_t first, count;
    char *data;
    void **pointers;
} part;

/* The part of a rank: tables, sizes, and data. With `spread`, the elements are apart from each other. */
static inline part part_of(int index, int rank, int size, int style, int spread)
{
    uint64_t i, j, element = 0, bytes = 0;
    part own;
    int q;
    char *to;
    own.N_q = calloc((size_t)size, 8);
    own.S_q = calloc((size_t)size, 8);
    if (own.N_q == NULL || own.S_q == NULL) exit(1);
    own.first = own.count = 0;
    for (q = 0; q < size; q++) {
        own.N_q[q] = count_of(SECTIONS[index].N, q, size, style);
        if (q == rank) own.first = element, own.count = own.N_q[q];
        for (i = 0; i < own.N_q[q]; i++) own.S_q[q] += size_of(index, element++);
    }
    if (element != SECTIONS[index].N) exit(1);
    own.E_i = calloc((size_t)own.count + 1, 8);
    own.pointers = calloc((size_t)own.count + 1, sizeof(void *));
    if (own.E_i == NULL || own.pointers == NULL) exit(1);
    for (i = 0; i < own.count; i++) {
        own.E_i[i] = size_of(index, own.first + i);
        bytes += own.E_i[i] + (spread ? i % 5 : 0);
    }
    own.data = calloc((size_t)bytes + 1, 1);
    if (own.data == NULL) exit(1);
    for (to = own.data, i = 0; i < own.count; i++) {
        own.pointers[i] = to;
        for (j = 0; j < own.E_i[i]; j++) to[j] = byte_of(index, own.first + i, j);
        to += own.E_i[i] + (spread ? i % 5 : 0);
    }
    return own;
}

static inline void drop_part(part *own)
{
    free(own->N_q), free(own->E_i), free(own->S_q), free(own->data), free(own->pointers);
}

/* Writes all sections. */
static inline scda_fcontext *write_sections(scda_fcontext *f, int rank, int size, int style, int indirect, int *err)
{
    int index;
    for (index = 0; index < SECTION_COUNT && f != NULL; index++) {
        const section *s = &SECTIONS[index];
        char userstr[SCDA_USERSTR_SIZE + 1];
        int root = (index + style) % size, whole = s->type == 'I' || s->type == 'B';
        part own = part_of(index, rank, size, style, indirect);
        part all = part_of(index, 0, 1, 0, 0);
        const void *data = indirect ? (const void *)own.pointers : own.data;
        /* Ranks other than the root pass anything, and ranks without elements nothing. */
        const void *global = rank == root ? all.data : index % 2 == 0 ? NULL : "ignored";
        if (own.count == 0 && index % 2 == 0) data = NULL;
        userstr_of(index, userstr);
        if (s->type == 'I') f = scda_fwrite_inline(f, global, userstr, root, err);
        else if (whole) f = scda_fwrite_block(f, global, s->E, userstr, root, s->encode, err);
        else if (s->type == 'A') f = scda_fwrite_array(f, data, own.N_q, s->E, indirect, userstr, s->encode, err);
        else
            f = scda_fwrite_varray(f, data, own.N_q, own.count == 0 ? NULL : own.E_i, own.S_q, indirect, userstr,
                                   s->encode, err);
        drop_part(&own);
        drop_part(&all);
    }
    return f;
}

/* Reads all sections, and compares them. With `nulls`, ranks skip some of their data. */
static inline scda_fcontext *read_sections(scda_fcontext *f, int rank, int size, int style, int indirect, int nulls,
                                           int *err)
{
    int index, decode;
    char type = 0, userstr[SCDA_USERSTR_SIZE + 1], expected[SCDA_USERSTR_SIZE + 1];
    uint64_t N, E, i, j;
    for (index = 0; index < SECTION_COUNT && f != NULL; index++) {
        const section *s = &SECTIONS[index];
        int root = (index + style) % size, whole = s->type == 'I' || s->type == 'B';
        int is_null = nulls && (index + rank) % 3 == 0;
        part own = part_of(index, rank, size, style, indirect);
        part all = part_of(index, 0, 1, 0, 0);
        part *wanted = whole ? &all : &own;
        char *room = calloc((size_t)(wanted->count * 4 + 1), 1), *to;
        void **rooms = calloc((size_t)wanted->count + 1, sizeof(void *));
        void *dbytes;
        uint64_t bytes = 0;
        if (room == NULL || rooms == NULL) exit(1);
        for (i = 0; i < wanted->count; i++) bytes += wanted->E_i[i] + (indirect ? i % 4 : 0);
        room = realloc(room, (size_t)bytes + 1);
        if (room == NULL) exit(1);
        memset(room, 0x5a, (size_t)bytes + 1);
        /* The last element has the first room. */
        for (to = room, i = wanted->count; i-- > 0;) {
            rooms[i] = to;
            to += wanted->E_i[i] + (indirect ? i % 4 : 0);
        }
        dbytes = is_null ? NULL : indirect && !whole ? (void *)rooms : room;
        decode = 1;
        f = scda_fread_section_header(f, &type, &N, &E, userstr, &decode, err);
        if (f == NULL) break;
        userstr_of(index, expected);
        CHECK(type == s->type && decode == s->encode && strcmp(userstr, expected) == 0);
        CHECK(N == (whole ? 0 : s->N) && E == (s->type == 'I' ? 0 : s->E));
        if (s->type == 'I') f = scda_fread_inline_data(f, dbytes, root, err);
        else if (whole) f = scda_fread_block_data(f, dbytes, E, root, err);
        else if (s->type == 'A') f = scda_fread_array_data(f, dbytes, own.N_q, E, indirect, err);
        else {
            uint64_t *sizes = calloc((size_t)own.count + 1, 8);
            if (sizes == NULL) exit(1);
            f = scda_fread_varray_sizes(f, is_null && index % 2 ? NULL : sizes, own.N_q, err);
            CHECK(f == NULL || (is_null && index % 2) || memcmp(sizes, own.E_i, (size_t)own.count * 8) == 0);
            if (f != NULL)
                f = scda_fread_varray_data(f, dbytes, own.N_q, is_null ? NULL : sizes, index % 2 ? NULL : own.S_q,
                                           indirect, err);
            free(sizes);
        }
        if (f != NULL && !is_null && (!whole || rank == root)) {
            char *from = room;
            int same = 1;
            for (i = 0; i < wanted->count; i++) {
                if (indirect && !whole) from = rooms[i];
                for (j = 0; j < wanted->E_i[i]; j++) same &= from[j] == byte_of(index, wanted->first + i, j);
                from += wanted->E_i[i];
            }
            CHECK(same);
        } else if (f != NULL) {
            for (i = 0; i <= bytes; i++)
                if (room[i] != 0x5a) break;
            CHECK(i == bytes + 1);
        }
        free(room);
        free(rooms);
        drop_part(&own);
        drop_part(&all);
    }
    if (f != NULL) {
        decode = 1;
        f = scda_fread_section_header(f, &type, &N, &E, userstr, &decode, err);
        CHECK(f == NULL || type == 0);
    }
    return f;
}

#endif
