//! Compressed files and archives in a store.

use std::io::Write as _;

use serde_json::Value;

use super::{bytes_of, changes, entries, go, manifest, nersc, put, store};
use crate::common::{said, status};

fn gzip(bytes: &[u8], level: u32) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(level));
    out.write_all(bytes).expect("memory");
    out.finish().expect("memory")
}

fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = tar::Builder::new(Vec::new());
    for (name, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.as_gnu_mut().expect("a header of GNU").name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        out.append(&header, *content).expect("memory");
    }
    out.into_inner().expect("memory")
}

#[test]
fn what_is_packed_is_judged_and_belongs_to_its_ensemble() {
    let store = store();
    let (one, two) = (nersc(1), nersc(2));
    put(&store, "c/lat.30.nersc.gz", &gzip(&one, 6));
    put(&store, "c/old.tar.gz", &gzip(&tar(&[("./lat.40.nersc", &two), ("../notes", b"text")]), 6));
    let entries = entries(&manifest(&store, &[]));
    let entry = |name: &str| entries.iter().find(|entry| entry["file"] == name).expect("an entry");
    let compressed = entry("c/lat.30.nersc.gz");
    assert_eq!((compressed["format"].as_str(), compressed["verdict"].as_str()), (Some("nersc"), Some("ok")));
    assert_eq!(compressed["bytes"], bytes_of(&store, "c/lat.30.nersc.gz").len());
    assert!(compressed["fields"][0]["plaquette"].is_f64() && compressed["fields"][0]["cksum"].is_u64());
    let archive = entry("c/old.tar.gz");
    assert_eq!(
        (archive["packing"].to_string().as_str(), archive["verdict"].as_str()),
        ("[\"gzip\",\"tar\"]", Some("ok"))
    );
    let members = archive["members"].as_array().expect("a list");
    let words = |member: &Value, key: &str| member[key].as_str().expect("a word").to_owned();
    let names: Vec<String> =
        members.iter().map(|member| words(member, "file") + ": " + &words(member, "verdict")).collect();
    assert_eq!(names, ["c/old.tar.gz!lat.40.nersc: ok", "c/old.tar.gz!notes: other"]);
    let output = go(&store, &["table", "--columns", "file,verdict,plaquette", "--csv", "M"]);
    let table = String::from_utf8(output.stdout).expect("text");
    assert!(table.contains("c/old.tar.gz!lat.40.nersc,ok,") && !table.contains("tar.gz,"), "{table}");
    // Equal content is found wherever it is.
    put(&store, "c/lat.50.nersc", &two);
    put(&store, "c/lat.60.nersc", &nersc(3));
    manifest(&store, &[]);
    let output = go(&store, &["ensemble", "M"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("same-content: c/lat.50.nersc, c/old.tar.gz!lat.40.nersc"), "{text}");
}

#[test]
fn a_packed_file_that_cannot_be_read_is_not_another_format() {
    let store = store();
    let one = gzip(&nersc(1), 6);
    let mut damaged = one.clone();
    damaged[0] ^= 1;
    let mut zeroed = tar(&[("lat.40.nersc", &nersc(2)), ("lat.50.nersc", &nersc(3))]);
    let second = tar(&[("lat.40.nersc", &nersc(2))]).len() - 1024;
    zeroed[second..second + 512].fill(0);
    put(&store, "c/zeroed.tar", &zeroed);
    put(&store, "c/lat.30.gz", &damaged);
    put(&store, "c/old.tar", &tar(&[("lat.40.gz", &one), ("lat.50.gz", &damaged)]));
    put(&store, "c/cut.gz", &one[..12]);
    let output = go(&store, &["manifest", "store", "--out", "M"]);
    assert_eq!(status(&output), 2, "{}", said(&output));
    let expected = "c/old.tar: unreadable: c/old.tar!lat.40.gz: a packed file in an archive is not read";
    assert!(said(&output).contains(expected), "{}", said(&output));
    let entries = entries(&std::fs::read_to_string(store.path().join("M")).expect("text"));
    let entry = |name: &str| entries.iter().find(|entry| entry["file"] == name).expect("an entry");
    assert_eq!(entry("c/lat.30.gz")["verdict"], "wrong");
    assert_eq!(entry("c/zeroed.tar")["verdict"], "wrong");
    // It is not the content that is empty.
    assert_eq!(entry("c/cut.gz")["rules"], serde_json::json!(["compression-damaged"]));
    let members = &entry("c/old.tar")["members"];
    assert_eq!((&members[0]["verdict"], &members[1]["verdict"]), (&"unreadable".into(), &"wrong".into()));
    assert_eq!(entry("c/old.tar")["verdict"], "unreadable");
}

#[test]
fn a_good_file_in_an_archive_does_not_hide_a_damaged_one_of_the_same_name() {
    let good = nersc(1);
    let mut damaged = good.clone();
    *damaged.last_mut().expect("data") ^= 1;
    for files in [[("../x", &damaged[..]), ("x", &good)], [("x", &good[..]), ("../x", &damaged)]] {
        let store = store();
        put(&store, "c/old.tar", &tar(&files));
        manifest(&store, &[]);
        let output = go(&store, &["table", "--columns", "file,verdict", "--csv", "M"]);
        let table = String::from_utf8(output.stdout).expect("text");
        assert!(table.contains("c/old.tar!x,wrong"), "{table}");
    }
}

#[test]
fn what_happens_to_packed_files_is_named() {
    let store = store();
    let (one, two) = (nersc(1), nersc(2));
    put(&store, "c/1.nersc.gz", &gzip(&one, 6));
    put(&store, "c/2.nersc.gz", &gzip(&one, 6));
    put(&store, "c/old.tar", &tar(&[("lat.40.nersc", &two)]));
    manifest(&store, &[]);
    assert_eq!(changes(&store, &[]), (Vec::new(), 0));
    let cut = bytes_of(&store, "c/1.nersc.gz");
    put(&store, "c/1.nersc.gz", &cut[..cut.len() - 9]);
    let mut data = one;
    *data.last_mut().expect("data") ^= 1;
    put(&store, "c/2.nersc.gz", &gzip(&data, 6));
    let mut data = two;
    *data.last_mut().expect("data") ^= 1;
    put(&store, "c/old.tar", &tar(&[("lat.40.nersc", &data)]));
    let (found, code) = changes(&store, &["--scrub", "1d"]);
    assert_eq!(code, 1);
    let names: Vec<&str> = found.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["c/1.nersc.gz", "c/2.nersc.gz", "c/old.tar"]);
    assert!(found.iter().all(|(_, kind)| kind.starts_with("damaged")), "{found:?}");
    let output = go(&store, &["check", "--manifest", "M", "--scrub", "1d", "store"]);
    let text = String::from_utf8(output.stdout.clone()).expect("text");
    assert!(text.contains("compression-damaged") && text.contains("c/old.tar!lat.40.nersc: "), "{text}");
    assert_eq!(status(&output), 1, "{}", said(&output));
}

#[test]
fn a_manifest_whose_archives_list_files_elsewhere_is_refused() {
    let store = store();
    put(&store, "c/old.tar", &tar(&[("lat.40.nersc", &nersc(2))]));
    let text = manifest(&store, &[]);
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let altered: Vec<String> =
        lines[..lines.len() - 1].iter().map(|line| line.replace("c/old.tar!lat", "a/lat")).collect();
    std::fs::write(store.path().join("M"), super::hostile::sealed(&altered)).expect("writable");
    let output = go(&store, &["table", "M"]);
    assert_eq!(status(&output), 2);
    assert!(said(&output).contains("does not begin with the archive"), "{}", said(&output));
}
