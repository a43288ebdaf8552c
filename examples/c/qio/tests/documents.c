/* Documents whose record or whose XML declaration is damaged, as the README lists it; hypercubes in ILDG form.
 * Arguments: a directory for files, and the root of the repository. */
#include "lattice.h"

static char good[500], copy[500];

static field_t a_field(int is_gauge)
{
    return is_gauge ? mixed_field(4, 288, 0) : mixed_field(1, 4, 0);
}

static QIO_Layout small_layout(void)
{
    static const int size[4] = {2, 2, 2, 2};
    return lat_serial(4, size);
}

static void write_good(void)
{
    char type[] = "QDP_F_Real", precision[] = "F";
    QIO_Layout layout = small_layout();
    QIO_String *xml = QIO_string_create();
    QIO_RecordInfo *info = QIO_create_record_info(QIO_FIELD, NULL, NULL, 0, type, precision, 0, 0, 4, 1);
    QIO_Writer *out;
    field_t f = a_field(0);
    QIO_string_set(xml, "<title>text</title>");
    out = QIO_open_write(xml, good, QIO_SINGLEFILE, &layout, NULL, NULL);
    CODE(QIO_write(out, info, xml, field_get, f.size, f.word, &f), QIO_SUCCESS);
    CODE(QIO_close_write(out), QIO_SUCCESS);
    QIO_destroy_record_info(info);
    QIO_string_destroy(xml);
}

/* The code that ends reading the record; texts and values must be right. The error of QIO_open_read has no code. */
static int read_record(int *is_open)
{
    QIO_Layout layout = small_layout();
    QIO_String *xml = QIO_string_create();
    QIO_RecordInfo *info = QIO_create_record_info(0, NULL, NULL, 0, NULL, NULL, 0, 0, 0, 0);
    QIO_Reader *in = QIO_open_read(xml, copy, &layout, NULL, NULL);
    field_t f = a_field(0);
    int code = QIO_ERR_OPEN_READ;
    *is_open = in != NULL;
    if (in != NULL) {
        CHECK(strcmp(QIO_string_ptr(xml), "<title>text</title>") == 0);
        code = QIO_read(in, info, xml, field_put, f.size, f.word, &f);
        if (code == QIO_SUCCESS) CHECK(strcmp(QIO_string_ptr(xml), "<title>text</title>") == 0 && f.wrong == 0);
        if (code == QIO_SUCCESS) CHECK(strcmp(QIO_get_datatype(info), "QDP_F_Real") == 0 && f.calls == 16);
        CODE(QIO_close_read(in), QIO_SUCCESS);
    }
    QIO_destroy_record_info(info);
    QIO_string_destroy(xml);
    return code;
}

static size_t find(const char *bytes, size_t length, const char *text, size_t from)
{
    size_t n = strlen(text);
    for (; from + n < length; from++)
        if (memcmp(bytes + from, text, n) == 0) return from;
    return length;
}

/* The user's texts are never empty because the type of their record is damaged. */
static void types(char *bytes, size_t length)
{
    static const char *const names[] = {"scidac-file-xml", "scidac-record-xml"};
    size_t i, k;
    int is_open;
    for (i = 0; i < 2; i++) {
        size_t at = find(bytes, length, names[i], 0);
        CHECK(at < length);
        for (k = 0; k < 128; k++) {
            bytes[at + k] ^= 1;
            file_write(copy, bytes, length);
            CHECK(read_record(&is_open) != QIO_SUCCESS && is_open == (i == 1));
            if (k < strlen(names[i])) CHECK(strstr(linkstream_last_error()->message, names[i]) != NULL);
            bytes[at + k] ^= 1;
        }
    }
}

