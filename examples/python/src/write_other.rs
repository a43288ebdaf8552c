//! Writing matrices and sections.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use linkstream::inebin::{Complex, Value};
use linkstream::scda::{INLINE_LEN, Style};
use linkstream_access::meter::Meter;
use linkstream_access::write::{
    AtomicFile, Counting, Edits, Error, Incomplete, NewSection, NewSections, SectionData, edit,
    prepare_matrix, prepare_sections,
};
use linkstream_access::{self as access};
use linkstream_memory::copied;
use linkstream_report::job::Open;
use linkstream_report::judgement::Asked;
use numpy::{Complex64, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::error::{exception, of_system};
use crate::work;
use crate::write_error::{data_error, edit_not_wrong, not_wrong, write_error};

fn strided<E>(_: E) -> PyErr {
    PyValueError::new_err("the array is not contiguous")
}

/// Runs `prepare`, and gives the file its name.
fn written(
    py: Python<'_>,
    path: &Path,
    total: u64,
    progress: Option<&Bound<'_, PyAny>>,
    prepare: impl FnOnce(&mut Counting) -> Result<AtomicFile, Error> + Send,
) -> PyResult<()> {
    let failed = |error| write_error(error, path);
    let meter = Arc::<Meter>::default();
    let mut watch = Counting::new(meter.clone());
    // Written, and read back.
    let total = total.saturating_mul(2);
    let file = work::run(py, &meter, total, progress, || {
        let file = prepare(&mut watch).map_err(failed)?;
        not_wrong(&Open::source(Arc::new(file.source()?), String::new()), Asked::default())?;
        Ok(file)
    })?;
    py.detach(|| file.keep()).map_err(|error| failed(error.into()))
}

/// Changes texts in a file: the logical file name, the update number and the user's text of a field, and the user's text
/// about the file. Returns false if the file has them, and is not replaced.
#[pyfunction]
#[pyo3(signature = (path, lfn, update, record_xml, file_xml, field, progress))]
#[expect(clippy::too_many_arguments, reason = "one for each text")]
pub fn edit_texts(
    py: Python<'_>,
    path: PathBuf,
    lfn: Option<String>,
    update: Option<String>,
    record_xml: Option<String>,
    file_xml: Option<String>,
    field: usize,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<bool> {
    let failed = |error| write_error(error, &path);
    let meter = Arc::<Meter>::default();
    let mut watch = Counting::new(meter.clone());
    let (file, total) = work::detached(py, || {
        let file = access::File::open_path(&path).map_err(exception)?;
        let total = file.source().length().map_err(of_system)?;
        Ok((file, total))
    })?;
    let edits = Edits { lfn, update, record_xml, file_xml, field };
    // Copied, and checked.
    let new = work::run(py, &meter, total.saturating_mul(2), progress, || {
        let new =
            AtomicFile::create(&path, true, &Incomplete::default()).map_err(|error| failed(error.into()))?;
        let texts = edit(&file, &edits, &mut new.file(), &mut watch).map_err(failed)?;
        let asked = Asked { copies: true, ..Asked::default() };
        edit_not_wrong(&Open::source(Arc::new(new.source()?), String::new()), asked, &texts)?;
        let opened = access::File::open(Arc::new(new.source()?));
        opened.map_err(|error| data_error(format!("the file could not be opened any more: {error}")))?;
        file.check_unchanged().map_err(exception)?;
        Ok(if edits.are_in(&file).map_err(failed)? { None } else { Some(new) })
    })?;
    let Some(new) = new else { return Ok(false) };
    py.detach(|| new.keep()).map_err(|error| failed(error.into()))?;
    Ok(true)
}

/// Writes a matrix. `entries` is an array with one axis, row by row.
#[pyfunction]
#[pyo3(signature = (path, entries, rows, columns, replace, progress))]
pub fn write_matrix(
    py: Python<'_>,
    path: PathBuf,
    entries: &Bound<'_, PyAny>,
    rows: u32,
    columns: u32,
    replace: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    fn put<T: Sync, V: Value + Default>(
        py: Python<'_>,
        (path, rows, columns, replace): (&Path, u32, u32, bool),
        entries: &[T],
        entry: impl Fn(&T) -> V + Send,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        written(py, path, size_of_val(entries) as u64, progress, |watch| {
            prepare_matrix(path, replace, rows, columns, entries, entry, watch)
        })
    }

    let about = (&*path, rows, columns, replace);
    if let Ok(array) = entries.extract::<PyReadonlyArray1<'_, bool>>() {
        return put(py, about, array.as_slice().map_err(strided)?, |bit: &bool| *bit, progress);
    }
    if let Ok(array) = entries.extract::<PyReadonlyArray1<'_, i64>>() {
        return put(py, about, array.as_slice().map_err(strided)?, |entry: &i64| *entry, progress);
    }
    if let Ok(array) = entries.extract::<PyReadonlyArray1<'_, f64>>() {
        return put(py, about, array.as_slice().map_err(strided)?, |entry: &f64| *entry, progress);
    }
    let array: PyReadonlyArray1<'_, Complex64> = entries.extract()?;
    let complex = |entry: &Complex64| Complex { re: entry.re, im: entry.im };
    put(py, about, array.as_slice().map_err(strided)?, complex, progress)
}

/// A section: its letter, the text of the user, parts of its data as arrays of bytes, the number and the size of the
/// elements of an array, and the level of compression.
type Section<'py> = (String, PyBackedBytes, Vec<PyReadonlyArray1<'py, u8>>, u64, u64, Option<u32>);

/// Writes sections. The header is vendor, text of the user, and true for line breaks of MIME.
#[pyfunction]
#[pyo3(signature = (path, header, sections, replace, progress))]
pub fn write_sections(
    py: Python<'_>,
    path: PathBuf,
    header: (PyBackedBytes, PyBackedBytes, bool),
    sections: Vec<Section<'_>>,
    replace: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let (vendor, user, is_mime) = header;
    let style = if is_mime { Style::Mime } else { Style::Unix };
    let text = |bytes: &[u8]| copied(bytes).map_err(|short| of_system(short.into()));
    let header = NewSections { vendor: text(&vendor)?, user: text(&user)?, style };
    let mut new = Vec::new();
    for (letter, user, parts, count, size, level) in &sections {
        let mut parts =
            parts.iter().map(|part| part.as_slice().map_err(strided)).collect::<PyResult<Vec<_>>>()?;
        let data = match &**letter {
            "V" => SectionData::Varray(parts),
            letter => {
                let bytes = parts.pop().ok_or_else(|| PyValueError::new_err("a section has data"))?;
                match letter {
                    "I" => {
                        let data = <[u8; INLINE_LEN]>::try_from(bytes);
                        let wrong =
                            |_| PyValueError::new_err(format!("an inline section has {INLINE_LEN} bytes"));
                        SectionData::Inline(data.map_err(wrong)?)
                    }
                    "B" => SectionData::Block(bytes),
                    _ => SectionData::Array { count: *count, size: *size, bytes },
                }
            }
        };
        new.push(NewSection { user: text(user)?, data, level: *level });
    }
    let total = new.iter().map(|section| section.data.bytes()).sum();
    written(py, &path, total, progress, |watch| prepare_sections(&path, replace, &header, &new, watch))
}
