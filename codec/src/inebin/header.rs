//! The file header: 16 bytes (Aion, "File Formats", Table 54).

use super::error::{EncodeErrorKind, ErrorKind};
use super::value::MatrixType;
use crate::counter::{minus, plus, times};
use crate::state::saved;

/// Length of a header in bytes.
pub const HEADER_LEN: usize = 16;
/// The first six bytes of every file.
pub const MAGIC: [u8; 6] = *b"INEBIN";

/// Type and shape of a matrix. The length of the file fits in 64 bits.
///
/// # Example
/// ```
/// use linkstream::inebin::{Header, MatrixType};
///
/// let header = Header::new(MatrixType::Boolean, 3, 5)?;
/// assert_eq!((header.matrix_type(), header.rows(), header.columns()), (MatrixType::Boolean, 3, 5));
/// assert_eq!((header.entry_count(), header.data_length(), header.file_length()), (15, 2, 18));
/// assert_eq!(header.unused_bits(), 0b1000_0000);
/// let place = header.place(1, 4).ok_or("outside the matrix")?;
/// assert_eq!((place.offset, place.bit), (17, 1));
///
/// // As bytes, and back.
/// assert_eq!(Header::from_bytes(&header.to_bytes())?, header);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Header {
    matrix_type: MatrixType,
    rows: u32,
    columns: u32,
}

saved!(struct Header { matrix_type, rows, columns });

/// The position of an entry in the file.
///
/// # Example
/// ```
/// use linkstream::inebin::{EntryPlace, Header, MatrixType};
///
/// // The ninth of 12 booleans.
/// let header = Header::new(MatrixType::Boolean, 3, 4)?;
/// assert_eq!(header.place(2, 0), Some(EntryPlace { offset: 17, bit: 0 }));
/// assert_eq!(header.place(3, 0), None);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct EntryPlace {
    /// Absolute offset of the byte that contains its beginning.
    pub offset: u64,
    /// Its bit in this byte, 0 being the least significant; always 0 except for boolean matrices.
    pub bit: u8,
}

impl Header {
    /// A matrix of `rows` times `columns` entries. Both may be 0.
    ///
    /// # Errors
    /// [`EncodeErrorKind::SizeOverflow`]: the length of the file would not fit in 64 bits.
    pub const fn new(matrix_type: MatrixType, rows: u32, columns: u32) -> Result<Self, EncodeErrorKind> {
        let header = Self { matrix_type, rows, columns };
        match header.checked_length() {
            Some(_) => Ok(header),
            None => Err(EncodeErrorKind::SizeOverflow { rows, columns }),
        }
    }

    /// Type and shape from the first 16 bytes of a file. The reserved byte is not examined.
    ///
    /// # Errors
    /// [`ErrorKind::Magic`], [`ErrorKind::Type`], [`ErrorKind::SizeOverflow`].
    pub fn from_bytes(bytes: &[u8; HEADER_LEN]) -> Result<Self, ErrorKind> {
        let [m0, m1, m2, m3, m4, m5, _, letter, r0, r1, r2, r3, c0, c1, c2, c3] = *bytes;
        let found = [m0, m1, m2, m3, m4, m5];
        if found != MAGIC {
            return Err(ErrorKind::Magic { found });
        }
        let matrix_type = MatrixType::from_letter(letter).ok_or(ErrorKind::Type { found: letter })?;
        let rows = u32::from_le_bytes([r0, r1, r2, r3]);
        let columns = u32::from_le_bytes([c0, c1, c2, c3]);
        Self::new(matrix_type, rows, columns).map_err(|_| ErrorKind::SizeOverflow {
            bits: matrix_type.bits(),
            rows,
            columns,
        })
    }

    /// The header as the 16 bytes of the file.
    #[must_use]
    pub const fn to_bytes(&self) -> [u8; HEADER_LEN] {
        let [m0, m1, m2, m3, m4, m5] = MAGIC;
        let [r0, r1, r2, r3] = self.rows.to_le_bytes();
        let [c0, c1, c2, c3] = self.columns.to_le_bytes();
        [m0, m1, m2, m3, m4, m5, 0, self.matrix_type.letter(), r0, r1, r2, r3, c0, c1, c2, c3]
    }

    /// The type of the entries.
    #[must_use]
    pub const fn matrix_type(&self) -> MatrixType {
        self.matrix_type
    }

    /// Number of rows.
    #[must_use]
    pub const fn rows(&self) -> u32 {
        self.rows
    }

    /// Number of columns.
    #[must_use]
    pub const fn columns(&self) -> u32 {
        self.columns
    }

    /// Number of entries.
    #[must_use]
    pub const fn entry_count(&self) -> u64 {
        // Below 2^64 for any two numbers of 32 bits.
        times(self.rows as u64, self.columns as u64)
    }

