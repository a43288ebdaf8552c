/* Files of lattice QCD, for new programs: LIME, ILDG and SciDAC files, QIO's file sets, NERSC archives, MILC files of
 * version 5, scda and INEBIN are opened, listed and read by the same calls; all of them but those of MILC are written.
 *
 * Answers. Each call that returns int32_t returns LINKSTREAM_OK or another number from the list below. Negative numbers
 * are errors, whose description is linkstream_last_error(): name of the broken rule, clause of the specification,
 * offset in the file, and a sentence. Nothing is printed, and nothing ends the program.
 *
 * Integrity. Reading verifies: data that contradict the checksum in the file are LINKSTREAM_ERR_CHECKSUM. Data for
 * which the file has no checksum are LINKSTREAM_UNVERIFIED, never LINKSTREAM_OK. After an error, the memory that the
 * call was to fill has no defined contents.
 *
 * Structures begin with struct_size. Set it to the size of the structure and all other members to 0 before you set the
 * members that you need, also in structures that a call fills:
 *
 *     linkstream_field_info info = {0};
 *     info.struct_size = sizeof info;
 *
 * So a program continues to work with later versions of the library, whose structures may have more members at the end.
 * Members called reserved must be 0. Each text in a structure ends with a zero byte.
 *
 * Handles. A handle is used by one thread at a time; different handles may be used at the same time. Use by two threads
 * at once, from a progress function, or after the handle was closed is LINKSTREAM_ERR_USAGE. Each thread has a last
 * error of its own. Close functions accept a null pointer, and do nothing then. After fork, both processes can use files
 * and reports that were open; a writer belongs to one of them, and the other one must not use it.
 *
 * Memory. Sizes are checked: the memory of the caller must have exactly the size that the call needs. The library
 * allocates for itself no more than a multiple of what the file really has, whatever its headers claim. */
#ifndef LINKSTREAM_H
#define LINKSTREAM_H

#include <stddef.h>
#include <stdint.h>

#include "linkstream_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- Answers --- */

enum {
    LINKSTREAM_OK = 0,
    LINKSTREAM_UNVERIFIED = 1,     /* Done, but the file has no checksum that verifies the data */
    LINKSTREAM_DOUBTFUL = 2,       /* Written, but links are not unitary or numbers not finite: see the last error */
    LINKSTREAM_ERR_USAGE = -1,     /* A wrong argument, or a handle that is closed or in use */
    LINKSTREAM_ERR_SYSTEM = -2,    /* The system refuses, such as for a file that does not exist, or a full disk */
    LINKSTREAM_ERR_FORMAT = -3,    /* The file is in no format that can be read */
    LINKSTREAM_ERR_BROKEN = -4,    /* The file is truncated or breaks another rule: its contents are not certain */
    LINKSTREAM_ERR_CHECKSUM = -5,  /* The data contradict the checksum in the file */
    LINKSTREAM_ERR_SIZE = -6,      /* The memory has another size than the data */
    LINKSTREAM_ERR_NUMBER = -7,    /* A number does not fit into the requested type */
    LINKSTREAM_ERR_EXISTS = -8,    /* The file to be written exists */
    LINKSTREAM_ERR_REFUSED = -9,   /* No file can have the requested form, or the data are larger than can be handled */
    LINKSTREAM_ERR_CANCELLED = -10, /* The progress function has cancelled the call */
    LINKSTREAM_ERR_DEFECT = -11,   /* A defect of this library: please report it */
    LINKSTREAM_ERR_MEMORY = -12    /* There is not enough memory, for any of the calls */
};

/* Formats. */
enum {
    LINKSTREAM_LIME = 1,   /* LIME, with ILDG or SciDAC documents or without; file sets of QIO */
    LINKSTREAM_INEBIN = 2, /* INEBIN, with one matrix */
    LINKSTREAM_SCDA = 3,   /* scda, with sections */
    LINKSTREAM_NERSC = 4,  /* NERSC archive, with one gauge field */
    LINKSTREAM_MILC = 5,   /* MILC, version 5, with one gauge field */
    LINKSTREAM_OPENQCD = 6 /* openQCD, with one gauge field, which has no checksum */
};

