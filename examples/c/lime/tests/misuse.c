/* Misuse: NULL, destroyed handles, pointers to something else, wrong sizes, calls out of order, other threads. Each
 * ends in a code and a last error, and changes no file. */
#include <pthread.h>

#include "check.h"

/* Each call with a pointer that is no reader. */
static void no_reader(LimeReader *bad, const char *message) {
    char text[8];
    n_uint64_t n = 5;
    CHECK(limeReaderNextRecord(bad) == LIME_ERR_PARAM && has_message(message));
    CHECK(limeReaderMBFlag(bad) == -1 && has_message(message));
    CHECK(limeReaderMEFlag(bad) == -1 && limeReaderType(bad) == NULL);
    CHECK(limeReaderBytes(bad) == 0 && limeReaderPadBytes(bad) == 0);
    CHECK(limeReaderReadData(text, &n, bad) == LIME_ERR_PARAM && has_message(message));
    CHECK(limeReaderCloseRecord(bad) == LIME_ERR_PARAM && limeReaderSeek(bad, 0, SEEK_SET) == LIME_ERR_PARAM);
    CHECK(limeSetReaderPointer(bad, 0) == LIME_ERR_PARAM && limeGetReaderPointer(bad) == -1);
    CHECK(limeEOM(bad) == LIME_ERR_PARAM && limeReaderSetState(bad, bad) == LIME_ERR_PARAM);
    limeDestroyReader(bad);
}

static void no_writer(LimeWriter *bad, LimeRecordHeader *h, const char *message) {
    n_uint64_t n = 1;
    CHECK(limeWriteRecordHeader(h, bad) == LIME_ERR_PARAM && has_message(message));
    CHECK(limeWriteRecordData("a", &n, bad) == LIME_ERR_PARAM && has_message(message));
    CHECK(limeWriterCloseRecord(bad) == LIME_ERR_PARAM && limeWriterSeek(bad, 0, SEEK_SET) == LIME_ERR_PARAM);
    CHECK(limeWriterSetState(bad, bad) == LIME_ERR_PARAM);
    CHECK(limeDestroyWriter(bad) == LIME_ERR_PARAM && has_message(message));
}

