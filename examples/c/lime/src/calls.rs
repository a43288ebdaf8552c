//! The functions that C programs call. Each checks its pointers, and keeps the description of an error.
#![allow(unsafe_code, reason = "the C interface")]
#![allow(non_snake_case, reason = "the names of LIME 1.2")]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

use libc::{FILE, SEEK_CUR, SEEK_END, SEEK_SET, off_t, size_t};
use linkstream::lime::MAX_TYPE_LEN;
use linkstream_c_border::{Stream, guard};

use crate::code::{ERR_PARAM, Refused, code};
use crate::header::LimeRecordHeader;
use crate::reader::{LimeReader, Whence};
use crate::writer::LimeWriter;

/// Runs a call that returns a code.
fn coded(call: impl FnOnce() -> Result<(), Refused>) -> c_int {
    guard(ERR_PARAM, || code(call()))
}

/// Runs a call that returns a value, and `otherwise` after an error.
fn valued<T: Copy>(otherwise: T, call: impl FnOnce() -> Result<T, Refused>) -> T {
    guard(otherwise, || {
        call().unwrap_or_else(|refused| {
            code(Err(refused));
            otherwise
        })
    })
}

/// A handle of the caller.
///
/// # Safety
/// The pointer is null, or points to a value that nothing else uses during the call.
unsafe fn handle<'h, T>(pointer: *mut T) -> Result<&'h mut T, Refused> {
    if !pointer.is_null() && !pointer.is_aligned() {
        return Err(Refused::usage("the handle is no valid pointer"));
    }
    // SAFETY: the pointer is aligned; the caller promises the rest.
    unsafe { pointer.as_mut() }.ok_or_else(|| Refused::usage("the handle is a null pointer"))
}

/// The stream of a handle.
///
/// # Safety
/// The caller has not closed the stream, and nothing else uses it during the call.
unsafe fn stream<'s>(file: *mut FILE) -> Result<Stream<'s>, Refused> {
    // SAFETY: as this function requires.
    unsafe { Stream::new(file) }.ok_or_else(|| Refused::usage("the stream is a null pointer"))
}

fn whence(whence: c_int) -> Result<Whence, Refused> {
    match whence {
        SEEK_SET => Ok(Whence::Start),
        SEEK_CUR => Ok(Whence::Current),
        SEEK_END => Ok(Whence::End),
        _ => Err(Refused::usage("whence is none of SEEK_SET, SEEK_CUR and SEEK_END")),
    }
}

/// A reader from the current position of a stream on.
///
/// # Safety
/// `fp` is null or an open stream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeCreateReader(fp: *mut FILE) -> *mut LimeReader {
    valued(ptr::null_mut(), || {
        // SAFETY: as this function requires.
        let position = unsafe { stream(fp) }?.position().unwrap_or(0);
        Ok(Box::into_raw(Box::new(LimeReader::new(fp, position))))
    })
}

/// Frees a reader.
///
/// # Safety
/// `r` is null or a reader from [`limeCreateReader`] that has not been destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeDestroyReader(r: *mut LimeReader) {
    guard((), || {
        if r.is_null() {
            return;
        }
        // SAFETY: the reader was created by this library, in a box.
        let mut reader = unsafe { Box::from_raw(r) };
        reader.mark = 0;
    });
}

/// Goes to the next record.
///
/// # Safety
/// `r` is null or a reader whose stream is open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeReaderNextRecord(r: *mut LimeReader) -> c_int {
    coded(|| {
        // SAFETY: as this function requires.
        let reader = unsafe { handle(r) }?;
        // SAFETY: as this function requires.
        let mut stream = unsafe { stream(reader.stream) }?;
        reader.next(&mut stream)
    })
}

/// 1 if the record begins a message, 0 if not, -1 without a record.
///
/// # Safety
/// `r` is null or a reader.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeReaderMBFlag(r: *mut LimeReader) -> c_int {
    // SAFETY: as this function requires.
    valued(-1, || Ok(c_int::from(unsafe { handle(r) }?.flags()?[0])))
}

/// 1 if the record ends a message, 0 if not, -1 without a record.
///
/// # Safety
/// `r` is null or a reader.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeReaderMEFlag(r: *mut LimeReader) -> c_int {
    // SAFETY: as this function requires.
    valued(-1, || Ok(c_int::from(unsafe { handle(r) }?.flags()?[1])))
}

/// The type of the record; null without a record.
///
/// # Safety
/// `r` is null or a reader.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeReaderType(r: *mut LimeReader) -> *mut c_char {
    // SAFETY: as this function requires.
    valued(ptr::null_mut(), || Ok(unsafe { handle(r) }?.record_type()?.as_mut_ptr()))
}

