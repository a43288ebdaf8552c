//! The calls about names of volumes, verbosity and time, of `qio_layout.h`.
#![allow(unsafe_code, reason = "the C interface")]
#![allow(non_snake_case, reason = "the names of QIO 2.3")]

use std::ffi::{c_char, c_int};
use std::ptr;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::calls_string::text;
use crate::code::{Refused, coded, numbered, valued};
use crate::filename;
use crate::filesystem::{Filesystem, QioFilesystem};
use crate::host_layout::node_of;
use crate::string::copy_for_program;
use crate::verbosity;

/// A file name of the program.
///
/// # Safety
/// The pointer is null or a text.
unsafe fn name<'n>(pointer: *const c_char) -> Result<&'n [u8], Refused> {
    // SAFETY: as this function requires.
    unsafe { text(pointer) }.ok_or_else(|| Refused::usage("the file name is a null pointer"))
}

/// Name of the file of a node.
///
/// # Safety
/// `filename` is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_filename_edit(
    filename: *const c_char,
    volfmt: c_int,
    this_node: c_int,
) -> *mut c_char {
    valued(ptr::null_mut(), || {
        // SAFETY: as this function requires.
        copy_for_program(&filename::edit(unsafe { name(filename) }?, volfmt, this_node)?)
    })
}

/// Path of a file of an I/O node.
///
/// # Safety
/// `fs` is null, or points to a structure that is filled as `qio_types.h` says; `filename` is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_set_filepath(
    fs: *mut QioFilesystem,
    filename: *const c_char,
    node: c_int,
) -> *mut c_char {
    valued(ptr::null_mut(), || {
        // SAFETY: as this function requires.
        let filesystem = unsafe { Filesystem::new(fs) }?;
        // SAFETY: as this function requires.
        let name = unsafe { name(filename) }?;
        // SAFETY: as this function requires.
        copy_for_program(&unsafe { filesystem.path(name, node_of(node)?) }?)
    })
}

/// Sets the verbosity.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_verbose(level: c_int) -> c_int {
    numbered(|| verbosity::set(level))
}

/// The verbosity.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_verbosity() -> c_int {
    verbosity::level()
}

/// Seconds since the first call.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_time() -> f64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    valued(0.0, || Ok(FIRST.get_or_init(Instant::now).elapsed().as_secs_f64()))
}

/// Waits.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_wait(sec: f64) {
    coded(|| {
        let time = Duration::try_from_secs_f64(sec);
        std::thread::sleep(time.map_err(|_| Refused::usage(format!("{sec} seconds cannot be waited for")))?);
        Ok(())
    });
}

/// Continues a CRC-32 of zlib. Without bytes it stays as it is.
///
/// # Safety
/// `buf` is null or has `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn DML_crc32(crc: u32, buf: *const u8, len: usize) -> u32 {
    valued(crc, || {
        if len == 0 {
            return Ok(crc);
        }
        if buf.is_null() || isize::try_from(len).is_err() {
            return Err(Refused::usage(
                "no bytes for a checksum: a null pointer, or a length of 2^63 or more",
            ));
        }
        // SAFETY: as this function requires.
        Ok(linkstream::crc::crc32(crc, unsafe { std::slice::from_raw_parts(buf, len) }))
    })
}
