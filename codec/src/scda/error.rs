//! The errors of scda files and of writing them.

use core::fmt;

use super::count::{Count, CountError, Letter};
use super::section::SectionType;
use crate::error::Misuse;
use crate::messages::messages;
use crate::rules::{Hex, rules};

rules! {
    /// The errors of scda files, including the errors of compressed sections.
    ///
    /// An error in the compression of one section does not prevent the others from being read.
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{Decoder, ErrorKind};
    /// use linkstream::{Decode, Mode};
    ///
    /// let error = Decoder::new(Mode::Lenient, true).push(&[b'x'; 128]).err().ok_or("no magic bytes")?;
    /// assert_eq!(error.kind, ErrorKind::Magic { found: *b"xxxxxxx" });
    /// # Ok::<(), &str>(())
    /// ```
    pub enum ErrorKind {
        /// The file does not begin with `scdat` and two hexadecimal digits from `a0` on.
        Magic {
            /// The first seven bytes of the file; if the file is shorter, followed by zeros.
            found: [u8; 7],
        } => (
            "scda-magic", Fatal, Magic, "scda, section 2.2",
            "an scda file must begin with 73 63 64 61 74 61 30 (scdata0), found{}", Hex(found)
        ),
        /// A version other than a0.
        Version {
            /// The version in the file.
            found: u8,
        } => (
            "scda-version", Fatal, Version, "scda, section 2.2",
            "scda version {found:02x} is not supported; the only known version is a0"
        ),
        /// No space after the magic bytes or after a letter.
        NoSpace {
            /// The byte that was found instead.
            found: u8,
        } => ("scda-no-space", Fatal, Format, "scda, section 2", "expected a space, found {found:02x}"),
        /// A section does not begin with `I`, `B`, `A` or `V`, or the first section not with `F`.
        SectionLetter {
            /// The byte that was found instead.
            found: u8,
        } => (
            "scda-section-letter", Fatal, Format, "scda, section 2",
            "a section must begin with F (the first one), I, B, A or V, found {found:02x}"
        ),
        /// A second file header.
        SecondHeader => (
            "scda-second-header", Fatal, Format, "scda, section 2.2",
            "a second file header (F); only the first section can be a file header"
        ),
        /// A vendor string without its padding, or too long.
        Vendor => (
            "scda-vendor", Fatal, Format, "scda, section 2.2",
            "the vendor string is not padded with a space and dashes to 24 bytes"
        ),
        /// A user string without its padding, or too long.
        User => (
            "scda-user", Fatal, Format, "scda, section 2.1",
            "the user string is not padded with a space and dashes to 62 bytes"
        ),
        /// A count entry begins with the wrong letter.
        Letter {
            /// The letter expected.
            expected: Letter,
            /// The byte that was found instead.
            found: u8,
        } => (
            "scda-count-letter", Fatal, Format, "scda, sections 2.3 to 2.6",
            "this count entry must begin with {}, found {found:02x}", char::from(expected.byte())
        ),
        /// A count is not 1 to 26 digits without leading zeros, or its padding is wrong.
        Count => (
            "scda-count", Fatal, Format, "scda, sections 2.3 to 2.6",
            "a count must be 1 to 26 decimal digits without leading zeros, padded with a space and dashes"
        ),
        /// The section would end beyond the largest 64-bit offset. The format allows that, but this crate does not
        /// support it.
        TooLong {
            /// The count that makes it too long.
            count: Count,
        } => (
            "scda-too-long", Fatal, Limit, "scda, sections 2.3 to 2.6",
            "with a count of {count} the section would end beyond the largest 64-bit offset"
        ),
        /// The padding of the data is in neither of the two forms, Unix and MIME. The paper allows readers to ignore
        /// it.
        Padding {
            /// The first byte that fits neither form.
            found: u8,
        } => (
            "scda-padding", Warning, Padding, "scda, section 2.1",
            "the padding of the data is neither in Unix nor in MIME form: found {found:02x}"
        ),
        /// The input ends inside the file header, a section header or a count.
        HeadTruncated {
            /// Number of its bytes that are present.
            have: u8,
            /// Its length in bytes.
            of: u8,
        } => (
            "scda-head-truncated", Fatal, Truncated, "scda, section 2",
            "the file ends inside the header of a section: {have} of {of} bytes are present"
        ),
        /// The input ends before all element sizes of a variable array.
        SizesTruncated {
            /// Number of missing sizes.
            missing: u64,
        } => (
            "scda-sizes-truncated", Fatal, Truncated, "scda, section 2.6",
            "the file ends inside a variable array: {missing} element sizes and all data are missing"
        ),
        /// The input ends inside the data.
        DataTruncated {
            /// Number of missing bytes.
            missing: u64,
        } => (
            "scda-data-truncated", Fatal, Truncated, "scda, sections 2.3 to 2.6",
            "the file ends inside a section: {missing} bytes of its data are missing"
        ),
        /// The input ends inside the padding; the data are complete.
        PaddingTruncated {
            /// Number of missing bytes.
            missing: u8,
        } => (
            "scda-padding-truncated", Error, Truncated, "scda, section 2.1",
            "the file ends inside the padding of its last section: {missing} bytes are missing"
        ),
        /// An error in a `U` entry of a compressed section.
        Uncompressed(error: CountError) => (
            "scda-uncompressed-size", Error, Decode, "scda, section 3",
            "the size before compression cannot be read: {error}"
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
            first: u64,
            /// In the second half.
            second: u64,
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
        /// The caller misused the decoder; nothing is wrong with the file.
        Misuse(misuse: Misuse) => (..misuse),
    }
}

messages! {
    /// Errors of an [`Encoder`](super::Encoder). The call that returns one has no effect.
    ///
    /// # Example
    /// ```
    /// use linkstream::Encode;
    /// use linkstream::scda::{EncodeErrorKind, Encoder, Style};
    ///
    /// assert_eq!(Encoder::new(Style::Unix).finish(), Err(EncodeErrorKind::HeaderOrder));
    /// ```
    pub enum EncodeErrorKind {
        /// A user or vendor string is too long.
        StringTooLong {
            /// Its length in bytes.
            length: usize,
            /// The maximum length in bytes.
            limit: usize,
        } => ("the string has {length} bytes; at most {limit} are allowed"),
        /// The section would end beyond the largest 64-bit offset.
        TooLong {
            /// The count that makes it too long.
            count: Count,
        } => ("with a count of {count} the section would end beyond the largest 64-bit offset"),
        /// The file header has not been written, or has been written already.
        HeaderOrder => ("the file header must be written first, and only once"),
        /// The previous section must be ended first.
        SectionOpen => ("the previous section must be ended first"),
        /// No section is open.
        NoSection => ("no section is open"),
        /// An element size where none is expected: all have been given, or the section is not a variable array.
        SizeUnexpected => ("no element size is expected here"),
        /// Data before all element sizes of a variable array.
        SizesMissing {
            /// Number of missing sizes.
            missing: u64,
        } => ("{missing} element sizes must be given before the data"),
        /// All sizes before compression have been given; the second half of the section must be opened next.
        SecondHalfMissing => ("the second half of the compressed section must be opened first"),
        /// The text of a compressed element cannot have this length.
        TextLength {
            /// Length of the text in bytes.
            found: u64,
        } => ("the text of a compressed element cannot have {found} bytes"),
        /// An element of a compressed block or array has another length than was announced.
        ElementLength {
            /// Length of each element before compression, in bytes, as announced.
            announced: Count,
            /// Length of this element in bytes.
            given: u64,
        } => ("the element has {given} bytes, but a length of {announced} bytes before compression was announced"),
        /// More data than the section has room for.
        DataTooLong {
            /// Bytes offered.
            offered: u64,
            /// Bytes that fit.
            room: u64,
        } => ("{offered} bytes do not fit in the section, which has room for {room} more"),
        /// The section cannot be ended because data are missing.
        DataTooShort {
            /// Number of missing bytes.
            missing: u64,
        } => ("the section cannot be ended: {missing} bytes of its data are missing"),
    }
}

impl ErrorKind {
    /// True if only padding is wrong or missing: all data are there.
    pub(crate) const fn is_of_padding(&self) -> bool {
        matches!(self, Self::Padding { .. } | Self::PaddingTruncated { .. })
    }
}

impl From<Misuse> for ErrorKind {
    fn from(misuse: Misuse) -> Self {
        Self::Misuse(misuse)
    }
}

impl From<CountError> for ErrorKind {
    fn from(error: CountError) -> Self {
        match error {
            CountError::Letter { expected, found } => Self::Letter { expected, found },
            CountError::NoSpace { found } => Self::NoSpace { found },
            CountError::Digits => Self::Count,
            // Only sizes before compression may be too long by themselves.
            CountError::TooLong => Self::Uncompressed(error),
        }
    }
}

impl fmt::Display for CountError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => f.write_str("it does not fit in 64 bits"),
            // The sentences are in the table of rules.
            error => ErrorKind::from(*error).fmt(f),
        }
    }
}
