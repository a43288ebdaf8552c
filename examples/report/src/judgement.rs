//! The decision whether the data of a file may be used. Every command that reads a file to write another one makes it
//! here, so that none of them turns a file that `check` refuses into one that `check` accepts. A new file is checked here
//! as well, before it gets its name: `check` must not call it wrong.

use std::io;
use std::ops::Range;

use linkstream::{Class, scidac};
use linkstream_access::write::StaleTexts;

use crate::findings::{Finding, LOST, Level, MESSAGE_OPEN};
use crate::job::Open;
use crate::lime::{Computed, FieldEntry, Recorded};
use crate::options::Options;
use crate::plausibility::{NOT_FINITE, NOT_UNITARY, OBSERVABLES};
use crate::report::{Body, Report};
use crate::verdict::{Coverage, Verdict};

/// Trustworthiness of the data of a file.
#[derive(Debug)]
pub enum Judgement<'r> {
    /// All data are verified by checksums stored in the file. Rules can be broken that leave the data certain.
    Sound,
    /// Nothing contradicts the data, but not all of them are verified by a stored checksum.
    Unverified,
    /// The data have lost the checksum that their format always has, and cannot be verified any more.
    Lost(&'r Finding),
    /// The file is damaged or contradicts itself. There is at least one finding.
    Damaged(Vec<&'r Finding>),
}

impl<'r> Judgement<'r> {
    /// The first reason not to use the data.
    pub fn reason(&self) -> Option<&'r Finding> {
        match self {
            Self::Sound | Self::Unverified => None,
            Self::Lost(finding) => Some(finding),
            Self::Damaged(findings) => findings.first().copied(),
        }
    }
}

/// Judges a file by its report. The report should be made as by `check --lenient`, with the data read: every error in
/// it is then damage or a contradiction. The judgement is stricter than the verdict of the report in two cases, which
/// the verdict calls unverified:
/// - Data have lost their checksum: a SciDAC record or a NERSC archive has none, or data without one are in a message
///   that does not end.
/// - The header of a matrix or an archive states fewer data than the file has, and no checksum shows that these are
///   all data.
pub fn judge(report: &Report) -> Judgement<'_> {
    let all = report.findings.as_slice();
    let verdict = report.verdict();
    let is_length_contradicted = |finding: &Finding| {
        finding.class == Class::Trailing
            && verdict != Verdict::Ok
            && matches!(report.body, Body::Inebin(_) | Body::Nersc(_) | Body::Milc(_))
    };
    let damage: Vec<_> = all
        .iter()
        .filter(|finding| {
            !LOST.contains(&finding.rule)
                && !is_stale_text(report, finding)
                && (finding.severity == Level::Error || is_length_contradicted(finding))
        })
        .collect();
    if !damage.is_empty() {
        return Judgement::Damaged(damage);
    }
    // A text about another configuration does not make the verdict good, but leaves the data certain.
    let is_verified = report.body.coverage().is_complete();
    // A writer that begins no message ends none either.
    let has_flags = match &report.body {
        Body::Lime(contents) => contents.records.iter().any(|entry| entry.record.begin),
        _ => true,
    };
    let is_cut = |finding: &&Finding| {
        finding.rule == MESSAGE_OPEN && !is_verified && !verified(&report.body).is_empty() && has_flags
    };
    let lost = all.iter().find(|finding| LOST.contains(&finding.rule)).or_else(|| all.iter().find(is_cut));
    match lost {
        Some(lost) => Judgement::Lost(lost),
        None if is_verified => Judgement::Sound,
        None => Judgement::Unverified,
    }
}

/// Returns whether a text records another observable than data have that a checksum verifies: the text is the one of
/// another configuration, and the data are certain.
fn is_stale_text(report: &Report, finding: &Finding) -> bool {
    OBSERVABLES.contains(&finding.rule)
        && matches!(report.body, Body::Lime(_))
        && report.body.coverage().is_complete()
}

/// The texts of a LIME file that record other observables than data have that a checksum verifies.
pub fn stale_texts(body: &Body) -> StaleTexts {
    let Body::Lime(contents) = body else { return StaleTexts::default() };
    let has = |field: &FieldEntry, record_type: &str| {
        let is_stale = |one: &Recorded| {
            let is_figure = matches!(one.computed, Some(Computed::Number { .. }));
            one.record_type == record_type && is_figure && one.is_contradicted()
        };
        field.is_verified() && field.recorded.iter().any(is_stale)
    };
    let stale = contents.fields.iter().enumerate().filter(|(_, field)| has(field, scidac::RECORD_XML));
    StaleTexts {
        file: contents.fields.iter().any(|field| has(field, scidac::FILE_XML)),
        records: stale.map(|(index, _)| index).collect(),
    }
}

/// The findings about texts of other configurations beside data that are certain: these can be used, but not the texts.
pub fn contradicted_texts(report: &Report) -> impl Iterator<Item = &Finding> {
    report
        .findings
        .as_slice()
        .iter()
        .filter(|finding| finding.severity == Level::Error && is_stale_text(report, finding))
}

/// True for each data record that a stored checksum verifies; one value for a matrix or an archive.
pub fn verified(body: &Body) -> Vec<bool> {
    match body {
        Body::Lime(contents) => contents.verified(),
        other => {
            let Coverage { parts, verified } = other.coverage();
            vec![parts > 0 && parts == verified]
        }
    }
}

/// Wishes of the caller of a writer, and the rules that a new file may break for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Asked {
    /// The texts come unchanged from a file that was checked, and not from the caller. They may break what does not make
    /// data uncertain, and a single record of a propagator file is not a propagator file.
    pub copies: bool,
    /// Texts need not be well-formed XML.
    pub any_texts: bool,
    /// Numbers that no links have, although documents call them links.
    pub any_numbers: bool,
}

