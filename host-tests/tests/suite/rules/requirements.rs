//! Compares the table of the requirements of ILDG 1.2, in the documentation of `conformance`, with the rules.

use std::collections::{BTreeMap, BTreeSet};

use linkstream::{Rule, conformance, field, lime, xml};

/// A row of the table: sections and rules. A name that ends in `…` means all rules with this prefix.
struct Requirement<'t> {
    sections: Vec<&'t str>,
    rules: Vec<&'t str>,
}

fn requirements(source: &str) -> Vec<Requirement<'_>> {
    let rows = source.lines().filter_map(|line| line.strip_prefix("//! | ")?.split_once(" | "));
    rows.filter_map(|(requirement, rules)| {
        let (sections, _) = requirement.split_once(':')?;
        let rules = rules.split('`').skip(1).step_by(2).filter(|word| word.contains('-'));
        Some(Requirement { sections: sections.split(", ").collect(), rules: rules.collect() })
    })
    .collect()
}

#[test]
fn requirements_name_the_rules_that_check_them() {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../codec/src/conformance/mod.rs");
    let source = std::fs::read_to_string(source).expect("readable");
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
