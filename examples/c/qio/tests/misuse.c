/* Misuse and damage: each ends in a code and a last error.
 * Arguments: a directory for files, and the root of the repository. */
#include "lattice.h"

#include <pthread.h>
#include <unistd.h>

static char scratch[400];
static const int size2[2] = {4, 4};

/* The call has failed with this code, and the last error contains a text. */
#define REFUSED(call, code, text)                                                              \
    do {                                                                                       \
        CODE(call, code);                                                                      \
        if (strstr(linkstream_last_error()->message, text) == NULL) {                          \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, linkstream_last_error()->message); \
            exit(1);                                                                           \
        }                                                                                      \
    } while (0)

#define NULL_RESULT(call, text)                                                                \
    do {                                                                                       \
        CHECK((call) == NULL);                                                                 \
        if (strstr(linkstream_last_error()->message, text) == NULL) {                          \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, linkstream_last_error()->message); \
            exit(1);                                                                           \
        }                                                                                      \
    } while (0)

static char *name_of(const char *name)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    return path;
}

static field_t a_field(void)
{
    field_t f;
    memset(&f, 0, sizeof f);
    strcpy(f.formula, "mix");
    strcpy(f.precision, "F");
    f.seed = 7;
    f.word = 4;
    f.count = 2;
    f.size = 16;
    return f;
}

static QIO_RecordInfo *an_info(void)
{
    return QIO_create_record_info(QIO_FIELD, NULL, NULL, 0, "QDP_F_Complex", "F", 0, 0, 8, 2);
}

static QIO_Writer *create(const char *name)
{
    QIO_Layout layout = lat_serial(2, size2);
    QIO_Oflag flags = {QIO_SERIAL, QIO_TRUNC, QIO_ILDGNO, NULL};
    return QIO_open_write(NULL, name, QIO_SINGLEFILE, &layout, NULL, &flags);
}

static void good_file(const char *name)
{
    QIO_Writer *out = create(name);
    QIO_RecordInfo *info = an_info();
    field_t f = a_field();
    CHECK(out != NULL);
    CODE(QIO_write(out, info, NULL, field_get, f.size, f.word, &f), QIO_SUCCESS);
    CODE(QIO_write(out, info, NULL, field_get, f.size, f.word, &f), QIO_SUCCESS);
    CODE(QIO_close_write(out), QIO_SUCCESS);
    QIO_destroy_record_info(info);
}

static QIO_Reader *reader_of(const char *name)
{
    QIO_Layout layout = lat_serial(2, size2);
    return QIO_open_read(NULL, name, &layout, NULL, NULL);
}

/* --- Null pointers and wrong arguments --- */

