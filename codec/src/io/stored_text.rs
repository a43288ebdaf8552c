//! The text of an element that is compressed by storing it, piece by piece.

use core::convert::Infallible;

use super::pieces::{Piece, Pieces};
use crate::bytes::{prefix, suffix};
use crate::scda::logical::Encoder;
use crate::scda::{EncodeErrorKind, Stored, stored_length};

/// Bytes of text that are made at once.
const PIECE: usize = 512;

/// An element, as far as it is not written yet.
#[derive(Debug)]
pub(super) struct StoredText<'e> {
    stored: Stored,
    rest: &'e [u8],
    piece: [u8; PIECE],
}

impl<'e> StoredText<'e> {
    /// Refuses a text for which there is no room, so that no part of it is written.
    pub(super) fn new(encoder: &mut Encoder, element: &'e [u8]) -> Result<Self, EncodeErrorKind> {
        encoder.data(&[])?;
        let length = element.len() as u64;
        let (offered, room) = (stored_length(length).unwrap_or(u64::MAX), encoder.room());
        if offered > room {
            return Err(EncodeErrorKind::DataTooLong { offered, room });
        }
        Ok(Self { stored: Stored::new(length, encoder.style()), rest: element, piece: [0; PIECE] })
    }
}

impl Pieces<Encoder> for StoredText<'_> {
    type Callback = Infallible;

    fn next<'s>(&'s mut self, encoder: &'s mut Encoder) -> Piece<'s, EncodeErrorKind, Infallible> {
        if self.stored.is_done() {
            return Ok(None);
        }
        let (read, written) = self.stored.encode(self.rest, &mut self.piece);
        self.rest = suffix(self.rest, read);
        let piece = prefix(&self.piece, written);
        encoder.data(piece)?;
        Ok(Some(piece))
    }
}
