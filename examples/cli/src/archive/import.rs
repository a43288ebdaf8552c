//! A NERSC archive or MILC file made into a LIME file as QIO's converter writes it: what reads LIME files then reads them.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek as _, SeekFrom, Write as _};

use embedded_io_adapters::std::FromStd;
use linkstream::field::{Encoder, OutgoingMessage};
use linkstream::ildg::GaugeKind;
use linkstream::io::{FieldWriter, Reader};
use linkstream::lattice::{Extents, Precision};
use linkstream::milc::{self, HEADER_LEN, SITE_LEN};
use linkstream::nersc::{self, LinkFormat, Rows};
use linkstream::scidac::PrivateFile;
use linkstream::sniff::Format;
use linkstream::{Decode as _, Mode};
use linkstream_report::archive::guessed;
use linkstream_report::identify::identify;
use quick_xml::escape::escape;

use crate::failure::{Failure, failed};
use crate::fields::{Beside, NO_TEXT, Planned, SCRATCH, private_record};
use crate::output::temporary;
use crate::source::{BUFFER, bar};

/// What the LIME file has as text about the file, as QIO's converter writes it.
const FILE_XML: &str =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?><title>Converted NERSC gauge configuration</title>";

/// Sites that are read at a time.
const SITES: usize = 512;

/// The file itself, or, of an archive, a temporary LIME file with its gauge field: links with all rows, big endian. Its
/// checksums are verified.
pub fn as_lime(mut file: File) -> anyhow::Result<File> {
    file.rewind().map_err(Failure::Input)?;
    let (_, format) = identify(&mut FromStd::new(&mut file)).map_err(Failure::Input)?;
    file.rewind().map_err(Failure::Input)?;
    match format {
        Some(Format::Nersc) => of_nersc(file),
        Some(Format::Milc) => of_milc(file),
        _ => Ok(file),
    }
}

/// A gauge field that is outside of LIME.
struct Archive {
    extents: Extents,
    format: LinkFormat,
    date: String,
    file_xml: &'static str,
    record_xml: String,
}

fn of_nersc(mut file: File) -> anyhow::Result<File> {
    let mut buffer = vec![0; BUFFER];
    let source = FromStd::new(bar(Some(file.metadata()?.len())).wrap_read(&file));
    let mut reader = Reader::new(source, &mut buffer, nersc::Decoder::new(Mode::Lenient));
    let (mut info, mut date, mut first) = (String::new(), String::new(), Vec::new());
    let (mut right, mut data_at) = (None, 0);
    while let Some(event) = reader.next().map_err(failed)? {
        match event {
            nersc::Event::Line => {
                let Some((key, value)) = reader.decoder().line() else { continue };
                let (key, value) = (String::from_utf8_lossy(key), String::from_utf8_lossy(value));
                if key == "CREATION_DATE" {
                    date = value.as_ref().to_owned();
                }
                info += &format!("{key} = {value}\n");
            }
            nersc::Event::Header(_) => data_at = reader.decoder().position(),
            nersc::Event::Data if first.len() < SITE_LEN => first.extend_from_slice(reader.bytes()),
            nersc::Event::Verdict(nersc::Verdict::Match(order)) => right = Some(order),
            _ => {}
        }
    }
    let header = *reader.decoder().header().ok_or_else(|| Failure::invalid(&"there is no header"))?;
    let order = right.or(header.order()).unwrap_or_else(|| guessed(&header, &first));
    let or_missing = |text: &str| if text.is_empty() { "missing".to_owned() } else { format!(" {text}") };
    let (plaquette, trace) = (or_missing(&header.plaquette), or_missing(&header.link_trace));
    let archive = Archive {
        extents: *header.extents(),
        format: header.link_format(order),
        date: if date.len() <= 64 { date } else { String::new() },
        file_xml: FILE_XML,
        record_xml: format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><usqcdInfo><version>1.0</version><plaq>{}</plaq><linktr>{}</linktr>\
             <info>{}</info></usqcdInfo>",
            escape(&plaquette),
            escape(&trace),
            escape(&info)
        ),
    };
    file.seek(SeekFrom::Start(data_at)).map_err(Failure::Input)?;
    write(&archive, BufReader::with_capacity(BUFFER, file))
}

