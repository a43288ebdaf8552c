/* The documents of files with Dirac propagators of USQCD (QIO 2.3, appendix A.2). Texts, encoding, decoding and errors
 * are as in qioxml_usqcd_gauge.h. */
#ifndef LINKSTREAM_QIOXML_USQCD_PROP_H
#define LINKSTREAM_QIOXML_USQCD_PROP_H

#include <qio_string.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Types of files. */
#define QIO_USQCDPROPFILETYPE_C1D12 0 /* one complex source, then twelve solutions */
#define QIO_USQCDPROPFILETYPE_DD_PAIRS 1 /* Dirac fields as sources, each with its solution */
#define QIO_USQCDPROPFILETYPE_CD_PAIRS 2 /* complex sources, each with its solution */
#define QIO_USQCDPROPFILETYPE_LHPC 3 /* not specified further */

typedef struct QIO_USQCDPropFileInfo {
    uint64_t mark, number;
} QIO_USQCDPropFileInfo;
typedef struct QIO_USQCDPropSourceInfo {
    uint64_t mark, number;
} QIO_USQCDPropSourceInfo;
typedef struct QIO_USQCDPropRecordInfo {
    uint64_t mark, number;
} QIO_USQCDPropRecordInfo;

/* --- The file: <usqcdPropFile> with version, type and info, the file XML --- */

/* `type` is a type of file; with another number the structure can be used for decoding, not for encoding
 * (QIO_ERR_FILE_INFO). */
QIO_USQCDPropFileInfo *QIO_create_usqcd_propfile_info(int type, char *info);
void QIO_destroy_usqcd_propfile_info(QIO_USQCDPropFileInfo *file_info);
void QIO_encode_usqcd_propfile_info(QIO_String *file_string, QIO_USQCDPropFileInfo *file_info);
int QIO_decode_usqcd_propfile_info(QIO_USQCDPropFileInfo *file_info, QIO_String *file_string);

/* The type of the file; QIO_ERR_FILE_INFO if it is missing or unknown. The names without usqcd are in the
 * document. */
int QIO_get_usqcd_propfile_type(QIO_USQCDPropFileInfo *file_info);
int QIO_get_propfile_type(QIO_USQCDPropFileInfo *file_info);
char *QIO_get_usqcd_propfile_info(QIO_USQCDPropFileInfo *file_info);
char *QIO_get_propfile_info(QIO_USQCDPropFileInfo *file_info);
int QIO_defined_usqcd_propfile_type(QIO_USQCDPropFileInfo *file_info);
int QIO_defined_propfile_type(QIO_USQCDPropFileInfo *file_info);
int QIO_defined_usqcd_propfile_info(QIO_USQCDPropFileInfo *file_info);
int QIO_defined_propfile_info(QIO_USQCDPropFileInfo *file_info);

/* --- Sources: <usqcdSourceInfo> with version, optional spin and color, and info, the record XML --- */

QIO_USQCDPropSourceInfo *QIO_create_usqcd_propsource_info(char *info);
QIO_USQCDPropSourceInfo *QIO_create_usqcd_propsource_sc_info(int spin, int color, char *info);
void QIO_destroy_usqcd_propsource_info(QIO_USQCDPropSourceInfo *record_info);
void QIO_encode_usqcd_propsource_info(QIO_String *record_string, QIO_USQCDPropSourceInfo *record_info);
int QIO_decode_usqcd_propsource_info(QIO_USQCDPropSourceInfo *record_info, QIO_String *record_string);
char *QIO_get_usqcd_propsource_info(QIO_USQCDPropSourceInfo *record_info);
int QIO_get_usqcd_propsource_spin(QIO_USQCDPropSourceInfo *record_info);
int QIO_get_usqcd_propsource_color(QIO_USQCDPropSourceInfo *record_info);
int QIO_defined_usqcd_propsource_info(QIO_USQCDPropSourceInfo *record_info);
int QIO_defined_usqcd_propsource_spin(QIO_USQCDPropSourceInfo *record_info);
int QIO_defined_usqcd_propsource_color(QIO_USQCDPropSourceInfo *record_info);

/* --- Solutions: <usqcdPropInfo> with version, optional spin and color, and info, the record XML --- */

/* Decoding also takes <usqcdInfo>, which QIO wrote for solutions before version 2.3.5. */
QIO_USQCDPropRecordInfo *QIO_create_usqcd_proprecord_info(char *info);
QIO_USQCDPropRecordInfo *QIO_create_usqcd_proprecord_sc_info(int spin, int color, char *info);
void QIO_destroy_usqcd_proprecord_info(QIO_USQCDPropRecordInfo *record_info);
void QIO_encode_usqcd_proprecord_info(QIO_String *record_string, QIO_USQCDPropRecordInfo *record_info);
int QIO_decode_usqcd_proprecord_info(QIO_USQCDPropRecordInfo *record_info, QIO_String *record_string);
char *QIO_get_usqcd_proprecord_info(QIO_USQCDPropRecordInfo *record_info);
int QIO_get_usqcd_proprecord_spin(QIO_USQCDPropRecordInfo *record_info);
int QIO_get_usqcd_proprecord_color(QIO_USQCDPropRecordInfo *record_info);
int QIO_defined_usqcd_proprecord_info(QIO_USQCDPropRecordInfo *record_info);
int QIO_defined_usqcd_proprecord_spin(QIO_USQCDPropRecordInfo *record_info);
int QIO_defined_usqcd_proprecord_color(QIO_USQCDPropRecordInfo *record_info);

#ifdef __cplusplus
}
#endif
#endif
