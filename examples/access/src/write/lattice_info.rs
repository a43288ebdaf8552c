//! `usqcdInfo`, the record XML of a gauge field of SU(3) in the USQCD Lattice Format (QIO 2.3, appendix A.1).
//!
//! The document precedes the links whose plaquette and link trace it states. It is therefore written with room for the
//! two numbers, and replaced after the links were measured. White space after the root element takes the rest of the room,
//! so that the length of the record stays the same.

use std::io::{self, Read, Seek, SeekFrom, Write};

use linkstream::Mode;
use linkstream::field::{DescribedBy, Field as Layout, LinkLayout};
use linkstream::io::{FromStd, ReadError, RecordReader};
use linkstream::lattice::{Checksum, Extents, Region};
use linkstream::lime::{self, Record};
use linkstream::scidac::{self, PrivateFile, PrivateRecord};
use linkstream::usqcd::Document;
use linkstream::xml::Spacing;
use linkstream_arithmetic::figures::Observables;
use quick_xml::escape::escape;

use super::document::{NO_TEXT, Planned, precision_of};
use super::error::Error;
use super::input::BUFFER;
use super::nersc::Figures;
use super::refusal::Refusal;
use super::sink::FieldSink;
use super::unitarity::Pieces;

/// Room for a number.
const ROOM: &str = "00000000000000000000000000000000";
/// The longest document that QIO reads and writes (QIO 2.3, appendix A.1), in bytes.
const LONGEST: usize = 1023;
/// The types that describe the links of such a field; `QDP` is the synonym in older files.
const DATATYPES: [&str; 4] =
    ["USQCD_F3_ColorMatrix", "USQCD_D3_ColorMatrix", "QDP_F3_ColorMatrix", "QDP_D3_ColorMatrix"];

/// The links of the record; `None` if it is no gauge field of the USQCD Lattice Format.
pub fn lattice_links(record: &PrivateRecord, lattice: &Extents) -> Option<LinkLayout> {
    let data = record.data();
    let precision = precision_of(data.precision.as_str())?;
    let layout = LinkLayout::new(4, 3, 3, precision);
    let is_whole = record.region(lattice).is_ok_and(|region| region == Region::Lattice);
    let size = layout.bytes_per_link()?;
    (is_whole
        && lattice.dimensions() == 4
        && DATATYPES.contains(&data.datatype.as_str())
        && (data.typesize as usize, data.datacount) == (size, layout.links))
        .then_some(layout)
}

/// The document without its numbers.
///
/// # Errors
/// It would be longer than QIO allows.
pub(super) fn unfilled(title: &str) -> Result<Vec<u8>, Refusal> {
    let mut text = vec![0; LONGEST];
    let escaped = escape(title);
    let document = Document::lattice(ROOM.as_bytes(), ROOM.as_bytes(), escaped.as_bytes());
    let length = document.emit(Spacing::Line, &mut text).map_err(|_| Refusal::LongTitle)?;
    // The terminating NUL.
    text.truncate(length.saturating_sub(1));
    Ok(text)
}

/// The complete text of a record, of the same length; without numbers if they could not be measured.
fn filled(unfilled: &[u8], figures: Option<Figures>) -> Vec<u8> {
    let text = String::from_utf8_lossy(unfilled);
    let mut text = match figures {
        Some(figures) => text.replacen(ROOM, &figures.plaquette, 1).replacen(ROOM, &figures.link_trace, 1),
        None => {
            // Notes follow the document.
            let (_, notes) = text.rsplit_once("</usqcdInfo>").unwrap_or_default();
            format!("{NO_TEXT}{notes}")
        }
    };
    let missing = unfilled.len().saturating_sub(text.len());
    text.extend(std::iter::repeat_n(' ', missing));
    text.into_bytes()
}

/// Passes everything on to another sink, and measures the links of messages whose record XML is still to be filled in.
pub struct Measuring<'s, S> {
    sink: &'s mut S,
    lattice: Option<Extents>,
    /// The links of the current record.
    links: Option<Pieces>,
    /// The complete record XML of each record with SciDAC documents; `None` if it was complete before.
    texts: Vec<Option<Vec<u8>>>,
}

