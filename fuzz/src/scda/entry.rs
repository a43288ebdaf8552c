//! Strings and counts of scda. Compares the decoder with a simple parser, line by line. The first byte of an input
//! selects a line of a small file; the other bytes overwrite that line.

use linkstream::scda::{Count, Encoder, ErrorKind, Event, Letter, PlainDecoder, Style};
use linkstream::{Decode, Error, Mode};

use super::lines::Lines;

/// A line of a [`file`]: its bytes are those from `at` up to `to`.
struct Place {
    at: usize,
    to: usize,
    part: Part,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Part {
    Opening,
    FirstHead,
    Head,
    N,
    E,
    Size,
}

const PLACES: [Place; 6] = [
    Place { at: 0, to: 32, part: Part::Opening },
    Place { at: 32, to: 96, part: Part::FirstHead },
    Place { at: 128, to: 192, part: Part::Head },
    Place { at: 192, to: 224, part: Part::N },
    Place { at: 224, to: 256, part: Part::E },
    Place { at: 224, to: 256, part: Part::Size },
];

/// For [`Part::Size`], a variable array of one element; otherwise an array without data, so that each count may have
/// any value.
fn file(part: Part) -> Vec<u8> {
    let file = Lines::file(false, b"vendor", b"the file");
    let lines = match part {
        Part::Size => file.head(b'V', b"one").count(b'N', 1).count(b'E', 1),
        _ => file.array(b"a section", 0, 0, b""),
    };
    lines.bytes
}

/// Content of a line.
#[derive(Debug, PartialEq)]
enum Says {
    Text(Vec<u8>),
    Number(u128),
}

pub fn check(input: &[u8]) {
    let Some((which, over)) = input.split_first() else { return };
    let place = &PLACES[usize::from(*which) % PLACES.len()];
    let mut file = file(place.part);
    let n = over.len().min(place.to - place.at);
    file[place.at..place.at + n].copy_from_slice(&over[..n]);
    let line = &file[place.at..place.to];
    let expected = slow(place, line);
    assert_eq!(read(place, &file), expected, "{:?} {}", place.part, line.escape_ascii());
    if let Ok(says) = expected {
        for style in [Style::Unix, Style::Mime] {
            written(place, line, &says, style);
        }
    }
}

/// The content of the line, or its error, as reported by the decoder.
fn read(place: &Place, file: &[u8]) -> Result<Says, Error<ErrorKind>> {
    let mut decoder = PlainDecoder::new(Mode::Lenient);
    // The count N is reported together with the count E that follows it.
    let mut rest = &file[..if place.part == Part::N { 256 } else { place.to }];
    loop {
        let step = match (decoder.push(rest), place.part) {
            (Err(Error { kind: ErrorKind::TooLong { count }, at, .. }), Part::Size) => {
                assert_eq!(at, place.at as u64);
                return Ok(Says::Number(count.get()));
            }
            (step, _) => step?,
        };
        rest = &rest[step.consumed..];
        match (step.event, place.part) {
            (Some(Event::Section(section)), Part::N) if section.offset > 0 => {
                return Ok(Says::Number(section.n.get()));
            }
            (Some(Event::Section(section)), Part::E) if section.offset > 0 => {
                return Ok(Says::Number(section.e.get()));
            }
            (Some(Event::Size(size)), Part::Size) => return Ok(Says::Number(size.into())),
            (Some(_), _) => {}
            (None, Part::Opening) => return Ok(Says::Text(decoder.vendor().to_vec())),
            (None, Part::FirstHead | Part::Head) => return Ok(Says::Text(decoder.user().to_vec())),
            (None, _) => panic!("the count was not reported"),
        }
    }
}

/// The content of the line, or its error, computed as the paper defines it: from the whole line, with the padding
/// removed from its right end.
fn slow(place: &Place, line: &[u8]) -> Result<Says, Error<ErrorKind>> {
    let wrong = |within: usize, kind| Err(Error::new((place.at + within) as u64, kind));
    let text = without_padding(&line[..line.len() - 2]);
    match place.part {
        Part::Opening => {
            let found: [u8; 7] = line[..7].try_into().expect("the range has 7 bytes");
            let version = found[5..].iter().try_fold(0, |sum, byte| {
                let digit = b"0123456789abcdef".iter().position(|digit| digit == byte)?;
                Some(16 * sum + digit as u8)
            });
            match version {
                Some(version @ 0xa0..) if found.starts_with(b"scdat") => {
                    if version != 0xa0 {
                        return wrong(0, ErrorKind::Version { found: version });
                    }
                }
                _ => return wrong(0, ErrorKind::Magic { found }),
            }
            if line[7] != b' ' {
                return wrong(7, ErrorKind::NoSpace { found: line[7] });
            }
            // The space after the magic bytes must not be taken for the space of the padding.
            match text {
                Some(text) if text.len() >= 8 => Ok(Says::Text(text[8..].to_vec())),
                _ => wrong(8, ErrorKind::Vendor),
            }
        }
        Part::FirstHead | Part::Head => {
            match line[0] {
                b'F' if place.part == Part::FirstHead => {}
                b'F' => return wrong(0, ErrorKind::SecondHeader),
                b'I' | b'B' | b'A' | b'V' if place.part == Part::Head => {}
                found => return wrong(0, ErrorKind::SectionLetter { found }),
            }
            if line[1] != b' ' {
                return wrong(1, ErrorKind::NoSpace { found: line[1] });
            }
            match text {
                Some(text) if text.len() >= 2 => Ok(Says::Text(text[2..].to_vec())),
                _ => wrong(2, ErrorKind::User),
            }
        }
        Part::N | Part::E | Part::Size => {
            let expected = if place.part == Part::N { Letter::N } else { Letter::E };
            if line[0] != expected.byte() {
                return wrong(0, ErrorKind::Letter { expected, found: line[0] });
            }
            if line[1] != b' ' {
                return wrong(1, ErrorKind::NoSpace { found: line[1] });
            }
            let digits = text.and_then(|text| text.get(2..)).unwrap_or_default();
            let mut value = 0_u128;
            for digit in digits {
                if !digit.is_ascii_digit() {
                    return wrong(2, ErrorKind::Count);
                }
                value = 10 * value + u128::from(digit - b'0');
            }
            if digits.is_empty() || digits[0] == b'0' && digits.len() > 1 {
                return wrong(2, ErrorKind::Count);
            }
            Ok(Says::Number(value))
        }
    }
}

/// `text` without the padding at its end: a space and one or more dashes. `None` if it has no padding.
fn without_padding(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text.strip_suffix(b"-")?;
    while let Some(less) = rest.strip_suffix(b"-") {
        rest = less;
    }
    rest.strip_suffix(b" ")
}

/// Checks that the line is the same when its content is written again, except for the two bytes at its end.
fn written(place: &Place, line: &[u8], says: &Says, style: Style) {
    let mut encoder = Encoder::new(style);
    let mut copy = match (place.part, says) {
        (Part::Opening, Says::Text(vendor)) => {
            encoder.header(vendor, b"").expect("the string was read")[..32].to_vec()
        }
        (Part::FirstHead, Says::Text(user)) => {
            encoder.header(b"", user).expect("the string was read")[32..96].to_vec()
        }
        _ => Vec::new(),
    };
    if copy.is_empty() {
        encoder.header(b"", b"").expect("empty strings are valid");
        let none = Count::default();
        copy = match (place.part, says) {
            (Part::Head, Says::Text(user)) => {
                let begun = match line[0] {
                    b'I' => encoder.inline(user),
                    b'B' => encoder.block(user, none),
                    b'A' => encoder.array(user, none, none),
                    _ => encoder.varray(user, none),
                };
                begun.expect("the string was read")[..64].to_vec()
            }
            (part, Says::Number(value)) => {
                let count = Count::new(*value).expect("the count was read, so it has at most 26 digits");
                match (part, u64::try_from(*value)) {
                    (Part::N, _) => {
                        encoder.array(b"", count, none).expect("an array without data")[64..96].to_vec()
                    }
                    (Part::E, _) => {
                        encoder.array(b"", none, count).expect("an array without data")[96..].to_vec()
                    }
                    (_, Ok(size)) if size < 1 << 63 => {
                        encoder.varray(b"", 1.into()).expect("a variable array of one element");
                        encoder.size(size).expect("the array needs a size").to_vec()
                    }
                    _ => return,
                }
            }
            other => panic!("a line with the content of another: {other:?}"),
        };
    }
    let (end, expected) = (line.len() - 2, if style == Style::Unix { b"-\n" } else { b"\r\n" });
    assert_eq!((&copy[..end], &copy[end..]), (&line[..end], expected.as_slice()));
}

/// Every line without errors, and one seed for each error.
#[must_use]
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    let mut seeds = Vec::new();
    for (n, place) in (0_u8..).zip(&PLACES) {
        let line = &file(place.part)[place.at..place.to];
        let mut add = |name: &str, line: &[u8]| {
            seeds.push((format!("{:?}-{name}", place.part).to_lowercase(), [&[n], line].concat()));
        };
        add("right", line);
        add("any-end", &[&line[..line.len() - 2], b"\0\xff"].concat());
        let lines: &[(&str, &[u8])] = match place.part {
            Part::Opening => &[
                ("empty", b"scdata0  ----------------------\n"),
                ("longest", b"scdata0 12345678901234567890 --\n"),
                ("too-long", b"scdata0 123456789012345678901 -\n"),
                ("dashes", b"scdata0 - -- - ----------------\n"),
                ("no-space", b"scdata0 -----------------------\n"),
                ("version", b"scdataf -----------------------\n"),
            ],
            Part::FirstHead | Part::Head => {
                &[("letter", b"f"), ("space", b"I-"), ("empty", b"V  "), ("dashes", b"B - -- - ---")]
            }
            _ => &[
                ("26-digits", b" 99999999999999999999999999 --\n"),
                ("27-digits", b" 999999999999999999999999999 -\n"),
                ("20-digits", b" 18446744073709551615 --------\n"),
                ("sign", b" +1 --------------------------\n"),
                ("zero-in-front", b" 01 --------------------------\n"),
                ("no-digits", b"  -----------------------------\n"),
                ("no-space", b" 12---------------------------\n"),
            ],
        };
        for (name, over) in lines {
            let letter = if place.to - place.at == 32 && place.at > 0 { &line[..1] } else { &[] };
            add(name, &[letter, over].concat());
        }
    }
    seeds
}
