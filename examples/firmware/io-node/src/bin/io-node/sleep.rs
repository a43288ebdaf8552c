//! Sleep until a frame arrives or the clock interrupts.

use cortex_m::interrupt::{self, InterruptNumber};
use cortex_m::peripheral::NVIC;

use crate::ethernet::Ethernet;

/// The interrupt of the Ethernet controller.
#[derive(Debug, Clone, Copy)]
struct Frame;

// SAFETY: the data sheet of the LM3S6965 gives the Ethernet controller this number.
unsafe impl InterruptNumber for Frame {
    fn number(self) -> u16 {
        42
    }
}

/// Interrupts are masked here, so that no handler runs: an interrupt ends the sleep and stays pending. The one of the
/// clock is served afterwards.
pub fn until_frame(ethernet: &mut Ethernet<'_>) {
    interrupt::free(|_| {
        // SAFETY: no code depends on this interrupt being masked: its controller does not let it through otherwise.
        unsafe { NVIC::unmask(Frame) };
        if !ethernet.wake(true) {
            cortex_m::asm::wfi();
        }
        ethernet.wake(false);
        NVIC::mask(Frame);
        NVIC::unpend(Frame);
    });
}
