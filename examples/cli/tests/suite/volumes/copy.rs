//! `volumes copy`.

use super::support::{go, qio, tree, volumes, well};

#[test]
fn volumes_go_to_folders_and_back() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let set = qio("multi/part4_io2.lime");
    let expected = volumes(&set, &[0, 2]);
    well(folder.path(), &[&"volumes", &"copy", &set, &"staged/lat", &"--layout", &"directory"]);
    assert!(volumes(&folder.path().join("staged/lat"), &[0, 2]) == expected);
    well(folder.path(), &[&"volumes", &"copy", &"staged/lat", &"lat"]);
    assert!(volumes(&folder.path().join("lat"), &[0, 2]) == expected);
    std::fs::write(folder.path().join("nodes"), "0 a\n1 b\n2 a/c\n")
        .expect("the temporary folder is writable");
    well(folder.path(), &[&"volumes", &"copy", &"lat.vol0002", &"lat", &"--layout", &"nodes"]);
    assert_eq!(tree(&folder.path().join("a")), ["c/", "c/lat.vol0002", "lat.vol0000"]);
    well(folder.path(), &[&"volumes", &"copy", &"lat", &"again", &"--from", &"nodes"]);
    assert!(volumes(&folder.path().join("again"), &[0, 2]) == expected);
}

#[test]
fn a_set_that_is_damaged_is_not_copied() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let broken = host_tests::fixtures::Fixtures::Ours.join("broken/part");
    for set in ["volume-missing", "sitelist-overlap", "volume-data-truncated"] {
        let input = broken.join(set).join("p.lime");
        let (status, said) =
            go(folder.path(), &[&"volumes", &"copy", &input, &"deep/p", &"--layout", &"directory"]);
        assert_eq!((status, tree(folder.path())), (1, vec![]), "{set}: {said}");
        assert!(said.contains(&input.display().to_string()), "{said}");
    }
    // Refused as by `check`, except with the option for broken rules that do not affect data.
    let swapped = broken.join("volumes-swapped/p.lime");
    let (status, said) = go(folder.path(), &[&"volumes", &"copy", &swapped, &"p"]);
    // The messages name the volume of the source.
    assert!(status == 1 && said.contains("p.lime.vol0001") && !said.contains("p.vol0001"), "{said}");
    assert!(said.contains("they may be swapped"), "{said}");
    assert_eq!(tree(folder.path()), [""; 0]);
    well(folder.path(), &[&"volumes", &"copy", &"--lenient", &swapped, &"deep/p", &"--layout", &"directory"]);
    std::fs::remove_dir_all(folder.path().join("deep")).expect("a folder");
    // A changed number, which only the checksum of the whole set detects.
    let set = qio("multi/part2.lime");
    for (number, mut bytes) in volumes(&set, &[0, 1]).into_iter().enumerate() {
        let middle = bytes.len() - 100 * number;
        bytes[middle - 1] ^= u8::try_from(number).expect("0 or 1");
        std::fs::write(folder.path().join(format!("bad.vol000{number}")), bytes)
            .expect("the temporary folder is writable");
    }
    let (status, said) = go(folder.path(), &[&"volumes", &"copy", &"bad", &"copy"]);
    assert_eq!((status, said.contains("checksum")), (1, true), "{said}");
    let (status, _) = go(folder.path(), &[&"volumes", &"copy", &"absent", &"copy"]);
    assert_eq!((status, tree(folder.path())), (2, vec!["bad.vol0000".into(), "bad.vol0001".into()]));
}

/// A set is copied with that warning, with or without the option for broken rules.
#[test]
fn other_volumes_that_may_be_swapped_are_copied_with_a_warning() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (from, to) in [(0, 0), (1, 3), (2, 2), (3, 1)] {
        let path = folder.path().join(format!("lat.vol000{to}"));
        std::fs::copy(qio(&format!("multi/part4.lime.vol000{from}")), path).expect("it is writable");
    }
    for options in [&[][..], &[&"--lenient" as &dyn AsRef<std::ffi::OsStr>, &"--force"]] {
        let copy: [&dyn AsRef<std::ffi::OsStr>; 4] = [&"volumes", &"copy", &"lat", &"copy"];
        let (status, said) = go(folder.path(), &[&copy, options].concat());
        let words = "warning: at byte 144: lat.vol0002: its sites precede the sites of a volume with a lower";
        assert!(status == 0 && said.contains(words), "{said}");
    }
    let help = crate::common::linkstream().args(["volumes", "copy", "--help"]).output().expect("help");
    assert!(!String::from_utf8_lossy(&help.stdout).contains("such as swapped volumes"));
}

/// A name that cannot be resolved is part of the message.
#[test]
#[cfg(unix)]
fn errors_name_the_set() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::os::unix::fs::symlink("loop", folder.path().join("loop")).expect("a link");
    let (status, said) = go(folder.path(), &[&"volumes", &"copy", &"loop", &"out"]);
    assert!(status == 2 && said.contains("loop: Too many levels"), "{status}: {said}");
}
