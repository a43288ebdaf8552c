//! The writer of SciDAC and ILDG fields.

use super::pieces::{Content, Documents, Next, Numbers, Plan, Planned, Sites};
use crate::callback::{CallbackError, Outcome};
use crate::field::{
    BegunMessage, DocumentName, EncodeErrorKind, Encoder, Field, FieldDocuments, Form, OutgoingMessage,
    SiteError, SiteMut,
};
use crate::ildg::GaugeKind;
use crate::io::both::both;
use crate::io::buffer::Buffer;
use crate::io::error::WriteError;
use crate::io::writer::{Pieces, Writer};
use crate::lattice::{Extents, Float, Precision};
use crate::scidac::{Date, PrivateRecord};
use crate::xml::EmitError;

type Written<E> = Result<(), WriteError<E, EncodeErrorKind>>;
/// Result of a call that takes a callback.
type Filled<E, C> = Result<(), CallbackError<WriteError<E, EncodeErrorKind>, C>>;

/// Sufficient for all documents, except records with long dates and datatypes of the caller.
const DOCUMENT: usize = 512;

/// Writes SciDAC and ILDG files to any [`embedded_io::Write`] or an `embedded_io_async::Write`, and computes the
/// checksums as data are written.
///
/// The buffer is used for documents, and for sites that a callback fills. It must hold the longest document (512
/// bytes are enough) and one site; with room for several sites, they are written together.
///
/// Short and interrupted writes are continued; a sink that accepts no bytes is an error ([`WriteError::WriteZero`]).
/// After an error of the sink, every call returns [`WriteError::Broken`]. A call that the encoder refuses writes
/// nothing and changes nothing.
///
/// ```
/// use linkstream::field::{Encoder, OutgoingMessage};
/// use linkstream::io::FieldWriter;
/// use linkstream::lattice::{Extents, Precision};
/// use linkstream::scidac::{Date, PrivateFile, PrivateRecord};
///
/// let record = PrivateRecord::real_field(Precision::F64).dated(Date::from_unix(1_704_164_645));
///
/// let (mut file, mut buffer) = ([0; 2048], [0; 1024]);
/// let mut writer = FieldWriter::with_encoder(&mut file[..], &mut buffer, Encoder::new());
/// writer.message(&OutgoingMessage::file(&PrivateFile::new(&Extents::new(&[2, 2, 2, 2])?), b"an example"))?;
/// writer.field(&OutgoingMessage::scidac(&record, b"ranks"), |site| site.put(&[site.rank() as f64]))?;
/// writer.finish()?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "what is written is complete when `finish` has returned `Ok`"]
pub struct FieldWriter<'t, W, B> {
    writer: Writer<W, Content<B>>,
    /// The plan of the file, for calls such as `gauge_field`.
    plan: Plan<'t>,
}

impl<'t, W, B: Buffer> FieldWriter<'t, W, B> {
    /// A writer of a new file whose fields all live on this lattice, for [`gauge_field`](Self::gauge_field) and
    /// similar calls.
    ///
    /// # Errors
    /// [`EncodeErrorKind::Emit`] if the buffer is shorter than 512 bytes, which the documents may need.
    pub fn create(sink: W, buffer: B, lattice: Extents) -> Result<Self, EncodeErrorKind> {
        has_room(buffer.as_ref())?;
        Ok(Self::of(sink, buffer, Encoder::new(), Some(lattice)))
    }

