//! A small file with compressed sections of every type, truncated at every byte and with every bit flipped: wrong data
//! are never returned as correct.

use crate::scda::model::{Body, MODES, Plain, padding};
use crate::scda::unpack::support::{Run, file, noise, packed, run, smooth};
use host_tests::packed::{self, Compression, MIME, UNIX, inflated, stored};
use linkstream::scda::{self, SectionType, Style};
use linkstream::{Class, Decode as _, Demand, Diagnostic as _, Mode};

const ROOM: usize = 1000;

fn elements() -> [Vec<Vec<u8>>; 3] {
    let array = vec![smooth(20), noise(20)];
    [vec![smooth(120)], array, vec![b"abc".to_vec(), Vec::new(), noise(70), b"abcabcabcabcabc".to_vec()]]
}

/// Texts with streams of all block types.
fn texts(plains: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let text = |(n, plain): (usize, &Vec<u8>)| {
        let stream = match n % 3 {
            0 => packed::compressed(plain, Compression::best_compression()),
            1 => stored(plain, 9),
            _ => packed::compressed(plain, Compression { window_bits: 9, ..Compression::new(4) }),
        };
        packed::text(plain.len() as u64, &stream, if n % 2 == 0 { UNIX } else { MIME })
    };
    plains.iter().enumerate().map(text).collect()
}

fn sample() -> Vec<u8> {
    let types = [SectionType::Block, SectionType::Array, SectionType::Varray];
    let mut sections = vec![Plain { user: b"i".to_vec(), body: Body::Inline([7; 32]) }];
    for (kind, plains) in types.into_iter().zip(elements()) {
        let sizes: Vec<u64> = plains.iter().map(|plain| plain.len() as u64).collect();
        sections.extend(packed(Style::Unix, kind, b"user", &sizes, texts(&plains)));
    }
    file(&sections)
}

fn assert_whole(run: &Run) {
    assert_eq!((run.end, &run.findings[..]), (Ok(()), &[][..]));
    let found = run.sections[2..].iter().map(|section| &section.elements);
    assert!(found.eq(&elements()));
}

#[test]
fn every_cut_is_reported() {
    let bytes = sample();
    let whole = run(&bytes, Mode::Strict, ROOM);
    assert_whole(&whole);
    // A file can end before each section, except before a second half.
    let starts = whole.sections.iter().skip(1).map(|seen| seen.section.offset as usize);
    let ends: Vec<usize> = starts.chain([bytes.len()]).collect();
    for cut in 0..bytes.len() {
        for mode in MODES {
            let found = run(&bytes[..cut], mode, ROOM);
            let what = format!("cut at {cut}, {mode:?}: {:?}", found.fault());
            if ends.contains(&cut) {
                assert_eq!(found.fault(), None, "{what}");
            } else {
                let error = found.fault().expect(&what);
                assert_eq!((error.at, error.kind.class()), (cut as u64, Class::Truncated), "{what}");
            }
            // The elements returned are correct.
            for (found, whole) in found.sections.iter().zip(&whole.sections) {
                assert!(whole.elements.starts_with(&found.elements), "{what}");
                assert!(whole.data.starts_with(&found.data), "{what}");
                assert_eq!((found.section, &found.user), (whole.section, &whole.user), "{what}");
            }
        }
    }
}

/// The meaning of a byte in the file.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Region {
    /// Letters, spaces, dashes and counts, which are determined by rules.
    Rule,
    /// A name, which is not protected by a checksum.
    Name,
    /// The name that marks a first half. With another name, the section is an ordinary one.
    Magic,
    /// Two bytes with arbitrary values.
    LineEnd,
    Padding,
    /// Data of uncompressed sections, which are not protected by a checksum.
    Plain,
    /// Text of compressed elements, with the number of the element in the file.
    Text(usize),
    /// Two bytes with arbitrary values after each line of text.
    Break,
}

