/* Files of all formats on 1 to 4 ranks. The files of a serial job are the judge. Run with mpirun.
 * Arguments: a directory for files, and the root of the repository. */
#include "lattice.h"

#include <linkstream_mpi.h>
#include <unistd.h>

static int rank, size;
static char scratch[400], root[400];

/* I/O families of two nodes. */
static int io_of_two(int node)
{
    return node / 2 * 2;
}

static int master_zero(void)
{
    return 0;
}

static int master_last_family(void)
{
    return (size - 1) / 2 * 2;
}

static field_t a_field(const char *precision, int items, int item, int word, uint64_t seed)
{
    field_t f;
    memset(&f, 0, sizeof f);
    strcpy(f.formula, "mix");
    strcpy(f.precision, precision);
    f.seed = seed;
    f.word = word;
    f.count = items;
    f.size = (size_t)(items * item);
    return f;
}

/* A lattice whose sites are divided among the ranks, or all on one. */
static QIO_Layout layout_of(int is_parallel)
{
    static const int size_of[4] = {4, 4, 2, 6};
    QIO_Layout layout = lat_serial(4, size_of);
    if (is_parallel) {
        lat_node = rank;
        lat_nodes = size;
        grid[0] = size == 4 ? 2 : size == 2 ? 2 : 1;
        grid[3] = size == 4 ? 2 : size == 3 ? 3 : 1;
        layout = lat_layout();
    }
    return layout;
}

static int lower[4] = {1, 0, 0, 2}, upper[4] = {2, 3, 1, 3};

/* The records of the file. */
enum { RECORDS = 6 };

static QIO_RecordInfo *record(int number, field_t *f)
{
    switch (number) {
    case 0:
        *f = a_field("F", 4, 72, 4, 1);
        return QIO_create_record_info(QIO_FIELD, NULL, NULL, 0, "USQCD_F3_ColorMatrix", "F", 3, 0, 72, 4);
    case 1:
        *f = a_field("D", 1, 16, 8, 2);
        return QIO_create_record_info(QIO_FIELD, NULL, NULL, 0, "QDP_D_Complex", "D", 0, 0, 16, 1);
    case 2:
        *f = a_field("F", 1, 24, 4, 3);
        return QIO_create_record_info(QIO_HYPER, lower, upper, 4, "USQCD_F3_ColorVector", "F", 3, 0, 24, 1);
    case 3:
        *f = a_field("D", 5, 8, 8, 4);
        f->is_global = 1;
        return QIO_create_record_info(QIO_GLOBAL, NULL, NULL, 0, "QLA_D_Real", "D", 0, 0, 8, 5);
    case 4:
        *f = a_field("I", 1, 4, 4, 5);
        return QIO_create_record_info(QIO_FIELD, NULL, NULL, 0, "QDP_Int", "I", 0, 0, 4, 1);
    default:
        *f = a_field("U", 1, 7, 1, 6);
        return QIO_create_record_info(QIO_FIELD, NULL, NULL, 0, "QDP_GenericType", "U", 0, 0, 7, 1);
    }
}

static void write_records(QIO_Writer *out, int from, int to, int master)
{
    int i;
    QIO_String *xml = QIO_string_create();
    for (i = from; i < to; i++) {
        field_t f;
        QIO_RecordInfo *info = record(i, &f);
        QIO_string_set(xml, i % 2 ? "<odd/>" : "<even/>");
        CHECK(info != NULL);
        CODE(QIO_write(out, info, xml, field_get, f.size, f.word, &f), QIO_SUCCESS);
        CHECK(f.wrong == 0);
        if (f.is_global) CHECK(f.calls == (lat_node == master));
        QIO_destroy_record_info(info);
    }
    QIO_string_destroy(xml);
}

