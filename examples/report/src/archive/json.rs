//! An archive in JSON.

use linkstream::lattice::ByteOrder;
use serde::ser::SerializeMap;
use serde_json::{Map, Value, json};

use super::contents::{Agreement, Contents, Shape, Sum};
use crate::lime::json::{figures, recorded, sum};

/// Writes the entries of the line that only these formats have. Values that were not read are null; figures are present
/// if they were measured.
pub fn entries<M: SerializeMap>(contents: &Contents, line: &mut M) -> Result<(), M::Error> {
    let shape = contents.shape.as_ref();
    line.serialize_entry("dims", &shape.map(|shape| shape.extents.as_slice().to_vec()))?;
    line.serialize_entry("precision", &shape.map(|shape| shape.precision.bits()))?;
    line.serialize_entry("rows", &shape.map(|shape| shape.rows.count()))?;
    line.serialize_entry("byte_order", &shape.and_then(order))?;
    line.serialize_entry("site_list", &shape.map(|shape| shape.has_site_list))?;
    line.serialize_entry("data_offset", &shape.map(|shape| shape.data_at))?;
    line.serialize_entry("header", &contents.header)?;
    line.serialize_entry("checksums", &contents.sums.iter().map(checksum).collect::<Vec<_>>())?;
    line.serialize_entry("checksum", &contents.agreement.map(agreement))?;
    let mut measured = Map::new();
    if let Some(found) = &contents.measured {
        figures(found, &mut measured);
    }
    for (key, value) in &measured {
        line.serialize_entry(key, value)?;
    }
    line.serialize_entry("recorded", &contents.recorded.iter().map(recorded).collect::<Vec<_>>())
}

fn order(shape: &Shape) -> Option<&'static str> {
    shape.order.map(|order| match order {
        ByteOrder::Big => "big",
        ByteOrder::Little => "little",
    })
}

fn checksum(found: &Sum) -> Value {
    json!({ "name": found.name, "stored": found.stored.map(sum), "computed": found.computed.map(sum) })
}

const fn agreement(agreement: Agreement) -> &'static str {
    match agreement {
        Agreement::Match => "match",
        Agreement::Mismatch => "mismatch",
        Agreement::Absent => "absent",
    }
}
