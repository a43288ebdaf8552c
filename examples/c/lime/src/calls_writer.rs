//! The functions for writing.
//!
//! # Safety
//! For each of them: a pointer to a handle can have any value. The stream of an existing handle is open, and nothing
//! else uses it during the call.
#![allow(unsafe_code, reason = "the C interface")]
#![allow(non_snake_case, reason = "the names of LIME 1.2")]
#![allow(clippy::missing_safety_doc, reason = "at the head of this file")]

use std::ffi::{c_char, c_int, c_void};
use std::ptr;

use libc::FILE;
use linkstream::lime::{EncodeErrorKind, MAX_TYPE_LEN};
use linkstream_c_border::{Failure, Handles, KeptStream, Stream, guard};

use crate::calls::{Destroyed, coded, copied, found, memory_left, number, stream, valued, whence};
use crate::calls_reader::length;
use crate::code::{ERR_PARAM, Refused, SUCCESS, code};
use crate::header::Created;
use crate::shown::{LimeRecordHeader, LimeWriter, Writer};
use crate::state::{self, Owner, State};
use crate::writing::Writing;

static WRITERS: Handles<Writer> = Handles::new("a writer");
static HEADERS: Handles<Created> = Handles::new("a header");
static DESTROYED: Destroyed<Writer> = Destroyed::new();

/// Runs a call with a writer.
fn with<T>(w: *mut LimeWriter, call: impl FnOnce(&mut Writer) -> Result<T, Refused>) -> Result<T, Refused> {
    found(WRITERS.with(w.cast(), |writer| {
        writer.writing.catch_up();
        call(writer)
    }))?
}

/// Runs a call with a writer and its stream, and shows the program where the writer is then.
///
/// # Safety
/// The stream of the writer is open, and nothing else uses it during the call.
unsafe fn with_stream<T>(
    w: *mut LimeWriter,
    call: impl FnOnce(&mut Writing, &mut Stream<'_>) -> Result<T, Refused>,
) -> Result<T, Refused> {
    with(w, |writer| {
        // SAFETY: as this function requires.
        let mut stream = unsafe { stream(&mut writer.stream) }?;
        let outcome = call(&mut writer.writing, &mut stream);
        writer.show();
        outcome
    })
}

/// A writer to a stream.
///
/// # Safety
/// `fp` is null or an open stream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeCreateWriter(fp: *mut FILE) -> *mut LimeWriter {
    valued(ptr::null_mut(), || {
        let mut kept = KeptStream::new(fp);
        // SAFETY: as this function requires.
        unsafe { stream(&mut kept) }?;
        memory_left()?;
        let handle = WRITERS.create(Writer::new(fp, kept, Writing::new()));
        found(WRITERS.with(handle, Writer::show))?;
        Ok(handle.cast())
    })
}

/// Ends a writer.
///
/// # Safety
/// As at the head of this file; the stream may be closed if no record was closed before its bytes were in the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeDestroyWriter(w: *mut LimeWriter) -> c_int {
    coded(|| {
        let mut writer = found(WRITERS.close(w.cast()))?;
        writer.writing.catch_up();
        // SAFETY: as this function requires.
        let outcome =
            unsafe { stream(&mut writer.stream) }.and_then(|mut stream| writer.writing.finish(&mut stream));
        writer.wipe();
        DESTROYED.keep(writer);
        outcome
    })
}

/// A header of a record.
///
/// # Safety
/// `record_type` is null or a text with a zero byte at its end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeCreateHeader(
    MB_flag: c_int,
    ME_flag: c_int,
    record_type: *mut c_char,
    reclen: u64,
) -> *mut LimeRecordHeader {
    valued(ptr::null_mut(), || {
        if record_type.is_null() {
            return Err(Refused::usage("the type is a null pointer"));
        }
        // SAFETY: as this function requires; no byte after the zero byte is looked at.
        let length = unsafe { libc::strnlen(record_type, MAX_TYPE_LEN) };
        if length == MAX_TYPE_LEN {
            let message = EncodeErrorKind::TypeTooLong { length }.to_string();
            return Err(Refused::new(ERR_PARAM, Failure::usage(format!("{message} (or more)"))));
        }
        // SAFETY: so many bytes were found.
        let text = unsafe { std::slice::from_raw_parts(record_type.cast::<u8>(), length) };
        memory_left()?;
        let handle = HEADERS.create(Created::new(MB_flag, ME_flag, text, reclen)?);
        found(HEADERS.with(handle, Created::link))?;
        Ok(handle.cast())
    })
}

