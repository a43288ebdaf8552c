//! The last error of each thread.
#![allow(unsafe_code, reason = "memory that several libraries of one program share")]

use std::cell::UnsafeCell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::OnceLock;

use linkstream::{Diagnostic, Error};

/// Description of an error.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Failure {
    /// Name of the broken rule; empty if it is no error of a file.
    pub rule: String,
    /// Clause of the specification; empty if there is none.
    pub clause: String,
    /// Absolute offset in the file.
    pub offset: Option<u64>,
    /// Description for people, in one sentence.
    pub message: String,
}

impl Failure {
    /// The caller has passed wrong arguments, or made a call at a wrong time.
    #[must_use]
    pub fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), ..Self::default() }
    }

    /// The error of a decoder or encoder of the codec.
    #[must_use]
    pub fn of<K: Diagnostic>(error: Error<K>) -> Self {
        let Error { at, kind, .. } = error;
        Self {
            rule: kind.rule().to_owned(),
            clause: kind.clause().to_owned(),
            offset: Some(at),
            message: kind.to_string(),
        }
    }

    /// The last error of the operating system, in this thread.
    #[must_use]
    pub fn system(doing: &str, offset: u64) -> Self {
        let error = std::io::Error::last_os_error();
        Self { message: format!("{doing}: {error}"), offset: Some(offset), ..Self::default() }
    }
}

/// The last error, for C: `linkstream_error` in `linkstream_error.h`. All texts end with a zero byte.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct LastError {
    /// Name of the broken rule, or an empty text.
    pub rule: [c_char; 64],
    /// Clause of the specification, or an empty text.
    pub clause: [c_char; 128],
    /// A sentence; an empty text if there has been no error.
    pub message: [c_char; 824],
    /// Absolute offset in the file, if `has_offset` is 1.
    pub offset: u64,
    /// 1 if the error has an offset, otherwise 0.
    pub has_offset: c_int,
}

impl LastError {
    const NONE: Self = Self { rule: [0; 64], clause: [0; 128], message: [0; 824], offset: 0, has_offset: 0 };

    fn new(failure: &Failure) -> Self {
        let mut new = Self::NONE;
        copy(&mut new.rule, &failure.rule);
        copy(&mut new.clause, &failure.clause);
        copy(&mut new.message, &without_number(&failure.message));
        new.offset = failure.offset.unwrap_or(0);
        new.has_offset = c_int::from(failure.offset.is_some());
        new
    }
}

/// The sentence without the numbers that the system has for its errors.
fn without_number(said: &str) -> String {
    let mut parts = said.split(" (os error ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| out + part.split_once(')').map_or(part, |(_, rest)| rest))
}

/// Copies as much of a text as there is room for, in whole characters. A zero byte would end it: it becomes `?`.
fn copy(to: &mut [c_char], text: &str) {
    let mut length = text.len().min(to.len() - 1);
    while !text.is_char_boundary(length) {
        length -= 1;
    }
    for (to, byte) in to.iter_mut().zip(&text.as_bytes()[..length]) {
        *to = (if *byte == 0 { b'?' } else { *byte }).cast_signed() as c_char;
    }
}

thread_local! {
    static LAST: UnsafeCell<LastError> = const { UnsafeCell::new(LastError::NONE) };
}

type Place = unsafe extern "C" fn() -> *mut LastError;

/// The place of the last error of this thread. Each library of linkstream has one; all that a program loads use the one
/// that the dynamic linker finds first, so that an error is found whichever library it comes from.
#[unsafe(no_mangle)]
pub extern "C" fn linkstream_error_place_1() -> *mut LastError {
    LAST.try_with(UnsafeCell::get).unwrap_or(std::ptr::null_mut())
}

/// The description of the last error of this thread. It is valid until the next call of this thread fails.
#[unsafe(no_mangle)]
pub extern "C" fn linkstream_last_error() -> *const LastError {
    let place = place();
    // A thread that ends has no last error any more.
    static NONE: LastError = LastError::NONE;
    if place.is_null() { &raw const NONE } else { place }
}

/// The place that all libraries of this program use.
fn place() -> *mut LastError {
    static FIRST: OnceLock<Place> = OnceLock::new();
    let first = FIRST.get_or_init(|| {
        const NAME: &CStr = c"linkstream_error_place_1";
        // SAFETY: the name is a C text, and the handle is one that every program has.
        let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, NAME.as_ptr()) };
        if found.is_null() {
            return linkstream_error_place_1;
        }
        // SAFETY: a function with this name, which has the version of its type in it, is the one of this file.
        unsafe { std::mem::transmute::<*mut c_void, Place>(found) }
    });
    // SAFETY: the function has no requirements.
    unsafe { first() }
}

/// Keeps the error of a call of this thread.
pub fn fail(failure: &Failure) {
    let place = place();
    if !place.is_null() {
        // SAFETY: the place belongs to this thread, and no reference to it exists.
        unsafe { place.write(LastError::new(failure)) };
    }
}

/// The last error of this thread; empty if there has been none.
#[must_use]
pub fn last() -> LastError {
    let place = place();
    if place.is_null() {
        return LastError::NONE;
    }
    // SAFETY: the place belongs to this thread, and no reference to it exists.
    unsafe { place.read() }
}

impl LastError {
    /// Description of the last failure, for people.
    ///
    /// # Panics
    /// Never: texts are copied in whole characters.
    #[must_use]
    pub fn message(&self) -> String {
        let bytes: Vec<u8> = self.message.iter().map(|c| *c as u8).take_while(|byte| *byte != 0).collect();
        String::from_utf8(bytes).expect("a text in whole characters")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_has_its_last_error() {
        fail(&Failure::usage("of the first thread"));
        std::thread::spawn(|| assert_eq!(last().message(), "")).join().unwrap();
        assert_eq!(last().message(), "of the first thread");
    }

    #[test]
    fn texts_have_no_zero_bytes_and_whole_characters() {
        fail(&Failure::usage("a\0b"));
        assert_eq!(last().message(), "a?b");
        fail(&Failure::usage(format!("f: {}; again", std::io::Error::from_raw_os_error(2))));
        assert_eq!(last().message(), "f: No such file or directory; again");
        fail(&Failure::usage(format!("{}é", "a".repeat(822))));
        assert_eq!(last().message(), "a".repeat(822));
    }
}
