//! Stores with troubles that were put in by seed: all are named, and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use host_tests::long;
use host_tests::stores::{self, FILES, MANY, Store};
use host_tests::troubles::{self, CHANGES, Told};
use serde_json::Value;
use tempfile::TempDir;

use super::{changes, go, manifest};
use crate::common::{said, status};

/// Seeds of stores, and their number of files of each ensemble. All cases have a large store of 20,000 files.
fn cases() -> impl Iterator<Item = (u64, u64)> {
    let large = Some((7, MANY)).filter(|_| long::is_wanted());
    [1, 2, 20_261_128].map(|seed| (seed, FILES)).into_iter().chain(large)
}

fn write(folder: &TempDir, store: &Store, before: &Store) {
    let root = folder.path().join("store");
    for name in before.keys().filter(|name| !store.contains_key(*name)) {
        fs::remove_file(root.join(name)).expect("writable");
    }
    // Files that are the same are not written again.
    for (name, bytes) in store {
        let path = root.join(name);
        if fs::read(&path).is_ok_and(|there| there == *bytes) {
            continue;
        }
        fs::create_dir_all(path.parent().expect("a directory")).expect("writable");
        fs::write(path, bytes).expect("writable");
    }
}

#[test]
fn every_change_is_named_and_nothing_else() {
    assert!(CHANGES.len() >= 35);
    for (seed, files) in cases() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let mut store = stores::store_of(seed, files);
        write(&folder, &store, &Store::new());
        manifest(&folder, &[]);
        assert_eq!(changes(&folder, &[]), (vec![], 0));
        let before = store.clone();
        let told = troubles::change(&mut store, seed);
        write(&folder, &store, &before);
        let (found, status) = changes(&folder, &[]);
        assert_eq!(status, 1);
        let mut found: BTreeMap<String, String> = found.into_iter().collect();
        for Told { trouble, file, words } in told {
            let said =
                found.remove(&file).unwrap_or_else(|| panic!("{seed}: {trouble}: nothing about {file}"));
            assert!(words.iter().any(|word| said.starts_with(word)), "{seed}: {trouble}: {file} is {said}");
        }
        assert_eq!(found, BTreeMap::new(), "{seed}");
    }
}

/// The findings of `ensemble`: kind, files and message.
fn findings(folder: &TempDir, arguments: &[&str]) -> Vec<(String, Vec<String>, String)> {
    let output = go(folder, &[&["ensemble", "--json"], arguments].concat());
    assert!(status(&output) < 2, "{}", said(&output));
    let text = String::from_utf8(output.stdout).expect("text");
    let mut found = Vec::new();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).expect("JSON");
        for finding in line["findings"].as_array().expect("a list") {
            let word = |key: &str| finding[key].as_str().expect("a text").to_owned();
            let files = finding["files"].as_array().expect("a list").iter();
            let files = files.map(|name| name.as_str().expect("a name").to_owned()).collect();
            found.push((word("kind"), files, word("message")));
        }
    }
    found
}

#[test]
fn what_does_not_fit_is_named_and_nothing_else() {
    for (seed, files) in cases() {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let mut store = stores::store_of(seed, files);
        write(&folder, &store, &Store::new());
        assert_eq!(findings(&folder, &["store"]), [], "{seed}");
        let before = store.clone();
        let told = troubles::misfits(&mut store, seed);
        // Besides the troubles of the trial, which are the changes, there are more than twelve.
        assert!(told.iter().map(|told| told.trouble).collect::<BTreeSet<_>>().len() > 12);
        write(&folder, &store, &before);
        let found = findings(&folder, &["store"]);
        for Told { trouble, file, words } in &told {
            let name = file.rsplit('/').next().expect("a name");
            let is_named = |(kind, files, message): &(String, Vec<String>, String)| {
                words.contains(&kind.as_str())
                    && (files.contains(file) || kind == "gap" && message.contains(name))
            };
            assert!(found.iter().any(is_named), "{seed}: {trouble}: {file}: {found:?}");
        }
        let known: BTreeSet<&String> = told.iter().map(|told| &told.file).collect();
        for (kind, files, message) in &found {
            assert!(files.iter().all(|file| known.contains(file)), "{seed}: {kind}: {files:?}: {message}");
        }
        let gaps = found.iter().filter(|(kind, ..)| kind == "gap").count();
        assert_eq!(gaps, 2, "{seed}");
        // A manifest has all that is needed.
        manifest(&folder, &[]);
        assert_eq!(findings(&folder, &["M"]), found);
    }
}

