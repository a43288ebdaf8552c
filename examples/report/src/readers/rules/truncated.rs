//! Rules about files that end inside the data.

use super::rule::{ArchiveRule, Rule};
use crate::readers::answer::Effect::Refused;
use crate::readers::answer::Evidence::Inferred;
use crate::readers::program::Program;

pub static BEFORE_ALL: &[Rule] = &[rule(|facts| facts.where_data(facts.ends_inside_data()))];

pub static BEFORE_ARCHIVES: &[ArchiveRule] =
    &[rule(|facts| facts.finding(&["nersc-data-truncated", "milc-data-truncated"]))];

const fn rule<A: Copy>(applies: A) -> Rule<A> {
    Rule {
        programs: &Program::ALL,
        effect: Refused,
        why: "the file ends inside the data, and no program can supply the rest",
        remedy: "no conversion helps: get another copy",
        source: "the data that its reader needs",
        evidence: Inferred,
        applies,
    }
}
