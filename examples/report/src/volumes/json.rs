//! The JSON of a set in addition to that of a single file.

use serde::ser::SerializeMap;
use serde_json::json;

use super::contents::{SetContents, VolumeEntry};
use crate::json::{Each, finding};

/// Writes the entries of a set.
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
