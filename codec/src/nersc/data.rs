//! The data: how a link is stored, the row that reduced archives leave out, and the checksum.

use core::fmt;

use crate::bytes::{copy, prefix_mut};
use crate::counter::Counter as _;
use crate::ildg::{GaugeKind, MAX_RECONSTRUCTED_COLORS, Real, reconstruct};
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
/// use linkstream::nersc::{LinkFormat, StoredRows};
///
/// let (rows, order) = (StoredRows::Reduced, ByteOrder::Little);
/// let format = LinkFormat { precision: Precision::F32, colors: 3, rows, order };
/// let mut stored = [0; 48];
/// for diagonal in [0, 8] {
///     stored[4 * diagonal..][..4].copy_from_slice(&1.0_f32.to_le_bytes());
/// }
/// assert!(format.is_normalised(&stored) && (format.length(), format.whole_length()) == (48, 72));
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
    /// N of SU(N): the number of rows and columns of a matrix.
    pub colors: u8,
    /// Rows that are stored.
    pub rows: StoredRows,
    /// Byte order of the numbers.
    pub order: ByteOrder,
}

impl LinkFormat {
    /// Number of bytes of a link as it is stored.
    #[must_use]
    pub const fn length(&self) -> usize {
        (self.rows.count(self.colors) as usize).wrapping_mul(self.row_length())
    }

    /// Number of bytes of a link with all its rows.
    #[must_use]
    pub const fn whole_length(&self) -> usize {
        (self.colors as usize).wrapping_mul(self.row_length())
    }

    /// Number of bytes of a row: at most 255 complex numbers.
    const fn row_length(&self) -> usize {
        // A link has at most 255 such rows: about a million bytes, so no length overflows.
        (self.colors as usize).wrapping_mul(2).wrapping_mul(self.precision.size())
    }

    /// True if the row that is not stored can be computed, or all rows are stored.
    const fn is_complete(&self) -> bool {
        matches!(self.rows, StoredRows::Full) || self.colors as u16 <= MAX_RECONSTRUCTED_COLORS
    }

    /// Converts a stored link to a big-endian link with all rows. A last row that is not stored is computed in the
    /// precision of the file: for SU(3) in the order of operations of QIO and MILC, for other numbers of colors as
    /// [`reconstruct`](crate::ildg::reconstruct) does. `None` if a slice is too short, or if this row of more than
    /// [`MAX_RECONSTRUCTED_COLORS`] colors is not stored; nothing is written then.
    pub fn to_whole(&self, stored: &[u8], whole: &mut [u8]) -> Option<()> {
        let stored = stored.get(..self.length()).filter(|_| self.is_complete())?;
        let whole = whole.get_mut(..self.whole_length())?;
        let given = prefix_mut(whole, stored.len());
        copy(given, stored);
        if self.order == ByteOrder::Little {
            reverse_words(given, self.precision.size());
        }
        match (self.rows, self.colors, self.precision) {
            (StoredRows::Full, ..) => Some(()),
            (_, 3, Precision::F32) => complete::<f32>(whole, 0.0),
            (_, 3, Precision::F64) => complete::<f64>(whole, 0.0),
            (_, colors, Precision::F32) => complete_any::<f32>(whole, colors, 0.0),
            (_, colors, Precision::F64) => complete_any::<f64>(whole, colors, 0.0),
        }
    }

    /// Converts a big-endian link with all rows to the stored form. `None` if a slice is too short; nothing is written
    /// then.
    pub fn from_whole(&self, whole: &[u8], stored: &mut [u8]) -> Option<()> {
        let whole = whole.get(..self.whole_length())?;
        let stored = stored.get_mut(..self.length())?;
        copy(stored, whole);
        if self.order == ByteOrder::Little {
            reverse_words(stored, self.precision.size());
        }
        Some(())
    }

