//! The reader of INEBIN matrices, and its jobs.

use core::borrow::BorrowMut;
use core::task::{Poll, ready};

use embedded_io::{Read, Seek};

use crate::bytes::{prefix_mut, suffix_mut};
use crate::counter::Counter as _;
use crate::error::{Error, Misuse, Mode};
use crate::inebin::{Cursor, Decoder, ErrorKind, Event, HEADER_LEN, Header, Value};
use crate::io::buffer::Buffer;
use crate::io::error::ReadError;
use crate::io::format_reader::{FormatFrame, FormatReader, Progress, ReadState, Resume};
use crate::io::frame::Job;
use crate::step::{Decode as _, SeekPayload as _};

/// Reads the matrix of an INEBIN file: its header, then rows or any number of entries into a slice of `bool`, `i64`,
/// `f64` or [`Complex`](crate::inebin::Complex). The source is any [`embedded_io::Read`].
///
/// A call that failed because of the source can be repeated if it had delivered nothing. Otherwise reading continues
/// after [`resume`](FormatReader::resume).
///
/// ```
/// use linkstream::io::MatrixReader;
///
/// let file = b"INEBIN\0B\x03\0\0\0\x05\0\0\0\x99\x21";
/// let mut buffer = [0; 64];
/// let mut matrix = MatrixReader::new(&file[..], &mut buffer);
/// let mut row = vec![false; matrix.columns()?];
/// let mut counts = Vec::new();
/// while matrix.next_row(&mut row)? {
///     counts.push(row.iter().filter(|bit| **bit).count());
/// }
/// assert_eq!(counts, [3, 2, 1]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// A decoder that was saved continues elsewhere. The rest of a row that was interrupted can be read by
/// [`read`](FormatReader::read); [`next_row`](FormatReader::next_row) skips it.
/// ```
/// use linkstream::Resumable;
/// use linkstream::inebin::Decoder;
/// use linkstream::io::MatrixReader;
/// use linkstream::{Decode, Mode};
///
/// let file = b"INEBIN\0B\x03\0\0\0\x05\0\0\0\x99\x21";
/// let mut decoder = Decoder::new(Mode::Strict);
/// let mut consumed = 0;
/// while consumed < 17 {
///     consumed += decoder.push(&file[consumed..17])?.consumed;
/// }
///
/// // After the first 8 entries.
/// let (mut buffer, mut out) = ([0; 64], [false; 7]);
/// let decoder = Decoder::load(&decoder.save()?)?;
/// let mut matrix = MatrixReader::with_decoder(&file[17..], &mut buffer, decoder);
/// assert_eq!(matrix.read(&mut out)?, 7);
/// assert_eq!(out, [true, false, false, false, false, true, false]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub type MatrixReader<R, B, D = Decoder> = FormatReader<R, B, D, MatrixState>;

impl<R, B: Buffer> MatrixReader<R, B> {
    /// A reader of a file from its first byte, in [`Mode::Strict`]. The buffer must not be empty.
    pub const fn new(source: R, buffer: B) -> Self {
        Self::with_decoder(source, buffer, Decoder::new(Mode::Strict))
    }
}

impl<R: Read, B: Buffer, D: BorrowMut<Decoder>> MatrixReader<R, B, D> {
    /// Returns type and shape of the matrix; reads the header if necessary.
    ///
    /// # Errors
    /// The source failed, or the file is invalid.
    pub fn header(&mut self) -> Result<Header, ReadError<R::Error, ErrorKind>> {
        self.reader.run(|frame| self.progress.header(frame))
    }

    /// The length of a row, for allocating memory for it; reads the header if necessary. The sizes in
    /// [`header`](Self::header) are what the file claims, without a limit.
    ///
    /// # Errors
    /// The errors of [`header`](Self::header); [`ReadError::Limit`] if a row has more bytes than the [`Limits`](crate::Limits) of this
    /// reader.
    pub fn columns(&mut self) -> Result<usize, ReadError<R::Error, ErrorKind>> {
        let header = self.header()?;
        self.progress.claim(&header, header.columns().into())
    }

    /// The number of entries, for allocating memory for them; reads the header if necessary.
    ///
    /// # Errors
    /// The errors of [`header`](Self::header); [`ReadError::Limit`] if they have more bytes than the [`Limits`](crate::Limits) of this
    /// reader.
    pub fn entry_count(&mut self) -> Result<usize, ReadError<R::Error, ErrorKind>> {
        let header = self.header()?;
        self.progress.claim(&header, header.entry_count())
    }

