//! Calls about reports, and the version.
#![allow(unsafe_code, reason = "the C interface")]

use std::ffi::{c_char, c_void};
use std::ptr;

use linkstream_c_border::{Handles, fail, guard};

use super::answered;
use crate::answer::{OK, Refused};
use crate::memory;
use crate::progress::Progress;
use crate::reports::{Report, options};
use crate::sources::Borrowed;
use crate::structures::{Check, Finding, ReportInfo};

static REPORTS: Handles<Report> = Handles::new("a report");

/// The version of the library.
#[unsafe(no_mangle)]
pub extern "C" fn linkstream_version() -> *const c_char {
    const { concat!(env!("CARGO_PKG_VERSION"), "\0") }.as_ptr().cast()
}

/// Options and progress of a report.
///
/// # Safety
/// The pointer is null or points to options that do what `linkstream.h` says.
unsafe fn chosen(check: *const Check) -> Result<(linkstream_report::options::Options, Progress), Refused> {
    // SAFETY: as this function requires.
    let check = unsafe { memory::given_or_null(check) }?;
    if check.is_some_and(|check| check.reserved != 0) {
        return Err(Refused::usage("a reserved member is not 0"));
    }
    let function = check.and_then(|check| check.progress);
    let context = check.map_or(ptr::null_mut(), |check| check.context);
    // SAFETY: as this function requires.
    let progress = unsafe { Progress::new(function, context) };
    Ok((options(check.map_or(0, |check| check.flags))?, progress))
}

/// Reports on a file or a set.
///
/// # Safety
/// `path` is null or a text, `check` null or options, `report` null or a place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_check_path(
    path: *const c_char,
    check: *const Check,
    report: *mut *mut Report,
) -> i32 {
    answered(|| {
        // SAFETY: as this function requires.
        let place = unsafe { memory::place(report) }?;
        // SAFETY: as this function requires.
        let path = unsafe { memory::path(path) }?;
        // SAFETY: as this function requires.
        let (options, progress) = unsafe { chosen(check) }?;
        place.put(REPORTS.create(Report::at(&path, &options, &progress)?));
        Ok(OK)
    })
}

/// Reports on the bytes of a file.
///
/// # Safety
/// `bytes` is null or has the length, and nothing writes to them during the call; `name` is null or a text, `check`
/// null or options, `report` null or a place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_check_memory(
    bytes: *const c_void,
    length: usize,
    name: *const c_char,
    check: *const Check,
    report: *mut *mut Report,
) -> i32 {
    answered(|| {
        // SAFETY: as this function requires.
        let place = unsafe { memory::place(report) }?;
        // SAFETY: as this function requires.
        let bytes = unsafe { Borrowed::new(bytes, length) }?;
        // SAFETY: as this function requires.
        let name =
            unsafe { memory::text(name) }?.ok_or_else(|| Refused::usage("the name is a null pointer"))?;
        // SAFETY: as this function requires.
        let (options, progress) = unsafe { chosen(check) }?;
        place.put(REPORTS.create(Report::of_bytes(bytes, &name, &options, &progress)?));
        Ok(OK)
    })
}

/// The report as a whole.
///
/// # Safety
/// `info` is null or a structure with its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_report_get(report: *mut Report, info: *mut ReportInfo) -> i32 {
    answered(|| {
        let value = REPORTS.with(report, |report| report.info())?;
        // SAFETY: as this function requires.
        unsafe { memory::fill(info, value) }?;
        Ok(OK)
    })
}

/// Describes finding `index` of the report, from 0.
///
/// # Safety
/// `finding` is null or a structure with its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_report_finding(
    report: *mut Report,
    index: u64,
    finding: *mut Finding,
) -> i32 {
    answered(|| {
        let value = REPORTS.with(report, |report| report.finding(index))??;
        // SAFETY: as this function requires.
        unsafe { memory::fill(finding, value) }?;
        Ok(OK)
    })
}

/// The report as JSON; null after an error.
#[unsafe(no_mangle)]
pub extern "C" fn linkstream_report_json(report: *mut Report) -> *const c_char {
    guard(ptr::null(), || {
        // The text stays where it is until the report is closed.
        REPORTS.with(report, |report| report.json().as_ptr()).unwrap_or_else(|failure| {
            fail(&failure);
            ptr::null()
        })
    })
}

/// Closes a report.
#[unsafe(no_mangle)]
pub extern "C" fn linkstream_report_close(report: *mut Report) -> i32 {
    answered(|| {
        REPORTS.free(report)?;
        Ok(OK)
    })
}
