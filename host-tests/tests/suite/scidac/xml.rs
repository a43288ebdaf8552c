//! The XML parser is compared with another one (`roxmltree`) on generated documents of the dialect, and gets arbitrary
//! input: it never panics, and a truncated document is never accepted as complete.

use crate::scidac::generated::{Draft, Generated, Random};
use linkstream::Diagnostic as _;
use linkstream::ildg::Format;
use linkstream::lattice::Extents;
use linkstream::scidac::{PrivateFile, PrivateRecord, StoredChecksum};
use linkstream::xml::ErrorKind;
use proptest::prelude::*;

/// The value of an element as read by the other parser: all its text, without white space at its ends.
fn by_other_parser(document: &roxmltree::Document<'_>, name: &str) -> String {
    let root = document.root_element();
    let element = root.children().find(|child| child.tag_name().name() == name).expect("generated");
    let text: String = element.children().filter(|c| c.is_text()).filter_map(|c| c.text()).collect();
    text.trim().to_owned()
}

/// Compares both parsers with the generated values. `ours` returns a value as read by linkstream.
fn compare(generated: &Generated, ours: &dyn Fn(&str) -> Option<String>) {
    let text = &generated.text;
    let other = roxmltree::Document::parse(text).unwrap_or_else(|e| panic!("generated badly: {e}\n{text}"));
    assert_eq!(other.root_element().tag_name().name(), generated.root);
    for (name, value) in &generated.values {
        assert_eq!(&by_other_parser(&other, name), value, "generated badly: <{name}> of\n{text}");
        if let Some(ours) = ours(name) {
            assert_eq!(&ours, value, "<{name}> of\n{text}");
        }
    }
}

fn unwrap<T, E: std::fmt::Display>(read: Result<T, E>, generated: &Generated) -> T {
    read.unwrap_or_else(|e| panic!("{e}\n{}", generated.text))
}

fn word(random: &mut Random, most: usize) -> String {
    let alphabet =
        ['a', 'Z', '0', '_', ' ', '-', '&', '<', '>', '"', '\'', ']', '/', '\u{e4}', '\u{3b1}', ';', '#'];
    let length = random.below(most + 1);
    let mut word = String::new();
    while word.len() < length {
        word.push(alphabet[random.below(alphabet.len())]);
    }
    let mut word = word.trim().to_owned();
    while word.len() > most {
        word.pop();
    }
    word.trim().to_owned()
}

fn number(random: &mut Random) -> u32 {
    match random.below(4) {
        0 => 1 + random.below(9) as u32,
        1 => u32::MAX,
        _ => 1 + random.below(1 << 31) as u32,
    }
}

fn private_record(random: &mut Random) {
    let numbers: Vec<String> = (0..4).map(|_| number(random).to_string()).collect();
    let (low, high) = (random.below(3) as u32, 3 + random.below(3) as u32);
    let mut draft = Draft::new("scidacRecord");
    draft.text("version", "1.1");
    draft.text("date", &word(random, 64));
    draft.text("recordtype", "2");
    draft.text("spacetime", "2");
    draft.list("hyperlower", &[low, 1]);
    draft.list("hyperupper", &[high, 4]);
    draft.text("datatype", &word(random, 64));
    draft.text("precision", &word(random, 8));
    for (name, number) in ["colors", "spins", "typesize", "datacount"].iter().zip(&numbers) {
        draft.text(name, number);
    }
    let generated = draft.generate(random);
    let read = unwrap(PrivateRecord::parse(generated.text.as_bytes()), &generated);
    let lattice = Extents::new(&[6, 5]).expect("small");
    let region = read.region(&lattice).expect("inside");
    let linkstream::lattice::Region::Hypercube(cube) = region else { panic!("{region:?}") };
    assert_eq!((cube.lower().as_slice(), cube.upper().as_slice()), (&[low, 1][..], &[high, 4][..]));
    compare(&generated, &|name| match name {
        "version" => Some(read.version().to_owned()),
        "date" => Some(read.date.to_string()),
        "datatype" => Some(read.datatype.to_string()),
        "precision" => Some(read.precision.to_string()),
        "colors" => Some(read.colors.to_string()),
        "spins" => Some(read.spins.to_string()),
        "typesize" => Some(read.typesize.to_string()),
        "datacount" => Some(read.datacount.to_string()),
        _ => None,
    });
}

