//! A NERSC archive or MILC file in the form of the LIME file that QIO's converter makes of it.

use std::io::{self, Read, Seek, Write};
use std::ops::Range;

use linkstream::Encode as _;
use linkstream::field::{EncodeErrorKind, Encoder, OutgoingMessage};
use linkstream::ildg::GaugeKind;
use linkstream::io::{FieldWriter, FromStd, WriteError};
use linkstream::lattice::{ByteOrder, Extents};
use linkstream::nersc::LinkFormat;
use linkstream::scidac::PrivateFile;
use linkstream_access::archive::Shape;
use linkstream_access::text::one_line;
use linkstream_access::write::{
    self, ARCHIVE_FILE, Beside, Figures, Lines, NO_TEXT, Planned, Refusal, SCRATCH,
};
use linkstream_access::{self as access, Field, Selection, Verify};
use quick_xml::escape::escape;

use super::contents::Contents;
use crate::figures::Measured;
use crate::report::{Body, Report};

/// The longest date that a SciDAC record can hold.
const MAX_DATE: usize = 64;

/// The documents of the LIME file, and what they leave out.
#[derive(Debug)]
pub struct AsLime {
    extents: Extents,
    kind: GaugeKind,
    format: LinkFormat,
    date: String,
    file_xml: &'static str,
    record_xml: String,
    /// Offset of the links in the archive.
    pub data_at: u64,
    /// Offset of the byte after the last link.
    pub end: u64,
    /// The header, if it is a NERSC archive.
    pub header: Option<Lines>,
    /// Parts of the archive that SciDAC documents cannot hold.
    pub lost: Vec<String>,
}

/// Reason why there is no such file.
#[derive(Debug, thiserror::Error)]
pub enum HeaderError {
    /// The header of the archive could not be read.
    #[error("there is no header")]
    Missing,
    /// The file has a random-number state of this type.
    #[error("this is a random-number state ({0}), which has no fields")]
    State(String),
    /// The header cannot be read again.
    #[error(transparent)]
    Unreadable(write::Error),
}

/// Reason why the file could not be written.
#[derive(Debug)]
pub enum WritingError {
    /// The documents cannot describe the links.
    Refused(Refusal),
    /// The links cannot be read.
    Links(access::Error),
    /// The file cannot be written.
    Sink(WriteError<io::Error, EncodeErrorKind>),
}

impl AsLime {
    /// The documents for the archive that the report describes; `None` for files of other formats. `source` is the
    /// archive.
    ///
    /// # Errors
    /// There is no header, or it cannot be read again.
    pub fn of(report: &Report, source: &mut (impl Read + Seek)) -> Result<Option<Self>, HeaderError> {
        let (Body::Nersc(contents) | Body::Milc(contents) | Body::OpenQcd(contents)) = &report.body else {
            return Ok(None);
        };
        if let Some(kind) = &contents.state {
            return Err(HeaderError::State(kind.clone()));
        }
        let shape = contents.shape.ok_or(HeaderError::Missing)?;
        Ok(Some(match &report.body {
            Body::Nersc(_) => {
                let header = Lines::of_archive(source, shape.data_at).map_err(HeaderError::Unreadable)?;
                Self::of_nersc(&shape, header, contents.measured.as_ref())
            }
            _ => Self::of_milc(&shape, contents),
        }))
    }

    fn new(shape: &Shape, file_xml: &'static str, record_xml: String) -> Self {
        // The byte order is unknown until the data have been read.
        let format = shape.format(shape.order.unwrap_or(ByteOrder::Big));
        let data = shape.extents.sites().saturating_mul(4).saturating_mul(format.length() as u64);
        Self {
            extents: shape.extents,
            kind: shape.kind(),
            format,
            date: String::new(),
            file_xml,
            record_xml,
            data_at: shape.data_at,
            end: data.saturating_add(shape.data_at),
            header: None,
            lost: Vec::new(),
        }
    }

    fn of_nersc(shape: &Shape, header: Lines, measured: Option<&Measured>) -> Self {
        let (info, replaced) = header.info();
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
        let lost = replaced.into_iter().map(|name| {
            format!("the header line {name} has bytes that XML cannot hold; the SciDAC record has U+FFFD in their place")
        });
        let date = header.text("CREATION_DATE").unwrap_or_default();
        let mut new = Self::new(shape, ARCHIVE_FILE, record_xml);
        new.lost = lost.collect();
        new.header = Some(header);
        new.dated(&date)
    }

    fn of_milc(shape: &Shape, contents: &Contents) -> Self {
        let date = contents.header.iter().find(|(key, _)| key == "time_stamp").map_or("", |(_, value)| value);
        Self::new(shape, NO_TEXT, NO_TEXT.to_owned()).dated(date)
    }

    /// Sets the date, if a SciDAC record can hold it.
    fn dated(mut self, date: &str) -> Self {
        if date.len() <= MAX_DATE && !date.contains(|c: char| c.is_control() || c == '\u{fffd}') {
            date.clone_into(&mut self.date);
        } else {
            let date = one_line(date);
            self.lost
                .push(format!("the date {date} is left out: SciDAC dates are texts of at most 64 bytes"));
        }
        self
    }

    /// Writes the LIME file: links with all rows, big endian. `begun` receives the place of the data in the new file
    /// before the first of them is written.
    ///
    /// # Errors
    /// The links cannot be read, or the file cannot be written.
    pub fn write(
        &self,
        links: &Field,
        verify: Verify,
        sink: impl Write,
        begun: impl FnOnce(Range<u64>),
    ) -> Result<(), WritingError> {
        let mut scratch = [0; SCRATCH];
        let mut writer = FieldWriter::with_encoder(FromStd(sink), &mut scratch, Encoder::new());
        let private = PrivateFile::new(&self.extents);
        let file_message = OutgoingMessage::file(&private, self.file_xml.as_bytes());
        writer.write_message(&file_message).map_err(WritingError::Sink)?;
        let record =
            write::private_record(self.kind, self.format.precision, self.kind.colors().into(), 4, &self.date);
        let (record, text) = (record.map_err(WritingError::Refused)?, self.record_xml.clone().into_bytes());
        let planned = Planned { scidac: Some(Beside { record, text }), checksum: true, ..Planned::default() };
        let message = planned.message();
        writer.begin(&message).map_err(WritingError::Sink)?;
        let start = writer.encoder().position();
        begun(start..start.saturating_add(links.layout().data_length().unwrap_or(0)));
        let mut refused = None;
        let mut put = |bytes: &[u8]| {
            writer.put(bytes).map_err(|error| {
                refused = Some(error.into_failed());
                io::ErrorKind::Other.into()
            })
        };
        let read = links.stream(&Selection::All, ByteOrder::Big, verify, &mut put);
        if let Some(error) = refused {
            return Err(WritingError::Sink(error));
        }
        // The report has the verdict.
        let _ = read.map_err(WritingError::Links)?;
        writer.end(&message).map_err(WritingError::Sink)?;
        writer.complete().map_err(WritingError::Sink)?;
        Ok(())
    }
}