/// Size of the data of the record; the largest number without a record.
///
/// # Safety
/// `r` is null or a reader.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeReaderBytes(r: *mut LimeReader) -> u64 {
    // SAFETY: as this function requires.
    valued(u64::MAX, || unsafe { handle(r) }?.bytes())
}

/// Size of the padding of the record; the largest number without a record.
///
/// # Safety
/// `r` is null or a reader.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeReaderPadBytes(r: *mut LimeReader) -> size_t {
    // SAFETY: as this function requires.
    valued(size_t::MAX, || unsafe { handle(r) }?.pad_bytes())
}

/// Reads data of the record.
///
/// # Safety
/// `r` is null or a reader whose stream is open; `nbytes` is null or points to a number; `dest` is null or has room for
/// so many bytes. Nothing else uses them during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeReaderReadData(
    dest: *mut c_void,
    nbytes: *mut u64,
    r: *mut LimeReader,
) -> c_int {
    coded(|| {
        // SAFETY: as this function requires.
        let reader = unsafe { handle(r) }?;
        // SAFETY: as this function requires.
        let number = unsafe { handle(nbytes) }?;
        let wanted = std::mem::take(number);
        let length = length(wanted, dest.is_null())?;
        let room = if length == 0 {
            &mut []
        } else {
            // SAFETY: the room has this length, which fits into memory.
            unsafe { std::slice::from_raw_parts_mut(dest.cast::<u8>(), length) }
        };
        // SAFETY: as this function requires.
        let mut stream = unsafe { stream(reader.stream) }?;
        let (read, outcome) = reader.read(&mut stream, room);
        *number = read as u64;
        outcome
    })
}

/// A number of bytes in memory.
fn length(number: u64, is_null: bool) -> Result<usize, Refused> {
    match isize::try_from(number) {
        Ok(0) => Ok(0),
        Ok(_) if is_null => Err(Refused::usage("the buffer is a null pointer")),
        Ok(length) => Ok(length.unsigned_abs()),
        Err(_) => Err(Refused::usage("no buffer has so many bytes")),
    }
}

/// Goes to the end of the record.
///
/// # Safety
/// `r` is null or a reader whose stream is open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeReaderCloseRecord(r: *mut LimeReader) -> c_int {
    coded(|| {
        // SAFETY: as this function requires.
        let reader = unsafe { handle(r) }?;
        // SAFETY: as this function requires.
        let mut stream = unsafe { stream(reader.stream) }?;
        reader.close_record(&mut stream)
    })
}

/// Moves in the data of the record.
///
/// # Safety
/// `r` is null or a reader.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeReaderSeek(r: *mut LimeReader, offset: off_t, from: c_int) -> c_int {
    // SAFETY: as this function requires.
    coded(|| unsafe { handle(r) }?.seek(offset, whence(from)?))
}

/// Continues at an offset of the file.
///
/// # Safety
/// `r` is null or a reader.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeSetReaderPointer(r: *mut LimeReader, offset: off_t) -> c_int {
    coded(|| {
        let to = u64::try_from(offset).map_err(|_| Refused::usage("the offset is negative"))?;
        // SAFETY: as this function requires.
        unsafe { handle(r) }?.set_pointer(to)
    })
}

/// The offset of the next record; -1 after an error.
///
/// # Safety
/// `r` is null or a reader.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeGetReaderPointer(r: *mut LimeReader) -> off_t {
    valued(-1, || {
        // SAFETY: as this function requires.
        let pointer = unsafe { handle(r) }?.pointer()?;
        off_t::try_from(pointer).map_err(|_| Refused::usage("the offset is 2^63 or more"))
    })
}

/// Takes over the state of another reader.
///
/// # Safety
/// Both are null or readers; they are different ones.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeReaderSetState(rdest: *mut LimeReader, rsrc: *mut LimeReader) -> c_int {
    coded(|| {
        if ptr::eq(rdest, rsrc) && !rdest.is_null() {
            return Ok(());
        }
        // SAFETY: as this function requires.
        let reader = unsafe { handle(rdest) }?;
        // SAFETY: as this function requires; it is another reader.
        let other = unsafe { handle(rsrc) }?;
        reader.take_state(other)
    })
}

/// 1 at the end of the data of the last record of a message.
///
/// # Safety
/// `r` is null or a reader.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeEOM(r: *mut LimeReader) -> c_int {
    // SAFETY: as this function requires.
    valued(ERR_PARAM, || Ok(c_int::from(unsafe { handle(r) }?.is_end_of_message()?)))
}

