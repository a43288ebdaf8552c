//! Every number in every document of SciDAC and ILDG: which texts are accepted, and the errors for others. Every
//! element is also tested repeated and left out.

use linkstream::ildg::Format;
use linkstream::lattice::Extents;
use linkstream::scidac::{PrivateFile, PrivateRecord, StoredChecksum};
use linkstream::xml::{ElementName, ErrorKind, NumberFault};
use linkstream::{Diagnostic as _, Error};

/// A document as a list of elements, so that one can be changed, repeated or left out.
#[derive(Debug, Clone)]
struct Draft {
    root: &'static str,
    elements: Vec<(&'static str, String)>,
}

impl Draft {
    fn new(root: &'static str, elements: &[(&'static str, &str)]) -> Self {
        let elements = elements.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        Self { root, elements }
    }

    fn with(&self, name: &str, value: &str) -> Self {
        let mut draft = self.clone();
        let slot = draft.elements.iter_mut().find(|(n, _)| *n == name);
        value.clone_into(&mut slot.unwrap_or_else(|| panic!("there is no element {name}")).1);
        draft
    }

    fn without(&self, name: &str) -> Self {
        let mut draft = self.clone();
        draft.elements.retain(|(n, _)| *n != name);
        draft
    }

    fn twice(&self, name: &'static str) -> Self {
        let mut draft = self.clone();
        let value = draft.elements.iter().find(|(n, _)| *n == name).expect("an element").1.clone();
        draft.elements.push((name, value));
        draft
    }

    fn text(&self) -> String {
        let body: String =
            self.elements.iter().map(|(name, value)| format!("<{name}>{value}</{name}>")).collect();
        format!("<?xml version=\"1.0\"?><{0}>{body}</{0}>", self.root)
    }

    /// The error of reading it.
    fn fault(&self) -> Option<Error<ErrorKind>> {
        let text = self.text();
        let text = text.as_bytes();
        match self.root {
            "scidacFile" => PrivateFile::parse(text).err(),
            "scidacRecord" => PrivateRecord::parse(text).err(),
            "scidacChecksum" => StoredChecksum::parse(text).err(),
            _ => Format::parse(text).err(),
        }
    }

    /// Offset of the last element with this name.
    fn at(&self, name: &str) -> u64 {
        self.text().rfind(&format!("<{name}>")).expect("an element") as u64
    }
}

fn file() -> Draft {
    Draft::new("scidacFile", &[("version", "1.1"), ("spacetime", "1"), ("dims", "5"), ("volfmt", "0")])
}

fn record() -> Draft {
    Draft::new(
        "scidacRecord",
        &[
            ("version", "1.1"),
            ("date", "today"),
            ("recordtype", "0"),
            ("spacetime", "1"),
            ("hyperlower", "2"),
            ("hyperupper", "3"),
            ("datatype", "T"),
            ("precision", "F"),
            ("colors", "3"),
            ("spins", "4"),
            ("typesize", "4"),
            ("datacount", "1"),
        ],
    )
}

fn checksum() -> Draft {
    Draft::new("scidacChecksum", &[("version", "1.0"), ("suma", "1"), ("sumb", "2")])
}

fn format() -> Draft {
    Draft::new(
        "ildgFormat",
        &[
            ("version", "1.2"),
            ("field", "su3gauge"),
            ("rows", "2"),
            ("precision", "32"),
            ("lx", "2"),
            ("ly", "3"),
            ("lz", "4"),
            ("lt", "5"),
        ],
    )
}

fn drafts() -> [Draft; 4] {
    [file(), record(), checksum(), format()]
}

