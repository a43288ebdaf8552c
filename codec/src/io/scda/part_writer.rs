//! The writer for one of several processes that write the same scda file.

use embedded_io::{Seek, Write};

use crate::io::error::WriteError;
use crate::io::sink::Positioned;
use crate::io::writer::{Lines, Writer};
use crate::scda::{Count, DataPart, ElementPart, EncodeErrorKind, PartEncoder};

/// Result of a call that writes.
type Done<W> = Result<(), WriteError<<W as embedded_io::ErrorType>::Error, EncodeErrorKind>>;

/// Writes the part of one process (number `q`) into an scda file that all processes share, each through a sink of
/// its own (the same file opened by each, an MPI file view). Byte 0 of the sink is byte 0 of the file.
///
/// All processes make the same calls in the same order, with the same arguments except those that describe the part
/// of the process; see [`PartEncoder`]. They need not wait for each other. The result is the file that a single
/// process would write. A process without data makes the same calls, so that it knows where the next section begins.
///
/// Short and interrupted writes are continued; a sink that accepts no bytes is an error ([`WriteError::WriteZero`]).
/// After an error of the sink, every call returns [`WriteError::Broken`]. A call that the encoder refuses writes
/// nothing and changes nothing.
///
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::io::PartWriter;
/// use linkstream::scda::{DataPart, ElementPart, PartEncoder, Style};
/// # use linkstream_example::Disk;
///
/// # let disk = Disk::default();
/// // Process 1 has "one" and "", process 0 has nothing, process 2 has "three".
/// for (q, sizes, data) in [(1, &[3, 0][..], &b"one"[..]), (0, &[], b""), (2, &[5], b"three")] {
///     let mut writer = PartWriter::new(disk.clone(), PartEncoder::new(q, Style::Unix));
///     writer.header(b"libsc", b"demo")?;
///     let elements = ElementPart::of(q, [0, 2, 1], 3.into())?;
///     writer.varray(b"words", &elements, &DataPart::of(q, [0, 3, 5])?)?;
///     writer.sizes(sizes.iter().copied())?;
///     writer.data(data)?;
///     writer.end()?;
///     writer.finish()?;
/// }
/// assert!(disk.bytes.borrow().ends_with(b"onethree\n=====================\n\n"));
/// # Ok(())
/// # }
/// # mod linkstream_example {
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs"));
/// # }
/// ```
#[derive(Debug)]
#[must_use = "what is written is complete when `finish` has returned `Ok`"]
pub struct PartWriter<W> {
    writer: Writer<Positioned<W>, PartEncoder>,
}

impl<W> PartWriter<W> {
    /// A writer that continues in `sink` at the position of `encoder`.
    pub const fn new(sink: W, encoder: PartEncoder) -> Self {
        Self { writer: Writer::new(Positioned::new(sink), encoder) }
    }

    /// The encoder, which holds the positions and the current windows.
    pub const fn encoder(&self) -> &PartEncoder {
        self.writer.encoder()
    }

    /// Returns the sink and the encoder, also in the middle of a section, so that writing can continue elsewhere.
    pub fn into_parts(self) -> (W, PartEncoder) {
        let (sink, encoder) = self.writer.into_parts();
        (sink.into_inner(), encoder)
    }
}

impl<W: Write + Seek> PartWriter<W> {
    /// Writes the file header; see [`PartEncoder::header`].
    ///
    /// # Errors
    /// The encoder refused the call and nothing was written, or the sink failed.
    pub fn header(&mut self, vendor: &[u8], user: &[u8]) -> Done<W> {
        self.writer.piece(|encoder| encoder.header(vendor, user))
    }

    /// Opens an inline section; see [`PartEncoder::inline`].
    ///
    /// # Errors
    /// As [`PartWriter::header`].
    pub fn inline(&mut self, user: &[u8], root: usize) -> Done<W> {
        self.writer.piece(|encoder| encoder.inline(user, root))
    }

    /// Opens a block; see [`PartEncoder::block`].
    ///
    /// # Errors
    /// As [`PartWriter::header`].
    pub fn block(&mut self, user: &[u8], e: Count, root: usize) -> Done<W> {
        self.writer.piece(|encoder| encoder.block(user, e, root))
    }

    /// Opens an array; see [`PartEncoder::array`].
    ///
    /// # Errors
    /// As [`PartWriter::header`].
    pub fn array(&mut self, user: &[u8], e: Count, elements: &ElementPart) -> Done<W> {
        self.writer.piece(|encoder| encoder.array(user, e, elements))
    }

    /// Opens an array of variable element sizes; see [`PartEncoder::varray`].
    ///
    /// # Errors
    /// As [`PartWriter::header`].
    pub fn varray(&mut self, user: &[u8], elements: &ElementPart, data: &DataPart) -> Done<W> {
        self.writer.piece(|encoder| encoder.varray(user, elements, data))
    }

    /// Writes the sizes, in bytes, of the next elements of this process: before, between or after their data. If a
    /// size is refused, those before it have been written.
    ///
    /// # Errors
    /// As [`PartWriter::header`].
    pub fn sizes(&mut self, sizes: impl IntoIterator<Item = u64>) -> Done<W> {
        Ok(self.writer.run(Lines::new(sizes, PartEncoder::sizes_position, PartEncoder::size))?)
    }

    /// Writes the uncompressed sizes, in bytes, of the next elements of this process. They are the data of the
    /// section that precedes a compressed variable array. If a size is refused, those before it have been written.
    ///
    /// # Errors
    /// As [`PartWriter::header`].
    pub fn uncompressed(&mut self, sizes: impl IntoIterator<Item = u64>) -> Done<W> {
        Ok(self.writer.run(Lines::new(sizes, PartEncoder::data_position, PartEncoder::uncompressed))?)
    }

    /// Writes the next bytes of this process's data.
    ///
    /// # Errors
    /// The bytes are more than its window has room for (nothing is written then), or as [`PartWriter::header`].
    pub fn data(&mut self, bytes: &[u8]) -> Done<W> {
        self.writer.write(bytes)
    }

    /// Ends the section; see [`PartEncoder::end`].
    ///
    /// # Errors
    /// As [`PartWriter::header`].
    pub fn end(&mut self) -> Done<W> {
        self.writer.piece(|encoder| encoder.end())
    }

    /// Checks that the file can end here, flushes the sink and returns it. Call it after the last write.
    ///
    /// # Errors
    /// A section is still open, or the sink failed.
    pub fn finish(mut self) -> Result<W, WriteError<W::Error, EncodeErrorKind>> {
        self.complete()?;
        Ok(self.into_parts().0)
    }

    /// Does the same for a writer that is borrowed. A refused call changes nothing.
    ///
    /// # Errors
    /// A section is still open, or the sink failed.
    pub fn complete(&mut self) -> Done<W> {
        self.writer.complete()
    }
}