static void write_file(const char *name, int volfmt, int is_parallel, int serpar, QIO_Filesystem *fs, int order,
                       int append_at)
{
    QIO_Layout layout;
    QIO_Oflag flags;
    QIO_Writer *out;
    QIO_String *xml = QIO_string_create();
    int master = fs != NULL && fs->master_io_node != NULL && is_parallel ? fs->master_io_node() : 0;
    lat_order = order;
    layout = layout_of(is_parallel);
    memset(&flags, 0, sizeof flags);
    flags.serpar = serpar;
    flags.ildgstyle = QIO_ILDGLAT;
    flags.ildgLFN = QIO_string_create();
    QIO_string_set(flags.ildgLFN, "lfn://test");
    QIO_string_set(xml, "<title>mpi</title>");
    out = QIO_open_write(xml, name, volfmt, &layout, fs, &flags);
    CHECK(out != NULL);
    write_records(out, 0, append_at, master);
    CODE(QIO_close_write(out), QIO_SUCCESS);
    if (append_at < RECORDS) {
        flags.mode = QIO_APPEND;
        flags.ildgstyle = QIO_ILDGNO;
        out = QIO_open_write(xml, name, volfmt, &layout, fs, &flags);
        CHECK(out != NULL);
        write_records(out, append_at, RECORDS, master);
        CODE(QIO_close_write(out), QIO_SUCCESS);
    }
    QIO_string_destroy(flags.ildgLFN);
    QIO_string_destroy(xml);
}

