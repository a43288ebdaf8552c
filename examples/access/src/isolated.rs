//! A panic while one file is handled becomes an error about this file, so that a program goes on with the others.

use std::any::Any;
use std::env;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use linkstream_memory::Short;

/// Name of the rule that an internal error breaks.
pub const RULE: &str = "internal-error";

/// Reason why work on a file ended without a result. Nothing is known about the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Ended {
    /// The code panicked.
    #[error(transparent)]
    Internal(InternalError),
    /// There was not enough memory.
    #[error(transparent)]
    Memory(#[from] Short),
}

/// A defect of linkstream: the code that handled a file panicked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("internal error ({what}), please report [{RULE}]")]
pub struct InternalError {
    /// The message of the panic and, if it was recorded, its place in the source.
    pub what: String,
}

/// Message and place of each panic that has not been caught yet. The panic of a worker thread is caught in the thread
/// that waits for it, which is passed the message only.
static PLACES: Mutex<Vec<(String, String)>> = Mutex::new(Vec::new());

/// Number of places kept: threads outside of [`isolated`] may panic too.
const MOST_PLACES: usize = 64;

/// Runs work on one file.
///
/// # Errors
/// The work panicked, or there was not enough memory. Values that it changed may be incomplete and must be discarded.
pub fn isolated<T>(work: impl FnOnce() -> T) -> Result<T, Ended> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        if payload.is::<Short>() {
            return Ended::Memory(Short);
        }
        let message = message(&*payload);
        let mut places = PLACES.lock().unwrap_or_else(PoisonError::into_inner);
        let found = places.iter().position(|(of, _)| *of == message);
        let what = match found.map(|index| places.swap_remove(index)) {
            Some((message, place)) => format!("{message}, {place}"),
            None => message,
        };
        Ended::Internal(InternalError { what })
    })
}

/// For programs that catch every panic with [`isolated`]: a panic prints nothing, since the error is reported with the
/// file. It has the place in the source. With the environment variable `RUST_BACKTRACE`, panics are printed as usual.
pub fn report_panics_as_errors() {
    if env::var_os("RUST_BACKTRACE").is_some_and(|wanted| wanted != "0") {
        return;
    }
    panic::set_hook(Box::new(|info: &PanicHookInfo<'_>| {
        let place = info.location().map(|at| format!("{}:{}", at.file(), at.line())).unwrap_or_default();
        let mut places = PLACES.lock().unwrap_or_else(PoisonError::into_inner);
        if places.len() < MOST_PLACES {
            places.push((message(info.payload()), place));
        }
    }));
}

/// The message of a panic.
fn message(payload: &dyn Any) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("without a message").to_owned()
}

/// Panics if a test asks for it: in builds with debug assertions, the environment variable `LINKSTREAM_TEST_PANIC` is the
/// name of a file whose opening panics. Release builds ignore it.
pub fn provoked(path: &Path) {
    if cfg!(debug_assertions) {
        let named = env::var_os("LINKSTREAM_TEST_PANIC");
        assert!(named.is_none() || named.as_deref() != path.file_name(), "provoked by a test");
    }
}

#[cfg(test)]
mod tests {
    use linkstream_arithmetic::parallel;

    use super::*;

    #[test]
    fn a_panic_becomes_an_error_also_in_a_worker() {
        assert_eq!(isolated(|| 5), Ok(5));
        let error = isolated(|| panic!("item {}", 3)).expect_err("a panic");
        assert!(error.to_string().starts_with("internal error (item 3"), "{error}");
        assert!(error.to_string().ends_with("), please report [internal-error]"), "{error}");
        let ended = isolated(|| {
            parallel::each(true, (0..100).collect(), |item: u32, _: &mut ()| -> Result<(), ()> {
                assert!(item != 70, "in a worker");
                Ok(())
            })
        });
        let what = |ended: Result<_, Ended>| match ended.expect_err("a panic") {
            Ended::Internal(error) => error.what,
            Ended::Memory(short) => short.to_string(),
        };
        assert!(what(ended).starts_with("in a worker"));
        assert_eq!(what(isolated(|| panic::panic_any(5))), "without a message");
        let much = || linkstream_memory::unwinding::zeroed::<u64>(usize::MAX / 16);
        assert_eq!(isolated(much), Err(Ended::Memory(Short)));
        let in_worker = isolated(|| {
            parallel::each(true, (0..100).collect(), |_: u32, _: &mut ()| {
                much();
                Ok::<(), ()>(())
            })
        });
        assert_eq!(in_worker, Err(Ended::Memory(Short)));
    }
}
