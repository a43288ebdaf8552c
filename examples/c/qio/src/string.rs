//! `QIO_String`: a text in memory of `malloc`, and its length (QIO 2.3, section 4.7).
//!
//! Programs read and set the two members themselves, and also have such structures of their own, filled with zeros. The
//! structures that this library creates are never given back to the system: destroyed ones are kept for a while and
//! then used again, so that a destroyed string is recognised instead of read.
#![allow(unsafe_code, reason = "memory that is shared with the program")]

use std::collections::{BTreeMap, VecDeque};
use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::code::{ERR_ALLOC, Refused};

/// `QIO_String` of `qio_string.h`.
#[repr(C)]
#[derive(Debug)]
pub struct QioString {
    /// The text, in memory of `malloc`, with a zero byte at its end; null if there is none.
    pub string: *mut c_char,
    /// Number of bytes of this memory, with the zero byte.
    pub length: usize,
}

/// Address of a structure that this library has created.
#[derive(Debug, Clone, Copy)]
struct Shell(*mut QioString);

// SAFETY: the structure belongs to no thread; its use is up to the program.
unsafe impl Send for Shell {}

/// The structures that this library has created.
#[derive(Debug, Default)]
struct Shells {
    /// Each address, and whether the string exists. Checkers of leaks find no memory that only a hash table refers to.
    all: BTreeMap<usize, bool>,
    /// Destroyed ones, the oldest first.
    destroyed: VecDeque<Shell>,
}

/// Number of destroyed strings that are kept before the oldest one is used again.
const KEPT: usize = 256;

static SHELLS: Mutex<Option<Shells>> = Mutex::new(None);

fn shells() -> MutexGuard<'static, Option<Shells>> {
    // The lists are consistent between any two of their operations.
    SHELLS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A new string without text.
pub fn create() -> *mut QioString {
    let mut shells = shells();
    let shells = shells.get_or_insert_default();
    let oldest = if shells.destroyed.len() > KEPT { shells.destroyed.pop_front() } else { None };
    let Shell(address) = oldest.unwrap_or_else(|| Shell(Box::into_raw(Box::new(QioString::EMPTY))));
    shells.all.insert(address.addr(), true);
    address
}

/// Ends a string of [`create`] and frees its text. Null is allowed.
///
/// # Errors
/// There is no such string: nothing is freed.
///
/// # Safety
/// If the string exists, nothing else uses it, and its members do not contradict each other.
pub unsafe fn destroy(string: *mut QioString) -> Result<(), Refused> {
    if string.is_null() {
        return Ok(());
    }
    let mut shells = shells();
    let shells = shells.get_or_insert_default();
    let Some(exists) = shells.all.get_mut(&string.addr()).filter(|exists| **exists) else {
        return Err(Refused::usage(
            "the pointer is not a string of QIO_string_create, or it has been destroyed",
        ));
    };
    *exists = false;
    shells.destroyed.push_back(Shell(string));
    // SAFETY: the string exists, and nothing else uses it.
    unsafe { &mut *string }.clear()
}

/// A string of the program.
///
/// # Errors
/// The pointer is null, not aligned, or a destroyed string; or one member contradicts the other.
///
/// # Safety
/// The pointer is null, a string of [`create`], or points to a structure of the program that is valid and filled as
/// `qio_string.h` says. Nothing else uses it during the call.
pub unsafe fn borrow<'s>(string: *mut QioString) -> Result<&'s mut QioString, Refused> {
    if string.is_null() {
        return Err(Refused::usage("a null pointer was passed instead of a QIO_String"));
    }
    if !string.is_aligned() {
        return Err(Refused::usage("the pointer is not a valid QIO_String"));
    }
    if shells().get_or_insert_default().all.get(&string.addr()) == Some(&false) {
        return Err(Refused::usage("the QIO_String has been destroyed"));
    }
    // SAFETY: as this function requires.
    let string = unsafe { &mut *string };
    if string.string.is_null() != (string.length == 0) {
        let message =
            "the QIO_String has a text without a length, or a length without a text: fill it with zeros";
        return Err(Refused::usage(message));
    }
    Ok(string)
}

