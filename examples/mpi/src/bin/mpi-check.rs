//! Verifies lattice QCD files with all ranks of a job. The reports are the reports of `linkstream check`.

use std::io::{BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::SystemTime;

use clap::Parser;
use linkstream_access::digest::HashFunction;
use linkstream_access::set::{Meaning, Meanings, alone, numbered};
use linkstream_access::store::Stat;
use linkstream_access::text::without_number;
use linkstream_mpi::{EngineName, Existing, Outcome, Output, Program, World, run_with, start_with};
use linkstream_parallel::comm::Comm;
use linkstream_parallel::error::agree;
use linkstream_parallel::file::{Engine, SystemDisk};
use linkstream_parallel::{Error, ErrorKind, Fault};
use linkstream_parallel_check::{CHECK, Item, Settings, Volumes, broadcast, list, store};
use linkstream_report::ensemble::changes::{Change, Changes, compare};
use linkstream_report::ensemble::manifest::{Entries, ManifestError, read, write};
use linkstream_report::ensemble::read::Reader;
use linkstream_report::ensemble::stamp::Stamp;
use linkstream_report::ensemble::store::LeftOut;
use linkstream_report::ensemble::words::{line, summary};
use linkstream_report::json::Object;
use linkstream_report::json_line::{Unreadable, line_of, write_line};
use linkstream_report::options::Options;
use linkstream_report::report::Report;
use linkstream_report::verdict::Verdict;

/// Verifies lattice QCD files with all ranks: large files together, small ones each by one rank.
///
/// Prints one line for each file, as `linkstream check --quiet` does, or its report as JSON. With --manifest, compares a
/// directory with its manifest, as `linkstream check --manifest` does.
#[derive(Debug, Parser)]
#[command(after_help = "\
Exit status:
  0  no file failed
  1  a file is wrong; or unverified, with --require-checksum
  2  a file is unreadable, the output cannot be written, or the arguments are wrong
  3  with --manifest: files have changed, and no file failed

Examples:
  mpirun -n 8 mpi-check configurations/*.lime
  mpirun -n 8 mpi-check --json lat.0100.ildg > report.json
  mpirun -n 8 mpi-check --manifest 24c.manifest --create /data/24c
  mpirun -n 8 mpi-check --manifest 24c.manifest --update --scrub 7d /data/24c")]
struct Arguments {
    /// Files; names of file sets, or one of their volumes. With --manifest, the directory of the store.
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
    /// Compare a directory with MANIFEST: print what is new, gone, modified, moved, copied, damaged or repaired. Each file
    /// is read by one rank.
    #[arg(long, value_name = "MANIFEST", conflicts_with_all = ["lenient", "require_checksum"])]
    manifest: Option<PathBuf>,
    /// Write MANIFEST, which must not exist, and compare nothing. It is the same on any number of ranks, except for the
    /// times when the files were read.
    #[arg(long, requires = "manifest", conflicts_with_all = ["update", "scrub", "json"])]
    create: bool,
    /// Replace MANIFEST by the manifest of the store as it is now.
    #[arg(long, requires = "manifest")]
    update: bool,
    /// Also read a part of the files whose size and times agree with MANIFEST: with 7d a seventh of the store.
    #[arg(long, value_name = "DAYS", requires = "manifest", value_parser = runs)]
    scrub: Option<u32>,
    /// Access to large files: io-ranks or mpi-io.
    #[arg(long, default_value = "io-ranks")]
    engine: EngineName,
}

fn main() -> ExitCode {
    start_with(|world, arguments: Arguments| run_with(world, arguments.engine, arguments))
}

impl Program for Arguments {
    fn run<E: Engine<World>>(self, world: &World, engine: &E) -> Outcome {
        if let Some(manifest) = &self.manifest {
            return match self.compare(world, manifest) {
                Err(error) if error.fault.kind != ErrorKind::Communication => {
                    // All ranks have the same error.
                    if world.rank() == 0 {
                        eprintln!("{}", error.fault.message);
                    }
                    Ok(2)
                }
                outcome => Ok(outcome?),
            };
        }
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
            eprintln!("standard output: {}", without_number(error.to_string()));
            status = 2;
        }
        Ok(status)
    }
}

impl Arguments {
    /// Compares a store with its manifest, or writes the first one.
    fn compare(&self, world: &World, path: &Path) -> Result<u8, Error> {
        let is_first = world.rank() == 0;
        let opened = match &self.files[..] {
            [_] if is_first && self.create && path.exists() => Err(Fault::usage(format!(
                "{} exists; --update instead of --create replaces it",
                path.display()
            ))),
            [root] if !is_first || self.create => Ok((root, Entries::new())),
            [root] => manifest(path).map(|old| (root, old)),
            _ => Err(Fault::usage("--manifest needs one directory, the store")),
        };
        let (root, old) = agree(world, opened)?;
        // The manifest is no part of the store.
        let existing = if self.create { Existing::Refused } else { Existing::Replaced };
        let output =
            if self.create || self.update { Some(Output::file(world, path, existing)?) } else { None };
        let outcome = self.read(world, path, output.as_ref(), root, &old);
        match (outcome, output) {
            (Ok(status), Some(output)) => {
                output.complete()?;
                Ok(status)
            }
            (outcome, _) => outcome,
        }
    }

    fn read(
        &self,
        world: &World,
        path: &Path,
        output: Option<&Output<'_>>,
        root: &Path,
        old: &Entries,
    ) -> Result<u8, Error> {
        let settings = agree_on(world, &Reader::like(old, Vec::new(), !self.no_observables))?;
        let paths = [Some(path), output.map(Output::path)].into_iter().flatten();
        let own: Vec<(u64, u64)> = paths.filter_map(|path| Stat::of(path).ok()?.identity).collect();
        let left_out = LeftOut { by_name: &|_| false, own: &own, min_age: None };
        let present = Stamp::of(SystemTime::now()).unwrap_or(Stamp::EPOCH);
        let now = store(world, root, &settings, old, self.scrub, left_out, present)?;
        let made = now.map_or(Ok(0), |now| self.tell(&compare(old, &now), output.map(Output::path)));
        agree(world, made.map_err(|error| Fault::system(None, &error)))
    }

    /// Prints the changes, and writes the next manifest. Returns the exit status.
    fn tell(&self, changes: &Changes, next: Option<&Path>) -> std::io::Result<u8> {
        if let Some(next) = next {
            let mut file = BufWriter::new(std::fs::OpenOptions::new().write(true).truncate(true).open(next)?);
            write(changes.next.values(), &mut file)?;
            file.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
        }
        // Of a first manifest, everything is new.
        let is_told = |change: &&Change| !self.create || change.is_bad();
        let list: Vec<&Change> = changes.list.iter().filter(is_told).collect();
        let mut out = std::io::stdout().lock();
        for change in &list {
            if self.json {
                out.write_all(&line_of(&Object(*change))?)?;
            } else {
                out.write_all(line(change, |_, word| word.to_owned()).as_bytes())?;
            }
        }
        if self.json {
            out.write_all(&line_of(&Object(changes))?)?;
        } else {
            out.write_all(summary(changes).as_bytes())?;
        }
        out.flush()?;
        Ok(if self.create && list.is_empty() { 0 } else { changes.status() })
    }
}

/// Collective: the reader that rank 0 has made of the manifest.
fn agree_on(world: &World, reader: &Reader) -> Result<Reader, Error> {
    let text = format!("{}\n{}", reader.function.as_str(), reader.xml.join("\n"));
    let text = broadcast(world, text.into_bytes())?;
    let text = String::from_utf8_lossy(&text);
    let mut lines = text.lines().map(str::to_owned);
    let is_blake3 = lines.next().as_deref() == Some(HashFunction::Blake3.as_str());
    let function = if is_blake3 { HashFunction::Blake3 } else { HashFunction::Sha256 };
    Ok(Reader {
        function,
        xml: lines.collect(),
        observables: reader.observables,
        meter: reader.meter.clone(),
    })
}

fn manifest(path: &Path) -> Result<Entries, Fault> {
    let named =
        |error: ManifestError| Fault::usage(without_number(format!("manifest {}: {error}", path.display())));
    let file = std::fs::File::open(path).map_err(|error| named(error.into()))?;
    read(&mut BufReader::new(file)).map_err(named)
}

/// In how many runs the whole store is read again: `7d` is a seventh in each.
fn runs(text: &str) -> Result<u32, String> {
    let days = text.strip_suffix('d').unwrap_or(text).parse().ok();
    days.filter(|days| *days > 0).ok_or_else(|| "a number of days is expected, such as 7d".to_owned())
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
                line_of_report(&report).into_bytes()
            };
            (status, verdict, text)
        }
    };
    [vec![status, verdict], text].concat()
}

/// The line about a file, with its first error.
fn line_of_report(report: &Report) -> String {
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
