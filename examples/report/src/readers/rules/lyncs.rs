//! Rules of lyncs_io.

use linkstream::ildg;

use super::rule::Rule;
use crate::readers::answer::Effect::{Accepted, Refused};
use crate::readers::answer::Evidence::{Read, Run};
use crate::readers::document::Text;
use crate::readers::program::Program::Lyncs;

pub static RULES: &[Rule] = &[
    Rule {
        programs: &[Lyncs],
        effect: Refused,
        why: "two records have the same type",
        remedy: "rewrite one field: `linkstream convert FILE OUT --for lyncs --field NUMBER`",
        source: "lyncs_io/lime.py:242",
        evidence: Read,
        applies: |facts| facts.any_repeated(),
    },
    Rule {
        programs: &[Lyncs],
        effect: Refused,
        why: "there is no ildg-binary-data",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "lyncs_io/lime.py:268-272",
        evidence: Read,
        applies: |facts| facts.missing(ildg::BINARY_DATA),
    },
    Rule {
        programs: &[Lyncs],
        effect: Refused,
        why: "there is no ildg-format",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "lyncs_io/lime.py:45-57",
        evidence: Read,
        applies: |facts| facts.missing(ildg::FORMAT),
    },
    Rule {
        programs: &[Lyncs],
        effect: Refused,
        why: "the ildg-format ends in a NUL",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "lyncs_io/lime.py:45-57",
        evidence: Run,
        applies: |facts| facts.where_text(ildg::FORMAT, |text| text.ends_in_nul),
    },
    Rule {
        programs: &[Lyncs],
        effect: Refused,
        why: "something comes before the XML declaration of the ildg-format",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "lyncs_io/lime.py:45-57",
        evidence: Run,
        applies: |facts| facts.where_text(ildg::FORMAT, |text| !text.begins_with_markup()),
    },
    Rule {
        programs: &[Lyncs],
        effect: Refused,
        why: "names in the ildg-format have prefixes",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "lyncs_io/lime.py:45-57",
        evidence: Read,
        applies: |facts| facts.where_text(ildg::FORMAT, |text| !text.has_no_prefix()),
    },
    Rule {
        programs: &[Lyncs],
        effect: Refused,
        why: "an element of the ildg-format is empty or contains other elements",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "lyncs_io/lime.py:45-57",
        evidence: Read,
        applies: |facts| facts.where_text(ildg::FORMAT, Text::has_empty_or_nested_element),
    },
    Rule {
        programs: &[Lyncs],
        effect: Refused,
        why: "the kind of field is not su3gauge",
        remedy: "no conversion helps: the program does not support such fields",
        source: "lyncs_io/lime.py:45-57",
        evidence: Read,
        applies: |facts| facts.where_text(ildg::FORMAT, |_| !facts.is_kind(&["su3gauge"])),
    },
    Rule {
        programs: &[Lyncs],
        effect: Refused,
        why: "links are stored without their last row, and the data must be whole SU(3) matrices",
        remedy: "restore the third row: `linkstream convert FILE OUT --rows full`",
        source: "lyncs_io/lime.py:268-272",
        evidence: Read,
        applies: |facts| facts.where_data(facts.is_reduced_su3()),
    },
    Rule {
        programs: &[Lyncs],
        effect: Refused,
        why: "the data have another length than whole SU(3) matrices with four links",
        remedy: "no conversion helps: the program does not support such fields",
        source: "lyncs_io/lime.py:268-272",
        evidence: Read,
        applies: |facts| facts.where_data(!facts.is_full_su3() && !facts.is_reduced_su3()),
    },
    Rule {
        programs: &[Lyncs],
        effect: Refused,
        why: "a line of xlf-info has two equals signs",
        remedy: "leave it out: `linkstream convert FILE OUT --to ildg`",
        source: "lyncs_io/lime.py:66-71",
        evidence: Read,
        applies: |facts| facts.where_text("xlf-info", |text| text.has_two_equals_signs()),
    },
    Rule {
        programs: &[Lyncs],
        effect: Accepted,
        why: "lyncs-io-info is unpickled, which runs what it contains: open the file only if you trust its author",
        remedy: "leave it out: `linkstream convert FILE OUT --to ildg`",
        source: "lyncs_io/lime.py",
        evidence: Read,
        applies: |facts| Some(facts.first("lyncs-io-info")?.record.offset),
    },
];
