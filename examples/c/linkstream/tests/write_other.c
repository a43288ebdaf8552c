/* Every call of linkstream.h that writes a whole file, and file sets: what they return, and what can be read back. */
#include "sample.h"

#include <math.h>

/* The links of the sample, in double precision. */
static double *sample_links(void) {
    double *links = need_memory(NUMBERS * sizeof *links);
    linkstream_file *file = open_sample();
    linkstream_read as_double = {0};
    as_double.struct_size = sizeof as_double;
    as_double.element = LINKSTREAM_F64;
    NEED(linkstream_field_read(file, 0, &as_double, links, NUMBERS * sizeof *links) == LINKSTREAM_OK);
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    return links;
}

static int32_t verdict_of(const char *path) {
    linkstream_report *report = NULL;
    linkstream_report_info about = {0};
    about.struct_size = sizeof about;
    NEED(linkstream_check_path(path, NULL, &report) == LINKSTREAM_OK);
    CHECK(linkstream_report_get(report, &about) == LINKSTREAM_OK);
    CHECK(linkstream_report_close(report) == LINKSTREAM_OK);
    return about.verdict;
}

/* The largest difference between links and those of the only field of a file. */
static double difference(const char *path, const double *links, int32_t format) {
    double *again = need_memory(NUMBERS * sizeof *again), largest = 0;
    linkstream_file *file = NULL;
    linkstream_file_info about = {0};
    linkstream_read as_double = {0};
    size_t i;
    about.struct_size = sizeof about;
    as_double.struct_size = sizeof as_double;
    as_double.element = LINKSTREAM_F64;
    NEED(linkstream_open_path(path, &file) == LINKSTREAM_OK);
    CHECK(linkstream_file_get(file, &about) == LINKSTREAM_OK && about.format == format && about.fields == 1);
    CHECK(linkstream_field_read(file, 0, &as_double, again, NUMBERS * sizeof *again) == LINKSTREAM_OK);
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    for (i = 0; i < NUMBERS; ++i) {
        const double d = again[i] < links[i] ? links[i] - again[i] : again[i] - links[i];
        if (!(d <= largest)) largest = d;
    }
    free(again);
    return largest;
}

static void archives(void) {
    const char *path = below(scratch, "new.nersc");
    double *links = sample_links();
    struct watch steps = {0, 0, 0, 0, 0};
    linkstream_new_archive how = {0};
    unsigned char *bytes;
    size_t i, length;
    how.struct_size = sizeof how;
    how.element = LINKSTREAM_F64;
    how.extents[0] = how.extents[1] = how.extents[2] = 4, how.extents[3] = 8;
    how.lines = "ENSEMBLE_ID = test\nSEQUENCE_NUMBER = 17\n";
    how.progress = watch;
    how.context = &steps;
    CHECK(linkstream_write_archive(path, &how, links, NUMBERS * sizeof *links - 8) == LINKSTREAM_ERR_SIZE);
    CHECK(linkstream_write_archive(path, &how, links, NUMBERS * sizeof *links) == LINKSTREAM_OK);
    CHECK(steps.calls >= 2 && !steps.is_backward);
    CHECK(verdict_of(path) == LINKSTREAM_VERDICT_OK);
    CHECK(difference(path, links, LINKSTREAM_NERSC) == 0);
    bytes = bytes_of(path, &length);
    bytes[1000] = 0;
    CHECK(strstr((char *)bytes, "ENSEMBLE_ID = test\n") && strstr((char *)bytes, "SEQUENCE_NUMBER = 17\n"));
    CHECK(strstr((char *)bytes, "DATATYPE = 4D_SU3_GAUGE_3x3\n") && strstr((char *)bytes, "IEEE64BIG"));
    free(bytes);
    /* An existing file stays as it is. */
    CHECK(linkstream_write_archive(path, &how, links, NUMBERS * sizeof *links) == LINKSTREAM_ERR_EXISTS);
    how.flags = LINKSTREAM_REPLACE | LINKSTREAM_TWO_ROWS | LINKSTREAM_LITTLE_ENDIAN;
    how.stored = LINKSTREAM_F32;
    CHECK(linkstream_write_archive(path, &how, links, NUMBERS * sizeof *links) == LINKSTREAM_OK);
    CHECK(difference(path, links, LINKSTREAM_NERSC) < 1e-6);
    bytes = bytes_of(path, &length);
    bytes[1000] = 0;
    CHECK(strstr((char *)bytes, "DATATYPE = 4D_SU3_GAUGE\n") && strstr((char *)bytes, "IEEE32LITTLE"));
    free(bytes);
    /* What would not be an archive. */
    how.lines = "no value";
    CHECK(linkstream_write_archive(path, &how, links, NUMBERS * sizeof *links) == LINKSTREAM_ERR_USAGE);
    CHECK(says("KEY = VALUE"));
    how.lines = NULL;
    CHECK(linkstream_write_archive(NULL, &how, links, NUMBERS * sizeof *links) == LINKSTREAM_ERR_USAGE);
    CHECK(linkstream_write_archive(path, NULL, links, NUMBERS * sizeof *links) == LINKSTREAM_ERR_USAGE);
    CHECK(linkstream_write_archive(path, &how, NULL, NUMBERS * sizeof *links) == LINKSTREAM_ERR_USAGE);
    how.flags |= 64;
    CHECK(linkstream_write_archive(path, &how, links, NUMBERS * sizeof *links) == LINKSTREAM_ERR_USAGE);
    how.flags &= ~64U;
    steps.calls = 0, steps.cancel_at = 1;
    CHECK(linkstream_write_archive(path, &how, links, NUMBERS * sizeof *links) == LINKSTREAM_ERR_CANCELLED);
    steps.cancel_at = 0;
    for (i = 0; i < NUMBERS; ++i) links[i] = 2;
    CHECK(linkstream_write_archive(path, &how, links, NUMBERS * sizeof *links) == LINKSTREAM_ERR_REFUSED);
    CHECK(verdict_of(path) == LINKSTREAM_VERDICT_OK);
    free(links);
}

