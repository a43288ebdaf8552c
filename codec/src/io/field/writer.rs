//! The writer of SciDAC and ILDG fields.

use super::pieces::{Content, Data, Documents};
use super::source::FieldSource;
use crate::callback::CallbackError;
use crate::encode::Encode as _;
use crate::field::{BegunMessage, DocumentName, EncodeErrorKind, Encoder, OutgoingMessage};
use crate::io::both::both;
use crate::io::buffer::Buffer;
use crate::io::error::WriteError;
use crate::io::writer::Writer;
use crate::lattice::Extents;
use crate::scidac::PrivateFile;
use crate::xml::EmitError;

type Written<E> = Result<(), WriteError<E, EncodeErrorKind>>;
/// Result of a call that takes data from a source, which can fail with `C`.
type Taken<E, C> = Result<(), CallbackError<WriteError<E, EncodeErrorKind>, C>>;

/// Sufficient for all documents, except records with long dates and datatypes of the caller.
const DOCUMENT: usize = 512;

/// Writes SciDAC and ILDG files to any [`embedded_io::Write`] or an `embedded_io_async::Write`, and computes the
/// checksums as data are written.
///
/// [`write`](Self::write) takes two values: what is written, an [`OutgoingMessage`], and where its data come from, a
/// [`FieldSource`]. [`FieldDocuments::gauge_field`](crate::field::FieldDocuments::gauge_field) describes gauge fields,
/// the constructors of [`PrivateRecord`](crate::scidac::PrivateRecord) propagators, other fields, and global data.
///
/// The buffer is used for documents, and for sites that a callback fills. It must hold the longest document (512
/// bytes are enough) and one site; with room for several sites, they are written together.
///
/// Short and interrupted writes are continued; a sink that accepts no bytes is an error ([`WriteError::WriteZero`]).
/// After an error of the sink, every call returns [`WriteError::Broken`]. A call that the encoder refuses writes
/// nothing and changes nothing.
///
/// ```
/// use linkstream::field::{FieldDocuments, Form, OutgoingMessage};
/// use linkstream::ildg::GaugeKind;
/// use linkstream::io::{FieldWriter, Fill};
/// use linkstream::lattice::{Extents, Precision};
/// use linkstream::scidac::{Date, PrivateFile, PrivateRecord};
///
/// let lattice = Extents::new(&[2, 2, 2, 2])?;
/// let (mut sink, mut buffer) = (vec![0; 16384], [0; 4096]);
/// let mut file = FieldWriter::create(&mut sink[..], &mut buffer, lattice)?;
/// // The file message, which is written without a text if it is left out.
/// file.message(&OutgoingMessage::file(&PrivateFile::new(&lattice), b"an ensemble"))?;
///
/// let links = FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, &lattice)?;
/// let links = links.dated(Date::from_unix(1_704_164_645));
/// let message = links.message(b"thermalised").with_update("100").with_lfn("lfn://example/lattice.0100");
/// file.write(&message, &[0.5_f32; 16 * 72][..])?;
///
/// let phase = PrivateRecord::complex_field(Precision::F64);
/// file.write(&OutgoingMessage::scidac(&phase, b""), Fill::sites(|site| site.put(&[1.0_f64, 0.0])))?;
/// file.finish()?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "what is written is complete when `finish` has returned `Ok`"]
pub struct FieldWriter<W, B> {
    writer: Writer<W, Content<B>>,
    /// The lattice of a file whose file message this writer writes, unless the caller does.
    lattice: Option<Extents>,
}

impl<W, B: Buffer> FieldWriter<W, B> {
    /// A writer of a new file whose fields all live on this lattice. The file message, which SciDAC records need, is
    /// written before the first of them, unless the caller has written it.
    ///
    /// # Errors
    /// [`EncodeErrorKind::Emit`] if the buffer is shorter than 512 bytes, which the documents may need.
    pub fn create(sink: W, buffer: B, lattice: Extents) -> Result<Self, EncodeErrorKind> {
        has_room(buffer.as_ref())?;
        Ok(Self { lattice: Some(lattice), ..Self::with_encoder(sink, buffer, Encoder::new()) })
    }

