//! Converts the bytes of a row of sites to the numbers that are computed with.

use linkstream::field::LinkLayout;
use linkstream::ildg::{GaugeKind, Group, reconstruct};
use linkstream::lattice::Precision;
use pulp::{Arch, Simd, WithSimd};

use super::geometry::{Geometry, LANES};

/// Conversion of the links of a field to complex matrices.
#[derive(Debug, Clone, Copy)]
pub struct Links {
    precision: Precision,
    /// Count of numbers in a link of the file.
    stored: usize,
    /// Size of a site in bytes.
    site: usize,
    form: Form,
    /// The value of all bytes of an absent link (ILDG 1.2, section 2.5.1).
    absent: u8,
}

/// Meaning of the numbers of a link.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// Real and imaginary parts of all elements.
    Complex,
    /// Real elements.
    Real,
    /// The phase of an element of U(1).
    Phase,
    /// The elements of the first rows; the other rows can be reconstructed from them.
    Reduced(GaugeKind),
}

impl Links {
    /// `None` if the links are not square matrices and cannot be completed, or if they are too large for memory.
    pub fn of(layout: &LinkLayout, kind: Option<GaugeKind>) -> Option<Self> {
        let form = match (kind, layout.parts) {
            (Some(kind), 1) if kind.group() == Group::U1Phase && layout.rows == 1 && layout.columns == 1 => {
                Form::Phase
            }
            _ if layout.rows == layout.columns && layout.parts == 2 => Form::Complex,
            _ if layout.rows == layout.columns && layout.parts == 1 => Form::Real,
            (Some(kind), _) if is_reducible(layout, kind) => Form::Reduced(kind),
            _ => return None,
        };
        let bytes = layout.bytes_per_link()?;
        let links = usize::try_from(layout.links).ok()?;
        Some(Self {
            precision: layout.precision,
            stored: bytes.checked_div(layout.precision.size())?,
            site: bytes.checked_mul(links)?,
            form,
            absent: if layout.absent_is_ones { 0xff } else { 0 },
        })
    }

    /// Size of a site in bytes.
    pub const fn site_bytes(&self) -> usize {
        self.site
    }

    /// Converts the links of a row of whole sites to numbers in `row`. `absent` receives, for each link and site,
    /// whether the link is absent.
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "`of` has checked the size of a site, and `absent` has an entry for each link and site of a row"
    )]
    pub fn read(&self, geometry: &Geometry, arch: Arch, bytes: &[u8], row: &mut [f64], absent: &mut [bool]) {
        let size = self.stored * self.precision.size();
        for (site, bytes) in bytes.chunks_exact(self.site).enumerate() {
            for (link, bytes) in bytes.chunks_exact(size).enumerate() {
                // Word by word, zero-filled data are not much slower than others.
                let (words, rest) = bytes.as_chunks::<8>();
                absent[link * geometry.row + site] = words.iter().all(|word| *word == [self.absent; 8])
                    && rest.iter().all(|byte| *byte == self.absent);
            }
        }
        match self.form {
            Form::Complex => {
                let (precision, numbers) = (self.precision, geometry.site_numbers());
                arch.dispatch(Transpose { precision, numbers, bytes, row });
            }
            _ => self.complete(geometry, bytes, row, absent),
        }
    }

    /// True if the file has double precision, but all numbers are exactly representable in single precision.
    pub fn is_narrow(&self, bytes: &[u8]) -> bool {
        let is_narrow = |word: &[u8; 8]| {
            let number = f64::from_be_bytes(*word);
            f64::from(number as f32).to_bits() == number.to_bits()
        };
        self.precision == Precision::F64 && bytes.as_chunks().0.iter().all(is_narrow)
    }

    /// Converts the numbers of the file to complex matrices, one link at a time.
    #[expect(
        clippy::arithmetic_side_effects,
        clippy::indexing_slicing,
        reason = "`Geometry::of` has checked the size of a row, `absent` has an entry for each link and site of it, and \
                  a chunk of `LANES` sites has no more lanes"
    )]
    fn complete(&self, geometry: &Geometry, bytes: &[u8], row: &mut [f64], absent: &[bool]) {
        let size = self.stored * self.precision.size();
        let mut matrix = vec![0.0; geometry.components()];
        let groups = row.chunks_exact_mut(LANES * geometry.site_numbers());
        for (group, (bytes, numbers)) in bytes.chunks(LANES * self.site).zip(groups).enumerate() {
            let numbers = numbers.as_chunks_mut::<LANES>().0;
            for (lane, bytes) in bytes.chunks_exact(self.site).enumerate() {
                let links = numbers.chunks_exact_mut(geometry.components());
                for (link, (bytes, numbers)) in bytes.chunks_exact(size).zip(links).enumerate() {
                    if absent[link * geometry.row + group * LANES + lane] {
                        matrix.fill(0.0);
                    } else {
                        self.matrix(bytes, &mut matrix);
                    }
                    numbers.iter_mut().zip(&matrix).for_each(|(lanes, number)| lanes[lane] = *number);
                }
            }
        }
    }

    /// Converts one link, which is not absent, to a complex matrix.
    fn matrix(&self, bytes: &[u8], matrix: &mut [f64]) {
        let number = |index| self.precision.read(bytes, index).unwrap_or(f64::NAN);
        match self.form {
            Form::Complex => {}
            Form::Real => expand(matrix, number),
            Form::Phase => {
                let (im, re) = libm::sincos(number(0));
                matrix.copy_from_slice(&[re, im]);
            }
            Form::Reduced(kind) => {
                let whole = if kind.is_real() { matrix.len() / 2 } else { matrix.len() };
                matrix
                    .iter_mut()
                    .take(self.stored)
                    .enumerate()
                    .for_each(|(index, place)| *place = number(index));
                // This cannot fail: `is_reducible` has tried it with a link of this size.
                let is_whole = matrix.get_mut(..whole).is_some_and(|given| reconstruct(kind, given).is_ok());
                if !is_whole {
                    matrix.fill(f64::NAN);
                } else if kind.is_real() {
                    let real = matrix.to_vec();
                    expand(matrix, |index| real.get(index).copied().unwrap_or(f64::NAN));
                }
            }
        }
    }
}

