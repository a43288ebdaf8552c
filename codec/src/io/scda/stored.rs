//! Writing elements of compressed sections in stored blocks, without a compressor.

use core::convert::Infallible;

use embedded_io::Write;

use super::writer::{SectionWriter, Written};
use crate::bytes::{prefix, suffix};
use crate::encode::Encode as _;
use crate::io::writer::{NextPiece, Pieces};
use crate::scda::{EncodeErrorKind, Encoder, Stored, stored_length};

impl<W: Write> SectionWriter<W> {
    /// Writes the next element of a compressed section as "stored" deflate blocks, which are not actually compressed
    /// and need no compressor. The size of its text, given when the section was opened, must be
    /// [`stored_length`](crate::scda::stored_length) of its length.
    ///
    /// ```
    /// # let mut file = [0; 2048];
    /// # let mut writer = linkstream::io::SectionWriter::create(&mut file[..], linkstream::scda::Style::Unix);
    /// # writer.header(b"my program", b"an example")?;
    /// use linkstream::scda::stored_length;
    ///
    /// let text = stored_length(5).ok_or("too long")?;
    /// writer.compressed_block(b"block", 5.into(), text)?;
    /// writer.stored(b"hello")?;
    /// writer.end()?;
    /// writer.compressed_array(b"array", 1, 5.into(), [text])?;
    /// writer.stored(b"hello")?;
    /// writer.end()?;
    /// writer.compressed_varray(b"varray", 1, [5], [text])?;
    /// writer.stored(b"hello")?;
    /// writer.end()?;
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`SectionWriter::write`].
    pub fn stored(&mut self, element: &[u8]) -> Written<W::Error> {
        self.output.usable()?;
        let text = StoredText::new(&mut self.encoder, element)?;
        Ok(self.run(text)?)
    }
}

/// Number of text bytes that are encoded at once.
const PIECE: usize = 512;

/// The part of an element that has not been written yet.
#[derive(Debug)]
pub(super) struct StoredText<'e> {
    stored: Stored,
    rest: &'e [u8],
    piece: [u8; PIECE],
}

impl<'e> StoredText<'e> {
    /// Refuses a text that does not fit in the section, so that no part of it is written.
    pub(super) fn new(encoder: &mut Encoder, element: &'e [u8]) -> Result<Self, EncodeErrorKind> {
        encoder.put(&[])?;
        let length = element.len() as u64;
        let (offered, room) = (stored_length(length).unwrap_or(u64::MAX), encoder.room());
        if offered > room {
            return Err(EncodeErrorKind::DataTooLong { offered, room });
        }
        encoder.takes_element(length)?;
        Ok(Self { stored: Stored::new(length, encoder.style()), rest: element, piece: [0; PIECE] })
    }
}

impl Pieces<Encoder> for StoredText<'_> {
    type ErrorKind = EncodeErrorKind;
    type Callback = Infallible;

    fn next<'s>(&'s mut self, encoder: &'s mut Encoder) -> NextPiece<'s, EncodeErrorKind, Infallible> {
        if self.stored.is_done() {
            return Ok(None);
        }
        let (read, written) = self.stored.encode(self.rest, &mut self.piece);
        self.rest = suffix(self.rest, read);
        let bytes = prefix(&self.piece, written);
        encoder.put(bytes)?;
        Ok(Some(bytes))
    }
}
