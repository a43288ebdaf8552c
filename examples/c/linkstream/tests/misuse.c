/* The misuse of linkstream.h: each ends in a code and a last error, never in a crash, and changes nothing. */
#include "check.h"

#include <pthread.h>

static const char *root, *scratch;

#define SAMPLE "examples/su3-4x4x4x8.lime"
#define BYTES ((size_t)4 * 4 * 4 * 8 * 288)

/* A call that must be refused with a sentence that has this part. */
#define REFUSED(call, part) \
    do { \
        CHECK((call) == LINKSTREAM_ERR_USAGE); \
        CHECK(says(part)); \
    } while (0)

static linkstream_file *open_sample(void) {
    linkstream_file *file = NULL;
    NEED(linkstream_open_path(below(root, SAMPLE), &file) == LINKSTREAM_OK);
    return file;
}

static void null_pointers(void) {
    linkstream_file *file = (linkstream_file *)&file;
    linkstream_report *report = (linkstream_report *)&file;
    linkstream_writer *writer = (linkstream_writer *)&file;
    linkstream_field_info info = {0};
    info.struct_size = sizeof info;
    REFUSED(linkstream_open_path(NULL, &file), "path is a null pointer");
    CHECK(file == NULL);
    REFUSED(linkstream_open_path("", &file), "path is empty");
    CHECK(linkstream_open_path("absent", &file) == LINKSTREAM_ERR_SYSTEM && file == NULL);
    CHECK(says("absent: No such file or directory") && !says("os error"));
    REFUSED(linkstream_open_path(below(root, SAMPLE), NULL), "place for the handle");
    REFUSED(linkstream_open_memory(NULL, 5, &file), "bytes are a null pointer");
    REFUSED(linkstream_open_memory("text", (size_t)-1, &file), "no memory has so many bytes");
    CHECK(linkstream_open_memory(NULL, 0, &file) == LINKSTREAM_ERR_FORMAT && says("empty"));
    REFUSED(linkstream_check_path(NULL, NULL, &report), "path is a null pointer");
    CHECK(report == NULL);
    REFUSED(linkstream_check_path(below(root, SAMPLE), NULL, NULL), "place for the handle");
    REFUSED(linkstream_check_memory("text", 4, NULL, NULL, &report), "name is a null pointer");
    REFUSED(linkstream_check_memory("text", 4, "\xff", NULL, &report), "not UTF-8");
    REFUSED(linkstream_report_get(NULL, NULL), "instead of a report");
    REFUSED(linkstream_report_finding(NULL, 0, NULL), "instead of a report");
    CHECK(linkstream_report_json(NULL) == NULL && says("instead of a report"));
    REFUSED(linkstream_file_get(NULL, NULL), "instead of a file");
    REFUSED(linkstream_file_warning(NULL, 0, NULL), "instead of a file");
    REFUSED(linkstream_record_get(NULL, 0, NULL), "instead of a file");
    REFUSED(linkstream_record_read(NULL, 0, NULL, 0), "instead of a file");
    REFUSED(linkstream_field_get(NULL, 0, &info), "instead of a file");
    REFUSED(linkstream_field_read(NULL, 0, NULL, NULL, 0), "instead of a file");
    REFUSED(linkstream_field_verify(NULL, 0, NULL, NULL), "instead of a file");
    REFUSED(linkstream_matrix_get(NULL, NULL), "instead of a file");
    REFUSED(linkstream_matrix_read(NULL, NULL, 0), "instead of a file");
    REFUSED(linkstream_section_get(NULL, 0, NULL), "instead of a file");
    REFUSED(linkstream_section_read(NULL, 0, NULL, 0), "instead of a file");
    REFUSED(linkstream_section_sizes(NULL, 0, NULL, 0), "instead of a file");
    REFUSED(linkstream_create(NULL, NULL, &writer), "path is a null pointer");
    CHECK(writer == NULL);
    REFUSED(linkstream_create(below(scratch, "new"), NULL, &writer), "instead of a linkstream_new_file");
    REFUSED(linkstream_create(below(scratch, "new"), NULL, NULL), "place for the handle");
    REFUSED(linkstream_write_gauge(NULL, NULL, NULL, 0), "instead of a linkstream_new_gauge");
    REFUSED(linkstream_write_field(NULL, NULL, NULL, 0), "instead of a linkstream_new_field");
    REFUSED(linkstream_writer_finish(NULL), "instead of a writer");

    file = open_sample();
    REFUSED(linkstream_file_get(file, NULL), "instead of a linkstream_file_info");
    REFUSED(linkstream_field_get(file, 0, NULL), "instead of a linkstream_field_info");
    REFUSED(linkstream_field_read(file, 0, NULL, NULL, BYTES), "memory is a null pointer");
    REFUSED(linkstream_record_read(file, 0, NULL, 5), "memory is a null pointer");
    REFUSED(linkstream_section_sizes(file, 0, NULL, 5), "memory is a null pointer");
    REFUSED(linkstream_section_sizes(file, 0, NULL, (size_t)-1), "no memory has so many bytes");
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
}

