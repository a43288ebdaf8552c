//! The table of broken files; see `broken.rs`.
//!
//! A comment marks each row with a choice: the manifest allows several results, or the severity is a judgement.

use linkstream::Severity::{self, Error, Fatal, Info, Warning};
use linkstream::conformance::ErrorKind::{self, Field as Content, *};
use linkstream::field::DocumentName::{Checksum as ChecksumXml, Format, PrivateFile, PrivateRecord};
use linkstream::field::ErrorKind::{
    ChecksumMismatch, DataLength, DataOverflow, Document, Lime, Undescribed, VolumeSet,
};
use linkstream::lattice::{Checksum, ExtentsError, HypercubeError};
use linkstream::lime;
use linkstream::scidac::VolumeFormat;
use linkstream::xml::ElementName::{self, *};
use linkstream::xml::ErrorKind as Xml;
use linkstream::xml::NumberFault::{NotDigits, Signed, TooLarge, TooMany};

/// A place in a file. Records are counted from 0.
#[derive(Debug, Clone, Copy)]
pub enum At {
    /// A record's header.
    Record(usize),
    /// The flags in a record's header.
    Flags(usize),
    /// A record's payload, for a finding about a document as a whole.
    Payload(usize),
    /// The end of a payload, for something that is missing there.
    TextEnd(usize),
    /// The first occurrence of a text in a payload.
    Text(usize, &'static str),
    /// The second occurrence.
    Second(usize, &'static str),
    /// The end of the first occurrence.
    After(usize, &'static str),
    FileEnd,
}
use At::{After, FileEnd, Flags, Payload, Record, Second, Text, TextEnd};

/// The outcome for a field in survey mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Match,
    Mismatch,
    Absent,
    /// There is a checksum record that cannot be read.
    NotCompared,
    /// The file or the reading ended before the verdict.
    Cut,
}
use Fate::{Absent, Cut, Match, Mismatch, NotCompared};

pub type Finding = (Severity, At, ErrorKind);

pub struct Case {
    /// The path without `.lime`.
    pub path: &'static str,
    pub findings: &'static [Finding],
    /// The fields that are read in survey mode. Others cannot be read.
    pub fields: &'static [Fate],
}

const fn case(path: &'static str, findings: &'static [Finding], fields: &'static [Fate]) -> Case {
    Case { path, findings, fields }
}

const BOTH: &[Fate] = &[Match, Match];
/// One of the two fields in the file can be read.
const ONE: &[Fate] = &[Match];
const NONE: &[Fate] = &[];
const CLEAN: &[Finding] = &[];

const fn sums(suma: u32, sumb: u32) -> Checksum {
    Checksum { suma, sumb }
}

/// The checksum of record 0 of the SciDAC files.
const SUMS: Checksum = sums(0xf0a8_5734, 0xc764_e9bd);

/// The SciDAC files have two messages of private record XML, record XML, data and checksum (records 2 to 5 and 6 to 9)
/// after the file message (0 and 1). The ILDG files have format, data and LFN.
pub const CASES: &[Case] = &[
    // Checksums.
    case(
        "scidac/suma-wrong",
        &[(
            Error,
            Payload(5),
            Content(ChecksumMismatch { computed: SUMS, stored: sums(0xf0a8_5735, 0xc764_e9bd) }),
        )],
        &[Mismatch, Match],
    ),
    case(
        "scidac/sumb-wrong",
        &[(
            Error,
            Payload(5),
            Content(ChecksumMismatch { computed: SUMS, stored: sums(0xf0a8_5734, 0xc764_e9bc) }),
        )],
        &[Mismatch, Match],
    ),
    case(
        "scidac/payload-bit-flip",
        &[(
            Error,
            Payload(5),
            // The reference reader found the same.
            Content(ChecksumMismatch { computed: sums(0xd40a_c2b0, 0xe3c6_7c39), stored: SUMS }),
        )],
        &[Mismatch, Match],
    ),
    // Judgement: a warning, since the data can be read without a checksum record. Strict mode refuses it.
    case(
        "scidac/checksum-missing-at-end",
        &[
            (Info, FileEnd, Content(Lime(lime::ErrorKind::MessageOpen))),
            (Warning, Record(8), ChecksumMissing),
        ],
        &[Match, Absent],
    ),
    case(
        "scidac/checksum-missing-middle",
        &[
            (Warning, Flags(5), Content(Lime(lime::ErrorKind::BeginUnexpected))),
            (Warning, Record(4), ChecksumMissing),
        ],
        &[Absent, Match],
    ),
    case(
        "scidac/checksum-not-hex",
        &[(Error, Text(5, "<suma>"), Content(Document(ChecksumXml, Xml::Number(Suma, NotDigits))))],
        &[NotCompared, Match],
    ),
    case("scidac/checksum-upper-prefix", CLEAN, BOTH),
    case(
        "scidac/checksum-9-digits",
        &[(Error, Text(5, "<suma>"), Content(Document(ChecksumXml, Xml::Number(Suma, TooLarge))))],
        &[NotCompared, Match],
    ),
    case(
        "scidac/checksum-trailing-junk",
        &[(Error, Text(5, "<suma>"), Content(Document(ChecksumXml, Xml::Number(Suma, NotDigits))))],
        &[NotCompared, Match],
    ),
    case("scidac/checksum-suma-absent", &[(Info, Payload(5), ChecksumAbsent)], &[Absent, Match]),
    case(
        "scidac/checksum-xml-garbage",
        &[(Error, Payload(5), Content(Document(ChecksumXml, Xml::NotXml)))],
        &[NotCompared, Match],
    ),
    // The file document, without which no field of the file can be described. Judgement: an unclosed root is an error
    // although everything needed is present, because elements may have been lost.
    case(
        "scidac/file-xml-unclosed",
        &[(Error, TextEnd(0), Content(Document(PrivateFile, Xml::Unclosed)))],
        NONE,
    ),
    case(
        "scidac/file-xml-wrong-root",
        &[(
            Error,
            After(0, "<scidacfile"),
            Content(Document(PrivateFile, Xml::WrongRoot { expected: "scidacFile" })),
        )],
        NONE,
    ),
    case(
        "scidac/file-xml-empty-record",
        &[(Error, TextEnd(0), Content(Document(PrivateFile, Xml::Empty)))],
        NONE,
    ),
    case(
        "scidac/file-dims-count",
        &[(Error, Payload(0), Content(Document(PrivateFile, Xml::Dimensions { spacetime: 5, listed: 4 })))],
        NONE,
    ),
    case("scidac/file-dims-newline", CLEAN, BOTH),
    case(
        "scidac/file-dims-zero",
        &[(Error, Payload(0), Content(Document(PrivateFile, Xml::Extents(ExtentsError::Zero))))],
        NONE,
    ),
    case(
        "scidac/file-dims-negative",
        &[(Error, Text(0, "<dims>"), Content(Document(PrivateFile, Xml::Number(Dims, Signed))))],
        NONE,
    ),
    case(
        "scidac/file-dims-2e64",
        &[(Error, Payload(0), Content(Document(PrivateFile, Xml::Extents(ExtentsError::Overflow))))],
        NONE,
    ),
    case(
        "scidac/file-dims-2e32",
        &[
            (Error, Record(4), Content(DataLength { expected: 4 << 32, found: 128 })),
            (Error, Record(8), Content(DataLength { expected: 16 << 32, found: 512 })),
        ],
        NONE,
    ),
    case(
        "scidac/file-dims-atoi-overflow",
        &[(Error, Text(0, "<dims>"), Content(Document(PrivateFile, Xml::Number(Dims, TooLarge))))],
        NONE,
    ),
    case(
        "scidac/file-dims-junk",
        &[(Error, Text(0, "<dims>"), Content(Document(PrivateFile, Xml::Number(Dims, NotDigits))))],
        NONE,
    ),
    case(
        "scidac/file-9-dims",
        &[(Error, Text(0, "<dims>"), Content(Document(PrivateFile, Xml::Number(Dims, TooMany))))],
        NONE,
    ),
    case(
        "scidac/file-volfmt-7",
        &[(Error, Text(0, "<volfmt>"), Content(Document(PrivateFile, Xml::Value(Volfmt))))],
        NONE,
    ),
    case("scidac/file-volfmt-1", &[(Error, Payload(0), Content(VolumeSet(VolumeFormat::Multifile)))], NONE),
    // The manifest requires an error or a warning: it is an error in strict mode and a warning in lenient mode.
    case(
        "scidac/file-version-9",
        &[(Warning, Payload(0), Content(Document(PrivateFile, Xml::Version)))],
        BOTH,
    ),
    case(
        "scidac/file-version-missing",
        &[(Warning, Payload(0), Content(Document(PrivateFile, Xml::Missing(Version))))],
        BOTH,
    ),
    // The record document.
    case(
        "scidac/rec-typesize-missing",
        &[(Error, Payload(2), Content(Document(PrivateRecord, Xml::Missing(Typesize))))],
        ONE,
    ),
    case(
        "scidac/rec-typesize-negative",
        &[(Error, Text(2, "<typesize>"), Content(Document(PrivateRecord, Xml::Number(Typesize, Signed))))],
        ONE,
    ),
    case(
        "scidac/rec-datacount-zero",
        &[(Error, Text(2, "<datacount>"), Content(Document(PrivateRecord, Xml::Value(Datacount))))],
        ONE,
    ),
    case(
        "scidac/rec-size-overflow",
        &[
            (Error, Payload(2), RecordContradiction { element: Typesize, ambiguous: true }),
            (Error, Record(4), Content(DataOverflow)),
        ],
        ONE,
    ),
    case(
        "scidac/rec-size-mismatch-type",
        &[(Error, Record(4), Content(DataLength { expected: 256, found: 128 }))],
        ONE,
    ),
    case(
        "scidac/rec-recordtype-5",
        &[(Error, Text(2, "<recordtype>"), Content(Document(PrivateRecord, Xml::Value(Recordtype))))],
        ONE,
    ),
    case(
        "scidac/rec-recordtype-missing",
        &[(Error, Payload(2), Content(Document(PrivateRecord, Xml::Missing(Recordtype))))],
        ONE,
    ),
    case(
        "scidac/rec-precision-missing",
        &[(Error, Payload(2), Content(Document(PrivateRecord, Xml::Missing(Precision))))],
        ONE,
    ),
    // Judgement: datatype and size show the precision.
    case(
        "scidac/rec-precision-wrong",
        &[(Info, Payload(2), RecordContradiction { element: Precision, ambiguous: false })],
        BOTH,
    ),
    case(
        "scidac/rec-duplicate-element",
        &[(Error, Second(2, "<typesize>"), Content(Document(PrivateRecord, Xml::Duplicate(Typesize))))],
        ONE,
    ),
    case(
        "scidac/rec-version-missing",
        &[(Warning, Payload(2), Content(Document(PrivateRecord, Xml::Missing(Version))))],
        BOTH,
    ),
    case("scidac/rec-xml-comment", CLEAN, BOTH),
    case("scidac/rec-entity", CLEAN, BOTH),
    case("scidac/rec-selfclosing-blank", CLEAN, BOTH),
    // Judgement: a warning, since nothing depends on the name.
    case(
        "scidac/rec-long-datatype",
        &[(
            Warning,
            Text(2, "<datatype>"),
            Content(Document(PrivateRecord, Xml::TooLong { element: Datatype, length: 40_000, limit: 64 })),
        )],
        BOTH,
    ),
    case("scidac/rec-long-tag", CLEAN, BOTH),
    case(
        "scidac/rec-stray-endtag",
        &[(Error, After(2, "</oops"), Content(Document(PrivateRecord, Xml::StrayEndTag)))],
        ONE,
    ),
    // Hypercubes.
    case(
        "scidac/hyper-upper-beyond",
        &[(Error, Payload(2), Content(Document(PrivateRecord, Xml::Hypercube(HypercubeError::Outside))))],
        ONE,
    ),
    case(
        "scidac/hyper-upper-far",
        &[(Error, Payload(2), Content(Document(PrivateRecord, Xml::Hypercube(HypercubeError::Outside))))],
        ONE,
    ),
    case(
        "scidac/hyper-lower-gt-upper",
        &[(Error, Payload(2), Content(Document(PrivateRecord, Xml::Hypercube(HypercubeError::Reversed))))],
        ONE,
    ),
    case(
        "scidac/hyper-negative",
        &[(
            Error,
            Text(2, "<hyperlower>"),
            Content(Document(PrivateRecord, Xml::Number(Hyperlower, Signed))),
        )],
        ONE,
    ),
    case(
        "scidac/hyper-three-numbers",
        &[(Error, Payload(2), Content(Document(PrivateRecord, Xml::Hypercube(HypercubeError::Dimensions))))],
        ONE,
    ),
    case(
        "scidac/hyper-bounds-missing",
        &[
            (Warning, Payload(2), Content(Document(PrivateRecord, Xml::Missing(Spacetime)))),
            (Error, Payload(2), Content(Document(PrivateRecord, Xml::Missing(Hyperlower)))),
            (Error, Payload(2), Content(Document(PrivateRecord, Xml::Missing(Hyperupper)))),
        ],
        ONE,
    ),
    // Data.
    case(
        "scidac/data-one-site-short",
        &[(Error, Record(4), Content(DataLength { expected: 128, found: 124 }))],
        ONE,
    ),
    case(
        "scidac/data-one-site-long",
        &[(Error, Record(4), Content(DataLength { expected: 128, found: 132 }))],
        ONE,
    ),
    case(
        "scidac/data-zero-length",
        &[(Error, Record(4), Content(DataLength { expected: 128, found: 0 }))],
        ONE,
    ),
    case(
        "scidac/data-truncated-eof",
        &[(Fatal, FileEnd, Content(Lime(lime::ErrorKind::PayloadTruncated { missing: 412 })))],
        &[Match, Cut],
    ),
    case("scidac/data-missing", &[(Error, Record(2), DataMissing(PrivateRecord))], ONE),
    // Texts.
    case("scidac/user-file-xml-zero-length", CLEAN, BOTH),
    case("scidac/user-record-xml-zero-length", CLEAN, BOTH),
    case(
        "scidac/private-record-zero-length",
        &[(Error, TextEnd(2), Content(Document(PrivateRecord, Xml::Empty)))],
        ONE,
    ),
    case("scidac/xml-no-nul", CLEAN, BOTH),
    case("scidac/xml-nul-garbage", CLEAN, BOTH),
    // Order, and records of other types. Choice: file XML before the private file XML is accepted.
    case("scidac/order-record-xml-first", CLEAN, BOTH),
    case("scidac/order-file-xml-first", CLEAN, BOTH),
    case("scidac/foreign-after-file", CLEAN, BOTH),
    case("scidac/foreign-before-data", CLEAN, BOTH),
    case("scidac/foreign-before-checksum", CLEAN, BOTH),
    case("scidac/lfn-message-appended", CLEAN, BOTH),
    // Judgement: QIO accepts the file, but a job that ends after it has opened a file leaves it so.
    case("scidac/header-only", &[(Error, Record(0), DataAbsent)], NONE),
    case(
        "scidac/private-file-only",
        &[
            (Info, FileEnd, Content(Lime(lime::ErrorKind::MessageOpen))),
            (Warning, Record(0), FileXmlMissing),
            (Error, Record(0), DataAbsent),
        ],
        NONE,
    ),
    // The format document.
    case("ildg/xml-unclosed", &[(Error, TextEnd(0), Content(Document(Format, Xml::Unclosed)))], NONE),
    case("ildg/xml-truncated", &[(Error, TextEnd(0), Content(Document(Format, Xml::Unclosed)))], NONE),
    case("ildg/xml-not-xml", &[(Error, Payload(0), Content(Document(Format, Xml::NotXml)))], NONE),
    case("ildg/xml-empty", &[(Error, TextEnd(0), Content(Document(Format, Xml::Empty)))], NONE),
    // Choice: strict mode refuses a byte order mark, which is not ASCII text; otherwise it is accepted as part of XML.
    case("ildg/xml-bom", &[(Warning, Payload(0), TextByte { found: 0xef })], &[Absent]),
    case(
        "ildg/xml-utf16",
        &[
            (Warning, Payload(0), TextByte { found: 0xff }),
            (Error, Payload(0), Content(Document(Format, Xml::NotXml))),
        ],
        NONE,
    ),
    case(
        "ildg/xml-nonascii",
        &[
            (Warning, After(0, "su3g"), TextByte { found: 0xc3 }),
            (Error, Text(0, "<field>"), Content(Document(Format, Xml::Value(ElementName::Field)))),
        ],
        NONE,
    ),
    case("ildg/lx-missing", &[(Error, Payload(0), Content(Document(Format, Xml::Missing(Lx))))], NONE),
    case(
        "ildg/lx-zero",
        &[(Error, Payload(0), Content(Document(Format, Xml::Extents(ExtentsError::Zero))))],
        NONE,
    ),
    case(
        "ildg/lx-negative",
        &[
            (Error, Text(0, "<lx>"), Content(Document(Format, Xml::Number(Lx, Signed)))),
            (Error, Text(0, "<ly>"), Content(Document(Format, Xml::Number(Ly, Signed)))),
        ],
        NONE,
    ),
    case(
        "ildg/lx-text",
        &[(Error, Text(0, "<lx>"), Content(Document(Format, Xml::Number(Lx, NotDigits))))],
        NONE,
    ),
    case("ildg/lx-twice", &[(Error, Second(0, "<lx>"), Content(Document(Format, Xml::Duplicate(Lx))))], NONE),
    case(
        "ildg/dims-wrong",
        &[(Error, Record(1), Content(DataLength { expected: 11_520, found: 9216 }))],
        NONE,
    ),
    case(
        "ildg/dims-overflow-2e64",
        &[(Error, Payload(0), Content(Document(Format, Xml::Extents(ExtentsError::Overflow))))],
        NONE,
    ),
    case("ildg/dims-overflow-bytes", &[(Error, Record(1), Content(DataOverflow))], NONE),
    case(
        "ildg/dims-int-overflow",
        &[(Error, Text(0, "<lx>"), Content(Document(Format, Xml::Number(Lx, TooLarge))))],
        NONE,
    ),
    case(
        "ildg/precision-16",
        &[(Error, Text(0, "<precision>"), Content(Document(Format, Xml::Value(Precision))))],
        NONE,
    ),
    case(
        "ildg/precision-16-size-64",
        &[(Error, Text(0, "<precision>"), Content(Document(Format, Xml::Value(Precision))))],
        NONE,
    ),
    case(
        "ildg/precision-missing",
        &[(Error, Payload(0), Content(Document(Format, Xml::Missing(Precision))))],
        NONE,
    ),
    case("ildg/rows-4", &[(Error, Payload(0), Content(Document(Format, Xml::Value(Rows))))], NONE),
    case("ildg/rows-0", &[(Error, Payload(0), Content(Document(Format, Xml::Value(Rows))))], NONE),
    case(
        "ildg/rows-2-full-data",
        &[(Error, Record(1), Content(DataLength { expected: 6144, found: 9216 }))],
        NONE,
    ),
    case(
        "ildg/field-unknown",
        &[(Error, Text(0, "<field>"), Content(Document(Format, Xml::Value(ElementName::Field))))],
        NONE,
    ),
    // Data and order.
    case("ildg/data-short", &[(Error, Record(1), Content(DataLength { expected: 9216, found: 9208 }))], NONE),
    case("ildg/data-long", &[(Error, Record(1), Content(DataLength { expected: 9216, found: 9224 }))], NONE),
    case("ildg/data-zero", &[(Error, Record(1), Content(DataLength { expected: 9216, found: 0 }))], NONE),
    case("ildg/data-missing", &[(Error, Record(0), DataMissing(Format))], NONE),
    case(
        "ildg/data-before-format",
        &[(Error, Record(0), Content(Undescribed)), (Warning, Record(1), FormatBehindData)],
        NONE,
    ),
    // Judgement: a warning, since the last format without data can only describe these data.
    case("ildg/format-in-other-message", &[(Warning, Record(1), DescribedElsewhere)], &[Absent]),
    case(
        "ildg/two-configs-no-update",
        &[(Warning, Record(3), UpdateMissing { scidac: false })],
        &[Absent, Absent],
    ),
    // Types are compared case-sensitively, so that the file has no format.
    case("ildg/type-case", &[(Error, Record(1), Content(Undescribed))], NONE),
    case("ildg/format-missing", &[(Error, Record(0), Content(Undescribed))], NONE),
    case("ildg/lfn-zero-length", &[(Warning, Payload(2), LfnEmpty)], &[Absent]),
    // The first such byte of each record is reported.
    case("ildg/lfn-control-chars", &[(Warning, After(2, "mc://a"), TextByte { found: 1 })], &[Absent]),
    case("ildg/lfn-missing", &[(Info, Record(0), LfnMissing)], &[Absent]),
    case("ildg/nan-payload", CLEAN, &[Absent]),
];
