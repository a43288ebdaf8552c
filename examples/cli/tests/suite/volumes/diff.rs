//! `diff` of sets with single files and with other sets.

use super::support::{go, qio, well};
use crate::common::linkstream;

#[test]
fn a_set_is_compared_as_one_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (single, set) = (qio("convert/sci_single.lime"), qio("convert/sci_part4.lime"));
    let diff =
        |a: &dyn AsRef<std::ffi::OsStr>, b: &dyn AsRef<std::ffi::OsStr>| go(folder.path(), &[&"diff", a, b]);
    well(folder.path(), &[&"volumes", &"copy", &set, &"lat", &"--layout", &"directory"]);
    for other in [folder.path().join("lat"), folder.path().join("vol0001/lat"), single.clone()] {
        let (status, said) = diff(&set, &other);
        assert_eq!(status, 0, "{said}");
    }
    // Changes one bit in the data of one volume.
    let volume = folder.path().join("vol0003/lat");
    let mut bytes = std::fs::read(&volume).expect("a volume");
    let at = bytes.windows(18).position(|bytes| bytes == b"scidac-binary-data").expect("data") + 128 + 100;
    bytes[at] ^= 0x40;
    std::fs::write(&volume, &bytes).expect("the temporary folder is writable");
    for (a, b) in [(&single, &folder.path().join("lat")), (&folder.path().join("lat"), &set)] {
        assert_eq!(diff(a, b).0, 2);
        let output = linkstream()
            .args(["diff", "--json", "--damaged"])
            .args([a, b])
            .output()
            .expect("the program runs");
        let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("an object");
        assert_eq!(object["data"][0]["differing"], 1, "{object}");
    }
    // The message contains the name of the side that lacks a volume.
    std::fs::remove_file(&volume).expect("a volume");
    let (status, said) = diff(&single, &"lat");
    assert!(status == 2 && said.contains("lat"), "{status} {said}");
    let (status, said) = diff(&"nothing", &"lat");
    assert!(status == 2 && said.contains("nothing"), "{status} {said}");
}