impl QioString {
    /// No text, as after filling the structure with zeros.
    pub const EMPTY: Self = Self { string: ptr::null_mut(), length: 0 };

    /// All bytes, with the zero byte at the end of the text and what is after it.
    #[must_use]
    pub const fn bytes(&self) -> &[u8] {
        if self.string.is_null() {
            return &[];
        }
        // SAFETY: the memory has this length.
        unsafe { std::slice::from_raw_parts(self.string.cast(), self.length) }
    }

    /// The text without its zero byte. Empty if there is none.
    ///
    /// # Errors
    /// There is no zero byte in the memory of the text.
    pub fn text(&self) -> Result<&[u8], Refused> {
        let bytes = self.bytes();
        match bytes.iter().position(|byte| *byte == 0) {
            Some(length) => Ok(&bytes[..length]),
            None if bytes.is_empty() => Ok(bytes),
            None => Err(Refused::usage("the text of the QIO_String has no zero byte at its end")),
        }
    }

    /// Frees the text.
    ///
    /// # Errors
    /// One member contradicts the other: nothing is freed.
    pub fn clear(&mut self) -> Result<(), Refused> {
        let Self { string, length } = std::mem::replace(self, Self::EMPTY);
        if string.is_null() != (length == 0) {
            return Err(Refused::usage("the members of the QIO_String contradict each other"));
        }
        // SAFETY: the memory is of `malloc`, and is not used any more.
        unsafe { libc::free(string.cast()) };
        Ok(())
    }

    /// Replaces the text. A zero byte is added.
    ///
    /// # Errors
    /// There is no memory: the text is unchanged.
    pub fn set(&mut self, text: &[u8]) -> Result<(), Refused> {
        self.replace(&[text, &[0]])
    }

    /// Replaces all bytes.
    ///
    /// # Errors
    /// There is no memory: the text is unchanged.
    pub fn set_bytes(&mut self, bytes: &[u8]) -> Result<(), Refused> {
        self.replace(&[bytes])
    }

    /// Appends to the text.
    ///
    /// # Errors
    /// There is no memory, or the text has no zero byte at its end: it is unchanged.
    pub fn append(&mut self, more: &[u8]) -> Result<(), Refused> {
        let text = linkstream_memory::copied(self.text()?)?;
        self.replace(&[&text, more, &[0]])
    }

    /// Changes the number of bytes. A longer text than there is room for is truncated; new bytes are zero; 0 bytes are
    /// no text.
    ///
    /// # Errors
    /// There is no memory: the text is unchanged.
    pub fn resize(&mut self, length: usize) -> Result<(), Refused> {
        let kept = self.bytes().len().min(length.saturating_sub(1));
        let mut new = Memory::new(length)?;
        new.bytes()[..kept].copy_from_slice(&self.bytes()[..kept]);
        self.adopt(new);
        Ok(())
    }

    fn replace(&mut self, parts: &[&[u8]]) -> Result<(), Refused> {
        let length = parts.iter().map(|part| part.len()).sum();
        let mut new = Memory::new(length)?;
        let mut rest = new.bytes();
        for part in parts {
            let (room, after) = rest.split_at_mut(part.len());
            room.copy_from_slice(part);
            rest = after;
        }
        // Only now, because the parts can be bytes of this text.
        self.adopt(new);
        Ok(())
    }

    fn adopt(&mut self, new: Memory) {
        let new = std::mem::ManuallyDrop::new(new);
        // SAFETY: the memory is of `malloc`, and is not used any more.
        unsafe { libc::free(self.string.cast()) };
        *self = Self { string: new.address.cast(), length: new.length };
    }
}

