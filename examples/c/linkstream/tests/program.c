/* The reports are those of the program, byte by byte: LINKSTREAM is the path of the program `linkstream`. */
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
    return failures != 0;
}
