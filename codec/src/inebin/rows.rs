//! Handing the data of a matrix to a callback row by row.

use super::entries::{Entries, EntriesError};
use super::error::EncodeErrorKind;
use super::header::Header;
use super::value::Value;
use crate::bytes::suffix_mut;
use crate::messages::messages;

messages! {
    /// Errors of splitting data into rows.
    ///
    /// # Example
    /// ```
    /// use linkstream::inebin::{Header, MatrixType, Rows};
    ///
    /// let header = Header::new(MatrixType::Real, 2, 3)?;
    /// assert!(Rows::<f64>::new(&header, &mut [0.0; 2]).is_err());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub enum RowsError {
        /// The matrix holds values of another type.
        Type(kind: EncodeErrorKind) => (..kind),
        /// A row does not fit into the buffer.
        BufferTooSmall {
            /// Number of entries of a row.
            needed: u32,
        } => ("the row buffer is too short: a row of this matrix has {needed} entries"),
    }
}

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
    pub fn new(header: &Header, buffer: &'b mut [T]) -> Result<Self, RowsError> {
        let entries = Entries::new(header).map_err(RowsError::Type)?;
        let needed = header.columns();
        let row = usize::try_from(needed).ok().and_then(|needed| buffer.get_mut(..needed));
        Ok(Self { entries, buffer: row.ok_or(RowsError::BufferTooSmall { needed })? })
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
            let room = suffix_mut(buffer, run.column() as usize);
            if run.copy_to(room) == room.len() {
                each(run.row(), buffer);
            }
        })
    }
}
