//! Whether a program can read a file, and why not.

use super::program::Program;

/// What a program does with a file, from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// The program reads the file. If there is a [`Reason`], it explains what to be aware of.
    Accepted,
    /// The program continues with wrong numbers.
    Misread,
    /// The program stops with an error. This outranks [`Misread`](Self::Misread), because a program that stops misreads
    /// nothing.
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
    /// It was read in the source of the program.
    Read,
    /// It follows from the source, but was not tried.
    Inferred,
    /// It was observed when the program ran.
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
    /// The property of the file that is the reason, as a sentence.
    pub why: &'static str,
    /// Offset of the LIME record concerned.
    pub offset: u64,
    /// What to do about it; empty if the data are damaged, unless this is the reason.
    pub remedy: String,
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
