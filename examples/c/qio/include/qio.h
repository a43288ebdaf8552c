/* QIO 2.3: lattice fields, fields on hypercubes, and global data in SciDAC and ILDG files.
 *
 * Sections are those of "Input/Output for QCD", version 2.3. The bytes of all files are those of QIO. Data that are read are
 * verified. All calls that return an int return QIO_SUCCESS (0), or a negative code of qio_types.h unless they say
 * otherwise; calls that return a pointer return NULL after an error; linkstream_last_error (linkstream_error.h) describes
 * the error. Nothing ends the process, and nothing is printed unless QIO_verbose asks for it.
 *
 * Ranks. Calls marked "collective" are made by all ranks of the world, in the same order, with the same arguments but for
 * the layout's own node, texts of the user, and data. After an error all ranks have the same code; no rank is left waiting.
 * If the ranks make different calls, all get QIO_BAD_ARG, and nothing is read, written or closed.
 * After an error of the file or of the system, all later calls with the same handle return it; close the handle then.
 *
 * The world is found when a file is opened, however this header was compiled. If MPI is initialized then, it is QMP's default
 * communicator, if the program uses QMP, or MPI_COMM_WORLD; otherwise it is a single rank. The library knows MPICH, Open MPI
 * and their relatives; with another MPI library, opening a file is an error. linkstream_set_world sets another world.
 *
 * Threads. Each file is used by one thread at a time: another call at the same time, also from a function that get or put
 * run, is an error. Different files can be used by different threads if there is a single rank.
 *
 * Functions of the program (of layouts, file systems and ranks, get and put) must return: neither longjmp nor a C++
 * exception may leave them. After fork, both processes can use files that are read; a file that is written belongs to one
 * of them. */
#ifndef LINKSTREAM_QIO_H
#define LINKSTREAM_QIO_H

/* Programs that include only this header use stdio, malloc, string functions, and what lime.h declares. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#if defined(__has_include)
#if __has_include(<lime.h>)
#include <lime.h>
#endif
#endif

#include <linkstream_comm.h>
#include <linkstream_error.h>
#include <qio_config.h>
#include <qio_layout.h>
#include <qio_stdint.h>
#include <qio_string.h>
#include <qio_types.h>
#include <qioxml.h>

/* For an argument that a function of the program does not use. */
#define _QIO_UNUSED_ARGUMENT(argument) ((void)(argument))

