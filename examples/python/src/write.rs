//! Writing fields as files.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use linkstream::lattice::{ByteOrder, Coordinates, Extents, Hypercube, Precision, Region};
use linkstream_access::labelled;
use linkstream_access::meter::{Meter, Metered};
use linkstream_access::recorded::Printed;
use linkstream_access::set::{Layout, VolumeSource};
use linkstream_access::source::{SharedSource, Source};
use linkstream_access::write::{
    ArchiveForm, ArchiveTexts, AtomicFile, CompleteSet, Counting, Described, Error, Kind, Lines, NewField,
    Refusal, Rows, SetForm, Shape, Target, Trust, Wish, check_xml, note, prepare_field_as_archive,
    prepare_fields, prepare_fields_as_set, respell_sums,
};
use linkstream_report::job::Open;
use linkstream_report::judgement::Asked;
use linkstream_report::options::Options;
use linkstream_report::readers::{Audience, not_read_by};
use linkstream_report::report::{Body, Report};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::new_numbers::{Given, NewNumbers};
use crate::work;
use crate::write_error::{data_error, not_wrong, write_error};
use crate::write_watch::judged;

/// Largest difference of plaquettes that rounding explains: another program can have computed one in single precision.
const ROUNDING: f64 = 1e-6;

/// An array that shall be a field. Extents and indices have the order t, z, y, x, as in the array.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Array<'py> {
    numbers: NewNumbers<'py>,
    shape: Vec<u64>,
    names: Option<Vec<String>>,
    is_complex: bool,
    is_global: bool,
    kind: Option<String>,
    datatype: Option<String>,
    lower: Option<Vec<u32>>,
    record_xml: Option<String>,
    update: Option<String>,
    /// Notes about the numbers in the file that they come from.
    notes: Vec<String>,
}

/// Properties of the new file.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct How {
    lattice: Option<Vec<u32>>,
    form: String,
    audience: Option<String>,
    bits: Option<u32>,
    rows: Option<String>,
    tolerance: Option<f64>,
    lfn: Option<String>,
    update: Option<String>,
    date: Option<String>,
    file_xml: Option<String>,
    record_xml: Option<String>,
    header: Vec<(String, String)>,
    is_little_endian: bool,
    checksum: bool,
    replace: bool,
    nodes: Option<Vec<u32>>,
    io: Option<Vec<u32>>,
    in_directories: bool,
    unitary: bool,
    finite: bool,
    /// The texts of the user come unchanged from other files, which need not have XML in them.
    copies_texts: bool,
    /// The average plaquette that the links have, as the caller gives it.
    plaquette: Option<String>,
}

/// A complete file without a name.
enum Complete {
    File(AtomicFile),
    Set(CompleteSet),
}

/// The place of the sites of a field.
struct Placed {
    described: Described,
    region: Region,
}

fn reversed(axes: &[u32]) -> Vec<u32> {
    axes.iter().rev().copied().collect()
}

fn lattice_of(sites: &[u32]) -> PyResult<Extents> {
    Extents::new(sites).map_err(|_| {
        PyValueError::new_err(
            "a lattice has 1 to 8 dimensions with at least one site, and less than 2^64 sites",
        )
    })
}

/// Returns whether the user wrote a text, and not a program that needed one.
#[pyfunction]
pub fn is_of_user(text: &[u8]) -> bool {
    linkstream_access::write::is_of_user(text)
}

/// The notes in a text about data, and the one that they need if nothing verified them.
#[pyfunction]
pub fn notes(text: &[u8], is_verified: bool) -> Vec<String> {
    let mut notes = linkstream_access::write::notes(text);
    let new = note(&Trust::default(), 0).filter(|new| !is_verified && !notes.contains(new));
    notes.extend(new);
    notes
}

