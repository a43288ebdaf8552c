//! Presence and order of records, and their texts (ILDG 1.2, sections 2.2, 2.4 and 2.6).

use linkstream::Severity;

use super::{Case, NEED_OF_UPDATES, SECTION_2_2, SECTION_2_6, case, one};
use crate::field::support::build::Part;
use crate::field::support::ildg::At::{Payload, Record, Text};
use crate::field::support::ildg::{data, format, good, lfn, update};

pub fn order() -> Vec<Case> {
    let [f, d] = [format("u1phase"), data("u1phase")];
    let u = |digits: &str| update(digits);
    let found = |rule, severity, at| (rule, SECTION_2_2, severity, at);
    vec![
        case("good", good(), &[], 1),
        case("name first", vec![vec![lfn("a")], vec![f.clone(), d.clone()]], &[], 1),
        case("one message", vec![vec![lfn("a"), f.clone(), u("1"), ("x", vec![1]), d.clone()]], &[], 1),
        case(
            "data without a format",
            one(vec![d.clone()]),
            &[found("data-undescribed", Severity::Error, Record(0, 0))],
            0,
        ),
        case(
            "format in another message",
            vec![vec![f.clone()], vec![d.clone(), lfn("a")]],
            &[found("data-described-in-another-message", Severity::Warning, Record(1, 0))],
            1,
        ),
        case(
            "format without data",
            one(vec![f.clone()]),
            &[found("data-missing", Severity::Error, Record(0, 0))],
            0,
        ),
        case(
            "format after data",
            one(vec![d.clone(), f.clone()]),
            &[
                found("data-undescribed", Severity::Error, Record(0, 0)),
                found("ildg-format-behind-data", Severity::Warning, Record(0, 1)),
            ],
            0,
        ),
        case(
            "another format after data",
            vec![vec![f.clone(), d.clone(), f.clone(), lfn("a")], good()[0].clone()],
            &[
                found("ildg-format-behind-data", Severity::Warning, Record(0, 2)),
                ("ildg-update-missing", NEED_OF_UPDATES, Severity::Warning, Record(1, 1)),
            ],
            2,
        ),
        case(
            "two formats",
            one(vec![format("u1gauge"), f.clone(), d.clone()]),
            &[found("ildg-format-repeated", Severity::Error, Record(0, 1))],
            1,
        ),
        case(
            "two formats after data",
            one(vec![f.clone(), d.clone(), f.clone(), f.clone()]),
            &[
                found("ildg-format-repeated", Severity::Error, Record(0, 3)),
                found("ildg-format-behind-data", Severity::Warning, Record(0, 3)),
            ],
            1,
        ),
        case(
            "update in front of the format",
            one(vec![u("1"), f.clone(), d.clone()]),
            &[found("ildg-update-misplaced", Severity::Warning, Record(0, 0))],
            1,
        ),
        case(
            "update after the data",
            one(vec![f.clone(), d.clone(), u("1")]),
            &[found("ildg-update-misplaced", Severity::Warning, Record(0, 2))],
            1,
        ),
        case(
            "update in another message",
            vec![good()[0].clone(), vec![u("1"), lfn("a")]],
            &[found("ildg-update-misplaced", Severity::Warning, Record(1, 0))],
            1,
        ),
        case(
            "two updates",
            one(vec![f.clone(), u("1"), u("1"), d.clone()]),
            &[found("ildg-update-repeated", Severity::Warning, Record(0, 2))],
            1,
        ),
        case(
            "reserved namespace",
            one(vec![f.clone(), ("ildg-checksum", vec![]), d.clone(), ("ildg", vec![]), ("ILDG-x", vec![])]),
            &[found("ildg-type-unknown", Severity::Warning, Record(0, 1))],
            1,
        ),
    ]
}

