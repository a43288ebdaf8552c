//! Files of formats that are recognised but cannot be read: every command names their format, as `check` does.

use std::path::Path;

use embedded_io_adapters::std::FromStd;
use linkstream_report::identify::{identify, not_read};

use crate::system::{File, metadata};

/// Describes a file with these first bytes and this size, and names programs that read it; `None` unless its format is
/// one that is recognised but not read. `name` is the file as the user named it.
pub fn called(first: &[u8], size: u64, name: &Path) -> Option<String> {
    not_read(first, Some(size), &name.display().to_string()).map(|finding| finding.message)
}

/// The same description for a file that turned out to have another format than expected. Also `None` if the file cannot
/// be read again.
pub fn file_called(path: &Path) -> Option<String> {
    let about = metadata(path).ok().filter(|about| about.is_file() && path != Path::new("-"))?;
    let mut file = File::open(path).ok()?;
    match identify(&mut FromStd::new(&mut file)) {
        Ok((first, None)) => called(&first, about.len(), path),
        _ => None,
    }
}
