//! Meaning, usual causes and remedy of each rule that `check` can report.
//!
//! Names, severities, clauses and messages come from the rule tables of the library and from `own.rs`. The texts are in
//! `texts`, one row for each rule. A test compares them: a rule without a row fails, and so does a row without a rule.

mod own;
mod row;
mod texts;

use linkstream::lattice::{ExtentsError, HypercubeError};
use linkstream::{Class, Rule, Severity};

use crate::findings::Level;
pub use row::Case;
use row::Text;

/// One rule with its explanation.
#[derive(Debug)]
pub struct Explanation {
    pub rule: &'static str,
    /// The rows of the rule: several if severity or message depend on the circumstances.
    pub cases: Vec<Case>,
    pub meaning: &'static str,
    /// Usual causes of a broken rule.
    pub causes: &'static str,
    /// Advice for the user.
    pub remedy: &'static str,
}

/// The rules of a format.
#[derive(Debug)]
pub struct Group {
    pub title: &'static str,
    pub rules: Vec<Explanation>,
}

/// Rules whose severity `check` does not take from the library's table, because it knows more about the file.
const JUDGED: [(&str, &str); 2] = [
    // The scda paper permits any bytes in the padding.
    ("scda-padding", "warning"),
    (
        "ildg-link-unphysical",
        "error, warning with --lenient if a SciDAC checksum is OK or a text names smeared, fat or long links",
    ),
];

/// All rules, by format.
pub fn groups() -> Vec<Group> {
    use linkstream::{conformance, field, inebin, lime, milc, nersc, scda, usqcd, volume, xml};

    let group = |title, lists: &[&[Rule]], texts: &[Text]| {
        let rows = lists.iter().copied().flatten();
        let cases: Vec<_> =
            rows.flat_map(|rule| cases(rule).into_iter().map(|case| (rule.name, case))).collect();
        Group { title, rules: explained(&cases, texts) }
    };
    vec![
        Group { title: "Files and numbers", rules: explained(&own::cases(), texts::own::TEXTS) },
        group("LIME", &[lime::ErrorKind::RULES], texts::lime::TEXTS),
        group("Data and their checksums", &[field::ErrorKind::RULES], texts::field::TEXTS),
        group("SciDAC and ILDG", &[conformance::ErrorKind::RULES], texts::conformance::TEXTS),
        group("XML documents", &[xml::ErrorKind::RULES], texts::xml::TEXTS),
        group("USQCD documents", &[usqcd::ErrorKind::RULES], texts::usqcd::TEXTS),
        group("File sets of QIO", &[volume::ErrorKind::RULES], texts::volume::TEXTS),
        group("NERSC archives", &[nersc::ErrorKind::RULES], texts::nersc::TEXTS),
        group("MILC version 5", &[milc::ErrorKind::RULES], texts::milc::TEXTS),
        group("scda", &[scda::ErrorKind::RULES], texts::scda::TEXTS),
        group("INEBIN", &[inebin::ErrorKind::RULES], texts::inebin::TEXTS),
    ]
}

/// The rule with this name.
pub fn find(name: &str) -> Option<Explanation> {
    groups().into_iter().flat_map(|group| group.rules).find(|rule| rule.rule == name)
}

/// The texts with their cases, in the order of the texts.
fn explained(cases: &[(&str, Case)], texts: &[Text]) -> Vec<Explanation> {
    let explain = |text: &Text| {
        let mut own: Vec<Case> = Vec::new();
        for (_, case) in cases.iter().filter(|(name, _)| *name == text.rule) {
            if !own.contains(case) {
                own.push(case.clone());
            }
        }
        let Text { rule, meaning, causes, remedy } = *text;
        Explanation { rule, cases: own, meaning, causes, remedy }
    };
    texts.iter().map(explain).collect()
}

/// The cases that a row of the library's tables describes: one for each message.
fn cases(rule: &Rule) -> Vec<Case> {
    let judged = JUDGED.iter().find(|(name, _)| *name == rule.name);
    let severity = judged.map_or_else(|| severity_words(rule.severity), |(_, words)| words);
    let case = |message| Case { severity, class: rule.class, clause: rule.clause, message };
    messages(rule).into_iter().map(case).collect()
}

/// The messages of a row. Rows about [`ExtentsError`] and [`HypercubeError`] have the messages of these types.
fn messages(rule: &Rule) -> Vec<String> {
    let of_hypercubes = [HypercubeError::Dimensions, HypercubeError::Reversed, HypercubeError::Outside];
    match (rule.name, rule.class) {
        ("xml-extents", Class::Limit) => vec![
            ExtentsError::Dimensions { found: 9 }.to_string().replace('9', "{found}"),
            ExtentsError::Overflow.to_string(),
        ],
        ("xml-extents", _) => vec![ExtentsError::Zero.to_string()],
        ("xml-hypercube", _) => of_hypercubes.iter().map(ToString::to_string).collect(),
        _ => vec![template(rule.message)],
    }
}

/// The message of a rule without the details of its formatting: `{found:08x}` becomes `{found}`, and `{}` becomes `…`.
fn template(message: &str) -> String {
    let mut parts = message.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('}') {
            Some(("", rest)) => text += &format!("…{rest}"),
            Some((value, rest)) => {
                let name = value.split(':').next().unwrap_or_default();
                text += &format!("{{{name}}}{rest}");
            }
            None => text += part,
        }
    }
    text
}

