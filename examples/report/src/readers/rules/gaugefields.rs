//! Rules of Gaugefields.jl, which reads the output of `lime_contents`.

use linkstream::ildg;

use super::rule::Rule;
use crate::readers::answer::Effect::{Misread, Refused};
use crate::readers::answer::Evidence::{Inferred, Read};
use crate::readers::program::Program::Gaugefields;

pub static RULES: &[Rule] = &[
    Rule {
        programs: &[Gaugefields],
        effect: Refused,
        why: "there is no ildg-binary-data",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "Gaugefields.jl src/output/ildg_format.jl",
        evidence: Read,
        applies: |facts| facts.missing(ildg::BINARY_DATA),
    },
    Rule {
        programs: &[Gaugefields],
        effect: Misread,
        why: "without ildg-format the data are read as single precision",
        remedy: "rewrite it: `linkstream convert FILE OUT --to ildg`",
        source: "Gaugefields.jl src/output/ildg_format.jl",
        evidence: Read,
        applies: |facts| facts.missing(ildg::FORMAT).filter(|_| !facts.is_single()),
    },
    Rule {
        programs: &[Gaugefields],
        effect: Refused,
        why: "the kind of field is neither su2gauge nor su3gauge",
        remedy: "no conversion helps: the program does not support such fields",
        source: "Gaugefields.jl src/output/ildg_format.jl",
        evidence: Read,
        applies: |facts| facts.where_text(ildg::FORMAT, |_| !facts.is_kind(&["su2gauge", "su3gauge"])),
    },
    Rule {
        programs: &[Gaugefields],
        effect: Misread,
        why: "links are stored without their last row, and the program does not check the length: it reads bytes of other links",
        remedy: "restore the row: `linkstream convert FILE OUT --rows full`",
        source: "Gaugefields.jl src/output/ildg_format.jl:902-916",
        evidence: Read,
        applies: |facts| facts.where_data(facts.is_reduced() && facts.is_kind(&["su2gauge", "su3gauge"])),
    },
    Rule {
        programs: &[Gaugefields],
        effect: Misread,
        why: "there are fewer than four links at each site, and four are read",
        remedy: "no conversion helps: the program does not support such fields",
        source: "Gaugefields.jl src/output/ildg_format.jl:902-916",
        evidence: Inferred,
        applies: |facts| facts.where_data(facts.links.links < 4),
    },
];
