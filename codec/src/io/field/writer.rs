//! The writer of SciDAC and ILDG fields.

use crate::bytes::prefix;
use crate::encode::Encode as _;
use crate::field::{
    BegunMessage, DocumentName, EncodeErrorKind, Encoder, Extent, Field, FieldSource, OutgoingMessage, Room,
    TakesData as _, Want,
};
use crate::io::both::both;
use crate::io::buffer::Buffer;
use crate::io::error::WriteError;
use crate::io::writer::{Output, Taken, Written};
use crate::lattice::Extents;
use crate::lime::Record;
use crate::scidac::PrivateFile;
use crate::xml::EmitError;

/// Sufficient for all documents, except records with long dates and datatypes of the caller.
const DOCUMENT: usize = 512;

/// Writes SciDAC and ILDG files to any [`embedded_io::Write`] or `embedded_io_async::Write`, and computes the
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
/// file.write_message(&OutgoingMessage::file(&PrivateFile::new(&lattice), b"an ensemble"))?;
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
    output: Output<W>,
    encoder: Encoder,
    buffer: B,
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
    /// writer.write_message(&OutgoingMessage::file(&file, b"an example"))?;
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
        Self { output: Output::new(sink), encoder, buffer, lattice: None }
    }

    /// The encoder, which holds position, field and checksum.
    pub const fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// Returns the sink and the encoder, also in the middle of the data, so that writing can continue elsewhere.
    pub fn into_parts(self) -> (W, Encoder) {
        (self.output.sink, self.encoder)
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
    /// kind unless both have an update number; the errors of [`write_message`](Self::write_message). They occur before the first
    /// byte is written.
    ///
    /// The error of a callback, and [`EncodeErrorKind::DataMissing`] if it stops. The message is then still open, and
    /// can be completed with [`put`](Self::put) and [`end`](Self::end).
    pub fn write<S: FieldSource>(
        &mut self,
        message: &OutgoingMessage<'_>,
        source: S,
    ) -> Taken<W::Error, EncodeErrorKind, S::Error> {
        self.check(message, &source)?;
        wait!(self.begin | begin_async(message))?;
        wait!(self.data | data_async(source))?;
        Ok(wait!(self.end | end_async(message))?)
    }

    #[asynchronous(write_message_async)]
    /// Writes a message that has no data.
    ///
    /// # Errors
    /// The encoder refused the message and nothing was written, for example with
    /// [`EncodeErrorKind::DataUnexpected`]; or the sink failed.
    pub fn write_message(&mut self, message: &OutgoingMessage<'_>) -> Written<W::Error, EncodeErrorKind> {
        let begun = &self.begun(message, false)?;
        wait!(self.documents | documents_async(begun, false))
    }

    #[asynchronous(begin_async)]
    /// Writes the part of a message that precedes its data, as [`write`](Self::write) does.
    ///
    /// # Errors
    /// The errors of [`write_message`](Self::write_message).
    pub fn begin(&mut self, message: &OutgoingMessage<'_>) -> Written<W::Error, EncodeErrorKind> {
        if let Some(file) = self.due_file(message)? {
            wait!(self.write_message | write_message_async(&OutgoingMessage::file(&file, b"")))?;
        }
        let begun = &self.begun(message, true)?;
        wait!(self.documents | documents_async(begun, true))
    }

    #[asynchronous(put_async)]
    /// Writes the next data of the message that was begun: any number of numbers, bytes or sites.
    ///
    /// # Errors
    /// The errors of [`FieldSource`], [`EncodeErrorKind::NoData`] and [`EncodeErrorKind::SiteTooLarge`]: nothing is
    /// written then. The error of a callback: the sites before the failed one have been written, and the next call
    /// continues with that site. The sink failed.
    pub fn put<S: FieldSource>(&mut self, source: S) -> Taken<W::Error, EncodeErrorKind, S::Error> {
        self.output.usable()?;
        let room = self.encoder.data_room().map_err(WriteError::Refused)?;
        let checked = source.check(&room, Extent::Part, self.buffer.as_ref().len());
        checked.map_err(|error| error.map_failed(WriteError::Refused))?;
        wait!(self.data | data_async(source))
    }

    #[asynchronous(end_async)]
    /// Writes the part of a message that follows its data.
    ///
    /// # Errors
    /// The errors of [`write_message`](Self::write_message); [`EncodeErrorKind::DataMissing`],
    /// [`EncodeErrorKind::NoData`].
    pub fn end(&mut self, message: &OutgoingMessage<'_>) -> Written<W::Error, EncodeErrorKind> {
        self.output.usable()?;
        let begun = &self.resumed(message)?;
        wait!(self.documents | documents_async(begun, false))
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
    pub fn complete(&mut self) -> Written<W::Error, EncodeErrorKind> {
        let can_end = self.encoder.finish();
        wait!(self.output.close | close_async(can_end))
    }

    #[asynchronous(documents_async)]
    /// Writes the records of a message, up to its data or from there on. As many as fit into the buffer are one piece.
    fn documents(
        &mut self,
        begun: &BegunMessage<'_>,
        before_data: bool,
    ) -> Written<W::Error, EncodeErrorKind> {
        // Stops before the data, even if they have no bytes.
        while !(before_data && self.encoder.site().is_some()) {
            let bytes = match self.encoder.stage_pieces(begun, self.buffer.as_mut())? {
                // The next piece is longer than the buffer, or there is none.
                0 => match self.encoder.next(begun, self.buffer.as_mut())? {
                    Want::Bytes(bytes) => bytes,
                    Want::Data(_) | Want::Nothing => break,
                },
                length => prefix(self.buffer.as_ref(), length),
            };
            wait!(self.output.put | put_async(bytes))?;
        }
        Ok(())
    }

    #[asynchronous(data_async)]
    /// Writes data that have been checked.
    fn data<S: FieldSource>(&mut self, source: S) -> Taken<W::Error, EncodeErrorKind, S::Error> {
        let mut source = source;
        loop {
            let next = source.next(&mut self.encoder, self.buffer.as_mut());
            match next.map_err(|error| error.map_failed(WriteError::Refused))? {
                Some(bytes) => wait!(self.output.put | put_async(bytes))?,
                None => return Ok(()),
            }
        }
    }
}
}

