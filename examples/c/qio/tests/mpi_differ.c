/* Arguments that differ between ranks: texts of rank 0 count, as in QIO, because QDP++ has texts on rank 0 only. All
 * others are an error of all ranks that names the argument, and the file can be used as before.
 * Arguments: a directory for files, and the root of the repository. */
#include "lattice.h"

#include <mpi.h>

static int rank, size, odd;
static char scratch[400];

/* The rank that differs from the others. */
static int is_odd(void)
{
    return rank == odd;
}

static QIO_Layout layout_here(void)
{
    static const int size_of[4] = {2, 12, 2, 2};
    return lat_strip(4, size_of, rank, size);
}

static field_t a_field(int is_gauge)
{
    return is_gauge ? mixed_field(4, 288, 9) : mixed_field(1, 8, 9);
}

static QIO_RecordInfo *an_info(int is_gauge)
{
    char type[] = "QDP_F_Complex", links[] = "QDP_F3_ColorMatrix", precision[] = "F";
    if (is_gauge) return QIO_create_record_info(QIO_FIELD, NULL, NULL, 0, links, precision, 3, 0, 72, 4);
    return QIO_create_record_info(QIO_FIELD, NULL, NULL, 0, type, precision, 0, 0, 8, 1);
}

static QIO_String *a_text(const char *text)
{
    QIO_String *string = QIO_string_create();
    if (text[0] != 0) QIO_string_set(string, text);
    return string;
}

/* Texts of rank 0, and of the other ranks. */
static const struct {
    const char *first, *others;
} texts[] = {
    {"<text/>", "<text/>"},
    {"<text/>", ""},
    {"", "<text/>"},
    {"<t/>", "<a>much longer than the text of rank 0</a>"},
    {"<a>much longer than the text of the others</a>", "<t/>"},
    {"<a/>", "<b/>"},
};

/* Writes a file in the manner of QDP++. */
static void write_file(const char *name, int volfmt, const char *text)
{
    QIO_Layout layout = layout_here();
    QIO_String *file_text = a_text(text), *record_text = a_text(text), *lfn = a_text(text[0] ? "lfn://a/b" : "");
    QIO_Oflag flags = {QIO_PARALLEL, QIO_TRUNC, QIO_ILDGLAT, NULL};
    int is_gauge;
    QIO_Writer *out;
    flags.ildgLFN = lfn;
    out = QIO_open_write(file_text, name, volfmt, &layout, NULL, &flags);
    CHECK(out != NULL);
    for (is_gauge = 1; is_gauge >= 0; is_gauge--) {
        field_t f = a_field(is_gauge);
        QIO_RecordInfo *info = an_info(is_gauge);
        int code = QIO_write(out, info, record_text, field_get, f.size, f.word, &f);
        CHECK(code == QIO_SUCCESS && f.calls == (long)layout.sites_on_node && f.wrong == 0);
        QIO_destroy_record_info(info);
    }
    CHECK(QIO_close_write(out) == QIO_SUCCESS);
    QIO_string_destroy(file_text);
    QIO_string_destroy(record_text);
    QIO_string_destroy(lfn);
}

/* All ranks read the texts of rank 0, and the data are verified. */
static void read_file(const char *name, const char *text)
{
    QIO_Layout layout = layout_here();
    QIO_String *found = QIO_string_create();
    QIO_Reader *in = QIO_open_read(found, name, &layout, NULL, NULL);
    int is_gauge;
    CHECK(in != NULL && strcmp(QIO_string_ptr(found), text) == 0);
    for (is_gauge = 1; is_gauge >= 0; is_gauge--) {
        field_t f = a_field(is_gauge);
        QIO_RecordInfo *info = an_info(is_gauge);
        CHECK(QIO_read(in, info, found, field_put, f.size, f.word, &f) == QIO_SUCCESS);
        CHECK(strcmp(QIO_string_ptr(found), text) == 0 && f.wrong == 0);
        if (is_gauge && text[0]) CHECK(strcmp(QIO_get_ILDG_LFN(in), "lfn://a/b") == 0);
        QIO_destroy_record_info(info);
    }
    CHECK(QIO_close_read(in) == QIO_SUCCESS);
    QIO_string_destroy(found);
}

