//! What is asked of a comparison.

use super::numbers::Tolerance;

/// What is compared, and how closely.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    pub tolerance: Tolerance,
    /// Data only: records, documents and user strings may differ.
    pub data_only: bool,
}
