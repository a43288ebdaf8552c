//! `ildg set-lfn`: the logical file name at the end of a file (ILDG 1.2, note 4).

use crate::common::gauge::{data, fixture, format, ildg, payloads, records, refused, types, well};
use crate::common::lime::{put, read, record, standing};
use crate::common::{findings, report, said, status};
use tempfile::TempDir;

const SMALL: [u32; 4] = [2, 1, 1, 1];

/// An ILDG file without a name.
fn nameless() -> Vec<u8> {
    let format = format("1.2", "u1phase", 0, 64, SMALL);
    let data = record("ildg-binary-data", &[0; 16], false, true);
    [record("ildg-format", format.as_bytes(), true, false), data].concat()
}

/// Expects a refusal with this exit status and these words, and an unchanged file.
fn stays(folder: &TempDir, bytes: &[u8], arguments: &[&str], code: i32, words: &str) {
    put(folder, "f", bytes);
    refused(folder, &[&["ildg", "set-lfn", "f"], arguments].concat(), b"", code, words);
    assert!(read(folder, "f") == bytes, "{arguments:?}");
}

#[test]
fn a_name_is_appended_as_a_message_of_its_own() {
    let bytes = nameless();
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "f", &bytes);
    let (before, _) = report("check", &bytes, &[]);
    assert!(before.to_string().contains("ildg-lfn-missing"));
    assert_eq!(well(&folder, &["ildg", "set-lfn", "f", "lfn://test/x.1"], b""), "");
    let named = read(&folder, "f");
    assert!(named == [bytes, record("ildg-data-lfn", b"lfn://test/x.1", true, true)].concat());
    let (after, _) = report("check", &named, &[]);
    assert_eq!((&after["ok"], findings(&after)), (&true.into(), vec![]));
    assert_eq!(standing(&folder, "."), ["f"]);
}

/// A file as a process leaves it if it is killed while it appends a name.
#[test]
fn the_beginning_of_a_name_is_replaced_by_the_name() {
    let (bytes, folder) = (nameless(), tempfile::tempdir().expect("a temporary folder"));
    let interrupted = record("ildg-data-lfn", b"lfn://test/interrupted", true, true);
    let whole = [bytes.clone(), record("ildg-data-lfn", b"lfn://test/x.1", true, true)].concat();
    for end in [30, 143, 144, 160, interrupted.len() - 1] {
        put(&folder, "f", [&bytes[..], &interrupted[..end]].concat());
        let printed = well(&folder, &["ildg", "set-lfn", "f", "lfn://test/x.1"], b"");
        let removed =
            format!("f: the last {end} bytes were the beginning of a logical file name, and are removed");
        assert!(printed.contains(&removed), "{printed}");
        assert!(read(&folder, "f") == whole, "{end} bytes");
    }
    // Bytes that may be the beginning of another record are kept.
    let other = record("other-record", &[1; 20], true, true);
    for (tail, words) in [
        (&interrupted[..1], "truncate -s"),
        (&interrupted[..29], "truncate -s"),
        (&other[..100], "the file ends inside a record header"),
        (&other[..150], "the file ends inside a record"),
        (b"x", "nothing can be appended"),
    ] {
        stays(&folder, &[&bytes[..], tail].concat(), &["lfn://test/x.1"], 1, words);
    }
    // A complete name followed by more bytes, or a file that consists only of an incomplete name.
    stays(&folder, &[&bytes[..], &interrupted, b"x"].concat(), &["lfn://test/x.1"], 1, "");
    stays(&folder, &interrupted[..100], &["lfn://test/x.1"], 1, "");
}

