/* QIO_String: a text and its length (QIO 2.3, section 4.7).
 *
 * A string comes from QIO_string_create, or is a structure of the program that is filled with zeros. Its text is in
 * memory of malloc. All calls can be used by several threads at the same time, each with its own strings.
 *
 * Errors: calls with a null pointer, a destroyed string of QIO_string_create, or a structure whose members contradict
 * each other do nothing, and describe the error in linkstream_last_error (linkstream_error.h). */
#ifndef LINKSTREAM_QIO_STRING_H
#define LINKSTREAM_QIO_STRING_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct QIO_String {
    char *string;  /* The text, with a zero byte at its end; NULL if there is none */
    size_t length; /* Number of bytes of its memory, with the zero byte; 0 if there is none */
} QIO_String;

/* A new string without text (NULL, 0). NULL without memory. */
QIO_String *QIO_string_create(void);

/* Frees a string of QIO_string_create and its text. NULL is allowed. A structure of the program is not freed: remove
 * its text with QIO_string_set(qs, NULL). */
void QIO_string_destroy(QIO_String *qs);

/* Replaces the text by a copy of `string`, which may be part of the old text. The length is strlen(string) + 1. NULL
 * removes the text. Without memory the text is unchanged. */
void QIO_string_set(QIO_String *qs, const char *const string);

/* Number of bytes of the memory of the text, with its zero byte: strlen + 1 after QIO_string_set, 0 without text, and
 * what was asked for after QIO_string_realloc. 0 after an error. QIO_string_bytes is the name in section 4.7 of the
 * document. */
size_t QIO_string_length(const QIO_String *const qs);
size_t QIO_string_bytes(const QIO_String *const qs);

/* The text, valid until the string is changed; the program may change its bytes. NULL without text and after an
 * error. */
char *QIO_string_ptr(QIO_String *qs);

/* Replaces the bytes of `dest` by all bytes of `src`. */
void QIO_string_copy(QIO_String *dest, QIO_String *src);

/* Changes the length to `length` bytes. A text that does not fit is truncated, and ends with a zero byte; new bytes are
 * zero. 0 removes the text. */
void QIO_string_realloc(QIO_String *qs, size_t length);

/* Appends a copy of `string`, which may be part of the text. The length is then strlen + 1. */
void QIO_string_append(QIO_String *qs, const char *const string);

#ifdef __cplusplus
}
#endif
#endif
