/* Every call of lime.h: what it returns, where the stream is then, and the bytes that it writes. */
#include "check.h"

static void reading(void) {
    FILE *fp;
    char text[16];
    n_uint64_t n;
    LimeReader *r;
    make_sample("sample");
    fp = opened("sample", "r");
    r = limeCreateReader(fp);
    CHECK(r != NULL && r->fp == fp && r->header_nextP == 1);
    CHECK(limeReaderMBFlag(r) == -1 && limeReaderMEFlag(r) == -1 && limeReaderType(r) == NULL);
    CHECK(limeReaderBytes(r) == 0 && limeReaderPadBytes(r) == 0);
    CHECK(limeReaderCloseRecord(r) == LIME_ERR_PARAM && has_message("no record"));
    CHECK(limeReaderSeek(r, 0, SEEK_SET) == LIME_ERR_PARAM && limeEOM(r) == LIME_ERR_PARAM);
    n = 3;
    CHECK(limeReaderReadData(text, &n, r) == LIME_ERR_PARAM && n == 0);
    CHECK(limeGetReaderPointer(r) == 0);

    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && ftello(fp) == 144);
    CHECK(limeReaderMBFlag(r) == 1 && limeReaderMEFlag(r) == 0 && strcmp(limeReaderType(r), "first") == 0);
    CHECK(limeReaderBytes(r) == 5 && limeReaderPadBytes(r) == 3 && limeGetReaderPointer(r) == 152);
    /* Programs look at the members. */
    CHECK(strcmp(r->curr_header->type, "first") == 0 && r->curr_header->data_length == 5 && r->bytes_pad == 3);
    CHECK(r->curr_header->MB_flag == 1 && r->curr_header->ME_flag == 0 && r->bytes_total == 5 && r->rec_start == 144);
    n = 2;
    CHECK(limeReaderReadData(text, &n, r) == LIME_SUCCESS && n == 2 && memcmp(text, "he", 2) == 0);
    CHECK(r->rec_ptr == 2 && r->bytes_left == 3);
    n = 0;
    CHECK(limeReaderReadData(text, &n, r) == LIME_SUCCESS && n == 0 && limeReaderReadData(NULL, &n, r) == LIME_SUCCESS);
    /* The stream may be moved between two calls. */
    CHECK(fseeko(fp, 1, SEEK_SET) == 0);
    n = 100;
    CHECK(limeReaderReadData(text, &n, r) == LIME_SUCCESS && n == 3 && memcmp(text, "llo", 3) == 0);
    CHECK(limeEOM(r) == 0);
    n = 1;
    CHECK(limeReaderReadData(text, &n, r) == LIME_EOR && n == 0);

    /* Positions outside become the nearest, and are errors. */
    CHECK(limeReaderSeek(r, 1, SEEK_SET) == LIME_SUCCESS && ftello(fp) == 145);
    n = 1;
    CHECK(limeReaderReadData(text, &n, r) == LIME_SUCCESS && text[0] == 'e');
    CHECK(limeReaderSeek(r, -2, SEEK_CUR) == LIME_SUCCESS && r->rec_ptr == 0);
    CHECK(limeReaderSeek(r, 6, SEEK_SET) == LIME_ERR_SEEK && r->rec_ptr == 5 && has_message("6 is outside"));
    n = 1;
    CHECK(limeReaderReadData(text, &n, r) == LIME_EOR);
    CHECK(limeReaderSeek(r, -6, SEEK_CUR) == LIME_ERR_SEEK && r->rec_ptr == 0);
    CHECK(limeReaderSeek(r, -1, SEEK_SET) == LIME_ERR_SEEK && r->rec_ptr == 0);
    CHECK(limeReaderSeek(r, 5, SEEK_SET) == LIME_SUCCESS && r->rec_ptr == 5);
    CHECK(limeReaderSeek(r, 0, SEEK_END) == LIME_ERR_SEEK && limeReaderSeek(r, 0, 77) == LIME_ERR_SEEK);
    CHECK(has_message("whence"));

    /* From the middle of a record to the next one; back from the end of a closed record. */
    CHECK(limeReaderSeek(r, 2, SEEK_SET) == LIME_SUCCESS);
    CHECK(limeReaderCloseRecord(r) == LIME_SUCCESS && ftello(fp) == 152 && r->header_nextP == 1);
    CHECK(limeReaderCloseRecord(r) == LIME_SUCCESS && limeReaderBytes(r) == 5);
    n = 1;
    CHECK(limeReaderReadData(text, &n, r) == LIME_EOR && limeGetReaderPointer(r) == 152);
    CHECK(limeReaderSeek(r, -1, SEEK_CUR) == LIME_SUCCESS);
    n = 9;
    CHECK(limeReaderReadData(text, &n, r) == LIME_SUCCESS && n == 1 && text[0] == 'o');
    CHECK(limeReaderSeek(r, 3, SEEK_SET) == LIME_SUCCESS);
    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && strcmp(limeReaderType(r), "second") == 0);

    /* No data: the end at once. */
    CHECK(limeReaderBytes(r) == 0 && limeReaderPadBytes(r) == 0 && limeEOM(r) == 1);
    n = 5;
    CHECK(limeReaderReadData(text, &n, r) == LIME_EOR && n == 0);
    CHECK(limeReaderSeek(r, 0, SEEK_SET) == LIME_SUCCESS && limeReaderSeek(r, 1, SEEK_SET) == LIME_ERR_SEEK);
    CHECK(limeReaderCloseRecord(r) == LIME_SUCCESS && limeReaderCloseRecord(r) == LIME_SUCCESS);

    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && limeReaderBytes(r) == 8 && limeReaderPadBytes(r) == 0);
    n = (n_uint64_t)-1; /* the rest */
    CHECK(limeReaderReadData(text, &n, r) == LIME_SUCCESS && n == 8 && memcmp(text, "12345678", 8) == 0);
    CHECK(limeEOM(r) == 1);
    CHECK(limeReaderNextRecord(r) == LIME_EOF && limeReaderNextRecord(r) == LIME_EOF);
    CHECK(limeReaderType(r) == NULL && r->curr_header == NULL && limeGetReaderPointer(r) == SAMPLE_BYTES);

    CHECK(limeSetReaderPointer(r, 152) == LIME_SUCCESS && ftello(fp) == 152 && limeGetReaderPointer(r) == 152);
    CHECK(limeReaderType(r) == NULL && limeReaderNextRecord(r) == LIME_SUCCESS);
    CHECK(strcmp(limeReaderType(r), "second") == 0 && limeReaderMBFlag(r) == 0 && limeReaderMEFlag(r) == 1);
    CHECK(limeSetReaderPointer(r, 8) == LIME_SUCCESS);
    CHECK(limeReaderNextRecord(r) == LIME_ERR_READ && has_rule("lime-magic", 8));
    CHECK(limeReaderNextRecord(r) == LIME_ERR_READ && limeGetReaderPointer(r) == 8);
    CHECK(limeSetReaderPointer(r, -1) == LIME_ERR_SEEK && limeSetReaderPointer(r, SAMPLE_BYTES + 1) == LIME_ERR_SEEK);
    CHECK(linkstream_last_error()->has_offset == 1 && linkstream_last_error()->offset == SAMPLE_BYTES + 1);
    CHECK(limeSetReaderPointer(r, SAMPLE_BYTES) == LIME_SUCCESS && limeReaderNextRecord(r) == LIME_EOF);
    limeDestroyReader(r);

    /* Before the first record, the place of the stream counts. */
    rewind(fp);
    r = limeCreateReader(fp);
    CHECK(fseeko(fp, 296, SEEK_SET) == 0 && limeGetReaderPointer(r) == 296);
    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && strcmp(limeReaderType(r), "third") == 0);
    CHECK(fclose(fp) == 0);
    limeDestroyReader(r); /* does not use the stream */
}

