//! The commands `lime contents`, `pack`, `unpack`, `extract`, `extract-type` and `sample`, with the arguments and
//! the numbering of LIME 1.2, section 4.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;

use super::tools::{Wanted, contents, extract, pack, sample, unpack};
use crate::counting::from_one;
use crate::judged::Permission;

pub const EXAMPLES: &str = "\
Examples:
  linkstream lime contents lat.0100.ildg
  linkstream lime extract-type lat.0100.ildg ildg-format
  linkstream lime unpack lat.0100.ildg records
  linkstream lime pack records/list again.ildg";

#[derive(Subcommand)]
pub enum Command {
    /// List the records of a LIME file, with their payload if it is a short text.
    #[command(after_help = CONTENTS_EXAMPLES)]
    Contents {
        /// The LIME file; `-` is standard input.
        file: PathBuf,
        /// Print one JSON object, without the texts.
        #[arg(long)]
        json: bool,
    },
    /// Make a LIME file from other files, one record from each.
    #[command(after_help = PACK_EXAMPLES)]
    Pack {
        /// A list with a path and a record type per line; an empty line ends a message. `-` is standard input.
        list: PathBuf,
        /// The LIME file to write; `-` is standard output.
        out: PathBuf,
        /// Also pack files that are not below the directory of the list.
        #[arg(long)]
        anywhere: bool,
        #[command(flatten)]
        permission: Permission,
        /// Replace the LIME file if it exists.
        #[arg(long)]
        force: bool,
    },
    /// Write the payload of each record to a separate file, and a list of them for `pack`.
    #[command(after_help = UNPACK_EXAMPLES)]
    Unpack {
        /// The LIME file; `-` is standard input and requires DIR.
        file: PathBuf,
        /// The directory; created if it does not exist [default: name of the file and `.contents`].
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,
        #[command(flatten)]
        permission: Permission,
        /// Replace existing files.
        #[arg(long)]
        force: bool,
    },
    /// Write the payload of a record, chosen by number.
    #[command(after_help = EXTRACT_EXAMPLES)]
    Extract {
        /// The LIME file; `-` is standard input.
        file: PathBuf,
        /// Number of the message, from 1.
        #[arg(value_name = "MSG", value_parser = from_one::<u64>, allow_negative_numbers = true)]
        message: u64,
        /// Number of the record in its message, from 1.
        #[arg(value_name = "REC", value_parser = from_one::<u64>, allow_negative_numbers = true)]
        record: u64,
        /// The file to write; `-` is standard output.
        #[arg(default_value = "-")]
        out: PathBuf,
        #[command(flatten)]
        permission: Permission,
        /// Replace the file if it exists.
        #[arg(long)]
        force: bool,
    },
    /// Write the payload of the first record of a type, or of another one of that type (--nth).
    #[command(after_help = EXTRACT_TYPE_EXAMPLES)]
    ExtractType {
        /// The LIME file; `-` is standard input.
        file: PathBuf,
        /// The complete record type.
        #[arg(value_name = "TYPE")]
        record_type: OsString,
        /// The file to write; `-` is standard output. A plain number is an error: see --nth.
        #[arg(default_value = "-", value_parser = no_number)]
        out: PathBuf,
        /// Number of the record among the records of the type, counted from 1.
        #[arg(long, value_name = "N", default_value = "1", value_parser = from_one::<u64>)]
        nth: u64,
        #[command(flatten)]
        permission: Permission,
        /// Replace the file if it exists.
        #[arg(long)]
        force: bool,
    },
    /// Write a small LIME file for testing: always the same bytes.
    #[command(
        after_help = "Example:\n  linkstream lime sample test.lime && linkstream lime contents test.lime"
    )]
    Sample {
        /// The file to write; `-` is standard output.
        out: PathBuf,
        /// Replace the file if it exists.
        #[arg(long)]
        force: bool,
    },
}

