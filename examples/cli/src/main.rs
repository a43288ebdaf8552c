//! `linkstream`: shows what a lattice-QCD file contains and whether it is intact.

mod account;
mod archive;
mod batch;
mod check;
mod color;
mod complain;
mod convert;
mod convert_for;
mod counted;
mod counting;
mod cut;
mod data;
mod describe;
mod diff;
mod edit;
mod ensemble;
mod explain;
mod export;
mod failure;
mod fields;
mod files;
mod foreign;
mod help;
mod human;
mod ildg;
mod inebin;
mod json_records;
mod judged;
mod lime;
mod lists;
mod locate;
mod make;
mod manual;
mod members;
mod npy;
mod output;
mod own_input;
mod packed;
mod readers;
mod sample;
mod scda;
mod side_by_side;
mod signals;
mod skipped;
mod source;
mod spool;
mod stdio;
mod system;
mod tally;
mod threads;
mod topics;
mod volumes;
mod xml_text;

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use clap_complete::Shell;
use color::Color;
use failure::{Failure, wrong_arguments};
use linkstream_access::isolated::{isolated, report_panics_as_errors};

/// Inspect, verify and convert the files of lattice QCD: LIME with SciDAC and ILDG content, QIO file sets, NERSC
/// archives, MILC files, openQCD configurations, INEBIN matrices and scda files.
#[derive(Parser)]
#[command(name = "linkstream", version, max_term_width = 80, after_help = EXAMPLES, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Colours in the output: always, never or auto. With auto, output to a terminal is coloured unless NO_COLOR is
    /// set.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        value_enum,
        default_value_t,
        hide_possible_values = true
    )]
    color: Color,
    /// Maximum size of the copy of an input that is a pipe or a device, which the command must read twice; in bytes,
    /// or with K, M, G or T [default: free space of the temporary directory minus a tenth].
    #[arg(long, global = true, value_name = "BYTES", value_parser = spool::size)]
    spool_limit: Option<u64>,
    /// Exit status if the arguments are wrong, such as 64 (EX_USAGE): it then differs from the status of unreadable files.
    #[arg(long, global = true, value_name = "STATUS", default_value_t = failure::FAILED, value_parser = usage_status_of)]
    usage_status: u8,
    #[command(flatten)]
    messages: complain::Messages,
}

const EXAMPLES: &str = "\
Examples:
  linkstream check lat.0100.ildg             verify structure and checksums
  linkstream check --json *.lime             one JSON object per file and line
  linkstream check --quiet configurations/   one line per file in a directory
  linkstream manifest store/ > M             names, hashes and verdicts of all
  linkstream check --manifest M store/       what has changed since
  linkstream ensemble store/                 gaps, duplicates, odd ones
  linkstream explain checksum-mismatch       what a finding means, what to do
  linkstream inspect lat.0100.ildg           records and texts, without the data
  zcat lat.0100.ildg.gz | linkstream check - read a pipe
  linkstream convert --precision 32 a b      the same fields in single precision
  linkstream convert a b --volumes 2x1x2x2   a file set, as QIO writes it
  linkstream diff --tolerance 1e-6 a b       differences between two files
  linkstream locate damaged.lime             the sites that are damaged
  linkstream export lat.0100.ildg links.npy  the links as a NumPy array
  linkstream ildg make a.ildg --from b.lime  the field of a SciDAC file as ILDG
  linkstream make propagator prop.lime …     a USQCD propagator file
  linkstream lime unpack lat.0100.ildg       each record as a separate file
  linkstream inebin to-csv result.bin        the entries of a matrix as text
  linkstream scda cat state.scda 3 > data    the data of one section
  linkstream sample su3.lime                 a small SU(3) configuration

Exit status:
  0  no errors
  1  a file is wrong, or cannot be converted as requested
  2  a file cannot be read or written, or the arguments are wrong
  3  `check --manifest`: files have changed, and none is wrong
If there are several files, the highest status is returned. `check`, `diff`,
`manifest` and `ensemble` list in their help when they return which.

