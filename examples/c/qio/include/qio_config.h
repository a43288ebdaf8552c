/* Version of QIO whose interface this library has, and of the library, for programs that print them. */
#ifndef LINKSTREAM_QIO_CONFIG_H
#define LINKSTREAM_QIO_CONFIG_H

#define QIO_VERSION "3.0.0 (linkstream)"

#ifdef __cplusplus
extern "C" {
#endif

/* Version and build of the library that the program is linked with, such as "3.0.0 (linkstream 0.2.0,
 * x86_64-unknown-linux-gnu, release)": version of QIO's interface, version of the library, target, profile. QIO_VERSION
 * is the version of the headers. QIO itself has no such call: a program that is also linked with it declares the symbol
 * as weak. */
const char *QIO_library_version(void);

#ifdef __cplusplus
}
#endif

#endif
