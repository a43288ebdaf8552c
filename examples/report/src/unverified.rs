//! Reasons why data are not verified, as words and sentences.

use serde::ser::SerializeMap;

use crate::json::Entries;

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
    OneVolume,
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
            Self::OneVolume => "one-volume",
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
            Self::OneVolume => {
                "one volume of a set has no checksum of its own: its data are verified with the whole set"
            }
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
    pub(crate) const fn of_file(reason: Reason, parts: u64) -> Self {
        Self { reason, parts, first: None }
    }
}

/// Adds a reason, or its parts if it is in the list.
pub(crate) fn merge(all: &mut Vec<Unverified>, unverified: Unverified) {
    match all.iter_mut().find(|known| known.reason == unverified.reason) {
        Some(known) => known.parts = known.parts.saturating_add(unverified.parts),
        None => all.push(unverified),
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
