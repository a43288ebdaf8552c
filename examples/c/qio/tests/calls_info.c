/* Each call of qio_string.h, qioxml.h and qio_layout.h: results, and the bytes that QIO writes. */
#include "info.h"

static char *root;

/* --- Strings --- */

static void strings(void) {
    QIO_String *s = QIO_string_create(), *copy = QIO_string_create();
    CHECK(s != NULL && s->string == NULL && s->length == 0);
    CHECK(QIO_string_length(s) == 0 && QIO_string_ptr(s) == NULL);
    QIO_string_set(s, "lattice");
    CHECK(QIO_string_length(s) == 8 && QIO_string_bytes(s) == 8 && strcmp(QIO_string_ptr(s), "lattice") == 0);
    QIO_string_set(s, QIO_string_ptr(s) + 3);
    CHECK(QIO_string_length(s) == 5 && strcmp(s->string, "tice") == 0);
    QIO_string_append(s, "!");
    QIO_string_append(s, s->string);
    CHECK(QIO_string_length(s) == 11 && strcmp(s->string, "tice!tice!") == 0);
    QIO_string_copy(copy, s);
    CHECK(copy->string != s->string && copy->length == 11 && memcmp(copy->string, "tice!tice!", 11) == 0);
    QIO_string_copy(copy, copy);
    CHECK(copy->length == 11);
    QIO_string_realloc(s, 4);
    CHECK(s->length == 4 && memcmp(s->string, "tic", 4) == 0);
    QIO_string_realloc(s, 8);
    CHECK(s->length == 8 && memcmp(s->string, "tic\0\0\0\0", 8) == 0);
    QIO_string_copy(copy, s);
    CHECK(copy->length == 8);
    QIO_string_realloc(s, 0);
    CHECK(s->length == 0 && s->string == NULL);
    QIO_string_copy(copy, s);
    CHECK(copy->length == 0 && copy->string == NULL);
    QIO_string_append(s, "new");
    CHECK(s->length == 4);
    QIO_string_set(s, NULL);
    CHECK(s->length == 0 && s->string == NULL);
    QIO_string_set(s, "");
    CHECK(s->length == 1 && s->string[0] == 0);
    QIO_string_destroy(s);
    QIO_string_destroy(copy);
    QIO_string_destroy(NULL);

    /* A structure of the program, and memory of malloc in both directions. */
    QIO_String own = {NULL, 0};
    QIO_string_set(&own, "own");
    CHECK(own.length == 4);
    free(own.string);
    own.string = malloc(6);
    memcpy(own.string, "given", 6);
    own.length = 6;
    QIO_string_append(&own, "+");
    CHECK(own.length == 7 && strcmp(own.string, "given+") == 0);
    QIO_string_set(&own, NULL);
}

/* --- Record infos --- */

