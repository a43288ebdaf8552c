//! Panics do not cross the border.

use std::panic::{AssertUnwindSafe, catch_unwind};

use linkstream_memory::Short;

use crate::last::{Failure, fail};

/// Reason why a call ended without a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unwound {
    /// A panic, which would be a defect of this library.
    Defect,
    /// There was not enough memory.
    Memory,
}

/// Runs a call. If it ends without a result, it returns `otherwise`, and the last error says why.
pub fn guard<T>(otherwise: T, call: impl FnOnce() -> T) -> T {
    guarded(call).unwrap_or(otherwise)
}

/// Runs a call.
///
/// # Errors
/// It ended without a result. The last error says so.
pub fn guarded<T>(call: impl FnOnce() -> T) -> Result<T, Unwound> {
    // Handles are changed by replacing their state as a whole, at the end of a call.
    catch_unwind(AssertUnwindSafe(call)).map_err(|payload| {
        if payload.is::<Short>() {
            fail(&Failure::usage(Short.to_string()));
            return Unwound::Memory;
        }
        fail(&Failure {
            rule: "internal-error".to_owned(),
            message: "a defect of this library: please report it".to_owned(),
            ..Failure::default()
        });
        Unwound::Defect
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error() {
        assert_eq!(guard(-1, || panic!("a defect")), -1);
        assert!(crate::last::last().message().contains("defect"));
        let rule = b"internal-error\0";
        assert!(crate::last::last().rule.iter().zip(rule).all(|(c, byte)| *c as u8 == *byte));
        assert_eq!(guard(-1, || 5), 5);
    }

    #[test]
    fn a_call_without_memory_is_no_defect() {
        let much = || linkstream_memory::unwinding::zeroed::<u64>(usize::MAX / 16).len();
        assert_eq!(guarded(much), Err(Unwound::Memory));
        assert!(crate::last::last().message().contains("not enough memory"));
    }
}
