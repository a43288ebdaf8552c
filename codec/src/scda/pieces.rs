//! Writing by several processes: all bytes of a section that one process writes, in one call.

use super::error::EncodeErrorKind;
use super::part_encode::{PartEncoder, PositionedWrite};
use super::partition::{DataPart, ElementPart};
use super::section::{COUNT_LEN, Count};
use crate::bytes::prefix;

/// Number of pieces before the data: a head, size lines, padding, the head of a second half, and its size lines.
const FRONT: usize = 5;

/// All bytes of a section that one process writes, in ascending order of their offsets; empty pieces are left out. A
/// program can write them with one request: a collective write through an MPI type of these blocks, or one vectored
/// write where the pieces have no gaps ([`is_contiguous`](Self::is_contiguous)).
///
/// The data are slices of the caller's memory: `D` is `&[u8]`, `Vec<u8>`, or another type that holds bytes. One slice
/// can hold all data, or a slice each element (the indirect addressing of scda A.2).
///
/// # Example
/// ```
/// use linkstream::scda::{DataPart, ElementPart, PartEncoder, Style};
///
/// let mut file = vec![0; 352];
/// // Process 1 has the elements "one" and "", process 0 has nothing, process 2 has "three".
/// for (q, sizes, data) in [(1, &[3, 0][..], &b"one"[..]), (0, &[], b""), (2, &[5], b"three")] {
///     let mut encoder = PartEncoder::new(q, Style::Unix);
///     let write = encoder.header(b"libsc", b"demo")?;
///     file[..write.bytes.len()].copy_from_slice(write.bytes);
///
///     let (elements, part) = (ElementPart::of(q, [0, 2, 1], 3.into())?, DataPart::of(q, [0, 3, 5])?);
///     let mut lines = [[0; 32]; 2];
///     let (sizes, data) = (sizes.iter().copied(), [data]);
///     let pieces = encoder.varray_pieces(b"words", &elements, &part, sizes, &mut lines, &data)?;
///     for write in pieces {
///         let start = usize::try_from(write.offset)?;
///         file[start..start + write.bytes.len()].copy_from_slice(write.bytes);
///     }
///     encoder.finish()?;
/// }
/// assert!(file.ends_with(b"onethree\n=====================\n\n"));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "the pieces must be written"]
pub struct Pieces<'a, D> {
    front: [PositionedWrite<'a>; FRONT],
    data_offset: u64,
    data: &'a [D],
    padding: PositionedWrite<'a>,
}

impl<'a, D: AsRef<[u8]>> Pieces<'a, D> {
    pub(super) const fn new(
        front: [PositionedWrite<'a>; FRONT],
        data_offset: u64,
        data: &'a [D],
        padding: PositionedWrite<'a>,
    ) -> Self {
        Self { front, data_offset, data, padding }
    }

    /// Number of bytes in all pieces that are left.
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{PartEncoder, Style};
    ///
    /// let mut encoder = PartEncoder::append(0, 128, Style::Unix);
    /// // The only process writes 96 bytes before the data, 5 bytes of data and 27 of padding.
    /// let pieces = encoder.block_pieces(b"greeting", 5.into(), 0, &[b"hello"])?;
    /// assert_eq!((pieces.length(), pieces.is_contiguous()), (128, true));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn length(&self) -> u64 {
        self.writes().fold(0, |sum: u64, write| sum.saturating_add(write.bytes.len() as u64))
    }

    /// True if the pieces that are left have no gaps between them.
    #[must_use]
    pub fn is_contiguous(&self) -> bool {
        let mut end = None;
        self.writes().all(|write| {
            let follows = end.is_none_or(|end| end == write.offset);
            end = write.offset.checked_add(write.bytes.len() as u64);
            follows
        })
    }

    /// A copy of this iterator, whatever `D` is.
    const fn writes(&self) -> Self {
        Self { front: self.front, data_offset: self.data_offset, data: self.data, padding: self.padding }
    }
}

