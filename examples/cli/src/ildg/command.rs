//! The commands `ildg make` and `ildg set-lfn`.

use std::path::PathBuf;

use clap::Subcommand;

use super::make::make;
use super::make_arguments::Make;
use super::set_lfn::set_lfn;
use crate::batch::Batch;
use crate::judged::Permission;

pub const EXAMPLES: &str = "\
Examples:
  linkstream ildg make lat.ildg --data links.npy --checksum
  linkstream ildg set-lfn lat.ildg lfn://example/lat";

#[derive(Subcommand)]
pub enum Command {
    /// Make an ILDG file from raw data, a NumPy array, or a field of another file.
    #[command(after_help = MAKE_EXAMPLES)]
    Make(Box<Make>),
    /// Set the logical file name: in an appended message (ILDG 1.2, note 4), or in the message of each field.
    #[command(after_help = SET_LFN_EXAMPLES)]
    SetLfn {
        /// The ILDG file, which is modified in place.
        file: PathBuf,
        /// The logical file name: printable ASCII characters without spaces.
        name: String,
        #[command(flatten)]
        permission: Permission,
        /// Replace an existing name; the file is rewritten.
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        _batch: Batch,
    },
}

const MAKE_EXAMPLES: &str = "\
Examples:
  linkstream ildg make lat.ildg --data links.bin --little-endian \\
    --extents 4x4x4x8 --lfn lfn://example/lat
  linkstream ildg make lat.ildg --data links.npy --checksum
  linkstream ildg make u1.ildg --data phases.bin --extents 8x8x8x16 \\
    --kind u1phase --precision 32 --scidac
  linkstream ildg make lat.ildg --from lat.lime --field 1 --rows reduced \\
    --update 100

Raw data must have exactly the length that the description requires. Sites are
ordered with x running fastest and t slowest. Each site has one link for each
direction with more than one site, x first. Each link is a matrix, stored row by
row, real part before imaginary part. Matrices of SO(N) are real; u1phase has
one number per link. A link that does not exist (open boundary) has all bits
clear, or, in u1phase, all bits set.

A NumPy array must be in C order, with the indices t, z, y, x, link, row,
column. If complex numbers are stored as two floats, an index for real and
imaginary part follows. Options that contradict its type or shape are errors.

The new file is read back and verified before it appears under its name. Numbers
must be finite, and links unitary up to 1000 times the rounding of single
precision; --any-numbers accepts others. If the links would be unitary in the
other byte order, the message says so. With --from, the other file is verified
as by `convert`.";

const SET_LFN_EXAMPLES: &str = "\
Examples:
  linkstream ildg set-lfn lat.0100.ildg lfn://example/lat.0100
  linkstream ildg set-lfn --force lat.0100.ildg lfn://example/renamed

The file is checked first, with its data. It is not modified if it is damaged,
is not an ILDG file, or already has a name, nor if the message cannot be written
completely. A file that begins with SciDAC documents is rewritten with the name
in the message of each field, where QIO reads it: QIO does not accept an
appended message. With --force an existing name is replaced, also if it is
repeated in the message of each field. A file with several different names is
not modified.";

pub fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Make(how) => make(*how),
        Command::SetLfn { file, name, permission, force, .. } => set_lfn(&file, &name, force, permission),
    }
}
