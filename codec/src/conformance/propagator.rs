//! The USQCD formats: their documents, and the records of propagator files (QIO 2.3, appendix A).

use super::error::Findings;
use crate::error::Error;
use crate::field::{Decoder, DescribedBy, Field};
use crate::lattice::{Precision, Region};
use crate::scidac::PrivateRecord;
use crate::state::saved;
use crate::usqcd::{self, FileType, Label, Role, Root, Scanner, SiteType, Summary};
use crate::xml::{ElementName, Parser};

/// A document that is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Read {
    /// Absolute offset of its text.
    at: u64,
    summary: Summary,
}

saved!(struct Read { at, summary });

/// The sites that data cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sites {
    Lattice,
    TimeSlice,
    Other,
}

/// The properties of a field that the checks need. A whole field would make their stack deeper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Described {
    by: DescribedBy,
    sites: Sites,
}

impl Described {
    pub(super) fn of(field: &Field) -> Self {
        let sites = match &field.region {
            Region::Lattice => Sites::Lattice,
            Region::Hypercube(cube) if cube.time_slice(&field.extents).is_some() => Sites::TimeSlice,
            Region::Hypercube(_) | Region::Global => Sites::Other,
        };
        Self { by: field.described_by, sites }
    }
}

/// The USQCD documents and records of a file, as far as they have been read.
#[derive(Debug, Clone)]
pub(super) struct Propagator {
    /// The text that is being read.
    scanner: Scanner,
    /// The file XML, if it describes a propagator file.
    file: Option<Read>,
    /// The record XML of the current message.
    record: Option<Read>,
    /// The role of the last data record; `None` if it is not part of the format.
    role: Option<Role>,
    /// The role of the last data record that is part of the format.
    last: Option<Role>,
    /// Absolute offset of that record.
    data_at: Option<u64>,
    solutions: Solutions,
}

saved!(struct Propagator { scanner, file, record, role, last, data_at, solutions });

impl Propagator {
    pub(super) const fn new() -> Self {
        Self {
            scanner: Scanner::at(0),
            file: None,
            record: None,
            role: None,
            last: None,
            data_at: None,
            solutions: Solutions::NONE,
        }
    }

    pub(super) fn is_consistent(&self) -> bool {
        let mut read = [self.file, self.record].into_iter().flatten();
        read.all(|read| read.summary.label.is_consistent())
            && self.file.is_none_or(|file| file.summary.root.is_file())
    }

    pub(super) const fn file(&self) -> Option<&Summary> {
        match &self.file {
            Some(file) => Some(&file.summary),
            None => None,
        }
    }

    pub(super) const fn record(&self) -> Option<&Summary> {
        match &self.record {
            Some(record) => Some(&record.summary),
            None => None,
        }
    }

    pub(super) const fn role(&self) -> Option<Role> {
        self.role
    }

    /// A text of the user begins at this offset.
    pub(super) const fn begin_text(&mut self, at: u64) {
        self.scanner = Scanner::at(at);
    }

    /// True if the bytes of the text are read: after a root of another document they are not.
    pub(super) const fn reads_text(&self) -> bool {
        self.scanner.wants_more()
    }

    /// Takes the next byte of the text. Returns the parser that reads it.
    pub(super) fn take_byte(&mut self, byte: u8) -> &Parser {
        self.scanner.push(byte);
        self.scanner.parser()
    }

    /// True if the complete text is a document of USQCD. Its own check then includes that it is well-formed.
    pub(super) fn is_document(&self) -> bool {
        self.scanner.summary().is_some()
    }

    /// Reports the errors of the complete text.
    pub(super) fn text_ends(&self, findings: &mut Findings) {
        // QIO before 2.3.5 described Dirac solutions by `usqcdInfo`.
        let is_solution = self.file.is_some();
        for Error { at, kind, .. } in self.scanner.errors(is_solution) {
            findings.report(at, kind);
        }
    }

    /// The text is the file XML.
    pub(super) fn take_file(&mut self, at: u64) {
        let summary = self.scanner.summary().filter(|summary| summary.root.is_file());
        self.file = self.file.or(summary.map(|summary| Read { at, summary }));
    }

    /// The text is the record XML of the current message.
    pub(super) fn take_record(&mut self, at: u64) {
        self.record = self.scanner.summary().map(|summary| Read { at, summary });
    }

    pub(super) const fn end_message(&mut self) {
        self.record = None;
    }

    /// The type of the file, if it defines roles.
    fn file_type(&self) -> Option<FileType> {
        self.file?.summary.file_type.filter(|file_type| file_type.site_type(Role::Solution).is_some())
    }

    /// The role that the text of the current message describes.
    fn described_role(&self) -> Option<Role> {
        match self.record?.summary.root {
            Root::SourceInfo => Some(Role::Source),
            Root::PropInfo | Root::KsPropInfo | Root::LatticeInfo => Some(Role::Solution),
            Root::PropFile | Root::KsPropFile => None,
        }
    }

