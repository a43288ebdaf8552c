//! Applies the rules to a report.

use super::answer::{Answer, Effect, Reason};
use super::archive_facts::ArchiveFacts;
use super::facts::Facts;
use super::program::Program;
use super::rules::{self, Rule};
use crate::plausibility::is_damage;
use crate::report::{Body, Report};

/// Returns whether the data are not the ones that were written. The answers then depend only on the form of the file,
/// and another copy is needed: a new file made from this one would only hide the damage.
pub fn is_damaged(report: &Report) -> bool {
    report.findings.as_slice().iter().any(is_damage)
}

/// Effect of the file on `program`; `None` if the file has no gauge field, since there are no rules about other data, or if
/// it has more records or fields than the report lists, since the rules look at all of them.
///
/// Facts that require the data, such as a wrong checksum, are only considered if the report contains them, which is the
/// case for a report of `check`.
pub fn answer(report: &Report, program: Program) -> Option<Answer> {
    let findings = report.findings.as_slice();
    let mut reasons = match &report.body {
        Body::Lime(contents) if contents.lists_all() => {
            let facts = Facts::of(contents, findings)?;
            reasons(program, rules::before_all(), rules::all(), |applies| applies(&facts))
        }
        Body::Nersc(contents) => {
            let facts = ArchiveFacts::of(contents, findings)?;
            reasons(program, rules::before_archives(), rules::of_nersc(), |applies| applies(&facts))
        }
        Body::Milc(contents) => {
            let facts = ArchiveFacts::of(contents, findings)?;
            reasons(program, rules::before_archives(), rules::of_milc(), |applies| applies(&facts))
        }
        Body::Lime(_) | Body::Unknown | Body::Inebin(_) | Body::Scda(_) | Body::OpenQcd(_) => return None,
    };
    if is_damaged(report) {
        for reason in reasons.iter_mut().filter(|reason| !reason.remedy.contains("another copy")) {
            reason.remedy.clear();
        }
    }
    let effect = reasons.iter().map(|reason| reason.effect).max().unwrap_or(Effect::Accepted);
    Some(Answer { program, effect, reasons })
}

/// Reasons of the rules that apply. If a rule of `before_all` applies, only these are considered.
fn reasons<A: 'static>(
    program: Program,
    before_all: impl Iterator<Item = &'static Rule<A>>,
    all: impl Iterator<Item = &'static Rule<A>>,
    applies: impl Fn(&A) -> Option<u64>,
) -> Vec<Reason> {
    let reason = |rule: &Rule<A>| {
        let is_of_program = rule.programs.contains(&program);
        Some(rule.reason(program, applies(&rule.applies).filter(|_| is_of_program)?))
    };
    let first: Vec<_> = before_all.filter_map(reason).collect();
    if first.is_empty() { all.filter_map(reason).collect() } else { first }
}
