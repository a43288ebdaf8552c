//! The writer of INEBIN matrices.

use embedded_io::Write;

use crate::bytes::prefix;
use crate::counter::Counter as _;
use crate::encode::Encode as _;
use crate::inebin::{EncodeErrorKind, Encoder, HEADER_LEN, Header, Value};
use crate::io::buffer::Buffer;
use crate::io::error::WriteError;
use crate::io::writer::{Output, Written};

/// Writes an INEBIN matrix to any [`embedded_io::Write`], through a buffer of the
/// caller.
///
/// Short and interrupted writes are continued; a sink that accepts no bytes is an error ([`WriteError::WriteZero`]).
/// After an error of the sink, every call returns [`WriteError::Broken`].
///
/// ```
/// use linkstream::inebin::{Header, MatrixType};
/// use linkstream::io::MatrixWriter;
///
/// let mut file = [0; 16 + 3 * 8];
/// let mut buffer = [0; 512];
/// let mut writer = MatrixWriter::create(&mut file[..], &mut buffer, &Header::new(MatrixType::Real, 1, 3)?);
/// writer.put([1.0, 1.5])?;
/// writer.put([65536.0])?;
/// writer.finish()?;
/// assert_eq!(&file[16..24], 1.0_f64.to_le_bytes());
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "what is written is complete when `finish` has returned `Ok`"]
pub struct MatrixWriter<W, B> {
    output: Output<W>,
    encoder: Encoder,
    buffer: B,
}

impl<W, B: Buffer> MatrixWriter<W, B> {
    /// A writer of a new file. The header is written with the first bytes of entries, or by
    /// [`finish`](Self::finish). The buffer must not be empty.
    pub const fn create(sink: W, buffer: B, header: &Header) -> Self {
        Self::with_encoder(sink, buffer, Encoder::new(header))
    }

    /// A writer with a given encoder, which writes to `sink` at the position of the encoder: to continue a file. If
    /// the encoder is before the first byte of the entries, the header is not yet in the file either: it is written as
    /// after [`create`](Self::create).
    ///
    /// ```
    /// use linkstream::Resumable;
    /// use linkstream::inebin::{Encoder, Header, MatrixType};
    /// use linkstream::io::MatrixWriter;
    ///
    /// let (mut file, mut buffer) = ([0; 18], [0; 64]);
    /// let header = Header::new(MatrixType::Boolean, 3, 5)?;
    /// let (start, rest) = file.split_at_mut(17);
    /// let mut writer = MatrixWriter::create(start, &mut buffer, &header);
    /// writer.put_rows(&[true, false, false, true, true, false, false, true, true, false])?;
    ///
    /// // Continue elsewhere, in the middle of a byte.
    /// let saved = writer.into_parts().1.save();
    /// let mut writer = MatrixWriter::with_encoder(rest, &mut buffer, Encoder::load(&saved)?);
    /// writer.put_rows(&[false, false, false, true, false])?;
    /// writer.finish()?;
    /// assert_eq!(&file, b"INEBIN\0B\x03\0\0\0\x05\0\0\0\x99\x21");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn with_encoder(sink: W, buffer: B, encoder: Encoder) -> Self {
        Self { output: Output::new(sink), encoder, buffer }
    }

    /// The encoder, which holds the position.
    pub const fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// Returns the sink and the encoder, also in the middle of the matrix, so that writing can continue elsewhere.
    /// If no bytes of entries were written, neither was the header; [`with_encoder`](Self::with_encoder) writes it.
    pub fn into_parts(self) -> (W, Encoder) {
        (self.output.sink, self.encoder)
    }

    /// True before the first byte of entries, which the header precedes.
    fn is_first(&self) -> bool {
        self.encoder.position() == HEADER_LEN as u64
    }

    /// Checks that the buffer is not empty.
    fn has_buffer<E>(&self) -> Written<E, EncodeErrorKind> {
        if self.buffer.as_ref().is_empty() { Err(WriteError::NoBuffer) } else { Ok(()) }
    }

    /// Checks that these are whole rows, and no more than the matrix has left.
    fn are_rows<E>(&self, values: usize) -> Written<E, EncodeErrorKind> {
        self.output.usable()?;
        let columns = u64::from(self.encoder.header().columns());
        if values as u64 > self.encoder.left() {
            return Err(EncodeErrorKind::TooMany.into());
        }
        match (values as u64).checked_rem(columns).unwrap_or(0) {
            0 => Ok(()),
            left => Err(EncodeErrorKind::TooFew { missing: columns.minus(left) }.into()),
        }
    }
}

