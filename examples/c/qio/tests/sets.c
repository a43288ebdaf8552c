/* Sets whose volumes do not belong together, and messages with two checksums: no data are read as if they were good.
 * Arguments: a directory for files, and the root of the repository. */
#include "lattice.h"

#include <sys/stat.h>

static char scratch[400];

static char *name_of(const char *name)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    return path;
}

static field_t a_field(uint64_t seed)
{
    field_t f;
    memset(&f, 0, sizeof f);
    strcpy(f.formula, "mix");
    strcpy(f.precision, "F");
    f.seed = seed;
    f.word = 4;
    f.count = 1;
    f.size = 8;
    return f;
}

static QIO_Layout one_node(void)
{
    static const int size[2] = {4, 6};
    lat_order = 0;
    return lat_serial(2, size);
}

/* A single file with some fields. */
static void make(const char *name, uint64_t seed, int fields)
{
    QIO_Layout layout = one_node();
    QIO_Oflag flags = {QIO_SERIAL, QIO_TRUNC, QIO_ILDGNO, NULL};
    QIO_Writer *out = QIO_open_write(NULL, name, QIO_SINGLEFILE, &layout, NULL, &flags);
    QIO_RecordInfo *info = QIO_create_record_info(QIO_FIELD, NULL, NULL, 0, "QDP_F_Complex", "F", 0, 0, 8, 1);
    CHECK(out != NULL);
    for (; fields > 0; fields--) {
        field_t f = a_field(seed++);
        CODE(QIO_write(out, info, NULL, field_get, f.size, f.word, &f), QIO_SUCCESS);
    }
    CODE(QIO_close_write(out), QIO_SUCCESS);
    QIO_destroy_record_info(info);
}

static int two_io_nodes(int node)
{
    return node;
}

static int node_zero(void)
{
    return 0;
}

/* A set of two volumes, from a single file, which is removed. */
static void make_set(const char *name, uint64_t seed, int fields, int volfmt)
{
    QIO_Layout layout;
    QIO_Filesystem fs;
    memset(&fs, 0, sizeof fs);
    fs.number_io_nodes = 2;
    fs.my_io_node = two_io_nodes;
    fs.master_io_node = node_zero;
    make(name, seed, fields);
    one_node();
    grid[1] = lat_nodes = 2;
    layout = lat_layout();
    CODE(QIO_single_to_part(name, &fs, &layout, volfmt), QIO_SUCCESS);
    CHECK(remove(name) == 0);
}

/* Reads a file up to an error or the end; returns the code. */
static int read_all(const char *name, int volfmt, uint64_t seed, int *fields)
{
    QIO_Layout layout = one_node();
    QIO_Iflag flags = {QIO_SERIAL, QIO_UNKNOWN};
    QIO_RecordInfo *info = QIO_create_record_info(QIO_FIELD, NULL, NULL, 0, NULL, NULL, 0, 0, 0, 0);
    QIO_Reader *in;
    int code;
    flags.volfmt = volfmt;
    in = QIO_open_read(NULL, name, &layout, NULL, &flags);
    CHECK(in != NULL);
    for (*fields = 0;; ++*fields) {
        field_t f = a_field(seed++);
        code = QIO_read(in, info, NULL, field_put, f.size, f.word, &f);
        if (code != QIO_SUCCESS) break;
        CHECK(f.wrong == 0);
    }
    CODE(QIO_close_read(in), QIO_SUCCESS);
    QIO_destroy_record_info(info);
    return code;
}

/* Offset of the LIME record with a type, the one with this number; the end if there is none. */
static size_t record_at(const char *bytes, size_t length, const char *type, int number)
{
    size_t at = 0;
    while (at + 144 <= length) {
        uint64_t payload = 0;
        int i;
        for (i = 8; i < 16; i++) payload = payload << 8 | (unsigned char)bytes[at + (size_t)i];
        if (strcmp(bytes + at + 16, type) == 0 && number-- == 0) return at;
        at += 144 + (size_t)((payload + 7) / 8 * 8);
    }
    return length;
}

/* A volume that is cut between two records has fewer of them than the other. */
static void cut(void)
{
    char set[600], first[620], second[620];
    size_t length, length_2;
    char *bytes, *bytes_2;
    int fields;
    snprintf(set, sizeof set, "%s", name_of("cut"));
    snprintf(first, sizeof first, "%s.vol0000", set);
    snprintf(second, sizeof second, "%s.vol0001", set);
    make_set(set, 5, 3, QIO_PARTFILE);
    CODE(read_all(set, QIO_UNKNOWN, 5, &fields), QIO_EOF);
    CHECK(fields == 3);
    bytes = file_bytes(first, &length);
    bytes_2 = file_bytes(second, &length_2);
    for (fields = 2; fields >= 0; fields--) {
        int found;
        file_write(first, bytes, record_at(bytes, length, "scidac-private-record-xml", fields));
        CODE(read_all(set, QIO_UNKNOWN, 5, &found), QIO_ERR_BAD_READ_BYTES);
        CHECK(found == fields && strstr(linkstream_last_error()->message, "more records") != NULL);
    }
    file_write(first, bytes, length);
    for (fields = 2; fields >= 0; fields--) {
        int found;
        file_write(second, bytes_2, record_at(bytes_2, length_2, "scidac-binary-data", fields));
        CODE(read_all(set, QIO_UNKNOWN, 5, &found), QIO_ERR_BAD_READ_BYTES);
        CHECK(found == fields);
    }
    file_write(second, bytes_2, length_2);
    CODE(read_all(set, QIO_UNKNOWN, 5, &fields), QIO_EOF);
    free(bytes);
    free(bytes_2);
}

