//! Rules of SIMULATeQCD.

use linkstream::{ildg, scidac};

use super::rule::Rule;
use crate::readers::answer::Effect::{Accepted, Misread, Refused};
use crate::readers::answer::Evidence::Read;
use crate::readers::facts::Facts;
use crate::readers::program::Program::SimulateQcd;

/// The data are a gauge field that the program supports, but are as short as a text.
fn is_small(facts: &Facts<'_>) -> Option<u64> {
    let is_supported = facts.is_reduced_su3() || facts.is_full_su3();
    facts.where_data(is_supported && facts.field.field.record.length <= 100_000)
}

pub static RULES: &[Rule] = &[
    Rule {
        programs: &[SimulateQcd],
        effect: Refused,
        why: "the data have 100,000 bytes or fewer and are read as text",
        // The limit applies to LIME records alone.
        remedy: "write a NERSC archive: `linkstream convert FILE OUT --to nersc`",
        source: "SIMULATeQCD src/base/IO/ildg.h:83-166",
        evidence: Read,
        applies: |facts| is_small(facts).filter(|_| facts.has_finite_links()),
    },
    Rule {
        programs: &[SimulateQcd],
        effect: Refused,
        why: "the data have 100,000 bytes or fewer and are read as text",
        // An archive needs a plaquette in its header.
        remedy: "no conversion helps: the links are not finite",
        source: "SIMULATeQCD src/base/IO/ildg.h:83-166",
        evidence: Read,
        applies: |facts| is_small(facts).filter(|_| !facts.has_finite_links()),
    },
    Rule {
        programs: &[SimulateQcd],
        effect: Refused,
        why: "the extents or the precision have attributes, prefixes or white space and are not found",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "SIMULATeQCD src/base/IO/ildg.h:83-166",
        evidence: Read,
        applies: |facts| {
            facts.where_text(ildg::FORMAT, |text| !text.has_plain(&["precision", "lx", "ly", "lz", "lt"]))
        },
    },
    Rule {
        programs: &[SimulateQcd],
        effect: Refused,
        why: "there is no ildg-format and no document of QIO, so that the extents are not found",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "SIMULATeQCD src/base/IO/ildg.h:330-335",
        evidence: Read,
        applies: |facts| {
            facts.missing(ildg::FORMAT).filter(|_| facts.first(scidac::PRIVATE_FILE_XML).is_none())
        },
    },
    Rule {
        programs: &[SimulateQcd],
        effect: Refused,
        why: "links are stored without their last row, and the checksum of what is read is wrong",
        remedy: "restore the third row: `linkstream convert FILE OUT --rows full`",
        source: "SIMULATeQCD src/base/IO/ildg.h:546-563",
        evidence: Read,
        applies: |facts| facts.where_data(facts.is_reduced_su3() && facts.checksum().is_some()),
    },
    Rule {
        programs: &[SimulateQcd],
        effect: Misread,
        why: "links are stored without their last row: bytes of other links and bytes after the data are read",
        remedy: "restore the third row: `linkstream convert FILE OUT --rows full`",
        source: "SIMULATeQCD src/base/IO/ildg.h:83-166",
        evidence: Read,
        applies: |facts| facts.where_data(facts.is_reduced_su3() && facts.checksum().is_none()),
    },
    Rule {
        programs: &[SimulateQcd],
        effect: Refused,
        why: "the field is not SU(3) with four links",
        remedy: "no conversion helps: the program does not support such fields",
        source: "SIMULATeQCD src/base/IO/ildg.h:83-166",
        evidence: Read,
        applies: |facts| facts.where_data(!facts.is_reduced_su3() && !facts.is_full_su3()),
    },
    Rule {
        programs: &[SimulateQcd],
        effect: Refused,
        why: "the stored sums are compared as text, in lower case without padding, and are written in another form",
        remedy: "write the checksum in its form: `linkstream convert FILE OUT --for simulateqcd`",
        source: "SIMULATeQCD src/base/IO/ildg.h:546-563",
        evidence: Read,
        applies: |facts| facts.sums_not_in_form(|sum| format!("{sum:x}")),
    },
    Rule {
        programs: &[SimulateQcd],
        effect: Refused,
        why: "checksum mismatch: the data do not have the stored checksum",
        remedy: "the data or the stored checksum is damaged: get another copy",
        source: "SIMULATeQCD src/base/IO/ildg.h:546-563",
        evidence: Read,
        applies: |facts| facts.where_data(facts.has_wrong_checksum()),
    },
    Rule {
        programs: &[SimulateQcd],
        effect: Refused,
        why: "the program compares the last checksum, which belongs to other data",
        remedy: "copy the gauge field alone: `linkstream convert FILE OUT --field NUMBER`",
        source: "SIMULATeQCD src/base/IO/ildg.h:83-166,546-563",
        evidence: Read,
        applies: |facts| facts.other_checksum(),
    },
    Rule {
        programs: &[SimulateQcd],
        effect: Accepted,
        why: "the file has several data records, and the program reads the last one",
        remedy: "copy the field that you want: `linkstream convert FILE OUT --field NUMBER`",
        source: "SIMULATeQCD src/base/IO/ildg.h:83-166",
        evidence: Read,
        applies: |facts| facts.second_data_record(),
    },
];