static void record_infos(void) {
    int lower[4] = {0, 0, 0, 4}, upper[4] = {31, 31, 31, 4};
    QIO_RecordInfo *info = QIO_create_record_info(QIO_HYPER, lower, upper, 4, text("USQCD_F3_ColorMatrix"), text("F"),
                                                  3, 4, 72, 1);
    CHECK(info != NULL && QIO_get_recordtype(info) == QIO_HYPER);
    CHECK(memcmp(QIO_get_hyperlower(info), lower, sizeof lower) == 0 && QIO_get_hyperlower(info)[7] == 0);
    CHECK(memcmp(QIO_get_hyperupper(info), upper, sizeof upper) == 0 && QIO_get_hyperupper(info)[7] == 0);
    CHECK(strcmp(QIO_get_datatype(info), "USQCD_F3_ColorMatrix") == 0 && strcmp(QIO_get_precision(info), "F") == 0);
    CHECK(QIO_get_colors(info) == 3 && QIO_get_spins(info) == 4);
    CHECK(QIO_get_typesize(info) == 72 && QIO_get_datacount(info) == 1);
    CHECK(strlen(QIO_get_record_date(info)) == 28 && strcmp(QIO_get_record_date(info) + 24, " UTC") == 0);

    /* Only what is expected is compared. */
    QIO_RecordInfo *blank = QIO_create_record_info(QIO_HYPER, NULL, NULL, 0, text(""), NULL, 0, 0, 0, 0);
    CHECK(strcmp(QIO_get_datatype(blank), "") == 0 && strcmp(QIO_get_precision(blank), "") == 0);
    CHECK(QIO_compare_record_info(info, blank) == QIO_SUCCESS && QIO_compare_record_info(info, info) == QIO_SUCCESS);
    CHECK(QIO_compare_record_info(blank, info) == QIO_ERR_REC_INFO);
    CHECK_ERROR("hypercube");
    int later[4] = {31, 31, 31, 5};
    struct {
        int type, *upper, n;
        const char *datatype, *precision;
        int colors, spins, typesize, datacount;
        const char *difference;
    } expected[] = {
        {QIO_FIELD, NULL, 0, NULL, NULL, 0, 0, 0, 0, "recordtype"},
        {QIO_HYPER, later, 4, NULL, NULL, 0, 0, 0, 0, "hypercube"},
        {QIO_HYPER, upper, 3, NULL, NULL, 0, 0, 0, 0, "hypercube"},
        {QIO_HYPER, NULL, 0, "USQCD_F3_ColorMatri", "F", 0, 0, 0, 0, "datatype"},
        {QIO_HYPER, NULL, 0, "", "D", 0, 0, 0, 0, "precision"},
        {QIO_HYPER, NULL, 0, "", "F", 2, 0, 0, 0, "colors"},
        {QIO_HYPER, NULL, 0, "", "", 3, 2, 0, 0, "spins"},
        {QIO_HYPER, NULL, 0, "", "", 0, 0, 144, 1, "typesize"},
        {QIO_HYPER, NULL, 0, "", "", 0, 0, 0, 4, "datacount"},
        {QIO_HYPER, upper, 4, "USQCD_F3_ColorMatrix", "", 3, 0, 72, 0, NULL},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
        QIO_RecordInfo *e = QIO_create_record_info(
            expected[i].type, expected[i].upper ? lower : NULL, expected[i].upper, expected[i].n,
            text(expected[i].datatype), text(expected[i].precision), expected[i].colors, expected[i].spins,
            expected[i].typesize, expected[i].datacount);
        CHECK(e != NULL);
        if (expected[i].difference == NULL) {
            CHECK(QIO_compare_record_info(info, e) == QIO_SUCCESS);
        } else {
            CHECK(QIO_compare_record_info(info, e) == QIO_ERR_REC_INFO);
            CHECK_ERROR(expected[i].difference);
        }
        QIO_destroy_record_info(e);
    }
    QIO_destroy_record_info(blank);
    QIO_destroy_record_info(info);
    QIO_destroy_record_info(NULL);

    /* A structure of the program, without any value before: only a filled one has members. Copies are filled too. */
    QIO_RecordInfo mine, copy;
    memset(&mine, 0xa5, sizeof mine);
    CHECK(QIO_get_recordtype(&mine) == QIO_BAD_ARG && QIO_get_datatype(&mine) == NULL);
    CHECK_ERROR("not been filled");
    info = QIO_create_record_info(QIO_HYPER, lower, upper, 4, text("QDP_F_Real"), text("F"), 0, 0, 4, 2);
    mine = *info;
    QIO_destroy_record_info(info);
    copy = mine;
    CHECK(QIO_get_recordtype(&copy) == QIO_HYPER && QIO_get_typesize(&copy) == 4 && QIO_get_datacount(&copy) == 2);
    CHECK(strcmp(QIO_get_datatype(&copy), "QDP_F_Real") == 0 && QIO_get_hyperupper(&copy)[0] == 31);
    CHECK(QIO_compare_record_info(&copy, &mine) == QIO_SUCCESS);
    CHECK(QIO_defined_record_date(&copy) == 1 && QIO_defined_recordtype(&copy) == 1);
    CHECK(QIO_defined_datatype(&copy) == 1 && QIO_defined_precision(&copy) == 1 && QIO_defined_colors(&copy) == 0);
    CHECK(QIO_defined_spins(&copy) == 0 && QIO_defined_typesize(&copy) == 1 && QIO_defined_datacount(&copy) == 1);
    CHECK(QIO_defined_typesize(NULL) == 0);
    QIO_get_hyperupper(&copy)[1] = -1;
    CHECK(QIO_compare_record_info(&copy, &mine) == QIO_ERR_BAD_SUBSET);
    char long_text[129];
    memset(long_text, 'x', 128);
    long_text[128] = 0;
    CHECK(QIO_create_record_info(QIO_FIELD, NULL, NULL, 0, long_text, NULL, 0, 0, 0, 0) == NULL);
    CHECK_ERROR("datatype has 128 bytes");

    /* Bounds of other record types are not used. */
    info = QIO_create_record_info(QIO_FIELD, NULL, NULL, 4, text("QDP_F_Real"), text("F"), 0, 0, 4, 1);
    CHECK(info != NULL && QIO_get_hyperupper(info)[0] == 0);
    QIO_destroy_record_info(info);
}

/* --- Documents --- */

/* The length counts the zero byte, as in the records of files. */
static void check_xml(QIO_String *string, const char *expected) {
    CHECK(QIO_string_length(string) == strlen(expected) + 1);
    CHECK(memcmp(QIO_string_ptr(string), expected, strlen(expected) + 1) == 0);
}

