//! Faults of compressions and archives.

use std::path::Path;

use linkstream::Class;

use crate::findings::{Finding, Level, PACKING_DAMAGED};
use crate::unknown::NOT_READ;

/// Damage of packed data, or a reason not to read them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    pub what: What,
    /// Number of bytes of the content before the fault.
    pub offset: u64,
    pub message: String,
}

/// The kind of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The compressed data end too early, or are not as they were written.
    Compression,
    /// The same for the headers of an archive.
    Archive,
    /// The content cannot be had within the bounds of memory and time.
    Bounds,
}

impl Fault {
    /// The fault as a finding about the content.
    #[must_use]
    pub fn finding(&self) -> Finding {
        let (rule, class) = match self.what {
            What::Compression => (PACKING_DAMAGED[0], Class::Decode),
            What::Archive => (PACKING_DAMAGED[1], Class::Format),
            What::Bounds => (NOT_READ, Class::Unsupported),
        };
        let (severity, clause, offset) = (Level::Error, "", self.offset);
        Finding { severity, class, rule, clause, offset, message: self.message.clone() }
    }
}

/// The marks of all compressions are in so many first bytes.
const FIRST_MARK: usize = 6;

/// The fault of a file that is not packed, but has such a name.
#[must_use]
pub fn unpacked_name(path: &Path) -> Option<Fault> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    let (what, message) = match &*ending {
        "tar" => (What::Archive, "the tar archive is damaged: it begins with no header".to_owned()),
        _ => {
            let known = [
                ("gz", "gzip"),
                ("tgz", "gzip"),
                ("xz", "xz"),
                ("txz", "xz"),
                ("zst", "zstd"),
                ("bz2", "bzip2"),
                ("tbz2", "bzip2"),
            ];
            let (_, name) = known.into_iter().find(|(known, _)| *known == ending)?;
            let why = "they do not begin so";
            (
                What::Compression,
                format!("the {name} data are damaged within the first {FIRST_MARK} bytes: {why}"),
            )
        }
    };
    Some(Fault { what, offset: 0, message })
}
