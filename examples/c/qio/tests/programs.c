/* QIO as known programs use it: structures on the stack without any value before, only some members set, nothing
 * destroyed. Arguments: a directory for files, and the root of the repository. */
#include "lattice.h"

#include <unistd.h>

static char scratch[400], root[400];
static const int size4[4] = {4, 2, 2, 2};
static int early_calls;

/* Memory as a stack leaves it. */
#define GARBAGE(structure) memset(&(structure), 0xa5, sizeof(structure))

static char *name_of(const char *name)
{
    static char path[4][600];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", scratch, name);
    return path[next];
}

static field_t floats(int count, uint64_t seed)
{
    field_t f;
    memset(&f, 0, sizeof f);
    strcpy(f.formula, "mix");
    strcpy(f.precision, "F");
    f.seed = seed;
    f.word = 4;
    f.count = count;
    f.size = (size_t)(count * 24);
    return f;
}

static int all_on_node_0(int node)
{
    (void)node;
    return 0;
}

/* As MILC fills them: the functions with an argument are not set. */
static void milc_layout(QIO_Layout *layout)
{
    QIO_Layout whole = lat_serial(4, size4);
    GARBAGE(*layout);
    layout->node_number = whole.node_number;
    layout->node_index = whole.node_index;
    layout->get_coords = whole.get_coords;
    layout->num_sites = whole.num_sites;
    layout->latsize = lat;
    layout->latdim = 4;
    layout->volume = whole.volume;
    layout->sites_on_node = whole.sites_on_node;
    layout->this_node = 0;
    layout->number_of_nodes = 1;
}

static void milc_filesystem(QIO_Filesystem *fs)
{
    GARBAGE(*fs);
    fs->number_io_nodes = 0;
    fs->type = QIO_SINGLE_PATH;
    fs->my_io_node = all_on_node_0;
    fs->master_io_node = NULL;
    fs->io_node = NULL;
    fs->node_path = NULL;
}

static void milc_writes(const char *name)
{
    QIO_Layout layout;
    QIO_Filesystem fs;
    QIO_Oflag oflag;
    QIO_Writer *out;
    QIO_RecordInfo *info;
    QIO_USQCDKSPropRecordInfo *record;
    QIO_String *xml = QIO_string_create();
    field_t f = floats(1, 7);
    char text[] = "solution", type[] = "USQCD_F3_ColorVector", precision[] = "F";
    milc_layout(&layout);
    milc_filesystem(&fs);
    oflag.serpar = QIO_SERIAL;
    oflag.ildgstyle = QIO_ILDGNO;
    oflag.ildgLFN = NULL;
    oflag.mode = QIO_TRUNC;
    QIO_string_set(xml, "<title>a file</title>");
    out = QIO_open_write(xml, name, QIO_SINGLEFILE, &layout, &fs, &oflag);
    CHECK(out != NULL);
    QIO_string_destroy(xml);
    record = QIO_create_usqcd_ksproprecord_c_info(2, text);
    xml = QIO_string_create();
    QIO_encode_usqcd_ksproprecord_info(xml, record);
    QIO_destroy_usqcd_ksproprecord_info(record);
    info = QIO_create_record_info(QIO_FIELD, NULL, NULL, 0, type, precision, 3, 0, 24, 1);
    CODE(QIO_write(out, info, xml, field_get, f.size, f.word, &f), QIO_SUCCESS);
    QIO_destroy_record_info(info);
    QIO_string_destroy(xml);
    CODE(QIO_close_write(out), QIO_SUCCESS);
}

/* MILC asks for the color of a record in a function that is called for each record. */
static int color_of(QIO_String *xml)
{
    QIO_USQCDKSPropRecordInfo info, copy;
    GARBAGE(info);
    CHECK(QIO_get_usqcd_ksproprecord_color(&info) == QIO_BAD_ARG);
    CHECK(QIO_defined_usqcd_ksproprecord_color(&info) == 0);
    CODE(QIO_decode_usqcd_ksproprecord_info(&info, xml), QIO_SUCCESS);
    copy = info;
    CHECK(strcmp(QIO_get_usqcd_ksproprecord_info(&copy), "solution") == 0);
    return QIO_get_usqcd_ksproprecord_color(&info);
}

