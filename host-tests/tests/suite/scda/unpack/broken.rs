//! Damaged compressed sections: the error in each, with its offset. Later sections are still read.

use crate::scda::model::{Body, Plain};
use crate::scda::unpack::support::{file, packed, run, smooth};
use host_tests::fixtures::Fixtures;
use host_tests::packed;
use host_tests::sections::{Broken, load_broken};
use linkstream::scda::{ErrorKind, SectionType, Style};
use linkstream::{Class, Diagnostic as _, Error, Mode};

fn files() -> Vec<(Broken, Vec<u8>)> {
    let all = load_broken(Fixtures::Ours);
    let compressed = all.into_iter().filter(|file| file.path.starts_with("comp-"));
    compressed.map(|file| (file.clone(), file.bytes())).collect()
}

/// Rule, offset and files of each error. The offset of an error in a byte is this byte; of an error in a compressed
/// stream, the beginning of its text; and of an error that depends on all texts, the end of them.
const FAULTS: [(&str, u64, &str); 29] = [
    ("second-half", 224, "B-then-A B-then-V B-then-I A-then-B A-then-A B-then-compressed-B"),
    ("second-half-missing", 224, "B-then-eof"),
    ("second-half", 320, "V-then-B V-then-A"),
    ("elements-differ", 416, "V-N-mismatch"),
    ("elements-differ", 384, "V-N-mismatch-2"),
    ("entry-size", 224, "V-E-64 V-E-16"),
    ("uncompressed-size", 256, "V-letter-E"),
    ("sizes-differ", 992, "V-U-mismatch"),
    ("size-differs", 384, "A-U-mismatch"),
    ("size-differs", 624, "A-second-element-larger"),
    ("sizes-differ", 624, "A-split-element"),
    ("text-length", 320, "A-empty-text"),
    ("uncompressed-size", 192, "U-no-letter U-lower U-E U-garbage"),
    ("uncompressed-size", 194, "U-leading-zero U-plus U-27-digits U-empty"),
    ("size-differs", 320, "U-too-small U-too-large U-2e63 U-26-digits size-little-endian"),
    ("too-little", 320, "size-and-U-too-large size-huge size-2e64-1"),
    ("too-much", 320, "size-and-U-too-small bomb"),
    ("format-byte", 320, "format-byte format-byte-Z"),
    ("base64", 340, "b64-bang b64-nul b64-dash b64-high b64-equals-inside b64-space b64-newline"),
    ("base64", 392, "lines-72"),
    ("base64", 398, "lines-77"),
    (
        "text-length",
        288,
        "lines-none lines-last-break-missing lines-lf-only lines-extra text-1-byte \
        text-0-bytes text-short text-9-bytes b64-unpadded",
    ),
    ("base64", 556, "b64-noncanonical"),
    ("adler32", 320, "adler deflate-flipped"),
    ("text-truncated", 550, "adler-missing"),
    ("text-truncated", 554, "adler-short"),
    ("text-truncated", 444, "deflate-truncated"),
    ("left-over", 554, "deflate-trailing"),
    (
        "deflate",
        320,
        "zlib-header zlib-method zlib-window zlib-dictionary raw-deflate gzip deflate-far \
        deflate-type3 deflate-stored-len deflate-hlit deflate-sym286",
    ),
];

#[test]
fn broken_files_are_refused_where_they_are_wrong() {
    let mut count = 0;
    for (file, bytes) in files() {
        count += 1;
        let name = file.path.trim_start_matches("comp-").trim_end_matches(".scda");
        let fault = FAULTS.iter().find(|(_, _, names)| names.split_whitespace().any(|of| of == name));
        for mode in [Mode::Strict, Mode::Lenient, Mode::Survey] {
            let run = run(&bytes, mode, 1 << 20);
            let what = format!("{}, {mode:?}: {:?}", file.path, run.fault());
            let Some(error) = run.fault() else {
                assert!(fault.is_none() && file.expect.starts_with("accept"), "{what}");
                continue;
            };
            let (rule, at, _) = fault.expect(&what);
            assert_eq!((error.kind.rule(), error.at), (&*format!("scda-{rule}"), *at), "{what}");
            let allowed = file.expect.trim_start_matches("reject:");
            assert!(allowed.split('|').any(|class| class == error.kind.class().as_str()), "{what}");
            if mode == Mode::Survey {
                // Each file has one defect, and is read to its end.
                assert_eq!((run.end, run.findings.len()), (Ok(()), 1), "{what}");
            } else {
                assert_eq!(run.end, Err(error), "{what}");
            }
        }
    }
    assert!(count == 77, "{count} files");
}

