//! Writing compressed sections: the output equals the fixtures, another decoder reads it, and invalid calls are
//! refused.

use crate::scda::unpack::support::{noise, run};
use crate::sinks::{Fault, Frail, Full};
use embedded_io::ErrorKind;
use host_tests::drive::Random;
use host_tests::fixtures::Fixtures;
use host_tests::packed::{self, MIME, UNIX};
use host_tests::sections::{Eol, File, Section, load};
use linkstream::Encode as _;
use linkstream::Resumable as _;
use linkstream::io::{SectionWriter, WriteError};
use linkstream::scda::{
    self, Count, Elements, ElementsError, EncodeErrorKind, SectionType, Stored, Style, deflate, stored_length,
};
use linkstream::{Decode, Mode};
use proptest::prelude::*;

/// The text made by `Stored`, with input and output in pieces of random sizes.
fn stored(element: &[u8], style: Style, most: usize, seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let mut stored = Stored::new(element.len() as u64, style);
    let (mut text, mut rest, mut out) = (Vec::new(), element, vec![0; most]);
    while !stored.is_done() {
        assert_eq!(stored.wanted(), rest.len() as u64);
        let piece = &rest[..random.below(rest.len() + 1).max(1).min(rest.len())];
        let room = random.below(most) + 1;
        let (read, written) = stored.encode(piece, &mut out[..room]);
        assert!(read > 0 || written > 0, "no progress at {}", text.len());
        rest = &rest[read..];
        text.extend_from_slice(&out[..written]);
    }
    assert_eq!(stored.encode(b"more", &mut out), (0, 0), "nothing may be consumed after the end");
    assert!(rest.is_empty());
    text
}

#[test]
fn stored_texts_equal_a_plain_writer() {
    for n in [0, 1, 2, 3, 30, 41, 42, 56, 57, 58, 65_530, 65_531, 65_532, 131_062, 131_063, 200_000] {
        let element = noise(n);
        let stream = packed::stored(&element, 65_531);
        for (style, line_break) in [(Style::Unix, UNIX), (Style::Mime, MIME)] {
            let expected = packed::text(n as u64, &stream, line_break);
            assert_eq!(stored_length(n as u64), Some(expected.len() as u64), "{n}");
            for most in [1, 2, 77, 78, 4096] {
                assert!(stored(&element, style, most, n as u64) == expected, "{n} bytes, {style:?}, {most}");
            }
        }
    }
    assert_eq!(stored_length(u64::MAX), None);
    let mut unfinished = Stored::new(1, Style::Unix);
    assert_eq!(unfinished.encode(b"x", &mut []), (0, 0));
}

#[test]
fn another_decoder_reads_what_is_compressed() {
    for n in [0, 1, 57, 1000, 100_000] {
        let element = crate::scda::unpack::support::smooth(n);
        for level in [0, 1, 6, 9, 10] {
            for (style, line_break) in [(Style::Unix, UNIX), (Style::Mime, MIME)] {
                let text = deflate(&element, level, style);
                // The text encodes this stream.
                let stream = raw(&text);
                assert_eq!(stream[..9], [&(n as u64).to_be_bytes()[..], b"z"].concat());
                assert_eq!(packed::lines(&stream, line_break), text);
                let (plain, taken) = packed::inflated(&stream[9..], n).expect("a zlib stream");
                assert!(plain == element && taken == stream.len() - 9, "{n} bytes, level {level}");
            }
        }
    }
}

/// The bytes that a text encodes.
fn raw(text: &[u8]) -> Vec<u8> {
    use base64::Engine as _;
    let chars: Vec<u8> = text.chunks(78).flat_map(|line| &line[..line.len() - 2]).copied().collect();
    let mut raw = vec![0; chars.len()];
    let n = base64::engine::general_purpose::STANDARD.decode_slice(chars, &mut raw).expect("base64");
    raw.truncate(n);
    raw
}