static void closed_handles(void) {
    linkstream_file *file = open_sample(), *copy = file;
    linkstream_report *report = NULL;
    linkstream_writer *writer = NULL;
    linkstream_new_file how = {0};
    linkstream_new_gauge gauge = {0};
    linkstream_file_info info = {0};
    int other = 5;
    info.struct_size = sizeof info;
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    REFUSED(linkstream_file_get(copy, &info), "has been closed");
    REFUSED(linkstream_file_close(copy), "has been closed");
    REFUSED(linkstream_field_read(copy, 0, NULL, NULL, 0), "has been closed");
    /* Pointers to something else, and handles of another type. */
    REFUSED(linkstream_file_close((linkstream_file *)&other), "is not a file");
    REFUSED(linkstream_report_close((linkstream_report *)&other), "is not a report");
    REFUSED(linkstream_writer_discard((linkstream_writer *)&other), "is not a writer");
    REFUSED(linkstream_writer_finish((linkstream_writer *)(uintptr_t)1), "is not a writer");
    CHECK(linkstream_check_path(below(root, SAMPLE), NULL, &report) == LINKSTREAM_OK);
    REFUSED(linkstream_file_get((linkstream_file *)report, &info), "is not a file");
    CHECK(linkstream_report_close(report) == LINKSTREAM_OK);
    REFUSED(linkstream_report_close(report), "has been closed");
    CHECK(linkstream_report_json(report) == NULL && says("has been closed"));

    how.struct_size = sizeof how;
    gauge.struct_size = sizeof gauge;
    gauge.element = LINKSTREAM_F32;
    how.dimensions = 1;
    how.extents[0] = 4;
    CHECK(linkstream_create(below(scratch, "new"), &how, &writer) == LINKSTREAM_OK);
    CHECK(linkstream_writer_discard(writer) == LINKSTREAM_OK && !exists(below(scratch, "new")));
    REFUSED(linkstream_write_gauge(writer, &gauge, NULL, 0), "has been closed");
    REFUSED(linkstream_writer_finish(writer), "has been closed");
}

static void structures(void) {
    linkstream_file *file = open_sample();
    linkstream_report *report = NULL;
    linkstream_file_info info = {0};
    linkstream_read how = {0};
    linkstream_check check = {0};
    struct { linkstream_file_info info; uint64_t later[4]; } larger;
    struct { linkstream_read how; uint64_t later; } options = {{0}, 0};
    union { uint64_t aligned[16]; unsigned char bytes[128]; } room;
    REFUSED(linkstream_file_get(file, &info), "struct_size is 0");
    info.struct_size = sizeof info - 8;
    REFUSED(linkstream_file_get(file, &info), "must be sizeof(linkstream_file_info)");
    info.struct_size = SIZE_MAX / 2;
    REFUSED(linkstream_file_get(file, &info), "must be sizeof");
    REFUSED(linkstream_file_get(file, (linkstream_file_info *)(void *)(room.bytes + 1)), "not aligned");
    /* A later version of the header: what this library does not know becomes 0, and must be 0. */
    memset(&larger, 0xff, sizeof larger);
    larger.info.struct_size = sizeof larger;
    CHECK(linkstream_file_get(file, &larger.info) == LINKSTREAM_OK);
    CHECK(larger.info.fields == 1 && larger.info.struct_size == sizeof larger);
    CHECK(larger.later[0] == 0 && larger.later[3] == 0);
    options.how.struct_size = sizeof options;
    CHECK(linkstream_field_read(file, 0, &options.how, NULL, 0) == LINKSTREAM_ERR_SIZE);
    options.later = 1;
    REFUSED(linkstream_field_read(file, 0, &options.how, NULL, 0), "members of linkstream_read are set");
    how.struct_size = sizeof how;
    how.reserved = 1;
    REFUSED(linkstream_field_read(file, 0, &how, NULL, 0), "reserved");
    how.reserved = 0;
    how.element = 9;
    REFUSED(linkstream_field_read(file, 0, &how, NULL, 0), "no type of numbers 9");
    how.element = -5;
    REFUSED(linkstream_field_read(file, 0, &how, NULL, 0), "no type of numbers -5");
    check.struct_size = sizeof check;
    check.flags = 1 << 10;
    REFUSED(linkstream_check_path(below(root, SAMPLE), &check, &report), "no options 0x400");
    check.flags = LINKSTREAM_SLICES | LINKSTREAM_NO_OBSERVABLES;
    REFUSED(linkstream_check_path(below(root, SAMPLE), &check, &report), "observables");
    check.flags = 0;
    check.reserved = 3;
    REFUSED(linkstream_check_path(below(root, SAMPLE), &check, &report), "reserved");
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
}

