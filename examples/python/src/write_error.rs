//! Exceptions of writing.

use std::io;
use std::ops::Range;
use std::path::Path;

use linkstream_access::text::without_number;
use linkstream_access::write::{Error, Fault, FileError, FileErrorKind, ShapeError};
use linkstream_report::job::Open;
use linkstream_report::judgement::{Asked, NewFault, judge_edited};
use pyo3::exceptions::{PyFileExistsError, PyNotADirectoryError, PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::error::{self, Described, is_memory};

/// The exception for an error of writing `path`.
pub fn write_error(error: Error, path: &Path) -> PyErr {
    let message = error.to_string();
    match error {
        Error::File(error) => of_file(error),
        // An exception of Python that passed through Rust is the same afterwards.
        Error::Input(error) if !is_memory(&error) => error.into(),
        Error::Input(error) => error::of_system(error),
        Error::Output(error) => of_system(error, path),
        Error::Temporary(error) => of_system(error, &std::env::temp_dir()),
        Error::OtherSet(_) => PyFileExistsError::new_err(message),
        Error::Shape(ShapeError::Numbers { .. }) => PyTypeError::new_err(message),
        Error::Fault {
            fault:
                Fault::Rows { .. }
                | Fault::NoRows { .. }
                | Fault::Overflow { .. }
                | Fault::NotUnitary { .. }
                | Fault::Boundary(_),
            ..
        } => data_error(message),
        Error::ReadBack(_)
        | Error::ReadBackArchive(_)
        | Error::Format { .. }
        | Error::Changed
        | Error::Compressor(_) => Described { name: "Error", message, ..Described::default() }.into(),
        _ => PyValueError::new_err(message),
    }
}

/// The exception for numbers that cannot be what they shall be.
pub fn data_error(message: String) -> PyErr {
    Described { name: "DataError", message, ..Described::default() }.into()
}

/// Judges a new file before it gets its name.
///
/// # Errors
/// `check` would call it wrong, and the caller has not asked for that.
pub fn not_wrong(file: &Open, asked: Asked) -> PyResult<()> {
    edit_not_wrong(file, asked, &[])
}

/// The same for a copy with texts of the caller at these places.
///
/// # Errors
/// See [`not_wrong`].
pub fn edit_not_wrong(file: &Open, asked: Asked, texts: &[Range<u64>]) -> PyResult<()> {
    judge_edited(file, asked, texts).map_err(|fault| match fault {
        NewFault::Io(error) => error::of_system(error),
        NewFault::Wrong { rule, .. } => {
            Described { name: "DataError", message: fault.to_string(), broken: rule, ..Described::default() }
                .into()
        }
    })
}

fn of_file(error: FileError) -> PyErr {
    let message = error.to_string();
    match error.why {
        FileErrorKind::Exists => PyFileExistsError::new_err(format!("{message}; replace=True replaces it")),
        FileErrorKind::DanglingLink => {
            PyFileExistsError::new_err(format!("{message}; replace=True creates that file"))
        }
        FileErrorKind::NotAFolder(_) => PyNotADirectoryError::new_err(message),
        FileErrorKind::Folder(folder, error) => of_system(error, &folder),
        FileErrorKind::Io(why) => of_system(why, &error.path),
        _ => PyOSError::new_err(message),
    }
}

/// The exception for an error of the system, with the path.
fn of_system(error: io::Error, path: &Path) -> PyErr {
    if is_memory(&error) {
        return error::of_system(error);
    }
    match error.raw_os_error() {
        // `OSError` chooses the class by the number.
        Some(number) => {
            PyOSError::new_err((number, without_number(error.to_string()), path.as_os_str().to_owned()))
        }
        None => error.into(),
    }
}
