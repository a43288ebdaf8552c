//! The help of the commands: it fits into 80 columns, and its examples run as shown, one after the other in one
//! directory.

#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use host_tests::fixtures::Fixtures;

use crate::common::linkstream;

/// Creates the files that the examples of `convert` and `volumes copy` read.
fn prepare(folder: &Path) {
    let copy = |from: &str, to: &str| {
        let from = Fixtures::Ours.join("qio").join(from);
        std::fs::copy(from, folder.join(to)).expect("the temporary folder is writable");
    };
    copy("single/gauge_f3_4x4x4x8.lime", "lat.0100.lime");
    copy("ildg/ildg_f_4x4x4x8.lime", "lat.0100.ildg");
    copy("nersc/n3x3_f.nersc", "lat.nersc");
    std::fs::create_dir(folder.join("archive")).expect("the temporary folder is writable");
    std::fs::write(folder.join("nodes.txt"), "0 node0\n1 node1\n").expect("the temporary folder is writable");
    shell(folder, "gzip -c lat.0100.ildg > lat.gz");
    shell(folder, "cp lat.0100.ildg ckpoint_lat.10; cp lat.0100.ildg ckpoint_lat.20; mkdir out");
    // A substitute for `ssh` that runs the command on this machine.
    let ssh = folder.join("ssh");
    std::fs::write(&ssh, "#!/bin/sh\nexec sh -c \"$2\"\n").expect("the temporary folder is writable");
    std::fs::set_permissions(&ssh, std::fs::Permissions::from_mode(0o755)).expect("a file");
}

/// Runs a line in a shell, which must succeed.
fn shell(folder: &Path, line: &str) {
    let program = assert_cmd::cargo::cargo_bin("linkstream");
    let own = program.parent().expect("a folder");
    let path = format!("{}:{}:{}", folder.display(), own.display(), std::env::var("PATH").expect("a path"));
    let run = Command::new("sh").args(["-ec", line]).current_dir(folder).env("PATH", path).output();
    let output = run.expect("a shell");
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
}

/// The output of the program with these arguments, on a wide terminal.
fn help(arguments: &[&str]) -> String {
    let output = linkstream().env("COLUMNS", "200").args(arguments).output().expect("the program runs");
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// The commands below `Examples:` in the help of a command.
fn examples(command: &[&str]) -> Vec<String> {
    let help = help(&[command, &["--help"]].concat()).replace("\\\n", " ");
    let lines = help.lines().skip_while(|line| !line.starts_with("Example")).skip(1);
    let lines = lines.take_while(|line| !line.is_empty());
    let lines: Vec<String> = lines.map(|line| line.trim().to_owned()).collect();
    assert!(lines.len() > 1, "{help}");
    lines
}

/// The words of all commands and groups of commands, beginning with `group`.
fn commands(group: &[String]) -> Vec<Vec<String>> {
    let mut words: Vec<_> = group.iter().map(String::as_str).collect();
    words.push("--help");
    let help = help(&words);
    let list =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // Further lines of a description are indented more.
    let names = list.filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
    let names = names.filter_map(|line| line.split(' ').next()).filter(|name| *name != "help");
    let inner = names.flat_map(|name| commands(&[group, &[name.to_owned()]].concat()));
    std::iter::once(group.to_vec()).chain(inner).collect()
}

#[test]
fn every_help_fits_into_80_columns_and_has_an_example() {
    let commands = commands(&[]);
    assert!(commands.len() > 25 && commands.contains(&vec!["lime".to_owned(), "unpack".to_owned()]));
    for command in commands {
        let words: Vec<_> = command.iter().map(String::as_str).collect();
        for arguments in [
            [&words[..], &["--help"]].concat(),
            [&words[..], &["-h"]].concat(),
            [&["help"], &words[..]].concat(),
        ] {
            let help = help(&arguments);
            for line in help.lines() {
                assert!(line.chars().count() <= 80, "{arguments:?}: {line}");
            }
            assert!(help.contains("\nExample"), "{arguments:?}");
            let is_short = arguments.contains(&"-h");
            assert!(!is_short || help.lines().count() <= 30, "{arguments:?}: {} lines", help.lines().count());
        }
    }
}

/// `-h` leaves out options, `--help` does not; a topic is a part of `check --help`.
#[test]
fn the_short_help_leaves_out_what_the_complete_one_has() {
    let (short, complete) = (help(&["check", "-h"]), help(&["check", "--help"]));
    for option in ["--files-from", "--threads", "--spool-limit", "simulateqcd"] {
        assert!(!short.contains(option) && complete.contains(option), "{option}");
    }
    for heading in ["\nFiles:", "\nGeneral:", "\nMemory:", "\nLinks and observables:"] {
        assert!(complete.contains(heading), "{heading}");
    }
    for topic in ["verdicts", "links", "directories", "memory", "programs"] {
        let text = help(&["help", topic]);
        assert!(text.lines().count() > 5 && text.lines().all(|line| complete.contains(line)), "{topic}");
        assert!(help(&["help", "help"]).contains(topic));
    }
    for asked in [&["--help"][..], &["help"]] {
        assert!(help(asked).contains("\n  manifests    what changed"), "{asked:?}");
    }
    // Braces are printed as they are written.
    for asked in ["-h", "--help"] {
        assert!(help(&["ensemble", asked]).contains("--name 'lat.{n}.ildg'"), "{asked}");
    }
    // Options of the examples are listed.
    for (command, option) in [("ensemble", "--name <"), ("table", "--columns <"), ("manifest", "--out <")] {
        assert!(help(&[command, "-h"]).contains(option), "{command}: {option}");
    }
    assert_eq!(help(&["help", "lime", "unpack"]), help(&["lime", "unpack", "--help"]));
    let wrong = linkstream().args(["help", "nothing"]).output().expect("the program runs");
    assert!(
        wrong.status.code() == Some(2)
            && String::from_utf8_lossy(&wrong.stderr).contains("topics are verdicts")
    );
}

#[test]
fn of_convert() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    prepare(folder.path());
    examples(&["convert"]).iter().for_each(|line| shell(folder.path(), line));
}

#[test]
fn of_explain() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    examples(&["explain"]).iter().for_each(|line| shell(folder.path(), line));
}

/// The examples of `volumes copy` need a set, which is made first.
#[test]
fn of_volumes_copy() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    prepare(folder.path());
    shell(folder.path(), "linkstream convert lat.0100.lime lat.0100.lime --volumes 2");
    examples(&["volumes", "copy"]).iter().for_each(|line| shell(folder.path(), line));
}
