//! Writing sections, compressed ones as their two halves: the counterpart of the decoder.
//!
//! # Invariants
//! | field | holds | changes |
//! |---|---|---|
//! | `plain` | writes the sections as they are stored, and has the position of both encoders | with each call that succeeds; on a copy, where a call writes more than one piece |
//! | `phase` | `Uncompressed` in the first half of a variable array, `Text` in its second half, `EqualText` in the second half of a block or an array, else `Plain` | where a half begins or ends |
//! | `left` | `U` entries that are still to come, in `Uncompressed`: 32 bytes of data of the first half for each | by each entry |
//! | `n` | number of elements of a variable array; size of the elements of a block or an array | where a first half begins |
//!
//! `is_consistent` checks them when a state is loaded. `given` is no part of it.

use super::compressed::{is_text_length, second_half, user_string};
use super::count::{COUNT_LEN, Count, Letter};
use super::error::EncodeErrorKind;
use super::head::MAX_LEN;
use super::padding::Style;
use super::plain::PlainEncoder;
use super::section::{Section, SectionType};
use crate::bytes::{copy, prefix, suffix_mut};
use crate::counter::Counter as _;
use crate::encode::Encode;
use crate::state::{saved, saved_encoder};

/// Part of a section that is written next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// A section that is not compressed, or none.
    Plain,
    /// `U` entries of a compressed variable array.
    Uncompressed,
    /// Sizes and texts of the second half of a variable array.
    Text,
    /// Sizes and texts of elements of equal size before compression.
    EqualText,
}

saved!(enum Phase: Plain, Uncompressed, Text, EqualText);

/// Produces headers, counts and padding of each section, and checks that its data are written completely.
///
/// The caller writes, in this order: the bytes returned by the method that opens a section; for a variable array,
/// the bytes that [`size`](Self::size) returns for each element; the data, which are also passed to
/// [`put`](Self::put); and the padding that [`end`](Self::end) returns. A call that returns an error changes
/// nothing. The input determines every byte of the output. In Unix style libsc writes the same bytes, as far as it
/// implements the sections: it has no variable arrays.
///
/// # Compressed sections
/// The data of a compressed section are texts, which the caller produces: with `scda::Stored`, with `scda::deflate`, or
/// with another compressor. For both types of array, [`size`](Self::size) takes the length of each text.
/// A variable array begins with the sizes before compression: after
/// [`compressed_varray`](Self::compressed_varray) the caller writes the bytes that
/// [`uncompressed`](Self::uncompressed) returns for each element, then the bytes of
/// [`second_half`](Self::second_half).
///
/// ```
/// use linkstream::Encode;
/// use linkstream::scda::{Encoder, Style};
///
/// let mut file = Vec::new();
/// let mut encoder = Encoder::new(Style::Unix);
/// file.extend_from_slice(encoder.header(b"libsc", b"demo")?);
/// file.extend_from_slice(encoder.array(b"ids", 2.into(), 3.into())?);
/// encoder.put(b"abcde\n")?;
/// file.extend_from_slice(b"abcde\n");
/// file.extend_from_slice(encoder.end()?);
/// assert_eq!(file.len(), 288);
/// assert!(file.ends_with(b"abcde\n========================\n\n"));
///
/// // A compressed block of 29 bytes, whose text has 38.
/// let text = b"AAAAAAAAAB16eNrLSM3JyVfIwE4CAKMQCuU==\n";
/// file.extend_from_slice(encoder.compressed_block(b"greeting", 29.into(), text.len() as u64)?);
/// assert_eq!((encoder.room(), encoder.style()), (38, Style::Unix));
/// file.extend_from_slice(text);
/// encoder.put(text)?;
/// file.extend_from_slice(encoder.end()?);
///
/// // A compressed variable array of one element, with the same text.
/// file.extend_from_slice(encoder.compressed_varray(1.into())?);
/// file.extend_from_slice(&encoder.uncompressed(29)?);
/// file.extend_from_slice(encoder.second_half(b"greetings")?);
/// file.extend_from_slice(&encoder.size(text.len() as u64)?);
/// file.extend_from_slice(text);
/// encoder.put(text)?;
/// file.extend_from_slice(encoder.end()?);
/// encoder.finish()?;
/// assert_eq!(encoder.position(), file.len() as u64);
/// # Ok::<(), linkstream::scda::EncodeErrorKind>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoder {
    plain: PlainEncoder,
    phase: Phase,
    given: Given,
    /// Number of elements of a compressed variable array; of a compressed block or array, the size of an element before
    /// compression.
    n: Count,
    /// `U` entries that are still to come.
    left: u64,
}

saved!(struct Encoder { plain, phase, n, left } skipping { given });
saved_encoder!(Encoder, 8);

impl Encoder {
    /// An encoder for a new file.
    #[must_use]
    pub const fn new(style: Style) -> Self {
        Self::append(0, style)
    }

