//! Files of formats that are recognised, but not read: every command calls them by their name, as `check` does.

use std::fs::File;
use std::path::Path;

use embedded_io_adapters::std::FromStd;
use linkstream_report::identify::{identify, not_read};

/// What a file is that begins with these bytes and has this size, and what reads it; `None` if it can be one that is
/// read. `name` is the file as the user named it.
pub fn called(first: &[u8], size: u64, name: &Path) -> Option<String> {
    not_read(first, Some(size), &name.display().to_string()).map(|finding| finding.message)
}

/// The same for a file that was found to be of another format than the one expected; `None` also if it cannot be read
/// again.
pub fn file_called(path: &Path) -> Option<String> {
    let about = path.metadata().ok().filter(|about| about.is_file() && path != Path::new("-"))?;
    let mut file = File::open(path).ok()?;
    match identify(&mut FromStd::new(&mut file)) {
        Ok((first, None)) => called(&first, about.len(), path),
        _ => None,
    }
}
