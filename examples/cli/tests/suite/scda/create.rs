//! `scda create`: files made from sections on the command line.

use std::path::Path;
use std::process::Output;

use crate::common::gauge::{go, well};
use crate::common::scda::{cut, from_hex, number, payload, sections, sizes, text};
use crate::common::{files, findings, linkstream, report, run, said, status};
use host_tests::fixtures::Fixtures;
use host_tests::long;
use serde_json::json;
use tempfile::TempDir;
use toml::Table;

/// Runs `scda create` in a directory with this standard input.
fn in_folder(folder: &TempDir, arguments: &[&str], input: &[u8]) -> Output {
    let mut program = linkstream();
    program.current_dir(folder.path()).args(["scda", "create"]).args(arguments);
    program.write_stdin(input).output().expect("the program runs")
}

fn put(folder: &TempDir, name: &str, bytes: impl AsRef<[u8]>) {
    std::fs::write(folder.path().join(name), bytes).expect("the temporary folder is writable");
}

fn read(folder: &TempDir, name: &str) -> Vec<u8> {
    std::fs::read(folder.path().join(name)).expect("a file")
}

/// A user string, given in hexadecimal, as it has to be written on a command line.
fn escaped(hex: &str) -> String {
    from_hex(hex).iter().map(|byte| format!("\\x{byte:02x}")).collect()
}

/// The line of a list for one section, whose data are written to files in the directory. `None` for elements of 0
/// bytes.
fn line(folder: &TempDir, index: usize, section: &Table, data: &[u8]) -> Option<String> {
    let user = escaped(text(section, "user_hex"));
    let name = index.to_string();
    put(folder, &name, data);
    Some(match text(section, "type") {
        "I" => format!("inline:{user}={name}\n"),
        "B" => format!("block:{user}={name}\n"),
        "A" => {
            let e = number(section, "E").filter(|e| *e > 0)?;
            format!("array:{user}:{e}={name}\n")
        }
        _ => {
            let n = usize::try_from(number(section, "N")?).ok()?;
            let names: Vec<_> = (0..n).map(|i| format!("{name}-{i}")).collect();
            for (element, name) in cut(data, &sizes(text(section, "sizes"), n)).iter().zip(&names) {
                put(folder, name, element);
            }
            put(folder, &name, names.join("\n"));
            format!("varray:{user}=@{name}\n")
        }
    })
}