static void lattice_infos(void) {
    QIO_String *s = QIO_string_create();
    QIO_USQCDLatticeInfo *info = QIO_create_usqcd_lattice_info(text("0.5"), text("0.25"), text("text"));
    QIO_encode_usqcd_lattice_info(s, info);
    check_xml(s, XML "<usqcdInfo><version>1.0</version><plaq>0.5</plaq><linktr>0.25</linktr><info>text</info>"
                     "</usqcdInfo>");
    CHECK(QIO_defined_plaq(info) == 1 && QIO_defined_linktr(info) == 1 && QIO_defined_info(info) == 1);
    CHECK(strcmp(QIO_get_plaq(info), "0.5") == 0 && strcmp(QIO_get_linktr(info), "0.25") == 0);

    /* Elements in another order, white space, and one that is missing. */
    QIO_string_set(s, "\n<?xml version=\"1.0\"?>\n<usqcdInfo>\n  <info>a & b</info>\n  <version>1</version>\n"
                      "  <!-- plaq -->\n  <linktr> 0.125\n</linktr>\n  <other/>\n</usqcdInfo>\n");
    CHECK(QIO_decode_usqcd_lattice_info(info, s) == 1);
    CHECK_ERROR("<plaq> is missing");
    CHECK(QIO_defined_plaq(info) == 0 && strcmp(QIO_get_plaq(info), "") == 0);
    CHECK(strcmp(QIO_get_linktr(info), "0.125") == 0 && strcmp(QIO_get_info(info), "a & b") == 0);
    QIO_encode_usqcd_lattice_info(s, info);
    check_xml(s, XML "<usqcdInfo><version>1</version><linktr>0.125</linktr><info>a & b</info></usqcdInfo>");
    QIO_destroy_usqcd_lattice_info(info);

    /* NULL is missing, "" is not. */
    info = QIO_create_usqcd_lattice_info(NULL, text(""), text(XML "<title>t</title>"));
    CHECK(QIO_defined_plaq(info) == 0 && QIO_defined_linktr(info) == 1);
    QIO_encode_usqcd_lattice_info(s, info);
    check_xml(s, XML "<usqcdInfo><version>1.0</version><linktr></linktr><info>" XML "<title>t</title></info>"
                     "</usqcdInfo>");
    CHECK(QIO_decode_usqcd_lattice_info(info, s) == 1);
    CHECK(strcmp(QIO_get_info(info), XML "<title>t</title>") == 0);
    QIO_destroy_usqcd_lattice_info(info);
    QIO_destroy_usqcd_lattice_info(NULL);

    /* The longest text: nothing is truncated. */
    char longest[1025];
    memset(longest, 'x', 1024);
    longest[1023] = longest[1024] = 0;
    info = QIO_create_usqcd_lattice_info(text("1"), text("1"), longest);
    CHECK(info != NULL);
    QIO_encode_usqcd_lattice_info(s, info);
    CHECK(QIO_string_length(s) > 1024);
    CHECK(QIO_decode_usqcd_lattice_info(info, s) == QIO_SUCCESS && strcmp(QIO_get_info(info), longest) == 0);
    QIO_destroy_usqcd_lattice_info(info);
    longest[1023] = 'x';
    CHECK(QIO_create_usqcd_lattice_info(text("1"), text("1"), longest) == NULL);
    CHECK_ERROR("1024 bytes");
    QIO_string_destroy(s);
}

