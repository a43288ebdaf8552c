//! The micro:bit, the LM3S6965 and the MPS2: QEMU gives each the system timer of a Cortex-M. (The nRF51 of a
//! real micro:bit has timers of its own instead.)

use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_rt::exception;

/// The timer counts 24 bits down.
const FULL: u32 = 0x00ff_ffff;

fn timer() -> SYST {
    // SAFETY: only this file uses it, and no interrupt handler does.
    unsafe { cortex_m::Peripherals::steal() }.SYST
}

/// Calls `work` from an interrupt, again and again, every `ticks` of the processor's clock.
pub fn start_timer(ticks: u32, work: fn()) {
    super::on_tick(work);
    let mut timer = timer();
    timer.set_clock_source(SystClkSource::Core);
    timer.set_reload(ticks & FULL);
    timer.clear_current();
    timer.enable_interrupt();
    timer.enable_counter();
}

/// No interrupts any more.
pub fn stop_timer() {
    let mut timer = timer();
    timer.disable_interrupt();
    timer.disable_counter();
}

#[exception]
fn SysTick() {
    super::tick();
}

/// Instructions that `work` takes, where QEMU counts them (`-icount shift=0`). Beyond 2^24 ticks the count is
/// wrong.
pub fn instructions(work: impl FnOnce()) -> u64 {
    // The timer's clock is not the same on all boards: a loop of known length tells how many instructions a
    // tick is worth. Each turn of it is a subtraction and a branch.
    const TURNS: u32 = 2_000_000;
    let calibration = ticks(|| cortex_m::asm::delay(TURNS));
    let ticks = ticks(work);
    u64::from(ticks) * 2 * u64::from(TURNS) / u64::from(calibration.max(1))
}

fn ticks(work: impl FnOnce()) -> u32 {
    let mut timer = timer();
    timer.set_clock_source(SystClkSource::Core);
    timer.disable_interrupt();
    timer.set_reload(FULL);
    timer.clear_current();
    timer.enable_counter();
    let before = SYST::get_current();
    work();
    before.wrapping_sub(SYST::get_current()) & FULL
}
