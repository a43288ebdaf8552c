/* Reads a gauge field of SU(3), verified, in double precision, and prints its plaquette: read_gauge FILE */
#include <linkstream.h>
#include <stdio.h>
#include <stdlib.h>

#include "plaquette.h"

static int fail(const char *doing) {
    const linkstream_error *error = linkstream_last_error();
    fprintf(stderr, "%s: %s\n", doing, error->message);
    if (error->rule[0]) fprintf(stderr, "  rule %s (%s)\n", error->rule, error->clause);
    if (error->has_offset) fprintf(stderr, "  at byte %llu\n", (unsigned long long)error->offset);
    return 1;
}

int main(int count, char **arguments) {
    linkstream_file *file;
    linkstream_field_info field = {0};
    linkstream_read how = {0};
    double *links;
    size_t size;
    int32_t answer;

    if (count != 2) {
        fprintf(stderr, "usage: %s FILE\n", arguments[0]);
        return 2;
    }
    if (linkstream_open_path(arguments[1], &file) != LINKSTREAM_OK) return fail("opening");
    field.struct_size = sizeof field;
    if (linkstream_field_get(file, 0, &field) != LINKSTREAM_OK) return fail("the first field");
    if (!field.is_gauge_field || field.colors != 3 || field.items != 4 || field.dimensions != 4) {
        fprintf(stderr, "the first field is not a gauge field of SU(3)\n");
        return 1;
    }
    printf("%s, lattice %ux%ux%ux%u\n", field.datatype, field.extents[0], field.extents[1], field.extents[2],
           field.extents[3]);

    how.struct_size = sizeof how;
    how.element = LINKSTREAM_F64;
    size = (size_t)field.numbers * sizeof *links;
    links = malloc(size);
    if (!links) return 1;
    answer = linkstream_field_read(file, 0, &how, links, size);
    if (answer < 0) return fail("reading");
    printf("data: %s\n", answer == LINKSTREAM_OK ? "checksum OK" : "unverified, the file has no checksum");
    printf("average plaquette %.9f\n", plaquette(links, field.extents));
    free(links);
    return linkstream_file_close(file) == LINKSTREAM_OK ? 0 : fail("closing");
}
