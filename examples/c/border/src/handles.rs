//! Handles: values that C programs refer to by pointers.
//!
//! A pointer that a program passes is compared with the list of existing handles before anything is read from it. So a
//! null pointer, a handle that has been closed, and a pointer to something else are errors, not accesses to memory.
#![allow(unsafe_code, reason = "pointers of the caller are dereferenced after they were found in the list")]
#![allow(clippy::not_unsafe_ptr_arg_deref, reason = "a pointer that is not in the list is not dereferenced")]

use std::collections::BTreeMap;
use std::marker::PhantomData;

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::last::Failure;

/// The existing handles of one type: a `static` for each type.
#[derive(Debug)]
pub struct Handles<T> {
    /// Word for the type in messages, with an article: "a reader".
    name: &'static str,
    /// Address of each existing handle, with what is known of it. Not a hash table, whose memory checkers of leaks
    /// do not recognise as used at the end of a program.
    existing: Mutex<Option<BTreeMap<usize, Entry>>>,
    /// Addresses of some existing handles, which are found here without a lock: a call that reads 8 bytes takes no longer
    /// than the lock. [`IN_USE`] is added while a call is using the handle; 0 is an empty slot.
    slots: [AtomicUsize; SLOTS],
    values: PhantomData<fn() -> T>,
}

const SLOTS: usize = 64;

/// Bit of a slot. No handle has it in its address.
const IN_USE: usize = 1;

#[derive(Debug)]
struct Entry {
    /// True while a call is using the handle, if it has no slot.
    in_use: bool,
    has_slot: bool,
    /// Number that no other handle has, nor had.
    number: u64,
}

/// Number of handles of all types.
static CREATED: AtomicU64 = AtomicU64::new(0);

impl<T> Handles<T> {
    /// An empty list. `name` is the word for the type in messages, with an article.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        let slots = [const { AtomicUsize::new(0) }; SLOTS];
        Self { name, existing: Mutex::new(None), slots, values: PhantomData }
    }

    /// The slot that a handle with this address can have.
    #[inline]
    const fn slot(&self, address: usize) -> &AtomicUsize {
        // Addresses differ in their middle bits.
        &self.slots[(address >> 4 ^ address >> 10) % SLOTS]
    }

    /// Marks the handle in a slot as in use. False if the address is 0, if the slot is empty or has another handle, or if
    /// the handle is in use.
    #[inline]
    fn take_slot(&self, address: usize) -> bool {
        let in_use = address | IN_USE;
        in_use != address
            && self
                .slot(address)
                .compare_exchange(address, in_use, Ordering::Acquire, Ordering::Relaxed)
                .is_ok()
    }

    fn existing(&self) -> MutexGuard<'_, Option<BTreeMap<usize, Entry>>> {
        // The list is consistent between any two of its operations.
        self.existing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new handle.
    pub fn create(&self, value: T) -> *mut T {
        const { assert!(align_of::<T>() > IN_USE && size_of::<T>() > 0, "the address has room for a mark") };
        let handle = Box::into_raw(Box::new(value));
        let address = handle.addr();
        let mut existing = self.existing();
        let slot = self.slot(address).compare_exchange(0, address, Ordering::Release, Ordering::Relaxed);
        let number = CREATED.fetch_add(1, Ordering::Relaxed);
        let entry = Entry { in_use: false, has_slot: slot.is_ok(), number };
        existing.get_or_insert_default().insert(address, entry);
        handle
    }

    /// True if the pointer is a handle of this list. It is not dereferenced.
    pub fn has(&self, pointer: *const T) -> bool {
        self.existing().get_or_insert_default().contains_key(&pointer.addr())
    }

    /// Number of a handle; `None` if there is no such handle. A new handle can get the address of a closed one, but not
    /// its number.
    pub fn number(&self, pointer: *const T) -> Option<u64> {
        self.existing().get_or_insert_default().get(&pointer.addr()).map(|entry| entry.number)
    }

    /// Marks a handle as in use.
    fn take(&self, handle: *const T) -> Result<InUse<'_, T>, Failure> {
        if handle.is_null() {
            return Err(Failure::usage(format!("a null pointer was passed instead of {}", self.name)));
        }
        let address = handle.addr();
        if self.take_slot(address) {
            return Ok(InUse { handles: self, address, has_slot: true });
        }
        let mut existing = self.existing();
        let Some(entry) = existing.get_or_insert_default().get_mut(&address) else {
            return Err(Failure::usage(format!("the pointer is not {}, or it has been closed", self.name)));
        };
        let has_slot = entry.has_slot;
        // Another thread may have ended its use meanwhile.
        let is_free =
            if has_slot { self.take_slot(address) } else { !std::mem::replace(&mut entry.in_use, true) };
        if is_free {
            return Ok(InUse { handles: self, address, has_slot });
        }
        Err(Failure::usage(format!(
            "another thread, or the call that runs this function, is using {} at the same time",
            self.name
                .split_once(' ')
                .map_or_else(|| self.name.to_owned(), |(_, noun)| format!("this {noun}"))
        )))
    }

    /// Runs a call with the value of a handle. During the call, nothing else can use the handle.
    ///
    /// # Errors
    /// There is no such handle, or it is in use.
    pub fn with<R>(&self, handle: *mut T, call: impl FnOnce(&mut T) -> R) -> Result<R, Failure> {
        let _in_use = self.take(handle)?;
        // SAFETY: the handle is in the list, so it is a box of this type; only this call uses it.
        Ok(call(unsafe { &mut *handle }))
    }

    /// Runs a short call with the value of a handle, unless a lock is needed to find it: [`with`](Self::with) says then what
    /// is wrong, if anything is.
    #[inline]
    pub fn with_slot<R>(&self, handle: *mut T, call: impl FnOnce(&mut T) -> R) -> Option<R> {
        let address = handle.addr();
        if address == 0 || !self.take_slot(address) {
            return None;
        }
        let _in_use = InUse { handles: self, address, has_slot: true };
        // SAFETY: the handle is in a slot, so it is a box of this type; only this call uses it.
        Some(call(unsafe { &mut *handle }))
    }

    /// Ends a handle, and returns its value.
    ///
    /// # Errors
    /// There is no such handle, or it is in use.
    pub fn close(&self, handle: *mut T) -> Result<Box<T>, Failure> {
        let in_use = self.take(handle)?;
        let mut existing = self.existing();
        let list = existing.get_or_insert_default();
        list.remove(&in_use.address);
        if in_use.has_slot {
            self.slot(in_use.address).store(0, Ordering::Release);
        }
        // Its use does not end: it is no handle any more.
        std::mem::forget(in_use);
        if list.is_empty() {
            // A program that has closed everything leaves no memory.
            *existing = None;
        }
        drop(existing);
        // SAFETY: the handle was in the list, so it is a box of this type; now it is in the list no more.
        Ok(unsafe { Box::from_raw(handle) })
    }

    /// Ends a handle and drops its value. A null pointer is allowed, as for `free`.
    ///
    /// # Errors
    /// There is no such handle, or it is in use.
    pub fn free(&self, handle: *mut T) -> Result<(), Failure> {
        if handle.is_null() {
            return Ok(());
        }
        self.close(handle).map(drop)
    }
}

