/* The document of a gauge field of USQCD (QIO 2.3, appendix A.1): the record XML
 * <usqcdInfo><version>1.0</version><plaq>...</plaq><linktr>...</linktr><info>...</info></usqcdInfo>. Errors are as in
 * qioxml.h.
 *
 * For this and the other documents of USQCD:
 *
 * A structure comes from a QIO_create_... call, or is one of the program, which needs neither a value before a document is
 * decoded into it nor an end. A copy has the content of its original, also after the next decoding. The members are not
 * for programs.
 *
 * Texts have at most 1023 bytes, the limit of the document; a longer one is an error, and no document is created. NULL
 * is a missing text: its element is left out. Texts are written as they are, without escaping, and can be XML or not.
 * Only a text with a tag of the name of its own element that is not balanced cannot be written (QIO_BAD_XML): it would
 * be read as another text. A document can have more than 1023 bytes; it is written in full.
 *
 * Encoding replaces the text of a string by the document, on one line. After an error the string is empty.
 *
 * Decoding replaces what was in the structure. Elements can have any order; attributes, comments, text between
 * elements and unknown elements are ignored, and white space around a text is removed. It returns
 *   QIO_SUCCESS  all required elements are there once
 *   1, 2, ...      the number of errors: required elements that are missing, elements that occur twice (the last one is
 *                used), numbers that are none; what is there can be used. Spin and color are not required
 *   QIO_BAD_XML  the text is no such document, or it is truncated or malformed; the structure has no elements then
 *   QIO_BAD_ARG  a wrong handle or string
 * and for 1, 2, ... linkstream_last_error describes the first error.
 *
 * Accessors of texts return "" for a missing element. Those of numbers return QIO_ERR_REC_INFO. The calls
 * QIO_defined_... return 1 for an element that is there, otherwise 0. */
#ifndef LINKSTREAM_QIOXML_USQCD_GAUGE_H
#define LINKSTREAM_QIOXML_USQCD_GAUGE_H

#include <qio_string.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct QIO_USQCDLatticeInfo {
    uint64_t mark, number;
} QIO_USQCDLatticeInfo;

/* Average plaquette, normalised to 1 for unit matrices; real part of the average trace of a link; any text. */
QIO_USQCDLatticeInfo *QIO_create_usqcd_lattice_info(char *plaq, char *linktr, char *info);
void QIO_destroy_usqcd_lattice_info(QIO_USQCDLatticeInfo *record_info);
void QIO_encode_usqcd_lattice_info(QIO_String *record_string, QIO_USQCDLatticeInfo *record_info);
int QIO_decode_usqcd_lattice_info(QIO_USQCDLatticeInfo *record_info, QIO_String *record_string);
char *QIO_get_plaq(QIO_USQCDLatticeInfo *record_info);
char *QIO_get_linktr(QIO_USQCDLatticeInfo *record_info);
char *QIO_get_info(QIO_USQCDLatticeInfo *record_info);
int QIO_defined_plaq(QIO_USQCDLatticeInfo *record_info);
int QIO_defined_linktr(QIO_USQCDLatticeInfo *record_info);
int QIO_defined_info(QIO_USQCDLatticeInfo *record_info);

#ifdef __cplusplus
}
#endif
#endif
