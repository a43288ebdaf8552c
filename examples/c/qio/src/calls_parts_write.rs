//! The calls of `qio_parts.h` that write.
#![allow(unsafe_code, reason = "the C interface")]
#![allow(non_snake_case, reason = "the names of QIO 2.3")]
#![allow(clippy::too_many_arguments, reason = "the interface of QIO")]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

use linkstream::lattice::Checksum;
use linkstream_c_border::Handles;

use crate::border::{coded, collective, optional, valued_with_status};
use crate::calls_write::{WRITERS, described};
use crate::code::Refused;
use crate::dml_checksum::DmlChecksum;
use crate::factory::{Factory, Function};
use crate::layout::{Layout, QioLayout, SiteMap as _};
use crate::memory::{self, store};
use crate::record_info_c::{QioRecordInfo, given};
use crate::stop::{Stop, agree};
use crate::string::QioString;
use crate::writer::{Writer, terminated};

/// A record that is being written: `LRL_RecordWriter`.
#[derive(Debug)]
pub struct RecordWriter {
    writer: *mut Writer,
    /// Its number: another file can get the same address later.
    number: Option<u64>,
}

/// The records that are being written.
pub static RECORD_WRITERS: Handles<RecordWriter> = Handles::new("an LRL_RecordWriter");

/// The site lists of the program: `DML_SiteList`.
pub static SITE_LISTS: Handles<Vec<u64>> = Handles::new("a DML_SiteList");

fn wrong(failure: linkstream_c_border::Failure) -> Stop {
    Stop::from(Refused::from(failure))
}

/// The type of a record.
///
/// # Safety
/// The pointer is null or a text.
unsafe fn type_of(record_type: *const c_char) -> Result<String, Stop> {
    // SAFETY: as this function requires.
    let text = (!record_type.is_null()).then(|| unsafe { CStr::from_ptr(record_type) });
    let text = text.and_then(|text| text.to_str().ok()).filter(|text| text.len() < 128);
    text.map(str::to_owned).ok_or_else(|| Stop::usage("the type of the record is missing or too long"))
}

fn flags(begin: c_int, end: c_int) -> [bool; 2] {
    [begin != 0, end != 0]
}

/// Writes a text as a record.
///
/// # Safety
/// Pointers are null or what `qio_parts.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_write_string(
    out: *mut Writer,
    msg_begin: c_int,
    msg_end: c_int,
    xml: *mut QioString,
    lime_type: *const c_char,
) -> c_int {
    coded("QIO_write_string", || {
        collective("QIO_write_string", &WRITERS, out, |writer| {
            // SAFETY: as this function requires.
            let text = unsafe { optional(xml) };
            // SAFETY: as this function requires.
            let checked = text.and_then(|text| Ok((text, unsafe { type_of(lime_type) }?)));
            let (text, record_type) = agree(&writer.comm, checked)?;
            let text = writer.shared(&text)?;
            writer.text(&record_type, flags(msg_begin, msg_end), &terminated(&text)?)
        })
    })
}

/// Writes the site list of each volume as a record.
///
/// # Safety
/// `lime_type` is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_write_sitelist(
    out: *mut Writer,
    msg_begin: c_int,
    msg_end: c_int,
    lime_type: *const c_char,
) -> c_int {
    coded("QIO_write_sitelist", || {
        collective("QIO_write_sitelist", &WRITERS, out, |writer| {
            // SAFETY: as this function requires.
            let record_type = agree(&writer.comm, unsafe { type_of(lime_type) })?;
            writer.list(&record_type, flags(msg_begin, msg_end))
        })
    })
}

/// Stores checksum and number of bytes.
///
/// # Safety
/// The places are null or valid.
unsafe fn keep((sum, bytes): (Checksum, u64), checksum: *mut DmlChecksum, nbytes: *mut u64) {
    // SAFETY: as this function requires.
    unsafe { store(checksum, sum.into()) };
    // SAFETY: as this function requires.
    unsafe { store(nbytes, bytes) };
}

/// Writes data as a record.
///
/// # Safety
/// Pointers are null or what `qio_parts.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_write_field(
    out: *mut Writer,
    msg_begin: c_int,
    msg_end: c_int,
    get: Option<Function>,
    count: c_int,
    datum_size: usize,
    word_size: c_int,
    arg: *mut c_void,
    checksum: *mut DmlChecksum,
    nbytes: *mut u64,
    lime_type: *const c_char,
) -> c_int {
    coded("QIO_write_field", || {
        collective("QIO_write_field", &WRITERS, out, |writer| {
            // SAFETY: as this function requires.
            let record_type = agree(&writer.comm, unsafe { type_of(lime_type) })?;
            let factory = Factory::new(get, count, datum_size, word_size, arg);
            let written = writer.write_field(&record_type, flags(msg_begin, msg_end), factory)?;
            // SAFETY: as this function requires.
            unsafe { keep(written, checksum, nbytes) };
            Ok(())
        })
    })
}