/// All elements that contain a decimal number or a list of decimal numbers.
fn decimals() -> Vec<(Draft, &'static str, ElementName)> {
    let mut all = vec![
        (file(), "spacetime", ElementName::Spacetime),
        (file(), "dims", ElementName::Dims),
        (file(), "volfmt", ElementName::Volfmt),
        (record(), "recordtype", ElementName::Recordtype),
        (record(), "spacetime", ElementName::Spacetime),
        (record(), "hyperlower", ElementName::Hyperlower),
        (record(), "hyperupper", ElementName::Hyperupper),
        (record(), "colors", ElementName::Colors),
        (record(), "spins", ElementName::Spins),
        (record(), "typesize", ElementName::Typesize),
        (record(), "datacount", ElementName::Datacount),
        (format(), "rows", ElementName::Rows),
        (format(), "lx", ElementName::Lx),
        (format(), "ly", ElementName::Ly),
        (format(), "lz", ElementName::Lz),
        (format(), "lt", ElementName::Lt),
    ];
    let old_file = Draft::new(
        "scidacFile",
        &[("version", "1.0"), ("spacetime", "1"), ("dims", "5"), ("multifile", "1")],
    );
    let mut old_record = record().without("recordtype").with("version", "1.0");
    old_record.elements.push(("globaldata", "0".into()));
    all.push((old_file, "multifile", ElementName::Multifile));
    all.push((old_record, "globaldata", ElementName::Globaldata));
    all
}

#[test]
fn invalid_numbers_are_refused_with_the_reason() {
    use NumberFault::{Empty, NotDigits, Signed, TooLarge};
    let faults = [
        ("", Empty),
        (" \n\t ", Empty),
        ("<![CDATA[]]>", Empty),
        ("-1", Signed),
        ("+1", Signed),
        ("-0", Signed),
        (" -4294967297 ", Signed),
        ("4294967296", TooLarge),
        ("4294967298", TooLarge),
        ("18446744073709551617", TooLarge),
        ("99999999999999999999999999999999999999999", TooLarge),
        ("1.0", NotDigits),
        ("1e0", NotDigits),
        ("0x1", NotDigits),
        ("1x", NotDigits),
        ("x1", NotDigits),
        ("one", NotDigits),
        ("1,1", NotDigits),
        ("1;", NotDigits),
        ("- 1", NotDigits),
        ("--1", NotDigits),
        ("1-", NotDigits),
        ("-", NotDigits),
        ("1_000", NotDigits),
        ("\u{661}", NotDigits),
        ("\u{ff11}", NotDigits),
        ("&#x661;", NotDigits),
        ("1&lt;", NotDigits),
    ];
    for (draft, name, element) in decimals() {
        assert_eq!(draft.fault(), None, "{draft:?}");
        // xs:integer in the schema of `ildgFormat` (ILDG 1.2, appendix A.1).
        let may_have_plus = ["rows", "lx", "ly", "lz", "lt"].contains(&name);
        for (value, fault) in faults.into_iter().filter(|(value, _)| !(may_have_plus && *value == "+1")) {
            let draft = draft.with(name, value);
            let expected = Error::new(draft.at(name), ErrorKind::Number(element, fault));
            assert_eq!(draft.fault(), Some(expected), "<{name}>{value}</{name}>");
            assert_eq!(expected.kind.severity(), linkstream::Severity::Error);
        }
    }
    for (draft, name, element) in decimals() {
        let is_list = ["dims", "hyperlower", "hyperupper"].contains(&name);
        let draft = draft.with(name, "1 1");
        let expected = Error::new(draft.at(name), ErrorKind::Number(element, NotDigits));
        assert_eq!(draft.fault() == Some(expected), !is_list, "{name} as a list");
    }
}