/// The meaning of each byte, by section 2 of the format description.
fn regions(bytes: &[u8]) -> Vec<Region> {
    let mut regions = Vec::new();
    line(&mut regions, 8, b"test", Region::Name, 32);
    line(&mut regions, 2, b"compressed", Region::Name, 64);
    regions.extend([Region::Padding; 32]);
    let count = |at: usize| {
        let digits = bytes[at + 2..].split(|byte| *byte == b' ').next().expect("a number");
        std::str::from_utf8(digits).expect("digits").parse::<usize>().expect("digits")
    };
    let (mut text, mut second_half) = (0, false);
    while regions.len() < bytes.len() {
        let at = regions.len();
        let user = bytes[at + 2..at + 64].split(|byte| *byte == b'-').next().expect("a name");
        let user = &user[..user.len() - 1];
        let is_magic = user.ends_with(b"compressed scda 00");
        line(&mut regions, 2, user, if is_magic { Region::Magic } else { Region::Name }, 64);
        let lines = match bytes[at] {
            b'I' => 0,
            b'B' => 1,
            b'A' => 2,
            _ => 1 + count(at + 64),
        };
        (0..lines).for_each(|_| line(&mut regions, 32, b"", Region::Rule, 32));
        let last = at + 64 + 32 * (lines.max(1) - 1);
        let mut lengths: Vec<usize> = match bytes[at] {
            b'I' => vec![32],
            b'B' => vec![count(last)],
            b'A' => vec![count(last - 32) * count(last)],
            _ => (0..lines - 1).map(|n| count(at + 96 + 32 * n)).collect(),
        };
        for length in &lengths {
            match (is_magic, second_half) {
                (true, _) => (0..length / 32).for_each(|_| line(&mut regions, 32, b"", Region::Rule, 32)),
                (_, true) => {
                    let at_break = |n: usize| n % 78 >= 76 || n + 2 >= *length;
                    regions.extend((0..*length).map(|n| match at_break(n) {
                        true => Region::Break,
                        false => Region::Text(text),
                    }));
                    text += 1;
                }
                _ => regions.extend(std::iter::repeat_n(Region::Plain, *length)),
            }
        }
        if bytes[at] != b'I' {
            let length: usize = lengths.drain(..).sum();
            regions
                .extend(std::iter::repeat_n(Region::Padding, padding(Style::Unix, &vec![0; length]).len()));
        }
        second_half = is_magic;
    }
    regions
}

/// A padded line: `before` bytes determined by rules, a name, dashes, and two bytes with arbitrary values.
fn line(regions: &mut Vec<Region>, before: usize, name: &[u8], kind: Region, length: usize) {
    let end = regions.len() + length;
    let before = before.min(length - 2);
    regions.extend(std::iter::repeat_n(Region::Rule, before));
    regions.extend(std::iter::repeat_n(kind, name.len()));
    regions.resize(end - 2, Region::Rule);
    regions.extend([Region::LineEnd; 2]);
}

