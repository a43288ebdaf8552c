//! Errors of LIME files, and of the encoder.

use crate::error::Misuse;
use crate::messages::messages;
use crate::rules::rules;

rules! {
    /// The errors of LIME files, independent of the content of their records.
    ///
    /// # Example
    /// ```
    /// use linkstream::lime::{Decoder, ErrorKind};
    /// use linkstream::{Decode, Mode};
    ///
    /// let error = Decoder::new(Mode::Lenient).push(&[0; 144]).err().ok_or("no magic number")?;
    /// assert_eq!(error.kind, ErrorKind::Magic { found: 0 });
    /// # Ok::<(), &str>(())
    /// ```
    pub enum ErrorKind {
        /// A record does not begin with the magic number 456789AB.
        Magic {
            /// The first four bytes of the header.
            found: u32,
        } => (
            "lime-magic", Fatal, Magic, "LIME 1.2, appendix A",
            "a LIME record must begin with the magic number 456789ab, found {found:08x}"
        ),
        /// A version other than 1.
        Version {
            /// The version in the header.
            found: u16,
        } => (
            "lime-version", Fatal, Version, "LIME 1.2, appendix A",
            "LIME version {found} is not supported; the only known version is 1"
        ),
        /// Reserved bits are set. c-lime writes zeros and ignores them; GPT sets all of them.
        ReservedBits {
            /// The 14 reserved bits of the flags field; MB and ME are not included.
            found: u16,
        } => (
            "lime-reserved-bits", Warning, Flags, "LIME 1.2, appendix A",
            "reserved bits of the header are set ({found:04x}); they must be zero"
        ),
        /// The type field has nonzero bytes after the NUL that terminates the type.
        TypeGarbage => (
            "lime-type-garbage", Warning, Type, "LIME 1.2, appendix A",
            "the type field has nonzero bytes after the NUL that terminates the type"
        ),
        /// A record without the message-begin flag (MB) at the start of the file or after the end of a message.
        BeginMissing => (
            "lime-mb-missing", Warning, Flags, "LIME 1.2, section 2",
            "no message is open, but the record does not have the message-begin flag"
        ),
        /// A record with the message-begin flag (MB) in the middle of a message.
        BeginUnexpected => (
            "lime-mb-unexpected", Warning, Flags, "LIME 1.2, section 2",
            "the record has the message-begin flag, but the previous message has not ended"
        ),
        /// The record would end beyond the largest 64-bit offset.
        LengthOverflow {
            /// Payload length in the header, in bytes.
            length: u64,
        } => (
            "lime-length-overflow", Fatal, Limit, "LIME 1.2, appendix A",
            "a payload of {length} bytes would end beyond the largest 64-bit offset"
        ),
        /// A padding byte is not zero.
        PaddingNonzero {
            /// The byte in the file.
            found: u8,
        } => (
            "lime-padding-nonzero", Warning, Padding, "LIME 1.2, appendix A",
            "padding bytes must be zero, found {found:02x}"
        ),
        /// The input ends inside a header.
        HeaderTruncated {
            /// Number of header bytes that are present.
            have: u8,
        } => (
            "lime-header-truncated", Fatal, Truncated, "LIME 1.2, appendix A",
            "the file ends inside a record header: {have} of 144 bytes are present"
        ),
        /// The input ends inside a payload.
        PayloadTruncated {
            /// Number of payload bytes that are missing.
            missing: u64,
        } => (
            "lime-payload-truncated", Fatal, Truncated, "LIME 1.2, appendix A",
            "the file ends inside a record: {missing} payload bytes are missing"
        ),
        /// The input ends inside the padding; the payload is complete.
        PaddingTruncated {
            /// Number of padding bytes that are missing.
            missing: u8,
        } => (
            "lime-padding-truncated", Warning, Truncated, "LIME 1.2, appendix A",
            "the file ends inside the padding of its last record: {missing} zero bytes are missing"
        ),
        /// The last record is followed by fewer bytes than the length of a header, and they are not the start of
        /// one; or by zeros up to the end of a block, as files have them that were padded to the block size of a tape
        /// or a file system: fewer than 2^20, and the file ends at a multiple of 512 bytes.
        Trailing {
            /// Number of these bytes.
            count: u32,
        } => (
            "lime-trailing-bytes", Warning, Trailing, "LIME 1.2, appendix A",
            "the last record is followed by {count} bytes that are not the start of another one"
        ),
        /// The input ends although the last message has not ended. Current versions of c-lime write such files.
        MessageOpen => (
            "lime-message-open", Info, Flags, "LIME 1.2, section 2",
            "the file ends, but the last record does not have the message-end flag"
        ),
        /// The deprecated empty record that old libraries wrote after a message that had not ended.
        TerminalNull => (
            "lime-terminal-null", Info, Flags, "LIME 1.2, section 3",
            "an empty record without type and flags, which old libraries wrote at the end of a file"
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
    /// use linkstream::lime::{EncodeErrorKind, Header};
    ///
    /// assert_eq!(Header::new(&[b'x'; 128], 0, true, true), Err(EncodeErrorKind::TypeTooLong { length: 128 }));
    /// ```
    pub enum EncodeErrorKind {
        /// A type of more than 127 bytes.
        TypeTooLong {
            /// Its length in bytes.
            length: usize,
        } => ("a type of {length} bytes does not fit in a LIME header, which has room for 127 and a NUL"),
        /// A type that contains a NUL.
        TypeHasNul => ("a type cannot contain a NUL: readers would see a shorter type"),
        /// Bytes that are not a valid header: another magic number or version, reserved bits, or a type with nonzero
        /// bytes after its NUL.
        HeaderInvalid => ("the bytes are not a valid LIME record header"),
        /// MB is not set although no message is open.
        BeginMissing => ("the first record of a message needs the message-begin flag"),
        /// MB is set although a message is open.
        BeginUnexpected => ("the message-begin flag is set, but the previous message has not ended"),
        /// The record would end beyond the largest 64-bit offset.
        LengthOverflow {
            /// The requested payload length in bytes.
            length: u64,
        } => ("a payload of {length} bytes would end beyond the largest 64-bit offset"),
        /// More payload than the header announced.
        PayloadTooLong {
            /// Number of bytes offered.
            offered: u64,
            /// Number of bytes from the current position to the end of the payload.
            room: u64,
        } => ("{offered} bytes do not fit in the record, which has room for {room} more"),
        /// The record cannot be closed because payload is missing.
        PayloadTooShort {
            /// Number of payload bytes that were never written.
            missing: u64,
        } => ("the record cannot be closed: {missing} bytes of its payload were never written"),
        /// A position outside the payload.
        SeekOutside {
            /// The requested position, in bytes from the start of the payload.
            to: u64,
            /// The length of the payload in bytes.
            length: u64,
        } => ("position {to} is outside the payload of {length} bytes"),
        /// The payload is being written in more separate pieces than can be tracked.
        TooManyPieces {
            /// Maximum number of pieces, [`MAX_PIECES`](super::MAX_PIECES).
            limit: usize,
        } => ("the payload is being written in more than {limit} separate pieces at a time"),
        /// A record is still open.
        RecordOpen => ("the previous record must be closed first"),
        /// No record is open.
        NoRecord => ("no record is open"),
    }
}