fn private_file(random: &mut Random) {
    let extents: Vec<u32> = (0..1 + random.below(8)).map(|_| 1 + random.below(250) as u32).collect();
    let mut draft = Draft::new("scidacFile");
    draft.text("version", ["1.0", "1.1", "1"][random.below(3)]);
    draft.text("spacetime", &extents.len().to_string());
    draft.list("dims", &extents);
    draft.text("volfmt", "0");
    let generated = draft.generate(random);
    let read = unwrap(PrivateFile::parse(generated.text.as_bytes()), &generated);
    assert_eq!(read.extents(), Extents::new(&extents).ok(), "{}", generated.text);
    compare(&generated, &|name| (name == "version").then(|| read.version().to_owned()));
}

fn format(random: &mut Random) {
    let mut draft = Draft::new("ildgFormat");
    draft.text("version", ["1.0", "1.1", "1.2"][random.below(3)]);
    draft.text("field", ["su3gauge", "so4gauge", "sp6gauge", "u1phase"][random.below(4)]);
    draft.text("precision", ["32", "64"][random.below(2)]);
    for name in ["lx", "ly", "lz", "lt"] {
        draft.text(name, &(1 + random.below(64)).to_string());
    }
    // The schema of this document is a sequence.
    let generated = draft.in_order().generate(random);
    let read = unwrap(Format::parse(generated.text.as_bytes()), &generated);
    let extents = read.extents().expect("a lattice");
    compare(&generated, &|name| {
        let direction = ["lx", "ly", "lz", "lt"].iter().position(|n| *n == name);
        match (name, direction) {
            (_, Some(direction)) => Some(extents.as_slice()[direction].to_string()),
            ("version", _) => Some(read.version().to_owned()),
            ("field", _) => Some(read.kind().to_string()),
            ("precision", _) => Some(read.precision().bits().to_string()),
            _ => None,
        }
    });
}

fn checksum(random: &mut Random) {
    let [suma, sumb] = [number(random), number(random)];
    let mut draft = Draft::new("scidacChecksum");
    draft.text("version", "1.0");
    draft.text("suma", &format!("{suma:x}"));
    draft.text("sumb", &format!("{sumb:x}"));
    let generated = draft.generate(random);
    let read = unwrap(StoredChecksum::parse(generated.text.as_bytes()), &generated);
    let hex = |sum: Option<u32>| sum.map(|sum| format!("{sum:x}"));
    compare(&generated, &|name| match name {
        "suma" => hex(read.suma()),
        "sumb" => hex(read.sumb()),
        _ => None,
    });
}

/// Reads the bytes as every kind of document. Nothing may panic.
fn read_as_everything(bytes: &[u8]) -> [Result<(), linkstream::Error<ErrorKind>>; 4] {
    [
        PrivateFile::parse(bytes).map(|_| ()),
        PrivateRecord::parse(bytes).map(|_| ()),
        StoredChecksum::parse(bytes).map(|_| ()),
        Format::parse(bytes).map(|_| ()),
    ]
}

const WHOLE: &str = "<?xml version=\"1.0\"?>\n<!-- c --><scidacFile a=\"b>\"><version>1.1</version><spacetime>2\
    </spacetime><dims>4 <![CDATA[8]]></dims ><volfmt>&#48;</volfmt><x><y/></x></scidacFile >\n";

#[test]
fn a_document_cut_short_is_never_whole() {
    let end = WHOLE.rfind('>').expect("it is present") + 1;
    for cut in 0..=WHOLE.len() {
        let read = PrivateFile::parse(&WHOLE.as_bytes()[..cut]);
        assert_eq!(read.is_ok(), cut >= end, "{cut}: {read:?}");
        // A NUL ends the text, as the end of the record does.
        let mut with_nul = WHOLE.as_bytes()[..cut].to_vec();
        with_nul.extend_from_slice(b"\0</scidacFile>");
        assert_eq!(PrivateFile::parse(&with_nul).is_ok(), cut >= end, "{cut} and NUL");
        if let Err(error) = read {
            assert!(error.at <= cut as u64, "{error:?}");
        }
    }
}