#[test]
fn one_number_in_many_ways() {
    let ways = [
        "7",
        " 7 ",
        "\n\t7\r\n",
        "007",
        "0000000000000000000000007",
        "&#55;",
        "&#x37;",
        "<![CDATA[7]]>",
        "<!-- seven -->7",
        "7<?php ?>",
    ];
    for value in ways {
        let read =
            |name| PrivateRecord::parse(record().with(name, value).text().as_bytes()).expect("a number");
        assert_eq!((read("colors").colors, read("spins").spins), (7, 7), "{value}");
        assert_eq!((read("typesize").typesize, read("datacount").datacount), (7, 7), "{value}");
        let format = Format::parse(format().with("lt", value).text().as_bytes()).expect("a number");
        assert_eq!(format.extents().expect("a lattice").as_slice(), [2, 3, 4, 7], "{value}");
    }
    for value in ["+7", " +007 "] {
        let format = Format::parse(format().with("lt", value).text().as_bytes()).expect("an xs:integer");
        assert_eq!(format.extents().expect("a lattice").as_slice(), [2, 3, 4, 7], "{value}");
    }
    for value in ["4294967295", "04294967295"] {
        let read = PrivateRecord::parse(record().with("typesize", value).text().as_bytes()).expect("32 bits");
        assert_eq!(read.typesize, u32::MAX);
    }
}

#[test]
fn one_list_in_many_ways() {
    let ways = [
        "2 3 4 5",
        "2 3 4 5 ",
        " 2 3 4 5",
        "2 \n3 \n4 \n5",
        "2\n3\n4\n5",
        "2\t3\r4\r\n5",
        "02  3   4 0005",
        "2<!-- --> 3 4 5",
        "&#50; 3 4 5",
    ];
    for value in ways {
        let draft = file().with("spacetime", "4").with("dims", value);
        let read = PrivateFile::parse(draft.text().as_bytes()).expect("a list");
        assert_eq!(read.extents(), Extents::new(&[2, 3, 4, 5]).ok(), "{value:?}");
    }
    let faults = [
        ("2 -3", NumberFault::Signed),
        ("2 +3", NumberFault::Signed),
        ("2 3x", NumberFault::NotDigits),
        ("2,3", NumberFault::NotDigits),
        ("2 3,", NumberFault::NotDigits),
        ("2-3", NumberFault::NotDigits),
        ("2 4294967296", NumberFault::TooLarge),
        ("1 1 1 1 1 1 1 1 1", NumberFault::TooMany),
    ];
    for (value, fault) in faults {
        for (draft, name, element) in [
            (file(), "dims", ElementName::Dims),
            (record(), "hyperlower", ElementName::Hyperlower),
            (record(), "hyperupper", ElementName::Hyperupper),
        ] {
            let draft = draft.with(name, value);
            let expected = Error::new(draft.at(name), ErrorKind::Number(element, fault));
            assert_eq!(draft.fault(), Some(expected), "<{name}>{value}");
        }
    }
    let eight = file().with("spacetime", "8").with("dims", "1 2 1 2 1 2 1 2");
    assert_eq!(eight.fault(), None);
}

#[test]
fn sums_in_hexadecimal() {
    let read = |value: &str| {
        let draft = checksum().with("suma", value);
        let error = draft.fault();
        assert!(error.is_none_or(|error| error.at == draft.at("suma")), "{value}");
        StoredChecksum::parse(draft.text().as_bytes()).map_err(|e| e.kind).map(|c| c.suma().expect("given"))
    };
    for (value, sum) in [
        ("0", 0),
        ("00000000", 0),
        ("5a0703", 0x5a_0703),
        ("005a0703", 0x5a_0703),
        ("5A0703", 0x5a_0703),
        ("0x5a0703", 0x5a_0703),
        ("0X00000000000005A0703", 0x5a_0703),
        (" ffffffff\n", u32::MAX),
        ("FfFfFfFf", u32::MAX),
        ("&#x61;", 0xa),
    ] {
        assert_eq!(read(value), Ok(sum), "{value}");
    }
    for (value, fault) in [
        ("", NumberFault::Empty),
        ("0x", NumberFault::Empty),
        ("100000000", NumberFault::TooLarge),
        ("0x100000000", NumberFault::TooLarge),
        ("ffffffffffffffffffffffffffffffffffff", NumberFault::TooLarge),
        ("-1", NumberFault::Signed),
        ("+1", NumberFault::Signed),
        ("0x-1", NumberFault::Signed),
        ("xyz", NumberFault::NotDigits),
        ("12g", NumberFault::NotDigits),
        ("0x0x1", NumberFault::NotDigits),
        ("1 2", NumberFault::NotDigits),
        ("1.5", NumberFault::NotDigits),
        ("\u{ff11}", NumberFault::NotDigits),
    ] {
        assert_eq!(read(value), Err(ErrorKind::Number(ElementName::Suma, fault)), "{value}");
    }
}

