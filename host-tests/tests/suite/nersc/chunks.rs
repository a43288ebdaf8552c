//! The decoder reports the same for any cut of a file and any driver.

use crate::nersc::support::{LINES, MODES, broken, drive, file, found, restored, without_end};
use host_tests::fixtures::Fixtures;
use host_tests::manifest;
use linkstream::nersc::{Decoder, ErrorKind, MAX_HEADER};
use linkstream::{Class, Diagnostic as _, Error, Mode, Severity, drive as drive_all};

#[test]
fn files_are_the_same_in_all_pieces() {
    let small = manifest::load(Fixtures::Ours, "qio")
        .into_iter()
        .filter(|entry| entry.path.ends_with("badsum.nersc"));
    let fixtures = small.map(|entry| (entry.path.clone(), entry.bytes()));
    let broken = broken().into_iter().map(|(name, bytes, _)| (name.to_owned(), bytes));
    for (name, bytes) in fixtures.chain(broken) {
        for mode in MODES {
            let decoder = Decoder::new(mode);
            let drive = drive(&decoder, &bytes);
            let what = format!("{name} {mode:?}");
            let cuts: Vec<usize> = (1..bytes.len()).filter(|at| at % 13 == 0 || *at < 40).collect();
            let whole = drive.agree_reading(&what, &cuts, restored);
            let is_about_data = |kind: ErrorKind| {
                matches!(kind, ErrorKind::Checksum { .. } | ErrorKind::OtherByteOrder { .. })
            };
            // A reader that skips the data continues where one that reads them stops, at the checksum.
            if !whole.end.is_err_and(|error| is_about_data(error.kind)) {
                drive.agree_passing(&what, &whole, &[1]);
            }
        }
    }
}

#[test]
fn one_rule_is_broken_in_each() {
    for (name, bytes, kinds) in broken() {
        assert_eq!(found(&bytes, Mode::Survey), kinds, "{name}");
        let strict = kinds.iter().copied().find(|kind| kind.severity() > Severity::Info);
        let expected: Vec<ErrorKind> = kinds.iter().copied().filter(|kind| Some(*kind) == strict).collect();
        let refused: Vec<ErrorKind> =
            found(&bytes, Mode::Strict).into_iter().filter(|kind| kind.severity() > Severity::Info).collect();
        assert_eq!(refused, expected, "{name}");
    }
}

/// A truncated file never has a clean end, and is never taken for a file of another format.
#[test]
fn truncation_at_every_byte() {
    let whole = file(&LINES);
    for end in 0..whole.len() {
        let last = *found(&whole[..end], Mode::Survey).last().expect("an error");
        assert_eq!(last.class(), Class::Truncated, "cut at {end}");
    }
    assert_eq!(found(&whole, Mode::Strict), []);
}

/// A changed bit anywhere in the data is detected.
#[test]
fn every_flipped_bit_of_the_data() {
    let whole = file(&LINES);
    for at in whole.len() - 50..whole.len() {
        for bit in 0..8 {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << bit;
            assert!(matches!(found(&bytes, Mode::Survey)[..], [ErrorKind::Checksum { .. }]), "{at} {bit}");
        }
    }
}

/// If a key is repeated, the first value is used. Findings have the offset of their line.
#[test]
fn offsets_point_to_the_line() {
    let lines = ["CHECKSUM = 1", "CHECKSUM = 2"];
    let bytes = file(&[&LINES[..7], &lines, &LINES[8..]].concat());
    let decoder = Decoder::new(Mode::Lenient);
    let trace = drive(&decoder, &bytes).whole();
    let at = bytes.windows(12).position(|window| window == b"CHECKSUM = 2").expect("it is present") as u64;
    let finding = trace.events().find_map(|event| match event {
        linkstream::nersc::Event::Finding(error) => Some(*error),
        _ => None,
    });
    assert_eq!(finding, Some(Error::new(at, ErrorKind::Repeated)));
    let checksum = |event: &linkstream::nersc::Event| match event {
        linkstream::nersc::Event::Header(header) => header.checksum,
        _ => None,
    };
    assert_eq!(trace.events().find_map(checksum), Some(1));
}

/// The header of a stream is not read for ever, and ends at the same byte in pieces of any size.
#[test]
fn a_header_without_end_is_refused() {
    let header = without_end();
    let expected = Error::new(MAX_HEADER, ErrorKind::HeaderTooLong);
    for chunk in [header.len(), 4096] {
        let mut decoder = Decoder::new(Mode::Survey);
        let read = header.chunks(chunk).try_for_each(|bytes| {
            drive_all(&mut decoder, bytes, |_, _, _| {}).map(|n| assert_eq!(n, bytes.len()))
        });
        assert_eq!(read.map_err(Error::from), Err(expected));
    }
    // One byte less is not too long yet.
    let mut decoder = Decoder::new(Mode::Survey);
    assert_eq!(
        drive_all(&mut decoder, &header[..MAX_HEADER as usize], |_, _, _| {}),
        Ok(MAX_HEADER as usize)
    );
}
