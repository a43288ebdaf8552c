//! `lime unpack` (LIME 1.2, section 4), and `lime pack` as its inverse.

use std::collections::BTreeSet;

use crate::common::lime::{in_folder, put, read, record, standing};
use crate::common::{files, said, status};
use host_tests::fixtures::Fixtures;
use host_tests::long;

#[test]
fn what_was_unpacked_is_packed_again_bit_by_bit() {
    let (mut unlisted, mut warned) = (BTreeSet::new(), BTreeSet::new());
    for (about, bytes) in files(Fixtures::Ours, "lime") {
        let name = about["path"].as_str().expect("a path");
        let folder = tempfile::tempdir().expect("a temporary folder");
        put(&folder, "f.lime", &bytes);
        let output = in_folder(&folder, &["unpack", "f.lime"], b"");
        if bytes.is_empty() {
            // A stream without records, or a file that was never written.
            assert!(status(&output) == 1 && said(&output).contains("the file is empty"), "{}", said(&output));
            continue;
        }
        assert_eq!(status(&output), 0, "{name}: {}", said(&output));
        let mut unpacked = standing(&folder, "f.lime.contents");
        let is_listed = unpacked.first().is_some_and(|name| name == "list");
        unpacked.retain(|name| name != "list");
        assert_eq!(unpacked.len() as i64, about["lime_count"].as_integer().expect("a number"), "{name}");
        if !is_listed {
            assert!(said(&output).contains("no list is written"), "{name}: {}", said(&output));
            unlisted.insert(name.to_owned());
            continue;
        }
        let packed = in_folder(&folder, &["pack", "f.lime.contents/list", "again"], b"");
        assert_eq!(status(&packed), 0, "{name}: {}", said(&packed));
        if said(&output).contains("warning") {
            warned.insert(name.to_owned());
        } else {
            assert!(read(&folder, "again") == bytes, "{name}");
        }
    }
    // These have types that are empty or contain spaces.
    assert!(
        unlisted.iter().eq(["terminal-null.lime", "type-lengths.lime", "type-odd-chars.lime"]),
        "{unlisted:?}"
    );
    // These have wrong flags, or an open message at the end.
    assert!(warned.iter().eq(["mbme-unchecked.lime", "open-ended.lime"]), "{warned:?}");
}

#[test]
fn files_are_named_and_filled_as_the_document_says() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut file = [record("a-type", b"one", true, false), record("b", b"", false, true)].concat();
    file.extend((0..100_u8).flat_map(|i| record("c", &[i], true, true)));
    put(&folder, "f.lime", &file);
    assert_eq!(status(&in_folder(&folder, &["unpack", "f.lime"], b"")), 0);
    assert_eq!(standing(&folder, "."), ["f.lime", "f.lime.contents"]);
    for (name, payload) in
        [("01.rec01.a-type", &b"one"[..]), ("01.rec02.b", b""), ("02.rec01.c", &[0]), ("101.rec01.c", &[99])]
    {
        assert_eq!(read(&folder, &format!("f.lime.contents/msg{name}")), payload, "{name}");
    }
    // Input from a pipe, unpacked into a given directory.
    assert_eq!(status(&in_folder(&folder, &["unpack", "-", "deep/folder"], &file)), 0);
    assert_eq!(standing(&folder, "deep/folder"), standing(&folder, "f.lime.contents"));
    let unnamed = in_folder(&folder, &["unpack", "-"], &file);
    assert!(status(&unnamed) == 2 && said(&unnamed).contains("name a directory"), "{}", said(&unnamed));
}

#[test]
fn no_type_leaves_the_folder() {
    let longest = "T".repeat(128);
    let slashes = "/".repeat(128);
    let types = [
        "../x",
        "/etc/x",
        "a/b",
        "",
        &longest,
        "\n",
        "..",
        "a%2fb",
        "a b",
        "\u{1b}[31m",
        "é",
        &slashes,
        "../x",
    ];
    let records = types.iter().map(|record_type| record(record_type, record_type.as_bytes(), true, true));
    let mut file = records.collect::<Vec<_>>().concat();
    file.extend(record("latin1-X", b"latin1", true, true));
    let at = file.len() - 8 - 128 + 7;
    file[at] = 0xe9;
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir(folder.path().join("deep")).expect("the temporary folder is writable");
    put(&folder, "deep/f.lime", &file);
    let output = in_folder(&folder, &["unpack", "deep/f.lime"], b"");
    assert_eq!(status(&output), 0, "{}", said(&output));
    assert_eq!((standing(&folder, "."), standing(&folder, "deep").len()), (vec!["deep".to_owned()], 2));
    let names = standing(&folder, "deep/f.lime.contents");
    assert_eq!(names.len(), types.len() + 1);
    let plain =
        |name: &String| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-%~".contains(&byte));
    assert!(names.iter().all(plain), "{names:?}");
    for (name, record_type) in names.iter().zip(types) {
        assert_eq!(read(&folder, &format!("deep/f.lime.contents/{name}")), record_type.as_bytes());
    }
    assert_eq!((&names[0][..], &names[2][..]), ("msg01.rec01...%2fx", "msg03.rec01.a%2fb"));
    assert_eq!((&names[7][..], &names[13][..]), ("msg08.rec01.a%252fb", "msg14.rec01.latin1-%e9"));
}

