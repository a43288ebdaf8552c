//! What can be wrong with a LIME file, and what a writer refuses.

use core::fmt;

use crate::error::{Class, Diagnostic, Misuse, Severity};

/// What is wrong with the bytes of a LIME file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ErrorKind {
    /// A record does not begin with the magic number 456789AB.
    Magic {
        /// What stands there.
        found: u32,
    },
    /// A version other than 1.
    Version {
        /// What stands there.
        found: u16,
    },
    /// Reserved bits are set. Found in no file known; c-lime ignores them.
    ReservedBits {
        /// Bits 48 to 63 of the first word without MB and ME.
        found: u16,
    },
    /// Bytes behind the NUL that ends the type are not zero.
    TypeGarbage,
    /// A record lacks MB although a message has just ended or the file begins.
    BeginMissing,
    /// A record has MB although the message before it has not ended.
    BeginUnexpected,
    /// The record would end beyond what 64 bits can address.
    LengthOverflow {
        /// Payload length that the header claims.
        length: u64,
    },
    /// A padding byte is not zero.
    PaddingNonzero {
        /// The byte.
        found: u8,
    },
    /// The input ends inside a header.
    HeaderTruncated {
        /// Bytes of the header that are there.
        have: u8,
    },
    /// The input ends inside a payload.
    PayloadTruncated {
        /// Payload bytes that are missing.
        missing: u64,
    },
    /// The input ends inside the padding; the payload is whole.
    PaddingTruncated {
        /// Padding bytes that are missing.
        missing: u8,
    },
    /// Less than a header follows the last record, and it does not look like the start of one.
    Trailing {
        /// How many bytes.
        count: u8,
    },
    /// The input ends although the last message has not been ended. Today's c-lime leaves files so.
    MessageOpen,
    /// The deprecated record that old libraries wrote behind a message that was not ended.
    TerminalNull,
    /// The caller's mistake.
    Misuse(Misuse),
}

impl Diagnostic for ErrorKind {
    fn class(&self) -> Class {
        match self {
            Self::Magic { .. } => Class::Magic,
            Self::Version { .. } => Class::Version,
            Self::ReservedBits { .. }
            | Self::BeginMissing
            | Self::BeginUnexpected
            | Self::MessageOpen
            | Self::TerminalNull => Class::Flags,
            Self::TypeGarbage => Class::Type,
            Self::LengthOverflow { .. } => Class::Limit,
            Self::PaddingNonzero { .. } => Class::Padding,
            Self::HeaderTruncated { .. } | Self::PayloadTruncated { .. } | Self::PaddingTruncated { .. } => {
                Class::Truncated
            }
            Self::Trailing { .. } => Class::Trailing,
            Self::Misuse(_) => Class::Misuse,
        }
    }

    fn severity(&self) -> Severity {
        match self {
            Self::MessageOpen | Self::TerminalNull => Severity::Info,
            Self::ReservedBits { .. }
            | Self::TypeGarbage
            | Self::BeginMissing
            | Self::BeginUnexpected
            | Self::PaddingNonzero { .. }
            | Self::PaddingTruncated { .. }
            | Self::Trailing { .. } => Severity::Warning,
            Self::Magic { .. }
            | Self::Version { .. }
            | Self::LengthOverflow { .. }
            | Self::HeaderTruncated { .. }
            | Self::PayloadTruncated { .. }
            | Self::Misuse(_) => Severity::Fatal,
        }
    }