static void in_the_manner_of_qdp(int volfmt)
{
    size_t i;
    for (i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char name[600], equal[600], *a, *b;
        snprintf(name, sizeof name, "%s/differ-%d-%d", scratch, volfmt, (int)i);
        snprintf(equal, sizeof equal, "%s/equal-%d-%d", scratch, volfmt, (int)i);
        write_file(equal, volfmt, texts[i].first);
        write_file(name, volfmt, rank == 0 ? texts[i].first : texts[i].others);
        a = QIO_filename_edit(equal, size == 1 ? QIO_SINGLEFILE : volfmt, rank);
        b = QIO_filename_edit(name, size == 1 ? QIO_SINGLEFILE : volfmt, rank);
        CHECK(same_files(a, b));
        free(a);
        free(b);
        read_file(name, texts[i].first);
    }
}

/* All ranks have this code, and their error names the argument. */
static void refused(int code, const char *argument, int line)
{
    const char *message = linkstream_last_error()->message;
    int good = code == QIO_BAD_ARG && strstr(message, argument) != NULL && strstr(message, "different") != NULL, all;
    if (!good) fprintf(stderr, "line %d: rank %d: code %d, %s: \"%s\"\n", line, rank, code, argument, message);
    MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    CHECK(all);
}
#define REFUSED(call, argument) refused((call), (argument), __LINE__)

static void opening(int volfmt)
{
    QIO_Layout layout = layout_here();
    char name[600];
    int which;
    snprintf(name, sizeof name, "%s/opening%s", scratch, is_odd() ? "-b" : "-a");
    REFUSED(QIO_open_write(NULL, name, volfmt, &layout, NULL, NULL) ? 0 : QIO_BAD_ARG, "filename");
    REFUSED(QIO_open_read(NULL, name, &layout, NULL, NULL) ? 0 : QIO_BAD_ARG, "filename");
    snprintf(name, sizeof name, "%s/opening", scratch);
    for (which = 0; which < 3; which++) {
        static const char *const names[] = {"volfmt", "QIO_APPEND", "ildgstyle"};
        QIO_Oflag flags = {QIO_PARALLEL, QIO_TRUNC, QIO_ILDGNO, NULL};
        int format = volfmt;
        if (is_odd() && which == 0) format = volfmt == QIO_PARTFILE ? QIO_SINGLEFILE : QIO_PARTFILE;
        if (is_odd() && which == 1) flags.mode = QIO_APPEND;
        if (is_odd() && which == 2) flags.ildgstyle = QIO_ILDGLAT;
        REFUSED(QIO_open_write(NULL, name, format, &layout, NULL, &flags) ? 0 : QIO_BAD_ARG, names[which]);
    }
}

