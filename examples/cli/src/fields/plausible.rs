//! Plausibility of raw numbers: finite, and unitary if they are links. If they cannot, but
//! could in the other byte order, the message says so.

use linkstream::ildg::{Format, Group};
use linkstream::lattice::{Precision, reverse_words};
use linkstream_report::figures::FAR;

/// Number of links that are examined in the other byte order, too.
const LINKS: u64 = 4096;
/// No number of a field is larger. A third of all numbers are, if their byte order is confused.
const HUGE: [f64; 2] = [1e30, 1e100];
/// Numbers of fields are usually smaller.
const USUAL: f64 = 1e15;

/// The matrix of a link.
#[derive(Debug, Clone, Copy)]
struct Matrix {
    rows: usize,
    columns: usize,
    /// Number of real numbers in an entry.
    parts: usize,
    /// A link with all bits set is absent; otherwise, one with all bits clear (ILDG 1.2, section 2.5.1).
    absent_is_ones: bool,
}

/// Properties of the numbers in one byte order.
#[derive(Debug, Default)]
struct Seen {
    not_finite: u64,
    largest: f64,
    /// Number of denormal numbers: they are so near to zero that they have lost digits. Most of the numbers with few
    /// digits become such ones if their byte order is confused.
    denormal: u64,
    /// The largest deviation of the rows of a link from being orthonormal.
    deviation: f64,
}

/// Examines numbers while they are written.
#[derive(Debug)]
pub struct Plausibility {
    precision: Precision,
    /// `None` if the numbers are not links of matrices.
    matrix: Option<Matrix>,
    absent_is_ones: bool,
    /// The first bytes of a link that is incomplete so far.
    begun: Vec<u8>,
    links: u64,
    seen: Seen,
    reversed: Seen,
}

impl Plausibility {
    /// For numbers that are not links.
    pub fn of_numbers(precision: Precision) -> Self {
        let (seen, reversed) = (Seen::default(), Seen::default());
        let begun = Vec::new();
        Self { precision, matrix: None, absent_is_ones: false, begun, links: 0, seen, reversed }
    }

    /// For the links that an `ildg-format` describes.
    pub fn of_links(format: &Format) -> Self {
        let kind = format.kind();
        let is_phase = kind.group() == Group::U1Phase;
        let matrix = Matrix {
            rows: format.rows().into(),
            columns: kind.colors().into(),
            parts: if kind.is_real() { 1 } else { 2 },
            absent_is_ones: is_phase,
        };
        let numbers = Self::of_numbers(format.precision());
        Self { matrix: Some(matrix).filter(|_| !is_phase), absent_is_ones: is_phase, ..numbers }
    }

    /// Takes the next numbers, big-endian. Pieces consist of whole numbers, but may end inside of a link.
    pub fn feed(&mut self, bytes: &[u8]) {
        for word in bytes.chunks_exact(self.precision.size()) {
            if self.absent_is_ones && word.iter().all(|byte| *byte == 0xff) {
                continue;
            }
            let mut other = [0; 8];
            let other = &mut other[..word.len()];
            other.copy_from_slice(word);
            reverse_words(other, word.len());
            self.seen.number(self.precision, word);
            self.reversed.number(self.precision, other);
        }
        let Some(matrix) = self.matrix else { return };
        let size = matrix.rows * matrix.columns * matrix.parts * self.precision.size();
        let mut rest = bytes;
        if !self.begun.is_empty() {
            let (piece, others) = rest.split_at((size - self.begun.len()).min(rest.len()));
            self.begun.extend_from_slice(piece);
            rest = others;
            if self.begun.len() == size {
                let whole = std::mem::take(&mut self.begun);
                self.link(&matrix, &whole);
            }
        }
        let links = rest.chunks_exact(size);
        self.begun.extend_from_slice(links.remainder());
        links.for_each(|link| self.link(&matrix, link));
    }