/* Types of numbers. */
enum {
    LINKSTREAM_F32 = 1, /* float */
    LINKSTREAM_F64 = 2, /* double */
    LINKSTREAM_I32 = 3, /* int32_t */
    LINKSTREAM_U8 = 4   /* Bytes that are not known to be numbers */
};

/* Types of matrices. */
enum {
    LINKSTREAM_BOOLEAN = 1, /* uint8_t, 0 or 1, for each entry */
    LINKSTREAM_INTEGER = 2, /* int64_t */
    LINKSTREAM_REAL = 3,    /* double */
    LINKSTREAM_COMPLEX = 4  /* Two doubles: real part, imaginary part */
};

/* Verdicts, as the program `linkstream check` reports them. */
enum {
    LINKSTREAM_VERDICT_OK = 0,         /* No errors; checksums in the file verify all data */
    LINKSTREAM_VERDICT_UNVERIFIED = 1, /* No errors; data have no checksum, or there are no data */
    LINKSTREAM_VERDICT_WRONG = 2,      /* There are errors: damage, or a broken rule */
    LINKSTREAM_VERDICT_UNREADABLE = 3  /* The file could not be opened or read */
};

/* The version of the library: "0.2.0". */
const char *linkstream_version(void);

/* Progress of a call. It is called by the thread that has made the call: at its beginning; about 50 times a second while
 * a file is read, or after each piece while one is written or read back; and at the end of a call that succeeds. `total`
 * is the number of bytes of the file or the data; `done` is at most that. A result other than 0 cancels the call, which
 * then returns LINKSTREAM_ERR_CANCELLED. The function may call the library, but not with the handle of the call; it must
 * return: neither longjmp nor a C++ exception may leave it. */
typedef int32_t (*linkstream_progress)(void *context, uint64_t done, uint64_t total);

/* --- Reports: what is in a file, and is it intact? --- */

typedef struct linkstream_report linkstream_report;

/* Options of a report. */
enum {
    LINKSTREAM_LENIENT = 1,          /* Broken rules that leave the data certain are warnings, not errors */
    LINKSTREAM_REQUIRE_CHECKSUM = 2, /* A file with data that no checksum verifies is not ok */
    LINKSTREAM_NO_OBSERVABLES = 4,   /* Do not compute plaquette, link trace, Polyakov loop and unitarity of gauge fields */
    LINKSTREAM_SLICES = 8            /* Compute them for each time slice as well */
};

typedef struct linkstream_check {
    size_t struct_size;
    uint32_t flags; /* Sum of the options above */
    uint32_t reserved;
    linkstream_progress progress; /* Or NULL */
    void *context;                /* First argument of progress */
} linkstream_check;

typedef struct linkstream_report_info {
    size_t struct_size;
    uint64_t bytes;       /* Length of the file */
    uint64_t findings;    /* Number of findings */
    uint64_t json_length; /* Length of the JSON in bytes, without the zero byte */
    int32_t verdict;      /* LINKSTREAM_VERDICT_... */
    int32_t is_ok;        /* 1 if the file passes with these options, otherwise 0 */
    char format[16];      /* "lime", "inebin", "scda", "nersc", "milc", "openqcd", "unknown"; "" if it is unreadable */
} linkstream_report_info;

/* A broken rule. */
typedef struct linkstream_finding {
    size_t struct_size;
    uint64_t offset;   /* Absolute offset in the file, in bytes */
    int32_t is_error;  /* 1 for an error, 0 for a warning */
    int32_t reserved;
    char rule[64];     /* Name of the rule; `linkstream explain RULE` explains it */
    char clause[128];  /* Clause of the specification, or "" */
    char message[824]; /* A sentence */
} linkstream_finding;

