//! Writes a gauge field as a NERSC archive.

mod figures;
pub(super) mod lines;

use std::cmp::Ordering;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};

use linkstream::conformance;
use linkstream::field::{self, Field};
use linkstream::ildg::{GaugeKind, deviation};
use linkstream::io::FromStd;
use linkstream::io::Reader;
use linkstream::lattice::{ByteOrder, Precision};
use linkstream::nersc::{self, Decoder, Encoder, Event, Header, Verdict, key_and_value};
use linkstream::{Encode as _, Mode};
use linkstream_arithmetic::figures::{FAR, Measured, Observables};

pub use figures::Figures;
pub use lines::Lines;
use linkstream_memory as memory;

use super::error::Error;
use super::fault::Fault;
use super::found::{Found, SEQUENCE_NUMBER, next, pass_over};
use super::input::BUFFER;
use super::lfn::is_update;
use super::observer::{Observer, Warning, Watched};
use super::refusal::Refusal;
use super::user_text::notes;
use super::wish::Rows;
use crate::noted::{NOTE_LINE, Search, can_have_note};

/// Form of an archive to write.
#[derive(Debug, Clone, Copy)]
pub struct ArchiveForm {
    /// The rows that are stored of each link.
    pub rows: Rows,
    /// The byte order of the numbers.
    pub order: ByteOrder,
    /// Maximum distance of an omitted last row from the row computed from the others. `None`: 1e-6 for numbers of 32
    /// bits, 1e-12 for numbers of 64 bits.
    pub tolerance: Option<f64>,
}

/// The parts of an archive that do not follow from its links.
#[derive(Debug, Clone, Default)]
pub struct ArchiveTexts {
    /// Lines of the header.
    pub lines: Lines,
    /// A remark about the input.
    pub note: Option<String>,
    /// True if the data are damaged: such an archive gets no checksum.
    pub is_damaged: bool,
}

/// Size of a piece of the links that is measured at a time, unless a row is longer.
const PIECE: usize = 4 << 20;
/// Space for the header lines that are not copied from the source.
const HEADER_ROOM: usize = 4 << 10;

/// The directions of the links of a site.
const DIRECTIONS: [char; 4] = ['x', 'y', 'z', 't'];

/// Lines that other programs require, with the values for a field without this information.
const USUAL: [(&str, &str); 3] =
    [("ENSEMBLE_ID", "unknown"), ("ENSEMBLE_LABEL", "unknown"), ("SEQUENCE_NUMBER", "0")];

/// Writes the gauge field in a LIME file as a NERSC archive into `out`, which is empty, and reads it back. The links
/// must have all rows, so that the observables in the header belong to the links that are written.
///
/// # Errors
/// The file has no gauge field of SU(N), its links do not fit into an archive, a note says that they were damaged
/// although `texts` do not, or `out` cannot be written. The contents of `out` are then useless.
pub fn write_archive(
    links: &mut (impl Read + Seek),
    form: ArchiveForm,
    texts: &ArchiveTexts,
    out: &mut (impl Read + Write + Seek),
    observer: &mut dyn Observer,
) -> Result<Header, Error> {
    let (field, measured) = measured(links)?;
    let header = header(&field, measured.as_ref(), form)?;
    if !texts.is_damaged {
        refuse_noted(links)?;
        check_unitary(measured.as_ref())?;
    }
    let text = HeaderText {
        // An old note stays with the data, unless there is a new one.
        lines: if texts.note.is_some() {
            texts.lines.clone().without(NOTE_LINE)
        } else {
            texts.lines.clone()
        },
        note: texts.note.clone(),
        has_checksum: !texts.is_damaged,
    };
    let header = copy(links, &field, form, header, &text, out, observer)?;
    read_back(out, &header)?;
    Ok(header)
}

/// The first field of a LIME file and its observables; `None` if they cannot be computed.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "rows of a field that can be measured are not empty, and their sizes have been checked"
)]
fn measured(links: &mut (impl Read + Seek)) -> Result<(Field, Option<Measured>), Error> {
    let field = first_field(links)?;
    let Some(mut observables) = Observables::of(&field, None, false) else { return Ok((field, None)) };
    links.seek(SeekFrom::Start(field.record.payload_offset())).map_err(Error::Temporary)?;
    let row = observables.row_bytes();
    let mut left = field.record.length;
    let mut buffer = memory::unwinding::zeroed((PIECE / row).max(1) * row);
    while left > 0 {
        let n = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let (piece, _) = buffer.split_at_mut(n);
        links.read_exact(piece).map_err(Error::Temporary)?;
        observables.feed(piece);
        left -= n as u64;
    }
    Ok((field, observables.finish()))
}

