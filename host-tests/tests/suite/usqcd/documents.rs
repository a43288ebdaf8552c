//! The documents: QIO's documents are restored byte for byte, texts may have any length, and values that other programs
//! would read differently are not written.

use host_tests::fixtures::Fixtures;
use linkstream::Diagnostic as _;
use linkstream::scidac::{PrivateRecord, RecordData};
use linkstream::usqcd::{Document, ElementName, EmitError, ErrorKind, FileType, Label};
use linkstream::xml::{self, Spacing};
use proptest::prelude::*;

use crate::field::support::documents::{is_of_qio, payloads};

fn emitted(document: &Document<'_>, form: Spacing) -> Vec<u8> {
    let mut buffer = vec![0xaa; 1 << 16];
    let length = document.emit(form, &mut buffer).expect("there is room");
    assert!(buffer[length..].iter().all(|byte| *byte == 0xaa), "nothing may be written after the document");
    buffer.truncate(length);
    let too_small = Err(EmitError::Xml(xml::EmitError::TooSmall { needed: length }));
    assert_eq!(document.emit(form, &mut vec![0; length - 1]), too_small);
    buffer
}

/// All documents in the fixtures, with the number of documents for each root element.
#[test]
fn documents_of_qio_come_back_byte_for_byte() {
    let mut counts = std::collections::BTreeMap::<&str, u32>::new();
    for kind in ["scidac-file-xml", "scidac-record-xml"] {
        for (place, payload) in payloads(Fixtures::Ours, kind) {
            let document = match Document::parse(&payload) {
                Ok(document) => document,
                Err(error) if error.kind == ErrorKind::NotUsqcd => continue,
                Err(error) => {
                    let rule = error.kind.rule();
                    assert!(
                        place.starts_with("quirks/usqcdinfo_truncated") && rule == "usqcd-truncated",
                        "{place}: {error}"
                    );
                    continue;
                }
            };
            if is_of_qio(&payload) {
                assert_eq!(emitted(&document, Spacing::Line), payload, "{place}");
                *counts.entry(document.summary().root.as_str()).or_default() += 1;
            }
        }
    }
    for (root, least) in [
        ("usqcdInfo", 3),
        ("usqcdPropFile", 4),
        ("usqcdKSPropFile", 3),
        ("usqcdSourceInfo", 10),
        ("usqcdPropInfo", 16),
        ("usqcdKSPropInfo", 7),
    ] {
        assert!(counts.get(root).is_some_and(|count| *count >= least), "{root}: {counts:?}");
    }
}

/// The parser records which elements a document has; an empty element counts as present.
#[test]
fn the_elements_that_are_there_are_recorded() {
    let parse = |inside: &str| {
        let text = format!("<usqcdSourceInfo>{inside}</usqcdSourceInfo>").leak();
        Document::parse(text.as_bytes()).expect("complete")
    };
    let none = parse("<version>1.0</version><info/>");
    assert_eq!((none.info(), none.plaq(), none.summary().label), (Some(&b""[..]), None, Label::default()));
    let all =
        parse("<version>1.0</version><spin> 3 </spin><color>1</color><other>2</other><info>\n a b </info>");
    assert_eq!(
        (all.info(), all.summary().label),
        (Some(&b"\n a b "[..]), Label { spin: Some(3), color: Some(1) })
    );
    assert_eq!(all.summary().version.as_str(), "1.0");
}

/// QIO truncates texts at 1023 bytes.
#[test]
fn texts_have_any_length() {
    let info = "<k>text</k>".repeat(200_000);
    let document = Document::file(FileType::DdPairs, info.as_bytes());
    let mut buffer = vec![0; info.len() + 512];
    let length = document.emit(Spacing::Line, &mut buffer).expect("there is room");
    let read = Document::parse(&buffer[..length]).expect("complete");
    assert_eq!(read, document);
    assert_eq!(read.info().map(<[u8]>::len), Some(2_200_000));
}

