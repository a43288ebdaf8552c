/* The codec for controllers: reads and writes LIME, SciDAC/ILDG, scda and INEBIN files piece by piece.
 *
 * No call allocates memory, blocks, prints, recurses, or jumps. All state is in objects that the caller provides:
 * static variables, for example. Payload is never copied: an event describes bytes of the caller's own buffer.
 *
 * READING. Initialise a decoder, and push each block of bytes as it arrives. A push consumes bytes from the front of
 * the block and reports at most one event; push the rest of the block again until the event is LSE_EVENT_NONE:
 *
 *     while (lse_field_decoder_push(&decoder, rest, left, &event) == LSE_OK) {
 *         rest += event.consumed;
 *         left -= event.consumed;
 *         if (event.tag == LSE_EVENT_NONE) { break; }   // all of the block is consumed: wait for the next one
 *         ...
 *     }
 *
 * At the end of the input, call finish until its event is LSE_EVENT_NONE. Only then is the file known to be
 * complete: a truncated file is LSE_REFUSED there. Data are verified only if an event LSE_FIELD_VERDICT says
 * LSE_VERDICT_MATCH.
 *
 * WRITING. Each call of an encoder returns the bytes that the caller has to write next, and the caller passes the
 * payload that it writes to push, which counts it and adds it to checksums. A refused call changes nothing.
 *
 * STATUS. Every function returns a status, which must be checked. Anything but LSE_OK means that the call has had no
 * effect, with one exception: after LSE_REFUSED, the file cannot be read on, and every later call returns the same
 * error.
 *
 * OBJECTS. An object is valid between its init or load and its close. It has a mark that depends on its address: an
 * object that was not initialised, or that was copied to another place, is LSE_UNINITIALISED. A mark cannot reveal
 * everything: a part of an object that was overwritten is not detected. To copy an object, use save and load.
 *
 * INTERRUPTS. Two objects are independent of each other. A call with an object that is used at that moment, by the
 * code that an interrupt has interrupted, is LSE_BUSY and changes nothing. There are no locks: an object must not be
 * used by two processors, or by two threads of an operating system, at the same time.
 *
 * BYTES that a call returns (lse_bytes) belong to the object, or to memory that the caller has passed. They are
 * valid until the next call with this object, and as long as the caller's memory is. */
#ifndef LINKSTREAM_EMBEDDED_H
#define LINKSTREAM_EMBEDDED_H

#include <stddef.h>
#include <stdint.h>

#include "linkstream_embedded_kinds.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Refuses to compile if the condition is false. C99 has no _Static_assert. */
#define LSE_ASSERT(name, condition) typedef char lse_assert_##name[(condition) ? 1 : -1]

#if UINTPTR_MAX == 0xffffffffu
#define LSE_BY_POINTER(bits32, bits64) (bits32)
#elif UINTPTR_MAX == 0xffffffffffffffffu
#define LSE_BY_POINTER(bits32, bits64) (bits64)
#else
#error "pointers must have 32 or 64 bits"
#endif

/* ---------------------------------------------------------------------------------------------------------- status */

/* Result of a call: one of the numbers below. Not an enum, whose width depends on the compiler's options. */
typedef uint32_t lse_status;

#define LSE_OK 0u
#define LSE_REFUSED 1u       /* The file breaks a rule that the mode refuses; final. Details: the function `error` */
#define LSE_MISUSE 2u        /* The call is not allowed now, or with these values. Details: the function `error` */
#define LSE_ENDED 3u         /* The object is finished: nothing can follow */
#define LSE_NULL 4u          /* A pointer that must not be NULL is NULL */
#define LSE_MISALIGNED 5u    /* The address of an object or a structure is not a multiple of its alignment */
#define LSE_TOO_SMALL 6u     /* The memory is too small for the object, the saved state, or the documents */
#define LSE_UNINITIALISED 7u /* The memory does not hold an object of this type, or the object was moved */
#define LSE_BUSY 8u          /* The object is in use by the interrupted code */
#define LSE_OVERLAP 9u       /* Memory that must be separate overlaps: object, input, result, scratch */
#define LSE_ARGUMENT 10u     /* A number is not one of the constants that it must be, or a length is impossible */
#define LSE_DAMAGED 11u      /* load: bytes of the saved state were changed */
#define LSE_FOREIGN 12u      /* load: the saved state is of another type or another version of the library */
#define LSE_INCONSISTENT 13u /* load: the fields of the saved state contradict each other */

/* ---------------------------------------------------------------------------------------------------------- values */

/* Bytes that belong to somebody else. `data` may be NULL if `length` is 0. There is no NUL at the end. */
typedef struct {
    const uint8_t *data;
    size_t length;
} lse_bytes;

/* A text of the library: ASCII or UTF-8, valid for ever, without a NUL at the end. */
typedef struct {
    const char *data;
    size_t length;
} lse_text;

/* The broken rules that end the reading with an error. All others are reported as findings, and reading continues. */
#define LSE_STRICT 1u  /* Every broken rule, except remarks */
#define LSE_LENIENT 2u /* What makes data wrong or doubtful */
#define LSE_SURVEY 3u  /* What makes further reading impossible */

#define LSE_SEVERITY_INFO 1u    /* A remark: nothing is wrong with the data */
#define LSE_SEVERITY_WARNING 2u /* A rule is broken, but the data are unambiguous */
#define LSE_SEVERITY_ERROR 3u   /* A part of the file is wrong; the rest can be read */
#define LSE_SEVERITY_FATAL 4u   /* Nothing after this point can be read */

