//! The rules, applied to a report.

use super::answer::{Answer, Effect, Reason};
use super::archive_facts::ArchiveFacts;
use super::facts::Facts;
use super::program::Program;
use super::rules::{self, Rule};
use crate::report::{Body, Report};

/// What `program` does with the file; `None` if the file has no gauge field, about which alone there are rules.
///
/// Facts that need the data, such as a wrong checksum, count only if the report has them: it is that of `check`.
pub fn answer(report: &Report, program: Program) -> Option<Answer> {
    let findings = report.findings.as_slice();
    let reasons: Vec<Reason> = match &report.body {
        Body::Lime(contents) => {
            let facts = Facts::of(contents, findings)?;
            let of_program = |rule: &&Rule| rule.programs.contains(&program);
            let reason = |rule: &Rule| Some(rule.reason(program, (rule.applies)(&facts)?));
            let first: Vec<_> = rules::before_all().filter(of_program).filter_map(reason).collect();
            if first.is_empty() {
                rules::all().filter(of_program).filter_map(reason).collect()
            } else {
                first
            }
        }
        Body::Nersc(contents) => {
            let facts = ArchiveFacts::of(contents, findings)?;
            let rules = rules::of_nersc().filter(|rule| rule.programs.contains(&program));
            rules.filter_map(|rule| Some(rule.reason(program, (rule.applies)(&facts)?))).collect()
        }
        Body::Milc(contents) => {
            let facts = ArchiveFacts::of(contents, findings)?;
            let rules = rules::of_milc().filter(|rule| rule.programs.contains(&program));
            rules.filter_map(|rule| Some(rule.reason(program, (rule.applies)(&facts)?))).collect()
        }
        Body::Unknown | Body::Inebin(_) | Body::Scda(_) => return None,
    };
    let effect = reasons.iter().map(|reason| reason.effect).max().unwrap_or(Effect::Accepted);
    Some(Answer { program, effect, reasons })
}
