//! Writing: the counterpart of the decoder.

use super::coverage::Coverage;
use super::decode::Decoder;
use super::error::EncodeErrorKind;
use super::header::{HEADER_LEN, Header, MAGIC, VERSION, end_of_record, padding};
use crate::bytes::prefix;
use crate::counter::{Counter as _, minus, plus};
use crate::encode::Encode;
use crate::state::{saved, saved_encoder};
use crate::step::Decode;

/// Produces the header and the padding of each record, and checks that its payload is written completely.
///
/// The caller writes, in this order: the header that [`begin`](Self::begin) returns, the payload, whose length is
/// passed to [`payload`](Self::payload), and the padding that [`end`](Self::end) returns. A call that returns an
/// error changes nothing. The output is identical to the output of c-lime for the same records; records that c-lime
/// would silently truncate or omit are errors.
///
/// # Example
/// ```
/// use linkstream::{Encode, Resumable};
/// use linkstream::lime::{Encoder, Header};
///
/// let mut encoder = Encoder::new();
/// let mut file = encoder.begin(&Header::new(b"type", 10, true, false)?)?.to_vec();
/// assert_eq!((encoder.room(), encoder.position()), (10, 144));
///
/// // The second half of the payload before the first one.
/// file.resize(144 + 10, 0);
/// encoder.seek(5)?;
/// file[149..].copy_from_slice(b"world");
/// encoder.payload(5)?;
/// assert!(encoder.end().is_err());
///
/// // Continue elsewhere: the state is an array of bytes.
/// let mut encoder = Encoder::load(&encoder.save())?;
/// encoder.seek(0)?;
/// file[144..149].copy_from_slice(b"hello");
/// encoder.payload(5)?;
/// file.extend_from_slice(encoder.end()?);
/// encoder.finish()?;
/// assert_eq!(encoder.position(), file.len() as u64);
/// assert!(encoder.message_is_open());
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoder {
    header: Header,
    record_open: bool,
    message_open: bool,
    /// Absolute offset of the open record's header, or of the next one.
    offset: u64,
    /// Position of the next byte in the payload.
    place: u64,
    written: Coverage,
}

saved!(struct Encoder { header, record_open, message_open, offset, place, written });
saved_encoder!(Encoder, 2);

impl Default for Encoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Encoder {
    /// An encoder for a new file.
    #[must_use]
    pub const fn new() -> Self {
        Self::append(0, false)
    }

    /// Begins another file.
    pub const fn reset(&mut self) {
        *self = Self::new();
    }

