//! Open files, and the lists of their contents.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use linkstream::sniff::{Format, Sniff, Sniffer, sniff};
use linkstream_access::meter::{Meter, Metered};
use linkstream_access::set::VolumeSource;
use linkstream_access::source::SharedSource;
use linkstream_access::{self as access, Error, FileSource};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::error::{exception, finding, of_system};
use crate::field::Field;
use crate::sources::{Bytes, Fetched};
use crate::work;

/// An open file, or file set. `linkstream.File` is made of it.
#[pyclass(frozen, module = "linkstream._linkstream")]
pub struct File {
    pub file: Arc<access::File>,
}

/// A source of Python: bytes, the path of a local file, or an object with `length`, `fetch` and `is_changed`.
pub fn source(object: &Bound<'_, PyAny>, meter: &Arc<Meter>) -> PyResult<SharedSource<'static, io::Error>> {
    if object.is_instance_of::<PyBytes>() {
        let bytes: PyBackedBytes = object.extract()?;
        return Ok(Arc::new(Metered::new(Bytes(bytes), meter.clone())));
    }
    if object.is_instance_of::<PyString>() {
        let file = FileSource::open(object.extract::<PathBuf>()?).map_err(of_system)?;
        return Ok(Arc::new(Metered::new(file, meter.clone())));
    }
    Ok(Arc::new(Metered::new(Fetched::new(object)?, meter.clone())))
}

/// A volume of a set: its name, the number in it, and its source.
pub type Volume<'py> = (String, Option<u64>, Bound<'py, PyAny>);

/// The sources of volumes.
pub fn sources(
    volumes: Vec<Volume<'_>>,
    meter: &Arc<Meter>,
) -> PyResult<Vec<VolumeSource<'static, io::Error>>> {
    let volume = |(name, number, object): Volume<'_>| {
        Ok(VolumeSource { name, number, source: source(&object, meter)? })
    };
    volumes.into_iter().map(volume).collect()
}

#[pymethods]
impl File {
    /// Opens a file, or the set that `path` is a volume or the name of.
    #[staticmethod]
    fn open_path(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let meter = Arc::<Meter>::default();
        let open = || access::File::open_path_metered(path, &meter).map_err(exception);
        let file = work::run(py, &meter, u64::MAX, None, open)?;
        Ok(Self { file: Arc::new(file) })
    }

    /// Opens the volumes of a set, each with the number in its name.
    #[staticmethod]
    fn open_volumes(py: Python<'_>, volumes: Vec<(Option<u64>, PathBuf)>) -> PyResult<Self> {
        let meter = Arc::<Meter>::default();
        let open = || access::File::open_volumes_metered(&volumes, &meter).map_err(exception);
        let file = work::run(py, &meter, u64::MAX, None, open)?;
        Ok(Self { file: Arc::new(file) })
    }

    /// Opens a source of Python: bytes, or an object with `length`, `fetch` and `is_changed`.
    #[staticmethod]
    fn open_source(py: Python<'_>, object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let meter = Arc::<Meter>::default();
        let source = source(object, &meter)?;
        let file = work::run(py, &meter, u64::MAX, None, || access::File::open(source).map_err(exception))?;
        Ok(Self { file: Arc::new(file) })
    }

    /// Opens a file set whose volumes are sources of Python, each with its name and the number in it.
    #[staticmethod]
    fn open_set(py: Python<'_>, volumes: Vec<Volume<'_>>) -> PyResult<Self> {
        let meter = Arc::<Meter>::default();
        let volumes = sources(volumes, &meter)?;
        let open = || access::File::open_set(&volumes).map_err(exception);
        let file = work::run(py, &meter, u64::MAX, None, open)?;
        Ok(Self { file: Arc::new(file) })
    }

    /// The name of the format.
    #[getter]
    fn format(&self) -> &'static str {
        self.file.format().name()
    }

    /// Numbers of the device and of the file on it, if the system has them.
    #[getter]
    fn identity(&self) -> Option<(u64, u64)> {
        self.file.source().identity()
    }

    /// Raises an exception if the file has changed since it was opened.
    pub fn check_unchanged(&self, py: Python<'_>) -> PyResult<()> {
        work::detached(py, || self.file.check_unchanged().map_err(exception))
    }

    #[getter]
    fn is_set(&self) -> bool {
        self.file.is_set()
    }

    /// Length of the file in bytes; for a set, of the single file with the same fields.
    #[getter]
    pub fn nbytes(&self, py: Python<'_>) -> PyResult<u64> {
        work::detached(py, || self.file.source().length().map_err(|error| exception(Error::Io(error))))
    }

    #[getter]
    fn fields(&self) -> Vec<Field> {
        let field = |(index, data): (usize, &access::Field)| Field {
            file: self.file.clone(),
            index,
            data: data.clone(),
        };
        self.file.fields().iter().enumerate().map(field).collect()
    }

    /// Type, offset of the payload, length, and the flags of the beginning and the end of a message of each LIME record.
    #[getter]
    fn records<'py>(&self, py: Python<'py>) -> Vec<(Bound<'py, PyBytes>, u64, u64, bool, bool)> {
        let record = |entry: &access::RecordEntry| {
            let (record, name) = (&entry.record, PyBytes::new(py, &entry.record_type));
            (name, record.payload_offset(), record.length, record.begin, record.end)
        };
        self.file.records().iter().map(record).collect()
    }

    /// The payload of the record with this index.
    fn payload<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyBytes>> {
        let payload = work::detached(py, || {
            let payload = self.file.payload(index).map_err(exception)?;
            self.file.check_unchanged().map_err(exception)?;
            Ok(payload)
        })?;
        Ok(PyBytes::new(py, &payload))
    }

    /// Keys and values of the header of an archive.
    #[getter]
    fn header(&self) -> Vec<(String, String)> {
        self.file.header().to_vec()
    }

    /// Broken rules that lose no data, as dictionaries.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.file.warnings().iter().map(|found| finding(py, found)).collect()
    }

    /// Messages about broken rules in the volumes of a set.
    #[getter]
    fn volume_warnings(&self) -> Vec<String> {
        self.file.volume_warnings().collect()
    }
}

/// The format of a file that begins with these bytes, and None for other files. [`SNIFFED`] bytes decide.
#[pyfunction]
pub fn format_of(first: &[u8]) -> Option<&'static str> {
    match sniff(&first[..first.len().min(SNIFFED)]) {
        Sniff::Is(format) => Some(format_name(format)),
        _ => None,
    }
}

/// The paths of the volumes of the set that `path` is the name or a volume of, or of the file itself.
#[pyfunction]
pub fn files_at(py: Python<'_>, path: PathBuf) -> PyResult<Vec<OsString>> {
    let volumes = py.detach(|| access::set::volumes_of(&path))?;
    Ok(match volumes {
        Some(volumes) => volumes.into_iter().map(|(_, path)| path.into_os_string()).collect(),
        None => vec![path.into_os_string()],
    })
}

/// The number in the name of a volume.
#[pyfunction]
pub fn volume_number(path: PathBuf) -> Option<u64> {
    access::set::volume_number(&path)
}

/// Number of bytes that show the format of a file.
pub const SNIFFED: usize = Sniffer::LONGEST;

/// The name of a format, as in reports.
const fn format_name(format: Format) -> &'static str {
    match format {
        Format::Lime => "lime",
        Format::Inebin => "inebin",
        Format::Scda => "scda",
        Format::Nersc => "nersc",
        Format::Milc => "milc",
        _ => "unknown",
    }
}
