//! The command `explain`: what a rule means, what usually breaks it, and what to do about it.

use std::fmt::Write as _;
use std::path::Path;

use linkstream_report::explain::{Explanation, find, groups};
use linkstream_report::explain_page::markdown;
use linkstream_report::json::SCHEMA;
use serde_json::{Value, json};

use crate::failure::{Failure, failed};
use crate::human::one_line;
use crate::output::{streamed, unless_nobody_reads};

/// Columns of the text.
const WIDTH: usize = 80;
/// Names are suggested if they are at least as similar to the unknown one, from 0 to 1.
const SIMILAR: f64 = 0.8;
/// Largest number of suggestions.
const SUGGESTIONS: usize = 5;

#[derive(Debug, clap::Args)]
pub struct Explain {
    /// Name of the rule, which `check` prints in brackets. Without it, all rules are listed by format.
    rule: Option<String>,
    /// Print one JSON object for each rule, each on one line.
    #[arg(long)]
    json: bool,
    /// Print the page with all rules, in Markdown.
    #[arg(long, conflicts_with_all = ["rule", "json"])]
    markdown: bool,
}

pub const EXAMPLES: &str = "\
Exit status: 0, or 2 if there is no such rule.

Examples:
  linkstream explain checksum-mismatch
  linkstream explain
  linkstream explain | grep scidac
  linkstream explain --json ildg-lfn-missing

The severity is that of `check`: an error makes a file fail, a warning does not.
`inspect` has the severities of `check --lenient`. Some rules have several
severities, depending on the circumstances. In the messages, words in braces
and … stand for values.

With --json, each object has the entries schema, rule, format, severity,
meaning, causes, remedy, and cases: a list with severity, class, clause (null
if no document states the rule) and message.";

pub fn run(options: &Explain) -> anyhow::Result<()> {
    let text = if options.markdown {
        markdown()
    } else if let Some(name) = &options.rule {
        let rule = find(name).ok_or_else(|| Failure::Arguments(unknown(name)))?;
        if options.json { objects(Some(rule.rule)) } else { explained(&rule) }
    } else if options.json {
        objects(None)
    } else {
        listed()
    };
    unless_nobody_reads(streamed(Path::new("-"), false, |out| {
        out.write_all(text.as_bytes()).map_err(|error| failed(Failure::Output(error)))
    }))
}

/// One rule, in paragraphs.
fn explained(rule: &Explanation) -> String {
    let mut text = format!("{}: {}\n", rule.rule, rule.severity());
    for case in &rule.cases {
        let clause = if case.clause.is_empty() { "none" } else { case.clause };
        let severity = if rule.cases.len() > 1 { format!("{}: ", case.severity) } else { String::new() };
        let _ = write!(text, "\nmessage\n{}", wrapped(&format!("{severity}{}", case.message)));
        let _ = write!(text, "class   {}\nclause  {clause}\n", case.class.as_str());
    }
    for (title, paragraph) in [("meaning", rule.meaning), ("causes", rule.causes), ("remedy", rule.remedy)] {
        let _ = write!(text, "\n{title}\n{}", wrapped(paragraph));
    }
    text
}

/// A list of all rules by format: name, severity and the first sentence of the meaning.
fn listed() -> String {
    let mut text = String::new();
    for group in groups() {
        let _ = writeln!(text, "{}{}", if text.is_empty() { "" } else { "\n" }, group.title);
        for rule in &group.rules {
            let _ = writeln!(text, "  {}: {}: {}", rule.rule, rule.severity(), first_sentence(rule.meaning));
        }
    }
    text
}

/// The lines of JSON, of one rule or of all.
fn objects(wanted: Option<&str>) -> String {
    let mut lines = String::new();
    for group in groups() {
        for rule in group.rules.iter().filter(|rule| wanted.is_none_or(|wanted| rule.rule == wanted)) {
            let _ = writeln!(lines, "{}", object(group.title, rule));
        }
    }
    lines
}

