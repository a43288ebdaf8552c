//! `manifest`.

use std::process::Command;

use super::{entries, go, manifest, put, sample, store};
use crate::common::{linkstream, said, status};

/// True if a tool of the system accepts a list.
fn accepts(store: &tempfile::TempDir, tool: &str, list: &str) -> bool {
    let mut command = Command::new(tool);
    let output = command.current_dir(store.path().join("store")).args(["-c", "--quiet", list]).output();
    output.expect("coreutils").status.success()
}

#[test]
fn a_manifest_has_every_file_with_what_is_known_of_it() {
    let store = store();
    let text = manifest(&store, &[]);
    let entries = entries(&text);
    let names: Vec<_> = entries.iter().map(|entry| entry["file"].as_str().expect("a name")).collect();
    assert_eq!(names, ["README", "a/lat.10.lime", "a/lat.20.nersc", "a/matrix.bin", "b/state.scda"]);
    let verdicts: Vec<_> =
        entries.iter().map(|entry| entry["verdict"].as_str().expect("a verdict")).collect();
    assert_eq!(verdicts, ["other", "ok", "ok", "unverified", "unverified"]);
    let (lime, archive) = (&entries[1], &entries[2]);
    assert_eq!(lime["bytes"], sample().len());
    let field = &lime["fields"][0];
    assert_eq!(field["extents"], serde_json::json!([4, 4, 4, 8]));
    assert!(
        field["plaquette"].as_f64().expect("a plaquette") > 0.1 && field["checksums"]["suma"].is_string()
    );
    assert_eq!(archive["header"]["ENSEMBLE_ID"], "test");
    assert_eq!(archive["fields"][0]["boundary"], "periodic");
    // A second manifest differs only in the time of reading.
    let again = manifest(&store, &[]);
    let without_times = |text: &str| -> Vec<serde_json::Value> {
        let mut entries = super::entries(text);
        entries.iter_mut().for_each(|entry| entry["read"] = serde_json::Value::Null);
        entries
    };
    assert_eq!(without_times(&again), without_times(&text));
}

#[cfg(target_os = "linux")]
#[test]
fn hashes_are_those_of_the_tools() {
    let store = store();
    // Larger than what is read into memory, with bytes after the end, and a record that is skipped.
    let mut large = sample();
    large.extend(crate::common::lime::record("unknown", &vec![7; 9 << 20], true, true));
    large.extend([1, 2, 3]);
    put(&store, "large.lime", &large);
    put(&store, "line\nfeed\\", b"x");
    for (format, tool) in [("md5sum", "md5sum"), ("sha256sum", "sha256sum")] {
        let output = go(&store, &["manifest", "--format", format, "store"]);
        std::fs::write(store.path().join("LIST"), &output.stdout).expect("writable");
        assert!(accepts(&store, tool, "../LIST"), "{format}");
        // The name with a line feed is on one line.
        assert_eq!(output.stdout.iter().filter(|byte| **byte == b'\n').count(), 7);
    }
    let text = manifest(&store, &[]);
    let list: String = entries(&text)
        .iter()
        .filter(|entry| !entry["file"].as_str().expect("a name").contains('\n'))
        .map(|entry| {
            format!(
                "{}  {}\n",
                entry["sha256"].as_str().expect("a hash"),
                entry["file"].as_str().expect("a name")
            )
        })
        .collect();
    std::fs::write(store.path().join("LIST"), list).expect("writable");
    assert!(accepts(&store, "sha256sum", "../LIST"));
}

