//! A model of the LIME decoder: a second reader in the simplest form, which works on a complete file in memory and was
//! written from section 1 of `formats/qio-on-disk.md`, the appendix of LIME 1.2 and the public documentation of
//! [`ErrorKind`], [`Event`] and [`Mode`].
//!
//! The offset of an error is the offset of the word in the header or of the padding byte, the end of the input if
//! something is missing, or the beginning of stray bytes.

use host_tests::drive::{Drive, Item, Trace};
use linkstream::Resumable as _;
use linkstream::lime::{Decoder, ErrorKind, Event, Record};
use linkstream::{Error, Mode};

/// The trace of a LIME decoder. The note at an event is the header that the decoder returns then.
pub type LimeTrace = Trace<Event, ErrorKind>;

pub const MODES: [Mode; 3] = [Mode::Strict, Mode::Lenient, Mode::Survey];

const MAGIC: [u8; 4] = [0x45, 0x67, 0x89, 0xAB];

/// A harness for LIME.
pub fn drive<'a>(decoder: &'a Decoder, input: &'a [u8]) -> Drive<'a, Decoder> {
    Drive::new(decoder, input, |event| matches!(event, Event::Payload)).noting(|decoder, event| match event {
        Event::Record(record) => {
            assert_eq!(*record, decoder.record());
            assert_eq!(decoder.record_type(), decoder.header().record_type());
            decoder.header().as_bytes().to_vec()
        }
        Event::End => decoder.header().as_bytes().to_vec(),
        _ => Vec::new(),
    })
}

/// A decoder, saved and restored.
pub fn restored(decoder: Decoder) -> Decoder {
    let saved = decoder.save().expect("a decoder without an error can be saved");
    Decoder::load(&saved).expect("what was saved can be loaded")
}

/// Every byte of headers and padding, and the payload bytes next to them; inside payloads, where the decoder only
/// counts, each 997th byte.
pub fn relevant_cuts(bytes: &[u8]) -> Vec<usize> {
    let mut counted = vec![false; bytes.len()];
    for record in host_tests::oracle::records(bytes) {
        let payload = usize::try_from(record.payload_offset).expect("in memory");
        let inside = payload + 8..payload.saturating_add(record.payload(bytes).len().saturating_sub(8));
        for at in inside.filter(|at| at % 997 != 0) {
            counted[at] = true;
        }
    }
    (1..bytes.len()).filter(|at| !counted[*at]).collect()
}

/// The words of a header.
struct Words {
    version: u16,
    begin: bool,
    end: bool,
    reserved: u16,
    length: u64,
    type_len: usize,
    type_garbage: Option<usize>,
}

impl Words {
    fn of(header: &[u8]) -> Self {
        let flags = u16::from_be_bytes([header[6], header[7]]);
        let field = &header[16..144];
        let type_len = field.iter().position(|byte| *byte == 0).unwrap_or(128);
        Self {
            version: u16::from_be_bytes([header[4], header[5]]),
            begin: flags & 0x8000 != 0,
            end: flags & 0x4000 != 0,
            reserved: flags & 0x3FFF,
            length: u64::from_be_bytes(header[8..16].try_into().expect("8 bytes")),
            type_len,
            type_garbage: (type_len..128).find(|i| field[*i] != 0).map(|i| 16 + i),
        }
    }

    fn is_terminal_null(&self) -> bool {
        !self.begin && !self.end && self.reserved == 0 && self.length == 0 && self.type_len == 0
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Before {
    MessageEnded,
    MessageOpen,
    /// The end of the file, or an ordinary record if its message continues: the next record may or may not have MB.
    TerminalNull,
    /// Reading began in the middle of a file.
    Unknown,
}

struct Model<'a> {
    bytes: &'a [u8],
    base: u64,
    mode: Mode,
    trace: LimeTrace,
    before: Before,
    record: Record,
}

/// The expected trace of a file.
pub fn expected(bytes: &[u8], mode: Mode) -> LimeTrace {
    expected_from(bytes, 0, mode, Before::MessageEnded)
}

/// The expected trace of the rest of a file from the record at `base` on.
pub fn expected_at(bytes: &[u8], base: u64, mode: Mode) -> LimeTrace {
    expected_from(bytes, base, mode, Before::Unknown)
}

fn expected_from(bytes: &[u8], base: u64, mode: Mode, before: Before) -> LimeTrace {
    let trace = Trace { items: Vec::new(), end: Ok(()), position: base };
    let mut model = Model { bytes, base, mode, trace, before, record: Record::default() };
    model.trace.end = model.file();
    model.trace
}

type Reported = Result<(), Error<ErrorKind>>;

impl Model<'_> {
    fn file(&mut self) -> Reported {
        while !self.rest().is_empty() {
            if self.rest().len() < 144 {
                return self.less_than_a_header();
            }
            self.record()?;
        }
        self.open_message()
    }

    fn open_message(&mut self) -> Reported {
        if self.before == Before::MessageOpen {
            self.note_event(self.trace.position, ErrorKind::MessageOpen)?;
        }
        Ok(())
    }

    fn rest(&self) -> &[u8] {
        &self.bytes[usize::try_from(self.trace.position - self.base).expect("in memory")..]
    }

    fn event(&mut self, event: Event) {
        let note = match event {
            Event::Record(_) | Event::End => {
                let start = usize::try_from(self.record.offset - self.base).expect("in memory");
                self.bytes[start..start + 144].to_vec()
            }
            _ => Vec::new(),
        };
        self.trace.items.push(Item::Event { event, after: self.trace.position, note });
    }

