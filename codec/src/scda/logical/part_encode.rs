//! Writing compressed sections by several processes.

use super::section::{is_text_length, user_string};
use crate::bytes::{copy, part, suffix_mut};
use crate::counter::Counter as _;
use crate::scda::error::EncodeErrorKind;
use crate::scda::part_encode::{PartEncoder as RawPartEncoder, PositionedWrite};
use crate::scda::partition::{DataPart, ElementPart};
use crate::scda::pieces::{NOTHING, Opened, Pieces, put_lines};
use crate::scda::section::{COUNT_LEN, Count, Letter, SectionType};

/// Largest number of bytes that a call returns by itself: the heads of both halves, and their paddings.
const MAX_GIVEN: usize = 128 + 38 + 96 + 38;

/// The [`logical::Encoder`](super::Encoder) of one process of several that write the same file: compressed sections, of
/// which each process has compressed its own elements. One call takes everything about a section, and returns all
/// [`Pieces`] that the process writes.
///
/// All processes make the same calls. Only the arguments that describe the part of the process differ. Before the call,
/// the processes need one exclusive scan and one sum, of the lengths of their texts: the [`DataPart`]. The result is
/// the file that a single process would write. A call that returns an error changes nothing, except the caller's buffer
/// of lines. Sections that are not compressed are written through [`raw`](Self::raw).
///
/// ```
/// use linkstream::scda::{DataPart, ElementPart, PartEncoder, Style, logical};
///
/// // Two processes with one element each. In a program, `scda::deflate` makes the texts.
/// let text: &[u8] = b"AAAAAAAAAB16eNrLSM3JyVfIwE4CAKMQCuU==\n";
/// let mut file = vec![0; 768];
/// for q in [1, 0] {
///     let mut encoder = logical::PartEncoder::new(PartEncoder::append(q, 128, Style::Unix));
///     let elements = ElementPart::of(q, [1, 1], 2.into())?;
///     let data = DataPart::of(q, [text.len() as u64, text.len() as u64])?;
///     let (mut lines, texts) = ([[0; 32]; 1], [text]);
///     for write in encoder.array(b"greetings", 29.into(), &elements, &data, &mut lines, &texts)? {
///         let start = usize::try_from(write.offset)?;
///         file[start..start + write.bytes.len()].copy_from_slice(write.bytes);
///     }
///     encoder.finish()?;
///     file.truncate(usize::try_from(encoder.position())?);
/// }
/// assert!(file[128..].starts_with(b"I A compressed scda 00 --------"));
/// assert_eq!(file.len(), 128 + 96 + 96 + 2 * 32 + 96);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartEncoder {
    raw: RawPartEncoder,
    given: [u8; MAX_GIVEN],
}

impl PartEncoder {
    /// An encoder that continues after the sections of `raw`.
    #[must_use]
    pub const fn new(raw: RawPartEncoder) -> Self {
        Self { raw, given: [0; MAX_GIVEN] }
    }

