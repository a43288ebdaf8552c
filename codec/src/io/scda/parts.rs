//! For one of several processes that write or read the same scda file: the writer of its part, and the readers of its
//! element sizes and of its data.

use embedded_io::{Read, Seek, Write};

use crate::bytes::{prefix, prefix_mut, suffix_mut};
use crate::counter::Counter as _;
use crate::error::Error;
use crate::io::error::{ReadError, WriteError};
use crate::io::frame::Delivery;
use crate::io::reader::PositionedRead;
use crate::io::sink::Positioned;
use crate::io::writer::{Lines, Writer};
use crate::scda::{
    COUNT_LEN, Count, DataPart, ElementPart, EncodeErrorKind, ErrorKind, PartEncoder, SizeLines, Window,
};

/// Result of a call that writes.
type Done<W> = Result<(), WriteError<<W as embedded_io::ErrorType>::Error, EncodeErrorKind>>;

/// Writes the part of one process (number `q`) into an scda file that all processes share, each through a sink of
/// its own (the same file opened by each, an MPI file view). Byte 0 of the sink is byte 0 of the file.
///
/// All processes make the same calls in the same order. Only the arguments that describe the part of the process
/// differ; see [`PartEncoder`]. They need not wait for each other. The result is the file that a single process would
/// write. A process without data makes the same calls, so that it knows the offset of the next section.
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
    /// The errors of [`PartWriter::header`].
    pub fn inline(&mut self, user: &[u8], root: usize) -> Done<W> {
        self.writer.piece(|encoder| encoder.inline(user, root))
    }

    /// Opens a block; see [`PartEncoder::block`].
    ///
    /// # Errors
    /// The errors of [`PartWriter::header`].
    pub fn block(&mut self, user: &[u8], e: Count, root: usize) -> Done<W> {
        self.writer.piece(|encoder| encoder.block(user, e, root))
    }

    /// Opens an array; see [`PartEncoder::array`].
    ///
    /// # Errors
    /// The errors of [`PartWriter::header`].
    pub fn array(&mut self, user: &[u8], e: Count, elements: &ElementPart) -> Done<W> {
        self.writer.piece(|encoder| encoder.array(user, e, elements))
    }

    /// Opens an array of variable element sizes; see [`PartEncoder::varray`].
    ///
    /// # Errors
    /// The errors of [`PartWriter::header`].
    pub fn varray(&mut self, user: &[u8], elements: &ElementPart, data: &DataPart) -> Done<W> {
        self.writer.piece(|encoder| encoder.varray(user, elements, data))
    }

    /// Writes the sizes, in bytes, of the next elements of this process: before, between or after their data. If a
    /// size is refused, those before it have been written.
    ///
    /// # Errors
    /// The errors of [`PartWriter::header`].
    pub fn sizes(&mut self, sizes: impl IntoIterator<Item = u64>) -> Done<W> {
        Ok(self.writer.run(Lines::new(sizes, PartEncoder::sizes_position, PartEncoder::size))?)
    }

    /// Writes the uncompressed sizes, in bytes, of the next elements of this process. They are the data of the
    /// section that precedes a compressed variable array. If a size is refused, those before it have been written.
    ///
    /// # Errors
    /// The errors of [`PartWriter::header`].
    pub fn uncompressed(&mut self, sizes: impl IntoIterator<Item = u64>) -> Done<W> {
        Ok(self.writer.run(Lines::new(sizes, PartEncoder::data_position, PartEncoder::uncompressed))?)
    }

    /// Writes the next bytes of this process's data.
    ///
    /// # Errors
    /// The bytes are more than its window has room for (nothing is written then), or the errors of
    /// [`PartWriter::header`].
    pub fn data(&mut self, bytes: &[u8]) -> Done<W> {
        self.writer.write(bytes)
    }

    /// Ends the section; see [`PartEncoder::end`].
    ///
    /// # Errors
    /// The errors of [`PartWriter::header`].
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

/// Number of lines that are read at once.
const LINES: usize = 16;

