//! The conditions of rules about a LIME file with a gauge field.
//!
//! A condition that returns an `Option<u64>` returns the offset of the record concerned if it is true.

use linkstream::field::{DescribedBy, LinkLayout, Verdict};
use linkstream::lattice::{Precision, Region};
use linkstream::scidac::StoredChecksum;
use linkstream::{ildg, scidac};
use linkstream_access::write::is_gauge_field;

use super::document::Text;
use crate::findings::Finding;
use crate::lime::{Computed, Contents, FieldEntry, Noted, Quantity, RecordEntry};
use crate::volumes::SetContents;

/// The facts about a file and its first gauge field.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'c> {
    contents: &'c Contents,
    findings: &'c [Finding],
    pub field: &'c FieldEntry,
    pub links: LinkLayout,
}

/// Returns whether a record has the datatype and the size of four links of SU(3), but another precision. Programs that
/// look only at some of these properties read it.
fn is_like_links(entry: &FieldEntry) -> bool {
    let is_matrix = entry.datatype.as_ref().is_some_and(|datatype| datatype.ends_with("3_ColorMatrix"));
    let is_lattice = entry.field.region == Region::Lattice && entry.field.extents.dimensions() == 4;
    is_matrix && is_lattice && entry.field.links.is_none() && [288, 576].contains(&entry.field.bytes_per_site)
}

impl<'c> Facts<'c> {
    /// `None` if there is no gauge field.
    pub fn of(contents: &'c Contents, findings: &'c [Finding]) -> Option<Self> {
        let field = contents.fields.iter().find(|entry| {
            is_gauge_field(&entry.field, entry.field.described_by == DescribedBy::Ildg)
                || is_like_links(entry)
        })?;
        let links = field.field.links.unwrap_or_else(|| {
            let is_single = field.field.bytes_per_site == 288;
            LinkLayout::new(4, 3, 3, if is_single { Precision::F32 } else { Precision::F64 })
        });
        Some(Self { contents, findings, field, links })
    }

