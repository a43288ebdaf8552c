//! The commands `check` and `inspect`: one report per file, and one exit status for all.

use std::io::{BufWriter, IsTerminal as _, Read, Write as _};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use linkstream_access::isolated::{Ended, isolated};
use linkstream_access::set::alone;

use linkstream_report::entries::Receiver;
use linkstream_report::json_line::{self, Skipped, Unreadable};
use linkstream_report::options::Options;
use linkstream_report::report::{Body, Report};

use crate::ensemble::{Against, Shown, Which};
use crate::failure::{FAILED, Failure, INVALID, is_output, output_name, sentence};
use crate::files::{Candidate, Files, Volumes};
use crate::human::not_utf8;
use crate::members::{Member, Members};
use crate::output::nobody_reads;
use crate::readers::{Readers, program_names};
use crate::side_by_side::in_order;
use crate::skipped::{Aside, Neighbours};
use crate::source::Surveyed;
use crate::stdio::{colored, stdout};
use crate::system::File;
use crate::tally::{self, Tally};
use crate::volumes::LayoutName;
use crate::{color, complain, describe, ensemble, human, json_records, source, threads};

/// The objects of the JSON output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Json {
    /// One for each file.
    #[value(hide = true)]
    Files,
    /// Also one for each record, field, section and finding.
    Records,
}

/// Selection of the files, and form of the reports.
#[derive(Debug, Args)]
struct Selection {
    /// Files or directories; directories are searched recursively. `-` is standard input.
    #[arg(required_unless_present_any = ["files_from", "files0_from"], value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Also read the files and directories listed in LIST, one per line; `-` is standard input.
    #[arg(long, value_name = "LIST")]
    files_from: Option<PathBuf>,
    /// The same for a list whose names end in NUL, such as `find -print0` writes: names can have line feeds.
    #[arg(long, value_name = "LIST", conflicts_with = "files_from")]
    files0_from: Option<PathBuf>,
    /// Print one line per file, and a summary line. The line has OK, UNVERIFIED, UNREADABLE, or WRONG with the first
    /// error; without reading the data LISTED instead of OK and UNVERIFIED.
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
    /// Print nothing about files that do not fail (see Exit status).
    #[arg(long)]
    only_failed: bool,
    /// Print nothing if no file fails, not even the summary, for jobs whose output is mailed. With --manifest, print nothing
    /// if no file has changed.
    #[arg(long)]
    quiet_if_ok: bool,
    /// Also list the skipped entries of directories, with the reason. JSON always has them, except with --quiet-if-ok.
    #[arg(short, long, conflicts_with_all = ["json", "only_failed", "quiet_if_ok"])]
    verbose: bool,
    /// Skip no file in a directory: files of unknown formats fail.
    #[arg(long)]
    all: bool,
    /// Print one JSON object per file, each on one line. With `records`, also print an object per record, field,
    /// section and finding before it, even if the object of the file does not list it.
    #[arg(
        long,
        value_name = "records",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "files",
        hide_possible_values = true
    )]
    json: Option<Json>,
    /// Read each volume of a QIO file set by itself, instead of the whole set.
    #[arg(long)]
    volume: bool,
    /// Read file sets whose volumes are in different directories. Each FILE is the name of a set; TABLE lists the
    /// number and the directory of each volume.
    #[arg(long, value_name = "TABLE", conflicts_with = "volume")]
    from: Option<PathBuf>,
}

impl Selection {
    /// Returns whether files that do not fail are left out.
    const fn only_failed(&self) -> bool {
        self.only_failed || self.quiet_if_ok
    }

    fn receiver(&self) -> Option<Receiver> {
        (self.json == Some(Json::Records)).then_some(json_records::RECEIVER)
    }
}

/// The arguments of `inspect`.
#[derive(Debug, Args)]
pub struct Inspect {
    #[command(flatten)]
    selection: Selection,
}

