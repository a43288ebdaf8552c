//! Rules about NERSC archives.

use linkstream::lattice::ByteOrder::{Big, Little};

use super::rule::ArchiveRule;
use crate::lime::Quantity;
use crate::readers::answer::Effect::{Accepted, Misread, Refused};
use crate::readers::answer::Evidence::{Inferred, Read};
use crate::readers::program::Program::{
    Chroma, Cl2Qcd, Gaugefields, Gpt, Grid, Lyncs, Milc, PyQuda, Qio, Quda, SimulateQcd, TmLqcd,
};

const ANEW: &str = "rewrite it: `linkstream convert FILE OUT --to nersc`";
const BIG_SINGLE: &str =
    "write it in big-endian single precision: `linkstream convert FILE OUT --to nersc --precision 32`";
/// Also the remedy for lines of the header: a file that is written as an archive again keeps them.
const AS_ILDG: &str = "write it as ILDG: `linkstream convert FILE OUT --for PROGRAM`";
const DAMAGED: &str = "the data or the stored checksum is damaged: get another copy";

pub static RULES: &[ArchiveRule] = &[
    ArchiveRule {
        programs: &[Quda, TmLqcd, Cl2Qcd, Lyncs, Gaugefields],
        effect: Refused,
        why: "the program does not read NERSC archives",
        remedy: AS_ILDG,
        source: "the formats that its readers recognise",
        evidence: Read,
        applies: |facts| facts.when(true),
    },
    ArchiveRule {
        programs: &[Qio],
        effect: Accepted,
        why: "QIO's converter reads NERSC archives, its library does not",
        remedy: "run qio-convert-nersc, or `linkstream convert FILE OUT --for qio`",
        source: "QIO examples/qio-convert-nersc.c",
        evidence: Read,
        applies: |facts| facts.when(true),
    },
    ArchiveRule {
        programs: &[Qio, Milc],
        effect: Refused,
        why: "a line of the header is not KEY = value, ends in white space, or is longer than 1023 bytes: qcdhdr_get_hdr crashes, or finds another value",
        remedy: AS_ILDG,
        source: "qcdhdr_get_hdr of QIO examples/qio-convert-nersc.c and MILC generic/io_lat_utils.c",
        evidence: Read,
        applies: |facts| facts.finding(&["nersc-line", "nersc-line-end", "nersc-line-too-long"]),
    },
    ArchiveRule {
        programs: &[Qio, Milc],
        effect: Refused,
        why: "the header has more than 127 lines, and qcdhdr_get_str then finds none of them",
        remedy: AS_ILDG,
        source: "qcdhdr_get_str of QIO examples/qio-convert-nersc.c and MILC generic/io_lat_utils.c",
        evidence: Read,
        applies: |facts| facts.when(facts.lines() > 127),
    },
    ArchiveRule {
        programs: &[Qio, Milc, Grid, Gpt, SimulateQcd, PyQuda],
        effect: Refused,
        why: "the header has no CHECKSUM",
        // The converter calls such data damaged and writes no checksum either.
        remedy: "add the line, as `linkstream explain nersc-checksum-missing` describes",
        source: "the lines that its reader requires",
        evidence: Read,
        applies: |facts| facts.lacks(&["CHECKSUM"]),
    },
    ArchiveRule {
        programs: &[Grid, Gpt, SimulateQcd, PyQuda],
        effect: Refused,
        why: "the header has no PLAQUETTE or no LINK_TRACE",
        remedy: ANEW,
        source: "the lines that its reader requires",
        evidence: Read,
        applies: |facts| facts.lacks(&["PLAQUETTE", "LINK_TRACE"]),
    },
    ArchiveRule {
        programs: &[Grid],
        effect: Refused,
        why: "the header has no SEQUENCE_NUMBER",
        remedy: ANEW,
        source: "Grid/parallelIO/NerscIO.h:104-125",
        evidence: Read,
        applies: |facts| facts.lacks(&["SEQUENCE_NUMBER"]),
    },
    ArchiveRule {
        programs: &[Grid, Gpt, PyQuda],
        effect: Refused,
        why: "the header has no FLOATING_POINT",
        remedy: ANEW,
        source: "the lines that its reader requires",
        evidence: Read,
        applies: |facts| facts.lacks(&["FLOATING_POINT"]),
    },
    ArchiveRule {
        programs: &[Qio, Milc],
        effect: Misread,
        why: "numbers are read as big-endian single precision unless FLOATING_POINT is IEEE64BIG, and a checksum mismatch is only a warning",
        remedy: BIG_SINGLE,
        source: "QIO examples/qio-convert-nersc.c; MILC generic/io_lat_utils.c",
        evidence: Read,
        applies: |facts| facts.where_data(facts.is_neither_big_single_nor_named_double()),
    },
    ArchiveRule {
        programs: &[Chroma],
        effect: Refused,
        why: "numbers are little endian, or of double precision without a byte order",
        remedy: BIG_SINGLE,
        source: "QDP++ lib/qdp_iogauge.cc",
        evidence: Read,
        applies: |facts| facts.where_data(facts.is_neither_big_single_nor_named_double()),
    },
    ArchiveRule {
        programs: &[SimulateQcd],
        effect: Refused,
        why: "numbers without a byte order are read as big-endian single precision, but have another form",
        remedy: ANEW,
        source: "SIMULATeQCD src/base/IO/nersc.h",
        evidence: Read,
        applies: |facts| facts.where_data(facts.is_floating_point(&["IEEE64"]) || facts.is_silently(Little)),
    },
    ArchiveRule {
        programs: &[Grid],
        effect: Refused,
        why: "the FLOATING_POINT IEEE32LITTLE is not supported: nothing is read, and the checksum does not agree",
        remedy: ANEW,
        source: "Grid/parallelIO/NerscIO.h",
        evidence: Read,
        applies: |facts| facts.where_data(facts.is_floating_point(&["IEEE32LITTLE"])),
    },
    ArchiveRule {
        programs: &[Grid, Gpt, PyQuda],
        effect: Refused,
        why: "numbers without a byte order are read as little endian, but are big endian",
        remedy: ANEW,
        source: "Grid/parallelIO/NerscIO.h; gpt/core/io/nersc_io.py; pyquda_io/nersc.py",
        evidence: Inferred,
        applies: |facts| {
            facts.where_data(facts.is_floating_point(&["IEEE32", "IEEE64"]) && facts.is_silently(Big))
        },
    },
    ArchiveRule {
        programs: &[Chroma],
        effect: Refused,
        why: "a line of the header is longer than 127 bytes",
        remedy: AS_ILDG,
        source: "QDP++ lib/qdp_iogauge.cc",
        evidence: Inferred,
        applies: |facts| facts.any_line(|key, value| key.len() + " = ".len() + value.len() > 127),
    },
    ArchiveRule {
        programs: &[PyQuda],
        effect: Refused,
        why: "a line of the header has more than one equals sign",
        remedy: AS_ILDG,
        source: "pyquda_io/nersc.py:31-80",
        evidence: Read,
        applies: |facts| facts.any_line(|key, value| key.contains('=') || value.contains('=')),
    },
    ArchiveRule {
        programs: &[Qio, Milc],
        effect: Accepted,
        why: "checksum mismatch, for which the program only prints a warning",
        remedy: DAMAGED,
        source: "QIO examples/qio-convert-nersc.c; MILC generic/io_lat_utils.c:780",
        evidence: Read,
        applies: |facts| facts.where_data(facts.has_wrong_checksum()),
    },
    ArchiveRule {
        programs: &[Chroma, Grid, Gpt, SimulateQcd, PyQuda],
        effect: Refused,
        why: "checksum mismatch: the data do not have the stored checksum",
        remedy: DAMAGED,
        source: "the readers of archives of these programs",
        evidence: Read,
        applies: |facts| facts.where_data(facts.has_wrong_checksum()),
    },
    ArchiveRule {
        programs: &[Chroma],
        effect: Refused,
        why: "plaquette or link trace in the header differ from the computed values by more than 1e-5",
        remedy: ANEW,
        source: "QDP++ lib/qdp_iogauge.cc",
        evidence: Read,
        applies: |facts| facts.differs(|_, _, _| 1e-5),
    },
    ArchiveRule {
        programs: &[Grid],
        effect: Refused,
        why: "the plaquette in the header differs from the computed value by more than 1e-5, or the link trace by more than 1e-6",
        remedy: ANEW,
        source: "Grid/parallelIO/NerscIO.h:208-209",
        evidence: Read,
        applies: |facts| {
            facts.differs(|quantity, _, _| if quantity == Quantity::LinkTrace { 1e-6 } else { 1e-5 })
        },
    },
    ArchiveRule {
        programs: &[Gpt],
        effect: Refused,
        why: "plaquette or link trace in the header have no digits after the point, or differ from the computed values by 100 units of their last digit",
        remedy: ANEW,
        source: "gpt/core/io/nersc_io.py:228-245",
        evidence: Read,
        applies: |facts| {
            facts.differs(|_, text, _| match text.split_once('.') {
                Some((_, digits)) => 10_f64.powi(2 - i32::try_from(digits.len()).unwrap_or(i32::MAX)),
                // A number without a decimal point is refused even if it is equal.
                None => -1.0,
            })
        },
    },
    ArchiveRule {
        programs: &[PyQuda],
        effect: Refused,
        why: "plaquette or link trace in the header differ from the computed values by more than 1e-9 of their size",
        remedy: ANEW,
        source: "pyquda_io/nersc.py:31-80",
        evidence: Read,
        applies: |facts| facts.differs(|_, _, computed| 1e-9 * computed.abs()),
    },
    ArchiveRule {
        programs: &[PyQuda],
        effect: Refused,
        why: "links in single precision deviate from unitarity by more than 1e-6",
        // The program reunitarises links in single precision only, and stops if they change by more.
        remedy: "write it in double precision: `linkstream convert FILE OUT --to nersc --precision 64`",
        source: "pyquda_io/nersc.py",
        evidence: Read,
        applies: |facts| facts.where_data(facts.is_single() && facts.is_further_from_unitary(1e-6)),
    },
    ArchiveRule {
        programs: &[Gpt],
        effect: Refused,
        why: "bytes follow the data",
        remedy: "leave them out: `linkstream convert FILE OUT --to nersc`",
        source: "gpt/core/io/nersc_io.py:86-107",
        evidence: Read,
        applies: |facts| facts.finding(&["nersc-trailing-bytes"]),
    },
];
