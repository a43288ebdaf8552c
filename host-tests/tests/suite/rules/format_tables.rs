//! The format references (`reference.md` beside each module) list every rule of their format, with its severity and the
//! modes that reject it.

use linkstream::{Mode, Rule, Severity, inebin, milc, nersc, scda};

/// Name, severity and modes of each row whose second column is a rule.
fn rows(text: &str) -> Vec<(&str, &str, &str)> {
    text.lines()
        .filter_map(|line| {
            let cells: Vec<&str> = line.split(" | ").collect();
            let [_, rule, severity, modes] = cells[..] else { return None };
            let rule = rule.strip_prefix('`')?.strip_suffix('`')?;
            Some((rule, severity, modes.strip_suffix(" |")?))
        })
        .collect()
}

fn modes(severity: Severity) -> &'static str {
    let refusing = [Mode::Strict, Mode::Lenient, Mode::Survey].map(|mode| mode.refuses(severity));
    match refusing {
        [false, false, false] => "no mode",
        [true, false, false] => "Strict",
        [true, true, false] => "Strict, Lenient",
        _ => "every mode",
    }
}

fn agrees(text: &str, rules: &[&[Rule]]) {
    let expected: Vec<(&str, String, &str)> = rules
        .iter()
        .flat_map(|rules| rules.iter())
        .map(|rule| (rule.name, format!("{:?}", rule.severity), modes(rule.severity)))
        .collect();
    let found: Vec<(&str, String, &str)> =
        rows(text).into_iter().map(|(rule, severity, modes)| (rule, severity.to_owned(), modes)).collect();
    assert_eq!(found, expected);
}

#[test]
fn every_rule_is_in_the_reference_of_its_format() {
    agrees(
        include_str!("../../../../codec/src/scda/reference.md"),
        &[scda::ErrorKind::RULES, scda::logical::ErrorKind::RULES],
    );
    agrees(include_str!("../../../../codec/src/inebin/reference.md"), &[inebin::ErrorKind::RULES]);
    agrees(include_str!("../../../../codec/src/nersc/reference.md"), &[nersc::ErrorKind::RULES]);
    agrees(include_str!("../../../../codec/src/milc/reference.md"), &[milc::ErrorKind::RULES]);
}