#ifdef __cplusplus
extern "C" {
#endif

typedef struct QIO_Reader QIO_Reader; /* A file that is read */
typedef struct QIO_Writer QIO_Writer; /* A file that is written */

/* --- The ranks --- */

/* Sets the ranks of all files that are opened from now on, for example those of another communicator of MPI (see
 * linkstream_mpi.h), or a single one (size 1). The structure is copied; what its functions need must exist as long as such
 * files are open. NULL: back to the world of the program. */
int linkstream_set_world(const linkstream_comm *comm);

/* Rank `fromnode` sends `size` bytes at its `buf` to the `buf` of rank `tonode`; other ranks return at once. The ranks are
 * those of MPI, and not those of linkstream_set_world. */
int DML_route_bytes(char *buf, size_t size, int fromnode, int tonode);

/* --- Opening and closing (section 4.3) --- */

/* Collective: creates a file, or opens it to append to it, and writes the documents of the file. `xml_file` (may be NULL) is
 * the user's document. `volfmt` is QIO_SINGLEFILE to QIO_PARTFILE_DIR; a job of one rank writes a single file whatever it
 * is. The first four functions of the layout, or the four with the suffix _ext, are used until the file is closed, and so
 * are the functions of `fs` (NULL: each node is its own I/O node, and node 0 the master).
 *
 * `oflag`: serial and parallel mode write the same bytes. QIO_CREAT and QIO_TRUNC replace an existing file; QIO_APPEND
 * continues it: it must be intact, and have the same lattice, volume format and site lists; its data are not verified. After
 * an error, the records that it had are still in it, but a truncated one may follow them. QIO_ILDGLAT adds the records of
 * ILDG to gauge fields (QDP_ or USQCD_, F3 or D3, ColorMatrix, 4 of them per site, 4 dimensions) and the logical file name
 * ildgLFN, if it is not NULL; the first record of another kind ends this form. NULL: truncate, ILDG form without a name, as
 * QIO does (the document says: without the ILDG form). */
QIO_Writer *QIO_open_write(QIO_String *xml_file, const char *filename, int volfmt, QIO_Layout *layout, QIO_Filesystem *fs,
                           QIO_Oflag *oflag);

/* Collective: opens a file, and reads its documents; the user's document goes to `xml_file`, unless it is NULL. The name is
 * the name of a single file or of a set. Volumes are found if the file does not exist, or if iflag->volfmt asks for them.
 * If each I/O node finds its own volume and these are the whole lattice, it reads that one; otherwise the ranks share all
 * volumes that rank 0 finds, so that a set can be read by any number of ranks. A set must have each site once. If latdim of
 * the layout is 0, the lattice is the one of the file; otherwise they must be equal. */
QIO_Reader *QIO_open_read(QIO_String *xml_file, const char *filename, QIO_Layout *layout, QIO_Filesystem *fs,
                          QIO_Iflag *iflag);

/* Collective: completes a file, waits until it is on the storage device, and frees the handle, also after an error. The file
 * is only good if this returns QIO_SUCCESS. */
int QIO_close_write(QIO_Writer *out);

/* Collective: closes a file and frees the handle. */
int QIO_close_read(QIO_Reader *in);

/* --- Records (section 4.4) --- */

/* Collective: writes a record: `record_info`, the user's document `xml_record` (may be NULL), data, checksum. `datum_size`
 * is typesize * datacount of the info, in bytes; `word_size` is 1, 4 or 8: the words of the data, which are in the byte
 * order of this computer in memory and big-endian in the file.
 *
 * Fields and hypercubes: get(buf, index, count, arg) is called on each node for each of its sites with data, and fills buf
 * with datum_size bytes for the site with this index; count is the datacount. buf is aligned for all words. Global data: it
 * is called once, on the master node, with index 0, and fills all datum_size bytes. */
int QIO_write(QIO_Writer *out, QIO_RecordInfo *record_info, QIO_String *xml_record,
              void (*get)(char *buf, size_t index, int count, void *arg), size_t datum_size, int word_size, void *arg);

/* Collective: reads the next record, the inverse of QIO_write. put(buf, index, count, arg) takes datum_size bytes; for global
 * data it is called on all nodes (see QIO_suppress_global_broadcast). QIO_EOF at the end of the file; a truncated file is
 * an error, not the end. QIO_CHECKSUM_MISMATCH: the data are not those that were written. put has got them nevertheless,
 * since a checksum is known when all data have been read: do not use them. QIO_ERR_CHECKSUM_INFO: a SciDAC record without
 * a checksum; the data were not verified. ILDG files of other programs may have no checksum; this is no error. */
int QIO_read(QIO_Reader *in, QIO_RecordInfo *record_info, QIO_String *xml_record,
             void (*put)(char *buf, size_t index, int count, void *arg), size_t datum_size, int word_size, void *arg);

/* Collective: reads the documents of the next record. A following QIO_read or QIO_read_record_data reads its data. */
int QIO_read_record_info(QIO_Reader *in, QIO_RecordInfo *record_info, QIO_String *xml_record);

/* Collective: reads the data of the record whose documents have been read. */
int QIO_read_record_data(QIO_Reader *in, void (*put)(char *buf, size_t index, int count, void *arg), size_t datum_size,
                         int word_size, void *arg);

/* Collective: skips a record: the one whose documents have been read, or the next one. QIO_EOF if there is none. */
int QIO_next_record(QIO_Reader *in);

/* --- Properties of files --- */

int QIO_get_reader_latdim(QIO_Reader *in);   /* number of dimensions */
int *QIO_get_reader_latsize(QIO_Reader *in); /* extents; valid until the file is closed */
/* Checksums of the data that were read or written last, of all ranks. 0 before, and after an error. */
uint32_t QIO_get_reader_last_checksuma(QIO_Reader *in);
uint32_t QIO_get_reader_last_checksumb(QIO_Reader *in);
uint32_t QIO_get_writer_last_checksuma(QIO_Writer *out);
uint32_t QIO_get_writer_last_checksumb(QIO_Writer *out);
/* Logical file name, if it is in front of data that have been passed or are next, otherwise NULL; valid until the next call
 * with this file. */
char *QIO_get_ILDG_LFN(QIO_Reader *in);
int QIO_get_ildgstyle(QIO_Reader *in);     /* QIO_ILDGLAT if the record, or the last one, has the records of ILDG */
int QIO_get_reader_volfmt(QIO_Reader *in); /* QIO_SINGLEFILE to QIO_PARTFILE_DIR */
int QIO_get_reader_format(QIO_Reader *in); /* QIO_SCIDAC_NATIVE or QIO_ILDG_ALIEN */

/* Offset of the next LIME record in the file that this node reads; 0 on nodes that read none. -1 after an error. */
off_t QIO_get_reader_pointer(QIO_Reader *in);
/* Goes to a LIME record of the file that this node reads. All ranks go to what QIO_get_reader_pointer has returned on them,
 * at the same point of the file. */
int QIO_set_reader_pointer(QIO_Reader *in, off_t offset);
/* The description of the next data, for a file that is after their documents. */
void QIO_set_record_info(QIO_Reader *in, QIO_RecordInfo *record_info);

/* The ILDG form of the records that follow; NULL as for QIO_open_write. All ranks set the same. */
void QIO_reset_writer_ILDG_flags(QIO_Writer *out, QIO_Oflag *oflag);

/* Global data that are read go to the master node only. */
void QIO_suppress_global_broadcast(QIO_Reader *in);

/* --- Conversions on one process (section 4.6) --- */

/* Makes partition files from a single file, for a machine with the nodes of `layout` and the I/O nodes of `fs`: this_node
 * and sites_on_node are those of any node. Not collective: one process calls it. `volfmt` is QIO_PARTFILE or
 * QIO_PARTFILE_DIR. Documents are kept. An ILDG file of another program becomes a SciDAC set with its first field; its
 * logical file name is lost, as in QIO. Data are verified; after an error no volume is left. */
int QIO_single_to_part(const char filename[], QIO_Filesystem *fs, QIO_Layout *layout, int volfmt);
/* The document, and programs for QIO 2, have the call without the last argument: this is QIO_PARTFILE. */
#define QIO_single_to_part(...) LINKSTREAM_SINGLE_TO_PART(__VA_ARGS__, QIO_PARTFILE, 0)
#define LINKSTREAM_SINGLE_TO_PART(filename, fs, layout, volfmt, ...) QIO_single_to_part(filename, fs, layout, volfmt)

/* Makes a single file, which must not exist, from partition files; the inverse. With QIO_ILDGLAT, records in ILDG form keep
 * it; ildgLFN, unless it is NULL or empty, replaces the logical file name. Otherwise these records are left out; as in QIO,
 * the data keep the type ildg-binary-data. */
int QIO_part_to_single(const char filename[], int ildgstyle, QIO_String *ildgLFN, QIO_Filesystem *fs, QIO_Layout *layout);

#include <qio_parts.h>

#ifdef __cplusplus
}
#endif
#endif