/* Reads a file, or the file set that `path` is a volume or the name of, to its end, verifies it, and makes the report
 * of `linkstream check`. `check` is NULL or has the options. An unreadable file has a report as well: its verdict is
 * LINKSTREAM_VERDICT_UNREADABLE, and its only finding has the reason. OK, USAGE, CANCELLED. */
int32_t linkstream_check_path(const char *path, const linkstream_check *check, linkstream_report **report);

/* The same for the bytes of a file. `name` is its name in the report. */
int32_t linkstream_check_memory(const void *bytes, size_t length, const char *name, const linkstream_check *check,
                                linkstream_report **report);

int32_t linkstream_report_get(linkstream_report *report, linkstream_report_info *info);

/* The finding with this index, counted from 0. */
int32_t linkstream_report_finding(linkstream_report *report, uint64_t index, linkstream_finding *finding);

/* The report as one line of JSON, as `linkstream check --json` prints it. The text is valid until the report is closed;
 * NULL after an error. */
const char *linkstream_report_json(linkstream_report *report);

int32_t linkstream_report_close(linkstream_report *report);

/* --- Files --- */

typedef struct linkstream_file linkstream_file;

typedef struct linkstream_file_info {
    size_t struct_size;
    uint64_t bytes;    /* Length of the file; of a set: of the single file with the same fields */
    uint64_t fields;   /* Number of fields: data that documents describe */
    uint64_t records;  /* Number of LIME records, also those with documents and data */
    uint64_t sections; /* Number of scda sections; the first one is the header of the file */
    uint64_t matrices; /* 1 for INEBIN, otherwise 0 */
    uint64_t warnings; /* Number of broken rules that lose no data */
    int32_t format;    /* LINKSTREAM_LIME, ... */
    int32_t is_set;    /* 1 for a file set, otherwise 0 */
} linkstream_file_info;

/* Opens a file, or the file set that `path` is a volume or the name of, and lists its contents. Data are not read yet.
 * A file whose contents are not certain, such as a truncated one, is an error. OK, USAGE, SYSTEM, FORMAT, BROKEN. */
int32_t linkstream_open_path(const char *path, linkstream_file **file);

/* The same for the bytes of a file, which must stay as they are until the handle is closed. */
int32_t linkstream_open_memory(const void *bytes, size_t length, linkstream_file **file);

int32_t linkstream_file_get(linkstream_file *file, linkstream_file_info *info);

/* The warning with this index, counted from 0. */
int32_t linkstream_file_warning(linkstream_file *file, uint64_t index, linkstream_finding *finding);

int32_t linkstream_file_close(linkstream_file *file);

/* --- LIME records --- */

typedef struct linkstream_record_info {
    size_t struct_size;
    uint64_t offset;        /* Absolute offset of the header, in bytes */
    uint64_t bytes;         /* Length of the payload, without padding */
    int32_t begins_message; /* 1 or 0 */
    int32_t ends_message;   /* 1 or 0 */
    char type[136];         /* At most 128 bytes, which need not be text */
} linkstream_record_info;

/* The record with this index, counted from 0. */
int32_t linkstream_record_get(linkstream_file *file, uint64_t index, linkstream_record_info *info);

/* Reads the payload of a record, such as a document. `size` must be its length. LIME has no checksums:
 * LINKSTREAM_UNVERIFIED. Data are better read as fields, which are verified. */
int32_t linkstream_record_read(linkstream_file *file, uint64_t index, void *out, size_t size);

/* --- Fields: gauge fields, propagators, and other numbers on the sites of a lattice --- */

#define LINKSTREAM_MAX_DIMENSIONS 8
#define LINKSTREAM_MAX_AXES 16