#define LSE_CLASS_NONE 0u
#define LSE_CLASS_MAGIC 1u
#define LSE_CLASS_VERSION 2u
#define LSE_CLASS_FORMAT 3u
#define LSE_CLASS_TRUNCATED 4u
#define LSE_CLASS_TRAILING 5u
#define LSE_CLASS_LIMIT 6u
#define LSE_CLASS_TYPE 7u
#define LSE_CLASS_FLAGS 8u
#define LSE_CLASS_PADDING 9u
#define LSE_CLASS_DECODE 10u
#define LSE_CLASS_CHECKSUM 11u
#define LSE_CLASS_RULE 12u
#define LSE_CLASS_UNSUPPORTED 13u
#define LSE_CLASS_MISUSE 14u

/* An error or a finding. */
typedef struct {
    uint32_t kind;           /* One of the constants LSE_KIND_... of linkstream_embedded_kinds.h; 0 if there is none */
    uint32_t severity;       /* LSE_SEVERITY_... */
    uint32_t error_class;    /* LSE_CLASS_... */
    uint32_t reserved;       /* 0 */
    uint64_t offset;         /* Absolute offset in bytes from the start of the file */
} lse_error;

/* The words for an error. They are linked only into programs that ask for them. */
typedef struct {
    lse_text rule;   /* Name of the broken rule, or of the misuse; empty if there is no error */
    lse_text clause; /* Document and section that have the rule; empty for misuse */
    lse_text text;   /* A sentence. Words in braces are placeholders for values */
} lse_description;

/* The next need of a decoder. */
#define LSE_DEMAND_BYTES 1u /* At least `count` bytes. 0: an event is pending, which a push of 0 bytes returns */
#define LSE_DEMAND_SKIP 2u  /* `count` bytes of payload follow, which can be pushed or skipped */
#define LSE_DEMAND_END 3u   /* The decoder takes no more input */

typedef struct {
    uint32_t tag;      /* LSE_DEMAND_... */
    uint32_t reserved; /* 0 */
    uint64_t count;
} lse_demand;

/* The beginning of every event. `bytes` are the bytes of the input that this event consumed if they are payload, and
 * `position` is then the place of the first of them in the payload, in bytes from its start. */
#define LSE_EVENT_HEAD                                                                                                \
    uint32_t tag;      /* LSE_EVENT_NONE or a constant of the format */                                               \
    uint32_t reserved; /* 0 */                                                                                        \
    uint64_t offset;   /* Absolute offset of the first byte that the step has consumed */                             \
    uint64_t position;                                                                                                \
    lse_bytes bytes;                                                                                                  \
    size_t consumed /* Number of bytes consumed from the front of the input, also if the call has failed */

/* No event: all input is consumed, and more is needed; or, of finish, everything has been reported. */
#define LSE_EVENT_NONE 0u

/* ------------------------------------------------------------------------------------------------------------ LIME */

/* A record of a LIME file. */
typedef struct {
    uint64_t offset;  /* Absolute offset of its header */
    uint64_t length;  /* Length of the payload in bytes */
    uint64_t message; /* Number of the message, from 1 */
    uint64_t number;  /* Number of the record in its message, from 1 */
    uint32_t begin;   /* 1 if the record is the first of its message, else 0 */
    uint32_t end;     /* 1 if the record is the last of its message, else 0 */
    lse_bytes type;   /* Its type; in the decoder, valid until the next call */
} lse_record;

#define LSE_LIME_RECORD 1u  /* A header is complete: as.record. The payload follows */
#define LSE_LIME_PAYLOAD 2u /* bytes, position */
#define LSE_LIME_END 3u     /* Payload and padding of the record are complete */
#define LSE_LIME_FINDING 4u /* as.finding: a broken rule that the mode does not refuse, or a remark */

typedef struct {
    LSE_EVENT_HEAD;
    union {
        lse_record record;
        lse_error finding;
    } as;
} lse_lime_event;

#define LSE_LIME_DECODER_SIZE_32 320u
#define LSE_LIME_DECODER_SIZE_64 320u
#define LSE_LIME_DECODER_SAVED 214u
#define LSE_LIME_DECODER_SIZE LSE_BY_POINTER(LSE_LIME_DECODER_SIZE_32, LSE_LIME_DECODER_SIZE_64)

typedef struct {
    uint64_t opaque[LSE_LIME_DECODER_SIZE / 8u];
} lse_lime_decoder;

/* Prepares a decoder for a file from its first byte. `size` is sizeof *decoder. `mode` is LSE_STRICT, LSE_LENIENT or
 * LSE_SURVEY. */
lse_status lse_lime_decoder_init(lse_lime_decoder *decoder, size_t size, uint32_t mode);
/* Consumes bytes from the front of `length` bytes at `bytes`, and reports an event about them. */
lse_status lse_lime_decoder_push(lse_lime_decoder *decoder, const uint8_t *bytes, size_t length, lse_lime_event *event);
/* Skips `count` bytes of payload, at most the count of LSE_DEMAND_SKIP. The caller must make sure that these bytes
 * exist, and moves its source by the same number. */
