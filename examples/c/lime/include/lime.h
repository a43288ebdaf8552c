/* LIME 1.2: records and messages in streams of the C library.
 *
 * A program that was written for the reference implementation compiles and links with this library unchanged. What it
 * can rely on beyond that:
 *
 * - Every record is checked while it is read. A stream that ends inside a record is LIME_ERR_READ, never the end of the
 *   file; so are a header without the magic number or of an unknown version, padding that is missing or not zero, and
 *   bytes after the last record that are no header.
 * - Each code other than LIME_SUCCESS, LIME_EOF and LIME_EOR has a description: linkstream_last_error().
 * - Null pointers, destroyed handles, pointers to something else and calls at a wrong time are LIME_ERR_PARAM. A
 *   pointer to a handle is looked up in a list before anything is read from it. (The source of limeReaderSetState and
 *   limeWriterSetState is an exception: it can be a copy of the bytes of a handle. They have a checksum.)
 * - Nothing is printed, and nothing ends the program.
 * - A stream without positions, like a pipe, can be read and written in order.
 *
 * The program opens the stream and closes it (section 3 of the document). It must be open when a function uses the
 * handle. Destroying a reader does not use it; destroying a writer does if it closed a record before other processes had
 * written all of its bytes. While a handle exists, nothing else may use the stream during a call;
 * between two calls it may be moved, and the library goes back to its place. Before the first record, the place of the
 * stream counts.
 *
 * A handle can be used by one thread at a time: a second one gets LIME_ERR_PARAM. Different handles are independent.
 *
 * All numbers in files are big endian; the data are bytes, and their order is the caller's (appendix A).
 */
#ifndef LINKSTREAM_LIME_H
#define LINKSTREAM_LIME_H

/* Programs that include only this header use stdio, malloc and string functions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "dcap-overload.h"
#include "lime_config.h"
#include "lime_defs.h"
#include "lime_fixed_types.h"
#include "lime_header.h"
#include "lime_reader.h"
#include "lime_writer.h"
#include "linkstream_error.h"

#endif
