//! Counters of allocations, and of the calls on a file.

use embedded_io::{ErrorType, Read, Seek, SeekFrom};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::Seek as _;

std::thread_local! {
    /// Number of allocations of this thread so far.
    pub static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator with a counter of the allocations of each thread.
#[derive(Debug)]
struct Counting;

#[allow(unsafe_code, reason = "an allocator cannot be written without; all is passed on to the system's")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's promise is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer is the system's, as `alloc` got it.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Runs `run` and verifies that it does not allocate.
pub fn without_allocation<T>(run: impl FnOnce() -> T) -> T {
    let before = ALLOCATIONS.get();
    let value = run();
    assert_eq!(ALLOCATIONS.get(), before, "memory was allocated");
    value
}

/// A file with counters of the calls on it.
#[derive(Debug)]
pub struct Counted {
    pub file: std::fs::File,
    pub reads: u32,
    pub seeks: u32,
}

impl ErrorType for Counted {
    type Error = std::io::Error;
}

impl Read for Counted {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        self.reads += 1;
        std::io::Read::read(&mut self.file, out)
    }
}

impl Seek for Counted {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.seeks += 1;
        self.file.seek(match to {
            SeekFrom::Start(to) => std::io::SeekFrom::Start(to),
            SeekFrom::End(by) => std::io::SeekFrom::End(by),
            SeekFrom::Current(by) => std::io::SeekFrom::Current(by),
        })
    }
}
