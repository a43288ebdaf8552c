/* Calls for parts of files: see below. Programs include qio.h, which includes this header. */
#ifndef LINKSTREAM_QIO_PARTS_H
#define LINKSTREAM_QIO_PARTS_H
#endif
