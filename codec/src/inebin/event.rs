//! The events of the decoder.

use super::error::ErrorKind;
use super::header::Header;
use crate::error::Error;

/// The events of a [`Decoder`](super::Decoder).
///
/// # Example
/// ```
/// use linkstream::inebin::{Decoder, Event, MatrixType};
/// use linkstream::{Mode, drive, finish};
///
/// // A 1x1 matrix of integers.
/// let file = b"INEBIN\0Z\x01\0\0\0\x01\0\0\0\x2a\0\0\0\0\0\0\0";
/// let mut decoder = Decoder::new(Mode::Strict);
/// let (mut shape, mut bytes) = (None, 0);
/// drive(&mut decoder, file, |event, data, _| match event {
///     Event::Header(header) => shape = Some((header.matrix_type(), header.rows(), header.columns())),
///     Event::Data => bytes += data.len(),
///     _ => {}
/// })?;
/// finish(&mut decoder, |_, _, _| {})?;
/// assert_eq!((shape, bytes), (Some((MatrixType::Integer, 1, 1)), 8));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Event {
    /// Type and shape are known. The data follow.
    Header(Header),
    /// The bytes consumed by this step are data; [`Entries`](super::Entries) converts them to numbers.
    Data,
    /// The matrix is complete; the file should end here.
    End,
    /// A broken rule that the [`Mode`](crate::Mode) does not refuse, or a remark. Reading continues.
    Finding(Error<ErrorKind>),
}

/// An [`Event`] without its contents, which the decoder has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    Header,
    Data,
    End,
    Finding,
}
