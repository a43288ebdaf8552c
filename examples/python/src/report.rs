//! Reports, as `linkstream check --json` makes them, and rows of `linkstream table`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use linkstream_access::meter::Meter;
use linkstream_access::text::without_number;
use linkstream_report::ensemble::columns::Column;
use linkstream_report::ensemble::entry::{Entry, Verdict};
use linkstream_report::ensemble::facts;
use linkstream_report::ensemble::name::Name;
use linkstream_report::ensemble::stamp::Stamp;
use linkstream_report::job::{Job, Open};
use linkstream_report::json_line::{self, Unreadable};
use linkstream_report::options::Options;
use linkstream_report::report::Report;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

use crate::error::exception;
use crate::file::{Volume, source, sources};
use crate::store::{cells, columns_called};
use crate::work;

/// Options of a report: lenient, checksum required, observables, observables of time slices.
type Flags = (bool, bool, bool, bool);

fn options((lenient, require_checksum, observables, slices): Flags) -> Options {
    Options {
        read_data: true,
        observables,
        polyakov_loop: observables,
        slices,
        slice_sums: false,
        lenient,
        require_checksum,
        receiver: None,
    }
}

/// Purpose of reading a file: its report, or the values that a table has in these columns.
struct Wanted {
    options: Options,
    columns: Option<Vec<Column>>,
}

impl Wanted {
    /// `columns` has their names, and whether the data are read.
    fn new(flags: Flags, columns: Option<(Vec<String>, bool)>) -> PyResult<Self> {
        let options = options(flags);
        let Some((names, read_data)) = columns else { return Ok(Self { options, columns: None }) };
        Ok(Self { options: Options { read_data, ..options }, columns: Some(columns_called(&names)?) })
    }

    /// The line of a report on sources with so many bytes.
    fn line(&self, report: &Report, bytes: u64) -> PyResult<String> {
        let Some(columns) = &self.columns else {
            let mut line = Vec::new();
            let written = json_line::write_line(report, &mut line);
            written.map_err(|error| PyValueError::new_err(error.to_string()))?;
            return Ok(String::from_utf8(line)?);
        };
        let mut entry = Entry::new(Name::default(), bytes, Stamp::EPOCH, Verdict::Unreadable);
        facts::add(report, facts::verdict(report, Path::new(&report.file)), &[], &mut entry);
        cells(columns, &entry)
    }

    /// The line of a file that the system cannot read. Exceptions of other kinds, such as `KeyboardInterrupt`, stay what
    /// they are.
    fn unreadable(&self, py: Python<'_>, error: PyErr, line: Unreadable) -> PyResult<String> {
        if !error.is_instance_of::<PyOSError>(py) {
            return Err(error);
        }
        // The words of the program.
        let number: Option<i32> = error.value(py).getattr("errno")?.extract()?;
        let text = match number {
            Some(_) => error.value(py).getattr("strerror")?.to_string(),
            None => error.value(py).to_string(),
        };
        let error = without_number(text);
        if let Some(columns) = &self.columns {
            let mut entry = Entry::new(Name::default(), 0, Stamp::EPOCH, Verdict::Unreadable);
            entry.error = Some(error);
            return cells(columns, &entry);
        }
        let mut bytes = Vec::new();
        let written = Unreadable { error, ..line }.write_line(&mut bytes);
        written.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(String::from_utf8(bytes)?)
    }
}

fn line(
    py: Python<'_>,
    open: &Open,
    wanted: &Wanted,
    meter: &Meter,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let total = work::detached(py, || Ok(open.bytes()?))?;
    let report = work::run(py, meter, total, progress, || Ok(open.report(&wanted.options)?))?;
    wanted.line(&report, total)
}

/// The report on a file, or on the set that `path` is a volume or the name of, as JSON; or a row of a table with these
/// columns.
#[pyfunction]
#[pyo3(signature = (path, flags, progress, columns = None))]
pub fn check_path(
    py: Python<'_>,
    path: PathBuf,
    flags: Flags,
    progress: Option<&Bound<'_, PyAny>>,
    columns: Option<(Vec<String>, bool)>,
) -> PyResult<String> {
    let wanted = Wanted::new(flags, columns)?;
    let meter = Arc::<Meter>::default();
    let job = work::detached(py, || Ok(Job::at(&path)))?;
    let missing = job.unreadable(String::new());
    let open = work::detached(py, || job.open(&meter).map_err(exception));
    let line = open.and_then(|open| line(py, &open, &wanted, &meter, progress));
    line.or_else(|error| wanted.unreadable(py, error, missing))
}

/// The same of a source of Python, called `name`.
#[pyfunction]
#[pyo3(signature = (object, name, flags, progress, columns = None))]
pub fn check_source(
    py: Python<'_>,
    object: &Bound<'_, PyAny>,
    name: String,
    flags: Flags,
    progress: Option<&Bound<'_, PyAny>>,
    columns: Option<(Vec<String>, bool)>,
) -> PyResult<String> {
    let wanted = Wanted::new(flags, columns)?;
    let meter = Arc::<Meter>::default();
    let open = Open::source(source(object, &meter)?, name.clone());
    of_sources(py, &open, name, &wanted, &meter, progress)
}

/// The same of a file set whose volumes are sources of Python.
#[pyfunction]
#[pyo3(signature = (volumes, name, flags, progress, columns = None))]
pub fn check_set(
    py: Python<'_>,
    volumes: Vec<Volume<'_>>,
    name: String,
    flags: Flags,
    progress: Option<&Bound<'_, PyAny>>,
    columns: Option<(Vec<String>, bool)>,
) -> PyResult<String> {
    let wanted = Wanted::new(flags, columns)?;
    let meter = Arc::<Meter>::default();
    let open = Open::volumes(sources(volumes, &meter)?, name.clone());
    of_sources(py, &open, name, &wanted, &meter, progress)
}

fn of_sources(
    py: Python<'_>,
    open: &Open,
    name: String,
    wanted: &Wanted,
    meter: &Meter,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let line = line(py, open, wanted, meter, progress);
    line.or_else(|error| wanted.unreadable(py, error, Unreadable::new(name, String::new())))
}
