//! Rules of CL2QCD.

use linkstream::{ildg, scidac};

use super::rule::Rule;
use crate::readers::answer::Effect::{Accepted, Refused};
use crate::readers::answer::Evidence::{Inferred, Read};
use crate::readers::program::Program::Cl2Qcd;

pub static RULES: &[Rule] = &[
    Rule {
        programs: &[Cl2Qcd],
        effect: Refused,
        why: "there is no ildg-format",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "CL2QCD ildg_io/SourcefileParameters.cpp:210-223",
        evidence: Read,
        applies: |facts| facts.missing(ildg::FORMAT),
    },
    Rule {
        programs: &[Cl2Qcd],
        effect: Refused,
        why: "the kind of field is not su3gauge",
        remedy: "no conversion helps: the program does not support such fields",
        source: "CL2QCD ildg_io/ildgIo_gaugefield.cpp:31-69",
        evidence: Read,
        applies: |facts| facts.where_text(ildg::FORMAT, |_| !facts.is_kind(&["su3gauge"])),
    },
    Rule {
        programs: &[Cl2Qcd],
        effect: Refused,
        why: "links are stored without their last row, and the data must be whole SU(3) matrices",
        remedy: "restore the third row: `linkstream convert FILE OUT --rows full`",
        source: "CL2QCD ildg_io/ildgIo_gaugefield.cpp:31-69",
        evidence: Inferred,
        applies: |facts| facts.where_data(facts.is_reduced_su3()),
    },
    Rule {
        programs: &[Cl2Qcd],
        effect: Refused,
        why: "the data have another length than whole SU(3) matrices with four links",
        remedy: "no conversion helps: the program does not support such fields",
        source: "CL2QCD ildg_io/ildgIo_gaugefield.cpp:31-69",
        evidence: Inferred,
        applies: |facts| facts.where_data(!facts.is_full_su3() && !facts.is_reduced_su3()),
    },
    Rule {
        programs: &[Cl2Qcd],
        effect: Refused,
        why: "the extents of the three spatial directions are not equal",
        remedy: "no conversion helps: the program does not support such fields",
        source: "CL2QCD ildg_io/ildgIo_gaugefield.cpp:31-69",
        evidence: Read,
        applies: |facts| {
            facts
                .where_data(!matches!(facts.field.field.extents.as_slice(), [x, y, z, _] if x == y && y == z))
        },
    },
    Rule {
        programs: &[Cl2Qcd],
        effect: Accepted,
        why: "the precision must be the program's own, which is double by default",
        remedy: "convert it to double precision: `linkstream convert FILE OUT --precision 64`",
        source: "CL2QCD ildg_io/ildgIo_gaugefield.cpp:31-69",
        evidence: Read,
        applies: |facts| facts.where_data(facts.is_single()),
    },
    Rule {
        programs: &[Cl2Qcd],
        effect: Refused,
        why: "there is more than one data record",
        remedy: "copy the field that you want: `linkstream convert FILE OUT --field NUMBER`",
        source: "CL2QCD ildg_io/limeFileReader.cpp",
        evidence: Read,
        applies: |facts| facts.second_data_record(),
    },
    Rule {
        programs: &[Cl2Qcd],
        effect: Refused,
        why: "the ildg-format ends in a NUL, which libxml2 refuses",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "CL2QCD ildg_io/SourcefileParameters.cpp",
        evidence: Inferred,
        applies: |facts| facts.where_text(ildg::FORMAT, |text| text.ends_in_nul),
    },
    Rule {
        programs: &[Cl2Qcd],
        effect: Refused,
        why: "something comes before the XML declaration of the ildg-format",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "CL2QCD ildg_io/SourcefileParameters.cpp",
        evidence: Inferred,
        applies: |facts| facts.where_text(ildg::FORMAT, |text| !text.begins_with_markup()),
    },
    Rule {
        programs: &[Cl2Qcd],
        effect: Refused,
        why: "names in the ildg-format have prefixes and are not found",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "CL2QCD ildg_io/SourcefileParameters.cpp",
        evidence: Read,
        applies: |facts| facts.where_text(ildg::FORMAT, |text| !text.has_no_prefix()),
    },
    Rule {
        programs: &[Cl2Qcd],
        effect: Refused,
        why: "there is no scidac-checksum, so that the data are compared with sums of zero",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg --checksum`",
        source: "CL2QCD ildg_io/SourcefileParameters.cpp:225-235",
        evidence: Inferred,
        applies: |facts| facts.missing(scidac::CHECKSUM),
    },
    Rule {
        programs: &[Cl2Qcd],
        effect: Refused,
        why: "checksum mismatch: the data do not have the stored checksum",
        remedy: "the data or the stored checksum is damaged: get another copy",
        source: "CL2QCD ildg_io/SourcefileParameters.cpp:225-235",
        evidence: Read,
        applies: |facts| facts.where_data(facts.has_wrong_checksum()),
    },
    Rule {
        programs: &[Cl2Qcd],
        effect: Refused,
        why: "an empty record ends the run",
        remedy: "leave it out: `linkstream convert FILE OUT --to ildg`",
        source: "CL2QCD ildg_io/limeFileReader.cpp:179-187",
        evidence: Read,
        applies: |facts| facts.any_empty(),
    },
];
