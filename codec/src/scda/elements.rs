//! The sizes of elements, and data that are not compressed split into elements.
//!
//! # Invariants of a splitter
//! | field | holds | changes |
//! |---|---|---|
//! | `filled` | sizes in the table, no more than the section has elements | with each size |
//! | `index`, `offset` | the element of the next byte, and the bytes of it that were passed: fewer than its size, or 0 | with the bytes; an empty element is passed before the byte that follows it |
//! | `left` | bytes that may still be fed: the rest of the data, or of the elements with sizes in the table | up by a size, down by the bytes |

use super::compressed::is_text_length;
use super::count::{COUNT_LEN, Count, CountError, Letter};
use super::error::ErrorKind;
use super::event::Element;
use super::section::{Section, SectionType};
use crate::bytes::{prefix, prefix_mut};
use crate::counter::{Counter as _, at_most};
use crate::error::Error;
use crate::messages::messages;

messages! {
    /// Errors of splitting data into elements.
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{Elements, ElementsError, Section, SectionType};
    /// use linkstream::scda::Count;
    ///
    /// let section = Section::new(128, SectionType::Varray, Count::from(3), Count::default());
    /// let refused = Elements::new(&mut [0; 2]).begin(&section);
    /// assert_eq!(refused, Err(ElementsError::TableTooSmall { needed: Count::from(3) }));
    /// ```
    pub enum ElementsError {
        /// The table does not hold the sizes of all elements of a variable array.
        TableTooSmall {
            /// Number of elements of the array.
            needed: Count,
        } => ("the table of sizes is too short: the array has {needed} elements"),
        /// The data of the section, or the sizes of its elements, are more bytes than 64 bits can count.
        SizeOverflow => ("the elements are longer in total than the largest 64-bit number"),
        /// [`Elements::begin`] has not been called for the section, or has refused it.
        NotBegun => ("`begin` must be called for the section before its sizes and data are passed on"),
        /// More sizes than the section has elements. Only a variable array has a size for each element.
        TooManySizes => ("more element sizes are passed on than the section has"),
        /// More bytes than the section has data, or than the sizes passed on so far.
        TooManyBytes => ("more bytes are fed than the section has"),
    }
}

impl Section {
    /// The size in bytes of one of its elements, from the line at the absolute offset `at`: of the element or its text in
    /// lines with the letter [`E`](Letter::E), before compression in lines with the letter [`U`](Letter::U).
    ///
    /// # Errors
    /// The line is not a count entry, or no text of a compressed element can have this size.
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{Letter, Section, SectionType};
    ///
    /// let section = Section::new(128, SectionType::Varray, 1.into(), 0.into());
    /// assert_eq!(section.size_in(b"E 29 --------------------------\n", Letter::E, 224), Ok(29));
    /// let error = section.size_in(b"E 029 -------------------------\n", Letter::E, 224).err();
    /// assert_eq!(error.map(|error| error.at), Some(226));
    /// ```
    pub fn size_in(&self, line: &[u8; COUNT_LEN], letter: Letter, at: u64) -> Result<u64, Error<ErrorKind>> {
        let count = Count::parse(letter, line).map_err(|(within, error)| {
            let is_before = letter == Letter::U;
            let kind = if is_before { ErrorKind::Uncompressed(error) } else { error.into() };
            Error::new(at.plus(within), kind)
        })?;
        let Some(size) = count.to_u64() else {
            let is_before = letter == Letter::U;
            let too_long = ErrorKind::TooLong { count };
            let kind = if is_before { ErrorKind::Uncompressed(CountError::TooLong) } else { too_long };
            return Err(Error::new(at, kind));
        };
        if letter == Letter::E && self.is_compressed() && !is_text_length(size) {
            return Err(Error::new(at, ErrorKind::TextLength { found: count }));
        }
        Ok(size)
    }
}

