//! Panics do not cross the border.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::last::{Failure, fail};

/// Runs a call. After a panic, which would be a defect of this library, it returns `otherwise`, and the last error says
/// so.
pub fn guard<T>(otherwise: T, call: impl FnOnce() -> T) -> T {
    // Handles are changed by replacing their state as a whole, at the end of a call.
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| {
        fail(&Failure {
            rule: "internal-error".to_owned(),
            message: "a defect of this library: please report it".to_owned(),
            ..Failure::default()
        });
        otherwise
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
}
