//! `--batch`: a command for many files. Each file has a process of its own, with the arguments that its number gives: what
//! goes wrong with one cannot affect another, and each is written completely or not at all, as by a command alone.
//!
//! Nothing is written before every output is known: two inputs never have the same one.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{BufRead as _, BufReader, ErrorKind, IsTerminal as _, Read as _, Write as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use anyhow::Context as _;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use linkstream_access::set::{Meaning, Meanings};
use linkstream_access::store::Stat;
use linkstream_report::ensemble::stamp::Stamp;
use linkstream_report::job::Job;
use linkstream_report::json::SCHEMA;
use linkstream_report::options::Options;
use serde::{Deserialize, Serialize};

use crate::color;
use crate::complain::message;
use crate::failure::{FAILED, Failure, INVALID, output_name, wrong_arguments};
use crate::human::{one_line, shown_path, thousands};
use crate::stdio::stdout;
use crate::system::{File, metadata};
use crate::threads;

/// The options of commands that can be repeated for many files.
#[derive(Debug, Default, Args)]
pub struct Batch {
    /// Do this for every file whose name matches PATTERN, which is given instead of the file to read and follows
    /// `--batch`: `{n}` in it is a number. In the other arguments, `{n}` is the number as in the name, and `{n:05}` the
    /// number with at least 5 digits.
    #[arg(long, value_name = "PATTERN")]
    pub batch: Option<String>,
    /// With --batch, leave outputs that exist. An output that is older than its input, or empty, is named.
    #[arg(long, requires = "batch")]
    pub skip_existing: bool,
    /// With --batch, add JSON objects for each file to LOG: when it is begun, and when it is done.
    #[arg(long, value_name = "LOG", requires = "batch")]
    pub log: Option<PathBuf>,
    /// With --batch, leave out what LOG says is done with the same arguments, if the files are still as they were then.
    #[arg(long, requires = "log")]
    pub resume: bool,
    /// With --batch, the number of files at the same time [default: number of cores].
    #[arg(long, value_name = "N", requires = "batch", value_parser = threads::at_least_one)]
    pub jobs: Option<NonZeroUsize>,
}

/// The files that one command reads and writes.
#[derive(Debug, Clone)]
pub struct Paths {
    pub input: PathBuf,
    /// `None` if the input is changed in place.
    pub output: Option<PathBuf>,
    /// The output may be replaced.
    pub force: bool,
}

/// One line of the log.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    schema: u32,
    input: String,
    output: Option<String>,
    status: Status,
    error: Option<String>,
    /// The arguments, except for a few that change nothing in the outputs.
    #[serde(default)]
    arguments: Option<Vec<String>>,
    seconds: f64,
    /// Sizes and times of the input and of what was written, after that; of a command that is begun, before it.
    #[serde(default)]
    read: Option<State>,
    #[serde(default)]
    written: Option<State>,
}

