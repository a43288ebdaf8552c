//! Writing by several processes: the part of one of them.

use super::entry::Style;
use super::error::EncodeErrorKind;
use super::head;
use super::partition::{DataPart, ElementPart, PartitionError};
use super::rank_extent::RankExtent;
use super::section::{COUNT_LEN, Count, Letter, Section, SectionType};
use crate::counter::{Counter as _, minus, times};
use crate::encode::encode;

/// Bytes to write, and their offset in the file.
///
/// # Example
/// ```
/// use linkstream::scda::{PartEncoder, Style};
///
/// // Process 0 writes the file header; the others have nothing to write.
/// let mut encoder = PartEncoder::new(0, Style::Unix);
/// let write = encoder.header(b"vendor", b"file")?;
/// assert_eq!((write.offset, write.bytes.len()), (0, 128));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PositionedWrite<'a> {
    /// Absolute offset of the first byte.
    pub offset: u64,
    /// The bytes, possibly none.
    pub bytes: &'a [u8],
}

/// The [`Encoder`](super::Encoder) of one process, with number `q`, of several that write the same file. It returns
/// the headers, counts and padding that this process writes, and checks that its data are written completely.
///
/// All processes make the same calls. Only the arguments that describe the part of the process differ. The processes
/// need not communicate, and their bytes may reach the file in any order: the result is the file that a single process
/// would write. A call returns no bytes if another process writes them. A call that returns an error changes nothing.
///
/// ```
/// use linkstream::scda::{ElementPart, PartEncoder, PositionedWrite, Style};
///
/// let mut file = vec![0; 288];
/// let mut put = |piece: PositionedWrite| {
///     let start = piece.offset as usize;
///     file[start..start + piece.bytes.len()].copy_from_slice(piece.bytes);
/// };
/// for (q, data) in [b"ab".as_slice(), b"cde\n"].into_iter().enumerate().rev() {
///     let mut encoder = PartEncoder::new(q, Style::Unix);
///     put(encoder.header(b"libsc", b"demo")?);
///     // Elements of 2 bytes: 1 here, 2 there.
///     put(encoder.array(b"ids", 2.into(), &ElementPart::of(q, [1, 2], 3.into())?)?);
///     let offset = encoder.data_position();
///     encoder.data(data)?;
///     put(PositionedWrite { offset, bytes: data });
///     put(encoder.end()?);
///     encoder.finish()?;
/// }
/// assert!(file.ends_with(b"abcde\n========================\n\n"));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartEncoder {
    q: usize,
    style: Style,
    /// Bytes returned last.
    given: [u8; head::MAX_LEN],
    /// Bytes before the data, if all pieces of a section are returned at once.
    head: [u8; head::MAX_LEN],
    /// Part of this process in the open section.
    share: Option<RankExtent>,
    sizes_left: u64,
    /// `S_q` minus the sizes given so far.
    sizes_room: u64,
    data_left: u64,
    last: u8,
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
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{PartEncoder, Style};
    ///
    /// let mut encoder = PartEncoder::append(0, 128, Style::Unix);
    /// let write = encoder.block(b"3 bytes", 3.into(), 0)?;
    /// assert_eq!((write.offset, write.bytes.len()), (128, 96));
    /// assert_eq!((encoder.data_position(), encoder.share().map(|own| own.data().length())), (224, Some(3)));
    /// encoder.data(b"abc")?;
    /// let padding = encoder.end()?;
    /// assert_eq!(padding.offset, 227);
    /// let write = encoder.inline(b"32 bytes", 0)?;
    /// assert_eq!(write.offset, 256);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn append(q: usize, offset: u64, style: Style) -> Self {
        Self {
            q,
            style,
            given: [0; head::MAX_LEN],
            head: [0; head::MAX_LEN],
            share: None,
            sizes_left: 0,
            sizes_room: 0,
            data_left: 0,
            last: 0,
            position: offset,
        }
    }

    /// Returns the file header, which process 0 writes.
    ///
    /// # Errors
    /// [`EncodeErrorKind::HeaderOrder`], [`EncodeErrorKind::StringTooLong`].
    pub fn header(&mut self, vendor: &[u8], user: &[u8]) -> Result<PositionedWrite<'_>, EncodeErrorKind> {
        if self.position != 0 {
            return Err(EncodeErrorKind::HeaderOrder);
        }
        head::header(&mut self.given, vendor, user, self.style)?;
        self.position = head::MAX_LEN as u64;
        let bytes = if self.q == 0 { self.given.as_slice() } else { &[] };
        Ok(PositionedWrite { offset: 0, bytes })
    }

    /// Opens an inline section whose data process `root` writes.
    ///
    /// # Errors
    /// [`EncodeErrorKind::StringTooLong`], [`EncodeErrorKind::SectionOpen`], [`EncodeErrorKind::HeaderOrder`],
    /// [`EncodeErrorKind::Partition`].
    pub fn inline(&mut self, user: &[u8], root: usize) -> Result<PositionedWrite<'_>, EncodeErrorKind> {
        let section = self.section(SectionType::Inline, Count::ZERO, Count::ZERO)?;
        self.begin(user, RankExtent::whole(self.q, &section, root))
    }

    /// Opens a block of `e` bytes, which process `root` writes.
    ///
    /// # Errors
    /// The errors of [`PartEncoder::inline`].
    pub fn block(
        &mut self,
        user: &[u8],
        e: Count,
        root: usize,
    ) -> Result<PositionedWrite<'_>, EncodeErrorKind> {
        let section = self.section(SectionType::Block, Count::ZERO, e)?;
        self.begin(user, RankExtent::whole(self.q, &section, root))
    }

    /// Opens an array of elements of `e` bytes each.
    ///
    /// # Errors
    /// The errors of [`PartEncoder::inline`].
    pub fn array(
        &mut self,
        user: &[u8],
        e: Count,
        elements: &ElementPart,
    ) -> Result<PositionedWrite<'_>, EncodeErrorKind> {
        let section = self.section(SectionType::Array, elements.total(), e)?;
        self.begin(user, RankExtent::array(self.q, &section, elements))
    }

    /// Opens a variable array. The sizes of the elements of this process add up to `S_q`, the length in `data`.
    ///
    /// # Errors
    /// The errors of [`PartEncoder::inline`].
    pub fn varray(
        &mut self,
        user: &[u8],
        elements: &ElementPart,
        data: &DataPart,
    ) -> Result<PositionedWrite<'_>, EncodeErrorKind> {
        let section = self.section(SectionType::Varray, elements.total(), Count::ZERO)?;
        self.begin(user, RankExtent::varray(self.q, &section, elements, data))
    }

    const fn section(
        &self,
        section_type: SectionType,
        n: Count,
        e: Count,
    ) -> Result<Section, EncodeErrorKind> {
        match (&self.share, self.position) {
            (Some(_), _) => Err(EncodeErrorKind::SectionOpen),
            (None, 0) => Err(EncodeErrorKind::HeaderOrder),
            (None, offset) => Ok(Section { offset, section_type, n, e }),
        }
    }

    fn begin(
        &mut self,
        user: &[u8],
        share: Result<RankExtent, PartitionError>,
    ) -> Result<PositionedWrite<'_>, EncodeErrorKind> {
        let share = share?;
        let bytes = head::head(&mut self.given, share.section(), user, self.style)?;
        self.share = Some(share);
        self.sizes_left = share.sizes().lines();
        self.sizes_room = if self.sizes_left > 0 { share.data().length() } else { 0 };
        self.data_left = share.data().length();
        self.position = share.next_offset();
        let bytes = if share.head().is_empty() { &[] } else { bytes };
        Ok(PositionedWrite { offset: share.head().offset(), bytes })
    }

    /// Takes the size in bytes of the next element of this process, and returns the line that the caller writes at
    /// the [`sizes_position`](Self::sizes_position) before the call. Sizes and data may alternate.
    ///
    /// # Errors
    /// [`EncodeErrorKind::SizeUnexpected`]; [`EncodeErrorKind::SizeSum`] if the sizes do not add up to `S_q`;
    /// [`EncodeErrorKind::NoSection`].
    pub fn size(&mut self, e: u64) -> Result<[u8; COUNT_LEN], EncodeErrorKind> {
        let share = self.open()?;
        let left = self.sizes_left.checked_sub(1).ok_or(EncodeErrorKind::SizeUnexpected)?;
        let room = self.sizes_room.checked_sub(e).filter(|room| left > 0 || *room == 0);
        let Some(room) = room else {
            let expected = share.data().length();
            let before = expected.minus(self.sizes_room);
            return Err(EncodeErrorKind::SizeSum { sum: u128::from(before).plus(e.into()), expected });
        };
        self.sizes_left = left;
        self.sizes_room = room;
        Ok(Count::from(e).emit(Letter::E, self.style))
    }

    /// Takes the size in bytes before compression of the next element of this process, if the section is the array
    /// or the inline section that precedes a compressed one (scda 3). The caller writes the returned line at the
    /// [`data_position`](Self::data_position) before the call. The line is data, but must not be passed to
    /// [`data`](Self::data).
    ///
    /// # Errors
    /// [`EncodeErrorKind::SizeUnexpected`], [`EncodeErrorKind::DataTooLong`], [`EncodeErrorKind::NoSection`].
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{ElementPart, PartEncoder, Style};
    ///
    /// // The sizes of 3 elements in front of a compressed array; this process, the first one, has 2 of them.
    /// let mut encoder = PartEncoder::append(0, 128, Style::Unix);
    /// let part = ElementPart::new(0.into(), 2.into(), 3.into())?;
    /// encoder.array(b"V compressed scda 00", 32.into(), &part)?;
    /// let at = encoder.data_position();
    /// let line = encoder.uncompressed(29)?;
    /// assert_eq!((line.len(), encoder.data_position() - at), (32, 32));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn uncompressed(&mut self, u: u64) -> Result<[u8; COUNT_LEN], EncodeErrorKind> {
        let is_list = self.open()?.section().line_letter() == Ok(Letter::U);
        if !is_list || !self.data_left.is_multiple_of(COUNT_LEN as u64) {
            return Err(EncodeErrorKind::SizeUnexpected);
        }
        let line = Count::from(u).emit(Letter::U, self.style);
        self.data(&line)?;
        Ok(line)
    }

    /// Takes account of these bytes of data, which the caller writes at the [`data_position`](Self::data_position)
    /// before the call.
    ///
    /// # Errors
    /// [`EncodeErrorKind::DataTooLong`], [`EncodeErrorKind::NoSection`].
    pub fn data(&mut self, bytes: &[u8]) -> Result<(), EncodeErrorKind> {
        self.open()?;
        let (offered, room) = (bytes.len() as u64, self.data_left);
        self.data_left = room.checked_sub(offered).ok_or(EncodeErrorKind::DataTooLong { offered, room })?;
        self.last = bytes.last().copied().unwrap_or(self.last);
        Ok(())
    }

    /// Ends the section, and returns its padding, which only one process writes.
    ///
    /// # Errors
    /// [`EncodeErrorKind::DataTooShort`], [`EncodeErrorKind::SizesMissing`], [`EncodeErrorKind::NoSection`].
    pub fn end(&mut self) -> Result<PositionedWrite<'_>, EncodeErrorKind> {
        let share = self.open()?;
        if self.sizes_left > 0 {
            return Err(EncodeErrorKind::SizesMissing { missing: self.sizes_left });
        }
        if self.data_left > 0 {
            return Err(EncodeErrorKind::DataTooShort { missing: self.data_left });
        }
        self.share = None;
        // The owner has written the last byte of all data itself, or there is none.
        let bytes = head::padding(&mut self.given, share.section(), share.total(), self.last, self.style);
        let bytes = if share.padding().is_empty() { &[] } else { bytes };
        Ok(PositionedWrite { offset: share.padding().offset(), bytes })
    }

    /// Checks that the file can end here.
    ///
    /// # Errors
    /// [`EncodeErrorKind::SectionOpen`]; [`EncodeErrorKind::HeaderOrder`] if the file header is missing.
    pub const fn finish(&self) -> Result<(), EncodeErrorKind> {
        match (&self.share, self.position) {
            (Some(_), _) => Err(EncodeErrorKind::SectionOpen),
            (None, 0) => Err(EncodeErrorKind::HeaderOrder),
            (None, _) => Ok(()),
        }
    }

    /// The parts of the open section that this process writes.
    #[must_use]
    pub const fn share(&self) -> Option<&RankExtent> {
        self.share.as_ref()
    }

    /// Absolute offset of the next size line of this process; 0 while no section is open.
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{DataPart, ElementPart, PartEncoder, Style};
    ///
    /// let mut encoder = PartEncoder::append(0, 128, Style::Unix);
    /// let (elements, data) = (ElementPart::new(0.into(), 2.into(), 3.into())?, DataPart::new(0, 7, 9)?);
    /// encoder.varray(b"words", &elements, &data)?;
    /// let at = encoder.sizes_position();
    /// encoder.size(3)?;
    /// assert_eq!(encoder.sizes_position() - at, 32);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn sizes_position(&self) -> u64 {
        let left = times(self.sizes_left, COUNT_LEN as u64);
        self.share.map_or(0, |share| minus(share.sizes().end(), left))
    }

    /// Absolute offset of the next byte of data of this process; 0 while no section is open.
    #[must_use]
    pub fn data_position(&self) -> u64 {
        self.share.map_or(0, |share| minus(share.data().end(), self.data_left))
    }

    /// Absolute offset of the next bytes of this process, except size lines: in an open section the offset of its next
    /// byte of data, otherwise the offset of the next section.
    #[must_use]
    pub const fn position(&self) -> u64 {
        match &self.share {
            Some(share) => minus(share.data().end(), self.data_left),
            None => self.position,
        }
    }

    /// Keeps the bytes returned last while others are returned.
    pub(super) const fn keep_head(&mut self) {
        self.head = self.given;
    }

    /// The bytes that were kept, and those returned last.
    pub(super) const fn given_pieces(&self) -> (&[u8], &[u8]) {
        (&self.head, &self.given)
    }

    /// The style of line breaks in padding.
    #[must_use]
    pub const fn style(&self) -> Style {
        self.style
    }

    fn open(&self) -> Result<RankExtent, EncodeErrorKind> {
        self.share.ok_or(EncodeErrorKind::NoSection)
    }
}

