//! Reconstruction of the rows that reduced storage omits (ILDG 1.2, section 2.5.1 and appendix A.2).

use super::contraction::{MAX_COLORS, contract};
use super::kind::{GaugeKind, Group};
use super::real::{Element, Real, larger};
use crate::bytes::{prefix_mut, split, split_mut};
use crate::messages::messages;

/// The maximum number of colors for which the last row of an SU(N) or SO(N) matrix is computed.
///
/// Equation 3 of appendix A.2 is a sum over N! products, all of which are needed for a bit-identical result; N
/// colors take N times as long as N - 1. On a machine that computes a link of SU(3) in 5 nanoseconds, a link takes 3
/// milliseconds with 9 colors, 30 with 10, and would take four seconds with 12. There is no limit for Sp(2N).
pub const MAX_RECONSTRUCTED_COLORS: u16 = MAX_COLORS as u16;

const SU3_NUMBERS: usize = 3 * 3 * 2;
const SU3_GIVEN: usize = 2 * 3 * 2;

messages! {
    /// Errors of reconstructing rows.
    ///
    /// # Example
    /// ```
    /// use linkstream::ildg::{GaugeKind, ReconstructError, reconstruct};
    ///
    /// let refused = reconstruct(GaugeKind::SU3, &mut [0.0_f64; 12]);
    /// assert_eq!(refused, Err(ReconstructError::Length { needed: 18, found: 12 }));
    /// ```
    pub enum ReconstructError {
        /// Links of this kind have no reduced storage: their last rows cannot be computed from the others.
        NotReducible {
            /// The kind.
            kind: GaugeKind,
        } => ("links of {kind} are always stored with all rows"),
        /// More colors than [`MAX_RECONSTRUCTED_COLORS`].
        Colors {
            /// The kind.
            kind: GaugeKind,
        } => ("the last row of {kind} is not computed, which would take too long: the limit is {MAX_RECONSTRUCTED_COLORS} colors"),
        /// The slice is not one whole matrix.
        Length {
            /// The number of numbers of a matrix.
            needed: u32,
            /// The length of the slice.
            found: usize,
        } => ("a link has {needed} numbers with all its rows, but the slice has {found}"),
    }
}

/// Computes the rows of a link that reduced storage omits.
///
/// `link` is the whole matrix of N x N elements, row by row; of each element the real part, then the imaginary part
/// (an element of an SO(N) matrix is one number). The first [`GaugeKind::reduced_rows`] rows are the input, the
/// others are overwritten. Numbers are in native byte order.
///
/// The result is bit-identical to that of ILDG 1.2, appendix A.2. For SU(N) and SO(N): the product of each index
/// string is formed from left to right, in the arithmetic of `T`, and the products are conjugated and summed up in
/// the lexicographic order of their strings; zeros are +0. The specification does not define how complex numbers are
/// multiplied; here it is `(ar br - ai bi, ar bi + ai br)` without fused operations. For Sp(2N), signs are toggled,
/// and zeros are +0 as well. A link of zeros, which does not physically exist, thus keeps all bits clear. If a
/// number is not finite, the results that depend on it are not finite either, and the bits of NaNs are unspecified.
///
/// ```
/// use linkstream::ildg::{GaugeKind, reconstruct};
///
/// // The first row of an SU(2) matrix is (a, b); its second row is (-b*, a*).
/// let kind = GaugeKind::parse(b"su2gauge").ok_or("a kind of gauge field")?;
/// let mut link = [0.0, 0.6, 0.8, 0.0, f64::NAN, f64::NAN, f64::NAN, f64::NAN];
/// reconstruct(kind, &mut link)?;
/// assert_eq!(link[4..], [-0.8, 0.0, 0.0, -0.6]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// The kind has no reduced storage or too many colors, or `link` is not one whole matrix. Nothing is written
/// then.
#[inline]
pub fn reconstruct<T: Real>(kind: GaugeKind, link: &mut [T]) -> Result<(), ReconstructError> {
    // Nearly all links there are. The other kinds stay out of line, so that this is short enough for a loop.
    if kind == GaugeKind::SU3 && link.len() == SU3_NUMBERS {
        let (given, missing) = split_mut(link, SU3_GIVEN);
        contract::<[T; 2]>(given.as_chunks().0, missing.as_chunks_mut().0);
        return Ok(());
    }
    reconstruct_any(kind, link)
}

#[inline(never)]
fn reconstruct_any<T: Real>(kind: GaugeKind, link: &mut [T]) -> Result<(), ReconstructError> {
    let Shape { colors, given } = Shape::of(kind, link.len())?;
    let (given, missing) = split_mut(link, given);
    match kind.group() {
        Group::Sp => {
            let missing = missing.as_chunks_mut().0;
            for (element, value) in missing.iter_mut().zip(mirrored(given.as_chunks().0, colors)) {
                *element = value;
            }
        }
        _ if kind.is_real() => contract::<[T; 1]>(given.as_chunks().0, missing.as_chunks_mut().0),
        _ => contract::<[T; 2]>(given.as_chunks().0, missing.as_chunks_mut().0),
    }
    Ok(())
}

