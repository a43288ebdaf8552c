//! Writing: the counterpart of the decoder.

use super::entry::Style;
use super::error::EncodeErrorKind;
use super::head;
use super::section::{COUNT_LEN, Count, Letter, Section, SectionType};
use crate::counter::Counter as _;
use crate::encode::encode;
use crate::state::{saved, saved_encoder};

/// Produces headers, counts and padding of each section, and checks that its data are written completely.
///
/// The caller writes, in this order: the bytes returned by the method that opens a section; for a variable array,
/// the bytes that [`size`](Self::size) returns for each element; the data, which are also passed to
/// [`data`](Self::data); and the padding that [`end`](Self::end) returns. A call that returns an error changes
/// nothing. The input determines every byte of the output. In Unix style libsc writes the same bytes, as far as it
/// implements the sections: it has no variable arrays.
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
/// # Ok::<(), linkstream::scda::EncodeErrorKind>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoder {
    style: Style,
    /// Bytes returned last: a head, an entry or padding.
    given: [u8; head::MAX_LEN],
    section: Section,
    section_open: bool,
    sizes_left: u64,
    data_length: u64,
    data_left: u64,
    last: u8,
    position: u64,
}

saved!(struct Encoder {
    style, given, section, section_open, sizes_left, data_length, data_left, last, position
});
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
    /// use linkstream::Resumable;
    /// use linkstream::scda::{Encoder, Style};
    ///
    /// let mut encoder = Encoder::append(128, Style::Unix);
    /// let mut sections = encoder.inline(b"32 bytes")?.to_vec();
    /// sections.extend_from_slice(&[b'x'; 32]);
    /// encoder.data(&[b'x'; 32])?;
    /// sections.extend_from_slice(encoder.end()?);
    /// sections.extend_from_slice(encoder.block(b"3 bytes", 3.into())?);
    /// assert_eq!((encoder.style(), encoder.section().offset, encoder.room()), (Style::Unix, 224, 3));
    ///
    /// // Continue elsewhere: the state is an array of bytes.
    /// let mut encoder = Encoder::load(&encoder.save())?;
    /// sections.extend_from_slice(b"abc");
    /// encoder.data(b"abc")?;
    /// sections.extend_from_slice(encoder.end()?);
    /// assert_eq!(encoder.position(), 128 + sections.len() as u64);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn append(offset: u64, style: Style) -> Self {
        let none = Count::ZERO;
        Self {
            style,
            given: [0; head::MAX_LEN],
            section: Section { offset: 0, section_type: SectionType::Header, n: none, e: none },
            section_open: false,
            sizes_left: 0,
            data_length: 0,
            data_left: 0,
            last: 0,
            position: offset,
        }
    }

    /// Begins another file, in the same style.
    pub const fn reset(&mut self) {
        *self = Self::new(self.style);
    }

    /// Returns the complete file header of 128 bytes. The vendor string names the writing program.
    ///
    /// # Errors
    /// [`EncodeErrorKind::HeaderOrder`], [`EncodeErrorKind::StringTooLong`].
    pub fn header(&mut self, vendor: &[u8], user: &[u8]) -> Result<&[u8], EncodeErrorKind> {
        if self.position != 0 || self.section_open {
            return Err(EncodeErrorKind::HeaderOrder);
        }
        head::header(&mut self.given, vendor, user, self.style)?;
        self.position = head::MAX_LEN as u64;
        Ok(&self.given)
    }

    /// Opens an inline section. Exactly 32 bytes of data must follow.
    ///
    /// # Errors
    /// [`EncodeErrorKind::StringTooLong`], [`EncodeErrorKind::SectionOpen`], [`EncodeErrorKind::HeaderOrder`],
    /// [`EncodeErrorKind::TooLong`].
    pub fn inline(&mut self, user: &[u8]) -> Result<&[u8], EncodeErrorKind> {
        self.begin(SectionType::Inline, user, Count::default(), Count::default())
    }

    /// Opens a block of `e` bytes.
    ///
    /// # Errors
    /// The errors of [`Encoder::inline`].
    pub fn block(&mut self, user: &[u8], e: Count) -> Result<&[u8], EncodeErrorKind> {
        self.begin(SectionType::Block, user, Count::default(), e)
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
        self.begin(SectionType::Varray, user, n, Count::default())
    }

    fn begin(
        &mut self,
        section_type: SectionType,
        user: &[u8],
        n: Count,
        e: Count,
    ) -> Result<&[u8], EncodeErrorKind> {
        if self.section_open {
            return Err(EncodeErrorKind::SectionOpen);
        }
        if self.position == 0 {
            return Err(EncodeErrorKind::HeaderOrder);
        }
        let section = Section { offset: self.position, section_type, n, e };
        let is_varray = section_type == SectionType::Varray;
        let length = if is_varray { Some(0) } else { section.data_length() };
        let length = length.filter(|length| section.next_offset(*length).is_some());
        let length = length.ok_or(EncodeErrorKind::TooLong { count: n.max(e) })?;
        let head = head::head(&mut self.given, &section, user, self.style)?;
        self.section = section;
        self.section_open = true;
        self.sizes_left = if is_varray { n.to_u64().unwrap_or(0) } else { 0 };
        self.data_length = length;
        self.data_left = length;
        self.position.increase(head.len() as u64);
        Ok(head)
    }

    /// Takes the size in bytes of the next element of a variable array, and returns its count entry.
    ///
    /// # Errors
    /// [`EncodeErrorKind::SizeUnexpected`], [`EncodeErrorKind::TooLong`], [`EncodeErrorKind::NoSection`].
    pub fn size(&mut self, e: u64) -> Result<[u8; COUNT_LEN], EncodeErrorKind> {
        self.open()?;
        let left = self.sizes_left.checked_sub(1).ok_or(EncodeErrorKind::SizeUnexpected)?;
        let length = self.data_length.checked_add(e);
        let length = length.filter(|length| self.section.next_offset(*length).is_some());
        let length = length.ok_or(EncodeErrorKind::TooLong { count: e.into() })?;
        self.sizes_left = left;
        self.data_length = length;
        self.data_left = length;
        self.position.increase(COUNT_LEN as u64);
        Ok(Count::from(e).emit(Letter::E, self.style))
    }

    /// Takes account of the next bytes of data, which the caller writes.
    ///
    /// # Errors
    /// [`EncodeErrorKind::DataTooLong`], [`EncodeErrorKind::SizesMissing`], [`EncodeErrorKind::NoSection`].
    pub fn data(&mut self, bytes: &[u8]) -> Result<(), EncodeErrorKind> {
        self.open()?;
        if self.sizes_left > 0 {
            return Err(EncodeErrorKind::SizesMissing { missing: self.sizes_left });
        }
        let (offered, room) = (bytes.len() as u64, self.data_left);
        let left = room.checked_sub(offered).ok_or(EncodeErrorKind::DataTooLong { offered, room })?;
        self.data_left = left;
        self.last = bytes.last().copied().unwrap_or(self.last);
        self.position.increase(offered);
        Ok(())
    }

    /// Ends the section, and returns its padding, which is empty for an inline section.
    ///
    /// # Errors
    /// [`EncodeErrorKind::DataTooShort`], [`EncodeErrorKind::SizesMissing`], [`EncodeErrorKind::NoSection`].
    pub fn end(&mut self) -> Result<&[u8], EncodeErrorKind> {
        self.open()?;
        if self.sizes_left > 0 {
            return Err(EncodeErrorKind::SizesMissing { missing: self.sizes_left });
        }
        if self.data_left > 0 {
            return Err(EncodeErrorKind::DataTooShort { missing: self.data_left });
        }
        let padding = head::padding(&mut self.given, &self.section, self.data_length, self.last, self.style);
        self.section_open = false;
        self.position.increase(padding.len() as u64);
        Ok(padding)
    }

    /// Checks that the file can end here.
    ///
    /// # Errors
    /// [`EncodeErrorKind::SectionOpen`]; [`EncodeErrorKind::HeaderOrder`] if the file header is missing.
    pub const fn finish(&self) -> Result<(), EncodeErrorKind> {
        match (self.section_open, self.position) {
            (true, _) => Err(EncodeErrorKind::SectionOpen),
            (false, 0) => Err(EncodeErrorKind::HeaderOrder),
            (false, _) => Ok(()),
        }
    }

    /// The style of line breaks in padding.
    #[must_use]
    pub const fn style(&self) -> Style {
        self.style
    }

    /// The open section, or the previous one.
    #[must_use]
    pub const fn section(&self) -> &Section {
        &self.section
    }

    /// Absolute offset of the next bytes to write.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.position
    }

    /// Number of bytes of data that are still missing in the open section; 0 if sizes of elements must come first.
    #[must_use]
    pub const fn room(&self) -> u64 {
        if self.section_open && self.sizes_left == 0 { self.data_left } else { 0 }
    }

    pub(super) fn is_consistent(&self) -> bool {
        let section = &self.section;
        if !self.section_open {
            // All other fields are set when the next section is opened.
            return self.data_left == 0 && self.sizes_left == 0;
        }
        let is_varray = section.section_type == SectionType::Varray;
        let counts = match section.section_type {
            // It is written in one piece, and never open.
            SectionType::Header => false,
            SectionType::Inline => section.n == Count::ZERO && section.e == Count::ZERO,
            SectionType::Block => section.n == Count::ZERO,
            SectionType::Varray => section.e == Count::ZERO,
            SectionType::Array => true,
        };
        // The data length of a variable array is the sum of the sizes given so far: any value is possible.
        let length = is_varray || section.data_length() == Some(self.data_length);
        let sizes = self.sizes_left == 0 || is_varray && self.data_left == self.data_length;
        let lines = self.sizes_left.checked_mul(COUNT_LEN as u64);
        let done = self.data_length.checked_sub(self.data_left);
        let position = section
            .data_offset()
            .zip(lines)
            .zip(done)
            .and_then(|((data, lines), done)| data.checked_sub(lines)?.checked_add(done));
        counts
            && length
            && sizes
            && section.offset > 0
            && section.next_offset(self.data_length).is_some()
            && position == Some(self.position)
    }

    /// Bytes returned last.
    pub(super) const fn given(&self) -> &[u8] {
        &self.given
    }

    const fn open(&self) -> Result<(), EncodeErrorKind> {
        if self.section_open { Ok(()) } else { Err(EncodeErrorKind::NoSection) }
    }
}

encode!(Encoder, Self::room, Self::data);
