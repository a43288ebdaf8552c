//! Calls that all documents of USQCD have; the other `calls_usqcd_…` modules give them their names.
#![allow(unsafe_code, reason = "the C interface")]

use std::ffi::{c_char, c_int};
use std::ptr;

use crate::calls_string::text;
use crate::code::{Refused, coded, numbered, valued};
use crate::string::{QioString, borrow};
use crate::usqcd::{Element, Info, Kind};

/// Creates a document from texts of the program.
///
/// # Safety
/// The texts are null, or end with a zero byte.
pub(crate) unsafe fn create(info: Info, texts: &[(Element, *mut c_char)]) -> *mut Info {
    valued(ptr::null_mut(), || {
        let with_text = |info: Info, (element, pointer): &(Element, *mut c_char)| {
            // SAFETY: as this function requires.
            info.with_text(*element, unsafe { text(*pointer) })
        };
        Ok(texts.iter().try_fold(info, with_text)?.give())
    })
}

pub(crate) fn destroy(info: *mut Info, kind: &'static Kind) {
    coded(|| Info::take(info, kind));
}

/// Writes a document into a string. After an error, the string is empty.
///
/// # Safety
/// `string` is null or a string.
pub(crate) unsafe fn encode(string: *mut QioString, info: *mut Info, kind: &'static Kind) {
    coded(|| {
        // SAFETY: as this function requires.
        let string = unsafe { borrow(string) }?;
        let outcome = Info::with(info, kind, |info| info.encode(string));
        if outcome.is_err() {
            string.set(b"")?;
        }
        outcome
    });
}

/// Reads a document from a string.
///
/// # Safety
/// `string` is null or a string.
pub(crate) unsafe fn decode(info: *mut Info, string: *mut QioString, kind: &'static Kind) -> c_int {
    numbered(|| {
        Info::with(info, kind, |info| {
            // SAFETY: as this function requires.
            info.decode(unsafe { borrow(string) }?)
        })
    })
}

pub(crate) fn get_text(info: *mut Info, kind: &'static Kind, element: Element) -> *mut c_char {
    valued(ptr::null_mut(), || Info::with(info, kind, |info| Ok(info.text(element).as_mut_ptr())))
}

pub(crate) fn get_number(
    info: *mut Info,
    kind: &'static Kind,
    of: impl FnOnce(&Info) -> Result<c_int, Refused>,
) -> c_int {
    numbered(|| Info::with(info, kind, |info| of(info)))
}

/// 1 if the element is there; 0 if it is not, and after an error.
pub(crate) fn defined(info: *mut Info, kind: &'static Kind, element: Element) -> c_int {
    valued(0, || Info::with(info, kind, |info| Ok(c_int::from(info.is_defined(element)))))
}

/// The calls of a kind of documents that end, write and read them, and those about its elements.
macro_rules! calls {
    ($kind:ident: $destroy:ident, $encode:ident, $decode:ident;
        $($call:ident $name:ident $element:ident),* $(,)?) => {
        /// Frees a document.
        #[unsafe(no_mangle)]
        pub extern "C" fn $destroy(info: *mut Info) {
            calls_usqcd::destroy(info, &usqcd::$kind);
        }

        /// Writes a document into a string.
        ///
        /// # Safety
        /// `string` is null or a string.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $encode(string: *mut QioString, info: *mut Info) {
            // SAFETY: as this function requires.
            unsafe { calls_usqcd::encode(string, info, &usqcd::$kind) };
        }

        /// Reads a document from a string.
        ///
        /// # Safety
        /// `string` is null or a string.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $decode(info: *mut Info, string: *mut QioString) -> c_int {
            // SAFETY: as this function requires.
            unsafe { calls_usqcd::decode(info, string, &usqcd::$kind) }
        }

        $(calls!(@$call $kind $name $element);)*
    };
    (@text $kind:ident $name:ident $element:ident) => {
        /// A text of the document.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(info: *mut Info) -> *mut c_char {
            calls_usqcd::get_text(info, &usqcd::$kind, Element::$element)
        }
    };
    (@number $kind:ident $name:ident $element:ident) => {
        /// A number of the document.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(info: *mut Info) -> c_int {
            calls_usqcd::get_number(info, &usqcd::$kind, |info| info.number(Element::$element))
        }
    };
    (@file_type $kind:ident $name:ident $element:ident) => {
        /// Number of the type of the file.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(info: *mut Info) -> c_int {
            calls_usqcd::get_number(info, &usqcd::$kind, Info::file_type)
        }
    };
    (@defined $kind:ident $name:ident $element:ident) => {
        /// 1 if the document has the element.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(info: *mut Info) -> c_int {
            calls_usqcd::defined(info, &usqcd::$kind, Element::$element)
        }
    };
}

pub(crate) use calls;