static void states_of_readers(void) {
    FILE *fp = opened("sample", "r"), *second = opened("sample", "r");
    LimeReader *r = limeCreateReader(fp), *other = limeCreateReader(second), copy;
    char text[16];
    n_uint64_t n = 2;
    memcpy(&copy, r, sizeof copy);
    CHECK(limeReaderSetState(other, &copy) == LIME_SUCCESS && limeReaderType(other) == NULL);
    CHECK(limeReaderNextRecord(other) == LIME_SUCCESS && limeReaderBytes(other) == 5);
    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && limeReaderReadData(text, &n, r) == LIME_SUCCESS);
    memcpy(&copy, r, sizeof copy);
    copy.fp = NULL;
    copy.curr_header = NULL;
    rewind(second);
    CHECK(limeReaderSetState(other, &copy) == LIME_SUCCESS && ftello(second) == 146);
    CHECK(strcmp(limeReaderType(other), "first") == 0 && other->curr_header->data_length == 5 && other->fp == second);
    n = 5;
    CHECK(limeReaderReadData(text, &n, other) == LIME_SUCCESS && n == 3 && memcmp(text, "llo", 3) == 0);
    CHECK(limeReaderSetState(other, r) == LIME_SUCCESS && limeReaderSeek(other, 0, SEEK_SET) == LIME_SUCCESS);
    CHECK(limeReaderCloseRecord(r) == LIME_SUCCESS && limeReaderSetState(other, r) == LIME_SUCCESS);
    CHECK(ftello(second) == 152 && limeReaderNextRecord(other) == LIME_SUCCESS && limeReaderBytes(other) == 0);
    CHECK(limeReaderSetState(other, other) == LIME_SUCCESS && limeReaderBytes(other) == 0);
    for (n = 0; n < sizeof copy.state; ++n) {
        copy.state[n] ^= 1;
        CHECK(limeReaderSetState(other, &copy) == LIME_ERR_PARAM);
        copy.state[n] ^= 1;
    }
    CHECK(has_message("damaged"));
    CHECK(limeReaderSetState(other, &copy) == LIME_SUCCESS);
    limeDestroyReader(r);
    CHECK(limeReaderSetState(other, r) == LIME_ERR_PARAM && has_message("destroyed"));
    limeDestroyReader(other);
    fclose(fp);
    fclose(second);
}

