//! The length of a source that can seek, and sources that are read at given offsets.

use embedded_io::{Error, Read, Seek, SeekFrom};

use super::sink::Positioned;
use crate::limits::Limits;

impl Limits {
    /// What the source can hold; see [`source`](Self::source). Asks the source for its length by seeking to its end
    /// and back.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn core::error::Error>> {
    /// use linkstream::Limits;
    /// use linkstream::io::FieldReader;
    /// # let mut source = linkstream_example::Disk::default();
    /// # source.bytes.borrow_mut().extend(linkstream_example::file());
    ///
    /// let mut buffer = [0; 8192];
    /// let limits = Limits::of_source(&mut source)?;
    /// let mut file = FieldReader::new(source, &mut buffer).with_limits(limits);
    /// let mut field = file.next_field()?.ok_or("no field")?;
    /// assert_eq!(field.numbers()?, 16);
    /// field.verdict()?.require_match()?;
    /// # Ok(())
    /// # }
    /// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
    /// ```
    ///
    /// # Errors
    /// The source failed; its position is then unknown.
    pub fn of_source<S: Seek>(source: &mut S) -> Result<Self, S::Error> {
        let here = source.stream_position()?;
        let length = source.seek(SeekFrom::End(0))?;
        source.seek(SeekFrom::Start(here))?;
        Ok(Self::source(length))
    }

    /// [`of_source`](Self::of_source) over `embedded_io_async`, with its errors.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn core::error::Error>> {
    /// use linkstream::Limits;
    /// # use linkstream_example::run;
    /// # let mut source = linkstream_example::disk(&[0; 100]);
    ///
    /// let limits = run(Limits::of_source_async(&mut source))?;
    /// assert_eq!(limits, Limits::source(100));
    /// # Ok(())
    /// # }
    /// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example_async.rs")); }
    /// ```
    #[cfg(feature = "async")]
    pub async fn of_source_async<S: embedded_io_async::Seek>(source: &mut S) -> Result<Self, S::Error> {
        let here = source.stream_position().await?;
        let length = source.seek(SeekFrom::End(0)).await?;
        source.seek(SeekFrom::Start(here)).await?;
        Ok(Self::source(length))
    }
}

/// A source that reads at given offsets, the counterpart of [`PositionedSink`](super::PositionedSink):
/// [`Positioned`] for files that can seek, or a type of yours over the `pread` of POSIX or the `MPI_File_read_at` of
/// MPI. [`BoxReader`](super::BoxReader) reads from one.
///
/// ```
/// use core::convert::Infallible;
/// use linkstream::io::PositionedSource;
///
/// /// A file in memory that is read at offsets.
/// struct Memory<'m>(&'m [u8]);
///
/// impl PositionedSource for Memory<'_> {
///     type Error = Infallible;
///
///     fn read_at(&mut self, offset: u64, out: &mut [u8]) -> Result<usize, Infallible> {
///         let rest = usize::try_from(offset).ok().and_then(|offset| self.0.get(offset..)).unwrap_or_default();
///         let n = rest.len().min(out.len());
///         out[..n].copy_from_slice(&rest[..n]);
///         Ok(n)
///     }
/// }
///
/// let mut out = [0; 4];
/// assert_eq!(Memory(b"any bytes").read_at(4, &mut out), Ok(4));
/// assert_eq!(&out, b"byte");
/// ```
pub trait PositionedSource {
    /// The error of the source.
    type Error: Error;

    /// Fills the front of `out` with bytes from the absolute `offset` of the file on. Returns the number of bytes; 0
    /// at the end of the source, or if `out` is empty.
    ///
    /// # Errors
    /// The source failed. [`Interrupted`](embedded_io::ErrorKind::Interrupted) means that the call can be repeated.
    fn read_at(&mut self, offset: u64, out: &mut [u8]) -> Result<usize, Self::Error>;
}

impl<R: Read + Seek> PositionedSource for Positioned<R> {
    type Error = R::Error;

    fn read_at(&mut self, offset: u64, out: &mut [u8]) -> Result<usize, R::Error> {
        // `take` leaves the position unknown if one of the calls below fails.
        if self.at.take() != Some(offset) {
            self.inner.seek(SeekFrom::Start(offset))?;
        }
        let n = self.inner.read(out)?;
        self.at = offset.checked_add(n as u64);
        Ok(n)
    }
}