    pub fn records(&self) -> &'c [RecordEntry] {
        &self.contents.records
    }

    /// The first record of a type.
    pub fn first(&self, record_type: &str) -> Option<&'c RecordEntry> {
        self.records().iter().find(|entry| entry.record_type == record_type.as_bytes())
    }

    /// The text of the first record of a type; empty if its payload is not text.
    pub fn text(&self, record_type: &str) -> Option<Text<'c>> {
        let entry = self.first(record_type)?;
        Some(entry.text.as_ref().map(|text| Text::of(text.bytes())).unwrap_or_default())
    }

    pub fn format(&self) -> Option<Text<'c>> {
        self.text(ildg::FORMAT)
    }

    pub fn checksum(&self) -> Option<Text<'c>> {
        self.text(scidac::CHECKSUM)
    }

    /// No record has this type. The result is the offset of the data.
    pub fn missing(&self, record_type: &str) -> Option<u64> {
        self.first(record_type).is_none().then_some(self.data())
    }

    /// The text of the first record of a type satisfies `is_so`.
    pub fn where_text(&self, record_type: &str, is_so: impl Fn(&Text<'c>) -> bool) -> Option<u64> {
        let text = self.text(record_type)?;
        is_so(&text).then_some(self.first(record_type)?.record.offset)
    }

    /// The offset of the data.
    pub fn data(&self) -> u64 {
        self.field.field.record.offset
    }

    pub fn where_data(&self, is_so: bool) -> Option<u64> {
        is_so.then_some(self.data())
    }

    /// The first data record is not the gauge field.
    pub fn earlier_data(&self) -> Option<u64> {
        let first = self.contents.fields.first()?.field.record.offset;
        (first != self.data()).then_some(first)
    }

    /// True if QIO reads the file as a SciDAC file: it begins with the private file XML.
    pub fn is_native(&self) -> bool {
        self.records().first().is_some_and(|first| first.record_type == scidac::PRIVATE_FILE_XML.as_bytes())
    }

    /// True for a file set.
    pub const fn is_set(&self) -> bool {
        self.contents.set.is_some()
    }

    /// The file is a file set with this property.
    pub fn where_set(&self, is_so: impl FnOnce(&SetContents) -> bool) -> Option<u64> {
        self.where_data(self.contents.set.as_ref().is_some_and(is_so))
    }

    /// The data records, whether of SciDAC or of ILDG.
    pub fn data_records(&self) -> impl Iterator<Item = &'c RecordEntry> {
        self.records().iter().filter(|entry| entry.record_type.ends_with(b"-binary-data"))
    }

    /// There is a second data record.
    pub fn second_data_record(&self) -> Option<u64> {
        Some(self.data_records().nth(1)?.record.offset)
    }

    /// There is a data record with another type than the first one.
    pub fn other_data_record(&self) -> Option<u64> {
        let first = self.data_records().next()?;
        let other = self.data_records().find(|entry| entry.record_type != first.record_type)?;
        Some(other.record.offset)
    }

    /// The first record of one of these types is not well-formed XML.
    pub fn ill_formed(&self, types: &[&str]) -> Option<u64> {
        types.iter().find_map(|name| self.where_text(name, |text| !text.is_well_formed()))
    }

    /// The first record of type `later` comes after the first one of type `earlier`.
    pub fn follows(&self, later: &str, earlier: &str) -> Option<u64> {
        let (later, earlier) = (self.first(later)?.record.offset, self.first(earlier)?.record.offset);
        (later > earlier).then_some(later)
    }

    /// There is a second record of one of these types.
    pub fn repeated(&self, types: &[&str]) -> Option<u64> {
        types.iter().find_map(|name| {
            let of_type = |entry: &&RecordEntry| entry.record_type == name.as_bytes();
            Some(self.records().iter().filter(of_type).nth(1)?.record.offset)
        })
    }

    /// There is a record with the same type as an earlier one.
    pub fn any_repeated(&self) -> Option<u64> {
        let mut seen = std::collections::HashSet::new();
        let repeated = self.records().iter().find(|entry| !seen.insert(&entry.record_type))?;
        Some(repeated.record.offset)
    }

    /// There is an empty record of one of these types.
    pub fn empty(&self, types: &[&str]) -> Option<u64> {
        let of_types = |entry: &&RecordEntry| types.iter().any(|name| name.as_bytes() == entry.record_type);
        let empty = self.records().iter().filter(of_types).find(|entry| entry.record.length == 0)?;
        Some(empty.record.offset)
    }

    /// There is an empty record.
    pub fn any_empty(&self) -> Option<u64> {
        Some(self.records().iter().find(|entry| entry.record.length == 0)?.record.offset)
    }

    pub fn is_reduced(&self) -> bool {
        self.links.rows < self.links.columns
    }

    /// True if the field has four SU(3) links per site, stored without their last row.
    pub fn is_reduced_su3(&self) -> bool {
        (self.links.columns, self.links.links, self.links.parts) == (3, 4, 2) && self.is_reduced()
    }

    pub fn is_single(&self) -> bool {
        self.links.precision == Precision::F32
    }

    /// True if the field has four SU(3) links per site, stored with all rows: the only kind that most programs support.
    pub fn is_full_su3(&self) -> bool {
        (self.links.columns, self.links.rows, self.links.links, self.links.parts) == (3, 3, 4, 2)
    }

    /// The name of the kind in the `ildg-format`.
    pub fn kind(&self) -> Option<String> {
        self.format()?.value("field")
    }

    pub fn is_kind(&self, names: &[&str]) -> bool {
        self.kind().is_some_and(|kind| names.contains(&kind.trim()))
    }

    /// True if the data were read and do not have the stored checksum.
    pub fn has_wrong_checksum(&self) -> bool {
        matches!(self.field.verdict, Some(Verdict::Mismatch { .. }))
    }

    /// The last checksum, which supersedes earlier ones, has a sum that is not written in the form of `form`.
    pub fn sums_not_in_form(&self, form: fn(u32) -> String) -> Option<u64> {
        let (offset, text, stored) = self.last_checksum()?;
        let written = [("suma", stored.suma()), ("sumb", stored.sumb())];
        let differs =
            written.into_iter().any(|(name, sum)| sum.is_some_and(|sum| text.value(name) != Some(form(sum))));
        differs.then_some(offset)
    }

    /// The last checksum differs from the one stored for the field: it belongs to other data.
    pub fn other_checksum(&self) -> Option<u64> {
        let (offset, _, stored) = self.last_checksum()?;
        let own = self.field.stored;
        let differs = (stored.suma(), stored.sumb()) != (own.suma, own.sumb);
        (differs && own.suma.is_some()).then_some(offset)
    }

    fn last_checksum(&self) -> Option<(u64, Text<'c>, StoredChecksum)> {
        let is_checksum = |entry: &&RecordEntry| entry.record_type == scidac::CHECKSUM.as_bytes();
        let last = self.records().iter().rev().find(is_checksum)?;
        let bytes = last.text.as_ref()?.bytes();
        Some((last.record.offset, Text::of(bytes), StoredChecksum::parse(bytes).ok()?))
    }

    /// True if the file ends inside the data of the field.
    pub fn ends_inside_data(&self) -> bool {
        let is_last = self.records().last().is_some_and(|last| last.record.offset == self.data());
        is_last && self.finding(&["lime-payload-truncated"]).is_some()
    }

    /// There is a finding with one of these rules.
    pub fn finding(&self, rules: &[&str]) -> Option<u64> {
        Some(self.findings.iter().find(|finding| rules.contains(&finding.rule))?.offset)
    }

    /// True unless a link was found with a number that is infinite, not a number, or too large to be squared.
    pub fn has_finite_links(&self) -> bool {
        self.field.measured.as_ref().is_none_or(|measured| measured.max_unitarity_deviation.is_finite())
    }

    /// True if the largest deviation from unitarity is larger than this.
    pub fn is_further_from_unitary(&self, than: f64) -> bool {
        self.field.measured.as_ref().is_some_and(|measured| measured.max_unitarity_deviation > than)
    }

    /// A record of this type has a plaquette or a link trace that differs from the computed value by `by` or more.
    pub fn recorded_differs(&self, record_type: &str, by: f64) -> Option<u64> {
        let differs = self.field.recorded.iter().find(|recorded| {
            let is_figure = matches!(recorded.note.quantity, Quantity::Plaquette | Quantity::LinkTrace);
            let difference = match (recorded.note.value, recorded.computed) {
                (Noted::Number { value, .. }, Some(Computed::Number { value: computed, .. })) => {
                    value - computed
                }
                _ => return false,
            };
            is_figure && recorded.record_type == record_type && difference.abs() >= by
        })?;
        Some(differs.offset)
    }
}
