//! The writer of one volume of a file set.

use embedded_io::{Seek, Write};

use crate::bytes::prefix_mut;
use crate::callback::{CallbackError, Outcome};
use crate::field::{self, BegunMessage, Field, OutgoingMessage, SiteMut, SitePosition, fill_site};
use crate::io::both::both;
use crate::io::buffer::Buffer;
use crate::io::error::WriteError;
use crate::io::sink::Positioned;
use crate::io::writer::{NextPiece, Piece, Pieces, Writer};
use crate::lattice::{Checksum, Region};
use crate::volume::{EncodeErrorKind, Encoder, Entry, SitePositions, Want};

/// Writes a volume of a file set to a [`Sink`](crate::io::Sink): the file message with the site list, and then each
/// field. The buffer must hold one site, and have at least 512 bytes for documents.
///
/// ```
/// use linkstream::field::{FieldDocuments, OutgoingMessage};
/// use linkstream::io::VolumeWriter;
/// use linkstream::lattice::{Checksum, Extents, Precision};
/// use linkstream::scidac::{PrivateFile, PrivateRecord, VolumeFormat};
/// use linkstream::volume::{Encoder, Mesh, NodeOrder, VolumeKind};
///
/// let lattice = Extents::new(&[4, 2])?;
/// let mesh = Mesh::new(&lattice, &[2], &[2])?;
/// let file = PrivateFile::new(&lattice).with_volume_format(VolumeFormat::Partition);
/// let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32));
/// let mut others = Checksum::default();
/// // The first volume is written last: it stores the checksum of all.
/// for (index, kind) in [(1, VolumeKind::Other), (0, VolumeKind::First)] {
///     let ranks = || mesh.ranks(index, NodeOrder::Lexicographic);
///     let (mut sink, mut buffer) = (vec![0; 8192], [0; 512]);
///     let mut volume = VolumeWriter::new(&mut sink[..], &mut buffer, Encoder::new(kind, 4, 7));
///     volume.file(&OutgoingMessage::file(&file, b""), ranks())?;
///     let checksum = volume.field(&field.message(b""), ranks(), |site| {
///         site.put(&[site.rank() as f32])
///     })?;
///     if kind == VolumeKind::First {
///         volume.checksum(&field.message(b""), others)?;
///     }
///     others = others.combine(checksum);
///     assert!(volume.encoder().position() > 0);
///     volume.finish()?;
/// }
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "what is written is complete when `finish` has returned `Ok`"]
pub struct VolumeWriter<W, B> {
    writer: Writer<W, Content<B>>,
}

type VolumeError<E> = WriteError<E, EncodeErrorKind>;
/// `T`, or an error of the volume or of a callback.
type Written<T, E, C> = Result<T, CallbackError<VolumeError<E>, C>>;

impl<W, B: Buffer> VolumeWriter<W, B> {
    /// A writer that continues in `sink` at the position of `encoder`.
    pub const fn new(sink: W, buffer: B, encoder: Encoder) -> Self {
        Self { writer: Writer::new(sink, Content { encoder, buffer, is_root: true }) }
    }

    /// The encoder, which holds position, field and checksum.
    pub const fn encoder(&self) -> &Encoder {
        &self.writer.encoder().encoder
    }

    /// Returns the sink and the encoder.
    pub fn into_parts(self) -> (W, Encoder) {
        let (sink, content) = self.writer.into_parts();
        (sink, content.encoder)
    }
}

