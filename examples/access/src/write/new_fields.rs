//! Fields in memory, for programs that have numbers in arrays.

use std::io;
use std::path::Path;
use std::sync::Arc;

use linkstream::field::Field as Layout;
use linkstream::ildg::{Format, GaugeKind};
use linkstream::lattice::{Checksum, Extents, Precision, Region};
use linkstream::scidac::{PrivateFile, PrivateRecord};

use super::atomic::AtomicFile;
use super::document::{Beside, NO_TEXT, Planned, SCRATCH, precision_of, private_record, set_date};
use super::error::{Error, Fault, Refusal};
use super::incomplete::Incomplete;
use super::input::BUFFER;
use super::lfn::{check_lfn, is_update};
use super::nersc::{ArchiveForm, ArchiveTexts, write_archive};
use super::new_set::{NewSet, NewVolume, SetForm};
use super::numbers::Numbers;
use super::observer::{Observer, Warning};
use super::read_back::read_back;
use super::record::data_in;
use super::set_sink::SetSink;
use super::sink::{FieldSink, FileSink};
use super::unitarity::{Unitarity, links_layout};
use super::wish::{Rows, Target, Wish, unix_now};
use crate::set::{SetAsFile, VolumeSource};
use crate::source::SharedSource;
use crate::sources::FileSource;
use crate::system::File;

/// The numbers of a field, in native byte order.
///
/// Sites are in lexicographic order, x running fastest and t slowest (ILDG 1.2, section 2.5.1). A complex number is its
/// real part and its imaginary part.
#[derive(Debug, Clone, Copy)]
pub enum Values<'a> {
    /// Single precision.
    F32(&'a [f32]),
    /// Double precision.
    F64(&'a [f64]),
}

impl Values<'_> {
    /// Number of real numbers.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::F32(values) => values.len(),
            Self::F64(values) => values.len(),
        }
    }

    /// True if there are no numbers.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Their precision.
    #[must_use]
    pub const fn precision(&self) -> Precision {
        match self {
            Self::F32(_) => Precision::F32,
            Self::F64(_) => Precision::F64,
        }
    }

    /// Passes the numbers to `each` in pieces, big-endian.
    fn pieces(&self, mut each: impl FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        let mut bytes = Vec::with_capacity(BUFFER);
        let mut pass = |bytes: &mut Vec<u8>| {
            each(bytes)?;
            bytes.clear();
            Ok::<(), Error>(())
        };
        let piece = BUFFER / self.precision().bytes();
        match self {
            Self::F32(values) => values.chunks(piece).try_for_each(|piece| {
                bytes.extend(piece.iter().flat_map(|number| number.to_be_bytes()));
                pass(&mut bytes)
            }),
            Self::F64(values) => values.chunks(piece).try_for_each(|piece| {
                bytes.extend(piece.iter().flat_map(|number| number.to_be_bytes()));
                pass(&mut bytes)
            }),
        }
    }
}

impl<'a> From<&'a [f32]> for Values<'a> {
    fn from(values: &'a [f32]) -> Self {
        Self::F32(values)
    }
}

impl<'a> From<&'a [f64]> for Values<'a> {
    fn from(values: &'a [f64]) -> Self {
        Self::F64(values)
    }
}

/// Meaning of the numbers of an array.
#[derive(Debug, Clone)]
pub enum Content {
    /// The links of a gauge field: the array has the axes t, z, y, x, link, row, column, and real and imaginary part
    /// unless the kind is real. Directions with a single site have no link (ILDG 1.2, section 2.5.1), but in files with
    /// an `ildg-format` of version 1.0, and in SciDAC files without one, every direction has one.
    Links {
        /// The kind of gauge field.
        kind: GaugeKind,
        /// The stored rows.
        rows: Rows,
    },
    /// Other data, such as a propagator or a source, with the SciDAC record that describes them. The date and the
    /// precision of the record are replaced.
    Record(Box<PrivateRecord>),
}

/// A field in memory.
#[derive(Debug, Clone)]
pub struct NewField<'a> {
    /// Its numbers.
    pub values: Values<'a>,
    /// Meaning of the numbers.
    pub content: Content,
    /// The user's text about the record. `None`: the text in the [`Wish`], or one that names this library.
    pub record_xml: Option<String>,
    /// The update number. `None`: the number in the [`Wish`].
    pub update: Option<String>,
}