    /// Reads the next row into the front of `row`. Returns `false` if there are no more rows; the file has then been
    /// read and checked to its end. If some entries of the current row were read, the rest of it is skipped. A
    /// matrix without columns is treated as having no rows.
    ///
    /// # Errors
    /// The source failed, or the file is invalid; [`Misuse::OtherType`]; [`ReadError::TooSmall`] if `row` is shorter
    /// than a row, [`ReadError::Limit`] if the row is also above the limit; [`ReadError::Interrupted`].
    pub fn next_row<T: Value>(&mut self, row: &mut [T]) -> Result<bool, ReadError<R::Error, ErrorKind>> {
        self.progress.delivery.begin()?;
        self.reader.run(|frame| self.progress.row(frame, row))
    }

    /// Reads the next entries, row by row, into the front of `out`, until it is full or none are left, and returns
    /// their number.
    ///
    /// # Errors
    /// The source failed, or the file is invalid; [`Misuse::OtherType`]; [`ReadError::NotOpen`] if the decoder that
    /// the reader was given is inside an entry, after [`finish`](Self::finish), or if
    /// [`read_entries_seeking`](Self::read_entries_seeking) has failed before it came to the entry;
    /// [`ReadError::Interrupted`].
    pub fn read<T: Value>(&mut self, out: &mut [T]) -> Result<usize, ReadError<R::Error, ErrorKind>> {
        self.progress.delivery.begin()?;
        self.reader.run(|frame| self.progress.entries(frame, out))
    }

    /// Reads and checks the rest of the file. Entries that it skips cannot be read any more, even if it fails.
    ///
    /// # Errors
    /// The source failed, or the file is invalid.
    pub fn finish(&mut self) -> Result<(), ReadError<R::Error, ErrorKind>> {
        self.reader.run(|frame| self.progress.end(frame))
    }
}

impl<R: Read + Seek, B: Buffer, D: BorrowMut<Decoder>> MatrixReader<R, B, D> {
    /// Fills `out` with entries, row by row, from the one in `row` and `column` on, both counted from 0. Reading
    /// continues after them. Not possible after a call of [`finish`](Self::finish), or of `next_row` at the end of the
    /// matrix, even if it failed.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn core::error::Error>> {
    /// use linkstream::io::MatrixReader;
    /// # use linkstream_example::Disk;
    /// # let disk = Disk::default();
    /// # disk.bytes.borrow_mut().extend_from_slice(b"INEBIN\0B\x03\0\0\0\x05\0\0\0\x99\x21");
    ///
    /// // The last two bits of the second row.
    /// let (mut buffer, mut bits) = ([0; 64], [false; 2]);
    /// let mut matrix = MatrixReader::new(disk, &mut buffer);
    /// matrix.read_entries_seeking(1, 3, &mut bits)?;
    /// assert_eq!(bits, [true, false]);
    /// # Ok(())
    /// # }
    /// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
    /// ```
    ///
    /// # Errors
    /// The source failed, or the file is invalid; [`Misuse::OtherType`], and [`Misuse::Outside`] if the matrix has
    /// no such entry, or ends before `out` is full.
    pub fn read_entries_seeking<T: Value>(
        &mut self,
        row: u32,
        column: u32,
        out: &mut [T],
    ) -> Result<(), ReadError<R::Error, ErrorKind>> {
        let header = self.header()?;
        check_type::<T, _>(&self.reader.frame, &header)?;
        let index = u64::from(row).saturating_mul(header.columns().into()).saturating_add(column.into());
        let fits = header.entry_count().checked_sub(index).is_some_and(|left| left >= out.len() as u64);
        let Some(place) = header.place(row, column).filter(|_| fits) else {
            return Err(misuse(&self.reader.frame, Misuse::Outside));
        };
        let offset = place.offset.saturating_sub(HEADER_LEN as u64);
        self.reader.seek_payload(offset)?;
        if place.bit > 0 {
            // If the source fails here, the entry is lost: the bits before it are not delivered in its place.
            self.progress.go_to(Some(Cursor::after(&header, offset)));
            self.progress.state.is_lost = true;
            let shared = self.reader.run(shared_byte)?;
            self.progress.state.shared = shared;
        }
        self.progress.go_to(Cursor::at(&header, row, column));
        self.read(out).map(|_| ())
    }
}

