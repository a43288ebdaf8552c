//! The boards: what is different about them. Memory maps are in `memory/`.

#[cfg(target_arch = "arm")]
mod cortex_m;
#[cfg(target_arch = "riscv32")]
mod riscv32;

#[cfg(target_arch = "arm")]
pub use cortex_m::{instructions, start_timer, stop_timer};
#[cfg(target_arch = "riscv32")]
pub use riscv32::{instructions, start_timer, stop_timer};

use core::cell::Cell;

use critical_section::Mutex;

/// A function that an interrupt and the program both see.
type Work = Mutex<Cell<Option<fn()>>>;

static ON_TICK: Work = Mutex::new(Cell::new(None));

/// What the timer's interrupt does.
fn tick() {
    if let Some(work) = critical_section::with(|cs| ON_TICK.borrow(cs).get()) {
        work();
    }
}

fn on_tick(work: fn()) {
    critical_section::with(|cs| ON_TICK.borrow(cs).set(Some(work)));
}
