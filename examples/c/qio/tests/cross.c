/* Files of the program linkstream, read and written again by libqio, and files of libqio, checked by the program. The
 * environment variable LINKSTREAM is the path of the program; without it, the configuration of the repository is used, which
 * the program has written, and nothing is checked by the program.
 * Arguments: a directory for files, and the root of the repository. */
#include "lattice.h"

static float *memory;
static const size_t site = 4 * 72;

static void put(char *buf, size_t index, int count, void *arg)
{
    (void)arg;
    CHECK(count == 4);
    memcpy((char *)memory + index * site, buf, site);
}

static void get(char *buf, size_t index, int count, void *arg)
{
    (void)arg;
    CHECK(count == 4);
    memcpy(buf, (char *)memory + index * site, site);
}

/* The program writes the logical file name without the zero byte that QIO counts: the only difference. */
static void count_zero_byte(const char *path)
{
    size_t length, i;
    char *bytes = file_bytes(path, &length);
    for (i = 16; memcmp(bytes + i, "ildg-data-lfn", 14) != 0; i++) CHECK(i + 14 < length);
    bytes[i - 1]++;
    file_write(path, bytes, length);
    free(bytes);
}

/* Runs the program. */
static void run(const char *program, const char *arguments, const char *file)
{
    char command[2000];
    snprintf(command, sizeof command, "'%s' %s '%s' > /dev/null", program, arguments, file);
    CHECK(system(command) == 0);
}

int main(int argc, char **argv)
{
    static const int size_of[4] = {4, 4, 4, 8};
    const char *program = getenv("LINKSTREAM");
    char from[900], to[900], counted[900], lfn[200] = "", *bytes;
    size_t length;
    QIO_Layout layout;
    QIO_Oflag flags;
    QIO_Reader *in;
    QIO_Writer *out;
    QIO_String *file = QIO_string_create(), *record = QIO_string_create();
    QIO_RecordInfo *info = QIO_create_record_info(0, NULL, NULL, 0, NULL, NULL, 0, 0, 0, 0);
    QIO_Filesystem fs;
    if (argc < 3) return 2;
    snprintf(to, sizeof to, "%s/again.lime", argv[1]);
    snprintf(from, sizeof from, "%s/examples/su3-4x4x4x8.lime", argv[2]);
    if (program != NULL) {
        snprintf(from, sizeof from, "%s/sample.lime", argv[1]);
        run(program, "sample --force", from);
    }
    lat_order = 2;
    layout = lat_serial(4, size_of);
    memory = (float *)malloc(layout.volume * site);
    in = QIO_open_read(file, from, &layout, NULL, NULL);
    CHECK(in != NULL);
    CODE(QIO_read(in, info, record, put, site, 4, NULL), QIO_SUCCESS);
    CHECK(QIO_get_ildgstyle(in) == QIO_ILDGLAT);
    if (QIO_get_ILDG_LFN(in) != NULL) snprintf(lfn, sizeof lfn, "%s", QIO_get_ILDG_LFN(in));
    CODE(QIO_read_record_info(in, info, record), QIO_EOF);
    CODE(QIO_close_read(in), QIO_SUCCESS);
    in = QIO_open_read(NULL, from, &layout, NULL, NULL);
    CODE(QIO_read_record_info(in, info, record), QIO_SUCCESS);
    CODE(QIO_close_read(in), QIO_SUCCESS);
    memset(&flags, 0, sizeof flags);
    flags.ildgstyle = QIO_ILDGLAT;
    flags.ildgLFN = QIO_string_create();
    if (lfn[0] != 0) QIO_string_set(flags.ildgLFN, lfn);
    out = QIO_open_write(file, to, QIO_SINGLEFILE, &layout, NULL, &flags);
    CHECK(out != NULL);
    CODE(QIO_write(out, info, record, get, site, 4, NULL), QIO_SUCCESS);
    CODE(QIO_close_write(out), QIO_SUCCESS);
    snprintf(counted, sizeof counted, "%s/counted.lime", argv[1]);
    bytes = file_bytes(from, &length);
    file_write(counted, bytes, length);
    free(bytes);
    count_zero_byte(counted);
    CHECK(same_files(counted, to));
    /* Partition files of it. */
    lat_order = 0;
    grid[0] = grid[3] = 2;
    lat_nodes = 4;
    layout = lat_layout();
    memset(&fs, 0, sizeof fs);
    CODE(QIO_single_to_part(to, &fs, &layout, QIO_PARTFILE), QIO_SUCCESS);
    if (program != NULL) {
        run(program, "check", to);
        CHECK(remove(to) == 0);
        run(program, "check", to);
    }
    QIO_string_destroy(flags.ildgLFN);
    QIO_string_destroy(file);
    QIO_string_destroy(record);
    QIO_destroy_record_info(info);
    free(memory);
    return 0;
}
