//! A file is a volume because of its content, not only because of its name.

use std::path::Path;

use super::check::{check, rules};
use super::support::{go, qio, volumes, well};
use crate::common::run;

/// Writes the volumes of `multi/part2.lime` to a directory.
fn set_in(folder: &Path, name: &str) {
    for (number, bytes) in volumes(&qio("multi/part2.lime"), &[0, 1]).into_iter().enumerate() {
        std::fs::write(folder.join(format!("{name}.vol{number:04}")), bytes)
            .expect("the temporary folder is writable");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_need_not_be_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let folder = tempfile::tempdir().expect("a temporary folder");
    let single = qio("convert/sci_single.lime");
    for (layout, name) in [("same", &b"l\xe4t"[..]), ("directory", b"deep/l\xe4t")] {
        let name = OsStr::from_bytes(name);
        well(folder.path(), &[&"convert", &single, &name, &"--volumes", &"2", &"--layout", &layout]);
        let (reports, status) = check(&[&folder.path().join(name)], &[]);
        assert_eq!((status, reports[0]["volumes"].as_array().map(Vec::len)), (0, Some(2)));
        assert!(reports[0]["file_hex"].as_str().is_some_and(|hex| hex.ends_with("6ce474")), "{}", reports[0]);
        well(folder.path(), &[&"convert", &name, &"back", &"--force"]);
        assert!(std::fs::read(folder.path().join("back")).ok() == std::fs::read(&single).ok());
    }
}

/// The name of a file or of its directory can look like the name of a volume by accident.
#[test]
fn a_single_file_may_be_called_like_a_volume() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let single = qio("convert/sci_single.lime");
    std::fs::create_dir(folder.path().join("vol0001")).expect("the temporary folder is writable");
    for name in ["lat.vol0003", "vol0001/lat.lime"] {
        let path = folder.path().join(name);
        std::fs::copy(&single, &path).expect("the temporary folder is writable");
        for given in [&path, folder.path()] {
            let (reports, status) = check(&[given], &["--no-observables"]);
            assert_eq!((status, reports.len()), (0, 1), "{name}: {reports:?}");
            assert_eq!(
                (&reports[0]["verdict"], &reports[0]["volumes"]),
                (&"ok".into(), &serde_json::Value::Null)
            );
        }
        assert_eq!(check(&[&path], &["--volume"]).1, 0);
        well(folder.path(), &[&"convert", &path, &"out", &"--force"]);
        let (status, said) = go(folder.path(), &[&"volumes", &"copy", &path, &"copy"]);
        assert!(status == 2 && said.contains("not a file set"), "{said}");
        std::fs::remove_file(&path).expect("a file");
        std::fs::remove_file(folder.path().join("out")).expect("a file");
    }
    // Files of other formats, and of no known format.
    std::fs::copy(qio("nersc/n3x3_f.nersc"), folder.path().join("archive.vol0000"))
        .expect("the temporary folder is writable");
    std::fs::write(folder.path().join("vol0001/notes"), "text").expect("the temporary folder is writable");
    assert_eq!(check(&[&folder.path().join("archive.vol0000")], &[]).1, 0);
    let (reports, _) = check(&[&folder.path().join("vol0001/notes")], &[]);
    assert_eq!(rules(&reports[0]["findings"]), ["format-unknown"]);
}

/// Among volumes, a single file is an error of the set; read on its own, it is valid.
#[test]
fn a_single_file_among_volumes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    set_in(folder.path(), "lat");
    let other = folder.path().join("lat.vol0002");
    std::fs::copy(qio("convert/sci_single.lime"), &other).expect("the temporary folder is writable");
    assert_eq!(check(&[&other], &[]).1, 0);
    let (reports, status) = check(&[&folder.path().join("lat")], &[]);
    let of_volume = rules(&reports[0]["volumes"][2]["findings"]);
    assert!(status == 1 && of_volume.contains(&"volume-single-file"), "{}", reports[0]);
    // A file damaged beyond recognition is taken for the volume that its name denotes.
    std::fs::write(&other, "").expect("the temporary folder is writable");
    let (reports, status) = check(&[&other], &[]);
    assert_eq!((status, reports[0]["volumes"].as_array().map(Vec::len)), (1, Some(3)), "{}", reports[0]);
}

