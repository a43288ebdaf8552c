//! The arithmetic on links, for several sites along x at once.
//!
//! Groups of four sites of a row are stored together: the real parts of element (0, 0) of the first link of each site,
//! then the imaginary parts, and so on for all elements and links. The operations and their order are the same for
//! every site, so the results do not depend on how many sites are computed at once. A multiplication and an addition
//! are fused if the machine supports it, so the last digits can differ between types of machines.

use pulp::{Simd, WithSimd};

use super::geometry::LANES;

/// A complex number for each of four sites: the real parts, then the imaginary parts.
pub(super) type Element = [[f64; LANES]; 2];

/// The matrices of one link of all sites in a row, or of their neighbours in x.
#[derive(Debug, Clone, Copy)]
pub struct Matrices<'r> {
    /// The numbers of a row.
    pub row: &'r [f64],
    /// Number of links at a site.
    pub links: usize,
    /// Index of the link.
    pub link: usize,
}

impl<'r> Matrices<'r> {
    /// For each group of four sites, the elements of its matrices.
    #[inline(always)]
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "`Geometry::of` has checked the sizes; `link` is less than `links`, so the link is inside its group"
    )]
    pub(super) fn of_groups(self, colors: usize) -> impl Iterator<Item = &'r [Element]> {
        let elements = colors * colors;
        // Four real parts and four imaginary parts are an element; a group has all elements of all links of four sites.
        let groups = self.row.as_chunks::<LANES>().0.as_chunks::<2>().0.chunks_exact(self.links * elements);
        groups.map(move |group| &group[self.link * elements..][..elements])
    }

    /// For each group of four sites, its matrices as arrays of `N` rows.
    #[inline(always)]
    fn of_size<const N: usize>(self) -> impl Iterator<Item = &'r [[Element; N]; N]> {
        self.of_groups(N).filter_map(|elements| elements.as_chunks().0.first_chunk())
    }
}

/// Loads a vector from four numbers, beginning at `lane`.
#[inline(always)]
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "lanes are counted in steps of a vector, and vectors divide a group evenly, as `store` asserts"
)]
fn load<S: Simd>(number: &[f64; LANES], lane: usize) -> S::f64s {
    S::as_simd_f64s(&number[lane..lane + S::F64_LANES]).0[0]
}

#[inline(always)]
pub(super) fn element<S: Simd>([re, im]: &Element, lane: usize) -> [S::f64s; 2] {
    [load::<S>(re, lane), load::<S>(im, lane)]
}

/// Stores a vector in four numbers, beginning at `lane`.
#[inline(always)]
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "lanes are counted in steps of a vector, and vectors divide a group evenly, as asserted here"
)]
pub(super) fn store<S: Simd>(out: &mut [f64; LANES], lane: usize, value: S::f64s) {
    const { assert!(LANES.is_multiple_of(S::F64_LANES), "vectors must not be longer than a group of sites") };
    S::as_mut_simd_f64s(&mut out[lane..lane + S::F64_LANES]).0[0] = value;
}

/// Re tr (A B)(D C)† for each site of a row: the plaquette of the links A = U_μ(x), B = U_ν(x+μ), C = U_μ(x+ν) and
/// D = U_ν(x).
#[derive(Debug)]
pub struct Plaquettes<'r> {
    pub colors: usize,
    pub a: Matrices<'r>,
    pub b: Matrices<'r>,
    pub c: Matrices<'r>,
    pub d: Matrices<'r>,
    /// The result for each site of the row, including the padding.
    pub out: &'r mut [f64],
}

impl WithSimd for Plaquettes<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match self.colors {
            1 => self.small::<S, 1>(simd),
            2 => self.small::<S, 2>(simd),
            3 => self.small::<S, 3>(simd),
            _ => self.large(simd),
        }
    }
}

