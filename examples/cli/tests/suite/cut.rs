//! Files that end too early: what is before the cut is delivered on demand, and only files that have something before
//! it are said to be readable.

use tempfile::TempDir;

use crate::common::gauge::{fixture, go, refused, well};
use crate::common::lime::{put, read, record};
use crate::common::{reals, said, status};

const ADVICE: &str = "; --damaged reads the input nevertheless";
const SEVERAL: &str = "qio/single/many_records.lime";

/// The refusal of a command, which must not advise what does not help.
#[track_caller]
fn no_advice(folder: &TempDir, arguments: &[&str], words: &str) {
    for more in [&[][..], &["--damaged"]] {
        let output = go(folder, &[arguments, more].concat(), b"");
        let said = said(&output);
        assert!(status(&output) == 1 && said.contains(words) && !said.contains(ADVICE), "{said}");
        assert_eq!(said.contains("--damaged does not help"), !more.is_empty(), "{said}");
    }
}

#[test]
fn fields_before_a_cut_are_delivered() {
    let folder = TempDir::new().expect("a temporary folder");
    let whole = fixture(SEVERAL);
    put(&folder, "whole", &whole);
    well(&folder, &["export", "whole", "whole.npy", "--field", "0"], b"");
    // In a header, in a payload, and in the data of the last record.
    for missing in [8, 140, 200, 300] {
        put(&folder, "cut", &whole[..whole.len() - missing]);
        let export = ["export", "cut", "cut.npy", "--field", "0", "--force"];
        let output = go(&folder, &export, b"");
        assert!(status(&output) == 1 && said(&output).contains(ADVICE), "{}", said(&output));
        let told = well(&folder, &[&export[..], &["--damaged"]].concat(), b"");
        assert!(told.contains("cut is damaged"), "{told}");
        assert!(read(&folder, "cut.npy") == read(&folder, "whole.npy"), "{missing}");
        let convert = ["convert", "cut", "out", "--field", "0", "--force"];
        well(&folder, &[&convert[..], &["--damaged"]].concat(), b"");
        assert!(String::from_utf8_lossy(&read(&folder, "out")).contains("the input was damaged"));
        let differ = go(&folder, &["diff", "whole", "cut", "--damaged"], b"");
        assert_eq!(status(&differ), 1, "{}", said(&differ));
    }
}

#[test]
fn the_padding_of_the_last_record_is_no_loss() {
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "lat", fixture("qio/single/gauge_f3_4x4x4x8.lime"));
    well(&folder, &["convert", "lat", "ildg", "--to", "ildg", "--lfn", "lfn://a/b"], b"");
    well(&folder, &["export", "lat", "lat.npy"], b"");
    let whole = [read(&folder, "ildg"), record("text", b"1", true, true)].concat();
    put(&folder, "cut", &whole[..whole.len() - 3]);
    well(&folder, &["export", "cut", "cut.npy", "--damaged"], b"");
    assert!(read(&folder, "cut.npy") == read(&folder, "lat.npy"));
}

#[test]
fn what_cannot_be_read_is_not_said_to_be_readable() {
    let folder = TempDir::new().expect("a temporary folder");
    let whole = fixture("qio/single/gauge_f3_4x4x4x8.lime");
    put(&folder, "lat", &whole);
    for missing in [500, 100_000, whole.len() - 1000] {
        put(&folder, "cut", &whole[..whole.len() - missing]);
        no_advice(&folder, &["export", "cut", "out"], "the file ends inside");
        no_advice(&folder, &["convert", "cut", "out"], "the file ends inside");
    }
    put(&folder, "matrix", &reals(1, 2, &[1.0, 2.0])[..30]);
    no_advice(&folder, &["export", "matrix", "out"], "the file ends inside");
    well(&folder, &["convert", "lat", "set", "--volumes", "1x1x1x2"], b"");
    std::fs::remove_file(folder.path().join("set.vol0001")).expect("the folder is writable");
    no_advice(&folder, &["export", "set", "out"], "a volume is missing");
    no_advice(&folder, &["convert", "set", "out"], "a volume is missing");
    // Copies of volumes need not be complete.
    refused(&folder, &["volumes", "copy", "set", "copy"], b"", 1, ADVICE);
    well(&folder, &["volumes", "copy", "set", "copy", "--damaged"], b"");
}