#[test]
fn a_volume_alone_is_one_by_any_name() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    set_in(folder.path(), "lat");
    std::fs::create_dir(folder.path().join("vol0001")).expect("the temporary folder is writable");
    for (number, name) in [(0, "renamed"), (1, "vol0001/lat"), (1, "other.lime")] {
        let path = folder.path().join(name);
        std::fs::copy(folder.path().join(format!("lat.vol000{number}")), &path)
            .expect("the temporary folder is writable");
        let (reports, status) = check(&[&path], &["--volume"]);
        assert_eq!((status, rules(&reports[0]["findings"])), (0, vec![]), "{name}: {}", reports[0]);
        assert_eq!(reports[0]["volumes"][0]["sites"], 72);
        // Without the option, the other volumes are reported as missing.
        let (reports, status) = check(&[&path], &[]);
        let missing = if number == 0 { "volume-missing" } else { "volume-first-missing" };
        assert!(status == 1 && rules(&reports[0]["findings"]).contains(&missing), "{name}: {}", reports[0]);
        let bytes = std::fs::read(&path).expect("a volume");
        for (options, expected) in [(&["--volume"][..], 0), (&[], 1)] {
            let output = run(&[&["check", "--json", "-"], options].concat(), bytes.clone());
            let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one object");
            assert_eq!(output.status.code(), Some(expected), "{name}: {report}");
            assert_eq!(report["volumes"][0]["sites"], 72, "{name}: {report}");
        }
    }
    // Inside its directory, the volume does not have the name of one.
    let output = crate::common::linkstream()
        .args(["check", "--volume", "lat"])
        .current_dir(folder.path().join("vol0001"))
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{output:?}");
    // The name of a set means all of its volumes.
    let (reports, status) = check(&[&folder.path().join("lat")], &["--volume"]);
    assert_eq!((status, reports.len()), (0, 2), "{reports:?}");
}

/// A path that begins inside the directory of a volume does not contain the name of this directory.
#[test]
fn a_set_is_whole_from_inside_its_folders() {
    for volume in ["vol0000", "vol0001"] {
        for path in ["partdir2.lime", "./partdir2.lime"] {
            let output = crate::common::linkstream()
                .args(["check", "--quiet", path])
                .current_dir(qio("multi").join(volume))
                .output()
                .expect("the program runs");
            assert!(output.status.success(), "{volume} {path}: {output:?}");
        }
    }
}

/// The site lists identify the data whatever the names of the files are, so that this is only a warning.
#[test]
fn swapped_volumes_are_noticed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (number, place) in [(0, 0), (1, 3), (2, 2), (3, 1)] {
        let from = qio(&format!("multi/part4.lime.vol000{number}"));
        std::fs::copy(from, folder.path().join(format!("lat.vol000{place}")))
            .expect("the temporary folder is writable");
    }
    let (reports, status) = check(&[&folder.path().join("lat")], &[]);
    assert_eq!((status, rules(&reports[0]["findings"])), (0, vec!["volume-order"; 2]), "{}", reports[0]);
    let found = |volume: usize| rules(&reports[0]["volumes"][volume]["findings"]).len();
    assert_eq!([0, 1, 2, 3].map(found), [0, 0, 1, 1]);
    let (status, said) = go(folder.path(), &[&"convert", &"lat", &"out"]);
    assert!(status == 0 && said.contains("lat.vol0002: at byte 144: its sites precede"), "{said}");
}

#[cfg(unix)]
#[test]
fn two_names_of_one_file_are_no_two_volumes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    set_in(folder.path(), "lat");
    let second = folder.path().join("lat.vol0002");
    for is_symbolic in [true, false] {
        if is_symbolic {
            std::os::unix::fs::symlink("lat.vol0001", &second).expect("a link");
        } else {
            std::fs::hard_link(folder.path().join("lat.vol0001"), &second).expect("a link");
        }
        let (reports, status) = check(&[&folder.path().join("lat")], &[]);
        let found = &reports[0]["volumes"][2]["findings"];
        assert_eq!((status, rules(found)), (1, vec!["volume-file-repeated"]), "{}", reports[0]);
        assert!(found[0]["message"].as_str().is_some_and(|text| text.contains("lat.vol0001")));
        let (status, said) = go(folder.path(), &[&"convert", &"lat", &"out"]);
        assert!(status == 1 && said.contains("same file"), "{said}");
        std::fs::remove_file(&second).expect("a link");
    }
}
