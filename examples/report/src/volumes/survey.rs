//! Reads all volumes of a set, and reports what was found as of one file.

use linkstream::Error;
use linkstream::scidac::VolumeFormat;
use linkstream::volume::SiteAccount;

use super::contents::{SetContents, VolumeEntry};
use super::fields;
use super::open::{VolumeSource, open};
use super::open_volume::{OpenVolume, for_each_rank};
use crate::findings::{Finding, Findings};
use crate::lime;
use crate::options::Options;
use crate::reading::SurveyError;
use crate::report::{Body, Report};

/// A bit for each site may take so much memory, or as much as the site lists.
const MAP: u64 = 64 << 20;

/// Surveys a set, or with `alone` one volume by itself. The report is about `name`.
pub fn survey<E: embedded_io::Error + Send>(
    sources: &[VolumeSource<'_, E>],
    name: &str,
    is_alone: bool,
    options: &Options,
) -> Result<Report, SurveyError<E>> {
    let mut set = open(sources, is_alone, options)?;
    let format = set.format();
    count_sites(&mut set.volumes, format, is_alone, &mut set.findings)?;
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

/// Counts the sites of all volumes. One alone is judged by itself.
fn count_sites<E: embedded_io::Error + Send>(
    volumes: &mut [OpenVolume<'_, E>],
    format: Option<VolumeFormat>,
    is_alone: bool,
    findings: &mut Findings,
) -> Result<(), SurveyError<E>> {
    let lattice =
        volumes.first().and_then(|volume| volume.decoder.private_file()).and_then(|file| file.extents());
    let Some(lattice) = lattice else { return Ok(()) };
    let lists: u64 = volumes.iter().map(|volume| volume.entry.sites).sum();
    let needed = SiteAccount::map_length(&lattice);
    let mut map =
        if needed <= MAP.max(lists.saturating_mul(4)) { vec![0; needed as usize] } else { Vec::new() };
    let mut account = match SiteAccount::with_map(&lattice, &mut map) {
        Ok(account) => account,
        Err(_) => SiteAccount::new(&lattice),
    };
    let is_partition = format != Some(VolumeFormat::Multifile);
    for volume in volumes.iter_mut() {
        let Some(list) = volume.decoder.site_list() else { continue };
        account.begin_volume();
        for_each_rank(volume, |rank| account.take(rank))?;
        let width = volume.decoder.entry_width();
        account.end_volume(&list, width, is_partition).for_each(|error| volume.entry.findings.add(&error));
    }
    if !is_alone {
        account.end().iter().for_each(|kind| findings.add(&Error::new(0, *kind)));
    }
    Ok(())
}
