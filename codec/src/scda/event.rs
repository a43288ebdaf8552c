//! The events of the decoders.

use super::error::ErrorKind;
use super::section::{Section, SectionType};
use crate::error::Error;

/// The events of a [`Decoder`](super::Decoder).
///
/// # Example
/// ```
/// use linkstream::scda::{Decoder, Event};
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

/// A part of an element: of a compressed one that the `Unpacker` (feature `inflate`) has decompressed and has the bytes
/// of, or of one that is not compressed, from [`Elements`](super::Elements).
///
/// ```
/// use linkstream::scda::Element;
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
