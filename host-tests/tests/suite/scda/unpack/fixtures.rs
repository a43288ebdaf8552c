//! Valid files with compressed sections: every section is compared with the manifest, and every byte of every
//! element with its formulas, for any buffer.

use crate::scda::model::MODES;
use crate::scda::unpack::support::{Run, Seen, run, run_pieces, run_with};
use host_tests::fixtures::Fixtures;
use host_tests::sections::{File, Section, load};
use linkstream::scda::{Decoder, ErrorKind, Event, PlainDecoder, SectionType, Unpacker};
use linkstream::{Class, Decode, Diagnostic as _, Mode};

const WINDOW: usize = 32 << 10;

/// A section as described by the manifest.
struct Meant {
    letter: char,
    offset: u64,
    raw_offset: u64,
    user: Vec<u8>,
    n: u128,
    e: u128,
    sizes: Vec<u64>,
    text_sizes: Vec<u64>,
    data: Vec<u8>,
    /// The elements, if the section is compressed.
    elements: Option<Vec<Vec<u8>>>,
}

fn meant(file: &File, bytes: &[u8]) -> Vec<Meant> {
    let mut first: Option<&Section> = None;
    let mut all = Vec::new();
    for section in &file.sections {
        match section.convention.as_deref() {
            Some(half) if half.ends_with("-header") => first = Some(section),
            Some(letter) => all.push(compressed(first.take().expect("a first half"), section, letter)),
            None => all.push(Meant {
                letter: section.letter,
                offset: section.offset,
                raw_offset: section.offset,
                user: section.user.clone(),
                n: section.n.unwrap_or(0),
                e: section.e.unwrap_or(0),
                sizes: section.sizes().unwrap_or_default(),
                text_sizes: Vec::new(),
                data: section.data(bytes),
                elements: None,
            }),
        }
    }
    all
}

fn compressed(first: &Section, second: &Section, letter: &str) -> Meant {
    let letter = letter.chars().next().expect("a letter");
    let n = second.n.unwrap_or(0);
    let sizes = match letter {
        'V' => second.u_sizes().expect("sizes"),
        'A' => vec![second.u.expect("a size") as u64; n as usize],
        _ => vec![second.u.expect("a size") as u64],
    };
    let plain = second.plain().expect("a formula");
    let mut rest = &plain[..];
    let mut elements = Vec::new();
    for size in &sizes {
        let (element, behind) = rest.split_at(*size as usize);
        elements.push(element.to_vec());
        rest = behind;
    }
    assert!(rest.is_empty());
    Meant {
        letter,
        offset: first.offset,
        raw_offset: second.offset,
        user: second.user.clone(),
        n,
        e: if letter == 'V' { 0 } else { second.u.expect("a size") },
        sizes: if letter == 'V' { sizes } else { Vec::new() },
        text_sizes: second.sizes().unwrap_or_default(),
        data: Vec::new(),
        elements: Some(elements),
    }
}

/// Compares everything except the elements.
fn assert_head(meant: &Meant, seen: &Seen, what: &str) {
    let section = &seen.section;
    let what = format!("{what}, {} at {}", meant.letter, meant.offset);
    assert_eq!(section.section_type.letter(), meant.letter as u8, "{what}");
    assert_eq!((section.offset, section.stored().offset), (meant.offset, meant.raw_offset), "{what}");
    assert_eq!(section.is_compressed(), meant.elements.is_some(), "{what}");
    assert_eq!((section.n.get(), section.e.get()), (meant.n, meant.e), "{what}");
    assert_eq!(seen.user, meant.user, "{what}");
    assert_eq!((&seen.sizes, &seen.text_sizes), (&meant.sizes, &meant.text_sizes), "{what}");
    assert!(seen.data == meant.data, "{what}: data");
    assert!(seen.ended, "{what}: end");
}

/// Elements that fit into the buffer are returned complete, longer ones in parts if the buffer holds a window. If the
/// buffer is too small for an element, the rest of the section is not decompressed, which is reported.
fn assert_elements(meant: &[Meant], run: &Run, buffer: usize, what: &str) {
    // Padding may be arbitrary, which only strict mode refuses.
    let mut findings = run.findings.iter().filter(|finding| finding.kind.class() != Class::Padding);
    for (meant, seen) in meant.iter().zip(&run.sections) {
        let what = format!("{what}, {} at {}, buffer of {buffer}", meant.letter, meant.offset);
        let all = meant.elements.as_deref().unwrap_or_default();
        let too_large = |element: &Vec<u8>| element.len() > buffer && buffer < WINDOW;
        let readable = all.iter().position(too_large).unwrap_or(all.len());
        assert!(seen.elements == all[..readable], "{what}: elements");
        if let Some(element) = all.get(readable) {
            let finding = findings.next().expect("reported");
            let needed = element.len() as u64;
            assert_eq!(finding.kind, ErrorKind::BufferTooSmall { needed }, "{what}");
            let text = seen.section.data_offset().expect("counted");
            let before: u64 = seen.text_sizes.iter().take(readable).sum();
            assert_eq!(finding.at, text + before, "{what}");
        } else if all.iter().all(|element| element.len() <= buffer) {
            assert_eq!(seen.parts, all.len(), "{what}: elements must be complete");
        } else {
            let window = 1 << buffer.ilog2();
            let parts = |element: &Vec<u8>| match element.len() {
                whole if whole <= buffer => 1,
                longer => longer.div_ceil(window),
            };
            assert_eq!(seen.parts, all.iter().map(parts).sum::<usize>(), "{what}: parts");
        }
    }
    assert_eq!(findings.next(), None, "{what}, buffer of {buffer}");
    assert_eq!(run.end, Ok(()), "{what}, buffer of {buffer}");
    assert_eq!(run.sections.len(), meant.len(), "{what}, buffer of {buffer}");
}

