//! The documents of a file, as the rank that reads them finds them.

use linkstream::field::LinkLayout;
use linkstream::ildg::{self, Format};
use linkstream::lattice::Extents;
use linkstream::lime::Record;
use linkstream::scidac::{self, PrivateFile, PrivateRecord, StoredChecksum};
use linkstream_memory::{self as memory, Short};

use crate::code::{
    BAD_XML, ERR_BAD_READ_BYTES, ERR_CHECKSUM_INFO, ERR_FILE_INFO, ERR_OPEN_READ, ERR_PRIVATE_FILE_INFO,
    ERR_PRIVATE_REC_INFO, ERR_REC_INFO,
};
use crate::cursor::{Bytes, Cursor};
use crate::parts::Parts;
use crate::record_info::RecordInfo;
use crate::stop::Stop;

/// Replacement of the user's file document if a file has none.
pub const ALIEN_FILE: &[u8] = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<NonSciDACFile/>\n";
/// Replacement of the user's record document if a record has none.
pub const ALIEN_RECORD: &[u8] = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<NonSciDACRecord/>\n";

/// Writer of a file.
#[derive(Debug, Clone)]
pub enum Origin {
    /// The first record is a private file document.
    Native(PrivateFile),
    /// A file with an `ildg-format` of another program.
    Alien(Box<Format>),
}

impl Origin {
    /// Reads the document that shows the origin, which begins at this offset.
    ///
    /// # Errors
    /// It is malformed.
    pub fn parse(document: &[u8], is_native: bool, at: u64) -> Result<Self, Stop> {
        if is_native {
            let file = PrivateFile::parse(document);
            return file.map(Self::Native).map_err(|error| Stop::codec(ERR_PRIVATE_FILE_INFO, at, error));
        }
        let format = Format::parse(document);
        format.map(|format| Self::Alien(Box::new(format))).map_err(|error| Stop::codec(BAD_XML, at, error))
    }
}

/// The documents of a logical record, up to its data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// The private document; empty for files of other programs.
    pub private: Vec<u8>,
    /// Offset of its payload.
    pub at: u64,
    /// The user's document; empty for files of other programs.
    pub text: Vec<u8>,
    /// The `ildg-format`; empty if there is none.
    pub format: Vec<u8>,
    /// The logical file name; empty if there is none.
    pub lfn: Vec<u8>,
    /// True if there is an `ildg-update`.
    pub is_update: bool,
}

impl Found {
    /// As bytes, for other ranks.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Short> {
        let at = self.at.to_le_bytes();
        Parts::join(&[&self.private, &at, &self.text, &self.format, &self.lfn, &[u8::from(self.is_update)]])
    }

    /// The documents in bytes of another rank.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut parts = Parts::new(bytes);
        let mut next = || parts.next().map(memory::unwinding::copied);
        let (private, at, text, format, lfn) = (next()?, next()?, next()?, next()?, next()?);
        let at = u64::from_le_bytes(at.try_into().ok()?);
        Some(Self { private, at, text, format, lfn, is_update: next()? == [1] })
    }
}

/// The bytes of a text up to its zero byte.
#[must_use]
pub fn trimmed(text: &[u8]) -> &[u8] {
    &text[..text.iter().position(|byte| *byte == 0).unwrap_or(text.len())]
}

/// True for the types of records with data.
#[must_use]
pub fn is_data(record_type: &[u8]) -> bool {
    [scidac::BINARY_DATA, ildg::BINARY_DATA].iter().any(|name| name.as_bytes() == record_type)
}

/// Reads the start of a file.
///
/// # Errors
/// It is neither a SciDAC file nor one with an `ildg-format`, or damaged.
pub fn origin(cursor: &mut Cursor, io: &mut dyn Bytes) -> Result<(Origin, Vec<u8>), Stop> {
    let first = cursor.peek(io)?.ok_or_else(|| Stop::file(ERR_OPEN_READ, 0, "the file is empty"))?;
    if cursor.record_type() == scidac::PRIVATE_FILE_XML.as_bytes() {
        let document = cursor.take(io)?;
        return Ok((Origin::parse(&document, true, first.payload_offset())?, document));
    }
    while let Some(record) = cursor.peek(io)? {
        if cursor.record_type() == ildg::FORMAT.as_bytes() {
            let document = cursor.take(io)?;
            cursor.go_to(0);
            return Ok((Origin::parse(&document, false, record.payload_offset())?, document));
        }
        cursor.skip(io)?;
    }
    Err(Stop::file(
        ERR_OPEN_READ,
        0,
        "the file has neither a scidac-private-file-xml at its start nor an ildg-format",
    ))
}

