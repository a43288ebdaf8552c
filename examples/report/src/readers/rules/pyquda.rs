//! Rules of PyQUDA (`pyquda_io`).

use linkstream::{ildg, scidac};

use super::rule::Rule;
use crate::readers::answer::Effect::{Misread, Refused};
use crate::readers::answer::Evidence::{Read, Run};
use crate::readers::program::Program::PyQuda;

pub static RULES: &[Rule] = &[
    Rule {
        programs: &[PyQuda],
        effect: Refused,
        why: "there is no ildg-format",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "pyquda_io/ildg.py:11-40",
        evidence: Read,
        applies: |facts| facts.missing(ildg::FORMAT),
    },
    Rule {
        programs: &[PyQuda],
        effect: Refused,
        why: "there is no ildg-binary-data",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "pyquda_io/ildg.py:11-40",
        evidence: Read,
        applies: |facts| facts.missing(ildg::BINARY_DATA),
    },
    Rule {
        programs: &[PyQuda],
        effect: Refused,
        why: "the namespace of the ildg-format is not http://www.lqcd.org/ildg",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "pyquda_io/ildg.py:8,20",
        evidence: Read,
        applies: |facts| {
            facts.where_text(ildg::FORMAT, |text| {
                text.namespace().as_deref() != Some("http://www.lqcd.org/ildg")
            })
        },
    },
    Rule {
        programs: &[PyQuda],
        effect: Refused,
        why: "something comes before the XML declaration of the ildg-format",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "pyquda_io/ildg.py:11-40",
        evidence: Run,
        applies: |facts| facts.where_text(ildg::FORMAT, |text| !text.begins_with_markup()),
    },
    Rule {
        programs: &[PyQuda],
        effect: Refused,
        why: "there is no scidac-checksum",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg --checksum`",
        source: "pyquda_io/ildg.py:11-40",
        evidence: Read,
        applies: |facts| facts.missing(scidac::CHECKSUM),
    },
    Rule {
        programs: &[PyQuda],
        effect: Refused,
        why: "checksum mismatch: the data do not have the stored checksum",
        remedy: "the data or the stored checksum is damaged: get another copy",
        source: "pyquda_io/ildg.py:11-40",
        evidence: Read,
        applies: |facts| facts.where_data(facts.has_wrong_checksum()),
    },
    Rule {
        programs: &[PyQuda],
        effect: Misread,
        why: "links are stored without their last row, and the program does not check the length: it reads bytes after the data",
        remedy: "restore the third row: `linkstream convert FILE OUT --rows full`",
        source: "pyquda_io/ildg.py:11-40",
        evidence: Read,
        applies: |facts| facts.where_data(facts.is_reduced_su3()),
    },
    Rule {
        programs: &[PyQuda],
        effect: Refused,
        why: "the field is not SU(3) with four links",
        remedy: "no conversion helps: the program does not support such fields",
        source: "pyquda_io/ildg.py:11-40",
        evidence: Read,
        applies: |facts| facts.where_data(!facts.is_reduced_su3() && !facts.is_full_su3()),
    },
    Rule {
        programs: &[PyQuda],
        effect: Refused,
        why: "links in single precision deviate from unitarity by more than 1e-6",
        // The program reunitarises links in single precision only, and stops if they change by more.
        remedy: "write it in double precision: `linkstream convert FILE OUT --precision 64`",
        source: "pyquda_io/ildg.py:11-40",
        evidence: Read,
        applies: |facts| facts.where_data(facts.is_single() && facts.is_further_from_unitary(1e-6)),
    },
];
