//! `check` on sets, which are reported as one file.

use std::path::Path;

use host_tests::fixtures::Fixtures;
use serde_json::Value;

use super::support::well;
use crate::common::{linkstream, status};
use crate::ildg::boundaries::{file, open_in_t, unity};

/// The objects that `check` prints for some paths, and the exit status.
pub fn check(paths: &[&Path], options: &[&str]) -> (Vec<Value>, i32) {
    let output =
        linkstream().args(["check", "--json"]).args(options).args(paths).output().expect("the program runs");
    let text = String::from_utf8(output.stdout.clone()).expect("text");
    (text.lines().map(|line| serde_json::from_str(line).expect("an object")).collect(), status(&output))
}

pub fn rules(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|finding| finding["rule"].as_str().expect("a rule")).collect()
}

#[test]
fn a_set_is_found_by_each_of_its_names() {
    let folder = Fixtures::Ours.join("qio/multi");
    for (name, volumes, format) in [
        ("part2.lime", vec!["part2.lime.vol0000", "part2.lime.vol0001"], "partition"),
        // One file per I/O family of nodes, so that there are gaps between the numbers.
        ("part4_io2.lime", vec!["part4_io2.lime.vol0000", "part4_io2.lime.vol0002"], "partition"),
        ("multi2.lime", vec!["multi2.lime.vol0000", "multi2.lime.vol0001"], "multifile"),
        ("partdir2.lime", vec!["vol0000/partdir2.lime", "vol0001/partdir2.lime"], "partition-directory"),
    ] {
        for given in std::iter::once(&name).chain(&volumes) {
            let (reports, status) = check(&[&folder.join(given)], &[]);
            let [report] = &reports[..] else { panic!("{given}: {} reports", reports.len()) };
            assert_eq!((status, &report["verdict"]), (0, &"ok".into()), "{given}: {report}");
            assert_eq!(report["volume_format"], format);
            assert_eq!(report["file"].as_str(), folder.join(name).to_str());
            let files: Vec<_> = report["volumes"].as_array().expect("volumes").iter().collect();
            assert_eq!(files.len(), volumes.len());
            for (file, volume) in files.iter().zip(&volumes) {
                assert_eq!(file["file"].as_str(), folder.join(volume).to_str());
                assert_eq!((file["sites"].as_u64(), rules(&file["findings"])), (Some(72), vec![]), "{given}");
            }
        }
    }
}

/// The manifest's observables, which the generator computed from the field before dividing it.
#[test]
fn figures_are_those_of_the_whole_field() {
    let manifest = host_tests::manifest::load(Fixtures::Ours, "qio");
    let mut compared = 0;
    for entry in manifest.iter().filter(|entry| entry.set.is_some()) {
        let records = entry.logical_records();
        let Some((index, record)) = records.iter().enumerate().find(|(_, record)| record.plaquette.is_some())
        else {
            continue;
        };
        let path = entry.folder.join(&entry.path);
        let (reports, _) = check(&[&path], &[]);
        let field = &reports[0]["fields"][index];
        for (name, expected) in [("plaquette", record.plaquette), ("link_trace", record.link_trace)] {
            let (found, expected) = (field[name].as_f64().expect("a figure"), expected.expect("a figure"));
            assert!((found - expected).abs() < 1e-9, "{} {name}: {found} and {expected}", entry.path);
        }
        compared += 1;
    }
    assert!(compared >= 6, "{compared}");
}

#[test]
fn a_folder_has_each_set_once() {
    let (reports, status) = check(&[&Fixtures::Ours.join("qio/multi")], &["--no-observables"]);
    let formats: Vec<_> =
        reports.iter().map(|report| report["volume_format"].as_str().unwrap_or("")).collect();
    let count = |format| formats.iter().filter(|found| **found == format).count();
    assert_eq!((status, reports.len()), (0, 10), "{formats:?}");
    assert_eq!(
        ["single", "partition", "partition-directory", "multifile"].map(count),
        [1, 5, 1, 3],
        "{formats:?}"
    );
}