    /// The required role of the next data record.
    const fn expected_role(&self, file_type: FileType) -> Role {
        match self.last {
            None => Role::Source,
            Some(Role::Solution) if file_type.solutions().is_none() => Role::Source,
            Some(_) => Role::Solution,
        }
    }

    /// Reports the errors of a data record of a propagator file, or of the gauge field that a `usqcdInfo` describes.
    // Not inlined: its errors would be on the stack in all phases.
    #[inline(never)]
    pub(super) fn data_begins(&self, decoder: &Decoder, data: Described, findings: &mut Findings) {
        let mut report = |at, kind| findings.report(at, kind);
        let (described, origin) = decoder.record_described();
        let document = Some(&described.document).filter(|_| data.by == DescribedBy::Scidac);
        let Some(file_type) = self.file_type() else {
            let is_lattice = self.record.is_some_and(|record| record.summary.root == Root::LatticeInfo);
            if is_lattice && self.file.is_none() && document.is_some_and(|document| !is_gauge_field(document))
            {
                report(origin.at, usqcd::ErrorKind::LatticeDatatype);
            }
            return;
        };
        let at = decoder.lime().record().offset;
        let expected = self.expected_role(file_type);
        let Some(role) = self.described_role() else {
            report(at, usqcd::ErrorKind::Unlabelled(file_type));
            return;
        };
        if role != expected {
            report(at, usqcd::ErrorKind::Order { file_type, expected, found: role });
        }
        if let Some(document) = document {
            describes(file_type, role, document, |kind| report(origin.at, kind));
        }
        let covers_enough = match data.sites {
            Sites::Lattice => true,
            Sites::TimeSlice => role == Role::Source,
            Sites::Other => false,
        };
        if !covers_enough {
            report(origin.at, usqcd::ErrorKind::Region(role));
        }
        if role == Role::Source {
            return;
        }
        if let Some(Read { at, summary }) = self.record {
            if summary.root != file_type.record_root(role) {
                report(at, usqcd::ErrorKind::SolutionRoot { file_type, found: summary.root });
            }
            self.solutions.check_label(file_type, summary.label, |kind| report(at, kind));
        }
        self.solutions.check_number(file_type, |kind| report(at, kind));
    }

    /// A data record at this offset.
    pub(super) fn take_data(&mut self, at: u64) {
        let Some(file_type) = self.file_type() else { return };
        self.role = self.described_role();
        let Some((role, read)) = self.role.zip(self.record) else { return };
        if role == Role::Solution {
            self.solutions.take(file_type, read.summary.label, read.at);
        }
        (self.last, self.data_at) = (Some(role), Some(at));
    }

    /// Reports missing records at the end of the file.
    pub(super) fn file_ends(&self, findings: &mut Findings) {
        let (Some(file_type), Some(file)) = (self.file_type(), self.file) else { return };
        let last_at = self.data_at.unwrap_or(file.at);
        self.solutions.check_end(file_type, |at, kind| {
            findings.report(at.unwrap_or(file.at), kind);
        });
        if file_type.solutions().is_none() && self.last != Some(Role::Solution) {
            findings.report(last_at, usqcd::ErrorKind::Unsolved(file_type));
        }
    }
}

/// True for the datatype of the lattice format; `QDP` is a synonym in older files (QIO 2.3, appendix A.1). The document
/// has three colors; other fields are named after the same pattern.
fn is_gauge_field(document: &PrivateRecord) -> bool {
    let name = document.datatype.as_bytes();
    let name = name.strip_prefix(b"USQCD_").or(name.strip_prefix(b"QDP_"));
    let colors = name.and_then(|name| name.strip_suffix(b"_ColorMatrix"));
    let Some([b'F' | b'D', colors @ ..]) = colors else { return false };
    !colors.is_empty() && colors.iter().all(u8::is_ascii_digit)
}

