/* The documents of files with staggered propagators of USQCD (QIO 2.3, appendix A.3). Texts, encoding, decoding and
 * errors are as in qioxml_usqcd_gauge.h. */
#ifndef LINKSTREAM_QIOXML_USQCD_KSPROP_H
#define LINKSTREAM_QIOXML_USQCD_KSPROP_H

#include <qio_string.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Types of files. */
#define QIO_USQCDKSPROPFILETYPE_C1V3 0 /* one complex source, then three solutions */
#define QIO_USQCDKSPROPFILETYPE_VV_PAIRS 1 /* color vectors as sources, each with its solution */
#define QIO_USQCDKSPROPFILETYPE_CV_PAIRS 2 /* complex sources, each with its solution */

typedef struct QIO_USQCDKSPropFileInfo {
    uint64_t mark, number;
} QIO_USQCDKSPropFileInfo;
typedef struct QIO_USQCDKSPropSourceInfo {
    uint64_t mark, number;
} QIO_USQCDKSPropSourceInfo;
typedef struct QIO_USQCDKSPropRecordInfo {
    uint64_t mark, number;
} QIO_USQCDKSPropRecordInfo;

/* --- The file: <usqcdKSPropFile> with version, type and info, the file XML --- */

/* `type` is a type of file; with another number the structure can be used for decoding, not for encoding
 * (QIO_ERR_FILE_INFO). */
QIO_USQCDKSPropFileInfo *QIO_create_usqcd_kspropfile_info(int type, char *info);
void QIO_destroy_usqcd_kspropfile_info(QIO_USQCDKSPropFileInfo *file_info);
void QIO_encode_usqcd_kspropfile_info(QIO_String *file_string, QIO_USQCDKSPropFileInfo *file_info);
int QIO_decode_usqcd_kspropfile_info(QIO_USQCDKSPropFileInfo *file_info, QIO_String *file_string);

/* The type of the file; QIO_ERR_FILE_INFO if it is missing or unknown. The names without usqcd are in the
 * document. */
int QIO_get_usqcd_kspropfile_type(QIO_USQCDKSPropFileInfo *file_info);
int QIO_get_kspropfile_type(QIO_USQCDKSPropFileInfo *file_info);
char *QIO_get_usqcd_kspropfile_info(QIO_USQCDKSPropFileInfo *file_info);
char *QIO_get_kspropfile_info(QIO_USQCDKSPropFileInfo *file_info);
int QIO_defined_usqcd_kspropfile_type(QIO_USQCDKSPropFileInfo *file_info);
int QIO_defined_kspropfile_type(QIO_USQCDKSPropFileInfo *file_info);
int QIO_defined_usqcd_kspropfile_info(QIO_USQCDKSPropFileInfo *file_info);
int QIO_defined_kspropfile_info(QIO_USQCDKSPropFileInfo *file_info);

/* --- Sources: <usqcdSourceInfo> with version, optional color, and info, the record XML --- */

QIO_USQCDKSPropSourceInfo *QIO_create_usqcd_kspropsource_info(char *info);
QIO_USQCDKSPropSourceInfo *QIO_create_usqcd_kspropsource_c_info(int color, char *info);
void QIO_destroy_usqcd_kspropsource_info(QIO_USQCDKSPropSourceInfo *record_info);
void QIO_encode_usqcd_kspropsource_info(QIO_String *record_string, QIO_USQCDKSPropSourceInfo *record_info);
int QIO_decode_usqcd_kspropsource_info(QIO_USQCDKSPropSourceInfo *record_info, QIO_String *record_string);
char *QIO_get_usqcd_kspropsource_info(QIO_USQCDKSPropSourceInfo *record_info);
int QIO_get_usqcd_kspropsource_color(QIO_USQCDKSPropSourceInfo *record_info);
int QIO_defined_usqcd_kspropsource_info(QIO_USQCDKSPropSourceInfo *record_info);
int QIO_defined_usqcd_kspropsource_color(QIO_USQCDKSPropSourceInfo *record_info);

/* --- Solutions: <usqcdKSPropInfo> with version, optional color, and info, the record XML --- */

QIO_USQCDKSPropRecordInfo *QIO_create_usqcd_ksproprecord_info(char *info);
QIO_USQCDKSPropRecordInfo *QIO_create_usqcd_ksproprecord_c_info(int color, char *info);
void QIO_destroy_usqcd_ksproprecord_info(QIO_USQCDKSPropRecordInfo *record_info);
void QIO_encode_usqcd_ksproprecord_info(QIO_String *record_string, QIO_USQCDKSPropRecordInfo *record_info);
int QIO_decode_usqcd_ksproprecord_info(QIO_USQCDKSPropRecordInfo *record_info, QIO_String *record_string);
char *QIO_get_usqcd_ksproprecord_info(QIO_USQCDKSPropRecordInfo *record_info);
int QIO_get_usqcd_ksproprecord_color(QIO_USQCDKSPropRecordInfo *record_info);
int QIO_defined_usqcd_ksproprecord_info(QIO_USQCDKSPropRecordInfo *record_info);
int QIO_defined_usqcd_ksproprecord_color(QIO_USQCDKSPropRecordInfo *record_info);

#ifdef __cplusplus
}
#endif
#endif
