//! The reader of element sizes for one of several processes.

use embedded_io::{Read, Seek};

use crate::bytes::{prefix, prefix_mut, suffix_mut};
use crate::counter::Counter as _;
use crate::error::Error;
use crate::io::error::ReadError;
use crate::io::frame::Delivery;
use crate::io::positioned_read::PositionedRead;
use crate::scda::{COUNT_LEN, ErrorKind, SizeLines, Window};

/// Lines that are read at once.
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
    /// Sizes.
    delivery: Delivery,
}

impl<R> SizeReader<R> {
    /// A reader of these lines, from the first one that has not been read.
    pub const fn new(source: R, lines: SizeLines) -> Self {
        Self { source: PositionedRead::new(source), lines, delivery: Delivery::NONE }
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
    /// Reads the next sizes (in bytes) into the front of `out`, until it is full or none are left, and returns how
    /// many.
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
    /// Reads the next bytes into the front of `out`, until it is full or none are left, and returns how many.
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
