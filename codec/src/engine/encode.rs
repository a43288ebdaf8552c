//! The interface of all encoders.

use core::fmt;

/// An encoder, the counterpart of [`Decode`](crate::Decode). The writers of records, fields, sections and
/// matrices are built on one.
///
/// A file consists of payload and of headers, padding and the like. The latter are returned by the methods of each
/// format, such as [`lime::Encoder::begin`](crate::lime::Encoder::begin); the caller writes them at the
/// [`position`](Self::position) before the call. The caller also writes the payload, and passes it to
/// [`put`](Self::put), which counts it and adds it to checksums. A call that returns an error changes nothing.
///
/// [`volume::Encoder`](crate::volume::Encoder) does not implement this trait: its payload is sites, and it needs the
/// rank of each site for the checksum and for the comparison with the site list. [`put`](Self::put) has no place for a
/// rank.
///
/// An encoder whose `new` takes nothing of the file also has `reset`, which begins another file; the others need the
/// header of the next file, so it is `new` again. `append` continues a file of records or sections at an offset (LIME,
/// scda). `after` takes a decoder that has read the file, where more than the offset decides what may follow: an open
/// message of LIME, and the fields and the logical file name of ILDG.
///
/// Other crates may implement the trait for encoders of their own.
///
/// [`Writer`](crate::io::Writer) does this for a sink: sequentially, each piece at its position, or asynchronously.
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
/// encoder.finish()?;
/// assert_eq!(file.len(), 152);
/// # Ok::<(), linkstream::lime::EncodeErrorKind>(())
/// ```
pub trait Encode {
    /// The errors of this encoder.
    type ErrorKind: Copy + fmt::Debug + fmt::Display;

    /// Number of payload bytes that are expected next; 0 if a method of the format must be called next.
    fn room(&self) -> u64;

    /// Counts payload that the caller writes at the [`position`](Self::position) before the call.
    ///
    /// # Errors
    /// There is not enough room for the bytes, or the format does not allow payload here.
    fn put(&mut self, payload: &[u8]) -> Result<(), Self::ErrorKind>;

    /// Absolute offset of the next bytes.
    fn position(&self) -> u64;

    /// Checks that the file can end here.
    ///
    /// # Errors
    /// A record, section or message is still open, or data are missing.
    fn finish(&self) -> Result<(), Self::ErrorKind>;
}
