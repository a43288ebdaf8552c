//! Timer of the micro:bit, the LM3S6965 and the MPS2: QEMU gives each of them the system timer (SysTick) of a Cortex-M.
//! (The nRF51 of a real micro:bit has timers of its own instead.)

use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_rt::exception;

/// The largest value of the timer, which counts down and has 24 bits.
const FULL: u32 = 0x00ff_ffff;

fn timer() -> SYST {
    // SAFETY: only this file uses the timer, and no interrupt handler does.
    unsafe { cortex_m::Peripherals::steal() }.SYST
}

/// Calls `work` from an interrupt every `ticks` of the processor's clock.
pub fn start_timer(ticks: u32, work: fn()) {
    super::on_tick(work);
    let mut timer = timer();
    timer.set_clock_source(SystClkSource::Core);
    timer.set_reload(ticks & FULL);
    timer.clear_current();
    timer.enable_interrupt();
    timer.enable_counter();
}

/// Stops the timer and its interrupts.
pub fn stop_timer() {
    let mut timer = timer();
    timer.disable_interrupt();
    timer.disable_counter();
}

#[exception]
fn SysTick() {
    super::tick();
}

/// Number of instructions that `work` takes, if QEMU counts instructions (`-icount shift=0`). The number is wrong if
/// `work` takes 2^24 ticks or more.
pub fn instructions(work: impl FnOnce()) -> u64 {
    instructions_in(ticks(work))
}

/// Number of instructions in this number of ticks.
pub fn instructions_in(ticks_taken: u64) -> u64 {
    // The timer's clock differs between boards: a loop of known length measures how many instructions there are to a
    // tick. Each turn of the loop is a subtraction and a branch.
    const TURNS: u32 = 2_000_000;
    let calibration = ticks(|| cortex_m::asm::delay(TURNS));
    ticks_taken * 2 * u64::from(TURNS) / calibration.max(1)
}

/// Number of ticks of the timer that `work` takes, of less than 2^24.
pub fn ticks(work: impl FnOnce()) -> u64 {
    let mut timer = timer();
    timer.set_clock_source(SystClkSource::Core);
    timer.disable_interrupt();
    timer.set_reload(FULL);
    timer.clear_current();
    timer.enable_counter();
    let before = SYST::get_current();
    work();
    u64::from(before.wrapping_sub(SYST::get_current()) & FULL)
}
