#![doc = include_str!("../rules.md")]

use std::fmt::Write as _;

use crate::explain::{Explanation, groups};

/// This page: each rule with its severity, clause, messages, meaning, causes and remedy.
pub fn markdown() -> String {
    let mut page = "# All rules\n\n\
        All rules that `linkstream check` can report, grouped by format. `linkstream explain RULE` prints one of \
        them. An error makes a file fail, a warning does not. In the messages, words in braces and … stand for \
        values, and for words that depend on them.\n\n\
        This page is generated from the rule tables: `linkstream explain --markdown`.\n"
        .to_owned();
    for group in groups() {
        let _ = write!(page, "\n## {}\n", group.title);
        group.rules.iter().for_each(|rule| add(&mut page, rule));
    }
    page
}

fn add(page: &mut String, rule: &Explanation) {
    let _ = write!(page, "\n### `{}`\n\n{}\n\n", rule.rule, escaped(rule.meaning));
    for case in &rule.cases {
        let _ = write!(page, "- {}: ``{}``", case.severity, case.message);
        if !case.clause.is_empty() {
            let _ = write!(page, " ({})", case.clause);
        }
        page.push('\n');
    }
    let _ = write!(page, "\n**Causes:** {}\n\n**Remedy:** {}\n", escaped(rule.causes), escaped(rule.remedy));
}

/// The text with characters escaped that mean something in Markdown or HTML; code is left as it is.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for (index, part) in text.split('`').enumerate() {
        let is_code = index % 2 == 1;
        if is_code {
            let _ = write!(escaped, "`{part}`");
            continue;
        }
        for character in part.chars() {
            if matches!(character, '<' | '>' | '&' | '[' | ']' | '*' | '_' | '^' | '|') {
                escaped.push('\\');
            }
            escaped.push(character);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_up_to_date() {
        let kept = include_str!("../rules.md");
        assert!(kept == markdown(), "update it: linkstream explain --markdown > examples/report/rules.md");
    }

    #[test]
    fn only_text_is_escaped() {
        assert_eq!(escaped("<a> `<b_c>` [d]_"), "\\<a\\> `<b_c>` \\[d\\]\\_");
    }
}
