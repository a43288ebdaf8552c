/* Parts of tests with less and less address space. */
#ifndef SHRINK_H
#define SHRINK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SHRINK_DONE = 0, SHRINK_NO_MEMORY = 1, SHRINK_WRONG = 2 };

/* True if the limit of address space means nothing: the tool has its own memory. */
static inline int shrink_is_useless(void)
{
    const char *preload = getenv("LD_PRELOAD");
#ifdef __SANITIZE_ADDRESS__
    return 1;
#endif
    return preload != NULL && strstr(preload, "vgpreload") != NULL;
}

/* The stack grows now, because nothing can report that it cannot grow. */
static inline void shrink_grow_stack(void)
{
    volatile char room[1 << 20];
    size_t i;
    for (i = 0; i < sizeof room; i += 1024) room[i] = 1;
}

/* In a child process: sets the limit so many bytes above what the process has. */
static inline int shrink_limit(size_t more)
{
    struct rlimit limit;
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%lu", &pages) != 1) return 0;
    fclose(file);
    limit.rlim_cur = limit.rlim_max = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + more;
    return setrlimit(RLIMIT_AS, &limit) == 0;
}

/* Runs a part in a child process without a limit: memory that it frees is no help to the next part. */
static inline int in_child(int (*part)(const char *path), const char *path)
{
    int status;
    pid_t child = fork();
    if (child == 0) _exit(part(path));
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == SHRINK_DONE;
}

/* Runs a part in child processes, each with less memory than the one before. The part returns one of the numbers above.
 * It must be done with much memory and end for lack of it with the least, and never end the process. Returns 1 if so. */
static inline int shrink(const char *name, int (*part)(const char *path), const char *path)
{
    size_t more;
    int seen[3] = {0, 0, 0}, status, last = 0;
    for (more = (size_t)256 << 20; !last; more -= more / 4) {
        pid_t child;
        last = more < ((size_t)64 << 10);
        child = fork();
        if (child == 0) {
            shrink_grow_stack();
            _exit(shrink_limit(last ? 0 : more) ? part(path) : SHRINK_WRONG);
        }
        if (child < 0 || waitpid(child, &status, 0) != child) return 0;
        if (!WIFEXITED(status) || WEXITSTATUS(status) > SHRINK_NO_MEMORY) {
            fprintf(stderr, "%s with %zu bytes: status %x\n", name, more, (unsigned)status);
            return 0;
        }
        ++seen[WEXITSTATUS(status)];
    }
    fprintf(stderr, "%s: %d times done, %d times without memory\n", name, seen[0], seen[1]);
    return seen[SHRINK_DONE] > 0 && WEXITSTATUS(status) == SHRINK_NO_MEMORY;
}

#endif
