//! Measures the cost of the codec in firmware, prints the figures, and compares them with the budget.
//!
//! Flash is the size of text, constants and initial data of a program for a Cortex-M3 that only calls one part of the
//! codec, minus the size of a program that does nothing. It therefore includes the support functions that the compiler
//! adds for this part.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use boards_elf::flash;
use object::{Object as _, ObjectSymbol as _};

use crate::board::Board;
use crate::budget::{Budget, Figures};
use crate::compare;
use crate::input::{Inputs, configuration};
use crate::qemu;
use crate::run::{INFLATING_SCDA, SHIPPED};
use crate::stack;
use crate::toolchain::{Build, firmware};

/// The programs of `examples/firmware/probes`, at the two levels of optimisation that are common for firmware.
const PROBES: [(&str, Build<'_>); 2] = [
    ("flash at opt-level s", Build::new("probes", "release")),
    ("flash at opt-level z", Build::new("probes", "release-z")),
];
/// The probe that does nothing, whose size is subtracted.
const EMPTY: &str = "empty";
/// The program that does nothing, but logs, whose size is subtracted from the programs that log.
const NOTHING: &str = "nothing";
/// The probe that only computes a checksum.
const CRC: &str = "crc";
/// The probe whose symbols have the sizes of types.
const SIZES: &str = "sizes";
/// Prefix of the names of these symbols.
const SIZE_OF: &str = "size of ";

pub fn check() -> Result<bool> {
    let mut figures = Figures::new();
    let mut put = |group: &str, name: &str, figure: f64| {
        figures.entry(group.to_owned()).or_default().insert(name.to_owned(), figure);
    };
    flash_of_parts(&mut put)?;
    crc_tables(&mut put)?;
    memory(&mut put)?;
    instructions(&mut put)?;
    most_expensive_chunks(&mut put)?;
    let mut wrong = stack::figures(&mut put)?;
    wrong.extend(stack::below_measured(&figures));
    print(&figures);
    let mut violations = Budget::read(&firmware())?.violations(&figures);
    violations.extend(wrong);
    for violation in &violations {
        println!("BUDGET VIOLATED: {violation}");
    }
    Ok(violations.is_empty())
}

fn print(figures: &Figures) {
    for (group, figures) in figures {
        println!("\n[\"{group}\"]");
        for (name, figure) in figures {
            println!("\"{name}\" = {figure}");
        }
    }
    println!();
}

fn flash_of_parts(put: &mut impl FnMut(&str, &str, f64)) -> Result<()> {
    let target = Board::Lm3s6965.target();
    // Both levels at the same time: much of each build uses one core.
    let folders = qemu::on_all_cores(&PROBES, |(_, build)| build.run(target));
    for ((group, build), folder) in PROBES.into_iter().zip(folders) {
        let folder = folder?;
        let empty = in_flash(&folder.join(EMPTY))?;
        for name in build.programs()? {
            let program = folder.join(&name);
            if name == SIZES {
                sizes(&program, put)?;
            } else if name != EMPTY {
                let flash = in_flash(&program)?.saturating_sub(empty);
                put(group, &name, flash as f64);
            }
        }
    }
    let folder = SHIPPED.run(target)?;
    let nothing = in_flash(&folder.join(NOTHING))?;
    for name in SHIPPED.programs()? {
        let flash = in_flash(&folder.join(&name))?;
        put("flash of whole programs", &name, flash as f64);
        if name != NOTHING {
            put("flash beyond an empty program, with defmt", &name, flash.saturating_sub(nothing) as f64);
        }
    }
    Ok(())
}

/// Flash and instructions per byte for each size of the checksum's tables, on a Cortex-M3.
fn crc_tables(put: &mut impl FnMut(&str, &str, f64)) -> Result<()> {
    let board = Board::Lm3s6965;
    for features in ["", "crc-small", "crc-fast"] {
        let name = if features.is_empty() { "by default" } else { features };
        let probes = Build { features, only: &[CRC, EMPTY], ..PROBES[0].1 }.run(board.target())?;
        let flash = in_flash(&probes.join(CRC))?.saturating_sub(in_flash(&probes.join(EMPTY))?);
        put("checksum: flash", name, flash as f64);
        let speed = Build { features, only: &["speed"], ..SHIPPED }.run(board.target())?.join("speed");
        for (what, count, bytes, _) in speeds(board, &speed)? {
            if what == "checked" {
                put("checksum: instructions a byte", name, per(count, bytes));
            }
        }
    }
    Ok(())
}

/// Number of bytes of a program that are in flash.
pub fn in_flash(program: &Path) -> Result<u64> {
    flash::size(&fs::read(program).with_context(|| program.display().to_string())?)
}

fn sizes(program: &Path, put: &mut impl FnMut(&str, &str, f64)) -> Result<()> {
    let bytes = fs::read(program).with_context(|| program.display().to_string())?;
    let file = object::File::parse(&*bytes)?;
    let mut count = 0;
    for symbol in file.symbols() {
        if let Some(name) = symbol.name()?.strip_prefix(SIZE_OF) {
            put("bytes of state", name, symbol.size() as f64);
            count += 1;
        }
    }
    ensure!(count > 0, "{} has no sizes", program.display());
    Ok(())
}

/// Statics and largest stack of the programs, on the boards with the least memory, and on the one that has bounds.
fn memory(put: &mut impl FnMut(&str, &str, f64)) -> Result<()> {
    let inputs = Inputs::make()?;
    let runs = [
        ("verify", configuration()),
        ("resume", configuration()),
        ("validate", configuration()),
        ("waiting", configuration()),
        ("scda", inputs.path("packed.scda")),
        ("inebin", inputs.path("matrix.bin")),
        ("record", inputs.path("recorded.lime")),
    ];
    let mut note = |board: Board, build: Build<'_>, label: &str, name: &str, file: &Path| -> Result<()> {
        let outcome = qemu::run(board, &build.run(board.target())?.join(name), file)?;
        ensure!(outcome.status == 0, "{name} fails: {}", outcome.lines.join("\n"));
        let (statics, stack) = compare::memory(&outcome.lines)
            .context("the output of the program has no line with its memory")?;
        put("memory: statics", label, statics as f64);
        put(stack::DEEPEST, label, stack as f64);
        put("memory: in all", label, (statics + stack) as f64);
        Ok(())
    };
    for board in [Board::Microbit, Board::Lm3s6965, Board::SifiveE] {
        for (name, file) in &runs {
            note(board, SHIPPED, &format!("{name} on {}", board.name()), name, file)?;
        }
    }
    let board = Board::Lm3s6965;
    note(board, SHIPPED, "geometry on lm3s6965", "geometry", &configuration())?;
    note(board, INFLATING_SCDA, "scda with inflate on lm3s6965", "scda", &inputs.path("packed.scda"))
}

