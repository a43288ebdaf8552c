//! The writer of INEBIN matrices.

use core::convert::Infallible;

use embedded_io::Write;

use crate::bytes::prefix;
use crate::counter::Counter as _;
use crate::encode::Encode as _;
use crate::inebin::{EncodeErrorKind, Encoder, HEADER_LEN, Header, Value};
use crate::io::buffer::Buffer;
use crate::io::error::WriteError;
use crate::io::writer::{NextPiece, Pieces, Writer};

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
/// writer.write([1.0, 1.5])?;
/// writer.write([65536.0])?;
/// writer.finish()?;
/// assert_eq!(&file[16..24], 1.0_f64.to_le_bytes());
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "what is written is complete when `finish` has returned `Ok`"]
pub struct MatrixWriter<W, B> {
    writer: Writer<W, Matrix<B>>,
}

type Written<E> = Result<(), WriteError<E, EncodeErrorKind>>;

impl<W, B: Buffer> MatrixWriter<W, B> {
    /// A writer of a new file. The header is written with the first bytes of entries, or by
    /// [`finish`](Self::finish). The buffer must not be empty.
    pub fn create(sink: W, buffer: B, header: &Header) -> Self {
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
    /// writer.rows(&[true, false, false, true, true, false, false, true, true, false])?;
    ///
    /// // Continue elsewhere, in the middle of a byte.
    /// let saved = writer.into_parts().1.save();
    /// let mut writer = MatrixWriter::with_encoder(rest, &mut buffer, Encoder::load(&saved)?);
    /// writer.rows(&[false, false, false, true, false])?;
    /// writer.finish()?;
    /// assert_eq!(&file, b"INEBIN\0B\x03\0\0\0\x05\0\0\0\x99\x21");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn with_encoder(sink: W, buffer: B, encoder: Encoder) -> Self {
        Self { writer: Writer::new(sink, Matrix::new(encoder, buffer)) }
    }

    /// The encoder, which holds the position.
    pub const fn encoder(&self) -> &Encoder {
        &self.writer.encoder().encoder
    }

    /// Returns the sink and the encoder, also in the middle of the matrix, so that writing can continue elsewhere.
    /// If no bytes of entries were written, neither was the header; [`with_encoder`](Self::with_encoder) writes it.
    pub fn into_parts(self) -> (W, Encoder) {
        let (sink, matrix) = self.writer.into_parts();
        (sink, matrix.encoder)
    }

    /// Checks that the buffer is not empty.
    fn has_buffer<E>(&self) -> Written<E> {
        if self.writer.encoder().buffer.as_ref().is_empty() { Err(WriteError::NoBuffer) } else { Ok(()) }
    }