/// The arguments of `check`.
#[derive(Debug, Args)]
pub struct Check {
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    against: Against,
    /// Treat broken rules that do not affect data as warnings, not errors.
    #[arg(long)]
    lenient: bool,
    /// Fail files with data that no stored checksum verifies.
    #[arg(long)]
    require_checksum: bool,
    /// Verify checksums only: do not compute plaquette, link trace and unitarity of gauge fields.
    #[arg(long)]
    no_observables: bool,
    /// Also print plaquettes and link trace of each time slice.
    #[arg(long, conflicts_with = "no_observables")]
    slices: bool,
    /// Also predict whether PROGRAM can read the file. The rules are derived from its source; `all` predicts it for
    /// every program. Can be repeated.
    #[arg(long = "for", value_name = "PROGRAM", value_parser = program_names(), ignore_case = true)]
    programs: Vec<String>,
    /// Number of threads, at most the number of cores [default: number of cores]. The results do not depend on it.
    #[arg(long, value_name = "N", value_parser = threads::at_least_one)]
    threads: Option<NonZeroUsize>,
}

pub const INSPECT_EXAMPLES: &str = "\
Exit status:
  0  no errors
  1  a file is wrong
  2  a file is unreadable, or the arguments are wrong

Examples:
  linkstream inspect lat.0100.ildg
  linkstream inspect --json configurations/ | jq '.fields[].lfn'

Data are not read and therefore not verified: a file without errors is
unverified. Broken rules that do not affect data are warnings, as for `check
--lenient`.

Files of other formats in a directory are skipped; `check --help` says which.";

/// Follows the verdicts.
pub const CHECK_EXAMPLES: &str = "\
Exit status:
  0  no file failed
  1  a file is wrong; or unverified, with --require-checksum; or a program
     that --for names cannot read it
  2  a file is unreadable, or the arguments are wrong
  3  with --manifest: files have changed, and no file failed

Examples:
  linkstream check *.ildg
  linkstream check --lenient old.lime
  linkstream check --for grid lat.0100.ildg
  linkstream check --manifest 24c.manifest --update --scrub 7d /data/24c
  linkstream check lat.0100.lime --from nodes.txt
  linkstream check --quiet --only-failed --require-checksum configurations/
  find . -name '*.ildg' -mtime -1 | linkstream check --quiet --files-from -";

/// The options of `inspect`.
pub const INSPECT: Options = Options {
    read_data: false,
    observables: false,
    polyakov_loop: false,
    slices: false,
    slice_sums: false,
    lenient: true,
    require_checksum: false,
    receiver: None,
};

impl Inspect {
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let options = Options { receiver: self.selection.receiver(), ..INSPECT };
        run(&self.selection, &Which::default(), &Readers::default(), &options, None)
    }
}

impl Check {
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        if let Some(manifest) = self.against.manifest()? {
            let Selection { files, json, only_failed, quiet_if_ok, .. } = &self.selection;
            let shown = Shown {
                json: json.is_some(),
                only_failed: *only_failed,
                quiet_if_ok: *quiet_if_ok,
                observables: !self.no_observables,
            };
            return ensemble::check(&self.against, manifest, files, shown, self.threads);
        }
        let options = Options {
            read_data: true,
            observables: !self.no_observables,
            polyakov_loop: !self.no_observables,
            slices: self.slices,
            slice_sums: false,
            lenient: self.lenient,
            require_checksum: self.require_checksum,
            receiver: self.selection.receiver(),
        };
        run(&self.selection, &self.against.which, &Readers::new(&self.programs), &options, self.threads)
    }
}

