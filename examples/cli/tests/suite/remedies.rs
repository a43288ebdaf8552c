//! The commands that `check --for` recommends have the effect described.

use std::collections::HashMap;

use host_tests::fixtures::Fixtures;
use host_tests::manifest;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::gauge::{go, well};
use crate::common::lime::put;
use crate::common::{report, said, status};

/// Program, reason and remedy of each reason why a program does not read the file.
fn reasons(file: &[u8]) -> Vec<[String; 3]> {
    let (found, _) = report("check", file, &["--lenient", "--for", "all"]);
    let mut all = Vec::new();
    for reader in found["readers"].as_array().into_iter().flatten() {
        for reason in reader["reasons"].as_array().expect("a list") {
            let text = |value: &Value| value.as_str().expect("text").to_owned();
            all.push([&reader["program"], &reason["message"], &reason["remedy"]].map(text));
        }
    }
    all
}

/// The options of the conversion that a remedy recommends, with the number of the gauge field.
fn command(remedy: &str, number: usize) -> Option<String> {
    let command = remedy.split('`').nth(1)?.strip_prefix("linkstream convert FILE OUT ")?;
    Some(command.replace("NUMBER", &number.to_string()))
}

/// Number of the data record with the gauge field, counted from 0.
fn gauge_field(file: &[u8]) -> usize {
    let (found, _) = report("inspect", file, &[]);
    let fields = found["fields"].as_array().map_or(&[][..], Vec::as_slice);
    fields.iter().position(|field| field["links"].is_object()).unwrap_or(0)
}

/// Why a recommended command can refuse a file: the file has several fields, or another defect that no conversion
/// repairs.
const REFUSALS: [&str; 2] = ["choose one with --field", "(no conversion helps: "];

/// The reason no longer applies to the file that the recommended command makes, or the command refuses for a reason in
/// [`REFUSALS`]. The files have all kinds of gauge field in ILDG, or come from QIO.
#[test]
fn what_is_recommended_helps() {
    let folder = TempDir::new().expect("a temporary folder");
    let files = manifest::load(Fixtures::Ours, "qio");
    let files = files
        .iter()
        .filter(|file| ["alien/", "single/", "nersc/n"].iter().any(|kind| file.path.starts_with(kind)));
    // Damaged files are not converted.
    let files = files.filter(|file| !file.path.contains("badsum"));
    let (mut helped, mut failed) = (0, Vec::new());
    for file in files {
        let bytes = file.bytes();
        put(&folder, "in", &bytes);
        let number = gauge_field(&bytes);
        let mut made: HashMap<String, Option<Vec<[String; 3]>>> = HashMap::new();
        for [program, message, remedy] in reasons(&bytes) {
            let Some(options) = command(&remedy, number) else { continue };
            let after = made.entry(options.clone()).or_insert_with(|| {
                let arguments: Vec<_> =
                    ["convert", "in", "-"].into_iter().chain(options.split(' ')).collect();
                let output = go(&folder, &arguments, b"");
                // A refusal that names the other defects is acceptable: it does not help, but does not mislead.
                let is_explained = REFUSALS.iter().any(|words| said(&output).contains(words));
                if status(&output) != 0 && !(is_explained && status(&output) == 1) {
                    failed.push(format!("{} {options}: {}", file.path, said(&output)));
                }
                (status(&output) == 0).then(|| reasons(&output.stdout))
            });
            let Some(after) = after else { continue };
            let is_still = after.iter().any(|[other, still, _]| *other == program && *still == message);
            if is_still {
                failed.push(format!("{}: {program}: {message}: {remedy}", file.path));
            } else {
                helped += 1;
            }
        }
    }
    assert!(failed.is_empty() && helped > 100, "{helped} {failed:#?}");
}

/// Files with a property that no fixture has.
#[test]
fn what_is_recommended_for_special_files_helps() {
    let folder = TempDir::new().expect("a temporary folder");
    let [small, archive] = ["ildg/ildg_d_2x3x4x5.lime", "nersc/n3x2_d.nersc"]
        .map(|name| Fixtures::Ours.read(&format!("qio/{name}")));
    let at = archive.windows(13).position(|bytes| bytes == b"ENSEMBLE_ID =").expect("the line") + 13;
    let two_signs = [&archive[..at], b" a =", &archive[at..]].concat();
    // Links that deviate from unitarity by 5e-5, which PyQUDA accepts only in double precision.
    let number = |index| if index % 8 == 0 { 1.000_025_f32 } else { 0.0 };
    let link: Vec<u8> = (0..18).flat_map(|index| number(index).to_be_bytes()).collect();
    let loose = host_tests::archives::milc([2, 2, 2, 2], None, &link.repeat(4 * 16), true);
    for (file, program, message) in [
        (&small, "simulateqcd", "100,000 bytes"),
        (&[&small[..], &[0; 8]].concat(), "gpt", "bytes follow the last record"),
        (&[&archive[..], &[0; 8]].concat(), "gpt", "bytes follow the data"),
        (&two_signs, "pyquda", "equals sign"),
        (&loose, "pyquda", "unitarity"),
    ] {
        put(&folder, "in", file);
        let is_this = |reason: &[String; 3]| reason[0] == program && reason[1].contains(message);
        let found = reasons(file);
        let [_, _, remedy] = found.iter().find(|reason| is_this(reason)).expect("the reason");
        // Without options, `convert FILE OUT` is enough.
        let options = command(remedy, 0).unwrap_or_else(|| {
            assert!(remedy.contains("`linkstream convert FILE OUT`"), "{remedy}");
            String::new()
        });
        let options: Vec<_> = options.split_whitespace().collect();
        let output = go(&folder, &[&["convert", "in", "-"], &options[..]].concat(), b"");
        assert_eq!(status(&output), 0, "{remedy}: {}", said(&output));
        assert!(!reasons(&output.stdout).iter().any(is_this), "{program}: {remedy}");
    }
}

/// Two rows are recommended for SU(3) only, since no other group gains a reader by them.
#[test]
fn rows_are_recommended_only_where_they_help() {
    let of = |name: &str| reasons(&Fixtures::Ours.read(&format!("qio/alien/{name}.lime")));
    for name in ["ildg12_su2gauge", "ildg12_u1gauge", "ildg12_three_dim"] {
        let all = of(name);
        assert!(
            !all.is_empty() && all.iter().all(|[.., remedy]| !remedy.contains("--rows")),
            "{name} {all:?}"
        );
    }
    let with_rows = of("ildg12_rows2").into_iter().filter(|[.., remedy]| remedy.contains("--rows full"));
    assert!(with_rows.count() >= 10);
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "in", Fixtures::Ours.read("qio/alien/ildg12_rows2.lime"));
    well(&folder, &["convert", "in", "out", "--rows", "full"], b"");
}
