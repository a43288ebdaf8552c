/* All header files that programs include, in any order and more than once, in C and in C++. */
#include <lime_binary_header.h>
#include <lime_fseeko.h>
#include <lime_utils.h>
#include <lime_writer.h>
#include <lime_config.h>
#include <lime_reader.h>
#include <lime_header.h>
#include <lime_fixed_types.h>
#include <lime_defs.h>
#include <dcap-overload.h>
#include <lime.h>
#include <lime.h>
/* Programs with their own copy of these macros. */
#define DCAP(token) token
#define DCAPL(token) token

#include <stdlib.h>

int main(int argc, char **argv) {
    unsigned char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    n_uint16_t x2;
    n_uint32_t x4;
    n_uint64_t x8;
    FILE *fp;
    int wrong = 0;
    _LIME_UNUSED_PARAM(argc);
    wrong += sizeof(LimeBinaryHeader) != 144;
    memcpy(&x2, bytes, sizeof x2);
    memcpy(&x4, bytes, sizeof x4);
    memcpy(&x8, bytes, sizeof x8);
    wrong += big_endian_short(x2) != 0x0102;
    wrong += big_endian_long(x4) != 0x01020304;
    wrong += big_endian_long_long(x8) != ((n_uint64_t)0x01020304 << 32 | 0x05060708);
    wrong += lime_padding(0) != 0 || lime_padding(1) != 7 || lime_padding(7) != 1 || lime_padding(8) != 0;
    wrong += strcmp(LIME_PACKAGE, "lime") != 0;
    fp = DCAPL(fopen)(argc > 2 ? argv[0] : "/dev/null", "r");
    wrong += fp == NULL || DCAP(fclose)(fp) != 0;
    if (wrong != 0) fprintf(stderr, "%s:%d: %d values are wrong\n", __FILE__, __LINE__, wrong);
    return wrong != 0;
}
