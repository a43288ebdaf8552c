//! Element sizes, read by one of several processes.

use super::count::{COUNT_LEN, Count, Letter};
use super::error::ErrorKind;
use super::partition::{ElementPart, PartitionError};
use super::section::{Section, SectionType};
use super::window::Window;
use crate::counter::{Counter as _, minus, times};
use crate::error::{Error, Misuse};

/// Reads and sums the sizes of some elements: the `E` lines of a variable array, or the `U` lines that precede a
/// compressed section (see [`Section::size_lines`]).
///
/// The sum over the elements of a process is `S_q`, the sum over all elements before them `B_q`, the sum over all
/// elements `S`.
///
/// ```
/// use linkstream::scda::{ElementPart, Section, SectionType, SizeLines};
///
/// let section =
///     Section { offset: 128, section_type: SectionType::Varray, n: 3.into(), e: 0.into() };
/// let mut lines = SizeLines::new(&section, &ElementPart::new(1.into(), 2.into(), section.n)?)?;
/// assert_eq!((lines.position(), lines.left()), (256, 2));
/// assert_eq!(lines.size(b"E 0 ---------------------------\n")?, 0);
/// assert_eq!(lines.size(b"E 5 ---------------------------\n")?, 5);
/// assert_eq!((lines.left(), lines.sum()), (0, 5));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SizeLines {
    section: Section,
    letter: Letter,
    window: Window,
    left: u64,
    sum: u64,
}

impl SizeLines {
    /// The lines of these elements.
    ///
    /// # Errors
    /// As [`Section::size_lines`].
    pub fn new(section: &Section, elements: &ElementPart) -> Result<Self, PartitionError> {
        let window = section.size_lines(elements)?;
        let letter = section.line_letter()?;
        Ok(Self { section: *section, letter, window, left: window.lines(), sum: 0 })
    }

    /// Takes the next line, and returns the size in it.
    ///
    /// # Errors
    /// The line is not a count entry, or the sum is too large. The line then does not count as read.
    pub fn size(&mut self, line: &[u8; COUNT_LEN]) -> Result<u64, Error<ErrorKind>> {
        let at = self.position();
        let wrong = |(within, kind)| Error::new(at.plus(within), kind);
        let count = Count::parse(self.letter, line).map_err(wrong)?;
        let too_long = wrong((0, ErrorKind::TooLong { count }));
        let left = self.left.checked_sub(1).ok_or(Error::new(at, ErrorKind::Misuse(Misuse::Outside)))?;
        let size = count.to_u64().ok_or(too_long)?;
        let sum = self.sum.checked_add(size).ok_or(too_long)?;
        // Data of a variable array must be addressable; what was before compression lies in no file.
        if self.section.section_type == SectionType::Varray && self.section.next_offset(sum).is_none() {
            return Err(too_long);
        }
        (self.left, self.sum) = (left, sum);
        Ok(size)
    }

    /// Absolute offset of the next line.
    #[must_use]
    pub const fn position(&self) -> u64 {
        minus(self.window.end(), times(self.left, COUNT_LEN as u64))
    }

    /// Number of lines that are left.
    #[must_use]
    pub const fn left(&self) -> u64 {
        self.left
    }

    /// Sum of the sizes read so far, in bytes.
    #[must_use]
    pub const fn sum(&self) -> u64 {
        self.sum
    }
}