    /// True if the first row of a stored link has norm 1, as in every special unitary matrix; the square of the norm
    /// may differ from 1 by 0.001. In the wrong byte order this is practically never the case. It therefore decides the
    /// order if the header does not name one and the checksum is not known yet.
    #[must_use]
    pub fn is_normalised(&self, stored: &[u8]) -> bool {
        let Some(row) = stored.get(..self.row_length()) else { return false };
        let bytes = self.precision.size();
        let norm = row.chunks_exact(bytes).fold(0.0, |norm, stored| {
            let mut number = [0; 8];
            let number = prefix_mut(&mut number, bytes);
            copy(number, stored);
            if self.order == ByteOrder::Little {
                reverse_words(number, bytes);
            }
            let number = self.precision.read(number, 0).unwrap_or(f64::NAN);
            norm + number * number
        });
        (norm - 1.0).abs() < NORM_TOLERANCE
    }
}

/// Computes the third row of a big-endian link of SU(3).
fn complete<T: Real + Word>(link: &mut [u8], zero: T) -> Option<()> {
    let mut numbers = [zero; NUMBERS];
    T::get(link, &mut numbers)?;
    let (rows, _) = numbers.as_chunks::<2>();
    let &[a0, a1, a2, b0, b1, b2, ..] = rows else { return None };
    let third = [minor(a1, a2, b1, b2), minor(a2, a0, b2, b0), minor(a0, a1, b0, b1)];
    T::put(third.as_flattened(), link.get_mut(T::BYTES.wrapping_mul(12)..)?)
}

/// Numbers of the largest matrix whose last row is computed.
const MAX_NUMBERS: usize = 2 * (MAX_RECONSTRUCTED_COLORS as usize) * (MAX_RECONSTRUCTED_COLORS as usize);

/// Computes the last row of a big-endian link of any number of colors. No other program defines its bits, so it is the
/// one of ILDG.
#[inline(never)]
fn complete_any<T: Real + Word>(link: &mut [u8], colors: u8, zero: T) -> Option<()> {
    let kind = GaugeKind::su(colors.into())?;
    let mut numbers = [zero; MAX_NUMBERS];
    let row = usize::from(colors).wrapping_mul(2);
    let numbers = numbers.get_mut(..row.wrapping_mul(colors.into()))?;
    T::get(link, numbers)?;
    reconstruct(kind, numbers).ok()?;
    let last = numbers.len().minus(row);
    T::put(numbers.get(last..)?, link.get_mut(last.wrapping_mul(T::BYTES)..)?)
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
/// use linkstream::nersc::StoredRows;
///
/// assert_eq!((StoredRows::Reduced.count(3), StoredRows::Full.count(3)), (2, 3));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum StoredRows {
    /// All but the last one, which is computed from them.
    Reduced,
    /// All of them.
    Full,
}

saved!(enum StoredRows: Reduced, Full);

impl StoredRows {
    /// The number of stored rows of a link of SU(N), where N is `colors`: N - 1 or N.
    #[must_use]
    pub const fn count(self, colors: u8) -> u8 {
        match self {
            Self::Reduced => colors.saturating_sub(1),
            Self::Full => colors,
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
    in_word: u8,
}

saved!(struct WordSums { big, little, in_word });

impl WordSums {
    pub(super) const fn new() -> Self {
        Self { big: 0, little: 0, in_word: 0 }
    }

    /// The next bytes of the data.
    pub fn feed(&mut self, bytes: &[u8]) {
        // The rest of the word that was begun, whole words, and the beginning of the next one.
        let missing = usize::from(4_u8.wrapping_sub(self.in_word) & 3);
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
            let up = u32::from(self.in_word).wrapping_mul(8);
            self.little = self.little.wrapping_add(u32::from(*byte).wrapping_shl(up));
            self.big = self.big.wrapping_add(u32::from(*byte).wrapping_shl(24_u32.wrapping_sub(up)));
            self.in_word = self.in_word.wrapping_add(1) & 3;
        }
    }

    pub(super) const fn is_consistent(&self, bytes: u64) -> bool {
        self.in_word as u64 == bytes & 3
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
