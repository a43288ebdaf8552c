//! The arithmetic on links: several sites along x at once.
//!
//! A matrix is given by the numbers of its row of sites: the real part of element (0, 0) of every site, then the imaginary
//! part of every site, and so on. Every site has the same operations in the same order: the results do not depend on how
//! many sites are taken at once. Multiplications and additions are one operation where the machine has it, so the last
//! digits can differ between kinds of machines.

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
        let Self { sites, a, b, c, d, out, .. } = self;
        for x in (0..sites).step_by(S::F64_LANES) {
            let mut trace = simd.splat_f64s(0.0);
            for i in 0..N {
                let p = row::<S, N>(simd, &a, i, &b, x);
                let q = row::<S, N>(simd, &d, i, &c, x);
                for (p, q) in p.into_iter().zip(q) {
                    trace = add_re(simd, trace, p, q);
                }
            }
            store::<S>(out, x, trace);
        }
    }

    /// Element by element, in the same order.
    #[inline(always)]
    fn large<S: Simd>(self, simd: S) {
        let Self { colors, sites, a, b, c, d, out } = self;
        for x in (0..sites).step_by(S::F64_LANES) {
            let mut trace = simd.splat_f64s(0.0);
            for i in 0..colors {
                for j in 0..colors {
                    let element = |left: &Matrices<'_>, right: &Matrices<'_>| {
                        let sum = (0..colors).fold(Sum::zero(simd), |sum, k| {
                            let left = left.element::<S>(i * colors + k, x);
                            sum.add_product(simd, left, right.element::<S>(k * colors + j, x))
                        });
                        sum.value(simd)
                    };
                    trace = add_re(simd, trace, element(&a, &b), element(&d, &c));
                }
            }
            store::<S>(out, x, trace);
        }
    }
}

/// Row `i` of the product of two matrices.
#[inline(always)]
fn row<S: Simd, const N: usize>(
    simd: S,
    left: &Matrices<'_>,
    i: usize,
    right: &Matrices<'_>,
    x: usize,
) -> [[S::f64s; 2]; N] {
    let mut sums = [Sum::zero(simd); N];
    for k in 0..N {
        let left = left.element::<S>(i * N + k, x);
        for (j, sum) in sums.iter_mut().enumerate() {
            *sum = sum.add_product(simd, left, right.element::<S>(k * N + j, x));
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
    let zero = simd.splat_f64s(0.0);
    let [mut re, mut plus, mut minus] = [zero; 3];
    for k in 0..n {
        let [a_re, a_im] = u.element::<S>(i * n + k, x);
        let [b_re, b_im] = u.element::<S>(j * n + k, x);
        re = simd.mul_add_e_f64s(a_im, b_im, simd.mul_add_e_f64s(a_re, b_re, re));
        plus = simd.mul_add_e_f64s(a_im, b_re, plus);
        minus = simd.mul_add_e_f64s(a_re, b_im, minus);
    }
    [re, simd.sub_f64s(plus, minus)]
}

#[inline(always)]
fn store<S: Simd>(out: &mut [f64], x: usize, value: S::f64s) {
    const { assert!(S::F64_LANES <= PADDING, "a vector must not be longer than the padding of a row") };
    S::as_mut_simd_f64s(&mut out[x..x + S::F64_LANES]).0[0] = value;
}