impl<'a> NewField<'a> {
    /// The links of a gauge field, with all rows.
    #[must_use]
    pub fn links(values: impl Into<Values<'a>>, kind: GaugeKind) -> Self {
        let content = Content::Links { kind, rows: Rows::Full };
        Self { values: values.into(), content, record_xml: None, update: None }
    }

    /// Data that a SciDAC record describes.
    #[must_use]
    pub fn described(values: impl Into<Values<'a>>, record: PrivateRecord) -> Self {
        let content = Content::Record(Box::new(record));
        Self { values: values.into(), content, record_xml: None, update: None }
    }
}

/// The documents of a gauge field whose links have these properties. A [`Wish`] without `target` means
/// [`Target::Both`].
///
/// # Errors
/// No file can have such links, or a text of the wish is not allowed.
pub fn links_record(
    kind: GaugeKind,
    precision: Precision,
    extents: [u32; 4],
    rows: Rows,
    wish: &Wish,
) -> Result<Planned, Refusal> {
    let target = wish.target.unwrap_or(Target::Both);
    let rows = rows.of(kind)?;
    let is_full = rows == kind.colors();
    let mut format = Format::new(kind, precision, extents);
    if !is_full {
        format = format.with_rows(rows).ok_or(Refusal::RowsOfKind)?;
    } else if target != Target::Ildg && !wish.newest {
        // QIO supports only version 1.0, which has a link in every direction.
        format = Format::version_1_0(kind, precision, extents);
    }
    let mut scidac = None;
    if target != Target::Ildg {
        let date = wish.date.clone().unwrap_or_else(unix_now);
        let record = private_record(kind, precision, rows.into(), format.links().into(), &date)?;
        let text = wish.record_xml.as_deref().unwrap_or(NO_TEXT).as_bytes().to_vec();
        scidac = Some(Beside { record, text });
    }
    let checksum = wish.checksum || scidac.is_some();
    if target == Target::Scidac {
        if !is_full {
            return Err(Refusal::RowsUnrecorded);
        }
        return Ok(Planned { scidac, checksum, ..Planned::default() });
    }
    let (update, lfn) = (wish.update.clone(), wish.lfn.clone());
    Ok(Planned { scidac, format: Some(format), update, lfn, checksum })
}

/// Plan of the file to write from arrays.
#[derive(Debug)]
pub struct FieldsPlan<'a> {
    file: Option<(PrivateFile, Vec<u8>)>,
    records: Vec<NewRecord<'a>>,
}

/// A data record that is written.
#[derive(Debug)]
struct NewRecord<'a> {
    planned: Planned,
    values: Values<'a>,
    /// The layout of links, which should be unitary.
    links: Option<Layout>,
}

impl NewRecord<'_> {
    /// Measures the links while they are written; `None` for other data.
    fn unitarity(&self) -> Option<Unitarity> {
        Unitarity::of(self.links.as_ref()?, self.planned.format.as_ref().map(Format::kind))
    }
}

