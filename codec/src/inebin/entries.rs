//! The data of a matrix as numbers or as rows, passed to a callback.

use core::iter::FusedIterator;
use core::marker::PhantomData;

use super::error::EncodeErrorKind;
use super::header::Header;
use super::value::Value;
use crate::bytes::{copy, part, prefix, prefix_mut, suffix, suffix_mut};
use crate::counter::{Counter as _, at_most, plus};
use crate::messages::messages;
use crate::state::{self, LoadError, Put, Resumable, Saved, State, Take, resumable, saved};

/// Position of the next entry, and its bytes so far if the input has cut it.
///
/// # Invariants
/// `left` entries are left from `row` and `column` on. `filled` is less than the size of an entry in bytes, and 0 for
/// booleans. `first_bit` is 0 except for booleans: then it is the bit of the next entry, whose byte is fed once more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cursor {
    header: Header,
    /// Row of the next entry.
    row: u32,
    /// Column of the next entry.
    pub(crate) column: u32,
    /// Number of entries that are left.
    pub(crate) left: u64,
    /// Number of low bits of the next byte that belong to earlier entries.
    pub(crate) first_bit: u8,
    pieces: [u8; 16],
    /// Number of bytes of the next entry in `pieces`.
    filled: u8,
}

saved!(struct Cursor { header, row, column, left, first_bit, pieces, filled });

impl Cursor {
    pub(crate) fn at(header: &Header, row: u32, column: u32) -> Option<Self> {
        let place = header.place(row, column)?;
        let before =
            u64::from(row).checked_mul(u64::from(header.columns()))?.checked_add(u64::from(column))?;
        let left = header.entry_count().checked_sub(before)?;
        Some(Self { row, column, left, first_bit: place.bit, ..Self::start(header) })
    }

    pub(crate) const fn start(header: &Header) -> Self {
        let left = header.entry_count();
        Self { header: *header, row: 0, column: 0, left, first_bit: 0, pieces: [0; 16], filled: 0 }
    }

    /// After the first `consumed` bytes of data. If they end inside an entry, its bytes so far are not known, and it must
    /// not be used.
    pub(crate) fn after(header: &Header, consumed: u64) -> Self {
        let (index, columns) = (header.entries_in(consumed), u64::from(header.columns()));
        let row = index.checked_div(columns).and_then(|row| u32::try_from(row).ok());
        let column = index.checked_rem(columns).and_then(|column| u32::try_from(column).ok());
        let here = row.zip(column).and_then(|(row, column)| Self::at(header, row, column));
        let size = u64::from(header.matrix_type().bits() >> 3);
        // An entry has at most 16 bytes. Booleans have a size of 0 here: none is cut.
        let filled = consumed.checked_rem(size).map_or(0, |filled| filled as u8);
        here.map_or(Self { left: 0, ..Self::start(header) }, |here| Self { filled, first_bit: 0, ..here })
    }

    /// True if the bytes so far end inside the next entry.
    pub(crate) const fn is_inside_entry(&self) -> bool {
        self.filled > 0
    }

    /// Number of bytes of data that complete the next `entries` entries.
    pub(crate) fn bytes_of(&self, entries: usize) -> usize {
        let bits = usize::from(self.header.matrix_type().bits());
        let bytes = entries.saturating_mul(bits).saturating_add(usize::from(self.first_bit)).div_ceil(8);
        bytes.saturating_sub(usize::from(self.filled))
    }

    /// Number of entries, at most all that are left, that lie completely in `bytes`.
    fn whole_in(&self, bytes: &[u8], bits: u8) -> u64 {
        // Without bytes there are no bits to skip: the difference saturates at 0.
        let there = (bytes.len() as u64).times(8).saturating_sub(u64::from(self.first_bit));
        there.checked_div(u64::from(bits)).unwrap_or(0).min(self.left)
    }

    /// Number of data bytes that have not been fed. An entry has `size` bytes, or is a bit if `size` is 0.
    fn bytes_left(&self, size: usize) -> u64 {
        match size {
            0 => self.left.plus(u64::from(self.first_bit)).div_ceil(8),
            _ => self.left.times(size as u64).minus(u64::from(self.filled)),
        }
    }

    /// Number of missing bytes of the next entry, which has `size` bytes.
    fn missing_bytes(&self, size: usize) -> usize {
        size.minus(usize::from(self.filled))
    }