/// The sizes of all elements, the sizes around them, and sizes around the size of a window.
fn buffers(meant: &[Meant]) -> Vec<usize> {
    let elements = meant.iter().filter_map(|meant| meant.elements.as_deref()).flatten();
    let mut buffers: Vec<usize> =
        elements.flat_map(|element| [element.len().saturating_sub(1), element.len()]).collect();
    buffers.extend([0, WINDOW - 1, WINDOW, 40_000, 2 * WINDOW - 1, 2 * WINDOW, 1 << 20]);
    buffers.sort_unstable();
    buffers.dedup();
    buffers
}

fn sections_and_elements_equal_the_manifest_of(fixtures: Fixtures) {
    let mut elements = 0;
    for file in load(fixtures) {
        let bytes = file.bytes();
        let meant = meant(&file, &bytes);
        elements += meant.iter().filter_map(|meant| meant.elements.as_ref()).map(Vec::len).sum::<usize>();
        for buffer in buffers(&meant) {
            let whole = run(&bytes, Mode::Survey, buffer);
            for (meant, seen) in meant.iter().zip(&whole.sections) {
                assert_head(meant, seen, &file.path);
            }
            assert_elements(&meant, &whole, buffer, &file.path);
            // Pushing a large file byte by byte would take too long with each of them.
            let piece = if bytes.len() < 16 << 10 { 1 } else { 1009 };
            assert!(run_pieces(&bytes, Mode::Survey, buffer, piece) == whole, "{}, {buffer}", file.path);
        }
    }
    let expected = match fixtures {
        Fixtures::Ours => 419,
        Fixtures::OfOthers => 0,
    };
    assert_eq!(elements, expected);
}

#[test]
fn sections_and_elements_equal_the_manifest() {
    sections_and_elements_equal_the_manifest_of(Fixtures::Ours);
}

/// A condition that the paper calls an error is one in every mode except [`Mode::Survey`].
#[test]
fn a_buffer_too_small_ends_the_reading() {
    let files = load(Fixtures::Ours);
    let file = files.iter().find(|file| file.path == "mixed-all.scda").expect("listed");
    let bytes = file.bytes();
    for mode in [Mode::Strict, Mode::Lenient] {
        let error = run(&bytes, mode, 10).end.expect_err("elements are longer");
        assert!(matches!(error.kind, ErrorKind::BufferTooSmall { needed: 11.. }), "{error}");
        assert_eq!(run(&bytes, mode, 800).end, Ok(()));
    }
}

/// Table 2 of the paper: without decoding, the sections are reported as they are stored.
fn without_decoding_stored_sections_are_reported_of(fixtures: Fixtures) {
    for file in load(fixtures) {
        let bytes = file.bytes();
        for mode in MODES {
            let mut plain = PlainDecoder::new(mode);
            let mut decoder = Decoder::new(mode, false);
            let mut rest = &bytes[..];
            while let Ok(step) = plain.push(rest) {
                let reported = decoder.push(rest).expect("as the plain decoder");
                assert_eq!(reported.consumed, step.consumed, "{}", file.path);
                assert_eq!(reported.event, step.event, "{}", file.path);
                assert_eq!((decoder.user(), decoder.vendor()), (plain.user(), plain.vendor()));
                rest = &rest[step.consumed..];
                if step.event.is_none() {
                    break;
                }
            }
            let unpacker = Unpacker::new(Decoder::new(mode, false), Vec::new());
            let seen = run_with(unpacker, [&bytes[..]]);
            for (section, seen) in file.sections.iter().zip(&seen.sections) {
                assert!(seen.data == section.data(&bytes), "{} at {}", file.path, section.offset);
            }
        }
    }
}

#[test]
fn without_decoding_stored_sections_are_reported() {
    without_decoding_stored_sections_are_reported_of(Fixtures::Ours);
}

/// The texts of a section can be left compressed; elements decompressed before stay valid.
fn texts_left_compressed_equal_the_file_of(fixtures: Fixtures) {
    for file in load(fixtures) {
        let bytes = file.bytes();
        let mut unpacker = Unpacker::new(Decoder::new(Mode::Lenient, true), vec![0; 1 << 20]);
        let (mut rest, mut text, mut at) = (&bytes[..], Vec::new(), 0);
        loop {
            let step = unpacker.push(rest).expect("a valid file");
            let (taken, behind) = rest.split_at(step.consumed);
            rest = behind;
            match step.event {
                Some(Event::Section(section)) if section.section_type != SectionType::Header => {
                    unpacker.leave_packed();
                    at = section.data_offset().expect("counted") as usize;
                    text.clear();
                }
                Some(Event::Text) => text.extend(taken),
                Some(Event::Element(element)) => panic!("{element:?}"),
                Some(Event::End) => assert!(bytes[at..].starts_with(&text)),
                Some(_) => {}
                None => break,
            }
        }
    }
}

#[test]
fn texts_left_compressed_equal_the_file() {
    texts_left_compressed_equal_the_file_of(Fixtures::Ours);
}

host_tests::of_other_projects! {
    fn sections_and_elements_equal_the_manifest() {
        sections_and_elements_equal_the_manifest_of(Fixtures::OfOthers);
    }

    fn without_decoding_stored_sections_are_reported() {
        without_decoding_stored_sections_are_reported_of(Fixtures::OfOthers);
    }

    fn texts_left_compressed_equal_the_file() {
        texts_left_compressed_equal_the_file_of(Fixtures::OfOthers);
    }
}
