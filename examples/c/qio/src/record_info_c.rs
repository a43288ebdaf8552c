//! `QIO_RecordInfo` as C programs have it.
//!
//! Programs declare such structures on their stack, set nothing, pass them to `QIO_read`, ask for their members, and
//! never destroy them. So all content is in the structure itself, and can be copied with it. A mark says that it was
//! filled. Structures of `QIO_create_record_info` are in a list besides, as all handles.
#![allow(unsafe_code, reason = "structures of C programs")]

use std::collections::VecDeque;
use std::ffi::{c_char, c_int};
use std::sync::{Mutex, MutexGuard, PoisonError};

use linkstream::lattice::MAX_DIMENSIONS;
use linkstream_c_border::Handles;

use crate::code::Refused;
use crate::record_info::RecordInfo;
use crate::text::Text;

/// Longest text with its zero byte: more than what files can have.
pub const TEXT: usize = 128;

/// A filled structure has this mark.
const MARK: u64 = 0x5149_4f5f_7265_6331;

/// The structure of `qioxml.h`.
#[repr(C)]
#[derive(Debug, Clone)]
pub struct QioRecordInfo {
    mark: u64,
    recordtype: c_int,
    dimensions: c_int,
    lower: [c_int; MAX_DIMENSIONS],
    upper: [c_int; MAX_DIMENSIONS],
    colors: c_int,
    spins: c_int,
    typesize: c_int,
    datacount: c_int,
    datatype: [u8; TEXT],
    precision: [u8; TEXT],
    date: [u8; TEXT],
}

static CREATED: Handles<QioRecordInfo> = Handles::new("a QIO_RecordInfo");

/// The memory of the last destroyed structures: a program that uses one of them once more gets an error.
static DESTROYED: Mutex<VecDeque<Box<QioRecordInfo>>> = Mutex::new(VecDeque::new());

const KEPT: usize = 64;

fn destroyed() -> MutexGuard<'static, VecDeque<Box<QioRecordInfo>>> {
    DESTROYED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn room(text: &Text, name: &str) -> Result<[u8; TEXT], Refused> {
    let (mut room, bytes) = ([0; TEXT], text.as_bytes());
    let length = bytes.len();
    let place = room[..TEXT - 1].get_mut(..length);
    let too_long = || Refused::usage(format!("{name} has {length} bytes; there can be {}", TEXT - 1));
    place.ok_or_else(too_long)?.copy_from_slice(bytes);
    Ok(room)
}

impl QioRecordInfo {
    /// The structure of a description.
    ///
    /// # Errors
    /// A text is too long.
    pub fn of(info: &RecordInfo) -> Result<Self, Refused> {
        Ok(Self {
            mark: MARK,
            recordtype: info.recordtype,
            dimensions: c_int::try_from(info.dimensions).unwrap_or(0),
            lower: info.lower,
            upper: info.upper,
            colors: info.colors,
            spins: info.spins,
            typesize: info.typesize,
            datacount: info.datacount,
            datatype: room(&info.datatype, "datatype")?,
            precision: room(&info.precision, "precision")?,
            date: room(&info.date, "date")?,
        })
    }

    /// The description. A program can have changed the members: they are checked.
    ///
    /// # Errors
    /// The members cannot occur.
    pub fn info(&self) -> Result<RecordInfo, Refused> {
        let mut info = RecordInfo {
            recordtype: self.recordtype,
            datatype: Text::new(&self.datatype),
            precision: Text::new(&self.precision),
            colors: self.colors,
            spins: self.spins,
            typesize: self.typesize,
            datacount: self.datacount,
            date: Text::new(&self.date),
            ..RecordInfo::default()
        };
        info.check()?;
        if self.dimensions != 0 {
            let count = usize::try_from(self.dimensions).ok().filter(|count| *count <= MAX_DIMENSIONS);
            let count = count.ok_or_else(|| Refused::usage(format!("{} dimensions", self.dimensions)))?;
            info.set_bounds(&self.lower[..count], &self.upper[..count])?;
        }
        Ok(info)
    }

    /// Field, global data or hypercube.
    #[must_use]
    pub const fn recordtype(&self) -> c_int {
        self.recordtype
    }

    /// Number of colors.
    #[must_use]
    pub const fn colors(&self) -> c_int {
        self.colors
    }

    /// Number of spins.
    #[must_use]
    pub const fn spins(&self) -> c_int {
        self.spins
    }

    /// Size of an item in bytes.
    #[must_use]
    pub const fn typesize(&self) -> c_int {
        self.typesize
    }

    /// Number of items per site.
    #[must_use]
    pub const fn datacount(&self) -> c_int {
        self.datacount
    }

    /// True if there is a name of a type.
    #[must_use]
    pub const fn has_datatype(&self) -> bool {
        self.datatype[0] != 0
    }

    /// True if there is a precision.
    #[must_use]
    pub const fn has_precision(&self) -> bool {
        self.precision[0] != 0
    }

    /// True if there is a date.
    #[must_use]
    pub const fn has_date(&self) -> bool {
        self.date[0] != 0
    }

    /// Addresses of the bounds.
    pub const fn bounds(&mut self) -> (*mut c_int, *mut c_int) {
        (self.lower.as_mut_ptr(), self.upper.as_mut_ptr())
    }

    /// Address of the name of the type of an item.
    pub const fn datatype(&mut self) -> *mut c_char {
        self.datatype.as_mut_ptr().cast()
    }

    /// Address of the precision.
    pub const fn precision(&mut self) -> *mut c_char {
        self.precision.as_mut_ptr().cast()
    }

