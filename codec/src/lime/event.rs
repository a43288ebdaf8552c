//! What the decoder tells: records, and where their bytes lie.

use super::error::ErrorKind;
use super::header::{HEADER_LEN, padding};
use crate::error::Error;
use crate::state::saved;

/// Where a record stands in its file and what its header says. The type is in [`Decoder::header`](super::Decoder::header).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Record {
    /// Absolute offset of the header.
    pub offset: u64,
    /// Payload length in bytes.
    pub length: u64,
    /// Number of the message, from 1. A message begins at MB, and at the first record.
    pub message: u64,
    /// Number of the record in its message, from 1.
    pub number: u64,
    /// MB: first record of a message.
    pub begin: bool,
    /// ME: last record of a message.
    pub end: bool,
}

saved!(struct Record { offset, length, message, number, begin, end });

impl Record {
    /// Absolute offset of the first payload byte.
    #[must_use]
    pub const fn payload_offset(&self) -> u64 {
        self.offset.wrapping_add(HEADER_LEN as u64)
    }

    /// Absolute offset of the next record.
    #[must_use]
    pub const fn next_offset(&self) -> u64 {
        self.payload_offset().wrapping_add(self.length).wrapping_add(padding(self.length) as u64)
    }
}

/// What a step of the [`Decoder`](super::Decoder) can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Event {
    /// A header is complete; its type is in [`Decoder::header`](super::Decoder::header). The payload follows.
    Record(Record),
    /// The bytes consumed by this step are payload.
    Payload,
    /// Payload and padding of the record are done with.
    End,
    /// Something worth telling that the [`Mode`](crate::Mode) does not refuse. Reading goes on.
    Finding(Error<ErrorKind>),
}