/// Opens a record of data.
///
/// # Safety
/// Pointers are null or what `qio_parts.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_open_write_field(
    out: *mut Writer,
    msg_begin: c_int,
    msg_end: c_int,
    datum_size: usize,
    lime_type: *const c_char,
    do_output: *mut c_int,
    status: *mut c_int,
) -> *mut RecordWriter {
    let open = || {
        let writes = collective("QIO_open_write_field", &WRITERS, out, |writer| {
            // SAFETY: as this function requires.
            let record_type = agree(&writer.comm, unsafe { type_of(lime_type) })?;
            writer.open_field(&record_type, flags(msg_begin, msg_end), datum_size)?;
            Ok(writer.has_records())
        })?;
        // SAFETY: as this function requires.
        unsafe { store(do_output, c_int::from(writes)) };
        Ok(Some(RECORD_WRITERS.create(RecordWriter { writer: out, number: WRITERS.number(out) })))
    };
    // SAFETY: as this function requires.
    unsafe { valued_with_status("QIO_open_write_field", ptr::null_mut(), status, open) }
}

/// Writes the data of an open record, and closes it.
///
/// # Safety
/// Pointers are null or what `qio_parts.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_write_field_data(
    out: *mut Writer,
    lrl_record_out: *mut RecordWriter,
    get: Option<Function>,
    count: c_int,
    datum_size: usize,
    word_size: c_int,
    arg: *mut c_void,
    checksum: *mut DmlChecksum,
    nbytes: *mut u64,
) -> c_int {
    coded("QIO_write_field_data", || {
        let of = RECORD_WRITERS.with(lrl_record_out, |record| (record.writer, record.number));
        let is_of = of.is_ok_and(|(writer, number)| ptr::eq(writer, out) && WRITERS.number(out) == number);
        let known = if is_of { out } else { ptr::null_mut() };
        let written = collective("QIO_write_field_data", &WRITERS, known, |writer| {
            writer.finish_field(Factory::new(get, count, datum_size, word_size, arg))
        })?;
        // SAFETY: as this function requires.
        unsafe { keep(written, checksum, nbytes) };
        RECORD_WRITERS.free(lrl_record_out).map_err(wrong)
    })
}

/// Begins to write single sites of a record of data.
///
/// # Safety
/// Pointers are null or what `qio_parts.h` says; `checksum` is valid until the field is closed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_init_write_field(
    out: *mut Writer,
    msg_begin: c_int,
    msg_end: c_int,
    datum_size: usize,
    checksum: *mut DmlChecksum,
    lime_type: *const c_char,
) -> c_int {
    coded("QIO_init_write_field", || {
        collective("QIO_init_write_field", &WRITERS, out, |writer| {
            // SAFETY: as this function requires.
            let record_type = agree(&writer.comm, unsafe { type_of(lime_type) })?;
            writer.begin_sites(&record_type, flags(msg_begin, msg_end), datum_size)?;
            writer.sums = checksum;
            // SAFETY: as this function requires.
            unsafe { store(checksum, Checksum::default().into()) };
            Ok(())
        })
    })
}

/// Writes one site.
///
/// # Safety
/// Pointers are null or what `qio_parts.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_seek_write_field_datum(
    out: *mut Writer,
    seeksite: u64,
    get: Option<Function>,
    count: c_int,
    datum_size: usize,
    word_size: c_int,
    arg: *mut c_void,
) -> c_int {
    coded("QIO_seek_write_field_datum", || {
        let written = WRITERS.with(out, |writer| {
            let sum = writer.write_site(seeksite, Factory::new(get, count, datum_size, word_size, arg)?)?;
            // SAFETY: the program promises that the place is valid until the field is closed.
            unsafe { store(writer.sums, sum.into()) };
            Ok(())
        });
        written.map_err(wrong)?
    })
}

/// Ends writing single sites.
///
/// # Safety
/// `nbytes` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_close_write_field(out: *mut Writer, nbytes: *mut u64) -> c_int {
    coded("QIO_close_write_field", || {
        collective("QIO_close_write_field", &WRITERS, out, |writer| {
            let written = writer.end_sites()?;
            // SAFETY: as in `QIO_init_write_field`.
            unsafe { keep(written, std::mem::replace(&mut writer.sums, ptr::null_mut()), nbytes) };
            Ok(())
        })
    })
}

/// Sets the sites of the data that low-level calls write.
///
/// # Safety
/// `record_info` is null or a complete structure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_writer_insert_hypercube_data(
    out: *mut Writer,
    record_info: *mut QioRecordInfo,
) -> c_int {
    coded("QIO_writer_insert_hypercube_data", || {
        // SAFETY: as this function requires.
        let info = unsafe { given(record_info) }?;
        let set = WRITERS.with(out, |writer| {
            info.check()?;
            writer.region = info.region(&writer.lattice)?;
            Ok(())
        });
        set.map_err(wrong)?
    })
}

/// Reads a flag of the program.
///
/// # Safety
/// The place is null or valid.
unsafe fn flag(place: *mut c_int) -> bool {
    // SAFETY: as this function requires.
    !place.is_null() && unsafe { place.read_unaligned() } != 0
}

