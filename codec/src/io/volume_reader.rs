//! Reads one volume of a set: its site list and its data side by side.

use embedded_io::{Read, Seek};

use super::error::ReadError;
use super::positioned_read::PositionedRead;
use crate::bytes::{copy, prefix, suffix, suffix_mut};
use crate::callback::{CallbackError, Outcome};
use crate::counter::{Counter as _, at_most};
use crate::lattice::Checksum;
use crate::step::{Decode as _, Demand, SeekPayload as _};
use crate::volume::{Decoder, ErrorKind, Event, SiteStream};

/// Reads a volume from a source that can seek. The site list is read again beside the data, so that no memory grows with it:
/// two buffers are lent, one for a window of the list, and one that holds at least a site.
///
/// A set is read one volume after the other, in any order but for the first volume, which describes the fields:
///
/// ```
/// use linkstream::Mode;
/// use linkstream::io::VolumeReader;
/// use linkstream::volume::{Decoder, Event, Tally};
/// # fn read(files: [linkstream_example::Disk; 2]) -> Result<(), Box<dyn core::error::Error>> {
/// let mut fields = Vec::new();
/// for file in files {
///     let (mut list, mut buffer) = ([0; 512], [0; 4096]);
///     let mut volume = VolumeReader::new(file, Decoder::new(Mode::Strict), &mut list, &mut buffer);
///     let (mut number, is_first) = (0, fields.is_empty());
///     if let Some((field, _, _)) = fields.first() {
///         volume.decoder_mut().expect_field(field);
///     }
///     while let Some(event) = volume.next()? {
///         match (event, volume.decoder().field().copied()) {
///             (Event::Field, Some(field)) => {
///                 if is_first {
///                     fields.push((field, Tally::new(&field), None));
///                 }
///                 // Each site with its rank, in the order of the list.
///                 let (sites, checksum) = volume.for_each_site(|rank, bytes| println!("{rank}: {bytes:?}"))?;
///                 if let Some((_, tally, _)) = fields.get_mut(number) {
///                     tally.add(sites, checksum);
///                 }
///                 number += 1;
///             }
///             (Event::Checksum, _) => {
///                 if let Some((_, _, stored)) = fields.last_mut() {
///                     *stored = Some(volume.decoder().stored_checksum().clone());
///                 }
///             }
///             (Event::End, _) if !is_first => {
///                 if let Some((field, _, _)) = fields.get(number).filter(|_| number > 0) {
///                     volume.decoder_mut().expect_field(field);
///                 }
///             }
///             _ => {}
///         }
///     }
///     volume.for_each_rank(|rank| println!("site {rank}"))?;
/// }
/// for (_, tally, stored) in &fields {
///     assert!(stored.as_ref().is_some_and(|stored| tally.verdict(stored).is_match()));
/// }
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example_disk.rs")); }
/// ```
#[derive(Debug)]
pub struct VolumeReader<'b, R> {
    source: PositionedRead<R>,
    decoder: Decoder,
    list: &'b mut [u8],
    buffer: &'b mut [u8],
    /// Bytes in the buffer that are read and not consumed, from the decoder's position on.
    from: usize,
    to: usize,
}

type VolumeError<E> = ReadError<E, ErrorKind>;

impl<'b, R> VolumeReader<'b, R> {
    /// A reader of a volume that begins where the source does.
    pub const fn new(source: R, decoder: Decoder, list: &'b mut [u8], buffer: &'b mut [u8]) -> Self {
        Self { source: PositionedRead::new(source), decoder, list, buffer, from: 0, to: 0 }
    }

    /// The decoder, which has the present record and field, and the site list.
    pub const fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    /// The decoder, for [`Decoder::expect_field`]. Input must only come from the reader.
    pub const fn decoder_mut(&mut self) -> &mut Decoder {
        &mut self.decoder
    }

    /// Gives back the source and the decoder; the position of the source is unspecified.
    ///
    /// ```
    /// use linkstream::io::VolumeReader;
    /// use linkstream::volume::Decoder;
    /// use linkstream::{Decode, Mode};
    ///
    /// let (mut list, mut buffer) = ([0; 8], [0; 8]);
    /// let reader = VolumeReader::new((), Decoder::new(Mode::Strict), &mut list, &mut buffer);
    /// let ((), decoder) = reader.into_parts();
    /// assert_eq!(decoder.position(), 0);
    /// ```
    pub fn into_parts(self) -> (R, Decoder) {
        (self.source.into_inner(), self.decoder)
    }
}

