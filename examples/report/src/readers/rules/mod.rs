//! The rules: one row for each fact about a program, one file for each program.

mod cl2qcd;
mod gaugefields;
mod gpt;
mod grid;
mod lyncs;
mod pyquda;
mod qio;
mod rule;
mod simulateqcd;
mod tmlqcd;
mod volumes;

use rule::Rule;

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
        volumes::RULES,
    ];
    programs.into_iter().flatten()
}
