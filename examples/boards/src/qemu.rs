//! Runs a program on an emulated board.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};

use crate::board::Board;

/// Time limit of a program; a slower one is considered to hang. The slowest takes a second on an idle machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// Result of a run.
#[derive(Debug)]
pub struct Outcome {
    /// Exit status of the program.
    pub status: i32,
    /// The lines that it logged: level and message.
    pub lines: Vec<String>,
}

/// Packages of Debian that have the emulators.
const EMULATORS: &str = "on Debian: apt-get install qemu-system-arm qemu-system-misc";
const PRINTER: &str = "defmt-print cannot be run; it comes with: cargo install defmt-print";

/// Checks that the emulator of the board and the printer of its log are there.
pub fn has_tools(board: Board) -> Result<()> {
    let (emulator, _) = board.emulator();
    let runs =
        |tool: &str| Command::new(tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    runs(emulator).with_context(|| format!("{emulator} cannot be run; {EMULATORS}"))?;
    runs("defmt-print").context(PRINTER)?;
    Ok(())
}

/// Runs the program on the board, with `file` to read (or to write).
pub fn run(board: Board, program: &Path, file: &Path) -> Result<Outcome> {
    let (emulator, machine) = board.emulator();
    let name = file.to_str().context("the file's name is not UTF-8")?;
    // Commas separate QEMU's options; a doubled comma is a literal one.
    let name = name.replace(',', ",,");
    let mut command = Command::new(emulator);
    command
        .args(machine)
        .args(["-display", "none", "-serial", "null", "-monitor", "none"])
        // One instruction takes one nanosecond of the board's time, so that every run has the same timing.
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

/// Calls `work` for each item, on all cores. The results are in the order of the items.
pub fn on_all_cores<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    // Each thread takes the next item, because some items take much longer than others.
    let take = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return done };
            done.push((index, work(item)));
        }
    };
    let mut results = thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(take)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a run panicked")).collect::<Vec<_>>()
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

fn bounded(command: &mut Command) -> Result<Output> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("{} cannot be run; {EMULATORS}", command.get_program().display()))?;
    // Frames are read while the program runs, because a pipe only holds a few of them.
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
            bail!("the program did not end within {} s", PATIENCE.as_secs());
        }
        thread::sleep(Duration::from_millis(2));
    }
    let mut output = child.wait_with_output()?;
    output.stdout = reader.join().map_err(|_| anyhow::anyhow!("the frames were not read"))??;
    Ok(output)
}

/// Converts defmt's frames to lines of text with `defmt-print`. The format strings are in the file of the program, not
/// in the frames.
fn decode(program: &Path, frames: Vec<u8>) -> Result<Vec<String>> {
    let mut printer = Command::new("defmt-print")
        .args(["--log-format", "{L} {s}", "-e"])
        .arg(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context(PRINTER)?;
    let mut input = printer.stdin.take().context("no pipe")?;
    let writer = thread::spawn(move || input.write_all(&frames));
    let output = printer.wait_with_output()?;
    writer.join().map_err(|_| anyhow::anyhow!("the frames were not written"))??;
    ensure!(output.status.success(), "defmt-print failed:\n{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout)?;
    Ok(text.lines().map(|line| line.trim_end().to_owned()).collect())
}
