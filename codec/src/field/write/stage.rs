//! The documents of a message in one buffer, so that each side of its data is written at once.

use super::begin::BegunMessage;
use super::encoder::{Encoder, Phase};
use super::message::{OutgoingMessage, Part};
use crate::bytes::{copy, prefix, suffix_mut};
use crate::counter::Counter as _;
use crate::encode::Encode as _;
use crate::field::error::EncodeErrorKind;
use crate::lime::{HEADER_LEN, padding};

/// The documents that precede or follow the data of a message. See [`Encoder::stage`].
///
/// # Example
/// ```
/// use linkstream::field::{Encoder, OutgoingMessage};
///
/// let message = OutgoingMessage::foreign(b"my-notes", b"any bytes");
/// let (mut encoder, mut buffer) = (Encoder::new(), [0; 512]);
/// let begun = encoder.begin(&message, &mut buffer)?;
/// let staged = encoder.stage(&begun, &mut buffer)?;
/// // A header of 144 bytes, and 9 bytes padded to 16.
/// assert_eq!((staged.offset, staged.bytes.len()), (0, 160));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "the bytes are to be written at their offset"]
#[non_exhaustive]
pub struct Staged<'b> {
    /// Absolute offset of the first byte.
    pub offset: u64,
    /// The bytes, possibly none.
    pub bytes: &'b [u8],
}

