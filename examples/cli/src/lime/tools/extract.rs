//! `lime_extract_record` (LIME 1.2, section 4), and a variant that selects by type: writes the payload of one record,
//! in constant memory.

use std::io::Write;
use std::path::Path;

use linkstream::lime::{Event, Record};
use linkstream::{ildg, scidac};

use super::records::Records;
use crate::export::{described_at, say};
use crate::failure::{Failure, of_input};
use crate::human::{counted, one_line};
use crate::npy::{Dtype, Header};
use crate::output::streamed;
use crate::source::{BUFFER, open};
use crate::system::metadata;

/// The selection of a record.
pub enum Wanted {
    /// By its message and its number in the message, both from 1.
    Number { message: u64, record: u64 },
    /// By its type and its number, from 1, among the records of this type.
    Type { name: Vec<u8>, nth: u64 },
}

impl Wanted {
    /// Whether the record matches, except for its number: the caller counts the matches.
    fn counts(&self, found: &Record, found_type: &[u8]) -> bool {
        match self {
            Self::Number { message, .. } => *message == found.message,
            Self::Type { name, .. } => found_type == name,
        }
    }

    const fn number(&self) -> u64 {
        match self {
            Self::Number { record, .. } => *record,
            Self::Type { nth, .. } => *nth,
        }
    }

    /// Whether no later record can match, given one of this message.
    const fn is_before(&self, found: &Record) -> bool {
        matches!(self, Self::Number { message, .. } if *message < found.message)
    }

    /// The error message if no record matches, given the number of matches so far and of messages in the file.
    fn missing(&self, found: u64, messages: u64) -> String {
        let counted = |n, one, many| counted(usize::try_from(n).unwrap_or(usize::MAX), one, many);
        match self {
            Self::Number { message, record } if found > 0 => {
                let records = counted(found, "record", "records");
                format!("message {message} has {records}, counted from 1, so no record {record}")
            }
            Self::Number { message, .. } => {
                let messages = counted(messages, "message", "messages");
                format!("the file has {messages}, counted from 1, so no message {message}")
            }
            Self::Type { name, nth } => {
                let name = one_line(&String::from_utf8_lossy(name));
                if found > 0 {
                    let records = counted(found, "record has", "records have");
                    return format!(
                        "{records} the type \"{name}\", counted from 1, so there is no number {nth}"
                    );
                }
                format!("no record has the type \"{name}\"; `linkstream lime contents` lists them")
            }
        }
    }
}

/// Writes the payload of the selected record to `out`; standard output (`-`) receives it as it is read. For a data
/// record, prints dtype and shape of the data.
pub fn extract(file: &Path, wanted: &Wanted, out: &Path, force: bool) -> anyhow::Result<()> {
    let mut data = None;
    streamed(out, force, |sink| {
        data = pick(file, wanted, sink).map_err(|error| of_input(error, file))?;
        Ok(())
    })?;
    if let Some(record) = data {
        say(&array(file, &record));
    }
    Ok(())
}

/// The data as an array. Without a file that can be read again, for the description of the data, it is an array of
/// bytes.
fn array(path: &Path, record: &Record) -> Header {
    let is_file = path != Path::new("-") && metadata(path).is_ok_and(|about| about.is_file());
    let file = if is_file { open(path).ok() } else { None };
    let described = file.and_then(|file| described_at(&file, record.offset));
    described.map_or_else(|| Header::new(Dtype::BYTES, vec![record.length]), |record| record.array())
}

/// Writes the payload. Returns the record if it holds the data of a field.
fn pick(file: &Path, wanted: &Wanted, out: &mut dyn Write) -> anyhow::Result<Option<Record>> {
    let mut buffer = vec![0; BUFFER];
    let mut records = Records::open(file, &mut buffer)?;
    let mut found = 0;
    while let Some(event) = records.next()? {
        let Event::Record(record) = event else { continue };
        if wanted.counts(&record, records.record_type()) {
            found += 1;
            if found == wanted.number() {
                let data = [scidac::BINARY_DATA, ildg::BINARY_DATA].map(str::as_bytes);
                let is_data = data.contains(&records.record_type());
                copy(&mut records, out)?;
                out.flush().map_err(Failure::Output)?;
                return Ok(Some(record).filter(|_| is_data));
            }
        }
        if wanted.is_before(&record) {
            break;
        }
        records.pass_over()?;
    }
    anyhow::bail!(wanted.missing(found, records.record().message))
}

/// Copies the payload of the current record and stops at its end, without reading the padding.
fn copy(records: &mut Records<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut left = records.record().length;
    while left > 0 {
        match records.next()? {
            Some(Event::Payload) => {
                out.write_all(records.bytes()).map_err(Failure::Output)?;
                left -= records.bytes().len() as u64;
            }
            Some(_) => {}
            None => anyhow::bail!("the reader ended before the payload"),
        }
    }
    Ok(())
}
