//! The JSON of a file set in addition to the JSON of a single file.

use serde::ser::SerializeMap;

use linkstream_access::set::VolumeEntry;

use super::contents::SetContents;
use crate::json::{Entries, objects};

/// Writes the entries of a file set.
pub fn entries<M: SerializeMap>(set: &SetContents, line: &mut M) -> Result<(), M::Error> {
    line.serialize_entry("volume_format", &set.format_name())?;
    line.serialize_entry("volumes", &objects(&set.volumes))
}

impl Entries for VolumeEntry {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("file", &self.file)?;
        object.serialize_entry("number", &self.number)?;
        object.serialize_entry("sites", &self.sites)?;
        object.serialize_entry("findings", &objects(self.findings.as_slice()))
    }
}