impl Encoder {
    /// Returns everything that must be written before the data of a message, or after them, in one piece: the front of
    /// `buffer`. Of a message without data, that is the whole message. A gauge field with its file message thus takes
    /// three writes besides its data. [`next`](Self::next) returns the same bytes in small pieces.
    ///
    /// After the first call for a message with data, [`field`](Self::field) contains the offset of the data
    /// ([`Record::payload_offset`](crate::lime::Record::payload_offset)), which is a multiple of 8. The data are passed
    /// to [`put`](Self::put), or are written elsewhere: then [`others`](Self::others) takes their checksum. The
    /// second call returns the padding of the data and the documents after them.
    ///
    /// The buffer must hold all of these bytes: a header of 144 bytes for each record, the documents (at most 512 bytes
    /// each, unless dates or data types are very long) and texts, padded to a multiple of 8. 4,096 bytes suffice if all
    /// texts of the message together have at most 1,024 bytes.
    ///
    /// ```
    /// use linkstream::Encode;
    /// use linkstream::field::{EncodeErrorKind, Encoder, FieldDocuments, Form, OutgoingMessage};
    /// use linkstream::ildg::GaugeKind;
    /// use linkstream::lattice::{Checksum, Extents, Precision};
    /// use linkstream::scidac::PrivateFile;
    ///
    /// let lattice = Extents::new(&[2, 2, 2, 2])?;
    /// let documents = FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, &lattice)?;
    /// let private = PrivateFile::new(&lattice);
    /// let (mut encoder, mut buffer, mut file) = (Encoder::new(), [0; 4096], Vec::new());
    ///
    /// let begun = encoder.begin(&OutgoingMessage::file(&private, b"an ensemble"), &mut buffer)?;
    /// file.extend_from_slice(encoder.stage(&begun, &mut buffer)?.bytes);
    ///
    /// let message = documents.message(b"thermalised");
    /// let begun = encoder.begin(&message, &mut buffer)?;
    /// let refused = encoder.stage(&begun, &mut []);
    /// assert!(matches!(refused, Err(EncodeErrorKind::BufferTooSmall { needed: 1000.. })));
    /// let before = encoder.stage(&begun, &mut buffer)?;
    /// assert_eq!(before.offset, file.len() as u64);
    /// file.extend_from_slice(before.bytes);
    /// let field = encoder.field().ok_or("a message with data")?;
    /// assert_eq!(field.record.payload_offset(), file.len() as u64);
    ///
    /// // Other processes write the data and sum them.
    /// # let sites = [0; 4 * 72];
    /// # let mut sum = Checksum::default();
    /// # (0..16).for_each(|rank| sum.add(rank, &sites));
    /// # file.resize(file.len() + 16 * 4 * 72, 0);
    /// encoder.others(sum)?;
    /// let after = encoder.stage(&begun, &mut buffer)?;
    /// assert_eq!(after.offset, file.len() as u64);
    /// file.extend_from_slice(after.bytes);
    /// encoder.finish()?;
    /// assert_eq!(file.len() as u64, encoder.position());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EncodeErrorKind::BufferTooSmall`] with the length that the buffer must have;
    /// [`EncodeErrorKind::DataMissing`] if the data are not complete;
    /// [`EncodeErrorKind::MessageOther`].
    pub fn stage<'b>(
        &mut self,
        begun: &BegunMessage<'_>,
        buffer: &'b mut [u8],
    ) -> Result<Staged<'b>, EncodeErrorKind> {
        let missing = self.room();
        if missing > 0 {
            return Err(EncodeErrorKind::DataMissing { missing });
        }
        let offset = self.position();
        if self.phase == Phase::Idle {
            return Ok(Staged { offset, bytes: &[] });
        }
        let needed = self.staged_length(self.checked(begun)?)?;
        if needed > buffer.len() as u64 {
            return Err(EncodeErrorKind::BufferTooSmall { needed });
        }
        let length = self.stage_pieces(begun, buffer)?;
        Ok(Staged { offset, bytes: prefix(buffer, length) })
    }

    /// Writes the next pieces to the front of `buffer`, as many as fit, up to the data or to the end of the message.
    /// Returns their length; 0 even if the next piece does not fit.
    pub(crate) fn stage_pieces(
        &mut self,
        begun: &BegunMessage<'_>,
        buffer: &mut [u8],
    ) -> Result<usize, EncodeErrorKind> {
        let mut used = 0_usize;
        while self.phase != Phase::Idle && self.room() == 0 {
            let message = self.checked(begun)?;
            let rest = suffix_mut(buffer, used);
            let length = self.piece_length(message)?;
            if length > rest.len() as u64 {
                break;
            }
            used.increase(self.put_piece(message, rest)?);
            // Before the data, even if they have no bytes.
            if self.phase == Phase::Data {
                break;
            }
        }
        Ok(used)
    }

    /// The message, if it is the one that was begun.
    fn checked<'m, 'd>(
        &self,
        begun: &'m BegunMessage<'d>,
    ) -> Result<&'m OutgoingMessage<'d>, EncodeErrorKind> {
        begun.check(self.begun)?;
        // A forged state can be at a part that its message does not have.
        if begun.message.has(self.part) { Ok(&begun.message) } else { Err(EncodeErrorKind::MessageOther) }
    }

    /// Length of the next piece.
    fn piece_length(&self, message: &OutgoingMessage<'_>) -> Result<u64, EncodeErrorKind> {
        Ok(match self.phase {
            Phase::Idle => 0,
            Phase::Header => HEADER_LEN as u64,
            Phase::Text => message.content_length(self.part, self.sum())?,
            Phase::Terminator => message.terminator(self.part).len() as u64,
            Phase::Data | Phase::Padding => u64::from(padding(self.lime.payload_length())),
        })
    }

    /// Length of all pieces up to the data, or to the end of the message.
    fn staged_length(&self, message: &OutgoingMessage<'_>) -> Result<u64, EncodeErrorKind> {
        let mut total = 0_u64;
        let mut part = Some(self.part);
        if self.phase != Phase::Header {
            // The rest of the open record.
            let length = self.lime.payload_length();
            total = self.lime.room().saturating_add(u64::from(padding(length)));
            part = message.next(part);
        }
        while let Some(now) = part {
            total = total.saturating_add(HEADER_LEN as u64);
            if now == Part::Data {
                break;
            }
            let length = self.record_length(message, now)?;
            total = total.saturating_add(length).saturating_add(u64::from(padding(length)));
            part = message.next(part);
        }
        Ok(total)
    }

    /// Length of the record of a part that is not the data.
    fn record_length(&self, message: &OutgoingMessage<'_>, part: Part) -> Result<u64, EncodeErrorKind> {
        let content = message.content_length(part, self.sum())?;
        Ok(content.saturating_add(message.terminator(part).len() as u64))
    }

    /// Writes the next piece to the front of `place`, which holds it. Returns its length.
    fn put_piece(
        &mut self,
        message: &OutgoingMessage<'_>,
        place: &mut [u8],
    ) -> Result<usize, EncodeErrorKind> {
        Ok(match self.phase {
            Phase::Idle => 0,
            Phase::Header => {
                let length =
                    if self.part == Part::Data { 0 } else { self.record_length(message, self.part)? };
                copy(place, self.open_record(message, length)?)
            }
            Phase::Text => {
                let sum = self.sum();
                let length = match message.text(self.part) {
                    Some(text) => copy(place, text),
                    None => message.content(self.part, sum, place)?.len(),
                };
                self.lime.payload(length as u64)?;
                self.phase = Phase::Terminator;
                length
            }
            Phase::Terminator => {
                let terminator = message.terminator(self.part);
                self.lime.payload(terminator.len() as u64)?;
                self.phase = Phase::Padding;
                copy(place, terminator)
            }
            Phase::Data | Phase::Padding => copy(place, self.close_record(message)?),
        })
    }
}
