/* Layouts for conversions, names of volumes, verbosity and time (QIO 2.3, sections 4.4 and 4.6). Programs include
 * qio.h, which includes this header.
 *
 * Errors: calls that return a pointer return NULL, calls that return an int a negative code of qio_types.h;
 * linkstream_last_error (linkstream_error.h) describes the error. */
#ifndef LINKSTREAM_QIO_LAYOUT_H
#define LINKSTREAM_QIO_LAYOUT_H

#include <qio_types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Layouts for conversions on one process (section 4.6) --- */

/* A layout in which each I/O node has the sites of all nodes that it reads and writes files for, its family. Nodes
 * have the same numbers as in `layout`; those that are no I/O nodes have no sites. On an I/O node, the sites of its
 * nodes follow each other in the order of their numbers, and those of a node in the order of their indices. Both kinds
 * of functions are set: those with the suffix _ext work on this layout, the others on the last one that was created
 * and still exists. The functions of `layout` and `fs`, and what `arg` points to, are used until the layout is
 * deleted; the structures are not. QIO_ERR_BAD_IONODE: a node has an I/O node that does not exist, is not in the table
 * fs->io_node, or has another one. */
QIO_Layout *QIO_create_ionode_layout(QIO_Layout *layout, QIO_Filesystem *fs);
void QIO_delete_ionode_layout(QIO_Layout *layout);

/* A layout with all sites on node 0; the index of a site is its lexicographic rank, coordinate 0 fastest. `fs` is not
 * used and can be NULL. */
QIO_Layout *QIO_create_scalar_layout(QIO_Layout *layout, QIO_Filesystem *fs);
void QIO_delete_scalar_layout(QIO_Layout *layout);

/* These work on the last layout of QIO_create_ionode_layout that still exists.
 * The I/O node of a node; the place of an I/O node in the table of I/O nodes; the rank of a site with an index on an
 * I/O node, and the other way round (`scalar_node` is 0). A result of 2^31 or more is an error. */
int QIO_ionode_io_node(int node);
int QIO_get_io_node_rank(int node);
int QIO_ionode_to_scalar_index(int ionode_node, int ionode_index);
int QIO_scalar_to_ionode_index(int scalar_node, int scalar_index);

/* A copy of a layout in which the functions with the suffix _ext are set, whichever are set in `layout`. Free it with
 * QIO_free_layout_ext. */
QIO_Layout *QIO_check_layout_ext(QIO_Layout *layout);
void QIO_free_layout_ext(DML_Layout *layout);

/* --- Names of volumes (section 2.2) --- */

/* Name of the file of a node: NAME, NAME.volNNNN, or DIRECTORY/volNNNN/NAME; NNNN is the number of the node with at
 * least 4 digits. `filename` has at most 500 bytes. The program frees the name with free. */
char *QIO_filename_edit(const char *filename, int volfmt, int this_node);

/* Path of a file: `filename`, or with QIO_MULTI_PATH the directory of the I/O node `node`, a slash, and `filename`. The
 * program frees the path with free. */
char *QIO_set_filepath(QIO_Filesystem *fs, const char *const filename, int node);

/* --- Verbosity and time --- */

/* Sets the verbosity of the process, QIO_VERB_OFF to QIO_VERB_DEBUG; returns the old one. Other levels are an error. */
int QIO_verbose(int level);

/* The verbosity. */
int QIO_verbosity(void);

/* Seconds since the first call, from a clock that never goes back. */
double QIO_time(void);

/* Waits for so many seconds. Negative numbers and NaN are an error, and nothing is waited for. */
void QIO_wait(double sec);

#ifdef __cplusplus
}
#endif
#endif