    /// Checks that these are whole rows, and no more than the matrix has left.
    fn are_rows<E>(&self, values: usize) -> Written<E> {
        self.writer.output.usable()?;
        let columns = u64::from(self.encoder().header().columns());
        if values as u64 > self.encoder().left() {
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
    pub fn write<T: Value>(&mut self, values: impl IntoIterator<Item = T>) -> Written<W::Error> {
        self.has_buffer()?;
        Ok(self.writer.run(Values::new(values.into_iter()))?)
    }

    /// Writes one or more whole rows.
    ///
    /// # Errors
    /// The errors of [`write`](Self::write); [`EncodeErrorKind::TooFew`] if a row is incomplete. Nothing is written
    /// then, nor if there are too many rows.
    pub fn rows<T: Value>(&mut self, values: &[T]) -> Written<W::Error> {
        self.are_rows(values.len())?;
        self.write(values.iter().copied())
    }

    /// Writes entries as the bytes of the file (little-endian), in pieces of any size.
    ///
    /// ```
    /// use linkstream::inebin::{Header, MatrixType};
    /// use linkstream::io::MatrixWriter;
    ///
    /// let (mut file, mut buffer) = ([0; 32], [0; 64]);
    /// let mut writer = MatrixWriter::create(&mut file[..], &mut buffer, &Header::new(MatrixType::Integer, 1, 2)?);
    /// writer.write_raw(&1_i64.to_le_bytes())?;
    /// writer.write_raw(&2_i64.to_le_bytes())?;
    /// writer.finish()?;
    /// assert_eq!(file[16..], [1_i64, 2].map(i64::to_le_bytes).concat());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There are too many bytes, an entry given as a value is incomplete, or the sink failed.
    pub fn write_raw(&mut self, bytes: &[u8]) -> Written<W::Error> {
        Ok(self.writer.run(Raw::new(bytes))?)
    }

    /// Checks that the matrix is complete, flushes the sink and returns it.
    ///
    /// # Errors
    /// Entries are missing, or the sink failed.
    pub fn finish(mut self) -> Result<W, WriteError<W::Error, EncodeErrorKind>> {
        self.writer.run(LateHead::DUE)?;
        self.writer.close(|matrix| matrix.encoder.finish())?;
        Ok(self.into_parts().0)
    }
}

/// The encoder with its buffer. The header is written with the first bytes of entries, or at the end of a matrix that
/// has none.
#[derive(Debug)]
struct Matrix<B> {
    encoder: Encoder,
    buffer: B,
    /// The header has been written.
    is_headed: bool,
    /// Bytes of entries that the encoder has passed, and that are written after the header.
    held: usize,
}

impl<B: Buffer> Matrix<B> {
    fn new(encoder: Encoder, buffer: B) -> Self {
        let is_headed = encoder.position() > HEADER_LEN as u64;
        Self { encoder, buffer, is_headed, held: 0 }
    }

    /// The header, if bytes that the encoder has passed are the first after it.
    fn head(&mut self) -> Option<[u8; HEADER_LEN]> {
        if self.is_headed || self.held == 0 {
            return None;
        }
        self.is_headed = true;
        Some(self.encoder.header().to_bytes())
    }

    /// Number of the bytes of entries to write now.
    fn release(&mut self) -> Option<usize> {
        Some(core::mem::replace(&mut self.held, 0)).filter(|n| *n > 0)
    }
}

/// The header of a matrix that ends without entries.
#[derive(Debug)]
struct LateHead(Option<[u8; HEADER_LEN]>);

impl LateHead {
    const DUE: Self = Self(None);
}

impl<B: Buffer> Pieces<Matrix<B>> for LateHead {
    type ErrorKind = EncodeErrorKind;
    type Callback = Infallible;

    fn next<'s>(&'s mut self, matrix: &'s mut Matrix<B>) -> NextPiece<'s, EncodeErrorKind, Infallible> {
        matrix.encoder.finish()?;
        if core::mem::replace(&mut matrix.is_headed, true) {
            return Ok(None);
        }
        let head = self.0.insert(matrix.encoder.header().to_bytes());
        Ok(Some(head))
    }
}

/// The entries that an iterator has.
#[derive(Debug)]
struct Values<I> {
    values: I,
    head: Option<[u8; HEADER_LEN]>,
}

impl<I> Values<I> {
    const fn new(values: I) -> Self {
        Self { values, head: None }
    }
}

impl<B: Buffer, T: Value, I: Iterator<Item = T>> Pieces<Matrix<B>> for Values<I> {
    type ErrorKind = EncodeErrorKind;
    type Callback = Infallible;

    fn next<'s>(&'s mut self, matrix: &'s mut Matrix<B>) -> NextPiece<'s, EncodeErrorKind, Infallible> {
        if matrix.held == 0 {
            matrix.held = matrix.encoder.encode(&mut self.values, matrix.buffer.as_mut())?;
            self.head = matrix.head();
            if let Some(head) = &self.head {
                return Ok(Some(head));
            }
        }
        let released = matrix.release();
        Ok(released.map(|n| prefix(matrix.buffer.as_ref(), n)))
    }
}

/// Entries as bytes of the caller's.
#[derive(Debug)]
struct Raw<'r> {
    bytes: &'r [u8],
    is_passed: bool,
    head: Option<[u8; HEADER_LEN]>,
}

impl<'r> Raw<'r> {
    const fn new(bytes: &'r [u8]) -> Self {
        Self { bytes, is_passed: false, head: None }
    }
}

impl<B: Buffer> Pieces<Matrix<B>> for Raw<'_> {
    type ErrorKind = EncodeErrorKind;
    type Callback = Infallible;

    fn next<'s>(&'s mut self, matrix: &'s mut Matrix<B>) -> NextPiece<'s, EncodeErrorKind, Infallible> {
        if !self.is_passed {
            matrix.encoder.put(self.bytes)?;
            self.is_passed = true;
            matrix.held = self.bytes.len();
            self.head = matrix.head();
            if let Some(head) = &self.head {
                return Ok(Some(head));
            }
        }
        Ok(matrix.release().map(|_| self.bytes))
    }
}
