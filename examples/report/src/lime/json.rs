//! A LIME file in JSON.

use linkstream::field::{Source, Verdict};
use linkstream::lattice::Region;
use linkstream::lime::Record;
use serde::ser::SerializeMap;
use serde_json::{Map, Value, json};

use super::contents::{Contents, FieldEntry};
use crate::json::Each;

/// What the line has for this format alone.
pub fn entries<M: SerializeMap>(contents: &Contents, line: &mut M) -> Result<(), M::Error> {
    line.serialize_entry(
        "records",
        &Each(&contents.records, |entry| record(&entry.record, &entry.record_type)),
    )?;
    line.serialize_entry("fields", &Each(&contents.fields, field))
}

/// An entry of `records`.
pub fn record(record: &Record, record_type: &str) -> Value {
    json!({
        "offset": record.offset,
        "message": record.message,
        "record": record.number,
        "type": record_type,
        "length": record.length,
        "mb": record.begin,
        "me": record.end,
    })
}

fn field(entry: &FieldEntry) -> Value {
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
    // Null where the data were not read to their end.
    put("suma", entry.checksum.map(|sums| hex(sums.suma)).into());
    put("sumb", entry.checksum.map(|sums| hex(sums.sumb)).into());
    if let Some(suma) = entry.stored.suma {
        put("stored_suma", hex(suma).into());
    }
    if let Some(sumb) = entry.stored.sumb {
        put("stored_sumb", hex(sumb).into());
    }
    put("checksum", entry.verdict.as_ref().and_then(verdict).into());
    if let Some(open) = &entry.open {
        let each = open.iter().map(|open| json!({"direction": open.letter(), "links": open.links}));
        put("open", each.collect());
    }
    if let Some(measured) = entry.measured {
        // JSON has no NaN: what is not finite becomes null.
        put("plaquette", measured.plaquette.into());
        put("link_trace", measured.link_trace.into());
        put("max_unitarity_deviation", measured.max_unitarity_deviation.into());
    }
    Value::Object(object)
}

/// What the data are spread over, in a word.
const fn kind(region: &Region) -> &'static str {
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

/// `None` where the data were passed over.
const fn verdict(verdict: &Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Match(_) => Some("match"),
        Verdict::Mismatch(_) => Some("mismatch"),
        Verdict::Absent => Some("absent"),
        Verdict::Unchecked => None,
    }
}

fn hex(sum: u32) -> String {
    format!("{sum:08x}")
}