static void writing(void) {
    FILE *fp = opened("written", "w+");
    char whole[1024], text[16];
    n_uint64_t n;
    int i;
    LimeReader *r;
    LimeWriter *w = limeCreateWriter(fp);
    CHECK(w != NULL && w->fp == fp && w->header_nextP == 1);
    put_header(w, 0, 1, "type", 4, LIME_ERR_MBME);
    n = 3;
    CHECK(limeWriteRecordData("abc", &n, w) == LIME_ERR_PARAM && n == 0);
    CHECK(limeWriterSeek(w, 0, SEEK_SET) == LIME_ERR_PARAM && limeWriterCloseRecord(w) == LIME_ERR_PARAM);
    put_header(w, 1, 0, "type", 5, LIME_SUCCESS);
    CHECK(ftello(fp) == 144 && w->rec_start == 144 && w->bytes_total == 5 && w->bytes_pad == 3 && w->header_nextP == 0);
    put_data(w, "abc");
    CHECK(w->rec_ptr == 3 && w->bytes_left == 2);
    n = 0;
    CHECK(limeWriteRecordData(NULL, &n, w) == LIME_SUCCESS);
    put_header(w, 0, 1, "next", 4, LIME_ERR_HEADER_NEXT);
    CHECK(has_message("2 bytes"));
    CHECK(limeWriterCloseRecord(w) == LIME_ERR_LAST_NOT_WRITTEN && has_message("2 bytes"));
    n = 3;
    CHECK(limeWriteRecordData("def", &n, w) == LIME_ERR_PARAM && n == 2 && has_message("do not fit"));
    CHECK(ftello(fp) == 152 && w->header_nextP == 1);
    n = 1;
    CHECK(limeWriteRecordData("f", &n, w) == LIME_ERR_PARAM && n == 0);
    put_header(w, 1, 1, "next", 4, LIME_ERR_MBME);
    CHECK(limeWriterCloseRecord(w) == LIME_SUCCESS && limeWriterCloseRecord(w) == LIME_SUCCESS);
    n = 1;
    CHECK(limeWriteRecordData("f", &n, w) == LIME_ERR_PARAM && limeWriterSeek(w, 0, SEEK_SET) == LIME_ERR_PARAM);

    /* Out of order: the second half, the first half. The stream is at the end then. */
    put_header(w, 0, 0, "order", 8, LIME_SUCCESS);
    CHECK(limeWriterSeek(w, 4, SEEK_SET) == LIME_SUCCESS && ftello(fp) == 152 + 144 + 4);
    put_data(w, "5678");
    CHECK(limeWriterSeek(w, -8, SEEK_CUR) == LIME_SUCCESS);
    put_data(w, "1234");
    CHECK(ftello(fp) == 304);
    /* A complete record can be changed as long as it has not been closed. */
    CHECK(limeWriterSeek(w, 2, SEEK_SET) == LIME_SUCCESS);
    put_data(w, "xy");
    CHECK(ftello(fp) == 304);
    CHECK(limeWriterSeek(w, 9, SEEK_SET) == LIME_ERR_SEEK && w->rec_ptr == 8 && has_message("outside"));
    CHECK(limeWriterSeek(w, -9, SEEK_CUR) == LIME_ERR_SEEK && w->rec_ptr == 0);
    CHECK(limeWriterSeek(w, 0, SEEK_END) == LIME_ERR_SEEK);

    /* In single bytes, every other one first. */
    put_header(w, 0, 0, "bytes", 101, LIME_SUCCESS);
    for (i = 0; i < 202; i += 2) {
        char byte = (char)(i % 101);
        n = 1;
        CHECK(limeWriterSeek(w, i % 101, SEEK_SET) == LIME_SUCCESS);
        CHECK(limeWriteRecordData(&byte, &n, w) == LIME_SUCCESS);
    }
    CHECK(ftello(fp) == 304 + 144 + 104);
    put_header(w, 0, 0, "empty", 0, LIME_SUCCESS);
    n = 0;
    CHECK(limeWriteRecordData(NULL, &n, w) == LIME_SUCCESS && limeWriterCloseRecord(w) == LIME_SUCCESS);
    CHECK(limeDestroyWriter(w) == LIME_SUCCESS && ftello(fp) == 552 + 144);

    rewind(fp);
    CHECK(fread(whole, 1, sizeof whole, fp) == 696);
    CHECK(memcmp(whole, "\x45\x67\x89\xab\0\1\x80\0\0\0\0\0\0\0\0\5type\0", 21) == 0);
    CHECK(memcmp(whole + 144, "abcde\0\0\0", 8) == 0 && memcmp(whole + 296, "12xy5678", 8) == 0);
    for (i = 0; i < 104; ++i) CHECK(whole[448 + i] == (i < 101 ? i : 0));

    /* The same stream: read to the end, then go on writing there, in the open message. */
    rewind(fp);
    r = limeCreateReader(fp);
    for (i = 0; limeReaderNextRecord(r) == LIME_SUCCESS; ++i) {}
    CHECK(i == 4);
    w = limeCreateWriter(fp);
    put_header(w, 0, 1, "more", 3, LIME_SUCCESS);
    put_data(w, "xyz");
    CHECK(limeDestroyWriter(w) == LIME_SUCCESS && ftello(fp) == 696 + 152);
    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && strcmp(limeReaderType(r), "more") == 0);
    n = 3;
    CHECK(limeReaderReadData(text, &n, r) == LIME_SUCCESS && memcmp(text, "xyz", 3) == 0);
    limeDestroyReader(r);
    fclose(fp);
}