/// Goes to the site list of a volume, which is the next record but for the file documents, and returns it.
///
/// # Errors
/// There is none, or the file is damaged.
pub fn site_list(cursor: &mut Cursor, io: &mut dyn Bytes) -> Result<Vec<u8>, Stop> {
    while let Some(record) = cursor.peek(io)? {
        if cursor.record_type() == scidac::SITELIST.as_bytes() {
            return cursor.take(io);
        }
        if is_data(cursor.record_type()) || cursor.record_type() == scidac::PRIVATE_RECORD_XML.as_bytes() {
            let message = "the volume has no scidac-sitelist before its data";
            return Err(Stop::file(crate::code::ERR_BAD_SITELIST, record.offset, message));
        }
        cursor.skip(io)?;
    }
    Err(Stop::file(crate::code::ERR_BAD_SITELIST, cursor.position(), "the volume has no scidac-sitelist"))
}

/// The user's document of the file.
///
/// # Errors
/// There is none before the first record, or the file is damaged.
pub fn file_text(cursor: &mut Cursor, io: &mut dyn Bytes) -> Result<Vec<u8>, Stop> {
    while cursor.peek(io)?.is_some() {
        let record_type = cursor.record_type();
        if record_type == scidac::FILE_XML.as_bytes() {
            return cursor.take(io);
        }
        if is_data(record_type) || record_type == scidac::PRIVATE_RECORD_XML.as_bytes() {
            break;
        }
        cursor.skip(io)?;
    }
    // QIO writes one even for an empty text: the type of the record was damaged.
    Err(Stop::file(
        ERR_FILE_INFO,
        cursor.position(),
        "the file has no scidac-file-xml before its first record",
    ))
}

/// Reads the documents of the next logical record; its data are the next record then. `None` at the end of the file.
///
/// # Errors
/// The file is damaged, or a document is missing.
pub fn documents(cursor: &mut Cursor, io: &mut dyn Bytes, is_native: bool) -> Result<Option<Found>, Stop> {
    let mut found = Found::default();
    let (mut has_begun, mut has_text) = (false, false);
    while let Some(record) = cursor.peek(io)? {
        // Documents and data are in one message.
        if (has_begun && is_native || !is_native && !found.format.is_empty()) && record.begin {
            return Err(without_data(&record));
        }
        let is_private = cursor.record_type() == scidac::PRIVATE_RECORD_XML.as_bytes();
        if is_data(cursor.record_type()) {
            if is_native && found.private.is_empty() {
                let message = "data without a scidac-private-record-xml";
                return Err(Stop::file(ERR_PRIVATE_REC_INFO, record.offset, message));
            }
            if is_native && !has_text {
                // QIO writes one even for an empty text: the type of the record was damaged.
                let message = "data without a scidac-record-xml";
                return Err(Stop::file(ERR_REC_INFO, record.offset, message));
            }
            if !is_native && found.format.is_empty() {
                return Err(Stop::file(ERR_REC_INFO, record.offset, "data without an ildg-format"));
            }
            return Ok(Some(found));
        }
        if is_native && is_private {
            if !found.private.is_empty() {
                return Err(without_data(&record));
            }
            has_begun = true;
            found.at = record.payload_offset();
            found.private = cursor.take(io)?;
        } else if is_native && cursor.record_type() == scidac::RECORD_XML.as_bytes() {
            (has_begun, has_text) = (true, true);
            found.text = cursor.take(io)?;
        } else if cursor.record_type() == ildg::FORMAT.as_bytes() {
            (found.format, found.at) =
                (cursor.take(io)?, if is_native { found.at } else { record.payload_offset() });
        } else if cursor.record_type() == ildg::DATA_LFN.as_bytes() {
            found.lfn = cursor.take(io)?;
            check_lfn(&found.lfn, &record)?;
        } else if cursor.record_type() == ildg::UPDATE.as_bytes() {
            found.is_update = true;
            cursor.skip(io)?;
        } else if is_native && cursor.record_type() == scidac::PRIVATE_FILE_XML.as_bytes() {
            let message = "a second scidac-private-file-xml: the file was damaged by appending to it";
            return Err(Stop::file(ERR_PRIVATE_FILE_INFO, record.offset, message));
        } else if is_native && cursor.record_type() == scidac::CHECKSUM.as_bytes() {
            return Err(without_data(&record));
        } else {
            cursor.skip(io)?;
        }
    }
    // QIO ends each message: a file that ends inside one was cut off between two records.
    if has_begun || !found.format.is_empty() || is_native && cursor.is_inside_message() {
        let message = "the file ends inside a message";
        return Err(Stop::file(ERR_BAD_READ_BYTES, cursor.position(), message));
    }
    // A name that was appended belongs to the file.
    Ok(None)
}

/// A logical file name is a text of printable characters.
fn check_lfn(lfn: &[u8], record: &Record) -> Result<(), Stop> {
    let name = trimmed(lfn);
    if !name.is_empty() && name.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n')) {
        return Ok(());
    }
    let message = "the logical file name is empty or has characters that are not printable";
    Err(Stop::file(ERR_REC_INFO, record.payload_offset(), message))
}

fn without_data(record: &Record) -> Stop {
    Stop::file(ERR_REC_INFO, record.offset, "the documents of a record are not followed by its data")
}

