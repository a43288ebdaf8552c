//! The functions for reading.
//!
//! # Safety
//! For each of them: a pointer to a handle can have any value. The stream of an existing handle is open, and nothing
//! else uses it during the call.
#![allow(unsafe_code, reason = "the C interface")]
#![allow(non_snake_case, reason = "the names of LIME 1.2")]
#![allow(clippy::missing_safety_doc, reason = "at the head of this file")]

use std::ffi::{c_char, c_int, c_void};
use std::ptr;

use libc::{FILE, size_t};
use linkstream::lime::padding;
use linkstream_c_border::{Handles, KeptStream, Stream, guard};

use crate::calls::{Destroyed, coded, copied, found, memory_left, number, stream, valued, whence};
use crate::code::{EOR, ERR_PARAM, Refused, SUCCESS, code};
use crate::reading::Reading;
use crate::shown::{LimeReader, Reader};
use crate::state::{self, Owner, State};

static READERS: Handles<Reader> = Handles::new("a reader");
static DESTROYED: Destroyed<Reader> = Destroyed::new();

/// Runs a call with a reader.
fn with<T>(r: *mut LimeReader, call: impl FnOnce(&mut Reader) -> Result<T, Refused>) -> Result<T, Refused> {
    found(READERS.with(r.cast(), |reader| {
        reader.reading.catch_up();
        call(reader)
    }))?
}

/// Runs a call with a reader and its stream, and shows the program where the reader is then.
///
/// # Safety
/// The stream of the reader is open, and nothing else uses it during the call.
unsafe fn with_stream<T>(
    r: *mut LimeReader,
    call: impl FnOnce(&mut Reading, &mut Stream<'_>) -> Result<T, Refused>,
) -> Result<T, Refused> {
    with(r, |reader| {
        // SAFETY: as this function requires.
        let mut stream = unsafe { stream(&mut reader.stream) }?;
        let outcome = call(&mut reader.reading, &mut stream);
        reader.show();
        outcome
    })
}

/// A reader from the position of a stream on.
///
/// # Safety
/// `fp` is null or an open stream.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeCreateReader(fp: *mut FILE) -> *mut LimeReader {
    valued(ptr::null_mut(), || {
        let mut kept = KeptStream::new(fp);
        // SAFETY: as this function requires.
        let position = unsafe { stream(&mut kept) }?.position();
        memory_left()?;
        let handle = READERS.create(Reader::new(fp, kept, Reading::new(position)));
        found(READERS.with(handle, Reader::show))?;
        Ok(handle.cast())
    })
}

/// Ends a reader. The stream is not used.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeDestroyReader(r: *mut LimeReader) {
    guard((), || {
        if r.is_null() {
            return;
        }
        match found(READERS.close(r.cast())) {
            Ok(mut reader) => {
                reader.wipe();
                DESTROYED.keep(reader);
            }
            Err(refused) => _ = code(Err(refused)),
        }
    });
}

/// Goes to the next record, and reads its header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeReaderNextRecord(r: *mut LimeReader) -> c_int {
    coded(|| {
        with(r, |reader| {
            // SAFETY: as at the head of this file.
            let mut stream = unsafe { stream(&mut reader.stream) }?;
            let outcome = reader.reading.next(&mut stream);
            if outcome.is_ok() {
                reader.show_record()
            } else {
                reader.show()
            }
            outcome
        })
    })
}

/// 1 if the record begins a message, 0 if not, -1 without a record.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeReaderMBFlag(r: *mut LimeReader) -> c_int {
    valued(-1, || with(r, |reader| Ok(c_int::from(reader.reading.record()?.begin))))
}

/// 1 if the record ends a message, 0 if not, -1 without a record.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeReaderMEFlag(r: *mut LimeReader) -> c_int {
    valued(-1, || with(r, |reader| Ok(c_int::from(reader.reading.record()?.end))))
}

/// The type of the record; null without a record.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeReaderType(r: *mut LimeReader) -> *mut c_char {
    valued(ptr::null_mut(), || {
        with(r, |reader| {
            reader.reading.record()?;
            Ok(reader.type_pointer().unwrap_or(ptr::null_mut()))
        })
    })
}

/// Length of the data of the record; 0 without a record.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeReaderBytes(r: *mut LimeReader) -> u64 {
    valued(0, || with(r, |reader| Ok(reader.reading.record()?.length)))
}

/// Length of the padding of the record; 0 without a record.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeReaderPadBytes(r: *mut LimeReader) -> size_t {
    valued(0, || with(r, |reader| Ok(size_t::from(padding(reader.reading.record()?.length)))))
}

