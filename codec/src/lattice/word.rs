//! Numbers in files: their precision, byte order and bytes.

use core::fmt;

use crate::state::saved;

mod sealed {
    use super::Precision;

    pub trait Sealed: Copy {
        /// The precision of floating point words.
        const FLOAT: Option<Precision>;

        /// Converts a stored number. Only called if `FLOAT` is given.
        fn of_f32(value: f32) -> Self;
        fn of_f64(value: f64) -> Self;
        /// Converts to the stored number. Only called if `FLOAT` is given.
        fn as_f32(self) -> f32;
        fn as_f64(self) -> f64;
    }
}

/// A type of the numbers in data, which are big-endian in the file.
///
/// ```
/// use linkstream::lattice::Word;
///
/// let mut bytes = [0; 8];
/// u32::put(&[1, 2], &mut bytes).ok_or("no room")?;
/// assert_eq!(bytes, [0, 0, 0, 1, 0, 0, 0, 2]);
/// let mut words = [0_u32; 2];
/// u32::get(&bytes, &mut words).ok_or("too few bytes")?;
/// assert_eq!(words, [1, 2]);
/// # Ok::<(), &str>(())
/// ```
pub trait Word: sealed::Sealed {
    /// Size of a word in bytes.
    const BYTES: usize;

    /// Writes `words` in big-endian byte order to the start of `bytes`; `None`, and nothing is written, if `bytes`
    /// is too short.
    fn put(words: &[Self], bytes: &mut [u8]) -> Option<()>;

    /// Fills `words` with the big-endian words at the start of `bytes`; `None`, and nothing is written, if `bytes`
    /// is too short.
    fn get(bytes: &[u8], words: &mut [Self]) -> Option<()>;
}

/// A floating point [`Word`]: `f32` or `f64`.
///
/// # Example
/// ```
/// use linkstream::lattice::Float;
///
/// fn bytes<T: Float>(_: &[T]) -> usize {
///     T::BYTES
/// }
/// assert_eq!((bytes(&[0.5_f32]), bytes(&[0.5_f64])), (4, 8));
/// ```
pub trait Float: Word {}

impl Float for f32 {}
impl Float for f64 {}

macro_rules! words {
    ($($word:ty: $float:expr;)*) => {$(
        impl sealed::Sealed for $word {
            const FLOAT: Option<Precision> = $float;

            #[inline]
            fn of_f32(value: f32) -> Self {
                value as Self
            }

            #[inline]
            fn of_f64(value: f64) -> Self {
                value as Self
            }

            #[inline]
            fn as_f32(self) -> f32 {
                self as f32
            }

            #[inline]
            fn as_f64(self) -> f64 {
                self as f64
            }
        }

        impl Word for $word {
            const BYTES: usize = size_of::<$word>();

            #[inline]
            fn put(words: &[Self], bytes: &mut [u8]) -> Option<()> {
                // The array of `to_be_bytes` sets the length of the chunks.
                let places = bytes.as_chunks_mut().0.get_mut(..words.len())?;
                for (place, word) in places.iter_mut().zip(words) {
                    *place = word.to_be_bytes();
                }
                Some(())
            }

            #[inline]
            fn get(bytes: &[u8], words: &mut [Self]) -> Option<()> {
                let places = bytes.as_chunks().0.get(..words.len())?;
                for (word, place) in words.iter_mut().zip(places) {
                    *word = Self::from_be_bytes(*place);
                }
                Some(())
            }
        }
    )*};
}

words! {
    u8: None;
    i32: None;
    u32: None;
    u64: None;
    f32: Some(Precision::F32);
    f64: Some(Precision::F64);
}

impl Precision {
    /// True if words of this type have this precision.
    #[inline]
    pub(crate) fn is_of<T: Word>(self) -> bool {
        T::FLOAT == Some(self)
    }

    /// Converts stored numbers, exactly or rounded to nearest: as many as the shorter slice has.
    ///
    /// ```
    /// use linkstream::lattice::Precision;
    ///
    /// let (mut bytes, mut numbers) = ([0; 8], [0.0_f32; 1]);
    /// Precision::F64.store(&[1.5_f32], &mut bytes);
    /// assert_eq!(bytes, 1.5_f64.to_be_bytes());
    /// Precision::F64.load(&bytes, &mut numbers);
    /// assert_eq!(numbers, [1.5]);
    /// assert_eq!(Precision::F32.overflow(&[1.0, 1e300]), Some(1));
    /// ```
    #[inline]
    pub fn load<T: Float>(self, bytes: &[u8], numbers: &mut [T]) {
        match self {
            Self::F32 => {
                for (number, place) in numbers.iter_mut().zip(bytes.as_chunks().0) {
                    *number = T::of_f32(f32::from_be_bytes(*place));
                }
            }
            Self::F64 => {
                for (number, place) in numbers.iter_mut().zip(bytes.as_chunks().0) {
                    *number = T::of_f64(f64::from_be_bytes(*place));
                }
            }
        }
    }

