/* Data in small pieces, which go through the buffer of the stream: the program sees the right positions and states after
 * each one, and may move the stream between any two, also from another process. */
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define NUMBERS 5000

static n_uint64_t value(n_uint64_t i) {
    return (i + 1) * 0x9e3779b97f4a7c15u;
}

static void writing(void) {
    FILE *fp = opened("pieces", "w+");
    LimeWriter *w = limeCreateWriter(fp);
    n_uint64_t i, n, number;
    put_header(w, 1, 1, "numbers", NUMBERS * 8 + 3, LIME_SUCCESS);
    for (i = 0; i < NUMBERS; ++i) {
        if (i % 97 == 5) CHECK(fseeko(fp, (off_t)(i % 1000), SEEK_SET) == 0);
        /* Flushed, and as much written again as was in the buffer. */
        if (i % 131 == 7) CHECK(fflush(fp) == 0 && fseeko(fp, 0, SEEK_CUR) == 0);
        number = value(i);
        n = 8;
        CHECK(limeWriteRecordData(&number, &n, w) == LIME_SUCCESS && n == 8);
        CHECK(ftello(fp) == (off_t)(144 + 8 * (i + 1)) && w->rec_ptr == 8 * (i + 1));
        CHECK(w->bytes_left == w->bytes_total - w->rec_ptr && w->header_nextP == 0);
    }
    n = 3;
    CHECK(limeWriteRecordData("end", &n, w) == LIME_SUCCESS && n == 3 && w->header_nextP == 1);
    CHECK(ftello(fp) == 144 + NUMBERS * 8 + 8);
    put_header(w, 1, 1, "last", 8, LIME_SUCCESS);
    put_data(w, "12345678");
    CHECK(limeDestroyWriter(w) == LIME_SUCCESS && fclose(fp) == 0);
}

/* The stream is moved in each of these ways. */
static void move(FILE *fp, n_uint64_t way) {
    char some[100];
    switch (way % 7) {
        case 0: CHECK(fseeko(fp, (off_t)(way % 3000), SEEK_SET) == 0); break;
        case 1: CHECK(fread(some, 1, 5, fp) == 5); break;
        case 2: CHECK(getc(fp) != EOF); break;
        case 3: CHECK(ungetc('x', fp) == 'x'); break;
        case 4: CHECK(fseeko(fp, 0, SEEK_END) == 0 && getc(fp) == EOF && feof(fp)); break;
        case 5: CHECK(fseeko(fp, 0, SEEK_CUR) == 0); break;
        default: rewind(fp);
    }
}

static void reading(void) {
    FILE *fp = opened("pieces", "r"), *other_fp = opened("pieces", "r");
    LimeReader *r = limeCreateReader(fp), *other = limeCreateReader(other_fp);
    n_uint64_t i, n, number;
    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS);
    for (i = 0; i < NUMBERS; ++i) {
        if (i % 11 == 3) move(fp, i / 11);
        number = 0;
        n = 8;
        CHECK(limeReaderReadData(&number, &n, r) == LIME_SUCCESS && n == 8 && number == value(i));
        CHECK(ftello(fp) == (off_t)(144 + 8 * (i + 1)) && r->rec_ptr == 8 * (i + 1));
        CHECK(r->bytes_left == r->bytes_total - r->rec_ptr);
        if (i % 501 == 4) {
            /* The bytes of the reader are its state. */
            LimeReader copy = *r;
            n = 8;
            CHECK(limeReaderSetState(other, &copy) == LIME_SUCCESS);
            CHECK(limeReaderReadData(&number, &n, other) == LIME_SUCCESS && number == value(i + 1));
        }
        if (i % 601 == 8) {
            CHECK(limeReaderSeek(r, -8, SEEK_CUR) == LIME_SUCCESS && r->rec_ptr == 8 * i);
            CHECK(limeReaderSeek(r, (off_t)(8 * (i + 1)), SEEK_SET) == LIME_SUCCESS);
        }
    }
    n = 9;
    CHECK(limeReaderReadData(&number, &n, r) == LIME_SUCCESS && n == 3 && memcmp(&number, "end", 3) == 0);
    n = 1;
    CHECK(limeReaderReadData(&number, &n, r) == LIME_EOR && n == 0);
    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && strcmp(limeReaderType(r), "last") == 0);
    CHECK(limeReaderNextRecord(r) == LIME_EOF);
    limeDestroyReader(r);
    limeDestroyReader(other);
    fclose(fp);
    fclose(other_fp);
}

/* Another process reads from the same open file. */
static void shared(void) {
    FILE *fp = opened("pieces", "r");
    LimeReader *r = limeCreateReader(fp);
    n_uint64_t i, n, number;
    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS);
    for (i = 0; i < NUMBERS; ++i) {
        if (i == 20) {
            int status;
            pid_t child = fork();
            if (child == 0) {
                char all[3000];
                while (fread(all, 1, sizeof all, fp) > 0) {}
                _exit(0);
            }
            CHECK(waitpid(child, &status, 0) == child && status == 0);
        }
        n = 8;
        CHECK(limeReaderReadData(&number, &n, r) == LIME_SUCCESS && number == value(i));
    }
    limeDestroyReader(r);
    fclose(fp);
}

/* The file becomes shorter while its headers are read: that is not its end. */
static void shorter(void) {
    FILE *fp = opened("pieces", "r+");
    LimeReader *r = limeCreateReader(fp);
    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && limeReaderNextRecord(r) == LIME_SUCCESS);
    CHECK(ftruncate(fileno(fp), 144 + NUMBERS * 8 + 8 + 144 + 4) == 0);
    CHECK(limeReaderNextRecord(r) == LIME_ERR_READ);
    limeDestroyReader(r);
    fclose(fp);
}

int main(int argc, char **argv) {
    start(argc, argv);
    writing();
    reading();
    shared();
    shorter();
    return failures != 0;
}