/// Reads element sizes of a variable array, one per line of the file, as selected by [`SizeLines`]. The source must
/// begin with the first byte of the file.
///
/// After an error the position is at the line that is invalid, missing, or could not be read. A call that has read no
/// size before it can be repeated; after others, reading continues with [`resume`](Self::resume).
///
/// Example: random access to one element. Its offset is the sum of the sizes before it.
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::io::{SizeReader, WindowReader};
/// use linkstream::scda::{ElementPart, Section, SectionType, SizeLines};
/// # use linkstream_example::Disk;
/// # let source = Disk::default();
/// # let file = b"\
/// #     V words ------------------------\
/// #     -------------------------------\n\
/// #     N 3 ---------------------------\n\
/// #     E 3 ---------------------------\n\
/// #     E 0 ---------------------------\n\
/// #     E 5 ---------------------------\n\
/// #     onethree\n=====================\n\n";
/// # source.bytes.borrow_mut().extend_from_slice(&[b'-'; 128]);
/// # source.bytes.borrow_mut().extend_from_slice(file);
///
/// let section =
///     Section { offset: 128, section_type: SectionType::Varray, n: 3.into(), e: 0.into() };
/// let before = ElementPart::new(0.into(), 2.into(), section.n)?;
/// let mut sizes = SizeReader::new(source, SizeLines::new(&section, &before)?);
/// let b = sizes.add_up()?;
///
/// let own = ElementPart::new(2.into(), 1.into(), section.n)?;
/// let mut sizes = SizeReader::new(sizes.into_parts().0, SizeLines::new(&section, &own)?);
/// let s = sizes.add_up()?;
///
/// let window = section.data_window(b, s)?;
/// let mut reader = WindowReader::new(sizes.into_parts().0, window);
/// let mut element = [0; 5];
/// reader.read(&mut element)?;
/// assert_eq!(&element, b"three");
/// # Ok(())
/// # }
/// # mod linkstream_example {
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs"));
/// # }
/// ```
#[derive(Debug)]
pub struct SizeReader<R> {
    source: PositionedRead<R>,
    lines: SizeLines,
    /// Number of sizes that an interrupted call has delivered.
    delivery: Delivery,
}

impl<R> SizeReader<R> {
    /// A reader of these lines, from the first one that has not been read.
    pub const fn new(source: R, lines: SizeLines) -> Self {
        Self { source: PositionedRead::new(source), lines, delivery: Delivery::NONE }
    }

    /// The lines: their sum so far, and how many are left.
    pub const fn lines(&self) -> &SizeLines {
        &self.lines
    }

    /// Returns the number of sizes that an interrupted call of [`read`](Self::read) has put into its slice, and lets
    /// reading continue after them. A call is interrupted by an error after the first size.
    ///
    /// ```
    /// use linkstream::io::{ReadError, SizeReader};
    /// use linkstream::scda::ErrorKind;
    ///
    /// /// Reads sizes from a source that may fail for a while.
    /// fn sizes<R: embedded_io::Read + embedded_io::Seek>(
    ///     reader: &mut SizeReader<R>,
    ///     out: &mut [u64],
    /// ) -> Result<usize, ReadError<R::Error, ErrorKind>> {
    ///     let mut done = 0;
    ///     loop {
    ///         match reader.read(&mut out[done..]) {
    ///             // The rest goes after what is in the slice.
    ///             Err(ReadError::Io(_)) => done += reader.resume(),
    ///             answer => return answer.map(|n| done + n),
    ///         }
    ///     }
    /// }
    /// ```
    #[must_use = "the next call must not overwrite what has been delivered"]
    pub const fn resume(&mut self) -> usize {
        self.delivery.end()
    }

    /// Returns the source and the lines that are left.
    pub fn into_parts(self) -> (R, SizeLines) {
        (self.source.into_inner(), self.lines)
    }
}

impl<R: Read + Seek> SizeReader<R> {
    /// Reads the next sizes (in bytes) into the front of `out`, until it is full or none are left, and returns their
    /// number.
    ///
    /// # Errors
    /// A line is invalid or missing, or the source failed. The sizes before it are in `out`, and
    /// [`resume`](Self::resume) returns their number; until then, [`ReadError::Interrupted`].
    pub fn read(&mut self, out: &mut [u64]) -> Result<usize, ReadError<R::Error, ErrorKind>> {
        self.delivery.begin()?;
        let mut delivery = Delivery::NONE;
        let mut outcome = Ok(());
        while delivery.done < out.len() && self.lines.left() > 0 && outcome.is_ok() {
            let rest = suffix_mut(out, delivery.done);
            let (most, mut rest) = (rest.len(), rest.iter_mut());
            outcome = self.some(most, |size| {
                if let Some(to) = rest.next() {
                    *to = size;
                    delivery.add(1);
                }
            });
        }
        match outcome {
            Ok(()) => Ok(delivery.end()),
            Err(error) => {
                self.delivery = delivery;
                Err(error)
            }
        }
    }

