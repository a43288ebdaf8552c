//! Errors, and the events that carry them.

use super::section::{Count, Letter, Section};
use crate::error::{Error, Misuse};
use crate::messages::messages;
use crate::rules::{Hex, rules};

rules! {
    /// The errors of scda files.
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{Decoder, ErrorKind};
    /// use linkstream::{Decode, Mode};
    ///
    /// let error = Decoder::new(Mode::Lenient).push(&[b'x'; 128]).err().ok_or("no magic bytes")?;
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
        /// The caller misused the decoder; nothing is wrong with the file.
        Misuse(misuse: Misuse) => (..misuse),
    }
}

messages! {
    /// Errors of an [`Encoder`](super::Encoder). The call that returns one has no effect.
    ///
    /// # Example
    /// ```
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