pub fn uniqueness() -> Vec<Case> {
    let found = |rule, severity, at| (rule, SECTION_2_2, severity, at);
    let missing = |at| ("ildg-update-missing", NEED_OF_UPDATES, Severity::Warning, at);
    let field = |kind: &str, digits: &str| vec![format(kind), update(digits), data(kind)];
    let name = |text: &str| vec![lfn(text)];
    // Two more pairs of kind and update than the decoder remembers.
    let many: Vec<Vec<Part>> =
        (0..18).map(|n| field("u1phase", &n.to_string())).chain([name("a"), field("u1phase", "0")]).collect();
    vec![
        case(
            "kind and update again",
            vec![field("u1phase", "7"), field("u1phase", " 7\n\0x"), name("a")],
            &[found("ildg-field-repeated", Severity::Warning, Record(1, 2))],
            2,
        ),
        case(
            "kind or update again",
            vec![field("u1phase", "7"), field("u1phase", "07"), field("u1gauge", "7"), name("a")],
            &[],
            3,
        ),
        case(
            "in one message",
            vec![[field("u1phase", "7"), field("u1phase", "7"), name("a")].concat()],
            &[found("ildg-field-repeated", Severity::Warning, Record(0, 5))],
            2,
        ),
        case(
            "too many to remember",
            many,
            // The first pairs are still remembered.
            &[
                found("ildg-fields-not-judged", Severity::Info, Record(16, 2)),
                found("ildg-field-repeated", Severity::Warning, Record(19, 2)),
            ],
            19,
        ),
        case(
            "no update",
            vec![good()[0].clone(), field("u1phase", "1"), name("a")],
            &[missing(Record(1, 2))],
            2,
        ),
        // No kind occurs twice (section 2.4).
        case(
            "one update in one of two messages",
            vec![field("u1phase", "1"), vec![format("u1gauge"), data("u1gauge")], name("a")],
            &[],
            2,
        ),
        case(
            "two updates, then none",
            vec![
                field("u1phase", "1"),
                field("u1gauge", "2"),
                vec![format("so2gauge"), data("so2gauge")],
                name("a"),
            ],
            &[missing(Record(2, 1))],
            3,
        ),
        case(
            "none, then two updates",
            vec![
                vec![format("so2gauge"), data("so2gauge")],
                field("u1phase", "1"),
                field("u1gauge", "2"),
                field("su2gauge", "1"),
                name("a"),
            ],
            &[missing(Record(2, 2))],
            4,
        ),
        case(
            "two names",
            vec![good()[0].clone(), name("lfn://a"), name("lfn://b"), name("lfn://a\n")],
            &[
                found("ildg-lfn-repeated", Severity::Warning, Payload(2, 0)),
                found("ildg-lfn-repeated", Severity::Info, Payload(3, 0)),
            ],
            1,
        ),
        case(
            "no name",
            vec![good()[0].clone()],
            &[found("ildg-lfn-missing", Severity::Info, Record(0, 0))],
            1,
        ),
    ]
}

pub fn texts() -> Vec<Case> {
    let name = |text: &str| vec![vec![format("u1phase"), data("u1phase")], vec![lfn(text)]];
    let single = ("ildg-lfn-not-single", SECTION_2_6, Severity::Warning, Payload(1, 0));
    let byte = |at| ("ildg-text-byte", SECTION_2_2, Severity::Warning, at);
    let with_update =
        |text| vec![vec![format("u1phase"), update(text), data("u1phase")], vec![lfn("lfn://a")]];
    let not_digits = ("ildg-update-not-digits", "ILDG 1.2, section 2.4", Severity::Warning, Payload(0, 1));
    vec![
        case("name of two words", name("lfn://a b"), &[single], 1),
        case("name of two lines", name("lfn://a\nb\n"), &[single], 1),
        case("blanks around the name", name(" lfn://a \n\0 b"), &[], 1),
        case(
            "empty name",
            name(" \n"),
            &[("ildg-lfn-empty", SECTION_2_6, Severity::Warning, Payload(1, 0))],
            1,
        ),
        case("carriage return", name("lfn://a\r\n"), &[byte(Text(1, 0, "\r"))], 1),
        case("delete", with_update("1\x7f"), &[byte(Text(0, 1, "\x7f")), not_digits], 1),
        case("update of two numbers", with_update("1 2"), &[not_digits], 1),
        case("no update in the record", with_update(""), &[not_digits], 1),
    ]
}
