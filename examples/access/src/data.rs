//! The data of a field, wherever they are: in one place of a source, or in the volumes of a set.

use std::ops::Range;

use crate::source::{ReadAtError, Source, fill};

/// The data of a field, which can be read at any offset.
pub trait Data: Sync {
    /// Reason why the source failed.
    type Error: embedded_io::Error + Send;

    /// Fills `out` with this range of the data, which consists of whole sites.
    ///
    /// # Errors
    /// The source failed, or ends before the last of the bytes.
    fn fill(&self, range: &Range<u64>, out: &mut [u8]) -> Result<(), ReadAtError<Self::Error>>;

    /// Number of places to read from in turn; see [`Source::places`].
    fn places(&self) -> u64 {
        1
    }
}

/// Data that are contiguous in a source.
#[expect(missing_debug_implementations, reason = "sources need not implement it")]
pub struct Contiguous<'p, E> {
    pub source: &'p dyn Source<Error = E>,
    /// Offset of the first byte.
    pub start: u64,
}

impl<E: embedded_io::Error + Send> Data for Contiguous<'_, E> {
    type Error = E;

    fn fill(&self, range: &Range<u64>, out: &mut [u8]) -> Result<(), ReadAtError<E>> {
        fill(self.source, self.start.saturating_add(range.start), out)
    }

    fn places(&self) -> u64 {
        self.source.places()
    }
}
