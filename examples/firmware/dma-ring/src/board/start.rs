//! Starts the board, and waits for frames.

use core::panic::PanicInfo;

use super::gem::Gem;
use super::ring::Ring;
use super::{interrupts, memory};

/// Starts the controller, and calls `step` while it returns true, then again after each interrupt. To be called once.
pub fn forever(mut step: impl FnMut(&mut Gem) -> bool) -> ! {
    memory::paint();
    #[allow(unsafe_code, reason = "see SAFETY")]
    // SAFETY: this is called once, and the controller is started afterwards.
    let mut gem = Gem::start(unsafe { Ring::new() });
    interrupts::start();
    loop {
        gem.clear();
        interrupts::complete();
        while step(&mut gem) {}
        gem.resume();
        interrupts::sleep();
    }
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {
        riscv::asm::wfi();
    }
}
