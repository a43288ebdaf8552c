//! The events of the decoder.

use super::error::ErrorKind;
use super::section::Section;
use crate::error::Error;

/// The events of a [`Decoder`](super::Decoder).
///
/// # Example
/// ```
/// use linkstream::scda::{Decoder, Encoder, Event, Style};
/// use linkstream::{Mode, drive};
///
/// let mut encoder = Encoder::new(Style::Unix);
/// let mut file = encoder.header(b"vendor", b"user")?.to_vec();
/// file.extend(encoder.block(b"a block", 5.into())?);
/// encoder.data(b"hello")?;
/// file.extend(b"hello");
/// file.extend(encoder.end()?);
///
/// let mut data = Vec::new();
/// drive(&mut Decoder::new(Mode::Strict), &file, |event, bytes, _| {
///     if event == Event::Data {
///         data.extend_from_slice(bytes);
///     }
/// })?;
/// assert_eq!(data, b"hello");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Event {
    /// The header of a section is complete, counts included; its strings are in the [`Decoder`](super::Decoder).
    Section(Section),
    /// Size in bytes of the next element of a variable array. All sizes come before the data.
    Size(u64),
    /// The bytes consumed by this step are data: elements one after the other, without gaps.
    Data,
    /// The section is complete, padding included.
    End,
    /// A broken rule that the [`Mode`](crate::Mode) does not refuse, or a remark. Reading continues.
    Finding(Error<ErrorKind>),
}

/// An [`Event`] without the contents that the decoder has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    Section,
    Size(u64),
    Data,
    End,
    Finding,
}
