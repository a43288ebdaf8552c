//! The arithmetic on links: several sites along x at once.
//!
//! Four sites of a row are together in memory: the real part of element (0, 0) of the first link of each of them, then
//! the imaginary parts, and so on through the links of a site. Every site has the same operations in the same order:
//! the results do not depend on how many sites are taken at once. Multiplications and additions are one operation where
//! the machine has it, so the last digits can differ between kinds of machines.

use pulp::{Simd, WithSimd};

use super::geometry::LANES;

/// A complex number of four sites: real parts, imaginary parts.
type Element = [[f64; LANES]; 2];

/// Matrices of one link of all sites of a row, or of their neighbours in x.
#[derive(Debug, Clone, Copy)]
pub struct Matrices<'r> {
    /// The numbers of a row.
    pub row: &'r [f64],
    /// Matrices of a site, and which one it is.
    pub links: usize,
    pub link: usize,
}

impl<'r> Matrices<'r> {
    /// The elements, of four sites each.
    #[inline(always)]
    fn of_groups(self, colors: usize) -> impl Iterator<Item = &'r [Element]> {
        let elements = colors * colors;
        let groups = self.row.as_chunks::<LANES>().0.as_chunks::<2>().0.chunks_exact(self.links * elements);
        groups.map(move |group| &group[self.link * elements..][..elements])
    }

    /// The rows of matrices of a known size.
    #[inline(always)]
    fn of_size<const N: usize>(self) -> impl Iterator<Item = &'r [[Element; N]; N]> {
        self.of_groups(N).filter_map(|elements| elements.as_chunks().0.first_chunk())
    }
}

/// The part of four numbers that begins at a lane.
#[inline(always)]
fn load<S: Simd>(number: &[f64; LANES], lane: usize) -> S::f64s {
    S::as_simd_f64s(&number[lane..lane + S::F64_LANES]).0[0]
}

#[inline(always)]
fn element<S: Simd>([re, im]: &Element, lane: usize) -> [S::f64s; 2] {
    [load::<S>(re, lane), load::<S>(im, lane)]
}

/// Puts a result where the same sites have theirs.
#[inline(always)]
fn store<S: Simd>(out: &mut [f64; LANES], lane: usize, value: S::f64s) {
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
    /// For each site, and those that fill the row up.
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
    /// Row by row: the sums of a row stay in registers.
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

    /// Element by element, in the same order.
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

/// A row of the product of two matrices: a row of the left one and all of the right one.
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

/// A sum of complex products. What is subtracted from the real part is summed up by itself, so that every product is a
/// multiplication and an addition in one.
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

    /// With `a` times `b`.
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

/// The sum, and the real part of `a` times the conjugate of `b`.
#[inline(always)]
fn add_re<S: Simd>(simd: S, sum: S::f64s, a: [S::f64s; 2], b: [S::f64s; 2]) -> S::f64s {
    simd.mul_add_e_f64s(a[1], b[1], simd.mul_add_e_f64s(a[0], b[0], sum))
}

/// Re tr U, the squared norm of U, and the square of the largest element of |U U† - 1|, for each site of a row.
#[derive(Debug)]
pub struct Unitarity<'r> {
    pub colors: usize,
    pub links: Matrices<'r>,
    /// For each site, and those that fill the row up.
    pub trace: &'r mut [f64],
    /// Likewise: the sum of the squared moduli of all elements.
    pub norm: &'r mut [f64],
    /// Likewise. Not a number where one of the elements is not finite.
    pub deviation: &'r mut [f64],
}

impl WithSimd for Unitarity<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
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
                    re_trace = simd.add_f64s(re_trace, load::<S>(&row[i][0], lane));
                    // U U† is Hermitian: the diagonal and the upper triangle are all of it.
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
                // The maximum may lose what is not a number; the sum cannot. This adds 0 or NaN.
                let spoilt = simd.sub_f64s(sum, sum);
                store::<S>(trace, lane, re_trace);
                store::<S>(norm, lane, squares);
                store::<S>(deviation, lane, simd.add_f64s(largest, spoilt));
            }
        }
    }
}

/// A row times the conjugate of another: an element of U U†.
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

/// Puts the numbers of the next site along x in place of those of each site; after the last one of the row comes the
/// first.
#[derive(Debug)]
pub struct Shift<'r> {
    pub row: &'r [f64],
    /// Numbers of a site.
    pub site_numbers: usize,
    /// Sites of a row.
    pub sites: usize,
    pub shifted: &'r mut [f64],
}

impl WithSimd for Shift<'_> {
    type Output = ();

    #[inline(always)]
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
        // In the middle of the last group if sites that are not there fill it up.
        let last = sites - 1;
        let group = shifted.chunks_exact_mut(site_numbers).nth(last / LANES).unwrap_or_default();
        for (number, [first, ..]) in group.iter_mut().zip(first) {
            number[last % LANES] = *first;
        }
    }
}
