//! The writer of SciDAC and ILDG content.

use super::error::WriteError;
use super::field_pieces::{Content, Documents, Numbers, Sites};
use super::field_plan::{Plan, Planned};
use super::sink::Sink;
use super::writer::Writer;
use crate::callback::CallbackError;
use crate::field::{
    DocumentName, EncodeErrorKind, Encoder, Field, FieldDocuments, OutgoingMessage, SiteError, SiteMut,
};
use crate::lattice::{Extents, Float};
use crate::scidac::Date;
use crate::xml::EmitError;

pub(super) type Written<E> = Result<(), WriteError<E, EncodeErrorKind>>;
/// What a call gives that takes a callback.
pub(super) type Filled<E, C> = Result<(), CallbackError<WriteError<E, EncodeErrorKind>, C>>;

/// As long as documents can be, but for records with long dates and datatypes of the caller's.
const DOCUMENT: usize = 512;

/// Writes files of SciDAC and ILDG content to a [`Sink`], or to an `embedded_io_async::Write`, with checksums computed
/// on the way.
///
/// The buffer takes the documents, and sites that a callback fills: it must hold the longest document (512
/// bytes will do) and one site; with room for many sites they are written many at a time.
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
/// let mut writer = FieldWriter::new(&mut file[..], Encoder::new(), &mut buffer);
/// writer.message(&OutgoingMessage::file(&PrivateFile::new(&Extents::new(&[2, 2, 2, 2])?), b"an example"))?;
/// writer.field(&OutgoingMessage::scidac(&record, b"ranks"), |site| site.put(&[site.rank() as f64]))?;
/// writer.finish()?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FieldWriter<'b, W> {
    pub(super) writer: Writer<W, Content<'b>>,
    /// What the short calls know of the file.
    pub(super) plan: Plan<'b>,
}

impl<'b, W> FieldWriter<'b, W> {
    /// A writer that continues in `sink` at the position of `encoder`.
    pub const fn new(sink: W, encoder: Encoder, buffer: &'b mut [u8]) -> Self {
        Self::with_root(sink, encoder, buffer, true, None)
    }

    /// A writer of a new file on this lattice, for [`gauge_field`](Self::gauge_field) and the calls like it.
    ///
    /// # Errors
    /// [`EncodeErrorKind::Emit`] if the buffer holds fewer than 512 bytes, which the documents may need.
    pub fn create(sink: W, buffer: &'b mut [u8], lattice: Extents) -> Result<Self, EncodeErrorKind> {
        has_room(buffer)?;
        Ok(Self::with_root(sink, Encoder::new(), buffer, true, Some(lattice)))
    }

    pub(super) const fn with_root(
        sink: W,
        encoder: Encoder,
        buffer: &'b mut [u8],
        root: bool,
        lattice: Option<Extents>,
    ) -> Self {
        Self { writer: Writer::new(sink, Content { encoder, buffer, root }), plan: Plan::new(lattice) }
    }

    /// The encoder, which has position, field and checksum.
    pub const fn encoder(&self) -> &Encoder {
        &self.writer.encoder().encoder
    }

    /// Returns the sink and the encoder, also in the middle of the data, so that writing can continue elsewhere.
    pub fn into_parts(self) -> (W, Encoder) {
        let (sink, content) = self.writer.into_parts();
        (sink, content.encoder)
    }
}

/// What is written about the file and the next field.
impl<'b, W> FieldWriter<'b, W> {
    /// A text about the file, for its `scidac-file-xml`. Before the first field with a SciDAC record.
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
    /// file.set_title("an ensemble");
    /// file.next_text("thermalised");
    /// file.next_date(Date::from_unix(1_704_164_645));
    /// file.next_update("100");
    /// file.next_lfn("lfn://example/lattice.0100");
    /// file.gauge_field_from(GaugeKind::SU3, Precision::F32, Form::Both, &[0.5_f32; 16 * 72])?;
    /// file.scidac_field_from(PrivateRecord::real_field(Precision::F32), &[1.0_f32; 16])?;
    /// file.finish()?;
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn set_title(&mut self, text: &'b str) {
        self.plan.title = text;
    }

    /// A text about the next field, for its `scidac-record-xml`.
    pub const fn next_text(&mut self, text: &'b str) {
        self.plan.next.text = Some(text);
    }

    /// When the next field was made; without it 1 January 1970.
    pub const fn next_date(&mut self, date: Date) {
        self.plan.next.date = Some(date);
    }

    /// The `ildg-update` of the next field: digits. ILDG 1.2, section 2.2 demands one of every field of a file that
    /// has two gauge fields of the same kind.
    pub const fn next_update(&mut self, update: &'b str) {
        self.plan.next.update = Some(update);
    }