#[test]
fn a_volume_alone_is_sound() {
    let folder = Fixtures::Ours.join("qio/multi");
    for (number, name) in
        ["part4.lime.vol0000", "part4.lime.vol0001", "part4.lime.vol0003"].into_iter().enumerate()
    {
        let (reports, status) = check(&[&folder.join(name)], &["--volume"]);
        let report = &reports[0];
        assert_eq!((status, rules(&report["findings"])), (0, vec![]), "{name}: {report}");
        assert_eq!(report["verdict"], "unverified");
        assert_eq!(report["volumes"][0]["sites"], 36);
        assert_eq!(report["volume_format"].is_null(), number > 0);
    }
    // Errors in a single volume are found.
    let broken = Fixtures::Ours.join("broken/part/volume-data-truncated/p.lime.vol0001");
    let (reports, status) = check(&[&broken], &["--volume"]);
    assert_eq!((status, rules(&reports[0]["findings"])), (1, vec!["lime-payload-truncated"]));
}

#[test]
fn broken_sets_fail_with_the_volume_that_is_wrong() {
    let folder = Fixtures::Ours.join("broken/part");
    for (set, expected) in [
        ("good", None),
        ("sitelist-64bit", None),
        ("sitelist-duplicate", Some((0, "volume-site-repeated"))),
        ("sitelist-length-odd", Some((0, "volume-site-list-length"))),
        ("sitelist-missing-rank", Some((0, "volume-site-list-sites"))),
        ("sitelist-out-of-range", Some((0, "volume-site-outside"))),
        ("sitelist-little-endian", Some((0, "volume-site-outside"))),
        ("sitelist-permuted", Some((0, "volume-sites-unordered"))),
        ("sitelist-overlap", Some((1, "volume-site-repeated"))),
        ("volume-data-truncated", Some((1, "lime-payload-truncated"))),
        ("volume-same-twice", Some((1, "volume-first-repeated"))),
        ("volume-missing", None),
        ("volumes-swapped", None),
    ] {
        let (reports, status) = check(&[&folder.join(set).join("p.lime")], &[]);
        let report = &reports[0];
        assert_eq!(status == 0, ["good", "sitelist-64bit"].contains(&set), "{set}: {report}");
        if let Some((volume, rule)) = expected {
            let of_volume = rules(&report["volumes"][volume]["findings"]);
            assert!(of_volume.contains(&rule), "{set}: {report}");
            // The first finding contains the name of the volume's file.
            let first = &report["findings"][0];
            let name = format!("p.lime.vol{volume:04}");
            assert!(first["message"].as_str().is_some_and(|text| text.starts_with(&name)), "{set}: {first}");
        }
    }
    let (reports, _) = check(&[&folder.join("volume-missing/p.lime")], &[]);
    assert_eq!(rules(&reports[0]["findings"]), ["volume-missing"]);
    let (reports, _) = check(&[&folder.join("volumes-swapped/p.lime.vol0000")], &[]);
    assert_eq!(rules(&reports[0]["findings"]), ["volume-first-misplaced"]);
    // The data are unambiguous, because the site lists determine the volume of each site.
    let (reports, status) = check(&[&folder.join("volumes-swapped/p.lime.vol0000")], &["--lenient"]);
    assert_eq!((status, &reports[0]["verdict"]), (0, &"ok".into()));
}

/// A name that neither a file nor a volume has.
#[test]
fn a_set_without_volumes_cannot_be_read() {
    let (_, status) = check(&[&Fixtures::Ours.join("qio/multi/absent.lime")], &[]);
    assert_eq!(status, 2);
}

