//! Checks that decompression on several threads gives the same elements, findings, offsets and positions as the codec,
//! which reads in order.

use host_tests::fixtures::Fixtures;
use host_tests::sections;
use linkstream::Encode as _;
use linkstream::io::SectionWriter;
use linkstream::scda::{Decoder, Event, Style, deflate};
use linkstream::{Decode, Mode};

use super::unpacker::{Batch, Unpacker};

const MODES: [Mode; 3] = [Mode::Strict, Mode::Lenient, Mode::Survey];
const SMALL: Batch = Batch { worthwhile: 0, text: 1 };

/// Drives a decoder with pieces of a file and lists all that it reports, with positions. Adjacent data are joined, so
/// that the list does not depend on the pieces; only the position after an error may depend on them.
fn reported<D: Decode<Event = Event>>(
    mut decoder: D,
    file: &[u8],
    piece: usize,
    element: impl Fn(&D) -> &[u8],
) -> (String, Option<u64>) {
    let (mut lines, mut data) = (String::new(), Vec::new());
    let mut note = |event: Option<Event>, decoder: &D, consumed: &[u8]| {
        match event {
            Some(Event::Data) => return data.extend_from_slice(consumed),
            Some(Event::Text) | None => return,
            Some(Event::Element(part)) => {
                data.extend_from_slice(element(decoder));
                if !part.is_complete() {
                    return;
                }
                lines += &format!("element {} of {}", part.index, part.size);
            }
            Some(other) => lines += &format!("{other:?}"),
        }
        lines += &format!(" after {data:?}\n");
        data.clear();
    };
    let mut run = || {
        for mut piece in file.chunks(piece) {
            loop {
                let step = decoder.push(piece)?;
                let (consumed, rest) = piece.split_at(step.consumed);
                note(step.event, &decoder, consumed);
                piece = rest;
                if step.event.is_none() {
                    break;
                }
            }
        }
        while let Some(event) = decoder.finish()? {
            note(Some(event), &decoder, &[]);
        }
        Ok::<(), linkstream::Error<D::ErrorKind>>(())
    };
    if let Err(error) = run() {
        let again = decoder.push(file).err();
        lines += &format!("{error:?}, again {again:?}\n");
        return (lines, None);
    }
    (lines, Some(decoder.position()))
}

fn in_order(file: &[u8], mode: Mode) -> (String, Option<u64>) {
    let decoder = linkstream::scda::Unpacker::new(Decoder::new(mode, true), vec![0; 1 << 20]);
    reported(decoder, file, file.len().max(1), linkstream::scda::Unpacker::bytes)
}

fn side_by_side(file: &[u8], mode: Mode, piece: usize) -> (String, Option<u64>) {
    reported(Unpacker::with(Decoder::new(mode, true), SMALL), file, piece, Unpacker::bytes)
}

#[track_caller]
fn assert_same(file: &[u8], what: &str) {
    for mode in MODES {
        let expected = in_order(file, mode);
        for piece in [1 << 20, 100, 7] {
            assert_eq!(side_by_side(file, mode, piece), expected, "{what}, {mode:?}, pieces of {piece}");
        }
    }
}

/// Runs a test on three threads, however many cores there are.
fn on_three_threads(test: impl FnOnce() + Send) {
    rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("a thread pool").install(test);
}

fn elements() -> Vec<Vec<u8>> {
    (0..11_usize).map(|n| (0..n * 17).map(|byte| (byte * byte / 7) as u8).collect()).collect()
}

/// A compressed variable array and a compressed array.
fn file() -> Vec<u8> {
    let mut file = vec![0; 16 << 10];
    let mut writer = SectionWriter::create(&mut file[..], Style::Unix);
    let texts: Vec<_> = elements().iter().map(|element| deflate(element, 9, Style::Unix)).collect();
    let sizes = elements().into_iter().map(|element| element.len() as u64);
    writer.write_header(b"vendor", b"file").expect("the file fits into the buffer");
    writer
        .begin_compressed_varray(b"v", 11, sizes, texts.iter().map(|text| text.len() as u64))
        .expect("the file fits into the buffer");
    texts.iter().for_each(|text| writer.put(text).expect("the file fits into the buffer"));
    writer.end().expect("the file fits into the buffer");
    let texts = [1_u8, 2, 3, 4, 5].map(|byte| deflate(&[byte; 24], 9, Style::Mime));
    let lengths = texts.each_ref().map(|text| text.len() as u64);
    writer.begin_compressed_array(b"a", 5, 24.into(), lengths).expect("the file fits into the buffer");
    texts.iter().for_each(|text| writer.put(text).expect("the file fits into the buffer"));
    writer.end().expect("the file fits into the buffer");
    writer.write_block(b"b", b"plain").expect("the file fits into the buffer");
    let length = writer.encoder().position() as usize;
    writer.finish().expect("all sections are complete");
    file.truncate(length);
    file
}

#[test]
fn elements_are_unpacked_by_several_threads() {
    on_three_threads(|| {
        let mut unpacker = Unpacker::with(Decoder::new(Mode::Strict, true), SMALL);
        let (file, mut found, mut at) = (file(), Vec::new(), 0);
        while let Ok(step) = unpacker.push(&file[at..]) {
            at += step.consumed;
            let Some(event) = step.event else { break };
            if let Event::Element(element) = event {
                // `reported` is `None` for an element that the codec's `Unpacker` has decompressed.
                assert!(unpacker.reported.is_some(), "{element:?} was unpacked in order");
                found.push(unpacker.bytes().to_vec());
            }
        }
        assert_eq!(found[..11], elements());
        assert_eq!(found[11..], [1, 2, 3, 4, 5].map(|byte| vec![byte; 24]));
    });
}

#[test]
fn every_fixture_is_reported_as_in_order() {
    on_three_threads(|| {
        for file in sections::load(Fixtures::Ours) {
            assert_same(&file.bytes(), &format!("{:?}", file.path));
        }
        for file in sections::load_broken(Fixtures::Ours) {
            assert_same(&file.bytes(), &format!("{:?}", file.path));
        }
    });
}

#[test]
fn damage_at_every_byte_is_reported_as_in_order() {
    on_three_threads(|| {
        let file = file();
        assert_same(&file, "the whole file");
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 1 << (at % 7);
            let mode = if at % 2 == 0 { Mode::Lenient } else { Mode::Survey };
            let expected = in_order(&damaged, mode);
            assert_eq!(side_by_side(&damaged, mode, 500), expected, "{mode:?}, a bit flipped at {at}");
            let expected = in_order(&file[..at], Mode::Survey);
            assert_eq!(side_by_side(&file[..at], Mode::Survey, 300), expected, "cut at {at}");
        }
    });
}

#[test]
fn texts_that_belong_to_other_sizes_are_reported_as_in_order() {
    on_three_threads(|| {
        let file = file();
        let lines: Vec<usize> = (0..file.len() - 32)
            .step_by(32)
            .filter(|at| matches!(&file[*at..*at + 2], b"E " | b"U "))
            .collect();
        assert!(lines.len() >= 30, "{lines:?}");
        for pair in lines.windows(2) {
            let mut swapped = file.clone();
            let (front, rest) = swapped.split_at_mut(pair[1]);
            front[pair[0]..pair[0] + 32].swap_with_slice(&mut rest[..32]);
            assert_same(&swapped, &format!("lines at {pair:?} swapped"));
        }
    });
}
