//! The output equals the output of libsc and of the independent scripts byte for byte. A call that does not fit the
//! section is refused and changes nothing.

use crate::scda::model::STYLES;
use host_tests::drive::Random;
use host_tests::fixtures::Fixtures;
use host_tests::sections::{Eol, File, Section as Listed, load};
use linkstream::Encode as _;
use linkstream::Resumable as _;
use linkstream::scda::{Count, EncodeErrorKind, Encoder, Event, PlainDecoder, Style};
use linkstream::{Decode, Mode};

fn files(fixtures: Fixtures) -> Vec<(File, Vec<u8>)> {
    load(fixtures).into_iter().map(|file| (file.bytes(), file)).map(|(bytes, file)| (file, bytes)).collect()
}

fn count(value: Option<u128>) -> Count {
    Count::new(value.expect("listed")).expect("26 digits at most")
}

/// Writes the header and the counts of a section.
fn begin<'e>(encoder: &'e mut Encoder, listed: &Listed) -> Result<&'e [u8], EncodeErrorKind> {
    match listed.letter {
        'F' => encoder.header(listed.vendor.as_deref().expect("listed"), &listed.user),
        'I' => encoder.inline(&listed.user),
        'B' => encoder.block(&listed.user, count(listed.e)),
        'A' => encoder.array(&listed.user, count(listed.n), count(listed.e)),
        'V' => encoder.varray(&listed.user, count(listed.n)),
        other => panic!("section {other}"),
    }
}

/// The file with these sections. Data are written in pieces of random length, and the encoder is passed to `between` at
/// each call.
fn write(
    mut encoder: Encoder,
    sections: &[Listed],
    file: &[u8],
    mut between: impl FnMut(Encoder) -> Encoder,
) -> Vec<u8> {
    let (mut bytes, mut random) = (Vec::new(), Random(7));
    let start = encoder.position();
    for listed in sections {
        bytes.extend_from_slice(begin(&mut encoder, listed).expect("legal"));
        encoder = between(encoder);
        if listed.letter == 'F' {
            continue;
        }
        assert_eq!(encoder.section().offset, listed.offset);
        for size in listed.sizes().unwrap_or_default() {
            bytes.extend_from_slice(&encoder.size(size).expect("the encoder expects it"));
            encoder = between(encoder);
        }
        let data = listed.data(file);
        let mut rest = data.as_slice();
        while !rest.is_empty() {
            assert_eq!(encoder.room(), rest.len() as u64);
            let (piece, behind) = rest.split_at(1 + random.below(rest.len()));
            encoder.put(piece).expect("there is room");
            bytes.extend_from_slice(piece);
            rest = behind;
            encoder = between(encoder);
        }
        assert_eq!(encoder.room(), 0);
        bytes.extend_from_slice(encoder.end().expect("complete"));
        encoder = between(encoder);
        assert_eq!(encoder.position(), start + bytes.len() as u64);
    }
    encoder.finish().expect("nothing is open");
    bytes
}

fn assert_bytes(found: &[u8], expected: &[u8], what: &str) {
    let differs = found.iter().zip(expected).position(|(a, b)| a != b);
    assert!(differs.is_none(), "{what}: differs at byte {differs:?}");
    assert_eq!(found.len(), expected.len(), "{what}: length");
}

fn style(file: &File) -> Option<Style> {
    match file.eol {
        Eol::Unix => Some(Style::Unix),
        Eol::Mime => Some(Style::Mime),
        Eol::Arbitrary => None,
    }
}

fn through_bytes(encoder: Encoder) -> Encoder {
    let loaded = Encoder::load(&encoder.save()).expect("what was saved can be loaded");
    assert_eq!(loaded, encoder);
    loaded
}

fn every_file_is_written_again_of(fixtures: Fixtures) {
    let (mut unix, mut mime) = (0, 0);
    for (file, bytes) in files(fixtures) {
        let Some(style) = style(&file) else { continue };
        if style == Style::Unix {
            unix += 1
        } else {
            mime += 1
        }
        let written = write(Encoder::new(style), &file.sections, &bytes, |encoder| encoder);
        assert_bytes(&written, &bytes, &file.path);
        let written = write(Encoder::new(style), &file.sections, &bytes, through_bytes);
        assert_bytes(&written, &bytes, &format!("{}, through its saved state", file.path));
    }
    let expected = match fixtures {
        Fixtures::Ours => (28, 6),
        Fixtures::OfOthers => (1, 0),
    };
    assert_eq!((unix, mime), expected);
}

#[test]
fn every_file_is_written_again() {
    every_file_is_written_again_of(Fixtures::Ours);
}

/// A file can be continued in another style.
fn sections_are_appended_of(fixtures: Fixtures) {
    for (file, bytes) in files(fixtures) {
        let Some(style) = style(&file) else { continue };
        for (n, listed) in file.sections.iter().enumerate().skip(1) {
            let encoder = Encoder::append(listed.offset, style);
            let written = write(encoder, &file.sections[n..], &bytes, |encoder| encoder);
            let rest = &bytes[listed.offset as usize..];
            assert_bytes(&written, rest, &format!("{} from {}", file.path, listed.offset));
        }
        if file.bytes > 10_000 {
            continue;
        }
        for style in STYLES {
            let encoder = Encoder::append(file.bytes, style);
            let mut both = bytes.clone();
            let again: Vec<Listed> =
                file.sections[1..].iter().map(|listed| shifted(listed, file.bytes)).collect();
            both.extend(write(encoder, &again, &bytes, |encoder| encoder));
            let found = sections(&both);
            assert_eq!(found.len(), 2 * file.sections.len() - 1, "{}", file.path);
        }
    }
}

