//! scda sections, and INEBIN matrices, which have no checksum.

use tempfile::TempDir;

use super::table::Expected::{Damaged, Good, Unverified};
use super::table::{flipped, judge, row};
use crate::common::gauge::well;
use crate::common::lime::{put, read};
use crate::common::reals;

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
    let commands: [&[&str]; 3] =
        [&["scda", "cat", "in", "1"], &["export", "in", "out.npy", "--section", "1"], &["diff", "in", "in"]];
    let (packed, plain) = (scda(true), scda(false));
    let end = |bytes: &[u8]| [bytes, b"more"].concat();
    let rows = [
        row("compressed", packed.clone(), "", Good),
        row("a letter of the compressed data", flipped(&packed, 128 + 64 * 4 + 300, 0), "", Damaged),
        row("cut", packed[..packed.len() - 100].to_vec(), "", Damaged),
        row("bytes after the end", end(&packed), "", Damaged),
        row("not compressed", plain.clone(), "", Unverified),
        // Uncompressed sections have no checksum.
        row("a bit of uncompressed data", flipped(&plain, 500, 0), "", Unverified),
        row("cut", plain[..plain.len() - 100].to_vec(), "", Damaged),
        row("cut in the header", plain[..100].to_vec(), "", Damaged),
    ];
    judge(&rows, &commands);
}

#[test]
fn matrices() {
    let commands: [&[&str]; 3] =
        [&["inebin", "to-csv", "in", "out"], &["export", "in", "out.npy"], &["diff", "in", "in"]];
    let bytes = reals(20, 30, &[0.25; 600]);
    let rows = [
        row("intact", bytes.clone(), "", Unverified),
        row("concatenated with itself", [bytes.clone(), bytes.clone()].concat(), "", Damaged),
        row("one byte after the end", [bytes.clone(), vec![0]].concat(), "", Damaged),
        row("cut", bytes[..4000].to_vec(), "", Damaged),
        row("header only", bytes[..16].to_vec(), "", Damaged),
    ];
    judge(&rows, &commands);
}
