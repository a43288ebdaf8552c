/* Every call of linkstream.h that reads: what it returns, and what it reads. */
#include "../../examples/plaquette.h"
#include "sample.h"

#include <math.h>

static void structures(void) {
    /* The library has the same numbers in its own test. */
    static const size_t sizes[] = {
        sizeof(linkstream_check),       sizeof(linkstream_report_info), sizeof(linkstream_finding),
        sizeof(linkstream_file_info),   sizeof(linkstream_record_info), sizeof(linkstream_field_info),
        sizeof(linkstream_read),        sizeof(linkstream_matrix_info), sizeof(linkstream_section_info),
        sizeof(linkstream_new_file),    sizeof(linkstream_new_gauge),   sizeof(linkstream_new_field),
        sizeof(linkstream_new_archive), sizeof(linkstream_new_matrix),  sizeof(linkstream_new_sections),
        sizeof(linkstream_new_section),
    };
    static const size_t expected[2][16] = {
        {32, 56, 1040, 64, 168, 576, 48, 32, 120, 136, 40, 56, 64, 40, 48, 56},
        {20, 52, 1036, 60, 164, 572, 36, 28, 116, 112, 24, 44, 48, 28, 28, 36}, /* with pointers of 32 bits */
    };
    size_t i;
    for (i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) CHECK(sizes[i] == expected[sizeof(void *) == 4][i]);
    CHECK(strcmp(linkstream_version(), "0.2.0") == 0);
}

static void listing(void) {
    static const char *const names[] = {"t", "z", "y", "x", "mu", "row", "column", "re/im"};
    static const uint64_t shape[] = {8, 4, 4, 4, 4, 3, 3, 2};
    linkstream_file *file = open_sample();
    linkstream_file_info about = {0};
    linkstream_field_info field = {0};
    linkstream_record_info record = {0};
    linkstream_finding warning = {0};
    char *text;
    uint64_t i, data = 0;
    about.struct_size = sizeof about;
    field.struct_size = sizeof field;
    record.struct_size = sizeof record;
    warning.struct_size = sizeof warning;
    CHECK(linkstream_file_get(file, &about) == LINKSTREAM_OK && about.struct_size == sizeof about);
    CHECK(about.format == LINKSTREAM_LIME && about.is_set == 0 && about.bytes == 149824);
    CHECK(about.fields == 1 && about.sections == 0 && about.matrices == 0 && about.warnings == 0);
    CHECK(linkstream_file_warning(file, 0, &warning) == LINKSTREAM_ERR_USAGE && says("no warning 0"));
    CHECK(linkstream_field_get(file, 0, &field) == LINKSTREAM_OK);
    CHECK(field.element == LINKSTREAM_F32 && field.is_complex == 1 && field.is_gauge_field == 1);
    CHECK(field.has_checksum == 1 && field.colors == 3 && field.spins == 0 && field.items == 4);
    CHECK(field.dimensions == 4 && field.extents[0] == 4 && field.extents[3] == 8 && field.extents[4] == 0);
    CHECK(field.sites == 512 && field.bytes_per_site == 288 && field.numbers == NUMBERS && field.bytes == 4 * NUMBERS);
    CHECK(field.offset == 1944 && strcmp(field.datatype, "USQCD_F3_ColorMatrix") == 0);
    CHECK(field.lattice_axes == 4 && field.axes == 8);
    for (i = 0; i < 8; ++i) CHECK(strcmp(field.axis[i].name, names[i]) == 0 && field.axis[i].extent == shape[i]);
    CHECK(linkstream_field_get(file, 1, &field) == LINKSTREAM_ERR_USAGE && says("no field 1"));

    for (i = 0; i < about.records; ++i) {
        CHECK(linkstream_record_get(file, i, &record) == LINKSTREAM_OK);
        if (i == 0) {
            CHECK(record.offset == 0 && record.begins_message == 1 && record.ends_message == 0);
            CHECK(strcmp(record.type, "scidac-private-file-xml") == 0);
            text = need_memory(record.bytes + 1);
            CHECK(linkstream_record_read(file, i, text, record.bytes) == LINKSTREAM_UNVERIFIED);
            text[record.bytes] = 0;
            CHECK(strstr(text, "<dims>4 4 4 8") != NULL);
            CHECK(linkstream_record_read(file, i, text, record.bytes - 1) == LINKSTREAM_ERR_SIZE);
            free(text);
        }
        data += record.offset == 1944 && record.bytes == 4 * NUMBERS;
    }
    CHECK(data == 1);
    CHECK(linkstream_record_get(file, about.records, &record) == LINKSTREAM_ERR_USAGE);
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    CHECK(linkstream_file_close(NULL) == LINKSTREAM_OK);
}

