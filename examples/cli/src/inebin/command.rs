//! The commands `inebin to-csv` and `inebin from-csv`.

use std::path::{Path, PathBuf};

use clap::{Subcommand, ValueEnum};
use linkstream::inebin::MatrixType;

use super::csv::{Reading, Separator, from_csv, to_csv};
use crate::complain::done;
use crate::failure::{of_input, wrong_arguments};
use crate::judged::{Asked, Permission, not_wrong};
use crate::output::{streamed, whole};
use linkstream_report::inebin::word;

pub const EXAMPLES: &str = "\
Examples:
  linkstream inebin to-csv result.bin result.csv
  linkstream inebin from-csv --type R result.csv again.bin";

#[derive(Subcommand)]
pub enum Command {
    /// Write the entries of a matrix as text, one row per line. `from-csv` restores every number exactly.
    #[command(after_help = TO_EXAMPLES)]
    ToCsv {
        /// The INEBIN file; `-` is standard input.
        file: PathBuf,
        /// The text file to write; `-` is standard output.
        #[arg(default_value = "-")]
        out: PathBuf,
        /// Separator of fields: a character, or one of tab, space, comma, semicolon, bar, colon.
        #[arg(long, default_value = "comma")]
        separator: Separator,
        /// Write a complex number as two fields, as Aion does, instead of one such as 1+1.5i.
        #[arg(long)]
        pairs: bool,
        #[command(flatten)]
        permission: Permission,
        /// Replace the text file if it exists.
        #[arg(long)]
        force: bool,
    },
    /// Make a matrix from text with one row per line. All rows must have the same length; empty lines are ignored.
    #[command(after_help = FROM_EXAMPLES)]
    FromCsv {
        /// Type of the entries: a letter, or its name in lower or upper case.
        #[arg(long = "type", value_name = "TYPE", value_enum, ignore_case = true)]
        letter: Letter,
        /// The text file to read; `-` is standard input.
        text: PathBuf,
        /// The INEBIN file to write; `-` is standard output.
        out: PathBuf,
        /// Separator of fields: a character, or one of tab, space, comma, semicolon, bar, colon; or `any` for a
        /// mixture of them, as Aion reads [default: determined from the first row].
        #[arg(long)]
        separator: Option<Separator>,
        /// A complex number is two fields, as in text that Aion writes and reads.
        #[arg(long)]
        pairs: bool,
        /// Replace the INEBIN file if it exists.
        #[arg(long)]
        force: bool,
    },
}

const TO_EXAMPLES: &str = "\
Examples:
  linkstream inebin to-csv result.bin
  linkstream inebin to-csv result.bin result.csv
  linkstream inebin to-csv --separator tab --pairs z.bin

The last example writes a text that Aion reads. Numbers are written with the
fewest digits from which they can be restored exactly, booleans as 0 and 1. NaNs
other than the default one are written with their bits, as in
NaN(0x7ff8000000000001).";

const FROM_EXAMPLES: &str = "\
Examples:
  linkstream inebin from-csv --type R table.csv table.bin
  printf '1 2\\n3 4\\n' | linkstream inebin from-csv --type Z - table.bin
  linkstream inebin from-csv --type C --pairs --separator tab aion.csv z.bin

Booleans are 0, 1, false or true; complex numbers are written as 2, 3i, -i,
1+1.5i or 1e-3-2.5e7i. Spaces around the fields of a line are ignored. If the
separator is a space, several of them count as one.";

/// The types by their letters in the file, or by their names.
#[derive(Debug, Clone, Copy, ValueEnum)]
#[value(rename_all = "verbatim")]
pub enum Letter {
    /// Boolean.
    #[value(alias = "boolean")]
    B,
    /// Integer, 64 bits.
    #[value(alias = "integer")]
    Z,
    /// Real, double precision.
    #[value(alias = "real")]
    R,
    /// Complex, double precision.
    #[value(alias = "complex")]
    C,
}

impl Letter {
    const fn matrix(self) -> MatrixType {
        match self {
            Self::B => MatrixType::Boolean,
            Self::Z => MatrixType::Integer,
            Self::R => MatrixType::Real,
            Self::C => MatrixType::Complex,
        }
    }
}

pub fn run(command: &Command) -> anyhow::Result<()> {
    match command {
        Command::ToCsv { file, out, separator, pairs, permission, force } => {
            write_text(file, out, *separator, *pairs, *permission, *force)
        }
        Command::FromCsv { letter, text, out, separator, pairs, force } => {
            let how = Reading { matrix: letter.matrix(), separator: *separator, pairs: *pairs };
            write_matrix(text, out, &how, *force)
        }
    }
}

fn write_text(
    file: &Path,
    out: &Path,
    separator: Separator,
    pairs: bool,
    permission: Permission,
    force: bool,
) -> anyhow::Result<()> {
    if separator == Separator::ANY {
        wrong_arguments!("--separator any can only be used for reading: choose one character for writing");
    }
    streamed(out, force, |mut text| {
        to_csv(file, separator, pairs, permission, &mut text).map_err(|error| of_input(error, file))
    })
}

fn write_matrix(text: &Path, out: &Path, how: &Reading, force: bool) -> anyhow::Result<()> {
    let header = whole(out, force, |file| {
        let header = from_csv(text, how, file).map_err(|error| of_input(error, text))?;
        not_wrong(file, out, Asked::default()).map(|()| header)
    })?;
    let (word, rows, columns) = (word(header.matrix_type()), header.rows(), header.columns());
    done(format_args!("{word} matrix, {rows} x {columns}"));
    Ok(())
}
