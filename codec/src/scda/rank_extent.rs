//! The parts of a section that one process reads or writes, and the window of its data.

use super::error::ErrorKind;
use super::partition::{DataPart, ElementPart, PartitionError, inside};
use super::section::{COUNT_LEN, Count, Letter, Section, SectionType};
use crate::counter::{Counter as _, minus, plus, times};
use crate::error::{Error, Misuse};

/// All windows of process q onto a section. If every process of a partition writes its windows, the file is the same as
/// one written by a single process.
///
/// Process 0 has the header. The padding depends on the last byte of data, and belongs to the process that has this
/// byte: the highest one with `S_q` > 0, or process 0 if there are no data. The corresponding windows of the other
/// processes are empty.
///
/// Sizes 3, 0, 7, 1 and 0 at offset 128, of three processes that have 2, 0 and 3 elements:
/// ```
/// use linkstream::scda::{DataPart, ElementPart, Section, SectionType, RankExtent, Window};
///
/// let section =
///     Section { offset: 128, section_type: SectionType::Varray, n: 5.into(), e: 0.into() };
/// let share = |q| {
///     let elements = ElementPart::of(q, [2, 0, 3], section.n)?;
///     let data = DataPart::of(q, [3, 0, 8])?;
///     RankExtent::varray(q, &section, &elements, &data)
/// };
/// let bounds = |window: Window| [window.offset(), window.end()];
///
/// let [q0, q1, q2] = [share(0)?, share(1)?, share(2)?];
/// assert_eq!([q0.head(), q1.head()].map(bounds), [[128, 224], [128, 128]]);
/// assert_eq!([q0.sizes(), q0.data()].map(bounds), [[224, 288], [384, 387]]);
/// assert_eq!([q1.sizes(), q1.data()].map(bounds), [[288, 288], [387, 387]]);
/// assert_eq!([q2.sizes(), q2.data()].map(bounds), [[288, 384], [387, 395]]);
/// // The last process to have data has seen byte 394.
/// assert_eq!([q0, q1, q2].map(|share| share.padding().length()), [0, 0, 21]);
/// assert_eq!(bounds(q2.padding()), [395, 416]);
/// assert_eq!(q2.next_offset(), 416);
/// # Ok::<(), linkstream::scda::PartitionError>(())
/// ```
///
/// A compressed array is preceded by an inline section, a compressed variable array by an array whose data are `U`
/// lines of 32 bytes. The second section begins at the [`next_offset`](Self::next_offset) of the first; its elements
/// are the texts that the processes have encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RankExtent {
    section: Section,
    head: Window,
    sizes: Window,
    data: Window,
    padding: Window,
    /// `S`.
    total: u64,
    next_offset: u64,
}

impl RankExtent {
    /// The part of process `q` in an array: `S_q = N_q E` bytes after the first `B_q = C_q E`.
    ///
    /// # Errors
    /// [`PartitionError::OtherType`], [`PartitionError::OtherTotal`], [`PartitionError::TooLong`].
    pub fn array(q: usize, section: &Section, elements: &ElementPart) -> Result<Self, PartitionError> {
        expect(section, &[SectionType::Array])?;
        if elements.total() != section.n {
            return Err(PartitionError::OtherTotal { part: elements.total(), section: section.n });
        }
        let total = section.data_length().ok_or(PartitionError::TooLong)?;
        let bytes = |count: Count| {
            let bytes = count.get().checked_mul(section.e.get());
            bytes.and_then(|bytes| u64::try_from(bytes).ok()).ok_or(PartitionError::TooLong)
        };
        let data = DataPart::new(bytes(elements.first())?, bytes(elements.count())?, total)?;
        Self::new(q, section, section.data_window(0, 0)?, &data)
    }

    /// The part of process `q` in a variable array.
    ///
    /// # Errors
    /// [`PartitionError::OtherType`], [`PartitionError::OtherTotal`], [`PartitionError::Contradiction`],
    /// [`PartitionError::TooLong`].
    pub fn varray(
        q: usize,
        section: &Section,
        elements: &ElementPart,
        data: &DataPart,
    ) -> Result<Self, PartitionError> {
        expect(section, &[SectionType::Varray])?;
        let sizes = section.size_lines(elements)?;
        let none = Count::ZERO;
        let contradicts = elements.count() == none && data.length() > 0
            || elements.first() == none && data.before() > 0
            || elements.reaches_end() && !data.reaches_end();
        if contradicts {
            return Err(PartitionError::Contradiction);
        }
        Self::new(q, section, sizes, data)
    }

