//! One run of a program on a board.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};

use crate::board::Board;

/// A program that takes longer than this hangs: the longest needs a second where nothing else runs.
const PATIENCE: Duration = Duration::from_secs(300);

/// What a run came to.
#[derive(Debug)]
pub struct Outcome {
    /// The status the program ended with.
    pub status: i32,
    /// What it logged, a line each: level and message.
    pub lines: Vec<String>,
}

/// Runs the program on the board, with `file` to read (or to write).
pub fn run(board: Board, program: &Path, file: &Path) -> Result<Outcome> {
    let (emulator, machine) = board.emulator();
    let name = file.to_str().context("the file's name is not UTF-8")?;
    // Commas separate QEMU's options; two stand for one.
    let name = name.replace(',', ",,");
    let mut command = Command::new(emulator);
    command
        .args(machine)
        .args(["-display", "none", "-serial", "null", "-monitor", "none"])
        // One instruction takes one nanosecond of the board's time: the same in every run.
        .args(["-icount", "shift=0"])
        .arg("-semihosting-config")
        .arg(format!("enable=on,target=native,arg={name}"))
        .arg("-kernel")
        .arg(program);
    let output = bounded(&mut command)?;
    let status = output.status.code().context("QEMU was killed")?;
    ensure!(status <= 3, "QEMU failed:\n{}", String::from_utf8_lossy(&output.stderr));
    Ok(Outcome { status, lines: decode(program, output.stdout)? })
}

fn bounded(command: &mut Command) -> Result<Output> {
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().with_context(
            || {
                format!(
                    "{} cannot be run; on Debian: apt-get install \
            qemu-system-arm qemu-system-misc",
                    command.get_program().display()
                )
            },
        )?;
    // Frames are read while the program runs, for a pipe holds few of them.
    let out = child.stdout.take().context("no pipe")?;
    let reader = thread::spawn(move || -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut { out }, &mut bytes)?;
        Ok(bytes)
    });
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        if start.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            bail!("the program has not come to an end after {} s", PATIENCE.as_secs());
        }
        thread::sleep(Duration::from_millis(2));
    }
    let mut output = child.wait_with_output()?;
    output.stdout = reader.join().map_err(|_| anyhow::anyhow!("the frames were not read"))??;
    Ok(output)
}

/// The words of a program are in its file, not in its memory: defmt-print puts them back.
fn decode(program: &Path, frames: Vec<u8>) -> Result<Vec<String>> {
    let mut printer = Command::new("defmt-print")
        .args(["--log-format", "{L} {s}", "-e"])
        .arg(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("defmt-print cannot be run; it comes with: cargo install defmt-print")?;
    let mut input = printer.stdin.take().context("no pipe")?;
    let writer = thread::spawn(move || input.write_all(&frames));
    let output = printer.wait_with_output()?;
    writer.join().map_err(|_| anyhow::anyhow!("the frames were not written"))??;
    ensure!(output.status.success(), "defmt-print failed:\n{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout)?;
    Ok(text.lines().map(|line| line.trim_end().to_owned()).collect())
}
