//! The functions that C programs call. Each checks its pointers, and passes on what the others return.

mod open;
mod read;
mod report;
mod write;
mod write_other;

pub use open::*;
pub use read::*;
pub use report::*;
pub use write::*;
pub use write_other::*;

use linkstream_c_border::{Unwound, guarded};

use crate::answer::{Answer, DEFECT, MEMORY, number};

/// Runs a call that returns an answer.
fn answered(call: impl FnOnce() -> Answer) -> i32 {
    guarded(|| number(call())).unwrap_or_else(|unwound| match unwound {
        Unwound::Memory => MEMORY,
        Unwound::Defect => DEFECT,
    })
}
