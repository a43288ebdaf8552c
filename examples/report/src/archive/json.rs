//! An archive in JSON.

use linkstream::lattice::ByteOrder;
use linkstream_access::Array;
use linkstream_access::archive::Shape;
use serde::ser::SerializeMap;

use super::contents::{Agreement, Contents, Sum};
use crate::json::{Entries, Object, each, objects};
use crate::lime::json::{Checksum, region, sum};

/// The key of a NERSC header with the kind of data, such as `4D_SU3_GAUGE_3x3`.
const DATATYPE: &str = "DATATYPE";

/// Writes the entries of the line that only these formats have: the header, and the gauge field if the header can be
/// read. `format` is the format of the file.
pub fn entries<M: SerializeMap>(
    contents: &Contents,
    format: &'static str,
    line: &mut M,
) -> Result<(), M::Error> {
    line.serialize_entry("header", &contents.header)?;
    if let Some(kind) = &contents.state {
        line.serialize_entry("state", &Object(State { kind, contents }))?;
    }
    let field = |shape| Object(Field { contents, shape, format });
    line.serialize_entry("fields", &each(contents.shape.as_slice(), field))
}

/// A random-number state.
struct State<'a> {
    kind: &'a str,
    contents: &'a Contents,
}

impl Entries for State<'_> {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("type", self.kind)?;
        object.serialize_entry("checksums", &objects(&self.contents.sums))?;
        object.serialize_entry("checksum", &self.contents.agreement.map(agreed))
    }
}

/// The entry of `fields`. Values that were not read are null; observables are present if they were measured.
struct Field<'a> {
    contents: &'a Contents,
    shape: &'a Shape,
    format: &'static str,
}

impl Entries for Field<'_> {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let Self { contents, shape, format } = self;
        let field = shape.stored();
        object.serialize_entry("offset", &shape.data_at)?;
        object.serialize_entry("data_offset", &shape.data_at)?;
        object.serialize_entry("region", region(&field.region))?;
        object.serialize_entry("source", format)?;
        object.serialize_entry("extents", shape.extents.as_slice())?;
        if let Some((_, datatype)) = contents.header.iter().find(|(key, _)| key == DATATYPE) {
            object.serialize_entry("datatype", datatype)?;
        }
        object.serialize_entry("precision", &shape.precision.bits())?;
        object.serialize_entry("bytes_per_site", &field.bytes_per_site)?;
        object.serialize_entry("sites", &field.sites())?;
        object.serialize_entry("links", &field.links.as_ref().map(Object))?;
        object.serialize_entry("array", &Object(Array::of(&shape.field(), None)))?;
        object.serialize_entry("byte_order", &shape.order.map(order))?;
        object.serialize_entry("site_list", &shape.has_site_list)?;
        object.serialize_entry("checksums", &objects(&contents.sums))?;
        object.serialize_entry("checksum", &contents.agreement.map(agreed))?;
        if let Some(measured) = &contents.measured {
            measured.entries(object)?;
        }
        object.serialize_entry("recorded", &objects(&contents.recorded))
    }
}

const fn order(order: ByteOrder) -> &'static str {
    match order {
        ByteOrder::Big => "big",
        ByteOrder::Little => "little",
    }
}

/// An entry of `checksums`.
impl Entries for Sum {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let (stored, computed) = (self.stored.map(sum), self.computed.map(sum));
        Checksum { name: self.name, stored, computed }.entries(object)
    }
}

pub(crate) const fn agreed(agreement: Agreement) -> &'static str {
    match agreement {
        Agreement::Match => "match",
        Agreement::Mismatch => "mismatch",
        Agreement::Absent => "absent",
    }
}
