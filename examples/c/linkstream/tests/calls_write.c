/* Every call of linkstream.h that writes: what it returns, and what is in the file. */
#include "sample.h"

static linkstream_new_file new_file(void) {
    linkstream_new_file file = {0};
    file.struct_size = sizeof file;
    file.dimensions = 4;
    file.extents[0] = file.extents[1] = file.extents[2] = 4;
    file.extents[3] = 8;
    file.flags = LINKSTREAM_READ_BACK;
    return file;
}

static void writing(void) {
    const char *path = below(scratch, "new.ildg");
    linkstream_file *file = open_sample();
    linkstream_writer *writer = NULL;
    linkstream_new_file how = new_file();
    linkstream_new_gauge gauge = {0};
    linkstream_field_info about = {0};
    linkstream_report *report = NULL;
    linkstream_report_info verdict = {0};
    struct watch steps = {0, 0, 0, 0, 0};
    float *single = need_memory(NUMBERS * sizeof *single), *again = need_memory(NUMBERS * sizeof *again);
    double *links = need_memory(NUMBERS * sizeof *links);
    size_t i;
    about.struct_size = sizeof about;
    verdict.struct_size = sizeof verdict;
    gauge.struct_size = sizeof gauge;
    gauge.element = LINKSTREAM_F32;
    CHECK(linkstream_field_read(file, 0, NULL, single, NUMBERS * sizeof *single) == LINKSTREAM_OK);
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    for (i = 0; i < NUMBERS; ++i) links[i] = single[i];

    /* The file of QIO's form has both documents. Nothing is there before it is complete. */
    how.lfn = "lfn://example/new";
    how.progress = watch;
    how.context = &steps;
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_OK);
    gauge.record_xml = "<?xml version=\"1.0\"?><note>from C</note>";
    CHECK(linkstream_write_gauge(writer, &gauge, single, NUMBERS * sizeof *single - 4) == LINKSTREAM_ERR_SIZE);
    CHECK(linkstream_write_gauge(writer, &gauge, single, NUMBERS * sizeof *single) == LINKSTREAM_OK);
    CHECK(steps.calls > 1 && steps.done == 4 * NUMBERS);
    CHECK(!exists(path));
    CHECK(linkstream_writer_finish(writer) == LINKSTREAM_OK && exists(path));
    CHECK(linkstream_check_path(path, NULL, &report) == LINKSTREAM_OK);
    CHECK(linkstream_report_get(report, &verdict) == LINKSTREAM_OK && verdict.verdict == LINKSTREAM_VERDICT_OK);
    CHECK(strstr(linkstream_report_json(report), "from C") != NULL);
    CHECK(strstr(linkstream_report_json(report), "lfn://example/new") != NULL);
    CHECK(linkstream_report_close(report) == LINKSTREAM_OK);
    CHECK(linkstream_open_path(path, &file) == LINKSTREAM_OK);
    CHECK(linkstream_field_read(file, 0, NULL, again, NUMBERS * sizeof *again) == LINKSTREAM_OK);
    CHECK(memcmp(single, again, NUMBERS * sizeof *again) == 0);
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);

    /* Without a text of the caller, the record of links of SU(3) has their plaquette and link trace (QIO 2.3, appendix
     * A.1), single and in a file set; `check` compares them with the links. */
    for (i = 0; i < 2; ++i) {
        char name[1024];
        how = new_file();
        how.documents = i ? LINKSTREAM_SCIDAC : LINKSTREAM_BOTH;
        how.volumes[3] = i ? 2 : 0;
        if (i) how.volumes[0] = how.volumes[1] = how.volumes[2] = 1;
        snprintf(name, sizeof name, "%s.lattice%u", path, (unsigned)i);
        gauge.record_xml = NULL;
        CHECK(linkstream_create(name, &how, &writer) == LINKSTREAM_OK);
        CHECK(linkstream_write_gauge(writer, &gauge, single, NUMBERS * sizeof *single) == LINKSTREAM_OK);
        CHECK(linkstream_writer_finish(writer) == LINKSTREAM_OK);
        CHECK(linkstream_check_path(name, NULL, &report) == LINKSTREAM_OK);
        CHECK(linkstream_report_get(report, &verdict) == LINKSTREAM_OK && verdict.verdict == LINKSTREAM_VERDICT_OK);
        CHECK(strstr(linkstream_report_json(report), "usqcdInfo") != NULL);
        CHECK(strstr(linkstream_report_json(report), "\"agrees\":true") != NULL);
        CHECK(strstr(linkstream_report_json(report), "\"agrees\":false") == NULL);
        CHECK(linkstream_report_close(report) == LINKSTREAM_OK);
    }
    how = new_file();

    /* An existing file stays as it is unless it is to be replaced; so does one whose writer is discarded. */
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_ERR_EXISTS && writer == NULL && says("exists"));
    how = new_file();
    how.flags |= LINKSTREAM_REPLACE;
    how.documents = LINKSTREAM_ILDG;
    gauge.record_xml = NULL;
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_OK);
    CHECK(linkstream_writer_discard(writer) == LINKSTREAM_OK && exists(path));
    CHECK(linkstream_writer_discard(NULL) == LINKSTREAM_OK);
    gauge.element = LINKSTREAM_F64;
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_OK);
    CHECK(linkstream_write_gauge(writer, &gauge, links, NUMBERS * sizeof *links) == LINKSTREAM_OK);
    CHECK(linkstream_writer_finish(writer) == LINKSTREAM_OK);
    CHECK(linkstream_open_path(path, &file) == LINKSTREAM_OK);
    CHECK(linkstream_field_get(file, 0, &about) == LINKSTREAM_OK);
    CHECK(about.element == LINKSTREAM_F64 && strcmp(about.datatype, "su3gauge") == 0);
    /* ILDG 1.2 files have no checksum unless it is asked for: this is said, not hidden. */
    CHECK(about.has_checksum == 0);
    memset(links, 0, NUMBERS * sizeof *links);
    CHECK(linkstream_field_read(file, 0, NULL, links, NUMBERS * sizeof *links) == LINKSTREAM_UNVERIFIED);
    for (i = 0; i < NUMBERS; ++i) links[i] -= single[i];
    for (i = 0; i < NUMBERS && links[i] == 0; ++i) {}
    CHECK(i == NUMBERS);
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);

    how.flags |= LINKSTREAM_CHECKSUM;
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_OK);
    gauge.element = LINKSTREAM_F32;
    CHECK(linkstream_write_gauge(writer, &gauge, single, NUMBERS * sizeof *single) == LINKSTREAM_OK);
    CHECK(linkstream_writer_finish(writer) == LINKSTREAM_OK);
    CHECK(linkstream_open_path(path, &file) == LINKSTREAM_OK);
    CHECK(linkstream_field_verify(file, 0, NULL, NULL) == LINKSTREAM_OK);
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    gauge.element = LINKSTREAM_F64;

    /* Numbers that are no links are written, and the caller gets another answer. */
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_OK);
    for (i = 0; i < NUMBERS; ++i) links[i] = 2;
    CHECK(linkstream_write_gauge(writer, &gauge, links, NUMBERS * sizeof *links) == LINKSTREAM_DOUBTFUL);
    CHECK(says("not in their group"));
    CHECK(linkstream_writer_discard(writer) == LINKSTREAM_OK);
    /* A number that single precision cannot hold. */
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_OK);
    links[5] = 1e300;
    gauge.stored = LINKSTREAM_F32;
    CHECK(linkstream_write_gauge(writer, &gauge, links, NUMBERS * sizeof *links) == LINKSTREAM_ERR_NUMBER);
    CHECK(linkstream_write_gauge(writer, &gauge, links, NUMBERS * sizeof *links) == LINKSTREAM_ERR_USAGE);
    CHECK(linkstream_writer_finish(writer) == LINKSTREAM_ERR_USAGE && says("earlier call"));
    /* Cancelled while it is written. */
    steps.calls = 0, steps.cancel_at = 1;
    how.progress = watch;
    how.context = &steps;
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_OK);
    gauge.element = LINKSTREAM_F32;
    CHECK(linkstream_write_gauge(writer, &gauge, single, NUMBERS * sizeof *single) == LINKSTREAM_ERR_CANCELLED);
    CHECK(linkstream_writer_finish(writer) == LINKSTREAM_ERR_USAGE);
    /* Cancelled while it is read back. */
    steps.calls = 0, steps.cancel_at = 0;
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_OK);
    CHECK(linkstream_write_gauge(writer, &gauge, single, NUMBERS * sizeof *single) == LINKSTREAM_OK);
    steps.cancel_at = steps.calls + 1;
    CHECK(linkstream_writer_finish(writer) == LINKSTREAM_ERR_CANCELLED);
    free(single);
    free(again);
    free(links);
}