/// The stream in a text, decoded strictly; `None` if the text is invalid.
fn stream(text: &[u8]) -> Option<Vec<u8>> {
    let code: Vec<u8> = text.chunks(78).flat_map(|line| &line[..line.len() - 2]).copied().collect();
    let equals = code.iter().rev().take_while(|byte| **byte == b'=').count();
    let value = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut raw = Vec::new();
    let (mut bits, mut held) = (0_u32, 0);
    for byte in &code[..code.len() - equals] {
        bits = bits << 6 | u32::from(value(*byte)?);
        held += 6;
        if held >= 8 {
            held -= 8;
            raw.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    let whole = bits == 0 && raw.len().div_ceil(3) * 4 == code.len() && equals == (3 - raw.len() % 3) % 3;
    whole.then_some(raw)
}

/// True if a text still decodes to the same data: bits after the last block or after the header of a stored one are
/// unused.
fn says_the_same(text: &[u8], plain: &[u8]) -> bool {
    let Some(raw) = stream(text) else { return false };
    let (head, stream) = raw.split_at(9);
    *head == [&(plain.len() as u64).to_be_bytes()[..], b"z"].concat()
        && inflated(stream, plain.len()).is_some_and(|found| found == (plain.to_vec(), stream.len()))
}

/// The range of a text.
fn text_at(regions: &[Region], number: usize) -> std::ops::Range<usize> {
    let start = regions.iter().position(|region| *region == Region::Text(number)).expect("a text");
    let end = regions.iter().rposition(|region| *region == Region::Text(number)).expect("a text");
    start..end + 3
}

#[test]
fn every_flipped_bit_is_reported_or_does_not_matter() {
    let bytes = sample();
    let whole = run(&bytes, Mode::Strict, ROOM);
    let regions = regions(&bytes);
    assert_eq!(regions.len(), bytes.len());
    let plains = elements().concat();
    let (mut refused, mut unused_bits) = (0, 0);
    for bit in 0..bytes.len() * 8 {
        let mut bytes = bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let region = regions[bit / 8];
        let found = run(&bytes, Mode::Lenient, ROOM);
        let strict = run(&bytes, Mode::Strict, ROOM);
        let what = format!("bit {} of byte {}, {region:?}: {:?}", bit % 8, bit / 8, found.fault());
        let fault = found.fault();
        refused += usize::from(fault.is_some());
        match region {
            Region::Rule => assert!(fault.is_some(), "{what}"),
            // The last byte of data determines the padding.
            Region::LineEnd | Region::Break if regions[bit / 8 + 1] != Region::Padding || found == whole => {
                assert!(found == whole && strict == whole, "{what}");
            }
            Region::LineEnd | Region::Break | Region::Padding => {
                // Reported by every mode that examines padding: a finding in lenient mode, an error in strict mode.
                let [finding] = found.findings[..] else { panic!("{what}") };
                assert_eq!((finding.kind.class(), found.end), (Class::Padding, Ok(())), "{what}");
                assert_eq!(strict.end, Err(finding), "{what}");
                assert!(found.sections == whole.sections, "{what}");
            }
            Region::Name | Region::Plain => {
                assert_eq!(fault, None, "{what}");
                let elements =
                    |run: &Run| run.sections.iter().map(|seen| seen.elements.clone()).collect::<Vec<_>>();
                assert!(elements(&found) == elements(&whole), "{what}");
            }
            Region::Magic => {
                // The first half is reported as a raw section, and the second half shows that it is damaged.
                assert_eq!(fault.map(|error| error.kind), Some(scda::ErrorKind::FirstHalf), "{what}");
                let survey = run(&bytes, Mode::Survey, ROOM);
                assert_eq!(
                    (survey.fault(), survey.sections.len()),
                    (fault, whole.sections.len() + 1),
                    "{what}"
                );
            }
            Region::Text(number) => {
                let text = &bytes[text_at(&regions, number)];
                let same = says_the_same(text, &plains[number]);
                assert_eq!(fault.is_none(), same, "{what}");
                unused_bits += usize::from(same);
                if same {
                    assert!(found == whole, "{what}");
                } else {
                    // Elements before the damaged one are correct; others may be absent.
                    let of = |run: &Run| {
                        run.sections.iter().flat_map(|seen| seen.elements.clone()).collect::<Vec<_>>()
                    };
                    assert_eq!(of(&found), plains[..of(&found).len()], "{what}");
                    assert!(of(&found).len() <= number, "{what}");
                }
            }
        }
    }
    assert!(refused > bytes.len() * 4, "{refused} of {} refused", bytes.len() * 8);
    assert!(unused_bits > 20, "{unused_bits}");
    println!("{refused} refused, {unused_bits} bits that mean nothing, of {}", bytes.len() * 8);
}

/// The findings about a file. It is pushed whole, or its payload is skipped wherever this is possible.
fn findings(file: &[u8], skips: bool) -> Vec<scda::ErrorKind> {
    let (mut decoder, mut rest, mut found) = (scda::Decoder::new(Mode::Survey, true), file, Vec::new());
    loop {
        if let Demand::Skip(n) = decoder.demand()
            && skips
        {
            decoder.skip(n).expect("payload");
            rest = &rest[n as usize..];
        }
        let step = decoder.push(rest).expect("survey mode");
        rest = &rest[step.consumed..];
        match step.event {
            Some(scda::Event::Finding(error)) => found.push(error.kind),
            Some(_) => {}
            None => return found,
        }
    }
}

/// Only an entry that was read shows a damaged first half: an ordinary section can have a similar name.
#[test]
fn a_first_half_is_only_called_damaged_if_its_entry_was_read() {
    let mut file = sample();
    let name = file.windows(18).position(|bytes| bytes == b"compressed scda 00").expect("a first half");
    file[name] ^= 1;
    assert_eq!(findings(&file, false), [scda::ErrorKind::FirstHalf]);
    assert_eq!(findings(&file, true), []);
    let entry = file.windows(2).position(|bytes| bytes == b"U ").expect("an entry");
    file[entry] = b'u';
    assert_eq!(findings(&file, false), []);
}
