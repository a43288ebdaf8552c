//! Writing: the header, and the checksum of the data.

use super::decode::END;
use super::error::EncodeErrorKind;
use super::header::Header;
use super::sums::WordSums;
use crate::bytes::{copy, suffix};
use crate::counter::{Counter as _, minus};
use crate::encode::Encode;
use crate::lattice::ByteOrder;
use crate::state::{self, LoadError, Saved, saved};

/// QDP++ reads lines of fewer than 128 bytes, ` = ` and the line feed counted.
const LINE_MOST: usize = 124;

/// The keys that the header writes itself.
const OWN: [&str; 17] = [
    "BEGIN_HEADER",
    "END_HEADER",
    "HDR_VERSION",
    "DATATYPE",
    "STORAGE_FORMAT",
    "DIMENSION_1",
    "DIMENSION_2",
    "DIMENSION_3",
    "DIMENSION_4",
    "LINK_TRACE",
    "PLAQUETTE",
    "CHECKSUM",
    "FLOATING_POINT",
    "BOUNDARY_1",
    "BOUNDARY_2",
    "BOUNDARY_3",
    "BOUNDARY_4",
];

/// Counts the data of an archive and computes their checksum, which goes into the header before them.
///
/// The length of the header does not depend on the checksum. If the checksum is not known in advance, write the
/// header with any checksum, then the data, and finally replace the header by the one that
/// [`complete`](Self::complete) returns.
///
/// # Example
/// ```
/// use linkstream::Encode;
/// use linkstream::lattice::{ByteOrder, Extents, Precision};
/// use linkstream::nersc::{Encoder, Header, Rows};
///
/// let header = Header::new(Extents::new(&[1, 1, 1, 1])?, Precision::F32, Rows::Two, ByteOrder::Big)?;
/// let more = [("ENSEMBLE_ID", "example"), ("SEQUENCE_NUMBER", "1")];
/// let mut file = vec![0; 1024];
/// let length = header.write(&more, &mut file)?;
/// file.truncate(length);
///
/// let mut encoder = Encoder::new(&header, length)?;
/// assert_eq!((encoder.position(), encoder.room()), (length as u64, 192));
/// file.extend_from_slice(&[1; 192]);
/// encoder.put(&[1; 192])?;
/// let mut encoder = Encoder::load(&encoder.save())?;
/// let header = encoder.complete()?;
/// header.write(&more, &mut file)?;
/// encoder.finish()?;
/// assert_eq!(encoder.header().checksum, Some(0x3030_3030));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoder {
    header: Header,
    sums: WordSums,
    data_at: u64,
    position: u64,
}

saved!(struct Encoder { header, sums, data_at, position });

impl Encoder {
    /// Size of a saved state in bytes.
    pub const SAVED: usize = <Self as Saved>::SIZE + state::SEAL;
    const TAG: u8 = 18;

    /// An encoder for the data after a header of `length` bytes.
    ///
    /// # Errors
    /// [`EncodeErrorKind::SizeOverflow`].
    pub fn new(header: &Header, length: usize) -> Result<Self, EncodeErrorKind> {
        let data_at = length as u64;
        data_at.checked_add(header.data_length()).ok_or(EncodeErrorKind::SizeOverflow)?;
        Ok(Self { header: *header, sums: WordSums::new(), data_at, position: data_at })
    }

    /// Returns the header with the checksum of the data, after all data have been passed to the encoder.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TooFew`].
    pub fn complete(&mut self) -> Result<Header, EncodeErrorKind> {
        match self.room() {
            0 => {
                self.header.checksum = Some(self.computed());
                Ok(self.header)
            }
            missing => Err(EncodeErrorKind::TooFew { missing }),
        }
    }

    /// The header, with the checksum if [`complete`](Self::complete) has been called.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// Saves the state as an array of bytes, to be stored or passed to another process. Restore it with `load`.
    #[must_use]
    pub fn save(&self) -> [u8; Self::SAVED] {
        state::seal(Self::TAG, self)
    }

    /// Restores an encoder from the state that [`Encoder::save`] returned.
    ///
    /// # Errors
    /// The bytes are damaged, belong to another type or version, or contradict themselves.
    pub fn load(saved: &[u8; Self::SAVED]) -> Result<Self, LoadError> {
        state::load(Self::TAG, saved, Self::is_consistent)
    }

    fn is_consistent(&self) -> bool {
        let end = self.data_at.checked_add(self.header.data_length());
        self.header.is_consistent()
            && self.data_at <= self.position
            && end.is_some_and(|end| self.position <= end)
            && self.sums.is_consistent(self.position.wrapping_sub(self.data_at))
    }

    fn computed(&self) -> u32 {
        self.sums.of(self.header.order().unwrap_or(ByteOrder::Big))
    }
}

impl Encode for Encoder {
    type ErrorKind = EncodeErrorKind;

    fn room(&self) -> u64 {
        minus(self.header.data_length(), minus(self.position, self.data_at))
    }

