//! `lime_extract_record` (LIME 1.2, section 4), and a variant that selects by type: writes the payload of one record,
//! in constant memory.

use std::io::Write;
use std::path::Path;

use linkstream::Mode;
use linkstream::lime::{Event, Record};
use linkstream::{ildg, scidac};
use linkstream_report::report::{Body, Report};

use super::records::Records;
use crate::export::{described_at, say};
use crate::failure::{Failure, of_input};
use crate::human::{counted, no_such, one_line};
use crate::judged::{Permission, admitted, judged, report_on_one};
use crate::npy::{Dtype, Header};
use crate::output::streamed;
use crate::source::{BUFFER, rereadable};
use crate::system::File;

/// The selection of a record.
pub enum Wanted {
    /// By its message and its number in the message, both from 1.
    Number { message: u64, record: u64 },
    /// By its type and its number, from 1, among the records of this type.
    Type { name: Vec<u8>, nth: u64 },
}

impl Wanted {
    /// True if the record matches, except for its number: the caller counts the matches.
    fn counts(&self, found: &Record, found_type: &[u8]) -> bool {
        match self {
            Self::Number { message, .. } => *message == found.message,
            Self::Type { name, .. } => found_type == name,
        }
    }

    /// True if the record holds data of a field.
    fn is_data(&self, report: &Report) -> bool {
        let Body::Lime(contents) = &report.body else { return false };
        let mut matches =
            contents.records.iter().filter(|entry| self.counts(&entry.record, &entry.record_type));
        let index = usize::try_from(self.number() - 1).unwrap_or(usize::MAX);
        matches.nth(index).is_some_and(|entry| is_data(&entry.record_type))
    }

    const fn number(&self) -> u64 {
        match self {
            Self::Number { record, .. } => *record,
            Self::Type { nth, .. } => *nth,
        }
    }

    /// True if no later record can match, given one of this message.
    const fn is_before(&self, found: &Record) -> bool {
        matches!(self, Self::Number { message, .. } if *message < found.message)
    }

    /// The error message if no record matches, given the number of matches so far and of messages in the file.
    fn missing(&self, found: u64, messages: u64) -> String {
        let counted = |n, one, many| counted(usize::try_from(n).unwrap_or(usize::MAX), one, many);
        match self {
            Self::Number { message, record } if found > 0 => {
                no_such("record", "records", &format!("message {message}"), found, 1, record)
            }
            Self::Number { message, .. } => no_such("message", "messages", "the file", messages, 1, message),
            Self::Type { name, nth } => {
                let name = one_line(&String::from_utf8_lossy(name));
                if found > 0 {
                    let records = counted(found, "record has", "records have");
                    return format!(
                        "number {nth} does not exist: {records} the type \"{name}\", counted from 1"
                    );
                }
                format!("no record has the type \"{name}\"; `linkstream lime contents` lists them")
            }
        }
    }
}

/// True if records of this type hold data of a field.
fn is_data(record_type: &[u8]) -> bool {
    [scidac::BINARY_DATA, ildg::BINARY_DATA].map(str::as_bytes).contains(&record_type)
}

/// Writes the payload of the selected record to `out`; standard output (`-`) receives it as it is read. For a data
/// record, prints dtype and shape of the data.
pub fn extract(
    path: &Path,
    wanted: &Wanted,
    out: &Path,
    force: bool,
    permission: Permission,
) -> anyhow::Result<()> {
    let mut data = None;
    streamed(out, force, |sink| {
        let mut of_file = || {
            let mut file = rereadable(path)?;
            // Documents are extracted without reading the data, which can be long.
            let report = report_on_one(&file, path, false)?;
            let trust = if wanted.is_data(&report) {
                judged(&file, path, permission)?
            } else {
                admitted(&report, path, permission)?
            };
            let record = pick(file.try_clone()?, trust.mode(), wanted, sink)?;
            anyhow::Ok(record.map(|record| array(&mut file, &record)))
        };
        data = of_file().map_err(|error| of_input(error, path))?;
        Ok(())
    })?;
    data.iter().for_each(say);
    Ok(())
}

/// The data as an array; without a description of the data, an array of bytes.
fn array(file: &mut File, record: &Record) -> Header {
    let described = described_at(file, record.offset);
    described.unwrap_or_else(|| Header::new(Dtype::BYTES, vec![record.length]))
}

/// Writes the payload. Returns the record if it holds the data of a field.
fn pick(file: File, mode: Mode, wanted: &Wanted, out: &mut dyn Write) -> anyhow::Result<Option<Record>> {
    let mut buffer = vec![0; BUFFER];
    let mut records = Records::of_file(file, mode, &mut buffer)?;
    let mut found = 0;
    while let Some(event) = records.next()? {
        let Event::Record(record) = event else { continue };
        if wanted.counts(&record, records.record_type()) {
            found += 1;
            if found == wanted.number() {
                let is_data = is_data(records.record_type());
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
