//! The structures that C programs see, with the members of the reference implementation. Programs may read them: the
//! library keeps its own copies, and reads only [`LimeRecordHeader`] and the states.
#![allow(unsafe_code, reason = "buffers of programs")]
#![allow(non_snake_case, reason = "names of members that programs use")]

use std::ffi::{c_char, c_int, c_uint};
use std::ptr;

use libc::{FILE, size_t};
use linkstream::lime::{MAX_TYPE_LEN, VERSION, padding};
use linkstream_c_border::KeptStream;

use crate::reading::Reading;
use crate::state::{self, Owner};
use crate::writing::Writing;

/// A type, as a C text. A program may change the characters; the last byte is never used.
#[derive(Debug)]
pub struct Text {
    bytes: [u8; MAX_TYPE_LEN + 8],
}

impl Text {
    /// Text with at most [`MAX_TYPE_LEN`] bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let mut text = Self { bytes: [0; MAX_TYPE_LEN + 8] };
        text.set(bytes);
        text
    }

    /// Replaces the text.
    pub fn set(&mut self, bytes: &[u8]) {
        self.bytes.fill(0);
        for (to, byte) in self.bytes[..MAX_TYPE_LEN].iter_mut().zip(bytes) {
            *to = *byte;
        }
    }

    /// Bytes before the first zero byte.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.bytes.split(|byte| *byte == 0).next().unwrap_or_default()
    }

    /// Address of the text.
    pub fn pointer(&mut self) -> *mut c_char {
        self.bytes.as_mut_ptr().cast()
    }
}

/// `LimeRecordHeader` of `lime.h`.
#[repr(C)]
#[derive(Debug)]
pub struct LimeRecordHeader {
    pub(crate) lime_version: c_uint,
    pub(crate) MB_flag: c_int,
    pub(crate) ME_flag: c_int,
    /// The member `type`.
    pub(crate) record_type: *mut c_char,
    pub(crate) data_length: u64,
}

/// `LimeReader` of `lime.h`.
#[repr(C)]
#[derive(Debug)]
pub struct LimeReader {
    first_read: c_int,
    is_last: c_int,
    header_nextP: c_int,
    /// Programs send all bytes of the structure: those between members have a value too.
    #[cfg(target_pointer_width = "64")]
    gap: c_int,
    fp: *mut FILE,
    curr_header: *mut LimeRecordHeader,
    bytes_left: u64,
    bytes_total: u64,
    rec_ptr: u64,
    rec_start: u64,
    bytes_pad: size_t,
    state: [u8; state::LEN],
}

/// `LimeWriter` of `lime.h`.
#[repr(C)]
#[derive(Debug)]
pub struct LimeWriter {
    first_record: c_int,
    last_written: c_int,
    fp: *mut FILE,
    header_nextP: c_int,
    /// Programs send all bytes of the structure: those between members have a value too.
    #[cfg(target_pointer_width = "64")]
    gap: c_int,
    bytes_total: u64,
    bytes_left: u64,
    rec_ptr: u64,
    rec_start: u64,
    bytes_pad: size_t,
    isLastP: c_int,
    state: [u8; state::LEN],
    #[cfg(target_pointer_width = "64")]
    end: c_int,
}

/// A reader: what the program sees, at its beginning, and what the library knows.
#[repr(C)]
#[derive(Debug)]
pub struct Reader {
    shown: LimeReader,
    header: LimeRecordHeader,
    record_type: Text,
    pub(crate) stream: KeptStream,
    pub(crate) reading: Reading,
}

impl Reader {
    /// A reader of a stream.
    #[must_use]
    pub fn new(fp: *mut FILE, stream: KeptStream, reading: Reading) -> Self {
        Self {
            shown: LimeReader {
                first_read: 0,
                is_last: 0,
                header_nextP: 1,
                #[cfg(target_pointer_width = "64")]
                gap: 0,
                fp,
                curr_header: ptr::null_mut(),
                bytes_left: 0,
                bytes_total: 0,
                rec_ptr: 0,
                rec_start: 0,
                bytes_pad: 0,
                state: [0; state::LEN],
            },
            header: LimeRecordHeader {
                lime_version: c_uint::from(VERSION),
                MB_flag: 0,
                ME_flag: 0,
                record_type: ptr::null_mut(),
                data_length: 0,
            },
            record_type: Text::of(b""),
            stream,
            reading,
        }
    }

    /// Shows the program a new position.
    pub fn show(&mut self) {
        let shown = &mut self.shown;
        shown.state = self.reading.state().save(Owner::Reader);
        let Ok(record) = self.reading.record() else {
            (shown.first_read, shown.header_nextP) = (0, 1);
            shown.curr_header = ptr::null_mut();
            return;
        };
        (shown.first_read, shown.is_last) = (1, c_int::from(record.end));
        shown.header_nextP = c_int::from(self.reading.is_closed());
        shown.rec_ptr = self.reading.place();
        (shown.bytes_total, shown.bytes_left) = (record.length, record.length - shown.rec_ptr);
        shown.rec_start = record.payload_offset();
        shown.bytes_pad = size_t::from(padding(record.length));
        shown.curr_header = &raw mut self.header;
    }

    /// Shows the program a new position in the same record.
    pub fn show_place(&mut self) {
        let place = self.reading.place();
        state::change_place(&mut self.shown.state, place);
        (self.shown.rec_ptr, self.shown.bytes_left) = (place, self.shown.bytes_total - place);
    }