impl Line {
    /// A line about a command, with the state of its input now.
    fn of(item: &Item, status: Status) -> Self {
        let (input, output) = key(&item.paths);
        Self {
            schema: SCHEMA,
            input,
            output,
            status,
            error: None,
            arguments: Some(item.what()),
            seconds: 0.0,
            read: State::of(&item.paths.input),
            written: None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    /// The command has been started. If no other line follows, the run was killed.
    Begun,
    Written,
    /// The output exists.
    There,
    /// The output exists, and the input has changed since.
    Stale,
    Failed,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct State {
    bytes: u64,
    modified: Option<Stamp>,
}

impl State {
    /// The state of a file, or of all volumes of a set of that name.
    fn of(path: &Path) -> Option<Self> {
        Self::of_file(path).or_else(|| {
            let Ok(Meaning::Set(set)) = Meanings::default().of(path) else { return None };
            let volumes = set.volumes().ok()?.into_iter().map(|(_, path)| Self::of_file(&path));
            volumes.collect::<Option<Vec<_>>>()?.into_iter().reduce(|a, b| Self {
                bytes: a.bytes.saturating_add(b.bytes),
                modified: a.modified.max(b.modified),
            })
        })
    }

    fn of_file(path: &Path) -> Option<Self> {
        let stat = Stat::of(path).ok()?;
        Some(Self { bytes: stat.size, modified: stat.modified.and_then(Stamp::of) })
    }
}

/// A command for one file.
struct Item {
    arguments: Vec<OsString>,
    paths: Paths,
}

impl Item {
    /// Lets the command replace its output.
    fn force(&mut self) {
        let end = self.arguments.iter().position(|argument| argument == "--");
        self.arguments.insert(end.unwrap_or(self.arguments.len()), "--force".into());
        self.paths.force = true;
    }

    /// The arguments that say what is written, without the name of the program.
    fn what(&self) -> Vec<String> {
        let all = of_child(self.arguments.get(1..).unwrap_or_default()).into_iter();
        let changes_nothing = |argument: &String| ["--force", "-v", "--verbose"].contains(&argument.as_str());
        all.map(|argument| as_text(argument).into_owned())
            .filter(|argument| !changes_nothing(argument))
            .collect()
    }
}

/// The input and the output of a command, as they are written in the log.
type Key = (String, Option<String>);

fn key(paths: &Paths) -> Key {
    let of = |path: &PathBuf| path.display().to_string();
    (of(&paths.input), paths.output.as_ref().map(of))
}

/// The arguments of this run without those about the batch, and these; `None` if there is no batch.
pub fn of(arguments: &[OsString]) -> anyhow::Result<Option<(Batch, Vec<OsString>)>> {
    let until = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
    let is_batch = |argument: &OsString| argument == "--batch" || as_text(argument).starts_with("--batch=");
    let asks_for_help = |argument: &OsString| argument == "--help" || argument == "-h";
    let options = arguments.get(..until).unwrap_or_default();
    if !options.iter().any(is_batch) || options.iter().any(asks_for_help) {
        return Ok(None);
    }
    let (mut batch, mut rest) = (Batch::default(), Vec::new());
    let mut left = arguments.iter().cloned().collect::<VecDeque<_>>();
    while let Some(argument) = left.pop_front() {
        if argument == "--" {
            rest.push(argument);
            rest.extend(left);
            break;
        }
        let text = as_text(&argument).into_owned();
        let (name, value) =
            text.split_once('=').map_or((text.as_str(), None), |(name, value)| (name, Some(value)));
        let mut value = |what: &str| match value {
            Some(value) => Ok(value.to_owned()),
            None => {
                let next = left.pop_front().filter(|next| !as_text(next).starts_with('-'));
                let next = next.and_then(|next| next.into_string().ok());
                next.with_context(|| format!("{name} is followed by {what}"))
            }
        };
        match name {
            "--batch" => {
                let pattern = value("the pattern of the files to read, such as 'lat.{n}'")?;
                rest.push(pattern.clone().into());
                batch.batch = Some(pattern);
            }
            "--log" => batch.log = Some(value("the name of a file")?.into()),
            "--jobs" => {
                let jobs = threads::at_least_one(&value("a number")?);
                batch.jobs = Some(jobs.map_err(|error| Failure::Arguments(format!("--jobs {error}")))?);
            }
            "--skip-existing" => batch.skip_existing = true,
            "--resume" => batch.resume = true,
            _ => rest.push(argument),
        }
    }
    if batch.resume && batch.log.is_none() {
        wrong_arguments!("--resume needs the --log of the earlier run");
    }
    Ok(Some((batch, rest)))
}

fn as_text(argument: &OsString) -> std::borrow::Cow<'_, str> {
    argument.to_string_lossy()
}

/// Runs the command for all files. `parsed` gives the paths of a command with these arguments.
pub fn run(
    batch: &Batch,
    arguments: &[OsString],
    parsed: impl Fn(&[OsString]) -> anyhow::Result<Paths>,
) -> anyhow::Result<ExitCode> {
    let pattern = Pattern::new(batch.batch.as_deref().unwrap_or_default())?;
    let mut items = Vec::new();
    for number in pattern.numbers()? {
        let arguments: Vec<OsString> =
            arguments.iter().map(|argument| filled(argument, &number)).collect::<Result<_, _>>()?;
        let paths = parsed(&arguments).with_context(|| format!("number {number}"))?;
        // The pattern has taken the place of another path, which would be read instead, or replaced.
        anyhow::ensure!(
            paths.input.as_os_str() == filled(&pattern.text.clone().into(), &number)?,
            "--batch {} stands where another file would: it comes before the output; nothing was written",
            one_line(&pattern.text)
        );
        items.push(Item { arguments, paths });
    }
    anyhow::ensure!(!items.is_empty(), "no file matches {}", one_line(&pattern.text));
    without_collisions(&items, batch.log.as_deref())?;
    let earlier = match &batch.log {
        Some(log) if batch.resume => read_log(log)?,
        _ => Earlier::default(),
    };
    let mut plan: Vec<(Item, Option<Status>)> = Vec::new();
    let mut existing = Vec::new();
    for mut item in items {
        let status = match earlier.killed(&item) {
            Some(Left::Whole) => Some(Status::There),
            Some(Left::Part) => {
                item.force();
                None
            }
            None => settled(&item, batch, &earlier),
        };
        if let (None, Some(output), false) = (status, &item.paths.output, item.paths.force) {
            existing.extend(Some(output.clone()).filter(|output| State::of(output).is_some()));
        }
        plan.push((item, status));
    }
    if let Some(first) = existing.first() {
        anyhow::bail!(
            "{} of the outputs {} there, such as {}: --skip-existing leaves what exists, --force replaces it; nothing was written",
            thousands(existing.len() as u64),
            if existing.len() == 1 { "is" } else { "are" },
            shown_path(first)
        );
    }
    let log = batch.log.as_deref().map(|path| Log::open(path, batch.resume, earlier.is_cut)).transpose()?;
    execute(plan, batch, log.as_ref())
}

/// The status of an output before anything is written; `None` if it is to be made.
fn settled(item: &Item, batch: &Batch, earlier: &Earlier) -> Option<Status> {
    let paths = &item.paths;
    let input = State::of(&paths.input);
    let is_this = |line: &&Line| line.arguments == Some(item.what());
    if let Some(line) = earlier.done.get(&key(paths)).filter(is_this) {
        let written = State::of(paths.output.as_ref().unwrap_or(&paths.input));
        if line.written.is_some() && line.written == written {
            let is_same = paths.output.is_none() || line.read == input;
            // A forced run makes it again.
            return if is_same { Some(Status::There) } else { Some(Status::Stale).filter(|_| !paths.force) };
        }
    }
    let output = paths.output.as_ref().filter(|_| batch.skip_existing)?;
    let written = State::of(output)?;
    if written.bytes == 0 {
        return Some(Status::Failed);
    }
    let is_older = input.zip(Some(written)).is_some_and(|(input, written)| input.modified > written.modified);
    Some(if is_older { Status::Stale } else { Status::There })
}

/// Refuses two commands if one would write what the other reads or writes, and a log that is one of these files.
fn without_collisions(items: &[Item], log: Option<&Path>) -> anyhow::Result<()> {
    let mut outputs: BTreeMap<PathBuf, &Path> = BTreeMap::new();
    let nothing = "nothing was written";
    for Item { paths, .. } in items {
        let Some(output) = &paths.output else { continue };
        if output == Path::new("-") {
            wrong_arguments!("--batch writes files, not to standard output");
        }
        if let Some(other) = outputs.insert(real(output), &paths.input) {
            anyhow::bail!(
                "{} and {} would both be written to {}; {nothing}",
                shown_path(other),
                shown_path(&paths.input),
                shown_path(output)
            );
        }
    }
    let log = log.map(real);
    for Item { paths, .. } in items {
        let mut files = std::iter::once(&paths.input).chain(&paths.output);
        if let Some(file) = files.find(|file| log.as_ref().is_some_and(|log| *log == real(file))) {
            anyhow::bail!("{} would be the log, too; {nothing}", shown_path(file));
        }
        if let Some(from) = outputs.get(&real(&paths.input)) {
            anyhow::bail!(
                "{} is read, and would be replaced by what {} becomes; {nothing}",
                shown_path(&paths.input),
                shown_path(from)
            );
        }
    }
    Ok(())
}

/// The path without links, as far as it exists.
fn real(path: &Path) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => {
            let folder = if folder == Path::new("") { Path::new(".") } else { folder };
            folder.canonicalize().unwrap_or_else(|_| folder.to_owned()).join(name)
        }
        _ => path.to_owned(),
    }
}

