/* Every fixture, read by the C library, has the outcome that the codec itself has: events, payload, findings, errors
 * and offsets. The codec's outcomes are in the file outcomes.txt of the scratch directory (argument 1), which
 * `embedded-check outcomes` has written; argument 2 is the root of the repository. Each file is read whole, in
 * chunks of 7 bytes and of 1 byte, and once more with the state saved and loaded into other memory after events. */
#include "linkstream_embedded.h"

#include <inttypes.h>
#include <stdarg.h>

#include "check.h"

/* The lines that are written about a file. */
static char *lines = NULL;
static size_t lines_used = 0;
static size_t lines_room = 0;

static void add(const char *format, ...) {
    va_list arguments;
    int length;
    if (lines_room - lines_used < 8192) {
        lines_room = lines_room * 2 + 16384;
        lines = realloc(lines, lines_room);
        if (lines == NULL) { exit(2); }
    }
    va_start(arguments, format);
    length = vsnprintf(lines + lines_used, lines_room - lines_used, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= lines_room - lines_used) { exit(2); }
    lines_used += (size_t)length;
}

static void add_hex(lse_bytes bytes) {
    size_t i;
    add("x");
    for (i = 0; i < bytes.length; i++) { add("%02x", bytes.data[i]); }
}

static void add_list(const uint32_t values[8]) {
    int i;
    for (i = 0; i < 8; i++) { add(i == 0 ? "%" PRIu32 : ",%" PRIu32, values[i]); }
}

/* Payload that arrives in pieces is written as one line. */
static struct {
    const char *name;
    uint64_t position;
    uint64_t length;
    uint32_t hash;
} run;

static void flush_run(void) {
    if (run.length > 0) {
        add("%s %" PRIu64 " %" PRIu64 " %08" PRIx32 "\n", run.name, run.position, run.length, run.hash);
    }
    run.length = 0;
}

static void payload(const char *name, uint64_t position, lse_bytes bytes) {
    size_t i;
    if (run.length == 0) {
        run.name = name;
        run.position = position;
        run.hash = 0x811c9dc5u;
    }
    CHECK(position == run.position + run.length);
    CHECK(bytes.length > 0);
    for (i = 0; i < bytes.length; i++) { run.hash = (run.hash ^ bytes.data[i]) * 0x01000193u; }
    run.length += bytes.length;
}

static void record(const lse_record *record) {
    add("record %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu32 " %" PRIu32 " ", record->offset,
        record->length, record->message, record->number, record->begin, record->end);
    add_hex(record->type);
    add("\n");
}

/* Writes an error and its description. */
static void error_line(const char *word, const lse_error *error, const lse_description *words) {
    add("%s%08" PRIx32 " %" PRIu32 " %" PRIu32 " %" PRIu64 " [%.*s] [%.*s]", word, error->kind, error->severity,
        error->error_class, error->offset, (int)words->rule.length, words->rule.data, (int)words->clause.length,
        words->clause.data);
    CHECK(error->reserved == 0);
    if (words->text.length <= 10) {
        (void)fprintf(stderr, "%.*s has no text\n", (int)words->rule.length, words->rule.data);
        failures++;
    }
}

/* An object of any of the four decoders, and its event. */
typedef union {
    lse_lime_event lime;
    lse_field_event field;
    lse_scda_event scda;
    lse_inebin_event inebin;
} any_event;

typedef struct {
    const char *name;
    size_t size;
    size_t saved;
    lse_status (*init)(void *, size_t, uint32_t);
    lse_status (*push)(void *, const uint8_t *, size_t, any_event *);
    lse_status (*skip)(void *, uint64_t);
    lse_status (*finish)(void *, any_event *);
    lse_status (*demand)(const void *, lse_demand *);
    lse_status (*position)(const void *, uint64_t *);
    lse_status (*error)(const void *, lse_error *);
    lse_status (*describe)(const void *, lse_description *);
    lse_status (*save)(const void *, uint8_t *, size_t);
    lse_status (*load)(void *, size_t, const uint8_t *, size_t);
    lse_status (*close)(void *);
    /* Writes an event; returns the finding, if it is one. */
    const lse_error *(*event)(const any_event *);
    /* True if the event is payload. */
    int (*is_payload)(const any_event *);
} format;