/// Sections to append to others. They differ from all of those.
fn behind() -> Vec<Plain> {
    let texts = |plains: &[Vec<u8>]| plains.iter().map(|plain| packed::text_of(plain)).collect::<Vec<_>>();
    let plains = [smooth(3), smooth(0), smooth(500)];
    let sizes = plains.each_ref().map(|plain| plain.len() as u64);
    let block = smooth(700);
    [
        &[Plain { user: b"inline".to_vec(), body: Body::Inline([b'i'; 32]) }][..],
        &packed(Style::Unix, SectionType::Varray, b"varray", &sizes, texts(&plains)),
        &packed(Style::Unix, SectionType::Block, b"block", &[700], texts(&[block])),
        &[Plain { user: b"last".to_vec(), body: Body::Block(b"plain".to_vec()) }],
    ]
    .concat()
}

#[test]
fn later_sections_are_still_read() {
    let behind = file(&behind());
    let meant = run(&behind, Mode::Strict, 1000);
    assert_eq!((meant.end, meant.sections.len()), (Ok(()), 5));
    for (file, bytes) in files() {
        let both = [&bytes[..], &behind[128..]].concat();
        let found = run(&both, Mode::Survey, 20_000_000);
        let alone = run(&bytes, Mode::Survey, 20_000_000);
        assert_eq!(found.end, Ok(()), "{}", file.path);
        // If a second half is missing, the appended section is found in its place.
        if file.path != "comp-B-then-eof.scda" {
            assert_eq!(found.findings, alone.findings, "{}", file.path);
        }
        assert_eq!(found.findings.is_empty(), file.expect.starts_with("accept"), "{}", file.path);
        let last = &found.sections[found.sections.len() - 4..];
        for (found, meant) in last.iter().zip(&meant.sections[1..]) {
            assert_eq!(found.content(), meant.content(), "{}", file.path);
        }
    }
}

/// A large element with a small text is valid, unless it is larger than announced.
#[test]
fn honest_and_dishonest_bombs() {
    for (file, bytes) in files() {
        if file.path == "comp-bomb-honest.scda" {
            let whole = run(&bytes, Mode::Strict, 10_000_000);
            assert_eq!(whole.end, Ok(()));
            assert!(whole.sections[1].elements == [vec![0; 10_000_000]]);
            let windowed = run(&bytes, Mode::Strict, 32 << 10);
            assert_eq!((&windowed.sections[1].elements, windowed.end), (&whole.sections[1].elements, Ok(())));
            let small = run(&bytes, Mode::Strict, (32 << 10) - 1);
            assert_eq!(small.end.map_err(|error| error.kind.class()), Err(Class::Limit));
        }
        if file.path == "comp-bomb.scda" {
            let run = run(&bytes, Mode::Survey, 10_000_000);
            assert!(run.sections[1].elements.is_empty() && run.incomplete.is_empty());
        }
    }
}

/// Bytes that could be another element's text follow the last one.
#[test]
fn a_text_too_many() {
    // A full line, so that both texts together have a valid length of a single text.
    let plain = (1..60).map(smooth).find(|plain| packed::text_of(plain).len() == 78).expect("a full line");
    let text = [packed::text_of(&plain), packed::text_of(b"a")].concat();
    let sizes = [plain.len() as u64];
    for (kind, texts_at) in [(SectionType::Block, 320), (SectionType::Array, 352)] {
        let bytes = file(&packed(Style::Unix, kind, b"", &sizes, vec![text.clone()]));
        let run = run(&bytes, Mode::Survey, 100);
        assert_eq!(run.findings, [Error::new(texts_at + 78, ErrorKind::LeftOver)]);
        assert!(run.sections[1].elements == [&plain[..]], "the elements before it must be correct");
    }
}

/// All sizes are in the file, but assigned to other elements; their number and sum are correct.
#[test]
fn sizes_in_another_order() {
    let plains = [smooth(1), smooth(200), smooth(0), smooth(9)];
    let texts: Vec<Vec<u8>> = plains.iter().map(|plain| packed::text_of(plain)).collect();
    let sizes = plains.each_ref().map(|plain| plain.len() as u64);
    let finding = |sizes: [u64; 4], texts: Vec<Vec<u8>>| {
        let bytes = file(&packed(Style::Unix, SectionType::Varray, b"", &sizes, texts));
        run(&bytes, Mode::Survey, 200).findings.into_iter().map(|error| error.kind).collect::<Vec<_>>()
    };
    assert_eq!(finding(sizes, texts.clone()), []);
    for (a, b) in [(0, 1), (0, 2), (1, 3), (2, 3)] {
        let mut other = sizes;
        other.swap(a, b);
        assert_eq!(finding(other, texts.clone()), [ErrorKind::SizesDiffer], "{a} and {b}");
        // The sizes of the texts are exchanged as well, if these differ.
        if texts[a].len() != texts[b].len() {
            let mut lengths: Vec<usize> = texts.iter().map(Vec::len).collect();
            lengths.swap(a, b);
            let all = texts.concat();
            let mut rest = &all[..];
            let mut next = |length: usize| {
                let (text, behind) = rest.split_at(length);
                rest = behind;
                text.to_vec()
            };
            let other = lengths.into_iter().map(&mut next).collect();
            assert_eq!(finding(sizes, other), [ErrorKind::SizesDiffer], "texts {a} and {b}");
        }
    }
}
