//! Panics while a file is handled: defects of this project. One file that causes a panic must not cost the reports on
//! the others.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A panic, as the error of the file that was handled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("internal error ({message}), please report [{rule}]", rule = Self::RULE)]
pub struct Defect {
    /// Message of the panic.
    pub message: String,
}

impl Defect {
    /// Name of the rule, for `linkstream explain`.
    pub const RULE: &str = "internal-error";

    fn of(panic: &(dyn Any + Send)) -> Self {
        let text =
            panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref().copied());
        Self { message: text.unwrap_or("a panic without a message").to_owned() }
    }
}

/// Runs work on one file. What the work has changed must not be used after a panic.
///
/// # Errors
/// The work has panicked, in this thread or in one that it waits for.
///
/// ```
/// use linkstream_report::defect::contained;
///
/// assert_eq!(contained(|| 1 + 1), Ok(2));
/// let defect = contained(|| panic!("no links")).unwrap_err();
/// assert_eq!(defect.to_string(), "internal error (no links), please report [internal-error]");
/// ```
pub fn contained<T>(work: impl FnOnce() -> T) -> Result<T, Defect> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| Defect::of(&*panic))
}
