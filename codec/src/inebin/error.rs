//! Errors of INEBIN files, and of the encoder.

use super::value::MatrixType;
use crate::error::Misuse;
use crate::messages::messages;
use crate::rules::{Hex, rules};

rules! {
    /// The errors of INEBIN files.
    ///
    /// # Example
    /// ```
    /// use linkstream::inebin::{Decoder, ErrorKind};
    /// use linkstream::{Decode, Mode};
    ///
    /// let error = Decoder::new(Mode::Lenient).push(&[0; 16]).err().ok_or("no magic bytes")?;
    /// assert_eq!(error.kind, ErrorKind::Magic { found: [0; 6] });
    /// # Ok::<(), &str>(())
    /// ```
    pub enum ErrorKind {
        /// The file does not begin with `INEBIN`. Aion reads any such file as CSV.
        Magic {
            /// The first six bytes of the file; if the file is shorter, followed by zeros.
            found: [u8; 6],
        } => (
            "inebin-magic", Fatal, Magic, "Aion manual, table 54",
            "an INEBIN file must begin with 49 4e 45 42 49 4e (INEBIN), found{}; Aion reads such a file as CSV",
            Hex(found)
        ),
        /// The reserved byte is not zero. Aion ignores it.
        Reserved {
            /// The byte in the file.
            found: u8,
        } => (
            "inebin-reserved-byte", Warning, Format, "Aion manual, table 54",
            "the reserved byte must be 0, found {found:02x}"
        ),
        /// The type is not one of `B`, `Z`, `R`, `C`.
        Type {
            /// The byte in the file.
            found: u8,
        } => (
            "inebin-type", Fatal, Type, "Aion manual, table 54",
            "unknown matrix type {found:02x}; the types are 42 (B, boolean), 5a (Z, integer), 52 (R, real) and 43 \
             (C, complex)"
        ),
        /// The matrix would end beyond the largest 64-bit offset.
        SizeOverflow {
            /// Bits per entry.
            bits: u8,
            /// Rows in the header.
            rows: u32,
            /// Columns in the header.
            columns: u32,
        } => (
            "inebin-size-overflow", Fatal, Limit, "Aion manual, table 54",
            "{rows} times {columns} entries of {bits} bits would end beyond the largest 64-bit offset"
        ),
        /// The input ends inside the header.
        HeaderTruncated {
            /// Bytes of the header that are present.
            have: u8,
        } => (
            "inebin-header-truncated", Fatal, Truncated, "Aion manual, table 54",
            "the file ends inside its header: {have} of 16 bytes are present"
        ),
        /// The input ends inside the data.
        DataTruncated {
            /// Complete entries before the end.
            entries: u64,
            /// Data bytes that are missing.
            missing: u64,
        } => (
            "inebin-data-truncated", Fatal, Truncated, "Aion manual, File Formats",
            "the file ends inside the matrix: {missing} bytes are missing; complete entries: {entries}"
        ),
        /// Bits of the last byte that belong to no entry are set.
        UnusedBits {
            /// The bits that are set.
            found: u8,
        } => (
            "inebin-unused-bits", Warning, Format, "Aion manual, Boolean Matrix Data Files",
            "the bits after the last entry must be 0, found {found:02x}"
        ),
        /// Bytes follow the last entry. Aion ignores them.
        Trailing => (
            "inebin-trailing-bytes", Warning, Trailing, "Aion manual, File Formats",
            "bytes follow the last entry of the matrix"
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
    /// use linkstream::inebin::{EncodeErrorKind, Encoder, Header, MatrixType};
    ///
    /// let encoder = Encoder::new(&Header::new(MatrixType::Real, 2, 3)?);
    /// assert_eq!(encoder.finish(), Err(EncodeErrorKind::TooFew { missing: 6 }));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub enum EncodeErrorKind {
        /// The file would be longer than the largest 64-bit offset.
        SizeOverflow {
            /// Rows.
            rows: u32,
            /// Columns.
            columns: u32,
        } => ("a matrix of {rows} times {columns} entries would end beyond the largest 64-bit offset"),
        /// The values are of another type than the matrix.
        TypeMismatch {
            /// The type of the matrix.
            matrix: MatrixType,
            /// The type of the values.
            values: MatrixType,
        } => (
            "the matrix is of type {}, but the values are of type {}",
            char::from(matrix.letter()), char::from(values.letter())
        ),
        /// More values, or more raw bytes, than the matrix has room for.
        TooMany => ("more values than the matrix has room for"),
        /// The matrix cannot be ended because entries are missing.
        TooFew {
            /// The number of missing entries, including booleans whose byte is incomplete.
            missing: u64,
        } => ("the matrix cannot be ended: {missing} entries are missing"),
        /// Raw bytes were given inside an entry that was given as a value, or values after raw bytes that end inside
        /// an entry.
        InsideEntry => ("an entry is incomplete: values and raw bytes cannot be mixed inside an entry"),
        /// Raw bytes with bits set after the last entry.
        UnusedBits {
            /// The bits that are set.
            found: u8,
        } => ("the bits after the last entry must be 0, found {found:02x}"),
    }
}