/// Writes a fixture again, with the sections from its manifest and the encoded texts from the file itself.
fn write_again(
    file: &File,
    bytes: &[u8],
    sink: Frail,
) -> Result<Vec<u8>, WriteError<Fault, EncodeErrorKind>> {
    let style = if file.eol == Eol::Mime { Style::Mime } else { Style::Unix };
    let mut writer = SectionWriter::create(sink, style);
    let count = |count: Option<u128>| Count::new(count.expect("a count")).expect("of 26 digits");
    let mut first: Option<&Section> = None;
    for section in &file.sections {
        let data = section.data(bytes);
        let n = section.n.map_or(0, |n| u64::try_from(n).unwrap_or(u64::MAX));
        let half = section.convention.as_deref();
        if half.is_some_and(|half| half.ends_with("-header")) {
            first = Some(section);
            continue;
        }
        let sizes = || section.sizes().expect("sizes of a variable array");
        match (section.letter, half) {
            ('F', _) => {
                writer.write_header(section.vendor.as_deref().expect("a vendor"), &section.user)?;
                continue;
            }
            ('I', None) => {
                writer.write_inline(&section.user, data.as_slice().try_into().expect("32 bytes"))?;
                continue;
            }
            ('B', None) => writer.begin_block(&section.user, count(section.e))?,
            ('A', None) => writer.begin_array(&section.user, count(section.n), count(section.e))?,
            ('V', None) => writer.begin_varray(&section.user, n, sizes())?,
            (_, Some("B")) => {
                writer.begin_compressed_block(&section.user, count(section.u), data.len() as u64)?
            }
            (_, Some("A")) => writer.begin_compressed_array(&section.user, n, count(section.u), sizes())?,
            (_, Some("V")) => {
                let plain = section.u_sizes().or_else(|| first.and_then(Section::u_sizes)).expect("U sizes");
                writer.begin_compressed_varray(&section.user, n, plain, sizes())?;
            }
            other => panic!("{other:?}"),
        }
        for piece in data.chunks(1000) {
            writer.put(piece)?;
        }
        writer.end()?;
    }
    Ok(writer.finish()?.bytes)
}

fn files(fixtures: Fixtures) -> Vec<(File, Vec<u8>)> {
    let files = load(fixtures).into_iter().filter(|file| file.eol != Eol::Arbitrary);
    files.map(|file| (file.clone(), file.bytes())).collect()
}

/// The fixture with this name.
fn fixture(path: &str) -> (File, Vec<u8>) {
    let found = files(Fixtures::Ours).into_iter().find(|(file, _)| file.path == path);
    found.unwrap_or_else(|| panic!("{path} is not among the fixtures"))
}

fn every_fixture_is_written_again_of(fixtures: Fixtures) {
    for (file, bytes) in files(fixtures) {
        let again = write_again(&file, &bytes, Frail::new(bytes.len(), Full::Fails));
        assert!(again == Ok(bytes), "{}", file.path);
    }
}

#[test]
fn every_fixture_is_written_again() {
    every_fixture_is_written_again_of(Fixtures::Ours);
}

#[test]
fn the_stored_fixture_is_made_of_its_elements() {
    let (file, bytes) = fixture("compressed-stored.scda");
    let mut again = vec![0; bytes.len()];
    let mut writer = SectionWriter::create(&mut again[..], Style::Unix);
    writer.write_header(b"libsc", &file.sections[0].user).expect("there is room");
    for section in file.sections.iter().filter(|section| section.convention.as_deref() == Some("B")) {
        let plain = section.plain().expect("known");
        let length = stored_length(plain.len() as u64).expect("short");
        writer
            .begin_compressed_block(&section.user, Count::from(plain.len() as u64), length)
            .expect("there is room");
        writer.put_stored(&plain).expect("there is room");
        writer.end().expect("complete");
    }
    writer.finish().expect("complete");
    assert!(again == bytes);
}

#[test]
fn full_sinks_are_reported_at_every_byte() {
    let (file, bytes) = fixture("mixed-all.scda");
    for room in 0..bytes.len() {
        for (full, error) in [
            (Full::TakesNothing, WriteError::WriteZero),
            (Full::Fails, WriteError::Io(Fault(ErrorKind::OutOfMemory))),
        ] {
            assert_eq!(write_again(&file, &bytes, Frail::new(room, full)), Err(error), "room for {room}");
        }
    }
    let mut sink = Frail::new(bytes.len(), Full::Fails);
    sink.flush_fails = true;
    assert_eq!(write_again(&file, &bytes, sink), Err(WriteError::Io(Fault(ErrorKind::BrokenPipe))));
}

