//! One program on one board, where this machine can build and emulate it. All programs on all boards are a stage of
//! the gate.

use std::path::Path;
use std::process::Command;

#[test]
#[cfg_attr(
    not(emulator),
    ignore = "no qemu-system-arm, no compiler for the board, or LINKSTREAM_SKIP_BOARDS=1"
)]
fn verify_says_on_a_board_what_it_should() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output = Command::new(env!("CARGO_BIN_EXE_boards"))
        .args(["on", "microbit", "verify"])
        .arg(root.join("examples/su3-4x4x4x8.lime"))
        .env("RUST_BACKTRACE", "0")
        .output()
        .expect("a program of this package");
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    let expected = root.join("examples/firmware/expected/verify.txt");
    let expected = std::fs::read_to_string(expected).expect("part of the project");
    for line in expected.lines() {
        assert!(said.contains(line.trim()), "{line} is not in:\n{said}");
    }
}
