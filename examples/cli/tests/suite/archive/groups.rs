//! Archives of SU(N), as Grid, GLU and QDP++ write them.

use crate::common::gauge::{data, fixture, go, payloads};
use crate::common::lime::put;
use crate::common::{report, said, status};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Name, number of colors, rows and precision of each archive.
const GOOD: [(&str, u64, u64, u64); 5] = [
    ("03-grid-su2-full", 2, 2, 64),
    ("03-grid-su4-reduced", 4, 3, 64),
    ("03b-glu-su2-reduced-f32le", 2, 1, 32),
    ("03c-qdp-su5-full-f32", 5, 5, 32),
    ("03d-grid-su4-full-ieee64", 4, 4, 64),
];

/// The sum of words, and the plaquette and the link trace of N colors.
#[test]
fn they_are_verified_and_measured() {
    for (name, colors, rows, bits) in GOOD {
        let (found, code) = report("check", &fixture(&format!("foreign/{name}.nersc")), &[]);
        assert_eq!((&found["verdict"], code), (&serde_json::json!("ok"), 0), "{name}: {found}");
        assert_eq!(found["findings"], serde_json::json!([]), "{name}");
        let field = &found["fields"][0];
        let shape = [&field["links"]["rows"], &field["links"]["columns"], &field["precision"]];
        assert_eq!(shape.map(|number| number.as_u64().expect("a number")), [rows, colors, bits], "{name}");
        let recorded = field["recorded"].as_array().expect("a list");
        assert_eq!(recorded.len(), 2, "{name}");
        assert!(recorded.iter().all(|one| one["agrees"] == serde_json::json!(true)), "{name}: {field}");
    }
}

/// ILDG has a kind for each SU(N). A SciDAC file keeps the header, whose figures still agree, and the archive that is made
/// of it has the same links.
#[test]
fn they_are_converted_there_and_back() {
    for (name, colors, rows, _) in GOOD {
        let (folder, original) = (folder(), fixture(&format!("foreign/{name}.nersc")));
        let convert = |file: &[u8], options: &[&str]| {
            let output = go(&folder, &[&["convert", "-", "-"], options].concat(), file);
            assert_eq!(status(&output), 0, "{name} {options:?}: {}", said(&output));
            output.stdout
        };
        let ildg = convert(&original, &["--to", "ildg", "--lfn", "lfn://a"]);
        let format = String::from_utf8(payloads(&ildg, "ildg-format").remove(0)).expect("text");
        assert!(format.contains(&format!("<field>su{colors}gauge</field>")), "{name}: {format}");
        let both = convert(&original, &["--to", "both", "--lfn", "lfn://a"]);
        for file in [&ildg, &both] {
            let (found, code) = report("check", file, &[]);
            assert_eq!((&found["verdict"], code), (&serde_json::json!("ok"), 0), "{name}: {found}");
            assert_eq!(found["findings"], serde_json::json!([]), "{name}");
            assert!(data(file) == data(&ildg), "{name}");
        }
        let kept = if rows < colors { "reduced" } else { "full" };
        let back = convert(&both, &["--to", "nersc", "--rows", kept]);
        let (found, _) = report("check", &back, &[]);
        assert_eq!(found["verdict"], "ok", "{name}: {found}");
        assert_eq!(found["fields"][0]["links"]["rows"].as_u64(), Some(rows), "{name}");
        put(&folder, "back", &back);
        put(&folder, "original", &original);
        let output = go(&folder, &["diff", "original", "back"], b"");
        let differences = String::from_utf8(output.stdout).expect("text");
        assert!(differences.contains("none differs"), "{name}: {differences}");
        let length = 2 * 4 * colors * rows;
        assert_eq!(found["fields"][0]["bytes_per_site"].as_u64().expect("a number") % length, 0, "{name}");
        let output = go(&folder, &["export", "original", "out.npy"], b"");
        assert_eq!(status(&output), 0, "{name}: {}", said(&output));
        let npy = std::fs::read(folder.path().join("out.npy")).expect("written");
        let shape = format!(" 4, {colors}, {colors})");
        assert!(String::from_utf8_lossy(&npy[..128]).contains(&shape), "{name}");
    }
}

/// A number of rows is one of the links of the archive, not of SU(3).
#[test]
fn a_number_of_rows_is_the_one_that_is_stored() {
    for (name, colors, ..) in GOOD {
        let original = fixture(&format!("foreign/{name}.nersc"));
        for rows in [colors - 1, colors] {
            let options =
                ["convert", "-", "-", "--to", "nersc", "--rows", &rows.to_string(), "--tolerance", "1e-5"];
            let options = if rows == colors { &options[..7] } else { &options[..] };
            let output = go(&folder(), options, &original);
            assert_eq!(status(&output), 0, "{name} {rows}: {}", said(&output));
            let (found, _) = report("check", &output.stdout, &[]);
            assert_eq!(found["fields"][0]["links"]["rows"].as_u64(), Some(rows), "{name}: {found}");
        }
        let options = ["convert", "-", "-", "--to", "nersc", "--rows", &(colors + 1).to_string()];
        let output = go(&folder(), &options, &original);
        assert!(status(&output) != 0 && said(&output).contains("links of"), "{name}: {}", said(&output));
    }
}

#[test]
fn a_flipped_bit_is_found_in_every_command() {
    let file = fixture("foreign/03g-su2-bitflip.nersc");
    let (found, code) = report("check", &file, &[]);
    assert_eq!((&found["findings"][0]["rule"], code), (&serde_json::json!("nersc-checksum"), 1));
    let folder = folder();
    for command in [&["convert", "-", "out.lime"][..], &["export", "-", "out.npy"]] {
        let output = go(&folder, command, &file);
        assert!(said(&output).contains("[nersc-checksum]"), "{command:?}: {}", said(&output));
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "{command:?}");
    }
}

/// Old versions of Grid wrote the name of SU(3) for any number of colors. The file is wrong, and the name that fits is
/// said.
#[test]
fn another_group_under_the_name_of_su3_is_named() {
    for (name, datatype, rule) in [
        ("03e-grid-old-su2-as-su3", "4D_SU2_GAUGE_2x2", "nersc-data-truncated"),
        ("03f-grid-old-su4-as-su3", "4D_SU4_GAUGE_4x4", "nersc-trailing-bytes"),
    ] {
        let file = fixture(&format!("foreign/{name}.nersc"));
        let (found, code) = report("check", &file, &[]);
        assert_eq!((&found["verdict"], code), (&serde_json::json!("wrong"), 1), "{name}");
        let findings = found["findings"].as_array().expect("a list");
        let of = |rule: &str| findings.iter().find(|finding| finding["rule"] == rule);
        assert!(of(rule).is_some(), "{name}: {found}");
        let message =
            of("nersc-other-group").expect("a finding")["message"].as_str().expect("text").to_owned();
        assert_eq!(message, format!("the data have exactly the length of {datatype}"), "{name}");
        // With the right name, nothing is wrong.
        let text = [&b"4D_SU3_GAUGE_3x3"[..], datatype.as_bytes()];
        let at = file.windows(16).position(|bytes| bytes == text[0]).expect("a datatype");
        let right = [&file[..at], text[1], &file[at + 16..]].concat();
        assert_eq!(report("check", &right, &[]).0["verdict"], "ok", "{name}");
    }
    // A file that was cut anywhere else is no other group.
    let file = fixture("foreign/03-grid-su2-full.nersc");
    let (found, _) = report("check", &file[..file.len() - 16], &[]);
    assert!(!found.to_string().contains("nersc-other-group"), "{found}");
}
