//! Memory of the caller: structures, texts and arrays.
#![allow(unsafe_code, reason = "pointers of the caller are dereferenced")]

use std::ffi::{CStr, c_char, c_void};
use std::path::PathBuf;

use linkstream_memory::Short;

use crate::answer::Refused;
use crate::structures::Structure;

/// Largest structure that is accepted. Later versions have larger ones than this version knows.
const LARGEST: usize = 1 << 16;

/// The size of a structure of the caller, as its first member says.
///
/// # Safety
/// The pointer is null, or points to a structure that begins with its size.
unsafe fn size<T: Structure>(structure: *const T) -> Result<usize, Refused> {
    if structure.is_null() {
        return Err(Refused::usage(format!("a null pointer was passed instead of a {}", T::NAME)));
    }
    if !structure.is_aligned() {
        return Err(Refused::usage(format!("the pointer to a {} is not aligned", T::NAME)));
    }
    // SAFETY: the pointer is aligned; the caller promises the rest.
    let size = unsafe { structure.cast::<usize>().read() };
    if (size_of::<T>()..=LARGEST).contains(&size) {
        return Ok(size);
    }
    let expected = size_of::<T>();
    Err(Refused::usage(format!("struct_size is {size}: it must be sizeof({}), which is {expected}", T::NAME)))
}

/// A structure that the caller has filled in.
///
/// # Errors
/// The pointer is null, the size is wrong, or there are members that this version does not know.
///
/// # Safety
/// The pointer is null, or points to a structure that begins with its size and has so many bytes.
pub unsafe fn given<T: Structure>(structure: *const T) -> Result<T, Refused> {
    // SAFETY: as this function requires.
    let size = unsafe { size(structure) }?;
    let more = size - size_of::<T>();
    if more > 0 {
        // SAFETY: the structure has `size` bytes.
        let rest = unsafe { structure.add(1) };
        // SAFETY: as before.
        let rest = unsafe { std::slice::from_raw_parts(rest.cast::<u8>(), more) };
        if rest.iter().any(|byte| *byte != 0) {
            let name = T::NAME;
            return Err(Refused::usage(format!("members of {name} are set that this version does not have")));
        }
    }
    // SAFETY: the structure has at least the size of the type, and any bytes are a value of it.
    Ok(unsafe { structure.read() })
}

/// Structures of an array that the caller has filled in. All have the size that the first one says.
///
/// # Errors
/// Errors of [`given`], or there is not enough memory.
///
/// # Safety
/// The pointer is null, or points to so many structures that begin with their size and have so many bytes.
pub unsafe fn given_many<T: Structure>(first: *const T, count: usize) -> Result<Vec<T>, Refused> {
    let mut all = Vec::new();
    all.try_reserve_exact(count).map_err(|_| Short)?;
    let mut next = first;
    for index in 0..count {
        // SAFETY: as this function requires.
        let size = unsafe { size(next) }?;
        // SAFETY: as before.
        if index > 0 && size != unsafe { self::size(first) }? {
            let name = T::NAME;
            return Err(Refused::usage(format!("the elements of an array of {name} have different sizes")));
        }
        // SAFETY: as before.
        all.push(unsafe { given(next) }?);
        next = next.wrapping_byte_add(size);
    }
    Ok(all)
}

/// A structure that the caller has filled in; `None` for a null pointer.
///
/// # Errors
/// Errors of [`given`].
///
/// # Safety
/// As for [`given`].
pub unsafe fn given_or_null<T: Structure>(structure: *const T) -> Result<Option<T>, Refused> {
    if structure.is_null() {
        return Ok(None);
    }
    // SAFETY: as this function requires.
    unsafe { given(structure) }.map(Some)
}

/// Fills a structure of the caller. Members that this version does not know become 0.
///
/// # Errors
/// The pointer is null, or the size is wrong.
///
/// # Safety
/// As for [`given`]; nothing else uses the structure during the call.
pub unsafe fn fill<T: Structure>(structure: *mut T, value: T) -> Result<(), Refused> {
    // SAFETY: as this function requires.
    let size = unsafe { size(structure) }?;
    // SAFETY: the structure has so many bytes.
    unsafe { structure.cast::<u8>().write_bytes(0, size) };
    // SAFETY: the structure has at least the size of the type.
    unsafe { structure.write(value) };
    // SAFETY: the size is the first member.
    unsafe { structure.cast::<usize>().write(size) };
    Ok(())
}

/// The place for a new handle. A function that the call runs may look at it.
#[derive(Debug)]
pub struct Place<T>(*mut *mut T);

