//! Converts stored links to links with all rows, while their bytes are read.

use linkstream::lattice::ByteOrder;
use linkstream::nersc::{LinkFormat, StoredRows};
use linkstream_memory as memory;

/// Takes bytes of stored links, which may end anywhere, and collects whole links.
#[derive(Debug)]
pub(super) struct WholeLinks {
    format: LinkFormat,
    /// The stored bytes of an incomplete link.
    stored: Vec<u8>,
    whole: Vec<u8>,
}

impl WholeLinks {
    pub(super) const fn new(format: LinkFormat) -> Self {
        Self { format, stored: Vec::new(), whole: Vec::new() }
    }

    /// The stored format of the links.
    pub(super) const fn format(&self) -> LinkFormat {
        self.format
    }

    /// The links that have not been removed yet: big endian, with all rows.
    pub(super) const fn whole(&mut self) -> &mut Vec<u8> {
        &mut self.whole
    }

    /// Processes the next stored bytes. They may end anywhere.
    pub(super) fn feed(&mut self, mut bytes: &[u8]) {
        let size = self.format.length();
        if !self.stored.is_empty() {
            let missing = size.saturating_sub(self.stored.len());
            let (first, rest) = bytes.split_at_checked(missing).unwrap_or((bytes, &[]));
            self.stored.extend_from_slice(first);
            bytes = rest;
            if self.stored.len() < size {
                return;
            }
            let stored = std::mem::take(&mut self.stored);
            self.links(&stored);
        }
        let whole = bytes.len().saturating_sub(bytes.len().checked_rem(size).unwrap_or(0));
        let (links, rest) = bytes.split_at_checked(whole).unwrap_or((bytes, &[]));
        self.links(links);
        self.stored.extend_from_slice(rest);
    }

    fn links(&mut self, stored: &[u8]) {
        let (end, size) = (self.whole.len(), self.format.whole_length());
        if self.format.rows == StoredRows::Full && self.format.order == ByteOrder::Big {
            memory::unwinding::extend(&mut self.whole, stored);
            return;
        }
        let stored = stored.chunks_exact(self.format.length());
        let room = stored.len().saturating_mul(size);
        memory::unwinding::resize(&mut self.whole, end.saturating_add(room));
        for (stored, whole) in
            stored.zip(self.whole.get_mut(end..).unwrap_or_default().chunks_exact_mut(size))
        {
            // This cannot fail: both slices have the lengths that the format requires.
            let _ = self.format.to_whole(stored, whole);
        }
    }
}