/// Reads data of the record.
///
/// # Safety
/// As at the head of this file; and `nbytes` is null or points to a number; `dest` is null or has room for so many
/// bytes, or for the rest of the record, if that is less. Nothing else uses them during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeReaderReadData(
    dest: *mut c_void,
    nbytes: *mut u64,
    r: *mut LimeReader,
) -> c_int {
    if !nbytes.is_null() && nbytes.is_aligned() && !dest.is_null() {
        // SAFETY: the pointer is aligned; the program promises the rest.
        let wanted = unsafe { nbytes.read() };
        // SAFETY: as this function requires, and as at the head of this file.
        let is_read = |reader: &mut Reader| unsafe { reader.read_buffered(dest.cast(), wanted) };
        if READERS.with_slot(r.cast(), is_read) == Some(true) {
            return SUCCESS;
        }
    }
    coded(|| {
        with(r, |reader| {
            // SAFETY: as at the head of this file.
            let mut stream = unsafe { stream(&mut reader.stream) }?;
            // SAFETY: as this function requires.
            let outcome = unsafe { read(dest, nbytes, &mut reader.reading, &mut stream) };
            if outcome.is_ok() {
                reader.show_place()
            } else {
                reader.show()
            }
            outcome
        })
    })
}

/// Reads data of the record.
///
/// # Safety
/// As for [`limeReaderReadData`].
unsafe fn read(
    dest: *mut c_void,
    nbytes: *mut u64,
    reading: &mut Reading,
    stream: &mut Stream<'_>,
) -> Result<(), Refused> {
    // SAFETY: as this function requires.
    let number = unsafe { number(nbytes) }?;
    let wanted = std::mem::take(number);
    let left = reading.left()?;
    if left == 0 {
        return Err(Refused::end(EOR));
    }
    let room = match length(wanted.min(left), dest.is_null())? {
        0 => &mut [],
        // SAFETY: the room has this length, which fits into memory.
        length => unsafe { std::slice::from_raw_parts_mut(dest.cast::<u8>(), length) },
    };
    let (read, outcome) = reading.read(stream, room);
    *number = read as u64;
    outcome
}

/// A number of bytes in memory.
pub(crate) fn length(number: u64, is_null: bool) -> Result<usize, Refused> {
    match isize::try_from(number) {
        Ok(0) => Ok(0),
        Ok(_) if is_null => Err(Refused::usage("the buffer is a null pointer")),
        Ok(length) => Ok(length.unsigned_abs()),
        Err(_) => Err(Refused::usage("no buffer has so many bytes")),
    }
}

/// Goes to the end of the record.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeReaderCloseRecord(r: *mut LimeReader) -> c_int {
    // SAFETY: as at the head of this file.
    coded(|| unsafe { with_stream(r, Reading::close_record) })
}

/// Moves in the data of the record.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeReaderSeek(r: *mut LimeReader, offset: i64, from: c_int) -> c_int {
    let call = |reading: &mut Reading, stream: &mut Stream<'_>| reading.seek(stream, offset, whence(from)?);
    // SAFETY: as at the head of this file.
    coded(|| unsafe { with_stream(r, call) })
}

/// Continues at an offset of the file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeSetReaderPointer(r: *mut LimeReader, offset: i64) -> c_int {
    // SAFETY: as at the head of this file.
    coded(|| unsafe { with_stream(r, |reading, stream| reading.set_pointer(stream, offset)) })
}

/// The offset of the next record; -1 after an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeGetReaderPointer(r: *mut LimeReader) -> i64 {
    let call = |reading: &mut Reading, stream: &mut Stream<'_>| {
        i64::try_from(reading.pointer(stream)).map_err(|_| Refused::usage("the offset is 2^63 or more"))
    };
    // SAFETY: as at the head of this file.
    valued(-1, || unsafe { with_stream(r, call) })
}

/// Takes over the state of another reader, or of a copy of one.
///
/// # Safety
/// As at the head of this file; and `rsrc` is null or points to a complete structure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeReaderSetState(rdest: *mut LimeReader, rsrc: *mut LimeReader) -> c_int {
    coded(|| {
        if rsrc.is_null() {
            return Err(Refused::usage("a null pointer was passed instead of the source"));
        }
        let bytes: [u8; state::LEN] = if ptr::eq(rdest, rsrc) || READERS.has(rsrc.cast()) {
            with(rsrc, |reader| Ok(*reader.shown_state()))?
        } else {
            // SAFETY: as this function requires.
            unsafe { copied(rsrc, LimeReader::STATE) }
        };
        let state = State::load(&bytes, Owner::Reader)?;
        with(rdest, |reader| {
            // SAFETY: as at the head of this file.
            let mut stream = unsafe { stream(&mut reader.stream) }?;
            reader.reading.take_state(&mut stream, &state)?;
            reader.show_record();
            Ok(())
        })
    })
}

/// 1 at the end of the data of the last record of a message.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn limeEOM(r: *mut LimeReader) -> c_int {
    valued(ERR_PARAM, || {
        with(r, |reader| Ok(c_int::from(reader.reading.record()?.end && reader.reading.left()? == 0)))
    })
}
