//! Writing sections as they are stored. A call that returns an error changes nothing.

use crate::counter::Counter as _;
use crate::scda::count::{COUNT_LEN, Count, Letter};
use crate::scda::error::EncodeErrorKind;
use crate::scda::head;
use crate::scda::padding::Style;
use crate::scda::section::{SectionType, StoredSection};
use crate::state::saved;

/// The position in a file, and in a section that is being written. It does not hold the bytes that it produces: the
/// encoder above combines the bytes of two halves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlainEncoder {
    style: Style,
    section: StoredSection,
    section_open: bool,
    sizes_left: u64,
    data_length: u64,
    data_left: u64,
    last: u8,
    position: u64,
}

saved!(struct PlainEncoder {
    style, section, section_open, sizes_left, data_length, data_left, last, position
});

impl PlainEncoder {
    /// An encoder that appends to a file of `offset` bytes; 0 means a new file.
    pub(crate) const fn append(offset: u64, style: Style) -> Self {
        let none = Count::ZERO;
        Self {
            style,
            section: StoredSection { offset: 0, section_type: SectionType::Header, n: none, e: none },
            section_open: false,
            sizes_left: 0,
            data_length: 0,
            data_left: 0,
            last: 0,
            position: offset,
        }
    }

    /// Writes the complete file header to the front of `to`; returns it.
    pub(crate) fn header<'a>(
        &mut self,
        to: &'a mut [u8; head::MAX_LEN],
        vendor: &[u8],
        user: &[u8],
    ) -> Result<&'a [u8], EncodeErrorKind> {
        if self.position != 0 || self.section_open {
            return Err(EncodeErrorKind::HeaderOrder);
        }
        let header = head::header(to, vendor, user, self.style)?;
        self.position = header.len() as u64;
        Ok(header)
    }

    /// Opens a section other than the file header, and writes its head and counts to the front of `to`; returns them.
    pub(crate) fn begin<'a>(
        &mut self,
        to: &'a mut [u8; head::MAX_LEN],
        section_type: SectionType,
        user: &[u8],
        n: Count,
        e: Count,
    ) -> Result<&'a [u8], EncodeErrorKind> {
        if self.section_open {
            return Err(EncodeErrorKind::SectionOpen);
        }
        if self.position == 0 {
            return Err(EncodeErrorKind::HeaderOrder);
        }
        let section = StoredSection { offset: self.position, section_type, n, e };
        let is_varray = section_type == SectionType::Varray;
        // The least length that the data can have; the sizes of a variable array add to it.
        let length = if is_varray { Some(0) } else { section.data_length() };
        let length = length.filter(|length| section.next_offset(*length).is_some());
        let length = length.ok_or(EncodeErrorKind::TooLong { count: n.max(e) })?;
        let head = head::head(to, &section, user, self.style)?;
        self.section = section;
        self.section_open = true;
        self.sizes_left = if is_varray { n.to_u64().unwrap_or(0) } else { 0 };
        self.data_length = length;
        self.data_left = length;
        self.position.increase(head.len() as u64);
        Ok(head)
    }

    /// Takes the size in bytes of the next element of a variable array, and returns its count entry.
    pub(crate) fn size(&mut self, e: u64) -> Result<[u8; COUNT_LEN], EncodeErrorKind> {
        self.open()?;
        let left = self.sizes_left.checked_sub(1).ok_or(EncodeErrorKind::SizeUnexpected)?;
        // Refused at the first size that is too much, even if all later ones are 0.
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
    pub(crate) fn data(&mut self, bytes: &[u8]) -> Result<(), EncodeErrorKind> {
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

    /// Ends the section, and writes its padding to the front of `to`; returns it.
    pub(crate) fn end<'a>(&mut self, to: &'a mut [u8; head::MAX_LEN]) -> Result<&'a [u8], EncodeErrorKind> {
        self.open()?;
        if self.sizes_left > 0 {
            return Err(EncodeErrorKind::SizesMissing { missing: self.sizes_left });
        }
        if self.data_left > 0 {
            return Err(EncodeErrorKind::DataTooShort { missing: self.data_left });
        }
        let padding = head::padding(to, &self.section, self.data_length, self.last, self.style);
        self.section_open = false;
        self.position.increase(padding.len() as u64);
        Ok(padding)
    }

    /// Checks that the file can end here.
    pub(crate) const fn finish(&self) -> Result<(), EncodeErrorKind> {
        match (self.section_open, self.position) {
            (true, _) => Err(EncodeErrorKind::SectionOpen),
            (false, 0) => Err(EncodeErrorKind::HeaderOrder),
            (false, _) => Ok(()),
        }
    }

    /// The style of line breaks in padding.
    pub(crate) const fn style(&self) -> Style {
        self.style
    }

    /// The open section, or the previous one.
    pub(crate) const fn section(&self) -> &StoredSection {
        &self.section
    }

    /// Absolute offset of the next bytes to write.
    pub(crate) const fn position(&self) -> u64 {
        self.position
    }

    /// Number of bytes of data that are still missing in the open section; 0 if sizes of elements must come first.
    pub(crate) const fn room(&self) -> u64 {
        if self.section_open && self.sizes_left == 0 { self.data_left } else { 0 }
    }

    pub(crate) fn is_consistent(&self) -> bool {
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
        // The position is before the sizes that are left, or after the data that are done: one of the two is 0.
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

    const fn open(&self) -> Result<(), EncodeErrorKind> {
        if self.section_open { Ok(()) } else { Err(EncodeErrorKind::NoSection) }
    }
}
