//! The reader of element sizes for one of several processes.

use embedded_io::{Read, Seek};

use super::error::ReadError;
use super::positioned_read::PositionedRead;
use crate::bytes::{prefix, prefix_mut};
use crate::counter::Counter as _;
use crate::error::Error;
use crate::scda::{COUNT_LEN, ErrorKind, SizeLines};

/// Lines that are read at once.
const LINES: usize = 16;

/// Reads element sizes of a variable array, one per line of the file, as selected by [`SizeLines`]. The source must
/// begin with the first byte of the file.
///
/// After an error the position is at the line that is invalid, missing, or could not be read, and the call can be
/// repeated.
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
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example_disk.rs"));
/// # }
/// ```
#[derive(Debug)]
pub struct SizeReader<R> {
    source: PositionedRead<R>,
    lines: SizeLines,
}

impl<R> SizeReader<R> {
    /// A reader of these lines, from the first one that has not been read.
    pub const fn new(source: R, lines: SizeLines) -> Self {
        Self { source: PositionedRead::new(source), lines }
    }

    /// The lines: their sum so far, and how many are left.
    ///
    /// ```
    /// use linkstream::io::SizeReader;
    ///
    /// fn left<R>(reader: &SizeReader<R>) -> u64 {
    ///     reader.lines().left()
    /// }
    /// ```
    pub const fn lines(&self) -> &SizeLines {
        &self.lines
    }

    /// Returns the source and the lines that are left.
    pub fn into_parts(self) -> (R, SizeLines) {
        (self.source.into_inner(), self.lines)
    }
}

impl<R: Read + Seek> SizeReader<R> {
    /// Reads the next sizes (in bytes) into the front of `out`, until it is full or none are left, and returns how
    /// many.
    ///
    /// # Errors
    /// A line is invalid or missing, or the source failed. The sizes before it are in `out`.
    pub fn read(&mut self, out: &mut [u64]) -> Result<usize, ReadError<R::Error, ErrorKind>> {
        let mut out = out.iter_mut();
        let wanted = out.len();
        while out.len() > 0 && self.lines.left() > 0 {
            self.some(out.len(), |size| {
                if let Some(to) = out.next() {
                    *to = size;
                }
            })?;
        }
        Ok(wanted.minus(out.len()))
    }

    /// Reads all lines that are left, and returns the sum of all lines, also of those read before.
    ///
    /// # Errors
    /// As [`SizeReader::read`].
    pub fn add_up(&mut self) -> Result<u64, ReadError<R::Error, ErrorKind>> {
        while self.lines.left() > 0 {
            self.some(usize::MAX, |_| {})?;
        }
        Ok(self.lines.sum())
    }

    /// Some of the next sizes, at most `most`.
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