/// A writer from the current position of a stream on.
///
/// # Safety
/// `fp` is null or an open stream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeCreateWriter(fp: *mut FILE) -> *mut LimeWriter {
    valued(ptr::null_mut(), || {
        // SAFETY: as this function requires.
        let position = unsafe { stream(fp) }?.end_or_position().unwrap_or(0);
        Ok(Box::into_raw(Box::new(LimeWriter::new(fp, position))))
    })
}

/// Completes a file and frees the writer.
///
/// # Safety
/// `w` is null or a writer from [`limeCreateWriter`] that has not been destroyed, and whose stream is open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeDestroyWriter(w: *mut LimeWriter) -> c_int {
    coded(|| {
        if w.is_null() {
            return Err(Refused::usage("the handle is a null pointer"));
        }
        // SAFETY: the writer was created by this library, in a box.
        let mut writer = unsafe { Box::from_raw(w) };
        // SAFETY: as this function requires.
        let outcome = unsafe { stream(writer.stream) }.and_then(|mut stream| writer.finish(&mut stream));
        writer.mark = 0;
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
        // SAFETY: as this function requires.
        let text = unsafe { CStr::from_ptr(record_type) }.to_bytes();
        if text.len() > MAX_TYPE_LEN {
            return Err(Refused::usage("the type has more than 128 bytes"));
        }
        let header = LimeRecordHeader::new(MB_flag != 0, ME_flag != 0, text, reclen);
        let header = header.map_err(|failure| Refused::new(ERR_PARAM, failure))?;
        Ok(Box::into_raw(Box::new(header)))
    })
}

/// Frees a header.
///
/// # Safety
/// `h` is null or a header from [`limeCreateHeader`] that has not been destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeDestroyHeader(h: *mut LimeRecordHeader) {
    guard((), || {
        if h.is_null() {
            return;
        }
        // SAFETY: the header was created by this library, in a box.
        let mut header = unsafe { Box::from_raw(h) };
        header.mark = 0;
    });
}

/// Begins a record.
///
/// # Safety
/// `h` is null or a header, and `w` null or a writer whose stream is open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeWriteRecordHeader(h: *mut LimeRecordHeader, w: *mut LimeWriter) -> c_int {
    coded(|| {
        // SAFETY: as this function requires.
        let header = unsafe { handle(h) }?.header()?;
        // SAFETY: as this function requires.
        let writer = unsafe { handle(w) }?;
        // SAFETY: as this function requires.
        let mut stream = unsafe { stream(writer.stream) }?;
        writer.begin(&mut stream, &header)
    })
}

/// Writes data of the record.
///
/// # Safety
/// `w` is null or a writer whose stream is open; `nbytes` is null or points to a number; `source` is null or has so many
/// bytes. Nothing else writes to them during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeWriteRecordData(
    source: *mut c_void,
    nbytes: *mut u64,
    w: *mut LimeWriter,
) -> c_int {
    coded(|| {
        // SAFETY: as this function requires.
        let writer = unsafe { handle(w) }?;
        // SAFETY: as this function requires.
        let number = unsafe { handle(nbytes) }?;
        let wanted = std::mem::take(number);
        let length = length(wanted, source.is_null())?;
        let bytes = if length == 0 {
            &[]
        } else {
            // SAFETY: the buffer has this length, which fits into memory.
            unsafe { std::slice::from_raw_parts(source.cast::<u8>(), length) }
        };
        // SAFETY: as this function requires.
        let mut stream = unsafe { stream(writer.stream) }?;
        let (written, outcome) = writer.write(&mut stream, bytes);
        *number = written as u64;
        outcome
    })
}

/// Ends the record.
///
/// # Safety
/// `w` is null or a writer whose stream is open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeWriterCloseRecord(w: *mut LimeWriter) -> c_int {
    coded(|| {
        // SAFETY: as this function requires.
        let writer = unsafe { handle(w) }?;
        // SAFETY: as this function requires.
        let mut stream = unsafe { stream(writer.stream) }?;
        writer.close_record(&mut stream)
    })
}

/// Moves in the data of the record.
///
/// # Safety
/// `w` is null or a writer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeWriterSeek(w: *mut LimeWriter, offset: off_t, from: c_int) -> c_int {
    // SAFETY: as this function requires.
    coded(|| unsafe { handle(w) }?.seek(offset, whence(from)?))
}

/// Takes over the state of another writer.
///
/// # Safety
/// Both are null or writers; they are different ones.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeWriterSetState(wdest: *mut LimeWriter, wsrc: *mut LimeWriter) -> c_int {
    coded(|| {
        if ptr::eq(wdest, wsrc) && !wdest.is_null() {
            return Ok(());
        }
        // SAFETY: as this function requires.
        let writer = unsafe { handle(wdest) }?;
        // SAFETY: as this function requires; it is another writer.
        let other = unsafe { handle(wsrc) }?;
        writer.take_state(other)
    })
}
