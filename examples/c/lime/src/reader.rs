//! Reading: `LimeReader`.

use std::ffi::c_char;

use libc::FILE;
use linkstream::lime::{Decoder, Event, padding};
use linkstream::{Decode, Demand, Mode, SeekPayload, State};
use linkstream_c_border::{Failure, Stream};

use crate::code::{EOF, EOR, ERR_READ, ERR_SEEK, Refused};

/// Mark of a reader in use. A destroyed one has another.
pub(crate) const MARK: u32 = 0x4c52_4452;

/// Size of the saved state in the header file.
pub const STATE: usize = 288;

const _: () = assert!(State::<Decoder>::LEN <= STATE, "LIME_READER_STATE in lime.h is too small");

/// A reader, as C programs see it. Its state can be copied to another process.
#[repr(C)]
#[derive(Debug)]
pub struct LimeReader {
    pub(crate) mark: u32,
    has_record: i32,
    pub(crate) stream: *mut FILE,
    record_type: [c_char; 136],
    state: [u8; STATE],
}

/// From where a position is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whence {
    /// The beginning of the data.
    Start,
    /// The current position.
    Current,
    /// The end of the data.
    End,
}

/// The position in data of this length that a C program requests. Positions outside become the first or the last
/// (LIME 1.2, section 3).
#[must_use]
pub fn wanted(offset: i64, whence: Whence, now: u64, length: u64) -> u64 {
    let from = match whence {
        Whence::Start => 0,
        Whence::Current => now,
        Whence::End => length,
    };
    let to = i128::from(from) + i128::from(offset);
    u64::try_from(to.max(0)).unwrap_or(u64::MAX).min(length)
}

impl LimeReader {
    /// A reader from a position of a stream on.
    #[must_use]
    pub fn new(stream: *mut FILE, position: u64) -> Self {
        let mut reader = Self { mark: MARK, has_record: 0, stream, record_type: [0; 136], state: [0; STATE] };
        reader.set(&at(position));
        reader
    }

    /// The decoder.
    ///
    /// # Errors
    /// This is no reader, or its state is damaged.
    fn decoder(&self) -> Result<Decoder, Refused> {
        if self.mark != MARK {
            return Err(Refused::usage("this is no reader, or it has been destroyed"));
        }
        let saved = State::from_bytes(&self.state[..State::<Decoder>::LEN]);
        let decoder = saved.and_then(|saved| Decoder::load(&saved));
        decoder.map_err(|error| Refused::usage(&format!("the state of the reader is damaged: {error}")))
    }

    /// Keeps the state of the decoder.
    fn set(&mut self, decoder: &Decoder) {
        // A decoder that has failed is not kept: the next call meets the same error again, at the same place.
        if let Ok(saved) = decoder.save() {
            let bytes = saved.as_bytes();
            self.state[..bytes.len()].copy_from_slice(bytes);
        }
    }

    /// The decoder in a record.
    fn open(&self) -> Result<Decoder, Refused> {
        let decoder = self.decoder()?;
        if self.has_record == 0 {
            return Err(Refused::usage("no record has been read"));
        }
        Ok(decoder)
    }

    /// Goes to the next record, and reads its header.
    ///
    /// # Errors
    /// The end of the file, or it is truncated, or no LIME file.
    pub fn next(&mut self, stream: &mut Stream<'_>) -> Result<(), Refused> {
        let mut decoder = self.decoder()?;
        leave(&mut decoder, stream)?;
        self.has_record = 0;
        self.set(&decoder);
        loop {
            let (step, _) = push(&mut decoder, stream)?;
            match step {
                Pushed::Event(Event::Record(_)) => break,
                Pushed::Event(_) => {}
                Pushed::End => return Err(Refused::end(EOF)),
            }
        }
        self.record_type = [0; 136];
        let room = self.record_type.iter_mut().zip(decoder.record_type());
        room.for_each(|(to, byte)| *to = *byte as c_char);
        self.has_record = 1;
        self.set(&decoder);
        Ok(())
    }

