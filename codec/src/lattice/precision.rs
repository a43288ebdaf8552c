//! How numbers are stored: big-endian IEEE 754.

use crate::state::saved;

/// Size of stored floating point numbers.
///
/// # Example
/// ```
/// use linkstream::lattice::Precision;
///
/// assert_eq!((Precision::F64.bits(), Precision::F64.bytes()), (64, 8));
/// let mut bytes = [0; 8];
/// Precision::F32.write(&mut bytes, 1, -0.5).ok_or("no such number")?;
/// assert_eq!(bytes, [0, 0, 0, 0, 0xbf, 0, 0, 0]);
/// assert_eq!(Precision::F32.read(&bytes, 1), Some(-0.5));
/// assert_eq!(Precision::F32.read(&bytes, 2), None);
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Precision {
    /// 32 bits.
    #[default]
    F32,
    /// 64 bits.
    F64,
}

saved!(enum Precision: F32, F64);

impl Precision {
    /// Bits of a number.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::F32 => 32,
            Self::F64 => 64,
        }
    }

    /// Bytes of a number.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// Reads number `index` of an array of big-endian numbers, as `f64`, which represents either precision exactly.
    #[must_use]
    #[inline]
    pub fn read(self, bytes: &[u8], index: usize) -> Option<f64> {
        match self {
            Self::F32 => bytes.as_chunks().0.get(index).map(|word| f64::from(f32::from_be_bytes(*word))),
            Self::F64 => bytes.as_chunks().0.get(index).map(|word| f64::from_be_bytes(*word)),
        }
    }

    /// Stores number `index` of an array of big-endian numbers, rounded to this precision; `None` if the array is
    /// shorter.
    #[inline]
    pub fn write(self, bytes: &mut [u8], index: usize, value: f64) -> Option<()> {
        match self {
            Self::F32 => *bytes.as_chunks_mut().0.get_mut(index)? = (value as f32).to_be_bytes(),
            Self::F64 => *bytes.as_chunks_mut().0.get_mut(index)? = value.to_be_bytes(),
        }
        Some(())
    }
}