impl<'a, D: AsRef<[u8]>> Iterator for Pieces<'a, D> {
    type Item = PositionedWrite<'a>;

    fn next(&mut self) -> Option<PositionedWrite<'a>> {
        if let Some(write) = self.front.iter_mut().find_map(taken) {
            return Some(write);
        }
        while let Some((first, rest)) = self.data.split_first() {
            let write = PositionedWrite { offset: self.data_offset, bytes: first.as_ref() };
            self.data = rest;
            self.data_offset = self.data_offset.saturating_add(write.bytes.len() as u64);
            if !write.bytes.is_empty() {
                return Some(write);
            }
        }
        taken(&mut self.padding)
    }
}

/// The write, unless it is empty. It is empty afterwards.
fn taken<'a>(write: &mut PositionedWrite<'a>) -> Option<PositionedWrite<'a>> {
    let taken = *write;
    write.bytes = &[];
    (!taken.bytes.is_empty()).then_some(taken)
}

/// A place without bytes.
pub(super) const NOTHING: PositionedWrite<'static> = PositionedWrite { offset: 0, bytes: &[] };

/// Whole sections in one call: the caller writes all [`Pieces`] that a call returns. The processes need no further calls
/// for the section, and the result is the same as with the calls for its parts.
impl PartEncoder {
    /// Writes an inline section. Process `root` passes its 32 bytes of data, the others pass no data.
    ///
    /// # Errors
    /// The errors of [`PartEncoder::inline`], [`PartEncoder::data`] and [`PartEncoder::end`].
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{PartEncoder, Style};
    ///
    /// let mut encoder = PartEncoder::append(1, 128, Style::Unix);
    /// let mut pieces = encoder.inline_pieces(b"note", 1, &[[b'.'; 32]])?;
    /// let write = pieces.next().ok_or("no data")?;
    /// assert_eq!((write.offset, write.bytes.len(), pieces.next()), (192, 32, None));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn inline_pieces<'a, D: AsRef<[u8]>>(
        &'a mut self,
        user: &[u8],
        root: usize,
        data: &'a [D],
    ) -> Result<Pieces<'a, D>, EncodeErrorKind> {
        let mut next = self.clone();
        let head = Opened::of(next.inline(user, root)?);
        self.complete(next, head, NOTHING, data)
    }

    /// Writes a block of `e` bytes. Process `root` passes its data, the others pass none.
    ///
    /// # Errors
    /// The errors of [`PartEncoder::block`], [`PartEncoder::data`] and [`PartEncoder::end`].
    pub fn block_pieces<'a, D: AsRef<[u8]>>(
        &'a mut self,
        user: &[u8],
        e: Count,
        root: usize,
        data: &'a [D],
    ) -> Result<Pieces<'a, D>, EncodeErrorKind> {
        let mut next = self.clone();
        let head = Opened::of(next.block(user, e, root)?);
        self.complete(next, head, NOTHING, data)
    }

    /// Writes an array of elements of `e` bytes each. Each process passes the data of its elements.
    ///
    /// # Errors
    /// The errors of [`PartEncoder::array`], [`PartEncoder::data`] and [`PartEncoder::end`].
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{ElementPart, PartEncoder, Style};
    ///
    /// // The last of three elements, from a vector for each.
    /// let mut encoder = PartEncoder::append(1, 128, Style::Unix);
    /// let own = ElementPart::of(1, [2, 1], 3.into())?;
    /// let data = [vec![b'e', b'f']];
    /// let pieces = encoder.array_pieces(b"pairs", 2.into(), &own, &data)?;
    /// let bytes: Vec<u8> = pieces.flat_map(|write| write.bytes).copied().collect();
    /// assert_eq!(bytes, b"ef\n=======================\n\n");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn array_pieces<'a, D: AsRef<[u8]>>(
        &'a mut self,
        user: &[u8],
        e: Count,
        elements: &ElementPart,
        data: &'a [D],
    ) -> Result<Pieces<'a, D>, EncodeErrorKind> {
        let mut next = self.clone();
        let head = Opened::of(next.array(user, e, elements)?);
        self.complete(next, head, NOTHING, data)
    }

    /// Writes a variable array. Each process passes the `sizes` of its elements in bytes and their data. Their size
    /// lines are put into `lines`, which needs room for one line per element of the process.
    ///
    /// # Errors
    /// The errors of [`PartEncoder::varray`], [`PartEncoder::size`], [`PartEncoder::data`] and [`PartEncoder::end`];
    /// [`EncodeErrorKind::LinesTooShort`]. `lines` may have changed then.
    pub fn varray_pieces<'a, D: AsRef<[u8]>>(
        &'a mut self,
        user: &[u8],
        elements: &ElementPart,
        part: &DataPart,
        sizes: impl IntoIterator<Item = u64>,
        lines: &'a mut [[u8; COUNT_LEN]],
        data: &'a [D],
    ) -> Result<Pieces<'a, D>, EncodeErrorKind> {
        let mut next = self.clone();
        let head = Opened::of(next.varray(user, elements, part)?);
        let lines = next.put_sizes(sizes, lines)?;
        self.complete(next, head, lines, data)
    }

    /// Takes the sizes of elements in an open variable array, and puts their lines into `to`.
    pub(super) fn put_sizes<'a>(
        &mut self,
        sizes: impl IntoIterator<Item = u64>,
        to: &'a mut [[u8; COUNT_LEN]],
    ) -> Result<PositionedWrite<'a>, EncodeErrorKind> {
        let offset = self.sizes_position();
        put_lines(offset, self.share().map_or(0, |share| share.sizes().lines()), sizes, to, |e| self.size(e))
    }

    /// Takes the data of the section that `next` has opened, and ends it. Only then does the encoder change.
    fn complete<'a, D: AsRef<[u8]>>(
        &'a mut self,
        mut next: Self,
        head: Opened,
        lines: PositionedWrite<'a>,
        data: &'a [D],
    ) -> Result<Pieces<'a, D>, EncodeErrorKind> {
        let data_offset = next.data_position();
        for slice in data {
            next.data(slice.as_ref())?;
        }
        next.keep_head();
        let padding = Opened::of(next.end()?);
        *self = next;
        let (head_bytes, padding_bytes) = self.given_pieces();
        let front = [head.write(head_bytes), NOTHING, NOTHING, NOTHING, lines];
        Ok(Pieces::new(front, data_offset, data, padding.write(padding_bytes)))
    }
}

