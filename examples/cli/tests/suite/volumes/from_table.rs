//! `check --from`: sets whose volumes are in the directories of many nodes.

use super::support::{go, qio, well};
use crate::common::linkstream;

#[test]
fn a_set_is_checked_where_the_table_says() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let set = qio("multi/part4_io2.lime");
    std::fs::write(folder.path().join("nodes"), "0 a\n1 b\n2 a/c\n")
        .expect("the temporary folder is writable");
    well(folder.path(), &[&"volumes", &"copy", &set, &"lat", &"--layout", &"nodes"]);
    // Without the table, no file of that name is found; with it, the set is reported.
    assert_eq!(go(folder.path(), &[&"check", &"lat"]).0, 2);
    let report = |name: &dyn AsRef<std::ffi::OsStr>, more: &[&dyn AsRef<std::ffi::OsStr>]| {
        let mut command = linkstream();
        command.current_dir(folder.path()).args(["check", "--json"]).arg(name);
        let output = command.args(more).output().expect("the program runs");
        let mut report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a line of JSON");
        for volume in report["volumes"].as_array_mut().expect("volumes") {
            let path = volume["file"].as_str().expect("a name").to_owned();
            let file = path.rsplit('/').next().expect("a name").replace("part4_io2.lime", "lat");
            volume["file"] = file.into();
        }
        report["file"] = "lat".into();
        report
    };
    let scattered = report(&"lat", &[&"--from", &"nodes"]);
    assert_eq!(scattered["verdict"], "ok");
    assert_eq!(scattered, report(&set, &[]));

    // A damaged volume, a missing volume, and a set without volumes.
    let volume = folder.path().join("a/c/lat.vol0002");
    let mut bytes = std::fs::read(&volume).expect("a volume");
    let last = bytes.len() - 900;
    bytes[last] ^= 1;
    std::fs::write(&volume, &bytes).expect("the temporary folder is writable");
    assert_eq!(go(folder.path(), &[&"check", &"lat", &"--from", &"nodes"]).0, 1);
    std::fs::remove_file(&volume).expect("a volume");
    assert_eq!(go(folder.path(), &[&"check", &"lat", &"--from", &"nodes"]).0, 1);
    let (status, said) = go(folder.path(), &[&"check", &"other", &"--from", &"nodes"]);
    assert!(status == 2 && said.contains("none of the paths in the table"), "{said}");
    // A missing table.
    let (status, said) = go(folder.path(), &[&"inspect", &"lat", &"--from", &"nothing"]);
    assert!(status == 2 && said.contains("nothing"), "{said}");
    assert_eq!(go(folder.path(), &[&"check", &"lat", &"--from", &"nodes", &"--volume"]).0, 2);
}
