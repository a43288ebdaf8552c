#!/usr/bin/env bash
# The templates for checkpoints in C and Fortran, with each MPI library: checkpoint.sh DIRECTORY-OF-LIBRARIES SCRATCH.
# Prints what is wrong.
set -euo pipefail
c=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
out=$1 scratch=$2 templates=$c/../checkpoint
include=(-I"$c/scda/include" -I"$c/border/include" -I"$c/ranks/include")
link=("$out/libscda.a" -lpthread -ldl -lm)
cd "$scratch"
for mpi in ${MPIS-openmpi mpich}; do
    mpicc.$mpi -std=c99 -Wall -Wextra -Werror "${include[@]}" "$templates/checkpoint.c" "${link[@]}" -o in-c
    mpicc.$mpi "${include[@]}" -c "$c/fortran/scda_f.c"
    mpif90.$mpi -std=f2018 -Wall -Wextra -J "$scratch" "$c/fortran/scda.f90" "$templates/checkpoint.f90" scda_f.o \
        "${link[@]}" -o in-fortran
    for program in in-c in-fortran; do
        "$templates/run-test" $mpi "./$program" "$scratch" || {
            echo "$program, $mpi"
            exit 1
        }
    done
done
