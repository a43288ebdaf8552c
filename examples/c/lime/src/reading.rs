//! Reading, on a stream that is lent for each call.

use linkstream::lime::{Decoder, ErrorKind, Event, HEADER_LEN, Header, Record, padding};
use linkstream::{Decode, Demand, Error, Mode, SeekPayload};
use linkstream_c_border::{Failure, Stream};

use crate::code::{EOF, EOR, ERR_READ, ERR_SEEK, Refused};
use crate::run::Run;
use crate::seek::{Moved, Whence, moved};
use crate::state::State;

/// Position and record of a reader. A call that fails changes nothing, except that data which have been read stay read.
#[derive(Debug)]
pub struct Reading {
    decoder: Decoder,
    has_record: bool,
    /// True before the first record: the stream itself has the position, and the program may move it.
    is_fresh: bool,
    /// Number of bytes that have been taken from the stream: its position, if it has no other, like a pipe.
    passed: u64,
    /// Size that the file had when it was last asked for.
    size: u64,
    /// Data that can be read in order.
    pub(crate) run: Run,
}

/// A decoder from an offset on. Flags are not checked: the reference implementation does not, either.
fn at(offset: u64) -> Decoder {
    if offset == 0 { Decoder::new(Mode::Lenient) } else { Decoder::at(offset, Mode::Lenient) }
}

fn unreadable(error: Error<ErrorKind>) -> Refused {
    Refused::new(ERR_READ, Failure::of(error))
}

/// Findings that are not about flags or types, but about bytes that are not as they were written.
fn judge(found: Error<ErrorKind>) -> Result<(), Refused> {
    match found.kind {
        ErrorKind::PaddingNonzero { .. }
        | ErrorKind::PaddingTruncated { .. }
        | ErrorKind::Trailing { .. } => Err(unreadable(found)),
        _ => Ok(()),
    }
}

/// Pushes bytes up to the end of a record or of its header. True if it was reached.
fn push(decoder: &mut Decoder, mut bytes: &[u8]) -> Result<bool, Refused> {
    loop {
        let step = decoder.push(bytes).map_err(unreadable)?;
        bytes = &bytes[step.consumed..];
        match step.event {
            Some(Event::Record(_) | Event::End) => return Ok(true),
            Some(Event::Finding(found)) => judge(found)?,
            Some(_) => {}
            None if bytes.is_empty() => return Ok(false),
            None => {}
        }
    }
}

/// The error of a stream that ends where the decoder is.
fn truncated(decoder: &mut Decoder) -> Refused {
    loop {
        match decoder.finish() {
            Ok(Some(Event::Finding(found))) => match judge(found) {
                Ok(()) => {}
                Err(refused) => return refused,
            },
            Ok(Some(_)) => {}
            Ok(None) => {
                let message = "the stream ends where it did not end before";
                let failure = Failure { offset: Some(decoder.position()), ..Failure::usage(message) };
                return Refused::new(ERR_READ, failure);
            }
            Err(error) => return unreadable(error),
        }
    }
}

impl Reading {
    /// A reader from a position of a stream on; from 0 on, if the stream has none.
    #[must_use]
    pub fn new(position: Option<u64>) -> Self {
        let offset = position.unwrap_or(0);
        let (decoder, run) = (at(offset), Run::default());
        Self { decoder, has_record: false, is_fresh: true, passed: offset, size: 0, run }
    }

    /// Advances the decoder past the data that were read in order since the last call.
    pub fn catch_up(&mut self) {
        let Run { at, done, .. } = std::mem::take(&mut self.run);
        if done > 0 {
            // The record has so many bytes from there on.
            let _ = self.decoder.skip(done);
            self.passed = at;
        }
    }

    /// Goes to the next record, and reads its header.
    ///
    /// # Errors
    /// The end of the file, or it is truncated, or no LIME file.
    pub fn next(&mut self, stream: &mut Stream<'_>) -> Result<(), Refused> {
        if self.is_fresh {
            self.decoder = at(stream.position().unwrap_or(self.passed));
        }
        let mut decoder = self.decoder.clone();
        if self.has_record {
            self.leave(&mut decoder, stream)?;
            self.decoder = decoder.clone();
            self.has_record = false;
        }
        let mut header = [0; HEADER_LEN];
        match self.take_at(stream, decoder.position(), &mut header)? {
            // The file can have become shorter since its size was asked for.
            0 if stream.size().is_some_and(|size| size < decoder.position()) => {
                return Err(truncated(&mut decoder));
            }
            0 => return Err(Refused::end(EOF)),
            number => {
                // The stream has moved: from now on its place does not count.
                self.is_fresh = false;
                if !push(&mut decoder, &header[..number])? {
                    return Err(truncated(&mut decoder));
                }
            }
        }
        self.decoder = decoder;
        self.has_record = true;
        Ok(())
    }

