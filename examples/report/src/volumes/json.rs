//! What a set has in JSON beside what a single file has.

use serde::ser::SerializeMap;
use serde_json::json;

use super::contents::{SetContents, VolumeEntry};
use crate::json::{Each, finding};

/// The entries of a set.
pub fn entries<M: SerializeMap>(set: &SetContents, line: &mut M) -> Result<(), M::Error> {
    line.serialize_entry("volume_format", &set.format_name())?;
    line.serialize_entry(
        "volumes",
        &Each(&set.volumes, |volume: &VolumeEntry| {
            json!({
                "file": volume.file,
                "number": volume.number,
                "sites": volume.sites,
                "findings": volume.findings.as_slice().iter().map(finding).collect::<Vec<_>>(),
            })
        }),
    )
}
