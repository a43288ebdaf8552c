//! Whether a program can read a file, and why not.

use super::facts::Facts;
use super::program::Program;
use super::rules;
use crate::report::{Body, Report};

/// What a program does with a file, from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// It reads the file; a [`Reason`] beside this says what to mind.
    Accepted,
    /// It goes on with wrong numbers.
    Misread,
    /// It stops with an error. A program that stops misreads nothing.
    Refused,
}

impl Effect {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Misread => "misread",
            Self::Refused => "refused",
        }
    }
}

/// How a fact about a program is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// Its source says so.
    Read,
    /// It follows from its source, and was not tried.
    Inferred,
    /// It was observed.
    Run,
}

impl Evidence {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Inferred => "inferred",
            Self::Run => "run",
        }
    }
}

/// One rule that applies to the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    pub effect: Effect,
    /// What of the file, in a sentence.
    pub why: &'static str,
    /// Offset of the LIME record concerned.
    pub offset: u64,
    /// What helps.
    pub remedy: &'static str,
    /// File and lines of the program's source.
    pub source: &'static str,
    pub evidence: Evidence,
}

/// What one program does with one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub program: Program,
    /// The worst effect of all reasons.
    pub effect: Effect,
    pub reasons: Vec<Reason>,
}

impl Answer {
    /// What `program` does with the file; `None` if the file has no gauge field, about which alone there are rules.
    ///
    /// Facts that need the data, such as a wrong checksum, count only if the report has them: it is that of `check`.
    pub fn of(report: &Report, program: Program) -> Option<Self> {
        let Body::Lime(contents) = &report.body else { return None };
        let facts = Facts::of(contents, report.findings.as_slice())?;
        let applies = rules::all().filter(|rule| rule.programs.contains(&program));
        let reasons: Vec<_> = applies
            .filter_map(|rule| {
                Some(Reason {
                    offset: (rule.applies)(&facts)?,
                    effect: rule.effect,
                    why: rule.why,
                    remedy: rule.remedy,
                    source: rule.source,
                    evidence: rule.evidence,
                })
            })
            .collect();
        let effect = reasons.iter().map(|reason| reason.effect).max().unwrap_or(Effect::Accepted);
        Some(Self { program, effect, reasons })
    }
}
