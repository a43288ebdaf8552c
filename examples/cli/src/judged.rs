//! The judgement on files that a command reads in order to write another one: damaged input is refused unless
//! `--damaged` permits it.

use std::io::Seek as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context as _;
use clap::Args;
use indicatif::ProgressBar;
use linkstream_access::set::{FIRST, VolumeSource, is_volume};
use linkstream_access::write::Damage;
pub use linkstream_access::write::Trust;
use linkstream_access::{FileSource, Sum};
use linkstream_report::cut::{Cut, has_remedy};
use linkstream_report::findings::Finding;
use linkstream_report::job::Open;
pub use linkstream_report::judgement::Asked;
use linkstream_report::judgement::{
    Judgement, NewFault, contradicted_texts, judge, judge_edited, stale_texts, verified,
};
use linkstream_report::options::Options;
use linkstream_report::report::{Body, Report};
use linkstream_report::volumes::survey;
use serde_json::{Value, json};

use crate::failure::{Failure, failed, input_name, output_name};
use crate::fields::warn;
use crate::foreign::for_this_command;
use crate::source::{FileParts, bar, filled, survey_file, survey_set};
use crate::system::File;

/// Options for the judgement of every input.
pub const LENIENT: Options = Options::LENIENT;

/// Those for an input whose time slices are read separately afterwards: they are compared with what was checked.
pub const WITH_SLICE_SUMS: Options = Options { slice_sums: true, ..LENIENT };

/// The damage of inputs that were used in this run.
static DAMAGES: Mutex<Vec<Value>> = Mutex::new(Vec::new());