static void headers(void) {
    FILE *fp = opened("headers", "w+");
    char type[201], head[16];
    LimeWriter *w = limeCreateWriter(fp);
    LimeRecordHeader *h = limeCreateHeader(1, 0, "type", 5);
    CHECK(h->lime_version == LIME_VERSION && h->MB_flag == 1 && h->ME_flag == 0 && h->data_length == 5);
    CHECK(strcmp(h->type, "type") == 0);
    /* The members count when the header is written; it can be written again. */
    h->data_length = 0;
    h->ME_flag = 1;
    strcpy(h->type, "other");
    CHECK(limeWriteRecordHeader(h, w) == LIME_SUCCESS && limeWriteRecordHeader(h, w) == LIME_SUCCESS);
    limeDestroyHeader(h);
    CHECK(limeDestroyWriter(w) == LIME_SUCCESS && ftello(fp) == 288);
    rewind(fp);
    CHECK(fread(head, 1, 16, fp) == 16 && memcmp(head + 6, "\xc0\0\0\0\0\0\0\0\0\0", 10) == 0);
    fclose(fp);

    memset(type, 't', sizeof type);
    type[200] = 0;
    CHECK(limeCreateHeader(1, 1, type, 0) == NULL && has_message("127"));
    type[128] = 0;
    CHECK(limeCreateHeader(1, 1, type, 0) == NULL);
    type[127] = 0;
    limeDestroyHeader(h = limeCreateHeader(1, 1, type, 0));
    CHECK(h != NULL);
    limeDestroyHeader(h = limeCreateHeader(1, 1, "", 0));
    CHECK(h != NULL);
}