    /// Reads all lines that are left, and returns the sum of all lines, also of those read before.
    ///
    /// # Errors
    /// The errors of [`SizeReader::read`].
    pub fn add_up(&mut self) -> Result<u64, ReadError<R::Error, ErrorKind>> {
        while self.lines.left() > 0 {
            self.some(usize::MAX, |_| {})?;
        }
        Ok(self.lines.sum())
    }

    /// Reads some of the next sizes, at most `most`.
    fn some(&mut self, most: usize, mut each: impl FnMut(u64)) -> Result<(), ReadError<R::Error, ErrorKind>> {
        let mut lines = [[0; COUNT_LEN]; LINES];
        let most = most.min(usize::try_from(self.lines.left()).unwrap_or(usize::MAX));
        let room = prefix_mut(&mut lines, most.min(LINES)).as_flattened_mut();
        let wanted = room.len();
        let filled = self.source.fill(self.lines.position(), room).map_err(ReadError::Io)?;
        let there = prefix(lines.as_flattened(), filled);
        let (whole, part) = there.as_chunks();
        for line in whole {
            each(self.lines.size(line)?);
        }
        if filled < wanted {
            let at = self.lines.position().plus(part.len() as u64);
            let missing = self.lines.left();
            return Err(Error::new(at, ErrorKind::SizesTruncated { missing }).into());
        }
        Ok(())
    }
}

/// Reads the bytes of a window, a contiguous part of a file. The source must begin with the first byte of the file.
///
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::io::WindowReader;
/// use linkstream::scda::{ElementPart, Section, SectionType, RankExtent};
/// # use linkstream_example::Disk;
/// # let source = Disk::default();
/// # source.bytes.borrow_mut().extend_from_slice(&[b'-'; 256]);
/// # source.bytes.borrow_mut().extend_from_slice(b"abcdef\n========================\n\n");
///
/// // Process 1 of 2 reads one element of three, of 2 bytes each.
/// let section =
///     Section { offset: 128, section_type: SectionType::Array, n: 3.into(), e: 2.into() };
/// let share = RankExtent::array(1, &section, &ElementPart::of(1, [2, 1], section.n)?)?;
/// let mut reader = WindowReader::new(source, share.data());
/// let mut out = [0; 10];
/// assert_eq!(reader.read(&mut out)?, 2);
/// assert_eq!(&out[..2], b"ef");
/// assert_eq!(reader.read(&mut out)?, 0);
/// # Ok(())
/// # }
/// # mod linkstream_example {
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs"));
/// # }
/// ```
#[derive(Debug)]
pub struct WindowReader<R> {
    source: PositionedRead<R>,
    window: Window,
    left: u64,
}

impl<R> WindowReader<R> {
    /// A reader of this window.
    pub const fn new(source: R, window: Window) -> Self {
        Self { source: PositionedRead::new(source), window, left: window.length() }
    }

    /// Number of bytes that have not been read yet.
    pub const fn left(&self) -> u64 {
        self.left
    }

    /// Returns the source; its position is unspecified.
    pub fn into_inner(self) -> R {
        self.source.into_inner()
    }
}

impl<R: Read + Seek> WindowReader<R> {
    /// Reads the next bytes into the front of `out`, until it is full or none are left, and returns their number.
    ///
    /// # Errors
    /// The file ends inside the window (the position does not change then), or the source failed.
    pub fn read(&mut self, out: &mut [u8]) -> Result<usize, ReadError<R::Error, ErrorKind>> {
        let wanted = out.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let at = self.window.end().minus(self.left);
        let out = prefix_mut(out, wanted);
        let filled = self.source.fill(at, out).map_err(ReadError::Io)?;
        if filled < wanted {
            let missing = self.left.minus(filled as u64);
            let at = at.plus(filled as u64);
            return Err(Error::new(at, ErrorKind::DataTruncated { missing }).into());
        }
        self.left.take_away(wanted as u64);
        Ok(wanted)
    }
}
