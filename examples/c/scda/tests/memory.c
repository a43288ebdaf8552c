/* Calls with less and less memory: each ends with success or with SCDA_ERR_MEMORY. */
#include <scda.h>

#include "../../tests/shrink.h"
#include "check.h"

/* Fewer elements are compressed: that takes long. */
enum { BLOCK = 2 << 20, COUNT = 40000, FEW = 500, SIZE = 8 };

static char *data;
static void **pointers;
static uint64_t *sizes;

/* The result of a part whose last call has failed. */
static int result(int err)
{
    if (err == 0) return SHRINK_DONE;
    if (err == SCDA_ERR_MEMORY) return SHRINK_NO_MEMORY;
    fprintf(stderr, "code %d: %s\n", err, linkstream_last_error()->message);
    return SHRINK_WRONG;
}

static int writing(const char *path)
{
    int err = 0, encode, indirect;
    char userstr[59] = "";
    scda_fcontext *f = scda_fopen(SCDA_COMM_WORLD, path, 'w', userstr, &err);
    for (encode = 0; f && encode < 2; ++encode) {
        const uint64_t N_q[1] = {encode ? FEW : COUNT}, S_q[1] = {N_q[0] * SIZE};
        f = scda_fwrite_block(f, data, BLOCK, userstr, 0, encode, &err);
        for (indirect = 0; f && indirect < 2; ++indirect) {
            const void *elements = indirect ? (const void *)pointers : data;
            f = scda_fwrite_array(f, elements, N_q, SIZE, indirect, userstr, encode, &err);
            if (f) f = scda_fwrite_varray(f, elements, N_q, sizes, S_q, indirect, userstr, encode, &err);
        }
    }
    if (f) scda_fclose(f, &err);
    return result(err);
}

static int reading(const char *path)
{
    int err = 0, indirect = 0;
    char userstr[59], type;
    uint64_t N, E;
    scda_fcontext *f = scda_fopen(SCDA_COMM_WORLD, path, 'r', userstr, &err);
    while (f) {
        int decode = 1;
        f = scda_fread_section_header(f, &type, &N, &E, userstr, &decode, &err);
        if (!f || type == 0) break;
        indirect = !indirect;
        if (type == 'B') {
            f = scda_fread_block_data(f, data, E, 0, &err);
        } else if (type == 'A') {
            f = scda_fread_array_data(f, indirect ? (void *)pointers : data, &N, E, indirect, &err);
        } else {
            f = scda_fread_varray_sizes(f, sizes, &N, &err);
            if (f) f = scda_fread_varray_data(f, indirect ? (void *)pointers : data, &N, sizes, NULL, indirect, &err);
        }
    }
    if (f) scda_fclose(f, &err);
    return result(err);
}

int main(int argc, char **argv)
{
    size_t i;
    char *path;
    if (argc < 2) return 1;
    if (shrink_is_useless()) return 0;
    path = joined(argv[1], "memory.scda");
    data = malloc(BLOCK), pointers = malloc(COUNT * sizeof *pointers), sizes = malloc(COUNT * sizeof *sizes);
    if (data == NULL || pointers == NULL || sizes == NULL) return 1;
    for (i = 0; i < BLOCK; ++i) data[i] = (char)(i * i >> 8);
    for (i = 0; i < COUNT; ++i) pointers[i] = data + i * SIZE, sizes[i] = SIZE;
    CHECK(shrink("writing", writing, path));
    CHECK(in_child(writing, path));
    CHECK(shrink("reading", reading, path));
    free(data);
    free(pointers);
    free(sizes);
    free(path);
    return failures > 0;
}
