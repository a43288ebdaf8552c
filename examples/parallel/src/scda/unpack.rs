//! Decompressing the elements of a rank, which verifies them.

use linkstream::scda::{ElementUnpacker, ErrorKind, Section};
use linkstream::{Error, Limits};

use super::joined::zeros;
use super::parts::PartDecoder;
use super::sizes::damaged;
use crate::error::Fault;

/// Decompressing elements, in the order of the file.
#[derive(Debug)]
pub(super) struct Unpacking<'d> {
    decoder: &'d PartDecoder,
    unpacker: ElementUnpacker,
    /// Absolute offset of the next text.
    offset: u64,
    /// Different sizes are reported at the end of all data, so that other damage comes first.
    differs: Result<(), Error<ErrorKind>>,
}

impl<'d> Unpacking<'d> {
    /// `decoder` is at the section, and `offset` is the absolute offset of the first text.
    pub fn new(decoder: &'d PartDecoder, offset: u64) -> Self {
        Self { decoder, unpacker: ElementUnpacker::new(), offset, differs: Ok(()) }
    }

    /// Absolute offset of the next text.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Decompresses elements into their rooms: `texts` are their texts, one after the other, with these lengths.
    ///
    /// # Errors
    /// An element is damaged.
    pub fn unpack(
        &mut self,
        texts: &[u8],
        lengths: &[u64],
        rooms: &mut dyn Iterator<Item = &'_ mut [u8]>,
    ) -> Result<(), Fault> {
        let mut rest = texts;
        for (length, room) in lengths.iter().zip(rooms) {
            let (text, after) = rest.split_at_checked(*length as usize).ok_or_else(Fault::elsewhere)?;
            rest = after;
            let section = self.decoder.section();
            let size = size_of(&mut self.unpacker, section, text, self.offset, room).map_err(damaged)?;
            let checked = self.decoder.check_element(room.len() as u64, size);
            if self.differs.is_ok() {
                self.differs = checked;
            }
            self.offset += length;
        }
        Ok(())
    }

    /// # Errors
    /// An element has another size than its room.
    pub fn finish(self) -> Result<(), Fault> {
        self.differs.map_err(damaged)
    }
}

/// Decompresses an element, and returns its size. An element that is larger than its room is decompressed elsewhere:
/// what is wrong with it may be more than its size.
fn size_of(
    unpacker: &mut ElementUnpacker,
    section: &Section,
    text: &[u8],
    offset: u64,
    room: &mut [u8],
) -> Result<u64, Error<ErrorKind>> {
    /// Largest ratio of sizes of data and their zlib stream.
    const RATIO: u64 = 1032;
    match unpacker.unpack(section, text, offset, room) {
        Ok(size) => Ok(size as u64),
        Err(Error { kind: ErrorKind::BufferTooSmall { needed }, .. }) => {
            let limit = Limits::new((text.len() as u64).saturating_mul(RATIO));
            let Ok(mut larger) = limit.check(needed).map_or(Ok(Vec::new()), zeros) else { return Ok(needed) };
            match unpacker.unpack(section, text, offset, &mut larger) {
                Ok(size) => Ok(size as u64),
                Err(Error { kind: ErrorKind::BufferTooSmall { .. }, .. }) => Ok(needed),
                Err(error) => Err(error),
            }
        }
        Err(error) => Err(error),
    }
}
