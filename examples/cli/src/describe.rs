//! The text output of a report: the parts that all formats share, and the order of all parts.

use std::fmt::Write as _;

use crate::human::{bytes, counted, one_line, shown_name};
use crate::{archive, color, inebin, lime, scda, volumes};
use linkstream_access::text::shown_bytes;
use linkstream_memory as memory;
use linkstream_report::findings::{Findings, Level};
use linkstream_report::report::{Body, Report};
use linkstream_report::verdict::Verdict;

/// The output of `inspect`: the structure, with texts.
pub fn inspected(report: &Report) -> String {
    let mut out = head(report);
    match &report.body {
        Body::Unknown => {}
        Body::Lime(contents) => {
            contents.set.iter().for_each(|set| volumes::human::listed(&mut out, set));
            lime::human::inspected(&mut out, contents);
        }
        Body::Inebin(contents) => inebin::human::inspected(&mut out, contents),
        Body::Scda(contents) => scda::human::inspected(&mut out, contents),
        Body::Nersc(contents) | Body::Milc(contents) | Body::OpenQcd(contents) => {
            archive::human::inspected(&mut out, contents);
        }
    }
    findings(&mut out, &report.findings);
    out
}

/// The output of `check`: the structure, what was verified, the findings, the programs that read the file (`readers`),
/// and a verdict.
pub fn checked(report: &Report, readers: &str) -> String {
    let mut out = head(report);
    match &report.body {
        Body::Unknown => {}
        Body::Lime(contents) => {
            contents.set.iter().for_each(|set| volumes::human::listed(&mut out, set));
            lime::human::checked(&mut out, contents);
        }
        Body::Inebin(contents) => inebin::human::checked(&mut out, contents),
        Body::Scda(contents) => scda::human::checked(&mut out, contents),
        Body::Nersc(contents) | Body::Milc(contents) | Body::OpenQcd(contents) => {
            archive::human::checked(&mut out, contents);
        }
    }
    findings(&mut out, &report.findings);
    out.push_str(readers);
    let _ = writeln!(out, "verdict: {}", verdict(report));
    out
}

fn head(report: &Report) -> String {
    let format = match report.body {
        Body::Unknown => "unknown format",
        Body::Lime(_) => "LIME",
        Body::Inebin(_) => "INEBIN",
        Body::Scda(_) => "scda",
        Body::Nersc(_) => "NERSC archive",
        Body::Milc(_) => "MILC, version 5",
        Body::OpenQcd(_) => "openQCD",
    };
    format!("{}: {format}, {}\n", named(report), bytes(report.bytes))
}

/// The name of the file of a report.
pub fn named(report: &Report) -> String {
    report.file_bytes.as_deref().map_or_else(|| shown_name(&report.file), shown_bytes)
}

pub fn findings(out: &mut String, findings: &Findings) {
    if findings.as_slice().is_empty() {
        out.push_str("findings: none\n");
        return;
    }
    out.push_str("findings:\n");
    for finding in findings.as_slice() {
        memory::unwinding::line(out);
        let _ = writeln!(
            out,
            "  {} at byte {}: {}{} [{}]",
            color::level(finding.severity),
            finding.offset,
            one_line(&finding.message),
            clause(finding.clause),
            finding.rule
        );
    }
}

/// Shortens a clause: `ILDG 1.2, section 2.2` becomes ` (ILDG 1.2, 2.2)`.
fn clause(clause: &str) -> String {
    let short = clause.replace("sections ", "").replace("section ", "");
    if short.is_empty() { short } else { format!(" ({short})") }
}

/// Names of the rules that data break although their checksum matches, in parentheses.
pub fn doubts(report: &Report) -> String {
    let rules = report.doubts();
    if rules.is_empty() { String::new() } else { format!(" ({})", rules.join(", ")) }
}

/// Number of verified parts of the data, or the reason why none is.
pub fn verified(report: &Report) -> String {
    match &report.body {
        Body::Unknown => String::new(),
        Body::Lime(contents) => lime::human::verified(contents),
        Body::Inebin(_) => inebin::human::verified().to_owned(),
        Body::Scda(contents) => scda::human::verified(contents),
        Body::Nersc(contents) | Body::Milc(contents) => archive::human::verified(contents).to_owned(),
        Body::OpenQcd(contents) => archive::human::compared(contents).to_owned(),
    }
}

/// The verdict in the words of JSON, painted, with its reason.
fn verdict(report: &Report) -> String {
    let with = match report.findings.count(Level::Warning) {
        0 => String::new(),
        n => format!(", {}{}", counted(n, "warning", "warnings"), doubts(report)),
    };
    let verdict = report.verdict();
    let word = verdict.as_str();
    let verdict = match verdict {
        Verdict::Ok => color::good(format!("{word}, {}", verified(report))),
        Verdict::Unverified if report.is_ok() => color::warning(format!("{word}: {}", verified(report))),
        Verdict::Unverified => {
            color::bad(format!("{word}, which --require-checksum refuses: {}", verified(report)))
        }
        Verdict::Wrong | Verdict::Unreadable => {
            let errors = report.findings.count(Level::Error);
            color::bad(format!("{word}: {}", counted(errors, "error", "errors")))
        }
    };
    verdict + &with
}
