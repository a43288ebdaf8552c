//! The parts of a section that one process reads or writes, and the window of its data.

use linkstream::scda::{COUNT_LEN, Count, Section, SectionType};

use super::partition::{DataPart, ElementPart, PartitionError};

/// All windows of process q onto a section. If every process of a partition writes its windows, the file is the same as
/// one written by a single process.
///
/// Process 0 has the header. The padding depends on the last byte of data, and belongs to the process that has this
/// byte: the highest one with `S_q` > 0, or process 0 if there are no data. The corresponding windows of the other
/// processes are empty.
///
/// Sizes 3, 0, 7, 1 and 0 at offset 128, of three processes that have 2, 0 and 3 elements:
/// ```
/// use linkstream::scda::{Section, SectionType};
/// use linkstream_parallel::scda::parts::{DataPart, ElementPart, PartitionError, RankExtent, Window};
///
/// let section =
///     Section::new(128, SectionType::Varray, 5.into(), 0.into());
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
/// # Ok::<(), PartitionError>(())
/// ```
///
/// A compressed array is preceded by an inline section, a compressed variable array by an array whose data are `U`
/// lines of 32 bytes. The second section begins at the [`next_offset`](Self::next_offset) of the first; its elements
/// are the texts that the processes have encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
        has_all(elements, section.n)?;
        let total = section.data_length().ok_or(PartitionError::TooLong)?;
        let bytes = |count: Count| {
            let bytes = count.get().checked_mul(section.e.get());
            bytes.and_then(|bytes| u64::try_from(bytes).ok()).ok_or(PartitionError::TooLong)
        };
        let data = DataPart::new(bytes(elements.first())?, bytes(elements.count())?, total)?;
        Self::new(q, section, Window::new(start_of_data(section)?, 0).ok_or(PartitionError::TooLong)?, &data)
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
        let sizes = size_lines(section, elements)?;
        let none = Count::default();
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
    /// use linkstream::scda::{Count, Section, SectionType};
    /// use linkstream_parallel::scda::parts::RankExtent;
    ///
    /// let section = Section::new(128, SectionType::Block, Count::default(), 3.into());
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
        Self::new(q, section, Window::new(start_of_data(section)?, 0).ok_or(PartitionError::TooLong)?, &data)
    }

    fn new(q: usize, section: &Section, sizes: Window, data: &DataPart) -> Result<Self, PartitionError> {
        let total = data.total();
        let has_last = data.length() > 0 && data.reaches_end();
        // The padding depends on the last byte of data, so the process that has it writes the padding.
        let pads = has_last || total == 0 && q == 0;
        let start = start_of_data(section)?;
        let next_offset = section.next_offset(total).ok_or(PartitionError::TooLong)?;
        // All of the section ends at `next_offset`, so its parts can be addressed.
        let part = |offset, length, is_ours| Window { offset, length: if is_ours { length } else { 0 } };
        Ok(Self {
            section: *section,
            head: part(section.offset, section.section_type.head_length(), q == 0),
            sizes,
            data: part(start + data.before(), data.length(), true),
            padding: part(start + total, section.padding(total).into(), pads),
            total,
            next_offset,
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
/// use linkstream_parallel::scda::parts::Window;
///
/// let window = Window::new(128, 96).ok_or("beyond 64 bits")?;
/// assert_eq!((window.offset(), window.length(), window.end(), window.is_empty()), (128, 96, 224, false));
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
        self.offset + self.length
    }

    /// True if the window is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub(super) const EMPTY: Self = Self { offset: 0, length: 0 };
}

/// The window of the lines of these elements, in a list of lines for all elements that begins at `start`.
pub(super) fn lines_of(start: Option<u64>, elements: &ElementPart) -> Result<Window, PartitionError> {
    let bytes = |count: Count| count.to_u64().and_then(|n| n.checked_mul(COUNT_LEN as u64));
    let window = || {
        let all = bytes(elements.total())?;
        Window::new(start?, all)?;
        Window::new(start?.checked_add(bytes(elements.first())?)?, bytes(elements.count())?)
    };
    window().ok_or(PartitionError::TooLong)
}

/// The window of the `E` lines of these elements of a variable array.
pub(super) fn size_lines(section: &Section, elements: &ElementPart) -> Result<Window, PartitionError> {
    expect(section, &[SectionType::Varray])?;
    has_all(elements, section.n)?;
    lines_of(section.offset.checked_add(section.section_type.head_length()), elements)
}

pub(super) fn has_all(elements: &ElementPart, n: Count) -> Result<(), PartitionError> {
    let part = elements.total();
    if part == n { Ok(()) } else { Err(PartitionError::OtherTotal { part, section: n }) }
}

fn start_of_data(section: &Section) -> Result<u64, PartitionError> {
    section.data_offset().ok_or(PartitionError::TooLong)
}
