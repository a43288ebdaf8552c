//! Elements with a meaning, sets of elements, the properties of each kind of document, and texts of bounded length.

use crate::bytes::copy;
use crate::state::{Put, Saved, Take, saved};
use core::fmt;
use core::ops::Deref;

macro_rules! elements {
    ($($member:ident $name:literal $of:literal,)*) => {
        /// Name of an element.
        ///
        /// # Example
        /// ```
        /// use linkstream::xml::ElementName;
        ///
        /// assert_eq!(ElementName::Volfmt.as_str(), "volfmt");
        /// assert_eq!(ElementName::Volfmt.to_string(), "volfmt");
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[non_exhaustive]
        pub enum ElementName {
            $(#[doc = concat!("`", $name, "`: ", $of)] $member,)*
        }

        saved!(enum ElementName: $($member),*);

        /// All names, one after the other: a table of strings takes twice the flash.
        const NAMES: &str = concat!($($name),*);

        /// The length of each name.
        const LENGTHS: &[u8] = &[$($name.len() as u8),*];

        impl ElementName {
            /// All elements, in the order of the reported problems.
            pub(super) const ALL: &[Self] = &[$(Self::$member),*];

            /// The name in documents.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$member => $name,)*
                }
            }
        }
    };
}

// The order of the reported problems. The elements of `ildgFormat` are in the order of its schema.
elements! {
    Version "version" "of the document; every document has one",
    Recordtype "recordtype" "0 field, 1 global, 2 hypercube (scidacRecord)",
    Globaldata "globaldata" "0 field, 1 global (scidacRecord 1.0)",
    Spacetime "spacetime" "number of dimensions (scidacFile, scidacRecord)",
    Hyperlower "hyperlower" "lower corner, inclusive (scidacRecord)",
    Hyperupper "hyperupper" "upper corner, inclusive (scidacRecord)",
    Dims "dims" "extents, dimension 0 first (scidacFile)",
    Volfmt "volfmt" "0 single file, 1 to 3 volumes of a file set (scidacFile)",
    Multifile "multifile" "1 single file, otherwise a file set (scidacFile 1.0)",
    Date "date" "free text (scidacRecord)",
    Datatype "datatype" "name of the type of an item (scidacRecord)",
    Field "field" "kind of the gauge field (ildgFormat)",
    Rows "rows" "number of stored rows of a link (ildgFormat)",
    Precision "precision" "a letter (scidacRecord) or 32 or 64 bits (ildgFormat)",
    Colors "colors" "number of colors (scidacRecord)",
    Spins "spins" "number of spins (scidacRecord)",
    Typesize "typesize" "size of an item in bytes (scidacRecord)",
    Datacount "datacount" "number of items at a site (scidacRecord)",
    Suma "suma" "first sum, hexadecimal (scidacChecksum)",
    Sumb "sumb" "second sum, hexadecimal (scidacChecksum)",
    Lx "lx" "extent in x (ildgFormat)",
    Ly "ly" "extent in y (ildgFormat)",
    Lz "lz" "extent in z (ildgFormat)",
    Lt "lt" "extent in t (ildgFormat)",
}

impl fmt::Display for ElementName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl ElementName {
    pub(super) const COUNT: u32 = ElementName::ALL.len() as u32;

    /// True if a long value may be truncated, because no reader depends on the text.
    pub(super) const fn may_be_cut(self) -> bool {
        matches!(self, Self::Date | Self::Datatype)
    }

    /// The element of this name.
    pub(super) fn from_name(name: &[u8]) -> Option<Self> {
        let mut names = NAMES.as_bytes();
        for (length, element) in LENGTHS.iter().zip(ElementName::ALL) {
            let (listed, after) = names.split_at_checked(usize::from(*length))?;
            // Of most names the length differs: no byte of them is looked at, since a file can have many elements.
            if listed == name {
                return Some(*element);
            }
            names = after;
        }
        None
    }

    /// The element at this place in the order.
    pub(super) fn at(place: usize) -> Option<Self> {
        ElementName::ALL.get(place).copied()
    }
}

/// A set of elements, for example of the elements that a document has or requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) struct Seen(u32);

impl Seen {
    pub(crate) const NONE: Self = Self(0);

    /// The set of the given elements.
    pub(crate) const fn of(elements: &[ElementName]) -> Self {
        let mut set = Self(0);
        let mut rest = elements;
        while let [first, after @ ..] = rest {
            set.insert(*first);
            rest = after;
        }
        set
    }

    /// The set with this element added.
    pub(crate) const fn with(self, element: ElementName) -> Self {
        Self(self.0 | Self::bit(element))
    }