    /// The logical file name, with the next field. A file has one.
    pub const fn next_lfn(&mut self, name: &'b str) {
        self.plan.next.lfn = Some(name);
    }
}

impl<W: Sink> FieldWriter<'_, W> {
    /// Writes a message that has no data.
    ///
    /// # Errors
    /// The encoder's, [`EncodeErrorKind::DataUnexpected`], or the sink failed; so for all calls.
    pub fn message(&mut self, message: &OutgoingMessage<'_>) -> Written<W::Error> {
        self.writer.output.usable()?;
        self.writer.encoder.begin(message, false)?;
        Ok(self.writer.run(Documents { message, before_data: false })?)
    }

    /// Writes the part of a message that precedes its data.
    ///
    /// # Errors
    /// As [`FieldWriter::message`].
    pub fn begin(&mut self, message: &OutgoingMessage<'_>) -> Written<W::Error> {
        self.writer.output.usable()?;
        self.writer.encoder.begin(message, true)?;
        Ok(self.writer.run(Documents { message, before_data: true })?)
    }

    /// Writes data: big endian, sites in stored order, in pieces of any size.
    ///
    /// # Errors
    /// As [`FieldWriter::message`].
    pub fn data(&mut self, bytes: &[u8]) -> Written<W::Error> {
        self.writer.write(bytes)
    }

    /// Has the next `count` sites filled by a callback and writes them; fewer if there are not so many.
    ///
    /// # Errors
    /// What the callback returned: the sites before are written then, and the next call goes on with that one.
    /// As [`FieldWriter::message`]; [`EncodeErrorKind::SiteTooLarge`], [`EncodeErrorKind::InsideSite`].
    pub fn sites<E>(
        &mut self,
        count: u64,
        fill: impl FnMut(&mut SiteMut<'_>) -> Result<(), E>,
    ) -> Filled<W::Error, E> {
        self.writer.run(Sites::new(count, fill))
    }

    /// Writes the next numbers of the field, in its precision: `f32` as `f64` exactly, `f64` as `f32` rounded to
    /// nearest.
    ///
    /// # Errors
    /// [`SiteError::NotNumbers`], and [`SiteError::Length`] for more numbers than are missing: nothing is written
    /// then. As [`FieldWriter::message`].
    pub fn numbers<T: Float>(&mut self, numbers: &[T]) -> Filled<W::Error, SiteError> {
        self.writer.run(Numbers::new(numbers))
    }

    /// Writes the part of a message that follows its data.
    ///
    /// # Errors
    /// As [`FieldWriter::message`]; [`EncodeErrorKind::DataMissing`], [`EncodeErrorKind::NoData`].
    pub fn end(&mut self, message: &OutgoingMessage<'_>) -> Written<W::Error> {
        self.writer.output.usable()?;
        self.writer.encoder.check_complete()?;
        Ok(self.writer.run(Documents { message, before_data: false })?)
    }

    /// Writes a whole message with data, every site filled by a callback.
    ///
    /// # Errors
    /// What the callback returned: the message is still open then, and can be completed with
    /// [`sites`](Self::sites) and [`end`](Self::end). As [`FieldWriter::message`];
    /// [`EncodeErrorKind::SiteTooLarge`].
    pub fn field<E>(
        &mut self,
        message: &OutgoingMessage<'_>,
        fill: impl FnMut(&mut SiteMut<'_>) -> Result<(), E>,
    ) -> Filled<W::Error, E> {
        self.begin(message)?;
        self.sites(u64::MAX, fill)?;
        Ok(self.end(message)?)
    }

    /// Checks that the file can end here, and flushes the sink. Call it after the last write.
    ///
    /// # Errors
    /// A message is still open, or the sink failed.
    pub fn finish(&mut self) -> Written<W::Error> {
        self.writer.finish()
    }
}

impl<W> FieldWriter<'_, W> {
    /// Refuses what can be refused before the first byte is written.
    pub(super) fn prepare<E, C>(
        &mut self,
        documents: FieldDocuments,
        fits: impl FnOnce(&Field, usize) -> Result<(), CallbackError<EncodeErrorKind, C>>,
    ) -> Result<Planned, CallbackError<WriteError<E, EncodeErrorKind>, C>> {
        self.writer.output.usable()?;
        let planned = self.plan.prepare(&mut self.writer.encoder, documents, fits);
        planned.map_err(|error| error.map_failed(WriteError::Refused))
    }
}

/// Whether a buffer holds the documents of a new file.
pub(super) const fn has_room(buffer: &[u8]) -> Result<(), EncodeErrorKind> {
    if buffer.len() >= DOCUMENT {
        return Ok(());
    }
    Err(EncodeErrorKind::Emit(DocumentName::PrivateRecord, EmitError::TooSmall { needed: DOCUMENT }))
}