lse_status lse_lime_decoder_skip(lse_lime_decoder *decoder, uint64_t count);
/* Declares the end of the input. Call it until the event is LSE_EVENT_NONE; one more call is LSE_ENDED. */
lse_status lse_lime_decoder_finish(lse_lime_decoder *decoder, lse_lime_event *event);
/* The next need of the decoder. */
lse_status lse_lime_decoder_demand(const lse_lime_decoder *decoder, lse_demand *demand);
/* Absolute offset of the first byte that is not consumed yet. */
lse_status lse_lime_decoder_position(const lse_lime_decoder *decoder, uint64_t *position);
/* The last error or finding of this decoder; kind is 0 if there has been none. */
lse_status lse_lime_decoder_error(const lse_lime_decoder *decoder, lse_error *error);
/* The words for the same. */
lse_status lse_lime_decoder_describe(const lse_lime_decoder *decoder, lse_description *description);
/* Writes the state, LSE_LIME_DECODER_SAVED bytes, to `bytes`, which has room for `size` bytes. */
lse_status lse_lime_decoder_save(const lse_lime_decoder *decoder, uint8_t *bytes, size_t size);
/* Restores a decoder from the `length` bytes that save has written: here or on another machine, of any width. `size` is
 * sizeof *decoder. The decoder need not be initialised. A refused state changes nothing. */
lse_status lse_lime_decoder_load(lse_lime_decoder *decoder, size_t size, const uint8_t *bytes, size_t length);
/* Ends the use of the memory as a decoder. */
lse_status lse_lime_decoder_close(lse_lime_decoder *decoder);

#define LSE_LIME_ENCODER_SIZE_32 544u
#define LSE_LIME_ENCODER_SIZE_64 544u
#define LSE_LIME_ENCODER_SAVED 425u
#define LSE_LIME_ENCODER_SIZE LSE_BY_POINTER(LSE_LIME_ENCODER_SIZE_32, LSE_LIME_ENCODER_SIZE_64)

typedef struct {
    uint64_t opaque[LSE_LIME_ENCODER_SIZE / 8u];
} lse_lime_encoder;

/* Flags of a record; add them. */
#define LSE_MESSAGE_BEGIN 1u /* The record is the first of its message */
#define LSE_MESSAGE_END 2u   /* The record is the last of its message */

/* Prepares an encoder for a new file. `size` is sizeof *encoder. */
lse_status lse_lime_encoder_init(lse_lime_encoder *encoder, size_t size);
/* Prepares an encoder that appends to a file of `offset` bytes, whose last message is still open (1) or not (0). */
lse_status lse_lime_encoder_append(lse_lime_encoder *encoder, size_t size, uint64_t offset, uint32_t message_open);
/* Opens a record with a payload of `length` bytes. `flags` is a sum of LSE_MESSAGE_BEGIN and LSE_MESSAGE_END. The
 * caller writes the bytes of `header`, then the payload. */
lse_status lse_lime_encoder_begin(lse_lime_encoder *encoder, lse_bytes type, uint64_t length, uint32_t flags,
                                  lse_bytes *header);
/* Counts payload, which the caller writes at the position before the call. */
lse_status lse_lime_encoder_push(lse_lime_encoder *encoder, const uint8_t *bytes, size_t length);
/* Moves to byte `to` of the payload: it can be written in pieces in any order. The caller moves its sink to the
 * position. */
lse_status lse_lime_encoder_skip(lse_lime_encoder *encoder, uint64_t to);
/* Closes the record. The caller writes the bytes of `padding`, 0 to 7 of them, after the payload. */
lse_status lse_lime_encoder_end(lse_lime_encoder *encoder, lse_bytes *padding);
/* Declares the end of the file. One more call is LSE_ENDED. */
lse_status lse_lime_encoder_finish(lse_lime_encoder *encoder);
/* Absolute offset of the next byte to write. */
lse_status lse_lime_encoder_position(const lse_lime_encoder *encoder, uint64_t *position);
/* Number of bytes from the current place to the end of the payload; 0 if no record is open. */
lse_status lse_lime_encoder_room(const lse_lime_encoder *encoder, uint64_t *room);
/* The reason of the last LSE_MISUSE; kind is 0 if there has been none. */
lse_status lse_lime_encoder_error(const lse_lime_encoder *encoder, lse_error *error);
lse_status lse_lime_encoder_describe(const lse_lime_encoder *encoder, lse_description *description);
/* As with decoders. A finished encoder cannot be saved. */
lse_status lse_lime_encoder_save(const lse_lime_encoder *encoder, uint8_t *bytes, size_t size);
lse_status lse_lime_encoder_load(lse_lime_encoder *encoder, size_t size, const uint8_t *bytes, size_t length);
lse_status lse_lime_encoder_close(lse_lime_encoder *encoder);

/* ----------------------------------------------------------------------------------------- fields: SciDAC and ILDG */

#define LSE_MAX_DIMENSIONS 8u

/* Precision of floating-point numbers. */
#define LSE_PRECISION_NONE 0u
#define LSE_SINGLE 32u
#define LSE_DOUBLE 64u

#define LSE_SOURCE_SCIDAC 1u /* A scidac-private-record-xml describes the data */
#define LSE_SOURCE_ILDG 2u   /* An ildg-format does */

#define LSE_REGION_LATTICE 0u   /* All sites */
#define LSE_REGION_HYPERCUBE 1u /* The sites from `lower` to `upper`, both included */
#define LSE_REGION_GLOBAL 2u    /* No site: the data belong to the lattice as a whole */

