//! Files that end inside the data.

use super::rule::{ArchiveRule, Rule};
use crate::readers::answer::Effect::Refused;
use crate::readers::answer::Evidence::Inferred;
use crate::readers::program::Program;

const WHY: &str = "the file ends inside the data, and no program has the rest";
const REMEDY: &str = "get another copy: no conversion helps";
const SOURCE: &str = "the data that its reader needs";

pub static BEFORE_ALL: &[Rule] = &[Rule {
    programs: &Program::ALL,
    effect: Refused,
    why: WHY,
    remedy: REMEDY,
    source: SOURCE,
    evidence: Inferred,
    applies: |facts| facts.where_data(facts.ends_inside_data()),
}];

pub static BEFORE_ARCHIVES: &[ArchiveRule] = &[ArchiveRule {
    programs: &Program::ALL,
    effect: Refused,
    why: WHY,
    remedy: REMEDY,
    source: SOURCE,
    evidence: Inferred,
    applies: |facts| facts.finding(&["nersc-data-truncated", "milc-data-truncated"]),
}];
