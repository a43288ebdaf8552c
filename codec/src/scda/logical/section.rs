//! Logical sections, the events of the decoder, and the rules that identify the first half of a compressed section and
//! the possible lengths of its texts.

use super::error::ErrorKind;
use crate::counter::Counter as _;
use crate::error::Error;
use crate::scda::error::ErrorKind as RawErrorKind;
use crate::scda::section::{self, Count, Letter, SectionType};
use crate::state::saved;

/// A section, compressed or not, with the counts before compression.
///
/// # Example
/// ```
/// use linkstream::scda::logical::{Decoder, Event};
/// use linkstream::scda::{Count, Encoder, Style};
/// use linkstream::{Decode, Mode};
///
/// let mut encoder = Encoder::append(128, Style::Unix);
/// let head = encoder.array(b"numbers", 5.into(), 8.into())?;
/// let step = Decoder::at(128, Mode::Strict, true).push(head)?;
/// let Some(Event::Section(section)) = step.event else { return Err("no section".into()) };
/// assert_eq!((section.elements(), section.e), (Count::from(5), Count::from(8)));
/// assert!(!section.is_compressed());
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Section {
    /// Absolute offset of its first byte; of the first half, if it is compressed.
    pub offset: u64,
    /// Its type.
    pub section_type: SectionType,
    /// Number of elements of an array; 0 for other types.
    pub n: Count,
    /// Size in bytes, before compression, of a block, or of each element of an array of fixed-size elements; 0 for
    /// other types.
    pub e: Count,
    /// The raw section that holds the data: the second half of a compressed section.
    pub raw: section::Section,
}

saved!(struct Section { offset, section_type, n, e, raw });

impl Section {
    /// A section that is not compressed.
    pub(super) const fn plain(raw: section::Section) -> Self {
        Self { offset: raw.offset, section_type: raw.section_type, n: raw.n, e: raw.e, raw }
    }

    /// True if the data are the text of compressed elements.
    #[must_use]
    pub const fn is_compressed(&self) -> bool {
        self.offset != self.raw.offset
    }

    /// The first half of a compressed section, which has the sizes before compression; `None` if the section is not
    /// compressed. A section without a second half yet, as after [`Event::Compressed`], counts
    /// as compressed.
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::logical::Section;
    /// use linkstream::scda::{self, SectionType};
    ///
    /// let raw = scda::Section { offset: 320, section_type: SectionType::Varray, n: 2.into(), e: 0.into() };
    /// let section = Section { offset: 128, section_type: SectionType::Varray, n: 2.into(), e: 0.into(), raw };
    /// let first = section.first_half().ok_or("not compressed")?;
    /// assert_eq!((first.offset, first.section_type, first.e), (128, SectionType::Array, 32.into()));
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn first_half(&self) -> Option<section::Section> {
        let line = Count::from(section::COUNT_LEN as u64);
        let (n, e, section_type) = match self.section_type {
            SectionType::Block | SectionType::Array => (Count::ZERO, Count::ZERO, SectionType::Inline),
            SectionType::Varray => (self.n, line, SectionType::Array),
            SectionType::Header | SectionType::Inline => return None,
        };
        let is_half = self.is_compressed() || self.raw.section_type != self.section_type;
        is_half.then_some(section::Section { offset: self.offset, section_type, n, e })
    }

