//! Converts a NERSC archive or MILC file to a LIME file as QIO's converter writes it, so that code for LIME files can
//! read it.

use std::io::{self, BufWriter, Read, Seek, SeekFrom};
use std::sync::Arc;

use anyhow::Context as _;
use indicatif::ProgressBar;
use linkstream::field::{Encoder, OutgoingMessage};
use linkstream::ildg::GaugeKind;
use linkstream::io::FieldWriter;
use linkstream::io::FromStd;
use linkstream::lattice::{ByteOrder, Extents};
use linkstream::nersc::LinkFormat;
use linkstream::scidac::PrivateFile;
use linkstream::sniff::Format;
use linkstream_access::archive::Shape;
use linkstream_access::write::{
    ARCHIVE_FILE, Beside, Figures, Lines, NO_TEXT, Planned, SCRATCH, Target, Wish, private_record,
};
use linkstream_access::{self as access, Field, Selection, Verify};
use linkstream_report::archive::{Agreement, Contents};
use linkstream_report::figures::Measured;
use linkstream_report::findings::Finding;
use linkstream_report::report::{Body, Report};
use quick_xml::escape::escape;

use crate::cut::Begin;
use crate::failure::Failure;
use crate::fields::{converted, warn};
use crate::human::one_line;
use crate::judged::Trust;
use crate::output::temporary;
use crate::own_input;
use crate::source::{BUFFER, FileParts, Place, Rereadable};
use crate::system::File;

/// Maximum number of warnings printed; `check` lists all.
const MAX_WARNINGS: usize = 10;

/// The longest date that a SciDAC record can hold.
const MAX_DATE: usize = 64;

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
    let (Body::Nersc(contents) | Body::Milc(contents)) = &report.body else {
        file.rewind().map_err(Failure::Input)?;
        let origin = Origin { trust, ..Origin::default() };
        let file = Begin::new(file, part);
        return Ok(Imported { file, warnings: Vec::new(), origin, links: None });
    };
    let warnings = warnings(&report, &trust);
    let shape = contents.shape.context("there is no header")?;
    let (archive, origin) = match &report.body {
        Body::Nersc(contents) => of_nersc(&file, &shape, contents.measured.as_ref())?,
        _ => of_milc(&shape, contents),
    };
    let format = shape.format(shape.order.unwrap_or(ByteOrder::Big));
    let end = shape.extents.sites().saturating_mul(4 * format.bytes() as u64).saturating_add(shape.data_at);
    let surplus = file.metadata().map_err(Failure::Input)?.len().saturating_sub(end);
    let origin = Origin { trust, surplus, ..origin };
    let verify = if origin.trust.damage.is_some() { Verify::No } else { Verify::Yes };
    let (file, record) = write(&archive, &links(&file, &origin.trust)?, verify)?;
    let file = Begin::new(file, None);
    Ok(Imported { file, warnings, origin, links: Some(Links { record, data_at: shape.data_at }) })
}

/// Warnings about an archive, given its report; none about other files.
pub fn warnings(report: &Report, trust: &Trust) -> Vec<String> {
    let (Body::Nersc(contents) | Body::Milc(contents)) = &report.body else { return Vec::new() };
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
    if contents.agreement == Some(Agreement::Absent) {
        warnings.push("the archive has no valid checksum, so its data could not be verified".to_owned());
    }
    warnings
}

fn with_place(finding: &Finding) -> String {
    format!("at byte {}: {}", finding.offset, finding.message)
}

/// A gauge field from a file other than LIME.
struct Archive {
    extents: Extents,
    format: LinkFormat,
    date: String,
    file_xml: &'static str,
    record_xml: String,
}

impl Archive {
    fn new(shape: &Shape, file_xml: &'static str, record_xml: String) -> Self {
        // The byte order is unknown until the data have been read.
        let format = shape.format(shape.order.unwrap_or(ByteOrder::Big));
        Self { extents: shape.extents, format, date: String::new(), file_xml, record_xml }
    }

    /// Sets the date, if a SciDAC record can hold it.
    fn dated(mut self, date: &str, origin: &mut Origin) -> Self {
        if date.len() <= MAX_DATE && !date.contains(|c: char| c.is_control() || c == '\u{fffd}') {
            date.clone_into(&mut self.date);
        } else {
            let date = one_line(date);
            origin
                .lost
                .push(format!("the date {date} is left out: SciDAC dates are texts of at most 64 bytes"));
        }
        self
    }
}

