#!/usr/bin/env bash
# Programs whose MPI library libqio finds by itself, with both MPI libraries:
# - qio/mpi declares the values of the real mpi.h;
# - objects that were compiled without mpi.h work on all ranks, shared and static;
# - a serial program that is compiled where mpi.h is found links and runs without MPI;
# - files belong to the default communicator of QMP after it has been split.
# Arguments: the directory of the libraries, and a scratch directory.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=examples/c/libraries.sh
source "$here/libraries.sh"
out=$1 scratch=$2
compiler=${CC:-gcc}
read -ra include < <(include_options)
options=(-std=c99 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror -g -O1 "${include[@]}")
shared=(-L"$out" -lqio -llime) static=("$out/libqio.a" "$out/liblime.a" -lpthread -ldl -lm)
export LD_LIBRARY_PATH=$out

# Values that program and library must have in common. A handle is an int or a pointer.
cat >"$scratch/values.c" <<'END'
#include <mpi.h>
#include <stddef.h>
const size_t *VALUES(size_t *count)
{
    static size_t values[32];
    const size_t all[] = {(size_t)MPI_COMM_NULL, (size_t)MPI_COMM_WORLD, (size_t)MPI_COMM_SELF, (size_t)MPI_BYTE,
        (size_t)MPI_INT, (size_t)MPI_UINT64_T, (size_t)MPI_MAX, (size_t)MPI_SUM, (size_t)MPI_BXOR, (size_t)MPI_ERRORS_RETURN,
        (size_t)MPI_INFO_NULL, (size_t)MPI_STATUS_IGNORE, (size_t)MPI_IN_PLACE,
        (size_t)MPI_COMM_NULL_COPY_FN, (size_t)MPI_COMM_NULL_DELETE_FN, (size_t)MPI_KEYVAL_INVALID, (size_t)MPI_ANY_SOURCE,
        (size_t)MPI_COMM_TYPE_SHARED, MPI_ERR_COUNT, MPI_ERR_COMM, MPI_ERR_NO_MEM, MPI_SUCCESS, sizeof(MPI_Comm),
        sizeof(MPI_Request), sizeof(MPI_Op), sizeof(MPI_Status), offsetof(MPI_Status, MPI_SOURCE),
        MPI_MAX_ERROR_STRING <= 1024};
    for (*count = 0; *count < sizeof all / sizeof *all; ++*count) values[*count] = all[*count];
    return values;
}
END
cat >"$scratch/compare.c" <<'END'
#include <stdio.h>
const size_t *of_program(size_t *count), *of_library(size_t *count);
int main(void)
{
    size_t count, i, wrong = 0;
    const size_t *program = of_program(&count), *library = of_library(&count);
    for (i = 0; i < count; i++)
        if (program[i] != library[i]) {
            printf("value %zu of values.c is %zx, and %zx in qio/mpi\n", i, program[i], library[i]);
            wrong = 1;
        }
    return count < 28 || wrong;
}
END

