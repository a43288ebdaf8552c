//! The INEBIN writer over a blocking stream.

use embedded_io::Write;

use super::error::WriteError;
use super::sink::Sink;
use crate::inebin::{EncodeErrorKind, Encoder, Header, Value};

/// Writes a matrix to a sink, through a buffer lent by the caller.
///
/// Short writes and interruptions are dealt with; a sink that takes nothing is an error. After a failure of the
/// sink every call is refused.
///
/// ```
/// use linkstream::inebin::{Header, MatrixType};
/// use linkstream::io::MatrixWriter;
///
/// let mut file = [0; 16 + 3 * 8];
/// let mut buffer = [0; 512];
/// let header = Header::new(MatrixType::Real, 1, 3)?;
/// let mut writer = MatrixWriter::begin(&mut file[..], &mut buffer, &header)?;
/// writer.write([1.0, 1.5])?;
/// writer.write([65536.0])?;
/// writer.finish()?;
/// assert_eq!(&file[16..24], 1.0_f64.to_le_bytes());
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MatrixWriter<'b, W> {
    sink: Sink<W>,
    buffer: &'b mut [u8],
    encoder: Encoder,
}

impl<'b, W: Write> MatrixWriter<'b, W> {
    /// Writes the header. The buffer must not be empty.
    ///
    /// # Errors
    /// The sink failed, or there is no buffer.
    pub fn begin(
        sink: W,
        buffer: &'b mut [u8],
        header: &Header,
    ) -> Result<Self, WriteError<W::Error, EncodeErrorKind>> {
        if buffer.is_empty() {
            return Err(WriteError::NoBuffer);
        }
        let mut sink = Sink::new(sink);
        sink.put(&header.to_bytes())?;
        Ok(Self { sink, buffer, encoder: Encoder::new(header) })
    }

    /// Continues in `sink` at the position of `encoder`.
    pub const fn resume(sink: W, buffer: &'b mut [u8], encoder: Encoder) -> Self {
        Self { sink: Sink::new(sink), buffer, encoder }
    }

    /// Writes values in reading order. What belongs to a byte that is not full yet waits for the next call.
    ///
    /// # Errors
    /// Values of another type or too many of them, or the sink failed.
    pub fn write<T: Value>(
        &mut self,
        values: impl IntoIterator<Item = T>,
    ) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
        self.sink.usable()?;
        if self.buffer.is_empty() {
            return Err(WriteError::NoBuffer);
        }
        let mut values = values.into_iter();
        loop {
            let n = self.encoder.encode(&mut values, self.buffer)?;
            if n == 0 {
                return Ok(());
            }
            self.sink.put(self.buffer.get(..n).unwrap_or_default())?;
        }
    }

    /// Writes rows, one or several: values in reading order.
    ///
    /// # Errors
    /// As [`write`](Self::write); [`EncodeErrorKind::TooFew`] where a row is not complete: nothing is written then.
    pub fn rows<T: Value>(&mut self, values: &[T]) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
        let columns = u64::from(self.encoder.header().columns());
        let left = (values.len() as u64).checked_rem(columns).unwrap_or(0);
        if left > 0 {
            return Err(EncodeErrorKind::TooFew { missing: columns.saturating_sub(left) }.into());
        }
        self.write(values.iter().copied())
    }

    /// Writes entries as stored in a file, split anywhere.
    ///
    /// # Errors
    /// Too many bytes, a byte in the middle of an entry that was given as a value, or the sink failed.
    pub fn write_raw(&mut self, bytes: &[u8]) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
        self.sink.usable()?;
        self.encoder.raw(bytes)?;
        self.sink.put(bytes)
    }

    /// Says that the matrix is complete, flushes the sink and gives it back.
    ///
    /// # Errors
    /// Entries are missing, or the sink failed.
    pub fn finish(mut self) -> Result<W, WriteError<W::Error, EncodeErrorKind>> {
        self.sink.usable()?;
        self.encoder.finish()?;
        self.sink.flush()?;
        Ok(self.sink.into_inner())
    }

    /// The encoder, to be asked for its position.
    pub const fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// Gives back the sink and the encoder, also inside the matrix: to go on elsewhere.
    pub fn into_parts(self) -> (W, Encoder) {
        (self.sink.into_inner(), self.encoder)
    }
}
