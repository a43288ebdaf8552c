//! The report on a set equals that on a single file with the same fields.

use std::path::{Path, PathBuf};

use host_tests::fixtures::Fixtures;
use serde_json::Value;

use super::check::{check, rules};
use super::support::{qio, well};
use crate::ildg::boundaries::{LINK, SITE, file, open_in_t, unity};

/// Converts a set to a single file and compares the reports, except the places of records.
fn compare(set: &Path, folder: &Path, options: &[&str]) -> Value {
    well(folder, &[&"convert", &"--force", &set, &"whole"]);
    let whole = folder.join("whole");
    let (of_set, status_of_set) = check(&[set], options);
    let (of_file, status) = check(&[&whole], options);
    assert_eq!(status_of_set, status, "{}: {} {}", set.display(), of_set[0], of_file[0]);
    let (of_set, of_file) = (without_places(&of_set[0]), without_places(&of_file[0]));
    for name in ["fields", "usqcd", "verdict"] {
        assert_eq!(of_set[name], of_file[name], "{} {options:?} {name}", set.display());
    }
    let found = |report: &Value| -> Vec<String> {
        rules(&report["findings"]).into_iter().map(str::to_owned).collect()
    };
    assert_eq!(found(&of_set), found(&of_file), "{}: {} {}", set.display(), of_set, of_file);
    of_set
}

fn without_places(report: &Value) -> Value {
    match report {
        Value::Object(object) => {
            let all = object.iter().filter(|(name, _)| !["offset", "data_offset"].contains(&name.as_str()));
            Value::Object(all.map(|(name, value)| (name.clone(), without_places(value))).collect())
        }
        Value::Array(list) => Value::Array(list.iter().map(without_places).collect()),
        other => other.clone(),
    }
}

/// Every valid set of the fixtures, with and without observables.
#[test]
fn fixtures() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut compared = 0;
    for set in [
        "multi/multi2.lime",
        "multi/multi3_uneven.lime",
        "multi/multi4.lime",
        "multi/part2.lime",
        "multi/part2_ildg.lime",
        "multi/part3_uneven.lime",
        "multi/part4.lime",
        "multi/part4_io2.lime",
        "multi/partdir2.lime",
        "convert/alien_part.lime",
        "convert/ildg_part4.lime",
        "convert/sci_part4.lime",
        "convert/sci_ppfs.lime",
    ] {
        for options in [&[][..], &["--no-observables"], &["--slices", "--lenient"]] {
            let report = compare(&qio(set), folder.path(), options);
            compared += report["fields"].as_array().map_or(0, Vec::len);
        }
    }
    assert!(compared > 60, "{compared}");
}

/// Divides a file into volumes in every layout and compares the reports.
fn divided(file: &Path, volumes: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, layout) in [("set", "same"), ("other", "directory")] {
        well(folder.path(), &[&"convert", &file, &name, &"--volumes", &volumes, &"--layout", &layout]);
        let report = compare(&folder.path().join(name), folder.path(), &[]);
        assert!(report["fields"].as_array().is_some_and(|fields| !fields.is_empty()), "{report}");
    }
}

#[test]
fn usqcd_formats() {
    let folder = Fixtures::Ours.join("qio/usqcd");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("fixtures") {
        let path: PathBuf = entry.expect("an entry").path();
        let (reports, _) = check(&[&path], &["--no-observables"]);
        if !reports[0]["usqcd"].is_object() {
            continue;
        }
        divided(&path, "2x1x2");
        count += 1;
    }
    assert!(count == 7, "{count}");
}

/// The NERSC checksum in the record XML.
#[test]
fn sums_of_words() {
    for file in ["nersc/n3x2_f.lime", "nersc/n3x3_d.lime", "nersc/n3x2_f_badsum.lime"] {
        let (reports, _) = check(&[&qio(file)], &[]);
        let recorded = reports[0]["fields"][0]["recorded"].as_array().expect("figures");
        let sum = recorded.iter().find(|figure| figure["quantity"] == "nersc_checksum").expect("a checksum");
        assert!(!sum["computed"].is_null(), "{sum}");
        divided(&qio(file), "2x2");
    }
}

#[test]
fn open_boundaries() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("open.ildg");
    std::fs::write(&path, file(&open_in_t(unity(), 36), false).0).expect("the temporary folder is writable");
    divided(&path, "2");
    well(folder.path(), &[&"convert", &path, &"set", &"--volumes", &"1x3x1x2"]);
    for options in [&[][..], &["--no-observables"]] {
        let (reports, status) = check(&[&folder.path().join("set")], options);
        let open = &reports[0]["fields"][0]["open"];
        assert_eq!(
            (status, open),
            (0, &serde_json::json!([{"direction": "t", "links": 12}])),
            "{}",
            reports[0]
        );
    }
}

/// A part of the last slice is open, beginning with a site of the second volume.
#[test]
fn findings_in_data_are_at_their_place_in_a_volume() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("mixed.ildg");
    std::fs::write(&path, file(&open_in_t(unity(), 41), false).0).expect("the temporary folder is writable");
    well(folder.path(), &[&"convert", &path, &"set", &"--volumes", &"2", &"--damaged"]);
    let (reports, status) = check(&[&folder.path().join("set")], &[]);
    let finding = &reports[0]["volumes"][1]["findings"][0];
    assert_eq!((status, &finding["rule"]), (1, &"ildg-boundary-mixed".into()), "{}", reports[0]);
    // The offset in the second volume: after the header and 24 entries of the site list and the header of the data, 20
    // sites of this volume have a lower rank.
    assert_eq!(finding["offset"], 144 + 24 * 4 + 144 + 20 * SITE + 3 * LINK);
}
