//! The allocator.
#![allow(unsafe_code, reason = "an allocator hands out memory")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};

use crate::short::Short;

/// The largest request that the reserve serves: more than any buffer of a fixed size. Larger ones must be able to fail.
const LARGEST: usize = 512 << 10;
/// Size of the reserve. It is address space only, until it is used.
const SIZE: usize = 8 << 20;
/// Largest alignment in the reserve.
const ALIGN: usize = 4096;

#[repr(C, align(4096))]
struct Arena(UnsafeCell<[u8; SIZE]>);

// SAFETY: the bytes are only handed out, each to one owner at a time.
unsafe impl Sync for Arena {}

static ARENA: Arena = Arena(UnsafeCell::new([0; SIZE]));

/// Number of live pieces in the upper half, number of used bytes in the lower one. When the last piece is freed, all bytes
/// are free again.
static STATE: AtomicU64 = AtomicU64::new(0);

const PIECE: u64 = 1 << 32;
const USED: u64 = PIECE - 1;

/// Memory that is given back to the system when a small request fails for the first time, because others need memory too:
/// the C library for threads that end, the main thread for its stack, the unwinder.
static BALLAST: AtomicPtr<u8> = AtomicPtr::new(ptr::null_mut());
/// True if the ballast has been requested.
static HAS_BALLAST: AtomicBool = AtomicBool::new(false);

/// Layout of the ballast. Nothing uses it, so that it is address space only.
fn ballast() -> Layout {
    Layout::new::<[u64; (1 << 20) / 8]>()
}

/// Requests the ballast, unless that has been done.
fn take_ballast() {
    if HAS_BALLAST.load(Ordering::Relaxed) || HAS_BALLAST.swap(true, Ordering::AcqRel) {
        return;
    }
    // SAFETY: the size is not 0.
    BALLAST.store(unsafe { System.alloc(ballast()) }, Ordering::Release);
}

/// Gives the ballast back. False if that has been done.
fn drop_ballast() -> bool {
    let memory = BALLAST.swap(ptr::null_mut(), Ordering::AcqRel);
    if !memory.is_null() {
        // SAFETY: allocated by `take_ballast`; the swap above makes this the only copy of the pointer.
        unsafe { System.dealloc(memory, ballast()) };
    }
    !memory.is_null()
}

/// The system's memory for a request that is repeated after the ballast was given back.
fn request(layout: Layout, of_system: impl Fn() -> *mut u8) -> *mut u8 {
    take_ballast();
    let memory = of_system();
    if memory.is_null() && layout.size() <= LARGEST && drop_ballast() { of_system() } else { memory }
}

/// The system's allocator, and a reserve for requests of at most 512 KiB that it does not serve. Programs and libraries
/// declare it:
///
/// ```
/// #[global_allocator]
/// static MEMORY: linkstream_memory::Reserve = linkstream_memory::Reserve;
/// # assert_eq!(vec![1; 3].len(), 3);
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Reserve;

/// Fails while the system has no memory and the reserve is in use, or the ballast was given back: work that continued
/// would use up the reserve.
///
/// # Errors
/// There is not enough memory.
pub fn check() -> Result<(), Short> {
    let is_used = STATE.load(Ordering::Relaxed) >= PIECE;
    let is_light = HAS_BALLAST.load(Ordering::Relaxed) && BALLAST.load(Ordering::Relaxed).is_null();
    if !is_used && !is_light {
        return Ok(());
    }
    let layout = Layout::from_size_align(4 * LARGEST, ALIGN).map_err(|_| Short)?;
    // SAFETY: the size is not 0.
    let probe = unsafe { System.alloc(layout) };
    if probe.is_null() {
        return Err(Short);
    }
    // SAFETY: allocated above, with this layout.
    unsafe { System.dealloc(probe, layout) };
    HAS_BALLAST.store(false, Ordering::Release);
    Ok(())
}

fn base() -> *mut u8 {
    ARENA.0.get().cast()
}

fn is_of_reserve(memory: *mut u8) -> bool {
    (base() as usize..base() as usize + SIZE).contains(&(memory as usize))
}

