//! The calls of `qioxml_tags.h`.
#![allow(unsafe_code, reason = "the C interface")]
#![allow(non_snake_case, reason = "the names of QIO")]

use std::ffi::{CStr, c_char, c_int, c_short};

use crate::code::{Refused, coded, valued};
use crate::tags::{Found, MAX_ATTR, MAX_TAG, MAX_VALUE, next_element, next_tag, written};

/// An element with a value of some type: `QIO_TagCharValue` and `QIO_TagIntValue`.
#[repr(C)]
#[derive(Debug)]
pub struct Element<V> {
    tag: [u8; MAX_TAG],
    attr: [u8; MAX_ATTR],
    value: V,
    occur: c_short,
}

/// `QIO_TagCharValue`.
pub type CharElement = Element<[u8; MAX_VALUE]>;
/// `QIO_TagIntValue`.
pub type IntElement = Element<c_int>;

/// A structure of the program.
///
/// # Safety
/// The pointer is null, or points to a structure that nothing else uses during the call.
unsafe fn element<'e, V>(pointer: *mut Element<V>) -> Result<&'e mut Element<V>, Refused> {
    if !pointer.is_aligned() {
        return Err(Refused::usage("the pointer to an element is not aligned"));
    }
    // SAFETY: the pointer is aligned; the program promises the rest.
    unsafe { pointer.as_mut() }.ok_or_else(|| Refused::usage("the pointer to an element is null"))
}

/// A text of the program.
///
/// # Safety
/// The pointer is null, or points to a text.
unsafe fn text<'t>(pointer: *const c_char) -> Result<&'t [u8], Refused> {
    if pointer.is_null() {
        return Err(Refused::usage("a text is a null pointer"));
    }
    // SAFETY: as this function requires.
    Ok(unsafe { CStr::from_ptr(pointer) }.to_bytes())
}

/// The bytes of a member before its zero byte.
fn trimmed(member: &[u8]) -> &[u8] {
    member.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// Copies a text with a zero byte to memory of the program.
///
/// # Safety
/// The memory has room for it.
unsafe fn store(to: *mut c_char, bytes: &[u8]) {
    // SAFETY: as this function requires.
    unsafe { to.cast::<u8>().copy_from(bytes.as_ptr(), bytes.len()) };
    // SAFETY: as above.
    unsafe { to.wrapping_add(bytes.len()).write(0) };
}

/// Writes an element, unless it has not occurred. `as_text` makes its value a text.
///
/// # Safety
/// Pointers are null or what `qioxml_tags.h` says.
unsafe fn encode<V>(
    buf: *mut c_char,
    tag_value: *mut Element<V>,
    remainder: *mut c_int,
    as_text: impl FnOnce(&V) -> Vec<u8>,
) -> Result<*mut c_char, Refused> {
    // SAFETY: as this function requires.
    let element = unsafe { element(tag_value) }?;
    if element.occur == 0 {
        return Ok(buf);
    }
    let text = written(trimmed(&element.tag), trimmed(&element.attr), &as_text(&element.value));
    if buf.is_null() || remainder.is_null() || !remainder.is_aligned() {
        return Err(Refused::usage("the buffer or the pointer to its size is null"));
    }
    // SAFETY: the pointer is aligned; the program promises the rest.
    let left = unsafe { remainder.read() };
    let length = c_int::try_from(text.len()).ok().filter(|length| *length < left);
    // SAFETY: as above.
    unsafe { remainder.write(length.map_or(-1, |length| left - length)) };
    if length.is_none() {
        let message = format!("an element of {} bytes does not fit into {left} bytes", text.len());
        return Err(Refused::usage(message));
    }
    // SAFETY: there is room for the text and its zero byte.
    unsafe { store(buf, &text) };
    Ok(buf.wrapping_add(text.len()))
}

/// Writes an element with a text.
///
/// # Safety
/// Pointers are null or what `qioxml_tags.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_encode_as_string(
    buf: *mut c_char,
    tag_value: *mut CharElement,
    remainder: *mut c_int,
) -> *mut c_char {
    // SAFETY: as this function requires.
    valued(buf, || unsafe { encode(buf, tag_value, remainder, |value| trimmed(value).to_vec()) })
}

/// Writes an element with a number.
///
/// # Safety
/// Pointers are null or what `qioxml_tags.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_encode_as_int(
    buf: *mut c_char,
    tag_value: *mut IntElement,
    remainder: *mut c_int,
) -> *mut c_char {
    // SAFETY: as this function requires.
    valued(buf, || unsafe { encode(buf, tag_value, remainder, |value| value.to_string().into_bytes()) })
}