impl Plaquettes<'_> {
    /// Computes the products row by row, so that the sums of a row stay in registers.
    #[inline(always)]
    fn small<S: Simd, const N: usize>(self, simd: S) {
        let Self { a, b, c, d, out, .. } = self;
        let first = a.of_size::<N>().zip(b.of_size::<N>());
        let second = d.of_size::<N>().zip(c.of_size::<N>());
        for (((a, b), (d, c)), out) in first.zip(second).zip(out.as_chunks_mut().0) {
            for lane in (0..LANES).step_by(S::F64_LANES) {
                let mut trace = simd.splat_f64s(0.0);
                for (a, d) in a.iter().zip(d) {
                    let p = row::<S, N>(simd, a, b, lane);
                    let q = row::<S, N>(simd, d, c, lane);
                    for (p, q) in p.into_iter().zip(q) {
                        trace = add_re(simd, trace, p, q);
                    }
                }
                store::<S>(out, lane, trace);
            }
        }
    }

    /// Computes the products element by element, in the same order of operations as `small`.
    #[inline(always)]
    fn large<S: Simd>(self, simd: S) {
        let Self { colors, a, b, c, d, out } = self;
        let first = a.of_groups(colors).zip(b.of_groups(colors));
        let second = d.of_groups(colors).zip(c.of_groups(colors));
        for (((a, b), (d, c)), out) in first.zip(second).zip(out.as_chunks_mut().0) {
            for lane in (0..LANES).step_by(S::F64_LANES) {
                let mut trace = simd.splat_f64s(0.0);
                for (a, d) in a.chunks_exact(colors).zip(d.chunks_exact(colors)) {
                    for column in 0..colors {
                        let element = |row: &[Element], matrix: &[Element]| {
                            #[expect(
                                clippy::indexing_slicing,
                                reason = "a matrix has at least as many elements as columns"
                            )]
                            let column = matrix[column..].iter().step_by(colors);
                            let sum = row.iter().zip(column).fold(Sum::zero(simd), |sum, (left, right)| {
                                let left = element::<S>(left, lane);
                                sum.add_product(simd, left, element::<S>(right, lane))
                            });
                            sum.value(simd)
                        };
                        trace = add_re(simd, trace, element(a, b), element(d, c));
                    }
                }
                store::<S>(out, lane, trace);
            }
        }
    }
}

/// Multiplies a matrix of each site of a row by the link of this site, from the right: P becomes P U.
#[derive(Debug)]
pub struct Multiply<'r> {
    pub colors: usize,
    /// P for each site of the row, including the padding, as the only link of the site.
    pub product: &'r mut [f64],
    pub links: Matrices<'r>,
    /// P is 1, whatever its numbers are.
    pub is_first: bool,
}

impl WithSimd for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        if self.is_first {
            let products = self.product.as_chunks_mut::<LANES>().0.as_chunks_mut::<2>().0;
            let elements = self.links.of_groups(self.colors).flatten();
            products.iter_mut().zip(elements).for_each(|(product, link)| *product = *link);
            return;
        }
        match self.colors {
            1 => self.small::<S, 1>(simd),
            2 => self.small::<S, 2>(simd),
            3 => self.small::<S, 3>(simd),
            _ => self.large(simd),
        }
    }
}

impl Multiply<'_> {
    #[inline(always)]
    fn small<S: Simd, const N: usize>(self, simd: S) {
        let products = self.product.as_chunks_mut::<LANES>().0.as_chunks_mut::<2>().0;
        let rows = products.as_chunks_mut::<N>().0.as_chunks_mut::<N>().0;
        for (product, link) in rows.iter_mut().zip(self.links.of_size::<N>()) {
            for left in product {
                for lane in (0..LANES).step_by(S::F64_LANES) {
                    let sums = row::<S, N>(simd, left, link, lane);
                    for ([re, im], sum) in left.iter_mut().zip(sums) {
                        store::<S>(re, lane, sum[0]);
                        store::<S>(im, lane, sum[1]);
                    }
                }
            }
        }
    }

    /// Computes the product element by element, in the same order of operations as `small`.
    #[inline(always)]
    fn large<S: Simd>(self, simd: S) {
        let Self { colors, product, links, .. } = self;
        let products = product.as_chunks_mut::<LANES>().0.as_chunks_mut::<2>().0;
        let mut old = Vec::new();
        for (link, product) in links.of_groups(colors).zip(products.chunks_exact_mut(link_elements(colors))) {
            for left in product.chunks_exact_mut(colors) {
                old.clear();
                old.extend_from_slice(left);
                for (column, [re, im]) in left.iter_mut().enumerate() {
                    let right = || link.iter().skip(column).step_by(colors);
                    for lane in (0..LANES).step_by(S::F64_LANES) {
                        let sum = old.iter().zip(right()).fold(Sum::zero(simd), |sum, (left, right)| {
                            let left = element::<S>(left, lane);
                            sum.add_product(simd, left, element::<S>(right, lane))
                        });
                        let [sum_re, sum_im] = sum.value(simd);
                        store::<S>(re, lane, sum_re);
                        store::<S>(im, lane, sum_im);
                    }
                }
            }
        }
    }
}

