//! Writing, on a stream that is lent for each call.
//!
//! The padding of a record is written as soon as its last byte is, and a complete record is flushed at once. So nothing
//! is left to do when the writer is destroyed, and errors of the system are noticed by the call that causes them.

use linkstream::lime::{EncodeErrorKind, Encoder, Header, padding};
use linkstream_c_border::{Failure, Stream};

use crate::code::{
    ERR_CLOSE, ERR_HEADER_NEXT, ERR_LAST_NOT_WRITTEN, ERR_MBME, ERR_PARAM, ERR_SEEK, ERR_WRITE, Refused,
};
use crate::coverage::Coverage;
use crate::run::Run;
use crate::seek::{Moved, Whence, moved};
use crate::state::State;

/// Position and record of a writer.
#[derive(Debug, Default)]
pub struct Writing {
    record: Option<Open>,
    /// Offset of the next header; `None` before the first one, which begins where the stream is then.
    next: Option<u64>,
    /// True if the last record has left its message open; `None` if it is unknown.
    message_is_open: Option<bool>,
    /// Number of bytes that have been written: the position of a stream that has no other, like a pipe.
    passed: u64,
    /// True if bytes can only be written to the end of the file.
    appends: bool,
    /// The first error of the file: destroying the writer reports it.
    failure: Option<Failure>,
    /// End of the data of a closed record that other processes have to write.
    awaited: Option<u64>,
    /// Data that can be written in order, but for a byte that could be the last missing one.
    pub(crate) run: Run,
}

/// A record that has been begun.
#[derive(Debug)]
struct Open {
    offset: u64,
    header: Header,
    place: u64,
    written: Coverage,
    has_padding: bool,
    /// True if the state came from another writer: it is unknown which bytes have been written.
    is_shared: bool,
    /// True if the program has used `limeWriterSeek`, as programs do that write a record from several processes.
    is_random: bool,
    /// True if the file ended with the header when the record began: what follows has been written for the record.
    was_last: bool,
}

impl Open {
    fn payload(&self) -> u64 {
        self.offset + linkstream::lime::HEADER_LEN as u64
    }

    fn payload_end(&self) -> u64 {
        self.payload() + self.header.length()
    }

    fn end(&self) -> u64 {
        self.payload_end() + u64::from(padding(self.header.length()))
    }

    fn missing(&self) -> u64 {
        self.header.length() - self.written.covered()
    }

    fn is_complete(&self) -> bool {
        !self.is_shared && self.missing() == 0
    }
}

fn refused(error: &EncodeErrorKind) -> Refused {
    let code = match error {
        EncodeErrorKind::RecordOpen => ERR_HEADER_NEXT,
        EncodeErrorKind::BeginMissing | EncodeErrorKind::BeginUnexpected => ERR_MBME,
        EncodeErrorKind::PayloadTooShort { .. } => ERR_LAST_NOT_WRITTEN,
        _ => ERR_PARAM,
    };
    Refused::new(code, Failure::usage(error.to_string()))
}

fn no_record() -> Refused {
    Refused::usage("no record has been begun, or the record has been closed")
}

impl Writing {
    /// A writer to a stream, which begins where the stream is when the first header is written.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts what has been written in order since the last call.
    pub fn catch_up(&mut self) {
        let Run { at, place, done, .. } = std::mem::take(&mut self.run);
        if let Some(open) = self.record.as_mut().filter(|_| done > 0) {
            open.written.add(open.place, place);
            open.place = place;
            self.passed = at;
        }
    }