#[cfg(target_os = "linux")]
#[test]
fn the_sum_of_the_data_is_that_of_cksum() {
    let store = store();
    let entries = entries(&manifest(&store, &[]));
    for index in [1, 2] {
        let field = &entries[index]["fields"][0];
        let file = super::bytes_of(&store, entries[index]["file"].as_str().expect("a name"));
        let number = |key: &str| field[key].as_u64().expect("a number") as usize;
        let data = &file[number("data_offset")..][..number("data_bytes")];
        let path = store.path().join("data");
        std::fs::write(&path, data).expect("writable");
        let output = Command::new("cksum").arg(&path).output().expect("coreutils");
        let expected = String::from_utf8(output.stdout).expect("text");
        assert_eq!(expected.split(' ').next(), Some(field["cksum"].to_string().as_str()), "{index}");
    }
}

#[test]
fn wrong_files_are_listed_and_named() {
    let store = store();
    super::flip(&store, "a/lat.10.lime", 100_000);
    put(&store, "b/empty", b"");
    put(&store, "b/zeros.ildg", &[0; 64]);
    let output = go(&store, &["manifest", "store"]);
    assert_eq!(status(&output), 1);
    let entries = entries(&String::from_utf8(output.stdout.clone()).expect("text"));
    let wrong: Vec<_> =
        entries.iter().filter(|entry| entry["verdict"] == "wrong").map(|e| &e["file"]).collect();
    assert_eq!(wrong, ["a/lat.10.lime", "b/empty", "b/zeros.ildg"]);
    assert!(said(&output).contains("a/lat.10.lime: wrong: checksum-mismatch"), "{}", said(&output));
}

