/* Version of QIO whose interface this library has, for programs that print it. */
#ifndef LINKSTREAM_QIO_CONFIG_H
#define LINKSTREAM_QIO_CONFIG_H

#define QIO_VERSION "3.0.0 (linkstream)"

#endif
