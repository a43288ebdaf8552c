//! The writer of one volume of a file set.

use embedded_io::Write;

use super::sites::{Sites, room_of};
use crate::bytes::{copy, prefix, split_mut, suffix_mut};
use crate::callback::CallbackError;
use crate::counter::Counter as _;
use crate::field::{self, BegunMessage, Extent, FieldSource, OutgoingMessage, Room};
use crate::io::buffer::Buffer;
use crate::io::error::WriteError;
use crate::io::writer::{Output, Written};
use crate::lattice::{Checksum, Region};
use crate::volume::{EncodeErrorKind, Encoder, Want};

/// Writes a volume of a file set to any [`embedded_io::Write`]: the file message with the site list, and then each
/// field, whose data are a [`FieldSource`]. The buffer must hold one site, and have at least 512 bytes for documents.
///
/// ```
/// use linkstream::field::{FieldDocuments, OutgoingMessage};
/// use linkstream::io::{Fill, VolumeWriter};
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
///     let encoder = Encoder::new(kind, 4, 7);
///     let mut volume = VolumeWriter::with_encoder(&mut sink[..], &mut buffer, encoder);
///     volume.write_file(&OutgoingMessage::file(&file, b""), ranks())?;
///     let sites = Fill::sites(|site| site.put(&[site.rank() as f32]));
///     let checksum = volume.write(&field.message(b""), ranks(), sites)?;
///     if kind == VolumeKind::First {
///         volume.write_checksum(&field.message(b""), others)?;
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
    output: Output<W>,
    encoder: Encoder,
    buffer: B,
}

type VolumeError<E> = WriteError<E, EncodeErrorKind>;

impl<W, B: Buffer> VolumeWriter<W, B> {
    /// A writer that continues in `sink` at the position of `encoder`.
    pub const fn with_encoder(sink: W, buffer: B, encoder: Encoder) -> Self {
        Self { output: Output::new(sink), encoder, buffer }
    }

    /// The encoder, which holds position, field and checksum.
    pub const fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// Returns the sink and the encoder.
    pub fn into_parts(self) -> (W, Encoder) {
        (self.output.sink, self.encoder)
    }
}

impl<W: Write, B: Buffer> VolumeWriter<W, B> {
    /// Writes the file message; in volumes other than the first, only its site list. `ranks` are the ranks of the
    /// sites.
    ///
    /// # Errors
    /// The message or a rank is not allowed in this volume; [`SitesDiffer`](EncodeErrorKind::SitesDiffer) if there are
    /// more or fewer ranks than sites; or the sink failed.
    pub fn write_file(
        &mut self,
        message: &OutgoingMessage<'_>,
        ranks: impl IntoIterator<Item = u64, IntoIter: Clone>,
    ) -> Written<W::Error, EncodeErrorKind> {
        let ranks = ranks.into_iter();
        let begun = &self.begin(message, ranks.clone(), |_, _| Ok(())).map_err(CallbackError::into_failed)?;
        self.documents(begun)?;
        self.entries(ranks)?;
        self.documents(begun)
    }

    /// Writes the data of a field, and in the first volume its documents. `ranks` are the ranks of the sites of the
    /// volume that belong to the field, in the order of the site list; the source has the data of these sites in the same
    /// order, and [`SiteMut::index`](crate::field::SiteMut::index) counts them. Returns the checksum of the data in this
    /// volume. In the first volume, [`write_checksum`](Self::write_checksum) must be called next.
    ///
    /// Global data are one site of rank 0, in the first volume only, and `ranks` are not used.
    ///
    /// # Errors
    /// The message is not allowed in this volume; [`SitesDiffer`](EncodeErrorKind::SitesDiffer) if the ranks differ
    /// from the site list; the errors of [`FieldWriter::write`](crate::io::FieldWriter::write) for a source that does not
    /// have the data of this volume: nothing is written then.
    ///
    /// The error of a callback, and [`DataMissing`](field::EncodeErrorKind::DataMissing) if it stops: the message is
    /// still open then, and the volume cannot be completed. The sink failed.
    pub fn write<S: FieldSource>(
        &mut self,
        message: &OutgoingMessage<'_>,
        ranks: impl IntoIterator<Item = u64, IntoIter: Clone>,
        mut source: S,
    ) -> Result<Checksum, CallbackError<VolumeError<W::Error>, S::Error>> {
        let ranks = ranks.into_iter();
        let begun =
            &self.begin(message, ranks.clone(), |room, buffer| source.check(room, Extent::Whole, buffer))?;
        self.documents(begun)?;
        if let Some(Want::Sites(_)) = self.encoder.next_want() {
            self.data(ranks, &mut source)?;
            self.documents(begun)?;
        }
        Ok(self.encoder.checksum())
    }

