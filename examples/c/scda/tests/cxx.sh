#!/usr/bin/env bash
# The headers in C++, serially and with both MPI libraries, and headers that a program includes but does not use:
# cxx.sh DIRECTORY-OF-LIBRARIES SCRATCH. Prints what is wrong.
set -euo pipefail
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
c=$tests/../..
out=$1 scratch=$2
options=(-Wall -Wextra -Werror -I"$tests/../include" -I"$c/border/include" -I"$c/ranks/include")
link=("$out/libscda.a" -lpthread -ldl -lm)

for standard in c++11 c++20; do
    g++ -std=$standard -pedantic "${options[@]}" "$tests/cxx.cpp" "${link[@]}" -o "$scratch/cxx"
    "$scratch/cxx" "$scratch"
done
root=()
[ "$(id -u)" != 0 ] || root=(--allow-run-as-root)
declare -A launch=(
    [openmpi]="mpirun.openmpi --oversubscribe --mca mpi_yield_when_idle 1 ${root[*]}"
    [mpich]=mpirun.mpich
)
for mpi in openmpi mpich; do
    # The C++ interface that Open MPI once had warns by itself.
    mpicxx.$mpi -std=c++11 -DOMPI_SKIP_MPICXX -DSCDA_TEST_MPI "${options[@]}" "$tests/cxx.cpp" "${link[@]}" \
        -o "$scratch/cxx"
    # shellcheck disable=SC2086 # several words
    timeout 60 ${launch[$mpi]} -n 2 "$scratch/cxx" "$scratch"
    for standard in c89 c99 c11; do
        printf '#include <mpi.h>\n#include <scda.h>\nint none;\n' >"$scratch/unused.c"
        mpicc.$mpi -std=$standard -D_POSIX_C_SOURCE=200809L -O2 "${options[@]}" -c "$scratch/unused.c" \
            -o "$scratch/unused.o"
        printf '#define SCDA_MPI\n#include <scda.h>\n#include <scda.h>\nint none;\n' >"$scratch/unused.c"
        mpicc.$mpi -std=$standard -D_POSIX_C_SOURCE=200809L "${options[@]}" -c "$scratch/unused.c" \
            -o "$scratch/unused.o"
    done
done
for standard in c89 c99 c11; do
    printf '#include <scda.h>\nint none;\n' >"$scratch/unused.c"
    gcc -std=$standard -pedantic "${options[@]}" -c "$scratch/unused.c" -o "$scratch/unused.o"
done