static void other_fields(void) {
    const char *path = below(scratch, "fields.scidac");
    const size_t numbers = (size_t)2 * 3 * 4 * 24;
    linkstream_file *file = NULL;
    linkstream_writer *writer = NULL;
    linkstream_new_file how = {0};
    linkstream_new_field fermion = {0}, global = {0};
    linkstream_field_info about = {0};
    linkstream_file_info all = {0};
    linkstream_read as_double = {0};
    float *values = need_memory(numbers * sizeof *values), *again = need_memory(numbers * sizeof *again);
    double seven[7], back[7];
    size_t i;
    how.struct_size = sizeof how;
    how.documents = LINKSTREAM_SCIDAC;
    how.dimensions = 3;
    how.extents[0] = 2, how.extents[1] = 3, how.extents[2] = 4;
    how.file_xml = "<?xml version=\"1.0\"?><title>two fields</title>";
    how.date = "Tue Jan  2 03:04:05 2024 UTC";
    how.flags = LINKSTREAM_READ_BACK;
    fermion.struct_size = global.struct_size = sizeof fermion;
    as_double.struct_size = sizeof as_double;
    about.struct_size = sizeof about;
    all.struct_size = sizeof all;
    for (i = 0; i < numbers; ++i) values[i] = (float)i / 8;
    for (i = 0; i < 7; ++i) seven[i] = 1.0 / (double)(i + 1);
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_OK);
    fermion.element = LINKSTREAM_F32;
    fermion.colors = 3, fermion.spins = 4, fermion.items = 1, fermion.components = 24;
    fermion.datatype = "USQCD_F3_DiracFermion";
    CHECK(linkstream_write_field(writer, &fermion, values, numbers * sizeof *values) == LINKSTREAM_OK);
    global.element = LINKSTREAM_F64;
    global.flags = LINKSTREAM_GLOBAL;
    global.items = 7, global.components = 1;
    global.datatype = "QDP_D_Real";
    CHECK(linkstream_write_field(writer, &global, seven, sizeof seven) == LINKSTREAM_OK);
    CHECK(linkstream_writer_finish(writer) == LINKSTREAM_OK);

    NEED(linkstream_open_path(path, &file) == LINKSTREAM_OK);
    CHECK(linkstream_file_get(file, &all) == LINKSTREAM_OK && all.fields == 2);
    CHECK(linkstream_field_get(file, 0, &about) == LINKSTREAM_OK);
    CHECK(about.colors == 3 && about.spins == 4 && about.items == 1 && about.is_gauge_field == 0);
    CHECK(about.dimensions == 3 && about.sites == 24 && about.lattice_axes == 3 && about.axes == 6);
    CHECK(strcmp(about.axis[0].name, "z") == 0 && strcmp(about.axis[3].name, "spin") == 0);
    CHECK(linkstream_field_read(file, 0, NULL, again, numbers * sizeof *again) == LINKSTREAM_OK);
    CHECK(memcmp(values, again, numbers * sizeof *again) == 0);
    CHECK(linkstream_field_get(file, 1, &about) == LINKSTREAM_OK);
    CHECK(about.lattice_axes == 0 && about.sites == 1 && about.numbers == 7 && about.bytes_per_site == 56);
    as_double.element = LINKSTREAM_F64;
    CHECK(linkstream_field_read(file, 1, &as_double, back, sizeof back) == LINKSTREAM_OK);
    CHECK(memcmp(back, seven, sizeof back) == 0);
    /* Rounded to single precision. */
    as_double.element = LINKSTREAM_F32;
    CHECK(linkstream_field_read(file, 1, &as_double, again, 28) == LINKSTREAM_OK && again[2] == 1.0F / 3);
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);

    /* Numbers that do not fit. */
    seven[3] = -1e200;
    how.flags = LINKSTREAM_REPLACE;
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_OK);
    CHECK(linkstream_write_field(writer, &global, seven, sizeof seven) == LINKSTREAM_OK);
    CHECK(linkstream_writer_finish(writer) == LINKSTREAM_OK);
    NEED(linkstream_open_path(path, &file) == LINKSTREAM_OK);
    CHECK(linkstream_field_read(file, 0, &as_double, again, 28) == LINKSTREAM_ERR_NUMBER && says("1e200"));
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    free(values);
    free(again);
}

int main(int count, char **arguments) {
    if (count < 3) return 2;
    scratch = arguments[1];
    root = arguments[2];
    writing();
    other_fields();
    return failures != 0;
}