#[test]
fn an_ensemble_is_shown_as_text_and_as_csv() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    write(&folder, &stores::store(1), &Store::new());
    let shown = |arguments: &[&str]| {
        let output = go(&folder, arguments);
        assert_eq!(status(&output), 0, "{}", said(&output));
        String::from_utf8(output.stdout).expect("text")
    };
    let text = shown(&["ensemble", "store"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].starts_with("24c/ckpoint_lat.{n}: 40 files, 10 to 400, step 10; plaquette 0."),
        "{text}"
    );
    assert!(lines[1].starts_with("32c/b6.3/lat.{n}.ildg: 40 files, 10 to 400, step 10"), "{text}");
    assert_eq!(lines[2..], ["2 ensembles, 0 findings"]);
    let csv = shown(&["ensemble", "--csv", "--name", "ckpoint_*.{n}", "store"]);
    assert_eq!(csv.lines().count(), 41);
    assert!(csv.starts_with("ensemble,number,file,verdict,update,plaquette,"), "{csv}");
    assert!(csv.contains("\n24c/ckpoint_*.{n},10,24c/ckpoint_lat.10,ok,10,0."), "{csv}");
    let none = go(&folder, &["ensemble", "--name", "x{n}", "store"]);
    assert_eq!(status(&none), 2);
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_in_no_ensemble_is_not_forgotten() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    for name in ["lat.1", "lat.2", "lat.18446744073709551616"] {
        super::put(&folder, name, &super::nersc(name.len()));
    }
    let of = |kind: &str| findings(&folder, &["store"]).iter().filter(|of| of.0 == kind).count();
    assert_eq!(of("number-too-large"), 1);
    super::put(&folder, "lat.3", &super::nersc(9));
    // A manifest has a file that could not be read, under a name without a number.
    let text = manifest(&folder, &[]).replace("\"file\":\"lat.3\"", "\"file\":\"lost\"");
    let verdict = "\"verdict\":\"unverified\",";
    let (before, after) =
        text.rsplit_once(verdict).or_else(|| text.rsplit_once("\"verdict\":\"ok\",")).expect("a verdict");
    let text = format!("{before}\"verdict\":\"unreadable\",\"error\":\"too old\",{after}");
    let lines: Vec<String> = text.lines().take(4).map(str::to_owned).collect();
    fs::write(folder.path().join("M"), super::hostile::sealed(&lines)).expect("writable");
    for arguments in [&["ensemble", "M"][..], &["table", "--where", "plaquette > 0", "M"]] {
        let output = go(&folder, arguments);
        assert_eq!(status(&output), 2, "{arguments:?}");
        assert!(said(&output).contains("lost: unreadable: too old"), "{}", said(&output));
    }
}