    /// Goes to the end of the record, and checks its padding.
    ///
    /// # Errors
    /// No record has been read, or the file ends inside it, or its padding is damaged.
    pub fn close_record(&mut self, stream: &mut Stream<'_>) -> Result<(), Refused> {
        self.record()?;
        let mut decoder = self.decoder.clone();
        self.leave(&mut decoder, stream)?;
        let end = decoder.position();
        self.decoder = decoder;
        self.go(stream, end)
    }

    /// Number of bytes from the current position to the end of the data.
    ///
    /// # Errors
    /// No record has been read.
    pub fn left(&self) -> Result<u64, Refused> {
        Ok(self.record()?.length - self.place())
    }

    /// Reads data of the record. Returns their number, also with an error.
    pub fn read(&mut self, stream: &mut Stream<'_>, room: &mut [u8]) -> (usize, Result<(), Refused>) {
        let left = match self.left() {
            Ok(0) => return (0, Err(Refused::end(EOR))),
            Ok(left) => left,
            Err(refused) => return (0, Err(refused)),
        };
        let wanted = usize::try_from(left).unwrap_or(usize::MAX).min(room.len());
        if wanted == 0 {
            return (0, Ok(()));
        }
        let at = self.decoder.position();
        let number = match self.take_at(stream, at, &mut room[..wanted]) {
            Ok(number) => number,
            Err(refused) => return (0, Err(refused)),
        };
        let skipped = self.decoder.skip(number as u64).map_err(unreadable);
        let ended = if number < wanted { Err(truncated(&mut self.decoder.clone())) } else { Ok(()) };
        let (at, left) = (self.decoder.position(), left - number as u64);
        self.run = Run { at, place: self.place(), left, done: 0 };
        (number, skipped.and(ended))
    }

    /// Moves in the data of the record.
    ///
    /// # Errors
    /// No record has been read; or the position is outside: then it becomes the first or the last one; or the stream
    /// cannot move.
    pub fn seek(&mut self, stream: &mut Stream<'_>, offset: i64, whence: Whence) -> Result<(), Refused> {
        let record = self.record()?;
        let Moved { to, outside } = moved(offset, whence, self.place(), record.length);
        // Nothing moves after the end of a closed record, so that a pipe can be closed and asked for its end.
        if !(self.is_closed() && to == record.length) {
            let decoder = within(record.offset, *self.decoder.header(), to)?;
            self.go(stream, decoder.position())?;
            self.decoder = decoder;
        }
        outside.map_or(Ok(()), |failure| Err(Refused::new(ERR_SEEK, failure)))
    }

    /// Continues at an offset, where a record must begin.
    ///
    /// # Errors
    /// The offset is outside of the file, or the stream cannot move.
    pub fn set_pointer(&mut self, stream: &mut Stream<'_>, offset: i64) -> Result<(), Refused> {
        let outside =
            |message: &str, offset| Refused::new(ERR_SEEK, Failure { offset, ..Failure::usage(message) });
        let to = u64::try_from(offset).map_err(|_| outside("the offset is negative", None))?;
        if stream.size().is_some_and(|size| size < to) {
            return Err(outside("the offset is after the end of the file", Some(to)));
        }
        self.go(stream, to)?;
        self.decoder = at(to);
        (self.has_record, self.is_fresh) = (false, false);
        Ok(())
    }

    /// Offset of the next record, or the current position before the first one.
    pub fn pointer(&self, stream: &mut Stream<'_>) -> u64 {
        match (self.is_fresh, self.has_record) {
            (true, _) => stream.position().unwrap_or(self.passed),
            (false, true) => self.decoder.record().next_offset(),
            (false, false) => self.decoder.position(),
        }
    }

    /// The state, for another process.
    #[must_use]
    pub fn state(&self) -> State {
        let flags = [self.has_record, self.is_closed(), false, false];
        if !self.has_record {
            let offset = self.decoder.position();
            return State { flags, offset, place: 0, header: [0; HEADER_LEN] };
        }
        let (record, header) = (self.decoder.record(), *self.decoder.header().as_bytes());
        State { flags, offset: record.offset, place: self.place(), header }
    }

    /// Takes over the state of another reader, for this stream.
    ///
    /// # Errors
    /// The state has contradictions, or the stream cannot move to the position.
    pub fn take_state(&mut self, stream: &mut Stream<'_>, state: &State) -> Result<(), Refused> {
        let [has_record, is_closed, ..] = state.flags;
        let mut decoder = at(state.offset);
        if has_record {
            let header = Header::from_bytes(state.header);
            decoder = within(state.offset, header, state.place).map_err(|_| contradictions())?;
            if is_closed {
                decoder.seek(header.length()).map_err(|_| contradictions())?;
                push(&mut decoder, &[0; 7][..usize::from(padding(header.length()))])?;
            }
        }
        self.go(stream, decoder.position())?;
        (self.decoder, self.has_record, self.is_fresh) = (decoder, has_record, false);
        Ok(())
    }