/// Splits data, which arrive in chunks of any size, into elements. The sizes of a variable array, which all precede
/// its data, are kept in a table provided by the caller; other sections need none. A call that returns an error
/// changes nothing.
///
/// An empty element of a variable array is an empty part, as is the data of an empty block; an array whose elements
/// have 0 bytes has no parts. If a section has no bytes, no data are reported: [`feed`](Self::feed) an empty slice at
/// the end of each section.
///
/// ```
/// use linkstream::Encode;
/// use linkstream::scda::{Decoder, Elements, Encoder, Event, Style};
/// use linkstream::{Decode, Mode};
///
/// # let mut file = Vec::new();
/// # let mut encoder = Encoder::new(Style::Unix);
/// # file.extend_from_slice(encoder.header(b"", b"")?);
/// # file.extend_from_slice(encoder.varray(b"words", 3.into())?);
/// # for size in [3, 0, 5] {
/// #     file.extend_from_slice(&encoder.size(size)?);
/// # }
/// # encoder.put(b"onethree")?;
/// # file.extend_from_slice(b"onethree");
/// # file.extend_from_slice(encoder.end()?);
/// let mut decoder = Decoder::new(Mode::Lenient, true);
/// let mut table = [0; 10];
/// let mut elements = Elements::new(&mut table);
/// let mut words = Vec::new();
/// let mut rest = &file[..];
/// loop {
///     let step = decoder.push(rest)?;
///     let (bytes, after) = rest.split_at(step.consumed);
///     rest = after;
///     match step.event {
///         Some(Event::Section(section)) => elements.begin(&section)?,
///         Some(Event::Size(size)) => elements.size(size)?,
///         Some(Event::Data) => elements.feed(bytes, |part, bytes| words.push((part.index, bytes.to_vec())))?,
///         Some(Event::End) => elements.feed(&[], |part, bytes| words.push((part.index, bytes.to_vec())))?,
///         Some(_) => {}
///         None => break,
///     }
/// }
/// assert_eq!(words, [(0, b"one".to_vec()), (1, b"".to_vec()), (2, b"three".to_vec())]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Elements<'t> {
    table: &'t mut [u64],
    /// Sizes in the table.
    filled: usize,
    /// Source of the element sizes of the section that was begun, if one was.
    sizes: Option<Sizes>,
    index: u64,
    offset: u64,
    /// Bytes of data that may still be fed. In a variable array they are limited by the sizes in the table.
    left: u64,
}

/// Source of the element sizes of a section.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Sizes {
    /// All elements have this size.
    Fixed {
        size: u64,
        /// Number of elements.
        n: u64,
    },
    /// The sizes are in a table, which has room for this number of them.
    Table(usize),
}

impl Sizes {
    /// The sizes of a section as it is stored. Sizes of a variable array come into a table, which has `room` for so many.
    pub(crate) fn of(section: &Section, room: usize) -> Result<Self, ElementsError> {
        let stored = section.stored;
        if stored.section_type == SectionType::Varray {
            let needed = stored.n;
            let n = needed.to_u64().and_then(|n| usize::try_from(n).ok()).filter(|n| *n <= room);
            return n.map(Self::Table).ok_or(ElementsError::TableTooSmall { needed });
        }
        let length = stored.data_length().ok_or(ElementsError::SizeOverflow)?;
        Ok(match stored.section_type {
            // A size or a number beyond 64 bits is possible only if the other one is 0. There can be any number of
            // elements without bytes: they are not counted through.
            SectionType::Array => {
                let size = stored.e.to_u64().unwrap_or(0);
                Self::Fixed { size, n: if size == 0 { 0 } else { stored.n.to_u64().unwrap_or(0) } }
            }
            section_type => Self::Fixed { size: length, n: u64::from(section_type != SectionType::Header) },
        })
    }

    /// Size of element `index` in bytes; `None` after the last one whose size is known. `table` has the sizes of a
    /// variable array so far.
    pub(crate) fn at(self, index: u64, table: &[u64]) -> Option<u64> {
        match self {
            Self::Fixed { size, n } => (index < n).then_some(size),
            Self::Table(n) => {
                let place = usize::try_from(index).ok().filter(|place| *place < n)?;
                table.get(place).copied()
            }
        }
    }
}