/// Numbers that the document does not allow.
#[test]
fn values_that_a_document_does_not_allow() {
    let cases = [
        (file(), "volfmt", "4", ElementName::Volfmt),
        (record(), "recordtype", "3", ElementName::Recordtype),
        (record(), "typesize", "0", ElementName::Typesize),
        (record(), "datacount", "0", ElementName::Datacount),
        (format(), "precision", "16", ElementName::Precision),
        (format(), "precision", "0", ElementName::Precision),
        (format(), "precision", "128", ElementName::Precision),
        // The schema enumerates the tokens 32 and 64.
        (format(), "precision", "032", ElementName::Precision),
        (format(), "field", "su3", ElementName::Field),
        (format(), "field", "", ElementName::Field),
    ];
    for (draft, name, value, element) in cases {
        let draft = draft.with(name, value);
        let expected = Error::new(draft.at(name), ErrorKind::Value(element));
        assert_eq!(draft.fault(), Some(expected), "<{name}>{value}");
    }
    for rows in ["0", "1", "4", "65538", "4294967295"] {
        let expected = Error::new(0, ErrorKind::Value(ElementName::Rows));
        assert_eq!(format().with("rows", rows).fault(), Some(expected), "{rows} rows of SU(3)");
    }
}

/// The required elements of each document, by sections 3.4 to 3.6 of the fact sheet and by the schema.
#[test]
fn every_required_element_is_missed() {
    let required: [(Draft, &[(&str, ElementName)]); 5] = [
        (
            file(),
            &[
                ("version", ElementName::Version),
                ("spacetime", ElementName::Spacetime),
                ("dims", ElementName::Dims),
                ("volfmt", ElementName::Volfmt),
            ],
        ),
        (
            record(),
            &[
                ("version", ElementName::Version),
                ("recordtype", ElementName::Recordtype),
                ("datatype", ElementName::Datatype),
                ("precision", ElementName::Precision),
                ("typesize", ElementName::Typesize),
                ("datacount", ElementName::Datacount),
            ],
        ),
        (
            record().with("recordtype", "2"),
            &[
                ("spacetime", ElementName::Spacetime),
                ("hyperlower", ElementName::Hyperlower),
                ("hyperupper", ElementName::Hyperupper),
            ],
        ),
        (checksum(), &[("version", ElementName::Version)]),
        (
            format(),
            &[
                ("version", ElementName::Version),
                ("field", ElementName::Field),
                ("precision", ElementName::Precision),
                ("lx", ElementName::Lx),
                ("ly", ElementName::Ly),
                ("lz", ElementName::Lz),
                ("lt", ElementName::Lt),
            ],
        ),
    ];
    for (draft, elements) in required {
        for (name, element) in elements {
            let expected = Error::new(0, ErrorKind::Missing(*element));
            assert_eq!(draft.without(name).fault(), Some(expected), "{name} of {}", draft.root);
        }
    }
    // No other element is required.
    for name in ["date", "colors", "spins", "spacetime", "hyperlower", "hyperupper"] {
        assert_eq!(record().without(name).fault(), None, "{name}");
    }
    for name in ["suma", "sumb"] {
        assert_eq!(checksum().without(name).fault(), None, "{name}");
    }
    assert_eq!(format().without("rows").fault(), None);
}

