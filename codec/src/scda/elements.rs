//! Splits data that are not compressed into elements.

use super::count::Count;
use super::section::{Section, SectionType};
use crate::bytes::prefix;
use crate::counter::{Counter as _, at_most};
use crate::messages::messages;

/// A piece of an element, borrowed from the input: all of it, or the part that the current bytes contain.
///
/// # Example
/// The example of [`Elements`](super::Elements) receives such pieces.
///
/// # Example
/// ```
/// use linkstream::scda::ElementPiece;
///
/// let piece = ElementPiece { index: 0, size: 5, offset: 3, bytes: b"lo" };
/// assert!(piece.is_complete());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ElementPiece<'a> {
    /// Number of the element in its section, from 0.
    pub index: u64,
    /// Size of the whole element in bytes.
    pub size: u64,
    /// Number of its bytes before this piece.
    pub offset: u64,
    /// The bytes of the piece.
    pub bytes: &'a [u8],
}

impl ElementPiece<'_> {
    /// Whether the element is complete with this piece.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        // The fields are public: their sum need not fit.
        self.offset.saturating_add(self.bytes.len() as u64) == self.size
    }
}

messages! {
    /// Errors of splitting data into elements.
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{Elements, ElementsError, Section, SectionType};
    /// use linkstream::scda::Count;
    ///
    /// let section =
    ///     Section { offset: 128, section_type: SectionType::Varray, n: Count::from(3), e: Count::default() };
    /// let refused = Elements::new(&mut [0; 2]).begin(&section);
    /// assert_eq!(refused, Err(ElementsError::TableTooSmall { needed: Count::from(3) }));
    /// ```
    pub enum ElementsError {
        /// The table does not hold the sizes of all elements of a variable array.
        TableTooSmall {
            /// Number of elements of the array.
            needed: Count,
        } => ("the table of sizes is too short: the array has {needed} elements"),
    }
}

/// Splits data, which arrive in chunks of any size, into elements. The sizes of a variable array, which all precede
/// its data, are kept in a table provided by the caller; other sections need none. An empty element produces no
/// piece.
///
/// ```
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
/// # encoder.data(b"onethree")?;
/// # file.extend_from_slice(b"onethree");
/// # file.extend_from_slice(encoder.end()?);
/// let mut decoder = Decoder::new(Mode::Lenient);
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
///         Some(Event::Size(size)) => elements.size(size),
///         Some(Event::Data) => elements.feed(bytes, |piece| words.push((piece.index, piece.bytes.to_vec()))),
///         Some(_) => {}
///         None => break,
///     }
/// }
/// assert_eq!(words, [(0, b"one".to_vec()), (2, b"three".to_vec())]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Elements<'t> {
    table: &'t mut [u64],
    /// Sizes in the table.
    filled: usize,
    /// Bytes of every element, but of a variable array.
    uniform: Option<u64>,
    index: u64,
    offset: u64,
}

impl<'t> Elements<'t> {
    /// A splitter with this table for the sizes of variable arrays. It can be empty if no variable array is read.
    #[must_use]
    pub const fn new(table: &'t mut [u64]) -> Self {
        Self { table, filled: 0, uniform: Some(0), index: 0, offset: 0 }
    }

    /// Begins a section.
    ///
    /// # Errors
    /// The table is too short. Sizes and data that are passed nevertheless are ignored.
    pub fn begin(&mut self, section: &Section) -> Result<(), ElementsError> {
        (self.filled, self.index, self.offset) = (0, 0, 0);
        self.uniform = match section.section_type {
            SectionType::Varray => None,
            // An element that 64 bits cannot count belongs to an array without any.
            SectionType::Array => Some(section.e.to_u64().unwrap_or(0)),
            _ => section.data_length(),
        };
        let needed = section.n;
        if self.uniform.is_none() && needed.to_u64().is_none_or(|n| n > self.table.len() as u64) {
            self.uniform = Some(0);
            return Err(ElementsError::TableTooSmall { needed });
        }
        Ok(())
    }

    /// Takes the size in bytes of the next element of a variable array.
    pub fn size(&mut self, size: u64) {
        if self.uniform.is_none()
            && let Some(place) = self.table.get_mut(self.filled)
        {
            *place = size;
            self.filled.increase(1);
        }
    }

    /// The sizes of the current variable array that have been passed to [`size`](Self::size).
    #[must_use]
    pub fn sizes(&self) -> &[u64] {
        prefix(self.table, self.filled)
    }

    /// Takes the next bytes of data, and passes the piece of each element in them to `each`.
    pub fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(ElementPiece<'_>)) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let Some(size) = self.present_size() else { return };
            let n = at_most(size.minus(self.offset), rest.len());
            let (piece, after) = rest.split_at_checked(n).unwrap_or((rest, &[]));
            rest = after;
            if !piece.is_empty() {
                each(ElementPiece { index: self.index, size, offset: self.offset, bytes: piece });
            }
            self.offset.increase(n as u64);
            if self.offset == size {
                self.index.increase(1);
                self.offset = 0;
            }
        }
    }

    /// Bytes of the element that the next byte belongs to, or of an empty one before it. `None`: it belongs to
    /// none.
    fn present_size(&self) -> Option<u64> {
        match self.uniform {
            Some(size) => (size > 0).then_some(size),
            None => self.sizes().get(usize::try_from(self.index).ok()?).copied(),
        }
    }
}
