//! The contents of a LIME file, as far as they were found.

use std::collections::HashSet;

use linkstream::conformance::OpenDirection;
use linkstream::field::{Field, Verdict};
use linkstream::lattice::Checksum;
use linkstream::lime::Record;
use linkstream::scidac::PrivateRecord;
use linkstream_access::Sum;
use linkstream_arithmetic::WordSum;

use super::recorded::Recorded;
use super::texts::Text;
use super::usqcd::Usqcd;
use crate::figures::Measured;
use crate::verdict::Coverage;
use crate::volumes::SetContents;

/// Maximum number of records of a message that are searched for each field, if the message has several fields.
const MANY: usize = 1000;

/// Everything about a LIME file except its findings.
#[derive(Debug, Default)]
pub struct Contents {
    pub records: Vec<RecordEntry>,
    pub fields: Vec<FieldEntry>,
    /// Indices of the records whose payload was read, is no text, and belongs to no field: no checksum covers them.
    pub uncovered: Vec<usize>,
    /// The USQCD format, if the documents of the file belong to one.
    pub usqcd: Option<Usqcd>,
    /// The volumes, if the file is a file set.
    pub set: Option<SetContents>,
}

/// One LIME record.
#[derive(Debug)]
pub struct RecordEntry {
    pub record: Record,
    /// The type of the record, which LIME does not require to be text.
    pub record_type: Vec<u8>,
    /// The payload if it looks like text; `None` if it does not, if it is the data of a field, or if it was not read.
    pub text: Option<Text>,
}

impl Contents {
    /// Number of data records, and how many of them are verified by a checksum.
    pub fn coverage(&self) -> Coverage {
        Coverage::of(self.fields.iter().map(|field| field.verdict.is_some_and(|verdict| verdict.is_match())))
    }

    /// Finds the records that no checksum covers. For a file that has been read to its end.
    pub(super) fn find_uncovered(&mut self) {
        let data: HashSet<u64> = self.fields.iter().map(|entry| entry.field.record.offset).collect();
        let is_other = |entry: &RecordEntry| entry.text.is_none() && !data.contains(&entry.record.offset);
        let found = self.records.iter().enumerate().filter(|(_, entry)| is_other(entry));
        self.uncovered = found.map(|(index, _)| index).collect();
    }

    /// Number of bytes in the records that no checksum covers.
    pub fn uncovered_bytes(&self) -> u64 {
        let lengths = self.uncovered.iter().filter_map(|index| self.records.get(*index));
        lengths.fold(0, |sum, entry| sum.saturating_add(entry.record.length))
    }

    /// The records whose texts are about a field: the records of its message, or all records if the file has no other
    /// field.
    pub(crate) fn records_about<'c>(
        &'c self,
        field: &FieldEntry,
    ) -> impl Iterator<Item = &'c RecordEntry> + use<'c> {
        let message = field.field.record.message;
        let about = if self.fields.len() == 1 {
            &self.records[..]
        } else {
            let begin = self.records.partition_point(|entry| entry.record.message < message);
            let rest = self.records.get(begin..).unwrap_or_default();
            let end = rest.partition_point(|entry| entry.record.message == message);
            rest.get(..end.min(MANY)).unwrap_or_default()
        };
        about.iter()
    }

    /// The text of the last record of a type that is about a field, without white space around it. Records in the
    /// message of the field take precedence.
    pub(crate) fn text_about(&self, field: &FieldEntry, record_type: &str) -> Option<String> {
        let is_beside = |record: &Record| record.message == field.field.record.message;
        let of_type = self.records_about(field).filter(|entry| entry.record_type == record_type.as_bytes());
        let last = of_type.enumerate().max_by_key(|(index, entry)| (is_beside(&entry.record), *index))?.1;
        Some(last.text.as_ref()?.shown().trim().to_owned())
    }
}

/// A field: the data of one record.
#[derive(Debug)]
pub struct FieldEntry {
    pub field: Field,
    /// The SciDAC datatype, or the kind of gauge field.
    pub datatype: Option<String>,
    /// The SciDAC document that describes the data; `None` if an `ildg-format` describes them.
    pub document: Option<Box<PrivateRecord>>,
    /// `None` if the data were not read to their end.
    pub checksum: Option<Checksum>,
    /// `None` if the file ends before the verdict is known.
    pub verdict: Option<Verdict>,
    /// Checksums that are stored with the data.
    pub stored: Stored,
    /// Directions with open boundaries; `None` if no `ildg-format` describes the data, or if not all were read.
    pub open: Option<Vec<OpenDirection>>,
    /// Observables of gauge fields, unless the field is too large or observables were not requested.
    pub measured: Option<Measured>,
    /// The sum of words that NERSC archives use, if a text records it and the data were read to their end.
    pub word_sum: Option<WordSum>,
    /// The checksum of each time slice, if it was requested and the data were not read in order.
    pub slice_sums: Option<Vec<Sum>>,
    /// Observables of the field that texts of the file record.
    pub recorded: Vec<Recorded>,
    /// Absolute offset of its checksum record, if that has no sums.
    pub sums_absent_at: Option<u64>,
}

/// The stored checksums; QIO sometimes omits them.
#[derive(Debug, Default, Clone, Copy)]
pub struct Stored {
    pub suma: Option<u32>,
    pub sumb: Option<u32>,
}