#[test]
fn fixtures_are_made_again_byte_for_byte() {
    let mut made = 0;
    for (about, bytes) in files(Fixtures::Ours, "scda") {
        let (name, style) = (text(&about, "path"), text(&about, "eol"));
        let sections = sections(&about);
        let elements: u128 = sections.iter().filter_map(|section| number(section, "N")).sum();
        if style == "arbitrary" || elements > 5000 && sections.len() < 3 {
            continue;
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        // Compressed sections are written as the two raw sections that they consist of.
        let lines = sections.iter().enumerate().skip(1).map(|(index, section)| {
            let from = number(section, "data_offset").unwrap_or(0) as usize;
            let length = number(section, "data_len").unwrap_or(0) as usize;
            line(&folder, index, section, &bytes[from..from + length])
        });
        let Some(list) = lines.collect::<Option<String>>() else { continue };
        put(&folder, "list", format!("# {name}\n\n{list}"));
        let vendor = escaped(text(&sections[0], "vendor_hex"));
        let user = escaped(text(&sections[0], "user_hex"));
        let arguments = ["--vendor", &vendor, "--user", &user, "--list", "list", "out"];
        let mime = if style == "mime" { &["--mime"][..] } else { &[] };
        let output = in_folder(&folder, &[&arguments, mime].concat(), b"");
        assert_eq!(status(&output), 0, "{name}: {}", said(&output));
        assert!(read(&folder, "out") == bytes, "{name}");
        made += 1;
    }
    assert!(made > 25, "{made}");
}

#[test]
fn what_was_compressed_comes_back() {
    for (about, _) in files(Fixtures::Ours, "scda") {
        let name = text(&about, "path");
        if !matches!(
            name,
            "compressed-blocks.scda"
                | "compressed-large.scda"
                | "compressed-varrays.scda"
                | "compressed-arrays.scda"
                | "mime-mixed-all.scda"
        ) {
            continue;
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut list = String::new();
        let mut expected = Vec::new();
        for (index, section) in sections(&about).iter().enumerate().skip(1) {
            let length = number(section, "plain_len");
            let (Some(length), "A" | "B" | "V") = (length, text(section, "convention")) else { continue };
            let mut logical = section.clone();
            logical.insert("type".to_owned(), section["convention"].clone());
            if let Some(u) = section.get("U") {
                logical.insert("E".to_owned(), u.clone());
            }
            if let Some(sizes) = section.get("U_sizes") {
                logical.insert("sizes".to_owned(), sizes.clone());
            }
            let data = payload(text(section, "payload"), length as usize);
            let Some(line) = line(&folder, index, &logical, &data) else { continue };
            list += &line;
            expected.push(data);
        }
        put(&folder, "list", list);
        let style = if name.starts_with("mime") { &["--mime"][..] } else { &[] };
        let output = in_folder(&folder, &[&["--compress", "--list", "list", "out"], style].concat(), b"");
        assert_eq!(status(&output), 0, "{name}: {}", said(&output));
        let bytes = read(&folder, "out");
        let (of_check, status) = report("check", &bytes, &[]);
        assert_eq!((status, findings(&of_check)), (0, vec![]), "{name}");
        assert_eq!(of_check["sections"].as_array().map(Vec::len), Some(expected.len() + 1));
        for (i, expected) in expected.iter().enumerate() {
            let index = (i + 1).to_string();
            assert_eq!(of_check["sections"][i + 1]["bytes"], expected.len());
            assert!(run(&["scda", "cat", "-", &index], bytes.clone()).stdout == *expected, "{name} {index}");
        }
    }
}

#[test]
fn pieces_on_the_command_line() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "a=b", b"abcde\n");
    put(&folder, "empty", b"");
    let pieces =
        ["text:step=42", "block:n\\x3d1=a=b", "array:ids:3=a=b", "varray:two=a=b,empty,a=b", "block:pipe=-"];
    let output = in_folder(&folder, &[&["--user", "demo", "out"], &pieces[..]].concat(), b"from a pipe");
    assert_eq!(status(&output), 0, "{}", said(&output));
    assert_eq!(said(&output), "");
    let (made, status_of_made) = report("check", &read(&folder, "out"), &[]);
    assert_eq!((status_of_made, &made["sections"][0]["vendor"]), (0, &json!("linkstream")));
    let sections = made["sections"].as_array().expect("a list");
    let about = |key: &str| sections.iter().map(|section| section[key].clone()).collect::<Vec<_>>();
    assert_eq!(json!(about("user")), json!(["demo", "step", "n=1", "ids", "two", "pipe"]));
    assert_eq!(json!(about("bytes")), json!([0, 32, 6, 6, 12, 11]));
    assert_eq!(json!(about("n")), json!([null, null, null, 2, 3, null]));
    let cat = |index: &str| run(&["scda", "cat", "-", index], read(&folder, "out")).stdout;
    assert_eq!(cat("1"), b"42                             \n");
    assert_eq!(cat("5"), b"from a pipe");

    // Output to a pipe, and the list of sections from a pipe, give the same file.
    put(&folder, "pipe", b"from a pipe");
    let list = format!("# pieces\n{}\nblock:pipe=pipe\n", pieces[..4].join("\n"));
    let piped = in_folder(&folder, &["--user", "demo", "--list", "-", "-"], list.as_bytes());
    assert_eq!((status(&piped), said(&piped)), (0, String::new()));
    assert_eq!(piped.stdout, read(&folder, "out"));
    // A list of file names can also come from a pipe.
    let listed = in_folder(&folder, &["-", "varray:two=@-"], b"a=b\nempty\na=b\n");
    let named = in_folder(&folder, &["-", "varray:two=a=b,empty,a=b"], b"");
    assert_eq!(listed.stdout, named.stdout);
    // Without sections, the file consists of its header.
    assert_eq!(in_folder(&folder, &["-"], b"").stdout.len(), 128);
}

