/* One record that several processes write or read: the first one sends the bytes of its handle to the others. Also data
 * that are written around the library. */
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define SITES 60
#define SITE 24

/* Site number i in the record. */
static void site(int i, char *bytes) {
    int k;
    for (k = 0; k < SITE; ++k) bytes[k] = (char)(i * 7 + k);
}

/* Writes the sites of one of `number` processes, each with a seek, the last ones first. */
static void write_sites(LimeWriter *w, int process, int number) {
    int i;
    for (i = SITES - 1 - process; i >= 0; i -= number) {
        char bytes[SITE];
        n_uint64_t n = SITE;
        site(i, bytes);
        CHECK(limeWriterSeek(w, (off_t)i * SITE, SEEK_SET) == LIME_SUCCESS);
        CHECK(limeWriteRecordData(bytes, &n, w) == LIME_SUCCESS && n == SITE);
    }
}

/* Waits for a child. True if all of its checks were right. */
static int is_well(pid_t child) {
    int status = 1;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* As QIO writes in parallel. `extra` bytes follow the sites, so that there is padding. `first_closes_late` is false if
 * the first process closes the record before the others have written anything. */
static void written_together(int number, int extra, int first_closes_late) {
    FILE *fp = opened("together", "w");
    pid_t children[8];
    int states[8][2], go[2], i;
    LimeWriter *w = limeCreateWriter(fp);
    n_uint64_t n = (n_uint64_t)extra;
    CHECK(pipe(go) == 0);
    put_header(w, 1, 0, "before", 3, LIME_SUCCESS);
    put_data(w, "abc");
    for (i = 1; i < number; ++i) {
        CHECK(pipe(states[i]) == 0);
        if ((children[i] = fork()) == 0) {
            LimeWriter *mine, state;
            char byte;
            FILE *own = fopen(path("together"), "r+");
            mine = limeCreateWriter(own);
            CHECK(read(states[i][0], &state, sizeof state) == (ssize_t)sizeof state);
            CHECK(limeWriterSetState(mine, &state) == LIME_SUCCESS && ftello(own) == 152 + 144);
            if (!first_closes_late) CHECK(read(go[0], &byte, 1) == 1);
            write_sites(mine, i, number);
            CHECK(limeWriterCloseRecord(mine) == LIME_SUCCESS);
            CHECK(limeDestroyWriter(mine) == LIME_SUCCESS && fclose(own) == 0);
            _exit(failures != 0);
        }
    }
    put_header(w, 0, 1, "sites", SITES * SITE + (n_uint64_t)extra, LIME_SUCCESS);
    fflush(fp);
    for (i = 1; i < number; ++i) CHECK(write(states[i][1], w, sizeof *w) == (ssize_t)sizeof *w);
    write_sites(w, 0, number);
    if (extra > 0) {
        CHECK(limeWriterSeek(w, SITES * SITE, SEEK_SET) == LIME_SUCCESS);
        CHECK(limeWriteRecordData("wxyz", &n, w) == LIME_SUCCESS);
    }
    if (!first_closes_late) {
        CHECK(limeWriterCloseRecord(w) == LIME_SUCCESS);
        for (i = 1; i < number; ++i) CHECK(write(go[1], "!", 1) == 1);
    }
    for (i = 1; i < number; ++i) {
        CHECK(is_well(children[i]));
        close(states[i][0]);
        close(states[i][1]);
    }
    if (first_closes_late) CHECK(limeWriterCloseRecord(w) == LIME_SUCCESS);
    put_header(w, 1, 1, "after", 4, LIME_SUCCESS);
    put_data(w, "done");
    CHECK(limeDestroyWriter(w) == LIME_SUCCESS && fclose(fp) == 0);
    close(go[0]);
    close(go[1]);

    /* Read by several processes. */
    fp = opened("together", "r");
    {
        LimeReader *r = limeCreateReader(fp);
        CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && limeReaderNextRecord(r) == LIME_SUCCESS);
        CHECK(limeReaderBytes(r) == SITES * SITE + (n_uint64_t)extra);
        for (i = 0; i < number; ++i) {
            if ((children[i] = fork()) == 0) {
                FILE *own = fopen(path("together"), "r");
                LimeReader *mine = limeCreateReader(own), state;
                int k;
                memcpy(&state, r, sizeof state);
                CHECK(limeReaderSetState(mine, &state) == LIME_SUCCESS && strcmp(limeReaderType(mine), "sites") == 0);
                for (k = i; k < SITES; k += number) {
                    char bytes[SITE], expected[SITE];
                    n_uint64_t m = SITE;
                    site(k, expected);
                    CHECK(limeReaderSeek(mine, (off_t)k * SITE, SEEK_SET) == LIME_SUCCESS);
                    CHECK(limeReaderReadData(bytes, &m, mine) == LIME_SUCCESS && memcmp(bytes, expected, SITE) == 0);
                }
                CHECK(limeReaderCloseRecord(mine) == LIME_SUCCESS && limeReaderNextRecord(mine) == LIME_SUCCESS);
                CHECK(strcmp(limeReaderType(mine), "after") == 0 && limeReaderNextRecord(mine) == LIME_EOF);
                limeDestroyReader(mine);
                fclose(own);
                _exit(failures != 0);
            }
            CHECK(is_well(children[i]));
        }
        limeDestroyReader(r);
    }
    fclose(fp);
}