fn of_nersc(file: &File, shape: &Shape, measured: Option<&Measured>) -> anyhow::Result<(Archive, Origin)> {
    let header = Lines::of_archive(&mut &*file, shape.data_at).map_err(converted)?;
    let (info, replaced) = header.info();
    let lost = replaced.into_iter().map(|name| {
        format!("the header line {name} has bytes that XML cannot hold; the SciDAC record has U+FFFD in their place")
    });
    let mut origin = Origin { lost: lost.collect(), ..Origin::default() };
    let record_xml = if let Some(figures) = Figures::of_archive(&header, measured) {
        // QIO's converter also writes the space after the equals sign.
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><usqcdInfo><version>1.0</version><plaq> {}</plaq>\
             <linktr> {}</linktr><info>{}</info></usqcdInfo>",
            escape(&figures.plaquette),
            escape(&figures.link_trace),
            escape(&info)
        )
    } else {
        // QIO's record XML requires plaquette and link trace (QIO 2.3, appendix A.1).
        NO_TEXT.to_owned()
    };
    let date = header.text("CREATION_DATE").unwrap_or_default();
    let archive = Archive::new(shape, ARCHIVE_FILE, record_xml).dated(&date, &mut origin);
    origin.header = Some(header);
    Ok((archive, origin))
}

fn of_milc(shape: &Shape, contents: &Contents) -> (Archive, Origin) {
    let mut origin = Origin::default();
    let date = contents.header.iter().find(|(key, _)| key == "time_stamp").map_or("", |(_, value)| value);
    let archive = Archive::new(shape, NO_TEXT, NO_TEXT.to_owned()).dated(date, &mut origin);
    (archive, origin)
}

/// The links of an archive, in natural order and with all rows. Damaged ones are read as far as they are there.
fn links(file: &File, trust: &Trust) -> anyhow::Result<Field> {
    let source = FileParts::new(file.try_clone().map_err(Failure::Input)?, &ProgressBar::hidden());
    Ok(open_as_judged(source, trust).map_err(of_links)?.field(0).map_err(of_links)?.clone())
}

/// Opens a file that has been judged. Damaged fields are read as far as they are there.
pub fn open_as_judged(source: FileParts, trust: &Trust) -> Result<access::File, access::Error> {
    if trust.damage.is_none() {
        return access::File::open(Arc::new(source));
    }
    let opened = access::File::open_damaged(Arc::new(source))?;
    if let (Format::Nersc | Format::Milc, [field]) = (opened.format(), opened.fields()) {
        // If the checksum is right nevertheless, it shows the byte order.
        let _ = field.verify();
    }
    Ok(opened)
}

/// Writes a temporary file with SciDAC documents. Returns it with the offset of the record that holds the links.
fn write(archive: &Archive, links: &Field, verify: Verify) -> anyhow::Result<(File, u64)> {
    let file = temporary()?;
    let mut scratch = [0; SCRATCH];
    let sink = FromStd(BufWriter::with_capacity(BUFFER, &file));
    let mut writer = FieldWriter::with_encoder(sink, &mut scratch, Encoder::new());
    let private = PrivateFile::new(&archive.extents);
    writer.message(&OutgoingMessage::file(&private, archive.file_xml.as_bytes())).map_err(of_temporary)?;
    let record = private_record(GaugeKind::SU3, archive.format.precision, 3, 4, &archive.date)?;
    let text = archive.record_xml.clone().into_bytes();
    let planned = Planned { scidac: Some(Beside { record, text }), checksum: true, ..Planned::default() };
    let message = planned.message();
    writer.begin(&message).map_err(of_temporary)?;
    let record = writer.encoder().position() - linkstream::lime::HEADER_LEN as u64;
    let mut refused = None;
    let mut sink = |bytes: &[u8]| {
        writer.data(bytes).map_err(|error| {
            refused = Some(of_temporary(error));
            io::ErrorKind::Other.into()
        })
    };
    let read = links.stream(&Selection::All, ByteOrder::Big, verify, &mut sink);
    if let Some(error) = refused {
        return Err(error);
    }
    // The report has the verdict, which leads to warnings.
    let _ = read.map_err(of_links)?;
    writer.end(&message).map_err(of_temporary)?;
    writer.complete().map_err(of_temporary)?;
    drop(writer);
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
