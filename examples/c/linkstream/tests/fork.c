/* After fork, parent and child read files that were open before, and check others. The library has used threads in the
 * parent; they do not exist in the child, which must not wait for them. */
#include "check.h"

#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* More than the library reads and checks with one thread. */
#define EXTENT 16
#define LINKS ((size_t)EXTENT * EXTENT * EXTENT * EXTENT * 4)
#define BYTES (LINKS * 18 * sizeof(float))

static int32_t count(void *context, uint64_t done, uint64_t total) {
    ++*(int *)context;
    return done <= total ? 0 : 1;
}

static void write_sample(const char *path, float *links) {
    linkstream_writer *writer;
    linkstream_new_file how = {0};
    linkstream_new_gauge gauge = {0};
    size_t i;
    for (i = 0; i < LINKS * 18; ++i) links[i] = i % 18 % 8 == 0 ? 1.0f : 0.0f;
    how.struct_size = sizeof how;
    how.flags = LINKSTREAM_REPLACE;
    how.dimensions = 4;
    for (i = 0; i < 4; ++i) how.extents[i] = EXTENT;
    gauge.struct_size = sizeof gauge;
    gauge.element = LINKSTREAM_F32;
    NEED(linkstream_create(path, &how, &writer) == LINKSTREAM_OK);
    NEED(linkstream_write_gauge(writer, &gauge, links, BYTES) == LINKSTREAM_OK);
    NEED(linkstream_writer_finish(writer) == LINKSTREAM_OK);
}

/* As what both processes do. */
static void read_all(const char *path, linkstream_file *file, linkstream_report *report, float *links) {
    linkstream_report *again;
    int calls = 0;
    linkstream_read how = {0};
    how.struct_size = sizeof how;
    how.progress = count;
    how.context = &calls;
    NEED(linkstream_field_read(file, 0, &how, links, BYTES) == LINKSTREAM_OK);
    NEED(calls >= 2 && links[0] == 1.0f && links[1] == 0.0f);
    NEED(linkstream_report_json(report) != NULL);
    NEED(linkstream_check_path(path, NULL, &again) == LINKSTREAM_OK);
    NEED(strcmp(linkstream_report_json(again), linkstream_report_json(report)) == 0);
    NEED(linkstream_report_close(again) == LINKSTREAM_OK);
    NEED(linkstream_file_close(file) == LINKSTREAM_OK && linkstream_report_close(report) == LINKSTREAM_OK);
    NEED(linkstream_file_close(file) == LINKSTREAM_ERR_USAGE && says("closed"));
}

int main(int argc, char **argv) {
    linkstream_file *file;
    linkstream_report *report;
    int status = 1, calls = 0;
    float *links = malloc(BYTES);
    char path[600];
    pid_t child;
    if (argc < 3 || links == NULL) return 2;
    snprintf(path, sizeof path, "%s", below(argv[1], "fork.lime"));
    write_sample(path, links);
    NEED(linkstream_open_path(path, &file) == LINKSTREAM_OK);
    NEED(linkstream_check_path(path, NULL, &report) == LINKSTREAM_OK);
    NEED(linkstream_field_verify(file, 0, count, &calls) == LINKSTREAM_OK && calls >= 2);
    child = fork();
    NEED(child >= 0);
    /* A child that waits for threads that do not exist would wait for ever. */
    if (child == 0) alarm(120);
    read_all(path, file, report, links);
    free(links);
    /* Checkers of leaks would miss the threads that this process does not have. */
    if (child == 0) _exit(0);
    NEED(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return 0;
}
