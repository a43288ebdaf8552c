//! A LIME file in JSON.

use linkstream::field::{Source, Verdict};
use linkstream::ildg;
use linkstream::lattice::Region;
use linkstream::lime::Record;
use linkstream::scidac::RecordType;
use linkstream::usqcd::{FileType, Role};
use serde::ser::SerializeMap;
use serde_json::{Map, Value, json};

use super::contents::{Contents, FieldEntry, RecordEntry};
use super::recorded::{Computed, Recorded};
use super::texts::Text;
use super::usqcd::{Format, Usqcd, time};
use crate::figures::Measured;
use crate::json::{Each, hex};

/// Writes the entries of the line that only this format has.
pub fn entries<M: SerializeMap>(contents: &Contents, line: &mut M) -> Result<(), M::Error> {
    line.serialize_entry(
        "records",
        &Each(&contents.records, |entry: &RecordEntry| {
            let mut object = record(&entry.record, &entry.record_type);
            object.insert("text".to_owned(), entry.text.as_ref().map(Text::shown).into());
            if entry.text.as_ref().is_some_and(|text| text.cut) {
                object.insert("text_cut".to_owned(), true.into());
            }
            object.into()
        }),
    )?;
    line.serialize_entry("fields", &Each(&contents.fields, |entry: &FieldEntry| field(contents, entry)))?;
    match &contents.usqcd {
        Some(usqcd) => line.serialize_entry("usqcd", &usqcd_format(usqcd, &contents.fields)),
        None => Ok(()),
    }
}

/// The USQCD format, and the data records that its documents describe.
fn usqcd_format(usqcd: &Usqcd, fields: &[FieldEntry]) -> Value {
    let format = match usqcd.format {
        Format::Lattice => Some("lattice"),
        Format::Propagator(file_type) => file_type.map(FileType::as_str),
    };
    let entries = usqcd.entries.iter().filter_map(|entry| {
        let field = fields.get(entry.field)?;
        Some(json!({
            "offset": field.field.record.offset,
            "role": entry.role.map(Role::as_str),
            "spin": entry.label.spin,
            "color": entry.label.color,
            "time": time(&field.field),
            "datatype": field.datatype,
        }))
    });
    json!({ "format": format, "version": usqcd.version, "entries": entries.collect::<Value>() })
}

/// An entry of `records`, without the text.
pub fn record(record: &Record, record_type: &[u8]) -> Map<String, Value> {
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    put("offset", record.offset.into());
    put("message", record.message.into());
    put("record", record.number.into());
    put("type", String::from_utf8_lossy(record_type).into());
    if std::str::from_utf8(record_type).is_err() {
        put("type_hex", hex(record_type).into());
    }
    put("length", record.length.into());
    put("mb", record.begin.into());
    put("me", record.end.into());
    object
}

fn field(contents: &Contents, entry: &FieldEntry) -> Value {
    let field = &entry.field;
    let mut object = Map::new();
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    put("offset", field.record.offset.into());
    put("kind", kind(&field.region).into());
    put("source", source(field.source).into());
    put("dims", field.extents.as_slice().into());
    if let Region::Hypercube(cube) = &field.region {
        put("lower", cube.lower().as_slice().into());
        put("upper", cube.upper().as_slice().into());
    }
    if let Some(datatype) = &entry.datatype {
        put("datatype", datatype.as_str().into());
    }
    put("precision", field.precision.map(linkstream::lattice::Precision::bits).into());
    put("bytes_per_site", field.bytes_per_site.into());
    put("sites", field.sites().into());
    if let Some(links) = &field.links {
        let numbers = if links.parts == 2 { "complex" } else { "real" };
        let shape = json!({
            "per_site": links.links, "rows": links.rows, "columns": links.columns, "numbers": numbers,
        });
        put("links", shape);
    }
    if let Some(document) = &entry.document {
        put("date", document.date.as_str().into());
        put("record_type", record_type(document.record_type()).into());
        put("colors", document.colors.into());
        put("spins", document.spins.into());
        put("typesize", document.typesize.into());
        put("datacount", document.datacount.into());
    }
    if let Some(lfn) = contents.text_about(entry, ildg::DATA_LFN) {
        put("lfn", lfn.into());
    }
    if let Some(update) = contents.text_about(entry, ildg::UPDATE) {
        put("update", update.into());
    }
    // Null if the data were not read to their end.
    put("suma", entry.checksum.map(|sums| sum(sums.suma)).into());
    put("sumb", entry.checksum.map(|sums| sum(sums.sumb)).into());
    if let Some(suma) = entry.stored.suma {
        put("stored_suma", sum(suma).into());
    }
    if let Some(sumb) = entry.stored.sumb {
        put("stored_sumb", sum(sumb).into());
    }
    put("checksum", entry.verdict.as_ref().and_then(verdict).into());
    if let Some(open) = &entry.open {
        let each = open.iter().map(|open| json!({"direction": open.letter(), "links": open.links}));
        put("open", each.collect());
    }
    if let Some(measured) = &entry.measured {
        figures(measured, &mut object);
    }
    object.insert("recorded".to_owned(), entry.recorded.iter().map(recorded).collect());
    Value::Object(object)
}

