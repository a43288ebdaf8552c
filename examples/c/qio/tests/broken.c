/* Damaged files, and files of other programs: what is wrong is an error, what is only unusual is read.
 * Arguments: a directory for files, and the root of the repository. */
#include "lattice.h"

static char root[400];

static void quoted(const char *from, char *to, size_t room)
{
    size_t n = 0;
    for (from++; *from != '"' && n + 1 < room; from++) to[n++] = *from;
    to[n] = 0;
}

static void count_put(char *buf, size_t index, int count, void *arg)
{
    (void)buf;
    (void)index;
    (void)count;
    ++*(long *)arg;
}

/* Reads a file with the lattice that it describes. Returns the code that ends it. */
static int read_file(const char *name, int *records)
{
    QIO_Layout layout = {0};
    QIO_Reader *in;
    QIO_RecordInfo *info = QIO_create_record_info(0, NULL, NULL, 0, NULL, NULL, 0, 0, 0, 0);
    QIO_String *xml = QIO_string_create();
    int code = QIO_ERR_OPEN_READ, dims = 0;
    *records = 0;
    layout.number_of_nodes = 1;
    in = QIO_open_read(xml, name, &layout, NULL, NULL);
    if (in != NULL) {
        dims = QIO_get_reader_latdim(in);
        layout = lat_serial(dims, QIO_get_reader_latsize(in));
        lat_order = 0;
        CODE(QIO_close_read(in), QIO_SUCCESS);
        in = QIO_open_read(xml, name, &layout, NULL, NULL);
    }
    while (in != NULL) {
        long calls = 0;
        size_t bytes;
        code = QIO_read_record_info(in, info, xml);
        if (code == QIO_SUCCESS) {
            bytes = QIO_get_typesize(info) * (size_t)QIO_get_datacount(info);
            code = QIO_read_record_data(in, count_put, bytes, 1, &calls);
        }
        if (code != QIO_SUCCESS) break;
        ++*records;
    }
    if (in != NULL) CODE(QIO_close_read(in), QIO_SUCCESS);
    QIO_destroy_record_info(info);
    QIO_string_destroy(xml);
    return code;
}

static void broken(void)
{
    char path[900], file[200], last[200] = "", should[200];
    size_t length;
    char *manifest, *entry;
    int wrong = 0, files = 0;
    snprintf(path, sizeof path, "%s/host-tests/fixtures/broken/MANIFEST.toml", root);
    manifest = file_bytes(path, &length);
    for (entry = strstr(manifest, "[[file]]"); entry != NULL;) {
        char *next = strstr(entry + 1, "[[file]]"), *at;
        int records, code;
        if (next != NULL) next[-1] = 0;
        quoted(strstr(entry, "path = ") + 7, file, sizeof file);
        at = strstr(entry, "\nshould = ");
        quoted(at != NULL ? at + 10 : "\"error\"", should, sizeof should);
        entry = next;
        if (strncmp(file, "lime/", 5) == 0) continue;
        if ((at = strstr(file, ".vol")) != NULL) *at = 0;
        if (strcmp(file, last) == 0) continue;
        strcpy(last, file);
        snprintf(path, sizeof path, "%s/host-tests/fixtures/broken/%s", root, file);
        code = read_file(path, &records);
        files++;
        if ((strcmp(should, "error") == 0 && code == QIO_EOF) || (strncmp(should, "accept", 6) == 0 && code != QIO_EOF &&
                                                                  strstr(should, "or typed error") == NULL)) {
            fprintf(stderr, "%s (%s): code %d after %d records: %s\n", file, should, code, records,
                    code == QIO_EOF ? "" : linkstream_last_error()->message);
            wrong++;
        }
    }
    free(manifest);
    printf("%d damaged files\n", files);
    CHECK(wrong == 0 && files > 100);
}

/* Files of other programs, and files in which QIO shows its quirks. */
static void others(void)
{
    static const struct {
        const char *name;
        int code, records;
    } all[] = {{"alien/ildg12_lfn_first_d", QIO_EOF, 1},
               {"alien/xml_unknown_elements", QIO_EOF, 1},
               {"alien/tmlqcd_style", QIO_EOF, 1},
               {"alien/ildg12_u1phase", QIO_ERR_REC_INFO, 0},
               {"alien/xml_prefix_and_quotes", QIO_EOF, 1},
               {"alien/ildg12_su2gauge", QIO_EOF, 1},
               {"alien/ildg12_two_updates", QIO_EOF, 2},
               {"alien/ildg10_one_message_foreign", QIO_EOF, 1},
               {"alien/xml_comment_inside", QIO_EOF, 1},
               {"alien/ildg12_rows2", QIO_ERR_REC_INFO, 0},
               {"alien/xml_comment_in_ildg_format", QIO_EOF, 1},
               {"alien/scidac_grid_dialect_no_grid_record", QIO_EOF, 1},
               {"alien/ildg12_rows3_explicit", QIO_EOF, 1},
               {"alien/ildg12_two_messages", QIO_EOF, 1},
               {"alien/grid_style", QIO_EOF, 1},
               {"alien/ildg12_three_dim", QIO_ERR_REC_INFO, 0},
               {"alien/ildg12_u1gauge", QIO_EOF, 1},
               {"quirks/single_append_overwrites", QIO_ERR_BAD_READ_BYTES, 1},
               {"quirks/part2_append", QIO_ERR_PRIVATE_FILE_INFO, 1},
               {"quirks/usqcdinfo_truncated", QIO_EOF, 1},
               {"quirks/xml_sizes", QIO_EOF, 3},
               {"quirks/checksum_suma_zero", QIO_EOF, 1},
               {"quirks/checksum_both_zero", QIO_EOF, 1}};
    char path[900];
    size_t i;
    for (i = 0; i < sizeof all / sizeof all[0]; i++) {
        int code, records;
        snprintf(path, sizeof path, "%s/host-tests/fixtures/qio/%s.lime", root, all[i].name);
        code = read_file(path, &records);
        if (code != all[i].code || records != all[i].records)
            fprintf(stderr, "%s: code %d after %d records\n", all[i].name, code, records);
        CHECK(code == all[i].code && records == all[i].records);
    }
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    snprintf(root, sizeof root, "%s", argv[2]);
    others();
    broken();
    return 0;
}
