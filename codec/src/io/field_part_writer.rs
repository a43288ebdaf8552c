//! What one of several processes writes of a file of SciDAC and ILDG content.

use embedded_io::{Seek, Write};

use super::error::WriteError;
use super::field_writer::refused;
use super::positioned_sink::PositionedSink;
use crate::callback::CallbackError;
use crate::field::{EncodeErrorKind, Encoder, OutgoingMessage, SiteError, SiteMut, Want};
use crate::lattice::{Checksum, Float};

type Done<W> = Result<(), WriteError<<W as embedded_io::ErrorType>::Error, EncodeErrorKind>>;
type Filled<W, E> =
    Result<(), CallbackError<WriteError<<W as embedded_io::ErrorType>::Error, EncodeErrorKind>, E>>;

/// Writes the part of one process into a file that all processes share, each through a sink of its own (a file
/// opened again, an MPI file view). The file begins where the sink does.
///
/// All processes make the same calls with the same messages, but each writes the sites that it has, and the
/// root also all that is not data. Before a message is ended they exchange their checksums: each gives
/// [`end`](Self::end) the sum of the others. What comes of it is the file that one process writes.
///
/// The buffer is that of [`FieldWriter`](super::FieldWriter).
///
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::field::{Encoder, OutgoingMessage, SiteError};
/// use linkstream::ildg::{Format, GaugeKind};
/// use linkstream::io::FieldPartWriter;
/// use linkstream::lattice::Precision;
/// # use linkstream_example::Disk;
///
/// # let disk = Disk::default();
/// let format = Format::new(GaugeKind::SU3, Precision::F32, [2, 2, 2, 4]);
/// let message = OutgoingMessage::ildg(&format).with_checksum(true);
/// let mut buffers = [[0; 1024]; 2];
/// let mut writers = Vec::new();
/// // Process 1 has the sites of the upper two time slices, process 0 the others.
/// for (q, buffer) in buffers.iter_mut().enumerate() {
///     let mut writer = FieldPartWriter::new(disk.clone(), Encoder::new(), buffer, q == 0);
///     writer.begin(&message)?;
///     writer.seek(16 * q as u64)?;
///     writer.sites(16, |site| {
///         for (mu, i) in (0..4).flat_map(|mu| (0..3).map(move |i| (mu, i))) {
///             site.link_mut(mu)?.set(i, i, [1.0, 0.0])?;
///         }
///         Ok::<(), SiteError>(())
///     })?;
///     writers.push(writer);
/// }
/// let sums = [0, 1].map(|q| writers[q].encoder().checksum().unwrap_or_default());
/// for (q, writer) in writers.iter_mut().enumerate() {
///     writer.end(&message, sums[1 - q])?;
///     writer.finish()?;
/// }
/// assert_eq!(disk.bytes.borrow().len() as u64, writers[1].encoder().position());
/// # Ok(())
/// # }
/// # mod linkstream_example {
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example_disk.rs"));
/// # }
/// ```
#[derive(Debug)]
pub struct FieldPartWriter<'b, W> {
    sink: PositionedSink<W>,
    encoder: Encoder,
    buffer: &'b mut [u8],
    root: bool,
}

impl<'b, W> FieldPartWriter<'b, W> {
    /// A writer that continues in `sink` at the position of `encoder`, with the buffer of a
    /// [`FieldWriter`](super::FieldWriter). One of the processes is the `root`.
    pub const fn new(sink: W, encoder: Encoder, buffer: &'b mut [u8], root: bool) -> Self {
        Self { sink: PositionedSink::new(sink), encoder, buffer, root }
    }

    /// The encoder, to be asked for position, field and the checksum of this part.
    pub const fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// Gives back the sink and the encoder, also in mid-data: to go on elsewhere.
    pub fn into_parts(self) -> (W, Encoder) {
        (self.sink.into_inner(), self.encoder)
    }
}

