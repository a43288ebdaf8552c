/* The sample of the repository, and a progress function. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "check.h"

static const char *root, *scratch;

#define SAMPLE "examples/su3-4x4x4x8.lime"
#define NUMBERS ((size_t)4 * 4 * 4 * 8 * 4 * 18)

static linkstream_file *open_sample(void) {
    linkstream_file *file = NULL;
    NEED(linkstream_open_path(below(root, SAMPLE), &file) == LINKSTREAM_OK && file != NULL);
    return file;
}

/* How often the function was called, and when it cancels. */
struct watch { unsigned calls, cancel_at; uint64_t done, total; int is_backward; };

static int32_t watch(void *context, uint64_t done, uint64_t total) {
    struct watch *watch = context;
    watch->is_backward |= done < watch->done || done > total;
    watch->done = done;
    watch->total = total;
    return ++watch->calls == watch->cancel_at;
}

#endif
