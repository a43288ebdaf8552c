//! The commands `scda cat` and `scda create`.

use std::path::PathBuf;

use clap::Subcommand;
use linkstream::Error;
use linkstream::scda::logical::Kind;

use super::cat::cat;
use super::pick::Wanted;

#[derive(Subcommand)]
pub enum Command {
    /// Write the data of one section to standard output, unpacked if they are compressed.
    #[command(after_help = CAT_EXAMPLES)]
    Cat {
        /// The scda file; `-` is standard input.
        file: PathBuf,
        /// Number of the section in the list of `inspect`; 0 is the file header, which has no data.
        index: u64,
        /// Of an array, only the element of this number, from 0.
        #[arg(long, value_name = "NUMBER")]
        element: Option<u64>,
        /// Compressed data as they stand in the file.
        #[arg(long)]
        raw: bool,
    },
}

const CAT_EXAMPLES: &str = "\
A compressed section is two in the file; the number of the second one gives the data, that of the first one the
sizes.

Examples:
  linkstream scda cat state.scda 3 > velocities.bin
  linkstream scda cat state.scda 3 --element 17 | xxd
  zcat state.scda.gz | linkstream scda cat - 1";

/// Whether an error is the fault of the file that was read, not of how the program was called.
pub fn is_files_fault(error: &anyhow::Error) -> bool {
    error.is::<Error<Kind>>()
}

pub fn run(command: &Command) -> anyhow::Result<()> {
    match command {
        Command::Cat { file, index, element, raw } => {
            cat(file, Wanted { section: *index, element: *element, packed: *raw })
        }
    }
}