    /// The size in bytes of one of its elements, from the line at the absolute offset `at`: of the element or its text in
    /// lines with the letter [`E`](Letter::E), before compression in lines with the letter [`U`](Letter::U).
    ///
    /// # Errors
    /// The line is not a count entry, or no text of a compressed element can have this size.
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::logical::Section;
    /// use linkstream::scda::{self, Letter, SectionType};
    ///
    /// let raw = scda::Section { offset: 128, section_type: SectionType::Varray, n: 1.into(), e: 0.into() };
    /// let section = Section { offset: 128, section_type: SectionType::Varray, n: 1.into(), e: 0.into(), raw };
    /// assert_eq!(section.size_in(b"E 29 --------------------------\n", Letter::E, 224), Ok(29));
    /// let error = section.size_in(b"E 029 -------------------------\n", Letter::E, 224).err();
    /// assert_eq!(error.map(|error| error.at), Some(226));
    /// ```
    pub fn size_in(
        &self,
        line: &[u8; section::COUNT_LEN],
        letter: Letter,
        at: u64,
    ) -> Result<u64, Error<ErrorKind>> {
        let wrong = |(within, kind)| {
            let kind = if letter == Letter::U { ErrorKind::Uncompressed(kind) } else { kind.into() };
            Error::new(at.plus(within), kind)
        };
        let count = Count::parse(letter, line).map_err(wrong)?;
        let Some(size) = count.to_u64() else { return Err(wrong((0, RawErrorKind::TooLong { count }))) };
        if letter == Letter::E && self.is_compressed() && !is_text_length(size) {
            return Err(Error::new(at, ErrorKind::TextLength { found: count }));
        }
        Ok(size)
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

/// The events of a [`Decoder`](super::Decoder).
///
/// # Example
/// ```
/// use linkstream::scda::logical::{Decoder, Event};
/// use linkstream::scda::{Encoder, Style};
/// use linkstream::{Mode, drive};
///
/// let mut encoder = Encoder::new(Style::Unix);
/// let mut file = encoder.header(b"vendor", b"user")?.to_vec();
/// file.extend(encoder.block(b"plain", 0.into())?);
/// file.extend(encoder.end()?);
///
/// let mut users = Vec::new();
/// drive(&mut Decoder::new(Mode::Strict, true), &file, |event, _, decoder| {
///     if let Event::Section(section) = event {
///         assert!(!section.is_compressed());
///         users.push(decoder.user().to_vec());
///     }
/// })?;
/// assert_eq!(users, [&b"user"[..], b"plain"]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Event {
    /// The first half of a compressed section of this type has been recognised. For a variable array the sizes
    /// before compression follow, then [`Event::Section`]. If a `U` entry is invalid, the first half is reported only
    /// by a finding, and the second half as a section of its own.
    Compressed(SectionType),
    /// The header of a section is complete, counts included; its user string is in the [`Decoder`](super::Decoder).
    Section(Section),
    /// Size in bytes of the next element of a variable array; of a compressed one, before compression.
    Size(u64),
    /// Size in bytes of the text of the next compressed element of an array. All sizes come before the texts.
    TextSize(u64),
    /// The bytes consumed by this step are data that are not compressed.
    Data,
    /// The bytes consumed by this step are the text of compressed elements, one after the other.
    Text,
    /// A part of an element has been decompressed. Only the `Unpacker` (feature `inflate`) reports this.
    Element(Element),
    /// The section is complete, padding included.
    End,
    /// A broken rule that the [`Mode`](crate::Mode) does not refuse, or a remark. Reading continues.
    Finding(Error<ErrorKind>),
}

/// An [`Event`] without the contents that the decoder has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    Compressed(SectionType),
    Section,
    Size(u64),
    TextSize(u64),
    Data,
    Text,
    End,
    Finding,
}

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
    /// True if the element is complete with this part.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        // The fields are public: their sum need not fit.
        self.offset.saturating_add(self.length as u64) == self.size
    }
}

const BLOCK: &[u8; 20] = b"B compressed scda 00";
const ARRAY: &[u8; 20] = b"A compressed scda 00";
const VARRAY: &[u8; 20] = b"V compressed scda 00";

/// The user string of the first half of a compressed section of this type; `None` if the type cannot be compressed.
pub(super) const fn user_string(section_type: SectionType) -> Option<&'static [u8; 20]> {
    match section_type {
        SectionType::Block => Some(BLOCK),
        SectionType::Array => Some(ARRAY),
        SectionType::Varray => Some(VARRAY),
        SectionType::Header | SectionType::Inline => None,
    }
}

/// The type of the compressed section whose first half this raw section is. Letter and user string must both match.
pub(super) fn recognise(first: SectionType, user: &[u8]) -> Option<SectionType> {
    match first {
        SectionType::Inline if user == BLOCK => Some(SectionType::Block),
        SectionType::Inline if user == ARRAY => Some(SectionType::Array),
        SectionType::Array if user == VARRAY => Some(SectionType::Varray),
        _ => None,
    }
}

