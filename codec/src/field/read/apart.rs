//! Checksum records that do not follow their data in the same message: in a message of their own (CL2QCD, SIMULATeQCD),
//! in a message without an end flag (GLU), or before the data (tmLQCD reads records in any order).
//!
//! | state | invariant |
//! |---|---|
//! | `field` | the last field, if its message is over and no checksum record has been compared with it; `Some(None)` if its data were skipped |
//! | `waiting` | the last checksum record, if it is not the one of a field before it: it can belong to data that follow, and to `field` if that is there |
//!
//! A checksum record is compared with the nearest field without one: first with the field before it. If it differs, it
//! may still belong to the next field. When that field has a checksum of its own, or differs too, or the file ends, the
//! record contradicts the data that it belongs to, whichever these are.

use super::decoder::{Decoder, Signal};
use crate::error::Error;
use crate::field::error::ErrorKind;
use crate::lattice::Checksum;
use crate::lime::HEADER_LEN;
use crate::scidac::StoredChecksum;
use crate::state::saved;

/// A checksum record for data that are not known yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Waiting {
    #[default]
    No,
    /// The record could not be read: data that it belongs to are not compared.
    Unreadable,
    Sums,
}

saved!(enum Waiting: No, Unreadable, Sums);

/// The field and the checksum record that have not been compared; see the table above.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Apart {
    has_field: bool,
    field: Option<Checksum>,
    waiting: Waiting,
    sums: StoredChecksum,
    /// Absolute offset of the checksum record.
    at: u64,
}

saved!(struct Apart { has_field, field, waiting, sums, at });

/// The stored sums. In place of a sum that is not stored comes the computed one, so that it never differs.
pub(super) fn completed(stored: &StoredChecksum, computed: Checksum) -> Checksum {
    Checksum { suma: stored.suma().unwrap_or(computed.suma), sumb: stored.sumb().unwrap_or(computed.sumb) }
}

impl Apart {
    /// True if a checksum record may belong to the next data.
    pub(super) const fn waits(&self) -> bool {
        !matches!(self.waiting, Waiting::No)
    }

    /// True if a checksum record that comes now can belong to the field before it.
    pub(super) const fn has_field(&self) -> bool {
        self.has_field
    }

    /// The field's message is over, and no checksum record has been compared with it.
    pub(super) const fn leave(&mut self, computed: Option<Checksum>) {
        (self.has_field, self.field) = (true, computed);
    }

    /// The next checksum record cannot belong to a field before it.
    pub(super) const fn forget_field(&mut self) {
        (self.has_field, self.field) = (false, None);
    }

    fn wait(&mut self, waiting: Waiting, sums: &StoredChecksum, at: u64) {
        if self.waiting == Waiting::No {
            self.waiting = waiting;
            self.sums.clone_from(sums);
            self.at = at;
        }
    }

    /// The error of the waiting record, if it can belong only to the field before it.
    pub(super) fn contradicts_field(&self) -> Option<Error<ErrorKind>> {
        self.field.filter(|_| self.has_field).and_then(|computed| self.contradicts(computed))
    }

    /// The error of the waiting record, if it belongs to data with this checksum.
    pub(super) fn contradicts(&self, computed: Checksum) -> Option<Error<ErrorKind>> {
        let stored = completed(&self.sums, computed);
        let differs = self.waiting == Waiting::Sums && stored != computed;
        let payload = self.at.saturating_add(HEADER_LEN as u64);
        differs.then(|| Error::new(payload, ErrorKind::ChecksumMismatch { computed, stored }))
    }
}

impl Decoder {
    /// A checksum record is complete that follows no data in its message, or cannot be read. Returns the verdict on the
    /// field that it belongs to.
    pub(super) fn take_apart(&mut self, is_spoilt: bool) -> Option<Signal> {
        let at = self.lime.record().offset;
        let waiting = if is_spoilt { Waiting::Unreadable } else { Waiting::Sums };
        if !is_spoilt && self.stored.suma().is_none() && self.stored.sumb().is_none() {
            return None; // QIO stores no sums if one of them is zero.
        }
        if !self.apart.has_field {
            self.apart.wait(waiting, &self.stored, at);
            return None;
        }
        let signal = match self.apart.field {
            Some(computed) if !is_spoilt => {
                if completed(&self.stored, computed) != computed {
                    self.apart.wait(waiting, &self.stored, at);
                    return None;
                }
                self.matched()
            }
            _ => Signal::Unchecked,
        };
        self.apart.forget_field();
        self.compared = Some(at);
        Some(signal)
    }

    /// The verdict on a field, when its message is over or other data begin.
    pub(super) fn settle_apart(&mut self) -> Option<Signal> {
        let computed = self.unsettled()?.checksum();
        self.unsettled = false;
        self.compared = self.apart.waits().then_some(self.apart.at);
        let signal = match (self.apart.waiting, computed) {
            (Waiting::No, None) | (Waiting::Unreadable, _) | (Waiting::Sums, None) => Signal::Unchecked,
            (Waiting::No, Some(_)) => Signal::Absent,
            (Waiting::Sums, Some(computed)) => {
                self.stored.clone_from(&self.apart.sums);
                if self.apart.contradicts(computed).is_some() { Signal::Mismatch } else { self.matched() }
            }
        };
        self.apart = Apart::default();
        // A record that follows can still agree.
        if matches!(signal, Signal::Absent | Signal::Mismatch) || self.compared.is_none() {
            self.apart.leave(computed);
        }
        Some(signal)
    }

    /// The verdict at the end of the file on a field that a checksum record after it contradicts.
    pub(super) fn settle_at_end(&mut self) -> Option<Signal> {
        self.apart.contradicts_field()?;
        self.stored.clone_from(&self.apart.sums);
        self.compared = Some(self.apart.at);
        self.apart = Apart::default();
        Some(Signal::Mismatch)
    }

    /// The verdict if the stored sums equal the computed ones.
    pub(super) fn matched(&self) -> Signal {
        if self.stored.checksum().is_some() { Signal::Match } else { Signal::Absent }
    }
}
