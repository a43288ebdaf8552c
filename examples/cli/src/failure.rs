//! The program's error type: why a command stops. It determines the exit status and the file named in the message.

use std::fmt::Display;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU8, Ordering};

use linkstream::io::{ReadError, WriteError};
use linkstream::{Class, Diagnostic};
use linkstream_access::set::SetFault;
use linkstream_access::source::SourceError;
use linkstream_access::text::without_number;

use crate::foreign::file_called;
use crate::human::{one_line, shown_path};

/// Exit status if a file is invalid.
pub const INVALID: u8 = 1;
/// Exit status if a file cannot be read or written, or if the arguments are wrong, unless `--usage-status` sets another one.
pub const FAILED: u8 = 2;

/// Why a command stops. Errors of other types mean an input that cannot be read, or not in this way.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The input is invalid, or cannot be converted as requested.
    #[error(transparent)]
    Invalid(Box<dyn std::error::Error + Send + Sync>),
    /// The input does not begin like the expected format. It may be recognised as another one.
    #[error(transparent)]
    Magic(Box<dyn std::error::Error + Send + Sync>),
    /// The input cannot be read.
    #[error(transparent)]
    Input(io::Error),
    /// The output cannot be written.
    #[error(transparent)]
    Output(io::Error),
    /// A temporary file cannot be written or read.
    #[error("temporary file in {folder}: {0}", folder = temporary_folder())]
    Temporary(io::Error),
    /// The codec refuses to write the requested file.
    #[error(transparent)]
    Refused(Box<dyn std::error::Error + Send + Sync>),
    /// The arguments contradict each other, whatever the files contain.
    #[error("{0}")]
    Arguments(String),
}

/// Returns from a function because the arguments contradict each other, with a message like `format!`.
macro_rules! wrong_arguments {
    ($($message:tt)*) => {
        return Err($crate::failure::Failure::Arguments(format!($($message)*)).into())
    };
}
pub(crate) use wrong_arguments;

/// Exit status if the arguments are wrong.
static USAGE: AtomicU8 = AtomicU8::new(FAILED);

/// Exit status if the arguments are wrong.
pub fn usage_status() -> u8 {
    USAGE.load(Ordering::Relaxed)
}

/// Sets the exit status for wrong arguments.
pub fn set_usage_status(status: u8) {
    USAGE.store(status, Ordering::Relaxed);
}

impl Failure {
    /// A file that is invalid for this reason.
    pub fn invalid(why: &dyn Display) -> Self {
        Self::Invalid(why.to_string().into())
    }

    /// Classifies an error of a source. The file made from a file set is generated while it is read, so that
    /// reading can also fail because the set is invalid.
    pub fn of_source(error: io::Error) -> Self {
        match error.downcast::<SetFault>() {
            Ok(fault) => Self::Invalid(fault.into()),
            Err(error) => Self::Input(error),
        }
    }

    fn exit_status(&self) -> u8 {
        match self {
            Self::Invalid(_) | Self::Magic(_) => INVALID,
            Self::Input(_) | Self::Output(_) | Self::Temporary(_) | Self::Refused(_) => FAILED,
            Self::Arguments(_) => usage_status(),
        }
    }
}

impl<K: Diagnostic + Send + Sync + 'static> From<ReadError<io::Error, K>> for Failure {
    fn from(error: ReadError<io::Error, K>) -> Self {
        match error {
            ReadError::Format(error) if error.at == 0 && error.kind.class() == Class::Magic => {
                Self::Magic(error.into())
            }
            ReadError::Format(error) => Self::Invalid(error.into()),
            ReadError::Io(error) => Self::of_source(error),
            other => Self::Input(io::Error::other(other)),
        }
    }
}

impl<K: std::error::Error + Send + Sync + 'static> From<WriteError<io::Error, K>> for Failure {
    fn from(error: WriteError<io::Error, K>) -> Self {
        match error {
            WriteError::Io(error) => Self::Output(error),
            WriteError::WriteZero => Self::Output(io::ErrorKind::WriteZero.into()),
            WriteError::Refused(kind) => Self::Refused(kind.into()),
            other => Self::Refused(other.into()),
        }
    }
}

impl From<linkstream_access::Error> for Failure {
    fn from(error: linkstream_access::Error) -> Self {
        match error {
            linkstream_access::Error::Io(error) => Self::of_source(error),
            linkstream_access::Error::Sink(error) => Self::Output(error),
            other => Self::Invalid(other.into()),
        }
    }
}

impl From<SourceError<io::Error>> for Failure {
    fn from(error: SourceError<io::Error>) -> Self {
        match error {
            SourceError::Io(error) => Self::Input(error),
            other => Self::Input(io::Error::other(other)),
        }
    }
}

/// Converts a failure to `anyhow::Error`, for `map_err`.
pub fn failed(failure: impl Into<Failure>) -> anyhow::Error {
    failure.into().into()
}

fn temporary_folder() -> String {
    one_line(&std::env::temp_dir().display().to_string())
}

/// The sentence about an error, without the number that the system has for it.
pub fn sentence(error: &anyhow::Error) -> String {
    without_number(format!("{error:#}"))
}

/// The exit status for an error.
pub fn exit_status(error: &anyhow::Error) -> u8 {
    error.downcast_ref().map_or(FAILED, Failure::exit_status)
}

/// True if the error concerns the output.
pub fn is_output(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(Failure::Output(_)))
}

/// Adds the name of the input to an error, unless the error concerns another file.
pub fn of_input(error: anyhow::Error, input: &Path) -> anyhow::Error {
    match error.downcast_ref() {
        Some(Failure::Output(_) | Failure::Temporary(_)) => error,
        Some(Failure::Magic(_)) => {
            let called = file_called(input).map(|what| Failure::invalid(&what).into());
            called.unwrap_or(error).context(input_name(input))
        }
        _ => error.context(input_name(input)),
    }
}

/// The name of an input in messages.
pub fn input_name(path: &Path) -> String {
    name(path, "standard input")
}

/// The name of an output in messages.
pub fn output_name(path: &Path) -> String {
    name(path, "standard output")
}

fn name(path: &Path, stream: &str) -> String {
    if path == Path::new("-") { stream.to_owned() } else { shown_path(path) }
}

#[cfg(test)]
mod tests {
    use anyhow::Context as _;

    use super::*;

    #[test]
    fn a_sentence_has_no_number_of_the_system() {
        let error = Err::<(), _>(io::Error::from_raw_os_error(2)).context("a.lime").expect_err("an error");
        assert!(format!("{error:#}").contains("os error"));
        assert!(sentence(&error).starts_with("a.lime: ") && !sentence(&error).contains("os error"));
    }

    #[test]
    fn the_failure_decides_status_and_name_below_any_context() {
        let io = || io::Error::from(io::ErrorKind::StorageFull);
        for (failure, status, named) in [
            (Failure::invalid(&"row 3"), 1, true),
            (Failure::Input(io()), 2, true),
            (Failure::Output(io()), 2, false),
            (Failure::Temporary(io()), 2, false),
            (Failure::Refused("too long".into()), 2, true),
        ] {
            let error = Err::<(), _>(failure).context("section 4").expect_err("an error");
            let error = of_input(error, Path::new("-"));
            assert_eq!(exit_status(&error), status, "{error:#}");
            assert_eq!(error.to_string() == "standard input", named, "{error:#}");
        }
        assert_eq!(exit_status(&anyhow::anyhow!("usage")), 2);
    }
}
