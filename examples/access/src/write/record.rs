//! Writing of one data record: its documents, and the conversion of its numbers, rows and links.

use linkstream::field::LinkLayout;
use linkstream::ildg::{Format, GaugeKind, Group, MAX_RECONSTRUCTED_COLORS};
use linkstream::lattice::{Precision, Region};
use linkstream::scidac::{PrivateRecord, RecordData};
use linkstream_memory as memory;

use super::document::{
    Beside, NO_TEXT, NOT_SCIDAC_RECORD, Planned, letter, letter_in, private_record, set_date, with_letter,
};
use super::error::Error;
use super::fault::Fault;
use super::found::FoundField;
use super::input::Place;
use super::lfn::is_update;
use super::links::Shape;
use super::observer::{Observer, Warning};
use super::refusal::Refusal;
use super::user_text::add_notes;
use super::wish::{Target, Wish, unix_now};
use crate::links::links_of_kind;

/// Maximum size of a site whose rows or links change, since it is held in memory.
const MAX_SITE: u64 = 256 << 20;

/// The output for one data record.
#[derive(Debug)]
pub(super) struct Job {
    /// Index of the record in the file, from 0.
    pub index: usize,
    /// Place of the record, for messages.
    pub place: Place,
    pub planned: Planned,
    /// `None` if rows and links stay unchanged.
    pub shape: Option<Shape>,
    pub from: Option<Precision>,
    pub to: Option<Precision>,
    pub absent_is_ones: bool,
    /// The caller has verified the data, perhaps by another sum than the one of SciDAC.
    pub is_verified: bool,
    /// The layout of the links, if only the caller knows that they are links.
    pub declared: Option<LinkLayout>,
}

/// The output for `found`.
pub(super) fn job(
    index: usize,
    found: &FoundField,
    wish: &Wish,
    observer: &mut dyn Observer,
) -> Result<Job, Error> {
    let wants_format = match wish.target {
        Some(Target::Ildg) => true,
        Some(Target::Both) => found.is_gauge_field_as(wish.kind),
        Some(Target::Scidac) => false,
        None => found.format.is_some(),
    };
    let wants_record = match wish.target {
        Some(Target::Ildg) => false,
        Some(_) => true,
        None => found.record.is_some() || wish.as_set,
    };
    let from = found.field.precision;
    let to = from.and_then(|from| wish.precision.or(Some(from)));
    if wish.precision.is_some() && from.is_none() {
        observer.warn(Warning::NotNumbers(found.place.clone()));
    }
    let place = found.place.clone();
    let declared = wish.kind.and_then(|kind| links_of_kind(&found.field, kind));
    let planned = Planned::default();
    let (absent_is_ones, is_verified) = (false, false);
    let mut job = Job { index, place, planned, shape: None, from, to, absent_is_ones, is_verified, declared };
    job.planned.checksum = wish.checksum || found.checksum || wants_record;
    let links = found.field.links.filter(|_| found.is_gauge_field()).or(declared);
    let (Some(links), Some(to)) = (links, to) else {
        if wants_format || wish.rows.is_some() && wish.field.is_some() {
            return Err(Refusal::NoGaugeField.into());
        }
        let precisions = from.zip(to);
        job.planned.scidac = Some(other_record(found, wish, precisions)?);
        if let (Some((from, _)), Some(own)) = (precisions, &found.record)
            && numbers_in_item(own, from).is_err()
        {
            // The data are copied without conversion, because their type is unknown.
            (job.from, job.to) = (None, None);
        }
        return Ok(job);
    };
    let kind = kind(found, &links, wish.kind)?;
    job.absent_is_ones = links.absent_is_ones;
    let rows = match wish.rows {
        Some(rows) => rows.of(kind)?,
        // SciDAC documents describe complete matrices only.
        None if !wants_format => kind.colors(),
        None => u16::try_from(links.rows).map_err(|_| Refusal::RowsOfKind)?,
    };
    let reduced = rows != kind.colors();
    if reduced && !wants_format {
        return Err(Refusal::RowsUnrecorded.into());
    }
    let mut count = links.links;
    if wants_format {
        let (format, links) = format(found, wish, kind, to, rows, wants_record, count)?;
        count = links;
        job.planned.format = Some(format);
        job.planned.update = wish.update.clone().or(found.update.clone());
        if let Some(text) = job.planned.update.clone().filter(|text| !is_update(text)) {
            return Err(Fault::Update { text }.into());
        }
    } else if wish.update.is_some() {
        return Err(Refusal::UpdateWithoutFormat.into());
    } else if let Some(update) = found.update.as_ref().filter(|_| !wish.keeps_update) {
        observer.warn(Warning::UpdateLeftOut(update.clone()));
    }
    if wants_record {
        job.planned.scidac = Some(gauge_record(found, wish, kind, to, rows.into(), count)?);
    }
    job.shape = shape(found, wish, kind, &links, rows.into(), count)?;
    if job.shape.is_some() && count < links.links {
        observer.warn(Warning::LinksLeftOut);
    }
    Ok(job)
}

