//! Fields written by several processes into one SciDAC or ILDG file.

use core::ops::Range;

use super::pieces::{Content, Documents, Next, Numbers, Planned, Sites};
use super::writer::{FieldWriter, Written, has_room};
use crate::callback::{CallbackError, Outcome};
use crate::field::{
    EncodeErrorKind, Encoder, Field, FieldDocuments, Form, OutgoingMessage, SiteError, SiteMut,
};
use crate::ildg::GaugeKind;
use crate::io::buffer::Buffer;
use crate::io::error::WriteError;
use crate::io::sink::PositionedSink;
use crate::io::writer::Pieces;
use crate::lattice::{Checksum, Extents, Float, Precision};
use crate::scidac::PrivateRecord;

/// Result of a call that begins a field: its documents, which are needed to end it.
pub(super) type Begun<E, C> = Result<FieldDocuments, CallbackError<WriteError<E, EncodeErrorKind>, C>>;

/// Calls for one of several processes that write the same file, each through its own [`PositionedSink`], such as
/// [`Positioned`](crate::io::Positioned).
///
/// All processes make the same calls with the same messages; each writes its own sites, and the root also everything
/// that is not data. Before a message is ended, the processes exchange their checksums: each passes the combined
/// checksum of the others to [`end_part`](Self::end_part) or [`end_with`](Self::end_with). The result is the file
/// that a single process would write.
///
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::field::Form;
/// use linkstream::ildg::GaugeKind;
/// use linkstream::io::{FieldWriter, Positioned};
/// use linkstream::lattice::{Extents, Precision};
/// # use linkstream_example::Disk;
///
/// # let disk = Disk::default();
/// let (lattice, links) = (Extents::new(&[2, 2, 2, 4])?, [0.5_f32; 16 * 72]);
/// let mut buffers = [[0; 1024]; 2];
/// let mut writers = Vec::new();
/// // Process 1 has the sites of the upper two time slices, process 0 the others.
/// for (q, buffer) in buffers.iter_mut().enumerate() {
///     let sink = Positioned::new(disk.clone());
///     let mut file = FieldWriter::create_part(sink, buffer, lattice, q == 0)?;
///     let first = 16 * q as u64;
///     let field = file.gauge_field_part_from(GaugeKind::SU3, Precision::F32, Form::Both, first, &links)?;
///     writers.push((file, field));
/// }
/// // What MPI_Allreduce with MPI_BXOR does.
/// let sums = [0, 1].map(|q| writers[q].0.encoder().checksum().unwrap_or_default());
/// for (q, (mut file, field)) in writers.into_iter().enumerate() {
///     file.end_part(&field, sums[1 - q])?;
///     assert_eq!(disk.bytes.borrow().len() as u64, file.encoder().position());
///     file.finish()?;
/// }
/// # Ok(())
/// # }
/// # mod linkstream_example {
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs"));
/// # }
/// ```
impl<'t, W: PositionedSink, B: Buffer> FieldWriter<'t, W, B> {
    /// A writer of one process with a given encoder; see [`with_encoder`](Self::with_encoder). Exactly one of the
    /// processes is the `root`.
    pub const fn part(sink: W, buffer: B, encoder: Encoder, root: bool) -> Self {
        Self::with_root(sink, buffer, encoder, root, None)
    }

    /// A writer of one process for a new file on this lattice; see [`create`](Self::create).
    ///
    /// # Errors
    /// The errors of [`create`](Self::create).
    pub fn create_part(sink: W, buffer: B, lattice: Extents, root: bool) -> Result<Self, EncodeErrorKind> {
        has_room(buffer.as_ref())?;
        Ok(Self::with_root(sink, buffer, Encoder::new(), root, Some(lattice)))
    }

    /// Moves to the site with this index in stored order.
    ///
    /// # Errors
    /// The errors of [`FieldWriter::message`] and [`Encoder::seek`].
    pub fn seek(&mut self, index: u64) -> Written<W::Error> {
        self.writer.output.usable()?;
        Ok(self.writer.encoder.encoder.seek(index)?)
    }

