//! Writing: the counterpart of the decoder.

use super::section::{is_text_length, user_string};
use crate::bytes::{copy, prefix, suffix_mut};
use crate::counter::Counter as _;
use crate::encode::encode;
use crate::scda::encode::Encoder as RawEncoder;
use crate::scda::entry::Style;
use crate::scda::error::EncodeErrorKind;
use crate::scda::section::{COUNT_LEN, Count, Letter, SectionType};
use crate::state::{saved, saved_encoder};

/// Largest number of bytes that a call returns: a first half with one `U` entry and the head of the second half.
const MAX_GIVEN: usize = 192;

/// Kind of call that is expected next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Any call that the raw encoder expects.
    Raw,
    /// `U` entries of a compressed variable array.
    Uncompressed,
    /// Sizes and texts of the second half of a variable array.
    Text,
    /// Sizes and texts of elements of equal size before compression.
    EqualText,
}

saved!(enum Part: Raw, Uncompressed, Text, EqualText);

/// Produces headers, counts and padding of compressed sections. The caller produces their texts: with
/// `scda::Stored`, with `scda::deflate`, or with another compressor.
///
/// The caller writes, in this order: the bytes returned by the method that opens a section; for a variable array,
/// the bytes that [`uncompressed`](Self::uncompressed) returns for each element, then the bytes that
/// [`second_half`](Self::second_half) returns; for both types of array, the bytes that [`text_size`](Self::text_size)
/// returns for each text; the texts, which are also passed to [`data`](Self::data); and the bytes that
/// [`end`](Self::end) returns. A call that returns an error changes nothing. Sections that are not compressed are
/// written through [`raw`](Self::raw).
///
/// # Example
/// ```
/// use linkstream::Resumable;
/// use linkstream::scda::logical::{self, Event};
/// use linkstream::scda::{Encoder, Style};
/// use linkstream::{Decode, Mode};
///
/// let mut raw = Encoder::new(Style::Unix);
/// let mut file = raw.header(b"vendor", b"file")?.to_vec();
/// let mut encoder = logical::Encoder::new(raw);
///
/// // A block of 29 bytes, whose compressed text has 38.
/// let text = b"AAAAAAAAAB16eNrLSM3JyVfIwE4CAKMQCuU==\n";
/// file.extend_from_slice(encoder.block(b"greeting", 29.into(), text.len() as u64)?);
/// assert_eq!((encoder.room(), encoder.style()), (38, Style::Unix));
/// file.extend_from_slice(text);
/// encoder.data(text)?;
/// file.extend_from_slice(encoder.end()?);
///
/// // A variable array of one element, with the same text. The state is an array of bytes.
/// let mut encoder = logical::Encoder::load(&encoder.save())?;
/// file.extend_from_slice(encoder.varray(1.into())?);
/// file.extend_from_slice(&encoder.uncompressed(29)?);
/// file.extend_from_slice(encoder.second_half(b"greetings")?);
/// file.extend_from_slice(&encoder.text_size(text.len() as u64)?);
/// file.extend_from_slice(text);
/// encoder.data(text)?;
/// file.extend_from_slice(encoder.end()?);
///
/// // And a section that is not compressed.
/// file.extend_from_slice(encoder.raw()?.block(b"plain", 0.into())?);
/// file.extend_from_slice(encoder.raw()?.end()?);
/// encoder.finish()?;
/// assert_eq!(encoder.position(), file.len() as u64);
///
/// let mut decoder = logical::Decoder::new(Mode::Strict, true);
/// let (mut rest, mut compressed) = (&file[..], 0);
/// loop {
///     let step = decoder.push(rest)?;
///     rest = &rest[step.consumed..];
///     match step.event {
///         Some(Event::Section(section)) => compressed += u8::from(section.is_compressed()),
///         Some(_) => {}
///         None => break,
///     }
/// }
/// assert_eq!(compressed, 2);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoder {
    raw: RawEncoder,
    part: Part,
    given: [u8; MAX_GIVEN],
    /// Number of elements of a variable array; of a block or array, the size of an element before compression.
    n: Count,
    /// `U` entries that are still to come.
    left: u64,
}

saved!(struct Encoder { raw, part, given, n, left });
saved_encoder!(Encoder, 10);

impl Encoder {
    /// An encoder that continues after the sections of `raw`.
    #[must_use]
    pub const fn new(raw: RawEncoder) -> Self {
        Self { raw, part: Part::Raw, given: [0; MAX_GIVEN], n: Count::ZERO, left: 0 }
    }

    /// Begins another file, in the same style.
    pub const fn reset(&mut self) {
        *self = Self::new(RawEncoder::new(self.style()));
    }

