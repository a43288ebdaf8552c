//! Writing: the header of an archive, and its data.

use super::data::{StoredRows, WordSums};
use super::decode::{END, MAX_HEADER};
use super::error::EncodeErrorKind;
use super::header::{Header, key_and_value};
use crate::bytes::{copy, prefix, suffix};
use crate::counter::{Counter as _, at_most, minus};
use crate::encode::Encode;
use crate::lattice::ByteOrder;
use crate::state::{saved, saved_encoder};

/// Counts the data of an archive and computes their checksum, which goes into the header before them.
///
/// The length of the header does not depend on the checksum. If the checksum is not known in advance, write the
/// header with any checksum, then the data, and finally replace the header by the one that
/// [`final_header`](Self::final_header) returns. This needs a sink that can seek, or a first pass over the data.
///
/// # Example
/// ```
/// use linkstream::Resumable;
/// use linkstream::Encode;
/// use linkstream::lattice::{ByteOrder, Extents, Precision};
/// use linkstream::nersc::{Encoder, Header, StoredRows};
///
/// let header = Header::new(Extents::new(&[1, 1, 1, 1])?, Precision::F32, StoredRows::Reduced, ByteOrder::Big)?;
/// let more = [("ENSEMBLE_ID", "example"), ("SEQUENCE_NUMBER", "1")];
/// let mut file = vec![0; 1024];
/// let length = header.write(&[], &more, &mut file)?;
/// file.truncate(length);
///
/// let mut encoder = Encoder::new(&header, length)?;
/// assert_eq!((encoder.position(), encoder.room()), (length as u64, 192));
/// file.extend_from_slice(&[1; 192]);
/// encoder.put(&[1; 192])?;
/// let mut encoder = Encoder::load(&encoder.save())?;
/// let header = encoder.final_header()?;
/// header.write(&[], &more, &mut file)?;
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
saved_encoder!(Encoder, 18);

impl Encoder {
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
    pub fn final_header(&mut self) -> Result<Header, EncodeErrorKind> {
        match self.room() {
            0 => {
                self.header.checksum = Some(self.computed());
                Ok(self.header)
            }
            missing => Err(EncodeErrorKind::TooFew { missing }),
        }
    }

    /// The header, with the checksum if [`final_header`](Self::final_header) has been called.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
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

/// QDP++ reads lines of fewer than 128 bytes, ` = ` and the line feed counted.
const LINE_MOST: usize = 124;

/// A line that the encoder writes itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Own {
    /// The version of the header, or of the storage format.
    Version,
    Datatype,
    /// From 0: x, y, z, t.
    Dimension(usize),
    LinkTrace,
    Plaquette,
    Boundary,
    Checksum,
    FloatingPoint,
}

/// Lines before the lines of the caller: key, a bit for the line, and its content.
const FIRST: [(&str, u32, Own); 14] = [
    ("HDR_VERSION", 1 << 0, Own::Version),
    ("DATATYPE", 1 << 1, Own::Datatype),
    ("STORAGE_FORMAT", 1 << 2, Own::Version),
    ("DIMENSION_1", 1 << 3, Own::Dimension(0)),
    ("DIMENSION_2", 1 << 4, Own::Dimension(1)),
    ("DIMENSION_3", 1 << 5, Own::Dimension(2)),
    ("DIMENSION_4", 1 << 6, Own::Dimension(3)),
    ("LINK_TRACE", 1 << 7, Own::LinkTrace),
    ("PLAQUETTE", 1 << 8, Own::Plaquette),
    ("BOUNDARY_1", 1 << 9, Own::Boundary),
    ("BOUNDARY_2", 1 << 10, Own::Boundary),
    ("BOUNDARY_3", 1 << 11, Own::Boundary),
    ("BOUNDARY_4", 1 << 12, Own::Boundary),
    ("CHECKSUM", 1 << 13, Own::Checksum),
];

/// Lines after the lines of the caller.
const LAST: [(&str, u32, Own); 1] = [("FLOATING_POINT", 1 << 14, Own::FloatingPoint)];

impl Own {
    /// True if the value depends on the links or their storage format, so that the line of another header cannot be
    /// kept.
    const fn is_computed(self) -> bool {
        !matches!(self, Self::Version | Self::Boundary)
    }