static void opening(void)
{
    QIO_Layout layout = lat_serial(2, size2), wrong;
    QIO_Oflag flags = {QIO_SERIAL, QIO_TRUNC, QIO_ILDGNO, NULL};
    QIO_Iflag iflag = {QIO_SERIAL, 9};
    char long_name[600];
    int two[2] = {4, 2};
    memset(long_name, 'x', sizeof long_name);
    long_name[501] = 0;
    NULL_RESULT(QIO_open_write(NULL, NULL, 0, &layout, NULL, &flags), "null pointer");
    NULL_RESULT(QIO_open_write(NULL, "", 0, &layout, NULL, &flags), "empty");
    NULL_RESULT(QIO_open_write(NULL, long_name, 0, &layout, NULL, &flags), "501 bytes");
    NULL_RESULT(QIO_open_write(NULL, name_of("x"), 7, &layout, NULL, &flags), "volume format 7");
    NULL_RESULT(QIO_open_write(NULL, name_of("x"), QIO_UNKNOWN, &layout, NULL, &flags), "volume format -1");
    NULL_RESULT(QIO_open_write(NULL, name_of("x"), 0, NULL, NULL, &flags), "QIO_Layout");
    NULL_RESULT(QIO_open_write(NULL, name_of("none/x"), 0, &layout, NULL, &flags), "none/x");
    flags.mode = 3;
    NULL_RESULT(QIO_open_write(NULL, name_of("x"), 0, &layout, NULL, &flags), "mode 3");
    flags.mode = QIO_TRUNC;
    flags.ildgstyle = 5;
    NULL_RESULT(QIO_open_write(NULL, name_of("x"), 0, &layout, NULL, &flags), "ildgstyle 5");
    flags.ildgstyle = 0;
    wrong = layout;
    wrong.number_of_nodes = 2;
    wrong.sites_on_node = 8;
    NULL_RESULT(QIO_open_write(NULL, name_of("x"), 0, &wrong, NULL, &flags), "");
    wrong = layout;
    wrong.volume = 15;
    NULL_RESULT(QIO_open_write(NULL, name_of("x"), 0, &wrong, NULL, &flags), "volume is 15");
    wrong = layout;
    wrong.latdim = 0;
    NULL_RESULT(QIO_open_write(NULL, name_of("x"), 0, &wrong, NULL, &flags), "latdim is 0");
    wrong = layout;
    wrong.node_index = NULL;
    NULL_RESULT(QIO_open_write(NULL, name_of("x"), 0, &wrong, NULL, &flags), "together");
    CHECK(access(name_of("x"), F_OK) != 0);
    NULL_RESULT(QIO_open_read(NULL, name_of("none"), &layout, NULL, NULL), "no such file");
    NULL_RESULT(QIO_open_read(NULL, name_of(""), &layout, NULL, NULL), "");
    NULL_RESULT(QIO_open_read(NULL, NULL, &layout, NULL, NULL), "null pointer");
    NULL_RESULT(QIO_open_read(NULL, name_of("x"), &layout, NULL, &iflag), "volume format 9");
    good_file(name_of("good.lime"));
    layout = lat_serial(2, two);
    NULL_RESULT(QIO_open_read(NULL, name_of("good.lime"), &layout, NULL, NULL), "the lattice of the file is 4x4");
    CHECK(linkstream_last_error()->rule != NULL);
    file_write(name_of("empty"), "", 0);
    NULL_RESULT(reader_of(name_of("empty")), "empty");
    file_write(name_of("short"), "Eg", 2);
    NULL_RESULT(reader_of(name_of("short")), "");
    NULL_RESULT(QIO_open_read_master(NULL, NULL, NULL, NULL, NULL), "null pointer");
    NULL_RESULT(QIO_generic_open_write(NULL, 0, NULL, NULL, NULL, NULL), "null pointer");
}