    /// The encoder for sections that are not compressed, and for the file header.
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{PartEncoder, Style, logical};
    ///
    /// let mut encoder = logical::PartEncoder::new(PartEncoder::new(0, Style::Unix));
    /// assert_eq!(encoder.raw().header(b"vendor", b"file")?.bytes.len(), 128);
    /// assert_eq!(encoder.position(), 128);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn raw(&mut self) -> &mut RawPartEncoder {
        &mut self.raw
    }

    /// Absolute offset of the next section.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.raw.position()
    }

    /// Checks that the file can end here.
    ///
    /// # Errors
    /// [`EncodeErrorKind::SectionOpen`], [`EncodeErrorKind::HeaderOrder`].
    pub const fn finish(&self) -> Result<(), EncodeErrorKind> {
        self.raw.finish()
    }

    /// Writes a block of `u` bytes whose text has `text_length` bytes. Process `root` passes the text, in one or more
    /// slices; the others pass none. All processes know the length of the text, which the root has broadcast.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TextLength`], and the errors of
    /// [`PartEncoder::block_pieces`](RawPartEncoder::block_pieces).
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{PartEncoder, Style, logical};
    ///
    /// let text: &[u8] = b"AAAAAAAAAB16eNrLSM3JyVfIwE4CAKMQCuU==\n";
    /// let mut encoder = logical::PartEncoder::new(PartEncoder::append(0, 128, Style::Unix));
    /// let texts = [text];
    /// let pieces = encoder.block(b"greeting", 29.into(), text.len() as u64, 0, &texts)?;
    /// // The heads of both halves, the text and its padding.
    /// assert_eq!((pieces.is_contiguous(), pieces.length()), (true, 96 + 96 + 64));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn block<'a, D: AsRef<[u8]>>(
        &'a mut self,
        user: &[u8],
        u: Count,
        text_length: u64,
        root: usize,
        text: &'a [D],
    ) -> Result<Pieces<'a, D>, EncodeErrorKind> {
        if !is_text_length(text_length) {
            return Err(EncodeErrorKind::TextLength { found: text_length });
        }
        let mut next = self.raw.clone();
        let mut given = Given::new();
        given.one_entry(&mut next, SectionType::Block, u)?;
        let second = given.add(next.block(user, text_length.into(), root)?);
        self.complete(next, given, [NOTHING_GIVEN, second], [NOTHING, NOTHING], text)
    }

    /// Writes an array of elements of `u` bytes each. Each process passes the texts of its elements, one slice for each,
    /// and `lines` with room for as many lines.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TextLength`], and the errors of
    /// [`PartEncoder::varray_pieces`](RawPartEncoder::varray_pieces).
    pub fn array<'a, D: AsRef<[u8]>>(
        &'a mut self,
        user: &[u8],
        u: Count,
        elements: &ElementPart,
        data: &DataPart,
        lines: &'a mut [[u8; COUNT_LEN]],
        texts: &'a [D],
    ) -> Result<Pieces<'a, D>, EncodeErrorKind> {
        let mut next = self.raw.clone();
        let mut given = Given::new();
        given.one_entry(&mut next, SectionType::Array, u)?;
        let second = given.add(next.varray(user, elements, data)?);
        let sizes = put_text_sizes(&mut next, lines, texts)?;
        self.complete(next, given, [NOTHING_GIVEN, second], [NOTHING, sizes], texts)
    }

    /// Writes a variable array. Each process passes the sizes of its elements before compression, in bytes, and their
    /// texts, one slice for each. `lines` needs room for two lines for each element of the process.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TextLength`], and the errors of
    /// [`PartEncoder::varray_pieces`](RawPartEncoder::varray_pieces).
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{DataPart, ElementPart, PartEncoder, Style, logical};
    ///
    /// let text: &[u8] = b"AAAAAAAAAB16eNrLSM3JyVfIwE4CAKMQCuU==\n";
    /// let mut encoder = logical::PartEncoder::new(PartEncoder::append(0, 128, Style::Unix));
    /// let (elements, data) = (ElementPart::new(0.into(), 1.into(), 1.into())?, DataPart::new(0, 38, 38)?);
    /// let (mut lines, texts) = ([[0; 32]; 2], [text]);
    /// let pieces = encoder.varray(b"greeting", &elements, &data, [29], &mut lines, &texts)?;
    /// // Head, size and padding of the first half; head, size, text and padding of the second.
    /// assert_eq!((pieces.is_contiguous(), pieces.count()), (true, 7));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn varray<'a, D: AsRef<[u8]>>(
        &'a mut self,
        user: &[u8],
        elements: &ElementPart,
        data: &DataPart,
        uncompressed: impl IntoIterator<Item = u64>,
        lines: &'a mut [[u8; COUNT_LEN]],
        texts: &'a [D],
    ) -> Result<Pieces<'a, D>, EncodeErrorKind> {
        let mut next = self.raw.clone();
        let mut given = Given::new();
        let magic = magic(SectionType::Varray);
        given.add_first(next.array(magic, Count::from(COUNT_LEN as u64), elements)?);
        let own = elements.count().to_u64().unwrap_or(0);
        let needed = own.saturating_add(own);
        let too_short = EncodeErrorKind::LinesTooShort { needed };
        let half = usize::try_from(own).map_err(|_| too_short)?;
        let (before, after) = lines.split_at_mut_checked(half).ok_or(too_short)?;
        if (after.len() as u64) < own {
            return Err(too_short);
        }
        let offset = next.data_position();
        let before = put_lines(offset, own, uncompressed, before, |u| next.uncompressed(u))?;
        let missing = own.saturating_sub(before.bytes.as_chunks::<COUNT_LEN>().0.len() as u64);
        if missing > 0 {
            return Err(EncodeErrorKind::SizesMissing { missing });
        }
        let padding = given.add(next.end()?);
        let second = given.add(next.varray(user, elements, data)?);
        let sizes = put_text_sizes(&mut next, after, texts)?;
        self.complete(next, given, [padding, second], [before, sizes], texts)
    }

    /// Takes the texts and ends the section. Only then does the encoder change.
    fn complete<'a, D: AsRef<[u8]>>(
        &'a mut self,
        mut next: RawPartEncoder,
        mut given: Given,
        [first_padding, second_head]: [(Opened, usize); 2],
        [before, sizes]: [PositionedWrite<'a>; 2],
        texts: &'a [D],
    ) -> Result<Pieces<'a, D>, EncodeErrorKind> {
        let data_offset = next.data_position();
        for text in texts {
            next.data(text.as_ref())?;
        }
        let end = given.add(next.end()?);
        (self.raw, self.given) = (next, given.bytes);
        let first_head = given.first;
        let write = |(opened, from): (Opened, usize)| {
            opened.write(part(&self.given, from..from.saturating_add(opened.length)))
        };
        let front = [write(first_head), before, write(first_padding), write(second_head), sizes];
        Ok(Pieces::new(front, data_offset, texts, write(end)))
    }
}