    /// Begins a record.
    ///
    /// # Errors
    /// The last record is not complete, or the flags do not fit its message; or the system refuses to write.
    pub fn begin(&mut self, stream: &mut Stream<'_>, header: &Header) -> Result<(), Refused> {
        if let Some(open) = self.record.as_ref().filter(|open| !open.is_complete()) {
            let refused = refused(&EncodeErrorKind::PayloadTooShort { missing: open.missing() });
            return Err(Refused { code: ERR_HEADER_NEXT, ..refused });
        }
        let (offset, appends) = match (self.record.as_ref().map(Open::end), self.next) {
            (Some(end), _) | (None, Some(end)) => (end, self.appends),
            (None, None) => {
                // The program may have read from the stream before.
                stream.turn();
                (stream.end_or_position().unwrap_or(self.passed), stream.appends())
            }
        };
        // The message of a file that is continued may be open: the file is not read again.
        let at_start = (offset == 0).then_some(false);
        let is_open = self.message_is_open.or(at_start).unwrap_or(!header.begins_message());
        Encoder::append(offset, is_open).begin(header).map_err(|error| refused(&error))?;
        self.note_missing(stream);
        self.appends = appends;
        self.put(stream, header.as_bytes(), offset).map_err(|(_, refused)| refused)?;
        let mut open = Open {
            offset,
            header: *header,
            place: 0,
            written: Coverage::default(),
            has_padding: false,
            is_shared: false,
            is_random: false,
            was_last: false,
        };
        open.was_last = stream.size().is_some_and(|size| size <= open.payload());
        (self.next, self.message_is_open) = (Some(open.end()), Some(!header.ends_message()));
        self.record = Some(open);
        if header.length() == 0 { self.complete(stream) } else { Ok(()) }
    }

    /// Number of bytes from the current position to the end of the data.
    ///
    /// # Errors
    /// No record has been begun.
    pub fn room(&self) -> Result<u64, Refused> {
        let open = self.record.as_ref().ok_or_else(no_record)?;
        Ok(open.header.length() - open.place)
    }

    /// Writes data of the record: at most as many as there is room for. Returns the number of bytes, also with an
    /// error.
    pub fn write(&mut self, stream: &mut Stream<'_>, bytes: &[u8]) -> (usize, Result<(), Refused>) {
        let Some(open) = &self.record else { return (0, Err(no_record())) };
        let at = open.payload() + open.place;
        let (number, outcome) = match self.put(stream, bytes, at) {
            Ok(()) => (bytes.len(), Ok(())),
            Err((number, refused)) => (number, Err(refused)),
        };
        if let Some(open) = &mut self.record {
            let from = open.place;
            open.place += number as u64;
            open.written.add(from, open.place);
        }
        let outcome = outcome.and_then(|()| self.complete(stream));
        if let (Some(open), Ok(())) = (&self.record, &outcome) {
            let left = open.missing().min(open.header.length() - open.place).saturating_sub(1);
            self.run = Run { at: open.payload() + open.place, place: open.place, left, done: 0 };
        }
        (number, outcome)
    }

    /// Writes the padding after the last byte of the data, and ends a complete record.
    fn complete(&mut self, stream: &mut Stream<'_>) -> Result<(), Refused> {
        let Some(open) = &self.record else { return Ok(()) };
        let (is_complete, end) = (open.is_complete(), open.end());
        if open.place == open.header.length() {
            self.pad(stream)?;
        }
        if is_complete { self.settle(stream, end, true) } else { Ok(()) }
    }

    fn pad(&mut self, stream: &mut Stream<'_>) -> Result<(), Refused> {
        let Some(open) = self.record.as_mut().filter(|open| !open.has_padding) else { return Ok(()) };
        open.has_padding = true;
        let (at, number) = (open.payload_end(), padding(open.header.length()));
        self.put(stream, &[0; 7][..usize::from(number)], at).map_err(|(_, refused)| refused)
    }

    /// Passes all bytes on to the system, and moves the stream to the end of the record. `is_new` is true if nothing
    /// can follow the record yet.
    fn settle(&mut self, stream: &mut Stream<'_>, end: u64, is_new: bool) -> Result<(), Refused> {
        stream.flush(end).map_err(|failure| self.failed(ERR_WRITE, failure))?;
        if self.appends {
            // Whatever the position of the stream, the system has appended: nothing else may have come between.
            return match stream.size() {
                Some(size) if size < end || is_new && size > end => {
                    let message = "something else has been written to the end of the file";
                    let failure = Failure { offset: Some(end), ..Failure::usage(message) };
                    Err(self.failed(ERR_WRITE, failure))
                }
                _ => Ok(()),
            };
        }
        stream.go_to(end, self.passed).map_err(|failure| self.failed(ERR_SEEK, failure))
    }

