//! Why the data of a file are not verified.

use linkstream::scda::SectionType;

use crate::archive::{self, Agreement};
use crate::left_out::LeftOut;
use crate::lime::{self, FieldEntry};
use crate::report::Body;
use crate::scda;
use crate::unverified::{Reason, Unverified, merge};

impl Body {
    /// The reasons why data are not verified, each once. Data that contradict their checksum are not among them: there
    /// is a finding. Empty if all data are verified.
    #[must_use]
    pub fn unverified(&self) -> Vec<Unverified> {
        let is_one_volume = |contents: &lime::Contents| contents.set.as_ref().is_some_and(|set| set.is_alone);
        if matches!(self, Self::Lime(contents) if is_one_volume(contents)) {
            return vec![Unverified::of_file(Reason::OneVolume, 0)];
        }
        if self.coverage().parts == 0 {
            return vec![Unverified::of_file(Reason::NoData, 0)];
        }
        match self {
            Self::Unknown => Vec::new(),
            Self::Lime(contents) => merged(contents.fields.iter().map(of_field), &contents.fields_left_out),
            Self::Inebin(_) => vec![Unverified::of_file(Reason::FormatWithout, 1)],
            Self::Scda(contents) => merged(contents.sections.iter().map(of_section), &contents.left_out),
            Self::OpenQcd(_) => vec![Unverified::of_file(Reason::FormatWithout, 1)],
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

pub(crate) fn of_field(entry: &FieldEntry) -> Option<Reason> {
    use linkstream::field::Verdict;

    match entry.verdict {
        Some(Verdict::Match { .. } | Verdict::Mismatch { .. }) => None,
        // Compared with the sum of BQCD; a difference is a finding.
        _ if entry.bqcd.is_some() && entry.cksum.is_some() => None,
        _ if entry.checksum.is_none() => Some(Reason::NotRead),
        _ if entry.stored.suma.is_some() || entry.stored.sumb.is_some() => Some(Reason::HalfChecksum),
        _ if entry.sums_absent_at.is_some() => Some(Reason::EmptyChecksum),
        _ => Some(Reason::NoChecksum),
    }
}

pub(crate) fn of_section(entry: &scda::SectionEntry) -> Option<Reason> {
    match &entry.compressed {
        _ if entry.section.section_type == SectionType::Header => None,
        Some(compressed) => (!compressed.verified).then_some(Reason::NotRead),
        None if entry.bytes == Some(0) => None,
        None => Some(Reason::NotCompressed),
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
