//! Programs of calls of liblime.

use std::ffi::{c_char, c_int, c_void};
use std::ptr;
use std::sync::Once;

use libc::FILE;
use lime::calls_reader::*;
use lime::calls_writer::*;
use lime::code::{EOF, EOR, SUCCESS};
use lime::shown::{LimeReader, LimeRecordHeader, LimeWriter};
use lime::state::{self, Owner, State};
use linkstream::lime::{Decoder, Event, HEADER_LEN, Header};
use linkstream::{Decode as _, Mode};

use crate::input::Input;
use crate::memory::Memory;
use crate::scratch::fixture;
use crate::watch::{call, silent};

/// A stream of the C library.
#[derive(Debug)]
struct Stream {
    file: *mut FILE,
    /// Descriptor of a file in memory with a copy of its own.
    copy: Option<c_int>,
    /// True if the file in memory has the bytes of the input, and nothing writes to it.
    is_input: bool,
    /// True if the file in memory was empty, and only one writer has worked on it without an error or a state.
    is_written_well: bool,
    /// Memory of the stream.
    _memory: Option<Memory>,
}

/// A file in memory.
fn in_memory(bytes: &[u8]) -> c_int {
    // SAFETY: the name is a C string.
    let number = unsafe { libc::memfd_create(c"stream".as_ptr(), libc::MFD_CLOEXEC) };
    // SAFETY: the bytes have this length.
    let written = unsafe { libc::pwrite(number, bytes.as_ptr().cast(), bytes.len(), 0) };
    assert_eq!(written, bytes.len() as isize, "a file in memory");
    number
}