fn execute(plan: Vec<(Item, Option<Status>)>, batch: &Batch, log: Option<&Log>) -> anyhow::Result<ExitCode> {
    let program = std::env::current_exe().map_err(Failure::Input)?;
    let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let jobs = batch.jobs.unwrap_or(cores).get().min(plan.len());
    let bar = if std::io::stderr().is_terminal() {
        ProgressBar::new(plan.len() as u64)
    } else {
        ProgressBar::hidden()
    };
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} {eta}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let queue = Mutex::new(VecDeque::from(plan));
    let counts: Mutex<(BTreeMap<&str, usize>, u8)> = Mutex::default();
    let failure: Mutex<Option<anyhow::Error>> = Mutex::default();
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let fail = |error| {
        *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        // Nothing is begun that would not be in the log.
        queue.lock().unwrap_or_else(PoisonError::into_inner).clear();
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                while let Some((item, settled)) = next() {
                    let begun = log.filter(|_| settled.is_none());
                    let begun = begun.map_or(Ok(()), |log| {
                        let written = item.paths.output.as_deref().and_then(State::of);
                        log.add(&Line { written, ..Line::of(&item, Status::Begun) })
                    });
                    if let Err(error) = begun {
                        fail(error);
                        continue;
                    }
                    let (line, said, status) = perform(&program, &item, settled);
                    let logged = log.map_or(Ok(()), |log| log.add(&line));
                    bar.suspend(|| {
                        let name = shown_path(&item.paths.input);
                        for line in &said {
                            message(format_args!("{} {name}: {}", color::bad("linkstream:"), one_line(line)));
                        }
                    });
                    bar.inc(1);
                    let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
                    *counts.0.entry(line.status.as_str()).or_default() += 1;
                    counts.1 = counts.1.max(status);
                    if let Err(error) = logged {
                        fail(error);
                    }
                }
            });
        }
    });
    bar.finish_and_clear();
    let (counts, status) = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let of = |status: Status| thousands(counts.get(status.as_str()).copied().unwrap_or_default() as u64);
    let mut summary = format!(
        "{} written, {} there already, {} failed",
        of(Status::Written),
        of(Status::There),
        of(Status::Failed)
    );
    if counts.contains_key(Status::Stale.as_str()) {
        summary += &format!(", {} there with an input that has changed", of(Status::Stale));
    }
    let printed = stdout().and_then(|mut out| writeln!(out, "{summary}").map_err(Failure::Output));
    printed.with_context(|| output_name(Path::new("-")))?;
    Ok(ExitCode::from(status))
}

