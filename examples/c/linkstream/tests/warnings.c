/* Broken rules that lose no data are listed, and do not hinder reading. */
#include "check.h"

int main(int count, char **arguments) {
    /* The record with the checksum is padded with other bytes than zeros. */
    linkstream_file *file = NULL;
    linkstream_file_info about = {0};
    linkstream_finding warning = {0};
    linkstream_record_info record = {0};
    uint64_t i, padded = 0;
    size_t length;
    unsigned char *bytes, *longer;
    if (count < 3) return 2;
    about.struct_size = sizeof about;
    warning.struct_size = sizeof warning;
    record.struct_size = sizeof record;
    bytes = bytes_of(below(arguments[2], "examples/su3-4x4x4x8.lime"), &length);
    NEED(linkstream_open_memory(bytes, length, &file) == LINKSTREAM_OK);
    NEED(linkstream_file_get(file, &about) == LINKSTREAM_OK && about.warnings == 0);
    for (i = 0; i < about.records && !padded; ++i) {
        NEED(linkstream_record_get(file, i, &record) == LINKSTREAM_OK);
        if (record.bytes % 8) padded = record.offset + 144 + record.bytes;
    }
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    NEED(padded > 0);
    bytes[padded] = 'x';
    NEED(linkstream_open_memory(bytes, length, &file) == LINKSTREAM_OK);
    CHECK(linkstream_file_get(file, &about) == LINKSTREAM_OK && about.warnings == 1);
    CHECK(linkstream_file_warning(file, 0, &warning) == LINKSTREAM_OK);
    CHECK(warning.is_error == 0 && warning.rule[0] && warning.clause[0] && warning.message[0]);
    CHECK(warning.offset >= padded - 144 && warning.offset <= padded);
    CHECK(linkstream_file_warning(file, 1, &warning) == LINKSTREAM_ERR_USAGE);
    CHECK(linkstream_field_verify(file, 0, NULL, NULL) == LINKSTREAM_OK);
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    bytes[padded] = 0;

    /* A byte follows the last record. */
    longer = need_memory(length + 1);
    memcpy(longer, bytes, length);
    longer[length] = 0;
    NEED(linkstream_open_memory(longer, length + 1, &file) == LINKSTREAM_OK);
    CHECK(linkstream_file_get(file, &about) == LINKSTREAM_OK && about.warnings == 1);
    CHECK(linkstream_file_warning(file, 0, &warning) == LINKSTREAM_OK && warning.offset == length);
    CHECK(linkstream_field_verify(file, 0, NULL, NULL) == LINKSTREAM_OK);
    CHECK(linkstream_file_close(file) == LINKSTREAM_OK);
    free(longer);
    free(bytes);
    return failures != 0;
}