    /// Reads data that the stream has in its buffer, as programs do that read numbers one by one. False if it has not.
    ///
    /// # Safety
    /// The stream is open, and nothing else uses it during the call; `to` has room for so many bytes.
    #[inline]
    pub unsafe fn read_buffered(&mut self, to: *mut u8, length: u64) -> bool {
        let run = &mut self.reading.run;
        let size = usize::try_from(length).ok().filter(|_| (1..=run.left).contains(&length));
        // SAFETY: as this function requires.
        let is_read = size.is_some_and(|size| unsafe { self.stream.read_buffered(run.at, to, size) });
        if is_read {
            run.pass(length, &mut self.shown.state);
            (self.shown.rec_ptr, self.shown.bytes_left) = (run.place, run.left);
        }
        is_read
    }

    /// Shows the program a new record.
    pub fn show_record(&mut self) {
        if let Ok(record) = self.reading.record() {
            self.record_type.set(self.reading.record_type());
            (self.header.MB_flag, self.header.ME_flag) = (c_int::from(record.begin), c_int::from(record.end));
            self.header.data_length = record.length;
            self.header.record_type = self.record_type.pointer();
        }
        self.show();
    }

    /// Address of the type of the current record; `None` without one.
    pub fn type_pointer(&mut self) -> Option<*mut c_char> {
        self.reading.record().ok()?;
        Some(self.record_type.pointer())
    }

    /// Overwrites what the program saw: it is a reader no more.
    pub fn wipe(&mut self) {
        self.shown.state = [0; state::LEN];
        (self.shown.fp, self.shown.curr_header) = (ptr::null_mut(), ptr::null_mut());
    }

    /// The state that the program sees.
    pub(crate) const fn shown_state(&self) -> &[u8; state::LEN] {
        &self.shown.state
    }
}

/// A writer: what the program sees, at its beginning, and what the library knows.
#[repr(C)]
#[derive(Debug)]
pub struct Writer {
    shown: LimeWriter,
    pub(crate) stream: KeptStream,
    pub(crate) writing: Writing,
}

impl Writer {
    /// A writer to a stream.
    #[must_use]
    pub fn new(fp: *mut FILE, stream: KeptStream, writing: Writing) -> Self {
        Self {
            shown: LimeWriter {
                first_record: 1,
                last_written: 0,
                fp,
                header_nextP: 1,
                #[cfg(target_pointer_width = "64")]
                gap: 0,
                bytes_total: 0,
                bytes_left: 0,
                rec_ptr: 0,
                rec_start: 0,
                bytes_pad: 0,
                isLastP: 0,
                state: [0; state::LEN],
                #[cfg(target_pointer_width = "64")]
                end: 0,
            },
            stream,
            writing,
        }
    }

    /// Shows the program a new position.
    pub fn show(&mut self) {
        let shown = &mut self.shown;
        let state = self.writing.state();
        shown.state = state.save(Owner::Writer);
        shown.header_nextP = c_int::from(!self.writing.needs_data());
        let Some(header) = self.writing.header() else {
            shown.last_written = shown.isLastP;
            return;
        };
        shown.first_record = c_int::from(header.begins_message());
        shown.isLastP = c_int::from(header.ends_message());
        shown.last_written = 0;
        (shown.rec_start, shown.rec_ptr) = (state.payload_offset(), state.place);
        (shown.bytes_total, shown.bytes_left) = (header.length(), header.length() - state.place);
        shown.bytes_pad = size_t::from(padding(header.length()));
    }

    /// Shows the program a new position in the same record.
    pub fn show_place(&mut self) {
        let place = self.writing.place();
        self.shown.header_nextP = c_int::from(!self.writing.needs_data());
        state::change_place(&mut self.shown.state, place);
        (self.shown.rec_ptr, self.shown.bytes_left) = (place, self.shown.bytes_total - place);
    }

    /// Writes data into the buffer of the stream, as programs do that write numbers one by one. False if it has no room.
    ///
    /// # Safety
    /// The stream is open, and nothing else uses it during the call; `from` has so many bytes.
    #[inline]
    pub unsafe fn write_buffered(&mut self, from: *const u8, length: u64) -> bool {
        let run = &mut self.writing.run;
        let size = usize::try_from(length).ok().filter(|_| (1..=run.left).contains(&length));
        // SAFETY: as this function requires.
        let is_written = size.is_some_and(|size| unsafe { self.stream.write_buffered(run.at, from, size) });
        if is_written {
            run.pass(length, &mut self.shown.state);
            (self.shown.rec_ptr, self.shown.bytes_left) =
                (run.place, self.shown.bytes_left.wrapping_sub(length));
        }
        is_written
    }

    /// Overwrites what the program saw: it is a writer no more.
    pub fn wipe(&mut self) {
        self.shown.state = [0; state::LEN];
        self.shown.fp = ptr::null_mut();
    }

    /// The state that the program sees.
    pub(crate) const fn shown_state(&self) -> &[u8; state::LEN] {
        &self.shown.state
    }
}

impl LimeReader {
    /// Offset of the state in the structure.
    pub(crate) const STATE: usize = std::mem::offset_of!(Self, state);
}

impl LimeWriter {
    /// Offset of the state in the structure.
    pub(crate) const STATE: usize = std::mem::offset_of!(Self, state);
}
