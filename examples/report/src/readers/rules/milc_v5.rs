//! Rules about MILC files of version 5.

use super::rule::ArchiveRule;
use crate::readers::answer::Effect::{Accepted, Misread, Refused};
use crate::readers::answer::Evidence::Read;
use crate::readers::program::Program::{
    Chroma, Cl2Qcd, Gaugefields, Gpt, Grid, Lyncs, Milc, PyQuda, Qio, Quda, SimulateQcd, TmLqcd,
};

pub static RULES: &[ArchiveRule] = &[
    ArchiveRule {
        programs: &[Qio, Quda, Grid, Gpt, TmLqcd, Cl2Qcd, Lyncs, Gaugefields],
        effect: Refused,
        why: "the program does not read MILC files of version 5",
        remedy: "write it as ILDG: `linkstream convert FILE OUT --for PROGRAM`",
        source: "the formats that its readers recognise",
        evidence: Read,
        applies: |facts| facts.when(true),
    },
    ArchiveRule {
        programs: &[Chroma, PyQuda],
        effect: Refused,
        why: "the sites are in the order of a list, not in natural order",
        remedy: "write it as ILDG: `linkstream convert FILE OUT --for PROGRAM`",
        source: "Chroma lib/io/readmilc.cc:63-77; pyquda_io/milc.py",
        evidence: Read,
        applies: |facts| facts.where_data(facts.has_site_list()),
    },
    ArchiveRule {
        programs: &[SimulateQcd],
        effect: Misread,
        why: "the site list is read as links: the program skips 96 bytes, whatever the header contains",
        remedy: "write it as ILDG: `linkstream convert FILE OUT --for simulateqcd`",
        source: "SIMULATeQCD src/base/IO/milc.h:200-322",
        evidence: Read,
        applies: |facts| facts.where_data(facts.has_site_list()),
    },
    ArchiveRule {
        programs: &[Milc],
        effect: Accepted,
        why: "checksum mismatch, for which the program only prints a warning",
        remedy: "the data or the stored checksum is damaged: get another copy",
        source: "MILC generic/io_lat4.c:961",
        evidence: Read,
        applies: |facts| facts.where_data(facts.has_wrong_checksum()),
    },
    ArchiveRule {
        programs: &[Chroma, SimulateQcd],
        effect: Misread,
        why: "checksum mismatch, which is not noticed: the program does not compare the checksums",
        remedy: "the data or the stored checksum is damaged: get another copy",
        source: "Chroma lib/io/readmilc.cc:63-77; SIMULATeQCD src/base/IO/milc.h:200-322",
        evidence: Read,
        applies: |facts| facts.where_data(facts.has_wrong_checksum()),
    },
    ArchiveRule {
        programs: &[PyQuda],
        effect: Refused,
        why: "checksum mismatch: the data do not have the stored checksums",
        remedy: "the data or the stored checksum is damaged: get another copy",
        source: "pyquda_io/milc.py",
        evidence: Read,
        applies: |facts| facts.where_data(facts.has_wrong_checksum()),
    },
    ArchiveRule {
        programs: &[PyQuda],
        effect: Refused,
        why: "links deviate from unitarity by more than 1e-6",
        // The program reunitarises links in single precision only, and stops if they change by more.
        remedy: "write it as ILDG in double precision: `linkstream convert FILE OUT --for pyquda --precision 64`",
        source: "pyquda_io/milc.py",
        evidence: Read,
        applies: |facts| facts.where_data(facts.is_further_from_unitary(1e-6)),
    },
];
