//! What the calls of [`MatrixWriter`](super::MatrixWriter) write.

use core::convert::Infallible;

use super::pieces::{Piece, Pieces};
use crate::bytes::prefix;
use crate::encode::Encode;
use crate::inebin::{EncodeErrorKind, Encoder, HEADER_LEN, Value};

/// The encoder with its buffer, and the header, which is written with the first entries.
#[derive(Debug)]
pub(super) struct Matrix<'b> {
    pub(super) encoder: Encoder,
    pub(super) buffer: &'b mut [u8],
    pub(super) header: Option<[u8; HEADER_LEN]>,
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
        if self.header.is_some() { 0 } else { self.encoder.position() }
    }

    fn finish(&self) -> Result<(), EncodeErrorKind> {
        self.encoder.finish()
    }
}

/// The header, if it is not written yet.
#[derive(Debug)]
pub(super) struct Head(Option<[u8; HEADER_LEN]>);

impl Head {
    pub(super) const DUE: Self = Self(None);
}

impl Pieces<Matrix<'_>> for Head {
    type Callback = Infallible;

    fn next<'s>(&'s mut self, matrix: &'s mut Matrix<'_>) -> Piece<'s, EncodeErrorKind, Infallible> {
        self.0 = matrix.header.take();
        Ok(self.0.as_ref().map(|header| &header[..]))
    }
}

/// The entries that an iterator has.
#[derive(Debug)]
pub(super) struct Values<I>(pub(super) I);

impl<T: Value, I: Iterator<Item = T>> Pieces<Matrix<'_>> for Values<I> {
    type Callback = Infallible;

    fn next<'s>(&'s mut self, matrix: &'s mut Matrix<'_>) -> Piece<'s, EncodeErrorKind, Infallible> {
        let n = matrix.encoder.encode(&mut self.0, matrix.buffer)?;
        Ok((n > 0).then_some(prefix(matrix.buffer, n)))
    }
}
