/* Misuse and damage on several ranks: all ranks get the same code, and none is left waiting.
 * Arguments: a directory for files, and the root of the repository. */
#include "lattice.h"

#include <mpi.h>

static int rank, size;
static char scratch[400];

/* All ranks have this code. */
#define ALL(call, expected)                                                                           \
    do {                                                                                              \
        int code_ = (call), least_, most_;                                                            \
        MPI_Allreduce(&code_, &least_, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);                          \
        MPI_Allreduce(&code_, &most_, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);                           \
        if (least_ != (expected) || most_ != (expected)) {                                            \
            fprintf(stderr, "%s:%d: rank %d: %s is %d (%d to %d), not %d: %s\n", __FILE__, __LINE__,  \
                    rank, #call, code_, least_, most_, (int)(expected), linkstream_last_error()->message); \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                             \
        }                                                                                             \
    } while (0)

static int last(void)
{
    return rank == size - 1;
}

static char *name_of(const char *name)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    return path;
}

static QIO_Layout layout_here(void)
{
    static const int size_of[2] = {4, 12};
    lat_serial(2, size_of);
    lat_order = 0;
    lat_node = rank;
    lat_nodes = size;
    grid[1] = size;
    return lat_layout();
}

static field_t a_field(void)
{
    field_t f;
    memset(&f, 0, sizeof f);
    strcpy(f.formula, "mix");
    strcpy(f.precision, "F");
    f.seed = 9;
    f.word = 4;
    f.count = 1;
    f.size = 8;
    return f;
}

static QIO_RecordInfo *an_info(void)
{
    return QIO_create_record_info(QIO_FIELD, NULL, NULL, 0, "QDP_F_Complex", "F", 0, 0, 8, 1);
}

static QIO_Writer *create(const char *name, int volfmt, QIO_Layout *layout, QIO_Filesystem *fs)
{
    QIO_Oflag flags = {QIO_PARALLEL, QIO_TRUNC, QIO_ILDGNO, NULL};
    return QIO_open_write(NULL, name, volfmt, layout, fs, &flags);
}

static void good(const char *name, int volfmt)
{
    QIO_Layout layout = layout_here();
    QIO_Writer *out = create(name, volfmt, &layout, NULL);
    QIO_RecordInfo *info = an_info();
    field_t f = a_field();
    CHECK(out != NULL);
    ALL(QIO_write(out, info, NULL, field_get, f.size, f.word, &f), QIO_SUCCESS);
    ALL(QIO_close_write(out), QIO_SUCCESS);
    QIO_destroy_record_info(info);
}

static int bad_node(int node)
{
    return node == size - 1 ? size : node;
}

static int everything_here(const int x[])
{
    (void)x;
    return rank;
}

/* All nodes have the sites of node 0. */
static void coords_of_zero(int x[], int node, int index)
{
    (void)node;
    lat_get_coords(x, 0, index);
}

static void opening(void)
{
    QIO_Layout layout = layout_here(), wrong = layout;
    QIO_Filesystem fs;
    ALL(create(last() ? name_of("b") : name_of("a"), 0, &layout, NULL) == NULL, 1);
    CHECK(strstr(linkstream_last_error()->message, "different") != NULL);
    ALL(create(name_of("a"), 0, last() ? NULL : &layout, NULL) == NULL, 1);
    ALL(create(last() ? NULL : name_of("a"), 0, &layout, NULL) == NULL, 1);
    ALL(create(name_of("a"), last() ? QIO_PARTFILE : QIO_MULTIFILE, &layout, NULL) == NULL, 1);
    wrong.this_node = (rank + 1) % size;
    ALL(create(name_of("a"), 0, &wrong, NULL) == NULL, 1);
    wrong = layout;
    wrong.node_number = everything_here;
    wrong.get_coords = coords_of_zero;
    ALL(create(name_of("a"), 0, &wrong, NULL) == NULL, 1);
    wrong = layout;
    wrong.sites_on_node += (size_t)last();
    ALL(create(name_of("a"), 0, &wrong, NULL) == NULL, 1);
    memset(&fs, 0, sizeof fs);
    fs.my_io_node = bad_node;
    ALL(create(name_of("a"), QIO_PARTFILE, &layout, &fs) == NULL, 1);
    ALL(create(name_of("none/a"), 0, &layout, NULL) == NULL, 1);
    ALL(create(name_of("none/a"), QIO_MULTIFILE, &layout, NULL) == NULL, 1);
    ALL(QIO_open_read(NULL, name_of("none"), &layout, NULL, NULL) == NULL, 1);
}

