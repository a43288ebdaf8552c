//! Reads a run, which is a part of a volume whose sites are in ascending order: its site list and its data, in
//! parallel.

use linkstream::lattice::{Extents, Region};
use linkstream::volume::EntryWidth;

use crate::source::{ReadAtError, SharedSource, Source, fill};

/// Where a run is in its volume.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// Offset of its first entry in the file.
    pub list: u64,
    /// Number of its entries.
    pub entries: u64,
    /// Offset of the data of its first site.
    pub data: u64,
    /// Number of its sites that belong to the field.
    pub sites: u64,
}

/// A run that is being read. The rank of its next site has already been read.
pub struct Run<'s, E> {
    source: SharedSource<'s, E>,
    /// Index of the volume, for messages.
    pub volume: usize,
    width: EntryWidth,
    size: usize,
    list: Window,
    data: Window,
    /// Rank of the next site; `None` at the end.
    next: Option<u64>,
}

/// The sites that a field covers.
#[derive(Debug, Clone, Copy)]
pub struct Sites {
    pub extents: Extents,
    pub region: Region,
}

impl Sites {
    /// Whether the field has data at the site with this rank. Ranks outside the lattice count as part of a field that
    /// covers the whole lattice, where they are an error.
    pub fn contain(&self, rank: u64) -> bool {
        match &self.region {
            Region::Hypercube(cube) => {
                self.extents.coordinates(rank).is_some_and(|site| cube.contains(&site))
            }
            Region::Lattice | Region::Global => true,
        }
    }
}

impl<'s, E: embedded_io::Error + Send> Run<'s, E> {
    /// The run at its first site. `room` is the size of its buffers in bytes; they hold at least one site.
    pub fn new(
        source: SharedSource<'s, E>,
        volume: usize,
        place: &Place,
        width: EntryWidth,
        size: usize,
        sites: &Sites,
        room: usize,
    ) -> Result<Self, ReadAtError<E>> {
        let list = Window::new(place.list, place.entries * width.bytes() as u64, room / 16, width.bytes());
        let data = Window::new(place.data, place.sites * size as u64, room, size);
        let mut run = Self { source, volume, width, size, list, data, next: None };
        run.advance(sites)?;
        Ok(run)
    }

    pub const fn next(&self) -> Option<u64> {
        self.next
    }

    /// The data of the next site.
    pub fn site(&mut self) -> Result<&[u8], ReadAtError<E>> {
        self.data.have(&*self.source, self.size)?;
        Ok(self.data.front(self.size))
    }

    /// Skips the next site and goes to the one after it.
    pub fn step(&mut self, sites: &Sites) -> Result<(), ReadAtError<E>> {
        self.data.pass(self.size);
        self.advance(sites)
    }

    fn advance(&mut self, sites: &Sites) -> Result<(), ReadAtError<E>> {
        let width = self.width.bytes();
        self.next = None;
        while self.next.is_none() && !self.list.is_empty() {
            self.list.have(&*self.source, width)?;
            let rank = self.list.front(width).iter().fold(0, |rank, byte| rank << 8 | u64::from(*byte));
            self.list.pass(width);
            self.next = Some(rank).filter(|rank| sites.contain(*rank));
        }
        Ok(())
    }
}

/// A part of a file that is read in pieces.
struct Window {
    /// Offset of the bytes after those in the buffer.
    at: u64,
    /// Number of these bytes.
    left: u64,
    buffer: Vec<u8>,
    room: usize,
    from: usize,
}

impl Window {
    /// `item` is the number of bytes that are taken from the window at once.
    fn new(at: u64, left: u64, room: usize, item: usize) -> Self {
        let whole = (room / item.max(1)).max(1) * item;
        Self { at, left, buffer: Vec::new(), room: whole, from: 0 }
    }

    const fn is_empty(&self) -> bool {
        self.left == 0 && self.from == self.buffer.len()
    }

    /// Reads more unless `n` bytes are in the buffer.
    fn have<E: embedded_io::Error + Send>(
        &mut self,
        source: &dyn Source<Error = E>,
        n: usize,
    ) -> Result<(), ReadAtError<E>> {
        if self.buffer.len() - self.from >= n {
            return Ok(());
        }
        // The buffer has no incomplete items, so everything in it has been taken.
        let length = usize::try_from(self.left).map_or(self.room, |left| left.min(self.room));
        if length < n {
            return Err(ReadAtError::Ended);
        }
        self.buffer.resize(length, 0);
        self.from = 0;
        fill(source, self.at, &mut self.buffer)?;
        self.at += length as u64;
        self.left -= length as u64;
        Ok(())
    }

    fn front(&self, n: usize) -> &[u8] {
        &self.buffer[self.from..self.from + n]
    }

    /// Skips `n` bytes, in the buffer or after it.
    fn pass(&mut self, n: usize) {
        let buffered = n.min(self.buffer.len() - self.from);
        self.from += buffered;
        let further = ((n - buffered) as u64).min(self.left);
        self.at += further;
        self.left -= further;
    }
}
