/* The misuse table: every wrong pointer, size, number and order of calls that can be detected ends in its status, and
 * changes nothing. Then random calls, and saved states with changed bytes whose checksum is right. */
#include "linkstream_embedded.h"

#include <signal.h>
#include <sys/time.h>

#include "check.h"

/* Room for any object, event or saved state, with a shift for misaligned addresses. */
typedef union {
    uint64_t words[256];
    uint8_t bytes[2048];
} space;

static lse_bytes bytes_of(const char *text) {
    lse_bytes bytes;
    bytes.data = (const uint8_t *)text;
    bytes.length = strlen(text);
    return bytes;
}

/* The misuse that decoders have in common. `other` names another decoder. */
#define DECODER_MISUSE(name, NAME, other, OTHER)                                                                      \
    static void misuse_##name(void) {                                                                                 \
        static space object, moved, result, saved, small;                                                             \
        lse_##name##_decoder *d = (lse_##name##_decoder *)(void *)&object;                                            \
        lse_##name##_decoder *m = (lse_##name##_decoder *)(void *)&moved;                                             \
        lse_##name##_event *e = (lse_##name##_event *)(void *)&result;                                                \
        const size_t size = sizeof *d;                                                                                \
        const uint8_t input[4] = {1, 2, 3, 4};                                                                        \
        uint64_t number;                                                                                              \
        lse_demand demand;                                                                                            \
        lse_error error;                                                                                              \
        lse_description words;                                                                                        \
        size_t i;                                                                                                     \
        /* Not initialised: zeros and a pattern. */                                                                   \
        for (i = 0; i < 2; i++) {                                                                                     \
            (void)memset(&object, i == 0 ? 0 : 0xa5, sizeof object);                                                  \
            EXPECT(LSE_UNINITIALISED, lse_##name##_decoder_push(d, input, 4, e));                                     \
            EXPECT(LSE_UNINITIALISED, lse_##name##_decoder_skip(d, 0));                                               \
            EXPECT(LSE_UNINITIALISED, lse_##name##_decoder_finish(d, e));                                             \
            EXPECT(LSE_UNINITIALISED, lse_##name##_decoder_demand(d, &demand));                                       \
            EXPECT(LSE_UNINITIALISED, lse_##name##_decoder_position(d, &number));                                     \
            EXPECT(LSE_UNINITIALISED, lse_##name##_decoder_error(d, &error));                                         \
            EXPECT(LSE_UNINITIALISED, lse_##name##_decoder_describe(d, &words));                                      \
            EXPECT(LSE_UNINITIALISED, lse_##name##_decoder_save(d, saved.bytes, sizeof saved));                       \
            EXPECT(LSE_UNINITIALISED, lse_##name##_decoder_close(d));                                                 \
        }                                                                                                             \
        /* NULL, and an address that is not a multiple of 8. */                                                       \
        for (i = 0; i < 2; i++) {                                                                                     \
            lse_##name##_decoder *wrong = i == 0 ? NULL : (lse_##name##_decoder *)(void *)(object.bytes + 4);         \
            lse_status status = i == 0 ? LSE_NULL : LSE_MISALIGNED;                                                   \
            EXPECT(status, lse_##name##_decoder_init(wrong, size, LSE_STRICT));                                       \
            EXPECT(status, lse_##name##_decoder_push(wrong, input, 4, e));                                            \
            EXPECT(status, lse_##name##_decoder_skip(wrong, 0));                                                      \
            EXPECT(status, lse_##name##_decoder_finish(wrong, e));                                                    \
            EXPECT(status, lse_##name##_decoder_demand(wrong, &demand));                                              \
            EXPECT(status, lse_##name##_decoder_position(wrong, &number));                                            \
            EXPECT(status, lse_##name##_decoder_error(wrong, &error));                                                \
            EXPECT(status, lse_##name##_decoder_describe(wrong, &words));                                             \
            EXPECT(status, lse_##name##_decoder_save(wrong, saved.bytes, sizeof saved));                              \
            EXPECT(status, lse_##name##_decoder_load(wrong, size, saved.bytes, LSE_##NAME##_DECODER_SAVED));          \
            EXPECT(status, lse_##name##_decoder_close(wrong));                                                        \
        }                                                                                                             \
        /* Too small, no mode. */                                                                                     \
        EXPECT(LSE_TOO_SMALL, lse_##name##_decoder_init(d, 0, LSE_STRICT));                                           \
        EXPECT(LSE_TOO_SMALL, lse_##name##_decoder_init(d, size - 64, LSE_STRICT));                                   \
        EXPECT(LSE_ARGUMENT, lse_##name##_decoder_init(d, size, 0));                                                  \
        EXPECT(LSE_ARGUMENT, lse_##name##_decoder_init(d, size, 4));                                                  \
        EXPECT(LSE_UNINITIALISED, lse_##name##_decoder_push(d, input, 4, e));                                         \
        EXPECT(LSE_OK, lse_##name##_decoder_init(d, size, LSE_SURVEY));                                               \
        /* Results: NULL, misaligned, inside the object, over the input. */                                           \
        EXPECT(LSE_NULL, lse_##name##_decoder_push(d, input, 4, NULL));                                               \
        EXPECT(LSE_NULL, lse_##name##_decoder_finish(d, NULL));                                                       \
        EXPECT(LSE_NULL, lse_##name##_decoder_demand(d, NULL));                                                       \
        EXPECT(LSE_NULL, lse_##name##_decoder_position(d, NULL));                                                     \
        EXPECT(LSE_NULL, lse_##name##_decoder_error(d, NULL));                                                        \
        EXPECT(LSE_NULL, lse_##name##_decoder_describe(d, NULL));                                                     \
        EXPECT(LSE_NULL, lse_##name##_decoder_save(d, NULL, LSE_##NAME##_DECODER_SAVED));                             \
        EXPECT(LSE_MISALIGNED,                                                                                       \
               lse_##name##_decoder_push(d, input, 4, (lse_##name##_event *)(void *)(result.bytes + 1)));            \
        EXPECT(LSE_MISALIGNED, lse_##name##_decoder_position(d, (uint64_t *)(void *)(result.bytes + 4)));             \
        EXPECT(LSE_OVERLAP, lse_##name##_decoder_push(d, input, 4, (lse_##name##_event *)(void *)&object));           \
        EXPECT(LSE_OVERLAP, lse_##name##_decoder_finish(d, (lse_##name##_event *)(void *)&object));                   \
        EXPECT(LSE_OVERLAP, lse_##name##_decoder_position(d, &object.words[1]));                                      \
        EXPECT(LSE_OVERLAP, lse_##name##_decoder_save(d, object.bytes + 8, LSE_##NAME##_DECODER_SAVED));              \
        EXPECT(LSE_OVERLAP, lse_##name##_decoder_push(d, result.bytes + 8, 4, e));                                    \
        /* Input: NULL, inside the object, of an impossible length. */                                                \
        EXPECT(LSE_NULL, lse_##name##_decoder_push(d, NULL, 1, e));                                                   \
        EXPECT(LSE_OVERLAP, lse_##name##_decoder_push(d, object.bytes + 24, 8, e));                                   \
        EXPECT(LSE_ARGUMENT, lse_##name##_decoder_push(d, input, SIZE_MAX, e));                                       \
        EXPECT(LSE_ARGUMENT, lse_##name##_decoder_push(d, input, SIZE_MAX / 2 + 1, e));                               \
        EXPECT(LSE_MISUSE, lse_##name##_decoder_skip(d, 1));                                                          \
        EXPECT(LSE_MISUSE, lse_##name##_decoder_skip(d, UINT64_MAX));                                                 \
        EXPECT(LSE_TOO_SMALL, lse_##name##_decoder_save(d, saved.bytes, LSE_##NAME##_DECODER_SAVED - 1));             \
        /* Nothing has changed. */                                                                                    \
        EXPECT(LSE_OK, lse_##name##_decoder_position(d, &number));                                                    \
        CHECK(number == 0);                                                                                           \
        EXPECT(LSE_OK, lse_##name##_decoder_save(d, saved.bytes, sizeof saved));                                      \
        /* A copy at another address, and an object of another type. */                                               \
        (void)memcpy(&moved, &object, sizeof moved);                                                                  \
        EXPECT(LSE_UNINITIALISED, lse_##name##_decoder_push(m, input, 0, e));                                         \
        EXPECT(LSE_UNINITIALISED, lse_##other##_decoder_position((lse_##other##_decoder *)(void *)&object, &number)); \
        /* In use by the interrupted code: its word is set, as by a call. */                                          \
        ((uint32_t *)(void *)&object)[2] = 1;                                                                         \
        EXPECT(LSE_BUSY, lse_##name##_decoder_push(d, input, 4, e));                                                  \
        EXPECT(LSE_BUSY, lse_##name##_decoder_position(d, &number));                                                  \
        EXPECT(LSE_BUSY, lse_##name##_decoder_init(d, size, LSE_STRICT));                                             \
        EXPECT(LSE_BUSY, lse_##name##_decoder_load(d, size, saved.bytes, LSE_##NAME##_DECODER_SAVED));                \
        EXPECT(LSE_BUSY, lse_##name##_decoder_close(d));                                                              \
        ((uint32_t *)(void *)&object)[2] = 0;                                                                         \
        /* Saved states: of another length, damaged, of another type. Refused ones leave the memory as it is. */      \
        (void)memset(&moved, 0x5a, sizeof moved);                                                                     \
        EXPECT(LSE_NULL, lse_##name##_decoder_load(m, size, NULL, LSE_##NAME##_DECODER_SAVED));                       \
        EXPECT(LSE_DAMAGED, lse_##name##_decoder_load(m, size, saved.bytes, 0));                                      \
        EXPECT(LSE_DAMAGED, lse_##name##_decoder_load(m, size, saved.bytes, LSE_##NAME##_DECODER_SAVED - 1));         \
        EXPECT(LSE_TOO_SMALL, lse_##name##_decoder_load(m, size - 64, saved.bytes, LSE_##NAME##_DECODER_SAVED));      \
        EXPECT(LSE_OVERLAP, lse_##name##_decoder_load(m, size, moved.bytes + 16, LSE_##NAME##_DECODER_SAVED));        \
        for (i = 0; i < LSE_##NAME##_DECODER_SAVED * 8u; i++) {                                                       \
            saved.bytes[i / 8] ^= (uint8_t)(1u << (i % 8));                                                           \
            EXPECT(LSE_DAMAGED, lse_##name##_decoder_load(m, size, saved.bytes, LSE_##NAME##_DECODER_SAVED));         \
            saved.bytes[i / 8] ^= (uint8_t)(1u << (i % 8));                                                           \
        }                                                                                                             \
        for (i = 0; i < sizeof moved; i++) { CHECK(moved.bytes[i] == 0x5a); }                                         \
        EXPECT(LSE_FOREIGN, lse_##other##_decoder_load((lse_##other##_decoder *)(void *)&moved,                       \
                                                       sizeof(lse_##other##_decoder), saved.bytes,                    \
                                                       LSE_##NAME##_DECODER_SAVED));                                  \
        EXPECT(LSE_OK, lse_##name##_decoder_load(m, size, saved.bytes, LSE_##NAME##_DECODER_SAVED));                  \
        /* After the end, and after close. */                                                                         \
        EXPECT(LSE_OK, lse_##name##_decoder_close(m));                                                                \
        EXPECT(LSE_UNINITIALISED, lse_##name##_decoder_close(m));                                                     \
        EXPECT(LSE_UNINITIALISED, lse_##name##_decoder_finish(m, e));                                                 \
        /* Exactly as much memory as the header says, and no byte after it is touched. */                             \
        (void)memset(&small, 0xc3, sizeof small);                                                                     \
        EXPECT(LSE_OK, lse_##name##_decoder_init((lse_##name##_decoder *)(void *)&small, size, LSE_STRICT));          \
        for (i = size; i < sizeof small; i++) { CHECK(small.bytes[i] == 0xc3); }                                      \
    }

DECODER_MISUSE(lime, LIME, field, FIELD)
DECODER_MISUSE(field, FIELD, scda, SCDA)
DECODER_MISUSE(scda, SCDA, inebin, INEBIN)
DECODER_MISUSE(inebin, INEBIN, lime, LIME)

/* The misuse that encoders have in common. */
#define ENCODER_MISUSE(name, NAME, INIT)                                                                              \
    static void misuse_of_##name##_encoder(void) {                                                                    \
        static space object, moved, saved;                                                                            \
        lse_##name##_encoder *d = (lse_##name##_encoder *)(void *)&object;                                            \
        lse_##name##_encoder *m = (lse_##name##_encoder *)(void *)&moved;                                             \
        const size_t size = sizeof *d;                                                                                \
        const uint8_t input[4] = {1, 2, 3, 4};                                                                        \
        uint64_t number;                                                                                              \
        lse_error error;                                                                                              \
        lse_description words;                                                                                        \
        size_t i;                                                                                                     \
        (void)memset(&object, 0xa5, sizeof object);                                                                   \
        for (i = 0; i < 3; i++) {                                                                                     \
            lse_##name##_encoder *wrong =                                                                             \
                i == 0 ? d : (i == 1 ? NULL : (lse_##name##_encoder *)(void *)(object.bytes + 1));                    \
            lse_status status = i == 0 ? LSE_UNINITIALISED : (i == 1 ? LSE_NULL : LSE_MISALIGNED);                    \
            EXPECT(status, lse_##name##_encoder_push(wrong, input, 4));                                               \
            EXPECT(status, lse_##name##_encoder_finish(wrong));                                                       \
            EXPECT(status, lse_##name##_encoder_position(wrong, &number));                                            \
            EXPECT(status, lse_##name##_encoder_room(wrong, &number));                                                \
            EXPECT(status, lse_##name##_encoder_error(wrong, &error));                                                \
            EXPECT(status, lse_##name##_encoder_describe(wrong, &words));                                             \
            EXPECT(status, lse_##name##_encoder_save(wrong, saved.bytes, sizeof saved));                              \
            EXPECT(status, lse_##name##_encoder_close(wrong));                                                        \
        }                                                                                                             \
        EXPECT(LSE_TOO_SMALL, INIT(d, size - 64));                                                                    \
        EXPECT(LSE_NULL, INIT(NULL, size));                                                                           \
        EXPECT(LSE_MISALIGNED, INIT((lse_##name##_encoder *)(void *)(object.bytes + 4), size));                       \
        EXPECT(LSE_OK, INIT(d, size));                                                                                \
        EXPECT(LSE_NULL, lse_##name##_encoder_push(d, NULL, 4));                                                      \
        EXPECT(LSE_ARGUMENT, lse_##name##_encoder_push(d, input, SIZE_MAX));                                          \
        EXPECT(LSE_OVERLAP, lse_##name##_encoder_push(d, object.bytes + 100, 4));                                     \
        EXPECT(LSE_MISUSE, lse_##name##_encoder_push(d, input, 4));                                                   \
        EXPECT(LSE_NULL, lse_##name##_encoder_position(d, NULL));                                                     \
        EXPECT(LSE_NULL, lse_##name##_encoder_room(d, NULL));                                                         \
        EXPECT(LSE_NULL, lse_##name##_encoder_error(d, NULL));                                                        \
        EXPECT(LSE_NULL, lse_##name##_encoder_describe(d, NULL));                                                     \
        EXPECT(LSE_OVERLAP, lse_##name##_encoder_position(d, &object.words[2]));                                      \
        EXPECT(LSE_TOO_SMALL, lse_##name##_encoder_save(d, saved.bytes, LSE_##NAME##_ENCODER_SAVED - 1));             \
        EXPECT(LSE_OVERLAP, lse_##name##_encoder_save(d, object.bytes, LSE_##NAME##_ENCODER_SAVED));                  \
        EXPECT(LSE_OK, lse_##name##_encoder_save(d, saved.bytes, sizeof saved));                                      \
        ((uint32_t *)(void *)&object)[2] = 1;                                                                         \
        EXPECT(LSE_BUSY, lse_##name##_encoder_push(d, input, 4));                                                     \
        EXPECT(LSE_BUSY, lse_##name##_encoder_position(d, &number));                                                  \
        EXPECT(LSE_BUSY, INIT(d, size));                                                                              \
        ((uint32_t *)(void *)&object)[2] = 0;                                                                         \
        (void)memset(&moved, 0x5a, sizeof moved);                                                                     \
        EXPECT(LSE_DAMAGED, lse_##name##_encoder_load(m, size, saved.bytes, LSE_##NAME##_ENCODER_SAVED + 1));         \
        for (i = 0; i < LSE_##NAME##_ENCODER_SAVED * 8u; i++) {                                                       \
            saved.bytes[i / 8] ^= (uint8_t)(1u << (i % 8));                                                           \
            EXPECT(LSE_DAMAGED, lse_##name##_encoder_load(m, size, saved.bytes, LSE_##NAME##_ENCODER_SAVED));         \
            saved.bytes[i / 8] ^= (uint8_t)(1u << (i % 8));                                                           \
        }                                                                                                             \
        for (i = 0; i < sizeof moved; i++) { CHECK(moved.bytes[i] == 0x5a); }                                         \
        EXPECT(LSE_FOREIGN, lse_lime_decoder_load((lse_lime_decoder *)(void *)&moved, sizeof(lse_lime_decoder),       \
                                                  saved.bytes, LSE_##NAME##_ENCODER_SAVED));                          \
        EXPECT(LSE_OK, lse_##name##_encoder_load(m, size, saved.bytes, LSE_##NAME##_ENCODER_SAVED));                  \
        (void)memcpy(&object, &moved, sizeof moved);                                                                  \
        EXPECT(LSE_UNINITIALISED, lse_##name##_encoder_push(d, input, 0));                                            \
        EXPECT(LSE_OK, lse_##name##_encoder_close(m));                                                                \
        EXPECT(LSE_UNINITIALISED, lse_##name##_encoder_finish(m));                                                    \
    }

static lse_status unix_init(lse_scda_encoder *encoder, size_t size) {
    return lse_scda_encoder_init(encoder, size, LSE_UNIX);
}

ENCODER_MISUSE(lime, LIME, lse_lime_encoder_init)
ENCODER_MISUSE(field, FIELD, lse_field_encoder_init)
ENCODER_MISUSE(scda, SCDA, unix_init)

/* What is special to the LIME and the scda encoder. */
static void misuse_of_headers(void) {
    static lse_lime_encoder lime;
    static lse_scda_encoder scda;
    static char long_type[200];
    lse_bytes out;
    lse_bytes none;
    lse_error error;
    (void)memset(long_type, 'x', sizeof long_type - 1);
    none.data = NULL;
    none.length = 3;
    EXPECT(LSE_ARGUMENT, lse_lime_encoder_append(&lime, sizeof lime, 0, 2));
    EXPECT(LSE_OK, lse_lime_encoder_init(&lime, sizeof lime));
    EXPECT(LSE_ARGUMENT, lse_lime_encoder_begin(&lime, bytes_of("t"), 0, 4, &out));
    EXPECT(LSE_NULL, lse_lime_encoder_begin(&lime, none, 0, 3, &out));
    EXPECT(LSE_NULL, lse_lime_encoder_begin(&lime, bytes_of("t"), 0, 3, NULL));
    EXPECT(LSE_MISUSE, lse_lime_encoder_begin(&lime, bytes_of(long_type), 0, 3, &out));
    EXPECT(LSE_OK, lse_lime_encoder_error(&lime, &error));
    CHECK(error.kind == LSE_KIND_LIME_ENCODE_TYPE_TOO_LONG);
    EXPECT(LSE_MISUSE, lse_lime_encoder_begin(&lime, bytes_of("t"), UINT64_MAX, 3, &out));
    EXPECT(LSE_OK, lse_lime_encoder_error(&lime, &error));
    CHECK(error.kind == LSE_KIND_LIME_ENCODE_LENGTH_OVERFLOW);
    EXPECT(LSE_MISUSE, lse_lime_encoder_end(&lime, &out));
    EXPECT(LSE_MISUSE, lse_lime_encoder_skip(&lime, 0));
    EXPECT(LSE_OVERLAP, lse_lime_encoder_end(&lime, (lse_bytes *)(void *)&lime));

    EXPECT(LSE_ARGUMENT, lse_scda_encoder_init(&scda, sizeof scda, 0));
    EXPECT(LSE_ARGUMENT, lse_scda_encoder_append(&scda, sizeof scda, 0, 3));
    EXPECT(LSE_OK, lse_scda_encoder_init(&scda, sizeof scda, LSE_MIME));
    EXPECT(LSE_MISUSE, lse_scda_encoder_finish(&scda));
    EXPECT(LSE_NULL, lse_scda_encoder_header(&scda, none, bytes_of(""), &out));
    EXPECT(LSE_NULL, lse_scda_encoder_header(&scda, bytes_of(""), none, &out));
    EXPECT(LSE_MISUSE, lse_scda_encoder_header(&scda, bytes_of("more than twenty bytes"), bytes_of(""), &out));
    EXPECT(LSE_OK, lse_scda_encoder_error(&scda, &error));
    CHECK(error.kind == LSE_KIND_SCDA_ENCODE_STRING_TOO_LONG);
    EXPECT(LSE_OK, lse_scda_encoder_header(&scda, bytes_of("v"), bytes_of("u"), &out));
    EXPECT(LSE_MISUSE, lse_scda_encoder_header(&scda, bytes_of("v"), bytes_of("u"), &out));
    EXPECT(LSE_ARGUMENT, lse_scda_encoder_begin(&scda, (uint32_t)'F', bytes_of(""), 0, 0, &out));
    EXPECT(LSE_ARGUMENT, lse_scda_encoder_begin(&scda, 0x142u, bytes_of(""), 0, 0, &out));
    EXPECT(LSE_ARGUMENT, lse_scda_encoder_begin(&scda, (uint32_t)'I', bytes_of(""), 1, 0, &out));
    EXPECT(LSE_ARGUMENT, lse_scda_encoder_begin(&scda, (uint32_t)'B', bytes_of(""), 1, 1, &out));
    EXPECT(LSE_ARGUMENT, lse_scda_encoder_begin(&scda, (uint32_t)'V', bytes_of(""), 1, 1, &out));
    EXPECT(LSE_MISUSE, lse_scda_encoder_begin(&scda, (uint32_t)'A', bytes_of(""), UINT64_MAX, 2, &out));
    EXPECT(LSE_OK, lse_scda_encoder_error(&scda, &error));
    CHECK(error.kind == LSE_KIND_SCDA_ENCODE_TOO_LONG);
    EXPECT(LSE_MISUSE, lse_scda_encoder_size(&scda, 1, &out));
    EXPECT(LSE_MISUSE, lse_scda_encoder_end(&scda, &out));
}

/* Messages that are wrong, and memory that is. */
static void misuse_of_messages(void) {
    static lse_field_encoder encoder;
    static uint8_t scratch[LSE_SCRATCH_SIZE];
    static char long_name[80];
    lse_message good;
    lse_message message;
    lse_want want;
    lse_error error;
    uint64_t position;
    (void)memset(&good, 0, sizeof good);
    good.kind = LSE_MESSAGE_GAUGE;
    good.form = LSE_FORM_ILDG;
    good.precision = LSE_SINGLE;
    good.dimensions = 4;
    good.extents[0] = good.extents[1] = good.extents[2] = good.extents[3] = 2;
    good.gauge = bytes_of("su3gauge");
    EXPECT(LSE_OK, lse_field_encoder_init(&encoder, sizeof encoder));
#define REFUSED(status, change)                                                                                       \
    do {                                                                                                              \
        message = good;                                                                                               \
        change;                                                                                                       \
        EXPECT(status, lse_field_encoder_begin(&encoder, &message, scratch, sizeof scratch));                         \
        EXPECT(LSE_OK, lse_field_encoder_position(&encoder, &position));                                              \
        CHECK(position == 0);                                                                                         \
    } while (0)
    REFUSED(LSE_ARGUMENT, message.kind = 0);
    REFUSED(LSE_ARGUMENT, message.kind = 6);
    REFUSED(LSE_ARGUMENT, message.form = 0);
    REFUSED(LSE_ARGUMENT, message.form = 4);
    REFUSED(LSE_ARGUMENT, message.precision = 16);
    REFUSED(LSE_ARGUMENT, message.dimensions = 0);
    REFUSED(LSE_ARGUMENT, message.dimensions = 9);
    REFUSED(LSE_ARGUMENT, message.dimensions = UINT32_MAX);
    REFUSED(LSE_ARGUMENT, message.extents[2] = 0);
    REFUSED(LSE_ARGUMENT, message.gauge = bytes_of("su3"));
    REFUSED(LSE_ARGUMENT, message.gauge.length = 0);
    REFUSED(LSE_ARGUMENT, message.reserved = 1);
    REFUSED(LSE_ARGUMENT, message.data.reserved = 1);
    REFUSED(LSE_ARGUMENT, message.payload = bytes_of("not for a field"));
    REFUSED(LSE_ARGUMENT, message.lfn = bytes_of("\xff\xfe"));
    REFUSED(LSE_ARGUMENT, message.region = LSE_REGION_GLOBAL);
    REFUSED(LSE_NULL, message.gauge.data = NULL);
    REFUSED(LSE_ARGUMENT, message.text.data = scratch; message.text.length = SIZE_MAX);
    REFUSED(LSE_OVERLAP, message.text.data = scratch; message.text.length = 1);
    REFUSED(LSE_MISUSE, message.text = bytes_of("no place for it"));
    REFUSED(LSE_MISUSE, message.date = 1);
    REFUSED(LSE_MISUSE, message.dimensions = 3);
    REFUSED(LSE_MISUSE, message.update = bytes_of("no digits"));
    REFUSED(LSE_MISUSE, message.lfn = bytes_of("two words"));
    REFUSED(LSE_MISUSE, message.form = LSE_FORM_BOTH);
    REFUSED(LSE_ARGUMENT, message.kind = LSE_MESSAGE_FOREIGN);
    (void)memset(&good, 0, sizeof good);
    good.kind = LSE_MESSAGE_DATA;
    good.dimensions = 2;
    good.extents[0] = good.extents[1] = 4;
    good.data.datatype = bytes_of("QDP_F_Real");
    good.data.precision = (uint32_t)'F';
    good.data.typesize = 4;
    good.data.datacount = 1;
    REFUSED(LSE_MISUSE, (void)message);
    REFUSED(LSE_ARGUMENT, message.data.precision = 0);
    REFUSED(LSE_ARGUMENT, message.data.precision = 0x144u);
    (void)memset(long_name, 'x', sizeof long_name - 1);
    REFUSED(LSE_ARGUMENT, message.data.datatype = bytes_of(long_name));
    REFUSED(LSE_ARGUMENT, message.region = 3);
    REFUSED(LSE_ARGUMENT, message.region = LSE_REGION_HYPERCUBE; message.upper[0] = 4);
    REFUSED(LSE_ARGUMENT, message.region = LSE_REGION_HYPERCUBE; message.lower[0] = 2; message.upper[0] = 1);
    REFUSED(LSE_MISUSE, message.data.typesize = 5);
    REFUSED(LSE_MISUSE, message.data.datacount = 0);
    (void)memset(&good, 0, sizeof good);
    good.kind = LSE_MESSAGE_FILE;
    good.dimensions = 4;
    good.extents[0] = good.extents[1] = good.extents[2] = good.extents[3] = 2;
    good.text = bytes_of("title");
    REFUSED(LSE_ARGUMENT, message.gauge = bytes_of("su3gauge"));
    REFUSED(LSE_MISUSE, message.text.data = (const uint8_t *)"\0"; message.text.length = 1);
    /* Memory. */
    EXPECT(LSE_NULL, lse_field_encoder_begin(&encoder, NULL, scratch, sizeof scratch));
    EXPECT(LSE_NULL, lse_field_encoder_begin(&encoder, &good, NULL, sizeof scratch));
    EXPECT(LSE_TOO_SMALL, lse_field_encoder_begin(&encoder, &good, scratch, 20));
    EXPECT(LSE_TOO_SMALL, lse_field_encoder_begin(&encoder, &good, NULL, 0));
    EXPECT(LSE_OVERLAP, lse_field_encoder_begin(&encoder, &good, (uint8_t *)&encoder, 512));
    EXPECT(LSE_OVERLAP, lse_field_encoder_begin(&encoder, &good, (uint8_t *)&good, sizeof good));
    EXPECT(LSE_OVERLAP,
           lse_field_encoder_begin(&encoder, (const lse_message *)(void *)&encoder, scratch, sizeof scratch));
    /* Nothing was begun. */
    EXPECT(LSE_OK, lse_field_encoder_next(&encoder, &good, scratch, sizeof scratch, &want));
    CHECK(want.tag == LSE_WANT_NOTHING && want.offset == 0);
    EXPECT(LSE_OK, lse_field_encoder_begin(&encoder, &good, scratch, sizeof scratch));
    EXPECT(LSE_NULL, lse_field_encoder_next(&encoder, &good, scratch, sizeof scratch, NULL));
    EXPECT(LSE_NULL, lse_field_encoder_next(&encoder, NULL, scratch, sizeof scratch, &want));
    EXPECT(LSE_OVERLAP, lse_field_encoder_next(&encoder, &good, scratch, sizeof scratch, (lse_want *)(void *)&good));
    EXPECT(LSE_OVERLAP, lse_field_encoder_next(&encoder, &good, (uint8_t *)&want, sizeof want, &want));
    EXPECT(LSE_TOO_SMALL, lse_field_encoder_next(&encoder, &good, scratch, 20, &want));
    /* The message has changed. */
    message = good;
    message.text = bytes_of("another title");
    EXPECT(LSE_MISUSE, lse_field_encoder_next(&encoder, &message, scratch, sizeof scratch, &want));
    EXPECT(LSE_OK, lse_field_encoder_error(&encoder, &error));
    CHECK(error.kind == LSE_KIND_FIELD_ENCODE_MESSAGE_OTHER);
    EXPECT(LSE_OK, lse_field_encoder_next(&encoder, &good, scratch, sizeof scratch, &want));
    CHECK(want.tag == LSE_WANT_BYTES && want.bytes.length == 144);
    EXPECT(LSE_MISUSE, lse_field_encoder_skip(&encoder, 0));
}

/* A signal interrupts a call and uses the same object: busy, until it hits a moment between two calls. */
static lse_field_decoder shared;
static volatile sig_atomic_t busy = 0;
static volatile sig_atomic_t others = 0;

static void on_signal(int number) {
    uint64_t position;
    lse_status status = lse_field_decoder_position(&shared, &position);
    (void)number;
    if (status == LSE_BUSY) {
        busy = busy + 1;
    } else if (status != LSE_OK) {
        others = others + 1;
    }
}

static void interrupts(const char *root) {
    struct sigaction action;
    struct itimerval timer;
    size_t length;
    uint8_t *bytes = file_bytes(root, "examples/su3-4x4x4x8.lime", &length);
    int round;
    (void)memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    (void)memset(&timer, 0, sizeof timer);
    timer.it_value.tv_usec = timer.it_interval.tv_usec = 500;
    EXPECT(LSE_OK, lse_field_decoder_init(&shared, sizeof shared, LSE_STRICT));
    CHECK(sigaction(SIGALRM, &action, NULL) == 0 && setitimer(ITIMER_REAL, &timer, NULL) == 0);
    for (round = 0; round < 20000 && busy == 0; round++) {
        size_t used = 0;
        lse_field_event event;
        EXPECT(LSE_OK, lse_field_decoder_init(&shared, sizeof shared, LSE_STRICT));
        do {
            EXPECT(LSE_OK, lse_field_decoder_push(&shared, bytes + used, length - used, &event));
            used += event.consumed;
        } while (event.tag != LSE_EVENT_NONE && failures == 0);
        CHECK(used == length);
    }
    (void)memset(&timer, 0, sizeof timer);
    (void)setitimer(ITIMER_REAL, &timer, NULL);
    CHECK(busy > 0 && others == 0);
    free(bytes);
}

/* -------------------------------------------------------------------------------------------- random calls, states */

static uint32_t seed = 27;

static uint32_t next_random(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

/* CRC-32 as in saved states. */
static uint32_t crc32_of(const uint8_t *bytes, size_t length) {
    uint32_t crc = 0xffffffffu;
    size_t i;
    int bit;
    for (i = 0; i < length; i++) {
        crc ^= bytes[i];
        for (bit = 0; bit < 8; bit++) { crc = (crc >> 1) ^ ((crc & 1u) * 0xedb88320u); }
    }
    return ~crc;
}

/* A saved state with some bytes changed, and the right checksum. */
static void forge(uint8_t *saved, size_t length) {
    uint32_t crc;
    uint32_t n = 1 + next_random(3);
    while (n-- > 0) { saved[2 + next_random((uint32_t)length - 6)] ^= (uint8_t)(1u << next_random(8)); }
    crc = crc32_of(saved, length - 4);
    saved[length - 4] = (uint8_t)(crc >> 24);
    saved[length - 3] = (uint8_t)(crc >> 16);
    saved[length - 2] = (uint8_t)(crc >> 8);
    saved[length - 1] = (uint8_t)crc;
}

static void check_status(lse_status status) { CHECK(status <= LSE_INCONSISTENT); }

static unsigned forgeries = 0;

/* Random calls of a field decoder, on a real file whose bytes are changed here and there. */
static void random_decoder(const uint8_t *bytes, size_t length) {
    lse_field_decoder *decoder = memory(sizeof *decoder);
    uint8_t *saved = memory(LSE_FIELD_DECODER_SAVED);
    size_t at = 0;
    int calls = 0;
    lse_field_event event;
    lse_demand demand;
    check_status(lse_field_decoder_init(decoder, sizeof *decoder, 1 + next_random(3)));
    for (calls = 0; calls < 400; calls++) {
        size_t n = length - at < 3000 ? next_random((uint32_t)(length - at) + 1) : next_random(3000);
        uint8_t *chunk = memory(n);
        (void)memcpy(chunk, bytes + at, n);
        if (n > 0 && next_random(40) == 0) { chunk[next_random((uint32_t)n)] ^= (uint8_t)(1u << next_random(8)); }
        switch (next_random(12)) {
        case 0: check_status(lse_field_decoder_finish(decoder, &event)); break;
        case 1: check_status(lse_field_decoder_skip(decoder, next_random(100))); break;
        case 2:
            check_status(lse_field_decoder_demand(decoder, &demand));
            if (demand.tag == LSE_DEMAND_SKIP) { check_status(lse_field_decoder_skip(decoder, demand.count)); }
            break;
        case 3:
            if (lse_field_decoder_save(decoder, saved, LSE_FIELD_DECODER_SAVED) == LSE_OK) {
                lse_status status;
                forge(saved, LSE_FIELD_DECODER_SAVED);
                status = lse_field_decoder_load(decoder, sizeof *decoder, saved, LSE_FIELD_DECODER_SAVED);
                CHECK(status == LSE_OK || status == LSE_INCONSISTENT);
                forgeries++;
            }
            break;
        case 4:
            if (next_random(20) == 0) { check_status(lse_field_decoder_close(decoder)); }
            break;
        case 5:
            if (next_random(10) == 0) {
                check_status(lse_field_decoder_init(decoder, sizeof *decoder, next_random(5)));
                at = 0;
            }
            break;
        default:
            event.consumed = 0;
            check_status(lse_field_decoder_push(decoder, chunk, n, &event));
            CHECK(event.consumed <= n);
            at += event.consumed;
            if (at > length) { at = 0; }
            break;
        }
        free(chunk);
    }
    free(saved);
    free(decoder);
}

/* Random calls of the encoders. */
static void random_encoders(void) {
    lse_lime_encoder *lime = memory(sizeof *lime);
    lse_scda_encoder *scda = memory(sizeof *scda);
    lse_field_encoder *field = memory(sizeof *field);
    uint8_t *scratch = memory(LSE_SCRATCH_SIZE);
    uint8_t *saved = memory(LSE_FIELD_ENCODER_SAVED);
    uint8_t *data = memory(4096);
    lse_message message;
    lse_want want;
    lse_bytes out;
    int calls;
    (void)memset(&message, 0, sizeof message);
    check_status(lse_lime_encoder_init(lime, sizeof *lime));
    check_status(lse_scda_encoder_init(scda, sizeof *scda, LSE_UNIX));
    check_status(lse_field_encoder_init(field, sizeof *field));
    for (calls = 0; calls < 600; calls++) {
        uint32_t n = next_random(300);
        switch (next_random(20)) {
        case 0: check_status(lse_lime_encoder_begin(lime, bytes_of("type"), n, next_random(5), &out)); break;
        case 1: check_status(lse_lime_encoder_push(lime, data, n)); break;
        case 2: check_status(lse_lime_encoder_skip(lime, n)); break;
        case 3: check_status(lse_lime_encoder_end(lime, &out)); break;
        case 4:
            if (lse_lime_encoder_save(lime, saved, LSE_LIME_ENCODER_SAVED) == LSE_OK) {
                forge(saved, LSE_LIME_ENCODER_SAVED);
                check_status(lse_lime_encoder_load(lime, sizeof *lime, saved, LSE_LIME_ENCODER_SAVED));
            }
            break;
        case 5: check_status(lse_scda_encoder_header(scda, bytes_of("v"), bytes_of("u"), &out)); break;
        case 6: {
            uint32_t letter = (uint32_t)"IBAVX"[next_random(5)];
            check_status(lse_scda_encoder_begin(scda, letter, bytes_of("u"), next_random(3), n, &out));
            break;
        }
        case 7: check_status(lse_scda_encoder_size(scda, n, &out)); break;
        case 8: check_status(lse_scda_encoder_push(scda, data, n)); break;
        case 9: check_status(lse_scda_encoder_end(scda, &out)); break;
        case 10:
            if (lse_scda_encoder_save(scda, saved, LSE_SCDA_ENCODER_SAVED) == LSE_OK) {
                forge(saved, LSE_SCDA_ENCODER_SAVED);
                check_status(lse_scda_encoder_load(scda, sizeof *scda, saved, LSE_SCDA_ENCODER_SAVED));
            }
            break;
        case 11:
            (void)memset(&message, 0, sizeof message);
            message.kind = 1 + next_random(5);
            message.form = message.kind == 2 ? 1 + next_random(3) : 0;
            message.precision = message.kind == 2 ? 32 : 0;
            message.gauge = message.kind == 2 ? bytes_of("su3gauge") : message.gauge;
            message.dimensions = message.kind < 4 ? 4 : 0;
            message.extents[0] = message.extents[1] = message.extents[2] = message.extents[3] = 1 + next_random(2);
            message.lfn = message.kind == 4 ? bytes_of("lfn") : message.lfn;
            message.type = message.kind == 5 ? bytes_of("type") : message.type;
            message.data.precision = (uint32_t)'F';
            message.data.typesize = 4;
            message.data.datacount = 1 + next_random(3);
            check_status(lse_field_encoder_begin(field, &message, scratch, LSE_SCRATCH_SIZE));
            break;
        case 12: check_status(lse_field_encoder_push(field, data, next_random(4096))); break;
        case 13: check_status(lse_field_encoder_skip(field, next_random(20))); break;
        case 14:
            if (lse_field_encoder_save(field, saved, LSE_FIELD_ENCODER_SAVED) == LSE_OK) {
                forge(saved, LSE_FIELD_ENCODER_SAVED);
                check_status(lse_field_encoder_load(field, sizeof *field, saved, LSE_FIELD_ENCODER_SAVED));
            }
            break;
        default:
            check_status(lse_field_encoder_next(field, &message, scratch, LSE_SCRATCH_SIZE, &want));
            break;
        }
    }
    free(lime);
    free(scda);
    free(field);
    free(scratch);
    free(saved);
    free(data);
}

int main(int argc, char **argv) {
    size_t length;
    uint8_t *bytes;
    int rounds = argc > 3 ? 10 : 300;
    if (argc < 3) { return 2; }
    misuse_lime();
    misuse_field();
    misuse_scda();
    misuse_inebin();
    misuse_of_lime_encoder();
    misuse_of_field_encoder();
    misuse_of_scda_encoder();
    misuse_of_headers();
    misuse_of_messages();
    interrupts(argv[2]);
    bytes = file_bytes(argv[2], "examples/su3-4x4x4x8.lime", &length);
    while (rounds-- > 0 && failures == 0) {
        random_decoder(bytes, length);
        random_encoders();
    }
    CHECK(forgeries > 50);
    free(bytes);
    return failures == 0 ? 0 : 1;
}
