//! Troubles of a store: accidents, changes by persons, and files that do not belong to it, with the expected messages.

use crate::formula::splitmix;
use crate::stores::{Configuration, MANY, Store, ildg_name, nersc_name, numbers, of_ildg, of_nersc};

/// A trouble, and the words of the program about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    pub trouble: &'static str,
    pub file: String,
    /// One of these words is said about the file.
    pub words: &'static [&'static str],
}

/// Files, and the possible words about each.
type Words = Vec<(String, &'static [&'static str])>;

/// Changes since the manifest.
#[derive(Debug)]
pub struct Change {
    pub name: &'static str,
    /// Number of configurations that it needs.
    needs: usize,
    apply: fn(&mut Store, &[u64], u64) -> Words,
}

const DAMAGED: &[&str] = &["damaged"];
const MODIFIED: &[&str] = &["modified texts", "modified data", "modified both"];
const TEXTS: &[&str] = &["modified texts"];
const DATA: &[&str] = &["modified data"];

fn edit(
    store: &mut Store,
    name: String,
    words: &'static [&'static str],
    edit: impl FnOnce(&mut Vec<u8>),
) -> Words {
    edit(store.get_mut(&name).unwrap_or_else(|| panic!("no {name}")));
    vec![(name, words)]
}

fn replace(bytes: &mut [u8], from: &str, to: &str) {
    let at =
        bytes.windows(from.len()).position(|window| window == from.as_bytes()).expect("the text is there");
    bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
}

/// A place in the last half of a file, which is data, in the mantissa of the real part of a diagonal element.
fn in_data(bytes: &[u8], seed: u64) -> usize {
    let begin = bytes.len() - 64 * 144;
    begin + 144 * (splitmix(seed, 7) % 64) as usize + 3
}

