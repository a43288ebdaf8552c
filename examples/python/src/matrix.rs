//! The matrix of an INEBIN file.

use std::sync::Arc;

use linkstream::inebin::{Complex, MatrixType};
use linkstream_access::meter::Meter;
use numpy::{Complex64, PyReadwriteArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::exception;
use crate::file::File;
use crate::work;

#[pymethods]
impl File {
    /// Rows, columns, and type in NumPy of the matrix, or None.
    #[getter]
    fn matrix(&self) -> Option<(u32, u32, &'static str)> {
        let header = self.file.matrix()?;
        let dtype = match header.matrix_type() {
            MatrixType::Boolean => "?",
            MatrixType::Integer => "i8",
            MatrixType::Real => "f8",
            MatrixType::Complex => "c16",
        };
        Some((header.rows(), header.columns(), dtype))
    }

    /// Reads all entries into an array of this type with one axis, row by row.
    #[pyo3(signature = (out, progress))]
    fn read_matrix(
        &self,
        py: Python<'_>,
        out: &Bound<'_, PyAny>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let Some(header) = self.file.matrix() else {
            return Err(PyValueError::new_err("the file has no matrix"));
        };
        let (total, meter) = (self.nbytes(py)?, Arc::<Meter>::default());
        let strided = |_| PyValueError::new_err("the array is not contiguous");
        let file = self.file.metered(meter.clone());
        self.check_unchanged(py)?;
        match header.matrix_type() {
            MatrixType::Boolean => {
                let mut array: PyReadwriteArray1<'_, bool> = out.extract()?;
                let out = array.as_slice_mut().map_err(strided)?;
                let work = || file.read_matrix(out, |bit: bool| bit).map_err(exception);
                work::run(py, &meter, total, progress, work)
            }
            MatrixType::Integer => {
                let mut array: PyReadwriteArray1<'_, i64> = out.extract()?;
                let out = array.as_slice_mut().map_err(strided)?;
                let work = || file.read_matrix(out, |entry: i64| entry).map_err(exception);
                work::run(py, &meter, total, progress, work)
            }
            MatrixType::Real => {
                let mut array: PyReadwriteArray1<'_, f64> = out.extract()?;
                let out = array.as_slice_mut().map_err(strided)?;
                let work = || file.read_matrix(out, |entry: f64| entry).map_err(exception);
                work::run(py, &meter, total, progress, work)
            }
            MatrixType::Complex => {
                let mut array: PyReadwriteArray1<'_, Complex64> = out.extract()?;
                let out = array.as_slice_mut().map_err(strided)?;
                let place = |Complex { re, im }: Complex| Complex64::new(re, im);
                let work = || file.read_matrix(out, place).map_err(exception);
                work::run(py, &meter, total, progress, work)
            }
        }?;
        self.check_unchanged(py)
    }
}
