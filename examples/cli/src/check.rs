//! The commands `check` and `inspect`: one report per file, and one exit status for all.

use std::io::{BufWriter, IsTerminal as _, Write as _};
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

use crate::failure::{FAILED, Failure, INVALID, is_output, output_name};
use crate::files::{Candidate, Files, Volumes};
use crate::output::nobody_reads;
use crate::readers::{Readers, program_names};
use crate::side_by_side::in_order;
use crate::skipped::Neighbours;
use crate::stdio::{colored, stdout};
use crate::system::File;
use crate::tally::{self, Tally};
use crate::volumes::LayoutName;
use crate::{color, describe, human, json_records, source, threads};

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
    #[arg(required_unless_present = "files_from", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Also read the files and directories listed in LIST, one per line; `-` is standard input.
    #[arg(long, value_name = "LIST")]
    files_from: Option<PathBuf>,
    /// Print one line per file (OK, UNVERIFIED, UNREADABLE, or WRONG with the first error), and a summary line.
    #[arg(short, long, conflicts_with = "json")]
    quiet: bool,
    /// Print nothing about files that do not fail (see Exit status).
    #[arg(long)]
    only_failed: bool,
    /// Also list the skipped entries of directories, with the reason. JSON always has them, except with
    /// --only-failed.
    #[arg(short, long, conflicts_with_all = ["json", "only_failed"])]
    verbose: bool,
    /// Skip no file in a directory: files of unknown formats fail.
    #[arg(long)]
    all: bool,
    /// Print one JSON object per file, each on one line. With `records`, also print an object per record, field,
    /// section and finding before it, even if the object of the file does not list it.
    #[arg(long, value_name = "records", num_args = 0..=1, require_equals = true, default_missing_value = "files")]
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
    /// Also predict whether PROGRAM can read the file, by rules derived from its source; `all` predicts it for every
    /// program. Can be repeated.
    #[arg(long = "for", value_name = "PROGRAM", value_parser = program_names())]
    programs: Vec<String>,
    /// Number of threads, at most the number of cores [default: number of cores]. The results do not depend on it.
    #[arg(long, value_name = "N")]
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

pub const CHECK_EXAMPLES: &str = "\
Verdicts (words of the JSON; --quiet prints them in capitals):
  ok          no errors; stored checksums verify all data
  unverified  no errors; data have no stored checksum, or there are no data
  wrong       there are errors: damage, or a broken rule
  unreadable  the file could not be opened or read

Exit status:
  0  no file failed
  1  a file is wrong; or unverified, with --require-checksum; or a program
     that --for names cannot read it
  2  a file is unreadable, or the arguments are wrong

Examples:
  linkstream check *.ildg
  linkstream check --lenient old.lime
  linkstream check --for grid lat.0100.ildg
  linkstream check lat.0100.lime --from nodes.txt
  linkstream check --quiet --only-failed --require-checksum configurations/
  find . -name '*.ildg' -mtime -1 | linkstream check --quiet --files-from -

Verified data:
Texts do not count as data: no format has checksums for them. INEBIN has no
checksums, so a matrix is at best unverified. In scda files, only compressed
sections have a checksum: a file is ok if all its sections are compressed. A
SciDAC checksum is compared with the data of its message, or else with the
nearest data that have none, before or after it (CL2QCD, SIMULATeQCD, GLU).
Records of other types that are no text are named: no checksum covers them.

Errors and warnings:
If data are certainly not what was written, that is an error, whatever shows it.
A broken rule that leaves the data certain is an error too, except with
--lenient. Data that were never verified are never ok.
`linkstream explain RULE` explains a finding; RULE is the name in brackets.
  finding                                           severity  exit status
  the file ends too early                           error     1
  a description of a lattice, but no data           error     1
  checksum mismatch                                 error     1
  data without description, or of another length    error     1
  documents that disagree about the numbers         error     1
  a note by linkstream that the data were damaged   error     1
  numbers of links not finite, or beyond 1000       error     1
  links not unitary                                 error     1
    the same, if a SciDAC checksum is OK            warning   0
  recorded observables that differ                  error     1
  recorded checksums that differ                    error     1
    the same, if a SciDAC checksum is OK            warning   0
  a broken rule that leaves the data certain        error     1
    the same with --lenient                         warning   0
  remarks                                           warning   0
  data without a checksum                           none      0
    the same with --require-checksum                none      1
