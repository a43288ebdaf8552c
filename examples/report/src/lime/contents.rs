//! The contents of a LIME file, as far as they were found.

use std::ops::RangeBounds;

use linkstream::Error;
use linkstream::conformance::{ErrorKind, OpenDirection};
use linkstream::field::{Field, Verdict};
use linkstream::lattice::Checksum;
use linkstream::lime::Record;
use linkstream::scidac::PrivateRecord;
use linkstream_access::Sum;
use linkstream_access::changed::Changed;
use linkstream_access::write::lattice_links;
use linkstream_arithmetic::WordSum;
use linkstream_memory as memory;

use super::recorded::Recorded;
use super::texts::{Room, Text};
use super::usqcd::Usqcd;
use crate::figures::Measured;
use crate::left_out::{LeftOut, MAX_ENTRIES};
use crate::verdict::Coverage;
use crate::volumes::SetContents;

/// Maximum number of records of a message that are searched for each field, if the message has several fields.
const MANY: usize = 1000;

/// Everything about a LIME file except its findings.
#[derive(Debug, Default)]
pub struct Contents {
    /// At most [`MAX_ENTRIES`](crate::left_out::MAX_ENTRIES).
    pub records: Vec<RecordEntry>,
    pub records_left_out: RecordsLeftOut,
    /// At most [`MAX_FIELDS`](crate::left_out::MAX_FIELDS).
    pub fields: Vec<FieldEntry>,
    pub fields_left_out: LeftOut,
    /// Indices of the records whose payload was read, is no text, and belongs to no field: no checksum covers them.
    pub uncovered: Vec<usize>,
    /// The USQCD format, if the documents of the file belong to one.
    pub usqcd: Option<Usqcd>,
    /// The volumes, if the file is a file set.
    pub set: Option<SetContents>,
}

/// Records that are not in the list of their file.
#[derive(Debug, Default)]
pub struct RecordsLeftOut {
    pub count: u64,
    /// Offset of the first of them.
    pub first: u64,
    /// Number of records that no checksum covers although they are no text.
    pub uncovered: u64,
    /// Number of bytes in these.
    pub uncovered_bytes: u64,
    /// The last two records of the file.
    pub last: [Option<Record>; 2],
}

/// One LIME record.
#[derive(Debug)]
pub struct RecordEntry {
    pub record: Record,
    /// The type of the record, which LIME does not require to be text.
    pub record_type: Vec<u8>,
    /// The payload if it looks like text; `None` if it does not, if it is the data of a field, or if it was not read.
    pub text: Option<Text>,
    /// The payload is the data of a field.
    pub is_field: bool,
}

impl RecordEntry {
    /// Returns whether no checksum covers the payload, if it was read: it is neither text nor the data of a field.
    const fn is_uncovered(&self) -> bool {
        self.text.is_none() && !self.is_field
    }
}

impl Contents {
    /// Returns whether the only field of the file has the datatype of the USQCD Lattice Format, but no `usqcdInfo` with
    /// its plaquette and link trace (QIO 2.3, appendix A.1).
    pub fn lacks_lattice_info(&self) -> bool {
        let [entry] = &self.fields[..] else { return false };
        let is_alone = self.usqcd.is_none() && self.fields_left_out.count == 0;
        let is_named = |document: &&PrivateRecord| document.datatype.as_str().starts_with("USQCD_");
        let document = entry.document.as_deref().filter(is_named);
        is_alone && document.is_some_and(|document| lattice_links(document, &entry.field.extents).is_some())
    }

    /// True if the lists have all records and fields of the file.
    pub const fn lists_all(&self) -> bool {
        self.records_left_out.count == 0 && self.fields_left_out.count == 0
    }

    /// Number of data records, and how many of them are verified by a checksum.
    pub fn coverage(&self) -> Coverage {
        Coverage::of(self.fields.iter().map(FieldEntry::is_verified)).and(self.fields_left_out.coverage)
    }

    /// True for each field that a stored checksum verifies.
    pub fn verified(&self) -> Vec<bool> {
        let LeftOut { coverage, .. } = self.fields_left_out;
        // Only the number of verified fields is known of fields that are not listed.
        let others = std::iter::repeat_n(coverage.is_complete(), coverage.parts);
        self.fields.iter().map(FieldEntry::is_verified).chain(others).collect()
    }

    /// Finds the records that no checksum covers. For a file that has been read to its end.
    pub(super) fn find_uncovered(&mut self) {
        let found = self.records.iter().enumerate().filter(|(_, entry)| entry.is_uncovered());
        self.uncovered = found.map(|(index, _)| index).collect();
    }

