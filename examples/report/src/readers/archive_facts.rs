//! The conditions of rules about a NERSC archive or a MILC file.
//!
//! A condition that returns an `Option<u64>` returns an offset for the message if it is true.

use linkstream::lattice::{ByteOrder, Precision};

use linkstream_access::archive::Shape;

use crate::archive::{Agreement, Contents};
use crate::findings::Finding;
use crate::lime::{Computed, Noted, Quantity};

/// The facts about an archive whose header could be read.
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

    /// The offset of the header, if `is_so`.
    pub fn when(&self, is_so: bool) -> Option<u64> {
        is_so.then_some(0)
    }

    /// The offset of the data, if `is_so`.
    pub fn where_data(&self, is_so: bool) -> Option<u64> {
        is_so.then_some(self.shape.data_at)
    }

    /// The value of a header line.
    pub fn value(&self, key: &str) -> Option<&'c str> {
        let (_, value) = self.contents.header.iter().find(|(name, _)| name == key)?;
        Some(value.trim())
    }

    /// One of these header lines is missing.
    pub fn lacks(&self, keys: &[&str]) -> Option<u64> {
        self.when(keys.iter().any(|key| self.value(key).is_none()))
    }

    /// True if the header has one of these forms of numbers.
    pub fn is_floating_point(&self, forms: &[&str]) -> bool {
        self.value("FLOATING_POINT").is_some_and(|form| forms.contains(&form))
    }

    /// True if the data have this byte order and the header does not name it: it has a form of numbers without byte
    /// order, or none.
    pub fn is_silently(&self, order: ByteOrder) -> bool {
        let is_silent = self.value("FLOATING_POINT").is_none_or(|form| ["IEEE32", "IEEE64"].contains(&form));
        is_silent && self.shape.order == Some(order)
    }

    /// True if the numbers are little endian, or the header has double precision without a byte order.
    pub fn is_neither_big_single_nor_named_double(&self) -> bool {
        self.is_floating_point(&["IEEE64", "IEEE32LITTLE", "IEEE64LITTLE"])
            || self.is_silently(ByteOrder::Little)
    }

    /// A line of the header satisfies `is_so`.
    pub fn any_line(&self, is_so: impl Fn(&str, &str) -> bool) -> Option<u64> {
        self.when(self.contents.header.iter().any(|(key, value)| is_so(key, value)))
    }

    pub const fn is_single(&self) -> bool {
        matches!(self.shape.precision, Precision::F32)
    }

    pub const fn has_site_list(&self) -> bool {
        self.shape.has_site_list
    }

    /// True if the data were read and do not have the stored checksum.
    pub fn has_wrong_checksum(&self) -> bool {
        self.contents.agreement == Some(Agreement::Mismatch)
    }

    /// True if the largest deviation from unitarity is larger than this.
    pub fn is_further_from_unitary(&self, than: f64) -> bool {
        self.contents.measured.as_ref().is_some_and(|measured| measured.max_unitarity_deviation > than)
    }

    /// An observable in the header differs from the computed value by more than `tolerance`. This function is called
    /// with the quantity, the text in the header and the computed value.
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

    /// Number of lines of the header that were kept.
    pub fn lines(&self) -> usize {
        self.contents.header.len()
    }
}
