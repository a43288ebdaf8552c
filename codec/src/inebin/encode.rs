//! Writing: the counterpart of the decoder.

use super::error::EncodeErrorKind;
use super::header::{HEADER_LEN, Header};
use super::value::{Bits, MatrixType, Value};
use crate::bytes::{copy, part, suffix_mut};
use crate::counter::{Counter as _, at_most, minus};
use crate::encode::Encode;
use crate::state::{saved, saved_encoder};

/// Converts the values of a matrix to bytes, in buffers of any size, and checks that the matrix is written
/// completely.
///
/// The caller writes [`Header::to_bytes`], and then the bytes that [`encode`](Self::encode) returns, or its own
/// bytes, which it passes to [`put`](Self::put). A call that returns an error changes nothing, except that one value
/// in excess may have been taken from the iterator.
///
/// ```
/// use linkstream::Encode;
/// use linkstream::inebin::{Encoder, Header, MatrixType};
///
/// let header = Header::new(MatrixType::Boolean, 3, 5)?;
/// let mut file = header.to_bytes().to_vec();
/// let mut encoder = Encoder::new(&header);
/// let mut values = "100110011000010".chars().map(|digit| digit == '1');
/// let mut buffer = [0; 512];
/// loop {
///     let n = encoder.encode(&mut values, &mut buffer)?;
///     if n == 0 {
///         break;
///     }
///     file.extend_from_slice(&buffer[..n]);
/// }
/// encoder.finish()?;
/// assert_eq!(file[16..], [0x99, 0x21]);
/// # Ok::<(), linkstream::inebin::EncodeErrorKind>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoder {
    header: Header,
    /// Entries not taken yet.
    left: u64,
    bits: Bits,
    /// Bytes of the entry taken last, if they did not fit into the output.
    cut: [u8; 16],
    /// Number of its bytes that are still to be written.
    cut_left: u8,
    position: u64,
}

saved!(struct Encoder { header, left, bits, cut, cut_left, position });
saved_encoder!(Encoder, 6);

impl Encoder {
    /// An encoder for a matrix of this type and shape.
    #[must_use]
    pub const fn new(header: &Header) -> Self {
        Self {
            header: *header,
            left: header.entry_count(),
            bits: Bits { byte: 0, count: 0 },
            cut: [0; 16],
            cut_left: 0,
            position: HEADER_LEN as u64,
        }
    }

    /// Takes values, row by row, and writes their bytes to the front of `out`; returns the number of bytes. 0 means
    /// that there are no more values, that the matrix is complete, or that `out` is empty.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TypeMismatch`], [`EncodeErrorKind::InsideEntry`], [`EncodeErrorKind::TooMany`].
    pub fn encode<T: Value>(
        &mut self,
        values: &mut impl Iterator<Item = T>,
        out: &mut [u8],
    ) -> Result<usize, EncodeErrorKind> {
        let matrix = self.header.matrix_type();
        if matrix != T::TYPE {
            return Err(EncodeErrorKind::TypeMismatch { matrix, values: T::TYPE });
        }
        if self.cut_left == 0 && self.is_inside_entry() {
            return Err(EncodeErrorKind::InsideEntry);
        }
        let mut done = self.give_cut(out);
        let rest = suffix_mut(out, done);
        // No more than the matrix has left, so that surplus values stay in the iterator.
        let most = at_most(self.left, usize::MAX);
        let filled = T::fill(&mut values.by_ref().take(most), rest, &mut self.bits);
        self.left.take_away(filled.values);
        self.advance(filled.bytes);
        done.increase(filled.bytes);
        let rest = suffix_mut(rest, filled.bytes);
        let Some(next) = rest.first_mut() else { return Ok(done) };
        if self.left == 0 {
            if self.bits.count > 0 {
                // The last byte of a boolean matrix, whose high bits belong to no entry.
                *next = core::mem::take(&mut self.bits).byte;
                self.advance(1);
                return Ok(done.plus(1));
            }
            // Bytes already converted are returned first; the next call reports the excess.
            return if done == 0 && values.next().is_some() {
                Err(EncodeErrorKind::TooMany)
            } else {
                Ok(done)
            };
        }
        // The rest of `out` is shorter than an entry: write a part of the next one, and keep the rest of it.
        if rest.len() < self.entry_size()
            && let Some(value) = values.next()
        {
            self.left.take_away(1);
            self.cut = value.to_bytes();
            self.cut_left = self.entry_size() as u8;
            done.increase(self.give_cut(rest));
        }
        Ok(done)
    }

    /// Type and shape.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The number of entries that are still missing.
    pub(crate) const fn left(&self) -> u64 {
        self.left
    }

