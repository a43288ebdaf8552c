//! The file objects whose methods a thread is calling. A file object that reads itself, by this package, would wait for
//! itself for ever.

use std::cell::RefCell;

use pyo3::prelude::*;

thread_local! {
    /// The identities of the objects, also of the threads that wait for this one.
    static HELD: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// Notes that this thread calls methods of an object. False if it does so already, or a thread that waits for this one.
#[pyfunction]
pub fn hold(object: usize) -> bool {
    HELD.with_borrow_mut(|held| {
        let is_new = !held.contains(&object);
        if is_new {
            held.push(object);
        }
        is_new
    })
}

/// Ends what [`hold`] has noted.
#[pyfunction]
pub fn release(object: usize) {
    HELD.with_borrow_mut(|held| held.retain(|other| *other != object));
}

/// Work for another thread. This thread waits for it.
pub fn passed_on<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let held = HELD.with_borrow(Clone::clone);
    move || {
        let before = HELD.replace(held);
        let done = work();
        HELD.set(before);
        done
    }
}