/* The links in the data of a site: `links` matrices one after the other, each row by row. */
typedef struct {
    uint32_t links; /* Number of matrices of a site; 0 if the field is not a gauge field */
    uint32_t rows;
    uint32_t columns;
    uint32_t parts;          /* Numbers per element: 2 (real and imaginary part) or 1 */
    uint32_t absent_is_ones; /* 1 if a link that does not exist has all bits set, 0 if it has all bits clear */
    uint32_t reserved;       /* 0 */
} lse_links;

/* The layout of the data of a record. Numbers in the data are big-endian. */
typedef struct {
    uint64_t length;         /* Length of the data in bytes */
    uint64_t sites;          /* Number of sites in the data; 1 for global data */
    uint64_t bytes_per_site; /* Of global data: length */
    uint32_t source;         /* LSE_SOURCE_... */
    uint32_t precision;      /* LSE_SINGLE, LSE_DOUBLE, or LSE_PRECISION_NONE if the data are no such numbers */
    uint32_t dimensions;     /* 1 to 8 */
    uint32_t region;         /* LSE_REGION_... */
    uint32_t extents[8];     /* Sites of the lattice in each dimension; the first one runs fastest in the data */
    uint32_t lower[8];       /* First coordinates of a hypercube, else 0 */
    uint32_t upper[8];       /* Last coordinates of a hypercube, else 0 */
    lse_links links;
} lse_layout;

/* A SciDAC checksum. */
typedef struct {
    uint32_t suma;
    uint32_t sumb;
} lse_checksum;

typedef struct {
    uint32_t known;    /* 1 if all data were read, 0 if bytes were skipped */
    uint32_t reserved; /* 0 */
    lse_checksum computed;
} lse_field_end;

#define LSE_VERDICT_MATCH 1u     /* Checksum OK: the data are what was written */
#define LSE_VERDICT_MISMATCH 2u  /* The data are damaged. Strict and lenient mode refuse them with an error instead */
#define LSE_VERDICT_ABSENT 3u    /* No complete checksum is stored: the data are not verified */
#define LSE_VERDICT_UNCHECKED 4u /* Data were skipped: they are not verified */

typedef struct {
    uint32_t result;       /* LSE_VERDICT_... */
    uint32_t reserved;     /* 0 */
    lse_checksum stored;   /* If the result is LSE_VERDICT_MATCH or _MISMATCH, else 0 */
    lse_checksum computed; /* Also if it is LSE_VERDICT_ABSENT */
} lse_verdict;

#define LSE_FIELD_RECORD 1u    /* A record begins: as.record */
#define LSE_FIELD_PAYLOAD 2u   /* bytes, position: payload that is not data of a field */
#define LSE_FIELD_FIELD 3u     /* The record that has just begun holds data: as.layout */
#define LSE_FIELD_DATA 4u      /* bytes, position: data of the field. position / bytes_per_site is the site */
#define LSE_FIELD_FIELD_END 5u /* The data are complete: as.field_end. They are not verified yet */
#define LSE_FIELD_END 6u       /* The record is complete */
#define LSE_FIELD_VERDICT 7u   /* as.verdict: the checksum of the last field was compared */
#define LSE_FIELD_FINDING 8u   /* as.finding: a broken rule that the mode does not refuse, or a remark */

typedef struct {
    LSE_EVENT_HEAD;
    union {
        lse_record record;
        lse_layout layout;
        lse_field_end field_end;
        lse_verdict verdict;
        lse_error finding;
    } as;
} lse_field_event;

#define LSE_FIELD_DECODER_SIZE_32 1344u
#define LSE_FIELD_DECODER_SIZE_64 1344u
#define LSE_FIELD_DECODER_SAVED 1081u
#define LSE_FIELD_DECODER_SIZE LSE_BY_POINTER(LSE_FIELD_DECODER_SIZE_32, LSE_FIELD_DECODER_SIZE_64)

typedef struct {
    uint64_t opaque[LSE_FIELD_DECODER_SIZE / 8u];
} lse_field_decoder;

/* As lse_lime_decoder_..., for the records of a LIME file and the fields in them. */
lse_status lse_field_decoder_init(lse_field_decoder *decoder, size_t size, uint32_t mode);
lse_status lse_field_decoder_push(lse_field_decoder *decoder, const uint8_t *bytes, size_t length,
                                  lse_field_event *event);
lse_status lse_field_decoder_skip(lse_field_decoder *decoder, uint64_t count);
lse_status lse_field_decoder_finish(lse_field_decoder *decoder, lse_field_event *event);
lse_status lse_field_decoder_demand(const lse_field_decoder *decoder, lse_demand *demand);
lse_status lse_field_decoder_position(const lse_field_decoder *decoder, uint64_t *position);
lse_status lse_field_decoder_error(const lse_field_decoder *decoder, lse_error *error);
lse_status lse_field_decoder_describe(const lse_field_decoder *decoder, lse_description *description);
lse_status lse_field_decoder_save(const lse_field_decoder *decoder, uint8_t *bytes, size_t size);
lse_status lse_field_decoder_load(lse_field_decoder *decoder, size_t size, const uint8_t *bytes, size_t length);
lse_status lse_field_decoder_close(lse_field_decoder *decoder);

#define LSE_MESSAGE_FILE 1u    /* First message of a SciDAC file: dimensions, extents, text */
#define LSE_MESSAGE_GAUGE 2u   /* A gauge field: gauge, precision, form, dimensions, extents; text, date, lfn, update */
#define LSE_MESSAGE_DATA 3u    /* SciDAC data: data, region, dimensions, lower, upper; text, date */
#define LSE_MESSAGE_LFN 4u     /* The logical file name alone: lfn */
#define LSE_MESSAGE_FOREIGN 5u /* A record of any other type: type, payload */