static void records(int volfmt)
{
    char name[600];
    QIO_Layout layout = layout_here();
    QIO_RecordInfo *info = an_info(), *other = QIO_create_record_info(QIO_FIELD, NULL, NULL, 0, "QDP_Int", "I", 0, 0, 4, 2);
    field_t f = a_field();
    QIO_Writer *out;
    QIO_Reader *in;
    snprintf(name, sizeof name, "%s", name_of("records"));
    out = create(name, volfmt, &layout, NULL);
    CHECK(out != NULL);
    ALL(QIO_write(last() ? NULL : out, info, NULL, field_get, f.size, f.word, &f), QIO_BAD_ARG);
    ALL(QIO_write(out, last() ? NULL : info, NULL, field_get, f.size, f.word, &f), QIO_BAD_ARG);
    ALL(QIO_write(out, last() ? other : info, NULL, field_get, f.size, f.word, &f), QIO_BAD_ARG);
    ALL(QIO_write(out, info, NULL, last() ? NULL : field_get, f.size, f.word, &f), QIO_BAD_ARG);
    ALL(QIO_write(out, info, NULL, field_get, last() ? 4 : 8, f.word, &f), QIO_ERR_BAD_WRITE_BYTES);
    ALL(QIO_write(out, info, NULL, field_get, f.size, last() ? 1 : 4, &f), QIO_BAD_ARG);
    CHECK(f.calls == 0);
    /* The file has not been damaged by that. */
    ALL(QIO_write(out, info, NULL, field_get, f.size, f.word, &f), QIO_SUCCESS);
    ALL(QIO_close_write(out), QIO_SUCCESS);
    ALL(QIO_close_write(out), QIO_BAD_ARG);
    in = QIO_open_read(NULL, name, &layout, NULL, NULL);
    CHECK(in != NULL);
    ALL(QIO_read(last() ? NULL : in, info, NULL, field_put, f.size, f.word, &f), QIO_BAD_ARG);
    ALL(QIO_read(in, last() ? NULL : info, NULL, field_put, f.size, f.word, &f), QIO_BAD_ARG);
    ALL(QIO_read(in, info, NULL, field_put, last() ? 16 : 8, f.word, &f), QIO_ERR_BAD_READ_BYTES);
    ALL(QIO_next_record(last() ? NULL : in), QIO_BAD_ARG);
    f = a_field();
    ALL(QIO_read(in, info, NULL, field_put, f.size, f.word, &f), QIO_SUCCESS);
    CHECK(f.wrong == 0 && f.calls == (long)layout.sites_on_node);
    ALL(QIO_read(in, info, NULL, field_put, f.size, f.word, &f), QIO_EOF);
    ALL(QIO_close_read(in), QIO_SUCCESS);
    QIO_destroy_record_info(info);
    QIO_destroy_record_info(other);
}

/* Changes a file: cut by some bytes, or with a wrong bit in its data. */
static void damage_file(const char *name, int cut)
{
    size_t length, i, at = 0;
    char *bytes = file_bytes(name, &length);
    for (i = 0; i + 18 < length; i++)
        if (memcmp(bytes + i, "scidac-binary-data", 18) == 0) at = i - 16 + 144 + 9;
    bytes[at] ^= 4;
    file_write(name, bytes, length - (size_t)cut);
    free(bytes);
}

static void damage(int volfmt)
{
    char name[600], *damaged;
    QIO_Layout layout = layout_here();
    QIO_RecordInfo *info = an_info();
    QIO_Reader *in;
    field_t f = a_field();
    int cut, code;
    for (cut = 0; cut < 2; cut++) {
        snprintf(name, sizeof name, "%s-%d-%d", name_of("damage"), volfmt, cut);
        good(name, volfmt);
        damaged = QIO_filename_edit(name, size == 1 ? QIO_SINGLEFILE : volfmt, size - 1);
        if (rank == 0) damage_file(damaged, cut ? 40 : 0);
        MPI_Barrier(MPI_COMM_WORLD);
        in = QIO_open_read(NULL, name, &layout, NULL, NULL);
        CHECK(in != NULL);
        code = QIO_read(in, info, NULL, field_put, f.size, f.word, &f);
        ALL(code, cut ? QIO_ERR_BAD_READ_BYTES : QIO_CHECKSUM_MISMATCH);
        ALL(QIO_close_read(in), QIO_SUCCESS);
        /* A missing volume. */
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) remove(damaged);
        MPI_Barrier(MPI_COMM_WORLD);
        ALL(QIO_open_read(NULL, name, &layout, NULL, NULL) == NULL, 1);
        free(damaged);
    }
    QIO_destroy_record_info(info);
}

