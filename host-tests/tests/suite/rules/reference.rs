//! The tables "What linkstream accepts" in the documentation of the formats agree with the tables of rules.

use linkstream::{Mode, Rule, Severity};
use linkstream::{conformance, field, inebin, lime, milc, nersc, scda, usqcd, xml};

/// A row with a rule and three modes: the rule, and the severities that have these modes.
fn rows(reference: &'static str) -> Vec<(&'static str, [&'static str; 3], &'static str)> {
    let row = |line: &'static str| {
        let cells: Vec<&str> = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").collect();
        let [.., strict, lenient, survey] = cells[..] else { return None };
        let modes = [strict, lenient, survey];
        modes.iter().all(|mode| matches!(*mode, "error" | "finding")).then_some(())?;
        let rule = cells.get(1)?.strip_prefix('`')?.split_once('`')?.0;
        Some((rule, modes, line))
    };
    reference.lines().filter_map(row).collect()
}

fn modes_of(severity: Severity) -> [&'static str; 3] {
    let modes = [Mode::Strict, Mode::Lenient, Mode::Survey];
    modes.map(|mode| if mode.refuses(severity) { "error" } else { "finding" })
}

fn tables() -> Vec<Rule> {
    [
        lime::ErrorKind::RULES,
        xml::ErrorKind::RULES,
        field::ErrorKind::RULES,
        conformance::ErrorKind::RULES,
        usqcd::ErrorKind::RULES,
        nersc::ErrorKind::RULES,
        milc::ErrorKind::RULES,
        scda::ErrorKind::RULES,
        inebin::ErrorKind::RULES,
    ]
    .concat()
}

/// Each row is right, and each rule whose name begins with one of the prefixes has a row for each of its severities.
fn check(reference: &'static str, prefixes: &[&str]) {
    let (rows, rules) = (rows(reference), tables());
    assert!(!rows.is_empty());
    let of_field = [lime::ErrorKind::RULES, field::ErrorKind::RULES].concat();
    for (name, modes, line) in &rows {
        // The decoder of fields also reports those errors of documents that make them unusable.
        let is_error = name.starts_with("xml-") && modes[1] == "error";
        let finds = is_error || of_field.iter().any(|rule| rule.name == *name);
        assert!(!line.contains(if finds { " | conf. | " } else { " | field | " }), "wrong decoder: {line}");
        let mut known = rules.iter().filter(|rule| rule.name == *name).peekable();
        assert!(known.peek().is_some(), "unknown rule: {line}");
        assert!(known.any(|rule| modes_of(rule.severity) == *modes), "wrong modes: {line}");
    }
    for rule in rules.iter().filter(|rule| prefixes.iter().any(|prefix| rule.name.starts_with(prefix))) {
        let modes = modes_of(rule.severity);
        let is_listed = rows.iter().any(|(name, of_row, _)| *name == rule.name && *of_row == modes);
        assert!(is_listed, "{} with {modes:?} has no row", rule.name);
    }
}

#[test]
fn reference_of_lime() {
    check(include_str!("../../../../codec/src/lime/reference.md"), &["lime-"]);
}

#[test]
fn reference_of_ildg() {
    check(include_str!("../../../../codec/src/ildg/reference.md"), &["ildg-"]);
}

#[test]
fn reference_of_scidac() {
    check(include_str!("../../../../codec/src/scidac/reference.md"), &["scidac-", "checksum-"]);
}

#[test]
fn reference_of_usqcd() {
    check(include_str!("../../../../codec/src/usqcd/reference.md"), &["usqcd-"]);
}

#[test]
fn reference_of_xml() {
    check(include_str!("../../../../codec/src/xml/reference.md"), &["xml-"]);
}

#[test]
fn reference_of_nersc() {
    check(include_str!("../../../../codec/src/nersc/reference.md"), &["nersc-"]);
}

#[test]
fn reference_of_milc() {
    check(include_str!("../../../../codec/src/milc/reference.md"), &["milc-"]);
}

#[test]
fn reference_of_scda() {
    check(include_str!("../../../../codec/src/scda/reference.md"), &["scda-"]);
}

#[test]
fn reference_of_inebin() {
    check(include_str!("../../../../codec/src/inebin/reference.md"), &["inebin-"]);
}
