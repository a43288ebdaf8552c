/* Reading and writing piece by piece: single LIME records, data without documents, single sites. For programs that make
 * files of their own from parts of QIO; most programs need only qio.h, which includes this header.
 *
 * All calls are collective (see qio.h), but for those that are marked "local". Types of records that are returned are valid
 * until the next call with the file or record. Checksums and numbers of bytes are those of all ranks. Records with
 * documents are in the first volume; records with data and site lists are in each volume, those of other volumes each in
 * a message of its own. */
#ifndef LINKSTREAM_QIO_PARTS_H
#define LINKSTREAM_QIO_PARTS_H

#include <qio_types.h>
#include <qioxml.h>

/* Type of a LIME record. */
typedef char *LIME_type;

/* Lexicographic rank of a site, coordinate 0 fastest. */
typedef uint64_t DML_SiteRank;

/* The two checksums of data. */
typedef struct DML_Checksum {
    uint32_t suma;
    uint32_t sumb;
} DML_Checksum;

/* Continues a CRC-32 (of zlib) with `len` bytes; start with 0. Local. */
uint32_t DML_crc32(uint32_t crc, const unsigned char *buf, size_t len);

typedef struct DML_SiteList DML_SiteList;         /* The sites of a node, in the order of a volume */
typedef struct QIO_ChecksumInfo QIO_ChecksumInfo; /* The checksums that are stored after data */
typedef struct LRL_RecordReader LRL_RecordReader; /* A LIME record that is read */
typedef struct LRL_RecordWriter LRL_RecordWriter; /* A LIME record that is written */

/* --- Opening in steps: the parts of QIO_open_read and QIO_open_write --- */

/* In one process, with a layout of several nodes and latdim 0: opens the single file, or the volume of the master node, for
 * QIO_get_reader_latdim and QIO_get_reader_latsize alone, as programs do before conversions; nothing else can be read. */
QIO_Reader *QIO_open_read_master(const char *filename, QIO_Layout *layout, QIO_Iflag *iflag, int (*io_node)(int),
                                 int (*master_io_node)(void));
/* Volumes and site lists are opened and checked by QIO_open_read_master; these two confirm it. */
int QIO_open_read_nonmaster(QIO_Reader *in, const char *filename, QIO_Iflag *iflag);
int QIO_read_check_sitelist(QIO_Reader *in);
int QIO_read_user_file_xml(QIO_String *xml, QIO_Reader *in);
QIO_Writer *QIO_generic_open_write(const char *filename, int volfmt, QIO_Layout *layout, QIO_Oflag *oflag,
                                   int (*io_node)(int), int (*master_io_node)(void));
/* Private document, site lists, and user's document. Nothing if the file is appended to. */
int QIO_write_file_header(QIO_Writer *out, QIO_String *xml_file);

/* --- Records in steps --- */

/* The documents of the next record, in any order and any number of times; its data are next. QIO_EOF. */
int QIO_read_private_record_info(QIO_Reader *in, QIO_RecordInfo *record_info);
int QIO_read_user_record_info(QIO_Reader *in, QIO_String *xml_record);
int QIO_read_ILDG_LFN(QIO_Reader *in);
/* The data of this record, without their checksum. */
int QIO_generic_read_record_data(QIO_Reader *in, void (*put)(char *buf, size_t index, int count, void *arg),
                                 size_t datum_size, int word_size, void *arg, DML_Checksum *checksum, uint64_t *nbytes);
/* The checksum after data. Free it with QIO_destroy_checksum_info (local). */
QIO_ChecksumInfo *QIO_read_checksum(QIO_Reader *in);
void QIO_destroy_checksum_info(QIO_ChecksumInfo *checksum_info);
/* Local: QIO_CHECKSUM_MISMATCH if they differ. */
int QIO_compare_checksum(int this_node, QIO_ChecksumInfo *checksum_info_expect, DML_Checksum *checksum);

/* Documents, data, and both, without the checksum. *msg_begin: the first record begins a message; it is 0 afterwards, and so
 * is *msg_end, which only QIO_write_record_data reads. */
int QIO_write_record_info(QIO_Writer *out, QIO_RecordInfo *record_info, size_t datum_size, int word_size,
                          QIO_String *xml_record, int *msg_begin, int *msg_end);
int QIO_write_record_data(QIO_Writer *out, QIO_RecordInfo *record_info,
                          void (*get)(char *buf, size_t index, int count, void *arg), size_t datum_size, int word_size,
                          void *arg, DML_Checksum *checksum, uint64_t *nbytes, int *msg_begin, int *msg_end);
int QIO_generic_write(QIO_Writer *out, QIO_RecordInfo *record_info, QIO_String *xml_record,
                      void (*get)(char *buf, size_t index, int count, void *arg), size_t datum_size, int word_size,
                      void *arg, DML_Checksum *checksum, uint64_t *nbytes, int *msg_begin, int *msg_end);
/* Ends the message. */
int QIO_write_checksum(QIO_Writer *out, DML_Checksum *checksum);

/* --- LIME records --- */

