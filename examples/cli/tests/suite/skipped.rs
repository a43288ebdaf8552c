//! Files in directories that have no known format: unrelated ones are skipped and listed, damaged and compressed data
//! fail.

use std::path::Path;
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{linkstream, said, status};
use crate::packed::gzip;

fn sample() -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../su3-4x4x4x8.lime");
    std::fs::read(path).expect("the sample is part of the repository")
}

fn folder_with(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, bytes) in files {
        let path = folder.path().join("runs").join(name);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("it is writable");
        std::fs::write(path, bytes).expect("the temporary folder is writable");
    }
    folder
}

fn check(folder: &Path, arguments: &[&str]) -> Output {
    linkstream().current_dir(folder).arg("check").args(arguments).output().expect("the program runs")
}

fn lines(output: &Output) -> Vec<String> {
    String::from_utf8(output.stdout.clone()).expect("text").lines().map(str::to_owned).collect()
}

/// Runs `check --quiet`, and verifies exit status and rule of the file.
fn fails(files: &[(&str, &[u8])], name: &str, rule: &str) {
    let folder = folder_with(files);
    let output = check(folder.path(), &["--quiet", "runs"]);
    let found = lines(&output);
    let line = found.iter().find(|line| line.starts_with(&format!("runs/{name}: WRONG: ")));
    assert!(line.is_some_and(|line| line.ends_with(&format!("[{rule}]"))), "{name}: {found:?}");
    assert_eq!(status(&output), 1, "{name}: {found:?}");
}

#[test]
fn data_that_lost_their_beginning_are_failures() {
    let whole = sample();
    let mut overwritten = whole.clone();
    overwritten[..512].fill(b'x');
    let shorter = &overwritten[..100_000];
    fails(&[("conf.0100", &whole), ("conf.0110", &overwritten)], "conf.0110", "file-named-like-data");
    fails(&[("ckpoint_lat.8", shorter), ("ckpoint_lat.10", &whole)], "ckpoint_lat.8", "file-named-like-data");
    // One directory for each configuration.
    fails(&[("0100/lat", shorter), ("0110/lat", &whole)], "0100/lat", "file-named-like-data");
    fails(&[("good", &whole), ("copy", &overwritten)], "copy", "file-long-as-data");
    fails(&[("good", &whole), ("hole", &[0; 8192])], "hole", "file-begins-with-zeros");
    fails(&[("hole", &[0; 100])], "hole", "file-begins-with-zeros");
}

/// A configuration of openQCD has no magic number. It is recognised, and so is one that was cut, never "unrelated".
#[test]
fn configurations_of_open_qcd_are_not_skipped() {
    let header = [[2_u32; 4].map(u32::to_le_bytes).concat(), 1.5_f64.to_le_bytes().to_vec()].concat();
    let whole = [&header[..], &[1; 16 * 4 * 144]].concat();
    fails(&[("run1n5", &whole), ("good.lime", &sample())], "run1n5", "links-not-unitary");
    // Named like others, and named otherwise.
    fails(&[("run1n5", &whole), ("run1n6", &whole[..5000])], "run1n6", "file-named-like-data");
    fails(&[("run1n5", &whole), ("broken", &whole[..5000])], "broken", "file-begins-like-data");
    fails(
        &[("run1n5", &whole), ("longer", &[&whole[..], &[0; 8]].concat())],
        "longer",
        "file-begins-like-data",
    );
    // The same bytes beside other files are nothing known.
    let folder = folder_with(&[("good.lime", &sample()), ("table", &whole[..5000])]);
    assert_eq!(status(&check(folder.path(), &["--quiet", "runs"])), 0);
}

/// No file of the ensemble is whole.
#[test]
fn files_that_differ_in_a_number_and_are_equally_long_are_no_accident() {
    let noise =
        |seed: u8| (0..5000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8 ^ seed).collect();
    let noises: [Vec<u8>; 3] = [1, 2, 3].map(noise);
    let [one, two, three] = noises.each_ref().map(Vec::as_slice);
    fails(&[("conf.1", one), ("conf.2", two), ("conf.3", three)], "conf.2", "files-alike");
    fails(&[("conf.1", one), ("conf.2", two), ("good.lime", &sample())], "conf.1", "files-alike");
    // Tables and logs can be equally long, and other lengths belong to other data.
    let text = "1 2 3 4\n".repeat(200);
    let files =
        [("good", &sample()[..]), ("log.1", text.as_bytes()), ("log.2", text.as_bytes()), ("a.1", one)];
    let folder = folder_with(&[&files[..], &[("a.2", &one[..4000])]].concat());
    assert_eq!(status(&check(folder.path(), &["-q", "runs"])), 0);
}

