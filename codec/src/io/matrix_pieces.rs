//! What the calls of [`MatrixWriter`](super::MatrixWriter) write.

use core::convert::Infallible;

use super::pieces::{Piece, Pieces};
use crate::bytes::prefix;
use crate::counter::Counter as _;
use crate::encode::Encode;
use crate::inebin::{EncodeErrorKind, Encoder, HEADER_LEN, Value};

/// The encoder with its buffer. The header is written with the first bytes of entries, or at the end of a matrix that
/// has none.
#[derive(Debug)]
pub(super) struct Matrix<'b> {
    pub(super) encoder: Encoder,
    pub(super) buffer: &'b mut [u8],
    /// The header has been written.
    is_headed: bool,
    /// Bytes of entries that the encoder has passed, and that are written after the header.
    held: usize,
}

impl<'b> Matrix<'b> {
    pub(super) const fn new(encoder: Encoder, buffer: &'b mut [u8]) -> Self {
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

    /// How many bytes of entries are to be written now.
    const fn release(&mut self) -> usize {
        core::mem::replace(&mut self.held, 0)
    }
}

impl Encode for Matrix<'_> {
    type ErrorKind = EncodeErrorKind;

    fn room(&self) -> u64 {
        Encode::room(&self.encoder)
    }

    fn put(&mut self, payload: &[u8]) -> Result<(), EncodeErrorKind> {
        self.encoder.raw(payload)
    }

    fn position(&self) -> u64 {
        if self.is_headed { self.encoder.position().minus(self.held as u64) } else { 0 }
    }

    fn finish(&self) -> Result<(), EncodeErrorKind> {
        self.encoder.finish()
    }
}

/// The header of a matrix that ends without entries.
#[derive(Debug)]
pub(super) struct LateHead(Option<[u8; HEADER_LEN]>);

impl LateHead {
    pub(super) const DUE: Self = Self(None);
}

impl Pieces<Matrix<'_>> for LateHead {
    type Callback = Infallible;

    fn next<'s>(&'s mut self, matrix: &'s mut Matrix<'_>) -> Piece<'s, EncodeErrorKind, Infallible> {
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
pub(super) struct Values<I> {
    values: I,
    head: Option<[u8; HEADER_LEN]>,
}

impl<I> Values<I> {
    pub(super) const fn new(values: I) -> Self {
        Self { values, head: None }
    }
}

impl<T: Value, I: Iterator<Item = T>> Pieces<Matrix<'_>> for Values<I> {
    type Callback = Infallible;

    fn next<'s>(&'s mut self, matrix: &'s mut Matrix<'_>) -> Piece<'s, EncodeErrorKind, Infallible> {
        if matrix.held == 0 {
            matrix.held = matrix.encoder.encode(&mut self.values, matrix.buffer)?;
            self.head = matrix.head();
            if let Some(head) = &self.head {
                return Ok(Some(head));
            }
        }
        let n = matrix.release();
        Ok((n > 0).then_some(prefix(matrix.buffer, n)))
    }
}

/// Entries as bytes of the caller's.
#[derive(Debug)]
pub(super) struct Raw<'r> {
    bytes: &'r [u8],
    is_passed: bool,
    head: Option<[u8; HEADER_LEN]>,
}

impl<'r> Raw<'r> {
    pub(super) const fn new(bytes: &'r [u8]) -> Self {
        Self { bytes, is_passed: false, head: None }
    }
}

impl Pieces<Matrix<'_>> for Raw<'_> {
    type Callback = Infallible;

    fn next<'s>(&'s mut self, matrix: &'s mut Matrix<'_>) -> Piece<'s, EncodeErrorKind, Infallible> {
        if !self.is_passed {
            matrix.encoder.raw(self.bytes)?;
            self.is_passed = true;
            matrix.held = self.bytes.len();
            self.head = matrix.head();
            if let Some(head) = &self.head {
                return Ok(Some(head));
            }
        }
        let n = matrix.release();
        Ok((n > 0).then_some(self.bytes))
    }
}