/// Does one command. Returns its line of the log, what is printed about it, and its exit status.
fn perform(program: &Path, item: &Item, settled: Option<Status>) -> (Line, Vec<String>, u8) {
    let begun = Instant::now();
    let mut line = Line::of(item, settled.unwrap_or(Status::Written));
    let before = line.read.take();
    let (mut said, mut status) = (Vec::new(), 0);
    match settled {
        Some(Status::Stale) => {
            let why = "the output exists, and this file has changed since; --force replaces it".to_owned();
            line.error = Some(why.clone());
            (said, status) = (vec![why], INVALID);
        }
        Some(Status::Failed) => {
            let why = "the output exists, and is empty: --force replaces it".to_owned();
            line.error = Some(why.clone());
            (said, status) = (vec![why], INVALID);
        }
        Some(_) => {}
        None => {
            let mut command = Command::new(program);
            command.args(of_child(item.arguments.get(1..).unwrap_or_default()));
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
            match command.output() {
                Ok(output) => {
                    let text = String::from_utf8_lossy(&output.stderr).into_owned();
                    let name = shown_path(&item.paths.input);
                    said = text.lines().map(|line| without_names(line, &name)).collect();
                    if !output.status.success() {
                        line.status = Status::Failed;
                        // A line of the log has a limit.
                        let why: String = said.join("; ").chars().take(LONGEST_ERROR).collect();
                        line.error = Some(why).filter(|why| !why.is_empty());
                        status =
                            output.status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(FAILED);
                    }
                }
                Err(error) => {
                    (line.status, line.error, status) = (Status::Failed, Some(error.to_string()), FAILED);
                    said.push(error.to_string());
                }
            }
        }
    }
    if matches!(line.status, Status::Written | Status::There) {
        line.read = before.clone().filter(|_| item.paths.output.is_some());
        line.written = State::of(item.paths.output.as_ref().unwrap_or(&item.paths.input));
        // It had these texts already: a run that was killed before it said so has written them.
        if item.paths.output.is_none() && line.written == before {
            line.status = Status::There;
        }
    }
    line.seconds = (begun.elapsed().as_secs_f64() * 1e3).round() / 1e3;
    (line, said, status)
}

