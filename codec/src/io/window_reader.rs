//! The reader of the data of one of several processes.

use embedded_io::{Read, Seek};

use super::error::ReadError;
use super::positioned_read::PositionedRead;
use crate::bytes::prefix_mut;
use crate::counter::Counter as _;
use crate::error::Error;
use crate::scda::{ErrorKind, Window};

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
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example_disk.rs"));
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