/// Changes that a comparison with the manifest names.
pub const CHANGES: &[Change] = &[
    Change {
        name: "a bit of an archive",
        needs: 1,
        apply: |store, n, seed| {
            edit(store, nersc_name(n[0]), DAMAGED, |bytes| {
                let at = in_data(bytes, seed);
                bytes[at] ^= 4;
            })
        },
    },
    Change {
        name: "a bit of data without a checksum",
        needs: 1,
        apply: |store, n, seed| {
            edit(store, ildg_name(n[0]), &["modified data", "damaged"], |bytes| {
                let at = in_data(bytes, seed) + 4;
                bytes[at] ^= 1;
            })
        },
    },
    Change {
        name: "a letter of a header",
        needs: 1,
        apply: |store, n, _| {
            edit(store, nersc_name(n[0]), TEXTS, |bytes| {
                replace(bytes, "ENSEMBLE_ID = 24c", "ENSEMBLE_ID = 24d")
            })
        },
    },
    Change {
        name: "a logical file name",
        needs: 1,
        apply: |store, n, _| {
            edit(store, ildg_name(n[0]), TEXTS, |bytes| replace(bytes, "collaboration", "collaboratiom"))
        },
    },
    Change {
        name: "an update",
        needs: 1,
        apply: |store, n, _| {
            edit(store, nersc_name(n[0]), TEXTS, |bytes| {
                replace(bytes, "SEQUENCE_NUMBER = ", "SEQUENCE_NUMBER =9")
            })
        },
    },
    Change {
        name: "a number of a matrix",
        needs: 0,
        apply: |store, _, seed| {
            edit(store, "corr/pion.bin".to_owned(), DATA, |bytes| {
                bytes[16 + (splitmix(seed, 3) % 32) as usize] ^= 1
            })
        },
    },
    Change {
        name: "the type of a matrix",
        needs: 0,
        apply: |store, _, _| {
            edit(store, "corr/rho.bin".to_owned(), &["damaged", "modified texts"], |bytes| bytes[7] = b'I')
        },
    },
    Change {
        name: "a note",
        needs: 0,
        apply: |store, _, _| edit(store, "README".to_owned(), MODIFIED, |bytes| bytes[0] = b'c'),
    },
    Change {
        name: "an archive that was cut",
        needs: 1,
        apply: |store, n, seed| {
            edit(store, nersc_name(n[0]), DAMAGED, |bytes| {
                bytes.truncate(400 + (splitmix(seed, 5) % 5000) as usize)
            })
        },
    },
    Change {
        name: "an ILDG file that was cut",
        needs: 1,
        apply: |store, n, seed| {
            edit(store, ildg_name(n[0]), DAMAGED, |bytes| {
                bytes.truncate(400 + (splitmix(seed, 5) % 5000) as usize)
            })
        },
    },
    Change {
        name: "an empty file",
        needs: 1,
        apply: |store, n, _| edit(store, nersc_name(n[0]), DAMAGED, Vec::clear),
    },
    Change {
        name: "zeros in place of a file",
        needs: 1,
        apply: |store, n, _| edit(store, ildg_name(n[0]), DAMAGED, |bytes| bytes.fill(0)),
    },
    Change {
        name: "a block of zeros",
        needs: 1,
        apply: |store, n, _| {
            edit(store, nersc_name(n[0]), DAMAGED, |bytes| {
                let begin = bytes.len() - 4096;
                bytes[begin..begin + 512].fill(0);
            })
        },
    },
    Change {
        name: "a block of zeros without a checksum",
        needs: 1,
        apply: |store, n, _| {
            edit(store, ildg_name(n[0]), DAMAGED, |bytes| {
                let begin = bytes.len() - 4096;
                bytes[begin..begin + 512].fill(0);
            })
        },
    },
    Change {
        name: "bytes after the end of an archive",
        needs: 1,
        apply: |store, n, _| edit(store, nersc_name(n[0]), DAMAGED, |bytes| bytes.extend([7; 100])),
    },
    Change {
        name: "bytes after the end of an ILDG file",
        needs: 1,
        apply: |store, n, _| edit(store, ildg_name(n[0]), DAMAGED, |bytes| bytes.extend([7; 100])),
    },
    Change {
        name: "two blocks that changed places",
        needs: 1,
        apply: |store, n, _| {
            edit(store, ildg_name(n[0]), &["damaged", "modified data"], |bytes| {
                let begin = bytes.len() - 8192;
                let (a, b) = bytes[begin..].split_at_mut(4096);
                a.swap_with_slice(b);
            })
        },
    },
    Change {
        name: "half of another file",
        needs: 2,
        apply: |store, n, _| {
            let other = store[&nersc_name(n[1])].clone();
            edit(store, nersc_name(n[0]), DAMAGED, |bytes| {
                let half = bytes.len() - 4608;
                let other = &other[other.len() - 4608..];
                bytes[half..].copy_from_slice(other);
            })
        },
    },
    Change {
        name: "numbers in the other byte order",
        needs: 1,
        apply: |store, n, _| {
            edit(store, ildg_name(n[0]), DAMAGED, |bytes| {
                let begin = bytes.len() - 64 * 144;
                bytes[begin..].chunks_mut(8).for_each(<[u8]>::reverse);
            })
        },
    },
    Change {
        name: "a text in place of a file",
        needs: 1,
        apply: |store, n, _| {
            edit(store, nersc_name(n[0]), DAMAGED, |bytes| *bytes = b"No space left on device\n".to_vec())
        },
    },
    Change {
        name: "a page of a server in place of a file",
        needs: 1,
        apply: |store, n, _| {
            edit(store, ildg_name(n[0]), DAMAGED, |bytes| *bytes = b"<html>404</html>".to_vec())
        },
    },
    Change {
        name: "line ends that were converted",
        needs: 1,
        apply: |store, n, _| {
            edit(store, nersc_name(n[0]), DAMAGED, |bytes| {
                let mut converted = Vec::new();
                for byte in bytes.iter() {
                    if *byte == b'\n' {
                        converted.push(b'\r');
                    }
                    converted.push(*byte);
                }
                *bytes = converted;
            })
        },
    },
    Change {
        name: "single precision",
        needs: 1,
        apply: |store, n, seed| {
            let made = Configuration { is_double: false, ..of_nersc(seed, n[0]) }.nersc();
            edit(store, nersc_name(n[0]), &["modified both"], |bytes| *bytes = made)
        },
    },
    Change {
        name: "another configuration",
        needs: 1,
        apply: |store, n, seed| {
            let made = Configuration { seed: !seed, ..of_nersc(seed, n[0]) }.nersc();
            edit(store, nersc_name(n[0]), &["modified both"], |bytes| *bytes = made)
        },
    },
    Change {
        name: "an archive that is gone",
        needs: 1,
        apply: |store, n, _| {
            store.remove(&nersc_name(n[0]));
            vec![(nersc_name(n[0]), &["gone"])]
        },
    },
    Change {
        name: "an ILDG file that is gone",
        needs: 1,
        apply: |store, n, _| {
            store.remove(&ildg_name(n[0]));
            vec![(ildg_name(n[0]), &["gone"])]
        },
    },
    Change {
        name: "a matrix that is gone",
        needs: 0,
        apply: |store, _, _| {
            store.remove("corr/nucleon.bin");
            vec![("corr/nucleon.bin".to_owned(), &["gone"])]
        },
    },
    Change {
        name: "a log that is gone",
        needs: 0,
        apply: |store, _, _| {
            store.remove("24c/run.log");
            vec![("24c/run.log".to_owned(), &["gone"])]
        },
    },
    Change {
        name: "a new configuration",
        needs: 0,
        apply: |store, _, seed| {
            let number = next(store);
            store.insert(nersc_name(number), of_nersc(seed, number).nersc());
            vec![(nersc_name(number), &["new"])]
        },
    },
    Change {
        name: "a new file that is wrong",
        needs: 0,
        apply: |store, _, _| {
            let name = ildg_name(next(store));
            store.insert(name.clone(), vec![0; 100]);
            vec![(name, &["new"])]
        },
    },
    Change {
        name: "another name",
        needs: 1,
        apply: |store, n, _| {
            let bytes = store.remove(&nersc_name(n[0])).expect("there");
            store.insert("24c/renamed".to_owned(), bytes);
            vec![("24c/renamed".to_owned(), &["moved"])]
        },
    },
    Change {
        name: "another directory",
        needs: 1,
        apply: |store, n, _| {
            let bytes = store.remove(&ildg_name(n[0])).expect("there");
            let name = format!("old/{}", ildg_name(n[0]));
            store.insert(name.clone(), bytes);
            vec![(name, &["moved"])]
        },
    },
    Change {
        name: "a copy",
        needs: 1,
        apply: |store, n, _| {
            let bytes = store[&ildg_name(n[0])].clone();
            store.insert("copy.ildg".to_owned(), bytes);
            vec![("copy.ildg".to_owned(), &["copied"])]
        },
    },
    Change { name: "two that were swapped", needs: 2, apply: |store, n, _| cycle(store, n) },
    Change { name: "three in a circle", needs: 3, apply: |store, n, _| cycle(store, n) },
    Change {
        name: "a copy over another file",
        needs: 2,
        apply: |store, n, _| {
            let other = store[&nersc_name(n[1])].clone();
            edit(store, nersc_name(n[0]), &["copied both"], |bytes| *bytes = other)
        },
    },
];

