//! What the rules ask about a LIME file with a gauge field.

use linkstream::field::{LinkLayout, Source, Verdict};
use linkstream::lattice::Precision;
use linkstream::scidac::StoredChecksum;
use linkstream::{ildg, scidac};

use super::document::Text;
use crate::findings::Finding;
use crate::lime::{Computed, Contents, FieldEntry, Noted, Quantity, RecordEntry, is_gauge_field};

/// A file, and the first gauge field in it.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'c> {
    contents: &'c Contents,
    findings: &'c [Finding],
    pub field: &'c FieldEntry,
    pub links: LinkLayout,
}

impl<'c> Facts<'c> {
    /// `None` if there is no gauge field.
    pub fn of(contents: &'c Contents, findings: &'c [Finding]) -> Option<Self> {
        let field = contents
            .fields
            .iter()
            .find(|entry| is_gauge_field(&entry.field, entry.field.source == Source::Ildg))?;
        Some(Self { contents, findings, field, links: field.field.links? })
    }

    pub fn records(&self) -> &'c [RecordEntry] {
        &self.contents.records
    }

    /// The first record of a type.
    pub fn first(&self, record_type: &str) -> Option<&'c RecordEntry> {
        self.records().iter().find(|entry| entry.record_type == record_type.as_bytes())
    }

    /// The text of the first record of a type; that of a record whose payload is no text is empty.
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

    /// Where a type is missed: at the data.
    pub fn missing(&self, record_type: &str) -> Option<u64> {
        self.first(record_type).is_none().then_some(self.data())
    }

    /// The offset of the record of a type, if something is so about its text.
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

    /// The first data record, if that is not the gauge field.
    pub fn earlier_data(&self) -> Option<u64> {
        let first = self.contents.fields.first()?.field.record.offset;
        (first != self.data()).then_some(first)
    }

    /// QIO reads the file as its own: it begins with QIO's first record.
    pub fn is_native(&self) -> bool {
        self.records().first().is_some_and(|first| first.record_type == scidac::PRIVATE_FILE_XML.as_bytes())
    }

    /// The file is a set of volumes.
    pub fn is_set(&self) -> bool {
        self.contents.set.is_some()
    }

    /// Records of data, whatever the program that wrote them.
    pub fn data_records(&self) -> impl Iterator<Item = &'c RecordEntry> {
        self.records().iter().filter(|entry| entry.record_type.ends_with(b"-binary-data"))
    }

    /// The second data record.
    pub fn second_data_record(&self) -> Option<u64> {
        Some(self.data_records().nth(1)?.record.offset)
    }

    /// A data record of another type than the first one.
    pub fn other_data_record(&self) -> Option<u64> {
        let first = self.data_records().next()?;
        let other = self.data_records().find(|entry| entry.record_type != first.record_type)?;
        Some(other.record.offset)
    }

    /// A record of one of these types whose text is not well-formed XML.
    pub fn ill_formed(&self, types: &[&str]) -> Option<u64> {
        types.iter().find_map(|name| self.where_text(name, |text| !text.is_well_formed()))
    }

    /// A record of type `later` comes after one of type `earlier`.
    pub fn follows(&self, later: &str, earlier: &str) -> Option<u64> {
        let (later, earlier) = (self.first(later)?.record.offset, self.first(earlier)?.record.offset);
        (later > earlier).then_some(later)
    }

    /// The second record of one of these types.
    pub fn repeated(&self, types: &[&str]) -> Option<u64> {
        types.iter().find_map(|name| {
            let of_type = |entry: &&RecordEntry| entry.record_type == name.as_bytes();
            Some(self.records().iter().filter(of_type).nth(1)?.record.offset)
        })
    }

    /// The first record of a type that another record before it has, too.
    pub fn any_repeated(&self) -> Option<u64> {
        let mut seen = std::collections::HashSet::new();
        let repeated = self.records().iter().find(|entry| !seen.insert(&entry.record_type))?;
        Some(repeated.record.offset)
    }

    /// An empty record of one of these types.
    pub fn empty(&self, types: &[&str]) -> Option<u64> {
        let of_types = |entry: &&RecordEntry| types.iter().any(|name| name.as_bytes() == entry.record_type);
        let empty = self.records().iter().filter(of_types).find(|entry| entry.record.length == 0)?;
        Some(empty.record.offset)
    }

    /// An empty record.
    pub fn any_empty(&self) -> Option<u64> {
        Some(self.records().iter().find(|entry| entry.record.length == 0)?.record.offset)
    }

    pub fn is_reduced(&self) -> bool {
        self.links.rows < self.links.columns
    }

    /// SU(3) with four links at each site, and their last row left out.
    pub fn is_reduced_su3(&self) -> bool {
        (self.links.columns, self.links.links, self.links.parts) == (3, 4, 2) && self.is_reduced()
    }

    pub fn is_single(&self) -> bool {
        self.links.precision == Precision::F32
    }

    /// SU(3) with all rows, four links at each site: what most programs take a gauge field for.
    pub fn is_full_su3(&self) -> bool {
        (self.links.columns, self.links.rows, self.links.links, self.links.parts) == (3, 3, 4, 2)
    }

    /// The name of the kind, as the `ildg-format` has it.
    pub fn kind(&self) -> Option<String> {
        self.format()?.value("field")
    }

    pub fn is_kind(&self, names: &[&str]) -> bool {
        self.kind().is_some_and(|kind| names.contains(&kind.trim()))
    }

    /// The stored checksum is not that of the data, which were read.
    pub fn has_wrong_checksum(&self) -> bool {
        matches!(self.field.verdict, Some(Verdict::Mismatch(_)))
    }

    /// The last checksum, which replaces those before it, has a sum that is not written as `form` writes it.
    pub fn sums_not_in_form(&self, form: fn(u32) -> String) -> Option<u64> {
        let (offset, text, stored) = self.last_checksum()?;
        let written = [("suma", stored.suma()), ("sumb", stored.sumb())];
        let differs =
            written.into_iter().any(|(name, sum)| sum.is_some_and(|sum| text.value(name) != Some(form(sum))));
        differs.then_some(offset)
    }

    /// The last checksum is that of other data.
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

    /// The file ends inside the data of the field.
    pub fn ends_inside_data(&self) -> bool {
        let is_last = self.records().last().is_some_and(|last| last.record.offset == self.data());
        is_last && self.finding(&["lime-payload-truncated"]).is_some()
    }

    /// A finding with one of these rules.
    pub fn finding(&self, rules: &[&str]) -> Option<u64> {
        Some(self.findings.iter().find(|finding| rules.contains(&finding.rule))?.offset)
    }

    /// The largest deviation from unitarity is above this.
    pub fn is_further_from_unitary(&self, than: f64) -> bool {
        self.field.measured.as_ref().is_some_and(|measured| measured.max_unitarity_deviation > than)
    }

    /// The record of this type has plaquette or link trace that differ from those of the data by this or more.
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