/* Links of SU(2) and SU(4), with all rows and without the last one: read back, their colors, and the verdict. */
static void archives_of_other_groups(void) {
    const char *path = below(scratch, "other.nersc");
    static const struct { uint32_t colors, flags; const char *datatype; } all[] = {
        {2, 0, "DATATYPE = 4D_SU2_GAUGE_2x2\n"},
        {2, LINKSTREAM_TWO_ROWS, "DATATYPE = 4D_SU2_GAUGE\n"},
        {4, 0, "DATATYPE = 4D_SU4_GAUGE_4x4\n"},
        {4, LINKSTREAM_TWO_ROWS | LINKSTREAM_LITTLE_ENDIAN, "DATATYPE = 4D_SU4_GAUGE\n"},
    };
    size_t k;
    for (k = 0; k < sizeof all / sizeof *all; ++k) {
        const size_t n = all[k].colors, numbers = 16 * 4 * n * n * 2;
        double *links = calloc(numbers, sizeof *links), *again = calloc(numbers, sizeof *again);
        linkstream_new_archive how = {0};
        linkstream_file *file = NULL;
        linkstream_read read = {0};
        unsigned char *bytes;
        size_t i, length;
        NEED(links && again);
        /* A rotation in the first two colors, with another angle at each link; its determinant is 1. */
        for (i = 0; i < 64; ++i) {
            double *link = links + i * n * n * 2;
            const double c = (double)(i % 5) / 5, s = sqrt(1 - c * c);
            size_t row;
            for (row = 2; row < n; ++row) link[(row * n + row) * 2] = 1;
            link[0] = link[(n + 1) * 2] = c, link[2] = s, link[n * 2] = -s;
        }
        how.struct_size = sizeof how;
        how.flags = all[k].flags | LINKSTREAM_REPLACE;
        how.element = LINKSTREAM_F64;
        how.colors = all[k].colors;
        how.extents[0] = how.extents[1] = how.extents[2] = how.extents[3] = 2;
        NEED(linkstream_write_archive(path, &how, links, numbers * sizeof *links) == LINKSTREAM_OK);
        CHECK(verdict_of(path) == LINKSTREAM_VERDICT_OK);
        bytes = bytes_of(path, &length);
        bytes[1000] = 0;
        CHECK(strstr((char *)bytes, all[k].datatype));
        free(bytes);
        read.struct_size = sizeof read;
        read.element = LINKSTREAM_F64;
        NEED(linkstream_open_path(path, &file) == LINKSTREAM_OK);
        CHECK(linkstream_field_read(file, 0, &read, again, numbers * sizeof *again) == LINKSTREAM_OK);
        CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
        for (i = 0; i < numbers; ++i) CHECK(fabs(links[i] - again[i]) < 1e-12);
        /* The size of SU(3) links, and numbers of colors that no archive has. */
        how.colors = 0;
        CHECK(linkstream_write_archive(path, &how, links, numbers * sizeof *links) == LINKSTREAM_ERR_SIZE);
        how.colors = 1;
        CHECK(linkstream_write_archive(path, &how, links, numbers * sizeof *links) == LINKSTREAM_ERR_USAGE);
        free(links), free(again);
    }
}

