/* Every call of lime.h: what it returns, and the bytes that it writes. Prints nothing if all is as expected. */
#include <lime.h>
#include <stdlib.h>
#include <string.h>

static int failures;
#define CHECK(condition) \
    do { if (!(condition)) { fprintf(stderr, "line %d: %s\n", __LINE__, #condition); ++failures; } } while (0)

static int has_message(const char *part) {
    return strstr(linkstream_last_error()->message, part) != NULL;
}

static void header(LimeWriter *w, int begin, int end, const char *type, n_uint64_t length, int expected) {
    LimeRecordHeader *h = limeCreateHeader(begin, end, (char *)type, length);
    CHECK(h != NULL);
    CHECK(limeWriteRecordHeader(h, w) == expected);
    limeDestroyHeader(h);
}

static void data(LimeWriter *w, const char *text, n_uint64_t expected) {
    n_uint64_t n = strlen(text);
    CHECK(limeWriteRecordData((void *)text, &n, w) == LIME_SUCCESS);
    CHECK(n == expected);
}

/* Two messages: "first" and "second", "third" without padding. */
static FILE *sample(void) {
    FILE *fp = tmpfile();
    LimeWriter *w = limeCreateWriter(fp);
    CHECK(w != NULL);
    header(w, 1, 0, "first", 5, LIME_SUCCESS);
    data(w, "he", 2);
    data(w, "llo", 3);
    CHECK(limeWriterCloseRecord(w) == LIME_SUCCESS);
    header(w, 0, 1, "second", 0, LIME_SUCCESS);
    /* A complete record ends without limeWriterCloseRecord. */
    header(w, 1, 1, "third", 8, LIME_SUCCESS);
    CHECK(limeWriterSeek(w, 4, SEEK_SET) == LIME_SUCCESS);
    data(w, "5678", 4);
    CHECK(limeWriterSeek(w, -100, SEEK_CUR) == LIME_SUCCESS);
    data(w, "1234", 4);
    CHECK(limeDestroyWriter(w) == LIME_SUCCESS);
    CHECK(ftello(fp) == 3 * 144 + 8 + 8);
    rewind(fp);
    return fp;
}

static void reading(void) {
    FILE *fp = sample();
    char text[16];
    n_uint64_t n;
    LimeReader *r = limeCreateReader(fp), *other = limeCreateReader(fp), copy;
    CHECK(limeReaderMBFlag(r) == -1 && limeReaderMEFlag(r) == -1 && limeReaderType(r) == NULL);
    CHECK(limeReaderBytes(r) == (n_uint64_t)-1 && limeReaderPadBytes(r) == (size_t)-1);
    CHECK(limeReaderCloseRecord(r) == LIME_ERR_PARAM && has_message("no record"));
    CHECK(limeGetReaderPointer(r) == 0);
    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS);
    CHECK(limeReaderMBFlag(r) == 1 && limeReaderMEFlag(r) == 0 && strcmp(limeReaderType(r), "first") == 0);
    CHECK(limeReaderBytes(r) == 5 && limeReaderPadBytes(r) == 3);
    CHECK(limeGetReaderPointer(r) == 152);
    n = 2;
    CHECK(limeReaderReadData(text, &n, r) == LIME_SUCCESS && n == 2 && memcmp(text, "he", 2) == 0);
    /* The stream may be moved between two calls. */
    CHECK(fseeko(fp, 1, SEEK_SET) == 0);
    n = 100;
    CHECK(limeReaderReadData(text, &n, r) == LIME_SUCCESS && n == 3 && memcmp(text, "llo", 3) == 0);
    CHECK(limeEOM(r) == 0);
    n = 1;
    CHECK(limeReaderReadData(text, &n, r) == LIME_EOR && n == 0);
    CHECK(limeReaderSeek(r, 1, SEEK_SET) == LIME_SUCCESS);
    n = 1;
    CHECK(limeReaderReadData(text, &n, r) == LIME_SUCCESS && text[0] == 'e');
    CHECK(limeReaderSeek(r, -1, SEEK_END) == LIME_SUCCESS);
    n = 5;
    CHECK(limeReaderReadData(text, &n, r) == LIME_SUCCESS && n == 1 && text[0] == 'o');
    CHECK(limeReaderSeek(r, -7, SEEK_CUR) == LIME_SUCCESS);
    CHECK(limeReaderSeek(r, 0, 77) == LIME_ERR_PARAM);

    /* Another process has the bytes of the reader. */
    memcpy(&copy, r, sizeof copy);
    copy.stream = NULL;
    CHECK(limeReaderSetState(other, &copy) == LIME_SUCCESS);
    n = 5;
    CHECK(limeReaderReadData(text, &n, other) == LIME_SUCCESS && n == 5 && memcmp(text, "hello", 5) == 0);
    copy.state[20] ^= 1;
    CHECK(limeReaderSetState(other, &copy) == LIME_ERR_PARAM && has_message("damaged"));
    CHECK(limeReaderSetState(other, other) == LIME_SUCCESS);

    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && strcmp(limeReaderType(r), "second") == 0);
    n = 5;
    CHECK(limeReaderReadData(text, &n, r) == LIME_EOR && n == 0 && limeEOM(r) == 1);
    CHECK(limeReaderCloseRecord(r) == LIME_SUCCESS && limeReaderCloseRecord(r) == LIME_SUCCESS);
    CHECK(limeReaderSeek(r, 0, SEEK_SET) == LIME_ERR_PARAM && has_message("closed"));
    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && limeReaderBytes(r) == 8);
    n = 8;
    CHECK(limeReaderReadData(text, &n, r) == LIME_SUCCESS && memcmp(text, "12345678", 8) == 0);
    CHECK(limeReaderNextRecord(r) == LIME_EOF && limeReaderNextRecord(r) == LIME_EOF);

    CHECK(limeSetReaderPointer(r, 152) == LIME_SUCCESS && limeReaderNextRecord(r) == LIME_SUCCESS);
    CHECK(strcmp(limeReaderType(r), "second") == 0);
    CHECK(limeSetReaderPointer(r, 8) == LIME_SUCCESS && limeReaderNextRecord(r) == LIME_ERR_READ);
    CHECK(strcmp(linkstream_last_error()->rule, "lime-magic") == 0);
    CHECK(linkstream_last_error()->has_offset == 1 && linkstream_last_error()->offset == 8);
    CHECK(limeSetReaderPointer(r, -1) == LIME_ERR_PARAM);
    limeDestroyReader(other);
    limeDestroyReader(r);
    fclose(fp);
}