fn object(format: &str, rule: &Explanation) -> Value {
    let cases = rule.cases.iter().map(|case| {
        json!({
            "severity": case.severity,
            "class": case.class.as_str(),
            "clause": Some(case.clause).filter(|clause| !clause.is_empty()),
            "message": case.message,
        })
    });
    json!({
        "schema": SCHEMA,
        "rule": rule.rule,
        "format": format,
        "severity": rule.severity(),
        "meaning": rule.meaning,
        "causes": rule.causes,
        "remedy": rule.remedy,
        "cases": cases.collect::<Vec<_>>(),
    })
}

/// The message about a name that no rule has, with the names that are most like it.
fn unknown(name: &str) -> String {
    let names = groups().into_iter().flat_map(|group| group.rules).map(|rule| rule.rule);
    let likeness = |rule: &str| {
        let is_part = rule.contains(name) || name.contains(rule);
        if is_part { 1.0 } else { strsim::jaro(name, rule) }
    };
    let mut similar: Vec<(f64, &str)> = names.map(|rule| (likeness(rule), rule)).collect();
    similar.retain(|(likeness, _)| *likeness >= SIMILAR);
    similar.sort_by(|a, b| b.0.total_cmp(&a.0));
    similar.truncate(SUGGESTIONS);
    let mut message = format!("there is no rule {}", one_line(name));
    if similar.is_empty() {
        message += "; `linkstream explain` lists all rules";
    } else {
        let names: Vec<_> = similar.into_iter().map(|(_, rule)| rule).collect();
        message += &format!("; similar names: {}", names.join(", "));
    }
    message
}

/// The text up to its first full stop or colon that ends a sentence.
fn first_sentence(text: &str) -> &str {
    text.split_once(". ").map_or(text, |(first, _)| first).trim_end_matches('.')
}

/// The text in lines of at most [`WIDTH`] columns, indented. Commands in backquotes are not divided unless they are
/// longer than a line.
fn wrapped(text: &str) -> String {
    const INDENT: &str = "  ";
    let mut lines = String::new();
    let mut line = INDENT.to_owned();
    for word in words(text) {
        if line.len() > INDENT.len() && line.chars().count() + 1 + word.chars().count() > WIDTH {
            let _ = writeln!(lines, "{line}");
            line = INDENT.to_owned();
        }
        if line.len() > INDENT.len() {
            line.push(' ');
        }
        line += &word;
    }
    lines + &line + "\n"
}

/// The words of a text. A command in backquotes is one word.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_open = false;
    for word in text.split(' ') {
        match words.last_mut().filter(|_| is_open) {
            Some(last) => {
                last.push(' ');
                last.push_str(word);
            }
            None => words.push(word.to_owned()),
        }
        is_open ^= word.matches('`').count() % 2 == 1;
    }
    words
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;
    use clap::error::ErrorKind;

    use super::*;

    /// The commands in the texts have the options and arguments that the program has. Arguments may be left out.
    #[test]
    fn commands_in_texts_exist() {
        let value = |word| match word {
            "MESSAGE" | "RECORD" | "NUMBER" => "1",
            "TYPE" => "R",
            other => other,
        };
        let mut commands = 0;
        for rule in groups().into_iter().flat_map(|group| group.rules) {
            for text in [rule.meaning, rule.causes, rule.remedy] {
                let quoted = text.split('`').skip(1).step_by(2);
                let own = quoted
                    .flat_map(|quoted| quoted.split(" | "))
                    .filter(|part| part.starts_with("linkstream "));
                for command in own {
                    commands += 1;
                    let error =
                        crate::Arguments::command().try_get_matches_from(command.split(' ').map(value)).err();
                    let is_right =
                        error.as_ref().is_none_or(|error| error.kind() == ErrorKind::MissingRequiredArgument);
                    assert!(is_right, "{}: {command}: {error:?}", rule.rule);
                }
            }
        }
        assert!(commands > 100, "{commands}");
    }

    #[test]
    fn lines_are_short_and_commands_whole() {
        let text = "a ".repeat(60) + "then `linkstream convert FILE OUT` and `x y`.";
        let lines = wrapped(&text);
        assert!(lines.lines().all(|line| line.len() <= WIDTH && line.starts_with("  ")), "{lines}");
        assert!(lines.contains("`linkstream convert FILE OUT`"), "{lines}");
        assert_eq!(words("a `b c` d"), ["a", "`b c`", "d"]);
        assert_eq!((first_sentence("A b. C."), first_sentence("A.")), ("A b", "A"));
    }
}