static void reading(void) {
    static const uint32_t extents[4] = {4, 4, 4, 8};
    const size_t slice = NUMBERS / 8;
    linkstream_file *file = open_sample();
    linkstream_read how = {0};
    float *single = need_memory(NUMBERS * sizeof *single);
    double *links = need_memory(NUMBERS * sizeof *links);
    size_t i, different = 0;
    how.struct_size = sizeof how;

    /* A time slice is verified only after the whole field. */
    how.first_slice = 3, how.slices = 2;
    CHECK(linkstream_field_read(file, 0, &how, single, 2 * slice * sizeof *single) == LINKSTREAM_UNVERIFIED);
    CHECK(linkstream_field_verify(file, 0, NULL, NULL) == LINKSTREAM_OK);
    CHECK(linkstream_field_read(file, 0, &how, single, 2 * slice * sizeof *single) == LINKSTREAM_OK);
    how.element = LINKSTREAM_F64;
    CHECK(linkstream_field_read(file, 0, &how, links, 2 * slice * sizeof *links) == LINKSTREAM_OK);
    for (i = 0; i < 2 * slice; ++i) different += links[i] != (double)single[i];
    CHECK(different == 0);
    how.first_slice = how.slices = 0;
    CHECK(linkstream_field_read(file, 0, &how, links, NUMBERS * sizeof *links) == LINKSTREAM_OK);
    for (i = 0; i < 2 * slice; ++i) different += links[3 * slice + i] != (double)single[i];
    CHECK(linkstream_field_read(file, 0, NULL, single, NUMBERS * sizeof *single) == LINKSTREAM_OK);
    for (i = 0; i < NUMBERS; ++i) different += links[i] != (double)single[i];
    CHECK(different == 0);
    CHECK(fabs(plaquette(links, extents) - 0.595670900) < 1e-8);
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    free(single);
    free(links);
}

static void memory(void) {
    size_t length, i;
    unsigned char *bytes = bytes_of(below(root, SAMPLE), &length);
    float *links = need_memory(NUMBERS * sizeof *links);
    linkstream_file *file = NULL;
    CHECK(linkstream_open_memory(bytes, length, &file) == LINKSTREAM_OK);
    CHECK(linkstream_field_read(file, 0, NULL, links, NUMBERS * sizeof *links) == LINKSTREAM_OK);
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);

    /* One bit of the data. */
    bytes[100000] ^= 4;
    CHECK(linkstream_open_memory(bytes, length, &file) == LINKSTREAM_OK);
    CHECK(linkstream_field_read(file, 0, NULL, links, NUMBERS * sizeof *links) == LINKSTREAM_ERR_CHECKSUM);
    CHECK(strcmp(linkstream_last_error()->rule, "checksum-mismatch") == 0);
    CHECK(linkstream_last_error()->has_offset == 1 && linkstream_last_error()->offset > 149000);
    CHECK(linkstream_last_error()->clause[0] != 0);
    CHECK(linkstream_field_verify(file, 0, NULL, NULL) == LINKSTREAM_ERR_CHECKSUM);
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    bytes[100000] ^= 4;

    /* A file that ends too early. */
    for (i = 0; i < length; i += i < 3000 ? 97 : 9973) {
        int32_t answer = linkstream_open_memory(bytes, i, &file);
        CHECK(answer == (i < 4 ? LINKSTREAM_ERR_FORMAT : LINKSTREAM_ERR_BROKEN) && file == NULL);
    }
    CHECK(linkstream_open_memory("some text", 9, &file) == LINKSTREAM_ERR_FORMAT && file == NULL);
    CHECK(strcmp(linkstream_last_error()->rule, "format-unknown") == 0);
    free(bytes);
    free(links);
}

