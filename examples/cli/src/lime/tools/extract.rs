//! `lime_extract_record` (LIME 1.2, section 4), and the same by type: the payload of one record, in constant memory.

use std::io::Write;
use std::path::Path;

use linkstream::lime::{Event, Record};

use super::records::Records;
use crate::failure::{Failure, of_input};
use crate::human::{counted, one_line};
use crate::output::streamed;
use crate::source::BUFFER;

/// Which record.
pub enum Wanted {
    /// Its place, both numbers from 1.
    Number { message: u64, record: u64 },
    /// The first of a type.
    Type(Vec<u8>),
}

impl Wanted {
    fn is(&self, found: &Record, found_type: &[u8]) -> bool {
        match self {
            Self::Number { message, record } => (found.message, found.number) == (*message, *record),
            Self::Type(wanted) => found_type == wanted,
        }
    }

    /// Whether none can come after a record of this message.
    const fn is_before(&self, found: &Record) -> bool {
        matches!(self, Self::Number { message, .. } if *message < found.message)
    }

    /// The error message if there is none, given the number of records in the message and of messages in the file.
    fn missing(&self, records: u64, messages: u64) -> String {
        let counted = |n, one, many| counted(usize::try_from(n).unwrap_or(usize::MAX), one, many);
        match self {
            Self::Number { message, record } if records > 0 => {
                let records = counted(records, "record", "records");
                format!("message {message} has {records}, counted from 1, so no record {record}")
            }
            Self::Number { message, .. } => {
                let messages = counted(messages, "message", "messages");
                format!("the file has {messages}, counted from 1, so no message {message}")
            }
            Self::Type(wanted) => {
                let wanted = one_line(&String::from_utf8_lossy(wanted));
                format!("no record has the type \"{wanted}\"; `linkstream lime contents` lists them")
            }
        }
    }
}

/// Writes the payload of the record that is wanted to `out`, or to standard output (`-`) as it comes.
pub fn extract(file: &Path, wanted: &Wanted, out: &Path, force: bool) -> anyhow::Result<()> {
    streamed(out, force, |sink| pick(file, wanted, sink).map_err(|error| of_input(error, file)))
}

fn pick(file: &Path, wanted: &Wanted, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut buffer = vec![0; BUFFER];
    let mut records = Records::open(file, &mut buffer)?;
    let mut in_message = 0;
    while let Some(event) = records.next()? {
        let Event::Record(record) = event else { continue };
        if wanted.is(&record, records.record_type()) {
            copy(&mut records, out)?;
            return Ok(out.flush().map_err(Failure::Output)?);
        }
        if wanted.is_before(&record) {
            break;
        }
        if matches!(wanted, Wanted::Number { message, .. } if *message == record.message) {
            in_message = record.number;
        }
        records.pass_over()?;
    }
    anyhow::bail!(wanted.missing(in_message, records.record().message))
}

/// The payload of the present record, up to its end: what follows is not wanted.
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
