//! Writing: the mirror of the decoder.

use super::count::{COUNT_LEN, Count, Letter};
use super::decode::VERSION;
use super::entry::{self, MAX_DATA_PADDING, Style, data_padding_byte};
use super::error::WriteKind;
use super::section::{HEAD_LEN, INLINE_LEN, MAX_USER_LEN, MAX_VENDOR_LEN, Section, SectionType};
use crate::state::{self, LoadError, Saved, saved_struct};

/// Most bytes before the data of a section, or of a file header with its padding.
const MAX_HEAD_LEN: usize = 128;

saved_struct! {
    /// Keeps account of what is written and gives the bytes around each section's data.
    ///
    /// The caller writes, in this order: what the call returns that opens a section, for a variable array what
    /// [`size`](Self::size) returns for each element, the data, announced to [`data`](Self::data), and the
    /// padding that [`end`](Self::end) returns. A call that is refused changes nothing. Every byte is
    /// determined by the input; Unix output is what libsc writes.
    ///
    /// ```
    /// use linkstream::scda::{Encoder, Style};
    ///
    /// let mut file = Vec::new();
    /// let mut encoder = Encoder::new(Style::Unix);
    /// file.extend_from_slice(encoder.header(b"libsc", b"demo")?);
    /// file.extend_from_slice(encoder.array(b"ids", 2.into(), 3.into())?);
    /// encoder.data(b"abcde\n")?;
    /// file.extend_from_slice(b"abcde\n");
    /// file.extend_from_slice(encoder.end()?);
    /// encoder.finish()?;
    /// assert_eq!(file.len(), 288);
    /// assert!(file.ends_with(b"abcde\n========================\n\n"));
    /// # Ok::<(), linkstream::scda::WriteKind>(())
    /// ```
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Encoder {
        style: Style,
        /// What was returned last: a head, an entry or padding.
        given: [u8; MAX_HEAD_LEN],
        section: Section,
        section_open: bool,
        sizes_left: u64,
        data_length: u64,
        data_left: u64,
        last: u8,
        position: u64,
    }
}

impl Encoder {
    /// Size of a saved state in bytes.
    pub const SAVED: usize = <Self as Saved>::SIZE.saturating_add(state::SEAL);
    const TAG: u8 = 8;

    /// An encoder for a new file.
    #[must_use]
    pub fn new(style: Style) -> Self {
        Self::append(0, style)
    }

    /// An encoder that appends to a file of `offset` bytes, which ends at a section's end; 0: a new file.
    #[must_use]
    pub fn append(offset: u64, style: Style) -> Self {
        let none = Count::default();
        Self {
            style,
            given: [0; MAX_HEAD_LEN],
            section: Section { offset: 0, section_type: SectionType::Header, n: none, e: none },
            section_open: false,
            sizes_left: 0,
            data_length: 0,
            data_left: 0,
            last: 0,
            position: offset,
        }
    }

    /// The file header, whole: 128 bytes. The vendor string names the program that writes.
    ///
    /// # Errors
    /// [`WriteKind::HeaderOrder`], [`WriteKind::StringTooLong`].
    pub fn header(&mut self, vendor: &[u8], user: &[u8]) -> Result<&[u8], WriteKind> {
        if self.position != 0 || self.section_open {
            return Err(WriteKind::HeaderOrder);
        }
        fits(vendor, MAX_VENDOR_LEN)?;
        fits(user, MAX_USER_LEN)?;
        let style = self.style;
        let (opening, rest) = self.given.split_at_mut(COUNT_LEN);
        let magic = [b's', b'c', b'd', b'a', b't', b'a', b'0', b' '];
        const { assert!(VERSION == 0xa0) };
        if let Some((front, field)) = opening.split_first_chunk_mut() {
            *front = magic;
            entry::fill(field, vendor, style);
        }
        let (head, padding) = rest.split_at_mut(HEAD_LEN);
        fill_head(head, SectionType::Header, user, style);
        for (place, byte) in (0..).zip(&mut *padding) {
            *byte = data_padding_byte(style, false, COUNT_LEN as u8, place);
        }
        self.position = MAX_HEAD_LEN as u64;
        Ok(&self.given)
    }

