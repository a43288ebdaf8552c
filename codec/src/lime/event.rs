//! The events of the decoder.

use super::error::ErrorKind;
use super::header::{HEADER_LEN, padding};
use crate::error::Error;
use crate::state::saved;

/// The position of a record in its file, and the contents of its header except the type, which is in
/// [`Decoder::header`](super::Decoder::header).
///
/// # Example
/// ```
/// use linkstream::lime::{Decoder, Event, Header};
/// use linkstream::{Decode, Mode};
///
/// let header = Header::new(b"scidac-checksum", 123, true, true)?;
/// let step = Decoder::new(Mode::Strict).push(header.as_bytes())?;
/// let Some(Event::Record(record)) = step.event else { return Err("no record".into()) };
/// assert_eq!((record.message, record.number, record.length), (1, 1, 123));
/// assert_eq!((record.payload_offset(), record.next_offset()), (144, 272));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Record {
    /// Absolute offset of the header, in bytes from the start of the file.
    pub offset: u64,
    /// Payload length in bytes.
    pub length: u64,
    /// Number of the message, from 1. A message begins with a record that has MB, or with the first record.
    pub message: u64,
    /// Number of the record in its message, from 1.
    pub number: u64,
    /// The message-begin flag (MB): the record is the first of its message.
    pub begin: bool,
    /// The message-end flag (ME): the record is the last of its message.
    pub end: bool,
}

saved!(struct Record { offset, length, message, number, begin, end });

impl Record {
    /// Absolute offset of the first payload byte. Saturates at `u64::MAX`, which does not occur in records that a
    /// [`Decoder`](super::Decoder) reports.
    #[must_use]
    pub const fn payload_offset(&self) -> u64 {
        self.offset.saturating_add(HEADER_LEN as u64)
    }

    /// Absolute offset of the next record, after the padding. Saturates at `u64::MAX` like
    /// [`payload_offset`](Self::payload_offset).
    #[must_use]
    pub const fn next_offset(&self) -> u64 {
        self.payload_offset().saturating_add(self.length).saturating_add(padding(self.length) as u64)
    }
}

/// The events of a [`Decoder`](super::Decoder).
///
/// # Example
/// ```
/// use linkstream::lime::{Decoder, Event, Header};
/// use linkstream::{Mode, drive};
///
/// let mut file = Header::new(b"greeting", 5, true, true)?.as_bytes().to_vec();
/// file.extend(b"hello\0\0\0");
/// let mut payload = Vec::new();
/// drive(&mut Decoder::new(Mode::Strict), &file, |event, bytes, _| match event {
///     Event::Record(record) => assert_eq!((record.offset, record.length), (0, 5)),
///     Event::Payload => payload.extend_from_slice(bytes),
///     _ => {}
/// })?;
/// assert_eq!(payload, b"hello");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Event {
    /// A header is complete; its type is in [`Decoder::header`](super::Decoder::header). The payload follows.
    Record(Record),
    /// The bytes consumed by this step are payload.
    Payload,
    /// Payload and padding of the record are complete.
    End,
    /// A broken rule that the [`Mode`](crate::Mode) does not refuse, or a remark. Reading continues.
    Finding(Error<ErrorKind>),
}

/// An [`Event`] without its contents, which the decoder stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    Record,
    Payload,
    End,
    Finding,
}
