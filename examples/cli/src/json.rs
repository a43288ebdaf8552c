//! A report as one line of JSON.

use linkstream::field::{Source, Verdict};
use linkstream::lattice::Region;
use serde_json::{Map, Value, json};

use crate::report::{FieldEntry, Finding, RecordEntry, Report};

/// The line, with its line feed.
pub fn line(report: &Report) -> String {
    let value = json!({
        "file": report.file,
        "format": if report.recognised { "lime" } else { "unknown" },
        "bytes": report.bytes,
        "records": report.records.iter().map(record).collect::<Vec<_>>(),
        "fields": report.fields.iter().map(field).collect::<Vec<_>>(),
        "findings": report.findings.iter().map(finding).collect::<Vec<_>>(),
        "ok": report.is_ok(),
    });
    format!("{value}\n")
}

fn record(entry: &RecordEntry) -> Value {
    let record = &entry.record;
    json!({
        "offset": record.offset,
        "message": record.message,
        "record": record.number,
        "type": entry.record_type,
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
    if let Some(checksum) = entry.checksum {
        put("suma", hex(checksum.suma));
        put("sumb", hex(checksum.sumb));
    }
    if let Some(suma) = entry.stored.suma {
        put("stored_suma", hex(suma));
    }
    if let Some(sumb) = entry.stored.sumb {
        put("stored_sumb", hex(sumb));
    }
    if let Some(word) = entry.verdict.as_ref().and_then(verdict) {
        put("checksum", word.into());
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

/// `None` where the data were passed over.
const fn verdict(verdict: &Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Match(_) => Some("match"),
        Verdict::Mismatch(_) => Some("mismatch"),
        Verdict::Absent => Some("absent"),
        Verdict::Unchecked => None,
    }
}

fn hex(sum: u32) -> Value {
    format!("{sum:08x}").into()
}

fn finding(finding: &Finding) -> Value {
    json!({
        "severity": finding.severity.as_str(),
        "class": finding.class.as_str(),
        "rule": finding.rule,
        "offset": finding.offset,
        "message": finding.message,
    })
}