/// A handle that is in use. It is not any more when this value is dropped, also by a panic.
struct InUse<'h, T> {
    handles: &'h Handles<T>,
    address: usize,
    has_slot: bool,
}

impl<T> Drop for InUse<'_, T> {
    #[inline]
    fn drop(&mut self) {
        if self.has_slot {
            self.handles.slot(self.address).store(self.address, Ordering::Release);
        } else if let Some(entry) = self.handles.existing().get_or_insert_default().get_mut(&self.address) {
            entry.in_use = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::*;

    static NUMBERS: Handles<u32> = Handles::new("a number");

    #[test]
    fn only_existing_handles_are_used() {
        let handle = NUMBERS.create(5);
        assert!(NUMBERS.has(handle) && !NUMBERS.has(ptr::null()));
        assert_eq!(NUMBERS.with(handle, |value| std::mem::replace(value, 6)), Ok(5));
        assert!(NUMBERS.with_slot(ptr::null_mut(), |_| ()).is_none());
        let number = NUMBERS.number(handle);
        assert!(
            number.is_some() && number == NUMBERS.number(handle) && NUMBERS.number(ptr::null()).is_none()
        );
        let nested = NUMBERS.with(handle, |_| NUMBERS.with(handle, |value| *value));
        assert!(nested.unwrap().unwrap_err().message.contains("is using this number"));
        assert_eq!(NUMBERS.close(handle).map(|value| *value), Ok(6));
        assert!(NUMBERS.with(handle, |_| ()).unwrap_err().message.contains("closed"));
        assert!(NUMBERS.with(ptr::null_mut(), |_| ()).unwrap_err().message.contains("null"));
        assert!(NUMBERS.close(handle).is_err());
        assert_ne!(NUMBERS.number(NUMBERS.create(6)), number);
        assert_eq!(NUMBERS.free(ptr::null_mut()), Ok(()));
    }

    #[test]
    fn handles_with_and_without_a_slot_are_the_same() {
        static MANY: Handles<usize> = Handles::new("a number");
        let handles: Vec<_> = (0..3 * SLOTS).map(|value| MANY.create(value)).collect();
        for (value, handle) in handles.iter().enumerate() {
            let marked = handle.map_addr(|address| address | IN_USE);
            let used = MANY.with(*handle, |found| {
                assert_eq!(*found, value);
                assert!(MANY.with(marked, |_| ()).unwrap_err().message.contains("closed"));
                assert!(MANY.close(*handle).unwrap_err().message.contains("is using"));
            });
            assert_eq!(used, Ok(()));
        }
        for (value, handle) in handles.iter().enumerate() {
            assert_eq!(MANY.close(*handle).map(|value| *value), Ok(value));
            assert!(MANY.with(*handle, |_| ()).unwrap_err().message.contains("closed"));
        }
        assert!(MANY.slots.iter().all(|slot| slot.load(Ordering::Relaxed) == 0));
    }

    #[test]
    fn a_panic_ends_the_use() {
        let handle = NUMBERS.create(5);
        let caught = std::panic::catch_unwind(|| NUMBERS.with(handle, |_| panic!("a defect")));
        assert!(caught.is_err());
        assert_eq!(NUMBERS.close(handle).map(|value| *value), Ok(5));
    }
}