/// Number of elements of a link.
#[expect(clippy::arithmetic_side_effects, reason = "`Geometry::of` has checked the sizes")]
const fn link_elements(colors: usize) -> usize {
    colors * colors
}

/// A row of the product of two matrices, computed from a row of the left one and the whole right one.
#[inline(always)]
fn row<S: Simd, const N: usize>(
    simd: S,
    left: &[Element; N],
    right: &[[Element; N]; N],
    lane: usize,
) -> [[S::f64s; 2]; N] {
    let mut sums = [Sum::zero(simd); N];
    for (left, right) in left.iter().zip(right) {
        let left = element::<S>(left, lane);
        for (sum, right) in sums.iter_mut().zip(right) {
            *sum = sum.add_product(simd, left, element::<S>(right, lane));
        }
    }
    sums.map(|sum| sum.value(simd))
}

/// A sum of complex products. The terms that are subtracted from the real part have a sum of their own, so that every
/// product is a fused multiplication and addition.
#[derive(Debug, Clone, Copy)]
struct Sum<S: Simd> {
    plus: S::f64s,
    minus: S::f64s,
    im: S::f64s,
}

impl<S: Simd> Sum<S> {
    #[inline(always)]
    fn zero(simd: S) -> Self {
        let zero = simd.splat_f64s(0.0);
        Self { plus: zero, minus: zero, im: zero }
    }

    /// The sum with `a` times `b` added.
    #[inline(always)]
    fn add_product(self, simd: S, a: [S::f64s; 2], b: [S::f64s; 2]) -> Self {
        Self {
            plus: simd.mul_add_e_f64s(a[0], b[0], self.plus),
            minus: simd.mul_add_e_f64s(a[1], b[1], self.minus),
            im: simd.mul_add_e_f64s(a[1], b[0], simd.mul_add_e_f64s(a[0], b[1], self.im)),
        }
    }

    #[inline(always)]
    fn value(self, simd: S) -> [S::f64s; 2] {
        [simd.sub_f64s(self.plus, self.minus), self.im]
    }
}

/// Adds the real part of `a` times the conjugate of `b` to `sum`.
#[inline(always)]
fn add_re<S: Simd>(simd: S, sum: S::f64s, a: [S::f64s; 2], b: [S::f64s; 2]) -> S::f64s {
    simd.mul_add_e_f64s(a[1], b[1], simd.mul_add_e_f64s(a[0], b[0], sum))
}

/// Computes Re tr U, the squared norm of U, and the square of the largest element of |U U† - 1|, for each site of a
/// row.
#[derive(Debug)]
pub struct Unitarity<'r> {
    pub colors: usize,
    pub links: Matrices<'r>,
    /// Re tr U for each site of the row, including the padding.
    pub trace: &'r mut [f64],
    /// The sum of the squared moduli of all elements, likewise.
    pub norm: &'r mut [f64],
    /// The square of the largest element of |U U† - 1|, likewise; NaN if an element of U is not finite.
    pub deviation: &'r mut [f64],
}

impl WithSimd for Unitarity<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        // With a constant number of colors, the compiler unrolls the loops.
        match self.colors {
            1 => self.run(simd, 1),
            2 => self.run(simd, 2),
            3 => self.run(simd, 3),
            n => self.run(simd, n),
        }
    }
}