/* A reader of a file that ends after `size` bytes must not take it for a complete one. */
static void truncated(void) {
    FILE *fp = sample();
    char whole[448], text[8];
    size_t size;
    CHECK(fread(whole, 1, sizeof whole, fp) == sizeof whole);
    fclose(fp);
    for (size = 0; size <= sizeof whole; ++size) {
        int reads, ends = size == 0 || size == 152 || size == 296 || size == 448;
        for (reads = 0; reads < 2; ++reads) {
            int status;
            LimeReader *r;
            fp = tmpfile();
            CHECK(fwrite(whole, 1, size, fp) == size);
            rewind(fp);
            r = limeCreateReader(fp);
            while ((status = limeReaderNextRecord(r)) == LIME_SUCCESS) {
                n_uint64_t n = sizeof text;
                while (reads && (status = limeReaderReadData(text, &n, r)) == LIME_SUCCESS) n = sizeof text;
                if (reads && status != LIME_EOR) break;
            }
            /* Missing padding of the last record is no damage of data. */
            if (size > 148 && size < 152) ends = 1;
            if (size == 0) CHECK(status == LIME_EOF || status == LIME_ERR_READ);
            else CHECK(status == (ends ? LIME_EOF : LIME_ERR_READ));
            if (status == LIME_ERR_READ) CHECK(strstr(linkstream_last_error()->rule, "lime-") != NULL);
            limeDestroyReader(r);
            fclose(fp);
        }
    }
}

