//! A run that is killed: the manifest is the old one or the new one.

use std::process::Stdio;
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;

use super::{go, manifest, put, store};
use crate::common::{said, status};

#[test]
fn the_manifest_is_whole_at_whatever_moment_an_update_is_killed() {
    let store = store();
    manifest(&store, &[]);
    for round in 0..24 {
        put(&store, "a/notes", format!("round {round}").as_bytes());
        let mut program = std::process::Command::new(cargo_bin("linkstream"));
        program.args(["check", "--manifest", "M", "--update", "--scrub", "1d", "store"]);
        program.current_dir(store.path()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = program.spawn().expect("the program runs");
        // The manifest must be whole, whenever the program is killed.
        std::thread::sleep(Duration::from_millis(4 * round));
        child.kill().expect("it is a child");
        child.wait().expect("it has ended");
        let output = go(&store, &["table", "--json", "M"]);
        assert_eq!(status(&output), 0, "round {round}: {}", said(&output));
        let table = String::from_utf8(output.stdout).expect("text");
        assert!(table.lines().count() >= 5, "round {round}: {table}");
    }
    let output = go(&store, &["check", "--manifest", "M", "--update", "store"]);
    assert!(matches!(status(&output), 0 | 3), "{}", said(&output));
}
