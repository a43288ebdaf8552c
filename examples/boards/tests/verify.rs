//! One program on one board, where this machine can build and emulate it. All programs on all boards are a stage of
//! the gate.

use std::env;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

/// What the program says when something of the kind is not installed.
const NOT_HERE: [&str; 2] = ["cannot be run", "the compiler has no library for"];

#[test]
fn verify_says_on_a_board_what_it_should() {
    if env::var_os("LINKSTREAM_SKIP_BOARDS").is_some_and(|skip| skip == "1") {
        return leave_out("LINKSTREAM_SKIP_BOARDS=1");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO_BIN_EXE_boards"))
        .args(["on", "microbit", "verify"])
        .arg(root.join("examples/su3-4x4x4x8.lime"))
        .env("RUST_BACKTRACE", "0")
        .output()
        .expect("a program of this package");
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() && NOT_HERE.iter().any(|missing| complaint.contains(missing)) {
        return leave_out(complaint.trim());
    }
    assert!(output.status.success(), "{complaint}");
    let expected = root.join("examples/firmware/expected/verify.txt");
    let expected = std::fs::read_to_string(expected).expect("part of the project");
    for line in expected.lines() {
        assert!(said.contains(line.trim()), "{line} is not in:\n{said}");
    }
}

/// Past the capture of output: whoever runs the tests must see it.
fn leave_out(why: &str) {
    let _ = writeln!(std::io::stderr(), "left out: programs on emulated boards ({why})");
}