#[test]
fn compressed_data_that_are_not_read_are_failures() {
    let whole = sample();
    let mut packed = gzip(&whole);
    // A compression that cannot be read is damaged, whatever the name is.
    packed[..6].copy_from_slice(b"\xfd7zXZ\0");
    fails(&[("conf.0100", &whole), ("conf.0110.xz", &packed)], "conf.0110.xz", "compression-damaged");
    fails(&[("conf.0100", &whole), ("another", &packed)], "another", "compression-damaged");
    for (name, magic) in
        [("conf.0110.zip", &b"PK\x03\x04\x14\0"[..]), ("conf.0110.lz4", b"\x04\x22\x4d\x18\x40\xc0")]
    {
        packed[..6].copy_from_slice(magic);
        fails(&[("conf.0100", &whole), (name, &packed)], name, "format-not-read");
    }
    let folder = folder_with(&[("conf.0100", &whole), ("logs.tar", &tar_of("run/log.0110", b"text"))]);
    assert_eq!(status(&check(folder.path(), &["runs"])), 0);
    // A compressed text is unrelated.
    let text = gzip(b"a text");
    let folder = folder_with(&[("conf.0100", &whole), ("log.gz", &text)]);
    let output = check(folder.path(), &["--quiet", "--verbose", "runs"]);
    assert_eq!(lines(&output)[1], "runs/log.gz: SKIPPED: this is gzip");
    assert_eq!(status(&output), 0);
}

#[test]
fn files_named_like_packed_ones_that_are_not_packed_are_failures() {
    let whole = sample();
    let mut packed = gzip(&whole);
    packed[0] ^= 1;
    for ending in ["gz", "xz", "zst", "bz2", "tgz", "TXZ", "tbz2"] {
        for name in ["conf.0110", "another"].map(|name| format!("{name}.{ending}")) {
            fails(&[("conf.0100", &whole), (&name, &packed)], &name, "compression-damaged");
        }
    }
    let mut archive = tar_of("run/conf.0110", &whole);
    archive[257] ^= 1;
    fails(&[("conf.0100", &whole), ("old.tar", &archive)], "old.tar", "archive-damaged");
}

/// The bytes of an archive with one file, after its directory.
fn tar_of(name: &str, content: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, content) in [("run/", &b""[..]), (name, content)] {
        let mut header = [0; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        header[257..265].copy_from_slice(b"ustar  \0");
        header[148..156].fill(b' ');
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        out.extend(header);
        out.extend_from_slice(content);
        out.resize(out.len().next_multiple_of(512), 0);
    }
    out.resize(out.len() + 1024, 0);
    out
}

fn ensemble() -> TempDir {
    let whole = sample();
    let folder = folder_with(&[("conf.1", &whole), ("notes.txt", b"some text\n"), (".lock", b"")]);
    #[cfg(unix)]
    std::os::unix::fs::symlink(".", folder.path().join("runs/link")).expect("the folder is writable");
    folder
}

#[cfg(unix)]
#[test]
fn what_is_skipped_is_listed_with_the_reason() {
    let folder = ensemble();
    let quiet = check(folder.path(), &["-q", "-v", "runs"]);
    let expected = [
        "runs/.lock: SKIPPED: an empty hidden file",
        "runs/conf.1: OK",
        "runs/notes.txt: SKIPPED: no known format",
        "runs/link: SKIPPED: a link to a directory, which is not followed",
        "1 file: 1 OK, 0 UNVERIFIED, 0 WRONG, 0 UNREADABLE; 3 unrelated files skipped",
    ];
    assert_eq!(lines(&quiet), expected);
    let json = check(folder.path(), &["--json", "runs"]);
    let skipped: Vec<Value> =
        lines(&json).iter().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let of = |value: &Value| value["verdict"].as_str().map(str::to_owned);
    let verdicts: Vec<_> = skipped.iter().filter_map(of).collect();
    assert_eq!(verdicts, ["skipped", "ok", "skipped", "skipped"]);
    assert_eq!(skipped[2]["reason"], "no known format");
    assert_eq!(skipped[2]["ok"], true);
    // A file of another format can be a file that failed: it is there with --only-failed, too.
    let failed = lines(&check(folder.path(), &["--json", "--only-failed", "runs"]));
    assert!(failed.len() == 3 && failed.iter().all(|line| line.contains("\"skipped\"")), "{failed:?}");
    assert_eq!(lines(&check(folder.path(), &["--json", "--quiet-if-ok", "runs"])), [""; 0]);
    // Without -v only their number.
    assert_eq!(lines(&check(folder.path(), &["-q", "runs"])).len(), 2);
}

