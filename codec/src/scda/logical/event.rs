//! What the decoder tells: logical sections, and where their bytes lie.

use super::error::ErrorKind;
use crate::error::Error;
use crate::scda::count::Count;
use crate::scda::section::{self, SectionType};
#[cfg(feature = "inflate")]
use crate::scda::unpack::Element;
use crate::state::saved;

/// A section as its writer meant it, compressed or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Section {
    /// Absolute offset of its first byte; of the first half, if it is compressed.
    pub offset: u64,
    /// Its type.
    pub section_type: SectionType,
    /// Elements of an array; 0 for other types.
    pub n: Count,
    /// Bytes of a block, or of each element of a fixed-size array, before compression; 0 for other types.
    pub e: Count,
    /// The raw section that holds the data: the second half of a compressed section.
    pub raw: section::Section,
}

saved!(struct Section { offset, section_type, n, e, raw });

impl Section {
    /// A section that stands as it was meant.
    pub(super) const fn plain(raw: section::Section) -> Self {
        Self { offset: raw.offset, section_type: raw.section_type, n: raw.n, e: raw.e, raw }
    }

    /// Whether the data are the text of compressed elements.
    #[must_use]
    pub const fn is_compressed(&self) -> bool {
        self.offset != self.raw.offset
    }

    /// Whether all its elements have `e` bytes, which are told before them.
    #[cfg(feature = "inflate")]
    pub(crate) const fn has_one_size(&self) -> bool {
        matches!(self.section_type, SectionType::Block | SectionType::Array)
    }

    /// Elements of which it consists: those of an array, 1 for a block or an inline section.
    #[must_use]
    pub const fn elements(&self) -> Count {
        match self.section_type {
            SectionType::Header => Count::ZERO,
            SectionType::Inline | SectionType::Block => Count::ONE,
            SectionType::Array | SectionType::Varray => self.n,
        }
    }
}

/// What a step of the [`Decoder`](super::Decoder) can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Event {
    /// The first half of a compressed section of this type is recognised. Of a variable array the sizes follow
    /// now, before the compression; then [`Event::Section`]. Where a `U` entry is wrong, a finding is
    /// all that is told of the first half, and the second is told by itself.
    Compressed(SectionType),
    /// A section's head and counts are complete; its user string is in the [`Decoder`](super::Decoder).
    Section(Section),
    /// The next element of a variable array has so many bytes; of a compressed one, before compression.
    Size(u64),
    /// The text of the next compressed element of an array has so many bytes. All sizes come before the texts.
    TextSize(u64),
    /// The bytes consumed by this step are data as they were meant.
    Data,
    /// The bytes consumed by this step are the text of compressed elements, one after the other.
    Text,
    /// A part of an element has been unpacked, by the [`Unpacker`](crate::scda::Unpacker) only.
    #[cfg(feature = "inflate")]
    Element(Element),
    /// The section is done with.
    End,
    /// Something worth telling that the [`Mode`](crate::Mode) does not refuse. Reading goes on.
    Finding(Error<ErrorKind>),
}
