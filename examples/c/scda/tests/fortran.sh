#!/usr/bin/env bash
# The module scda for Fortran, serially and with each MPI library: fortran.sh DIRECTORY-OF-LIBRARIES SCRATCH. A file is
# written on 3 ranks and read on 2; a serial program writes the same bytes. Prints what is wrong.
set -euo pipefail
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
c=$tests/../..
out=$1 scratch=$2
include=(-I"$tests/../include" -I"$c/border/include" -I"$c/ranks/include")
link=("$out/libscda.a" -lpthread -ldl -lm)
options=(-std=f2018 -Wall -Wextra -Werror -Wno-error=maybe-uninitialized -J "$scratch")
cd "$scratch"

# The module is of Fortran 2003.
gfortran -std=f2003 -Wall -Wextra -Werror -J "$scratch" -c "$c/fortran/scda.f90" -o scda.o
cat >serial.f90 <<'EOF'
program serial
    use scda
    implicit none
    type(c_ptr) :: file
    integer(c_int) :: err
    file = scda_fopen_comm(c_null_ptr, "serial.scda"//c_null_char, 'w', "serial"//c_null_char, err)
    if (err /= 0) error stop 1
    if (scda_fclose(file, err) /= 0) error stop 2
end program
EOF
gfortran "${options[@]}" serial.f90 scda.o "${link[@]}" -o serial
./serial
[ "$(stat -c %s serial.scda)" = 128 ]

root=()
[ "$(id -u)" != 0 ] || root=(--allow-run-as-root)
declare -A launch=(
    [openmpi]="mpirun.openmpi --oversubscribe --mca mpi_yield_when_idle 1 ${root[*]}"
    [mpich]=mpirun.mpich
)
for mpi in ${MPIS-openmpi mpich}; do
    mpicc.$mpi -std=c99 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror "${include[@]}" -c "$c/fortran/scda_f.c"
    mpif90.$mpi "${options[@]}" "$tests/fortran.f90" scda.o scda_f.o "${link[@]}" -o fortran
    mkdir -p "$mpi"
    # shellcheck disable=SC2086 # several words
    for run in "3 write" "2 read" "1 read" "3 errors"; do
        timeout 60 ${launch[$mpi]} -n ${run% *} ./fortran "$mpi" ${run#* }
    done
    mv "$mpi/f.scda" "$mpi/of-three.scda"
    # shellcheck disable=SC2086 # several words
    timeout 60 ${launch[$mpi]} -n 1 ./fortran "$mpi" write
    cmp "$mpi/f.scda" "$mpi/of-three.scda"
done
