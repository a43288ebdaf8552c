//! The calls of `qio_parts.h` that read.
#![allow(unsafe_code, reason = "the C interface")]
#![allow(non_snake_case, reason = "the names of QIO 2.3")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;

use linkstream::lattice::Checksum;
use linkstream::scidac::StoredChecksum;
use linkstream_c_border::Handles;

use crate::border::{coded, coded_or_end, collective, pass, valued, valued_with_status};
use crate::calls_read::READERS;
use crate::code::{ERR_CHECKSUM_INFO, Refused};
use crate::dml_checksum::DmlChecksum;
use crate::factory::{Factory, Function};
use crate::memory::{self, store};
use crate::reader::{Reader, judge};
use crate::record_info_c::{QioRecordInfo, given};
use crate::stop::{Stop, agree};
use crate::string::QioString;

/// A record that is being read: `LRL_RecordReader`.
#[derive(Debug)]
pub struct RecordReader {
    /// The file.
    reader: *mut Reader,
    /// Its number: another file can get the same address later.
    number: Option<u64>,
    /// The type, for the program.
    record_type: CString,
}

/// The records that are being read.
pub static RECORD_READERS: Handles<RecordReader> = Handles::new("an LRL_RecordReader");

/// The checksums that have been read: `QIO_ChecksumInfo`.
pub static CHECKSUMS: Handles<StoredChecksum> = Handles::new("a QIO_ChecksumInfo");

fn wrong(failure: linkstream_c_border::Failure) -> Stop {
    Stop::from(Refused::from(failure))
}

/// Types in a list of the program.
///
/// # Safety
/// The pointer is null or has so many texts.
unsafe fn types(list: *const *const c_char, count: c_int) -> Result<Vec<Vec<u8>>, Stop> {
    let count = usize::try_from(count).map_err(|_| Stop::usage(format!("there are {count} types")))?;
    if list.is_null() || count == 0 {
        return Err(Stop::usage("there is no list of types"));
    }
    // SAFETY: as this function requires.
    let list = unsafe { memory::values(list, count, "the list of types") }?;
    let text = |pointer: &*const c_char| {
        // SAFETY: as this function requires.
        let text = (!pointer.is_null()).then(|| unsafe { CStr::from_ptr(*pointer) });
        let text = text.ok_or_else(|| Stop::usage("a type is a null pointer"))?;
        Ok(linkstream_memory::copied(text.to_bytes())?)
    };
    list.iter().map(text).collect()
}

/// Collective: opens the next record of some types, or any.
fn open_next(
    reader: *mut Reader,
    types: Result<Vec<Vec<u8>>, Stop>,
) -> Result<Option<(*mut RecordReader, *mut c_char, u64)>, Stop> {
    let found = collective("QIO_open_read_target_record", &READERS, reader, |reader| {
        let types = agree(&reader.comm, types)?;
        reader.next_of(&types)
    })?;
    let Some((record_type, length)) = found else { return Ok(None) };
    let record_type = CString::new(record_type).unwrap_or_default();
    let number = READERS.number(reader);
    let record = RECORD_READERS.create(RecordReader { reader, number, record_type });
    let name = RECORD_READERS.with(record, |record| record.record_type.as_ptr().cast_mut()).map_err(wrong)?;
    Ok(Some((record, name, length)))
}