    /// A writer with a given encoder, which writes to `sink` at the position of the encoder: to continue a file, to
    /// append to it, or to write messages of the caller's documents. Calls that describe fields by the lattice of
    /// the file, such as [`gauge_field`](Self::gauge_field), need [`create`](Self::create).
    ///
    /// ```
    /// use linkstream::Resumable;
    /// use linkstream::field::{Encoder, OutgoingMessage};
    /// use linkstream::io::FieldWriter;
    /// use linkstream::lattice::{Extents, Precision};
    /// use linkstream::scidac::{PrivateFile, PrivateRecord};
    ///
    /// let file = PrivateFile::new(&Extents::new(&[2, 2])?);
    /// let record = PrivateRecord::real_field(Precision::F32);
    /// let field = OutgoingMessage::scidac(&record, b"ranks");
    /// let (mut sink, mut buffer) = ([0; 2048], [0; 512]);
    /// let mut writer = FieldWriter::with_encoder(&mut sink[..], &mut buffer, Encoder::new());
    /// writer.message(&OutgoingMessage::file(&file, b"an example"))?;
    /// writer.begin(&field)?;
    /// writer.sites(2, |site| site.put(&[site.rank() as f32]))?;
    ///
    /// // Continue elsewhere, in the middle of the data.
    /// let (rest, encoder) = writer.into_parts();
    /// let saved = encoder.save();
    /// let mut writer = FieldWriter::with_encoder(rest, &mut buffer, Encoder::load(&saved)?);
    /// writer.sites(2, |site| site.put(&[site.rank() as f32]))?;
    /// writer.end(&field)?;
    /// writer.finish()?;
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn with_encoder(sink: W, buffer: B, encoder: Encoder) -> Self {
        Self::of(sink, buffer, encoder, None)
    }

    const fn of(sink: W, buffer: B, encoder: Encoder, lattice: Option<Extents>) -> Self {
        Self { writer: Writer::new(sink, Content { encoder, buffer }), plan: Plan::new(lattice) }
    }

    /// The encoder, which holds position, field and checksum.
    pub const fn encoder(&self) -> &Encoder {
        &self.writer.encoder().encoder
    }

    /// Returns the sink and the encoder, also in the middle of the data, so that writing can continue elsewhere.
    pub fn into_parts(self) -> (W, Encoder) {
        let (sink, content) = self.writer.into_parts();
        (sink, content.encoder)
    }
}

/// Settings of the file and of the next field.
impl<'t, W, B: Buffer> FieldWriter<'t, W, B> {
    /// Sets the text of the file's `scidac-file-xml`, which is written with the first field that has a SciDAC record.
    /// Until then, fields without one are refused ([`EncodeErrorKind::NoPlaceForText`]).
    ///
    /// ```
    /// use linkstream::field::Form;
    /// use linkstream::ildg::GaugeKind;
    /// use linkstream::io::FieldWriter;
    /// use linkstream::lattice::{Extents, Precision};
    /// use linkstream::scidac::{Date, PrivateRecord};
    ///
    /// let (mut sink, mut buffer) = (vec![0; 16384], [0; 4096]);
    /// let mut file = FieldWriter::create(&mut sink[..], &mut buffer, Extents::new(&[2, 2, 2, 2])?)?;
    /// file.set_title("an ensemble")?;
    /// file.next_text("thermalised");
    /// file.next_date(Date::from_unix(1_704_164_645));
    /// file.next_update("100");
    /// file.next_lfn("lfn://example/lattice.0100");
    /// file.gauge_field_from(GaugeKind::SU3, Precision::F32, Form::Both, &[0.5_f32; 16 * 72])?;
    /// file.scidac_field_from(PrivateRecord::real_field(Precision::F32), &[1.0_f32; 16])?;
    /// file.finish()?;
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EncodeErrorKind::TitleTooLate`] after the first field with a SciDAC record, and in a writer that was made with
    /// [`with_encoder`](Self::with_encoder), where the caller writes the file message.
    pub const fn set_title(&mut self, text: &'t str) -> Result<(), EncodeErrorKind> {
        self.plan.set_title(text, &self.writer.encoder.encoder)
    }

    /// Withdraws the title and all that was set for the next field, as far as it has not been written. Otherwise
    /// [`finish`](Self::finish) is refused if no field follows.
    ///
    /// ```
    /// use linkstream::field::{EncodeErrorKind, Setting};
    /// use linkstream::io::{FieldWriter, WriteError};
    /// use linkstream::lattice::Extents;
    ///
    /// let (mut sink, mut buffer) = ([0; 1024], [0; 512]);
    /// let mut file = FieldWriter::create(&mut sink[..], &mut buffer, Extents::new(&[2, 2, 2, 2])?)?;
    /// file.next_update("100");
    /// let not_written = EncodeErrorKind::NotWritten(Setting::Update);
    /// assert_eq!(file.complete(), Err(WriteError::Refused(not_written)));
    /// file.clear_settings();
    /// file.finish()?;
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn clear_settings(&mut self) {
        self.plan.clear();
    }

