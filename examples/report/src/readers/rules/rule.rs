//! One fact about a program.

use crate::readers::answer::{Effect, Evidence, Reason};
use crate::readers::archive_facts::ArchiveFacts;
use crate::readers::facts::Facts;
use crate::readers::program::Program;

/// What some programs do with LIME files of which a condition is true, or with files of another format (`A`).
#[derive(Debug)]
pub struct Rule<A = fn(&Facts<'_>) -> Option<u64>> {
    pub programs: &'static [Program],
    pub effect: Effect,
    /// What of the file, in a sentence.
    pub why: &'static str,
    /// What helps; `PROGRAM` is the one that is to read the file.
    pub remedy: &'static str,
    /// File and lines of the program's source.
    pub source: &'static str,
    pub evidence: Evidence,
    /// The offset of the record concerned, if the rule applies.
    pub applies: A,
}

/// The same about NERSC archives or MILC files.
pub type ArchiveRule = Rule<fn(&ArchiveFacts<'_>) -> Option<u64>>;

impl<A> Rule<A> {
    /// What is reported of the rule to those who want to use this program, at this offset.
    pub fn reason(&self, program: Program, offset: u64) -> Reason {
        Reason {
            effect: self.effect,
            why: self.why,
            offset,
            remedy: self.remedy.replace("PROGRAM", program.key()),
            source: self.source,
            evidence: self.evidence,
        }
    }
}
