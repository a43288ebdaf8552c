//! The calls of `qio.h` that read files.
#![allow(unsafe_code, reason = "the C interface")]
#![allow(non_snake_case, reason = "the names of QIO 2.3")]

use std::ffi::{c_char, c_int, c_void};
use std::ptr;

use linkstream::scidac::VolumeFormat;
use linkstream_c_border::Handles;
use linkstream_parallel::comm::Comm as _;

use linkstream_parallel::Arguments;

use crate::border::{Collective, coded, coded_or_end, collective, collective_close, pass, path, valued};
use crate::code::{BAD_ARG, ERR_BAD_SEEK, Refused};
use crate::factory::{Factory, Function};
use crate::filename::{MULTIFILE, PARTFILE, PARTFILE_DIR, SINGLEFILE, UNKNOWN};
use crate::filesystem::{Filesystem, QioFilesystem};
use crate::layout::{Layout, QioLayout, SiteMap as _};
use crate::memory;
use crate::reader::{Reader, Request};
use crate::record_info_c::{QioRecordInfo, fill, given};
use crate::stop::{Stop, agree};
use crate::string::QioString;
use crate::world;

/// The files that are being read.
pub static READERS: Handles<Reader> = Handles::new("a QIO_Reader");

impl Collective for Reader {
    fn ranks(&self) -> linkstream_c_ranks::Ranks {
        self.comm
    }

    fn settings(&self, arguments: Arguments) -> Arguments {
        // QIO_set_record_info and QIO_reader_insert_hypercube_data. Offsets are in the volume of this rank.
        let record = self.current.as_ref().map(|current| (current.region, current.info.bytes_per_site()));
        arguments.choice("the record info", &record).choice("the hypercube", &self.region)
    }
}

/// `QIO_Iflag` of `qio_types.h`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct QioIflag {
    /// Serial or parallel: the file is read in the same way.
    pub serpar: c_int,
    /// Preferred volume format.
    pub volfmt: c_int,
}

/// The number of a volume format in C.
#[must_use]
pub const fn volfmt(format: VolumeFormat) -> c_int {
    match format {
        VolumeFormat::Single => SINGLEFILE,
        VolumeFormat::Multifile => MULTIFILE,
        VolumeFormat::Partition => PARTFILE,
        VolumeFormat::PartitionDirectory => PARTFILE_DIR,
    }
}

/// # Safety
/// Pointers are null or what `qio.h` says.
unsafe fn request(
    filename: *const c_char,
    layout: *const QioLayout,
    filesystem: Result<Filesystem, Refused>,
    iflag: *const QioIflag,
) -> Result<Request, Stop> {
    // SAFETY: as this function requires.
    let name = unsafe { path(filename) }?;
    // SAFETY: as this function requires.
    let layout = unsafe { Layout::new(layout) }?;
    // SAFETY: as this function requires.
    let preferred = match unsafe { memory::optional(iflag, "QIO_Iflag") }?.map(|flag| flag.volfmt) {
        None | Some(UNKNOWN | SINGLEFILE) => None,
        Some(MULTIFILE) => Some(VolumeFormat::Multifile),
        Some(PARTFILE) => Some(VolumeFormat::Partition),
        Some(PARTFILE_DIR) => Some(VolumeFormat::PartitionDirectory),
        Some(other) => {
            return Err(Stop::because(
                crate::code::ERR_BAD_VOLFMT,
                format!("there is no volume format {other}"),
            ));
        }
    };
    Ok(Request { name, layout, filesystem: filesystem?, preferred })
}

/// Opens a file to read it.
///
/// # Safety
/// Pointers are null or what `qio.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_open_read(
    xml_file: *mut QioString,
    filename: *const c_char,
    layout: *const QioLayout,
    fs: *const QioFilesystem,
    iflag: *const QioIflag,
) -> *mut Reader {
    valued("QIO_open_read", ptr::null_mut(), || {
        // SAFETY: as this function requires.
        let filesystem = unsafe { Filesystem::plain(fs) };
        // SAFETY: as this function requires.
        let request = unsafe { request(filename, layout, filesystem, iflag) };
        let mut reader = Reader::open(world::ranks()?, request)?;
        let text = reader.read_text()?;
        // SAFETY: as this function requires.
        agree(&reader.comm, unsafe { pass(xml_file, &text) })?;
        Ok(READERS.create(reader))
    })
}

/// True for a layout without a lattice for several nodes: a program of one process asks for the lattice of a file.
fn is_of_others(layout: &Layout) -> bool {
    layout.lattice().is_none() && layout.nodes() > 1
}

