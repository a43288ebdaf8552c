/* After fork, parent and child read files that were open before, with the function for progress, whose calls use a thread of
 * the library. */
#include "check.h"

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define SAMPLE "examples/su3-4x4x4x8.lime"
#define BYTES ((size_t)4 * 4 * 4 * 8 * 288)

static int32_t count(void *context, uint64_t done, uint64_t total) {
    ++*(int *)context;
    return done <= total ? 0 : 1;
}

static void read_all(linkstream_file *file, linkstream_report *report, float *links) {
    int calls = 0;
    linkstream_read how = {0};
    how.struct_size = sizeof how;
    how.progress = count;
    how.context = &calls;
    NEED(linkstream_field_read(file, 0, &how, links, BYTES) == LINKSTREAM_OK);
    NEED(calls >= 2 && links[0] == links[0]);
    NEED(linkstream_report_json(report) != NULL);
    NEED(linkstream_file_close(file) == LINKSTREAM_OK && linkstream_report_close(report) == LINKSTREAM_OK);
    /* The handles of one process are not those of the other one. */
    NEED(linkstream_file_close(file) == LINKSTREAM_ERR_USAGE && says("closed"));
}

int main(int argc, char **argv) {
    linkstream_file *file;
    linkstream_report *report;
    int status = 1, calls = 0;
    float *links = malloc(BYTES);
    pid_t child;
    if (argc < 3 || links == NULL) return 2;
    NEED(linkstream_open_path(below(argv[2], SAMPLE), &file) == LINKSTREAM_OK);
    NEED(linkstream_check_path(below(argv[2], SAMPLE), NULL, &report) == LINKSTREAM_OK);
    /* The library has had a thread before. */
    NEED(linkstream_field_verify(file, 0, count, &calls) == LINKSTREAM_OK && calls >= 2);
    child = fork();
    NEED(child >= 0);
    read_all(file, report, links);
    free(links);
    /* The search for leaks does not know threads of the other process. */
    if (child == 0) _exit(0);
    NEED(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return 0;
}