/// Position among the entries of a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatrixState {
    /// The next entry; `None` as long as no entry was asked for.
    next: Option<Cursor>,
    /// The byte that the next boolean shares with earlier ones.
    shared: u8,
    /// The first bytes of the next entry were consumed elsewhere, so that it cannot be delivered.
    is_lost: bool,
    /// `finish` has skipped entries. It may have stopped anywhere, so that none can be delivered.
    is_skipped: bool,
}

impl ReadState for MatrixState {
    type Decoder = Decoder;
    type ErrorKind = ErrorKind;

    const START: Self = Self { next: None, shared: 0, is_lost: false, is_skipped: false };
}

impl Resume for MatrixState {
    fn resume(&mut self, _: usize) {}
}

/// The frame of this reader.
type MatrixFrame<B, D> = FormatFrame<B, D, MatrixState>;

impl Progress<MatrixState> {
    /// The next entry of this matrix.
    fn next(&mut self, header: &Header) -> &mut Cursor {
        self.state.next.get_or_insert(Cursor::start(header))
    }

    /// A number of entries that the header claims, if they are within the limit. Each takes at least a byte of memory.
    fn claim<E>(&self, header: &Header, entries: u64) -> Result<usize, ReadError<E, ErrorKind>> {
        let bits = u64::from(header.matrix_type().bits());
        let size = bits.div_ceil(8);
        // A byte of the file has up to 8 Boolean entries.
        let limits = if bits < 8 { self.limits.expanded(8) } else { self.limits };
        let bytes = limits.check(entries.saturating_mul(size))?;
        Ok(bytes.checked_div(size as usize).unwrap_or(0))
    }

    /// The header, if it is known. At the first call with one, the next entry is the one at the position of the decoder.
    fn begin(&mut self, frame: &MatrixFrame<impl Buffer, impl BorrowMut<Decoder>>) -> Option<Header> {
        let decoder = frame.decoder.get();
        let header = decoder.header()?;
        if self.state.next.is_none() {
            // No payload is open after the last entry.
            let consumed = decoder.payload_position().unwrap_or(header.data_length());
            let next = Cursor::after(header, consumed);
            (self.state.next, self.state.is_lost) = (Some(next), next.is_inside_entry());
        }
        Some(*header)
    }

    /// The header, as soon as it is known.
    fn header<E>(
        &mut self,
        frame: &mut MatrixFrame<impl Buffer, impl BorrowMut<Decoder>>,
    ) -> Job<Header, E, ErrorKind> {
        loop {
            if let Some(header) = self.begin(frame) {
                return Poll::Ready(Ok(header));
            }
            if ready!(self.event(frame)?).is_none() {
                return Poll::Ready(Err(frame.truncated()));
            }
        }
    }

    /// The next event; findings are counted.
    fn event<E>(
        &mut self,
        frame: &mut MatrixFrame<impl Buffer, impl BorrowMut<Decoder>>,
    ) -> Job<Option<Event>, E, ErrorKind> {
        let event = ready!(frame.next()?);
        if let Some(Event::Finding(finding)) = event {
            self.findings.note(finding);
        }
        Poll::Ready(Ok(event))
    }

    /// The next entries, as many as `out` holds or are left.
    fn entries<T: Value, E>(
        &mut self,
        frame: &mut MatrixFrame<impl Buffer, impl BorrowMut<Decoder>>,
        out: &mut [T],
    ) -> Job<usize, E, ErrorKind> {
        let header = ready!(self.header(frame)?);
        check_type::<T, E>(frame, &header)?;
        if self.state.is_lost || self.state.is_skipped {
            return Poll::Ready(Err(ReadError::NotOpen));
        }
        while let Some(rest) = out.get_mut(self.delivery.done..).filter(|rest| !rest.is_empty()) {
            let n = ready!(self.read_run(frame, &header, rest)?);
            if n == 0 {
                break;
            }
            self.delivery.add(n);
        }
        Poll::Ready(Ok(self.delivery.end()))
    }

