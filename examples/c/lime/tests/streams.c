/* Streams of other kinds: pipes, memory, devices, streams that cannot be read or written, files beyond 4 GiB. */
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* A stream that reads `size` bytes from a pipe. */
static FILE *piped(const char *bytes, size_t size) {
    int ends[2];
    CHECK(pipe(ends) == 0);
    CHECK(write(ends[1], bytes, size) == (ssize_t)size);
    CHECK(close(ends[1]) == 0);
    return fdopen(ends[0], "r");
}

/* A pipe has no positions: records are read one after the other, and skipped by reading. */
static void reading_pipes(void) {
    char whole[SAMPLE_BYTES], text[16];
    size_t size;
    FILE *fp;
    LimeReader *r;
    n_uint64_t n = 8;
    make_sample("sample");
    CHECK(contents("sample", whole, sizeof whole) == sizeof whole);
    fp = piped(whole, sizeof whole);
    r = limeCreateReader(fp);
    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && limeReaderCloseRecord(r) == LIME_SUCCESS);
    CHECK(limeReaderSeek(r, 5, SEEK_SET) == LIME_SUCCESS && limeReaderSeek(r, 0, SEEK_CUR) == LIME_SUCCESS);
    CHECK(limeReaderSeek(r, 0, SEEK_SET) == LIME_ERR_SEEK && has_message("go back"));
    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && limeReaderNextRecord(r) == LIME_SUCCESS);
    CHECK(strcmp(limeReaderType(r), "third") == 0 && limeReaderSeek(r, 2, SEEK_SET) == LIME_SUCCESS);
    CHECK(limeReaderReadData(text, &n, r) == LIME_SUCCESS && n == 6 && memcmp(text, "345678", 6) == 0);
    CHECK(limeReaderSeek(r, 7, SEEK_SET) == LIME_ERR_SEEK && r->rec_ptr == 8);
    CHECK(limeReaderNextRecord(r) == LIME_EOF && limeReaderNextRecord(r) == LIME_EOF);
    CHECK(limeGetReaderPointer(r) == SAMPLE_BYTES);
    limeDestroyReader(r);
    fclose(fp);

    fp = piped(whole, sizeof whole);
    r = limeCreateReader(fp);
    CHECK(limeSetReaderPointer(r, 152) == LIME_SUCCESS && limeReaderNextRecord(r) == LIME_SUCCESS);
    CHECK(strcmp(limeReaderType(r), "second") == 0);
    CHECK(limeSetReaderPointer(r, 0) == LIME_ERR_SEEK && limeSetReaderPointer(r, SAMPLE_BYTES + 1) == LIME_ERR_READ);
    limeDestroyReader(r);
    fclose(fp);

    for (size = 0; size < sizeof whole; ++size) {
        int reads, status;
        for (reads = 0; reads < 2; ++reads) {
            fp = piped(whole, size);
            r = limeCreateReader(fp);
            while ((status = limeReaderNextRecord(r)) == LIME_SUCCESS) {
                n = sizeof text;
                if (reads == 1) status = limeReaderReadData(text, &n, r);
                if (status != LIME_SUCCESS && status != LIME_EOR) break;
            }
            CHECK(status == (size == 0 || size == 152 || size == 296 ? LIME_EOF : LIME_ERR_READ));
            if (status == LIME_ERR_READ) CHECK(strncmp(linkstream_last_error()->rule, "lime-", 5) == 0);
            if (status == LIME_ERR_READ) CHECK(linkstream_last_error()->offset == size);
            limeDestroyReader(r);
            fclose(fp);
        }
    }
}

static void writing_pipes(void) {
    char whole[SAMPLE_BYTES + 8], expected[SAMPLE_BYTES];
    int ends[2];
    FILE *fp;
    LimeWriter *w;
    CHECK(contents("sample", expected, sizeof expected) == sizeof expected);
    CHECK(pipe(ends) == 0);
    fp = fdopen(ends[1], "w");
    w = limeCreateWriter(fp);
    put_header(w, 1, 0, "first", 5, LIME_SUCCESS);
    CHECK(limeWriterSeek(w, 0, SEEK_SET) == LIME_SUCCESS && limeWriterSeek(w, 1, SEEK_SET) == LIME_ERR_SEEK);
    put_data(w, "hel");
    put_data(w, "lo");
    CHECK(limeWriterSeek(w, 0, SEEK_SET) == LIME_ERR_SEEK && limeWriterCloseRecord(w) == LIME_SUCCESS);
    put_header(w, 0, 1, "second", 0, LIME_SUCCESS);
    put_header(w, 1, 1, "third", 8, LIME_SUCCESS);
    CHECK(limeWriterCloseRecord(w) == LIME_ERR_LAST_NOT_WRITTEN);
    put_data(w, "12345678");
    CHECK(limeDestroyWriter(w) == LIME_SUCCESS && fclose(fp) == 0);
    CHECK(read(ends[0], whole, sizeof whole) == SAMPLE_BYTES && memcmp(whole, expected, SAMPLE_BYTES) == 0);
    close(ends[0]);
}