/// The type of the first half that a raw section would be if not one byte of its letter and its padded user string
/// differed; `None` if it does not have the form of one.
pub(super) fn like_first_half(raw: &section::Section, user: &[u8]) -> Option<SectionType> {
    let is_like = |section_type: SectionType, marker: &[u8]| {
        let mut differing = (0..PADDED).filter(|at| padded(user, *at) != padded(marker, *at));
        let one_differs = raw.section_type != section_type || differing.next().is_some();
        one_differs && differing.next().is_none()
    };
    let line = Count::from(section::COUNT_LEN as u64);
    match raw.section_type {
        SectionType::Inline if is_like(SectionType::Inline, BLOCK) || is_like(SectionType::Inline, ARRAY) => {
            Some(SectionType::Inline)
        }
        SectionType::Array if raw.e == line && is_like(SectionType::Array, VARRAY) => {
            Some(SectionType::Array)
        }
        // A list of one size is also a variable array of one element.
        SectionType::Varray if raw.n == Count::ONE && is_like(SectionType::Array, VARRAY) => {
            Some(SectionType::Array)
        }
        _ => None,
    }
}

/// Length of a user string with its padding, without the two bytes of any value at its end.
const PADDED: usize = 60;

/// A byte of a user string with its padding.
fn padded(user: &[u8], at: usize) -> u8 {
    match user.get(at) {
        Some(byte) => *byte,
        None if at == user.len() => b' ',
        None => b'-',
    }
}

/// The type of the second half.
pub(super) const fn second_half(logical: SectionType) -> SectionType {
    match logical {
        SectionType::Block => SectionType::Block,
        _ => SectionType::Varray,
    }
}

/// Code characters in a line of text (scda 3.1); two bytes of line break follow.
pub const LINE: u64 = 76;

/// True if a text can have this number of bytes. Lines have 76 characters and a break of 2 bytes; the last line may be
/// shorter, but has whole groups of 4 characters. The least length is 26: the 17 bytes of an empty element, encoded.
pub(super) const fn is_text_length(length: u64) -> bool {
    let last = length % (LINE + 2);
    length >= 26 && (last == 0 || (last > 2 && last % 4 == 2))
}

/// Count, sum and an order-dependent hash of a list of numbers, to compare two lists without storing them. Like a
/// checksum, it detects mistakes; different lists with the same account can be constructed on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Account {
    count: u64,
    sum: u64,
    hash: u64,
}

saved!(struct Account { count, sum, hash });

impl Account {
    pub(super) const NONE: Self = Self { count: 0, sum: 0, hash: 0 };

    /// The next number. Count, sum and hash are modulo 2^64: accounts are only compared.
    pub(crate) const fn add(&mut self, number: u64) {
        self.count = self.count.wrapping_add(1);
        self.sum = self.sum.wrapping_add(number);
        // The odd factor spreads bits upwards, the rotation brings them down again, so that order matters.
        let mixed = (self.hash ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.hash = mixed.rotate_left(29) ^ mixed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_texts() {
        // 4 characters for 3 bytes, 2 for each line begun.
        let possible: std::vec::Vec<u64> =
            (17..400_u64).map(|m| 4 * m.div_ceil(3) + 2 * m.div_ceil(57)).collect();
        for length in 0..500 {
            assert_eq!(is_text_length(length), possible.contains(&length), "{length}");
        }
    }

    #[test]
    fn order_and_zeros_count() {
        let account = |numbers: &[u64]| {
            let mut account = Account::default();
            numbers.iter().for_each(|number| account.add(*number));
            account
        };
        assert_eq!(account(&[3, 0, 5]), account(&[3, 0, 5]));
        for other in [&[0, 3, 5][..], &[3, 5, 0], &[3, 5], &[3, 0, 0, 5], &[4, 0, 4], &[]] {
            assert_ne!(account(&[3, 0, 5]), account(other), "{other:?}");
        }
    }
}