/* Writes a text, with its zero byte, in the first volume. */
int QIO_write_string(QIO_Writer *out, int msg_begin, int msg_end, QIO_String *xml, const LIME_type lime_type);
/* Reads the next record as a text. QIO_EOF. */
int QIO_read_string(QIO_Reader *in, QIO_String *xml, LIME_type *lime_type);

/* Opens the next record: any, or the next one whose type is in a list; others are skipped. NULL with QIO_EOF in *status at
 * the end of the file, and after an error. Then either read it or skip it, or leave it for the calls for records. */
LRL_RecordReader *QIO_read_record_type(QIO_Reader *in, LIME_type *lime_type, uint64_t *expected_rec_size, int *status);
LRL_RecordReader *QIO_open_read_target_record(QIO_Reader *in, LIME_type *lime_type_list, int ntypes, LIME_type *lime_type,
                                              uint64_t *expected_rec_size, int *status);
/* Reads the record as a text, and closes it. */
int QIO_read_string_data(QIO_Reader *in, LRL_RecordReader *lrl_record_in, QIO_String *xml, uint64_t expected_rec_size);
int QIO_skip_data(LRL_RecordReader *lrl_record_in);
int QIO_close_read_record(LRL_RecordReader *lrl_record_in); /* local */

/* The sites of this node (local). serpar is not used. */
DML_SiteList *QIO_create_sitelist(DML_Layout *layout, int volfmt, int serpar);
void DML_free_sitelist(DML_SiteList *sites);
/* The site list of each volume; nothing for a single file. Reading compares it with the volume's. QIO_EOF. */
int QIO_write_sitelist(QIO_Writer *out, int msg_begin, int msg_end, const LIME_type lime_type);
int QIO_read_sitelist(QIO_Reader *in, LIME_type *lime_type);

/* --- Data: of all sites, or of what the last info of these calls covers (local; all ranks make the same) --- */

int QIO_reader_insert_hypercube_data(QIO_Reader *in, QIO_RecordInfo *record_info);
int QIO_writer_insert_hypercube_data(QIO_Writer *out, QIO_RecordInfo *record_info);

/* Writes data as a record in one call, or in two. *do_output is 1 on nodes that write. */
int QIO_write_field(QIO_Writer *out, int msg_begin, int msg_end, void (*get)(char *buf, size_t index, int count, void *arg),
                    int count, size_t datum_size, int word_size, void *arg, DML_Checksum *checksum, uint64_t *nbytes,
                    const LIME_type lime_type);
LRL_RecordWriter *QIO_open_write_field(QIO_Writer *out, int msg_begin, int msg_end, size_t datum_size,
                                       const LIME_type lime_type, int *do_output, int *status);
int QIO_write_field_data(QIO_Writer *out, LRL_RecordWriter *lrl_record_out,
                         void (*get)(char *buf, size_t index, int count, void *arg), int count, size_t datum_size,
                         int word_size, void *arg, DML_Checksum *checksum, uint64_t *nbytes);

/* Reads the next data in one call, or in two. Close the record afterwards. */
int QIO_read_field(QIO_Reader *in, void (*put)(char *buf, size_t index, int count, void *arg), int count, size_t datum_size,
                   int word_size, void *arg, DML_Checksum *checksum, uint64_t *nbytes, LIME_type *lime_type);
LRL_RecordReader *QIO_open_read_field(QIO_Reader *in, size_t datum_size, LIME_type *lime_type_list, int ntypes,
                                      LIME_type *lime_type, int *status);
int QIO_read_field_data(QIO_Reader *in, LRL_RecordReader *lrl_record_in,
                        void (*put)(char *buf, size_t index, int count, void *arg), int count, size_t datum_size,
                        int word_size, void *arg, DML_Checksum *checksum, uint64_t *nbytes);

/* --- Single sites, in any order: begin, any number of sites, end --- */

/* *checksum is the checksum of the sites of this node so far, and when the field is closed, of all nodes; it must be valid
 * until then. The calls with a site are local: the site must be one of this node, and the node must read or write its
 * volume; for a single file each node can do that. When writing, each site is written once, and all are. */
int QIO_init_read_field(QIO_Reader *in, size_t datum_size, LIME_type *lime_type_list, int ntypes, DML_Checksum *checksum,
                        LIME_type *lime_type);
int QIO_seek_read_field_datum(QIO_Reader *in, DML_SiteRank seeksite,
                              void (*put)(char *buf, size_t index, int count, void *arg), int count, size_t datum_size,
                              int word_size, void *arg);
int QIO_close_read_field(QIO_Reader *in, uint64_t *nbytes);
int QIO_init_write_field(QIO_Writer *out, int msg_begin, int msg_end, size_t datum_size, DML_Checksum *checksum,
                         const LIME_type lime_type);
int QIO_seek_write_field_datum(QIO_Writer *out, DML_SiteRank seeksite,
                               void (*get)(char *buf, size_t index, int count, void *arg), int count, size_t datum_size,
                               int word_size, void *arg);
int QIO_close_write_field(QIO_Writer *out, uint64_t *nbytes);

#endif