    /// An inline section, of which exactly 32 bytes of data are to follow.
    ///
    /// # Errors
    /// [`WriteKind::StringTooLong`], [`WriteKind::SectionOpen`], [`WriteKind::HeaderOrder`],
    /// [`WriteKind::TooLong`].
    pub fn inline(&mut self, user: &[u8]) -> Result<&[u8], WriteKind> {
        self.begin(SectionType::Inline, user, Count::default(), Count::default())
    }

    /// A block of `e` bytes.
    ///
    /// # Errors
    /// As [`Encoder::inline`].
    pub fn block(&mut self, user: &[u8], e: Count) -> Result<&[u8], WriteKind> {
        self.begin(SectionType::Block, user, Count::default(), e)
    }

    /// An array of `n` elements of `e` bytes each.
    ///
    /// # Errors
    /// As [`Encoder::inline`].
    pub fn array(&mut self, user: &[u8], n: Count, e: Count) -> Result<&[u8], WriteKind> {
        self.begin(SectionType::Array, user, n, e)
    }

    /// An array of `n` elements whose sizes are to be given, all before the data.
    ///
    /// # Errors
    /// As [`Encoder::inline`].
    pub fn varray(&mut self, user: &[u8], n: Count) -> Result<&[u8], WriteKind> {
        self.begin(SectionType::Varray, user, n, Count::default())
    }

    fn begin(
        &mut self,
        section_type: SectionType,
        user: &[u8],
        n: Count,
        e: Count,
    ) -> Result<&[u8], WriteKind> {
        if self.section_open {
            return Err(WriteKind::SectionOpen);
        }
        if self.position == 0 {
            return Err(WriteKind::HeaderOrder);
        }
        fits(user, MAX_USER_LEN)?;
        let section = Section { offset: self.position, section_type, n, e };
        let is_varray = section_type == SectionType::Varray;
        let length = if is_varray { Some(0) } else { section.data_length() };
        let length = length.filter(|length| section.next_offset(*length).is_some());
        let length = length.ok_or(WriteKind::TooLong { count: n.max(e) })?;
        self.section = section;
        self.section_open = true;
        self.sizes_left = if is_varray { n.to_u64().unwrap_or(0) } else { 0 };
        self.data_length = length;
        self.data_left = length;
        let style = self.style;
        let (head, counts) = self.given.split_at_mut(HEAD_LEN);
        fill_head(head, section_type, user, style);
        let counts = counts.as_chunks_mut().0.iter_mut();
        let wanted: &[(Letter, Count)] = match section_type {
            SectionType::Header | SectionType::Inline => &[],
            SectionType::Block => &[(Letter::E, e)],
            SectionType::Array => &[(Letter::N, n), (Letter::E, e)],
            SectionType::Varray => &[(Letter::N, n)],
        };
        for (to, (letter, count)) in counts.zip(wanted) {
            *to = count.emit(*letter, style);
        }
        let length = section_type.head_length();
        self.position = self.position.wrapping_add(length);
        Ok(self.given.get(..length as usize).unwrap_or_default())
    }

    /// The size in bytes of the next element of a variable array.
    ///
    /// # Errors
    /// [`WriteKind::SizeUnexpected`], [`WriteKind::TooLong`], [`WriteKind::NoSection`].
    pub fn size(&mut self, e: u64) -> Result<[u8; COUNT_LEN], WriteKind> {
        self.open()?;
        let left = self.sizes_left.checked_sub(1).ok_or(WriteKind::SizeUnexpected)?;
        let length = self.data_length.checked_add(e);
        let length = length.filter(|length| self.section.next_offset(*length).is_some());
        let length = length.ok_or(WriteKind::TooLong { count: e.into() })?;
        self.sizes_left = left;
        self.data_length = length;
        self.data_left = length;
        self.position = self.position.wrapping_add(COUNT_LEN as u64);
        Ok(Count::from(e).emit(Letter::E, self.style))
    }

