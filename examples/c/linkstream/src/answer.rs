//! Answers of calls: numbers for the caller, and descriptions of errors.

use std::io;
use std::path::Path;

use linkstream::io::ReadError;
use linkstream::{Diagnostic, Error as CodecError};
use linkstream_access::meter::Cancelled;
use linkstream_access::set::SetFault;
use linkstream_access::write::{self, Fault, FileErrorKind, Refusal};
use linkstream_access::{Broken, Error, SelectionError};
use linkstream_c_border::{Failure, fail};
use linkstream_memory::Short;
use linkstream_report::judgement::NewFault;

/// Done.
pub const OK: i32 = 0;
/// Done, but the file has no checksum that verifies the data.
pub const UNVERIFIED: i32 = 1;
/// Written, but links are not in their group or numbers are not finite.
pub const DOUBTFUL: i32 = 2;
/// A wrong argument, or a handle that is closed or in use.
pub const USAGE: i32 = -1;
/// The system refuses.
pub const SYSTEM: i32 = -2;
/// The file is in no format that can be read.
pub const FORMAT: i32 = -3;
/// The file breaks a rule so that its contents are uncertain.
pub const BROKEN: i32 = -4;
/// The data contradict the checksum in the file.
pub const CHECKSUM: i32 = -5;
/// The memory has another size than the data.
pub const SIZE: i32 = -6;
/// A number does not fit into the requested type.
pub const NUMBER: i32 = -7;
/// The file to be written exists.
pub const EXISTS: i32 = -8;
/// No file can have the requested form, or the data are too large.
pub const REFUSED: i32 = -9;
/// The progress function has cancelled the call.
pub const CANCELLED: i32 = -10;
/// A defect of this library.
pub const DEFECT: i32 = -11;
/// There is not enough memory.
pub const MEMORY: i32 = -12;

/// An error: its number and its description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// One of `LINKSTREAM_ERR_…`.
    pub code: i32,
    /// Failure that `linkstream_last_error` describes.
    pub failure: Failure,
}

impl Refused {
    /// An error that has only a sentence.
    #[must_use]
    pub fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, failure: Failure::usage(message) }
    }

    /// A wrong argument.
    #[must_use]
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(USAGE, message)
    }

    /// The memory of the caller has another size than the data.
    #[must_use]
    pub fn size(expected: u64, given: u64) -> Self {
        Self::new(SIZE, format!("the data have {expected} bytes, but the memory has {given}"))
    }

    /// The same error, with the file that the system refuses to read.
    #[must_use]
    pub fn about(mut self, path: &Path) -> Self {
        if self.code == SYSTEM {
            self.failure.message = format!("{}: {}", path.display(), self.failure.message);
        }
        self
    }

    /// A broken rule.
    #[must_use]
    pub fn broken(code: i32, broken: &Broken, message: String) -> Self {
        let (rule, clause) = (broken.rule.to_owned(), broken.clause.to_owned());
        Self { code, failure: Failure { rule, clause, offset: Some(broken.offset), message } }
    }
}

/// A number for the caller, or an error.
pub type Answer = Result<i32, Refused>;

/// The number for the caller. Keeps the description of an error.
pub fn number(answer: Answer) -> i32 {
    answer.unwrap_or_else(|refused| {
        fail(&refused.failure);
        refused.code
    })
}

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Self {
        Self { code: USAGE, failure }
    }
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Self {
        if Cancelled::is(&error) {
            Self::new(CANCELLED, Cancelled.to_string())
        } else if error.kind() == io::ErrorKind::OutOfMemory {
            Short.into()
        } else {
            Self::new(SYSTEM, error.to_string())
        }
    }
}

impl From<Short> for Refused {
    fn from(short: Short) -> Self {
        Self::new(MEMORY, short.to_string())
    }
}

impl From<Cancelled> for Refused {
    fn from(cancelled: Cancelled) -> Self {
        Self::new(CANCELLED, cancelled.to_string())
    }
}

impl<K: Diagnostic> From<CodecError<K>> for Refused {
    fn from(error: CodecError<K>) -> Self {
        Self { code: BROKEN, failure: Failure::of(error) }
    }
}

impl<K: Diagnostic> From<ReadError<io::Error, K>> for Refused {
    fn from(error: ReadError<io::Error, K>) -> Self {
        match error {
            ReadError::Io(error) => error.into(),
            ReadError::Format(error) => error.into(),
            other => Self::new(BROKEN, other.to_string()),
        }
    }
}

impl From<Error> for Refused {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        match error {
            Error::Io(error) | Error::Sink(error) => error.into(),
            Error::NotAFile { .. } | Error::Folders(_) => Self::new(SYSTEM, message),
            Error::Broken(broken) => Self::broken(BROKEN, &broken, message),
            Error::UnrecognisedFormat(broken) => Self::broken(FORMAT, &broken, message),
            Error::ChecksumMismatch { broken, .. } | Error::SliceMismatch { broken, .. } => {
                Self::broken(CHECKSUM, &broken, message)
            }
            Error::Set(SetFault::Found { rule, .. }) => {
                Self { code: BROKEN, failure: Failure { rule: rule.to_owned(), ..Failure::usage(message) } }
            }
            Error::Set(_) | Error::Changed => Self::new(BROKEN, message),
            Error::Length { expected, given } => Self::size(expected, given),
            Error::LargeSites(_) | Error::DataOfSet { .. } | Error::TooMany { .. } => {
                Self::new(REFUSED, message)
            }
            _ => Self::usage(message),
        }
    }
}

impl From<SelectionError> for Refused {
    fn from(error: SelectionError) -> Self {
        Error::from(error).into()
    }
}

impl From<NewFault> for Refused {
    fn from(fault: NewFault) -> Self {
        match fault {
            NewFault::Io(error) => error.into(),
            NewFault::Wrong { .. } => Self::new(REFUSED, fault.to_string()),
        }
    }
}

impl From<write::Error> for Refused {
    fn from(error: write::Error) -> Self {
        let message = error.to_string();
        match error {
            write::Error::Input(error) | write::Error::Output(error) | write::Error::Temporary(error) => {
                error.into()
            }
            write::Error::OtherSet(_) => Self::new(EXISTS, message),
            write::Error::File(error) => match error.why {
                FileErrorKind::Exists | FileErrorKind::DanglingLink => Self::new(EXISTS, message),
                // Another program has made a file of this name in the meantime.
                FileErrorKind::Io(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    Self::new(EXISTS, message)
                }
                _ => Self::new(SYSTEM, message),
            },
            write::Error::Refused { refusal: Refusal::Length { .. }, .. } => Self::new(SIZE, message),
            write::Error::Fault { fault: Fault::Overflow { .. }, .. } => Self::new(NUMBER, message),
            write::Error::ReadBack(_) => Self::new(BROKEN, message),
            _ => Self::new(REFUSED, message),
        }
    }
}
