//! Seeds: programs whose calls all succeed, and some whose calls fail.

use crate::input::Input;
use crate::scratch::fixture;

/// Programs whose calls all succeed, and some whose calls fail.
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    let (header, data, skip, close) = (&[2][..], &[3][..], &[5][..], &[1][..]);
    let read = |name: u8| {
        let open = [0, 0, name];
        let mut calls = vec![&open[..]];
        calls.extend([header, data].repeat(8));
        calls.extend([header, close]);
        Input::program(&calls)
    };
    // Text, and whether to encode.
    let text: &[u8] = &[1, b'a', 0];
    let block = [&[7, 0, 50][..], text, &[0, 1]].concat();
    let array = [&[8, 0, 5, 7, 0, 0, 0, 1], text].concat();
    let stored = [&[8, 0, 5, 7, 0, 3, 0, 0], text].concat();
    let varray = [&[10, 0, 3, 5, 0, 9, 0, 1], text].concat();
    let inline = [&[6, 0][..], text].concat();
    let create = [0, 1, 1];
    let mut write = Input::program(&[&create, &inline, &block, &array, &stored, &varray, close]);
    write.extend(read(1));
    let parallel = |choices: &[u8]| {
        let create = [&[0, 1, 1, 0, 202, choices.len() as u8][..], choices].concat();
        Input::program(&[&create, &block, &array, close])
    };
    let skips = Input::program(&[&[0], header, skip, header, skip, header, &[13, 0, 0, 0, 0, 0, 3], close]);
    // One variable for the number and the size of the elements.
    let one_place = Input::program(&[&[0], &[2, 0, 0, 15], skip, &[2, 0, 0, 15], skip, close]);
    let mut seeds = vec![
        ("write-and-read".to_owned(), Input::join(&write, b"")),
        ("ranks".to_owned(), Input::join(&parallel(&[]), b"")),
        ("ranks-again".to_owned(), Input::join(&parallel(&[0, 0, 0, 0, 0, 0, 210]), b"")),
        ("ranks-fail".to_owned(), Input::join(&parallel(&[0, 0, 0, 0, 0, 0, 220]), b"")),
        ("ranks-garbage".to_owned(), Input::join(&parallel(&[0, 0, 0, 0, 0, 0, 0, 0, 245]), b"")),
        ("one-place".to_owned(), Input::join(&one_place, &fixture("scda/mixed-plain.scda"))),
        ("skips".to_owned(), Input::join(&skips, &fixture("scda/mixed-plain.scda"))),
    ];
    for name in SEEDS {
        let short = name.rsplit('/').next().unwrap_or(name);
        seeds.push((short.to_owned(), Input::join(&read(0), &fixture(name))));
    }
    seeds
}

/// Fixtures that are read.
const SEEDS: &[&str] = &[
    "scda/mixed-plain.scda",
    "scda/mixed-all.scda",
    "scda/mime-mixed-all.scda",
    "scda/inline.scda",
    "scda/array-extreme-counts.scda",
    "scda/header-user-58.scda",
    "broken-scda/comp-adler.scda",
    "broken-scda/comp-V-U-mismatch.scda",
    "broken-scda/array-huge-N.scda",
    "broken-scda/array-truncated-0300.scda",
];
