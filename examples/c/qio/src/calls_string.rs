//! The calls of `qio_string.h`.
#![allow(unsafe_code, reason = "the C interface")]
#![allow(non_snake_case, reason = "the names of QIO 2.3")]

use std::ffi::{CStr, c_char};
use std::ptr;

use crate::code::{Refused, coded, valued};
use crate::string::{QioString, borrow, create, destroy};

/// A text of the program.
///
/// # Safety
/// The pointer is null, or points to a text with a zero byte at its end, which is not changed during the call.
pub(crate) unsafe fn text<'t>(pointer: *const c_char) -> Option<&'t [u8]> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: as this function requires.
    Some(unsafe { CStr::from_ptr(pointer) }.to_bytes())
}

/// An empty string.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_string_create() -> *mut QioString {
    valued(ptr::null_mut(), || Ok(create()))
}

/// Frees a string and its text.
///
/// # Safety
/// `qs` is null or a string, which nothing else uses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_string_destroy(qs: *mut QioString) {
    // SAFETY: as this function requires.
    coded(|| unsafe { destroy(qs) });
}

/// Replaces the text; a null pointer removes it.
///
/// # Safety
/// `qs` is null or a string, `string` null or a text, which may be in the string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_string_set(qs: *mut QioString, string: *const c_char) {
    coded(|| {
        // SAFETY: as this function requires.
        let qs = unsafe { borrow(qs) }?;
        // SAFETY: as this function requires.
        match unsafe { text(string) } {
            Some(text) => qs.set(text),
            None => qs.clear(),
        }
    });
}

/// Number of bytes, with the zero byte.
///
/// # Safety
/// `qs` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_string_length(qs: *const QioString) -> usize {
    // SAFETY: as this function requires.
    valued(0, || Ok(unsafe { borrow(qs.cast_mut()) }?.length))
}

/// The same call by the name in section 4.7.
///
/// # Safety
/// `qs` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_string_bytes(qs: *const QioString) -> usize {
    // SAFETY: as this function requires.
    unsafe { QIO_string_length(qs) }
}

/// First byte of the text, which ends in a NUL; null without text and after an error.
///
/// # Safety
/// `qs` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_string_ptr(qs: *mut QioString) -> *mut c_char {
    // SAFETY: as this function requires.
    valued(ptr::null_mut(), || Ok(unsafe { borrow(qs) }?.string))
}

/// Copies all bytes of a string.
///
/// # Safety
/// Both are null or strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_string_copy(dest: *mut QioString, src: *mut QioString) {
    coded(|| {
        if ptr::eq(dest, src) && !dest.is_null() {
            return Ok(());
        }
        // SAFETY: as this function requires.
        let dest = unsafe { borrow(dest) }?;
        // SAFETY: as this function requires; it is another string.
        let src = unsafe { borrow(src) }?;
        if ptr::eq(dest.string, src.string) && !src.string.is_null() {
            return Err(Refused::usage("both strings have the same memory"));
        }
        dest.set_bytes(src.bytes())
    });
}

/// Changes the number of bytes.
///
/// # Safety
/// `qs` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_string_realloc(qs: *mut QioString, length: usize) {
    // SAFETY: as this function requires.
    coded(|| unsafe { borrow(qs) }?.resize(length));
}

/// Appends to the text.
///
/// # Safety
/// `qs` is null or a string, `string` null or a text, which may be in the string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_string_append(qs: *mut QioString, string: *const c_char) {
    coded(|| {
        // SAFETY: as this function requires.
        let qs = unsafe { borrow(qs) }?;
        // SAFETY: as this function requires.
        let more = unsafe { text(string) };
        qs.append(more.ok_or_else(|| Refused::usage("the text to append is a null pointer"))?)
    });
}
