//! Converts a NERSC archive or MILC file to a LIME file as QIO's converter writes it, so that code for LIME files can
//! read it.

use std::io::{self, BufWriter, Read, Seek, SeekFrom};
use std::sync::Arc;

use indicatif::ProgressBar;
use linkstream_access::write::{Lines, Target, Wish};
use linkstream_access::{self as access, Field, FileFormat, Verify};
use linkstream_report::archive::{Agreement, AsLime, HeaderError, WritingError};
use linkstream_report::findings::Finding;
use linkstream_report::report::{Body, Report};

use crate::cut::Begin;
use crate::failure::Failure;
use crate::fields::{converted, warn};
use crate::judged::Trust;
use crate::output::temporary;
use crate::own_input;
use crate::source::{BUFFER, FileParts, Place, Rereadable};
use crate::system::File;

/// Maximum number of warnings printed; `check` lists all.
const MAX_WARNINGS: usize = 10;

/// A file in LIME form.
pub struct Imported {
    file: Begin,
    /// Warnings about the archive.
    pub warnings: Vec<String>,
    pub origin: Origin,
    /// The position of the links, if the file was an archive.
    links: Option<Links>,
}

/// Offsets of the links.
struct Links {
    /// Offset of their record in the LIME file.
    record: u64,
    /// Offset of the links in the archive.
    data_at: u64,
}

impl Read for Imported {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.file.read(out)
    }
}

