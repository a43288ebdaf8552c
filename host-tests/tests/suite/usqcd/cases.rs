//! Files that break one rule about USQCD documents or propagator files each; see `rules.rs`.

use linkstream::Severity::{Error, Info, Warning};

use super::support::*;
use crate::field::support::build::Part;
use crate::field::support::ildg::At::{End, Last, Payload, Record, Text};
use crate::ildg::cases::{Case, Finding, case};

const DOCUMENT: &str = "QIO 2.3, appendix A";
const LABELS: &str = "QIO 2.3, appendices A.2.3 and A.3.3";
const FILES: &str = "QIO 2.3, appendices A.2 and A.3";
const FILE_TEXTS: &str = "QIO 2.3, appendices A.2.1 and A.3.1";
const RECORDS: &str = "QIO 2.3, appendices A.2.2 to A.3.3";

/// A file with one record for the whole lattice and this record XML.
fn lattice(site: &str, text: &str) -> Vec<Vec<Part>> {
    vec![file("f"), record(LATTICE, site, text)]
}

/// A record that contradicts itself.
const CONTRADICTION: Finding = ("scidac-record-contradiction", "QIO 2.3, section 4.2", Error, Payload(2, 0));

const MATRIX: &str = "<datatype>QDP_F3_ColorMatrix</datatype><precision>F</precision><colors>3</colors><typesize>72</typesize>";
const INFO: &str =
    "<usqcdInfo><version>1.0</version><plaq>0.5</plaq><linktr>-1e-3</linktr><info>i</info></usqcdInfo>";

/// Valid files.
pub fn sound() -> Vec<Case> {
    let unlabelled = "<usqcdPropInfo><version>1.0</version><info></info></usqcdPropInfo>";
    let mut twenty = dd_pairs((0..20).map(|n| (n % 4, n % 3)));
    twenty[2][1].1 = unlabelled.into();
    let old = dirac_text(3, 2).replace("usqcdPropInfo", "usqcdInfo");
    let mut of_old = c1d12();
    of_old[13][1].1 = old.into();
    let both = ["<spin>1</spin><color>2</color><info>", "<info>"];
    vec![
        case("C1D12", c1d12(), &[], 13),
        case("C1V3", c1v3(), &[], 4),
        case("pairs in any order", dd_pairs([(2, 1), (0, 0)]), &[], 4),
        case("twelve pairs", dd_pairs((0..12).map(|n| (n / 3, n % 3))), &[], 24),
        case("twelve pairs of which one is repeated", dd_pairs([0; 12].map(|_| (1, 1))), &[], 24),
        case("many pairs, one without a label", twenty, &[], 40),
        case("lattice", lattice(MATRIX, INFO), &[], 1),
        case("a lattice of version 1, as Grid writes it", lattice(MATRIX, &INFO.replace("1.0", "1")), &[], 1),
        case(
            "XML in info",
            lattice(MATRIX, &INFO.replace(">i<", "><a b='>'><b/></a>&amp;<![CDATA[&]]><")),
            &[],
            1,
        ),
        case("labelled source", replaced(c1d12(), (1, 1), both[1], both[0]), &[], 13),
        case(
            "solution of QIO before 2.3.5",
            of_old,
            &[("usqcd-solution-root", "QIO 2.3, appendix A.2.3", Info, Payload(13, 1))],
            13,
        ),
        case("texts that are none of these documents", lattice(COMPLEX, "<usqcd>&amp;<a/></usqcd>"), &[], 1),
        case("no XML", lattice(COMPLEX, "a & b"), &[], 1),
        case("LHPC", vec![file(&file_text("usqcdPropFile", "LHPC_DiracPropagator")), dirac(0, 0)], &[], 1),
    ]
}