encode!(
    /// The payload is the data of this process. Bytes that a method of the encoder returns are written at the same
    /// position, except size lines, which have [a position of their own](PartEncoder::sizes_position).
    PartEncoder,
    |encoder| encoder.data_left,
    Self::data
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::Encode;
    use std::vec;
    use std::vec::Vec;

    /// Writes as code does that is generic over encoders: each piece at the position before the call.
    fn put(file: &mut Vec<u8>, at: u64, bytes: &[u8]) {
        let at = at as usize;
        file.resize(file.len().max(at + bytes.len()), 0);
        file[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn call(
        file: &mut Vec<u8>,
        encoder: &mut PartEncoder,
        call: impl for<'e> FnOnce(&'e mut PartEncoder) -> Result<PositionedWrite<'e>, EncodeErrorKind>,
    ) {
        let at = Encode::position(encoder);
        put(file, at, call(encoder).unwrap().bytes);
    }

    fn payload(file: &mut Vec<u8>, encoder: &mut impl Encode, bytes: &[u8]) {
        assert_eq!(encoder.room(), bytes.len() as u64);
        for piece in bytes.chunks(2) {
            let at = encoder.position();
            encoder.put(piece).unwrap();
            put(file, at, piece);
        }
        assert_eq!(encoder.room(), 0);
        assert!(encoder.put(b"x").is_err());
    }

    #[test]
    fn each_piece_goes_to_the_position_before_the_call() {
        let shares: [[&[u8]; 3]; 4] =
            [[b"one", b"", b"three"], [b"", b"", b""], [b"", b"ab\n", b""], [b"x", b"yz", b""]];
        for data in shares {
            let lengths = data.map(|bytes| bytes.len() as u64);
            let total = lengths.iter().sum::<u64>();
            let mut whole = crate::scda::Encoder::new(Style::Unix);
            let mut expected = whole.header(b"v", b"u").unwrap().to_vec();
            for is_array in [true, false] {
                let begun = match is_array {
                    true => whole.array(b"a", total.into(), 1.into()),
                    false => whole.block(b"b", total.into()),
                };
                expected.extend_from_slice(begun.unwrap());
                whole.data(&data.concat()).unwrap();
                expected.extend_from_slice(&data.concat());
                expected.extend_from_slice(whole.end().unwrap());
            }
            let mut file = vec![];
            for q in [2, 0, 1] {
                let mut encoder = PartEncoder::new(q, Style::Unix);
                assert!(Encode::finish(&encoder).is_err());
                call(&mut file, &mut encoder, |encoder| encoder.header(b"v", b"u"));
                let part = ElementPart::of(q, lengths, total.into()).unwrap();
                call(&mut file, &mut encoder, |encoder| encoder.array(b"a", 1.into(), &part));
                payload(&mut file, &mut encoder, data[q]);
                call(&mut file, &mut encoder, PartEncoder::end);
                call(&mut file, &mut encoder, |encoder| encoder.block(b"b", total.into(), 1));
                let all = if q == 1 { data.concat() } else { vec![] };
                payload(&mut file, &mut encoder, &all);
                assert!(Encode::finish(&encoder).is_err());
                call(&mut file, &mut encoder, PartEncoder::end);
                Encode::finish(&encoder).unwrap();
                assert_eq!(encoder.position(), expected.len() as u64);
            }
            assert_eq!(file, expected);
        }
    }
}