#[test]
fn texts_that_readers_would_misread_are_not_written() {
    for bad in ["</info>", "a & b", "<a>", "a\0", "<!--", "</info><info>", "]]><![CDATA["] {
        let text = |element| Err(EmitError::Text(element));
        let mut buffer = [0; 512];
        assert_eq!(
            Document::source(bad.as_bytes()).emit(Spacing::Line, &mut buffer),
            text(ElementName::Info),
            "{bad}"
        );
        assert_eq!(
            Document::lattice(bad.as_bytes(), b"1", b"").emit(Spacing::Line, &mut buffer),
            text(ElementName::Plaq),
            "{bad}"
        );
        assert_eq!(
            Document::lattice(b"1", bad.as_bytes(), b"").emit(Spacing::Line, &mut buffer),
            text(ElementName::Linktr),
            "{bad}"
        );
    }
    let wrong = Document::source(b"").with_label(Label { spin: Some(4), color: None });
    assert_eq!(wrong.emit(Spacing::Line, &mut [0; 512]), Err(EmitError::Label));
    // Documents of staggered solutions have no spin.
    let spin = Label { spin: Some(1), color: Some(2) };
    let wrong = Document::solution(FileType::C1V3, b"").with_label(spin);
    assert_eq!(wrong.emit(Spacing::Line, &mut [0; 512]), Err(EmitError::Label));
}

#[test]
fn each_truncation_of_a_document_is_refused() {
    let whole = emitted(&Document::lattice(b"0.5", b"0.25", b"<a>b</a>"), Spacing::Line);
    // The NUL and any bytes after the root element are not part of the document.
    for end in 0..whole.len() - 1 {
        let error = Document::parse(&whole[..end]).expect_err("truncated");
        assert!(error.at <= end as u64, "{end}: {error:?}");
    }
    assert!(Document::parse(&whole[..whole.len() - 1]).is_ok());
}

proptest! {
    #[test]
    fn written_files_read_back(
        number in 0..12_u8,
        info in "[ -~\n]{0,40}",
        lines in any::<bool>(),
        file_type in prop::sample::select(FileType::ALL.to_vec()),
    ) {
        let form = if lines { Spacing::Lines } else { Spacing::Line };
        let label = Label::of_solution(number, file_type.is_staggered());
        let documents = [
            Document::file(file_type, info.as_bytes()),
            Document::source(info.as_bytes()).with_label(label),
            Document::solution(file_type, info.as_bytes()).with_label(label),
            Document::lattice(b"1.", b"-.5e3", info.as_bytes()),
        ];
        for document in documents {
            let mut buffer = [0; 1024];
            if let Ok(length) = document.emit(form, &mut buffer) {
                prop_assert_eq!(Document::parse(&buffer[..length]), Ok(document));
            } else {
                prop_assert!(info.contains(['<', '&']), "{:?}", info);
            }
        }
    }

    #[test]
    fn any_bytes_are_read_to_an_end(bytes in prop::collection::vec(any::<u8>(), 0..200), root in 0..6_usize) {
        let root = ["usqcdInfo", "usqcdPropFile", "usqcdKSPropFile", "usqcdSourceInfo", "usqcdPropInfo", "usqcdKSPropInfo"][root];
        let text = [format!("<{root}>").as_bytes(), &bytes, format!("</{root}>").as_bytes()].concat();
        if let Ok(document) = Document::parse(&text) {
            prop_assert_eq!(document.summary().root.as_str(), root);
        }
    }

    /// As documented for `QIO_compare_record_info`: a field that is empty in the expected record matches any value.
    #[test]
    fn only_expected_values_are_compared(changes in prop::collection::vec(0..3_u32, 4), name in "[a-z]{0,2}") {
        let [colors, spins, typesize, datacount] = changes[..] else { unreachable!() };
        let data = RecordData { colors, spins, typesize, datacount, ..RecordData::default() };
        let data = RecordData { datatype: name.as_str().try_into().expect("short"), ..data };
        let expected = PrivateRecord::new(&linkstream::lattice::Region::Lattice);
        let expected = expected.with_data(data).expect("it names no datatype");
        let data = RecordData {
            datatype: "a".try_into().expect("short"),
            precision: "U".try_into().expect("short"),
            colors: 1,
            spins: 1,
            typesize: 1,
            datacount: 1,
        };
        let mut found = expected.with_data(data).expect("it names no datatype");
        found.date = "today".try_into().expect("short");
        let differing: Vec<_> = found.differences(&expected).map(xml::ElementName::as_str).collect();
        let mut oracle = Vec::new();
        if !name.is_empty() && name != "a" {
            oracle.push("datatype");
        }
        for (element, number) in ["colors", "spins", "typesize", "datacount"].into_iter().zip(changes) {
            if number == 2 {
                oracle.push(element);
            }
        }
        prop_assert_eq!(differing, oracle);
    }
}