static void writing(int volfmt)
{
    static char data[] = "scidac-binary-data", other[] = "other-binary-data";
    QIO_Layout layout = layout_here();
    QIO_Oflag flags = {QIO_PARALLEL, QIO_TRUNC, QIO_ILDGNO, NULL}, ildg = {QIO_PARALLEL, QIO_TRUNC, QIO_ILDGLAT, NULL};
    QIO_RecordInfo *info = an_info(0), *half, *none;
    QIO_String *text = a_text(rank == 0 ? "<text/>" : "");
    field_t f = a_field(0);
    DML_Checksum sum = {0, 0};
    uint64_t bytes;
    char name[600], *type = is_odd() ? other : data;
    int lower[4] = {0, 0, 0, 0}, upper[4] = {1, 11, 1, 0}, which, begin, end, output, status;
    QIO_Writer *out;
    snprintf(name, sizeof name, "%s/writing-%d", scratch, volfmt);
    out = QIO_open_write(text, name, volfmt, &layout, NULL, &flags);
    CHECK(out != NULL);
    /* One member of the record info differs, or the size of words. */
    for (which = 0; which < 7; which++) {
        static const char *const names[] = {"datatype", "precision", "colors", "spins", "typesize", "recordtype", "word_size"};
        char kind[] = "Numbers", precision[] = "F";
        int q = is_odd();
        if (q && which == 0) kind[5] = 'c';
        if (q && which == 1) precision[0] = 'D';
        none = QIO_create_record_info(q && which == 5 ? QIO_GLOBAL : QIO_FIELD, NULL, NULL, 0, kind, precision,
                                      q && which == 2 ? 3 : 0, q && which == 3 ? 4 : 0, q && which == 4 ? 4 : 8,
                                      q && which == 4 ? 2 : 1);
        REFUSED(QIO_write(out, none, text, field_get, f.size, q && which == 6 ? 8 : f.word, &f), names[which]);
        QIO_destroy_record_info(none);
    }
    half = QIO_create_record_info(QIO_HYPER, lower, upper, 4, "QDP_F_Complex", "F", 0, 0, 8, 1);
    upper[3] = 1;
    none = QIO_create_record_info(QIO_HYPER, lower, upper, 4, "QDP_F_Complex", "F", 0, 0, 8, 1);
    REFUSED(QIO_write(out, is_odd() ? half : none, text, field_get, f.size, f.word, &f), "the hypercube");
    /* What each rank sets by itself. */
    if (is_odd()) QIO_reset_writer_ILDG_flags(out, &ildg);
    REFUSED(QIO_write(out, info, text, field_get, f.size, f.word, &f), "ildgstyle");
    QIO_reset_writer_ILDG_flags(out, &flags);
    CHECK(QIO_writer_insert_hypercube_data(out, is_odd() ? half : info) == QIO_SUCCESS);
    REFUSED(QIO_write_field(out, 1, 1, field_get, f.count, f.size, f.word, &f, &sum, &bytes, data), "the hypercube");
    CHECK(QIO_writer_insert_hypercube_data(out, info) == QIO_SUCCESS);
    /* Calls for pieces of a record. */
    for (which = 0; which < 2; which++) {
        const char *argument = which == 0 ? "msg_begin" : "msg_end";
        int first = which == 0 && is_odd() ? 0 : 1, last = which == 1 && is_odd() ? 0 : 1;
        REFUSED(QIO_write_string(out, first, last, text, data), argument);
        REFUSED(QIO_write_sitelist(out, first, last, data), argument);
        REFUSED(QIO_write_field(out, first, last, field_get, f.count, f.size, f.word, &f, &sum, &bytes, data), argument);
        CHECK(QIO_open_write_field(out, first, last, f.size, data, &output, &status) == NULL);
        REFUSED(status, argument);
        REFUSED(QIO_init_write_field(out, first, last, f.size, &sum, data), argument);
        begin = first, end = last;
        REFUSED(QIO_write_record_data(out, info, field_get, f.size, f.word, &f, &sum, &bytes, &begin, &end), argument);
    }
    begin = is_odd();
    end = 0;
    REFUSED(QIO_write_record_info(out, info, f.size, f.word, text, &begin, &end), "msg_begin");
    begin = is_odd();
    REFUSED(QIO_generic_write(out, info, text, field_get, f.size, f.word, &f, &sum, &bytes, &begin, &end), "msg_begin");
    REFUSED(QIO_write_string(out, 1, 1, text, type), "lime_type");
    REFUSED(QIO_write_sitelist(out, 1, 1, type), "lime_type");
    REFUSED(QIO_write_field(out, 1, 1, field_get, f.count, f.size, f.word, &f, &sum, &bytes, type), "lime_type");
    CHECK(QIO_open_write_field(out, 1, 1, f.size, type, &output, &status) == NULL);
    REFUSED(status, "lime_type");
    REFUSED(QIO_init_write_field(out, 1, 1, f.size, &sum, type), "lime_type");
    REFUSED(QIO_write_field(out, 1, 1, field_get, f.count, is_odd() ? 16 : 8, 4, &f, &sum, &bytes, data), "datum_size");
    REFUSED(QIO_write_field(out, 1, 1, field_get, f.count, 8, is_odd() ? 8 : 4, &f, &sum, &bytes, data), "word_size");
    REFUSED(QIO_write_field(out, 1, 1, field_get, is_odd() ? 2 : 1, 8, 4, &f, &sum, &bytes, data), "count");
    CHECK(QIO_open_write_field(out, 1, 1, is_odd() ? 16 : 8, data, &output, &status) == NULL);
    REFUSED(status, "datum_size");
    REFUSED(QIO_init_write_field(out, 1, 1, is_odd() ? 16 : 8, &sum, data), "datum_size");
    CHECK(f.calls == 0);
    /* The file has not been damaged by that. Of checksums, the one of rank 0 counts. */
    begin = 1, end = 0;
    CHECK(QIO_write_record_info(out, info, f.size, f.word, text, &begin, &end) == QIO_SUCCESS);
    CHECK(QIO_write_record_data(out, info, field_get, f.size, f.word, &f, &sum, &bytes, &begin, &end) == QIO_SUCCESS);
    if (rank != 0) sum.suma = 1, sum.sumb = 2;
    CHECK(QIO_write_checksum(out, &sum) == QIO_SUCCESS);
    CHECK(QIO_close_write(out) == QIO_SUCCESS);
    QIO_destroy_record_info(half);
    QIO_destroy_record_info(none);
    QIO_string_destroy(text);
    /* Reading. */
    {
        QIO_String *found = QIO_string_create();
        QIO_Reader *in = QIO_open_read(found, name, &layout, NULL, NULL);
        LIME_type types[] = {data}, record_type;
        CHECK(in != NULL && strcmp(QIO_string_ptr(found), "<text/>") == 0);
        REFUSED(QIO_read(in, info, found, field_put, f.size, is_odd() ? 8 : 4, &f), "word_size");
        CHECK(QIO_close_read(in) == QIO_SUCCESS);
        in = QIO_open_read(NULL, name, &layout, NULL, NULL);
        CHECK(in != NULL);
        if (is_odd()) QIO_set_record_info(in, info);
        REFUSED(QIO_next_record(in), "the record info");
        CHECK(QIO_close_read(in) == QIO_SUCCESS);
        in = QIO_open_read(NULL, name, &layout, NULL, NULL);
        CHECK(in != NULL);
        REFUSED(QIO_init_read_field(in, is_odd() ? 16 : 8, types, 1, &sum, &record_type), "datum_size");
        REFUSED(QIO_read_field(in, field_put, 1, is_odd() ? 16 : 8, 4, &f, &sum, &bytes, &record_type), "datum_size");
        CHECK(QIO_close_read(in) == QIO_SUCCESS);
        in = QIO_open_read(NULL, name, &layout, NULL, NULL);
        f = a_field(0);
        CHECK(QIO_read(in, info, found, field_put, f.size, f.word, &f) == QIO_SUCCESS && f.wrong == 0);
        CHECK(QIO_close_read(in) == QIO_SUCCESS);
        QIO_string_destroy(found);
    }
    QIO_destroy_record_info(info);
}

int main(int argc, char **argv)
{
    int volfmt;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 3) return 2;
    snprintf(scratch, sizeof scratch, "%s", argv[1]);
    for (volfmt = QIO_SINGLEFILE; volfmt <= QIO_PARTFILE_DIR; volfmt++) in_the_manner_of_qdp(volfmt);
    /* Rank 0 differs from the others, or the last one does. */
    for (volfmt = QIO_SINGLEFILE; size > 1 && volfmt <= QIO_PARTFILE; volfmt++) {
        for (odd = 0; odd < size; odd += size - 1) {
            opening(volfmt);
            writing(volfmt);
        }
    }
    if (rank == 0) printf("%d ranks\n", size);
    MPI_Finalize();
    return 0;
}
