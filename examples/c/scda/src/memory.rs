//! Memory of the caller: pointers and lengths are checked before slices are made of them.
#![allow(unsafe_code, reason = "pointers of the caller are dereferenced")]

use std::ffi::{CStr, c_char, c_void};
use std::path::Path;

use linkstream::scda::MAX_USER_LEN;
use linkstream_c_ranks::Ranks;
use linkstream_parallel::Fault;
use linkstream_parallel::comm::Comm as _;
use linkstream_parallel::scda::{Elements, ElementsMut};

/// Room for a user string and a zero byte.
pub(crate) const USERSTR_SIZE: usize = MAX_USER_LEN + 1;

fn null(name: &str) -> Fault {
    Fault::usage(format!("{name} is a null pointer"))
}

/// Checks a pointer to so many values of a type. Returns their number, which fits into memory.
fn checked<T>(pointer: *const T, count: u64, name: &str) -> Result<usize, Fault> {
    let bytes = u128::from(count) * size_of::<T>() as u128;
    if bytes > isize::MAX as u128 {
        return Err(Fault::usage(format!("{name} would have {bytes} bytes, which no memory has")));
    }
    if count > 0 && pointer.is_null() {
        return Err(null(name));
    }
    if !pointer.is_aligned() {
        return Err(Fault::usage(format!("{name} is not a valid pointer: its address is not aligned")));
    }
    usize::try_from(count).map_err(|_| Fault::usage(format!("{name} is too long")))
}

/// Values of the caller.
///
/// # Safety
/// The pointer is null, or points to so many values, which nothing changes during the call.
pub(crate) unsafe fn slice<'a, T>(pointer: *const T, count: u64, name: &str) -> Result<&'a [T], Fault> {
    match checked(pointer, count, name)? {
        0 => Ok(&[]),
        // SAFETY: the pointer is valid for this number of values, as the caller promises; it is not null.
        count => Ok(unsafe { std::slice::from_raw_parts(pointer, count) }),
    }
}

/// Room of the caller.
///
/// # Safety
/// The pointer is null, or points to room for so many values, which nothing else uses during the call.
pub(crate) unsafe fn slice_mut<'a, T>(pointer: *mut T, count: u64, name: &str) -> Result<&'a mut [T], Fault> {
    match checked(pointer, count, name)? {
        0 => Ok(&mut []),
        // SAFETY: the pointer is valid for this number of values, as the caller promises; it is not null.
        count => Ok(unsafe { std::slice::from_raw_parts_mut(pointer, count) }),
    }
}

/// A number for each rank.
///
/// # Safety
/// The pointer is null, or points to so many numbers.
pub(crate) unsafe fn table<'a>(pointer: *const u64, ranks: &Ranks, name: &str) -> Result<&'a [u64], Fault> {
    // SAFETY: as this function requires.
    unsafe { slice(pointer, ranks.size() as u64, name) }
}

/// The number of this rank.
pub(crate) fn own(table: &[u64], ranks: &Ranks) -> u64 {
    table[ranks.rank()]
}

/// Checks a place for a result, which must not be null.
pub(crate) fn is_place<T>(pointer: *mut T, name: &str) -> Result<(), Fault> {
    checked(pointer, 1, name).map(drop)
}

/// A place for a result, which must not be null.
///
/// # Safety
/// The pointer is null, or points to a value that nothing else uses during the call.
pub(crate) unsafe fn place<'a, T>(pointer: *mut T, name: &str) -> Result<&'a mut T, Fault> {
    checked(pointer, 1, name)?;
    // SAFETY: the pointer is valid, as the caller promises; it is neither null nor unaligned.
    unsafe { pointer.as_mut() }.ok_or_else(|| null(name))
}

/// A path.
///
/// # Safety
/// The pointer is null or points to a C string.
pub(crate) unsafe fn path<'a>(pointer: *const c_char, name: &str) -> Result<&'a Path, Fault> {
    if pointer.is_null() {
        return Err(null(name));
    }
    // SAFETY: the pointer is a C string, as the caller promises.
    let bytes = unsafe { CStr::from_ptr(pointer) }.to_bytes();
    Ok(Path::new(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes)))
}