/// Rules about the numbers of links.
const OF_LINKS: [&str; 4] = [NOT_FINITE, NOT_UNITARY, "ildg-link-unphysical", "ildg-boundary-mixed"];
/// The rule of texts of the user that are not well-formed XML. Files of other programs may break it.
const USER_XML: &str = "scidac-user-xml";

impl Asked {
    /// Returns whether a finding is a reason not to keep the new file.
    fn refuses(self, finding: &Finding) -> bool {
        match finding.severity {
            Level::Error if self.any_numbers && OF_LINKS.contains(&finding.rule) => false,
            Level::Error => !(self.copies && finding.rule.starts_with("usqcd-")),
            Level::Warning => finding.rule == USER_XML && !self.copies && !self.any_texts,
        }
    }
}

/// Reason why a new file does not get its name.
#[derive(Debug, thiserror::Error)]
pub enum NewFault {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The new file contradicts itself, or breaks a rule of its format.
    #[error("`check` would call the file wrong: {message} [{rule}]")]
    Wrong {
        /// The message of the finding.
        message: String,
        /// The rule that is broken.
        rule: &'static str,
    },
}

/// Judges a complete new file, which does not have its name yet, by the report of `check`.
///
/// # Errors
/// `check` would call the file wrong, and the caller has not asked for that; or it cannot be read.
pub fn judge_new(file: &Open, asked: Asked) -> Result<(), NewFault> {
    judge_edited(file, asked, &[])
}

/// The same for a copy with new texts of the caller at these places. They must be well-formed XML.
///
/// # Errors
/// See [`judge_new`].
pub fn judge_edited(file: &Open, asked: Asked, texts: &[Range<u64>]) -> Result<(), NewFault> {
    let options = Options { lenient: asked.copies, ..Options::LENIENT };
    let report = file.report(&options)?;
    let is_new = |finding: &Finding| texts.iter().any(|text| text.contains(&finding.offset));
    let refused = |finding: &&Finding| asked.refuses(finding) || finding.rule == USER_XML && is_new(finding);
    match report.findings.as_slice().iter().find(refused) {
        Some(Finding { message, rule, .. }) => Err(NewFault::Wrong { message: message.clone(), rule }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::Findings;
    use crate::inebin;

    fn report(body: Body, found: &[(Level, Class, &'static str)]) -> Report {
        let mut findings = Findings::new(true);
        for (severity, class, rule) in found.iter().copied() {
            findings.push(Finding { severity, class, rule, clause: "", offset: 7, message: String::new() });
        }
        let (file, file_bytes, bytes) = (String::new(), None, 0);
        let (require_checksum, readers, packing) = (false, Vec::new(), Vec::new());
        Report { file, file_bytes, bytes, body, findings, require_checksum, readers, packing }
    }

    /// The rule of the reason, and whether it is damage.
    fn judged(body: Body, found: &[(Level, Class, &'static str)]) -> Option<(&'static str, bool)> {
        let report = report(body, found);
        let judgement = judge(&report);
        let is_damage = matches!(judgement, Judgement::Damaged(_));
        judgement.reason().map(|reason| (reason.rule, is_damage))
    }

    #[test]
    fn errors_are_damage_and_a_missing_checksum_is_a_loss() {
        let lime = || Body::Lime(crate::lime::Contents::default());
        let lost = (Level::Warning, Class::Checksum, LOST[0]);
        let broken = (Level::Warning, Class::Rule, "some-rule");
        let error = (Level::Error, Class::Format, "data-length");
        assert_eq!(judged(lime(), &[]), None);
        assert_eq!(judged(lime(), &[broken]), None);
        assert_eq!(judged(lime(), &[broken, lost]), Some((LOST[0], false)));
        assert_eq!(judged(lime(), &[lost, error]), Some(("data-length", true)));
    }

    #[test]
    fn surplus_bytes_contradict_a_header_that_nothing_verifies() {
        let trailing = [(Level::Warning, Class::Trailing, "inebin-trailing-bytes")];
        let matrix = Body::Inebin(inebin::Contents::default());
        assert_eq!(judged(matrix, &trailing), Some(("inebin-trailing-bytes", true)));
        // The length of a LIME record is stated twice.
        assert_eq!(judged(Body::Lime(crate::lime::Contents::default()), &trailing), None);
    }

    #[test]
    fn what_a_new_file_may_break_is_what_its_caller_asked_for() {
        let found = |severity, rule| Finding {
            severity,
            class: Class::Rule,
            rule,
            clause: "",
            offset: 0,
            message: String::new(),
        };
        let (nothing, copies) = (Asked::default(), Asked { copies: true, ..Asked::default() });
        let (any_texts, any_numbers) =
            (Asked { any_texts: true, ..nothing }, Asked { any_numbers: true, ..nothing });
        for (finding, refusing) in [
            (
                found(Level::Error, "recorded-plaquette-differs"),
                &[nothing, copies, any_texts, any_numbers][..],
            ),
            (found(Level::Error, NOT_UNITARY), &[nothing, copies, any_texts]),
            (found(Level::Error, "usqcd-solution-count"), &[nothing, any_texts, any_numbers]),
            (found(Level::Warning, USER_XML), &[nothing, any_numbers]),
            (found(Level::Warning, "ildg-lfn-missing"), &[]),
        ] {
            for asked in [nothing, copies, any_texts, any_numbers] {
                assert_eq!(asked.refuses(&finding), refusing.contains(&asked), "{asked:?} {finding:?}");
            }
        }
    }
}
