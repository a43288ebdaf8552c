//! Checks that the committed seeds equal the output of `seeds` of each target, and that each seed passes the checks of
//! its target. `LINKSTREAM_WRITE_SEEDS=1 cargo test` writes them again.

use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs};

use fuzz_c::TARGETS;

fn folder(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(name)
}

#[test]
fn seeds_equal_the_generator() {
    for target in TARGETS {
        let folder = folder(target.name);
        let made: BTreeMap<String, Vec<u8>> = (target.seeds)().into_iter().collect();
        assert_eq!(made.len(), (target.seeds)().len(), "two seeds of {} have the same name", target.name);
        if env::var_os("LINKSTREAM_WRITE_SEEDS").is_some() {
            fs::create_dir_all(&folder).unwrap();
            for (name, bytes) in &made {
                fs::write(folder.join(name), bytes).unwrap();
            }
        }
        let committed: BTreeMap<String, Vec<u8>> = fs::read_dir(&folder)
            .unwrap_or_else(|error| {
                panic!("{}: {error}; LINKSTREAM_WRITE_SEEDS=1 creates it", folder.display())
            })
            .map(|entry| entry.unwrap())
            .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
            .collect();
        assert!(
            committed == made,
            "examples/c/fuzz/seeds/{} differs; LINKSTREAM_WRITE_SEEDS=1 writes it",
            target.name
        );
    }
}

#[test]
fn seeds_pass() {
    for target in TARGETS {
        for (name, bytes) in (target.seeds)() {
            println!("{}/{name}", target.name);
            (target.check)(&bytes);
        }
        (target.check)(&[]);
    }
}
