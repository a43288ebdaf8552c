//! The calls about record infos, of `qioxml.h`.
#![allow(unsafe_code, reason = "the C interface")]
#![allow(non_snake_case, reason = "the names of QIO 2.3")]

use std::ffi::{c_char, c_int};
use std::ptr;

use linkstream::lattice::MAX_DIMENSIONS;
use linkstream_c_border::Handles;

use crate::calls_string::text;
use crate::code::{Refused, coded, numbered, valued};
use crate::record_info::{HYPER, RecordInfo};
use crate::text::Text;

/// The record infos that exist.
pub static RECORD_INFOS: Handles<RecordInfo> = Handles::new("a QIO_RecordInfo");

/// Numbers of the program.
///
/// # Safety
/// The pointer is null, or points to so many numbers.
unsafe fn numbers<'n>(pointer: *const c_int, count: usize) -> Result<&'n [c_int], Refused> {
    if pointer.is_null() {
        return Err(Refused::usage("a bound of the hypercube is a null pointer"));
    }
    // SAFETY: as this function requires.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// A record info.
///
/// # Safety
/// `lower` and `upper` are null or have `n` numbers; `datatype` and `precision` are null or texts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_create_record_info(
    recordtype: c_int,
    lower: *mut c_int,
    upper: *mut c_int,
    n: c_int,
    datatype: *mut c_char,
    precision: *mut c_char,
    colors: c_int,
    spins: c_int,
    typesize: c_int,
    datacount: c_int,
) -> *mut RecordInfo {
    valued(ptr::null_mut(), || {
        let mut info = RecordInfo { recordtype, colors, spins, typesize, datacount, ..RecordInfo::default() };
        info.check()?;
        let count = usize::try_from(n).ok().filter(|count| *count <= MAX_DIMENSIONS);
        let count = count.ok_or_else(|| Refused::usage(format!("{n} dimensions; there can be 0 to 8")))?;
        if recordtype == HYPER && count > 0 {
            // SAFETY: as this function requires.
            let lower = unsafe { numbers(lower, count) }?;
            // SAFETY: as this function requires.
            let upper = unsafe { numbers(upper, count) }?;
            info.set_bounds(lower, upper)?;
        }
        // SAFETY: as this function requires.
        info.datatype = Text::of(unsafe { text(datatype) });
        // SAFETY: as this function requires.
        info.precision = Text::of(unsafe { text(precision) });
        info.date_now();
        Ok(RECORD_INFOS.create(info))
    })
}

/// Frees a record info.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_destroy_record_info(record_info: *mut RecordInfo) {
    coded(|| Ok(RECORD_INFOS.free(record_info)?));
}

/// Compares what was found with what is expected.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_compare_record_info(found: *mut RecordInfo, expect: *mut RecordInfo) -> c_int {
    coded(|| {
        let expected = RECORD_INFOS.with(expect, |expect| expect.clone())?;
        RECORD_INFOS.with(found, |found| found.compare(&expected))?
    })
}

/// A number of a record info.
fn number(info: *mut RecordInfo, of: impl FnOnce(&RecordInfo) -> c_int) -> c_int {
    numbered(|| Ok(RECORD_INFOS.with(info, |info| of(info))?))
}

/// An address in a record info.
fn address<T>(info: *mut RecordInfo, of: impl FnOnce(&mut RecordInfo) -> *mut T) -> *mut T {
    valued(ptr::null_mut(), || Ok(RECORD_INFOS.with(info, of)?))
}

/// The date of writing.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_get_record_date(record_info: *mut RecordInfo) -> *mut c_char {
    address(record_info, |info| info.date.as_mut_ptr())
}

/// Field, global data or hypercube.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_get_recordtype(record_info: *mut RecordInfo) -> c_int {
    number(record_info, |info| info.recordtype)
}

/// The first corner of the hypercube: 8 numbers.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_get_hyperlower(record_info: *mut RecordInfo) -> *mut c_int {
    address(record_info, |info| info.lower.as_mut_ptr())
}

/// The last corner of the hypercube: 8 numbers.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_get_hyperupper(record_info: *mut RecordInfo) -> *mut c_int {
    address(record_info, |info| info.upper.as_mut_ptr())
}

/// Name of the type of an item.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_get_datatype(record_info: *mut RecordInfo) -> *mut c_char {
    address(record_info, |info| info.datatype.as_mut_ptr())
}

/// Precision of the numbers.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_get_precision(record_info: *mut RecordInfo) -> *mut c_char {
    address(record_info, |info| info.precision.as_mut_ptr())
}

/// Number of colors.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_get_colors(record_info: *mut RecordInfo) -> c_int {
    number(record_info, |info| info.colors)
}

/// Number of spins.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_get_spins(record_info: *mut RecordInfo) -> c_int {
    number(record_info, |info| info.spins)
}

/// Size of an item in bytes; 0 after an error.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_get_typesize(record_info: *mut RecordInfo) -> usize {
    valued(0, || Ok(RECORD_INFOS.with(record_info, |info| usize::try_from(info.typesize).unwrap_or(0))?))
}

/// Number of items per site.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_get_datacount(record_info: *mut RecordInfo) -> c_int {
    number(record_info, |info| info.datacount)
}