    /// Adds an element; `false` if the set already contained it.
    pub(crate) const fn insert(&mut self, element: ElementName) -> bool {
        let new = !self.contains(element);
        self.0 |= Self::bit(element);
        new
    }

    pub(crate) const fn contains(self, element: ElementName) -> bool {
        self.0 & Self::bit(element) != 0
    }

    /// True if all of `others` are in the set.
    pub(crate) const fn contains_all(self, others: Self) -> bool {
        others.without(self) == 0
    }

    /// Bits of the elements that are not in `others`.
    pub(super) const fn without(self, others: Self) -> u32 {
        self.0 & !others.0
    }

    /// True if the set has an element that follows this one in the order.
    pub(super) const fn any_after(self, element: ElementName) -> bool {
        self.0 > Self::bit(element).wrapping_shl(1).wrapping_sub(1)
    }

    const fn bit(element: ElementName) -> u32 {
        1_u32.wrapping_shl(element as u32)
    }
}

impl Saved for Seen {
    const SIZE: usize = 4;
    fn put(&self, to: &mut Put<'_>) {
        to.put(&self.0);
    }
    fn take(from: &mut Take<'_>) -> Option<Self> {
        from.take().map(Self)
    }
}

/// Properties of a kind of document.
#[derive(Debug)]
pub(crate) struct Schema {
    /// Name of the root element.
    pub(crate) root: &'static str,
    /// The elements with a meaning in this document. Others are skipped with all their content.
    pub(crate) elements: Seen,
    /// The elements that are required, unless other elements of the document excuse them.
    pub(crate) required: Seen,
    /// The digit x of the latest version 1.x.
    pub(crate) latest: u8,
    /// The schema is the one of ILDG: elements have its namespace and the order of its sequence, and integers may have
    /// a plus sign.
    pub(crate) namespaced: bool,
}

/// A text of at most `N` bytes, `N` at most 255. It reads as `&str`.
///
/// ```
/// use linkstream::scidac::Text;
///
/// let text: Text<8> = "F".try_into()?;
/// assert_eq!((text.as_str(), text.len()), ("F", 1));
/// assert!(Text::<8>::try_from("123456789").is_err());
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Text<const N: usize> {
    /// Padded with zeros, so that equal texts have equal bytes.
    bytes: [u8; N],
    length: u8,
}

/// A text does not fit in a [`Text`].
///
/// # Example
/// ```
/// use linkstream::scidac::Text;
///
/// assert_eq!(Text::<4>::try_from("four"), Text::try_from("four"));
/// assert_eq!(Text::<4>::try_from("seven").map_err(|error| error.room), Err(4));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct TextTooLong {
    /// Maximum length of the text in bytes.
    pub room: usize,
}

impl fmt::Display for TextTooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a text of at most {} bytes is needed here", self.room)
    }
}

impl core::error::Error for TextTooLong {}

impl<const N: usize> Text<N> {
    /// The length is kept in one byte.
    const LIMIT: () = assert!(N <= u8::MAX as usize, "the length of a text is kept in a byte");

    /// The empty text.
    #[must_use]
    pub const fn new() -> Self {
        let () = Self::LIMIT;
        Self { bytes: [0; N], length: 0 }
    }

    /// A text that fits, which is known at compile time.
    pub(crate) const fn fixed(text: &'static str) -> Self {
        let mut made = Self::new();
        let mut rest = text.as_bytes();
        let mut room: &mut [u8] = &mut made.bytes;
        while let ([from, after @ ..], [to, room_after @ ..]) = (rest, room) {
            *to = *from;
            rest = after;
            room = room_after;
        }
        debug_assert!(rest.is_empty(), "the text must fit");
        made.length = text.len() as u8;
        made
    }

    /// The concatenation of texts, which must fit.
    pub(crate) fn of(parts: &[&str]) -> Self {
        let mut text = Self::new();
        for byte in parts.iter().flat_map(|part| part.bytes()) {
            text.push(byte);
        }
        text
    }

    /// A number in decimal digits, which must fit.
    pub(crate) fn of_number(number: u16) -> Self {
        let mut text = Self::new();
        let mut unit = 10_000_u16;
        while let Some(digit) = number.checked_div(unit) {
            if digit > 0 || unit == 1 {
                text.push(b'0'.wrapping_add((digit % 10) as u8));
            }
            unit /= 10;
        }
        text
    }

    fn push(&mut self, byte: u8) {
        let slot = self.bytes.get_mut(usize::from(self.length));
        debug_assert!(slot.is_some(), "the text must fit");
        if let Some(slot) = slot {
            *slot = byte;
            self.length = self.length.wrapping_add(1);
        }
    }