impl<W: Write + Seek> FieldPartWriter<'_, W> {
    /// Writes a message that has no data.
    ///
    /// # Errors
    /// The encoder's, [`EncodeErrorKind::DataUnexpected`], or the sink failed; so for all calls.
    pub fn message(&mut self, message: &OutgoingMessage<'_>) -> Done<W> {
        self.sink.usable()?;
        if message.has_data() {
            return Err(EncodeErrorKind::DataUnexpected.into());
        }
        self.encoder.begin(message, self.buffer)?;
        self.go_on(message)
    }

    /// Writes the part of a message that precedes its data.
    ///
    /// # Errors
    /// As [`FieldPartWriter::message`].
    pub fn begin(&mut self, message: &OutgoingMessage<'_>) -> Done<W> {
        self.sink.usable()?;
        if !message.has_data() {
            return Err(EncodeErrorKind::DataUnexpected.into());
        }
        self.encoder.begin(message, self.buffer)?;
        // Data of no bytes are data all the same: they are ended by `end`.
        while self.encoder.site().is_none() {
            if !self.step(message)? {
                break;
            }
        }
        Ok(())
    }

    /// Goes to the site of index `index` in stored order.
    ///
    /// # Errors
    /// As [`FieldPartWriter::message`]; see [`Encoder::seek`].
    pub fn seek(&mut self, index: u64) -> Done<W> {
        self.sink.usable()?;
        Ok(self.encoder.seek(index)?)
    }

    /// Writes data: big endian, sites in stored order, in pieces of any size.
    ///
    /// # Errors
    /// As [`FieldPartWriter::message`].
    pub fn data(&mut self, bytes: &[u8]) -> Done<W> {
        self.sink.usable()?;
        let offset = self.encoder.position();
        self.encoder.data(bytes)?;
        self.sink.put(offset, bytes)
    }

    /// Has the next `count` sites filled by a callback and writes them; fewer if there are not so many.
    ///
    /// # Errors
    /// What the callback returned: the sites before are written then, and the next call goes on with that one.
    /// As [`FieldPartWriter::message`]; [`EncodeErrorKind::SiteTooLarge`], [`EncodeErrorKind::InsideSite`].
    pub fn sites<E>(
        &mut self,
        count: u64,
        mut fill: impl FnMut(&mut SiteMut<'_>) -> Result<(), E>,
    ) -> Filled<W, E> {
        self.sink.usable()?;
        let mut left = count;
        while left > 0 {
            let offset = self.encoder.position();
            let filled = self.encoder.fill(self.buffer, left, &mut fill).map_err(WriteError::from)?;
            self.sink.put(offset, filled.bytes)?;
            filled.outcome.map_err(CallbackError::Callback)?;
            if filled.sites == 0 {
                break;
            }
            left = left.saturating_sub(filled.sites);
        }
        Ok(())
    }

    /// Writes the next numbers of the field, in its precision: `f32` as `f64` exactly, `f64` as `f32` rounded to
    /// nearest.
    ///
    /// # Errors
    /// [`SiteError::NotNumbers`], and [`SiteError::Length`] for more numbers than are missing: nothing is written
    /// then. As [`FieldPartWriter::message`].
    pub fn numbers<T: Float>(&mut self, numbers: &[T]) -> Filled<W, SiteError> {
        self.sink.usable()?;
        let mut left = numbers;
        loop {
            let offset = self.encoder.position();
            let (bytes, count) = self.encoder.store(self.buffer, left).map_err(refused)?;
            self.sink.put(offset, bytes)?;
            left = left.get(count..).unwrap_or_default();
            if left.is_empty() {
                return Ok(());
            }
        }
    }

    /// Says that the other sites are written by others, with this checksum in all, and writes what of the
    /// message follows its data.
    ///
    /// # Errors
    /// As [`FieldPartWriter::message`]; [`EncodeErrorKind::InsideSite`].
    pub fn end(&mut self, message: &OutgoingMessage<'_>, others: Checksum) -> Done<W> {
        self.sink.usable()?;
        // Before the sum is taken, which must not be taken twice.
        self.encoder.check_same(message, self.buffer)?;
        self.encoder.others(others)?;
        self.go_on(message)
    }

    /// Says that the file ends here, and flushes the sink.
    ///
    /// # Errors
    /// A message is still open, or the sink failed.
    pub fn finish(&mut self) -> Done<W> {
        self.sink.usable()?;
        self.encoder.finish()?;
        self.sink.flush()
    }

    fn go_on(&mut self, message: &OutgoingMessage<'_>) -> Done<W> {
        while self.step(message)? {}
        Ok(())
    }

    /// Takes one step of the encoder; `false` where no bytes are to be written.
    fn step(&mut self, message: &OutgoingMessage<'_>) -> Result<bool, WriteError<W::Error, EncodeErrorKind>> {
        let offset = self.encoder.position();
        match self.encoder.next(message, self.buffer)? {
            Want::Bytes(bytes) if self.root => self.sink.put(offset, bytes)?,
            Want::Bytes(_) => {}
            Want::Data(_) | Want::Nothing => return Ok(false),
        }
        Ok(true)
    }
}
