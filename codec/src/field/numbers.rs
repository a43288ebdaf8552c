//! The floating-point numbers of a site or a link, one after the other.

use core::slice::Iter;

use crate::counter::Counter as _;
use crate::lattice::Precision;

/// The floating-point numbers of a [`Site`](super::Site) or a [`Link`](super::Link) in stored order, as `f64`, which
/// represents both precisions exactly.
///
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::field::{Decoder, Event, SiteError, Sites};
/// use linkstream::{Mode, io::Reader};
/// # let file = linkstream_example::file();
///
/// let (mut buffer, mut site_buffer, mut sum) = ([0; 512], [0; 8], 0.0);
/// let mut reader = Reader::new(file.as_slice(), &mut buffer, Decoder::new(Mode::Strict));
/// let mut sites = Sites::new(&mut site_buffer);
/// while let Some(event) = reader.next()? {
///     match event {
///         Event::Field => sites.begin(reader.decoder().field())?,
///         Event::Data => sites.feed(reader.decoder().field(), reader.bytes(), |site| {
///             sum += site.numbers()?.sum::<f64>();
///             Ok::<(), SiteError>(())
///         })?,
///         _ => {}
///     }
/// }
/// assert_eq!(sum, 120.0);
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
#[derive(Debug, Clone)]
pub struct Numbers<'a> {
    // One of the two is empty.
    singles: Iter<'a, [u8; 4]>,
    doubles: Iter<'a, [u8; 8]>,
}

impl<'a> Numbers<'a> {
    pub(super) fn new(bytes: &'a [u8], precision: Precision) -> Self {
        let (singles, doubles): (&[_], &[_]) = match precision {
            Precision::F32 => (bytes.as_chunks().0, &[]),
            Precision::F64 => (&[], bytes.as_chunks().0),
        };
        Self { singles: singles.iter(), doubles: doubles.iter() }
    }
}

#[inline]
pub(super) fn single(word: [u8; 4]) -> f64 {
    f64::from(f32::from_be_bytes(word))
}

#[inline]
pub(super) fn double(word: [u8; 8]) -> f64 {
    f64::from_be_bytes(word)
}

impl Iterator for Numbers<'_> {
    type Item = f64;

    #[inline]
    fn next(&mut self) -> Option<f64> {
        match self.doubles.next() {
            Some(word) => Some(double(*word)),
            None => self.singles.next().map(|word| single(*word)),
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.singles.len().plus(self.doubles.len());
        (left, Some(left))
    }

    // A plain loop over words of one size, where the calls of `next` would ask for the size at each.
    #[inline]
    fn fold<B, F: FnMut(B, f64) -> B>(self, start: B, mut f: F) -> B {
        let folded = self.singles.fold(start, |so_far, word| f(so_far, single(*word)));
        self.doubles.fold(folded, |so_far, word| f(so_far, double(*word)))
    }
}

impl ExactSizeIterator for Numbers<'_> {}
impl core::iter::FusedIterator for Numbers<'_> {}