impl<'t> Elements<'t> {
    /// A splitter with this table for the sizes of variable arrays. It can be empty if no variable array is read.
    #[must_use]
    pub const fn new(table: &'t mut [u64]) -> Self {
        Self { table, filled: 0, sizes: None, index: 0, offset: 0, left: 0 }
    }

    /// Begins a section. The elements of a compressed one are its texts.
    ///
    /// # Errors
    /// [`ElementsError::TableTooSmall`], [`ElementsError::SizeOverflow`]. No section is begun then: sizes and data
    /// are refused until the next call.
    pub fn begin(&mut self, section: &Section) -> Result<(), ElementsError> {
        (self.filled, self.index, self.offset, self.left) = (0, 0, 0, 0);
        self.sizes = None;
        let sizes = Sizes::of(section, self.table.len())?;
        if let Sizes::Fixed { .. } = sizes {
            self.left = section.data_length().unwrap_or(0);
        }
        self.sizes = Some(sizes);
        Ok(())
    }

    /// Takes the size in bytes of the next element of a variable array.
    ///
    /// # Errors
    /// [`ElementsError::NotBegun`], [`ElementsError::TooManySizes`], [`ElementsError::SizeOverflow`].
    pub fn size(&mut self, size: u64) -> Result<(), ElementsError> {
        let room = match self.sizes.ok_or(ElementsError::NotBegun)? {
            Sizes::Fixed { .. } => 0,
            Sizes::Table(n) => n,
        };
        let place = prefix_mut(self.table, room).get_mut(self.filled).ok_or(ElementsError::TooManySizes)?;
        self.left = self.left.checked_add(size).ok_or(ElementsError::SizeOverflow)?;
        *place = size;
        self.filled.increase(1);
        Ok(())
    }

    /// The sizes of the current variable array that have been passed to [`size`](Self::size).
    #[must_use]
    pub fn sizes(&self) -> &[u64] {
        prefix(self.table, self.filled)
    }

    /// Takes the next bytes of data, and passes each part of an element in them, with its bytes, and each empty element
    /// before and after them, to `each`.
    ///
    /// # Errors
    /// [`ElementsError::NotBegun`]; [`ElementsError::TooManyBytes`], and none of the bytes is passed on.
    ///
    /// ```
    /// use linkstream::scda::{Elements, ElementsError, Section, SectionType};
    ///
    /// let section = Section::new(128, SectionType::Array, 2.into(), 3.into());
    /// let mut elements = Elements::new(&mut []);
    /// elements.begin(&section)?;
    /// elements.feed(b"abcde", |_, _| {})?;
    /// assert_eq!(elements.feed(b"f?", |_, _| {}), Err(ElementsError::TooManyBytes));
    /// elements.feed(b"f", |part, _| assert!(part.index == 1 && part.is_complete()))?;
    /// # Ok::<(), ElementsError>(())
    /// ```
    pub fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(Element, &[u8])) -> Result<(), ElementsError> {
        let sizes = self.sizes.ok_or(ElementsError::NotBegun)?;
        self.left = self.left.checked_sub(bytes.len() as u64).ok_or(ElementsError::TooManyBytes)?;
        let mut rest = bytes;
        // The size of the element that the next byte belongs to, or of an empty element before it.
        while let Some(size) = sizes.at(self.index, self.sizes()) {
            let n = at_most(size.minus(self.offset), rest.len());
            // Only an empty element is passed without bytes. This one waits for some.
            if n == 0 && size > 0 {
                break;
            }
            let (part, after) = rest.split_at_checked(n).unwrap_or((rest, &[]));
            rest = after;
            each(Element { index: self.index, size, offset: self.offset, length: n }, part);
            self.offset.increase(n as u64);
            if self.offset == size {
                self.index.increase(1);
                self.offset = 0;
            }
        }
        Ok(())
    }
}