const CONTENTS_EXAMPLES: &str = "\
Examples:
  linkstream lime contents lat.0100.ildg
  zcat lat.0100.ildg.gz | linkstream lime contents --json -

A message begins with the first record, or with a record that has the flag MB
(message begin). It ends with a record that has ME (message end). Payloads that
are text are shown if they are shorter than 64,000 bytes. Broken rules that do
not affect data are warnings; `check` is stricter.

The JSON object is that of `inspect` with fewer entries (no `fields`, `texts`,
`volume_format`, `verdict` and `unverified`; `error` only if there is one), and
with `padding`, the number of bytes after each payload.";

const PACK_EXAMPLES: &str = "\
Examples:
  linkstream lime pack list.txt out.lime
  printf 'notes.txt notes\\ndata.bin binary\\n' | linkstream lime pack - out.lime

The list has one line for each file: its path, relative to the current
directory, and the type of the record, separated by spaces or tabs. The file
must be below the directory of the list (the current directory for `-`), also
behind a link, except with --anywhere. Path and type cannot contain spaces or
tabs. One or more empty lines end a message. A
type has at most 127 bytes. The path `-` is standard input.";

const UNPACK_EXAMPLES: &str = "\
Examples:
  linkstream lime unpack lat.0100.ildg && ls lat.0100.ildg.contents
  zcat lat.0100.ildg.gz | linkstream lime unpack - records
  linkstream lime pack records/list again.ildg

The files are called msgNN.recNN.TYPE; the numbers NN count from 1. Bytes of the
type other than letters, digits and - _ . + = , @ are written as % and two
hexadecimal digits. A name that would be too long is truncated and ends in ~.

`lime pack` restores the LIME file from the file `list` in the same directory,
if it is run in the same current directory: bit for bit, unless there were
warnings. No list is written if it cannot represent the names: if a type is
empty, contains spaces or has 128 bytes, or if the name of the directory
contains spaces.

A damaged file is refused. With --damaged, the records before the point at which
it can no longer be read are written, without a list, and the exit status is 1.
It is also 1 if only padding is missing at the end; all payloads are complete
then.";

const EXTRACT_EXAMPLES: &str = "\
Examples:
  linkstream lime extract lat.0100.ildg 2 1
  linkstream lime extract lat.0100.ildg 2 5 links.bin

`lime contents` lists the numbers.";

const EXTRACT_TYPE_EXAMPLES: &str = "\
Examples:
  linkstream lime extract-type lat.0100.ildg ildg-format
  linkstream lime extract-type prop.lime scidac-binary-data --nth 2 second.bin
  zcat lat.0100.ildg.gz | \\
    linkstream lime extract-type - ildg-binary-data links.bin";

/// Parses the name of an output. A number is rejected, since it was probably meant as the number of a record.
fn no_number(name: &str) -> Result<PathBuf, String> {
    if name.bytes().all(|byte| byte.is_ascii_digit()) && !name.is_empty() {
        return Err(format!(
            "use --nth {name} to choose a record of the type, or ./{name} for a file of this name"
        ));
    }
    Ok(name.into())
}

pub fn run(command: &Command) -> anyhow::Result<ExitCode> {
    let done = match command {
        Command::Contents { file, json } => return contents(file, *json),
        Command::Unpack { file, folder, permission, force } => {
            return unpack(file, folder.as_deref(), *force, *permission);
        }
        Command::Pack { list, out, anywhere, permission, force } => {
            pack(list, out, *anywhere, *force, *permission)
        }
        Command::Extract { file, message, record, out, permission, force } => {
            let wanted = Wanted::Number { message: *message, record: *record };
            extract(file, &wanted, out, *force, *permission)
        }
        Command::ExtractType { file, record_type, out, nth, permission, force } => {
            let name = record_type.as_encoded_bytes().to_vec();
            extract(file, &Wanted::Type { name, nth: *nth }, out, *force, *permission)
        }
        Command::Sample { out, force } => sample(out, *force),
    };
    done.map(|()| ExitCode::SUCCESS)
}
