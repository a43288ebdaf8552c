//! The lines with the sizes of some elements.

use linkstream::scda::{COUNT_LEN, CountError, ErrorKind, Letter, Section, SectionType};
use linkstream::{Error, Misuse};

use super::extent::{Window, has_all, lines_of, size_lines};
use super::partition::{ElementPart, PartitionError};

/// Reads and sums the sizes of some elements: the `E` lines of a variable array or of the texts of a compressed array,
/// or the `U` lines before a compressed variable array.
///
/// The sum over the elements of a process is `S_q`, the sum over all elements before them `B_q`, the sum over all
/// elements `S`. Made by [`PartDecoder::sizes`](super::PartDecoder::sizes) and
/// [`uncompressed`](super::PartDecoder::uncompressed).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SizeLines {
    section: Section,
    letter: Letter,
    window: Window,
    left: u64,
    sum: u64,
}

impl SizeLines {
    /// The sizes that precede the data of the section.
    pub(super) fn of(section: &Section, elements: &ElementPart) -> Result<Self, PartitionError> {
        Ok(Self::new(section, Letter::E, size_lines(&section.stored(), elements)?))
    }

    /// The sizes before compression of a variable array.
    pub(super) fn before_compression(
        section: &Section,
        elements: &ElementPart,
    ) -> Result<Self, PartitionError> {
        match section.first_half() {
            Some(first) if section.section_type == SectionType::Varray => {
                has_all(elements, first.n)?;
                Ok(Self::new(section, Letter::U, lines_of(first.data_offset(), elements)?))
            }
            _ => Err(PartitionError::OtherType { section_type: section.section_type }),
        }
    }

    const fn new(section: &Section, letter: Letter, window: Window) -> Self {
        Self { section: *section, letter, window, left: window.length() / COUNT_LEN as u64, sum: 0 }
    }

    /// The same lines after elements whose sizes add up to `before` (`B_q`). Size lines that are read again in this way
    /// show which of them makes the sum of all sizes too large.
    #[must_use]
    pub const fn after(self, before: u64) -> Self {
        Self { sum: before, ..self }
    }

    /// All lines, even if they have been read.
    #[must_use]
    pub const fn window(&self) -> Window {
        self.window
    }

    /// Takes the next line, and returns the size in it, in bytes.
    ///
    /// # Errors
    /// The line is not a count entry, the sum is too large, or no text of a compressed element can have this size. The
    /// line then does not count as read.
    pub fn size(&mut self, line: &[u8; COUNT_LEN]) -> Result<u64, Error<ErrorKind>> {
        let at = self.window.end() - self.left * COUNT_LEN as u64;
        let left = self.left.checked_sub(1).ok_or(Error::new(at, Misuse::Outside.into()))?;
        let found = self.section.size_in(line, self.letter, at);
        // A sum that is too large is noticed first, as a serial decoder does.
        let size = match found {
            Err(Error { kind: ErrorKind::TextLength { found }, .. }) => found.to_u64(),
            _ => None,
        };
        let size = size.map_or(found, Ok)?;
        let sum = self.sum.checked_add(size).filter(|sum| self.fits(*sum));
        let sum = sum.ok_or_else(|| {
            let is_before = self.letter == Letter::U;
            let before = ErrorKind::Uncompressed(CountError::TooLong);
            Error::new(at, if is_before { before } else { ErrorKind::TooLong { count: size.into() } })
        })?;
        let size = found?;
        (self.left, self.sum) = (left, sum);
        Ok(size)
    }

    /// True if data of so many bytes can be addressed. Sizes before compression describe bytes of no file.
    fn fits(&self, sum: u64) -> bool {
        self.letter == Letter::U || self.section.stored().next_offset(sum).is_some()
    }

    /// Sum of the sizes read so far, in bytes.
    #[must_use]
    pub const fn sum(&self) -> u64 {
        self.sum
    }
}
