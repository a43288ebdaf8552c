//! The report on a file, independent of its presentation as text or JSON.

use crate::findings::{Finding, Findings, Level};
use crate::plausibility::is_doubt;
use crate::readers::Answer;
use crate::verdict::{Coverage, Verdict};
use crate::{archive, inebin, lime, scda};

/// Everything that was found in a file.
#[derive(Debug)]
pub struct Report {
    /// The name as given by the user. Bytes that are not UTF-8 become replacement characters.
    pub file: String,
    /// The bytes of the name, if they are not UTF-8.
    pub file_bytes: Option<Vec<u8>>,
    /// Length of the file in bytes; of standard input, the number of bytes read.
    pub bytes: u64,
    pub body: Body,
    pub findings: Findings,
    /// The file fails if it has data that no stored checksum verifies.
    pub require_checksum: bool,
    /// Predicted effect of the file on programs; empty unless requested.
    pub readers: Vec<Answer>,
    /// The compression and the archive that the file was read in, from the outside inwards: `bytes` and all offsets are in
    /// the content. Empty for a file that is read as it is.
    pub packing: Vec<&'static str>,
}

/// The contents of a file, by format.
#[derive(Debug)]
pub enum Body {
    /// Unrecognised format.
    Unknown,
    Lime(lime::Contents),
    Inebin(inebin::Contents),
    Scda(scda::Contents),
    Nersc(archive::Contents),
    Milc(archive::Contents),
    OpenQcd(archive::Contents),
}

impl Report {
    /// The verdict on the file.
    pub fn verdict(&self) -> Verdict {
        if self.findings.count(Level::Error) > 0 {
            Verdict::Wrong
        } else if self.body.coverage().is_complete() {
            Verdict::Ok
        } else {
            Verdict::Unverified
        }
    }

    /// The type of a random-number state, if the file has one instead of data that are measured.
    pub fn state(&self) -> Option<&str> {
        match &self.body {
            Body::Nersc(contents) => contents.state.as_deref(),
            _ => None,
        }
    }

    /// True if the file passes with these options.
    pub fn is_ok(&self) -> bool {
        match self.verdict() {
            Verdict::Ok => true,
            Verdict::Unverified => !self.require_checksum || self.state().is_some(),
            Verdict::Wrong | Verdict::Unreadable => false,
        }
    }

    /// Names of the rules that the data contradict although their checksum is OK; each once.
    pub fn doubts(&self) -> Vec<&'static str> {
        let mut rules: Vec<_> = self
            .findings
            .as_slice()
            .iter()
            .filter(|finding| is_doubt(finding))
            .map(|found| found.rule)
            .collect();
        rules.sort_unstable();
        rules.dedup();
        rules
    }

    /// The first error, if there is one.
    pub fn first_error(&self) -> Option<&Finding> {
        self.findings.as_slice().iter().find(|finding| finding.severity == Level::Error)
    }
}

impl Body {
    /// The format as a word.
    pub const fn format(&self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Lime(_) => "lime",
            Self::Inebin(_) => "inebin",
            Self::Scda(_) => "scda",
            Self::Nersc(_) => "nersc",
            Self::Milc(_) => "milc",
            Self::OpenQcd(_) => "openqcd",
        }
    }

    /// The part of the data that stored checksums verify.
    pub fn coverage(&self) -> Coverage {
        match self {
            Self::Unknown => Coverage::default(),
            Self::Lime(contents) => contents.coverage(),
            // The format has no checksum.
            Self::Inebin(_) => Coverage { parts: 1, verified: 0 },
            Self::Scda(contents) => contents.coverage(),
            Self::Nersc(contents) | Self::Milc(contents) | Self::OpenQcd(contents) => contents.coverage(),
        }
    }
}
