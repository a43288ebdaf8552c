//! Memory for threads.

use crate::short::Short;

/// The default stack of Rust, twice.
const ROOM: usize = 4 << 20;

/// Checks that there is memory for another thread, before it is started. A thread that gets memory for its stack, but
/// none for what the C library and the standard library need then, would end the process.
///
/// # Errors
/// There is not enough memory.
#[cfg(unix)]
#[allow(unsafe_code, reason = "pages are requested from the system")]
pub fn afford_thread() -> Result<(), Short> {
    use std::ptr;

    use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};
    // Free memory of this thread, which an allocator would pass, is no help to another one.
    // SAFETY: new pages, at an address that the system chooses.
    let pages = unsafe {
        mmap_anonymous(ptr::null_mut(), ROOM, ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE)
    };
    // SAFETY: nothing else knows these pages.
    unsafe { munmap(pages.map_err(|_| Short)?, ROOM) }.map_err(|_| Short)
}

/// Checks that there is memory for another thread, before it is started.
///
/// # Errors
/// There is not enough memory.
#[cfg(not(unix))]
pub fn afford_thread() -> Result<(), Short> {
    crate::short::afford(ROOM)
}

#[cfg(test)]
mod tests {
    #[test]
    fn there_is_memory_for_a_thread() {
        assert_eq!(super::afford_thread(), Ok(()));
    }
}
