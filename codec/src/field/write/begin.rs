//! A message is judged as a whole before a byte of it is written; then its records are written, one piece after the other.

use super::begun::BegunMessage;
use super::begun::{check_documents, emit};
use super::encoder::{Encoder, Phase};
use super::message::{OutgoingMessage, Part};
use crate::bytes::prefix;
use crate::counter::Counter as _;
use crate::field::inventory::{Digest, Inventory};
use crate::field::layout::Field;
use crate::field::read::data::Data;
use crate::field::write_error::EncodeErrorKind;
use crate::lattice::Extents;
use crate::lime::{Header, Record};

impl Encoder {
    /// Begins a message, which is then passed to [`next`](Self::next). Its documents are written to `scratch` as a check; it must hold the longest of them. 512
    /// bytes are enough unless dates or data types are very long.
    ///
    /// # Errors
    /// The message is invalid, or not allowed in this file; see [`EncodeErrorKind`].
    pub fn begin<'m>(
        &mut self,
        message: &OutgoingMessage<'m>,
        scratch: &mut [u8],
    ) -> Result<BegunMessage<'m>, EncodeErrorKind> {
        if self.phase != Phase::Idle {
            return Err(EncodeErrorKind::MessageOpen);
        }
        message.check_parts()?;
        let first = message.next(None).ok_or(EncodeErrorKind::MessageInvalid)?;
        message.check_texts()?;
        if let Some((record_type, _)) = message.foreign {
            if !Part::Foreign.has_type(record_type) {
                return Err(EncodeErrorKind::MessageInvalid);
            }
            Header::new(record_type, 0, true, true)?;
        }
        let extents = message.lattice(self.extents)?;
        check_documents(message)?;
        let begun = BegunMessage::new(message, scratch)?;
        if message.has_data() {
            let field = message.layout(self.extents)?;
            let length = field.data_length().ok_or(EncodeErrorKind::DataOverflow)?;
            // Documents and headers are shorter than this by far.
            length
                .checked_add(self.lime.position())
                .and_then(|end| end.checked_add(1 << 32))
                .ok_or(EncodeErrorKind::DataOverflow)?;
        }
        admit(&mut self.inventory, message)?;
        self.extents = extents;
        self.part = first;
        self.phase = Phase::Header;
        self.data = None;
        self.begun = begun.fingerprint();
        if !self.lime.message_is_open() {
            self.message.increase(1);
            self.number = 0;
        }
        Ok(begun)
    }

    /// Continues the message that was begun: with a restored encoder, or in another function. All of the message is
    /// compared. `scratch` is needed as for [`begin`](Self::begin).
    ///
    /// # Errors
    /// [`EncodeErrorKind::MessageOther`]; [`EncodeErrorKind::NoData`] if no message is open; the buffer is too small.
    pub fn resume<'m>(
        &self,
        message: &OutgoingMessage<'m>,
        scratch: &mut [u8],
    ) -> Result<BegunMessage<'m>, EncodeErrorKind> {
        if self.phase == Phase::Idle {
            return Err(EncodeErrorKind::NoData);
        }
        BegunMessage::again(message, self.begun, scratch)
    }

    /// Whether so many bytes hold a site of this message. A message that [`begin`](Self::begin) refuses for another
    /// reason may pass.
    pub(crate) fn site_fits(
        &self,
        message: &OutgoingMessage<'_>,
        room: usize,
    ) -> Result<(), EncodeErrorKind> {
        match message.layout(self.extents) {
            Ok(Field { bytes_per_site: needed, .. }) if needed > room as u64 => {
                Err(EncodeErrorKind::SiteTooLarge { needed })
            }
            _ => Ok(()),
        }
    }

    /// Whether [`begin`](Self::begin) takes this message, after a file message with this lattice if there has been
    /// none.
    pub(crate) fn would_begin(
        &self,
        message: &OutgoingMessage<'_>,
        lattice: Extents,
        scratch: &mut [u8],
    ) -> Result<(), EncodeErrorKind> {
        let mut trial = self.clone();
        trial.extents = trial.extents.or(Some(lattice));
        trial.begin(message, scratch).map(drop)
    }
}

/// Adds a message to the inventory of its file, or refuses it and changes nothing.
pub(crate) fn admit(inventory: &mut Inventory, message: &OutgoingMessage<'_>) -> Result<(), EncodeErrorKind> {
    let update = message.update.map(Digest::of);
    if let Some(format) = message.format {
        // SciDAC files that lack updates break no rule, and QIO knows none.
        if message.record.is_none() && inventory.update_is_missing(format.kind(), update) {
            return Err(EncodeErrorKind::UpdateMissing);
        }
        if inventory.field_is_repeated(format.kind(), update) {
            return Err(EncodeErrorKind::UpdateRepeated);
        }
    }
    if message.lfn.is_some() && inventory.lfn.is_some() {
        return Err(EncodeErrorKind::LfnRepeated);
    }
    if let Some(format) = message.format {
        inventory.insert(format.kind(), update);
    }
    inventory.lfn = inventory.lfn.or(message.lfn.map(Digest::of));
    Ok(())
}

/// What the encoder wants next.
///
/// ```
/// use linkstream::field::{Encoder, OutgoingMessage, Want};
///
/// let message = OutgoingMessage::foreign(b"my-notes", b"any bytes");
/// let (mut encoder, mut scratch) = (Encoder::new(), [0; 512]);
/// let begun = encoder.begin(&message, &mut scratch)?;
/// // The header of the record comes first.
/// assert!(matches!(encoder.next(&begun, &mut scratch)?, Want::Bytes(bytes) if bytes.len() == 144));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Want<'a> {
    /// Write these bytes, at the [`Encoder::position`] before the call.
    Bytes(&'a [u8]),
    /// This number of bytes of data is expected; see [`Encoder::data`].
    Data(u64),
    /// The message is complete.
    Nothing,
}