/// Adds the figures of a gauge field. JSON has no NaN: numbers that are not finite become null.
pub fn figures(measured: &Measured, object: &mut Map<String, Value>) {
    let mut put = |name: &str, value: Value| object.insert(name.to_owned(), value);
    if let Some(kind) = &measured.group {
        put("gauge_kind", kind.to_string().into());
    }
    put("plaquette", measured.plaquette.into());
    put("spatial_plaquette", measured.spatial.into());
    put("temporal_plaquette", measured.temporal.into());
    let planes = measured.planes.iter();
    put(
        "planes",
        planes
            .map(|plane| json!({"directions": [plane.mu, plane.nu], "plaquette": plane.plaquette}))
            .collect(),
    );
    put("link_trace", measured.link_trace.into());
    let directions = measured.directions.iter();
    put(
        "directions",
        directions.map(|one| json!({"direction": one.mu, "link_trace": one.link_trace})).collect(),
    );
    put("max_unitarity_deviation", measured.max_unitarity_deviation.into());
    put("unitarity_threshold", measured.threshold.into());
    put("widened", measured.widened.into());
    if !measured.slices.is_empty() {
        let each = measured.slices.iter().map(|slice| {
            json!({
                "time": slice.time,
                "plaquette": slice.plaquette,
                "spatial_plaquette": slice.spatial,
                "temporal_plaquette": slice.temporal,
                "link_trace": slice.link_trace,
            })
        });
        put("slices", each.collect());
    }
}

/// An entry of `recorded`.
pub fn recorded(recorded: &Recorded) -> Value {
    let computed = match recorded.computed {
        Some(Computed::Number { value, .. }) => value.into(),
        Some(Computed::Sum(value)) => sum(value).into(),
        None => Value::Null,
    };
    json!({
        "quantity": recorded.note.quantity.key(),
        "record": recorded.record_type,
        "offset": recorded.offset,
        "recorded": recorded.note.text,
        "computed": computed,
        "agrees": recorded.agrees(),
    })
}

/// The region that the data cover, as a word.
pub const fn kind(region: &Region) -> &'static str {
    match region {
        Region::Lattice => "field",
        Region::Hypercube(_) => "hypercube",
        Region::Global => "global",
    }
}

const fn source(source: Source) -> &'static str {
    match source {
        Source::Scidac => "scidac",
        Source::Ildg => "ildg",
    }
}

/// The verdict as a word; `None` if the data were skipped.
const fn verdict(verdict: &Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Match(_) => Some("match"),
        Verdict::Mismatch(_) => Some("mismatch"),
        Verdict::Absent => Some("absent"),
        _ => None,
    }
}

/// The record type in the SciDAC document: the region that the data cover.
const fn record_type(record_type: RecordType) -> &'static str {
    match record_type {
        RecordType::Field => "field",
        RecordType::Global => "global",
        RecordType::Hypercube => "hypercube",
    }
}

/// A checksum in hexadecimal.
pub fn sum(sum: u32) -> String {
    format!("{sum:08x}")
}