/// Passes the end of a text after an error, and if there is nothing more in it.
///
/// # Safety
/// `parse_pt` is null or a text, the places are null or have room for the largest texts.
unsafe fn found(
    parse_pt: *mut c_char,
    places: [*mut c_char; 2],
    find: impl FnOnce(&'static [u8]) -> Result<Option<Found<'static>>, Refused>,
) -> Result<(*mut c_char, *mut c_char), Refused> {
    // SAFETY: as this function requires; the text is used during the call only.
    let text = unsafe { text(parse_pt) }?;
    let end = text.len();
    let nothing = Found { begin: end, end, name: b"", value: b"" };
    let (found, outcome) = match find(text) {
        Ok(found) => (found.unwrap_or(nothing), Ok(())),
        Err(refused) => (nothing, Err(refused)),
    };
    for (place, bytes) in places.into_iter().zip([found.name, found.value]) {
        if !place.is_null() {
            // SAFETY: the place has room for the largest name or value.
            unsafe { store(place, bytes) };
        }
    }
    coded(|| outcome);
    Ok((parse_pt.wrapping_add(found.begin), parse_pt.wrapping_add(found.end)))
}

/// Finds the next tag.
///
/// # Safety
/// Pointers are null or what `qioxml_tags.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_next_tag(
    parse_pt: *mut c_char,
    tag: *mut c_char,
    left_angle: *mut *mut c_char,
) -> *mut c_char {
    valued(parse_pt, || {
        // SAFETY: as this function requires.
        let (begin, end) = unsafe { found(parse_pt, [tag, std::ptr::null_mut()], next_tag) }?;
        if !left_angle.is_null() && left_angle.is_aligned() {
            // SAFETY: the pointer is aligned; the program promises the rest.
            unsafe { left_angle.write(begin) };
        }
        Ok(end)
    })
}

/// Finds the next element.
///
/// # Safety
/// Pointers are null or what `qioxml_tags.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_get_tag_value(
    parse_pt: *mut c_char,
    tag: *mut c_char,
    value_string: *mut c_char,
) -> *mut c_char {
    valued(parse_pt, || {
        // SAFETY: as this function requires.
        Ok(unsafe { found(parse_pt, [tag, value_string], next_element) }?.1)
    })
}

/// Sets the value of an element if it has this name.
///
/// # Safety
/// `tag` and `value_string` are null or texts, `tag_value` is null or a structure.
unsafe fn decode<V>(
    tag: *const c_char,
    value_string: *const c_char,
    tag_value: *mut Element<V>,
    set: impl FnOnce(&mut V, &[u8]) -> Result<(), Refused>,
) {
    coded(|| {
        // SAFETY: as this function requires.
        let (tag, value) = (unsafe { text(tag) }?, unsafe { text(value_string) }?);
        // SAFETY: as this function requires.
        let element = unsafe { element(tag_value) }?;
        if tag != trimmed(&element.tag) {
            return Ok(());
        }
        set(&mut element.value, value)?;
        element.attr[0] = 0;
        element.occur = element.occur.saturating_add(1);
        Ok(())
    });
}

/// Sets a text.
///
/// # Safety
/// Pointers are null or what `qioxml_tags.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_decode_as_string(
    tag: *mut c_char,
    value_string: *mut c_char,
    tag_value: *mut CharElement,
) {
    let set = |to: &mut [u8; MAX_VALUE], value: &[u8]| {
        if value.len() >= MAX_VALUE {
            return Err(Refused::usage(format!("the value of an element has {} bytes", value.len())));
        }
        to.fill(0);
        to[..value.len()].copy_from_slice(value);
        Ok(())
    };
    // SAFETY: as this function requires.
    unsafe { decode(tag, value_string, tag_value, set) };
}

/// Sets a number.
///
/// # Safety
/// Pointers are null or what `qioxml_tags.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_decode_as_int(
    tag: *mut c_char,
    value_string: *mut c_char,
    tag_value: *mut IntElement,
) {
    let set = |to: &mut c_int, value: &[u8]| {
        let number = std::str::from_utf8(value).ok().and_then(|value| value.trim_ascii().parse().ok());
        *to = number
            .ok_or_else(|| Refused::usage(format!("{:?} is not a number", String::from_utf8_lossy(value))))?;
        Ok(())
    };
    // SAFETY: as this function requires.
    unsafe { decode(tag, value_string, tag_value, set) };
}

/// 0 if an element has occurred once.
///
/// # Safety
/// `tag_value` is null or a structure.
unsafe fn check<V>(tag_value: *mut Element<V>) -> c_int {
    // SAFETY: as this function requires.
    valued(1, || Ok(c_int::from(unsafe { element(tag_value) }?.occur != 1)))
}

/// 0 if an element with a text has occurred once.
///
/// # Safety
/// `tag_value` is null or a structure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_check_string_occur(tag_value: *mut CharElement) -> c_int {
    // SAFETY: as this function requires.
    unsafe { check(tag_value) }
}

/// 0 if an element with a number has occurred once.
///
/// # Safety
/// `tag_value` is null or a structure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_check_int_occur(tag_value: *mut IntElement) -> c_int {
    // SAFETY: as this function requires.
    unsafe { check(tag_value) }
}