/// Opens a file to read it, without the user's document.
///
/// # Safety
/// Pointers are null or what `qio.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_open_read_master(
    filename: *const c_char,
    layout: *const QioLayout,
    iflag: *const QioIflag,
    io_node: Option<unsafe extern "C" fn(c_int) -> c_int>,
    master_io_node: Option<unsafe extern "C" fn() -> c_int>,
) -> *mut Reader {
    valued("QIO_open_read_master", ptr::null_mut(), || {
        let filesystem = Ok(Filesystem::of_functions(io_node, master_io_node));
        // SAFETY: as this function requires.
        let request = unsafe { request(filename, layout, filesystem, iflag) };
        let ranks = world::ranks()?;
        let reader = match &request {
            Ok(request) if ranks.size() == 1 && is_of_others(&request.layout) => Reader::discover(request)?,
            _ => Reader::open(ranks, request)?,
        };
        Ok(READERS.create(reader))
    })
}

/// Confirms that the volumes of other nodes are open.
///
/// # Safety
/// Pointers are null or what `qio.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_open_read_nonmaster(
    r#in: *mut Reader,
    filename: *const c_char,
    _iflag: *const QioIflag,
) -> c_int {
    coded("QIO_open_read_nonmaster", || {
        collective("QIO_open_read_nonmaster", &READERS, r#in, |reader| {
            // SAFETY: as this function requires.
            let name = unsafe { path(filename) };
            agree(&reader.comm, name).map(drop)
        })
    })
}

/// Confirms the site lists, which are checked when the file is opened.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_read_check_sitelist(r#in: *mut Reader) -> c_int {
    coded("QIO_read_check_sitelist", || {
        collective("QIO_read_check_sitelist", &READERS, r#in, |reader| reader.run(|_| Ok(())))
    })
}

/// Reads the user's document of the file.
///
/// # Safety
/// `xml` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_read_user_file_xml(xml: *mut QioString, r#in: *mut Reader) -> c_int {
    coded("QIO_read_user_file_xml", || {
        collective("QIO_read_user_file_xml", &READERS, r#in, |reader| {
            let text = reader.read_text()?;
            // SAFETY: as this function requires.
            agree(&reader.comm, unsafe { pass(xml, &text) })
        })
    })
}

/// Passes the description and the user's document of the next record. False at the end of the file.
///
/// # Safety
/// `xml` is null or a string; `info` is null or a complete structure.
unsafe fn pass_info(
    reader: &mut Reader,
    info: Option<*mut QioRecordInfo>,
    xml: *mut QioString,
) -> Result<bool, Stop> {
    let Some(current) = reader.read_info()?.cloned() else { return Ok(false) };
    let passed = match info {
        // SAFETY: as this function requires.
        Some(info) => unsafe { fill(info, &current.info) },
        None => Ok(()),
    };
    // SAFETY: as this function requires.
    let passed = passed.map_err(Stop::from).and_then(|()| unsafe { pass(xml, &current.text) });
    agree(&reader.comm, passed)?;
    Ok(true)
}

/// Reads the documents of the next record.
///
/// # Safety
/// Pointers are null or what `qio.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_read_record_info(
    r#in: *mut Reader,
    record_info: *mut QioRecordInfo,
    xml_record: *mut QioString,
) -> c_int {
    coded_or_end("QIO_read_record_info", || {
        // SAFETY: as this function requires.
        collective("QIO_read_record_info", &READERS, r#in, |reader| unsafe {
            pass_info(reader, Some(record_info), xml_record)
        })
    })
}

/// Reads the description of the next record.
///
/// # Safety
/// `record_info` is null or a complete structure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_read_private_record_info(
    r#in: *mut Reader,
    record_info: *mut QioRecordInfo,
) -> c_int {
    coded_or_end("QIO_read_private_record_info", || {
        collective("QIO_read_private_record_info", &READERS, r#in, |reader| {
            // SAFETY: as this function requires; a null pointer is no string.
            unsafe { pass_info(reader, Some(record_info), ptr::null_mut()) }
        })
    })
}

/// Reads the user's document of the next record.
///
/// # Safety
/// `xml_record` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_read_user_record_info(r#in: *mut Reader, xml_record: *mut QioString) -> c_int {
    coded_or_end("QIO_read_user_record_info", || {
        // SAFETY: as this function requires.
        collective("QIO_read_user_record_info", &READERS, r#in, |reader| unsafe {
            pass_info(reader, None, xml_record)
        })
    })
}

/// Reads the logical file name in front of the data of the next record.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_read_ILDG_LFN(r#in: *mut Reader) -> c_int {
    coded_or_end("QIO_read_ILDG_LFN", || {
        collective("QIO_read_ILDG_LFN", &READERS, r#in, |reader| Ok(reader.read_info()?.is_some()))
    })
}

/// Reads a record: documents and data.
///
/// # Safety
/// Pointers are null or what `qio.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_read(
    r#in: *mut Reader,
    record_info: *mut QioRecordInfo,
    xml_record: *mut QioString,
    put: Option<Function>,
    datum_size: usize,
    word_size: c_int,
    arg: *mut c_void,
) -> c_int {
    coded_or_end("QIO_read", || {
        collective("QIO_read", &READERS, r#in, |reader| {
            // SAFETY: as this function requires.
            if !unsafe { pass_info(reader, Some(record_info), xml_record) }? {
                return Ok(false);
            }
            reader.read_data(Factory::new(put, 0, datum_size, word_size, arg))?;
            Ok(true)
        })
    })
}

