/* Writes a gauge field of SU(3) whose links are 1, in double precision: write_gauge FILE */
#include <linkstream.h>
#include <stdio.h>
#include <stdlib.h>

static int fail(const char *doing) {
    fprintf(stderr, "%s: %s\n", doing, linkstream_last_error()->message);
    return 1;
}

int main(int count, char **arguments) {
    enum { LINKS = 4 * 4 * 4 * 8 * 4 };
    linkstream_new_file how = {0};
    linkstream_new_gauge gauge = {0};
    linkstream_writer *writer;
    double (*links)[3][3][2] = calloc(LINKS, sizeof *links);
    int i;

    if (count != 2 || !links) {
        fprintf(stderr, "usage: %s FILE\n", arguments[0]);
        return 2;
    }
    for (i = 0; i < LINKS; ++i) links[i][0][0][0] = links[i][1][1][0] = links[i][2][2][0] = 1;

    how.struct_size = sizeof how;
    how.flags = LINKSTREAM_REPLACE | LINKSTREAM_READ_BACK;
    how.dimensions = 4;
    how.extents[0] = how.extents[1] = how.extents[2] = 4;
    how.extents[3] = 8;
    how.lfn = "lfn://example/unit";
    if (linkstream_create(arguments[1], &how, &writer) != LINKSTREAM_OK) return fail("creating the file");

    gauge.struct_size = sizeof gauge;
    gauge.element = LINKSTREAM_F64;
    if (linkstream_write_gauge(writer, &gauge, links, LINKS * sizeof *links) != LINKSTREAM_OK) {
        fail("writing");
        linkstream_writer_discard(writer);
        return 1;
    }
    /* Now the file appears under its name: complete, read back and verified. */
    if (linkstream_writer_finish(writer) != LINKSTREAM_OK) return fail("completing the file");
    free(links);
    return 0;
}