/// Documents with one defect each.
pub fn documents() -> Vec<Case> {
    let changed = |from: &str, to: &str| lattice(MATRIX, &INFO.replacen(from, to, 1));
    let found = |rule, severity, at| (rule, DOCUMENT, severity, at);
    let label = |from: &str, to: &str| replaced(c1d12(), (5, 1), from, to);
    let long = INFO.replace(">i<", &format!(">{}<", "i".repeat(2000)));
    let ns = "<version>1.0</version>";
    vec![
        case(
            "text truncated by QIO",
            lattice(MATRIX, &long[..1023]),
            &[found("usqcd-truncated", Info, End(1, 1))],
            1,
        ),
        case(
            "text truncated elsewhere",
            lattice(MATRIX, &long[..1022]),
            &[found("usqcd-not-well-formed", Warning, End(1, 1))],
            1,
        ),
        case(
            "ampersand",
            changed(">i<", ">i & j<"),
            &[found("usqcd-not-well-formed", Warning, Text(1, 1, " j"))],
            1,
        ),
        case(
            "wrong end tag",
            changed("</plaq>", "</p>"),
            &[found("usqcd-not-well-formed", Warning, Text(1, 1, "><linktr"))],
            1,
        ),
        case("no version", changed(ns, ""), &[found("usqcd-element-missing", Warning, Payload(1, 1))], 1),
        case(
            "neither plaquette nor trace",
            changed("<plaq>0.5</plaq><linktr>-1e-3</linktr>", ""),
            &[found("usqcd-element-missing", Warning, Payload(1, 1)); 2],
            1,
        ),
        case(
            "two texts",
            changed("<info>", "<info/><info>"),
            &[found("usqcd-element-duplicate", Warning, Text(1, 1, "<info>"))],
            1,
        ),
        case(
            "two spins",
            label("<color>", "<spin>1</spin><spin>0</spin><color>"),
            &[found("usqcd-element-duplicate", Error, Text(5, 1, "<spin>1</spin><spin>0"))],
            13,
        ),
        case(
            "version 2.0",
            changed(ns, "<version>2.0</version>"),
            &[found("usqcd-version", Warning, Text(1, 1, "<version>"))],
            1,
        ),
        case(
            "plaquette of no number",
            changed("0.5", "half"),
            &[("usqcd-not-a-number", "QIO 2.3, appendix A.1", Warning, Text(1, 1, "<plaq>"))],
            1,
        ),
        case(
            "color of no number",
            label("<color>0", "<color>red"),
            &[
                ("usqcd-not-a-number", LABELS, Error, Text(5, 1, "<color>")),
                ("usqcd-label-missing", LABELS, Warning, Payload(5, 1)),
            ],
            13,
        ),
        case(
            "spin out of range",
            label("<spin>1", "<spin>4"),
            &[
                ("usqcd-range", LABELS, Error, Text(5, 1, "<spin>")),
                ("usqcd-label-missing", LABELS, Warning, Payload(5, 1)),
            ],
            13,
        ),
        case(
            "color out of range",
            label("<color>0", "<color>4294967296"),
            &[
                ("usqcd-not-a-number", LABELS, Error, Text(5, 1, "<color>")),
                ("usqcd-label-missing", LABELS, Warning, Payload(5, 1)),
            ],
            13,
        ),
        case(
            "unknown type",
            vec![file(&file_text("usqcdPropFile", "USQCD_Twelve")), dirac(0, 0)],
            &[("usqcd-type-unknown", FILE_TEXTS, Warning, Text(0, 1, "<type>"))],
            1,
        ),
        case(
            "type of the other document",
            replaced(
                replaced(c1v3(), (0, 1), "<usqcdKSPropFile", "<usqcdPropFile"),
                (0, 1),
                "</usqcdKSPropFile",
                "</usqcdPropFile",
            ),
            &[("usqcd-type-root", FILE_TEXTS, Warning, Text(0, 1, "<type>"))],
            4,
        ),
        case(
            "gauge field of another type",
            lattice(COMPLEX, INFO),
            &[("usqcd-lattice-datatype", "QIO 2.3, appendix A.1", Info, Record(1, 0))],
            1,
        ),
    ]
}

