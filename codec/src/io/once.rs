//! The use of data that are delivered once, of a field or of an archive, and the verdict on them.

use super::error::ReadError;
use super::frame::Delivery;

/// Use of the data so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Untouched,
    /// A call delivers them, or was interrupted.
    Delivered,
    /// They were delivered to their end, or skipped.
    Over,
}

/// The use of data that can be read once, and their verdict as soon as it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Once<V> {
    used: Use,
    pub(super) verdict: Option<V>,
}

impl<V: Copy> Once<V> {
    pub(super) const START: Self = Self { used: Use::Untouched, verdict: None };

    /// Begins a call that delivers the data. A call that was interrupted before it had delivered anything can be
    /// repeated. Returns false if the data were delivered before, or skipped.
    pub(super) fn begin(&mut self) -> bool {
        if self.used == Use::Over {
            return false;
        }
        self.used = Use::Delivered;
        true
    }

    /// Nothing of the data is delivered from here on.
    pub(super) const fn give_up(&mut self) {
        self.used = Use::Over;
    }

    /// True while a call delivers the data.
    pub(super) fn is_delivered(&self) -> bool {
        self.used == Use::Delivered
    }

    /// A call that delivers the data, if this is one, is complete: it is interrupted only if the source fails, or if its
    /// future is dropped.
    pub(super) fn complete(&mut self, delivery: &mut Delivery) {
        if self.is_delivered() {
            self.give_up();
            delivery.end();
        }
    }

    /// The verdict, which all data have, at the end of the file at the latest.
    pub(super) fn final_verdict<E, K>(&self) -> Result<V, ReadError<E, K>> {
        self.verdict.ok_or(ReadError::NoProgress)
    }
}
