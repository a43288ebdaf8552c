//! Decompressing the elements of a rank, which verifies them.

use linkstream::scda::logical::{ErrorKind, Section};
use linkstream::scda::{ElementUnpacker, PartDecoder};
use linkstream::{Error, Limits};

use super::joined::zeros;
use super::sizes::damaged;
use crate::error::Fault;

/// The texts of compressed elements.
#[derive(Debug, Clone, Copy)]
pub(super) struct Texts<'a> {
    /// Absolute offset of the first one.
    pub offset: u64,
    /// The texts, one after the other.
    pub bytes: &'a [u8],
    /// Length of each.
    pub lengths: &'a [u64],
}

/// Decompresses elements into their rooms. `decoder` is at their section.
///
/// # Errors
/// An element is damaged, or has another size than its room.
pub(super) fn unpack<'r>(
    decoder: &PartDecoder,
    texts: Texts<'_>,
    rooms: impl Iterator<Item = &'r mut [u8]>,
) -> Result<(), Fault> {
    let section = decoder.section();
    let mut unpacker = ElementUnpacker::new();
    let (mut offset, mut rest) = (texts.offset, texts.bytes);
    // Different sizes are reported at the end of all data, so that other damage comes first.
    let mut differs = Ok(());
    for (length, room) in texts.lengths.iter().zip(rooms) {
        let (text, after) = rest.split_at_checked(*length as usize).ok_or_else(Fault::elsewhere)?;
        rest = after;
        let size = size_of(&mut unpacker, section, text, offset, room).map_err(damaged)?;
        differs = differs.and(decoder.check_element(room.len() as u64, size));
        offset += length;
    }
    differs.map_err(damaged)
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
            let limit = Limits::bytes((text.len() as u64).saturating_mul(RATIO));
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
