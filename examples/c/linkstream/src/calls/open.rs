//! Calls that open files and list their contents.
#![allow(unsafe_code, reason = "the C interface")]

use std::ffi::{c_char, c_void};

use linkstream_c_border::Handles;

use super::answered;
use crate::answer::{OK, Refused};
use crate::memory;
use crate::opened::Opened;
use crate::sources::Borrowed;
use crate::structures::{FieldInfo, FileInfo, Finding, MatrixInfo, RecordInfo, SectionInfo, Structure};

pub(super) static FILES: Handles<Opened> = Handles::new("a file");

/// Opens a file or a set.
///
/// # Safety
/// `path` is null or a text, `file` null or a place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_open_path(path: *const c_char, file: *mut *mut Opened) -> i32 {
    answered(|| {
        // SAFETY: as this function requires.
        let place = unsafe { memory::place(file) }?;
        // SAFETY: as this function requires.
        let path = unsafe { memory::path(path) }?;
        place.put(FILES.create(Opened::at(&path).map_err(|refused| refused.about(&path))?));
        Ok(OK)
    })
}

/// Opens the bytes of a file.
///
/// # Safety
/// `bytes` is null or has the length, and nothing writes to them until the file is closed; `file` is null or a place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_open_memory(
    bytes: *const c_void,
    length: usize,
    file: *mut *mut Opened,
) -> i32 {
    answered(|| {
        // SAFETY: as this function requires.
        let place = unsafe { memory::place(file) }?;
        // SAFETY: as this function requires.
        let bytes = unsafe { Borrowed::new(bytes, length) }?;
        place.put(FILES.create(Opened::of(bytes)?));
        Ok(OK)
    })
}

/// Closes a file.
#[unsafe(no_mangle)]
pub extern "C" fn linkstream_file_close(file: *mut Opened) -> i32 {
    answered(|| {
        FILES.free(file)?;
        Ok(OK)
    })
}

/// Fills a structure with what `get` returns.
///
/// # Safety
/// `out` is null or a structure with its size.
unsafe fn filled<T: Structure>(
    file: *mut Opened,
    out: *mut T,
    get: impl FnOnce(&Opened) -> Result<T, Refused>,
) -> i32 {
    answered(|| {
        let value = FILES.with(file, |file| get(file))??;
        // SAFETY: as this function requires.
        unsafe { memory::fill(out, value) }?;
        Ok(OK)
    })
}

/// The file as a whole.
///
/// # Safety
/// `info` is null or a structure with its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_file_get(file: *mut Opened, info: *mut FileInfo) -> i32 {
    // SAFETY: as this function requires.
    unsafe { filled(file, info, Opened::info) }
}

/// Describes warning `index` of the file, from 0.
///
/// # Safety
/// `finding` is null or a structure with its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_file_warning(
    file: *mut Opened,
    index: u64,
    finding: *mut Finding,
) -> i32 {
    // SAFETY: as this function requires.
    unsafe { filled(file, finding, |file| file.warning(index)) }
}

/// Describes LIME record `index` of the file, from 0 over all messages.
///
/// # Safety
/// `info` is null or a structure with its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_record_get(file: *mut Opened, index: u64, info: *mut RecordInfo) -> i32 {
    // SAFETY: as this function requires.
    unsafe { filled(file, info, |file| file.record(index)) }
}

/// Describes field `index` of the file, from 0.
///
/// # Safety
/// `info` is null or a structure with its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_field_get(file: *mut Opened, index: u64, info: *mut FieldInfo) -> i32 {
    // SAFETY: as this function requires.
    unsafe { filled(file, info, |file| file.field(index)) }
}

/// Describes the matrix of an INEBIN file.
///
/// # Safety
/// `info` is null or a structure with its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_matrix_get(file: *mut Opened, info: *mut MatrixInfo) -> i32 {
    // SAFETY: as this function requires.
    unsafe { filled(file, info, Opened::matrix) }
}

/// Describes section `index` of an scda file, from 0, which is the file header.
///
/// # Safety
/// `info` is null or a structure with its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_section_get(
    file: *mut Opened,
    index: u64,
    info: *mut SectionInfo,
) -> i32 {
    // SAFETY: as this function requires.
    unsafe { filled(file, info, |file| file.section(index)) }
}
