//! Checksum records that do not follow their data in the same message: in a message of their own (CL2QCD, SIMULATeQCD),
//! in a message without an end flag (GLU), or before the data (tmLQCD reads records in any order).
//!
//! A checksum record belongs to the nearest field without one: to the field before it, if that has none, else to the next
//! field. A second one in the message of a field or of its checksum belongs to no field: a field after it would be called
//! wrong because of a record that is not its own. Data that nothing describes have their checksum record like a field,
//! without a verdict. Only the order of the records decides, not the data, so that the same is reported if data are
//! skipped.
//!
//! | state | invariant |
//! |---|---|
//! | `has_field` | the last field, whose checksum is still in `data`, has got the verdict `Absent` or `Unchecked` at the end of its message, or the last data are not described, and no checksum record has come since |
//! | `waiting` | the last checksum record belongs to the next field, unless that has one of its own; or this message has a field with its checksum, or either |
//!
//! Never both: a record that comes while `has_field` is set belongs to that field.

use crate::error::Error;
use crate::field::error::ErrorKind;
use crate::lattice::Checksum;
use crate::lime::HEADER_LEN;
use crate::scidac::StoredChecksum;
use crate::state::saved;

/// A checksum record for data that have not come yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Waiting {
    No,
    /// The record could not be read: data that it belongs to are not compared.
    Unreadable,
    Sums,
    /// No record waits, nor will another one of this message.
    Never,
}

saved!(enum Waiting: No, Unreadable, Sums, Never);

/// The field and the checksum record that have not been compared; see the table above.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Apart {
    has_field: bool,
    waiting: Waiting,
    sums: StoredChecksum,
    /// Absolute offset of the last checksum record that waits, or was compared.
    at: u64,
    /// The last verdict compares with the record at `at`, or would if the data had been read and the record were readable.
    compared: bool,
}

saved!(struct Apart { has_field, waiting, sums, at, compared });

/// The stored sums. In place of a sum that is not stored comes the computed one, so that it never differs.
pub(super) fn completed(stored: &StoredChecksum, computed: Checksum) -> Checksum {
    Checksum { suma: stored.suma().unwrap_or(computed.suma), sumb: stored.sumb().unwrap_or(computed.sumb) }
}

impl Apart {
    pub(super) const NONE: Self =
        Self { has_field: false, waiting: Waiting::No, sums: StoredChecksum::EMPTY, at: 0, compared: false };

    /// True if a checksum record that comes now belongs to the field before it.
    pub(super) const fn has_field(&self) -> bool {
        self.has_field
    }

    /// True if a checksum record has come that belongs to the next data without one.
    pub(super) const fn waits(&self) -> bool {
        matches!(self.waiting, Waiting::Unreadable | Waiting::Sums)
    }

    /// Returns whether the fields of a loaded state agree with each other.
    pub(super) const fn is_consistent(&self) -> bool {
        !(self.has_field && self.waits())
    }

    /// Other data begin: the next checksum record does not belong to the field before them.
    pub(super) fn begin_data(&mut self, is_described: bool) {
        if !is_described && self.waits() {
            // The record before these data is their own, and is not compared.
            *self = Self { waiting: Waiting::Never, ..Self::NONE };
        } else {
            self.has_field = !is_described;
            self.end_message();
        }
    }

    /// A checksum record that comes now is in another message than those before.
    pub(super) fn end_message(&mut self) {
        if self.waiting == Waiting::Never {
            self.waiting = Waiting::No;
        }
    }

    /// Absolute offset of the checksum record of the last verdict.
    pub(super) const fn compared_at(&self) -> Option<u64> {
        if self.compared { Some(self.at) } else { None }
    }

    /// The checksum record at this offset is the one of the last field. No other record waits for data.
    pub(super) fn compare_at(&mut self, at: u64) {
        *self = Self { at, compared: true, waiting: Waiting::Never, ..Self::NONE };
    }

    /// Takes a complete checksum record. Returns true if it belongs to the data before it; else it waits for data, or
    /// belongs to none.
    pub(super) fn take(&mut self, is_spoilt: bool, stored: &StoredChecksum, at: u64) -> bool {
        let has_field = self.has_field;
        if has_field {
            self.compare_at(at);
        } else if self.waiting == Waiting::No {
            // Of several records before the data, the first one counts.
            self.waiting = if is_spoilt { Waiting::Unreadable } else { Waiting::Sums };
            self.sums.clone_from(stored);
            (self.at, self.compared) = (at, false);
        }
        has_field
    }

    /// The message of a field is over, or other data begin. Returns whether a checksum record belongs to the field; its
    /// sums replace the ones in `stored`. Without one, a record that follows belongs to the field.
    pub(super) fn settle(&mut self, stored: &mut StoredChecksum) -> Waiting {
        let waiting = self.waiting;
        if waiting == Waiting::Sums {
            stored.clone_from(&self.sums);
        }
        let has_field = !self.waits();
        *self = Self { has_field, at: self.at, compared: !has_field, ..Self::NONE };
        waiting
    }

    /// The error of the waiting record, if data with this checksum are its own.
    pub(super) fn contradicts(&self, computed: Checksum) -> Option<Error<ErrorKind>> {
        let stored = completed(&self.sums, computed);
        let differs = self.waiting == Waiting::Sums && stored != computed;
        let payload = self.at.saturating_add(HEADER_LEN as u64);
        differs.then(|| Error::new(payload, ErrorKind::ChecksumMismatch { computed, stored }))
    }
}