    /// Reads the next row into the front of `out`. Returns `false` if there is none, after checking the end of the
    /// file.
    fn row<T: Value, E>(
        &mut self,
        frame: &mut MatrixFrame<impl Buffer, impl BorrowMut<Decoder>>,
        out: &mut [T],
    ) -> Job<bool, E, ErrorKind> {
        let header = ready!(self.header(frame)?);
        check_type::<T, E>(frame, &header)?;
        if self.state.is_skipped {
            return Poll::Ready(Err(ReadError::NotOpen));
        }
        let needed = header.columns();
        let Some(row) = usize::try_from(needed).ok().and_then(|needed| out.get_mut(..needed)) else {
            self.claim(&header, needed.into())?;
            return Poll::Ready(Err(ReadError::TooSmall { needed: needed.into() }));
        };
        while self.next(&header).left > 0 {
            let column = self.next(&header).column;
            // The rest of a row that was begun by another call is read and dropped.
            let in_row = self.delivery.done > 0 || (column == 0 && !self.state.is_lost);
            let rest = usize::try_from(column).ok().and_then(|column| row.get_mut(column..));
            let n = ready!(self.read_run(frame, &header, rest.unwrap_or_default())?);
            if in_row {
                self.delivery.add(n);
                if self.next(&header).column == 0 {
                    self.delivery.end();
                    return Poll::Ready(Ok(true));
                }
            }
        }
        ready!(self.end(frame)?);
        Poll::Ready(Ok(false))
    }

    /// Reads to the end of the file, and checks it.
    fn end<E>(
        &mut self,
        frame: &mut MatrixFrame<impl Buffer, impl BorrowMut<Decoder>>,
    ) -> Job<(), E, ErrorKind> {
        loop {
            // The entries that are skipped here cannot be read any more, nor the rest if the source fails.
            let _ = self.begin(frame);
            self.state.is_skipped |= frame.payload() > 0;
            ready!(frame.skip()?);
            if ready!(self.event(frame)?).is_none() {
                return Poll::Ready(Ok(()));
            }
        }
    }

    /// Continues with this entry. The source has been moved to the byte that contains its beginning.
    const fn go_to(&mut self, next: Option<Cursor>) {
        self.state = MatrixState { next, shared: self.state.shared, ..MatrixState::START };
        self.delivery.end();
    }

    /// Delivers at least one entry, if one is left and `out` is not empty. Returns the number of entries.
    fn read_run<T: Value, E>(
        &mut self,
        frame: &mut MatrixFrame<impl Buffer, impl BorrowMut<Decoder>>,
        header: &Header,
        out: &mut [T],
    ) -> Job<usize, E, ErrorKind> {
        let next = self.next(header);
        let most = usize::try_from(next.left).unwrap_or(usize::MAX).min(out.len());
        let out = prefix_mut(out, most);
        if out.is_empty() {
            return Poll::Ready(Ok(0));
        }
        if next.first_bit > 0 {
            // The byte has been consumed together with the entries before this one.
            let shared = self.state.shared;
            return Poll::Ready(Ok(self.copy_entries(header, &[shared], out)));
        }
        loop {
            let available = ready!(frame.available()?);
            let most = self.next(header).bytes_of(out.len()).min(available);
            let n = ready!(frame.take(most, |bytes| self.copy_entries(header, bytes, out))?);
            if n > 0 {
                self.state.is_lost = false;
                return Poll::Ready(Ok(n));
            }
        }
    }

    /// Delivers entries from these bytes; the next entry begins in the first byte. Returns the number of entries.
    fn copy_entries<T: Value>(&mut self, header: &Header, bytes: &[u8], out: &mut [T]) -> usize {
        let all = out.len();
        let mut rest = out;
        self.next(header).feed(bytes, all as u64, &mut |run| {
            let n = run.copy_to(rest);
            rest = suffix_mut(core::mem::take(&mut rest), n);
        });
        self.state.shared = bytes.last().copied().unwrap_or(self.state.shared);
        all.minus(rest.len())
    }
}

/// Reads the byte that the next boolean shares with earlier ones, after a move into the middle of a byte.
fn shared_byte<E>(frame: &mut MatrixFrame<impl Buffer, impl BorrowMut<Decoder>>) -> Job<u8, E, ErrorKind> {
    ready!(frame.available()?);
    let first = ready!(frame.take(1, |bytes| bytes.first().copied())?);
    Poll::Ready(Ok(first.unwrap_or(0)))
}

/// Checks that the matrix has values of this type.
fn check_type<T: Value, E>(
    frame: &MatrixFrame<impl Buffer, impl BorrowMut<Decoder>>,
    header: &Header,
) -> Result<(), ReadError<E, ErrorKind>> {
    if header.matrix_type() == T::TYPE { Ok(()) } else { Err(misuse(frame, Misuse::OtherType)) }
}

fn misuse<E>(
    frame: &MatrixFrame<impl Buffer, impl BorrowMut<Decoder>>,
    misuse: Misuse,
) -> ReadError<E, ErrorKind> {
    Error::new(frame.decoder.position(), ErrorKind::Misuse(misuse)).into()
}
