/* Several libraries in one program have one last error. The names of the shared ones are the arguments; HAVE_LIME and
 * the like are defined for the libraries that are linked. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linkstream_error.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#ifdef HAVE_LIME
int limeReaderNextRecord(void *reader);
#endif
#ifdef HAVE_LINKSTREAM
#include <linkstream.h>
#endif
#ifdef HAVE_QIO
int QIO_close_read(void *reader);
#endif

typedef const linkstream_error *(*last)(void);

static int failures;
#define CHECK(condition) \
    do { if (!(condition)) { printf("line %d: %s\n", __LINE__, #condition); ++failures; } } while (0)

/* An error of each library is the last error, whichever library is asked. */
static void errors(void) {
    char before[824] = "";
#define FAILS(call) \
    CHECK((call) < 0); \
    CHECK(linkstream_last_error()->message[0] && strcmp(linkstream_last_error()->message, before)); \
    strcpy(before, linkstream_last_error()->message)
#ifdef HAVE_LIME
    FAILS(limeReaderNextRecord(NULL));
#endif
#ifdef HAVE_LINKSTREAM
    FAILS(linkstream_writer_finish(NULL));
#endif
#ifdef HAVE_QIO
    FAILS(QIO_close_read(NULL));
#endif
    CHECK(before[0]);
}

static void *in_thread(void *places) {
    CHECK(linkstream_last_error()->message[0] == 0);
    *(const void **)places = linkstream_last_error();
    errors();
    return NULL;
}

int main(int count, char **names) {
    const void *other = NULL;
    pthread_t thread;
    int i;
    errors();
    for (i = 1; i < count; ++i) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_NOLOAD);
        last of_library;
        CHECK(library != NULL);
        if (!library) continue;
        *(void **)&of_library = dlsym(library, "linkstream_last_error");
        CHECK(of_library != NULL && of_library() == linkstream_last_error());
        dlclose(library);
    }
    CHECK(pthread_create(&thread, NULL, in_thread, &other) == 0 && pthread_join(thread, NULL) == 0);
    CHECK(other != linkstream_last_error());
    return failures != 0;
}
