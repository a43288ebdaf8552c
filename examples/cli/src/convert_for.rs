//! `convert --for`: converts to the form that a given program, or nearly every program, reads.

use std::path::Path;

use indicatif::ProgressBar;
use linkstream::lattice::Precision;
use linkstream_access::write::{Rows, Target, Wish, respell_sums};
use linkstream_report::readers::{Answer, Effect, Program, Reason, answer};
use linkstream_report::report::Report;

use crate::check::INSPECT;
use crate::failure::Failure;
use crate::fields::{made, make, warn, written_to};
use crate::judged::{LENIENT, Permission, report_on};
use crate::source::survey_file;
use crate::system::File;
use crate::volumes::{Layout, with_source};

/// The program that is to read the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// Nearly every program.
    Any,
    One(Program),
}

impl Audience {
    /// Parses the value of `--for`.
    pub fn parse(key: &str) -> Result<Self, String> {
        let names = || Program::ALL.iter().map(|program| program.key()).collect::<Vec<_>>().join(", ");
        match key {
            "any" => Ok(Self::Any),
            key => Program::parse(key).map(Self::One).ok_or_else(|| format!("not one of any, {}", names())),
        }
    }

    /// One gauge field as ILDG with all rows and a checksum. Numbers have double precision for programs that read
    /// nothing else, or not by default.
    fn wish(self, wish: Wish) -> Wish {
        let wants_double = match self {
            Self::Any => true,
            Self::One(program) => matches!(program, Program::Gpt | Program::TmLqcd | Program::Cl2Qcd),
        };
        Wish {
            target: Some(Target::Ildg),
            one: true,
            precision: wish.precision.or(wants_double.then_some(Precision::F64)),
            rows: Some(Rows::Full),
            checksum: true,
            ..wish
        }
    }
}

/// Converts `input` to `out`. Nothing is written if the program could not read the result.
pub fn run(
    input: &Path,
    layout: &Layout,
    permission: Permission,
    out: &Path,
    force: bool,
    wish: Wish,
    audience: Audience,
) -> anyhow::Result<()> {
    let wish = audience.wish(wish);
    written_to(input, out, force, |file| {
        with_source(input, layout, permission, |source, origin| make(source, &origin.trust, &wish, file))?;
        respell_sums(file, audience == Audience::One(Program::Gpt)).map_err(made)?;
        let report = report_on(file, Path::new(""), &LENIENT)?;
        match audience {
            Audience::One(program) => accepted_by(&report, program),
            Audience::Any => accepted_by_most(&report),
        }
    })
}

/// The report of `inspect` on the new file.
fn records_of(file: &File) -> anyhow::Result<Report> {
    survey_file(file.try_clone()?, Path::new(""), &INSPECT, &ProgressBar::hidden())
}

/// Fails unless the program reads the file.
fn accepted_by(report: &Report, program: Program) -> anyhow::Result<()> {
    let answer = answer(report, program).ok_or_else(|| Failure::invalid(&"there is no gauge field"))?;
    match answer.effect {
        Effect::Accepted => Ok(()),
        Effect::Misread | Effect::Refused => Err(Failure::invalid(&explained(&answer)).into()),
    }
}

/// Fails unless at least one program reads the file; warns about programs that do not.
fn accepted_by_most(report: &Report) -> anyhow::Result<()> {
    let answers: Vec<_> = Program::ALL.iter().filter_map(|program| answer(report, *program)).collect();
    let others = || answers.iter().filter(|answer| answer.effect != Effect::Accepted);
    if others().count() == answers.len() {
        let why: Vec<_> = others().map(explained).collect();
        return Err(Failure::invalid(&format!("no program can read it: {}", why.join("; "))).into());
    }
    others().for_each(|answer| warn(&explained(answer)));
    Ok(())
}

/// Warns about programs that cannot read a file with reduced rows.
pub fn warn_of_reduced(file: &File) -> anyhow::Result<()> {
    let report = records_of(file)?;
    let answers = Program::ALL.iter().filter_map(|program| answer(&report, *program));
    let cannot = answers.filter(|answer| answer.effect != Effect::Accepted);
    let names: Vec<_> = cannot.map(|answer| answer.program.name()).collect();
    if !names.is_empty() {
        warn(&format!("these programs cannot read the file: {} (check --for says why)", names.join(", ")));
    }
    Ok(())
}

/// The reasons why a program does not read a file, and any remedy other than another conversion.
fn explained(answer: &Answer) -> String {
    let worst = answer.reasons.iter().filter(|reason| reason.effect == answer.effect);
    let one = |reason: &Reason| match &reason.remedy[..] {
        "" => reason.why.to_owned(),
        remedy => format!("{} ({remedy})", reason.why),
    };
    let why: Vec<_> = worst.map(one).collect();
    let verb = if answer.effect == Effect::Misread { "misreads" } else { "cannot read" };
    format!("{} {verb} the file: {}", answer.program.name(), why.join("; "))
}
