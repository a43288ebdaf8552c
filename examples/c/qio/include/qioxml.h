/* Descriptions of records and of the standard files of USQCD (QIO 2.3, section 4.2 and appendix A).
 *
 * Errors: calls that return a pointer return NULL, calls that return an int a negative code of qio_types.h, unless
 * they say otherwise. linkstream_last_error (linkstream_error.h) describes the error. A null pointer, a destroyed
 * handle, a QIO_RecordInfo that was not filled, and a handle that another thread is using are QIO_BAD_ARG.
 *
 * Pointers that the accessors return belong to the library; they are valid until the handle is destroyed, or another
 * record is read or decoded into it. */
#ifndef LINKSTREAM_QIOXML_H
#define LINKSTREAM_QIOXML_H

#include <qio_string.h>
#include <qio_types.h>
#include <qioxml_tags.h>
#include <qioxml_usqcd_gauge.h>
#include <qioxml_usqcd_ksprop.h>
#include <qioxml_usqcd_prop.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Description of the data of a record (section 4.2) --- */

/* The structure comes from QIO_create_record_info, or is one of the program, which needs neither a value before QIO_read
 * or QIO_read_record_info fills it nor an end, and can be copied. Use the members through the calls below. */
typedef struct QIO_RecordInfo {
    uint64_t mark; /* set when the structure is filled */
    int recordtype, dimensions;
    int lower[8], upper[8];
    int colors, spins, typesize, datacount;
    char datatype[128], precision[128], date[128];
} QIO_RecordInfo;

/* A description. For reading, all arguments can be 0, NULL or "": what is read replaces them.
 *   recordtype    QIO_FIELD, QIO_GLOBAL or QIO_HYPER
 *   lower, upper  for QIO_HYPER: first and last site of the hypercube, n coordinates each, both inclusive; otherwise
 *                 not used and can be NULL
 *   n             number of dimensions of the lattice, 0 to 8
 *   datatype      name of the type of an item: any text of at most 64 bytes, for example "USQCD_F3_ColorMatrix"
 *   precision     "F" 32-bit and "D" 64-bit numbers, "I" 32-bit integers, "S" random-number state, "U" bytes, or ""
 *   colors,spins  their numbers, 0 if they do not apply
 *   typesize      size of an item in bytes
 *   datacount     number of items per site; of global data: number of items
 * NULL for an unknown record type, negative numbers, texts of more than 127 bytes, more than 8 dimensions, and bounds
 * that are no hypercube. If datatype, precision, colors, spins and typesize contradict each other, writing the record
 * is an error. The date is the current time.
 */
QIO_RecordInfo *QIO_create_record_info(int recordtype, int lower[], int upper[], int n, char *datatype, char *precision,
                                       int colors, int spins, int typesize, int datacount);

/* Frees a description of QIO_create_record_info. NULL is allowed. */
void QIO_destroy_record_info(QIO_RecordInfo *record_info);

/* QIO_SUCCESS if `found` is as `expect` describes it, otherwise QIO_ERR_REC_INFO; linkstream_last_error has the first
 * difference. The arguments are not symmetric: texts that are NULL or "" and numbers that are 0 in `expect` are not
 * compared, nor is a hypercube without bounds. The record type always is, because QIO_FIELD is 0; the date never is. */
int QIO_compare_record_info(QIO_RecordInfo *found, QIO_RecordInfo *expect);

/* The members. Texts that are missing are "", numbers 0. The bounds are arrays of 8 numbers, 0 without a hypercube. The
 * date is UTC in the form "Tue Jan  2 03:04:05 2024 UTC". QIO_get_typesize returns 0 after an error. */
char *QIO_get_record_date(QIO_RecordInfo *record_info);
int QIO_get_recordtype(QIO_RecordInfo *record_info);
int *QIO_get_hyperlower(QIO_RecordInfo *record_info);
int *QIO_get_hyperupper(QIO_RecordInfo *record_info);
char *QIO_get_datatype(QIO_RecordInfo *record_info);
char *QIO_get_precision(QIO_RecordInfo *record_info);
int QIO_get_colors(QIO_RecordInfo *record_info);
int QIO_get_spins(QIO_RecordInfo *record_info);
size_t QIO_get_typesize(QIO_RecordInfo *record_info);
int QIO_get_datacount(QIO_RecordInfo *record_info);

/* 1 if a member is given: a text that is not empty, a number that is not 0; otherwise, and after an error, 0. */
int QIO_defined_record_date(QIO_RecordInfo *record_info);
int QIO_defined_recordtype(QIO_RecordInfo *record_info);
int QIO_defined_datatype(QIO_RecordInfo *record_info);
int QIO_defined_precision(QIO_RecordInfo *record_info);
int QIO_defined_colors(QIO_RecordInfo *record_info);
int QIO_defined_spins(QIO_RecordInfo *record_info);
int QIO_defined_typesize(QIO_RecordInfo *record_info);
int QIO_defined_datacount(QIO_RecordInfo *record_info);

#ifdef __cplusplus
}
#endif
#endif