/// An encoder that has written the file header.
fn begun() -> scda::Encoder {
    let mut encoder = scda::Encoder::new(Style::Unix);
    encoder.header(b"", b"").expect("a header");
    encoder
}

#[test]
fn calls_out_of_order_are_refused_and_change_nothing() {
    let refuses = |encoder: &mut scda::Encoder, kinds: [EncodeErrorKind; 7]| {
        let before = encoder.clone();
        let answers = [
            encoder.compressed_block(b"", 1_u64.into(), 26).map(<[u8]>::len).err(),
            encoder.compressed_array(b"", 1_u64.into(), 1_u64.into()).map(<[u8]>::len).err(),
            encoder.compressed_varray(1_u64.into()).map(<[u8]>::len).err(),
            encoder.uncompressed(1).err(),
            encoder.second_half(b"").map(<[u8]>::len).err(),
            encoder.size(26).err(),
            encoder.put(b"x").err(),
        ];
        assert_eq!(answers, kinds.map(Some));
        assert_eq!(*encoder, before);
        *encoder = scda::Encoder::load(&encoder.save()).expect("just saved");
        assert_eq!(*encoder, before);
    };
    use EncodeErrorKind::{DataTooLong, NoSection, SectionOpen, SizeUnexpected, SizesMissing};
    let mut encoder = begun();
    assert_eq!(encoder.uncompressed(1), Err(SizeUnexpected));
    assert_eq!(encoder.end(), Err(NoSection));
    assert_eq!(encoder.size(26), Err(NoSection));
    assert_eq!(
        encoder.compressed_block(b"", 1_u64.into(), 25),
        Err(EncodeErrorKind::TextLength { found: 25 })
    );
    let limit = EncodeErrorKind::StringTooLong { length: 59, limit: 58 };
    assert_eq!(encoder.compressed_block(&[b'x'; 59], 1_u64.into(), 26), Err(limit));
    assert_eq!(encoder, begun(), "a refused call must change nothing");

    encoder.compressed_varray(1_u64.into()).expect("between sections");
    let missing = SizesMissing { missing: 1 };
    assert_eq!(encoder.put(b"x"), Err(missing));
    assert_eq!(encoder.end(), Err(missing));
    assert_eq!(encoder.second_half(b""), Err(missing));
    assert_eq!(encoder.inline(b"").map(|_| ()), Err(SectionOpen));
    encoder.uncompressed(0).expect("one element");
    assert_eq!(encoder.put(b"x"), Err(EncodeErrorKind::SecondHalfMissing));
    assert_eq!(encoder.end(), Err(EncodeErrorKind::SecondHalfMissing));
    encoder.second_half(b"user").expect("all sizes");
    let open = [SectionOpen, SectionOpen, SectionOpen, SizeUnexpected, NoSection, SizeUnexpected];
    let [a, b, c, d, e, f] = open;
    assert_eq!(encoder.put(b"x"), Err(missing));
    assert_eq!(encoder.size(27), Err(EncodeErrorKind::TextLength { found: 27 }));
    encoder.size(26).expect("the text of an empty element");
    encoder.put(&[b'x'; 26]).expect("as announced");
    refuses(&mut encoder, [a, b, c, d, e, f, DataTooLong { offered: 1, room: 0 }]);
    encoder.end().expect("complete");
    encoder.finish().expect("between sections");
}

