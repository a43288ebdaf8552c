//! `check --for`: which programs can read a file.

use std::fmt::Write as _;

use clap::builder::{PossibleValue, PossibleValuesParser};
use linkstream_report::readers::{Effect, Program, answer, basis, is_damaged};
use linkstream_report::report::Report;

use crate::color;

const ALL: &str = "all";

/// The values of `--for`.
pub fn program_names() -> PossibleValuesParser {
    let programs = Program::ALL.iter().map(|program| PossibleValue::new(program.key()).alias(program.name()));
    programs.chain([PossibleValue::new(ALL)]).collect::<Vec<_>>().into()
}

/// The programs selected by `--for`.
#[derive(Debug, Default)]
pub struct Readers {
    programs: Vec<Program>,
    /// The programs that must be able to read a file.
    named: Vec<Program>,
}

impl Readers {
    pub fn new(names: &[String]) -> Self {
        let named: Vec<_> = names.iter().filter_map(|name| Program::parse(name)).collect();
        let all = names.iter().any(|name| name.eq_ignore_ascii_case(ALL));
        Self { programs: if all { Program::ALL.to_vec() } else { named.clone() }, named }
    }

    /// Adds the answer for each selected program to a report.
    pub fn answer(&self, report: &mut Report) {
        report.readers = self.programs.iter().filter_map(|program| answer(report, *program)).collect();
    }

    /// True if all programs in `named` can read the file.
    pub fn can_read(&self, report: &Report) -> bool {
        self.named.iter().all(|named| {
            let mut answers = report.readers.iter();
            answers.any(|answer| answer.program == *named && answer.effect == Effect::Accepted)
        })
    }

    /// One line for each program in `named` that cannot read the file.
    pub fn refusals(&self, report: &Report) -> String {
        let mut out = String::new();
        let wrong = report.readers.iter().filter(|answer| answer.effect != Effect::Accepted);
        for answer in wrong.filter(|answer| self.named.contains(&answer.program)) {
            let (name, effect) = (answer.program.name(), color::bad(answer.effect.as_str()));
            // Remarks on what the program accepts can come first.
            let mut reasons = answer.reasons.iter().filter(|reason| reason.effect == answer.effect);
            let why = reasons.next().map_or("", |reason| reason.why);
            let _ = writeln!(out, "  {name}: {effect}: {why}");
        }
        out
    }

    /// The text output.
    pub fn shown(&self, report: &Report) -> String {
        let mut out = String::new();
        if self.programs.is_empty() {
            return out;
        }
        out.push_str("programs:\n");
        if report.readers.is_empty() {
            out.push_str(
                "  no answer: no gauge configuration can be read from this file, or it has more records than a report lists. \
                 The rules are only about gauge configurations in LIME, NERSC and MILC files\n",
            );
            return out;
        }
        if is_damaged(report) {
            out.push_str(
                "  the data or the values stored with them are damaged: get another copy. The answers depend only on the \
                 form of the file\n",
            );
        }
        for answer in &report.readers {
            let verdict = match answer.effect {
                Effect::Accepted => color::good("accepted"),
                Effect::Misread => color::bad("MISREAD"),
                Effect::Refused => color::bad("refused"),
            };
            let _ = writeln!(out, "  {} ({}): {verdict}", answer.program.name(), answer.program.version());
            for reason in &answer.reasons {
                let (effect, why, remedy) = (reason.effect.as_str(), reason.why, &reason.remedy);
                let _ = writeln!(out, "    {effect} at byte {}: {why}", reason.offset);
                if !remedy.is_empty() {
                    let _ = writeln!(out, "      {remedy}");
                }
                let _ = writeln!(out, "      [{}]", reason.basis());
            }
        }
        let _ = writeln!(out, "  {}", basis());
        out
    }
}