/* Functions of one type for all decoders. */
#define DECODER(NAME, UPPER)                                                                                          \
    static lse_status NAME##_init(void *d, size_t n, uint32_t m) { return lse_##NAME##_decoder_init(d, n, m); }       \
    static lse_status NAME##_push(void *d, const uint8_t *b, size_t n, any_event *e) {                                \
        return lse_##NAME##_decoder_push(d, b, n, &e->NAME);                                                          \
    }                                                                                                                 \
    static lse_status NAME##_skip(void *d, uint64_t n) { return lse_##NAME##_decoder_skip(d, n); }                    \
    static lse_status NAME##_finish(void *d, any_event *e) { return lse_##NAME##_decoder_finish(d, &e->NAME); }       \
    static lse_status NAME##_demand(const void *d, lse_demand *o) { return lse_##NAME##_decoder_demand(d, o); }       \
    static lse_status NAME##_position(const void *d, uint64_t *o) { return lse_##NAME##_decoder_position(d, o); }     \
    static lse_status NAME##_error(const void *d, lse_error *o) { return lse_##NAME##_decoder_error(d, o); }          \
    static lse_status NAME##_describe(const void *d, lse_description *o) {                                          \
        return lse_##NAME##_decoder_describe(d, o);                                                                  \
    }                                                                                                                 \
    static lse_status NAME##_save(const void *d, uint8_t *b, size_t n) { return lse_##NAME##_decoder_save(d, b, n); } \
    static lse_status NAME##_load(void *d, size_t s, const uint8_t *b, size_t n) {                                    \
        return lse_##NAME##_decoder_load(d, s, b, n);                                                                 \
    }                                                                                                                 \
    static lse_status NAME##_close(void *d) { return lse_##NAME##_decoder_close(d); }                                 \
    static const format NAME##_format = {#NAME,        sizeof(lse_##NAME##_decoder), LSE_##UPPER##_DECODER_SAVED,     \
                                         NAME##_init,  NAME##_push,     NAME##_skip,  NAME##_finish, NAME##_demand,   \
                                         NAME##_position, NAME##_error, NAME##_describe, NAME##_save, NAME##_load,    \
                                         NAME##_close, NAME##_event,    NAME##_is_payload}

static int lime_is_payload(const any_event *any) { return any->lime.tag == LSE_LIME_PAYLOAD; }

static const lse_error *lime_event(const any_event *any) {
    const lse_lime_event *event = &any->lime;
    switch (event->tag) {
    case LSE_LIME_RECORD: record(&event->as.record); break;
    case LSE_LIME_PAYLOAD: payload("payload", event->position, event->bytes); break;
    case LSE_LIME_END: add("end\n"); break;
    case LSE_LIME_FINDING: return &event->as.finding;
    default: add("tag %" PRIu32 "\n", event->tag); break;
    }
    return NULL;
}

static int field_is_payload(const any_event *any) {
    return any->field.tag == LSE_FIELD_PAYLOAD || any->field.tag == LSE_FIELD_DATA;
}

