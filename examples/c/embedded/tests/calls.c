/* Every call once with what it promises, and files that must be equal, byte for byte, to those of linkstream's own
 * writers, which `embedded-check written` has put into the scratch directory (argument 1). Argument 2 is the root of
 * the repository. Encoders and decoders are moved by save and load at every step. Reading of all fixtures:
 * outcomes.c. */
#include "linkstream_embedded.h"

#include "check.h"

static const char *scratch_folder;
static const char *root;

/* ------------------------------------------------------------------------------------------ the file being written */

static uint8_t file[1u << 18];
static size_t file_length = 0;

static void write_at(uint64_t offset, const uint8_t *bytes, size_t length) {
    if (offset + length > sizeof file) { exit(2); }
    if (length > 0) { (void)memcpy(file + offset, bytes, length); }
    if (offset + length > file_length) { file_length = (size_t)offset + length; }
}

static void begin_file(void) {
    (void)memset(file, 0xee, sizeof file);
    file_length = 0;
}

static void compare_file(const char *name) {
    size_t length;
    uint8_t *expected = file_bytes(scratch_folder, name, &length);
    size_t at = 0;
    while (at < length && at < file_length && file[at] == expected[at]) { at++; }
    if (length != file_length || at < length) {
        (void)fprintf(stderr, "%s: %zu bytes instead of %zu, different at %zu\n", name, file_length, length, at);
        failures++;
    }
    free(expected);
}

static lse_bytes bytes_of(const char *text) {
    lse_bytes bytes;
    bytes.data = (const uint8_t *)text;
    bytes.length = strlen(text);
    return bytes;
}

