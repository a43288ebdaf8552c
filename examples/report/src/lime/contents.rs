//! What was found in a LIME file.

use linkstream::conformance::OpenDirection;
use linkstream::field::{Field, Verdict};
use linkstream::lattice::Checksum;
use linkstream::lime::Record;
use linkstream::scidac::PrivateRecord;
use linkstream_arithmetic::WordSum;

use super::recorded::Recorded;
use super::texts::Text;
use super::usqcd::Usqcd;
use crate::figures::Measured;
use crate::verdict::Coverage;
use crate::volumes::SetContents;

/// Of a message with several fields, at most this many records are looked at for each of them.
const MANY: usize = 1000;

/// Everything about a LIME file but what is wrong with it.
#[derive(Debug, Default)]
pub struct Contents {
    pub records: Vec<RecordEntry>,
    pub fields: Vec<FieldEntry>,
    /// The USQCD format, if its documents are those of one.
    pub usqcd: Option<Usqcd>,
    /// The volumes, if it is a set of them.
    pub set: Option<SetContents>,
}

/// One LIME record.
#[derive(Debug)]
pub struct RecordEntry {
    pub record: Record,
    /// Its type, which LIME does not require to be text.
    pub record_type: Vec<u8>,
    /// Its payload if that looks like text; `None` if it does not, holds the data of a field, or was not read.
    pub text: Option<Text>,
}

impl Contents {
    /// How many data records there are, and how many are verified by a checksum.
    pub fn coverage(&self) -> Coverage {
        Coverage::of(self.fields.iter().map(|field| field.verdict.is_some_and(|verdict| verdict.is_match())))
    }

    /// The records whose texts are about a field: those of its message, and all of a file that has no other field.
    pub fn records_about<'c>(
        &'c self,
        field: &FieldEntry,
    ) -> impl Iterator<Item = &'c RecordEntry> + use<'c> {
        let message = field.field.record.message;
        let about = if self.fields.len() == 1 {
            &self.records[..]
        } else {
            let begin = self.records.partition_point(|entry| entry.record.message < message);
            let rest = &self.records[begin..];
            let end = rest.partition_point(|entry| entry.record.message == message);
            &rest[..end.min(MANY)]
        };
        about.iter()
    }

    /// The text of the last record of a type that is about a field, without white space around it. Those in the message
    /// of the field come before others.
    pub fn text_about(&self, field: &FieldEntry, record_type: &str) -> Option<String> {
        let is_beside = |record: &Record| record.message == field.field.record.message;
        let of_type = self.records_about(field).filter(|entry| entry.record_type == record_type.as_bytes());
        let last = of_type.enumerate().max_by_key(|(index, entry)| (is_beside(&entry.record), *index))?.1;
        Some(last.text.as_ref()?.shown().trim().to_owned())
    }
}

/// The data of one record.
#[derive(Debug)]
pub struct FieldEntry {
    pub field: Field,
    /// The SciDAC datatype, or the kind of gauge field.
    pub datatype: Option<String>,
    /// The SciDAC document that describes the data; `None` where an `ildg-format` does.
    pub document: Option<Box<PrivateRecord>>,
    /// `None`: the data were not read to their end.
    pub checksum: Option<Checksum>,
    /// `None`: nothing can be said because the file breaks off.
    pub verdict: Option<Verdict>,
    /// Sums that are stored with the data.
    pub stored: Stored,
    /// Directions with open boundaries; `None` where no `ildg-format` describes the data, or not all were read.
    pub open: Option<Vec<OpenDirection>>,
    /// Of gauge fields, unless they are too large or nothing was asked for.
    pub measured: Option<Measured>,
    /// The sum of words that a NERSC archive has, if a text has it and the data were read to their end.
    pub word_sum: Option<WordSum>,
    /// What texts of the file have about the field.
    pub recorded: Vec<Recorded>,
}

/// The stored sums; QIO leaves them out now and then.
#[derive(Debug, Default, Clone, Copy)]
pub struct Stored {
    pub suma: Option<u32>,
    pub sumb: Option<u32>,
}
