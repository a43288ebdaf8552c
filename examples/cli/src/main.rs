//! `linkstream`: what is in a lattice-QCD file, and is it whole?

mod check;
mod convert;
mod data;
mod fields;
mod first;
mod heatbath;
mod human;
mod ildg;
mod inebin;
mod json;
mod lime;
mod observables;
mod output;
mod report;
mod sample;
mod scda;
mod source;
mod su3;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Looks into lattice-QCD files: LIME records with SciDAC and ILDG content; INEBIN matrices; scda files.
#[derive(Parser)]
#[command(name = "linkstream", version, about, max_term_width = 100, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Exit status: 0 all well; 1 something makes a file wrong; 2 a file cannot be read, or wrong usage.

Examples:
  linkstream check lat.0100.ildg             read everything, verify all that can be verified
  linkstream check --json *.lime             one JSON object a line and file
  linkstream inspect lat.0100.ildg           list records and texts, without reading the data
  zcat lat.0100.ildg.gz | linkstream check - read a pipe
  linkstream convert --precision 32 a b      the same fields in single precision
  linkstream ildg make a.ildg --from b.lime  the field of a SciDAC file as an ILDG file
  linkstream lime unpack lat.0100.ildg       every record in a file of its own
  linkstream inebin to-csv result.bin        the entries of a matrix as text
  linkstream scda cat state.scda 3 > data    the data of one section
  linkstream sample su3.lime                 make a small SU(3) configuration to try things on";

#[derive(Subcommand)]
enum Command {
    /// List the structure of a file, with its texts; the data are passed over.
    #[command(after_help = "Example:\n  linkstream inspect lat.0100.ildg")]
    Inspect {
        /// Files to list; `-` is standard input.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Print one JSON object a line and file.
        #[arg(long)]
        json: bool,
    },
    /// Read everything and verify all that can be verified: structure, documents, checksums, links.
    #[command(after_help = "Examples:\n  linkstream check *.ildg\n  linkstream check --lenient old.lime")]
    Check {
        /// Files to check; `-` is standard input.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Rules that are broken harmlessly are warnings, not errors.
        #[arg(long)]
        lenient: bool,
        /// Print one JSON object a line and file.
        #[arg(long)]
        json: bool,
    },
    /// Write a small SU(3) gauge configuration, made by a seeded heat bath: always the same bytes.
    #[command(after_help = "Example:\n  linkstream sample su3.lime && linkstream check su3.lime")]
    Sample {
        /// The file to write; `-` is standard output.
        out: PathBuf,
        /// Replace the file if it exists.
        #[arg(long)]
        force: bool,
    },
    /// Write fields anew in another precision, with other rows, or with other documents.
    #[command(after_help = convert::EXAMPLES)]
    Convert(convert::Convert),
    /// Make ILDG files, and give them their logical names.
    #[command(subcommand)]
    Ildg(ildg::Command),
    /// Look into LIME files record by record, take them apart and make them.
    #[command(subcommand)]
    Lime(lime::Command),
    /// Turn INEBIN matrices into text and text into matrices.
    #[command(subcommand)]
    Inebin(inebin::Command),
    /// Take sections out of scda files, and make such files.
    #[command(subcommand)]
    Scda(scda::Command),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Inspect { files, json } => {
            check::run(&files, &check::Options { read_data: false, lenient: true, json })
        }
        Command::Check { files, lenient, json } => {
            check::run(&files, &check::Options { read_data: true, lenient, json })
        }
        Command::Sample { out, force } => sample::run(&out, force).map(|()| ExitCode::SUCCESS),
        Command::Convert(convert) => convert::run(convert).map(|()| ExitCode::SUCCESS),
        Command::Ildg(command) => ildg::run(command).map(|()| ExitCode::SUCCESS),
        Command::Lime(command) => lime::run(&command),
        Command::Inebin(command) => inebin::run(&command).map(|()| ExitCode::SUCCESS),
        Command::Scda(command) => scda::run(&command).map(|()| ExitCode::SUCCESS),
    };
    match outcome {
        Ok(code) => code,
        Err(error) => {
            check::complain(&error);
            let faults =
                [fields::is_files_fault, lime::is_files_fault, inebin::is_files_fault, scda::is_files_fault];
            let files_fault = faults.iter().any(|is_fault| is_fault(&error));
            ExitCode::from(if files_fault { 1 } else { 2 })
        }
    }
}
