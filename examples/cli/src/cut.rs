//! A damaged LIME file up to where its records end: what is before a cut can be read.

use std::io::{self, Read, Seek, SeekFrom};

use linkstream::lime::{Record, padding};
use linkstream_report::findings::Level;
use linkstream_report::report::{Body, Report};

use crate::system::File;

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
        let whole = contents.records.iter().map(|entry| entry.record).rev().find(is_whole);
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

/// A file, or the part of it that can be read.
#[derive(Debug)]
pub struct Begin {
    file: File,
    /// `None` for the whole file.
    length: Option<u64>,
}

impl Begin {
    pub fn new(file: File, length: Option<u64>) -> Self {
        Self { file, length }
    }
}

impl Read for Begin {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let Some(length) = self.length else { return self.file.read(out) };
        let at = self.file.stream_position()?;
        self.file.read(within(at, length, out))
    }
}

impl Seek for Begin {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match (self.length, to) {
            (Some(length), SeekFrom::End(back)) => {
                let at = length.checked_add_signed(back).ok_or(io::ErrorKind::InvalidInput)?;
                self.file.seek(SeekFrom::Start(at))
            }
            _ => self.file.seek(to),
        }
    }
}

/// As much of `out` as can be filled from an offset, if only the first `length` bytes of a file count.
pub fn within(at: u64, length: u64, out: &mut [u8]) -> &mut [u8] {
    let left = usize::try_from(length.saturating_sub(at)).unwrap_or(usize::MAX);
    let wanted = out.len().min(left);
    &mut out[..wanted]
}