/// Writes fields. `warn` is called with the messages of all warnings before the file gets its name; after an exception,
/// there is no file.
#[pyfunction]
#[pyo3(signature = (path, arrays, how, progress, warn))]
pub fn write_fields(
    py: Python<'_>,
    path: PathBuf,
    arrays: Vec<Bound<'_, PyAny>>,
    how: &Bound<'_, PyAny>,
    progress: Option<&Bound<'_, PyAny>>,
    warn: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let how: How = how.extract()?;
    let arrays: Vec<Array<'_>> = arrays.iter().map(|array| array.extract()).collect::<PyResult<_>>()?;
    let described = arrays.iter().map(described).collect::<PyResult<Vec<_>>>()?;
    refuse_other_kinds(&how, &described)?;
    let lattice = lattice(&how, &arrays, &described)?;
    let mut placed = Vec::new();
    for (array, described) in arrays.iter().zip(described) {
        let region = region(array, &described, &lattice)?;
        placed.push(Placed { described, region });
    }
    let numbers: Vec<Given<'_>> =
        arrays.iter().map(|array| array.numbers.given()).collect::<PyResult<_>>()?;
    let mut fields = Vec::new();
    for ((array, placed), numbers) in arrays.iter().zip(&placed).zip(&numbers) {
        let content = placed.described.content(&placed.region, array.datatype.as_deref());
        let content = content.map_err(|error| write_error(error, &path))?;
        let (record_xml, update) = (array.record_xml.clone(), array.update.clone());
        let notes = array.notes.clone();
        fields.push(NewField { values: numbers.values(), content, record_xml, update, notes });
    }
    let bytes = |field: &NewField<'_>| (field.values.len() * field.values.precision().size()) as u64;
    // Written, read back, and checked.
    let total = fields.iter().map(bytes).sum::<u64>().saturating_mul(3);
    let meter = Arc::<Meter>::default();
    let mut watch = Counting::new(meter.clone());
    let (complete, warnings) = work::run(py, &meter, total, progress, || {
        let writing = Writing { path: &path, lattice: &lattice, fields: &fields, how: &how };
        let complete = writing.prepare(&mut watch)?;
        let warnings = judged(&mut watch, how.unitary, how.finite)?;
        let warnings = match &complete {
            Complete::File(file) => writing.audited(file, warnings, &meter)?,
            Complete::Set(_) => warnings,
        };
        writing.judge(&complete, &meter)?;
        Ok((complete, warnings))
    })?;
    warn.call1((warnings,))?;
    // Whoever cancels the call at its very end gets no file.
    let kept = py.detach(|| match complete {
        Complete::File(file) => file.keep().map_err(Error::from),
        Complete::Set(set) => set.keep(),
    });
    kept.map_err(|error| write_error(error, &path))
}

fn described(array: &Array<'_>) -> PyResult<Described> {
    let wrong = |error| write_error(Error::Shape(error), Path::new(""));
    let shape = Shape {
        extents: array.shape.clone(),
        names: array.names.clone(),
        is_complex: array.is_complex,
        is_global: array.is_global,
        precision: array.numbers.precision(),
    };
    let kind = array.kind.as_deref().map(str::parse::<Kind>).transpose().map_err(wrong)?;
    shape.describe(kind).map_err(wrong)
}

/// Programs read gauge fields in a form of their own. Other fields have the form of SciDAC for all of them.
fn refuse_other_kinds(how: &How, described: &[Described]) -> PyResult<()> {
    let Some(audience) = &how.audience else { return Ok(()) };
    match described.iter().find(|field| !matches!(field.kind, Kind::Links(_))) {
        None => Ok(()),
        Some(Described { kind, .. }) => Err(PyValueError::new_err(format!(
            "for_={audience:?} writes one gauge field, not a field of the kind {kind}: leave out for_, and programs \
             that read SciDAC records read it"
        ))),
    }
}