/// A piece of the reserve; null if there is none of this size.
fn take(layout: Layout) -> *mut u8 {
    if layout.size() > LARGEST || layout.align() > ALIGN {
        return ptr::null_mut();
    }
    let place = |state: u64| ((state & USED) as usize).next_multiple_of(layout.align());
    let taken = STATE.fetch_update(Ordering::AcqRel, Ordering::Acquire, |state| {
        let end = place(state) + layout.size();
        (end <= SIZE).then_some((state & !USED) + PIECE + end as u64)
    });
    match taken {
        // SAFETY: the piece is inside of the arena.
        Ok(before) => unsafe { base().add(place(before)) },
        Err(_) => ptr::null_mut(),
    }
}

/// Gives a piece back.
fn give_back() {
    let less = |state: u64| {
        let left = state.saturating_sub(PIECE);
        Some(if left < PIECE { 0 } else { left })
    };
    let _ = STATE.fetch_update(Ordering::AcqRel, Ordering::Acquire, less);
}

// SAFETY: each allocation comes from the system or is a piece of the arena with a single owner, and no method panics.
unsafe impl GlobalAlloc for Reserve {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as this function requires.
        let memory = request(layout, || unsafe { System.alloc(layout) });
        if memory.is_null() { take(layout) } else { memory }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as this function requires.
        let memory = request(layout, || unsafe { System.alloc_zeroed(layout) });
        if !memory.is_null() {
            return memory;
        }
        let piece = take(layout);
        if !piece.is_null() {
            // SAFETY: the piece has this size. It can have been in use before.
            unsafe { piece.write_bytes(0, layout.size()) };
        }
        piece
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if is_of_reserve(memory) {
            give_back();
        } else {
            // SAFETY: it is the system's; the rest as this function requires.
            unsafe { System.dealloc(memory, layout) };
        }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !is_of_reserve(memory) {
            // SAFETY: it is the system's; the rest as this function requires.
            let moved = unsafe { System.realloc(memory, layout, size) };
            if !moved.is_null() {
                return moved;
            }
        }
        // SAFETY: the caller promises that the size is not 0 and does not overflow with this alignment.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        // SAFETY: the size is not 0.
        let moved = unsafe { self.alloc(wanted) };
        if !moved.is_null() {
            // SAFETY: both have at least so many bytes, and they are different allocations.
            unsafe { moved.copy_from_nonoverlapping(memory, size.min(layout.size())) };
            // SAFETY: as this function requires.
            unsafe { self.dealloc(memory, layout) };
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_do_not_overlap_and_all_come_back() {
        let layout = |size, align| Layout::from_size_align(size, align).expect("a layout");
        let mut pieces: Vec<(usize, usize)> = Vec::new();
        for (size, align) in [(1, 1), (10, 8), (LARGEST, 64), (100, ALIGN), (3, 2)].into_iter().cycle() {
            let piece = take(layout(size, align));
            if piece.is_null() {
                break;
            }
            let start = piece as usize;
            assert!(start.is_multiple_of(align) && is_of_reserve(piece));
            assert!(pieces.iter().all(|(from, to)| start >= *to || start + size <= *from));
            pieces.push((start, start + size));
        }
        assert!(pieces.iter().map(|(from, to)| to - from).sum::<usize>() > SIZE / 2);
        assert!(take(layout(LARGEST, 1)).is_null() && take(layout(LARGEST + 1, 1)).is_null());
        // The system has memory, so that nothing stops.
        assert_eq!(check(), Ok(()));
        for _ in &pieces {
            give_back();
        }
        assert_eq!(STATE.load(Ordering::Relaxed), 0);
        let again = take(layout(LARGEST, 1));
        assert_eq!(again, base());
        // SAFETY: the piece was taken above, with this layout.
        let moved = unsafe { Reserve.realloc(again, layout(LARGEST, 1), 2 * LARGEST) };
        assert!(!is_of_reserve(moved) && STATE.load(Ordering::Relaxed) == 0);
        // SAFETY: allocated above, with this layout.
        unsafe { Reserve.dealloc(moved, layout(2 * LARGEST, 1)) };
    }
}