    /// Goes to the end of the record.
    ///
    /// # Errors
    /// No record has been read, or the file ends inside it.
    pub fn close_record(&mut self, stream: &mut Stream<'_>) -> Result<(), Refused> {
        let mut decoder = self.open()?;
        leave(&mut decoder, stream)?;
        self.set(&decoder);
        Ok(())
    }

    /// Reads data of the record. Returns their number, also with an error.
    pub fn read(&mut self, stream: &mut Stream<'_>, room: &mut [u8]) -> (usize, Result<(), Refused>) {
        let mut decoder = match self.open() {
            Ok(decoder) => decoder,
            Err(refused) => return (0, Err(refused)),
        };
        let Demand::Skip(left) = decoder.demand() else { return (0, Err(Refused::end(EOR))) };
        if room.is_empty() {
            return (0, Ok(()));
        }
        let wanted = usize::try_from(left).unwrap_or(usize::MAX).min(room.len());
        let at = decoder.position();
        // A stream without positions is where the last call has left it.
        if let Err(failure) = stream.go_to(at, at) {
            return (0, Err(Refused::new(ERR_SEEK, failure)));
        }
        let (number, outcome) = match stream.read(&mut room[..wanted], at) {
            Ok(number) => (number, Ok(())),
            Err(failure) => (0, Err(Refused::new(ERR_READ, failure))),
        };
        let skipped = decoder.skip(number as u64).map_err(|error| Refused::new(ERR_READ, Failure::of(error)));
        self.set(&decoder);
        let ended = if number < wanted { Err(truncated(&mut decoder)) } else { Ok(()) };
        (number, outcome.and(skipped).and(ended))
    }

    /// Moves in the data of the record.
    ///
    /// # Errors
    /// No record has been read, or the record has been closed.
    pub fn seek(&mut self, offset: i64, whence: Whence) -> Result<(), Refused> {
        let mut decoder = self.open()?;
        let length = decoder.record().length;
        let Some(now) = decoder.payload_position() else {
            return Err(Refused::usage("the record has been closed"));
        };
        let moved = decoder.seek(wanted(offset, whence, now, length));
        moved.map_err(|error| Refused::new(ERR_SEEK, Failure::of(error)))?;
        self.set(&decoder);
        Ok(())
    }

    /// Continues at an offset, where a record must begin.
    ///
    /// # Errors
    /// This is no reader.
    pub fn set_pointer(&mut self, offset: u64) -> Result<(), Refused> {
        self.decoder()?;
        self.has_record = 0;
        self.set(&at(offset));
        Ok(())
    }

    /// The offset of the next record.
    ///
    /// # Errors
    /// This is no reader.
    pub fn pointer(&self) -> Result<u64, Refused> {
        let decoder = self.decoder()?;
        Ok(if self.has_record == 0 { decoder.position() } else { decoder.record().next_offset() })
    }

    /// Takes over the state of another reader.
    ///
    /// # Errors
    /// One of them is no reader, or its state is damaged.
    pub fn take_state(&mut self, other: &Self) -> Result<(), Refused> {
        self.decoder()?;
        other.decoder()?;
        self.has_record = other.has_record;
        self.record_type = other.record_type;
        self.state = other.state;
        Ok(())
    }

    /// Flags of the current record: it begins a message, it ends one.
    ///
    /// # Errors
    /// No record has been read.
    pub fn flags(&self) -> Result<[bool; 2], Refused> {
        let record = self.open()?.record();
        Ok([record.begin, record.end])
    }

    /// Size of the data of the current record.
    ///
    /// # Errors
    /// No record has been read.
    pub fn bytes(&self) -> Result<u64, Refused> {
        Ok(self.open()?.record().length)
    }

    /// Size of the padding of the current record.
    ///
    /// # Errors
    /// No record has been read.
    pub fn pad_bytes(&self) -> Result<usize, Refused> {
        Ok(usize::from(padding(self.bytes()?)))
    }