static void handles(void)
{
    QIO_Writer *out = create(name_of("w.lime"));
    QIO_Reader *in;
    QIO_RecordInfo *info = an_info();
    field_t f = a_field();
    int not_a_handle[64] = {0};
    good_file(name_of("good.lime"));
    in = reader_of(name_of("good.lime"));
    CHECK(out != NULL && in != NULL);
    REFUSED(QIO_write(NULL, info, NULL, field_get, 16, 4, &f), QIO_BAD_ARG, "null pointer");
    REFUSED(QIO_write((QIO_Writer *)not_a_handle, info, NULL, field_get, 16, 4, &f), QIO_BAD_ARG, "not a QIO_Writer");
    REFUSED(QIO_write((QIO_Writer *)in, info, NULL, field_get, 16, 4, &f), QIO_BAD_ARG, "not a QIO_Writer");
    REFUSED(QIO_read((QIO_Reader *)out, info, NULL, field_put, 16, 4, &f), QIO_BAD_ARG, "not a QIO_Reader");
    REFUSED(QIO_write(out, NULL, NULL, field_get, 16, 4, &f), QIO_BAD_ARG, "null pointer");
    REFUSED(QIO_write(out, info, (QIO_String *)NULL, NULL, 16, 4, &f), QIO_BAD_ARG, "null pointer");
    REFUSED(QIO_write(out, info, NULL, field_get, 15, 1, &f), QIO_ERR_BAD_WRITE_BYTES, "datum_size is 15");
    REFUSED(QIO_write(out, info, NULL, field_get, 16, 3, &f), QIO_BAD_ARG, "word_size is 3");
    REFUSED(QIO_write(out, info, NULL, field_get, 12, 8, &f), QIO_BAD_ARG, "multiple");
    REFUSED(QIO_read(in, NULL, NULL, field_put, 16, 4, &f), QIO_BAD_ARG, "null pointer");
    REFUSED(QIO_read(in, info, NULL, NULL, 16, 4, &f), QIO_BAD_ARG, "null pointer");
    REFUSED(QIO_read(in, info, NULL, field_put, 8, 4, &f), QIO_ERR_BAD_READ_BYTES, "datum_size is 8");
    CHECK(f.calls == 0);
    /* Refused arguments change nothing. */
    CODE(QIO_write(out, info, NULL, field_get, 16, 4, &f), QIO_SUCCESS);
    CODE(QIO_read(in, info, NULL, field_put, 16, 4, &f), QIO_SUCCESS);
    CHECK(f.wrong == 0 && f.calls == 32);
    REFUSED(QIO_read_record_data(in, field_put, 16, 4, &f), QIO_BAD_ARG, "has not been read");
    REFUSED(QIO_set_reader_pointer(in, -1), QIO_ERR_BAD_SEEK, "-1");
    CODE(QIO_set_reader_pointer(in, 8), QIO_SUCCESS);
    REFUSED(QIO_read(in, info, NULL, field_put, 16, 4, &f), QIO_ERR_BAD_READ_BYTES, "magic");
    REFUSED(QIO_read(in, info, NULL, field_put, 16, 4, &f), QIO_ERR_BAD_READ_BYTES, "magic");
    CODE(QIO_close_read(in), QIO_SUCCESS);
    REFUSED(QIO_close_read(in), QIO_BAD_ARG, "closed");
    REFUSED(QIO_next_record(in), QIO_BAD_ARG, "closed");
    REFUSED(QIO_get_reader_latdim(in), QIO_BAD_ARG, "closed");
    CHECK(QIO_get_reader_latsize(in) == NULL && QIO_get_ILDG_LFN(in) == NULL);
    CHECK(QIO_get_reader_last_checksuma(in) == 0 && QIO_get_reader_last_checksumb(NULL) == 0);
    CHECK(QIO_get_reader_pointer(in) == -1 && QIO_get_reader_volfmt(NULL) < 0 && QIO_get_reader_format(NULL) < 0);
    CHECK(QIO_get_ildgstyle(NULL) < 0);
    QIO_suppress_global_broadcast(NULL);
    QIO_set_record_info(NULL, info);
    QIO_reset_writer_ILDG_flags(NULL, NULL);
    CODE(QIO_close_write(out), QIO_SUCCESS);
    REFUSED(QIO_close_write(out), QIO_BAD_ARG, "closed");
    REFUSED(QIO_close_write(NULL), QIO_BAD_ARG, "null pointer");
    CHECK(QIO_get_writer_last_checksuma(out) == 0 && QIO_get_writer_last_checksumb(NULL) == 0);
    QIO_destroy_record_info(info);
    REFUSED(QIO_write(NULL, info, NULL, field_get, 16, 4, &f), QIO_BAD_ARG, "null pointer");
}

