//! The rules: one row for each fact about a program. Rules about LIME files have one file per program; those about
//! other formats, truncated files and file sets have files of their own.

mod archives;
mod cl2qcd;
mod gaugefields;
mod gpt;
mod grid;
mod lyncs;
mod milc_v5;
mod nersc;
mod pyquda;
mod qio;
mod rule;
mod simulateqcd;
mod tmlqcd;
mod truncated;
mod volumes;

use super::answer::Evidence;
use rule::ArchiveRule;

pub use rule::Rule;

/// Rules about LIME files whose gauge field a program does not reach. If one of them applies, the other rules do not
/// matter.
pub fn before_all() -> impl Iterator<Item = &'static Rule> {
    truncated::BEFORE_ALL.iter().chain(qio::BEFORE_ALL)
}

/// All rules about LIME files.
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
        volumes::RULES,
    ];
    programs.into_iter().flatten()
}

/// Rules about NERSC archives and MILC files that end inside the data. If one of them applies, the other rules do not
/// matter.
pub fn before_archives() -> impl Iterator<Item = &'static ArchiveRule> {
    truncated::BEFORE_ARCHIVES.iter()
}

/// The evidence of each rule. A rule about several programs or formats is one rule.
pub fn evidence() -> impl Iterator<Item = Evidence> {
    let of_lime = before_all().chain(all()).map(|rule| rule.evidence);
    let of_archives = before_archives().chain(nersc::RULES).chain(milc_v5::RULES).chain(archives::RULES);
    of_lime.chain(of_archives.map(|rule| rule.evidence))
}

/// All rules about NERSC archives.
pub fn of_nersc() -> impl Iterator<Item = &'static ArchiveRule> {
    nersc::RULES.iter().chain(archives::RULES)
}

/// All rules about MILC files.
pub fn of_milc() -> impl Iterator<Item = &'static ArchiveRule> {
    milc_v5::RULES.iter().chain(archives::RULES)
}
