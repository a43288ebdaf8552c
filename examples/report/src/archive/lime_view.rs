//! A NERSC archive or MILC file, read as the LIME file that is made of it. The links are converted while they are read, so
//! that neither memory nor a temporary file holds them.

use std::cell::{Cell, RefCell};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::num::NonZero;
use std::ops::Range;

use linkstream::lattice::ByteOrder;
use linkstream_access::{Field, Selection, Verify};
use linkstream_memory as memory;

use super::as_lime::{AsLime, WritingError};

/// The LIME file.
#[derive(Debug)]
pub struct LimeView {
    /// The bytes before the data and those after them.
    before: Vec<u8>,
    after: Vec<u8>,
    links: Field,
    /// Number of bytes of the data, and of a plane of the lattice: the sites with the same two slowest coordinates.
    data: u64,
    plane: NonZero<u64>,
    at: u64,
    /// The plane that has been read last, and its number.
    window: Vec<u8>,
    number: Option<u64>,
}

impl LimeView {
    /// Makes the documents, and reads the links once for their checksum.
    ///
    /// # Errors
    /// The links cannot be read, or the documents cannot describe them.
    pub fn new(archive: &AsLime, links: Field, verify: Verify) -> Result<Self, WritingError> {
        let (place, kept) = (Cell::new(0..0), RefCell::default());
        let sink = Around { place: &place, at: 0, kept: &kept };
        archive.write(&links, verify, sink, |data| place.set(data))?;
        let (before, after) = kept.into_inner();
        let data = links.layout().data_length().unwrap_or(0);
        let planes: u64 = outer(&links).product();
        Ok(Self {
            before,
            after,
            links,
            data,
            plane: data.checked_div(planes).and_then(NonZero::new).unwrap_or(NonZero::<u64>::MIN),
            at: 0,
            window: Vec::new(),
            number: None,
        })
    }

    /// Offset of the record with the links.
    pub fn record(&self) -> u64 {
        (self.before.len() as u64).saturating_sub(linkstream::lime::HEADER_LEN as u64)
    }

    fn length(&self) -> u64 {
        (self.before.len() as u64).saturating_add(self.data).saturating_add(self.after.len() as u64)
    }

    /// The bytes of the links in the same plane, from an offset in the data on.
    fn links(&mut self, at: u64) -> io::Result<&[u8]> {
        let number = at / self.plane;
        if self.number != Some(number) {
            self.number = None;
            let length = usize::try_from(self.plane.get()).map_err(|_| io::ErrorKind::OutOfMemory)?;
            memory::resize(&mut self.window, length)?;
            let plane = plane(&self.links, number).ok_or(io::ErrorKind::InvalidInput)?;
            // They were verified when the file was made.
            let read = self.links.read_bytes(&plane, &mut self.window, ByteOrder::Big, Verify::No);
            let _ = read.map_err(io::Error::other)?;
            self.number = Some(number);
        }
        Ok(self.window.get((at % self.plane) as usize..).ok_or(io::ErrorKind::UnexpectedEof)?)
    }
}

/// Extents of the two slowest coordinates.
fn outer(links: &Field) -> impl Iterator<Item = u64> {
    links.array().sites().into_iter().take(2)
}

/// The sites of a plane; `None` if the lattice has no such plane.
fn plane(links: &Field, number: u64) -> Option<Selection> {
    let extents = links.array().sites();
    let mut ranges: Vec<_> = extents.iter().map(|extent| 0..*extent).collect();
    let mut rest = number;
    for (range, extent) in ranges.iter_mut().zip(&extents).take(2).rev() {
        let index = rest.checked_rem(*extent)?;
        rest = rest.checked_div(*extent)?;
        *range = index..index.checked_add(1)?;
    }
    Some(Selection::Block(ranges))
}

impl Read for LimeView {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let at = self.at;
        let begin = self.before.len() as u64;
        let mut bytes = if let Some(in_data) = at.checked_sub(begin) {
            match in_data.checked_sub(self.data) {
                None => self.links(in_data)?,
                Some(behind) => {
                    let from = usize::try_from(behind).unwrap_or(usize::MAX);
                    self.after.get(from..).unwrap_or_default()
                }
            }
        } else {
            self.before.get(at as usize..).unwrap_or_default()
        };
        // Reading from a slice copies as much as both have, and cannot fail.
        let n = bytes.read(out)?;
        self.at = at.saturating_add(n as u64);
        Ok(n)
    }
}

impl Seek for LimeView {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.length().checked_add_signed(by),
        };
        self.at = target.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

/// A sink that keeps what is written before and after the data.
struct Around<'k> {
    /// The place of the data, once it is known.
    place: &'k Cell<Range<u64>>,
    at: u64,
    kept: &'k RefCell<(Vec<u8>, Vec<u8>)>,
}

impl Write for Around<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let data = self.place.take();
        self.place.set(data.clone());
        let up_to = |end: u64| {
            let left = usize::try_from(end.saturating_sub(self.at)).unwrap_or(usize::MAX);
            left.min(bytes.len())
        };
        let mut kept = self.kept.borrow_mut();
        let n = if data.is_empty() {
            memory::extend(&mut kept.0, bytes)?;
            bytes.len()
        } else if self.at < data.start {
            let n = up_to(data.start);
            memory::extend(&mut kept.0, bytes.get(..n).unwrap_or(bytes))?;
            n
        } else if self.at < data.end {
            up_to(data.end)
        } else {
            memory::extend(&mut kept.1, bytes)?;
            bytes.len()
        };
        self.at = self.at.saturating_add(n as u64);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
