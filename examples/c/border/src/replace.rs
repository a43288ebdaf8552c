//! Files that programs write with the calls of other libraries, which have no argument for what happens to an old file.

use crate::last::Failure;

/// The variable that decides for these calls.
const VARIABLE: &str = "LINKSTREAM_REPLACE";

/// True if a file that is written by a call of another library's interface replaces an existing one when it is complete
/// (`LINKSTREAM_REPLACE=complete`), false if at once (`at-once`, or without the variable).
///
/// # Errors
/// The variable has another value.
pub fn replaces_when_complete() -> Result<bool, Failure> {
    match std::env::var_os(VARIABLE) {
        None => Ok(false),
        Some(value) if value.is_empty() || value == "at-once" => Ok(false),
        Some(value) if value == "complete" => Ok(true),
        Some(value) => {
            let value = value.to_string_lossy();
            Err(Failure::usage(format!("the variable {VARIABLE} is neither at-once nor complete: {value}")))
        }
    }
}