/* A writer of a file that exists. */
static void continuing(void) {
    FILE *fp;
    LimeWriter *w;
    LimeReader *r;
    make_sample("continued");
    fp = opened("continued", "a");
    w = limeCreateWriter(fp);
    put_header(w, 1, 0, "appended", 5, LIME_SUCCESS);
    put_data(w, "12");
    CHECK(limeWriterSeek(w, 0, SEEK_SET) == LIME_ERR_SEEK && has_message("end of the file only"));
    put_data(w, "345");
    CHECK(limeDestroyWriter(w) == LIME_SUCCESS && fclose(fp) == 0);
    fp = opened("continued", "a+");
    w = limeCreateWriter(fp);
    put_header(w, 0, 1, "again", 8, LIME_SUCCESS);
    put_data(w, "12345678");
    CHECK(limeDestroyWriter(w) == LIME_SUCCESS && fclose(fp) == 0);
    fp = opened("continued", "r+");
    CHECK(fseeko(fp, 0, SEEK_END) == 0);
    w = limeCreateWriter(fp);
    put_header(w, 1, 1, "at the end", 1, LIME_SUCCESS);
    put_data(w, "1");
    CHECK(limeDestroyWriter(w) == LIME_SUCCESS && ftello(fp) == SAMPLE_BYTES + 152 + 152 + 152 && fclose(fp) == 0);
    fp = opened("continued", "r");
    r = limeCreateReader(fp);
    CHECK(limeSetReaderPointer(r, SAMPLE_BYTES) == LIME_SUCCESS);
    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && strcmp(limeReaderType(r), "appended") == 0);
    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && strcmp(limeReaderType(r), "again") == 0);
    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && strcmp(limeReaderType(r), "at the end") == 0);
    CHECK(limeReaderNextRecord(r) == LIME_EOF);
    limeDestroyReader(r);
    fclose(fp);

    /* Two that append at the same time: the second part of the record has no place any more. */
    {
        FILE *second = opened("continued", "a");
        n_uint64_t n = 3;
        fp = opened("continued", "a");
        w = limeCreateWriter(fp);
        put_header(w, 1, 1, "mine", 6, LIME_SUCCESS);
        put_data(w, "abc");
        fflush(fp);
        CHECK(fputs("x", second) >= 0 && fclose(second) == 0);
        CHECK(limeWriteRecordData("def", &n, w) == LIME_ERR_WRITE && has_message("something else"));
        CHECK(limeDestroyWriter(w) == LIME_ERR_CLOSE);
        fclose(fp);
    }
}

int main(int argc, char **argv) {
    start(argc, argv);
    CHECK(LIME_MAGIC_NO == 0x456789ab && LIME_VERSION == 1 && LIME_MAX_BUFSIZE == 2147483647);
    CHECK(sizeof(n_uint16_t) == 2 && sizeof(n_uint32_t) == 4 && sizeof(n_uint64_t) == 8);
    reading();
    states_of_readers();
    writing();
    headers();
    continuing();
    return failures != 0;
}
