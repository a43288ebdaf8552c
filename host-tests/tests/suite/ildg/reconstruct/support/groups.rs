//! Random elements of the groups, computed by Gram-Schmidt in `f64`, and checks of group membership.

use num::{Complex, One, Zero};

use super::{Noise, Rows};

pub type C = Complex<f64>;

/// Orthonormal rows. If `symplectic`, the partner `J v*` of each row is orthogonal to all others as well, so that they
/// are the first rows of an Sp(2N) matrix: in quaternions, one row (A, B) of it.
pub fn rows(noise: &mut Noise, rows: usize, columns: usize, real: bool, symplectic: bool) -> Rows<C> {
    let mut done: Vec<Vec<C>> = Vec::new();
    for _ in 0..rows {
        let mut row: Vec<C> =
            (0..columns).map(|_| Complex::new(noise.unit(), if real { 0.0 } else { noise.unit() })).collect();
        // Two passes give all digits.
        for _ in 0..2 {
            for other in &done {
                remove(&mut row, other);
                if symplectic {
                    remove(&mut row, &partner(other));
                }
            }
            let norm = product(&row, &row).re.sqrt();
            for element in &mut row {
                *element /= norm;
            }
        }
        done.push(row);
    }
    done
}

/// The partner (-B*, A*) of a row (A, B).
fn partner(row: &[C]) -> Vec<C> {
    let (a, b) = row.split_at(row.len() / 2);
    b.iter().map(|b| -b.conj()).chain(a.iter().map(C::conj)).collect()
}

fn remove(row: &mut [C], other: &[C]) {
    let part = product(other, row);
    for (element, other) in row.iter_mut().zip(other) {
        *element -= part * other;
    }
}

/// The sum of conj(a) b.
pub fn product(a: &[C], b: &[C]) -> C {
    a.iter().zip(b).map(|(a, b)| a.conj() * b).sum()
}

/// Largest modulus of an element of U U^dagger - 1.
pub fn unitarity(rows: &[Vec<C>]) -> f64 {
    let mut largest = 0.0_f64;
    for (n, a) in rows.iter().enumerate() {
        for (m, b) in rows.iter().enumerate() {
            let expected = if n == m { C::one() } else { C::zero() };
            largest = largest.max((product(a, b) - expected).norm());
        }
    }
    largest
}

/// Largest modulus of an element of U^T J U - J, where J = (0, 1; -1, 0).
pub fn symplecticity(rows: &[Vec<C>]) -> f64 {
    let half = rows.len() / 2;
    let mut largest = 0.0_f64;
    for n in 0..rows.len() {
        for m in 0..rows.len() {
            let sum: C =
                (0..half).map(|i| rows[i][n] * rows[i + half][m] - rows[i + half][n] * rows[i][m]).sum();
            let expected = f64::from(i8::from(m == n + half) - i8::from(n == m + half));
            largest = largest.max((sum - expected).norm());
        }
    }
    largest
}

/// The determinant, by Gaussian elimination with the largest pivot of each column.
pub fn determinant(mut rows: Rows<C>) -> C {
    let mut determinant = C::one();
    while !rows.is_empty() {
        let size = |row: &Vec<C>| row[0].norm_sqr();
        let best = (0..rows.len()).max_by(|a, b| size(&rows[*a]).total_cmp(&size(&rows[*b]))).expect("some");
        if best != 0 {
            rows.swap(0, best);
            determinant = -determinant;
        }
        let first = rows.remove(0);
        determinant *= first[0];
        for row in &mut rows {
            let factor = row.remove(0) / first[0];
            for (element, above) in row.iter_mut().zip(&first[1..]) {
                *element -= factor * above;
            }
        }
    }
    determinant
}