impl<R: Read + Seek> VolumeReader<'_, R> {
    /// The next event; `None` at the end of the volume. Data that were not read by [`for_each_site`](Self::for_each_site) are
    /// passed over.
    ///
    /// # Errors
    /// The source failed, or the file is wrong.
    #[allow(clippy::should_implement_trait, reason = "an iterator could not lend the decoder")]
    pub fn next(&mut self) -> Result<Option<Event>, VolumeError<R::Error>> {
        loop {
            if let Demand::Skip(n) = self.decoder.demand() {
                self.pass(n)?;
            }
            let input = self.buffer.get(self.from..self.to).unwrap_or_default();
            let available = input.len();
            let step = self.decoder.push(input)?;
            self.from = self.from.plus(step.consumed);
            if step.event.is_some() {
                return Ok(step.event);
            }
            if available > 0 {
                continue;
            }
            if self.buffer.is_empty() {
                return Err(ReadError::NoBuffer);
            }
            let n = self.source.fill(self.decoder.position(), self.buffer).map_err(ReadError::Io)?;
            (self.from, self.to) = (0, n);
            if n == 0 {
                return Ok(self.decoder.finish()?);
            }
        }
    }

    /// Passes over `n` bytes of payload, to the end of the source at most.
    fn pass(&mut self, n: u64) -> Result<(), VolumeError<R::Error>> {
        let end = self.source.end().map_err(ReadError::Io)?;
        let there = end.saturating_sub(self.decoder.position());
        self.move_by(n.min(there))
    }

    fn move_by(&mut self, n: u64) -> Result<(), VolumeError<R::Error>> {
        self.decoder.skip(n)?;
        let unread = self.to.minus(self.from);
        self.from = self.from.plus(at_most(n, unread));
        Ok(())
    }

    /// Passes the data of the field that has just begun to the callback: the rank of each site, and its bytes. Returns how
    /// many sites the volume has of the field, and their checksum.
    ///
    /// # Errors
    /// The source failed, or ends inside of the data; the data have another number of sites than the list. The buffer is
    /// smaller than a site ([`ReadError::TooSmall`]). The callback's.
    #[allow(clippy::type_complexity, reason = "two results, or two errors")]
    pub fn for_each_site<O: Outcome>(
        &mut self,
        mut each: impl FnMut(u64, &[u8]) -> O,
    ) -> Result<(u64, Checksum), CallbackError<VolumeError<R::Error>, O::Error>> {
        let field = *self.decoder.field().ok_or(ReadError::NotOpen)?;
        let place = self.decoder.content().lime().payload_position();
        let (Some(0), Some(list)) = (place, self.decoder.site_list()) else {
            return Err(ReadError::NotOpen.into());
        };
        let size = usize::try_from(field.bytes_per_site).ok().filter(|size| *size <= self.buffer.len());
        let Some(size) = size.filter(|size| *size > 0) else {
            return Err(ReadError::TooSmall { needed: field.bytes_per_site.max(1) }.into());
        };
        let mut window = Window { at: list.payload_offset(), left: list.length, from: 0, to: 0 };
        let mut stream = SiteStream::new(&field, self.decoder.entry_width());
        let mut left = field.record.length;
        // Whole sites lie in the buffer from `from` on.
        (self.from, self.to) = (0, 0);
        while left > 0 {
            let position = self.decoder.position();
            let rest = self.buffer.get(self.from..self.to).unwrap_or_default();
            if rest.len() < size {
                let kept = rest.len();
                self.buffer.copy_within(self.from..self.to, 0);
                let room = at_most(left.minus(kept as u64), self.buffer.len().minus(kept));
                let place = prefix_of(suffix_mut(self.buffer, kept), room);
                let n = self.source.fill(position.plus(kept as u64), place).map_err(ReadError::Io)?;
                (self.from, self.to) = (0, kept.plus(n));
                if n == 0 {
                    // The decoder reports what is missing.
                    self.decoder.skip(kept as u64).map_err(ReadError::from)?;
                    let error = self.decoder.finish().err().map_or(ReadError::NoProgress, ReadError::from);
                    return Err(error.into());
                }
                continue;
            }
            let (entries, site) = (window.bytes(self.list), prefix(rest, size));
            let step = stream.push(entries, site);
            window.from = window.from.plus(step.list);
            match step.piece {
                Some(piece) => {
                    let outcome = each(piece.rank, site).into_result();
                    self.from = self.from.plus(size);
                    self.decoder.skip(size as u64).map_err(ReadError::from)?;
                    left.take_away(size as u64);
                    match outcome {
                        Ok(core::ops::ControlFlow::Continue(())) => {}
                        Ok(core::ops::ControlFlow::Break(())) => break,
                        Err(error) => return Err(CallbackError::Callback(error)),
                    }
                }
                None if window.fill(&mut self.source, self.list)? => {}
                None => break,
            }
        }
        if left == 0 {
            while window.fill(&mut self.source, self.list)? || window.from < window.to {
                let step = stream.push(window.bytes(self.list), &[]);
                window.from = window.from.plus(step.list);
                if step.list == 0 {
                    break;
                }
            }
        }
        match stream.fault(left) {
            Some(kind) if left == 0 || window.left == 0 && window.from == window.to => {
                Err(ReadError::Format(crate::Error::new(field.record.offset, kind)).into())
            }
            _ => Ok((stream.sites(), stream.checksum())),
        }
    }

    /// Passes the rank of each site of the list to the callback, once the list is known.
    ///
    /// # Errors
    /// The source failed, or ends inside the list. There is no list ([`ReadError::NotOpen`]). The callback's.
    pub fn for_each_rank<O: Outcome>(
        &mut self,
        mut each: impl FnMut(u64) -> O,
    ) -> Result<(), CallbackError<VolumeError<R::Error>, O::Error>> {
        let list = self.decoder.site_list().ok_or(ReadError::NotOpen)?;
        let width = self.decoder.entry_width();
        let mut window = Window { at: list.payload_offset(), left: list.length, from: 0, to: 0 };
        let (mut entry, mut filled) = ([0; 8], 0_usize);
        while window.fill(&mut self.source, self.list)? || window.from < window.to {
            let n = copy(
                prefix_of(suffix_mut(&mut entry, filled), width.bytes().minus(filled)),
                window.bytes(self.list),
            );
            filled.increase(n);
            window.from = window.from.plus(n);
            if filled < width.bytes() {
                continue;
            }
            filled = 0;
            let Some(rank) = width.rank(prefix(&entry, width.bytes())) else { continue };
            match each(rank).into_result() {
                Ok(core::ops::ControlFlow::Continue(())) => {}
                Ok(core::ops::ControlFlow::Break(())) => break,
                Err(error) => return Err(CallbackError::Callback(error)),
            }
        }
        Ok(())
    }
}

