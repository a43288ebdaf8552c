/* Reading and writing piece by piece on several ranks: the files are those of the calls for whole records.
 * Arguments: a directory for files, and the root of the repository. */
#include "lattice.h"

#include <mpi.h>

static int rank, size;
static char scratch[400];
static int lower[2] = {1, 2}, upper[2] = {2, 9};

static field_t a_field(void)
{
    field_t f;
    memset(&f, 0, sizeof f);
    strcpy(f.formula, "mix");
    strcpy(f.precision, "D");
    f.seed = 11;
    f.word = 8;
    f.count = 2;
    f.size = 32;
    return f;
}

static QIO_RecordInfo *an_info(int hyper)
{
    return QIO_create_record_info(hyper ? QIO_HYPER : QIO_FIELD, lower, upper, hyper ? 2 : 0, "QDP_D_Complex", "D", 0, 0, 16, 2);
}

static int is_in(uint64_t r, int hyper)
{
    int x[8];
    lat_coords(x, r);
    return !hyper || (x[0] >= lower[0] && x[0] <= upper[0] && x[1] >= lower[1] && x[1] <= upper[1]);
}

static int is_own(uint64_t r, int hyper)
{
    int x[8];
    lat_coords(x, r);
    return is_in(r, hyper) && lat_node_number(x) == rank;
}

static QIO_Layout layout_here(int order)
{
    static const int size_of[2] = {4, 12};
    lat_serial(2, size_of);
    lat_order = order;
    lat_node = rank;
    lat_nodes = size;
    grid[1] = size;
    return lat_layout();
}

static void write_file(const char *name, int volfmt, int way)
{
    QIO_Layout layout = layout_here(way % 3);
    QIO_Oflag flags = {QIO_SERIAL, QIO_TRUNC, QIO_ILDGNO, NULL};
    QIO_String *xml = QIO_string_create();
    QIO_Writer *out = QIO_generic_open_write(name, volfmt, &layout, &flags, NULL, NULL);
    char type[] = "scidac-binary-data";
    int hyper;
    CHECK(out != NULL);
    QIO_string_set(xml, "text");
    CODE(QIO_write_file_header(out, xml), QIO_SUCCESS);
    for (hyper = 0; hyper < 2; hyper++) {
        QIO_RecordInfo *info = an_info(hyper);
        field_t f = a_field();
        DML_Checksum sum = {0, 0};
        uint64_t bytes = 0, r;
        int begin = 1, end = 0, output = 0, status = 1;
        if (way == 0) {
            CODE(QIO_write(out, info, xml, field_get, f.size, f.word, &f), QIO_SUCCESS);
            QIO_destroy_record_info(info);
            continue;
        }
        CODE(QIO_writer_insert_hypercube_data(out, info), QIO_SUCCESS);
        CODE(QIO_write_record_info(out, info, f.size, f.word, xml, &begin, &end), QIO_SUCCESS);
        if (way == 1) {
            CODE(QIO_write_field(out, 0, 0, field_get, f.count, f.size, f.word, &f, &sum, &bytes, type), QIO_SUCCESS);
        } else if (way == 2) {
            LRL_RecordWriter *record = QIO_open_write_field(out, 0, 0, f.size, type, &output, &status);
            CHECK(record != NULL && output == 1 && status == QIO_SUCCESS);
            CODE(QIO_write_field_data(out, record, field_get, f.count, f.size, f.word, &f, &sum, &bytes), QIO_SUCCESS);
        } else {
            CODE(QIO_init_write_field(out, 0, 0, f.size, &sum, type), QIO_SUCCESS);
            for (r = 48; r-- > 0;) {
                int code = QIO_seek_write_field_datum(out, r, field_get, f.count, f.size, f.word, &f);
                CHECK(code == (is_own(r, hyper) ? QIO_SUCCESS : QIO_ERR_BAD_SEEK));
            }
            CODE(QIO_close_write_field(out, &bytes), QIO_SUCCESS);
        }
        CHECK(bytes == (hyper ? 16 : 48) * f.size && f.wrong == 0);
        CODE(QIO_write_checksum(out, &sum), QIO_SUCCESS);
        QIO_destroy_record_info(info);
    }
    CODE(QIO_close_write(out), QIO_SUCCESS);
    QIO_string_destroy(xml);
}