static void matrices(void) {
    static const int64_t integers[] = {1, 65536, 72623859790382856, -1, -65536, -4611686018427387904};
    static const double reals[] = {1, 1.5, 65536, -1, 0.375, 0.0002};
    static const unsigned char bits[] = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0};
    static const struct {
        const char *name;
        int32_t type;
        uint32_t columns;
        size_t size;
        const void *expected;
    } all[] = {
        {"host-tests/fixtures/inebin/doc-integer.bin", LINKSTREAM_INTEGER, 3, sizeof integers, integers},
        {"host-tests/fixtures/inebin/doc-real.bin", LINKSTREAM_REAL, 3, sizeof reals, reals},
        {"host-tests/fixtures/inebin/doc-bool.bin", LINKSTREAM_BOOLEAN, 5, sizeof bits, bits},
    };
    unsigned char out[64];
    size_t i;
    for (i = 0; i < 3; ++i) {
        linkstream_file *file = NULL;
        linkstream_matrix_info about = {0};
        about.struct_size = sizeof about;
        NEED(linkstream_open_path(below(root, all[i].name), &file) == LINKSTREAM_OK);
        CHECK(linkstream_matrix_get(file, &about) == LINKSTREAM_OK);
        CHECK(about.type == all[i].type && about.columns == all[i].columns && about.bytes == all[i].size);
        CHECK(linkstream_matrix_read(file, out, all[i].size) == LINKSTREAM_UNVERIFIED);
        CHECK(memcmp(out, all[i].expected, all[i].size) == 0);
        CHECK(linkstream_matrix_read(file, out, all[i].size - 1) == LINKSTREAM_ERR_SIZE);
        CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    }
    {
        linkstream_file *file = open_sample();
        linkstream_matrix_info about = {0};
        about.struct_size = sizeof about;
        CHECK(linkstream_matrix_get(file, &about) == LINKSTREAM_ERR_USAGE && says("no matrix"));
        CHECK(linkstream_matrix_read(file, out, 1) == LINKSTREAM_ERR_USAGE);
        CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    }
}

