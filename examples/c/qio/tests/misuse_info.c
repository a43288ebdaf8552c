/* Misuse of strings, descriptions and layouts: each ends in a code and a last error. Prints nothing else. */
#include "info.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>

static void strings(void) {
    QIO_String *s = QIO_string_create(), *t = QIO_string_create();
    QIO_string_set(NULL, "a");
    CHECK_ERROR("null pointer");
    QIO_string_append(s, NULL);
    CHECK_ERROR("to append");
    CHECK(QIO_string_length(NULL) == 0 && QIO_string_bytes(NULL) == 0 && QIO_string_ptr(NULL) == NULL);
    QIO_string_copy(NULL, s);
    QIO_string_copy(s, NULL);
    QIO_string_copy(NULL, NULL);
    QIO_string_realloc(NULL, 5);
    QIO_string_set(s, "abc");
    QIO_string_realloc(s, SIZE_MAX);
    CHECK_ERROR("no memory");
    CHECK(strcmp(QIO_string_ptr(s), "abc") == 0 && QIO_string_length(s) == 4);

    /* Members that contradict each other. */
    QIO_String own = {NULL, 7};
    CHECK(QIO_string_length(&own) == 0);
    CHECK_ERROR("fill it with zeros");
    QIO_string_set(&own, "a");
    QIO_string_append(&own, "a");
    QIO_string_copy(s, &own);
    QIO_string_realloc(&own, 4);
    CHECK(own.string == NULL && own.length == 7 && strcmp(s->string, "abc") == 0);
    own.string = s->string;
    own.length = 0;
    CHECK(QIO_string_ptr(&own) == NULL);
    own.length = 4;
    QIO_string_copy(&own, s);
    CHECK_ERROR("same memory");

    /* No zero byte at the end. */
    memset(s->string, 'x', 4);
    QIO_string_append(s, "y");
    CHECK_ERROR("no zero byte");
    CHECK(QIO_string_length(s) == 4);

    /* Not of QIO_string_create, and destroyed. */
    own.string = NULL;
    own.length = 0;
    QIO_string_destroy(&own);
    CHECK_ERROR("QIO_string_create");
    QIO_string_destroy(s);
    QIO_string_destroy(s);
    CHECK_ERROR("QIO_string_create");
    QIO_string_set(s, "a");
    CHECK_ERROR("destroyed");
    CHECK(QIO_string_ptr(s) == NULL && QIO_string_length(s) == 0);
    QIO_string_copy(t, s);
    CHECK(QIO_string_length(t) == 0);
    QIO_string_destroy(t);
}