/// At most the first `n` bytes.
fn prefix_of(bytes: &mut [u8], n: usize) -> &mut [u8] {
    let n = n.min(bytes.len());
    bytes.get_mut(..n).unwrap_or_default()
}

/// The part of the site list that lies in a buffer.
#[derive(Debug)]
struct Window {
    /// Absolute offset of the first byte that has not been read.
    at: u64,
    left: u64,
    from: usize,
    to: usize,
}

impl Window {
    fn bytes<'l>(&self, list: &'l [u8]) -> &'l [u8] {
        suffix(prefix(list, self.to), self.from)
    }

    /// Reads on if all bytes of the buffer are consumed. Returns whether it did.
    fn fill<R: Read + Seek>(
        &mut self,
        source: &mut PositionedRead<R>,
        list: &mut [u8],
    ) -> Result<bool, VolumeError<R::Error>> {
        if self.from < self.to || self.left == 0 {
            return Ok(false);
        }
        let n = at_most(self.left, list.len());
        if n == 0 {
            return Err(ReadError::NoBuffer);
        }
        let read = source.fill(self.at, prefix_of(list, n)).map_err(ReadError::Io)?;
        (self.from, self.to) = (0, read);
        self.at = self.at.saturating_add(read as u64);
        // A list that has become shorter since it was read ends here.
        self.left = if read < n { 0 } else { self.left.minus(read as u64) };
        Ok(read > 0)
    }
}