/// The lattice that the caller has given, or the one of the first field.
fn lattice(how: &How, arrays: &[Array<'_>], described: &[Described]) -> PyResult<Extents> {
    if let Some(lattice) = &how.lattice {
        return lattice_of(&reversed(lattice));
    }
    let is_whole = |(array, _): &(&Array<'_>, &Described)| !array.is_global && array.lower.is_none();
    let whole = arrays.iter().zip(described).find(is_whole);
    let (_, first) = whole.ok_or_else(|| {
        PyValueError::new_err("no field is on the whole lattice: give the lattice as lattice=(t, z, y, x)")
    })?;
    lattice_of(&first.sites)
}

fn region(array: &Array<'_>, described: &Described, lattice: &Extents) -> PyResult<Region> {
    if array.is_global {
        return Ok(Region::Global);
    }
    let Some(lower) = &array.lower else {
        let own = lattice_of(&described.sites)?;
        if own != *lattice {
            let refusal = Refusal::Lattices { one: *lattice, other: own };
            return Err(write_error(refusal.into(), Path::new("")));
        }
        return Ok(Region::Lattice);
    };
    let lower = reversed(lower);
    let wrong = || {
        let lattice = labelled(lattice.as_slice());
        PyValueError::new_err(format!("the hypercube is not inside of the lattice {lattice}"))
    };
    let upper = lower.iter().zip(&described.sites).map(|(lower, extent)| lower.checked_add(extent - 1));
    let upper: Vec<u32> = upper.collect::<Option<_>>().ok_or_else(wrong)?;
    let corner = |corner: &[u32]| Coordinates::new(corner).ok_or_else(wrong);
    let is_shape = lower.len() == described.sites.len();
    let cube = Hypercube::new(corner(&lower)?, corner(&upper)?, lattice).ok().filter(|_| is_shape);
    cube.map(Region::Hypercube).ok_or_else(wrong)
}

/// Fields to be written.
struct Writing<'w> {
    path: &'w Path,
    lattice: &'w Extents,
    fields: &'w [NewField<'w>],
    how: &'w How,
}

impl Writing<'_> {
    fn prepare(&self, watch: &mut Counting) -> PyResult<Complete> {
        let (how, path) = (self.how, self.path);
        let wish = self.wish()?;
        if !how.copies_texts {
            let texts = self.fields.iter().filter_map(|field| field.record_xml.as_ref());
            let texts = texts.chain(&how.record_xml).chain(&how.file_xml);
            texts
                .into_iter()
                .try_for_each(|text| check_xml(text))
                .map_err(|why| write_error(why.into(), path))?;
        }
        let complete = if how.form == "nersc" {
            let [field] = self.fields else {
                return Err(PyValueError::new_err("a NERSC archive has one gauge field"));
            };
            let rows = wish.rows.unwrap_or(Rows::Full);
            let order = if how.is_little_endian { ByteOrder::Little } else { ByteOrder::Big };
            let form = ArchiveForm { rows, order, tolerance: how.tolerance };
            let lines = Lines::new(how.header.iter().map(|(key, value)| (&key[..], &value[..])));
            let texts = ArchiveTexts { lines, note: field.notes.first().cloned(), ..ArchiveTexts::default() };
            let (lattice, replace) = (self.lattice, how.replace);
            prepare_field_as_archive(path, replace, form, lattice, field, &wish, &texts, watch)
                .map(Complete::File)
        } else if let Some(nodes) = &how.nodes {
            let layout = if how.in_directories { Layout::Directory } else { Layout::Same };
            let mut nodes = nodes.clone();
            if nodes.len() == 1 {
                // One number divides t.
                nodes.resize(self.lattice.as_slice().len(), 1);
            }
            let form = SetForm {
                nodes: reversed(&nodes),
                io: how.io.as_deref().map(reversed),
                layout,
                is_multifile: false,
            };
            prepare_fields_as_set(path, how.replace, &form, self.lattice, self.fields, &wish, watch)
                .map(Complete::Set)
        } else {
            prepare_fields(path, how.replace, self.lattice, self.fields, &wish, watch).map(Complete::File)
        };
        complete.map_err(|error| write_error(error, path))
    }

    fn audience(&self) -> PyResult<Option<Audience>> {
        let audience = self.how.audience.as_deref().map(str::parse::<Audience>).transpose();
        let named = self.how.audience.as_deref().unwrap_or_default();
        audience.map_err(|error| PyValueError::new_err(format!("for_ is {named:?}, which is {error}")))
    }

    fn wish(&self) -> PyResult<Wish> {
        let how = self.how;
        let target = match &*how.form {
            "ildg" => Some(Target::Ildg),
            "scidac" => Some(Target::Scidac),
            _ => None,
        };
        let rows = how.rows.as_deref().map(str::parse::<Rows>).transpose();
        let wish = Wish {
            target,
            precision: match how.bits {
                Some(32) => Some(Precision::F32),
                Some(64) => Some(Precision::F64),
                _ => None,
            },
            rows: rows.map_err(|error| PyValueError::new_err(format!("rows: {error}")))?,
            tolerance: how.tolerance,
            lfn: how.lfn.clone(),
            update: how.update.clone(),
            date: how.date.clone(),
            file_xml: how.file_xml.clone(),
            record_xml: how.record_xml.clone(),
            checksum: how.checksum,
            observables: true,
            ..Wish::default()
        };
        Ok(match self.audience()? {
            Some(audience) => audience.wish(wish),
            None => wish,
        })
    }

    /// Judges the new file as `check` does.
    fn judge(&self, complete: &Complete, meter: &Arc<Meter>) -> PyResult<()> {
        let any_numbers = !self.how.unitary || !self.how.finite;
        let (copies, any_texts) = (self.how.copies_texts, self.how.copies_texts);
        let open = match complete {
            Complete::File(file) => Open::source(metered(file.source()?, meter), String::new()),
            Complete::Set(set) => {
                let of_volume = |volume: VolumeSource<'static, io::Error>| VolumeSource {
                    source: metered(volume.source, meter),
                    ..volume
                };
                Open::volumes(set.sources()?.into_iter().map(of_volume).collect(), String::new())
            }
        };
        not_wrong(&open, Asked { any_numbers, copies, any_texts })?;
        self.how.plaquette.as_deref().map_or(Ok(()), |given| has_plaquette(&open, given))
    }

    /// Judges whether programs can read the new file. Returns all warnings.
    fn audited(
        &self,
        file: &AtomicFile,
        mut warnings: Vec<String>,
        meter: &Arc<Meter>,
    ) -> PyResult<Vec<String>> {
        if let Some(audience) = self.audience()? {
            respell_sums(file.file(), audience.has_padded_sums())
                .map_err(|error| write_error(error, self.path))?;
            let options = Options { read_data: true, observables: true, lenient: true, ..Options::default() };
            let others = audience.judge(&report(file, &options, meter)?);
            let others = others.map_err(|unread| data_error(unread.to_string()))?;
            warnings.extend(others.iter().map(ToString::to_string));
        } else if self.how.form != "nersc" && matches!(self.how.rows.as_deref(), Some("reduced")) {
            let report = report(file, &Options { observables: false, ..Options::default() }, meter)?;
            let names: Vec<_> = not_read_by(&report).iter().map(|answer| answer.program.name()).collect();
            if !names.is_empty() {
                warnings.push(format!("these programs cannot read the file: {}", names.join(", ")));
            }
        }
        Ok(warnings)
    }
}

