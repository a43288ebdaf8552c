//! Return codes (LIME 1.2, section 3, and the values of the reference implementation).

use std::ffi::c_int;

use linkstream_c_border::{Failure, fail};

/// Success.
pub const SUCCESS: c_int = 0;
/// Bytes of the last record have not been written.
pub const ERR_LAST_NOT_WRITTEN: c_int = -1;
/// A wrong argument, or a call at a wrong time.
pub const ERR_PARAM: c_int = -2;
/// A header cannot be written here.
pub const ERR_HEADER_NEXT: c_int = -3;
/// The system refuses to write.
pub const ERR_WRITE: c_int = -5;
/// The end of the record.
pub const EOR: c_int = -6;
/// The end of the file.
pub const EOF: c_int = -7;
/// The file is truncated or no LIME file, or the system refuses to read.
pub const ERR_READ: c_int = -8;
/// The stream cannot move to a position.
pub const ERR_SEEK: c_int = -9;
/// The flags of the header do not fit the message.
pub const ERR_MBME: c_int = -10;
/// The file cannot be completed.
pub const ERR_CLOSE: c_int = -11;

/// A code with its description, which is kept as the last error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Status of the call, as `lime.h` defines it.
    pub code: c_int,
    /// The description; `None` for the end of a record or a file, which is no error.
    pub failure: Option<Failure>,
}

impl Refused {
    /// An error with a description.
    #[must_use]
    pub fn new(code: c_int, failure: Failure) -> Self {
        Self { code, failure: Some(failure) }
    }

    /// A wrong argument, or a call at a wrong time.
    #[must_use]
    pub fn usage(message: &str) -> Self {
        Self::new(ERR_PARAM, Failure::usage(message))
    }

    /// The end of a record or a file.
    #[must_use]
    pub const fn end(code: c_int) -> Self {
        Self { code, failure: None }
    }
}

/// The code of an outcome. Keeps the description of an error.
pub fn code(outcome: Result<(), Refused>) -> c_int {
    match outcome {
        Ok(()) => SUCCESS,
        Err(Refused { code, failure }) => {
            if let Some(failure) = failure {
                fail(&failure);
            }
            code
        }
    }
}