    /// Passes on `count` entries, row by row.
    fn deliver_entries<T: Value>(&mut self, bytes: &[u8], mut count: u64, each: &mut impl FnMut(Run<'_, T>)) {
        let bits = u64::from(T::TYPE.bits());
        // Place of the next entry, in bits from the front of `bytes`.
        let mut bit = u64::from(self.first_bit);
        if count > 0 {
            self.first_bit = 0;
        }
        while count > 0 {
            // A run ends with its row.
            let in_row = u64::from(self.header.columns().minus(self.column));
            let n = in_row.min(count);
            if n == 0 {
                return;
            }
            let end = bit.plus(n.times(bits));
            let from = at_most(bit >> 3, bytes.len());
            let to = at_most(end.div_ceil(8), bytes.len());
            each(Run {
                row: self.row,
                column: self.column,
                bytes: part(bytes, from..to),
                place: if bits == 1 { bit & 7 } else { 0 },
                length: n,
                values: PhantomData,
            });
            bit = end;
            count.take_away(n);
            self.left.take_away(n);
            // Not more than the columns that are left of the row.
            self.column.increase(n as u32);
            if self.column == self.header.columns() {
                self.column = 0;
                self.row.increase(1);
            }
        }
        if self.left > 0 && bits == 1 {
            // Other entries of the last byte are left, if not all of them were wanted.
            self.first_bit = (bit & 7) as u8;
        }
    }

    /// Takes the next bytes of data, and passes the entries that become complete to `each`, at most `most`. The bytes are
    /// no more than `most` entries need, and than the matrix has left.
    pub(crate) fn feed<T: Value>(&mut self, bytes: &[u8], most: u64, each: &mut impl FnMut(Run<'_, T>)) {
        let bits = T::TYPE.bits();
        let size = usize::from(bits >> 3);
        let (mut rest, mut most) = (bytes, most);
        if self.filled > 0 {
            let (piece, after) = rest.split_at_checked(self.missing_bytes(size)).unwrap_or((rest, &[]));
            self.keep(piece);
            rest = after;
            if self.missing_bytes(size) > 0 {
                return;
            }
            let pieces = self.pieces;
            self.filled = 0;
            self.deliver_entries(prefix(&pieces, size), 1, each);
            most.take_away(1);
        }
        // The entries that are complete in `rest`; what follows them is the beginning of one, and is kept.
        let whole = self.whole_in(rest, bits).min(most);
        self.deliver_entries(rest, whole, each);
        if self.left > 0 && size > 0 {
            self.keep(suffix(rest, at_most(whole, rest.len()).times(size)));
        }
    }

    fn keep(&mut self, piece: &[u8]) {
        let n = copy(suffix_mut(&mut self.pieces, usize::from(self.filled)), piece);
        self.filled.increase(n as u8);
    }

    fn is_consistent(&self) -> bool {
        if !self.header.is_consistent() {
            return false;
        }
        let size = self.header.matrix_type().bits() >> 3;
        let same_place = match Self::at(&self.header, self.row, self.column) {
            // Data are fed in complete bytes, so only the first entry can follow others in its byte.
            Some(here) => here.left == self.left && here.first_bit == self.first_bit,
            None => self.left == 0 && self.first_bit == 0 && self.filled == 0,
        };
        same_place && self.filled < size.max(1)
    }
}

messages! {
    /// Errors of converting data to entries or rows.
    ///
    /// # Example
    /// ```
    /// use linkstream::inebin::{EntriesError, Header, MatrixType, Rows};
    ///
    /// let mut row = [false; 5];
    /// let mut rows = Rows::new(&Header::new(MatrixType::Boolean, 3, 5)?, &mut row)?;
    /// // 15 entries take 2 bytes.
    /// assert_eq!(rows.feed(&[0x99, 0x21, 0], |_, _| {}), Err(EntriesError::TooManyBytes));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub enum EntriesError {
        /// More bytes than the matrix has left.
        TooManyBytes => ("more bytes are fed than the matrix has"),
        /// The matrix holds values of another type than the rows.
        Type(kind: EncodeErrorKind) => (..kind),
        /// A row does not fit into the buffer.
        BufferTooSmall {
            /// Number of entries of a row.
            needed: u32,
        } => ("the row buffer is too short: a row of this matrix has {needed} entries"),
    }
}

/// Converts data, which arrive in chunks of any size, to values. `T` is `bool`, `i64`, `f64` or
/// [`Complex`](super::Complex).
///
/// ```
/// use linkstream::inebin::{Entries, EntriesError, Header, MatrixType};
///
/// let header = Header::new(MatrixType::Integer, 2, 2)?;
/// let data: Vec<u8> = (1..=4_i64).flat_map(i64::to_le_bytes).collect();
/// let mut entries = Entries::<i64>::new(&header)?;
/// let mut seen = Vec::new();
/// for piece in data.chunks(13) {
///     entries.feed(piece, |run| {
///         let columns = run.column..;
///         seen.extend(run.values().zip(columns).map(|(value, column)| (run.row, column, value)));
///     })?;
/// }
/// assert_eq!(seen, [(0, 0, 1), (0, 1, 2), (1, 0, 3), (1, 1, 4)]);
/// // The matrix is complete.
/// assert_eq!(entries.feed(&[0], |_| {}), Err(EntriesError::TooManyBytes));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entries<T> {
    cursor: Cursor,
    values: PhantomData<T>,
}

