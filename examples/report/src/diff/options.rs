//! Options of a comparison.

use super::numbers::Tolerance;

/// What is compared, and with which tolerance.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    pub tolerance: Tolerance,
    /// Compares only data: records, documents and user strings may differ.
    pub data_only: bool,
}
