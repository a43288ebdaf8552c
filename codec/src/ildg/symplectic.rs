//! The last N rows of an Sp(2N) matrix (ILDG 1.2, appendix A.2, equation 2).
//!
//! They are -B* and A*, where the first rows are A and B: signs are toggled, nothing is computed. The text
//! adds that zeros are forced to +0, where it speaks of SO(N) and SU(N). It is done here as well: the links
//! that do not exist (section 2.5.1) are +0.0 with all bits clear in whole storage, and would not be after
//! toggling.

use super::real::Real;
use crate::bytes::split;

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
