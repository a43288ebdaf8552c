//! What can be wrong with an INEBIN file, and what a writer refuses.

use core::fmt;

use super::header::MatrixType;
use crate::error::{Class, Diagnostic, Misuse, Severity};

/// What is wrong with the bytes of an INEBIN file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file does not begin with `INEBIN`. Aion takes any such file for CSV.
    Magic {
        /// What stands there, zeros where the file is shorter.
        found: [u8; 6],
    },
    /// The reserved byte is not zero. Aion does not look at it.
    Reserved {
        /// The byte.
        found: u8,
    },
    /// The type is not one of `B`, `Z`, `R`, `C`.
    Type {
        /// The byte.
        found: u8,
    },
    /// The matrix would end beyond what 64 bits can address.
    SizeOverflow {
        /// Bits an entry.
        bits: u8,
        /// Rows claimed.
        rows: u32,
        /// Columns claimed.
        columns: u32,
    },
    /// The input ends inside the header.
    HeaderTruncated {
        /// Bytes of the header that are there.
        have: u8,
    },
    /// The input ends inside the data.
    DataTruncated {
        /// Whole entries before the end.
        entries: u64,
        /// Data bytes that are missing.
        missing: u64,
    },
    /// Bits of the last byte that belong to no entry are set.
    UnusedBits {
        /// Those that are set.
        found: u8,
    },
    /// Bytes follow the last entry. Aion does not look at them.
    Trailing,
    /// The caller's mistake.
    Misuse(Misuse),
}

impl Diagnostic for ErrorKind {
    fn class(&self) -> Class {
        match self {
            Self::Magic { .. } => Class::Magic,
            Self::Reserved { .. } | Self::UnusedBits { .. } => Class::Format,
            Self::Type { .. } => Class::Type,
            Self::SizeOverflow { .. } => Class::Limit,
            Self::HeaderTruncated { .. } | Self::DataTruncated { .. } => Class::Truncated,
            Self::Trailing => Class::Trailing,
            Self::Misuse(_) => Class::Misuse,
        }
    }

    fn severity(&self) -> Severity {
        match self {
            Self::Reserved { .. } | Self::UnusedBits { .. } | Self::Trailing => Severity::Warning,
            Self::Magic { .. }
            | Self::Type { .. }
            | Self::SizeOverflow { .. }
            | Self::HeaderTruncated { .. }
            | Self::DataTruncated { .. }
            | Self::Misuse(_) => Severity::Fatal,
        }
    }

    fn rule(&self) -> &'static str {
        match self {
            Self::Magic { .. } => "inebin-magic",
            Self::Reserved { .. } => "inebin-reserved-byte",
            Self::Type { .. } => "inebin-type",
            Self::SizeOverflow { .. } => "inebin-size-overflow",
            Self::HeaderTruncated { .. } => "inebin-header-truncated",
            Self::DataTruncated { .. } => "inebin-data-truncated",
            Self::UnusedBits { .. } => "inebin-unused-bits",
            Self::Trailing => "inebin-trailing-bytes",
            Self::Misuse(_) => "misuse",
        }
    }

    fn clause(&self) -> &'static str {
        match self {
            Self::Magic { .. }
            | Self::Reserved { .. }
            | Self::Type { .. }
            | Self::SizeOverflow { .. }
            | Self::HeaderTruncated { .. } => "Aion manual, table 54",
            Self::DataTruncated { .. } | Self::Trailing => "Aion manual, File Formats",
            Self::UnusedBits { .. } => "Aion manual, Boolean Matrix Data Files",
            Self::Misuse(_) => "",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic { found } => {
                f.write_str("an INEBIN file must begin with 49 4e 45 42 49 4e (INEBIN), but")?;
                for byte in found {
                    write!(f, " {byte:02x}")?;
                }
                f.write_str(" stands here; Aion would try to read the file as CSV")
            }
            Self::Reserved { found } => write!(f, "the reserved byte must be 0, but it is {found:02x}"),
            Self::Type { found } => write!(
                f,
                "matrix type {found:02x}; the types are 42 (B, boolean), 5a (Z, integer), 52 (R, real) and 43 (C, \
                 complex)"
            ),
            Self::SizeOverflow { bits, rows, columns } => write!(
                f,
                "{rows} times {columns} entries of {bits} bits would end beyond what 64 bits can address"
            ),
            Self::HeaderTruncated { have } => {
                write!(f, "the file ends inside its header: {have} of 16 bytes are there")
            }
            Self::DataTruncated { entries, missing } => write!(
                f,
                "the file ends inside the matrix; whole entries before the end: {entries}, bytes missing: {missing}"
            ),
            Self::UnusedBits { found } => {
                write!(f, "bits behind the last entry must be 0, but the last byte has {found:02x} there")
            }
            Self::Trailing => f.write_str("bytes follow the last entry of the matrix"),
            Self::Misuse(misuse) => misuse.fmt(f),
        }
    }
}

/// What cannot be written, or asked of a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum EncodeErrorKind {
    /// The file would be longer than 64 bits can address.
    SizeOverflow {
        /// Rows.
        rows: u32,
        /// Columns.
        columns: u32,
    },
    /// The values are of another type than the matrix.
    TypeMismatch {
        /// Of the matrix.
        matrix: MatrixType,
        /// Of the values.
        values: MatrixType,
    },
    /// More values, or more raw bytes, than the matrix has room for.
    TooMany,
    /// The matrix is to be ended, but entries are missing.
    TooFew {
        /// How many; booleans that wait for their byte to be full are among them.
        missing: u64,
    },
    /// Raw bytes in the middle of an entry, or values where raw bytes have ended in the middle of one.
    InsideEntry,
    /// Raw bytes with bits set behind the last entry.
    UnusedBits {
        /// Those that are set.
        found: u8,
    },
}

impl fmt::Display for EncodeErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SizeOverflow { rows, columns } => {
                write!(
                    f,
                    "a matrix of {rows} times {columns} entries would be longer than 64 bits can address"
                )
            }
            Self::TypeMismatch { matrix, values } => write!(
                f,
                "the matrix is of type {}, the values are of type {}",
                char::from(matrix.letter()),
                char::from(values.letter())
            ),
            Self::TooMany => f.write_str("the matrix is complete, and there are more values for it"),
            Self::TooFew { missing } => write!(f, "the matrix is not complete; entries missing: {missing}"),
            Self::InsideEntry => {
                f.write_str("values and raw bytes can only change places between two entries")
            }
            Self::UnusedBits { found } => {
                write!(f, "bits behind the last entry must be 0, but the last byte has {found:02x} there")
            }
        }
    }
}

impl core::error::Error for EncodeErrorKind {}
