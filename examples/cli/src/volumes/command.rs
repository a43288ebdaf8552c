//! The command `volumes`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::copy::{Copying, copy};
use super::layout_name::LayoutName;
use crate::account::{Account, Place};
use crate::judged::Permission;

pub const EXAMPLES: &str = "\
Example:
  linkstream volumes copy lat.0100.lime archive/lat.0100.lime";

/// Commands about file sets.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Copy all volumes of a file set to other directories, and verify the copies.
    #[command(after_help = COPY_EXAMPLES)]
    Copy(Copy),
}

#[derive(Debug, Args)]
pub struct Copy {
    /// The set: its name, or one of its volumes.
    #[arg(value_name = "NAME")]
    set: PathBuf,
    /// The name of the copy.
    out: PathBuf,
    /// Places of the copies: `same` is OUT.volNNNN, `directory` is volNNNN/OUT; or a file with the directory of each
    /// volume.
    #[arg(long, value_name = "same|directory|TABLE", default_value = "same")]
    layout: LayoutName,
    /// A file with the directory of each volume of NAME [default: beside each other, or in directories volNNNN].
    #[arg(long, value_name = "TABLE")]
    from: Option<PathBuf>,
    /// Also copy a set with broken rules that do not affect data. An example is a first volume with
    /// another number than 0.
    #[arg(long)]
    lenient: bool,
    #[command(flatten)]
    permission: Permission,
    /// Replace volumes that exist.
    #[arg(long)]
    force: bool,
    /// Print one JSON object: the files read and written, with the reports of `inspect --json`, and the warnings.
    #[arg(long)]
    json: bool,
}

const COPY_EXAMPLES: &str = "\
Exit status:
  0  the volumes were copied
  1  the set has errors, and nothing was copied
  2  a file cannot be read or written, or the arguments are wrong

Examples:
  linkstream volumes copy lat.0100.lime staged/lat.0100.lime --layout directory
  linkstream volumes copy lat.0100.lime lat.0100.lime --layout nodes.txt
  linkstream volumes copy lat.0100.lime archive/lat.0100.lime --from nodes.txt

Each volume is copied byte for byte. The copies are read back and checked as a
set, as by `linkstream check`, before any of them appears under its name.

Errors are those of `check`; with --lenient, those of `check --lenient`, and a
lost checksum. With --damaged, the volumes are copied as they are. If `check`
only warns, for example that volumes may have been swapped, the set is copied
with the same warnings.

A TABLE has a line for each volume: its number, white space, and a directory,
which is created if it does not exist.";

pub fn run(command: &Command) -> anyhow::Result<()> {
    match command {
        Command::Copy(how) => {
            let from = how.from.clone().map_or(LayoutName::Same, LayoutName::Table).read();
            let to = how.layout.read();
            let read = vec![Place::laid_out(&how.set, &from, Place::set)];
            let written = Place::laid_out(&how.out, &to, Place::set);
            let account = Account { command: "volumes copy", read, written };
            account.of(how.json, || {
                copy(&Copying {
                    set: how.set.clone(),
                    from: from?,
                    out: how.out.clone(),
                    to: to?,
                    force: how.force,
                    lenient: how.lenient,
                    permission: how.permission,
                })
            })
        }
    }
}
