//! Programs of calls of liblime.

mod reading;
mod seeds;
mod stream;
mod writing;

pub use seeds::seeds;

use std::ffi::{c_char, c_int, c_void};
use std::ptr;
use std::sync::Once;

use lime::calls_reader::*;
use lime::calls_writer::*;
use lime::code::{EOF, EOR, SUCCESS};
use lime::shown::{LimeReader, LimeRecordHeader, LimeWriter};
use lime::state::{Owner, State};
use linkstream::lime::{Decoder, Event, HEADER_LEN, Header};
use linkstream::{Decode as _, Mode};

use crate::input::Input;
use crate::memory::Memory;
use crate::watch::{call, silent};

use stream::Stream;

/// A member of a structure that the program can see.
fn member<S, T: Copy>(structure: *const S, offset: usize) -> T {
    // SAFETY: callers pass handles that exist, and offsets of members of this type.
    unsafe { structure.cast::<u8>().add(offset).cast::<T>().read_unaligned() }
}

/// Offsets in `LimeReader` of `lime.h`.
const REC_PTR: usize = 48;
const REC_START: usize = 56;
/// Offset of `bytes_left` in `LimeWriter`.
const WRITER_LEFT: usize = 32;
/// Offsets of the states.
const READER_STATE: usize = 72;
const WRITER_STATE: usize = 68;

/// Number of functions of a program.
const FUNCTIONS: usize = 20;

/// The state of a program.
#[derive(Debug, Default)]
struct Program {
    streams: Vec<Stream>,
    /// All readers, with the number of their streams, and whether they exist.
    readers: Vec<*mut LimeReader>,
    writers: Vec<*mut LimeWriter>,
    headers: Vec<*mut LimeRecordHeader>,
    /// All that exist, each with the number of its stream.
    live_readers: Vec<(*mut LimeReader, usize)>,
    live_writers: Vec<(*mut LimeWriter, usize)>,
    live_headers: Vec<*mut LimeRecordHeader>,
}

fn coded(name: &str, function: impl FnOnce() -> c_int) -> c_int {
    let code = call(name, |code| !matches!(*code, SUCCESS | EOF | EOR), function);
    assert!((-11..=0).contains(&code), "{name} returned {code}");
    code
}

impl Program {
    fn others(&self) -> Vec<*mut c_void> {
        let mut others: Vec<*mut c_void> =
            vec![ptr::without_provenance_mut(8), ptr::without_provenance_mut(3)];
        others.extend(self.readers.last().map(|it| it.cast::<c_void>()));
        others.extend(self.writers.last().map(|it| it.cast::<c_void>()));
        others.extend(self.headers.last().map(|it| it.cast::<c_void>()));
        others.extend(self.streams.last().map(|it| it.file.cast::<c_void>()));
        others
    }

    fn stream_of_reader(&self, reader: *mut LimeReader) -> Option<usize> {
        self.live_readers.iter().find(|(it, _)| *it == reader).map(|(_, stream)| *stream)
    }

    fn stream_of_writer(&self, writer: *mut LimeWriter) -> Option<usize> {
        self.live_writers.iter().find(|(it, _)| *it == writer).map(|(_, stream)| *stream)
    }

    /// A call that works on what a writer writes.
    fn written(&mut self, writer: *mut LimeWriter, name: &str, function: impl FnOnce() -> c_int) -> c_int {
        let code = coded(name, function);
        if let Some(stream) = self.stream_of_writer(writer) {
            self.streams[stream].is_written_well &= code == SUCCESS;
        }
        code
    }

    fn step(&mut self, function: usize, input: &mut Input<'_>) {
        let others = self.others();
        match function {
            0 => {
                if self.streams.len() < 6 {
                    let kind = input.below(9);
                    self.streams.push(Stream::new(kind, input.file));
                }
            }
            1 => self.create_reader(input),
            2 => self.create_writer(input),
            3 => self.create_header(input),
            4 => self.next(input, &others),
            5 => self.read(input, &others),
            6 => {
                let r = input.handle(&self.readers, &others);
                coded("limeReaderCloseRecord", || unsafe { limeReaderCloseRecord(r) });
            }
            7 => {
                let r = input.handle(&self.readers, &others);
                let (offset, from) = (input.number() as i64, input.near(0) as c_int);
                coded("limeReaderSeek", || unsafe { limeReaderSeek(r, offset, from) });
            }
            8 => {
                let r = input.handle(&self.readers, &others);
                let offset = input.number() as i64;
                coded("limeSetReaderPointer", || unsafe { limeSetReaderPointer(r, offset) });
            }
            9 => self.ask(input, &others),
            10 => self.reader_state(input, &others),
            11 => self.destroy_reader(input, &others),
            12 => {
                let h = input.handle(&self.headers, &others);
                let w = input.handle(&self.writers, &others);
                self.written(w, "limeWriteRecordHeader", || unsafe { limeWriteRecordHeader(h, w) });
            }
            13 => self.write(input, &others),
            14 => {
                let w = input.handle(&self.writers, &others);
                self.written(w, "limeWriterCloseRecord", || unsafe { limeWriterCloseRecord(w) });
            }
            15 => {
                let w = input.handle(&self.writers, &others);
                let (offset, from) = (input.number() as i64, input.near(0) as c_int);
                self.written(w, "limeWriterSeek", || unsafe { limeWriterSeek(w, offset, from) });
            }
            16 => self.writer_state(input, &others),
            17 => {
                let w = input.handle(&self.writers, &others);
                self.destroy_writer(w);
            }
            18 => {
                let h = input.handle(&self.headers, &others);
                silent("limeDestroyHeader", || unsafe { limeDestroyHeader(h) });
                self.live_headers.retain(|it| *it != h);
            }
            _ => self.change_header(input),
        }
    }

