//! The records of one file, one after the other, as one rank reads them.

use std::ops::Range;

use linkstream::lime::{Decoder, ErrorKind, Event, Record};
use linkstream::{Decode as _, Demand, Diagnostic as _, Error, Mode};
use linkstream_c_ranks::Ranks;
use linkstream_parallel::Fault;
use linkstream_parallel::file::{IoFile, OpenFile, PieceMut, SharedFile, SystemDisk};

use crate::code::{ERR_ALLOC, ERR_BAD_READ_BYTES};
use crate::stop::{Stop, with_code};

/// Bytes that are read at a time: a header and the documents after it.
const BLOCK: usize = 16 << 10;

/// The bytes of a file, for one rank.
pub trait Bytes {
    /// Reads bytes. Their number is smaller than the room only at the end of the file.
    ///
    /// # Errors
    /// The system refuses to read.
    fn at(&mut self, offset: u64, to: &mut [u8]) -> Result<usize, Fault>;

    /// Size of the file.
    ///
    /// # Errors
    /// The size is not known.
    fn size(&mut self) -> Result<u64, Fault>;
}

impl Bytes for IoFile<SystemDisk> {
    fn at(&mut self, offset: u64, to: &mut [u8]) -> Result<usize, Fault> {
        SharedFile::<Ranks>::read_at(self, PieceMut { offset, bytes: to })
    }

    fn size(&mut self) -> Result<u64, Fault> {
        SharedFile::<Ranks>::size(self)
    }
}

impl Bytes for OpenFile<SystemDisk> {
    fn at(&mut self, offset: u64, to: &mut [u8]) -> Result<usize, Fault> {
        SharedFile::<Ranks>::read_at(self, PieceMut { offset, bytes: to })
    }

    fn size(&mut self) -> Result<u64, Fault> {
        SharedFile::<Ranks>::size(self)
    }
}

/// A position in the list of records of a file.
#[derive(Debug)]
pub struct Cursor {
    decoder: Decoder,
    /// Bytes that have been read, and the offset of the first.
    block: Vec<u8>,
    start: u64,
    /// The record whose header has been read, and whose payload has not been passed.
    open: Option<Record>,
    /// The first error about padding. Nothing that is read depends on padding, so it is reported at the end of the file.
    padding: Option<Error<ErrorKind>>,
    /// The error that ended the reading.
    failed: Option<Error<ErrorKind>>,
}

/// A fault of reading.
const READ: fn(Fault) -> Stop = |fault| with_code(ERR_BAD_READ_BYTES)(fault);

fn broken(error: Error<ErrorKind>) -> Stop {
    Stop::codec(ERR_BAD_READ_BYTES, 0, error)
}

/// A decoder from an offset on. In lenient mode, it goes on after wrong padding; [`Cursor::event`] refuses all else that
/// a strict one refuses.
fn decoder_at(offset: u64) -> Decoder {
    if offset == 0 { Decoder::new(Mode::Lenient) } else { Decoder::at(offset, Mode::Lenient) }
}

impl Cursor {
    /// The first record of a file.
    #[must_use]
    pub fn new() -> Self {
        let decoder = decoder_at(0);
        Self { decoder, block: Vec::new(), start: 0, open: None, padding: None, failed: None }
    }

    /// Goes to a record that begins at this offset.
    pub fn go_to(&mut self, offset: u64) {
        self.decoder = decoder_at(offset);
        (self.open, self.failed) = (None, None);
    }