/// New memory of `calloc`: zeros.
struct Memory {
    address: *mut c_void,
    length: usize,
}

impl Memory {
    fn new(length: usize) -> Result<Self, Refused> {
        if length == 0 {
            return Ok(Self { address: ptr::null_mut(), length });
        }
        let none = || Refused::because(ERR_ALLOC, format!("there is no memory for a text of {length} bytes"));
        isize::try_from(length).map_err(|_| none())?;
        // SAFETY: `calloc` has no requirements.
        let address = unsafe { libc::calloc(length, 1) };
        if address.is_null() { Err(none()) } else { Ok(Self { address, length }) }
    }

    fn bytes(&mut self) -> &mut [u8] {
        if self.address.is_null() {
            return &mut [];
        }
        // SAFETY: the memory has this length, is filled with zeros, and is borrowed with this value.
        unsafe { std::slice::from_raw_parts_mut(self.address.cast(), self.length) }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the memory is of `calloc`, and is not used any more.
        unsafe { libc::free(self.address) };
    }
}

/// A copy of a text for the program, which frees it with `free`.
///
/// # Errors
/// There is no memory.
pub fn copy_for_program(text: &[u8]) -> Result<*mut c_char, Refused> {
    let mut copy = Memory::new(text.len() + 1)?;
    copy.bytes()[..text.len()].copy_from_slice(text);
    Ok(std::mem::ManuallyDrop::new(copy).address.cast())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_lengths() {
        let mut string = QioString::EMPTY;
        assert_eq!((string.bytes(), string.text().unwrap()), (&b""[..], &b""[..]));
        string.set(b"abc").unwrap();
        assert_eq!((string.bytes(), string.length), (&b"abc\0"[..], 4));
        string.append(b"de").unwrap();
        assert_eq!(string.bytes(), b"abcde\0");
        string.resize(3).unwrap();
        assert_eq!(string.bytes(), b"ab\0");
        string.resize(5).unwrap();
        assert_eq!(string.bytes(), b"ab\0\0\0");
        assert_eq!(string.text().unwrap(), b"ab");
        assert_eq!(string.resize(usize::MAX).unwrap_err().code, ERR_ALLOC);
        assert_eq!(string.text().unwrap(), b"ab");
        string.set_bytes(b"xy").unwrap();
        assert!(string.text().is_err() && string.append(b"z").is_err());
        string.resize(0).unwrap();
        assert!(string.string.is_null() && string.length == 0);
        string.append(b"z").unwrap();
        assert_eq!(string.bytes(), b"z\0");
        string.clear().unwrap();
    }

    /// Both calls that take a pointer, with their outcome.
    fn outcomes(string: *mut QioString) -> [Result<(), Refused>; 2] {
        // SAFETY: tests pass null, strings, destroyed strings and a structure, which nothing else uses.
        let borrowed = unsafe { borrow(string) }.map(|_| ());
        // SAFETY: as above.
        [borrowed, unsafe { destroy(string) }]
    }

    #[test]
    fn destroyed_strings_are_recognised() {
        let string = create();
        // SAFETY: the string exists, and only this test uses it.
        unsafe { borrow(string) }.unwrap().set(b"abc").unwrap();
        assert_eq!(outcomes(string), [Ok(()), Ok(())]);
        let [borrowed, destroyed] = outcomes(string);
        assert!(borrowed.unwrap_err().failure.unwrap().message.contains("destroyed"));
        assert!(destroyed.is_err());
        let [borrowed, destroyed] = outcomes(ptr::null_mut());
        assert!(borrowed.is_err() && destroyed.is_ok());
        let mut own = QioString { string: ptr::null_mut(), length: 5 };
        assert!(outcomes(&raw mut own).iter().all(Result::is_err));
        let next = create();
        assert_ne!(next, string, "the destroyed one is kept for a while");
        assert_eq!(outcomes(next), [Ok(()), Ok(())]);
    }
}
