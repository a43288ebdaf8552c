//! The buffer of a stream of the GNU C library. Programs have the same accesses compiled into them, by the macros
//! `getc_unlocked` and `putc_unlocked`: these members keep their places. With other C libraries there is no buffer, and
//! all streams take the calls of the C standard.
#![allow(unsafe_code, reason = "memory of the C library")]

use libc::FILE;

/// The members that determine the position of a stream. If they are the same later, nothing has moved it meanwhile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    read_ptr: *mut u8,
    read_end: *mut u8,
    write_base: *mut u8,
    write_ptr: *mut u8,
    offset: i64,
}

impl Mark {
    /// Position of the file itself, as the stream knows it.
    pub const fn offset(self) -> u64 {
        self.offset.cast_unsigned()
    }
}

// SAFETY: the pointers are compared, not dereferenced.
unsafe impl Send for Mark {}

pub use implementation::{can_have_mark, has_forked, mark, read, write};

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod implementation {
    use std::ffi::{c_int, c_long, c_void};
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::{FILE, Mark};

    /// `struct _IO_FILE`, up to the last member that is needed here.
    #[repr(C)]
    struct Members {
        flags: c_int,
        read_ptr: *mut u8,
        read_end: *mut u8,
        read_base: *mut u8,
        write_base: *mut u8,
        write_ptr: *mut u8,
        write_end: *mut u8,
        buf_base: *mut u8,
        buf_end: *mut u8,
        save_base: *mut u8,
        backup_base: *mut u8,
        save_end: *mut u8,
        markers: *mut c_void,
        chain: *mut c_void,
        fileno: c_int,
        flags2: c_int,
        old_offset: c_long,
        cur_column: u16,
        vtable_offset: i8,
        shortbuf: [u8; 1],
        lock: *mut c_void,
        offset: i64,
    }

    const EOF_SEEN: c_int = 0x10;
    const IN_BACKUP: c_int = 0x100;
    const CURRENTLY_PUTTING: c_int = 0x800;
    const IS_APPENDING: c_int = 0x1000;
    const IS_FILEBUF: c_int = 0x2000;

    static FORKED: AtomicBool = AtomicBool::new(false);

    extern "C" fn forked() {
        FORKED.store(true, Ordering::Relaxed);
    }

    extern "C" fn watch() {
        // SAFETY: the function only sets a flag.
        if unsafe { libc::pthread_atfork(None, Some(forked), Some(forked)) } != 0 {
            forked();
        }
    }

    // SAFETY: functions in this section run when the library is loaded; this one needs nothing else.
    #[used]
    #[unsafe(link_section = ".init_array")]
    static WATCH: extern "C" fn() = watch;

    /// True if this process has forked, or was forked by a program with this library: then another process can move an
    /// open file of this one.
    pub fn has_forked() -> bool {
        FORKED.load(Ordering::Relaxed)
    }

    /// # Safety
    /// The stream is open, and nothing else uses it while the reference exists.
    const unsafe fn members<'f>(file: *mut FILE) -> &'f mut Members {
        // SAFETY: as this function requires.
        unsafe { &mut *file.cast::<Members>() }
    }

    /// True for streams of files. In streams of memory, `offset` has no meaning; in streams for appending, it is lost again.
    ///
    /// # Safety
    /// The stream is open, and nothing else uses it during the call.
    pub unsafe fn can_have_mark(file: *mut FILE) -> bool {
        // SAFETY: as this function requires.
        let members = unsafe { members(file) };
        members.flags & (IS_FILEBUF | IS_APPENDING | IN_BACKUP) == IS_FILEBUF && members.fileno >= 0
    }

    /// The mark; `None` for streams that cannot have one, and for streams that have not been moved yet.
    ///
    /// # Safety
    /// As for [`can_have_mark`].
    #[inline]
    pub unsafe fn mark(file: *mut FILE) -> Option<Mark> {
        // SAFETY: as this function requires.
        if !unsafe { can_have_mark(file) } {
            return None;
        }
        // SAFETY: as this function requires.
        let Members { read_ptr, read_end, write_base, write_ptr, offset, .. } = *unsafe { members(file) };
        (offset >= 0).then_some(Mark { read_ptr, read_end, write_base, write_ptr, offset })
    }

    /// Reads bytes that the stream has in its buffer, `from` bytes after its position, if its mark is still this one. False
    /// if it is not, or if the buffer does not have all of them.
    ///
    /// # Safety
    /// As for [`can_have_mark`], and there is room for so many bytes.
    #[inline]
    pub unsafe fn read(file: *mut FILE, mark: &mut Mark, from: i64, to: *mut u8, length: usize) -> bool {
        // SAFETY: as this function requires.
        let members = unsafe { members(file) };
        let is_there = members.read_ptr == mark.read_ptr
            && members.read_end == mark.read_end
            && members.offset == mark.offset
            && members.flags & CURRENTLY_PUTTING == 0;
        let (base, end) = (members.read_base.addr() as i64, members.read_end.addr() as i64);
        let begin = (members.read_ptr.addr() as i64).saturating_add(from);
        if !is_there || begin < base || begin > end || ((end - begin) as usize) < length {
            return false;
        }
        let begin = members.read_ptr.wrapping_offset(from as isize);
        // SAFETY: the buffer has so many bytes to read, and is no memory of the program.
        unsafe { to.copy_from_nonoverlapping(begin, length) };
        members.read_ptr = begin.wrapping_add(length);
        // As after a move of the stream.
        members.flags &= !EOF_SEEN;
        mark.read_ptr = members.read_ptr;
        true
    }

    /// Writes bytes into the buffer of the stream, if its mark is still this one. False if it is not, or if the buffer
    /// does not have room for all of them.
    ///
    /// # Safety
    /// As for [`can_have_mark`], and the program has so many bytes.
    #[inline]
    pub unsafe fn write(file: *mut FILE, mark: &mut Mark, from: *const u8, length: usize) -> bool {
        // SAFETY: as this function requires.
        let members = unsafe { members(file) };
        let is_there = members.write_ptr == mark.write_ptr
            && members.write_base == mark.write_base
            && members.read_end == mark.read_end
            && members.offset == mark.offset;
        // The end is the beginning unless the stream is being written, and for streams that pass on each line.
        if !is_there || members.write_end.addr().saturating_sub(members.write_ptr.addr()) < length {
            return false;
        }
        // SAFETY: the buffer has room for so many bytes, and is no memory of the program.
        unsafe { members.write_ptr.copy_from_nonoverlapping(from, length) };
        members.write_ptr = members.write_ptr.wrapping_add(length);
        mark.write_ptr = members.write_ptr;
        true
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
mod implementation {
    use super::{FILE, Mark};

    pub const fn has_forked() -> bool {
        true
    }

    /// # Safety
    /// None.
    pub unsafe fn can_have_mark(_: *mut FILE) -> bool {
        false
    }

    /// # Safety
    /// None.
    pub unsafe fn mark(_: *mut FILE) -> Option<Mark> {
        None
    }

    /// # Safety
    /// None.
    pub unsafe fn read(_: *mut FILE, _: &mut Mark, _: i64, _: *mut u8, _: usize) -> bool {
        false
    }

    /// # Safety
    /// None.
    pub unsafe fn write(_: *mut FILE, _: &mut Mark, _: *const u8, _: usize) -> bool {
        false
    }
}