    /// An encoder that appends to a file of `offset` bytes, which must end with a complete section. 0 means a new
    /// file.
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{Encoder, Style};
    /// use linkstream::{Encode, Resumable};
    ///
    /// let mut encoder = Encoder::append(128, Style::Unix);
    /// let mut sections = encoder.inline(b"32 bytes")?.to_vec();
    /// sections.extend_from_slice(&[b'x'; 32]);
    /// encoder.put(&[b'x'; 32])?;
    /// sections.extend_from_slice(encoder.end()?);
    /// sections.extend_from_slice(encoder.block(b"3 bytes", 3.into())?);
    /// assert_eq!((encoder.style(), encoder.section().offset, encoder.room()), (Style::Unix, 224, 3));
    ///
    /// // Continue elsewhere: the state is an array of bytes.
    /// let mut encoder = Encoder::load(&encoder.save())?;
    /// sections.extend_from_slice(b"abc");
    /// encoder.put(b"abc")?;
    /// sections.extend_from_slice(encoder.end()?);
    /// assert_eq!(encoder.position(), 128 + sections.len() as u64);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn append(offset: u64, style: Style) -> Self {
        let plain = PlainEncoder::append(offset, style);
        Self { plain, phase: Phase::Plain, given: Given::NONE, n: Count::ZERO, left: 0 }
    }

    /// Begins another file, in the same style.
    pub const fn reset(&mut self) {
        *self = Self::new(self.style());
    }

    /// Returns the complete file header of 128 bytes. The vendor string names the writing program.
    ///
    /// # Errors
    /// [`EncodeErrorKind::HeaderOrder`], [`EncodeErrorKind::StringTooLong`].
    pub fn header(&mut self, vendor: &[u8], user: &[u8]) -> Result<&[u8], EncodeErrorKind> {
        self.plain.header(&mut self.given.bytes, vendor, user)
    }

    /// Opens an inline section. Exactly 32 bytes of data must follow.
    ///
    /// # Errors
    /// [`EncodeErrorKind::StringTooLong`], [`EncodeErrorKind::SectionOpen`], [`EncodeErrorKind::HeaderOrder`],
    /// [`EncodeErrorKind::TooLong`].
    pub fn inline(&mut self, user: &[u8]) -> Result<&[u8], EncodeErrorKind> {
        self.begin(SectionType::Inline, user, Count::ZERO, Count::ZERO)
    }

    /// Opens a block of `e` bytes.
    ///
    /// # Errors
    /// The errors of [`Encoder::inline`].
    pub fn block(&mut self, user: &[u8], e: Count) -> Result<&[u8], EncodeErrorKind> {
        self.begin(SectionType::Block, user, Count::ZERO, e)
    }

    /// Opens an array of `n` elements of `e` bytes each.
    ///
    /// # Errors
    /// The errors of [`Encoder::inline`].
    pub fn array(&mut self, user: &[u8], n: Count, e: Count) -> Result<&[u8], EncodeErrorKind> {
        self.begin(SectionType::Array, user, n, e)
    }

    /// Opens a variable array of `n` elements. All their sizes must be given before the data.
    ///
    /// # Errors
    /// The errors of [`Encoder::inline`].
    pub fn varray(&mut self, user: &[u8], n: Count) -> Result<&[u8], EncodeErrorKind> {
        self.begin(SectionType::Varray, user, n, Count::ZERO)
    }

    fn begin(
        &mut self,
        section_type: SectionType,
        user: &[u8],
        n: Count,
        e: Count,
    ) -> Result<&[u8], EncodeErrorKind> {
        self.plain.begin(&mut self.given.bytes, section_type, user, n, e)
    }

    /// Opens a compressed block of `u` bytes whose text has `text_length` bytes.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TextLength`], and the errors of [`Encoder::inline`].
    pub fn compressed_block(
        &mut self,
        user: &[u8],
        u: Count,
        text_length: u64,
    ) -> Result<&[u8], EncodeErrorKind> {
        if !is_text_length(text_length) {
            return Err(EncodeErrorKind::TextLength { found: text_length });
        }
        self.begin_with_one_entry(SectionType::Block, u, user, Count::ZERO, text_length.into())
    }

    /// Opens a compressed array of `n` elements of `u` bytes each. The lengths of all texts must be given before the
    /// texts.
    ///
    /// # Errors
    /// The errors of [`Encoder::inline`].
    ///
    /// # Example
    /// ```
    /// use linkstream::Encode;
    /// use linkstream::scda::{Encoder, Style};
    ///
    /// let mut encoder = Encoder::append(128, Style::Unix);
    /// // Two elements of 29 bytes each.
    /// let text = b"AAAAAAAAAB16eNrLSM3JyVfIwE4CAKMQCuU==\n";
    /// let mut section = encoder.compressed_array(b"greetings", 2.into(), 29.into())?.to_vec();
    /// for _ in 0..2 {
    ///     section.extend_from_slice(&encoder.size(text.len() as u64)?);
    /// }
    /// for _ in 0..2 {
    ///     section.extend_from_slice(text);
    ///     encoder.put(text)?;
    /// }
    /// section.extend_from_slice(encoder.end()?);
    /// assert_eq!(encoder.position(), 128 + section.len() as u64);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn compressed_array(&mut self, user: &[u8], n: Count, u: Count) -> Result<&[u8], EncodeErrorKind> {
        self.begin_with_one_entry(SectionType::Array, u, user, n, Count::ZERO)
    }

    /// An inline section with the entry `u`, and the head of the second half.
    fn begin_with_one_entry(
        &mut self,
        section_type: SectionType,
        u: Count,
        user: &[u8],
        n: Count,
        e: Count,
    ) -> Result<&[u8], EncodeErrorKind> {
        // On a copy, so that a refused call changes nothing.
        let mut plain = self.plain.clone();
        let first = user_string(section_type).map_or(&[][..], |user| user);
        let none = Count::ZERO;
        self.given.filled = plain.begin(&mut self.given.bytes, SectionType::Inline, first, none, none)?.len();
        let entry = u.emit(Letter::U, plain.style());
        plain.data(&entry)?;
        self.given.add(&entry);
        let mut next = [0; MAX_LEN];
        // An inline section has no padding.
        plain.end(&mut next)?;
        self.given.add(plain.begin(&mut next, second_half(section_type), user, n, e)?);
        (self.plain, self.phase, self.n) = (plain, Phase::EqualText, u);
        Ok(self.given.bytes())
    }

    /// Opens a compressed variable array of `n` elements. Their sizes before compression must be given next.
    ///
    /// # Errors
    /// The errors of [`Encoder::inline`].
    pub fn compressed_varray(&mut self, n: Count) -> Result<&[u8], EncodeErrorKind> {
        let first = user_string(SectionType::Varray).map_or(&[][..], |user| user);
        let head = self.plain.begin(&mut self.given.bytes, SectionType::Array, first, n, Count::LINE)?;
        self.phase = Phase::Uncompressed;
        self.n = n;
        // The entries are data of 32 bytes each, which `begin` has found to be addressable.
        self.left = n.to_u64().unwrap_or(0);
        Ok(head)
    }

    /// Takes the size in bytes of the next element of a compressed variable array, before compression, and returns its
    /// count entry.
    ///
    /// # Errors
    /// [`EncodeErrorKind::SizeUnexpected`].
    pub fn uncompressed(&mut self, u: u64) -> Result<[u8; COUNT_LEN], EncodeErrorKind> {
        let left = self.left.checked_sub(1).filter(|_| self.phase == Phase::Uncompressed);
        let left = left.ok_or(EncodeErrorKind::SizeUnexpected)?;
        let entry = Count::from(u).emit(Letter::U, self.style());
        self.plain.data(&entry)?;
        self.left = left;
        Ok(entry)
    }

    /// Opens the second half of a compressed variable array, with its user string, after all sizes before compression
    /// have been given.
    ///
    /// # Errors
    /// [`EncodeErrorKind::SizesMissing`], [`EncodeErrorKind::NoSection`], and the errors of [`Encoder::inline`].
    pub fn second_half(&mut self, user: &[u8]) -> Result<&[u8], EncodeErrorKind> {
        if self.phase != Phase::Uncompressed {
            return Err(EncodeErrorKind::NoSection);
        }
        if self.left > 0 {
            return Err(EncodeErrorKind::SizesMissing { missing: self.left });
        }
        let mut plain = self.plain.clone();
        self.given.filled = plain.end(&mut self.given.bytes)?.len();
        let mut next = [0; MAX_LEN];
        self.given.add(plain.begin(&mut next, SectionType::Varray, user, self.n, Count::ZERO)?);
        (self.plain, self.phase) = (plain, Phase::Text);
        Ok(self.given.bytes())
    }

    /// Takes the size in bytes of the next element of a variable array, or the length of its text in a compressed
    /// array, and returns its count entry.
    ///
    /// # Errors
    /// [`EncodeErrorKind::SizeUnexpected`], [`EncodeErrorKind::TextLength`], [`EncodeErrorKind::TooLong`],
    /// [`EncodeErrorKind::NoSection`].
    pub fn size(&mut self, e: u64) -> Result<[u8; COUNT_LEN], EncodeErrorKind> {
        if matches!(self.phase, Phase::Text | Phase::EqualText) && !is_text_length(e) {
            return Err(EncodeErrorKind::TextLength { found: e });
        }
        self.plain.size(e)
    }

    /// Ends the section, and returns its padding, which is empty for an inline section.
    ///
    /// # Errors
    /// [`EncodeErrorKind::DataTooShort`], [`EncodeErrorKind::SizesMissing`], [`EncodeErrorKind::SecondHalfMissing`],
    /// [`EncodeErrorKind::NoSection`].
    pub fn end(&mut self) -> Result<&[u8], EncodeErrorKind> {
        self.after_first_half()?;
        let padding = self.plain.end(&mut self.given.bytes)?;
        self.phase = Phase::Plain;
        Ok(padding)
    }

    /// The style of line breaks in padding.
    #[must_use]
    pub const fn style(&self) -> Style {
        self.plain.style()
    }

    /// The open section as it is stored, or the previous one: of a compressed section, the half that is being written.
    #[must_use]
    pub const fn section(&self) -> Section {
        Section::plain(*self.plain.section())
    }

    /// True if the fields agree with each other. The encoder relies on that for everything that it does afterwards.
    fn is_consistent(&self) -> bool {
        let section = self.plain.section();
        let is_open = self.plain.finish() == Err(EncodeErrorKind::SectionOpen);
        let part_fits = match self.phase {
            Phase::Plain => self.left == 0,
            // The data of the first half are the entries.
            Phase::Uncompressed => {
                is_open
                    && section.section_type == SectionType::Array
                    && (section.n, section.e) == (self.n, Count::LINE)
                    && self.left.checked_mul(COUNT_LEN as u64) == Some(self.plain.room())
            }
            Phase::Text | Phase::EqualText => {
                let is_second_half = match section.section_type {
                    SectionType::Block if self.phase == Phase::EqualText => {
                        section.e.to_u64().is_some_and(is_text_length)
                    }
                    section_type => section_type == SectionType::Varray,
                };
                is_open && is_second_half && self.left == 0
            }
        };
        self.plain.is_consistent() && part_fits
    }

    /// Checks that an element of `given` bytes has the announced size. Not for variable arrays, whose sizes are not
    /// kept.
    #[cfg(feature = "inflate")]
    pub(crate) fn takes_element(&self, given: u64) -> Result<(), EncodeErrorKind> {
        match self.n.to_u64() {
            announced if self.phase == Phase::EqualText && announced != Some(given) => {
                Err(EncodeErrorKind::ElementLength { announced: self.n, given })
            }
            _ => Ok(()),
        }
    }

    /// Refused between the two halves of a variable array: the data of the first half are its entries.
    const fn after_first_half(&self) -> Result<(), EncodeErrorKind> {
        match (self.phase, self.left) {
            (Phase::Uncompressed, 0) => Err(EncodeErrorKind::SecondHalfMissing),
            (Phase::Uncompressed, missing) => Err(EncodeErrorKind::SizesMissing { missing }),
            _ => Ok(()),
        }
    }
}

