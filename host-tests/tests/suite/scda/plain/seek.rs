//! Seeking in data: positions, refused calls, and which padding is accepted if the last byte of the data was not read.

use crate::scda::model::{Body, Plain, STYLES, build, padding, restored};
use linkstream::scda::{ErrorKind, Event, PlainDecoder, Style};
use linkstream::{Class, Decode, Diagnostic as _, Error, Misuse, Mode, SeekPayload};

/// A file with one block, truncated after the block's header, and the data.
fn block(data: &[u8]) -> Vec<u8> {
    let section = Plain { user: b"block".to_vec(), body: Body::Block(data.to_vec()) };
    let mut file = build(Style::Unix, b"", b"", &[section]);
    file.truncate(224);
    file
}

/// A decoder that has read these bytes.
fn behind(bytes: &[u8], mode: Mode) -> PlainDecoder {
    let mut decoder = PlainDecoder::new(mode);
    feed(&mut decoder, bytes).expect("valid so far");
    decoder
}

/// Pushes until nothing more is reported. Returns the findings.
fn feed(decoder: &mut PlainDecoder, mut bytes: &[u8]) -> Result<Vec<Error<ErrorKind>>, Error<ErrorKind>> {
    let mut findings = Vec::new();
    loop {
        let step = decoder.push(bytes)?;
        bytes = &bytes[step.consumed..];
        match step.event {
            Some(Event::Finding(finding)) => findings.push(finding),
            Some(_) => {}
            None => return Ok(findings),
        }
    }
}