static void propagator_infos(void) {
    QIO_String *s = QIO_string_create();
    const char *types[] = {"USQCD_DiracFermion_ScalarSource_TwelveSink", "USQCD_DiracFermion_Source_Sink_Pairs",
                           "USQCD_DiracFermion_ScalarSource_Sink_Pairs", "LHPC_DiracPropagator"};
    int numbers[] = {QIO_USQCDPROPFILETYPE_C1D12, QIO_USQCDPROPFILETYPE_DD_PAIRS, QIO_USQCDPROPFILETYPE_CD_PAIRS,
                     QIO_USQCDPROPFILETYPE_LHPC};
    for (int i = 0; i < 4; ++i) {
        char expected[256];
        QIO_USQCDPropFileInfo *file = QIO_create_usqcd_propfile_info(numbers[i], text("run")),
                              *read = QIO_create_usqcd_propfile_info(-1, NULL);
        CHECK(numbers[i] == i && QIO_get_usqcd_propfile_type(file) == i);
        QIO_encode_usqcd_propfile_info(s, file);
        snprintf(expected, sizeof expected,
                 XML "<usqcdPropFile><version>1.0</version><type>%s</type><info>run</info></usqcdPropFile>", types[i]);
        check_xml(s, expected);
        CHECK(QIO_defined_usqcd_propfile_type(read) == 0 && QIO_defined_propfile_info(read) == 0);
        CHECK(QIO_get_propfile_type(read) == QIO_ERR_FILE_INFO);
        CHECK(QIO_decode_usqcd_propfile_info(read, s) == QIO_SUCCESS);
        CHECK(QIO_get_usqcd_propfile_type(read) == i && QIO_get_propfile_type(read) == i);
        CHECK(QIO_defined_usqcd_propfile_type(read) == 1 && QIO_defined_propfile_type(read) == 1);
        CHECK(QIO_defined_usqcd_propfile_info(read) == 1 && QIO_defined_propfile_info(read) == 1);
        CHECK(strcmp(QIO_get_usqcd_propfile_info(read), "run") == 0 && strcmp(QIO_get_propfile_info(read), "run") == 0);
        QIO_destroy_usqcd_propfile_info(file);
        QIO_destroy_usqcd_propfile_info(read);
    }
    /* A type that is not known is there, but has no number. */
    QIO_string_set(s, XML "<usqcdPropFile><version>1.0</version><type>new</type><info></info></usqcdPropFile>");
    QIO_USQCDPropFileInfo *file = QIO_create_usqcd_propfile_info(0, NULL);
    CHECK(QIO_decode_usqcd_propfile_info(file, s) == QIO_SUCCESS && QIO_defined_propfile_type(file) == 1);
    CHECK(QIO_get_propfile_type(file) == QIO_ERR_FILE_INFO);
    QIO_destroy_usqcd_propfile_info(file);

    QIO_USQCDPropSourceInfo *source = QIO_create_usqcd_propsource_info(text("point")),
                            *other_source = QIO_create_usqcd_propsource_sc_info(3, 2, text("wall"));
    QIO_encode_usqcd_propsource_info(s, source);
    check_xml(s, XML "<usqcdSourceInfo><version>1.0</version><info>point</info></usqcdSourceInfo>");
    CHECK(QIO_defined_usqcd_propsource_spin(source) == 0 && QIO_defined_usqcd_propsource_color(source) == 0);
    CHECK(QIO_get_usqcd_propsource_spin(source) == QIO_ERR_REC_INFO);
    CHECK(QIO_get_usqcd_propsource_color(source) == QIO_ERR_REC_INFO);
    QIO_encode_usqcd_propsource_info(s, other_source);
    check_xml(s, XML "<usqcdSourceInfo><version>1.0</version><spin>3</spin><color>2</color><info>wall</info>"
                     "</usqcdSourceInfo>");
    CHECK(QIO_decode_usqcd_propsource_info(source, s) == QIO_SUCCESS);
    CHECK(QIO_get_usqcd_propsource_spin(source) == 3 && QIO_get_usqcd_propsource_color(source) == 2);
    CHECK(QIO_defined_usqcd_propsource_spin(source) == 1 && QIO_defined_usqcd_propsource_color(source) == 1);
    CHECK(QIO_defined_usqcd_propsource_info(source) == 1);
    CHECK(strcmp(QIO_get_usqcd_propsource_info(source), "wall") == 0);
    QIO_destroy_usqcd_propsource_info(source);
    QIO_destroy_usqcd_propsource_info(other_source);

    QIO_USQCDPropRecordInfo *record = QIO_create_usqcd_proprecord_info(text("")),
                            *other_record = QIO_create_usqcd_proprecord_sc_info(0, 1, text("<mass>0.05</mass>"));
    QIO_encode_usqcd_proprecord_info(s, record);
    check_xml(s, XML "<usqcdPropInfo><version>1.0</version><info></info></usqcdPropInfo>");
    CHECK(QIO_defined_usqcd_proprecord_spin(record) == 0 && QIO_defined_usqcd_proprecord_color(record) == 0);
    QIO_encode_usqcd_proprecord_info(s, other_record);
    check_xml(s, XML "<usqcdPropInfo><version>1.0</version><spin>0</spin><color>1</color><info><mass>0.05</mass></info>"
                     "</usqcdPropInfo>");
    CHECK(QIO_decode_usqcd_proprecord_info(record, s) == QIO_SUCCESS);
    CHECK(QIO_get_usqcd_proprecord_spin(record) == 0 && QIO_get_usqcd_proprecord_color(record) == 1);
    CHECK(QIO_defined_usqcd_proprecord_spin(record) == 1 && QIO_defined_usqcd_proprecord_color(record) == 1);
    CHECK(QIO_defined_usqcd_proprecord_info(record) == 1);
    CHECK(strcmp(QIO_get_usqcd_proprecord_info(record), "<mass>0.05</mass>") == 0);
    /* The root of QIO before version 2.3.5, and numbers that are none. */
    QIO_string_set(s, XML "<usqcdInfo><version>1.0</version><spin>2</spin><color>one</color><info/></usqcdInfo>");
    CHECK(QIO_decode_usqcd_proprecord_info(record, s) == 1);
    CHECK_ERROR("<color> is not a number");
    CHECK(QIO_get_usqcd_proprecord_spin(record) == 2 && QIO_defined_usqcd_proprecord_color(record) == 0);
    QIO_destroy_usqcd_proprecord_info(record);
    QIO_destroy_usqcd_proprecord_info(other_record);
    QIO_string_destroy(s);
}

