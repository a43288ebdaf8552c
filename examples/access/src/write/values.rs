//! The numbers of a field in memory.

use std::fmt;

use linkstream::lattice::Precision;

use super::error::Error;
use super::input::BUFFER;

/// The numbers of a field, in native byte order.
///
/// Sites are in lexicographic order, x running fastest and t slowest (ILDG 1.2, section 2.5.1). A complex number is its
/// real part and its imaginary part.
#[derive(Debug, Clone, Copy)]
pub enum Values<'a> {
    /// Single precision.
    F32(&'a [f32]),
    /// Double precision.
    F64(&'a [f64]),
    /// Numbers in another order or byte order, or that are not in memory yet.
    Stream(&'a dyn Stream),
}

/// Numbers that are converted while they are written.
pub trait Stream: fmt::Debug + Sync {
    /// Their precision.
    fn precision(&self) -> Precision;

    /// Number of real numbers.
    fn count(&self) -> usize;

    /// Passes all numbers to `each`, big-endian and in the order of [`Values`]. Pieces can have any size. Numbers that
    /// are missing or too many are an error later.
    ///
    /// # Errors
    /// The error of `each`; or the numbers cannot be read: [`Error::Input`].
    fn pieces(&self, each: &mut dyn FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error>;
}

impl Values<'_> {
    /// Number of real numbers.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::F32(values) => values.len(),
            Self::F64(values) => values.len(),
            Self::Stream(stream) => stream.count(),
        }
    }

    /// True if there are no numbers.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Their precision.
    #[must_use]
    pub fn precision(&self) -> Precision {
        match self {
            Self::F32(_) => Precision::F32,
            Self::F64(_) => Precision::F64,
            Self::Stream(stream) => stream.precision(),
        }
    }

    /// Passes the numbers to `each` in pieces, big-endian.
    pub(super) fn pieces(&self, each: &mut dyn FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        match self {
            Self::F32(values) => converted(values, f32::to_be_bytes, each),
            Self::F64(values) => converted(values, f64::to_be_bytes, each),
            Self::Stream(stream) => stream.pieces(each),
        }
    }
}

/// Passes numbers to `each` as bytes.
fn converted<T: Copy, const SIZE: usize>(
    values: &[T],
    bytes: impl Fn(T) -> [u8; SIZE],
    each: &mut dyn FnMut(&[u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut buffer = vec![[0; SIZE]; BUFFER.checked_div(SIZE).unwrap_or(0).min(values.len())];
    values.chunks(buffer.len().max(1)).try_for_each(|piece| {
        // A piece is no longer than the buffer.
        let (converted, _) = buffer.split_at_mut(piece.len());
        converted.iter_mut().zip(piece).for_each(|(to, number)| *to = bytes(*number));
        each(converted.as_flattened())
    })
}

impl<'a> From<&'a [f32]> for Values<'a> {
    fn from(values: &'a [f32]) -> Self {
        Self::F32(values)
    }
}

impl<'a> From<&'a [f64]> for Values<'a> {
    fn from(values: &'a [f64]) -> Self {
        Self::F64(values)
    }
}

impl<'a> From<&'a dyn Stream> for Values<'a> {
    fn from(stream: &'a dyn Stream) -> Self {
        Self::Stream(stream)
    }
}
