//! Code that differs between the boards: timers and instruction counts. Memory maps are in `memory/`.

#[cfg(target_arch = "arm")]
mod cortex_m;
#[cfg(target_arch = "riscv32")]
mod riscv32;

#[cfg(target_arch = "arm")]
pub use cortex_m::{instructions, instructions_in, start_timer, stop_timer, ticks};
#[cfg(target_arch = "riscv32")]
pub use riscv32::{instructions, instructions_in, start_timer, stop_timer, ticks};

#[cfg(target_arch = "arm")]
use ::cortex_m::asm::wfi;
#[cfg(target_arch = "riscv32")]
use ::riscv::asm::wfi;

use core::cell::Cell;

use critical_section::Mutex;

/// A function that the program sets and an interrupt calls.
type Work = Mutex<Cell<Option<fn()>>>;

static ON_TICK: Work = Mutex::new(Cell::new(None));

/// Called by the timer's interrupt.
fn tick() {
    if let Some(work) = critical_section::with(|cs| ON_TICK.borrow(cs).get()) {
        work();
    }
}

fn on_tick(work: fn()) {
    critical_section::with(|cs| ON_TICK.borrow(cs).set(Some(work)));
}

/// Sleeps until an interrupt has made `ready` true.
pub fn sleep_until(ready: impl Fn() -> bool) {
    // Interrupts are masked here: one that occurs between the call of `ready` and `wfi` stays pending and ends the
    // sleep.
    while !critical_section::with(|_| {
        let ready = ready();
        if !ready {
            wfi();
        }
        ready
    }) {}
}