/* What is between <? and ?> at the start of a private document has no influence on the data. */
static void declarations(char *bytes, size_t length)
{
    static const char declaration[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
    static const char others[] = "xX?< 0\x01\xff";
    size_t at, k, o, documents = 0, n = strlen(declaration);
    int is_open;
    for (at = find(bytes, length, declaration, 0); at < length; at = find(bytes, length, declaration, at + 1)) {
        documents++;
        for (k = 0; k < n; k++) {
            for (o = 0; o + 1 < sizeof others; o++) {
                int inside = k > 1 && k < n - 2, code;
                if (declaration[k] == others[o]) continue;
                bytes[at + k] = others[o];
                file_write(copy, bytes, length);
                code = read_record(&is_open);
                CHECK((code == QIO_SUCCESS) == inside);
            }
            bytes[at + k] = declaration[k];
        }
    }
    CHECK(documents == 3);
}

/* In ILDG form, a part of the lattice has the records of a full field, and the format of the whole lattice. */
static void hypercube(void)
{
    char type[] = "USQCD_F3_ColorMatrix", precision[] = "F", *bytes;
    int lower[4] = {0, 0, 0, 1}, upper[4] = {1, 1, 1, 1};
    QIO_Layout layout = small_layout();
    QIO_String *xml = QIO_string_create();
    QIO_RecordInfo *field = QIO_create_record_info(QIO_FIELD, NULL, NULL, 0, type, precision, 3, 0, 72, 4);
    QIO_RecordInfo *part = QIO_create_record_info(QIO_HYPER, lower, upper, 4, type, precision, 3, 0, 72, 4);
    QIO_Oflag flags = {QIO_SERIAL, QIO_TRUNC, QIO_ILDGLAT, NULL};
    QIO_Writer *out;
    QIO_Reader *in;
    field_t f = a_field(1);
    static const char *const types[] = {"ildg-format",      "ildg-binary-data", "scidac-checksum", "<recordtype>2<",
                                        "ildg-format",      "ildg-binary-data", "scidac-checksum"};
    size_t length, i, at = 0, end, again;
    QIO_string_set(xml, "<title/>");
    out = QIO_open_write(xml, copy, QIO_SINGLEFILE, &layout, NULL, &flags);
    CODE(QIO_write(out, field, xml, field_get, f.size, f.word, &f), QIO_SUCCESS);
    CODE(QIO_write(out, part, xml, field_get, f.size, f.word, &f), QIO_SUCCESS);
    CODE(QIO_close_write(out), QIO_SUCCESS);
    bytes = file_bytes(copy, &length);
    for (i = 0; i < sizeof types / sizeof types[0]; i++) {
        at = find(bytes, length, types[i], i == 0 ? 0 : at);
        if (at == length) fprintf(stderr, "%s is missing\n", types[i]);
        CHECK(at < length);
    }
    CHECK(find(bytes, length, "scidac-binary-data", 0) == length);
    at = find(bytes, length, "<ildgFormat ", 0);
    end = find(bytes, length, "</ildgFormat>", at);
    again = find(bytes, length, "<ildgFormat ", end);
    CHECK(again < length && memcmp(bytes + at, bytes + again, end - at) == 0);
    free(bytes);
    in = QIO_open_read(xml, copy, &layout, NULL, NULL);
    CODE(QIO_read(in, field, xml, field_put, f.size, f.word, &f), QIO_SUCCESS);
    CODE(QIO_read(in, part, xml, field_put, f.size, f.word, &f), QIO_SUCCESS);
    CHECK(f.wrong == 0 && f.calls == 16 + 8 + 16 + 8);
    CODE(QIO_close_read(in), QIO_SUCCESS);
    QIO_destroy_record_info(field);
    QIO_destroy_record_info(part);
    QIO_string_destroy(xml);
}

int main(int argc, char **argv)
{
    char *bytes;
    size_t length;
    if (argc < 3) return 2;
    snprintf(good, sizeof good, "%s/good", argv[1]);
    snprintf(copy, sizeof copy, "%s/copy", argv[1]);
    write_good();
    bytes = file_bytes(good, &length);
    types(bytes, length);
    declarations(bytes, length);
    free(bytes);
    hypercube();
    return 0;
}
