//! A LIME file in JSON.

use linkstream::conformance::OpenDirection;
use linkstream::field::{DescribedBy, LinkLayout, Verdict};
use linkstream::ildg;
use linkstream::lattice::Region;
use linkstream::lime::Record;
use linkstream::scidac::RecordType;
use linkstream::usqcd::{FileType, Role};
use linkstream_access::Array;
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::contents::{Contents, FieldEntry, RecordEntry};
use super::recorded::{Computed, Recorded};
use super::texts::Text;
use super::usqcd::{Entry, Format, Usqcd, time};
use crate::figures::{DirectionFigure, Measured, PlaneFigure, SliceFigures};
use crate::json::{Entries, Object, each, hex, left_out, objects};

/// Writes the entries of the line that only this format has.
pub fn entries<M: SerializeMap>(contents: &Contents, line: &mut M) -> Result<(), M::Error> {
    line.serialize_entry("records", &objects(&contents.records))?;
    left_out(line, "records_left_out", contents.records_left_out.count)?;
    line.serialize_entry("fields", &each(&contents.fields, |entry| Object(Field { contents, entry })))?;
    left_out(line, "fields_left_out", contents.fields_left_out.count)?;
    if !contents.uncovered.is_empty() {
        let offset = |index: &usize| contents.records.get(*index).map(|entry| entry.record.offset);
        line.serialize_entry("uncovered", &each(&contents.uncovered, offset))?;
    }
    match &contents.usqcd {
        Some(usqcd) => {
            line.serialize_entry("usqcd", &Object(UsqcdFormat { usqcd, fields: &contents.fields }))
        }
        None => Ok(()),
    }
}

/// The USQCD format, and the data records that its documents describe.
struct UsqcdFormat<'a> {
    usqcd: &'a Usqcd,
    fields: &'a [FieldEntry],
}

impl Entries for UsqcdFormat<'_> {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let format = match self.usqcd.format {
            Format::Lattice => Some("lattice"),
            Format::Propagator(file_type) => file_type.map(FileType::as_str),
        };
        object.serialize_entry("format", &format)?;
        object.serialize_entry("version", &self.usqcd.version)?;
        let entries = self.usqcd.entries.iter();
        let known =
            entries.filter_map(|entry| Some(UsqcdEntry { entry, field: self.fields.get(entry.field)? }));
        object.serialize_entry("entries", &objects(&known.collect::<Vec<_>>()))
    }
}

struct UsqcdEntry<'a> {
    entry: &'a Entry,
    field: &'a FieldEntry,
}

impl Entries for UsqcdEntry<'_> {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let Self { entry, field } = self;
        object.serialize_entry("offset", &field.field.record.offset)?;
        object.serialize_entry("role", &entry.role.map(Role::as_str))?;
        object.serialize_entry("spin", &entry.label.spin)?;
        object.serialize_entry("color", &entry.label.color)?;
        object.serialize_entry("time", &time(&field.field))?;
        object.serialize_entry("datatype", &field.datatype)
    }
}

/// An entry of `records`, without the text.
#[derive(Debug)]
pub struct Header<'a> {
    pub record: &'a Record,
    pub record_type: &'a [u8],
}

impl Entries for Header<'_> {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let Self { record, record_type } = self;
        object.serialize_entry("offset", &record.offset)?;
        object.serialize_entry("message", &record.message)?;
        object.serialize_entry("record", &record.number)?;
        object.serialize_entry("type", &String::from_utf8_lossy(record_type))?;
        if std::str::from_utf8(record_type).is_err() {
            object.serialize_entry("type_hex", &hex(record_type))?;
        }
        object.serialize_entry("length", &record.length)?;
        object.serialize_entry("mb", &record.begin)?;
        object.serialize_entry("me", &record.end)
    }
}

