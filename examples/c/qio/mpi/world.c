/* The ranks of a program with one family of MPI libraries: FAMILY is the name of its structure. See program.h. */
#include "program.h"

/* Programs can have contexts of their own. */
#define linkstream_mpi_contexts linkstream_program_contexts
#include "linkstream_mpi.h"

/* Describes an error of MPI. */
static int failed(const char *call, int code, char *message)
{
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) length = 0;
    snprintf(message, LINKSTREAM_PROGRAM_MESSAGE, "%s: %.*s", call, length, text);
    return -1;
}

static const char *missing(void)
{
#define LINKSTREAM_MISSING(name, arguments) \
    if (name == NULL) return #name;
    LINKSTREAM_MPI_CALLS_ALL(LINKSTREAM_MISSING)
    return MPI_Wtime == NULL ? "MPI_Wtime" : NULL;
}

static MPI_Comm communicator(const void *comm) { return comm != NULL ? *(const MPI_Comm *)comm : MPI_COMM_WORLD; }

/* The duplicate is an attribute of the communicator: another communicator can have the same handle when this one has been
 * freed. It is kept until then, and longer, because files may be open. */
static int world(const void *comm, linkstream_comm *found, char *message)
{
    static int key = MPI_KEYVAL_INVALID;
    MPI_Comm of = communicator(comm);
    linkstream_comm *kept = NULL;
    int is_there = 0, code = MPI_SUCCESS;
    if (key == MPI_KEYVAL_INVALID)
        code = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    if (code == MPI_SUCCESS) code = MPI_Comm_get_attr(of, key, &kept, &is_there);
    if (code != MPI_SUCCESS) return failed("an attribute of the communicator", code, message);
    if (!is_there) {
        if ((code = linkstream_mpi_create(of, found)) != MPI_SUCCESS)
            return failed("duplicate of the communicator", code, message);
        kept = (linkstream_comm *)malloc(sizeof *kept);
        if (kept == NULL) return failed("memory for a communicator", MPI_ERR_NO_MEM, message);
        *kept = *found;
        if ((code = MPI_Comm_set_attr(of, key, kept)) != MPI_SUCCESS)
            return failed("MPI_Comm_set_attr", code, message);
    }
    *found = *kept;
    return 0;
}

static int route(const void *comm, char *buf, size_t size, int from, int to, char *message)
{
    /* An unusual tag, because the communicator is the one of the program. */
    static const int tag = 0x4c51;
    MPI_Comm of = communicator(comm);
    int rank, ranks, code = MPI_Comm_rank(of, &rank);
    if (code == MPI_SUCCESS) code = MPI_Comm_size(of, &ranks);
    if (code != MPI_SUCCESS) return failed("ranks of the communicator", code, message);
    if (from < 0 || from >= ranks || to < 0 || to >= ranks) {
        snprintf(message, LINKSTREAM_PROGRAM_MESSAGE, "from rank %d to rank %d of %d", from, to, ranks);
        return -1;
    }
    if (from == to || (rank != from && rank != to)) return 0;
    while (size > 0 && code == MPI_SUCCESS) {
        int part = size < LINKSTREAM_MPI_PART ? (int)size : (int)LINKSTREAM_MPI_PART;
        code = rank == from ? MPI_Send(buf, part, MPI_BYTE, to, tag, of)
                            : MPI_Recv(buf, part, MPI_BYTE, from, tag, of, MPI_STATUS_IGNORE);
        buf += part;
        size -= (size_t)part;
    }
    return code == MPI_SUCCESS ? 0 : failed("a message between two ranks", code, message);
}

const linkstream_program_mpi FAMILY = {missing, world, route};