/// Bytes after the document are reported, whether or not the text then ends with a NUL.
#[test]
fn nothing_may_follow_the_document() {
    let behind = |text: &str| {
        let whole = format!("{}{text}", WHOLE.trim_end());
        PrivateFile::parse(whole.as_bytes()).map_err(|e| e.kind).err()
    };
    for text in ["", "\n", "\0", "\0junk<", " \0\0", "<!-- c -->", "<?pi ?>\n", "<!-- c -->\0<!--"] {
        assert_eq!(behind(text), None, "{text:?}");
    }
    for text in [
        "x",
        "<a/>",
        "<scidacFile>",
        "<!-- c",
        "<!-- c\0",
        "<",
        "<\0",
        "<?pi",
        "<?pi\0",
        "&amp;",
        "</scidacFile>",
    ] {
        assert_eq!(behind(text), Some(ErrorKind::TextBehind), "{text:?}");
    }
}

#[test]
fn a_byte_order_mark_is_whole_or_none() {
    for (mark, ok) in [("\u{feff}".as_bytes(), true), (b"", true), (b"\xef", false), (b"\xef\xbb", false)] {
        for between in ["", " "] {
            let bytes = [mark, between.as_bytes(), WHOLE.as_bytes()].concat();
            // White space after the byte order mark precedes the declaration.
            let expected = match (ok, between) {
                (true, "") => None,
                (true, _) => Some((mark.len() as u64 + 1, ErrorKind::SpaceBeforeDeclaration)),
                (false, _) => Some((mark.len() as u64, ErrorKind::NotXml)),
            };
            let expected = expected.map(|(at, kind)| linkstream::Error::new(at, kind));
            assert_eq!(PrivateFile::parse(&bytes).err(), expected, "{mark:?} {between:?}");
        }
    }
}

/// Texts that are not XML of this dialect, and their errors.
#[test]
fn malformed_documents_are_called_by_their_fault() {
    let body = "<version>1.1</version><spacetime>1</spacetime><dims>4</dims><volfmt>0</volfmt>";
    let inside = |text: &str| format!("<scidacFile>{body}{text}</scidacFile>");
    let around = |before: &str, tag: &str| format!("{before}<{tag}>{body}</scidacFile>");
    for (document, kind) in [
        (String::new(), ErrorKind::Empty),
        (" \n\t".into(), ErrorKind::Empty),
        ("\0<scidacFile/>".into(), ErrorKind::Empty),
        ("text".into(), ErrorKind::NotXml),
        (around("text", "scidacFile"), ErrorKind::NotXml),
        (around("\u{feff}\u{feff}", "scidacFile"), ErrorKind::NotXml),
        (around(" \u{feff}", "scidacFile"), ErrorKind::NotXml),
        (around("<!DOCTYPE scidacFile>", "scidacFile"), ErrorKind::Doctype),
        (around("", "scidacFiles"), ErrorKind::WrongRoot { expected: "scidacFile" }),
        (around("", "ScidacFile"), ErrorKind::WrongRoot { expected: "scidacFile" }),
        (around("", "scidacFil"), ErrorKind::WrongRoot { expected: "scidacFile" }),
        ("</scidacFile>".into(), ErrorKind::StrayEndTag),
        (inside("</other>"), ErrorKind::StrayEndTag),
        (inside("<a></b></a>"), ErrorKind::StrayEndTag),
        (inside("<a></a >text"), ErrorKind::StrayText),
        (inside("&amp;"), ErrorKind::StrayText),
        (inside("<a>&nbsp;</a>"), ErrorKind::BadEntity),
        (inside("<a>&#xd800;</a>"), ErrorKind::BadEntity),
        (inside("<a>&#0;</a>"), ErrorKind::BadEntity),
        (inside("<a>&#16;</a>"), ErrorKind::BadEntity),
        (inside("<a>&#xffff;</a>"), ErrorKind::BadEntity),
        (inside("<a>&#;</a>"), ErrorKind::BadEntity),
        (inside("<a>& </a>"), ErrorKind::BadEntity),
        (inside("<a>&lt</a>"), ErrorKind::BadEntity),
        (inside("< a></a>"), ErrorKind::BadTag),
        (inside("<1></1>"), ErrorKind::BadTag),
        (inside("<a<b></a>"), ErrorKind::BadTag),
        (inside("<a / ></a>"), ErrorKind::BadTag),
        (inside("<a b=\"<\"></a>"), ErrorKind::BadTag),
        (inside("<a b=\"x></a>"), ErrorKind::BadTag),
        (inside("<![CDATA[x]]>"), ErrorKind::BadTag),
        (inside("<!ELEMENT a>"), ErrorKind::BadTag),
        (inside("<a><![CDAT[x]]></a>"), ErrorKind::BadTag),
        (inside("<!- c -->"), ErrorKind::BadTag),
        (around("", "scidacFile b=\"x"), ErrorKind::AttributeUnclosed),
        (inside("<a>"), ErrorKind::StrayEndTag),
        (inside("<a><b></a>"), ErrorKind::StrayEndTag),
        (inside("<a><![CDATA[ ]] ></a>"), ErrorKind::Unclosed),
        (inside("<!-- -- >"), ErrorKind::Unclosed),
        (inside("</volfmt<"), ErrorKind::StrayEndTag),
    ] {
        let read = PrivateFile::parse(document.as_bytes());
        assert_eq!(read.map_err(|e| e.kind).err(), Some(kind), "{document:?}");
    }
}