/// An entry of `records`.
impl Entries for RecordEntry {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        Header { record: &self.record, record_type: &self.record_type }.entries(object)?;
        object.serialize_entry("text", &self.text.as_ref().map(Text::shown))?;
        if self.text.as_ref().is_some_and(|text| text.cut) {
            object.serialize_entry("text_cut", &true)?;
        }
        Ok(())
    }
}

/// An entry of `fields`.
#[derive(Debug)]
pub(crate) struct Field<'a> {
    pub contents: &'a Contents,
    pub entry: &'a FieldEntry,
}

impl Entries for Field<'_> {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let Self { contents, entry } = self;
        let field = &entry.field;
        object.serialize_entry("offset", &field.record.offset)?;
        object.serialize_entry("data_offset", &field.record.payload_offset())?;
        object.serialize_entry("region", region(&field.region))?;
        object.serialize_entry("source", source(field.described_by))?;
        object.serialize_entry("extents", field.extents.as_slice())?;
        if let Region::Hypercube(cube) = &field.region {
            object.serialize_entry("lower", cube.lower().as_slice())?;
            object.serialize_entry("upper", cube.upper().as_slice())?;
        }
        if let Some(datatype) = &entry.datatype {
            object.serialize_entry("datatype", datatype)?;
        }
        object.serialize_entry("precision", &field.precision.map(linkstream::lattice::Precision::bits))?;
        object.serialize_entry("bytes_per_site", &field.bytes_per_site)?;
        object.serialize_entry("sites", &field.sites())?;
        if let Some(links) = &field.links {
            object.serialize_entry("links", &Object(links))?;
        }
        let array = Array::of(field, entry.document.as_ref().map(|document| document.data()));
        object.serialize_entry("array", &Object(array))?;
        if let Some(document) = &entry.document {
            object.serialize_entry("date", document.date.as_str())?;
            object.serialize_entry("record_type", record_type(document.record_type()))?;
            object.serialize_entry("colors", &document.colors)?;
            object.serialize_entry("spins", &document.spins)?;
            object.serialize_entry("typesize", &document.typesize)?;
            object.serialize_entry("datacount", &document.datacount)?;
        }
        if let Some(lfn) = contents.text_about(entry, ildg::DATA_LFN) {
            object.serialize_entry("lfn", &lfn)?;
        }
        if let Some(update) = contents.text_about(entry, ildg::UPDATE) {
            object.serialize_entry("update", &update)?;
        }
        object.serialize_entry("checksums", &objects(&sums(entry)))?;
        object.serialize_entry("checksum", &entry.verdict.as_ref().and_then(checked))?;
        if let Some(cksum) = entry.cksum {
            object.serialize_entry("cksum", &cksum)?;
        }
        if let Some(open) = &entry.open {
            object.serialize_entry("open", &objects(open))?;
        }
        if let Some(measured) = &entry.measured {
            measured.entries(object)?;
        }
        object.serialize_entry("recorded", &objects(&entry.recorded))
    }
}

impl Entries for LinkLayout {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("per_site", &self.links)?;
        object.serialize_entry("rows", &self.rows)?;
        object.serialize_entry("columns", &self.columns)?;
        object.serialize_entry("numbers", if self.parts == 2 { "complex" } else { "real" })
    }
}

impl Entries for OpenDirection {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("direction", &self.letter())?;
        object.serialize_entry("links", &self.links)
    }
}

