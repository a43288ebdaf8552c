//! The use of data that are delivered once, of a field or of an archive, and the verdict on them.

use super::error::ReadError;
use super::findings::Findings;
use super::frame::Delivery;

/// Use of the data so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Untouched,
    /// A call delivers them, or was interrupted.
    Delivered,
    /// They were delivered to their end, or skipped.
    Done,
}

/// The data have been read, or are being read.
pub(super) struct AlreadyRead;

/// The part of the data that has been delivered, their verdict, and the findings of the whole file.
#[derive(Debug)]
pub(super) struct Once<V, K> {
    access: Access,
    /// Amount delivered, in bytes of the file.
    pub(super) delivery: Delivery,
    pub(super) verdict: Option<V>,
    pub(super) findings: Findings<K>,
}

impl<V: Copy, K: Copy> Once<V, K> {
    pub(super) const START: Self =
        Self { access: Access::Untouched, delivery: Delivery::NONE, verdict: None, findings: Findings::NONE };

    /// Other data begin.
    pub(super) const fn restart(&mut self) {
        (self.access, self.verdict) = (Access::Untouched, None);
        self.delivery.end();
    }

    /// Begins a call that delivers the data. A call that was interrupted before it had delivered anything can be
    /// repeated.
    pub(super) fn begin<E>(&mut self) -> Result<Result<(), AlreadyRead>, ReadError<E, K>> {
        self.delivery.begin()?;
        if self.access == Access::Done {
            return Ok(Err(AlreadyRead));
        }
        self.access = Access::Delivered;
        Ok(Ok(()))
    }

    /// Nothing of the data is delivered from here on.
    pub(super) const fn give_up(&mut self) {
        self.access = Access::Done;
    }

    /// True while a call delivers the data.
    pub(super) fn is_delivered(&self) -> bool {
        self.access == Access::Delivered
    }

    /// A call that delivers the data, if this is one, is complete: it is interrupted only if the source fails, or if its
    /// future is dropped.
    pub(super) fn complete(&mut self) {
        if self.is_delivered() {
            self.access = Access::Done;
            self.delivery.end();
        }
    }

    /// The verdict, which all data have, at the end of the file at the latest.
    pub(super) fn settled<E>(&self) -> Result<V, ReadError<E, K>> {
        self.verdict.ok_or(ReadError::NoProgress)
    }
}
