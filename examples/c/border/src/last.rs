//! The last error of each thread.

use std::cell::RefCell;
use std::ffi::{CString, c_char, c_int};
use std::ptr;

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
    /// A sentence.
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

/// The last error, for C: `linkstream_error` in the headers.
#[repr(C)]
#[derive(Debug)]
pub struct LastError {
    /// Name of the broken rule, or an empty text.
    pub rule: *const c_char,
    /// Clause of the specification, or an empty text.
    pub clause: *const c_char,
    /// A sentence; an empty text if there has been no error.
    pub message: *const c_char,
    /// Absolute offset in the file, if `has_offset` is 1.
    pub offset: u64,
    /// 1 if the error has an offset, otherwise 0.
    pub has_offset: c_int,
}

/// An error with its texts for C.
struct Kept {
    failure: Failure,
    /// The texts that `shown` points to.
    _texts: [CString; 3],
    shown: LastError,
}

impl Kept {
    fn new(failure: Failure) -> Self {
        // No text of the codec contains a zero byte, but the message can quote a file.
        let text = |text: &str| CString::new(text.replace('\0', "?")).unwrap_or_default();
        let texts = [&failure.rule, &failure.clause, &failure.message].map(|each| text(each));
        let [rule, clause, message] = texts.each_ref().map(|text| text.as_ptr());
        let (offset, has_offset) = (failure.offset.unwrap_or(0), c_int::from(failure.offset.is_some()));
        Self { failure, _texts: texts, shown: LastError { rule, clause, message, offset, has_offset } }
    }
}

thread_local! {
    static LAST: RefCell<Option<Kept>> = const { RefCell::new(None) };
}

/// Keeps the error of a call of this thread.
pub fn fail(failure: Failure) {
    LAST.with(|last| *last.borrow_mut() = Some(Kept::new(failure)));
}

/// Forgets the last error of this thread.
pub fn clear() {
    LAST.with(|last| *last.borrow_mut() = None);
}

/// The last error of this thread; empty if there has been none.
#[must_use]
pub fn last() -> Failure {
    LAST.with(|last| last.borrow().as_ref().map(|kept| kept.failure.clone()).unwrap_or_default())
}

impl LastError {
    /// The last error of this thread, for C. It is valid until the next call of this thread fails.
    #[must_use]
    pub fn pointer() -> *const Self {
        LAST.with(|last| {
            let mut last = last.borrow_mut();
            let kept = last.get_or_insert_with(|| Kept::new(Failure::default()));
            ptr::from_ref(&kept.shown)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_has_its_last_error() {
        fail(Failure::usage("of the first thread"));
        std::thread::spawn(|| assert_eq!(last(), Failure::default())).join().unwrap();
        assert_eq!(last().message, "of the first thread");
        clear();
        assert_eq!(last(), Failure::default());
    }

    #[test]
    fn texts_have_no_zero_bytes() {
        fail(Failure::usage("a\0b"));
        assert!(!LastError::pointer().is_null());
        assert_eq!(last().message, "a\0b");
    }
}
