/* Good data stay readable whatever follows them: bytes after the last record, padding that is not zero or missing. The
 * call that comes to the end of the file reports it.
 * Arguments: a directory for files, and the root of the repository. */
#include "lattice.h"

static char good[500], copy[500], root[400];

/* A field with an odd number of sites, so that its data have padding. */
static field_t a_field(int seed)
{
    /* The second checksum has a leading zero, so that it has padding, too. */
    return mixed_field(1, 4, (uint64_t)seed + 1);
}

static QIO_Layout odd_layout(void)
{
    static const int size[2] = {3, 5};
    return lat_serial(2, size);
}

static void write_good(void)
{
    char type[] = "QDP_F_Real", precision[] = "F";
    QIO_Layout layout = odd_layout();
    QIO_String *xml = QIO_string_create();
    QIO_RecordInfo *info = QIO_create_record_info(QIO_FIELD, NULL, NULL, 0, type, precision, 0, 0, 4, 1);
    QIO_Writer *out;
    int i;
    QIO_string_set(xml, "<title/>");
    out = QIO_open_write(xml, good, QIO_SINGLEFILE, &layout, NULL, NULL);
    CHECK(out != NULL);
    for (i = 0; i < 2; i++) {
        field_t f = a_field(i);
        CODE(QIO_write(out, info, xml, field_get, f.size, f.word, &f), QIO_SUCCESS);
    }
    CODE(QIO_close_write(out), QIO_SUCCESS);
    QIO_destroy_record_info(info);
    QIO_string_destroy(xml);
}

/* Reads both records, which are as they were written, and what follows. */
static void reads(int end)
{
    QIO_Layout layout = odd_layout();
    QIO_String *xml = QIO_string_create();
    QIO_RecordInfo *info = QIO_create_record_info(0, NULL, NULL, 0, NULL, NULL, 0, 0, 0, 0);
    QIO_Reader *in = QIO_open_read(xml, copy, &layout, NULL, NULL);
    int i, again;
    CHECK(in != NULL && strcmp(QIO_string_ptr(xml), "<title/>") == 0);
    for (i = 0; i < 2; i++) {
        field_t f = a_field(i);
        CODE(QIO_read(in, info, xml, field_put, f.size, f.word, &f), QIO_SUCCESS);
        CHECK(f.calls == 15 && f.wrong == 0 && strcmp(QIO_string_ptr(xml), "<title/>") == 0);
    }
    for (again = 0; again < 2; again++) CODE(QIO_read_record_info(in, info, xml), end);
    CODE(QIO_close_read(in), QIO_SUCCESS);
    in = QIO_open_read(xml, copy, &layout, NULL, NULL);
    for (i = 0; i < 2; i++) CODE(QIO_next_record(in), QIO_SUCCESS);
    CODE(QIO_next_record(in), end);
    CODE(QIO_close_read(in), QIO_SUCCESS);
    QIO_destroy_record_info(info);
    QIO_string_destroy(xml);
}

static void reports(const char *rule)
{
    if (strcmp(linkstream_last_error()->rule, rule) == 0) return;
    fprintf(stderr, "%s instead of %s\n", linkstream_last_error()->rule, rule);
    exit(1);
}

static void bytes_after_the_end(const char *bytes, size_t length)
{
    static const size_t counts[] = {1, 7, 8, 143, 144, 145, 512, 4096};
    static const int fill[] = {0, 0x45, 0xff};
    size_t i, k;
    char *more = (char *)malloc(length + 4096);
    memcpy(more, bytes, length);
    for (i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        for (k = 0; k < 3; k++) {
            memset(more + length, fill[k], counts[i]);
            file_write(copy, more, length + counts[i]);
            reads(QIO_ERR_BAD_READ_BYTES);
            if (k != 1) reports(counts[i] < 144 ? "lime-trailing-bytes" : "lime-magic");
        }
        /* The start of another record. */
        memcpy(more + length, bytes, 144);
        if (counts[i] > 143) continue;
        file_write(copy, more, length + counts[i]);
        reads(QIO_ERR_BAD_READ_BYTES);
        reports("lime-header-truncated");
    }
    free(more);
}