static void sections(void) {
    /* "mixed sizes" of compressed-varrays.scda: k * (k - 50) / 2^4 as little-endian doubles. */
    static const uint64_t expected[] = {0, 3, 100, 0, 40000};
    linkstream_file *file = NULL;
    linkstream_file_info about = {0};
    linkstream_section_info section = {0};
    unsigned char *bytes;
    uint64_t i, sizes[5];
    int found = 0;
    about.struct_size = sizeof about;
    section.struct_size = sizeof section;
    NEED(linkstream_open_path(below(root, "host-tests/fixtures/scda/compressed-varrays.scda"), &file) == LINKSTREAM_OK);
    CHECK(linkstream_file_get(file, &about) == LINKSTREAM_OK && about.format == LINKSTREAM_SCDA);
    CHECK(linkstream_section_get(file, 0, &section) == LINKSTREAM_OK);
    CHECK(section.type == 'F' && section.offset == 0 && section.bytes == 0 && section.elements == 0);
    CHECK(strcmp(section.user, "compressed variable-size arrays") == 0);
    CHECK(linkstream_section_read(file, 0, NULL, 0) == LINKSTREAM_UNVERIFIED);
    for (i = 1; i < about.sections; ++i) {
        CHECK(linkstream_section_get(file, i, &section) == LINKSTREAM_OK);
        CHECK(section.type == 'V' && section.is_compressed == 1 && section.element_size == 0);
        if (strcmp(section.user, "mixed sizes")) continue;
        found = 1;
        CHECK(section.elements == 5 && section.bytes == 40103 && section.user_length == 11 && section.offset == 416);
        CHECK(linkstream_section_sizes(file, i, sizes, 5) == LINKSTREAM_OK);
        CHECK(memcmp(sizes, expected, sizeof expected) == 0);
        CHECK(linkstream_section_sizes(file, i, sizes, 4) == LINKSTREAM_ERR_SIZE);
        bytes = need_memory(section.bytes);
        CHECK(linkstream_section_read(file, i, bytes, section.bytes) == LINKSTREAM_OK);
        {
            uint64_t k, wrong = 0;
            for (k = 0; k < 40103 / 8; ++k) {
                const double value = (double)((int64_t)k * ((int64_t)k - 50)) / 16;
                unsigned char little[8];
                uint64_t bits;
                int j;
                memcpy(&bits, &value, 8);
                for (j = 0; j < 8; ++j) little[j] = (unsigned char)(bits >> 8 * j);
                wrong += memcmp(bytes + 8 * k, little, 8) != 0;
            }
            CHECK(wrong == 0);
        }
        CHECK(linkstream_section_read(file, i, bytes, section.bytes - 1) == LINKSTREAM_ERR_SIZE);
        free(bytes);
    }
    CHECK(found);
    CHECK(linkstream_section_get(file, i, &section) == LINKSTREAM_ERR_USAGE && says("no section"));
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);

    NEED(linkstream_open_path(below(root, "host-tests/fixtures/scda/inline.scda"), &file) == LINKSTREAM_OK);
    CHECK(linkstream_section_get(file, 1, &section) == LINKSTREAM_OK);
    CHECK(section.type == 'I' && section.bytes == 32 && section.elements == 1 && section.is_compressed == 0);
    bytes = need_memory(32);
    CHECK(linkstream_section_read(file, 1, bytes, 32) == LINKSTREAM_UNVERIFIED);
    CHECK(linkstream_section_sizes(file, 1, sizes, 1) == LINKSTREAM_ERR_USAGE);
    free(bytes);
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
}

static void reports(void) {
    linkstream_report *report = NULL;
    linkstream_report_info about = {0};
    linkstream_finding finding = {0};
    linkstream_check how = {0};
    size_t length;
    unsigned char *bytes = bytes_of(below(root, SAMPLE), &length);
    about.struct_size = sizeof about;
    finding.struct_size = sizeof finding;
    how.struct_size = sizeof how;
    CHECK(linkstream_check_path(below(root, SAMPLE), NULL, &report) == LINKSTREAM_OK);
    CHECK(linkstream_report_get(report, &about) == LINKSTREAM_OK);
    CHECK(about.verdict == LINKSTREAM_VERDICT_OK && about.is_ok == 1 && about.findings == 0);
    CHECK(about.bytes == length && strcmp(about.format, "lime") == 0);
    CHECK(strlen(linkstream_report_json(report)) == about.json_length);
    CHECK(strncmp(linkstream_report_json(report), "{\"schema\":", 10) == 0);
    CHECK(strstr(linkstream_report_json(report), "\"plaquette\"") != NULL);
    CHECK(linkstream_report_finding(report, 0, &finding) == LINKSTREAM_ERR_USAGE);
    CHECK(linkstream_report_close(report) == LINKSTREAM_OK);
    CHECK(linkstream_report_close(NULL) == LINKSTREAM_OK);

    how.flags = LINKSTREAM_NO_OBSERVABLES | LINKSTREAM_LENIENT;
    CHECK(linkstream_check_memory(bytes, length, "a name", &how, &report) == LINKSTREAM_OK);
    CHECK(strstr(linkstream_report_json(report), "\"a name\"") != NULL);
    CHECK(strstr(linkstream_report_json(report), "\"plaquette\":") == NULL);
    CHECK(linkstream_report_close(report) == LINKSTREAM_OK);

    bytes[100000] ^= 4;
    CHECK(linkstream_check_memory(bytes, length, "-", NULL, &report) == LINKSTREAM_OK);
    CHECK(linkstream_report_get(report, &about) == LINKSTREAM_OK);
    CHECK(about.verdict == LINKSTREAM_VERDICT_WRONG && about.is_ok == 0 && about.findings >= 1);
    CHECK(linkstream_report_finding(report, 0, &finding) == LINKSTREAM_OK);
    CHECK(finding.is_error == 1 && strcmp(finding.rule, "checksum-mismatch") == 0 && finding.offset > 149000);
    CHECK(finding.message[0] != 0 && finding.clause[0] != 0);
    CHECK(linkstream_report_close(report) == LINKSTREAM_OK);

    CHECK(linkstream_check_path(below(scratch, "absent"), NULL, &report) == LINKSTREAM_OK);
    CHECK(linkstream_report_get(report, &about) == LINKSTREAM_OK);
    CHECK(about.verdict == LINKSTREAM_VERDICT_UNREADABLE && about.is_ok == 0 && about.findings == 1);
    CHECK(linkstream_report_finding(report, 0, &finding) == LINKSTREAM_OK && finding.rule[0] == 0);
    CHECK(strcmp(finding.message, "No such file or directory") == 0);
    CHECK(linkstream_report_close(report) == LINKSTREAM_OK);

    /* Data without a checksum pass unless the caller requires one. */
    how.flags = LINKSTREAM_REQUIRE_CHECKSUM;
    NEED(linkstream_check_path(below(root,
                               "host-tests/fixtures/inebin/doc-real.bin"), &how, &report) == LINKSTREAM_OK);
    CHECK(linkstream_report_get(report, &about) == LINKSTREAM_OK);
    CHECK(about.verdict == LINKSTREAM_VERDICT_UNVERIFIED && about.is_ok == 0);
    CHECK(linkstream_report_close(report) == LINKSTREAM_OK);
    free(bytes);
}