/// QIO identifies records by position: `QIO_read_record_info` fails with -11 at an appended message.
#[test]
fn a_file_of_qio_gets_the_name_beside_its_data() {
    let bytes = fixture("qio/ildg/ildg_d_nolfn_4x4x4x4.lime");
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "f", &bytes);
    assert_eq!(well(&folder, &["ildg", "set-lfn", "f", "lfn://test/x.1"], b""), "");
    let named = read(&folder, "f");
    let found = records(&bytes);
    let format = found.iter().position(|found| found.record_type == "ildg-format").expect("a format");
    let cut = found[format + 1].offset;
    // The record as QIO writes it, with a NUL at the end.
    let name = record("ildg-data-lfn", b"lfn://test/x.1\0", false, false);
    assert!(named == [&bytes[..cut], &name, &bytes[cut..]].concat());
    let (after, _) = report("check", &named, &[]);
    assert_eq!((&after["ok"], findings(&after)), (&true.into(), vec![]));
    // Setting the name again changes only that record.
    well(&folder, &["ildg", "set-lfn", "--force", "f", "lfn://test/x.2"], b"");
    assert_eq!(types(&read(&folder, "f")), types(&named));
    assert_eq!(standing(&folder, "."), ["f"]);
    // A name is inserted for each field, as QIO does.
    let message = &bytes[found[2].offset..];
    let two = [&bytes[..], message].concat();
    put(&folder, "f", &two);
    well(&folder, &["ildg", "set-lfn", "f", "lfn://n"], b"");
    let named = records(&read(&folder, "f"));
    let place = |message| {
        let of_message: Vec<_> = named.iter().filter(|found| found.message == message).collect();
        of_message.iter().position(|found| found.record_type == "ildg-data-lfn")
    };
    assert_eq!((place(2), place(3)), (Some(3), Some(3)));
    assert_eq!(payloads(&read(&folder, "f"), "ildg-data-lfn"), [b"lfn://n\0"; 2]);
}

#[test]
fn a_name_that_is_there_is_replaced_on_demand_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // The name in the message of the data, and the name at the beginning of the file.
    let mut files = vec![ildg(&format("1.2", "u1phase", 0, 64, SMALL), &[1; 16])];
    let name_first = record("ildg-data-lfn", b"mc://old/name\0", true, true);
    files.push([name_first, nameless()].concat());
    files.push(fixture("qio/ildg/ildg_f_4x4x4x8.lime"));
    for bytes in files {
        let lfn = payloads(&bytes, "ildg-data-lfn").remove(0);
        // A name ends with NUL if the old one does.
        let end = if lfn.ends_with(b"\0") { "\0" } else { "" };
        let old = String::from_utf8(lfn).expect("text").trim_end_matches('\0').to_owned();
        stays(&folder, &bytes, &["lfn://new"], 2, &old);
        for name in ["lfn://new", "mc:n", "lfn://a.much.longer.name/than/there.was/before"] {
            put(&folder, "f", &bytes);
            well(&folder, &["ildg", "set-lfn", "--force", "f", name], b"");
            let renamed = read(&folder, "f");
            assert_eq!(payloads(&renamed, "ildg-data-lfn"), [format!("{name}{end}").as_bytes()]);
            assert_eq!(types(&renamed), types(&bytes));
            for (new, old) in records(&renamed).iter().zip(records(&bytes)) {
                let flags = |file: &[u8], at: usize| file[at..at + 8].to_vec();
                assert_eq!(flags(&renamed, new.offset), flags(&bytes, old.offset));
                assert!(new.payload == old.payload || new.record_type == "ildg-data-lfn");
            }
            assert_eq!(data(&renamed), data(&bytes));
        }
        // `inspect` gives the same exit status with the new name.
        let (status_before, status_after) =
            (report("inspect", &bytes, &[]).1, report("inspect", &read(&folder, "f"), &[]).1);
        assert_eq!(status_after, status_before);
    }
    assert_eq!(standing(&folder, "."), ["f"]);
}

#[test]
#[cfg(unix)]
fn a_link_stays_a_link_to_the_file_that_is_named() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "f", nameless());
    let path = |name: &str| folder.path().join(name);
    std::fs::set_permissions(path("f"), std::fs::Permissions::from_mode(0o640))
        .expect("the file belongs to this test");
    std::os::unix::fs::symlink("f", path("link")).expect("a link");
    for options in [&["lfn://one"][..], &["lfn://another", "--force"]] {
        well(&folder, &[&["ildg", "set-lfn", "link"], options].concat(), b"");
        assert_eq!(payloads(&read(&folder, "f"), "ildg-data-lfn"), [options[0].as_bytes()]);
        assert!(path("link").is_symlink());
        let mode = path("f").metadata().expect("the file exists").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }
}

