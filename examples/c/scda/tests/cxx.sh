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
for mpi in ${MPIS-openmpi mpich}; do
    # The C++ interface that Open MPI once had warns by itself.
    mpicxx.$mpi -std=c++11 -DOMPI_SKIP_MPICXX -DSCDA_TEST_MPI "${options[@]}" "$tests/cxx.cpp" "${link[@]}" \
        -o "$scratch/cxx"
    # shellcheck disable=SC2086 # several words
    timeout 60 ${launch[$mpi]} -n 2 "$scratch/cxx" "$scratch"
    for standard in c89 c99 c11; do
        printf '#include <mpi.h>\n#include <scda.h>\nint none;\n' >"$scratch/unused.c"
        mpicc.$mpi -std=$standard -D_POSIX_C_SOURCE=200809L -O2 "${options[@]}" -c "$scratch/unused.c" \
            -o "$scratch/unused.o"
        printf '#define SCDA_MPI\n#include <scda.h>\n#include <libsc/sc_scda.h>\nint none;\n' >"$scratch/unused.c"
        mpicc.$mpi -std=$standard -D_POSIX_C_SOURCE=200809L "${options[@]}" -c "$scratch/unused.c" \
            -o "$scratch/unused.o"
    done
done
# libsc's interface, without libsc and with headers of it, whose sc_array_t the program's own file defines.
mkdir -p "$scratch/sc"
cat >"$scratch/sc/sc_containers.h" <<'EOF'
#include <stddef.h>
#include <sys/types.h>
#define sc_MPI_SUCCESS 0
#define sc_MPI_COMM_NULL 7
#define sc_MPI_MAX_ERROR_STRING 80
enum { sc_MPI_ERR_OTHER = 1, sc_MPI_ERR_NO_MEM, sc_MPI_ERR_NO_SUCH_FILE, sc_MPI_ERR_BAD_FILE, sc_MPI_ERR_ACCESS,
       sc_MPI_ERR_NO_SPACE, sc_MPI_ERR_IO };
typedef int sc_MPI_Comm;
typedef int sc_MPI_Info;
typedef struct sc_array { size_t elem_size, elem_count; ssize_t byte_alloc; char *array; } sc_array_t;
void sc_array_resize(sc_array_t *array, size_t new_count);
int sc_MPI_Error_class(int code, int *error_class);
int sc_MPI_Error_string(int code, char *text, int *length);
EOF
echo 'typedef unsigned long sc_rand_state_t;' >"$scratch/sc/sc_random.h"
cat >"$scratch/with.c" <<'EOF'
#include <sc_scda.h>
static int resized;
void sc_array_resize(sc_array_t *array, size_t new_count) { resized = 1; array->elem_count = new_count; }
int sc_MPI_Error_class(int code, int *error_class) { *error_class = code; return 0; }
int sc_MPI_Error_string(int code, char *text, int *length) { *length = code; *text = 0; return 0; }
int main(void)
{
    sc_scda_ulong count = 1, size = 5, sum = 0;
    sc_array_t counts = {8, 1, -9, (char *)&count}, sizes = {8, 1, -9, (char *)&size}, sums = {8, 0, -9, (char *)&sum};
    sc_scda_ferror_t errcode;
    return sc_scda_proc_sizes(&sizes, &counts, &sums, &errcode) != 0 || !resized || sum != 5;
}
EOF
gcc -std=c99 -D_POSIX_C_SOURCE=200809L "${options[@]}" -I"$tests/../include/libsc" -I"$scratch/sc" "$scratch/with.c" \
    "${link[@]}" -o "$scratch/with"
"$scratch/with"
for standard in c89 c99 c11; do
    printf '#include <scda.h>\n#include <libsc/sc_scda.h>\nint none;\n' >"$scratch/unused.c"
    gcc -std=$standard -D_POSIX_C_SOURCE=200809L -pedantic "${options[@]}" -c "$scratch/unused.c" -o "$scratch/unused.o"
done
