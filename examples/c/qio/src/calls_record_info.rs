//! The calls about record infos, of `qioxml.h`.
//!
//! # Safety
//! For each of them: a description is null, comes from `QIO_create_record_info`, or is a complete structure of the
//! program that nothing else uses during the call.
#![allow(unsafe_code, reason = "the C interface")]
#![allow(non_snake_case, reason = "the names of QIO 2.3")]
#![allow(clippy::missing_safety_doc, reason = "at the head of this file")]

use std::ffi::{c_char, c_int};
use std::ptr;

use linkstream::lattice::MAX_DIMENSIONS;

use crate::calls_string::text;
use crate::code::{Refused, coded, numbered, valued};
use crate::memory::values;
use crate::record_info::{HYPER, RecordInfo};
use crate::record_info_c::{QioRecordInfo, create, destroy, given, with};
use crate::text::Text;

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
) -> *mut QioRecordInfo {
    valued(ptr::null_mut(), || {
        let mut info = RecordInfo { recordtype, colors, spins, typesize, datacount, ..RecordInfo::default() };
        info.check()?;
        let count = usize::try_from(n).ok().filter(|count| *count <= MAX_DIMENSIONS);
        let count = count.ok_or_else(|| Refused::usage(format!("{n} dimensions; there can be 0 to 8")))?;
        if recordtype == HYPER && count > 0 {
            // SAFETY: as this function requires.
            let lower = unsafe { values(lower, count, "lower") }?;
            // SAFETY: as this function requires.
            let upper = unsafe { values(upper, count, "upper") }?;
            info.set_bounds(lower, upper)?;
        }
        // SAFETY: as this function requires.
        info.datatype = Text::of(unsafe { text(datatype) });
        // SAFETY: as this function requires.
        info.precision = Text::of(unsafe { text(precision) });
        info.date_now();
        create(&info)
    })
}

/// Frees a record info.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_destroy_record_info(record_info: *mut QioRecordInfo) {
    coded(|| destroy(record_info));
}

/// Compares what was found with what is expected.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_compare_record_info(
    found: *mut QioRecordInfo,
    expect: *mut QioRecordInfo,
) -> c_int {
    coded(|| {
        // SAFETY: as at the head of this file.
        let expected = unsafe { given(expect) }?;
        // SAFETY: as at the head of this file.
        unsafe { given(found) }?.compare(&expected)
    })
}

/// A number of a record info.
///
/// # Safety
/// As at the head of this file.
unsafe fn number(info: *mut QioRecordInfo, of: impl FnOnce(&QioRecordInfo) -> c_int) -> c_int {
    // SAFETY: as this function requires.
    numbered(|| unsafe { with(info, |info| of(info)) })
}

/// An address in a record info.
///
/// # Safety
/// As at the head of this file.
unsafe fn address<T>(info: *mut QioRecordInfo, of: impl FnOnce(&mut QioRecordInfo) -> *mut T) -> *mut T {
    // SAFETY: as this function requires.
    valued(ptr::null_mut(), || unsafe { with(info, of) })
}

/// 1 if a member is given; 0 if it is not, and after an error.
///
/// # Safety
/// As at the head of this file.
unsafe fn defined(info: *mut QioRecordInfo, is: impl FnOnce(&QioRecordInfo) -> bool) -> c_int {
    // SAFETY: as this function requires.
    valued(0, || unsafe { with(info, |info| c_int::from(is(info))) })
}

/// 1 if there is a date, otherwise 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_defined_record_date(record_info: *mut QioRecordInfo) -> c_int {
    // SAFETY: as at the head of this file.
    unsafe { defined(record_info, |info| info.has_date()) }
}

/// 1 for a filled description, otherwise 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_defined_recordtype(record_info: *mut QioRecordInfo) -> c_int {
    // SAFETY: as at the head of this file.
    unsafe { defined(record_info, |_| true) }
}

/// 1 if there is a name of a type, otherwise 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_defined_datatype(record_info: *mut QioRecordInfo) -> c_int {
    // SAFETY: as at the head of this file.
    unsafe { defined(record_info, |info| info.has_datatype()) }
}

/// 1 if there is a precision, otherwise 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_defined_precision(record_info: *mut QioRecordInfo) -> c_int {
    // SAFETY: as at the head of this file.
    unsafe { defined(record_info, |info| info.has_precision()) }
}

/// 1 if the number of colors is given, otherwise 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_defined_colors(record_info: *mut QioRecordInfo) -> c_int {
    // SAFETY: as at the head of this file.
    unsafe { defined(record_info, |info| info.colors() != 0) }
}

/// 1 if the number of spins is given, otherwise 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_defined_spins(record_info: *mut QioRecordInfo) -> c_int {
    // SAFETY: as at the head of this file.
    unsafe { defined(record_info, |info| info.spins() != 0) }
}

/// 1 if the size of an item is given, otherwise 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_defined_typesize(record_info: *mut QioRecordInfo) -> c_int {
    // SAFETY: as at the head of this file.
    unsafe { defined(record_info, |info| info.typesize() != 0) }
}

/// 1 if the number of items is given, otherwise 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_defined_datacount(record_info: *mut QioRecordInfo) -> c_int {
    // SAFETY: as at the head of this file.
    unsafe { defined(record_info, |info| info.datacount() != 0) }
}

/// The date of writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_get_record_date(record_info: *mut QioRecordInfo) -> *mut c_char {
    // SAFETY: as at the head of this file.
    unsafe { address(record_info, QioRecordInfo::date) }
}

/// Field, global data or hypercube.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_get_recordtype(record_info: *mut QioRecordInfo) -> c_int {
    // SAFETY: as at the head of this file.
    unsafe { number(record_info, QioRecordInfo::recordtype) }
}

/// The first corner of the hypercube: 8 numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_get_hyperlower(record_info: *mut QioRecordInfo) -> *mut c_int {
    // SAFETY: as at the head of this file.
    unsafe { address(record_info, |info| info.bounds().0) }
}

/// The last corner of the hypercube: 8 numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_get_hyperupper(record_info: *mut QioRecordInfo) -> *mut c_int {
    // SAFETY: as at the head of this file.
    unsafe { address(record_info, |info| info.bounds().1) }
}

/// Name of the type of an item.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_get_datatype(record_info: *mut QioRecordInfo) -> *mut c_char {
    // SAFETY: as at the head of this file.
    unsafe { address(record_info, QioRecordInfo::datatype) }
}

/// Precision of the numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_get_precision(record_info: *mut QioRecordInfo) -> *mut c_char {
    // SAFETY: as at the head of this file.
    unsafe { address(record_info, QioRecordInfo::precision) }
}

/// Number of colors.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_get_colors(record_info: *mut QioRecordInfo) -> c_int {
    // SAFETY: as at the head of this file.
    unsafe { number(record_info, QioRecordInfo::colors) }
}

/// Number of spins.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_get_spins(record_info: *mut QioRecordInfo) -> c_int {
    // SAFETY: as at the head of this file.
    unsafe { number(record_info, QioRecordInfo::spins) }
}

/// Size of an item in bytes; 0 after an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_get_typesize(record_info: *mut QioRecordInfo) -> usize {
    // SAFETY: as at the head of this file.
    valued(0, || unsafe { with(record_info, |info| usize::try_from(info.typesize()).unwrap_or(0)) })
}

/// Number of items per site.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_get_datacount(record_info: *mut QioRecordInfo) -> c_int {
    // SAFETY: as at the head of this file.
    unsafe { number(record_info, QioRecordInfo::datacount) }
}