/// The number after all of a store.
fn next(store: &Store) -> u64 {
    10 * (files(store) + 1)
}

/// Number of files of each ensemble, more or less troubles.
fn files(store: &Store) -> u64 {
    let of =
        |number: &u64| store.contains_key(&nersc_name(*number)) || store.contains_key(&ildg_name(*number));
    numbers(MANY).take_while(of).count() as u64
}

fn cycle(store: &mut Store, n: &[u64]) -> Words {
    let contents: Vec<_> = n.iter().map(|number| store[&nersc_name(*number)].clone()).collect();
    let mut told: Words = Vec::new();
    for (index, number) in n.iter().enumerate() {
        store.insert(nersc_name(*number), contents[(index + 1) % n.len()].clone());
        told.push((nersc_name(*number), &["moved both"]));
    }
    told
}

/// Puts all changes into a store, each into other files. Returns what is to be said.
pub fn change(store: &mut Store, seed: u64) -> Vec<Told> {
    let mut numbers = shuffled(seed, files(store));
    let mut all = Vec::new();
    for change in CHANGES {
        // Both ensembles have so many configurations.
        let n: Vec<u64> = numbers.drain(..change.needs).collect();
        let told = (change.apply)(store, &n, seed);
        all.extend(told.into_iter().map(|(file, words)| Told { trouble: change.name, file, words }));
    }
    all
}