impl<'a> FieldsPlan<'a> {
    /// Decides how arrays on one lattice are written: one data record for each, in this order. Of the `wish`, `field`,
    /// `one`, `rows`, `kind`, `tolerance` and `as_set` have no effect: they are about files.
    ///
    /// # Errors
    /// An array does not have the length that its description demands, or the wish is impossible.
    pub fn new(lattice: &Extents, arrays: &[NewField<'a>], wish: &Wish) -> Result<Self, Error> {
        let mut records = Vec::new();
        for (index, array) in arrays.iter().enumerate() {
            let wish = Wish {
                record_xml: array.record_xml.clone().or_else(|| wish.record_xml.clone()),
                update: array.update.clone().or_else(|| wish.update.clone()),
                lfn: wish.lfn.clone().filter(|_| index == 0),
                ..wish.clone()
            };
            let planned = planned(lattice, array, &wish)?;
            let links = match array.content {
                Content::Links { kind, rows } => links_layout(&planned, lattice, kind, rows.of(kind)?),
                Content::Record(_) => None,
            };
            records.push(NewRecord { planned, values: array.values, links });
        }
        if records.is_empty() {
            return Err(Refusal::NoRecords.into());
        }
        if wish.lfn.is_some() && !records.iter().any(|record| record.planned.lfn.is_some()) {
            return Err(Refusal::NameWithoutFormat.into());
        }
        let file = records.iter().any(|record| record.planned.scidac.is_some()).then(|| {
            let text = wish.file_xml.as_deref().unwrap_or(NO_TEXT);
            (PrivateFile::new(lattice), text.as_bytes().to_vec())
        });
        Ok(Self { file, records })
    }

    /// The documents of each data record.
    pub fn records(&self) -> impl ExactSizeIterator<Item = &Planned> {
        self.records.iter().map(|record| &record.planned)
    }

    /// Writes the documents and the numbers. Returns the checksum of each data record, also if the output has none.
    ///
    /// # Errors
    /// A number does not fit into the precision of the output, or the output cannot be written.
    pub fn write_to(
        &self,
        sink: &mut dyn FieldSink,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Checksum>, Error> {
        if let Some((file, text)) = &self.file {
            sink.file(file, text)?;
        }
        let mut sums = Vec::new();
        for (index, record) in self.records.iter().enumerate() {
            let NewRecord { planned, values, .. } = record;
            let mut unitarity = record.unitarity();
            let site = sink.begin(planned)?;
            let (from, to) = (values.precision(), planned.precision().unwrap_or(values.precision()));
            let mut numbers = Numbers::new(Some(from), Some(to), false, site);
            values.pieces(|piece| {
                let written = numbers.feed(piece)?;
                if let Some(unitarity) = &mut unitarity {
                    unitarity.feed(written);
                }
                sink.data(written)
            })?;
            sums.extend(sink.end(planned)?);
            if numbers.not_finite > 0 {
                observer.warn(Warning::ArrayNotFinite(index, numbers.not_finite));
            } else if let Some(deviation) = unitarity.and_then(|unitarity| unitarity.finish(to)) {
                observer.warn(Warning::ArrayNotUnitary(index, deviation));
            }
        }
        sink.finish()?;
        Ok(sums)
    }
}

/// The documents of an array, whose length is checked.
fn planned(lattice: &Extents, array: &NewField<'_>, wish: &Wish) -> Result<Planned, Error> {
    let precision = wish.precision.unwrap_or(array.values.precision());
    let planned = match &array.content {
        Content::Links { kind, rows } => {
            let extents = <[u32; 4]>::try_from(lattice.as_slice());
            let extents = extents.map_err(|_| Refusal::Dimensions(*lattice))?;
            links_record(*kind, precision, extents, *rows, wish)?
        }
        Content::Record(record) => {
            if wish.target.is_some_and(|target| target != Target::Scidac) {
                return Err(Refusal::NoGaugeField.into());
            }
            let letter = record.data().precision;
            let from = precision_of(letter.as_str()).ok_or(Refusal::Letter(letter.as_str().to_owned()))?;
            let data = data_in(record, from, precision)?;
            let mut record = record.with_data(data).map_err(Refusal::from)?;
            set_date(&mut record, &wish.date.clone().unwrap_or_else(unix_now))?;
            let text = wish.record_xml.as_deref().unwrap_or(NO_TEXT).as_bytes().to_vec();
            Planned { scidac: Some(Beside { record, text }), checksum: true, ..Planned::default() }
        }
    };
    if planned.format.is_none() && wish.update.is_some() {
        return Err(Refusal::UpdateWithoutFormat.into());
    }
    if let Some(text) = planned.update.clone().filter(|text| !is_update(text)) {
        return Err(Fault::Update { text }.into());
    }
    if let Some(name) = &planned.lfn {
        check_lfn(name).map_err(|why| Fault::Name { name: name.clone(), why })?;
    }
    let sites = match &planned.scidac {
        Some(beside) => match beside.record.region(lattice).map_err(Refusal::Region)? {
            Region::Lattice => lattice.sites(),
            Region::Hypercube(cube) => cube.sites(),
            Region::Global => 1,
        },
        None => lattice.sites(),
    };
    let expected = planned.bytes_per_site().checked_mul(sites).ok_or(Refusal::LargeItem)?;
    let (found, expected) = (array.values.len() as u64, expected / precision.bytes() as u64);
    if found != expected {
        return Err(Refusal::Length { found, expected }.into());
    }
    Ok(planned)
}

/// Writes arrays as one LIME file, reads it back, and only then gives it its name.
///
/// ```
/// use linkstream::ildg::GaugeKind;
/// use linkstream::lattice::Extents;
/// use linkstream_access::write::{NewField, Wish, write_fields};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("unit.lime");
/// // The unit field of SU(3) on a lattice of 2x2x2x2 sites: 4 links of 3 x 3 complex numbers at each.
/// let one = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0_f64];
/// let links = one.repeat(16 * 4);
/// let wish = Wish { lfn: Some("lfn://example/unit".to_owned()), ..Wish::default() };
/// let field = NewField::links(&links[..], GaugeKind::SU3);
/// let mut warnings = Vec::new();
/// write_fields(&path, false, &Extents::new(&[2, 2, 2, 2])?, &[field], &wish, &mut warnings)?;
/// assert!(warnings.is_empty() && path.exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The arrays cannot be written as wished, or the file cannot be created, written or read back. No file of that name
/// appears then, and one that exists remains as it is.
pub fn write_fields(
    out: &Path,
    replace: bool,
    lattice: &Extents,
    arrays: &[NewField<'_>],
    wish: &Wish,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    let plan = FieldsPlan::new(lattice, arrays, wish)?;
    let mut file = AtomicFile::create(out, replace, &Incomplete::default())?;
    let mut scratch = [0; SCRATCH];
    let sums = plan.write_to(&mut FileSink::new(&mut file, &mut scratch), observer)?;
    read_back(&mut file, &sums, true, observer)?;
    Ok(file.keep()?)
}

/// Writes arrays as a file set called `name`, reads it back, and only then gives the volumes their names. Each
/// volume takes an open file.
///
/// # Errors
/// Errors of [`write_fields`], or the lattice cannot be divided so.
pub fn write_fields_as_set(
    name: &Path,
    replace: bool,
    form: &SetForm,
    lattice: &Extents,
    arrays: &[NewField<'_>],
    wish: &Wish,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    let plan = FieldsPlan::new(lattice, arrays, wish)?;
    let mut new = NewSet::new(name.to_owned(), form.layout.clone(), replace, Incomplete::default());
    let mut sink = SetSink::new(form, &mut new);
    let sums = plan.write_to(&mut sink, observer)?;
    let volumes = sink.into_volumes()?;
    read_volumes_back(&volumes, &sums, observer)?;
    new.keep(volumes)
}

/// Reads new volumes as the single file with the same fields, as [`read_back`] reads a file.
fn read_volumes_back(
    volumes: &[NewVolume],
    sums: &[Checksum],
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    let source = |volume: &NewVolume| {
        let file = std::fs::File::from(volume.file.file().try_clone()?);
        let name = volume.file.path().display().to_string();
        let source: SharedSource<'_, io::Error> = Arc::new(FileSource::from(file));
        Ok(VolumeSource { name, number: Some(volume.number), source })
    };
    let sources: Vec<_> = volumes.iter().map(source).collect::<io::Result<_>>().map_err(Error::Output)?;
    let mut set = SetAsFile::open(&sources).map_err(|error| Error::ReadBack(error.to_string()))?;
    read_back(&mut set, sums, true, observer)
}

/// Writes the links of SU(3) in an array as a NERSC archive in the precision of the array, reads it back, and only then
/// gives it its name. A temporary file holds a copy of the links meanwhile.
///
/// # Errors
/// The array does not hold all rows of four links of SU(3) at each site, its links are not unitary, or a file cannot be
/// created, written or read back.
pub fn write_field_as_archive(
    out: &Path,
    replace: bool,
    form: ArchiveForm,
    lattice: &Extents,
    array: &NewField<'_>,
    texts: &ArchiveTexts,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    let wish = Wish { target: Some(Target::Scidac), ..Wish::default() };
    let plan = FieldsPlan::new(lattice, std::slice::from_ref(array), &wish)?;
    let mut file = AtomicFile::create(out, replace, &Incomplete::default())?;
    let mut links = File::from(tempfile::tempfile().map_err(Error::Temporary)?);
    let mut scratch = [0; SCRATCH];
    let staged = plan.write_to(&mut FileSink::new(&mut links, &mut scratch), observer);
    staged.map_err(|error| match error {
        Error::Output(error) => Error::Temporary(error),
        other => other,
    })?;
    write_archive(&mut links, form, texts, &mut file, observer)?;
    Ok(file.keep()?)
}