/// Opens the next record.
///
/// # Safety
/// Pointers are null or what `qio_parts.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_read_record_type(
    r#in: *mut Reader,
    record_type: *mut *mut c_char,
    expected_rec_size: *mut u64,
    status: *mut c_int,
) -> *mut RecordReader {
    let open = || {
        let Some((record, name, length)) = open_next(r#in, Ok(Vec::new()))? else { return Ok(None) };
        // SAFETY: as this function requires.
        unsafe { store(record_type, name) };
        // SAFETY: as this function requires.
        unsafe { store(expected_rec_size, length) };
        Ok(Some(record))
    };
    // SAFETY: as this function requires.
    unsafe { valued_with_status("QIO_read_record_type", ptr::null_mut(), status, open) }
}

/// Opens the next record of some types.
///
/// # Safety
/// Pointers are null or what `qio_parts.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_open_read_target_record(
    r#in: *mut Reader,
    lime_type_list: *const *const c_char,
    ntypes: c_int,
    record_type: *mut *mut c_char,
    expected_rec_size: *mut u64,
    status: *mut c_int,
) -> *mut RecordReader {
    let open = || {
        // SAFETY: as this function requires.
        let types = unsafe { types(lime_type_list, ntypes) };
        let Some((record, name, length)) = open_next(r#in, types)? else { return Ok(None) };
        // SAFETY: as this function requires.
        unsafe { store(record_type, name) };
        // SAFETY: as this function requires.
        unsafe { store(expected_rec_size, length) };
        Ok(Some(record))
    };
    // SAFETY: as this function requires.
    unsafe { valued_with_status("QIO_open_read_target_record", ptr::null_mut(), status, open) }
}

/// Opens the next record of data of some types.
///
/// # Safety
/// Pointers are null or what `qio_parts.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_open_read_field(
    r#in: *mut Reader,
    datum_size: usize,
    lime_type_list: *const *const c_char,
    ntypes: c_int,
    record_type: *mut *mut c_char,
    status: *mut c_int,
) -> *mut RecordReader {
    let open = || {
        // SAFETY: as this function requires.
        let types = unsafe { types(lime_type_list, ntypes) };
        let Some((record, name, _)) = open_next(r#in, types)? else { return Ok(None) };
        let checked = collective("QIO_open_read_field", &READERS, r#in, |reader| {
            reader.begin_sites(datum_size)?;
            reader.opened = None;
            Ok(())
        });
        if let Err(stop) = checked {
            RECORD_READERS.free(record).map_err(wrong)?;
            return Err(stop);
        }
        // SAFETY: as this function requires.
        unsafe { store(record_type, name) };
        Ok(Some(record))
    };
    // SAFETY: as this function requires.
    unsafe { valued_with_status("QIO_open_read_field", ptr::null_mut(), status, open) }
}

/// The file of an open record; a null pointer without one, which is refused together with the other ranks.
fn file_of(record: *mut RecordReader) -> *mut Reader {
    let file = RECORD_READERS.with(record, |record| (record.reader, record.number));
    let (reader, number) = file.unwrap_or((ptr::null_mut(), None));
    if number.is_some() && READERS.number(reader) == number { reader } else { ptr::null_mut() }
}

/// Reads the payload of an open record as a text, and closes the record.
///
/// # Safety
/// Pointers are null or what `qio_parts.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_read_string_data(
    r#in: *mut Reader,
    lrl_record_in: *mut RecordReader,
    xml: *mut QioString,
    expected_rec_size: u64,
) -> c_int {
    coded("QIO_read_string_data", || {
        let known = if ptr::eq(file_of(lrl_record_in), r#in) { r#in } else { ptr::null_mut() };
        let read = collective("QIO_read_string_data", &READERS, known, |reader| {
            let bytes = reader.payload(Some(expected_rec_size))?;
            // SAFETY: as this function requires.
            agree(&reader.comm, unsafe { pass(xml, crate::walk::trimmed(&bytes)) })
        });
        RECORD_READERS.free(lrl_record_in).map_err(wrong)?;
        read
    })
}

/// Passes an open record, which stays open.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_skip_data(lrl_record_in: *mut RecordReader) -> c_int {
    coded("QIO_skip_data", || collective("QIO_skip_data", &READERS, file_of(lrl_record_in), Reader::pass))
}

/// Closes an open record.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_close_read_record(lrl_record_in: *mut RecordReader) -> c_int {
    coded("QIO_close_read_record", || RECORD_READERS.close(lrl_record_in).map(drop).map_err(wrong))
}

/// Reads the next record as a text.
///
/// # Safety
/// Pointers are null or what `qio_parts.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_read_string(
    r#in: *mut Reader,
    xml: *mut QioString,
    record_type: *mut *mut c_char,
) -> c_int {
    coded_or_end("QIO_read_string", || {
        let found = collective("QIO_read_string", &READERS, r#in, |reader| {
            let Some((name, _)) = reader.next_of(&[])? else { return Ok(None) };
            let bytes = reader.payload(None)?;
            // SAFETY: as this function requires.
            agree(&reader.comm, unsafe { pass(xml, crate::walk::trimmed(&bytes)) })?;
            reader.last_type = CString::new(name).unwrap_or_default();
            Ok(Some(reader.last_type.as_ptr().cast_mut()))
        })?;
        let Some(name) = found else { return Ok(false) };
        // SAFETY: as this function requires.
        unsafe { store(record_type, name) };
        Ok(true)
    })
}