#[test]
fn what_cannot_be_made() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "ten", [b'x'; 10]);
    put(&folder, "list", "text:a=b\nblock:a\n");
    let long = format!("block:{}=ten", "u".repeat(59));
    for (arguments, words) in [
        (&["block:a"][..], "no ="),
        (&["blob:a=ten"], "blob"),
        (&["block:\\n=ten"], "backslash"),
        (&["array:a=ten"], "array:USER:BYTES=FILE"),
        (&["array:a:0=ten"], "number of bytes"),
        (&["array:a:3=ten"], "10 bytes are not a multiple of the element size, 3 bytes"),
        (&["inline:a=ten"], "32 bytes of data, not 10"),
        (&["text:a=0123456789012345678901234567890+"], "31 bytes"),
        (&["block:a=missing"], "missing"),
        (&["block:a=."], "is a directory"),
        (&["varray:a=ten,missing"], "missing"),
        (&["varray:a=@missing"], "missing"),
        (&["block:a=-", "block:b=-"], "only be read once"),
        (&["varray:a=-,-"], "only be read once"),
        (&["varray:a=@-", "block:b=-"], "only be read once"),
        (&["--list", "list"], "line 2"),
        (&["--list", "list", "block:a=ten"], "cannot be used with"),
        (&["--vendor", "more than twenty bytes"], "the string has 22 bytes; at most 20 are allowed"),
        (&[&long], "at most 58 are allowed"),
    ] {
        let output = in_folder(&folder, &[&["out"], arguments].concat(), b"");
        let said = said(&output);
        assert!(status(&output) == 2 && said.contains(words), "{arguments:?}: {said}");
    }
    // Neither a partial nor a temporary file remains.
    assert_eq!(std::fs::read_dir(folder.path()).expect("a readable folder").count(), 2);
}

#[test]
fn a_file_that_exists_is_only_replaced_on_demand() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "out", b"precious");
    let refused = in_folder(&folder, &["out", "text:a=b"], b"");
    assert!(status(&refused) == 2 && said(&refused).contains("--force"), "{}", said(&refused));
    assert_eq!(read(&folder, "out"), b"precious");
    assert_eq!(status(&in_folder(&folder, &["out", "--force", "block:a=missing"], b"")), 2);
    assert_eq!(read(&folder, "out"), b"precious");
    assert_eq!(status(&in_folder(&folder, &["out", "--force", "text:a=b"], b"")), 0);
    assert_eq!(read(&folder, "out").len(), 224);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_reported() {
    if Path::new("/dev/full").exists() {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("a device");
        let program = assert_cmd::cargo::cargo_bin("linkstream");
        let mut command = std::process::Command::new(program);
        let output = command.args(["scda", "create", "-"]).stdout(full).output().expect("the program runs");
        assert_eq!(status(&output), 2);
        assert!(said(&output).contains("standard output"), "{}", said(&output));
    }
}

