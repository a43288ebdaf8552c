//! An unpacker reports the same sections, elements and errors for any cut of a file and any driver.
//!
//! Two things depend on the cut: how much of the line break after an element has been consumed when the element is
//! reported, and where reading continues after an error.

use crate::scda::model::{Body, MODES, Plain};
use crate::scda::unpack::support::{block_file, file, noise, packed, run, run_with, smooth};
use host_tests::drive::{Drive, Item, Trace};
use host_tests::fixtures::Fixtures;
use host_tests::long;
use host_tests::packed::{self, UNIX};
use host_tests::sections::{load, load_broken};
use linkstream::Resumable as _;
use linkstream::io::Reader;
use linkstream::scda::{Decoder, ErrorKind, Event, SectionType, Style, Unpacker};
use linkstream::{Class, Decode, Demand, Diagnostic as _, Error, Mode};

fn is_payload(event: &Event) -> bool {
    matches!(event, Event::Data | Event::Text)
}

/// If data are skipped, any padding is accepted.
fn unseen(event: Event) -> Option<Event> {
    match event {
        Event::Finding(error) if error.kind.class() == Class::Padding => None,
        other => Some(other),
    }
}

fn restored(decoder: Decoder) -> Decoder {
    let saved = decoder.save().expect("a decoder without an error can be saved");
    Decoder::load(&saved).expect("what was saved can be loaded")
}

fn agree_sections(bytes: &[u8], mode: Mode, decode: bool, what: &str) {
    let decoder = Decoder::new(mode, decode);
    let drive = Drive::new(&decoder, bytes, is_payload)
        .noting(|decoder, event| match event {
            Event::Section(_) | Event::End => decoder.user().to_vec(),
            _ => Vec::new(),
        })
        .unseen(unseen);
    let what = format!("{what} {mode:?}");
    // Large files contain large texts, and the decoder only counts their bytes.
    let step = if bytes.len() > 16 << 10 { 997 } else { 1 };
    let cuts: Vec<usize> = (1..bytes.len()).step_by(step).collect();
    let whole = drive.agree_reading(&what, &cuts, restored);
    if whole.end.is_err_and(|error| error.kind.class() == Class::Padding) {
        let unseen = drive.skipping(7);
        drive.agree_passing(&what, &unseen, &[1]);
    } else {
        drive.agree_passing(&what, &whole, &[1, 2]);
    }
}

fn sections_of_right_files_of(fixtures: Fixtures) {
    for file in load(fixtures) {
        let bytes = file.bytes();
        let modes = if bytes.len() > 16 << 10 { &MODES[..1] } else { &MODES };
        for mode in modes {
            agree_sections(&bytes, *mode, true, &file.path);
        }
        agree_sections(&bytes, Mode::Survey, false, &file.path);
    }
}

#[test]
fn sections_of_right_files() {
    sections_of_right_files_of(Fixtures::Ours);
}

#[test]
fn sections_of_broken_files() {
    for (number, file) in load_broken(Fixtures::Ours).into_iter().enumerate() {
        let bytes = file.bytes();
        // Each file in one of the modes.
        for mode in long::sample(MODES.into_iter().cycle().skip(number).take(MODES.len()), MODES.len()) {
            agree_sections(&bytes, mode, true, &file.path);
        }
    }
}

type Reported = Trace<Event, ErrorKind>;

/// Removes the positions that may differ, and the text that is not decompressed after an error.
fn settled(trace: Reported) -> Reported {
    let mut faulty = false;
    let mut items = Vec::new();
    for item in trace.items {
        match item {
            Item::Event { event, note, after } => {
                faulty = matches!(event, Event::Finding(_)) || faulty && event != Event::End;
                let moves = faulty || matches!(event, Event::Element(_));
                items.push(Item::Event { event, note, after: if moves { 0 } else { after } });
            }
            payload if !faulty => items.push(payload),
            _ => {}
        }
    }
    let position = if trace.end.is_ok() { trace.position } else { 0 };
    Trace { items, position, ..trace }
}

/// Drives an unpacker in every way. The result, which must always be the same, is returned.
fn agree(bytes: &[u8], mode: Mode, buffer: usize, what: &str) -> Reported {
    let unpacker = Unpacker::new(Decoder::new(mode, true), vec![0; buffer]);
    let drive = Drive::new(&unpacker, bytes, is_payload).noting(|unpacker, event| match event {
        Event::Element(element) => {
            assert_eq!(unpacker.bytes().len(), element.length);
            unpacker.bytes().to_vec()
        }
        Event::Section(_) => unpacker.sections().user().to_vec(),
        _ => Vec::new(),
    });
    let what = format!("{what} {mode:?}, room for {buffer}");
    let whole = settled(drive.whole());
    let same = |way: &str, trace: Reported| {
        whole.assert_same(&settled(trace), &format!("{what}, {way}"));
    };
    // Pushing one byte takes as long as pushing 76.
    let is_small = bytes.len() < 5000;
    for piece in if is_small { &[1, 2, 3, 7, 76, 77, 78, 79][..] } else { &[78, 1009] } {
        same(&format!("pieces of {piece}"), drive.chunks(*piece));
    }
    for seed in 0..3 {
        same("random cuts", drive.random_cuts(seed));
    }
    for pull in if is_small { &[1, 7, 97][..] } else { &[97, 4096] } {
        same(&format!("pull {pull}"), drive.pull(*pull));
        same(&format!("fitful {pull}"), drive.pull_fitful(*pull, 5));
        same(&format!("async {pull}"), drive.awaiting(*pull, 0, false, 6));
        same(&format!("async {pull}, dropped"), drive.awaiting(*pull, 0, true, 7));
    }
    whole
}

