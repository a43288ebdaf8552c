//! The writer of one volume of a file set.

use embedded_io::Write;

use super::pieces::{Content, Message, nothing};
use crate::callback::{CallbackError, Outcome};
use crate::field::{OutgoingMessage, SiteMut};
use crate::io::buffer::Buffer;
use crate::io::error::WriteError;
use crate::io::writer::Writer;
use crate::lattice::Checksum;
use crate::volume::{EncodeErrorKind, Encoder};

/// Writes a volume of a file set to any [`embedded_io::Write`]: the file message with the site list, and then each
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
        Self { writer: Writer::new(sink, Content { encoder, buffer }) }
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

impl<W: Write, B: Buffer> VolumeWriter<W, B> {
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
        Ok(self.writer.run(Message::new(begun, ranks, nothing))?)
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
        self.writer.run(Message::new(begun, ranks, fill))?;
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
        let Content { encoder, buffer } = &mut self.writer.encoder;
        let begun = &encoder.resume(message, buffer.as_mut()).map_err(WriteError::Refused)?;
        encoder.supply_checksum(others).map_err(WriteError::Refused)?;
        Ok(self.writer.run(Message::new(begun, core::iter::empty(), nothing))?)
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
        self.writer.close(|content| content.encoder.finish())
    }
}