fn first_field(links: &mut (impl Read + Seek)) -> Result<Field, Error> {
    links.rewind().map_err(Error::Temporary)?;
    let mut buffer = vec![0; BUFFER];
    let mut reader = Reader::new(FromStd(links), &mut buffer[..], field::Decoder::new(Mode::Lenient));
    while let Some(event) = next(&mut reader)? {
        if event == field::Event::Field {
            return reader.decoder().field().copied().ok_or(Refusal::NoLinks.into());
        }
    }
    Err(Refusal::NoLinks.into())
}

/// Refuses a LIME file with a note that the data were damaged. The note can follow the data.
fn refuse_noted(links: &mut (impl Read + Seek)) -> Result<(), Error> {
    links.rewind().map_err(Error::Temporary)?;
    let (mut buffer, mut notes) = (vec![0; BUFFER], Search::default());
    let mut reader = Reader::new(FromStd(links), &mut buffer[..], conformance::Decoder::new(Mode::Survey));
    while let Some(event) = next(&mut reader)? {
        match event {
            conformance::Event::Record(_) => {
                let record_type = reader.decoder().content().record_type();
                notes.record(record_type);
                if !can_have_note(record_type) {
                    pass_over(&mut reader)?;
                }
            }
            conformance::Event::Payload => notes.feed(reader.bytes()),
            _ => {}
        }
        if notes.is_found() {
            let at = reader.decoder().content().lime().record().offset;
            return Err(Error::at_byte(at, Fault::DamageNoted));
        }
    }
    Ok(())
}

/// The header of the archive, without its checksum.
fn header(field: &Field, measured: Option<&Measured>, form: ArchiveForm) -> Result<Header, Refusal> {
    let measured = measured.ok_or(Refusal::NotMeasured)?;
    let links = field.links.ok_or(Refusal::NoLinks)?;
    if (links.links, links.rows, links.parts) != (4, links.columns, 2) || links.columns < 2 {
        return Err(Refusal::NotFourLinks);
    }
    let colors: u8 = links.columns.try_into().unwrap_or(u8::MAX);
    let kind = GaugeKind::su(colors.into()).ok_or(Refusal::NotFourLinks)?;
    let rows = if form.rows.of(kind)? == kind.colors() {
        nersc::StoredRows::Full
    } else {
        nersc::StoredRows::Reduced
    };
    let header = Header::new(field.extents, links.precision, rows, form.order);
    let mut header = header.and_then(|header| header.with_colors(colors)).map_err(Refusal::Header)?;
    let figures = Figures::of_links(measured).ok_or(Refusal::NoFigures)?;
    // An observable has at most 32 bytes.
    header.plaquette = figures.plaquette.as_str().try_into().map_err(|_| Refusal::NoFigures)?;
    header.link_trace = figures.link_trace.as_str().try_into().map_err(|_| Refusal::NoFigures)?;
    Ok(header)
}

/// Refuses links that are far from unitary: `check` would refuse the archive, whose checksum does not prove its data.
fn check_unitary(measured: Option<&Measured>) -> Result<(), Fault> {
    let deviation = measured.map_or(0.0, |measured| measured.max_group_deviation());
    if deviation.partial_cmp(&FAR).is_none_or(Ordering::is_gt) {
        return Err(Fault::NotUnitary { deviation });
    }
    Ok(())
}

/// The header lines in the record XML of the field with this index, where converters from archives store them. The update
/// number of ILDG is another line, unless they have a number. Other texts of the user are left out.
pub fn archive_lines(found: &Found, index: usize, observer: &mut dyn Observer) -> Lines {
    let field = found.fields.get(index);
    let text = field.and_then(|field| field.record_xml.as_deref()).unwrap_or_default();
    let (mut lines, others) = Lines::of_record_xml(&String::from_utf8_lossy(text));
    others.into_iter().for_each(|line| observer.warn(Warning::LineLeftOut(line)));
    found.texts_without_header().into_iter().for_each(|text| observer.warn(text));
    if let Some(note) = notes(text).first().filter(|_| !lines.has(NOTE_LINE)) {
        lines.push(NOTE_LINE, note);
    }
    if let Some(update) = field.and_then(|field| field.update.as_ref()) {
        match lines.text(SEQUENCE_NUMBER) {
            None if is_update(update) => lines.push(SEQUENCE_NUMBER, update),
            Some(number) if number == *update => {}
            _ => observer.warn(Warning::UpdateLeftOut(update.clone())),
        }
    }
    lines
}