fn elements_of_right_files_of(fixtures: Fixtures) {
    for file in load(fixtures) {
        let bytes = file.bytes();
        if bytes.len() < 5000 {
            MODES.iter().for_each(|mode| drop(agree(&bytes, *mode, 4096, &file.path)));
            agree(&bytes, Mode::Survey, 60, &file.path);
        } else if file.path.contains("compressed") {
            agree(&bytes, Mode::Lenient, 160_000, &file.path);
            agree(&bytes, Mode::Lenient, 32 << 10, &file.path);
        }
    }
}

#[test]
fn elements_of_right_files() {
    elements_of_right_files_of(Fixtures::Ours);
}

#[test]
fn elements_of_broken_files() {
    let files = load_broken(Fixtures::Ours).into_iter().filter(|file| file.path.starts_with("comp-"));
    for (number, file) in files.enumerate() {
        let bytes = file.bytes();
        for mode in [Mode::Lenient, Mode::Survey] {
            for window in long::sample([4096, 100, 32 << 10].into_iter().cycle().skip(number).take(3), 3) {
                agree(&bytes, mode, window, &file.path);
            }
        }
    }
}

/// The end of an element's text and the beginning of the next in one piece: an error in the last group is reported in
/// the same way whether or not more text follows.
#[test]
fn wrong_ends_with_and_without_data_after_them() {
    for plain in [&b""[..], b"a", b"ab", b"abc", &smooth(300), &noise(100)] {
        let good = packed::text_of(plain);
        let last = good.len() - 2;
        let line = last - (last - 1) % 78 - 1;
        for at in last - 4..last {
            for byte in [b'=', b'B', b'/', b'!', b'\n', 0xff] {
                let mut text = good.clone();
                text[at] = byte;
                let what = format!("{} bytes, {byte:02x} at {at} (line from {line})", plain.len());
                let one = block_file(plain.len() as u64, text.clone());
                let alone = agree(&one, Mode::Survey, 400, &what);
                let sizes = [plain.len() as u64; 2];
                let both = packed(Style::Unix, SectionType::Array, b"", &sizes, vec![text, good.clone()]);
                let both = agree(&file(&both), Mode::Survey, 400, &what);
                let fault = |trace: &Reported| {
                    trace.events().find_map(|event| match event {
                        Event::Finding(Error { at, kind, .. }) => Some((*at, *kind)),
                        _ => None,
                    })
                };
                // The texts of the array follow two sizes.
                let moved = fault(&alone).map(|(at, kind)| (at + 64, kind));
                let is_end = matches!(moved, Some((_, ErrorKind::TextTruncated | ErrorKind::SizesDiffer)));
                assert!(is_end || fault(&both) == moved, "{what}: {:?} {moved:?}", fault(&both));
            }
        }
    }
}

/// A text of several lines is cut at every position, and at every pair of positions in its header.
#[test]
fn every_single_cut() {
    let plain = smooth(1500);
    let stream = packed::compressed(&plain, packed::Compression::new(6));
    let sizes = [plain.len() as u64; 2];
    let text = packed::text(sizes[0], &stream, UNIX);
    let second = packed::text(sizes[0], &packed::stored(&plain, 700), packed::MIME);
    let bytes = file(&packed(Style::Unix, SectionType::Varray, b"", &sizes, vec![text, second]));
    let unpacker = Unpacker::new(Decoder::new(Mode::Strict, true), vec![0; 1500]);
    let drive = Drive::new(&unpacker, &bytes, is_payload);
    let whole = settled(drive.whole());
    assert_eq!(whole.end, Ok(()));
    for cut in 1..bytes.len() {
        whole.assert_same(&settled(drive.cut(&[cut], |same| same)), &format!("cut at {cut}"));
    }
    for first in 480..600 {
        for second in first + 1..600 {
            let cuts = [first, second];
            whole.assert_same(&settled(drive.cut(&cuts, |same| same)), &format!("cut at {cuts:?}"));
        }
    }
}

