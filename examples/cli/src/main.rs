//! `linkstream`: shows what a lattice-QCD file contains and whether it is intact.

mod archive;
mod check;
mod color;
mod convert;
mod counted;
mod data;
mod describe;
mod diff;
mod export;
mod failure;
mod fields;
mod files;
mod heatbath;
mod human;
mod ildg;
mod inebin;
mod lime;
mod manual;
mod new_file;
mod npy;
mod output;
mod sample;
mod scda;
mod side_by_side;
mod signals;
mod source;
mod stdio;
mod su3;
mod tally;
mod threads;
mod volumes;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};
use clap_complete::Shell;
use color::Color;

/// Inspects, verifies and converts lattice-QCD files (LIME with SciDAC and ILDG content), INEBIN matrices and scda files.
#[derive(Parser)]
#[command(name = "linkstream", version, about, max_term_width = 100, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Colour in what is printed: auto is on a terminal, and not if NO_COLOR is set.
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        value_enum,
        default_value_t,
        hide_possible_values = true
    )]
    color: Color,
}

const EXAMPLES: &str = "\
Exit status: 0 no errors; 1 a file is invalid, or cannot become what is asked for; 2 a file cannot be read or written,
or wrong usage. The worst one counts.

Output files are written completely or not at all, also after a signal. Only where the file system has no files without
a name, and the program is killed (SIGKILL), `.OUT.part` can be left beside OUT; it can be removed. An output that is a
symbolic link is followed: the file it points to is written, and replaced by --force, and the link stays.

Examples:
  linkstream check lat.0100.ildg             read everything and verify structure and checksums
  linkstream check --json *.lime             one JSON object a line and file
  linkstream check --quiet configurations/   one line for each file in a folder
  linkstream inspect lat.0100.ildg           list records and texts, without reading the data
  zcat lat.0100.ildg.gz | linkstream check - read a pipe
  linkstream convert --precision 32 a b      the same fields in single precision
  linkstream diff --tolerance 1e-6 a b       what differs between two files
  linkstream export lat.0100.ildg links.npy  the links as an array of NumPy
  linkstream ildg make a.ildg --from b.lime  the field of a SciDAC file as an ILDG file
  linkstream lime unpack lat.0100.ildg       every record in a file of its own
  linkstream inebin to-csv result.bin        the entries of a matrix as text
  linkstream scda cat state.scda 3 > data    the data of one section
  linkstream sample su3.lime                 make a small SU(3) configuration for trying things out";

#[derive(Subcommand)]
enum Command {
    /// List the structure of a file and its texts, without reading the data.
    #[command(after_help = check::INSPECT_EXAMPLES)]
    Inspect(check::Inspect),
    /// Read everything and verify structure, documents, checksums and links.
    #[command(after_help = check::CHECK_EXAMPLES)]
    Check(check::Check),
    /// Write a small SU(3) gauge configuration, made by a seeded heat bath: always the same bytes.
    #[command(after_help = "Example:\n  linkstream sample su3.lime && linkstream check su3.lime")]
    Sample {
        /// The file to write; `-` is standard output.
        out: PathBuf,
        /// Replace the file if it exists.
        #[arg(long)]
        force: bool,
    },
    /// Convert fields to another precision, other rows, or other documents.
    #[command(after_help = convert::EXAMPLES)]
    Convert(convert::Convert),
    /// Compare two files: structure, documents, and data number by number.
    #[command(after_help = diff::EXAMPLES)]
    Diff(diff::Diff),
    /// Write a field, a time slice, a matrix or a section as an array of NumPy.
    #[command(after_help = export::EXAMPLES)]
    Export(export::Export),
    /// Make ILDG files and set their logical file names.
    #[command(subcommand)]
    Ildg(ildg::Command),
    /// List, extract, unpack and pack the records of LIME files.
    #[command(subcommand)]
    Lime(lime::Command),
    /// Convert INEBIN matrices to text and text to matrices.
    #[command(subcommand)]
    Inebin(inebin::Command),
    /// Extract sections of scda files, and make scda files.
    #[command(subcommand)]
    Scda(scda::Command),
    /// Print what a shell needs to complete commands, options and their values.
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Write manual pages, one for each command, into a folder.
    #[command(after_help = MAN_EXAMPLES)]
    Man {
        /// The folder, made if it is not there.
        #[arg(value_name = "DIR")]
        folder: PathBuf,
        /// Replace pages that exist.
        #[arg(long)]
        force: bool,
    },
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  linkstream completions bash > ~/.local/share/bash-completion/completions/linkstream
  linkstream completions zsh > ~/.zfunc/_linkstream";

const MAN_EXAMPLES: &str = "\
Example:
  linkstream man ~/.local/share/man/man1 && man linkstream-check";

fn main() -> ExitCode {
    let done = signals::survive_size_limits().map_err(anyhow::Error::from).and_then(|()| run());
    done.unwrap_or_else(|error| {
        check::complain(&error);
        ExitCode::from(failure::exit_status(&error))
    })
}

fn run() -> anyhow::Result<ExitCode> {
    let arguments = Arguments::parse();
    arguments.color.apply();
    match arguments.command {
        Command::Inspect(inspect) => inspect.run(),
        Command::Check(check) => check.run(),
        Command::Sample { out, force } => sample::run(&out, force).map(|()| ExitCode::SUCCESS),
        Command::Convert(convert) => convert::run(convert).map(|()| ExitCode::SUCCESS),
        Command::Diff(diff) => diff::run(&diff),
        Command::Export(export) => export::run(&export).map(|()| ExitCode::SUCCESS),
        Command::Ildg(command) => ildg::run(command).map(|()| ExitCode::SUCCESS),
        Command::Lime(command) => lime::run(&command),
        Command::Inebin(command) => inebin::run(&command).map(|()| ExitCode::SUCCESS),
        Command::Scda(command) => scda::run(&command).map(|()| ExitCode::SUCCESS),
        Command::Completions { shell } => {
            manual::completions(Arguments::command(), shell).map(|()| ExitCode::SUCCESS)
        }
        Command::Man { folder, force } => {
            manual::pages(Arguments::command(), &folder, force).map(|()| ExitCode::SUCCESS)
        }
    }
}