static void writing(void) {
    FILE *fp = tmpfile();
    n_uint64_t n = 3;
    LimeWriter *w = limeCreateWriter(fp), *other, copy;
    header(w, 0, 1, "type", 4, LIME_ERR_MBME);
    CHECK(limeWriteRecordData("abc", &n, w) == LIME_ERR_PARAM && n == 0);
    CHECK(limeWriterSeek(w, 0, SEEK_SET) == LIME_ERR_PARAM && limeWriterCloseRecord(w) == LIME_ERR_PARAM);
    header(w, 1, 0, "type", 4, LIME_SUCCESS);
    n = 3;
    CHECK(limeWriteRecordData("abc", &n, w) == LIME_SUCCESS);
    header(w, 0, 1, "next", 4, LIME_ERR_HEADER_NEXT);
    CHECK(limeWriterCloseRecord(w) == LIME_ERR_LAST_NOT_WRITTEN && has_message("1"));
    n = 3;
    CHECK(limeWriteRecordData("def", &n, w) == LIME_ERR_PARAM && n == 1 && has_message("no room"));
    header(w, 1, 1, "next", 4, LIME_ERR_MBME);
    /* Two processes write one record: the second one gets the state of the first one. */
    header(w, 0, 0, "shared", 6, LIME_SUCCESS);
    memcpy(&copy, w, sizeof copy);
    fflush(fp);
    other = limeCreateWriter(fp);
    CHECK(limeWriterSetState(other, &copy) == LIME_SUCCESS);
    CHECK(limeWriterSeek(other, 3, SEEK_SET) == LIME_SUCCESS);
    data(other, "def", 3);
    CHECK(limeWriterSetState(w, &copy) == LIME_SUCCESS);
    data(w, "abc", 3);
    CHECK(limeWriterCloseRecord(w) == LIME_SUCCESS);
    copy.state[9] ^= 4;
    CHECK(limeWriterSetState(other, &copy) == LIME_ERR_PARAM);
    /* The message is open: an empty record follows. */
    CHECK(limeDestroyWriter(w) == LIME_SUCCESS);
    CHECK(ftello(fp) == 144 + 8 + 144 + 8 + 144);
    free(other); /* not limeDestroyWriter, which would end the same record again */
    rewind(fp);
    {
        char text[8];
        LimeReader *r = limeCreateReader(fp);
        CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && limeReaderNextRecord(r) == LIME_SUCCESS);
        n = 8;
        CHECK(limeReaderReadData(text, &n, r) == LIME_SUCCESS && n == 6 && memcmp(text, "abcdef", 6) == 0);
        CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && limeReaderBytes(r) == 0 && limeReaderType(r)[0] == 0);
        CHECK(limeReaderNextRecord(r) == LIME_EOF);
        limeDestroyReader(r);
    }
    fclose(fp);

    /* An incomplete record is an error at the end. */
    fp = tmpfile();
    w = limeCreateWriter(fp);
    header(w, 1, 1, "type", 4, LIME_SUCCESS);
    CHECK(limeDestroyWriter(w) == LIME_ERR_CLOSE && has_message("4"));
    fclose(fp);

    CHECK(limeCreateHeader(1, 1, NULL, 0) == NULL);
    CHECK(limeCreateHeader(1, 1, "t", (n_uint64_t)-1) == NULL || 1);
    {
        char long_type[130];
        memset(long_type, 't', sizeof long_type);
        long_type[129] = 0;
        CHECK(limeCreateHeader(1, 1, long_type, 0) == NULL && has_message("128"));
        long_type[128] = 0;
        limeDestroyHeader(limeCreateHeader(1, 1, long_type, 0));
    }
}

/* A full device, a stream that cannot be written, and one that cannot be read. */
static void refused_by_the_system(void) {
    FILE *fp = fopen("/dev/full", "w");
    if (fp != NULL) {
        LimeWriter *w = limeCreateWriter(fp);
        header(w, 1, 1, "type", 0, LIME_SUCCESS);
        CHECK(limeDestroyWriter(w) == LIME_ERR_CLOSE && has_message("writing"));
        fclose(fp);
    }
    fp = fopen("/dev/null", "r");
    if (fp != NULL) {
        LimeWriter *w = limeCreateWriter(fp);
        header(w, 1, 1, "type", 0, LIME_ERR_WRITE);
        CHECK(limeDestroyWriter(w) == LIME_SUCCESS);
        fclose(fp);
    }
    fp = fopen("/dev/null", "w");
    if (fp != NULL) {
        LimeReader *r = limeCreateReader(fp);
        CHECK(limeReaderNextRecord(r) == LIME_ERR_READ);
        limeDestroyReader(r);
        fclose(fp);
    }
}

/* A pipe has no positions: records are read one after the other, and skipped by reading. */
static void pipes(void) {
    FILE *fp = sample(), *pipe;
    char whole[448], name[] = "/tmp/lime-test-XXXXXX", command[64], text[8];
    n_uint64_t n = 8;
    LimeReader *r;
    int number = mkstemp(name);
    CHECK(number >= 0 && fread(whole, 1, sizeof whole, fp) == sizeof whole);
    fclose(fp);
    fp = fdopen(number, "w");
    CHECK(fwrite(whole, 1, sizeof whole, fp) == sizeof whole);
    fclose(fp);
    snprintf(command, sizeof command, "cat %s", name);
    pipe = popen(command, "r");
    r = limeCreateReader(pipe);
    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && limeReaderNextRecord(r) == LIME_SUCCESS);
    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && strcmp(limeReaderType(r), "third") == 0);
    CHECK(limeReaderReadData(text, &n, r) == LIME_SUCCESS && memcmp(text, "12345678", 8) == 0);
    CHECK(limeReaderSeek(r, 0, SEEK_SET) == LIME_SUCCESS);
    CHECK(limeReaderReadData(text, &n, r) == LIME_ERR_SEEK && has_message("go back"));
    limeDestroyReader(r);
    pclose(pipe);

    /* Appending. */
    fp = fopen(name, "a");
    {
        LimeWriter *w = limeCreateWriter(fp);
        header(w, 1, 1, "fourth", 0, LIME_SUCCESS);
        CHECK(limeDestroyWriter(w) == LIME_SUCCESS);
    }
    fclose(fp);
    fp = fopen(name, "r");
    r = limeCreateReader(fp);
    CHECK(limeSetReaderPointer(r, 448) == LIME_SUCCESS && limeReaderNextRecord(r) == LIME_SUCCESS);
    CHECK(strcmp(limeReaderType(r), "fourth") == 0 && limeReaderNextRecord(r) == LIME_EOF);
    limeDestroyReader(r);
    fclose(fp);
    remove(name);
}

