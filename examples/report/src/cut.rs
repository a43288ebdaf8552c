//! The part of a damaged file that can be read nevertheless.

use linkstream::Class;
use linkstream::lime::{Record, padding};

use crate::findings::Level;
use crate::report::{Body, Report};

/// The part of a LIME file with these records that can be read, if `report` says that the file cannot be read to its
/// end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Length of the part.
    pub length: u64,
    /// True if a data record in it is complete.
    pub has_data: bool,
}

impl Cut {
    /// The readable part of a file of `length` bytes. `None` if all of it can be read, or if it is no single LIME file.
    pub fn of(report: &Report, length: u64) -> Option<Self> {
        let Body::Lime(contents) = &report.body else { return None };
        if contents.set.is_some() {
            return None;
        }
        let is_whole = |record: &Record| record.payload_offset().saturating_add(record.length) <= length;
        let last = contents.records_left_out.last.into_iter().flatten();
        let records = contents.records.iter().map(|entry| entry.record).chain(last);
        let whole = records.rev().find(is_whole);
        let end = whole.map_or(0, |record| end_of(&record).min(length));
        let mut findings = report.findings.as_slice().iter();
        let is_cut = |offset: u64| offset >= end;
        findings.find(|found| {
            found.severity == Level::Error && found.rule.starts_with("lime-") && is_cut(found.offset)
        })?;
        let has_data = contents.fields.iter().any(|field| is_whole(&field.field.record));
        Some(Self { length: end, has_data })
    }
}

/// The end of a record with its padding.
fn end_of(record: &Record) -> u64 {
    record.payload_offset().saturating_add(record.length).saturating_add(padding(record.length).into())
}

/// Returns whether the data of a damaged file can be read nevertheless. They cannot if a LIME file with this `cut` has
/// no complete data record, if a matrix is incomplete, or if sites are in no volume of a file set or in several.
pub fn has_remedy(report: &Report, cut: Option<Cut>) -> bool {
    let mut errors = report.findings.as_slice().iter().filter(|found| found.severity == Level::Error);
    match &report.body {
        Body::Inebin(_) => errors.all(|found| found.class != Class::Truncated),
        Body::Lime(contents) if contents.set.is_some() => {
            errors.all(|found| !found.rule.starts_with("volume-"))
        }
        Body::Unknown => false,
        _ => cut.is_none_or(|cut| cut.has_data),
    }
}