/// Bytes that a call returns. They are no part of the state: the caller has them.
#[derive(Debug, Clone)]
struct Given {
    bytes: [u8; MAX_LEN],
    /// Number of bytes of the first half and of the second one so far.
    filled: usize,
}

impl Given {
    const NONE: Self = Self { bytes: [0; MAX_LEN], filled: 0 };

    fn add(&mut self, bytes: &[u8]) {
        let n = copy(suffix_mut(&mut self.bytes, self.filled), bytes);
        debug_assert_eq!(n, bytes.len(), "there is room for two heads");
        self.filled.increase(n);
    }

    fn bytes(&self) -> &[u8] {
        prefix(&self.bytes, self.filled)
    }
}

impl Default for Given {
    fn default() -> Self {
        Self::NONE
    }
}

impl PartialEq for Given {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Given {}

impl Encode for Encoder {
    type ErrorKind = EncodeErrorKind;

    /// Number of bytes of data, or of texts, that are still missing in the open section; 0 if sizes or the second half
    /// must come first.
    fn room(&self) -> u64 {
        if self.after_first_half().is_ok() { self.plain.room() } else { 0 }
    }

    /// Takes account of the next bytes of data or text, which the caller writes.
    ///
    /// # Errors
    /// [`EncodeErrorKind::DataTooLong`], [`EncodeErrorKind::SizesMissing`], [`EncodeErrorKind::SecondHalfMissing`],
    /// [`EncodeErrorKind::NoSection`].
    fn put(&mut self, bytes: &[u8]) -> Result<(), EncodeErrorKind> {
        self.after_first_half()?;
        self.plain.data(bytes)
    }

    fn position(&self) -> u64 {
        self.plain.position()
    }

    /// Checks that the file can end here.
    ///
    /// # Errors
    /// [`EncodeErrorKind::SectionOpen`]; [`EncodeErrorKind::HeaderOrder`] if the file header is missing.
    fn finish(&self) -> Result<(), EncodeErrorKind> {
        self.plain.finish()
    }
}
