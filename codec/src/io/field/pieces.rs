//! The pieces that the calls of [`FieldWriter`](crate::io::FieldWriter) write.

use core::convert::Infallible;

use super::source::sealed::Source;
use crate::bytes::prefix;
use crate::encode::Encode;
use crate::field::{BegunMessage, EncodeErrorKind, Encoder, OutgoingMessage, Want};
use crate::io::buffer::Buffer;
use crate::io::writer::{NextPiece, Pieces};

/// The encoder with its buffer.
#[derive(Debug)]
pub(super) struct Content<B> {
    pub(super) encoder: Encoder,
    pub(super) buffer: B,
}

impl<B> Encode for Content<B> {
    type ErrorKind = EncodeErrorKind;

    fn room(&self) -> u64 {
        self.encoder.room()
    }

    fn put(&mut self, payload: &[u8]) -> Result<(), EncodeErrorKind> {
        self.encoder.put(payload)
    }

    fn position(&self) -> u64 {
        self.encoder.position()
    }

    fn finish(&self) -> Result<(), EncodeErrorKind> {
        self.encoder.finish()
    }
}

impl<B: Buffer> Content<B> {
    /// Begins a message with data, or one without.
    pub(super) fn begin<'m>(
        &mut self,
        message: &OutgoingMessage<'m>,
        has_data: bool,
    ) -> Result<BegunMessage<'m>, EncodeErrorKind> {
        if message.has_data() != has_data {
            return Err(EncodeErrorKind::DataUnexpected);
        }
        self.encoder.begin(message, self.buffer.as_mut())
    }

    /// Resumes the open message to end it. Refused while data are missing.
    pub(super) fn resume<'m>(
        &mut self,
        message: &OutgoingMessage<'m>,
    ) -> Result<BegunMessage<'m>, EncodeErrorKind> {
        match (self.encoder.site(), self.encoder.room()) {
            (None, _) => Err(EncodeErrorKind::NoData),
            (Some(_), 0) => self.encoder.resume(message, self.buffer.as_mut()),
            (Some(_), missing) => Err(EncodeErrorKind::DataMissing { missing }),
        }
    }
}

/// The records of a message, up to its data or from there on. As many as fit into the buffer are one piece.
#[derive(Debug)]
pub(super) struct Documents<'m, 'd> {
    pub(super) begun: &'m BegunMessage<'d>,
    /// Stops before the data, even if they have no bytes.
    pub(super) before_data: bool,
}

impl<B: Buffer> Pieces<Content<B>> for Documents<'_, '_> {
    type ErrorKind = EncodeErrorKind;
    type Callback = Infallible;

    fn next<'s>(&'s mut self, content: &'s mut Content<B>) -> NextPiece<'s, EncodeErrorKind, Infallible> {
        if self.before_data && content.encoder.site().is_some() {
            return Ok(None);
        }
        let bytes = match content.encoder.stage_pieces(self.begun, content.buffer.as_mut())? {
            // The next piece is longer than the buffer, or there is none.
            0 => match content.encoder.next(self.begun, content.buffer.as_mut())? {
                Want::Bytes(bytes) => bytes,
                Want::Data(_) | Want::Nothing => return Ok(None),
            },
            length => prefix(content.buffer.as_ref(), length),
        };
        Ok(Some(bytes))
    }
}

/// The data of a field, or some of them.
#[derive(Debug)]
pub(super) struct Data<S>(pub(super) S);

impl<B: Buffer, S: Source> Pieces<Content<B>> for Data<S> {
    type ErrorKind = EncodeErrorKind;
    type Callback = S::Error;

    fn next<'s>(&'s mut self, content: &'s mut Content<B>) -> NextPiece<'s, EncodeErrorKind, S::Error> {
        self.0.next(&mut content.encoder, content.buffer.as_mut())
    }
}