static void staggered_infos(void) {
    QIO_String *s = QIO_string_create();
    const char *types[] = {"USQCD_ColorVector_ScalarSource_ThreeSink", "USQCD_ColorVector_Source_Sink_Pairs",
                           "USQCD_ColorVector_ScalarSource_Sink_Pairs"};
    int numbers[] = {QIO_USQCDKSPROPFILETYPE_C1V3, QIO_USQCDKSPROPFILETYPE_VV_PAIRS, QIO_USQCDKSPROPFILETYPE_CV_PAIRS};
    for (int i = 0; i < 3; ++i) {
        char expected[256];
        QIO_USQCDKSPropFileInfo *file = QIO_create_usqcd_kspropfile_info(numbers[i], text("run")),
                                *read = QIO_create_usqcd_kspropfile_info(3, NULL);
        CHECK(numbers[i] == i && QIO_get_usqcd_kspropfile_type(file) == i);
        QIO_encode_usqcd_kspropfile_info(s, file);
        snprintf(expected, sizeof expected,
                 XML "<usqcdKSPropFile><version>1.0</version><type>%s</type><info>run</info></usqcdKSPropFile>",
                 types[i]);
        check_xml(s, expected);
        CHECK(QIO_defined_usqcd_kspropfile_type(read) == 0 && QIO_defined_kspropfile_info(read) == 0);
        CHECK(QIO_get_kspropfile_type(read) == QIO_ERR_FILE_INFO);
        CHECK(QIO_decode_usqcd_kspropfile_info(read, s) == QIO_SUCCESS);
        CHECK(QIO_get_usqcd_kspropfile_type(read) == i && QIO_get_kspropfile_type(read) == i);
        CHECK(QIO_defined_usqcd_kspropfile_type(read) == 1 && QIO_defined_kspropfile_type(read) == 1);
        CHECK(QIO_defined_usqcd_kspropfile_info(read) == 1 && QIO_defined_kspropfile_info(read) == 1);
        CHECK(strcmp(QIO_get_usqcd_kspropfile_info(read), "run") == 0);
        CHECK(strcmp(QIO_get_kspropfile_info(read), "run") == 0);
        QIO_destroy_usqcd_kspropfile_info(file);
        QIO_destroy_usqcd_kspropfile_info(read);
    }
    QIO_USQCDKSPropSourceInfo *source = QIO_create_usqcd_kspropsource_info(text("point")),
                              *other_source = QIO_create_usqcd_kspropsource_c_info(1, text("wall"));
    QIO_encode_usqcd_kspropsource_info(s, source);
    check_xml(s, XML "<usqcdSourceInfo><version>1.0</version><info>point</info></usqcdSourceInfo>");
    CHECK(QIO_defined_usqcd_kspropsource_color(source) == 0);
    CHECK(QIO_get_usqcd_kspropsource_color(source) == QIO_ERR_REC_INFO);
    QIO_encode_usqcd_kspropsource_info(s, other_source);
    check_xml(s, XML "<usqcdSourceInfo><version>1.0</version><color>1</color><info>wall</info></usqcdSourceInfo>");
    CHECK(QIO_decode_usqcd_kspropsource_info(source, s) == QIO_SUCCESS);
    CHECK(QIO_get_usqcd_kspropsource_color(source) == 1 && QIO_defined_usqcd_kspropsource_color(source) == 1);
    CHECK(QIO_defined_usqcd_kspropsource_info(source) == 1);
    CHECK(strcmp(QIO_get_usqcd_kspropsource_info(source), "wall") == 0);
    QIO_destroy_usqcd_kspropsource_info(source);
    QIO_destroy_usqcd_kspropsource_info(other_source);

    QIO_USQCDKSPropRecordInfo *record = QIO_create_usqcd_ksproprecord_info(text("")),
                              *other_record = QIO_create_usqcd_ksproprecord_c_info(2, text("sink"));
    QIO_encode_usqcd_ksproprecord_info(s, record);
    check_xml(s, XML "<usqcdKSPropInfo><version>1.0</version><info></info></usqcdKSPropInfo>");
    CHECK(QIO_defined_usqcd_ksproprecord_color(record) == 0);
    QIO_encode_usqcd_ksproprecord_info(s, other_record);
    check_xml(s, XML "<usqcdKSPropInfo><version>1.0</version><color>2</color><info>sink</info></usqcdKSPropInfo>");
    CHECK(QIO_decode_usqcd_ksproprecord_info(record, s) == QIO_SUCCESS);
    CHECK(QIO_get_usqcd_ksproprecord_color(record) == 2 && QIO_defined_usqcd_ksproprecord_color(record) == 1);
    CHECK(QIO_defined_usqcd_ksproprecord_info(record) == 1);
    CHECK(strcmp(QIO_get_usqcd_ksproprecord_info(record), "sink") == 0);
    QIO_destroy_usqcd_ksproprecord_info(record);
    QIO_destroy_usqcd_ksproprecord_info(other_record);
    QIO_string_destroy(s);
}

