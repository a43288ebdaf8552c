//! Reads all volumes of a set, and reports what was found as of one file.

use super::contents::{SetContents, VolumeEntry};
use super::count::count_sites;
use super::fields;
use super::open::{VolumeSource, open};
use crate::findings::{Finding, Findings};
use crate::lime;
use crate::options::Options;
use crate::reading::SurveyError;
use crate::report::{Body, Report};

/// Surveys a set, or with `alone` one volume by itself. The report is about `name`.
pub fn survey<E: embedded_io::Error + Send>(
    sources: &[VolumeSource<'_, E>],
    name: &str,
    is_alone: bool,
    options: &Options,
) -> Result<Report, SurveyError<E>> {
    let mut set = open(sources, is_alone, options)?;
    let format = set.format();
    count_sites(&mut set, is_alone)?;
    set.volumes.sort_by_key(|volume| volume.entry.number);
    if !is_alone {
        let sound = set.is_sound();
        for (index, field) in set.fields.iter().enumerate() {
            let (volumes, contents, findings) = (&mut set.volumes, &mut set.contents, &mut set.findings);
            fields::read(index, field, volumes, sound, options, contents, findings)?;
        }
        lime::compare_recorded(&mut set.contents).into_iter().for_each(|finding| set.findings.push(finding));
    }
    let entries: Vec<VolumeEntry> = set.volumes.into_iter().map(|volume| volume.entry).collect();
    // What is wrong with the set follows from what is wrong with its volumes.
    let mut all = Findings::new(options.lenient);
    for entry in &entries {
        entry.findings.as_slice().iter().for_each(|finding| all.push(in_volume(finding, &entry.file)));
    }
    set.findings.take().into_iter().for_each(|finding| all.push(finding));
    set.contents.set = Some(SetContents { format, volumes: entries, is_alone });
    Ok(Report {
        file: name.to_owned(),
        file_bytes: None,
        bytes: set.bytes,
        body: Body::Lime(set.contents),
        findings: all,
        require_checksum: options.require_checksum,
        readers: Vec::new(),
    })
}

/// The finding with the name of its volume.
fn in_volume(finding: &Finding, file: &str) -> Finding {
    let name = file.rsplit('/').next().unwrap_or(file);
    Finding { message: format!("{name}: {}", finding.message), ..*finding }
}