    fn is_consistent(&self) -> bool {
        let inside = (HEADER_LEN as u64..=self.header.file_length()).contains(&self.position);
        if !self.header.is_consistent() || !inside {
            return false;
        }
        // Every entry is begun in the file, waits as a bit, or is left.
        let begun = self.entries_begun().plus(u64::from(self.bits.count));
        let bits_fit = match self.header.matrix_type() {
            MatrixType::Boolean => self.bits.count < 8 && self.bits.byte >> self.bits.count == 0,
            _ => self.bits == Bits::default(),
        };
        let cut_fits = match self.is_inside_entry() {
            // 0: the caller writes the bytes of entries itself, and has stopped inside one.
            true => self.cut_left == 0 || u64::from(self.cut_left) == self.entry_size_left(),
            false => self.cut_left == 0,
        };
        bits_fit && cut_fits && self.header.entry_count().checked_sub(begun) == Some(self.left)
    }

    fn advance(&mut self, n: usize) {
        self.position.increase(n as u64);
    }

    /// Number of data bytes before the current position.
    const fn data_position(&self) -> u64 {
        minus(self.position, HEADER_LEN as u64)
    }

    /// Size of an entry in bytes; 0 if entries are bits.
    const fn entry_size(&self) -> usize {
        (self.header.matrix_type().bits() >> 3) as usize
    }

    /// Number of bytes from the current position to the end of the entry there.
    const fn entry_size_left(&self) -> u64 {
        let size = self.entry_size() as u64;
        // The size is 8 or 16, so the remainder is in the lower bits. If entries are bits, the mask is 0.
        self.data_position().wrapping_neg() & size.saturating_sub(1)
    }

    const fn is_inside_entry(&self) -> bool {
        self.entry_size_left() != 0
    }

    /// Number of entries with at least one written byte.
    fn entries_begun(&self) -> u64 {
        self.header.entries_in(self.data_position().plus(self.entry_size_left()))
    }

    /// Writes the rest of an entry that did not fit before.
    fn give_cut(&mut self, out: &mut [u8]) -> usize {
        let left = usize::from(self.cut_left);
        let end = self.entry_size();
        let n = copy(out, part(&self.cut, end.minus(left)..end));
        self.cut_left.take_away(n as u8);
        self.advance(n);
        n
    }
}

impl Encode for Encoder {
    type ErrorKind = EncodeErrorKind;

    fn room(&self) -> u64 {
        self.header.file_length().minus(self.position)
    }

    /// Takes account of these bytes, which the caller writes: entries as stored in a file, in pieces of any size.
    ///
    /// # Errors
    /// [`EncodeErrorKind::InsideEntry`], [`EncodeErrorKind::TooMany`], [`EncodeErrorKind::UnusedBits`].
    ///
    /// # Example
    /// ```
    /// use linkstream::inebin::{Encoder, Header, MatrixType};
    /// use linkstream::{Encode, Resumable};
    ///
    /// let header = Header::new(MatrixType::Integer, 1, 2)?;
    /// let mut file = header.to_bytes().to_vec();
    /// let mut encoder = Encoder::new(&header);
    /// file.extend_from_slice(&[0; 5]);
    /// encoder.put(&[0; 5])?;
    ///
    /// // Continue elsewhere: the state is an array of bytes.
    /// let mut encoder = Encoder::load(&encoder.save())?;
    /// file.extend_from_slice(&[0; 11]);
    /// encoder.put(&[0; 11])?;
    /// encoder.finish()?;
    /// assert_eq!((encoder.header(), encoder.position()), (&header, file.len() as u64));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    fn put(&mut self, bytes: &[u8]) -> Result<(), EncodeErrorKind> {
        if self.cut_left > 0 || self.bits.count > 0 {
            return Err(EncodeErrorKind::InsideEntry);
        }
        let n = bytes.len() as u64;
        let room = self.room();
        if n > room {
            return Err(EncodeErrorKind::TooMany);
        }
        // Only the last byte of the matrix has bits that belong to no entry.
        let found = bytes.last().map_or(0, |last| last & self.header.unused_bits());
        if n == room && found != 0 {
            return Err(EncodeErrorKind::UnusedBits { found });
        }
        self.advance(bytes.len());
        self.left = self.header.entry_count().minus(self.entries_begun());
        Ok(())
    }

    fn position(&self) -> u64 {
        self.position
    }

    /// Checks that the file can end here.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TooFew`]: the bytes of entries are missing.
    fn finish(&self) -> Result<(), EncodeErrorKind> {
        if self.position == self.header.file_length() {
            return Ok(());
        }
        let whole = self.header.entries_in(self.data_position());
        Err(EncodeErrorKind::TooFew { missing: self.header.entry_count().minus(whole) })
    }
}