    /// Sets the text of the `scidac-record-xml` of the next field.
    pub const fn next_text(&mut self, text: &'t str) {
        self.plan.next.text = Some(text);
    }

    /// Sets the date of the next field; without this call it is 1 January 1970.
    pub const fn next_date(&mut self, date: Date) {
        self.plan.next.date = Some(date);
    }

    /// Sets the `ildg-update` of the next field, a string of digits. ILDG 1.2, section 2.2, requires one for each
    /// field if the file contains two gauge fields of the same kind.
    pub const fn next_update(&mut self, update: &'t str) {
        self.plan.next.update = Some(update);
    }

    /// Sets the logical file name, which is written with the next field. A file has only one.
    pub const fn next_lfn(&mut self, name: &'t str) {
        self.plan.next.lfn = Some(name);
    }
}

both! {
impl<W: Write, B: Buffer> FieldWriter<'_, W, B> {
    /// Writes a message that has no data.
    ///
    /// # Errors
    /// The encoder refused the message and nothing was written, for example with
    /// [`EncodeErrorKind::DataUnexpected`]; or the sink failed.
    pub fn message | message_async(&mut self, message: &OutgoingMessage<'_>) -> Written<W::Error> {
        let begun = &self.begun(message, false)?;
        Ok(wait!(self.writer.run | run_async(Documents { begun, before_data: false }))?)
    }

    /// Writes the part of a message that precedes its data.
    ///
    /// # Errors
    /// The errors of [`FieldWriter::message`].
    pub fn begin | begin_async(&mut self, message: &OutgoingMessage<'_>) -> Written<W::Error> {
        let begun = &self.begun(message, true)?;
        Ok(wait!(self.writer.run | run_async(Documents { begun, before_data: true }))?)
    }

    /// Writes data as the bytes of the file: big-endian numbers, sites in stored order, in pieces of any size.
    ///
    /// # Errors
    /// The errors of [`FieldWriter::message`].
    pub fn data | data_async(&mut self, bytes: &[u8]) -> Written<W::Error> {
        wait!(self.writer.write | write_async(bytes))
    }

    /// Writes the next `count` sites, each filled by a callback, or all that are left if there are fewer. The callback
    /// may fail or stop (see [`Outcome`]).
    ///
    /// # Errors
    /// The error of the callback; the sites before the failed one have been written, and the next call continues
    /// with that site. The errors of [`FieldWriter::message`]; [`EncodeErrorKind::SiteTooLarge`],
    /// [`EncodeErrorKind::InsideSite`].
    pub fn sites | sites_async[O: Outcome](
        &mut self,
        count: u64,
        fill: impl FnMut(&mut SiteMut<'_>) -> O,
    ) -> Filled<W::Error, O::Error> {
        wait!(self.writer.run | run_async(Sites::new(count, fill)))
    }

    /// Writes the next numbers of the field, converted to its precision: `f32` to `f64` exactly, `f64` to `f32`
    /// rounded to nearest.
    ///
    /// # Errors
    /// [`SiteError::NotNumbers`], or [`SiteError::Length`] for more numbers than the field has left; nothing is
    /// written then. [`SiteError::Overflow`] for a number that is too large for single precision; numbers before it may
    /// have been written. The errors of [`FieldWriter::message`].
    pub fn numbers | numbers_async[T: Float](&mut self, numbers: &[T]) -> Filled<W::Error, SiteError> {
        wait!(self.writer.run | run_async(Numbers::new(numbers)))
    }

    /// Writes the part of a message that follows its data.
    ///
    /// # Errors
    /// The errors of [`FieldWriter::message`]; [`EncodeErrorKind::DataMissing`], [`EncodeErrorKind::NoData`].
    pub fn end | end_async(&mut self, message: &OutgoingMessage<'_>) -> Written<W::Error> {
        self.writer.output.usable()?;
        let begun = &self.writer.encoder.resume(message)?;
        Ok(wait!(self.writer.run | run_async(Documents { begun, before_data: false }))?)
    }

    /// Writes a whole message with data; each site is filled by a callback.
    ///
    /// # Errors
    /// The error of the callback, and [`EncodeErrorKind::DataMissing`] if it stops; the message is then still open and
    /// can be completed with [`sites`](Self::sites) and [`end`](Self::end). The errors of [`FieldWriter::message`];
    /// [`EncodeErrorKind::SiteTooLarge`].
    pub fn field | field_async[O: Outcome](
        &mut self,
        message: &OutgoingMessage<'_>,
        fill: impl FnMut(&mut SiteMut<'_>) -> O,
    ) -> Filled<W::Error, O::Error> {
        self.site_fits(message)?;
        wait!(self.begin | begin_async(message))?;
        wait!(self.sites | sites_async(u64::MAX, fill))?;
        Ok(wait!(self.end | end_async(message))?)
    }

    /// Checks that the file can end here, flushes the sink and returns it. Call it after the last write.
    ///
    /// # Errors
    /// A message is still open; [`EncodeErrorKind::NotWritten`] if a title, a text, a date, an update number or a name
    /// was set and no field followed; or the sink failed.
    pub fn finish | finish_async(mut self) -> Result<W, WriteError<W::Error, EncodeErrorKind>> {
        wait!(self.complete | complete_async())?;
        Ok(self.into_parts().0)
    }

    /// Does the same for a writer that is borrowed. A refused call changes nothing.
    ///
    /// # Errors
    /// A message is still open; [`EncodeErrorKind::NotWritten`] if a title, a text, a date, an update number or a name
    /// was set and no field followed; or the sink failed.
    pub fn complete | complete_async(&mut self) -> Written<W::Error> {
        self.can_finish()?;
        wait!(self.writer.complete | complete_async())
    }
}
}

impl<W, B: Buffer> FieldWriter<'_, W, B> {
    /// Begins a message of the caller, with data or without.
    fn begun<'m, E>(
        &mut self,
        message: &OutgoingMessage<'m>,
        has_data: bool,
    ) -> Result<BegunMessage<'m>, WriteError<E, EncodeErrorKind>> {
        self.writer.output.usable()?;
        self.plan.check_lattice(message)?;
        Ok(self.writer.encoder.begin(message, has_data)?)
    }

    /// Checks that the buffer holds a site of this message, so that it can be filled.
    fn site_fits<E>(&self, message: &OutgoingMessage<'_>) -> Written<E> {
        self.writer.output.usable()?;
        let Content { encoder, buffer } = &self.writer.encoder;
        Ok(encoder.site_fits(message, buffer.as_ref().len())?)
    }

    /// Checks that the file can end here.
    fn can_finish<E>(&self) -> Written<E> {
        self.writer.output.usable()?;
        self.encoder().finish()?;
        Ok(self.plan.check_written()?)
    }

    /// Checks everything that can be checked before the first byte is written.
    fn prepare<E, C>(
        &mut self,
        documents: FieldDocuments,
        fits: impl FnOnce(&Field, usize) -> Result<(), CallbackError<EncodeErrorKind, C>>,
    ) -> Result<Planned, CallbackError<WriteError<E, EncodeErrorKind>, C>> {
        self.writer.output.usable()?;
        let planned = self.plan.prepare(&mut self.writer.encoder, documents, fits);
        planned.map_err(|error| error.map_failed(WriteError::Refused))
    }
}