static void matrices(void) {
    const char *path = below(scratch, "new.inebin");
    static const double numbers[] = {0.5, -1, 2, 3, 1e300, 0.125};
    static const int64_t integers[] = {1, -2, 3, INT64_MIN, INT64_MAX, 0};
    static const unsigned char booleans[] = {0, 1, 1, 0, 1, 0};
    static const unsigned char others[] = {0, 1, 2, 0, 1, 0};
    linkstream_new_matrix how = {0};
    static const struct { int32_t type; uint32_t columns; const void *entries; size_t size; } all[] = {
        {LINKSTREAM_REAL, 3, numbers, sizeof numbers},
        {LINKSTREAM_INTEGER, 3, integers, sizeof integers},
        {LINKSTREAM_BOOLEAN, 3, booleans, sizeof booleans},
        {LINKSTREAM_COMPLEX, 1, numbers, 2 * 16},
    };
    size_t i;
    how.struct_size = sizeof how;
    how.flags = LINKSTREAM_REPLACE;
    how.rows = 2;
    for (i = 0; i < sizeof all / sizeof all[0]; ++i) {
        unsigned char back[sizeof numbers];
        linkstream_matrix_info about = {0};
        linkstream_file *file = NULL;
        about.struct_size = sizeof about;
        how.type = all[i].type;
        how.columns = all[i].columns;
        CHECK(linkstream_write_matrix(path, &how, all[i].entries, all[i].size) == LINKSTREAM_OK);
        NEED(linkstream_open_path(path, &file) == LINKSTREAM_OK);
        CHECK(linkstream_matrix_get(file, &about) == LINKSTREAM_OK && about.type == all[i].type);
        CHECK(about.rows == 2 && about.columns == all[i].columns && about.bytes == all[i].size);
        CHECK(linkstream_matrix_read(file, back, all[i].size) == LINKSTREAM_UNVERIFIED);
        CHECK(memcmp(back, all[i].entries, all[i].size) == 0);
        CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
        CHECK(linkstream_write_matrix(path, &how, all[i].entries, all[i].size - 1) == LINKSTREAM_ERR_SIZE);
    }
    how.type = LINKSTREAM_BOOLEAN;
    how.columns = 3;
    CHECK(linkstream_write_matrix(path, &how, others, sizeof others) == LINKSTREAM_ERR_REFUSED && says("entry 2"));
    how.type = 5;
    CHECK(linkstream_write_matrix(path, &how, others, sizeof others) == LINKSTREAM_ERR_USAGE);
    how.type = LINKSTREAM_REAL;
    how.rows = how.columns = UINT32_MAX;
    CHECK(linkstream_write_matrix(path, &how, numbers, sizeof numbers) == LINKSTREAM_ERR_SIZE);
    how.flags = 0;
    how.rows = how.columns = 1;
    CHECK(linkstream_write_matrix(path, &how, numbers, 8) == LINKSTREAM_ERR_EXISTS);
}

