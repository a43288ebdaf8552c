/* Bytes after the last record, on several ranks: the data are good on all of them, and all get the same error then.
 * Arguments: a directory for files, and the root of the repository. */
#include "lattice.h"

#include <mpi.h>

static char name[500];
static int rank, size;

static QIO_Layout layout_here(void)
{
    static const int size_of[4] = {3, 12, 1, 1};
    return lat_strip(4, size_of, rank, size);
}

static field_t a_field(int seed)
{
    return mixed_field(1, 4, (uint64_t)seed);
}

static void append(const char *path)
{
    FILE *file = fopen(path, "r+b");
    if (file == NULL) return;
    CHECK(fseek(file, 0, SEEK_END) == 0 && fputc(0, file) == 0 && fclose(file) == 0);
}

static void tail(int volfmt)
{
    char type[] = "QDP_F_Real", precision[] = "F", volume[600];
    QIO_Layout layout = layout_here();
    QIO_String *xml = QIO_string_create();
    QIO_RecordInfo *info = QIO_create_record_info(QIO_FIELD, NULL, NULL, 0, type, precision, 0, 0, 4, 1);
    QIO_Writer *out;
    QIO_Reader *in;
    int i;
    QIO_string_set(xml, "<title/>");
    out = QIO_open_write(xml, name, volfmt, &layout, NULL, NULL);
    CHECK(out != NULL);
    for (i = 0; i < 2; i++) {
        field_t f = a_field(i);
        CODE(QIO_write(out, info, xml, field_get, f.size, f.word, &f), QIO_SUCCESS);
    }
    CODE(QIO_close_write(out), QIO_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
    snprintf(volume, sizeof volume, "%s.vol%04d", name, rank);
    append(volume);
    if (rank == 0) append(name);
    MPI_Barrier(MPI_COMM_WORLD);
    in = QIO_open_read(xml, name, &layout, NULL, NULL);
    CHECK(in != NULL);
    for (i = 0; i < 2; i++) {
        field_t f = a_field(i);
        CODE(QIO_read(in, info, xml, field_put, f.size, f.word, &f), QIO_SUCCESS);
        CHECK(f.calls == 36 / size && f.wrong == 0);
    }
    CODE(QIO_read_record_info(in, info, xml), QIO_ERR_BAD_READ_BYTES);
    CHECK(strcmp(linkstream_last_error()->rule, "lime-trailing-bytes") == 0);
    CODE(QIO_close_read(in), QIO_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
    remove(volume);
    if (rank == 0) remove(name);
    MPI_Barrier(MPI_COMM_WORLD);
    QIO_destroy_record_info(info);
    QIO_string_destroy(xml);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc < 3) return 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    snprintf(name, sizeof name, "%s/file", argv[1]);
    tail(QIO_SINGLEFILE);
    tail(QIO_PARTFILE);
    tail(QIO_MULTIFILE);
    MPI_Finalize();
    return 0;
}
