//! The rules, applied to a report.

use super::answer::{Answer, Effect, Reason};
use super::facts::Facts;
use super::program::Program;
use super::rules;
use crate::report::{Body, Report};

/// What `program` does with the file; `None` if the file has no gauge field, about which alone there are rules.
///
/// Facts that need the data, such as a wrong checksum, count only if the report has them: it is that of `check`.
pub fn answer(report: &Report, program: Program) -> Option<Answer> {
    let Body::Lime(contents) = &report.body else { return None };
    let facts = Facts::of(contents, report.findings.as_slice())?;
    let applies = rules::all().filter(|rule| rule.programs.contains(&program));
    let reasons: Vec<_> = applies
        .filter_map(|rule| {
            Some(Reason {
                offset: (rule.applies)(&facts)?,
                effect: rule.effect,
                why: rule.why,
                remedy: rule.remedy,
                source: rule.source,
                evidence: rule.evidence,
            })
        })
        .collect();
    let effect = reasons.iter().map(|reason| reason.effect).max().unwrap_or(Effect::Accepted);
    Some(Answer { program, effect, reasons })
}