/* An axis of an array: t, z, y, x; then, for links, mu, row, column; for other items, item if a site has several, spin,
 * spin_source, color, color_source (row, column for color matrices without spin) or number; last, for complex numbers,
 * re/im. */
typedef struct linkstream_axis {
    uint64_t extent;
    char name[16];
} linkstream_axis;

typedef struct linkstream_field_info {
    size_t struct_size;
    uint64_t bytes;          /* Size of all numbers in their stored type */
    uint64_t numbers;        /* Number of real numbers, or bytes if element is LINKSTREAM_U8 */
    uint64_t sites;          /* Number of sites; 1 for global data */
    uint64_t bytes_per_site; /* Of global data: all bytes */
    uint64_t offset;         /* Absolute offset of the LIME record, or of the first link in an archive */
    int32_t element;         /* Stored type of the numbers: LINKSTREAM_F32, ... */
    int32_t is_complex;      /* 1 if the last axis is real part, imaginary part */
    int32_t is_gauge_field;  /* 1 or 0 */
    int32_t has_checksum;    /* 1 if the file has a checksum of all data, otherwise 0 */
    uint32_t colors;         /* 0 if unknown */
    uint32_t spins;          /* 0 if there are none or it is unknown */
    uint32_t items;          /* Number of items of the datatype at a site (4 links, for example); 0 if unknown */
    uint32_t dimensions;     /* Of the lattice */
    uint32_t extents[LINKSTREAM_MAX_DIMENSIONS]; /* Of the lattice, x first */
    uint32_t lattice_axes;   /* Number of axes that belong to the sites; they come first. 0 for global data */
    uint32_t axes;           /* Number of axes of the array */
    linkstream_axis axis[LINKSTREAM_MAX_AXES]; /* The last one changes fastest */
    char datatype[72];       /* SciDAC datatype, or kind of gauge field in the ildg-format; "" if there is none */
} linkstream_field_info;

typedef struct linkstream_read {
    size_t struct_size;
    int32_t element;      /* LINKSTREAM_F32 or LINKSTREAM_F64 for numbers of this type; 0: as stored */
    int32_t reserved;
    uint64_t first_slice; /* Time slices to read: the first one, counted from 0, ... */
    uint64_t slices;      /* ... and their number; 0: the whole field */
    linkstream_progress progress; /* Or NULL */
    void *context;                /* First argument of progress */
} linkstream_read;

/* The field with this index, counted from 0. */
int32_t linkstream_field_get(linkstream_file *file, uint64_t index, linkstream_field_info *info);

/* Reads and verifies a field, or time slices of it, into the array `out` of `size` bytes, in the byte order of this
 * machine. Sites are in lexicographic order, x fastest. `read` is NULL or has the options. Single precision becomes
 * double exactly; double becomes single by rounding, and a number out of range is NUMBER. The rows that a NERSC archive
 * leaves out are computed.
 *
 * OK: the data are verified. UNVERIFIED: the file has no checksum of the data; or it is a MILC file with a list of sites,
 * which its checksum does not cover; or the data are time slices, and the whole field has not been read or verified
 * through this handle yet. USAGE, SYSTEM, BROKEN, CHECKSUM, SIZE, NUMBER, REFUSED, CANCELLED. */
int32_t linkstream_field_read(linkstream_file *file, uint64_t index, const linkstream_read *read, void *out,
                              size_t size);

/* Reads all data of a field once and verifies them, without keeping them. Time slices that are read later are compared
 * with them. Answers as for linkstream_field_read. */
int32_t linkstream_field_verify(linkstream_file *file, uint64_t index, linkstream_progress progress, void *context);

/* --- INEBIN: a matrix --- */

typedef struct linkstream_matrix_info {
    size_t struct_size;
    uint64_t bytes;   /* Size of the array that linkstream_matrix_read fills */
    uint32_t rows;
    uint32_t columns;
    int32_t type;     /* LINKSTREAM_BOOLEAN, LINKSTREAM_INTEGER, LINKSTREAM_REAL or LINKSTREAM_COMPLEX */
    int32_t reserved;
} linkstream_matrix_info;

