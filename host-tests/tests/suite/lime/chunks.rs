//! The decoder reports the same as the model, for any cut of a file and any driver.
//!
//! [`Drive::agree`](host_tests::drive::Drive::agree) skips some checks for files of more than 16 KiB to save time. They
//! are made here: every file is pushed byte by byte. The decoder is saved and restored at every byte of a header or
//! padding and at the edges of payloads, and at each 997th byte inside payloads.

use crate::lime::model::{LimeTrace, MODES, drive, expected, relevant_cuts, restored};
use host_tests::fixtures::Fixtures;
use host_tests::manifest::{Entry, load};
use host_tests::oracle;
use linkstream::lime::{Decoder, ErrorKind};
use linkstream::{Error, Mode};

/// Reads `bytes` in every way, and compares the results with each other and with the model.
fn agree(bytes: &[u8], mode: Mode, what: &str) -> LimeTrace {
    let decoder = Decoder::new(mode);
    let drive = drive(&decoder, bytes);
    let what = format!("{what} {mode:?}");
    let whole = drive.agree(&what, &relevant_cuts(bytes), restored);
    expected(bytes, mode).assert_same(&whole, &format!("{what}, model"));
    whole.assert_same(&drive.chunks(1), &format!("{what}, 1 byte"));
    whole
}

fn folder(fixtures: Fixtures, name: &str, only: fn(&Entry) -> bool) -> Vec<(String, Vec<u8>)> {
    let entries = load(fixtures, name).into_iter().filter(only);
    let files: Vec<_> = entries.map(|entry| (entry.path.clone(), entry.bytes())).collect();
    assert!(!files.is_empty(), "{name}");
    files
}

#[test]
fn files_of_c_lime() {
    for (path, bytes) in folder(Fixtures::Ours, "lime", |_| true) {
        for mode in MODES {
            agree(&bytes, mode, &path);
        }
    }
}

#[test]
fn broken_files() {
    for (path, bytes) in folder(Fixtures::Ours, "broken", |entry| entry.path.starts_with("lime/")) {
        for mode in MODES {
            agree(&bytes, mode, &path);
        }
    }
}

/// None of these files breaks a rule of LIME, so that one mode is enough.
fn assert_clean(bytes: &[u8], path: &str) {
    let trace = agree(bytes, Mode::Strict, path);
    assert_eq!(trace.end, Ok(()), "{path}");
}

/// The files of QIO. Among them are the sources of conversions, which are not LIME, and a file followed by the tail of
/// an older version of it.
fn qio(fixtures: Fixtures, only: fn(&Entry) -> bool) {
    for (path, bytes) in folder(fixtures, "qio", only) {
        if path.ends_with(".nersc") {
            let word = u32::from_be_bytes(bytes[..4].try_into().expect("4 bytes"));
            let trace = agree(&bytes, Mode::Survey, &path);
            assert_eq!(trace.end, Err(Error::new(0, ErrorKind::Magic { found: word })), "{path}");
        } else if path == "quirks/single_append_overwrites.lime" {
            let word = u32::from_be_bytes(bytes[1696..1700].try_into().expect("4 bytes"));
            let trace = agree(&bytes, Mode::Survey, &path);
            assert_eq!(trace.end, Err(Error::new(1696, ErrorKind::Magic { found: word })), "{path}");
        } else {
            assert_clean(&bytes, &path);
        }
    }
}

#[test]
fn single_files_of_qio() {
    qio(Fixtures::Ours, |entry| entry.path.starts_with("single/") || entry.path.starts_with("usqcd/"));
}

#[test]
fn alien_files() {
    qio(Fixtures::Ours, |entry| entry.path.starts_with("alien/"));
}

#[test]
fn other_files_of_qio() {
    qio(Fixtures::Ours, |entry| {
        !["single/", "usqcd/", "alien/"].iter().any(|folder| entry.path.starts_with(folder))
    });
}

/// The error of strict mode for a file that ends at `end`, by the position in the records.
fn end_at(records: &[oracle::Record], end: u64) -> Option<Error<ErrorKind>> {
    let at = records.iter().rev().find(|record| record.offset < end)?;
    let payload_end = at.payload_offset + at.length;
    let next = at.payload_offset + at.length.next_multiple_of(8);
    let kind = if end < at.payload_offset {
        ErrorKind::HeaderTruncated { have: u8::try_from(end - at.offset).expect("less than 144") }
    } else if end < payload_end {
        ErrorKind::PayloadTruncated { missing: payload_end - end }
    } else if end < next {
        ErrorKind::PaddingTruncated { missing: u8::try_from(next - end).expect("at most 7") }
    } else {
        return None;
    };
    Some(Error::new(end, kind))
}

/// A small file truncated at every byte: strict mode is compared with the record boundaries of the oracle, all modes
/// with the model. Skipping payload must not hide errors that reading finds.
fn cut_everywhere(path: &str, bytes: &[u8], by_the_oracle: bool) {
    let records = oracle::records(bytes);
    // 5 and 8, the unit of padding, have no common divisor.
    for end in host_tests::long::sample(0..=bytes.len(), 5) {
        let bytes = &bytes[..end];
        for mode in MODES {
            let what = format!("{path} cut at {end}, {mode:?}");
            let decoder = Decoder::new(mode);
            let drive = drive(&decoder, bytes);
            let whole = drive.whole();
            if by_the_oracle && mode == Mode::Strict {
                assert_eq!(whole.end.err(), end_at(&records, end as u64), "{what}");
            }
            expected(bytes, mode).assert_same(&whole, &what);
            if mode == Mode::Survey {
                continue; // For LIME it equals lenient mode.
            }
            let outline = drive.outline(&whole);
            // Both buffer sizes are used at every byte, each in one of the two modes.
            let buffer = if (mode == Mode::Strict) == (end % 2 == 0) { 1 } else { 145 };
            let seed = end as u64;
            let same = |found: LimeTrace, way: &str| {
                outline.assert_same(&drive.outline(&found), &format!("{what}, buffer of {buffer}, {way}"));
            };
            same(drive.pull_reading(buffer, 9, seed), "read");
            same(drive.pull_skipping(buffer, 1, seed), "skip");
            same(drive.pull_seeking(buffer, 1, seed), "seek");
            same(drive.pull_seeking(buffer, 2, seed), "seek after a first piece");
        }
    }
}

#[test]
fn truncation_at_every_byte() {
    for (path, bytes) in folder(Fixtures::Ours, "lime", |entry| entry.bytes.is_some_and(|n| n < 2048)) {
        // In strict mode this file ends at its second header, wherever it is truncated after that.
        cut_everywhere(&path, &bytes, path != "mbme-unchecked.lime");
    }
}

#[test]
fn truncation_of_broken_files_at_every_byte() {
    let broken = |entry: &Entry| entry.path.starts_with("lime/") && entry.bytes.is_some_and(|n| n < 2048);
    for (path, bytes) in folder(Fixtures::Ours, "broken", broken) {
        cut_everywhere(&path, &bytes, false);
    }
}

host_tests::of_other_projects! {
    fn files_from_the_wild() {
        for (path, bytes) in folder(Fixtures::OfOthers, "wild", |_| true) {
            assert_clean(&bytes, &path);
        }
    }

    fn file_of_qio() {
        qio(Fixtures::OfOthers, |_| true);
    }
}
