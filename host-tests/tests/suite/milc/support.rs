//! Files with one defect each, and the harness.

use host_tests::archives::{milc, milc_sums, noise};
use host_tests::drive::Drive;
use linkstream::Resumable as _;
use linkstream::milc::{Decoder, ErrorKind, Event, Sums, Verdict};
use linkstream::{Error, Mode};

pub const MODES: [Mode; 3] = [Mode::Strict, Mode::Lenient, Mode::Survey];

/// A lattice of 2x3 sites.
pub const EXTENTS: [u32; 4] = [2, 1, 3, 1];
pub const DATA: usize = 6 * 288;
pub const LIST: [u32; 6] = [5, 3, 1, 0, 2, 4];

pub fn good(list: Option<&[u32]>, is_big: bool) -> Vec<u8> {
    milc(EXTENTS, list, &noise(DATA), is_big)
}

/// The expected errors of each file in survey mode.
pub fn broken() -> Vec<(&'static str, Vec<u8>, Vec<ErrorKind>)> {
    let (plain, listed) = (good(None, true), good(Some(&LIST), false));
    let changed = |at: usize, byte: u8| {
        let mut bytes = plain.clone();
        bytes[at] = byte;
        bytes
    };
    let sums = |bytes: &[u8]| {
        let (sum29, sum31) = milc_sums(&bytes[bytes.len() - DATA..], true);
        Sums { sum29, sum31 }
    };
    let flipped = changed(1000, plain[1000] ^ 0x10);
    let (stored, computed) = (sums(&plain), sums(&flipped));
    let twice = milc(EXTENTS, Some(&[5, 3, 1, 0, 2, 2]), &noise(DATA), false);
    let beyond = milc(EXTENTS, Some(&[0, 1, 2, 6, 7, 5]), &noise(DATA), true);
    vec![
        ("nothing", plain.clone(), vec![]),
        ("a list", listed.clone(), vec![]),
        ("magic", changed(3, 0x88), vec![ErrorKind::Magic { found: [0, 0, 0x4e, 0x88] }]),
        ("zero", changed(15, 0), vec![ErrorKind::Extent { index: 2 }]),
        ("negative", changed(4, 0x80), vec![ErrorKind::Extent { index: 0 }]),
        ("overflow", milc([0x7fff_ffff; 4], None, b"", true), vec![ErrorKind::SizeOverflow]),
        (
            "2^60 bytes",
            milc([0x0fff_ffff, 0x1000_0000, 1, 1], None, b"", true),
            vec![ErrorKind::SizeOverflow],
        ),
        ("cut in the magic", plain[..2].to_vec(), vec![ErrorKind::HeaderTruncated { have: 2 }]),
        ("cut in the header", plain[..50].to_vec(), vec![ErrorKind::HeaderTruncated { have: 50 }]),
        ("cut in the list", listed[..100].to_vec(), vec![ErrorKind::ListTruncated { missing: 12 }]),
        ("cut after the list", listed[..112].to_vec(), vec![ErrorKind::SumsTruncated { have: 0 }]),
        ("cut in the checksums", plain[..95].to_vec(), vec![ErrorKind::SumsTruncated { have: 7 }]),
        (
            "cut in the data",
            plain[..96 + 300].to_vec(),
            vec![ErrorKind::DataTruncated { sites: 1, missing: DATA as u64 - 300 }],
        ),
        ("a site twice", twice, vec![ErrorKind::SiteList]),
        ("a site beyond", beyond, vec![ErrorKind::SiteRange { rank: 6 }]),
        ("a bit", flipped, vec![ErrorKind::Checksum { stored, computed }]),
        ("more", [&plain[..], b"x"].concat(), vec![ErrorKind::Trailing]),
    ]
}

/// The harness. Findings about the payload are reported only if all of it was read.
pub fn drive<'a>(decoder: &'a Decoder, input: &'a [u8]) -> Drive<'a, Decoder> {
    Drive::new(decoder, input, |event| matches!(event, Event::Data | Event::SiteList))
        .noting(|decoder, event| match event {
            Event::Header(header) => {
                assert_eq!(decoder.header(), Some(header));
                header.time_stamp().to_vec()
            }
            Event::Stored(sums) => {
                assert_eq!(decoder.stored(), Some(*sums));
                Vec::new()
            }
            _ => Vec::new(),
        })
        .unseen(|event| match event {
            Event::Finding(Error { kind, .. }) if is_about_payload(kind) => None,
            Event::Verdict(_) => Some(Event::Verdict(Verdict::Unchecked)),
            other => Some(other),
        })
}

pub fn is_about_payload(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::Checksum { .. } | ErrorKind::SiteList | ErrorKind::SiteRange { .. })
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
