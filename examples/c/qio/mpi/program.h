/* The ranks of a program with MPI, which the library finds when a file is opened. The library contains no MPI, and does not
 * know for which one a program is built: world.c is compiled for each of the two families of libraries, with declarations
 * of its own. */
#ifndef LINKSTREAM_PROGRAM_H
#define LINKSTREAM_PROGRAM_H

#include <stddef.h>

#include "linkstream_comm.h"

/* Room for a message. */
#define LINKSTREAM_PROGRAM_MESSAGE 1536

/* A family of MPI libraries. `comm` is the address of a communicator, or NULL for MPI_COMM_WORLD. */
typedef struct linkstream_program_mpi {
    /* The name of a call that the program has not linked; NULL if all are there. */
    const char *(*missing)(void);
    /* The ranks of a communicator, which is duplicated the first time. Returns 0, or another number and a message. */
    int (*world)(const void *comm, linkstream_comm *world, char *message);
    /* DML_route_bytes. Returns 0, or another number and a message. */
    int (*route)(const void *comm, char *buf, size_t size, int from, int to, char *message);
} linkstream_program_mpi;

extern const linkstream_program_mpi linkstream_program_mpich, linkstream_program_openmpi;

/* The ranks of the program: of the default communicator of QMP, if the program uses QMP, or of MPI_COMM_WORLD. Of size 0 if
 * MPI is not in use. Returns 0, or another number and a message. */
int linkstream_program_world(linkstream_comm *world, char *message);

/* DML_route_bytes. Returns 0, 1 if MPI is not in use, or another number and a message. */
int linkstream_program_route(char *buf, size_t size, int from, int to, char *message);

#endif
