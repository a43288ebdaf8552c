//! The commands `lime contents`, `pack`, `unpack`, `extract`, `extract-type` and `sample`, with the arguments and
//! the numbering of LIME 1.2, section 4.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;

use super::tools::{Wanted, contents, extract, pack, sample, unpack};

#[derive(Subcommand)]
pub enum Command {
    /// List every record of a LIME file, with its payload if that is a short text.
    #[command(after_help = CONTENTS_EXAMPLES)]
    Contents {
        /// The LIME file; `-` is standard input.
        file: PathBuf,
        /// Print one JSON object, without the texts.
        #[arg(long)]
        json: bool,
    },
    /// Make a LIME file of other files, one record of each.
    #[command(after_help = PACK_EXAMPLES)]
    Pack {
        /// Lines of a path and a type; a blank line ends a message. `-` is standard input.
        list: PathBuf,
        /// The LIME file; `-` is standard output.
        out: PathBuf,
        /// Replace the LIME file if it exists.
        #[arg(long)]
        force: bool,
    },
    /// Write the payload of each record to a separate file, and a list of them for `pack`.
    #[command(after_help = UNPACK_EXAMPLES)]
    Unpack {
        /// The LIME file; `-` is standard input, and then the folder must be named.
        file: PathBuf,
        /// The folder, made if it is not there. Otherwise the name of the file and `.contents`.
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,
        /// Replace files that exist.
        #[arg(long)]
        force: bool,
    },
    /// Write the payload of the record of that number.
    #[command(after_help = EXTRACT_EXAMPLES)]
    Extract {
        /// The LIME file; `-` is standard input.
        file: PathBuf,
        /// Number of the message, from 1.
        #[arg(value_name = "MSG", value_parser = clap::value_parser!(u64).range(1..))]
        message: u64,
        /// Number of the record in its message, from 1.
        #[arg(value_name = "REC", value_parser = clap::value_parser!(u64).range(1..))]
        record: u64,
        /// The file to write; `-` is standard output.
        #[arg(default_value = "-")]
        out: PathBuf,
        /// Replace the file if it exists.
        #[arg(long)]
        force: bool,
    },
    /// Write the payload of a record of a type: of the first one, or of another by its number.
    #[command(after_help = EXTRACT_TYPE_EXAMPLES)]
    ExtractType {
        /// The LIME file; `-` is standard input.
        file: PathBuf,
        /// The type, all of it.
        #[arg(value_name = "TYPE")]
        record_type: OsString,
        /// The file to write; `-` is standard output. A number is refused: see --nth.
        #[arg(default_value = "-", value_parser = no_number)]
        out: PathBuf,
        /// The record of this number among those of the type, from 1.
        #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u64).range(1..))]
        nth: u64,
        /// Replace the file if it exists.
        #[arg(long)]
        force: bool,
    },
    /// Write a small LIME file to try things on: always the same bytes.
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
A message begins at a record with the flag MB, and at the first record. ME ends it. Payloads below 64,000 bytes
that are text are shown. Rules that are broken harmlessly are warnings; `check` is stricter.

The JSON is that of `inspect` without fields, texts and verdict, and with `padding`, the bytes after each payload.

Examples:
  linkstream lime contents lat.0100.ildg
  zcat lat.0100.ildg.gz | linkstream lime contents --json -";

const PACK_EXAMPLES: &str = "\
The list has a line for each file: its path, from the folder where this program runs, and the type of the record,
with blanks or tabs between. Neither can contain any. Blank lines end a message, and several count as one. A type
has at most 127 bytes. A path `-` is standard input.

Examples:
  linkstream lime pack list.txt out.lime
  printf 'notes.txt notes\\ndata.bin binary\\n' | linkstream lime pack - out.lime";

const UNPACK_EXAMPLES: &str = "\
The files are called msgNN.recNN.TYPE, NN being numbers from 1. Of a type, letters, digits and - _ . + = , @ stand
for themselves, and any other byte is % and its two hexadecimal digits; a name that would be too long is cut and
ends in ~.

The file `list` beside them makes the LIME file again with `pack`, from the folder where this program ran: bit by
bit, unless there were warnings. There is none if a type is empty, contains blanks or has 128 bytes, or if the
folder's name contains blanks: a list could not tell that.

Of a file that is damaged or ends too early the records before that place are kept, without a list, and the exit
status is 1. So it is if only padding is missing at the end, but then everything is there.

Examples:
  linkstream lime unpack lat.0100.ildg && ls lat.0100.ildg.contents
  zcat lat.0100.ildg.gz | linkstream lime unpack - records
  linkstream lime pack records/list again.ildg";

const EXTRACT_EXAMPLES: &str = "\
`lime contents` tells the numbers.

Examples:
  linkstream lime extract lat.0100.ildg 2 1
  linkstream lime extract lat.0100.ildg 2 5 links.bin";

const EXTRACT_TYPE_EXAMPLES: &str = "\
Examples:
  linkstream lime extract-type lat.0100.ildg ildg-format
  linkstream lime extract-type prop.lime scidac-binary-data --nth 2 second.bin
  zcat lat.0100.ildg.gz | linkstream lime extract-type - ildg-binary-data links.bin";

/// The name of an output that nobody can have meant as the number of a record.
fn no_number(name: &str) -> Result<PathBuf, String> {
    if name.bytes().all(|byte| byte.is_ascii_digit()) && !name.is_empty() {
        return Err(format!("--nth {name} chooses a record of the type; a file of this name is ./{name}"));
    }
    Ok(name.into())
}

pub fn run(command: &Command) -> anyhow::Result<ExitCode> {
    let done = match command {
        Command::Contents { file, json } => return contents(file, *json),
        Command::Unpack { file, folder, force } => return unpack(file, folder.as_deref(), *force),
        Command::Pack { list, out, force } => pack(list, out, *force),
        Command::Extract { file, message, record, out, force } => {
            extract(file, &Wanted::Number { message: *message, record: *record }, out, *force)
        }
        Command::ExtractType { file, record_type, out, nth, force } => {
            let name = record_type.as_encoded_bytes().to_vec();
            extract(file, &Wanted::Type { name, nth: *nth }, out, *force)
        }
        Command::Sample { out, force } => sample(out, *force),
    };
    done.map(|()| ExitCode::SUCCESS)
}