int32_t linkstream_matrix_get(linkstream_file *file, linkstream_matrix_info *info);

/* Reads the matrix, row by row, in the byte order of this machine. INEBIN has no checksums: LINKSTREAM_UNVERIFIED. */
int32_t linkstream_matrix_read(linkstream_file *file, void *out, size_t size);

/* --- scda: sections --- */

typedef struct linkstream_section_info {
    size_t struct_size;
    uint64_t offset;       /* Absolute offset in the file, in bytes */
    uint64_t elements;     /* Number of elements; 0 for F, 1 for I and B; UINT64_MAX for more, which have no bytes */
    uint64_t element_size; /* Size of each element in bytes, uncompressed; 0 for a variable array */
    uint64_t bytes;        /* Size of all elements in bytes, uncompressed. What a compressed section claims */
    int32_t type;          /* 'F' header of the file, 'I' inline, 'B' block, 'A' array, 'V' array of variable sizes */
    int32_t is_compressed; /* 1 or 0 */
    uint32_t user_length;  /* Length of the text of the user in bytes */
    char user[68];         /* The text of the user, which need not be text */
} linkstream_section_info;

/* The section with this index, counted from 0. A compressed section counts as one. */
int32_t linkstream_section_get(linkstream_file *file, uint64_t index, linkstream_section_info *info);

/* Reads the bytes of all elements of a section, one element after the other, decompressed if necessary. OK: each
 * element has its checksum, which compressed ones have. UNVERIFIED: the section is not compressed. */
int32_t linkstream_section_read(linkstream_file *file, uint64_t index, void *out, size_t size);

/* Reads the sizes of the elements of a variable array, in bytes, uncompressed. `count` must be their number. */
int32_t linkstream_section_sizes(linkstream_file *file, uint64_t index, uint64_t *sizes, size_t count);

/* --- Writing LIME files and file sets --- */

typedef struct linkstream_writer linkstream_writer;

/* Documents of a new file. */
enum {
    LINKSTREAM_BOTH = 0,  /* SciDAC documents, and an ildg-format for each gauge field, as QIO writes them */
    LINKSTREAM_ILDG = 1,  /* ILDG 1.2: gauge fields only */
    LINKSTREAM_SCIDAC = 2 /* SciDAC documents only */
};

/* Options of a new file. */
enum {
    LINKSTREAM_REPLACE = 1,   /* An existing file is replaced when the new one is complete */
    LINKSTREAM_READ_BACK = 2, /* The file is read and verified before it gets its name */
    LINKSTREAM_CHECKSUM = 4   /* Fields have checksums also without SciDAC documents, beyond what ILDG 1.2 has */
};

/* Places of the volumes of a file set. */
enum {
    LINKSTREAM_SAME_DIRECTORY = 0,  /* NAME.vol0000 and so on */
    LINKSTREAM_OWN_DIRECTORIES = 1 /* vol0000/NAME and so on, beside NAME; QIO's parallel file systems */
};

/* Texts are UTF-8; NULL means no text, or the text that is said. */
typedef struct linkstream_new_file {
    size_t struct_size;
    uint32_t flags;      /* Sum of the options above, or 0 */
    int32_t documents;   /* LINKSTREAM_BOTH, LINKSTREAM_ILDG or LINKSTREAM_SCIDAC */
    uint32_t dimensions; /* Of the lattice; 4 for gauge fields */
    uint32_t extents[LINKSTREAM_MAX_DIMENSIONS]; /* x first */
    uint32_t reserved;
    const char *file_xml; /* The user's text about the file; NULL: one that names linkstream */
    const char *lfn;      /* Logical file name of ILDG: lfn://...; the first field must be a gauge field then */
    const char *date;     /* Date of the records; NULL: now */
    linkstream_progress progress; /* Or NULL. It is called while fields are written, and while the file is read back */
    void *context;                /* First argument of progress */
    uint32_t volumes[LINKSTREAM_MAX_DIMENSIONS]; /* Number of volumes in each dimension, x first, for a file set of
                                                    QIO; all 0: a single file */
    int32_t layout;               /* LINKSTREAM_SAME_DIRECTORY or LINKSTREAM_OWN_DIRECTORIES */
    uint32_t unused;              /* 0 */
} linkstream_new_file;

