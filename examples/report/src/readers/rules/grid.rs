//! Rules of Grid's reader of ILDG files. (Its reader of SciDAC files accepts only files that Grid wrote.)

use lexical_parse_float::FromLexical as _;
use linkstream::{ildg, scidac};

use super::rule::Rule;
use crate::readers::answer::Effect::{Accepted, Refused};
use crate::readers::answer::Evidence::Read;
use crate::readers::program::Program::Grid;

/// The command for files without logical file name. Most of them are SciDAC files.
const ANEW: &str =
    "rewrite it with a name: `linkstream convert FILE OUT --to ildg --checksum --lfn lfn://...`";

pub static RULES: &[Rule] = &[
    Rule {
        programs: &[Grid],
        effect: Refused,
        why: "there is no ildg-data-lfn",
        remedy: "add a name: `linkstream ildg set-lfn FILE lfn://...`",
        source: "Grid/parallelIO/IldgIO.h:869",
        evidence: Read,
        applies: |facts| facts.missing(ildg::DATA_LFN).filter(|_| facts.first(ildg::FORMAT).is_some()),
    },
    // A name alone does not make an ILDG file of a SciDAC file.
    Rule {
        programs: &[Grid],
        effect: Refused,
        why: "there is no ildg-data-lfn",
        remedy: ANEW,
        source: "Grid/parallelIO/IldgIO.h:869",
        evidence: Read,
        applies: |facts| facts.missing(ildg::DATA_LFN).filter(|_| facts.first(ildg::FORMAT).is_none()),
    },
    Rule {
        programs: &[Grid],
        effect: Refused,
        why: "there is no ildg-binary-data",
        remedy: ANEW,
        source: "Grid/parallelIO/IldgIO.h:870",
        evidence: Read,
        applies: |facts| facts.missing(ildg::BINARY_DATA),
    },
    Rule {
        programs: &[Grid],
        effect: Refused,
        why: "there is no ildg-format",
        remedy: ANEW,
        source: "Grid/parallelIO/IldgIO.h:871",
        evidence: Read,
        applies: |facts| facts.missing(ildg::FORMAT),
    },
    Rule {
        programs: &[Grid],
        effect: Refused,
        why: "there is no scidac-checksum",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg --checksum`",
        source: "Grid/parallelIO/IldgIO.h:872",
        evidence: Read,
        applies: |facts| facts.missing(scidac::CHECKSUM),
    },
    Rule {
        programs: &[Grid],
        effect: Refused,
        why: "the scidac-checksum has no version",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "Grid/serialisation/BaseIO.h:518-532",
        evidence: Read,
        applies: |facts| facts.where_text(scidac::CHECKSUM, |text| text.value("version").is_none()),
    },
    Rule {
        programs: &[Grid],
        effect: Refused,
        why: "checksum mismatch: the data do not have the stored checksum",
        remedy: "the data or the stored checksum is damaged: get another copy",
        source: "Grid/parallelIO/IldgIO.h:930-931",
        evidence: Read,
        applies: |facts| facts.where_data(facts.has_wrong_checksum()),
    },
    Rule {
        programs: &[Grid],
        effect: Refused,
        why: "the data come before the ildg-format: their byte order is unknown",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "Grid/parallelIO/BinaryIO.h:352",
        evidence: Read,
        applies: |facts| facts.follows(ildg::FORMAT, ildg::BINARY_DATA),
    },
    Rule {
        programs: &[Grid],
        effect: Refused,
        why: "names in the ildg-format have prefixes and are not found",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "Grid/serialisation/MacroMagic.h:128-132",
        evidence: Read,
        applies: |facts| facts.where_text(ildg::FORMAT, |text| !text.has_no_prefix()),
    },
    Rule {
        programs: &[Grid],
        effect: Refused,
        why: "a text that is parsed is not well-formed XML, which ends the program",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "Grid/serialisation/XmlIO.cc:33-41",
        evidence: Read,
        applies: |facts| {
            facts.ill_formed(&[ildg::FORMAT, scidac::CHECKSUM, "grid-format", "FieldNormMetaData"]).or_else(
                || {
                    facts.where_text(scidac::RECORD_XML, |text| {
                        text.has("usqcdInfo") && !text.is_well_formed()
                    })
                },
            )
        },
    },
    Rule {
        programs: &[Grid],
        effect: Refused,
        why: "links are stored without their last row: bytes after the data are read",
        remedy: "restore the row: `linkstream convert FILE OUT --rows full`",
        source: "Grid/parallelIO/IldgIO.h:713-947",
        evidence: Read,
        applies: |facts| {
            facts.where_data(facts.is_reduced() && facts.kind().is_some_and(|kind| kind.starts_with("su")))
        },
    },
    Rule {
        programs: &[Grid],
        effect: Refused,
        why: "there are fewer than four links at each site",
        remedy: "no conversion helps: the program does not support such fields",
        source: "Grid/parallelIO/IldgIO.h:713-947",
        evidence: Read,
        applies: |facts| facts.where_data(facts.links.links != 4),
    },
    Rule {
        programs: &[Grid],
        effect: Refused,
        why: "the kind of field is not suNgauge with the number of colors that the program was built for",
        remedy: "no conversion helps: the program does not support such fields",
        source: "Grid/parallelIO/IldgIO.h:885",
        evidence: Read,
        applies: |facts| {
            facts.where_text(ildg::FORMAT, |_| {
                facts.first("grid-format").is_none()
                    && !facts.kind().is_some_and(|kind| kind.starts_with("su") && kind.ends_with("gauge"))
            })
        },
    },
    Rule {
        programs: &[Grid],
        effect: Refused,
        why: "the usqcdInfo in the scidac-record-xml has no numbers for plaq and linktr",
        remedy: "leave it out: `linkstream convert FILE OUT --to ildg`",
        source: "Grid/parallelIO/IldgIO.h:825-831",
        evidence: Read,
        applies: |facts| {
            facts.where_text(scidac::RECORD_XML, |text| {
                text.has("usqcdInfo")
                    && ["plaq", "linktr"].iter().any(|name| {
                        text.value(name)
                            .is_none_or(|value| f64::from_lexical(value.trim().as_bytes()).is_err())
                    })
            })
        },
    },
    Rule {
        programs: &[Grid],
        effect: Refused,
        why: "plaquette or link trace in the scidac-record-xml differ from the computed values by more than 1e-5",
        remedy: "leave it out: `linkstream convert FILE OUT --to ildg`",
        source: "Grid/parallelIO/IldgIO.h:938-944",
        evidence: Read,
        applies: |facts| facts.recorded_differs(scidac::RECORD_XML, 1e-5),
    },
    Rule {
        programs: &[Grid],
        effect: Accepted,
        why: "the file has several data records, and the program reads the last one",
        remedy: "copy the field that you want: `linkstream convert FILE OUT --field NUMBER`",
        source: "Grid/parallelIO/IldgIO.h:713-947",
        evidence: Read,
        applies: |facts| facts.repeated(&[ildg::BINARY_DATA]),
    },
];
