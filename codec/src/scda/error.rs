//! What can be wrong with the sections of an scda file, and what a writer refuses.

use core::fmt;

use super::count::{Count, Letter};
use super::partition::PartitionError;
use crate::error::{Class, Diagnostic, Misuse, Severity};

/// What is wrong with the bytes of an scda file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file does not begin with `scdat` and two hexadecimal digits from `a0` on.
    Magic {
        /// What stands there, zeros where the file is shorter.
        found: [u8; 7],
    },
    /// A version other than a0.
    Version {
        /// The version.
        found: u8,
    },
    /// No space behind the magic or behind a letter.
    NoSpace {
        /// What stands there.
        found: u8,
    },
    /// A section begins with another letter than `I`, `B`, `A`, `V`; the first with another than `F`.
    SectionLetter {
        /// What stands there.
        found: u8,
    },
    /// A second file header.
    SecondHeader,
    /// A vendor string without its padding, or too long.
    Vendor,
    /// A user string without its padding, or too long.
    User,
    /// A count entry begins with another letter.
    Letter {
        /// What must stand there.
        expected: Letter,
        /// What stands there.
        found: u8,
    },
    /// A count is not 1 to 26 digits without leading zeros, or its padding is wrong.
    Count,
    /// Legal, but the section would end beyond what 64 bits can address.
    TooLong {
        /// The count with which it becomes too long.
        count: Count,
    },
    /// Padding behind data that is neither that of Unix nor that of MIME. The paper lets readers ignore it.
    Padding {
        /// The first byte that fits neither.
        found: u8,
    },
    /// The input ends inside the file header, a head or a count.
    HeadTruncated {
        /// Bytes of it that are there.
        have: u8,
        /// Bytes it has.
        of: u8,
    },
    /// The input ends before all element sizes of a variable array.
    SizesTruncated {
        /// Sizes that are missing.
        missing: u64,
    },
    /// The input ends inside the data.
    DataTruncated {
        /// Bytes that are missing.
        missing: u64,
    },
    /// The input ends inside the padding behind the data, which are whole.
    PaddingTruncated {
        /// Bytes that are missing.
        missing: u8,
    },
    /// The caller's mistake.
    Misuse(Misuse),
}

impl Diagnostic for ErrorKind {
    fn class(&self) -> Class {
        match self {
            Self::Magic { .. } => Class::Magic,
            Self::Version { .. } => Class::Version,
            Self::NoSpace { .. }
            | Self::SectionLetter { .. }
            | Self::SecondHeader
            | Self::Vendor
            | Self::User
            | Self::Letter { .. }
            | Self::Count => Class::Format,
            Self::TooLong { .. } => Class::Limit,
            Self::Padding { .. } => Class::Padding,
            Self::HeadTruncated { .. }
            | Self::SizesTruncated { .. }
            | Self::DataTruncated { .. }
            | Self::PaddingTruncated { .. } => Class::Truncated,
            Self::Misuse(_) => Class::Misuse,
        }
    }

    fn severity(&self) -> Severity {
        match self {
            Self::Padding { .. } => Severity::Warning,
            Self::PaddingTruncated { .. } => Severity::Error,
            _ => Severity::Fatal,
        }
    }