#[test]
fn every_level_and_number_of_threads_gives_the_same_data() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // More data than one thread takes at a time, in short and in long elements.
    let mixed: Vec<u8> = (0_u32..100_000)
        .flat_map(|i| ((i / 7) ^ (i.wrapping_mul(2_654_435_761) >> 27)).to_le_bytes())
        .collect();
    put(&folder, "data", &mixed);
    put(&folder, "empty", b"");
    put(&folder, "one", b"x");
    let pieces = [
        "array:short:16=data",
        "array:long:80000=data",
        "varray:v=data,empty,one,data",
        "block:b=data",
        "block:e=empty",
    ];
    let make = |options: &[&str]| {
        let output =
            in_folder(&folder, &[&["--force", "--compress"], options, &["out"], &pieces[..]].concat(), b"");
        assert_eq!(status(&output), 0, "{options:?}: {}", said(&output));
        read(&folder, "out")
    };
    let mut sizes = Vec::new();
    for level in long::sample(["0", "1", "6", "9"].into_iter(), 3) {
        let alone = make(&["--level", level, "--threads", "1"]);
        for threads in ["2", "5"] {
            assert!(make(&["--level", level, "--threads", threads]) == alone, "{level} {threads}");
        }
        let (checked, status) = report("check", &alone, &[]);
        assert_eq!((status, findings(&checked)), (0, vec![]), "level {level}");
        for index in ["1", "2", "4"] {
            assert!(run(&["scda", "cat", "-", index], alone.clone()).stdout == mixed, "{level} {index}");
        }
        let varray = run(&["scda", "cat", "-", "3"], alone.clone()).stdout;
        assert!(varray == [&mixed[..], b"x", &mixed].concat(), "{level}");
        sizes.push(alone.len());
    }
    assert!(sizes.is_sorted_by(|less, more| less > more), "{sizes:?}");
    assert!(make(&[]) == make(&["--level", "9"]), "the default level must be that of the paper");
    for wrong in [&["--compress", "--level", "10"][..], &["--level", "3"], &["--threads", "2"]] {
        let output = in_folder(&folder, &[wrong, &["new", "block:b=one"]].concat(), b"");
        assert_eq!(status(&output), 2, "{wrong:?}");
    }
}

#[test]
fn more_elements_than_are_in_memory_at_a_time_keep_their_order() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data: Vec<u8> = (0_u32..10_000).flat_map(|i| [i.to_le_bytes(); 1024].concat()).collect();
    put(&folder, "data", &data);
    let output = in_folder(&folder, &["--compress", "--level", "1", "out", "array:numbers:4096=data"], b"");
    assert_eq!(status(&output), 0, "{}", said(&output));
    assert!(run(&["scda", "cat", "-", "1"], read(&folder, "out")).stdout == data);
}

#[test]
fn strings_may_begin_with_a_hyphen() {
    let output = run(&["scda", "create", "-", "--user", "-x", "--vendor", "--y", "text:a=b"], "");
    assert_eq!(status(&output), 0, "{}", said(&output));
    let (report, _) = report("inspect", &output.stdout, &[]);
    assert_eq!(
        (&report["sections"][0]["user"], &report["sections"][0]["vendor"]),
        (&"-x".into(), &"--y".into())
    );
}

#[test]
fn lists_name_files_below_their_directory() {
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "secret", b"of the user");
    std::fs::create_dir(folder.path().join("pieces")).expect("a folder");
    put(&folder, "pieces/own", b"of the list");
    for (list, piece) in [
        ("block:b=secret", None),
        ("array:a:1=secret", None),
        ("varray:v=pieces/own,secret", None),
        ("varray:v=@secret", None),
        ("secret", Some("varray:v=@pieces/list")),
    ] {
        put(&folder, "pieces/list", format!("{}\n", list));
        let arguments = match piece {
            Some(piece) => vec!["scda", "create", "out", piece],
            None => vec!["scda", "create", "out", "--list", "pieces/list"],
        };
        let output = go(&folder, &arguments, b"");
        assert!(status(&output) == 2 && said(&output).contains("--anywhere"), "{list}: {}", said(&output));
        assert!(!folder.path().join("out").exists());
    }
    put(&folder, "pieces/list", "block:b=pieces/own\nblock:c=secret\n");
    well(&folder, &["scda", "create", "out", "--anywhere", "--list", "pieces/list"], b"");
    // Files that are named on the command line can be anywhere.
    well(&folder, &["scda", "create", "other", "block:b=secret"], b"");
}
