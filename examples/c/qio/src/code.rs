//! Return codes (the values of QIO 3.0.0), and errors with their descriptions.

use std::ffi::c_int;

use linkstream_c_border::{Failure, Unwound, fail, guard, guarded};
use linkstream_memory::Short;

use crate::verbosity;

/// Success.
pub const SUCCESS: c_int = 0;
/// The end of the file, after a complete record.
pub const EOF: c_int = -1;
/// The number of bytes written differs from the description of the record.
pub const ERR_BAD_WRITE_BYTES: c_int = -2;
/// The file cannot be opened for reading.
pub const ERR_OPEN_READ: c_int = -3;
/// The file cannot be opened for writing.
pub const ERR_OPEN_WRITE: c_int = -4;
/// The number of bytes read differs from the description of the record, or the file is truncated.
pub const ERR_BAD_READ_BYTES: c_int = -5;
/// No memory.
pub const ERR_ALLOC: c_int = -6;
/// The file cannot be closed.
pub const ERR_CLOSE: c_int = -7;
/// The record has no description.
pub const ERR_INFO_MISSED: c_int = -8;
/// The site list differs from the layout.
pub const ERR_BAD_SITELIST: c_int = -9;
/// The private description of the file is wrong.
pub const ERR_PRIVATE_FILE_INFO: c_int = -10;
/// The private description of the record is wrong.
pub const ERR_PRIVATE_REC_INFO: c_int = -11;
/// A document is malformed.
pub const BAD_XML: c_int = -12;
/// A wrong argument, or a call at a wrong time.
pub const BAD_ARG: c_int = -13;
/// The data differ from their checksum.
pub const CHECKSUM_MISMATCH: c_int = -14;
/// The user's description of the file is wrong.
pub const ERR_FILE_INFO: c_int = -15;
/// The description of the record is wrong.
pub const ERR_REC_INFO: c_int = -16;
/// The checksum record is wrong.
pub const ERR_CHECKSUM_INFO: c_int = -17;
/// A record cannot be skipped.
pub const ERR_SKIP: c_int = -18;
/// The volumes together do not have the bytes of the record.
pub const ERR_BAD_TOTAL_BYTES: c_int = -19;
/// Global data in a place where they cannot be.
pub const ERR_BAD_GLOBAL_TYPE: c_int = -20;
/// An unknown volume format.
pub const ERR_BAD_VOLFMT: c_int = -21;
/// A wrong number of an I/O node.
pub const ERR_BAD_IONODE: c_int = -22;
/// The file cannot move to a position.
pub const ERR_BAD_SEEK: c_int = -23;
/// The bounds of a hypercube are wrong.
pub const ERR_BAD_SUBSET: c_int = -24;

/// A code other than [`SUCCESS`], and its description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Status of the call, as `qio.h` defines it.
    pub code: c_int,
    /// The description, which becomes the last error; `None` for the end of the file, which is no error.
    pub failure: Option<Failure>,
}

impl Refused {
    /// An error with a description.
    #[must_use]
    pub const fn new(code: c_int, failure: Failure) -> Self {
        Self { code, failure: Some(failure) }
    }

    /// A code with a sentence.
    #[must_use]
    pub fn because(code: c_int, message: impl Into<String>) -> Self {
        Self::new(code, Failure::usage(message))
    }

    /// A wrong argument, or a call at a wrong time.
    #[must_use]
    pub fn usage(message: impl Into<String>) -> Self {
        Self::because(BAD_ARG, message)
    }

    /// The end of the file.
    #[must_use]
    pub const fn end() -> Self {
        Self { code: EOF, failure: None }
    }

    /// Keeps the description as the last error, and prints it if the program wants that; returns the code.
    pub fn keep(self) -> c_int {
        if let Some(failure) = &self.failure {
            fail(failure);
            verbosity::say(verbosity::LOW, || format!("error {}: {}", self.code, failure.message));
        }
        self.code
    }
}

/// A handle that is missing, closed or in use.
impl From<Failure> for Refused {
    fn from(failure: Failure) -> Self {
        Self::new(BAD_ARG, failure)
    }
}

impl From<Short> for Refused {
    fn from(short: Short) -> Self {
        Self::because(ERR_ALLOC, short.to_string())
    }
}

/// Code of a call that ended without a result.
#[must_use]
pub const fn of_unwound(unwound: Unwound) -> c_int {
    match unwound {
        Unwound::Memory => ERR_ALLOC,
        Unwound::Defect => BAD_ARG,
    }
}

/// Runs a call that returns a code.
pub fn coded(call: impl FnOnce() -> Result<(), Refused>) -> c_int {
    guarded(|| call().map_or_else(Refused::keep, |()| SUCCESS)).unwrap_or_else(of_unwound)
}

/// Runs a call that returns a value, or `otherwise` after an error.
pub fn valued<T: Copy>(otherwise: T, call: impl FnOnce() -> Result<T, Refused>) -> T {
    guard(otherwise, || {
        call().unwrap_or_else(|refused| {
            refused.keep();
            otherwise
        })
    })
}

/// Runs a call that returns a number, or the code of its error.
pub fn numbered(call: impl FnOnce() -> Result<c_int, Refused>) -> c_int {
    guarded(|| call().unwrap_or_else(Refused::keep)).unwrap_or_else(of_unwound)
}
