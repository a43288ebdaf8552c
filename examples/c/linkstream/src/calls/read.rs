//! Calls that read data.
#![allow(unsafe_code, reason = "the C interface")]

use std::ffi::c_void;
use std::ptr;

use super::answered;
use super::open::FILES;
use crate::answer::{OK, Refused, UNVERIFIED};
use crate::memory;
use crate::opened::Opened;
use crate::progress::{Function, Progress};
use crate::structures::Read;

/// Runs a call that writes data to `out`.
///
/// # Safety
/// `out` is null or has the size.
unsafe fn reading<T>(
    file: *mut Opened,
    out: *mut c_void,
    size: usize,
    read: impl FnOnce(&mut Opened, &mut [u8]) -> Result<T, Refused>,
) -> Result<T, Refused> {
    FILES.with(file, |file| {
        file.is_apart(out, size)?;
        // SAFETY: as this function requires.
        read(file, unsafe { memory::room(out, size) }?)
    })?
}

/// Reads the payload of a record.
///
/// # Safety
/// `out` is null or has the size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_record_read(
    file: *mut Opened,
    index: u64,
    out: *mut c_void,
    size: usize,
) -> i32 {
    answered(|| {
        // SAFETY: as this function requires.
        unsafe { reading(file, out, size, |file, out| file.read_record(index, out)) }?;
        Ok(UNVERIFIED)
    })
}

/// Reads a field.
///
/// # Safety
/// `read` is null or options, `out` is null or has the size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_field_read(
    file: *mut Opened,
    index: u64,
    read: *const Read,
    out: *mut c_void,
    size: usize,
) -> i32 {
    answered(|| {
        let (progress, context) = (None, ptr::null_mut());
        let all =
            Read { struct_size: 0, element: 0, reserved: 0, first_slice: 0, slices: 0, progress, context };
        // SAFETY: as this function requires.
        let read = unsafe { memory::given_or_null(read) }?.unwrap_or(all);
        if read.reserved != 0 {
            return Err(Refused::usage("a reserved member is not 0"));
        }
        // SAFETY: as this function requires.
        let progress = unsafe { Progress::new(read.progress, read.context) };
        // SAFETY: as this function requires.
        unsafe { reading(file, out, size, |file, out| file.read_field(index, &read, &progress, out)) }
    })
}

/// Verifies a field.
///
/// # Safety
/// `progress` is null or a function as in `linkstream.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_field_verify(
    file: *mut Opened,
    index: u64,
    progress: Option<Function>,
    context: *mut c_void,
) -> i32 {
    answered(|| {
        // SAFETY: as this function requires.
        let progress = unsafe { Progress::new(progress, context) };
        FILES.with(file, |file| file.verify_field(index, &progress))?
    })
}

/// Reads the matrix.
///
/// # Safety
/// `out` is null or has the size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_matrix_read(file: *mut Opened, out: *mut c_void, size: usize) -> i32 {
    answered(|| {
        // SAFETY: as this function requires.
        unsafe { reading(file, out, size, |file, out| file.read_matrix(out)) }?;
        Ok(UNVERIFIED)
    })
}

/// Reads a section.
///
/// # Safety
/// `out` is null or has the size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_section_read(
    file: *mut Opened,
    index: u64,
    out: *mut c_void,
    size: usize,
) -> i32 {
    answered(|| {
        // SAFETY: as this function requires.
        unsafe { reading(file, out, size, |file, out| file.read_section(index, out)) }
    })
}

/// Reads the sizes of the elements of a section.
///
/// # Safety
/// `sizes` is null or has so many places.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_section_sizes(
    file: *mut Opened,
    index: u64,
    sizes: *mut u64,
    count: usize,
) -> i32 {
    answered(|| {
        FILES.with(file, |file| {
            file.is_apart(sizes, count.saturating_mul(size_of::<u64>()))?;
            // SAFETY: as this function requires.
            file.read_sizes(index, unsafe { memory::places(sizes, count) }?)
        })??;
        Ok(OK)
    })
}