#define LSE_FORM_SCIDAC 1u /* SciDAC programs: a private record, the data, the checksum */
#define LSE_FORM_ILDG 2u   /* ILDG 1.2: an ildg-format and the data; a scidac-checksum follows */
#define LSE_FORM_BOTH 3u   /* Both, as QIO writes ILDG files */

/* Description of the data of LSE_MESSAGE_DATA: the elements of a scidac-private-record-xml. */
typedef struct {
    lse_bytes datatype; /* At most 64 bytes of UTF-8, such as "QDP_F_Real" */
    uint32_t precision; /* The letter: 'F', 'D', 'I', 'S' or 'U' */
    uint32_t colors;    /* 0: none */
    uint32_t spins;     /* 0: none */
    uint32_t typesize;  /* Size of an item in bytes */
    uint32_t datacount; /* Number of items per site */
    uint32_t reserved;  /* 0 */
} lse_data;

/* A message to be written. Fill all of it with 0, then set the members that its kind has; others must stay 0. All texts
 * without a NUL at the end. It must not change while the message is written. */
typedef struct {
    uint32_t kind;       /* LSE_MESSAGE_... */
    uint32_t precision;  /* LSE_SINGLE or LSE_DOUBLE */
    uint32_t form;       /* LSE_FORM_... */
    uint32_t dimensions; /* 1 to 8 */
    uint32_t extents[8]; /* The lattice; the first dimension runs fastest */
    uint32_t region;     /* LSE_REGION_... */
    uint32_t reserved;   /* 0 */
    uint32_t lower[8];   /* First coordinates of a hypercube; its lattice is `extents` */
    uint32_t upper[8];   /* Last coordinates of a hypercube */
    uint64_t date;       /* Date of writing: seconds since the beginning of 1970, UTC */
    lse_bytes gauge;     /* The kind of gauge field, as ILDG names it: su3gauge, u1phase, ... */
    lse_bytes text;      /* The user's text about the file or the field */
    lse_bytes lfn;       /* Logical file name, or empty */
    lse_bytes update;    /* Number of the update, a string of digits, or empty; needs LSE_FORM_ILDG or _BOTH */
    lse_bytes type;      /* Type of a record */
    lse_bytes payload;   /* Payload of a record */
    lse_data data;
} lse_message;

#define LSE_WANT_NOTHING 0u /* The message is complete */
#define LSE_WANT_BYTES 1u   /* Write `bytes` at `offset`, then ask again */
#define LSE_WANT_DATA 2u    /* `missing` bytes of data are expected: push them, then ask again */

typedef struct {
    uint32_t tag;      /* LSE_WANT_... */
    uint32_t reserved; /* 0 */
    uint64_t offset;   /* Absolute offset of the bytes or of the data */
    uint64_t missing;
    lse_bytes bytes; /* Valid until the next call, and while scratch and message do not change */
} lse_want;

#define LSE_FIELD_ENCODER_SIZE_32 1056u
#define LSE_FIELD_ENCODER_SIZE_64 1056u
#define LSE_FIELD_ENCODER_SAVED 851u
#define LSE_FIELD_ENCODER_SIZE LSE_BY_POINTER(LSE_FIELD_ENCODER_SIZE_32, LSE_FIELD_ENCODER_SIZE_64)
/* Length of `scratch` that is enough, unless dates or datatypes are very long. */
#define LSE_SCRATCH_SIZE 512u

typedef struct {
    uint64_t opaque[LSE_FIELD_ENCODER_SIZE / 8u];
} lse_field_encoder;

/* Prepares an encoder for a new file. `size` is sizeof *encoder. */
lse_status lse_field_encoder_init(lse_field_encoder *encoder, size_t size);
/* Begins a message, which is checked as a whole: a message that is wrong or not allowed in this file is LSE_MISUSE.
 * Documents are written to `scratch` for this. Nothing is to be written to the file yet. */
lse_status lse_field_encoder_begin(lse_field_encoder *encoder, const lse_message *message, uint8_t *scratch,
                                   size_t scratch_size);
/* The next bytes of the message that was begun, or the request for its data. `message` is compared with the one that
 * was begun. It also continues a message after load. */
lse_status lse_field_encoder_next(lse_field_encoder *encoder, const lse_message *message, uint8_t *scratch,
                                  size_t scratch_size, lse_want *want);
/* Counts data, which the caller writes at the position before the call, and adds them to the checksum: big-endian
 * numbers, sites in stored order, in pieces of any size. */
lse_status lse_field_encoder_push(lse_field_encoder *encoder, const uint8_t *bytes, size_t length);
/* Moves to the site with this index in stored order: sites can be written in any order, each once. */
lse_status lse_field_encoder_skip(lse_field_encoder *encoder, uint64_t site);
/* Declares the end of the file. One more call is LSE_ENDED. */
lse_status lse_field_encoder_finish(lse_field_encoder *encoder);
/* Absolute offset of the next byte to write. */
lse_status lse_field_encoder_position(const lse_field_encoder *encoder, uint64_t *position);
/* Number of bytes of data that are missing; 0 if none are expected. */
lse_status lse_field_encoder_room(const lse_field_encoder *encoder, uint64_t *room);
lse_status lse_field_encoder_error(const lse_field_encoder *encoder, lse_error *error);
lse_status lse_field_encoder_describe(const lse_field_encoder *encoder, lse_description *description);
lse_status lse_field_encoder_save(const lse_field_encoder *encoder, uint8_t *bytes, size_t size);
lse_status lse_field_encoder_load(lse_field_encoder *encoder, size_t size, const uint8_t *bytes, size_t length);
lse_status lse_field_encoder_close(lse_field_encoder *encoder);