static void handles(void) {
    FILE *fp;
    LimeReader *r, *destroyed_reader, zero_reader, copied_reader;
    LimeWriter *w, *destroyed_writer, zero_writer, copied_writer;
    LimeRecordHeader *h, *destroyed_header, copied_header;
    char text[8];
    n_uint64_t n;
    make_sample("sample");
    fp = opened("sample", "r+");
    r = limeCreateReader(fp);
    w = limeCreateWriter(fp);
    h = limeCreateHeader(1, 1, "type", 4);
    destroyed_reader = limeCreateReader(fp);
    destroyed_writer = limeCreateWriter(fp);
    destroyed_header = limeCreateHeader(1, 1, "type", 4);
    limeDestroyReader(destroyed_reader);
    CHECK(limeDestroyWriter(destroyed_writer) == LIME_SUCCESS);
    limeDestroyHeader(destroyed_header);
    memset(&zero_reader, 0, sizeof zero_reader);
    memset(&zero_writer, 0, sizeof zero_writer);
    memcpy(&copied_reader, r, sizeof copied_reader);
    memcpy(&copied_writer, w, sizeof copied_writer);
    memcpy(&copied_header, h, sizeof copied_header);

    CHECK(limeCreateReader(NULL) == NULL && has_message("null") && limeCreateWriter(NULL) == NULL);
    no_reader(NULL, "null");
    no_reader(destroyed_reader, "closed");
    no_reader(&zero_reader, "not a reader");
    no_reader(&copied_reader, "not a reader");
    no_reader((LimeReader *)(void *)w, "not a reader");
    no_reader((LimeReader *)(void *)((char *)r + 1), "not a reader");
    no_reader((LimeReader *)8, "not a reader");
    no_writer(NULL, h, "null");
    no_writer(destroyed_writer, h, "closed");
    no_writer(&zero_writer, h, "not a writer");
    no_writer(&copied_writer, h, "not a writer");
    no_writer((LimeWriter *)(void *)r, h, "not a writer");
    no_writer((LimeWriter *)8, h, "not a writer");

    CHECK(limeWriteRecordHeader(NULL, w) == LIME_ERR_PARAM && has_message("null"));
    CHECK(limeWriteRecordHeader(destroyed_header, w) == LIME_ERR_PARAM && has_message("closed"));
    CHECK(limeWriteRecordHeader(&copied_header, w) == LIME_ERR_PARAM && has_message("not a header"));
    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS);
    CHECK(limeWriteRecordHeader(r->curr_header, w) == LIME_ERR_PARAM && has_message("not a header"));
    limeDestroyHeader(NULL);
    limeDestroyHeader(destroyed_header);
    CHECK(has_message("closed"));
    limeDestroyHeader(r->curr_header);

    /* Sources of states. */
    CHECK(limeReaderSetState(r, NULL) == LIME_ERR_PARAM && has_message("null"));
    CHECK(limeReaderSetState(r, destroyed_reader) == LIME_ERR_PARAM && has_message("destroyed"));
    CHECK(limeReaderSetState(r, &zero_reader) == LIME_ERR_PARAM);
    CHECK(limeReaderSetState(r, (LimeReader *)(void *)&copied_writer) == LIME_ERR_PARAM);
    CHECK(limeReaderSetState(&copied_reader, r) == LIME_ERR_PARAM && limeReaderSetState(NULL, r) == LIME_ERR_PARAM);
    CHECK(limeWriterSetState(w, NULL) == LIME_ERR_PARAM && has_message("null"));
    CHECK(limeWriterSetState(w, destroyed_writer) == LIME_ERR_PARAM && has_message("destroyed"));
    CHECK(limeWriterSetState(w, &zero_writer) == LIME_ERR_PARAM);
    CHECK(limeWriterSetState(&copied_writer, w) == LIME_ERR_PARAM && limeWriterSetState(NULL, w) == LIME_ERR_PARAM);

    /* Buffers and numbers of bytes. */
    CHECK(limeReaderReadData(text, NULL, r) == LIME_ERR_PARAM && has_message("null"));
    CHECK(limeReaderReadData(text, (n_uint64_t *)(void *)((char *)&n + 1), r) == LIME_ERR_PARAM);
    n = 5;
    CHECK(limeReaderReadData(NULL, &n, r) == LIME_ERR_PARAM && n == 0 && has_message("null"));
    CHECK(limeWriteRecordData("a", NULL, w) == LIME_ERR_PARAM && has_message("null"));

    /* Headers. */
    CHECK(limeCreateHeader(1, 1, NULL, 0) == NULL && has_message("null"));
    CHECK(limeCreateHeader(2, 1, "type", 0) == NULL && has_message("flag"));
    CHECK(limeCreateHeader(1, -1, "type", 0) == NULL);
    h->MB_flag = 5;
    CHECK(limeWriteRecordHeader(h, w) == LIME_ERR_PARAM && has_message("flag"));
    h->MB_flag = 1;
    h->lime_version = 2;
    CHECK(limeWriteRecordHeader(h, w) == LIME_ERR_PARAM && has_message("version"));
    h->lime_version = 1;
    h->data_length = (n_uint64_t)-1;
    CHECK(limeWriteRecordHeader(h, w) == LIME_ERR_PARAM && has_message("offset"));
    memset(h->type, 't', 128);
    CHECK(limeWriteRecordHeader(h, w) == LIME_ERR_PARAM && has_message("127"));
    h->type = text;
    CHECK(limeWriteRecordHeader(h, w) == LIME_ERR_PARAM && has_message("type"));
    limeDestroyHeader(h);

    limeDestroyReader(r);
    CHECK(limeDestroyWriter(w) == LIME_SUCCESS);
    fclose(fp);
    {
        char whole[SAMPLE_BYTES + 1];
        CHECK(contents("sample", whole, sizeof whole) == SAMPLE_BYTES);
    }
}