    /// Absolute offset of the next bytes to write.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.raw.position()
    }

    /// Number of bytes of data, or of texts, that are still missing in the open section; 0 if sizes or the second half must
    /// come first.
    #[must_use]
    pub const fn room(&self) -> u64 {
        if self.after_first_half().is_ok() { self.raw.room() } else { 0 }
    }

    /// The style of line breaks in padding.
    #[must_use]
    pub const fn style(&self) -> Style {
        self.raw.style()
    }

    /// The encoder for sections that are not compressed, and for the file header.
    ///
    /// # Errors
    /// [`EncodeErrorKind::SectionOpen`]: a compressed section has not been ended.
    pub fn raw(&mut self) -> Result<&mut RawEncoder, EncodeErrorKind> {
        if self.part == Part::Raw { Ok(&mut self.raw) } else { Err(EncodeErrorKind::SectionOpen) }
    }

    /// Opens a block of `u` bytes whose text has `text_length` bytes.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TextLength`], and the errors of opening a raw section.
    pub fn block(&mut self, user: &[u8], u: Count, text_length: u64) -> Result<&[u8], EncodeErrorKind> {
        if !is_text_length(text_length) {
            return Err(EncodeErrorKind::TextLength { found: text_length });
        }
        self.with_one_entry(SectionType::Block, u, |raw| raw.block(user, text_length.into()))
    }

    /// Opens an array of `n` elements of `u` bytes each.
    ///
    /// # Errors
    /// The errors of opening a raw section.
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{Encoder, Style, logical};
    ///
    /// let mut encoder = logical::Encoder::new(Encoder::append(128, Style::Unix));
    /// // Two elements of 29 bytes each.
    /// let text = b"AAAAAAAAAB16eNrLSM3JyVfIwE4CAKMQCuU==\n";
    /// let mut section = encoder.array(b"greetings", 2.into(), 29.into())?.to_vec();
    /// for _ in 0..2 {
    ///     section.extend_from_slice(&encoder.text_size(text.len() as u64)?);
    /// }
    /// for _ in 0..2 {
    ///     section.extend_from_slice(text);
    ///     encoder.data(text)?;
    /// }
    /// section.extend_from_slice(encoder.end()?);
    /// assert_eq!(encoder.position(), 128 + section.len() as u64);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn array(&mut self, user: &[u8], n: Count, u: Count) -> Result<&[u8], EncodeErrorKind> {
        self.with_one_entry(SectionType::Array, u, |raw| raw.varray(user, n))
    }

    /// An inline section with the entry `u`, and the head of the second half.
    fn with_one_entry(
        &mut self,
        logical: SectionType,
        u: Count,
        second: impl FnOnce(&mut RawEncoder) -> Result<&[u8], EncodeErrorKind>,
    ) -> Result<&[u8], EncodeErrorKind> {
        // On a copy, so that a refused call changes nothing.
        let mut raw = self.raw()?.clone();
        let mut given = Given { bytes: [0; MAX_GIVEN], filled: 0 };
        let magic = user_string(logical).map_or(&[][..], |user| user);
        given.add(raw.inline(magic)?);
        let entry = u.emit(Letter::U, raw.style());
        raw.data(&entry)?;
        given.add(&entry);
        given.add(raw.end()?);
        given.add(second(&mut raw)?);
        (self.raw, self.part, self.n, self.given) = (raw, Part::EqualText, u, given.bytes);
        Ok(prefix(&self.given, given.filled))
    }

    /// Opens a variable array of `n` elements. Their sizes before compression must be given next.
    ///
    /// # Errors
    /// The errors of opening a raw section.
    pub fn varray(&mut self, n: Count) -> Result<&[u8], EncodeErrorKind> {
        let magic = user_string(SectionType::Varray).map_or(&[][..], |user| user);
        let head = self.raw()?.array(magic, n, Count::from(COUNT_LEN as u64))?.len();
        self.part = Part::Uncompressed;
        self.n = n;
        self.left = n.to_u64().unwrap_or(0);
        Ok(prefix(self.raw.given(), head))
    }

    /// Takes the size in bytes of the next element of a variable array, before compression, and returns its count
    /// entry.
    ///
    /// # Errors
    /// [`EncodeErrorKind::SizeUnexpected`].
    pub fn uncompressed(&mut self, u: u64) -> Result<[u8; COUNT_LEN], EncodeErrorKind> {
        let left = self.left.checked_sub(1).filter(|_| self.part == Part::Uncompressed);
        let left = left.ok_or(EncodeErrorKind::SizeUnexpected)?;
        let entry = Count::from(u).emit(Letter::U, self.raw.style());
        self.raw.data(&entry)?;
        self.left = left;
        Ok(entry)
    }

    /// Opens the second half of a variable array, with its user string, after all sizes before compression have been
    /// given.
    ///
    /// # Errors
    /// [`EncodeErrorKind::SizesMissing`], [`EncodeErrorKind::NoSection`], and the errors of opening a raw section.
    pub fn second_half(&mut self, user: &[u8]) -> Result<&[u8], EncodeErrorKind> {
        if self.part != Part::Uncompressed {
            return Err(EncodeErrorKind::NoSection);
        }
        if self.left > 0 {
            return Err(EncodeErrorKind::SizesMissing { missing: self.left });
        }
        let mut raw = self.raw.clone();
        let mut given = Given { bytes: [0; MAX_GIVEN], filled: 0 };
        given.add(raw.end()?);
        given.add(raw.varray(user, self.n)?);
        (self.raw, self.part, self.given) = (raw, Part::Text, given.bytes);
        Ok(prefix(&self.given, given.filled))
    }

    /// Takes the length in bytes of the text of the next element of an array, and returns its count entry.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TextLength`], [`EncodeErrorKind::SizeUnexpected`], [`EncodeErrorKind::TooLong`],
    /// [`EncodeErrorKind::NoSection`].
    pub fn text_size(&mut self, length: u64) -> Result<[u8; COUNT_LEN], EncodeErrorKind> {
        if !matches!(self.part, Part::Text | Part::EqualText) {
            return Err(EncodeErrorKind::NoSection);
        }
        if !is_text_length(length) {
            return Err(EncodeErrorKind::TextLength { found: length });
        }
        self.raw.size(length)
    }

    /// Takes account of the next bytes, which the caller writes: text, or data of a section that is not compressed.
    ///
    /// # Errors
    /// [`EncodeErrorKind::DataTooLong`], [`EncodeErrorKind::SizesMissing`], [`EncodeErrorKind::SecondHalfMissing`],
    /// [`EncodeErrorKind::NoSection`].
    pub fn data(&mut self, bytes: &[u8]) -> Result<(), EncodeErrorKind> {
        self.after_first_half()?;
        self.raw.data(bytes)
    }

    /// Ends the section, compressed or not, and returns its padding.
    ///
    /// # Errors
    /// [`EncodeErrorKind::DataTooShort`], [`EncodeErrorKind::SizesMissing`], [`EncodeErrorKind::SecondHalfMissing`],
    /// [`EncodeErrorKind::NoSection`].
    pub fn end(&mut self) -> Result<&[u8], EncodeErrorKind> {
        self.after_first_half()?;
        let padding = self.raw.end()?;
        self.part = Part::Raw;
        Ok(padding)
    }

    /// Checks that the file can end here.
    ///
    /// # Errors
    /// [`EncodeErrorKind::SectionOpen`], [`EncodeErrorKind::HeaderOrder`].
    pub fn finish(&self) -> Result<(), EncodeErrorKind> {
        self.raw.finish()
    }

    /// True if the fields agree with each other. The encoder relies on that for everything that it does afterwards.
    fn is_consistent(&self) -> bool {
        let section = self.raw.section();
        let is_open = self.raw.finish() == Err(EncodeErrorKind::SectionOpen);
        let part_fits = match self.part {
            Part::Raw => self.left == 0,
            // The data of the first half are the entries.
            Part::Uncompressed => {
                is_open
                    && section.section_type == SectionType::Array
                    && (section.n, section.e) == (self.n, Count::from(COUNT_LEN as u64))
                    && self.left.checked_mul(COUNT_LEN as u64) == Some(self.raw.room())
            }
            Part::Text | Part::EqualText => {
                let is_second_half = match section.section_type {
                    SectionType::Block if self.part == Part::EqualText => {
                        section.e.to_u64().is_some_and(is_text_length)
                    }
                    section_type => section_type == SectionType::Varray,
                };
                is_open && is_second_half && self.left == 0
            }
        };
        self.raw.is_consistent() && part_fits
    }
}