    /// The part of process `q` in an inline section or a block. Process `root` has all of its data.
    ///
    /// # Errors
    /// [`PartitionError::OtherType`], [`PartitionError::TooLong`].
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{Count, RankExtent, Section, SectionType};
    ///
    /// let section = Section { offset: 128, section_type: SectionType::Block, n: Count::default(), e: 3.into() };
    /// let own = RankExtent::whole(0, &section, 0)?;
    /// assert_eq!((own.section(), own.total(), own.next_offset()), (&section, 3, 256));
    /// assert_eq!((own.head().length(), own.data().offset(), own.padding().length()), (96, 224, 29));
    /// assert!(own.sizes().is_empty());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn whole(q: usize, section: &Section, root: usize) -> Result<Self, PartitionError> {
        expect(section, &[SectionType::Inline, SectionType::Block])?;
        let total = section.data_length().ok_or(PartitionError::TooLong)?;
        let data = DataPart::new(0, if q == root { total } else { 0 }, total)?;
        Self::new(q, section, section.data_window(0, 0)?, &data)
    }

    fn new(q: usize, section: &Section, sizes: Window, data: &DataPart) -> Result<Self, PartitionError> {
        let total = data.total();
        let has_last = data.length() > 0 && data.reaches_end();
        // The padding depends on the last byte of data, so the process that has it writes the padding.
        let pads = has_last || total == 0 && q == 0;
        Ok(Self {
            section: *section,
            head: section.head_window()?.owned(q == 0),
            sizes,
            data: section.data_window(data.before(), data.length())?,
            padding: section.padding_window(total)?.owned(pads),
            total,
            next_offset: section.next_offset(total).ok_or(PartitionError::TooLong)?,
        })
    }

    /// The whole section.
    #[must_use]
    pub const fn section(&self) -> &Section {
        &self.section
    }

    /// Header and counts; empty except for process 0.
    #[must_use]
    pub const fn head(&self) -> Window {
        self.head
    }

    /// The `E` lines of the process's elements, 32 bytes each: empty except in a variable array.
    #[must_use]
    pub const fn sizes(&self) -> Window {
        self.sizes
    }

    /// The data of the process.
    #[must_use]
    pub const fn data(&self) -> Window {
        self.data
    }

    /// The padding after all data: empty except for its owner.
    #[must_use]
    pub const fn padding(&self) -> Window {
        self.padding
    }

    /// `S`: the number of bytes of data of all processes.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.total
    }

    /// Absolute offset of the next section.
    #[must_use]
    pub const fn next_offset(&self) -> u64 {
        self.next_offset
    }
}

fn expect(section: &Section, types: &[SectionType]) -> Result<(), PartitionError> {
    let section_type = section.section_type;
    if types.contains(&section_type) { Ok(()) } else { Err(PartitionError::OtherType { section_type }) }
}

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

    /// True if the window is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub(super) const EMPTY: Self = Self { offset: 0, length: 0 };

    /// Whole size lines in it.
    pub(super) const fn lines(self) -> u64 {
        const LINE: u64 = COUNT_LEN as u64;
        self.length / LINE
    }

    /// This window for its owner; for other processes an empty window at the same offset.
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

    /// First letter of the [`Section::size_lines`].
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
    /// The errors of [`Section::size_lines`].
    pub fn new(section: &Section, elements: &ElementPart) -> Result<Self, PartitionError> {
        let window = section.size_lines(elements)?;
        let letter = section.line_letter()?;
        Ok(Self { section: *section, letter, window, left: window.lines(), sum: 0 })
    }

    /// The same lines after elements whose sizes add up to `before` (`B_q`). Size lines that are read again in this way
    /// show which of them makes the sum of all sizes too large.
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{ElementPart, Section, SectionType, SizeLines};
    ///
    /// let section =
    ///     Section { offset: 128, section_type: SectionType::Varray, n: 3.into(), e: 0.into() };
    /// let own = ElementPart::new(1.into(), 2.into(), section.n)?;
    /// let mut lines = SizeLines::new(&section, &own)?.after(u64::MAX - 1000);
    /// assert_eq!(lines.size(b"E 5 ---------------------------\n")?, 5);
    /// assert_eq!(lines.size(b"E 700 -------------------------\n").map_err(|error| error.at), Err(288));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn after(self, before: u64) -> Self {
        Self { sum: before, ..self }
    }

    /// All lines, also if they have been read.
    #[must_use]
    pub const fn window(&self) -> Window {
        self.window
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
        // The data of a variable array must be addressable. Sizes before compression describe bytes of no file.
        if self.section.section_type == SectionType::Varray && self.section.next_offset(sum).is_none() {
            return Err(too_long);
        }
        (self.left, self.sum) = (left, sum);
        Ok(size)
    }

    /// First letter of the lines.
    pub(super) const fn letter(&self) -> Letter {
        self.letter
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
