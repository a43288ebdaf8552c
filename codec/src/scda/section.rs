//! Sections (scda 2.2 to 2.6 and 3), and the magic and version at the beginning of a file (2.2).

use super::count::{COUNT_LEN, Count};
use super::padding::data_padding;
use crate::state::saved;

/// The first five bytes of every file. Two hexadecimal digits follow, which are the version.
pub const MAGIC: [u8; 5] = *b"scdat";
/// The only version of the format.
pub const VERSION: u8 = 0xa0;
/// Length in bytes of the letter and the user string of a section, padding included.
pub const HEAD_LEN: usize = 64;
/// Maximum length of a user string in bytes.
pub const MAX_USER_LEN: usize = 58;
/// Maximum length of a vendor string in bytes.
pub const MAX_VENDOR_LEN: usize = 20;
/// Length of the data of an inline section in bytes.
pub const INLINE_LEN: usize = 32;

/// The five types of sections. The list is complete: another type would need another version of the format, which this
/// crate refuses.
///
/// # Example
/// ```
/// use linkstream::scda::SectionType;
///
/// assert_eq!((SectionType::Array.letter(), SectionType::Array.head_length()), (b'A', 128));
/// assert_eq!(SectionType::from_letter(b'V'), Some(SectionType::Varray));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum SectionType {
    /// `F`: the file header, which is the first section of a file and has no data.
    Header,
    /// `I`: an inline section of 32 bytes.
    Inline,
    /// `B`: a block of bytes.
    Block,
    /// `A`: an array of elements of the same size.
    Array,
    /// `V`: a variable array, whose elements may differ in size.
    Varray,
}

saved!(enum SectionType: Header, Inline, Block, Array, Varray);

impl SectionType {
    /// Its letter.
    #[must_use]
    pub const fn letter(self) -> u8 {
        match self {
            Self::Header => b'F',
            Self::Inline => b'I',
            Self::Block => b'B',
            Self::Array => b'A',
            Self::Varray => b'V',
        }
    }

    /// The type with this letter.
    #[must_use]
    pub const fn from_letter(letter: u8) -> Option<Self> {
        match letter {
            b'F' => Some(Self::Header),
            b'I' => Some(Self::Inline),
            b'B' => Some(Self::Block),
            b'A' => Some(Self::Array),
            b'V' => Some(Self::Varray),
            _ => None,
        }
    }

    /// Number of bytes before the data; in a variable array, before the element sizes.
    #[must_use]
    pub const fn head_length(self) -> u64 {
        match self {
            // Magic and vendor string come before the head.
            Self::Header => 96,
            Self::Inline => 64,
            Self::Block | Self::Varray => 96,
            Self::Array => 128,
        }
    }
}

/// A section as it is stored: one that is not compressed, or a half of one that is. All of it can be addressed with 64
/// bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) struct StoredSection {
    /// Absolute offset of its first byte, a multiple of 32.
    pub(crate) offset: u64,
    /// Its type.
    pub(crate) section_type: SectionType,
    /// Number of elements of an array; 0 for other types.
    pub(crate) n: Count,
    /// Size in bytes of a block, or of each element of an array of fixed-size elements; 0 for other types.
    pub(crate) e: Count,
}

saved!(struct StoredSection { offset, section_type, n, e });

impl StoredSection {
    /// Length of the data in bytes. `None` for a variable array, since its length depends on the element sizes, and if
    /// the length does not fit in 64 bits.
    pub(crate) fn data_length(&self) -> Option<u64> {
        match self.section_type {
            SectionType::Header => Some(0),
            SectionType::Inline => Some(INLINE_LEN as u64),
            SectionType::Block => self.e.to_u64(),
            // A count beyond 64 bits is legal if the other count is 0.
            SectionType::Array if self.n == Count::ZERO || self.e == Count::ZERO => Some(0),
            SectionType::Array => self.n.to_u64()?.checked_mul(self.e.to_u64()?),
            SectionType::Varray => None,
        }
    }

    /// Absolute offset of the first byte of data. `None` if it is beyond the largest 64-bit offset.
    pub(crate) fn data_offset(&self) -> Option<u64> {
        let head = self.offset.checked_add(self.section_type.head_length())?;
        match self.section_type {
            SectionType::Varray => head.checked_add(self.n.to_u64()?.checked_mul(COUNT_LEN as u64)?),
            _ => Some(head),
        }
    }

    /// Number of padding bytes after `length` bytes of data.
    pub(crate) const fn padding(&self, length: u64) -> u8 {
        match self.section_type {
            SectionType::Inline => 0,
            _ => data_padding(length),
        }
    }

    /// Absolute offset of the next section, if this one holds `length` bytes of data. `None` if it is beyond the
    /// largest 64-bit offset.
    pub(crate) fn next_offset(&self, length: u64) -> Option<u64> {
        self.data_offset()?.checked_add(length)?.checked_add(u64::from(self.padding(length)))
    }
}