impl<T: Value> Saved for Entries<T> {
    const SIZE: usize = Cursor::SIZE;
    fn put(&self, to: &mut Put<'_>) {
        to.put(&self.cursor);
    }
    fn take(from: &mut Take<'_>) -> Option<Self> {
        Some(Self { cursor: from.take()?, values: PhantomData })
    }
}

resumable!(Entries<T: Value> as Cursor, 5);

impl<T: Value> Entries<T> {
    /// A converter for the data of a matrix from their first byte.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TypeMismatch`]: the matrix holds values of another type.
    pub fn new(header: &Header) -> Result<Self, EncodeErrorKind> {
        Self::of(Cursor::start(header))
    }

    /// A converter for the data from the byte on that contains the beginning of the entry in `row` and `column`; see
    /// [`Header::place`]. `None` if the matrix has no such entry.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TypeMismatch`].
    ///
    /// # Example
    /// ```
    /// use linkstream::Resumable;
    /// use linkstream::inebin::{Entries, Header, MatrixType};
    ///
    /// let header = Header::new(MatrixType::Integer, 2, 3)?;
    /// let entries = Entries::<i64>::at(&header, 1, 1)?.ok_or("outside the matrix")?;
    /// assert_eq!(entries.left(), 2);
    ///
    /// // Continue elsewhere: the state is a few bytes.
    /// let mut entries = Entries::<i64>::load(&entries.save())?;
    /// let mut value = [0];
    /// entries.feed(&7_i64.to_le_bytes(), |run| {
    ///     assert_eq!((run.row, run.column, run.len()), (1, 1, 1));
    ///     assert_eq!(run.copy_to(&mut value), 1);
    /// })?;
    /// assert_eq!((value, entries.left()), ([7], 1));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn at(header: &Header, row: u32, column: u32) -> Result<Option<Self>, EncodeErrorKind> {
        Cursor::at(header, row, column).map(Self::of).transpose()
    }

    fn of(cursor: Cursor) -> Result<Self, EncodeErrorKind> {
        let matrix = cursor.header.matrix_type();
        if matrix != T::TYPE {
            return Err(EncodeErrorKind::TypeMismatch { matrix, values: T::TYPE });
        }
        Ok(Self { cursor, values: PhantomData })
    }

    /// Takes the next bytes of data, and passes the entries that become complete to `each`, in runs within a row.
    ///
    /// # Errors
    /// [`EntriesError::TooManyBytes`], and none of the bytes is converted.
    pub fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(Run<'_, T>)) -> Result<(), EntriesError> {
        let size = usize::from(T::TYPE.bits() >> 3);
        let cursor = &mut self.cursor;
        if bytes.len() as u64 > cursor.bytes_left(size) {
            return Err(EntriesError::TooManyBytes);
        }
        cursor.feed(bytes, u64::MAX, &mut each);
        Ok(())
    }

    /// Number of entries that are left.
    #[must_use]
    pub const fn left(&self) -> u64 {
        self.cursor.left
    }
}

impl<T: Value> Resumable for Entries<T> {
    type Saved<S> = S;

    fn save(&self) -> State<Self> {
        state::seal(self)
    }

    fn save_into(&self, to: &mut Self::Bytes) {
        state::seal_into(self, to);
    }