    /// Moves in the data of the record.
    ///
    /// # Errors
    /// No record has been begun; or the position is outside: then it becomes the first or the last one; or the stream
    /// cannot move.
    pub fn seek(&mut self, stream: &mut Stream<'_>, offset: i64, whence: Whence) -> Result<(), Refused> {
        let open = self.record.as_mut().ok_or_else(no_record)?;
        let Moved { to, outside } = moved(offset, whence, open.place, open.header.length());
        if to != open.place {
            let place = open.payload() + to;
            if self.appends {
                let message = "a stream that was opened for appending writes to the end of the file only";
                return Err(Refused::new(
                    ERR_SEEK,
                    Failure { offset: Some(place), ..Failure::usage(message) },
                ));
            }
            let moved = stream.go_to(place, self.passed);
            moved.map_err(|failure| Refused::new(ERR_SEEK, failure))?;
        }
        (open.place, open.is_random) = (to, true);
        outside.map_or(Ok(()), |failure| Err(Refused::new(ERR_SEEK, failure)))
    }

    /// Ends the record. Bytes that this writer has not written must be in the file: other processes can have written
    /// them. If the program uses `limeWriterSeek`, they can come later, and the end of the writer looks for them.
    ///
    /// # Errors
    /// No record has been begun, bytes are missing, or the system refuses to write.
    pub fn close_record(&mut self, stream: &mut Stream<'_>) -> Result<(), Refused> {
        let Some(open) = &self.record else {
            let end = self.next.ok_or_else(no_record)?;
            return self.settle(stream, end, false);
        };
        let (end, payload_end, is_complete) = (open.end(), open.payload_end(), open.is_complete());
        let (was_last, missing) = (open.was_last, open.missing());
        let is_shared = open.is_shared;
        let can_come_later = is_shared || open.is_random;
        if !is_complete {
            stream.flush(end).map_err(|failure| self.failed(ERR_WRITE, failure))?;
            let is_there = stream.size().is_some_and(|size| size >= payload_end);
            if !(is_there && was_last || can_come_later) {
                return Err(refused(&EncodeErrorKind::PayloadTooShort { missing }));
            }
            // Padding after missing bytes would make the file look complete.
            if !is_there {
                // The writer that began the record answers for it.
                self.awaited = (!is_shared).then_some(payload_end);
                self.record = None;
                return self.settle(stream, end, false);
            }
        }
        self.pad(stream)?;
        self.record = None;
        self.settle(stream, end, false)
    }

    /// The state, for another process.
    #[must_use]
    pub fn state(&self) -> State {
        let knows_message = self.message_is_open.is_some();
        let flags =
            [self.record.is_some(), self.next.is_some(), knows_message, self.message_is_open == Some(true)];
        match &self.record {
            Some(open) => {
                State { flags, offset: open.offset, place: open.place, header: *open.header.as_bytes() }
            }
            None => State { flags, offset: self.next.unwrap_or(0), place: 0, header: [0; 144] },
        }
    }

