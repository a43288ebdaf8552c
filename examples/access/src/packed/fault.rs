//! Faults of compressions and archives.

use linkstream::Class;

use crate::findings::{Finding, Level, PACKING_DAMAGED};

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
            What::Bounds => ("format-not-read", Class::Unsupported),
        };
        let (severity, clause, offset) = (Level::Error, "", self.offset);
        Finding { severity, class, rule, clause, offset, message: self.message.clone() }
    }
}