/* Calls piece by piece out of order. */
static void pieces(void)
{
    QIO_Writer *out = create(name_of("p.lime"));
    QIO_RecordInfo *info = an_info();
    field_t f = a_field();
    DML_Checksum sum = {0, 0};
    uint64_t bytes;
    int status = 0, begin = 1, end = 0;
    char type[] = "scidac-binary-data", long_type[200];
    QIO_Reader *in;
    LIME_type found;
    memset(long_type, 'x', sizeof long_type);
    long_type[199] = 0;
    CHECK(out != NULL);
    REFUSED(QIO_write_checksum(out, &sum), QIO_BAD_ARG, "message");
    REFUSED(QIO_write_checksum(out, NULL), QIO_BAD_ARG, "null pointer");
    REFUSED(QIO_write_string(out, 1, 1, NULL, NULL), QIO_BAD_ARG, "missing");
    REFUSED(QIO_write_string(out, 1, 1, NULL, long_type), QIO_BAD_ARG, "too long");
    REFUSED(QIO_close_write_field(out, &bytes), QIO_BAD_ARG, "no record");
    REFUSED(QIO_seek_write_field_datum(out, 0, field_get, 2, 16, 4, &f), QIO_BAD_ARG, "no record");
    REFUSED(QIO_write_field_data(out, NULL, field_get, 2, 16, 4, &f, &sum, &bytes), QIO_BAD_ARG, "null pointer");
    CHECK(QIO_open_write_field(NULL, 1, 1, 16, type, NULL, &status) == NULL && status == QIO_BAD_ARG);
    CODE(QIO_write_record_info(out, info, 16, 4, NULL, &begin, &end), QIO_SUCCESS);
    CODE(QIO_init_write_field(out, 0, 0, 16, &sum, type), QIO_SUCCESS);
    REFUSED(QIO_init_write_field(out, 0, 0, 16, &sum, type), QIO_BAD_ARG, "is open");
    CODE(QIO_seek_write_field_datum(out, 3, field_get, 2, 16, 4, &f), QIO_SUCCESS);
    REFUSED(QIO_close_write_field(out, &bytes), QIO_ERR_BAD_WRITE_BYTES, "16 of 256 bytes");
    CHECK(QIO_close_write(out) != QIO_SUCCESS);
    /* A message that is not ended. */
    out = create(name_of("p.lime"));
    begin = 1;
    CODE(QIO_write_record_info(out, info, 16, 4, NULL, &begin, &end), QIO_SUCCESS);
    REFUSED(QIO_close_write(out), QIO_ERR_CLOSE, "has not been ended");
    /* It has no beginning: a file that could not be closed is not taken for a LIME file. */
    CHECK(reader_of(name_of("p.lime")) == NULL);
    good_file(name_of("good.lime"));
    in = reader_of(name_of("good.lime"));
    REFUSED(QIO_seek_read_field_datum(in, 0, field_put, 2, 16, 4, &f), QIO_BAD_ARG, "no record");
    REFUSED(QIO_close_read_field(in, &bytes), QIO_BAD_ARG, "no record");
    REFUSED(QIO_init_read_field(in, 16, NULL, 0, &sum, &found), QIO_BAD_ARG, "no list");
    REFUSED(QIO_skip_data(NULL), QIO_BAD_ARG, "null pointer");
    REFUSED(QIO_close_read_record(NULL), QIO_BAD_ARG, "null pointer");
    REFUSED(QIO_read_string_data(in, NULL, NULL, 0), QIO_BAD_ARG, "null pointer");
    REFUSED(QIO_read_field_data(in, NULL, field_put, 2, 16, 4, &f, &sum, &bytes), QIO_BAD_ARG, "null pointer");
    CHECK(QIO_compare_checksum(0, NULL, &sum) == QIO_BAD_ARG);
    CHECK(QIO_read_checksum(NULL) == NULL);
    QIO_destroy_checksum_info(NULL);
    DML_free_sitelist(NULL);
    CHECK(QIO_create_sitelist(NULL, QIO_PARTFILE, 0) == NULL);
    CODE(QIO_close_read(in), QIO_SUCCESS);
    QIO_destroy_record_info(info);
}

/* --- Functions of the program --- */

typedef struct {
    QIO_Writer *out;
    QIO_Reader *in;
    int code;
} nested_t;

static void nested_get(char *buf, size_t index, int count, void *arg)
{
    nested_t *nested = (nested_t *)arg;
    (void)index;
    memset(buf, 0, (size_t)(count * 8));
    nested->code = nested->out != NULL ? QIO_close_write(nested->out) : QIO_next_record(nested->in);
}

static int wrong_index(const int x[])
{
    return x[0] + 4 * x[1] + 1;
}

static int same_index(const int x[])
{
    return x[0] + 0 * x[1];
}

