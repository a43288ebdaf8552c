//! `scda cat`: the data of sections and elements.

use std::path::Path;
use std::process::Output;

use crate::common::scda::{count, cut, head, header, listed, number, payload, sizes, text};
use crate::common::{files, linkstream, run, said, status};
use host_tests::fixtures::Fixtures;
use host_tests::long;
use toml::Table;

/// The output, after a check that the only message is its dtype and shape.
fn written(output: Output, arguments: &[&str]) -> Vec<u8> {
    let printed = said(&output);
    assert_eq!(status(&output), 0, "{arguments:?}: {printed}");
    let shape = printed.strip_prefix("dtype |u1, shape (").and_then(|rest| rest.strip_suffix(")\n"));
    let extents = shape.expect(&printed).split(',').filter(|extent| !extent.is_empty());
    let bytes = extents.map(|extent| extent.trim().parse::<usize>().expect("a number")).product::<usize>();
    assert_eq!(bytes, output.stdout.len(), "{arguments:?}: {printed}");
    output.stdout
}

/// The output of `scda cat` for a file.
fn cat(file: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = run(&[&["scda", "cat", "-v", &file.display().to_string()], arguments].concat(), "");
    written(output, arguments)
}

/// The output of `scda cat` for a pipe.
fn cat_pipe(file: &[u8], arguments: &[&str]) -> Vec<u8> {
    let output = run(&[&["scda", "cat", "-v", "-"], arguments].concat(), file);
    written(output, arguments)
}

/// The exit status and the message if nothing can be written.
fn against(file: &[u8], arguments: &[&str]) -> (i32, String) {
    let output = run(&[&["scda", "cat", "-"], arguments].concat(), file);
    assert_eq!(output.stdout, b"");
    (status(&output), said(&output))
}

/// The sizes of the elements, compressed as in the file and uncompressed.
fn element_sizes(section: &Table) -> Option<(Vec<usize>, Vec<usize>)> {
    // An array of elements of 0 bytes can have any number of them.
    let n = usize::try_from(number(section, "N")?).ok().filter(|n| *n < 1 << 20)?;
    let raw = match section.get("sizes") {
        Some(_) => sizes(text(section, "sizes"), n),
        None => vec![usize::try_from(number(section, "E")?).ok()?; n],
    };
    let meant = match (section.get("U_sizes"), number(section, "U")) {
        (Some(_), _) => sizes(text(section, "U_sizes"), n),
        (None, Some(u)) => vec![usize::try_from(u).ok()?; n],
        (None, None) => raw.clone(),
    };
    Some((raw, meant))
}

fn every_section_and_many_elements_of(fixtures: Fixtures) {
    for (about, bytes) in long::sample(files(fixtures, "scda").into_iter(), 4) {
        let path = fixtures.join("scda").join(text(&about, "path"));
        for (index, section) in listed(&about).iter().enumerate() {
            let index = index.to_string();
            let from = number(section, "data_offset").unwrap_or(0) as usize;
            let length = number(section, "data_len").unwrap_or(0) as usize;
            let raw = &bytes[from..from + length];
            assert_eq!(cat(&path, &[&index, "--raw"]), raw, "{path:?} {index}");
            let is_text = matches!(text(section, "convention"), "A" | "B" | "V");
            let plain = match number(section, "plain_len") {
                Some(length) if is_text => payload(text(section, "payload"), length as usize),
                _ => raw.to_vec(),
            };
            assert!(cat(&path, &[&index]) == plain, "{path:?} {index}");
            assert!(cat_pipe(&bytes, &[&index]) == plain, "{path:?} {index}");
            let Some((raw_sizes, mut meant_sizes)) = element_sizes(section) else { continue };
            if !is_text {
                meant_sizes.clone_from(&raw_sizes);
            }
            let (n, raw, plain) = (raw_sizes.len(), cut(raw, &raw_sizes), cut(&plain, &meant_sizes));
            let mut elements: Vec<_> =
                [0, 1, n / 2, n.saturating_sub(1)].into_iter().filter(|i| *i < n).collect();
            elements.dedup();
            for i in elements {
                let element = i.to_string();
                let arguments = [&index, "--element", &element];
                assert!(cat(&path, &arguments) == plain[i], "{path:?} {arguments:?}");
                assert!(cat_pipe(&bytes, &arguments) == plain[i], "{path:?} {arguments:?}");
                let packed = cat(&path, &[&arguments[..], &["--raw"]].concat());
                assert!(packed == raw[i], "{path:?} {arguments:?}");
            }
        }
    }
}

#[test]
fn every_section_and_many_elements() {
    every_section_and_many_elements_of(Fixtures::Ours);
}

/// A file with a block, an array and a variable array.
fn small() -> Vec<u8> {
    let padding = b"\n=============================\n\n";
    [
        &header()[..],
        &[head('B', "block"), count('E', 25), vec![b'b'; 25]].concat(),
        b"\n====\n\n",
        &[head('A', "array"), count('N', 4), count('E', 8), (0..32).collect()].concat(),
        padding,
        &[head('V', "varray"), count('N', 3), count('E', 30), count('E', 0), count('E', 2)].concat(),
        &[vec![b'v'; 30], b"ww".to_vec()].concat(),
        padding,
    ]
    .concat()
}

