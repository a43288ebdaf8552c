//! Exceptions: their classes are defined in Python, in `_errors.py`.

use std::io;

use linkstream::Class;
use linkstream_access::findings::Finding;
use linkstream_access::isolated::{Ended, RULE};
use linkstream_access::text::without_number;
use linkstream_access::{Error, NotAFile};
use linkstream_memory::Short;
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

/// The numbers of the system for a directory, and for what has no offsets.
const EISDIR: i32 = 21;
const ESPIPE: i32 = 29;

/// Description of an exception of the class `linkstream.Error`, or of a class derived from it.
#[derive(Debug, Default)]
pub struct Described {
    /// Name of the class in Python.
    pub name: &'static str,
    /// The sentence.
    pub message: String,
    /// Name of the broken rule, or "".
    pub rule: &'static str,
    /// Class of the rule, or "".
    pub class: &'static str,
    /// Clause of the specification, or "".
    pub clause: &'static str,
    /// Offset in the file.
    pub offset: Option<u64>,
    /// The volume of a set.
    pub file: Option<String>,
    /// The rule that a file would break which was not written, or "".
    pub broken: &'static str,
}

impl From<Described> for PyErr {
    fn from(described: Described) -> Self {
        Python::attach(|py| {
            let Described { name, message, rule, class, clause, offset, file, broken } = described;
            let made = class_called(py, name).and_then(|of| {
                let made = of.call1((message, rule, class, clause, offset, file))?;
                if !broken.is_empty() {
                    made.setattr("_broken", broken)?;
                }
                Ok(made)
            });
            made.map_or_else(|error| error, Self::from_value)
        })
    }
}

/// A class of exceptions in `linkstream._errors`.
fn class_called<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyType>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

    let module = MODULE.get_or_try_init(py, || py.import("linkstream._errors").map(Bound::unbind))?;
    Ok(module.bind(py).getattr(name)?.cast_into()?)
}

/// The exception for work that ended without a result.
pub fn ended(ended: &Ended) -> PyErr {
    let error = match ended {
        Ended::Internal(error) => error,
        Ended::Memory(short) => return PyMemoryError::new_err(short.to_string()),
    };
    let message = format!("internal error ({}), please report", error.what);
    let class = Class::Unsupported.as_str();
    Described { name: "InternalError", message, rule: RULE, class, ..Described::default() }.into()
}

/// The exception for an error of opening or reading.
pub fn exception(error: Error) -> PyErr {
    let message = error.to_string();
    let offset = error.offset();
    let (class, rule) = error.rule().map_or(("", ""), |(class, rule)| (class.as_str(), rule));
    let described = Described { name: "Error", message, rule, class, offset, ..Described::default() };
    match error {
        // An exception of Python that passed through Rust is the same afterwards.
        Error::Io(error) | Error::Sink(error) => of_system(error),
        // `OSError` chooses the class by the number, and Python adds the name of the file.
        Error::NotAFile { kind, .. } => {
            let number = if kind == NotAFile::Folder { EISDIR } else { ESPIPE };
            PyOSError::new_err((number, format!("this is {kind}")))
        }
        Error::Folders(_) => PyOSError::new_err(described.message),
        Error::Selection(_) | Error::NoSuch { .. } => PyIndexError::new_err(described.message),
        Error::ElementType { .. } => PyTypeError::new_err(described.message),
        Error::Length { .. } | Error::DataOfSet { .. } => PyValueError::new_err(described.message),
        Error::ChecksumMismatch { broken, .. } | Error::SliceMismatch { broken, .. } => {
            let (clause, file) = (broken.clause, broken.file);
            Described { name: "ChecksumError", clause, file, ..described }.into()
        }
        Error::Broken(broken) => {
            let name = if broken.class == Class::Truncated { "TruncatedError" } else { described.name };
            Described { name, clause: broken.clause, file: broken.file, ..described }.into()
        }
        Error::UnrecognisedFormat(broken) => {
            Described { name: "FormatError", clause: broken.clause, ..described }.into()
        }
        Error::Changed => Described { name: "ChangedError", ..described }.into(),
        _ => described.into(),
    }
}

/// The exception for an error of the system: with its number, which chooses the class, such as `FileNotFoundError`. The
/// name of the file is added in Python.
pub fn of_system(error: io::Error) -> PyErr {
    if is_memory(&error) {
        return PyMemoryError::new_err(Short.to_string());
    }
    let Some(number) = error.raw_os_error() else { return error.into() };
    PyOSError::new_err((number, without_number(error.to_string())))
}

/// True if there was not enough memory.
pub fn is_memory(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::OutOfMemory
}

/// A finding as a dictionary with the keys of the report in JSON.
pub fn finding<'py>(py: Python<'py>, found: &Finding) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("severity", found.severity.as_str())?;
    dict.set_item("class", found.class.as_str())?;
    dict.set_item("rule", found.rule)?;
    dict.set_item("clause", found.clause)?;
    dict.set_item("offset", found.offset)?;
    dict.set_item("message", &found.message)?;
    Ok(dict)
}
