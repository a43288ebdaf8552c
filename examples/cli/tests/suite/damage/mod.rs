//! Random damage to good files of every format: the verdict is never `ok` for data that differ from those written.
//!
//! The cases are the same in every run. `LINKSTREAM_DAMAGE_CASES` is their number, `LINKSTREAM_DAMAGE_SEED` selects
//! others, and `LINKSTREAM_DAMAGE_ONLY` repeats the case of this number. The stage `damage-full` runs many.

mod damages;
mod dice;
mod outcome;
mod subjects;

use std::collections::BTreeMap;
use std::path::Path;

use linkstream_report::report::Report;
use linkstream_report::verdict::Verdict;
use serde_json::Value;

use crate::common::{linkstream, status};
use damages::damaged;
use dice::Dice;
use outcome::{Outcome, Part, parts, surveyed};
use subjects::{Subject, subjects};

/// Number of cases in a run of all tests.
const QUICK: u64 = 400;
/// One of so many cases is also given to the program.
const PROGRAM: u64 = 50;
const SEED: u64 = 20_261_123;

fn variable(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is not a number: {value}")))
}

#[test]
fn damaged_data_are_never_ok() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let classes = subjects(folder.path());
    let seed = variable("LINKSTREAM_DAMAGE_SEED").unwrap_or(SEED);
    let cases = match variable("LINKSTREAM_DAMAGE_ONLY") {
        Some(case) => case..case + 1,
        None => 0..variable("LINKSTREAM_DAMAGE_CASES").unwrap_or(QUICK),
    };
    let mut counts = BTreeMap::<(&str, &str), u64>::new();
    let (mut gaps, mut wrong) = (Vec::new(), Vec::new());
    for case in cases.clone() {
        // Each case has its own numbers, so that it can be repeated alone.
        let mut dice = Dice::new(seed.wrapping_mul(1 << 32).wrapping_add(case));
        let class = dice.choose(&classes);
        let subject = dice.choose(&class.subjects);
        let (files, what) = damaged(subject, &mut dice);
        let report = surveyed(subject.format, &files, dice.below(2) == 0);
        let outcome = match report.verdict() {
            Verdict::Ok => outcome_of_ok(subject, &files, &report),
            Verdict::Unverified => Outcome::Unverified,
            Verdict::Wrong | Verdict::Unreadable => Outcome::Refused,
        };
        *counts.entry((class.name, outcome.words())).or_default() += 1;
        let place = || format!("case {case}: {}: {what}", subject.name);
        if outcome == Outcome::Weak {
            gaps.push(place());
        }
        if matches!(outcome, Outcome::Undetected | Outcome::Contradicted) {
            wrong.push(format!("{}: {}", place(), outcome.words()));
        }
        if case % PROGRAM == 0 || cases.end - cases.start == 1 {
            let said = by_program(folder.path(), subject, &files);
            let expected = (report.verdict().as_str().to_owned(), i32::from(!report.is_ok()));
            if said != expected {
                wrong.push(format!("{}: the program says {said:?} instead of {expected:?}", place()));
            }
        }
    }
    println!("{} cases of damage, seed {seed}", cases.end - cases.start);
    for ((class, words), count) in &counts {
        println!("  {class:<24} {count:>6}  {words}");
    }
    println!("  {} known gaps, which no checksum and no figure in the file shows", gaps.len());
    gaps.iter().for_each(|gap| println!("    {gap}"));
    assert!(wrong.is_empty(), "{} of {cases:?} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Reliability of a verdict `ok`, checked by the data that a reader gets.
fn outcome_of_ok(subject: &Subject, files: &[Vec<u8>], report: &Report) -> Outcome {
    let original = parts(&subject.files, &subject.report);
    let found = parts(files, report);
    let (Some(original), Some(found)) = (original, found) else { return Outcome::Undetected };
    if found.len() == original.len() && found.iter().zip(&original).all(|(found, written)| found.is(written))
    {
        return Outcome::Same;
    }
    let was_written = |found: &Part| original.iter().any(|written| found.is(written));
    if !found.is_empty() && found.iter().all(was_written) && subject.format.is_a_list() {
        return Outcome::WholeParts;
    }
    match (subject.format.has_weak_sums(), outcome::is_contradicted(report)) {
        (true, false) => Outcome::Weak,
        (true, true) => Outcome::Contradicted,
        (false, _) => Outcome::Undetected,
    }
}

/// Verdict and exit status of the program.
fn by_program(folder: &Path, subject: &Subject, files: &[Vec<u8>]) -> (String, i32) {
    let folder = folder.join("damaged");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).expect("the temporary folder is writable");
    for (number, bytes) in files.iter().enumerate() {
        let name = if files.len() == 1 { "file".to_owned() } else { format!("file.vol{number:04}") };
        std::fs::write(folder.join(name), bytes).expect("the temporary folder is writable");
    }
    let output = linkstream().current_dir(&folder).args(["check", "--json", "file"]).output();
    let output = output.expect("the program runs");
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{}: {error}: {output:?}", subject.name));
    (report["verdict"].as_str().unwrap_or_default().to_owned(), status(&output))
}