    fn link(&mut self, matrix: &Matrix, link: &[u8]) {
        let absent = if matrix.absent_is_ones { 0xff } else { 0 };
        self.links += 1;
        if link.iter().all(|byte| *byte == absent) {
            return;
        }
        self.seen.link(matrix, self.precision, link);
        if self.links <= LINKS {
            let mut other = link.to_vec();
            reverse_words(&mut other, self.precision.size());
            self.reversed.link(matrix, self.precision, &other);
        }
    }

    /// Why the numbers cannot be right; `None` if they can. `order` is the advice if they would be in the other byte
    /// order.
    pub fn fault(&self, order: &str) -> Option<String> {
        let fault = self.seen.fault(self.precision, self.matrix.is_some())?;
        let reversed = &self.reversed;
        let is_confused = reversed.not_finite == 0
            && if self.matrix.is_some() {
                reversed.deviation <= FAR
            } else {
                reversed.largest < USUAL && reversed.denormal == 0
            };
        if is_confused {
            let are = if self.matrix.is_some() { "the links are unitary" } else { "they are plausible" };
            return Some(format!("{fault}; in the other byte order {are}: {order}"));
        }
        // Large numbers and denormal ones alone are no fault if the other order is no better.
        let is_certain = self.seen.not_finite > 0 || self.matrix.is_some();
        is_certain.then(|| format!("{fault}; --any-numbers accepts them"))
    }
}

impl Seen {
    fn number(&mut self, precision: Precision, word: &[u8]) {
        let smallest = match precision {
            Precision::F32 => f32::MIN_POSITIVE.into(),
            Precision::F64 => f64::MIN_POSITIVE,
        };
        match precision.read(word, 0).map(f64::abs).filter(|size| size.is_finite()) {
            Some(size) => {
                self.largest = self.largest.max(size);
                self.denormal += u64::from(size > 0.0 && size < smallest);
            }
            None => self.not_finite += 1,
        }
    }

    fn link(&mut self, matrix: &Matrix, precision: Precision, link: &[u8]) {
        let entry = |row: usize, column: usize| {
            let index = (row * matrix.columns + column) * matrix.parts;
            let number = |index| precision.read(link, index).unwrap_or(f64::NAN);
            (number(index), if matrix.parts == 2 { number(index + 1) } else { 0.0 })
        };
        for row in 0..matrix.rows {
            for other in row..matrix.rows {
                let (mut re, mut im) = (if row == other { -1.0 } else { 0.0 }, 0.0);
                for column in 0..matrix.columns {
                    let ((a, b), (c, d)) = (entry(row, column), entry(other, column));
                    re += a * c + b * d;
                    im += a * d - b * c;
                }
                let deviation = re.abs().max(im.abs());
                // A NaN must count as a deviation.
                let deviation = if deviation.is_nan() { f64::INFINITY } else { deviation };
                self.deviation = self.deviation.max(deviation);
            }
        }
    }

    fn fault(&self, precision: Precision, are_links: bool) -> Option<String> {
        let huge = match precision {
            Precision::F32 => HUGE[0],
            Precision::F64 => HUGE[1],
        };
        match self.not_finite {
            0 if are_links && self.deviation > FAR => Some(format!(
                "links are not unitary: the largest deviation is {:.3e}, above {FAR:.1e}",
                self.deviation
            )),
            0 if !are_links && self.largest > huge => {
                Some(format!("the largest number is {:.3e}", self.largest))
            }
            0 if !are_links && self.denormal > 0 => Some(match self.denormal {
                1 => "1 number is denormal, nearly zero".to_owned(),
                many => format!("{many} numbers are denormal, nearly zero"),
            }),
            0 => None,
            1 => Some("1 number is infinite or NaN".to_owned()),
            many => Some(format!("{many} numbers are infinite or NaN")),
        }
    }
}

#[cfg(test)]
mod tests {
    use linkstream::ildg::GaugeKind;

