/* Verifies a file that arrives by itself: the interrupt of UART 0 puts bytes into a ring buffer, and the main loop
 * pushes what is there and sleeps in between. The file is preceded by its length in 8 bytes, big-endian, because a
 * serial line has no end.
 *
 * If the ring is full, the interrupt leaves the bytes in the UART and switches itself off until there is room; a
 * sender with hardware flow control (RTS/CTS) then waits. With -DNO_FLOW_CONTROL nobody waits, so bytes are lost:
 * they are counted, and the program gives up with status 3 and says so. Nothing that was lost is ever part of a
 * verified file. */
#include "board.h"
#include "report.h"

#ifndef RING_SIZE
#define RING_SIZE 1024u /* A power of 2 */
#endif

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define RCGC1 REGISTER(0x400fe104u) /* Clocks: bit 0 is UART 0 */
#define UART_DATA REGISTER(0x4000c000u)
#define UART_FLAGS REGISTER(0x4000c018u)
#define UART_LINE REGISTER(0x4000c02cu)
#define UART_CONTROL REGISTER(0x4000c030u)
#define UART_MASK REGISTER(0x4000c038u)
#define UART_CLEAR REGISTER(0x4000c044u)
#define INTERRUPT_ENABLE REGISTER(0xe000e100u)

#define FLAG_RECEIVE_EMPTY 0x10u
#define LINE_8_BITS_FIFO 0x70u
#define CONTROL_RECEIVE_ENABLE 0x201u
#define RECEIVE_INTERRUPTS 0x50u /* Received, and received long ago (timeout) */
#define DATA_OVERRUN 0x800u      /* The UART itself has lost bytes */

/* The ring: the interrupt writes at `written`, the main loop reads at `taken`. Both count all bytes, and each is
 * changed on one side only. */
static uint8_t ring[RING_SIZE];
static volatile uint32_t written = 0u;
static volatile uint32_t taken = 0u;
static volatile uint32_t lost = 0u;

/* 1 if the interrupt has left bytes in the UART because the ring was full. */
static volatile uint32_t stopped = 0u;

/* Moves bytes from the UART to the ring. Called by the interrupt, or while interrupts are disabled. */
static void receive(void) {
    /* First of all: a byte that arrives from now on asks for an interrupt again. */
    UART_CLEAR = RECEIVE_INTERRUPTS;
    while (((UART_FLAGS & FLAG_RECEIVE_EMPTY) == 0u) && (stopped == 0u)) {
        if ((written - taken) < RING_SIZE) {
            uint32_t data = UART_DATA;
            if ((data & DATA_OVERRUN) != 0u) { lost++; }
            ring[written % RING_SIZE] = (uint8_t)data;
            /* The byte is in the ring before it is counted. */
            __asm__ volatile("" ::: "memory");
            written++;
        } else {
#ifdef NO_FLOW_CONTROL
            (void)UART_DATA;
            lost++;
#else
            UART_MASK = 0u;
            stopped = 1u;
#endif
        }
    }
}

void uart0_interrupt(void) { receive(); }

static void start_receiving(void) {
    RCGC1 |= 1u;
    UART_LINE = LINE_8_BITS_FIFO;
    UART_CONTROL = CONTROL_RECEIVE_ENABLE;
    UART_MASK = RECEIVE_INTERRUPTS;
    INTERRUPT_ENABLE = 1u << 5;
}

/* Waits until the ring has bytes. Returns how many lie one after the other. */
static uint32_t wait_for_bytes(void) {
    uint32_t count;
    uint32_t at = taken % RING_SIZE;
    for (;;) {
        /* An interrupt that comes between the question and the sleep must end the sleep: WFI returns if one is pending,
         * even if interrupts are disabled. */
        __asm__ volatile("cpsid i" ::: "memory");
        count = written - taken;
        if ((count == 0u) && (lost == 0u)) { __asm__ volatile("wfi" ::: "memory"); }
        __asm__ volatile("cpsie i" ::: "memory");
        if ((count > 0u) || (lost > 0u)) { break; }
    }
    return (count > (RING_SIZE - at)) ? (RING_SIZE - at) : count;
}

/* Makes room in the ring. If the interrupt had switched itself off, the bytes that wait in the UART are fetched
 * here: they have been acknowledged already, and would not ask for an interrupt again. */
static void release(uint32_t count) {
    taken += count;
    __asm__ volatile("cpsid i" ::: "memory");
    if (stopped != 0u) {
        stopped = 0u;
        receive();
        if (stopped == 0u) { UART_MASK = RECEIVE_INTERRUPTS; }
    }
    __asm__ volatile("cpsie i" ::: "memory");
}

static lse_field_decoder decoder;

/* A decoder that is slower than the line, to show an overrun. */
static void be_slow(void) {
#ifdef SLOW
    volatile uint32_t i;
    for (i = 0u; i < 100000u; i++) { }
#endif
}

/* Pushes the rest of the bytes until no event is left. */
static lse_status take_bytes(uint32_t at, uint32_t count, summary *summary) {
    lse_status status;
    lse_field_event event;
    uint32_t used = 0u;
    do {
        status = lse_field_decoder_push(&decoder, &ring[at + used], count - used, &event);
        if (status == LSE_OK) {
            used += (uint32_t)event.consumed;
            take_event(&event, summary);
        }
    } while ((status == LSE_OK) && (event.tag != LSE_EVENT_NONE));
    return status;
}

int32_t program(void) {
    summary summary = {0u, 0u, 0u};
    lse_field_event event;
    uint64_t left = 0u;
    uint32_t prefix = 8u;
    lse_status status = lse_field_decoder_init(&decoder, sizeof decoder, LSE_LENIENT);
    start_receiving();
    while ((status == LSE_OK) && ((prefix > 0u) || (left > 0u))) {
        uint32_t count = wait_for_bytes();
        uint32_t at = taken % RING_SIZE;
        if (lost > 0u) {
            print("overrun: bytes were lost; the file is not verified\n");
            return 3;
        }
        if (prefix > 0u) {
            left = (left << 8) | ring[at];
            prefix--;
            release(1u);
        } else {
            if (count > left) { count = (uint32_t)left; }
            be_slow();
            status = take_bytes(at, count, &summary);
            left -= count;
            release(count);
        }
    }
    if (status == LSE_OK) {
        do {
            status = lse_field_decoder_finish(&decoder, &event);
            if (status == LSE_OK) { take_event(&event, &summary); }
        } while ((status == LSE_OK) && (event.tag != LSE_EVENT_NONE));
    }
    if (lost > 0u) {
        print("overrun: bytes were lost; the file is not verified\n");
        return 3;
    }
    if (status != LSE_OK) {
        print_error(&decoder);
        return 1;
    }
    return print_result(&summary);
}
