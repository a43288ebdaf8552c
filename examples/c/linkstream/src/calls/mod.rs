//! The functions that C programs call. Each checks its pointers, and passes on what the others return.

mod open;
mod read;
mod report;
mod write;

pub use open::*;
pub use read::*;
pub use report::*;
pub use write::*;

use linkstream_c_border::guard;

use crate::answer::{Answer, DEFECT, number};

/// Runs a call that returns an answer.
fn answered(call: impl FnOnce() -> Answer) -> i32 {
    guard(DEFECT, || number(call()))
}
