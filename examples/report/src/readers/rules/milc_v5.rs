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
        why: "the program does not know MILC files of version 5",
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
        source: "Chroma lib/io/readmilc.cc:63-77; pyquda_io",
        evidence: Read,
        applies: |facts| facts.where_data(facts.has_site_list()),
    },
    ArchiveRule {
        programs: &[SimulateQcd],
        effect: Misread,
        why: "the site list is taken for links: 96 bytes are passed over, whatever the header says",
        remedy: "write it as ILDG: `linkstream convert FILE OUT --for simulateqcd`",
        source: "SIMULATeQCD src/base/IO/milc.h:200-322",
        evidence: Read,
        applies: |facts| facts.where_data(facts.has_site_list()),
    },
    ArchiveRule {
        programs: &[Milc],
        effect: Accepted,
        why: "the stored checksums are not those of the data, of which the program only warns",
        remedy: "the data are damaged: get another copy",
        source: "MILC generic/io_lat4.c:961",
        evidence: Read,
        applies: |facts| facts.where_data(facts.has_wrong_checksum()),
    },
    ArchiveRule {
        programs: &[Chroma, SimulateQcd],
        effect: Misread,
        why: "the stored checksums are not those of the data, and are not compared",
        remedy: "the data are damaged: get another copy",
        source: "Chroma lib/io/readmilc.cc:63-77; SIMULATeQCD src/base/IO/milc.h:200-322",
        evidence: Read,
        applies: |facts| facts.where_data(facts.has_wrong_checksum()),
    },
    ArchiveRule {
        programs: &[PyQuda],
        effect: Refused,
        why: "the stored checksums are not those of the data",
        remedy: "the data are damaged: get another copy",
        source: "pyquda_io",
        evidence: Read,
        applies: |facts| facts.where_data(facts.has_wrong_checksum()),
    },
    ArchiveRule {
        programs: &[PyQuda],
        effect: Refused,
        why: "links deviate from unitarity by more than 1e-6",
        remedy: "no conversion helps: the program has no such fields",
        source: "pyquda_io",
        evidence: Read,
        applies: |facts| facts.where_data(facts.is_further_from_unitary(1e-6)),
    },
];