static const lse_error *field_event(const any_event *any) {
    const lse_field_event *event = &any->field;
    const lse_layout *layout = &event->as.layout;
    const lse_verdict *verdict = &event->as.verdict;
    switch (event->tag) {
    case LSE_FIELD_RECORD: record(&event->as.record); break;
    case LSE_FIELD_PAYLOAD: payload("payload", event->position, event->bytes); break;
    case LSE_FIELD_FIELD:
        add("field %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " ",
            layout->length, layout->sites, layout->bytes_per_site, layout->source, layout->precision,
            layout->dimensions, layout->region);
        add_list(layout->extents);
        add(" ");
        add_list(layout->lower);
        add(" ");
        add_list(layout->upper);
        add(" %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", layout->links.links, layout->links.rows,
            layout->links.columns, layout->links.parts, layout->links.absent_is_ones);
        CHECK(layout->links.reserved == 0);
        break;
    case LSE_FIELD_DATA: payload("data", event->position, event->bytes); break;
    case LSE_FIELD_FIELD_END:
        add("field-end %" PRIu32 " %08" PRIx32 " %08" PRIx32 "\n", event->as.field_end.known,
            event->as.field_end.computed.suma, event->as.field_end.computed.sumb);
        break;
    case LSE_FIELD_END: add("end\n"); break;
    case LSE_FIELD_VERDICT:
        add("verdict %" PRIu32 " %08" PRIx32 " %08" PRIx32 " %08" PRIx32 " %08" PRIx32 "\n", verdict->result,
            verdict->stored.suma, verdict->stored.sumb, verdict->computed.suma, verdict->computed.sumb);
        break;
    case LSE_FIELD_FINDING: return &event->as.finding;
    default: add("tag %" PRIu32 "\n", event->tag); break;
    }
    return NULL;
}

static int scda_is_payload(const any_event *any) { return any->scda.tag == LSE_SCDA_DATA; }

static const lse_error *scda_event(const any_event *any) {
    const lse_scda_event *event = &any->scda;
    const lse_section *section = &event->as.section;
    switch (event->tag) {
    case LSE_SCDA_SECTION:
        add("section %" PRIu64 " %" PRIu32 " %" PRIu64 ":%" PRIu64 " %" PRIu64 ":%" PRIu64 " ", section->offset,
            section->letter, section->n.high, section->n.low, section->e.high, section->e.low);
        add_hex(section->user);
        add(" ");
        add_hex(section->vendor);
        add("\n");
        break;
    case LSE_SCDA_SIZE: add("size %" PRIu64 "\n", event->as.size); break;
    case LSE_SCDA_DATA: payload("data", event->position, event->bytes); break;
    case LSE_SCDA_END: add("end\n"); break;
    case LSE_SCDA_FINDING: return &event->as.finding;
    default: add("tag %" PRIu32 "\n", event->tag); break;
    }
    return NULL;
}

static int inebin_is_payload(const any_event *any) { return any->inebin.tag == LSE_INEBIN_DATA; }

static const lse_error *inebin_event(const any_event *any) {
    const lse_inebin_event *event = &any->inebin;
    const lse_matrix *matrix = &event->as.matrix;
    switch (event->tag) {
    case LSE_INEBIN_HEADER:
        add("matrix %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu64 " %" PRIu64 "\n", matrix->letter,
            matrix->rows, matrix->columns, matrix->unused_bits, matrix->entries, matrix->length);
        break;
    case LSE_INEBIN_DATA: payload("data", event->position, event->bytes); break;
    case LSE_INEBIN_END: add("end\n"); break;
    case LSE_INEBIN_FINDING: return &event->as.finding;
    default: add("tag %" PRIu32 "\n", event->tag); break;
    }
    return NULL;
}

DECODER(lime, LIME);
DECODER(field, FIELD);
DECODER(scda, SCDA);
DECODER(inebin, INEBIN);

static const format *const formats[] = {&lime_format, &field_format, &scda_format, &inebin_format};

/* Saves the state and loads it into other memory, twice, so that the decoder continues where it was or elsewhere. */
static void *elsewhere(const format *format, void *decoder) {
    uint8_t *bytes = memory(format->saved);
    void *other = memory(format->size);
    EXPECT(LSE_OK, format->save(decoder, bytes, format->saved));
    EXPECT(LSE_OK, format->close(decoder));
    free(decoder);
    EXPECT(LSE_OK, format->load(other, format->size, bytes, format->saved));
    free(bytes);
    return other;
}

