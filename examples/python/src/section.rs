//! Sections of scda files.

use std::sync::Arc;

use linkstream::scda::SectionType;
use linkstream_access::meter::Meter;
use linkstream_access::{self as access, Error};
use numpy::PyReadwriteArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::exception;
use crate::file::File;
use crate::work;

/// A section of a file. `linkstream.Section` is made of it.
#[pyclass(frozen, module = "linkstream._linkstream")]
pub struct Section {
    file: Arc<access::File>,
    meter: Arc<Meter>,
    index: usize,
}

#[pymethods]
impl File {
    /// The sections, also the header.
    #[getter]
    fn sections(&self) -> Vec<Section> {
        let section = |index| Section { file: self.file.clone(), meter: self.meter.clone(), index };
        (0..self.file.sections().len()).map(section).collect()
    }
}

impl Section {
    fn get(&self) -> PyResult<access::Section<'_>> {
        self.file.section(self.index).map_err(exception)
    }
}

#[pymethods]
impl Section {
    /// The letter of the type: F, I, B, A or V.
    #[getter]
    fn letter(&self) -> PyResult<&'static str> {
        Ok(match self.get()?.header().section_type {
            SectionType::Header => "F",
            SectionType::Inline => "I",
            SectionType::Block => "B",
            SectionType::Array => "A",
            SectionType::Varray => "V",
        })
    }

    /// The text of the user.
    #[getter]
    fn user<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.file.sections()[self.index].user)
    }

    /// Offset of the section in the file.
    #[getter]
    fn offset(&self) -> PyResult<u64> {
        Ok(self.get()?.header().offset)
    }

    #[getter]
    fn is_compressed(&self) -> PyResult<bool> {
        Ok(self.get()?.header().is_compressed())
    }

    /// Number of elements.
    #[getter]
    fn elements(&self) -> PyResult<u64> {
        self.get()?.elements().map_err(exception)
    }

    /// Size of each element in bytes; 0 if each has a size of its own.
    #[getter]
    fn element_size(&self) -> PyResult<u64> {
        self.get()?.element_size().map_err(exception)
    }

    /// Size of all elements in bytes.
    fn bytes(&self, py: Python<'_>) -> PyResult<u64> {
        py.detach(|| self.get()?.bytes().map_err(exception))
    }

    /// Reads the size of each element into an array of u8 with one axis.
    fn read_sizes(&self, py: Python<'_>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut array: PyReadwriteArray1<'_, u64> = out.extract()?;
        let out = array.as_slice_mut().map_err(|_| PyValueError::new_err("the array is not contiguous"))?;
        py.detach(|| {
            let mut places = out.iter_mut();
            let section = self.get()?;
            section
                .each_size(|size| {
                    *places.next().ok_or(Error::Changed)? = size;
                    Ok(())
                })
                .map_err(exception)
        })
    }

    /// Reads the bytes from `start` on into an array of bytes with one axis.
    #[pyo3(signature = (out, start, progress))]
    fn read_into(
        &self,
        py: Python<'_>,
        out: &Bound<'_, PyAny>,
        start: u64,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let mut array: PyReadwriteArray1<'_, u8> = out.extract()?;
        let out = array.as_slice_mut().map_err(|_| PyValueError::new_err("the array is not contiguous"))?;
        let stop = start
            .checked_add(out.len() as u64)
            .ok_or_else(|| PyValueError::new_err("the range has more bytes than 64 bits can count"))?;
        let work = || {
            self.file.check_unchanged().map_err(exception)?;
            let section = self.get()?;
            // Only the end of a compressed section proves the sizes of its elements.
            let read = if start == 0 && section.bytes().map_err(exception)? == stop {
                section.read(out)
            } else {
                section.read_range(&(start..stop), out)
            };
            read.map_err(exception)?;
            self.file.check_unchanged().map_err(exception)
        };
        work::run(py, &self.meter, stop, progress, work)
    }
}