/// Fills a complex matrix from real elements.
fn expand(matrix: &mut [f64], number: impl Fn(usize) -> f64) {
    for (index, element) in matrix.as_chunks_mut::<2>().0.iter_mut().enumerate() {
        *element = [number(index), 0.0];
    }
}

/// Returns whether the rows that are not stored can be reconstructed.
fn is_reducible(layout: &LinkLayout, kind: GaugeKind) -> bool {
    let is_stored = kind.reduced_rows().map(u32::from) == Some(layout.rows)
        && u32::from(kind.colors()) == layout.columns
        && kind.is_real() == (layout.parts == 1);
    // `reconstruct` refuses orthogonal and unitary matrices with too many colors, whatever their elements are: try it.
    let numbers = [layout.columns, layout.columns, layout.parts]
        .into_iter()
        .try_fold(1_usize, |numbers, size| numbers.checked_mul(usize::try_from(size).ok()?));
    let trial = numbers.filter(|numbers| is_stored && *numbers <= MAX_NUMBERS);
    trial.is_some_and(|numbers| reconstruct(kind, &mut vec![0.0_f64; numbers]).is_ok())
}

/// Maximum count of numbers in a link: more than in any link that can be measured.
const MAX_NUMBERS: usize = 8 << 20;

/// Rearranges the numbers of a row of sites, which follow each other site by site, into groups of [`LANES`] sites. For
/// links that need no other conversion.
struct Transpose<'r> {
    precision: Precision,
    /// Count of numbers in a site.
    numbers: usize,
    bytes: &'r [u8],
    row: &'r mut [f64],
}

impl WithSimd for Transpose<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { precision, numbers, bytes, row } = self;
        match precision {
            Precision::F32 => {
                transpose(bytes.as_chunks().0, numbers, row, |word| f64::from(f32::from_be_bytes(word)));
            }
            Precision::F64 => transpose(bytes.as_chunks().0, numbers, row, f64::from_be_bytes),
        }
    }
}

/// Transposes each group of four sites: their first numbers, then their second numbers, and so on.
#[inline(always)]
#[expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "`Geometry::of` has checked the size of a group, and a chunk of `LANES` sites has no more lanes"
)]
fn transpose<const BYTES: usize>(
    words: &[[u8; BYTES]],
    numbers: usize,
    row: &mut [f64],
    read: impl Fn([u8; BYTES]) -> f64,
) {
    let groups = row.as_chunks_mut::<LANES>().0.chunks_exact_mut(numbers);
    for (words, out) in words.chunks(LANES * numbers).zip(groups) {
        let sites = words.chunks_exact(numbers);
        if sites.len() == LANES {
            let (front, back) = words.split_at(2 * numbers);
            let ((a, b), (c, d)) = (front.split_at(numbers), back.split_at(numbers));
            for ((((lanes, a), b), c), d) in out.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                *lanes = [*a, *b, *c, *d].map(&read);
            }
            continue;
        }
        for (lane, site) in sites.enumerate() {
            out.iter_mut().zip(site).for_each(|(lanes, word)| lanes[lane] = read(*word));
        }
    }
}