/// A user string of any bytes.
///
/// # Safety
/// The pointer is null or points to so many bytes.
pub(crate) unsafe fn userstr<'a>(pointer: *const c_void, length: usize) -> Result<&'a [u8], Fault> {
    if length > MAX_USER_LEN {
        return Err(too_long());
    }
    // SAFETY: as this function requires.
    unsafe { slice(pointer.cast::<u8>(), length as u64, "userstr") }
}

fn too_long() -> Fault {
    Fault::usage(format!("the user string has more than {MAX_USER_LEN} bytes"))
}

/// A user string that is a C string.
///
/// # Safety
/// The pointer is null or points to a C string.
pub(crate) unsafe fn userstr_c<'a>(pointer: *const c_char) -> Result<&'a [u8], Fault> {
    if pointer.is_null() {
        return Err(null("userstr"));
    }
    // One that is not ended by mistake is not read further than needed.
    for length in 0..=MAX_USER_LEN {
        // SAFETY: the string has not ended before this byte.
        if unsafe { *pointer.wrapping_add(length) } == 0 {
            // SAFETY: so many bytes have been read.
            return Ok(unsafe { std::slice::from_raw_parts(pointer.cast(), length) });
        }
    }
    Err(too_long())
}

/// Fills the room for a user string, unless it is null.
///
/// # Safety
/// The pointer is null or points to room for 59 bytes, which nothing else uses during the call.
pub(crate) unsafe fn put_userstr(to: *mut c_void, userstr: &[u8]) {
    if to.is_null() {
        return;
    }
    let mut bytes = [0; USERSTR_SIZE];
    bytes[..userstr.len()].copy_from_slice(userstr);
    // SAFETY: there is room, as the caller promises.
    unsafe { to.cast::<[u8; USERSTR_SIZE]>().write_unaligned(bytes) };
}

/// Sizes of elements.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Sizes<'a> {
    /// A number of elements, and the size of each.
    Equal(u64, u64),
    /// The size of each element.
    Each(&'a [u64]),
}

impl Sizes<'_> {
    fn count(self) -> u64 {
        match self {
            Self::Equal(count, _) => count,
            Self::Each(sizes) => sizes.len() as u64,
        }
    }

    fn at(self, index: usize) -> u64 {
        match self {
            Self::Equal(_, size) => size,
            Self::Each(sizes) => sizes[index],
        }
    }

    /// Number of bytes of all elements.
    pub fn total(self) -> Result<u64, Fault> {
        let total = match self {
            Self::Equal(count, size) => u128::from(count) * u128::from(size),
            Self::Each(sizes) => sizes.iter().map(|size| u128::from(*size)).sum(),
        };
        u64::try_from(total).map_err(|_| Fault::usage(format!("the elements of a rank have {total} bytes")))
    }

    /// Error if this is not the number of bytes of all elements: `S_q` of this rank.
    pub fn check_total(self, given: u64) -> Result<(), Fault> {
        match self.total()? {
            total if total == given => Ok(()),
            total => Err(Fault::usage(format!("S_q of this rank is {given}, but the sum of E_i is {total}"))),
        }
    }
}

/// Memory of elements to write, which are found through pointers if `indirect`.
#[derive(Debug)]
pub(crate) enum Data<'a> {
    Contiguous(&'a [u8]),
    Indirect(Vec<&'a [u8]>),
}

impl Data<'_> {
    pub fn elements(&self) -> Elements<'_> {
        match self {
            Self::Contiguous(bytes) => Elements::Contiguous(bytes),
            Self::Indirect(slices) => Elements::Indirect(slices),
        }
    }
}

/// Memory for so many slices.
fn room<T>(count: usize) -> Result<Vec<T>, Fault> {
    let mut slices = Vec::new();
    let reserved = slices.try_reserve_exact(count);
    reserved.map_err(|_| Fault::system(None, &std::io::Error::from_raw_os_error(libc::ENOMEM)))?;
    Ok(slices)
}

/// Elements to write.
///
/// # Safety
/// Null, or the memory has elements of these sizes, or pointers to such elements, which nothing changes during the
/// call.
pub(crate) unsafe fn data<'a>(
    dbytes: *const c_void,
    sizes: Sizes<'_>,
    indirect: bool,
) -> Result<Data<'a>, Fault> {
    let total = sizes.total()?;
    // Elements without bytes need no pointers.
    if !indirect || total == 0 {
        // SAFETY: as this function requires.
        return unsafe { slice(dbytes.cast::<u8>(), total, "dbytes") }.map(Data::Contiguous);
    }
    // SAFETY: as this function requires.
    let pointers = unsafe { slice(dbytes.cast::<*const u8>(), sizes.count(), "dbytes") }?;
    let mut slices = room(pointers.len())?;
    for (index, pointer) in pointers.iter().enumerate() {
        // SAFETY: as this function requires.
        slices.push(unsafe { slice(*pointer, sizes.at(index), "the pointer to an element") }?);
    }
    Ok(Data::Indirect(slices))
}

