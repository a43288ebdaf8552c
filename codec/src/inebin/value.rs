//! The types of matrices, and the conversion of their entries to and from numbers.

use crate::state::saved;

/// An entry of a complex matrix.
///
/// # Example
/// ```
/// use linkstream::inebin::Complex;
///
/// let i = Complex { re: 0.0, im: 1.0 };
/// assert_eq!(i.im, 1.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Complex {
    /// Real part.
    pub re: f64,
    /// Imaginary part.
    pub im: f64,
}

/// A type of entries: `bool`, `i64`, `f64` or [`Complex`]. All bits are preserved, including signs of zeros,
/// subnormal numbers and NaN payloads.
///
/// # Example
/// ```
/// use linkstream::inebin::{Entries, Header, Value};
///
/// /// The sum of the entries of a matrix, by whatever type they have.
/// fn sum<T: Value + Into<f64>>(header: &Header, data: &[u8]) -> Option<f64> {
///     let mut sum = 0.0;
///     let mut entries = Entries::<T>::new(header).ok()?;
///     entries.feed(data, |run| sum += run.values().map(Into::into).sum::<f64>()).ok()?;
///     Some(sum)
/// }
///
/// let data = [1.5_f64.to_le_bytes(), 2.0_f64.to_le_bytes()].concat();
/// assert_eq!(sum::<f64>(&Header::new(f64::TYPE, 1, 2)?, &data), Some(3.5));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub trait Value: coded::Coded {
    /// The type of the matrices that contain such entries.
    const TYPE: MatrixType;
}

impl Value for bool {
    const TYPE: MatrixType = MatrixType::Boolean;
}

impl Value for i64 {
    const TYPE: MatrixType = MatrixType::Integer;
}

impl Value for f64 {
    const TYPE: MatrixType = MatrixType::Real;
}

impl Value for Complex {
    const TYPE: MatrixType = MatrixType::Complex;
}

/// The bits of a byte that is not full yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bits {
    pub(super) byte: u8,
    /// Number of bits, less than 8.
    pub(super) count: u8,
}

saved!(struct Bits { byte, count });

/// Result of [`coded::Coded::fill`]: number of bytes filled and of values taken.
#[derive(Debug, Clone, Copy)]
pub struct Filled {
    pub(super) bytes: usize,
    pub(super) values: u64,
}

/// Conversions of a value. The module is private, so that no type can be added outside the crate.
pub(super) mod coded {
    use super::{Bits, Complex, Filled};
    use crate::counter::Counter as _;

    pub trait Coded: Copy {
        /// The value at `place`, counted in entries from the first bit of `bytes`.
        fn get(bytes: &[u8], place: u64) -> Option<Self>;
        /// Copies the values from `place` on, as many as are present and fit into `out`. Returns their number.
        fn copy(bytes: &[u8], place: u64, out: &mut [Self]) -> usize;
        /// The bytes of a value, followed by zeros. A boolean is the lowest bit of the first byte.
        fn to_bytes(self) -> [u8; 16];
        /// Fills `out` with complete entries as long as there are values. No value is taken that does not fit.
        fn fill(values: &mut impl Iterator<Item = Self>, out: &mut [u8], bits: &mut Bits) -> Filled;
    }

    macro_rules! word {
        ($t:ty, $size:literal, $from:expr, $to:expr) => {
            impl Coded for $t {
                #[inline]
                fn get(bytes: &[u8], place: u64) -> Option<Self> {
                    bytes.as_chunks::<$size>().0.get(usize::try_from(place).ok()?).copied().map($from)
                }

                #[inline]
                fn copy(bytes: &[u8], place: u64, out: &mut [Self]) -> usize {
                    let words = bytes.as_chunks::<$size>().0;
                    // None from a place beyond the end.
                    let words = usize::try_from(place).ok().and_then(|place| words.get(place..));
                    let words = words.unwrap_or_default();
                    for (to, word) in out.iter_mut().zip(words) {
                        *to = $from(*word);
                    }
                    out.len().min(words.len())
                }

                fn to_bytes(self) -> [u8; 16] {
                    let mut bytes = [0; 16];
                    if let Some(front) = bytes.first_chunk_mut::<$size>() {
                        *front = $to(self);
                    }
                    bytes
                }

                #[inline]
                fn fill(values: &mut impl Iterator<Item = Self>, out: &mut [u8], _: &mut Bits) -> Filled {
                    let mut filled = 0_usize;
                    for (word, value) in out.as_chunks_mut::<$size>().0.iter_mut().zip(values) {
                        *word = $to(value);
                        filled.increase(1);
                    }
                    Filled { bytes: filled.times($size), values: filled as u64 }
                }
            }
        };
    }
    word!(i64, 8, i64::from_le_bytes, i64::to_le_bytes);
    word!(f64, 8, f64::from_le_bytes, f64::to_le_bytes);
    word!(Complex, 16, complex, complex_to_bytes);

