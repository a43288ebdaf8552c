//! Sources of bytes: files, bytes of Python, and functions of Python that fetch a range.

use std::io;

use linkstream_access::source::Source;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::exit::attached;

/// The bytes of a file, which Python owns and does not change.
pub struct Bytes(pub PyBackedBytes);

impl Source for Bytes {
    type Error = io::Error;

    fn length(&self) -> io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        (*self.0).read_at(offset, out)
    }
}

/// An object of Python with the methods `fetch(offset, length) -> bytes` and `is_changed() -> bool`.
pub struct Fetched {
    object: Py<PyAny>,
    length: u64,
}

impl Fetched {
    /// The object, whose attribute `length` is the number of bytes.
    pub fn new(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self { length: object.getattr("length")?.extract()?, object: object.clone().unbind() })
    }
}

impl Source for Fetched {
    type Error = io::Error;

    fn length(&self) -> io::Result<u64> {
        Ok(self.length)
    }

    /// Threads would wait for the interpreter.
    fn worthwhile(&self) -> u64 {
        u64::MAX
    }

    fn is_changed(&self) -> io::Result<bool> {
        attached(|py| Ok(self.object.call_method0(py, "is_changed")?.extract(py)?))
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        attached(|py| {
            let bytes = self.object.call_method1(py, "fetch", (offset, out.len()))?;
            let bytes: PyBackedBytes = bytes.extract(py).map_err(PyErr::from)?;
            let Some(to) = out.get_mut(..bytes.len()) else {
                return Err(io::Error::other("the source returned more bytes than were requested"));
            };
            to.copy_from_slice(&bytes);
            Ok(bytes.len())
        })
    }
}