/// The kind of gauge field: from the file, otherwise from the caller, otherwise SU(N).
fn kind(found: &FoundField, links: &LinkLayout, wished: Option<GaugeKind>) -> Result<GaugeKind, Refusal> {
    let described = found.format.as_ref().map(Format::kind);
    if let (Some(described), Some(wished)) = (described, wished.filter(|wished| described != Some(*wished))) {
        return Err(Refusal::KindDiffers { described, wished });
    }
    let group = if links.columns > 1 { "su" } else { "u" };
    let usual = || GaugeKind::parse(format!("{group}{}gauge", links.columns).as_bytes());
    let kind = described.or(wished).or_else(usual).ok_or(Refusal::NoKind)?;
    let parts = if kind.is_real() { 1 } else { 2 };
    if (u32::from(kind.colors()), parts) != (links.columns, links.parts) {
        return Err(Refusal::OtherMatrices { columns: links.columns, kind });
    }
    Ok(kind)
}

/// The `ildg-format`, and the number of links at a site that it implies.
fn format(
    found: &FoundField,
    wish: &Wish,
    kind: GaugeKind,
    precision: Precision,
    rows: u16,
    beside_scidac: bool,
    links: u32,
) -> Result<(Format, u32), Refusal> {
    let extents = <[u32; 4]>::try_from(found.field.extents.as_slice());
    let extents = extents.map_err(|_| Refusal::Dimensions(found.field.extents))?;
    // QIO supports only version 1.0, which has a link in every direction.
    let kept = found.format.as_ref().is_none_or(|format| format.version() != "1.2");
    let foreign = wish.as_set && found.record.is_none();
    let as_qio = wish.target == Some(Target::Both) || foreign || kept;
    let mut format = Format::new(kind, precision, extents);
    let fewer = u32::from(format.links_per_site()) < links;
    // Links are dropped only if the caller has requested a form.
    let keeps_links = wish.target.is_none() && fewer;
    let older = beside_scidac && as_qio && !wish.newest || keeps_links;
    if older && rows == kind.colors() && links == 4 {
        return Ok((Format::version_1_0(kind, precision, extents), links));
    }
    if keeps_links {
        return Err(Refusal::RowsOrLinks);
    }
    if rows != kind.colors() {
        format = format.with_rows(rows).ok_or(Refusal::RowsOfKind)?;
    }
    let links = u32::from(format.links_per_site());
    Ok((format, links))
}

/// The private record XML of a gauge field: the document of the source, with the values that change replaced.
fn gauge_record(
    found: &FoundField,
    wish: &Wish,
    kind: GaugeKind,
    precision: Precision,
    rows: u32,
    links: u32,
) -> Result<Beside, Error> {
    let mut record = private_record(kind, precision, rows, links, &date(found, wish))?;
    // A record of other data does not describe the links.
    let own = found.record.as_ref().filter(|_| found.is_gauge_field());
    if let Some(own) = own {
        let datatype = with_letter(&own.datatype, precision).as_str().try_into().unwrap_or_default();
        let data = RecordData { datatype, colors: own.colors, spins: own.spins, ..*record.data() };
        let date = record.date;
        record = blank(own, &Region::Lattice).with_data(data).map_err(Refusal::from)?;
        record.date = date;
    }
    Ok(Beside { record, text: record_xml(found, wish) })
}

/// An empty record of the same version as the source: version 1.0, which QIO wrote until 2007, has no hypercubes.
fn blank(own: &PrivateRecord, region: &Region) -> PrivateRecord {
    match region {
        Region::Lattice | Region::Global if own.version() == "1.0" => {
            PrivateRecord::version_1_0(*region == Region::Global)
        }
        _ => PrivateRecord::new(region),
    }
}