    fn put(&mut self, payload: &[u8]) -> Result<(), EncodeErrorKind> {
        if payload.len() as u64 > self.room() {
            return Err(EncodeErrorKind::TooMany);
        }
        self.sums.feed(payload);
        self.position.increase(payload.len() as u64);
        Ok(())
    }

    fn position(&self) -> u64 {
        self.position
    }

    fn finish(&self) -> Result<(), EncodeErrorKind> {
        let (computed, stored) = (self.computed(), self.header.checksum.unwrap_or(0));
        match self.room() {
            0 if stored == computed => Ok(()),
            0 => Err(EncodeErrorKind::Checksum { stored, computed }),
            missing => Err(EncodeErrorKind::TooFew { missing }),
        }
    }
}

impl Header {
    /// Writes the header to the start of `out`: its own lines and, after them, those of `more`, keys and values. Returns its
    /// length, which does not depend on the checksum; one that is not known is written as 0. All 4 boundaries are written
    /// as periodic, since links do not depend on those of other fields.
    ///
    /// # Errors
    /// [`EncodeErrorKind::Line`], [`EncodeErrorKind::BufferTooSmall`].
    pub fn write(&self, more: &[(&str, &str)], out: &mut [u8]) -> Result<usize, EncodeErrorKind> {
        let mut text = Written { out, length: 0 };
        text.line(&[b"BEGIN_HEADER"])?;
        text.pair("HDR_VERSION", b"1.0")?;
        text.pair("DATATYPE", self.rows().datatype().as_bytes())?;
        text.pair("STORAGE_FORMAT", b"1.0")?;
        let names = ["DIMENSION_1", "DIMENSION_2", "DIMENSION_3", "DIMENSION_4"];
        for (name, extent) in names.iter().zip(self.extents().as_slice()) {
            let mut digits = [0; 10];
            text.pair(name, decimal(*extent, &mut digits))?;
        }
        for (name, value) in [("LINK_TRACE", &self.link_trace), ("PLAQUETTE", &self.plaquette)] {
            if !value.is_empty() {
                text.pair(name, value.as_bytes())?;
            }
        }
        for name in ["BOUNDARY_1", "BOUNDARY_2", "BOUNDARY_3", "BOUNDARY_4"] {
            text.pair(name, b"PERIODIC")?;
        }
        text.pair("CHECKSUM", &hexadecimal(self.checksum.unwrap_or(0)))?;
        for (index, (key, value)) in more.iter().enumerate() {
            let earlier = more.iter().take(index);
            if !is_writable(key, value) || earlier.into_iter().any(|(other, _)| other == key) {
                return Err(EncodeErrorKind::Line { index });
            }
            text.pair(key, value.as_bytes())?;
        }
        text.pair("FLOATING_POINT", self.floating_point().as_bytes())?;
        text.line(&[END])?;
        Ok(text.length)
    }
}

/// Whether every reader takes this line, and the key is not one of the header's own.
fn is_writable(key: &str, value: &str) -> bool {
    let is_key = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'=');
    let is_value = value.bytes().all(|byte| byte >= b' ' && byte != 0x7f && byte != b'=');
    let is_own = OWN.contains(&key);
    is_key && is_value && !is_own && key.len().saturating_add(value.len()) <= LINE_MOST
}

/// A header that is being written.
struct Written<'o> {
    out: &'o mut [u8],
    length: usize,
}

impl Written<'_> {
    fn pair(&mut self, key: &str, value: &[u8]) -> Result<(), EncodeErrorKind> {
        self.line(&[key.as_bytes(), b" = ", value])
    }

    fn line(&mut self, parts: &[&[u8]]) -> Result<(), EncodeErrorKind> {
        for part in parts.iter().copied().chain([&b"\n"[..]]) {
            let end = self.length.saturating_add(part.len());
            let room = self.out.get_mut(self.length..end).ok_or(EncodeErrorKind::BufferTooSmall)?;
            copy(room, part);
            self.length = end;
        }
        Ok(())
    }
}

/// Always eight digits, so that a header can be written again in its place.
fn hexadecimal(number: u32) -> [u8; 8] {
    let mut digits = [0; 8];
    let mut rest = number;
    for digit in digits.iter_mut().rev() {
        let nibble = (rest & 15) as u8;
        *digit =
            if nibble < 10 { b'0'.wrapping_add(nibble) } else { b'a'.wrapping_add(nibble).wrapping_sub(10) };
        rest >>= 4;
    }
    digits
}

fn decimal(number: u32, digits: &mut [u8; 10]) -> &[u8] {
    let (mut rest, mut count) = (number, 0_usize);
    for digit in digits.iter_mut().rev() {
        *digit = b'0'.wrapping_add((rest % 10) as u8);
        rest /= 10;
        count = count.wrapping_add(1);
        if rest == 0 {
            break;
        }
    }
    suffix(digits, digits.len().minus(count))
}