/* A gauge field: an array with the axes t, z, y, x, mu, row, column, re/im. */
typedef struct linkstream_new_gauge {
    size_t struct_size;
    int32_t element;        /* LINKSTREAM_F32 or LINKSTREAM_F64: type of the numbers in the array */
    int32_t stored;         /* Type of the numbers in the file; 0: the same */
    const char *kind;       /* Kind of gauge field of ILDG 1.2, such as "su3gauge" (NULL) or "su2gauge" */
    const char *record_xml; /* The user's text about the record; NULL: for links of SU(3) usqcdInfo with their plaquette
                               and link trace (QIO 2.3, appendix A.1), else one that names linkstream */
    const char *update;     /* Update number, in digits, or NULL */
} linkstream_new_gauge;

/* Options of a field. */
enum {
    LINKSTREAM_GLOBAL = 1 /* The numbers belong to the lattice as a whole, not to its sites */
};

/* Other data: at each site `items` items of `components` real numbers. */
typedef struct linkstream_new_field {
    size_t struct_size;
    int32_t element;        /* As in linkstream_new_gauge */
    int32_t stored;
    uint32_t flags;         /* LINKSTREAM_GLOBAL or 0 */
    uint32_t colors;        /* 0 if there are none */
    uint32_t spins;         /* 0 if there are none */
    uint32_t items;         /* Items at a site, at least 1 */
    uint32_t components;    /* Real numbers in an item; a complex number counts twice */
    uint32_t reserved;
    const char *datatype;   /* SciDAC datatype, such as "USQCD_F3_DiracFermion" */
    const char *record_xml; /* The user's text about the record; NULL: one that names linkstream */
} linkstream_new_field;

/* Begins a file. It appears under its name when linkstream_writer_finish has completed it; until then, nothing that
 * exists is changed. A file set needs one open file for each volume; volumes that exist are noticed when the first field
 * is written. OK, USAGE, SYSTEM, EXISTS, REFUSED. */
int32_t linkstream_create(const char *path, const linkstream_new_file *how, linkstream_writer **writer);

/* Writes the next field of the file, with its documents and its checksum. `size` is the size of the array in bytes.
 * After an error other than USAGE and SIZE, the writer can only be discarded. OK, DOUBTFUL, USAGE, SYSTEM, SIZE,
 * NUMBER, EXISTS, REFUSED, CANCELLED. */
int32_t linkstream_write_gauge(linkstream_writer *writer, const linkstream_new_gauge *how, const void *links,
                               size_t size);
int32_t linkstream_write_field(linkstream_writer *writer, const linkstream_new_field *how, const void *numbers,
                               size_t size);

/* Completes the file, reads it back if that was requested, and gives it its name, after its bytes are on the disk. If it
 * is read back, or has a file_xml or record_xml of the caller, it is checked before as `linkstream check` checks it: a text
 * that is not well-formed, or that records another plaquette or link trace than the links have, is REFUSED. The
 * handle is closed, also after an error; then nothing of the file remains, and an existing one is as it was. */
int32_t linkstream_writer_finish(linkstream_writer *writer);

/* Closes the handle. Nothing of the file remains. */
int32_t linkstream_writer_discard(linkstream_writer *writer);

