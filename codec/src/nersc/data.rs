//! The data: how a link is stored, the row that two-row archives leave out, and the checksum.

use core::fmt;

use crate::bytes::{copy, part_mut, prefix_mut};
use crate::ildg::Real;
use crate::lattice::{ByteOrder, Precision, Word, reverse_words};
use crate::state::saved;

/// Numbers of a 3x3 matrix: real and imaginary parts.
const NUMBERS: usize = 18;

/// Largest deviation of the squared norm of a row from 1 that is accepted as normalised.
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

    /// Converts a stored link to a big-endian link with all rows. A third row that is not stored is computed in the
    /// precision of the file, in the order of operations of QIO and MILC. `None` if a slice is too short; nothing is
    /// written then.
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

    /// Converts a big-endian link with all rows to the stored form. `None` if a slice is too short; nothing is written
    /// then.
    pub fn from_whole(&self, whole: &[u8], stored: &mut [u8]) -> Option<()> {
        let whole = whole.get(..self.whole_bytes())?;
        let stored = stored.get_mut(..self.bytes())?;
        copy(stored, whole);
        if self.order == ByteOrder::Little {
            reverse_words(stored, self.precision.bytes());
        }
        Some(())
    }

    /// True if the first row of a stored link has norm 1, as in every special unitary matrix; the square of the norm
    /// may differ from 1 by 0.001. In the wrong byte order this is practically never the case. It therefore decides the
    /// order if the header does not name one and the checksum is not known yet.
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
    /// Two rows; the third is computed from them.
    Two,
    /// All three rows.
    Three,
}

saved!(enum Rows: Two, Three);

impl Rows {
    /// The number of stored rows: 2 or 3.
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

/// Result of comparing the checksum of the data with the checksum in the header. The checksum is a sum of words: it
/// does not change if words of the data are exchanged. If the header names no byte order, the matching sum shows it:
/// [`DataSum::order`] of [`Verdict::Match`](crate::Verdict::Match).
///
/// # Example
/// ```
/// use linkstream::lattice::ByteOrder;
/// use linkstream::nersc::{DataSum, Verdict, WordSums};
///
/// let mut sums = WordSums::default();
/// sums.feed(&[0, 0, 0, 3]);
/// let verdict = Verdict::Match { stored: 3, computed: DataSum::new(sums, ByteOrder::Big) };
/// assert_eq!(verdict.require_match()?.order, ByteOrder::Big);
/// # Ok::<(), linkstream::nersc::Unverified>(())
/// ```
pub type Verdict = crate::Verdict<u32, DataSum>;

/// The checksum of the data was not verified.
///
/// # Example
/// ```
/// use linkstream::nersc::Verdict;
///
/// let error = Verdict::Unchecked.require_not_refuted().err().ok_or("the data were skipped")?;
/// assert_eq!(error.to_string(), "data were skipped, so their checksum was not computed");
/// # Ok::<(), &str>(())
/// ```
pub type Unverified = crate::Unverified<u32, DataSum>;

impl fmt::Display for Unverified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.verdict {
            Verdict::Mismatch { .. } => {
                "checksum mismatch: the header contains another one, for either byte order"
            }
            Verdict::Absent { .. } => "the header has no valid checksum",
            Verdict::Unchecked => "data were skipped, so their checksum was not computed",
            Verdict::Match { .. } => "the checksum of the data matches the stored one",
        })
    }
}

/// The sum modulo 2^32 of the stored 32-bit words as integers, in both byte orders at once. A number of 64 bits counts
/// as two words. If the header names no byte order, the sum that equals `CHECKSUM` shows it.
///
/// # Example
/// ```
/// use linkstream::lattice::ByteOrder;
/// use linkstream::nersc::WordSums;
///
/// let mut sums = WordSums::default();
/// // Data may be cut anywhere.
/// sums.feed(b"\0\0\0\x01\0");
/// sums.feed(b"\0\0\x02");
/// assert_eq!((sums.of(ByteOrder::Big), sums.of(ByteOrder::Little)), (3, 3 << 24));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct WordSums {
    big: u32,
    little: u32,
    /// Number of bytes of an incomplete word that have been fed, 0 to 3.
    phase: u8,
}

saved!(struct WordSums { big, little, phase });

impl WordSums {
    pub(super) const fn new() -> Self {
        Self { big: 0, little: 0, phase: 0 }
    }

    /// The next bytes of the data.
    pub fn feed(&mut self, bytes: &[u8]) {
        let missing = usize::from(4_u8.wrapping_sub(self.phase) & 3);
        let (front, rest) = bytes.split_at_checked(missing).unwrap_or((bytes, &[]));
        let (words, back) = rest.as_chunks::<4>();
        self.pieces(front);
        for word in words {
            self.big = self.big.wrapping_add(u32::from_be_bytes(*word));
            self.little = self.little.wrapping_add(u32::from_le_bytes(*word));
        }
        self.pieces(back);
    }

    /// The sum in this byte order.
    #[must_use]
    pub const fn of(&self, order: ByteOrder) -> u32 {
        match order {
            ByteOrder::Big => self.big,
            ByteOrder::Little => self.little,
        }
    }

    /// Adds bytes of an incomplete word, each in its place.
    fn pieces(&mut self, bytes: &[u8]) {
        for byte in bytes {
            // A sum of words is also the sum of their bytes, each shifted to its place.
            let up = u32::from(self.phase).wrapping_mul(8);
            self.little = self.little.wrapping_add(u32::from(*byte).wrapping_shl(up));
            self.big = self.big.wrapping_add(u32::from(*byte).wrapping_shl(24_u32.wrapping_sub(up)));
            self.phase = self.phase.wrapping_add(1) & 3;
        }
    }

    pub(super) const fn is_consistent(&self, bytes: u64) -> bool {
        self.phase as u64 == bytes & 3
    }
}

/// The sum of all data, and the byte order of its comparison with `CHECKSUM`: the order that gives equal sums;
/// otherwise the order that the header names; otherwise big-endian.
///
/// # Example
/// ```
/// use linkstream::lattice::ByteOrder;
/// use linkstream::nersc::{DataSum, WordSums};
///
/// let mut sums = WordSums::default();
/// sums.feed(&[0, 0, 0, 3]);
/// assert_eq!(DataSum::new(sums, ByteOrder::Big).value(), 3);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct DataSum {
    /// The sums in both byte orders.
    pub sums: WordSums,
    /// The byte order.
    pub order: ByteOrder,
}

impl DataSum {
    /// The sum in this byte order.
    #[must_use]
    pub const fn new(sums: WordSums, order: ByteOrder) -> Self {
        Self { sums, order }
    }

    /// The sum modulo 2^32.
    #[must_use]
    pub const fn value(&self) -> u32 {
        self.sums.of(self.order)
    }
}