fn of_milc(file: File) -> anyhow::Result<File> {
    let mut buffer = vec![0; BUFFER];
    let source = FromStd::new(bar(Some(file.metadata()?.len())).wrap_read(&file));
    let mut reader = Reader::new(source, &mut buffer, milc::Decoder::new(Mode::Lenient));
    while reader.next().map_err(failed)?.is_some() {}
    let header = *reader.decoder().header().ok_or_else(|| Failure::invalid(&"there is no header"))?;
    let archive = Archive {
        extents: *header.extents(),
        format: LinkFormat { precision: Precision::F32, rows: Rows::Three, order: header.order() },
        date: String::from_utf8_lossy(header.time_stamp()).into_owned(),
        file_xml: NO_TEXT,
        record_xml: NO_TEXT.to_owned(),
    };
    let data_at = header.file_length() - header.data_length();
    let mut data = if header.has_site_list() { in_order(&file, &header)? } else { file };
    let start = if header.has_site_list() { 0 } else { data_at };
    data.seek(SeekFrom::Start(start)).map_err(Failure::Input)?;
    write(&archive, BufReader::with_capacity(BUFFER, data))
}

/// The sites of a file with a site list, in natural order. The list and the data are read side by side, each forwards.
fn in_order(file: &File, header: &milc::Header) -> anyhow::Result<File> {
    let mut sorted = temporary()?;
    let (mut ranks, mut data) = (vec![0; 4 * SITES], vec![0; SITE_LEN * SITES]);
    let data_at = header.file_length() - header.data_length();
    let sites = header.extents().sites();
    let mut done = 0;
    while done < sites {
        let count = SITES.min(usize::try_from(sites - done).unwrap_or(SITES));
        let part = |from: u64, bytes: &mut [u8]| -> Result<(), Failure> {
            let mut file = file;
            file.seek(SeekFrom::Start(from)).map_err(Failure::Input)?;
            file.read_exact(bytes).map_err(Failure::Input)
        };
        part(HEADER_LEN as u64 + 4 * done, &mut ranks[..4 * count])?;
        part(data_at + SITE_LEN as u64 * done, &mut data[..SITE_LEN * count])?;
        for (rank, site) in ranks.as_chunks::<4>().0.iter().zip(data.chunks_exact(SITE_LEN)).take(count) {
            let at = u64::from(header.order().u32(*rank)) * SITE_LEN as u64;
            sorted.seek(SeekFrom::Start(at)).map_err(Failure::Temporary)?;
            sorted.write_all(site).map_err(Failure::Temporary)?;
        }
        done += count as u64;
    }
    Ok(sorted)
}

/// Writes a temporary file with SciDAC's documents.
fn write(archive: &Archive, mut data: impl Read) -> anyhow::Result<File> {
    let file = temporary()?;
    let mut scratch = [0; SCRATCH];
    let sink = FromStd::new(BufWriter::with_capacity(BUFFER, &file));
    let mut writer = FieldWriter::new(sink, Encoder::new(), &mut scratch);
    let private = PrivateFile::new(&archive.extents);
    writer.message(&OutgoingMessage::file(&private, archive.file_xml.as_bytes())).map_err(of_temporary)?;
    let record = private_record(GaugeKind::SU3, archive.format.precision, 3, 4, &archive.date)?;
    let text = archive.record_xml.clone().into_bytes();
    let planned = Planned { scidac: Some(Beside { record, text }), ..Planned::default() };
    let message = planned.message();
    writer.begin(&message).map_err(of_temporary)?;
    let mut stored = vec![0; 4 * archive.format.bytes()];
    let mut whole = vec![0; 4 * archive.format.whole_bytes()];
    for _ in 0..archive.extents.sites() {
        data.read_exact(&mut stored).map_err(Failure::Input)?;
        let links = whole.chunks_exact_mut(archive.format.whole_bytes());
        for (stored, link) in stored.chunks_exact(archive.format.bytes()).zip(links) {
            // Both slices are as long as the format says.
            let _ = archive.format.to_whole(stored, link);
        }
        writer.data(&whole).map_err(of_temporary)?;
    }
    writer.end(&message).map_err(of_temporary)?;
    writer.finish().map_err(of_temporary)?;
    drop(writer);
    Ok(file)
}

/// What the writer reports of its sink is the temporary file's.
fn of_temporary(error: impl Into<Failure>) -> anyhow::Error {
    match error.into() {
        Failure::Output(error) => Failure::Temporary(error).into(),
        other => other.into(),
    }
}
