//! Requests that can fail.

use std::fmt;
use std::io;

use bytemuck::Zeroable;

/// The system has no more memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Short;

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is not enough memory")
    }
}

impl std::error::Error for Short {}

impl From<Short> for io::Error {
    fn from(_: Short) -> Self {
        // `ENOMEM`, as if the system had said so. An error with a text would need memory.
        if cfg!(unix) { Self::from_raw_os_error(12) } else { io::ErrorKind::OutOfMemory.into() }
    }
}

/// A vector of `count` zeros. As with `vec![0; count]`, the system need not provide its pages before they are written to.
///
/// # Errors
/// There is not enough memory.
pub fn zeroed<T: Zeroable>(count: usize) -> Result<Vec<T>, Short> {
    bytemuck::try_zeroed_vec(count).map_err(|()| Short)
}

/// An empty vector with room for `count` values.
///
/// # Errors
/// There is not enough memory.
pub fn room<T>(count: usize) -> Result<Vec<T>, Short> {
    let mut all = Vec::new();
    all.try_reserve_exact(count).map_err(|_| Short)?;
    Ok(all)
}

/// Checks that there is memory for so many bytes, before a call of another library that cannot fail.
///
/// # Errors
/// There is not enough memory.
pub fn afford(bytes: usize) -> Result<(), Short> {
    room::<u8>(bytes).map(drop)
}

/// Appends a value.
///
/// # Errors
/// There is not enough memory; the vector is unchanged.
pub fn push<T>(all: &mut Vec<T>, value: T) -> Result<(), Short> {
    all.try_reserve(1).map_err(|_| Short)?;
    all.push(value);
    Ok(())
}

/// Appends values.
///
/// # Errors
/// There is not enough memory; the vector is unchanged.
pub fn extend<T: Copy>(all: &mut Vec<T>, values: &[T]) -> Result<(), Short> {
    all.try_reserve(values.len()).map_err(|_| Short)?;
    all.extend_from_slice(values);
    Ok(())
}

/// A copy of values.
///
/// # Errors
/// There is not enough memory.
pub fn copied<T: Copy>(values: &[T]) -> Result<Vec<T>, Short> {
    let mut all = room(values.len())?;
    all.extend_from_slice(values);
    Ok(all)
}

/// All values of an iterator.
///
/// # Errors
/// There is not enough memory.
pub fn collect<T>(values: impl IntoIterator<Item = T>) -> Result<Vec<T>, Short> {
    let values = values.into_iter();
    let mut all = room(values.size_hint().0)?;
    for value in values {
        push(&mut all, value)?;
    }
    Ok(all)
}

/// Changes the number of values; new ones are default values.
///
/// # Errors
/// There is not enough memory; the vector is unchanged.
pub fn resize<T: Copy + Default>(all: &mut Vec<T>, count: usize) -> Result<(), Short> {
    if count > all.len() {
        all.try_reserve(count - all.len()).map_err(|_| Short)?;
    }
    all.resize(count, T::default());
    Ok(())
}

/// The same for code whose result has no place for this error. The stack is unwound, as after a panic, up to whoever
/// isolates work on a file or a call of a library; the payload is [`Short`], and nothing is printed.
pub mod unwinding {
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

    use super::{Short, Zeroable};

    /// The value, or the end of the work.
    ///
    /// # Panics
    /// There is not enough memory.
    pub fn or_end<T>(result: Result<T, Short>) -> T {
        result.unwrap_or_else(|short| resume_unwind(Box::new(short)))
    }

    /// Runs work that can end like this. Values that it changed may be incomplete.
    ///
    /// # Errors
    /// There is not enough memory.
    ///
    /// # Panics
    /// The work panicked.
    pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Short> {
        catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match payload.downcast::<Short>() {
            Ok(short) => *short,
            Err(payload) => resume_unwind(payload),
        })
    }

    /// [`copied`](super::copied).
    ///
    /// # Panics
    /// There is not enough memory.
    #[must_use]
    pub fn copied<T: Copy>(values: &[T]) -> Vec<T> {
        or_end(super::copied(values))
    }

    /// [`zeroed`](super::zeroed).
    ///
    /// # Panics
    /// There is not enough memory.
    #[must_use]
    pub fn zeroed<T: Zeroable>(count: usize) -> Vec<T> {
        or_end(super::zeroed(count))
    }

    /// [`collect`](super::collect).
    ///
    /// # Panics
    /// There is not enough memory.
    #[must_use]
    pub fn collect<T>(values: impl IntoIterator<Item = T>) -> Vec<T> {
        or_end(super::collect(values))
    }

    /// [`push`](super::push).
    ///
    /// # Panics
    /// There is not enough memory.
    pub fn push<T>(all: &mut Vec<T>, value: T) {
        or_end(super::push(all, value));
    }

    /// [`extend`](super::extend).
    ///
    /// # Panics
    /// There is not enough memory.
    pub fn extend<T: Copy>(all: &mut Vec<T>, values: &[T]) {
        or_end(super::extend(all, values));
    }

    /// Room for another line of a text, which may have up to 64 KiB.
    ///
    /// # Panics
    /// There is not enough memory.
    pub fn line(text: &mut String) {
        or_end(text.try_reserve(64 << 10).map_err(|_| Short));
    }

    /// [`resize`](super::resize).
    ///
    /// # Panics
    /// There is not enough memory.
    pub fn resize<T: Copy + Default>(all: &mut Vec<T>, count: usize) {
        or_end(super::resize(all, count));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More than any machine has.
    const MUCH: usize = isize::MAX as usize / 8;

    #[test]
    fn what_does_not_fit_is_an_error_and_changes_nothing() {
        assert_eq!(zeroed::<u64>(MUCH), Err(Short));
        assert!(room::<u64>(MUCH).is_err());
        assert_eq!(io::Error::from(Short).kind(), io::ErrorKind::OutOfMemory);
        let mut some = zeroed::<u8>(3).expect("three bytes");
        assert_eq!(resize(&mut some, usize::MAX), Err(Short));
        assert_eq!(some, [0; 3]);
        push(&mut some, 7).expect("a byte");
        extend(&mut some, &[8, 9]).expect("two bytes");
        resize(&mut some, 5).expect("fewer");
        assert_eq!(some, [0, 0, 0, 7, 8]);
        assert_eq!(collect(some.iter().filter(|value| **value > 0)), Ok(vec![&7, &8]));
        assert_eq!(collect(0..MUCH), Err(Short));
    }

    #[test]
    fn work_that_cannot_return_an_error_is_unwound() {
        let ended = std::panic::catch_unwind(|| unwinding::zeroed::<u64>(MUCH)).expect_err("no memory");
        assert!(ended.is::<Short>());
        assert_eq!(unwinding::caught(|| unwinding::zeroed::<u64>(MUCH)), Err(Short));
        assert_eq!(unwinding::caught(|| unwinding::copied(&[1, 2])), Ok(vec![1, 2]));
        let other = std::panic::catch_unwind(|| unwinding::caught(|| std::panic::resume_unwind(Box::new(5))));
        assert!(other.expect_err("another end").is::<i32>());
    }
}
