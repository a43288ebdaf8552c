//! Short texts of documents, kept without an allocator.

use core::fmt::{self, Write as _};
use core::ops::Deref;

use heapless::String;

use crate::state::{Put, Saved, Take};

/// A text of at most `N` bytes. It reads as `&str`.
///
/// ```
/// use linkstream::scidac::{Text, TextTooLong};
///
/// let text: Text<8> = "F".try_into()?;
/// assert_eq!((text.as_str(), text.len()), ("F", 1));
/// assert_eq!(Text::<8>::try_from("123456789"), Err(TextTooLong { room: 8 }));
/// # Ok::<(), TextTooLong>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Text<const N: usize>(pub(super) String<N>);

impl<const N: usize> Text<N> {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Parts one after the other, known to fit.
    pub(super) fn of(parts: &[&str]) -> Self {
        let mut text = String::new();
        for part in parts {
            debug_assert!(part.len() <= N.saturating_sub(text.len()), "{part} does not fit");
            let _ = text.push_str(part);
        }
        Self(text)
    }

    /// A number in decimal digits, known to fit.
    pub(super) fn of_number(number: u16) -> Self {
        let mut text = String::new();
        let _ = write!(text, "{number}");
        Self(text)
    }
}

impl<const N: usize> Deref for Text<N> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<const N: usize> fmt::Display for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<const N: usize> fmt::Debug for Text<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.0.as_str(), f)
    }
}

impl<const N: usize> PartialEq<str> for Text<N> {
    fn eq(&self, other: &str) -> bool {
        self.0.as_str() == other
    }
}

impl<const N: usize> PartialEq<&str> for Text<N> {
    fn eq(&self, other: &&str) -> bool {
        self.0.as_str() == *other
    }
}

impl<const N: usize> TryFrom<&str> for Text<N> {
    type Error = TextTooLong;

    fn try_from(text: &str) -> Result<Self, TextTooLong> {
        String::try_from(text).map(Self).map_err(|_| TextTooLong { room: N })
    }
}

impl<const N: usize> Saved for Text<N> {
    const SIZE: usize = <String<N> as Saved>::SIZE;

    fn put(&self, to: &mut Put<'_>) {
        to.put(&self.0);
    }

    fn take(from: &mut Take<'_>) -> Option<Self> {
        from.take().map(Self)
    }
}

/// A text does not fit in a [`Text`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
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
