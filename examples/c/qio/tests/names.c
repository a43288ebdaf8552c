/* Header files and names that programs use, as they use them: MILC, CPS, Chroma (QDP++), QUDA. A list of names that must
 * compile, and a document of their own kind, as MILC's file_combine and CPS write and read them.
 * Arguments: a directory for files, and the root of the repository. */
#include <qio_config.h>
#include <qio_stdint.h>
#include <lrl.h>
#include <dml.h>
#include <qioxml.h>
#include <qio_string.h>
#include <qio.h>

/* CPS declares these again. */
char *QIO_encode_as_string(char *buf, QIO_TagCharValue *tag_value, int *remainder);
char *QIO_encode_as_int(char *buf, QIO_TagIntValue *tag_value, int *remainder);
char *QIO_next_tag(char *parse_pt, char *tag, char **left_angle);
char *QIO_get_tag_value(char *parse_pt, char *tag, char *value_string);
void QIO_decode_as_string(char *tag, char *value_string, QIO_TagCharValue *tag_value);
void QIO_decode_as_int(char *tag, char *value_string, QIO_TagIntValue *tag_value);
int QIO_check_string_occur(QIO_TagCharValue *tag_value);
int QIO_check_int_occur(QIO_TagIntValue *tag_value);

#define CHECK(condition)                                                                                       \
    do {                                                                                                       \
        if (!(condition)) {                                                                                    \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, linkstream_last_error()->message); \
            exit(1);                                                                                           \
        }                                                                                                      \
    } while (0)

/* Functions whose addresses programs take, or that they only call: a missing one does not compile or link. */
#define NAME(function) {#function, (void (*)(void))(function)}
static const struct {
    const char *name;
    void (*function)(void);
} names[] = {
    NAME(QIO_open_read), NAME(QIO_open_write), NAME(QIO_close_read), NAME(QIO_close_write), NAME(QIO_read),
    NAME(QIO_write), NAME(QIO_read_record_info), NAME(QIO_read_record_data), NAME(QIO_next_record), NAME(QIO_verbose),
    NAME(QIO_verbosity), NAME(QIO_string_create), NAME(QIO_string_set), NAME(QIO_string_append), NAME(QIO_string_ptr),
    NAME(QIO_string_length), NAME(QIO_string_destroy), NAME(QIO_string_realloc), NAME(QIO_string_copy),
    NAME(QIO_create_record_info), NAME(QIO_destroy_record_info), NAME(QIO_compare_record_info),
    NAME(QIO_get_record_date), NAME(QIO_get_recordtype), NAME(QIO_get_datatype), NAME(QIO_get_precision),
    NAME(QIO_get_colors), NAME(QIO_get_spins), NAME(QIO_get_typesize), NAME(QIO_get_datacount),
    NAME(QIO_get_reader_latdim), NAME(QIO_get_reader_latsize), NAME(QIO_get_reader_last_checksuma),
    NAME(QIO_get_reader_last_checksumb), NAME(QIO_get_writer_last_checksuma), NAME(QIO_get_writer_last_checksumb),
    NAME(QIO_get_ILDG_LFN), NAME(QIO_set_filepath), NAME(QIO_filename_edit), NAME(QIO_part_to_single),
    NAME(QIO_create_usqcd_lattice_info), NAME(QIO_encode_usqcd_lattice_info), NAME(QIO_destroy_usqcd_lattice_info),
    NAME(QIO_create_usqcd_propfile_info), NAME(QIO_create_usqcd_proprecord_sc_info), NAME(QIO_get_usqcd_propfile_type),
    NAME(QIO_create_usqcd_kspropfile_info), NAME(QIO_create_usqcd_ksproprecord_c_info), NAME(DML_crc32),
    NAME(DML_free_sitelist), NAME(QIO_time), NAME(QIO_wait), NAME(DML_route_bytes), NAME(QIO_encode_as_string),
    NAME(QIO_decode_as_int)};

static const int constants[] = {QIO_UNKNOWN, QIO_SINGLEFILE, QIO_PARTFILE, QIO_MULTIFILE, QIO_PARTFILE_DIR, QIO_FIELD,
                                QIO_GLOBAL, QIO_HYPER, QIO_SERIAL, QIO_PARALLEL, QIO_CREAT, QIO_TRUNC, QIO_APPEND,
                                QIO_ILDGNO, QIO_ILDGLAT, QIO_SCIDAC_NATIVE, QIO_ILDG_ALIEN, QIO_EOF, QIO_BAD_XML,
                                QIO_VERB_DEBUG, QIO_MAX_FILENAME_LENGTH, QIO_MAXTAG, QIO_MAXATTR, QIO_MAXVALUESTRING,
                                QIO_MAXINTARRAY, QIO_STRINGALLOC, QIO_USQCDPROPFILETYPE_C1D12};

/* The structures of a document of the program. */
typedef struct {
    QIO_TagCharValue version;
    QIO_TagCharValue plaq;
    QIO_TagIntValue count;
} own_info;
typedef struct {
    QIO_TagCharValue tags;
} own_wrapper;

static const own_info info_template = {{"version", "", "", 0}, {"plaq", "", "", 0}, {"count", "", 0, 0}};
static const own_wrapper wrapper_template = {{"ownInfo", "kind='x'", "", 0}};