/// The damaged inputs that were used so far, for the JSON output: name, rule, offset and message of each.
pub fn damages() -> Vec<Value> {
    DAMAGES.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The option `--damaged`.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct Permission {
    /// Also accept input that is damaged, or that lacks a checksum although its format always has one.
    #[arg(long)]
    pub damaged: bool,
}

/// The damage that a finding reports.
fn damage_of(finding: &Finding) -> Damage {
    Damage { rule: finding.rule, offset: finding.offset, message: finding.message.clone() }
}

/// Decides whether the data of an input called `name` may be used, given its report. Damage that is permitted becomes a
/// warning.
pub fn admitted(report: &Report, name: &Path, permission: Permission) -> anyhow::Result<Trust> {
    admitted_if(report, name, permission, true)
}

/// Decides whether the fields of a file may be used, like [`admitted`]. Also returns the length of the part of a LIME
/// file that can be read, if it ends too early. A file without a complete data record, or with an incomplete matrix, is
/// refused in any case.
pub fn admitted_fields(
    report: &Report,
    file: &File,
    name: &Path,
    permission: Permission,
) -> anyhow::Result<(Trust, Option<u64>)> {
    let cut = Cut::of(report, file.metadata().map_err(Failure::Input)?.len());
    let trust = admitted_if(report, name, permission, has_remedy(report, cut))?;
    Ok((trust, cut.map(|cut| cut.length)))
}

/// `has_remedy`: whether `--damaged` permits the use of the damaged input.
fn admitted_if(
    report: &Report,
    name: &Path,
    permission: Permission,
    has_remedy: bool,
) -> anyhow::Result<Trust> {
    let judgement = judge(report);
    let (verified, slice_sums, stale) =
        (verified(&report.body), slice_sums(&report.body), stale_texts(&report.body));
    let trust = Trust { verified, slice_sums, damage: None, stale };
    for finding in contradicted_texts(report) {
        warn(&format!("{}; the checksum of the data is OK, so they are used", damage_of(finding)));
    }
    let Some(reason) = judgement.reason() else { return Ok(trust) };
    if matches!(report.body, Body::Unknown) {
        return Err(Failure::invalid(&for_this_command(&reason.message)).into());
    }
    let damage = damage_of(reason);
    if !permission.damaged || !has_remedy {
        let more = match &judgement {
            Judgement::Damaged(findings) if findings.len() > 1 => {
                format!("; `linkstream check` lists {} more", findings.len() - 1)
            }
            _ => String::new(),
        };
        let remedy = match (has_remedy, permission.damaged) {
            (true, _) => "; --damaged reads the input nevertheless",
            (false, true) => "; --damaged does not help",
            (false, false) => "",
        };
        return Err(Failure::invalid(&format!("{damage}{more}{remedy}")).into());
    }
    let name = input_name(name);
    warn(&format!("{name} is damaged: {damage}; it is read because of --damaged"));
    let entry = json!({
        "file": name, "rule": damage.rule, "offset": damage.offset, "message": damage.message,
    });
    DAMAGES.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
    Ok(Trust { damage: Some(damage), ..trust })
}

fn slice_sums(body: &Body) -> Vec<Option<Vec<Sum>>> {
    match body {
        Body::Lime(contents) => contents.fields.iter().map(|field| field.slice_sums.clone()).collect(),
        _ => Vec::new(),
    }
}

/// Surveys a regular file from its start, with these options.
pub fn report_on(file: &File, name: &Path, options: &Options) -> anyhow::Result<Report> {
    let length = file.metadata()?.len();
    survey_file(file.try_clone()?, name, options, &bar(Some(length)))
}

/// Surveys a file whose records or sections are read one by one. It can also be a volume of a set, which is then
/// surveyed on its own. Without `read_data`, data are skipped by seeking. Returns to the start of the file.
pub fn report_on_one(mut file: &File, name: &Path, read_data: bool) -> anyhow::Result<Report> {
    let options = Options { read_data, observables: read_data, ..LENIENT };
    let mut begin = [0; FIRST];
    file.rewind().map_err(Failure::Input)?;
    let n = filled(&mut file, &mut begin).map_err(Failure::Input)?;
    let report = if is_volume(&begin[..n]) == Some(true) {
        let parts = FileParts::new(file, &bar(Some(file.metadata()?.len())));
        let source =
            VolumeSource { name: name.display().to_string(), number: None, source: Arc::new(&parts) };
        survey(&[source], "", true, &options).map_err(failed)?
    } else {
        report_on(file, name, &options)?
    };
    file.rewind().map_err(Failure::Input)?;
    Ok(report)
}

/// Judges a file whose records or sections are read one by one. Returns to its start.
pub fn judged(file: &File, name: &Path, permission: Permission) -> anyhow::Result<Trust> {
    admitted(&report_on_one(file, name, true)?, name, permission)
}

/// Judges a file set by its report with these options.
pub fn judged_set(
    set: &Path,
    volumes: &[(Option<u64>, PathBuf)],
    permission: Permission,
    options: &Options,
) -> anyhow::Result<Trust> {
    let report = survey_set(set, volumes, false, options, &ProgressBar::hidden())?;
    admitted_if(&report, set, permission, has_remedy(&report, None))
}

/// Judges a complete new file before it gets its name, `out`.
pub fn not_wrong(file: &File, out: &Path, asked: Asked) -> anyhow::Result<()> {
    edit_not_wrong(file, out, asked, &[])
}

/// The same for a copy with texts of the caller at these places.
pub fn edit_not_wrong(file: &File, out: &Path, asked: Asked, texts: &[Range<u64>]) -> anyhow::Result<()> {
    let source = FileSource::from(std::fs::File::from(file.try_clone().map_err(Failure::Output)?));
    let judged = judge_edited(&Open::source(Arc::new(source), String::new()), asked, texts);
    let failed = judged.map_err(|fault| match fault {
        NewFault::Io(error) => Failure::Output(error),
        NewFault::Wrong { .. } if asked.copies => Failure::Invalid(fault.into()),
        NewFault::Wrong { .. } => Failure::Refused(fault.into()),
    });
    failed.with_context(|| output_name(out))
}