static void sections(void) {
    const char *path = below(scratch, "new.scda");
    static const char inline_data[] = "thirty-two bytes of inline data.";
    static const char words[] = "onethree";
    static const uint64_t sizes[] = {3, 0, 5};
    double array[256];
    linkstream_new_sections how = {0};
    linkstream_new_section all[5];
    linkstream_section_info about = {0};
    linkstream_file_info whole = {0};
    linkstream_file *file = NULL;
    uint64_t sizes_back[3];
    double back[256];
    size_t i;
    memset(all, 0, sizeof all);
    for (i = 0; i < 256; ++i) array[i] = (double)i;
    for (i = 0; i < 5; ++i) all[i].struct_size = sizeof all[0];
    how.struct_size = sizeof how;
    how.user = "a file of C";
    all[0].type = 'I', all[0].data = inline_data, all[0].size = 32;
    all[1].type = 'B', all[1].data = words, all[1].size = 8, all[1].user = "block";
    all[2].type = 'A', all[2].data = array, all[2].size = sizeof array, all[2].elements = 32;
    all[3] = all[2], all[3].compression = 9;
    all[4].type = 'V', all[4].data = words, all[4].size = 8, all[4].elements = 3, all[4].sizes = sizes;
    CHECK(linkstream_write_sections(path, &how, all, 5) == LINKSTREAM_OK);
    about.struct_size = sizeof about;
    whole.struct_size = sizeof whole;
    NEED(linkstream_open_path(path, &file) == LINKSTREAM_OK);
    CHECK(linkstream_file_get(file, &whole) == LINKSTREAM_OK && whole.sections == 6);
    CHECK(linkstream_section_get(file, 0, &about) == LINKSTREAM_OK && strcmp(about.user, "a file of C") == 0);
    CHECK(linkstream_section_get(file, 2, &about) == LINKSTREAM_OK && strcmp(about.user, "block") == 0);
    for (i = 3; i < 5; ++i) {
        CHECK(linkstream_section_get(file, i, &about) == LINKSTREAM_OK && about.element_size == 64);
        CHECK(about.elements == 32 && about.is_compressed == (i == 4));
        CHECK(linkstream_section_read(file, i, back, sizeof back) == (i == 4 ? LINKSTREAM_OK : LINKSTREAM_UNVERIFIED));
        CHECK(memcmp(back, array, sizeof back) == 0);
    }
    CHECK(linkstream_section_get(file, 5, &about) == LINKSTREAM_OK && about.type == 'V' && about.elements == 3);
    CHECK(linkstream_section_sizes(file, 5, sizes_back, 3) == LINKSTREAM_OK);
    CHECK(memcmp(sizes_back, sizes, sizeof sizes) == 0);
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);

    /* A file without sections; and what cannot be a section. */
    CHECK(linkstream_write_sections(path, &how, NULL, 0) == LINKSTREAM_ERR_EXISTS);
    how.flags = LINKSTREAM_REPLACE | LINKSTREAM_MIME;
    CHECK(linkstream_write_sections(path, &how, NULL, 0) == LINKSTREAM_OK);
    CHECK(linkstream_write_sections(path, &how, NULL, 1) == LINKSTREAM_ERR_USAGE);
    all[0].size = 31;
    CHECK(linkstream_write_sections(path, &how, all, 1) == LINKSTREAM_ERR_SIZE);
    all[2].elements = 31;
    CHECK(linkstream_write_sections(path, &how, all + 2, 1) == LINKSTREAM_ERR_USAGE && says("31 elements"));
    all[4].size = 7;
    CHECK(linkstream_write_sections(path, &how, all + 4, 1) == LINKSTREAM_ERR_SIZE);
    all[4].size = 9;
    CHECK(linkstream_write_sections(path, &how, all + 4, 1) == LINKSTREAM_ERR_SIZE);
    all[1].type = 'X';
    CHECK(linkstream_write_sections(path, &how, all + 1, 1) == LINKSTREAM_ERR_USAGE && says("'I', 'B', 'A' or 'V'"));
    all[1].type = 'B', all[1].compression = 10;
    CHECK(linkstream_write_sections(path, &how, all + 1, 1) == LINKSTREAM_ERR_USAGE);
    all[1].compression = 0, all[1].user = "a text about a section that has more than the fifty-eight bytes of an entry";
    CHECK(linkstream_write_sections(path, &how, all + 1, 1) == LINKSTREAM_ERR_REFUSED);
    all[1].user = NULL, all[1].struct_size = 8;
    CHECK(linkstream_write_sections(path, &how, all + 1, 1) == LINKSTREAM_ERR_USAGE && says("struct_size"));
    CHECK(verdict_of(path) == LINKSTREAM_VERDICT_UNVERIFIED);
}