static void callbacks(void)
{
    QIO_Layout layout = lat_serial(2, size2);
    QIO_Oflag flags = {QIO_SERIAL, QIO_TRUNC, QIO_ILDGNO, NULL};
    QIO_RecordInfo *info = an_info();
    nested_t nested = {NULL, NULL, 0};
    field_t f = a_field();
    nested.out = create(name_of("n.lime"));
    CODE(QIO_write(nested.out, info, NULL, nested_get, 16, 4, &nested), QIO_SUCCESS);
    CHECK(nested.code == QIO_BAD_ARG && strstr(linkstream_last_error()->message, "is using this QIO_Writer"));
    CODE(QIO_close_write(nested.out), QIO_SUCCESS);
    nested.out = NULL;
    nested.in = reader_of(name_of("n.lime"));
    CODE(QIO_read(nested.in, info, NULL, nested_get, 16, 4, &nested), QIO_SUCCESS);
    CHECK(nested.code == QIO_BAD_ARG);
    CODE(QIO_close_read(nested.in), QIO_SUCCESS);
    layout.node_index = wrong_index;
    good_file(name_of("good.lime"));
    nested.in = QIO_open_read(NULL, name_of("good.lime"), &layout, NULL, NULL);
    REFUSED(QIO_read(nested.in, info, NULL, field_put, 16, 4, &f), QIO_BAD_ARG, "node_index");
    CODE(QIO_close_read(nested.in), QIO_SUCCESS);
    layout.node_index = same_index;
    nested.out = QIO_open_write(NULL, name_of("i.lime"), 0, &layout, NULL, &flags);
    REFUSED(QIO_write(nested.out, info, NULL, field_get, 16, 4, &f), QIO_BAD_ARG, "node_index");
    CHECK(QIO_close_write(nested.out) != QIO_SUCCESS);
    QIO_destroy_record_info(info);
}

/* --- Threads --- */

