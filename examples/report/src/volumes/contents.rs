//! The contents of a set in addition to those of a single file.

use linkstream::scidac::VolumeFormat;

use crate::findings::Findings;

/// A set, or a single volume of it.
#[derive(Debug)]
pub struct SetContents {
    /// The volume format in the first volume; `None` without a first volume.
    pub format: Option<VolumeFormat>,
    pub volumes: Vec<VolumeEntry>,
    /// Only one volume was requested.
    pub is_alone: bool,
}

/// One volume.
#[derive(Debug)]
pub struct VolumeEntry {
    /// The name of its file.
    pub file: String,
    /// The number in its name.
    pub number: Option<u64>,
    /// Number of entries in its site list.
    pub sites: u64,
    pub findings: Findings,
}

impl SetContents {
    /// The format as a word.
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