static void sizes_and_indices(void) {
    linkstream_file *file = open_sample();
    linkstream_read how = {0};
    unsigned char *out = need_memory(2 * BYTES);
    how.struct_size = sizeof how;
    CHECK(linkstream_field_read(file, 0, NULL, out, BYTES - 1) == LINKSTREAM_ERR_SIZE);
    CHECK(says("the data have 147456 bytes"));
    CHECK(linkstream_field_read(file, 0, NULL, out, 2 * BYTES) == LINKSTREAM_ERR_SIZE);
    CHECK(linkstream_field_read(file, 0, NULL, NULL, 0) == LINKSTREAM_ERR_SIZE);
    REFUSED(linkstream_field_read(file, 0, NULL, out, (size_t)-1), "no memory has so many bytes");
    how.element = LINKSTREAM_F64;
    CHECK(linkstream_field_read(file, 0, &how, out, BYTES) == LINKSTREAM_ERR_SIZE);
    how.element = LINKSTREAM_I32;
    REFUSED(linkstream_field_read(file, 0, &how, out, BYTES), "numbers of type f32, not i32");
    how.element = 0;
    how.first_slice = 8, how.slices = 1;
    REFUSED(linkstream_field_read(file, 0, &how, out, BYTES / 8), "range 8..9");
    how.first_slice = 1, how.slices = UINT64_MAX;
    REFUSED(linkstream_field_read(file, 0, &how, out, BYTES / 8), "range");
    how.slices = 0;
    REFUSED(linkstream_field_read(file, 0, &how, out, BYTES / 8), "0 time slices");
    REFUSED(linkstream_field_read(file, 1, NULL, out, BYTES), "no field 1");
    REFUSED(linkstream_field_verify(file, UINT64_MAX, NULL, NULL), "no field");
    REFUSED(linkstream_record_read(file, UINT64_MAX, out, 1), "no record");
    REFUSED(linkstream_section_read(file, 0, out, 1), "no section 0");
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    free(out);
}