/// Reads the next record as a site list, and compares it.
///
/// # Safety
/// Pointers are null or what `qio_parts.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_read_sitelist(r#in: *mut Reader, record_type: *mut *mut c_char) -> c_int {
    coded_or_end("QIO_read_sitelist", || {
        let found = collective("QIO_read_sitelist", &READERS, r#in, |reader| {
            let Some((name, _)) = reader.next_of(&[])? else { return Ok(None) };
            reader.compare_list()?;
            reader.last_type = CString::new(name).unwrap_or_default();
            Ok(Some(reader.last_type.as_ptr().cast_mut()))
        })?;
        let Some(name) = found else { return Ok(false) };
        // SAFETY: as this function requires.
        unsafe { store(record_type, name) };
        Ok(true)
    })
}

/// Reads data. Stores their checksum and number of bytes.
///
/// # Safety
/// The places are null or valid.
unsafe fn read_field(
    reader: &mut Reader,
    factory: Result<Factory, Stop>,
    checksum: *mut DmlChecksum,
    nbytes: *mut u64,
) -> Result<(), Stop> {
    let (sum, bytes) = reader.read_field(factory)?;
    // SAFETY: as this function requires.
    unsafe { store(checksum, sum.into()) };
    // SAFETY: as this function requires.
    unsafe { store(nbytes, bytes) };
    Ok(())
}

/// Reads the data of an open record.
///
/// # Safety
/// Pointers are null or what `qio_parts.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_read_field_data(
    r#in: *mut Reader,
    lrl_record_in: *mut RecordReader,
    put: Option<Function>,
    count: c_int,
    datum_size: usize,
    word_size: c_int,
    arg: *mut c_void,
    checksum: *mut DmlChecksum,
    nbytes: *mut u64,
) -> c_int {
    coded("QIO_read_field_data", || {
        let known = if ptr::eq(file_of(lrl_record_in), r#in) { r#in } else { ptr::null_mut() };
        collective("QIO_read_field_data", &READERS, known, |reader| {
            let factory = Factory::new(put, count, datum_size, word_size, arg);
            // SAFETY: as this function requires.
            unsafe { read_field(reader, factory, checksum, nbytes) }
        })
    })
}

/// Reads the next data.
///
/// # Safety
/// Pointers are null or what `qio_parts.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_read_field(
    r#in: *mut Reader,
    put: Option<Function>,
    count: c_int,
    datum_size: usize,
    word_size: c_int,
    arg: *mut c_void,
    checksum: *mut DmlChecksum,
    nbytes: *mut u64,
    record_type: *mut *mut c_char,
) -> c_int {
    coded_or_end("QIO_read_field", || {
        let found = collective("QIO_read_field", &READERS, r#in, |reader| {
            let types = [linkstream::scidac::BINARY_DATA, linkstream::ildg::BINARY_DATA];
            let types = types.map(|name| name.as_bytes().to_vec());
            let Some((name, _)) = reader.next_of(&types)? else { return Ok(None) };
            let factory = Factory::new(put, count, datum_size, word_size, arg);
            // SAFETY: as this function requires.
            unsafe { read_field(reader, factory, checksum, nbytes) }?;
            reader.last_type = CString::new(name).unwrap_or_default();
            Ok(Some(reader.last_type.as_ptr().cast_mut()))
        })?;
        let Some(name) = found else { return Ok(false) };
        // SAFETY: as this function requires.
        unsafe { store(record_type, name) };
        Ok(true)
    })
}

/// Begins to read single sites of the next record of data of some types.
///
/// # Safety
/// Pointers are null or what `qio_parts.h` says; `checksum` is valid until the field is closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_init_read_field(
    r#in: *mut Reader,
    datum_size: usize,
    lime_type_list: *const *const c_char,
    ntypes: c_int,
    checksum: *mut DmlChecksum,
    record_type: *mut *mut c_char,
) -> c_int {
    coded_or_end("QIO_init_read_field", || {
        // SAFETY: as this function requires.
        let types = unsafe { types(lime_type_list, ntypes) };
        let found = collective("QIO_init_read_field", &READERS, r#in, |reader| {
            let types = agree(&reader.comm, types)?;
            let Some((name, _)) = reader.next_of(&types)? else { return Ok(None) };
            reader.begin_sites(datum_size)?;
            reader.sums = checksum;
            reader.last_type = CString::new(name).unwrap_or_default();
            Ok(Some(reader.last_type.as_ptr().cast_mut()))
        })?;
        let Some(name) = found else { return Ok(false) };
        // SAFETY: as this function requires.
        unsafe { store(checksum, Checksum::default().into()) };
        // SAFETY: as this function requires.
        unsafe { store(record_type, name) };
        Ok(true)
    })
}

