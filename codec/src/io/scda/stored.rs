//! Writing elements of compressed sections in stored blocks, without a compressor.

use embedded_io::Write;

use super::writer::SectionWriter;
use crate::bytes::{prefix, suffix};
use crate::encode::Encode as _;
use crate::io::writer::Written;
use crate::scda::{EncodeErrorKind, Stored, stored_length};

/// Number of text bytes that are encoded at once.
const PIECE: usize = 512;

impl<W: Write> SectionWriter<W> {
    /// Writes the next element of a compressed section as "stored" deflate blocks, which are not actually compressed
    /// and need no compressor. The size of its text, given when the section was opened, must be
    /// [`stored_length`](crate::scda::stored_length) of its length.
    ///
    /// ```
    /// # let mut file = [0; 2048];
    /// # let mut writer = linkstream::io::SectionWriter::create(&mut file[..], linkstream::scda::Style::Unix);
    /// # writer.write_header(b"my program", b"an example")?;
    /// use linkstream::scda::stored_length;
    ///
    /// let text = stored_length(5).ok_or("too long")?;
    /// writer.begin_compressed_block(b"block", 5.into(), text)?;
    /// writer.put_stored(b"hello")?;
    /// writer.end()?;
    /// writer.begin_compressed_array(b"array", 1, 5.into(), [text])?;
    /// writer.put_stored(b"hello")?;
    /// writer.end()?;
    /// writer.begin_compressed_varray(b"varray", 1, [5], [text])?;
    /// writer.put_stored(b"hello")?;
    /// writer.end()?;
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// The size of an element of a variable array is compared only through the size of its text: an element of another size
    /// makes a later call or [`end`](Self::end) fail.
    ///
    /// # Errors
    /// The errors of [`put`](Self::put).
    pub fn put_stored(&mut self, element: &[u8]) -> Written<W::Error, EncodeErrorKind> {
        self.output.usable()?;
        // A text that does not fit in the section is refused, so that no part of it is written.
        self.encoder.put(&[])?;
        let length = element.len() as u64;
        let (offered, room) = (stored_length(length).unwrap_or(u64::MAX), self.encoder.room());
        if offered > room {
            return Err(EncodeErrorKind::DataTooLong { offered, room }.into());
        }
        self.encoder.takes_element(length)?;
        let (mut stored, mut rest) = (Stored::new(length, self.encoder.style()), element);
        let mut piece = [0; PIECE];
        while !stored.is_done() {
            let (read, written) = stored.encode(rest, &mut piece);
            rest = suffix(rest, read);
            self.put(prefix(&piece, written))?;
        }
        Ok(())
    }
}
