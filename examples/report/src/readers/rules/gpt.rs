//! Rules of GPT.

use linkstream::ildg;

use super::rule::Rule;
use crate::readers::answer::Effect::{Misread, Refused};
use crate::readers::answer::Evidence::{Read, Run};
use crate::readers::program::Program::Gpt;

pub static RULES: &[Rule] = &[
    Rule {
        programs: &[Gpt],
        effect: Refused,
        why: "there is no ildg-format",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "gpt/core/io/lime_io/load.py:95-119",
        evidence: Read,
        applies: |facts| facts.missing(ildg::FORMAT),
    },
    Rule {
        programs: &[Gpt],
        effect: Refused,
        why: "the kind of field is not su3gauge",
        remedy: "no conversion helps: the program does not support such fields",
        source: "gpt/core/io/lime_io/load.py:95-119",
        evidence: Read,
        applies: |facts| {
            facts.where_text(ildg::FORMAT, |text| text.value("field").is_none_or(|kind| kind != "su3gauge"))
        },
    },
    Rule {
        programs: &[Gpt],
        effect: Refused,
        why: "the precision must be exactly 32 or 64, without white space",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "gpt/core/io/lime_io/load.py:95-119",
        evidence: Read,
        applies: |facts| {
            facts.where_text(ildg::FORMAT, |text| {
                !text.value("precision").is_some_and(|bits| ["32", "64"].contains(&bits.as_str()))
            })
        },
    },
    Rule {
        programs: &[Gpt],
        effect: Refused,
        why: "something comes before the XML declaration of the ildg-format",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "gpt/core/io/lime_io/load.py:95-119",
        evidence: Run,
        applies: |facts| facts.where_text(ildg::FORMAT, |text| !text.begins_with_markup()),
    },
    Rule {
        programs: &[Gpt],
        effect: Misread,
        why: "real and imaginary parts of single precision are exchanged: each link becomes i times its complex conjugate",
        remedy: "convert it to double precision: `linkstream convert FILE OUT --for gpt`",
        source: "gpt/core/io/lime_io/load.py:183",
        evidence: Read,
        applies: |facts| facts.where_data(facts.is_single()),
    },
    Rule {
        programs: &[Gpt],
        effect: Refused,
        why: "links are stored without their last row, and the data must be whole SU(3) matrices",
        remedy: "restore the third row: `linkstream convert FILE OUT --rows full`",
        source: "gpt/core/io/lime_io/load.py:173",
        evidence: Read,
        applies: |facts| facts.where_data(facts.is_reduced_su3()),
    },
    Rule {
        programs: &[Gpt],
        effect: Refused,
        why: "the data have another length than whole SU(3) matrices with four links",
        remedy: "no conversion helps: the program does not support such fields",
        source: "gpt/core/io/lime_io/load.py:173",
        evidence: Read,
        applies: |facts| facts.where_data(!facts.is_full_su3() && !facts.is_reduced_su3()),
    },
    Rule {
        programs: &[Gpt],
        effect: Refused,
        why: "the stored sums are compared as text, padded with spaces to 8 digits, and are written in another form",
        remedy: "write the checksum in GPT's form: `linkstream convert FILE OUT --for gpt`",
        source: "gpt/core/io/lime_io/load.py:204-209",
        evidence: Read,
        applies: |facts| facts.sums_not_in_form(|sum| format!("{sum:8x}")),
    },
    Rule {
        programs: &[Gpt],
        effect: Refused,
        why: "checksum mismatch: the data do not have the stored checksum",
        remedy: "the data or the stored checksum is damaged: get another copy",
        source: "gpt/core/io/lime_io/load.py:204-209",
        evidence: Read,
        applies: |facts| facts.where_data(facts.has_wrong_checksum()),
    },
    Rule {
        programs: &[Gpt],
        effect: Refused,
        why: "there are several types of data records",
        remedy: "copy the field that you want: `linkstream convert FILE OUT --field NUMBER`",
        source: "gpt/core/io/lime_io/load.py:163-169",
        evidence: Read,
        applies: |facts| facts.other_data_record(),
    },
    Rule {
        programs: &[Gpt],
        effect: Refused,
        why: "bytes follow the last record",
        remedy: "leave them out: `linkstream convert FILE OUT`",
        source: "gpt/core/io/lime_io/load.py:46-61",
        evidence: Read,
        applies: |facts| facts.finding(&["lime-trailing-bytes"]),
    },
];