static void read_file(const char *name, int is_parallel, int serpar, QIO_Filesystem *fs, int order, int volfmt)
{
    QIO_Layout layout;
    QIO_Iflag flags;
    QIO_Reader *in;
    QIO_String *xml = QIO_string_create();
    QIO_RecordInfo *info = QIO_create_record_info(0, NULL, NULL, 0, NULL, NULL, 0, 0, 0, 0);
    int i, pass;
    lat_order = order;
    layout = layout_of(is_parallel);
    flags.serpar = serpar;
    flags.volfmt = QIO_UNKNOWN;
    for (pass = 0; pass < 2; pass++) {
        in = QIO_open_read(xml, name, &layout, fs, &flags);
        CHECK(in != NULL);
        CHECK(strcmp(QIO_string_ptr(xml), "<title>mpi</title>") == 0);
        CHECK(QIO_get_reader_volfmt(in) == volfmt);
        for (i = 0; i < RECORDS; i++) {
            field_t f;
            long calls, all;
            QIO_RecordInfo *expected = record(i, &f);
            if (pass == 1 && i % 2 == 0) {
                if (i == 2) CODE(QIO_read_record_info(in, info, xml), QIO_SUCCESS);
                CODE(QIO_next_record(in), QIO_SUCCESS);
                QIO_destroy_record_info(expected);
                continue;
            }
            CODE(QIO_read(in, info, xml, field_put, f.size, f.word, &f), QIO_SUCCESS);
            CHECK(f.wrong == 0);
            CODE(QIO_compare_record_info(info, expected), QIO_SUCCESS);
            CHECK(strcmp(QIO_string_ptr(xml), i % 2 ? "<odd/>" : "<even/>") == 0);
            CHECK(QIO_get_ildgstyle(in) == (i == 0));
            calls = f.calls;
            all = calls;
            if (is_parallel) MPI_Allreduce(&calls, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
            CHECK(all == (f.is_global ? (is_parallel ? size : 1) : i == 2 ? 32 : 192));
            QIO_destroy_record_info(expected);
        }
        if (pass == 0) CHECK(strcmp(QIO_get_ILDG_LFN(in), "lfn://test") == 0);
        CODE(QIO_read(in, info, xml, field_put, 4, 4, NULL), QIO_EOF);
        CODE(QIO_close_read(in), QIO_SUCCESS);
    }
    QIO_destroy_record_info(info);
    QIO_string_destroy(xml);
}

/* The serial file of this process. */
static char serial[600];

static void same_as_serial(void)
{
    char name[600];
    int serpar, order, append;
    QIO_Filesystem fs;
    memset(&fs, 0, sizeof fs);
    fs.my_io_node = io_of_two;
    fs.master_io_node = master_last_family;
    for (serpar = QIO_SERIAL; serpar <= QIO_PARALLEL; serpar++) {
        for (order = 0; order < 3; order++) {
            append = 2 + (serpar + order) % 3 * 2;
            {
                snprintf(name, sizeof name, "%s/single-%d-%d-%d.lime", scratch, serpar, order, append);
                write_file(name, QIO_SINGLEFILE, 1, serpar, append == 2 ? &fs : NULL, order, append);
                if (rank == 0) CHECK(same_files(serial, name));
                read_file(name, 1, serpar, NULL, 2 - order, QIO_SINGLEFILE);
            }
        }
    }
}

/* Each rank by itself. */
static void alone(void)
{
    char name[600];
    linkstream_comm self;
    CHECK(linkstream_mpi_create(MPI_COMM_SELF, &self) == MPI_SUCCESS);
    CODE(linkstream_set_world(&self), QIO_SUCCESS);
    snprintf(name, sizeof name, "%s/alone-%d.lime", scratch, rank);
    write_file(name, QIO_PARTFILE, 0, QIO_SERIAL, NULL, 1, 4);
    CHECK(same_files(serial, name));
    read_file(name, 0, QIO_SERIAL, NULL, 2, QIO_SINGLEFILE);
    CODE(linkstream_set_world(NULL), QIO_SUCCESS);
    CHECK(linkstream_mpi_free(&self) == MPI_SUCCESS);
}

static void sets(void)
{
    char name[600];
    int volfmt, families, append;
    QIO_Filesystem fs;
    for (volfmt = QIO_MULTIFILE; volfmt <= QIO_PARTFILE_DIR; volfmt++) {
        for (families = 0; families < 3; families++) {
            memset(&fs, 0, sizeof fs);
            fs.my_io_node = families > 0 ? io_of_two : NULL;
            fs.master_io_node = families == 2 ? master_last_family : families == 1 ? master_zero : NULL;
            append = (volfmt + families) % 2 ? 3 : RECORDS;
            {
                int expected = size == 1 ? QIO_SINGLEFILE : volfmt;
                snprintf(name, sizeof name, "%s/set-%d-%d-%d.lime", scratch, volfmt, families, append);
                write_file(name, volfmt, 1, QIO_SERIAL, &fs, families, append);
                read_file(name, 1, QIO_SERIAL, &fs, families, expected);
                /* In another order, and with other I/O nodes. */
                read_file(name, 1, QIO_SERIAL, NULL, (families + 2) % 3, expected);
            }
        }
    }
}

/* The sets of QIO of as many volumes, written again with the same bytes. */
static void sets_of_qio(void)
{
    static const struct {
        const char *name;
        int volfmt, ranks, grid0, grid3, families;
    } all[] = {{"multi/part2", QIO_PARTFILE, 2, 2, 1, 0},     {"multi/part4", QIO_PARTFILE, 4, 2, 2, 0},
               {"multi/part4_io2", QIO_PARTFILE, 4, 2, 2, 1}, {"multi/multi2", QIO_MULTIFILE, 2, 2, 1, 0},
               {"multi/multi4", QIO_MULTIFILE, 4, 2, 2, 0},   {"multi/partdir2", QIO_PARTFILE_DIR, 2, 1, 2, 0},
               {"multi/part2_ildg", QIO_PARTFILE, 2, 2, 1, 0}, {"multi/multi3_uneven", QIO_MULTIFILE, 3, 0, 0, 0},
               {"multi/part3_uneven", QIO_PARTFILE, 3, 0, 0, 0}};
    static const int size_of[4] = {4, 2, 3, 6}, uneven[2] = {13, 2};
    size_t i;
    for (i = 0; i < sizeof all / sizeof all[0]; i++) {
        QIO_Layout layout;
        QIO_Filesystem fs;
        QIO_Oflag flags;
        QIO_Reader *in;
        QIO_Writer *out;
        QIO_String *file = QIO_string_create(), *xml = QIO_string_create();
        QIO_RecordInfo *info = QIO_create_record_info(0, NULL, NULL, 0, NULL, NULL, 0, 0, 0, 0);
        char name[900], copy[900];
        int code, is_ildg = 0;
        if (all[i].ranks != size) continue;
        lat_order = all[i].grid0 == 0 ? 3 : 1;
        lat_serial(lat_order == 3 ? 2 : 4, lat_order == 3 ? uneven : size_of);
        grid[0] = all[i].grid0;
        grid[3] = all[i].grid3;
        lat_node = rank;
        lat_nodes = size;
        layout = lat_layout();
        memset(&fs, 0, sizeof fs);
        if (all[i].families) fs.my_io_node = io_of_two;
        snprintf(name, sizeof name, "%s/host-tests/fixtures/qio/%s.lime", root, all[i].name);
        snprintf(copy, sizeof copy, "%s/%s.lime", scratch, strchr(all[i].name, '/') + 1);
        in = QIO_open_read(file, name, &layout, &fs, NULL);
        CHECK(in != NULL);
        CODE(QIO_read_record_info(in, info, xml), QIO_SUCCESS);
        is_ildg = QIO_get_ildgstyle(in);
        memset(&flags, 0, sizeof flags);
        flags.ildgstyle = is_ildg;
        flags.ildgLFN = QIO_string_create();
        if (QIO_get_ILDG_LFN(in) != NULL) QIO_string_set(flags.ildgLFN, QIO_get_ILDG_LFN(in));
        out = QIO_open_write(file, copy, all[i].volfmt, &layout, &fs, &flags);
        CHECK(out != NULL);
        for (; (code = QIO_read_record_info(in, info, xml)) == QIO_SUCCESS;) {
            size_t bytes = QIO_get_typesize(info) * (size_t)QIO_get_datacount(info);
            size_t sites = QIO_get_recordtype(info) == QIO_GLOBAL ? 1 : layout.sites_on_node;
            struct {
                char *memory;
                size_t size;
            } data;
            void moved_put(char *, size_t, int, void *), moved_get(char *, size_t, int, void *);
            data.memory = (char *)calloc(sites, bytes);
            data.size = bytes;
            CODE(QIO_read_record_data(in, moved_put, bytes, 1, &data), QIO_SUCCESS);
            CODE(QIO_write(out, info, xml, moved_get, bytes, 1, &data), QIO_SUCCESS);
            free(data.memory);
        }
        CHECK(code == QIO_EOF);
        CODE(QIO_close_write(out), QIO_SUCCESS);
        CODE(QIO_close_read(in), QIO_SUCCESS);
        if (!all[i].families || io_of_two(rank) == rank) {
            char *expected = QIO_filename_edit(name, all[i].volfmt, rank);
            char *written = QIO_filename_edit(copy, all[i].volfmt, rank);
            CHECK(same_files(expected, written));
            free(expected);
            free(written);
        }
        QIO_destroy_record_info(info);
        QIO_string_destroy(flags.ildgLFN);
        QIO_string_destroy(file);
        QIO_string_destroy(xml);
    }
}

void moved_put(char *buf, size_t index, int count, void *arg)
{
    struct {
        char *memory;
        size_t size;
    } *data = arg;
    (void)count;
    memcpy(data->memory + index * data->size, buf, data->size);
}

void moved_get(char *buf, size_t index, int count, void *arg)
{
    struct {
        char *memory;
        size_t size;
    } *data = arg;
    (void)count;
    memcpy(buf, data->memory + index * data->size, data->size);
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    snprintf(scratch, sizeof scratch, "%s", argv[1]);
    snprintf(root, sizeof root, "%s", argv[2]);
    /* Before MPI_Init, each process is a single rank. */
    snprintf(serial, sizeof serial, "%s/serial-%d.lime", scratch, (int)getpid());
    write_file(serial, QIO_SINGLEFILE, 0, QIO_SERIAL, NULL, 0, RECORDS);
    read_file(serial, 0, QIO_SERIAL, NULL, 2, QIO_SINGLEFILE);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    same_as_serial();
    alone();
    sets();
    sets_of_qio();
    MPI_Finalize();
    if (rank == 0) printf("%d ranks\n", size);
    return 0;
}
