//! Reports, as `linkstream check --json` makes them.

use std::path::PathBuf;
use std::sync::Arc;

use linkstream_access::meter::Meter;
use linkstream_report::job::{Job, Open};
use linkstream_report::json_line::{self, Unreadable};
use linkstream_report::options::Options;
use linkstream_report::report::Report;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

use crate::error::exception;
use crate::file::{Volume, source, sources};
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

/// The line of a report.
fn line(report: &Report) -> PyResult<String> {
    let mut line = Vec::new();
    json_line::write_line(report, &mut line).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(String::from_utf8(line)?)
}

/// The line of a file that the system cannot read. Exceptions of other kinds, such as `KeyboardInterrupt`, stay what they
/// are.
fn unreadable(py: Python<'_>, error: PyErr, line: Unreadable) -> PyResult<String> {
    if !error.is_instance_of::<PyOSError>(py) {
        return Err(error);
    }
    let mut bytes = Vec::new();
    // The words of the program.
    let number: Option<i32> = error.value(py).getattr("errno")?.extract()?;
    let text = match number {
        Some(_) => error.value(py).getattr("strerror")?.to_string(),
        None => error.value(py).to_string(),
    };
    let line = Unreadable { error: json_line::without_number(text), ..line };
    line.write_line(&mut bytes).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(String::from_utf8(bytes)?)
}

fn report(
    py: Python<'_>,
    open: &Open,
    options: &Options,
    meter: &Meter,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Report> {
    let total = work::detached(py, || Ok(open.bytes()?))?;
    work::run(py, meter, total, progress, || Ok(open.report(options)?))
}

/// The report on a file, or on the set that `path` is a volume or the name of, as JSON.
#[pyfunction]
pub fn check_path(
    py: Python<'_>,
    path: PathBuf,
    flags: Flags,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let meter = Arc::<Meter>::default();
    let job = work::detached(py, || Ok(Job::at(&path)))?;
    let missing = job.unreadable(String::new());
    let open = work::detached(py, || job.open(&meter).map_err(exception));
    match open.and_then(|open| report(py, &open, &options(flags), &meter, progress)) {
        Ok(report) => line(&report),
        Err(error) => unreadable(py, error, missing),
    }
}

/// The report on a source of Python, called `name`, as JSON.
#[pyfunction]
pub fn check_source(
    py: Python<'_>,
    object: &Bound<'_, PyAny>,
    name: String,
    flags: Flags,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let meter = Arc::<Meter>::default();
    let open = Open::source(source(object, &meter)?, name.clone());
    of_sources(py, &open, name, flags, &meter, progress)
}

/// The report on a file set whose volumes are sources of Python, as JSON.
#[pyfunction]
pub fn check_set(
    py: Python<'_>,
    volumes: Vec<Volume<'_>>,
    name: String,
    flags: Flags,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let meter = Arc::<Meter>::default();
    let open = Open::volumes(sources(volumes, &meter)?, name.clone());
    of_sources(py, &open, name, flags, &meter, progress)
}

fn of_sources(
    py: Python<'_>,
    open: &Open,
    name: String,
    flags: Flags,
    meter: &Meter,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    match report(py, open, &options(flags), meter, progress) {
        Ok(report) => line(&report),
        Err(error) => unreadable(py, error, Unreadable::new(name, String::new())),
    }
}