    /// Takes over the state of another writer, for this stream. From then on, it is unknown which bytes of the record
    /// have been written.
    ///
    /// # Errors
    /// The state has contradictions; or this writer has an incomplete record elsewhere; or the stream cannot move.
    pub fn take_state(&mut self, stream: &mut Stream<'_>, state: &State) -> Result<(), Refused> {
        let [has_record, knows_next, knows_message, is_open] = state.flags;
        let mine = self.record.as_ref().filter(|open| !open.is_shared && open.missing() > 0);
        if let Some(open) = mine.filter(|open| !(has_record && open.offset == state.offset)) {
            return Err(refused(&EncodeErrorKind::PayloadTooShort { missing: open.missing() }));
        }
        let mut record = None;
        let mut next = knows_next.then_some(state.offset);
        let appends = stream.appends();
        if has_record {
            let header = Header::from_bytes(state.header);
            // The message was open before the record, or it was not: a record that was begun fitted.
            let begun = Encoder::append(state.offset, !header.begins_message()).begin(&header).map(drop);
            if begun.is_err() || state.place > header.length() {
                return Err(Refused::usage("the state of the source has contradictions"));
            }
            let same = self.record.take().filter(|open| open.offset == state.offset && open.header == header);
            let (written, has_padding) =
                same.map_or_else(Default::default, |open| (open.written, open.has_padding));
            let (offset, place) = (state.offset, state.place);
            let (is_shared, is_random, was_last) = (true, true, false);
            let open = Open { offset, header, place, written, has_padding, is_shared, is_random, was_last };
            next = Some(open.end());
            record = Some(open);
        }
        self.appends = appends;
        (self.record, self.next) = (record, next);
        self.message_is_open = knows_message.then_some(is_open);
        let position = self.record.as_ref().map(|open| open.payload() + open.place).or(next);
        match position {
            Some(to) if !appends => {
                stream.go_to(to, self.passed).map_err(|failure| Refused::new(ERR_SEEK, failure))
            }
            _ => Ok(()),
        }
    }

    /// Ends the writer. The stream is used only if bytes of other processes were missing when a record was closed.
    ///
    /// # Errors
    /// Bytes of a record are missing, or there has been an error of the system.
    pub fn finish(&mut self, stream: &mut Stream<'_>) -> Result<(), Refused> {
        if let Some(open) = self.record.take().filter(|open| !open.is_shared && open.missing() > 0) {
            let refused = refused(&EncodeErrorKind::PayloadTooShort { missing: open.missing() });
            return Err(Refused { code: ERR_CLOSE, ..refused });
        }
        self.note_missing(stream);
        match self.failure.take() {
            Some(failure) => Err(Refused::new(ERR_CLOSE, failure)),
            None => Ok(()),
        }
    }

    /// Looks for bytes of the last record that other processes had to write.
    fn note_missing(&mut self, stream: &mut Stream<'_>) {
        let Some(end) = self.awaited.take() else { return };
        if let Some(size) = stream.size().filter(|size| *size < end) {
            let missing = end - size;
            let message = format!("the last {missing} bytes of a record were closed, but never written");
            let failure = Failure { offset: Some(size), ..Failure::usage(message) };
            self.failure.get_or_insert(failure);
        }
    }

    /// True if data or `limeWriterCloseRecord` must come before the next header.
    #[must_use]
    pub fn needs_data(&self) -> bool {
        self.record.as_ref().is_some_and(|open| !open.is_complete())
    }

    /// Position in the data of the record that has been begun.
    #[must_use]
    pub fn place(&self) -> u64 {
        self.record.as_ref().map_or(0, |open| open.place)
    }

    /// Header of the record that has been begun.
    #[must_use]
    pub fn header(&self) -> Option<&Header> {
        self.record.as_ref().map(|open| &open.header)
    }

    /// Writes bytes at an offset. After an error, returns also the number of bytes that were written.
    fn put(&mut self, stream: &mut Stream<'_>, bytes: &[u8], at: u64) -> Result<(), (usize, Refused)> {
        if bytes.is_empty() {
            return Ok(());
        }
        if stream.write_buffered(at, bytes) {
            self.passed = at + bytes.len() as u64;
            return Ok(());
        }
        if let Err(failure) = stream.go_to(at, self.passed) {
            return Err((0, self.failed(ERR_SEEK, failure)));
        }
        let outcome = stream.write(bytes, at);
        let number = outcome.as_ref().map_or_else(|(number, _)| *number, |()| bytes.len());
        self.passed = at + number as u64;
        outcome.map_err(|(number, failure)| (number, self.failed(ERR_WRITE, failure)))
    }

    fn failed(&mut self, code: std::ffi::c_int, failure: Failure) -> Refused {
        self.failure.get_or_insert_with(|| failure.clone());
        Refused::new(code, failure)
    }
}
