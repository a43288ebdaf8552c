//! Fields in memory, for programs that have numbers in arrays.

use linkstream::field::Field as Layout;
use linkstream::ildg::{Format, GaugeKind};
use linkstream::lattice::{Checksum, Extents, Precision, Region};
use linkstream::scidac::{PrivateFile, PrivateRecord};
use linkstream_memory as memory;

use super::document::{Beside, NO_TEXT, Planned, named_letter, precision_of, private_record, set_date};
use super::error::Error;
use super::fault::Fault;
use super::lattice_info::{lattice_links, unfilled};
use super::lfn::{check_new_lfn, is_update};
use super::numbers::Numbers;
use super::observer::{Observer, Warning};
use super::provenance::note_in;
use super::record::data_in;
use super::refusal::Refusal;
use super::sink::FieldSink;
use super::unitarity::{Unitarity, links_layout};
use super::user_text::notes;
use super::values::Values;
use super::wish::{Rows, Target, Wish, unix_now};

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
    /// Notes about the numbers in the file that they come from ([`notes`](super::notes)), which stay with them.
    pub notes: Vec<String>,
}

impl<'a> NewField<'a> {
    /// The links of a gauge field, with all rows.
    #[must_use]
    pub fn links(values: impl Into<Values<'a>>, kind: GaugeKind) -> Self {
        let content = Content::Links { kind, rows: Rows::Full };
        Self { values: values.into(), content, record_xml: None, update: None, notes: Vec::new() }
    }

    /// Data that a SciDAC record describes.
    #[must_use]
    pub fn described(values: impl Into<Values<'a>>, record: PrivateRecord) -> Self {
        let content = Content::Record(Box::new(record));
        Self { values: values.into(), content, record_xml: None, update: None, notes: Vec::new() }
    }
}

/// Number of links at a site before ILDG 1.2, even if an extent is 1.
const LINKS_1_0: u32 = 4;

/// The documents of a gauge field whose links have these properties. A [`Wish`] without `target` means
/// [`Target::Both`]. If the wish has a title or asks for observables, the links must pass a
/// [`Measuring`](super::Measuring), whose texts replace the incomplete one.
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
    let links = if format.version() == "1.0" { LINKS_1_0 } else { format.links_per_site().into() };
    let (mut scidac, mut is_unfilled) = (None, false);
    if target != Target::Ildg {
        let date = wish.date.clone().unwrap_or_else(unix_now);
        let record = private_record(kind, precision, rows.into(), links, &date)?;
        let lattice = Extents::new(&extents).ok();
        let is_lattice = lattice.is_some_and(|lattice| lattice_links(&record, &lattice).is_some());
        is_unfilled = is_lattice && wish.record_xml.is_none() && (wish.observables || wish.title.is_some());
        let text = if is_unfilled {
            unfilled(wish.title.as_deref().unwrap_or_default())?
        } else {
            memory::unwinding::copied(wish.record_xml.as_deref().unwrap_or(NO_TEXT).as_bytes())
        };
        scidac = Some(Beside { record, text });
    }
    if wish.title.is_some() && !is_unfilled {
        return Err(Refusal::TitleWithoutLattice);
    }
    let checksum = wish.checksum || scidac.is_some();
    if target == Target::Scidac {
        if !is_full {
            return Err(Refusal::RowsUnrecorded);
        }
        return Ok(Planned { scidac, checksum, is_unfilled, ..Planned::default() });
    }
    let (update, lfn) = (wish.update.clone(), wish.lfn.clone());
    Ok(Planned { scidac, format: Some(format), update, lfn, checksum, is_unfilled })
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
    /// The layout of links, which should be unitary, and their kind.
    links: Option<(Layout, GaugeKind)>,
}

impl NewRecord<'_> {
    /// Measures the links while they are written; `None` for other data.
    fn unitarity(&self) -> Option<Unitarity> {
        let (layout, kind) = self.links.as_ref()?;
        Unitarity::of(layout, Some(*kind))
    }
}

impl<'a> FieldsPlan<'a> {
    /// Decides how arrays on one lattice are written: one data record for each, in this order. Of the `wish`, `field`,
    /// `one`, `rows`, `kind`, `tolerance` and `as_set` have no effect: they are about files. (Functions that write complete
    /// files make rows and tolerance effective.)
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
            let mut planned = planned(lattice, array, &wish)?;
            if let Some(beside) = &mut planned.scidac {
                let there = notes(&beside.text);
                let missing = array.notes.iter().filter(|note| !there.contains(note));
                missing.for_each(|note| note_in(&mut beside.text, note));
            }
            let links = match array.content {
                Content::Links { kind, rows } => {
                    links_layout(&planned, lattice, kind, rows.of(kind)?).map(|layout| (layout, kind))
                }
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
            (PrivateFile::new(lattice), memory::unwinding::copied(text.as_bytes()))
        });
        Ok(Self { file, records })
    }

    /// The documents of each data record.
    pub fn records(&self) -> impl ExactSizeIterator<Item = &Planned> {
        self.records.iter().map(|record| &record.planned)
    }

    /// Writes the documents and the numbers. Returns the checksum of each data record, even if the output has none.
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
            let mut phase = observer.phase((values.len() as u64).saturating_mul(to.size() as u64));
            let mut done = 0_u64;
            values.pieces(&mut |piece| {
                let written = numbers.feed(piece)?;
                if let Some(unitarity) = &mut unitarity {
                    unitarity.feed(written);
                }
                sink.data(written)?;
                done = done.saturating_add(written.len() as u64);
                phase.reached(done).map_err(Error::Output)
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
            let datatype = record.data().datatype.as_str();
            if let Some(named) = named_letter(datatype).filter(|named| *named != letter.as_str()) {
                let (datatype, letter) = (datatype.to_owned(), letter.as_str().to_owned());
                return Err(Refusal::OtherNumbers { datatype, named, letter }.into());
            }
            let data = data_in(record, from, precision)?;
            let mut record = record.with_data(data).map_err(Refusal::from)?;
            set_date(&mut record, &wish.date.clone().unwrap_or_else(unix_now))?;
            let text = wish.record_xml.as_deref().unwrap_or(NO_TEXT);
            let text = memory::unwinding::copied(text.as_bytes());
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
        check_new_lfn(name)?;
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
    let (found, expected) =
        (array.values.len() as u64, expected.checked_div(precision.size() as u64).unwrap_or(0));
    if found != expected {
        if let Content::Links { kind, .. } = array.content
            && let Some((links, of_site)) = links_of_site(&planned, lattice, kind, found)
        {
            return Err(Refusal::LinksOfSite { found: links, expected: of_site }.into());
        }
        return Err(Refusal::Length { found, expected }.into());
    }
    Ok(planned)
}

/// Number of links at each site in an array of so many numbers, and in the planned file; `None` if the numbers are no
/// whole links.
fn links_of_site(planned: &Planned, lattice: &Extents, kind: GaugeKind, numbers: u64) -> Option<(u64, u64)> {
    let parts = if kind.is_real() { 1 } else { 2 };
    let rows = planned.format.as_ref().map_or(kind.colors(), Format::rows);
    let of_link = u64::from(rows).checked_mul(kind.colors().into())?.checked_mul(parts)?;
    let of_site = planned.bytes_per_site().checked_div(planned.precision()?.size() as u64)?;
    let all_links = lattice.sites().checked_mul(of_link)?;
    let links = numbers.checked_div(all_links).filter(|_| numbers.is_multiple_of(all_links))?;
    Some((links, of_site.checked_div(of_link)?))
}