    /// Reports a finding, or returns an error if the mode refuses it.
    fn note_event(&mut self, at: u64, kind: ErrorKind) -> Reported {
        let error = Error::new(at, kind);
        let refused = match kind {
            ErrorKind::MessageOpen | ErrorKind::TerminalNull => false,
            ErrorKind::ReservedBits { .. }
            | ErrorKind::TypeGarbage
            | ErrorKind::BeginMissing
            | ErrorKind::BeginUnexpected
            | ErrorKind::PaddingNonzero { .. }
            | ErrorKind::PaddingTruncated { .. }
            | ErrorKind::Trailing { .. } => self.mode == Mode::Strict,
            _ => true,
        };
        if refused {
            return Err(error);
        }
        self.event(Event::Finding(error));
        Ok(())
    }

    fn less_than_a_header(&mut self) -> Reported {
        let (start, rest) = (self.trace.position, self.rest().to_vec());
        let end = start + rest.len() as u64;
        let have = u8::try_from(rest.len()).expect("less than a header");
        let begins_as_header = rest.iter().zip(MAGIC).all(|(found, magic)| *found == magic);
        self.trace.position = end;
        if begins_as_header {
            return self.note_event(end, ErrorKind::HeaderTruncated { have });
        }
        if self.record.message > 0 {
            self.note_event(start, ErrorKind::Trailing { count: have.into() })?;
            return self.open_message();
        }
        let mut word = rest;
        word.resize(4, 0);
        let found = u32::from_be_bytes(word[..4].try_into().expect("4 bytes"));
        self.note_event(start, ErrorKind::Magic { found })
    }

    fn record(&mut self) -> Reported {
        let start = self.trace.position;
        let header = self.rest()[..144].to_vec();
        let words = Words::of(&header);
        self.trace.position += 144;
        if header[..4] != MAGIC {
            let found = u32::from_be_bytes(header[..4].try_into().expect("4 bytes"));
            return self.note_event(start, ErrorKind::Magic { found });
        }
        if words.version != 1 {
            return self.note_event(start + 4, ErrorKind::Version { found: words.version });
        }
        let whole = words.length.checked_next_multiple_of(8);
        if whole.and_then(|whole| whole.checked_add(start + 144)).is_none() {
            return self.note_event(start + 8, ErrorKind::LengthOverflow { length: words.length });
        }
        self.oddities(start, &words)?;
        self.number(start, &words);
        self.event(Event::Record(self.record));
        self.payload(words.length)?;
        self.padding(words.length)?;
        self.event(Event::End);
        Ok(())
    }

    fn oddities(&mut self, start: u64, words: &Words) -> Reported {
        if words.reserved != 0 {
            self.note_event(start + 6, ErrorKind::ReservedBits { found: words.reserved })?;
        }
        let null = words.is_terminal_null();
        match (self.before, words.begin) {
            // A terminal null after the end of a message is reported as such, not as a record without MB.
            (Before::MessageEnded, false) if !null || self.record.message == 0 => {
                self.note_event(start + 6, ErrorKind::BeginMissing)?;
            }
            (Before::MessageOpen, true) => self.note_event(start + 6, ErrorKind::BeginUnexpected)?,
            _ => {}
        }
        if let Some(within) = words.type_garbage {
            self.note_event(start + within as u64, ErrorKind::TypeGarbage)?;
        }
        if null { self.note_event(start, ErrorKind::TerminalNull) } else { Ok(()) }
    }

    fn number(&mut self, offset: u64, words: &Words) {
        let Record { message, number, .. } = self.record;
        let (message, number) =
            if words.begin || message == 0 { (message + 1, 1) } else { (message, number + 1) };
        let (begin, end) = (words.begin, words.end);
        self.record = Record { offset, length: words.length, message, number, begin, end };
        self.before = match (words.end, words.is_terminal_null()) {
            (true, _) => Before::MessageEnded,
            // A message that has ended does not continue after it.
            (false, true) if self.before == Before::MessageEnded => Before::MessageEnded,
            (false, true) => Before::TerminalNull,
            (false, false) => Before::MessageOpen,
        };
    }

    fn payload(&mut self, length: u64) -> Reported {
        let there = self.rest().len().min(usize::try_from(length).unwrap_or(usize::MAX));
        if there > 0 {
            let crc = Some(crc32fast::hash(&self.rest()[..there]));
            let offset = self.trace.position;
            self.trace.items.push(Item::Payload { offset, length: there as u64, crc });
        }
        self.trace.position += there as u64;
        let missing = length - there as u64;
        if missing > 0 {
            return self.note_event(self.trace.position, ErrorKind::PayloadTruncated { missing });
        }
        Ok(())
    }

    fn padding(&mut self, length: u64) -> Reported {
        let mut reported = false;
        for left in (1..=(8 - length % 8) % 8).rev() {
            match self.rest().first().copied() {
                Some(found) if found != 0 && !reported => {
                    reported = true;
                    self.note_event(self.trace.position, ErrorKind::PaddingNonzero { found })?;
                }
                Some(_) => {}
                None => {
                    let missing = u8::try_from(left).expect("at most 7");
                    return self.note_event(self.trace.position, ErrorKind::PaddingTruncated { missing });
                }
            }
            self.trace.position += 1;
        }
        Ok(())
    }
}
