//! Runs all programs on all boards. The output must be as expected, and the same on every board.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use clap::Args;

use crate::board::Board;
use crate::compare;
use crate::contents;
use crate::input::{Inputs, UNVERIFIED, configuration, fixtures};
use crate::qemu;
use crate::toolchain::Build;

#[derive(Args)]
pub struct Choice {
    #[command(flatten)]
    boards: Boards,
    /// Accept the output of the programs as correct, and write it to examples/firmware/expected
    #[arg(long)]
    accept: bool,
}

#[derive(Args)]
pub struct Boards {
    /// Use only this board; can be given several times
    #[arg(long)]
    board: Vec<Board>,
    /// Use only the programs geometry, resume and verify, without the test files
    #[arg(long)]
    pub quick: bool,
}

impl Boards {
    /// The chosen programs.
    pub const fn build(&self) -> Build<'static> {
        if self.quick { Build { only: &["geometry", "resume", "verify"], ..SHIPPED } } else { SHIPPED }
    }

    /// The chosen boards; all if none was chosen.
    pub fn chosen(&self) -> impl Iterator<Item = Board> {
        Board::ALL.into_iter().filter(|board| self.board.is_empty() || self.board.contains(board))
    }
}

#[derive(Args)]
pub struct One {
    /// The board
    board: Board,
    /// The program: verify, geometry, validate, scda, inebin, resume, waiting, speed, worst, or record
    /// (which writes a file)
    program: String,
    /// The file that the program reads (record: writes)
    file: PathBuf,
    /// Decompress scda sections
    #[arg(long)]
    inflate: bool,
}

/// The programs as firmware would be shipped.
pub const SHIPPED: Build<'_> = Build::new("firmware", "release");
/// The programs with decompression of scda sections.
const INFLATING: Build<'_> = Build { features: "inflate", ..SHIPPED };
/// The only program that decompresses.
pub const INFLATING_SCDA: Build<'_> = Build { only: &["scda"], ..INFLATING };

pub fn one(one: &One) -> Result<bool> {
    // Before the build, which takes minutes.
    qemu::has_tools(one.board)?;
    // The board would only know the number of the error.
    let is_there = one.program == "record" || one.file.is_file();
    ensure!(is_there, "{}: there is no such file", one.file.display());
    let build = if one.inflate { INFLATING } else { SHIPPED };
    let only = [one.program.as_str()];
    let program = Build { only: &only, ..build }.run(one.board.target())?.join(&one.program);
    let outcome = qemu::run(one.board, &program, &one.file)?;
    for line in outcome.lines {
        println!("{line}");
    }
    Ok(outcome.status == 0)
}

pub fn all(choice: &Choice) -> Result<bool> {
    let inputs = Inputs::make()?;
    let boards: Vec<Board> = choice.boards.chosen().collect();
    // RISC-V is not among them: cargo would enable the features for Arm and RISC-V, which exclude each other, in both.
    let arm: Vec<&str> =
        boards.iter().map(|board| board.target()).filter(|target| target.starts_with("thumb")).collect();
    if !arm.is_empty() {
        choice.boards.build().compile(&arm)?;
    }
    let (mut runs, mut wrong) = (0, 0);
    // The programs for one board are built while the ones of another board run.
    for report in qemu::on_all_cores(&boards, |board| on_board(*board, choice, &inputs)) {
        let report = report?;
        print!("{}", report.lines);
        runs += report.runs;
        wrong += report.wrong;
    }
    println!("{runs} runs, {wrong} with wrong output");
    Ok(wrong == 0)
}

