/* Reads a file as a stream, in blocks of 512 bytes, and verifies the checksum of each field in it. */
#include "board.h"
#include "report.h"

static lse_field_decoder decoder;
static uint8_t block[512];

/* Pushes a block. Returns the status of the last call. */
static lse_status take_block(uint32_t length, summary *summary) {
    lse_status status;
    lse_field_event event;
    uint32_t used = 0u;
    do {
        status = lse_field_decoder_push(&decoder, &block[used], length - used, &event);
        if (status == LSE_OK) {
            used += (uint32_t)event.consumed;
            take_event(&event, summary);
        }
    } while ((status == LSE_OK) && (event.tag != LSE_EVENT_NONE));
    return status;
}

static lse_status end_file(summary *summary) {
    lse_status status;
    lse_field_event event;
    do {
        status = lse_field_decoder_finish(&decoder, &event);
        if (status == LSE_OK) { take_event(&event, summary); }
    } while ((status == LSE_OK) && (event.tag != LSE_EVENT_NONE));
    return status;
}

int32_t program(void) {
    summary summary = {0u, 0u, 0u};
    int32_t length = 1;
    lse_status status = lse_field_decoder_init(&decoder, sizeof decoder, LSE_LENIENT);
    if (host_open() != 0) {
        print("the file cannot be opened\n");
        return 2;
    }
    while ((status == LSE_OK) && (length > 0)) {
        length = host_read(block, sizeof block);
        if (length > 0) { status = take_block((uint32_t)length, &summary); }
    }
    if (length < 0) {
        print("the file cannot be read\n");
        return 2;
    }
    if (status == LSE_OK) { status = end_file(&summary); }
    if (status != LSE_OK) {
        print_error(&decoder);
        return 1;
    }
    return print_result(&summary);
}