/* Streams in memory have positions, but no file. */
static void memory(void) {
    char whole[SAMPLE_BYTES], *written = NULL;
    size_t size = 0;
    FILE *fp = open_memstream(&written, &size);
    LimeWriter *w = limeCreateWriter(fp);
    put_header(w, 1, 0, "first", 5, LIME_SUCCESS);
    put_data(w, "hello");
    put_header(w, 0, 1, "second", 0, LIME_SUCCESS);
    put_header(w, 1, 1, "third", 8, LIME_SUCCESS);
    CHECK(limeWriterSeek(w, 4, SEEK_SET) == LIME_SUCCESS);
    put_data(w, "5678");
    CHECK(limeWriterSeek(w, 0, SEEK_SET) == LIME_SUCCESS);
    put_data(w, "1234");
    CHECK(limeDestroyWriter(w) == LIME_SUCCESS && fclose(fp) == 0 && size == SAMPLE_BYTES);
    CHECK(contents("sample", whole, sizeof whole) == sizeof whole && memcmp(whole, written, sizeof whole) == 0);
    free(written);
    for (size = 1; size <= sizeof whole; ++size) {
        int status;
        LimeReader *r;
        fp = fmemopen(whole, size, "r");
        r = limeCreateReader(fp);
        while ((status = limeReaderNextRecord(r)) == LIME_SUCCESS) {}
        CHECK(status == (size == 152 || size == 296 || size == 448 ? LIME_EOF : LIME_ERR_READ));
        if (status == LIME_ERR_READ) CHECK(linkstream_last_error()->offset == size);
        limeDestroyReader(r);
        fclose(fp);
    }
}

/* A full device, a stream that cannot be written, and one that cannot be read. */
static void refused_by_the_system(void) {
    n_uint64_t n = 4;
    FILE *fp = fopen("/dev/full", "w");
    LimeWriter *w;
    LimeReader *r;
    if (fp != NULL) {
        w = limeCreateWriter(fp);
        put_header(w, 1, 1, "type", 4, LIME_SUCCESS);
        CHECK(limeWriteRecordData("abcd", &n, w) == LIME_ERR_WRITE && n == 4 && has_message("writing"));
        CHECK(limeDestroyWriter(w) == LIME_ERR_CLOSE && has_message("writing"));
        fclose(fp);
    }
    fp = opened("sample", "r");
    w = limeCreateWriter(fp);
    put_header(w, 1, 1, "type", 0, LIME_ERR_WRITE);
    CHECK(has_message("writing") && limeDestroyWriter(w) == LIME_ERR_CLOSE);
    fclose(fp);
    fp = opened("empty", "w");
    r = limeCreateReader(fp);
    CHECK(limeReaderNextRecord(r) == LIME_ERR_READ && has_message("reading"));
    limeDestroyReader(r);
    fclose(fp);
    fp = fopen("/", "r");
    if (fp != NULL) {
        r = limeCreateReader(fp);
        CHECK(limeReaderNextRecord(r) == LIME_ERR_READ && has_message("reading"));
        limeDestroyReader(r);
        fclose(fp);
    }
}

/* Offsets beyond 2^31 and 2^32, in a file with a hole. */
static void large(void) {
    const n_uint64_t length = ((n_uint64_t)5 << 30) + 3;
    const off_t end = 144 + ((off_t)5 << 30) + 8;
    FILE *fp = opened("large", "w+");
    char text[8];
    n_uint64_t n = 3;
    LimeReader *r, *other;
    LimeWriter *w = limeCreateWriter(fp);
    put_header(w, 1, 0, "large", length, LIME_SUCCESS);
    CHECK(limeWriterSeek(w, (off_t)1 << 31, SEEK_SET) == LIME_SUCCESS);
    put_data(w, "middle");
    CHECK(limeWriterSeek(w, (off_t)length - 3, SEEK_SET) == LIME_SUCCESS);
    put_data(w, "end");
    CHECK(limeWriterCloseRecord(w) == LIME_SUCCESS && ftello(fp) == end);
    put_header(w, 0, 1, "small", 3, LIME_SUCCESS);
    put_data(w, "abc");
    CHECK(limeDestroyWriter(w) == LIME_SUCCESS && ftello(fp) == end + 152);
    rewind(fp);
    r = limeCreateReader(fp);
    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && limeReaderBytes(r) == length && limeReaderPadBytes(r) == 5);
    CHECK(limeGetReaderPointer(r) == end);
    CHECK(limeReaderSeek(r, ((off_t)1 << 31) + 3, SEEK_SET) == LIME_SUCCESS);
    CHECK(limeReaderReadData(text, &n, r) == LIME_SUCCESS && memcmp(text, "dle", 3) == 0);
    CHECK(limeReaderSeek(r, (off_t)length, SEEK_SET) == LIME_SUCCESS);
    CHECK(limeReaderSeek(r, -3, SEEK_CUR) == LIME_SUCCESS);
    n = 8;
    CHECK(limeReaderReadData(text, &n, r) == LIME_SUCCESS && n == 3 && memcmp(text, "end", 3) == 0);
    other = limeCreateReader(fp);
    CHECK(limeReaderSetState(other, r) == LIME_SUCCESS && other->rec_ptr == length);
    CHECK(limeReaderSeek(r, 0, SEEK_SET) == LIME_SUCCESS && limeReaderNextRecord(r) == LIME_SUCCESS);
    CHECK(strcmp(limeReaderType(r), "small") == 0 && limeReaderNextRecord(r) == LIME_EOF);
    CHECK(limeReaderNextRecord(other) == LIME_SUCCESS && strcmp(limeReaderType(other), "small") == 0);
    limeDestroyReader(r);
    limeDestroyReader(other);
    /* A byte less is noticed, although the end is only skipped. */
    CHECK(ftruncate(fileno(fp), end - 6) == 0);
    rewind(fp);
    r = limeCreateReader(fp);
    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && limeReaderNextRecord(r) == LIME_ERR_READ);
    CHECK(has_rule("lime-payload-truncated", (n_uint64_t)end - 6));
    limeDestroyReader(r);
    fclose(fp);
    remove(path("large"));
}

int main(int argc, char **argv) {
    start(argc, argv);
    reading_pipes();
    writing_pipes();
    memory();
    refused_by_the_system();
    large();
    return failures != 0;
}
