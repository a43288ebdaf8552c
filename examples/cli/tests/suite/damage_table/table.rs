//! A row of the table, and what is required of the program for it.

use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::gauge::go;
use crate::common::lime::{put, standing};
use crate::common::{said, status};

/// The verdicts of `check` and of `check --lenient`, and whether commands that read to write use the data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Expected {
    /// All data are verified.
    Good,
    /// No stored checksum verifies the data, and nothing refutes them.
    Unverified,
    /// A rule is broken, but the data are certain.
    RuleBroken,
    /// A checksum that was written is missing, or no checksum shows which part of the file are the data: nothing is
    /// certainly wrong, but the data cannot be verified, and no command uses them.
    Doubtful,
    /// The file is certainly not what was written.
    Damaged,
}

impl Expected {
    const fn verdicts(self) -> [&'static str; 2] {
        match self {
            Self::Good => ["ok", "ok"],
            Self::Unverified => ["unverified", "unverified"],
            Self::RuleBroken => ["wrong", "ok"],
            Self::Doubtful => ["wrong", "unverified"],
            Self::Damaged => ["wrong", "wrong"],
        }
    }

    const fn is_usable(self) -> bool {
        !matches!(self, Self::Doubtful | Self::Damaged)
    }
}

/// A file, the rule that it breaks, and what is required of the program.
pub struct Row {
    pub class: &'static str,
    pub bytes: Vec<u8>,
    /// One of the rules in the report; empty if there need be none.
    pub rule: &'static str,
    pub expected: Expected,
}

pub fn row(class: &'static str, bytes: Vec<u8>, rule: &'static str, expected: Expected) -> Row {
    Row { class, bytes, rule, expected }
}

/// Requires of each row what the table says. `commands` read the file `in` and write something.
pub fn judge(rows: &[Row], commands: &[&[&str]]) {
    for Row { class, bytes, rule, expected } in rows {
        let folder = TempDir::new().expect("a temporary folder");
        put(&folder, "in", bytes);
        judge_file(&folder, class, rule, *expected);
        for command in commands {
            let folder = TempDir::new().expect("a temporary folder");
            put(&folder, "in", bytes);
            let before = contents(&folder);
            let output = go(&folder, command, b"");
            let what = format!("{class}: {command:?}: {}", said(&output));
            if expected.is_usable() {
                assert_eq!(status(&output), 0, "{what}");
                continue;
            }
            assert_ne!(status(&output), 0, "{what}");
            assert!(!said(&output).trim().is_empty(), "{what}");
            assert_eq!(contents(&folder), before, "{what}");
            assert!(output.stdout.is_empty(), "{what}");
        }
        judge_copy_of_damage(class, bytes, *expected, commands);
    }
}

/// With `--damaged`, a command may use the data, but what it writes is never called good.
fn judge_copy_of_damage(class: &str, bytes: &[u8], expected: Expected, commands: &[&[&str]]) {
    if expected.is_usable() {
        return;
    }
    for command in commands.iter().filter(|command| command[0] == "convert") {
        let folder = TempDir::new().expect("a temporary folder");
        put(&folder, "in", bytes);
        let output = go(&folder, &[command, &["--damaged"][..]].concat(), b"");
        if status(&output) == 0 {
            let checked = go(&folder, &["check", "--json", "--lenient", "out"], b"");
            let report: Value = serde_json::from_slice(&checked.stdout).expect("one object");
            assert_ne!(report["verdict"], "ok", "{class}: {command:?}: {report}");
        }
    }
}

/// Checks the file `in`: verdict, exit status and the rule, in JSON; the word of `--quiet`; no line of text says OK.
fn judge_file(folder: &TempDir, class: &str, rule: &str, expected: Expected) {
    let verdicts = expected.verdicts();
    for (verdict, option) in verdicts.iter().zip([&[][..], &["--lenient"]]) {
        let code = i32::from(*verdict == "wrong");
        let json = go(folder, &[&["check", "--json", "in"], option].concat(), b"");
        let report: Value = serde_json::from_slice(&json.stdout).expect("one object");
        let found = (report["verdict"].as_str(), status(&json));
        assert_eq!(found, (Some(*verdict), code), "{class}: {option:?}: {report}");
        let findings = report["findings"].as_array().expect("a list");
        let is_named = rule.is_empty() || findings.iter().any(|finding| finding["rule"] == rule);
        assert!(is_named, "{class}: {rule}: {findings:?}");
        let quiet = go(folder, &[&["check", "--quiet", "in"], option].concat(), b"");
        let word = match *verdict {
            "ok" => "in: OK",
            "unverified" => "in: UNVERIFIED",
            _ => "in: WRONG: ",
        };
        assert!(text(&quiet).starts_with(word), "{class}: {option:?}: {}", text(&quiet));
        assert_eq!(status(&quiet), code, "{class}: {option:?}");
        let words = text(&go(folder, &[&["check", "in"], option].concat(), b""));
        let is_ok = words.lines().any(|line| line.starts_with("verdict: ok"));
        assert_eq!(is_ok, *verdict == "ok", "{class}: {option:?}: {words}");
    }
}

pub fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// All files of a directory, with their bytes.
fn contents(folder: &TempDir) -> Vec<(String, Vec<u8>)> {
    let names = standing(folder, ".").into_iter();
    names
        .map(|name| {
            let bytes = std::fs::read(folder.path().join(&name)).unwrap_or_default();
            (name, bytes)
        })
        .collect()
}

/// The bytes with one bit flipped.
pub fn flipped(bytes: &[u8], at: usize, bit: u8) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at] ^= 1 << bit;
    bytes
}

/// The bytes without those from `at` to `at + length`.
pub fn without(bytes: &[u8], at: usize, length: usize) -> Vec<u8> {
    [&bytes[..at], &bytes[at + length..]].concat()
}

/// The bytes with two blocks of the same length exchanged.
pub fn swapped(bytes: &[u8], first: usize, second: usize, length: usize) -> Vec<u8> {
    let mut swapped = bytes.to_vec();
    swapped[first..first + length].copy_from_slice(&bytes[second..second + length]);
    swapped[second..second + length].copy_from_slice(&bytes[first..first + length]);
    swapped
}

/// The bytes with `new` from `at` on.
pub fn overwritten(bytes: &[u8], at: usize, new: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at..at + new.len()].copy_from_slice(new);
    bytes
}

/// The bytes with the order of the bytes in each word reversed, from `at` on.
pub fn byte_swapped(bytes: &[u8], at: usize, length: usize, word: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at..at + length].chunks_mut(word).for_each(<[u8]>::reverse);
    bytes
}