    /// Offset of the next record, whose payload has not been passed.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.open.map_or_else(|| self.decoder.position(), |record| record.offset)
    }

    /// The next record, which stays the next one; `None` at the end of the file.
    ///
    /// # Errors
    /// The file is damaged or truncated, or cannot be read. At its end, even if its padding is damaged.
    pub fn peek(&mut self, io: &mut dyn Bytes) -> Result<Option<Record>, Stop> {
        while self.open.is_none() {
            match self.event(io)? {
                None => return self.padding.map_or(Ok(None), |error| Err(broken(error))),
                Some((Event::Record(record), _)) => self.open = Some(record),
                Some(_) => {}
            }
        }
        Ok(self.open)
    }

    /// The next record of the present message; `None` at its end. Bytes after the end that are not a record are for the
    /// next call to report.
    ///
    /// # Errors
    /// The file is damaged or truncated, or cannot be read.
    pub fn peek_in_message(&mut self, io: &mut dyn Bytes) -> Result<Option<Record>, Stop> {
        match self.peek(io) {
            Err(_) if self.decoder.message_is_open() == Some(false) && self.has_no_record() => Ok(None),
            record => Ok(record?.filter(|record| !record.begin)),
        }
    }

    /// True if an error is about what follows the last record, and that is not a record.
    fn has_no_record(&self) -> bool {
        use ErrorKind::{HeaderTruncated, Magic, Trailing};
        // At the end of the file, an error about padding.
        self.failed.map_or(self.padding.is_some(), |error| {
            matches!(error.kind, Magic { .. } | HeaderTruncated { .. } | Trailing { .. })
        })
    }

    /// The type of the next record.
    #[must_use]
    pub fn record_type(&self) -> &[u8] {
        if self.open.is_some() { self.decoder.record_type() } else { b"" }
    }

    /// True if the last record that was passed did not end its message.
    #[must_use]
    pub fn is_inside_message(&self) -> bool {
        match self.open {
            Some(record) => !record.begin,
            None => self.decoder.message_is_open() == Some(true),
        }
    }

    /// Reads the payload of the next record, and passes it.
    ///
    /// # Errors
    /// The file is damaged or truncated, or cannot be read; there is no memory for the payload.
    pub fn take(&mut self, io: &mut dyn Bytes) -> Result<Vec<u8>, Stop> {
        let Some(record) = self.open else { return Ok(Vec::new()) };
        // The file must have the bytes before memory is allocated for them.
        self.must_have(io, record)?;
        let mut payload = Vec::new();
        let length = usize::try_from(record.length).unwrap_or(usize::MAX);
        let room = payload.try_reserve_exact(length);
        room.map_err(|_| Stop::because(ERR_ALLOC, format!("there is no memory for {length} bytes")))?;
        loop {
            match self.event(io)? {
                Some((Event::Payload, range)) => payload.extend_from_slice(&self.block[range]),
                Some((Event::End, _)) => break,
                Some(_) => {}
                None => return Err(ended(record)),
            }
        }
        self.open = None;
        Ok(payload)
    }

    /// Passes the next record without reading its payload.
    ///
    /// # Errors
    /// The file is damaged or truncated, or cannot be read.
    pub fn skip(&mut self, io: &mut dyn Bytes) -> Result<(), Stop> {
        let Some(record) = self.open else { return Ok(()) };
        self.must_have(io, record)?;
        if let Demand::Skip(length) = self.decoder.demand() {
            self.decoder.skip(length).map_err(broken)?;
        }
        loop {
            match self.event(io)? {
                Some((Event::End, _)) => break,
                Some(_) => {}
                None => return Err(ended(record)),
            }
        }
        self.open = None;
        Ok(())
    }

    /// Checks that the file has the payload of a record.
    ///
    /// # Errors
    /// It ends before.
    pub fn must_have(&self, io: &mut dyn Bytes, record: Record) -> Result<(), Stop> {
        let (size, end) = (io.size().map_err(READ)?, record.payload_offset().saturating_add(record.length));
        if size >= end {
            return Ok(());
        }
        Err(broken(Error::new(size, ErrorKind::PayloadTruncated { missing: end - size })))
    }

    /// The next event, and the range in the block of its bytes.
    fn event(&mut self, io: &mut dyn Bytes) -> Result<Option<(Event, Range<usize>)>, Stop> {
        if let Some(error) = self.failed {
            return Err(broken(error));
        }
        loop {
            let at = self.decoder.position().checked_sub(self.start);
            let from = at.and_then(|at| usize::try_from(at).ok()).unwrap_or(usize::MAX).min(self.block.len());
            // Also without bytes: the end of a record needs none.
            let step = self.decoder.push(&self.block[from..]).map_err(|error| self.fail(error))?;
            if let Some(event) = step.event {
                return Ok(Some((self.judged(event)?, from..from + step.consumed)));
            }
            self.fill(io)?;
            if self.block.is_empty() {
                let event = self.decoder.finish().map_err(|error| self.fail(error))?;
                return event.map(|event| Ok((self.judged(event)?, 0..0))).transpose();
            }
        }
    }

    /// Notes an error about padding, and refuses everything else that strict decoders refuse.
    fn judged(&mut self, event: Event) -> Result<Event, Stop> {
        use ErrorKind::{PaddingNonzero, PaddingTruncated};
        match event {
            Event::Finding(found)
                if matches!(found.kind, PaddingNonzero { .. } | PaddingTruncated { .. }) =>
            {
                self.padding.get_or_insert(found);
                Ok(event)
            }
            Event::Finding(found) if Mode::Strict.refuses(found.kind.severity()) => Err(self.fail(found)),
            event => Ok(event),
        }
    }

    fn fail(&mut self, error: Error<ErrorKind>) -> Stop {
        self.failed = Some(error);
        broken(error)
    }

    /// Reads the block from the present position on. It is empty at the end of the file.
    fn fill(&mut self, io: &mut dyn Bytes) -> Result<(), Stop> {
        self.start = self.decoder.position();
        let left = io.size().map_err(READ)?.saturating_sub(self.start);
        let left = usize::try_from(left).unwrap_or(BLOCK).min(BLOCK);
        self.block.resize(left, 0);
        let read = if left > 0 { io.at(self.start, &mut self.block).map_err(READ)? } else { 0 };
        self.block.truncate(read);
        if read < left {
            let end = self.start + read as u64;
            return Err(Stop::file(ERR_BAD_READ_BYTES, end, "the file has become shorter"));
        }
        Ok(())
    }
}

impl Default for Cursor {
    fn default() -> Self {
        Self::new()
    }
}

/// The file ends inside a record although it had its length before.
fn ended(record: Record) -> Stop {
    Stop::file(ERR_BAD_READ_BYTES, record.payload_offset(), "the file has become shorter")
}
