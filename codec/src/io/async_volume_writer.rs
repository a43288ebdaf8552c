//! The writer of one volume of a set, over an asynchronous sink.

use embedded_io_async::Write;

use super::error::WriteError;
use super::volume_writer::{VolumeError, VolumeWriter, Written, begin, next_entry, next_site};
use crate::callback::{CallbackError, Outcome};
use crate::field::{BegunMessage, OutgoingMessage, SiteMut};
use crate::lattice::Checksum;
use crate::volume::Want;

/// The same calls over `embedded_io_async`: each does what its namesake without `_async` does.
///
/// ```
/// use linkstream::field::{FieldDocuments, OutgoingMessage, SiteError};
/// use linkstream::io::{VolumeWriter, WriteError};
/// use linkstream::lattice::{Checksum, Extents, Precision};
/// use linkstream::scidac::{PrivateFile, PrivateRecord, VolumeFormat};
/// use linkstream::volume::{EncodeErrorKind, Encoder, Mesh, NodeOrder, VolumeKind};
/// use linkstream::CallbackError;
///
/// /// One of two volumes; the first needs the checksum of the other.
/// async fn save<W: embedded_io_async::Write>(
///     sink: W,
///     lattice: &Extents,
///     mesh: &Mesh,
///     index: u64,
///     other: Checksum,
/// ) -> Result<Checksum, CallbackError<WriteError<W::Error, EncodeErrorKind>, SiteError>> {
///     let file = PrivateFile::new(lattice).with_volume_format(VolumeFormat::Partition);
///     let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32));
///     let ranks = || mesh.ranks(index, NodeOrder::Lexicographic);
///     let kind = if index == 0 { VolumeKind::First } else { VolumeKind::Other };
///     let mut buffer = [0; 512];
///     let encoder = Encoder::new(kind, lattice.sites() / 2, lattice.sites() - 1);
///     let mut volume = VolumeWriter::new(sink, &mut buffer, encoder);
///     volume.file_async(&OutgoingMessage::file(&file, b""), ranks()).await?;
///     let message = field.message(b"");
///     let checksum = volume.field_async(&message, ranks(), |site| site.put(&[site.rank() as f32])).await?;
///     if kind == VolumeKind::First {
///         volume.checksum_async(&message, other).await?;
///     }
///     volume.finish_async().await?;
///     Ok(checksum)
/// }
/// ```
impl<W: Write> VolumeWriter<'_, W> {
    /// Writes the file message; in volumes other than the first, only its site list. `ranks` are the ranks of the
    /// sites.
    ///
    /// # Errors
    /// The message or a rank is not allowed in this volume;
    /// [`SitesDiffer`](crate::volume::EncodeErrorKind::SitesDiffer) if there are more or fewer ranks than sites; or
    /// the sink failed.
    pub async fn file_async(
        &mut self,
        message: &OutgoingMessage<'_>,
        ranks: impl IntoIterator<Item = u64, IntoIter: Clone>,
    ) -> Result<(), VolumeError<W::Error>> {
        self.output.usable()?;
        let ranks = ranks.into_iter();
        let begun = begin(&mut self.encoder, message, ranks.clone(), self.buffer);
        let begun = &begun.map_err(WriteError::Refused)?;
        self.run_async(begun, ranks, |_| ()).await.map_err(CallbackError::into_failed)
    }

    /// Writes the data of a field, and in the first volume its documents. `ranks` are the ranks of the sites of the
    /// volume that belong to the field, in the order of the site list; each is filled by a callback, whose
    /// [`SiteMut::index`] counts the sites of this volume. Returns the checksum of the data in this volume. In the
    /// first volume, [`checksum_async`](Self::checksum_async) must be called next.
    ///
    /// For global data `fill` is called once, with rank 0, in the first volume only, and `ranks` are not used.
    /// A callback that stops leaves the message open: the volume cannot be completed.
    ///
    /// # Errors
    /// The message is not allowed in this volume;
    /// [`SitesDiffer`](crate::volume::EncodeErrorKind::SitesDiffer) for other ranks than those of the site list;
    /// [`SiteNotFilled`](crate::field::EncodeErrorKind::SiteNotFilled); or the sink or the callback failed.
    pub async fn field_async<O: Outcome>(
        &mut self,
        message: &OutgoingMessage<'_>,
        ranks: impl IntoIterator<Item = u64, IntoIter: Clone>,
        fill: impl FnMut(&mut SiteMut<'_>) -> O,
    ) -> Written<Checksum, W::Error, O::Error> {
        self.output.usable()?;
        let ranks = ranks.into_iter();
        let begun = begin(&mut self.encoder, message, ranks.clone(), self.buffer);
        let begun = &begun.map_err(WriteError::Refused)?;
        self.run_async(begun, ranks, fill).await?;
        Ok(self.encoder.checksum())
    }

    /// Completes a field of the first volume. `others` is the combined checksum of all other volumes.
    ///
    /// # Errors
    /// No checksum is expected, or the sink failed.
    pub async fn checksum_async(
        &mut self,
        message: &OutgoingMessage<'_>,
        others: Checksum,
    ) -> Result<(), VolumeError<W::Error>> {
        self.output.usable()?;
        let begun = &self.encoder.resume(message, self.buffer).map_err(WriteError::Refused)?;
        self.encoder.supply_checksum(others).map_err(WriteError::Refused)?;
        self.run_async(begun, [], |_| ()).await.map_err(CallbackError::into_failed)
    }

    /// Checks that the volume can end here, and flushes the sink. Call it after the last write.
    ///
    /// # Errors
    /// A message is open, the site list is missing, or the sink failed.
    pub async fn finish_async(&mut self) -> Result<(), VolumeError<W::Error>> {
        self.output.usable()?;
        self.encoder.finish().map_err(WriteError::Refused)?;
        self.output.flush_async().await
    }

    /// Writes what the encoder wants, until the message is complete or the checksum of other volumes is due.
    async fn run_async<O: Outcome>(
        &mut self,
        begun: &BegunMessage<'_>,
        ranks: impl IntoIterator<Item = u64>,
        mut fill: impl FnMut(&mut SiteMut<'_>) -> O,
    ) -> Written<(), W::Error, O::Error> {
        let (mut ranks, mut positions) = (ranks.into_iter(), None);
        loop {
            match self.encoder.next(begun, self.buffer).map_err(WriteError::Refused)? {
                Want::Bytes(bytes) => self.output.put_async(bytes).await?,
                Want::Entries(left) => {
                    let entry =
                        next_entry(&mut self.encoder, &mut ranks, left).map_err(WriteError::Refused)?;
                    self.output.put_async(entry.as_bytes()).await?;
                }
                Want::Sites(left) => {
                    let (encoder, buffer) = (&mut self.encoder, &mut *self.buffer);
                    let positions = &mut positions;
                    match next_site(encoder, buffer, &mut ranks, left, positions, &mut |_| true, &mut fill)? {
                        Some(site) => self.output.put_async(site).await?,
                        None => return Ok(()),
                    }
                }
                Want::Checksum | Want::Nothing => return Ok(()),
            }
        }
    }
}
