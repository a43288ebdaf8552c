//! Rules about NERSC archives and MILC files.

use super::rule::ArchiveRule;
use crate::readers::answer::Effect::Refused;
use crate::readers::answer::Evidence::Read;
use crate::readers::program::Program::Milc;

pub static RULES: &[ArchiveRule] = &[ArchiveRule {
    programs: &[Milc],
    effect: Refused,
    why: "links deviate from unitarity by more than 1e-4",
    remedy: super::qio::NOT_UNITARY,
    source: "MILC generic/check_unitarity.c:15,43,80",
    evidence: Read,
    applies: |facts| facts.where_data(facts.is_further_from_unitary(1e-4)),
}];
