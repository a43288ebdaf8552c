//! Cost of a byte that is verified in place, and of one that is copied first.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use crate::machine::Machine;
use crate::report::Report;
use crate::sender::{Sending, send};

/// The programs.
pub const PROGRAMS: [&str; 2] = ["in-place", "copying"];

/// Figures by group and name.
pub type Figures = BTreeMap<String, BTreeMap<String, f64>>;

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

/// Figures of the programs in a directory, for a file that they verify.
pub fn measure(programs: &Path, contents: &[u8]) -> Result<Figures> {
    let mut figures = Figures::new();
    let mut put = |group: &str, name: String, figure| {
        figures.entry(group.to_owned()).or_default().insert(name, figure);
    };
    for program in PROGRAMS {
        let report = undisturbed(&programs.join(program), contents)?;
        ensure!(report.verdict.starts_with("verified "), "{program}: {}", report.verdict);
        let per_byte =
            |instructions: u64| (instructions as f64 / contents.len() as f64 * 100.0).round() / 100.0;
        let mut parts = Vec::new();
        for part in ["headers", "copy", "codec", "answers"] {
            parts.push((part, report.figure(part)?));
        }
        let all = report.figure("all")? + report.figure("answers")?;
        let measured: u64 = parts.iter().map(|(_, instructions)| instructions).sum();
        parts.extend([("ring", all.saturating_sub(measured)), ("in all", all)]);
        for (part, instructions) in parts {
            put("instructions a byte", format!("{program}: {part}"), per_byte(instructions));
        }
        let (statics, stack) = (report.figure("statics")?, report.figure("stack")?);
        for (part, bytes) in [("statics", statics), ("stack", stack), ("in all", statics + stack)] {
            put("memory", format!("{program}: {part}"), bytes as f64);
        }
        put("bytes that were copied", program.to_owned(), report.figure("copied")? as f64);
    }
    Ok(figures)
}
