//! `sniff::Format::ALL` is the list of formats. A format that is added there fails here until every place that knows
//! the formats has it: proofs, sizes, golden states, rules, fuzz targets with seeds, and the programs.

use std::fs;
use std::path::{Path, PathBuf};

use linkstream::sniff::{Format, Sniff, sniff};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_default()
}

/// The source of all files of a directory.
fn sources(folder: &str) -> String {
    let files = crate::examples::rust_files(&root().join(folder));
    files.iter().map(|file| fs::read_to_string(file).expect("readable")).collect()
}

/// True if a committed seed of the format's fuzz target is recognised as a file of this format.
fn has_sample(format: Format) -> bool {
    let Ok(seeds) = fs::read_dir(root().join("fuzz/seeds").join(format.module())) else { return false };
    seeds.flatten().any(|seed| fs::read(seed.path()).is_ok_and(|bytes| sniff(&bytes) == Sniff::Is(format)))
}

#[test]
fn every_place_has_every_format() {
    let (proofs, sizes) = (read("host-tests/proofs/src/no_panic.rs"), read("codec/tests/suite/sizes.rs"));
    let states = read("host-tests/tests/suite/states/golden.txt");
    let (rules, layers) = (read("host-tests/tests/suite/rules/reached.rs"), read("codec/src/lib.rs"));
    let (targets, bins) = (read("fuzz/src/lib.rs"), read("fuzz/Cargo.toml"));
    let programs = ["report", "cli"].map(|name| (name, sources(&format!("examples/{name}/src"))));
    let mut missing = Vec::new();
    for &format in Format::ALL {
        let name = format.module();
        let mut demand = |is_there: bool, what: String| {
            if !is_there {
                missing.push(format!("{name}: {what}"));
            }
        };
        demand(layers.contains(&format!("pub mod {name};")), "a module of the codec".to_owned());
        demand(has_sample(format), format!("a seed that is recognised, in fuzz/seeds/{name}"));
        demand(
            targets.contains(&format!("Target {{ name: \"{name}\"")),
            "a line in fuzz/src/lib.rs".to_owned(),
        );
        demand(bins.contains(&format!("fuzz_targets/{name}.rs")), "a [[bin]] in fuzz/Cargo.toml".to_owned());
        let target = format!("fuzz/fuzz_targets/{name}.rs");
        demand(!read(&target).is_empty(), target);
        let proof = format!("host-tests/proofs/src/{name}.rs");
        demand(!read(&proof).is_empty(), proof);
        demand(
            proofs.contains(&format!("    {name}::all();")),
            "a call in host-tests/proofs/src/no_panic.rs".to_owned(),
        );
        demand(
            sizes.contains(&format!("size_of::<{name}::Decoder>()")),
            "a line in codec/tests/suite/sizes.rs".to_owned(),
        );
        demand(states.contains(&format!("\n{name}::Decoder ")), "a state in states/golden.rs".to_owned());
        demand(
            rules.contains(&format!("compare({name}::ErrorKind::RULES")),
            "its rules in rules/reached.rs".to_owned(),
        );
        for (program, source) in &programs {
            demand(
                source.contains(&format!("Format::{format:?}")),
                format!("a description in examples/{program}"),
            );
        }
    }
    assert!(missing.is_empty(), "a format is missing in:\n  {}", missing.join("\n  "));
}

/// The first bytes decide alone: no magic is the beginning of another format's.
#[test]
fn formats_are_distinguished_by_their_magic() {
    for &format in Format::ALL {
        for magic in format.magics() {
            assert_eq!(sniff(magic), Sniff::Is(format));
        }
    }
}