Remarks are about Python pickles, a missing logical file name, colors that
differ from the datatype, and user texts that begin like XML but have tags,
comments or an encoding that XML does not allow. Other texts are not judged.
If a checksum is OK, but links are not unitary or recorded checksums differ, the
names of these rules follow the verdict.

Commands that write another file refuse more than this: `export --help` lists
it.

Links and observables:
Links of a gauge field must be unitary, and those of SU(N) must have the
determinant 1. The deviation is the largest absolute value of an element of
U U+ - 1, or of det U - 1. Rounding explains up to 1000 epsilon: 1.2e-4 in
single precision, 2.2e-13 in double precision. In double precision, more than
2.2e-13 is a warning. In both, more than 1.2e-4 is an error, because no
precision explains it (MILC refuses more than 1e-4). Numbers that are not
finite, and zeros inside the lattice, are errors too.

If a SciDAC checksum is OK, a program wrote the links so, and deviations up to
1000 are a warning; so are zeros, but only with --lenient. Numbers that are not
finite, and larger deviations, are errors even then: no program means them. The
sums of NERSC and MILC files prove nothing here: they do not depend on the order
of the data.

In three cases, a deviation of up to 1000 is only a warning:
  - A text of a LIME file names smeared, fat or long links (such as `Fat links`
    of MILC). If a SciDAC checksum is OK as well, the links are not judged.
  - No document of a LIME file says that its matrices are a gauge field (an
    ildg-format, or the words gauge or plaq).
  - No link in a LIME file is unitary, or none has the determinant 1. This does
    not apply if the only document is an ildg-format for SU(3).

Texts can record plaquette, link trace and checksums (usqcdInfo of MILC and
Grid, headers of NERSC archives, xlf-info of tmLQCD, grid-format) or the squared
norm of a gauge field (FieldNormMetaData of Grid). A recorded value may differ
from that of the data by one unit of its last digit, plus the rounding of the
stored links: 1e-6 in single precision, 1e-12 in double precision. These are
absolute differences; for the norm they are relative. In double precision, a
larger difference of up to 1e-6 is a warning. More is an error, for a NERSC
header and for the texts of a LIME file alike.

--no-observables computes none of these numbers.

Directories:
In a directory, files of other formats, as recognised by their first bytes, are
skipped and counted; -v lists them with the reason. Files that may be damaged or
compressed data are not skipped but fail. Such a file
  - is empty and not hidden, or begins with zeros; or
  - is called *.lime, *.ildg, *.scidac, *.scda, *.inebin or *.nersc; or
  - is named like a recognised file, except for numbers; or
  - is exactly as long, 1 KiB or more, as a recognised file in the same
    directory, or as another unrecognised binary file whose name differs only in
    a number; or
  - is compressed (gzip, xz, zstd, bzip2, lz4, zip) or an archive (tar), and
    contains such a file or is named like one.
Random-number states of Grid and CPS beside configurations are listed as STATE
and not counted otherwise. They are verified if their header has a checksum;
states without a header are skipped.
--all skips no file. Symbolic links to directories are not followed.

File sets:
A QIO file set is checked as one file: give the name of the set (NAME), one of
its volumes (NAME.vol0000, vol0000/NAME), or a directory. --volume checks each
volume by itself, without the checksum of the set. If the volumes are in the
directories of many nodes, --from finds them by the table that was used to write
them (`convert --layout TABLE`). All volumes are open at the same time.

Other programs:
--for predicts whether a program accepts a gauge configuration in a LIME, NERSC
or MILC file, refuses it, or misreads it: then the program continues with wrong
numbers. The rules are derived from the source of each program; no program is
run. Each rule is shown with its place in the source and its basis: read in the
source, inferred from it, or observed when the program ran. If a program is
named that cannot read a file, the file fails; `--for all` does not change the
exit status.

