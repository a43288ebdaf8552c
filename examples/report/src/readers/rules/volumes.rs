//! Rules about QIO's file sets, which only QIO and the programs that use it can read.

use super::rule::Rule;
use crate::readers::answer::Effect::{Accepted, Refused};
use crate::readers::answer::Evidence::{Read, Run};
use crate::readers::program::Program::{
    Chroma, Cl2Qcd, Gaugefields, Gpt, Grid, Lyncs, Milc, PyQuda, Qio, Quda, SimulateQcd, TmLqcd,
};
use crate::volumes::SetContents;

pub static RULES: &[Rule] = &[
    Rule {
        programs: &[Qio, Milc, Chroma, Quda],
        effect: Accepted,
        why: "the field is spread over several volumes, which are read only by as many nodes as wrote it, each with the same sites",
        remedy: "run the program with the layout that wrote the file set, or join the volumes: `linkstream convert NAME OUT`",
        source: "QIO lib/qio/QIO_open_read.c",
        evidence: Read,
        applies: |facts| facts.where_data(facts.is_set()),
    },
    Rule {
        programs: &[Qio, Milc, Chroma, Quda],
        effect: Refused,
        why: "volumes may have been swapped, so that a node finds the sites of another node",
        remedy: "give the volumes their own names again, or join them: `linkstream convert NAME OUT`",
        source: "QIO lib/qio/QIO_open_read.c",
        evidence: Run,
        applies: |facts| facts.where_set(SetContents::is_out_of_order),
    },
    Rule {
        programs: &[Qio, Milc, Chroma, Quda],
        effect: Refused,
        why: "the numbers in the names of the volumes are not numbers of nodes",
        remedy: "give the volumes their own names again, or join them: `linkstream convert NAME OUT`",
        source: "QIO lib/qio/QIO_open_read.c",
        evidence: Run,
        applies: |facts| facts.where_set(SetContents::has_other_numbers),
    },
    Rule {
        programs: &[Qio, Milc, Chroma, Quda],
        effect: Refused,
        why: "the volumes are not named as <volfmt> requires: volNNNN/NAME for 3, else NAME.volNNNN",
        remedy: "rename the volumes, or join them: `linkstream convert NAME OUT`",
        source: "QIO lib/qio/QIO_open_read.c",
        evidence: Run,
        applies: |facts| facts.where_set(SetContents::has_other_names),
    },
    Rule {
        programs: &[Grid, Gpt, TmLqcd, Cl2Qcd, SimulateQcd, Lyncs, PyQuda, Gaugefields],
        effect: Refused,
        why: "the field is spread over several volumes, which the program does not support",
        remedy: "join the volumes: `linkstream convert NAME OUT`",
        source: "its reader opens one file",
        evidence: Read,
        applies: |facts| facts.where_data(facts.is_set()),
    },
];
