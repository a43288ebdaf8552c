//! The decoder reports the same as the model, for any cut of a file and any driver.
//!
//! [`Drive::agree`](host_tests::drive::Drive::agree) skips some checks for files of more than 16 KiB to save time. They
//! are made here: every file is pushed byte by byte, and saved and restored at each 997th byte.

use crate::inebin::model::{InebinTrace, MODES, drive, expected, expected_unseen, files, restored, small};
use host_tests::fixtures::Fixtures;
use host_tests::matrices::{self, load_broken};
use linkstream::inebin::{Decoder, ErrorKind, Event};
use linkstream::{Decode, Demand, Error, Mode, SeekPayload};

/// Reads `bytes` in every way, and compares the results with each other and with the model.
fn agree(bytes: &[u8], mode: Mode, what: &str) {
    let decoder = Decoder::new(mode);
    let drive = drive(&decoder, bytes);
    let what = format!("{what} {mode:?}");
    let step = if bytes.len() > 5000 { 997 } else { 1 };
    let cuts: Vec<usize> = (1..bytes.len()).filter(|at| *at < 33 || at % step == 0).collect();
    let whole = drive.agree_reading(&what, &cuts, restored);
    expected(bytes, mode).assert_same(&whole, &format!("{what}, model"));
    whole.assert_same(&drive.chunks(1), &format!("{what}, 1 byte"));
    // If the data themselves are invalid, a reader that reads only a part of them may or may not notice.
    let unseen = expected_unseen(bytes, mode);
    let every: &[usize] = if unseen.end == whole.end { &[1, 2] } else { &[1] };
    drive.agree_passing(&what, &unseen, every);
}

#[test]
fn right_files() {
    for file in files().into_iter().chain(small()) {
        for mode in MODES {
            agree(&file.bytes, mode, &file.path);
        }
    }
}

#[test]
fn broken_files() {
    for file in load_broken(Fixtures::Ours) {
        for mode in MODES {
            agree(&file.bytes(), mode, &file.path);
        }
    }
}

/// One file with every defect that still allows reading.
#[test]
fn all_findings_in_one_file() {
    let mut bytes = matrices::file('B', 3, 5, &[1; 15]);
    bytes[6] = 7;
    bytes[17] |= 0x80;
    bytes.extend_from_slice(b"INEBIN\0B and so on");
    for mode in MODES {
        agree(&bytes, mode, "all findings");
    }
    let (mode, mut found) = (Mode::Lenient, Vec::new());
    for event in expected(&bytes, mode).events() {
        if let Event::Finding(error) = event {
            found.push(*error);
        }
    }
    let kinds = [
        (6, ErrorKind::Reserved { found: 7 }),
        (17, ErrorKind::UnusedBits { found: 0x80 }),
        (18, ErrorKind::Trailing),
    ];
    assert_eq!(found, kinds.map(|(at, kind)| Error::new(at, kind)));
}

/// Only the last byte can contain bits after the last entry, which are reported only if it was read. Some bytes are
/// pushed and the rest skipped; then the position is moved back after the last byte was read, which does not make its
/// bits unknown.
#[test]
fn bits_that_were_not_read_are_not_checked() {
    let mut bytes = matrices::header('B', 5, 5);
    bytes.extend_from_slice(&[0xFF; 4]);
    for mode in MODES {
        for pushed in 0..=4 {
            let mut decoder = Decoder::new(mode);
            for byte in &bytes[..16 + pushed] {
                let _ = decoder.push(&[*byte]).expect("valid so far");
            }
            decoder.skip(4 - pushed as u64).expect("data");
            let reported = decoder.push(&[]).map(|step| step.event);
            let error = Error::new(19, ErrorKind::UnusedBits { found: 0xFE });
            let expected = match (pushed, mode) {
                (4, Mode::Strict) => Err(error),
                (4, _) => Ok(Some(Event::Finding(error))),
                _ => Ok(Some(Event::End)),
            };
            assert_eq!(reported, expected, "{pushed} bytes pushed, {mode:?}");
            if reported == Ok(Some(Event::Finding(error))) {
                assert_eq!(decoder.push(&[]).expect("reported once").event, Some(Event::End));
            }
        }
        let mut decoder = Decoder::new(mode);
        let step = decoder.push(&bytes).expect("a header");
        let _ = decoder.push(&bytes[step.consumed..]).expect("data");
        decoder.seek(1).expect("the end is not reported yet");
        assert_eq!(decoder.demand(), Demand::Skip(3), "{mode:?}");
        decoder.skip(3).expect("data");
        let error = Error::new(19, ErrorKind::UnusedBits { found: 0xFE });
        let expected = if mode == Mode::Strict { Err(error) } else { Ok(Some(Event::Finding(error))) };
        assert_eq!(decoder.push(&[]).map(|step| step.event), expected, "{mode:?}");
    }
}

/// A small file truncated at every byte. Skipping data must not hide errors that reading finds.
#[test]
fn truncation_at_every_byte() {
    let right = files().into_iter().filter(|file| file.bytes.len() < 400);
    for file in right.chain(small()) {
        for end in 0..file.bytes.len() {
            let bytes = &file.bytes[..end];
            let error = match end {
                0..16 => ErrorKind::HeaderTruncated { have: end as u8 },
                _ => ErrorKind::DataTruncated {
                    entries: (8 * (end - 16) / matrices::width(file.letter)) as u64,
                    missing: (file.bytes.len() - end) as u64,
                },
            };
            for mode in MODES {
                let what = format!("{} cut at {end}, {mode:?}", file.path);
                let decoder = Decoder::new(mode);
                let drive = drive(&decoder, bytes);
                let whole = drive.whole();
                assert_eq!(whole.end, Err(Error::new(end as u64, error)), "{what}");
                expected(bytes, mode).assert_same(&whole, &what);
                let outline = drive.outline(&whole);
                for buffer in [1, 23] {
                    let same = |found: InebinTrace, way: &str| {
                        let what = format!("{what}, buffer of {buffer}, {way}");
                        outline.assert_same(&drive.outline(&found), &what);
                    };
                    same(drive.pull_reading(buffer, 9, end as u64), "read");
                    same(drive.pull_skipping(buffer, 1, end as u64), "skip");
                    same(drive.pull_seeking(buffer, 1, end as u64), "seek");
                    same(drive.pull_seeking(buffer, 2, end as u64), "seek after a first piece");
                }
            }
        }
    }
}