/// A decoder that was restored or newly made at the beginning of a section continues with the same results.
#[test]
fn reading_continues_at_every_section() {
    for file in load(Fixtures::Ours).into_iter().filter(|file| file.path.contains("mixed-all")) {
        let bytes = file.bytes();
        let whole = run(&bytes, Mode::Survey, 1000);
        for (n, seen) in whole.sections.iter().enumerate().skip(1) {
            let (before, rest) = bytes.split_at(seen.section.offset as usize);
            let mut decoder = Decoder::new(Mode::Survey, true);
            let mut behind = before;
            loop {
                let step = decoder.push(behind).expect("a valid file");
                behind = &behind[step.consumed..];
                if step.event.is_none() {
                    break;
                }
            }
            let anew = Decoder::at(before.len() as u64, Mode::Survey, true);
            for decoder in [restored(decoder), anew] {
                let found = run_with(Unpacker::new(decoder, vec![0; 1000]), [rest]);
                assert!(found.sections == whole.sections[n..], "{} from {}", file.path, before.len());
                assert_eq!(found.end, Ok(()));
            }
        }
    }
}

/// Compressed sections are skipped by seeking, and later ones decompressed.
#[test]
fn packed_sections_are_passed_over_by_seeking() {
    let plain = noise(5000);
    let block = packed(Style::Unix, SectionType::Block, b"left", &[5000], vec![packed::text_of(&plain)]);
    let other = packed(Style::Unix, SectionType::Block, b"taken", &[3], vec![packed::text_of(b"abc")]);
    let data = Plain { user: b"plain".to_vec(), body: Body::Block(plain.clone()) };
    let bytes = file(&[&block[..], &[data], &other, &block, &other].concat());
    for buffer in [1, 50, 700, 20_000] {
        for peek in [false, true] {
            let mut buffer = vec![0; buffer];
            let unpacker = Unpacker::new(Decoder::new(Mode::Strict, true), [0; 8]);
            let source = linkstream::io::FromStd(std::io::Cursor::new(&bytes));
            let mut reader = Reader::new(source, &mut buffer, unpacker);
            let (mut elements, mut texts) = (0, 0);
            while let Some(event) = reader.next().expect("a valid file") {
                match event {
                    Event::Section(_) if reader.decoder().sections().user() != b"taken" => {
                        reader.decoder_mut().leave_packed();
                        if !peek {
                            reader.skip_seeking().expect("the source can seek");
                        }
                    }
                    Event::Text | Event::Data => {
                        texts += 1;
                        assert!(peek, "the section must be skipped");
                        reader.skip_seeking().expect("the source can seek");
                    }
                    Event::Element(_) => {
                        elements += 1;
                        assert_eq!(reader.decoder().bytes(), b"abc");
                    }
                    _ => {}
                }
            }
            assert_eq!((elements, texts), (2, if peek { 3 } else { 0 }));
        }
    }
}

/// Text to be decompressed cannot be skipped, not even by a byte.
#[test]
fn text_to_be_unpacked_is_not_passed_over() {
    let bytes = block_file(3, packed::text_of(b"abc"));
    let mut unpacker = Unpacker::new(Decoder::new(Mode::Strict, true), [0; 3]);
    let mut rest = &bytes[..];
    while unpacker.position() < 320 {
        let step = unpacker.push(rest).expect("a valid file");
        rest = &rest[step.consumed..];
    }
    assert_eq!(unpacker.demand(), Demand::Bytes(1));
    for n in [1, 26, u64::MAX] {
        assert_eq!(unpacker.skip(n).expect_err("not possible").kind.class(), Class::Misuse);
    }
    assert_eq!((unpacker.skip(0), unpacker.position()), (Ok(()), 320));
    let step = unpacker.push(rest).expect("a valid file");
    assert!(matches!(step.event, Some(Event::Element(_))));
}

/// After the end of a file that was truncated inside a text, nothing more is decompressed.
#[test]
fn text_after_the_end_is_not_decompressed() {
    let bytes = block_file(300, packed::text(300, &packed::stored(&noise(300), 40), UNIX));
    for mode in MODES {
        for cut in 320..500 {
            let mut unpacker = Unpacker::new(Decoder::new(mode, true), [0; 300]);
            let mut rest = &bytes[..cut];
            while !rest.is_empty() {
                rest = &rest[unpacker.push(rest).expect("valid so far").consumed..];
            }
            let error = unpacker.finish().expect_err("it is truncated");
            for more in [&b""[..], b"!", b"more of it", &bytes[cut..], &[b'='; 400]] {
                assert_eq!(unpacker.push(more).err(), Some(error), "cut at {cut}, {mode:?}");
                assert_eq!(unpacker.finish().err(), Some(error), "cut at {cut}, {mode:?}");
            }
        }
    }
}

host_tests::of_other_projects! {
    fn sections_of_right_files() {
        sections_of_right_files_of(Fixtures::OfOthers);
    }

    fn elements_of_right_files() {
        elements_of_right_files_of(Fixtures::OfOthers);
    }
}