Memory:
Memory use depends neither on the length of a file nor on the number of its
records. About 1 MiB per thread is needed, up to 60 MiB for the lists of a
report, 16 MiB for a pipe, and three time slices of a gauge field in double
precision unless --no-observables is given: 453 MB for SU(3) and 64x64x64 sites
in a slice. Compressed scda sections need up to 32 MiB per thread and 8 bytes
per element (at most 32 MiB). A file set needs 4 more bytes per site for the
observables (8 if there are more than 2^32 sites), and 1 bit per site for
verification.

JSON:
A report lists at most 100,000 records or sections, 10,000 fields and 1,000
findings; text lists fewer. All of them are judged, and those that are not
listed are counted (`records_left_out`). `--json=records` prints all records,
fields and findings of LIME files and all sections and findings of scda files.
The objects follow examples/report/schema.json in the source; their entry
`schema` is the version. `text` contains up to 65,536 bytes of the text of a
record, and up to 4 MiB of all texts of a file; `text_cut` marks longer texts.
Names that are not UTF-8 are also given in hexadecimal (`file_hex`, `type_hex`).";

/// The options of `inspect`.
pub const INSPECT: Options = Options {
    read_data: false,
    observables: false,
    slices: false,
    slice_sums: false,
    lenient: true,
    require_checksum: false,
    receiver: None,
};

impl Inspect {
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let options = Options { receiver: self.selection.receiver(), ..INSPECT };
        run(&self.selection, &Readers::default(), &options, None)
    }
}

impl Check {
    pub fn run(&self) -> anyhow::Result<ExitCode> {
        let options = Options {
            read_data: true,
            observables: !self.no_observables,
            slices: self.slices,
            slice_sums: false,
            lenient: self.lenient,
            require_checksum: self.require_checksum,
            receiver: self.selection.receiver(),
        };
        run(&self.selection, &Readers::new(&self.programs), &options, self.threads)
    }
}

