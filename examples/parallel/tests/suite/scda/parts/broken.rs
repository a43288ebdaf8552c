//! Damaged files: the processes agree on the first error or finding of a serial reader.

use std::collections::BTreeSet;

use super::support::{Plan, RANKS, fault, plan, read, serial};
use super::writing::{every_type, whole};
use host_tests::drive::Random;
use host_tests::fixtures::Fixtures;
use host_tests::long;
use host_tests::sections::load_broken;
use linkstream::Mode;
use linkstream::scda::Style;

/// The text of an element is cut in two, with the right sum of sizes. The serial decoder does not keep the sizes of the
/// texts, and compares them at the end; a process has one text, which ends too early.
const OTHER_ERROR: &str = "comp-A-split-element.scda";

#[test]
fn every_broken_fixture_has_the_error_of_a_serial_reader() {
    let mut random = Random(7);
    let (mut refused, mut rules) = (0, BTreeSet::new());
    for file in load_broken(Fixtures::Ours) {
        let bytes = file.bytes();
        for (decode, mode) in [
            (true, Mode::Strict),
            (true, Mode::Lenient),
            (false, Mode::Strict),
            (false, Mode::Lenient),
            (false, Mode::Survey),
        ] {
            let serial = serial(&bytes, mode, decode);
            for ranks in RANKS {
                let reading = read(&bytes, plan(mode, decode, ranks), &mut random);
                let what = format!("{}: {}, {mode:?}, {decode}, {ranks}", file.path, file.what);
                if decode && file.path == OTHER_ERROR {
                    assert_eq!(fault(&serial.end), Some(("scda-sizes-differ", 624)), "{what}");
                    assert_eq!(fault(&reading.end), Some(("scda-text-truncated", 546)), "{what}");
                    continue;
                }
                assert_eq!(fault(&reading.end), fault(&serial.end), "{what}");
                assert_eq!(reading.findings, serial.findings, "{what}");
                // Sizes before compression after both headers: the rules are the same, or another damage comes first.
                let late = read(&bytes, Plan { in_order: false, ..plan(mode, decode, ranks) }, &mut random);
                assert_eq!(late.end.is_err(), serial.end.is_err(), "{what}");
                if let Some((rule, _)) = fault(&reading.end) {
                    refused += 1;
                    rules.insert(rule);
                }
            }
        }
    }
    assert!(refused > 3000 && rules.len() > 25, "{refused}, {rules:?}");
}

/// Each byte replaced by others, in files without compressed sections.
#[test]
fn every_changed_byte() {
    let mut random = Random(9);
    let sections: Vec<_> =
        every_type(3, b'\n').into_iter().filter(|section| !section.is_compressed).collect();
    let file = whole(Style::Unix, 9, &sections);
    let mut refused = 0;
    for place in 0..file.len() {
        let bytes = [file[place] ^ 1, b'0', b'9', b' ', b'-', b'\n', 0xff];
        for byte in long::sample(bytes.into_iter().skip(place % 4), 4) {
            let mut changed = file.clone();
            changed[place] = byte;
            for mode in [Mode::Strict, Mode::Lenient, Mode::Survey] {
                let serial = serial(&changed, mode, true);
                for ranks in [2, 3] {
                    let skip_data = random.below(2) == 0;
                    let plan = Plan { skip_data, ..plan(mode, true, ranks) };
                    let reading = read(&changed, plan, &mut random);
                    let what = format!("{byte:02x} at {place}, {plan:?}");
                    assert_eq!(
                        (reading.end, reading.findings),
                        (serial.end, serial.findings.clone()),
                        "{what}"
                    );
                    refused += usize::from(reading.end.is_err());
                }
            }
        }
    }
    assert!(refused > if long::is_wanted() { 10_000 } else { 2_000 }, "{refused}");
}

/// Each byte replaced in compressed sections. The error is the same, except after changes of the sizes of texts.
#[test]
fn every_changed_byte_of_compressed_sections() {
    let mut random = Random(10);
    let sections: Vec<_> = every_type(3, b'x').into_iter().filter(|section| section.is_compressed).collect();
    let file = whole(Style::Unix, 9, &sections);
    let (mut same, mut others) = (0, BTreeSet::new());
    for place in 0..file.len() {
        let bytes = [file[place] ^ 1, b'9', b'=', b'\n'];
        for byte in long::sample(bytes.into_iter().skip(place % 4), 4) {
            let mut changed = file.clone();
            changed[place] = byte;
            for mode in [Mode::Strict, Mode::Lenient] {
                let serial = serial(&changed, mode, true);
                let reading = read(&changed, plan(mode, true, 3), &mut random);
                let what = format!("{byte:02x} at {place}, {mode:?}");
                assert_eq!(reading.end.is_err(), serial.end.is_err(), "{what}");
                if fault(&reading.end) == fault(&serial.end) {
                    same += 1;
                } else {
                    let line = &file[place & !31..][..2];
                    assert_eq!(line, b"E ", "{what}: {:?} instead of {:?}", reading.end, serial.end);
                    others.insert((fault(&reading.end), fault(&serial.end)));
                }
            }
        }
    }
    assert!(
        same > if long::is_wanted() { 10_000 } else { 2_000 } && others.len() < 100,
        "{same}, {others:?}"
    );
}

#[test]
fn the_line_that_makes_the_sum_too_large() {
    let size = |n: u64| format!("{:-<31}\n", format!("E {n} ")).into_bytes();
    for (sizes, line) in [
        ([1 << 63, 1 << 63, 5, 0], 1),
        ([1 << 62, 1 << 62, 1 << 62, 1 << 62], 3),
        ([u64::MAX, 0, 0, u64::MAX], 0),
        ([0, 5, u64::MAX - 400, 500], 3),
        ([u64::MAX - 400, 100, 500, u64::MAX], 1),
    ] {
        let mut file = whole(Style::Unix, 9, &[]);
        let mut encoder = linkstream::scda::Encoder::append(128, Style::Unix);
        file.extend(encoder.varray(b"v", 4.into()).expect("small"));
        file.extend(sizes.iter().flat_map(|n| size(*n)));
        // Also if the file ends in the lines, or a later line is damaged.
        for (length, damage) in [(file.len(), false), (file.len() - 1, false), (file.len(), true)] {
            let mut file = file[..length].to_vec();
            let last = file.len() - 32 + usize::from(length % 32 != 0);
            if damage && line < 3 {
                file[last] = b'X';
            }
            let serial = serial(&file, Mode::Strict, true);
            if !(line == 3 && length % 32 != 0) {
                assert_eq!(fault(&serial.end), Some(("scda-too-long", 224 + 32 * line)), "{sizes:?}");
            }
            for ranks in RANKS {
                for seed in 1..20 {
                    let reading = read(&file, plan(Mode::Strict, true, ranks), &mut Random(seed));
                    assert_eq!(fault(&reading.end), fault(&serial.end), "{sizes:?}, {ranks}");
                }
            }
        }
    }
}
