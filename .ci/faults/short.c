/* A library to preload: with SHORT_TRANSFERS=BYTES, reads and writes transfer at most BYTES bytes per call, which
 * POSIX permits. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/types.h>

static size_t most(size_t n) {
    static size_t limit;
    if (limit == 0) {
        const char *text = getenv("SHORT_TRANSFERS");
        limit = text ? strtoul(text, NULL, 10) : (size_t)-1;
    }
    return n < limit ? n : limit;
}

#define SHORT(name, parameters, arguments)                       \
    ssize_t name parameters {                                    \
        static ssize_t (*next) parameters;                       \
        if (next == NULL) *(void **)&next = dlsym(RTLD_NEXT, #name); \
        return next arguments;                                   \
    }

SHORT(read, (int fd, void *to, size_t n), (fd, to, most(n)))
SHORT(write, (int fd, const void *from, size_t n), (fd, from, most(n)))
SHORT(pread64, (int fd, void *to, size_t n, off64_t at), (fd, to, most(n), at))
SHORT(pwrite64, (int fd, const void *from, size_t n, off64_t at), (fd, from, most(n), at))
SHORT(copy_file_range, (int from, off64_t *at, int to, off64_t *put, size_t n, unsigned flags),
      (from, at, to, put, most(n), flags))
SHORT(sendfile64, (int to, int from, off64_t *at, size_t n), (to, from, at, most(n)))
SHORT(splice, (int from, off64_t *at, int to, off64_t *put, size_t n, unsigned flags),
      (from, at, to, put, most(n), flags))
