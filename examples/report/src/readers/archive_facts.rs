//! What the rules ask about a NERSC archive or a MILC file.

use linkstream::lattice::{ByteOrder, Precision};

use crate::archive::{Agreement, Contents, Shape};
use crate::findings::Finding;
use crate::lime::{Computed, Noted, Quantity};

/// An archive whose header could be read.
#[derive(Debug, Clone, Copy)]
pub struct ArchiveFacts<'c> {
    contents: &'c Contents,
    findings: &'c [Finding],
    shape: Shape,
}

impl<'c> ArchiveFacts<'c> {
    /// `None` if the header could not be read.
    pub fn of(contents: &'c Contents, findings: &'c [Finding]) -> Option<Self> {
        Some(Self { contents, findings, shape: contents.shape? })
    }

    /// The offset of the header, if something is so.
    pub fn when(&self, is_so: bool) -> Option<u64> {
        is_so.then_some(0)
    }

    /// The offset of the data, if something is so.
    pub fn where_data(&self, is_so: bool) -> Option<u64> {
        is_so.then_some(self.shape.data_at)
    }

    /// The value of a header line.
    pub fn value(&self, key: &str) -> Option<&'c str> {
        let (_, value) = self.contents.header.iter().find(|(name, _)| name == key)?;
        Some(value.trim())
    }

    /// One of these lines is missing.
    pub fn lacks(&self, keys: &[&str]) -> Option<u64> {
        self.when(keys.iter().any(|key| self.value(key).is_none()))
    }

    /// The form of the numbers, if it is one of these.
    pub fn is_floating_point(&self, forms: &[&str]) -> bool {
        self.value("FLOATING_POINT").is_some_and(|form| forms.contains(&form))
    }

    /// The header says how numbers are stored, but not in which byte order, or nothing, and this is the order of the
    /// data.
    pub fn is_silently(&self, order: ByteOrder) -> bool {
        let is_silent = self.value("FLOATING_POINT").is_none_or(|form| ["IEEE32", "IEEE64"].contains(&form));
        is_silent && self.shape.order == Some(order)
    }

    /// Numbers are little endian, or of double precision without a byte order in the header.
    pub fn is_neither_big_single_nor_named_double(&self) -> bool {
        self.is_floating_point(&["IEEE64", "IEEE32LITTLE", "IEEE64LITTLE"])
            || self.is_silently(ByteOrder::Little)
    }

    /// A line of the header is so.
    pub fn any_line(&self, is_so: impl Fn(&str, &str) -> bool) -> Option<u64> {
        self.when(self.contents.header.iter().any(|(key, value)| is_so(key, value)))
    }

    pub const fn is_single(&self) -> bool {
        matches!(self.shape.precision, Precision::F32)
    }

    pub const fn has_site_list(&self) -> bool {
        self.shape.has_site_list
    }

    /// The stored checksum is not that of the data, which were read.
    pub fn has_wrong_checksum(&self) -> bool {
        self.contents.agreement == Some(Agreement::Mismatch)
    }

    /// The largest deviation from unitarity is above this.
    pub fn is_further_from_unitary(&self, than: f64) -> bool {
        self.contents.measured.as_ref().is_some_and(|measured| measured.max_unitarity_deviation > than)
    }

    /// A figure of the header differs from that of the data by more than its program tolerates: `tolerance` is called
    /// with the quantity, the text and the figure of the data.
    pub fn differs(&self, tolerance: impl Fn(Quantity, &str, f64) -> f64) -> Option<u64> {
        let differs =
            self.contents.recorded.iter().any(|recorded| match (recorded.note.value, recorded.computed) {
                (Noted::Number { value, .. }, Some(Computed::Number { value: computed, .. })) => {
                    (value - computed).abs()
                        > tolerance(recorded.note.quantity, &recorded.note.text, computed)
                }
                _ => false,
            });
        self.when(differs)
    }

    /// A finding with one of these rules.
    pub fn finding(&self, rules: &[&str]) -> Option<u64> {
        Some(self.findings.iter().find(|finding| rules.contains(&finding.rule))?.offset)
    }

    /// Number of lines of the header, as far as they are kept.
    pub fn lines(&self) -> usize {
        self.contents.header.len()
    }
}
