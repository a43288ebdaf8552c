//! Writing by several processes: the part of one of them.

use linkstream::Encode as _;
use linkstream::scda::{COUNT_LEN, Count, EncodeErrorKind, Encoder, INLINE_LEN, Section, SectionType, Style};
use linkstream_memory::{self as memory, Short};

use super::extent::RankExtent;
use super::partition::{DataPart, ElementPart, PartitionError};
use super::pieces::Pieces;

/// Errors of a [`PartEncoder`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PartError {
    /// The section cannot be written.
    #[error(transparent)]
    Encode(#[from] EncodeErrorKind),
    /// The section cannot be divided in this way.
    #[error(transparent)]
    Partition(#[from] PartitionError),
    /// The sizes of the elements of the process do not add up to its data.
    #[error("the sizes add up to {sum}, but the process has {expected} bytes of data")]
    SizeSum {
        /// Sum of the sizes.
        sum: u128,
        /// `S_q`.
        expected: u64,
    },
    /// There is not enough memory for the lines with the sizes.
    #[error(transparent)]
    Memory(#[from] Short),
}

/// Writes scda files together with other processes: the encoder of one process, with number `q`. Each call takes
/// everything about a section, and returns all [`Pieces`] that this process writes.
///
/// All processes make the same calls. Only the arguments that describe the part of the process differ. The processes
/// need not communicate, except for one exclusive scan and one sum of the lengths of their data: the [`DataPart`]. Their
/// bytes may reach the file in any order: the result is the file that a single process would write. A call that returns an
/// error changes nothing.
///
/// ```
/// use linkstream::scda::Style;
/// use linkstream_parallel::file::Piece;
/// use linkstream_parallel::scda::parts::{DataPart, ElementPart, PartEncoder};
///
/// let mut file = vec![0; 352];
/// let mut put = |piece: Piece| {
///     let start = piece.offset as usize;
///     file[start..start + piece.bytes.len()].copy_from_slice(piece.bytes);
/// };
/// // Process 1 has the elements "one" and "", process 0 has nothing, process 2 has "three".
/// for (q, sizes, data) in [(1, &[3, 0][..], &b"one"[..]), (0, &[], b""), (2, &[5], b"three")] {
///     let mut encoder = PartEncoder::new(q, Style::Unix);
///     put(Piece { offset: 0, bytes: &encoder.header(b"libsc", b"demo")? });
///     let (elements, part) = (ElementPart::of(q, [0, 2, 1], 3.into())?, DataPart::of(q, [0, 3, 5])?);
///     encoder.varray(b"words", &elements, &part, sizes, &[data])?.writes().for_each(&mut put);
///     assert_eq!(encoder.position(), 352);
/// }
/// assert!(file.ends_with(b"onethree\n=====================\n\n"));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// Compressed sections have a text for each element, which the process has compressed:
/// ```
/// use linkstream::scda::{Style, deflate};
/// use linkstream_parallel::scda::parts::{DataPart, ElementPart, PartEncoder};
///
/// let text = deflate(b"hello", 9, Style::Unix);
/// let mut encoder = PartEncoder::append(0, 128, Style::Unix);
/// let (elements, data) = (ElementPart::of(0, [1, 1], 2.into())?, DataPart::of(0, [text.len() as u64, 30])?);
/// // The heads of both halves, the line with the size of the text, and the text.
/// let texts = [text];
/// assert_eq!(encoder.compressed_array(b"greetings", 5.into(), &elements, &data, &texts)?.writes().count(), 3);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartEncoder {
    q: usize,
    style: Style,
    /// Offset of the next section.
    position: u64,
}

impl PartEncoder {
    /// An encoder of process `q` for a new file.
    #[must_use]
    pub const fn new(q: usize, style: Style) -> Self {
        Self::append(q, 0, style)
    }

    /// An encoder of process `q` that appends to a file of `offset` bytes, which must end with a complete section. 0
    /// means a new file.
    #[must_use]
    pub const fn append(q: usize, offset: u64, style: Style) -> Self {
        Self { q, style, position: offset }
    }

    /// The style of line breaks in padding.
    #[must_use]
    pub const fn style(&self) -> Style {
        self.style
    }

    /// Absolute offset of the next section.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.position
    }

    /// Returns the file header, which process 0 writes at the beginning of the file; nothing for other processes.
    ///
    /// # Errors
    /// [`EncodeErrorKind::HeaderOrder`], [`EncodeErrorKind::StringTooLong`].
    pub fn header(&mut self, vendor: &[u8], user: &[u8]) -> Result<Vec<u8>, PartError> {
        let mut encoder = self.encoder(self.position);
        let header = encoder.header(vendor, user)?.to_vec();
        self.position = encoder.position();
        Ok(if self.q == 0 { header } else { Vec::new() })
    }

    /// Writes an inline section. Process `root` passes its 32 bytes of data, the others pass no data.
    ///
    /// # Errors
    /// [`EncodeErrorKind::StringTooLong`], [`EncodeErrorKind::HeaderOrder`], [`EncodeErrorKind::DataTooShort`],
    /// [`EncodeErrorKind::DataTooLong`], [`PartitionError`].
    pub fn inline<'a, D: AsRef<[u8]>>(
        &mut self,
        user: &[u8],
        root: usize,
        data: &'a [D],
    ) -> Result<Pieces<'a, D>, PartError> {
        let mut encoder = self.encoder(self.position);
        let head = encoder.inline(user)?.to_vec();
        let extent = RankExtent::whole(self.q, &encoder.section(), root)?;
        self.complete(self.first(head), extent, Vec::new(), data)
    }

    /// Writes a block of `e` bytes. Process `root` passes its data, the others pass none.
    ///
    /// # Errors
    /// The errors of [`inline`](Self::inline).
    pub fn block<'a, D: AsRef<[u8]>>(
        &mut self,
        user: &[u8],
        e: Count,
        root: usize,
        data: &'a [D],
    ) -> Result<Pieces<'a, D>, PartError> {
        let mut encoder = self.encoder(self.position);
        let head = encoder.block(user, e)?.to_vec();
        let extent = RankExtent::whole(self.q, &encoder.section(), root)?;
        self.complete(self.first(head), extent, Vec::new(), data)
    }

    /// Writes an array of elements of `e` bytes each. Each process passes the data of its elements.
    ///
    /// # Errors
    /// The errors of [`inline`](Self::inline).
    pub fn array<'a, D: AsRef<[u8]>>(
        &mut self,
        user: &[u8],
        e: Count,
        elements: &ElementPart,
        data: &'a [D],
    ) -> Result<Pieces<'a, D>, PartError> {
        let mut encoder = self.encoder(self.position);
        let head = encoder.array(user, elements.total(), e)?.to_vec();
        let extent = RankExtent::array(self.q, &encoder.section(), elements)?;
        self.complete(self.first(head), extent, Vec::new(), data)
    }

    /// Writes a variable array. Each process passes the `sizes` of its elements in bytes and their data.
    ///
    /// # Errors
    /// The errors of [`inline`](Self::inline); [`EncodeErrorKind::SizeUnexpected`] or
    /// [`EncodeErrorKind::SizesMissing`] if there is not one size for each element, [`PartError::SizeSum`],
    /// [`PartError::Memory`].
    pub fn varray<'a, D: AsRef<[u8]>>(
        &mut self,
        user: &[u8],
        elements: &ElementPart,
        part: &DataPart,
        sizes: &[u64],
        data: &'a [D],
    ) -> Result<Pieces<'a, D>, PartError> {
        let mut encoder = self.encoder(self.position);
        let head = encoder.varray(user, elements.total())?.to_vec();
        let extent = RankExtent::varray(self.q, &encoder.section(), elements, part)?;
        let sum = sizes.iter().map(|size| u128::from(*size)).sum();
        if sum != u128::from(part.length()) {
            return Err(PartError::SizeSum { sum, expected: part.length() });
        }
        let lines = lines_of(elements, sizes.iter().copied(), |size| encoder.size(size))?;
        self.complete(self.first(head), extent, lines, data)
    }

    /// Writes a compressed block of `u` bytes whose text has `text_length` bytes. Process `root` passes the text, in one
    /// or more slices; the others pass none. All processes know the length of the text, which the root has broadcast.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TextLength`], and the errors of [`block`](Self::block).
    pub fn compressed_block<'a, D: AsRef<[u8]>>(
        &mut self,
        user: &[u8],
        u: Count,
        text_length: u64,
        root: usize,
        text: &'a [D],
    ) -> Result<Pieces<'a, D>, PartError> {
        let heads = self.encoder(self.position).compressed_block(user, u, text_length)?.to_vec();
        let second = self.after_inline(SectionType::Block, Count::default(), text_length.into())?;
        let extent = RankExtent::whole(self.q, &second, root)?;
        self.complete(self.first(heads), extent, Vec::new(), text)
    }

    /// Writes a compressed array of elements of `u` bytes each. Each process passes the texts of its elements, one slice
    /// for each.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TextLength`], and the errors of [`varray`](Self::varray).
    pub fn compressed_array<'a, D: AsRef<[u8]>>(
        &mut self,
        user: &[u8],
        u: Count,
        elements: &ElementPart,
        part: &DataPart,
        texts: &'a [D],
    ) -> Result<Pieces<'a, D>, PartError> {
        let mut encoder = self.encoder(self.position);
        let heads = encoder.compressed_array(user, elements.total(), u)?.to_vec();
        let second = self.after_inline(SectionType::Varray, elements.total(), Count::default())?;
        let extent = RankExtent::varray(self.q, &second, elements, part)?;
        let lines = lines_of(elements, lengths(texts), |length| encoder.size(length))?;
        self.complete(self.first(heads), extent, lines, texts)
    }

    /// Writes a compressed variable array. Each process passes the sizes of its elements before compression, in bytes, and
    /// their texts, one slice for each.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TextLength`], and the errors of [`varray`](Self::varray).
    pub fn compressed_varray<'a, D: AsRef<[u8]>>(
        &mut self,
        user: &[u8],
        elements: &ElementPart,
        part: &DataPart,
        uncompressed: &[u64],
        texts: &'a [D],
    ) -> Result<Pieces<'a, D>, PartError> {
        let n = elements.total();
        let mut encoder = self.encoder(self.position);
        let head = encoder.compressed_varray(n)?.to_vec();
        let line = Count::from(COUNT_LEN as u64);
        let first = Section::new(self.position, SectionType::Array, n, line);
        let first = RankExtent::array(self.q, &first, elements)?;
        let before = lines_of(elements, uncompressed.iter().copied(), |size| encoder.uncompressed(size))?;
        let padding = self.padding(&first, before.last())?;

        // An array with an inline section before it has the same second half.
        let offset = first.next_offset();
        let mut encoder = self.encoder(offset - INLINE_SECTION);
        let head_of_second = encoder.compressed_array(user, n, Count::default())?;
        let head_of_second = head_of_second[INLINE_SECTION as usize..].to_vec();
        let second = Section::new(offset, SectionType::Varray, n, Count::default());
        let extent = RankExtent::varray(self.q, &second, elements, part)?;
        let lines = lines_of(elements, lengths(texts), |length| encoder.size(length))?;

        let mut front = self.first(head);
        front.extend([(first.data().offset(), before), (first.padding().offset(), padding)]);
        if self.q == 0 {
            front.push((offset, head_of_second));
        }
        self.complete(front, extent, lines, texts)
    }

    /// The encoder of a single process, with a section or the file header to come at `offset`.
    const fn encoder(&self, offset: u64) -> Encoder {
        Encoder::append(offset, self.style)
    }

    /// Bytes at the beginning of a section, which process 0 writes.
    fn first(&self, bytes: Vec<u8>) -> Vec<(u64, Vec<u8>)> {
        if self.q == 0 { vec![(self.position, bytes)] } else { Vec::new() }
    }

    /// The second half of a section whose first half is an inline section.
    fn after_inline(&self, section_type: SectionType, n: Count, e: Count) -> Result<Section, PartitionError> {
        let offset = self.position.checked_add(INLINE_SECTION).ok_or(PartitionError::TooLong)?;
        Ok(Section::new(offset, section_type, n, e))
    }

    /// The padding after all data, if this process writes it: of its own data, `last` is the last byte.
    fn padding(&self, extent: &RankExtent, last: Option<&u8>) -> Result<Vec<u8>, PartError> {
        if extent.padding().is_empty() {
            return Ok(Vec::new());
        }
        // The padding depends only on the last byte, and on the number of bytes modulo 32 (scda 2.1.2).
        let mut data = [0; INLINE_LEN];
        let [.., end] = &mut data;
        *end = last.copied().unwrap_or(0);
        let length = if extent.total() == 0 { 0 } else { (extent.total() - 1) as usize % data.len() + 1 };
        let mut encoder = self.encoder(COUNT_LEN as u64);
        encoder.block(b"", (length as u64).into())?;
        encoder.put(&data[data.len() - length..])?;
        Ok(encoder.end()?.to_vec())
    }

    /// Takes the data and ends the section. Only then does the encoder change.
    fn complete<'a, D: AsRef<[u8]>>(
        &mut self,
        mut front: Vec<(u64, Vec<u8>)>,
        extent: RankExtent,
        lines: Vec<u8>,
        data: &'a [D],
    ) -> Result<Pieces<'a, D>, PartError> {
        let (offered, room) = (lengths(data).sum::<u64>(), extent.data().length());
        if offered > room {
            return Err(EncodeErrorKind::DataTooLong { offered, room }.into());
        }
        if offered < room {
            return Err(EncodeErrorKind::DataTooShort { missing: room - offered }.into());
        }
        let last = data.iter().rev().find_map(|slice| slice.as_ref().last());
        let padding = (extent.padding().offset(), self.padding(&extent, last)?);
        front.push((extent.sizes().offset(), lines));
        self.position = extent.next_offset();
        Ok(Pieces { front, data_offset: extent.data().offset(), data, padding })
    }
}

/// Length of an inline section in bytes.
const INLINE_SECTION: u64 = SectionType::Inline.head_length() + INLINE_LEN as u64;

/// The lines of these sizes, one for each element of the process.
fn lines_of(
    elements: &ElementPart,
    mut sizes: impl ExactSizeIterator<Item = u64>,
    mut line: impl FnMut(u64) -> Result<[u8; COUNT_LEN], EncodeErrorKind>,
) -> Result<Vec<u8>, PartError> {
    let (given, wanted) = (sizes.len() as u64, elements.count());
    if Count::from(given) > wanted {
        return Err(EncodeErrorKind::SizeUnexpected.into());
    }
    if Count::from(given) < wanted {
        let missing = wanted.to_u64().unwrap_or(u64::MAX) - given;
        return Err(EncodeErrorKind::SizesMissing { missing }.into());
    }
    let mut lines = memory::room(sizes.len().saturating_mul(COUNT_LEN))?;
    sizes.try_for_each(|size| line(size).map(|line| lines.extend_from_slice(&line)))?;
    Ok(lines)
}

fn lengths<D: AsRef<[u8]>>(slices: &[D]) -> impl ExactSizeIterator<Item = u64> {
    slices.iter().map(|slice| slice.as_ref().len() as u64)
}