/* Two writers in one process, as in two threads; the state is taken from the handle itself. */
static void two_writers(void) {
    FILE *fp = opened("two", "w"), *second = opened("two", "r+");
    LimeWriter *w = limeCreateWriter(fp), *other = limeCreateWriter(second), copy;
    char whole[256];
    put_header(w, 1, 1, "shared", 6, LIME_SUCCESS);
    memcpy(&copy, w, sizeof copy);
    CHECK(limeWriterSetState(other, w) == LIME_SUCCESS && other->fp == second);
    CHECK(limeWriterSeek(other, 3, SEEK_SET) == LIME_SUCCESS);
    put_data(other, "def");
    put_header(other, 1, 1, "next", 0, LIME_ERR_HEADER_NEXT);
    CHECK(limeWriterCloseRecord(other) == LIME_SUCCESS && limeDestroyWriter(other) == LIME_SUCCESS);
    CHECK(fclose(second) == 0);
    put_data(w, "abc");
    CHECK(limeWriterSetState(w, &copy) == LIME_SUCCESS && w->rec_ptr == 0 && limeWriterSetState(w, w) == LIME_SUCCESS);
    put_data(w, "ABC");
    CHECK(limeWriterCloseRecord(w) == LIME_SUCCESS && ftello(fp) == 152);
    copy.state[40] ^= 4;
    CHECK(limeWriterSetState(w, &copy) == LIME_ERR_PARAM && has_message("damaged"));
    CHECK(limeDestroyWriter(w) == LIME_SUCCESS && fclose(fp) == 0);
    CHECK(contents("two", whole, sizeof whole) == 152 && memcmp(whole + 144, "ABCdef\0\0", 8) == 0);
}

/* As Grid writes: the data come from other functions, then the record is closed. */
static void around_the_library(void) {
    char whole[512];
    FILE *fp = opened("around", "w"), *other;
    LimeWriter *w = limeCreateWriter(fp);
    put_header(w, 1, 0, "data", 5, LIME_SUCCESS);
    CHECK(fflush(fp) == 0 && ftello(fp) == 144);
    CHECK(limeWriterCloseRecord(w) == LIME_ERR_LAST_NOT_WRITTEN);
    other = opened("around", "r+");
    CHECK(fseeko(other, 144, SEEK_SET) == 0 && fputs("hello", other) >= 0 && fclose(other) == 0);
    CHECK(fseeko(fp, 0, SEEK_END) == 0 && ftello(fp) == 149);
    CHECK(limeWriterCloseRecord(w) == LIME_SUCCESS && ftello(fp) == 152);
    put_header(w, 0, 1, "checksum", 0, LIME_SUCCESS);
    CHECK(limeDestroyWriter(w) == LIME_SUCCESS && fclose(fp) == 0);
    CHECK(contents("around", whole, sizeof whole) == 296 && memcmp(whole + 144, "hello\0\0\0", 8) == 0);
}

int main(int argc, char **argv) {
    int number;
    start(argc, argv);
    two_writers();
    around_the_library();
    for (number = 1; number <= 4; ++number) {
        written_together(number, 0, 1);
        written_together(number, 3, 1);
        written_together(number, 0, 0);
        written_together(number, 3, 0);
    }
    return failures != 0;
}