static void writers(void) {
    const char *path = below(scratch, "new");
    linkstream_writer *writer = NULL;
    linkstream_new_file how = {0};
    linkstream_new_gauge gauge = {0};
    linkstream_new_field field = {0};
    static double numbers[16 * 72 + 1];
    how.struct_size = sizeof how;
    gauge.struct_size = sizeof gauge;
    field.struct_size = sizeof field;
    REFUSED(linkstream_create(path, &how, &writer), "1 to 8 dimensions");
    how.dimensions = 9;
    REFUSED(linkstream_create(path, &how, &writer), "1 to 8 dimensions");
    how.dimensions = 4;
    REFUSED(linkstream_create(path, &how, &writer), "at least one site");
    how.extents[0] = how.extents[1] = how.extents[2] = how.extents[3] = UINT32_MAX;
    REFUSED(linkstream_create(path, &how, &writer), "less than 2^64 sites");
    how.extents[0] = how.extents[1] = how.extents[2] = how.extents[3] = 2;
    how.flags = 8;
    REFUSED(linkstream_create(path, &how, &writer), "no options 0x8");
    how.flags = 0;
    how.documents = 3;
    REFUSED(linkstream_create(path, &how, &writer), "no documents 3");
    how.documents = LINKSTREAM_ILDG;
    how.file_xml = "<a/>";
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_ERR_REFUSED && says("file_xml"));
    how.file_xml = "\xff";
    REFUSED(linkstream_create(path, &how, &writer), "not UTF-8");
    how.file_xml = NULL;
    how.documents = LINKSTREAM_SCIDAC;
    how.lfn = "lfn://a/b";
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_ERR_REFUSED && says("logical file name"));
    how.lfn = NULL;
    how.file_xml = "<a>&nbsp;</a>";
    CHECK(linkstream_create(path, &how, &writer) == LINKSTREAM_ERR_REFUSED && says("XML cannot hold the reference &nbsp;"));
    how.file_xml = NULL;
    how.documents = LINKSTREAM_ILDG;
    CHECK(linkstream_create(below(scratch, "absent/new"), &how, &writer) == LINKSTREAM_ERR_SYSTEM);
    CHECK(linkstream_create(scratch, &how, &writer) == LINKSTREAM_ERR_SYSTEM && says("not a file"));
    CHECK(writer == NULL);

    NEED(linkstream_create(path, &how, &writer) == LINKSTREAM_OK);
    REFUSED(linkstream_write_gauge(writer, &gauge, numbers, sizeof numbers), "type 0 cannot be written");
    gauge.element = LINKSTREAM_F64;
    gauge.stored = 4;
    REFUSED(linkstream_write_gauge(writer, &gauge, numbers, sizeof numbers), "type 4 cannot be written");
    gauge.stored = 0;
    gauge.kind = "su3";
    REFUSED(linkstream_write_gauge(writer, &gauge, numbers, sizeof numbers), "no kind of gauge field su3");
    gauge.kind = NULL;
    gauge.record_xml = "<a>&#1;</a>";
    CHECK(linkstream_write_gauge(writer, &gauge, numbers, sizeof numbers) == LINKSTREAM_ERR_REFUSED);
    CHECK(says("XML cannot hold the reference &#1;"));
    gauge.record_xml = "<a/>";
    REFUSED(linkstream_write_gauge(writer, &gauge, numbers, sizeof numbers), "record_xml");
    gauge.record_xml = NULL;
    REFUSED(linkstream_write_gauge(writer, &gauge, numbers, 12), "not one of whole numbers");
    REFUSED(linkstream_write_gauge(writer, &gauge, (char *)numbers + 2, 16), "not aligned");
    REFUSED(linkstream_write_gauge(writer, &gauge, NULL, 16), "memory is a null pointer");
    CHECK(linkstream_write_gauge(writer, &gauge, numbers, 16) == LINKSTREAM_ERR_SIZE);
    /* Only a file without errors can be completed, and only one with a field. */
    CHECK(linkstream_writer_finish(writer) == LINKSTREAM_ERR_REFUSED && says("no fields") && !exists(path));

    how.documents = LINKSTREAM_BOTH;
    NEED(linkstream_create(path, &how, &writer) == LINKSTREAM_OK);
    field.element = LINKSTREAM_F64;
    REFUSED(linkstream_write_field(writer, &field, numbers, 128), "datatype is a null pointer");
    field.datatype = "QDP_D_Real";
    REFUSED(linkstream_write_field(writer, &field, numbers, 128), "items is 0 and components is 0: a site has at least");
    field.items = 1;
    field.components = UINT32_MAX;
    CHECK(linkstream_write_field(writer, &field, numbers, 128) == LINKSTREAM_ERR_REFUSED && says("32 bits"));
    field.components = 1;
    field.datatype = "QDP_F_Real";
    CHECK(linkstream_write_field(writer, &field, numbers, 128) == LINKSTREAM_ERR_REFUSED &&
          says("has the precision F, but the numbers to be written do not"));
    field.datatype = "QDP_D_Real";
    field.flags = 4;
    REFUSED(linkstream_write_field(writer, &field, numbers, 128), "no options 0x4");
    field.flags = 0;
    field.reserved = 1;
    REFUSED(linkstream_write_field(writer, &field, numbers, 128), "reserved");
    field.reserved = 0;
    field.datatype = "A name of more than 64 bytes, which no SciDAC record can have, as its text is limited";
    REFUSED(linkstream_write_field(writer, &field, numbers, 128), "more than 64 bytes");
    field.datatype = "QDP_D_Real";
    CHECK(linkstream_write_field(writer, &field, numbers, 120) == LINKSTREAM_ERR_SIZE);
    CHECK(linkstream_write_field(writer, &field, numbers, 128) == LINKSTREAM_OK);
    CHECK(linkstream_writer_finish(writer) == LINKSTREAM_OK && exists(path));
    CHECK(remove(path) == 0);

    /* The file appears only if its name is free at the end, too. */
    NEED(linkstream_create(path, &how, &writer) == LINKSTREAM_OK);
    CHECK(linkstream_write_field(writer, &field, numbers, 128) == LINKSTREAM_OK);
    {
        FILE *other = fopen(path, "wb");
        NEED(other && fputs("other", other) >= 0 && fclose(other) == 0);
    }
    CHECK(linkstream_writer_finish(writer) == LINKSTREAM_ERR_EXISTS);
    {
        size_t length;
        unsigned char *bytes = bytes_of(path, &length);
        CHECK(length == 5 && memcmp(bytes, "other", 5) == 0);
        free(bytes);
    }
    CHECK(remove(path) == 0);
}

