//! Summary of many files: one line per file, and the number of files of each outcome.

use std::path::Path;

use linkstream_report::report::Report;
use linkstream_report::verdict::Verdict;

use crate::color;
use crate::describe::{doubts, named};
use crate::human::{counted, one_line, shown_path};

/// Number of files of each outcome.
#[derive(Debug, Default)]
pub struct Tally {
    ok: usize,
    unverified: usize,
    failed: usize,
    /// Intact files that a required program cannot read.
    pub refused: usize,
    /// Skipped entries in folders: unrelated files, and entries that are not files.
    pub skipped: usize,
}

impl Tally {
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

    /// Number of files reported on.
    pub const fn files(&self) -> usize {
        self.ok + self.unverified + self.failed
    }

    /// One line about all files.
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

/// The line about one file, with its first error.
pub fn line(report: &Report) -> String {
    let outcome = match (report.verdict(), report.first_error()) {
        (Verdict::Ok, _) => color::good("OK") + &doubts(report),
        (Verdict::Unverified, _) if report.is_ok() => color::warning("UNVERIFIED") + &doubts(report),
        (_, Some(error)) => {
            let (offset, message, rule) = (error.offset, one_line(&error.message), error.rule);
            format!("{}: at byte {offset}: {message} [{rule}]", color::bad("FAILED"))
        }
        (_, None) => format!("{}: no stored checksum verifies the data", color::bad("FAILED")),
    };
    format!("{}: {outcome}\n", named(report))
}

/// The line about an entry of a folder that is skipped.
pub fn skipped(path: &Path, why: &str) -> String {
    format!("{}: SKIPPED: {}\n", shown_path(path), one_line(why))
}

/// The line about a file that cannot be read.
pub fn unreadable(path: &Path, error: &anyhow::Error) -> String {
    format!("{}: {}: {}\n", shown_path(path), color::bad("FAILED"), one_line(&format!("{error:#}")))
}