    /// Address of the date.
    pub const fn date(&mut self) -> *mut c_char {
        self.date.as_mut_ptr().cast()
    }
}

/// A new structure of the library.
///
/// # Errors
/// A text is too long.
pub fn create(info: &RecordInfo) -> Result<*mut QioRecordInfo, Refused> {
    linkstream_memory::check()?;
    Ok(CREATED.create(QioRecordInfo::of(info)?))
}

/// Frees a structure of the library. Structures of the program need no end.
///
/// # Errors
/// There is no such structure.
pub fn destroy(pointer: *mut QioRecordInfo) -> Result<(), Refused> {
    if pointer.is_null() {
        return Ok(());
    }
    let mut ended = CREATED.close(pointer)?;
    ended.mark = 0;
    let mut destroyed = destroyed();
    destroyed.push_back(ended);
    if destroyed.len() > KEPT {
        destroyed.pop_front();
    }
    Ok(())
}

/// True for a structure of the library; false for one that the program can have.
fn is_created(pointer: *mut QioRecordInfo) -> Result<bool, Refused> {
    if pointer.is_null() || CREATED.has(pointer) {
        return Ok(true);
    }
    if !pointer.is_aligned() {
        return Err(Refused::usage("the pointer is not a QIO_RecordInfo"));
    }
    if destroyed().iter().any(|ended| std::ptr::eq(&raw const **ended, pointer)) {
        return Err(Refused::usage("the QIO_RecordInfo has been destroyed"));
    }
    Ok(false)
}

/// Runs a call with a filled structure.
///
/// # Errors
/// The pointer is null or no structure, or the structure was not filled or has been destroyed.
///
/// # Safety
/// The pointer is null, misaligned, or a structure of `QIO_create_record_info`, destroyed or not; or it is a structure of
/// the program that nothing else uses during the call. Of a structure without the mark, only the mark is read.
pub unsafe fn with<T>(
    pointer: *mut QioRecordInfo,
    call: impl FnOnce(&mut QioRecordInfo) -> T,
) -> Result<T, Refused> {
    if is_created(pointer)? {
        return Ok(CREATED.with(pointer, call)?);
    }
    // SAFETY: as this function requires.
    let mark = unsafe { &raw const (*pointer).mark };
    // SAFETY: as above; it is aligned.
    if unsafe { mark.read() } != MARK {
        return Err(Refused::usage("the QIO_RecordInfo has not been filled"));
    }
    // SAFETY: as this function requires. A filled structure has no byte without a value.
    Ok(call(unsafe { &mut *pointer }))
}

/// The description in a structure.
///
/// # Errors
/// As for [`with`]; or its members cannot occur.
///
/// # Safety
/// As for [`with`].
pub unsafe fn given(pointer: *mut QioRecordInfo) -> Result<RecordInfo, Refused> {
    // SAFETY: as this function requires.
    unsafe { with(pointer, |info| info.info()) }?
}

/// Fills a structure, which can be without values.
///
/// # Errors
/// The pointer is null or no structure, or the structure has been destroyed; or a text is too long.
///
/// # Safety
/// As for [`with`]; a structure of the program is complete.
pub unsafe fn fill(pointer: *mut QioRecordInfo, info: &RecordInfo) -> Result<(), Refused> {
    let filled = QioRecordInfo::of(info)?;
    if is_created(pointer)? {
        return Ok(CREATED.with(pointer, |info| *info = filled)?);
    }
    // SAFETY: as this function requires; it is aligned.
    unsafe { pointer.write(filled) };
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let mut info = RecordInfo { recordtype: 2, datacount: 4, ..RecordInfo::default() };
        info.datatype = Text::new(b"QDP_F_Real");
        info.set_bounds(&[0, 1], &[3, 1]).unwrap();
        let mut shown = QioRecordInfo::of(&info).unwrap();
        let back = shown.info().unwrap();
        assert_eq!((back.bounds(), back.datatype.as_bytes()), (info.bounds(), info.datatype.as_bytes()));
        // As a program could change them.
        shown.dimensions = 9;
        assert!(shown.info().is_err());
        shown.dimensions = 2;
        shown.upper[1] = 0;
        assert!(shown.info().is_err());
        shown = QioRecordInfo { recordtype: 7, ..shown };
        assert!(shown.info().is_err());
        info.date = Text::new(&[b'x'; TEXT]);
        assert!(QioRecordInfo::of(&info).is_err());
    }

    /// Structures of the tests: complete, or nothing that is read.
    fn read(pointer: *mut QioRecordInfo) -> Result<c_int, Refused> {
        // SAFETY: as above.
        unsafe { given(pointer) }.map(|info| info.colors)
    }

    fn filled(pointer: *mut QioRecordInfo, info: &RecordInfo) -> bool {
        // SAFETY: as above.
        unsafe { fill(pointer, info) }.is_ok()
    }

    #[test]
    fn structures_of_the_program_and_of_the_library() {
        let info = RecordInfo { colors: 3, ..RecordInfo::default() };
        let mut mine = std::mem::MaybeUninit::<QioRecordInfo>::zeroed();
        let mine = mine.as_mut_ptr();
        assert!(read(mine).is_err() && filled(mine, &info));
        assert_eq!(read(mine), Ok(3));
        let created = create(&info).unwrap();
        assert_eq!(read(created), Ok(3));
        destroy(created).unwrap();
        assert!(read(created).is_err() && !filled(created, &info) && destroy(created).is_err());
        assert!(destroy(mine).is_err() && read(std::ptr::null_mut()).is_err());
        assert!(!filled(std::ptr::without_provenance_mut(1), &info));
    }
}
