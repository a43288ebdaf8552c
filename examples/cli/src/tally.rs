//! The outcome of many files: a line for each, and their numbers.

use linkstream_report::report::Report;
use linkstream_report::verdict::Verdict;

use crate::color;
use crate::human::{counted, one_line};

/// How many files there were of each outcome.
#[derive(Debug, Default)]
pub struct Tally {
    ok: usize,
    unverified: usize,
    failed: usize,
    /// Whole files that a program which was named cannot read.
    pub refused: usize,
    /// Files in folders that have nothing to do with what was asked.
    pub skipped: usize,
}

impl Tally {
    /// No file yet, but what folders have besides files.
    pub fn new(skipped: usize) -> Self {
        Self { skipped, ..Self::default() }
    }

    pub fn report(&mut self, report: &Report) {
        match report.verdict() {
            _ if !report.is_ok() => self.failed += 1,
            Verdict::Ok => self.ok += 1,
            _ => self.unverified += 1,
        }
    }

    pub fn unreadable(&mut self) {
        self.failed += 1;
    }

    /// Files that were reported on.
    pub const fn files(&self) -> usize {
        self.ok + self.unverified + self.failed
    }

    /// One line about all.
    pub fn summary(&self) -> String {
        let (ok, unverified, failed) = (self.ok, self.unverified, self.failed);
        let files = counted(self.files(), "file", "files");
        let mut line = format!("{files}: {ok} OK, {unverified} UNVERIFIED, {failed} FAILED");
        if self.refused > 0 {
            line += &format!("; {} that a named program cannot read", counted(self.refused, "file", "files"));
        }
        if self.skipped > 0 {
            line += "; ";
            line += &self.skipped();
        }
        line + "\n"
    }

    pub fn skipped(&self) -> String {
        format!("{} skipped", counted(self.skipped, "unrelated file", "unrelated files"))
    }
}

/// The line about a file, with the first error.
pub fn line(report: &Report) -> String {
    let outcome = match (report.verdict(), report.first_error()) {
        (Verdict::Ok, _) => color::good("OK"),
        (Verdict::Unverified, _) if report.is_ok() => color::warning("UNVERIFIED"),
        (_, Some(error)) => {
            let (offset, message, rule) = (error.offset, &error.message, error.rule);
            format!("{}: at byte {offset}: {message} [{rule}]", color::bad("FAILED"))
        }
        (_, None) => format!("{}: no stored checksum verifies the data", color::bad("FAILED")),
    };
    format!("{}: {outcome}\n", one_line(&report.file))
}

/// The line about a file that could not be read.
pub fn unreadable(name: &str, error: &anyhow::Error) -> String {
    format!("{}: {}: {error:#}\n", one_line(name), color::bad("FAILED"))
}
