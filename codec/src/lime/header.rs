//! The record header: 144 bytes in 18 words (LIME 1.2, appendix A).

use super::error::EncodeErrorKind;
use crate::bytes::{accumulate, part};
use crate::counter::Counter as _;
use crate::state::saved;

/// Length of a header in bytes.
pub const HEADER_LEN: usize = 144;
/// The first four bytes of every record, as a big-endian number.
pub const MAGIC: u32 = 0x4567_89ab;
/// The only version of the format.
pub const VERSION: u16 = 1;
/// Length of the type field in bytes. A type read from a file can fill all of it; c-lime writes at most 127 bytes,
/// so that a NUL follows.
pub const MAX_TYPE_LEN: usize = 128;

const MESSAGE_BEGIN: u16 = 0x8000;
const MESSAGE_END: u16 = 0x4000;

/// Byte ranges of the fields.
mod field {
    use core::ops::Range;

    pub const MAGIC: Range<usize> = 0..4;
    pub const VERSION: Range<usize> = 4..6;
    pub const FLAGS: Range<usize> = 6..8;
    pub const LENGTH: Range<usize> = 8..16;
    pub const TYPE: Range<usize> = 16..144;
}

/// Number of zero bytes that follow a payload of `length` bytes, up to the next multiple of 8.
///
/// # Example
/// ```
/// use linkstream::lime::padding;
///
/// assert_eq!((padding(16), padding(17)), (0, 7));
/// ```
#[must_use]
pub const fn padding(length: u64) -> u8 {
    // -length modulo 8: the lower three bits of the two's complement.
    (length.wrapping_neg() & 7) as u8
}

/// End of a record whose payload of `length` bytes begins at `payload`; `None` if it exceeds 64 bits.
pub(super) fn end_of_record(payload: u64, length: u64) -> Option<u64> {
    length.checked_add(u64::from(padding(length)))?.checked_add(payload)
}

/// A record header, stored as the 144 bytes of the file, with accessors for its fields.
///
/// # Example
/// ```
/// use linkstream::lime::{Header, MAGIC, VERSION};
///
/// let header = Header::new(b"scidac-checksum", 123, false, true)?;
/// assert_eq!((header.magic(), header.version(), header.reserved()), (MAGIC, VERSION, 0));
/// assert_eq!((header.record_type(), header.length()), (&b"scidac-checksum"[..], 123));
/// assert!(!header.begins_message() && header.ends_message());
///
/// // As bytes, and back.
/// assert_eq!(Header::from_bytes(*header.as_bytes()), header);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Header {
    raw: [u8; HEADER_LEN],
}

saved!(struct Header { raw });

impl Header {
    /// A header to be written, with type, payload length in bytes, message-begin flag and message-end flag.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TypeTooLong`] for more than 127 bytes, which c-lime would silently truncate, and
    /// [`EncodeErrorKind::TypeHasNul`] for a type that contains a NUL, so that readers would see a shorter one.
    pub fn new(record_type: &[u8], length: u64, begin: bool, end: bool) -> Result<Self, EncodeErrorKind> {
        let mut raw = [0; HEADER_LEN];
        if record_type.len() >= MAX_TYPE_LEN {
            return Err(EncodeErrorKind::TypeTooLong { length: record_type.len() });
        }
        if record_type.contains(&0) {
            return Err(EncodeErrorKind::TypeHasNul);
        }
        let flags = if begin { MESSAGE_BEGIN } else { 0 } | if end { MESSAGE_END } else { 0 };
        let words = MAGIC
            .to_be_bytes()
            .into_iter()
            .chain(VERSION.to_be_bytes())
            .chain(flags.to_be_bytes())
            .chain(length.to_be_bytes())
            .chain(record_type.iter().copied());
        for (to, from) in raw.iter_mut().zip(words) {
            *to = from;
        }
        Ok(Self { raw })
    }

    /// A header from its bytes, which are not checked; the accessors work with any bytes.
    #[must_use]
    pub const fn from_bytes(raw: [u8; HEADER_LEN]) -> Self {
        Self { raw }
    }

