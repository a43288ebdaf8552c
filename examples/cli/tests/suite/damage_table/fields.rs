//! Gauge fields in LIME files: with the checksum of SciDAC, and plain ILDG without one.

use super::table::Expected::{Damaged, Doubtful, Good, RuleBroken, Unverified};
use super::table::{Row, byte_swapped, flipped, judge, overwritten, row, swapped, without};
use crate::common::gauge::{Found, format, ildg, records};
use crate::common::lime::record;

const COMMANDS: [&[&str]; 11] = [
    &["convert", "in", "out"],
    &["convert", "in", "out", "--to", "ildg", "--lfn", "lfn://new/name"],
    &["convert", "in", "out", "--to", "nersc", "--field", "0"],
    &["convert", "in", "out", "--precision", "64", "--checksum"],
    &["convert", "in", "out", "--volumes", "1x1x1x2", "--to", "scidac"],
    &["export", "in", "out.npy", "--field", "0"],
    &["diff", "in", "in"],
    &["ildg", "make", "out", "--from", "in", "--field", "0", "--lfn", "lfn://new/name"],
    &["ildg", "set-lfn", "in", "lfn://new/name", "--force"],
    &["lime", "unpack", "in", "new"],
    &["lime", "extract-type", "in", "ildg-binary-data", "out"],
];

/// The sample: 4x4x4x8 sites of four SU(3) links in single precision.
pub fn sample() -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../su3-4x4x4x8.lime");
    std::fs::read(path).expect("the sample is part of the repository")
}

/// Bytes of a site, and of a time slice.
pub const SITE: usize = 288;
pub const SLICE: usize = 64 * SITE;

fn found(bytes: &[u8], record_type: &str) -> Found {
    let mut all = records(bytes).into_iter();
    all.find(|record| record.record_type == record_type).expect("a record of this type")
}

/// Offset of the first byte of the data.
pub fn data_at(bytes: &[u8]) -> usize {
    found(bytes, "ildg-binary-data").offset + 144
}

fn plain_ildg() -> Vec<u8> {
    let bytes = sample();
    let data = &found(&bytes, "ildg-binary-data").payload;
    ildg(&format("1.2", "su3gauge", 0, 32, [4, 4, 4, 8]), data)
}

#[test]
fn data_with_a_checksum() {
    let bytes = sample();
    let data = data_at(&bytes);
    let checksum = found(&bytes, "scidac-checksum").offset;
    let second = found(&bytes, "scidac-private-record-xml").offset;
    let pickle = record("lyncs-io-info", b"\x80\x04\x95\x10\0\0\0\0\0\0\0}\x94.", true, true);
    let rows: Vec<Row> = vec![
        row("intact", bytes.clone(), "", Good),
        row("an empty file", Vec::new(), "file-empty", Damaged),
        row("one bit of the data", flipped(&bytes, data + 70_000, 0), "checksum-mismatch", Damaged),
        row("an exponent", flipped(&bytes, data + 4 * 5000, 6), "checksum-mismatch", Damaged),
        row("the stored checksum", overwritten(&bytes, checksum + 144 + 70, b"0"), "", Damaged),
        row(
            "two sites exchanged",
            swapped(&bytes, data, data + 7 * SITE, SITE),
            "checksum-mismatch",
            Damaged,
        ),
        row(
            "two time slices exchanged",
            swapped(&bytes, data, data + SLICE, SLICE),
            "checksum-mismatch",
            Damaged,
        ),
        row("a block of zeros", overwritten(&bytes, data + 4096, &[0; 4096]), "checksum-mismatch", Damaged),
        row("little-endian words", byte_swapped(&bytes, data, 512 * SITE, 4), "checksum-mismatch", Damaged),
        row("200 bytes missing in the data", without(&bytes, data + 1000, 200), "", Damaged),
        row("8 bytes missing in a document", without(&bytes, 200, 8), "", Damaged),
        row("cut in the data", bytes[..data + 5000].to_vec(), "lime-payload-truncated", Damaged),
        row("cut in the last record", bytes[..bytes.len() - 9].to_vec(), "lime-payload-truncated", Damaged),
        row("cut in a header", bytes[..checksum + 30].to_vec(), "", Damaged),
        row("without the last record", bytes[..checksum].to_vec(), "checksum-missing", Doubtful),
        row("header only", bytes[..second].to_vec(), "", Damaged),
        row("no file documents", bytes[second..].to_vec(), "scidac-file-absent", RuleBroken),
        row("the magic of a record", flipped(&bytes, second, 3), "", Damaged),
        row("200 bytes after the end", [bytes.clone(), vec![0x78; 200]].concat(), "", Damaged),
        row("zeros after the end", [bytes.clone(), vec![0; 4096]].concat(), "", Damaged),
        row("a pickle", [bytes.clone(), pickle].concat(), "record-pickle", Good),
    ];
    judge(&rows, &COMMANDS);
}

#[test]
fn data_without_a_checksum() {
    let bytes = plain_ildg();
    let data = data_at(&bytes);
    let nan = f32::NAN.to_be_bytes();
    let shifted = [&bytes[..data], &[0; 4], &bytes[data..data + 512 * SITE - 4]].concat();
    let rows: Vec<Row> = vec![
        row("intact", bytes.clone(), "", Unverified),
        row("an exponent", flipped(&bytes, data + 4 * 5000, 6), "", Damaged),
        row("not a number", overwritten(&bytes, data + 4 * 5000, &nan), "", Damaged),
        row("a block of noise", overwritten(&bytes, data + 4096, &[0x3f; 4096]), "", Damaged),
        row("little-endian words", byte_swapped(&bytes, data, 512 * SITE, 4), "", Damaged),
        row("cut in the data", bytes[..data + 5000].to_vec(), "lime-payload-truncated", Damaged),
        row("header only", bytes[..data - 144].to_vec(), "", Damaged),
        row("4 bytes shifted", shifted, "links-not-unitary", Damaged),
        // Nothing in the file contradicts these: they must not be called good.
        row("two time slices exchanged", swapped(&bytes, data, data + SLICE, SLICE), "", Unverified),
    ];
    judge(&rows, &COMMANDS);
}

/// A broken rule that leaves the data certain does not stop a command.
#[test]
fn data_beside_a_broken_rule() {
    let bytes = sample();
    let empty_name = record("ildg-data-lfn", b"", false, false);
    let name = found(&bytes, "ildg-data-lfn");
    let data = found(&bytes, "ildg-binary-data").offset;
    let nameless = [&bytes[..name.offset], &empty_name[..], &bytes[data..]].concat();
    let rows = [row("an empty logical file name", nameless, "ildg-lfn-empty", RuleBroken)];
    judge(&rows, &COMMANDS[1..]);
}
