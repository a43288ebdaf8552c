//! Examines linked programs for boards: their size in flash, and the functions that panic.

pub mod crates;
pub mod flash;
pub mod functions;
pub mod panics;