    /// An encoder that appends to a file of `offset` bytes. `message_open` is true if its last message is still
    /// open. [`Encoder::after`] determines both by reading the file.
    ///
    /// # Example
    /// ```
    /// use linkstream::Encode;
    /// use linkstream::lime::{Encoder, Header};
    ///
    /// let mut encoder = Encoder::append(152, false);
    /// let header = encoder.begin(&Header::new(b"type", 0, true, true)?)?;
    /// assert_eq!(header.len(), 144);
    /// assert_eq!(encoder.position(), 152 + 144);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn append(offset: u64, message_open: bool) -> Self {
        Self {
            header: Header::from_bytes([0; HEADER_LEN]),
            record_open: false,
            message_open,
            offset,
            place: 0,
            written: Coverage::new(),
        }
    }

    /// An encoder that appends to the file that `decoder` has read. `None` if the file does not end with a complete
    /// record, padding included, or if it is unknown whether the last message is open.
    ///
    /// # Example
    /// ```
    /// use linkstream::Encode;
    /// use linkstream::lime::{Decoder, Encoder, Header};
    /// use linkstream::{Decode, Mode};
    ///
    /// let file = *Header::new(b"type", 0, true, true)?.as_bytes();
    /// let mut decoder = Decoder::new(Mode::Strict);
    /// decoder.push(&file)?;
    /// decoder.push(&[])?;
    /// let encoder = Encoder::after(&decoder).ok_or("inside a record")?;
    /// assert_eq!(encoder.position(), 144);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn after(decoder: &Decoder) -> Option<Self> {
        let record = decoder.record();
        // A file without records has no record whose end could be compared.
        let aligned = record.message == 0 || record.next_offset() == decoder.position();
        let open = decoder.message_is_open()?;
        (aligned && decoder.is_between_records()).then(|| Self::append(decoder.position(), open))
    }

    /// Opens a record; the caller writes the bytes returned.
    ///
    /// # Errors
    /// [`EncodeErrorKind::RecordOpen`], a message flag that does not fit the previous record, a length beyond the
    /// largest 64-bit offset, or [`EncodeErrorKind::HeaderInvalid`] for bytes that are not a valid header.
    pub fn begin(&mut self, header: &Header) -> Result<&[u8; HEADER_LEN], EncodeErrorKind> {
        if self.record_open {
            return Err(EncodeErrorKind::RecordOpen);
        }
        if !is_writable(header) {
            return Err(EncodeErrorKind::HeaderInvalid);
        }
        // LIME 1.2, section 2: a record begins a message exactly if no message is open.
        match (self.message_open, header.begins_message()) {
            (false, false) => return Err(EncodeErrorKind::BeginMissing),
            (true, true) => return Err(EncodeErrorKind::BeginUnexpected),
            _ => {}
        }
        let length = header.length();
        if !is_addressable(self.offset, length) {
            return Err(EncodeErrorKind::LengthOverflow { length });
        }
        self.header = *header;
        self.record_open = true;
        self.place = 0;
        self.written = Coverage::new();
        Ok(self.header.as_bytes())
    }

    /// Accounts for `n` bytes of payload, which the caller writes at the current position.
    ///
    /// # Errors
    /// [`EncodeErrorKind::PayloadTooLong`], [`EncodeErrorKind::TooManyPieces`], [`EncodeErrorKind::NoRecord`].
    pub fn payload(&mut self, n: u64) -> Result<(), EncodeErrorKind> {
        self.open()?;
        let room = self.room();
        if n > room {
            return Err(EncodeErrorKind::PayloadTooLong { offered: n, room });
        }
        let to = self.place.plus(n);
        self.written.add(self.place, to)?;
        self.place = to;
        Ok(())
    }

    /// True if the next `n` bytes would overwrite payload. They may exceed the payload.
    pub(crate) fn would_overwrite(&self, n: u64) -> bool {
        self.written.overlaps(self.place, self.place.saturating_add(n))
    }

    /// Marks the whole payload as written: other processes that share the sink write the missing bytes.
    pub(crate) fn leave_rest_to_others(&mut self) -> Result<(), EncodeErrorKind> {
        self.open()?;
        let length = self.header.length();
        self.written.add(0, length)?;
        self.place = length;
        Ok(())
    }

    /// Number of payload bytes of the open record that have not been written.
    pub(crate) fn missing(&self) -> u64 {
        self.payload_length().minus(self.written.covered())
    }

    pub(crate) const fn record_is_open(&self) -> bool {
        self.record_open
    }

    /// Absolute offset of the header of the open record, or of the next one.
    pub(crate) const fn offset(&self) -> u64 {
        self.offset
    }

    /// True if the fields agree with each other. The encoder then keeps all its promises from there on.
    pub(crate) fn is_consistent(&self) -> bool {
        let length = self.header.length();
        let inside = self.place <= length && self.written.end() <= length;
        let is_open_record = || {
            is_writable(&self.header)
                && self.header.begins_message() != self.message_open
                && is_addressable(self.offset, length)
        };
        inside && (!self.record_open || is_open_record())
    }

    /// The header of the open record, or of the last one.
    pub(crate) const fn header(&self) -> &Header {
        &self.header
    }

    /// Moves to byte `to` of the payload, counted from its start. The caller must move its sink to
    /// [`Encoder::position`].
    ///
    /// # Errors
    /// [`EncodeErrorKind::SeekOutside`], [`EncodeErrorKind::NoRecord`].
    pub fn seek(&mut self, to: u64) -> Result<(), EncodeErrorKind> {
        self.open()?;
        let length = self.header.length();
        if to > length {
            return Err(EncodeErrorKind::SeekOutside { to, length });
        }
        self.place = to;
        Ok(())
    }

    /// Closes the record; the caller writes the returned bytes after the end of the payload.
    ///
    /// # Errors
    /// [`EncodeErrorKind::PayloadTooShort`] if a byte was never written, [`EncodeErrorKind::NoRecord`].
    pub fn end(&mut self) -> Result<&'static [u8], EncodeErrorKind> {
        const ZEROS: [u8; 7] = [0; 7];
        self.open()?;
        let length = self.header.length();
        let missing = self.missing();
        if missing > 0 {
            return Err(EncodeErrorKind::PayloadTooShort { missing });
        }
        let zeros = padding(length);
        self.offset = self.offset.plus(HEADER_LEN as u64).plus(length).plus(u64::from(zeros));
        self.record_open = false;
        self.message_open = !self.header.ends_message();
        Ok(prefix(&ZEROS, usize::from(zeros)))
    }

    /// True if the next record belongs to the same message as the previous one, and therefore must not have the
    /// message-begin flag.
    #[must_use]
    pub const fn message_is_open(&self) -> bool {
        self.message_open
    }

    /// Payload length of the open record in bytes; 0 while no record is open.
    pub(crate) fn payload_length(&self) -> u64 {
        if self.record_open { self.header.length() } else { 0 }
    }

    const fn open(&self) -> Result<(), EncodeErrorKind> {
        if self.record_open { Ok(()) } else { Err(EncodeErrorKind::NoRecord) }
    }
}