impl Encoder {
    /// Checks that an element of `given` bytes has the announced size. Not for variable arrays, whose sizes are not
    /// kept.
    #[cfg(feature = "inflate")]
    pub(crate) fn takes_element(&self, given: u64) -> Result<(), EncodeErrorKind> {
        match self.n.to_u64() {
            announced if self.part == Part::EqualText && announced != Some(given) => {
                Err(EncodeErrorKind::ElementLength { announced: self.n, given })
            }
            _ => Ok(()),
        }
    }

    const fn after_first_half(&self) -> Result<(), EncodeErrorKind> {
        match (self.part, self.left) {
            (Part::Uncompressed, 0) => Err(EncodeErrorKind::SecondHalfMissing),
            (Part::Uncompressed, missing) => Err(EncodeErrorKind::SizesMissing { missing }),
            _ => Ok(()),
        }
    }
}

/// Bytes that several calls of the raw encoder return.
struct Given {
    bytes: [u8; MAX_GIVEN],
    filled: usize,
}

impl Given {
    fn add(&mut self, bytes: &[u8]) {
        let n = copy(suffix_mut(&mut self.bytes, self.filled), bytes);
        debug_assert_eq!(n, bytes.len(), "there is room for two heads");
        self.filled.increase(n);
    }
}

encode!(Encoder, Self::room, Self::data);