#[test]
fn what_is_left_out_is_not_in_the_manifest() {
    let store = store();
    put(&store, "tmp/x.tmp", b"x");
    put(&store, "b/y.tmp", b"y");
    let names = |arguments: &[&str]| -> Vec<String> {
        let text = manifest(&store, arguments);
        entries(&text).iter().map(|entry| entry["file"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(names(&["--exclude", "tmp", "--exclude", "*.tmp"]).len(), 5);
    assert_eq!(names(&["--exclude", "a/*"]).len(), 4);
    super::touch(&store.path().join("store/README"), 7200);
    assert_eq!(names(&["--min-age", "1h"]), ["README"]);
}

#[test]
fn a_manifest_in_its_store_is_no_part_of_it() {
    let store = store();
    for _ in 0..2 {
        let output = go(&store, &["manifest", "store", "--force", "--out", "store/M"]);
        assert_eq!(status(&output), 0, "{}", said(&output));
    }
    let text = std::fs::read_to_string(store.path().join("store/M")).expect("the manifest");
    assert_eq!(entries(&text).len(), 5);
    let output = go(&store, &["check", "--manifest", "store/M", "store"]);
    assert_eq!(status(&output), 0, "{}", String::from_utf8_lossy(&output.stdout));
    let mut program = Command::new(assert_cmd::cargo::cargo_bin("linkstream"));
    program.current_dir(store.path()).args(["check", "--manifest", "-", "store"]);
    let file = std::fs::File::open(store.path().join("store/M")).expect("the manifest");
    let output = program.stdin(file).output().expect("the program runs");
    assert_eq!(status(&output), 0, "{}", String::from_utf8_lossy(&output.stdout));
    // It is not replaced by accident.
    let output = go(&store, &["manifest", "store", "--out", "store/M"]);
    assert_eq!(status(&output), 2);
}

#[test]
fn a_manifest_can_come_through_a_pipe() {
    let store = store();
    put(&store, "a/lat.20.lime", &sample());
    let text = manifest(&store, &[]);
    put(&store, "b/new", b"new");
    let piped = |arguments: &[&str], input: &str| {
        let mut program = linkstream();
        program
            .current_dir(store.path())
            .args(arguments)
            .write_stdin(input)
            .output()
            .expect("the program runs")
    };
    let found = piped(&["check", "--manifest", "-", "store"], &text).stdout;
    let expected = go(&store, &["check", "--manifest", "M", "store"]).stdout;
    assert!(found.windows(5).any(|part| part == b"b/new"));
    assert_eq!(found, expected);
    for command in ["table", "ensemble"] {
        let [from_pipe, from_file] = [piped(&[command, "-"], &text), piped(&[command, "M"], "")];
        assert!(!from_file.stdout.is_empty(), "{}", said(&from_file));
        assert_eq!(from_pipe.stdout, from_file.stdout, "{}", said(&from_pipe));
    }
    // The first half of a manifest is none.
    let output = piped(&["check", "--manifest", "-", "store"], &text[..text.len() / 2]);
    assert_eq!(status(&output), 2);
    assert!(said(&output).contains("manifest standard input: the last line"), "{}", said(&output));
    // Standard input cannot be replaced.
    let output = piped(&["check", "--manifest", "-", "--update", "store"], &text);
    assert_eq!(status(&output), 2);
    assert!(said(&output).contains("--update=NEXT"), "{}", said(&output));
    let output = piped(&["check", "--manifest", "-", "--update=N", "store"], &text);
    assert_eq!(said(&output), "");
    assert_eq!(entries(&std::fs::read_to_string(store.path().join("N")).expect("the manifest")).len(), 7);
}

#[test]
fn a_killed_run_continues_where_it_was() {
    let store = store();
    // The files are old enough to be trusted.
    std::thread::sleep(std::time::Duration::from_millis(2100));
    let whole = manifest(&store, &[]);
    let lines: Vec<&str> = whole.lines().collect();
    // A journal with two entries and half of a third; the first is marked.
    let marked =
        lines[1].replace("\"verdict\":\"ok\"", "\"verdict\":\"ok\",\"rules\":[\"from-the-journal\"]");
    assert_ne!(marked, lines[1]);
    let head = "{\"schema\":3,\"journal_hash\":\"sha256\",\"xml\":[\"beta\"],\"observables\":true}";
    let journal = format!("{head}\n{marked}\n{}\n{}", lines[2], &lines[3][..lines[3].len() / 2]);
    std::fs::write(store.path().join("J"), &journal).expect("writable");
    let resumed = manifest(&store, &["--resume", "J"]);
    assert!(resumed.contains("from-the-journal"), "what the journal has is not read again");
    assert_eq!(entries(&resumed).len(), 5);
    assert!(!store.path().join("J").exists(), "a complete run needs no journal");
    // A file that has changed is read again.
    std::fs::write(store.path().join("J"), &journal).expect("writable");
    super::flip(&store, "a/lat.10.lime", 100_000);
    assert!(!manifest(&store, &["--resume", "J"]).contains("from-the-journal"));
    let other = go(&store, &["manifest", "store", "--resume", "store/README"]);
    assert_eq!(status(&other), 2);
    assert!(said(&other).contains("is no journal"), "{}", said(&other));
    assert_eq!(super::bytes_of(&store, "README"), b"texts count too\n", "what is no journal is not written");
    // Entries of a run with other arguments would have another hash.
    std::fs::write(store.path().join("J"), &journal).expect("writable");
    let other = go(&store, &["manifest", "store", "--resume", "J", "--format", "md5sum"]);
    assert_eq!((status(&other), other.stdout.as_slice()), (2, &b""[..]));
    assert!(said(&other).contains("another --hash, --format"), "{}", said(&other));
    assert_eq!(std::fs::read_to_string(store.path().join("J")).expect("readable"), journal);
}

#[test]
fn only_a_journal_is_removed_at_the_end() {
    let store = store();
    let text = manifest(&store, &[]);
    let path = store.path().join("J");
    // Among them, a manifest, a file of one line without an end, and the beginning of a manifest.
    for kept in [&text[..], "precious", "{\"schema\":3", &text[..text.len() / 2], "\n", "{}\n"] {
        std::fs::write(&path, kept).expect("writable");
        let outputs = [
            go(&store, &["manifest", "store", "--resume", "J"]),
            go(&store, &["check", "--manifest", "M", "--resume", "J", "--scrub", "1d", "store"]),
        ];
        for output in outputs {
            assert_eq!(status(&output), if kept == "{\"schema\":3" { 0 } else { 2 }, "{kept}");
        }
        if kept != "{\"schema\":3" {
            assert_eq!(std::fs::read_to_string(&path).expect("it is still there"), kept);
        }
    }
    let output = go(&store, &["check", "--manifest", "M", "--resume", "M", "store"]);
    assert_eq!(status(&output), 2, "{}", said(&output));
    let output = go(&store, &["manifest", "--resume", "store", "store"]);
    let words = "store is no file that --resume can keep a journal in";
    assert!(status(&output) == 2 && said(&output).contains(words), "{}", said(&output));
    assert_eq!(std::fs::read_to_string(store.path().join("M")).expect("it is still there"), text);
}

#[test]
fn outputs_in_a_store_are_neither_new_nor_gone() {
    let store = store();
    put(&store, "log", b"of yesterday");
    put(&store, "M", b"an old one");
    let text = manifest(&store, &[]);
    put(&store, "M", text.as_bytes());
    let log = std::fs::File::create(store.path().join("store/log")).expect("writable");
    let output = Command::new(assert_cmd::cargo::cargo_bin("linkstream"))
        .current_dir(store.path())
        .args(["check", "--manifest", "store/M", "store"])
        .stdout(log)
        .output()
        .expect("the program runs");
    let said = super::bytes_of(&store, "log");
    assert_eq!(status(&output), 0, "{}", String::from_utf8_lossy(&said));
}

#[test]
fn volumes_of_a_set_have_the_verdict_on_the_set() {
    let store = store();
    let output = go(&store, &["convert", "store/a/lat.10.lime", "store/set", "--volumes", "1x1x1x2"]);
    assert_eq!(status(&output), 0, "{}", said(&output));
    let text = manifest(&store, &[]);
    let volumes: Vec<_> = entries(&text).into_iter().filter(|entry| entry["set"] == "set").collect();
    assert_eq!(volumes.len(), 2);
    assert!(
        volumes.iter().all(|entry| entry["verdict"] == "ok" && entry["sha256"].is_string()),
        "{volumes:?}"
    );
    let last = volumes[1]["file"].as_str().expect("a name");
    super::flip(&store, last, super::bytes_of(&store, last).len() - 1000);
    let (found, status) = super::changes(&store, &[]);
    let kinds: Vec<_> = found.iter().map(|(_, kind)| kind.as_str()).collect();
    assert_eq!((kinds, status), (vec!["damaged", "damaged"], 1));
    // Each says why.
    let damaged = entries(&manifest(&store, &[]));
    let rules = damaged.iter().filter(|entry| entry["set"] == "set").map(|entry| &entry["rules"][0]);
    assert!(rules.eq(["checksum-mismatch"; 2]), "{damaged:?}");
}

#[test]
fn a_set_that_has_lost_a_volume_is_damaged_until_it_is_back() {
    let store = store();
    let output = go(&store, &["convert", "store/a/lat.10.lime", "store/set", "--volumes", "1x1x1x2"]);
    assert_eq!(status(&output), 0, "{}", said(&output));
    // The files are old enough to be trusted.
    std::thread::sleep(std::time::Duration::from_millis(2100));
    let text = manifest(&store, &[]);
    let volumes: Vec<_> = entries(&text).into_iter().filter(|entry| entry["set"] == "set").collect();
    let name = |index: usize| volumes[index]["file"].as_str().expect("a name").to_owned();
    std::fs::remove_file(store.path().join("store").join(name(0))).expect("removable");
    let of = |index: usize, kind: &str| (name(index), kind.to_owned());
    assert_eq!(
        super::changes(&store, &["--update"]),
        (vec![of(0, "gone"), of(1, "damaged")], 1),
        "what is left was not touched, but is of no use"
    );
    assert_eq!(super::changes(&store, &["--update"]), (vec![of(1, "still-damaged")], 1));
}
