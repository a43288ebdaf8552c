//! An archive in JSON.

use linkstream::lattice::ByteOrder;
use serde::ser::SerializeMap;

use linkstream_access::archive::Shape;

use super::contents::{Agreement, Contents, Sum};
use crate::json::{Entries, objects};
use crate::lime::json::sum;

/// Writes the entries of the line that only these formats have. Values that were not read are null; figures are present
/// if they were measured.
pub fn entries<M: SerializeMap>(contents: &Contents, line: &mut M) -> Result<(), M::Error> {
    let shape = contents.shape.as_ref();
    line.serialize_entry("dims", &shape.map(|shape| shape.extents.as_slice()))?;
    line.serialize_entry("precision", &shape.map(|shape| shape.precision.bits()))?;
    line.serialize_entry("rows", &shape.map(|shape| shape.rows.count()))?;
    line.serialize_entry("byte_order", &shape.and_then(order))?;
    line.serialize_entry("site_list", &shape.map(|shape| shape.has_site_list))?;
    line.serialize_entry("data_offset", &shape.map(|shape| shape.data_at))?;
    line.serialize_entry("header", &contents.header)?;
    line.serialize_entry("checksums", &objects(&contents.sums))?;
    line.serialize_entry("checksum", &contents.agreement.map(agreement))?;
    if let Some(measured) = &contents.measured {
        measured.entries(line)?;
    }
    line.serialize_entry("recorded", &objects(&contents.recorded))
}

fn order(shape: &Shape) -> Option<&'static str> {
    shape.order.map(|order| match order {
        ByteOrder::Big => "big",
        ByteOrder::Little => "little",
    })
}

/// An entry of `checksums`.
impl Entries for Sum {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("name", self.name)?;
        object.serialize_entry("stored", &self.stored.map(sum))?;
        object.serialize_entry("computed", &self.computed.map(sum))
    }
}

const fn agreement(agreement: Agreement) -> &'static str {
    match agreement {
        Agreement::Match => "match",
        Agreement::Mismatch => "mismatch",
        Agreement::Absent => "absent",
    }
}
