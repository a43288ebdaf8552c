//! Cost of a byte that is verified in place, and of one that is copied before.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use crate::machine::Machine;
use crate::report::Report;
use crate::sender::{Sending, send};

/// Programs that are measured.
pub const PROGRAMS: [&str; 3] = ["in-place", "copying", "sockets"];

/// Attempts to send a file without repetitions, which cost instructions.
const ATTEMPTS: u32 = 10;

/// Sends a file to a program until no message was repeated.
pub fn undisturbed(program: &Path, contents: &[u8]) -> Result<Report> {
    let (machine, link) = Machine::start(program)?;
    let mut link = link.patient()?;
    for file in 1..=ATTEMPTS {
        let report = send(&mut link, file, contents, Sending::default())
            .with_context(|| format!("{} {}", program.display(), machine.errors()))?;
        if report.figure("doubled")? == 0 && report.figure("early")? == 0 {
            return Ok(report);
        }
    }
    anyhow::bail!("messages were repeated in each of {ATTEMPTS} attempts")
}

/// A figure of each program, in the order of [`PROGRAMS`].
#[derive(Debug, Clone)]
pub struct Row {
    pub name: &'static str,
    pub figures: Vec<f64>,
}

/// Parts of the instructions: names of figures in the report, and names for people.
const PARTS: [(&str, &str); 4] = [
    ("headers", "headers and their checksums"),
    ("copy", "copy"),
    ("codec", "decoder"),
    ("answers", "answers"),
];

/// Figures of the programs in a directory, for a file that they verify.
pub fn measure(programs: &Path, contents: &[u8]) -> Result<Vec<Row>> {
    let mut reports = Vec::new();
    for program in PROGRAMS {
        let report = undisturbed(&programs.join(program), contents)?;
        ensure!(report.verdict.starts_with("verified "), "{program}: {}", report.verdict);
        reports.push(report);
    }
    let mut rows = Vec::new();
    let mut add = |name, of: &dyn Fn(&Report) -> Result<f64>| -> Result<()> {
        rows.push(Row { name, figures: reports.iter().map(of).collect::<Result<_>>()? });
        Ok(())
    };
    let per_byte = |instructions: u64| (instructions as f64 / contents.len() as f64 * 100.0).round() / 100.0;
    let all = |report: &Report| Ok::<_, anyhow::Error>(report.figure("all")? + report.figure("answers")?);
    for (part, name) in PARTS {
        add(name, &|report| Ok(per_byte(report.figure(part)?)))?;
    }
    add("ring and order of messages", &|report| {
        let parts = PARTS.iter().map(|(part, _)| report.figure(part)).sum::<Result<u64>>()?;
        Ok(per_byte(all(report)?.saturating_sub(parts)))
    })?;
    add("instructions a byte, in all", &|report| Ok(per_byte(all(report)?)))?;
    add("bytes copied", &|report| Ok(report.figure("copied")? as f64))?;
    add("statics, with the ring", &|report| Ok(report.figure("statics")? as f64))?;
    add("stack", &|report| Ok(report.figure("stack")? as f64))?;
    Ok(rows)
}