/// The difference between the rows of a link that reduced storage would omit and what [`reconstruct`] computes from
/// the others: the largest absolute difference of two numbers, which are real or imaginary parts. A writing program
/// may omit the rows if this is small enough.
///
/// `link` is the whole matrix as for [`reconstruct`]. The deviation is infinite if any number of it, given or
/// reconstructed, is infinite or NaN: such a link cannot be reconstructed. If the deviation is 0, the numbers are
/// equal, but a zero may differ in its sign. As tolerance, use a small multiple of the precision in which the matrix
/// was computed, for example 1e-5 for `f32` and 1e-12 for `f64`.
///
/// ```
/// use linkstream::ildg::{GaugeKind, deviation};
///
/// let kind = GaugeKind::parse(b"so2gauge").ok_or("a kind of gauge field")?;
/// assert_eq!(deviation(kind, &[0.6, 0.8, -0.8, 0.6])?, 0.0);
/// // A reflection is orthogonal, but its second row is not the one that goes with the first.
/// assert_eq!(deviation(kind, &[0.0, 1.0, 1.0, 0.0])?, 2.0);
/// assert_eq!(deviation(kind, &[0.6, 0.8, -0.8, f64::NAN])?, f64::INFINITY);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// As [`reconstruct`].
#[inline]
pub fn deviation<T: Real>(kind: GaugeKind, link: &[T]) -> Result<f64, ReconstructError> {
    if kind == GaugeKind::SU3 && link.len() == SU3_NUMBERS {
        let (given, missing) = split(link, SU3_GIVEN);
        return Ok(from_contraction::<[T; 2]>(given.as_chunks().0, missing.as_chunks().0));
    }
    deviation_any(kind, link)
}

#[inline(never)]
fn deviation_any<T: Real>(kind: GaugeKind, link: &[T]) -> Result<f64, ReconstructError> {
    let Shape { colors, given } = Shape::of(kind, link.len())?;
    let (given, missing) = split(link, given);
    Ok(match kind.group() {
        Group::Sp => farthest(missing.as_chunks().0, mirrored(given.as_chunks().0, colors)),
        _ if kind.is_real() => from_contraction::<[T; 1]>(given.as_chunks().0, missing.as_chunks().0),
        _ => from_contraction::<[T; 2]>(given.as_chunks().0, missing.as_chunks().0),
    })
}

#[inline]
fn from_contraction<E: Element>(given: &[E], missing: &[E]) -> f64 {
    let mut last = [E::ZERO; MAX_COLORS];
    let last = prefix_mut(&mut last, missing.len());
    contract(given, last);
    farthest(missing, last.iter().copied())
}

#[inline]
fn farthest<E: Element>(missing: &[E], reconstructed: impl Iterator<Item = E>) -> f64 {
    missing.iter().zip(reconstructed).fold(0.0, |largest, (a, b)| larger(a.distance(b), largest))
}

/// A whole link of a kind with reduced storage.
struct Shape {
    colors: usize,
    /// Numbers in the rows that are stored; those of the others follow.
    given: usize,
}

impl Shape {
    #[inline]
    fn of(kind: GaugeKind, found: usize) -> Result<Self, ReconstructError> {
        let rows = kind.reduced_rows().ok_or(ReconstructError::NotReducible { kind })?;
        if kind.group() != Group::Sp && kind.colors() > MAX_RECONSTRUCTED_COLORS {
            return Err(ReconstructError::Colors { kind });
        }
        // At most 9999 rows of 9999 complex numbers.
        let numbers_of = |rows: u16| {
            let parts = if kind.is_real() { 1 } else { 2 };
            [kind.colors().into(), parts].into_iter().fold(u32::from(rows), u32::wrapping_mul)
        };
        let needed = numbers_of(kind.colors());
        match (usize::try_from(needed), usize::try_from(numbers_of(rows))) {
            (Ok(whole), Ok(given)) if whole == found => Ok(Self { colors: kind.colors().into(), given }),
            _ => Err(ReconstructError::Length { needed, found }),
        }
    }
}

/// The elements of the rows left out, row by row, from `rows` of `colors` = 2N elements each.
#[inline]
pub(super) fn mirrored<T: Real>(rows: &[[T; 2]], colors: usize) -> impl Iterator<Item = [T; 2]> {
    // Subtracted from +0, or added to it, a number is toggled, or kept, and never becomes -0.
    let opposite = |&[re, im]: &[T; 2]| [T::ZERO.minus(re), T::ZERO.plus(im)];
    let conjugate = |&[re, im]: &[T; 2]| [T::ZERO.plus(re), T::ZERO.minus(im)];
    rows.chunks_exact(colors.max(1)).flat_map(move |row| {
        let (a, b) = split(row, colors / 2);
        b.iter().map(opposite).chain(a.iter().map(conjugate))
    })
}
