//! Sections and their counts (scda 2.2 to 2.6), and the magic and version at the beginning of a file (2.2).

use super::entry::data_padding;
use crate::state::{Put, Saved, Take, saved};
use core::fmt;

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

/// A section: its offset and its counts. All of it can be addressed with 64 bits.
///
/// # Example
/// ```
/// use linkstream::scda::{Count, Section, SectionType};
///
/// let section = Section { offset: 128, section_type: SectionType::Block, n: Count::default(), e: 3.into() };
/// assert_eq!((section.data_offset(), section.data_length()), (Some(224), Some(3)));
/// assert_eq!((section.padding(3), section.next_offset(3)), (29, Some(256)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Section {
    /// Absolute offset of its first byte, a multiple of 32.
    pub offset: u64,
    /// Its type.
    pub section_type: SectionType,
    /// Number of elements of an array; 0 for other types.
    pub n: Count,
    /// Size in bytes of a block, or of each element of an array of fixed-size elements; 0 for other types.
    pub e: Count,
}

saved!(struct Section { offset, section_type, n, e });

impl Section {
    /// Length of the data in bytes. `None` for a variable array, since its length depends on the element sizes, and if
    /// the length does not fit in 64 bits.
    #[must_use]
    pub fn data_length(&self) -> Option<u64> {
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
    #[must_use]
    pub fn data_offset(&self) -> Option<u64> {
        let head = self.offset.checked_add(self.section_type.head_length())?;
        match self.section_type {
            SectionType::Varray => head.checked_add(self.n.to_u64()?.checked_mul(COUNT_LEN as u64)?),
            _ => Some(head),
        }
    }

    /// Number of padding bytes after `length` bytes of data.
    #[must_use]
    pub const fn padding(&self, length: u64) -> u8 {
        match self.section_type {
            SectionType::Inline => 0,
            _ => data_padding(length),
        }
    }

    /// Absolute offset of the next section, if this one holds `length` bytes of data. `None` if it is beyond the
    /// largest 64-bit offset.
    #[must_use]
    pub fn next_offset(&self, length: u64) -> Option<u64> {
        self.data_offset()?.checked_add(length)?.checked_add(u64::from(self.padding(length)))
    }
}

/// Length of a count entry in bytes: letter, space, number, padding.
pub const COUNT_LEN: usize = 32;
/// Largest number of digits of a count.
pub(super) const MAX_DIGITS: usize = 26;

/// A number of elements or bytes: up to 10^26 - 1, which is more than 64 bits hold.
///
/// # Example
/// ```
/// use linkstream::scda::Count;
///
/// assert_eq!(Count::new(10_u128.pow(26)), None);
/// assert_eq!((Count::from(7).get(), Count::from(7).to_u64(), Count::MAX.to_u64()), (7, Some(7), None));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Count(u128);

impl Count {
    pub(super) const ZERO: Self = Self(0);
    pub(super) const ONE: Self = Self(1);
    /// The largest count.
    pub const MAX: Self = Self(10_u128.pow(MAX_DIGITS as u32) - 1);

    /// A count; `None` if the number has more than 26 digits.
    #[must_use]
    pub const fn new(value: u128) -> Option<Self> {
        if value <= Self::MAX.0 { Some(Self(value)) } else { None }
    }

    /// The number, which has at most 26 decimal digits.
    #[must_use]
    pub const fn get(self) -> u128 {
        self.0
    }

    /// The number, if it fits in 64 bits.
    #[must_use]
    pub const fn to_u64(self) -> Option<u64> {
        if self.0 <= u64::MAX as u128 { Some(self.0 as u64) } else { None }
    }
}

impl From<u64> for Count {
    fn from(value: u64) -> Self {
        Self(u128::from(value))
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Saved for Count {
    const SIZE: usize = 16;
    fn put(&self, to: &mut Put<'_>) {
        to.bytes(&self.0.to_be_bytes());
    }
    fn take(from: &mut Take<'_>) -> Option<Self> {
        Self::new(u128::from_be_bytes(from.array()?))
    }
}

/// The letter at the beginning of a count entry.
///
/// # Example
/// ```
/// assert_eq!(linkstream::scda::Letter::N.byte(), b'N');
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Letter {
    /// `N`: the number of elements of an array.
    N,
    /// `E`: the size in bytes of a block or an element.
    E,
    /// `U`: the size in bytes before compression.
    U,
}

impl Letter {
    /// The letter as an ASCII byte.
    #[must_use]
    pub const fn byte(self) -> u8 {
        match self {
            Self::N => b'N',
            Self::E => b'E',
            Self::U => b'U',
        }
    }
}