impl<S> std::fmt::Debug for Measuring<'_, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Measuring").field("texts", &self.texts).finish_non_exhaustive()
    }
}

/// The texts that replace others of the same length in a file that was written.
#[derive(Debug, Default)]
pub struct RecordTexts(Vec<Option<Vec<u8>>>);

impl<'s, S: FieldSink> Measuring<'s, S> {
    /// A sink in front of another one.
    pub const fn new(sink: &'s mut S) -> Self {
        Self { sink, lattice: None, links: None, texts: Vec::new() }
    }

    /// The texts for the file.
    pub fn into_texts(self) -> RecordTexts {
        RecordTexts(self.texts)
    }
}

impl<S: FieldSink> FieldSink for Measuring<'_, S> {
    fn file(&mut self, file: &PrivateFile, text: &[u8]) -> Result<(), Error> {
        self.lattice = file.extents();
        self.sink.file(file, text)
    }

    fn begin(&mut self, planned: &Planned) -> Result<u64, Error> {
        self.links = planned.scidac.as_ref().zip(self.lattice).and_then(|(beside, lattice)| {
            let links = lattice_links(&beside.record, &lattice).filter(|_| planned.is_unfilled)?;
            let layout = Layout::with_links(Record::default(), DescribedBy::Scidac, lattice, links);
            Some(Pieces::new(Observables::of(&layout, None, false)?))
        });
        self.sink.begin(planned)
    }

    fn data(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if let Some(links) = &mut self.links {
            links.feed(bytes);
        }
        self.sink.data(bytes)
    }

    fn end(&mut self, planned: &Planned) -> Result<Option<Checksum>, Error> {
        if let Some(beside) = &planned.scidac {
            let measured = self.links.take().and_then(Pieces::finish);
            let figures = || Figures::in_precision(measured.as_ref()?, planned.precision()?);
            self.texts.push(planned.is_unfilled.then(|| filled(&beside.text, figures())));
        }
        self.sink.end(planned)
    }

    fn finish(&mut self) -> Result<(), Error> {
        self.sink.finish()
    }
}

impl RecordTexts {
    /// Adds the texts of the records that follow in the file.
    pub fn append(&mut self, mut more: Self) {
        self.0.append(&mut more.0);
    }

    /// Writes the texts into the file, or into the first volume of the file set, that was written through a
    /// [`Measuring`].
    ///
    /// # Errors
    /// The file cannot be read or written, or has other records.
    pub fn fill(&self, file: &mut (impl Read + Write + Seek)) -> Result<(), Error> {
        if self.0.iter().all(Option::is_none) {
            return Ok(());
        }
        let places = places(file)?;
        // The text that was written has these bytes, and perhaps a terminating NUL.
        let fits = |record: &Record, text: &[u8]| record.length >= text.len() as u64;
        for (index, text) in self.0.iter().enumerate() {
            let Some(text) = text else { continue };
            let record = places.get(index).filter(|record| fits(record, text));
            let record = record.ok_or_else(|| Error::ReadBack("it has other records".to_owned()))?;
            file.seek(SeekFrom::Start(record.payload_offset())).map_err(Error::Output)?;
            file.write_all(text).map_err(Error::Output)?;
        }
        file.flush().map_err(Error::Output)
    }
}

/// The records with the record XML.
fn places(file: &mut (impl Read + Seek)) -> Result<Vec<Record>, Error> {
    let failed = |error: ReadError<io::Error, lime::ErrorKind>| match error {
        ReadError::Io(error) => Error::Output(error),
        other => Error::ReadBack(other.to_string()),
    };
    file.rewind().map_err(Error::Output)?;
    let mut reader =
        RecordReader::with_decoder(FromStd(file), vec![0; BUFFER], lime::Decoder::new(Mode::Lenient));
    let mut places = Vec::new();
    while let Some(record) = reader.next_record().map_err(failed)? {
        if reader.record_type() == scidac::RECORD_XML.as_bytes() {
            places.push(record);
        }
        reader.skip_seeking().map_err(failed)?;
    }
    Ok(places)
}