    /// An ASCII text of the maximum length.
    pub(crate) const fn ascii(bytes: [u8; N]) -> Self {
        let () = Self::LIMIT;
        debug_assert!(bytes.is_ascii(), "only UTF-8 is stored");
        Self { bytes, length: N as u8 }
    }

    /// Becomes this ASCII text, in its place; `None`, and an empty text, if it does not fit.
    pub(crate) fn set_ascii(&mut self, text: &[u8]) -> Option<()> {
        debug_assert!(text.is_ascii(), "only UTF-8 is stored");
        *self = Self::new();
        copy(self.bytes.get_mut(..text.len())?, text);
        self.length = text.len() as u8;
        Some(())
    }

    /// The same text with more room.
    pub(crate) const fn widen<const M: usize>(self) -> Text<M> {
        const { assert!(N <= M, "there must be more room") };
        let mut made = Text::<M>::new();
        if let Some((room, _)) = made.bytes.split_first_chunk_mut::<N>() {
            *room = self.bytes;
        }
        made.length = self.length;
        made
    }

    /// The text without white space around it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let text = core::str::from_utf8(self.as_bytes());
        debug_assert!(text.is_ok(), "only UTF-8 is stored");
        text.unwrap_or("")
    }

    /// The bytes of the text.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        let kept = self.bytes.get(..usize::from(self.length));
        debug_assert!(kept.is_some(), "the length is that of a text that fits");
        kept.unwrap_or(&self.bytes)
    }

    /// All bytes and the length, for storing another text.
    pub(crate) const fn place(&mut self) -> (&mut [u8], &mut u8) {
        (&mut self.bytes, &mut self.length)
    }
}

impl<const N: usize> Default for Text<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Deref for Text<N> {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl<const N: usize> TryFrom<&str> for Text<N> {
    type Error = TextTooLong;

    fn try_from(text: &str) -> Result<Self, TextTooLong> {
        let mut made = Self::new();
        let too_long = TextTooLong { room: N };
        copy(made.bytes.get_mut(..text.len()).ok_or(too_long)?, text.as_bytes());
        made.length = u8::try_from(text.len()).map_err(|_| too_long)?;
        Ok(made)
    }
}

impl<const N: usize> PartialEq<str> for Text<N> {
    fn eq(&self, other: &str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl<const N: usize> PartialEq<&str> for Text<N> {
    fn eq(&self, other: &&str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl<const N: usize> fmt::Debug for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl<const N: usize> fmt::Display for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.as_str(), f)
    }
}

#[cfg(feature = "defmt")]
impl<const N: usize> defmt::Format for Text<N> {
    fn format(&self, f: defmt::Formatter<'_>) {
        defmt::write!(f, "{=str}", self.as_str());
    }
}

impl<const N: usize> Saved for Text<N> {
    const SIZE: usize = N.saturating_add(1);

    fn put(&self, to: &mut Put<'_>) {
        to.put(&self.bytes);
        to.put(&self.length);
    }

    fn take(from: &mut Take<'_>) -> Option<Self> {
        let bytes: [u8; N] = from.take()?;
        let length: u8 = from.take()?;
        let (text, rest) = bytes.split_at_checked(usize::from(length))?;
        let sound = core::str::from_utf8(text).is_ok() && rest.iter().all(|byte| *byte == 0);
        sound.then_some(Self { bytes, length })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_found_by_their_names() {
        for element in ElementName::ALL {
            assert_eq!(ElementName::from_name(element.as_str().as_bytes()), Some(*element));
        }
        for name in ["", " ", "versio", "versions", "version ", "l", "version recordtype"] {
            assert_eq!(ElementName::from_name(name.as_bytes()), None, "{name}");
        }
    }

    #[test]
    fn texts_keep_their_content() {
        let text = Text::<8>::fixed("1.1");
        assert_eq!(text, "1.1");
        assert_eq!(Text::try_from("1.1"), Ok(text));
        assert_eq!(Text::<8>::try_from("12345678").unwrap().as_str(), "12345678");
        assert_eq!(Text::<8>::try_from("123456789"), Err(TextTooLong { room: 8 }));
        assert_eq!(Text::<8>::new(), "");
        for number in [0, 1, 9, 10, 907, 1000, 65535] {
            assert_eq!(Text::<5>::of_number(number).as_str(), std::format!("{number}"));
        }
        assert_eq!(Text::<8>::of(&["ab", "", "cd"]), "abcd");
    }
}