impl<T> Place<T> {
    /// Puts the handle there.
    #[allow(clippy::not_unsafe_ptr_arg_deref, reason = "the handle is stored, not dereferenced")]
    pub fn put(self, handle: *mut T) {
        // SAFETY: `place` has checked the pointer, and requires the rest.
        unsafe { self.0.write(handle) };
    }
}

/// The place for a new handle, which becomes null.
///
/// # Errors
/// The pointer is null or not aligned.
///
/// # Safety
/// The pointer is null, or the place for a pointer during the call.
pub unsafe fn place<T>(place: *mut *mut T) -> Result<Place<T>, Refused> {
    if place.is_null() || !place.is_aligned() {
        return Err(Refused::usage("the place for the handle is a null pointer, or not aligned"));
    }
    // SAFETY: as this function requires.
    unsafe { place.write(std::ptr::null_mut()) };
    Ok(Place(place))
}

/// A text of the caller; `None` for a null pointer.
///
/// # Errors
/// It is not UTF-8, or there is not enough memory.
///
/// # Safety
/// The pointer is null, or points to a text with a zero byte at its end.
pub unsafe fn text(text: *const c_char) -> Result<Option<String>, Refused> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: as this function requires.
    let text = unsafe { CStr::from_ptr(text) };
    let text = text.to_str().map_err(|_| Refused::usage("a text is not UTF-8"))?;
    let mut copy = String::new();
    copy.try_reserve_exact(text.len()).map_err(|_| Short)?;
    copy.push_str(text);
    Ok(Some(copy))
}

/// A path of the caller, which need not be UTF-8.
///
/// # Errors
/// The pointer is null, or the path is empty.
///
/// # Safety
/// The pointer is null, or points to a text with a zero byte at its end.
pub unsafe fn path(path: *const c_char) -> Result<PathBuf, Refused> {
    use std::os::unix::ffi::OsStrExt as _;

    if path.is_null() {
        return Err(Refused::usage("the path is a null pointer"));
    }
    // SAFETY: as this function requires.
    let path = unsafe { CStr::from_ptr(path) };
    if path.is_empty() {
        return Err(Refused::usage("the path is empty"));
    }
    Ok(std::ffi::OsStr::from_bytes(path.to_bytes()).into())
}

/// Checks the size of memory of the caller.
fn checked(pointer: *const c_void, size: usize) -> Result<(), Refused> {
    if pointer.is_null() && size > 0 {
        return Err(Refused::usage("the memory is a null pointer"));
    }
    if isize::try_from(size).is_err() {
        return Err(Refused::usage("no memory has so many bytes"));
    }
    Ok(())
}

/// Memory of the caller that is filled.
///
/// # Errors
/// The pointer is null, or no memory has this size.
///
/// # Safety
/// The pointer is null, or the memory has this size and nothing else uses it during the call.
pub unsafe fn room<'m>(out: *mut c_void, size: usize) -> Result<&'m mut [u8], Refused> {
    checked(out, size)?;
    if size == 0 {
        return Ok(&mut []);
    }
    // SAFETY: as this function requires. Memory that C programs have not initialised is overwritten, not read.
    Ok(unsafe { std::slice::from_raw_parts_mut(out.cast(), size) })
}

/// Numbers of the caller.
///
/// # Errors
/// The pointer is null or not aligned, or the size is not one of whole numbers.
///
/// # Safety
/// The pointer is null, or the memory has this size and nothing writes to it during the call.
pub unsafe fn numbers<'m, T: bytemuck::Pod>(numbers: *const c_void, size: usize) -> Result<&'m [T], Refused> {
    checked(numbers, size)?;
    if size == 0 {
        return Ok(&[]);
    }
    // SAFETY: as this function requires.
    let bytes: &[u8] = unsafe { std::slice::from_raw_parts(numbers.cast(), size) };
    bytemuck::try_cast_slice(bytes).map_err(|_| {
        Refused::usage(format!("the array is not aligned, or its size {size} is not one of whole numbers"))
    })
}

/// Places for numbers of the caller.
///
/// # Errors
/// The pointer is null or not aligned, or no memory has so many numbers.
///
/// # Safety
/// The pointer is null, or there are so many places and nothing else uses them during the call.
pub unsafe fn places<'m>(out: *mut u64, count: usize) -> Result<&'m mut [u64], Refused> {
    let size =
        count.checked_mul(size_of::<u64>()).ok_or_else(|| Refused::usage("no memory has so many bytes"))?;
    checked(out.cast(), size)?;
    if count == 0 {
        return Ok(&mut []);
    }
    if !out.is_aligned() {
        return Err(Refused::usage("the array is not aligned"));
    }
    // SAFETY: as this function requires.
    Ok(unsafe { std::slice::from_raw_parts_mut(out, count) })
}