/// Reads one site.
///
/// # Safety
/// Pointers are null or what `qio_parts.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_seek_read_field_datum(
    r#in: *mut Reader,
    seeksite: u64,
    put: Option<Function>,
    count: c_int,
    datum_size: usize,
    word_size: c_int,
    arg: *mut c_void,
) -> c_int {
    coded("QIO_seek_read_field_datum", || {
        let read = READERS.with(r#in, |reader| {
            let factory = Factory::new(put, count, datum_size, word_size, arg)?;
            let sum = reader.read_site(seeksite, factory)?;
            // SAFETY: the program promises that the place is valid until the field is closed.
            unsafe { store(reader.sums, sum.into()) };
            Ok(())
        });
        read.map_err(wrong)?
    })
}

/// Ends reading single sites.
///
/// # Safety
/// `nbytes` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_close_read_field(r#in: *mut Reader, nbytes: *mut u64) -> c_int {
    coded("QIO_close_read_field", || {
        collective("QIO_close_read_field", &READERS, r#in, |reader| {
            let (sum, bytes) = reader.end_sites()?;
            // SAFETY: as in `QIO_init_read_field`.
            unsafe { store(std::mem::replace(&mut reader.sums, ptr::null_mut()), sum.into()) };
            // SAFETY: as this function requires.
            unsafe { store(nbytes, bytes) };
            Ok(())
        })
    })
}

/// Sets the sites of the data that low-level calls read.
///
/// # Safety
/// `record_info` is null or a complete structure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_reader_insert_hypercube_data(
    r#in: *mut Reader,
    record_info: *mut QioRecordInfo,
) -> c_int {
    coded("QIO_reader_insert_hypercube_data", || {
        // SAFETY: as this function requires.
        let info = unsafe { given(record_info) }?;
        let set = READERS.with(r#in, |reader| {
            info.check()?;
            reader.region = info.region(&reader.lattice)?;
            Ok(())
        });
        set.map_err(wrong)?
    })
}

/// Reads the data of a record whose documents have been read, without its checksum.
///
/// # Safety
/// Pointers are null or what `qio_parts.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_generic_read_record_data(
    r#in: *mut Reader,
    put: Option<Function>,
    datum_size: usize,
    word_size: c_int,
    arg: *mut c_void,
    checksum: *mut DmlChecksum,
    nbytes: *mut u64,
) -> c_int {
    coded("QIO_generic_read_record_data", || {
        collective("QIO_generic_read_record_data", &READERS, r#in, |reader| {
            let factory = Factory::new(put, 0, datum_size, word_size, arg);
            let (sum, bytes) = reader.read_data_only(factory)?;
            // SAFETY: as this function requires.
            unsafe { store(checksum, sum.into()) };
            // SAFETY: as this function requires.
            unsafe { store(nbytes, bytes) };
            Ok(())
        })
    })
}

/// Reads the checksum after data.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_read_checksum(r#in: *mut Reader) -> *mut StoredChecksum {
    valued("QIO_read_checksum", ptr::null_mut(), || {
        let stored =
            collective("QIO_read_checksum", &READERS, r#in, |reader| reader.run(Reader::stored_checksum))?;
        let missing = || Stop::because(ERR_CHECKSUM_INFO, "the record has no checksum");
        Ok(CHECKSUMS.create(stored.ok_or_else(missing)?))
    })
}

/// Frees a checksum.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_destroy_checksum_info(checksum_info: *mut StoredChecksum) {
    coded("QIO_destroy_checksum_info", || CHECKSUMS.free(checksum_info).map_err(wrong));
}

/// Compares a checksum that was read with the one of data.
///
/// # Safety
/// `checksum` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_compare_checksum(
    _this_node: c_int,
    checksum_info_expect: *mut StoredChecksum,
    checksum: *const DmlChecksum,
) -> c_int {
    coded("QIO_compare_checksum", || {
        // SAFETY: as this function requires.
        let computed = unsafe { memory::optional(checksum, "the checksum") }?;
        let computed = computed.ok_or_else(|| Stop::usage("the checksum is a null pointer"))?;
        let computed = Checksum { suma: computed.suma, sumb: computed.sumb };
        let stored = CHECKSUMS.with(checksum_info_expect, |stored| stored.clone()).map_err(wrong)?;
        judge(computed, Some(&stored), true)
    })
}