proptest! {
    /// Elements of any content and size, stored and compressed, in blocks and in arrays of both kinds.
    #[test]
    fn written_files_read_back(
        elements in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), 0..6),
        mime: bool,
        level in 0_u8..=9,
        window: bool,
    ) {
        let style = if mime { Style::Mime } else { Style::Unix };
        let texts: Vec<Vec<u8>> = elements.iter().map(|element| deflate(element, level, style)).collect();
        let length = |text: &Vec<u8>| text.len() as u64;
        let stored = |element: &Vec<u8>| stored_length(element.len() as u64).expect("short");
        let n = elements.len() as u64;
        let mut file = vec![0; 100_000];
        let mut writer = SectionWriter::create(&mut file[..], style);
        writer.write_header(b"", b"").unwrap();
        writer.begin_compressed_varray(b"deflated", n, elements.iter().map(length), texts.iter().map(length)).unwrap();
        texts.iter().for_each(|text| writer.put(text).unwrap());
        writer.end().unwrap();
        writer.begin_compressed_varray(b"stored", n, elements.iter().map(length), elements.iter().map(stored)).unwrap();
        elements.iter().for_each(|element| writer.put_stored(element).unwrap());
        writer.end().unwrap();
        for element in &elements {
            writer.begin_compressed_block(b"block", length(element).into(), stored(element)).unwrap();
            writer.put_stored(element).unwrap();
            writer.end().unwrap();
            let three = [stored(element); 3];
            writer.begin_compressed_array(b"array", 3, length(element).into(), three).unwrap();
            (0..3).for_each(|_| writer.put_stored(element).unwrap());
            writer.end().unwrap();
        }
        writer.complete().unwrap();
        let end = writer.encoder().position() as usize;
        let read = run(&file[..end], Mode::Strict, if window { 32 << 10 } else { 300 });
        prop_assert_eq!(read.end, Ok(()));
        let sections = &read.sections[1..];
        prop_assert_eq!(&sections[0].elements, &elements);
        prop_assert_eq!(&sections[1].elements, &elements);
        for (pair, element) in sections[2..].chunks(2).zip(&elements) {
            prop_assert_eq!(&pair[0].elements, &vec![element.clone()]);
            prop_assert_eq!(&pair[1].elements, &vec![element.clone(); 3]);
        }
    }
}

/// Uncompressed data divided into elements, for any cut of the file.
fn elements_equal_the_manifest_of(fixtures: Fixtures) {
    for (file, bytes) in files(fixtures) {
        if bytes.len() > 50_000 {
            continue;
        }
        for chunk in [1, 13, 4096] {
            let mut table = [0; 2000];
            let mut elements = Elements::new(&mut table);
            let mut decoder = scda::PlainDecoder::new(Mode::Lenient);
            let mut pieces: Vec<Vec<(u64, u64, Vec<u8>)>> = Vec::new();
            for mut rest in bytes.chunks(chunk) {
                while let Some(event) = {
                    let step = decoder.push(rest).expect("a valid file");
                    let (seen, behind) = rest.split_at(step.consumed);
                    rest = behind;
                    step.event.map(|event| (event, seen))
                } {
                    match event {
                        (scda::Event::Section(section), _) => {
                            elements.begin(&section).expect("there is room");
                            pieces.push(Vec::new());
                        }
                        (scda::Event::Size(size), _) => elements.size(size).expect("one of its sizes"),
                        (kind @ (scda::Event::Data | scda::Event::End), seen) => elements
                            .feed(if kind == scda::Event::Data { seen } else { &[] }, |piece, bytes| {
                                let all = pieces.last_mut().expect("a section");
                                match all.last_mut() {
                                    Some((index, _, so_far)) if *index == piece.index => {
                                        assert_eq!(so_far.len() as u64, piece.offset);
                                        so_far.extend_from_slice(bytes);
                                    }
                                    _ => {
                                        assert_eq!(piece.offset, 0);
                                        all.push((piece.index, piece.size, bytes.to_vec()));
                                    }
                                }
                            })
                            .expect("its data"),
                        _ => {}
                    }
                }
            }
            for (section, found) in file.sections.iter().zip(&pieces) {
                let data = section.data(&bytes);
                let sizes = match section.letter {
                    'V' => section.sizes().expect("sizes"),
                    'A' if data.is_empty() => Vec::new(),
                    'A' => vec![section.e.expect("E") as u64; section.n.expect("N") as usize],
                    _ => vec![data.len() as u64],
                };
                let mut at = 0;
                let mut expected = Vec::new();
                for (index, size) in (0..).zip(sizes) {
                    let next = at + size as usize;
                    if size > 0 || !matches!(section.letter, 'A' | 'F') {
                        expected.push((index, size, data[at..next].to_vec()));
                    }
                    at = next;
                }
                assert!(*found == expected, "{} at {}, chunks of {chunk}", file.path, section.offset);
            }
        }
    }
}