/// Room for elements to read.
///
/// # Safety
/// Null, or the memory is room for elements of these sizes, or pointers to such room, which nothing else uses during
/// the call.
pub(crate) unsafe fn data_mut<'a>(
    dbytes: *mut c_void,
    sizes: Sizes<'_>,
    indirect: bool,
) -> Result<ElementsMut<'a>, Fault> {
    let total = sizes.total()?;
    if !indirect || total == 0 {
        // SAFETY: as this function requires.
        return unsafe { slice_mut(dbytes.cast::<u8>(), total, "dbytes") }.map(ElementsMut::Contiguous);
    }
    // SAFETY: as this function requires.
    let pointers = unsafe { slice(dbytes.cast_const().cast::<*mut u8>(), sizes.count(), "dbytes") }?;
    check_overlaps(pointers, sizes)?;
    let mut slices = room(pointers.len())?;
    for (index, pointer) in pointers.iter().enumerate() {
        // SAFETY: as this function requires; the rooms do not overlap.
        slices.push(unsafe { slice_mut(*pointer, sizes.at(index), "the pointer to an element") }?);
    }
    Ok(ElementsMut::Indirect(slices))
}

/// Error if the rooms of two elements overlap.
fn check_overlaps(pointers: &[*mut u8], sizes: Sizes<'_>) -> Result<(), Fault> {
    let mut end = 0;
    let mut is_free = |address: usize, size: u64| {
        let is_free = size == 0 || address as u128 >= end;
        if size > 0 {
            end = address as u128 + u128::from(size);
        }
        is_free
    };
    let ascending =
        pointers.iter().enumerate().all(|(index, pointer)| is_free(pointer.addr(), sizes.at(index)));
    if ascending {
        return Ok(());
    }
    let mut rooms = room(pointers.len())?;
    rooms.extend(pointers.iter().enumerate().map(|(index, pointer)| (pointer.addr(), sizes.at(index))));
    rooms.sort_unstable();
    let mut end = 0;
    for (address, size) in rooms.into_iter().filter(|(_, size)| *size > 0) {
        if (address as u128) < end {
            return Err(Fault::usage("the rooms of two elements overlap, or are null pointers"));
        }
        end = address as u128 + u128::from(size);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_rooms_are_refused() {
        let mut bytes = [0_u8; 16];
        let start = bytes.as_mut_ptr();
        let at = |offset: usize| start.wrapping_add(offset);
        let check = |offsets: &[usize], sizes: &[u64]| {
            let pointers: Vec<_> = offsets.iter().map(|offset| at(*offset)).collect();
            check_overlaps(&pointers, Sizes::Each(sizes)).is_ok()
        };
        assert!(check(&[0, 4, 8], &[4, 4, 8]));
        assert!(check(&[8, 4, 0], &[8, 4, 4]));
        assert!(check(&[8, 0, 0], &[8, 0, 8]));
        assert!(check(&[0, 4, 2], &[4, 4, 0]));
        assert!(!check(&[0, 4, 3], &[4, 4, 1]));
        assert!(!check(&[0, 0], &[4, 4]));
        assert!(!check(&[0, 3], &[4, 1]));
    }

    #[test]
    fn lengths_that_no_memory_has_are_refused() {
        let one = 7_u64;
        // SAFETY: the pointer is valid; nothing is read, because the length is refused.
        assert!(unsafe { slice(&raw const one, u64::MAX, "N_q") }.is_err());
        // SAFETY: a null pointer is allowed.
        assert!(unsafe { slice::<u64>(std::ptr::null(), 1, "N_q") }.is_err());
        // SAFETY: a null pointer is allowed.
        assert_eq!(unsafe { slice::<u64>(std::ptr::null(), 0, "N_q") }, Ok(&[][..]));
        assert!(Sizes::Equal(1 << 33, 1 << 33).total().is_err());
        assert!(Sizes::Each(&[u64::MAX, 1]).total().is_err());
    }
}
