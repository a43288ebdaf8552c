//! Formats that are recognised but not read.

use tempfile::TempDir;

use crate::common::gauge::{fixture, go, refused};
use crate::common::lime::put;
use crate::common::{report, said, status};

fn message(file: &[u8]) -> String {
    let (found, code) = report("check", file, &[]);
    assert_eq!((&found["format"], code), (&serde_json::json!("unknown"), 1));
    found["findings"][0]["message"].as_str().expect("a message").to_owned()
}

#[test]
fn each_is_called_by_its_name() {
    let cases: [(&[u8], &str); 7] = [
        (b"\x04\x22\x4d\x18\x40\xc0", "this is lz4: `lz4cat FILE | linkstream check -`"),
        (b"\x89HDF\r\n\x1a\n", "this is HDF5"),
        (b"CDF\x01\0\0\0\0", "this is NetCDF"),
        (b"\x93NUMPY\x01\0", "this is NumPy"),
        (b"MATLAB 5.0 MAT-file", "this is MATLAB"),
        (b"1,2,3\n4,5,6\n", "it is text"),
        (b"CDFGHIJK", "it looks like text"),
    ];
    for (file, words) in cases {
        let said = message(file);
        assert!(said.contains(words), "{said}");
        assert_eq!(said.contains("CSV"), file.starts_with(b"1,2"), "{said}");
    }
    for other in ["{\"a\":1}", "hello", "[a]\nb = 1\n"] {
        assert!(!message(other.as_bytes()).contains("CSV"), "{other}");
    }
    for table in ["# a\n1 2\n", "-1.5e-3;nan\n", "1+2i,3-4j", "size,1\n"] {
        assert!(message(table.as_bytes()).contains("CSV"), "{table}");
    }
}

/// The openQCD format has no magic number. It is recognised if the size fits the lattice, and the size is known only
/// for regular files.
#[test]
fn openqcd_is_known_by_its_size() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut file = [2_u32, 2, 2, 2].map(u32::to_le_bytes).concat();
    file.extend(1.5_f64.to_le_bytes());
    file.resize(24 + 576 * 16, 0x11);
    for (size, is_known) in [(file.len(), true), (file.len() - 1, false)] {
        let path = folder.path().join("configuration");
        std::fs::write(&path, &file[..size]).expect("the temporary folder is writable");
        let output = crate::common::run(&["check", path.to_str().expect("UTF-8")], b"");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(said.contains(": openQCD, "), is_known, "{said}");
    }
}

/// Every command names the format of such a file, not only `check`.
#[test]
fn every_command_calls_them_by_their_name() {
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "a.lz4", b"\x04\x22\x4d\x18\x40\xc0 and more");
    put(&folder, "a.npy", b"\x93NUMPY\x01\0 and more");
    // The command that failed is the one that is suggested, if it reads standard input.
    let sentence = |command: &[&str]| {
        if matches!(command[..2], ["edit", _] | ["ildg", "set-lfn"]) {
            let name = if command[0] == "edit" { "edit" } else { "ildg set-lfn" };
            return format!("this is lz4: unpack it first; `linkstream {name}` changes the unpacked file");
        }
        let reads = match command[..2] {
            ["ildg", "make"] => "ildg make … --from -".to_owned(),
            ["inebin" | "scda" | "lime", second] => format!("{} {second} - …", command[0]),
            _ => format!("{} - …", command[0]),
        };
        format!("this is lz4: `lz4cat a.lz4 | linkstream {reads}` reads what is in it")
    };
    put(
        &folder,
        "a.npz",
        b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x05\0\0\0a.npy and more",
    );
    let commands: [&[&str]; 10] = [
        &["edit", "a.lz4", "--update", "1"],
        &["convert", "a.lz4", "out"],
        &["convert", "a.lz4", "out", "--to", "nersc"],
        &["convert", "a.lz4", "out", "--volumes", "2"],
        &["convert", "a.lz4", "out", "--for", "any"],
        &["export", "a.lz4", "out"],
        &["ildg", "make", "out", "--from", "a.lz4"],
        &["ildg", "set-lfn", "a.lz4", "lfn://a"],
        &["inebin", "to-csv", "a.lz4"],
        &["scda", "cat", "a.lz4", "1"],
    ];
    for command in commands {
        refused(&folder, command, b"", 1, &sentence(command));
        let npz: Vec<_> = command.iter().map(|word| word.replace("a.lz4", "a.npz")).collect();
        let npz: Vec<_> = npz.iter().map(String::as_str).collect();
        refused(&folder, &npz, b"", 1, "this is NPZ, a zip file of NumPy, which is recognised but not read");
        let other: Vec<_> = command.iter().map(|word| word.replace("a.lz4", "a.npy")).collect();
        let other: Vec<_> = other.iter().map(String::as_str).collect();
        refused(&folder, &other, b"", 1, "this is NumPy, which is recognised but not read");
    }
    for command in [["lime", "unpack", "a.lz4"].as_slice(), &["lime", "extract", "a.lz4", "1", "1"]] {
        let output = go(&folder, command, b"");
        assert!(
            status(&output) == 1 && said(&output).contains(&sentence(command)),
            "{command:?} {}",
            said(&output)
        );
    }
    for files in [["a.lz4", "a.npy"], ["a.npy", "a.lz4"]] {
        let output = go(&folder, &["diff", files[0], files[1]], b"");
        let name = if files[0] == "a.lz4" { "lz4" } else { "NumPy" };
        assert!(status(&output) == 2 && said(&output).contains(name), "{}", said(&output));
    }
    let piped = b"\x04\x22\x4d\x18\x40\xc0 and more";
    refused(
        &folder,
        &["convert", "-", "out"],
        piped,
        1,
        "this is lz4: `lz4cat FILE | linkstream convert - …`",
    );
}

/// A file that begins like another format of this program is named, with the commands that read it.
#[test]
fn files_of_the_other_formats_are_named() {
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "matrix", fixture("inebin/doc-real.bin"));
    put(&folder, "scda", fixture("scda/inline.scda"));
    put(&folder, "nersc", fixture("qio/nersc/n3x3_f.nersc"));
    put(&folder, "lime", fixture("qio/single/gauge_f3_4x4x4x8.lime"));
    let sentences = [
        ("matrix", "this is an INEBIN file, which `linkstream inebin to-csv` and `linkstream export` read"),
        ("scda", "this is an scda file, which `linkstream scda cat` and `linkstream export` read"),
        ("nersc", "this is a NERSC archive, which `linkstream convert` and `linkstream export` read"),
        ("lime", "this is a LIME file, which `linkstream lime contents` and `linkstream export` read"),
    ];
    for (name, sentence) in sentences {
        let commands: &[&[&str]] = &[
            &["convert", name, "out"],
            &["ildg", "make", "out", "--from", name],
            &["ildg", "set-lfn", name, "lfn://a/b"],
            &["lime", "unpack", name, "out"],
            &["lime", "extract", name, "1", "1"],
            &["inebin", "to-csv", name],
            &["scda", "cat", name, "1"],
        ];
        for command in commands {
            let reads = match command[0] {
                "convert" => ["lime", "nersc"].contains(&name),
                "ildg" => name == "lime" || command[1] == "make" && name == "nersc",
                "inebin" => name == "matrix",
                first => first == name,
            };
            if !reads {
                refused(&folder, command, b"", 1, sentence);
            }
        }
        if name != "lime" {
            let output = go(&folder, &["lime", "contents", name], b"");
            let listed = String::from_utf8_lossy(&output.stdout);
            assert!(status(&output) == 1 && listed.contains(sentence), "{listed}");
        }
    }
}
