//! What was found in a file, before it is shown in one form or another.

use crate::findings::{Finding, Findings, Level};
use crate::readers::Answer;
use crate::verdict::{Coverage, Verdict};
use crate::{archive, inebin, lime, scda};

/// Everything about one file.
#[derive(Debug)]
pub struct Report {
    /// As the user named it; what is not UTF-8 is shown by its replacement character.
    pub file: String,
    /// The bytes of the name where they are not UTF-8.
    pub file_bytes: Option<Vec<u8>>,
    /// Bytes of the file; of standard input, as far as it was read.
    pub bytes: u64,
    pub body: Body,
    pub findings: Findings,
    /// Data that no stored checksum verifies make the file fail.
    pub require_checksum: bool,
    /// What programs do with the file; empty unless it was asked for.
    pub readers: Vec<Answer>,
}

/// What was found in a file of a known format.
#[derive(Debug)]
pub enum Body {
    /// Unrecognised format.
    Unknown,
    Lime(lime::Contents),
    Inebin(inebin::Contents),
    Scda(scda::Contents),
    Nersc(archive::Contents),
    Milc(archive::Contents),
}

impl Report {
    /// The verdict on the file, which could be read.
    pub fn verdict(&self) -> Verdict {
        if self.findings.count(Level::Error) > 0 {
            Verdict::Wrong
        } else if self.body.coverage().is_complete() {
            Verdict::Ok
        } else {
            Verdict::Unverified
        }
    }

    /// Whether the file passes as it was asked for.
    pub fn is_ok(&self) -> bool {
        match self.verdict() {
            Verdict::Ok => true,
            Verdict::Unverified => !self.require_checksum,
            Verdict::Wrong | Verdict::Unreadable => false,
        }
    }

    /// The first error, if there is one.
    pub fn first_error(&self) -> Option<&Finding> {
        self.findings.as_slice().iter().find(|finding| finding.severity == Level::Error)
    }
}

impl Body {
    /// The format in a word.
    pub const fn format(&self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Lime(_) => "lime",
            Self::Inebin(_) => "inebin",
            Self::Scda(_) => "scda",
            Self::Nersc(_) => "nersc",
            Self::Milc(_) => "milc",
        }
    }

    /// How much of the data stored checksums verify.
    pub fn coverage(&self) -> Coverage {
        match self {
            Self::Unknown => Coverage::default(),
            Self::Lime(contents) => contents.coverage(),
            // The format has no checksum.
            Self::Inebin(_) => Coverage { parts: 1, verified: 0 },
            Self::Scda(contents) => contents.coverage(),
            Self::Nersc(contents) | Self::Milc(contents) => contents.coverage(),
        }
    }
}