/// The arguments of a command whose messages are repeated: the time is added to them here.
fn of_child(arguments: &[OsString]) -> Vec<&OsString> {
    const OPTION: &str = "--log-format";
    let mut of_child = Vec::new();
    let mut left = arguments.iter();
    while let Some(argument) = left.next() {
        match as_text(argument) {
            text if text == OPTION => drop(left.next()),
            text if text.strip_prefix(OPTION).is_some_and(|rest| rest.starts_with('=')) => {}
            text => {
                of_child.push(argument);
                if text == "--" {
                    of_child.extend(left);
                    break;
                }
            }
        }
    }
    of_child
}

/// A message without the names of the program and of the file in front.
fn without_names(line: &str, file: &str) -> String {
    let line = line.strip_prefix("linkstream: ").unwrap_or(line);
    line.strip_prefix(file).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(line).to_owned()
}

impl Status {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Begun => "begun",
            Self::Written => "written",
            Self::There => "there",
            Self::Stale => "stale",
            Self::Failed => "failed",
        }
    }
}

/// The log. A line is added when a file is done.
struct Log {
    file: Mutex<std::fs::File>,
    path: PathBuf,
}

impl Log {
    /// If it `is_cut`, the last line is ended first.
    fn open(path: &Path, resume: bool, is_cut: bool) -> anyhow::Result<Self> {
        let mut options = OpenOptions::new();
        options.append(true);
        // A log of another run is not mixed with this one.
        if resume {
            options.create(true)
        } else {
            options.create_new(true)
        };
        let mut file = match options.open(path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                anyhow::bail!("{} exists; --resume continues it", shown_path(path))
            }
            file => file.map_err(Failure::Output).with_context(|| output_name(path))?,
        };
        if is_cut {
            file.write_all(b"\n").map_err(Failure::Output).with_context(|| output_name(path))?;
        }
        Ok(Self { file: Mutex::new(file), path: path.to_owned() })
    }

    fn add(&self, line: &Line) -> anyhow::Result<()> {
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&text).map_err(Failure::Output).with_context(|| output_name(&self.path))
    }
}

/// Maximum length of a line of the log in bytes: longer than all arguments of a command, which the system limits.
const LONGEST_LINE: usize = 8 << 20;
/// Maximum number of characters of the error in a line.
const LONGEST_ERROR: usize = 64 << 10;
/// The beginning of every line.
const BEGINNING: &[u8] = b"{\"schema\":";

/// Knowledge about earlier runs.
#[derive(Default)]
struct Earlier {
    /// The line about each output that was written, or was there.
    done: HashMap<Key, Line>,
    /// The line about each command that was begun, and perhaps not ended.
    begun: HashMap<Key, Line>,
    /// The last line has no end.
    is_cut: bool,
}

/// The remains of a killed run in the place of an output.
enum Left {
    Whole,
    /// A set without some of its volumes.
    Part,
}

