//! Short texts of documents, kept where they are.

use core::fmt;
use core::ops::Deref;

use crate::bytes::copy;
use crate::state::{Put, Saved, Take};

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
    /// Zeros after the text, so that equal texts are equal bytes.
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
    /// How many bytes fit.
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

    /// `text`, known to fit when the program is compiled.
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

    /// Parts one after the other, known to fit.
    pub(crate) fn of(parts: &[&str]) -> Self {
        let mut text = Self::new();
        for byte in parts.iter().flat_map(|part| part.bytes()) {
            text.push(byte);
        }
        text
    }

    /// A number in decimal digits, known to fit.
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

    /// A text of ASCII that is as long as may be.
    pub(crate) const fn ascii(bytes: [u8; N]) -> Self {
        let () = Self::LIMIT;
        debug_assert!(bytes.is_ascii(), "only UTF-8 is stored");
        Self { bytes, length: N as u8 }
    }

    /// The same text where there is more room.
    pub(crate) const fn widen<const M: usize>(self) -> Text<M> {
        const { assert!(N <= M, "there must be more room") };
        let mut made = Text::<M>::new();
        if let Some((room, _)) = made.bytes.split_first_chunk_mut::<N>() {
            *room = self.bytes;
        }
        made.length = self.length;
        made
    }

    /// The text.
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

    /// The place for another text: all its bytes, and its length.
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
    fn texts_are_those_they_were_made_from() {
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