/* Returns the number of bytes of the document. */
static size_t encode(QIO_String *string, own_info *info)
{
    static own_wrapper wrapper;
    static char tags[QIO_MAXVALUESTRING];
    char *buf = tags;
    int remainder = QIO_MAXVALUESTRING;
    wrapper = wrapper_template;
    *buf = 0;
    buf = QIO_encode_as_string(buf, &info->version, &remainder);
    buf = QIO_encode_as_string(buf, &info->plaq, &remainder);
    buf = QIO_encode_as_int(buf, &info->count, &remainder);
    CHECK(remainder == QIO_MAXVALUESTRING - (int)strlen(tags) && *buf == 0);
    strcpy(wrapper.tags.value, tags);
    wrapper.tags.occur = 1;
    QIO_string_realloc(string, QIO_STRINGALLOC);
    buf = QIO_string_ptr(string);
    strcpy(buf, QIO_XMLINFO);
    remainder = QIO_STRINGALLOC - (int)strlen(buf);
    QIO_encode_as_string(buf + strlen(buf), &wrapper.tags, &remainder);
    return strlen(QIO_string_ptr(string));
}

/* Returns the number of elements that are missing. */
static int decode(own_info *info, char *text)
{
    static own_wrapper wrapper;
    static char tag[QIO_MAXTAG], tags[QIO_MAXVALUESTRING], value[QIO_MAXVALUESTRING];
    char *rest = text, *angle, *after;
    *info = info_template;
    wrapper = wrapper_template;
    after = QIO_next_tag(rest, tag, &angle);
    if (strcmp(tag, QIO_QUESTXML) == 0) rest = after;
    rest = QIO_get_tag_value(rest, tag, tags);
    QIO_decode_as_string(tag, tags, &wrapper.tags);
    if (QIO_check_string_occur(&wrapper.tags)) return QIO_BAD_XML;
    for (rest = wrapper.tags.value; *rest != 0;) {
        rest = QIO_get_tag_value(rest, tag, value);
        QIO_decode_as_string(tag, value, &info->version);
        QIO_decode_as_string(tag, value, &info->plaq);
        QIO_decode_as_int(tag, value, &info->count);
    }
    return QIO_check_string_occur(&info->version) + QIO_check_string_occur(&info->plaq) +
           QIO_check_int_occur(&info->count);
}

static void documents(void)
{
    static own_info info, found;
    QIO_String *string = QIO_string_create();
    char text[] = "<ownInfo><version>1</version><plaq>0.5</plaq><count>7x</count></ownInfo>", small[20];
    char twice[] = "<ownInfo><version>1</version><version>1</version></ownInfo>";
    char *text_of;
    size_t length, i;
    int remainder = sizeof small;
    info = info_template;
    strcpy(info.version.value, "1.0");
    strcpy(info.plaq.value, "0.5 & <b>more</b>");
    info.count.value = -12;
    info.version.occur = info.plaq.occur = info.count.occur = 1;
    length = encode(string, &info);
    text_of = QIO_string_ptr(string);
    CHECK(strcmp(text_of, "<?xml version=\"1.0\" encoding=\"UTF-8\"?><ownInfo kind='x'><version>1.0</version>"
                          "<plaq>0.5 & <b>more</b></plaq><count>-12</count></ownInfo>") == 0);
    CHECK(decode(&found, text_of) == 0 && found.count.value == -12 && strcmp(found.plaq.value, info.plaq.value) == 0);
    /* What is truncated, is no number, or occurs twice is missing. */
    for (i = 0; i < length; i++) {
        text_of[length - 1 - i] = 0;
        CHECK(decode(&found, text_of) != 0);
    }
    CHECK(decode(&found, text) == 1 && strstr(linkstream_last_error()->message, "7x") != NULL);
    CHECK(decode(&found, twice) == 3);
    /* An element that does not fit is not cut off, and nothing follows it. */
    small[0] = 0;
    CHECK(QIO_encode_as_string(small, &info.plaq, &remainder) == small && remainder == -1 && small[0] == 0);
    info.version.value[0] = 0;
    CHECK(QIO_encode_as_string(small, &info.version, &remainder) == small && remainder == -1 && small[0] == 0);
    CHECK(QIO_encode_as_string(small, NULL, &remainder) == small && QIO_check_string_occur(NULL) == 1);
    QIO_decode_as_string(NULL, NULL, NULL);
    QIO_decode_as_int(text, text, NULL);
    QIO_string_destroy(string);
}

int main(void)
{
    char bytes[4] = "abc";
    size_t i, sum = sizeof constants + sizeof(QIO_TagHex32Value) + sizeof(QIO_TagIntArrayValue) + sizeof(DML_Checksum);
    for (i = 0; i < sizeof names / sizeof names[0]; i++) CHECK(names[i].function != NULL && names[i].name[0] != 0);
    CHECK(sum > 0 && strncmp(QIO_VERSION, "3.0", 3) == 0);
    /* The library has the interface of the headers. */
    CHECK(strncmp(QIO_library_version(), QIO_VERSION, strlen(QIO_VERSION) - 1) == 0);
    CHECK(strstr(QIO_library_version(), " 0.2.0, ") != NULL && strstr(QIO_library_version(), ", release)") != NULL);
    CHECK(strncmp(QIO_NONSCIDAC_FILE, QIO_XMLINFO, strlen(QIO_XMLINFO)) == 0 && strlen(QIO_NONSCIDAC_RECORD) > 50);
    CHECK(strstr(QIO_NONSCIDAC_RECORD, "NonSciDACRecord") != NULL);
    DML_route_bytes(bytes, 3, 0, 0);
    CHECK(strcmp(bytes, "abc") == 0);
    documents();
    return 0;
}
