/* Calls with less and less memory: each ends with success or with QIO_ERR_ALLOC, or without a handle and with an error that
 * names memory. Arguments: a directory. */
#include "../../tests/shrink.h"
#include "lattice.h"

enum { SITE = 24, TEXT = 1 << 20 };

static QIO_Layout layout;
static QIO_Filesystem one_node;
static QIO_String *text;
/* The kind of file of the next part. */
static int volfmt;

static int own_io_node(int node)
{
    return node;
}

static int node_0(void)
{
    return 0;
}

/* The result of a part whose last call has returned this. */
static int result(int code)
{
    if (code == QIO_SUCCESS) return SHRINK_DONE;
    if (code == QIO_ERR_ALLOC && strstr(linkstream_last_error()->message, "memory") != NULL) return SHRINK_NO_MEMORY;
    fprintf(stderr, "code %d: %s\n", code, linkstream_last_error()->message);
    return SHRINK_WRONG;
}

/* The result of a call that has returned no handle. */
static int without_handle(void)
{
    return strstr(linkstream_last_error()->message, "memory") != NULL ? SHRINK_NO_MEMORY : result(QIO_ERR_OPEN_READ);
}

static void get(char *buf, size_t index, int count, void *arg)
{
    float numbers[SITE / sizeof(float)];
    size_t i;
    (void)count, (void)arg;
    for (i = 0; i < sizeof numbers / sizeof *numbers; i++) numbers[i] = (float)index;
    memcpy(buf, numbers, sizeof numbers);
}

static void put(char *buf, size_t index, int count, void *arg)
{
    float number;
    (void)count;
    memcpy(&number, buf, sizeof number);
    if (number != (float)index) ++*(int *)arg;
}

static int writing(const char *path)
{
    QIO_Writer *out = QIO_open_write(text, path, volfmt, &layout, NULL, NULL);
    QIO_RecordInfo *info;
    int code;
    if (out == NULL) return without_handle();
    info = QIO_create_record_info(QIO_FIELD, NULL, NULL, 0, (char *)"QDP_F3_ColorVector", (char *)"F", 3, 0, SITE, 1);
    if (info == NULL) return without_handle();
    code = QIO_write(out, info, text, get, SITE, sizeof(float), NULL);
    if (code == QIO_SUCCESS) code = QIO_close_write(out);
    return result(code);
}

static int reading(const char *path)
{
    QIO_String *xml = QIO_string_create();
    QIO_Reader *in;
    QIO_RecordInfo *info;
    int wrong = 0, code;
    if (xml == NULL) return without_handle();
    in = QIO_open_read(xml, path, &layout, NULL, NULL);
    if (in == NULL) return without_handle();
    info = QIO_create_record_info(0, NULL, NULL, 0, NULL, NULL, 0, 0, 0, 0);
    if (info == NULL) return without_handle();
    code = QIO_read(in, info, xml, put, SITE, sizeof(float), &wrong);
    if (code == QIO_SUCCESS) code = QIO_close_read(in);
    return wrong > 0 ? SHRINK_WRONG : result(code);
}

/* A single file becomes volumes, and these become the file that is read afterwards. */
static int splitting(const char *path)
{
    return result(QIO_single_to_part(path, &one_node, &layout, QIO_PARTFILE));
}

static int joining(const char *path)
{
    (void)remove(path);
    return result(QIO_part_to_single(path, QIO_ILDGNO, NULL, &one_node, &layout));
}

int main(int argc, char **argv)
{
    const int size[4] = {32, 32, 16, 16}, formats[3] = {QIO_SINGLEFILE, QIO_PARTFILE, QIO_MULTIFILE};
    char *path, *long_text;
    int i;
    if (argc < 2) return 1;
    if (shrink_is_useless()) return 0;
    layout = lat_serial(4, size);
    one_node.number_io_nodes = 1;
    one_node.my_io_node = own_io_node;
    one_node.master_io_node = node_0;
    path = malloc(strlen(argv[1]) + 20), long_text = malloc(TEXT);
    CHECK(path != NULL && long_text != NULL);
    memset(long_text, 'x', TEXT);
    long_text[TEXT - 1] = 0;
    text = QIO_string_create();
    QIO_string_set(text, long_text);
    CHECK(QIO_string_length(text) == TEXT);
    for (i = 0; i < 3; i++) {
        volfmt = formats[i];
        sprintf(path, "%s/memory-%d", argv[1], i);
        CHECK(shrink("writing", writing, path));
        CHECK(in_child(writing, path));
        CHECK(shrink("reading", reading, path));
    }
    sprintf(path, "%s/memory-0", argv[1]);
    CHECK(shrink("splitting", splitting, path));
    CHECK(in_child(splitting, path));
    CHECK(shrink("joining", joining, path));
    CHECK(in_child(joining, path));
    CHECK(shrink("reading", reading, path));
    QIO_string_destroy(text);
    free(long_text);
    free(path);
    return 0;
}
