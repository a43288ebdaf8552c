//! Files with one defect each, and the harness.

use host_tests::archives::{nersc, noise, word_sum};
use host_tests::drive::Drive;
use linkstream::Resumable as _;
use linkstream::nersc::{Decoder, ErrorKind, Event, Verdict};
use linkstream::{Error, Mode};

pub const MODES: [Mode; 3] = [Mode::Strict, Mode::Lenient, Mode::Survey];

/// The lines of an archive with 2 sites, two rows and 32-bit numbers.
pub const LINES: [&str; 9] = [
    "DATATYPE = 4D_SU3_GAUGE",
    "DIMENSION_1 = 1",
    "DIMENSION_2 = 2",
    "DIMENSION_3 = 1",
    "DIMENSION_4 = 1",
    "LINK_TRACE = 0.1",
    "PLAQUETTE = -2.5e-01",
    "CHECKSUM = ",
    "FLOATING_POINT = IEEE32BIG",
];

/// Size of the data of such an archive in bytes.
pub const DATA: usize = 2 * 4 * 48;

/// An archive with these lines. A line `CHECKSUM = ` gets the checksum of the data.
pub fn file(lines: &[&str]) -> Vec<u8> {
    let data = noise(DATA);
    let sum = format!("CHECKSUM = {:x}", word_sum(&data, true));
    let lines: Vec<&str> =
        lines.iter().map(|line| if *line == "CHECKSUM = " { &*sum } else { *line }).collect();
    nersc(&lines, &data)
}

/// The archive with this line instead of the one with the same key, or in addition if there is none.
pub fn with(line: &str) -> Vec<u8> {
    let key = line.split(' ').next().expect("a key");
    let mut lines = LINES.to_vec();
    match lines.iter_mut().find(|other| other.split(' ').next() == Some(key)) {
        Some(other) => *other = line,
        None => lines.push(line),
    }
    file(&lines)
}

/// The archive without the line with this key.
pub fn without(key: &str) -> Vec<u8> {
    let lines: Vec<&str> = LINES.into_iter().filter(|line| !line.starts_with(key)).collect();
    file(&lines)
}

/// A header that is longer than any decoder reads. Too long to be cut everywhere as the files of [`broken`] are.
pub fn without_end() -> Vec<u8> {
    [&b"BEGIN_HEADER\n"[..], &b"LABEL = x\n".repeat(1_677_722)].concat()
}

