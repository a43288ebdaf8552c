//! Payloads that are read a part at a time, and what comes of reading two of them side by side.

use crate::bytes::{keep, prefix, suffix, suffix_mut};
use crate::counter::{Counter as _, at_most};
use crate::error::Error;
use crate::field::Field;
use crate::lime::Record;
use crate::volume::{ErrorKind, SitesRead};

/// A site list and data that have been joined, as far as they go.
#[derive(Debug, Default)]
pub(super) struct Joined {
    pub(super) sites: SitesRead,
    /// Bytes of the data that were read.
    pub(super) read: u64,
    pub(super) fault: Option<ErrorKind>,
    /// The source ends before the data do.
    pub(super) is_truncated: bool,
    /// The callback has ended it.
    pub(super) is_stopped: bool,
}

impl Joined {
    /// The sites.
    pub(super) fn result(self, field: &Field) -> Result<SitesRead, Error<ErrorKind>> {
        match self.fault {
            Some(kind) => Err(Error::new(field.record.offset, kind)),
            None => Ok(self.sites),
        }
    }
}

/// The part of a payload that lies in a buffer.
#[derive(Debug)]
pub(super) struct Window {
    /// Absolute offset of the first byte that has not been read.
    at: u64,
    left: u64,
    /// Bytes of the buffer that are not consumed.
    from: usize,
    to: usize,
}

impl Window {
    pub(super) const fn of(record: &Record) -> Self {
        Self { at: record.payload_offset(), left: record.length, from: 0, to: 0 }
    }

    /// What is in the buffer.
    pub(super) fn bytes<'l>(&self, buffer: &'l [u8]) -> &'l [u8] {
        suffix(prefix(buffer, self.to), self.from)
    }

    pub(super) fn consume(&mut self, n: usize) {
        self.from = self.from.plus(n);
    }

    /// Whether nothing is left after what is in the buffer.
    pub(super) const fn is_read(&self) -> bool {
        self.left == 0
    }

    /// Where the next bytes are, and the room for them after those that are not consumed. `None` without a buffer.
    pub(super) fn room<'n>(&mut self, buffer: &'n mut [u8]) -> Option<(u64, &'n mut [u8])> {
        if buffer.is_empty() {
            return None;
        }
        keep(buffer, self.from..self.to);
        (self.from, self.to) = (0, self.to.minus(self.from));
        let n = at_most(self.left, buffer.len().minus(self.to));
        Some((self.at, prefix_of(suffix_mut(buffer, self.to), n)))
    }

    /// So many bytes have been read into that room.
    pub(super) fn filled(&mut self, n: usize) {
        self.to = self.to.plus(n);
        self.at = self.at.saturating_add(n as u64);
        self.left = self.left.minus(n as u64);
    }
}

/// At most the first `n` bytes.
fn prefix_of(bytes: &mut [u8], n: usize) -> &mut [u8] {
    let n = n.min(bytes.len());
    bytes.get_mut(..n).unwrap_or_default()
}