    use super::*;

    fn swapped(bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        reverse_words(&mut bytes, 8);
        bytes
    }

    fn of_links(bytes: &[u8], piece: usize) -> Option<String> {
        let format = Format::new(GaugeKind::SU3, Precision::F64, [1, 1, 1, 2]);
        let mut plausibility = Plausibility::of_links(&format);
        bytes.chunks(piece).for_each(|piece| plausibility.feed(piece));
        plausibility.fault("advice")
    }

    #[test]
    fn links_in_the_wrong_byte_order_are_recognised() {
        let (c, s) = (0.6_f64, 0.8_f64);
        let rows = [[c, 0.0, s, 0.0, 0.0, 0.0], [-s, 0.0, c, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]];
        let link: Vec<u8> = rows.iter().flatten().flat_map(|number| number.to_be_bytes()).collect();
        let absent = [link.clone(), vec![0; 144]].concat();
        for piece in [8, 40, 144, 288] {
            assert_eq!(of_links(&absent, piece), None);
            let said = of_links(&swapped(&absent), piece).expect("a fault");
            assert!(said.ends_with("in the other byte order the links are unitary: advice"), "{said}");
            let said = of_links(&[&link[..136], &2.0_f64.to_be_bytes()].concat(), piece).expect("a fault");
            assert!(
                said.starts_with("links are not unitary") && said.ends_with("--any-numbers accepts them")
            );
        }
    }

    #[test]
    fn numbers_in_the_wrong_byte_order_are_recognised() {
        let fault = |bytes: &[u8]| {
            let mut plausibility = Plausibility::of_numbers(Precision::F64);
            plausibility.feed(bytes);
            plausibility.fault("advice")
        };
        let numbers: Vec<u8> = (1..500).flat_map(|n| (f64::from(n) / 7.0).to_be_bytes()).collect();
        assert_eq!(fault(&numbers), None);
        let said = fault(&swapped(&numbers)).expect("a fault");
        assert!(said.ends_with("in the other byte order they are plausible: advice"), "{said}");
        let nan = [numbers, f64::NAN.to_be_bytes().to_vec()].concat();
        assert_eq!(fault(&nan).as_deref(), Some("1 number is infinite or NaN; --any-numbers accepts them"));
        assert_eq!(fault(&1e200_f64.to_be_bytes()), None);
    }

    #[test]
    fn denormal_numbers_are_as_implausible_as_infinite_ones() {
        let fault = |precision, bytes: &[u8]| {
            let mut plausibility = Plausibility::of_numbers(precision);
            plausibility.feed(bytes);
            plausibility.fault("advice")
        };
        // A point source.
        let point: Vec<u8> = [1.0_f64, 0.0, 0.0].iter().flat_map(|number| number.to_be_bytes()).collect();
        assert_eq!(fault(Precision::F64, &point), None);
        let words = "1 number is denormal, nearly zero; in the other byte order they are plausible: advice";
        assert_eq!(fault(Precision::F64, &swapped(&point)).as_deref(), Some(words));
        assert_eq!(fault(Precision::F32, &1.0_f32.to_le_bytes()).as_deref(), Some(words));
        // The other order is no better.
        let words = "2 numbers are infinite or NaN; --any-numbers accepts them";
        let nan = [f64::NAN; 2].map(f64::to_be_bytes).concat();
        assert_eq!(fault(Precision::F64, &nan).as_deref(), Some(words));
        let infinite =
            [[0.25; 8].map(f64::to_be_bytes).concat(), f64::INFINITY.to_be_bytes().to_vec()].concat();
        let words = "1 number is infinite or NaN; --any-numbers accepts them";
        assert_eq!(fault(Precision::F64, &infinite).as_deref(), Some(words));
        let both = [f64::from_bits(5).to_be_bytes(), f64::MAX.to_be_bytes()].concat();
        assert_eq!(fault(Precision::F64, &both), None);
    }
}