/* A rank that reads several volumes goes back in all of them. */
static void back(void)
{
    char set[600];
    QIO_Layout layout;
    QIO_RecordInfo *info = QIO_create_record_info(QIO_FIELD, NULL, NULL, 0, NULL, NULL, 0, 0, 0, 0);
    QIO_Reader *in;
    off_t at[2];
    int k, order[5] = {0, 1, 0, 1, 1};
    snprintf(set, sizeof set, "%s", name_of("back"));
    make_set(set, 70, 2, QIO_PARTFILE);
    layout = one_node();
    in = QIO_open_read(NULL, set, &layout, NULL, NULL);
    CHECK(in != NULL);
    for (k = 0; k < 5; k++) {
        field_t f = a_field(70 + (uint64_t)order[k]);
        if (k < 2) at[k] = QIO_get_reader_pointer(in);
        CHECK(at[order[k]] > 0);
        CODE(QIO_set_reader_pointer(in, at[order[k]]), QIO_SUCCESS);
        CODE(QIO_read(in, info, NULL, field_put, f.size, f.word, &f), QIO_SUCCESS);
        CHECK(f.wrong == 0);
    }
    CODE(QIO_set_reader_pointer(in, at[1] + 8), QIO_ERR_BAD_SEEK);
    CODE(QIO_close_read(in), QIO_SUCCESS);
    QIO_destroy_record_info(info);
}

/* Of two sets with the same name, the one is read that iflag asks for. */
static void preferred(void)
{
    char set[600];
    int fields;
    snprintf(set, sizeof set, "%s", name_of("both"));
    CHECK(mkdir(name_of("vol0000"), 0777) == 0 && mkdir(name_of("vol0001"), 0777) == 0);
    make_set(set, 20, 1, QIO_PARTFILE_DIR);
    make_set(set, 30, 2, QIO_PARTFILE);
    make(set, 40, 3);
    CODE(read_all(set, QIO_UNKNOWN, 40, &fields), QIO_EOF);
    CHECK(fields == 3);
    CODE(read_all(set, QIO_PARTFILE, 30, &fields), QIO_EOF);
    CHECK(fields == 2);
    CODE(read_all(set, QIO_PARTFILE_DIR, 20, &fields), QIO_EOF);
    CHECK(fields == 1);
}

/* A message with a second checksum, or with data after the checksum: it is not known which belong together. */
static void second_checksum(void)
{
    static const char *const added[2] = {"scidac-checksum", "scidac-binary-data"};
    char name[600];
    size_t length, at, end;
    char *bytes, *more;
    int fields, i;
    snprintf(name, sizeof name, "%s", name_of("second"));
    make(name, 50, 2);
    bytes = file_bytes(name, &length);
    at = record_at(bytes, length, "scidac-checksum", 0);
    end = record_at(bytes, length, "scidac-private-record-xml", 1);
    for (i = 0; i < 2; i++) {
        size_t from = record_at(bytes, length, added[i], 1), to, size;
        to = i == 0 ? length : record_at(bytes, length, "scidac-checksum", 1);
        size = to - from;
        more = (char *)malloc(length + size);
        CHECK(more != NULL);
        memcpy(more, bytes, end);
        memcpy(more + end, bytes + from, size);
        memcpy(more + end + size, bytes + end, length - end);
        more[at + 6] = 0;
        more[end + 6] = 0x40; /* ends the message */
        file_write(name, more, length + size);
        CODE(read_all(name, QIO_UNKNOWN, 50, &fields), QIO_ERR_CHECKSUM_INFO);
        CHECK(fields == 0);
        free(more);
    }
    free(bytes);
}

static void count_put(char *buf, size_t index, int count, void *arg)
{
    (void)buf;
    (void)index;
    (void)count;
    ++*(long *)arg;
}

/* A truncated file is an error before the program has got any of its data. */
static void truncated(void)
{
    char name[600];
    QIO_Layout layout;
    QIO_Reader *in;
    QIO_RecordInfo *info = QIO_create_record_info(QIO_FIELD, NULL, NULL, 0, NULL, NULL, 0, 0, 0, 0);
    size_t length;
    char *bytes;
    long calls = 0;
    snprintf(name, sizeof name, "%s", name_of("truncated"));
    make(name, 60, 1);
    bytes = file_bytes(name, &length);
    file_write(name, bytes, record_at(bytes, length, "scidac-checksum", 0) - 8);
    layout = one_node();
    in = QIO_open_read(NULL, name, &layout, NULL, NULL);
    CHECK(in != NULL);
    CODE(QIO_read(in, info, NULL, count_put, 8, 4, &calls), QIO_ERR_BAD_READ_BYTES);
    CHECK(calls == 0);
    CODE(QIO_close_read(in), QIO_SUCCESS);
    QIO_destroy_record_info(info);
    free(bytes);
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    snprintf(scratch, sizeof scratch, "%s", argv[1]);
    second_checksum();
    truncated();
    back();
    preferred();
    cut();
    return 0;
}
