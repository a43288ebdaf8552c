//! Stores of many files, as `linkstream manifest`, `check --manifest`, `ensemble` and `table` read them.

use std::fs::File as SystemFile;
use std::io::{BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use linkstream_access::digest::HashFunction;
use linkstream_access::store::Stat;
use linkstream_access::write::{AtomicFile, Incomplete};
use linkstream_report::ensemble::changes::{self, Now};
use linkstream_report::ensemble::columns::{Column, ColumnError, Value as Cell};
use linkstream_report::ensemble::entry::Entry;
use linkstream_report::ensemble::facts::BETA;
use linkstream_report::ensemble::findings::judge;
use linkstream_report::ensemble::groups::{Template, groups};
use linkstream_report::ensemble::manifest::{self, ManifestError};
use linkstream_report::ensemble::members::with_members;
use linkstream_report::ensemble::read::Reader;
use linkstream_report::ensemble::store::{LeftOut, choose, find};
use linkstream_report::json::Object;
use linkstream_report::json_line::line_of;
use linkstream_report::parallel;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Serialize;
use serde_json::Value;

use crate::error::{Described, of_system};
use crate::write_error::write_error;
use crate::{exit, work};

/// The entries of a manifest, or of a store that was read.
#[pyclass(frozen, module = "linkstream._linkstream")]
#[derive(Debug, Default)]
pub struct Entries(manifest::Entries);

/// Settings of reading a store: paths of XML values, and whether observables are computed.
type Settings = (Vec<String>, bool);

fn json(value: &impl Serialize) -> PyResult<String> {
    let line = line_of(value).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(String::from_utf8(line)?)
}

/// The columns with these names.
pub fn columns_called(names: &[String]) -> PyResult<Vec<Column>> {
    let columns = names.iter().map(|name| name.parse()).collect::<Result<_, ColumnError>>();
    columns.map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The values of columns, as JSON.
pub fn cells(columns: &[Column], entry: &Entry) -> PyResult<String> {
    let cell = |column: &Column| match column.of(entry) {
        None => Value::Null,
        Some(Cell::Integer(number)) => number.into(),
        Some(Cell::Number(number)) => number.into(),
        Some(Cell::Text(text) | Cell::Word(text)) => text.into(),
    };
    json(&columns.iter().map(cell).collect::<Vec<_>>())
}

impl Entries {
    /// The files, with the files of an archive in its place.
    fn files(&self) -> manifest::Entries {
        with_members(self.0.clone())
    }
}

fn not_a_manifest(error: ManifestError) -> PyErr {
    match error {
        ManifestError::Io(error) => of_system(error),
        other => Described { name: "FormatError", message: other.to_string(), ..Described::default() }.into(),
    }
}

#[pymethods]
impl Entries {
    /// Reads a manifest, which must be as it was written.
    #[staticmethod]
    fn of_manifest(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        work::detached(py, || {
            let file = SystemFile::open(&path).map_err(of_system)?;
            manifest::read(&mut BufReader::new(file)).map(Self).map_err(not_a_manifest)
        })
    }

    /// The entries as JSON, in the order of the names.
    fn lines(&self) -> PyResult<Vec<String>> {
        self.0.values().map(json).collect()
    }

    /// Writes a manifest.
    fn write(&self, py: Python<'_>, path: PathBuf, replace: bool) -> PyResult<()> {
        let failed = |error| write_error(error, &path);
        work::detached(py, || {
            let new = AtomicFile::create(&path, replace, &Incomplete::default());
            let new = new.map_err(|error| failed(error.into()))?;
            let mut out = BufWriter::new(new.file());
            let written = manifest::write(self.0.values(), &mut out).and_then(|()| out.flush());
            written.map_err(|error| failed(linkstream_access::write::Error::Output(error)))?;
            drop(out);
            new.keep().map_err(|error| failed(error.into()))
        })
    }

    /// For each file, the values of these columns as JSON, like `linkstream table --json`.
    fn rows(&self, py: Python<'_>, columns: Vec<String>) -> PyResult<Vec<String>> {
        let columns = columns_called(&columns)?;
        work::detached(py, || self.files().values().map(|entry| cells(&columns, entry)).collect())
    }

    /// The ensembles, as JSON, and the findings on the store. `name` is a pattern such as `lat.{n}.ildg`.
    fn ensembles(&self, py: Python<'_>, name: Option<String>) -> PyResult<(Vec<String>, String)> {
        let template = name.map(|name| name.parse::<Template>()).transpose();
        let template = template.map_err(|error| PyValueError::new_err(error.to_string()))?;
        work::detached(py, || {
            let files = self.files();
            let judged = judge(&files, groups(&files, template.as_ref()));
            let lines = judged.groups.iter().map(|group| json(&Object(group))).collect::<PyResult<_>>()?;
            Ok((lines, json(&linkstream_report::json::objects(&judged.findings))?))
        })
    }
}

/// Result of reading a store: the entries; names with the reasons why they could not be examined; and names of links to
/// directories, of devices and the like.
type Read = (Entries, Vec<(String, String)>, Vec<(String, String)>);

/// Reads a store. `excludes` is called with each name, as bytes.
#[pyfunction]
pub fn read_store(
    py: Python<'_>,
    root: PathBuf,
    hash: &str,
    settings: Settings,
    excludes: Option<&Bound<'_, PyAny>>,
    own: Vec<PathBuf>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Read> {
    let (mut xml, observables) = settings;
    if xml.is_empty() {
        xml.push(BETA.to_owned());
    }
    let function = match hash {
        "sha256" => HashFunction::Sha256,
        "blake3" => HashFunction::Blake3,
        other => return Err(PyValueError::new_err(format!("hash must be sha256 or blake3, not {other}"))),
    };
    let reader = Reader { function, xml, observables, meter: Arc::default() };
    let now = read(py, &root, &reader, excludes, &own, (&manifest::Entries::new(), None), progress)?;
    let unknown = now.unknown.into_iter().map(|(name, why)| (name.text(), why)).collect();
    let skipped = now.skipped.into_iter().map(|(name, why)| (name.text(), why.to_owned())).collect();
    Ok((Entries(now.read), unknown, skipped))
}

/// Compares a store with its manifest: the changes and their numbers as JSON, and the entries of the store as it is now.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one for each option of the caller")]
pub fn compare_store(
    py: Python<'_>,
    root: PathBuf,
    old: &Entries,
    settings: Settings,
    excludes: Option<&Bound<'_, PyAny>>,
    own: Vec<PathBuf>,
    scrub: Option<u32>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Vec<String>, String, Entries)> {
    let reader = Reader::like(&old.0, settings.0, settings.1);
    let now = read(py, &root, &reader, excludes, &own, (&old.0, scrub), progress)?;
    work::detached(py, || {
        let changes = changes::compare(&old.0, &now);
        let lines = changes.list.iter().map(|change| json(&Object(change))).collect::<PyResult<_>>()?;
        Ok((lines, json(&Object(&changes))?, Entries(changes.next)))
    })
}

fn read(
    py: Python<'_>,
    root: &Path,
    reader: &Reader,
    excludes: Option<&Bound<'_, PyAny>>,
    own: &[PathBuf],
    (old, scrub): (&manifest::Entries, Option<u32>),
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Now> {
    let own: Vec<(u64, u64)> = own.iter().filter_map(|path| Stat::of(path).ok()?.identity).collect();
    let excludes = excludes.map(|function| function.clone().unbind());
    let failed = Mutex::new(None);
    let by_name = |name: &[u8]| {
        let Some(function) = &excludes else { return false };
        let answer =
            exit::attached(|py| Ok(function.call1(py, (PyBytes::new(py, name),))?.extract::<bool>(py)?));
        answer.unwrap_or_else(|error| {
            failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            true
        })
    };
    let mut now = Now::default();
    let left_out = LeftOut { by_name: &by_name, own: &own, min_age: None };
    let files = work::detached(py, || find(root, left_out, old, &mut now).map_err(of_system))?;
    if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error.into());
    }
    let units = choose(&files, old, scrub, &mut now)
        .map_err(|error| PyValueError::new_err(format!("{}: {}", error.path.display(), error.why)))?;
    let total = units.iter().fold(0, |sum, unit| u64::saturating_add(sum, unit.counted()));
    let entries = Mutex::new(&mut now.read);
    work::run(py, &reader.meter, total, progress, || {
        parallel::each(true, units.iter().collect(), |unit, _: &mut ()| {
            let read = reader.read(unit);
            // An entry about a file whose reading was cancelled is never used.
            reader.meter.add(0).map_err(std::io::Error::from).map_err(of_system)?;
            let mut entries = entries.lock().unwrap_or_else(PoisonError::into_inner);
            entries.extend(read.into_iter().map(|entry| (entry.name.clone(), entry)));
            Ok::<(), PyErr>(())
        })
    })?;
    Ok(now)
}
