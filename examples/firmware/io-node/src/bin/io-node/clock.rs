//! The clock: the processor's timer (SysTick), which interrupts every 10 ms.

use core::sync::atomic::{AtomicU32, Ordering};

use cortex_m::peripheral::syst::SystClkSource;
use cortex_m::peripheral::{SCB, SYST};
use cortex_m_rt::exception;
use io_node::meter::Clock;

use crate::memory;
use crate::registers::registers;

registers! { 0x400f_e000:
    /// Clock of the processor.
    RUN_CLOCK = 0x060,
    /// Register of the clocks of controllers.
    CLOCKS_1 = 0x104,
    CLOCKS_2 = 0x108,
}

/// Frequency of the processor.
const HERTZ: u32 = 50_000_000;
/// Ticks between two interrupts.
const PERIOD: u32 = HERTZ / 100;
/// The PLL divided by four, from a crystal of 8 MHz.
const PLL: u32 = 3 << 23 | 1 << 22 | 0xe << 6;
const SSI: u32 = 1 << 4;
const ETHERNET_AND_PORTS: u32 = 5 << 28 | 1 | 8;

/// Interrupts so far; they last for 497 days.
static PERIODS: AtomicU32 = AtomicU32::new(0);

#[exception]
fn SysTick() {
    PERIODS.store(PERIODS.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
}

#[derive(Debug)]
pub struct Timer(());

impl Timer {
    /// Starts the clocks of the processor and of the controllers.
    pub fn start(mut timer: SYST) -> Self {
        RUN_CLOCK.write(PLL);
        CLOCKS_1.set(SSI);
        CLOCKS_2.set(ETHERNET_AND_PORTS);
        timer.set_clock_source(SystClkSource::Core);
        timer.set_reload(PERIOD - 1);
        timer.clear_current();
        timer.enable_interrupt();
        timer.enable_counter();
        Self(())
    }
}

impl Clock for Timer {
    fn ticks(&self) -> u64 {
        loop {
            let periods = PERIODS.load(Ordering::Relaxed);
            let passed = PERIOD - 1 - SYST::get_current().min(PERIOD - 1);
            // The timer may have begun again without the interrupt having been served.
            let is_pending = SCB::is_pendst_pending() && passed < PERIOD / 2;
            if PERIODS.load(Ordering::Relaxed) == periods {
                return (u64::from(periods) + u64::from(is_pending)) * u64::from(PERIOD) + u64::from(passed);
            }
        }
    }

    fn milliseconds(&self) -> u64 {
        u64::from(PERIODS.load(Ordering::Relaxed)) * 10
    }

    fn memory(&self) -> (u32, u32) {
        memory::taken()
    }
}