    /// Number of records that no checksum covers, and of the bytes in them.
    pub fn uncovered_in_all(&self) -> (u64, u64) {
        let lengths = self.uncovered.iter().filter_map(|index| self.records.get(*index));
        let bytes = lengths.fold(0_u64, |sum, entry| sum.saturating_add(entry.record.length));
        let RecordsLeftOut { uncovered, uncovered_bytes, .. } = self.records_left_out;
        (uncovered.saturating_add(self.uncovered.len() as u64), uncovered_bytes.saturating_add(bytes))
    }

    /// Adds a record. Beyond the limit, those are kept for a while that can be about a field that is yet to be checked:
    /// the first ones of its message, and of the message of the new record.
    pub(super) fn begin_record(&mut self, entry: RecordEntry, room: &mut Room) {
        let tail = self.records.get(MAX_ENTRIES..).unwrap_or_default();
        let message = entry.record.message;
        let until = |message: u64| tail.partition_point(|entry| entry.record.message < message);
        if tail.last().is_some_and(|last| last.record.message == message) {
            if tail.len().saturating_sub(until(message)) >= MANY {
                self.leave_out(self.records.len().saturating_sub(1).., room);
            }
        } else {
            let of_field = self.fields.last().map_or(0, |field| field.field.record.message);
            let (begin, end) = (until(of_field), until(of_field.saturating_add(1)));
            self.leave_out(MAX_ENTRIES.saturating_add(end).., room);
            self.leave_out(MAX_ENTRIES..MAX_ENTRIES.saturating_add(begin), room);
        }
        memory::unwinding::push(&mut self.records, entry);
    }

    /// Counts the records beyond the limit. For a file that has been read to its end.
    pub(super) fn end_records(&mut self, room: &mut Room) {
        self.leave_out(MAX_ENTRIES.., room);
    }

    fn leave_out(&mut self, range: impl RangeBounds<usize>, room: &mut Room) {
        if self.records.len() <= MAX_ENTRIES {
            return;
        }
        for entry in self.records.drain(range) {
            let left_out = &mut self.records_left_out;
            if left_out.count == 0 {
                left_out.first = entry.record.offset;
            }
            left_out.count = left_out.count.saturating_add(1);
            let [_, last] = left_out.last;
            if last.is_none_or(|last| last.offset < entry.record.offset) {
                left_out.last = [last, Some(entry.record)];
            }
            if entry.is_uncovered() {
                left_out.uncovered = left_out.uncovered.saturating_add(1);
                left_out.uncovered_bytes = left_out.uncovered_bytes.saturating_add(entry.record.length);
            }
            room.give_back(entry.text);
        }
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
        Some(self.record_about(field, record_type)?.text.as_ref()?.shown().trim().to_owned())
    }

    /// The record with this text.
    pub(crate) fn record_about(&self, field: &FieldEntry, record_type: &str) -> Option<&RecordEntry> {
        let is_beside = |record: &Record| record.message == field.field.record.message;
        let of_type = self.records_about(field).filter(|entry| entry.record_type == record_type.as_bytes());
        Some(of_type.enumerate().max_by_key(|(index, entry)| (is_beside(&entry.record), *index))?.1)
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
    /// The sum of POSIX of the data, if they were read to their end and an `ildg-format` alone describes them.
    pub cksum: Option<u32>,
    /// The same sum as a record of BQCD has it, which verifies the data.
    pub bqcd: Option<Bqcd>,
    /// The checksum of each time slice, if it was requested and the data were not read in order.
    pub slice_sums: Option<Vec<Sum>>,
    /// Observables of the field that texts of the file record.
    pub recorded: Vec<Recorded>,
    /// Absolute offset of its checksum record, if that has no sums.
    pub sums_absent_at: Option<u64>,
    /// The place that has changed, if the checksum differs and a single change explains it, and the offset of the
    /// finding about the checksum.
    pub changed: Option<(u64, Changed)>,
    /// Links that are unphysical where links must exist.
    pub(super) fault: Option<Error<ErrorKind>>,
}

impl FieldEntry {
    /// Returns whether a stored checksum verifies the data.
    pub fn is_verified(&self) -> bool {
        let by_cksum = self.bqcd.is_some_and(|bqcd| self.cksum == Some(bqcd.sum));
        let is_refuted = matches!(self.verdict, Some(Verdict::Mismatch { .. }));
        self.verdict.is_some_and(|verdict| verdict.is_match()) || by_cksum && !is_refuted
    }
}

/// The sum that BQCD stores for the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bqcd {
    pub sum: u32,
    /// Absolute offset of the text.
    pub offset: u64,
}

/// The stored checksums; QIO sometimes omits them.
#[derive(Debug, Default, Clone, Copy)]
pub struct Stored {
    pub suma: Option<u32>,
    pub sumb: Option<u32>,
}