    /// Index of the first finite number that would be stored as infinity.
    #[must_use]
    #[inline]
    pub fn overflow<T: Float>(self, numbers: &[T]) -> Option<usize> {
        // All other conversions are exact, or widen.
        if self != Self::F32 || T::FLOAT != Some(Self::F64) {
            return None;
        }
        numbers.iter().position(|number| number.as_f32().is_infinite() && number.as_f64().is_finite())
    }

    /// Stores numbers, exactly or rounded to nearest: as many as the shorter slice has. A number that is too large for
    /// this precision becomes infinite; see [`overflow`](Self::overflow).
    #[inline]
    pub fn store<T: Float>(self, numbers: &[T], bytes: &mut [u8]) {
        match self {
            Self::F32 => {
                for (number, place) in numbers.iter().zip(bytes.as_chunks_mut().0) {
                    *place = number.as_f32().to_be_bytes();
                }
            }
            Self::F64 => {
                for (number, place) in numbers.iter().zip(bytes.as_chunks_mut().0) {
                    *place = number.as_f64().to_be_bytes();
                }
            }
        }
    }
}

/// Reverses the byte order of every word of `size` bytes in place, which converts between little-endian memory and
/// the big-endian words of files. As in QIO, bytes at the end that do not fill a word are not changed.
///
/// ```
/// use linkstream::lattice::reverse_words;
///
/// let mut bytes = [1, 2, 3, 4, 5, 6, 7, 8];
/// reverse_words(&mut bytes, 4);
/// assert_eq!(bytes, [4, 3, 2, 1, 8, 7, 6, 5]);
/// ```
pub fn reverse_words(bytes: &mut [u8], size: usize) {
    match size {
        4 => bytes
            .as_chunks_mut::<4>()
            .0
            .iter_mut()
            .for_each(|word| *word = u32::from_le_bytes(*word).to_be_bytes()),
        8 => bytes
            .as_chunks_mut::<8>()
            .0
            .iter_mut()
            .for_each(|word| *word = u64::from_le_bytes(*word).to_be_bytes()),
        0 | 1 => {}
        _ => bytes.chunks_exact_mut(size).for_each(reverse),
    }
}

/// Replaces `slice::reverse`, which keeps a panic when optimised for size.
fn reverse(word: &mut [u8]) {
    let mut ends = word.iter_mut();
    while let (Some(first), Some(last)) = (ends.next(), ends.next_back()) {
        core::mem::swap(first, last);
    }
}

/// Size of stored floating-point numbers.
///
/// # Example
/// ```
/// use linkstream::lattice::Precision;
///
/// assert_eq!((Precision::F64.bits(), Precision::F64.size()), (64, 8));
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
    /// Number of bits of a number.
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::F32 => 32,
            Self::F64 => 64,
        }
    }

    /// Number of bytes of a number.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// Reads number `index` of an array of big-endian numbers, as `f64`, which represents either precision exactly;
    /// `None` if the array is shorter.
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

/// Order of the bytes of a word.
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
    /// The most significant byte first.
    Big,
    /// The least significant byte first.
    Little,
}

saved!(enum ByteOrder: Big, Little);

impl ByteOrder {
    /// The value of four bytes.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_convert_between_both_precisions() {
        let mut stored = [0; 16];
        Precision::F64.store(&[1.5_f32, -0.1], &mut stored);
        let mut wide = [0.0_f64; 2];
        Precision::F64.load(&stored, &mut wide);
        assert_eq!(wide, [1.5, f64::from(-0.1_f32)]);
        let mut narrow = [0.0_f32; 2];
        Precision::F64.load(&stored, &mut narrow);
        assert_eq!(narrow, [1.5, -0.1]);
        Precision::F32.store(&[0.1_f64], &mut stored);
        Precision::F32.load(&stored, &mut wide[..1]);
        assert_eq!(wide[0], f64::from(0.1_f32));
    }
}
