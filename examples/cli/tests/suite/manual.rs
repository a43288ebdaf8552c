//! Shell completions, manual pages and colours.

use std::process::Command as Process;

use serde_json::Value;

use super::common::gauge::{refused, well};
use super::common::lime::{put, read, standing};
use super::common::{linkstream, run, said, status};

#[test]
fn completions_name_every_command_and_option() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run(&["completions", shell], "");
        assert_eq!((status(&output), said(&output)), (0, String::new()));
        let script = String::from_utf8(output.stdout).expect("text");
        for word in ["set-lfn", "extract-type", "little-endian", "completions"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(status(&run(&["completions", "tcsh"], "")), 2);
}

/// Asks bash itself for the completions.
#[test]
fn bash_completes_a_command() {
    let script = String::from_utf8(run(&["completions", "bash"], "").stdout).expect("text");
    let ask = "COMP_WORDS=(linkstream ildg set); COMP_CWORD=2; _linkstream linkstream set ildg; echo ${COMPREPLY[@]}";
    let Ok(output) = Process::new("bash").args(["-c", &format!("{script}\n{ask}")]).output() else { return };
    assert_eq!(String::from_utf8(output.stdout).expect("text").trim(), "set-lfn", "{:?}", output.stderr);
}

#[test]
fn every_command_has_a_page() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    well(&folder, &["man", "pages"], b"");
    let pages = standing(&folder, "pages");
    for name in ["linkstream.1", "linkstream-check.1", "linkstream-lime.1", "linkstream-lime-extract-type.1"]
    {
        assert!(pages.iter().any(|page| page == name), "{name} in {pages:?}");
    }
    let page = String::from_utf8(read(&folder, "pages/linkstream-check.1")).expect("text");
    assert!(page.contains("\\fB\\-\\-lenient\\fR") && page.contains(".SH EXTRA"), "{page}");
    let verdicts = page.find("\n.SS \"Verdicts").expect("a heading");
    assert!(page[verdicts..].lines().nth(2) == Some(".nf"), "{page}");
    assert_eq!(page.matches("\n.nf\n").count(), page.matches("\n.fi\n").count());
    let topic = String::from_utf8(read(&folder, "pages/linkstream-help-verdicts.1")).expect("text");
    assert!(topic.contains("linkstream\\-help\\-verdicts \\- ok, unverified, wrong, unreadable"), "{topic}");
    assert!(topic.contains(".SH DESCRIPTION") && !topic.contains("EXTRA"), "{topic}");
    assert!(topic.contains("\n.SS \"Errors and warnings\"\n"), "{topic}");
    let ensemble = String::from_utf8(read(&folder, "pages/linkstream-ensemble.1")).expect("text");
    assert!(ensemble.contains("`cfg_{n}/lat.ildg`: {n} is the number"), "{ensemble}");
    // If one page exists, none is written.
    std::fs::remove_file(folder.path().join("pages/linkstream.1")).expect("the file exists");
    put(&folder, "pages/linkstream-lime.1", "precious");
    refused(&folder, &["man", "pages"], b"", 2, "exists");
    assert_eq!(read(&folder, "pages/linkstream-lime.1"), b"precious");
    assert!(!standing(&folder, "pages").contains(&"linkstream.1".to_owned()));
    well(&folder, &["man", "pages", "--force"], b"");
    assert_eq!(standing(&folder, "pages"), pages);
}

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../su3-4x4x4x8.lime");

#[test]
fn colour_is_for_terminals_unless_asked_for() {
    let shown = |options: &[&str]| {
        let output = run(&[options, &["check", SAMPLE]].concat(), "");
        assert_eq!(status(&output), 0);
        String::from_utf8(output.stdout).expect("text")
    };
    let plain = shown(&[]);
    assert!(!plain.contains('\x1b') && plain.contains("\nverdict: ok, "));
    assert_eq!(shown(&["--color", "never"]), plain);
    let coloured = shown(&["--color", "always"]);
    assert!(coloured.contains("\nverdict: \x1b[") && coloured != plain, "{coloured}");
    // The option may also follow the command.
    let after = run(&["check", SAMPLE, "--color=always"], "");
    assert_eq!(String::from_utf8(after.stdout).expect("text"), coloured);
    // JSON output is never coloured.
    let json = run(&["check", "--json", "--color", "always", SAMPLE], "");
    serde_json::from_slice::<Value>(&json.stdout).expect("an object without escapes");
}

#[test]
fn errors_are_coloured_likewise() {
    let missing = |options: &[&str]| said(&run(&[options, &["check", "missing"]].concat(), ""));
    assert!(missing(&[]).starts_with("linkstream: missing: "));
    assert!(missing(&["--color=always"]).starts_with("\x1b["));
    // Without the option, the environment variables decide.
    let mut program = linkstream();
    let output =
        program.env("CLICOLOR_FORCE", "1").args(["check", "missing"]).output().expect("the program runs");
    assert!(said(&output).starts_with("\x1b["));
    let mut program = linkstream();
    program.env("NO_COLOR", "1").env("CLICOLOR_FORCE", "1");
    let output = program.args(["check", "missing"]).output().expect("the program runs");
    assert!(said(&output).starts_with("linkstream:"));
}