    fn create_reader(&mut self, input: &mut Input<'_>) {
        let stream = self.streams.len().checked_sub(1 + input.below(self.streams.len()));
        let file = stream.map_or(ptr::null_mut(), |stream| self.streams[stream].file);
        let new = call(
            "limeCreateReader",
            |new: &*mut LimeReader| new.is_null(),
            || unsafe { limeCreateReader(file) },
        );
        assert_eq!(new.is_null(), file.is_null());
        if let Some(stream) = stream {
            // A reader moves the stream under a writer.
            self.streams[stream].is_written_well = false;
            self.readers.push(new);
            self.live_readers.push((new, stream));
        }
    }

    fn create_writer(&mut self, input: &mut Input<'_>) {
        let stream = self.streams.len().checked_sub(1 + input.below(self.streams.len()));
        let file = stream.map_or(ptr::null_mut(), |stream| self.streams[stream].file);
        let new = call(
            "limeCreateWriter",
            |new: &*mut LimeWriter| new.is_null(),
            || unsafe { limeCreateWriter(file) },
        );
        assert_eq!(new.is_null(), file.is_null());
        if let Some(stream) = stream {
            let used = self.live_writers.iter().any(|(_, it)| *it == stream) || self.writers.len() > 20;
            self.streams[stream].is_written_well &= !used;
            self.writers.push(new);
            self.live_writers.push((new, stream));
        }
    }

    /// A state, in a structure of the program.
    fn forged(input: &mut Input<'_>, owner: Owner, size: usize, offset: usize) -> Vec<u64> {
        let flags = input.byte();
        let header =
            Header::new(b"type", input.number(), flags & 16 != 0, flags & 32 != 0).expect("a header");
        let state = State {
            flags: [flags & 1 != 0, flags & 2 != 0, flags & 4 != 0, flags & 8 != 0],
            offset: input.number(),
            place: input.number(),
            header: if input.rarely(8) { [input.byte(); HEADER_LEN] } else { *header.as_bytes() },
        };
        let mut words = vec![0_u64; size.div_ceil(8)];
        let owner = if input.rarely(16) { Owner::Reader } else { owner };
        for (at, byte) in (offset..).zip(state.save(owner)) {
            words[at / 8] |= u64::from(byte) << (at % 8 * 8);
        }
        words
    }

    /// A copy of a handle, as another process gets it; damaged, for some choices.
    fn copy<S>(input: &mut Input<'_>, handle: *const S) -> Vec<u64> {
        let mut words: Vec<u64> = (0..size_of::<S>() / 8).map(|word| member(handle, word * 8)).collect();
        if input.rarely(4) {
            let at = input.below(words.len());
            words[at] ^= 1 << input.below(64);
        }
        words
    }

    /// Destroys what is left, and looks at the files that were written.
    fn end(mut self) {
        while let Some((w, _)) = self.live_writers.last().copied() {
            self.destroy_writer(w);
        }
        for (r, _) in &self.live_readers {
            silent("limeDestroyReader", || unsafe { limeDestroyReader(*r) });
        }
        for h in &self.live_headers {
            silent("limeDestroyHeader", || unsafe { limeDestroyHeader(*h) });
        }
        for stream in self.streams.iter().filter(|stream| stream.is_written_well) {
            check_file(&stream.contents());
        }
    }
}

/// A file that was written without an error is a LIME file, but for messages that are open.
fn check_file(bytes: &[u8]) {
    if bytes.is_empty() || bytes.len() > 1 << 20 {
        return;
    }
    let mut decoder = Decoder::new(Mode::Lenient);
    let mut rest = bytes;
    while !rest.is_empty() {
        let step = decoder.push(rest).expect("a LIME file");
        rest = &rest[step.consumed..];
        if let Some(Event::Finding(found)) = step.event {
            assert!(!found.kind.to_string().contains("padding"), "{found}");
        }
    }
    while decoder.finish().expect("a complete LIME file").is_some() {}
}

/// Runs a program.
pub fn check(input: &[u8]) {
    static ONCE: Once = Once::new();
    // A pipe that nobody reads is an error of the system, as in programs of this kind.
    // SAFETY: ignoring a signal has no requirements.
    ONCE.call_once(|| _ = unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) });
    let mut input = Input::new(input);
    if input.file.len() > 1 << 14 {
        return;
    }
    let mut program = Program::default();
    for _ in 0..Input::CALLS {
        let Some(function) = input.function(FUNCTIONS) else { break };
        program.step(function, &mut input);
    }
    program.end();
}