#[test]
fn what_is_not_there_is_wrong_usage() {
    let file = small();
    assert_eq!(cat_pipe(&file, &["0"]), b"");
    assert_eq!(cat_pipe(&file, &["3", "--element", "2"]), b"ww");
    assert_eq!(cat_pipe(&file, &["3", "--element", "1"]), b"");
    for (arguments, words) in [
        (&["4"][..], "4 sections"),
        (&["18446744073709551615"], "4 sections"),
        (&["0", "--element", "0"], "file header"),
        (&["1", "--element", "0"], "block"),
        (&["2", "--element", "4"], "4 elements"),
        (&["3", "--element", "18446744073709551615"], "3 elements"),
    ] {
        let (status, said) = against(&file, arguments);
        assert!(status == 2 && said.contains(words), "{arguments:?}: {said}");
    }
    linkstream().args(["scda", "cat", "no-such-file", "0"]).assert().code(2);
    linkstream().args(["scda", "cat", "-", "-1"]).assert().code(2);
    linkstream().args(["scda", "cat", "-"]).assert().code(2);
}

#[test]
fn damage_before_the_section_and_in_it() {
    let file = small();
    let mut damaged = file.clone();
    // Replaces the type letter of the array.
    damaged[256] = b'a';
    assert_eq!(against(&damaged, &["1"]).0, 1);
    assert_eq!(run(&["scda", "cat", "-", "1", "--damaged"], damaged.clone()).stdout, [b'b'; 25]);
    for index in ["2", "3"] {
        let (status, said) = against(&damaged, &[index, "--damaged"]);
        assert!(status == 1 && said.contains("standard input: at byte 256"), "{said}");
    }
    // Padding may contain any bytes.
    let mut padded = file.clone();
    padded[250..256].fill(b'#');
    assert_eq!(cat_pipe(&padded, &["2"]), &file[384..416]);
    for no_scda in [&b""[..], b"scdat", b"scdata0 ", b"INEBIN\0B"] {
        assert_eq!(against(no_scda, &["0"]).0, 1);
    }
    // The existing part of a truncated section is written, and the exit status reports the error.
    assert_eq!(against(&file[..400], &["2"]).0, 1);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("cut.scda");
    std::fs::write(&path, &file[..400]).expect("the temporary folder is writable");
    for (name, input) in [(path.display().to_string(), &b""[..]), ("-".to_owned(), &file[..400])] {
        let output = run(&["scda", "cat", &name, "2", "--damaged"], input);
        assert_eq!((status(&output), &output.stdout[..]), (1, &file[384..400]));
        assert!(said(&output).contains("16 bytes of its data are missing"), "{}", said(&output));
        let whole = run(&["scda", "cat", &name, "2", "--damaged", "--element", "1"], input);
        assert_eq!((status(&whole), &whole.stdout[..]), (0, &file[392..400]));
        let missing = run(&["scda", "cat", &name, "2", "--damaged", "--element", "3"], input);
        assert_eq!((status(&missing), &missing.stdout[..]), (1, &b""[..]));
    }
}

#[test]
fn broken_compression_is_only_met_where_it_is_unpacked() {
    for (about, bytes) in files(Fixtures::Ours, "broken-scda") {
        let name = text(&about, "path");
        if !name.starts_with("comp-") || !text(&about, "expect").starts_with("reject:decode") {
            continue;
        }
        let unpacked = run(&["scda", "cat", "-", "1"], bytes.clone());
        assert_eq!(status(&unpacked), 1, "{name}: {}", said(&unpacked));
        // The texts can be read, whatever is in them. A first half alone is not a section.
        let raw = run(&["scda", "cat", "-", "1", "--raw", "--damaged"], bytes.clone());
        if name == "comp-B-then-eof.scda" {
            assert!(status(&raw) == 2 && said(&raw).contains("1 section, number 0"), "{}", said(&raw));
        } else {
            assert_eq!(status(&raw), 0, "{name}: {}", said(&raw));
        }
    }
}

#[test]
fn a_reader_that_goes_away_is_a_failure() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("large.scda");
    let data = vec![b'x'; 10_000_000];
    std::fs::write(&path, [header(), head('B', "large"), count('E', data.len()), data].concat())
        .expect("the temporary folder is writable");
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("linkstream"))
        .args([Path::new("scda"), Path::new("cat"), &path, Path::new("1"), Path::new("--damaged")])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("the program ends").code(), Some(2));
}

#[test]
fn garbage_does_no_harm() {
    let whole = Fixtures::Ours.read("scda/mixed-all.scda");
    let mut state = 11_u64;
    let mut next = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(99);
        (state >> 33) as usize
    };
    for round in 0..200 {
        let mut bytes = whole.clone();
        for _ in 0..3 {
            let at = next() % bytes.len();
            bytes[at] = next() as u8;
        }
        bytes.truncate(bytes.len() - next() % 100);
        let (index, element) = ((round % 12).to_string(), (next() % 8).to_string());
        let arguments = ["scda", "cat", "-", &index, "--element", &element];
        let output = run(&arguments[..if round % 3 == 0 { 4 } else { 6 }], bytes);
        assert!(status(&output) <= 2, "{}", said(&output));
    }
}

host_tests::of_other_projects! {
    fn every_section_and_many_elements() {
        every_section_and_many_elements_of(Fixtures::OfOthers);
    }
}