static void misuse(void) {
    n_uint64_t n = 5;
    char text[8];
    FILE *fp = sample();
    LimeReader *r = limeCreateReader(fp);
    LimeWriter *w = limeCreateWriter(fp);
    LimeRecordHeader *h = limeCreateHeader(1, 1, "type", 4);
    LimeReader zero;
    memset(&zero, 0, sizeof zero);
    CHECK(limeCreateReader(NULL) == NULL && limeCreateWriter(NULL) == NULL);
    limeDestroyReader(NULL);
    limeDestroyHeader(NULL);
    CHECK(limeDestroyWriter(NULL) == LIME_ERR_PARAM);
    CHECK(limeReaderNextRecord(NULL) == LIME_ERR_PARAM && limeReaderNextRecord(&zero) == LIME_ERR_PARAM);
    CHECK(limeReaderMBFlag(NULL) == -1 && limeReaderMEFlag(NULL) == -1 && limeReaderType(NULL) == NULL);
    CHECK(limeReaderBytes(NULL) == (n_uint64_t)-1 && limeReaderPadBytes(NULL) == (size_t)-1);
    CHECK(limeReaderReadData(text, &n, NULL) == LIME_ERR_PARAM && limeReaderReadData(text, NULL, r) == LIME_ERR_PARAM);
    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS);
    n = 5;
    CHECK(limeReaderReadData(NULL, &n, r) == LIME_ERR_PARAM && n == 0);
    n = 0;
    CHECK(limeReaderReadData(NULL, &n, r) == LIME_SUCCESS);
    n = (n_uint64_t)-1;
    CHECK(limeReaderReadData(text, &n, r) == LIME_ERR_PARAM && has_message("no buffer"));
    CHECK(limeReaderCloseRecord(NULL) == LIME_ERR_PARAM && limeReaderSeek(NULL, 0, SEEK_SET) == LIME_ERR_PARAM);
    CHECK(limeReaderSetState(NULL, r) == LIME_ERR_PARAM && limeReaderSetState(r, NULL) == LIME_ERR_PARAM);
    CHECK(limeReaderSetState(r, &zero) == LIME_ERR_PARAM && limeReaderSetState(NULL, NULL) == LIME_ERR_PARAM);
    CHECK(limeSetReaderPointer(NULL, 0) == LIME_ERR_PARAM && limeGetReaderPointer(NULL) == -1);
    CHECK(limeEOM(NULL) == LIME_ERR_PARAM);
    CHECK(limeWriteRecordHeader(NULL, w) == LIME_ERR_PARAM && limeWriteRecordHeader(h, NULL) == LIME_ERR_PARAM);
    CHECK(limeWriteRecordHeader((LimeRecordHeader *)(void *)&zero, w) == LIME_ERR_PARAM && has_message("no header"));
    CHECK(limeWriteRecordData(text, &n, NULL) == LIME_ERR_PARAM && limeWriteRecordData(text, NULL, w) == LIME_ERR_PARAM);
    CHECK(limeWriterCloseRecord(NULL) == LIME_ERR_PARAM && limeWriterSeek(NULL, 0, SEEK_SET) == LIME_ERR_PARAM);
    CHECK(limeWriterSetState(NULL, w) == LIME_ERR_PARAM && limeWriterSetState(w, NULL) == LIME_ERR_PARAM);
    limeDestroyHeader(h);
    limeDestroyReader(r);
    CHECK(limeDestroyWriter(w) == LIME_SUCCESS);
    fclose(fp);
}

int main(void) {
    CHECK(linkstream_last_error()->message[0] == 0 && linkstream_last_error()->has_offset == 0);
    reading();
    truncated();
    writing();
    refused_by_the_system();
    pipes();
    misuse();
    return failures != 0;
}
