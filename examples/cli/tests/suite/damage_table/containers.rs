//! scda sections, and INEBIN matrices, which have no checksum.

use tempfile::TempDir;

use super::table::Expected::{Damaged, Doubtful, Good, Unverified};
use super::table::{Row, flipped, judge, row};
use crate::common::gauge::well;
use crate::common::lime::{put, read};
use crate::common::reals;

/// Two sections of 5000 bytes each. A compressed one consists of two in the file.
fn scda(compress: bool) -> Vec<u8> {
    let folder = TempDir::new().expect("a temporary folder");
    let noise: Vec<u8> = (0..5000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    put(&folder, "raw", noise);
    let option: &[&str] = if compress { &["--compress"] } else { &[] };
    well(&folder, &[&["scda", "create", "out", "block:notes=raw", "array:a:50=raw"], option].concat(), b"");
    read(&folder, "out")
}

#[test]
fn scda_sections() {
    let of_section = |rows: &[Row], section: &str| {
        let commands: [&[&str]; 3] = [
            &["scda", "cat", "in", section],
            &["export", "in", "out.npy", "--section", section],
            &["diff", "in", "in"],
        ];
        judge(rows, &commands);
    };
    let (packed, plain) = (scda(true), scda(false));
    let rows = [
        row("compressed", packed.clone(), "", Good),
        row("a letter of the compressed data", flipped(&packed, 128 + 64 * 4 + 300, 0), "", Damaged),
        row("cut", packed[..packed.len() - 100].to_vec(), "", Damaged),
        row("bytes after the end", [&packed, &b"more"[..]].concat(), "", Damaged),
    ];
    of_section(&rows, "2");
    let rows = [
        row("not compressed", plain.clone(), "", Unverified),
        // Uncompressed sections have no checksum.
        row("a bit of uncompressed data", flipped(&plain, 500, 0), "", Unverified),
        row("cut", plain[..plain.len() - 100].to_vec(), "", Damaged),
        row("cut in the header", plain[..100].to_vec(), "", Damaged),
    ];
    of_section(&rows, "1");
}

#[test]
fn matrices() {
    let commands: [&[&str]; 3] =
        [&["inebin", "to-csv", "in", "out"], &["export", "in", "out.npy"], &["diff", "in", "in"]];
    let bytes = reals(20, 30, &[0.25; 600]);
    let rows = [
        row("intact", bytes.clone(), "", Unverified),
        row("concatenated with itself", [bytes.clone(), bytes.clone()].concat(), "", Doubtful),
        row("one byte after the end", [bytes.clone(), vec![0]].concat(), "", Doubtful),
        row("cut", bytes[..4000].to_vec(), "", Damaged),
        row("header only", bytes[..16].to_vec(), "", Damaged),
    ];
    judge(&rows, &commands);
}