/// The observables of a gauge field. JSON has no NaN: numbers that are not finite become null.
impl Entries for Measured {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        if let Some(kind) = &self.group {
            object.serialize_entry("gauge_kind", &kind.to_string())?;
        }
        object.serialize_entry("plaquette", &self.plaquette)?;
        object.serialize_entry("spatial_plaquette", &self.spatial)?;
        object.serialize_entry("temporal_plaquette", &self.temporal)?;
        object.serialize_entry("planes", &objects(&self.planes))?;
        object.serialize_entry("link_trace", &self.link_trace)?;
        object.serialize_entry("directions", &objects(&self.directions))?;
        if let Some(parts) = &self.polyakov_loop {
            let is_finite = parts.iter().all(|part| part.is_finite());
            object.serialize_entry("polyakov_loop", &is_finite.then_some(parts))?;
        }
        object.serialize_entry("max_unitarity_deviation", &self.max_unitarity_deviation)?;
        if let Some(deviation) = &self.max_determinant_deviation {
            object.serialize_entry("max_determinant_deviation", deviation)?;
        }
        object.serialize_entry("unitarity_threshold", &self.threshold)?;
        object.serialize_entry("widened", &self.widened)?;
        if !self.slices.is_empty() {
            object.serialize_entry("slices", &objects(&self.slices))?;
        }
        Ok(())
    }
}

impl Entries for PlaneFigure {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("directions", &[self.mu, self.nu])?;
        object.serialize_entry("plaquette", &self.plaquette)
    }
}

impl Entries for DirectionFigure {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("direction", &self.mu)?;
        object.serialize_entry("link_trace", &self.link_trace)
    }
}

impl Entries for SliceFigures {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("time", &self.time)?;
        object.serialize_entry("plaquette", &self.plaquette)?;
        object.serialize_entry("spatial_plaquette", &self.spatial)?;
        object.serialize_entry("temporal_plaquette", &self.temporal)?;
        object.serialize_entry("link_trace", &self.link_trace)
    }
}

/// An entry of `recorded`.
impl Entries for Recorded {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("quantity", self.note.quantity.key())?;
        object.serialize_entry("record", &self.record_type)?;
        object.serialize_entry("offset", &self.offset)?;
        object.serialize_entry("recorded", &self.note.text)?;
        object.serialize_entry("computed", &self.computed)?;
        object.serialize_entry("agrees", &self.agrees())
    }
}

impl Serialize for Computed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number { value, .. } => serializer.serialize_f64(*value),
            Self::Sum(value) => serializer.serialize_str(&sum(*value)),
        }
    }
}

/// The checksums of a field, in the order of `checksums`.
fn sums(entry: &FieldEntry) -> Vec<Checksum> {
    let (computed, stored) = (entry.checksum, &entry.stored);
    let scidac = [
        ("suma", stored.suma, computed.map(|sums| sums.suma)),
        ("sumb", stored.sumb, computed.map(|sums| sums.sumb)),
    ];
    let scidac = scidac.map(|(name, stored, computed)| Checksum {
        name,
        stored: stored.map(sum),
        computed: computed.map(sum),
    });
    // As the command `cksum` prints it.
    let bqcd = entry.bqcd.as_ref().map(|bqcd| Checksum {
        name: "cksum",
        stored: Some(bqcd.sum.to_string()),
        computed: entry.cksum.map(|sum| sum.to_string()),
    });
    scidac.into_iter().chain(bqcd).collect()
}

/// An entry of `checksums`.
pub(crate) struct Checksum {
    pub name: &'static str,
    pub stored: Option<String>,
    /// `None` if the data were not read to their end.
    pub computed: Option<String>,
}

impl Entries for Checksum {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("name", self.name)?;
        object.serialize_entry("stored", &self.stored)?;
        object.serialize_entry("computed", &self.computed)
    }
}

/// The region that the data cover, as a word.
pub const fn region(region: &Region) -> &'static str {
    match region {
        Region::Lattice => "lattice",
        Region::Hypercube(_) => "hypercube",
        Region::Global => "global",
    }
}

const fn source(source: DescribedBy) -> &'static str {
    match source {
        DescribedBy::Scidac => "scidac",
        DescribedBy::Ildg => "ildg",
    }
}

/// The verdict as a word; `None` if the data were skipped.
pub(crate) const fn checked(verdict: &Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Match { .. } => Some("match"),
        Verdict::Mismatch { .. } => Some("mismatch"),
        Verdict::Absent { .. } => Some("absent"),
        Verdict::Unchecked => None,
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
