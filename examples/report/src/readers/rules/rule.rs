//! One fact about a program.

use crate::readers::answer::{Effect, Evidence};
use crate::readers::facts::Facts;
use crate::readers::program::Program;

/// What some programs do with files of which a condition is true.
#[derive(Debug)]
pub struct Rule {
    pub programs: &'static [Program],
    pub effect: Effect,
    /// What of the file, in a sentence.
    pub why: &'static str,
    /// What helps.
    pub remedy: &'static str,
    /// File and lines of the program's source.
    pub source: &'static str,
    pub evidence: Evidence,
    /// The offset of the record concerned, if the rule applies.
    pub applies: fn(&Facts<'_>) -> Option<u64>,
}
