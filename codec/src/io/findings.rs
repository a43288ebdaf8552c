//! The findings that a reader has met.

use crate::error::Error;

/// Broken rules and remarks that the mode does not refuse: their number, and the first and the last of them. A
/// [`Reader`](super::Reader) reports each one as an event.
///
/// # Example
/// ```
/// use linkstream::Mode;
/// use linkstream::io::{Findings, RecordReader};
/// use linkstream::lime::{Decoder, ErrorKind, Header};
///
/// // The only record does not end its message.
/// let file = *Header::new(b"type", 0, true, false)?.as_bytes();
/// let mut buffer = [0; 64];
/// let mut records = RecordReader::with_decoder(&file[..], &mut buffer, Decoder::new(Mode::Survey));
/// while records.next_record()?.is_some() {}
/// let Findings { count, first, last, .. } = *records.findings();
/// assert!(count == 1 && first == last && first.is_some_and(|error| error.kind == ErrorKind::MessageOpen));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Findings<K> {
    /// Number of findings.
    pub count: u64,
    /// The first one.
    pub first: Option<Error<K>>,
    /// The last one so far.
    pub last: Option<Error<K>>,
}

impl<K: Copy> Findings<K> {
    pub(super) const NONE: Self = Self { count: 0, first: None, last: None };

    pub(super) fn note(&mut self, finding: Error<K>) {
        self.count = self.count.saturating_add(1);
        self.first = self.first.or(Some(finding));
        self.last = Some(finding);
    }
}
