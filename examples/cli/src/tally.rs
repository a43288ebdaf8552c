//! Summary of many files: one line per file, and the number of files with each verdict.

use std::path::Path;

use linkstream_report::report::Report;
use linkstream_report::verdict::Verdict;

use crate::color;
use crate::describe::{doubts, named, verified};
use crate::failure::sentence;
use crate::human::{counted, one_line, shown_path};

/// Number of files with each verdict.
#[derive(Debug, Default, Clone)]
pub struct Tally {
    ok: usize,
    unverified: usize,
    wrong: usize,
    unreadable: usize,
    /// Number of unverified files that fail because of `--require-checksum`.
    required: usize,
    /// Number of random-number states without errors, which are not counted otherwise.
    pub states: usize,
    /// Number of intact files that a required program cannot read.
    pub refused: usize,
    /// Number of files in directories and archives that other programs read.
    pub recognised: usize,
    /// Number of skipped entries in directories: unrelated files, and entries that are not files.
    pub skipped: usize,
}

impl Tally {
    pub fn report(&mut self, report: &Report) {
        if report.state().is_some() && report.verdict() != Verdict::Wrong {
            self.states += 1;
            return;
        }
        match report.verdict() {
            Verdict::Ok => self.ok += 1,
            Verdict::Unverified => {
                self.unverified += 1;
                self.required += usize::from(!report.is_ok());
            }
            Verdict::Wrong => self.wrong += 1,
            Verdict::Unreadable => self.unreadable += 1,
        }
    }

    pub const fn unreadable(&mut self) {
        self.unreadable += 1;
    }

    /// Number of files reported on.
    pub const fn files(&self) -> usize {
        self.ok + self.unverified + self.wrong + self.unreadable
    }

    /// One line about all files. Without their data, no file is verified or unverified.
    pub fn summary(&self, reads_data: bool) -> String {
        let Self { ok, unverified, wrong, unreadable, .. } = self;
        let files = counted(self.files(), "file", "files");
        let required = if self.required > 0 { " (refused by --require-checksum)" } else { "" };
        let mut line = if reads_data {
            format!(
                "{files}: {ok} OK, {unverified} UNVERIFIED{required}, {wrong} WRONG, {unreadable} UNREADABLE"
            )
        } else {
            format!("{files}: {unverified} LISTED, {wrong} WRONG, {unreadable} UNREADABLE")
        };
        if self.refused > 0 {
            line += &format!("; {} that a named program cannot read", counted(self.refused, "file", "files"));
        }
        if self.states > 0 {
            line += &format!(
                "; {} recognised",
                counted(self.states, "random-number state", "random-number states")
            );
        }
        if let Some(aside) = self.aside() {
            line += "; ";
            line += &aside;
        }
        line + "\n"
    }

    /// The number of files that were not checked; `None` if all were.
    pub fn aside(&self) -> Option<String> {
        let recognised = (self.recognised > 0).then(|| {
            let files = counted(self.recognised, "file of another program", "files of other programs");
            format!("{files} recognised, not read")
        });
        let skipped = (self.skipped > 0)
            .then(|| format!("{} skipped", counted(self.skipped, "unrelated file", "unrelated files")));
        recognised.into_iter().chain(skipped).reduce(|all, one| format!("{all}; {one}"))
    }
}

/// The line about one file, with its first error. Without its data, it is neither verified nor unverified.
pub fn line(report: &Report, reads_data: bool) -> String {
    if let (Some(kind), None) = (report.state(), report.first_error()) {
        let is_ok = report.verdict() == Verdict::Ok;
        let sum = if is_ok { color::good("checksum OK") } else { color::warning("not verified") };
        return format!("{}: STATE: random-number state ({}), {sum}\n", named(report), one_line(kind));
    }
    let outcome = match (report.verdict(), report.first_error()) {
        (Verdict::Ok, _) => color::good("OK") + &doubts(report),
        (Verdict::Unverified, _) if !reads_data => "LISTED".to_owned(),
        (Verdict::Unverified, _) if report.is_ok() => color::warning("UNVERIFIED") + &doubts(report),
        (_, Some(error)) => {
            let (offset, message, rule) = (error.offset, one_line(&error.message), error.rule);
            format!("{}: at byte {offset}: {message} [{rule}]", color::bad("WRONG"))
        }
        (_, None) => {
            let verdict = color::bad("UNVERIFIED");
            format!("{verdict}, which --require-checksum refuses: {}", verified(report))
        }
    };
    format!("{}: {outcome}\n", named(report))
}

/// The line about a skipped entry of a directory.
pub fn skipped(path: &Path, why: &str) -> String {
    format!("{}: SKIPPED: {}\n", shown_path(path), one_line(why))
}

/// The line about a file that another program reads.
pub fn recognised(path: &Path, what: &str) -> String {
    format!("{}: RECOGNISED: {}\n", shown_path(path), one_line(what))
}

/// The line about a file that cannot be read.
pub fn unreadable(path: &Path, error: &anyhow::Error) -> String {
    format!("{}: {}: {}\n", shown_path(path), color::bad("UNREADABLE"), one_line(&sentence(error)))
}