/// Ends a header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeDestroyHeader(h: *mut LimeRecordHeader) {
    guard((), || {
        code(found(HEADERS.free(h.cast())));
    });
}

/// Begins a record.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeWriteRecordHeader(h: *mut LimeRecordHeader, w: *mut LimeWriter) -> c_int {
    coded(|| {
        let header = found(HEADERS.with(h.cast(), Created::header))??;
        // SAFETY: as at the head of this file.
        unsafe { with_stream(w, |writing, stream| writing.begin(stream, &header)) }
    })
}

/// Writes data of the record.
///
/// # Safety
/// As at the head of this file; and `nbytes` is null or points to a number; `source` is null or has so many bytes, or
/// as many as the record has room for, if that is less. Nothing else writes to them during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeWriteRecordData(
    source: *mut c_void,
    nbytes: *mut u64,
    w: *mut LimeWriter,
) -> c_int {
    if !nbytes.is_null() && nbytes.is_aligned() && !source.is_null() {
        // SAFETY: the pointer is aligned; the program promises the rest.
        let offered = unsafe { nbytes.read() };
        // SAFETY: as this function requires, and as at the head of this file.
        let is_written = |writer: &mut Writer| unsafe { writer.write_buffered(source.cast(), offered) };
        if WRITERS.with_slot(w.cast(), is_written) == Some(true) {
            return SUCCESS;
        }
    }
    coded(|| {
        with(w, |writer| {
            // SAFETY: as at the head of this file.
            let mut stream = unsafe { stream(&mut writer.stream) }?;
            // SAFETY: as this function requires.
            let outcome = unsafe { write(source, nbytes, &mut writer.writing, &mut stream) };
            if outcome.is_ok() {
                writer.show_place()
            } else {
                writer.show()
            }
            outcome
        })
    })
}

/// Writes data of the record.
///
/// # Safety
/// As for [`limeWriteRecordData`].
unsafe fn write(
    source: *mut c_void,
    nbytes: *mut u64,
    writing: &mut Writing,
    stream: &mut Stream<'_>,
) -> Result<(), Refused> {
    // SAFETY: as this function requires.
    let number = unsafe { number(nbytes) }?;
    let offered = std::mem::take(number);
    let room = writing.room()?;
    let bytes = match length(offered.min(room), source.is_null())? {
        0 => &[],
        // SAFETY: the buffer has this length, which fits into memory.
        length => unsafe { std::slice::from_raw_parts(source.cast::<u8>(), length) },
    };
    let (written, outcome) = writing.write(stream, bytes);
    *number = written as u64;
    outcome?;
    if offered > room {
        let message = EncodeErrorKind::PayloadTooLong { offered, room }.to_string();
        return Err(Refused::new(ERR_PARAM, Failure::usage(message)));
    }
    Ok(())
}

/// Ends the record.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeWriterCloseRecord(w: *mut LimeWriter) -> c_int {
    // SAFETY: as at the head of this file.
    coded(|| unsafe { with_stream(w, Writing::close_record) })
}

/// Moves in the data of the record.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeWriterSeek(w: *mut LimeWriter, offset: i64, from: c_int) -> c_int {
    let call = |writing: &mut Writing, stream: &mut Stream<'_>| writing.seek(stream, offset, whence(from)?);
    // SAFETY: as at the head of this file.
    coded(|| unsafe { with_stream(w, call) })
}

/// Takes over the state of another writer, or of a copy of one.
///
/// # Safety
/// As at the head of this file; and `wsrc` is null or points to a complete structure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeWriterSetState(wdest: *mut LimeWriter, wsrc: *mut LimeWriter) -> c_int {
    coded(|| {
        if wsrc.is_null() {
            return Err(Refused::usage("a null pointer was passed instead of the source"));
        }
        if ptr::eq(wdest, wsrc) {
            return with(wdest, |_| Ok(()));
        }
        let bytes: [u8; state::LEN] = if WRITERS.has(wsrc.cast()) {
            with(wsrc, |writer| Ok(*writer.shown_state()))?
        } else {
            // SAFETY: as this function requires.
            unsafe { copied(wsrc, LimeWriter::STATE) }
        };
        let state = State::load(&bytes, Owner::Writer)?;
        // SAFETY: as at the head of this file.
        unsafe { with_stream(wdest, |writing, stream| writing.take_state(stream, &state)) }
    })
}
