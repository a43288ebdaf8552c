//! A simulated source of link data, as an FPGA would be one: a timer's interrupt stands for the DMA controller
//! that fills two half buffers in turn, whoever takes them has until the other one is full.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::board;

/// Bytes of a half buffer: no multiple of a site, as hardware does not know of sites.
pub const HALF: usize = 256;
/// Ticks of the processor's clock from one half to the next.
const PERIOD: u32 = 20_000;
/// Numbers of a link, and of a site of 4 links.
const LINK: u32 = 18;
const SITE: u32 = 4 * LINK;

struct Halves([UnsafeCell<[u8; HALF]>; 2]);

// SAFETY: a half belongs to the interrupt while its flag says that it is empty, and to the program while it says
// that it is full.
unsafe impl Sync for Halves {}

static HALVES: Halves = Halves([UnsafeCell::new([0; HALF]), UnsafeCell::new([0; HALF])]);
static FULL: [AtomicBool; 2] = [AtomicBool::new(false), AtomicBool::new(false)];
/// Halves filled since the start.
static FILLED: AtomicU32 = AtomicU32::new(0);
/// Halves that came while nobody had taken those before.
static LOST: AtomicU32 = AtomicU32::new(0);

/// The stream, from its start on.
#[derive(Debug)]
pub struct Source {
    taken: u32,
}

impl Source {
    /// Lets the interrupts come.
    pub fn start() -> Self {
        board::start_timer(PERIOD, fill);
        Self { taken: 0 }
    }

    /// Waits for the next half, hands it to `each`, and gives it back.
    pub fn next<T>(&mut self, each: impl FnOnce(&[u8; HALF]) -> T) -> T {
        let (half, full) = half(self.taken);
        board::sleep_until(|| full.load(Ordering::Acquire));
        // SAFETY: it is full, so it is ours.
        let outcome = each(unsafe { &*half.get() });
        full.store(false, Ordering::Release);
        self.taken = self.taken.wrapping_add(1);
        outcome
    }

    /// Ends the interrupts, and tells how many halves were lost.
    pub fn stop(self) -> u32 {
        board::stop_timer();
        LOST.load(Ordering::Relaxed)
    }
}

/// The half with this number, and whether it is full.
fn half(number: u32) -> (&'static UnsafeCell<[u8; HALF]>, &'static AtomicBool) {
    let [first, second] = &HALVES.0;
    let [first_full, second_full] = &FULL;
    if number.is_multiple_of(2) { (first, first_full) } else { (second, second_full) }
}

/// In the interrupt: the next half.
fn fill() {
    let number = FILLED.load(Ordering::Relaxed);
    let (half, full) = half(number);
    if full.load(Ordering::Acquire) {
        LOST.store(LOST.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        return;
    }
    // SAFETY: it is empty, so it is ours.
    let (words, _) = unsafe { &mut *half.get() }.as_chunks_mut::<4>();
    let mut place = number.wrapping_mul(HALF as u32 / 4);
    for word in words {
        *word = number_at(place).to_be_bytes();
        place = place.wrapping_add(1);
    }
    full.store(true, Ordering::Release);
    FILLED.store(number.wrapping_add(1), Ordering::Relaxed);
}

/// The number at this place of the field: links are diagonal with signs that differ from link to link, and an
/// even count of them, so that each is in SU(3) exactly.
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

/// How many halves make up this many sites.
pub const fn halves(sites: u32) -> u32 {
    (sites * SITE * 4).div_ceil(HALF as u32)
}
