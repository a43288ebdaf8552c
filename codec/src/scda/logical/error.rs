//! Errors of compressed sections.

use crate::error::Misuse;
use crate::rules::rules;
use crate::scda::error::ErrorKind as RawErrorKind;
use crate::scda::section::{Count, SectionType};

rules! {
    /// The errors of scda files, including the errors of compressed sections.
    ///
    /// An error in the compression of one section does not prevent the others from being read.
    ///
    /// # Example
    /// ```
    /// use linkstream::Diagnostic;
    /// use linkstream::scda::{self, logical::ErrorKind};
    ///
    /// // An error of a raw section keeps its rule.
    /// assert_eq!(ErrorKind::Raw(scda::ErrorKind::Count).rule(), "scda-count");
    /// assert_eq!(ErrorKind::Adler32.rule(), "scda-adler32");
    /// ```
    pub enum ErrorKind {
        /// An error in a raw section, see [`scda::ErrorKind`](RawErrorKind).
        Raw(kind: RawErrorKind) => (..kind),
        /// An error in a `U` entry of a compressed section.
        Uncompressed(kind: RawErrorKind) => (
            "scda-uncompressed-size", Error, Decode, "scda, section 3",
            "the size before compression cannot be read: {kind}"
        ),
        /// The sizes of a compressed variable array are not entries of 32 bytes.
        EntrySize {
            /// Bytes per entry.
            found: Count,
        } => (
            "scda-entry-size", Error, Decode, "scda, section 3.4",
            "the sizes of a compressed variable array must be entries of 32 bytes, found {found}"
        ),
        /// The first half of a compressed section is followed by a section of another type.
        SecondHalf {
            /// The type that must follow.
            expected: SectionType,
            /// The type that follows.
            found: SectionType,
        } => (
            "scda-second-half", Error, Decode, "scda, section 3",
            "the second half of this compressed section must be of type {}, found type {}",
            char::from(expected.letter()), char::from(found.letter())
        ),
        /// The section before this one differs from the first half of a compressed section in one byte of its type and
        /// user string, and this one can be the second half: without the damage, they are one compressed section.
        FirstHalf => (
            "scda-first-half", Error, Decode, "scda, section 3",
            "the section before differs from the first half of this compressed section in one byte: it is damaged"
        ),
        /// The file ends after the first half of a compressed section.
        SecondHalfMissing => (
            "scda-second-half-missing", Error, Truncated, "scda, section 3",
            "the file ends after the first half of a compressed section"
        ),
        /// The halves of a compressed variable array have different numbers of elements.
        ElementsDiffer {
            /// In the first half.
            first: Count,
            /// In the second half.
            second: Count,
        } => (
            "scda-elements-differ", Error, Decode, "scda, section 3.4",
            "{first} sizes before compression, but {second} compressed elements"
        ),
        /// The text of a compressed element cannot have this length.
        TextLength {
            /// The length in bytes, according to the count.
            found: Count,
        } => (
            "scda-text-length", Error, Decode, "scda, section 3.1",
            "the text of a compressed element cannot have {found} bytes"
        ),
        /// The text of an element contains a byte that is not base64.
        Base64 {
            /// The first such byte.
            found: u8,
        } => (
            "scda-base64", Error, Decode, "scda, section 3.1",
            "the text of a compressed element is not base64: found {found:02x}"
        ),
        /// The text of an element ends inside its base64, or before its compressed stream is complete.
        TextTruncated => (
            "scda-text-truncated", Error, Decode, "scda, section 3.1",
            "the text of a compressed element ends too early"
        ),
        /// The format byte is not `z`.
        FormatByte {
            /// The byte in the file.
            found: u8,
        } => (
            "scda-format-byte", Error, Decode, "scda, section 3.1",
            "the ninth byte of a compressed element must be 7a (z), found {found:02x}"
        ),
        /// The size in the text of an element differs from the size announced for it.
        SizeDiffers {
            /// The size in bytes according to the `U` entry.
            announced: Count,
            /// The size in bytes according to the text.
            stored: u64,
        } => (
            "scda-size-differs", Error, Decode, "scda, section 3.1",
            "a compressed element claims a size of {stored} bytes, but its section claims {announced}"
        ),
        /// The compressed stream of an element is invalid.
        Deflate => (
            "scda-deflate", Error, Decode, "scda, section 3.1",
            "the compressed stream of an element is invalid"
        ),
        /// The decompressed element has another Adler-32 than the one stored with it.
        Adler32 => (
            "scda-adler32", Error, Decode, "scda, section 3.1",
            "a compressed element is damaged: its Adler-32 checksum differs"
        ),
        /// A compressed element decompresses to more bytes than its size says.
        TooMuch {
            /// Its size in bytes.
            announced: u64,
        } => (
            "scda-too-much", Error, Decode, "scda, section 3.1",
            "a compressed element decompresses to more than its size of {announced} bytes"
        ),
        /// A compressed element decompresses to fewer bytes than its size says.
        TooLittle {
            /// Its size in bytes.
            announced: u64,
            /// The number of bytes that it decompresses to.
            found: u64,
        } => (
            "scda-too-little", Error, Decode, "scda, section 3.1",
            "a compressed element decompresses to {found} bytes, but its size is {announced}"
        ),
        /// Bytes follow the compressed stream in the text of an element.
        LeftOver => (
            "scda-left-over", Error, Decode, "scda, section 3.1",
            "bytes follow the compressed stream of an element"
        ),
        /// The texts differ in number or size from the counts that precede them.
        SizesDiffer => (
            "scda-sizes-differ", Error, Decode, "scda, section 3.4",
            "the sizes of the compressed elements differ from those that precede them"
        ),
        /// The buffer for elements is smaller than the element and smaller than 32 KiB.
        BufferTooSmall {
            /// The size of the element in bytes, as claimed by the file: see [`Limits::check`](crate::Limits::check).
            needed: u64,
        } => (
            "scda-buffer-too-small", Error, Limit, "",
            "the buffer is too small for an element of {needed} bytes: it must hold the element, or 32768 bytes"
        ),
    }
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
