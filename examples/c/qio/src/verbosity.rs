//! Verbosity: nothing is printed unless the program asks for it (QIO 2.3, section 4.4).

use std::ffi::c_int;
use std::io::Write as _;
use std::sync::atomic::{AtomicI32, Ordering};

use linkstream_c_border::Failure;

/// Nothing is printed.
pub const OFF: c_int = 0;
/// Errors are printed.
pub const LOW: c_int = 1;
/// Also files that are opened and closed.
pub const MED: c_int = 2;
/// Also records.
pub const REG: c_int = 3;
/// Also checksums.
pub const HIGH: c_int = 4;
/// Everything.
pub const DEBUG: c_int = 5;

static LEVEL: AtomicI32 = AtomicI32::new(OFF);

/// Level that `QIO_verbose` has set.
pub fn level() -> c_int {
    LEVEL.load(Ordering::Relaxed)
}

/// Sets the verbosity; returns the old one.
///
/// # Errors
/// There is no such level: it is unchanged.
pub fn set(level: c_int) -> Result<c_int, Failure> {
    if !(OFF..=DEBUG).contains(&level) {
        return Err(Failure::usage(format!("there is no verbosity {level}")));
    }
    Ok(LEVEL.swap(level, Ordering::Relaxed))
}

/// Prints a line to standard error if the verbosity is at least `from`. The text is only made if it is printed.
pub fn say(from: c_int, text: impl FnOnce() -> String) {
    if level() >= from {
        // Verbosity is no reason for a call to fail.
        let _ = writeln!(std::io::stderr(), "qio: {}", text());
    }
}