/// Takes the lengths of texts as the sizes of an open variable array, and puts their lines into `to`.
fn put_text_sizes<'a, D: AsRef<[u8]>>(
    encoder: &mut RawPartEncoder,
    to: &'a mut [[u8; COUNT_LEN]],
    texts: &[D],
) -> Result<PositionedWrite<'a>, EncodeErrorKind> {
    let lengths = || texts.iter().map(|text| text.as_ref().len() as u64);
    if let Some(found) = lengths().find(|length| !is_text_length(*length)) {
        return Err(EncodeErrorKind::TextLength { found });
    }
    encoder.put_sizes(lengths(), to)
}

/// The user string of a first half.
fn magic(section_type: SectionType) -> &'static [u8] {
    user_string(section_type).map_or(&[], |user| user)
}

const NOTHING_GIVEN: (Opened, usize) = (Opened { offset: 0, length: 0 }, 0);

/// Bytes that several calls of the raw encoder return, and the place of each in `bytes`.
struct Given {
    bytes: [u8; MAX_GIVEN],
    filled: usize,
    /// Bytes that the process writes before the sizes.
    first: (Opened, usize),
}

impl Given {
    const fn new() -> Self {
        Self { bytes: [0; MAX_GIVEN], filled: 0, first: NOTHING_GIVEN }
    }

    fn add(&mut self, write: PositionedWrite<'_>) -> (Opened, usize) {
        let from = self.filled;
        let n = copy(suffix_mut(&mut self.bytes, from), write.bytes);
        debug_assert_eq!(n, write.bytes.len(), "there is room for the heads and paddings of two halves");
        self.filled.increase(n);
        (Opened { offset: write.offset, length: n }, from)
    }

    fn add_first(&mut self, write: PositionedWrite<'_>) {
        self.first = self.add(write);
    }

    /// The inline section with the size `u`, which process 0 writes: head and data are one piece.
    fn one_entry(
        &mut self,
        raw: &mut RawPartEncoder,
        section_type: SectionType,
        u: Count,
    ) -> Result<(), EncodeErrorKind> {
        let style = raw.style();
        self.add_first(raw.inline(magic(section_type), 0)?);
        if raw.share().is_some_and(|own| !own.data().is_empty()) {
            let entry = u.emit(Letter::U, style);
            raw.data(&entry)?;
            let offset = self.first.0.offset;
            let entry = PositionedWrite { offset, bytes: &entry };
            let (entry, _) = self.add(entry);
            self.first.0.length.increase(entry.length);
        }
        let _ = raw.end()?;
        Ok(())
    }
}