#[test]
fn all_files_are_judged_on_request() {
    let folder = ensemble();
    let output = check(folder.path(), &["--quiet", "--all", "runs"]);
    let found = lines(&output);
    assert!(found.iter().any(|line| line.starts_with("runs/notes.txt: WRONG: ")), "{found:?}");
    assert!(found.iter().any(|line| line.starts_with("runs/.lock: WRONG: ")), "{found:?}");
    assert_eq!(status(&output), 1, "{}", said(&output));
}

#[test]
fn standard_input_is_read_once() {
    let folder = ensemble();
    for arguments in [&["-", "-"][..], &["-", "runs/conf.1", "-"], &["-", "--files-from", "-"]] {
        let output = check(folder.path(), arguments);
        assert_eq!(status(&output), 2);
        assert_eq!(said(&output), "linkstream: standard input (-) is named twice\n", "{arguments:?}");
    }
}

#[test]
fn no_more_threads_than_cores_and_work() {
    let folder = ensemble();
    let output = check(folder.path(), &["--quiet", "--threads", "100000", "runs/conf.1"]);
    assert_eq!(status(&output), 0);
    assert!(said(&output).contains("--threads 100000: no more threads are used than"), "{}", said(&output));
    let output = check(folder.path(), &["--quiet", "--threads", "1", "runs/conf.1"]);
    assert_eq!((status(&output), said(&output).as_str()), (0, ""));
}

/// Every command that names a file, with a name that would change the colours of a terminal.
#[cfg(unix)]
#[test]
fn names_never_reach_the_terminal_unescaped() {
    const HOSTILE: &str = "a \x1b[31mred\n\u{202e}.lime";
    let whole = sample();
    let mut damaged = whole.clone();
    damaged[100_000] ^= 1;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let put = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).expect("writable");
    put(HOSTILE, &damaged);
    put(&format!("{HOSTILE}.gz"), &gzip(&whole));
    let gzip = &format!("{HOSTILE}.gz");
    let missing = &format!("no{HOSTILE}");
    let volume = &format!("{HOSTILE}.vol0000");
    put(volume, &whole[..3000]);
    let commands: &[&[&str]] = &[
        &["check", HOSTILE],
        &["check", "-q", HOSTILE, gzip, missing],
        &["check", "-q", "-v", "."],
        &["check", volume],
        &["check", gzip],
        &["check", "--files-from", missing],
        &["inspect", HOSTILE],
        &["inspect", gzip],
        &["inspect", missing],
        &["diff", HOSTILE, missing],
        &["diff", HOSTILE, gzip],
        &["diff", HOSTILE, HOSTILE],
        &["convert", gzip, "out"],
        &["convert", HOSTILE, missing, HOSTILE],
        &["convert", HOSTILE, "out", HOSTILE],
        &["export", gzip, HOSTILE],
        &["export", missing, "out"],
        &["ildg", "make", HOSTILE, "--from", gzip],
        &["ildg", "set-lfn", gzip, HOSTILE],
        &["make", "propagator", HOSTILE, "--type", HOSTILE],
        &["lime", "contents", HOSTILE],
        &["lime", "contents", gzip],
        &["lime", "unpack", gzip, HOSTILE],
        &["lime", "unpack", HOSTILE],
        &["lime", "pack", HOSTILE, gzip],
        &["lime", "extract", HOSTILE, "9", "9"],
        &["lime", "extract-type", HOSTILE, HOSTILE],
        &["inebin", "to-csv", gzip],
        &["inebin", "from-csv", "--type", "R", HOSTILE, gzip],
        &["scda", "cat", gzip, "1"],
        &["scda", "create", "out", HOSTILE],
        &["scda", "create", HOSTILE, "text:a=b"],
        &["volumes", "copy", HOSTILE, gzip],
        &["sample", HOSTILE],
        &["man", HOSTILE],
        &["check", "--no-such-option", &format!("--{HOSTILE}")],
    ];
    for command in commands {
        let output =
            linkstream().current_dir(folder.path()).args(*command).output().expect("the program runs");
        for stream in [&output.stdout, &output.stderr] {
            let text = String::from_utf8_lossy(stream);
            let is_raw = text.contains("\x1b[31m") || text.contains('\u{202e}') || text.contains("red\n");
            assert!(!is_raw, "{command:?}: {text:?}");
        }
    }
    // The hint is a command for a shell.
    put(&format!("{HOSTILE}.lz4"), b"\x04\x22\x4d\x18\x40\xc0");
    let output = check(folder.path(), &[&format!("{HOSTILE}.lz4")]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.contains(r"`lz4cat $'a \x1b[31mred\n\xe2\x80\xae.lime.lz4' | linkstream check -`"),
        "{text}"
    );
}

