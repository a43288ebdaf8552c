//! The writer of one volume of a file set.

use embedded_io::{Seek, Write};

use super::pieces::{Content, Message, indexed, nothing};
use crate::callback::{CallbackError, Outcome};
use crate::field::{OutgoingMessage, SiteMut};
use crate::io::buffer::Buffer;
use crate::io::error::WriteError;
use crate::io::sink::{Positioned, Sink};
use crate::io::writer::Writer;
use crate::lattice::Checksum;
use crate::volume::{EncodeErrorKind, Encoder, IndexedSite};

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

impl<W: Sink, B: Buffer> VolumeWriter<W, B> {
    /// Writes the file message; in volumes other than the first, only its site list. `ranks` are the ranks of the
    /// sites.
    ///
    /// # Errors
    /// The message or a rank is not allowed in this volume; [`SitesDiffer`](EncodeErrorKind::SitesDiffer) if there are
    /// more or fewer ranks than sites; or the sink failed.
    pub fn file(
        &mut self,
        message: &OutgoingMessage<'_>,
        ranks: impl IntoIterator<Item = u64, IntoIter: Clone>,
    ) -> Result<(), VolumeError<W::Error>> {
        self.writer.output.usable()?;
        let ranks = ranks.into_iter();
        let begun = &self.writer.encoder.begin(message, ranks.clone()).map_err(WriteError::Refused)?;
        Ok(self.writer.run(Message::whole(begun, indexed(ranks), nothing))?)
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
    /// from the site list; [`SiteTooLarge`](crate::field::EncodeErrorKind::SiteTooLarge): nothing is written then.
    /// [`SiteNotFilled`](crate::field::EncodeErrorKind::SiteNotFilled); or the sink or the callback failed.
    pub fn field<O: Outcome>(
        &mut self,
        message: &OutgoingMessage<'_>,
        ranks: impl IntoIterator<Item = u64, IntoIter: Clone>,
        fill: impl FnMut(&mut SiteMut<'_>) -> O,
    ) -> Written<Checksum, W::Error, O::Error> {
        self.writer.output.usable()?;
        let ranks = ranks.into_iter();
        let begun = &self.writer.encoder.begin(message, ranks.clone()).map_err(WriteError::Refused)?;
        self.writer.run(Message::whole(begun, indexed(ranks), fill))?;
        Ok(self.encoder().checksum())
    }

    /// Completes a field of the first volume. `others` is the combined checksum of all other volumes, and of the parts
    /// of this volume that other processes write.
    ///
    /// # Errors
    /// No checksum is expected, or the sink failed.
    pub fn checksum(
        &mut self,
        message: &OutgoingMessage<'_>,
        others: Checksum,
    ) -> Result<(), VolumeError<W::Error>> {
        self.writer.output.usable()?;
        let Content { encoder, buffer, .. } = &mut self.writer.encoder;
        let begun = &encoder.resume(message, buffer.as_mut()).map_err(WriteError::Refused)?;
        encoder.supply_checksum(others).map_err(WriteError::Refused)?;
        Ok(self.writer.run(Message::whole(begun, [].into_iter(), nothing))?)
    }

    /// Checks that the volume can end here, flushes the sink and returns it. Call it after the last write.
    ///
    /// # Errors
    /// A message is open, the site list is missing, or the sink failed.
    pub fn finish(mut self) -> Result<W, VolumeError<W::Error>> {
        self.complete()?;
        Ok(self.into_parts().0)
    }

    /// Does the same for a writer that is borrowed. A refused call changes nothing.
    ///
    /// # Errors
    /// A message is open, the site list is missing, or the sink failed.
    pub fn complete(&mut self) -> Result<(), VolumeError<W::Error>> {
        self.writer.end(|content| content.encoder.finish())
    }
}

/// Calls for one of several processes that write the same volume, each through its own [`Positioned`] sink.
///
/// All processes make the same calls with the same messages. Each writes its own sites, and their entries of the site
/// list; the root also writes everything else. No process walks through the sites of the others: an
/// [`IndexedSite`] has the rank of a site and its index in the volume, as
/// [`BoxSites::part`](crate::volume::BoxSites::part) computes them. Before a field of the first volume is completed,
/// the processes exchange their checksums. The result is the volume that a single process would write.
///
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::field::{FieldDocuments, OutgoingMessage};
/// use linkstream::io::{Positioned, VolumeWriter};
/// use linkstream::lattice::{Extents, Precision};
/// use linkstream::scidac::{PrivateFile, PrivateRecord, VolumeFormat};
/// use linkstream::volume::{Encoder, Mesh, NodeOrder, VolumeKind};
/// # use linkstream_example::Disk;
///
/// # let disk = Disk::default();
/// // A file set of one volume. Each of two processes has half of each time slice.
/// let lattice = Extents::new(&[4, 2])?;
/// let mesh = Mesh::new(&lattice, &[2], &[1])?;
/// let sites = mesh.sites(0, NodeOrder::Lexicographic).ok_or("one volume")?;
/// let file = PrivateFile::new(&lattice).with_volume_format(VolumeFormat::Partition);
/// let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32));
/// let (mut buffers, mut writers, mut sums) = ([[0; 512]; 2], Vec::new(), Vec::new());
/// for (process, buffer) in (0..).zip(&mut buffers) {
///     let encoder = Encoder::new(VolumeKind::First, sites.sites(), sites.largest_rank());
///     let mut volume = VolumeWriter::part(Positioned::new(disk.clone()), buffer, encoder, process == 0);
///     let own = sites.part(&mesh.node(process).ok_or("two nodes")?);
///     volume.file_part(&OutgoingMessage::file(&file, b""), own.clone())?;
///     sums.push(volume.field_part(&field.message(b""), sites.sites(), own, |site| {
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

    /// Writes the entries of these sites in the site list, and the root the rest of the file message. Adjacent
    /// entries of ascending index are written together.
    ///
    /// # Errors
    /// The message or a rank is not allowed in this volume;
    /// [`NoSuchSite`](crate::field::EncodeErrorKind::NoSuchSite) for an index that the list does not have; or the sink failed.
    pub fn file_part(
        &mut self,
        message: &OutgoingMessage<'_>,
        own: impl IntoIterator<Item = IndexedSite, IntoIter: Clone>,
    ) -> Result<(), VolumeError<W::Error>> {
        self.writer.output.usable()?;
        let own = own.into_iter();
        let begun = &self.writer.encoder.begin_part(message, 0, own.clone()).map_err(WriteError::Refused)?;
        Ok(self.writer.run(Message::part(begun, own, nothing))?)
    }

    /// Writes the data of these sites, and the root the documents of the first volume. Data of adjacent sites of
    /// ascending index are written together. `sites` is the number of sites of the whole volume that have data; it is
    /// only used for a field on a hypercube, where the indices count these sites
    /// ([`BoxSites::within`](crate::volume::BoxSites::within)). [`SiteMut::index`] is the index in the volume. Returns
    /// the checksum of the data of this process. In the first volume, [`checksum`](Self::checksum) must be called next.
    ///
    /// For global data the root calls `fill` once, with rank 0, in the first volume only, and `own` is not used.
    /// A callback that stops leaves the message open: the volume cannot be completed.
    ///
    /// # Errors
    /// The message is not allowed in this volume; [`SitesDiffer`](EncodeErrorKind::SitesDiffer) if the sites differ
    /// from the sites that this process has passed to [`file_part`](Self::file_part);
    /// [`NoSuchSite`](crate::field::EncodeErrorKind::NoSuchSite); [`SiteTooLarge`](crate::field::EncodeErrorKind::SiteTooLarge):
    /// nothing is written then. [`SiteNotFilled`](crate::field::EncodeErrorKind::SiteNotFilled); or the sink or the callback
    /// failed.
    pub fn field_part<O: Outcome>(
        &mut self,
        message: &OutgoingMessage<'_>,
        sites: u64,
        own: impl IntoIterator<Item = IndexedSite, IntoIter: Clone>,
        fill: impl FnMut(&mut SiteMut<'_>) -> O,
    ) -> Written<Checksum, W::Error, O::Error> {
        self.writer.output.usable()?;
        let own = own.into_iter();
        let begun =
            &self.writer.encoder.begin_part(message, sites, own.clone()).map_err(WriteError::Refused)?;
        self.writer.run(Message::part(begun, own, fill))?;
        Ok(self.encoder().checksum())
    }
}
