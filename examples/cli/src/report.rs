//! What was found in a file, before it is shown in one form or another.

use linkstream::{Class, Diagnostic, Error, Severity};

use crate::{inebin, lime, scda};

/// Everything about one file.
#[derive(Debug)]
pub struct Report {
    /// As the user named it.
    pub file: String,
    /// Bytes of the file; of standard input, as far as it was read.
    pub bytes: u64,
    pub body: Body,
    pub findings: Findings,
}

/// What a format has to tell about a file.
#[derive(Debug)]
pub enum Body {
    /// None of the formats known.
    Unknown,
    Lime(lime::Contents),
    Inebin(inebin::Contents),
    Scda(scda::Contents),
}

impl Report {
    /// Whether nothing makes the file wrong.
    pub fn is_ok(&self) -> bool {
        self.findings.count(Level::Error) == 0
    }
}

/// What is worth telling: at most [`Findings::MAX`], and one more that counts the rest.
#[derive(Debug)]
pub struct Findings {
    lenient: bool,
    list: Vec<Finding>,
    left_out: u64,
}

impl Findings {
    /// A file can be wrong in more places than anybody wants to read, or memory holds.
    const MAX: usize = 1000;

    /// None yet. If `lenient`, rules that are broken harmlessly will be warnings.
    pub const fn new(lenient: bool) -> Self {
        Self { lenient, list: Vec::new(), left_out: 0 }
    }

    pub fn as_slice(&self) -> &[Finding] {
        &self.list
    }

    pub fn count(&self, severity: Level) -> usize {
        self.list.iter().filter(|finding| finding.severity == severity).count()
    }

    /// Adds what a decoder says.
    pub fn add<K: Diagnostic>(&mut self, error: &Error<K>) {
        self.rate(error, Level::of(error.kind.severity(), self.lenient));
    }

    /// Adds what a decoder says and the format allows.
    pub fn warn<K: Diagnostic>(&mut self, error: &Error<K>) {
        self.rate(error, Level::Warning);
    }

    fn rate<K: Diagnostic>(&mut self, error: &Error<K>, severity: Level) {
        self.push(Finding {
            severity,
            class: error.kind.class(),
            rule: error.kind.rule(),
            clause: error.kind.clause(),
            offset: error.at,
            message: error.kind.to_string(),
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

/// Something worth telling.
#[derive(Debug)]
pub struct Finding {
    pub severity: Level,
    pub class: Class,
    pub rule: &'static str,
    /// Document and section; empty where none says so.
    pub clause: &'static str,
    pub offset: u64,
    pub message: String,
}
