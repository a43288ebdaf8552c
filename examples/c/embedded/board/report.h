/* What both programs do with the events of a field decoder. */
#ifndef REPORT_H
#define REPORT_H

#include "linkstream_embedded.h"

/* Counts of a file. */
typedef struct {
    uint32_t fields;
    uint32_t verified;
    uint64_t data; /* Bytes of data */
} summary;

/* Takes an event into account, and prints what it says. */
void take_event(const lse_field_event *event, summary *summary);

/* Prints the error that has stopped a decoder. */
void print_error(const lse_field_decoder *decoder);

/* Prints the result: 0 if there are fields and all are verified, else 1. */
int32_t print_result(const summary *summary);

#endif
