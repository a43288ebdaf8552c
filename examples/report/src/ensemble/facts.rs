//! The part of a report on a file that a manifest keeps.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use linkstream::ildg;
use linkstream::inebin::HEADER_LEN;
use linkstream_access::archive::Shape;
use linkstream_access::findings::PACKING_DAMAGED;
use linkstream_access::packed::unpacked_name;

use super::entry::{Entry, Field, Recorded, Verdict};
use super::values;
use crate::archive::{self, json::agreed};
use crate::figures::Measured;
use crate::findings::Level;
use crate::identify::has_ending;
use crate::lime::json::{checked, region, sum};
use crate::lime::{self, FieldEntry};
use crate::report::{Body, Report};
use crate::verdict;

/// The XML value that is kept if no others are asked for.
pub const BETA: &str = "beta";
/// Maximum number of fields and of rules in an entry.
const MOST_FIELDS: usize = 1000;
const MOST_RULES: usize = 8;
/// Bytes at the beginning of each section of an scda file that are no data: type and user string.
const SECTION_HEAD: u64 = 64;

/// The ranges of a file that are data, in ascending order and disjoint. The other bytes are texts: headers, documents,
/// padding. The data need not have been read.
#[must_use]
pub fn data_ranges(report: &Report) -> Vec<Range<u64>> {
    let of_length = |at: u64, length: u64| at..at.saturating_add(length).min(report.bytes);
    let ranges: Vec<Range<u64>> = match &report.body {
        Body::Unknown => of_whole(0, report.bytes),
        Body::Lime(contents) => {
            let fields = contents.fields.iter().map(|entry| &entry.field.record);
            fields.map(|record| of_length(record.payload_offset(), record.length)).collect()
        }
        Body::Inebin(_) => of_whole(HEADER_LEN as u64, report.bytes),
        Body::Scda(contents) => {
            // A compressed section is two in the file.
            let heads = contents.sections.iter().flat_map(|entry| {
                [Some(entry.section.offset), entry.compressed.as_ref().map(|compressed| compressed.second)]
            });
            let heads = heads.flatten();
            let nexts = heads.clone().skip(1).chain([report.bytes]);
            heads.zip(nexts).map(|(head, next)| head.saturating_add(SECTION_HEAD)..next).collect()
        }
        Body::Nersc(contents) | Body::Milc(contents) | Body::OpenQcd(contents) => {
            let shapes = contents.shape.iter();
            shapes.map(|shape| of_length(shape.data_at, length_of(shape, report.bytes))).collect()
        }
    };
    let mut disjoint: Vec<Range<u64>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        let from = disjoint.last().map_or(range.start, |last| last.end.max(range.start));
        if from < range.end {
            disjoint.push(from..range.end);
        }
    }
    disjoint
}

/// True if the file is a volume of a file set. Its data have the offsets that they have in the single file with the same
/// fields.
#[must_use]
pub const fn is_of_set(report: &Report) -> bool {
    matches!(&report.body, Body::Lime(contents) if contents.set.is_some())
}

/// One range.
fn of_whole(from: u64, to: u64) -> Vec<Range<u64>> {
    std::iter::once(from..to).collect()
}

fn length_of(shape: &Shape, bytes: u64) -> u64 {
    shape.stored().data_length().unwrap_or_else(|| bytes.saturating_sub(shape.data_at))
}

/// The verdict on a file of a store. A file of no known format is not checked, unless it is named like one, or
/// empty.
#[must_use]
pub fn verdict(report: &Report, path: &Path) -> Verdict {
    match report.verdict() {
        _ if matches!(report.body, Body::Unknown) => {
            let name = path.file_name().unwrap_or_default().as_encoded_bytes();
            let is_packed = !report.packing.is_empty();
            let is_damaged = report.first_error().is_some_and(|error| PACKING_DAMAGED.contains(&error.rule));
            let is_named = has_ending(path) || is_packed && has_ending(&path.with_extension(""));
            let is_named = is_named || !is_packed && unpacked_name(path).is_some();
            let is_lost = is_damaged || is_named || report.bytes == 0 && !name.starts_with(b".");
            if is_lost { Verdict::Wrong } else { Verdict::Other }
        }
        verdict::Verdict::Ok => Verdict::Ok,
        verdict::Verdict::Unverified => Verdict::Unverified,
        verdict::Verdict::Wrong => Verdict::Wrong,
        verdict::Verdict::Unreadable => Verdict::Unreadable,
    }
}

/// The rules that a file breaks, as far as they are errors.
#[must_use]
pub fn rules(report: &Report) -> Vec<String> {
    let mut rules: Vec<String> = Vec::new();
    let errors = report.findings.as_slice().iter().filter(|finding| finding.severity == Level::Error);
    for error in errors {
        if rules.len() < MOST_RULES && !rules.iter().any(|rule| rule == error.rule) {
            rules.push(error.rule.to_owned());
        }
    }
    rules
}

