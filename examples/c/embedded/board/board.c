#include "board.h"

/* ----------------------------------------------------------------------------------------------------- semihosting */

#define SYS_OPEN 0x01u
#define SYS_WRITE0 0x04u
#define SYS_READ 0x06u
#define SYS_GET_CMDLINE 0x15u
#define SYS_EXIT_EXTENDED 0x20u
#define STOPPED_APPLICATION_EXIT 0x20026u

static uint32_t host_file = 0u;

static uint32_t host_call(uint32_t number, const void *block) {
    register uint32_t r0 __asm__("r0") = number;
    register const void *r1 __asm__("r1") = block;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

void print(const char *text) { (void)host_call(SYS_WRITE0, text); }

void print_text(const char *text, size_t length) {
    char piece[32];
    size_t done = 0u;
    while (done < length) {
        size_t n = 0u;
        while ((n < (sizeof piece - 1u)) && (done < length)) {
            piece[n] = text[done];
            n++;
            done++;
        }
        piece[n] = '\0';
        print(piece);
    }
}

void print_decimal(uint64_t number) {
    char digits[21];
    size_t at = sizeof digits - 1u;
    uint64_t rest = number;
    digits[at] = '\0';
    do {
        at--;
        digits[at] = (char)('0' + (int)(rest % 10u));
        rest /= 10u;
    } while (rest > 0u);
    print(&digits[at]);
}

void print_hexadecimal(uint32_t number) {
    static const char letters[] = "0123456789abcdef";
    char digits[9];
    uint32_t i;
    for (i = 0u; i < 8u; i++) { digits[i] = letters[(number >> (28u - (4u * i))) & 0xfu]; }
    digits[8] = '\0';
    print(digits);
}

int32_t host_open(void) {
    static char name[256];
    struct {
        char *buffer;
        uint32_t length;
    } line = {name, sizeof name};
    struct {
        const char *name;
        uint32_t mode;
        uint32_t length;
    } open = {name, 1u /* rb */, 0u};
    if (host_call(SYS_GET_CMDLINE, &line) != 0u) { return -1; }
    while (name[open.length] != '\0') { open.length++; }
    host_file = host_call(SYS_OPEN, &open);
    return (host_file == 0xffffffffu) ? -1 : 0;
}

int32_t host_read(uint8_t *bytes, uint32_t room) {
    struct {
        uint32_t file;
        uint8_t *bytes;
        uint32_t length;
    } read = {host_file, bytes, room};
    /* The answer is the number of bytes that were not read. */
    uint32_t left = host_call(SYS_READ, &read);
    return (left > room) ? -1 : (int32_t)(room - left);
}

void host_exit(int32_t status) {
    struct {
        uint32_t reason;
        int32_t status;
    } exit = {STOPPED_APPLICATION_EXIT, status};
    for (;;) { (void)host_call(SYS_EXIT_EXTENDED, &exit); }
}

/* ----------------------------------------------------------------------------------------------------------- start */

/* Symbols of the linker script: only their addresses have a meaning. */
extern uint32_t data_begin, data_end, data_in_flash, bss_begin, bss_end, stack_top;

#define PAINT 0xace0ba5eu

size_t statics_size(void) { return (size_t)((uintptr_t)&bss_end - (uintptr_t)&data_begin); }

/* The memory between the statics and the stack was filled with a pattern. What is left of it was never used. */
size_t deepest_stack(void) {
    const volatile uint32_t *at = &bss_end;
    while ((at < &stack_top) && (*at == PAINT)) { at++; }
    return (size_t)((uintptr_t)&stack_top - (uintptr_t)at);
}

void reset(void);

/* Runs first, with the stack pointer of the vector table. */
void reset(void) {
    const uint32_t *from = &data_in_flash;
    volatile uint32_t *to;
    volatile uint32_t *here;
    for (to = &data_begin; to < &data_end; to++) {
        *to = *from;
        from++;
    }
    for (to = &bss_begin; to < &bss_end; to++) { *to = 0u; }
    __asm__ volatile("mov %0, sp" : "=r"(here));
    for (to = &bss_end; to < here; to++) { *to = PAINT; }
    host_exit(program());
}

static void fault(void) {
    print("fault\n");
    host_exit(99);
}

/* Programs without the UART do not define its interrupt. */
__attribute__((weak)) void uart0_interrupt(void) { fault(); }

/* The vector table: the initial stack pointer, 15 exceptions, and the interrupts up to UART 0, which is number 5. */
typedef void (*vector)(void);
__attribute__((section(".vectors"), used)) static const struct {
    uint32_t *stack;
    vector vectors[21];
} table = {&stack_top,
           {reset, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault,
            fault, fault, fault, fault, fault, uart0_interrupt}};
