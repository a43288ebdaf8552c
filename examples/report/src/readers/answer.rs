//! The answer to the question whether a program can read a file, with its reasons.

use std::fmt;

use super::program::Program;

/// Effect of a file on a program, from best to worst.
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

/// Basis of a rule about a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// The source of the program states it. The program was not run.
    Read,
    /// It follows from the source, which does not state it directly. The program was not run.
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

    /// The same in words, to be followed by the place in the source.
    const fn words(self) -> &'static str {
        match self {
            Self::Read => "read in the source",
            Self::Inferred => "inferred from the source, not tried",
            Self::Run => "observed when the program ran",
        }
    }
}

/// One rule that applies to the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    pub effect: Effect,
    /// The property of the file that causes the effect, as a sentence.
    pub why: &'static str,
    /// Offset of the LIME record concerned.
    pub offset: u64,
    /// Advice for the user. If the data are damaged, it is empty except for the advice to get another copy.
    pub remedy: String,
    /// File and lines of the program's source.
    pub source: &'static str,
    pub evidence: Evidence,
}

impl Reason {
    /// The basis of the rule, for people: the kind of evidence and the place in the program's source.
    pub fn basis(&self) -> String {
        format!("{}: {}", self.evidence.words(), self.source)
    }
}

/// Effect of one file on one program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub program: Program,
    /// The worst effect of all reasons.
    pub effect: Effect,
    pub reasons: Vec<Reason>,
}

impl Answer {
    /// True if the program reads the file.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.effect == Effect::Accepted
    }
}

/// The worst reasons, and any remedy other than another conversion.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.program.name();
        let verb = match self.effect {
            Effect::Accepted => return write!(f, "{name} reads the file"),
            Effect::Misread => "misreads",
            Effect::Refused => "cannot read",
        };
        let worst = self.reasons.iter().filter(|reason| reason.effect == self.effect);
        let why: Vec<_> = worst
            .map(|reason| match &reason.remedy[..] {
                "" => reason.why.to_owned(),
                remedy => format!("{} ({remedy})", reason.why),
            })
            .collect();
        write!(f, "{name} {verb} the file: {}", why.join("; "))
    }
}
