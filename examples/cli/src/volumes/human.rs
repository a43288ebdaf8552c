//! The text output for the volumes of a set.

use std::fmt::Write as _;

use linkstream_report::volumes::SetContents;

use crate::human::{counted, shown_name, thousands};

/// Maximum number of volumes listed.
const MANY: usize = 20;

/// The format, then the volumes.
pub fn listed(out: &mut String, set: &SetContents) {
    let format = set.format_name().unwrap_or("of an unknown format");
    let _ = if set.is_alone {
        writeln!(out, "  one volume of a set ({format})")
    } else {
        writeln!(out, "  set of {} ({format})", counted(set.volumes.len(), "volume", "volumes"))
    };
    for volume in set.volumes.iter().take(MANY) {
        let sites = if volume.sites == 1 { "site" } else { "sites" };
        let _ = writeln!(out, "    {}: {} {sites}", shown_name(&volume.file), thousands(volume.sites));
    }
    if let Some(more) = set.volumes.len().checked_sub(MANY).filter(|more| *more > 0) {
        let _ = writeln!(out, "    … and {more} more volumes");
    }
}
