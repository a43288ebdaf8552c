//! The arithmetic on links: several sites along x at once.
//!
//! A matrix is given by the numbers of its row of sites: the real part of element (0, 0) of every site, then the imaginary
//! part of every site, and so on. Products and sums are not fused and every site has the same operations in the same
//! order, so the results do not depend on how many sites the machine takes at once.

use pulp::{Simd, WithSimd};

use super::geometry::PADDING;

/// Matrices of one link of all sites of a row, or of their neighbours in x.
#[derive(Debug, Clone, Copy)]
pub struct Matrices<'r> {
    /// Begins with the first component of the first site.
    pub numbers: &'r [f64],
    /// Distance of two components.
    pub stride: usize,
}

impl Matrices<'_> {
    /// Component `c` of the sites from `x` on.
    #[inline(always)]
    fn load<S: Simd>(&self, c: usize, x: usize) -> S::f64s {
        let from = c * self.stride + x;
        S::as_simd_f64s(&self.numbers[from..from + S::F64_LANES]).0[0]
    }

    /// An element, real and imaginary part.
    #[inline(always)]
    fn element<S: Simd>(&self, index: usize, x: usize) -> [S::f64s; 2] {
        [self.load::<S>(2 * index, x), self.load::<S>(2 * index + 1, x)]
    }
}

/// Re tr (A B)(D C)† for each site of a row: the plaquette of the links A = U_μ(x), B = U_ν(x+μ), C = U_μ(x+ν) and
/// D = U_ν(x).
#[derive(Debug)]
pub struct Plaquettes<'r> {
    pub colors: usize,
    pub sites: usize,
    pub a: Matrices<'r>,
    pub b: Matrices<'r>,
    pub c: Matrices<'r>,
    pub d: Matrices<'r>,
    /// As many as sites, and the padding.
    pub out: &'r mut [f64],
}

impl WithSimd for Plaquettes<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        // The loops over elements are unrolled where the compiler knows their length.
        match self.colors {
            1 => self.run(simd, 1),
            2 => self.run(simd, 2),
            3 => self.run(simd, 3),
            n => self.run(simd, n),
        }
    }
}

impl Plaquettes<'_> {
    #[inline(always)]
    fn run<S: Simd>(self, simd: S, n: usize) {
        let Self { sites, a, b, c, d, out, .. } = self;
        for x in (0..sites).step_by(S::F64_LANES) {
            let mut trace = simd.splat_f64s(0.0);
            for i in 0..n {
                for j in 0..n {
                    let [p_re, p_im] = product(simd, n, &a, i, &b, j, x);
                    let [q_re, q_im] = product(simd, n, &d, i, &c, j, x);
                    let re = simd.add_f64s(simd.mul_f64s(p_re, q_re), simd.mul_f64s(p_im, q_im));
                    trace = simd.add_f64s(trace, re);
                }
            }
            store::<S>(out, x, trace);
        }
    }
}

/// Element (i, j) of the product of two matrices.
#[inline(always)]
fn product<S: Simd>(
    simd: S,
    n: usize,
    left: &Matrices<'_>,
    i: usize,
    right: &Matrices<'_>,
    j: usize,
    x: usize,
) -> [S::f64s; 2] {
    let mut sum = [simd.splat_f64s(0.0); 2];
    for k in 0..n {
        let [l_re, l_im] = left.element::<S>(i * n + k, x);
        let [r_re, r_im] = right.element::<S>(k * n + j, x);
        let re = simd.sub_f64s(simd.mul_f64s(l_re, r_re), simd.mul_f64s(l_im, r_im));
        let im = simd.add_f64s(simd.mul_f64s(l_re, r_im), simd.mul_f64s(l_im, r_re));
        sum = [simd.add_f64s(sum[0], re), simd.add_f64s(sum[1], im)];
    }
    sum
}

/// Re tr U, and the square of the largest element of |U U† - 1|, for each site of a row.
#[derive(Debug)]
pub struct Unitarity<'r> {
    pub colors: usize,
    pub sites: usize,
    pub links: Matrices<'r>,
    /// As many as sites, and the padding.
    pub trace: &'r mut [f64],
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
        let Self { sites, links, trace, deviation, .. } = self;
        let (zero, one) = (simd.splat_f64s(0.0), simd.splat_f64s(1.0));
        for x in (0..sites).step_by(S::F64_LANES) {
            let (mut re_trace, mut largest, mut sum) = (zero, zero, zero);
            for i in 0..n {
                re_trace = simd.add_f64s(re_trace, links.load::<S>(2 * (i * n + i), x));
                // U U† is Hermitian: the diagonal and the upper triangle are all of it.
                for j in i..n {
                    let [re, im] = row_product(simd, n, &links, i, j, x);
                    let re = if i == j { simd.sub_f64s(re, one) } else { re };
                    let square = simd.add_f64s(simd.mul_f64s(re, re), simd.mul_f64s(im, im));
                    largest = simd.max_f64s(largest, square);
                    sum = simd.add_f64s(sum, square);
                }
            }
            // The maximum may lose what is not a number; the sum cannot. This adds 0 or NaN.
            let spoilt = simd.sub_f64s(sum, sum);
            store::<S>(trace, x, re_trace);
            store::<S>(deviation, x, simd.add_f64s(largest, spoilt));
        }
    }
}

/// Row `i` times the conjugate of row `j`: an element of U U†.
#[inline(always)]
fn row_product<S: Simd>(simd: S, n: usize, u: &Matrices<'_>, i: usize, j: usize, x: usize) -> [S::f64s; 2] {
    let mut sum = [simd.splat_f64s(0.0); 2];
    for k in 0..n {
        let [a_re, a_im] = u.element::<S>(i * n + k, x);
        let [b_re, b_im] = u.element::<S>(j * n + k, x);
        let re = simd.add_f64s(simd.mul_f64s(a_re, b_re), simd.mul_f64s(a_im, b_im));
        let im = simd.sub_f64s(simd.mul_f64s(a_im, b_re), simd.mul_f64s(a_re, b_im));
        sum = [simd.add_f64s(sum[0], re), simd.add_f64s(sum[1], im)];
    }
    sum
}

#[inline(always)]
fn store<S: Simd>(out: &mut [f64], x: usize, value: S::f64s) {
    const { assert!(S::F64_LANES <= PADDING, "a vector must not be longer than the padding of a row") };
    S::as_mut_simd_f64s(&mut out[x..x + S::F64_LANES]).0[0] = value;
}
