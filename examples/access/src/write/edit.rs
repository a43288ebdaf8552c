//! Changes of the texts in a LIME file. All other bytes stay what they are, only their places change.

use std::cell::Cell;
use std::io::{self, Write};
use std::ops::Range;

use linkstream::lime::{Header, Record, padding};
use linkstream::{ildg, scidac};
use linkstream_memory as memory;

use super::error::Error;
use super::fault::Fault;
use super::lfn::{Names, check_new_lfn, is_update};
use super::observer::Observer;
use super::refusal::Refusal;
use super::user_text::{add_notes, check_xml};
use crate::file::{File, FileFormat};
use crate::listing::RecordEntry;
use crate::source::{ReadAtError, fill, fill_most};

/// Number of bytes that are copied at a time.
const PIECE: u64 = 1 << 20;

/// The new texts of a file. `None` keeps a text, or its absence.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edits {
    /// Logical file name.
    pub lfn: Option<String>,
    /// Update number of the field.
    pub update: Option<String>,
    /// The user's text about the field.
    pub record_xml: Option<String>,
    /// The user's text about the file.
    pub file_xml: Option<String>,
    /// Number of the field, from 0.
    pub field: usize,
}

/// A record in place of the bytes of a range.
struct Edit {
    from: u64,
    to: u64,
    record_type: &'static str,
    text: Vec<u8>,
    begin: bool,
    end: bool,
}

impl Edit {
    /// The bytes of the record: the header, the text, and its padding.
    fn bytes(&self) -> Result<[Vec<u8>; 3], Error> {
        let size = self.text.len() as u64;
        let header = Header::new(self.record_type.as_bytes(), size, self.begin, self.end);
        let header = header.map_err(|_| Refusal::NoTexts)?.as_bytes().to_vec();
        Ok([header, self.text.clone(), zeros(padding(size).into()).to_vec()])
    }
}

impl Edits {
    fn check(&self) -> Result<(), Error> {
        if let Some(name) = &self.lfn {
            check_new_lfn(name)?;
        }
        [&self.record_xml, &self.file_xml].into_iter().flatten().try_for_each(|text| check_xml(text))?;
        match self.update.as_ref().filter(|update| !is_update(update)) {
            Some(text) => Err(Fault::Update { text: text.clone() }.into()),
            None => Ok(()),
        }
    }