/// Makes the lines of these sizes with `line`, and puts them into `to`, which must have room for `needed` lines.
pub(super) fn put_lines<'a>(
    offset: u64,
    needed: u64,
    sizes: impl IntoIterator<Item = u64>,
    to: &'a mut [[u8; COUNT_LEN]],
    mut line: impl FnMut(u64) -> Result<[u8; COUNT_LEN], EncodeErrorKind>,
) -> Result<PositionedWrite<'a>, EncodeErrorKind> {
    if (to.len() as u64) < needed {
        return Err(EncodeErrorKind::LinesTooShort { needed });
    }
    let mut places = to.iter_mut();
    for size in sizes {
        let line = line(size)?;
        if let Some(place) = places.next() {
            *place = line;
        }
    }
    let left = places.len();
    let filled = to.len().saturating_sub(left);
    Ok(PositionedWrite { offset, bytes: prefix(to, filled).as_flattened() })
}

/// Place and length of bytes that a call has returned, which are still in the encoder.
#[derive(Clone, Copy)]
pub(super) struct Opened {
    pub(super) offset: u64,
    pub(super) length: usize,
}

impl Opened {
    pub(super) const fn of(write: PositionedWrite<'_>) -> Self {
        Self { offset: write.offset, length: write.bytes.len() }
    }

    pub(super) fn write<'a>(&self, bytes: &'a [u8]) -> PositionedWrite<'a> {
        PositionedWrite { offset: self.offset, bytes: prefix(bytes, self.length) }
    }
}
