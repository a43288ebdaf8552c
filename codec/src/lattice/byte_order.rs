//! The order of the bytes of a word, for formats that have both.

use core::fmt;

use crate::state::saved;

/// Which byte of a word comes first.
///
/// # Example
/// ```
/// use linkstream::lattice::ByteOrder;
///
/// assert_eq!(ByteOrder::Big.u32(*b"\0\0\0\x01"), 1);
/// assert_eq!(ByteOrder::Little.u32(*b"\0\0\0\x01"), 1 << 24);
/// assert_eq!(ByteOrder::Big.other(), ByteOrder::Little);
/// assert_eq!(ByteOrder::Little.to_string(), "little endian");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ByteOrder {
    /// The most significant.
    Big,
    /// The least significant.
    Little,
}

saved!(enum ByteOrder: Big, Little);

impl ByteOrder {
    /// The word that these bytes are.
    #[must_use]
    #[inline]
    pub const fn u32(self, bytes: [u8; 4]) -> u32 {
        match self {
            Self::Big => u32::from_be_bytes(bytes),
            Self::Little => u32::from_le_bytes(bytes),
        }
    }

    /// The other order.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Big => Self::Little,
            Self::Little => Self::Big,
        }
    }
}

impl fmt::Display for ByteOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Big => "big endian",
            Self::Little => "little endian",
        })
    }
}
