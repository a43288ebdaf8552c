//! Rules of tmLQCD, with c-lime or lemon.

use linkstream::{ildg, scidac};

use super::rule::Rule;
use crate::readers::answer::Effect::{Accepted, Refused};
use crate::readers::answer::Evidence::Read;
use crate::readers::program::Program::TmLqcd;

pub static RULES: &[Rule] = &[
    Rule {
        programs: &[TmLqcd],
        effect: Refused,
        why: "there is no ildg-format",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "tmLQCD src/lib/io/gauge_read.c:65-120",
        evidence: Read,
        applies: |facts| facts.missing(ildg::FORMAT),
    },
    Rule {
        programs: &[TmLqcd],
        effect: Refused,
        why: "there is no ildg-binary-data",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "tmLQCD src/lib/io/gauge_read.c:65-120",
        evidence: Read,
        applies: |facts| facts.missing(ildg::BINARY_DATA),
    },
    Rule {
        programs: &[TmLqcd],
        effect: Refused,
        why: "there is no scidac-checksum",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg --checksum`",
        source: "tmLQCD src/lib/io/gauge_read.c:65-120",
        evidence: Read,
        applies: |facts| facts.missing(scidac::CHECKSUM),
    },
    Rule {
        programs: &[TmLqcd],
        effect: Refused,
        why: "an ildg-format, ildg-binary-data or scidac-checksum record is repeated",
        remedy: "copy the field that you want: `linkstream convert FILE OUT --field NUMBER`",
        source: "tmLQCD src/lib/io/gauge_read.c:65-120",
        evidence: Read,
        applies: |facts| facts.repeated(&[ildg::FORMAT, ildg::BINARY_DATA, scidac::CHECKSUM]),
    },
    Rule {
        programs: &[TmLqcd],
        effect: Refused,
        why: "checksum mismatch: the data do not have the stored checksum",
        remedy: "the data or the stored checksum is damaged: get another copy",
        source: "tmLQCD src/lib/io/gauge_read.c:168-185",
        evidence: Read,
        applies: |facts| facts.where_data(facts.has_wrong_checksum()),
    },
    Rule {
        programs: &[TmLqcd],
        effect: Refused,
        why: "links are stored without their last row, and the data must be whole SU(3) matrices",
        remedy: "restore the third row: `linkstream convert FILE OUT --rows full`",
        source: "tmLQCD src/lib/io/gauge_read_binary.c:167-181",
        evidence: Read,
        applies: |facts| facts.where_data(facts.is_reduced_su3()),
    },
    Rule {
        programs: &[TmLqcd],
        effect: Refused,
        why: "the data have another length than whole SU(3) matrices with four links",
        remedy: "no conversion helps: the program does not support such fields",
        source: "tmLQCD src/lib/io/gauge_read_binary.c:167-181",
        evidence: Read,
        applies: |facts| facts.where_data(!facts.is_full_su3() && !facts.is_reduced_su3()),
    },
    Rule {
        programs: &[TmLqcd],
        effect: Accepted,
        why: "single precision is read only with GaugeConfigReadPrecision = 32 in the input file",
        remedy: "convert it to double precision: `linkstream convert FILE OUT --precision 64`",
        source: "tmLQCD src/lib/io/gauge_read_binary.c:167-181",
        evidence: Read,
        applies: |facts| facts.where_data(facts.is_single()),
    },
    Rule {
        programs: &[TmLqcd],
        effect: Refused,
        why: "names in the ildg-format or scidac-checksum have prefixes and are not found",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "tmLQCD src/lib/io/utils_parse_ildgformat_xml.c",
        evidence: Read,
        applies: |facts| {
            facts
                .where_text(ildg::FORMAT, |text| !text.has_no_prefix())
                .or_else(|| facts.where_text(scidac::CHECKSUM, |text| !text.has_no_prefix()))
        },
    },
    Rule {
        programs: &[TmLqcd],
        effect: Refused,
        why: "an empty record ends the run",
        remedy: "leave it out: `linkstream convert FILE OUT --to ildg`",
        source: "tmLQCD src/lib/io/utils_read_message.c:50",
        evidence: Read,
        applies: |facts| facts.empty(&[ildg::FORMAT, scidac::CHECKSUM, ildg::DATA_LFN, "xlf-info"]),
    },
];