static void read_file(const char *name, int way)
{
    QIO_Layout layout = layout_here(way);
    QIO_Reader *in = QIO_open_read(NULL, name, &layout, NULL, NULL);
    LIME_type types[] = {(char *)"scidac-binary-data"}, found;
    int hyper, status;
    CHECK(in != NULL);
    for (hyper = 0; hyper < 2; hyper++) {
        QIO_RecordInfo *info = an_info(0);
        QIO_ChecksumInfo *stored;
        field_t f = a_field();
        DML_Checksum sum = {0, 0};
        uint64_t bytes = 0, r;
        CODE(QIO_read_private_record_info(in, info), QIO_SUCCESS);
        CODE(QIO_reader_insert_hypercube_data(in, info), QIO_SUCCESS);
        if (way == 0) {
            CODE(QIO_generic_read_record_data(in, field_put, f.size, f.word, &f, &sum, &bytes), QIO_SUCCESS);
        } else if (way == 1) {
            LRL_RecordReader *record = QIO_open_read_field(in, f.size, types, 1, &found, &status);
            CHECK(record != NULL && status == QIO_SUCCESS);
            CODE(QIO_read_field_data(in, record, field_put, f.count, f.size, f.word, &f, &sum, &bytes), QIO_SUCCESS);
            CODE(QIO_close_read_record(record), QIO_SUCCESS);
        } else {
            CODE(QIO_init_read_field(in, f.size, types, 1, &sum, &found), QIO_SUCCESS);
            for (r = 48; r-- > 0;) {
                int code = QIO_seek_read_field_datum(in, r, field_put, f.count, f.size, f.word, &f);
                CHECK(code == (is_own(r, hyper) ? QIO_SUCCESS : QIO_ERR_BAD_SEEK));
            }
            CODE(QIO_close_read_field(in, &bytes), QIO_SUCCESS);
        }
        CHECK(bytes == (hyper ? 16 : 48) * f.size && f.wrong == 0);
        stored = QIO_read_checksum(in);
        CODE(QIO_compare_checksum(rank, stored, &sum), QIO_SUCCESS);
        QIO_destroy_checksum_info(stored);
        QIO_destroy_record_info(info);
    }
    CHECK(QIO_read_record_type(in, &found, NULL, &status) == NULL && status == QIO_EOF);
    CODE(QIO_close_read(in), QIO_SUCCESS);
}

int main(int argc, char **argv)
{
    int volfmt, way;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 3) return 2;
    snprintf(scratch, sizeof scratch, "%s", argv[1]);
    for (volfmt = QIO_SINGLEFILE; volfmt <= QIO_PARTFILE; volfmt += 2) {
        for (way = 0; way < 4; way++) {
            char whole[600], name[600], *a, *b;
            snprintf(whole, sizeof whole, "%s/whole-%d", scratch, volfmt);
            snprintf(name, sizeof name, "%s/pieces-%d-%d", scratch, volfmt, way);
            write_file(way == 0 ? whole : name, volfmt, way);
            if (way == 0) continue;
            a = QIO_filename_edit(whole, size == 1 ? QIO_SINGLEFILE : volfmt, rank);
            b = QIO_filename_edit(name, size == 1 ? QIO_SINGLEFILE : volfmt, rank);
            CHECK(same_files(a, b));
            free(a);
            free(b);
            read_file(name, way - 1);
        }
    }
    if (rank == 0) printf("%d ranks\n", size);
    MPI_Finalize();
    return 0;
}