#[test]
fn every_element_given_twice_is_found_at_its_second_place() {
    for draft in drafts() {
        for (name, _) in draft.elements.clone() {
            let twice = draft.twice(name);
            let error = twice.fault().unwrap_or_else(|| panic!("{name} of {} twice", draft.root));
            let ErrorKind::Duplicate(element) = error.kind else { panic!("{name} twice: {error}") };
            assert_eq!((element.as_str(), error.at), (name, twice.at(name)));
        }
    }
}

/// A known element contains a value and no other elements.
#[test]
fn elements_in_elements_are_refused() {
    for draft in drafts() {
        for (name, value) in draft.elements.clone() {
            for nested in
                [format!("<a>{value}</a>"), format!("{value}<a/>"), format!("<{name}>{value}</{name}>")]
            {
                let draft = draft.with(name, &nested);
                let error = draft.fault().unwrap_or_else(|| panic!("{nested} in {name}"));
                let ErrorKind::Nested(element) = error.kind else { panic!("{nested} in {name}: {error}") };
                let first = draft.text().find(&format!("<{name}>")).expect("it is present") as u64;
                assert_eq!((element.as_str(), error.at), (name, first));
            }
        }
    }
}

/// The number of bounds must equal the number of dimensions.
#[test]
fn dimensions_are_counted() {
    let dimensions = |spacetime, listed| Some(Error::new(0, ErrorKind::Dimensions { spacetime, listed }));
    for (spacetime, list, listed) in
        [("2", "5", 1), ("1", "5 5", 2), ("0", "5", 1), ("4294967295", "5 5 5", 3)]
    {
        let number = spacetime.parse().expect("a number");
        let draft = file().with("spacetime", spacetime).with("dims", list);
        assert_eq!(draft.fault(), dimensions(number, listed), "{spacetime}: {list}");
        let draft = record().with("recordtype", "2").with("spacetime", spacetime);
        let draft = draft.with("hyperlower", list).with("hyperupper", list);
        assert_eq!(draft.fault(), dimensions(number, listed), "{spacetime}: {list}");
    }
    // They are not needed without a hypercube.
    assert_eq!(record().with("spacetime", "7").fault(), None);
}

/// Elements of other documents are ignored, whatever they contain and however often they occur.
#[test]
fn elements_of_other_documents_are_passed_over() {
    let drafts = drafts();
    for draft in &drafts {
        for (name, _) in drafts.iter().flat_map(|other| &other.elements) {
            if draft.elements.iter().any(|(own, _)| own == name) {
                continue;
            }
            let mut mixed = draft.clone();
            mixed.elements.insert(0, (name, "-junk".into()));
            mixed.elements.push((name, "<deep>1</deep>".into()));
            assert_eq!(mixed.fault(), None, "{name} in {}", draft.root);
        }
    }
}

/// Texts of the maximum length, of one byte more, and of far more.
#[test]
fn texts_that_are_too_long_are_a_limit() {
    for (name, element, limit) in [
        ("date", ElementName::Date, 64),
        ("datatype", ElementName::Datatype, 64),
        ("precision", ElementName::Precision, 8),
    ] {
        let of = |length: usize| record().with(name, &"w".repeat(length));
        assert_eq!(of(limit).fault(), None);
        for length in [limit + 1, 128, 129, 100_000] {
            let draft = of(length);
            let (length, limit) = (length as u32, limit as u32);
            let expected = Error::new(draft.at(name), ErrorKind::TooLong { element, length, limit });
            assert_eq!(draft.fault(), Some(expected), "{name} of {length} bytes");
            assert_eq!(expected.kind.class(), linkstream::Class::Limit);
        }
    }
    // An unknown element may have any length.
    let mut draft = record();
    draft.elements.push(("comment", "w".repeat(100_000)));
    assert_eq!(draft.fault(), None);
}