/// Goes to the next record with data.
///
/// # Errors
/// There is none, or the file is damaged or ends before the end of the data.
pub fn data(cursor: &mut Cursor, io: &mut dyn Bytes) -> Result<Record, Stop> {
    while let Some(record) = cursor.peek(io)? {
        if is_data(cursor.record_type()) {
            // Before any of them are passed to the program.
            cursor.must_have(io, record)?;
            return Ok(record);
        }
        cursor.skip(io)?;
    }
    Err(Stop::file(ERR_BAD_READ_BYTES, cursor.position(), "the volume ends before the data of the record"))
}

/// Passes the rest of a volume, which must have no more data.
///
/// # Errors
/// There are data, or the file is damaged.
pub fn no_data(cursor: &mut Cursor, io: &mut dyn Bytes) -> Result<(), Stop> {
    while let Some(record) = cursor.peek(io)? {
        if is_data(cursor.record_type()) {
            let message = "the volume has more records than the first one, which may be truncated";
            return Err(Stop::file(ERR_BAD_READ_BYTES, record.offset, message));
        }
        cursor.skip(io)?;
    }
    Ok(())
}

/// Passes the rest of the message, and returns the checksum in it; `None` if it has none.
///
/// # Errors
/// The file is damaged before the checksum, the document is malformed, or there is a second checksum, or data after the
/// checksum.
pub fn checksum(cursor: &mut Cursor, io: &mut dyn Bytes) -> Result<Option<StoredChecksum>, Stop> {
    while let Some(record) = cursor.peek_in_message(io)?.filter(|_| !is_data(cursor.record_type())) {
        if cursor.record_type() != scidac::CHECKSUM.as_bytes() {
            cursor.skip(io)?;
            continue;
        }
        let stored = StoredChecksum::parse(&cursor.take(io)?)
            .map_err(|error| Stop::codec(ERR_CHECKSUM_INFO, record.payload_offset(), error))?;
        // The data can be verified now: damage that follows is for the next call to report.
        while let Ok(Some(record)) = cursor.peek_in_message(io) {
            if cursor.record_type() == scidac::CHECKSUM.as_bytes() || is_data(cursor.record_type()) {
                let message = "a second checksum, or data after the checksum, in one message";
                return Err(Stop::file(ERR_CHECKSUM_INFO, record.offset, message));
            }
            if cursor.skip(io).is_err() {
                break;
            }
        }
        return Ok(Some(stored));
    }
    rest(cursor, io)?;
    Ok(None)
}

/// Passes the rest of the present message.
///
/// # Errors
/// The file is damaged.
pub fn rest(cursor: &mut Cursor, io: &mut dyn Bytes) -> Result<(), Stop> {
    while cursor.peek_in_message(io)?.is_some() {
        cursor.skip(io)?;
    }
    Ok(())
}

/// The description of the record that the documents describe.
///
/// # Errors
/// A document is malformed, or they contradict each other.
pub fn info(found: &Found, origin: &Origin, lattice: &Extents) -> Result<RecordInfo, Stop> {
    match origin {
        Origin::Native(_) => {
            let record = PrivateRecord::parse(&found.private)
                .map_err(|error| Stop::codec(ERR_PRIVATE_REC_INFO, found.at, error))?;
            let info = RecordInfo::of_private_record(&record, lattice)?;
            if !found.format.is_empty() {
                let format = parse_format(found)?;
                let differs = format.extents().is_some_and(|extents| extents != *lattice)
                    || format.bytes_per_site() != info.bytes_per_site();
                if differs {
                    let message = "the ildg-format contradicts the scidac-private-record-xml";
                    return Err(Stop::file(ERR_REC_INFO, found.at, message));
                }
            }
            Ok(info)
        }
        Origin::Alien(format) => {
            let format = if found.format.is_empty() { (**format).clone() } else { parse_format(found)? };
            alien_info(&format)
        }
    }
}

fn parse_format(found: &Found) -> Result<Format, Stop> {
    Format::parse(&found.format).map_err(|error| Stop::codec(BAD_XML, found.at, error))
}

/// The description of a gauge field that only an `ildg-format` describes.
fn alien_info(format: &Format) -> Result<RecordInfo, Stop> {
    let kind = format.kind();
    let colors = kind.colors();
    let full = LinkLayout::new(4, colors.into(), colors.into(), format.precision());
    let per_link = full.bytes_per_link().unwrap_or(usize::MAX) as u64;
    if kind.is_real() || format.links_per_site() != 4 || format.bytes_per_site() != 4 * per_link {
        let message = format!("the ildg-format describes links of {kind} that QIO has no datatype for");
        return Err(Stop::file(ERR_REC_INFO, 0, message));
    }
    let letter = if format.precision().size() == 4 { 'F' } else { 'D' };
    let datatype = format!("USQCD_{letter}{colors}_ColorMatrix");
    let mut info = RecordInfo {
        datatype: crate::text::Text::new(datatype.as_bytes()),
        precision: crate::text::Text::new(letter.to_string().as_bytes()),
        colors: i32::from(colors.cast_signed()),
        typesize: i32::try_from(per_link).unwrap_or(0),
        datacount: 4,
        ..RecordInfo::default()
    };
    info.date_now();
    Ok(info)
}
