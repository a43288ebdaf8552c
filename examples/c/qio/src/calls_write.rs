//! The calls of `qio.h` that write files.
#![allow(unsafe_code, reason = "the C interface")]
#![allow(non_snake_case, reason = "the names of QIO 2.3")]

use std::ffi::{c_char, c_int, c_void};
use std::ptr;

use linkstream::scidac::VolumeFormat;
use linkstream_c_border::Handles;
use linkstream_c_ranks::Ranks;
use linkstream_parallel::Arguments;

use crate::border::{Collective, coded, collective, collective_close, optional, path, valued};
use crate::code::{ERR_BAD_VOLFMT, Refused};
use crate::factory::{Factory, Function};
use crate::filename::{MULTIFILE, PARTFILE, PARTFILE_DIR, SINGLEFILE};
use crate::filesystem::{Filesystem, QioFilesystem};
use crate::layout::{Layout, QioLayout};
use crate::memory;
use crate::record_info::RecordInfo;
use crate::record_info_c::{QioRecordInfo, given};
use crate::stop::{Stop, agree};
use crate::string::QioString;
use crate::world;
use crate::writer::{Request, Writer};

/// The files that are being written.
pub static WRITERS: Handles<Writer> = Handles::new("a QIO_Writer");

impl Collective for Writer {
    fn ranks(&self) -> Ranks {
        self.comm
    }

    fn settings(&self, arguments: Arguments) -> Arguments {
        // QIO_reset_writer_ILDG_flags and QIO_writer_insert_hypercube_data. The name in the flags is the one of rank 0.
        arguments.flag("ildgstyle", self.is_ildg).choice("the hypercube", &self.region)
    }
}

/// `QIO_Oflag` of `qio_types.h`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct QioOflag {
    /// Serial or parallel: the bytes are the same.
    pub serpar: c_int,
    /// Create, truncate or append.
    pub mode: c_int,
    /// 1 for gauge fields in ILDG form.
    pub ildgstyle: c_int,
    /// Logical file name.
    pub ildgLFN: *mut QioString,
}

/// The volume format with a number in C.
///
/// # Errors
/// There is none.
pub fn format(volfmt: c_int) -> Result<VolumeFormat, Stop> {
    match volfmt {
        SINGLEFILE => Ok(VolumeFormat::Single),
        MULTIFILE => Ok(VolumeFormat::Multifile),
        PARTFILE => Ok(VolumeFormat::Partition),
        PARTFILE_DIR => Ok(VolumeFormat::PartitionDirectory),
        _ => Err(Stop::because(ERR_BAD_VOLFMT, format!("there is no volume format {volfmt}"))),
    }
}

/// The ILDG form and the logical file name of flags. Without flags QIO writes the ILDG form.
///
/// # Safety
/// The pointer is null or valid.
pub(crate) unsafe fn ildg_flags(oflag: *const QioOflag) -> Result<(bool, Option<Vec<u8>>), Stop> {
    // SAFETY: as this function requires.
    let Some(flags) = unsafe { memory::optional(oflag, "QIO_Oflag") }? else { return Ok((true, None)) };
    let is_ildg = match flags.ildgstyle {
        0 => false,
        1 => true,
        other => return Err(Stop::usage(format!("there is no ildgstyle {other}"))),
    };
    // SAFETY: as this function requires.
    let lfn = unsafe { optional(flags.ildgLFN) }?;
    Ok((is_ildg, (!flags.ildgLFN.is_null()).then_some(lfn).filter(|lfn| !lfn.is_empty())))
}

/// # Safety
/// Pointers are null or what `qio.h` says.
unsafe fn request(
    filename: *const c_char,
    volfmt: c_int,
    layout: *const QioLayout,
    filesystem: Result<Filesystem, Refused>,
    oflag: *const QioOflag,
) -> Result<Request, Stop> {
    // SAFETY: as this function requires.
    let name = unsafe { path(filename) }?;
    // SAFETY: as this function requires.
    let layout = unsafe { Layout::new(layout) }?;
    // SAFETY: as this function requires.
    let appends = match unsafe { memory::optional(oflag, "QIO_Oflag") }?.map_or(1, |flags| flags.mode) {
        0 | 1 => false,
        2 => true,
        other => return Err(Stop::usage(format!("there is no mode {other} of writing"))),
    };
    // SAFETY: as this function requires.
    let (is_ildg, lfn) = unsafe { ildg_flags(oflag) }?;
    let replaces =
        linkstream_c_border::replaces_when_complete().map_err(|failure| Stop::usage(failure.message))?;
    let (filesystem, format) = (filesystem?, format(volfmt)?);
    Ok(Request { name, layout, filesystem, format, appends, is_ildg, lfn, replaces })
}

