//! A rule: one fact about a program.

use crate::readers::answer::{Effect, Evidence, Reason};
use crate::readers::archive_facts::ArchiveFacts;
use crate::readers::facts::Facts;
use crate::readers::program::Program;

/// Effect on some programs of files that satisfy a condition. `A` is the type of the condition: by default one about
/// LIME files.
#[derive(Debug)]
pub struct Rule<A = fn(&Facts<'_>) -> Option<u64>> {
    pub programs: &'static [Program],
    pub effect: Effect,
    /// The property of the file that is the reason, as a sentence.
    pub why: &'static str,
    /// Advice for the user. `PROGRAM` is replaced by the program that should read the file.
    pub remedy: &'static str,
    /// File and lines of the program's source.
    pub source: &'static str,
    /// Basis of this rule.
    pub evidence: Evidence,
    /// The condition. Returns the offset of the record concerned if the rule applies.
    pub applies: A,
}

/// A rule about NERSC archives or MILC files.
pub type ArchiveRule = Rule<fn(&ArchiveFacts<'_>) -> Option<u64>>;

/// The option values after `--for` in a command that converts a file without logical file name for this program.
const fn options(program: Program) -> &'static str {
    match program {
        Program::Grid => "grid --lfn lfn://...",
        _ => program.key(),
    }
}

impl<A> Rule<A> {
    /// The reason that is reported for this program, at this offset.
    pub fn reason(&self, program: Program, offset: u64) -> Reason {
        Reason {
            effect: self.effect,
            why: self.why,
            offset,
            remedy: self.remedy.replace("PROGRAM", options(program)),
            source: self.source,
            evidence: self.evidence,
        }
    }
}