    fn rule(&self) -> &'static str {
        match self {
            Self::Magic { .. } => "scda-magic",
            Self::Version { .. } => "scda-version",
            Self::NoSpace { .. } => "scda-no-space",
            Self::SectionLetter { .. } => "scda-section-letter",
            Self::SecondHeader => "scda-second-header",
            Self::Vendor => "scda-vendor",
            Self::User => "scda-user",
            Self::Letter { .. } => "scda-count-letter",
            Self::Count => "scda-count",
            Self::TooLong { .. } => "scda-too-long",
            Self::Padding { .. } => "scda-padding",
            Self::HeadTruncated { .. } => "scda-head-truncated",
            Self::SizesTruncated { .. } => "scda-sizes-truncated",
            Self::DataTruncated { .. } => "scda-data-truncated",
            Self::PaddingTruncated { .. } => "scda-padding-truncated",
            Self::Misuse(_) => "misuse",
        }
    }

    fn clause(&self) -> &'static str {
        match self {
            Self::Magic { .. } | Self::Version { .. } | Self::SecondHeader | Self::Vendor => {
                "scda, section 2.2"
            }
            Self::Padding { .. } | Self::PaddingTruncated { .. } | Self::User => "scda, section 2.1",
            Self::NoSpace { .. } | Self::SectionLetter { .. } | Self::HeadTruncated { .. } => {
                "scda, section 2"
            }
            Self::Letter { .. } | Self::Count | Self::TooLong { .. } | Self::DataTruncated { .. } => {
                "scda, sections 2.3 to 2.6"
            }
            Self::SizesTruncated { .. } => "scda, section 2.6",
            Self::Misuse(_) => "",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic { found } => {
                f.write_str("an scda file must begin with 73 63 64 61 74 61 30 (scdata0), but")?;
                for byte in found {
                    write!(f, " {byte:02x}")?;
                }
                f.write_str(" stands here")
            }
            Self::Version { found } => write!(f, "scda version {found:02x}; only version a0 is known"),
            Self::NoSpace { found } => write!(f, "a space must stand here, but it is {found:02x}"),
            Self::SectionLetter { found } => {
                write!(
                    f,
                    "a section must begin with F (the first), I, B, A or V, but {found:02x} stands here"
                )
            }
            Self::SecondHeader => f.write_str("a second file header (F); only the first section can be one"),
            Self::Vendor => f.write_str("the vendor string is not padded by a space and dashes to 24 bytes"),
            Self::User => f.write_str("the user string is not padded by a space and dashes to 62 bytes"),
            Self::Letter { expected, found } => {
                let expected = char::from(expected.byte());
                write!(f, "a count entry must begin with {expected} here, but {found:02x} stands here")
            }
            Self::Count => f.write_str(
                "a count must be 1 to 26 decimal digits without leading zeros, padded by a space and dashes",
            ),
            Self::TooLong { count } => {
                write!(f, "with a count of {count} the section would end beyond what 64 bits can address")
            }
            Self::Padding { found } => write!(
                f,
                "the padding behind the data is neither that of Unix nor that of MIME: {found:02x} stands here"
            ),
            Self::HeadTruncated { have, of } => {
                write!(f, "the file ends inside the head of a section: {have} of {of} bytes are there")
            }
            Self::SizesTruncated { missing } => {
                write!(
                    f,
                    "the file ends inside a variable array: {missing} element sizes and all data are missing"
                )
            }
            Self::DataTruncated { missing } => {
                write!(f, "the file ends inside a section: {missing} bytes of its data are missing")
            }
            Self::PaddingTruncated { missing } => {
                write!(f, "the file ends inside the padding of its last section: {missing} bytes are missing")
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
    /// A string of more bytes than there is room for.
    StringTooLong {
        /// Its length.
        length: usize,
        /// The most there is room for.
        limit: usize,
    },
    /// The section would end beyond what 64 bits can address.
    TooLong {
        /// The count with which it becomes too long.
        count: Count,
    },
    /// The file header has not been written, or has been.
    HeaderOrder,
    /// The section before must be ended first.
    SectionOpen,
    /// No section is open.
    NoSection,
    /// An element size where none is expected: all have been given, or the section is no variable array.
    SizeUnexpected,
    /// Data before all element sizes of a variable array.
    SizesMissing {
        /// How many.
        missing: u64,
    },
    /// All sizes before compression have been given: the second half must be opened.
    SecondHalfMissing,
    /// No compressed element has a text of so many bytes.
    TextLength {
        /// Bytes of the text.
        found: u64,
    },
    /// More data than the counts announce.
    DataTooLong {
        /// Bytes offered.
        offered: u64,
        /// Bytes for which there is room.
        room: u64,
    },
    /// The section is to be ended, but data are missing.
    DataTooShort {
        /// How many bytes.
        missing: u64,
    },
    /// The element sizes of a process do not add up to its data.
    SizeSum {
        /// The sum, with the size that shows it.
        sum: u128,
        /// `S_q`.
        expected: u64,
    },
    /// A process has no such part of the section.
    Partition(PartitionError),
}

impl From<PartitionError> for EncodeErrorKind {
    fn from(error: PartitionError) -> Self {
        Self::Partition(error)
    }
}

impl fmt::Display for EncodeErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StringTooLong { length, limit } => {
                write!(f, "a string of {length} bytes; there is room for {limit}")
            }
            Self::TooLong { count } => {
                write!(f, "with a count of {count} the section would end beyond what 64 bits can address")
            }
            Self::HeaderOrder => f.write_str("the file header comes first and only once"),
            Self::SectionOpen => f.write_str("the section before must be ended first"),
            Self::NoSection => f.write_str("no section is open"),
            Self::SizeUnexpected => f.write_str("no element size is expected here"),
            Self::SizesMissing { missing } => {
                write!(f, "{missing} element sizes must be given before the data")
            }
            Self::SecondHalfMissing => {
                f.write_str("the second half of the compressed section must be opened first")
            }
            Self::TextLength { found } => write!(f, "no compressed element has a text of {found} bytes"),
            Self::DataTooLong { offered, room } => {
                write!(f, "{offered} bytes offered where the section has room for {room} more")
            }
            Self::DataTooShort { missing } => {
                write!(f, "the section cannot be ended: {missing} bytes of its data are missing")
            }
            Self::SizeSum { sum, expected } => {
                write!(f, "the sizes add up to {sum} where the process has {expected} bytes of data")
            }
            Self::Partition(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for EncodeErrorKind {}