/// Propagator files with one record that is extra, missing, misplaced or invalid.
pub fn records() -> Vec<Case> {
    let found = |rule, severity, at| (rule, FILES, severity, at);
    let of_type = |rule, severity, at| (rule, RECORDS, severity, at);
    let without = |mut messages: Vec<Vec<Part>>, at: usize| {
        messages.remove(at);
        messages
    };
    let mut swapped = c1d12();
    swapped.swap(12, 13);
    let mut surplus = c1v3();
    surplus.push(vector(2));
    let mut other_root = c1v3();
    other_root[2][1].1 = dirac_text(0, 0).into();
    let mut late_source = c1v3();
    late_source.insert(4, late_source[1].clone());
    let mut pairs_in_disorder: Vec<_> = (0..12).map(|n| (n / 3, n % 3)).collect();
    pairs_in_disorder.swap(3, 4);
    let with_site = |site: &str| {
        let mut messages = dd_pairs([(0, 0)]);
        messages[2] = record(LATTICE, site, &dirac_text(0, 0));
        messages
    };
    let with_region = |message: usize, region: &str| {
        let mut messages = dd_pairs([(0, 0)]);
        let text = String::from_utf8(messages[message][1].1.clone()).expect("text");
        messages[message] = record(region, DIRAC, &text);
        messages
    };
    const SITE: &str = "<recordtype>2</recordtype><spacetime>4</spacetime><hyperlower>0 0 0 0 </hyperlower>\
        <hyperupper>0 0 0 0 </hyperupper>";
    vec![
        case("no source", without(c1v3(), 1), &[found("usqcd-order", Error, Record(1, 2))], 3),
        case("a source too many", late_source, &[found("usqcd-order", Error, Record(4, 2))], 5),
        case(
            "two sources, one solution",
            without(dd_pairs([(0, 0), (1, 1)]), 2),
            &[found("usqcd-order", Error, Record(2, 2))],
            3,
        ),
        case(
            "the last source without solution",
            without(dd_pairs([(0, 0), (1, 1)]), 4),
            &[found("usqcd-solution-missing", Error, Record(3, 2))],
            3,
        ),
        case(
            "no pairs",
            dd_pairs([]),
            &[
                ("file-without-data", "QIO 2.3, section 2.1.1; ILDG 1.2, section 2.2", Error, Record(0, 0)),
                found("usqcd-solution-missing", Error, Payload(0, 1)),
            ],
            0,
        ),
        case(
            "a solution missing",
            without(c1d12(), 4),
            &[
                found("usqcd-label-order", Error, Payload(4, 1)),
                found("usqcd-solution-count", Error, Payload(0, 1)),
            ],
            12,
        ),
        case(
            "the last solution missing",
            without(c1v3(), 4),
            &[found("usqcd-solution-count", Error, Payload(0, 1))],
            3,
        ),
        case("a solution too many", surplus, &[found("usqcd-solution-surplus", Error, Record(5, 2))], 5),
        case("solutions exchanged", swapped, &[found("usqcd-label-order", Error, Payload(12, 1))], 13),
        case(
            "a label repeated",
            replaced(c1v3(), (4, 1), "<color>2", "<color>1"),
            &[found("usqcd-label-repeated", Error, Payload(4, 1))],
            4,
        ),
        case(
            "a solution without spin",
            replaced(c1d12(), (2, 1), "<spin>0</spin>", ""),
            &[("usqcd-label-missing", LABELS, Warning, Payload(2, 1))],
            13,
        ),
        case(
            "twelve pairs in another order",
            dd_pairs(pairs_in_disorder),
            &[("usqcd-pair-order", "QIO 2.3, appendix A.2", Warning, Payload(8, 1))],
            24,
        ),
        case(
            "a record with another text",
            replaced(c1v3(), (2, 1), "usqcdKSPropInfo", "usqcdKSProp"),
            &[
                ("scidac-user-xml", "XML 1.0, section 2.1", Info, Last(2, 1, ">")),
                ("usqcd-record-text", FILES, Info, Record(2, 2)),
                ("usqcd-label-order", FILES, Error, Payload(3, 1)),
                ("usqcd-solution-count", FILES, Error, Payload(0, 1)),
            ],
            4,
        ),
        case(
            "a further record that is not part of the format",
            [c1v3(), vec![record(LATTICE, COMPLEX, "notes")]].concat(),
            &[("usqcd-record-text", FILES, Info, Record(5, 2))],
            5,
        ),
        case(
            "the document of Dirac solutions",
            other_root,
            &[("usqcd-solution-root", LABELS, Warning, Payload(2, 1))],
            4,
        ),
        case(
            "a complex field with a number of colors",
            replaced(c1v3(), (1, 0), "USQCD_F_Complex", "USQCD_F3_Complex"),
            &[("usqcd-datatype-colors", "QIO 2.3, appendix A.2.2", Info, Record(1, 0))],
            4,
        ),
        case(
            "another datatype",
            with_site(&DIRAC.replace("USQCD", "QDP")),
            &[of_type("usqcd-datatype", Warning, Record(2, 0))],
            2,
        ),
        case(
            "no precision",
            with_site(&DIRAC.replace(">F<", ">U<")),
            &[CONTRADICTION, of_type("usqcd-precision", Error, Record(2, 0))],
            2,
        ),
        case(
            "two spins and half the bytes",
            with_site(&DIRAC.replace(">4<", ">2<").replace("96", "48")),
            &[
                CONTRADICTION,
                of_type("usqcd-description", Error, Record(2, 0)),
                of_type("usqcd-description", Error, Record(2, 0)),
            ],
            2,
        ),
        case(
            "a source at one site",
            with_region(1, SITE),
            &[found("usqcd-region", Warning, Record(1, 0))],
            2,
        ),
        case(
            "a solution on one time slice",
            with_region(2, SLICE),
            &[("usqcd-region", LABELS, Warning, Record(2, 0))],
            2,
        ),
        case(
            "global data",
            with_region(2, "<recordtype>1</recordtype>"),
            &[("usqcd-region", LABELS, Warning, Record(2, 0))],
            2,
        ),
    ]
}