/// A section, compressed or not, with the counts before compression. All of it can be addressed with 64 bits.
///
/// # Example
/// ```
/// use linkstream::scda::{Decoder, Encoder, Event, Style};
/// use linkstream::{Decode, Mode};
///
/// let mut encoder = Encoder::append(128, Style::Unix);
/// let head = encoder.array(b"numbers", 5.into(), 8.into())?;
/// let step = Decoder::at(128, Mode::Strict, true).push(head)?;
/// let Some(Event::Section(section)) = step.event else { return Err("no section".into()) };
/// assert_eq!((section.elements(), section.e), (5.into(), 8.into()));
/// assert_eq!((section.data_offset(), section.data_length()), (Some(256), Some(40)));
/// assert_eq!((section.padding(40), section.next_offset(40)), (24, Some(320)));
/// assert!(!section.is_compressed());
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Section {
    /// Absolute offset of its first byte, a multiple of 32; of the first half, if it is compressed.
    pub offset: u64,
    /// Its type.
    pub section_type: SectionType,
    /// Number of elements of an array; 0 for other types.
    pub n: Count,
    /// Size in bytes, before compression, of a block, or of each element of an array of fixed-size elements; 0 for
    /// other types.
    pub e: Count,
    /// The section that holds the data: the second half of a compressed section, once it is known.
    pub(super) stored: StoredSection,
}

saved!(struct Section { offset, section_type, n, e, stored });

impl Section {
    /// A section that is not compressed.
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{Section, SectionType};
    ///
    /// let section = Section::new(128, SectionType::Block, 0.into(), 3.into());
    /// assert_eq!((section.data_offset(), section.data_length()), (Some(224), Some(3)));
    /// assert_eq!((section.padding(3), section.next_offset(3)), (29, Some(256)));
    /// ```
    #[must_use]
    pub const fn new(offset: u64, section_type: SectionType, n: Count, e: Count) -> Self {
        Self::plain(StoredSection { offset, section_type, n, e })
    }

    /// A section that is stored as it is.
    pub(super) const fn plain(stored: StoredSection) -> Self {
        let StoredSection { offset, section_type, n, e } = stored;
        Self { offset, section_type, n, e, stored }
    }

    /// True if the data are the text of compressed elements.
    #[must_use]
    pub const fn is_compressed(&self) -> bool {
        self.offset != self.stored.offset
    }

    /// The section that the file has for the data: the second half of a compressed section, otherwise the section
    /// itself.
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{Decoder, Encoder, Event, SectionType, Style};
    /// use linkstream::{Decode, Mode};
    ///
    /// // A compressed array of two elements of 29 bytes.
    /// let mut encoder = Encoder::append(128, Style::Unix);
    /// let heads = encoder.compressed_array(b"greetings", 2.into(), 29.into())?;
    /// let mut decoder = Decoder::at(128, Mode::Strict, true);
    /// let step = decoder.push(heads)?;
    /// decoder.push(&heads[step.consumed..])?;
    /// let section = decoder.section();
    /// assert_eq!((section.section_type, section.e), (SectionType::Array, 29.into()));
    ///
    /// let first = section.first_half().ok_or("not compressed")?;
    /// assert_eq!((first.offset, first.section_type), (128, SectionType::Inline));
    /// let second = section.stored();
    /// assert_eq!((second.offset, second.section_type, second.n), (224, SectionType::Varray, 2.into()));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn stored(&self) -> Self {
        Self::plain(self.stored)
    }

    /// The first half of a compressed section, which has the sizes before compression; `None` if the section is not
    /// compressed. A section without a second half yet, as after [`Event::Compressed`](super::Event::Compressed), counts
    /// as compressed.
    #[must_use]
    pub fn first_half(&self) -> Option<Self> {
        let (n, e, section_type) = match self.section_type {
            SectionType::Block | SectionType::Array => (Count::ZERO, Count::ZERO, SectionType::Inline),
            SectionType::Varray => (self.n, Count::LINE, SectionType::Array),
            SectionType::Header | SectionType::Inline => return None,
        };
        let is_half = self.is_compressed() || self.stored.section_type != self.section_type;
        is_half.then_some(Self::new(self.offset, section_type, n, e))
    }

    /// Absolute offset of the first byte of data, or of texts. `None` if it is beyond the largest 64-bit offset.
    #[must_use]
    pub fn data_offset(&self) -> Option<u64> {
        self.stored.data_offset()
    }

    /// Length in bytes of the data as they are stored: of a compressed block, of its text. `None` if it depends on
    /// sizes that follow, and if it does not fit in 64 bits.
    #[must_use]
    pub fn data_length(&self) -> Option<u64> {
        self.stored.data_length()
    }

    /// Number of padding bytes after `length` bytes of stored data.
    #[must_use]
    pub const fn padding(&self, length: u64) -> u8 {
        self.stored.padding(length)
    }

    /// Absolute offset of the next section, if this one has `length` bytes of stored data. `None` if it is beyond the
    /// largest 64-bit offset.
    #[must_use]
    pub fn next_offset(&self, length: u64) -> Option<u64> {
        self.stored.next_offset(length)
    }

    /// True if all its elements have `e` bytes, as announced before them.
    #[cfg(feature = "inflate")]
    pub(crate) const fn has_one_size(&self) -> bool {
        matches!(self.section_type, SectionType::Block | SectionType::Array)
    }

    /// Number of its elements; 1 for a block or an inline section.
    #[must_use]
    pub const fn elements(&self) -> Count {
        match self.section_type {
            SectionType::Header => Count::ZERO,
            SectionType::Inline | SectionType::Block => Count::ONE,
            SectionType::Array | SectionType::Varray => self.n,
        }
    }
}
