//! Calls that all documents of USQCD have; the other `calls_usqcd_…` modules give them their names.
#![allow(unsafe_code, reason = "the C interface")]

use std::ffi::{c_char, c_int};
use std::ptr;

use crate::calls_string::text;
use crate::code::{Refused, coded, numbered, valued};
use crate::string::{QioString, borrow};
use crate::usqcd::{Element, Info, Kind};
use crate::usqcd_c::{self, QioUsqcdInfo, with};

/// Creates a document from texts of the program.
///
/// # Safety
/// The texts are null, or end with a zero byte.
pub(crate) unsafe fn create(info: Info, texts: &[(Element, *mut c_char)]) -> *mut QioUsqcdInfo {
    valued(ptr::null_mut(), || {
        let with_text = |info: Info, (element, pointer): &(Element, *mut c_char)| {
            // SAFETY: as this function requires.
            info.with_text(*element, unsafe { text(*pointer) })
        };
        usqcd_c::create(texts.iter().try_fold(info, with_text)?)
    })
}

/// Ends a structure.
///
/// # Safety
/// `info` is null or a structure.
pub(crate) unsafe fn destroy(info: *mut QioUsqcdInfo, kind: &'static Kind) {
    // SAFETY: as this function requires.
    coded(|| unsafe { usqcd_c::destroy(info, kind) });
}

/// Writes a document into a string. After an error, the string is empty.
///
/// # Safety
/// `string` is null or a string, `info` is null or a structure.
pub(crate) unsafe fn encode(string: *mut QioString, info: *mut QioUsqcdInfo, kind: &'static Kind) {
    coded(|| {
        // SAFETY: as this function requires.
        let string = unsafe { borrow(string) }?;
        // SAFETY: as this function requires.
        let outcome = unsafe { with(info, kind, |info| info.encode(string)) };
        if outcome.is_err() {
            string.set(b"")?;
        }
        outcome
    });
}

/// Reads a document from a string.
///
/// # Safety
/// `string` is null or a string, `info` is null or a structure.
pub(crate) unsafe fn decode(info: *mut QioUsqcdInfo, string: *mut QioString, kind: &'static Kind) -> c_int {
    numbered(|| {
        // SAFETY: as this function requires.
        let string = unsafe { borrow(string) }?;
        // SAFETY: as this function requires.
        unsafe { usqcd_c::fill(info, kind, |info| info.decode(string)) }
    })
}

/// First byte of the text of an element; null after an error.
///
/// # Safety
/// `info` is null or a structure.
pub(crate) unsafe fn get_text(info: *mut QioUsqcdInfo, kind: &'static Kind, element: Element) -> *mut c_char {
    // SAFETY: as this function requires.
    valued(ptr::null_mut(), || unsafe { with(info, kind, |info| Ok(info.text(element).as_mut_ptr())) })
}

/// Number of an element, or the code of an error.
///
/// # Safety
/// `info` is null or a structure.
pub(crate) unsafe fn get_number(
    info: *mut QioUsqcdInfo,
    kind: &'static Kind,
    of: impl FnOnce(&Info) -> Result<c_int, Refused>,
) -> c_int {
    // SAFETY: as this function requires.
    numbered(|| unsafe { with(info, kind, |info| of(info)) })
}

/// 1 if the element is there; 0 if it is not, and after an error.
///
/// # Safety
/// `info` is null or a structure.
pub(crate) unsafe fn defined(info: *mut QioUsqcdInfo, kind: &'static Kind, element: Element) -> c_int {
    // SAFETY: as this function requires.
    valued(0, || unsafe { with(info, kind, |info| Ok(c_int::from(info.is_defined(element)))) })
}

/// The calls of a kind of documents that end, write and read them, and those about its elements.
macro_rules! calls {
    ($kind:ident: $destroy:ident, $encode:ident, $decode:ident;
        $($call:ident $name:ident $element:ident),* $(,)?) => {
        /// Frees a document.
        ///
        /// # Safety
        /// `info` is null or a structure.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $destroy(info: *mut QioUsqcdInfo) {
            // SAFETY: as this function requires.
            unsafe { calls_usqcd::destroy(info, &usqcd::$kind) };
        }

        /// Writes a document into a string.
        ///
        /// # Safety
        /// `string` is null or a string, `info` is null or a structure.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $encode(string: *mut QioString, info: *mut QioUsqcdInfo) {
            // SAFETY: as this function requires.
            unsafe { calls_usqcd::encode(string, info, &usqcd::$kind) };
        }

        /// Reads a document from a string.
        ///
        /// # Safety
        /// `string` is null or a string, `info` is null or a structure.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $decode(info: *mut QioUsqcdInfo, string: *mut QioString) -> c_int {
            // SAFETY: as this function requires.
            unsafe { calls_usqcd::decode(info, string, &usqcd::$kind) }
        }

        $(calls!(@$call $kind $name $element);)*
    };
    (@text $kind:ident $name:ident $element:ident) => {
        /// A text of the document.
        ///
        /// # Safety
        /// `info` is null or a structure.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(info: *mut QioUsqcdInfo) -> *mut c_char {
            // SAFETY: as this function requires.
            unsafe { calls_usqcd::get_text(info, &usqcd::$kind, Element::$element) }
        }
    };
    (@number $kind:ident $name:ident $element:ident) => {
        /// A number of the document.
        ///
        /// # Safety
        /// `info` is null or a structure.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(info: *mut QioUsqcdInfo) -> c_int {
            // SAFETY: as this function requires.
            unsafe { calls_usqcd::get_number(info, &usqcd::$kind, |info| info.number(Element::$element)) }
        }
    };
    (@file_type $kind:ident $name:ident $element:ident) => {
        /// Number of the type of the file.
        ///
        /// # Safety
        /// `info` is null or a structure.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(info: *mut QioUsqcdInfo) -> c_int {
            // SAFETY: as this function requires.
            unsafe { calls_usqcd::get_number(info, &usqcd::$kind, Info::file_type) }
        }
    };
    (@defined $kind:ident $name:ident $element:ident) => {
        /// 1 if the document has the element.
        ///
        /// # Safety
        /// `info` is null or a structure.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(info: *mut QioUsqcdInfo) -> c_int {
            // SAFETY: as this function requires.
            unsafe { calls_usqcd::defined(info, &usqcd::$kind, Element::$element) }
        }
    };
}

pub(crate) use calls;