impl Explanation {
    /// The severities of all cases, separated by semicolons if there are several.
    pub fn severity(&self) -> String {
        let mut words: Vec<&str> = Vec::new();
        for case in &self.cases {
            if !words.contains(&case.severity) {
                words.push(case.severity);
            }
        }
        words.join("; or ")
    }
}

/// A severity of the library in the words of `check`.
pub const fn severity_words(severity: Severity) -> &'static str {
    match (Level::of(severity, false), Level::of(severity, true)) {
        (Level::Error, Level::Error) => "error",
        (Level::Error, Level::Warning) => "error, warning with --lenient",
        (Level::Warning, _) => "warning",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// The names of all rules of the library.
    fn of_library() -> Vec<&'static str> {
        use linkstream::{conformance, field, inebin, lime, milc, nersc, scda, usqcd, volume, xml};

        let lists = [
            lime::ErrorKind::RULES,
            field::ErrorKind::RULES,
            conformance::ErrorKind::RULES,
            xml::ErrorKind::RULES,
            usqcd::ErrorKind::RULES,
            volume::ErrorKind::RULES,
            nersc::ErrorKind::RULES,
            milc::ErrorKind::RULES,
            scda::ErrorKind::RULES,
            inebin::ErrorKind::RULES,
        ];
        lists.into_iter().flatten().map(|rule| rule.name).collect()
    }

    /// Adds the names of the rules that the sources in this directory report.
    fn of_sources(folder: &Path, names: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                of_sources(&path, names);
                continue;
            }
            // The tables explained here have the same form.
            if path.components().any(|part| part.as_os_str() == "explain") {
                continue;
            }
            let source = std::fs::read_to_string(&path).expect("a text");
            let source = source.split("#[cfg(test)]").next().unwrap_or_default();
            for rest in source.split("rule: \"").skip(1) {
                names.extend(rest.split('"').next().map(str::to_owned));
            }
        }
    }

    #[test]
    fn every_rule_has_one_row_and_every_row_a_rule() {
        let packages = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut expected = BTreeSet::new();
        // The program applies these to the files of a directory.
        let skipped = std::fs::read_to_string(packages.join("../cli/src/skipped.rs")).expect("a text");
        let names = skipped.split('"').filter(|text| text.starts_with("file-") || *text == "files-alike");
        expected.extend(names.map(str::to_owned));
        of_sources(&packages.join("src"), &mut expected);
        of_sources(&packages.join("../access/src"), &mut expected);
        assert!(expected.contains("record-pickle") && expected.contains("volume-order"), "{expected:?}");
        expected.extend(crate::plausibility::RULES.map(str::to_owned));
        expected.extend(linkstream_access::findings::PACKING_DAMAGED.map(str::to_owned));
        expected.extend(
            [
                linkstream_access::unknown::NOT_READ,
                linkstream_access::unknown::UNKNOWN_FORMAT,
                linkstream_access::noted::DAMAGE_NOTED,
                linkstream_access::isolated::RULE,
            ]
            .map(str::to_owned),
        );
        expected.extend(of_library().into_iter().map(str::to_owned));

        let mut explained = BTreeSet::new();
        for rule in groups().into_iter().flat_map(|group| group.rules) {
            assert!(!rule.cases.is_empty(), "{} is no rule", rule.rule);
            assert!(explained.insert(rule.rule.to_owned()), "{} has two rows", rule.rule);
        }
        let missing: Vec<_> = expected.difference(&explained).collect();
        let surplus: Vec<_> = explained.difference(&expected).collect();
        assert!(
            missing.is_empty() && surplus.is_empty(),
            "without row: {missing:?}; without rule: {surplus:?}"
        );
    }

    #[test]
    fn texts_are_sentences() {
        for rule in groups().into_iter().flat_map(|group| group.rules) {
            for text in [rule.meaning, rule.causes, rule.remedy] {
                assert!(text.ends_with(['.', '`']), "{}: {text}", rule.rule);
                assert!(text.matches('`').count() % 2 == 0, "{}: {text}", rule.rule);
                assert!(text.len() < 400, "{}: {text}", rule.rule);
            }
        }
    }

    #[test]
    fn messages_have_no_formats() {
        assert_eq!(template("found {found:08x}{} of {have}, {a} b"), "found {found}… of {have}, {a} b");
        assert_eq!(template("no value"), "no value");
        let all = groups().into_iter().flat_map(|group| group.rules).flat_map(|rule| rule.cases);
        let vague: Vec<_> = all.filter(|case| case.message == "{error}").collect();
        assert!(vague.is_empty(), "messages without words: {vague:?}");
    }

    #[test]
    fn severities_are_those_of_check() {
        let words = [Severity::Info, Severity::Warning, Severity::Error, Severity::Fatal].map(severity_words);
        assert_eq!(words, ["warning", "error, warning with --lenient", "error", "error"]);
        let severity = |name: &str| find(name).expect("a rule").severity();
        assert_eq!(severity("checksum-mismatch"), "error");
        assert_eq!(severity("ildg-lfn-missing"), "warning");
        assert_eq!(severity("ildg-lfn-repeated"), "warning; or error, warning with --lenient");
        assert!(find("checksum-mismatc").is_none());
    }
}