#[test]
fn sections_are_appended() {
    sections_are_appended_of(Fixtures::Ours);
}

/// The section at an offset shifted by `by` bytes and this file's header, which is not written again.
fn shifted(listed: &Listed, by: u64) -> Listed {
    let mut listed = listed.clone();
    listed.offset = listed.offset - 128 + by;
    listed
}

fn sections(bytes: &[u8]) -> Vec<u64> {
    let mut decoder = PlainDecoder::new(Mode::Lenient);
    let (mut rest, mut found) = (bytes, Vec::new());
    loop {
        let step = decoder.push(rest).expect("a valid file");
        rest = &rest[step.consumed..];
        match step.event {
            Some(Event::Section(section)) => found.push(section.offset),
            Some(_) => {}
            None => break,
        }
    }
    while decoder.finish().expect("a complete file").is_some() {}
    found
}

fn refused<T>(
    encoder: &Encoder,
    call: impl FnOnce(&mut Encoder) -> Result<T, EncodeErrorKind>,
    kind: EncodeErrorKind,
) {
    let mut after = encoder.clone();
    assert_eq!(call(&mut after).err(), Some(kind));
    assert_eq!(&after, encoder, "a refused call must change nothing");
}

#[test]
fn strings_that_do_not_fit_are_refused() {
    let fresh = Encoder::new(Style::Unix);
    let long = |length, limit| EncodeErrorKind::StringTooLong { length, limit };
    refused(&fresh, |e| e.header(&[b'v'; 21], b"").map(drop), long(21, 20));
    refused(&fresh, |e| e.header(b"", &[b'u'; 59]).map(drop), long(59, 58));
    let mut encoder = fresh;
    encoder.header(&[b'v'; 20], &[b'u'; 58]).expect("the maximum lengths");
    let (one, user) = (Count::from(1), [b'-'; 59]);
    refused(&encoder, |e| e.inline(&user).map(drop), long(59, 58));
    refused(&encoder, |e| e.block(&user, one).map(drop), long(59, 58));
    refused(&encoder, |e| e.array(&user, one, one).map(drop), long(59, 58));
    refused(&encoder, |e| e.varray(&user, one).map(drop), long(59, 58));
    encoder.inline(&user[..58]).expect("the maximum length");
}

/// The end of a section must be a 64-bit offset, exact to the byte.
#[test]
fn sections_that_are_too_long_are_refused() {
    let mut encoder = Encoder::new(Style::Unix);
    encoder.header(b"", b"").expect("the header comes first");
    let too_long =
        |count: u128| EncodeErrorKind::TooLong { count: Count::new(count).expect("26 digits at most") };
    // With header, count and 32 bytes of padding, the section ends at 2^64 - 32, the last multiple of 32.
    let most = u64::MAX - 31 - 32 - 224;
    encoder.clone().block(b"", most.into()).expect("the last that can be addressed");
    // Up to 25 more bytes only reduce the padding, which has at least 7 bytes.
    encoder.clone().block(b"", (most + 25).into()).expect("ends at the same place");
    refused(&encoder, |e| e.block(b"", (most + 26).into()).map(drop), too_long((most + 26).into()));
    let max = Count::MAX;
    refused(&encoder, |e| e.block(b"", max).map(drop), too_long(max.get()));
    refused(&encoder, |e| e.array(b"", max, max).map(drop), too_long(max.get()));
    refused(&encoder, |e| e.array(b"", max, 1.into()).map(drop), too_long(max.get()));
    refused(&encoder, |e| e.array(b"", (1 << 32).into(), (1 << 33).into()).map(drop), too_long(1 << 33));
    encoder.clone().array(b"", max, 0.into()).expect("no data");
    encoder.clone().array(b"", 0.into(), max).expect("no data");
    refused(&encoder, |e| e.varray(b"", max).map(drop), too_long(max.get()));
    refused(&encoder, |e| e.varray(b"", (1 << 59).into()).map(drop), too_long(1 << 59));
    encoder.clone().varray(b"", ((1 << 59) - 10).into()).expect("its sizes can be addressed");

    encoder.varray(b"", 2.into()).expect("two sizes");
    let most = u64::MAX - 31 - 32 - 224 - 64;
    refused(&encoder, |e| e.size(u64::MAX).map(drop), too_long(u64::MAX.into()));
    encoder.size(most - 1).expect("fits");
    refused(&encoder, |e| e.size(27).map(drop), too_long(27));
    encoder.size(26).expect("fits, with 7 bytes of padding");

    let mut encoder = Encoder::append(u64::MAX - 95, Style::Unix);
    refused(&encoder, |e| e.inline(b"").map(drop), too_long(0));
    encoder = Encoder::append(u64::MAX - 127, Style::Unix);
    encoder.inline(b"").expect("ends before 2^64");
}

host_tests::of_other_projects! {
    fn every_file_is_written_again() {
        every_file_is_written_again_of(Fixtures::OfOthers);
    }

    fn sections_are_appended() {
        sections_are_appended_of(Fixtures::OfOthers);
    }
}