static void record_infos(void) {
    int lower[9] = {0}, upper[9] = {0};
    CHECK(QIO_create_record_info(3, NULL, NULL, 0, NULL, NULL, 0, 0, 0, 0) == NULL);
    CHECK_ERROR("record type 3");
    CHECK(QIO_create_record_info(-1, NULL, NULL, 0, NULL, NULL, 0, 0, 0, 0) == NULL);
    CHECK(QIO_create_record_info(QIO_FIELD, NULL, NULL, 0, NULL, NULL, -1, 0, 0, 0) == NULL);
    CHECK_ERROR("colors is -1");
    CHECK(QIO_create_record_info(QIO_FIELD, NULL, NULL, 0, NULL, NULL, 0, 0, INT_MIN, 0) == NULL);
    CHECK_ERROR("typesize");
    CHECK(QIO_create_record_info(QIO_HYPER, lower, upper, 9, NULL, NULL, 0, 0, 0, 0) == NULL);
    CHECK_ERROR("9 dimensions");
    CHECK(QIO_create_record_info(QIO_HYPER, lower, upper, -1, NULL, NULL, 0, 0, 0, 0) == NULL);
    CHECK(QIO_create_record_info(QIO_HYPER, NULL, upper, 4, NULL, NULL, 0, 0, 0, 0) == NULL);
    CHECK_ERROR("null pointer");
    CHECK(QIO_create_record_info(QIO_HYPER, lower, NULL, 4, NULL, NULL, 0, 0, 0, 0) == NULL);
    lower[2] = 1;
    CHECK(QIO_create_record_info(QIO_HYPER, lower, upper, 4, NULL, NULL, 0, 0, 0, 0) == NULL);
    CHECK_ERROR("dimension 2 of the hypercube is from 1 to 0");
    lower[2] = -1;
    CHECK(QIO_create_record_info(QIO_HYPER, lower, upper, 4, NULL, NULL, 0, 0, 0, 0) == NULL);

    QIO_RecordInfo *info = QIO_create_record_info(QIO_FIELD, NULL, NULL, 0, text("t"), text("F"), 1, 1, 4, 1);
    QIO_RecordInfo *closed = QIO_create_record_info(QIO_FIELD, NULL, NULL, 0, text("t"), text("F"), 1, 1, 4, 1);
    QIO_destroy_record_info(closed);
    QIO_RecordInfo *wrong[] = {NULL, closed, (QIO_RecordInfo *)(void *)&wrong, (QIO_RecordInfo *)(uintptr_t)1};
    for (int i = 0; i < 4; ++i) {
        CHECK(QIO_get_recordtype(wrong[i]) == QIO_BAD_ARG && QIO_get_datacount(wrong[i]) == QIO_BAD_ARG);
        CHECK(QIO_get_colors(wrong[i]) == QIO_BAD_ARG && QIO_get_spins(wrong[i]) == QIO_BAD_ARG);
        CHECK(QIO_get_typesize(wrong[i]) == 0 && QIO_get_datatype(wrong[i]) == NULL);
        CHECK(QIO_get_precision(wrong[i]) == NULL && QIO_get_record_date(wrong[i]) == NULL);
        CHECK(QIO_get_hyperlower(wrong[i]) == NULL && QIO_get_hyperupper(wrong[i]) == NULL);
        CHECK(QIO_compare_record_info(info, wrong[i]) == QIO_BAD_ARG);
        CHECK(QIO_compare_record_info(wrong[i], info) == QIO_BAD_ARG);
        QIO_destroy_record_info(wrong[i]);
    }
    CHECK_ERROR("QIO_RecordInfo");
    QIO_destroy_record_info(info);
}