    /// The 144 bytes as they are in the file.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; HEADER_LEN] {
        &self.raw
    }

    fn word<const N: usize>(&self, field: core::ops::Range<usize>) -> [u8; N] {
        self.raw.get(field).and_then(|bytes| bytes.first_chunk()).copied().unwrap_or([0; N])
    }

    /// The magic number; [`MAGIC`] in a LIME header.
    #[must_use]
    pub fn magic(&self) -> u32 {
        u32::from_be_bytes(self.word(field::MAGIC))
    }

    /// The version; 1.
    #[must_use]
    pub fn version(&self) -> u16 {
        u16::from_be_bytes(self.word(field::VERSION))
    }

    fn flags(&self) -> u16 {
        u16::from_be_bytes(self.word(field::FLAGS))
    }

    /// MB: this record is the first of a message.
    #[must_use]
    pub fn begins_message(&self) -> bool {
        self.flags() & MESSAGE_BEGIN != 0
    }

    /// ME: this record is the last of a message.
    #[must_use]
    pub fn ends_message(&self) -> bool {
        self.flags() & MESSAGE_END != 0
    }

    /// The 14 reserved bits, in the low bits of the result. They should be 0; GPT sets all of them.
    #[must_use]
    pub fn reserved(&self) -> u16 {
        self.flags() & !(MESSAGE_BEGIN | MESSAGE_END)
    }

    /// Payload length in bytes, padding not counted.
    #[must_use]
    pub fn length(&self) -> u64 {
        u64::from_be_bytes(self.word(field::LENGTH))
    }

    /// Fills the rest of the header, which has `filled` bytes, from `input`. Returns the number of bytes consumed.
    pub(super) fn accumulate(&mut self, filled: &mut usize, input: &[u8]) -> usize {
        accumulate(&mut self.raw, filled, input)
    }

    fn type_field(&self) -> &[u8] {
        part(&self.raw, field::TYPE)
    }

    /// The type: the bytes before the first NUL, or all 128. It may contain any bytes.
    #[must_use]
    #[inline(never)]
    pub fn record_type(&self) -> &[u8] {
        let field = self.type_field();
        let length = field.iter().position(|byte| *byte == 0);
        length.and_then(|length| field.get(..length)).unwrap_or(field)
    }

    /// True if [`record_type`](Self::record_type) is `name`; does not search for the end of the type.
    #[inline]
    pub(crate) fn has_type(&self, name: &[u8]) -> bool {
        let rest = self.type_field().strip_prefix(name);
        rest.is_some_and(|rest| rest.first().is_none_or(|byte| *byte == 0))
    }

    /// Offset in the header of the first byte after the type's NUL that is not zero, if there is one.
    pub(super) fn type_garbage(&self) -> Option<usize> {
        let length = self.record_type().len();
        let rest = self.type_field().get(length..)?;
        // One branch-free pass first: in nearly every header all of these bytes are zero.
        if rest.iter().fold(0, |all, byte| all | byte) == 0 {
            return None;
        }
        let extra = rest.iter().position(|byte| *byte != 0)?;
        Some(field::TYPE.start.plus(length).plus(extra))
    }

    /// True if this is the deprecated terminal record without type, length and flags. Old libraries wrote it at the
    /// end of a file whose last message had not ended.
    pub(super) fn is_terminal_null(&self) -> bool {
        self.flags() == 0 && self.length() == 0 && self.record_type().is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_at_the_offsets_of_the_appendix() {
        let header = Header::new(b"ab", 0x0102_0304_0506_0708, true, false).unwrap();
        let raw = header.as_bytes();
        assert_eq!(&raw[..18], b"\x45\x67\x89\xab\0\x01\x80\0\x01\x02\x03\x04\x05\x06\x07\x08ab");
        assert!(raw[18..].iter().all(|byte| *byte == 0));
        assert!(header.has_type(b"ab") && !header.has_type(b"a") && !header.has_type(b"abc"));
        assert_eq!(header.record_type(), b"ab");
        assert_eq!(header.length(), 0x0102_0304_0506_0708);
        assert!(header.begins_message() && !header.ends_message());
    }

    #[test]
    fn types_of_127_and_128_bytes() {
        assert!(Header::new(&[b'T'; 127], 0, true, true).is_ok());
        assert_eq!(
            Header::new(&[b'T'; 128], 0, true, true),
            Err(EncodeErrorKind::TypeTooLong { length: 128 })
        );
        let mut raw = *Header::new(b"", 0, true, true).unwrap().as_bytes();
        raw[16..].fill(b'T');
        assert!(Header::from_bytes(raw).has_type(&[b'T'; 128]));
        assert_eq!(Header::from_bytes(raw).record_type(), [b'T'; 128]);
        assert_eq!(Header::from_bytes(raw).type_garbage(), None);
        assert_eq!(Header::new(b"a\0b", 0, true, true), Err(EncodeErrorKind::TypeHasNul));
    }

    #[test]
    fn padding_fills_to_eight() {
        assert_eq!([0, 1, 7, 8, 9, u64::MAX].map(padding), [0, 7, 1, 0, 7, 1]);
    }
}
