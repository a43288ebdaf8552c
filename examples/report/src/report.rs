//! What was found in a file, before it is shown in one form or another.

use linkstream::{Class, Diagnostic, Error, Severity};

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

/// The findings: at most [`Findings::MAX`], and one more that counts the rest.
#[derive(Debug)]
pub struct Findings {
    lenient: bool,
    list: Vec<Finding>,
    left_out: u64,
}

impl Findings {
    /// A file can be wrong in more places than memory holds.
    pub const MAX: usize = 1000;

    /// An empty list. If `lenient`, broken rules that lose no data count as warnings.
    pub const fn new(lenient: bool) -> Self {
        Self { lenient, list: Vec::new(), left_out: 0 }
    }

    pub fn as_slice(&self) -> &[Finding] {
        &self.list
    }

    /// The findings, which are left empty.
    pub fn take(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.list)
    }

    pub fn count(&self, severity: Level) -> usize {
        self.list.iter().filter(|finding| finding.severity == severity).count()
    }

    /// Adds a finding of a decoder.
    pub fn add<K: Diagnostic>(&mut self, error: &Error<K>) {
        self.rate(error, Level::of(error.kind.severity(), self.lenient));
    }

    /// Adds a finding of a decoder, with what can be done about it.
    pub fn add_with<K: Diagnostic>(&mut self, error: &Error<K>, advice: &str) {
        let message = format!("{}; {advice}", error.kind);
        self.push_rated(error, Level::of(error.kind.severity(), self.lenient), message);
    }

    /// Adds a finding of a decoder that the format permits.
    pub fn warn<K: Diagnostic>(&mut self, error: &Error<K>) {
        self.rate(error, Level::Warning);
    }

    fn rate<K: Diagnostic>(&mut self, error: &Error<K>, severity: Level) {
        self.push_rated(error, severity, error.kind.to_string());
    }

    fn push_rated<K: Diagnostic>(&mut self, error: &Error<K>, severity: Level, message: String) {
        self.push(Finding {
            severity,
            class: error.kind.class(),
            rule: error.kind.rule(),
            clause: error.kind.clause(),
            offset: error.at,
            message,
        });
    }

    /// Adds a finding. Those beyond the limit are counted, and the worst of them is the severity of the count.
    pub fn push(&mut self, finding: Finding) {
        if self.list.len() < Self::MAX {
            self.list.push(finding);
            return;
        }
        if self.left_out == 0 {
            self.list.push(Finding {
                severity: Level::Warning,
                class: Class::Limit,
                rule: "findings-left-out",
                clause: "",
                offset: finding.offset,
                message: String::new(),
            });
        }
        self.left_out += 1;
        if let Some(count) = self.list.last_mut() {
            if finding.severity == Level::Error {
                count.severity = Level::Error;
            }
            count.message = format!("{} more findings from here on are not listed", self.left_out);
        }
    }
}

/// Whether a finding makes the file wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Warning,
    Error,
}

impl Level {
    /// Of something of this severity.
    fn of(severity: Severity, lenient: bool) -> Self {
        match severity {
            Severity::Info => Self::Warning,
            Severity::Warning if lenient => Self::Warning,
            _ => Self::Error,
        }
    }

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// Something found.
#[derive(Debug)]
pub struct Finding {
    pub severity: Level,
    pub class: Class,
    pub rule: &'static str,
    /// Document and section; empty if there is none.
    pub clause: &'static str,
    pub offset: u64,
    pub message: String,
}