/// Ways to reach the end of the data, and whether the last byte is then known.
type Way = (&'static str, bool, fn(&mut PlainDecoder, &[u8]));

const WAYS: [Way; 9] = [
    ("all pushed", true, |decoder, data| drop(feed(decoder, data))),
    ("all skipped", false, |decoder, data| decoder.skip(data.len() as u64).unwrap()),
    ("all but the last skipped", true, |decoder, data| {
        decoder.skip(data.len() as u64 - 1).unwrap();
        feed(decoder, &data[data.len() - 1..]).unwrap();
    }),
    ("the last skipped", false, |decoder, data| {
        feed(decoder, &data[..data.len() - 1]).unwrap();
        decoder.skip(1).unwrap();
    }),
    ("to the end", false, |decoder, data| decoder.seek(data.len() as u64).unwrap()),
    ("back to the last", true, |decoder, data| {
        feed(decoder, data).unwrap();
        decoder.seek(data.len() as u64 - 1).unwrap();
        feed(decoder, &data[data.len() - 1..]).unwrap();
    }),
    ("to where it is", true, |decoder, data| {
        feed(decoder, data).unwrap();
        decoder.seek(data.len() as u64).unwrap();
        decoder.skip(0).unwrap();
    }),
    ("saved after the last", true, |decoder, data| {
        feed(decoder, data).unwrap();
        *decoder = restored(decoder.clone());
    }),
    // The bytes that were read before stay known.
    ("back and forth", true, |decoder, data| {
        feed(decoder, data).unwrap();
        decoder.seek(0).unwrap();
        decoder.seek(data.len() as u64).unwrap();
    }),
];

#[test]
fn padding_is_judged_by_the_bytes_read() {
    for length in 1..=64_usize {
        for last in [b'\n', b'\r', b'='] {
            let mut data = vec![b'x'; length];
            data[length - 1] = last;
            for (style, after) in STYLES.into_iter().flat_map(|style| [(style, b'\n'), (style, b'x')]) {
                // Padding that is valid after data with the last byte `after`.
                let mut other = data.clone();
                other[length - 1] = after;
                let right = padding(style, &other);
                for (name, seen, come) in WAYS {
                    let what = format!("{length} bytes ending in {last}, {style:?} after {after}, {name}");
                    let mut decoder = behind(&block(&data), Mode::Strict);
                    come(&mut decoder, &data);
                    assert_eq!(decoder.position(), 224 + length as u64, "{what}");
                    let fits = !seen || (last == b'\n') == (after == b'\n');
                    let found = feed(&mut decoder, &right);
                    let at = 224 + length as u64;
                    let wrong = Err(Error::new(at, ErrorKind::Padding { found: right[0] }));
                    assert_eq!(found, if fits { Ok(vec![]) } else { wrong }, "{what}");
                    assert_eq!(decoder.is_between_sections(), fits, "{what}");
                }
            }
        }
    }
}

/// Both kinds of padding are accepted, but not a mixture.
#[test]
fn paddings_are_not_mixed() {
    for length in 0..=40_usize {
        let data = vec![b'x'; length];
        let kinds = [(Style::Unix, false), (Style::Mime, false), (Style::Unix, true), (Style::Mime, true)];
        let right = kinds.map(|(style, after)| {
            let line_feeds = vec![b'\n'; length];
            padding(style, if after && length > 0 { &line_feeds } else { &data })
        });
        for first in &right {
            for second in &right {
                let mixed = [&first[..4], &second[4..]].concat();
                let mut decoder = behind(&block(&data), Mode::Lenient);
                if length > 0 {
                    decoder.skip(length as u64).unwrap();
                }
                let findings = feed(&mut decoder, &mixed).expect("lenient");
                assert_eq!(findings.is_empty(), right.contains(&mixed), "{mixed:?}");
                assert!(decoder.is_between_sections());
            }
        }
    }
}

fn misuse(misuse: Misuse, at: u64) -> Error<ErrorKind> {
    Error::new(at, ErrorKind::Misuse(misuse))
}

#[test]
fn places_outside_are_refused_without_harm() {
    let mut decoder = behind(&block(&[b'x'; 10]), Mode::Strict);
    for (from, to) in [(0, 4), (4, 10), (10, 3), (3, 0), (0, 10)] {
        assert_eq!(decoder.payload_position(), Some(from));
        assert_eq!(decoder.position(), 224 + from);
        let refused = misuse(Misuse::SkipTooFar { asked: 11, available: 10 }, 224 + from);
        assert_eq!(decoder.seek(11), Err(refused));
        let refused = misuse(Misuse::SkipTooFar { asked: 11 - from, available: 10 - from }, 224 + from);
        assert_eq!(decoder.skip(11 - from), Err(refused));
        assert_eq!(decoder.seek(u64::MAX).unwrap_err().kind.class(), Class::Misuse);
        decoder.seek(to).expect("inside");
    }
}

/// A payload is open from the last count to the first byte of padding; for an inline section, to its end.
#[test]
fn payload_is_open_where_data_are() {
    let sections = [
        Plain {
            user: b"v".to_vec(),
            body: Body::Varray(vec![b"one".to_vec(), b"".to_vec(), b"three".to_vec()]),
        },
        Plain { user: b"i".to_vec(), body: Body::Inline([b'i'; 32]) },
        Plain { user: b"b".to_vec(), body: Body::Block(Vec::new()) },
    ];
    let file = build(Style::Mime, b"vendor", b"user", &sections);
    // File header; variable array with its header, three sizes and 24 bytes of padding; inline section; block.
    let open = [(96, 96), (320, 328), (416, 448), (544, 544)];
    let between = [128, 352, 448, 576];
    assert_eq!(*between.last().unwrap(), file.len());
    for n in 0..=file.len() {
        let mut decoder = behind(&file[..n], Mode::Strict);
        // The inline section ends with its data.
        let found = open.iter().find(|(from, to)| (*from..=*to).contains(&n) && n != 448);
        let place = found.map(|(from, _)| (n - from) as u64);
        assert_eq!(decoder.payload_position(), place, "at {n}");
        assert_eq!(decoder.is_between_sections(), between.contains(&n), "at {n}");
        if place.is_none() {
            assert_eq!(decoder.seek(0), Err(misuse(Misuse::NoPayload, n as u64)), "at {n}");
            let refused = misuse(Misuse::SkipTooFar { asked: 1, available: 0 }, n as u64);
            assert_eq!(decoder.skip(1), Err(refused), "at {n}");
        }
        // The refused calls have changed nothing.
        assert_eq!(feed(&mut decoder, &file[n..]), Ok(vec![]), "at {n}");
    }
}