/* --- Documents in files of QIO --- */

/* Decodes the text of a record and encodes it again, if it is a document of USQCD; returns the code. */
static int again(const char *xml, QIO_String *out, int staggered) {
    QIO_String *s = QIO_string_create();
    int code = 1;
    QIO_string_set(s, xml);
#define AGAIN(root, kind, Type, ...) \
    if (strstr(xml, "<" root ">") != NULL) { \
        Type *info = QIO_create_usqcd_##kind##_info(__VA_ARGS__); \
        code = QIO_decode_usqcd_##kind##_info(info, s); \
        if (code == QIO_SUCCESS) QIO_encode_usqcd_##kind##_info(out, info); \
        QIO_destroy_usqcd_##kind##_info(info); \
    }
    AGAIN("usqcdInfo", lattice, QIO_USQCDLatticeInfo, NULL, NULL, NULL)
    AGAIN("usqcdPropFile", propfile, QIO_USQCDPropFileInfo, 0, NULL)
    AGAIN("usqcdPropInfo", proprecord, QIO_USQCDPropRecordInfo, NULL)
    AGAIN("usqcdKSPropFile", kspropfile, QIO_USQCDKSPropFileInfo, 0, NULL)
    AGAIN("usqcdKSPropInfo", ksproprecord, QIO_USQCDKSPropRecordInfo, NULL)
    if (staggered) {
        AGAIN("usqcdSourceInfo", kspropsource, QIO_USQCDKSPropSourceInfo, NULL)
    } else {
        AGAIN("usqcdSourceInfo", propsource, QIO_USQCDPropSourceInfo, NULL)
    }
    QIO_string_destroy(s);
    return code;
}

/* Reads the documents in the records of a file and writes them again: the same bytes. Returns their number. */
static int documents(const char *name, int expected_code) {
    char path[1024], header[144], *data;
    int count = 0;
    QIO_String *out = QIO_string_create();
    snprintf(path, sizeof path, "%s/host-tests/fixtures/qio/%s", root, name);
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    while (fread(header, 1, sizeof header, file) == sizeof header) {
        size_t length = 0;
        for (int i = 8; i < 16; ++i) length = length << 8 | (unsigned char)header[i];
        size_t padded = (length + 7) / 8 * 8;
        data = calloc(padded + 1, 1);
        CHECK(fread(data, 1, padded, file) == padded);
        int is_xml = strcmp(header + 16, "scidac-file-xml") == 0 || strcmp(header + 16, "scidac-record-xml") == 0;
        if (is_xml && strstr(data, "<usqcd") != NULL) {
            CHECK(again(data, out, strstr(name, "/ks_") != NULL) == expected_code);
            if (expected_code == QIO_SUCCESS) {
                CHECK(QIO_string_length(out) == length && memcmp(QIO_string_ptr(out), data, length) == 0);
            }
            ++count;
        }
        free(data);
    }
    fclose(file);
    QIO_string_destroy(out);
    return count;
}

static void files(void) {
    CHECK(documents("usqcd/prop_c1d12.lime", QIO_SUCCESS) == 14);
    CHECK(documents("usqcd/prop_cd_pairs.lime", QIO_SUCCESS) > 2);
    CHECK(documents("usqcd/prop_dd_pairs.lime", QIO_SUCCESS) > 2);
    CHECK(documents("usqcd/prop_lhpc.lime", QIO_SUCCESS) == 1);
    CHECK(documents("usqcd/ks_c1v3.lime", QIO_SUCCESS) == 5);
    CHECK(documents("usqcd/ks_cv_pairs.lime", QIO_SUCCESS) > 2);
    CHECK(documents("usqcd/ks_vv_pairs.lime", QIO_SUCCESS) > 2);
    /* QIO has truncated this one. */
    CHECK(documents("quirks/usqcdinfo_truncated.lime", QIO_BAD_XML) == 1);
    CHECK_ERROR("truncated");
}