    fn rule(&self) -> &'static str {
        match self {
            Self::Magic { .. } => "lime-magic",
            Self::Version { .. } => "lime-version",
            Self::ReservedBits { .. } => "lime-reserved-bits",
            Self::TypeGarbage => "lime-type-garbage",
            Self::BeginMissing => "lime-mb-missing",
            Self::BeginUnexpected => "lime-mb-unexpected",
            Self::LengthOverflow { .. } => "lime-length-overflow",
            Self::PaddingNonzero { .. } => "lime-padding-nonzero",
            Self::HeaderTruncated { .. } => "lime-header-truncated",
            Self::PayloadTruncated { .. } => "lime-payload-truncated",
            Self::PaddingTruncated { .. } => "lime-padding-truncated",
            Self::Trailing { .. } => "lime-trailing-bytes",
            Self::MessageOpen => "lime-message-open",
            Self::TerminalNull => "lime-terminal-null",
            Self::Misuse(_) => "misuse",
        }
    }

    fn clause(&self) -> &'static str {
        match self {
            Self::BeginMissing | Self::BeginUnexpected | Self::MessageOpen => "LIME 1.2, section 2",
            Self::Magic { .. }
            | Self::Version { .. }
            | Self::ReservedBits { .. }
            | Self::TypeGarbage
            | Self::LengthOverflow { .. }
            | Self::PaddingNonzero { .. }
            | Self::HeaderTruncated { .. }
            | Self::PayloadTruncated { .. }
            | Self::PaddingTruncated { .. }
            | Self::Trailing { .. } => "LIME 1.2, appendix A",
            Self::TerminalNull => "LIME 1.2, section 3",
            Self::Misuse(_) => "",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic { found } => {
                write!(
                    f,
                    "a LIME record must begin with the magic number 456789ab, but {found:08x} stands here"
                )
            }
            Self::Version { found } => write!(f, "LIME version {found}; only version 1 is known"),
            Self::ReservedBits { found } => {
                write!(f, "reserved bits of the header are set ({found:04x}); they must be zero")
            }
            Self::TypeGarbage => f.write_str("the type field holds bytes behind the NUL that ends the type"),
            Self::BeginMissing => {
                f.write_str("the record lacks the message-begin flag although no message is open")
            }
            Self::BeginUnexpected => {
                f.write_str("the record begins a message although the one before has not been ended")
            }
            Self::LengthOverflow { length } => {
                write!(f, "a payload of {length} bytes would end beyond what 64 bits can address")
            }
            Self::PaddingNonzero { found } => {
                write!(f, "padding must be zero bytes, but {found:02x} stands here")
            }
            Self::HeaderTruncated { have } => {
                write!(f, "the file ends inside a record header: {have} of 144 bytes are there")
            }
            Self::PayloadTruncated { missing } => {
                write!(f, "the file ends inside a record: {missing} payload bytes are missing")
            }
            Self::PaddingTruncated { missing } => {
                write!(
                    f,
                    "the file ends inside the padding of its last record: {missing} zero bytes are missing"
                )
            }
            Self::Trailing { count } => {
                write!(f, "{count} bytes follow the last record that do not begin another one")
            }
            Self::MessageOpen => {
                f.write_str("the file ends although its last message was not ended (no message-end flag)")
            }
            Self::TerminalNull => {
                f.write_str("an empty record without type and flags, with which old libraries closed a file")
            }
            Self::Misuse(misuse) => misuse.fmt(f),
        }
    }
}

/// What an [`Encoder`](super::Encoder) refuses to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum EncodeErrorKind {
    /// A type of more than 127 bytes.
    TypeTooLong {
        /// Its length.
        length: usize,
    },
    /// A type that contains a NUL.
    TypeHasNul,
    /// Bytes that no LIME header can have: another magic number or version, reserved bits, a type that goes on
    /// behind its NUL.
    HeaderInvalid,
    /// MB is not set although no message is open.
    BeginMissing,
    /// MB is set although a message is open.
    BeginUnexpected,
    /// The record would end beyond what 64 bits can address.
    LengthOverflow {
        /// Payload length asked for.
        length: u64,
    },
    /// More payload than the header announced.
    PayloadTooLong {
        /// Bytes offered.
        offered: u64,
        /// Bytes for which there is room from the present place to the record's end.
        room: u64,
    },
    /// The record is to be closed, but payload is missing.
    PayloadTooShort {
        /// Bytes never written.
        missing: u64,
    },
    /// A place outside the payload.
    SeekOutside {
        /// The place asked for, from the payload's start.
        to: u64,
        /// The payload's length.
        length: u64,
    },
    /// Written in more separate pieces than can be kept account of.
    TooManyPieces {
        /// How many can.
        limit: usize,
    },
    /// A record is still open.
    RecordOpen,
    /// No record is open.
    NoRecord,
}

impl fmt::Display for EncodeErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TypeTooLong { length } => {
                write!(f, "a type of {length} bytes; a LIME header has room for 127 and a NUL")
            }
            Self::TypeHasNul => f.write_str("a type cannot contain a NUL: it would read back shorter"),
            Self::HeaderInvalid => f.write_str("these bytes are not the header of a LIME record"),
            Self::BeginMissing => f.write_str("the first record of a message needs the message-begin flag"),
            Self::BeginUnexpected => {
                f.write_str("message-begin is set, but the message before has not been ended")
            }
            Self::LengthOverflow { length } => {
                write!(f, "a payload of {length} bytes would end beyond what 64 bits can address")
            }
            Self::PayloadTooLong { offered, room } => {
                write!(f, "{offered} bytes offered where the record has room for {room} more")
            }
            Self::PayloadTooShort { missing } => {
                write!(f, "the record cannot be closed: {missing} bytes of its payload were never written")
            }
            Self::SeekOutside { to, length } => {
                write!(f, "place {to} lies outside the payload of {length} bytes")
            }
            Self::TooManyPieces { limit } => {
                write!(f, "the payload is being written in more than {limit} separate pieces at a time")
            }
            Self::RecordOpen => f.write_str("the record before must be closed first"),
            Self::NoRecord => f.write_str("no record is open"),
        }
    }
}

impl core::error::Error for EncodeErrorKind {}