/// Creates a file, or opens it to append to it.
///
/// # Safety
/// Pointers are null or what `qio.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_open_write(
    xml_file: *mut QioString,
    filename: *const c_char,
    volfmt: c_int,
    layout: *const QioLayout,
    fs: *const QioFilesystem,
    oflag: *const QioOflag,
) -> *mut Writer {
    valued("QIO_open_write", ptr::null_mut(), || {
        // SAFETY: as this function requires.
        let filesystem = unsafe { Filesystem::plain(fs) };
        // SAFETY: as this function requires.
        let request = unsafe { request(filename, volfmt, layout, filesystem, oflag) };
        // SAFETY: as this function requires.
        let text = unsafe { optional(xml_file) };
        let request = request.and_then(|request| text.map(|text| (request, text)));
        let (request, text) = match request {
            Ok((request, text)) => (Ok(request), text),
            Err(stop) => (Err(stop), Vec::new()),
        };
        let mut writer = Writer::open(world::ranks()?, request)?;
        writer.header(&text)?;
        Ok(WRITERS.create(writer))
    })
}

/// Creates a file without the documents of the file.
///
/// # Safety
/// Pointers are null or what `qio.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_generic_open_write(
    filename: *const c_char,
    volfmt: c_int,
    layout: *const QioLayout,
    oflag: *const QioOflag,
    io_node: Option<unsafe extern "C" fn(c_int) -> c_int>,
    master_io_node: Option<unsafe extern "C" fn() -> c_int>,
) -> *mut Writer {
    valued("QIO_generic_open_write", ptr::null_mut(), || {
        let filesystem = Ok(Filesystem::of_functions(io_node, master_io_node));
        // SAFETY: as this function requires.
        let request = unsafe { request(filename, volfmt, layout, filesystem, oflag) };
        Ok(WRITERS.create(Writer::open(world::ranks()?, request)?))
    })
}

/// Writes the documents of the file.
///
/// # Safety
/// `xml_file` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_write_file_header(out: *mut Writer, xml_file: *mut QioString) -> c_int {
    coded("QIO_write_file_header", || {
        collective("QIO_write_file_header", &WRITERS, out, |writer| {
            // SAFETY: as this function requires.
            let text = agree(&writer.comm, unsafe { optional(xml_file) })?;
            writer.header(&text)
        })
    })
}

/// A description and the user's document of a record.
///
/// # Safety
/// `xml` is null or a string; `info` is null or a complete structure.
pub(crate) unsafe fn described(
    info: *mut QioRecordInfo,
    xml: *mut QioString,
) -> Result<(RecordInfo, Vec<u8>), Stop> {
    // SAFETY: as this function requires.
    let info = unsafe { given(info) }.map_err(Stop::from)?;
    // SAFETY: as this function requires.
    Ok((info, unsafe { optional(xml) }?))
}

/// Writes a record.
///
/// # Safety
/// Pointers are null or what `qio.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_write(
    out: *mut Writer,
    record_info: *mut QioRecordInfo,
    xml_record: *mut QioString,
    get: Option<Function>,
    datum_size: usize,
    word_size: c_int,
    arg: *mut c_void,
) -> c_int {
    coded("QIO_write", || {
        collective("QIO_write", &WRITERS, out, |writer| {
            // SAFETY: as this function requires.
            let info = unsafe { described(record_info, xml_record) };
            writer.record(info, Factory::new(get, 0, datum_size, word_size, arg))
        })
    })
}

/// Completes and closes a file.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_close_write(out: *mut Writer) -> c_int {
    coded("QIO_close_write", || collective_close("QIO_close_write", &WRITERS, out)?.close())
}

/// A checksum of a file that is being written.
fn checksum(name: &str, out: *mut Writer, of: impl FnOnce(&Writer) -> u32) -> u32 {
    valued(name, 0, || {
        WRITERS.with(out, |writer| of(writer)).map_err(|failure| Stop::from(Refused::from(failure)))
    })
}

/// First checksum of the last data.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_get_writer_last_checksuma(out: *mut Writer) -> u32 {
    checksum("QIO_get_writer_last_checksuma", out, |writer| writer.checksum.suma)
}

/// Second checksum of the last data.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_get_writer_last_checksumb(out: *mut Writer) -> u32 {
    checksum("QIO_get_writer_last_checksumb", out, |writer| writer.checksum.sumb)
}

/// Changes the ILDG form of the next records.
///
/// # Safety
/// `oflag` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_reset_writer_ILDG_flags(out: *mut Writer, oflag: *const QioOflag) {
    coded("QIO_reset_writer_ILDG_flags", || {
        // SAFETY: as this function requires.
        let (is_ildg, lfn) = unsafe { ildg_flags(oflag) }?;
        let set = WRITERS.with(out, |writer| (writer.is_ildg, writer.lfn) = (is_ildg, lfn));
        set.map_err(|failure| Stop::from(Refused::from(failure)))
    });
}
