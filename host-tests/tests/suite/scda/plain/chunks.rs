//! The decoder reports the same as the model, for any cut of a file and any driver.
//!
//! [`Drive::agree`](host_tests::drive::Drive::agree) skips some checks for files of more than 16 KiB to save time. They
//! are made here: every file is pushed byte by byte. The decoder is saved and restored at every byte, except inside
//! data, and there at each 997th.

use crate::scda::model::{MODES, ScdaTrace, drive, expected, relevant_cuts, restored};
use host_tests::fixtures::Fixtures;
use host_tests::long;
use host_tests::sections::{load, load_broken};
use linkstream::scda::{ErrorKind, Event, PlainDecoder};
use linkstream::{Class, Diagnostic as _, Error, Mode};

/// Reads `bytes` in every way, and compares the results with each other and with the model.
fn agree(bytes: &[u8], mode: Mode, what: &str) {
    let decoder = PlainDecoder::new(mode);
    let drive = drive(&decoder, bytes);
    let what = format!("{what} {mode:?}");
    let whole = drive.agree_reading(&what, &relevant_cuts(bytes), restored);
    expected(bytes, mode).assert_same(&whole, &format!("{what}, model"));
    whole.assert_same(&drive.chunks(1), &format!("{what}, 1 byte"));
    if whole.end.is_err_and(|error| error.kind.class() == Class::Padding) {
        // The validity of this padding can depend on a byte that was skipped. All runs that skip all data must still
        // agree.
        let unseen = drive.skipping(7);
        drive.agree_passing(&what, &unseen, &[1]);
    } else {
        drive.agree_passing(&what, &whole, &[1, 2]);
    }
}

fn right_files_of(fixtures: Fixtures) {
    for file in load(fixtures) {
        let bytes = file.bytes();
        // Large files are valid, so that one mode is enough.
        let modes = if bytes.len() > 16 * 1024 { &MODES[..1] } else { &MODES };
        modes.iter().for_each(|mode| agree(&bytes, *mode, &file.path));
    }
}

#[test]
fn right_files() {
    right_files_of(Fixtures::Ours);
}

#[test]
fn broken_files() {
    for (number, file) in load_broken(Fixtures::Ours).into_iter().enumerate() {
        let bytes = file.bytes();
        // Each file in one of the modes.
        for mode in long::sample(MODES.into_iter().cycle().skip(number).take(MODES.len()), MODES.len()) {
            agree(&bytes, mode, &file.path);
        }
    }
}

/// Small files truncated at every byte: the end is clean only between sections, by the offsets in the manifest.
/// Skipping data must not hide errors that reading finds.
fn truncation_at_every_byte_of(fixtures: Fixtures) {
    for file in load(fixtures).into_iter().filter(|file| file.bytes < 2500) {
        let bytes = file.bytes();
        let between: Vec<u64> =
            file.sections.iter().skip(1).map(|section| section.offset).chain([file.bytes]).collect();
        for end in long::sample(0..=bytes.len(), 5) {
            let cut = &bytes[..end];
            for mode in MODES {
                let what = format!("{} cut at {end}, {mode:?}", file.path);
                let decoder = PlainDecoder::new(mode);
                let drive = drive(&decoder, cut);
                let whole = drive.whole();
                expected(cut, mode).assert_same(&whole, &what);
                let found = whole.end.err().or_else(|| finding(&whole));
                assert_eq!(found.is_none(), between.contains(&(end as u64)), "{what}: {found:?}");
                if let Some(error) = found {
                    assert_eq!((error.at, error.kind.class()), (end as u64, Class::Truncated), "{what}");
                }
                // Adjacent cuts are similar, so that each is tested with one of the two chunk sizes.
                cut_passing(&drive, &whole, [1, 97][end % 2], &what);
            }
        }
    }
}

#[test]
fn truncation_at_every_byte() {
    truncation_at_every_byte_of(Fixtures::Ours);
}

fn cut_passing(
    drive: &host_tests::drive::Drive<'_, PlainDecoder>,
    whole: &ScdaTrace,
    buffer: usize,
    what: &str,
) {
    let (outline, seed) = (drive.outline(whole), whole.position);
    let same = |found: ScdaTrace, way: &str| {
        outline.assert_same(&drive.outline(&found), &format!("{what}, buffer of {buffer}, {way}"));
    };
    same(drive.pull_reading(buffer, 9, seed), "read");
    same(drive.pull_skipping(buffer, 1, seed), "skip");
    same(drive.pull_seeking(buffer, 1, seed), "seek");
    same(drive.pull_seeking(buffer, 2, seed), "seek after a first piece");
}

fn finding(trace: &ScdaTrace) -> Option<Error<ErrorKind>> {
    trace.events().find_map(|event| match event {
        Event::Finding(error) => Some(*error),
        _ => None,
    })
}

host_tests::of_other_projects! {
    fn right_files() {
        right_files_of(Fixtures::OfOthers);
    }

    fn truncation_at_every_byte() {
        truncation_at_every_byte_of(Fixtures::OfOthers);
    }
}
