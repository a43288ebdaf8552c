//! The commands `scda cat` and `scda create`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Subcommand;
use linkstream::scda::Style;
use linkstream_access::write::Packing;

use super::cat::cat;
use super::create::{Making, Piece, UserString, create, gathered};
use super::pick::Wanted;
use crate::counting::from_zero;
use crate::judged::Permission;
use crate::threads;

pub const EXAMPLES: &str = "\
Examples:
  linkstream scda create state.scda text:step=42 block:notes=notes.txt
  linkstream scda cat state.scda 2";

#[derive(Subcommand)]
pub enum Command {
    /// Write the data of one section to standard output, decompressed if necessary.
    #[command(after_help = CAT_EXAMPLES)]
    Cat {
        /// The scda file; `-` is standard input.
        file: PathBuf,
        /// Number of the section in the list of `inspect`; 0 is the file header, which has no data.
        #[arg(value_parser = from_zero::<u64>, allow_negative_numbers = true)]
        index: u64,
        /// Arrays: write only the element with this number, counted from 0.
        #[arg(long, value_name = "NUMBER", value_parser = from_zero::<u64>)]
        element: Option<u64>,
        /// Write compressed data as stored in the file.
        #[arg(long)]
        raw: bool,
        #[command(flatten)]
        permission: Permission,
    },
    /// Make an scda file from pieces, one section from each.
    #[command(after_help = CREATE_EXAMPLES)]
    Create {
        /// The file to write; `-` is standard output.
        out: PathBuf,
        /// The sections, in this order.
        #[arg(value_name = "PIECE")]
        pieces: Vec<Piece>,
        /// Read the pieces from FILE, one per line, ignoring lines that begin with #; `-` is standard input.
        #[arg(long, value_name = "FILE", conflicts_with = "pieces")]
        list: Option<PathBuf>,
        /// Also read files that are not below the directory of the list that names them.
        #[arg(long)]
        anywhere: bool,
        /// Vendor string: the name of the writing program, at most 20 bytes.
        #[arg(long, default_value = "linkstream", allow_hyphen_values = true)]
        vendor: UserString,
        /// User string of the file, at most 58 bytes.
        #[arg(long, default_value = "", allow_hyphen_values = true)]
        user: UserString,
        /// Use carriage return and line feed as line breaks in padding (MIME style).
        #[arg(long)]
        mime: bool,
        /// Compress blocks and arrays, element by element.
        #[arg(long)]
        compress: bool,
        /// Compression level, from 0 (none) to 9 (recommended by the scda paper).
        #[arg(long, value_name = "0..9", default_value_t = 9, requires = "compress",
            value_parser = level)]
        level: u32,
        /// Number of threads for compression, at most the number of cores [default: number of cores]. The output does
        /// not depend on it.
        #[arg(long, value_name = "NUMBER", requires = "compress", value_parser = crate::threads::at_least_one)]
        threads: Option<NonZeroUsize>,
        #[command(flatten)]
        permission: Permission,
        /// Replace the file if it exists.
        #[arg(long)]
        force: bool,
    },
}

const CAT_EXAMPLES: &str = "\
Examples:
  linkstream scda cat state.scda 3 > velocities.bin
  linkstream scda cat state.scda 3 --element 17 | xxd
  zcat state.scda.gz | linkstream scda cat - 1";

const CREATE_EXAMPLES: &str = "\
Pieces:
  text:USER=TEXT         inline section: a text of at most 31 bytes, padded
                         with spaces and a line feed
  inline:USER=FILE       inline section: a file of 32 bytes
  block:USER=FILE        block: all bytes of a file
  array:USER:BYTES=FILE  array: elements of BYTES bytes each, one after the
                         other in a file
  varray:USER=FILE,...   variable array: each file is an element
  varray:USER=@FILE      the same, with the names of the files in FILE, one
                         per line

Examples:
  linkstream scda create state.scda text:step=42 array:position:24=x.bin \\
    block:notes=notes.txt
  linkstream scda create --compress --user 'run 7' run7.scda \\
    varray:frames=f0.png,f1.png,f2.png
  ls *.png | linkstream scda create frames.scda varray:frames=@-

USER is the section's user string, at most 58 bytes. In it, \\xNN is any byte
(\\x3d is =), and \\\\ is a backslash. FILE can be - for standard input, but only
once. Files that a list names must be below the directory of the list (the
current directory for -), also behind a link, except with --anywhere. --compress
takes about 100 MB of memory, and more if an element is longer than 16 MiB,
because elements are kept in memory.";

pub fn run(command: &Command) -> anyhow::Result<()> {
    match command {
        Command::Cat { file, index, element, raw, permission } => {
            cat(file, Wanted { section: *index, element: *element, packed: *raw }, *permission)
        }
        Command::Create {
            out,
            pieces,
            list,
            anywhere,
            vendor,
            user,
            mime,
            compress,
            level,
            threads,
            permission,
            force,
        } => {
            let style = if *mime { Style::Mime } else { Style::Unix };
            threads::limit(*threads, u64::MAX);
            let packing = compress.then_some(Packing { style, level: *level });
            let how = Making {
                vendor: vendor.0.clone(),
                user: user.0.clone(),
                style,
                packing,
                permission: *permission,
            };
            let pieces = gathered(pieces.clone(), list.as_deref(), *anywhere)?;
            create(out, *force, &how, &pieces)
        }
    }
}

/// A level of compression.
fn level(text: &str) -> Result<u32, String> {
    let level = text.parse().ok().filter(|level| (0..=9).contains(level));
    level.ok_or_else(|| "a level from 0 to 9 is expected".to_owned())
}
