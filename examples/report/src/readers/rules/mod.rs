//! The rules: one row for each fact about a program, one file for each program.

mod cl2qcd;
mod gaugefields;
mod gpt;
mod grid;
mod lyncs;
mod pyquda;
mod qio;
mod simulateqcd;
mod tmlqcd;

use super::answer::{Effect, Evidence};
use super::facts::Facts;
use super::program::Program;

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

/// All rules.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    let programs = [
        qio::RULES,
        grid::RULES,
        gpt::RULES,
        tmlqcd::RULES,
        cl2qcd::RULES,
        simulateqcd::RULES,
        lyncs::RULES,
        pyquda::RULES,
        gaugefields::RULES,
    ];
    programs.into_iter().flatten()
}
