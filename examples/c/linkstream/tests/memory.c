/* Calls with less and less memory: each ends with success or with LINKSTREAM_ERR_MEMORY. */
#include "../../tests/shrink.h"
#include "check.h"

enum { LINKS = 16 * 16 * 16 * 8 * 4 };

static double (*links)[3][3][2];
static const size_t SIZE = LINKS * sizeof *links;

/* The result of a part whose last call has returned this. */
static int result(int32_t answer) {
    if (answer == LINKSTREAM_OK) return SHRINK_DONE;
    if (answer == LINKSTREAM_ERR_MEMORY && says("not enough memory")) return SHRINK_NO_MEMORY;
    fprintf(stderr, "answer %d: %s\n", (int)answer, linkstream_last_error()->message);
    return SHRINK_WRONG;
}

static int writing_file(const char *path, uint32_t volumes) {
    linkstream_new_file how = {0};
    linkstream_new_gauge gauge = {0};
    linkstream_writer *writer;
    int32_t answer;
    how.struct_size = sizeof how;
    how.flags = LINKSTREAM_REPLACE | LINKSTREAM_READ_BACK;
    how.dimensions = 4;
    how.extents[0] = how.extents[1] = how.extents[2] = 16;
    how.extents[3] = 8;
    if (volumes) how.volumes[0] = how.volumes[1] = how.volumes[2] = 1, how.volumes[3] = volumes;
    gauge.struct_size = sizeof gauge;
    gauge.element = LINKSTREAM_F64;
    answer = linkstream_create(path, &how, &writer);
    if (answer != LINKSTREAM_OK) return result(answer);
    answer = linkstream_write_gauge(writer, &gauge, links, SIZE);
    if (answer != LINKSTREAM_OK) {
        linkstream_writer_discard(writer);
        return result(answer);
    }
    return result(linkstream_writer_finish(writer));
}

static int writing(const char *path) {
    return writing_file(path, 0);
}

static int writing_set(const char *path) {
    return writing_file(path, 4);
}

static int writing_archive(const char *path) {
    linkstream_new_archive how = {0};
    how.struct_size = sizeof how;
    how.flags = LINKSTREAM_REPLACE;
    how.element = LINKSTREAM_F64;
    how.extents[0] = how.extents[1] = how.extents[2] = 16;
    how.extents[3] = 8;
    return result(linkstream_write_archive(path, &how, links, SIZE));
}

static int writing_sections(const char *path) {
    linkstream_new_sections how = {0};
    linkstream_new_section section = {0};
    how.struct_size = sizeof how;
    how.flags = LINKSTREAM_REPLACE;
    section.struct_size = sizeof section;
    section.type = 'A';
    section.compression = 1;
    section.data = links;
    section.size = SIZE;
    section.elements = LINKS;
    return result(linkstream_write_sections(path, &how, &section, 1));
}

static int reading(const char *path) {
    linkstream_file *file;
    linkstream_read how = {0};
    int32_t answer = linkstream_open_path(path, &file);
    if (answer != LINKSTREAM_OK) return result(answer);
    how.struct_size = sizeof how;
    how.element = LINKSTREAM_F32;
    answer = linkstream_field_read(file, 0, &how, links, SIZE / 2);
    if (answer == LINKSTREAM_OK) answer = linkstream_field_verify(file, 0, NULL, NULL);
    linkstream_file_close(file);
    return result(answer);
}

/* A file that cannot be read for lack of memory has a report, which says so. */
static int checking(const char *path) {
    linkstream_report *report;
    linkstream_report_info info = {0};
    linkstream_finding finding = {0};
    int32_t answer = linkstream_check_path(path, NULL, &report);
    if (answer != LINKSTREAM_OK) return result(answer);
    info.struct_size = sizeof info;
    finding.struct_size = sizeof finding;
    if (linkstream_report_get(report, &info) != LINKSTREAM_OK) return result(LINKSTREAM_ERR_MEMORY);
    if (info.is_ok) return SHRINK_DONE;
    if (linkstream_report_finding(report, 0, &finding) != LINKSTREAM_OK) return result(LINKSTREAM_ERR_MEMORY);
    fprintf(stderr, "%s\n", finding.message);
    return info.verdict == LINKSTREAM_VERDICT_UNREADABLE && strstr(finding.message, "memory") ? SHRINK_NO_MEMORY
                                                                                              : SHRINK_WRONG;
}

int main(int argc, char **argv) {
    size_t i;
    const char *path;
    if (argc < 2) return 1;
    if (shrink_is_useless()) return 0;
    links = need_memory(SIZE);
    memset(links, 0, SIZE);
    for (i = 0; i < LINKS; ++i) links[i][0][0][0] = links[i][1][1][0] = links[i][2][2][0] = 1;
    path = below(argv[1], "memory.lime");
    CHECK(shrink("writing", writing, path));
    CHECK(in_child(writing, path));
    CHECK(shrink("writing a set", writing_set, below(argv[1], "memory.set")));
    CHECK(shrink("writing an archive", writing_archive, below(argv[1], "memory.nersc")));
    CHECK(shrink("writing sections", writing_sections, below(argv[1], "memory.scda")));
    CHECK(shrink("reading", reading, path));
    CHECK(shrink("checking", checking, path));
    free(links);
    return failures > 0;
}