    fn of(key: &[u8]) -> Option<(&'static str, u32, Self)> {
        FIRST.into_iter().chain(LAST).find(|(name, ..)| name.as_bytes() == key)
    }
}

impl Header {
    /// Writes the header to the start of `out`: the lines of this header, then a line for each key and value in `more`.
    /// Returns its length in bytes, which does not depend on the checksum. An unknown checksum is written as 0. All 4
    /// boundaries are written as `PERIODIC`: the boundary conditions of quark fields do not affect the links.
    ///
    /// `kept` are lines of the header of another archive that is converted, between `BEGIN_HEADER` and `END_HEADER`, each
    /// without its line feed; none for a new archive. Lines that depend on the links or their storage format are replaced
    /// by the lines of this header in the same place. All others are copied byte for byte, even if some programs cannot
    /// read them. Missing lines are added after them.
    ///
    /// # Errors
    /// [`EncodeErrorKind::KeptLine`], [`EncodeErrorKind::Value`], [`EncodeErrorKind::Line`],
    /// [`EncodeErrorKind::BufferTooSmall`].
    ///
    /// # Example
    /// ```
    /// use linkstream::lattice::{ByteOrder, Extents, Precision};
    /// use linkstream::nersc::{Header, StoredRows};
    ///
    /// let header = Header::new(Extents::new(&[4, 4, 4, 8])?, Precision::F32, StoredRows::Reduced, ByteOrder::Big)?;
    /// let kept: [&[u8]; 3] = [b"DATATYPE = 4D_SU3_GAUGE_3x3", b"NOTE = a=b \xff", b"BOUNDARY_4 = ANTIPERIODIC"];
    /// let mut file = [0; 512];
    /// let length = header.write(&kept, &[("CREATOR", "me")], &mut file)?;
    /// let start = b"BEGIN_HEADER\nDATATYPE = 4D_SU3_GAUGE\nNOTE = a=b \xff\nBOUNDARY_4 = ANTIPERIODIC\nHDR_VERSION = 1.0\n";
    /// assert!(file[..length].starts_with(start));
    /// assert!(file[..length].ends_with(b"CREATOR = me\nFLOATING_POINT = IEEE32BIG\nEND_HEADER\n"));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn write(
        &self,
        kept: &[&[u8]],
        more: &[(&str, &str)],
        out: &mut [u8],
    ) -> Result<usize, EncodeErrorKind> {
        // A longer header would be refused by the decoder.
        let most = at_most(MAX_HEADER, out.len());
        let mut text = Written { out: out.get_mut(..most).unwrap_or_default(), length: 0 };
        text.line(&[b"BEGIN_HEADER"])?;
        // A bit for each line of this header that has been written.
        let mut placed = 0;
        for (index, line) in kept.iter().enumerate() {
            if line.contains(&b'\n') || line.trim_ascii_end() == END {
                return Err(EncodeErrorKind::KeptLine { index });
            }
            match key_and_value(line).and_then(|(key, _)| Own::of(key)) {
                Some((name, bit, own)) if own.is_computed() => {
                    if placed & bit == 0 {
                        self.write_own_line(name, own, &mut text)?;
                    }
                    placed |= bit;
                }
                Some((_, bit, _)) => {
                    text.line(&[line])?;
                    placed |= bit;
                }
                None => text.line(&[line])?,
            }
        }
        for (name, _, own) in FIRST.into_iter().filter(|(_, bit, _)| placed & bit == 0) {
            self.write_own_line(name, own, &mut text)?;
        }
        for (index, (key, value)) in more.iter().enumerate() {
            let earlier = more.iter().take(index).map(|(other, _)| other.as_bytes());
            let mut keys = earlier.chain(kept.iter().filter_map(|line| Some(key_and_value(line)?.0)));
            if !is_writable(key, value) || keys.any(|other| other == key.as_bytes()) {
                return Err(EncodeErrorKind::Line { index });
            }
            text.pair(key, value.as_bytes())?;
        }
        for (name, _, own) in LAST.into_iter().filter(|(_, bit, _)| placed & bit == 0) {
            self.write_own_line(name, own, &mut text)?;
        }
        text.line(&[END])?;
        Ok(text.length)
    }

    /// Writes a line that the encoder makes itself.
    fn write_own_line(
        &self,
        name: &'static str,
        own: Own,
        text: &mut Written<'_>,
    ) -> Result<(), EncodeErrorKind> {
        match own {
            Own::Version => text.pair(name, b"1.0"),
            Own::Datatype => {
                let (mut digits, mut value) = ([0; 10], Written { out: &mut [0; 24], length: 0 });
                let colors = decimal(self.colors().into(), &mut digits);
                value.put(&[b"4D_SU", colors, b"_GAUGE"])?;
                if self.rows() == StoredRows::Full {
                    value.put(&[b"_", colors, b"x", colors])?;
                }
                text.pair(name, prefix(value.out, value.length))
            }
            Own::Dimension(direction) => {
                let extent = self.extents().as_slice().get(direction).copied().unwrap_or(1);
                text.pair(name, decimal(extent, &mut [0; 10]))
            }
            Own::LinkTrace if self.link_trace.is_empty() => Ok(()),
            Own::LinkTrace => text.figure(name, &self.link_trace),
            Own::Plaquette if self.plaquette.is_empty() => Ok(()),
            Own::Plaquette => text.figure(name, &self.plaquette),
            Own::Boundary => text.pair(name, b"PERIODIC"),
            Own::Checksum => text.pair(name, &hexadecimal(self.checksum.unwrap_or(0))),
            Own::FloatingPoint => text.pair(name, self.floating_point().as_bytes()),
        }
    }
}