/// Reports on every file in order, including those after a file that cannot be read. If the reader of the output exits,
/// as in `linkstream check … | head -1`, the reports so far determine the exit status.
fn run(
    selection: &Selection,
    which: &Which,
    readers: &Readers,
    options: &Options,
    wanted: Option<NonZeroUsize>,
) -> anyhow::Result<ExitCode> {
    let list = selection.files_from.as_deref().map(|list| (list, b'\n'));
    let list = list.or_else(|| selection.files0_from.as_deref().map(|list| (list, 0)));
    let mut files = Files::gather(&selection.files, list, which)?;
    let layout = selection.from.clone().map_or(LayoutName::Same, LayoutName::Table).read()?;
    files.group(selection.volume, &layout);
    threads::limit(wanted, files.pieces());
    let bar = source::bar(Some(files.bytes()).filter(|bytes| options.read_data && *bytes > 0));
    let (list, neighbours) = (&files.list, None);
    let (tally, has_findings) = (Tally::default(), false);
    let mut all = All { selection, readers, options, list, neighbours, tally, has_findings };
    let (mut status, mut done) = (0, 0);
    let survey = |file: &Candidate| {
        let surveyed = isolated(|| {
            json_records::of(&file.path, options, || survey(file, selection.volume, options, &bar))
        });
        surveyed.unwrap_or_else(|error| Err(error.into()))
    };
    let ended = in_order(
        &files.list,
        // The entries of one file follow each other.
        |file| if options.receiver.is_some() { 0 } else { file.bytes },
        survey,
        |file, surveyed| {
            let (of_file, printed) = match surveyed {
                Ok(Surveyed::Archive(source)) => all.archive(file, source, &bar),
                Ok(Surveyed::File(report)) => all.report_isolated(file, Ok(report), &bar),
                Err(error) => all.report_isolated(file, Err(error), &bar),
            };
            status = status.max(of_file);
            done += file.bytes;
            // Files that are read in parallel may have moved the bar further already.
            bar.set_position(done.max(bar.position()));
            match printed {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(error),
            }
        },
    );
    match ended {
        ControlFlow::Break(error) if nobody_reads(&error) => return Ok(ExitCode::from(status)),
        ControlFlow::Break(error) => return Err(error),
        ControlFlow::Continue(()) => {}
    }
    bar.finish_and_clear();
    let skipped = files.skipped.iter().try_for_each(|(path, why)| all.skip(path, why));
    let is_silent = selection.quiet_if_ok && status == 0;
    match skipped.and_then(|()| if is_silent { Ok(()) } else { all.end() }) {
        Err(error) if nobody_reads(&error) => {}
        printed => printed?,
    }
    anyhow::ensure!(
        all.tally.files() + all.tally.states > 0,
        "there are no files to report on{}",
        all.besides()
    );
    Ok(ExitCode::from(status))
}

/// Reads one file. A volume that comes through a pipe is read as a file of its own if `is_alone`.
fn survey(
    file: &Candidate,
    is_alone: bool,
    options: &Options,
    bar: &ProgressBar,
) -> anyhow::Result<Surveyed> {
    if let Some(failure) = &file.failure {
        if let Some(error) = failure.get_ref().and_then(|inner| inner.downcast_ref::<Ended>()) {
            return Err(error.clone().into());
        }
        return Err(Failure::Input(std::io::Error::new(failure.kind(), failure.to_string())).into());
    }
    let mut surveyed = match &file.volumes {
        Volumes::None => source::survey(&file.path, is_alone, options, bar)?,
        Volumes::Alone => {
            Surveyed::File(source::survey_set(&file.path, &alone(&file.path), true, options, bar)?)
        }
        Volumes::Set(volumes) => {
            Surveyed::File(source::survey_set(&file.path, volumes, false, options, bar)?)
        }
    };
    if let Surveyed::File(report) = &mut surveyed {
        report.file_bytes = not_utf8(&file.path);
    }
    Ok(surveyed)
}

/// All files of a run.
struct All<'s> {
    selection: &'s Selection,
    readers: &'s Readers,
    options: &'s Options,
    list: &'s [Candidate],
    /// The recognised files in directories, found when the first unrecognised one is met.
    neighbours: Option<Neighbours>,
    tally: Tally,
    /// True if a report with findings was printed.
    has_findings: bool,
}

