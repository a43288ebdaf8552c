/* For tests of files: checks, values of fields by formula, layouts, comparison of files. */
#ifndef LATTICE_H
#define LATTICE_H

#include <qio.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the test unless a condition holds. */
#define CHECK(condition)                                                                              \
    do {                                                                                              \
        if (!(condition)) {                                                                           \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition,                        \
                    linkstream_last_error()->message);                                                \
            exit(1);                                                                                  \
        }                                                                                             \
    } while (0)

/* Compares a code. */
#define CODE(call, expected)                                                                          \
    do {                                                                                              \
        int code_ = (call);                                                                           \
        if (code_ != (expected)) {                                                                    \
            fprintf(stderr, "%s:%d: %s is %d, not %d: %s\n", __FILE__, __LINE__, #call, code_,        \
                    (int)(expected), linkstream_last_error()->message);                               \
            exit(1);                                                                                  \
        }                                                                                             \
    } while (0)

#define UNUSED __attribute__((unused))

/* The lattice of the layout functions, and the grid of nodes; a node has a box. */
static int lat_dims, lat[8], grid[8], lat_node, lat_nodes;
/* In memory: 0 lexicographic, 1 even sites first, 2 backwards. 3: no boxes, site r
 * is on node r modulo the nodes, the last one first. */
static int lat_order;

static int lat_local(int d)
{
    return lat[d] / grid[d];
}

static uint64_t lat_rank(const int x[])
{
    int d;
    uint64_t r = 0;
    for (d = lat_dims - 1; d >= 0; d--) r = r * (uint64_t)lat[d] + (uint64_t)x[d];
    return r;
}

static void lat_coords(int x[], uint64_t r)
{
    int d;
    for (d = 0; d < lat_dims; d++) {
        x[d] = (int)(r % (uint64_t)lat[d]);
        r /= (uint64_t)lat[d];
    }
}

UNUSED static int lat_node_number(const int x[])
{
    int d, node = 0;
    if (lat_order == 3) return (int)(lat_rank(x) % (uint64_t)lat_nodes);
    for (d = lat_dims - 1; d >= 0; d--) node = node * grid[d] + x[d] / lat_local(d);
    return node;
}

UNUSED static int lat_num_sites(int node)
{
    /* Damaged files claim lattices whose number of sites does not fit an int: any number will do for them. */
    uint64_t n = 1;
    int d;
    if (lat_order == 3) {
        for (d = 0; d < lat_dims; d++) n *= (uint64_t)lat[d];
        return (int)((n - (uint64_t)node + (uint64_t)lat_nodes - 1) / (uint64_t)lat_nodes);
    }
    for (d = 0; d < lat_dims; d++) n *= (uint64_t)lat_local(d);
    return (int)n;
}

static int lat_parity(const int x[])
{
    int d, p = 0;
    for (d = 0; d < lat_dims; d++) p += x[d];
    return p % 2;
}

/* Number of even sites of a node before its lexicographic site i, by counting: slow, but lattices are small. */
static void lat_local_coords(int x[], int node, int i)
{
    int d;
    for (d = 0; d < lat_dims; d++) {
        x[d] = node % grid[d] * lat_local(d) + i % lat_local(d);
        node /= grid[d];
        i /= lat_local(d);
    }
}

UNUSED static int lat_node_index(const int x[])
{
    int d, i = 0, all = lat_num_sites(0), k, even = 0, before = 0, y[8];
    if (lat_order == 3) return lat_num_sites(lat_node_number(x)) - 1 - (int)(lat_rank(x) / (uint64_t)lat_nodes);
    for (d = lat_dims - 1; d >= 0; d--) i = i * lat_local(d) + x[d] % lat_local(d);
    if (lat_order == 0) return i;
    if (lat_order == 2) return all - 1 - i;
    for (k = 0; k < all; k++) {
        lat_local_coords(y, lat_node_number(x), k);
        if (lat_parity(y) == 0) even++;
        if (k < i && lat_parity(y) == lat_parity(x)) before++;
    }
    return lat_parity(x) == 0 ? before : even + before;
}

UNUSED static void lat_get_coords(int x[], int node, int index)
{
    int k, all = lat_num_sites(node);
    if (lat_order == 3) {
        lat_coords(x, (uint64_t)(all - 1 - index) * (uint64_t)lat_nodes + (uint64_t)node);
        return;
    }
    if (lat_order == 0 || lat_order == 2) {
        lat_local_coords(x, node, lat_order == 0 ? index : all - 1 - index);
        return;
    }
    for (k = 0; k < all; k++) {
        lat_local_coords(x, node, k);
        if (lat_node_index(x) == index) return;
    }
}

UNUSED static QIO_Layout lat_layout(void)
{
    QIO_Layout layout;
    int d;
    memset(&layout, 0, sizeof layout);
    layout.node_number = lat_node_number;
    layout.node_index = lat_node_index;
    layout.get_coords = lat_get_coords;
    layout.num_sites = lat_num_sites;
    layout.latsize = lat;
    layout.latdim = lat_dims;
    layout.volume = 1;
    for (d = 0; d < lat_dims; d++) layout.volume *= (size_t)lat[d];
    layout.sites_on_node = (size_t)lat_num_sites(lat_node);
    layout.this_node = lat_node;
    layout.number_of_nodes = lat_nodes;
    return layout;
}

/* A layout of one node. */
UNUSED static QIO_Layout lat_serial(int dims, const int *size)
{
    int d;
    lat_dims = dims;
    lat_nodes = 1;
    lat_node = 0;
    for (d = 0; d < 8; d++) grid[d] = 1;
    for (d = 0; d < dims; d++) lat[d] = size[d];
    return lat_layout();
}

