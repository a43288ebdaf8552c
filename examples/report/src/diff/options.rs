//! Options of a comparison.

use super::numbers::Tolerance;

/// Extent and tolerance of a comparison.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    pub tolerance: Tolerance,
    /// Compares only data: records, documents and user strings may differ.
    pub data_only: bool,
}