/// Reads the data of a record whose documents have been read.
///
/// # Safety
/// Pointers are null or what `qio.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_read_record_data(
    r#in: *mut Reader,
    put: Option<Function>,
    datum_size: usize,
    word_size: c_int,
    arg: *mut c_void,
) -> c_int {
    coded("QIO_read_record_data", || {
        collective("QIO_read_record_data", &READERS, r#in, |reader| {
            reader.read_data(Factory::new(put, 0, datum_size, word_size, arg))
        })
    })
}

/// Skips the next record.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_next_record(r#in: *mut Reader) -> c_int {
    coded_or_end("QIO_next_record", || collective("QIO_next_record", &READERS, r#in, Reader::skip))
}

/// Closes a file.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_close_read(r#in: *mut Reader) -> c_int {
    coded("QIO_close_read", || collective_close("QIO_close_read", &READERS, r#in)?.close())
}

/// A property of a file that is being read.
fn of<T: Copy>(name: &str, reader: *mut Reader, otherwise: T, of: impl FnOnce(&mut Reader) -> T) -> T {
    valued(name, otherwise, || READERS.with(reader, of).map_err(|failure| Stop::from(Refused::from(failure))))
}

/// Number of dimensions.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_get_reader_latdim(r#in: *mut Reader) -> c_int {
    of("QIO_get_reader_latdim", r#in, BAD_ARG, |reader| reader.latsize.len() as c_int)
}

/// Extents of the lattice.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_get_reader_latsize(r#in: *mut Reader) -> *mut c_int {
    of("QIO_get_reader_latsize", r#in, ptr::null_mut(), |reader| reader.latsize.as_mut_ptr())
}

/// First checksum of the last data.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_get_reader_last_checksuma(r#in: *mut Reader) -> u32 {
    of("QIO_get_reader_last_checksuma", r#in, 0, |reader| reader.checksum.suma)
}

/// Second checksum of the last data.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_get_reader_last_checksumb(r#in: *mut Reader) -> u32 {
    of("QIO_get_reader_last_checksumb", r#in, 0, |reader| reader.checksum.sumb)
}

/// Goes to a record of this node's file.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_set_reader_pointer(r#in: *mut Reader, offset: i64) -> c_int {
    coded("QIO_set_reader_pointer", || {
        let to = u64::try_from(offset);
        let to = to.map_err(|_| Stop::because(ERR_BAD_SEEK, format!("there is no offset {offset}")))?;
        let gone = READERS.with(r#in, |reader| reader.run(|reader| reader.go_to(to)));
        gone.map_err(|failure| Stop::from(Refused::from(failure)))?
    })
}

/// Offset of the next record of this node's file.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_get_reader_pointer(r#in: *mut Reader) -> i64 {
    of("QIO_get_reader_pointer", r#in, -1, |reader| {
        reader.position().map_or(0, |position| i64::try_from(position).unwrap_or(-1))
    })
}

/// Logical file name.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_get_ILDG_LFN(r#in: *mut Reader) -> *mut c_char {
    of("QIO_get_ILDG_LFN", r#in, ptr::null_mut(), |reader| {
        reader.lfn.as_mut().map_or(ptr::null_mut(), |lfn| lfn.as_mut_ptr())
    })
}

/// 1 if the record has an `ildg-format`.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_get_ildgstyle(r#in: *mut Reader) -> c_int {
    of("QIO_get_ildgstyle", r#in, BAD_ARG, |reader| c_int::from(reader.is_ildg))
}

/// Volume format of the file.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_get_reader_volfmt(r#in: *mut Reader) -> c_int {
    of("QIO_get_reader_volfmt", r#in, BAD_ARG, |reader| volfmt(reader.volume_format()))
}

/// 1 for SciDAC files, 2 for ILDG files of other programs.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_get_reader_format(r#in: *mut Reader) -> c_int {
    of("QIO_get_reader_format", r#in, BAD_ARG, |reader| if reader.is_native() { 1 } else { 2 })
}

/// Gives the description of the next data, whose documents are not read.
///
/// # Safety
/// `record_info` is null or a complete structure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn QIO_set_record_info(r#in: *mut Reader, record_info: *mut QioRecordInfo) {
    coded("QIO_set_record_info", || {
        // SAFETY: as this function requires.
        let info = unsafe { given(record_info) }.map_err(Stop::from)?;
        let set = READERS.with(r#in, |reader| reader.set_info(info));
        set.map_err(|failure| Stop::from(Refused::from(failure)))?
    });
}

/// Global data go to the master node only.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_suppress_global_broadcast(r#in: *mut Reader) {
    of("QIO_suppress_global_broadcast", r#in, (), |reader| reader.suppresses_broadcast = true);
}