fn shuffled(seed: u64, files: u64) -> Vec<u64> {
    let mut numbers: Vec<u64> = numbers(files).collect();
    numbers.sort_by_key(|number| splitmix(seed, *number));
    numbers
}

/// Puts files into the ensembles that do not fit. Returns the rules that are to be named, with the file; a file that is
/// missing is named in the message.
pub fn misfits(store: &mut Store, seed: u64) -> Vec<Told> {
    // The first and the last number stay, so that every gap is one.
    let last = 10 * files(store);
    let mut numbers = shuffled(seed, files(store));
    numbers.retain(|number| (20..last).contains(number));
    let mut told = Vec::new();
    let mut expect = |trouble, file: String, words| told.push(Told { trouble, file, words });
    let mut next = || numbers.pop().expect("enough numbers");
    let odd = |number: u64| of_nersc(seed, number);
    let mut put = |store: &mut Store, trouble, number: u64, made: Configuration, words| {
        store.insert(nersc_name(number), made.nersc());
        expect(trouble, nersc_name(number), words);
    };
    let n = next();
    put(store, "another lattice", n, Configuration { time: 4, ..odd(n) }, &["other-lattice"]);
    let n = next();
    put(store, "single precision", n, Configuration { is_double: false, ..odd(n) }, &["other-precision"]);
    let n = next();
    put(store, "another beta", n, Configuration { beta: "6.4", ..odd(n) }, &["other-beta"]);
    let n = next();
    put(store, "another ensemble", n, Configuration { ensemble: "24d", ..odd(n) }, &["other-ensemble"]);
    let n = next();
    put(
        store,
        "another boundary",
        n,
        Configuration { boundary: "ANTIPERIODIC", ..odd(n) },
        &["other-boundary"],
    );
    let n = next();
    put(
        store,
        "a foreign configuration",
        n,
        Configuration { roughness: 1.2, ..odd(n) },
        &["plaquette-outlier"],
    );
    let n = next();
    put(store, "another update", n, Configuration { update: n + 5, ..odd(n) }, &["number-update"]);
    let n = next();
    store.remove(&nersc_name(n));
    expect("a gap", nersc_name(n), &["gap"]);
    let n = next();
    store.remove(&ildg_name(n));
    expect("a gap", ildg_name(n), &["gap"]);
    let (a, b) = (next(), next());
    let content = store[&ildg_name(a)].clone();
    store.insert(ildg_name(b), content);
    expect("the same content", ildg_name(a), &["same-content"]);
    expect("the same content", ildg_name(b), &["same-content"]);
    let (a, b) = (next(), next());
    let (of_a, of_b) = (store[&ildg_name(a)].clone(), store[&ildg_name(b)].clone());
    store.insert(ildg_name(a), of_b);
    store.insert(ildg_name(b), of_a);
    expect("swapped", ildg_name(a), &["number-update"]);
    expect("swapped", ildg_name(b), &["number-update"]);
    let n = next();
    store.insert(ildg_name(n), Configuration { lfn: n + 10_000_000, ..of_ildg(seed, n) }.ildg());
    expect("another logical file name", ildg_name(n), &["number-lfn"]);
    let n = next();
    store.insert(ildg_name(n), b"no configuration\n".to_vec());
    expect("a text", ildg_name(n), &["wrong"]);
    let n = next();
    store.insert(nersc_name(n), vec![1; 777]);
    expect("another format", nersc_name(n), &["not-recognised"]);
    let n = next();
    let data = Configuration { seed: of_ildg(seed, last).seed, ..of_ildg(seed, n) };
    store.insert(ildg_name(n), data.ildg());
    expect("the same data", ildg_name(n), &["same-data", "stands-still"]);
    expect("the same data", ildg_name(last), &["same-data", "stands-still"]);
    told
}
