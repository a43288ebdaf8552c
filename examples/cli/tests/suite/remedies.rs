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
