//! Settings of a run.

use linkstream_access::source::WORTHWHILE;
use linkstream_report::options::Options;

/// Settings of a run. They must be equal on all ranks.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'o> {
    /// Options of the reports.
    pub options: &'o Options,
    /// Number of bytes that each rank reads at a time. At least one row of sites is read.
    pub window: u64,
    /// Minimum length in bytes of data that are divided. The first rank reads shorter ones alone.
    pub least: u64,
}

impl<'o> Settings<'o> {
    /// Windows of 8 MiB; shorter data than 16 MiB are not divided.
    #[must_use]
    pub const fn new(options: &'o Options) -> Self {
        Self { options, window: 8 << 20, least: WORTHWHILE }
    }
}

/// The options of `linkstream check` without arguments, and without Polyakov loops.
pub const CHECK: Options = Options {
    read_data: true,
    observables: true,
    polyakov_loop: false,
    slices: false,
    slice_sums: false,
    lenient: false,
    require_checksum: false,
    receiver: None,
};
