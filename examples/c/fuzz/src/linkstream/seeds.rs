//! Seeds: programs whose calls all succeed, and some whose calls fail.

use crate::input::Input;
use crate::scratch::fixture;

/// Programs whose calls all succeed, and some whose calls fail.
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    let read: &[&[u8]] = &[
        &[2],
        &[4],
        &[5],
        // A time slice; with a function that calls the library.
        &[5, 0, 0, 0, 0, 170, 1],
        &[5, 0, 0, 0, 0, 0, 202, 0, 210],
        &[4, 0, 1],
        &[5, 0, 1],
        &[7, 0, 0, 203, 0, 210, 231],
        &[8, 0, 1],
        &[9],
        &[9, 0, 1],
        &[9, 0, 2],
        &[9, 0, 3],
        &[10],
        &[13],
        &[14],
        &[3],
        &[11],
        &[19],
    ];
    let all = |open: &'static [u8]| Input::program(&[&[open][..], read].concat());
    let write = Input::program(&[NEW_FILE, &[16], FIELD, &[18]]);
    let write = [write, all(&[0, 0, 1])].concat();
    let mut seeds = vec![("write-and-read".to_owned(), Input::join(&write, b""))];
    for name in SEEDS {
        let short = name.rsplit('/').next().unwrap_or(name);
        seeds.push((short.to_owned(), Input::join(&all(&[1]), &fixture(name))));
    }
    seeds
}

/// `linkstream_create`: size, options, documents, dimensions, extents, texts, function, place, and the path `new`.
const NEW_FILE: &[u8] = &[15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
/// `linkstream_write_field`, of items of six numbers without color and spin.
const FIELD: &[u8] = &[17, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, b'F', b'i', b'e', b'l'];

/// Fixtures that are read.
const SEEDS: &[&str] = &[
    "scda/mixed-all.scda",
    "inebin/doc-complex.bin",
    "inebin/doc-bool.bin",
    "broken/scidac/payload-bit-flip.lime",
    "broken/scidac/file-9-dims.lime",
    "broken/lime/second-header-truncated.lime",
    "broken/ildg/data-missing.lime",
];
