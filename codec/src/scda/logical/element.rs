//! A part of an element that has been decompressed.

/// A part of a compressed element that has been decompressed. Only the `Unpacker` (feature `inflate`) reports it,
/// and has its bytes.
///
/// ```
/// use linkstream::scda::logical::Element;
///
/// let part = Element { index: 0, size: 40_000, offset: 32_768, length: 7_232 };
/// assert!(part.is_complete());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Element {
    /// Number of the element in its section, from 0.
    pub index: u64,
    /// Size of the element in bytes.
    pub size: u64,
    /// Number of its bytes before this part.
    pub offset: u64,
    /// Length of this part in bytes.
    pub length: usize,
}

impl Element {
    /// Whether the element is complete with this part.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        // The fields are public: their sum need not fit.
        self.offset.saturating_add(self.length as u64) == self.size
    }
}