/* The layout of a node that has an equal part of the second dimension. */
UNUSED static QIO_Layout lat_strip(int dims, const int *size, int node, int nodes)
{
    lat_serial(dims, size);
    lat_order = 0;
    lat_node = node;
    lat_nodes = nodes;
    grid[1] = nodes;
    return lat_layout();
}

/* --- Values --- */

/* Values of the data of a record, see host-tests/fixtures/qio/MANIFEST.toml. */
typedef struct {
    char formula[16];
    char precision[8];
    uint64_t seed;
    size_t size; /* bytes of a site */
    int word;
    int count;
    int is_global;
    long calls; /* number of calls */
    long wrong; /* number of wrong words, or of wrong arguments */
} field_t;

/* A field of `count` values a site, `size` bytes in all, in single precision. */
UNUSED static field_t mixed_field(int count, size_t size, uint64_t seed)
{
    field_t f;
    memset(&f, 0, sizeof f);
    strcpy(f.formula, "mix");
    strcpy(f.precision, "F");
    f.seed = seed;
    f.word = 4;
    f.count = count;
    f.size = size;
    return f;
}

static uint64_t mix64(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Word k of site r as it is in memory. */
static void field_word(const field_t *f, uint64_t r, uint64_t k, char *to)
{
    uint64_t h = mix64(f->seed + (r * 65536 + k + 1) * UINT64_C(0x9E3779B97F4A7C15));
    uint64_t words_of_item = f->size / (size_t)f->word / (size_t)(f->count ? f->count : 1);
    int is_lin = strcmp(f->formula, "lin") == 0, is_const = strcmp(f->formula, "const") == 0;
    if (f->word == 1) {
        unsigned char c = (unsigned char)(strcmp(f->formula, "text") == 0 ? 32 + h % 95 : h >> 56);
        memcpy(to, &c, 1);
    } else if (f->word == 8) {
        double v = is_const ? 1 : is_lin ? (double)(1024 * r + k) : ((double)(h >> 11) - 4503599627370496.0) / 562949953421312.0;
        memcpy(to, &v, 8);
    } else if (f->precision[0] == 'F') {
        float v = is_const ? 1 : is_lin ? (float)(1024 * r + k) : (float)(((double)(h >> 40) - 8388608.0) / 1048576.0);
        memcpy(to, &v, 4);
    } else {
        uint32_t v = is_const ? 1 : is_lin ? (uint32_t)(1024 * r + k) : (uint32_t)(h >> 32);
        if (f->precision[0] == 'S' && words_of_item > 0 && k % words_of_item == words_of_item - 1) v = 0x33800000;
        memcpy(to, &v, 4);
    }
}

static uint64_t field_site(const field_t *f, size_t index)
{
    int x[8];
    if (f->is_global) return 0;
    lat_get_coords(x, lat_node, (int)index);
    return lat_rank(x);
}

UNUSED static void field_get(char *buf, size_t index, int count, void *arg)
{
    field_t *f = (field_t *)arg;
    uint64_t k, r = field_site(f, index);
    f->calls++;
    if (count != f->count || ((uintptr_t)buf) % 8 != 0) f->wrong++;
    for (k = 0; k < f->size / (size_t)f->word; k++) field_word(f, r, k, buf + k * (size_t)f->word);
}

UNUSED static void field_put(char *buf, size_t index, int count, void *arg)
{
    field_t *f = (field_t *)arg;
    uint64_t k, r = field_site(f, index);
    char expected[8];
    f->calls++;
    if (count != f->count || ((uintptr_t)buf) % 8 != 0) f->wrong++;
    if (strcmp(f->formula, "su3") == 0) return; /* verified by the checksums of the manifest */
    for (k = 0; k < f->size / (size_t)f->word; k++) {
        field_word(f, r, k, expected);
        if (memcmp(expected, buf + k * (size_t)f->word, (size_t)f->word) != 0) f->wrong++;
    }
}

/* --- Files --- */

UNUSED static char *file_bytes(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *bytes;
    long size;
    if (file == NULL) {
        fprintf(stderr, "%s cannot be opened\n", path);
        exit(1);
    }
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    bytes = (char *)malloc((size_t)size + 1);
    if (fread(bytes, 1, (size_t)size, file) != (size_t)size) exit(1);
    bytes[size] = 0;
    fclose(file);
    *length = (size_t)size;
    return bytes;
}

UNUSED static void file_write(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL);
    CHECK(fwrite(bytes, 1, length, file) == length);
    CHECK(fclose(file) == 0);
}

/* Replaces the dates of all records. */
static void without_dates(char *bytes, size_t length)
{
    size_t i;
    for (i = 0; i + 40 < length; i++)
        if (memcmp(bytes + i, "<date>", 6) == 0) memset(bytes + i + 6, 'x', 28);
}

/* 1 if two files are equal, dates aside. */
UNUSED static int same_files(const char *a, const char *b)
{
    size_t length_a, length_b, i;
    char *bytes_a = file_bytes(a, &length_a), *bytes_b = file_bytes(b, &length_b);
    int same;
    without_dates(bytes_a, length_a);
    without_dates(bytes_b, length_b);
    same = length_a == length_b && memcmp(bytes_a, bytes_b, length_a) == 0;
    if (!same) {
        for (i = 0; i < length_a && i < length_b && bytes_a[i] == bytes_b[i]; i++) {
        }
        fprintf(stderr, "%s (%zu bytes) and %s (%zu bytes) differ at byte %zu\n", a, length_a, b, length_b, i);
    }
    free(bytes_a);
    free(bytes_b);
    return same;
}

#endif