/// Adds the part of a report that is kept. `paths` are the paths of the XML values that are kept.
pub fn add(report: &Report, verdict: Verdict, paths: &[String], entry: &mut Entry) {
    entry.verdict = verdict;
    entry.format = Some(report.body.format()).filter(|format| *format != "unknown").map(str::to_owned);
    if verdict != Verdict::Other {
        entry.rules = rules(report);
    }
    match &report.body {
        Body::Unknown | Body::Scda(_) => {}
        Body::Lime(contents) => of_lime(contents, paths, entry),
        Body::Inebin(contents) => {
            let header = contents.header.as_ref();
            entry.fields.extend(header.map(|header| Field {
                data_offset: HEADER_LEN as u64,
                data_bytes: report.bytes.saturating_sub(HEADER_LEN as u64),
                extents: vec![header.rows().into(), header.columns().into()],
                datatype: Some(char::from(header.matrix_type().letter()).to_string()),
                ..Field::default()
            }));
        }
        Body::Nersc(contents) | Body::Milc(contents) | Body::OpenQcd(contents) => {
            for (key, value) in &contents.header {
                values::add(key, value, &mut entry.header);
            }
            let header = &entry.header;
            let of_shape = |shape| of_archive(contents, shape, report.bytes, header);
            entry.fields.extend(contents.shape.iter().map(of_shape));
        }
    }
}

fn of_lime(contents: &lime::Contents, paths: &[String], entry: &mut Entry) {
    for record in &contents.records {
        let Some(text) = record.text.as_ref().filter(|text| !text.cut) else { continue };
        let text = text.shown();
        values::keys(&text, &mut entry.header);
        for path in paths {
            if !entry.xml.contains_key(path)
                && let Some(value) = values::by_path(&text, path)
            {
                entry.xml.insert(path.clone(), value);
            }
        }
    }
    let header = &entry.header;
    let fields = contents.fields.iter().take(MOST_FIELDS);
    entry.fields.extend(fields.map(|field| of_field(contents, field, header)));
}

fn of_field(contents: &lime::Contents, entry: &FieldEntry, header: &BTreeMap<String, String>) -> Field {
    let field = &entry.field;
    let update = contents.text_about(entry, ildg::UPDATE);
    let update = update.or_else(|| header.get("trajectory nr").or_else(|| header.get("trajectory")).cloned());
    let mut of = Field {
        data_offset: field.record.payload_offset(),
        data_bytes: field.record.length,
        region: Some(region(&field.region).to_owned()),
        extents: field.extents.as_slice().iter().map(|extent| u64::from(*extent)).collect(),
        precision: field.precision.map(linkstream::lattice::Precision::bits),
        datatype: entry.datatype.clone(),
        boundary: entry.open.as_ref().map(|open| {
            let open: Vec<&str> = open.iter().map(|direction| direction.letter()).collect();
            if open.is_empty() { "periodic".to_owned() } else { format!("open {}", open.join(" ")) }
        }),
        lfn: contents.text_about(entry, ildg::DATA_LFN),
        update,
        checksum: entry.verdict.as_ref().and_then(checked).map(str::to_owned),
        recorded: entry.recorded.iter().map(recorded).collect(),
        ..Field::default()
    };
    if let Some(sums) = entry.checksum {
        of.checksums = [("suma", sums.suma), ("sumb", sums.sumb)]
            .map(|(name, value)| (name.to_owned(), sum(value)))
            .into();
    }
    measured(entry.measured.as_ref(), &mut of);
    of
}

fn of_archive(
    contents: &archive::Contents,
    shape: &Shape,
    bytes: u64,
    header: &BTreeMap<String, String>,
) -> Field {
    let conditions: Vec<&str> =
        (1..=4).filter_map(|axis| header.get(&format!("BOUNDARY_{axis}")).map(String::as_str)).collect();
    let sums = contents.sums.iter().filter_map(|of| Some((of.name.to_owned(), sum(of.computed?))));
    let mut of = Field {
        data_offset: shape.data_at,
        data_bytes: length_of(shape, bytes),
        region: Some("lattice".to_owned()),
        extents: shape.extents.as_slice().iter().map(|extent| u64::from(*extent)).collect(),
        precision: Some(shape.precision.bits()),
        datatype: header.get("DATATYPE").cloned(),
        boundary: (!conditions.is_empty()).then(|| conditions.join(" ").to_lowercase()),
        update: header.get("SEQUENCE_NUMBER").cloned(),
        checksums: sums.collect(),
        checksum: contents.agreement.map(agreed).map(str::to_owned),
        recorded: contents.recorded.iter().map(recorded).collect(),
        ..Field::default()
    };
    measured(contents.measured.as_ref(), &mut of);
    of
}

fn measured(measured: Option<&Measured>, field: &mut Field) {
    let Some(measured) = measured else { return };
    let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
    field.group = measured.group.as_ref().map(ToString::to_string);
    field.plaquette = finite(measured.plaquette);
    field.spatial_plaquette = finite(measured.spatial);
    field.temporal_plaquette = finite(measured.temporal);
    field.link_trace = finite(Some(measured.link_trace));
    field.polyakov_loop = measured.polyakov_loop.filter(|parts| parts.iter().all(|part| part.is_finite()));
}

fn recorded(of: &lime::Recorded) -> Recorded {
    Recorded {
        quantity: of.note.quantity.key().to_owned(),
        recorded: of.note.text.clone(),
        agrees: of.agrees(),
    }
}