impl Unitarity<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S, n: usize) {
        let Self { links, trace, norm, deviation, .. } = self;
        let (zero, one) = (simd.splat_f64s(0.0), simd.splat_f64s(1.0));
        let out = trace.as_chunks_mut().0.iter_mut().zip(norm.as_chunks_mut().0);
        let out = out.zip(deviation.as_chunks_mut().0);
        for (link, ((trace, norm), deviation)) in links.of_groups(n).zip(out) {
            for lane in (0..LANES).step_by(S::F64_LANES) {
                let [mut re_trace, mut squares, mut largest, mut sum] = [zero; 4];
                for (i, row) in link.chunks_exact(n).enumerate() {
                    #[expect(
                        clippy::indexing_slicing,
                        reason = "a matrix is square, so its row `i` has an element `i`"
                    )]
                    let [re, _] = &row[i];
                    re_trace = simd.add_f64s(re_trace, load::<S>(re, lane));
                    // U U† is Hermitian, so the diagonal and the upper triangle are sufficient.
                    for (j, other) in link.chunks_exact(n).enumerate().skip(i) {
                        let [re, im] = row_product(simd, row, other, lane);
                        let re = if i == j {
                            squares = simd.add_f64s(squares, re);
                            simd.sub_f64s(re, one)
                        } else {
                            re
                        };
                        let square = simd.add_f64s(simd.mul_f64s(re, re), simd.mul_f64s(im, im));
                        largest = simd.max_f64s(largest, square);
                        sum = simd.add_f64s(sum, square);
                    }
                }
                // `max_f64s` may drop NaN, but the sum keeps it. This difference is 0 or NaN.
                let spoilt = simd.sub_f64s(sum, sum);
                store::<S>(trace, lane, re_trace);
                store::<S>(norm, lane, squares);
                store::<S>(deviation, lane, simd.add_f64s(largest, spoilt));
            }
        }
    }
}

/// The product of a row and the conjugate of another: an element of U U†.
#[inline(always)]
fn row_product<S: Simd>(simd: S, a: &[Element], b: &[Element], lane: usize) -> [S::f64s; 2] {
    let zero = simd.splat_f64s(0.0);
    let [mut re, mut plus, mut minus] = [zero; 3];
    for (a, b) in a.iter().zip(b) {
        let [a_re, a_im] = element::<S>(a, lane);
        let [b_re, b_im] = element::<S>(b, lane);
        re = simd.mul_add_e_f64s(a_im, b_im, simd.mul_add_e_f64s(a_re, b_re, re));
        plus = simd.mul_add_e_f64s(a_im, b_re, plus);
        minus = simd.mul_add_e_f64s(a_re, b_im, minus);
    }
    [re, simd.sub_f64s(plus, minus)]
}

/// Shifts a row by one site along x, periodically: each site gets the numbers of the next one, the last site the
/// numbers of the first.
#[derive(Debug)]
pub struct Shift<'r> {
    pub row: &'r [f64],
    /// Count of numbers in a site.
    pub site_numbers: usize,
    /// Number of sites in the row.
    pub sites: usize,
    pub shifted: &'r mut [f64],
}

impl WithSimd for Shift<'_> {
    type Output = ();

    #[inline(always)]
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "a row has at least one site, and so at least one group; a remainder by `LANES` is a lane"
    )]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { row, site_numbers, sites, shifted } = self;
        let row = row.as_chunks::<LANES>().0;
        let shifted = shifted.as_chunks_mut::<LANES>().0;
        let (groups, first) = (row.chunks_exact(site_numbers), &row[..site_numbers]);
        let next_groups = groups.clone().skip(1).chain([first]);
        for ((group, next), shifted) in groups.zip(next_groups).zip(shifted.chunks_exact_mut(site_numbers)) {
            for (([_, b, c, d], [next, ..]), shifted) in group.iter().zip(next).zip(shifted) {
                *shifted = [*b, *c, *d, *next];
            }
        }
        // The last site gets the numbers of the first. If the last group is padded, the last site is not at its end.
        let last = sites - 1;
        let group = shifted.chunks_exact_mut(site_numbers).nth(last / LANES).unwrap_or_default();
        for (number, [first, ..]) in group.iter_mut().zip(first) {
            number[last % LANES] = *first;
        }
    }
}
