//! The commands that `check --for` and `explain` recommend have the effect described.

use std::collections::{BTreeSet, HashMap};

use host_tests::fixtures::Fixtures;
use host_tests::manifest;
use host_tests::sections::load_broken;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::gauge::{go, well};
use crate::common::lime::put;
use crate::common::{report, run, said, status};

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

/// The remedy that `explain` prints for a rule.
fn remedy_of(rule: &str) -> String {
    let output = run(&["explain", "--json", rule], "");
    let object: Value = serde_json::from_slice(&output.stdout).expect("an object");
    object["remedy"].as_str().expect("text").to_owned()
}

/// `explain` recommends `scda cat` for sections that the damage does not affect. The command writes their data: of an
/// intact section before the damage and, where sections can be found after it, of one there.
#[test]
fn sections_outside_the_damage_are_extracted_as_recommended() {
    const HEADER: usize = 128;
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "data", b"intact");
    let made = go(&folder, &["scda", "create", "-", "block:intact=data"], b"").stdout;
    let (header, section) = made.split_at(HEADER);
    let (mut rules, mut remedies, mut after) = (BTreeSet::new(), HashMap::new(), 0);
    for file in load_broken(Fixtures::Ours) {
        let bytes = file.bytes();
        if bytes.len() < HEADER {
            continue;
        }
        for is_followed in [false, true] {
            let end = if is_followed { section } else { &[] };
            let input = [header, section, &bytes[HEADER..], end].concat();
            put(&folder, "in", &input);
            let (found, _) = report("check", &input, &[]);
            // A second fault, such as a block appended to a truncated section, has its own remedy.
            let [finding] = &found["findings"].as_array().expect("a list")[..] else { continue };
            let rule = finding["rule"].as_str().expect("text");
            let remedy = remedies.entry(rule.to_owned()).or_insert_with(|| remedy_of(rule));
            let commands = remedy.split('`').skip(1).step_by(2);
            let options = commands.filter_map(|command| command.strip_prefix("linkstream scda cat "));
            for options in options {
                let sections = found["sections"].as_array().expect("a list");
                let offset = |entry: &Value| entry["offset"].as_u64();
                let is_after =
                    is_followed && sections.last().is_some_and(|last| offset(last) > offset(finding));
                let numbers = if is_after { vec![1, sections.len() - 1] } else { vec![1] };
                after += numbers.len() - 1;
                for number in numbers {
                    let options = options.replace("FILE", "in").replace("NUMBER", &number.to_string());
                    let arguments: Vec<_> = ["scda", "cat"].into_iter().chain(options.split(' ')).collect();
                    let output = go(&folder, &arguments, b"");
                    let what = format!("{}: {rule}: {options}: {}", file.path, said(&output));
                    assert_eq!((status(&output), &output.stdout[..]), (0, &b"intact"[..]), "{what}");
                }
                rules.insert(rule.to_owned());
            }
        }
    }
    assert!(rules.len() >= 15 && after > 20, "{after} {rules:?}");
}