    const fn complex(bytes: [u8; 16]) -> Complex {
        let [r0, r1, r2, r3, r4, r5, r6, r7, i0, i1, i2, i3, i4, i5, i6, i7] = bytes;
        Complex {
            re: f64::from_le_bytes([r0, r1, r2, r3, r4, r5, r6, r7]),
            im: f64::from_le_bytes([i0, i1, i2, i3, i4, i5, i6, i7]),
        }
    }

    const fn complex_to_bytes(value: Complex) -> [u8; 16] {
        let [r0, r1, r2, r3, r4, r5, r6, r7] = value.re.to_le_bytes();
        let [i0, i1, i2, i3, i4, i5, i6, i7] = value.im.to_le_bytes();
        [r0, r1, r2, r3, r4, r5, r6, r7, i0, i1, i2, i3, i4, i5, i6, i7]
    }

    impl Coded for bool {
        #[inline]
        fn get(bytes: &[u8], place: u64) -> Option<Self> {
            let byte = bytes.get(usize::try_from(place >> 3).ok()?)?;
            Some(byte & mask(place) != 0)
        }

        #[inline]
        fn copy(bytes: &[u8], place: u64, out: &mut [Self]) -> usize {
            // None from a place beyond the end.
            let bytes = usize::try_from(place >> 3).ok().and_then(|first| bytes.get(first..));
            let bytes = bytes.unwrap_or_default();
            let shift = (place & 7) as u32;
            // Eight values at a time. If they begin inside a byte, the rest is in the next byte.
            let mut copied = 0_usize;
            let next = bytes.get(1..).unwrap_or_default().iter().copied().chain([0]);
            for ((low, high), eight) in bytes.iter().zip(next).zip(out.chunks_mut(8)) {
                let two = u16::from_le_bytes([*low, high]).wrapping_shr(shift);
                for (bit, to) in (0..8_u32).zip(&mut *eight) {
                    *to = two.wrapping_shr(bit) & 1 != 0;
                }
                copied.increase(eight.len());
            }
            // After the last byte no bits follow, so the last eight values may be fewer. Without bytes there are no
            // bits to skip: the difference saturates at 0.
            let there = (bytes.len() as u64).times(8).saturating_sub(u64::from(shift));
            copied.min(usize::try_from(there).unwrap_or(usize::MAX))
        }

        fn to_bytes(self) -> [u8; 16] {
            let mut bytes = [0; 16];
            if let Some(first) = bytes.first_mut() {
                *first = u8::from(self);
            }
            bytes
        }

        fn fill(values: &mut impl Iterator<Item = Self>, out: &mut [u8], bits: &mut Bits) -> Filled {
            let mut filled = Filled { bytes: 0, values: 0 };
            for byte in out {
                while bits.count < 8 {
                    let Some(value) = values.next() else { return filled };
                    if value {
                        bits.byte |= mask(u64::from(bits.count));
                    }
                    bits.count.increase(1);
                    filled.values.increase(1);
                }
                *byte = bits.byte;
                *bits = Bits::default();
                filled.bytes.increase(1);
            }
            filled
        }
    }

    /// Mask of the bit that holds the entry at `place`.
    const fn mask(place: u64) -> u8 {
        1_u8.wrapping_shl((place & 7) as u32)
    }
}

/// The type of the entries of a matrix.
///
/// # Example
/// ```
/// use linkstream::inebin::MatrixType;
///
/// assert_eq!((MatrixType::Boolean.letter(), MatrixType::Boolean.bits()), (b'B', 1));
/// assert_eq!((MatrixType::Complex.letter(), MatrixType::Complex.bits()), (b'C', 128));
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
    pub(super) const fn from_letter(letter: u8) -> Option<Self> {
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
