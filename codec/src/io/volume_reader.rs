//! The reader of one volume of a set.

use core::ops::ControlFlow;

use embedded_io::{Read, Seek};

use super::error::ReadError;
use super::positioned_read::PositionedRead;
use crate::bytes::{copy, keep, prefix, suffix, suffix_mut};
use crate::callback::{CallbackError, Outcome};
use crate::counter::{Counter as _, at_most};
use crate::error::Error;
use crate::field::Field;
use crate::lattice::Checksum;
use crate::lime::Record;
use crate::step::{Decode as _, Demand, SeekPayload as _};
use crate::volume::{Decoder, ErrorKind, Event, SiteStream};

/// Reads a volume from a source that can seek. The site list is read a second time together with the data, so that
/// memory use does not depend on its length. The caller provides two buffers: one for a part of the list, and one
/// that must hold at least one site.
///
/// The volumes of a set are read one after the other: the first volume, which describes the fields, before all
/// others, which can be in any order:
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
    /// A reader of a volume. Byte 0 of the source must be byte 0 of the volume.
    pub const fn new(source: R, decoder: Decoder, list: &'b mut [u8], buffer: &'b mut [u8]) -> Self {
        Self { source: PositionedRead::new(source), decoder, list, buffer, from: 0, to: 0 }
    }

    /// The decoder, which knows the current record and field, and the position of the site list.
    pub const fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    /// The decoder, for [`Decoder::expect_field`]. Do not push input to it through this reference.
    pub const fn decoder_mut(&mut self) -> &mut Decoder {
        &mut self.decoder
    }

    /// Returns the source and the decoder; the position of the source is unspecified.
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
    /// Returns the next event; `None` at the end of the volume. Data that were not read with
    /// [`for_each_site`](Self::for_each_site) are skipped.
    ///
    /// # Errors
    /// The source failed, or the file is invalid.
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

    /// Passes the rank and the bytes of each site of the field that has just begun to the callback. Returns the
    /// number of its sites in this volume, and their checksum.
    ///
    /// # Errors
    /// The source failed, or ends inside the data; the data have another number of sites than the list; the buffer
    /// is smaller than a site ([`ReadError::TooSmall`]); or the callback failed.
    #[allow(clippy::type_complexity, reason = "two results, or two errors")]
    pub fn for_each_site<O: Outcome>(
        &mut self,
        each: impl FnMut(u64, &[u8]) -> O,
    ) -> Result<(u64, Checksum), CallbackError<VolumeError<R::Error>, O::Error>> {
        let field = *self.decoder.field().ok_or(ReadError::NotOpen)?;
        if self.decoder.content().lime().payload_position() != Some(0) {
            return Err(ReadError::NotOpen.into());
        }
        let joined = self.join(&field, each)?;
        // What is in the buffer is not what follows.
        (self.from, self.to) = (0, 0);
        self.decoder.skip(joined.read).map_err(ReadError::from)?;
        if joined.is_truncated {
            let error = self.decoder.finish().err().map_or(ReadError::NoProgress, ReadError::from);
            return Err(error.into());
        }
        joined.result(&field)
    }

    /// The same for an earlier field, whose data in this volume are in `field.record`: for programs that read the
    /// records first and the data later. If the data are truncated, fewer sites are passed. The position of the
    /// decoder does not change.
    ///
    /// ```
    /// use linkstream::field::FieldDocuments;
    /// use linkstream::io::VolumeReader;
    /// use linkstream::lattice::{Extents, Precision};
    /// use linkstream::scidac::PrivateRecord;
    /// use linkstream::volume::{Decoder, Event};
    /// use linkstream::{Mode, lime::Header};
    /// # fn read(source: linkstream_example::Disk) -> Result<(), Box<dyn core::error::Error>> {
    /// let lattice = Extents::new(&[4, 2])?;
    /// let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32)).layout(&lattice)?;
    /// let (mut list, mut buffer, mut found) = ([0; 64], [0; 512], Vec::new());
    /// let mut volume = VolumeReader::new(source, Decoder::new(Mode::Strict), &mut list, &mut buffer);
    /// volume.decoder_mut().expect_field(&field);
    /// while let Some(event) = volume.next()? {
    ///     found.extend(volume.decoder().field().filter(|_| event == Event::Field).copied());
    /// }
    /// for field in &found {
    ///     volume.sites_of(field, |rank, bytes| println!("{rank}: {bytes:?}"))?;
    /// }
    /// # Ok(())
    /// # }
    /// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example_disk.rs")); }
    /// ```
    ///
    /// # Errors
    /// As [`for_each_site`](Self::for_each_site).
    #[allow(clippy::type_complexity, reason = "two results, or two errors")]
    pub fn sites_of<O: Outcome>(
        &mut self,
        field: &Field,
        each: impl FnMut(u64, &[u8]) -> O,
    ) -> Result<(u64, Checksum), CallbackError<VolumeError<R::Error>, O::Error>> {
        (self.from, self.to) = (0, 0);
        self.join(field, each)?.result(field)
    }

    /// Joins the site list and the data of a field.
    fn join<O: Outcome>(
        &mut self,
        field: &Field,
        mut each: impl FnMut(u64, &[u8]) -> O,
    ) -> Result<Joined, CallbackError<VolumeError<R::Error>, O::Error>> {
        let list = self.decoder.site_list().ok_or(ReadError::NotOpen)?;
        let size = usize::try_from(field.bytes_per_site).ok().filter(|size| *size <= self.buffer.len());
        let Some(size) = size.filter(|size| *size > 0) else {
            return Err(ReadError::TooSmall { needed: field.bytes_per_site.max(1) }.into());
        };
        let mut window = Window::of(&list);
        let mut data = Window::of(&field.record);
        let mut stream = SiteStream::new(field, self.decoder.entry_width());
        let mut joined = Joined::default();
        loop {
            let rest = data.bytes(self.buffer);
            if rest.len() < size && data.left > 0 {
                if !data.refill(&mut self.source, self.buffer)? {
                    joined.is_truncated = true;
                    break;
                }
                continue;
            }
            let site = prefix(rest, size.min(rest.len()));
            let step = stream.push(window.bytes(self.list), site);
            window.from = window.from.plus(step.list);
            let Some(piece) = step.piece else {
                if window.refill(&mut self.source, self.list)? {
                    continue;
                }
                break;
            };
            let outcome = each(piece.rank, site).into_result();
            data.from = data.from.plus(step.data);
            joined.read = joined.read.plus(step.data as u64);
            match outcome {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => {
                    joined.is_stopped = true;
                    break;
                }
                Err(error) => return Err(CallbackError::Callback(error)),
            }
        }
        let unread = field.record.length.saturating_sub(joined.read);
        joined.fault = if joined.is_truncated || joined.is_stopped { None } else { stream.fault(unread) };
        (joined.sites, joined.checksum) = (stream.sites(), stream.checksum());
        Ok(joined)
    }

    /// Passes the rank of each site of the list to the callback, once the list is known.
    ///
    /// # Errors
    /// The source failed, or ends inside the list; there is no list ([`ReadError::NotOpen`]); or the callback
    /// failed.
    pub fn for_each_rank<O: Outcome>(
        &mut self,
        mut each: impl FnMut(u64) -> O,
    ) -> Result<(), CallbackError<VolumeError<R::Error>, O::Error>> {
        let list = self.decoder.site_list().ok_or(ReadError::NotOpen)?;
        let width = self.decoder.entry_width();
        let mut window = Window::of(&list);
        let (mut entry, mut filled) = ([0; 8], 0_usize);
        while window.from < window.to || window.refill(&mut self.source, self.list)? {
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
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => break,
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

/// A site list and data that have been joined, as far as they go.
#[derive(Debug, Default)]
struct Joined {
    sites: u64,
    checksum: Checksum,
    /// Bytes of the data that were read.
    read: u64,
    fault: Option<ErrorKind>,
    /// The source ends before the data do.
    is_truncated: bool,
    /// The callback has ended it.
    is_stopped: bool,
}

impl Joined {
    fn result<E, C>(self, field: &Field) -> Result<(u64, Checksum), CallbackError<VolumeError<E>, C>> {
        match self.fault {
            Some(kind) => Err(ReadError::Format(Error::new(field.record.offset, kind)).into()),
            None => Ok((self.sites, self.checksum)),
        }
    }
}

/// The part of a payload that lies in a buffer.
#[derive(Debug)]
struct Window {
    /// Absolute offset of the first byte that has not been read.
    at: u64,
    left: u64,
    /// Bytes of the buffer that are not consumed.
    from: usize,
    to: usize,
}

impl Window {
    const fn of(record: &Record) -> Self {
        Self { at: record.payload_offset(), left: record.length, from: 0, to: 0 }
    }

    fn bytes<'l>(&self, buffer: &'l [u8]) -> &'l [u8] {
        suffix(prefix(buffer, self.to), self.from)
    }

    /// Fills the rest of `buffer` after the bytes that are not consumed yet. Returns whether anything was read.
    fn refill<R: Read + Seek>(
        &mut self,
        source: &mut PositionedRead<R>,
        buffer: &mut [u8],
    ) -> Result<bool, VolumeError<R::Error>> {
        if buffer.is_empty() {
            return Err(ReadError::NoBuffer);
        }
        keep(buffer, self.from..self.to);
        let kept = self.to.minus(self.from);
        let n = at_most(self.left, buffer.len().minus(kept));
        let read = source.fill(self.at, prefix_of(suffix_mut(buffer, kept), n)).map_err(ReadError::Io)?;
        (self.from, self.to) = (0, kept.plus(read));
        self.at = self.at.saturating_add(read as u64);
        self.left = self.left.minus(read as u64);
        Ok(read > 0)
    }
}