/* A progress function that uses the handle of its call, and one that uses another one. */
struct inside { linkstream_file *same, *other; int calls; };

static int32_t inside(void *context, uint64_t done, uint64_t total) {
    struct inside *inside = context;
    linkstream_file_info info = {0};
    (void)done, (void)total;
    info.struct_size = sizeof info;
    REFUSED(linkstream_file_get(inside->same, &info), "is using this file at the same time");
    REFUSED(linkstream_file_close(inside->same), "is using this file at the same time");
    CHECK(linkstream_file_get(inside->other, &info) == LINKSTREAM_OK);
    ++inside->calls;
    return 0;
}

static void callbacks(void) {
    struct inside context = {open_sample(), open_sample(), 0};
    CHECK(linkstream_field_verify(context.same, 0, inside, &context) == LINKSTREAM_OK && context.calls >= 2);
    CHECK(linkstream_file_close(context.same) == LINKSTREAM_OK);
    CHECK(linkstream_file_close(context.other) == LINKSTREAM_OK);
}

/* Two threads with one handle: each call succeeds or is refused. */
struct shared { linkstream_file *file; int refused, wrong; };

static void *use(void *argument) {
    struct shared *shared = argument;
    struct { int refused, wrong; } mine = {0, 0};
    int i;
    CHECK(linkstream_last_error()->message[0] == 0);
    for (i = 0; i < 200; ++i) {
        const int32_t answer = linkstream_field_verify(shared->file, 0, NULL, NULL);
        if (answer == LINKSTREAM_ERR_USAGE && says("at the same time")) ++mine.refused;
        else if (answer != LINKSTREAM_OK) ++mine.wrong;
    }
    shared->refused = mine.refused;
    shared->wrong = mine.wrong;
    return NULL;
}

static void threads(void) {
    linkstream_file *file = open_sample();
    struct shared shared[2] = {{file, 0, 0}, {file, 0, 0}};
    pthread_t threads[2];
    int i;
    for (i = 0; i < 2; ++i) NEED(pthread_create(&threads[i], NULL, use, &shared[i]) == 0);
    for (i = 0; i < 2; ++i) NEED(pthread_join(threads[i], NULL) == 0);
    CHECK(shared[0].wrong == 0 && shared[1].wrong == 0);
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
}