static void milc_reads(const char *name)
{
    QIO_Layout layout;
    QIO_Filesystem fs;
    QIO_Iflag iflag;
    QIO_Reader *in;
    QIO_RecordInfo info;
    QIO_String *xml = QIO_string_create();
    field_t f = floats(1, 7);
    int i;
    milc_layout(&layout);
    milc_filesystem(&fs);
    iflag.serpar = QIO_SERIAL;
    iflag.volfmt = QIO_UNKNOWN;
    in = QIO_open_read(xml, name, &layout, &fs, &iflag);
    CHECK(in != NULL && strcmp(QIO_string_ptr(xml), "<title>a file</title>") == 0);
    GARBAGE(info);
    CODE(QIO_read_record_info(in, &info, xml), QIO_SUCCESS);
    CHECK(QIO_get_typesize(&info) == 24 && strcmp(QIO_get_precision(&info), "F") == 0);
    CHECK(QIO_defined_datacount(&info) && QIO_get_datacount(&info) == 1);
    for (i = 0; i < 100; ++i) CHECK(color_of(xml) == 2);
    CODE(QIO_read(in, &info, xml, field_put, f.size, f.word, &f), QIO_SUCCESS);
    CHECK(f.calls == 32 && f.wrong == 0);
    GARBAGE(info);
    CODE(QIO_read(in, &info, xml, field_put, f.size, f.word, &f), QIO_EOF);
    CHECK(QIO_get_typesize(&info) == 0);
    CODE(QIO_close_read(in), QIO_SUCCESS);
    QIO_string_destroy(xml);
}

static int early_number(const int x[])
{
    (void)x;
    ++early_calls;
    return -1;
}

static void early_coords(int x[], int node, int index)
{
    (void)x;
    (void)node;
    (void)index;
    ++early_calls;
}

static int early_sites(int node)
{
    (void)node;
    ++early_calls;
    return -1;
}

static void early_layout(QIO_Layout *layout, int nodes)
{
    GARBAGE(*layout);
    layout->node_number = early_number;
    layout->node_index = early_number;
    layout->get_coords = early_coords;
    layout->num_sites = early_sites;
    layout->latsize = NULL;
    layout->latdim = 0;
    layout->volume = 1;
    layout->sites_on_node = 0;
    layout->this_node = 0;
    layout->number_of_nodes = nodes;
}

/* The lattice of a file, before the functions of the layout work. */
static void discovery(const char *name)
{
    QIO_Layout layout;
    QIO_Filesystem fs;
    QIO_Reader *in;
    QIO_String *xml = QIO_string_create();
    early_layout(&layout, 1);
    milc_filesystem(&fs);
    in = QIO_open_read(xml, name, &layout, &fs, NULL);
    CHECK(in != NULL && QIO_get_reader_latdim(in) == 4 && QIO_get_reader_latsize(in)[0] == 4);
    CODE(QIO_close_read(in), QIO_SUCCESS);
    QIO_string_destroy(xml);
    CHECK(early_calls == 0);
}