/// True if the header is valid: an encoder writes no other.
fn is_writable(header: &Header) -> bool {
    let is_header = header.magic() == MAGIC && header.version() == VERSION && header.reserved() == 0;
    is_header && header.type_garbage().is_none()
}

/// True if 64 bits can address all of a record at `offset` with a payload of `length` bytes.
fn is_addressable(offset: u64, length: u64) -> bool {
    // The header comes before the payload, but the sum is the same.
    end_of_record(offset, length).is_some_and(|end| end.checked_add(HEADER_LEN as u64).is_some())
}

impl Encode for Encoder {
    type ErrorKind = EncodeErrorKind;

    /// Number of bytes from the current position to the end of the open payload; 0 while no record is open.
    fn room(&self) -> u64 {
        if self.record_open { minus(self.header.length(), self.place) } else { 0 }
    }

    fn put(&mut self, payload: &[u8]) -> Result<(), EncodeErrorKind> {
        self.payload(payload.len() as u64)
    }

    fn position(&self) -> u64 {
        if self.record_open { plus(plus(self.offset, HEADER_LEN as u64), self.place) } else { self.offset }
    }

    /// Checks that the file can end here. A message that is left open is legal; see [`Encoder::message_is_open`].
    ///
    /// # Errors
    /// [`EncodeErrorKind::RecordOpen`].
    fn finish(&self) -> Result<(), EncodeErrorKind> {
        if self.record_open { Err(EncodeErrorKind::RecordOpen) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Resumable as _;

    fn header(length: u64, begin: bool, end: bool) -> Header {
        Header::new(b"t", length, begin, end).unwrap()
    }

    #[test]
    fn message_rule_is_kept_in_every_case() {
        let mut encoder = Encoder::new();
        assert_eq!(encoder.begin(&header(0, false, true)), Err(EncodeErrorKind::BeginMissing));
        encoder.begin(&header(0, true, false)).unwrap();
        assert_eq!(encoder.begin(&header(0, false, false)), Err(EncodeErrorKind::RecordOpen));
        encoder.end().unwrap();
        assert_eq!(encoder.begin(&header(0, true, true)), Err(EncodeErrorKind::BeginUnexpected));
        encoder.begin(&header(0, false, true)).unwrap();
        encoder.end().unwrap();
        assert_eq!(encoder.begin(&header(0, false, true)), Err(EncodeErrorKind::BeginMissing));
    }

    #[test]
    fn payload_must_fit_exactly() {
        let mut encoder = Encoder::new();
        assert_eq!(encoder.payload(1), Err(EncodeErrorKind::NoRecord));
        encoder.begin(&header(10, true, true)).unwrap();
        assert_eq!(encoder.payload(11), Err(EncodeErrorKind::PayloadTooLong { offered: 11, room: 10 }));
        encoder.payload(4).unwrap();
        assert_eq!(encoder.end(), Err(EncodeErrorKind::PayloadTooShort { missing: 6 }));
        encoder.seek(8).unwrap();
        assert_eq!(encoder.position(), 152);
        encoder.payload(2).unwrap();
        assert_eq!(encoder.end(), Err(EncodeErrorKind::PayloadTooShort { missing: 4 }));
        assert_eq!(encoder.seek(11), Err(EncodeErrorKind::SeekOutside { to: 11, length: 10 }));
        encoder.seek(3).unwrap();
        encoder.payload(5).unwrap();
        let mut other = Encoder::load(&encoder.save()).unwrap();
        assert_eq!(other, encoder);
        assert_eq!(other.end().unwrap(), [0; 6]);
        assert_eq!(other.position(), 160);
        assert_eq!(encoder.finish(), Err(EncodeErrorKind::RecordOpen));
        other.finish().unwrap();
    }

    #[test]
    fn lengths_are_bounded_by_the_address_space() {
        let mut encoder = Encoder::append(8, false);
        let longest = u64::MAX - 144 - 8 - 7;
        assert!(encoder.begin(&header(longest + 1, true, true)).is_err());
        assert!(encoder.begin(&header(longest, true, true)).is_ok());
    }
}