/* Reports an event. Returns 0 if there was none. */
static int report(const format *format, void *decoder, const any_event *event) {
    const lse_error *finding;
    if (event->lime.tag == LSE_EVENT_NONE) { return 0; }
    CHECK(event->lime.reserved == 0);
    if (!format->is_payload(event)) {
        flush_run();
        CHECK(event->lime.bytes.length == 0);
    }
    finding = format->event(event);
    if (finding != NULL) {
        lse_error last;
        lse_description words;
        EXPECT(LSE_OK, format->error(decoder, &last));
        EXPECT(LSE_OK, format->describe(decoder, &words));
        CHECK(memcmp(&last, finding, sizeof last) == 0);
        error_line("finding ", finding, &words);
        add("\n");
    }
    return 1;
}

/* Reads a file and writes the lines about it. */
static void read_file(const format *format, uint32_t mode, int skipping, const uint8_t *bytes, size_t length,
                      size_t chunk_size, int saving) {
    void *decoder = memory(format->size);
    size_t done = 0;
    unsigned events = 0;
    uint64_t position = 0;
    lse_status status = LSE_OK;
    any_event event;
    lines_used = 0;
    run.length = 0;
    EXPECT(LSE_OK, format->init(decoder, format->size, mode));
    while (status == LSE_OK) {
        size_t n = length - done < chunk_size ? length - done : chunk_size;
        /* Exactly this chunk, so that no byte after it can be read. */
        uint8_t *chunk = memory(n);
        size_t used = 0;
        (void)memcpy(chunk, bytes + done, n);
        for (;;) {
            lse_demand demand;
            if (skipping) {
                EXPECT(LSE_OK, format->demand(decoder, &demand));
                if (demand.tag == LSE_DEMAND_SKIP && demand.count <= length - done - used) {
                    EXPECT(LSE_OK, format->skip(decoder, demand.count));
                    if (demand.count > n - used) {
                        /* The next chunk begins after the payload. */
                        done += used + (size_t)demand.count - n;
                        used = n;
                    } else {
                        used += (size_t)demand.count;
                    }
                }
            }
            (void)memset(&event, 0xa5, sizeof event);
            status = format->push(decoder, used < n ? chunk + used : NULL, n - used, &event);
            CHECK(event.lime.consumed <= n - used);
            EXPECT(LSE_OK, format->position(decoder, &position));
            CHECK(position == event.lime.offset + event.lime.consumed);
            if (status != LSE_OK) {
                CHECK(event.lime.tag == LSE_EVENT_NONE);
                break;
            }
            if (format->is_payload(&event)) {
                CHECK(event.lime.bytes.data == chunk + used && event.lime.bytes.length == event.lime.consumed);
            }
            used += event.lime.consumed;
            if (!report(format, decoder, &event)) {
                CHECK(used == n);
                break;
            }
            events++;
            if (saving && (!format->is_payload(&event) || events % 61 == 0)) { decoder = elsewhere(format, decoder); }
        }
        free(chunk);
        done += n;
        if (n == 0 || done >= length) { break; }
    }
    flush_run();
    while (status == LSE_OK) {
        status = format->finish(decoder, &event);
        if (status != LSE_OK || !report(format, decoder, &event)) { break; }
        if (saving) { decoder = elsewhere(format, decoder); }
    }
    flush_run();
    EXPECT(LSE_OK, format->position(decoder, &position));
    if (status == LSE_OK) {
        add("done %" PRIu64 "\n", position);
        /* The end is final. */
        EXPECT(LSE_ENDED, format->finish(decoder, &event));
        EXPECT(LSE_ENDED, format->push(decoder, bytes, length > 0 ? 1 : 0, &event));
    } else {
        lse_error error;
        lse_error again;
        lse_description words;
        CHECK(status == LSE_REFUSED);
        EXPECT(LSE_OK, format->error(decoder, &error));
        EXPECT(LSE_OK, format->describe(decoder, &words));
        error_line("error ", &error, &words);
        add(" at %" PRIu64 "\n", position);
        /* So is an error: every call returns it again, and the state cannot be saved. */
        {
            uint8_t *saved = memory(format->saved);
            EXPECT(LSE_REFUSED, format->push(decoder, bytes, length, &event));
            EXPECT(LSE_REFUSED, format->finish(decoder, &event));
            EXPECT(LSE_REFUSED, format->skip(decoder, 0));
            EXPECT(LSE_REFUSED, format->save(decoder, saved, format->saved));
            free(saved);
        }
        EXPECT(LSE_OK, format->error(decoder, &again));
        CHECK(memcmp(&again, &error, sizeof again) == 0);
    }
    EXPECT(LSE_OK, format->close(decoder));
    free(decoder);
}