/// The private record XML of other data. Only the precision can change in it.
fn other_record(
    found: &FoundField,
    wish: &Wish,
    precision: Option<(Precision, Precision)>,
) -> Result<Beside, Error> {
    let own = found.record.as_ref().ok_or(Refusal::Undescribed)?;
    let data = match precision {
        Some((from, to)) => data_in(own, from, to)?,
        None => *own.data(),
    };
    let mut record = blank(own, &found.field.region).with_data(data).map_err(Refusal::from)?;
    set_date(&mut record, &date(found, wish))?;
    Ok(Beside { record, text: record_xml(found, wish) })
}

/// The data description of a record whose numbers change from one precision to another.
pub(super) fn data_in(own: &PrivateRecord, from: Precision, to: Precision) -> Result<RecordData, Error> {
    let mut data = *own.data();
    if from != to {
        let size = numbers_in_item(own, from)?.checked_mul(to.size() as u32);
        data.typesize = size.ok_or(Refusal::LargeItem)?;
        data.datatype = with_letter(&own.datatype, to).as_str().try_into().unwrap_or_default();
        data.precision = letter(to).try_into().unwrap_or_default();
    }
    Ok(data)
}

/// Number of numbers of this precision in an item.
fn numbers_in_item(own: &PrivateRecord, precision: Precision) -> Result<u32, Error> {
    // With a wrong precision, the conversion would take two halves of a number, or two numbers, for one.
    if letter_in(&own.datatype).is_some_and(|letter| letter != precision) {
        let (datatype, precision) = (own.datatype.as_str().to_owned(), letter(precision));
        return Err(Fault::PrecisionsDiffer { datatype, precision }.into());
    }
    let size = precision.size() as u32;
    if !own.typesize.is_multiple_of(size) {
        return Err(Refusal::Item { size: own.typesize, precision }.into());
    }
    own.typesize.checked_div(size).ok_or_else(|| Refusal::LargeItem.into())
}

fn date(found: &FoundField, wish: &Wish) -> String {
    let own = found.record.as_ref().map(|record| record.date.as_str().to_owned());
    wish.date.clone().or(own.filter(|date| !date.is_empty())).unwrap_or_else(unix_now)
}

/// The text about the record. The notes in a text that the caller replaces stay with the data.
fn record_xml(found: &FoundField, wish: &Wish) -> Vec<u8> {
    let none = if wish.as_set { NOT_SCIDAC_RECORD } else { NO_TEXT };
    let own = found.record_xml.as_deref();
    let Some(given) = &wish.record_xml else {
        return memory::unwinding::copied(own.unwrap_or(none.as_bytes()));
    };
    let mut text = memory::unwinding::copied(given.as_bytes());
    add_notes(&mut text, own.unwrap_or_default());
    text
}

/// The conversion of the links; `None` if they stay unchanged.
fn shape(
    found: &FoundField,
    wish: &Wish,
    kind: GaugeKind,
    from: &LinkLayout,
    rows: u32,
    links: u32,
) -> Result<Option<Shape>, Refusal> {
    if (rows, links) == (from.rows, from.links) {
        return Ok(None);
    }
    let computed = matches!(kind.group(), Group::Su | Group::So) && rows != from.rows;
    if computed && kind.colors() > MAX_RECONSTRUCTED_COLORS {
        return Err(Refusal::RowsTooCostly { kind, most: MAX_RECONSTRUCTED_COLORS });
    }
    if found.field.bytes_per_site > MAX_SITE {
        return Err(Refusal::LargeSite { size: found.field.bytes_per_site, most: MAX_SITE });
    }
    let extents = found.field.extents;
    let names = ['x', 'y', 'z', 't'].into_iter().zip(extents.as_slice());
    let is_stored = |extent: u32| from.links == 4 || extent > 1;
    let stored = names.filter(|(_, extent)| is_stored(**extent)).enumerate();
    let is_kept = |extent: u32| links == from.links || extent > 1;
    let kept = stored.filter(|(_, (_, extent))| is_kept(**extent));
    let kept: Vec<_> = kept.map(|(mu, (name, _))| (mu, name)).collect();
    if kept.len() != links as usize {
        return Err(Refusal::Links { extents, from: from.links, to: links });
    }
    let usual = match from.precision {
        Precision::F32 => 1e-6,
        Precision::F64 => 1e-12,
    };
    let tolerance = wish.tolerance.unwrap_or(usual);
    Ok(Some(Shape { kind, from: *from, rows, links: kept, tolerance }))
}
