//! Memory of the program: pointers are checked before they are used.
#![allow(unsafe_code, reason = "pointers of the program are dereferenced")]

use crate::code::Refused;

/// Checks a pointer.
fn check<T>(pointer: *const T, what: &str) -> Result<(), Refused> {
    if pointer.is_null() {
        return Err(Refused::usage(format!("{what}: a null pointer was passed")));
    }
    if !pointer.is_aligned() {
        return Err(Refused::usage(format!("{what}: the pointer is not valid, its address is not aligned")));
    }
    Ok(())
}

/// Values of the program.
///
/// # Errors
/// The pointer is null or not aligned.
///
/// # Safety
/// The pointer is null, or points to so many values, which nothing changes during the call.
pub unsafe fn values<'v, T>(pointer: *const T, count: usize, what: &str) -> Result<&'v [T], Refused> {
    check(pointer, what)?;
    // SAFETY: as this function requires. The number comes from an `int`: its bytes fit into memory.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// A copy of a structure of the program; `None` for a null pointer.
///
/// # Errors
/// The pointer is not aligned.
///
/// # Safety
/// The pointer is null or valid.
pub unsafe fn optional<T: Copy>(pointer: *const T, what: &str) -> Result<Option<T>, Refused> {
    if pointer.is_null() {
        return Ok(None);
    }
    check(pointer, what)?;
    // SAFETY: as this function requires.
    Ok(Some(unsafe { pointer.read() }))
}

/// Stores a result, if the program wants it. The place need not be aligned.
///
/// # Safety
/// The place is null or valid.
pub unsafe fn store<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: as this function requires.
        unsafe { place.write_unaligned(value) };
    }
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::*;

    #[test]
    fn pointers_that_are_not_aligned_are_errors() {
        let mut numbers = [7_u32, 0];
        let odd: *mut u32 = numbers.as_mut_ptr().cast::<u8>().wrapping_add(1).cast();
        // SAFETY: nothing is read from a pointer that is not aligned.
        let refused = unsafe { values(odd, 1, "a table") }.unwrap_err();
        assert!(refused.failure.unwrap().message.contains("aligned"));
        // SAFETY: as before.
        assert!(unsafe { optional(odd, "flags") }.is_err());
        // SAFETY: nothing is read from a null pointer.
        assert_eq!(unsafe { optional::<u32>(ptr::null(), "flags") }, Ok(None));
        // SAFETY: as before.
        assert!(unsafe { values::<u32>(ptr::null(), 0, "a table") }.is_err());
        // SAFETY: the table has two numbers.
        assert_eq!(unsafe { values(numbers.as_ptr(), 2, "a table") }, Ok(&[7, 0][..]));
        // SAFETY: the place has room for a number.
        unsafe { store(odd, 5) };
        // SAFETY: the number has just been stored there.
        assert_eq!(unsafe { odd.read_unaligned() }, 5);
        // SAFETY: nothing is stored at a null pointer.
        unsafe { store(ptr::null_mut(), 5) };
    }
}
