//! Reports, as `linkstream check --json` makes them.

use std::path::PathBuf;
use std::sync::Arc;

use linkstream_access::meter::Meter;
use linkstream_report::options::Options;
use pyo3::prelude::*;

use crate::file::source;
use crate::work;

/// The report on a file, or on the set that `path` is a volume or the name of, as JSON.
#[pyfunction]
pub fn check_path(
    py: Python<'_>,
    path: PathBuf,
    options: (bool, bool, bool, bool),
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    todo!()
}