/* Each byte of padding, and the last ones missing. */
static void padding(char *bytes, size_t length)
{
    size_t at = 0, all = 0, last = 0;
    while (at < length) {
        size_t payload = 0, i, end;
        for (i = 8; i < 16; i++) payload = payload << 8 | (unsigned char)bytes[at + i];
        at += 144 + payload;
        for (end = (at + 7) / 8 * 8, last = end - at; at < end; at++, all++) {
            bytes[at] = 1;
            file_write(copy, bytes, length);
            reads(QIO_ERR_BAD_READ_BYTES);
            reports("lime-padding-nonzero");
            bytes[at] = 0;
        }
    }
    CHECK(all > 20 && last > 0);
    for (at = 1; at <= last; at++) {
        file_write(copy, bytes, length - at);
        reads(QIO_ERR_BAD_READ_BYTES);
        reports("lime-padding-truncated");
    }
}

/* What follows the data and precedes their checksum is no tail; neither are wrong data. */
static void still_wrong(char *bytes, size_t length)
{
    QIO_Layout layout = odd_layout();
    QIO_String *xml = QIO_string_create();
    QIO_RecordInfo *info = QIO_create_record_info(0, NULL, NULL, 0, NULL, NULL, 0, 0, 0, 0);
    field_t f = a_field(0);
    size_t at, i;
    QIO_Reader *in;
    static const struct {
        size_t before; /* 0: the payload of the data; 1: the header of the checksum */
        int code;
    } all[] = {{0, QIO_CHECKSUM_MISMATCH}, {1, QIO_ERR_BAD_READ_BYTES}};
    for (at = 0; memcmp(bytes + at, "scidac-binary-data", 18) != 0; at++) CHECK(at < length);
    for (i = 0; i < 2; i++) {
        size_t wrong = at + 128 + (all[i].before ? 64 : 5);
        bytes[wrong] ^= 1;
        file_write(copy, bytes, length);
        in = QIO_open_read(xml, copy, &layout, NULL, NULL);
        CODE(QIO_read(in, info, xml, field_put, f.size, f.word, &f), all[i].code);
        CODE(QIO_close_read(in), QIO_SUCCESS);
        bytes[wrong] ^= 1;
    }
    QIO_destroy_record_info(info);
    QIO_string_destroy(xml);
}

static void skip_put(char *buf, size_t index, int count, void *arg)
{
    (void)buf, (void)index, (void)count, (void)arg;
}

/* A file of another program, without a checksum. */
static void alien(void)
{
    char path[600];
    size_t length;
    char *bytes;
    int dims;
    QIO_Layout layout;
    QIO_String *xml = QIO_string_create();
    QIO_RecordInfo *info = QIO_create_record_info(0, NULL, NULL, 0, NULL, NULL, 0, 0, 0, 0);
    QIO_Reader *in;
    snprintf(path, sizeof path, "%s/host-tests/fixtures/qio/alien/ildg12_rows3_explicit.lime", root);
    bytes = file_bytes(path, &length);
    bytes[length] = 0;
    file_write(copy, bytes, length + 1);
    free(bytes);
    memset(&layout, 0, sizeof layout);
    layout.number_of_nodes = 1;
    in = QIO_open_read(xml, copy, &layout, NULL, NULL);
    CHECK(in != NULL && (dims = QIO_get_reader_latdim(in)) == 4);
    layout = lat_serial(dims, QIO_get_reader_latsize(in));
    CODE(QIO_close_read(in), QIO_SUCCESS);
    in = QIO_open_read(xml, copy, &layout, NULL, NULL);
    CODE(QIO_read_record_info(in, info, xml), QIO_SUCCESS);
    CODE(QIO_read_record_data(in, skip_put, QIO_get_typesize(info) * 4, QIO_get_precision(info)[0] == 'F' ? 4 : 8, NULL),
         QIO_SUCCESS);
    CODE(QIO_read_record_info(in, info, xml), QIO_ERR_BAD_READ_BYTES);
    CODE(QIO_close_read(in), QIO_SUCCESS);
    QIO_destroy_record_info(info);
    QIO_string_destroy(xml);
}

int main(int argc, char **argv)
{
    char *bytes;
    size_t length;
    if (argc < 3) return 2;
    snprintf(good, sizeof good, "%s/good", argv[1]);
    snprintf(copy, sizeof copy, "%s/copy", argv[1]);
    snprintf(root, sizeof root, "%s", argv[2]);
    write_good();
    bytes = file_bytes(good, &length);
    file_write(copy, bytes, length);
    reads(QIO_EOF);
    bytes_after_the_end(bytes, length);
    padding(bytes, length);
    still_wrong(bytes, length);
    free(bytes);
    alien();
    return 0;
}
