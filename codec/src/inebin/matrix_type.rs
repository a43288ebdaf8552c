//! The types of matrices (Aion, "File Formats", Table 54).

use crate::state::saved;

/// The type of the entries of a matrix.
///
/// # Example
/// ```
/// use linkstream::inebin::MatrixType;
///
/// assert_eq!((MatrixType::Boolean.letter(), MatrixType::Boolean.bits()), (b'B', 1));
/// assert_eq!(MatrixType::from_letter(b'C'), Some(MatrixType::Complex));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum MatrixType {
    /// `B`: one bit per entry, the least significant bit of a byte first. Rows are not aligned to bytes.
    Boolean,
    /// `Z`: 64-bit integers, two's complement, little-endian.
    Integer,
    /// `R`: IEEE 754 double precision, little-endian.
    Real,
    /// `C`: complex numbers, each of two numbers as in `R`, real part first.
    Complex,
}

saved!(enum MatrixType: Boolean, Integer, Real, Complex);

impl MatrixType {
    /// Its letter in the header.
    #[must_use]
    pub const fn letter(self) -> u8 {
        match self {
            Self::Boolean => b'B',
            Self::Integer => b'Z',
            Self::Real => b'R',
            Self::Complex => b'C',
        }
    }

    /// The type with this letter.
    #[must_use]
    pub const fn from_letter(letter: u8) -> Option<Self> {
        match letter {
            b'B' => Some(Self::Boolean),
            b'Z' => Some(Self::Integer),
            b'R' => Some(Self::Real),
            b'C' => Some(Self::Complex),
            _ => None,
        }
    }

    /// Number of bits per entry: 1, 64 or 128.
    #[must_use]
    pub const fn bits(self) -> u8 {
        match self {
            Self::Boolean => 1,
            Self::Integer | Self::Real => 64,
            Self::Complex => 128,
        }
    }
}
