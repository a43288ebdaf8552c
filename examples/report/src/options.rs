//! What `check` and `inspect` are asked for.

/// What was asked for.
#[derive(Debug)]
pub struct Options {
    /// Read and verify the data; otherwise they are passed over.
    pub read_data: bool,
    /// Measure plaquette, link trace and unitarity of gauge fields.
    pub observables: bool,
    /// Of each time slice, too.
    pub slices: bool,
    /// Rules broken harmlessly are warnings.
    pub lenient: bool,
    /// Data that no stored checksum verifies make a file fail.
    pub require_checksum: bool,
}
