/* Reports and files have the bytes that the program writes. LINKSTREAM is the path of the program `linkstream`. */
#include "check.h"

#include <dirent.h>
#include <sys/stat.h>

static const char *program;
static unsigned compared;

/* The first line that the program prints, without the line feed; to be freed. */
static char *printed(const char *path) {
    char command[8192], *line = need_memory(1 << 24);
    size_t n;
    FILE *pipe;
    /* Fixtures have no quotation marks in their names. */
    snprintf(command, sizeof command, "'%s' check --json '%s' 2>/dev/null", program, path);
    pipe = popen(command, "r");
    NEED(pipe != NULL);
    n = fread(line, 1, (1 << 24) - 1, pipe);
    line[n] = 0;
    pclose(pipe);
    CHECK(n > 0 && line[n - 1] == '\n');
    if (n > 0) line[n - 1] = 0;
    return line;
}

static void compare(const char *path) {
    linkstream_report *report = NULL;
    const char *json;
    char *expected = printed(path);
    NEED(linkstream_check_path(path, NULL, &report) == LINKSTREAM_OK);
    json = linkstream_report_json(report);
    NEED(json != NULL);
    if (strstr(expected, "\"rule\":\"compression-damaged\"")) {
        /* The program reads what is packed, the library names the packing. */
        CHECK(strstr(json, "\"rule\":\"format-not-read\"") != NULL);
        linkstream_report_close(report);
        free(expected);
        return;
    }
    CHECK(strcmp(json, expected) == 0);
    if (strcmp(json, expected)) fprintf(stderr, "%s:\n%.400s\n%.400s\n", path, json, expected);
    ++compared;
    CHECK(linkstream_report_close(report) == LINKSTREAM_OK);
    free(expected);
}

static void all_in(const char *directory) {
    struct dirent *entry;
    DIR *open = opendir(directory);
    NEED(open != NULL);
    while ((entry = readdir(open))) {
        char path[4096];
        struct stat about;
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        NEED(stat(path, &about) == 0);
        if (S_ISDIR(about.st_mode)) all_in(path);
        else compare(path);
    }
    closedir(open);
}

/* A gauge field, written by the library and by the program with the same texts. */
static void written(const char *root, const char *scratch, int has_scidac) {
    static const uint32_t extents[4] = {4, 4, 4, 8};
    static const uint16_t one = 1;
    static float links[4 * 4 * 4 * 8 * 72];
    const char *ours = below(scratch, "ours"), *theirs = below(scratch, "theirs"), *raw = below(scratch, "raw");
    const char *date = "Tue Jan  2 03:04:05 2024 UTC", *xml = "<?xml version=\"1.0\"?><a/>";
    char command[8192];
    linkstream_file *file = NULL;
    linkstream_writer *writer = NULL;
    linkstream_new_file how = {0};
    linkstream_new_gauge gauge = {0};
    unsigned char *bytes[2];
    size_t lengths[2];
    FILE *out;
    NEED(linkstream_open_path(below(root, "examples/su3-4x4x4x8.lime"), &file) == LINKSTREAM_OK);
    NEED(linkstream_field_read(file, 0, NULL, links, sizeof links) == LINKSTREAM_OK);
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    out = fopen(raw, "wb");
    NEED(out && fwrite(links, sizeof links, 1, out) == 1 && fclose(out) == 0);

    how.struct_size = sizeof how;
    how.dimensions = 4;
    memcpy(how.extents, extents, sizeof extents);
    how.flags = LINKSTREAM_READ_BACK | LINKSTREAM_REPLACE;
    how.documents = has_scidac ? LINKSTREAM_BOTH : LINKSTREAM_ILDG;
    how.lfn = "lfn://example/name";
    gauge.struct_size = sizeof gauge;
    gauge.element = LINKSTREAM_F32;
    gauge.update = "17";
    if (has_scidac) how.file_xml = gauge.record_xml = xml, how.date = date;
    NEED(linkstream_create(ours, &how, &writer) == LINKSTREAM_OK);
    NEED(linkstream_write_gauge(writer, &gauge, links, sizeof links) == LINKSTREAM_OK);
    NEED(linkstream_writer_finish(writer) == LINKSTREAM_OK);

    /* With SciDAC documents, `ildg make` writes an ildg-format of version 1.2, and `convert` one of 1.0 as QIO does. */
    snprintf(command, sizeof command,
             "exec >/dev/null 2>&1; '%s' ildg make --force --data '%s' --extents 4x4x4x8 --precision 32 %s "
             "--lfn lfn://example/name --update 17 %s '%s.made' && '%s' convert --force %s '%s.made' '%s'",
             program, raw, *(const unsigned char *)&one ? "--little-endian" : "--big-endian",
             has_scidac ? "--scidac --date 'Tue Jan  2 03:04:05 2024 UTC' --file-xml '<?xml version=\"1.0\"?><a/>' "
                          "--record-xml '<?xml version=\"1.0\"?><a/>'"
                        : "",
             theirs, program, has_scidac ? "--to both" : "--to ildg", theirs, theirs);
    NEED(system(command) == 0);
    bytes[0] = bytes_of(ours, &lengths[0]);
    bytes[1] = bytes_of(theirs, &lengths[1]);
    CHECK(lengths[0] == lengths[1] && memcmp(bytes[0], bytes[1], lengths[0]) == 0);
    free(bytes[0]);
    free(bytes[1]);
}

int main(int count, char **arguments) {
    if (count < 3) return 2;
    program = getenv("LINKSTREAM");
    if (!program) {
        fprintf(stderr, "LINKSTREAM is not set\n");
        return 1;
    }
    all_in(below(arguments[2], "host-tests/fixtures"));
    compare(below(arguments[2], "examples/su3-4x4x4x8.lime"));
    compare(below(arguments[2], "README.md"));
    compare(below(arguments[1], "absent"));
    CHECK(compared > 600);
    written(arguments[2], arguments[1], 0);
    written(arguments[2], arguments[1], 1);
    return failures != 0;
}
