//! The command `explain`.

use std::collections::BTreeSet;

use host_tests::fixtures::Fixtures;
use serde_json::Value;

use super::common::{run, said, status};

/// Output of the command with these arguments.
fn explained(arguments: &[&str]) -> String {
    let output = run(&[&["explain"], arguments].concat(), "");
    assert_eq!((status(&output), said(&output)), (0, String::new()), "{arguments:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// The objects of `explain --json`.
fn objects(arguments: &[&str]) -> Vec<Value> {
    let lines = explained(&[&["--json"], arguments].concat());
    lines.lines().map(|line| serde_json::from_str(line).expect("an object")).collect()
}

#[test]
fn a_rule_has_all_paragraphs() {
    let text = explained(&["ildg-lfn-missing"]);
    for part in [
        "ildg-lfn-missing: warning\n",
        "message\n  the file has no logical file name (ildg-data-lfn); one can be appended\n",
        "class   rule\nclause  ILDG 1.2, section 2.2\n",
        "\nmeaning\n",
        "\ncauses\n",
        "\nremedy\n  `linkstream ildg set-lfn FILE lfn://GROUP/ENSEMBLE/NAME`\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let several = explained(&["descriptions-differ"]);
    assert!(several.starts_with("descriptions-differ: warning; or error\n"), "{several}");
    assert!(several.contains("  error: the SciDAC record and the ildg-format"), "{several}");
}

#[test]
fn lines_fit_a_terminal() {
    for object in objects(&[]) {
        let text = explained(&[object["rule"].as_str().expect("a name")]);
        let long =
            text.lines().skip(1).find(|line| line.chars().count() > 80 && line.matches('`').count() < 2);
        assert_eq!(long, None, "{text}");
    }
}

#[test]
fn the_list_and_the_json_have_every_rule() {
    let listed = explained(&[]);
    let page = explained(&["--markdown"]);
    let all = objects(&[]);
    assert!(all.len() > 200, "{}", all.len());
    for object in &all {
        let (rule, severity) = (object["rule"].as_str().expect("text"), &object["severity"]);
        let line = format!("\n  {rule}: {}: ", severity.as_str().expect("text"));
        assert!(listed.contains(&line), "{rule}");
        assert!(page.contains(&format!("\n### `{rule}`\n")), "{rule}");
        assert_eq!(object["schema"], 3);
        assert!(
            object["format"].is_string() && object["meaning"].is_string() && object["causes"].is_string()
        );
        for case in object["cases"].as_array().expect("a list") {
            assert!(case["message"].is_string() && case["class"].is_string());
        }
    }
    assert_eq!(objects(&["lime-magic"]).len(), 1);
}

#[test]
fn unknown_names_get_suggestions() {
    for (name, suggestion) in [
        ("lime-magik", "similar names: lime-magic"),
        ("sums-lost", "similar names: checksum-sums-lost"),
        ("scidac-checksum-mismatch", "similar names: checksum-mismatch"),
        ("no such thing", "`linkstream explain` lists all rules"),
    ] {
        let output = run(&["explain", name], "");
        assert_eq!((status(&output), output.stdout.len()), (2, 0), "{name}");
        let said = said(&output);
        assert!(said.contains(&format!("there is no rule {name}; {suggestion}")), "{said}");
    }
    assert_eq!(status(&run(&["explain", "--markdown", "lime-magic"], "")), 2);
}

/// The severity in this mode, if the words say it without further conditions.
fn severity_in(words: &str, is_lenient: bool) -> Option<&str> {
    match words {
        "error, warning with --lenient" if is_lenient => Some("warning"),
        "error, warning with --lenient" => Some("error"),
        "error" | "warning" => Some(words),
        _ => None,
    }
}

/// Every finding of `check` in the broken fixtures is explained, with its class and severity. Its clause can be more
/// exact than the clause of the rule, which can be about several documents.
#[test]
fn findings_of_check_are_explained() {
    let all = objects(&[]);
    let folders = ["broken", "broken-scda", "broken-inebin"].map(|folder| Fixtures::Ours.join(folder));
    let folders = folders.map(|folder| folder.to_str().expect("text").to_owned());
    let mut met = BTreeSet::new();
    for (options, is_lenient) in [(["--all", "--json"], false), (["--lenient", "--json"], true)] {
        let arguments: Vec<&str> =
            ["check"].into_iter().chain(options).chain(folders.iter().map(String::as_str)).collect();
        let output = String::from_utf8(run(&arguments, "").stdout).expect("text");
        for line in output.lines() {
            let report: Value = serde_json::from_str(line).expect("an object");
            let sets = report["volumes"].as_array().into_iter().flatten();
            let lists = [&report["findings"]].into_iter().chain(sets.map(|volume| &volume["findings"]));
            for finding in lists.filter_map(Value::as_array).flatten() {
                let rule = &finding["rule"];
                let object = all.iter().find(|object| object["rule"] == *rule);
                let object = object.unwrap_or_else(|| panic!("{rule} is not explained"));
                let is_so = |case: &Value| {
                    let words = case["severity"].as_str().expect("text");
                    case["class"] == finding["class"]
                        && severity_in(words, is_lenient).is_none_or(|words| finding["severity"] == words)
                };
                assert!(object["cases"].as_array().expect("a list").iter().any(is_so), "{finding}: {object}");
                met.insert(rule.to_string());
            }
        }
    }
    assert!(met.len() > 80, "{}", met.len());
}

/// Standard output is no terminal here.
#[test]
fn check_recommends_it_only_on_a_terminal() {
    let output = run(&["check", "-"], "bytes");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("format-unknown") && !text.contains("linkstream explain"), "{text}");
}

/// Runs the program on a terminal, if the program `script` is there.
#[cfg(target_os = "linux")]
#[test]
fn check_recommends_it_after_findings() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("unknown"), "bytes").expect("the temporary folder is writable");
    let program = assert_cmd::cargo::cargo_bin("linkstream");
    for (arguments, is_recommended) in [
        ("check unknown", true),
        ("check --quiet unknown", true),
        ("check --json unknown", false),
        ("inspect unknown", false),
    ] {
        let line = format!("'{}' {arguments}", program.display());
        let run = std::process::Command::new("script")
            .args(["-qec", &line, "/dev/null"])
            .current_dir(folder.path())
            .stdin(std::process::Stdio::null())
            .output();
        let Ok(output) = run else { return };
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("format-unknown"), "{arguments}: {text}");
        assert_eq!(
            text.contains("explain a rule: linkstream explain RULE"),
            is_recommended,
            "{arguments}: {text}"
        );
    }
}
