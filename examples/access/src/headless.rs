//! Gauge fields of SU(3) in files without a header: numbers whose first rows are orthonormal.

use linkstream::lattice::{ByteOrder, Precision};

/// Count of numbers in a link.
const NUMBERS: usize = 18;
/// Number of links that are examined.
const LINKS: usize = 2;
/// Number of links at a site.
const DIRECTIONS: u64 = 4;

/// The numbers of a file that begins with the links of a gauge field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Headless {
    /// Numbers in this precision and byte order.
    Binary(Precision, ByteOrder),
    /// A number, or the two parts of one, in each line.
    Text,
}

/// The form of the numbers, from the first bytes of a file and its size. Rows of matrices that are orthonormal are no
/// coincidence.
pub fn headless(first: &[u8], size: Option<u64>) -> Option<Headless> {
    if is_text(first) {
        return Some(Headless::Text);
    }
    let size = size.filter(|size| *size > 0)?;
    let forms = [Precision::F64, Precision::F32]
        .into_iter()
        .flat_map(|precision| [ByteOrder::Big, ByteOrder::Little].map(|order| (precision, order)));
    forms
        .filter(|(precision, _)| {
            let site = DIRECTIONS.saturating_mul(NUMBERS.saturating_mul(precision.size()) as u64);
            size.is_multiple_of(site)
        })
        .find(|(precision, order)| {
            let word = precision.size();
            let words = first.chunks_exact(word).take(NUMBERS * LINKS);
            let numbers: Vec<f64> = words.filter_map(|bytes| number(bytes, *precision, *order)).collect();
            are_unitary(&numbers, 1e-5)
        })
        .map(|(precision, order)| Headless::Binary(precision, order))
}

fn number(bytes: &[u8], precision: Precision, order: ByteOrder) -> Option<f64> {
    let mut word = bytes.to_vec();
    if order == ByteOrder::Little {
        word.reverse();
    }
    precision.read(&word, 0)
}

/// True if these are all numbers of some links, and each of them is unitary.
fn are_unitary(numbers: &[f64], tolerance: f64) -> bool {
    numbers.len() == NUMBERS * LINKS
        && numbers.as_chunks::<NUMBERS>().0.iter().all(|link| is_unitary(link, tolerance))
}

fn is_unitary(link: &[f64; NUMBERS], tolerance: f64) -> bool {
    let (complex, _) = link.as_chunks::<2>();
    let rows: Vec<_> = complex.chunks_exact(3).collect();
    let product = |one: &[[f64; 2]], other: &[[f64; 2]]| {
        one.iter()
            .zip(other)
            .fold((0.0, 0.0), |(re, im), ([a, b], [c, d])| (re + a * c + b * d, im + a * d - b * c))
    };
    rows.iter().enumerate().all(|(i, one)| {
        rows.iter().skip(i).enumerate().all(|(distance, other)| {
            let (re, im) = product(one, other);
            let expected = if distance == 0 { 1.0 } else { 0.0 };
            // The comparison with NaN must fail.
            (re - expected).abs() < tolerance && im.abs() < tolerance
        })
    })
}

/// True for a text that begins with the numbers of a link, separated by white space.
fn is_text(first: &[u8]) -> bool {
    let text = String::from_utf8_lossy(first);
    let numbers = text.split_ascii_whitespace().map_while(|word| word.parse().ok());
    let numbers: Vec<f64> = numbers.take(NUMBERS * LINKS).collect();
    // The last number can be cut, and a table of numbers in a text has few digits.
    are_unitary(&numbers, 1e-4)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of two links that are not diagonal.
    fn links() -> Vec<f64> {
        let (c, s) = (0.6, 0.8);
        let one = [
            c, 0.0, 0.0, s, 0.0, 0.0, //
            0.0, s, c, 0.0, 0.0, 0.0, //
            0.0, 0.0, 0.0, 0.0, 1.0, 0.0,
        ];
        [one, one].concat()
    }

    #[test]
    fn links_without_a_header_are_recognised_in_each_form() {
        let links = links();
        let rest = vec![0; 576];
        let doubles: Vec<u8> =
            links.iter().flat_map(|number| number.to_be_bytes()).chain(rest.clone()).collect();
        let singles: Vec<u8> =
            links.iter().flat_map(|number| (*number as f32).to_le_bytes()).chain(rest).collect();
        let binary = |precision, order| Some(Headless::Binary(precision, order));
        assert_eq!(headless(&doubles, Some(5760)), binary(Precision::F64, ByteOrder::Big));
        assert_eq!(headless(&singles, Some(2880)), binary(Precision::F32, ByteOrder::Little));
        // The size is not the one of whole sites, or not known.
        assert_eq!([headless(&doubles, Some(5761)), headless(&doubles, None)], [None, None]);
        assert_eq!(headless(&doubles[8..], Some(5760)), None);
        for separator in ["\n", " ", "\r\n"] {
            let words: Vec<_> = links.iter().map(|number| format!("{number:.8e}")).collect();
            assert_eq!(headless(words.join(separator).as_bytes(), None), Some(Headless::Text));
        }
        for other in
            [&b"1 2 3 4 5 6"[..], &[0; 600], &[0xff; 600], b"", &b"0 ".repeat(100), &b"1 ".repeat(100)]
        {
            assert_eq!(headless(other, Some(576)), None);
        }
    }
}