/* The kind of the last refusal of an encoder. */
#define EXPECT_KIND(format, encoder, number)                                                                          \
    do {                                                                                                              \
        lse_error error_;                                                                                             \
        lse_description words_;                                                                                       \
        EXPECT(LSE_OK, lse_##format##_encoder_error(encoder, &error_));                                               \
        CHECK(error_.kind == (number));                                                                               \
        CHECK(error_.error_class == LSE_CLASS_MISUSE);                                                                \
        EXPECT(LSE_OK, lse_##format##_encoder_describe(encoder, &words_));                                            \
        CHECK(words_.rule.length > 5 && words_.text.length > 5 && words_.clause.length == 0);                         \
    } while (0)

/* Moves an encoder to other memory. */
#define MOVE_ENCODER(format, FORMAT, pointer)                                                                         \
    do {                                                                                                              \
        lse_##format##_encoder *other_ = memory(sizeof *other_);                                                      \
        uint8_t *saved_ = memory(LSE_##FORMAT##_ENCODER_SAVED);                                                       \
        EXPECT(LSE_OK, lse_##format##_encoder_save(pointer, saved_, LSE_##FORMAT##_ENCODER_SAVED));                   \
        EXPECT(LSE_OK, lse_##format##_encoder_close(pointer));                                                        \
        free(pointer);                                                                                                \
        (pointer) = other_;                                                                                           \
        EXPECT(LSE_OK, lse_##format##_encoder_load(pointer, sizeof *(pointer), saved_, LSE_##FORMAT##_ENCODER_SAVED)); \
        free(saved_);                                                                                                 \
    } while (0)

/* ------------------------------------------------------------------------------------------------------------ LIME */

static void write_records(void) {
    static const struct {
        const char *type;
        size_t length;
        uint32_t flags;
    } records[3] = {{"first", 13, LSE_MESSAGE_BEGIN},
                    {"second", 0, LSE_MESSAGE_END},
                    {"third", 256, LSE_MESSAGE_BEGIN | LSE_MESSAGE_END}};
    lse_lime_encoder *encoder = memory(sizeof *encoder);
    uint8_t payload[256];
    lse_bytes bytes;
    uint64_t position;
    uint64_t room;
    size_t i;
    for (i = 0; i < 256; i++) { payload[i] = (uint8_t)i; }
    begin_file();
    EXPECT(LSE_OK, lse_lime_encoder_init(encoder, sizeof *encoder));
    EXPECT(LSE_MISUSE, lse_lime_encoder_push(encoder, payload, 1));
    EXPECT_KIND(lime, encoder, LSE_KIND_LIME_ENCODE_NO_RECORD);
    EXPECT(LSE_MISUSE, lse_lime_encoder_begin(encoder, bytes_of("first"), 13, LSE_MESSAGE_END, &bytes));
    EXPECT_KIND(lime, encoder, LSE_KIND_LIME_ENCODE_BEGIN_MISSING);
    for (i = 0; i < 3; i++) {
        EXPECT(LSE_OK, lse_lime_encoder_begin(encoder, bytes_of(records[i].type), records[i].length,
                                             records[i].flags, &bytes));
        CHECK(bytes.length == 144);
        write_at(file_length, bytes.data, bytes.length);
        MOVE_ENCODER(lime, LIME, encoder);
        EXPECT(LSE_OK, lse_lime_encoder_room(encoder, &room));
        CHECK(room == records[i].length);
        if (records[i].length > 10) {
            /* The end of the payload before its beginning. */
            EXPECT(LSE_OK, lse_lime_encoder_skip(encoder, 10));
            EXPECT(LSE_OK, lse_lime_encoder_position(encoder, &position));
            EXPECT(LSE_OK, lse_lime_encoder_push(encoder, payload + 10, records[i].length - 10));
            write_at(position, payload + 10, records[i].length - 10);
            EXPECT(LSE_MISUSE, lse_lime_encoder_end(encoder, &bytes));
            EXPECT_KIND(lime, encoder, LSE_KIND_LIME_ENCODE_PAYLOAD_TOO_SHORT);
            MOVE_ENCODER(lime, LIME, encoder);
            EXPECT(LSE_MISUSE, lse_lime_encoder_skip(encoder, records[i].length + 1));
            EXPECT_KIND(lime, encoder, LSE_KIND_LIME_ENCODE_SEEK_OUTSIDE);
            EXPECT(LSE_OK, lse_lime_encoder_skip(encoder, 0));
            EXPECT(LSE_OK, lse_lime_encoder_position(encoder, &position));
            EXPECT(LSE_OK, lse_lime_encoder_push(encoder, payload, 10));
            write_at(position, payload, 10);
        }
        EXPECT(LSE_MISUSE, lse_lime_encoder_finish(encoder));
        EXPECT(LSE_OK, lse_lime_encoder_end(encoder, &bytes));
        write_at(file_length, bytes.data, bytes.length);
        EXPECT(LSE_OK, lse_lime_encoder_position(encoder, &position));
        CHECK(position == file_length);
        MOVE_ENCODER(lime, LIME, encoder);
    }
    EXPECT(LSE_OK, lse_lime_encoder_finish(encoder));
    EXPECT(LSE_ENDED, lse_lime_encoder_finish(encoder));
    EXPECT(LSE_ENDED, lse_lime_encoder_begin(encoder, bytes_of("more"), 0, LSE_MESSAGE_BEGIN, &bytes));
    EXPECT(LSE_ENDED, lse_lime_encoder_save(encoder, payload, sizeof payload));
    EXPECT(LSE_OK, lse_lime_encoder_close(encoder));
    compare_file("records.lime");
    /* Appending continues the message that is open. */
    EXPECT(LSE_OK, lse_lime_encoder_append(encoder, sizeof *encoder, 704, 1));
    EXPECT(LSE_MISUSE, lse_lime_encoder_begin(encoder, bytes_of("x"), 0, LSE_MESSAGE_BEGIN, &bytes));
    EXPECT_KIND(lime, encoder, LSE_KIND_LIME_ENCODE_BEGIN_UNEXPECTED);
    EXPECT(LSE_OK, lse_lime_encoder_begin(encoder, bytes_of("x"), 0, LSE_MESSAGE_END, &bytes));
    EXPECT(LSE_OK, lse_lime_encoder_position(encoder, &position));
    CHECK(position == 704 + 144);
    EXPECT(LSE_OK, lse_lime_encoder_close(encoder));
    free(encoder);
}

/* The values of a decoder's calls, on the file that was just written. */
static void read_records(void) {
    lse_lime_decoder *decoder = memory(sizeof *decoder);
    lse_lime_event event;
    lse_demand demand;
    lse_error error;
    uint64_t position;
    EXPECT(LSE_OK, lse_lime_decoder_init(decoder, sizeof *decoder, LSE_STRICT));
    EXPECT(LSE_OK, lse_lime_decoder_error(decoder, &error));
    CHECK(error.kind == 0 && error.error_class == LSE_CLASS_NONE);
    EXPECT(LSE_OK, lse_lime_decoder_demand(decoder, &demand));
    CHECK(demand.tag == LSE_DEMAND_BYTES && demand.count == 144);
    EXPECT(LSE_OK, lse_lime_decoder_push(decoder, file, 100, &event));
    CHECK(event.tag == LSE_EVENT_NONE && event.consumed == 100 && event.offset == 0);
    EXPECT(LSE_OK, lse_lime_decoder_push(decoder, file + 100, 60, &event));
    CHECK(event.tag == LSE_LIME_RECORD && event.consumed == 44 && event.offset == 100);
    CHECK(event.as.record.offset == 0 && event.as.record.length == 13 && event.as.record.message == 1);
    CHECK(event.as.record.number == 1 && event.as.record.begin == 1 && event.as.record.end == 0);
    CHECK(event.as.record.type.length == 5 && memcmp(event.as.record.type.data, "first", 5) == 0);
    /* The type is in the decoder. */
    CHECK(event.as.record.type.data > (uint8_t *)decoder && event.as.record.type.data < (uint8_t *)(decoder + 1));
    EXPECT(LSE_OK, lse_lime_decoder_demand(decoder, &demand));
    CHECK(demand.tag == LSE_DEMAND_SKIP && demand.count == 13);
    EXPECT(LSE_OK, lse_lime_decoder_push(decoder, file + 144, 3, &event));
    CHECK(event.tag == LSE_LIME_PAYLOAD && event.consumed == 3);
    CHECK(event.position == 0 && event.bytes.data == file + 144);
    /* More than there is cannot be skipped; nothing changes. */
    EXPECT(LSE_MISUSE, lse_lime_decoder_skip(decoder, 11));
    EXPECT(LSE_OK, lse_lime_decoder_error(decoder, &error));
    CHECK(error.kind == LSE_KIND_MISUSE_SKIP_TOO_FAR && error.error_class == LSE_CLASS_MISUSE && error.offset == 147);
    EXPECT(LSE_OK, lse_lime_decoder_skip(decoder, 9));
    EXPECT(LSE_OK, lse_lime_decoder_position(decoder, &position));
    CHECK(position == 156);
    EXPECT(LSE_OK, lse_lime_decoder_push(decoder, file + 156, 4, &event));
    CHECK(event.tag == LSE_LIME_PAYLOAD && event.consumed == 1 && event.position == 12 && event.bytes.length == 1);
    EXPECT(LSE_OK, lse_lime_decoder_push(decoder, file + 157, 3, &event));
    CHECK(event.tag == LSE_LIME_END && event.consumed == 3);
    /* The input ends inside the next header. */
    EXPECT(LSE_OK, lse_lime_decoder_push(decoder, file + 160, 20, &event));
    EXPECT(LSE_REFUSED, lse_lime_decoder_finish(decoder, &event));
    EXPECT(LSE_OK, lse_lime_decoder_error(decoder, &error));
    CHECK(error.kind == LSE_KIND_LIME_HEADER_TRUNCATED && error.error_class == LSE_CLASS_TRUNCATED);
    CHECK(error.severity == LSE_SEVERITY_FATAL && error.offset == 180);
    {
        lse_description words;
        EXPECT(LSE_OK, lse_lime_decoder_describe(decoder, &words));
        CHECK(words.rule.length == 21 && memcmp(words.rule.data, "lime-header-truncated", 21) == 0);
        CHECK(words.clause.length == 20 && memcmp(words.clause.data, "LIME 1.2, appendix A", 20) == 0);
        CHECK(words.text.length > 20);
    }
    EXPECT(LSE_OK, lse_lime_decoder_close(decoder));
    free(decoder);
}

/* ---------------------------------------------------------------------------------------------------------- fields */

static lse_field_encoder *field_encoder;
static uint8_t *documents;

/* Big-endian numbers, as in the file. */
static void put_double(uint8_t *to, unsigned index) {
    double number = (double)index * 0.25 - 100.0;
    uint64_t bits;
    int i;
    (void)memcpy(&bits, &number, 8);
    for (i = 0; i < 8; i++) { to[i] = (uint8_t)(bits >> (56 - 8 * i)); }
}

static void put_float(uint8_t *to, unsigned index) {
    float number = (float)index * 0.25f - 100.0f;
    uint32_t bits;
    int i;
    (void)memcpy(&bits, &number, 4);
    for (i = 0; i < 4; i++) { to[i] = (uint8_t)(bits >> (24 - 8 * i)); }
}

static void put_integer(uint8_t *to, unsigned index) {
    (void)memset(to, 0, 3);
    to[3] = (uint8_t)(7 + index % 2);
}

/* Writes a message with data of `count` numbers of `size` bytes; `sites` is not 0 if the sites are to be written in two
 * parts, the second half first. */
static void message_with(const lse_message *message, unsigned count, unsigned size, void (*put)(uint8_t *, unsigned),
                         unsigned sites) {
    uint8_t *data = memory((size_t)count * size + 1);
    lse_want want;
    uint64_t position;
    uint64_t room;
    size_t done = 0;
    unsigned i;
    for (i = 0; i < count; i++) { put(data + (size_t)i * size, i); }
    EXPECT(LSE_OK, lse_field_encoder_begin(field_encoder, message, documents, LSE_SCRATCH_SIZE));
    EXPECT(LSE_MISUSE, lse_field_encoder_begin(field_encoder, message, documents, LSE_SCRATCH_SIZE));
    EXPECT_KIND(field, field_encoder, LSE_KIND_FIELD_ENCODE_MESSAGE_OPEN);
    EXPECT(LSE_MISUSE, lse_field_encoder_finish(field_encoder));
    for (;;) {
        MOVE_ENCODER(field, FIELD, field_encoder);
        EXPECT(LSE_OK, lse_field_encoder_position(field_encoder, &position));
        EXPECT(LSE_OK, lse_field_encoder_next(field_encoder, message, documents, LSE_SCRATCH_SIZE, &want));
        if (failures > 0) { break; }
        CHECK(want.offset == position);
        if (want.tag == LSE_WANT_BYTES) {
            write_at(want.offset, want.bytes.data, want.bytes.length);
        } else if (want.tag == LSE_WANT_DATA && sites > 0) {
            size_t half = (size_t)count * size / sites * (sites / 2);
            EXPECT(LSE_OK, lse_field_encoder_skip(field_encoder, sites / 2));
            EXPECT(LSE_OK, lse_field_encoder_position(field_encoder, &position));
            CHECK(position == want.offset + half);
            write_at(position, data + half, (size_t)count * size - half);
            EXPECT(LSE_OK, lse_field_encoder_push(field_encoder, data + half, (size_t)count * size - half));
            EXPECT(LSE_MISUSE, lse_field_encoder_skip(field_encoder, sites + 1));
            EXPECT_KIND(field, field_encoder, LSE_KIND_FIELD_ENCODE_NO_SUCH_SITE);
            EXPECT(LSE_OK, lse_field_encoder_skip(field_encoder, sites / 2));
            EXPECT(LSE_MISUSE, lse_field_encoder_push(field_encoder, data, 1));
            EXPECT_KIND(field, field_encoder, LSE_KIND_FIELD_ENCODE_SITES_REPEATED);
            EXPECT(LSE_OK, lse_field_encoder_skip(field_encoder, 0));
            write_at(want.offset, data, half);
            EXPECT(LSE_OK, lse_field_encoder_push(field_encoder, data, half));
            done = (size_t)count * size;
        } else if (want.tag == LSE_WANT_DATA) {
            /* Pieces that end inside numbers. */
            size_t n = want.missing < 333 ? (size_t)want.missing : 333;
            CHECK(want.missing == (uint64_t)count * size - done);
            EXPECT(LSE_OK, lse_field_encoder_room(field_encoder, &room));
            CHECK(room == want.missing);
            write_at(want.offset, data + done, n);
            EXPECT(LSE_OK, lse_field_encoder_push(field_encoder, data + done, n));
            done += n;
        } else {
            CHECK(want.tag == LSE_WANT_NOTHING && want.bytes.length == 0);
            break;
        }
    }
    CHECK(done == (size_t)count * size);
    EXPECT(LSE_MISUSE, lse_field_encoder_push(field_encoder, data, 1));
    EXPECT_KIND(field, field_encoder, LSE_KIND_FIELD_ENCODE_NO_DATA);
    free(data);
}

static lse_message message_of(uint32_t kind, unsigned dimensions, const uint32_t *extents) {
    lse_message message;
    unsigned i;
    (void)memset(&message, 0, sizeof message);
    message.kind = kind;
    message.dimensions = dimensions;
    for (i = 0; i < dimensions; i++) { message.extents[i] = extents[i]; }
    return message;
}

static void begin_fields(void) {
    begin_file();
    field_encoder = memory(sizeof *field_encoder);
    documents = memory(LSE_SCRATCH_SIZE);
    EXPECT(LSE_OK, lse_field_encoder_init(field_encoder, sizeof *field_encoder));
}

static void end_fields(const char *name) {
    uint64_t position;
    EXPECT(LSE_OK, lse_field_encoder_position(field_encoder, &position));
    CHECK(position == file_length);
    EXPECT(LSE_OK, lse_field_encoder_finish(field_encoder));
    EXPECT(LSE_ENDED, lse_field_encoder_finish(field_encoder));
    EXPECT(LSE_OK, lse_field_encoder_close(field_encoder));
    free(field_encoder);
    free(documents);
    compare_file(name);
}

static void write_fields(void) {
    static const uint32_t four[4] = {2, 3, 2, 4};
    static const uint32_t flat[4] = {2, 2, 1, 2};
    static const uint32_t three[3] = {4, 2, 2};
    lse_message message;
    lse_message other;

    begin_fields();
    message = message_of(LSE_MESSAGE_FILE, 4, four);
    message.text = bytes_of("<title>a file</title>");
    message_with(&message, 0, 1, put_integer, 0);
    message = message_of(LSE_MESSAGE_GAUGE, 4, four);
    message.form = LSE_FORM_BOTH;
    message.precision = LSE_SINGLE;
    message.gauge = bytes_of("su3gauge");
    message.text = bytes_of("<text>a field</text>");
    message.date = 1700000000u;
    message.lfn = bytes_of("lfn://example/both.1");
    message_with(&message, 48 * 72, 4, put_float, 48);
    /* A file has one name. */
    EXPECT(LSE_MISUSE, lse_field_encoder_begin(field_encoder, &message, documents, LSE_SCRATCH_SIZE));
    EXPECT_KIND(field, field_encoder, LSE_KIND_FIELD_ENCODE_LFN_REPEATED);
    end_fields("both.lime");

    begin_fields();
    message = message_of(LSE_MESSAGE_GAUGE, 4, flat);
    message.form = LSE_FORM_ILDG;
    message.precision = LSE_DOUBLE;
    message.gauge = bytes_of("su3gauge");
    message.update = bytes_of("7");
    message_with(&message, 8 * 54, 8, put_double, 8);
    EXPECT(LSE_MISUSE, lse_field_encoder_begin(field_encoder, &message, documents, LSE_SCRATCH_SIZE));
    EXPECT_KIND(field, field_encoder, LSE_KIND_FIELD_ENCODE_UPDATE_REPEATED);
    message.update = bytes_of("8");
    message_with(&message, 8 * 54, 8, put_double, 0);
    end_fields("ildg.lime");

    begin_fields();
    message = message_of(LSE_MESSAGE_GAUGE, 3, three);
    message.form = LSE_FORM_SCIDAC;
    message.precision = LSE_DOUBLE;
    message.gauge = bytes_of("su3gauge");
    message.text = bytes_of("gauge");
    EXPECT(LSE_MISUSE, lse_field_encoder_begin(field_encoder, &message, documents, LSE_SCRATCH_SIZE));
    EXPECT_KIND(field, field_encoder, LSE_KIND_FIELD_ENCODE_FILE_MISSING);
    other = message_of(LSE_MESSAGE_FILE, 3, three);
    other.text = bytes_of("title");
    message_with(&other, 0, 1, put_integer, 0);
    message_with(&message, 16 * 54, 8, put_double, 0);

    message = message_of(LSE_MESSAGE_DATA, 3, three);
    message.text = bytes_of("complex");
    message.data.datatype = bytes_of("USQCD_D_Complex");
    message.data.precision = (uint32_t)'D';
    message.data.typesize = 16;
    message.data.datacount = 1;
    message_with(&message, 32, 8, put_double, 16);

    message = message_of(LSE_MESSAGE_DATA, 3, three);
    message.text = bytes_of("global");
    message.region = LSE_REGION_GLOBAL;
    message.data.datatype = bytes_of("QLA_F_Real");
    message.data.precision = (uint32_t)'F';
    message.data.typesize = 4;
    message.data.datacount = 5;
    message_with(&message, 5, 4, put_float, 0);

    message = message_of(LSE_MESSAGE_DATA, 3, three);
    message.text = bytes_of("cube");
    message.region = LSE_REGION_HYPERCUBE;
    message.lower[0] = 1;
    message.lower[2] = 1;
    message.upper[0] = 2;
    message.upper[1] = 1;
    message.upper[2] = 1;
    message.data.datatype = bytes_of("QDP_I_Int");
    message.data.precision = (uint32_t)'I';
    message.data.typesize = 4;
    message.data.datacount = 2;
    message_with(&message, 8, 4, put_integer, 4);

    message = message_of(LSE_MESSAGE_FOREIGN, 0, NULL);
    message.type = bytes_of("notes");
    message.payload = bytes_of("any bytes");
    message_with(&message, 0, 1, put_integer, 0);
    message = message_of(LSE_MESSAGE_LFN, 0, NULL);
    message.lfn = bytes_of("lfn://example/scidac.1");
    message_with(&message, 0, 1, put_integer, 0);
    end_fields("scidac.lime");
}

/* The data of the sample file, with places and verdict; a field that was skipped is not verified. */
static void read_field(void) {
    size_t length;
    uint8_t *bytes = file_bytes(root, "examples/su3-4x4x4x8.lime", &length);
    lse_field_decoder *decoder = memory(sizeof *decoder);
    int skipping;
    for (skipping = 0; skipping < 2; skipping++) {
        uint64_t next = 0;
        unsigned fields = 0;
        unsigned verdicts = 0;
        size_t used = 0;
        lse_field_event event;
        EXPECT(LSE_OK, lse_field_decoder_init(decoder, sizeof *decoder, LSE_STRICT));
        for (;;) {
            size_t n = length - used < 1000 ? length - used : 1000;
            EXPECT(LSE_OK, lse_field_decoder_push(decoder, bytes + used, n, &event));
            used += event.consumed;
            if (event.tag == LSE_EVENT_NONE && n == 0) { break; }
            if (event.tag == LSE_FIELD_FIELD) {
                const lse_layout *layout = &event.as.layout;
                fields++;
                CHECK(layout->length == 147456 && layout->sites == 512 && layout->bytes_per_site == 288);
                CHECK(layout->source == LSE_SOURCE_SCIDAC && layout->precision == LSE_SINGLE);
                CHECK(layout->dimensions == 4 && layout->extents[3] == 8 && layout->extents[4] == 0);
                CHECK(layout->region == LSE_REGION_LATTICE && layout->links.links == 4);
                CHECK(layout->links.rows == 3 && layout->links.columns == 3 && layout->links.parts == 2);
                if (skipping == 1) {
                    EXPECT(LSE_OK, lse_field_decoder_skip(decoder, layout->length));
                    used += (size_t)layout->length;
                }
            } else if (event.tag == LSE_FIELD_DATA) {
                CHECK(event.position == next && event.bytes.data == bytes + used - event.consumed);
                next += event.bytes.length;
            } else if (event.tag == LSE_FIELD_FIELD_END) {
                CHECK(event.as.field_end.known == (skipping == 1 ? 0u : 1u));
            } else if (event.tag == LSE_FIELD_VERDICT) {
                verdicts++;
                CHECK(event.as.verdict.result == (skipping == 1 ? LSE_VERDICT_UNCHECKED : LSE_VERDICT_MATCH));
            }
        }
        CHECK(fields == 1 && verdicts == 1 && next == (skipping == 1 ? 0u : 147456u));
        do { EXPECT(LSE_OK, lse_field_decoder_finish(decoder, &event)); } while (event.tag != LSE_EVENT_NONE);
    }
    /* One bit of the data flipped: refused, at the checksum. */
    {
        size_t used = 0;
        lse_status status;
        lse_field_event event;
        lse_error error;
        bytes[50000] ^= 1u;
        EXPECT(LSE_OK, lse_field_decoder_init(decoder, sizeof *decoder, LSE_LENIENT));
        do {
            status = lse_field_decoder_push(decoder, bytes + used, length - used, &event);
            used += event.consumed;
            CHECK(event.tag != LSE_FIELD_VERDICT);
        } while (status == LSE_OK && event.tag != LSE_EVENT_NONE);
        EXPECT(LSE_REFUSED, status);
        EXPECT(LSE_OK, lse_field_decoder_error(decoder, &error));
        CHECK(error.kind == LSE_KIND_CHECKSUM_MISMATCH && error.error_class == LSE_CLASS_CHECKSUM);
        CHECK(error.offset == 149688);
    }
    EXPECT(LSE_OK, lse_field_decoder_close(decoder));
    free(decoder);
    free(bytes);
}

/* ------------------------------------------------------------------------------------------------------------ scda */

static void emit(lse_bytes bytes) { write_at(file_length, bytes.data, bytes.length); }

static void write_sections(uint32_t style, const char *name) {
    lse_scda_encoder *encoder = memory(sizeof *encoder);
    static const size_t sizes[3] = {3, 0, 9};
    uint8_t data[256];
    lse_bytes bytes;
    uint64_t number;
    size_t i;
    for (i = 0; i < 256; i++) { data[i] = (uint8_t)i; }
    begin_file();
    EXPECT(LSE_OK, lse_scda_encoder_init(encoder, sizeof *encoder, style));
    EXPECT(LSE_MISUSE, lse_scda_encoder_begin(encoder, (uint32_t)'B', bytes_of("block"), 0, 11, &bytes));
    EXPECT_KIND(scda, encoder, LSE_KIND_SCDA_ENCODE_HEADER_ORDER);
    EXPECT(LSE_OK, lse_scda_encoder_header(encoder, bytes_of("vendor"), bytes_of("a file"), &bytes));
    emit(bytes);
    EXPECT(LSE_OK, lse_scda_encoder_begin(encoder, (uint32_t)'I', bytes_of("inline"), 0, 0, &bytes));
    emit(bytes);
    MOVE_ENCODER(scda, SCDA, encoder);
    EXPECT(LSE_OK, lse_scda_encoder_push(encoder, (const uint8_t *)"thirty-two bytes of data, exact\n", 32));
    write_at(file_length, (const uint8_t *)"thirty-two bytes of data, exact\n", 32);
    EXPECT(LSE_OK, lse_scda_encoder_end(encoder, &bytes));
    CHECK(bytes.length == 0);
    EXPECT(LSE_OK, lse_scda_encoder_begin(encoder, (uint32_t)'B', bytes_of("block"), 0, 11, &bytes));
    emit(bytes);
    for (i = 0; i < 11; i++) {
        EXPECT(LSE_OK, lse_scda_encoder_room(encoder, &number));
        CHECK(number == 11 - i);
        EXPECT(LSE_OK, lse_scda_encoder_push(encoder, data + i, 1));
        write_at(file_length, data + i, 1);
        MOVE_ENCODER(scda, SCDA, encoder);
    }
    EXPECT(LSE_MISUSE, lse_scda_encoder_push(encoder, data, 1));
    EXPECT_KIND(scda, encoder, LSE_KIND_SCDA_ENCODE_DATA_TOO_LONG);
    EXPECT(LSE_MISUSE, lse_scda_encoder_finish(encoder));
    EXPECT_KIND(scda, encoder, LSE_KIND_SCDA_ENCODE_SECTION_OPEN);
    EXPECT(LSE_OK, lse_scda_encoder_end(encoder, &bytes));
    emit(bytes);
    EXPECT(LSE_OK, lse_scda_encoder_begin(encoder, (uint32_t)'A', bytes_of("array"), 7, 5, &bytes));
    emit(bytes);
    EXPECT(LSE_MISUSE, lse_scda_encoder_end(encoder, &bytes));
    EXPECT_KIND(scda, encoder, LSE_KIND_SCDA_ENCODE_DATA_TOO_SHORT);
    EXPECT(LSE_OK, lse_scda_encoder_push(encoder, data, 35));
    write_at(file_length, data, 35);
    EXPECT(LSE_OK, lse_scda_encoder_end(encoder, &bytes));
    emit(bytes);
    EXPECT(LSE_OK, lse_scda_encoder_begin(encoder, (uint32_t)'V', bytes_of("varray"), 3, 0, &bytes));
    emit(bytes);
    for (i = 0; i < 3; i++) {
        EXPECT(LSE_MISUSE, lse_scda_encoder_push(encoder, data, 1));
        EXPECT_KIND(scda, encoder, LSE_KIND_SCDA_ENCODE_SIZES_MISSING);
        EXPECT(LSE_OK, lse_scda_encoder_size(encoder, sizes[i], &bytes));
        CHECK(bytes.length == 32);
        emit(bytes);
    }
    EXPECT(LSE_MISUSE, lse_scda_encoder_size(encoder, 1, &bytes));
    EXPECT_KIND(scda, encoder, LSE_KIND_SCDA_ENCODE_SIZE_UNEXPECTED);
    EXPECT(LSE_OK, lse_scda_encoder_push(encoder, data, 3));
    write_at(file_length, data, 3);
    EXPECT(LSE_OK, lse_scda_encoder_push(encoder, data, 9));
    write_at(file_length, data, 9);
    EXPECT(LSE_OK, lse_scda_encoder_end(encoder, &bytes));
    emit(bytes);
    EXPECT(LSE_OK, lse_scda_encoder_begin(encoder, (uint32_t)'B', bytes_of(""), 0, 7, &bytes));
    emit(bytes);
    EXPECT(LSE_OK, lse_scda_encoder_push(encoder, (const uint8_t *)"a line\n", 7));
    write_at(file_length, (const uint8_t *)"a line\n", 7);
    EXPECT(LSE_OK, lse_scda_encoder_end(encoder, &bytes));
    emit(bytes);
    EXPECT(LSE_OK, lse_scda_encoder_position(encoder, &number));
    CHECK(number == file_length);
    EXPECT(LSE_OK, lse_scda_encoder_finish(encoder));
    EXPECT(LSE_ENDED, lse_scda_encoder_finish(encoder));
    EXPECT(LSE_OK, lse_scda_encoder_close(encoder));
    compare_file(name);
    EXPECT(LSE_OK, lse_scda_encoder_append(encoder, sizeof *encoder, 896, style));
    EXPECT(LSE_OK, lse_scda_encoder_begin(encoder, (uint32_t)'B', bytes_of("more"), 0, 0, &bytes));
    EXPECT(LSE_OK, lse_scda_encoder_position(encoder, &number));
    CHECK(number == 896 + 96);
    EXPECT(LSE_OK, lse_scda_encoder_close(encoder));
    free(encoder);
}

/* Sections and their strings, which are in the decoder. */
static void read_sections(void) {
    lse_scda_decoder *decoder = memory(sizeof *decoder);
    lse_scda_event event;
    char letters[8] = "";
    size_t used = 0;
    size_t count = 0;
    EXPECT(LSE_OK, lse_scda_decoder_init(decoder, sizeof *decoder, LSE_STRICT));
    do {
        EXPECT(LSE_OK, lse_scda_decoder_push(decoder, file + used, file_length - used, &event));
        used += event.consumed;
        if (event.tag == LSE_SCDA_SECTION && count < 7) {
            const lse_section *section = &event.as.section;
            letters[count] = (char)section->letter;
            count++;
            CHECK(section->vendor.length == 6 && memcmp(section->vendor.data, "vendor", 6) == 0);
            if (section->letter == (uint32_t)'A') {
                CHECK(section->n.low == 7 && section->n.high == 0 && section->e.low == 5);
                CHECK(section->user.length == 5 && memcmp(section->user.data, "array", 5) == 0);
            }
        }
    } while (event.tag != LSE_EVENT_NONE);
    CHECK(strcmp(letters, "FIBAVB") == 0);
    EXPECT(LSE_OK, lse_scda_decoder_finish(decoder, &event));
    EXPECT(LSE_OK, lse_scda_decoder_close(decoder));
    free(decoder);
}

/* ---------------------------------------------------------------------------------------------------------- INEBIN */

static void read_matrix(void) {
    static const uint8_t bytes[25] = {'I', 'N', 'E', 'B', 'I', 'N', 0, 'Z', 1, 0, 0, 0, 1, 0, 0, 0, 42};
    lse_inebin_decoder *decoder = memory(sizeof *decoder);
    lse_inebin_event event;
    lse_demand demand;
    EXPECT(LSE_OK, lse_inebin_decoder_init(decoder, sizeof *decoder, LSE_STRICT));
    EXPECT(LSE_OK, lse_inebin_decoder_push(decoder, bytes, 24, &event));
    CHECK(event.tag == LSE_INEBIN_HEADER && event.consumed == 16 && event.as.matrix.letter == (uint32_t)'Z');
    CHECK(event.as.matrix.rows == 1 && event.as.matrix.columns == 1 && event.as.matrix.entries == 1);
    CHECK(event.as.matrix.length == 8 && event.as.matrix.unused_bits == 0);
    EXPECT(LSE_OK, lse_inebin_decoder_push(decoder, bytes + 16, 8, &event));
    CHECK(event.tag == LSE_INEBIN_DATA && event.bytes.data[0] == 42 && event.bytes.length == 8 && event.position == 0);
    EXPECT(LSE_OK, lse_inebin_decoder_push(decoder, NULL, 0, &event));
    CHECK(event.tag == LSE_INEBIN_END);
    EXPECT(LSE_OK, lse_inebin_decoder_finish(decoder, &event));
    CHECK(event.tag == LSE_EVENT_NONE);
    EXPECT(LSE_OK, lse_inebin_decoder_demand(decoder, &demand));
    CHECK(demand.tag == LSE_DEMAND_END);
    EXPECT(LSE_ENDED, lse_inebin_decoder_finish(decoder, &event));
    EXPECT(LSE_ENDED, lse_inebin_decoder_push(decoder, bytes, 1, &event));
    EXPECT(LSE_OK, lse_inebin_decoder_close(decoder));
    free(decoder);
}

int main(int argc, char **argv) {
    if (argc < 3) { return 2; }
    scratch_folder = argv[1];
    root = argv[2];
    write_records();
    read_records();
    write_fields();
    read_field();
    write_sections(LSE_UNIX, "unix.scda");
    write_sections(LSE_MIME, "mime.scda");
    read_sections();
    read_matrix();
    return failures == 0 ? 0 : 1;
}