/// Checks that a buffer holds the documents of a new file.
const fn has_room(buffer: &[u8]) -> Result<(), EncodeErrorKind> {
    if buffer.len() >= DOCUMENT {
        return Ok(());
    }
    Err(EncodeErrorKind::Emit(DocumentName::PrivateRecord, EmitError::TooSmall { needed: DOCUMENT }))
}

both! {
impl<W: Write, B: Buffer> FieldWriter<'_, W, B> {
    /// Writes a gauge field. A callback fills each site: its links, direction 0 first; of each link the elements,
    /// row by row; of each element the real part, then the imaginary part.
    ///
    /// ```
    /// use linkstream::field::Form;
    /// use linkstream::ildg::GaugeKind;
    /// use linkstream::io::FieldWriter;
    /// use linkstream::lattice::{Extents, Precision};
    ///
    /// let links = vec![[0.5_f32; 72]; 16];
    /// let (mut sink, mut buffer) = (vec![0; 8192], [0; 4096]);
    /// let mut file = FieldWriter::create(&mut sink[..], &mut buffer, Extents::new(&[2, 2, 2, 2])?)?;
    /// file.gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, |site| site.put(&links[site.index()]))?;
    /// file.finish()?;
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The error of the callback. [`EncodeErrorKind::UpdateMissing`] for a second plain ILDG field of the same kind
    /// unless both have a [`next_update`](Self::next_update); [`EncodeErrorKind::FormUnsuited`];
    /// [`EncodeErrorKind::SiteTooLarge`]; the errors of [`message`](Self::message). All of these except the callback's
    /// error occur before the first byte is written.
    pub fn gauge_field | gauge_field_async[O: Outcome](
        &mut self,
        kind: GaugeKind,
        precision: Precision,
        form: Form,
        fill: impl FnMut(&mut SiteMut<'_>) -> O,
    ) -> Filled<W::Error, O::Error> {
        let documents = self.plan.gauge_field(kind, precision, form).map_err(WriteError::from)?;
        wait!(self.planned | planned_async(documents, Sites::<(), _>::fit, Sites::new(u64::MAX, fill)))
    }

    /// Writes a gauge field from a slice of all its numbers: sites ordered by rank; at each site the links,
    /// direction 0 first; of each link the elements, row by row; of each element the real part, then the imaginary
    /// part. They are stored with the given precision, rounded to nearest if necessary.
    ///
    /// # Errors
    /// [`SiteError::Length`] if the slice does not have the length of the field. Otherwise the errors of
    /// [`gauge_field`](Self::gauge_field).
    pub fn gauge_field_from | gauge_field_from_async[T: Float](
        &mut self,
        kind: GaugeKind,
        precision: Precision,
        form: Form,
        numbers: &[T],
    ) -> Filled<W::Error, SiteError> {
        let documents = self.plan.gauge_field(kind, precision, form).map_err(WriteError::from)?;
        wait!(self.planned | planned_async(documents, |field, _| Numbers::fit(numbers, field), Numbers::new(numbers)))
    }

    /// Writes data that a SciDAC record describes; each site is filled by a callback. Common records have
    /// constructors: [`PrivateRecord::propagator`], [`PrivateRecord::complex_field`] and others.
    ///
    /// ```
    /// use linkstream::io::FieldWriter;
    /// use linkstream::lattice::{Extents, Precision};
    /// use linkstream::scidac::PrivateRecord;
    ///
    /// let (mut sink, mut buffer) = (vec![0; 8192], [0; 4096]);
    /// let mut file = FieldWriter::create(&mut sink[..], &mut buffer, Extents::new(&[2, 2, 2, 2])?)?;
    /// file.scidac_field(PrivateRecord::complex_field(Precision::F64), |site| site.put(&[1.0_f64, 0.0]))?;
    /// file.finish()?;
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`gauge_field`](Self::gauge_field).
    pub fn scidac_field | scidac_field_async[O: Outcome](
        &mut self,
        record: PrivateRecord,
        fill: impl FnMut(&mut SiteMut<'_>) -> O,
    ) -> Filled<W::Error, O::Error> {
        wait!(self.planned | planned_async(FieldDocuments::scidac(record), Sites::<(), _>::fit, Sites::new(u64::MAX, fill)))
    }

    /// Writes data that a SciDAC record describes, from a slice of all their numbers, with the sites in stored
    /// order.
    ///
    /// # Errors
    /// The errors of [`gauge_field_from`](Self::gauge_field_from).
    pub fn scidac_field_from | scidac_field_from_async[T: Float](
        &mut self,
        record: PrivateRecord,
        numbers: &[T],
    ) -> Filled<W::Error, SiteError> {
        let documents = FieldDocuments::scidac(record);
        wait!(self.planned | planned_async(documents, |field, _| Numbers::fit(numbers, field), Numbers::new(numbers)))
    }

    /// Writes a propagator, which has 4 x 4 x 3 x 3 complex numbers at each site, from a slice of all its numbers;
    /// see [`PrivateRecord::propagator`].
    ///
    /// # Errors
    /// The errors of [`gauge_field_from`](Self::gauge_field_from).
    pub fn propagator_from | propagator_from_async[T: Float](
        &mut self,
        precision: Precision,
        numbers: &[T],
    ) -> Filled<W::Error, SiteError> {
        wait!(self.scidac_field_from | scidac_field_from_async(PrivateRecord::propagator(precision), numbers))
    }

    /// Writes a field of one complex number per site from a slice of all its numbers, real part before imaginary
    /// part; see [`PrivateRecord::complex_field`].
    ///
    /// # Errors
    /// The errors of [`gauge_field_from`](Self::gauge_field_from).
    pub fn complex_field_from | complex_field_from_async[T: Float](
        &mut self,
        precision: Precision,
        numbers: &[T],
    ) -> Filled<W::Error, SiteError> {
        wait!(self.scidac_field_from | scidac_field_from_async(PrivateRecord::complex_field(precision), numbers))
    }

    /// Writes global data, numbers that belong to no site; see [`PrivateRecord::global`].
    ///
    /// # Errors
    /// [`EncodeErrorKind::DataOverflow`] for more numbers than 32 bits can count. Otherwise the errors of
    /// [`gauge_field_from`](Self::gauge_field_from).
    pub fn global_from | global_from_async[T: Float](
        &mut self,
        precision: Precision,
        numbers: &[T],
    ) -> Filled<W::Error, SiteError> {
        let record = global(precision, numbers.len()).map_err(WriteError::from)?;
        wait!(self.scidac_field_from | scidac_field_from_async(record, numbers))
    }

    /// Writes a planned field; before it the file message, if one is due.
    fn planned | planned_async[E](
        &mut self,
        documents: FieldDocuments,
        fits: impl FnOnce(&Field, usize) -> Result<(), CallbackError<EncodeErrorKind, E>>,
        data: impl Pieces<Content<B>, ErrorKind = EncodeErrorKind, Callback = E>,
    ) -> Filled<W::Error, E> {
        let Planned { documents, file } = self.prepare(documents, fits)?;
        if let Some(file) = &file {
            let title = self.plan.title.unwrap_or_default();
            wait!(self.message | message_async(&OutgoingMessage::file(file, title.as_bytes())))?;
            self.plan.title = None;
        }
        let message = self.plan.next.message(&documents);
        wait!(self.begin | begin_async(&message))?;
        self.plan.next = Next::default();
        wait!(self.writer.run | run_async(data))?;
        Ok(wait!(self.end | end_async(&message))?)
    }
}
}

/// The record of `count` numbers that belong to no site.
fn global(precision: Precision, count: usize) -> Result<PrivateRecord, EncodeErrorKind> {
    let count = u32::try_from(count).map_err(|_| EncodeErrorKind::DataOverflow)?;
    Ok(PrivateRecord::global(precision, count))
}