    /// The type of the current record, with a zero byte at its end.
    ///
    /// # Errors
    /// No record has been read.
    pub fn record_type(&mut self) -> Result<&mut [c_char], Refused> {
        self.open()?;
        Ok(&mut self.record_type)
    }

    /// True if the data of the last record of a message have been read to their end.
    ///
    /// # Errors
    /// No record has been read.
    pub fn is_end_of_message(&self) -> Result<bool, Refused> {
        let decoder = self.open()?;
        let record = decoder.record();
        let is_read = decoder.payload_position().is_none_or(|position| position == record.length);
        Ok(record.end && is_read)
    }
}

/// A decoder from an offset on. Flags are not judged: the reference implementation does not, either.
fn at(offset: u64) -> Decoder {
    if offset == 0 { Decoder::new(Mode::Lenient) } else { Decoder::at(offset, Mode::Lenient) }
}

/// The error of a file that ends where the decoder is.
fn truncated(decoder: &mut Decoder) -> Refused {
    loop {
        match decoder.finish() {
            Ok(Some(_)) => {}
            Ok(None) => {
                let message = "the stream has become shorter";
                let failure = Failure { offset: Some(decoder.position()), ..Failure::usage(message) };
                return Refused::new(ERR_READ, failure);
            }
            Err(error) => return Refused::new(ERR_READ, Failure::of(error)),
        }
    }
}

/// Outcome of a push.
enum Pushed {
    Event(Event),
    End,
}

/// Reads what the decoder needs next, except data, and pushes it.
fn push(decoder: &mut Decoder, stream: &mut Stream<'_>) -> Result<(Pushed, usize), Refused> {
    loop {
        let mut room = [0; 144];
        let needed = match decoder.demand() {
            Demand::Bytes(number) => usize::try_from(number).unwrap_or(usize::MAX).min(room.len()),
            _ => 0,
        };
        let at = decoder.position();
        stream.go_to(at, at).map_err(|failure| Refused::new(ERR_SEEK, failure))?;
        let read = stream.read(&mut room[..needed], at);
        let read = read.map_err(|failure| Refused::new(ERR_READ, failure))?;
        if needed > 0 && read == 0 {
            return match decoder.finish() {
                Ok(Some(event)) => Ok((Pushed::Event(event), 0)),
                Ok(None) => Ok((Pushed::End, 0)),
                Err(error) => Err(Refused::new(ERR_READ, Failure::of(error))),
            };
        }
        let step = decoder.push(&room[..read]);
        let step = step.map_err(|error| Refused::new(ERR_READ, Failure::of(error)))?;
        if let Some(event) = step.event {
            return Ok((Pushed::Event(event), step.consumed));
        }
    }
}

/// Goes to the end of the record that the decoder is in, if there is one.
fn leave(decoder: &mut Decoder, stream: &mut Stream<'_>) -> Result<(), Refused> {
    if decoder.payload_position().is_none() {
        return Ok(());
    }
    if let Demand::Skip(left) = decoder.demand() {
        let (from, to) = (decoder.position(), decoder.position() + left);
        // A seek goes beyond the end of a file without an error.
        if let Some(size) = stream.size().filter(|size| *size < to) {
            let there = size.saturating_sub(from).min(left);
            decoder.skip(there).map_err(|error| Refused::new(ERR_READ, Failure::of(error)))?;
            return Err(truncated(decoder));
        }
        stream.go_to(to, from).map_err(|failure| Refused::new(ERR_READ, failure))?;
        decoder.skip(left).map_err(|error| Refused::new(ERR_READ, Failure::of(error)))?;
    }
    // The padding, and the event of the end.
    while !decoder.is_between_records() {
        match push(decoder, stream)? {
            (Pushed::Event(_), _) => {}
            (Pushed::End, _) => break,
        }
    }
    Ok(())
}
