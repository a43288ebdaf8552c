//! What can be wrong with compressed sections.

use core::fmt;

use crate::error::{Class, Diagnostic, Misuse, Severity};
use crate::scda::count::Count;
use crate::scda::error::ErrorKind as RawErrorKind;
use crate::scda::section::SectionType;

/// What is wrong with the sections of an scda file and their compression. What concerns the compression of one
/// section does not keep the others from being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ErrorKind {
    /// A raw section is wrong.
    Raw(RawErrorKind),
    /// A `U` entry of a compressed section is wrong.
    Uncompressed(RawErrorKind),
    /// The sizes of a compressed variable array are not entries of 32 bytes.
    EntrySize {
        /// Bytes of an entry.
        found: Count,
    },
    /// The first half of a compressed section is followed by a section of another type.
    SecondHalf {
        /// The type that must follow.
        expected: SectionType,
        /// The type that follows.
        found: SectionType,
    },
    /// The file ends behind the first half of a compressed section.
    SecondHalfMissing,
    /// The halves of a compressed variable array have different numbers of elements.
    ElementsDiffer {
        /// In the first half.
        first: Count,
        /// In the second half.
        second: Count,
    },
    /// No compressed element has a text of so many bytes.
    TextLength {
        /// Bytes that the count announces.
        found: Count,
    },
    /// The text of an element holds what is not base64.
    Base64 {
        /// The first byte that cannot stand there.
        found: u8,
    },
    /// The text of an element ends inside its base64, or before its compressed stream is complete.
    TextTruncated,
    /// The byte that must be `z` is another.
    FormatByte {
        /// What stands there.
        found: u8,
    },
    /// The size that stands in the text of an element is not the one announced.
    SizeDiffers {
        /// Bytes announced by the `U` entry.
        announced: Count,
        /// Bytes by the text.
        stored: u64,
    },
    /// The compressed stream of an element is broken.
    Deflate,
    /// The compressed stream of an element has another Adler-32 than stands behind it.
    Adler32,
    /// The compressed stream of an element gives more bytes than announced.
    TooMuch {
        /// Bytes announced.
        announced: u64,
    },
    /// The compressed stream of an element gives fewer bytes than announced.
    TooLittle {
        /// Bytes announced.
        announced: u64,
        /// Bytes it gives.
        found: u64,
    },
    /// Bytes follow the compressed stream in the text of an element.
    LeftOver,
    /// The texts are not as many, or not of the sizes, that the counts before them announce.
    SizesDiffer,
    /// The buffer lent for elements holds neither the element nor a window of 32 KiB.
    BufferTooSmall {
        /// Bytes of the element.
        needed: u64,
    },
}

impl From<RawErrorKind> for ErrorKind {
    fn from(kind: RawErrorKind) -> Self {
        Self::Raw(kind)
    }
}

impl From<Misuse> for ErrorKind {
    fn from(misuse: Misuse) -> Self {
        Self::Raw(RawErrorKind::Misuse(misuse))
    }
}

impl Diagnostic for ErrorKind {
    fn class(&self) -> Class {
        match self {
            Self::Raw(kind) => kind.class(),
            Self::SecondHalfMissing => Class::Truncated,
            Self::BufferTooSmall { .. } => Class::Limit,
            _ => Class::Decode,
        }
    }

    fn severity(&self) -> Severity {
        match self {
            Self::Raw(kind) => kind.severity(),
            _ => Severity::Error,
        }
    }

    fn rule(&self) -> &'static str {
        match self {
            Self::Raw(kind) => kind.rule(),
            Self::Uncompressed(_) => "scda-uncompressed-size",
            Self::EntrySize { .. } => "scda-entry-size",
            Self::SecondHalf { .. } => "scda-second-half",
            Self::SecondHalfMissing => "scda-second-half-missing",
            Self::ElementsDiffer { .. } => "scda-elements-differ",
            Self::TextLength { .. } => "scda-text-length",
            Self::Base64 { .. } => "scda-base64",
            Self::TextTruncated => "scda-text-truncated",
            Self::FormatByte { .. } => "scda-format-byte",
            Self::SizeDiffers { .. } => "scda-size-differs",
            Self::Deflate => "scda-deflate",
            Self::Adler32 => "scda-adler32",
            Self::TooMuch { .. } => "scda-too-much",
            Self::TooLittle { .. } => "scda-too-little",
            Self::LeftOver => "scda-left-over",
            Self::SizesDiffer => "scda-sizes-differ",
            Self::BufferTooSmall { .. } => "scda-buffer-too-small",
        }
    }

    fn clause(&self) -> &'static str {
        match self {
            Self::Raw(kind) => kind.clause(),
            Self::SecondHalf { .. } | Self::SecondHalfMissing | Self::Uncompressed(_) => "scda, section 3",
            Self::EntrySize { .. } | Self::ElementsDiffer { .. } | Self::SizesDiffer => "scda, section 3.4",
            Self::TextLength { .. }
            | Self::Base64 { .. }
            | Self::TextTruncated
            | Self::FormatByte { .. }
            | Self::SizeDiffers { .. }
            | Self::Deflate
            | Self::Adler32
            | Self::TooMuch { .. }
            | Self::TooLittle { .. }
            | Self::LeftOver => "scda, section 3.1",
            Self::BufferTooSmall { .. } => "",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Raw(kind) => kind.fmt(f),
            Self::Uncompressed(kind) => write!(f, "the size before compression is unreadable: {kind}"),
            Self::EntrySize { found } => write!(
                f,
                "the sizes of a compressed variable array must be entries of 32 bytes, but they have {found}"
            ),
            Self::SecondHalf { expected, found } => write!(
                f,
                "the second half of a compressed section must be of type {}, but type {} follows",
                char::from(expected.letter()),
                char::from(found.letter())
            ),
            Self::SecondHalfMissing => {
                f.write_str("the file ends behind the first half of a compressed section")
            }
            Self::ElementsDiffer { first, second } => {
                write!(f, "{first} sizes before compression, but {second} compressed elements")
            }
            Self::TextLength { found } => write!(f, "no compressed element has a text of {found} bytes"),
            Self::Base64 { found } => {
                write!(f, "{found:02x} cannot stand here in the base64 text of a compressed element")
            }
            Self::TextTruncated => f.write_str("the text of a compressed element ends too early"),
            Self::FormatByte { found } => {
                write!(f, "the ninth byte of a compressed element must be 7a (z), but it is {found:02x}")
            }
            Self::SizeDiffers { announced, stored } => write!(
                f,
                "a compressed element says that it has {stored} bytes, but {announced} are announced for it"
            ),
            Self::Deflate => f.write_str("the compressed stream of an element is broken"),
            Self::Adler32 => f.write_str("a compressed element is damaged: its Adler-32 checksum differs"),
            Self::TooMuch { announced } => {
                write!(f, "a compressed element gives more than the {announced} bytes announced for it")
            }
            Self::TooLittle { announced, found } => {
                write!(f, "a compressed element gives {found} bytes, but {announced} are announced for it")
            }
            Self::LeftOver => f.write_str("bytes follow the compressed stream of an element"),
            Self::SizesDiffer => {
                f.write_str("the compressed elements have other sizes than the counts before them say")
            }
            Self::BufferTooSmall { needed } => write!(
                f,
                "an element of {needed} bytes; the buffer must hold it, or 32768 bytes to read it in pieces"
            ),
        }
    }
}