impl All<'_> {
    /// Prints the report on one file like [`report`](Self::report). If that panics, the file counts as unreadable.
    fn report_isolated(
        &mut self,
        file: &Candidate,
        report: anyhow::Result<Report>,
        bar: &ProgressBar,
    ) -> (u8, anyhow::Result<()>) {
        let before = self.tally.clone();
        isolated(|| self.report(file, report, bar)).unwrap_or_else(|error| {
            self.tally = before;
            self.tally.unreadable();
            (FAILED, bar.suspend(|| self.print_unreadable(file, &error.into())))
        })
    }

    /// Reports on the files of an archive, or on one that was named, one after the other.
    fn archive(
        &mut self,
        file: &Candidate,
        source: Option<Box<dyn Read + Send>>,
        bar: &ProgressBar,
    ) -> (u8, anyhow::Result<()>) {
        let (options, skips) = (self.options, !self.selection.all);
        let (mut status, mut members) = (0, Members::new(skips));
        let mut each = |member: Member| match member {
            Member::File(member, report) => {
                let (of_member, printed) = self.report_isolated(&member, Ok(report), bar);
                status = status.max(of_member);
                printed
            }
            Member::Aside(path, why) => bar.suspend(|| self.aside(&path, &why)),
        };
        let read = isolated(|| members.read(&file.path, source, options, &mut each));
        let read = read.unwrap_or_else(|error| Err(error.into()));
        match read {
            Err(error) if !is_output(&error) => {
                let (failed, printed) = self.report_isolated(file, Err(error), bar);
                (status.max(failed), printed)
            }
            printed => (status, printed),
        }
    }

    /// Prints the report on one file. Returns its exit status.
    fn report(
        &mut self,
        file: &Candidate,
        report: anyhow::Result<Report>,
        bar: &ProgressBar,
    ) -> (u8, anyhow::Result<()>) {
        let report = report.and_then(|mut report| Ok((self.skips(file, &mut report)?, report)));
        match report {
            Ok((Some(why), _)) => (0, bar.suspend(|| self.aside(&file.path, &why))),
            Ok((None, mut report)) => {
                self.readers.answer(&mut report);
                self.tally.report(&report);
                let can_read = self.readers.can_read(&report);
                let is_ok = report.is_ok() && can_read;
                self.tally.refused += usize::from(report.is_ok() && !can_read);
                let wanted = !is_ok || !self.selection.only_failed();
                self.has_findings |= wanted && !report.findings.as_slice().is_empty();
                let printed = if wanted { bar.suspend(|| self.print(&report)) } else { Ok(()) };
                (if is_ok { 0 } else { INVALID }, printed)
            }
            // Printing the entries failed, and so would printing more.
            Err(error) if is_output(&error) => (0, Err(error)),
            Err(error) => {
                self.tally.unreadable();
                (FAILED, bar.suspend(|| self.print_unreadable(file, &error)))
            }
        }
    }

    /// Why a file is not checked; `None` if the report on it counts.
    fn skips(&mut self, file: &Candidate, report: &mut Report) -> anyhow::Result<Option<Aside>> {
        if self.selection.all || !file.is_found || !matches!(report.body, Body::Unknown) {
            return Ok(None);
        }
        let neighbours = match self.neighbours.take() {
            Some(neighbours) => neighbours,
            None => Neighbours::of(self.list)?,
        };
        self.neighbours.insert(neighbours).skips(file, report)
    }

    /// Counts and lists a file that is not checked. One of another program is always listed, because it can be data.
    fn aside(&mut self, path: &Path, why: &Aside) -> anyhow::Result<()> {
        match why {
            Aside::Unrelated(why) => self.skip(path, why),
            Aside::Recognised(what) => {
                self.tally.recognised += 1;
                self.list(path, what, &tally::recognised(path, what))
            }
        }
    }

    /// Counts and lists a skipped entry of a directory.
    fn skip(&mut self, path: &Path, why: &str) -> anyhow::Result<()> {
        self.tally.skipped += 1;
        let shown = if self.selection.verbose { tally::skipped(path, why) } else { String::new() };
        self.list(path, why, &shown)
    }

    /// Prints the line for people, or the object, about a file that is not checked.
    fn list(&self, path: &Path, why: &str, shown: &str) -> anyhow::Result<()> {
        if self.selection.json.is_some() {
            if self.selection.quiet_if_ok {
                return Ok(());
            }
            let file = path.display().to_string();
            let skipped = Skipped { file, file_bytes: not_utf8(path), reason: why.to_owned() };
            return line(|out| Ok(skipped.write_line(out)?));
        }
        if shown.is_empty() || self.selection.only_failed() { Ok(()) } else { self.line(shown) }
    }

    fn print(&self, report: &Report) -> anyhow::Result<()> {
        if self.selection.json.is_some() {
            return line(|out| Ok(json_line::write_line(report, out)?));
        }
        // The progress bar, which waits for this, cannot be used after a panic.
        let shown = isolated(|| match (self.selection.quiet, self.options.read_data) {
            (true, _) => tally::line(report, self.options.read_data) + &self.readers.refusals(report),
            (false, true) => describe::checked(report, &self.readers.shown(report)),
            (false, false) => describe::inspected(report),
        });
        self.line(&shown?)
    }

    /// Prints the text about a file.
    fn line(&self, shown: &str) -> anyhow::Result<()> {
        if self.selection.quiet { text(&complain::for_log(shown)) } else { text(shown) }
    }

    fn print_unreadable(&self, file: &Candidate, error: &anyhow::Error) -> anyhow::Result<()> {
        let name = file.path.display().to_string();
        // A list of the files has its line; each message is there once.
        if self.selection.quiet {
            return self.line(&tally::unreadable(&file.path, error));
        }
        complain::message(format_args!(
            "{} {}: {}",
            color::bad("linkstream:"),
            human::shown_path(&file.path),
            human::one_line(&sentence(error))
        ));
        if self.selection.json.is_some() {
            let mut unreadable = Unreadable::new(name, sentence(error));
            unreadable.file_bytes = not_utf8(&file.path);
            unreadable.is_internal = matches!(error.downcast_ref(), Some(Ended::Internal(_)));
            return line(|out| Ok(unreadable.write_line(out)?));
        }
        Ok(())
    }

    /// Prints the summary line, unless there is only one file or the output is JSON.
    fn end(&self) -> anyhow::Result<()> {
        let Self { selection, tally, list, .. } = self;
        if selection.json.is_some() {
            if let Some(aside) = tally.aside() {
                complain::message(format_args!("linkstream: {aside}"));
            }
            return Ok(());
        }
        if selection.quiet || list.len() > 1 || selection.only_failed() {
            self.line(&tally.summary(self.options.read_data))?;
        }
        if self.has_findings && self.options.read_data && std::io::stdout().is_terminal() {
            text("explain a rule: linkstream explain RULE\n")?;
        }
        Ok(())
    }

    /// The number of files that were not checked, for the end of a message.
    fn besides(&self) -> String {
        self.tally.aside().map(|aside| format!("; {aside}")).unwrap_or_default()
    }
}

/// Prints a line of JSON.
fn line(write: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>) -> anyhow::Result<()> {
    let written = stdout().and_then(|out| {
        let mut out = BufWriter::new(out);
        write(&mut out).and_then(|()| out.flush()).map_err(Failure::Output)
    });
    written.with_context(|| output_name(Path::new("-")))
}

/// Prints text for people.
fn text(text: &str) -> anyhow::Result<()> {
    let written = colored().and_then(|mut out| out.write_all(text.as_bytes()).map_err(Failure::Output));
    written.with_context(|| output_name(Path::new("-")))
}