/* --- Layouts --- */

static int is_rank(const int x[], int rank) {
    return rank == x[0] + 4 * (x[1] + 2 * x[2]);
}

static void layouts(void) {
    QIO_Layout layout = machine();
    QIO_Filesystem fs = filesystem();
    /* Programs for conversions leave this 0. */
    layout.sites_on_node = 0;
    QIO_Layout *ionode = QIO_create_ionode_layout(&layout, &fs), *scalar = QIO_create_scalar_layout(&layout, &fs);
    CHECK(ionode != NULL && scalar != NULL);
    CHECK(ionode->latdim == 3 && memcmp(ionode->latsize, latsize, sizeof latsize) == 0 && ionode->volume == VOLUME);
    CHECK(ionode->number_of_nodes == NODES && ionode->this_node == 0 && ionode->sites_on_node == 12);
    CHECK(scalar->latdim == 3 && memcmp(scalar->latsize, latsize, sizeof latsize) == 0 && scalar->volume == VOLUME);
    CHECK(scalar->number_of_nodes == 1 && scalar->this_node == 0 && scalar->sites_on_node == VOLUME);

    int sites[NODES] = {12, 0, 12, 0}, seen[VOLUME] = {0}, count = 0;
    for (int node = 0; node < NODES; ++node) {
        CHECK(ionode->num_sites(node) == sites[node]);
        CHECK(ionode->num_sites_ext(node, ionode->arg) == (QIO_Index)sites[node]);
        CHECK(QIO_ionode_io_node(node) == io_node(node));
        for (int index = 0; index < sites[node]; ++index) {
            int x[DIMENSIONS], y[DIMENSIONS];
            ionode->get_coords(x, node, index);
            ionode->get_coords_ext(y, node, (QIO_Index)index, ionode->arg);
            CHECK(memcmp(x, y, sizeof x) == 0);
            CHECK(ionode->node_number(x) == node && ionode->node_index(x) == index);
            CHECK(ionode->node_number_ext(x, ionode->arg) == node);
            CHECK(ionode->node_index_ext(x, ionode->arg) == (QIO_Index)index);
            CHECK(io_node(node_number(x)) == node);
            int rank = QIO_ionode_to_scalar_index(node, index);
            CHECK(is_rank(x, rank) && QIO_scalar_to_ionode_index(0, rank) == index);
            CHECK(scalar->node_number(x) == 0 && scalar->node_index(x) == rank);
            CHECK(scalar->node_number_ext(x, scalar->arg) == 0);
            CHECK(scalar->node_index_ext(x, scalar->arg) == (QIO_Index)rank);
            scalar->get_coords(y, 0, rank);
            CHECK(memcmp(x, y, sizeof x) == 0);
            scalar->get_coords_ext(y, 0, (QIO_Index)rank, scalar->arg);
            CHECK(memcmp(x, y, sizeof x) == 0);
            seen[rank] = 1;
        }
    }
    for (int rank = 0; rank < VOLUME; ++rank) count += seen[rank];
    CHECK(count == VOLUME && scalar->num_sites(0) == VOLUME && scalar->num_sites_ext(0, scalar->arg) == VOLUME);
    /* The places of the table of the I/O nodes. */
    CHECK(QIO_get_io_node_rank(2) == 0 && QIO_get_io_node_rank(0) == 1);
    CHECK(QIO_get_io_node_rank(1) == QIO_ERR_BAD_IONODE);

    /* A second layout: the plain functions change to it, and back. */
    QIO_Layout *own = QIO_create_ionode_layout(&layout, NULL);
    CHECK(own != NULL && own->num_sites(1) == 6 && QIO_ionode_io_node(1) == 1 && QIO_get_io_node_rank(3) == 3);
    CHECK(ionode->num_sites_ext(0, ionode->arg) == 12);
    QIO_delete_ionode_layout(own);
    CHECK(ionode->num_sites(0) == 12 && QIO_ionode_io_node(1) == 0);

    /* A layout of a layout of the library: its plain functions are those of the new one, and do not run themselves. */
    fs.my_io_node = NULL, fs.my_io_node_ext = NULL, fs.io_node = NULL;
    own = QIO_create_ionode_layout(ionode, &fs);
    CHECK(own != NULL && own->num_sites(0) == 12 && own->num_sites(1) == 0 && own->num_sites_ext(0, own->arg) == 12);
    for (int index = 0; index < 12; ++index) {
        int p[DIMENSIONS], q[DIMENSIONS];
        own->get_coords(p, 0, index);
        ionode->get_coords_ext(q, 0, (QIO_Index)index, ionode->arg);
        CHECK(memcmp(p, q, sizeof p) == 0 && own->node_number(p) == 0 && own->node_index(p) == index);
    }
    QIO_delete_ionode_layout(own);
    /* A copy of such a structure is one of the program, whose plain functions are those of the last layout: of itself. */
    QIO_Layout copied = *ionode;
    own = QIO_create_ionode_layout(&copied, &fs);
    int r[DIMENSIONS] = {0};
    CHECK(own != NULL && own->node_number(r) < 0);
    CHECK_ERROR("node_number of the layout returned");
    /* The number of a deleted layout is not the one of the next layout. */
    copied = *own;
    QIO_delete_ionode_layout(own);
    own = QIO_create_ionode_layout(&layout, NULL);
    CHECK(own != NULL && own->num_sites(1) == 6 && copied.num_sites_ext(1, copied.arg) == 0);
    CHECK_ERROR("deleted");
    QIO_delete_ionode_layout(own);
    fs = filesystem();

    /* A layout with plain functions gets the others; one with the others keeps them. */
    QIO_Layout *extended = QIO_check_layout_ext(&layout), only = layout;
    CHECK(extended != NULL && extended->node_number == node_number && extended->sites_on_node == 0);
    CHECK(extended->num_sites_ext(3, extended->arg) == 12 && extended->latdim == DIMENSIONS);
    int x[DIMENSIONS] = {-1, -1, -1};
    extended->get_coords_ext(x, 3, 11, extended->arg);
    CHECK(x[0] == 1 && x[1] == 1 && x[2] == 2);
    CHECK(extended->node_number_ext(x, extended->arg) == 3 && extended->node_index_ext(x, extended->arg) == 11);
    only.node_number = NULL, only.node_index = NULL, only.get_coords = NULL, only.num_sites = NULL;
    only.node_number_ext = extended->node_number_ext, only.node_index_ext = extended->node_index_ext;
    only.get_coords_ext = extended->get_coords_ext, only.num_sites_ext = extended->num_sites_ext;
    only.arg = extended->arg;
    QIO_Layout *twice = QIO_check_layout_ext(&only);
    CHECK(twice != NULL && twice->node_number == NULL && twice->node_index_ext(x, twice->arg) == 11);
    QIO_free_layout_ext(twice);
    QIO_free_layout_ext(extended);
    QIO_free_layout_ext(NULL);
    QIO_delete_scalar_layout(scalar);
    QIO_delete_ionode_layout(ionode);
    QIO_delete_scalar_layout(NULL);
    QIO_delete_ionode_layout(NULL);
}

