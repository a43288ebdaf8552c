//! Sections of scda files.

use std::ops::Range;
use std::process;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use linkstream::scda::SectionType;
use linkstream_access::meter::Meter;
use linkstream_access::{self as access, Error};
use numpy::PyReadwriteArray1;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::{exception, of_system};
use crate::exit::Working;
use crate::file::File;
use crate::held;
use crate::work;

/// A section of a file. `linkstream.Section` is made of it.
#[pyclass(frozen, module = "linkstream._linkstream")]
pub struct Section {
    file: Arc<access::File>,
    index: usize,
}

#[pymethods]
impl File {
    /// The sections, also the header.
    #[getter]
    fn sections(&self) -> Vec<Section> {
        let section = |index| Section { file: self.file.clone(), index };
        (0..self.file.sections().len()).map(section).collect()
    }
}

impl Section {
    fn get(&self) -> PyResult<access::Section<'_>> {
        self.file.section(self.index).map_err(exception)
    }

    /// Reads about `total` bytes, and checks that the file has not changed. The call has a meter of its own, so that no
    /// other one is cancelled with it.
    fn read<T: Send>(
        &self,
        py: Python<'_>,
        total: u64,
        progress: Option<&Bound<'_, PyAny>>,
        read: impl FnOnce(access::Section<'_>) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let meter = Arc::<Meter>::default();
        let file = self.file.metered(meter.clone());
        let read = || {
            file.check_unchanged()?;
            let value = read(file.section(self.index)?)?;
            file.check_unchanged()?;
            Ok(value)
        };
        work::run(py, &meter, total, progress, || read().map_err(exception))
    }

    /// Number of bytes that have to be read for the sizes of the elements: an estimate.
    fn of_sizes(&self) -> PyResult<u64> {
        let header = self.get()?.header();
        let is_listed = header.section_type == SectionType::Varray;
        Ok(if is_listed { SIZE * header.elements().to_u64().unwrap_or(u64::MAX / SIZE) } else { 0 })
    }
}

/// Number of bytes in the file for the size of an element of a variable array, as scda has them.
const SIZE: u64 = 32;

/// Elements that are read at a time: at least one, and no further one after so many bytes.
const BATCH: usize = 1 << 20;

/// Elements, or the error that ends them.
type Batch = PyResult<Vec<Vec<u8>>>;

/// An iterator over the elements of a section, which a thread reads ahead. It ends when this is dropped.
#[pyclass(frozen, module = "linkstream._linkstream")]
pub struct Elements {
    batches: Mutex<Receiver<Batch>>,
    meter: Arc<Meter>,
    /// The process of the thread. In a forked one, nothing would ever be received.
    process: u32,
}

impl Drop for Elements {
    fn drop(&mut self) {
        self.meter.cancel();
    }
}

#[pymethods]
impl Elements {
    /// The next elements; an empty list at the end.
    fn batch<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        if self.process != process::id() {
            return Err(PyRuntimeError::new_err(
                "the elements were iterated over before the process was forked: begin another iteration",
            ));
        }
        let batch = work::wait(py, |interval| {
            // No code panics while it holds the lock.
            let batches = self.batches.lock().unwrap_or_else(PoisonError::into_inner);
            match batches.recv_timeout(interval) {
                Ok(batch) => Some(batch),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => Some(Ok(Vec::new())),
            }
        })?;
        Ok(batch?.iter().map(|element| PyBytes::new(py, element)).collect())
    }
}

/// Sends the elements of a range in batches, until an error, or until nobody receives them.
fn send(file: &access::File, index: usize, range: Range<u64>, batches: &SyncSender<Batch>) -> PyResult<()> {
    // Python waits for the reading at its end, but not for whoever would receive the elements.
    let mut working = Working::begin_alone()?;
    file.check_unchanged().map_err(exception)?;
    let (mut batch, mut bytes) = (Vec::new(), 0);
    let elements = file.section(index).and_then(|section| section.elements_in(range));
    for element in elements.map_err(exception)? {
        let element = element.map_err(exception)?;
        bytes += element.len();
        batch.push(element);
        if bytes >= BATCH || batch.len() >= BATCH {
            bytes = 0;
            drop(working);
            if batches.send(Ok(std::mem::take(&mut batch))).is_err() {
                return Ok(());
            }
            working = Working::begin_alone()?;
        }
    }
    file.check_unchanged().map_err(exception)?;
    drop(working);
    if !batch.is_empty() {
        let _ = batches.send(Ok(batch));
    }
    Ok(())
}

#[pymethods]
impl Section {
    /// The elements from `first` to the one before `last`.
    fn elements_in(&self, first: u64, last: u64) -> PyResult<Elements> {
        let (to, from) = sync_channel(1);
        let meter = Arc::<Meter>::default();
        let (file, index) = (self.file.metered(meter.clone()), self.index);
        linkstream_memory::afford_thread().map_err(std::io::Error::from).map_err(of_system)?;
        let read = held::passed_on(move || {
            if let Err(error) = send(&file, index, first..last, &to) {
                let _ = to.send(Err(error));
            }
        });
        thread::Builder::new().spawn(read)?;
        Ok(Elements { batches: Mutex::new(from), meter, process: process::id() })
    }

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

    /// Number of elements, which can have more than 64 bits.
    #[getter]
    fn elements(&self) -> PyResult<u128> {
        Ok(self.get()?.count().get())
    }

    /// Size of each element in bytes; 0 if each has a size of its own.
    #[getter]
    fn element_size(&self) -> PyResult<u64> {
        self.get()?.element_size().map_err(exception)
    }

    /// Size of all elements in bytes.
    fn bytes(&self, py: Python<'_>) -> PyResult<u64> {
        self.read(py, self.of_sizes()?, None, |section| section.bytes())
    }

    /// Reads the size of each element into an array of u8 with one axis.
    fn read_sizes(&self, py: Python<'_>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut array: PyReadwriteArray1<'_, u64> = out.extract()?;
        let out = array.as_slice_mut().map_err(|_| PyValueError::new_err("the array is not contiguous"))?;
        self.read(py, self.of_sizes()?, None, |section| {
            let mut places = out.iter_mut();
            section.each_size(|size| {
                *places.next().ok_or(Error::Changed)? = size;
                Ok(())
            })?;
            if places.len() == 0 { Ok(()) } else { Err(Error::Changed) }
        })
    }

    /// Reads the bytes of all elements into an array of bytes with one axis.
    #[pyo3(signature = (out, progress))]
    fn read_into(
        &self,
        py: Python<'_>,
        out: &Bound<'_, PyAny>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let mut array: PyReadwriteArray1<'_, u8> = out.extract()?;
        let out = array.as_slice_mut().map_err(|_| PyValueError::new_err("the array is not contiguous"))?;
        let total = out.len() as u64;
        self.read(py, total, progress, |section| section.read(out))
    }

    /// Reads all elements, and keeps nothing.
    #[pyo3(signature = (progress))]
    fn check(&self, py: Python<'_>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let total = self.bytes(py)?;
        self.read(py, total, progress, |section| section.each_piece(&mut |_| Ok(true)))
    }
}