/// True for a complex field whose name has a number of colors, such as `USQCD_D3_Complex` of CPS.
fn is_complex_of_colors(document: &PrivateRecord) -> bool {
    let named =
        document.datatype.as_bytes().strip_prefix(b"USQCD_").and_then(|name| name.strip_suffix(b"_Complex"));
    let digits = match (named, document.precision.as_bytes()) {
        (Some([b'F', digits @ ..]), b"F") | (Some([b'D', digits @ ..]), b"D") => digits,
        _ => return false,
    };
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

/// Compares the description of a record with the requirements of its role.
fn describes(
    file_type: FileType,
    role: Role,
    document: &PrivateRecord,
    mut report: impl FnMut(usqcd::ErrorKind),
) {
    let Some(site) = file_type.site_type(role) else { return };
    let precision = match document.precision.as_bytes() {
        b"F" => Precision::F32,
        b"D" => Precision::F64,
        _ => return report(usqcd::ErrorKind::Precision(role)),
    };
    let required = site.data(precision);
    for element in document.data().differences(&required) {
        let (expected, found) = match element {
            ElementName::Datatype if is_complex_of_colors(document) && site == SiteType::Complex => {
                report(usqcd::ErrorKind::DatatypeColors(role));
                continue;
            }
            ElementName::Datatype => {
                report(usqcd::ErrorKind::Datatype { role, expected: site });
                continue;
            }
            ElementName::Colors => (required.colors, document.colors),
            ElementName::Spins => (required.spins, document.spins),
            ElementName::Typesize => (required.typesize, document.typesize),
            ElementName::Datacount => (required.datacount, document.datacount),
            _ => continue,
        };
        report(usqcd::ErrorKind::Description { site, element, expected, found });
    }
}

/// The labels of Dirac solutions: 4 spins and 3 colors.
const DIRAC: u8 = 12;

/// The solutions that have been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Solutions {
    /// Number of solutions; 255 for more, since no type has as many.
    count: u8,
    /// The number of the label that is next in order.
    next: u8,
    /// A bit for each label that has been read.
    labels: u16,
    /// A label has been read twice, or a solution has none.
    is_incomplete: bool,
    /// Absolute offset of the first text with a label that is not in order.
    disorder_at: Option<u64>,
}

saved!(struct Solutions { count, next, labels, is_incomplete, disorder_at });

impl Solutions {
    pub(super) const NONE: Self =
        Self { count: 0, next: 0, labels: 0, is_incomplete: false, disorder_at: None };

    /// The label of the next solution in a file that has one for each source spin and color.
    pub(super) fn check_label(
        &self,
        file_type: FileType,
        label: Label,
        mut report: impl FnMut(usqcd::ErrorKind),
    ) {
        let is_staggered = file_type.is_staggered();
        if file_type.solutions().is_none_or(|solutions| self.count >= solutions) {
            return;
        }
        for (element, is_missing) in [
            (usqcd::ElementName::Spin, label.spin.is_none() && !is_staggered),
            (usqcd::ElementName::Color, label.color.is_none()),
        ] {
            if is_missing {
                report(usqcd::ErrorKind::LabelMissing { file_type, element });
            }
        }
        let Some(number) = label.number(is_staggered) else { return };
        if self.labels & bit(number) != 0 {
            report(usqcd::ErrorKind::LabelRepeated(label));
        } else if let Some(expected) = self.expected(file_type).filter(|expected| *expected != number) {
            let expected = Label::of_solution(expected, is_staggered);
            report(usqcd::ErrorKind::LabelOrder { expected, found: label });
        }
    }

    /// The number of the label that belongs here: the next one that has not been read.
    fn expected(&self, file_type: FileType) -> Option<u8> {
        let solutions = file_type.solutions()?;
        (self.next..solutions).chain(0..solutions).find(|number| self.labels & bit(*number) == 0)
    }

    /// Checks that another solution is allowed.
    pub(super) fn check_number(&self, file_type: FileType, mut report: impl FnMut(usqcd::ErrorKind)) {
        if let Some(solutions) = file_type.solutions().filter(|solutions| self.count >= *solutions) {
            report(usqcd::ErrorKind::Surplus { file_type, solutions });
        }
    }

    /// A solution whose text has this label and offset.
    pub(super) fn take(&mut self, file_type: FileType, label: Label, at: u64) {
        let number = label.number(file_type.is_staggered());
        match number {
            Some(number) => {
                self.is_incomplete |= self.labels & bit(number) != 0;
                self.labels |= bit(number);
                if number != self.count {
                    self.disorder_at = self.disorder_at.or(Some(at));
                }
            }
            None => self.is_incomplete = true,
        }
        // In order after a label that is missing or out of order.
        self.next = number.unwrap_or(self.next).saturating_add(1);
        self.count = self.count.saturating_add(1);
    }

    /// Reports the records that are missing at the end of the file, each with the offset of the text concerned, if
    /// there is one.
    pub(super) fn check_end(
        &self,
        file_type: FileType,
        mut report: impl FnMut(Option<u64>, usqcd::ErrorKind),
    ) {
        match file_type.solutions() {
            Some(expected) if self.count < expected => {
                report(None, usqcd::ErrorKind::Count { file_type, expected, found: self.count });
            }
            Some(_) => {}
            // "When it does, the order of the pairs should be the same as for the C1D12 format."
            None => {
                let has_all = self.count == DIRAC && !self.is_incomplete && !file_type.is_staggered();
                if has_all && let Some(at) = self.disorder_at {
                    report(Some(at), usqcd::ErrorKind::PairOrder(file_type));
                }
            }
        }
    }
}

/// Labels have numbers below 12.
const fn bit(number: u8) -> u16 {
    1_u16.wrapping_shl(number as u32)
}