impl<W, B: Buffer> FieldWriter<W, B> {
    /// Checks everything that can be checked before the first byte of a field is written.
    fn check<E, S: FieldSource>(
        &self,
        message: &OutgoingMessage<'_>,
        source: &S,
    ) -> Taken<E, EncodeErrorKind, S::Error> {
        self.output.usable()?;
        let mut field = Field::undescribed(Record::default());
        // A message without a layout is refused when it begins, and says why.
        let lattice = self.encoder.lattice().or(self.lattice.as_ref());
        let Ok(()) = message.lay_out(lattice, &mut field) else { return Ok(()) };
        let room = Room::of(&field, field.data_length().unwrap_or(u64::MAX));
        let checked = source.check(&room, Extent::Whole, self.buffer.as_ref().len());
        checked.map_err(|error| error.map_failed(WriteError::Refused))
    }

    /// The document of the file message, if it must be written before this message, which has been checked then.
    fn due_file<E>(
        &mut self,
        message: &OutgoingMessage<'_>,
    ) -> Result<Option<PrivateFile>, WriteError<E, EncodeErrorKind>> {
        self.output.usable()?;
        let Some(lattice) = self.lattice else { return Ok(None) };
        Ok(self.encoder.due_file(message, lattice, self.buffer.as_mut())?)
    }

    /// Begins a message of the caller, with data or without.
    fn begun<'m, E>(
        &mut self,
        message: &OutgoingMessage<'m>,
        has_data: bool,
    ) -> Result<BegunMessage<'m>, WriteError<E, EncodeErrorKind>> {
        self.output.usable()?;
        let given = message.file.and_then(|(file, _)| file.extents());
        if given.is_some_and(|given| self.lattice.is_some_and(|lattice| lattice != given)) {
            return Err(EncodeErrorKind::LatticeOther.into());
        }
        if message.has_data() != has_data {
            return Err(EncodeErrorKind::DataUnexpected.into());
        }
        Ok(self.encoder.begin(message, self.buffer.as_mut())?)
    }

    /// Resumes the open message to end it. Refused while data are missing.
    fn resumed<'m>(&mut self, message: &OutgoingMessage<'m>) -> Result<BegunMessage<'m>, EncodeErrorKind> {
        match (self.encoder.site(), self.encoder.room()) {
            (None, _) => Err(EncodeErrorKind::NoData),
            (Some(_), 0) => self.encoder.resume(message, self.buffer.as_mut()),
            (Some(_), missing) => Err(EncodeErrorKind::DataMissing { missing }),
        }
    }
}

/// Checks that a buffer holds the documents of a new file.
const fn has_room(buffer: &[u8]) -> Result<(), EncodeErrorKind> {
    if buffer.len() >= DOCUMENT {
        return Ok(());
    }
    Err(EncodeErrorKind::Emit(DocumentName::PrivateRecord, EmitError::TooSmall { needed: DOCUMENT }))
}
