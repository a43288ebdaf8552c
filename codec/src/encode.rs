//! The interface of all encoders.

use core::fmt;

/// An encoder: the mirror of [`Decode`](crate::Decode), and the core of every writer of this crate.
///
/// A file consists of payload and of the bytes around it. The latter are returned by the calls of each format, such as
/// [`lime::Encoder::begin`](crate::lime::Encoder::begin); the caller writes them at the position from before the
/// call. Payload belongs to the caller, who writes it and passes it to [`put`](Self::put), which counts it and
/// folds it into checksums. A call that is refused changes nothing.
///
/// [`Writer`](crate::io::Writer) does this over a sink: forwards, each piece at its position, or asynchronously.
///
/// ```
/// use linkstream::Encode;
/// use linkstream::lime::{Encoder, Header};
///
/// let mut file = Vec::new();
/// let mut encoder = Encoder::new();
/// file.extend_from_slice(encoder.begin(&Header::new(b"greeting", 5, true, true)?)?);
/// assert_eq!((encoder.position(), encoder.room()), (144, 5));
/// encoder.put(b"hello")?;
/// file.extend_from_slice(b"hello");
/// file.extend_from_slice(encoder.end()?);
/// Encode::finish(&encoder)?;
/// assert_eq!(file.len(), 152);
/// # Ok::<(), linkstream::lime::EncodeErrorKind>(())
/// ```
pub trait Encode {
    /// What the format forbids.
    type ErrorKind: Copy + fmt::Debug + fmt::Display;

    /// Bytes of payload that are expected next; 0: none, a call of the format is due.
    fn room(&self) -> u64;

    /// Counts payload that the caller writes at [`position`](Self::position), as it is before the call.
    ///
    /// # Errors
    /// More bytes than there is room for, or another call that the format forbids.
    fn put(&mut self, payload: &[u8]) -> Result<(), Self::ErrorKind>;

    /// Absolute offset at which the next bytes go.
    fn position(&self) -> u64;

    /// Whether the file can end here.
    ///
    /// # Errors
    /// Something is open or missing.
    fn finish(&self) -> Result<(), Self::ErrorKind>;
}
