/* Finds the MPI library of the program, and the communicator that it uses. See program.h. */
#include "program.h"

#include <stdio.h>
#include <string.h>

#define WEAK __attribute__((weak))

/* These calls have no handles of MPI: they are the same in all libraries. */
WEAK int MPI_Initialized(int *flag);
WEAK int MPI_Finalized(int *flag);
WEAK int MPI_Get_library_version(char *version, int *length);
/* Open MPI has this object, and no other library. */
extern WEAK char ompi_mpi_comm_world[];

/* QMP 2.4 and newer. Its default communicator is that of the job, until the program splits it. */
WEAK int QMP_is_initialized(void);
WEAK void *QMP_comm_get_default(void);
WEAK int QMP_get_mpi_comm(void *comm, void **mpi_comm);

/* True if MPI is in use. */
static int is_in_use(void)
{
    int is_initialized = 0, is_finalized = 0;
    if (MPI_Initialized == NULL || MPI_Finalized == NULL) return 0;
    if (MPI_Initialized(&is_initialized) != 0 || MPI_Finalized(&is_finalized) != 0) return 0;
    return is_initialized && !is_finalized;
}

/* The family of the MPI library; NULL and a message if it is none of ours. */
static const linkstream_program_mpi *family(char *message)
{
    static const char *const relatives[] = {"MPICH", "MVAPICH", "Intel(R) MPI", "ParaStation"};
    /* The largest MPI_MAX_LIBRARY_VERSION_STRING of all libraries is 8192. */
    char version[16384] = "";
    const linkstream_program_mpi *found = NULL;
    const char *missing;
    int length = 0;
    size_t r;
    if (ompi_mpi_comm_world != NULL) {
        found = &linkstream_program_openmpi;
    } else if (MPI_Get_library_version != NULL && MPI_Get_library_version(version, &length) == 0) {
        for (r = 0; r < sizeof relatives / sizeof *relatives; r++)
            if (strstr(version, relatives[r]) != NULL) found = &linkstream_program_mpich;
    }
    if (found == NULL) {
        snprintf(message, LINKSTREAM_PROGRAM_MESSAGE,
                 "the MPI library of this program is not known (%.80s): pass its ranks to linkstream_set_world", version);
    } else if ((missing = found->missing()) != NULL) {
        snprintf(message, LINKSTREAM_PROGRAM_MESSAGE,
                 "%s is not linked: link the program with the shared library of MPI, or pass its ranks to "
                 "linkstream_set_world", missing);
        found = NULL;
    }
    return found;
}

/* The communicator of QMP; NULL if the program does not use QMP. */
static const void *communicator(void)
{
    void *comm = NULL;
    if (QMP_is_initialized == NULL || QMP_comm_get_default == NULL || QMP_get_mpi_comm == NULL) return NULL;
    if (!QMP_is_initialized() || QMP_get_mpi_comm(QMP_comm_get_default(), &comm) != 0) return NULL;
    return comm;
}

int linkstream_program_world(linkstream_comm *world, char *message)
{
    const linkstream_program_mpi *mpi;
    memset(world, 0, sizeof *world);
    if (!is_in_use()) return 0;
    mpi = family(message);
    return mpi == NULL ? -1 : mpi->world(communicator(), world, message);
}

int linkstream_program_route(char *buf, size_t size, int from, int to, char *message)
{
    const linkstream_program_mpi *mpi;
    if (!is_in_use()) return 1;
    mpi = family(message);
    return mpi == NULL ? -1 : mpi->route(communicator(), buf, size, from, to, message);
}