/// Most programs read only single files, whatever the content.
#[test]
fn sets_are_read_by_what_reads_through_qio() {
    let set = Fixtures::Ours.join("qio/multi/part2_ildg.lime");
    let (reports, status) = check(&[&set], &["--for", "all"]);
    assert_eq!(status, 0);
    let readers = reports[0]["readers"].as_array().expect("a list");
    let accepted: Vec<_> = readers.iter().filter(|reader| reader["answer"] == "accepted").collect();
    assert_eq!(accepted.len(), 4, "{readers:?}");
    assert!(accepted.iter().all(|reader| {
        let message = reader["reasons"][0]["message"].as_str();
        message.is_some_and(|message| message.contains("spread over several volumes"))
    }));
    assert_eq!(check(&[&set], &["--for", "grid"]).1, 1);
    assert_eq!(check(&[&set], &["--for", "milc"]).1, 0);
}

/// The lattice in the first volume is unreadable. This is the error reported, as opposed to an empty set.
#[test]
fn a_document_that_cannot_be_read_is_an_error() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [first, other] = &super::support::volumes(&super::support::qio("multi/part2.lime"), &[0, 1])[..]
    else {
        panic!("the set must have two volumes")
    };
    let mut broken = first.clone();
    let at = broken.windows(8).position(|window| window == b"4 2 3 6 ").expect("a lattice");
    broken[at..at + 8].copy_from_slice(b"4 2 3x6 ");
    std::fs::write(folder.path().join("lat.vol0000"), broken).expect("the temporary folder is writable");
    std::fs::write(folder.path().join("lat.vol0001"), other).expect("the temporary folder is writable");
    let (reports, status) = check(&[&folder.path().join("lat")], &[]);
    let found = &reports[0]["volumes"][0]["findings"];
    assert!(status == 1 && rules(found).iter().any(|rule| rule.starts_with("xml-")), "{}", reports[0]);
}

/// Observables, sums of words and boundaries require all sites of the field, each exactly once.
#[test]
fn data_that_are_not_whole_are_not_examined() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("open.ildg"), file(&open_in_t(unity(), 36), false).0)
        .expect("the temporary folder is writable");
    for (input, figure) in
        [(Fixtures::Ours.join("qio/nersc/n3x3_f.nersc"), "recorded"), (path("open.ildg"), "open")]
    {
        well(folder.path(), &[&"convert", &input, &"set", &"--volumes", &"2", &"--force"]);
        let (reports, _) = check(&[&path("set")], &[]);
        let whole = &reports[0]["fields"][0];
        assert!(whole["plaquette"].is_number() && !whole[figure].is_null(), "{whole}");
        let second = std::fs::read(path("set.vol0001")).expect("a volume");
        // The same file twice: each site exists, but the set is refused.
        std::fs::hard_link(path("set.vol0001"), path("set.vol0002")).expect("a link");
        unexamined(&path("set"), true);
        std::fs::remove_file(path("set.vol0002")).expect("a volume");
        // The entry of the second site repeats the first, so that one site is missing.
        let mut damaged = second.clone();
        damaged.copy_within(144..148, 148);
        std::fs::write(path("set.vol0001"), &damaged).expect("the temporary folder is writable");
        unexamined(&path("set"), false);
    }
}

/// Expects that the only field of a set has no computed value but a checksum, and that only if each site has come once.
fn unexamined(set: &Path, is_right: bool) {
    for options in [&[][..], &["--no-observables"]] {
        let (reports, status) = check(&[set], options);
        let (report, field) = (&reports[0], &reports[0]["fields"][0]);
        assert_eq!(status, 1);
        let suma = &field["checksums"][0];
        let expected = if is_right { &suma["stored"] } else { &Value::Null };
        assert_eq!(&suma["computed"], expected, "{report}");
        for name in ["open", "plaquette"] {
            assert!(field[name].is_null(), "{name} {options:?}: {report}");
        }
        let recorded = field["recorded"].as_array().into_iter().flatten();
        assert!(recorded.into_iter().all(|figure| figure["computed"].is_null()), "{options:?}: {report}");
        assert!(!rules(&report["findings"]).contains(&"recorded-checksum-differs"), "{options:?}: {report}");
    }
}

