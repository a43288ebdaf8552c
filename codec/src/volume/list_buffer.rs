//! A site list in a buffer of the caller, for sources that cannot seek.

use crate::bytes::{copy, prefix, suffix_mut};
use crate::counter::Counter as _;

/// The site list does not fit into the buffer.
///
/// ```
/// use linkstream::volume::ListBuffer;
///
/// let mut buffer = [0; 8];
/// assert_eq!(ListBuffer::new(&mut buffer).begin(100).map_err(|error| error.needed), Err(100));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct ListTooLong {
    /// The required length of the buffer in bytes. A claim of the file: see [`Limits::check`](crate::Limits::check).
    pub needed: u64,
}

impl core::fmt::Display for ListTooLong {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "the buffer is too small: the site list takes {} bytes", self.needed)
    }
}

impl core::error::Error for ListTooLong {}

/// Keeps the site list of a volume until its data have been read. Not needed if the source can seek.
///
/// ```
/// use linkstream::volume::ListBuffer;
///
/// let mut buffer = [0; 8];
/// let mut list = ListBuffer::new(&mut buffer);
/// // At the record of the list, and with its bytes as they come.
/// list.begin(8)?;
/// list.take(&[0, 0, 0]);
/// list.take(&[1, 0, 0, 0, 2]);
/// assert_eq!(list.entries(), [0, 0, 0, 1, 0, 0, 0, 2]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ListBuffer<'b> {
    buffer: &'b mut [u8],
    filled: usize,
}

impl<'b> ListBuffer<'b> {
    /// An empty list in this buffer.
    pub const fn new(buffer: &'b mut [u8]) -> Self {
        Self { buffer, filled: 0 }
    }

    /// Begins a list of `length` bytes.
    ///
    /// # Errors
    /// [`ListTooLong`], with the required length of the buffer.
    pub fn begin(&mut self, length: u64) -> Result<(), ListTooLong> {
        self.filled = 0;
        if length > self.buffer.len() as u64 { Err(ListTooLong { needed: length }) } else { Ok(()) }
    }

    /// Takes the next bytes of the list. Bytes beyond the length passed to [`begin`](Self::begin) are discarded if
    /// there is no room for them.
    pub fn take(&mut self, bytes: &[u8]) {
        let n = copy(suffix_mut(self.buffer, self.filled), bytes);
        self.filled.increase(n);
    }

    /// The bytes of the list so far.
    #[must_use]
    pub fn entries(&self) -> &[u8] {
        prefix(self.buffer, self.filled)
    }
}
