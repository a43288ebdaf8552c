/* Files of all formats: the files of QIO are read, compared with their list, and written again with the same bytes.
 * Arguments: a directory for files, and the root of the repository. */
#include "lattice.h"

static char root[400], scratch[400];

/* The list of files. */
static char *manifest;

/* The text after `key = ` in a line, or in the lines of a file. */
static const char *after(const char *from, const char *end, const char *key)
{
    const char *found = strstr(from, key);
    return found != NULL && found < end ? found + strlen(key) : NULL;
}

static void quoted(const char *from, char *to, size_t room)
{
    size_t n = 0;
    CHECK(*from == '"');
    for (from++; *from != '"' && n + 1 < room; from++) {
        if (*from == '\\') from++;
        to[n++] = *from;
    }
    to[n] = 0;
}

/* The data of a record in memory, site by site. */
typedef struct {
    field_t field;
    char *memory;
} copy_t;

static void copy_put(char *buf, size_t index, int count, void *arg)
{
    copy_t *copy = (copy_t *)arg;
    memcpy(copy->memory + index * copy->field.size, buf, copy->field.size);
    field_put(buf, index, count, &copy->field);
}

static void copy_get(char *buf, size_t index, int count, void *arg)
{
    copy_t *copy = (copy_t *)arg;
    if (count != copy->field.count) copy->field.wrong++;
    memcpy(buf, copy->memory + index * copy->field.size, copy->field.size);
}

static long sites_of(QIO_RecordInfo *info, size_t volume)
{
    long n = 1;
    int d;
    if (QIO_get_recordtype(info) == QIO_GLOBAL) return 1;
    if (QIO_get_recordtype(info) == QIO_FIELD) return (long)volume;
    for (d = 0; d < lat_dims; d++) n *= QIO_get_hyperupper(info)[d] - QIO_get_hyperlower(info)[d] + 1;
    return n;
}

/* Reads all records of a file that the list describes. If `out` is not NULL, writes them to it. */
static int read_file(const char *name, const char *entry, const char *end, QIO_Writer *out, QIO_Reader *in,
                     const QIO_Layout *layout)
{
    const char *line = after(entry, end, "\nrecord = [\n");
    QIO_RecordInfo *info = QIO_create_record_info(0, NULL, NULL, 0, NULL, NULL, 0, 0, 0, 0);
    QIO_String *xml = QIO_string_create();
    int records = 0;
    for (; line != NULL && strncmp(line, "  {", 3) == 0; line = strchr(line, '\n') + 1) {
        const char *eol = strchr(line, '\n'), *value;
        char text[200];
        copy_t copy;
        long sites;
        int code;
        memset(&copy, 0, sizeof copy);
        CODE(QIO_read_record_info(in, info, xml), QIO_SUCCESS);
        CHECK(atoi(after(line, eol, "recordtype = ")) == QIO_get_recordtype(info));
        quoted(after(line, eol, "datatype = "), text, sizeof text);
        CHECK(strcmp(text, QIO_get_datatype(info)) == 0);
        quoted(after(line, eol, "precision = "), text, sizeof text);
        CHECK(strcmp(text, QIO_get_precision(info)) == 0);
        CHECK(atoi(after(line, eol, "colors = ")) == QIO_get_colors(info));
        CHECK(atoi(after(line, eol, "spins = ")) == QIO_get_spins(info));
        CHECK((size_t)atoi(after(line, eol, "typesize = ")) == QIO_get_typesize(info));
        CHECK(atoi(after(line, eol, "datacount = ")) == QIO_get_datacount(info));
        CHECK(strcmp(QIO_get_record_date(info), "Tue Jan  2 03:04:05 2024 UTC") == 0);
        strcpy(copy.field.precision, QIO_get_precision(info));
        quoted(after(line, eol, "formula = "), copy.field.formula, sizeof copy.field.formula);
        value = after(line, eol, "seed = \"");
        copy.field.seed = value != NULL ? strtoull(value, NULL, 16) : 0;
        copy.field.word = atoi(after(line, eol, "word_size = "));
        copy.field.count = QIO_get_datacount(info);
        copy.field.size = QIO_get_typesize(info) * (size_t)copy.field.count;
        copy.field.is_global = QIO_get_recordtype(info) == QIO_GLOBAL;
        copy.memory = (char *)calloc(copy.field.is_global ? 1 : layout->volume, copy.field.size);
        code = QIO_read_record_data(in, copy_put, copy.field.size, copy.field.word, &copy);
        if (code != QIO_SUCCESS) fprintf(stderr, "%s: record %d\n", name, records);
        CODE(code, QIO_SUCCESS);
        sites = sites_of(info, layout->volume);
        if (copy.field.calls != sites || copy.field.wrong != 0)
            fprintf(stderr, "%s: record %d: %ld calls for %ld sites, %ld words wrong\n", name, records,
                    copy.field.calls, sites, copy.field.wrong);
        CHECK(copy.field.calls == sites && copy.field.wrong == 0);
        CHECK(QIO_get_reader_last_checksuma(in) == strtoul(after(line, eol, "suma = \""), NULL, 16));
        CHECK(QIO_get_reader_last_checksumb(in) == strtoul(after(line, eol, "sumb = \""), NULL, 16));
        if (out != NULL) {
            CODE(QIO_write(out, info, xml, copy_get, copy.field.size, copy.field.word, &copy), QIO_SUCCESS);
            CHECK(QIO_get_writer_last_checksuma(out) == QIO_get_reader_last_checksuma(in));
            CHECK(QIO_get_writer_last_checksumb(out) == QIO_get_reader_last_checksumb(in));
        }
        free(copy.memory);
        records++;
    }
    CODE(QIO_read_record_info(in, info, xml), QIO_EOF);
    CODE(QIO_next_record(in), QIO_EOF);
    QIO_destroy_record_info(info);
    QIO_string_destroy(xml);
    return records;
}