impl Encoder {
    /// Returns what must be written next. `begun` is the message that [`begin`](Self::begin) or
    /// [`resume`](Self::resume) returned, and `scratch` must be as long as there.
    ///
    /// # Errors
    /// [`EncodeErrorKind::MessageOther`], or the buffer is too small.
    pub fn next<'b>(
        &'b mut self,
        begun: &'b BegunMessage<'_>,
        scratch: &'b mut [u8],
    ) -> Result<Want<'b>, EncodeErrorKind> {
        let missing = self.missing();
        if missing > 0 {
            return Ok(Want::Data(missing));
        }
        if self.phase == Phase::Idle {
            return Ok(Want::Nothing);
        }
        begun.check(self.begun)?;
        let message = &begun.message;
        // A state that was made up may be at a part that its message does not have.
        if !message.has(self.part) {
            return Err(EncodeErrorKind::MessageOther);
        }
        if self.phase == Phase::Data {
            self.phase = Phase::Padding;
        }
        let bytes = match self.phase {
            Phase::Idle | Phase::Data => return Ok(Want::Nothing),
            Phase::Header => return self.header(message, scratch),
            Phase::Text => {
                let text = match message.text(self.part) {
                    Some(text) => text,
                    None => {
                        let length = emit(message, self.part, self.sum(), scratch)?;
                        prefix(scratch, length)
                    }
                };
                self.lime.payload(text.len() as u64)?;
                self.phase = Phase::Terminator;
                text
            }
            Phase::Terminator => {
                let is_text = message.text(self.part).is_some();
                let terminator = if is_text { message.terminator(self.part) } else { b"" };
                self.lime.payload(terminator.len() as u64)?;
                self.phase = Phase::Padding;
                terminator
            }
            Phase::Padding => {
                let padding = self.lime.end()?;
                (self.part, self.phase) = match message.next(Some(self.part)) {
                    Some(part) => (part, Phase::Header),
                    None => (Part::Foreign, Phase::Idle),
                };
                padding
            }
        };
        Ok(Want::Bytes(bytes))
    }

    fn header<'b>(
        &'b mut self,
        message: &OutgoingMessage<'_>,
        scratch: &mut [u8],
    ) -> Result<Want<'b>, EncodeErrorKind> {
        let field = if self.part == Part::Data { Some(message.layout(self.extents)?) } else { None };
        let length = match (&field, message.text(self.part)) {
            (Some(field), _) => field.data_length().ok_or(EncodeErrorKind::DataOverflow)?,
            (None, Some(text)) => (text.len() as u64).plus(message.terminator(self.part).len() as u64),
            (None, None) => emit(message, self.part, self.sum(), scratch)? as u64,
        };
        let offset = self.lime.position();
        let begin = !self.lime.message_is_open();
        let end = message.next(Some(self.part)).is_none();
        self.lime.begin(&Header::new(message.record_type(self.part), length, begin, end)?)?;
        self.number.increase(1);
        self.phase = Phase::Text;
        if let Some(mut field) = field {
            field.record = Record { offset, length, message: self.message, number: self.number, begin, end };
            self.data = Some(Data::new(field));
            self.phase = Phase::Data;
        }
        Ok(Want::Bytes(self.lime.header().as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::Extents;
    use crate::scidac::PrivateFile;

    /// A header takes no scratch, so that only comparing the message's content can fail without.
    #[test]
    fn a_message_is_read_when_it_begins_and_when_it_is_resumed() {
        let file = PrivateFile::new(&Extents::new(&[2, 2]).unwrap());
        let text = *b"text";
        let message = OutgoingMessage::file(&file, &text);
        let (mut encoder, mut scratch) = (Encoder::new(), [0; 512]);
        let begun = encoder.begin(&message, &mut scratch).unwrap();
        while encoder.part != Part::FileXml {
            let _ = encoder.next(&begun, &mut scratch).unwrap();
        }
        let mut loaded = Encoder::load(&encoder.save()).unwrap();
        assert_eq!(loaded, encoder);
        assert!(matches!(encoder.next(&begun, &mut []), Ok(Want::Bytes(_))));
        assert!(matches!(loaded.resume(&message, &mut []), Err(EncodeErrorKind::Emit(..))));
        let resumed = loaded.resume(&message, &mut scratch).unwrap();
        assert!(matches!(loaded.next(&resumed, &mut []), Ok(Want::Bytes(_))));
        assert!(matches!(loaded.next(&resumed, &mut []), Ok(Want::Bytes(b"text"))));

        // The same content elsewhere is the same message, another content is not.
        let elsewhere = (file.clone(), *b"text", *b"test");
        let other = OutgoingMessage::file(&elsewhere.0, &elsewhere.2);
        assert_eq!(encoder.resume(&other, &mut scratch).err(), Some(EncodeErrorKind::MessageOther));
        let other = Encoder::new().begin(&other, &mut scratch).unwrap();
        assert_eq!(encoder.next(&other, &mut scratch), Err(EncodeErrorKind::MessageOther));
        let same = encoder.resume(&OutgoingMessage::file(&elsewhere.0, &elsewhere.1), &mut scratch).unwrap();
        assert!(matches!(encoder.next(&same, &mut []), Ok(Want::Bytes(b"text"))));
    }
}