/* ------------------------------------------------------------------------------------------------------------ scda */

/* A count of an scda file: up to 10^26 - 1, which is high * 2^64 + low. */
typedef struct {
    uint64_t low;
    uint64_t high;
} lse_count;

/* A section of an scda file, as it lies in the file: a compressed section consists of two of them, and is not
 * decompressed. */
typedef struct {
    uint64_t offset;   /* Absolute offset of its first byte */
    lse_count n;       /* Number of elements of an array, else 0 */
    lse_count e;       /* Size in bytes of a block, or of each element of a fixed-size array; else 0 */
    uint32_t letter;   /* 'F' (file header), 'I', 'B', 'A' or 'V' */
    uint32_t reserved; /* 0 */
    lse_bytes user;    /* The user string, any bytes; in the decoder, valid until the next call */
    lse_bytes vendor;  /* The vendor string of the file */
} lse_section;

#define LSE_SCDA_SECTION 1u /* The header of a section is complete: as.section */
#define LSE_SCDA_SIZE 2u    /* as.size: bytes of the next element of a variable array. All come before the data */
#define LSE_SCDA_DATA 3u    /* bytes, position: elements one after the other, without gaps */
#define LSE_SCDA_END 4u     /* The section is complete, padding included */
#define LSE_SCDA_FINDING 5u /* as.finding */

typedef struct {
    LSE_EVENT_HEAD;
    union {
        lse_section section;
        uint64_t size;
        lse_error finding;
    } as;
} lse_scda_event;

#define LSE_SCDA_DECODER_SIZE_32 352u
#define LSE_SCDA_DECODER_SIZE_64 352u
#define LSE_SCDA_DECODER_SAVED 220u
#define LSE_SCDA_DECODER_SIZE LSE_BY_POINTER(LSE_SCDA_DECODER_SIZE_32, LSE_SCDA_DECODER_SIZE_64)

typedef struct {
    uint64_t opaque[LSE_SCDA_DECODER_SIZE / 8u];
} lse_scda_decoder;

/* As lse_lime_decoder_..., for the sections of an scda file. */
lse_status lse_scda_decoder_init(lse_scda_decoder *decoder, size_t size, uint32_t mode);
lse_status lse_scda_decoder_push(lse_scda_decoder *decoder, const uint8_t *bytes, size_t length, lse_scda_event *event);
lse_status lse_scda_decoder_skip(lse_scda_decoder *decoder, uint64_t count);
lse_status lse_scda_decoder_finish(lse_scda_decoder *decoder, lse_scda_event *event);
lse_status lse_scda_decoder_demand(const lse_scda_decoder *decoder, lse_demand *demand);
lse_status lse_scda_decoder_position(const lse_scda_decoder *decoder, uint64_t *position);
lse_status lse_scda_decoder_error(const lse_scda_decoder *decoder, lse_error *error);
lse_status lse_scda_decoder_describe(const lse_scda_decoder *decoder, lse_description *description);
lse_status lse_scda_decoder_save(const lse_scda_decoder *decoder, uint8_t *bytes, size_t size);
lse_status lse_scda_decoder_load(lse_scda_decoder *decoder, size_t size, const uint8_t *bytes, size_t length);
lse_status lse_scda_decoder_close(lse_scda_decoder *decoder);

#define LSE_SCDA_ENCODER_SIZE_32 448u
#define LSE_SCDA_ENCODER_SIZE_64 480u
#define LSE_SCDA_ENCODER_SAVED 107u
#define LSE_SCDA_ENCODER_SIZE LSE_BY_POINTER(LSE_SCDA_ENCODER_SIZE_32, LSE_SCDA_ENCODER_SIZE_64)

typedef struct {
    uint64_t opaque[LSE_SCDA_ENCODER_SIZE / 8u];
} lse_scda_encoder;

/* Line breaks in the padding. */
#define LSE_UNIX 1u /* LF, as libsc writes */
#define LSE_MIME 2u /* CR LF */

/* Prepares an encoder for a new file, or for appending to a file of `offset` bytes that ends with a complete section.
 * `style` is LSE_UNIX or LSE_MIME. */
lse_status lse_scda_encoder_init(lse_scda_encoder *encoder, size_t size, uint32_t style);
lse_status lse_scda_encoder_append(lse_scda_encoder *encoder, size_t size, uint64_t offset, uint32_t style);
/* The file header. The caller writes the bytes of `header`; the vendor string has at most 20 bytes, the user string
 * 58. */
lse_status lse_scda_encoder_header(lse_scda_encoder *encoder, lse_bytes vendor, lse_bytes user, lse_bytes *header);
/* Opens a section: 'I' (32 bytes; n and e are 0), 'B' (e bytes; n is 0), 'A' (n elements of e bytes) or 'V' (n
 * elements; e is 0). The caller writes the bytes of `header`. */
lse_status lse_scda_encoder_begin(lse_scda_encoder *encoder, uint32_t letter, lse_bytes user, uint64_t n, uint64_t e,
                                  lse_bytes *header);