    /// The current record.
    ///
    /// # Errors
    /// No record has been read.
    pub fn record(&self) -> Result<Record, Refused> {
        if self.has_record {
            Ok(self.decoder.record())
        } else {
            Err(Refused::usage("no record has been read"))
        }
    }

    /// The type of the current record.
    #[must_use]
    pub fn record_type(&self) -> &[u8] {
        self.decoder.record_type()
    }

    /// Position in the data of the current record.
    #[must_use]
    pub fn place(&self) -> u64 {
        self.decoder.payload_position().unwrap_or(self.decoder.record().length)
    }

    /// True if the padding of the current record has been read.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.has_record && self.decoder.is_between_records()
    }

    /// Reads until the room is full or the stream ends.
    fn take(&mut self, stream: &mut Stream<'_>, room: &mut [u8]) -> Result<usize, Refused> {
        let at = stream.position().unwrap_or(self.passed);
        let number = stream.read(room, at).map_err(|failure| Refused::new(ERR_READ, failure))?;
        self.passed = at + number as u64;
        Ok(number)
    }

    /// Reads at a position until the room is full or the stream ends.
    fn take_at(&mut self, stream: &mut Stream<'_>, at: u64, room: &mut [u8]) -> Result<usize, Refused> {
        if stream.read_buffered(at, room) {
            self.passed = at + room.len() as u64;
            return Ok(room.len());
        }
        self.go(stream, at)?;
        self.take(stream, room)
    }

    /// Moves the stream. One without positions can only go forward, by reading.
    fn go(&mut self, stream: &mut Stream<'_>, to: u64) -> Result<(), Refused> {
        if stream.position().is_none() && self.passed < to {
            let (from, number) = (self.passed, to - self.passed);
            if self.pass(stream, number)? < number {
                let message = format!("the stream ends before {to} bytes");
                let failure = Failure { offset: Some(from), ..Failure::usage(message) };
                return Err(Refused::new(ERR_READ, failure));
            }
            return Ok(());
        }
        stream.go_to(to, self.passed).map_err(|failure| Refused::new(ERR_SEEK, failure))
    }

    /// Reads bytes and forgets them. Returns their number, which is smaller if the stream ends.
    fn pass(&mut self, stream: &mut Stream<'_>, number: u64) -> Result<u64, Refused> {
        let mut room = [0; 8192];
        let mut done = 0;
        while done < number {
            let wanted = usize::try_from(number - done).unwrap_or(usize::MAX).min(room.len());
            let read = self.take(stream, &mut room[..wanted])?;
            done += read as u64;
            if read < wanted {
                break;
            }
        }
        Ok(done)
    }

    /// Goes to the end of the record that the decoder is in.
    fn leave(&mut self, decoder: &mut Decoder, stream: &mut Stream<'_>) -> Result<(), Refused> {
        if let Demand::Skip(left) = decoder.demand() {
            let from = decoder.position();
            let end = from.saturating_add(left);
            if self.size < end {
                self.size = stream.size().unwrap_or(0);
            }
            let there = match (self.size, stream.position()) {
                // A seek goes beyond the end of a file without an error.
                (size @ 1.., Some(_)) => size.saturating_sub(from).min(left),
                // The last byte is read: it proves that the others are there.
                (0, Some(_)) if self.has_byte(stream, end - 1)? => left,
                (_, _) => {
                    self.go(stream, from)?;
                    self.pass(stream, left)?
                }
            };
            decoder.skip(there).map_err(unreadable)?;
            if there < left {
                return Err(truncated(decoder));
            }
        }
        while !decoder.is_between_records() {
            let Demand::Bytes(needed) = decoder.demand() else { break };
            let mut room = [0; 7];
            let room = &mut room[..usize::try_from(needed.min(7)).unwrap_or(7)];
            let read = self.take_at(stream, decoder.position(), room)?;
            if !push(decoder, &room[..read])? && read < room.len() {
                return Err(truncated(decoder));
            }
        }
        Ok(())
    }

    /// True if a stream with positions has a byte at an offset.
    fn has_byte(&mut self, stream: &mut Stream<'_>, offset: u64) -> Result<bool, Refused> {
        Ok(stream.go_to(offset, offset).is_ok() && self.take(stream, &mut [0])? == 1)
    }
}

/// A decoder in the data of a record.
fn within(offset: u64, header: Header, place: u64) -> Result<Decoder, Refused> {
    let mut decoder = at(offset);
    let is_record = push(&mut decoder, header.as_bytes())?;
    if !is_record || decoder.seek(place).is_err() {
        return Err(contradictions());
    }
    Ok(decoder)
}

fn contradictions() -> Refused {
    Refused::usage("the state of the source has contradictions")
}