impl<W: Write, B: Buffer> MatrixWriter<W, B> {
    /// Writes entries, row by row. Booleans that do not fill a byte are kept until the next call.
    ///
    /// # Errors
    /// The values are of another type than the matrix; there are too many of them ([`EncodeErrorKind::TooMany`]; as
    /// many as fit have been written); or the sink failed.
    pub fn put<T: Value>(
        &mut self,
        values: impl IntoIterator<Item = T>,
    ) -> Written<W::Error, EncodeErrorKind> {
        self.has_buffer()?;
        self.output.usable()?;
        let mut values = values.into_iter();
        loop {
            let is_first = self.is_first();
            match self.encoder.encode(&mut values, self.buffer.as_mut())? {
                0 => return Ok(()),
                n => {
                    self.write_header(is_first)?;
                    self.output.put(prefix(self.buffer.as_ref(), n))?;
                }
            }
        }
    }

    /// Writes one or more whole rows.
    ///
    /// # Errors
    /// The errors of [`put`](Self::put); [`EncodeErrorKind::TooFew`] if a row is incomplete. Nothing is written
    /// then, nor if there are too many rows.
    pub fn put_rows<T: Value>(&mut self, values: &[T]) -> Written<W::Error, EncodeErrorKind> {
        self.are_rows(values.len())?;
        self.put(values.iter().copied())
    }

    /// Writes entries as the bytes of the file (little-endian), in pieces of any size.
    ///
    /// ```
    /// use linkstream::inebin::{Header, MatrixType};
    /// use linkstream::io::MatrixWriter;
    ///
    /// let (mut file, mut buffer) = ([0; 32], [0; 64]);
    /// let mut writer = MatrixWriter::create(&mut file[..], &mut buffer, &Header::new(MatrixType::Integer, 1, 2)?);
    /// writer.put_bytes(&1_i64.to_le_bytes())?;
    /// writer.put_bytes(&2_i64.to_le_bytes())?;
    /// writer.finish()?;
    /// assert_eq!(file[16..], [1_i64, 2].map(i64::to_le_bytes).concat());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There are too many bytes, an entry given as a value is incomplete, or the sink failed.
    pub fn put_bytes(&mut self, bytes: &[u8]) -> Written<W::Error, EncodeErrorKind> {
        self.output.usable()?;
        let is_first = self.is_first();
        self.encoder.put(bytes)?;
        self.write_header(is_first && !bytes.is_empty())?;
        self.output.put(bytes)
    }

    /// Checks that the matrix is complete, flushes the sink and returns it.
    ///
    /// # Errors
    /// Entries are missing, or the sink failed.
    pub fn finish(mut self) -> Result<W, WriteError<W::Error, EncodeErrorKind>> {
        self.output.usable()?;
        self.encoder.finish()?;
        // The matrix has no entries.
        self.write_header(self.is_first())?;
        self.output.close(Ok(()))?;
        Ok(self.into_parts().0)
    }

    /// Writes the header, if it is due.
    fn write_header(&mut self, is_due: bool) -> Written<W::Error, EncodeErrorKind> {
        if is_due { self.output.put(&self.encoder.header().to_bytes()) } else { Ok(()) }
    }
}