#[test]
fn only_whole_ildg_files_are_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let whole = nameless();
    for cut in (1..whole.len()).rev().step_by(7) {
        stays(&folder, &whole[..cut], &["lfn://a"], 1, "f: ");
    }
    stays(&folder, b"", &["lfn://a"], 2, "not an ILDG file");
    stays(&folder, &[&whole[..], b"tail"].concat(), &["lfn://a"], 1, "the end of a message");
    stays(
        &folder,
        &record("ildg-binary-data", &[0; 8], true, true),
        &["lfn://a"],
        1,
        "no document describes",
    );
    stays(&folder, &record("some-text", b"hello", true, true), &["lfn://a"], 2, "not an ILDG file");
    stays(&folder, b"not LIME", &["lfn://a"], 1, "at byte 0");
    // An appended record would become part of the open message.
    let open = [whole.clone(), record("some-text", b"hello", true, false)].concat();
    stays(&folder, &open, &["lfn://a"], 1, "the end of a message");
    let two = [record("ildg-data-lfn", b"a", true, true), record("ildg-data-lfn", b"b", true, true), whole]
        .concat();
    for options in [&["lfn://c"][..], &["lfn://c", "--force"]] {
        stays(
            &folder,
            &two,
            options,
            1,
            "f: it has several logical file names, a and b, where one is allowed",
        );
    }
}

#[test]
fn a_name_that_is_repeated_is_replaced_everywhere() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = format("1.2", "u1phase", 0, 64, SMALL);
    // QIO writes the name of the file into each message.
    let field = |update: &[u8], lfn: &[u8]| {
        [
            record("ildg-format", text.as_bytes(), true, false),
            record("ildg-update", update, false, false),
            record("ildg-binary-data", &[update[0]; 16], false, false),
            record("ildg-data-lfn", lfn, false, true),
        ]
        .concat()
    };
    let file = |name: &[u8]| [field(b"1", name), field(b"2", name), field(b"3", name)].concat();
    let old = file(b"lfn://old/name\0");
    stays(
        &folder,
        &old,
        &["lfn://new"],
        2,
        "f: it has the logical file name lfn://old/name; --force replaces it",
    );
    for name in ["lfn://new", "mc:n", "lfn://a.much.longer.name/than/there.was/before"] {
        well(&folder, &["ildg", "set-lfn", "--force", "f", name], b"");
        assert!(read(&folder, "f") == file(format!("{name}\0").as_bytes()), "{name}");
    }
    // An empty name does not count and is replaced with the other.
    put(&folder, "f", [field(b"1", b""), field(b"2", b"lfn://old")].concat());
    well(&folder, &["ildg", "set-lfn", "--force", "f", "lfn://n"], b"");
    assert!(read(&folder, "f") == [field(b"1", b"lfn://n"), field(b"2", b"lfn://n")].concat());
    // A different name in the last message only.
    let differs = [old, field(b"4", b"lfn://other")].concat();
    stays(&folder, &differs, &["lfn://n", "--force"], 1, "names, lfn://old/name and lfn://other, where");
}

#[test]
fn an_empty_name_is_one_to_be_replaced() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let empty = [nameless(), record("ildg-data-lfn", b"\0", true, true)].concat();
    stays(&folder, &empty, &["lfn://a"], 2, "f: it has an empty logical file name; --force replaces it");
    well(&folder, &["ildg", "set-lfn", "--force", "f", "lfn://a"], b"");
    assert_eq!(payloads(&read(&folder, "f"), "ildg-data-lfn"), [b"lfn://a\0"]);
}

#[test]
#[cfg(unix)]
fn a_pipe_is_not_waited_for() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("pipe")).status();
    assert!(made.expect("mkfifo").success());
    let mut program = crate::common::linkstream();
    program.current_dir(folder.path()).args(["ildg", "set-lfn", "pipe", "lfn://a"]);
    let output = program.timeout(std::time::Duration::from_secs(20)).output().expect("the program runs");
    assert_eq!((status(&output), said(&output).contains("pipe: is not a file")), (2, true));
}

