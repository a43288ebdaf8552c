//! The list of the contents of a file, and the reader of its events.

use std::io;

use linkstream::inebin;
use linkstream::io::Reader;
use linkstream::lime::Record;
use linkstream::scda;
use linkstream::{Class, Decode, Mode};
use linkstream_memory as memory;

use crate::broken::Broken;
use crate::error::Error;
use crate::field::Field;
use crate::findings::{Finding, Findings};
use crate::source::{MAX_ENTRIES, SharedSource};
use crate::source_reader::SourceReader;

/// Number of bytes read at a time.
const BUFFER: usize = 64 << 10;

/// The source of a file that is listed.
pub(crate) type Shared = SharedSource<'static, io::Error>;

/// A LIME record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordEntry {
    pub record: Record,
    /// The type of the record, which LIME does not require to be text.
    pub record_type: Vec<u8>,
}

/// A section of an scda file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionEntry {
    pub section: scda::Section,
    /// The text of the user about the section.
    pub user: Vec<u8>,
}

/// Contents of a file.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub records: Vec<RecordEntry>,
    pub header: Vec<(String, String)>,
    pub fields: Vec<Field>,
    pub matrix: Option<inebin::Header>,
    pub sections: Vec<SectionEntry>,
    /// Broken rules that lose no data.
    pub warnings: Vec<Finding>,
    /// The rule that a damaged file breaks, so that the rest cannot be listed.
    pub end: Option<Broken>,
}

/// Adds a record or section to the list of a file. `what` is what the list has.
pub(crate) fn add<T>(list: &mut Vec<T>, entry: T, what: &'static str) -> Result<(), Error> {
    if list.len() >= MAX_ENTRIES {
        return Err(Error::TooMany { what, limit: MAX_ENTRIES });
    }
    Ok(memory::push(list, entry)?)
}

/// A reader of a source.
pub(crate) type Events<'r, D> = Reader<SourceReader<'r, io::Error>, &'r mut [u8], D>;

/// Passes each event to `each`, with the reader, which may skip the payload that follows. Returns the findings that
/// `each` has added.
pub(crate) fn for_each_event<D: Decode>(
    source: &Shared,
    decoder: D,
    mut each: impl FnMut(&mut Events<'_, D>, D::Event, &mut Findings) -> Result<(), Error>,
) -> Result<Vec<Finding>, Error> {
    let (mut findings, mut buffer) = (Findings::new(true), vec![0; BUFFER]);
    let mut reader = Reader::new(SourceReader::new(&**source), &mut buffer[..], decoder);
    while let Some(event) = reader.next()? {
        each(&mut reader, event, &mut findings)?;
    }
    Ok(findings.take())
}

/// Refuses surplus bytes of a file whose data have no checksum: they contradict the header, and nothing else states the
/// length of the data.
pub(crate) fn refuse_surplus(listing: &Listing, mode: Mode) -> Result<(), Error> {
    let has_checksum = listing.fields.iter().any(Field::can_be_verified);
    let surplus = listing.warnings.iter().find(|finding| finding.class == Class::Trailing);
    match surplus.filter(|_| !has_checksum && mode != Mode::Survey) {
        Some(finding) => Err(Broken::of(finding, None).into()),
        None => Ok(()),
    }
}