    /// A writer with a given encoder, which writes to `sink` at the position of the encoder: to continue a file, to
    /// append to it, or to write all messages oneself, the file message included.
    ///
    /// ```
    /// use linkstream::Resumable;
    /// use linkstream::field::{Encoder, OutgoingMessage};
    /// use linkstream::io::{FieldWriter, Fill};
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
    /// writer.put(Fill::sites(|site| site.put(&[site.rank() as f32])).at_most(2))?;
    ///
    /// // Continue elsewhere, in the middle of the data.
    /// let (rest, encoder) = writer.into_parts();
    /// let saved = encoder.save();
    /// let mut writer = FieldWriter::with_encoder(rest, &mut buffer, Encoder::load(&saved)?);
    /// writer.put(Fill::sites(|site| site.put(&[site.rank() as f32])).at_most(2))?;
    /// writer.end(&field)?;
    /// writer.finish()?;
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn with_encoder(sink: W, buffer: B, encoder: Encoder) -> Self {
        Self { writer: Writer::new(sink, Content { encoder, buffer }), lattice: None }
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

both! {
impl<W: Write, B: Buffer> FieldWriter<W, B> {
    #[asynchronous(write_async)]
    /// Writes a field or global data: documents, data and checksum. Before the first one with a SciDAC record, the file
    /// message is written if it is missing.
    ///
    /// # Errors
    /// [`SiteError::Length`](crate::field::SiteError::Length) if a slice does not have the length of the data,
    /// [`SiteError::NotNumbers`](crate::field::SiteError::NotNumbers) or
    /// [`SiteError::Overflow`](crate::field::SiteError::Overflow) if its numbers cannot be stored;
    /// [`EncodeErrorKind::SiteTooLarge`]; [`EncodeErrorKind::UpdateMissing`] for a second plain ILDG field of the same
    /// kind unless both have an update number; the errors of [`message`](Self::message). They occur before the first
    /// byte is written.
    ///
    /// The error of a callback, and [`EncodeErrorKind::DataMissing`] if it stops. The message is then still open, and
    /// can be completed with [`put`](Self::put) and [`end`](Self::end).
    pub fn write<S: FieldSource>(
        &mut self,
        message: &OutgoingMessage<'_>,
        source: S,
    ) -> Taken<W::Error, S::Error> {
        self.check(message, &source)?;
        wait!(self.begin | begin_async(message))?;
        wait!(self.put | put_async(source))?;
        Ok(wait!(self.end | end_async(message))?)
    }

    #[asynchronous(message_async)]
    /// Writes a message that has no data.
    ///
    /// # Errors
    /// The encoder refused the message and nothing was written, for example with
    /// [`EncodeErrorKind::DataUnexpected`]; or the sink failed.
    pub fn message(&mut self, message: &OutgoingMessage<'_>) -> Written<W::Error> {
        let begun = &self.begun(message, false)?;
        Ok(wait!(self.writer.run | run_async(Documents { begun, before_data: false }))?)
    }

    #[asynchronous(begin_async)]
    /// Writes the part of a message that precedes its data, as [`write`](Self::write) does.
    ///
    /// # Errors
    /// The errors of [`FieldWriter::message`].
    pub fn begin(&mut self, message: &OutgoingMessage<'_>) -> Written<W::Error> {
        if let Some(file) = self.due_file(message)? {
            wait!(self.message | message_async(&OutgoingMessage::file(&file, b"")))?;
        }
        let begun = &self.begun(message, true)?;
        Ok(wait!(self.writer.run | run_async(Documents { begun, before_data: true }))?)
    }

    #[asynchronous(put_async)]
    /// Writes the next data of the message that was begun: any number of numbers, bytes or sites.
    ///
    /// # Errors
    /// The error of the callback; the sites before the failed one have been written, and the next call continues
    /// with that site. [`SiteError::Length`](crate::field::SiteError::Length) for more numbers than the field has left;
    /// nothing is written then. [`SiteError::Overflow`](crate::field::SiteError::Overflow) for a number that is too
    /// large for single precision; numbers before it may have been written. [`EncodeErrorKind::SiteTooLarge`],
    /// [`EncodeErrorKind::InsideSite`]. The errors of [`FieldWriter::message`].
    pub fn put<S: FieldSource>(&mut self, source: S) -> Taken<W::Error, S::Error> {
        self.writer.output.usable()?;
        // Refused even for a source without data.
        self.writer.encoder.put(&[]).map_err(WriteError::Refused)?;
        wait!(self.writer.run | run_async(Data(source)))
    }

    #[asynchronous(end_async)]
    /// Writes the part of a message that follows its data.
    ///
    /// # Errors
    /// The errors of [`FieldWriter::message`]; [`EncodeErrorKind::DataMissing`], [`EncodeErrorKind::NoData`].
    pub fn end(&mut self, message: &OutgoingMessage<'_>) -> Written<W::Error> {
        self.writer.output.usable()?;
        let begun = &self.writer.encoder.resume(message)?;
        Ok(wait!(self.writer.run | run_async(Documents { begun, before_data: false }))?)
    }

    #[asynchronous(finish_async)]
    /// Checks that the file can end here, flushes the sink and returns it. Call it after the last write.
    ///
    /// # Errors
    /// A message is still open, or the sink failed.
    pub fn finish(mut self) -> Result<W, WriteError<W::Error, EncodeErrorKind>> {
        wait!(self.complete | complete_async())?;
        Ok(self.into_parts().0)
    }

    #[asynchronous(complete_async)]
    /// Does the same for a writer that is borrowed. A refused call changes nothing.
    ///
    /// # Errors
    /// A message is still open, or the sink failed.
    pub fn complete(&mut self) -> Written<W::Error> {
        wait!(self.writer.complete | complete_async())
    }
}
}

impl<W, B: Buffer> FieldWriter<W, B> {
    /// Checks everything that can be checked before the first byte of a field is written.
    fn check<E, S: FieldSource>(&self, message: &OutgoingMessage<'_>, source: &S) -> Taken<E, S::Error> {
        self.writer.output.usable()?;
        let Content { encoder, buffer } = self.writer.encoder();
        // A message without a layout is refused when it begins, and says why.
        match encoder.layout(message, self.lattice) {
            Ok(field) => source.check(&field, buffer.as_ref().len()),
            Err(_) => Ok(()),
        }
        .map_err(|error| error.map_failed(WriteError::Refused))
    }

    /// The document of the file message, if it must be written before this message, which has been checked then.
    fn due_file<E>(
        &mut self,
        message: &OutgoingMessage<'_>,
    ) -> Result<Option<PrivateFile>, WriteError<E, EncodeErrorKind>> {
        self.writer.output.usable()?;
        let Some(lattice) = self.lattice else { return Ok(None) };
        let Content { encoder, buffer } = &mut self.writer.encoder;
        Ok(encoder.due_file(message, lattice, buffer.as_mut())?)
    }

    /// Begins a message of the caller, with data or without.
    fn begun<'m, E>(
        &mut self,
        message: &OutgoingMessage<'m>,
        has_data: bool,
    ) -> Result<BegunMessage<'m>, WriteError<E, EncodeErrorKind>> {
        self.writer.output.usable()?;
        let given = message.file.and_then(|(file, _)| file.extents());
        if given.is_some_and(|given| self.lattice.is_some_and(|lattice| lattice != given)) {
            return Err(EncodeErrorKind::LatticeOther.into());
        }
        Ok(self.writer.encoder.begin(message, has_data)?)
    }
}

/// Checks that a buffer holds the documents of a new file.
const fn has_room(buffer: &[u8]) -> Result<(), EncodeErrorKind> {
    if buffer.len() >= DOCUMENT {
        return Ok(());
    }
    Err(EncodeErrorKind::Emit(DocumentName::PrivateRecord, EmitError::TooSmall { needed: DOCUMENT }))
}