static int has_prefix(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* All files of QIO in the list. */
static void read_all(void)
{
    const char *entry = strstr(manifest, "[[file]]");
    int files = 0, records = 0, rewritten = 0;
    while (entry != NULL) {
        const char *next = strstr(entry + 1, "[[file]]"), *end = next != NULL ? next : entry + strlen(entry), *value;
        char path[200], name[1200], copy[1200];
        int dims[8], n = 0, is_set, is_first, is_quirk;
        quoted(after(entry, end, "path = "), path, sizeof path);
        value = after(entry, end, "\nset = ");
        is_set = value != NULL;
        is_first = after(entry, end, "scidac-private-file-xml") != NULL;
        is_quirk = strcmp(path, "quirks/single_append_overwrites.lime") == 0 ||
                   has_prefix(path, "quirks/part2_append.lime") || has_prefix(path, "quirks/usqcdinfo_truncated") ||
                   has_prefix(path, "quirks/xml_sizes");
        if (is_set) quoted(value, path, sizeof path);
        if ((has_prefix(path, "single/") || has_prefix(path, "multi/") || has_prefix(path, "ildg/") ||
             has_prefix(path, "usqcd/") || has_prefix(path, "convert/") || has_prefix(path, "quirks/")) &&
            is_first && !is_quirk && after(entry, end, "\nrecord = [\n") != NULL &&
            after(entry, end, "exit_status = 1") == NULL) {
            QIO_Layout layout, discover;
            QIO_Reader *in;
            QIO_Writer *out = NULL;
            QIO_String *xml = QIO_string_create();
            QIO_Oflag flags;
            const char *at = after(entry, end, "dims = [");
            for (; at != NULL && *at != ']' && n < 8; n++) {
                dims[n] = atoi(at);
                at += strcspn(at, ",]");
                if (*at == ',') at++;
            }
            layout = lat_serial(n, dims);
            lat_order = files % 3;
            if (lat_order == 1 && layout.volume > 300) lat_order = 2;
            snprintf(name, sizeof name, "%s/host-tests/fixtures/qio/%s", root, path);
            snprintf(copy, sizeof copy, "%s/copy.lime", scratch);
            discover = layout;
            discover.latdim = 0;
            discover.volume = discover.sites_on_node = 0;
            in = QIO_open_read(NULL, name, &discover, NULL, NULL);
            CHECK(in != NULL && QIO_get_reader_latdim(in) == n);
            CHECK(memcmp(QIO_get_reader_latsize(in), dims, (size_t)n * sizeof(int)) == 0);
            CODE(QIO_close_read(in), QIO_SUCCESS);
            in = QIO_open_read(xml, name, &layout, NULL, NULL);
            if (in == NULL) fprintf(stderr, "%s\n", name);
            CHECK(in != NULL);
            CHECK(QIO_get_reader_format(in) == QIO_SCIDAC_NATIVE);
            CHECK(QIO_get_reader_volfmt(in) == atoi(after(entry, end, "volfmt = ")));
            memset(&flags, 0, sizeof flags);
            flags.ildgLFN = QIO_string_create();
            flags.ildgstyle = after(entry, end, "\"ildg-format\"") != NULL;
            if (flags.ildgstyle && after(entry, end, "\nlfn = ") != NULL) {
                char lfn[200];
                quoted(after(entry, end, "\nlfn = "), lfn, sizeof lfn);
                QIO_string_set(flags.ildgLFN, lfn);
            }
            out = QIO_open_write(xml, copy, QIO_SINGLEFILE, &layout, NULL, &flags);
            CHECK(out != NULL);
            records += read_file(name, entry, end, out, in, &layout);
            CODE(QIO_close_write(out), QIO_SUCCESS);
            CODE(QIO_close_read(in), QIO_SUCCESS);
            if (!is_set && !has_prefix(path, "convert/ildg_back") && !has_prefix(path, "quirks/")) {
                CHECK(same_files(name, copy));
                rewritten++;
            }
            QIO_string_destroy(flags.ildgLFN);
            QIO_string_destroy(xml);
            files++;
        }
        entry = next;
    }
    printf("%d files with %d records read, %d written again\n", files, records, rewritten);
    CHECK(files == 55 && records == 161 && rewritten == 43);
}

int main(int argc, char **argv)
{
    char path[600];
    size_t length;
    if (argc < 3) return 2;
    snprintf(scratch, sizeof scratch, "%s", argv[1]);
    snprintf(root, sizeof root, "%s", argv[2]);
    snprintf(path, sizeof path, "%s/host-tests/fixtures/qio/MANIFEST.toml", root);
    manifest = file_bytes(path, &length);
    read_all();
    free(manifest);
    return 0;
}