/* --- Writing other files --- */
/* One call writes a file of one of the other formats, reads it back, checks it as `linkstream check` does, and gives it its
 * name. After an error, nothing of the file remains, and an existing one is as it was. OK, USAGE, SYSTEM, SIZE, NUMBER,
 * EXISTS, REFUSED, CANCELLED. */

/* Options of NERSC archives, beside LINKSTREAM_REPLACE. */
enum {
    LINKSTREAM_TWO_ROWS = 8,      /* The last row of each link is left out: two rows remain of SU(3) */
    LINKSTREAM_LITTLE_ENDIAN = 16 /* Byte order of the numbers; without it, big-endian */
};

/* A NERSC archive of links of SU(N): an array with the axes t, z, y, x, mu, row, column, re/im. The word sum, link trace and
 * plaquette of the header are computed. */
typedef struct linkstream_new_archive {
    size_t struct_size;
    uint32_t flags;      /* Sum of options, or 0 */
    int32_t element;     /* LINKSTREAM_F32 or LINKSTREAM_F64: type of the numbers in the array */
    int32_t stored;      /* Type of the numbers in the file; 0: the same */
    uint32_t colors;     /* N, from 2 to 255; 0: 3 */
    uint32_t extents[4]; /* x first */
    const char *lines;   /* Further lines of the header, "KEY = VALUE" each, separated by "\n", such as
                            "ENSEMBLE_ID = a\nSEQUENCE_NUMBER = 7"; or NULL */
    linkstream_progress progress; /* Or NULL */
    void *context;                /* First argument of progress */
} linkstream_new_archive;

/* Links that are not unitary are REFUSED. */
int32_t linkstream_write_archive(const char *path, const linkstream_new_archive *how, const void *links, size_t size);

/* An INEBIN file with one matrix, row by row. */
typedef struct linkstream_new_matrix {
    size_t struct_size;
    uint32_t flags; /* LINKSTREAM_REPLACE or 0 */
    int32_t type;   /* LINKSTREAM_BOOLEAN, LINKSTREAM_INTEGER, LINKSTREAM_REAL or LINKSTREAM_COMPLEX */
    uint32_t rows;
    uint32_t columns;
    linkstream_progress progress; /* Or NULL */
    void *context;                /* First argument of progress */
} linkstream_new_matrix;

int32_t linkstream_write_matrix(const char *path, const linkstream_new_matrix *how, const void *entries, size_t size);

/* Options of scda files, beside LINKSTREAM_REPLACE. */
enum {
    LINKSTREAM_MIME = 32 /* Line breaks of padding are "\r\n"; without it, "\n" */
};

/* An scda file. */
typedef struct linkstream_new_sections {
    size_t struct_size;
    uint32_t flags;     /* Sum of options, or 0 */
    uint32_t reserved;
    const char *vendor; /* Name of the program, at most 20 bytes; NULL: "linkstream" */
    const char *user;   /* Text about the file, at most 58 bytes, or NULL */
    linkstream_progress progress; /* Or NULL */
    void *context;                /* First argument of progress */
} linkstream_new_sections;

/* A section. Its data are not copied. */
typedef struct linkstream_new_section {
    size_t struct_size;
    int32_t type;          /* 'I' inline, with 32 bytes; 'B' block; 'A' array; 'V' array of variable sizes */
    uint32_t compression;  /* Level from 1 (fast) to 9 (small); 0: not compressed. Inline sections never are */
    const char *user;      /* Text about the section, at most 58 bytes, or NULL */
    const void *data;      /* All elements, one after the other */
    size_t size;           /* Size of all elements in bytes */
    uint64_t elements;     /* Number of elements; of I and B, 0 or 1 */
    const uint64_t *sizes; /* Of V: the size of each element in bytes */
} linkstream_new_section;

/* Writes `count` sections. */
int32_t linkstream_write_sections(const char *path, const linkstream_new_sections *how,
                                  const linkstream_new_section *sections, size_t count);

#ifdef __cplusplus
}
#endif
#endif
