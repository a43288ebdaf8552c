//! Runs the examples in the help of each command as shown, one after the other in one folder.

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

/// The lines below `Examples:` in the help of a command.
fn examples(command: &[&str]) -> Vec<String> {
    let output = linkstream().args(command).arg("--help").output().expect("the program runs");
    let help = String::from_utf8(output.stdout).expect("text");
    let lines = help.lines().skip_while(|line| !line.starts_with("Example")).skip(1);
    let lines: Vec<String> = lines.map(|line| line.trim().to_owned()).collect();
    assert!(lines.len() > 1, "{help}");
    lines
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
