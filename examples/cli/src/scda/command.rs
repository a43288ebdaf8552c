//! The commands `scda cat` and `scda create`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Subcommand;
use linkstream::scda::Style;

use super::cat::cat;
use super::create::{Making, Packing, Piece, UserString, create, gathered};
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
        /// Compressed data as stored in the file.
        #[arg(long)]
        raw: bool,
    },
    /// Make a file of pieces, each a section.
    #[command(after_help = CREATE_EXAMPLES)]
    Create {
        /// The file to write; `-` is standard output.
        out: PathBuf,
        /// The sections, in this order.
        #[arg(value_name = "PIECE")]
        pieces: Vec<Piece>,
        /// A file with a piece a line instead; `-` is standard input. Lines that begin with # are passed over.
        #[arg(long, value_name = "FILE", conflicts_with = "pieces")]
        list: Option<PathBuf>,
        /// Names the program that writes, in at most 20 bytes.
        #[arg(long, default_value = "linkstream", allow_hyphen_values = true)]
        vendor: UserString,
        /// User string of the file, at most 58 bytes.
        #[arg(long, default_value = "", allow_hyphen_values = true)]
        user: UserString,
        /// Break lines by carriage return and line feed.
        #[arg(long)]
        mime: bool,
        /// Compress blocks and arrays, element by element.
        #[arg(long)]
        compress: bool,
        /// How hard zlib tries: from 0, not at all, to 9, which the paper recommends.
        #[arg(long, value_name = "0..9", default_value_t = 9, requires = "compress",
            value_parser = clap::value_parser!(u32).range(0..=9))]
        level: u32,
        /// Number of threads that compress [default: one for each core]. The file is the same for any number.
        #[arg(long, value_name = "NUMBER", requires = "compress")]
        threads: Option<NonZeroUsize>,
        /// Replace the file if it exists.
        #[arg(long)]
        force: bool,
    },
}

const CAT_EXAMPLES: &str = "\
A compressed section is two in the file; the number of the second one gives the data, that of the first one the
sizes.

Examples:
  linkstream scda cat state.scda 3 > velocities.bin
  linkstream scda cat state.scda 3 --element 17 | xxd
  zcat state.scda.gz | linkstream scda cat - 1";

const CREATE_EXAMPLES: &str = "\
Pieces:
  text:USER=TEXT          inline section: a text of at most 31 bytes, filled up with blanks and a line feed
  inline:USER=FILE        inline section: a file of 32 bytes
  block:USER=FILE         block: all bytes of a file
  array:USER:BYTES=FILE   array: elements of so many bytes, one after the other in a file
  varray:USER=FILE,...    variable array: each file is an element
  varray:USER=@FILE       the same, of the files that are named in FILE, one a line

USER is the section's user string, at most 58 bytes. In it \\xNN stands for any byte, so \\x3d for =, and \\\\ for
a backslash. FILE can be - for standard input, once. With --compress about 100 MB are taken, and more if an
element is longer than 16 MiB: it is kept in memory.

Examples:
  linkstream scda create state.scda text:step=42 array:position:24=x.bin block:notes=notes.txt
  linkstream scda create --compress --user 'run 7' run7.scda varray:frames=f0.png,f1.png,f2.png
  ls *.png | linkstream scda create frames.scda varray:frames=@-";

pub fn run(command: &Command) -> anyhow::Result<()> {
    match command {
        Command::Cat { file, index, element, raw } => {
            cat(file, Wanted { section: *index, element: *element, packed: *raw })
        }
        Command::Create { out, pieces, list, vendor, user, mime, compress, level, threads, force } => {
            let style = if *mime { Style::Mime } else { Style::Unix };
            let packing = compress.then(|| Packing::new(style, *level, threads.map(NonZeroUsize::get)));
            let how = Making {
                vendor: vendor.0.clone(),
                user: user.0.clone(),
                style,
                packing: packing.transpose()?,
            };
            let pieces = gathered(pieces.clone(), list.as_deref())?;
            create(out, *force, &how, &pieces)
        }
    }
}
