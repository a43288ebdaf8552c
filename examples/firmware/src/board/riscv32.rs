//! The FE310 of a HiFive1: RISC-V, with the timer that SiFive's processors share.

use core::sync::atomic::{AtomicU32, Ordering};

use riscv::interrupt::Interrupt;
use riscv_rt::core_interrupt;

/// Registers of the timer: counter and comparator.
const MTIME: *const u32 = 0x0200_bff8 as *const u32;
const MTIMECMP: *mut u32 = 0x0200_4000 as *mut u32;
/// Instructions to a count of the timer: QEMU's counts with 10 MHz, and runs one instruction a nanosecond. (That
/// of a real FE310 counts with 32,768 Hz.)
const PER_COUNT: u32 = 100;

static PERIOD: AtomicU32 = AtomicU32::new(0);

fn arm() {
    let period = PERIOD.load(Ordering::Relaxed);
    // SAFETY: registers of the timer. Low words only: QEMU's boards do not run for two days.
    unsafe {
        MTIMECMP.add(1).write_volatile(0);
        MTIMECMP.write_volatile(MTIME.read_volatile().wrapping_add(period));
    }
}

/// Calls `work` from an interrupt, again and again, about every `ticks` of the processor's clock.
pub fn start_timer(ticks: u32, work: fn()) {
    super::on_tick(work);
    PERIOD.store((ticks / PER_COUNT).max(1), Ordering::Relaxed);
    arm();
    // SAFETY: the handler below is in place.
    unsafe {
        riscv::register::mie::set_mtimer();
        riscv::interrupt::enable();
    }
}

/// No interrupts any more.
pub fn stop_timer() {
    // SAFETY: fewer interrupts than before.
    unsafe { riscv::register::mie::clear_mtimer() };
}

#[core_interrupt(Interrupt::MachineTimer)]
fn machine_timer() {
    arm();
    super::tick();
}

/// Instructions that `work` takes, where QEMU counts them (`-icount shift=0`).
pub fn instructions(work: impl FnOnce()) -> u64 {
    let before = riscv::register::minstret::read64();
    work();
    riscv::register::minstret::read64().wrapping_sub(before)
}
