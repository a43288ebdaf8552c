//! Numbers of Python that are written.

use linkstream::lattice::Precision;
use linkstream_access::write::{Error, Stream, Values};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

/// Real numbers: an array with one axis in native byte order, or pieces of bytes.
pub enum NewNumbers<'py> {
    F32(PyReadonlyArray1<'py, f32>),
    F64(PyReadonlyArray1<'py, f64>),
    Pieces(Pieces),
}

/// The numbers of such an object.
pub enum Given<'a> {
    F32(&'a [f32]),
    F64(&'a [f64]),
    Pieces(&'a Pieces),
}

/// An object of Python that yields big-endian numbers as `bytes`. Its attributes `count` and `bits` are the number and
/// the size of the real numbers.
#[derive(Debug)]
pub struct Pieces {
    object: Py<PyAny>,
    count: usize,
    precision: Precision,
}

impl<'py> FromPyObject<'_, 'py> for NewNumbers<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(array) = object.extract() {
            return Ok(Self::F64(array));
        }
        if let Ok(array) = object.extract() {
            return Ok(Self::F32(array));
        }
        let bits: u32 = object.getattr("bits")?.extract()?;
        let precision = if bits == 32 { Precision::F32 } else { Precision::F64 };
        let count = object.getattr("count")?.extract()?;
        Ok(Self::Pieces(Pieces { object: object.to_owned().unbind(), count, precision }))
    }
}

impl NewNumbers<'_> {
    pub const fn precision(&self) -> Precision {
        match self {
            Self::F32(_) => Precision::F32,
            Self::F64(_) => Precision::F64,
            Self::Pieces(pieces) => pieces.precision,
        }
    }

    /// The numbers.
    ///
    /// # Errors
    /// An array is not contiguous.
    pub fn given(&self) -> PyResult<Given<'_>> {
        let strided = |_| PyValueError::new_err("the array is not contiguous");
        Ok(match self {
            Self::F32(array) => Given::F32(array.as_slice().map_err(strided)?),
            Self::F64(array) => Given::F64(array.as_slice().map_err(strided)?),
            Self::Pieces(pieces) => Given::Pieces(pieces),
        })
    }
}

impl Given<'_> {
    pub fn values(&self) -> Values<'_> {
        match self {
            Self::F32(numbers) => Values::F32(numbers),
            Self::F64(numbers) => Values::F64(numbers),
            Self::Pieces(pieces) => Values::Stream(*pieces),
        }
    }
}

impl Stream for Pieces {
    fn precision(&self) -> Precision {
        self.precision
    }

    fn count(&self) -> usize {
        self.count
    }

    fn pieces(&self, each: &mut dyn FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        let failed = |error: PyErr| Error::Input(error.into());
        let iterator = Python::attach(|py| Ok(self.object.bind(py).try_iter()?.unbind()));
        let iterator = iterator.map_err(failed)?;
        // The interpreter is not held while a piece is written.
        let next = || -> PyResult<Option<PyBackedBytes>> {
            Python::attach(|py| {
                let Some(piece) = iterator.bind(py).clone().next().transpose()? else { return Ok(None) };
                Ok(Some(piece.cast_into::<PyBytes>()?.into()))
            })
        };
        while let Some(piece) = next().map_err(failed)? {
            each(&piece)?;
        }
        Ok(())
    }
}