impl Stream {
    fn new(kind: usize, bytes: &[u8]) -> Self {
        let mut new = Self {
            file: ptr::null_mut(),
            copy: None,
            is_input: false,
            is_written_well: false,
            _memory: None,
        };
        let on_memory = |new: &mut Self, bytes: &[u8], mode: &std::ffi::CStr| {
            let number = in_memory(bytes);
            // SAFETY: the number is of a file.
            new.copy = Some(unsafe { libc::dup(number) });
            // SAFETY: the number is of a file, which the stream closes.
            new.file = unsafe { libc::fdopen(number, mode.as_ptr()) };
        };
        match kind {
            0 => {
                on_memory(&mut new, bytes, c"r");
                new.is_input = true;
            }
            1 => {
                on_memory(&mut new, &[], c"w+");
                new.is_written_well = true;
            }
            2 => on_memory(&mut new, bytes, c"r+"),
            3 => on_memory(&mut new, bytes, c"a+"),
            4 => {
                // A stream that is soon full.
                let mut memory = Memory::new(bytes.len() as u64 % 2000 + 1);
                // SAFETY: the memory has this length, and lives as long as the stream.
                new.file =
                    unsafe { libc::fmemopen(memory.address(), memory.length as usize, c"w+".as_ptr()) };
                new._memory = Some(memory);
            }
            5 => {
                let mut memory = Memory::new(bytes.len() as u64 + 1);
                // SAFETY: the memory has this length, and is not used otherwise.
                unsafe { memory.address::<u8>().copy_from(bytes.as_ptr(), bytes.len()) };
                // SAFETY: the memory has this length, and lives as long as the stream.
                new.file = unsafe { libc::fmemopen(memory.address(), bytes.len().max(1), c"r".as_ptr()) };
                new._memory = Some(memory);
            }
            6 => {
                let mut ends = [0; 2];
                // SAFETY: there is room for two numbers.
                assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0);
                // SAFETY: the bytes have this length; a pipe has room for them.
                unsafe { libc::write(ends[1], bytes.as_ptr().cast(), bytes.len().min(1 << 15)) };
                // SAFETY: the number is of this pipe.
                unsafe { libc::close(ends[1]) };
                // SAFETY: the number is of this pipe.
                new.file = unsafe { libc::fdopen(ends[0], c"r".as_ptr()) };
            }
            7 => {
                let mut ends = [0; 2];
                // SAFETY: there is room for two numbers.
                assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0);
                // SAFETY: the number is of this pipe. Nothing will ever read from it.
                unsafe { libc::close(ends[0]) };
                // SAFETY: the number is of this pipe.
                new.file = unsafe { libc::fdopen(ends[1], c"w".as_ptr()) };
            }
            // SAFETY: both are C strings.
            _ => new.file = unsafe { libc::fopen(c"/dev/full".as_ptr(), c"w".as_ptr()) },
        }
        assert!(!new.file.is_null(), "a stream");
        new
    }

    /// The bytes that are in the file.
    fn contents(&self) -> Vec<u8> {
        let number = self.copy.expect("a file in memory");
        let mut found = Vec::new();
        let mut room = [0_u8; 4096];
        loop {
            // SAFETY: the room has this length.
            let read =
                unsafe { libc::pread(number, room.as_mut_ptr().cast(), room.len(), found.len() as i64) };
            match usize::try_from(read) {
                Ok(0) | Err(_) => return found,
                // Bytes that programs write at offsets of their choice come after many zeros.
                Ok(_) if found.len() > 1 << 20 => return found,
                Ok(read) => found.extend_from_slice(&room[..read]),
            }
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: the stream is open, and no handle uses it any more.
        unsafe { libc::fclose(self.file) };
        if let Some(number) = self.copy {
            // SAFETY: the number is open.
            unsafe { libc::close(number) };
        }
    }
}

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

    fn create_header(&mut self, input: &mut Input<'_>) {
        let (begins, ends) = (1 - input.near(0) as c_int, 1 - input.near(0) as c_int);
        let mut text = input.text();
        let text = if input.rarely(32) { ptr::null_mut() } else { text.as_mut_ptr().cast::<c_char>() };
        let length = input.number();
        let is_null = |new: &*mut LimeRecordHeader| new.is_null();
        let new =
            call("limeCreateHeader", is_null, || unsafe { limeCreateHeader(begins, ends, text, length) });
        if !new.is_null() {
            self.headers.push(new);
            self.live_headers.push(new);
        }
    }

    /// A program may change the members of a header.
    fn change_header(&mut self, input: &mut Input<'_>) {
        let Some(header) = self.live_headers.last().copied() else { return };
        let (offset, value) = match input.below(5) {
            0 => (24, input.number()),
            1 => (0, input.number()),
            2 => (4, input.number()),
            3 => (8, input.number()),
            // The pointer to the type.
            _ => (16, input.number()),
        };
        // SAFETY: the header exists; these are members of the structure.
        unsafe {
            let place = header.cast::<u8>().add(offset);
            if offset >= 16 {
                place.cast::<u64>().write(value)
            } else {
                place.cast::<u32>().write(value as u32)
            }
        }
    }

    fn next(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let r = input.handle(&self.readers, others);
        let code = coded("limeReaderNextRecord", || unsafe { limeReaderNextRecord(r) });
        if code != SUCCESS || !self.stream_of_reader(r).is_some_and(|stream| self.streams[stream].is_input) {
            return;
        }
        // The bytes of the file agree with all that the reader says of the record.
        let start = member::<_, u64>(r, REC_START) as usize;
        let bytes: [u8; HEADER_LEN] = input.file[start - HEADER_LEN..start].try_into().expect("a header");
        let header = Header::from_bytes(bytes);
        assert_eq!(bytes[..4], 0x4567_89ab_u32.to_be_bytes());
        assert_eq!(unsafe { limeReaderBytes(r) }, header.length());
        assert_eq!(unsafe { limeReaderMBFlag(r) } == 1, header.begins_message());
        assert_eq!(unsafe { limeReaderMEFlag(r) } == 1, header.ends_message());
        // SAFETY: the type of a record is a C string.
        let found = unsafe { std::ffi::CStr::from_ptr(limeReaderType(r)) };
        assert_eq!(Some(found.to_bytes()), bytes[16..].split(|byte| *byte == 0).next());
    }

    fn read(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let r = input.handle(&self.readers, others);
        let stream = self.stream_of_reader(r);
        let wanted = match input.number() {
            0 => 1 << 16,
            wanted => wanted,
        };
        // As much as there can be.
        let room = wanted.min(input.file.len() as u64 + 4096);
        let mut memory = Memory::new(room);
        let to: *mut c_void = if input.rarely(32) { ptr::null_mut() } else { memory.address() };
        let mut number = wanted;
        let place = if input.rarely(32) { ptr::null_mut() } else { &raw mut number };
        let before = stream.map(|_| member::<_, u64>(r, REC_PTR));
        let code = coded("limeReaderReadData", || unsafe { limeReaderReadData(to, place, r) });
        if place.is_null() {
            return assert!(code < 0);
        }
        if stream.is_none() {
            // A handle that does not exist says nothing about the number.
            return;
        }
        assert!(number <= wanted && (code != SUCCESS || number > 0 || wanted == 0));
        let Some(before) = before else { return };
        if to.is_null() && number > 0 {
            panic!("bytes were read into a null pointer");
        }
        if code == SUCCESS || number > 0 {
            assert_eq!(member::<_, u64>(r, REC_PTR), before + number);
        }
        if number > 0 && stream.is_some_and(|stream| self.streams[stream].is_input) {
            let start = (member::<_, u64>(r, REC_START) + before) as usize;
            let expected = &input.file[start..start + number as usize];
            assert_eq!(memory.bytes().map(|bytes| &bytes[..number as usize]), Some(expected));
        }
    }

    /// Calls that only ask.
    fn ask(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let r = input.handle(&self.readers, others);
        let exists = self.stream_of_reader(r).is_some();
        let flag = |code: &c_int| *code < 0;
        let begins = call("limeReaderMBFlag", flag, || unsafe { limeReaderMBFlag(r) });
        call("limeReaderMEFlag", flag, || unsafe { limeReaderMEFlag(r) });
        call("limeEOM", flag, || unsafe { limeEOM(r) });
        let text =
            call("limeReaderType", |text: &*mut c_char| text.is_null(), || unsafe { limeReaderType(r) });
        silent("limeReaderBytes", || unsafe { limeReaderBytes(r) });
        let padding = silent("limeReaderPadBytes", || unsafe { limeReaderPadBytes(r) });
        let pointer = call("limeGetReaderPointer", |at| *at < 0, || unsafe { limeGetReaderPointer(r) });
        assert!(padding < 8 && (exists || begins < 0 && text.is_null() && pointer < 0));
        if !text.is_null() {
            // SAFETY: the type of a record is a C string.
            assert!(unsafe { libc::strlen(text) } <= 128);
            // A program may write to it.
            // SAFETY: as above.
            unsafe { *text = input.byte() as c_char };
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

    fn reader_state(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let to = input.handle(&self.readers, others);
        let mut words;
        let from = match input.below(4) {
            // All others would be read.
            0 => self.readers.first().copied().unwrap_or(ptr::null_mut()),
            1 => ptr::null_mut(),
            2 => match self.live_readers.first() {
                Some((reader, _)) => {
                    words = Self::copy(input, *reader);
                    words.as_mut_ptr().cast()
                }
                None => return,
            },
            _ => {
                words = Self::forged(input, Owner::Reader, size_of::<LimeReader>(), READER_STATE);
                words.as_mut_ptr().cast()
            }
        };
        coded("limeReaderSetState", || unsafe { limeReaderSetState(to, from) });
    }

    fn writer_state(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let to = input.handle(&self.writers, others);
        let mut words;
        let from = match input.below(4) {
            0 => self.writers.first().copied().unwrap_or(ptr::null_mut()),
            1 => ptr::null_mut(),
            2 => match self.live_writers.first() {
                Some((writer, _)) => {
                    words = Self::copy(input, *writer);
                    words.as_mut_ptr().cast()
                }
                None => return,
            },
            _ => {
                words = Self::forged(input, Owner::Writer, size_of::<LimeWriter>(), WRITER_STATE);
                words.as_mut_ptr().cast()
            }
        };
        if let Some(stream) = self.stream_of_writer(to) {
            self.streams[stream].is_written_well = false;
        }
        coded("limeWriterSetState", || unsafe { limeWriterSetState(to, from) });
    }

    fn write(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let w = input.handle(&self.writers, others);
        let exists = self.stream_of_writer(w).is_some();
        let mut offered = input.number();
        let room = if exists { member::<_, u64>(w, WRITER_LEFT) } else { 0 };
        if offered.min(room) > 4096 {
            offered = 4096;
        }
        // A record has room for `room` bytes; no others are looked at.
        let mut memory = Memory::new(offered.min(4096));
        let from: *mut c_void = if input.rarely(32) { ptr::null_mut() } else { memory.address() };
        let mut number = offered;
        let place = if input.rarely(32) { ptr::null_mut() } else { &raw mut number };
        let code = self.written(w, "limeWriteRecordData", || unsafe { limeWriteRecordData(from, place, w) });
        assert!(place.is_null() || !exists || number <= offered && (code != SUCCESS || number == offered));
    }

    fn destroy_reader(&mut self, input: &mut Input<'_>, others: &[*mut c_void]) {
        let r = input.handle(&self.readers, others);
        silent("limeDestroyReader", || unsafe { limeDestroyReader(r) });
        self.live_readers.retain(|(it, _)| *it != r);
    }

    fn destroy_writer(&mut self, w: *mut LimeWriter) {
        self.written(w, "limeDestroyWriter", || unsafe { limeDestroyWriter(w) });
        self.live_writers.retain(|(it, _)| *it != w);
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
    let _ = state::LEN;
}

/// Programs whose calls all succeed, and some whose calls fail.
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    // For each record: header, questions, data, end of the record.
    let [next, ask, piece, all, end] = [&[4, 0][..], &[9, 0, b't'], &[5, 0, 10], &[5, 0, 0], &[6, 0]];
    let read = |kind: u8| {
        let open = [0, kind];
        Input::program(&[
            &open,
            &[1],
            next,
            ask,
            piece,
            all,
            all,
            end,
            next,
            piece,
            end,
            next,
            all,
            next,
            next,
            next,
            &[11],
        ])
    };
    let header: &[u8] = &[3, 0, 0, 4, b't', b'y', b'p', b'e', 0, 10];
    let write = |kind: u8| {
        let open = [0, kind];
        let (begin, end) = (&[12][..], &[14][..]);
        Input::program(&[
            &open,
            &[2],
            header,
            begin,
            &[13, 0, 6],
            &[13, 0, 4],
            end,
            header,
            begin,
            &[15, 0, 5],
            &[13, 0, 5],
            &[15],
            &[13, 0, 5],
            &[16, 0, 2],
            end,
            &[17],
            &[18],
        ])
    };
    let states = Input::program(&[
        &[0],
        &[1],
        next,
        piece,
        &[1],
        &[10],
        &[5, 0, 3],
        &[10, 0, 2, 3],
        &[10, 0, 3, 1, 20],
        &[7, 0, 3],
        &[8],
        next,
    ]);
    let valid = fixture("lime/two-messages.lime");
    let mut seeds = Vec::new();
    for kind in [0, 2, 3, 5, 6] {
        seeds.push((format!("read-{kind}"), Input::join(&read(kind), &valid)));
    }
    for kind in [1, 2, 3, 4, 7, 8] {
        seeds.push((format!("write-{kind}"), Input::join(&write(kind), &valid)));
    }
    seeds.push(("states".to_owned(), Input::join(&states, &valid)));
    for broken in ["length-2e64m1", "second-header-truncated", "padding-nonzero"] {
        seeds.push((
            broken.to_owned(),
            Input::join(&read(0), &fixture(&format!("broken/lime/{broken}.lime"))),
        ));
    }
    seeds
}
