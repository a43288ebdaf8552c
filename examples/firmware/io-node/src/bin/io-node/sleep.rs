//! Sleep until a frame arrives or the clock interrupts.

use cortex_m::interrupt;
use cortex_m::peripheral::NVIC;
use lm3s6965::Interrupt;

use crate::ethernet::Ethernet;

/// Interrupts are masked here, so that no handler runs: an interrupt ends the sleep and stays pending. The one of the
/// clock is served afterwards.
pub fn until_frame(ethernet: &mut Ethernet<'_>) {
    interrupt::free(|_| {
        // SAFETY: no code depends on this interrupt being masked: its controller does not let it through otherwise.
        unsafe { NVIC::unmask(Interrupt::ETHERNET) };
        if !ethernet.wake(true) {
            cortex_m::asm::wfi();
        }
        ethernet.wake(false);
        NVIC::mask(Interrupt::ETHERNET);
        NVIC::unpend(Interrupt::ETHERNET);
    });
}
