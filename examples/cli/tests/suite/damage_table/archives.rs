//! NERSC archives and MILC files, whose sums do not depend on the order of the words.

use host_tests::archives::milc;
use tempfile::TempDir;

use super::fields::{SITE, SLICE, data_at, sample};
use super::table::Expected::{Damaged, Good, RuleBroken};
use super::table::{flipped, judge, row, swapped, without};
use crate::common::gauge::well;
use crate::common::lime::{put, read};

const COMMANDS: [&[&str]; 7] = [
    &["convert", "in", "out"],
    &["convert", "in", "out", "--to", "ildg"],
    &["convert", "in", "out", "--to", "nersc"],
    &["convert", "in", "out", "--for", "any"],
    &["convert", "in", "out", "--volumes", "1x1x1x2"],
    &["export", "in", "out.npy"],
    &["diff", "in", "in"],
];

fn nersc() -> Vec<u8> {
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "in", sample());
    well(&folder, &["convert", "in", "out", "--to", "nersc"], b"");
    read(&folder, "out")
}

/// The archive with `from` in its header replaced by `to`, which has the same length.
fn with(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    let at = bytes.windows(from.len()).position(|window| window == from.as_bytes()).expect("in the header");
    super::table::overwritten(bytes, at, to.as_bytes())
}

#[test]
fn nersc_archives() {
    let bytes = nersc();
    let data = bytes.len() - 512 * SITE;
    let rows = [
        row("intact", bytes.clone(), "", Good),
        row("one bit of the data", flipped(&bytes, data + 70_000, 0), "", Damaged),
        row("the stored checksum", with(&bytes, "CHECKSUM = ", "CHECKSUM = f0000"), "", Damaged),
        row("two words exchanged", swapped(&bytes, data + 4, data + 4096, 4), "", Damaged),
        row("two blocks exchanged", swapped(&bytes, data + 1000, data + 90_000, 4096), "", Damaged),
        row("two sites exchanged", swapped(&bytes, data, data + 7 * SITE, SITE), "", Damaged),
        row("two time slices exchanged", swapped(&bytes, data, data + SLICE, SLICE), "", Damaged),
        row("another plaquette", with(&bytes, "PLAQUETTE = 0.5", "PLAQUETTE = 0.6"), "", Damaged),
        row("200 bytes missing", without(&bytes, data + 1000, 200), "", Damaged),
        row("cut in the data", bytes[..data + 5000].to_vec(), "", Damaged),
        row("header only", bytes[..data].to_vec(), "", Damaged),
        row("cut in the header", bytes[..data - 20].to_vec(), "", Damaged),
        row("bytes after the end", [bytes.clone(), vec![0; 3]].concat(), "", RuleBroken),
    ];
    judge(&rows, &COMMANDS);
}

#[test]
fn milc_files() {
    let links = sample()[data_at(&sample())..][..512 * SITE].to_vec();
    let bytes = milc([4, 4, 4, 8], None, &links, true);
    let data = 96;
    let rows = [
        row("intact", bytes.clone(), "", Good),
        row("one bit of the data", flipped(&bytes, data + 70_000, 0), "", Damaged),
        row("two words exchanged", swapped(&bytes, data + 4, data + 4096, 4), "", Damaged),
        row("cut in the data", bytes[..data + 5000].to_vec(), "", Damaged),
        row("header only", bytes[..data].to_vec(), "", Damaged),
    ];
    judge(&rows, &COMMANDS);
}