    fn load(saved: &State<Self>) -> Result<Self, LoadError> {
        let Self { cursor, .. } = state::load(saved, |entries: &Self| entries.cursor.is_consistent())?;
        Self::of(cursor).map_err(|_| LoadError::Foreign)
    }
}

/// Consecutive entries of a row, still as bytes.
///
/// # Example
/// ```
/// use linkstream::inebin::{Entries, Header, MatrixType};
///
/// let mut entries = Entries::<bool>::new(&Header::new(MatrixType::Boolean, 2, 3)?)?;
/// let mut runs = Vec::new();
/// entries.feed(&[0b11_0101], |run| runs.push((run.row, run.values().collect::<Vec<_>>())))?;
/// assert_eq!(runs, [(0, vec![true, false, true]), (1, vec![false, true, true])]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Run<'a, T> {
    /// The row, counted from 0.
    pub row: u32,
    /// The column of the first entry, counted from 0.
    pub column: u32,
    bytes: &'a [u8],
    /// Number of entries at the front of `bytes` that do not belong to the run.
    place: u64,
    length: u64,
    values: PhantomData<T>,
}

impl<'a, T: Value> Run<'a, T> {
    /// Number of entries, at least one.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a run is never empty")]
    pub const fn len(&self) -> u64 {
        self.length
    }

    /// The values, from left to right.
    #[must_use]
    pub fn values(&self) -> impl FusedIterator<Item = T> + Clone + use<'a, T> {
        Values {
            bytes: self.bytes,
            place: self.place,
            end: plus(self.place, self.length),
            values: PhantomData,
        }
    }

    /// Copies as many values as fit to the front of `out`, and returns their number. Faster than iterating over
    /// [`values`](Self::values).
    pub fn copy_to(&self, out: &mut [T]) -> usize {
        let n = at_most(self.length, out.len());
        T::copy(self.bytes, self.place, prefix_mut(out, n))
    }
}

/// The values of a run.
#[derive(Debug, Clone)]
struct Values<'a, T> {
    bytes: &'a [u8],
    place: u64,
    end: u64,
    values: PhantomData<T>,
}

impl<T: Value> Iterator for Values<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        if self.place >= self.end {
            return None;
        }
        let value = T::get(self.bytes, self.place);
        self.place.increase(1);
        value
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.end.minus(self.place));
        (left.unwrap_or(usize::MAX), left.ok())
    }
}

impl<T: Value> FusedIterator for Values<'_, T> {}

/// Converts data, which arrive in chunks of any size, to whole rows, in a buffer of the caller that holds one row. A
/// matrix without columns has no data, and produces no rows.
///
/// ```
/// use linkstream::inebin::{Header, MatrixType, Rows};
///
/// let header = Header::new(MatrixType::Boolean, 3, 5)?;
/// let mut buffer = [false; 5];
/// let mut rows = Rows::new(&header, &mut buffer)?;
/// let mut counts = Vec::new();
/// rows.feed(&[0x99, 0x21], |row, values| counts.push((row, values.iter().filter(|bit| **bit).count())))?;
/// assert_eq!(counts, [(0, 3), (1, 2), (2, 1)]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Rows<'b, T> {
    entries: Entries<T>,
    buffer: &'b mut [T],
}

impl<'b, T: Value> Rows<'b, T> {
    /// A converter for the data of a matrix from their first byte.
    ///
    /// # Errors
    /// The buffer is too small, or the values are of another type.
    pub fn new(header: &Header, buffer: &'b mut [T]) -> Result<Self, EntriesError> {
        let entries = Entries::new(header).map_err(EntriesError::Type)?;
        let needed = header.columns();
        let row = usize::try_from(needed).ok().and_then(|needed| buffer.get_mut(..needed));
        Ok(Self { entries, buffer: row.ok_or(EntriesError::BufferTooSmall { needed })? })
    }

    /// Takes the next bytes of data, and passes the number (from 0) and the values of each row that becomes complete
    /// to `each`.
    ///
    /// # Errors
    /// [`EntriesError::TooManyBytes`], and none of the bytes is converted.
    pub fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(u32, &[T])) -> Result<(), EntriesError> {
        let buffer = &mut *self.buffer;
        self.entries.feed(bytes, |run| {
            // `new` has compared the columns with the buffer.
            let room = suffix_mut(buffer, run.column as usize);
            if run.copy_to(room) == room.len() {
                each(run.row, buffer);
            }
        })
    }
}
