//! The commands `ildg make` and `ildg set-lfn`.

use std::path::PathBuf;

use clap::Subcommand;

use super::make::make;
use super::make_arguments::Make;
use super::set_lfn::set_lfn;

#[derive(Subcommand)]
pub enum Command {
    /// Make an ILDG file of raw data or of another file's field.
    #[command(after_help = MAKE_EXAMPLES)]
    Make(Box<Make>),
    /// Give a file its logical name, as a message of its own at the end (ILDG 1.2, note 4) or beside its fields.
    #[command(after_help = SET_LFN_EXAMPLES)]
    SetLfn {
        /// The ILDG file, which is changed in place.
        file: PathBuf,
        /// Logical file name: printable characters without blanks.
        name: String,
        /// Replace an existing name, wherever it is in the file, by rewriting the file.
        #[arg(long)]
        force: bool,
    },
}

const MAKE_EXAMPLES: &str = "\
Raw data are as long as the description demands, to the byte. Sites follow each other with x running fastest and t
slowest. A site has a link for each direction with more than one site, x first, and a link its matrix row by row,
re before im. so matrices are real, and u1phase has one number a link. A link that does not exist (open boundary)
has all bits clear, in u1phase all bits set.

An array of NumPy in C order has the indices t, z, y, x, link, row, column, and for floats the part of a complex
number as well. Its type and shape say which numbers it has; what contradicts them is refused.

The new file is read again before it gets its name. With --from, the checksum of the other file is verified first.

Examples:
  linkstream ildg make lat.ildg --data links.bin --little-endian --extents 4x4x4x8 --lfn lfn://example/lat
  linkstream ildg make lat.ildg --data links.npy --checksum
  linkstream ildg make u1.ildg --data phases.bin --extents 8x8x8x16 --kind u1phase --precision 32 --scidac
  linkstream ildg make lat.ildg --from lat.lime --field 2 --rows reduced --update 100";

const SET_LFN_EXAMPLES: &str = "\
The file is looked through first, without its data: one that is damaged, has a name, or is no ILDG file stays as it
is. So it does if the message cannot be written whole. A file that begins with SciDAC's documents is rewritten with the
name beside each of its fields, where QIO reads it: an appended message would be an error there. With --force a name is replaced, also where QIO repeats it
beside each field; a file with different names stays as it is.

Examples:
  linkstream ildg set-lfn lat.0100.ildg lfn://example/lat.0100
  linkstream ildg set-lfn --force lat.0100.ildg lfn://example/renamed";

pub fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Make(how) => make(*how),
        Command::SetLfn { file, name, force } => set_lfn(&file, &name, force),
    }
}