static void progress(void) {
    linkstream_file *file = open_sample();
    linkstream_report *report = NULL;
    linkstream_read how = {0};
    linkstream_check check = {0};
    struct watch all = {0, 0, 0, 0, 0}, cancelling = {0, 1, 0, 0, 0}, checking = {0, 0, 0, 0, 0};
    float *links = need_memory(NUMBERS * sizeof *links);
    how.struct_size = sizeof how;
    how.progress = watch;
    how.context = &all;
    CHECK(linkstream_field_read(file, 0, &how, links, NUMBERS * sizeof *links) == LINKSTREAM_OK);
    CHECK(all.calls >= 2 && all.done == 4 * NUMBERS && all.total == 4 * NUMBERS && !all.is_backward);
    how.context = &cancelling;
    CHECK(linkstream_field_read(file, 0, &how, links, NUMBERS * sizeof *links) == LINKSTREAM_ERR_CANCELLED);
    CHECK(cancelling.calls == 1 && says("cancelled"));
    cancelling.calls = 0;
    CHECK(linkstream_field_verify(file, 0, watch, &cancelling) == LINKSTREAM_ERR_CANCELLED);
    /* The file can still be used. */
    CHECK(linkstream_field_verify(file, 0, NULL, NULL) == LINKSTREAM_OK);
    check.struct_size = sizeof check;
    check.progress = watch;
    check.context = &checking;
    CHECK(linkstream_check_path(below(root, SAMPLE), &check, &report) == LINKSTREAM_OK);
    CHECK(checking.calls >= 2 && checking.done == checking.total && checking.total == 149824);
    CHECK(linkstream_report_close(report) == LINKSTREAM_OK);
    checking.calls = 0, checking.cancel_at = 1;
    CHECK(linkstream_check_path(below(root, SAMPLE), &check, &report) == LINKSTREAM_ERR_CANCELLED && report == NULL);
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    free(links);
}

int main(int count, char **arguments) {
    if (count < 3) return 2;
    scratch = arguments[1];
    root = arguments[2];
    structures();
    listing();
    reading();
    memory();
    matrices();
    sections();
    reports();
    progress();
    return failures != 0;
}
