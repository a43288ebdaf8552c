#!/usr/bin/env bash
# Ranks that do not come to a collective call: watchdog.sh DIRECTORY-OF-LIBRARIES SCRATCH. With each MPI library of MPIS, the
# job is aborted within seconds, and a rank says why; a job whose ranks only are late ends well. Prints what is wrong.
set -euo pipefail
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
c=$tests/../..
out=$1 scratch=$2
options=(-std=c99 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror -I"$c/border/include" -I"$c/ranks/include")
options+=(-I"$c/scda/include" -I"$c/qio/include" -I"$c/lime/include")

# scda: one rank passes no file, or leaves at once, or is late; with and without another file that stays open.
cat >"$scratch/scda.c" <<'C'
#include <mpi.h>
#include <scda.h>
#include <time.h>

int main(int argc, char **argv)
{
    struct timespec second = {1, 0};
    int rank, err, i;
    char userstr[] = "watchdog";
    scda_fcontext *f, *second_file = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    f = scda_fopen(MPI_COMM_WORLD, argv[2], 'w', userstr, &err);
    if (argv[1][1] == '2') second_file = scda_fopen(MPI_COMM_WORLD, argv[3], 'w', userstr, &err);
    if (rank == 1 && argv[1][0] == 'n') {
        f = scda_fwrite_block(NULL, "block", 5, "b", 0, 0, &err);
        if (f != NULL || err != SCDA_ERR_ARGUMENT) MPI_Abort(MPI_COMM_WORLD, 7);
        MPI_Finalize();
        return 0;
    }
    if (rank == 1 && argv[1][0] == 'f') {
        MPI_Finalize();
        return 0;
    }
    if (rank == 1 && argv[1][0] == 'l')
        for (i = 0; i < 7; i++) nanosleep(&second, NULL);
    f = scda_fwrite_block(f, "block", 5, "b", 0, 0, &err);
    /* Files that are left open do not disturb the end. */
    if (argv[1][0] == 'l' && argv[1][1] == '1') scda_fclose(f, &err);
    if (err != 0 || (argv[1][1] == '2' && second_file == NULL)) return 7;
    if (rank == 0 && argv[1][0] == 'l')
        for (i = 0; i < 5; i++) nanosleep(&second, NULL);
    MPI_Finalize();
    return 0;
}
C
# qio: the world is never freed.
cat >"$scratch/qio.c" <<'C'
#include <mpi.h>
#include <qio.h>

int main(int argc, char **argv)
{
    int rank, is_skipping;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    is_skipping = rank == 1 && argv[1][0] == 'f';
    if (QIO_close_read(NULL) != QIO_BAD_ARG) return 7;
    if (!is_skipping) QIO_close_read(NULL);
    MPI_Finalize();
    return 0;
}
C
root=()
[ "$(id -u)" != 0 ] || root=(--allow-run-as-root)
declare -A launch=(
    [openmpi]="mpirun.openmpi --oversubscribe --mca mpi_yield_when_idle 1 ${root[*]}"
    [mpich]=mpirun.mpich
)
status=0
# Runs a job: job EXPECTED MPI LIBRARY CASE
job() {
    local expected=$1 code=0 since=$SECONDS
    # shellcheck disable=SC2086 # several words
    timeout 60 ${launch[$2]} -n 3 "$scratch/$3" "$4" "$scratch/a.scda" "$scratch/b.scda" >"$scratch/log" 2>&1 || code=$?
    case $expected in
        good) [ $code = 0 ] && ! grep -q 'is in MPI_Finalize' "$scratch/log" ;;
        aborted) # a program that fails by itself returns 7; MPICH kills the other ranks, which is status 9
            [ $code != 0 ] && [ $code != 7 ] && [ $code != 124 ] && [ $((SECONDS - since)) -lt 40 ] &&
                grep -q 'waits in a collective call of linkstream, but rank 1 is in MPI_Finalize' "$scratch/log"
            ;;
    esac || {
        echo "$2, $3 $4: status $code after $((SECONDS - since)) s, and not: $expected"
        head -n 20 "$scratch/log"
        status=1
    }
}
for mpi in ${MPIS-openmpi mpich}; do
    for library in scda qio; do
        mpicc.$mpi "${options[@]}" "$scratch/$library.c" "$out/lib$library.a" -lpthread -ldl -lm -o "$scratch/$library"
    done
    for case in n1 n2 f1 f2; do job aborted $mpi scda $case; done
    for case in l1 l2; do job good $mpi scda $case; done
    job aborted $mpi qio f
    job good $mpi qio n
done
exit $status
