//! Reasons why data of a file are not verified.

use linkstream::scda::SectionType;
use serde::ser::SerializeMap;

use crate::archive::{self, Agreement};
use crate::json::Entries;
use crate::left_out::LeftOut;
use crate::lime::FieldEntry;
use crate::report::Body;
use crate::scda::{self, Half};

/// A reason, and the parts of the file that it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unverified {
    pub reason: Reason,
    /// Number of fields or sections; 1 for a matrix, 0 if there are no data.
    pub parts: u64,
    /// Index of the first of them among the fields or sections of the file.
    pub first: Option<usize>,
}

/// Reason why data are not verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    NoData,
    NotRead,
    NoChecksum,
    EmptyChecksum,
    HalfChecksum,
    SiteList,
    FormatWithout,
    NotCompressed,
}

impl Reason {
    /// The reason as a word, as in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NoData => "no-data",
            Self::NotRead => "not-read",
            Self::NoChecksum => "no-checksum",
            Self::EmptyChecksum => "empty-checksum",
            Self::HalfChecksum => "half-checksum",
            Self::SiteList => "site-list",
            Self::FormatWithout => "format-without-checksum",
            Self::NotCompressed => "not-compressed",
        }
    }

    /// The reason as a sentence.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::NoData => "the file has no data that could be verified",
            Self::NotRead => "the data were not read to their end",
            Self::NoChecksum => "the file has no checksum of the data",
            Self::EmptyChecksum => "the checksum record of the data has no sums",
            Self::HalfChecksum => {
                "the checksum record of the data has only one of the two sums, which agrees"
            }
            Self::SiteList => {
                "the checksum does not cover the list of sites, which gives the places of the data"
            }
            Self::FormatWithout => "the format has no checksum",
            Self::NotCompressed => "sections that are not compressed have no checksum",
        }
    }
}

impl Unverified {
    const fn of_file(reason: Reason, parts: u64) -> Self {
        Self { reason, parts, first: None }
    }
}

impl Body {
    /// The reasons why data are not verified, each once. Data that contradict their checksum are not among them: there
    /// is a finding. Empty if all data are verified.
    #[must_use]
    pub fn unverified(&self) -> Vec<Unverified> {
        if self.coverage().parts == 0 {
            return vec![Unverified::of_file(Reason::NoData, 0)];
        }
        match self {
            Self::Unknown => Vec::new(),
            Self::Lime(contents) => merged(contents.fields.iter().map(of_field), &contents.fields_left_out),
            Self::Inebin(_) => vec![Unverified::of_file(Reason::FormatWithout, 1)],
            Self::Scda(contents) => merged(contents.sections.iter().map(of_section), &contents.left_out),
            Self::Nersc(contents) | Self::Milc(contents) => {
                merged([of_archive(contents)].into_iter(), &LeftOut::default())
            }
        }
    }
}

/// The different reasons of the parts, in the order of their first parts.
fn merged(reasons: impl Iterator<Item = Option<Reason>>, left_out: &LeftOut) -> Vec<Unverified> {
    let mut all: Vec<Unverified> = Vec::new();
    for (index, reason) in reasons.enumerate() {
        let Some(reason) = reason else { continue };
        merge(&mut all, Unverified { reason, parts: 1, first: Some(index) });
    }
    left_out.unverified.iter().for_each(|unverified| merge(&mut all, *unverified));
    all
}

/// Adds a reason, or its parts if it is in the list.
pub(crate) fn merge(all: &mut Vec<Unverified>, unverified: Unverified) {
    match all.iter_mut().find(|known| known.reason == unverified.reason) {
        Some(known) => known.parts = known.parts.saturating_add(unverified.parts),
        None => all.push(unverified),
    }
}

pub(crate) fn of_field(entry: &FieldEntry) -> Option<Reason> {
    use linkstream::field::Verdict;

    match entry.verdict {
        Some(Verdict::Match { .. } | Verdict::Mismatch { .. }) => None,
        _ if entry.checksum.is_none() => Some(Reason::NotRead),
        _ if entry.stored.suma.is_some() || entry.stored.sumb.is_some() => Some(Reason::HalfChecksum),
        _ if entry.sums_absent_at.is_some() => Some(Reason::EmptyChecksum),
        _ => Some(Reason::NoChecksum),
    }
}

pub(crate) fn of_section(entry: &scda::SectionEntry) -> Option<Reason> {
    match &entry.half {
        _ if entry.section.section_type == SectionType::Header => None,
        None if entry.bytes == Some(0) => None,
        None => Some(Reason::NotCompressed),
        Some(Half::Header) => None,
        Some(Half::Data(compressed)) => (!compressed.verified).then_some(Reason::NotRead),
    }
}

fn of_archive(contents: &archive::Contents) -> Option<Reason> {
    let has_site_list = contents.shape.is_some_and(|shape| shape.has_site_list);
    match contents.agreement {
        Some(Agreement::Match) => has_site_list.then_some(Reason::SiteList),
        Some(Agreement::Mismatch) => None,
        Some(Agreement::Absent) => Some(Reason::NoChecksum),
        None => Some(Reason::NotRead),
    }
}

/// An entry of `unverified`.
impl Entries for Unverified {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("reason", self.reason.as_str())?;
        object.serialize_entry("message", self.reason.words())?;
        object.serialize_entry("parts", &self.parts)?;
        object.serialize_entry("first", &self.first)
    }
}