/* A file that is not completed. */
static void incomplete(void) {
    FILE *fp = opened("incomplete", "w");
    char whole[256];
    n_uint64_t n;
    LimeWriter *w = limeCreateWriter(fp);
    put_header(w, 1, 1, "type", 4, LIME_SUCCESS);
    put_data(w, "abc");
    CHECK(limeDestroyWriter(w) == LIME_ERR_CLOSE && has_message("1 bytes"));
    /* The stream is where the program expects it: it may write the rest itself. */
    CHECK(ftello(fp) == 147 && fclose(fp) == 0 && contents("incomplete", whole, sizeof whole) == 147);

    /* Destroyed after the stream was closed, in each state. */
    fp = opened("incomplete", "w");
    w = limeCreateWriter(fp);
    put_header(w, 1, 1, "type", 4, LIME_SUCCESS);
    put_data(w, "abcd");
    CHECK(fclose(fp) == 0 && limeDestroyWriter(w) == LIME_SUCCESS);
    fp = opened("incomplete", "w");
    w = limeCreateWriter(fp);
    put_header(w, 1, 1, "type", 4, LIME_SUCCESS);
    CHECK(fclose(fp) == 0 && limeDestroyWriter(w) == LIME_ERR_CLOSE);

    /* A gap at the end, after a seek: other processes may fill it, but they do not. */
    fp = opened("incomplete", "w");
    w = limeCreateWriter(fp);
    put_header(w, 1, 1, "type", 10, LIME_SUCCESS);
    CHECK(limeWriterSeek(w, 0, SEEK_SET) == LIME_SUCCESS);
    put_data(w, "abc");
    CHECK(limeWriterCloseRecord(w) == LIME_SUCCESS && ftello(fp) == 160);
    CHECK(limeDestroyWriter(w) == LIME_ERR_CLOSE && has_message("7 bytes"));
    CHECK(linkstream_last_error()->has_offset == 1 && linkstream_last_error()->offset == 147);
    CHECK(fclose(fp) == 0 && contents("incomplete", whole, sizeof whole) == 147);

    /* The next record does not hide the gap. */
    fp = opened("incomplete", "w");
    w = limeCreateWriter(fp);
    put_header(w, 1, 0, "type", 10, LIME_SUCCESS);
    CHECK(limeWriterSeek(w, 0, SEEK_SET) == LIME_SUCCESS && limeWriterCloseRecord(w) == LIME_SUCCESS);
    put_header(w, 0, 1, "next", 0, LIME_SUCCESS);
    CHECK(limeDestroyWriter(w) == LIME_ERR_CLOSE && has_message("10 bytes") && fclose(fp) == 0);

    /* The rest of an old record is no data of a new one. */
    make_sample("incomplete");
    fp = opened("incomplete", "r+");
    w = limeCreateWriter(fp);
    put_header(w, 1, 1, "type", 10, LIME_SUCCESS);
    put_data(w, "abc");
    CHECK(limeWriterCloseRecord(w) == LIME_ERR_LAST_NOT_WRITTEN);
    n = 7;
    CHECK(limeWriteRecordData("defghij", &n, w) == LIME_SUCCESS && limeWriterCloseRecord(w) == LIME_SUCCESS);
    CHECK(limeDestroyWriter(w) == LIME_SUCCESS && fclose(fp) == 0);

    /* Another state would drop a record. */
    {
        LimeWriter *other;
        FILE *second = opened("second", "w");
        fp = opened("incomplete", "w");
        w = limeCreateWriter(fp);
        other = limeCreateWriter(second);
        put_header(w, 1, 1, "type", 2, LIME_SUCCESS);
        CHECK(limeWriterSetState(w, other) == LIME_ERR_LAST_NOT_WRITTEN && has_message("2 bytes"));
        put_data(w, "ab");
        CHECK(limeWriterSetState(w, other) == LIME_SUCCESS);
        CHECK(limeDestroyWriter(w) == LIME_SUCCESS && limeDestroyWriter(other) == LIME_SUCCESS);
        fclose(fp);
        fclose(second);
    }
}

/* More handles than the library keeps after they were destroyed. */
static void many(void) {
    FILE *fp = opened("sample", "r");
    LimeReader *r[200];
    int i;
    for (i = 0; i < 200; ++i) CHECK((r[i] = limeCreateReader(fp)) != NULL);
    for (i = 0; i < 200; i += 2) limeDestroyReader(r[i]);
    for (i = 0; i < 200; i += 2) CHECK(limeReaderNextRecord(r[i]) == LIME_ERR_PARAM);
    for (i = 1; i < 200; i += 2) {
        CHECK(limeSetReaderPointer(r[i], 0) == LIME_SUCCESS && limeReaderNextRecord(r[i]) == LIME_SUCCESS);
        limeDestroyReader(r[i]);
    }
    fclose(fp);
}

struct shared {
    LimeReader *r;
    int refused;
    int failed;
};

/* Reads all records again and again. A call is refused if the other thread is using the reader. */
static void *reads(void *argument) {
    struct shared *s = argument;
    int i;
    for (i = 0; i < 20000; ++i) {
        int status = limeSetReaderPointer(s->r, 0);
        if (status == LIME_ERR_PARAM && has_message("is using this reader")) ++s->refused;
        else if (status != LIME_SUCCESS) ++s->failed;
        status = limeReaderNextRecord(s->r);
        if (status == LIME_ERR_PARAM && has_message("is using this reader")) ++s->refused;
        /* The other thread may have read the last record. */
        else if (status != LIME_SUCCESS && status != LIME_EOF) ++s->failed;
    }
    return NULL;
}

static void threads(void) {
    FILE *fp = opened("sample", "r"), *second = opened("sample", "r");
    struct shared one = {limeCreateReader(fp), 0, 0}, two = one, own = {limeCreateReader(second), 0, 0};
    pthread_t a, b, c;
    CHECK(pthread_create(&a, NULL, reads, &one) == 0 && pthread_create(&b, NULL, reads, &two) == 0);
    CHECK(pthread_create(&c, NULL, reads, &own) == 0);
    CHECK(pthread_join(a, NULL) == 0 && pthread_join(b, NULL) == 0 && pthread_join(c, NULL) == 0);
    CHECK(one.failed == 0 && two.failed == 0 && own.failed == 0 && own.refused == 0);
    limeDestroyReader(one.r);
    limeDestroyReader(own.r);
    fclose(fp);
    fclose(second);
}

int main(int argc, char **argv) {
    start(argc, argv);
    handles();
    incomplete();
    many();
    threads();
    return failures != 0;
}