static QIO_Reader *shared;
static int in_put, thread_code;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void slow_put(char *buf, size_t index, int count, void *arg)
{
    (void)buf;
    (void)index;
    (void)count;
    (void)arg;
    pthread_mutex_lock(&lock);
    if (in_put == 0) in_put = 1;
    pthread_cond_broadcast(&changed);
    while (in_put == 1) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void *other(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    while (in_put == 0) pthread_cond_wait(&changed, &lock);
    thread_code = QIO_next_record(shared);
    in_put = 2;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void threads(void)
{
    pthread_t thread;
    QIO_RecordInfo *info = an_info();
    good_file(name_of("good.lime"));
    shared = reader_of(name_of("good.lime"));
    CHECK(pthread_create(&thread, NULL, other, NULL) == 0);
    CODE(QIO_read(shared, info, NULL, slow_put, 16, 4, NULL), QIO_SUCCESS);
    pthread_join(thread, NULL);
    CHECK(thread_code == QIO_BAD_ARG);
    CODE(QIO_next_record(shared), QIO_SUCCESS);
    CODE(QIO_close_read(shared), QIO_SUCCESS);
    QIO_destroy_record_info(info);
}

/* --- Damage --- */

/* Reads a file to its end. Returns the first code that is not QIO_SUCCESS; *good is the number of good records. */
static int read_all(const char *name, int *good)
{
    QIO_Reader *in = reader_of(name);
    QIO_RecordInfo *info = an_info();
    int code;
    *good = 0;
    if (in == NULL) {
        QIO_destroy_record_info(info);
        return QIO_ERR_OPEN_READ;
    }
    for (;;) {
        field_t f = a_field();
        code = QIO_read(in, info, NULL, field_put, f.size, f.word, &f);
        if (code != QIO_SUCCESS) break;
        /* Good data are the data that were written. */
        CHECK(f.calls == 16 && f.wrong == 0);
        ++*good;
    }
    CODE(QIO_close_read(in), QIO_SUCCESS);
    QIO_destroy_record_info(info);
    return code;
}

static void damage(void)
{
    size_t length, i, ends = 0;
    char *bytes, name[600], damaged[600];
    int good, records, refused = 0;
    snprintf(name, sizeof name, "%s", name_of("good.lime"));
    snprintf(damaged, sizeof damaged, "%s", name_of("damaged.lime"));
    good_file(name);
    bytes = file_bytes(name, &length);
    CHECK(read_all(name, &good) == QIO_EOF && good == 2);
    for (i = 0; i < length; i++) {
        int code;
        file_write(damaged, bytes, i);
        code = read_all(damaged, &good);
        /* The end is only the end after whole messages. */
        if (code == QIO_EOF) ends++;
        CHECK(code != QIO_EOF || good == (int)ends - 1);
    }
    CHECK(ends == 2);
    for (i = 0; i < length; i++) {
        int bit = (int)(i % 8), code;
        bytes[i] = (char)(bytes[i] ^ (1 << bit));
        file_write(damaged, bytes, length);
        code = read_all(damaged, &records);
        if (code != QIO_EOF || records != 2) refused++;
        bytes[i] = (char)(bytes[i] ^ (1 << bit));
    }
    /* Most bytes matter: not those of the date and of names. */
    printf("%d of %zu damaged bytes were noticed\n", refused, length);
    CHECK(refused > (int)length * 7 / 10);
    free(bytes);
}

/* One wrong bit in the data is the documented code, after which the next record can be read. */
static void mismatch(void)
{
    size_t length, i;
    char *bytes;
    QIO_Reader *in;
    QIO_RecordInfo *info = an_info();
    field_t f = a_field();
    good_file(name_of("good.lime"));
    bytes = file_bytes(name_of("good.lime"), &length);
    for (i = 0; memcmp(bytes + i, "scidac-binary-data", 18) != 0; i++) {
    }
    bytes[i - 16 + 144 + 100] ^= 1;
    file_write(name_of("mismatch.lime"), bytes, length);
    in = reader_of(name_of("mismatch.lime"));
    CODE(QIO_read(in, info, NULL, field_put, f.size, f.word, &f), QIO_CHECKSUM_MISMATCH);
    CHECK(f.wrong == 1 && linkstream_last_error()->rule[0] != 0);
    f = a_field();
    CODE(QIO_read(in, info, NULL, field_put, f.size, f.word, &f), QIO_SUCCESS);
    CHECK(f.wrong == 0);
    CODE(QIO_read(in, info, NULL, field_put, f.size, f.word, &f), QIO_EOF);
    CODE(QIO_close_read(in), QIO_SUCCESS);
    free(bytes);
    QIO_destroy_record_info(info);
}

/* Appending to what cannot be continued. */
static void appending(void)
{
    QIO_Layout layout = lat_serial(2, size2);
    QIO_Oflag flags = {QIO_SERIAL, QIO_APPEND, QIO_ILDGNO, NULL};
    QIO_Writer *out;
    size_t length;
    char *bytes;
    int other_size[2] = {2, 8}, good;
    remove(name_of("new.lime"));
    out = QIO_open_write(NULL, name_of("new.lime"), 0, &layout, NULL, &flags);
    CHECK(out != NULL);
    CODE(QIO_close_write(out), QIO_SUCCESS);
    CHECK(read_all(name_of("new.lime"), &good) == QIO_EOF && good == 0);
    good_file(name_of("good.lime"));
    layout = lat_serial(2, other_size);
    NULL_RESULT(QIO_open_write(NULL, name_of("good.lime"), 0, &layout, NULL, &flags), "another lattice");
    layout = lat_serial(2, size2);
    bytes = file_bytes(name_of("good.lime"), &length);
    file_write(name_of("cut.lime"), bytes, length - 10);
    NULL_RESULT(QIO_open_write(NULL, name_of("cut.lime"), 0, &layout, NULL, &flags), "");
    CHECK(read_all(name_of("good.lime"), &good) == QIO_EOF && good == 2);
    free(bytes);
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    snprintf(scratch, sizeof scratch, "%s", argv[1]);
    opening();
    handles();
    pieces();
    callbacks();
    threads();
    mismatch();
    appending();
    damage();
    return 0;
}