/// Links in another order have another plaquette.
fn has_plaquette(file: &Open, given: &str) -> PyResult<()> {
    let report = file.report(&Options { read_data: true, observables: true, ..Options::default() })?;
    let measured = match &report.body {
        Body::Lime(contents) => contents.fields.iter().find_map(|field| field.measured.as_ref()),
        Body::Nersc(contents) => contents.measured.as_ref(),
        _ => None,
    };
    let measured = measured.and_then(|measured| measured.plaquette);
    let printed = Printed::parse(given).ok_or_else(|| PyValueError::new_err("plaquette is a number"))?;
    match measured {
        None => {
            Err(PyValueError::new_err("plaquette: the file has no gauge field whose plaquette is computed"))
        }
        Some(measured) if printed.agrees(measured, ROUNDING) => Ok(()),
        Some(measured) => Err(data_error(format!(
            "the links have the plaquette {measured:.9}, not {given}: their axes may be in another order"
        ))),
    }
}

/// The report on a file without a name.
fn report(file: &AtomicFile, options: &Options, meter: &Arc<Meter>) -> PyResult<Report> {
    let source = metered(file.source()?, meter);
    Ok(Open::source(source, file.path().display().to_string()).report(options)?)
}

fn metered<S: Source<Error = io::Error> + 'static>(
    source: S,
    meter: &Arc<Meter>,
) -> SharedSource<'static, io::Error> {
    Arc::new(Metered::new(source, meter.clone()))
}
