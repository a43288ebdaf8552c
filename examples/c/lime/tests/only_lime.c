/* A program with no header but lime.h: programs use functions of the C library that its header brings. */
#include <lime.h>

int main(int argc, char **argv) {
    char *type = malloc(16), name[4096];
    LimeReader *r;
    FILE *fp;
    if (argc < 3 || type == NULL) return EXIT_FAILURE;
    snprintf(name, sizeof name, "%s/host-tests/fixtures/lime/single.lime", argv[2]);
    fp = fopen(name, "r");
    r = limeCreateReader(fp);
    if (fp == NULL || limeReaderNextRecord(r) != LIME_SUCCESS) return EXIT_FAILURE;
    strncpy(type, limeReaderType(r), 15);
    if (strlen(limeReaderType(r)) < 16 && strcmp(type, limeReaderType(r)) != 0) return EXIT_FAILURE;
    limeDestroyReader(r);
    fclose(fp);
    free(type);
    return EXIT_SUCCESS;
}