/// The expected findings of each file in survey mode; the last may be the error at the end.
pub fn broken() -> Vec<(&'static str, Vec<u8>, Vec<ErrorKind>)> {
    let good = file(&LINES);
    let header = good.len() - DATA;
    let sum = |bytes: &[u8]| word_sum(&bytes[bytes.len() - DATA..], true);
    let changed = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        bytes
    };
    let text = |from: &str, to: &str| {
        let front = String::from_utf8(good[..header].to_vec()).expect("ASCII").replacen(from, to, 1);
        [front.as_bytes(), &good[header..]].concat()
    };
    let flipped = changed(header + 7, good[header + 7] ^ 1);
    let (stored, computed) = (sum(&good), sum(&flipped));
    let long = "x".repeat(1100);
    let mut little = with("FLOATING_POINT = IEEE32LITTLE");
    let at = little.len();
    little.truncate(at);
    let mut found = *b"BEGIN_HEADER";
    found[11] = b'X';
    let other = linkstream::lattice::ByteOrder::Big;
    vec![
        ("nothing", good.clone(), vec![]),
        ("magic", changed(11, b'X'), vec![ErrorKind::Magic { found }]),
        ("line", with("no equals sign"), vec![ErrorKind::Line]),
        ("no blanks", text("DIMENSION_2 = 2", "DIMENSION_2=2"), vec![ErrorKind::Line]),
        ("no blank before the equals sign", text("DIMENSION_2 = 2", "DIMENSION_2= 2"), vec![ErrorKind::Line]),
        ("a tab", text("DIMENSION_2 = 2", "DIMENSION_2\t= 2"), vec![ErrorKind::Line]),
        ("a blank before the key", text("DIMENSION_2 = 2", " DIMENSION_2 = 2"), vec![ErrorKind::Line]),
        ("no blank after the equals sign", text("DIMENSION_2 = 2", "DIMENSION_2  =2"), vec![]),
        ("first line", text("BEGIN_HEADER\n", "BEGIN_HEADER 1\n"), vec![ErrorKind::Line]),
        ("line too long", with(&format!("LABEL = {long}")), vec![ErrorKind::LineTooLong]),
        ("key too long", with(&long), vec![ErrorKind::Line]),
        ("carriage returns", text("DIMENSION_2 = 2\n", "DIMENSION_2 = 2\r\n"), vec![ErrorKind::LineEnd]),
        ("all carriage returns", text("0.1\n", "0.1\r\n").to_vec(), vec![ErrorKind::LineEnd]),
        ("blank after the end", text("END_HEADER\n", "END_HEADER \n"), vec![ErrorKind::LineEnd]),
        (
            "repeated",
            text("DIMENSION_2 = 2\n", "DIMENSION_2 = 2\nDIMENSION_2 = 3\n"),
            vec![ErrorKind::Repeated],
        ),
        ("no extent", without("DIMENSION_3"), vec![ErrorKind::DimensionMissing { number: 3 }]),
        ("zero", with("DIMENSION_4 = 0"), vec![ErrorKind::Dimension { number: 4 }]),
        ("2^32 + 1", with("DIMENSION_1 = 4294967297"), vec![ErrorKind::Dimension { number: 1 }]),
        ("a sign", with("DIMENSION_1 = -1"), vec![ErrorKind::Dimension { number: 1 }]),
        ("no type", without("DATATYPE"), vec![ErrorKind::DatatypeMissing]),
        ("no square", with("DATATYPE = 4D_SU3_GAUGE_2x2"), vec![ErrorKind::Datatype]),
        ("no floating point", without("FLOATING_POINT"), vec![ErrorKind::FloatingPointMissing]),
        ("16 bits", with("FLOATING_POINT = IEEE16"), vec![ErrorKind::FloatingPoint]),
        ("no checksum", without("CHECKSUM"), vec![ErrorKind::ChecksumMissing]),
        ("checksum too long", with("CHECKSUM = 123456789"), vec![ErrorKind::ChecksumForm]),
        ("a word", with("PLAQUETTE = none"), vec![ErrorKind::Number]),
        ("33 digits", with(&format!("LINK_TRACE = 0.{}", "1".repeat(31))), vec![ErrorKind::Number]),
        (
            "more than 2^64 bytes",
            text("DIMENSION_1 = 1", "DIMENSION_1 = 4294967295").to_vec().into_iter().collect::<Vec<u8>>(),
            vec![ErrorKind::DataTruncated { sites: 2, missing: 4_294_967_295 * 2 * 192 - DATA as u64 }],
        ),
        (
            "overflow",
            nersc(
                &[
                    "DATATYPE = 4D_SU3_GAUGE",
                    "DIMENSION_1 = 4294967295",
                    "DIMENSION_2 = 4294967295",
                    "DIMENSION_3 = 2",
                    "DIMENSION_4 = 1",
                    "CHECKSUM = 0",
                    "FLOATING_POINT = IEEE32BIG",
                ],
                b"",
            ),
            vec![ErrorKind::SizeOverflow],
        ),
        ("cut in the header", good[..header - 3].to_vec(), vec![ErrorKind::HeaderTruncated]),
        ("cut in the magic", good[..5].to_vec(), vec![ErrorKind::HeaderTruncated]),
        (
            "cut in the data",
            good[..header + 200].to_vec(),
            vec![ErrorKind::DataTruncated { sites: 1, missing: DATA as u64 - 200 }],
        ),
        ("a bit", flipped, vec![ErrorKind::Checksum { stored, computed }]),
        ("the other byte order", little, vec![ErrorKind::OtherByteOrder { found: other }]),
        ("more", [&good[..], b"\n"].concat(), vec![ErrorKind::Trailing]),
    ]
}

/// The harness. The checksum is compared only if all data were read.
pub fn drive<'a>(decoder: &'a Decoder, input: &'a [u8]) -> Drive<'a, Decoder> {
    Drive::new(decoder, input, |event| *event == Event::Data)
        .noting(|decoder, event| match event {
            Event::Line => {
                let (key, value) = decoder.line().expect("a line is reported");
                [key, b"=", value].concat()
            }
            Event::Header(header) => {
                assert_eq!(decoder.header(), Some(header));
                Vec::new()
            }
            _ => {
                assert_eq!(decoder.line(), None);
                Vec::new()
            }
        })
        .unseen(|event| match event {
            Event::Finding(Error {
                kind: ErrorKind::Checksum { .. } | ErrorKind::OtherByteOrder { .. },
                ..
            }) => None,
            Event::Verdict(_) => Some(Event::Verdict(Verdict::Unchecked)),
            other => Some(other),
        })
}

/// A decoder, saved and restored.
pub fn restored(decoder: Decoder) -> Decoder {
    let saved = decoder.save().expect("a decoder without an error can be saved");
    Decoder::load(&saved).expect("what was saved can be loaded")
}

/// All errors reported for a file.
pub fn found(file: &[u8], mode: Mode) -> Vec<ErrorKind> {
    let finding = |event| match event {
        Event::Finding(error) => Some(error.kind),
        _ => None,
    };
    crate::rules::reported(Decoder::new(mode), finding, file)
}
