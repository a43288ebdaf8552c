/* The two calls of the module scda (scda.f90) that have a communicator: the program's own mpicc compiles this file.
 *
 *     mpicc -I PREFIX/include -c PREFIX/include/scda_f.c
 *
 * In C, a communicator is what mpi.h of the MPI library says; in Fortran, it is a number, comm%MPI_VAL. */
#include <mpi.h>
#include <scda.h>

scda_fcontext *scda_fopen_f(int mpicomm, const char *filename, char mode, char *userstr, int *err);
scda_fcontext *scda_fopen_mpi_f(int mpicomm, const scda_options *options, const char *filename, char mode,
                                char *userstr, int *err);

/* Opens a file, as scda_fopen does. */
scda_fcontext *scda_fopen_f(int mpicomm, const char *filename, char mode, char *userstr, int *err)
{
    return scda_fopen(MPI_Comm_f2c((MPI_Fint)mpicomm), filename, mode, userstr, err);
}

/* Opens a file with options, as scda_fopen_mpi does. */
scda_fcontext *scda_fopen_mpi_f(int mpicomm, const scda_options *options, const char *filename, char mode,
                                char *userstr, int *err)
{
    return scda_fopen_mpi(MPI_Comm_f2c((MPI_Fint)mpicomm), options, filename, mode, userstr, NULL, err);
}