# Writes a field on the ranks that a layout names, and reads it.
cat >"$scratch/field.c" <<'END'
#include <qio.h>
static int this_rank, ranks;
static int node_number(const int x[]) { return x[0] % ranks; }
static int node_index(const int x[]) { return x[0] / ranks; }
static void get_coords(int x[], int node, int index) { x[0] = index * ranks + node; }
static int num_sites(int node) { return (12 - node + ranks - 1) / ranks; }
static void get(char *buf, size_t index, int count, void *arg)
{
    uint32_t value = (uint32_t)(index * (size_t)ranks + (size_t)this_rank);
    (void)count, (void)arg;
    memcpy(buf, &value, 4);
}
static void put(char *buf, size_t index, int count, void *arg)
{
    uint32_t value;
    (void)count;
    memcpy(&value, buf, 4);
    if (value != index * (size_t)ranks + (size_t)this_rank) *(int *)arg = 1;
}
int field(const char *name, int rank, int size)
{
    int extent = 12, lower = 0, upper = 11, wrong = 0, code;
    QIO_Layout layout;
    QIO_Writer *out;
    QIO_Reader *in;
    QIO_String *text = QIO_string_create();
    QIO_RecordInfo *info = QIO_create_record_info(QIO_FIELD, &lower, &upper, 1, "F", "I", 0, 0, 4, 1);
    this_rank = rank;
    ranks = size;
    memset(&layout, 0, sizeof layout);
    layout.node_number = node_number;
    layout.node_index = node_index;
    layout.get_coords = get_coords;
    layout.num_sites = num_sites;
    layout.latsize = &extent;
    layout.latdim = 1;
    layout.volume = 12;
    layout.sites_on_node = (size_t)num_sites(rank);
    layout.this_node = rank;
    layout.number_of_nodes = size;
    out = QIO_open_write(text, name, QIO_SINGLEFILE, &layout, NULL, NULL);
    if (out == NULL) return 1;
    code = QIO_write(out, info, text, get, 4, 4, NULL);
    if (code == 0) code = QIO_close_write(out);
    in = code == 0 ? QIO_open_read(text, name, &layout, NULL, NULL) : NULL;
    if (in != NULL) code = QIO_read(in, info, text, put, 4, 4, &wrong);
    if (in == NULL || code != 0 || wrong) return 2;
    code = QIO_close_read(in);
    QIO_destroy_record_info(info);
    QIO_string_destroy(text);
    return code;
}
int message(char *bytes, size_t length, int from, int to) { return DML_route_bytes(bytes, length, from, to); }
END
cat >"$scratch/serial.c" <<'END'
int field(const char *name, int rank, int size);
int main(int argc, char **argv) { return argc == 2 ? field(argv[1], 0, 1) : 99; }
END
cat >"$scratch/parallel.c" <<'END'
#include <linkstream_error.h>
#include <mpi.h>
#include <stdio.h>
int field(const char *name, int rank, int size);
int message(char *bytes, size_t length, int from, int to);
int main(int argc, char **argv)
{
    int rank, size, code;
    char byte;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    code = field(argv[1], rank, size);
    byte = (char)rank;
    if (code == 0 && (message(&byte, 1, size - 1, 0) != 0 || byte != (char)(rank == 0 ? size - 1 : rank))) code = 3;
    if (code == 0 && message(&byte, 1, size, 0) == 0) code = 4;
    if (code != 0) fprintf(stderr, "rank %d: %d %s\n", rank, code, linkstream_last_error()->message);
    MPI_Finalize();
    return code;
}
END
# The calls of QMP that the library looks for, and a program that splits its communicator.
cat >"$scratch/qmp.c" <<'END'
#include <linkstream_error.h>
#include <mpi.h>
#include <stdio.h>
int field(const char *name, int rank, int size);
static struct { int job; MPI_Comm mpi; } whole, half, *current = (void *)&whole;
int QMP_is_initialized(void) { return 1; }
void *QMP_comm_get_default(void) { return current; }
int QMP_get_mpi_comm(void *comm, void **mpi)
{
    *mpi = comm == &half ? &half.mpi : &whole.mpi;
    return 0;
}
int main(int argc, char **argv)
{
    char name[1000];
    int rank, size, of_half, in_half, code, again;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    /* In the reverse order: the ranks of QMP are not those of MPI_COMM_WORLD. */
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &whole.mpi);
    snprintf(name, sizeof name, "%s-whole", argv[1]);
    code = field(name, size - 1 - rank, size);
    for (again = 0; again < 20 && code == 0; again++) {
        MPI_Comm_split(whole.mpi, (rank + again) % 2, rank, &half.mpi);
        current = (void *)&half;
        MPI_Comm_rank(half.mpi, &of_half);
        MPI_Comm_size(half.mpi, &in_half);
        snprintf(name, sizeof name, "%s-half-%d", argv[1], (rank + again) % 2);
        code = field(name, of_half, in_half);
        current = (void *)&whole;
        MPI_Comm_free(&half.mpi);
        if (code == 0) MPI_Barrier(MPI_COMM_WORLD);
    }
    if (code != 0) fprintf(stderr, "rank %d: %d %s\n", rank, code, linkstream_last_error()->message);
    MPI_Finalize();
    return code;
}
END

# Compares a file with the one of a serial program, dates aside.
same() { cmp <(sed 's/<date>[^<]*//' serial.lime) <(sed 's/<date>[^<]*//' "$1"); }

launch() {
    if [ "$1" = openmpi ]; then
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
            timeout 60 mpirun.openmpi --oversubscribe --mca mpi_yield_when_idle 1 -n "${@:2}"
    else
        timeout 60 mpirun.mpich -n "${@:2}"
    fi
}

cd "$scratch"
"$compiler" "${options[@]}" field.c -c -o field.o
"$compiler" "${options[@]}" serial.c -c -o serial.o
"$compiler" serial.o field.o "${shared[@]}" -o serial
./serial serial.lime
for mpi in ${MPIS-openmpi mpich}; do
    "mpicc.$mpi" -DVALUES=of_program values.c -c -o of_program.o
    "$compiler" "${options[@]}" -I"$here/qio/mpi" -I"$here/qio/mpi/$mpi" -DVALUES=of_library values.c -c -o of_library.o
    "mpicc.$mpi" compare.c of_program.o of_library.o -o compare
    launch "$mpi" 1 ./compare

    # Without MPI, where mpi.h is found: CPATH is what environment modules set.
    headers=$("mpicc.$mpi" -show | tr ' ' '\n' | sed -n 's/^-I//p' | paste -sd :)
    for library in shared static; do
        declare -n link=$library
        CPATH=$headers "$compiler" "${options[@]}" serial.c field.c "${link[@]}" -o "serial-$mpi"
        "./serial-$mpi" "serial-$mpi-$library.lime"
        same "serial-$mpi-$library.lime"

        # With MPI, in an object that has never seen mpi.h.
        "mpicc.$mpi" "${options[@]}" parallel.c field.o "${link[@]}" -o "parallel-$mpi"
        "mpicc.$mpi" "${options[@]}" qmp.c field.o "${link[@]}" -o "qmp-$mpi"
        for ranks in 1 2 3; do
            launch "$mpi" $ranks "./parallel-$mpi" "parallel-$mpi-$library.lime"
            same "parallel-$mpi-$library.lime"
        done
        launch "$mpi" 3 "./qmp-$mpi" "qmp-$mpi-$library"
        for part in whole half-0 half-1; do same "qmp-$mpi-$library-$part"; done
    done
done
echo "programs with and without MPI"
