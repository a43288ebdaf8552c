//! A simulated source of link data, such as an FPGA. A timer's interrupt takes the role of the DMA controller, which
//! fills two half buffers in turn: a full half must be processed before the other one is full too.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::board;

/// Size of a half buffer in bytes. It is no multiple of the size of a site, since hardware does not know about sites.
pub const HALF: usize = 256;
/// Time from one half to the next in ticks of the processor's clock.
const PERIOD: u32 = 20_000;
/// Count of numbers in a link, and in a site of 4 links.
const LINK: u32 = 18;
const SITE: u32 = 4 * LINK;

struct Halves([UnsafeCell<[u8; HALF]>; 2]);

// SAFETY: a half belongs to the program while its flag in `FULL` is set, and to the interrupt otherwise.
unsafe impl Sync for Halves {}

static HALVES: Halves = Halves([UnsafeCell::new([0; HALF]), UnsafeCell::new([0; HALF])]);
static FULL: [AtomicBool; 2] = [AtomicBool::new(false), AtomicBool::new(false)];
/// Number of halves filled since the start.
static FILLED: AtomicU32 = AtomicU32::new(0);
/// Number of halves that were lost because both buffers were still full.
static LOST: AtomicU32 = AtomicU32::new(0);

/// The stream of half buffers.
#[derive(Debug)]
pub struct Source {
    taken: u32,
}

impl Source {
    /// Starts the interrupts.
    pub fn start() -> Self {
        board::start_timer(PERIOD, fill);
        Self { taken: 0 }
    }

    /// Waits for the next half, passes it to `each`, and then releases it.
    pub fn next<T>(&mut self, each: impl FnOnce(&[u8; HALF]) -> T) -> T {
        let (half, full) = half(self.taken);
        board::sleep_until(|| full.load(Ordering::Acquire));
        // SAFETY: the half is full, so it belongs to the program.
        let outcome = each(unsafe { &*half.get() });
        full.store(false, Ordering::Release);
        self.taken = self.taken.wrapping_add(1);
        outcome
    }

    /// Stops the interrupts and returns the number of halves that were lost.
    pub fn stop(self) -> u32 {
        board::stop_timer();
        LOST.load(Ordering::Relaxed)
    }
}

/// The half with this number, and its flag in `FULL`.
fn half(number: u32) -> (&'static UnsafeCell<[u8; HALF]>, &'static AtomicBool) {
    let [first, second] = &HALVES.0;
    let [first_full, second_full] = &FULL;
    if number.is_multiple_of(2) { (first, first_full) } else { (second, second_full) }
}

/// Fills the next half. Called by the interrupt.
fn fill() {
    let number = FILLED.load(Ordering::Relaxed);
    let (half, full) = half(number);
    if full.load(Ordering::Acquire) {
        LOST.store(LOST.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        return;
    }
    // SAFETY: the half is empty, so it belongs to the interrupt.
    let (words, _) = unsafe { &mut *half.get() }.as_chunks_mut::<4>();
    let mut place = number.wrapping_mul(HALF as u32 / 4);
    for word in words {
        *word = number_at(place).to_be_bytes();
        place = place.wrapping_add(1);
    }
    full.store(true, Ordering::Release);
    FILLED.store(number.wrapping_add(1), Ordering::Relaxed);
}

/// The number at this index of the field. Each link is a diagonal matrix of 1 and -1; the signs differ from link to
/// link, and the count of -1 is even, so that the link is exactly in SU(3).
fn number_at(place: u32) -> f32 {
    let (link, number) = (place / LINK, place % LINK);
    let (element, is_im) = (number / 2, number % 2 == 1);
    let (row, column) = (element / 3, element % 3);
    if is_im || row != column {
        return 0.0;
    }
    let bits = link.wrapping_mul(0x9e37_79b1) >> 16;
    let negative = match row {
        0 => bits & 1 == 1,
        1 => bits & 2 == 2,
        _ => (bits ^ bits >> 1) & 1 == 1,
    };
    if negative { -1.0 } else { 1.0 }
}

/// Number of halves that contain this number of sites.
pub const fn halves(sites: u32) -> u32 {
    (sites * SITE * 4).div_ceil(HALF as u32)
}
