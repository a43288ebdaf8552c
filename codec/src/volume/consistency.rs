//! Which saved states an encoder of a volume can be in: part and phase determine what is missing.

use super::encoder::{Encoder, Phase};
use crate::field::write::message::Part;

impl Encoder {
    /// Whether the fields agree with each other, as far as what is written next depends on it. The message is not part
    /// of the state: what contradicts it is an error when it is written.
    pub(super) fn is_consistent(&self) -> bool {
        let is_open = !matches!(self.phase, Phase::Idle | Phase::Header | Phase::ListHeader);
        // A record is written from its first byte to its last. What is missing is asked of an open record only.
        let in_order = || !is_open || self.lime.room() == self.lime.missing();
        self.lime.is_consistent()
            && self.lime.record_is_open() == is_open
            && in_order()
            && self.inventory.is_consistent()
            && self.missing_fits()
    }

    /// Whether as many entries or sites are missing as bytes.
    fn missing_fits(&self) -> bool {
        let bytes_per_site = self.field.map_or(0, |field| field.bytes_per_site);
        let (size, length) = match (self.phase, self.part) {
            (Phase::Entries, _) => (self.width.bytes() as u64, self.lime.missing()),
            (Phase::Sites, _) => (bytes_per_site, self.lime.missing()),
            // Their record comes later.
            (Phase::ListHeader, _) | (_, Part::PrivateFile) => (1, self.sites),
            (_, Part::PrivateRecord | Part::RecordXml | Part::Data) => {
                (bytes_per_site, self.field.map_or(0, |field| field.record.length))
            }
            _ => return true,
        };
        self.missing.checked_mul(size) == Some(length)
    }
}
