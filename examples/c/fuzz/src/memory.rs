//! Memory of the program.

use std::ffi::c_void;
use std::ptr;
use std::sync::OnceLock;

/// Address space for arrays whose size a file claims. A C program gets such memory from `malloc`: it is there as soon as
/// it is used.
const HUGE: usize = 1 << 36;

fn huge() -> usize {
    static HUGE_ROOM: OnceLock<usize> = OnceLock::new();
    *HUGE_ROOM.get_or_init(|| {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: new memory, at any address.
        let room =
            unsafe { libc::mmap(ptr::null_mut(), HUGE, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
        assert!(room != libc::MAP_FAILED, "no address space");
        room.addr()
    })
}

/// Memory of exactly so many bytes, as far as that is possible.
#[derive(Debug)]
pub struct Memory {
    exact: Option<Vec<u8>>,
    /// Number of bytes.
    pub length: u64,
}

impl Memory {
    /// Largest size of memory whose end the address sanitizer watches.
    const EXACT: u64 = 1 << 20;

    pub fn new(length: u64) -> Self {
        let exact = (length <= Self::EXACT).then(|| {
            let mut exact = Vec::with_capacity(length as usize);
            exact.resize(length as usize, 0xa5);
            exact
        });
        Self { exact, length }
    }

    /// The address; null if there is no memory of this size.
    pub fn address<T>(&mut self) -> *mut T {
        match &mut self.exact {
            Some(exact) => exact.as_mut_ptr().cast(),
            None if self.length <= HUGE as u64 => ptr::with_exposed_provenance_mut(huge()),
            None => ptr::null_mut(),
        }
    }

    /// The bytes, if they are few.
    pub fn bytes(&self) -> Option<&[u8]> {
        self.exact.as_deref()
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if self.exact.is_none() && self.length <= HUGE as u64 {
            let room: *mut c_void = ptr::with_exposed_provenance_mut(huge());
            // SAFETY: this is the memory; its contents are not needed any more.
            unsafe { libc::madvise(room, HUGE, libc::MADV_DONTNEED) };
        }
    }
}