impl Earlier {
    /// The remains of a run that was killed during this command.
    fn killed(&self, item: &Item) -> Option<Left> {
        let Paths { input, output, force } = &item.paths;
        let output = output.as_ref().filter(|_| !force)?;
        let line = self.begun.get(&key(&item.paths))?;
        if line.arguments != Some(item.what()) || line.read != State::of(input) {
            return None;
        }
        match State::of_file(output) {
            // Each file is written completely or not at all.
            Some(now) => (now.bytes > 0 && line.written.as_ref() != Some(&now)).then_some(Left::Whole),
            // The volumes of a set get their names one after the other.
            None if line.written.is_none() => {
                State::of(output).map(|_| if is_whole(output) { Left::Whole } else { Left::Part })
            }
            None => None,
        }
    }
}

/// True if a set has all volumes.
fn is_whole(set: &Path) -> bool {
    let report = Job::at(set).open(&Arc::default()).map(|open| open.report(&Options::default()));
    matches!(report, Ok(Ok(report)) if report.first_error().is_none())
}

/// Reads the log of earlier runs. A line that a killed run has cut is none.
fn read_log(path: &Path) -> anyhow::Result<Earlier> {
    match metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Earlier::default()),
        about => {
            let is_file = about.with_context(|| shown_path(path))?.is_file();
            anyhow::ensure!(is_file, "{} is no file that --resume can read", shown_path(path));
        }
    }
    let mut source = BufReader::new(File::open(path).with_context(|| shown_path(path))?);
    let (mut earlier, mut stale, mut line) = (Earlier::default(), HashSet::new(), Vec::new());
    for number in 1_u64.. {
        line.clear();
        let mut part = source.by_ref().take(LONGEST_LINE as u64 + 1);
        if part.read_until(b'\n', &mut line).with_context(|| shown_path(path))? == 0 {
            break;
        }
        earlier.is_cut = !line.ends_with(b"\n");
        anyhow::ensure!(
            line.len() <= LONGEST_LINE,
            "{}: line {number} has more than {LONGEST_LINE} bytes",
            shown_path(path)
        );
        let line = match serde_json::from_slice::<Line>(&line) {
            Ok(line) => line,
            Err(error) => {
                let text = line.strip_suffix(b"\n").unwrap_or(&line);
                let is_cut = text.starts_with(BEGINNING) || BEGINNING.starts_with(text);
                anyhow::ensure!(
                    number > 1 || is_cut,
                    "{} is no log of such a run: {error}",
                    shown_path(path)
                );
                continue;
            }
        };
        let key = (line.input.clone(), line.output.clone());
        let begun = earlier.begun.remove(&key);
        match line.status {
            Status::Begun => {
                // The output before the first of several runs that were killed.
                let is_again = |begun: &Line| begun.read == line.read && begun.arguments == line.arguments;
                let written = begun.filter(is_again).map_or(line.written.clone(), |begun| begun.written);
                earlier.begun.insert(key, Line { written, ..line });
            }
            Status::Written => {
                stale.remove(&key);
                earlier.done.insert(key, line);
            }
            Status::Stale => drop(stale.insert(key)),
            // An earlier line names the input of an existing output.
            Status::There if !stale.contains(&key) => {
                let known = earlier.done.get(&key);
                let is_same = |known: &Line| known.read == line.read && known.arguments == line.arguments;
                if line.output.is_none() || known.is_none_or(is_same) {
                    earlier.done.insert(key, line);
                }
            }
            Status::There | Status::Failed => {}
        }
    }
    Ok(earlier)
}

/// The end of the name of the first volume of a set.
const FIRST_VOLUME: &str = ".vol0000";

/// A pattern of names with a number.
struct Pattern {
    text: String,
    /// The texts between the numbers.
    parts: Vec<String>,
}

impl Pattern {
    fn new(text: &str) -> anyhow::Result<Self> {
        if text.contains("{n}{n}") {
            wrong_arguments!("the pattern {} has {{n}} twice without a text between", one_line(text));
        }
        // Found paths have one slash between two names.
        let mut slashes = text.to_owned();
        while slashes.contains("//") {
            slashes = slashes.replace("//", "/");
        }
        let parts: Vec<String> = slashes.split("{n}").map(str::to_owned).collect();
        if parts.len() < 2 {
            wrong_arguments!("the pattern {} has no {{n}}", one_line(text));
        }
        Ok(Self { text: text.to_owned(), parts })
    }