#define WRONG_HANDLES(kind, Type, other) \
    { \
        Type *wrong[] = {NULL, (Type *)(void *)(other), (Type *)(void *)&wrong}; \
        for (int i = 0; i < 3; ++i) { \
            QIO_string_set(s, "of before"); \
            QIO_encode_usqcd_##kind##_info(s, wrong[i]); \
            CHECK(QIO_string_length(s) == 1 && QIO_string_ptr(s)[0] == 0); \
            /* The last one could be a structure of the program that a document can be decoded into. */ \
            if (i < 2) CHECK(QIO_decode_usqcd_##kind##_info(wrong[i], s) == QIO_BAD_ARG); \
            QIO_destroy_usqcd_##kind##_info(wrong[i]); \
        } \
    }

static void documents(void) {
    QIO_String *s = QIO_string_create();
    QIO_USQCDLatticeInfo *lattice = QIO_create_usqcd_lattice_info(text("1"), text("1"), text("1"));
    QIO_USQCDPropRecordInfo *record = QIO_create_usqcd_proprecord_sc_info(1, 1, text("1"));

    /* Another kind, and no document at all. */
    WRONG_HANDLES(lattice, QIO_USQCDLatticeInfo, record)
    WRONG_HANDLES(propfile, QIO_USQCDPropFileInfo, lattice)
    WRONG_HANDLES(propsource, QIO_USQCDPropSourceInfo, lattice)
    WRONG_HANDLES(proprecord, QIO_USQCDPropRecordInfo, lattice)
    WRONG_HANDLES(kspropfile, QIO_USQCDKSPropFileInfo, lattice)
    WRONG_HANDLES(kspropsource, QIO_USQCDKSPropSourceInfo, lattice)
    WRONG_HANDLES(ksproprecord, QIO_USQCDKSPropRecordInfo, lattice)
    CHECK(QIO_get_plaq((QIO_USQCDLatticeInfo *)(void *)record) == NULL);
    CHECK_ERROR("QIO_USQCDPropRecordInfo was passed instead of a QIO_USQCDLatticeInfo");
    CHECK(QIO_get_linktr(NULL) == NULL && QIO_get_info(NULL) == NULL && QIO_defined_plaq(NULL) == 0);
    CHECK(QIO_defined_linktr(NULL) == 0 && QIO_defined_info(NULL) == 0);
    CHECK(QIO_get_propfile_type(NULL) == QIO_BAD_ARG && QIO_get_kspropfile_type(NULL) == QIO_BAD_ARG);
    CHECK(QIO_get_usqcd_proprecord_spin(NULL) == QIO_BAD_ARG && QIO_get_usqcd_propsource_color(NULL) == QIO_BAD_ARG);
    CHECK(QIO_get_usqcd_ksproprecord_info(NULL) == NULL && QIO_defined_usqcd_kspropsource_info(NULL) == 0);

    /* A string that is none. */
    QIO_encode_usqcd_lattice_info(NULL, lattice);
    CHECK_ERROR("QIO_String");
    CHECK(QIO_decode_usqcd_lattice_info(lattice, NULL) == QIO_BAD_ARG);
    QIO_string_set(s, NULL);
    CHECK(QIO_decode_usqcd_lattice_info(lattice, s) == QIO_BAD_XML);
    CHECK_ERROR("no element");
    CHECK(QIO_defined_plaq(lattice) == 0);

    /* A document that is cut anywhere is not good. */
    QIO_encode_usqcd_proprecord_info(s, record);
    size_t length = QIO_string_length(s);
    CHECK(length > 100);
    for (size_t cut = 0; cut + 1 < length; ++cut) {
        QIO_String *part = QIO_string_create();
        QIO_string_copy(part, s);
        part->string[cut] = 0;
        CHECK(QIO_decode_usqcd_proprecord_info(record, part) == QIO_BAD_XML);
        CHECK(QIO_defined_usqcd_proprecord_info(record) == 0 && linkstream_last_error()->has_offset == 1);
        QIO_string_destroy(part);
    }
    CHECK(QIO_decode_usqcd_proprecord_info(record, s) == QIO_SUCCESS);
    /* Bytes that no parser expects: whatever the result is, it ends. */
    for (size_t at = 0; at + 1 < length; ++at) {
        const char bytes[] = "<>/\"'!?&\n\x80";
        for (const char *byte = bytes; *byte != 0; ++byte) {
            char before = s->string[at];
            s->string[at] = *byte;
            int code = QIO_decode_usqcd_proprecord_info(record, s);
            CHECK(code == QIO_BAD_XML || (code >= 0 && code < 8));
            s->string[at] = before;
        }
    }
    QIO_string_set(s, XML "<usqcdKSPropInfo><version>1.0</version><info></info></usqcdKSPropInfo>");
    CHECK(QIO_decode_usqcd_proprecord_info(record, s) == QIO_BAD_XML);
    CHECK_ERROR("the root is <usqcdKSPropInfo>");
    QIO_string_set(s, XML "<usqcdPropInfo><spin>99999999999</spin><info></info><info></info></usqcdPropInfo>");
    CHECK(QIO_decode_usqcd_proprecord_info(record, s) == 3);
    CHECK_ERROR("<spin> is not a number");
    QIO_destroy_usqcd_proprecord_info(record);
    QIO_encode_usqcd_proprecord_info(s, record);
    CHECK_ERROR("destroyed");
    CHECK(QIO_get_usqcd_proprecord_info(record) == NULL);
    QIO_destroy_usqcd_lattice_info(lattice);

    /* Texts that would be read as others, a type that does not exist, and a text that is too long. */
    lattice = QIO_create_usqcd_lattice_info(text("1"), text("1"), text("a</info>b"));
    QIO_string_set(s, "of before");
    QIO_encode_usqcd_lattice_info(s, lattice);
    CHECK_ERROR("its own element");
    CHECK(QIO_string_length(s) == 1);
    QIO_destroy_usqcd_lattice_info(lattice);
    QIO_USQCDKSPropFileInfo *file = QIO_create_usqcd_kspropfile_info(99, text(""));
    QIO_encode_usqcd_kspropfile_info(s, file);
    CHECK_ERROR("type of the file");
    CHECK(QIO_string_length(s) == 1);
    QIO_destroy_usqcd_kspropfile_info(file);
    char *longer = malloc(5000);
    memset(longer, 'x', 4999);
    longer[4999] = 0;
    CHECK(QIO_create_usqcd_lattice_info(longer, NULL, NULL) == NULL);
    CHECK_ERROR("<plaq> has 4999 bytes");
    CHECK(QIO_create_usqcd_propfile_info(0, longer) == NULL && QIO_create_usqcd_propsource_info(longer) == NULL);
    CHECK(QIO_create_usqcd_propsource_sc_info(0, 0, longer) == NULL);
    CHECK(QIO_create_usqcd_proprecord_info(longer) == NULL);
    CHECK(QIO_create_usqcd_kspropfile_info(0, longer) == NULL && QIO_create_usqcd_ksproprecord_info(longer) == NULL);
    free(longer);
    QIO_string_destroy(s);
}

/* --- Layouts --- */

static int five(const int x[]) {
    (void)x;
    return 5;
}

static void outside(int x[], int node, int index) {
    (void)node, (void)index;
    x[0] = 4, x[1] = 0, x[2] = 0;
}

static int minus_one(int node) {
    (void)node;
    return -1;
}

static int next(int node) {
    return (node + 1) % NODES;
}

static void layouts(void) {
    QIO_Layout layout = machine(), changed;
    QIO_Filesystem fs = filesystem();
#define REFUSED(change, part) \
    do { \
        changed = layout; \
        change; \
        CHECK(QIO_create_ionode_layout(&changed, &fs) == NULL); \
        CHECK_ERROR(part); \
    } while (0)
    REFUSED(changed.latdim = 9, "latdim is 9");
    REFUSED(changed.latdim = -1, "latdim is -1");
    REFUSED(changed.latdim = 0, "latdim is 0");
    REFUSED(changed.latsize = NULL, "latsize");
    REFUSED(changed.volume = 25, "volume is 25");
    REFUSED(changed.this_node = NODES, "this_node");
    REFUSED(changed.number_of_nodes = 0, "this_node");
    REFUSED(changed.number_of_nodes = 3, "12 sites, but the lattice has 24");
    REFUSED(changed.node_index = NULL, "set together");
    REFUSED(changed.num_sites = NULL, "num_sites");
    REFUSED(changed.num_sites = minus_one, "num_sites of the layout returned -1");
    int zero[DIMENSIONS] = {4, 0, 3}, negative[DIMENSIONS] = {4, -2, 3};
    REFUSED(changed.latsize = zero, "zero");
    REFUSED(changed.latsize = negative, "latsize is [4, -2, 3]");
    CHECK(QIO_create_ionode_layout(NULL, &fs) == NULL && QIO_create_scalar_layout(NULL, &fs) == NULL);
    CHECK(QIO_check_layout_ext(NULL) == NULL);
    changed = layout;
    changed.node_number = NULL, changed.node_index = NULL, changed.get_coords = NULL, changed.num_sites = NULL;
    CHECK(QIO_check_layout_ext(&changed) == NULL);
    CHECK_ERROR("neither");

    /* I/O nodes that contradict each other or the table. */
    fs.my_io_node = minus_one;
    CHECK(QIO_create_ionode_layout(&layout, &fs) == NULL);
    CHECK_ERROR("my_io_node returned -1");
    fs.my_io_node = next;
    CHECK(QIO_create_ionode_layout(&layout, &fs) == NULL);
    CHECK_ERROR("does I/O for others");
    fs.my_io_node = NULL;
    CHECK(QIO_create_ionode_layout(&layout, &fs) == NULL);
    CHECK_ERROR("not in the table");
    fs = filesystem();
    int twice[2] = {0, 0}, below[2] = {0, -1};
    fs.io_node = twice;
    CHECK(QIO_create_ionode_layout(&layout, &fs) == NULL);
    CHECK_ERROR("twice");
    fs.io_node = below;
    CHECK(QIO_create_ionode_layout(&layout, &fs) == NULL);
    CHECK_ERROR("negative");
    fs.number_io_nodes = 0;
    CHECK(QIO_create_ionode_layout(&layout, &fs) == NULL);
    CHECK_ERROR("number_io_nodes is 0");

    /* Without a layout, sites that do not exist, and functions of the program that return what cannot be. */
    CHECK(QIO_ionode_io_node(0) == QIO_BAD_ARG && QIO_get_io_node_rank(0) == QIO_BAD_ARG);
    CHECK(QIO_ionode_to_scalar_index(0, 0) == QIO_BAD_ARG && QIO_scalar_to_ionode_index(0, 0) == QIO_BAD_ARG);
    CHECK_ERROR("there is no layout");
    fs = filesystem();
    QIO_Layout *ionode = QIO_create_ionode_layout(&layout, &fs), *scalar = QIO_create_scalar_layout(&layout, NULL);
    CHECK(ionode != NULL && scalar != NULL);
    CHECK(QIO_ionode_io_node(-1) < 0 && QIO_ionode_io_node(NODES) == QIO_ERR_BAD_IONODE);
    CHECK(QIO_get_io_node_rank(-1) < 0 && QIO_get_io_node_rank(99) == QIO_ERR_BAD_IONODE);
    CHECK(QIO_ionode_to_scalar_index(0, 12) < 0 && QIO_ionode_to_scalar_index(1, 0) < 0);
    CHECK(QIO_ionode_to_scalar_index(0, -1) < 0 && QIO_ionode_to_scalar_index(-1, 0) < 0);
    CHECK(QIO_scalar_to_ionode_index(0, VOLUME) < 0 && QIO_scalar_to_ionode_index(0, -1) < 0);
    CHECK(QIO_scalar_to_ionode_index(1, 0) < 0);
    int x[DIMENSIONS] = {4, 0, 0}, kept[DIMENSIONS] = {7, 7, 7};
    CHECK(ionode->node_number(x) < 0 && ionode->node_index(x) < 0 && ionode->node_number(NULL) < 0);
    CHECK(ionode->node_index_ext(x, ionode->arg) == UINT64_MAX && ionode->num_sites(-1) < 0);
    CHECK(scalar->node_number(x) < 0 && scalar->node_index(x) < 0 && scalar->num_sites(1) < 0);
    ionode->get_coords(kept, 0, 12);
    ionode->get_coords(NULL, 0, 0);
    scalar->get_coords(kept, 1, 0);
    scalar->get_coords(kept, 0, -1);
    CHECK(kept[0] == 7 && kept[1] == 7 && kept[2] == 7);

    /* The other call to end it, twice, and use after the end. */
    QIO_delete_scalar_layout(ionode);
    CHECK_ERROR("another call");
    CHECK(ionode->num_sites(0) == 12);
    QIO_Layout copy = *ionode;
    QIO_delete_ionode_layout(ionode);
    QIO_delete_ionode_layout(ionode);
    CHECK_ERROR("closed");
    CHECK(copy.num_sites_ext(0, copy.arg) == 0);
    CHECK_ERROR("deleted");
    CHECK(copy.num_sites(0) == QIO_BAD_ARG && copy.node_number_ext(x, copy.arg) == QIO_BAD_ARG);
    QIO_delete_ionode_layout(&layout);
    QIO_free_layout_ext(&layout);
    QIO_delete_scalar_layout(scalar);

    changed = layout;
    changed.node_number = five, changed.node_index = five, changed.get_coords = outside;
    QIO_Layout *wrong = QIO_check_layout_ext(&changed);
    CHECK(wrong != NULL);
    x[0] = 0;
    CHECK(wrong->node_number_ext(x, wrong->arg) == QIO_ERR_BAD_SITELIST);
    CHECK_ERROR("node_number of the layout returned 5");
    wrong->get_coords_ext(kept, 0, 0, wrong->arg);
    CHECK_ERROR("get_coords of the layout returned [4, 0, 0]");
    wrong->get_coords_ext(kept, 0, UINT64_MAX, wrong->arg);
    CHECK(kept[0] == 7);
    QIO_free_layout_ext(wrong);
}

static void names(void) {
    char longer[502];
    memset(longer, 'x', 501);
    longer[501] = 0;
    CHECK(QIO_filename_edit(NULL, QIO_SINGLEFILE, 0) == NULL && QIO_filename_edit("", QIO_SINGLEFILE, 0) == NULL);
    CHECK(QIO_filename_edit(longer, QIO_PARTFILE, 0) == NULL);
    CHECK_ERROR("501 bytes");
    CHECK(QIO_filename_edit("f", QIO_UNKNOWN, 0) == NULL && QIO_filename_edit("f", 4, 0) == NULL);
    CHECK_ERROR("volume format 4");
    CHECK(QIO_filename_edit("f", QIO_PARTFILE, -1) == NULL);
    QIO_Filesystem fs = filesystem();
    char *paths[] = {NULL, NULL};
    CHECK(QIO_set_filepath(&fs, NULL, 0) == NULL && QIO_set_filepath(&fs, longer, 0) == NULL);
    fs.type = 2;
    CHECK(QIO_set_filepath(&fs, "f", 0) == NULL);
    fs.type = QIO_MULTI_PATH;
    CHECK(QIO_set_filepath(&fs, "f", 0) == NULL);
    CHECK_ERROR("node_path");
    fs.node_path = paths;
    CHECK(QIO_set_filepath(&fs, "f", 0) == NULL && QIO_set_filepath(&fs, "f", 1) == NULL);
    CHECK_ERROR("node 1 is no I/O node");
    CHECK(QIO_set_filepath(&fs, "f", -1) == NULL);
    CHECK(QIO_verbose(6) == QIO_BAD_ARG && QIO_verbose(-1) == QIO_BAD_ARG && QIO_verbosity() == QIO_VERB_OFF);
    double begin = QIO_time();
    QIO_wait(-1);
    CHECK_ERROR("-1 seconds");
    QIO_wait(NAN);
    QIO_wait(INFINITY);
    CHECK(QIO_time() - begin < 5);
}

/* --- Threads --- */

static void *in_thread(void *string) {
    QIO_string_set(NULL, "a");
    CHECK_ERROR("null pointer");
    QIO_string_destroy(string);
    for (int i = 0; i < 2000; ++i) {
        QIO_String *s = QIO_string_create();
        QIO_USQCDLatticeInfo *info = QIO_create_usqcd_lattice_info(text("1"), text("2"), text("3"));
        QIO_encode_usqcd_lattice_info(s, info);
        CHECK(QIO_decode_usqcd_lattice_info(info, s) == QIO_SUCCESS);
        QIO_destroy_usqcd_lattice_info(info);
        QIO_string_destroy(s);
    }
    return NULL;
}

static void threads(void) {
    pthread_t threads[2];
    QIO_String *strings[2] = {QIO_string_create(), QIO_string_create()};
    CHECK(QIO_filename_edit(NULL, 0, 0) == NULL);
    for (int i = 0; i < 2; ++i) CHECK(pthread_create(&threads[i], NULL, in_thread, strings[i]) == 0);
    for (int i = 0; i < 2; ++i) CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK_ERROR("file name");
}

int main(void) {
    strings();
    record_infos();
    documents();
    layouts();
    names();
    threads();
    return 0;
}
