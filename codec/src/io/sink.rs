//! Where writers write to.

use embedded_io::{Error, Seek, SeekFrom, Write};

/// The sink of a writer: any [`embedded_io::Write`], which is written forwards, or a [`Positioned`] one.
///
/// ```
/// use linkstream::io::{RecordWriter, Sink, WriteError};
/// use linkstream::lime::EncodeErrorKind;
///
/// fn greet<W: Sink>(sink: W) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
///     let mut file = RecordWriter::create(sink);
///     file.record(b"greeting", true, true, b"hello")?;
///     file.finish()
/// }
/// assert_eq!(greet(&mut [0; 152][..]), Ok(()));
///
/// let mut out = [0; 4];
/// let mut sink = &mut out[..];
/// assert_eq!(Sink::write_at(&mut sink, 0, b"data"), Ok(4));
/// assert_eq!(Sink::flush(&mut sink), Ok(()));
/// ```
pub trait Sink {
    /// What it fails with.
    type Error: Error;

    /// Writes some of these bytes, which belong at `offset` of the file, and returns how many.
    ///
    /// # Errors
    /// The sink failed.
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> Result<usize, Self::Error>;

    /// Waits until everything is written.
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

/// A sink in which each piece goes to its position in the file, which begins where the sink does: for several processes
/// that write one file, each through a sink of its own (a file opened again, an MPI file view).
///
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::io::{Positioned, RecordWriter};
/// use linkstream::lime::{Encoder, Header};
/// # use linkstream_example::Disk;
///
/// # let disk = Disk::default();
/// // The other process has written 152 bytes; the sink is at its start.
/// let mut writer = RecordWriter::new(Positioned::new(disk.clone()), Encoder::append(152, false));
/// writer.record(b"greeting", true, true, b"hello")?;
/// writer.finish()?;
/// assert_eq!(&disk.bytes.borrow()[152 + 144..], b"hello\0\0\0");
/// # Ok(())
/// # }
/// # mod linkstream_example {
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example_disk.rs"));
/// # }
/// ```
#[derive(Debug)]
pub struct Positioned<W> {
    inner: W,
    /// The position of the sink, if known.
    at: Option<u64>,
}

impl<W> Positioned<W> {
    /// A sink of which the position is not known: the first write seeks.
    ///
    /// ```
    /// use linkstream::io::{Positioned, Writer};
    ///
    /// fn writer<W>(sink: W) -> Writer<Positioned<W>, linkstream::lime::Encoder> {
    ///     Writer::new(Positioned::new(sink), linkstream::lime::Encoder::new())
    /// }
    /// ```
    pub const fn new(inner: W) -> Self {
        Self { inner, at: None }
    }

    /// The sink inside; its position is unspecified.
    ///
    /// ```
    /// use linkstream::io::Positioned;
    ///
    /// assert_eq!(Positioned::new("sink").into_inner(), "sink");
    /// ```
    pub fn into_inner(self) -> W {
        self.inner
    }
}

impl<W: Write + Seek> Sink for Positioned<W> {
    type Error = W::Error;

    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> Result<usize, W::Error> {
        // After a failure it is anywhere.
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