/* Takes the size of the next element of a variable array. The caller writes the bytes of `line`. All sizes come before
 * the data. */
lse_status lse_scda_encoder_size(lse_scda_encoder *encoder, uint64_t e, lse_bytes *line);
/* Counts data, which the caller writes. */
lse_status lse_scda_encoder_push(lse_scda_encoder *encoder, const uint8_t *bytes, size_t length);
/* Ends the section. The caller writes the bytes of `padding`. */
lse_status lse_scda_encoder_end(lse_scda_encoder *encoder, lse_bytes *padding);
/* Declares the end of the file. One more call is LSE_ENDED. */
lse_status lse_scda_encoder_finish(lse_scda_encoder *encoder);
lse_status lse_scda_encoder_position(const lse_scda_encoder *encoder, uint64_t *position);
/* Number of bytes of data that are missing in the open section. */
lse_status lse_scda_encoder_room(const lse_scda_encoder *encoder, uint64_t *room);
lse_status lse_scda_encoder_error(const lse_scda_encoder *encoder, lse_error *error);
lse_status lse_scda_encoder_describe(const lse_scda_encoder *encoder, lse_description *description);
lse_status lse_scda_encoder_save(const lse_scda_encoder *encoder, uint8_t *bytes, size_t size);
lse_status lse_scda_encoder_load(lse_scda_encoder *encoder, size_t size, const uint8_t *bytes, size_t length);
lse_status lse_scda_encoder_close(lse_scda_encoder *encoder);

/* ---------------------------------------------------------------------------------------------------------- INEBIN */

/* Type and shape of a matrix. Entries are little-endian and stored row by row. */
typedef struct {
    uint32_t letter;      /* 'B' (bits), 'Z' (64-bit integers), 'R' (64-bit floating-point) or 'C' (two of them) */
    uint32_t rows;
    uint32_t columns;
    uint32_t unused_bits; /* Bits of the last byte that belong to no entry */
    uint64_t entries;
    uint64_t length;      /* Length of the data in bytes */
} lse_matrix;

#define LSE_INEBIN_HEADER 1u  /* Type and shape are known: as.matrix. The data follow */
#define LSE_INEBIN_DATA 2u    /* bytes, position */
#define LSE_INEBIN_END 3u     /* The matrix is complete; the file should end here */
#define LSE_INEBIN_FINDING 4u /* as.finding */

typedef struct {
    LSE_EVENT_HEAD;
    union {
        lse_matrix matrix;
        lse_error finding;
    } as;
} lse_inebin_event;

#define LSE_INEBIN_DECODER_SIZE_32 160u
#define LSE_INEBIN_DECODER_SIZE_64 160u
#define LSE_INEBIN_DECODER_SAVED 60u
#define LSE_INEBIN_DECODER_SIZE LSE_BY_POINTER(LSE_INEBIN_DECODER_SIZE_32, LSE_INEBIN_DECODER_SIZE_64)

typedef struct {
    uint64_t opaque[LSE_INEBIN_DECODER_SIZE / 8u];
} lse_inebin_decoder;

/* As lse_lime_decoder_..., for the matrix in an INEBIN file. */
lse_status lse_inebin_decoder_init(lse_inebin_decoder *decoder, size_t size, uint32_t mode);
lse_status lse_inebin_decoder_push(lse_inebin_decoder *decoder, const uint8_t *bytes, size_t length,
                                   lse_inebin_event *event);
lse_status lse_inebin_decoder_skip(lse_inebin_decoder *decoder, uint64_t count);
lse_status lse_inebin_decoder_finish(lse_inebin_decoder *decoder, lse_inebin_event *event);
lse_status lse_inebin_decoder_demand(const lse_inebin_decoder *decoder, lse_demand *demand);
lse_status lse_inebin_decoder_position(const lse_inebin_decoder *decoder, uint64_t *position);
lse_status lse_inebin_decoder_error(const lse_inebin_decoder *decoder, lse_error *error);
lse_status lse_inebin_decoder_describe(const lse_inebin_decoder *decoder, lse_description *description);
lse_status lse_inebin_decoder_save(const lse_inebin_decoder *decoder, uint8_t *bytes, size_t size);
lse_status lse_inebin_decoder_load(lse_inebin_decoder *decoder, size_t size, const uint8_t *bytes, size_t length);
lse_status lse_inebin_decoder_close(lse_inebin_decoder *decoder);

/* ---------------------------------------------------------------------------------------- layout of the structures */

/* The library is compiled with the same numbers, read from this file: it does not build if they differ from its own. A
 * compiler option that changes the layout of structures stops here. */
#define LSE_SIZEOF_BYTES_32 8u
#define LSE_SIZEOF_BYTES_64 16u
#define LSE_SIZEOF_ERROR_32 24u
#define LSE_SIZEOF_ERROR_64 24u
#define LSE_SIZEOF_DESCRIPTION_32 24u
#define LSE_SIZEOF_DESCRIPTION_64 48u
#define LSE_SIZEOF_DEMAND_32 16u
#define LSE_SIZEOF_DEMAND_64 16u
#define LSE_SIZEOF_RECORD_32 48u
#define LSE_SIZEOF_RECORD_64 56u
#define LSE_SIZEOF_LAYOUT_32 160u
#define LSE_SIZEOF_LAYOUT_64 160u
#define LSE_SIZEOF_SECTION_32 64u
#define LSE_SIZEOF_SECTION_64 80u
#define LSE_SIZEOF_MATRIX_32 32u
#define LSE_SIZEOF_MATRIX_64 32u
#define LSE_SIZEOF_MESSAGE_32 208u
#define LSE_SIZEOF_MESSAGE_64 264u
#define LSE_SIZEOF_WANT_32 32u
#define LSE_SIZEOF_WANT_64 40u
#define LSE_SIZEOF_LIME_EVENT_32 88u
#define LSE_SIZEOF_LIME_EVENT_64 104u
#define LSE_SIZEOF_FIELD_EVENT_32 200u
#define LSE_SIZEOF_FIELD_EVENT_64 208u
#define LSE_SIZEOF_SCDA_EVENT_32 104u
#define LSE_SIZEOF_SCDA_EVENT_64 128u
#define LSE_SIZEOF_INEBIN_EVENT_32 72u
#define LSE_SIZEOF_INEBIN_EVENT_64 80u

