//! Exact last rows by another method: each element is the conjugate of a cofactor, and the determinant is computed by
//! fraction-free elimination (Bareiss) in complex integers.

use num::{BigInt, BigRational, Complex, One, Signed, ToPrimitive, Zero};

use super::{Element, Number};

type Whole = Complex<BigInt>;

/// A matrix of integers divided by 2^`scale`.
pub struct Scaled {
    rows: Vec<Vec<Whole>>,
    scale: u32,
}

impl Scaled {
    /// A matrix whose parts are integral multiples of 2^-`scale`.
    pub fn new<E: Element>(rows: &[Vec<E>], scale: u32) -> Self {
        let part = |number: E::Part| {
            let scaled = number.into() * 2f64.powi(scale as i32);
            assert!(
                scaled.fract() == 0.0 && scaled.abs() < 2f64.powi(62),
                "{number:?} is not such a multiple"
            );
            BigInt::from(scaled as i64)
        };
        let whole = |element: &E| {
            let Complex { re, im } = element.complex();
            Complex::new(part(re), part(im))
        };
        Self { rows: rows.iter().map(|row| row.iter().map(whole).collect()).collect(), scale }
    }

    /// Element `k` of the last row.
    pub fn last(&self, k: usize) -> Complex<BigRational> {
        let mut minor = self.rows.clone();
        for row in &mut minor {
            row.remove(k);
        }
        let determinant = determinant(minor).conj();
        let negative = (self.rows.len() + k) % 2 == 1;
        let scaled = if negative { -determinant } else { determinant };
        let unit = BigInt::one() << (self.scale as usize * self.rows.len());
        Complex::new(BigRational::new(scaled.re, unit.clone()), BigRational::new(scaled.im, unit))
    }
}

fn determinant(mut rows: Vec<Vec<Whole>>) -> Whole {
    let mut pivot_before: Whole = Complex::one();
    let mut negative = false;
    while rows.len() > 1 {
        let Some(with_pivot) = rows.iter().position(|row| !row[0].is_zero()) else { return Complex::zero() };
        negative ^= with_pivot != 0;
        rows.swap(0, with_pivot);
        let first = rows.remove(0);
        for row in &mut rows {
            let head = row.remove(0);
            for (element, above) in row.iter_mut().zip(&first[1..]) {
                // The division by Bareiss's algorithm has no remainder.
                *element = (&*element * &first[0] - &head * above) / &pivot_before;
            }
        }
        pivot_before = first[0].clone();
    }
    let determinant = rows.remove(0).remove(0);
    if negative { -determinant } else { determinant }
}

/// The distance of a number from the exact one.
pub fn error<T: Number>(number: T, exact: &BigRational) -> f64 {
    let number = BigRational::from_float(number.into()).unwrap_or_else(|| panic!("{number:?} is not finite"));
    (number - exact).abs().to_f64().expect("a number")
}

/// The permanent of |re| + |im| of the elements in the minor without column `k`. It is an upper bound for any signed
/// sum of products of the parts. Computed by sets of columns, from the first row on.
pub fn permanent<E: Element>(rows: &[Vec<E>], k: usize) -> f64 {
    let columns = rows.len() + 1;
    let mut of_set = vec![0.0; 1 << columns];
    of_set[0] = 1.0;
    for set in 1_usize..1 << columns {
        let Some(row) = rows.get(set.count_ones() as usize - 1) else { continue };
        let inside = (0..columns).filter(|column| set >> column & 1 == 1);
        let size = |column: usize| row[column].parts().into_iter().map(|x| x.into().abs()).sum::<f64>();
        of_set[set] = inside.map(|column| size(column) * of_set[set ^ (1 << column)]).sum();
    }
    of_set[((1 << columns) - 1) ^ (1 << k)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn determinants_worked_by_hand() {
        let whole = |rows: &[&[(i64, i64)]]| {
            let element = |&(re, im): &(i64, i64)| Complex::new(BigInt::from(re), BigInt::from(im));
            determinant(rows.iter().map(|row| row.iter().map(element).collect()).collect())
        };
        let is = |re: i64, im: i64| Complex::new(BigInt::from(re), BigInt::from(im));
        // i i - 2 (1 + i) = -1 - 2 - 2 i
        assert_eq!(whole(&[&[(0, 1), (2, 0)], &[(1, 1), (0, 1)]]), is(-3, -2));
        // diag(2, 3, 5 i) with the first two rows swapped, so that a pivot is zero.
        let swapped: &[&[_]] =
            &[&[(0, 0), (3, 0), (0, 0)], &[(2, 0), (0, 0), (0, 0)], &[(0, 0), (0, 0), (0, 5)]];
        assert_eq!(whole(swapped), is(0, -30));
        assert_eq!(whole(&[&[(0, 0), (1, 0)], &[(0, 0), (1, 0)]]), is(0, 0));
    }

    #[test]
    fn permanent_worked_by_hand() {
        // Without column 0: 2 * 6 + 3 * 5; without column 1: 1 * 6 + 3 * 4; without column 2: 1 * 5 + 2 * 4.
        let rows = [vec![1.0, -2.0, 3.0], vec![4.0, 5.0, -6.0]];
        assert_eq!([0, 1, 2].map(|k| permanent(&rows, k)), [27.0, 18.0, 13.0]);
    }
}
