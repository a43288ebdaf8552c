//! Compares the tables of rules in the documentation of `conformance`, `field` and `volume` with the rules.

use std::collections::{BTreeMap, BTreeSet};

use linkstream::{Mode, Rule, Severity, conformance, field, lime, volume, xml};

/// A row of the table: sections and rules. A name that ends in `…` means all rules with this prefix.
struct Requirement<'t> {
    sections: Vec<&'t str>,
    rules: Vec<&'t str>,
}

fn requirements(source: &str) -> Vec<Requirement<'_>> {
    let rows = rows(source, "The requirements of ILDG 1.2").filter_map(|row| row.split_once(" | "));
    rows.filter_map(|(requirement, rules)| {
        let (sections, _) = requirement.split_once(':')?;
        Some(Requirement { sections: sections.split(", ").collect(), rules: names(rules).collect() })
    })
    .collect()
}

/// The part of the documentation of a module that is in a file of its own.
fn reference(module: &str) -> String {
    let path = format!("{}/../codec/src/{module}/reference.md", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).expect("readable")
}

/// The rows of the tables under a heading.
fn rows<'t>(source: &'t str, heading: &str) -> impl Iterator<Item = &'t str> {
    let (_, section) = source.split_once(&format!("# {heading}\n")).expect("the heading");
    let lines = section.lines().take_while(|line| !line.starts_with("# "));
    lines.filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"))
}

/// The names of rules in a cell.
fn names(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2).filter(|word| word.contains('-'))
}

#[test]
fn requirements_name_the_rules_that_check_them() {
    let source = reference("conformance");
    let requirements = requirements(&source);
    assert!(requirements.len() > 15, "{}", requirements.len());

    let lists = [
        conformance::ErrorKind::RULES,
        field::ErrorKind::RULES,
        xml::ErrorKind::RULES,
        lime::ErrorKind::RULES,
    ];
    let all = || lists.into_iter().flatten();
    let mut sections: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for Requirement { sections: of, rules } in &requirements {
        for name in rules {
            let matching = |rule: &&Rule| match name.strip_suffix('…') {
                Some(prefix) => rule.name.starts_with(prefix),
                None => rule.name == *name,
            };
            assert!(all().any(|rule| matching(&rule)), "there is no rule {name}");
            for rule in all().filter(matching) {
                sections.entry(rule.name).or_default().extend(of);
            }
        }
    }
    for rule in all().filter(|rule| rule.clause.starts_with("ILDG 1.2, ")) {
        let of = sections.get(rule.name);
        let is_of = |clause: &str| of.is_some_and(|of| of.iter().any(|section| clause.ends_with(section)));
        assert!(is_of(rule.clause), "{} has the clause {}, but is listed for {of:?}", rule.name, rule.clause);
    }
}

/// The words of the tables for what a mode does with a rule of this severity.
fn is_error(mode: Mode, severity: Severity) -> &'static str {
    if mode.refuses(severity) { "error" } else { "finding" }
}

#[test]
fn tables_of_severities_agree_with_the_rules() {
    let source = reference("conformance");
    let severities = [Severity::Info, Severity::Warning, Severity::Error, Severity::Fatal];
    let of_word = |word: &str| severities.into_iter().find(|severity| format!("`{severity:?}`") == word);
    let (mut listed, mut modes) = (BTreeSet::new(), 0);
    for row in rows(&source, "Severity and mode") {
        let cells: Vec<&str> = row.split(" | ").collect();
        let Some(severity) = of_word(cells[0]) else { continue };
        if let [_, _, strict, lenient, survey, check, check_lenient] = cells[..] {
            let words = [Mode::Strict, Mode::Lenient, Mode::Survey].map(|mode| is_error(mode, severity));
            assert_eq!([strict, lenient, survey], words, "{row}");
            // As `findings::Level::of` of the program, whose own test has the same pairs.
            let level = |mode: Mode| if mode.refuses(severity) { "error" } else { "warning" };
            let lenient = if severity == Severity::Warning { "warning" } else { level(Mode::Strict) };
            assert_eq!([check, check_lenient], [level(Mode::Strict), lenient], "{row}");
            modes += 1;
        } else {
            listed.extend(names(cells[1]).map(|name| (name, format!("{severity:?}"))));
        }
    }
    assert_eq!(modes, 4);
    let all = [conformance::ErrorKind::RULES, field::ErrorKind::RULES, xml::ErrorKind::RULES].concat();
    let all: BTreeSet<_> = all.iter().map(|rule| (rule.name, format!("{:?}", rule.severity))).collect();
    let unknown: Vec<_> = listed.difference(&all).filter(|(name, _)| *name != "xml-…").collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    // Errors of documents and of the data are listed for `field`, by name or by their prefix.
    let of_documents = xml::ErrorKind::RULES.iter().filter(|rule| rule.severity < Severity::Error);
    for rule in conformance::ErrorKind::RULES.iter().chain(of_documents) {
        assert!(listed.contains(&(rule.name, format!("{:?}", rule.severity))), "{} is not listed", rule.name);
    }
}

#[test]
fn tables_of_modes_agree_with_the_rules() {
    let all = [field::ErrorKind::RULES, lime::ErrorKind::RULES, volume::ErrorKind::RULES].concat();
    let mut listed = BTreeSet::new();
    let (fields, volumes) = (reference("field"), reference("volume"));
    for row in rows(&fields, "What linkstream accepts").chain(rows(&volumes, "What linkstream accepts")) {
        let cells: Vec<&str> = row.split(" | ").collect();
        // In the tables of volumes, rules are in the first column and their severity is in the second.
        let is_rule = |name: &&str| all.iter().any(|rule| rule.name == *name);
        let of_volumes: Vec<&str> = names(cells[0]).filter(is_rule).collect();
        let rules = if of_volumes.is_empty() { names(cells[1]).collect() } else { of_volumes.clone() };
        for name in rules.into_iter().filter(|name| !name.ends_with('…')) {
            let rule = all.iter().find(|rule| rule.name == name);
            let rule = rule.unwrap_or_else(|| panic!("there is no rule {name}"));
            if !of_volumes.is_empty() {
                assert_eq!(cells[1], format!("{:?}", rule.severity), "{name}");
            }
            if cells.len() == 5 {
                let words =
                    [Mode::Strict, Mode::Lenient, Mode::Survey].map(|mode| is_error(mode, rule.severity));
                for (cell, word) in cells[2..].iter().zip(words) {
                    assert!(cell.starts_with(word), "{name}: {cell}");
                }
            }
            listed.insert(name);
        }
    }
    for rule in &all {
        assert!(listed.contains(rule.name), "{} is not listed", rule.name);
    }
}