#[test]
fn names_are_single_strings_of_printable_characters() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, words) in [
        ("", "single string"),
        ("a b", "single string"),
        ("a\tb", "single string"),
        ("a\n", "single string"),
        ("gr\u{fc}n", "byte c3"),
        ("a\u{7}", "byte 07"),
        // No catalogue finds a file by such a name.
        ("nonsense", "is a URI like lfn://GROUP/ENSEMBLE/NAME"),
        ("lat/0100.ildg", "is a URI"),
        ("lfn://", "is a URI"),
    ] {
        stays(&folder, &nameless(), &[name], 2, words);
        stays(&folder, &nameless(), &[name, "--force"], 2, words);
    }
    refused(&folder, &["ildg", "set-lfn", "-", "lfn://a"], &nameless(), 2, "standard input");
    refused(&folder, &["ildg", "set-lfn", "none", "lfn://a"], b"", 2, "none");
    refused(&folder, &["ildg", "set-lfn", ".", "lfn://a"], b"", 2, "directory");
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_that_cannot_take_the_name_is_cut_back() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let bytes = nameless();
    let name = format!("lfn://{}", "n".repeat(2000));
    put(&folder, "f", &bytes);
    // A limit on the size of files that allows a part of the message.
    let blocks = bytes.len().div_ceil(512) + 1;
    let program = assert_cmd::cargo::cargo_bin("linkstream");
    // With the signal ignored by the shell, and without, when it would end the program.
    for trap in ["trap '' XFSZ;", ""] {
        let script = format!("{trap} ulimit -f {blocks}; exec \"$0\" ildg set-lfn f {name}");
        let mut shell = std::process::Command::new("sh");
        let output =
            shell.current_dir(folder.path()).args(["-c", &script]).arg(&program).output().expect("a shell");
        assert_eq!(status(&output), 2, "{}", said(&output));
        assert!(said(&output).contains("the file was not modified: File too large"), "{}", said(&output));
        assert!(read(&folder, "f") == bytes);
    }
    // Without the limit, the command succeeds.
    well(&folder, &["ildg", "set-lfn", "f", &name], b"");
}

#[test]
#[cfg(unix)]
fn a_file_that_is_locked_is_waited_for_and_looked_at_again() {
    use rustix::fs::{FlockOperation, flock};
    use std::time::Duration;

    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "f", nameless());
    let file = std::fs::OpenOptions::new().read(true).append(true).open(folder.path().join("f"));
    let mut file = file.expect("the file belongs to this test");
    for (options, named) in [(&[][..], false), (&["--force"], true)] {
        flock(&file, FlockOperation::LockExclusive).expect("no other process holds the lock");
        let mut waiting = std::process::Command::new(assert_cmd::cargo::cargo_bin("linkstream"));
        waiting.current_dir(folder.path()).args(["ildg", "set-lfn", "f", "lfn://second"]).args(options);
        let mut waiting = waiting.stderr(std::process::Stdio::piped()).spawn().expect("the program runs");
        std::thread::sleep(Duration::from_millis(300));
        assert!(
            waiting.try_wait().expect("the process was started here").is_none(),
            "the program must wait for the lock"
        );
        if !named {
            std::io::Write::write_all(&mut file, &record("ildg-data-lfn", b"first", true, true))
                .expect("the temporary folder is writable");
        }
        flock(&file, FlockOperation::Unlock).expect("it was locked");
        let output = waiting.wait_with_output().expect("the program ends");
        let expected = if named { (0, "") } else { (2, "f: it has the logical file name first; --force") };
        assert_eq!(status(&output), expected.0, "{}", said(&output));
        assert!(said(&output).contains(expected.1), "{}", said(&output));
    }
    assert_eq!(payloads(&read(&folder, "f"), "ildg-data-lfn"), [b"lfn://second"]);
}
