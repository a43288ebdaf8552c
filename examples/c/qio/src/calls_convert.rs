//! The conversions of `qio.h`.
#![allow(unsafe_code, reason = "the C interface")]
#![allow(non_snake_case, reason = "the names of QIO 2.3")]

use std::ffi::{c_char, c_int};

use crate::border::{coded, optional};
use crate::calls_string::text;
use crate::convert::{Mesh, part_to_single, single_to_part};
use crate::filename;
use crate::filesystem::{Filesystem, QioFilesystem};
use crate::layout::{Layout, QioLayout};
use crate::stop::Stop;
use crate::string::QioString;

/// # Safety
/// Pointers are null or what `qio.h` says.
unsafe fn arguments<'n>(
    filename: *const c_char,
    fs: *const QioFilesystem,
    layout: *const QioLayout,
) -> Result<(&'n [u8], Mesh), Stop> {
    // SAFETY: as this function requires.
    let name = unsafe { text(filename) }.ok_or_else(|| Stop::usage("the file name is a null pointer"))?;
    // SAFETY: as this function requires.
    let filesystem = unsafe { Filesystem::new(fs) }?;
    // SAFETY: as this function requires.
    let layout = unsafe { Layout::new(layout) }?;
    Ok((filename::checked(name)?, Mesh::new(layout, filesystem)?))
}

/// Makes partition files from a single file.
///
/// # Safety
/// Pointers are null or what `qio.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_single_to_part(
    filename: *const c_char,
    fs: *const QioFilesystem,
    layout: *const QioLayout,
    volfmt: c_int,
) -> c_int {
    coded("QIO_single_to_part", || {
        // SAFETY: as this function requires.
        let (name, mesh) = unsafe { arguments(filename, fs, layout) }?;
        // SAFETY: as this function requires.
        unsafe { single_to_part(name, &mesh, volfmt) }
    })
}

/// Makes a single file from partition files.
///
/// # Safety
/// Pointers are null or what `qio.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_part_to_single(
    filename: *const c_char,
    ildgstyle: c_int,
    ildgLFN: *mut QioString,
    fs: *const QioFilesystem,
    layout: *const QioLayout,
) -> c_int {
    coded("QIO_part_to_single", || {
        // SAFETY: as this function requires.
        let (name, mesh) = unsafe { arguments(filename, fs, layout) }?;
        // SAFETY: as this function requires.
        let lfn = unsafe { optional(ildgLFN) }?;
        let lfn = Some(lfn.as_slice()).filter(|lfn| !lfn.is_empty());
        // SAFETY: as this function requires.
        unsafe { part_to_single(name, &mesh, ildgstyle == 1, lfn) }
    })
}