/// Runs all programs on one board.
fn on_board(board: Board, choice: &Choice, inputs: &Inputs) -> Result<Report> {
    let mut report = Report { accept: choice.accept, ..Report::default() };
    let programs = choice.boards.build().run(board.target())?;
    let on = |program: &str| programs.join(program);
    report.expect(board, &on("verify"), &configuration(), "verify")?;
    report.expect(board, &on("resume"), &configuration(), "resume")?;
    report.expect(board, &on("geometry"), &configuration(), "geometry")?;
    for (name, _) in UNVERIFIED {
        report.refuse(board, &on("geometry"), &inputs.path(name), name)?;
    }
    if choice.boards.quick {
        return Ok(report);
    }
    report.expect(board, &on("validate"), &configuration(), "validate")?;
    report.expect(board, &on("validate"), &inputs.path("foreign.lime"), "foreign")?;
    report.expect(board, &on("waiting"), &configuration(), "waiting")?;
    report.expect(board, &on("inebin"), &inputs.path("matrix.bin"), "inebin")?;
    report.expect(board, &on("scda"), &inputs.path("plain.scda"), "scda")?;
    report.expect(board, &on("scda"), &inputs.path("packed.scda"), "scda-packed")?;
    let name = format!("recorded-{}.lime", board.name());
    let recorded = inputs.path(&name);
    report.expect(board, &on("record"), &recorded, "record")?;
    inputs.linkstream(&["check", &name])?;
    report.expect(board, &on("verify"), &recorded, "recorded")?;
    if board.has_room_to_inflate() {
        let scda = INFLATING_SCDA.run(board.target())?.join("scda");
        report.expect(board, &scda, &inputs.path("packed.scda"), "scda-unpacked")?;
        report.fixtures(board, &scda, "scda", "scda", 0)?;
    }
    if board == Board::Lm3s6965 {
        // On one board only, because there are many fixtures.
        report.fixtures(board, &on("inebin"), "inebin", "bin", 0)?;
        report.fixtures(board, &on("inebin"), "broken-inebin", "bin", 1)?;
        report.fixtures(board, &on("verify"), "qio/single", "lime", 0)?;
    }
    Ok(report)
}

#[derive(Default)]
struct Report {
    accept: bool,
    runs: usize,
    wrong: usize,
    lines: String,
}

impl Report {
    fn note(&mut self, board: Board, program: &Path, what: &str, wrong: Option<String>) {
        self.runs += 1;
        let name = format!("{} {} {what}", board.name(), compare::short(program));
        self.lines += &match wrong {
            None => format!("ok    {name}\n"),
            Some(wrong) => {
                self.wrong += 1;
                format!("WRONG {name}: {wrong}\n")
            }
        };
    }

    /// Checks that the program succeeds and that its output equals the file `expected`.
    fn expect(&mut self, board: Board, program: &Path, file: &Path, expected: &str) -> Result<()> {
        let outcome = qemu::run(board, program, file)?;
        if self.accept {
            compare::accept(expected, &outcome.lines)?;
        }
        let mut wrong = compare::with_expected(expected, &outcome.lines)?;
        if outcome.status != 0 {
            let last = outcome.lines.last().map_or("nothing", String::as_str);
            wrong = Some(format!("status {}, last line: {last}", outcome.status));
        }
        let wrong = wrong.or_else(|| of_contents(program, file, &outcome.lines));
        self.note(board, program, &compare::short(file), wrong);
        Ok(())
    }

    /// Checks that the program ends with status 1, and that its output equals the file `expected`.
    fn refuse(&mut self, board: Board, program: &Path, file: &Path, expected: &str) -> Result<()> {
        let outcome = qemu::run(board, program, file)?;
        if self.accept {
            compare::accept(expected, &outcome.lines)?;
        }
        let wrong = if outcome.status == 1 {
            compare::with_expected(expected, &outcome.lines)?
        } else {
            Some(format!("status {}, although the file is not verified", outcome.status))
        };
        self.note(board, program, expected, wrong);
        Ok(())
    }

    /// Checks that the program ends with `status` for every fixture of one kind: 0 if it must accept them, 1 if it must
    /// refuse them.
    fn fixtures(
        &mut self,
        board: Board,
        program: &Path,
        kind: &str,
        ending: &str,
        status: i32,
    ) -> Result<()> {
        let files = fixtures(kind, ending);
        ensure!(!files.is_empty(), "no fixtures of the kind {kind}");
        for (file, outcome) in
            files.iter().zip(qemu::on_all_cores(&files, |file| qemu::run(board, program, file)))
        {
            let outcome = outcome?;
            let last = outcome.lines.last().map_or("nothing", String::as_str);
            let wrong =
                (outcome.status != status).then(|| format!("status {}, last line: {last}", outcome.status));
            let wrong = wrong.or_else(|| of_contents(program, file, &outcome.lines));
            self.note(board, program, &format!("{kind}/{}", compare::short(file)), wrong);
        }
        Ok(())
    }
}

/// The first difference between the file and the output of the program, if the program lists files.
fn of_contents(program: &Path, file: &Path, said: &[String]) -> Option<String> {
    if compare::short(program) == "verify" { contents::difference(file, said) } else { None }
}