#define LSE_ASSERT_SIZE(name, type, constant) \
    LSE_ASSERT(name, sizeof(type) == LSE_BY_POINTER(constant##_32, constant##_64))
LSE_ASSERT_SIZE(bytes, lse_bytes, LSE_SIZEOF_BYTES);
LSE_ASSERT_SIZE(error, lse_error, LSE_SIZEOF_ERROR);
LSE_ASSERT_SIZE(description, lse_description, LSE_SIZEOF_DESCRIPTION);
LSE_ASSERT_SIZE(demand, lse_demand, LSE_SIZEOF_DEMAND);
LSE_ASSERT_SIZE(record, lse_record, LSE_SIZEOF_RECORD);
LSE_ASSERT_SIZE(layout, lse_layout, LSE_SIZEOF_LAYOUT);
LSE_ASSERT_SIZE(section, lse_section, LSE_SIZEOF_SECTION);
LSE_ASSERT_SIZE(matrix, lse_matrix, LSE_SIZEOF_MATRIX);
LSE_ASSERT_SIZE(message, lse_message, LSE_SIZEOF_MESSAGE);
LSE_ASSERT_SIZE(want, lse_want, LSE_SIZEOF_WANT);
LSE_ASSERT_SIZE(lime_event, lse_lime_event, LSE_SIZEOF_LIME_EVENT);
LSE_ASSERT_SIZE(field_event, lse_field_event, LSE_SIZEOF_FIELD_EVENT);
LSE_ASSERT_SIZE(scda_event, lse_scda_event, LSE_SIZEOF_SCDA_EVENT);
LSE_ASSERT_SIZE(inebin_event, lse_inebin_event, LSE_SIZEOF_INEBIN_EVENT);
LSE_ASSERT_SIZE(lime_decoder, lse_lime_decoder, LSE_LIME_DECODER_SIZE);
LSE_ASSERT_SIZE(lime_encoder, lse_lime_encoder, LSE_LIME_ENCODER_SIZE);
LSE_ASSERT_SIZE(field_decoder, lse_field_decoder, LSE_FIELD_DECODER_SIZE);
LSE_ASSERT_SIZE(field_encoder, lse_field_encoder, LSE_FIELD_ENCODER_SIZE);
LSE_ASSERT_SIZE(scda_decoder, lse_scda_decoder, LSE_SCDA_DECODER_SIZE);
LSE_ASSERT_SIZE(scda_encoder, lse_scda_encoder, LSE_SCDA_ENCODER_SIZE);
LSE_ASSERT_SIZE(inebin_decoder, lse_inebin_decoder, LSE_INEBIN_DECODER_SIZE);

/* Offsets that show the order of the members. */
#define LSE_OFFSETOF_EVENT_AS_32 40u
#define LSE_OFFSETOF_EVENT_AS_64 48u
#define LSE_OFFSETOF_EVENT_BYTES_32 24u
#define LSE_OFFSETOF_EVENT_BYTES_64 24u
#define LSE_OFFSETOF_RECORD_TYPE_32 40u
#define LSE_OFFSETOF_RECORD_TYPE_64 40u
#define LSE_OFFSETOF_LAYOUT_LINKS_32 136u
#define LSE_OFFSETOF_LAYOUT_LINKS_64 136u
#define LSE_OFFSETOF_MESSAGE_DATE_32 120u
#define LSE_OFFSETOF_MESSAGE_DATE_64 120u
#define LSE_OFFSETOF_MESSAGE_DATA_32 176u
#define LSE_OFFSETOF_MESSAGE_DATA_64 224u
#define LSE_ASSERT_OFFSET(name, type, member, constant)                                                               \
    LSE_ASSERT(name, offsetof(type, member) == LSE_BY_POINTER(constant##_32, constant##_64))
LSE_ASSERT_OFFSET(event_as, lse_field_event, as, LSE_OFFSETOF_EVENT_AS);
LSE_ASSERT_OFFSET(event_bytes, lse_field_event, bytes, LSE_OFFSETOF_EVENT_BYTES);
LSE_ASSERT_OFFSET(record_type, lse_record, type, LSE_OFFSETOF_RECORD_TYPE);
LSE_ASSERT_OFFSET(layout_links, lse_layout, links, LSE_OFFSETOF_LAYOUT_LINKS);
LSE_ASSERT_OFFSET(message_date, lse_message, date, LSE_OFFSETOF_MESSAGE_DATE);
LSE_ASSERT_OFFSET(message_data, lse_message, data, LSE_OFFSETOF_MESSAGE_DATA);

#ifdef __cplusplus
}
#endif
#endif
