/* Files crossed with the program `linkstream`, in both directions: the same data, and the same bytes unless
 * compressed. LINKSTREAM is the path of the program. */
#include <scda.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static const char *program;
static char *here;

/* Runs the program in the scratch directory, with its output in "out". Returns its status. */
static int run(const char *arguments)
{
    char command[4096];
    int status;
    if (snprintf(command, sizeof command, "cd '%s' && '%s' %s > out 2> err", here, program, arguments) >=
        (int)sizeof command)
        exit(1);
    status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static char *file(const char *name)
{
    return joined(here, name);
}

static void put_here(const char *name, const char *bytes, size_t length)
{
    char *path = file(name);
    put(path, bytes, length);
    free(path);
}

/* The output of the program has these bytes. */
static int printed(const void *bytes, size_t length)
{
    char *path = file("out"), *found;
    size_t found_length;
    int same;
    found = contents(path, &found_length);
    same = found != NULL && found_length == length && memcmp(found, bytes, length) == 0;
    free(found);
    free(path);
    return same;
}

static char large[90000];
static const uint64_t COUNT = 3, THIRTY = 30, SIZES[] = {6, 0, 90000};

/* Writes the sections that `create` below makes. */
static void write_file(const char *name, int encode, const scda_options *options)
{
    char *path = file(name), userstr[] = "crossed", *elements[3], text[] = "hello\n";
    const uint64_t total = 90006;
    size_t length = 7;
    int err;
    scda_fcontext *f = scda_fopen_with(NULL, options, path, 'w', userstr, &length, &err);
    NEED(f != NULL);
    elements[0] = text, elements[1] = NULL, elements[2] = large;
    f = scda_fwrite_inline(f, "step 42                        \n", "text", 0, &err);
    NEED(f != NULL);
    f = scda_fwrite_block(f, "hello\n", 6, "block", 0, encode, &err);
    NEED(f != NULL);
    f = scda_fwrite_block_n(f, NULL, 0, "zero \0 byte", 11, 0, encode, &err);
    NEED(f != NULL);
    f = scda_fwrite_array(f, large, &THIRTY, 3000, 0, "array", encode, &err);
    NEED(f != NULL);
    f = scda_fwrite_varray(f, elements, &COUNT, SIZES, &total, 1, "varray", encode, &err);
    NEED(f != NULL);
    CHECK(scda_fclose(f, &err) == 0);
    free(path);
}

/* Reads them again. */
static void read_file(const char *name, int encode)
{
    static char room[90006];
    char *path = file(name), userstr[SCDA_USERSTR_SIZE], type;
    uint64_t N, E, sizes[3];
    size_t length;
    int err, decode = 1;
    scda_fcontext *f = scda_fopen(SCDA_COMM_WORLD, path, 'r', userstr, &err);
    NEED(f != NULL);
    CHECK(strcmp(userstr, "crossed") == 0);
    f = scda_fread_section_header(f, &type, &N, &E, userstr, &decode, &err);
    NEED(f != NULL);
    CHECK(type == 'I' && strcmp(userstr, "text") == 0 && decode == 0);
    f = scda_fread_inline_data(f, room, 0, &err);
    NEED(f != NULL);
    CHECK(memcmp(room, "step 42                        \n", 32) == 0);
    decode = 1;
    f = scda_fread_section_header(f, &type, &N, &E, userstr, &decode, &err);
    NEED(f != NULL);
    CHECK(type == 'B' && E == 6 && decode == encode);
    f = scda_fread_block_data(f, room, 6, 0, &err);
    NEED(f != NULL);
    CHECK(memcmp(room, "hello\n", 6) == 0);
    decode = 1;
    f = scda_fread_section_header_n(f, &type, &N, &E, userstr, &length, &decode, &err);
    NEED(f != NULL);
    CHECK(type == 'B' && E == 0 && length == 11 && memcmp(userstr, "zero \0 byte", 11) == 0);
    f = scda_fread_block_data(f, room, 0, 0, &err);
    NEED(f != NULL);
    decode = 1;
    f = scda_fread_section_header(f, &type, &N, &E, userstr, &decode, &err);
    NEED(f != NULL);
    CHECK(type == 'A' && N == 30 && E == 3000 && decode == encode);
    f = scda_fread_array_data(f, room, &THIRTY, 3000, 0, &err);
    NEED(f != NULL);
    CHECK(memcmp(room, large, 90000) == 0);
    decode = 1;
    f = scda_fread_section_header(f, &type, &N, &E, userstr, &decode, &err);
    NEED(f != NULL);
    CHECK(type == 'V' && N == 3 && decode == encode);
    f = scda_fread_varray_sizes(f, sizes, &COUNT, &err);
    NEED(f != NULL);
    CHECK(memcmp(sizes, SIZES, sizeof sizes) == 0);
    f = scda_fread_varray_data(f, room, &COUNT, sizes, NULL, 0, &err);
    NEED(f != NULL);
    CHECK(memcmp(room, "hello\n", 6) == 0 && memcmp(room + 6, large, 90000) == 0);
    f = scda_fread_section_header(f, &type, &N, &E, userstr, &decode, &err);
    NEED(f != NULL);
    CHECK(type == 0);
    CHECK(scda_fclose(f, &err) == 0);
    free(path);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"hello", "empty", "large", "ours.scda", "theirs.scda", "out", "err"};
    static char both[90006];
    scda_options options;
    size_t i;
    int encode, mime;
    program = getenv("LINKSTREAM");
    if (argc < 2) return 1;
    if (program == NULL || access(program, X_OK) != 0) {
        fprintf(stderr, "LINKSTREAM is not the path of the program linkstream\n");
        return 1;
    }
    here = argv[1];
    for (i = 0; i < sizeof large; i++) large[i] = (char)(i * i / 700 + i % 3);
    memcpy(both, "hello\n", 6);
    memcpy(both + 6, large, sizeof large);
    put_here("hello", "hello\n", 6);
    put_here("empty", "", 0);
    put_here("large", large, sizeof large);
    for (encode = 0; encode < 2; encode++) {
        for (mime = 0; mime < 2; mime++) {
            char command[400], *ours = file("ours.scda"), *theirs = file("theirs.scda");
            int first = 1;
            memset(&options, 0, sizeof options);
            options.struct_size = sizeof options;
            options.style = mime ? SCDA_MIME : SCDA_UNIX;
            options.vendor = mime ? "libsc" : NULL;
            options.level = mime ? 3 : SCDA_LEVEL_9;
            write_file("ours.scda", encode, &options);
            sprintf(command,
                    "scda create --force --user crossed %s %s theirs.scda 'text:text=step 42' block:block=hello "
                    "'block:zero \\x00 byte=empty' array:array:3000=large varray:varray=hello,empty,large",
                    encode ? mime ? "--compress --level 3" : "--compress" : "", mime ? "--mime --vendor libsc" : "");
            CHECK(run(command) == 0);
            /* The program compresses with another implementation of deflate: other bytes, which mean the same. */
            if (!encode) CHECK(same_files(ours, theirs));
            read_file("theirs.scda", encode);
            read_file("ours.scda", encode);
            CHECK(run("check --quiet ours.scda") == 0);
            /* The data of each section. A compressed one has one number. */
            CHECK(run("scda cat ours.scda 1") == 0 && printed("step 42                        \n", 32));
            sprintf(command, "scda cat ours.scda %d", first + 1);
            CHECK(run(command) == 0 && printed("hello\n", 6));
            sprintf(command, "scda cat ours.scda %d", first + 2);
            CHECK(run(command) == 0 && printed("", 0));
            sprintf(command, "scda cat ours.scda %d", first + 3);
            CHECK(run(command) == 0 && printed(large, sizeof large));
            sprintf(command, "scda cat ours.scda %d", first + 4);
            CHECK(run(command) == 0 && printed(both, sizeof both));
            sprintf(command, "scda cat ours.scda %d --element 2", first + 4);
            CHECK(run(command) == 0 && printed(large, sizeof large));
            free(ours), free(theirs);
        }
    }
    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *path = file(names[i]);
        remove(path);
        free(path);
    }
    return failures != 0;
}
