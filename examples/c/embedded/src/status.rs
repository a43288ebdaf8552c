//! The results of calls.

use crate::header::number;

/// Reason why a call had no effect: the status that it returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Status(u32);

impl Status {
    pub const REFUSED: Self = Self(number("LSE_REFUSED"));
    pub const MISUSE: Self = Self(number("LSE_MISUSE"));
    pub const ENDED: Self = Self(number("LSE_ENDED"));
    pub const NULL: Self = Self(number("LSE_NULL"));
    pub const MISALIGNED: Self = Self(number("LSE_MISALIGNED"));
    pub const TOO_SMALL: Self = Self(number("LSE_TOO_SMALL"));
    pub const UNINITIALISED: Self = Self(number("LSE_UNINITIALISED"));
    pub const BUSY: Self = Self(number("LSE_BUSY"));
    pub const OVERLAP: Self = Self(number("LSE_OVERLAP"));
    pub const ARGUMENT: Self = Self(number("LSE_ARGUMENT"));
    pub const DAMAGED: Self = Self(number("LSE_DAMAGED"));
    pub const FOREIGN: Self = Self(number("LSE_FOREIGN"));
    pub const INCONSISTENT: Self = Self(number("LSE_INCONSISTENT"));
}

/// Result of the body of a call.
pub type Outcome = Result<(), Status>;

/// The number that a C function returns.
pub fn code(outcome: Outcome) -> u32 {
    const OK: u32 = number("LSE_OK");
    match outcome {
        Ok(()) => OK,
        Err(status) => status.0,
    }
}

impl From<linkstream::LoadError> for Status {
    fn from(error: linkstream::LoadError) -> Self {
        match error {
            linkstream::LoadError::Damaged => Self::DAMAGED,
            linkstream::LoadError::Foreign => Self::FOREIGN,
            _ => Self::INCONSISTENT,
        }
    }
}