/// A document may have no declaration, but a declaration must be at its beginning (XML 1.0, section 2.8).
#[test]
fn the_declaration_comes_first_or_not_at_all() {
    let body = WHOLE.split_once("?>").expect("declared").1;
    let declaration = "<?xml version=\"1.0\"?>";
    let read = |text: String| PrivateFile::parse(text.as_bytes()).err();
    for before in [
        "",
        "\u{feff}",
        "<!-- c -->",
        "<?pi x?>",
        "<?xml-stylesheet a?>",
        " <?xml-stylesheet a?>",
        "\n <?xmly ?>",
    ] {
        assert_eq!(read(format!("{before}{body}")), None, "{before:?}");
    }
    assert_eq!(read(format!("\u{feff}{declaration}{body}")), None);
    for before in [" ", "\n", "\t\r\n", "<!-- c -->", "\u{feff} ", "<?pi x?>"] {
        let expected = linkstream::Error::new(before.len() as u64, ErrorKind::SpaceBeforeDeclaration);
        let found = read(format!("{before}{declaration}{body}"));
        assert_eq!(found, Some(expected), "{before:?}");
        assert_eq!(expected.kind.rule(), "xml-space-before-declaration");
        assert_eq!(expected.kind.severity(), linkstream::Severity::Warning);
        assert_eq!(expected.kind.clause(), "XML 1.0, section 2.8");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: host_tests::long::number(1000, 5), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated_documents_mean_the_same_to_another_parser(seed in any::<u64>()) {
        let random = &mut Random::new(seed);
        private_record(random);
        private_file(random);
        format(random);
        checksum(random);
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        for read in read_as_everything(&bytes) {
            prop_assert!(read.is_err(), "random bytes must not be accepted");
        }
    }

    /// Bytes that resemble XML get further into the parser.
    #[test]
    fn any_markup_is_read_without_a_panic(
        pieces in proptest::collection::vec(
            prop_oneof![
                Just("<"), Just(">"), Just("</"), Just("/>"), Just("<!--"), Just("-->"), Just("<![CDATA["), Just("]]>"),
                Just("<?"), Just("?>"), Just("&"), Just(";"), Just("#x"), Just("\""), Just("'"), Just("="), Just(" "),
                Just("scidacFile"), Just("dims"), Just("1 2"), Just("\0"), Just("\u{feff}"), Just("]"), Just("-"),
            ],
            0..60,
        ),
    ) {
        let text = pieces.concat();
        for read in read_as_everything(text.as_bytes()) {
            let error = read.expect_err("elements are missing at least");
            prop_assert!(error.at <= text.len() as u64);
        }
    }

    /// A byte of a valid document is changed, lost or repeated. If our parser accepts the result, it differs from XML
    /// only as the dialect allows: the values still come from its elements.
    #[test]
    fn mutated_documents_are_read_without_a_panic(
        seed in any::<u64>(),
        place in any::<prop::sample::Index>(),
        change in 0..3_u8,
        byte in any::<u8>(),
    ) {
        let mut draft = Draft::new("scidacFile");
        draft.text("version", "1.1");
        draft.text("spacetime", "2");
        draft.list("dims", &[4, 8]);
        draft.text("volfmt", "0");
        let mut bytes = draft.generate(&mut Random::new(seed)).text.into_bytes();
        let place = place.index(bytes.len());
        match change {
            0 => bytes[place] = byte,
            1 => drop(bytes.remove(place)),
            _ => bytes.insert(place, byte),
        }
        let _ = read_as_everything(&bytes);
    }
}
