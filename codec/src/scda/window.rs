//! Windows: where the parts of a section lie in the file.

use super::count::{COUNT_LEN, Count, Letter};
use super::partition::{ElementPart, PartitionError, inside};
use super::section::{Section, SectionType};
use crate::counter::plus;

/// A contiguous range of bytes of a file, possibly empty. Its end fits in 64 bits.
///
/// # Example
/// ```
/// use linkstream::scda::Window;
///
/// let window = Window::new(128, 96).ok_or("beyond 64 bits")?;
/// assert_eq!((window.offset(), window.length(), window.end(), window.is_empty()), (128, 96, 224, false));
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Window {
    offset: u64,
    length: u64,
}

impl Window {
    /// `length` bytes from the absolute `offset` on. `None` if the end does not fit in 64 bits.
    #[must_use]
    pub const fn new(offset: u64, length: u64) -> Option<Self> {
        match offset.checked_add(length) {
            Some(_) => Some(Self { offset, length }),
            None => None,
        }
    }

    /// Absolute offset of its first byte.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Its length in bytes.
    #[must_use]
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// Absolute offset of the first byte after it.
    #[must_use]
    pub const fn end(&self) -> u64 {
        plus(self.offset, self.length)
    }

    /// Whether the window is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Whole size lines in it.
    pub(super) const fn lines(self) -> u64 {
        const LINE: u64 = COUNT_LEN as u64;
        self.length / LINE
    }

    /// This window for its owner, for others an empty one in its place.
    pub(super) const fn owned(self, by_us: bool) -> Self {
        Self { offset: self.offset, length: if by_us { self.length } else { 0 } }
    }
}

/// Single windows of a section. [`RankExtent`](super::RankExtent) has all windows of a process.
impl Section {
    /// The header and the counts `N` and `E`, without element sizes; for the file header, also magic and vendor
    /// string.
    ///
    /// # Errors
    /// [`PartitionError::TooLong`].
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{Count, ElementPart, Section, SectionType};
    ///
    /// let array = Section { offset: 128, section_type: SectionType::Varray, n: 3.into(), e: Count::default() };
    /// assert_eq!(array.head_window()?.length(), 96);
    /// // The second of three element sizes, 5 bytes of data after the first 2, and the padding of 10 bytes.
    /// let lines = array.size_lines(&ElementPart::new(1.into(), 1.into(), 3.into())?)?;
    /// assert_eq!((lines.offset(), lines.length()), (128 + 96 + 32, 32));
    /// assert_eq!(array.data_window(2, 5)?.offset(), 128 + 96 + 3 * 32 + 2);
    /// assert_eq!(array.padding_window(10)?.length(), 22);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn head_window(&self) -> Result<Window, PartitionError> {
        window(Some(self.offset), self.section_type.head_length())
    }

    /// The size lines of some elements, 32 bytes each: in a variable array its `E` lines. Before a compressed
    /// section (scda 3), the `U` lines: an array of elements of 32 bytes holds one for each element, an inline
    /// section holds only one.
    ///
    /// # Errors
    /// [`PartitionError::OtherTotal`], [`PartitionError::OtherType`], [`PartitionError::TooLong`].
    pub fn size_lines(&self, elements: &ElementPart) -> Result<Window, PartitionError> {
        let lines = match self.line_letter()? {
            Letter::E => self.offset.checked_add(self.section_type.head_length()),
            _ => self.data_offset(),
        };
        let n = if self.section_type == SectionType::Inline { Count::ONE } else { self.n };
        if elements.total() != n {
            return Err(PartitionError::OtherTotal { part: elements.total(), section: n });
        }
        // All of the lines can be addressed, so these can.
        self.data_offset().ok_or(PartitionError::TooLong)?;
        let bytes = |count: Count| {
            count.to_u64().and_then(|n| n.checked_mul(COUNT_LEN as u64)).ok_or(PartitionError::TooLong)
        };
        let before = bytes(elements.first())?;
        window(lines.and_then(|lines| lines.checked_add(before)), bytes(elements.count())?)
    }

    /// What [`Section::size_lines`] begin with.
    pub(super) fn line_letter(&self) -> Result<Letter, PartitionError> {
        match self.section_type {
            SectionType::Varray => Ok(Letter::E),
            SectionType::Array if self.e == Count::from(COUNT_LEN as u64) => Ok(Letter::U),
            SectionType::Inline => Ok(Letter::U),
            section_type => Err(PartitionError::OtherType { section_type }),
        }
    }

    /// `length` bytes of data after the first `before`.
    ///
    /// # Errors
    /// [`PartitionError::Outside`] if the section does not have these bytes, [`PartitionError::TooLong`].
    pub fn data_window(&self, before: u64, length: u64) -> Result<Window, PartitionError> {
        if self.section_type != SectionType::Varray {
            let total = self.data_length().ok_or(PartitionError::TooLong)?;
            inside(before.into(), length.into(), total.into())?;
        }
        window(self.data_offset().and_then(|start| start.checked_add(before)), length)
    }

    /// The padding after all `length` bytes of data (`S`). An inline section has none.
    ///
    /// # Errors
    /// [`PartitionError::TooLong`].
    pub fn padding_window(&self, length: u64) -> Result<Window, PartitionError> {
        let offset = self.data_offset().and_then(|start| start.checked_add(length));
        window(offset, self.padding(length).into())
    }
}

fn window(offset: Option<u64>, length: u64) -> Result<Window, PartitionError> {
    offset.and_then(|offset| Window::new(offset, length)).ok_or(PartitionError::TooLong)
}
