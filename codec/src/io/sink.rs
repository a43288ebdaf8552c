//! The destination of writers.

use embedded_io::{Error, Seek, SeekFrom, Write};

/// The destination of a writer: any [`embedded_io::Write`], which is written sequentially, [`Positioned`], or a type of
/// yours that writes at given offsets ([`PositionedSink`]).
///
/// ```
/// use linkstream::io::{RecordWriter, Sink, WriteError};
/// use linkstream::lime::EncodeErrorKind;
///
/// fn greet<W: Sink>(sink: W) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
///     let mut file = RecordWriter::create(sink);
///     file.record(b"greeting", true, true, b"hello")?;
///     file.finish().map(drop)
/// }
/// assert_eq!(greet(&mut [0; 152][..]), Ok(()));
///
/// let mut out = [0; 4];
/// let mut sink = &mut out[..];
/// assert_eq!(Sink::write_at(&mut sink, 0, b"data"), Ok(4));
/// assert_eq!(Sink::flush(&mut sink), Ok(()));
/// ```
pub trait Sink {
    /// The error of the sink.
    type Error: Error;

    /// Writes some or all of these bytes, which belong at the absolute `offset` of the file. Returns the number of
    /// bytes written.
    ///
    /// # Errors
    /// The sink failed.
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> Result<usize, Self::Error>;

    /// Waits until all bytes have been written.
    ///
    /// # Errors
    /// The sink failed.
    fn flush(&mut self) -> Result<(), Self::Error>;
}

impl<W: Write> Sink for W {
    type Error = W::Error;

    fn write_at(&mut self, _: u64, bytes: &[u8]) -> Result<usize, W::Error> {
        self.write(bytes)
    }

    fn flush(&mut self) -> Result<(), W::Error> {
        Write::flush(self)
    }
}

/// A [`Sink`] that writes each piece at its offset in the file, whatever was written before: for several processes that
/// write the same file, each through a sink of its own. [`Positioned`] is one for files that can seek. Types that write
/// at an offset by themselves, such as the `pwrite` of POSIX or the `MPI_File_write_at` of MPI, implement [`Sink`] and
/// this trait. They must not implement [`embedded_io::Write`], which makes a type a sequential sink.
///
/// ```
/// use core::convert::Infallible;
/// use linkstream::io::{PositionedSink, RecordWriter, Sink};
/// use linkstream::lime::Encoder;
///
/// /// A file in memory that is written at offsets.
/// struct Memory<'m>(&'m mut [u8]);
///
/// impl Sink for Memory<'_> {
///     type Error = Infallible;
///
///     fn write_at(&mut self, offset: u64, bytes: &[u8]) -> Result<usize, Infallible> {
///         let room = usize::try_from(offset).ok().and_then(|offset| self.0.get_mut(offset..));
///         let place = room.and_then(|room| room.get_mut(..bytes.len()));
///         Ok(place.map_or(0, |place| {
///             place.copy_from_slice(bytes);
///             bytes.len()
///         }))
///     }
///
///     fn flush(&mut self) -> Result<(), Infallible> {
///         Ok(())
///     }
/// }
///
/// impl PositionedSink for Memory<'_> {}
///
/// let mut file = [0; 152 + 152];
/// let mut writer = RecordWriter::with_encoder(Memory(&mut file), Encoder::append(152, false));
/// writer.record(b"greeting", true, true, b"hello")?;
/// writer.finish()?;
/// assert_eq!(&file[152 + 144..], b"hello\0\0\0");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub trait PositionedSink: Sink {}

/// A file that can seek, as a [`PositionedSink`] or a [`PositionedSource`](super::PositionedSource): each piece is
/// written or read at its offset, so byte 0 of the inner sink must be byte 0 of the file. If several processes write the
/// file, each opens it by itself.
///
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::io::{Positioned, RecordWriter};
/// use linkstream::lime::{Encoder, Header};
/// # use linkstream_example::Disk;
///
/// # let disk = Disk::default();
/// // The other process has written 152 bytes; the sink is at its start.
/// let mut writer = RecordWriter::with_encoder(Positioned::new(disk.clone()), Encoder::append(152, false));
/// writer.record(b"greeting", true, true, b"hello")?;
/// writer.finish()?;
/// assert_eq!(&disk.bytes.borrow()[152 + 144..], b"hello\0\0\0");
/// # Ok(())
/// # }
/// # mod linkstream_example {
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs"));
/// # }
/// ```
#[derive(Debug)]
pub struct Positioned<W> {
    pub(super) inner: W,
    /// The position of the sink, if known.
    pub(super) at: Option<u64>,
}

impl<W> Positioned<W> {
    /// A positioned sink or source. The current position of `inner` does not matter: the first call seeks.
    pub const fn new(inner: W) -> Self {
        Self { inner, at: None }
    }

    /// Returns the inner sink or source; its position is unspecified.
    pub fn into_inner(self) -> W {
        self.inner
    }
}

impl<W: Write + Seek> Sink for Positioned<W> {
    type Error = W::Error;

    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> Result<usize, W::Error> {
        // `take` leaves the position unknown if one of the calls below fails.
        if self.at.take() != Some(offset) {
            self.inner.seek(SeekFrom::Start(offset))?;
        }
        let n = self.inner.write(bytes)?;
        self.at = offset.checked_add(n as u64);
        Ok(n)
    }

    fn flush(&mut self) -> Result<(), W::Error> {
        self.inner.flush()
    }
}

impl<W: Write + Seek> PositionedSink for Positioned<W> {}