    /// Length of the data in bytes.
    #[must_use]
    pub const fn data_length(&self) -> u64 {
        match self.checked_length() {
            Some(length) => length,
            // No constructor makes such a header, and one that is loaded is checked.
            None => minus(u64::MAX, HEADER_LEN as u64),
        }
    }

    /// `None`: more than 64 bits can address, the header counted.
    const fn checked_length(&self) -> Option<u64> {
        let length = match self.matrix_type {
            MatrixType::Boolean => Some(self.entry_count().div_ceil(8)),
            MatrixType::Integer | MatrixType::Real => self.entry_count().checked_mul(8),
            MatrixType::Complex => self.entry_count().checked_mul(16),
        };
        match length {
            Some(length) if length <= minus(u64::MAX, HEADER_LEN as u64) => Some(length),
            _ => None,
        }
    }

    /// Length of the whole file in bytes.
    #[must_use]
    pub const fn file_length(&self) -> u64 {
        plus(self.data_length(), HEADER_LEN as u64)
    }

    /// A mask of the high bits of the last byte that belong to no entry.
    #[must_use]
    pub const fn unused_bits(&self) -> u8 {
        match self.matrix_type {
            MatrixType::Boolean => match self.entry_count() & 7 {
                0 => 0,
                used => (0xff_u64.wrapping_shl(used as u32) & 0xff) as u8,
            },
            _ => 0,
        }
    }

    /// The position of the entry in `row` and `column`, both counted from 0; `None` if the matrix has no such entry.
    /// (The manual counts from 1: its index formulas contain `r - 1` and `c - 1`.)
    ///
    /// ```
    /// use linkstream::inebin::{EntryPlace, Header, MatrixType};
    ///
    /// let header = Header::new(MatrixType::Boolean, 3, 5)?;
    /// assert_eq!(header.place(2, 3), Some(EntryPlace { offset: 17, bit: 5 }));
    /// assert_eq!(header.place(3, 0), None);
    /// # Ok::<(), linkstream::inebin::EncodeErrorKind>(())
    /// ```
    #[must_use]
    pub const fn place(&self, row: u32, column: u32) -> Option<EntryPlace> {
        if row >= self.rows || column >= self.columns {
            return None;
        }
        let index = plus(times(row as u64, self.columns as u64), column as u64);
        let (byte, bit) = match self.matrix_type {
            MatrixType::Boolean => (index >> 3, (index & 7) as u8),
            MatrixType::Integer | MatrixType::Real => (times(index, 8), 0),
            MatrixType::Complex => (times(index, 16), 0),
        };
        // The position is inside the file, whose length fits in 64 bits.
        Some(EntryPlace { offset: plus(byte, HEADER_LEN as u64), bit })
    }

    /// Number of complete entries in the first `bytes` bytes of the data.
    pub(crate) const fn entries_in(&self, bytes: u64) -> u64 {
        match self.matrix_type {
            MatrixType::Boolean => {
                let bits = times(bytes, 8);
                if bits < self.entry_count() { bits } else { self.entry_count() }
            }
            MatrixType::Integer | MatrixType::Real => bytes >> 3,
            MatrixType::Complex => bytes >> 4,
        }
    }

    pub(super) const fn is_consistent(&self) -> bool {
        self.checked_length().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_at_the_limit_of_64_bits() {
        let all = u32::MAX;
        let length = |t, rows, columns| Header::new(t, rows, columns).map(|header| header.data_length());
        assert_eq!(length(MatrixType::Boolean, all, all), Ok((u64::from(all) * u64::from(all)).div_ceil(8)));
        assert_eq!(length(MatrixType::Integer, all, 0), Ok(0));
        assert!(length(MatrixType::Integer, 1 << 31, 1 << 30).is_err());
        assert!(length(MatrixType::Complex, 1 << 30, 1 << 30).is_err());
        // 2^64 - 16 bytes of data fit, but with the header they do not.
        assert!(length(MatrixType::Complex, (1 << 30) - 1, (1 << 30) + 1).is_err());
        assert_eq!(length(MatrixType::Complex, (1 << 30) - 1, 1 << 30), Ok(((1 << 60) - (1 << 30)) * 16));
    }

    #[test]
    fn unused_bits_are_above_the_last_entry() {
        let unused = |rows, columns| Header::new(MatrixType::Boolean, rows, columns).unwrap().unused_bits();
        assert_eq!(
            [unused(3, 5), unused(1, 8), unused(1, 1), unused(7, 1), unused(0, 5)],
            [0x80, 0, 0xfe, 0x80, 0]
        );
        assert_eq!(Header::new(MatrixType::Real, 1, 1).unwrap().unused_bits(), 0);
    }
}