Numbers:
Fields, sections, their elements, time slices, rows and columns are counted
from 0, as in the lists of the JSON and in the packages for other languages.
A compressed section of an scda file, stored as two, counts as one.
Messages of LIME files, and records in them, are counted from 1, as c-lime does.

Output files:
A file is written completely or not at all, even if a signal stops the program.
Only on file systems without unnamed files (O_TMPFILE) can SIGKILL leave a file
`.OUT.part` beside OUT; it can be removed. If the output is a symbolic link, the
file that it points to is written (or replaced, with --force), and the link is
kept. A link with a name that the program has chosen (records of `lime unpack`,
volumes, manual pages) is not followed: --force replaces it. The new file has
the permissions of the file that it replaces.

No command replaces a file that it reads, except `edit` and `ildg set-lfn`, the
manifest with `check --update`, and the conversion of a single intact file if
nothing of it is left out. Data are not written to standard output if that is
one of the files read.";

#[derive(Subcommand)]
enum Command {
    /// List the records and texts of files, without reading the data.
    #[command(after_help = check::INSPECT_EXAMPLES)]
    Inspect(check::Inspect),
    /// Verify structure, XML documents, checksums and gauge links; every byte is read.
    #[command(after_help = topics::of_check(check::CHECK_EXAMPLES))]
    Check(check::Check),
    /// Write the manifest of a store: names, hashes, verdicts and observables of all files.
    #[command(after_help = ensemble::MANIFEST_EXAMPLES)]
    Manifest(ensemble::Manifest),
    /// Find what does not fit in an ensemble: gaps, duplicates, other parameters, outliers of the plaquette.
    #[command(after_help = ensemble::ENSEMBLE_EXAMPLES)]
    Ensemble(ensemble::Ensemble),
    /// Print a table of the files of a store, as text, CSV or JSON.
    #[command(after_help = ensemble::TABLE_EXAMPLES)]
    Table(ensemble::Table),
    /// Explain a rule that `check` reports: what it means, what usually breaks it, and what to do.
    #[command(after_help = explain::EXAMPLES)]
    Explain(explain::Explain),
    /// Write a small SU(3) gauge configuration from a seeded heat bath: always the same bytes.
    #[command(after_help = "Examples:\n  linkstream sample su3.lime && linkstream check su3.lime\n  \
        linkstream sample --seed 7 --extents 8x8x8x8 --beta 5.7 b57.lime")]
    Sample {
        /// The file to write; `-` is standard output.
        out: PathBuf,
        #[command(flatten)]
        sample: sample::Configuration,
        /// Replace the file if it exists.
        #[arg(long)]
        force: bool,
    },
    /// Convert fields to another precision, number of rows or form.
    #[command(after_help = convert::EXAMPLES)]
    Convert(convert::Convert),
    /// Change texts of a LIME file: logical file name, update number, texts of the user. The data stay the same.
    #[command(after_help = edit::EXAMPLES)]
    Edit(edit::Edit),
    /// Compare two files: structure, documents, and data number by number.
    #[command(after_help = diff::EXAMPLES)]
    Diff(diff::Diff),
    /// Find the damage in a field: the sites that are missing, zero, not finite, not unitary, or other than in a copy.
    #[command(after_help = locate::EXAMPLES)]
    Locate(locate::Locate),
    /// Write a field, matrix or section as a NumPy array (NPY file).
    #[command(after_help = export::EXAMPLES)]
    Export(export::Export),
    /// Make ILDG files and set their logical file names.
    #[command(subcommand, after_help = ildg::EXAMPLES)]
    Ildg(ildg::Command),
    /// Make files of fields and USQCD propagator files from NumPy arrays.
    #[command(subcommand, after_help = make::EXAMPLES)]
    Make(make::Command),
    /// List, extract, unpack and pack the records of LIME files.
    #[command(subcommand, after_help = lime::EXAMPLES)]
    Lime(lime::Command),
    /// Convert INEBIN matrices to text and text to matrices.
    #[command(subcommand, after_help = inebin::EXAMPLES)]
    Inebin(inebin::Command),
    /// Extract sections of scda files, and make scda files.
    #[command(subcommand, after_help = scda::EXAMPLES)]
    Scda(scda::Command),
    /// Copy QIO file sets (partition files and multifile sets).
    #[command(subcommand, after_help = volumes::EXAMPLES)]
    Volumes(volumes::Command),
    /// Explain a command or a topic.
    #[command(after_help = help::examples(), hide = true)]
    Help {
        /// The words of a command, or a topic.
        #[arg(value_name = "COMMAND|TOPIC")]
        words: Vec<String>,
    },
    /// Print a completion script for a shell.
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Write manual pages for each command and topic into a directory.
    #[command(after_help = MAN_EXAMPLES)]
    Man {
        /// The directory; created if it does not exist.
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        /// Replace existing pages.
        #[arg(long)]
        force: bool,
    },
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  linkstream completions bash > \\
    ~/.local/share/bash-completion/completions/linkstream
  linkstream completions zsh > ~/.zfunc/_linkstream";

const MAN_EXAMPLES: &str = "\
Example:
  linkstream man ~/.local/share/man/man1 && man linkstream-check";

/// Without memory, there is an error message, and a verdict on each file.
#[global_allocator]
static MEMORY: linkstream_memory::Reserve = linkstream_memory::Reserve;

fn main() -> ExitCode {
    report_panics_as_errors();
    let done = signals::survive_size_limits().map_err(anyhow::Error::from);
    let done = done.and_then(|()| isolated(run).unwrap_or_else(|error| Err(error.into())));
    done.unwrap_or_else(|error| {
        complain::complain(&error);
        ExitCode::from(failure::exit_status(&error))
    })
}

/// The files of a command that `--batch` repeats.
fn paths(arguments: &[OsString]) -> anyhow::Result<batch::Paths> {
    let parsed = program().try_get_matches_from(arguments);
    let parsed = parsed.and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = parsed.map_err(|error| {
        let said = error.render().to_string();
        Failure::Arguments(said.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned())
    })?;
    arguments.messages.apply();
    Ok(match arguments.command {
        Command::Convert(convert) => convert.paths(),
        Command::Export(export) => export.paths(),
        Command::Edit(edit) => edit.paths(),
        Command::Ildg(ildg::Command::SetLfn { file, force, .. }) => {
            batch::Paths { input: file, output: None, force }
        }
        _ => wrong_arguments!("--batch is an option of convert, export, edit and ildg set-lfn"),
    })
}

fn run() -> anyhow::Result<ExitCode> {
    let given: Vec<OsString> = arguments().collect();
    if let Some(status) = usage_status(&given) {
        failure::set_usage_status(status);
    }
    if let Some((batch, rest)) = batch::of(&given)? {
        return batch::run(&batch, &rest, paths);
    }
    let parsed = program().try_get_matches_from(given);
    let arguments = match parsed.and_then(|matches| {
        foreign::remember(command_of(&matches));
        Arguments::from_arg_matches(&matches)
    }) {
        Ok(arguments) => arguments,
        Err(error) => refuse(error),
    };
    arguments.color.apply();
    arguments.messages.apply();
    spool::limit(arguments.spool_limit);
    match arguments.command {
        Command::Inspect(inspect) => inspect.run(),
        Command::Check(check) => check.run(),
        Command::Manifest(manifest) => ensemble::manifest(&manifest),
        Command::Ensemble(arguments) => ensemble::ensemble(&arguments),
        Command::Table(table) => ensemble::table(&table),
        Command::Explain(explain) => explain::run(&explain).map(|()| ExitCode::SUCCESS),
        Command::Sample { out, sample, force } => sample.run(&out, force).map(|()| ExitCode::SUCCESS),
        Command::Convert(convert) => convert::run(&convert).map(|()| ExitCode::SUCCESS),
        Command::Diff(diff) => diff::run(&diff),
        Command::Locate(arguments) => locate::run(&arguments),
        Command::Export(export) => export::run(&export).map(|()| ExitCode::SUCCESS),
        Command::Edit(how) => edit::run(how).map(|()| ExitCode::SUCCESS),
        Command::Ildg(command) => ildg::run(command).map(|()| ExitCode::SUCCESS),
        Command::Make(command) => make::run(&command).map(|()| ExitCode::SUCCESS),
        Command::Lime(command) => lime::run(&command),
        Command::Inebin(command) => inebin::run(&command).map(|()| ExitCode::SUCCESS),
        Command::Scda(command) => scda::run(&command).map(|()| ExitCode::SUCCESS),
        Command::Volumes(command) => volumes::run(&command).map(|()| ExitCode::SUCCESS),
        Command::Help { words } => help::run(program(), &words).map(|()| ExitCode::SUCCESS),
        Command::Completions { shell } => manual::completions(program(), shell).map(|()| ExitCode::SUCCESS),
        Command::Man { folder, force } => {
            manual::pages(program(), &folder, force).map(|()| ExitCode::SUCCESS)
        }
    }
}

/// The commands and their options, with helps.
fn program() -> clap::Command {
    help::arranged(Arguments::command())
}

/// The arguments of the program.
fn arguments() -> impl Iterator<Item = OsString> {
    #[cfg(windows)]
    return wild::args_os();
    #[cfg(not(windows))]
    std::env::args_os()
}

/// The status that `--usage-status` sets, even if other arguments are wrong.
fn usage_status(arguments: &[OsString]) -> Option<u8> {
    let mut texts =
        arguments.iter().filter_map(|argument| argument.to_str()).take_while(|text| *text != "--");
    let given = texts.find_map(|text| text.strip_prefix("--usage-status"))?;
    let value = if given.is_empty() { texts.next()? } else { given.strip_prefix('=')? };
    usage_status_of(value).ok()
}

fn usage_status_of(text: &str) -> Result<u8, String> {
    let status = text.parse().ok().filter(|status| (2..=125).contains(status));
    status.ok_or_else(|| "a status from 2 to 125 is expected".to_owned())
}

/// The words that name the command, such as `lime unpack`.
fn command_of(matches: &ArgMatches) -> String {
    let mut words = Vec::new();
    let mut inner = matches.subcommand();
    while let Some((word, matches)) = inner {
        words.push(word);
        inner = matches.subcommand();
    }
    words.join(" ")
}

/// Removes clap's advice to write an unknown option after `--`, as if it were the name of a file.
fn without_advice(error: &mut clap::Error) {
    use clap::error::{ContextKind, ContextValue};

    let is_option = matches!(
        error.get(ContextKind::InvalidArg),
        Some(ContextValue::String(name)) if name.starts_with("--")
    );
    if let Some(ContextValue::StyledStrs(mut tips)) =
        is_option.then(|| error.remove(ContextKind::Suggested)).flatten()
    {
        tips.retain(|tip| !tip.to_string().contains("as a value"));
        if !tips.is_empty() {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
        }
    }
}

/// Prints the message about wrong arguments, or the help, and ends the program. The message quotes arguments, so that
/// it is that about the same arguments with unprintable characters escaped.
fn refuse(error: clap::Error) -> ! {
    let escaped = arguments().map(|argument| human::shown_name(&argument.to_string_lossy()));
    let mut error = program().try_get_matches_from(escaped).err().unwrap_or(error);
    without_advice(&mut error);
    if !error.use_stderr() {
        error.exit();
    }
    let said = error.render().ansi().to_string();
    // All errors begin alike.
    let said = match said.find("error:") {
        Some(at) => format!(
            "{}{}",
            color::bad("linkstream:"),
            said[at + "error:".len()..].trim_start_matches("\x1b[0m")
        ),
        None => said,
    };
    let _ = write!(anstream::stderr(), "{said}");
    std::process::exit(failure::usage_status().into())
}