#[test]
fn of_a_file_that_is_cut_only_whole_records_are_kept() {
    let records = [
        record("a", b"first", true, false),
        record("b", b"second", false, true),
        record("c", b"", true, true),
    ];
    let whole = records.concat();
    let ends = [152, 304, 448];
    for cut in long::sample((1..whole.len()).filter(|cut| !ends.contains(cut)), 5) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        put(&folder, "f.lime", &whole[..cut]);
        let output = in_folder(&folder, &["unpack", "-v", "--damaged", "f.lime", "out"], b"");
        assert_eq!(status(&output), 1, "{cut}: {}", said(&output));
        assert!(
            said(&output).contains(&format!("at byte {cut}: the file ends inside")),
            "{cut}: {}",
            said(&output)
        );
        // Without a complete record, no directory is made.
        if cut < 149 {
            assert_eq!(standing(&folder, "."), ["f.lime"], "{cut}");
            continue;
        }
        // A record is complete if its payload is. If only padding is missing, the list is written as well.
        let payload_ends = [149, 302];
        let count = payload_ends.iter().filter(|end| **end <= cut).count();
        let lacks_padding = payload_ends.iter().zip(ends).any(|(from, to)| (*from..to).contains(&cut));
        let expected =
            [&["list"][..usize::from(lacks_padding)], &["msg01.rec01.a", "msg01.rec02.b"][..count]];
        assert_eq!(standing(&folder, "out"), expected.concat(), "{cut}");
        if count > 0 {
            assert_eq!(read(&folder, "out/msg01.rec01.a"), b"first");
            let kept = ["", "wrote 1 record to out", "wrote 2 records to out"][count];
            assert!(said(&output).contains(kept), "{cut}: {}", said(&output));
        }
    }
}

#[test]
fn what_is_no_lime_file_leaves_no_folder() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "text", b"no LIME file at all. ".repeat(10));
    let output = in_folder(&folder, &["unpack", "text"], b"");
    assert!(
        status(&output) == 1 && said(&output).contains("not a file that linkstream reads"),
        "{}",
        said(&output)
    );
    assert_eq!(status(&in_folder(&folder, &["unpack", "missing"], b"")), 2);
    assert_eq!(standing(&folder, "."), ["text"]);
}

#[test]
fn unpacked_files_that_exist_are_only_replaced_on_demand() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let whole = [record("a", b"new", true, false), record("b", b"newer", false, true)].concat();
    put(&folder, "f.lime", &whole);
    std::fs::create_dir(folder.path().join("out")).expect("the temporary folder is writable");
    put(&folder, "out/msg01.rec02.b", b"precious");
    let refused = in_folder(&folder, &["unpack", "f.lime", "out"], b"");
    assert!(status(&refused) == 2 && said(&refused).contains("--force"), "{}", said(&refused));
    assert_eq!(read(&folder, "out/msg01.rec02.b"), b"precious");
    assert_eq!(standing(&folder, "out"), ["msg01.rec01.a", "msg01.rec02.b"]);
    assert_eq!(status(&in_folder(&folder, &["unpack", "--force", "f.lime", "out"], b"")), 0);
    assert_eq!(read(&folder, "out/msg01.rec02.b"), b"newer");
    // The list of an earlier unpacking is detected before anything is written.
    put(&folder, "out/msg01.rec01.a", b"changed");
    let again = in_folder(&folder, &["unpack", "f.lime", "out"], b"");
    assert!(status(&again) == 2 && said(&again).contains("out/list exists"), "{}", said(&again));
    assert_eq!(read(&folder, "out/msg01.rec01.a"), b"changed");
    // The old list is removed even if the new unpacking fails.
    put(&folder, "f.lime", &whole[..300]);
    assert_eq!(status(&in_folder(&folder, &["unpack", "--force", "--damaged", "f.lime", "out"], b"")), 1);
    assert_eq!(standing(&folder, "out"), ["msg01.rec01.a", "msg01.rec02.b"]);
    // A file cannot be used as the directory.
    assert_eq!(status(&in_folder(&folder, &["unpack", "--damaged", "f.lime", "f.lime"], b"")), 2);
}

/// A new directory without records is removed again.
#[test]
fn a_file_that_ends_in_its_first_record_leaves_no_folder() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let whole = record("a", b"some text", true, true);
    put(&folder, "f.lime", &whole[..148]);
    let output = in_folder(&folder, &["unpack", "f.lime", "new/out"], b"");
    assert_eq!(
        (status(&output), standing(&folder, ".")),
        (1, vec!["f.lime".to_owned()]),
        "{}",
        said(&output)
    );
    // An existing directory is kept.
    std::fs::create_dir(folder.path().join("old")).expect("the temporary folder is writable");
    assert_eq!(status(&in_folder(&folder, &["unpack", "f.lime", "old"], b"")), 1);
    assert_eq!(standing(&folder, "."), ["f.lime", "old"]);
}

#[test]
fn a_folder_that_a_list_cannot_name() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "f.lime", record("a", b"x", true, true));
    let output = in_folder(&folder, &["unpack", "f.lime", "two words"], b"");
    assert!(status(&output) == 0 && said(&output).contains("the name of the directory"), "{}", said(&output));
    assert_eq!(standing(&folder, "two words"), ["msg01.rec01.a"]);
}