    /// The numbers of all files that match, as they are written, in ascending order.
    fn numbers(&self) -> anyhow::Result<Vec<String>> {
        let pattern = self.parts.iter().map(|part| glob::Pattern::escape(part)).collect::<Vec<_>>().join("*");
        let mut numbers = Vec::new();
        // A set has the name of its volumes without their numbers.
        for ending in ["", FIRST_VOLUME] {
            for path in glob::glob(&format!("{pattern}{ending}"))? {
                let path = path?;
                let name = path.to_str().and_then(|path| path.strip_suffix(ending));
                numbers.extend(name.and_then(|name| self.number(name)).map(str::to_owned));
            }
        }
        let significant = |number: &str| {
            let digits = number.trim_start_matches('0').to_owned();
            (digits.len(), digits)
        };
        numbers.sort_by_cached_key(|number| (significant(number), number.len()));
        numbers.dedup();
        Ok(numbers)
    }

    /// The number in a path, if it matches. All numbers in it are the same.
    fn number<'p>(&self, path: &'p str) -> Option<&'p str> {
        // The pattern can begin with `./`, which paths that were found do not have.
        let first = self.parts.first()?;
        let rest =
            path.strip_prefix(first.as_str()).or_else(|| path.strip_prefix(first.strip_prefix("./")?))?;
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let number = rest.get(..digits).filter(|number| !number.is_empty())?;
        let expected: String = self.parts.get(1..)?.iter().flat_map(|part| [number, part.as_str()]).collect();
        (rest == expected).then_some(number)
    }
}

/// An argument with the number in the places that are marked.
fn filled(argument: &OsString, number: &str) -> anyhow::Result<OsString> {
    let Some(text) = argument.to_str().filter(|text| text.contains("{n")) else {
        return Ok(argument.clone());
    };
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once("{n") {
        out += before;
        let (form, after) =
            after.split_once('}').with_context(|| format!("{}: a }} is missing", one_line(text)))?;
        let significant = number.trim_start_matches('0');
        let significant = if significant.is_empty() { "0" } else { significant };
        match form.strip_prefix(':') {
            None if form.is_empty() => out += number,
            Some(width) if width.len() <= 3 && width.parse::<usize>().is_ok() => {
                let width = width.parse::<usize>().unwrap_or_default();
                out.extend(std::iter::repeat_n('0', width.saturating_sub(significant.len())));
                out += significant;
            }
            _ => wrong_arguments!("{}: the number is written {{n}} or {{n:05}}", one_line(text)),
        }
        rest = after;
    }
    Ok((out + rest).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_written_as_it_is_or_with_so_many_digits() {
        let of = |argument: &str, number: &str| {
            filled(&argument.into(), number).map(|filled| filled.into_string().expect("text"))
        };
        assert_eq!(of("out/{n:05}.{n}", "0042").expect("a text"), "out/00042.0042");
        assert_eq!(of("{n:1}", "000").expect("a text"), "0");
        assert_eq!(of("none", "1").expect("a text"), "none");
        for wrong in ["{n", "{n:x}", "{nn}", "{n:99999}"] {
            assert!(of(wrong, "1").is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_numbers_match_and_all_of_them_are_the_same() {
        let number = |pattern: &str, path: &str| {
            Pattern::new(pattern).expect("a pattern").number(path).map(str::to_owned)
        };
        assert_eq!(number("a.{n}", "a.0100"), Some("0100".to_owned()));
        assert_eq!(number("./a.{n}", "a.0100"), Some("0100".to_owned()));
        assert_eq!(number("r{n}/a.{n}.x", "r7/a.7.x"), Some("7".to_owned()));
        assert_eq!(number("r{n}/a.{n}.x", "r7/a.8.x"), None);
        assert_eq!(number("a.{n}", "a."), None);
        assert_eq!(number("a.{n}", "a.1.bak"), None);
        assert_eq!(number("b//a.{n}", "b/a.7"), Some("7".to_owned()));
        assert!(Pattern::new("a").is_err() && Pattern::new("a.{n}{n}").is_err());
    }
}
