//! How one data record is written: its documents, and the conversion of its numbers, rows and links.

use anyhow::Context as _;
use linkstream::field::LinkLayout;
use linkstream::ildg::{Format, GaugeKind, Group, MAX_RECONSTRUCTED_COLORS};
use linkstream::lattice::{Precision, Region};
use linkstream::scidac::{PrivateRecord, RecordData};

use super::document::{
    Beside, NO_TEXT, NOT_SCIDAC_RECORD, Planned, letter, letter_in, private_record, set_date, with_letter,
};
use super::fault::Fault;
use super::found::FoundField;
use super::messages::warn;
use super::names::is_update;
use super::shape::Shape;
use super::wish::{Target, Wish, unix_now};
use crate::failure::failed;
use crate::human::{bytes, one_line};
use crate::source::Place;

/// Maximum size of a site whose rows or links change, since it is held in memory.
const MAX_SITE: u64 = 256 << 20;

/// The output for one data record.
#[derive(Debug)]
pub struct Job {
    /// Index of the record in the file, from 0.
    pub index: usize,
    /// Where the record is, for messages.
    pub place: Place,
    pub planned: Planned,
    /// `None` if rows and links stay unchanged.
    pub shape: Option<Shape>,
    pub from: Option<Precision>,
    pub to: Option<Precision>,
    pub absent_is_ones: bool,
}

