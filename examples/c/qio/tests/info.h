/* What the tests of strings, descriptions and layouts share. */
#ifndef INFO_H
#define INFO_H

#include <linkstream_error.h>
#include <qio_layout.h>
#include <qioxml.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s (last error: %s)\n", __FILE__, __LINE__, #condition, \
                    linkstream_last_error()->message); \
            exit(1); \
        } \
    } while (0)

/* The last error contains this text. */
#define CHECK_ERROR(part) CHECK(strstr(linkstream_last_error()->message, part) != NULL)

#define XML "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"

/* C has no literals that are char *. */
static char *text(const char *literal) {
    return (char *)literal;
}

/* A lattice of 4 x 2 x 3 on four nodes in a machine of 2 x 2 x 1, node 2 without sites: node 3 has its. */
enum { NODES = 4, DIMENSIONS = 3, VOLUME = 24 };
static int latsize[DIMENSIONS] = {4, 2, 3};

static int node_number(const int x[]) {
    int node = x[0] / 2 + 2 * x[1];
    return node == 2 ? 3 : node;
}

static int num_sites(int node) {
    return node == 2 ? 0 : node == 3 ? 12 : 6;
}

/* The sites of node 3 that would be those of node 2 follow its own. */
static int node_index(const int x[]) {
    return x[0] % 2 + 2 * x[2] + (x[1] == 1 && x[0] < 2 ? 6 : 0);
}

static void get_coords(int x[], int node, int index) {
    int moved = node == 3 && index >= 6;
    index %= 6;
    x[0] = index % 2 + (node % 2 && !moved ? 2 : 0);
    x[1] = node / 2;
    x[2] = index / 2;
}

static inline QIO_Layout machine(void) {
    QIO_Layout layout;
    memset(&layout, 0, sizeof layout);
    layout.node_number = node_number;
    layout.node_index = node_index;
    layout.get_coords = get_coords;
    layout.num_sites = num_sites;
    layout.latsize = latsize;
    layout.latdim = DIMENSIONS;
    layout.volume = VOLUME;
    layout.sites_on_node = (size_t)num_sites(0);
    layout.number_of_nodes = NODES;
    return layout;
}

/* Nodes 0 and 1 belong to I/O node 0, nodes 2 and 3 to I/O node 2. */
static int io_node(int node) {
    return node / 2 * 2;
}

static int master(void) {
    return 0;
}

static int io_nodes[2] = {2, 0};

static inline QIO_Filesystem filesystem(void) {
    QIO_Filesystem fs;
    memset(&fs, 0, sizeof fs);
    fs.number_io_nodes = 2;
    fs.type = QIO_SINGLE_PATH;
    fs.my_io_node = io_node;
    fs.master_io_node = master;
    fs.io_node = io_nodes;
    return fs;
}

#endif