    /// Announces that the caller writes these bytes of data next.
    ///
    /// # Errors
    /// [`WriteKind::DataTooLong`], [`WriteKind::SizesMissing`], [`WriteKind::NoSection`].
    pub fn data(&mut self, bytes: &[u8]) -> Result<(), WriteKind> {
        self.open()?;
        if self.sizes_left > 0 {
            return Err(WriteKind::SizesMissing { missing: self.sizes_left });
        }
        let (offered, room) = (bytes.len() as u64, self.data_left);
        let left = room.checked_sub(offered).ok_or(WriteKind::DataTooLong { offered, room })?;
        self.data_left = left;
        self.last = bytes.last().copied().unwrap_or(self.last);
        self.position = self.position.wrapping_add(offered);
        Ok(())
    }

    /// Ends the section; the caller writes the bytes returned, which are none behind an inline section.
    ///
    /// # Errors
    /// [`WriteKind::DataTooShort`], [`WriteKind::SizesMissing`], [`WriteKind::NoSection`].
    pub fn end(&mut self) -> Result<&[u8], WriteKind> {
        self.open()?;
        if self.sizes_left > 0 {
            return Err(WriteKind::SizesMissing { missing: self.sizes_left });
        }
        if self.data_left > 0 {
            return Err(WriteKind::DataTooShort { missing: self.data_left });
        }
        let length = self.section.padding(self.data_length);
        let after_line_feed = self.data_length > 0 && self.last == b'\n';
        for (place, byte) in (0..length).zip(&mut self.given) {
            *byte = data_padding_byte(self.style, after_line_feed, length, place);
        }
        self.section_open = false;
        self.position = self.position.wrapping_add(u64::from(length));
        Ok(self.given.get(..usize::from(length)).unwrap_or_default())
    }

    /// Whether the file can end here.
    ///
    /// # Errors
    /// [`WriteKind::SectionOpen`]; [`WriteKind::HeaderOrder`] where there is not even a file header.
    pub const fn finish(&self) -> Result<(), WriteKind> {
        match (self.section_open, self.position) {
            (true, _) => Err(WriteKind::SectionOpen),
            (false, 0) => Err(WriteKind::HeaderOrder),
            (false, _) => Ok(()),
        }
    }

    /// How lines are broken.
    #[must_use]
    pub const fn style(&self) -> Style {
        self.style
    }

    /// The open section, or the last one.
    #[must_use]
    pub const fn section(&self) -> &Section {
        &self.section
    }

    /// Absolute offset at which the next bytes go.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.position
    }

    /// Bytes of data that the open section still lacks.
    #[must_use]
    pub const fn room(&self) -> u64 {
        if self.section_open { self.data_left } else { 0 }
    }

    /// The state as bytes: to be kept, or handed to another process.
    #[must_use]
    pub fn save(&self) -> [u8; Self::SAVED] {
        state::seal(Self::TAG, self)
    }

    /// Puts back a state that [`Encoder::save`] gave.
    ///
    /// # Errors
    /// The bytes are not such a state.
    pub fn load(saved: &[u8; Self::SAVED]) -> Result<Self, LoadError> {
        let encoder: Self = state::open(Self::TAG, saved)?;
        if encoder.is_consistent() { Ok(encoder) } else { Err(LoadError::Inconsistent) }
    }

    pub(super) fn is_consistent(&self) -> bool {
        let end = self.section.next_offset(self.data_length);
        let fits = !self.section_open || end.is_some_and(|end| end >= self.position);
        fits && self.data_left <= self.data_length
    }

    /// What was returned last.
    pub(super) const fn given(&self) -> &[u8] {
        &self.given
    }

    const fn open(&self) -> Result<(), WriteKind> {
        if self.section_open { Ok(()) } else { Err(WriteKind::NoSection) }
    }
}

const _: () = assert!(MAX_DATA_PADDING <= MAX_HEAD_LEN && HEAD_LEN + INLINE_LEN <= MAX_HEAD_LEN);

fn fill_head(head: &mut [u8], section_type: SectionType, user: &[u8], style: Style) {
    if let Some((front, field)) = head.split_first_chunk_mut() {
        *front = [section_type.letter(), b' '];
        entry::fill(field, user, style);
    }
}

const fn fits(string: &[u8], limit: usize) -> Result<(), WriteKind> {
    if string.len() <= limit { Ok(()) } else { Err(WriteKind::StringTooLong { length: string.len(), limit }) }
}