impl Seek for Imported {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Places in the temporary LIME file are reported as places in the archive: the documents were made from its header,
/// the data from its links.
impl Rereadable for Imported {
    fn place(&self, at: u64) -> Place {
        Place::byte(match &self.links {
            None => at,
            Some(links) if at < links.record => 0,
            Some(links) => links.data_at,
        })
    }
}

/// The input of a conversion.
#[derive(Debug, Default)]
pub struct Origin {
    /// Trust in its data.
    pub trust: Trust,
    /// The header, if it is a NERSC archive.
    pub header: Option<Lines>,
    /// Parts of an archive that SciDAC documents cannot hold.
    pub lost: Vec<String>,
    /// Number of bytes after the last link of an archive.
    pub surplus: u64,
}

impl Origin {
    /// Warns about the `lost` parts, unless the new file has no SciDAC documents.
    pub fn warn_of_lost(&self, wish: &Wish) {
        if wish.target != Some(Target::Ildg) {
            for what in &self.lost {
                warn(what);
                own_input::left_out(what.clone());
            }
        }
    }
}

/// Returns a LIME file unchanged; an archive is converted to a temporary LIME file with its gauge field: links with all
/// rows, big endian. `part` is the readable part of a LIME file that ends too early. `report` describes
/// `check --lenient` on the file.
pub fn as_lime(mut file: File, report: Report, trust: Trust, part: Option<u64>) -> anyhow::Result<Imported> {
    let archive = AsLime::of(&report, &mut &file).map_err(|error| match error {
        HeaderError::Unreadable(error) => converted(error),
        other => Failure::invalid(&other).into(),
    })?;
    let Some(archive) = archive else {
        file.rewind().map_err(Failure::Input)?;
        let origin = Origin { trust, ..Origin::default() };
        let file = Begin::new(file, part);
        return Ok(Imported { file, warnings: Vec::new(), origin, links: None });
    };
    let warnings = warnings(&report, &trust);
    let verify = if trust.damage.is_some() { Verify::No } else { Verify::Yes };
    let (new, record) = write(&archive, &links(&file, &trust)?, verify)?;
    let AsLime { data_at, end, header, lost, .. } = archive;
    let surplus = file.metadata().map_err(Failure::Input)?.len().saturating_sub(end);
    let origin = Origin { trust, header, lost, surplus };
    let file = Begin::new(new, None);
    Ok(Imported { file, warnings, origin, links: Some(Links { record, data_at }) })
}

/// Warnings about an archive, given its report; none about other files.
pub fn warnings(report: &Report, trust: &Trust) -> Vec<String> {
    let (Body::Nersc(contents) | Body::Milc(contents) | Body::OpenQcd(contents)) = &report.body else {
        return Vec::new();
    };
    // The damage that is permitted has been reported already.
    let is_new = |finding: &&Finding| {
        let damage = trust.damage.as_ref();
        damage.is_none_or(|damage| (damage.rule, damage.offset) != (finding.rule, finding.offset))
    };
    let findings: Vec<_> = report.findings.as_slice().iter().filter(is_new).collect();
    let mut warnings: Vec<String> =
        findings.iter().take(MAX_WARNINGS).map(|finding| with_place(finding)).collect();
    if findings.len() > MAX_WARNINGS {
        warnings.push("there are more; `linkstream check` lists them".to_owned());
    }
    let has_site_list = contents.shape.is_some_and(|shape| shape.has_site_list);
    if contents.agreement == Some(Agreement::Match) && has_site_list {
        warnings.push(
            "the checksum does not include the site list, so where the links belong could not be verified"
                .to_owned(),
        );
    }
    // Damaged links do not have it.
    if matches!(report.body, Body::OpenQcd(_)) && trust.damage.is_none() {
        warnings.push(
            "openQCD has no checksum: the links have the plaquette of the header, but are not verified otherwise".to_owned(),
        );
    } else if contents.agreement == Some(Agreement::Absent) && !matches!(report.body, Body::OpenQcd(_)) {
        warnings.push("the archive has no valid checksum, so its data could not be verified".to_owned());
    }
    warnings
}

fn with_place(finding: &Finding) -> String {
    format!("at byte {}: {}", finding.offset, finding.message)
}

/// The links of an archive, in natural order and with all rows. Damaged ones are read as far as they are there.
fn links(file: &File, trust: &Trust) -> anyhow::Result<Field> {
    let source = FileParts::new(file.try_clone().map_err(Failure::Input)?, &ProgressBar::hidden());
    Ok(open_as_judged(source, trust).map_err(of_links)?.field(0).map_err(of_links)?.clone())
}

/// Opens a file that has been checked. Damaged fields are read as far as they are there.
pub fn open_as_judged(source: FileParts, trust: &Trust) -> Result<access::File, access::Error> {
    if trust.damage.is_none() {
        return access::File::open(Arc::new(source));
    }
    let opened = access::File::open_damaged(Arc::new(source))?;
    if let (FileFormat::Nersc | FileFormat::Milc, [field]) = (opened.format(), opened.fields()) {
        // If the checksum is right nevertheless, it shows the byte order.
        let _ = field.verify();
    }
    Ok(opened)
}

/// Writes a temporary file with SciDAC documents. Returns it with the offset of the record that holds the links.
fn write(archive: &AsLime, links: &Field, verify: Verify) -> anyhow::Result<(File, u64)> {
    let file = temporary()?;
    let sink = BufWriter::with_capacity(BUFFER, &file);
    let mut record = 0;
    let written = archive.write(links, verify, sink, |data| {
        record = data.start - linkstream::lime::HEADER_LEN as u64;
    });
    written.map_err(|error| match error {
        WritingError::Refused(refusal) => refusal.into(),
        WritingError::Links(error) => of_links(error).into(),
        WritingError::Sink(error) => of_temporary(error),
    })?;
    Ok((file, record))
}

/// An error of reading the links.
pub fn of_links(error: access::Error) -> Failure {
    match error {
        access::Error::Changed => {
            Failure::invalid(&"the file ends inside the data, which cannot be completed")
        }
        other => other.into(),
    }
}

/// Maps errors of the writer's sink to errors of the temporary file.
fn of_temporary(error: impl Into<Failure>) -> anyhow::Error {
    match error.into() {
        Failure::Output(error) => Failure::Temporary(error).into(),
        other => other.into(),
    }
}