/// Writes the header, the links and then the header again with their checksum. Returns the final header.
fn copy(
    links: &mut (impl Read + Seek),
    field: &Field,
    form: ArchiveForm,
    header: Header,
    header_text: &HeaderText,
    out: &mut (impl Write + Seek),
    observer: &mut dyn Observer,
) -> Result<Header, Error> {
    let format = header.link_format(form.order);
    let tolerance = form.tolerance.unwrap_or(match format.precision {
        Precision::F32 => 1e-6,
        Precision::F64 => 1e-12,
    });
    let text = header_text.of(&header)?;
    let mut encoder = Encoder::new(&header, text.len())?;
    let mut sink = BufWriter::with_capacity(BUFFER, &mut *out);
    sink.write_all(&text).map_err(Error::Output)?;
    links.seek(SeekFrom::Start(field.record.payload_offset())).map_err(Error::Temporary)?;
    let stored_links = header.data_length().checked_div(format.length() as u64);
    let data = stored_links.and_then(|stored| stored.checked_mul(format.whole_length() as u64));
    let data = data.ok_or(Refusal::LargeItem)?;
    let mut source = Watched::new(BufReader::with_capacity(BUFFER, links).take(data), observer.phase(data));
    let (mut whole, mut stored) = (vec![0; format.whole_length()], vec![0; format.length()]);
    let kind = GaugeKind::su(format.colors.into()).unwrap_or_default();
    let numbers = usize::from(kind.colors()).pow(2).saturating_mul(2);
    let is_reduced = header.rows() == nersc::StoredRows::Reduced;
    for index in 0..header.extents().sites().checked_mul(4).ok_or(Refusal::LargeItem)? {
        source.read_exact(&mut whole).map_err(Error::Temporary)?;
        if is_reduced {
            let numbers: Vec<f64> =
                (0..numbers).filter_map(|index| format.precision.read(&whole, index)).collect();
            let deviation = deviation(kind, &numbers).unwrap_or(f64::INFINITY);
            // The comparison with NaN must fail, too.
            if deviation.partial_cmp(&tolerance).is_none_or(Ordering::is_gt) {
                let (site, direction) = (header.extents().coordinates(index / 4), index % 4);
                let site = site.map_or_else(Vec::new, |site| site.as_slice().to_vec());
                let direction = DIRECTIONS.get(direction as usize).copied().unwrap_or_default();
                return Err(Fault::Rows { site, direction, deviation, tolerance }.into());
            }
        }
        // Both slices have the length that the format requires.
        let _ = format.from_whole(&whole, &mut stored);
        encoder.put(&stored)?;
        sink.write_all(&stored).map_err(Error::Output)?;
    }
    sink.flush().map_err(Error::Output)?;
    drop(sink);
    let mut header = encoder.final_header()?;
    out.rewind().map_err(Error::Output)?;
    out.write_all(&header_text.of(&header)?).map_err(Error::Output)?;
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
    fn of(&self, header: &Header) -> Result<Vec<u8>, Error> {
        let usual = USUAL.into_iter().chain([("CREATOR", concat!("linkstream ", env!("CARGO_PKG_VERSION")))]);
        let more = usual.filter(|(key, _)| !self.lines.has(key));
        let more: Vec<_> = more.chain(self.note.as_deref().map(|note| (NOTE_LINE, note))).collect();
        let mut text = memory::unwinding::zeroed(self.lines.bytes().saturating_add(HEADER_ROOM));
        let length = header.write(&self.lines.as_slices(), &more, &mut text)?;
        text.truncate(length);
        if !self.has_checksum {
            let lines = text.split_inclusive(|byte| *byte == b'\n');
            let is_checksum = |line: &[u8]| key_and_value(line).is_some_and(|(key, _)| key == b"CHECKSUM");
            let mut others = memory::unwinding::or_end(memory::room(text.len()));
            lines.filter(|line| !is_checksum(line)).for_each(|line| others.extend_from_slice(line));
            text = others;
        }
        Ok(text)
    }
}

/// Reads the written archive back before it gets its name, since copied header lines can break rules.
fn read_back(file: &mut (impl Read + Seek), header: &Header) -> Result<(), Error> {
    file.rewind().map_err(Error::Output)?;
    let mut buffer = vec![0; BUFFER];
    let mut reader = Reader::new(FromStd(file), &mut buffer[..], Decoder::new(Mode::Lenient));
    let mut is_right = false;
    while let Some(event) = reader.next().map_err(|error| Error::ReadBackArchive(error.to_string()))? {
        is_right |= match event {
            Event::Verdict(Verdict::Absent { .. }) => header.checksum.is_none(),
            Event::Verdict(verdict) => verdict.is_match(),
            _ => false,
        };
    }
    if is_right && reader.decoder().header() == Some(header) {
        Ok(())
    } else {
        Err(Error::ReadBackArchive("its data differ".to_owned()))
    }
}
