//! Findings: the rules that a file breaks.

use linkstream::{Class, Diagnostic, Error, Severity};

/// Names of the rules that data without their checksum break. QIO always writes a checksum (QIO 2.3, section 2.1.1),
/// and so do all programs that write NERSC archives.
pub const LOST: [&str; 3] = ["checksum-missing", "nersc-checksum-missing", "nersc-checksum-form"];
/// Names of the rules that damaged compressions and archives break: the content is certainly not as it was written.
pub const PACKING_DAMAGED: [&str; 2] = ["compression-damaged", "archive-damaged"];
/// The rule of a file that ends inside a message: the record that is missing can be the checksum.
pub const MESSAGE_OPEN: &str = "lime-message-open";

/// A list of findings: at most [`Findings::MAX`], and one more that counts the others.
#[derive(Debug)]
pub struct Findings {
    lenient: bool,
    list: Vec<Finding>,
    left_out: u64,
    receiver: Option<fn(&Finding)>,
}

impl Findings {
    /// Maximum number of findings that are kept. A file can have more than fit into memory.
    pub const MAX: usize = 1000;

    /// An empty list. If `lenient`, broken rules that lose no data count as warnings.
    pub const fn new(lenient: bool) -> Self {
        Self { lenient, list: Vec::new(), left_out: 0, receiver: None }
    }

    /// Passes each finding that is added to `receiver`, even if it is not kept.
    #[must_use]
    pub fn passed_to(self, receiver: Option<fn(&Finding)>) -> Self {
        Self { receiver, ..self }
    }

    /// The function that receives all findings.
    #[must_use]
    pub const fn receiver(&self) -> Option<fn(&Finding)> {
        self.receiver
    }

    pub fn as_slice(&self) -> &[Finding] {
        &self.list
    }

    /// Returns the findings and leaves the list empty.
    pub fn take(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.list)
    }

    /// Adds all findings of another list at the end. The receiver does not get them.
    pub fn append(&mut self, others: Self) {
        let left_out = others.left_out;
        for finding in others.list {
            // This counts the others' finding about findings left out.
            self.keep(finding);
        }
        if left_out > 0 {
            self.leave_out(left_out.saturating_sub(1));
        }
    }

    /// Adds a finding before all others.
    pub fn put_first(&mut self, finding: Finding) {
        if let Some(receiver) = self.receiver {
            receiver(&finding);
        }
        self.list.insert(0, finding);
    }

    pub fn count(&self, severity: Level) -> usize {
        self.list.iter().filter(|finding| finding.severity == severity).count()
    }

    /// Adds a finding of a decoder.
    pub fn add<K: Diagnostic>(&mut self, error: &Error<K>) {
        self.rate(error, Level::of(error.kind.severity(), self.lenient));
    }

    /// Adds a finding of a decoder, with advice on what to do about it.
    pub fn add_with<K: Diagnostic>(&mut self, error: &Error<K>, advice: &str) {
        let message = format!("{}; {advice}", error.kind);
        self.add_as(error, message);
    }

    /// Adds a finding of a decoder with another message.
    pub fn add_as<K: Diagnostic>(&mut self, error: &Error<K>, message: String) {
        self.push_rated(error, Level::of(error.kind.severity(), self.lenient), message);
    }

    /// Adds a finding of a decoder as an error, because nothing proves that the data were written so.
    pub fn condemn<K: Diagnostic>(&mut self, error: &Error<K>) {
        self.rate(error, Level::Error);
    }

    /// Adds a finding of a decoder as a warning, because the format permits it.
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

    /// Adds a finding. Findings beyond the limit are only counted; the finding that counts them has the highest
    /// severity among them.
    pub fn push(&mut self, finding: Finding) {
        if let Some(receiver) = self.receiver {
            receiver(&finding);
        }
        self.keep(finding);
    }

    fn keep(&mut self, finding: Finding) {
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
        if finding.severity == Level::Error
            && let Some(count) = self.list.last_mut()
        {
            count.severity = Level::Error;
        }
        self.leave_out(1);
    }

    /// Counts findings that are not listed.
    fn leave_out(&mut self, n: u64) {
        self.left_out = self.left_out.saturating_add(n);
        if let Some(count) = self.list.last_mut() {
            count.message = format!("{} more findings from here on are not listed", self.left_out);
        }
    }
}

/// Severity of a finding: error or warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Warning,
    Error,
}

impl Level {
    /// The severity that `check` reports for a rule with this severity in the library; `lenient` is its option
    /// `--lenient`. This is the only place that translates the severities of the library for the program.
    pub const fn of(severity: Severity, lenient: bool) -> Self {
        match severity {
            Severity::Info => Self::Warning,
            Severity::Warning if lenient => Self::Warning,
            Severity::Warning | Severity::Error | Severity::Fatal => Self::Error,
        }
    }

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A rule that a file breaks, with the offset.
#[derive(Debug)]
pub struct Finding {
    pub severity: Level,
    pub class: Class,
    pub rule: &'static str,
    /// Document and section that state the rule, or a remark that the format has no specification; empty for rules that
    /// belong to no format.
    pub clause: &'static str,
    pub offset: u64,
    pub message: String,
}

impl Finding {
    /// The checksum record at this offset has no sums, although neither sum of the data is zero. QIO leaves both out if
    /// one of them is zero.
    pub fn sums_lost(offset: u64) -> Self {
        Self {
            severity: Level::Error,
            class: Class::Checksum,
            rule: "checksum-sums-lost",
            clause: "QIO 2.3, section 2.1.1",
            offset,
            message: "the checksum record has no sums, although neither sum of the data is zero: they have been lost"
                .to_owned(),
        }
    }
}
