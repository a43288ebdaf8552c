//! Writes a gauge field as a NERSC archive.

use std::cmp::Ordering;
use std::fmt::Display;
use std::io::{BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use anyhow::Context as _;
use embedded_io_adapters::std::FromStd;
use linkstream::field::Field;
use linkstream::ildg::{GaugeKind, deviation};
use linkstream::io::Reader;
use linkstream::lattice::{ByteOrder, Precision};
use linkstream::nersc::{Decoder, Encoder, Event, Header, Rows, Verdict, key_and_value};
use linkstream::{Encode as _, Mode};
use linkstream_access::write::{Fault, Found, Wish, note};
use linkstream_report::figures::FAR;
use linkstream_report::lime::Contents;
use linkstream_report::report::Body;

use super::figures::Figures;
use super::lines::Lines;
use crate::failure::{Failure, failed, not_possible};
use crate::fields::{self, converted, warn, written_to};
use crate::judged::{Permission, report_on};
use crate::output::{of_temporary, temporary};
use crate::source::{BUFFER, bar};
use crate::system::File;
use crate::volumes::{Layout, with_source};

/// How an archive is written.
#[derive(Debug, Clone, Copy)]
pub struct NerscForm {
    pub rows: Rows,
    pub order: ByteOrder,
    /// Maximum distance of an omitted third row from the row computed from the others.
    pub tolerance: Option<f64>,
}

/// Space for the header lines that are not copied from the source.
const HEADER_ROOM: usize = 4 << 10;

/// The directions of the links of a site.
const DIRECTIONS: [char; 4] = ['x', 'y', 'z', 't'];

/// Lines that other programs require, with the values for a field without this information.
const USUAL: [(&str, &str); 3] =
    [("ENSEMBLE_ID", "unknown"), ("ENSEMBLE_LABEL", "unknown"), ("SEQUENCE_NUMBER", "0")];

/// The key of the header line with a note about the input.
const NOTE: &str = "LINKSTREAM_NOTE";

/// Writes the gauge field in `input` as the archive `out`; on an error, nothing is written.
pub fn write_nersc(
    input: &Path,
    layout: &Layout,
    permission: Permission,
    out: &Path,
    force: bool,
    wish: &Wish,
    form: NerscForm,
) -> anyhow::Result<()> {
    written_to(input, out, force, |file| {
        // The links are first converted to all rows in a known byte order, so that the figures in the header are those
        // of the links that are written.
        let links = temporary()?;
        let (lines, note, has_checksum) = with_source(input, layout, permission, |source, origin| {
            let found = fields::make(source, &origin.trust, wish, &links)?;
            let lines = origin.header.clone().unwrap_or_else(|| lines(&found));
            let chosen = wish.field.and_then(|number| number.checked_sub(1));
            let index = chosen.or_else(|| found.fields.iter().position(|field| field.is_gauge_field()));
            Ok((lines, note(&origin.trust, index.unwrap_or(0)), origin.trust.damage.is_none()))
        })?;
        let contents = contents(&links)?;
        let (field, header) = header(&contents, form).map_err(not_possible)?;
        if has_checksum {
            check_unitary(&contents).map_err(not_possible)?;
        }
        let text = HeaderText { lines: lines.without(NOTE), note, has_checksum };
        let header = copy(links, &field, form, header, &text, file)?;
        read_back(file, &header)
    })
}

/// The report of `check` on the file of links.
fn contents(links: &File) -> anyhow::Result<Contents> {
    match report_on(links, Path::new("")).map_err(of_temporary)?.body {
        Body::Lime(contents) => Ok(contents),
        _ => anyhow::bail!("there is no gauge field"),
    }
}

/// The field format of the SU(3) gauge field in the file of links, and the header of its archive.
fn header(contents: &Contents, form: NerscForm) -> anyhow::Result<(Field, Header)> {
    let entry = contents.fields.first().context("there is no gauge field")?;
    let (field, measured) = (&entry.field, entry.measured.as_ref());
    let measured = measured.context("there is no gauge field of SU(3) on four dimensions")?;
    let links = field.links.context("there is no gauge field")?;
    if (links.links, links.rows, links.columns, links.parts) != (4, 3, 3, 2) {
        anyhow::bail!("a NERSC archive has four links of SU(3) at a site");
    }
    let mut header = Header::new(field.extents, links.precision, form.rows, form.order)?;
    let figures = Figures::of_links(measured).context(
        "links hold numbers that are infinite or NaN: the header would have no plaquette or link trace",
    )?;
    header.plaquette = figures.plaquette.as_str().try_into()?;
    header.link_trace = figures.link_trace.as_str().try_into()?;
    Ok((*field, header))
}

/// Refuses links that are far from unitary: `check` would refuse the archive, whose checksum does not prove its data.
fn check_unitary(contents: &Contents) -> anyhow::Result<()> {
    let measured = contents.fields.first().and_then(|entry| entry.measured.as_ref());
    let deviation = measured.map_or(0.0, |measured| measured.max_unitarity_deviation);
    if deviation.partial_cmp(&FAR).is_none_or(Ordering::is_gt) {
        anyhow::bail!(
            "a NERSC archive has links of SU(3), but these deviate from unitarity by up to {deviation:.3e}"
        );
    }
    Ok(())
}

/// The header lines in the record XML, where converters from archives store them.
fn lines(found: &Found) -> Lines {
    let texts = found.fields.iter().filter_map(|field| field.record_xml.as_deref());
    let (lines, others) = Lines::of_record_xml(&texts.map(String::from_utf8_lossy).collect::<String>());
    for line in others {
        warn(&format!(
            "this line of the text of the SciDAC record is left out, as it is not of the form KEY = value: {line}"
        ));
    }
    lines
}

/// Writes the header, the links and then the header again with their checksum. Returns the final header.
fn copy(
    mut links: File,
    field: &Field,
    form: NerscForm,
    header: Header,
    header_text: &HeaderText,
    mut out: &File,
) -> anyhow::Result<Header> {
    let format = header.link_format(form.order);
    let tolerance = form.tolerance.unwrap_or(match format.precision {
        Precision::F32 => 1e-6,
        Precision::F64 => 1e-12,
    });
    let text = header_text.of(&header)?;
    let mut encoder = Encoder::new(&header, text.len())?;
    let mut sink = BufWriter::with_capacity(BUFFER, out);
    sink.write_all(&text).map_err(Failure::Output)?;
    links.seek(SeekFrom::Start(field.record.payload_offset())).map_err(Failure::Temporary)?;
    let data = header.data_length() / format.bytes() as u64 * format.whole_bytes() as u64;
    let mut source = bar(Some(data)).wrap_read(BufReader::with_capacity(BUFFER, links).take(data));
    let (mut whole, mut stored) = (vec![0; format.whole_bytes()], vec![0; format.bytes()]);
    for index in 0..4 * header.extents().sites() {
        source.read_exact(&mut whole).map_err(Failure::Temporary)?;
        if form.rows == Rows::Two {
            let numbers: Vec<f64> =
                (0..18).filter_map(|index| format.precision.read(&whole, index)).collect();
            let deviation = deviation(GaugeKind::SU3, &numbers)?;
            // The comparison with NaN must fail, too.
            if deviation.partial_cmp(&tolerance).is_none_or(Ordering::is_gt) {
                let (site, direction) = (header.extents().coordinates(index / 4), index % 4);
                let site = site.map_or_else(Vec::new, |site| site.as_slice().to_vec());
                let direction = DIRECTIONS.get(direction as usize).copied().unwrap_or_default();
                return Err(converted(Fault::Rows { site, direction, deviation, tolerance }.into()));
            }
        }
        // Both slices have the length that the format requires.
        let _ = format.from_whole(&whole, &mut stored);
        encoder.put(&stored)?;
        sink.write_all(&stored).map_err(Failure::Output)?;
    }
    sink.flush().map_err(Failure::Output)?;
    drop(sink);
    let mut header = encoder.complete()?;
    out.rewind().map_err(Failure::Output)?;
    out.write_all(&header_text.of(&header)?).map_err(Failure::Output)?;
    encoder.finish()?;
    if !header_text.has_checksum {
        header.checksum = None;
    }
    Ok(header)
}

/// The parts of a header that do not follow from the links.
struct HeaderText {
    lines: Lines,
    /// A remark about the input.
    note: Option<String>,
    has_checksum: bool,
}

impl HeaderText {
    /// The text of a header. Its length does not depend on the checksum.
    fn of(&self, header: &Header) -> anyhow::Result<Vec<u8>> {
        let usual = USUAL.into_iter().chain([("CREATOR", concat!("linkstream ", env!("CARGO_PKG_VERSION")))]);
        let more = usual.filter(|(key, _)| !self.lines.has(key));
        let more: Vec<_> = more.chain(self.note.as_deref().map(|note| (NOTE, note))).collect();
        let mut text = vec![0; HEADER_ROOM + self.lines.bytes()];
        let length = header.rewrite(&self.lines.as_slices(), &more, &mut text)?;
        text.truncate(length);
        if !self.has_checksum {
            let lines = text.split_inclusive(|byte| *byte == b'\n');
            let is_checksum = |line: &[u8]| key_and_value(line).is_some_and(|(key, _)| key == b"CHECKSUM");
            text = lines.filter(|line| !is_checksum(line)).collect::<Vec<_>>().concat();
        }
        Ok(text)
    }
}

/// Reads the written archive back before it gets its name, since copied header lines can break rules.
fn read_back(mut file: &File, header: &Header) -> anyhow::Result<()> {
    file.rewind().map_err(Failure::Output)?;
    let mut buffer = vec![0; BUFFER];
    let mut reader = Reader::new(FromStd::new(file), &mut buffer, Decoder::new(Mode::Lenient));
    let mut is_right = false;
    while let Some(event) = reader.next().map_err(|error| disk(&error))? {
        is_right |= match event {
            Event::Verdict(Verdict::Absent(_)) => header.checksum.is_none(),
            Event::Verdict(verdict) => verdict.is_match(),
            _ => false,
        };
    }
    if is_right && reader.decoder().header() == Some(header) { Ok(()) } else { Err(disk(&"its data differ")) }
}

/// An error of the output, whatever the check of the copy reports: the source is not at fault.
fn disk(what: &dyn Display) -> anyhow::Error {
    let said = std::io::Error::other(format!("the written archive does not read back as expected: {what}"));
    failed(Failure::Output(said))
}