/// Reports on every file in order, including those after a file that cannot be read. If the reader of the output exits,
/// as in `linkstream check … | head -1`, the reports so far determine the exit status.
fn run(
    selection: &Selection,
    readers: &Readers,
    options: &Options,
    wanted: Option<NonZeroUsize>,
) -> anyhow::Result<ExitCode> {
    let mut files = Files::gather(&selection.files, selection.files_from.as_deref())?;
    let layout = selection.from.clone().map_or(LayoutName::Same, LayoutName::Table).read()?;
    files.group(selection.volume, &layout);
    threads::limit(wanted, files.pieces());
    let bar = source::bar(Some(files.bytes()).filter(|bytes| options.read_data && *bytes > 0));
    let (list, neighbours) = (&files.list, None);
    let (tally, has_findings) = (Tally::default(), false);
    let mut all = All { selection, readers, options, list, neighbours, tally, has_findings };
    let (mut status, mut done) = (0, 0);
    let survey = |file: &Candidate| {
        let report = isolated(|| {
            json_records::of(&file.path, options, || survey(file, selection.volume, options, &bar))
        });
        report.unwrap_or_else(|error| Err(error.into()))
    };
    let ended = in_order(
        &files.list,
        // The entries of one file follow each other.
        |file| if options.receiver.is_some() { 0 } else { file.bytes },
        survey,
        |file, report| {
            let (of_file, printed) = all.report_isolated(file, report, &bar);
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
    match files.skipped.iter().try_for_each(|(path, why)| all.skip(path, why)).and_then(|()| all.end()) {
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
fn survey(file: &Candidate, is_alone: bool, options: &Options, bar: &ProgressBar) -> anyhow::Result<Report> {
    if let Some(failure) = &file.failure {
        if let Some(error) = failure.get_ref().and_then(|inner| inner.downcast_ref::<Ended>()) {
            return Err(error.clone().into());
        }
        return Err(Failure::Input(std::io::Error::new(failure.kind(), failure.to_string())).into());
    }
    let mut report = match &file.volumes {
        Volumes::None => source::survey(&file.path, is_alone, options, bar)?,
        Volumes::Alone => source::survey_set(&file.path, &alone(&file.path), true, options, bar)?,
        Volumes::Set(volumes) => source::survey_set(&file.path, volumes, false, options, bar)?,
    };
    report.file_bytes = not_utf8(&file.path);
    Ok(report)
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

    /// Prints the report on one file. Returns its exit status.
    fn report(
        &mut self,
        file: &Candidate,
        report: anyhow::Result<Report>,
        bar: &ProgressBar,
    ) -> (u8, anyhow::Result<()>) {
        let report = report.and_then(|mut report| Ok((self.skips(file, &mut report)?, report)));
        match report {
            Ok((Some(why), _)) => (0, bar.suspend(|| self.skip(&file.path, &why))),
            Ok((None, mut report)) => {
                self.readers.answer(&mut report);
                self.tally.report(&report);
                let can_read = self.readers.can_read(&report);
                let is_ok = report.is_ok() && can_read;
                self.tally.refused += usize::from(report.is_ok() && !can_read);
                let wanted = !is_ok || !self.selection.only_failed;
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

    /// Why a file is skipped; `None` if the report on it counts.
    fn skips(&mut self, file: &Candidate, report: &mut Report) -> anyhow::Result<Option<String>> {
        if self.selection.all || !file.is_found || !matches!(report.body, Body::Unknown) {
            return Ok(None);
        }
        let neighbours = match self.neighbours.take() {
            Some(neighbours) => neighbours,
            None => Neighbours::of(self.list)?,
        };
        self.neighbours.insert(neighbours).skips(file, report)
    }

    /// Counts and lists a skipped entry of a directory.
    fn skip(&mut self, path: &Path, why: &str) -> anyhow::Result<()> {
        self.tally.skipped += 1;
        if self.selection.only_failed {
            return Ok(());
        }
        if self.selection.json.is_some() {
            let file = path.display().to_string();
            let skipped = Skipped { file, file_bytes: not_utf8(path), reason: why.to_owned() };
            return line(|out| Ok(skipped.write_line(out)?));
        }
        if self.selection.verbose { text(&tally::skipped(path, why)) } else { Ok(()) }
    }

    fn print(&self, report: &Report) -> anyhow::Result<()> {
        if self.selection.json.is_some() {
            return line(|out| Ok(json_line::write_line(report, out)?));
        }
        // The progress bar, which waits for this, cannot be used after a panic.
        let shown = isolated(|| match (self.selection.quiet, self.options.read_data) {
            (true, _) => tally::line(report) + &self.readers.refusals(report),
            (false, true) => describe::checked(report, &self.readers.shown(report)),
            (false, false) => describe::inspected(report),
        });
        text(&shown?)
    }

    fn print_unreadable(&self, file: &Candidate, error: &anyhow::Error) -> anyhow::Result<()> {
        let name = file.path.display().to_string();
        let _ = writeln!(
            anstream::stderr(),
            "{} {}: {}",
            color::bad("linkstream:"),
            human::shown_path(&file.path),
            human::one_line(&format!("{error:#}"))
        );
        if self.selection.json.is_some() {
            let mut unreadable = Unreadable::new(name, format!("{error:#}"));
            unreadable.file_bytes = not_utf8(&file.path);
            unreadable.is_internal = matches!(error.downcast_ref(), Some(Ended::Internal(_)));
            return line(|out| Ok(unreadable.write_line(out)?));
        }
        if self.selection.quiet { text(&tally::unreadable(&file.path, error)) } else { Ok(()) }
    }

    /// Prints the summary line, unless there is only one file or the output is JSON.
    fn end(&self) -> anyhow::Result<()> {
        let Self { selection, tally, list, .. } = self;
        if selection.json.is_some() {
            if tally.skipped > 0 {
                let _ = writeln!(anstream::stderr(), "linkstream: {}", tally.skipped());
            }
            return Ok(());
        }
        if selection.quiet || list.len() > 1 || selection.only_failed {
            text(&tally.summary())?;
        }
        if self.has_findings && self.options.read_data && std::io::stdout().is_terminal() {
            text("explain a rule: linkstream explain RULE\n")?;
        }
        Ok(())
    }

    /// The number of skipped files, for the end of a message.
    fn besides(&self) -> String {
        if self.tally.skipped == 0 { String::new() } else { format!("; {}", self.tally.skipped()) }
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

/// The bytes of a name that is not valid UTF-8.
pub fn not_utf8(path: &Path) -> Option<Vec<u8>> {
    let name = path.as_os_str();
    name.to_str().is_none().then(|| name.as_encoded_bytes().to_vec())
}