    /// True if the file has these texts already, so that [`edit`] would only copy it.
    ///
    /// # Errors
    /// There is no place for a text, a text is not possible, the file has several logical file names, or it cannot be
    /// read.
    pub fn are_in(&self, file: &File) -> Result<bool, Error> {
        for edit in self.of(file)? {
            let bytes = edit.bytes()?.concat();
            let mut old = vec![0; bytes.len()];
            let read = fill_most(file.source(), edit.from, &mut old).map_err(Error::Input)?;
            if edit.to.saturating_sub(edit.from) != read as u64 || old != bytes {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The edits of an open file, in the order of their places.
    fn of(&self, file: &File) -> Result<Vec<Edit>, Error> {
        self.check()?;
        if file.is_set() || file.format() != FileFormat::Lime {
            return Err(Refusal::NoTexts.into());
        }
        let none = Refusal::NoSuchRecord { number: self.field, count: file.fields().len() };
        let of_field = file.fields().get(self.field).ok_or(none)?;
        let message = of_field.layout().record.message;
        let in_message = |entry: &RecordEntry| entry.record.message == message;
        let records = file.records();
        let is_native = records.first().is_some_and(|entry| is(entry, scidac::PRIVATE_FILE_XML));
        let mut edits = Vec::new();
        if let Some(text) = &self.lfn {
            edits.extend(lfn(file, text, is_native)?);
        }
        let texts = [
            (&self.update, ildg::UPDATE, ildg::FORMAT, Some(message)),
            (&self.record_xml, scidac::RECORD_XML, scidac::PRIVATE_RECORD_XML, Some(message)),
            (&self.file_xml, scidac::FILE_XML, scidac::PRIVATE_FILE_XML, None),
        ];
        for (text, record_type, after, of_message) in texts {
            let Some(text) = text else { continue };
            let entries =
                || (0..).zip(records).filter(|(_, entry)| of_message.is_none() || in_message(entry));
            let old = entries().find(|(_, entry)| is(entry, record_type));
            let edit = match (old, entries().find(|(_, entry)| is(entry, after))) {
                (Some((index, _)), _) => replaced(file, index, record_type, text)?,
                (None, Some((_, after))) => inserted(&after.record, record_type, text.as_bytes().to_vec())?,
                (None, None) => return Err(Refusal::NoPlace(after).into()),
            };
            edits.push(edit);
        }
        // A name follows an update number (ILDG 1.2, section 2.4): both can follow the same record.
        edits.sort_by_key(|edit| (edit.from, edit.record_type == ildg::DATA_LFN));
        Ok(edits)
    }
}

fn is(entry: &RecordEntry, record_type: &str) -> bool {
    entry.record_type == record_type.as_bytes()
}

/// The names: all are replaced, because QIO repeats the name in the message of each data record. Without one, it follows
/// each format of a file that begins as files of QIO do, and is else a message of its own at the end (ILDG 1.2, note 4).
fn lfn(file: &File, text: &str, is_native: bool) -> Result<Vec<Edit>, Error> {
    let of_type = |record_type| (0..).zip(file.records()).filter(move |(_, entry)| is(entry, record_type));
    let mut names = Names::default();
    for (_, name) in file.texts(ildg::DATA_LFN).map_err(unread)? {
        names.add(name.trim());
    }
    if let [one, other, ..] = names.as_slice() {
        return Err(Refusal::SeveralNames(one.clone(), other.clone()).into());
    }
    let old = of_type(ildg::DATA_LFN).map(|(index, _)| replaced(file, index, ildg::DATA_LFN, text));
    let old = old.collect::<Result<Vec<_>, _>>()?;
    if !old.is_empty() {
        return Ok(old);
    }
    if of_type(ildg::FORMAT).next().is_none() {
        return Err(Refusal::NameWithoutFormat.into());
    }
    if is_native {
        return of_type(ildg::FORMAT)
            .map(|(_, entry)| inserted(&entry.record, ildg::DATA_LFN, format!("{text}\0").into_bytes()))
            .collect::<Result<_, _>>();
    }
    let last = file.records().last().filter(|entry| entry.record.end);
    let end = last.map(|entry| end_of(&entry.record)).ok_or(Refusal::NoPlace("end of a message"))?;
    let (from, to, record_type, text) = (end, end, ildg::DATA_LFN, text.as_bytes().to_vec());
    Ok(vec![Edit { from, to, record_type, text, begin: true, end: true }])
}

fn unread(error: crate::Error) -> Error {
    match error {
        crate::Error::Io(error) => Error::Input(error),
        crate::Error::Changed => Error::Changed,
        other => Error::Input(io::Error::other(other)),
    }
}

/// A text in place of another one. It ends with NUL as the old one does, and the notes of the old one stay with the data.
fn replaced(file: &File, index: usize, record_type: &'static str, text: &str) -> Result<Edit, Error> {
    let old = file.payload(index).map_err(unread)?;
    let mut text = text.as_bytes().to_vec();
    if record_type != ildg::DATA_LFN {
        add_notes(&mut text, &old);
    }
    text.extend(old.last().filter(|last| **last == 0));
    let record = file.records().get(index).map(|entry| entry.record).unwrap_or_default();
    let Record { offset: from, begin, end, .. } = record;
    Ok(Edit { from, to: end_of(&record), record_type, text, begin, end })
}

fn inserted(after: &Record, record_type: &'static str, text: Vec<u8>) -> Result<Edit, Error> {
    if after.end {
        // The message ends there, without data: nothing belongs to it.
        return Err(Refusal::NoPlace(record_type).into());
    }
    let from = end_of(after);
    Ok(Edit { from, to: from, record_type, text, begin: false, end: false })
}

/// The first byte after a record and its padding.
fn end_of(record: &Record) -> u64 {
    record.payload_offset().saturating_add(record.length).saturating_add(padding(record.length).into())
}

/// So many bytes of padding.
fn zeros(count: u64) -> &'static [u8] {
    const PADDING: [u8; 7] = [0; 7];
    usize::try_from(count).ok().and_then(|count| PADDING.get(..count)).unwrap_or_default()
}

/// Writes the file with the new texts to `out`, which is empty. Returns the bytes of the new texts in it, in their order.
///
/// # Errors
/// There is no place for a text, a text is not possible, the file has several logical file names, or it cannot be read
/// or written.
pub fn edit(
    file: &File,
    edits: &Edits,
    out: &mut dyn Write,
    observer: &mut dyn Observer,
) -> Result<Vec<Range<u64>>, Error> {
    let length = file.source().length().map_err(Error::Input)?;
    let mut phase = observer.phase(length);
    let written = Cell::new(0_u64);
    let mut write = |bytes: &[u8]| {
        written.set(written.get().saturating_add(bytes.len() as u64));
        out.write_all(bytes).map_err(Error::Output)
    };
    let mut texts = Vec::new();
    let mut done = 0;
    let mut buffer = Vec::new();
    let mut copy = |from: u64, to: u64, write: &mut dyn FnMut(&[u8]) -> Result<(), Error>| {
        let mut at = from;
        while at < to {
            let count = to.saturating_sub(at).min(PIECE);
            memory::resize(&mut buffer, usize::try_from(count).unwrap_or(0))
                .map_err(|short| Error::Input(short.into()))?;
            fill(file.source(), at, &mut buffer).map_err(|error| match error {
                ReadAtError::Io(error) => Error::Input(error),
                ReadAtError::Ended => Error::Changed,
            })?;
            write(&buffer)?;
            at = at.saturating_add(count);
            phase.reached(at).map_err(Error::Input)?;
        }
        Ok::<(), Error>(())
    };
    for edit in edits.of(file)? {
        copy(done, edit.from, &mut write)?;
        // The last record need not be padded.
        let missing = edit.from.saturating_sub(length);
        write(zeros(missing))?;
        let [header, text, padding] = edit.bytes()?;
        write(&header)?;
        texts.push(written.get()..written.get().saturating_add(text.len() as u64));
        write(&text)?;
        write(&padding)?;
        done = edit.to;
    }
    let end = if texts.is_empty() { length } else { end_without_padding(file, length)? };
    copy(done.min(end), end, &mut write)?;
    Ok(texts)
}

/// The end of the last record, or of what follows it. Zeros up to the end of a block are left out: the new file has another
/// length, so that they would end elsewhere.
fn end_without_padding(file: &File, length: u64) -> Result<u64, Error> {
    let end = file.records().last().map_or(length, |last| end_of(&last.record).min(length));
    let mut zeros = vec![0; usize::try_from(length.saturating_sub(end).min(PIECE)).unwrap_or(0)];
    let mut at = end;
    while at < length {
        zeros.truncate(usize::try_from(length.saturating_sub(at)).unwrap_or(usize::MAX));
        fill(file.source(), at, &mut zeros).map_err(|error| match error {
            ReadAtError::Io(error) => Error::Input(error),
            ReadAtError::Ended => Error::Changed,
        })?;
        if zeros.iter().any(|byte| *byte != 0) {
            return Ok(length);
        }
        at = at.saturating_add(zeros.len() as u64);
    }
    Ok(end)
}