#[test]
fn elements_equal_the_manifest() {
    elements_equal_the_manifest_of(Fixtures::Ours);
}

#[test]
fn a_table_too_small_is_reported_and_nothing_is_begun() {
    let mut table = [0; 2];
    let mut elements = Elements::new(&mut table);
    let n = Count::from(3);
    let section = scda::Section::new(128, SectionType::Varray, n, Count::from(0));
    assert_eq!(elements.begin(&section), Err(ElementsError::TableTooSmall { needed: n }));
    assert_eq!(elements.size(5), Err(ElementsError::NotBegun));
    assert_eq!(elements.sizes(), []);
    assert_eq!(elements.feed(b"bytes", |piece, _| panic!("{piece:?}")), Err(ElementsError::NotBegun));
    assert_eq!(
        elements.begin(&scda::Section::new(128, SectionType::Varray, Count::from(2), Count::from(0))),
        Ok(())
    );
}

/// Bytes and sizes that belong to no element are refused and change nothing. They must be neither dropped nor passed on
/// as part of an element that does not exist.
#[test]
fn surplus_sizes_and_bytes_are_refused() {
    let surplus = |elements: &mut Elements<'_>, bytes: &[u8]| {
        let fed = elements.feed(bytes, |piece, _| panic!("{piece:?}"));
        assert_eq!(fed, Err(ElementsError::TooManyBytes), "{bytes:?}");
    };
    let mut table = [0; 3];
    let mut elements = Elements::new(&mut table);
    assert_eq!(elements.feed(b"", |_, _| {}), Err(ElementsError::NotBegun));
    let [none, two, three] = [0, 2, 3].map(Count::from);
    let (mut whole, mut pieces) = (Vec::new(), 0);
    for (section_type, n, e, length) in [
        (SectionType::Header, none, none, 0),
        (SectionType::Inline, none, none, 32),
        (SectionType::Block, none, three, 3),
        (SectionType::Array, two, three, 6),
        (SectionType::Array, none, three, 0),
        (SectionType::Array, two, none, 0),
        (SectionType::Array, none, Count::new(1 << 64).expect("below 10^26"), 0),
    ] {
        elements.begin(&scda::Section::new(128, section_type, n, e)).expect("no table is needed");
        assert_eq!(elements.size(3), Err(ElementsError::TooManySizes), "{section_type:?}");
        surplus(&mut elements, &vec![7; length + 1]);
        for byte in vec![7; length] {
            elements
                .feed(&[byte], |piece, _| whole.extend(piece.is_complete().then_some(piece.index)))
                .expect("data");
        }
        surplus(&mut elements, &[7]);
        pieces += length;
    }
    assert_eq!((whole, pieces), (vec![0, 0, 0, 1], 41));

    elements.begin(&scda::Section::new(128, SectionType::Varray, three, none)).expect("there is room");
    surplus(&mut elements, b"a");
    elements.size(2).expect("the first");
    surplus(&mut elements, b"abc");
    elements.feed(b"ab", |_, _| {}).expect("the data of the first");
    assert_eq!(elements.size(u64::MAX), Ok(()), "the total is less than the bytes fed");
    assert_eq!(elements.size(1), Err(ElementsError::SizeOverflow));
    assert_eq!((elements.size(0), elements.size(0)), (Ok(()), Err(ElementsError::TooManySizes)));
    assert_eq!(elements.sizes(), [2, u64::MAX, 0]);

    let many = Count::from(u64::MAX);
    let too_long = scda::Section::new(128, SectionType::Array, many, two);
    assert_eq!(elements.begin(&too_long), Err(ElementsError::SizeOverflow));
    assert_eq!(elements.feed(b"a", |_, _| {}), Err(ElementsError::NotBegun));
}

host_tests::of_other_projects! {
    fn every_fixture_is_written_again() {
        every_fixture_is_written_again_of(Fixtures::OfOthers);
    }

    fn elements_equal_the_manifest() {
        elements_equal_the_manifest_of(Fixtures::OfOthers);
    }
}