/* As QUDA and Chroma write: null functions for I/O nodes, a lattice size and a file name that do not live long. */
static void chroma_and_quda(const char *name)
{
    QIO_Layout layout;
    QIO_Filesystem fs;
    QIO_Oflag oflag;
    QIO_Writer *out;
    QIO_Reader *in;
    QIO_RecordInfo *info;
    QIO_String *xml = QIO_string_create();
    int latsize[4] = {4, 2, 2, 2}, lower[4] = {0, 0, 0, 0}, upper[4] = {4, 2, 2, 2};
    char dummy[100] = "", type[] = "QUDA_FNc3_GaugeField", precision[] = "F";
    field_t f = floats(4, 9);
    f.size = 4 * 72;
    milc_layout(&layout);
    layout.latsize = latsize;
    GARBAGE(fs);
    fs.my_io_node = NULL;
    fs.master_io_node = NULL;
    oflag.serpar = QIO_PARALLEL;
    oflag.ildgstyle = QIO_ILDGNO;
    oflag.mode = QIO_TRUNC;
    oflag.ildgLFN = QIO_string_create();
    QIO_string_set(oflag.ildgLFN, "monkey");
    QIO_string_set(xml, "Dummy user file XML");
    out = QIO_open_write(xml, name, QIO_SINGLEFILE, &layout, &fs, &oflag);
    CHECK(out != NULL);
    QIO_string_destroy(oflag.ildgLFN);
    GARBAGE(latsize);
    GARBAGE(layout);
    /* The bounds of a field are no hypercube, and are not used. */
    info = QIO_create_record_info(QIO_FIELD, lower, upper, 4, type, precision, 3, 0, 72, 4);
    CODE(QIO_write(out, info, xml, field_get, f.size, f.word, &f), QIO_SUCCESS);
    QIO_destroy_record_info(info);
    CODE(QIO_close_write(out), QIO_SUCCESS);

    milc_layout(&layout);
    in = QIO_open_read(xml, name, &layout, NULL, NULL);
    CHECK(in != NULL);
    info = QIO_create_record_info(0, NULL, NULL, 0, dummy, dummy, 0, 0, 0, 0);
    CHECK(*QIO_get_precision(info) == 0);
    CODE(QIO_read_record_info(in, info, xml), QIO_SUCCESS);
    CHECK(*QIO_get_precision(info) == 'F' && QIO_get_colors(info) == 3 && QIO_get_spins(info) == 0);
    CODE(QIO_read(in, info, xml, field_put, f.size, f.word, &f), QIO_SUCCESS);
    CHECK(f.wrong == 0);
    QIO_destroy_record_info(info);
    CODE(QIO_close_read(in), QIO_SUCCESS);
    QIO_string_destroy(xml);
}

/* The texts of an ILDG file of another program are never missing: Chroma makes C++ strings of them. */
static void alien(void)
{
    const char *names[] = {"grid_style", "tmlqcd_style", "ildg12_two_updates", "scidac_grid_dialect_no_grid_record"};
    size_t i;
    for (i = 0; i < sizeof names / sizeof *names; ++i) {
        char name[600];
        QIO_Layout layout;
        QIO_RecordInfo info;
        QIO_Reader *in;
        QIO_String *xml = QIO_string_create();
        snprintf(name, sizeof name, "%s/host-tests/fixtures/qio/alien/%s.lime", root, names[i]);
        early_layout(&layout, 1);
        in = QIO_open_read(xml, name, &layout, NULL, NULL);
        CHECK(in != NULL && QIO_string_ptr(xml) != NULL);
        GARBAGE(info);
        CODE(QIO_read_record_info(in, &info, xml), QIO_SUCCESS);
        CHECK(QIO_string_ptr(xml) != NULL && QIO_get_typesize(&info) > 0);
        CODE(QIO_close_read(in), QIO_SUCCESS);
        QIO_string_destroy(xml);
    }
}

static int io_node_of(int node)
{
    return node;
}

static int master(void)
{
    return 0;
}

