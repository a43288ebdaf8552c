//! Sleep until the Ethernet controller interrupts. No handler runs: interrupts are not taken, they only end the sleep.

use super::registers::registers;

/// Number of the Ethernet controller at the interrupt controller (PLIC).
const ETHERNET: usize = 53;

registers! { 0x0c00_0000:
    PRIORITY = 4 * ETHERNET,
    /// Enabled interrupts of the first processor, in words of 32.
    ENABLED = 0x2000 + 4 * (ETHERNET / 32),
    THRESHOLD = 0x20_0000,
    CLAIM = 0x20_0004,
}

/// Lets the interrupts of the Ethernet controller through to the processor.
#[allow(unsafe_code, reason = "see SAFETY")]
pub fn start() {
    PRIORITY.write(1);
    ENABLED.write(1 << (ETHERNET % 32));
    THRESHOLD.write(0);
    // SAFETY: interrupts stay disabled in `mstatus`, so no handler runs.
    unsafe { riscv::register::mie::set_mext() };
}

/// Sleeps. An interrupt that arrives before the sleep ends it at once.
pub fn sleep() {
    riscv::asm::wfi();
}

/// Lets the next interrupt through. The Ethernet controller must have been cleared.
pub fn complete() {
    let number = CLAIM.read();
    if number != 0 {
        CLAIM.write(number);
    }
}