fn instructions(put: &mut impl FnMut(&str, &str, f64)) -> Result<()> {
    for board in Board::ALL {
        let program = SHIPPED.run(board.target())?.join("speed");
        for (what, count, bytes, sites) in speeds(board, &program)? {
            let name = format!("{what} on {}", board.name());
            match sites {
                Some(sites) if what == "looked at" => {
                    put("instructions a site", &name, (count / sites).round())
                }
                _ => put("instructions a byte", &name, per(count, bytes)),
            }
        }
    }
    Ok(())
}

/// Instructions of the most expensive chunk of 512 bytes for each decoder, on a Cortex-M3.
fn most_expensive_chunks(put: &mut impl FnMut(&str, &str, f64)) -> Result<()> {
    let (board, inputs) = (Board::Lm3s6965, Inputs::make()?);
    let program = SHIPPED.run(board.target())?.join("worst");
    for file in [configuration(), inputs.path("packed.scda"), inputs.path("matrix.bin")] {
        for (decoder, most, is_refused) in most_expensive_chunk(board, &program, &file)? {
            ensure!(!is_refused, "{decoder} refuses {}", file.display());
            put("instructions of the most expensive chunk", &decoder, most);
        }
    }
    // The slowest of the hostile files for each decoder. Limits refuse all of them early, so that a small file has every
    // kind of chunk.
    let mut slowest: BTreeMap<String, f64> = BTreeMap::new();
    for (name, bytes) in host_tests::hostile::files(2000) {
        let file = inputs.path(name);
        fs::write(&file, bytes)?;
        for (decoder, most, _) in most_expensive_chunk(board, &program, &file)? {
            let slowest = slowest.entry(decoder).or_default();
            *slowest = slowest.max(most);
        }
    }
    for (decoder, most) in slowest {
        put("instructions of the most expensive chunk, of files that are made to be slow", &decoder, most);
    }
    Ok(())
}

/// Each decoder of the format of a file, the instructions of its most expensive chunk, and whether it refuses the file.
fn most_expensive_chunk(board: Board, program: &Path, file: &Path) -> Result<Vec<(String, f64, bool)>> {
    let outcome = qemu::run(board, program, file)?;
    ensure!(outcome.status == 0, "worst fails: {}", outcome.lines.join("\n"));
    let mut found = Vec::new();
    for line in &outcome.lines {
        let Some((_, rest)) = line.split_once("most expensive chunk of ") else { continue };
        let (decoder, numbers) = rest.split_once(": ").context("a line without a number")?;
        let most = numbers.split(' ').next().and_then(|word| word.parse().ok()).context("no number")?;
        let is_refused =
            outcome.lines.iter().any(|line| line.contains(&format!("{decoder} refuses the file")));
        found.push((decoder.to_owned(), most, is_refused));
    }
    ensure!(!found.is_empty(), "worst reports no decoder: {}", outcome.lines.join("\n"));
    Ok(found)
}

/// The quotient, rounded to two decimals.
fn per(count: f64, bytes: f64) -> f64 {
    (count / bytes * 100.0).round() / 100.0
}

/// Name of the measurement, instructions, bytes, sites.
type Speed = (String, f64, f64, Option<f64>);

/// Runs the program `speed` and parses the figures in its output.
fn speeds(board: Board, program: &Path) -> Result<Vec<Speed>> {
    let outcome = qemu::run(board, program, &configuration())?;
    ensure!(outcome.status == 0, "speed fails: {}", outcome.lines.join("\n"));
    let mut speeds = Vec::new();
    for line in &outcome.lines {
        let Some((what, numbers)) = line.trim_start_matches("INFO").trim().split_once(": ") else { continue };
        let numbers: Vec<f64> = numbers.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
        if let ([count, bytes, rest @ ..], true) = (numbers.as_slice(), line.contains("instructions")) {
            speeds.push((what.to_owned(), *count, *bytes, rest.first().copied()));
        }
    }
    ensure!(speeds.len() == 3, "speed printed other lines than expected: {}", outcome.lines.join("\n"));
    Ok(speeds)
}
