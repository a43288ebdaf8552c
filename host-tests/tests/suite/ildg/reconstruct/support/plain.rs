//! Equation 3 of ILDG 1.2, appendix A.2, implemented literally: for each element, the sum over all strings of N-1
//! indices. Strings with a repeated index are left out, because their terms are all zero.

use super::{Element, Number};

/// The last row, computed from the others.
pub fn last_row<E: Element>(rows: &[Vec<E>]) -> Vec<E::Part> {
    let colors = rows.len() + 1;
    let element = |k| {
        let mut sum = None;
        strings(&mut Vec::new(), colors, &mut |string| add(&mut sum, rows, string, k));
        sum.map(E::parts).unwrap_or_default().into_iter().map(positive_zero)
    };
    (0..colors).flat_map(element).collect()
}

/// All strings of N-1 indices in lexicographic order, without repeated indices.
fn strings(begin: &mut Vec<usize>, colors: usize, each: &mut impl FnMut(&[usize])) {
    if begin.len() == colors - 1 {
        return each(begin);
    }
    for index in 0..colors {
        if begin.contains(&index) {
            continue;
        }
        begin.push(index);
        strings(begin, colors, each);
        begin.pop();
    }
}

/// Adds the term of one string to the sum of those before it.
fn add<E: Element>(sum: &mut Option<E>, rows: &[Vec<E>], string: &[usize], k: usize) {
    let epsilon = levi_civita(&[string, &[k]].concat());
    if epsilon == 0 {
        return;
    }
    let mut factors = rows.iter().zip(string).map(|(row, index)| row[*index]);
    let first = factors.next().expect("at least one row");
    let product = factors.fold(first, E::times).conjugate();
    let term = if epsilon > 0 { product } else { product.opposite() };
    *sum = Some(sum.map_or(term, |sum| sum.plus(term)));
}

/// The Levi-Civita symbol: the product of the signs of all differences.
fn levi_civita(indices: &[usize]) -> i64 {
    let mut sign = 1;
    for (place, index) in indices.iter().enumerate() {
        for before in &indices[..place] {
            sign *= (*index as i64 - *before as i64).signum();
        }
    }
    sign
}

/// "Results which are numerically zero are forced to be represented as +0".
pub fn positive_zero<T: Number>(number: T) -> T {
    if number.is_zero() { T::zero() } else { number }
}