/// Copies the volumes of a set with their numbers replaced, and with another `volfmt`.
fn renumbered(set: &str, numbers: &[(u64, u64)], format: u8) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (from, to) in numbers {
        let mut bytes = Fixtures::Ours.read(&format!("qio/multi/{set}.vol{from:04}"));
        let tag = b"<volfmt>";
        if let Some(at) = bytes.windows(tag.len()).position(|window| window == tag) {
            bytes[at + tag.len()] = format;
        }
        std::fs::write(folder.path().join(format!("s.vol{to:04}")), bytes).expect("a file");
    }
    folder
}

/// Runs the program on a set. Returns its exit status and its output.
fn said_by(arguments: &[&str], set: &Path) -> (Option<i32>, String) {
    let output = linkstream().args(arguments).arg(set).output().expect("the program runs");
    (output.status.code(), String::from_utf8(output.stdout).expect("text"))
}

/// QIO 3.0 opens these sets on the nodes that wrote them, or not.
#[test]
fn sets_that_qio_does_not_find_are_refused() {
    for (set, numbers, format, accepts) in [
        ("part4.lime", &[(0, 0), (1, 1), (2, 2), (3, 3)][..], b'2', true),
        ("part4_io2.lime", &[(0, 0), (2, 2)], b'2', true),
        ("multi4.lime", &[(0, 0), (1, 1), (2, 2), (3, 3)], b'1', true),
        ("part4.lime", &[(0, 0), (1, 2), (2, 1), (3, 3)], b'2', false),
        ("part4.lime", &[(0, 0), (1, 1), (2, 2), (3, 5)], b'2', false),
        ("multi4.lime", &[(0, 0), (1, 1), (2, 2), (3, 5)], b'1', false),
        ("part4.lime", &[(0, 0), (1, 1), (2, 2), (3, 3)], b'3', false),
    ] {
        let folder = renumbered(set, numbers, format);
        let (reports, code) = check(&[&folder.path().join("s")], &["--lenient", "--for", "qio"]);
        let reader = &reports[0]["readers"][0];
        assert_eq!(reader["answer"] != "refused", accepts, "{set} {numbers:?}: {reader}");
        assert_eq!(code, i32::from(!accepts), "{set} {numbers:?}: {}", reports[0]["findings"]);
        // The line about a refusal has its reason, not the remark that comes first.
        let name = folder.path().join("s");
        let (_, said) = said_by(&["check", "-q", "--lenient", "--for", "qio"], &name);
        let refusal = said.split_once("QIO: refused: ").map(|(_, why)| why);
        assert!(refusal.is_some_and(|why| !why.starts_with("the field is spread")) != accepts, "{said}");
    }
}

#[test]
fn missing_volumes_are_named() {
    for (set, numbers, names) in [
        ("part4.lime", &[0, 1, 3][..], "; by their numbers and sites: vol0002"),
        ("part4.lime", &[0, 3], "; by their numbers and sites: vol0001, vol0002"),
        ("part4.lime", &[0, 2], "; by their numbers and sites: vol0001, vol0003"),
        ("part4.lime", &[0, 1], "; by their numbers and sites: vol0002, vol0003"),
        // One volume does not show how many nodes share one.
        ("part4_io2.lime", &[0], "in no volume"),
        ("part4.lime", &[0], "in no volume"),
    ] {
        let pairs: Vec<_> = numbers.iter().map(|number| (*number, *number)).collect();
        let folder = renumbered(set, &pairs, b'2');
        let (reports, code) = check(&[&folder.path().join("s")], &[]);
        let finding = &reports[0]["findings"][0];
        assert_eq!((code, &finding["rule"]), (1, &"volume-missing".into()));
        assert!(
            finding["message"].as_str().is_some_and(|text| text.ends_with(names)),
            "{numbers:?} {finding}"
        );
    }
    // Without a number in its name.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let alone = folder.path().join("x.lime");
    std::fs::copy(super::support::qio("multi/part4.lime.vol0000"), &alone).expect("a file");
    let (reports, _) = check(&[&alone], &[]);
    let message = reports[0]["findings"][0]["message"].as_str().expect("text");
    assert!(message.ends_with("in no volume"), "{message}");
}
