//! What was found in a set beside what a single file has.

use linkstream::scidac::VolumeFormat;

use crate::findings::Findings;

/// A set, or one of its volumes alone.
#[derive(Debug)]
pub struct SetContents {
    /// As the first volume has it; `None` without one.
    pub format: Option<VolumeFormat>,
    pub volumes: Vec<VolumeEntry>,
    /// One volume was asked for.
    pub is_alone: bool,
}

/// One volume.
#[derive(Debug)]
pub struct VolumeEntry {
    /// The name of its file.
    pub file: String,
    /// The number in its name.
    pub number: Option<u64>,
    /// Entries of its site list.
    pub sites: u64,
    pub findings: Findings,
}

impl SetContents {
    /// The format in a word.
    pub const fn format_name(&self) -> Option<&'static str> {
        match self.format {
            Some(VolumeFormat::Single) => Some("single"),
            Some(VolumeFormat::Multifile) => Some("multifile"),
            Some(VolumeFormat::Partition) => Some("partition"),
            Some(VolumeFormat::PartitionDirectory) => Some("partition-directory"),
            None => None,
        }
    }
}