#[cfg(unix)]
#[test]
fn a_line_feed_and_a_backslash_with_n_are_different_names() {
    let folder = folder_with(&[("a\nb.lime", &sample()), ("a\\nb.lime", &sample())]);
    let found = lines(&check(folder.path(), &["-q", "runs"]));
    assert_eq!(found[..2], [r"$'runs/a\nb.lime': OK", r"runs/a\nb.lime: OK"]);
}

/// Bytes that are not text are no reason to show two names alike.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_text_are_shown_differently() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in [&b"\xff\xfebad"[..], b"\xff\xfdbad", b"\xffempty"] {
        let bytes = if name.ends_with(b"empty") { vec![] } else { sample() };
        std::fs::write(folder.path().join(OsStr::from_bytes(name)), bytes).expect("it is writable");
    }
    let found = lines(&check(folder.path(), &["-q", "."]));
    let names: Vec<_> = found.iter().filter_map(|line| line.split_once(": ")).map(|(name, _)| name).collect();
    assert_eq!(names[..3], [r"$'./\xff'$'empty'", r"$'./\xff\xfd'$'bad'", r"$'./\xff\xfe'$'bad'"]);
    // Not only in reports.
    let missing = OsStr::from_bytes(b"\xffx");
    for arguments in
        [&[OsStr::new("check"), missing][..], &[OsStr::new("convert"), missing, OsStr::new("out")]]
    {
        let output =
            linkstream().current_dir(folder.path()).args(arguments).output().expect("the program runs");
        assert!(said(&output).contains(r"$'\xffx': "), "{}", said(&output));
    }
}

#[test]
fn the_rules_about_skipped_files_are_explained() {
    for rule in [
        "file-named-like-data",
        "file-long-as-data",
        "file-begins-like-data",
        "file-begins-with-zeros",
        "files-alike",
    ] {
        let output = linkstream().args(["explain", rule]).output().expect("the program runs");
        assert!(output.status.success() && !output.stdout.is_empty(), "{rule}");
    }
}

#[test]
fn entries_of_directories_are_left_out_on_request() {
    let whole = sample();
    let folder = folder_with(&[("conf.1", &whole), ("conf.3.tmp", b""), ("new/conf.2", &whole[..1000])]);
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(7200);
    for name in ["runs/conf.1", "runs/conf.3.tmp"] {
        let file = std::fs::File::options().write(true).open(folder.path().join(name)).expect("a file");
        file.set_modified(old).expect("the time can be set");
    }
    let named = |options: &[&str]| {
        let output = check(folder.path(), &[&["-q"], options, &["runs"]].concat());
        let lines = lines(&output);
        let names = lines.iter().filter_map(|line| line.strip_prefix("runs/")?.split(':').next());
        (names.map(str::to_owned).collect::<Vec<_>>().join(" "), status(&output))
    };
    assert_eq!(named(&[]), ("conf.1 conf.3.tmp new/conf.2".to_owned(), 1));
    assert_eq!(named(&["--exclude", "*.tmp"]), ("conf.1 new/conf.2".to_owned(), 1));
    assert_eq!(named(&["--exclude", "*.tmp", "--exclude", "new"]), ("conf.1".to_owned(), 0));
    assert_eq!(named(&["--exclude", "new/conf.*"]).0, "conf.1 conf.3.tmp");
    assert_eq!(named(&["--min-age", "1h"]).0, "conf.1 conf.3.tmp");
    assert_eq!(named(&["--min-age", "3h"]), (String::new(), 2));
    // A file that was named is read whatever it is called, and however young it is.
    let output = check(folder.path(), &["-q", "--min-age", "3h", "--exclude", "conf*", "runs/conf.1"]);
    assert_eq!(status(&output), 0, "{}", said(&output));
}
