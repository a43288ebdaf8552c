/* LIME as known programs use it: positions of the stream, data that are read around the library, handles that are never
 * destroyed, catalogues of offsets. */
#include "check.h"

#define NUMBER 64

static void make(const char *name) {
    FILE *fp = opened(name, "w");
    LimeWriter *w = limeCreateWriter(fp);
    char data[NUMBER];
    n_uint64_t n = NUMBER;
    int i;
    for (i = 0; i < NUMBER; ++i) data[i] = (char)i;
    put_header(w, 1, 0, "scidac-record-xml", 13, LIME_SUCCESS);
    put_data(w, "<eigenvalue/>");
    put_header(w, 0, 0, "ildg-binary-data", NUMBER, LIME_SUCCESS);
    CHECK(limeWriteRecordData(data, &n, w) == LIME_SUCCESS);
    put_header(w, 0, 1, "scidac-checksum", 5, LIME_SUCCESS);
    put_data(w, "sum a");
    limeDestroyWriter(w);
    fclose(fp);
}

/* Grid and MILC: the stream is at the data after limeReaderNextRecord, and its position tells where others read them.
 * Grid closes the stream, and does not destroy the reader. */
static void stream_is_at_the_data(const char *name) {
    int times;
    for (times = 0; times < 3; ++times) {
        FILE *fp = opened(name, "r"), *other;
        LimeReader *r = limeCreateReader(fp);
        char text[16] = "", data[NUMBER];
        n_uint64_t n = 13;
        off_t at;
        CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && ftello(fp) == 144);
        CHECK(limeReaderReadData(text, &n, r) == LIME_SUCCESS && strcmp(text, "<eigenvalue/>") == 0);
        CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && limeReaderBytes(r) == NUMBER);
        at = ftello(fp);
        CHECK(at == 144 + 16 + 144);
        other = opened(name, "r");
        CHECK(fseeko(other, at, SEEK_SET) == 0 && fread(data, 1, NUMBER, other) == NUMBER && data[NUMBER - 1] == NUMBER - 1);
        fclose(other);
        /* MILC goes back to the data, other programs leave the stream anywhere. */
        CHECK(fseeko(fp, times == 0 ? at : times == 1 ? 0 : 400, SEEK_SET) == 0);
        n = 5;
        CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && strcmp(limeReaderType(r), "scidac-checksum") == 0);
        CHECK(limeReaderReadData(text, &n, r) == LIME_SUCCESS && memcmp(text, "sum a", 5) == 0);
        CHECK(fclose(fp) == 0);
    }
}

/* Part of the data is read with the library, the rest with stdio. */
static void stream_follows_the_data(const char *name) {
    FILE *fp = opened(name, "r");
    LimeReader *r = limeCreateReader(fp);
    char data[NUMBER];
    n_uint64_t n = 8;
    CHECK(limeReaderNextRecord(r) == LIME_SUCCESS && limeReaderNextRecord(r) == LIME_SUCCESS);
    CHECK(limeReaderReadData(data, &n, r) == LIME_SUCCESS && ftello(fp) == 304 + 8);
    CHECK(limeReaderSeek(r, 32, SEEK_SET) == LIME_SUCCESS && ftello(fp) == 304 + 32 && getc(fp) == 32);
    n = 2;
    CHECK(limeReaderReadData(data, &n, r) == LIME_SUCCESS && data[0] == 32 && data[1] == 33);
    limeDestroyReader(r);
    fclose(fp);
}

/* Programs that count records, or note all offsets, and return. */
static void catalogues(const char *name) {
    FILE *fp = opened(name, "r");
    LimeReader *r = limeCreateReader(fp);
    off_t before = limeGetReaderPointer(r), offsets[4];
    int number = 0;
    char text[8] = "";
    n_uint64_t n = 5;
    CHECK(before == 0 && limeSetReaderPointer(r, 0) == LIME_SUCCESS);
    while (limeReaderNextRecord(r) != LIME_EOF && number < 4) offsets[number++] = limeGetReaderPointer(r);
    CHECK(number == 3 && offsets[0] == 160 && offsets[1] == 368 && offsets[2] == 520);
    CHECK(limeSetReaderPointer(r, before) == LIME_SUCCESS && limeReaderNextRecord(r) == LIME_SUCCESS);
    CHECK(strcmp(limeReaderType(r), "scidac-record-xml") == 0);
    CHECK(limeSetReaderPointer(r, offsets[1]) == LIME_SUCCESS && limeReaderNextRecord(r) == LIME_SUCCESS);
    CHECK(limeReaderReadData(text, &n, r) == LIME_SUCCESS && strcmp(text, "sum a") == 0);
    CHECK(limeReaderNextRecord(r) == LIME_EOF && limeReaderNextRecord(r) == LIME_EOF);
    limeDestroyReader(r);
    fclose(fp);
}

/* Each of several readers takes over the state of the first one, then goes to the start of the record, as QIO does. The
 * state is a copy of the structure that is freed afterwards. */
static void shared_state(const char *name) {
    FILE *fp = opened(name, "r"), *own = opened(name, "r");
    LimeReader *r = limeCreateReader(fp), *mine = limeCreateReader(own), *copy = malloc(sizeof *copy);
    char data[NUMBER];
    n_uint64_t n = 4;
    CHECK(copy != NULL && limeReaderNextRecord(r) == LIME_SUCCESS && limeReaderNextRecord(r) == LIME_SUCCESS);
    CHECK(limeReaderSeek(r, 8, SEEK_SET) == LIME_SUCCESS);
    *copy = *r;
    CHECK(limeReaderSetState(mine, copy) == LIME_SUCCESS && limeReaderSeek(mine, 0, SEEK_SET) == LIME_SUCCESS);
    /* Also the reader whose state it is. */
    CHECK(limeReaderSetState(r, copy) == LIME_SUCCESS && limeReaderSeek(r, 0, SEEK_SET) == LIME_SUCCESS);
    free(copy);
    CHECK(limeReaderReadData(data, &n, mine) == LIME_SUCCESS && data[3] == 3);
    CHECK(limeReaderReadData(data, &n, r) == LIME_SUCCESS && data[3] == 3);
    CHECK(limeReaderCloseRecord(mine) == LIME_SUCCESS && limeReaderCloseRecord(r) == LIME_SUCCESS);
    CHECK(limeReaderNextRecord(mine) == LIME_SUCCESS && strcmp(limeReaderType(mine), "scidac-checksum") == 0);
    limeDestroyReader(mine);
    limeDestroyReader(r);
    fclose(own);
    fclose(fp);
}

int main(int argc, char **argv) {
    char name[] = "programs";
    start(argc, argv);
    make(name);
    stream_is_at_the_data(name);
    stream_follows_the_data(name);
    catalogues(name);
    shared_state(name);
    return failures != 0;
}