/* Headers that claim more than there is: no memory is taken for it. */
static void claims(void) {
    static const char *const files[] = {
        "broken/lime/length-2e63.lime",        "broken/ildg/dims-overflow-bytes.lime",
        "broken-inebin/size-4gib-real.bin",    "broken-inebin/size-max-complex.bin",
        "broken-scda/array-huge-N.scda",       "broken-scda/varray-huge-N.scda",
    };
    size_t i;
    for (i = 0; i < sizeof files / sizeof files[0]; ++i) {
        char name[256];
        linkstream_file *file = NULL;
        linkstream_report *report = NULL;
        linkstream_report_info about = {0};
        about.struct_size = sizeof about;
        snprintf(name, sizeof name, "host-tests/fixtures/%s", files[i]);
        CHECK(linkstream_open_path(below(root, name), &file) == LINKSTREAM_ERR_BROKEN && file == NULL);
        CHECK(linkstream_last_error()->rule[0] != 0 && linkstream_last_error()->has_offset == 1);
        CHECK(linkstream_check_path(below(root, name), NULL, &report) == LINKSTREAM_OK);
        CHECK(linkstream_report_get(report, &about) == LINKSTREAM_OK && about.verdict == LINKSTREAM_VERDICT_WRONG);
        CHECK(linkstream_report_close(report) == LINKSTREAM_OK);
    }
    {
        /* Compressed sections that claim more, or less, than they have. */
        static const char *const sections[] = {
            "comp-size-huge", "comp-U-2e63", "comp-U-too-large", "comp-bomb", "comp-adler",
        };
        for (i = 0; i < sizeof sections / sizeof sections[0]; ++i) {
            char name[256];
            linkstream_file *file = NULL;
            linkstream_section_info section = {0};
            section.struct_size = sizeof section;
            snprintf(name, sizeof name, "host-tests/fixtures/broken-scda/%s.scda", sections[i]);
            NEED(linkstream_open_path(below(root, name), &file) == LINKSTREAM_OK);
            if (i < 2) {
                CHECK(linkstream_section_get(file, 1, &section) == LINKSTREAM_ERR_BROKEN && says("claims"));
            } else {
                unsigned char *out;
                CHECK(linkstream_section_get(file, 1, &section) == LINKSTREAM_OK && section.bytes < 1 << 24);
                out = need_memory(section.bytes);
                CHECK(linkstream_section_read(file, 1, out, section.bytes) == LINKSTREAM_ERR_BROKEN);
                CHECK(linkstream_last_error()->rule[0] != 0);
                free(out);
            }
            CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
        }
    }
}

/* A file in memory. */
static linkstream_file *open_bytes(const char *name, unsigned char **bytes, size_t *length) {
    linkstream_file *file = NULL;
    *bytes = bytes_of(below(root, name), length);
    NEED(linkstream_open_memory(*bytes, *length, &file) == LINKSTREAM_OK);
    return file;
}

static void opened_memory(void) {
    size_t length, more;
    unsigned char *bytes, *same, *around;
    linkstream_file *file = open_bytes(SAMPLE, &bytes, &length);
    linkstream_record_info record = {0};
    uint64_t sizes[1];
    record.struct_size = sizeof record;
    same = bytes_of(below(root, SAMPLE), &more);
    REFUSED(linkstream_field_read(file, 0, NULL, bytes, BYTES), "inside the memory");
    REFUSED(linkstream_field_read(file, 0, NULL, bytes + length - 1, BYTES), "inside the memory");
    NEED(linkstream_record_get(file, 0, &record) == LINKSTREAM_OK);
    REFUSED(linkstream_record_read(file, 0, bytes + 8, (size_t)record.bytes), "inside the memory");
    CHECK(memcmp(bytes, same, length) == 0);
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    free(same);
    free(bytes);

    /* Right before the memory, and right after it. */
    bytes = bytes_of(below(root, SAMPLE), &length);
    around = need_memory(length + 2 * BYTES);
    memcpy(around + BYTES, bytes, length);
    NEED(linkstream_open_memory(around + BYTES, length, &file) == LINKSTREAM_OK);
    CHECK(linkstream_field_read(file, 0, NULL, around, BYTES) == LINKSTREAM_OK);
    CHECK(linkstream_field_read(file, 0, NULL, around + BYTES + length, BYTES) == LINKSTREAM_OK);
    REFUSED(linkstream_field_read(file, 0, NULL, around + 4, BYTES), "inside the memory");
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    free(around);
    free(bytes);

    file = open_bytes("host-tests/fixtures/inebin/doc-real.bin", &bytes, &length);
    REFUSED(linkstream_matrix_read(file, bytes, 8), "inside the memory");
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    free(bytes);
    file = open_bytes("host-tests/fixtures/scda/compressed-varrays.scda", &bytes, &length);
    REFUSED(linkstream_section_read(file, 0, bytes, 8), "inside the memory");
    REFUSED(linkstream_section_sizes(file, 0, (uint64_t *)(void *)bytes, 1), "inside the memory");
    CHECK(linkstream_section_sizes(file, 0, sizes, 1) != LINKSTREAM_OK && !says("inside the memory"));
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    free(bytes);
}

int main(int count, char **arguments) {
    if (count < 3) return 2;
    scratch = arguments[1];
    root = arguments[2];
    CHECK(linkstream_last_error() != NULL && linkstream_last_error()->message[0] == 0);
    null_pointers();
    closed_handles();
    structures();
    sizes_and_indices();
    writers();
    callbacks();
    threads();
    claims();
    opened_memory();
    return failures != 0;
}
