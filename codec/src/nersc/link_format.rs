//! How a link is stored, and the row that two-row archives leave out.

use crate::bytes::{copy, part_mut, prefix_mut};
use crate::ildg::Real;
use crate::lattice::{ByteOrder, Precision, Word, reverse_words};
use crate::state::saved;

/// Numbers of a 3x3 matrix: real and imaginary parts.
const NUMBERS: usize = 18;

/// How far the square of the norm of a row may be from 1 where bytes are taken as numbers in their right order.
const NORM_TOLERANCE: f64 = 1e-3;

/// The stored form of a link: rows one after the other, in each the columns, real and imaginary part.
///
/// # Example
/// ```
/// use linkstream::lattice::{ByteOrder, Precision};
/// use linkstream::nersc::{LinkFormat, Rows};
///
/// let format = LinkFormat { precision: Precision::F32, rows: Rows::Two, order: ByteOrder::Little };
/// let mut stored = [0; 48];
/// for diagonal in [0, 8] {
///     stored[4 * diagonal..][..4].copy_from_slice(&1.0_f32.to_le_bytes());
/// }
/// assert!(format.is_normalised(&stored) && (format.bytes(), format.whole_bytes()) == (48, 72));
///
/// // As LIME files have it: big endian, with all rows.
/// let mut whole = [0; 72];
/// format.to_whole(&stored, &mut whole).ok_or("one link")?;
/// assert_eq!(Precision::F32.read(&whole, 16), Some(1.0));
/// let mut again = [0; 48];
/// format.from_whole(&whole, &mut again).ok_or("one link")?;
/// assert_eq!(again, stored);
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LinkFormat {
    /// The precision of the numbers.
    pub precision: Precision,
    /// Rows that are stored.
    pub rows: Rows,
    /// Byte order of the numbers.
    pub order: ByteOrder,
}

impl LinkFormat {
    /// Bytes of a link as it is stored.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        match (self.precision, self.rows) {
            (Precision::F32, Rows::Two) => 48,
            (Precision::F32, Rows::Three) => 72,
            (Precision::F64, Rows::Two) => 96,
            (Precision::F64, Rows::Three) => 144,
        }
    }

    /// Bytes of a link with all its rows.
    #[must_use]
    pub const fn whole_bytes(&self) -> usize {
        match self.precision {
            Precision::F32 => 72,
            Precision::F64 => 144,
        }
    }

    /// Makes a big-endian link with all rows of a stored one. The third row is computed in the precision of the file,
    /// in the order of operations of QIO and MILC. `None`, and nothing is written, where a slice is too short.
    pub fn to_whole(&self, stored: &[u8], whole: &mut [u8]) -> Option<()> {
        let stored = stored.get(..self.bytes())?;
        let whole = whole.get_mut(..self.whole_bytes())?;
        let given = prefix_mut(whole, stored.len());
        copy(given, stored);
        if self.order == ByteOrder::Little {
            reverse_words(given, self.precision.bytes());
        }
        match (self.rows, self.precision) {
            (Rows::Three, _) => Some(()),
            (Rows::Two, Precision::F32) => complete::<f32>(whole, 0.0),
            (Rows::Two, Precision::F64) => complete::<f64>(whole, 0.0),
        }
    }

    /// Stores a big-endian link that has all its rows. `None`, and nothing is written, where a slice is too short.
    pub fn from_whole(&self, whole: &[u8], stored: &mut [u8]) -> Option<()> {
        let whole = whole.get(..self.whole_bytes())?;
        let stored = stored.get_mut(..self.bytes())?;
        copy(stored, whole);
        if self.order == ByteOrder::Little {
            reverse_words(stored, self.precision.bytes());
        }
        Some(())
    }

    /// Whether the first row of a stored link has norm 1, as it has in every special unitary matrix. In the wrong byte
    /// order it practically never does, so this decides the order where the header leaves it open and the checksum is
    /// not known yet.
    #[must_use]
    pub fn is_normalised(&self, stored: &[u8]) -> bool {
        let mut row = [0; 48];
        let bytes = self.precision.bytes().wrapping_mul(6);
        let (row, Some(stored)) = (part_mut(&mut row, 0..bytes), stored.get(..bytes)) else { return false };
        copy(row, stored);
        if self.order == ByteOrder::Little {
            reverse_words(row, self.precision.bytes());
        }
        let number = |index| self.precision.read(row, index).unwrap_or(f64::NAN);
        let norm: f64 = (0..6).map(|index| number(index) * number(index)).sum();
        (norm - 1.0).abs() < NORM_TOLERANCE
    }
}

/// Computes the third row of a big-endian link.
fn complete<T: Real + Word>(link: &mut [u8], zero: T) -> Option<()> {
    let mut numbers = [zero; NUMBERS];
    T::get(link, &mut numbers)?;
    let (rows, _) = numbers.as_chunks::<2>();
    let &[a0, a1, a2, b0, b1, b2, ..] = rows else { return None };
    let third = [minor(a1, a2, b1, b2), minor(a2, a0, b2, b0), minor(a0, a1, b0, b1)];
    T::put(third.as_flattened(), link.get_mut(T::BYTES.wrapping_mul(12)..)?)
}

/// The complex conjugate of `ai bj - aj bi`. Sums are evaluated from left to right and no operation is fused, as in
/// qio-convert-nersc and MILC, so that conversions have the same bits.
fn minor<T: Real>(ai: [T; 2], aj: [T; 2], bi: [T; 2], bj: [T; 2]) -> [T; 2] {
    let [[ai_re, ai_im], [aj_re, aj_im], [bi_re, bi_im], [bj_re, bj_im]] = [ai, aj, bi, bj];
    let re = ai_re.times(bj_re).minus(aj_re.times(bi_re)).minus(ai_im.times(bj_im)).plus(aj_im.times(bi_im));
    let im = aj_re.times(bi_im).minus(ai_re.times(bj_im)).plus(aj_im.times(bi_re)).minus(ai_im.times(bj_re));
    [re, im]
}

/// Rows of each link that are stored.
///
/// # Example
/// ```
/// use linkstream::nersc::Rows;
///
/// assert_eq!((Rows::Two.count(), Rows::Two.datatype()), (2, "4D_SU3_GAUGE"));
/// assert_eq!((Rows::Three.count(), Rows::Three.datatype()), (3, "4D_SU3_GAUGE_3x3"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Rows {
    /// The third follows from them.
    Two,
    /// All.
    Three,
}

saved!(enum Rows: Two, Three);

impl Rows {
    /// The number of dimensions.
    #[must_use]
    pub const fn count(self) -> u8 {
        match self {
            Self::Two => 2,
            Self::Three => 3,
        }
    }

    /// The value of `DATATYPE`.
    #[must_use]
    pub const fn datatype(self) -> &'static str {
        match self {
            Self::Two => "4D_SU3_GAUGE",
            Self::Three => "4D_SU3_GAUGE_3x3",
        }
    }
}