static void sets(void) {
    const char *path = below(scratch, "new.set"), *volume = below(scratch, "new.set.vol0005");
    double *links = sample_links();
    linkstream_new_file how = {0};
    linkstream_new_gauge gauge = {0};
    linkstream_new_field global = {0};
    linkstream_writer *writer = NULL;
    linkstream_file *file = NULL;
    linkstream_file_info about = {0};
    struct watch steps = {0, 0, 0, 0, 0};
    double seven[7] = {1, 2, 3, 4, 5, 6, 7}, back[7];
    how.struct_size = sizeof how;
    gauge.struct_size = sizeof gauge;
    global.struct_size = sizeof global;
    about.struct_size = sizeof about;
    how.dimensions = 4;
    how.extents[0] = how.extents[1] = how.extents[2] = 4, how.extents[3] = 8;
    how.volumes[0] = 2, how.volumes[1] = how.volumes[2] = 1, how.volumes[3] = 4;
    how.flags = LINKSTREAM_READ_BACK;
    how.progress = watch;
    how.context = &steps;
    gauge.element = global.element = LINKSTREAM_F64;
    global.flags = LINKSTREAM_GLOBAL;
    global.items = 7, global.components = 1;
    global.datatype = "QDP_D_Real";
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_OK);
    CHECK(linkstream_write_gauge(writer, &gauge, links, NUMBERS * sizeof *links) == LINKSTREAM_OK);
    CHECK(linkstream_write_field(writer, &global, seven, sizeof seven) == LINKSTREAM_OK);
    CHECK(linkstream_writer_finish(writer) == LINKSTREAM_OK && exists(volume) && !exists(path));
    NEED(linkstream_open_path(path, &file) == LINKSTREAM_OK);
    CHECK(linkstream_file_get(file, &about) == LINKSTREAM_OK && about.is_set == 1 && about.fields == 2);
    CHECK(linkstream_field_verify(file, 0, NULL, NULL) == LINKSTREAM_OK);
    CHECK(linkstream_field_read(file, 1, NULL, back, sizeof back) == LINKSTREAM_OK);
    CHECK(memcmp(back, seven, sizeof back) == 0);
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    CHECK(verdict_of(path) == LINKSTREAM_VERDICT_OK);

    /* The volumes of a set that exists stay as they are. */
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_OK);
    CHECK(linkstream_write_gauge(writer, &gauge, links, NUMBERS * sizeof *links) == LINKSTREAM_ERR_EXISTS);
    CHECK(linkstream_writer_finish(writer) == LINKSTREAM_ERR_USAGE);
    how.volumes[3] = 2;
    how.flags |= LINKSTREAM_REPLACE;
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_OK);
    CHECK(linkstream_write_gauge(writer, &gauge, links, NUMBERS * sizeof *links) == LINKSTREAM_ERR_EXISTS);
    CHECK(says("another file set") && linkstream_writer_discard(writer) == LINKSTREAM_OK);
    how.volumes[3] = 4;
    /* A discarded set leaves nothing, a cancelled one neither. */
    path = below(scratch, "other.set");
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_OK);
    CHECK(linkstream_write_gauge(writer, &gauge, links, NUMBERS * sizeof *links) == LINKSTREAM_OK);
    CHECK(linkstream_writer_discard(writer) == LINKSTREAM_OK && !exists(below(scratch, "other.set.vol0000")));
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_OK);
    CHECK(linkstream_write_gauge(writer, &gauge, links, NUMBERS * sizeof *links) == LINKSTREAM_OK);
    steps.cancel_at = steps.calls + 1;
    CHECK(linkstream_writer_finish(writer) == LINKSTREAM_ERR_CANCELLED);
    CHECK(!exists(below(scratch, "other.set.vol0000")));
    /* Each volume in a directory of its own. */
    how.layout = LINKSTREAM_OWN_DIRECTORIES;
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_OK);
    CHECK(linkstream_write_gauge(writer, &gauge, links, NUMBERS * sizeof *links) == LINKSTREAM_OK);
    CHECK(linkstream_writer_finish(writer) == LINKSTREAM_OK && exists(below(scratch, "vol0007/other.set")));
    CHECK(verdict_of(path) == LINKSTREAM_VERDICT_OK);
    /* What is no set. */
    how.volumes[0] = 3;
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_ERR_REFUSED);
    how.volumes[0] = 0;
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_ERR_USAGE);
    how.volumes[0] = 2, how.volumes[5] = 1;
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_ERR_USAGE);
    how.volumes[5] = 0, how.documents = LINKSTREAM_ILDG;
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_ERR_REFUSED);
    memset(how.volumes, 0, sizeof how.volumes);
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_ERR_USAGE && says("layout"));
    how.layout = 2;
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_ERR_USAGE);
    free(links);
}

int main(int count, char **arguments) {
    if (count < 3) return 2;
    scratch = arguments[1];
    root = arguments[2];
    archives();
    archives_of_other_groups();
    matrices();
    sections();
    sets();
    return failures != 0;
}