/// The output for `found`.
pub fn job(index: usize, found: &FoundField, wish: &Wish) -> anyhow::Result<Job> {
    let wants_format = match wish.target {
        Some(Target::Ildg) => true,
        Some(Target::Both) => found.is_gauge_field(),
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
        warn(&format!(
            "the data record at {} is not of single or double precision and is copied unchanged",
            found.place
        ));
    }
    let place = found.place.clone();
    let mut job =
        Job { index, place, planned: Planned::default(), shape: None, from, to, absent_is_ones: false };
    job.planned.checksum = wish.checksum || found.checksum || wants_record;
    let links = found.field.links.filter(|_| found.is_gauge_field());
    let (Some(links), Some(to)) = (links, to) else {
        if wants_format || wish.rows.is_some() && wish.field.is_some() {
            anyhow::bail!("it is not a gauge field");
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
        None => u16::try_from(links.rows)?,
    };
    let reduced = rows != kind.colors();
    if reduced && !wants_format {
        anyhow::bail!("a SciDAC file without ildg-format cannot record that rows are omitted; use --to both");
    }
    let mut count = links.links;
    if wants_format {
        let (format, links) = format(found, wish, kind, to, rows, wants_record, count)?;
        count = links;
        job.planned.format = Some(format);
        job.planned.update = wish.update.clone().or(found.update.clone());
        if let Some(text) = job.planned.update.clone().filter(|text| !is_update(text)) {
            return Err(failed(Fault::Update { text }));
        }
    } else if wish.update.is_some() {
        anyhow::bail!("an update number requires an ildg-format");
    } else if let Some(update) = &found.update {
        warn(&format!("the update number {} is left out: only ILDG files have one", one_line(update)));
    }
    if wants_record {
        job.planned.scidac = Some(gauge_record(found, wish, kind, to, rows.into(), count)?);
    }
    job.shape = shape(found, wish, kind, &links, rows.into(), count)?;
    Ok(job)
}

/// The kind of gauge field: from the file, otherwise from the caller, otherwise SU(N).
fn kind(found: &FoundField, links: &LinkLayout, wished: Option<GaugeKind>) -> anyhow::Result<GaugeKind> {
    let described = found.format.as_ref().map(Format::kind);
    if let (Some(described), Some(wished)) = (described, wished.filter(|wished| described != Some(*wished))) {
        anyhow::bail!("the file says that the field is {described}, not {wished}");
    }
    let group = if links.columns > 1 { "su" } else { "u" };
    let usual = || GaugeKind::parse(format!("{group}{}gauge", links.columns).as_bytes());
    let kind = described
        .or(wished)
        .or_else(usual)
        .context("there is no kind of gauge field with this number of colors")?;
    let parts = if kind.is_real() { 1 } else { 2 };
    if (u32::from(kind.colors()), parts) != (links.columns, links.parts) {
        anyhow::bail!("its matrices of {0} x {0} complex numbers are not {kind}", links.columns);
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
) -> anyhow::Result<(Format, u32)> {
    let extents = <[u32; 4]>::try_from(found.field.extents.as_slice());
    let extents = extents.map_err(|_| {
        anyhow::anyhow!("an ildg-format has four extents, but the lattice is {}", found.field.extents)
    })?;
    // QIO supports only version 1.0, which has a link in every direction.
    let kept = found.format.as_ref().is_none_or(|format| format.version() != "1.2");
    let foreign = wish.as_set && found.record.is_none();
    let as_qio = wish.target == Some(Target::Both) || foreign || kept;
    let mut format = Format::new(kind, precision, extents);
    let fewer = u32::from(format.links()) < links;
    // Links are dropped only if the caller has requested a form.
    let keeps_links = wish.target.is_none() && fewer;
    let older = beside_scidac && as_qio && !wish.newest || keeps_links;
    if older && rows == kind.colors() && links == 4 {
        return Ok((Format::version_1_0(kind, precision, extents), links));
    }
    if keeps_links {
        anyhow::bail!(
            "only ILDG 1.2 can leave rows out, and it has no links in directions with a single site, which this \
             file has; --to ildg leaves them out, too"
        );
    }
    if rows != kind.colors() {
        format =
            format.with_rows(rows).context("links of this kind cannot be stored with this number of rows")?;
    }
    let links = u32::from(format.links());
    Ok((format, links))
}

/// The private record XML of a gauge field: that of the source, with the values that change replaced.
fn gauge_record(
    found: &FoundField,
    wish: &Wish,
    kind: GaugeKind,
    precision: Precision,
    rows: u32,
    links: u32,
) -> anyhow::Result<Beside> {
    let mut record = private_record(kind, precision, rows, links, &date(found, wish))?;
    if let Some(own) = &found.record {
        let datatype = with_letter(&own.datatype, precision).as_str().try_into().unwrap_or_default();
        let data = RecordData { datatype, colors: own.colors, spins: own.spins, ..*record.data() };
        let date = record.date;
        record = blank(own, &Region::Lattice).with_data(data)?;
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

/// The private record XML of other data, in which only the precision can change.
fn other_record(
    found: &FoundField,
    wish: &Wish,
    precision: Option<(Precision, Precision)>,
) -> anyhow::Result<Beside> {
    let own = found.record.as_ref().context("it is not a gauge field, and no SciDAC record describes it")?;
    let mut data = *own.data();
    if let Some((from, to)) = precision.filter(|(from, to)| from != to) {
        let size = numbers_in_item(own, from)?.checked_mul(to.bytes() as u32);
        data.typesize = size.context("its items would be larger than a SciDAC record can describe")?;
        data.datatype = with_letter(&own.datatype, to).as_str().try_into().unwrap_or_default();
        data.precision = letter(to).try_into().unwrap_or_default();
    }
    let mut record = blank(own, &found.field.region).with_data(data)?;
    set_date(&mut record, &date(found, wish))?;
    Ok(Beside { record, text: record_xml(found, wish) })
}

/// Number of numbers of this precision in an item.
fn numbers_in_item(own: &PrivateRecord, precision: Precision) -> anyhow::Result<u32> {
    // With a wrong precision, the conversion would take two halves of a number, or two numbers, for one.
    if letter_in(&own.datatype).is_some_and(|letter| letter != precision) {
        let (datatype, precision) = (own.datatype.as_str().to_owned(), letter(precision));
        return Err(failed(Fault::PrecisionsDiffer { datatype, precision }));
    }
    let size = precision.bytes() as u32;
    if !own.typesize.is_multiple_of(size) {
        anyhow::bail!("its items of {} do not consist of numbers of {} bits", own.typesize, precision.bits());
    }
    Ok(own.typesize / size)
}

fn date(found: &FoundField, wish: &Wish) -> String {
    let own = found.record.as_ref().map(|record| record.date.as_str().to_owned());
    wish.date.clone().or(own.filter(|date| !date.is_empty())).unwrap_or_else(unix_now)
}

fn record_xml(found: &FoundField, wish: &Wish) -> Vec<u8> {
    let given = wish.record_xml.as_ref().map(|text| text.clone().into_bytes());
    let none = if wish.as_set { NOT_SCIDAC_RECORD } else { NO_TEXT };
    given.or(found.record_xml.clone()).unwrap_or(none.as_bytes().to_vec())
}

/// The conversion of the links; `None` if they stay unchanged.
fn shape(
    found: &FoundField,
    wish: &Wish,
    kind: GaugeKind,
    from: &LinkLayout,
    rows: u32,
    links: u32,
) -> anyhow::Result<Option<Shape>> {
    if (rows, links) == (from.rows, from.links) {
        return Ok(None);
    }
    let computed = matches!(kind.group(), Group::Su | Group::So) && rows != from.rows;
    if computed && kind.colors() > MAX_RECONSTRUCTED_COLORS {
        anyhow::bail!(
            "rows of {kind} take too long to compute: {MAX_RECONSTRUCTED_COLORS} colors can be done"
        );
    }
    if found.field.bytes_per_site > MAX_SITE {
        let (size, most) = (bytes(found.field.bytes_per_site), bytes(MAX_SITE));
        anyhow::bail!("a site has {size}; rows and links can be changed in at most {most}");
    }
    let extents = found.field.extents;
    let names = ['x', 'y', 'z', 't'].into_iter().zip(extents.as_slice());
    let is_stored = |extent: u32| from.links == 4 || extent > 1;
    let stored = names.filter(|(_, extent)| is_stored(**extent)).enumerate();
    let is_kept = |extent: u32| links == from.links || extent > 1;
    let kept = stored.filter(|(_, (_, extent))| is_kept(**extent));
    let kept: Vec<_> = kept.map(|(mu, (name, _))| (mu, name)).collect();
    if kept.len() != links as usize {
        anyhow::bail!("the {} links of a site of {extents} cannot be converted to {links}", from.links);
    }
    if links < from.links {
        warn(&"links in directions with a single site are left out: ILDG 1.2 has none there");
    }
    let usual = match from.precision {
        Precision::F32 => 1e-6,
        Precision::F64 => 1e-12,
    };
    let tolerance = wish.tolerance.unwrap_or(usual);
    Ok(Some(Shape { kind, from: *from, rows, links: kept, tolerance }))
}