/* The last rank makes another call than the others: an error of all, after which the file can be used. */
static void other_calls(int volfmt)
{
    char name[600];
    QIO_Layout layout = layout_here();
    QIO_RecordInfo *info = an_info();
    field_t f = a_field();
    QIO_Writer *out, *second = NULL;
    QIO_Reader *in;
    int code;
    snprintf(name, sizeof name, "%s", name_of("other"));
    out = create(name, volfmt, &layout, NULL);
    CHECK(out != NULL);
    code = last() ? QIO_close_write(out) : QIO_write(out, info, NULL, field_get, f.size, f.word, &f);
    ALL(code, QIO_BAD_ARG);
    CHECK(strstr(linkstream_last_error()->message, "different") != NULL);
    if (last()) second = create(name_of("second"), volfmt, &layout, NULL);
    ALL(last() ? QIO_BAD_ARG : QIO_close_write(out), QIO_BAD_ARG);
    CHECK(second == NULL && f.calls == 0);
    ALL(QIO_write(out, info, NULL, field_get, f.size, f.word, &f), QIO_SUCCESS);
    ALL(QIO_close_write(out), QIO_SUCCESS);
    in = QIO_open_read(NULL, name, &layout, NULL, NULL);
    CHECK(in != NULL);
    code = last() ? QIO_next_record(in) : QIO_read(in, info, NULL, field_put, f.size, f.word, &f);
    ALL(code, QIO_BAD_ARG);
    code = last() ? QIO_close_read(in) : QIO_read(in, info, NULL, field_put, f.size, f.word, &f);
    ALL(code, QIO_BAD_ARG);
    code = last() ? QIO_close_read(in) : QIO_close_read(NULL);
    ALL(code, QIO_BAD_ARG);
    if (!last()) {
        code = QIO_read(in, info, NULL, field_put, f.size, f.word, &f);
    } else {
        code = QIO_read(NULL, info, NULL, field_put, f.size, f.word, &f);
    }
    ALL(code, QIO_BAD_ARG);
    ALL(QIO_close_read(last() ? NULL : in), QIO_BAD_ARG);
    QIO_destroy_record_info(info);
}

/* A set is not appended to if a volume has lost a record. */
static void append(void)
{
    char name[600], *volume;
    QIO_Layout layout = layout_here();
    QIO_Oflag flags = {QIO_PARALLEL, QIO_APPEND, QIO_ILDGNO, NULL};
    QIO_RecordInfo *info = an_info();
    field_t f = a_field();
    QIO_Writer *out;
    snprintf(name, sizeof name, "%s", name_of("append"));
    good(name, QIO_PARTFILE);
    out = QIO_open_write(NULL, name, QIO_PARTFILE, &layout, NULL, &flags);
    CHECK(out != NULL);
    ALL(QIO_write(out, info, NULL, field_get, f.size, f.word, &f), QIO_SUCCESS);
    ALL(QIO_close_write(out), QIO_SUCCESS);
    volume = QIO_filename_edit(name, QIO_PARTFILE, size - 1);
    if (rank == 0) {
        size_t length;
        char *bytes = file_bytes(volume, &length);
        /* Without the last record: its header, and 8 bytes for each site. */
        file_write(volume, bytes, length - 144 - 8 * layout.sites_on_node);
        free(bytes);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    ALL(QIO_open_write(NULL, name, QIO_PARTFILE, &layout, NULL, &flags) == NULL, 1);
    CHECK(strstr(linkstream_last_error()->message, "truncated") != NULL);
    free(volume);
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
    if (size > 1) {
        opening();
        append();
        for (volfmt = QIO_SINGLEFILE; volfmt <= QIO_PARTFILE_DIR; volfmt++) other_calls(volfmt);
        for (volfmt = QIO_SINGLEFILE; volfmt <= QIO_PARTFILE; volfmt++) records(volfmt);
    }
    for (volfmt = QIO_SINGLEFILE; volfmt <= QIO_PARTFILE_DIR; volfmt++) damage(volfmt);
    if (rank == 0) printf("%d ranks\n", size);
    MPI_Finalize();
    return 0;
}
