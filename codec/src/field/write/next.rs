//! The records of a message, one piece after the other.

use super::begun::BegunMessage;
use super::emit::emit;
use super::encoder::{Encoder, Phase};
use super::message::{OutgoingMessage, Part};
use crate::bytes::prefix;
use crate::counter::Counter as _;
use crate::field::read::data::Data;
use crate::field::write_error::EncodeErrorKind;
use crate::lime::{Header, Record};

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
