//! Timer of the FE310 of a HiFive1 (RISC-V): the one that SiFive's processors have in common.

use core::sync::atomic::{AtomicU32, Ordering};

use riscv::interrupt::Interrupt;
use riscv_rt::core_interrupt;

/// The timer's registers: counter and comparator.
const MTIME: *const u32 = 0x0200_bff8 as *const u32;
const MTIMECMP: *mut u32 = 0x0200_4000 as *mut u32;
/// Instructions per count of the timer: in QEMU, the timer counts at 10 MHz and an instruction takes one nanosecond.
/// (The timer of a real FE310 counts at 32,768 Hz.)
const PER_COUNT: u32 = 100;

static PERIOD: AtomicU32 = AtomicU32::new(0);

fn arm() {
    let period = PERIOD.load(Ordering::Relaxed);
    // SAFETY: these are the timer's registers. The low words are enough unless the board runs for 2^32 counts, which
    // are 7 minutes at 10 MHz.
    unsafe {
        MTIMECMP.add(1).write_volatile(0);
        MTIMECMP.write_volatile(MTIME.read_volatile().wrapping_add(period));
    }
}

/// Calls `work` from an interrupt about every `ticks` of the processor's clock.
pub fn start_timer(ticks: u32, work: fn()) {
    super::on_tick(work);
    PERIOD.store((ticks / PER_COUNT).max(1), Ordering::Relaxed);
    arm();
    // SAFETY: `machine_timer` below handles the interrupt.
    unsafe {
        riscv::register::mie::set_mtimer();
        riscv::interrupt::enable();
    }
}

/// Stops the timer's interrupts.
pub fn stop_timer() {
    // SAFETY: this only disables an interrupt.
    unsafe { riscv::register::mie::clear_mtimer() };
}

#[core_interrupt(Interrupt::MachineTimer)]
fn machine_timer() {
    arm();
    super::tick();
}

/// Number of instructions that `work` takes, if QEMU counts instructions (`-icount shift=0`).
pub fn instructions(work: impl FnOnce()) -> u64 {
    instructions_in(ticks(work))
}

/// Number of instructions in this number of ticks.
pub const fn instructions_in(ticks: u64) -> u64 {
    ticks
}

/// Number of ticks that `work` takes: here, an instruction is a tick.
pub fn ticks(work: impl FnOnce()) -> u64 {
    let before = riscv::register::minstret::read64();
    work();
    riscv::register::minstret::read64().wrapping_sub(before)
}