/* --- Names, verbosity, time --- */

static void check_name(char *name, const char *expected) {
    CHECK(name != NULL && strcmp(name, expected) == 0);
    free(name);
}

static void names(void) {
    check_name(QIO_filename_edit("d/f.lime", QIO_SINGLEFILE, 3), "d/f.lime");
    check_name(QIO_filename_edit("d/f.lime", QIO_MULTIFILE, 3), "d/f.lime.vol0003");
    check_name(QIO_filename_edit("d/f.lime", QIO_PARTFILE, 12345), "d/f.lime.vol12345");
    check_name(QIO_filename_edit("d/f.lime", QIO_PARTFILE_DIR, 3), "d/vol0003/f.lime");
    QIO_Filesystem fs = filesystem();
    char two[] = "/disk/two", zero[] = "zero/", *paths[] = {two, zero};
    check_name(QIO_set_filepath(&fs, "f.lime", 2), "f.lime");
    check_name(QIO_set_filepath(NULL, "f.lime", 2), "f.lime");
    fs.type = QIO_MULTI_PATH;
    fs.node_path = paths;
    check_name(QIO_set_filepath(&fs, "f.lime", 2), "/disk/two/f.lime");
    check_name(QIO_set_filepath(&fs, "f.lime", 0), "zero/f.lime");
    fs.io_node = NULL;
    check_name(QIO_set_filepath(&fs, "f.lime", 1), "zero/f.lime");
}

static void verbosity_and_time(void) {
    CHECK(QIO_verbosity() == QIO_VERB_OFF && QIO_verbose(QIO_VERB_DEBUG) == QIO_VERB_OFF);
    CHECK(QIO_verbosity() == QIO_VERB_DEBUG && QIO_verbose(QIO_VERB_OFF) == QIO_VERB_DEBUG);
    double begin = QIO_time();
    QIO_wait(0.02);
    CHECK(QIO_time() - begin >= 0.02);
    QIO_wait(0);
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s SCRATCH ROOT\n", argv[0]);
        return 2;
    }
    root = argv[2];
    strings();
    record_infos();
    lattice_infos();
    propagator_infos();
    staggered_infos();
    files();
    layouts();
    names();
    verbosity_and_time();
    return 0;
}
