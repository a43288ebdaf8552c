//! Options of `check` and `inspect`.

use crate::entries::Receiver;

/// Options of a survey.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Read and verify the data; otherwise they are skipped.
    pub read_data: bool,
    /// Measure plaquettes, link trace and unitarity of gauge fields.
    pub observables: bool,
    /// With `observables`, also measure the Polyakov loop. Ranks that divide the time slices of a field cannot: it is the
    /// product of links of all slices, in order.
    pub polyakov_loop: bool,
    /// Also measure each time slice.
    pub slices: bool,
    /// Keep the checksum of each time slice, so that slices that are read later can be compared with the verified ones.
    /// Without effect on sources that are read in order.
    pub slice_sums: bool,
    /// Report broken rules that lose no data as warnings.
    pub lenient: bool,
    /// A file fails if it has data that no stored checksum verifies.
    pub require_checksum: bool,
    /// Receives all entries of the report while the file is read.
    pub receiver: Option<Receiver>,
}

impl Options {
    /// The options of `check --lenient`. Every input whose data are used is checked by its report with these options.
    pub const LENIENT: Self = Self {
        read_data: true,
        observables: true,
        polyakov_loop: false,
        slices: false,
        slice_sums: false,
        lenient: true,
        require_checksum: false,
        receiver: None,
    };
}
