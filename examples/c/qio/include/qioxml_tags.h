/* Elements of documents, for programs that write and read documents of their own kind with parts of QIO: MILC and CPS.
 *
 * A document is a root with a flat list of elements. Values are texts as they are, without escaping. An element that does
 * not fit, and a value that is malformed or too long, is an error: linkstream_last_error (linkstream_error.h) describes it.
 * QIO would cut it off. */
#ifndef LINKSTREAM_QIOXML_TAGS_H
#define LINKSTREAM_QIOXML_TAGS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sizes of texts, with the zero byte. */
#define QIO_MAXTAG 64
#define QIO_MAXATTR 512
#define QIO_MAXVALUESTRING 32768
#define QIO_MAXINTARRAY 8
/* Size of a document that programs allocate. */
#define QIO_STRINGALLOC 1024

/* The start of each document, and the name of its first tag as QIO_next_tag finds it. */
#define QIO_XMLINFO "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
#define QIO_QUESTXML "?xml"

/* User's documents of files and records of other programs. */
#define QIO_NONSCIDAC_FILE QIO_XMLINFO "\n<NonSciDACFile/>\n"
#define QIO_NONSCIDAC_RECORD QIO_XMLINFO "\n<NonSciDACRecord/>\n"

/* An element: name, attributes, value, and how often it has occurred. */
typedef struct QIO_TagCharValue {
    char tag[QIO_MAXTAG];
    char attr[QIO_MAXATTR];
    char value[QIO_MAXVALUESTRING];
    short occur;
} QIO_TagCharValue;

typedef struct QIO_TagHex32Value {
    char tag[QIO_MAXTAG];
    char attr[QIO_MAXATTR];
    uint32_t value;
    short occur;
} QIO_TagHex32Value;

typedef struct QIO_TagIntValue {
    char tag[QIO_MAXTAG];
    char attr[QIO_MAXATTR];
    int value;
    short occur;
} QIO_TagIntValue;

typedef struct QIO_TagIntArrayValue {
    char tag[QIO_MAXTAG];
    char attr[QIO_MAXATTR];
    int value[QIO_MAXINTARRAY];
    int n;
    short occur;
} QIO_TagIntArrayValue;

/* Writes an element at `buf`, which has room for *remainder bytes, unless it has not occurred. Returns the end of the text,
 * and reduces *remainder. If the element does not fit, nothing is written, and *remainder becomes -1: elements that follow
 * do not fit, either. */
char *QIO_encode_as_string(char *buf, QIO_TagCharValue *tag_value, int *remainder);
char *QIO_encode_as_int(char *buf, QIO_TagIntValue *tag_value, int *remainder);

/* Copies the name of the next tag to `tag` (QIO_MAXTAG bytes) and its position to *left_angle. Returns the end of the tag;
 * an empty name and the end of the text if there is none. */
char *QIO_next_tag(char *parse_pt, char *tag, char **left_angle);

/* Copies name and value of the next element to `tag` (QIO_MAXTAG bytes) and `value_string` (QIO_MAXVALUESTRING bytes),
 * without white space around the value. Returns the end of the element. Empty texts and the end of the text if there is
 * none, or if it is truncated or too long. */
char *QIO_get_tag_value(char *parse_pt, char *tag, char *value_string);

/* If `tag` is the name of the element, sets its value and counts that it occurs. */
void QIO_decode_as_string(char *tag, char *value_string, QIO_TagCharValue *tag_value);
void QIO_decode_as_int(char *tag, char *value_string, QIO_TagIntValue *tag_value);

/* 0 if the element has occurred once, otherwise 1. */
int QIO_check_string_occur(QIO_TagCharValue *tag_value);
int QIO_check_int_occur(QIO_TagIntValue *tag_value);

#ifdef __cplusplus
}
#endif
#endif