/// True if every reader accepts this line, and the encoder does not write this key itself.
fn is_writable(key: &str, value: &str) -> bool {
    let is_key = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'=');
    let is_own = key == "BEGIN_HEADER" || key.as_bytes() == END || Own::of(key.as_bytes()).is_some();
    is_key && is_value(value) && !is_own && key.len().saturating_add(value.len()) <= LINE_MOST
}

/// True if a value contains no control character and no `=`.
fn is_value(value: &str) -> bool {
    value.bytes().all(|byte| byte >= b' ' && byte != 0x7f && byte != b'=')
}

/// True if a text is a decimal number without white space. Its exponent has at most two digits, or three if it is
/// negative, so that a number of at most 32 characters does not overflow a 64-bit float.
fn is_number(text: &str) -> bool {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let mantissa = mantissa.strip_prefix(['+', '-']).unwrap_or(mantissa);
    let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let (digits, most) = match exponent.strip_prefix('-') {
        Some(digits) => (digits, 3),
        None => (exponent.strip_prefix('+').unwrap_or(exponent), 2),
    };
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    are_digits(whole)
        && are_digits(decimals)
        && are_digits(digits)
        && !(whole.is_empty() && decimals.is_empty())
        && (1..=most).contains(&digits.len())
}

/// A header that is being written.
struct Written<'o> {
    out: &'o mut [u8],
    length: usize,
}

impl Written<'_> {
    /// Writes a key and the number of the caller.
    fn figure(&mut self, key: &'static str, value: &str) -> Result<(), EncodeErrorKind> {
        if !is_number(value) {
            return Err(EncodeErrorKind::Value { key });
        }
        self.pair(key, value.as_bytes())
    }

    /// Writes a key and its value. An empty value is written without a space after `=`, which QIO and MILC would take
    /// for the value.
    fn pair(&mut self, key: &str, value: &[u8]) -> Result<(), EncodeErrorKind> {
        let separator: &[u8] = if value.is_empty() { b" =" } else { b" = " };
        self.line(&[key.as_bytes(), separator, value])
    }

    fn line(&mut self, parts: &[&[u8]]) -> Result<(), EncodeErrorKind> {
        self.put(parts)?;
        self.put(&[b"\n"])
    }

    fn put(&mut self, parts: &[&[u8]]) -> Result<(), EncodeErrorKind> {
        for part in parts {
            let end = self.length.saturating_add(part.len());
            let room = self.out.get_mut(self.length..end).ok_or(EncodeErrorKind::BufferTooSmall)?;
            copy(room, part);
            self.length = end;
        }
        Ok(())
    }
}

/// Always eight digits, so that a header with another checksum has the same length.
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