    /// Ends a message. `others` is the combined checksum of all sites that other processes write.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn core::error::Error>> {
    /// use linkstream::field::{Encoder, OutgoingMessage, SiteError};
    /// use linkstream::ildg::{Format, GaugeKind};
    /// use linkstream::io::{FieldWriter, Positioned};
    /// use linkstream::lattice::{Checksum, Precision};
    /// # use linkstream_example::Disk;
    /// # let disk = Disk::default();
    ///
    /// // One process has all sites, so that the sum of the others is none.
    /// let format = Format::new(GaugeKind::SU3, Precision::F32, [2, 2, 2, 2]);
    /// let message = OutgoingMessage::ildg(&format).with_checksum(true);
    /// let mut buffer = [0; 1024];
    /// let mut writer = FieldWriter::part(Positioned::new(disk), &mut buffer, Encoder::new(), true);
    /// writer.begin(&message)?;
    /// writer.seek(0)?;
    /// writer.sites(16, |site| site.put(&[0.5_f32; 72]))?;
    /// writer.end_with(&message, Checksum::default())?;
    /// writer.finish()?;
    /// # Ok(())
    /// # }
    /// # mod linkstream_example {
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs"));
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`FieldWriter::message`]; [`EncodeErrorKind::MessageOther`], [`EncodeErrorKind::InsideSite`].
    pub fn end_with(&mut self, message: &OutgoingMessage<'_>, others: Checksum) -> Written<W::Error> {
        self.writer.output.usable()?;
        let content = &mut self.writer.encoder;
        // Checked before the checksum of the others is added, since a repeated call must not add it again.
        let begun = &content.encoder.resume(message, content.buffer.as_mut())?;
        content.encoder.others(others)?;
        Ok(self.writer.run(Documents { begun, before_data: false })?)
    }

    /// Begins a gauge field and writes these sites of it, filled by a callback. The field is ended with
    /// [`end_part`](Self::end_part); before that, more sites can be written with [`seek`](Self::seek) and
    /// [`sites`](Self::sites).
    ///
    /// # Errors
    /// The errors of [`gauge_field`](Self::gauge_field); [`EncodeErrorKind::NoSuchSite`],
    /// [`EncodeErrorKind::SitesReversed`].
    pub fn gauge_field_part<O: Outcome>(
        &mut self,
        kind: GaugeKind,
        precision: Precision,
        form: Form,
        sites: Range<u64>,
        fill: impl FnMut(&mut SiteMut<'_>) -> O,
    ) -> Begun<W::Error, O::Error> {
        let documents = self.plan.gauge_field(kind, precision, form).map_err(WriteError::from)?;
        self.sites_part(documents, sites, fill)
    }

    /// The same from a slice of the numbers of consecutive sites, beginning with the site of index `first`.
    ///
    /// # Errors
    /// [`SiteError::Length`] if the numbers end inside a site, or are more than the field has from `first` on.
    /// Otherwise the errors of [`gauge_field_part`](Self::gauge_field_part).
    pub fn gauge_field_part_from<T: Float>(
        &mut self,
        kind: GaugeKind,
        precision: Precision,
        form: Form,
        first: u64,
        numbers: &[T],
    ) -> Begun<W::Error, SiteError> {
        let documents = self.plan.gauge_field(kind, precision, form).map_err(WriteError::from)?;
        self.numbers_part(documents, first, numbers)
    }

    /// Begins data that a SciDAC record describes, and writes these sites of them, filled by a callback. Otherwise like
    /// [`gauge_field_part`](Self::gauge_field_part).
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn core::error::Error>> {
    /// use linkstream::field::Form;
    /// use linkstream::ildg::GaugeKind;
    /// use linkstream::io::{FieldWriter, Positioned};
    /// use linkstream::lattice::{Checksum, Extents, Precision};
    /// use linkstream::scidac::PrivateRecord;
    /// # use linkstream_example::Disk;
    /// # let disk = Disk::default();
    ///
    /// let (mut buffer, lattice) = ([0; 1024], Extents::new(&[2, 2, 2, 2])?);
    /// let mut file = FieldWriter::create_part(Positioned::new(disk), &mut buffer, lattice, true)?;
    /// let field = file.gauge_field_part(GaugeKind::SU3, Precision::F32, Form::Both, 0..16, |site| site.put(&[0.5_f32; 72]))?;
    /// file.end_part(&field, Checksum::default())?;
    /// let field = file.scidac_field_part(PrivateRecord::real_field(Precision::F64), 0..16, |site| site.put(&[1.0_f64]))?;
    /// file.end_part(&field, Checksum::default())?;
    /// let field = file.scidac_field_part_from(PrivateRecord::real_field(Precision::F64), 0, &[1.0_f64; 16])?;
    /// file.end_part(&field, Checksum::default())?;
    /// file.finish()?;
    /// # Ok(())
    /// # }
    /// # mod linkstream_example {
    /// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs"));
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`gauge_field_part`](Self::gauge_field_part).
    pub fn scidac_field_part<O: Outcome>(
        &mut self,
        record: PrivateRecord,
        sites: Range<u64>,
        fill: impl FnMut(&mut SiteMut<'_>) -> O,
    ) -> Begun<W::Error, O::Error> {
        self.sites_part(FieldDocuments::scidac(record), sites, fill)
    }

    /// The same from a slice of the numbers of consecutive sites, beginning with the site of index `first`.
    ///
    /// # Errors
    /// The errors of [`gauge_field_part_from`](Self::gauge_field_part_from).
    pub fn scidac_field_part_from<T: Float>(
        &mut self,
        record: PrivateRecord,
        first: u64,
        numbers: &[T],
    ) -> Begun<W::Error, SiteError> {
        self.numbers_part(FieldDocuments::scidac(record), first, numbers)
    }

    /// Ends a field. `others` is the combined checksum of all sites that other processes write.
    ///
    /// # Errors
    /// The errors of [`end_with`](Self::end_with).
    pub fn end_part(&mut self, documents: &FieldDocuments, others: Checksum) -> Written<W::Error> {
        self.end_with(&self.plan.next.message(documents), others)?;
        self.plan.next = Next::default();
        Ok(())
    }

    fn sites_part<O: Outcome>(
        &mut self,
        documents: FieldDocuments,
        sites: Range<u64>,
        fill: impl FnMut(&mut SiteMut<'_>) -> O,
    ) -> Begun<W::Error, O::Error> {
        let fits = |field: &Field, room| Sites::<(), O::Error>::fit_part(&sites, field, room);
        let data = Sites::new(sites.end.saturating_sub(sites.start), fill);
        self.planned_part(documents, fits, sites.start, data)
    }

    fn numbers_part<T: Float>(
        &mut self,
        documents: FieldDocuments,
        first: u64,
        numbers: &[T],
    ) -> Begun<W::Error, SiteError> {
        let fits = |field: &Field, _| Numbers::fit_part(first, numbers, field);
        self.planned_part(documents, fits, first, Numbers::new(numbers))
    }

    /// Writes everything before the data of a planned field, and a part of its data.
    fn planned_part<E>(
        &mut self,
        documents: FieldDocuments,
        fits: impl FnOnce(&Field, usize) -> Result<(), CallbackError<EncodeErrorKind, E>>,
        first: u64,
        data: impl Pieces<Content<B>, ErrorKind = EncodeErrorKind, Callback = E>,
    ) -> Begun<W::Error, E> {
        let documents = self.begin_planned(documents, fits)?;
        self.seek(first)?;
        self.writer.run(data)?;
        Ok(documents)
    }

    /// Writes everything before the data of a planned field.
    pub(super) fn begin_planned<E>(
        &mut self,
        documents: FieldDocuments,
        fits: impl FnOnce(&Field, usize) -> Result<(), CallbackError<EncodeErrorKind, E>>,
    ) -> Begun<W::Error, E> {
        let Planned { documents, file } = self.prepare(documents, fits)?;
        if let Some(file) = &file {
            let title = self.plan.title.unwrap_or_default();
            self.message(&OutgoingMessage::file(file, title.as_bytes()))?;
            self.plan.title = None;
        }
        self.begin(&self.plan.next.message(&documents))?;
        Ok(documents)
    }
}
