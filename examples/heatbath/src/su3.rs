//! Complex 3×3 matrices, with the operations that the heat bath needs.
//!
//! Only `+ - * /` and `f64::sqrt` are used, in a fixed order and never fused. IEEE 754 defines the result of each, so
//! every platform computes the same bits.

/// A complex number as it is stored in files: real part, imaginary part.
pub type Complex = [f64; 2];

/// One row of a link matrix.
pub type Row = [Complex; 3];

/// A complex 3×3 matrix, indexed by row, column and `[re, im]`. It need not be in SU(3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrix(pub [Row; 3]);

impl Matrix {
    pub const ZERO: Self = Self([[[0.0; 2]; 3]; 3]);

    pub const fn identity() -> Self {
        let (one, zero) = ([1.0, 0.0], [0.0, 0.0]);
        Self([[one, zero, zero], [zero, one, zero], [zero, zero, one]])
    }

    /// `self · other`.
    #[inline]
    pub fn mul(&self, other: &Self) -> Self {
        let mut product = Self::ZERO;
        for (row, out) in self.0.iter().zip(&mut product.0) {
            for (&[re, im], other_row) in row.iter().zip(&other.0) {
                for (sum, factor) in out.iter_mut().zip(other_row) {
                    sum[0] += re * factor[0] - im * factor[1];
                    sum[1] += re * factor[1] + im * factor[0];
                }
            }
        }
        product
    }

    /// `self · other†`.
    #[inline]
    pub fn mul_dagger(&self, other: &Self) -> Self {
        self.mul(&other.dagger())
    }

    #[inline]
    pub fn dagger(&self) -> Self {
        let mut dagger = Self::ZERO;
        for (i, row) in self.0.iter().enumerate() {
            for (j, &[re, im]) in row.iter().enumerate() {
                dagger.0[j][i] = [re, -im];
            }
        }
        dagger
    }

    pub fn add(&self, other: &Self) -> Self {
        let mut sum = *self;
        for (a, b) in sum.0.as_flattened_mut().iter_mut().zip(other.0.as_flattened()) {
            *a = [a[0] + b[0], a[1] + b[1]];
        }
        sum
    }

    /// All 18 components, row by row.
    #[inline]
    pub fn components(&self) -> &[f64] {
        self.0.as_flattened().as_flattened()
    }

    /// All 18 components, to be set.
    #[inline]
    pub fn components_mut(&mut self) -> &mut [f64] {
        self.0.as_flattened_mut().as_flattened_mut()
    }

    /// A nearby SU(3) matrix: the first two rows are orthonormalised (Gram-Schmidt), and the third row is computed from
    /// them.
    pub fn reunitarise(&self) -> Self {
        let [a, b, _] = &self.0;
        let a = normalised(a);
        let [re, im] = row_product(b, &a);
        let mut orthogonal = *b;
        for (element, [a_re, a_im]) in orthogonal.iter_mut().zip(a) {
            element[0] -= re * a_re - im * a_im;
            element[1] -= re * a_im + im * a_re;
        }
        let b = normalised(&orthogonal);
        Self([a, b, third_row_from_two(&a, &b)])
    }
}

/// `conj(a × b)`, the third row of the SU(3) matrix with the rows `a` and `b`. Some files do not store it.
#[inline]
pub fn third_row_from_two(a: &Row, b: &Row) -> Row {
    let minor = |j: usize, k: usize| {
        let ([ajr, aji], [akr, aki], [bjr, bji], [bkr, bki]) = (a[j], a[k], b[j], b[k]);
        let re = (ajr * bkr - aji * bki) - (akr * bjr - aki * bji);
        let im = (ajr * bki + aji * bkr) - (akr * bji + aki * bjr);
        [re, -im]
    };
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}

/// Σ aᵢ conj(bᵢ), an element of `A B†`.
#[inline]
fn row_product(a: &Row, b: &Row) -> Complex {
    let mut sum = [0.0; 2];
    for (&[ar, ai], &[br, bi]) in a.iter().zip(b) {
        sum[0] += ar * br + ai * bi;
        sum[1] += ai * br - ar * bi;
    }
    sum
}

fn normalised(row: &Row) -> Row {
    let norm = row_product(row, row)[0].sqrt();
    row.map(|[re, im]| [re / norm, im / norm])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An arbitrary matrix, far from unitary. Its elements are small integers, so that products are exact.
    fn arbitrary(shift: i32) -> Matrix {
        let mut matrix = Matrix::ZERO;
        for (i, element) in (0..).zip(matrix.0.as_flattened_mut()) {
            *element = [f64::from((i * 5 + shift) % 7 - 3), f64::from((i * 3 + 2 * shift) % 5 - 1)];
        }
        matrix
    }

    #[test]
    fn product_of_known_matrices() {
        let i_times = |m: &Matrix| Matrix(m.0.map(|row| row.map(|[re, im]| [-im, re])));
        let (a, b, c) = (arbitrary(1), arbitrary(2), arbitrary(4));
        assert_eq!(a.mul(&Matrix::identity()), a);
        assert_eq!(i_times(&a).mul(&b), i_times(&a.mul(&b)));
        assert_eq!(a.mul(&b).mul(&c), a.mul(&b.mul(&c)));
        assert_eq!(a.mul(&b.add(&c)), a.mul(&b).add(&a.mul(&c)));
        // Row 0 of a times column 0 of b by hand.
        assert_eq!(a.0[0], [[-2.0, 1.0], [3.0, -1.0], [1.0, 2.0]]);
        assert_eq!([b.0[0][0], b.0[1][0], b.0[2][0]], [[-1.0, 3.0], [0.0, 2.0], [1.0, 1.0]]);
        assert_eq!(a.mul(&b).0[0][0], [0.0, 2.0]);
    }

    #[test]
    fn daggers_agree_with_the_product() {
        let (a, b) = (arbitrary(1), arbitrary(3));
        assert_eq!(a.mul(&b).dagger(), b.dagger().mul(&a.dagger()));
        assert_eq!(a.mul_dagger(&b), a.mul(&b.dagger()));
    }

    #[test]
    fn reunitarised_matrices_are_special_unitary() {
        let u = arbitrary(1).reunitarise();
        let product = u.mul_dagger(&u);
        for (a, b) in product.components().iter().zip(Matrix::identity().components()) {
            assert!((a - b).abs() < 1e-15);
        }
        let det = row_product(&u.0[2], &third_row_from_two(&u.0[0], &u.0[1]));
        assert!((det[0] - 1.0).abs() < 1e-15 && det[1].abs() < 1e-15);
        assert_eq!(Matrix::identity().reunitarise(), Matrix::identity());
    }
}
