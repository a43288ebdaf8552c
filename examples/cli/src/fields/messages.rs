//! Warnings, and the errors of files that are written.

use std::fmt::Display;

use linkstream::field::EncodeErrorKind;
use linkstream::io::WriteError;

use crate::check::complain;
use crate::output::OutputError;

/// Says on standard error what does not stop the work.
pub fn warn(what: &dyn Display) {
    complain(&anyhow::anyhow!("warning: {what}"));
}

/// Keeps the error of a sink that fails.
pub fn failed(error: WriteError<std::io::Error, EncodeErrorKind>) -> anyhow::Error {
    match error {
        WriteError::Io(error) => OutputError(error).into(),
        WriteError::WriteZero => OutputError(std::io::ErrorKind::WriteZero.into()).into(),
        WriteError::Refused(kind) => kind.into(),
        other => other.into(),
    }
}
