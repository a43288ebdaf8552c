//! `check --manifest`.

use std::fs;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use super::{bytes_of, changes, flip, go, manifest, nersc, put, sample, store};
use crate::common::{reals, said, status};

fn one(name: &str, kind: &str) -> Vec<(String, String)> {
    vec![(name.to_owned(), kind.to_owned())]
}

#[test]
fn nothing_has_changed() {
    let store = store();
    manifest(&store, &[]);
    assert_eq!(changes(&store, &[]), (vec![], 0));
    let output = go(&store, &["check", "--manifest", "M", "store"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.starts_with("5 files: 5 unchanged") && text.lines().count() == 1, "{text}");
}

#[test]
fn an_unchanged_store_is_silent_on_request() {
    let store = store();
    manifest(&store, &[]);
    let silent = |arguments: &[&str]| {
        let output =
            go(&store, &[&["check", "--quiet-if-ok", "--manifest", "M", "store"], arguments].concat());
        output.stdout.is_empty() && output.stderr.is_empty()
    };
    assert!(silent(&[]) && silent(&["--json"]));
    put(&store, "new", b"new");
    assert!(!silent(&[]) && !silent(&["--json"]));
}

#[test]
fn every_kind_of_change_is_named() {
    let store = store();
    manifest(&store, &[]);
    let rename = |from: &str, to: &str| {
        let path = |name: &str| store.path().join("store").join(name);
        fs::rename(path(from), path(to)).expect("writable");
    };
    put(&store, "new", b"new");
    assert_eq!(changes(&store, &[]), (one("new", "new"), 3));
    fs::remove_file(store.path().join("store/new")).expect("writable");

    rename("README", "b/README");
    assert_eq!(changes(&store, &[]), (one("b/README", "moved from README"), 3));
    rename("b/README", "README");

    put(&store, "a/lat.30.lime", &sample());
    assert_eq!(changes(&store, &[]), (one("a/lat.30.lime", "copied from a/lat.10.lime"), 3));
    fs::remove_file(store.path().join("store/a/lat.30.lime")).expect("writable");

    let readme = bytes_of(&store, "README");
    fs::remove_file(store.path().join("store/README")).expect("writable");
    assert_eq!(changes(&store, &[]), (one("README", "gone"), 1));
    put(&store, "README", &readme);

    // Two that are swapped.
    let (a, b) = (bytes_of(&store, "a/lat.10.lime"), bytes_of(&store, "a/lat.20.nersc"));
    put(&store, "a/lat.10.lime", &b);
    put(&store, "a/lat.20.nersc", &a);
    let swapped = [
        ("a/lat.10.lime", "moved both from a/lat.20.nersc"),
        ("a/lat.20.nersc", "moved both from a/lat.10.lime"),
    ];
    let (found, status) = changes(&store, &[]);
    let found: Vec<_> = found.iter().map(|(name, kind)| (name.as_str(), kind.as_str())).collect();
    assert_eq!((found, status), (swapped.to_vec(), 3));
    put(&store, "a/lat.10.lime", &a);
    put(&store, "a/lat.20.nersc", &b);

    // Another one in its place.
    put(&store, "a/lat.20.nersc", &a);
    assert_eq!(changes(&store, &[]), (one("a/lat.20.nersc", "copied both from a/lat.10.lime"), 3));
    put(&store, "a/lat.20.nersc", &nersc(1));
    assert_eq!(changes(&store, &[]).0[0].1, "modified both");
    put(&store, "a/lat.20.nersc", &b);

    put(&store, "a/matrix.bin", &reals(2, 2, &[1.0, 2.0, 3.0, 5.0]));
    assert_eq!(changes(&store, &[]), (one("a/matrix.bin", "modified data"), 3));
    put(&store, "a/matrix.bin", &reals(2, 2, &[1.0, 2.0, 3.0, 4.0]));

    // A letter of a text.
    let readme = bytes_of(&store, "a/lat.20.nersc");
    let at = readme.windows(4).position(|bytes| bytes == b"test").expect("a value");
    flip(&store, "a/lat.20.nersc", at);
    assert_eq!(changes(&store, &[]), (one("a/lat.20.nersc", "modified texts"), 3));
    flip(&store, "a/lat.20.nersc", at);

    // Data that were damaged; a file that was cut, or emptied.
    let mut damaged = a.clone();
    damaged[100_000] ^= 1;
    for (bytes, kind) in [
        (damaged, "damaged data"),
        (a[..a.len() - 50_000].to_vec(), "damaged both"),
        (Vec::new(), "damaged both"),
        (vec![0; a.len()], "damaged both"),
    ] {
        put(&store, "a/lat.10.lime", &bytes);
        assert_eq!(changes(&store, &[]), (one("a/lat.10.lime", kind), 1));
    }
    put(&store, "a/lat.10.lime", &a);
    assert_eq!(changes(&store, &[]), (vec![], 0));
}

#[test]
fn a_wrong_byte_anywhere_is_seen() {
    let store = store();
    manifest(&store, &[]);
    for name in ["README", "a/lat.10.lime", "a/lat.20.nersc", "a/matrix.bin", "b/state.scda"] {
        let length = bytes_of(&store, name).len();
        for at in [0, length / 7, length / 2, length - 1] {
            flip(&store, name, at);
            let (found, status) = changes(&store, &[]);
            assert_eq!(found.len(), 1, "{name} at {at}");
            assert!(found[0].0 == name && status != 0, "{found:?}");
            flip(&store, name, at);
        }
    }
    assert_eq!(changes(&store, &[]).1, 0);
}

#[test]
fn what_nobody_wrote_is_damage_also_without_a_checksum() {
    let store = store();
    let path = store.path().join("store/a/matrix.bin");
    let then = SystemTime::now() - Duration::from_secs(5000);
    let set = || {
        fs::OpenOptions::new()
            .write(true)
            .open(&path)
            .expect("writable")
            .set_modified(then)
            .expect("settable")
    };
    set();
    manifest(&store, &[]);
    flip(&store, "a/matrix.bin", 20);
    set();
    let (found, code) = changes(&store, &["--update"]);
    assert_eq!((found, code), (one("a/matrix.bin", "damaged data"), 1));
    // It is still damaged the next night, until its content is back.
    assert_eq!(changes(&store, &["--update"]), (one("a/matrix.bin", "still-damaged"), 1));
    sleep(Duration::from_millis(2100));
    assert_eq!(changes(&store, &["--update"]), (one("a/matrix.bin", "still-damaged"), 1));
    assert_eq!(changes(&store, &["--update"]), (one("a/matrix.bin", "still-damaged"), 1));
    // Also under another name.
    let rename = |from: &str, to: &str| {
        let folder = store.path().join("store/a");
        fs::rename(folder.join(from), folder.join(to)).expect("writable");
    };
    rename("matrix.bin", "moved.bin");
    assert_eq!(changes(&store, &["--update"]), (one("a/moved.bin", "moved from a/matrix.bin"), 1));
    assert_eq!(changes(&store, &["--update"]), (one("a/moved.bin", "still-damaged"), 1));
    rename("moved.bin", "matrix.bin");
    assert_eq!(changes(&store, &["--update"]), (one("a/matrix.bin", "moved from a/moved.bin"), 1));
    flip(&store, "a/matrix.bin", 20);
    assert_eq!(changes(&store, &["--update"]), (one("a/matrix.bin", "repaired"), 3));
    assert_eq!(changes(&store, &["--update"]), (vec![], 0));
}

#[test]
fn damage_is_reported_every_night_until_it_is_repaired() {
    let store = store();
    manifest(&store, &[]);
    flip(&store, "a/lat.10.lime", 100_000);
    assert_eq!(changes(&store, &["--update"]), (one("a/lat.10.lime", "damaged data"), 1));
    assert_eq!(changes(&store, &["--update"]), (one("a/lat.10.lime", "still-damaged"), 1));
    flip(&store, "a/lat.10.lime", 100_000);
    assert_eq!(changes(&store, &["--update"]), (one("a/lat.10.lime", "repaired"), 3));
    assert_eq!(changes(&store, &["--update"]), (vec![], 0));
    // Other changes are reported once, and another manifest can be written.
    put(&store, "new", b"new");
    assert_eq!(changes(&store, &["--update=NEXT"]).1, 3);
    assert_eq!(changes(&store, &["--update"]).1, 3);
    assert_eq!(changes(&store, &[]).1, 0);
    assert!(store.path().join("NEXT").exists());
}

#[test]
fn size_and_times_are_trusted_and_a_scrub_reads_again() {
    let store = store();
    sleep(Duration::from_millis(2100));
    // One after the other: the files that were read first are read again first.
    let text = manifest(&store, &["--threads", "1"]);
    let trusted = |arguments: &[&str]| {
        let output = go(&store, &[&["check", "--json", "--manifest", "M", "store"], arguments].concat());
        let text = String::from_utf8(output.stdout.clone()).expect("text");
        let summary: serde_json::Value =
            serde_json::from_str(text.lines().last().expect("a summary")).expect("JSON");
        (summary["trusted"].as_u64().expect("a number"), summary["unchanged"].as_u64().expect("a number"))
    };
    assert_eq!(trusted(&[]), (5, 5));
    assert_eq!(trusted(&["--scrub", "1d"]), (0, 5));
    // The manifest that follows has the time when each file was really read.
    assert_eq!(trusted(&["--update"]), (5, 5));
    assert_eq!(fs::read_to_string(store.path().join("M")).expect("the manifest"), text);
    let read = |text: &str| -> Vec<String> {
        super::entries(text).iter().map(|entry| entry["read"].to_string()).collect()
    };
    let before = read(&text);
    let mut nights = 0;
    let after = loop {
        nights += 1;
        let (trusted, _) = trusted(&["--scrub", "3d", "--update"]);
        assert!(trusted > 0 || nights > 1, "a third of the store is less than all of it");
        let after = read(&fs::read_to_string(store.path().join("M")).expect("the manifest"));
        if after.iter().zip(&before).all(|(after, before)| after > before) {
            break nights;
        }
        assert!(nights < 3, "{after:?}");
    };
    assert!(after <= 3);
}

#[test]
fn a_file_that_cannot_be_read_is_neither_gone_nor_good() {
    let store = store();
    manifest(&store, &[]);
    if !cfg!(target_os = "linux") {
        return;
    }
    // A name in place of the file that leads nowhere.
    let path = store.path().join("store/a/lat.10.lime");
    let bytes = bytes_of(&store, "a/lat.10.lime");
    fs::remove_file(&path).expect("writable");
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere", &path).expect("writable");
    assert_eq!(changes(&store, &["--update"]), (one("a/lat.10.lime", "unreadable"), 2));
    // The reason is in words, and without the number that the system has for it.
    for command in [&["check", "--manifest", "M", "store"][..], &["manifest", "store"], &["table", "store"]] {
        let output = go(&store, command);
        let text = String::from_utf8_lossy(&output.stdout).into_owned() + &said(&output);
        assert!(text.contains("No such file or directory") && !text.contains("os error"), "{text}");
        // The other files are listed nevertheless.
        assert!(command[0] == "check" || text.contains("a/matrix.bin"), "{text}");
        assert_eq!(status(&output), 2);
    }
    for name in ["a/lat.30.lime", "a/lat.40.lime"] {
        put(&store, name, &bytes);
    }
    let output = go(&store, &["ensemble", "--json", "store"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("a/lat.{n}.lime") && text.contains(r#""ok":false"#), "{text}{}", said(&output));
    assert_eq!(status(&output), 2);
    for name in ["store/a/lat.30.lime", "store/a/lat.40.lime"] {
        fs::remove_file(store.path().join(name)).expect("writable");
    }
    fs::remove_file(&path).expect("writable");
    put(&store, "a/lat.10.lime", &bytes);
    assert_eq!(changes(&store, &[]), (vec![], 0));
}

#[test]
fn a_wrong_file_that_is_lost_is_not_repaired() {
    let store = store();
    let mut wrong = sample();
    wrong[100_000] ^= 1;
    // Without an ending, a file of no known format is not checked.
    put(&store, "a/ckpoint.30", &wrong);
    manifest(&store, &[]);
    put(&store, "a/ckpoint.30", b"a text");
    let damaged = |kind: &str| (vec![("a/ckpoint.30".to_owned(), kind.to_owned())], 1);
    assert_eq!(changes(&store, &["--update"]), damaged("damaged both"));
    assert_eq!(changes(&store, &["--update"]), damaged("still-damaged"));
    put(&store, "a/ckpoint.30", &sample());
    assert_eq!(changes(&store, &["--update"]).0.len(), 1);
    assert_eq!(changes(&store, &[]), (vec![], 0));
}

#[test]
#[cfg(target_os = "linux")]
fn a_link_to_a_directory_is_not_followed_and_is_named() {
    let store = store();
    manifest(&store, &[]);
    let path = |name: &str| store.path().join(name);
    fs::rename(path("store/a"), path("other-disk")).expect("a directory");
    std::os::unix::fs::symlink("../other-disk", path("store/a")).expect("writable");
    let output = go(&store, &["check", "--manifest", "M", "store"]);
    let text = String::from_utf8(output.stdout.clone()).expect("text");
    let gone = "a/matrix.bin: GONE: there is a link to a directory, which is not followed";
    assert!(text.lines().any(|line| line == gone), "{text}");
    for command in [&["manifest", "store"][..], &["table", "store"]] {
        let output = go(&store, command);
        let words = "a: left out: a link to a directory, which is not followed";
        assert!(said(&output).contains(words), "{command:?}: {}", said(&output));
        assert_eq!(status(&output), 0);
    }
}

#[test]
fn nothing_is_said_about_what_is_left_out() {
    let store = store();
    manifest(&store, &[]);
    flip(&store, "a/lat.10.lime", 100_000);
    fs::remove_file(store.path().join("store/a/matrix.bin")).expect("writable");
    assert_eq!(changes(&store, &["--exclude", "a"]), (vec![], 0));
    assert_eq!(changes(&store, &["--exclude", "*.lime", "--exclude", "matrix.*"]), (vec![], 0));
    assert_eq!(changes(&store, &["--exclude", "*.lime", "--update"]), (one("a/matrix.bin", "gone"), 1));
    assert_eq!(changes(&store, &[]), (one("a/lat.10.lime", "damaged data"), 1));
    let wrong = go(&store, &["check", "--resume", "journal", "store"]);
    assert!(status(&wrong) == 2 && said(&wrong).contains("--manifest"), "{}", said(&wrong));
}

#[test]
fn texts_name_what_has_happened() {
    let store = store();
    manifest(&store, &[]);
    flip(&store, "a/lat.10.lime", 100_000);
    put(&store, "c", b"c");
    let output = go(&store, &["check", "--manifest", "M", "store"]);
    let text = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "a/lat.10.lime: DAMAGED (data), wrong: checksum-mismatch, links-not-unitary");
    assert_eq!(lines[1], "c: NEW");
    assert!(
        lines[2].starts_with("6 files: 4 unchanged") && lines[2].ends_with(", 1 new, 1 damaged"),
        "{text}"
    );
    let failed = go(&store, &["check", "--only-failed", "--manifest", "M", "store"]);
    assert_eq!(String::from_utf8(failed.stdout).expect("text").lines().count(), 2);
}
