//! What `check` and `inspect` are asked for.

/// What was asked for.
#[derive(Debug)]
pub struct Options {
    /// Read and verify the data; otherwise they are passed over.
    pub read_data: bool,
    /// Rules broken harmlessly are warnings.
    pub lenient: bool,
    /// JSON lines, not text for people.
    pub json: bool,
}

impl Options {
    /// Whether the texts of records are shown.
    pub const fn wants_texts(&self) -> bool {
        !self.read_data && !self.json
    }
}
