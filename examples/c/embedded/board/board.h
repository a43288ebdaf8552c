/* The board: start, time, memory, and the host's console and files through semihosting (Arm, "Semihosting for
 * AArch32 and AArch64"), which QEMU and debug probes offer. */
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

/* The program. Its result is the exit status of the emulator. */
int32_t program(void);

/* The interrupt of UART 0, if the program uses it. */
void uart0_interrupt(void);

/* Statics and deepest stack so far, in bytes. */
size_t statics_size(void);
size_t deepest_stack(void);

/* Prints a text, a number in decimal or as 8 hexadecimal digits. */
void print(const char *text);
void print_text(const char *text, size_t length);
void print_decimal(uint64_t number);
void print_hexadecimal(uint32_t number);

/* Opens the file that is named on the emulator's command line. Returns 0, or -1. */
int32_t host_open(void);
/* Reads up to `room` bytes of it. Returns their number, 0 at the end, or -1. */
int32_t host_read(uint8_t *bytes, uint32_t room);

/* Ends the emulation. */
void host_exit(int32_t status);

#endif