/* Compares the lines with the expected ones. */
static void compare(const char *name, const char *variant, const char *expected, size_t length) {
    if (lines_used != length || memcmp(lines, expected, length) != 0) {
        size_t at = 0;
        while (at < length && at < lines_used && lines[at] == expected[at]) { at++; }
        while (at > 0 && expected[at - 1] != '\n') { at--; }
        (void)fprintf(stderr, "%s, %s:\nexpected %.*s\nfound    %.*s\n", name, variant,
                      (int)strcspn(expected + at, "\n"), expected + at,
                      (int)(lines_used > at ? strcspn(lines + at, "\n") : 0), lines + at);
        failures++;
    }
}

int main(int argc, char **argv) {
    size_t length;
    size_t limit = (size_t)-1;
    unsigned cases = 0;
    char *text;
    char *at;
    char name[1024] = "";
    uint8_t *bytes = NULL;
    size_t bytes_length = 0;
    if (argc < 3) { return 2; }
    /* Under valgrind and with sanitizers, only smaller files, one mode and two of the four ways. */
    if (argc > 3) { limit = (size_t)strtoul(argv[3], NULL, 10); }
    text = (char *)file_bytes(argv[1], "outcomes.txt", &length);
    text = realloc(text, length + 1);
    if (text == NULL) { return 2; }
    text[length] = '\0';
    add("%s", "");
    for (at = text; *at != '\0';) {
        char format_name[16];
        char place[1024];
        unsigned mode;
        int skipping;
        unsigned long size;
        char *stop = strstr(at, "\nstop\n");
        char *expected = strchr(at, '\n');
        const format *format = NULL;
        size_t i;
        /* Each line is ended, because sscanf determines the length of all of its text. */
        if (expected != NULL) { *expected = '\0'; }
        if (expected == NULL || stop == NULL ||
            sscanf(at, "case %15s %u %d %lu %1023[^\n]", format_name, &mode, &skipping, &size, place) != 5) {
            (void)fprintf(stderr, "outcomes.txt is not as expected at %.60s\n", at);
            return 2;
        }
        expected++;
        at = stop + 6;
        if (size > limit || (limit != (size_t)-1 && mode != LSE_LENIENT)) { continue; }
        for (i = 0; i < sizeof formats / sizeof *formats; i++) {
            if (strcmp(format_name, formats[i]->name) == 0) { format = formats[i]; }
        }
        if (format == NULL) { return 2; }
        if (strcmp(place, name) != 0) {
            free(bytes);
            bytes = file_bytes(argv[2], place, &bytes_length);
            (void)strcpy(name, place);
        }
        CHECK(bytes_length == size);
        length = (size_t)(stop + 1 - expected);
        if (limit == (size_t)-1) {
            read_file(format, mode, skipping, bytes, bytes_length, (size_t)-1, 0);
            compare(place, "whole", expected, length);
            read_file(format, mode, skipping, bytes, bytes_length, 1, 0);
            compare(place, "single bytes", expected, length);
        }
        read_file(format, mode, skipping, bytes, bytes_length, 7, 0);
        compare(place, "chunks of 7 bytes", expected, length);
        read_file(format, mode, skipping, bytes, bytes_length, 100, 1);
        compare(place, "saved and loaded", expected, length);
        cases++;
        if (failures > 20) { return 1; }
    }
    free(bytes);
    free(text);
    free(lines);
    CHECK(cases > 500);
    (void)printf("%u outcomes, each in %d ways\n", cases, limit == (size_t)-1 ? 4 : 2);
    return failures == 0 ? 0 : 1;
}