#[test]
fn a_table_has_the_columns_and_the_files_that_were_asked_for() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    write(&folder, &stores::store(1), &Store::new());
    manifest(&folder, &["--xml", "action/beta"]);
    let shown = |arguments: &[&str]| {
        let output = go(&folder, &[&["table"], arguments].concat());
        assert_eq!(status(&output), 0, "{}", said(&output));
        String::from_utf8(output.stdout).expect("text")
    };
    let columns = "file,update,lfn,extents,precision,plaquette,xml:action/beta,header:ENSEMBLE_ID";
    for source in ["store", "M"] {
        let condition =
            "precision == 64 and (xml:action/beta == 6.30 or ENSEMBLE_ID == '24c') and update <= 20";
        let csv = shown(&["--columns", columns, "--where", condition, "--csv", source]);
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!((lines[0], lines.len()), (columns, 5), "{csv}");
        assert!(lines[1].starts_with("24c/ckpoint_lat.10,10,,2x2x2x2,64,0."), "{csv}");
        assert!(lines[1].ends_with(",,24c"), "{csv}");
        assert!(
            lines[4].starts_with("32c/b6.3/lat.0020.ildg,20,lfn://collaboration/32c/lat.20,2x2x2x2,64,0."),
            "{csv}"
        );
        assert!(lines[4].ends_with(",6.3,"), "{csv}");
    }
    let json =
        shown(&["--columns", "file,bytes,plaquette,cksum", "--where", "format == 'inebin'", "--json", "M"]);
    let first: Value = serde_json::from_str(json.lines().next().expect("a row")).expect("JSON");
    assert_eq!(
        (&first["file"], &first["bytes"], &first["plaquette"]),
        (&"corr/nucleon.bin".into(), &48.into(), &Value::Null)
    );
    assert_eq!(shown(&["--columns", "file, verdict", "M"]), shown(&["--columns", "file,verdict", "M"]));
    let beta = shown(&["--where", "beta == 6.3", "store"]);
    assert_eq!(beta.lines().count(), 41, "{beta}");
    for (wrong, words) in [
        (["--columns", "fil", "M"], "there is no column 'fil'"),
        (["--where", "a = 5", "M"], "character 3 of the condition: = is not a comparison; equality is =="),
    ] {
        let output = go(&folder, &[&["table"], &wrong[..]].concat());
        assert!(status(&output) == 2 && said(&output).contains(words), "{}", said(&output));
    }
    // A condition with a mistake is not taken for one that no file meets.
    for (condition, words) in [
        ("precison == 64", "no file has a value precison; a text is in quotes: 'precison'"),
        ("verdict == ok", "no file has a value ok; a text is in quotes: 'ok'"),
        ("header:X == 1 or heder:ENSEMBLE_ID == 1", "no file has a value heder:ENSEMBLE_ID"),
        ("xml:a/b == 1", "no file has a value xml:a/b"),
    ] {
        for source in ["store", "M"] {
            let output = go(&folder, &["table", "--where", condition, source]);
            assert!(said(&output).contains(words), "{condition}, {source}: {}", said(&output));
            let advises = said(&output).contains("`manifest --xml ");
            assert_eq!(advises, source == "M" && !condition.contains("heder"), "{}", said(&output));
        }
    }
    let output = go(&folder, &["table", "--where", "error == 'x' or header:ENSEMBLE_ID == 'y'", "M"]);
    assert_eq!(said(&output), "");
    // Options about a directory are wrong arguments for a manifest.
    let output = go(&folder, &["table", "--usage-status", "64", "--exclude", "*.tmp", "M"]);
    assert_eq!(status(&output), 64, "{}", said(&output));
}

#[test]
#[cfg(unix)]
fn a_row_of_json_has_the_name_of_the_manifest() {
    let store = super::store();
    super::put(&store, "two\nlines", b"text");
    manifest(&store, &[]);
    let output = go(&store, &["table", "--columns", "file", "--where", "file > 't'", "--json", "M"]);
    assert_eq!(String::from_utf8(output.stdout).expect("text"), "{\"file\":\"two\\nlines\"}\n");
    // A line of text has it as a shell does.
    let output = go(&store, &["table", "--columns", "file", "--where", "file > 't'", "--csv", "M"]);
    assert_eq!(String::from_utf8(output.stdout).expect("text"), "file\n$'two\\nlines'\n");
}

#[test]
fn of_two_files_neither_is_most() {
    let store = tempfile::tempdir().expect("a temporary directory");
    super::put(&store, "lat.1", &super::sample());
    super::put(&store, "lat.2", &super::nersc(1));
    let output = go(&store, &["ensemble", "store"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("other-lattice") && text.contains("; other files have "), "{text}");
    assert!(!text.contains("most files"), "{text}");
}

#[test]
fn the_number_0_of_archives_is_none() {
    let store = tempfile::tempdir().expect("a temporary directory");
    super::put(&store, "lat.lime", &super::sample());
    for number in ["1", "2", "3", "4"] {
        let output =
            go(&store, &["convert", "store/lat.lime", &format!("store/lat.{number}"), "--to", "nersc"]);
        assert_eq!(status(&output), 0, "{}", said(&output));
    }
    let output = go(&store, &["ensemble", "--name", "lat.{n}", "store"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(!text.contains("number-update"), "{text}");
}