    /// Completes a field of the first volume. `others` is the combined checksum of all other volumes, and of the parts
    /// of this volume that other processes write.
    ///
    /// # Errors
    /// No checksum is expected, or the sink failed.
    pub fn write_checksum(
        &mut self,
        message: &OutgoingMessage<'_>,
        others: Checksum,
    ) -> Written<W::Error, EncodeErrorKind> {
        self.output.usable()?;
        let begun = &self.encoder.resume(message, self.buffer.as_mut())?;
        self.encoder.supply_checksum(others)?;
        self.documents(begun)
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
    pub fn complete(&mut self) -> Written<W::Error, EncodeErrorKind> {
        let can_end = self.encoder.finish();
        self.output.close(can_end)
    }

    /// Begins a message with these ranks. If it is refused, also by `check`, the encoder does not change.
    fn begin<'m, C>(
        &mut self,
        message: &OutgoingMessage<'m>,
        ranks: impl Iterator<Item = u64> + Clone,
        check: impl FnOnce(&Room, usize) -> Result<(), CallbackError<field::EncodeErrorKind, C>>,
    ) -> Result<BegunMessage<'m>, CallbackError<VolumeError<W::Error>, C>> {
        self.output.usable()?;
        let refused = |kind| CallbackError::Failed(WriteError::Refused(kind));
        let sites = ranks.clone().fold(0_u64, |n, _| n.saturating_add(1));
        let (mut trial, buffer) = (self.encoder.clone(), self.buffer.as_mut());
        let begun = trial.begin(message, sites, buffer).map_err(refused)?;
        trial.check_ranks(ranks).map_err(refused)?;
        if let Some(field) = trial.field() {
            check(&room_of(field), buffer.len())
                .map_err(|error| error.map_failed(|kind| WriteError::Refused(kind.into())))?;
        }
        self.encoder = trial;
        Ok(begun)
    }

    /// Writes the entries of the site list.
    fn entries(&mut self, mut ranks: impl Iterator<Item = u64>) -> Written<W::Error, EncodeErrorKind> {
        let (encoder, buffer) = (&mut self.encoder, self.buffer.as_mut());
        let size = encoder.entry_width().size();
        if buffer.len() < size {
            let kind = field::EncodeErrorKind::SiteTooLarge { needed: size as u64 };
            return Err(EncodeErrorKind::from(kind).into());
        }
        while let Some(Want::Entries(_)) = encoder.next_want() {
            let (mut filled, mut refused) = (0_usize, Ok(()));
            while filled.plus(size) <= buffer.len()
                && let Some(Want::Entries(_)) = encoder.next_want()
            {
                match ranks.next().ok_or(EncodeErrorKind::SitesDiffer).and_then(|rank| encoder.entry(rank)) {
                    Ok(entry) => filled.increase(copy(suffix_mut(buffer, filled), entry.as_bytes())),
                    Err(kind) => {
                        refused = Err(kind);
                        break;
                    }
                }
            }
            // The entries before the one that is refused have been counted.
            self.output.put(prefix(buffer, filled))?;
            refused?;
        }
        has_ended(ranks)
    }

    /// Writes the data of a source, which have been checked.
    fn data<S: FieldSource>(
        &mut self,
        mut ranks: impl Iterator<Item = u64>,
        source: &mut S,
    ) -> Result<(), CallbackError<VolumeError<W::Error>, S::Error>> {
        let mut sites = Sites::new(&mut self.encoder, &mut ranks).map_err(WriteError::Refused)?;
        loop {
            let next = source.next(&mut sites, self.buffer.as_mut());
            match next.map_err(|error| error.map_failed(WriteError::Refused))? {
                Some(bytes) => self.output.put(bytes)?,
                None => break,
            }
        }
        if let (Some(Want::Sites(missing)), Some(field)) = (self.encoder.next_want(), self.encoder.field()) {
            let missing = missing.saturating_mul(field.bytes_per_site);
            let kind = field::EncodeErrorKind::DataMissing { missing };
            return Err(WriteError::from(EncodeErrorKind::from(kind)).into());
        }
        if self.encoder.field().is_some_and(|field| field.region == Region::Global) {
            return Ok(());
        }
        Ok(has_ended(ranks)?)
    }

    /// Writes headers, documents and padding up to the next entries, data or checksum: as many at once as half of the
    /// buffer holds. The other half is for the document that is being made.
    fn documents(&mut self, begun: &BegunMessage<'_>) -> Written<W::Error, EncodeErrorKind> {
        let (encoder, buffer) = (&mut self.encoder, self.buffer.as_mut());
        while encoder.next_want().is_none() {
            let (gathered, scratch) = split_mut(buffer, buffer.len() / 2);
            let (mut filled, mut has_begun) = (0_usize, false);
            while encoder.next_want().is_none() && encoder.ahead() <= gathered.len().minus(filled) as u64 {
                // An error is returned below, unless it is that half a buffer is too small.
                let Ok(Want::Bytes(bytes)) = encoder.next(begun, scratch) else { break };
                filled.increase(copy(suffix_mut(gathered, filled), bytes));
                has_begun = true;
            }
            let bytes = if has_begun {
                prefix(buffer, filled)
            } else {
                match encoder.next(begun, buffer)? {
                    Want::Bytes(bytes) => bytes,
                    _ => break,
                }
            };
            self.output.put(bytes)?;
        }
        Ok(())
    }
}

/// Refuses ranks after the last site: an iterator can return others than when the message began.
fn has_ended<E>(mut ranks: impl Iterator<Item = u64>) -> Written<E, EncodeErrorKind> {
    if ranks.next().is_some() { Err(EncodeErrorKind::SitesDiffer.into()) } else { Ok(()) }
}
