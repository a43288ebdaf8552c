//! Verifies lattice QCD files with all ranks of a job. The reports are the reports of `linkstream check`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use linkstream_access::set::{Meaning, Meanings, alone, numbered};
use linkstream_mpi::{EngineName, Outcome, Program, World, run_with, start_with};
use linkstream_parallel::comm::Comm;
use linkstream_parallel::file::{Engine, SystemDisk};
use linkstream_parallel_check::{CHECK, Item, Settings, Volumes, list};
use linkstream_report::json_line::{Unreadable, write_line};
use linkstream_report::options::Options;
use linkstream_report::report::Report;
use linkstream_report::verdict::Verdict;

/// Verifies lattice QCD files with all ranks: large files together, small ones each by one rank.
///
/// Prints one line for each file, as `linkstream check --quiet` does, or its report as JSON.
#[derive(Debug, Parser)]
#[command(after_help = "\
Exit status:
  0  no file failed
  1  a file is wrong; or unverified, with --require-checksum
  2  a file is unreadable, the output cannot be written, or the arguments are wrong

Examples:
  mpirun -n 8 mpi-check configurations/*.lime
  mpirun -n 8 mpi-check --json lat.0100.ildg > report.json")]
struct Arguments {
    /// Files; names of file sets, or one of their volumes.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print the report on each file as a line of JSON.
    #[arg(long)]
    json: bool,
    /// Report broken rules that do not affect data as warnings.
    #[arg(long)]
    lenient: bool,
    /// Fail if data have no checksum.
    #[arg(long)]
    require_checksum: bool,
    /// Do not compute plaquettes and other observables.
    #[arg(long)]
    no_observables: bool,
    /// Access to large files: io-ranks or mpi-io.
    #[arg(long, default_value = "io-ranks")]
    engine: EngineName,
}

fn main() -> ExitCode {
    start_with(|world, arguments: Arguments| run_with(world, arguments.engine, arguments))
}

impl Program for Arguments {
    fn run<E: Engine<World>>(self, world: &World, engine: &E) -> Outcome {
        let options = Options {
            observables: !self.no_observables,
            lenient: self.lenient,
            require_checksum: self.require_checksum,
            receiver: None,
            ..CHECK
        };
        let items = if world.rank() == 0 { items(&self.files) } else { Vec::new() };
        let mut counts = [0_usize; 4];
        let mut status = 0;
        let mut out = std::io::stdout().lock();
        let mut written = Ok(());
        let present = |item: &Item, report| present(item, report, self.json);
        list(world, engine, &SystemDisk, &items, &Settings::new(&options), present, |_, result| {
            let [of_file, verdict, text @ ..] = &result[..] else { return true };
            status = status.max(*of_file);
            counts[usize::from(*verdict).min(3)] += 1;
            // Without a reader of the output, the remaining files are not read either.
            written = out.write_all(text).and_then(|()| out.flush());
            written.is_ok()
        })?;
        if world.rank() == 0 && !self.json && written.is_ok() {
            let [ok, unverified, wrong, unreadable] = counts;
            let files = counts.iter().sum::<usize>();
            let noun = if files == 1 { "file" } else { "files" };
            written = writeln!(
                out,
                "{files} {noun}: {ok} OK, {unverified} UNVERIFIED, {wrong} WRONG, {unreadable} UNREADABLE"
            )
            .and_then(|()| out.flush());
        }
        if let Err(error) = written {
            // Files that were not read, or results that nobody has seen, are no success.
            eprintln!("standard output: {error}");
            status = 2;
        }
        Ok(status)
    }
}

/// The files of the list. A file set is one item, although several of its volumes may be named.
fn items(paths: &[PathBuf]) -> Vec<Item> {
    let size = |path: &Path| std::fs::metadata(path).map_or(0, |about| about.len());
    let (mut meanings, mut items) = (Meanings::default(), Vec::<Item>::new());
    for path in paths {
        let single = || Item { bytes: size(path), path: path.clone(), volumes: Volumes::None };
        let item = match meanings.of(path) {
            Ok(Meaning::Volume) => Item { volumes: Volumes::Set(alone(path)), ..single() },
            Ok(Meaning::Set(set)) => match numbered(&set) {
                Ok(volumes) => Item {
                    bytes: volumes.iter().map(|(_, path)| size(path)).sum(),
                    path: set.path(),
                    volumes: Volumes::Set(volumes),
                },
                // The rank that reads it reports the reason.
                Err(_) => single(),
            },
            Ok(Meaning::File) | Err(_) => single(),
        };
        if !items.contains(&item) {
            items.push(item);
        }
    }
    items
}

/// Exit status, verdict, and text of a result.
fn present(item: &Item, report: Result<Report, String>, json: bool) -> Vec<u8> {
    let name = item.path.display();
    let (status, verdict, text) = match report {
        Err(error) if json => {
            let mut line = Vec::new();
            let file_bytes =
                item.path.to_str().is_none().then(|| item.path.as_os_str().as_encoded_bytes().to_vec());
            let unreadable = Unreadable { file_bytes, ..Unreadable::new(name.to_string(), error) };
            // Writing into memory does not fail.
            let _ = unreadable.write_line(&mut line);
            (2, 3, line)
        }
        Err(error) => (2, 3, format!("{name}: UNREADABLE: {error}\n").into_bytes()),
        Ok(report) => {
            let (status, verdict) = match report.verdict() {
                Verdict::Ok => (0, 0),
                Verdict::Unverified => (u8::from(!report.is_ok()), 1),
                Verdict::Wrong => (1, 2),
                Verdict::Unreadable => (2, 3),
            };
            let text = if json {
                let mut line = Vec::new();
                let _ = write_line(&report, &mut line);
                line
            } else {
                line(&report).into_bytes()
            };
            (status, verdict, text)
        }
    };
    [vec![status, verdict], text].concat()
}

/// The line about a file, with its first error.
fn line(report: &Report) -> String {
    let outcome = match (report.verdict(), report.first_error()) {
        (_, Some(error)) => {
            let message = error.message.replace('\n', " ");
            format!("WRONG: at byte {}: {message} [{}]", error.offset, error.rule)
        }
        (Verdict::Ok, None) => "OK".to_owned(),
        (_, None) if report.is_ok() => "UNVERIFIED".to_owned(),
        (_, None) => "UNVERIFIED, which --require-checksum refuses".to_owned(),
    };
    let doubts = report.doubts();
    let doubts = if doubts.is_empty() { String::new() } else { format!(" ({})", doubts.join(", ")) };
    format!("{}: {outcome}{doubts}\n", report.file)
}
