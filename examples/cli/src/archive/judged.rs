//! Checks an archive before it is converted: errors stop the conversion, other findings become warnings.

use std::io::Seek as _;

use embedded_io_adapters::std::FromStd;
use linkstream::sniff::Format;
use linkstream_report::archive::{Agreement, Contents};
use linkstream_report::findings::{Finding, Level};
use linkstream_report::options::Options;
use linkstream_report::report::Body;
use linkstream_report::survey::{ByReading, survey};

use crate::failure::{Failure, failed};
use crate::source::bar;
use crate::system::File;

/// Maximum number of warnings printed; `check` lists all.
const MAX_WARNINGS: usize = 10;

/// Reads an archive to its end. Returns its contents and warnings. With `observables`, the figures in its header are
/// compared with those of the links.
pub fn judged(mut file: &File, format: Format, observables: bool) -> anyhow::Result<(Contents, Vec<String>)> {
    let options =
        Options { read_data: true, observables, slices: false, lenient: true, require_checksum: false };
    file.rewind().map_err(Failure::Input)?;
    let length = file.metadata()?.len();
    let source = FromStd::new(bar(Some(length)).wrap_read(file));
    let report = survey::<ByReading, _>(source, None, "", &[0], Some(format), Some(length), &options);
    let report = report.map_err(failed)?;
    let findings = report.findings.as_slice();
    if let Some(error) = findings.iter().find(|found| found.severity == Level::Error) {
        return Err(Failure::invalid(&with_place(error)).into());
    }
    let (Body::Nersc(contents) | Body::Milc(contents)) = report.body else {
        anyhow::bail!("this is neither a NERSC archive nor a MILC file");
    };
    let mut warnings: Vec<String> = findings.iter().take(MAX_WARNINGS).map(with_place).collect();
    if findings.len() > MAX_WARNINGS {
        warnings.push("there are more; `linkstream check` lists them".to_owned());
    }
    if contents.agreement == Some(Agreement::Absent) {
        warnings.push("the archive has no valid checksum, so its data could not be verified".to_owned());
    }
    Ok((contents, warnings))
}

fn with_place(finding: &Finding) -> String {
    format!("at byte {}: {}", finding.offset, finding.message)
}