both! {
impl<W: Sink, B: Buffer> VolumeWriter<W, B> {
    /// Writes the file message; in volumes other than the first, only its site list. `ranks` are the ranks of the
    /// sites.
    ///
    /// # Errors
    /// The message or a rank is not allowed in this volume; [`SitesDiffer`](EncodeErrorKind::SitesDiffer) if there are
    /// more or fewer ranks than sites; or the sink failed.
    pub fn file | file_async(
        &mut self,
        message: &OutgoingMessage<'_>,
        ranks: impl IntoIterator<Item = u64, IntoIter: Clone>,
    ) -> Result<(), VolumeError<W::Error>> {
        self.writer.output.usable()?;
        let ranks = ranks.into_iter();
        let begun = &self.writer.encoder.begin(message, ranks.clone()).map_err(WriteError::Refused)?;
        Ok(wait!(self.writer.run | run_async(Message::new(begun, ranks, every, nothing)))?)
    }

    /// Writes the data of a field, and in the first volume its documents. `ranks` are the ranks of the sites of the
    /// volume that belong to the field, in the order of the site list; each is filled by a callback, whose
    /// [`SiteMut::index`] counts the sites of this volume. Returns the checksum of the data in this volume. In the
    /// first volume, [`checksum`](Self::checksum) must be called next.
    ///
    /// For global data `fill` is called once, with rank 0, in the first volume only, and `ranks` are not used.
    /// A callback that stops leaves the message open: the volume cannot be completed.
    ///
    /// # Errors
    /// The message is not allowed in this volume; [`SitesDiffer`](EncodeErrorKind::SitesDiffer) if the ranks differ
    /// from the site list; [`SiteTooLarge`](field::EncodeErrorKind::SiteTooLarge): nothing is written then.
    /// [`SiteNotFilled`](field::EncodeErrorKind::SiteNotFilled); or the sink or the callback failed.
    pub fn field | field_async[O: Outcome](
        &mut self,
        message: &OutgoingMessage<'_>,
        ranks: impl IntoIterator<Item = u64, IntoIter: Clone>,
        fill: impl FnMut(&mut SiteMut<'_>) -> O,
    ) -> Written<Checksum, W::Error, O::Error> {
        wait!(self.part_of_field | part_of_field_async(message, ranks, every, fill))
    }

    /// Completes a field of the first volume. `others` is the combined checksum of all other volumes, and of the parts
    /// of this volume that other processes write.
    ///
    /// # Errors
    /// No checksum is expected, or the sink failed.
    pub fn checksum | checksum_async(
        &mut self,
        message: &OutgoingMessage<'_>,
        others: Checksum,
    ) -> Result<(), VolumeError<W::Error>> {
        self.writer.output.usable()?;
        let Content { encoder, buffer, .. } = &mut self.writer.encoder;
        let begun = &encoder.resume(message, buffer.as_mut()).map_err(WriteError::Refused)?;
        encoder.supply_checksum(others).map_err(WriteError::Refused)?;
        Ok(wait!(self.writer.run | run_async(Message::new(begun, [].into_iter(), every, nothing)))?)
    }

    /// Checks that the volume can end here, flushes the sink and returns it. Call it after the last write.
    ///
    /// # Errors
    /// A message is open, the site list is missing, or the sink failed.
    pub fn finish | finish_async(mut self) -> Result<W, VolumeError<W::Error>> {
        wait!(self.complete | complete_async())?;
        Ok(self.into_parts().0)
    }

    /// Does the same for a writer that is borrowed. A refused call changes nothing.
    ///
    /// # Errors
    /// A message is open, the site list is missing, or the sink failed.
    pub fn complete | complete_async(&mut self) -> Result<(), VolumeError<W::Error>> {
        wait!(self.writer.end | end_async(|content| content.encoder.finish()))
    }

    fn part_of_field | part_of_field_async[O: Outcome](
        &mut self,
        message: &OutgoingMessage<'_>,
        ranks: impl IntoIterator<Item = u64, IntoIter: Clone>,
        is_own: impl FnMut(u64) -> bool,
        fill: impl FnMut(&mut SiteMut<'_>) -> O,
    ) -> Written<Checksum, W::Error, O::Error> {
        self.writer.output.usable()?;
        let ranks = ranks.into_iter();
        let begun = &self.writer.encoder.begin(message, ranks.clone()).map_err(WriteError::Refused)?;
        wait!(self.writer.run | run_async(Message::new(begun, ranks, is_own, fill)))?;
        Ok(self.encoder().checksum())
    }
}
}

/// Calls for one of several processes that write the same volume, each through its own [`Positioned`] sink.
///
/// All processes make the same calls with the same messages and ranks; each writes its own sites, and the root also
/// everything that is not data. Before a field of the first volume is completed, the processes exchange their
/// checksums. The result is the volume that a single process would write.
///
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::field::{FieldDocuments, OutgoingMessage};
/// use linkstream::io::{Positioned, VolumeWriter};
/// use linkstream::lattice::{Extents, Precision};
/// use linkstream::scidac::{PrivateFile, PrivateRecord, VolumeFormat};
/// use linkstream::volume::{Encoder, VolumeKind};
/// # use linkstream_example::Disk;
///
/// # let disk = Disk::default();
/// // A file set of one volume. Each of two processes has every other site.
/// let lattice = Extents::new(&[4, 2])?;
/// let file = PrivateFile::new(&lattice).with_volume_format(VolumeFormat::Partition);
/// let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32));
/// let (mut buffers, mut writers, mut sums) = ([[0; 512]; 2], Vec::new(), Vec::new());
/// for (process, buffer) in (0..).zip(&mut buffers) {
///     let encoder = Encoder::new(VolumeKind::First, 8, 7);
///     let mut volume = VolumeWriter::part(Positioned::new(disk.clone()), buffer, encoder, process == 0);
///     volume.file(&OutgoingMessage::file(&file, b""), 0..8)?;
///     let is_own = |rank| rank % 2 == process;
///     sums.push(volume.field_part(&field.message(b""), 0..8, is_own, |site| {
///         site.put(&[site.rank() as f32])
///     })?);
///     writers.push(volume);
/// }
/// for (process, mut volume) in writers.into_iter().enumerate() {
///     volume.checksum(&field.message(b""), sums[1 - process])?;
///     assert_eq!(disk.bytes.borrow().len() as u64, volume.encoder().position());
///     volume.finish()?;
/// }
/// # Ok(())
/// # }
/// # mod linkstream_example {
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs"));
/// # }
/// ```
impl<W: Write + Seek, B: Buffer> VolumeWriter<Positioned<W>, B> {
    /// A writer of one process that continues in `sink` at the position of `encoder`. Exactly one of the processes
    /// is the root.
    pub const fn part(sink: Positioned<W>, buffer: B, encoder: Encoder, is_root: bool) -> Self {
        Self { writer: Writer::new(sink, Content { encoder, buffer, is_root }) }
    }

    /// Writes the sites of this process, selected by `is_own`. Returns the checksum of these sites.
    /// Otherwise like [`field`](Self::field).
    ///
    /// # Errors
    /// The errors of [`field`](Self::field).
    pub fn field_part<O: Outcome>(
        &mut self,
        message: &OutgoingMessage<'_>,
        ranks: impl IntoIterator<Item = u64, IntoIter: Clone>,
        is_own: impl FnMut(u64) -> bool,
        fill: impl FnMut(&mut SiteMut<'_>) -> O,
    ) -> Written<Checksum, W::Error, O::Error> {
        self.part_of_field(message, ranks, is_own, fill)
    }
}

/// True for all sites: the only writer of a volume writes all of them.
const fn every(_: u64) -> bool {
    true
}

/// The callback for messages, or parts of them, that have no sites.
const fn nothing(_: &mut SiteMut<'_>) {}

/// The encoder with its buffer.
#[derive(Debug)]
struct Content<B> {
    encoder: Encoder,
    buffer: B,
    /// This process writes everything that is not data of a site. If several processes write one volume, exactly one is
    /// the root.
    is_root: bool,
}

impl<B: Buffer> Content<B> {
    /// Begins a message with these ranks. If it is refused, the encoder does not change.
    fn begin<'m>(
        &mut self,
        message: &OutgoingMessage<'m>,
        ranks: impl Iterator<Item = u64> + Clone,
    ) -> Result<BegunMessage<'m>, EncodeErrorKind> {
        let (mut trial, buffer) = (self.encoder.clone(), self.buffer.as_mut());
        let sites = ranks.clone().fold(0_u64, |n, _| n.saturating_add(1));
        let begun = trial.begin(message, sites, buffer)?;
        trial.check_ranks(ranks)?;
        let needed = trial.field().map_or(0, |field| field.bytes_per_site.min(field.record.length));
        if usize::try_from(needed).ok().is_none_or(|needed| needed > buffer.len()) {
            return Err(field::EncodeErrorKind::SiteTooLarge { needed }.into());
        }
        self.encoder = trial;
        Ok(begun)
    }
}

/// A message with its site list or its sites, up to its end, or until the checksum of other volumes is due. A callback
/// that stops ends the pieces there: the message stays open.
struct Message<'m, 'd, I, P, F> {
    begun: &'m BegunMessage<'d>,
    sites: Ranks<I>,
    is_own: P,
    fill: F,
    /// Entry of the site list that is being written.
    entry: Option<Entry>,
}

impl<'m, 'd, I, P, F> Message<'m, 'd, I, P, F> {
    /// Pieces of a message. Other processes write the sites whose `is_own` is false.
    const fn new(begun: &'m BegunMessage<'d>, ranks: I, is_own: P, fill: F) -> Self {
        Self { begun, sites: Ranks { ranks, positions: None }, is_own, fill, entry: None }
    }
}

/// The ranks of sites.
struct Ranks<I> {
    ranks: I,
    /// Known when the field is.
    positions: Option<SitePositions>,
}

impl<I: Iterator<Item = u64>> Ranks<I> {
    /// The rank of the next of `left` sites; `None` if no rank is left, or if ranks follow the last site.
    fn next(&mut self, left: u64) -> Option<u64> {
        self.ranks.next().filter(|_| left > 1 || self.ranks.next().is_none())
    }

    /// The position of the next of `left` sites.
    fn position(&mut self, field: &Field, left: u64) -> Option<SitePosition<'_>> {
        let rank = if field.region == Region::Global { 0 } else { self.next(left)? };
        self.positions.get_or_insert_with(|| SitePositions::new(field.extents)).next(rank)
    }
}

impl<B, I, P, O, F> Pieces<Content<B>> for Message<'_, '_, I, P, F>
where
    B: Buffer,
    I: Iterator<Item = u64>,
    P: FnMut(u64) -> bool,
    O: Outcome,
    F: FnMut(&mut SiteMut<'_>) -> O,
{
    type ErrorKind = EncodeErrorKind;
    type Callback = O::Error;

    fn next<'s>(&'s mut self, content: &'s mut Content<B>) -> NextPiece<'s, EncodeErrorKind, O::Error> {
        let Content { encoder, buffer, is_root } = content;
        let (offset, buffer) = (encoder.position(), buffer.as_mut());
        let bytes = match encoder.due() {
            Some(Want::Entries(left)) => {
                let rank = self.sites.next(left).ok_or(EncodeErrorKind::SitesDiffer)?;
                let entry = self.entry.insert(encoder.entry(rank)?);
                if *is_root { entry.as_bytes() } else { &[] }
            }
            Some(Want::Sites(left)) => {
                let field = *encoder.field().ok_or(EncodeErrorKind::from(field::EncodeErrorKind::NoData))?;
                let position = self.sites.position(&field, left).ok_or(EncodeErrorKind::SitesDiffer)?;
                let rank = position.rank;
                if (self.is_own)(rank) {
                    let needed = field.bytes_per_site;
                    let size = usize::try_from(needed).ok().filter(|size| *size <= buffer.len());
                    let size =
                        size.ok_or(EncodeErrorKind::from(field::EncodeErrorKind::SiteTooLarge { needed }))?;
                    let site = prefix_mut(buffer, size);
                    let filled = fill_site(&field, position, site, &mut self.fill);
                    if filled.map_err(|error| error.map_failed(EncodeErrorKind::from))?.is_break() {
                        return Ok(None);
                    }
                    encoder.site(rank, site)?;
                    &*site
                } else {
                    encoder.pass_site(rank)?;
                    &[]
                }
            }
            Some(_) => return Ok(None),
            None => match encoder.next(self.begun, buffer)? {
                Want::Bytes(bytes) => {
                    if *is_root {
                        bytes
                    } else {
                        &[]
                    }
                }
                _ => return Ok(None),
            },
        };
        Ok(Some(Piece { offset, bytes }))
    }
}
