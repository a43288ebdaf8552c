//! Rules of QIO, and of MILC, Chroma and QUDA, which use it to read LIME files.

use linkstream::scidac::PrivateRecord;
use linkstream::{ildg, scidac};

use super::rule::Rule;
use crate::readers::answer::Effect::{Accepted, Refused};
use crate::readers::answer::Evidence::{Inferred, Read};
use crate::readers::program::Program::{Chroma, Milc, Qio, Quda};

/// The remedy for links that MILC does not accept as unitary. It does not load smeared fields as gauge configurations.
pub const NOT_UNITARY: &str =
    "no conversion helps: project the links onto SU(3), or get another copy; smeared links cannot be loaded";

pub static BEFORE_ALL: &[Rule] = &[Rule {
    programs: &[Milc, Quda],
    effect: Refused,
    why: "the program reads only the first data record, which is not a gauge field: it has another typesize or datacount",
    remedy: "copy the gauge field alone: `linkstream convert FILE OUT --field NUMBER`",
    source: "MILC generic/io_scidac.c:399-411; QUDA lib/qio_field.cpp:138-166",
    evidence: Read,
    applies: |facts| facts.earlier_data(),
}];

pub static RULES: &[Rule] = &[
    Rule {
        programs: &[Qio, Milc, Chroma, Quda],
        effect: Refused,
        why: "the file does not begin with a scidac-private-file-xml and has no ildg-format",
        remedy: "rewrite it: `linkstream convert FILE OUT --to both`",
        source: "QIO lib/qio/QIO_open_read.c:268-291",
        evidence: Read,
        applies: |facts| facts.missing(ildg::FORMAT).filter(|_| !facts.is_native()),
    },
    Rule {
        programs: &[Qio, Milc, Chroma, Quda],
        effect: Refused,
        why: "the data come before the ildg-format",
        remedy: "rewrite it: `linkstream convert FILE OUT --to both`",
        source: "QIO lib/qio/QIO_open_read.c:268-291",
        evidence: Read,
        applies: |facts| facts.follows(ildg::FORMAT, ildg::BINARY_DATA).filter(|_| !facts.is_native()),
    },
    Rule {
        programs: &[Qio, Milc, Chroma, Quda],
        effect: Refused,
        why: "the ildg-format has names with prefixes or is not well-formed: its extents are read as 0",
        remedy: "rewrite it: `linkstream convert FILE OUT --to both`",
        source: "QIO lib/qio/QIO_open_read.c:312-327",
        evidence: Read,
        applies: |facts| {
            facts
                .where_text(ildg::FORMAT, |text| !text.is_well_formed() || !text.has_no_prefix())
                .filter(|_| !facts.is_native())
        },
    },
    Rule {
        programs: &[Qio, Milc, Chroma, Quda],
        effect: Refused,
        why: "links are stored without their last row, but the data must consist of whole matrices (code -5)",
        remedy: "restore the third row: `linkstream convert FILE OUT --rows full`",
        source: "QIO lib/qio/QIO_utils.c:844-857",
        evidence: Read,
        applies: |facts| facts.where_data(facts.is_reduced_su3()),
    },
    Rule {
        programs: &[Qio, Chroma],
        effect: Refused,
        why: "links are stored without their last row, but the data must consist of whole matrices (code -5)",
        remedy: "restore the row, in a native file: `linkstream convert FILE OUT --rows full --to scidac`",
        source: "QIO lib/qio/QIO_utils.c:844-857",
        evidence: Read,
        applies: |facts| facts.where_data(facts.is_reduced() && !facts.is_reduced_su3()),
    },
    Rule {
        programs: &[Qio, Chroma],
        effect: Refused,
        why: "an ildg-format is read as SU(3) with four links, and the data have another length (code -5)",
        remedy: "write a native file: `linkstream convert FILE OUT --to scidac`",
        source: "QIO lib/qio/QIO_utils.c:844-857",
        evidence: Read,
        applies: |facts| facts.where_data(!facts.is_native() && !facts.is_reduced() && !facts.is_full_su3()),
    },
    Rule {
        programs: &[Qio, Milc, Chroma, Quda],
        effect: Refused,
        why: "a native file must have a scidac-checksum (code -17)",
        remedy: "rewrite it: `linkstream convert FILE OUT --to both`",
        source: "QIO lib/qio/QIO_read_record_data.c:275-279",
        evidence: Read,
        applies: |facts| facts.missing(scidac::CHECKSUM).filter(|_| facts.is_native()),
    },
    Rule {
        programs: &[Qio, Milc, Chroma, Quda],
        effect: Refused,
        why: "checksum mismatch: the data do not have the stored checksum",
        remedy: "the data or the stored checksum is damaged: get another copy",
        source: "QIO lib/qio/QIO_read_record_data.c:275-279",
        evidence: Read,
        applies: |facts| facts.where_data(facts.is_native() && facts.has_wrong_checksum()),
    },
    Rule {
        programs: &[Qio, Milc, Chroma, Quda],
        effect: Accepted,
        why: "checksum mismatch, which is not noticed: files without QIO's own documents are not verified",
        remedy: "the data or the stored checksum is damaged: get another copy",
        source: "QIO lib/qio/QIO_read_record_data.c:275-279",
        evidence: Read,
        applies: |facts| facts.where_data(!facts.is_native() && facts.has_wrong_checksum()),
    },
    Rule {
        programs: &[Milc, Quda],
        effect: Refused,
        why: "the field is not SU(3) with four links",
        remedy: "no conversion helps: the program does not support such fields",
        source: "MILC generic/io_scidac.c:399-411; QUDA lib/qio_field.cpp:138-166",
        evidence: Read,
        applies: |facts| facts.where_data(!facts.is_reduced_su3() && !facts.is_full_su3()),
    },
    Rule {
        programs: &[Milc],
        effect: Refused,
        why: "the typesize must be 72 or 144",
        remedy: "rewrite it: `linkstream convert FILE OUT --to both`",
        source: "MILC generic/io_scidac.c:399-411",
        evidence: Read,
        applies: |facts| {
            let is_other = |document: &PrivateRecord| ![72, 144].contains(&document.typesize);
            facts.where_data(facts.is_full_su3() && facts.field.document.as_deref().is_some_and(is_other))
        },
    },
    Rule {
        programs: &[Milc],
        effect: Refused,
        why: "links deviate from unitarity by more than 1e-4",
        remedy: NOT_UNITARY,
        source: "MILC generic/check_unitarity.c:15,43,80",
        evidence: Read,
        applies: |facts| facts.where_data(facts.is_further_from_unitary(1e-4)),
    },
    Rule {
        programs: &[Chroma],
        effect: Refused,
        why: "the length of the data contradicts the precision in the scidac-private-record-xml",
        remedy: "the document contradicts itself: get another copy",
        source: "QDP++ include/qdp_qdpio.h:1339-1405",
        evidence: Read,
        applies: |facts| {
            let is_other = |document: &PrivateRecord| {
                let width = match document.precision.as_bytes().first() {
                    Some(b'F') => 4,
                    Some(b'D') => 8,
                    // The program then assumes the precision of its own build, which is usually the same.
                    _ => return false,
                };
                document.bytes_per_site() != 4 * 18 * width
            };
            facts.where_data(facts.is_full_su3() && facts.field.document.as_deref().is_some_and(is_other))
        },
    },
    Rule {
        programs: &[Chroma],
        effect: Refused,
        why: "the scidac-file-xml is not XML",
        remedy: "leave it out: `linkstream convert FILE OUT --to ildg`",
        source: "QDP++ lib/qdp_qdpio.cc:166-173",
        evidence: Inferred,
        applies: |facts| {
            facts.where_text(scidac::FILE_XML, |text| !text.is_well_formed()).filter(|_| facts.is_native())
        },
    },
    Rule {
        programs: &[Quda],
        effect: Refused,
        why: "datacount must be 4, and typesize 72 or 144",
        remedy: "rewrite it: `linkstream convert FILE OUT --to both`",
        source: "QUDA lib/qio_field.cpp:138-166",
        evidence: Read,
        applies: |facts| {
            let is_other =
                |document: &PrivateRecord| document.datacount != 4 || ![72, 144].contains(&document.typesize);
            facts.where_data(facts.is_full_su3() && facts.field.document.as_deref().is_some_and(is_other))
        },
    },
];