/// Writes the documents of a record.
///
/// # Safety
/// Pointers are null or what `qio_parts.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_write_record_info(
    out: *mut Writer,
    record_info: *mut QioRecordInfo,
    datum_size: usize,
    word_size: c_int,
    xml_record: *mut QioString,
    msg_begin: *mut c_int,
    msg_end: *mut c_int,
) -> c_int {
    coded("QIO_write_record_info", || {
        collective("QIO_write_record_info", &WRITERS, out, |writer| {
            // SAFETY: as this function requires.
            let info = unsafe { described(record_info, xml_record) };
            // SAFETY: as this function requires.
            writer.documents(info, datum_size, word_size, unsafe { flag(msg_begin) })?;
            // SAFETY: as this function requires.
            unsafe { store(msg_begin, 0) };
            // SAFETY: as this function requires.
            unsafe { store(msg_end, 0) };
            Ok(())
        })
    })
}

/// Writes the data of a record.
///
/// # Safety
/// Pointers are null or what `qio_parts.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_write_record_data(
    out: *mut Writer,
    record_info: *mut QioRecordInfo,
    get: Option<Function>,
    datum_size: usize,
    word_size: c_int,
    arg: *mut c_void,
    checksum: *mut DmlChecksum,
    nbytes: *mut u64,
    msg_begin: *mut c_int,
    msg_end: *mut c_int,
) -> c_int {
    coded("QIO_write_record_data", || {
        collective("QIO_write_record_data", &WRITERS, out, |writer| {
            // SAFETY: a null pointer is no string.
            let info = unsafe { described(record_info, ptr::null_mut()) };
            // SAFETY: as this function requires.
            let begin = unsafe { flag(msg_begin) };
            // SAFETY: as this function requires.
            let flags = [begin, unsafe { flag(msg_end) }];
            let factory = Factory::new(get, 0, datum_size, word_size, arg);
            let written = writer.record_data(info, factory, flags)?;
            // SAFETY: as this function requires.
            unsafe { keep(written, checksum, nbytes) };
            // SAFETY: as this function requires.
            unsafe { store(msg_begin, 0) };
            Ok(())
        })
    })
}

/// Writes a record without its checksum.
///
/// # Safety
/// Pointers are null or what `qio_parts.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_generic_write(
    out: *mut Writer,
    record_info: *mut QioRecordInfo,
    xml_record: *mut QioString,
    get: Option<Function>,
    datum_size: usize,
    word_size: c_int,
    arg: *mut c_void,
    checksum: *mut DmlChecksum,
    nbytes: *mut u64,
    msg_begin: *mut c_int,
    msg_end: *mut c_int,
) -> c_int {
    coded("QIO_generic_write", || {
        collective("QIO_generic_write", &WRITERS, out, |writer| {
            // SAFETY: as this function requires.
            let info = unsafe { described(record_info, xml_record) };
            let data = info.clone();
            // SAFETY: as this function requires.
            writer.documents(info, datum_size, word_size, unsafe { flag(msg_begin) })?;
            let factory = Factory::new(get, 0, datum_size, word_size, arg);
            let written = writer.record_data(data, factory, [false, false])?;
            // SAFETY: as this function requires.
            unsafe { keep(written, checksum, nbytes) };
            // SAFETY: as this function requires.
            unsafe { store(msg_begin, 0) };
            // SAFETY: as this function requires.
            unsafe { store(msg_end, 0) };
            Ok(())
        })
    })
}

/// Writes a checksum, which ends the message.
///
/// # Safety
/// `checksum` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_write_checksum(out: *mut Writer, checksum: *const DmlChecksum) -> c_int {
    coded("QIO_write_checksum", || {
        collective("QIO_write_checksum", &WRITERS, out, |writer| {
            // SAFETY: as this function requires.
            let sums = unsafe { memory::optional(checksum, "the checksum") };
            let missing = || Stop::usage("the checksum is a null pointer");
            let sums = sums.map_err(Stop::from).and_then(|sums| sums.ok_or_else(missing));
            let sums = agree(&writer.comm, sums)?;
            writer.run(|writer| writer.put_checksum(Checksum { suma: sums.suma, sumb: sums.sumb }))
        })
    })
}

/// The ranks in the lattice of the sites of a node, in the order of a volume.
///
/// # Safety
/// `layout` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_create_sitelist(
    layout: *const QioLayout,
    volfmt: c_int,
    _serpar: c_int,
) -> *mut Vec<u64> {
    crate::border::valued("QIO_create_sitelist", ptr::null_mut(), || {
        // SAFETY: as this function requires.
        let layout = unsafe { Layout::new(layout) }?;
        let mut list = layout.ranks(layout.this_node())?;
        if crate::calls_write::format(volfmt)? != linkstream::scidac::VolumeFormat::Multifile {
            list.sort_unstable();
        }
        linkstream_memory::check()?;
        Ok(SITE_LISTS.create(list))
    })
}

/// Frees a site list.
#[unsafe(no_mangle)]
pub extern "C" fn DML_free_sitelist(sites: *mut Vec<u64>) {
    coded("DML_free_sitelist", || SITE_LISTS.free(sites).map_err(wrong));
}