/* The conversion programs of QIO: one process, layouts of two nodes; the volumes have their own directories. */
static void conversions(const char *name)
{
    QIO_Layout layout;
    QIO_Filesystem fs;
    QIO_Reader *in;
    field_t f = floats(1, 7);
    char paths[2][600], copy[600], *of_master;
    char *table[2] = {paths[0], paths[1]};
    QIO_RecordInfo info;
    QIO_String *xml = QIO_string_create();
    GARBAGE(fs);
    fs.number_io_nodes = 2;
    fs.type = QIO_MULTI_PATH;
    fs.my_io_node = io_node_of;
    fs.master_io_node = master;
    fs.io_node = NULL;
    fs.node_path = table;
    snprintf(paths[0], sizeof paths[0], "%s/conversion-a", scratch);
    snprintf(paths[1], sizeof paths[1], "%s/conversion-b", scratch);

    early_layout(&layout, 2);
    in = QIO_open_read_master(name, &layout, NULL, fs.my_io_node, fs.master_io_node);
    CHECK(in != NULL && QIO_get_reader_latdim(in) == 4 && QIO_get_reader_latsize(in)[1] == 2 && early_calls == 0);
    GARBAGE(info);
    CODE(QIO_read(in, &info, xml, field_put, f.size, f.word, &f), QIO_BAD_ARG);
    CHECK(strstr(linkstream_last_error()->message, "lattice alone") != NULL);
    CODE(QIO_close_read(in), QIO_SUCCESS);

    milc_layout(&layout);
    grid[0] = 2;
    lat_nodes = 2;
    layout.number_of_nodes = 2;
    layout.sites_on_node = 0;
    CHECK(chdir(scratch) == 0);
    CODE(QIO_single_to_part("milc.lime", &fs, &layout), QIO_SUCCESS);
    CHECK(access("conversion-a/milc.lime.vol0000", R_OK) == 0 && access("conversion-b/milc.lime.vol0001", R_OK) == 0);
    CHECK(rename("milc.lime", "milc-original.lime") == 0);

    early_layout(&layout, 2);
    of_master = QIO_set_filepath(&fs, "milc.lime", 0);
    in = QIO_open_read_master(of_master, &layout, NULL, fs.my_io_node, fs.master_io_node);
    CHECK(in != NULL && QIO_get_reader_latdim(in) == 4 && early_calls == 0);
    CODE(QIO_close_read(in), QIO_SUCCESS);
    free(of_master);
    CHECK(QIO_open_read_master("none.lime", &layout, NULL, fs.my_io_node, fs.master_io_node) == NULL);

    milc_layout(&layout);
    grid[0] = 2;
    lat_nodes = 2;
    layout.number_of_nodes = 2;
    CODE(QIO_part_to_single("milc.lime", QIO_ILDGNO, NULL, &fs, &layout), QIO_SUCCESS);
    {
        FILE *a = fopen("milc.lime", "rb"), *b = fopen("milc-original.lime", "rb");
        int x = 0, y = 0;
        CHECK(a != NULL && b != NULL);
        while (x == y && x != EOF) x = getc(a), y = getc(b);
        CHECK(x == EOF && y == EOF);
        fclose(a);
        fclose(b);
    }
    /* With the fourth argument. */
    snprintf(copy, sizeof copy, "%s", "milc-original.lime");
    CODE(QIO_single_to_part(copy, &fs, &layout, QIO_PARTFILE_DIR), QIO_SUCCESS);
    CHECK(access("conversion-b/vol0001/milc-original.lime", R_OK) == 0);
    QIO_string_destroy(xml);
}

/* As the converter of NERSC files. */
static void checksum(void)
{
    const unsigned char *text = (const unsigned char *)"123456789";
    CHECK(DML_crc32(0, text, 9) == UINT32_C(0xcbf43926));
    CHECK(DML_crc32(DML_crc32(0, text, 4), text + 4, 5) == UINT32_C(0xcbf43926));
    CHECK(DML_crc32(5, NULL, 0) == 5 && DML_crc32(5, NULL, 1) == 5);
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    snprintf(scratch, sizeof scratch, "%s", argv[1]);
    snprintf(root, sizeof root, "%s", argv[2]);
    _QIO_UNUSED_ARGUMENT(argc);
    (void)remove(name_of("milc.lime"));
    milc_writes(name_of("milc.lime"));
    milc_reads(name_of("milc.lime"));
    discovery(name_of("milc.lime"));
    chroma_and_quda(name_of("quda.lime"));
    alien();
    conversions(name_of("milc.lime"));
    checksum();
    return 0;
}
